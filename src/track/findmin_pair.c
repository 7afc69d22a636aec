/* SPDX-License-Identifier: MIT */
/* The search of one pair of features: starts, restarts, and the minima that are kept. */
#include <string.h>

#include "findmin.h"

/* Minima that were found in this frame, nearest first. */
typedef struct found_list {
    int count, most;
    findmin_place at[FINDMIN_PLACES];
} found_list;

typedef struct pair_search {
    findmin* f;
    findmin_spots spots;
    found_list found;
    double lowest; /* of all places where a run came to rest, borders counted */
    bool unsure;   /* a run did not */
} pair_search;

/* ---- results ------------------------------------------------------------------------------- */

static bool same_place(const findmin_place* a, const findmin_place* b, double near)
{
    return norm3(sub3(a->m[0].p, b->m[0].p)) <= near && norm3(sub3(a->m[1].p, b->m[1].p)) <= near;
}

static void keep(found_list* list, const findmin_place* x, double near)
{
    for (int i = 0; i < list->count; ++i)
        if (same_place(&list->at[i], x, near)) return;
    if (list->count == list->most) {
        if (x->distance >= list->at[list->most - 1].distance) return;
        --list->count; /* the farthest makes room */
    }
    int k = list->count++;
    for (; k > 0 && list->at[k - 1].distance > x->distance; --k) list->at[k] = list->at[k - 1];
    list->at[k] = *x;
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* One run of Newton's. True: it came to rest at a place inside both features. */
static bool run(pair_search* q, const double* x, findmin_place* out)
{
    findmin* f = q->f;
    if (f->spent || !findmin_newton(f, &q->spots, x, out)) {
        f->spent = q->unsure = true;
        return false;
    }
    if (!out->converged) {
        q->unsure = true;
        return false;
    }
    q->lowest = fmin(q->lowest, out->distance);
    if (out->inside && out->minimum) keep(&q->found, out, 1e-6 * f->s->t->size);
    return out->inside;
}

/* From the opposite point of each circular parameter. */
static void restart_at_antipodes(pair_search* q, const findmin_place* from)
{
    for (int i = 0; i < q->spots.n; ++i) {
        if (!(q->spots.period[i] > 0)) continue;
        findmin_place end;
        double x[SOLVE_MAX];
        memcpy(x, from->x, sizeof x);
        x[i] += 0.5 * q->spots.period[i];
        q->f->work->restarts++;
        run(q, x, &end);
    }
}

/* Both ways along the negative direction: a pitchfork's branches lie there. */
static void restart_downwards(pair_search* q, const findmin_place* from)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        findmin_place end;
        double x[SOLVE_MAX], by = sign * 0.05 * fmax(from->distance, 1e-3 * q->f->s->t->size);
        for (int i = 0; i < q->spots.n; ++i) x[i] = from->x[i] + by * from->way[i];
        q->f->work->restarts++;
        run(q, x, &end);
    }
}

static void search_from(pair_search* q, const double* x)
{
    findmin_place end;
    if (!run(q, x, &end) || end.minimum) return;
    q->f->work->saddles++;
    if (q->f->def->antipode) restart_at_antipodes(q, &end);
    if (q->f->def->negative_restart) restart_downwards(q, &end);
}

/* ---- starts -------------------------------------------------------------------------------- */

/* Samples of one side in the frame of a. */
typedef struct sample_list {
    int count;
    const double (*at)[2];
    double middle[1][2];
    wit_vec3 p[FINDMIN_SAMPLES];
} sample_list;

static void samples_of(pair_search* q, int which, findmin_feature* x, sample_list* out)
{
    const side* s = &q->f->s->now.side[which];
    findmin_sample(q->f, which, x);
    out->count = x->samples;
    out->at = (const double(*)[2])x->at;
    for (int i = 0; i < out->count; ++i) out->p[i] = side_point(s, x->point[i]);
    if (out->count > 0) return;
    /* a point, an unbounded plane, or no budget: the middle of the range */
    const wit_interval* range = q->spots.range + (which ? q->spots.na : 0);
    int count = kind_dimension((wit_feature_kind)x->kind);
    wit_surface_jet j;
    for (int k = 0; k < 2; ++k) out->middle[0][k] = k < count ? iv_mid(range[k]) : 0;
    side_jet(s, (wit_feature_kind)x->kind, x->id, out->middle[0][0], out->middle[0][1], WIT_SIDE_DEFAULT, NULL, &j);
    step_jets(q->f->s, count > 0);
    out->at = (const double(*)[2])out->middle;
    out->count = 1;
    out->p[0] = j.p;
}

static int nearest(const sample_list* list, wit_vec3 p)
{
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < list->count; ++i) {
        wit_vec3 r = sub3(list->p[i], p);
        if (dot3(r, r) < least) least = dot3(r, r), best = i;
    }
    return best;
}

static void start_from_samples(pair_search* q, const sample_list list[2], int i, int k)
{
    double x[SOLVE_MAX] = {0};
    int na = q->spots.na;
    for (int c = 0; c < q->spots.n; ++c) x[c] = c < na ? list[0].at[i][c] : list[1].at[k][c - na];
    search_from(q, x);
}

/*
 * From several starts: every pair of samples each of which is the nearest to the other (a minimum on the grid), and
 * of the samples of a with the nearest of b, closest first, as many as make four.
 */
static void search_from_seeds(pair_search* q, const sample_list list[2])
{
    enum { STARTS = 4 };
    double distance[FINDMIN_SAMPLES];
    int other[FINDMIN_SAMPLES], starts = 0;
    for (int i = 0; i < list[0].count; ++i) {
        other[i] = nearest(&list[1], list[0].p[i]);
        distance[i] = norm3(sub3(list[0].p[i], list[1].p[other[i]]));
        if (nearest(&list[0], list[1].p[other[i]]) != i) continue;
        start_from_samples(q, list, i, other[i]);
        distance[i] = INFINITY;
        ++starts;
    }
    for (; starts < STARTS; ++starts) {
        int best = -1;
        for (int i = 0; i < list[0].count; ++i)
            if (distance[i] < INFINITY && (best < 0 || distance[i] < distance[best])) best = i;
        if (best < 0) break;
        start_from_samples(q, list, best, other[best]);
        distance[best] = INFINITY;
    }
    /* the far sides of b, which no sample of a has as its nearest */
    for (int k = 0; starts < 2 * STARTS && k < list[1].count; k += 2, ++starts)
        start_from_samples(q, list, nearest(&list[0], list[1].p[k]), k);
}

/* ---- the pair ------------------------------------------------------------------------------ */

static int dimension(const findmin* f, int32_t pair)
{
    const int index[2] = {pair / f->table->count[1], pair % f->table->count[1]};
    return kind_dimension((wit_feature_kind)f->feature[0][index[0]].kind) +
           kind_dimension((wit_feature_kind)f->feature[1][index[1]].kind);
}

/* On a tie the lower features carry the pair: the others have it on their border. */
static void offer(findmin* f, int32_t pair, const findmin_place* x)
{
    double slack = 1e-13 * step_scale(f->s, x->distance);
    bool better = f->best < 0 || x->distance < f->best_at.distance - slack ||
                  (x->distance <= f->best_at.distance + slack && dimension(f, pair) < dimension(f, f->best));
    if (!better) return;
    f->best = pair;
    f->best_at = *x;
}

void findmin_search(findmin* f, int32_t pair, bool seed)
{
    findmin_pair* p = &f->pair[pair];
    findmin_feature* x[2] = {&f->feature[0][pair / f->table->count[1]], &f->feature[1][pair % f->table->count[1]]};
    pair_search q = {.f = f, .spots = findmin_spots_of(f, pair), .lowest = INFINITY};
    q.found.most = f->def->joint_hessian ? FINDMIN_PLACES : 1;
    bool fresh = p->frame == f->table->frame - 1;
    p->done = true;
    f->work->pairs++;
    for (int i = 0; i < p->places; ++i) search_from(&q, p->x[i]);
    bool lost = q.found.count == 0 || !fresh;
    seed = !p->seeded || (seed && f->def->joint_hessian);
    if (lost || seed) {
        sample_list list[2];
        for (int which = 0; which < 2; ++which) samples_of(&q, which, x[which], &list[which]);
        /* the points nearest to the pair of the last frame */
        if (lost && f->anchored && q.spots.n > 0)
            start_from_samples(&q, list, nearest(&list[0], f->anchor[1]), nearest(&list[1], f->anchor[0]));
        if (seed || !f->anchored) search_from_seeds(&q, list);
        p->seeded = p->seeded || !f->spent;
    }
    if (f->spent) return; /* what was known stays */
    p->frame = f->table->frame;
    /* plain Newton also comes to rest at maxima: no estimate */
    p->until = q.unsure || !f->def->joint_hessian ? -INFINITY : q.lowest + f->table->travel;
    p->places = (int8_t)q.found.count;
    for (int i = 0; i < q.found.count; ++i) memcpy(p->x[i], q.found.at[i].x, sizeof p->x[i]);
    if (q.found.count) offer(f, pair, &q.found.at[0]);
}
