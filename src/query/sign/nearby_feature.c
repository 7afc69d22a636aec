/* SPDX-License-Identifier: MIT */
/*
 * Boxes of the tree first; then leaves are halved until each piece is harmless: too far by its radius or by its tangent
 * plane, or turned the right way.
 */
#include "nearby_feature.h"

#include "../../body/meeting.h"
#include "face_piece.h"

enum {
    WORK = 1000, /* pieces in all */
    REBOUND = 10,
    REBOUND_POLE = 4, /* halvings after which derivatives are bounded anew */
    RETRIM = 6,       /* and trims asked */
    TREE = 64,
    BEGINNING = 64 /* slacks: so near to the place it is the place that is met */
};

typedef struct way_search {
    const search_task* task;
    const wit_body* body;
    const way_out* way;
    wit_vec3 middle; /* of the way */
    double radius;   /* of the ball about it that holds the way, and the slack */
    int left;        /* pieces */
    wit_work* work;
} way_search;

static bool may_go_on(way_search* s)
{
    enum { PIECE = 3 }; /* a bound, a look, its trims */
    return --s->left >= 0 && task_may_spend(s->task, s->work, PIECE - 1);
}

static bool holds_parameter(wit_interval box, double x, wit_interval range, bool closed)
{
    double slack = 1e-9 * iv_width(range);
    if (closed) x += iv_width(range) * floor((box.hi + slack - x) / iv_width(range));
    return x >= box.lo - slack && x <= box.hi + slack;
}

/* Does the piece of a face meet at the place? Then the way begins on it. */
static bool meets_place(const way_search* s, int32_t face, const face_piece* t)
{
    const place* at = s->way->at;
    if (at->kind == WIT_VERTEX) return wi_vertex_bounds_face(s->body, at->id, face);
    if (at->kind == WIT_EDGE) return face_passes_edge(s->body, face, at->id) > 0;
    const wit_surface* f = body_surface(s->body, face);
    return face == at->id && holds_parameter(t->u, at->u, f->u, f->closed_u) &&
           holds_parameter(t->v, at->v, f->v, f->closed_v);
}

/* Planar bodies: the same of a piece of an edge. */
static bool edge_meets_place(const way_search* s, int32_t edge, wit_interval t)
{
    const place* at = s->way->at;
    if (at->kind == WIT_VERTEX) return vertex_ends_edge(s->body, at->id, edge);
    const body_edge* e = &body_edges(s->body)[edge];
    return edge == at->id && holds_parameter(t, at->u, e->range, e->start < 0);
}

/*
 * All of the piece lies between two planes across n, `bend` from m on either side. The way is there over an interval of its
 * length: none of it, or if it begins on the piece none beyond the very beginning?
 */
static bool misses_slab(const way_search* s, wit_vec3 m, wit_vec3 n, double bend, bool meets)
{
    const way_out* w = s->way;
    double from = dot3(sub3(w->p, m), n), rate = dot3(w->w, n), thick = bend + w->slack;
    if (!(fabs(rate) > 0)) return fabs(from) > thick;
    double x = (thick - from) / rate, y = (-thick - from) / rate;
    return smaller(x, y) > w->reach || larger(x, y) <= (meets ? BEGINNING * w->slack : 0);
}

/* Do all normals N(x) = N + e, |e| <= spread, look the harmless way? */
static bool harmless(const way_search* s, wit_vec3 outward, double spread)
{
    return s->way->sign * dot3(outward, s->way->w) > spread;
}

static bool harmless_cone(const way_search* s, const wit_cone* cone, bool reversed)
{
    double sine, cosine, c = (reversed ? -1 : 1) * s->way->sign * dot3(cone->axis, s->way->w);
    wit_sincos(cone->angle, &sine, &cosine);
    return cosine > 0 && c > sine + 8 * DBL_EPSILON;
}

static bool face_harms(way_search* s, const tree_node* leaf)
{
    const wit_surface* surface = body_surface(s->body, leaf->feature);
    bool reversed = body_faces(s->body)[leaf->feature].reversed;
    if (harmless_cone(s, &body_leaf_bounds(s->body)[leaf->bounds].cone, reversed)) return false;
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(s->body, leaf);
    wit_hint hint = {{0}};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (!may_go_on(s)) return true;
        if (t.depth && t.depth % (surface->degenerate ? REBOUND_POLE : REBOUND) == 0) {
            wit_cone cone;
            wi_face_piece_bound(surface, &t, &cone, s->work);
            if (harmless_cone(s, &cone, reversed)) continue;
        }
        face_piece_view view = wi_face_piece_look(surface, &t, &hint, s->work);
        wit_vec3 area = cross3(view.jet.du, view.jet.dv), n = unit3(cross3(unit3(view.jet.du), unit3(view.jet.dv)));
        if (norm3(sub3(s->middle, view.jet.p)) - view.radius > s->radius) continue;
        if (dot3(n, n) > 0 && misses_slab(s, view.jet.p, n, view.bend, meets_place(s, leaf->feature, &t))) continue;
        if (harmless(s, scale3(reversed ? -1 : 1, area), wi_face_piece_turn(&t, &view))) continue;
        bool last = view.radius <= s->way->slack || t.depth == FACE_PIECE_DEPTH;
        /* trims cost more than halving: they are asked now and then, and before the answer */
        if (t.mixed && (last || t.depth % RETRIM == 0)) {
            if (!wi_face_piece_trim(s->body, leaf->feature, &t, s->work, s->task->units)) continue;
        }
        if (last) return true;
        wi_face_piece_halve(&t, &view, &stack[count + 1], &stack[count]);
        count += 2;
    }
    return false;
}

/* Edges of planar bodies. */
static bool edge_harms(way_search* s, const tree_node* leaf)
{
    const leaf_bounds* b = &body_leaf_bounds(s->body)[leaf->bounds];
    const body_edge* e = &body_edges(s->body)[leaf->feature];
    wit_vec3 z = body_surface(s->body, 0)->frame.z;
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = (face_piece){.u = leaf->u};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (!may_go_on(s)) return true;
        double h = 0.5 * iv_width(t.u), m = iv_mid(t.u);
        wit_curve_jet j;
        wit_curve_eval(body_curve(s->body, leaf->feature), m, WIT_KNOT_DEFAULT, NULL, &j);
        work_jets(s->work, 1);
        double bend = 0.5 * b->d2[0] * h * h, radius = smaller(norm3(j.d1) * h + bend, b->d1[0] * h);
        wit_vec3 right = cross3(j.d1, z), n = unit3(right);
        if (norm3(sub3(s->middle, j.p)) - radius > s->radius) continue;
        if (dot3(n, n) > 0 && misses_slab(s, j.p, n, bend, edge_meets_place(s, leaf->feature, t.u))) continue;
        if (e->uses == 1) {
            if (body_uses(s->body)[edge_uses(s->body, leaf->feature)[0]].reversed) right = scale3(-1, right);
            if (harmless(s, right, b->d2[0] * h)) continue;
        }
        if (radius <= s->way->slack || t.depth == FACE_PIECE_DEPTH) return true;
        stack[count++] = (face_piece){.u = iv(m, t.u.hi), .depth = t.depth + 1};
        stack[count++] = (face_piece){.u = iv(t.u.lo, m), .depth = t.depth + 1};
    }
    return false;
}

static bool leaf_harms(way_search* s, const tree_node* leaf)
{
    if (s->body->planar) return leaf->kind == WIT_EDGE && edge_harms(s, leaf);
    return leaf->kind == WIT_FACE && face_harms(s, leaf);
}

static bool box_is_far(const wit_box* b, wit_vec3 p, double reach)
{
    return b->lo.x - p.x > reach || p.x - b->hi.x > reach || b->lo.y - p.y > reach || p.y - b->hi.y > reach ||
           b->lo.z - p.z > reach || p.z - b->hi.z > reach;
}

bool wi_may_change_side(const search_task* task, const wit_body* body, const way_out* way, wit_work* work)
{
    way_search s = {.task = task, .body = body, .way = way, .left = WORK, .work = work};
    s.middle = addscaled3(way->p, 0.5 * way->reach, way->w);
    s.radius = 0.5 * way->reach + way->slack;
    int stack[TREE], count = 0;
    const tree_node* nodes = body_nodes(body);
    if (body->node_count) stack[count++] = 0;
    while (count) {
        const tree_node* node = &nodes[stack[--count]];
        if (!task_may(task, work)) return true;
        work_nodes(work, 1);
        if (box_is_far(&node->box, s.middle, s.radius)) continue;
        if (node->child[0] < 0) {
            if (leaf_harms(&s, node)) return true;
        } else {
            if (count + 2 > TREE) return true;
            stack[count++] = node->child[1];
            stack[count++] = node->child[0];
        }
    }
    return false;
}
