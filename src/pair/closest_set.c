/* SPDX-License-Identifier: MIT */
/*
 * Closest sets that are curves or areas. Around a polished pair, every pair of features that is level there (the
 * gap stands across both) may carry one. Its joint Hessian in arc length then has eigenvalues near zero; their
 * directions are walked, and it is a set if the distance stays level.
 *
 * Where surfaces touch the Hessian of the squared distance is singular for any contact. There the second derivative of
 * the distance itself decides (wi_walk_bends).
 */
#include "closest_set.h"

#include <string.h>

#include "../base/solve.h"
#include "../body/meeting.h"
#include "local_minimum.h"
#include "places_around.h"
#include "walked_set.h"
#include "lowest_place.h"

enum { ROUNDS = 8 };
#define LEAN 1e-7       /* sine: how far the gap may lean against the normal of a neighbour */
#define FLAT 1e-8       /* eigenvalues below this times the largest are looked at; the walk decides */
#define ROUGH_FLAT 1e-3 /* the same beside a pole */
#define FLAT_BEND 1e-5  /* K times size */
#define COARSE 1e-3     /* of the size: resolution of a first look */
#define SETTLED 1e-10   /* of the size: a move that ends the search for the middle of an area */

/* ---- features around a place --------------------------------------------------------------- */

/*
 * From the tip of a cone: dv(u) = cos A + sin B + C there, and the generator that comes nearest to `to` is where its
 * part along `to` is largest. A little off the tip, where it has a tangent plane.
 */
static void lift_apex(const side* s, places_around* l, const body_apex* apex, wit_vec3 to)
{
    const wit_surface* surface = body_surface(s->body, apex->face);
    if (apex->fixed != WIT_V || !surface->closed_u) return;
    double period = iv_width(surface->u), inward = apex->value < iv_mid(surface->v) ? 1 : -1, part[3];
    for (int k = 0; k < 3; ++k) {
        wit_surface_jet j;
        side_face_jet(s, apex->face, surface->u.lo + 0.25 * k * period, apex->value, WIT_KNOT_DEFAULT, &j);
        part[k] = inward * dot3(j.dv, to);
    }
    double middle = 0.5 * (part[0] + part[2]);
    double u = surface->u.lo + wit_atan2(part[1] - middle, part[0] - middle) / TWO_PI * period;
    wi_places_add(s, l, WIT_FACE, apex->face, u < surface->u.lo ? u + period : u,
                  apex->value + inward * 1e-3 * iv_width(surface->v));
}

/* The feature itself and those around the place across which the gap stands. */
static void find_lifts(const side* s, const place* at, wit_vec3 gap, double level, places_around* out)
{
    wi_places_around(s, at, out);
    int apexes = 0;
    const body_apex* apex = at->kind == WIT_VERTEX ? wi_vertex_apexes(s->body, at->id, &apexes) : NULL;
    for (int k = 0; k < apexes; ++k) lift_apex(s, out, &apex[k], gap);
    int kept = 0;
    for (int k = 0; k < out->count; ++k) {
        const place* p = &out->at[k];
        tangent_chart c = wi_chart_at(s, p, WIT_KNOT_DEFAULT);
        if (k > 0 && !(c.n > 0 && chart_is_across(&c, gap, level))) continue;
        out->at[kept] = *p;
        wit_surface_jet j;
        if (k > 0) wi_side_jet(s, p, WIT_KNOT_DEFAULT, NULL, &j);
        if (k > 0) out->at[kept].p = j.p;
        out->chart[kept++] = c;
    }
    out->count = kept;
}

/* ---- directions in which a pair may be free ------------------------------------------------ */

static wit_vec3 tangent(const tangent_chart* c, const double* y)
{
    wit_vec3 t = vec3(0, 0, 0);
    for (int i = 0; i < c->n; ++i) t = addscaled3(t, y[i], c->e[i]);
    return t;
}

/* The directions on face a in which K vanishes; all: the chart's own axes. */
static int level_directions(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3 t[2])
{
    double values[2];
    wit_vec3 axes[2];
    if (!wi_walk_bends(s, c, values, axes) || !(fabs(values[0]) * w->size <= FLAT_BEND)) return 0;
    bool both = fabs(values[1]) * w->size <= FLAT_BEND;
    t[0] = both ? c[0].e[0] : axes[0];
    t[1] = both ? c[0].e[1] : axes[1];
    return both ? 2 : 1;
}

/* The least eigenvalue that is no zero. */
static double flat_value(const tangent_chart* a, const tangent_chart* b, int n, const double* h)
{
    double most = 1;
    for (int i = 0; i < n; ++i) most = larger(most, h[i * n + i]);
    return most * (a->rough || b->rough ? ROUGH_FLAT : FLAT);
}

/* Are all eigenvalues of the joint Hessian well above zero? */
static bool isolated(const tangent_chart* a, const tangent_chart* b, wit_vec3 gap)
{
    double h[16], l[16];
    int n = wi_joint_hessian(a, b, gap, h);
    double flat = flat_value(a, b, n, h);
    for (int i = 0; i < n; ++i) h[i * n + i] -= flat;
    return n == 0 || wi_cholesky_factor(n, h, l);
}

/* Chooses the carrier of the set and the directions that look free. 0: the pair is isolated. */
static int free_directions(walk* w, walk_state* s)
{
    tangent_chart c[2];
    double h[16], values[4], vectors[16];
    wi_walk_charts(w, s, c);
    int n = wi_joint_hessian(&c[0], &c[1], sub3(s->at[0].p, s->at[1].p), h);
    double flat = flat_value(&c[0], &c[1], n, h);
    if (!wi_eigen_symmetric(n, h, values, vectors)) return 0;
    if (values[0] < -1e3 * flat) return 0; /* not a minimum */
    int null = 0;
    while (null < n && values[null] <= 2 * flat) ++null;
    if (null == 0) return 0;
    if (c[0].n == 2 && c[1].n == 2 && null >= 2) {
        w->carrier = 0;
        return level_directions(w, s, c, s->t);
    }
    const double *x = vectors, *y = vectors + n;
    for (int i = 0; i < 2; ++i) {
        int first = i ? c[0].n : 0;
        if (null < 2 || c[i].n < 2 || fabs(x[first] * y[first + 1] - x[first + 1] * y[first]) < 1e-3) continue;
        w->carrier = i;
        s->t[0] = c[i].e[0];
        s->t[1] = c[i].e[1];
        return 2;
    }
    wit_vec3 t[2] = {tangent(&c[0], x), tangent(&c[1], x + c[0].n)};
    w->carrier = dot3(t[0], t[0]) > 1e-6 ? 0 : 1;
    s->t[0] = unit3(t[w->carrier]);
    return 1;
}

/* ---- the set ------------------------------------------------------------------------------- */

/* From the border of an area, where both axes may lead out of it at once: to the middle of the longest way. */
static void enter(walked_set* c)
{
    enum { WAYS = 16 };
    double coarse = COARSE * c->w.size;
    walked_set best = *c;
    bool closes;
    double longest = wi_set_longest_way(c, WAYS, coarse, &best.s, &closes);
    if (longest < 4 * coarse) return;
    wi_set_go(&best, 0, 0.5 * longest);
    if (walk_spent(&c->w)) return;
    c->s = best.s;
    tangent_chart chart[2];
    wi_walk_charts(&c->w, &c->s, chart);
    c->s.t[0] = chart[c->w.carrier].e[0];
    c->s.t[1] = chart[c->w.carrier].e[1];
}

/* The directions that a first look confirms. One that fails is dropped, and the other tried alone. */
static int confirm(walked_set* c)
{
    double coarse = COARSE * c->w.size;
    if (c->w.directions == 2) {
        bool both = wi_set_measure(c, 0, coarse) && wi_set_measure(c, 1, coarse);
        if (both) return 2;
        enter(c);
    }
    int k = 0;
    while (k < c->w.directions) {
        if (wi_set_measure(c, k, coarse)) {
            ++k;
            continue;
        }
        if (k == 0) c->s.t[0] = c->s.t[1];
        c->w.directions--;
        k = 0;
    }
    return c->w.directions;
}

/* A point of the carrier's feature that knows nothing of the search. */
static wit_vec3 reference(const walk* w, const walk_state* s, int number)
{
    static const double share[4][2] = {{0.5, 0.5}, {0.0, 0.0}, {0.5, 0.0}, {0.0, 0.5}};
    const walk_feature* f = &w->feature[w->carrier];
    place at = s->at[w->carrier];
    wit_surface_jet j;
    for (int k = 0; k < 2; ++k) at.x[k] = f->range[k].lo + share[number][k] * iv_width(f->range[k]);
    wi_side_jet(f->side, &at, WIT_KNOT_DEFAULT, NULL, &j);
    return j.p;
}

/* Along a closed direction: to the point nearest to the first reference that tells its points apart. */
static double to_reference(walked_set* c, int k)
{
    enum { SAMPLES = 32 };
    walk_state s[SAMPLES];
    double turn = 2 * c->length[k][1];
    int carrier = c->w.carrier, nearest = 0;
    walked_set probe = *c;
    wit_vec3 to = c->s.at[carrier].p;
    for (int i = 0; i < SAMPLES; ++i) {
        s[i] = probe.s;
        wi_set_go(&probe, k, turn / SAMPLES);
    }
    for (int number = 0; number < 4 && !walk_spent(&c->w); ++number) {
        double least = INFINITY, greatest = 0;
        to = reference(&c->w, &c->s, number);
        for (int i = 0; i < SAMPLES; ++i) {
            double d = norm3(sub3(s[i].at[carrier].p, to));
            if (d < least) least = d, nearest = i;
            greatest = larger(greatest, d);
        }
        if (greatest - least > 1e-3 * turn) break;
    }
    wit_vec3 from = c->s.at[carrier].p;
    c->s = s[nearest];
    /* the secant method on (to - p) . t, within the samples beside the nearest */
    double step = turn / SAMPLES / 8, before = dot3(sub3(to, c->s.at[carrier].p), c->s.t[k]);
    for (int i = 0; i < 20 && fabs(step) > WALK_FINE * c->w.size; ++i) {
        wi_set_go(c, k, step);
        double now = dot3(sub3(to, c->s.at[carrier].p), c->s.t[k]);
        if (!(fabs(now - before) > 0)) break;
        step = smaller(turn / SAMPLES, larger(-turn / SAMPLES, step * now / (before - now)));
        before = now;
    }
    return norm3(sub3(c->s.at[carrier].p, from));
}

/*
 * To a representative that does not depend on where the search ended, and the extents about it. A curve needs one
 * move; in an area the middles of the chords along both directions are taken in turn.
 */
static bool centre(walked_set* c)
{
    double fine = WALK_FINE * c->w.size + c->w.floor;
    for (int round = 0; round < ROUNDS; ++round) {
        double moved = 0;
        for (int k = 0; k < c->w.directions; ++k) {
            if ((!c->closed[k] || round > 0) && !wi_set_measure(c, k, fine)) return false;
            moved = larger(moved, c->closed[k] ? to_reference(c, k) : wi_set_to_middle(c, k));
        }
        if (c->w.directions == 1 || moved <= SETTLED * c->w.size) break;
    }
    return true;
}

static void write_set(const walked_set* c, wit_closest_set* out)
{
    out->dimension = c->w.directions;
    for (int k = 0; k < out->dimension; ++k) {
        out->direction[k] = c->s.t[k];
        out->extent[k] = iv(-c->length[k][0], c->length[k][1]);
        out->closed[k] = c->closed[k];
    }
}

/* ---- all together -------------------------------------------------------------------------- */

static bool try_pair(const placed_pair* pair, const place* a, const place* b, double distance, double tolerance,
                     int64_t jets, walked_set* c)
{
    wi_walk_start(pair, a, b, &c->w);
    c->w.limit = jets;
    wi_walk_at(&c->w, a, b, &c->s);
    c->w.distance = distance;
    c->w.tolerance = tolerance;
    /* a lift may stand a little beside the place */
    double most = distance + 2 * pair->floor;
    if (!(c->s.distance <= most) && !(wi_walk_relax(&c->w, &c->s) && c->s.distance <= most)) return false;
    c->w.directions = free_directions(&c->w, &c->s);
    return c->w.directions > 0 && confirm(c) > 0;
}

/* The set of the highest dimension among the features that meet at the two places; half of the jets may be taken. */
static int best_set(const placed_pair* pair, const place* a, const place* b, double tolerance, int64_t jets,
                    walked_set* best, int64_t* looked)
{
    wit_vec3 gap = sub3(a->p, b->p);
    double d = norm3(gap), level = LEAN * d + 16 * pair->floor;
    places_around of_a, of_b;
    if (side_spent(&pair->a, wi_places_cost(&pair->a, a) + wi_places_cost(&pair->b, b))) return 0;
    find_lifts(&pair->a, a, scale3(-1, gap), level, &of_a);
    find_lifts(&pair->b, b, gap, level, &of_b);
    walked_set c;
    int dimension = 0;
    for (int i = of_a.count - 1; i >= 0; --i)
        for (int j = of_b.count - 1; j >= 0; --j) {
            if (dimension == 2 || isolated(&of_a.chart[i], &of_b.chart[j], gap)) continue;
            if (side_spent(&pair->a, WALK_UNITS)) continue;
            bool any = try_pair(pair, &of_a.at[i], &of_b.at[j], d, tolerance, jets / 2 - *looked, &c);
            *looked += c.w.jets;
            if (!any || c.w.directions <= dimension) continue;
            dimension = c.w.directions;
            *best = c;
        }
    return dimension;
}

bool wi_walk_closest_set(const placed_pair* pair, place* a, place* b, double tolerance, int64_t* jets,
                         wit_closest_set* out)
{
    int64_t allowed = *jets, looked = 0;
    double d = norm3(sub3(a->p, b->p));
    walked_set best;
    memset(out, 0, sizeof *out);
    int dimension = best_set(pair, a, b, tolerance, allowed, &best, &looked);
    *jets = looked;
    if (dimension == 0) return false;
    walked_set found_there = best;
    best.w.jets = 0;
    best.w.limit = allowed - looked;
    bool centred = centre(&best);
    *jets += best.w.jets;
    if (!centred || walk_spent(&best.w) || !(best.s.distance <= d + 2 * pair->floor)) best = found_there;
    write_set(&best, out);
    place pa = wi_walk_place(&best.w, &best.s, 0), pb = wi_walk_place(&best.w, &best.s, 1);
    double slack = wi_minimum_slack(pair);
    *a = wi_lowest_place(&pair->a, &pa, slack);
    if (pair->b.body) *b = wi_lowest_place(&pair->b, &pb, slack);
    return true;
}
