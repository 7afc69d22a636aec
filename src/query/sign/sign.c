/* SPDX-License-Identifier: MIT */
/*
 * The side of a point q from the normals at its closest place p.
 *
 * Let d = |q - p| > 0 and w = (q - p) / d. The open ball of radius d about q holds no point of the boundary. So it is
 * all inside or all outside, as p + e w is for small e, and every direction t in which the boundary leaves p has
 * t . w <= 0. Let C be the cone of directions into the material at p; its boundary is made of the half planes (at an
 * edge), sectors or cones (at a vertex) that touch the faces there. None of them comes nearer to w than a right angle:
 * first order decides, for curved faces as for flat ones, and q is inside if and only if w is in C.
 *
 * The open half space H = {t . w > 0} does not meet the boundary of C: it is all in C or all outside. Gauss' theorem for
 * the constant field w over C cut to the unit ball says, with A the sum of the vector areas of the faces of C in
 * that ball, outwards,
 *     A . w = - integral of x . w over the part of C on the unit sphere.
 * Outside, C lies in the complement of H and the integral is <= 0: A . w >= 0. Inside, H is in C; x . w has integral zero
 * over the whole sphere, so that of the complement of C counts with the other sign: A . w <= 0. It is zero only where C,
 * or its complement, has no inside: at a cusp. Nothing is asked of the number of faces, of convex or reflex: only that
 * every edge is passed as often in one direction as in the other, so that the faces bound something.
 *
 * The vector area of a sector of angle alpha is alpha n / 2; of the part of a cone with unit rulings r, the integral of
 * r x dr / 2. At an edge, where C is a wedge, the same in its cross-section gives the sum of the unit normals.
 *
 * The search stops when the bracket is narrow enough, or the budget ends, so p may be farther than the closest place by the
 * gap of the bracket. The way from q to p then meets no boundary but within the gap of p. That it meets none there
 * either is looked at (nearby_feature.h). Where it may, or A . w does not decide, other points of the empty ball about q
 * are asked; open shells have no inside but by their winding number.
 *
 * At an open border of a one-sided sheet the same sum over the faces that are there is taken: before or behind is
 * decided by the tangent planes at the border, and a point in such a plane counts as before.
 */
#include "../../pair/conormal.h"
#include "../search_task.h"
#include "nearby_feature.h"
#include "ray_count.h"
#include "sheet_side.h"
#include "../search/point_search.h"
#include "winding.h"
#include "sign.h"

enum { RULINGS = 32 };
#define FLOOR_UNITS 64 /* a distance below this many units in the last place of the coordinates is zero */
#define PLACE_UNITS 8  /* a place is known to this many */
#define NOISE 3        /* times the noise in w: what A . w must exceed, relative to |A| */
#define LEAST 1e-10    /* and this, relative to the sum of the parts of A: rounding of normals and angles */
#define RISE 1e-3      /* what t . w may be at a place that was found by iteration */
#define KINK 1e-6      /* radians; also the least angle of a sector, and its least difference from a full turn */
#define SAME 1e-9      /* of the range: a parameter at its end */
#define MEETS 1e-6     /* of the range: ends of uses that follow each other */

/* A, and what is known of it. */
typedef struct area {
    wit_vec3 sum;
    double size;  /* sum of the lengths of the parts */
    double error; /* of the sum */
    double rise;  /* largest t . w of the directions t in which the boundary leaves p; above 0, p is not closest */
    bool known;
    bool estimated; /* a part of it was summed up from samples: rulings of a spline at a sharp pole */
} area;

static void add_direction(area* a, double rise)
{
    a->rise = larger(a->rise, rise);
}

static void add_part(area* a, wit_vec3 part, double error)
{
    a->sum = add3(a->sum, part);
    a->size += norm3(part);
    a->error += error;
}

/* Where the work ends before all parts are seen nothing is known. */
static bool may_add(const side* own, area* a)
{
    if (side_spent(own, 1)) a->known = false;
    return a->known;
}

/* ---- edges --------------------------------------------------------------------------------- */

static double reach_of(const wit_body* b)
{
    return norm3(b->box.lo) + norm3(b->box.hi);
}

/* The body at rest: what is measured of it is in its own frame. */
static side at_rest(const side* s)
{
    return (side){.body = s->body, .work = s->work, .units = s->units};
}

/* The outward normal of the use's face where it passes p, near t of its edge. */
static bool normal_beside(const side* own, int32_t use, double t, wit_vec3 p, wit_vec3* out)
{
    const wit_body* b = own->body;
    double tolerance = body_edges(b)[body_uses(b)[use].edge].tolerance;
    use_passing passing = {p, 2 * tolerance + 1e-12 * reach_of(b), -1};
    use_lift l = wi_use_lift_near(own, use, t, &passing);
    int32_t face = body_uses(b)[use].face;
    double u = l.c.p.x, v = l.c.p.y;
    wit_surface_jet j;
    unsigned flags = side_face_jet(own, face, u, v, l.side, &j);
    side_jets(own, (flags & WIT_EVAL_DEGENERATE) != 0); /* the limit of the normal */
    return wi_outward_of_jet(body_surface(b, face), body_faces(b)[face].reversed, u, v, flags, &j, out);
}

/* The unit tangents before and after t; false where the edge has none or a kink. */
static bool tangent_at(const side* own, int32_t edge, double t, wit_vec3* out)
{
    const wit_body* b = own->body;
    const body_edge* e = &body_edges(b)[edge];
    const wit_curve* c = body_curve(b, edge);
    double near = SAME * iv_width(e->range), before = t, after = t;
    if (e->start < 0 && (t <= e->range.lo + near || t >= e->range.hi - near)) {
        before = e->range.hi;
        after = e->range.lo;
    }
    wit_curve_jet below, above;
    side_jets(own, 2);
    unsigned flags = wit_curve_eval(c, before, WIT_KNOT_T_BELOW, NULL, &below);
    flags |= wit_curve_eval(c, after, WIT_KNOT_DEFAULT, NULL, &above);
    *out = unit3(above.d1);
    return !(flags & WIT_EVAL_DEGENERATE) && norm3(sub3(unit3(below.d1), *out)) <= KINK;
}

static area edge_area(const side* own, int32_t edge, double t, wit_vec3 p, wit_vec3 w)
{
    const wit_body* b = own->body;
    area a = {.known = true};
    const int32_t* uses = edge_uses(b, edge);
    wit_vec3 along, n;
    a.known = tangent_at(own, edge, t, &along);
    add_direction(&a, fabs(dot3(along, w)));
    for (int32_t k = 0; k < body_edges(b)[edge].uses && may_add(own, &a); ++k) {
        if (b->planar)
            n = planar_outward(b, uses[k], along);
        else
            a.known = normal_beside(own, uses[k], t, p, &n);
        if (!a.known) break;
        add_part(&a, n, 0);
        if (!b->planar) add_direction(&a, dot3(left_of(n, along, use_forward(b, uses[k])), w));
    }
    return a;
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* The unit direction in which an edge leaves the vertex at its end (1: the high one). Where the first derivative vanishes
 * the second one leads away from both ends. */
static bool leaving(const side* own, int32_t edge, int end, wit_vec3* out)
{
    const wit_body* b = own->body;
    const body_edge* e = &body_edges(b)[edge];
    wit_curve_jet j;
    side_jets(own, 1);
    unsigned flags = wit_curve_eval(body_curve(b, edge), end ? e->range.hi : e->range.lo,
                                    end ? (unsigned)WIT_KNOT_T_BELOW : 0U, NULL, &j);
    *out = flags & WIT_EVAL_DEGENERATE ? unit3(j.d2) : scale3(end ? -1 : 1, unit3(j.d1));
    return dot3(*out, *out) > 0.5;
}

/* The unit direction from a pole into the face, at (u, v) of it; the parameter that moves along the pole is `moving`. */
static bool ruling(const side* own, int32_t face, wit_direction moving, double u, double v, wit_vec3* out)
{
    const wit_body* b = own->body;
    const body_face* f = &body_faces(b)[face];
    bool along_u = moving == WIT_U, lower = along_u ? v <= iv_mid(f->v) : u <= iv_mid(f->u);
    pole_border pole = {face, along_u ? WIT_V : WIT_U, along_u ? v : u, lower ? 1 : -1};
    *out = unit3(wi_pole_ruling(own, &pole, along_u ? u : v));
    return dot3(*out, *out) > 0.5;
}

static wit_vec3 fan(const wit_vec3* r, int step)
{
    wit_vec3 sum = vec3(0, 0, 0);
    for (int k = 0; k < RULINGS; k += step) {
        wit_vec3 c = cross3(r[k], r[k + step]);
        double sine = norm3(c);
        if (sine > 0) sum = addscaled3(sum, wit_atan2(sine, dot3(r[k], r[k + step])) / sine, c);
    }
    return sum;
}

/*
 * The part of the face around a pole, when a loop with the face to its left runs along the pole from (u0, v0) to
 * (u1, v1) of the parameter plane: about du x dv it is minus the integral of r x dr. The fan of triangles between
 * rulings is compared with the one of half as many: that bounds the error where the rulings form a cone of second order, as
 * those of all kinds but splines do.
 */
static void add_pole(const side* own, int32_t face, const double from[2], const double to[2], wit_vec3 w, area* a)
{
    const wit_body* b = own->body;
    const wit_surface* s = body_surface(b, face);
    wit_direction moving = fabs(to[0] - from[0]) * s->speed_u >= fabs(to[1] - from[1]) * s->speed_v ? WIT_U : WIT_V;
    wit_vec3 r[RULINGS + 1];
    for (int k = 0; k <= RULINGS && may_add(own, a); ++k) {
        double x = (double)k / RULINGS;
        a->known = ruling(own, face, moving, from[0] + x * (to[0] - from[0]), from[1] + x * (to[1] - from[1]), &r[k]);
    }
    if (!a->known) return;
    for (int k = 0; k <= RULINGS; ++k) add_direction(a, dot3(r[k], w));
    wit_vec3 fine = fan(r, 1), coarse = fan(r, 2);
    a->estimated |= s->kind == WIT_SURFACE_NURBS;
    add_part(a, scale3(body_faces(b)[face].reversed ? 1 : -1, fine), norm3(sub3(fine, coarse)));
}

/* (u, v) where a use begins (last false) or ends, in the direction of its loop. A passage along a pole is taken to be all of
 * its curve. */
static void use_end(const side* own, int32_t use, bool last, double out[2])
{
    const wit_body* b = own->body;
    const body_use* x = &body_uses(b)[use];
    wit_interval t = x->edge < 0 ? body_parameter_curve(b, use)->range : body_edges(b)[x->edge].range;
    use_lift l = side_use_lift(own, use, last != x->reversed ? t.hi : t.lo);
    out[0] = l.c.p.x;
    out[1] = l.c.p.y;
}

/* The same place of the parameter plane, whole periods apart or not. */
static bool meets(const wit_surface* s, const double x[2], const double y[2])
{
    double width_u = iv_width(s->u), width_v = iv_width(s->v), du = (x[0] - y[0]) / width_u,
           dv = (x[1] - y[1]) / width_v;
    if (s->closed_u) du -= floor(du + 0.5);
    if (s->closed_v) dv -= floor(dv + 0.5);
    return fabs(du) <= MEETS && fabs(dv) <= MEETS;
}

/* The passages along a pole after the use `in`, and the next use of an edge. */
static int32_t next_use(const side* own, int32_t in, wit_vec3 w, bool* pole, area* a)
{
    const wit_body* b = own->body;
    const body_use* x = &body_uses(b)[in];
    const body_loop* loop = &body_loops(b)[body_faces(b)[x->face].first_loop + x->loop];
    const wit_surface* s = body_surface(b, x->face);
    int32_t k = in - loop->first_use, out = in;
    double before[2], from[2], to[2];
    use_end(own, in, true, before);
    *pole = false;
    for (int32_t i = 0; i < loop->uses; ++i) {
        k = (k + 1) % loop->uses;
        out = loop->first_use + k;
        use_end(own, out, false, from);
        if (body_uses(b)[out].edge >= 0) break;
        use_end(own, out, true, to);
        a->known &= meets(s, before, from);
        add_pole(own, x->face, from, to, w, a);
        before[0] = to[0];
        before[1] = to[1];
        *pole = true;
    }
    if (*pole) a->known &= meets(s, before, from);
    return out;
}

/* The corner where a loop comes in along `in`. Anticlockwise about du x dv the face lies from the edge that leaves to the
 * one that comes in. */
static void add_corner(const side* own, int32_t vertex, int32_t in, wit_vec3 w, area* a)
{
    const wit_body* b = own->body;
    const body_use* x = &body_uses(b)[in];
    bool pole;
    int32_t out = next_use(own, in, w, &pole, a);
    if (pole || !a->known) return;
    wit_vec3 first, last, n;
    a->known = leaving(own, x->edge, use_at_high_end(b, in, true), &last) &&
               leaving(own, body_uses(b)[out].edge, use_at_high_end(b, out, false), &first) &&
               normal_beside(own, in, use_parameter(b, in, true), body_vertices(b)[vertex].point, &n);
    if (!a->known) return;
    double turn = body_faces(b)[x->face].reversed ? -1 : 1;
    double alpha = turn_about(scale3(turn, n), first, last);
    /* the way in the plane of the sector that leads most towards q */
    wit_vec3 steepest = addscaled3(w, -dot3(n, w), n);
    if (turn_about(scale3(turn, n), first, steepest) < alpha) add_direction(a, norm3(steepest));
    add_direction(a, larger(dot3(first, w), dot3(last, w)));
    a->known = alpha > KINK && alpha < TWO_PI - KINK;
    add_part(a, scale3(alpha, n), 0);
}

/* Faces that have the vertex as an apex inside them: a loop along all of the pole would close them. */
static void add_apexes(const side* own, int32_t vertex, wit_vec3 w, area* a)
{
    const wit_body* b = own->body;
    int count;
    const body_apex* apexes = wi_vertex_apexes(b, vertex, &count);
    for (int k = 0; k < count && may_add(own, a); ++k) {
        const body_apex* x = &apexes[k];
        if (!wi_apex_inside(b, x)) continue;
        const body_face* f = &body_faces(b)[x->face];
        const wit_surface* s = body_surface(b, x->face);
        wit_interval along = x->fixed == WIT_U ? s->v : s->u, across = x->fixed == WIT_U ? f->u : f->v;
        a->known = x->fixed == WIT_U ? s->closed_v : s->closed_u;
        /* with the face to the left: forwards along v = lo and u = hi */
        bool forwards = (x->value <= iv_mid(across)) == (x->fixed == WIT_V);
        double from = forwards ? along.lo : along.hi, to = forwards ? along.hi : along.lo;
        const double start[2] = {x->fixed == WIT_U ? x->value : from, x->fixed == WIT_U ? from : x->value};
        const double end[2] = {x->fixed == WIT_U ? x->value : to, x->fixed == WIT_U ? to : x->value};
        add_pole(own, x->face, start, end, w, a);
    }
}

/* One end of a use at a vertex of a planar body. */
static void add_planar_end(const side* own, int32_t use, int end, wit_vec3 w, area* a)
{
    const wit_body* b = own->body;
    wit_vec3 away;
    a->known &= leaving(own, body_uses(b)[use].edge, end, &away);
    if (!a->known) return;
    add_part(a, planar_outward(b, use, scale3(end ? -1 : 1, away)), 0);
    add_direction(a, dot3(away, w));
}

static area vertex_area(const side* own, int32_t vertex, wit_vec3 w)
{
    const wit_body* b = own->body;
    area a = {.known = true};
    const body_vertex* v = &body_vertices(b)[vertex];
    const int32_t* edges = vertex_edges(b, vertex);
    for (int32_t i = 0; i < v->edges; ++i) {
        const body_edge* e = &body_edges(b)[edges[i]];
        for (int32_t k = 0; k < e->uses && a.known; ++k) {
            int32_t use = edge_uses(b, edges[i])[k];
            for (int end = 0; end < 2 && may_add(own, &a); ++end) {
                if ((end ? e->end : e->start) != vertex) continue;
                if (b->planar)
                    add_planar_end(own, use, end, w, &a);
                else if ((end == 1) == use_at_high_end(b, use, true))
                    add_corner(own, vertex, use, w, &a);
            }
        }
    }
    if (!b->planar) add_apexes(own, vertex, w, &a);
    a.known &= a.size > 0;
    return a;
}

/* ---- the decision -------------------------------------------------------------------------- */

static area area_at(const side* s, const place* at, wit_vec3 w)
{
    const wit_body* b = s->body;
    side own = at_rest(s);
    if (at->kind == WIT_VERTEX) return vertex_area(&own, at->id, w);
    if (at->kind == WIT_EDGE) return edge_area(&own, at->id, at->u, side_unpoint(s, at->p), w);
    area a = {.known = false};
    wit_vec3 n;
    side_jets(s, 1);
    a.known = wit_body_face_normal(b, at->id, at->u, at->v, &n);
    if (!a.known) return a;
    add_part(&a, n, 0);
    add_direction(&a, norm3(cross3(n, w)));
    return a;
}

/* How far the place may be off the faces around it. */
static double place_tolerance(const wit_body* b, const place* at)
{
    if (at->kind == WIT_EDGE) return body_edges(b)[at->id].tolerance;
    if (at->kind != WIT_VERTEX) return 0;
    const body_vertex* v = &body_vertices(b)[at->id];
    const int32_t* edges = vertex_edges(b, at->id);
    double most = v->tolerance;
    for (int32_t i = 0; i < v->edges; ++i) most = larger(most, body_edges(b)[edges[i]].tolerance);
    return most;
}

typedef struct sight {
    wit_vec3 q;      /* in the body's frame */
    double rounding; /* of the coordinates in play */
    bool decided, proved;
    bool leads;   /* from the place the boundary leads closer: it is not the closest one */
    double value; /* A . w, its sign not to be trusted unless decided */
} sight;

/* The place may be off the closest one by `off`, besides its rounding. */
static sight look(const side* s, wit_vec3 point, const place* nearest, double distance, double off)
{
    const wit_body* b = s->body;
    wit_vec3 w = unit3(side_unvector(s, sub3(point, nearest->p)));
    sight r = {.q = side_unpoint(s, point)};
    r.rounding = DBL_EPSILON * (reach_of(b) + norm3(r.q) + norm3(point));
    if (side_spent(s, wi_point_sign_cost(b, nearest))) return r;
    area a = area_at(s, nearest, w);
    if (!a.known) return r;
    r.value = dot3(a.sum, w);
    double noise = NOISE * (PLACE_UNITS * r.rounding + place_tolerance(b, nearest) + off) / distance;
    r.leads = a.rise > noise + RISE;
    r.proved = !a.estimated;
    r.decided = fabs(r.value) > noise * norm3(a.sum) + LEAST * a.size + 2 * a.error && !r.leads;
    return r;
}

/* Outside the box of a bounded solid there is no inside. */
static bool outside_box(const side* s, wit_vec3 q)
{
    const wit_body* b = s->body;
    return b->bounded && !b->unbounded && box_square(&b->box, q) > 0;
}

/*
 * By the normals at the closest place, which may be farther than the boundary by the gap of the bracket. The way from q
 * to p meets no boundary but in its last part, as long as the gap.
 */
static bool decided_here(const search_task* t, const side* s, wit_vec3 point, const search_answer* f, wit_work* work,
                         point_sign* out)
{
    const wit_body* b = s->body;
    sight l = look(s, point, &f->a, f->upper, 0);
    out->sign = l.value < 0 ? -1 : 1;
    out->how = f->a.kind == WIT_FACE ? WIT_SIGN_NORMAL : WIT_SIGN_CONE;
    if (outside_box(s, l.q)) {
        out->sign = 1;
        return true;
    }
    if (!b->closed || !l.decided || !l.proved || f->upper <= FLOOR_UNITS * l.rounding) return false;
    wit_vec3 p = side_unpoint(s, f->a.p);
    double slack = PLACE_UNITS * l.rounding + 2 * place_tolerance(b, &f->a);
    way_out way = {&f->a, p, unit3(sub3(l.q, p)), smaller(f->upper, f->upper - f->lower + slack), slack, out->sign};
    return !wi_may_change_side(t, b, &way, work);
}

/*
 * The ball about q with the radius of the lower bound has no boundary in it: all of it is on one side. So other points of it
 * tell as well, and one of them will have a closest place with a normal that decides: first on the way to the closest
 * place, where that is the only one and the bracket is narrower, then aside.
 */
static bool decided_nearby(const search_task* task, const side* s, wit_vec3 point, const search_answer* f,
                           wit_work* work, point_sign* out)
{
    enum { ROUNDS = 6, MOST = 4000 };
    wit_vec3 w = unit3(sub3(f->a.p, point)), e[2];
    complete3(w, &e[0], &e[1]);
    if (s->body->planar) {
        e[0] = unit3(cross3(side_vector(s, body_surface(s->body, 0)->frame.z), w));
        e[1] = unit3(add3(e[0], w));
    }
    const wit_vec3 toward[ROUNDS] = {w, e[0], e[1], scale3(-1, add3(e[0], e[1])), scale3(-1, w), sub3(e[0], e[1])};
    for (int k = 0; k < ROUNDS && task_may(task, work); ++k) {
        search_task t = task_share(task, work, MOST);
        wit_vec3 q = addscaled3(point, (k ? 0.7 : 0.9) * f->lower, unit3(toward[k]));
        search_answer g;
        t.a = *s;
        t.b = wi_side_of_point(q);
        t.within = INFINITY;
        t.tolerance = DBL_EPSILON;
        wi_point_search(&t, &g);
        work_spend(work, &g.work);
        if (g.end != SEARCH_CLOSED && g.end != SEARCH_BUDGET) continue;
        if (!(g.upper < INFINITY) || !decided_here(task, s, q, &g, work, out)) continue;
        out->how = WIT_SIGN_NEARBY;
        return true;
    }
    return false;
}

/*
 * Normals tell the side of the wall at the closest place; that it is one between inside and outside supposes that the shell does
 * not cross itself. Where that is not known the point must be gone round once inside, not at all outside (ray_count.h).
 */
static bool is_simple(const wit_body* b)
{
    return b->facts.embedded || !b->closed || !b->bounded;
}

static bool confirmed(const search_task* t, const side* s, wit_vec3 point, const search_answer* f, int sign,
                      wit_work* work)
{
    wit_vec3 q = side_unpoint(s, point);
    if (is_simple(s->body) || outside_box(s, q)) return true;
    ray_count n = wi_ray_count(t, s->body, q, f->lower, scale3(-sign, sub3(side_unpoint(s, f->a.p), q)), work);
    return n.known && n.number == (sign < 0);
}

/* A point on a wall, which may be one inside a shell that crosses itself: is there, half a tolerance off, a place that is
 * proved to be outside? Returns how far it is, or infinity. */
static double outside_beside(const search_task* task, const side* s, wit_vec3 point, const search_answer* f,
                             wit_work* work)
{
    enum { MOST = 4000 };
    double step = 0.4 * task_tolerance(task, 0);
    if (is_simple(s->body)) return 0;
    if (!task_may_spend(task, work, wi_point_sign_cost(s->body, &f->a))) return INFINITY;
    area a = area_at(s, &f->a, vec3(0, 0, 0));
    wit_vec3 q = addscaled3(point, step, unit3(side_vector(s, a.sum)));
    point_sign side_there;
    search_answer g;
    search_task t = task_share(task, work, MOST);
    t.a = *s;
    t.b = wi_side_of_point(q);
    t.within = INFINITY;
    t.tolerance = DBL_EPSILON;
    if (!a.known || !task_may(task, work)) return INFINITY;
    wi_point_search(&t, &g);
    work_spend(work, &g.work);
    if ((g.end != SEARCH_CLOSED && g.end != SEARCH_BUDGET) || !(g.upper < INFINITY)) return INFINITY;
    bool outside = decided_here(task, s, q, &g, work, &side_there) && side_there.sign > 0;
    return outside && confirmed(task, s, q, &g, 1, work) ? step : INFINITY;
}

/* By the winding number. Inside, the closest wall may be one that crosses the solid, unless its normals say that it is not. */
static point_sign by_winding(const search_task* t, const side* s, wit_vec3 point, const point_sign* seen,
                             wit_work* work)
{
    const wit_body* b = s->body;
    point_sign guess = {seen->sign, seen->how, false, is_simple(b) ? 0 : INFINITY};
    if (!task_may_spend(t, work, WINDING_UNITS * (int64_t)b->node_count)) return guess;
    winding number = wi_winding_about(t, b, side_unpoint(s, point), work);
    int sign = wi_winding_side(&number);
    if (!sign) return guess;
    bool wall = sign > 0 || is_simple(b) || (seen->proved && seen->sign == sign);
    return (point_sign){sign, WIT_SIGN_WINDING, wall && wi_winding_proved(&number), guess.deeper};
}

point_sign wi_point_sign(const search_task* t, const side* s, wit_vec3 point, const search_answer* f, wit_work* work)
{
    const wit_body* b = s->body;
    point_sign r = {0, WIT_SIGN_NONE, true, 0};
    if (!b || b->kind == WIT_BODY_SHEET2) return r;
    r.proved = decided_here(t, s, point, f, work, &r);
    if (b->kind != WIT_BODY_SOLID) {
        r.proved =
            f->end == SEARCH_CLOSED && f->upper > t->floor && wi_sheet_side_proved(t, s, point, f->upper, r.sign, work);
        return r;
    }
    point_sign seen = r;
    if (!r.proved && f->upper <= t->floor) {
        r.deeper = outside_beside(t, s, point, f, work);
        return r;
    }
    if (r.proved && confirmed(t, s, point, f, r.sign, work)) return r;
    if (!r.proved && b->closed && f->lower > 16 * t->floor && decided_nearby(t, s, point, f, work, &r)) {
        /* inside, what was said of by_winding */
        r.proved = is_simple(b) || (r.sign > 0 && confirmed(t, s, point, f, 1, work));
        if (r.proved) return r;
    }
    r = by_winding(t, s, point, &seen, work);
    if (!r.proved && r.deeper > 0 && f->upper <= 0.4 * task_tolerance(t, 0))
        r.deeper = outside_beside(t, s, point, f, work);
    return r;
}

bool wi_place_side_decided(const side* s, wit_vec3 point, const place* at, double distance, int sign)
{
    sight l = look(s, point, at, distance, 0);
    return l.leads || (l.decided && l.proved && sign * l.value > 0);
}

int wi_place_side(const side* s, wit_vec3 point, const place* at, double distance, double off)
{
    sight l = look(s, point, at, distance, off);
    if (!l.decided || !l.proved) return 0;
    return l.value < 0 ? -1 : 1;
}

int wi_point_sign_near(const side* s, wit_vec3 point, const place* nearest, double distance, bool* decided)
{
    *decided = true;
    if (!s->body || s->body->kind == WIT_BODY_SHEET2) return 0;
    sight l = look(s, point, nearest, distance, 0);
    *decided = l.decided || s->body->kind != WIT_BODY_SOLID;
    return l.value < 0 ? -1 : 1;
}

int64_t wi_point_sign_cost(const wit_body* b, const place* at)
{
    enum { NORMAL = 1 + USE_PASSING_JETS + 2, POLE = RULINGS + 3, CORNER = 4 + NORMAL };
    if (at->kind == WIT_FACE) return 1;
    if (at->kind == WIT_EDGE) return 2 + (b->planar ? 0 : (int64_t)NORMAL * body_edges(b)[at->id].uses);
    if (at->kind != WIT_VERTEX) return 0;
    int64_t cost = 0;
    const int32_t* edges = vertex_edges(b, at->id);
    for (int32_t i = 0; i < body_vertices(b)[at->id].edges; ++i) {
        const body_edge* e = &body_edges(b)[edges[i]];
        int ends = e->start == e->end ? 2 : 1;
        for (int32_t k = 0; k < e->uses; ++k) {
            const body_use* x = &body_uses(b)[edge_uses(b, edges[i])[k]];
            const body_loop* loop = &body_loops(b)[body_faces(b)[x->face].first_loop + x->loop];
            cost += ends * (int64_t)(b->planar ? 1 : CORNER);
            for (int32_t n = 0; n < loop->uses && !b->planar; ++n)
                if (body_uses(b)[loop->first_use + n].edge < 0) cost += ends * (int64_t)POLE;
        }
    }
    int apexes;
    wi_vertex_apexes(b, at->id, &apexes);
    return cost + (int64_t)POLE * apexes;
}
