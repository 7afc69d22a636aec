/* SPDX-License-Identifier: MIT */
#include "neighbour.h"

#include "../body/check/check.h"

enum { STEPS = 6, RULINGS = 32, HALVINGS = 8, NEWTON = 8 };
#define LEAN 1e-12 /* of the range */
#define ANGLE 1e-8 /* radians: nearer to its edges a direction does not count as inside a sector */

/* ---- parameters on a face ------------------------------------------------------------------ */

/* Into the range: closed parameters by whole periods, others held. */
static double settled(double x, wit_interval range, bool closed, double period)
{
    if (closed && (x < range.lo || x > range.hi)) x -= floor((x - range.lo) / period) * period;
    return smaller(range.hi, larger(range.lo, x));
}

static void settle_on_face(const side* s, int face, double x[2])
{
    const wit_surface* surface = body_surface(s->body, face);
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, WIT_FACE, face, range, closed);
    x[0] = settled(x[0], range[0], surface->closed_u, iv_width(surface->u));
    x[1] = settled(x[1], range[1], surface->closed_v, iv_width(surface->v));
}

/* A little into the face: beyond a seam a parameter is wrapped, with a rounding that may cross the crease it is on. */
static void lean_in(const wit_surface* surface, const check_lift* by, double x[2])
{
    double most = larger(fabs(by->into_u), fabs(by->into_v));
    double u = LEAN * iv_width(surface->u) + 8 * DBL_EPSILON * fabs(x[0]);
    double v = LEAN * iv_width(surface->v) + 8 * DBL_EPSILON * fabs(x[1]);
    if (fabs(by->into_u) > 1e-9 * most) x[0] += by->into_u > 0 ? u : -u;
    if (fabs(by->into_v) > 1e-9 * most) x[1] += by->into_v > 0 ? v : -v;
}

/* Where a use passes p, near t of its edge: parameter curves need not keep step with the curve in space. */
static check_lift lift_near(const side* s, int use, double t, wit_vec3 p, neighbour_work* work)
{
    const wit_body* b = s->body;
    const body_edge* e = &body_edges(b)[body_uses(b)[use].edge];
    double enough = 2 * e->tolerance + 1e-12 * b->size;
    check_lift l = wi_check_lift_use(b, use, t);
    for (int k = 0; k < STEPS; ++k) {
        wit_surface_jet j;
        wi_side_jet(s, WIT_FACE, body_uses(b)[use].face, l.c.p.x, l.c.p.y, l.side, NULL, &j);
        work->jets += 2;
        wit_vec3 off = sub3(p, j.p), along = addscaled3(scale3(l.c.d1.x, j.du), l.c.d1.y, j.dv);
        double speed = dot3(along, along);
        if (norm3(off) <= enough || !(speed > 0)) break;
        double next = smaller(larger(t + dot3(off, along) / speed, e->range.lo), e->range.hi);
        if (!(fabs(next - t) > LEAN * iv_width(e->range))) break;
        t = next;
        l = wi_check_lift_use(b, use, t);
    }
    return l;
}

/* The unit normal along du x dv of a use's face where l says. `other` leans away from the second border at a corner. */
static bool normal_there(const side* s, int face, const check_lift* l, const check_lift* other, wit_vec3* m,
                         neighbour_work* work)
{
    const wit_surface* surface = body_surface(s->body, face);
    double x[2] = {l->c.p.x, l->c.p.y};
    unsigned below = l->side;
    lean_in(surface, l, x);
    if (other) {
        lean_in(surface, other, x);
        below |= other->side;
    }
    wit_surface_jet j;
    unsigned flags = wi_side_jet(s, WIT_FACE, face, x[0], x[1], below, NULL, &j);
    ++work->jets;
    *m = unit3(cross3(unit3(j.du), unit3(j.dv)));
    if (!(flags & WIT_EVAL_DEGENERATE)) return true;
    wit_vec3 n;
    if (!wit_surface_normal(surface, x[0], x[1], &n)) return false;
    *m = side_vector(s, n);
    return true;
}

/* ---- edges --------------------------------------------------------------------------------- */

bool wi_neighbour_of_edge(const side* s, int edge, double t, wit_vec3 p, wit_vec3 tangent, wit_vec3 w, double least,
                          int except, neighbour* out, neighbour_work* work)
{
    const wit_body* b = s->body;
    wit_interval range[2];
    bool closed[2], found = false;
    if (b->planar) return false;
    wi_side_range(s, WIT_EDGE, edge, range, closed);
    t = settled(t, range[0], closed[0], iv_width(range[0]));
    for (int k = 0; k < body_edges(b)[edge].uses; ++k) {
        int use = check_edge_uses(b, edge)[k], face = body_uses(b)[use].face;
        if (face == except) continue;
        check_lift l = lift_near(s, use, t, p, work);
        wit_vec3 m;
        if (!normal_there(s, face, &l, NULL, &m, work)) continue;
        wit_vec3 into = unit3(cross3(m, scale3(body_uses(b)[use].reversed ? -1 : 1, tangent)));
        double slope = dot3(w, into);
        if (!(slope > least)) continue;
        least = slope;
        found = true;
        *out = (neighbour){.kind = WIT_FACE, .id = face, .x = {l.c.p.x, l.c.p.y}, .p = p, .slope = slope};
        settle_on_face(s, face, out->x);
    }
    return found;
}

/* ---- vertices ------------------------------------------------------------------------------ */

/* The unit tangent of an edge away from one of its ends, taken a little within; where it vanishes, by its limit. */
static wit_vec3 away_from_end(const side* s, int edge, bool high, neighbour_work* work)
{
    wit_interval t = body_edges(s->body)[edge].range;
    double end = high ? t.hi : t.lo, lean = LEAN * iv_width(t) + 8 * DBL_EPSILON * fabs(end);
    wit_surface_jet j, off;
    wi_side_jet(s, WIT_EDGE, edge, high ? end - lean : end + lean, 0, WIT_KNOT_DEFAULT, NULL, &j);
    ++work->jets;
    wit_vec3 d = scale3(high ? -1 : 1, unit3(j.du));
    if (dot3(d, d) > 0.5) return d;
    double beside = 1e-5 * iv_width(t);
    wi_side_jet(s, WIT_EDGE, edge, high ? end - beside : end + beside, 0, WIT_KNOT_DEFAULT, NULL, &off);
    ++work->jets;
    return unit3(sub3(off.p, j.p));
}

static const int32_t* vertex_edges(const wit_body* b, int vertex)
{
    return (const int32_t*)body_at(b, b->vertex_edges) + body_vertices(b)[vertex].first_edge;
}

static bool along_edges(const side* s, int vertex, wit_vec3 w, double* least, neighbour* out, neighbour_work* work)
{
    const wit_body* b = s->body;
    bool found = false;
    for (int k = 0; k < body_vertices(b)[vertex].edges; ++k) {
        int edge = vertex_edges(b, vertex)[k];
        const body_edge* e = &body_edges(b)[edge];
        for (int high = 0; high < 2; ++high) {
            if ((high ? e->end : e->start) != vertex) continue;
            double slope = dot3(w, away_from_end(s, edge, high, work));
            if (!(slope > *least)) continue;
            *least = slope;
            found = true;
            *out = (neighbour){.kind = WIT_EDGE, .id = edge, .x = {high ? e->range.hi : e->range.lo}, .slope = slope};
            out->p = side_point(s, body_vertices(b)[vertex].point);
        }
    }
    return found;
}

static double turn_about(wit_vec3 m, wit_vec3 from, wit_vec3 to)
{
    double angle = wit_atan2(dot3(m, cross3(from, to)), dot3(from, to));
    return angle < 0 ? angle + TWO_PI : angle;
}

/* The use before this one in its loop, along an edge. */
static int use_before(const wit_body* b, int use)
{
    const body_use* x = &body_uses(b)[use];
    const body_loop* loop = &body_loops(b)[body_faces(b)[x->face].first_loop + x->loop];
    int k = use - loop->first_use;
    for (int i = 0; i < loop->uses; ++i) {
        k = (k + loop->uses - 1) % loop->uses;
        if (body_uses(b)[loop->first_use + k].edge >= 0) break;
    }
    return loop->first_use + k;
}

/* The sector of a face between the use that leaves the vertex and the one that comes in before it. Where no edge leads
 * closer only sectors of more than half a turn can. */
static bool into_sector(const side* s, int vertex, int leaving, wit_vec3 w, double least, neighbour* out,
                        neighbour_work* work)
{
    const wit_body* b = s->body;
    int arriving = use_before(b, leaving);
    const body_use *go = &body_uses(b)[leaving], *come = &body_uses(b)[arriving];
    wit_interval t = body_edges(b)[go->edge].range, before = body_edges(b)[come->edge].range;
    check_lift l = wi_check_lift_use(b, leaving, go->reversed ? t.hi : t.lo),
               other = wi_check_lift_use(b, arriving, come->reversed ? before.lo : before.hi);
    work->jets += 2;
    wit_vec3 m;
    if (!normal_there(s, go->face, &l, &other, &m, work)) return false;
    wit_vec3 along = addscaled3(w, -dot3(w, m), m);
    double slope = norm3(along);
    if (!(slope > least)) return false;
    wit_vec3 from = away_from_end(s, go->edge, go->reversed, work),
             to = away_from_end(s, come->edge, !come->reversed, work);
    double sector = turn_about(m, from, to), turn = turn_about(m, from, along);
    if (!(turn > ANGLE && turn < sector - ANGLE)) return false;
    *out = (neighbour){.kind = WIT_FACE, .id = go->face, .x = {l.c.p.x, l.c.p.y}, .slope = slope};
    settle_on_face(s, go->face, out->x);
    out->p = side_point(s, body_vertices(b)[vertex].point);
    return true;
}

static bool into_sectors(const side* s, int vertex, wit_vec3 w, double* least, neighbour* out, neighbour_work* work)
{
    const wit_body* b = s->body;
    bool found = false;
    for (int k = 0; k < body_vertices(b)[vertex].edges; ++k) {
        int edge = vertex_edges(b, vertex)[k];
        const body_edge* e = &body_edges(b)[edge];
        for (int i = 0; i < e->uses; ++i) {
            int use = check_edge_uses(b, edge)[i];
            if ((body_uses(b)[use].reversed ? e->end : e->start) != vertex) continue;
            if (!into_sector(s, vertex, use, w, *least, out, work)) continue;
            *least = out->slope;
            found = true;
        }
    }
    return found;
}

/* ---- poles and apexes ---------------------------------------------------------------------- */

typedef struct ruling {
    double round; /* the parameter that the pole leaves open */
    wit_vec3 d;   /* derivative by the other one, off the pole */
    double slope;
} ruling;

static ruling ruling_at(const side* s, int face, wit_direction fixed, double value, double inward, double round,
                        wit_vec3 w, neighbour_work* work)
{
    bool u = fixed == WIT_U;
    unsigned below = inward > 0 ? 0U : u ? (unsigned)WIT_KNOT_U_BELOW : (unsigned)WIT_KNOT_V_BELOW;
    wit_surface_jet j;
    wi_side_jet(s, WIT_FACE, face, u ? value : round, u ? round : value, below, NULL, &j);
    ++work->jets;
    ruling r = {round, scale3(inward, u ? j.du : j.dv), 0};
    r.slope = dot3(w, unit3(r.d));
    return r;
}

/* The steepest ruling: the best of some, then parabolas through the slopes of its neighbours. */
static ruling steepest_ruling(const side* s, int face, wit_direction fixed, double value, double inward, wit_vec3 w,
                              neighbour_work* work)
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, WIT_FACE, face, range, closed);
    wit_interval around = range[fixed == WIT_U ? 1 : 0];
    ruling best = {around.lo, {0, 0, 0}, -2};
    double step = iv_width(around) / RULINGS;
    for (int k = 0; k < RULINGS; ++k) {
        ruling r = ruling_at(s, face, fixed, value, inward, around.lo + step * (k + 0.5), w, work);
        if (r.slope > best.slope) best = r;
    }
    for (int k = 0; k < 3; ++k, step *= 0.1) {
        ruling a = ruling_at(s, face, fixed, value, inward, larger(around.lo, best.round - step), w, work);
        ruling b = ruling_at(s, face, fixed, value, inward, smaller(around.hi, best.round + step), w, work);
        double bend = a.slope + b.slope - 2 * best.slope;
        double x = bend < 0 ? best.round + 0.5 * step * (a.slope - b.slope) / bend : best.round;
        ruling c = ruling_at(s, face, fixed, value, inward, smaller(around.hi, larger(around.lo, x)), w, work);
        if (a.slope > best.slope) best = a;
        if (b.slope > best.slope) best = b;
        if (c.slope > best.slope) best = c;
    }
    return best;
}

bool wi_neighbour_off_pole(const side* s, int face, wit_direction fixed, double value, wit_vec3 w, double distance,
                           double least, neighbour* out, neighbour_work* work)
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, WIT_FACE, face, range, closed);
    bool u = fixed == WIT_U;
    wit_interval across = range[u ? 0 : 1];
    double inward = value < iv_mid(across) ? 1 : -1;
    ruling r = steepest_ruling(s, face, fixed, value, inward, w, work);
    double speed = norm3(r.d);
    if (!(r.slope > least) || !(speed > 0)) return false;
    wit_surface_jet j;
    wi_side_jet(s, WIT_FACE, face, u ? value : r.round, u ? r.round : value, 0, NULL, &j);
    wit_vec3 q = addscaled3(j.p, distance, w);
    /* where the foot would be if the ruling were straight; nearer if that is not closer */
    double off = smaller(r.slope * distance / speed, 0.25 * iv_width(across)), there = INFINITY;
    for (int k = 0; k < HALVINGS; ++k, off *= 0.5) {
        double x = value + inward * off;
        wi_side_jet(s, WIT_FACE, face, u ? x : r.round, u ? r.round : x, 0, NULL, &j);
        ++work->jets;
        there = norm3(sub3(q, j.p));
        if (!(there < distance)) continue;
        *out = (neighbour){.kind = WIT_FACE, .id = face, .p = j.p, .slope = r.slope};
        out->x[u ? 0 : 1] = x;
        out->x[u ? 1 : 0] = r.round;
        ++work->tests;
        return wi_side_contains(s, WIT_FACE, face, out->x[0], out->x[1]);
    }
    return false;
}

int wi_neighbour_apex(const side* s, int face, wit_direction fixed, double value)
{
    const wit_surface* surface = body_surface(s->body, face);
    double near = 1e-9 * iv_width(fixed == WIT_U ? surface->u : surface->v);
    for (int k = 0; k < s->body->apex_count; ++k) {
        const body_apex* x = &body_apexes(s->body)[k];
        if (x->face == face && x->fixed == fixed && fabs(x->value - value) <= near) return x->vertex;
    }
    return -1;
}

bool wi_neighbour_of_vertex(const side* s, int vertex, wit_vec3 w, double distance, double least, neighbour* out,
                            neighbour_work* work)
{
    const wit_body* b = s->body;
    if (along_edges(s, vertex, w, &least, out, work)) return true;
    if (b->planar) return false;
    if (into_sectors(s, vertex, w, &least, out, work)) return true;
    for (int k = 0; k < b->apex_count; ++k) {
        const body_apex* x = &body_apexes(b)[k];
        if (x->vertex != vertex) continue;
        if (wi_neighbour_off_pole(s, x->face, x->fixed, x->value, w, distance, least, out, work)) return true;
    }
    return false;
}

int64_t wi_neighbour_cost(const side* s, wit_feature_kind kind, int id)
{
    enum { PER_USE = 2 * STEPS + 1, PER_END = 2, PER_CORNER = 3 + 2 * PER_END, PER_APEX = RULINGS + 9 + HALVINGS + 2 };
    const wit_body* b = s->body;
    if (kind == WIT_EDGE) return b->planar ? 0 : (int64_t)PER_USE * body_edges(b)[id].uses;
    if (kind != WIT_VERTEX) return 0;
    int64_t cost = 0;
    for (int k = 0; k < body_vertices(b)[id].edges; ++k)
        cost += 2 * PER_END + (b->planar ? 0 : PER_CORNER * body_edges(b)[vertex_edges(b, id)[k]].uses);
    for (int k = 0; k < b->apex_count; ++k)
        if (body_apexes(b)[k].vertex == id) cost += PER_APEX;
    return cost;
}

/* ---- the border of a face ------------------------------------------------------------------ */

typedef struct border_walk {
    const wit_body* body;
    int face;
    wit_vec3 q; /* body frame */
    double best;
    bool found;
    int edge;
    double t;
    wit_vec3 p;
    neighbour_work* work;
} border_walk;

static bool bounds_face(const wit_body* b, int edge, int face)
{
    for (int k = 0; k < body_edges(b)[edge].uses; ++k)
        if (body_uses(b)[check_edge_uses(b, edge)[k]].face == face) return true;
    return false;
}

static void take(border_walk* x, int edge, double t, wit_vec3 p)
{
    double d = norm3(sub3(p, x->q));
    if (!(d < x->best) && (x->found || d > x->best)) return;
    x->best = d;
    x->found = true;
    x->edge = edge;
    x->t = t;
    x->p = p;
}

/* The ends of the edges are known without work: a first upper bound. */
static void take_ends(border_walk* x)
{
    const wit_body* b = x->body;
    const body_face* f = &body_faces(b)[x->face];
    for (int l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(b)[f->first_loop + l];
        for (int k = 0; k < loop->uses; ++k) {
            int edge = body_uses(b)[loop->first_use + k].edge;
            if (edge < 0) continue;
            const body_edge* e = &body_edges(b)[edge];
            if (e->start >= 0) take(x, edge, e->range.lo, body_vertices(b)[e->start].point);
            if (e->end >= 0) take(x, edge, e->range.hi, body_vertices(b)[e->end].point);
        }
    }
}

/* The nearest place of a stretch of an edge, from its chord, by Newton held to the stretch. */
static void try_stretch(border_walk* x, int edge, wit_interval t)
{
    const wit_curve* c = body_curve(x->body, edge);
    wit_curve_jet lo, hi, j;
    wit_curve_eval(c, t.lo, WIT_KNOT_DEFAULT, NULL, &lo);
    wit_curve_eval(c, t.hi, WIT_KNOT_T_BELOW, NULL, &hi);
    x->work->jets += 2;
    take(x, edge, t.lo, lo.p);
    take(x, edge, t.hi, hi.p);
    wit_vec3 chord = sub3(hi.p, lo.p);
    double square = dot3(chord, chord), y = square > 0 ? dot3(sub3(x->q, lo.p), chord) / square : 0.5;
    double at = t.lo + smaller(1, larger(0, y)) * iv_width(t);
    for (int k = 0; k < NEWTON; ++k) {
        wit_curve_eval(c, at, at >= t.hi ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
        ++x->work->jets;
        take(x, edge, at, j.p);
        wit_vec3 r = sub3(j.p, x->q);
        double speed = dot3(j.d1, j.d1), bend = speed + dot3(r, j.d2);
        if (!(bend > 0.5 * speed)) bend = speed;
        if (!(bend > 0)) break;
        double next = smaller(t.hi, larger(t.lo, at - dot3(r, j.d1) / bend));
        if (fabs(next - at) <= 1e-9 * iv_width(t)) break;
        at = next;
    }
}

static bool walk_tree(border_walk* x, int64_t most)
{
    enum { DEPTH = 64 };
    const tree_node* nodes = body_nodes(x->body);
    int stack[DEPTH], count = 0;
    if (x->body->node_count) stack[count++] = 0;
    while (count) {
        const tree_node* n = &nodes[stack[--count]];
        ++x->work->tests;
        if (x->work->tests + x->work->jets + NEWTON + 2 > most) return false;
        if (!(n->kinds_below & 1u << WIT_EDGE)) continue;
        if (box_square(&n->box, x->q) > x->best * x->best) continue;
        if (n->child[0] < 0) {
            if (bounds_face(x->body, n->feature, x->face)) try_stretch(x, n->feature, n->u);
            continue;
        }
        bool first = box_square(&nodes[n->child[0]].box, x->q) <= box_square(&nodes[n->child[1]].box, x->q);
        if (count + 2 > DEPTH) return false;
        stack[count++] = n->child[first ? 1 : 0];
        stack[count++] = n->child[first ? 0 : 1];
    }
    return true;
}

bool wi_neighbour_border(const side* s, int face, wit_vec3 q, double limit, double slack, int64_t most, neighbour* out,
                         neighbour_work* work)
{
    border_walk x = {.body = s->body, .face = face, .q = side_unpoint(s, q), .best = limit, .work = work};
    take_ends(&x);
    bool all = walk_tree(&x, most);
    if (!x.found) return false;
    const body_edge* e = &body_edges(s->body)[x.edge];
    *out = (neighbour){.kind = WIT_EDGE, .id = x.edge, .x = {x.t}, .p = side_point(s, x.p)};
    for (int high = 0; high < 2; ++high) {
        int vertex = high ? e->end : e->start;
        if (vertex < 0) continue;
        const body_vertex* v = &body_vertices(s->body)[vertex];
        if (norm3(sub3(v->point, x.p)) > larger(slack, v->tolerance)) continue;
        *out = (neighbour){.kind = WIT_VERTEX, .id = vertex};
        out->p = side_point(s, v->point);
    }
    return all;
}
