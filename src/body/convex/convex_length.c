/* SPDX-License-Identifier: MIT */
/* The two lengths, from the reflex turns of faces and edges (convex.h). */
#include "convex.h"

#include "../meeting.h"

/* The most that all reflex turns together may be; beyond it the length would say nothing. */
#define MOST_TURN 0.05

/* ---- polyhedra ------------------------------------------------------------------------------- */

static bool is_polyhedron(const wit_body* b)
{
    for (int32_t i = 0; i < b->face_count; ++i)
        if (body_surface(b, i)->kind != WIT_SURFACE_PLANE) return false;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (body_curve(b, i)->kind != WIT_CURVE_LINE) return false;
    return true;
}

static double box_along(const wit_box* x, wit_vec3 n)
{
    return n.x * (n.x > 0 ? x->hi.x : x->lo.x) + n.y * (n.y > 0 ? x->hi.y : x->lo.y) +
           n.z * (n.z > 0 ? x->hi.z : x->lo.z);
}

/* n.x over all vertices, at most; down to `enough` it need not be told. */
static double vertices_along(const wit_body* b, wit_vec3 n, double enough)
{
    const tree_node* nodes = body_nodes(b);
    double most = enough;
    tree_walk walk;
    for (tree_walk_start(&walk, b->node_count); walk.count;) {
        const tree_node* x = &nodes[tree_walk_next(&walk)];
        if (!(x->kinds_below & 1U << WIT_VERTEX) || !(box_along(&x->box, n) > most)) continue;
        if (x->child[0] < 0)
            most = larger(most, dot3(n, body_vertices(b)[x->feature].point));
        else
            tree_walk_down(&walk, x,
                           box_along(&nodes[x->child[0]].box, n) >= box_along(&nodes[x->child[1]].box, n) ? 0 : 1);
    }
    return most;
}

double wi_polyhedron_within(const wit_body* b)
{
    double within = 0, far = larger(norm3(b->box.lo), norm3(b->box.hi)), rounding = 16 * DBL_EPSILON * far;
    if (!is_polyhedron(b)) return INFINITY;
    for (int32_t i = 0; i < b->face_count; ++i) {
        const body_face* f = &body_faces(b)[i];
        const shape_frame* frame = &body_surface(b, i)->frame;
        wit_vec3 n = scale3(f->reversed ? -1 : 1, frame->z);
        double level = dot3(n, frame->o), o = norm3(frame->o);
        double most = vertices_along(b, n, level + within) - level;
        within = larger(within, most);
        rounding = larger(rounding, 16 * DBL_EPSILON * (far + o));
    }
    return within + rounding + b->tolerance;
}

/* ---- reflex turns ---------------------------------------------------------------------------- */

/* The sum of what a plane section can turn inwards, and how far faces may end off their edges. */
typedef struct turns {
    double reflex, jumps;
} turns;

static turns solid_turns(const wit_body* b)
{
    turns t = {0, 0};
    for (int32_t i = 0; i < b->edge_count; ++i) {
        double tolerance = body_edges(b)[i].tolerance, reflex = wi_edge_reflex(b, i), times = 1;
        if (reflex > 0 || tolerance > 0) times = wi_curve_crossings(body_curve(b, i));
        if (reflex > 0) t.reflex += times * reflex;
        if (tolerance > 0) t.jumps += times * 2 * tolerance;
        if (!(t.reflex <= MOST_TURN) || !(t.jumps < b->size)) return (turns){INFINITY, INFINITY};
    }
    for (int32_t i = 0; i < b->face_count && t.reflex <= MOST_TURN; ++i) t.reflex += wi_face_reflex(b, i);
    return t;
}

/* The tangent of a use at its beginning or end, the way of the loop. */
static wit_vec3 tangent_at(const wit_body* b, int32_t use, bool last)
{
    const body_use* x = &body_uses(b)[use];
    bool high = use_at_high_end(b, use, last);
    wit_curve_jet j;
    wit_curve_eval(body_curve(b, x->edge), use_parameter(b, use, last), high ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT,
                   NULL, &j);
    return scale3(x->reversed ? -1 : 1, unit3(j.d1));
}

static turns planar_turns(const wit_body* b)
{
    turns t = {0, 0};
    const body_loop* loop = body_loops(b);
    wit_vec3 up = body_surface(b, 0)->frame.z;
    if (b->loop_count != 1 || b->face_count != 1) return (turns){INFINITY, 0};
    for (int32_t k = 0; k < loop->uses; ++k) {
        int32_t use = loop->first_use + k, next = loop->first_use + (k + 1) % loop->uses;
        const body_edge* e = &body_edges(b)[body_uses(b)[use].edge];
        if (body_uses(b)[use].edge < 0 || body_uses(b)[next].edge < 0 || e->uses != 1) return (turns){INFINITY, 0};
        t.reflex += wi_curve_reflex(body_curve(b, body_uses(b)[use].edge), e->range, up, body_uses(b)[use].reversed);
        t.jumps += 2 * e->tolerance;
        if (e->start < 0) continue;
        wit_vec3 in = tangent_at(b, use, true), out = tangent_at(b, next, false);
        if (!(dot3(in, in) > 0.5) || !(dot3(out, out) > 0.5)) return (turns){INFINITY, 0};
        double turn = wit_atan2(dot3(up, cross3(in, out)), dot3(in, out));
        t.reflex += larger(0, CONVEX_ROUNDING - turn);
        if (!(t.reflex <= MOST_TURN)) break;
    }
    return t;
}

/* ---- lengths --------------------------------------------------------------------------------- */

static convex_lengths nothing(void)
{
    return (convex_lengths){INFINITY, INFINITY};
}

/* Closed, in one piece, and around every vertex once: no two bodies that touch in a vertex. */
static bool is_whole(const wit_body* b)
{
    if (!b->closed || (b->planar ? b->loop_count != 1 : b->part_count != 1 || !b->outward)) return false;
    for (int32_t i = 0; i < b->vertex_count; ++i)
        if (!wit_body_check_vertex(b, i).manifold) return false;
    return true;
}

convex_lengths wi_convex_lengths(const wit_body* b)
{
    convex_lengths r = {0, 0};
    if (b->kind != WIT_BODY_SOLID) return nothing();
    if (b->unbounded) {
        bool half_space = b->face_count == 1 && !b->edge_count && body_surface(b, 0)->kind == WIT_SURFACE_PLANE;
        return half_space ? r : nothing();
    }
    if (!is_whole(b)) return nothing();
    turns t = b->planar ? planar_turns(b) : solid_turns(b);
    if (t.reflex == 0 && t.jumps == 0) return r;
    double flat = b->planar ? INFINITY : wi_polyhedron_within(b);
    if (!(t.reflex <= MOST_TURN) && !(flat < INFINITY)) return nothing();
    star s = wi_convex_star(b);
    double diameter = norm3(sub3(b->box.hi, b->box.lo)), share = b->planar ? 1 : s.share;
    double all = share > 0 ? t.reflex / share * (1 + MOST_TURN) : INFINITY, sine, cosine, within = INFINITY;
    if (all <= 2 * MOST_TURN) {
        wit_sincos(all, &sine, &cosine);
        within = (diameter * sine / cosine + t.jumps / share) * (1 + 1e-9);
    }
    r.within = smaller(within, flat);
    r.hull = s.clear > 0 && s.clear > r.within ? r.within * s.reach / s.clear * (1 + 1e-9) : INFINITY;
    return r.within < 0.1 * b->size ? r : nothing();
}
