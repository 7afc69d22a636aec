/* SPDX-License-Identifier: MIT */
/* The best direction, polished, and the pair of places that it belongs to. */
#include "contact_solve.h"
#include "penetration_search.h"
#include "../../pair/lowest_place.h"
#include "../search/point_search.h"
#include "direction_game.h"

enum { BUNDLE = 12, EXCHANGES = 24 };
/* Directions around the best one, aside by this angle, whose supports the pair is put together from: beyond the error of the
 * best one, some square root of the tolerance, and where bodies are smooth their supports are still near. */
static const double tilts[] = {1e-7, 1e-5, 1e-3, 1e-2};
enum { TILTS = sizeof tilts / sizeof tilts[0] };

wit_vec3 wi_depth_at(depth_search* d, wit_vec3 n)
{
    if (d->spent) return vec3(0, 0, 0);
    support a = wi_support_of(&d->task->a, n, d->work), b = wi_support_of(&d->task->b, scale3(-1, n), d->work);
    wit_vec3 p = sub3(a.at.p, b.at.p);
    double s = a.value + b.value;
    d->spent = d->spent || a.partial || b.partial;
    if (s < d->best && !d->spent) {
        d->best = s;
        d->normal = n;
        d->recent[d->recent_next] = p;
        d->recent_next = (d->recent_next + 1) % DEPTH_RECENT;
        if (d->recent_count < DEPTH_RECENT) d->recent_count++;
    }
    return p;
}

/* Supports at directions around n, and the weights that leave the least part across n. */
typedef struct bundle {
    int count;
    wit_vec3 p[BUNDLE];
    place x[BUNDLE], y[BUNDLE];
    double w[BUNDLE];
    wit_vec3 sum; /* of the p, weighted */
} bundle;

static void put(depth_search* d, bundle* b, int i, wit_vec3 n)
{
    support x = wi_support_of(&d->task->a, n, d->work), y = wi_support_of(&d->task->b, scale3(-1, n), d->work);
    d->spent = d->spent || x.partial || y.partial;
    b->x[i] = x.at;
    b->y[i] = y.at;
    b->p[i] = sub3(b->x[i].p, b->y[i].p);
}

static void weigh(bundle* b, int corners, const wit_vec3* corner)
{
    wi_direction_game(b->count, b->p, corners, corner, b->w, NULL);
    b->sum = vec3(0, 0, 0);
    for (int i = 0; i < b->count; ++i) b->sum = addscaled3(b->sum, b->w[i], b->p[i]);
}

static wit_vec3 across(wit_vec3 p, wit_vec3 n)
{
    return addscaled3(p, -dot3(p, n), n);
}

static int lightest(const bundle* b)
{
    int k = 0;
    for (int i = 1; i < b->count; ++i)
        if (b->w[i] < b->w[k]) k = i;
    return k;
}

/*
 * Support points at directions tilted from n, one more after another where the weighted sum still has a part across n: the
 * support farthest against it takes it away.
 */
static void gather(depth_search* d, wit_vec3 n, double tilt, double enough, bundle* b)
{
    wit_vec3 e[2], corner[GAME_CORNERS];
    complete3(n, &e[0], &e[1]);
    int corners = d->planar ? 2 : 4;
    if (d->planar) e[0] = unit3(cross3(cross3(d->plane[0], d->plane[1]), n));
    b->count = 0;
    for (int k = 0; k < corners && !d->spent; ++k) {
        wit_vec3 to = scale3(k & 1 ? -1 : 1, e[k >> 1]);
        corner[k] = unit3(addscaled3(n, tilt, to));
        put(d, b, k, corner[k]);
    }
    if (d->spent) return;
    b->count = corners;
    put(d, b, b->count++, n);
    weigh(b, corners, corner);
    for (int k = 0; k < EXCHANGES && !d->spent && (k < 4 || task_may(d->task, d->work)); ++k) {
        wit_vec3 rest = across(b->sum, n);
        int i = b->count < BUNDLE ? b->count : lightest(b);
        if (norm3(rest) <= enough || (i < b->count && b->w[i] > 0)) break;
        put(d, b, i, unit3(addscaled3(n, -tilt, unit3(rest))));
        if (!(dot3(b->p[i], rest) < dot3(b->sum, rest))) break; /* nothing reaches farther that way */
        if (i == b->count) b->count++;
        weigh(b, corners, corner);
    }
}

/* ---- places --------------------------------------------------------------------------------- */

/* The feature of a body that a point on its boundary lies on. */
static place named(const depth_search* d, const side* s, wit_vec3 p)
{
    search_task t = task_rest(d->task, d->work);
    t.a = *s;
    t.b = wi_side_of_point(p);
    t.within = INFINITY;
    search_answer f;
    wi_point_search(&t, &f);
    work_spend(d->work, &f.work);
    return f.a;
}

/* The feature that all supports of one side are on, at the heaviest of them; false if there are several. */
static bool common(const bundle* b, const place* at, place* out)
{
    int heaviest = 0;
    for (int i = 1; i < b->count; ++i)
        if (b->w[i] > b->w[heaviest]) heaviest = i;
    *out = at[heaviest];
    for (int i = 0; i < b->count; ++i)
        if (b->w[i] > 0 && (at[i].kind != out->kind || at[i].id != out->id)) return false;
    return true;
}

static wit_vec3 weighted(const bundle* b, const place* at)
{
    wit_vec3 r = {0, 0, 0};
    for (int i = 0; i < b->count; ++i) r = addscaled3(r, b->w[i], at[i].p);
    return r;
}

/* How far a pair is from being one of the depth: the part of the gap across the normal, and the support sum above the best. */
static double fault(depth_search* d, const penetration* p)
{
    wit_vec3 gap = sub3(p->a.p, p->b.p), n = p->normal;
    support a = wi_support_of(&d->task->a, n, d->work), b = wi_support_of(&d->task->b, scale3(-1, n), d->work);
    double sum = a.value + b.value;
    d->spent = d->spent || a.partial || b.partial;
    return larger(norm3(across(gap, n)), larger(sum - d->best, fabs(sum - dot3(gap, n))));
}

static void offer(depth_search* d, const penetration* p, double* least, penetration* out)
{
    double f = fault(d, p);
    if (!(f < *least)) return;
    *least = f;
    *out = *p;
}

/* Is a place that Newton has moved within the parameter box of its face still one of the body? At a border it is the edge's. */
static bool on_body(const depth_search* d, const side* s, place* at)
{
    if (wi_side_contains(s, at->kind, at->id, at->u, at->v)) return true;
    place lower = wi_lowest_place(s, at, d->task->floor);
    bool border = lower.kind != at->kind;
    *at = lower;
    return border;
}

/* Features of both sides, each its own common one or the one that the weighted point lies on: the exact pair of each two. */
static void try_bundle(depth_search* d, const bundle* b, wit_vec3 n, double* least, penetration* out)
{
    const search_task* t = d->task;
    place x[2], y[2];
    int nx = common(b, b->x, &x[0]), ny = common(b, b->y, &y[0]);
    x[nx++] = named(d, &t->a, weighted(b, b->x));
    y[ny++] = named(d, &t->b, weighted(b, b->y));
    wit_vec3 z = d->planar ? unit3(cross3(d->plane[0], d->plane[1])) : vec3(0, 0, 0);
    penetration as_is = {.normal = n, .a = x[nx - 1], .b = y[ny - 1]};
    offer(d, &as_is, least, out);
    for (int i = 0; i<nx * ny&& * least> 0.25 * t->floor && !d->spent; ++i) {
        local_contact c = {x[i / ny], y[i % ny], n, 0};
        if (!wi_contact_solve(&t->a, &t->b, d->planar ? &z : NULL, t->size, d->work, &c)) continue;
        if (!on_body(d, &t->a, &c.a) || !on_body(d, &t->b, &c.b)) continue;
        if (dot3(c.normal, n) < 0) c.normal = scale3(-1, c.normal);
        penetration p = {.normal = c.normal, .a = c.a, .b = c.b};
        offer(d, &p, least, out);
    }
}

/* Room for another round of supports and Newton, where work is counted by units. */
static bool may_repeat(const depth_search* d)
{
    enum { ROUND_UNITS = 1500 };
    return task_may_spend(d->task, d->work, ROUND_UNITS);
}

void wi_depth_places(depth_search* d, penetration* out)
{
    bundle b;
    double least = INFINITY;
    wit_vec3 n = d->normal;
    for (int k = 0; k < TILTS && least > d->task->floor && !d->spent && (!k || may_repeat(d)); ++k) {
        gather(d, n, tilts[k], 0.0625 * d->task->floor, &b);
        if (!d->spent) try_bundle(d, &b, n, &least, out);
    }
    if (d->spent) return;
    double slack = d->task->floor;
    out->a = wi_lowest_place(&d->task->a, &out->a, slack);
    out->b = wi_lowest_place(&d->task->b, &out->b, slack);
    out->depth = dot3(sub3(out->a.p, out->b.p), out->normal);
}
