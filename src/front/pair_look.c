/* SPDX-License-Identifier: MIT */
/* What is known of one pair of pieces, and for how long. */
#include "../pair/refine.h"
#include "../query/search/closed_bound.h"
#include "pair_record.h"

#define CONVEX_LONG 0.5  /* of the size of a pair: the life of its convexity that is tried first */
#define ENOUGH 0.5       /* of the size of a pair: a slope that lasts so long needs no bound of curvature */
#define CONVEX_SHORT 0.1 /* and the shortest that is worth while */
enum { CONE_TRIES = 3, DESCENT_STEPS = 6 };

static double size_of(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

static double row_reach(wit_vec3 row, wit_vec3 half)
{
    return fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z;
}

/* Turns by one over this length for each unit of way: no more than points of b go, so that the way of the front bounds both, and no
 * less than what slopes feel of a turn by the distance anyway. */
static void set_lever(const pair_run* r, pair_look* l, const front_pair* p, double reach)
{
    l->lever = smaller(r->f->radius, larger((double)p->radius, reach));
}

static double turn_of(const pair_look* l)
{
    return l->lever > 0 ? (1 + 4 * DBL_EPSILON) / l->lever : 0;
}

/* A bound by planes across n, or by something else. */
static void raise(pair_look* l, double bound, wit_vec3 n)
{
    if (!(bound > l->bound)) return;
    l->bound = bound;
    l->across = n;
}

/* From the box of b to that of a. */
static wit_vec3 between_boxes(const cell* a, const cell* b)
{
    wit_vec3 d = sub3(a->centre, b->centre), h = add3(a->half, b->half);
    double x = fabs(d.x) - h.x, y = fabs(d.y) - h.y, z = fabs(d.z) - h.z;
    return unit3(vec3(x > 0 ? copysign(x, d.x) : 0, y > 0 ? copysign(y, d.y) : 0, z > 0 ? copysign(z, d.z) : 0));
}

/* A cell of b in the frame of a. What bounds say of lengths is the same; roundings of the move are added. */
static void move_cell(const side* s, const cell* own, cell* out)
{
    *out = *own;
    wit_surface_jet* j = &out->jet;
    double error = 16 * DBL_EPSILON * (own->size + size_of(s->t));
    out->centre = side_point(s, own->centre);
    out->half = add3(vec3(row_reach(s->x, own->half), row_reach(s->y, own->half), row_reach(s->z, own->half)),
                     vec3(error, error, error));
    out->size = size_of(out->centre) + own->size + size_of(s->t);
    out->radius += error;
    out->stamp = 0;
    if (own->cone.cosine > -1) out->cone.axis = side_vector(s, own->cone.axis);
    if (own->inner) return;
    j->p = side_point(s, own->jet.p);
    j->du = side_vector(s, own->jet.du);
    j->dv = side_vector(s, own->jet.dv);
    j->duu = side_vector(s, own->jet.duu);
    j->duv = side_vector(s, own->jet.duv);
    j->dvv = side_vector(s, own->jet.dvv);
    out->error += error;
    out->e2 += error;
    out->e3 += error;
}

static double least_along(const pair_run* r, const cell* a, const cell* b, wit_vec3 n)
{
    double least_a = wi_cell_least(r->ask->side[0], a, n), least_b = wi_cell_least(r->ask->side[1], b, scale3(-1, n));
    return pair_least(a, b, least_a, least_b);
}

/* For how long one of them faces away; they must stay apart. What a vertex stands for is beside it: as if it had gone there. */
static double cone_life(const pair_run* r, const cell* a, const pair_look* l, double size)
{
    const cell* b = &l->b;
    bool of_a = a->cone.cosine > -1, of_b = b->cone.cosine > -1;
    if (!r->f->apart || !(of_a || of_b) || !(l->bound > 0)) return 0;
    double way = smaller(0.5 * l->bound, size), corner = pair_corner(r, a, b);
    for (int k = 0; k < CONE_TRIES; ++k, way *= 0.25)
        if (wi_pair_faces_away_for(a, b, (pair_drift){way, turn_of(l)}))
            return larger(0, way - corner) * (1 - 8 * DBL_EPSILON);
    return 0;
}

static bool is_kink(const cell* c)
{
    return !c->inner && c->count < kind_dimension((wit_feature_kind)c->kind);
}

static void look_at_leaves(pair_run* r, const front_pair* p, const cell* a, pair_look* l)
{
    const side *sa = r->ask->side[0], *sb = r->ask->side[1];
    const wit_vec3 none = {0, 0, 0};
    const cell* b = &l->b;
    pair_form_begin(a, b, &l->form);
    wit_vec3 n = l->form.length > 0 ? scale3(1 / l->form.length, l->form.r) : none;
    raise(l, pair_ball_bound(a, b, &l->form), n);
    if (a->leaf && b->leaf) {
        double closed = wi_closed_bound(sa, (wit_feature_kind)a->kind, a->id, sb, (wit_feature_kind)b->kind, b->id);
        double box = wi_pair_box_bound(a, b);
        if (box > l->bound) raise(l, box, between_boxes(a, b));
        raise(l, closed, none);
    }
    if (l->bound - r->limit > p->size) return;
    wi_pair_form_slopes(a, b, &l->form);
    raise(l, wi_pair_slab_bound(a, b, &l->form), n);
    if (l->bound - r->limit > p->size) return;
    set_lever(r, l, p, l->form.length + l->form.lin + l->form.e2);
    l->slope = cone_life(r, a, l, p->size);
    if (l->slope >= p->size) return;
    wi_pair_form_hessian(a, b, &l->form);
    l->formed = true;
    l->slope = larger(l->slope, wi_pair_no_minimum_life(a, b, &l->form, turn_of(l), ENOUGH * p->size));
    double floor;
    if (l->slope < ENOUGH * p->size && l->form.n && wi_pair_convex_floor(a, b, &l->form, &floor)) raise(l, floor, none);
}

void wi_pair_look(pair_run* r, const front_pair* p, pair_look* l)
{
    const cell *a = &r->pool.cells[p->a], *own = &r->pool.cells[p->b];
    work_nodes(r->ask->side[0]->work, 1);
    move_cell(r->ask->side[1], own, &l->b);
    const cell* b = &l->b;
    l->slope = 0;
    l->formed = false;
    l->inner = a->inner || b->inner;
    l->kink = is_kink(a) || is_kink(b);
    l->bound = l->lever = 0;
    l->across = vec3(0, 0, 0);
    raise(l, least_along(r, a, b, r->along), r->along);
    if (l->bound - r->limit > p->size) return;
    if (!l->inner) {
        look_at_leaves(r, p, a, l);
        return;
    }
    double box = wi_pair_box_bound(a, b);
    if (box > l->bound) raise(l, box, between_boxes(a, b));
    if (l->bound - r->limit > p->size) return;
    wit_vec3 way = sub3(a->inner ? a->centre : a->jet.p, b->inner ? b->centre : b->jet.p), n = unit3(way);
    if (dot3(n, n) > 0.5) raise(l, least_along(r, a, b, n), n);
    if (l->bound - r->limit > p->size) return;
    set_lever(r, l, p, norm3(way) + a->radius + b->radius);
    l->slope = cone_life(r, a, l, p->size);
}

bool wi_pair_convex_life(const front_pair* p, const cell* a, const pair_look* l, double* life)
{
    if (!l->formed || l->kink || !l->form.n) return false;
    for (double way = CONVEX_LONG * p->size; way > CONVEX_SHORT * p->size; way *= 0.4) {
        if (!wi_pair_is_convex_for(a, &l->b, &l->form, (pair_drift){way, turn_of(l)})) continue;
        *life = way * (1 - 8 * DBL_EPSILON);
        return true;
    }
    return false;
}

/* ---- convex pairs -------------------------------------------------------------------------- */

static bool holds(const cell* c, const place* p)
{
    if (p->kind != (wit_feature_kind)c->kind || p->id != c->id) return false;
    return (c->count < 1 || fabs(p->x[0] - c->mid[0]) <= c->h[0]) &&
           (c->count < 2 || fabs(p->x[1] - c->mid[1]) <= c->h[1]);
}

/* F(y) >= F(x) + g.(y - x) over the boxes, each slope off by its noise at most: that of the points, and g_off. */
static double convex_bound(const pair_run* r, const cell* const c[2], const double* x, double distance, const double* g,
                           const double* g_off)
{
    double rounding =
        2 * (c[0]->error + c[1]->error) + 32 * DBL_EPSILON * (r->f->reach + distance + norm3(r->ask->side[1]->t));
    double low = larger(0, distance - rounding), square = low * low;
    for (int s = 0, i = 0; s < 2; ++s)
        for (int k = 0; k < c[s]->count; ++k, ++i) {
            double noise = rounding * c[s]->d1[k] + (g_off ? g_off[i] : 0), d = x[i] - c[s]->mid[k], h = c[s]->h[k];
            double down = larger(0, g[i] + noise) * larger(0, h + d), up = larger(0, noise - g[i]) * larger(0, h - d);
            square -= 2 * larger(down, up);
        }
    return square > 0 ? sqrt(square) * (1 - 8 * DBL_EPSILON) : 0;
}

/* The places that were nearest in a pair, within its boxes. False: none of their parameters is at a border of the boxes. */
static bool places_of(const cell* const c[2], const double* x, place at[2], refine_bounds* box)
{
    bool held = false;
    for (int s = 0, i = 0; s < 2; ++s) {
        wit_interval* part = s ? box->b : box->a;
        at[s] = wi_cell_place(c[s]);
        for (int k = 0; k < 2; ++k) {
            part[k] = iv(c[s]->mid[k] - c[s]->h[k], c[s]->mid[k] + c[s]->h[k]);
            if (k >= c[s]->count) continue;
            at[s].x[k] = smaller(part[k].hi, larger(part[k].lo, x[i++]));
            held |= at[s].x[k] <= part[k].lo || at[s].x[k] >= part[k].hi;
        }
    }
    return held || !(c[0]->count + c[1]->count);
}

/* The bound by these places as they are. */
static double bound_at(const pair_run* r, const cell* const c[2], const place at[2], const refine_bounds* box)
{
    wit_surface_jet j[2];
    double x[SOLVE_MAX], g[SOLVE_MAX];
    for (int s = 0; s < 2; ++s) {
        const wit_interval* part = s ? box->b : box->a;
        unsigned below = 0;
        for (int k = 0; k < c[s]->count; ++k)
            if (at[s].x[k] >= part[k].hi) below |= k ? (unsigned)WIT_KNOT_V_BELOW : (unsigned)WIT_KNOT_U_BELOW;
        if (c[s]->kind == WIT_EDGE && below) below = WIT_KNOT_T_BELOW;
        wi_side_jet(r->ask->side[s], &at[s], below, NULL, &j[s]);
    }
    wit_vec3 gap = sub3(j[0].p, j[1].p);
    for (int s = 0, i = 0; s < 2; ++s)
        for (int k = 0; k < c[s]->count; ++k, ++i) {
            x[i] = at[s].x[k];
            g[i] = (s ? -1 : 1) * dot3(gap, k ? j[s].dv : j[s].du);
        }
    return convex_bound(r, c, x, norm3(gap), g, NULL);
}

double wi_pair_convex_least(pair_run* r, front_pair* p, double* distance)
{
    const cell* c[2] = {&r->pool.cells[p->a], &r->pool.cells[p->b]};
    const pair_witness* w = &r->ask->witness;
    int na = c[0]->count;
    work_nodes(r->ask->side[0]->work, 1);
    *distance = INFINITY;
    if (holds(c[0], &w->at[0]) && holds(c[1], &w->at[1])) {
        for (int i = 0; i < na; ++i) p->x[i] = w->at[0].x[i];
        for (int i = 0; i < c[1]->count; ++i) p->x[na + i] = w->at[1].x[i];
        double bound = convex_bound(r, c, p->x, larger(0, w->distance - w->off), w->g, w->g_off);
        if (bound >= r->limit) return bound;
    }
    if (!pair_run_has(r, PAIR_DESCEND_COST)) return 0;
    refine_bounds box;
    place at[2];
    if (places_of(c, p->x, at, &box)) {
        /* at a border it stays where it was, as long as the slopes press it there */
        double bound = bound_at(r, c, at, &box);
        if (bound >= r->limit) return bound;
    }
    refined least;
    wi_refine_pair(r->ask->side[0], &at[0], r->ask->side[1], &at[1], &box,
                   (refine_effort){DESCENT_STEPS, 1e-3 * r->ask->slack}, &least);
    if (!(least.distance < INFINITY)) return 0;
    for (int i = 0; i < least.n; ++i) p->x[i] = least.x[i];
    *distance = least.distance;
    return convex_bound(r, c, p->x, least.distance, least.g, NULL);
}
