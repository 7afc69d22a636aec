/* SPDX-License-Identifier: MIT */
#include "neighbour.h"

#include "conormal.h"

enum { RULINGS = 32, HALVINGS = 8, NEWTON = 8 };
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

/* ---- edges --------------------------------------------------------------------------------- */

bool wi_neighbour_of_edge(const neighbour_query* q, const edge_place* at, int except, neighbour* out)
{
    const side* s = q->side;
    const wit_body* b = s->body;
    const body_edge* e = &body_edges(b)[at->edge];
    wit_interval range[2];
    bool closed[2], found = false;
    double least = q->least;
    if (b->planar) return false;
    wi_side_range(s, WIT_EDGE, at->edge, range, closed);
    double t = settled(at->t, range[0], closed[0], iv_width(range[0]));
    use_passing passing = {at->p, 2 * e->tolerance + 1e-12 * b->size, LEAN * iv_width(e->range)};
    for (int k = 0; k < e->uses; ++k) {
        int use = edge_uses(b, at->edge)[k], face = body_uses(b)[use].face;
        if (face == except) continue;
        use_lift l = wi_use_lift_near(s, use, t, &passing);
        face_rim rim;
        if (!wi_rim_at(s, face, &l, NULL, &rim)) continue;
        double slope = dot3(q->w, conormal(s, use, rim.m, at->tangent));
        if (!(slope > least)) continue;
        least = slope;
        found = true;
        *out = (neighbour){.kind = WIT_FACE, .id = face, .x = {l.c.p.x, l.c.p.y}, .p = at->p, .slope = slope};
        settle_on_face(s, face, out->x);
    }
    return found;
}

/* ---- vertices ------------------------------------------------------------------------------ */

static bool along_edges(const neighbour_query* q, int vertex, neighbour* out)
{
    const wit_body* b = q->side->body;
    bool found = false;
    double least = q->least;
    for (int k = 0; k < body_vertices(b)[vertex].edges; ++k) {
        int edge = vertex_edges(b, vertex)[k];
        const body_edge* e = &body_edges(b)[edge];
        for (int high = 0; high < 2; ++high) {
            if ((high ? e->end : e->start) != vertex) continue;
            double slope = dot3(q->w, wi_edge_away(q->side, edge, high, false));
            if (!(slope > least)) continue;
            least = slope;
            found = true;
            *out = (neighbour){.kind = WIT_EDGE, .id = edge, .x = {high ? e->range.hi : e->range.lo}, .slope = slope};
            out->p = side_point(q->side, body_vertices(b)[vertex].point);
        }
    }
    return found;
}

/* Into the sector of a face at the corner where a use leaves, more steeply than `least`. Where no edge leads closer only
 * sectors of more than half a turn can. */
static bool into_sector(const neighbour_query* q, int leaving, double least, neighbour* out)
{
    const side* s = q->side;
    int face = body_uses(s->body)[leaving].face;
    corner c;
    if (!wi_corner_at(s, leaving, &c)) return false;
    wit_vec3 along = addscaled3(q->w, -dot3(q->w, c.rim.m), c.rim.m), from;
    double slope = norm3(along);
    if (!(slope > least)) return false;
    double sector = wi_corner_sector(s, &c, false, &from), turn = turn_about(c.rim.m, from, along);
    if (!(turn > ANGLE && turn < sector - ANGLE)) return false;
    *out = (neighbour){.kind = WIT_FACE, .id = face, .x = {c.at.c.p.x, c.at.c.p.y}, .slope = slope};
    settle_on_face(s, face, out->x);
    return true;
}

static bool into_sectors(const neighbour_query* q, int vertex, neighbour* out)
{
    const wit_body* b = q->side->body;
    bool found = false;
    double least = q->least;
    for (int k = 0; k < body_vertices(b)[vertex].edges; ++k) {
        int edge = vertex_edges(b, vertex)[k];
        for (int i = 0; i < body_edges(b)[edge].uses; ++i) {
            int use = edge_uses(b, edge)[i];
            if (use_vertex(b, use, false) != vertex || !into_sector(q, use, least, out)) continue;
            out->p = side_point(q->side, body_vertices(b)[vertex].point);
            least = out->slope;
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

static ruling ruling_at(const neighbour_query* q, const pole_border* pole, double round)
{
    ruling r = {round, wi_pole_ruling(q->side, pole, round), 0};
    r.slope = dot3(q->w, unit3(r.d));
    return r;
}

/* The steepest ruling: the best of some, then parabolas through the slopes of its neighbours. */
static ruling steepest_ruling(const neighbour_query* q, const pole_border* pole, wit_interval around)
{
    ruling best = {around.lo, {0, 0, 0}, -2};
    double step = iv_width(around) / RULINGS;
    for (int k = 0; k < RULINGS; ++k) {
        ruling r = ruling_at(q, pole, around.lo + step * (k + 0.5));
        if (r.slope > best.slope) best = r;
    }
    for (int k = 0; k < 3; ++k, step *= 0.1) {
        ruling a = ruling_at(q, pole, larger(around.lo, best.round - step));
        ruling b = ruling_at(q, pole, smaller(around.hi, best.round + step));
        double bend = a.slope + b.slope - 2 * best.slope;
        double x = bend < 0 ? best.round + 0.5 * step * (a.slope - b.slope) / bend : best.round;
        ruling c = ruling_at(q, pole, smaller(around.hi, larger(around.lo, x)));
        if (a.slope > best.slope) best = a;
        if (b.slope > best.slope) best = b;
        if (c.slope > best.slope) best = c;
    }
    return best;
}

bool wi_neighbour_off_pole(const neighbour_query* q, int face, wit_direction fixed, double value, neighbour* out)
{
    const side* s = q->side;
    wit_interval range[2];
    bool closed[2], u = fixed == WIT_U;
    wi_side_range(s, WIT_FACE, face, range, closed);
    wit_interval across = range[u ? 0 : 1];
    pole_border pole = {face, fixed, value, value < iv_mid(across) ? 1 : -1};
    ruling r = steepest_ruling(q, &pole, range[u ? 1 : 0]);
    double speed = norm3(r.d);
    if (!(r.slope > q->least) || !(speed > 0)) return false;
    wit_surface_jet j;
    side_face_jet(s, face, u ? value : r.round, u ? r.round : value, 0, &j);
    wit_vec3 other = addscaled3(j.p, q->distance, q->w);
    /* where the foot would be if the ruling were straight; nearer if that is not closer */
    double off = smaller(r.slope * q->distance / speed, 0.25 * iv_width(across));
    for (int k = 0; k < HALVINGS; ++k, off *= 0.5) {
        double x = value + pole.inward * off;
        side_face_jet(s, face, u ? x : r.round, u ? r.round : x, 0, &j);
        if (!(norm3(sub3(other, j.p)) < q->distance)) continue;
        *out = (neighbour){.kind = WIT_FACE, .id = face, .p = j.p, .slope = r.slope};
        out->x[u ? 0 : 1] = x;
        out->x[u ? 1 : 0] = r.round;
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

bool wi_neighbour_of_vertex(const neighbour_query* q, int vertex, neighbour* out)
{
    const wit_body* b = q->side->body;
    if (along_edges(q, vertex, out)) return true;
    if (b->planar) return false;
    if (into_sectors(q, vertex, out)) return true;
    int count;
    const body_apex* x = wi_vertex_apexes(b, vertex, &count);
    for (int k = 0; k < count; ++k)
        if (wi_neighbour_off_pole(q, x[k].face, x[k].fixed, x[k].value, out)) return true;
    return false;
}

int64_t wi_neighbour_cost(const side* s, wit_feature_kind kind, int id)
{
    enum {
        PER_USE = USE_PASSING_JETS + 1,
        PER_END = 2,
        PER_CORNER = 3 + 2 * PER_END,
        PER_APEX = RULINGS + 9 + HALVINGS + 2
    };
    const wit_body* b = s->body;
    if (kind == WIT_EDGE) return b->planar ? 0 : (int64_t)PER_USE * body_edges(b)[id].uses;
    if (kind != WIT_VERTEX) return 0;
    int64_t cost = 0;
    for (int k = 0; k < body_vertices(b)[id].edges; ++k)
        cost += 2 * PER_END + (b->planar ? 0 : PER_CORNER * body_edges(b)[vertex_edges(b, id)[k]].uses);
    int apexes;
    wi_vertex_apexes(b, id, &apexes);
    return cost + (int64_t)PER_APEX * apexes;
}

/* ---- the border of a face ------------------------------------------------------------------ */

typedef struct border_walk {
    const side* side;
    const wit_body* body;
    int face;
    wit_vec3 q; /* body frame */
    double best;
    bool found;
    int edge;
    double t;
    wit_vec3 p;
    int64_t left; /* boxes and jets */
} border_walk;

static void pay(border_walk* x, int jets, int boxes)
{
    side_jets(x->side, jets);
    side_boxes(x->side, boxes);
    x->left -= jets + boxes;
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
    pay(x, 2, 0);
    take(x, edge, t.lo, lo.p);
    take(x, edge, t.hi, hi.p);
    wit_vec3 chord = sub3(hi.p, lo.p);
    double square = dot3(chord, chord), y = square > 0 ? dot3(sub3(x->q, lo.p), chord) / square : 0.5;
    double at = t.lo + smaller(1, larger(0, y)) * iv_width(t);
    for (int k = 0; k < NEWTON; ++k) {
        wit_curve_eval(c, at, at >= t.hi ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
        pay(x, 1, 0);
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

static bool walk_tree(border_walk* x)
{
    enum { DEPTH = 64 };
    const tree_node* nodes = body_nodes(x->body);
    int stack[DEPTH], count = 0;
    if (x->body->node_count) stack[count++] = 0;
    while (count) {
        const tree_node* n = &nodes[stack[--count]];
        if (x->left < 1 + NEWTON + 2) return false;
        pay(x, 0, 1);
        if (!(n->kinds_below & 1u << WIT_EDGE)) continue;
        if (box_square(&n->box, x->q) > x->best * x->best) continue;
        if (n->child[0] < 0) {
            if (face_passes_edge(x->body, x->face, n->feature)) try_stretch(x, n->feature, n->u);
            continue;
        }
        bool first = box_square(&nodes[n->child[0]].box, x->q) <= box_square(&nodes[n->child[1]].box, x->q);
        if (count + 2 > DEPTH) return false;
        stack[count++] = n->child[first ? 1 : 0];
        stack[count++] = n->child[first ? 0 : 1];
    }
    return true;
}

bool wi_neighbour_border(const border_query* query, neighbour* out)
{
    const side* s = query->side;
    border_walk x = {.side = s, .body = s->body, .face = query->face, .q = side_unpoint(s, query->q)};
    x.best = query->limit;
    x.left = query->most;
    take_ends(&x);
    bool all = walk_tree(&x);
    if (!x.found) return false;
    const body_edge* e = &body_edges(s->body)[x.edge];
    *out = (neighbour){.kind = WIT_EDGE, .id = x.edge, .x = {x.t}, .p = side_point(s, x.p)};
    for (int high = 0; high < 2; ++high) {
        int vertex = high ? e->end : e->start;
        if (vertex < 0) continue;
        const body_vertex* v = &body_vertices(s->body)[vertex];
        if (norm3(sub3(v->point, x.p)) > larger(query->slack, v->tolerance)) continue;
        *out = (neighbour){.kind = WIT_VERTEX, .id = vertex};
        out->p = side_point(s, v->point);
    }
    return all;
}
