/* SPDX-License-Identifier: MIT */
/* The best direction, polished, and the pair of places that it belongs to. */
#include "penetration_search.h"

enum { EXCHANGES = 24, ROUNDS = 12 };
#define FIRST_TILT 1e-2 /* radians: how far aside the first round looks */
#define LAST_TILT 1e-8

wit_vec3 depth_at(depth_search* d, wit_vec3 n)
{
    support a = support_of(&d->task->a, n, d->work), b = support_of(&d->task->b, scale3(-1, n), d->work);
    wit_vec3 p = sub3(a.at.p, b.at.p);
    double s = a.value + b.value;
    if (s < d->best) {
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
    wit_vec3 n[GAME_POINTS], p[GAME_POINTS], x[GAME_POINTS], y[GAME_POINTS];
    double w[GAME_POINTS];
    wit_vec3 sum_n, sum_p; /* weighted */
} bundle;

static void put(depth_search* d, bundle* b, int i, wit_vec3 n)
{
    b->n[i] = n;
    b->x[i] = support_of(&d->task->a, n, d->work).at.p;
    b->y[i] = support_of(&d->task->b, scale3(-1, n), d->work).at.p;
    b->p[i] = sub3(b->x[i], b->y[i]);
}

static void weigh(bundle* b, int corners, const wit_vec3* corner)
{
    direction_game(b->count, b->p, corners, corner, b->w);
    b->sum_n = b->sum_p = vec3(0, 0, 0);
    for (int i = 0; i < b->count; ++i) {
        b->sum_n = addscaled3(b->sum_n, b->w[i], b->n[i]);
        b->sum_p = addscaled3(b->sum_p, b->w[i], b->p[i]);
    }
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
 * Support points at directions tilted from n by about `tilt`, one after another where the weighted sum still has a part
 * across n: there the support is the point that takes it away.
 */
static void gather(depth_search* d, wit_vec3 n, double tilt, double enough, bundle* b)
{
    wit_vec3 e[2], corner[GAME_CORNERS];
    complete3(n, &e[0], &e[1]);
    if (d->corners == 2) e[0] = unit3(cross3(cross3(d->plane[0], d->plane[1]), n));
    for (int k = 0; k < d->corners; ++k) {
        wit_vec3 to = scale3(k & 1 ? -1 : 1, e[d->corners == 2 ? 0 : k >> 1]);
        corner[k] = unit3(addscaled3(n, tilt, to));
        put(d, b, k, corner[k]);
    }
    b->count = d->corners;
    put(d, b, b->count++, n);
    weigh(b, d->corners, corner);
    for (int k = 0; k < EXCHANGES; ++k) {
        wit_vec3 rest = across(b->sum_p, n);
        if (norm3(rest) <= enough) break;
        int i = b->count < GAME_POINTS ? b->count : lightest(b);
        if (i < b->count && b->w[i] > 0) break;
        put(d, b, i, unit3(addscaled3(n, -tilt, unit3(rest))));
        /* nothing that reaches farther that way */
        if (!(dot3(b->p[i], rest) < dot3(b->sum_p, rest))) break;
        if (i == b->count) b->count++;
        weigh(b, d->corners, corner);
    }
}

/* Takes the direction if its sum is not above the best by more than rounding: near a smooth minimum s says nothing about
 * the last half of the digits of n, the part of p across n does. */
static bool move_to(depth_search* d, wit_vec3 n)
{
    double before = d->best;
    wit_vec3 p = depth_at(d, n);
    if (!(dot3(p, n) <= before + 0.0625 * d->task->floor)) return false;
    d->normal = n;
    return true;
}

void depth_polish(depth_search* d)
{
    bundle b;
    double tilt = FIRST_TILT, enough = d->task->floor;
    for (int k = 0; k < ROUNDS && tilt >= LAST_TILT && task_may(d->task, d->work); ++k) {
        gather(d, d->normal, tilt, enough, &b);
        if (!move_to(d, unit3(b.sum_n)) && dot3(b.sum_p, b.sum_p) > 0) move_to(d, unit3(b.sum_p));
        tilt *= 0.1;
    }
}

/* The feature of a body that a point on its boundary lies on. */
static place named(const depth_search* d, const side* s, wit_vec3 p)
{
    search_task t = *d->task;
    t.a = *s;
    t.b = side_of_point(p);
    t.within = INFINITY;
    t.budget = 100000;
    t.units = 0;
    found f;
    point_search(&t, &f);
    d->work->nodes += f.work.nodes;
    d->work->jets += f.work.jets;
    return f.a;
}

void depth_places(depth_search* d, penetration* out)
{
    bundle b;
    gather(d, out->normal, LAST_TILT, 0.0625 * d->task->floor, &b);
    wit_vec3 x = {0, 0, 0}, y = {0, 0, 0};
    for (int i = 0; i < b.count; ++i) {
        x = addscaled3(x, b.w[i], b.x[i]);
        y = addscaled3(y, b.w[i], b.y[i]);
    }
    out->a = named(d, &d->task->a, x);
    out->b = named(d, &d->task->b, y);
    out->depth = dot3(sub3(out->a.p, out->b.p), out->normal);
}
