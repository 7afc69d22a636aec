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
    findmin_places places;
    found_list found;
    double lowest; /* of all places where a run came to rest, borders counted */
    bool at_border, seeded;
    findmin_place border; /* the lowest place at a border where a run ended */
    bool unsure;          /* a run did not come to rest */
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

/* One run of Newton's. True: it came to rest. */
static bool run(pair_search* q, const double* x, findmin_place* out)
{
    findmin* f = q->f;
    if (f->spent || !wi_findmin_newton(f, &q->places, x, out)) {
        f->spent = q->unsure = true;
        return false;
    }
    if (!out->converged) {
        q->unsure = true;
        return false;
    }
    if (!out->inside && !out->sharp && out->minimum && (!q->at_border || out->distance < q->border.distance)) {
        q->at_border = true;
        q->border = *out;
    }
    q->lowest = fmin(q->lowest, out->distance);
    if (out->inside && out->minimum) keep(&q->found, out, 1e-6 * f->s->t->size);
    return true;
}

/* From the opposite point of each circular parameter. */
static void restart_at_antipodes(pair_search* q, const findmin_place* from)
{
    for (int i = 0; i < q->places.n; ++i) {
        if (!(q->places.period[i] > 0)) continue;
        findmin_place end;
        double x[SOLVE_MAX];
        memcpy(x, from->x, sizeof x);
        x[i] += 0.5 * q->places.period[i];
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
        for (int i = 0; i < q->places.n; ++i) x[i] = from->x[i] + by * from->way[i];
        q->f->work->restarts++;
        run(q, x, &end);
    }
}

static void search_from(pair_search* q, const double* x)
{
    findmin_place end;
    if (!run(q, x, &end) || end.minimum) return;
    if (!end.inside && !q->f->def->joint_hessian) return; /* out of bounds: none */
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
    wi_findmin_sample(q->f, which, x);
    out->count = x->samples;
    out->at = (const double(*)[2])x->at;
    for (int i = 0; i < out->count; ++i) out->p[i] = side_point(s, x->point[i]);
    if (out->count > 0) return;
    /* a point, an unbounded plane, or no budget: the middle of the range */
    const wit_interval* range = q->places.range + (which ? q->places.na : 0);
    int count = kind_dimension((wit_feature_kind)x->kind);
    wit_surface_jet j;
    for (int k = 0; k < 2; ++k) out->middle[0][k] = k < count ? iv_mid(range[k]) : 0;
    wi_side_jet(
        s, &(place){.kind = (wit_feature_kind)x->kind, .id = x->id, .u = out->middle[0][0], .v = out->middle[0][1]},
        WIT_KNOT_DEFAULT, NULL, &j);
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

/* Down to the point of the feature that is nearest to `to`: some steps of Newton's. They stay a little inside:
 * at an apex one parameter moves nothing. */
static void approach(pair_search* q, int which, wit_vec3 to, double* x)
{
    enum { STEPS = 4 };
    const findmin_places* p = &q->places;
    const place* at = &p->at[which];
    int first = which ? p->na : 0, count = kind_dimension(at->kind);
    wit_hint hint = {{0}};
    for (int k = 0; k < STEPS && count > 0 && findmin_left(q->f) > 0; ++k) {
        wit_surface_jet j;
        wi_side_jet(&q->f->s->now.side[which],
                    &(place){.kind = at->kind, .id = at->id, .u = x[0], .v = count > 1 ? x[1] : 0}, WIT_KNOT_DEFAULT,
                    &hint, &j);
        wit_vec3 r = sub3(to, j.p);
        double g[2] = {dot3(r, j.du), dot3(r, j.dv)}, d[2] = {0, 0}, E = dot3(j.du, j.du), G = dot3(j.dv, j.dv);
        double a = E - dot3(r, j.duu), b = dot3(j.du, j.dv) - dot3(r, j.duv), c = G - dot3(r, j.dvv);
        if (count == 1 || !solve2_definite(a, b, c, g, d)) {
            if (a > 0 || E > 0) d[0] = g[0] / (a > 0 ? a : E);
            if (count > 1 && (c > 0 || G > 0)) d[1] = g[1] / (c > 0 ? c : G);
        }
        for (int i = 0; i < count; ++i) {
            double most = 0.125 * iv_width(p->range[first + i]), room = count > 1 ? 0.08 * most : 0;
            x[i] += fmin(most, fmax(-most, d[i]));
            x[i] = fmin(p->hi[first + i] - room, fmax(p->lo[first + i] + room, x[i]));
        }
    }
}

/* From the points of both features that are nearest to the pair of the last frame, each to the point across. */
static void search_from_anchor(pair_search* q, const findmin_pair* p, const sample_list list[2])
{
    double x[SOLVE_MAX] = {0};
    const side* s = q->f->s->now.side;
    for (int which = 0; which < 2; ++which) {
        int first = which ? q->places.na : 0, count = place_count(&q->places.at[which]);
        wit_vec3 to = q->f->anchor[1 - which];
        int k = nearest(&list[which], to);
        bool known = p->at_border &&
                     norm3(sub3(side_point(&s[which], p->border_point[which]), to)) < norm3(sub3(list[which].p[k], to));
        for (int i = 0; i < count; ++i) x[first + i] = known ? p->border_x[first + i] : list[which].at[k][i];
        if (!known) approach(q, which, to, x + first);
    }
    search_from(q, x);
}

/* From the points nearest to where the pair above came to rest, unless that is known to be reached. */
static void search_from_parent(pair_search* q, const findmin_pair* parent, const sample_list list[2])
{
    double x[SOLVE_MAX] = {0}, room = 1e-9 * step_scale(q->f->s, parent->border_distance);
    if (q->lowest <= parent->border_distance + room) return;
    for (int which = 0; which < 2; ++which) {
        int first = which ? q->places.na : 0, count = place_count(&q->places.at[which]);
        wit_vec3 to = side_point(&q->f->s->now.side[which], parent->border_point[which]);
        int k = nearest(&list[which], to);
        for (int i = 0; i < count; ++i) x[first + i] = list[which].at[k][i];
        approach(q, which, to, x + first);
    }
    search_from(q, x);
}

static void start_from_samples(pair_search* q, const sample_list list[2], int i, int k)
{
    double x[SOLVE_MAX] = {0};
    int na = q->places.na;
    for (int c = 0; c < q->places.n; ++c) x[c] = c < na ? list[0].at[i][c] : list[1].at[k][c - na];
    search_from(q, x);
}

/* Is a pair of samples next to where runs of this frame ended? */
static bool is_known(const pair_search* q, const sample_list list[2], const double* spacing, int i, int k)
{
    for (int c = 0; c < q->found.count + q->at_border; ++c) {
        const moving* m = c < q->found.count ? q->found.at[c].m : q->border.m;
        if (norm3(sub3(m[0].p, list[0].p[i])) <= spacing[0] && norm3(sub3(m[1].p, list[1].p[k])) <= spacing[1])
            return true;
    }
    return false;
}

/* Is a minimum on the grid worth a run? If it is new, or it is the pair's turn; and unless
 * the minimum near it is known or can't be the best one. */
static bool is_promising(const pair_search* q, const sample_list list[2], const double* spacing, int i, int k, bool old)
{
    const findmin* f = q->f;
    double distance = norm3(sub3(list[0].p[i], list[1].p[k]));
    if (old || (f->best >= 0 && distance > f->best_at.distance + spacing[0] + spacing[1])) return false;
    return !is_known(q, list, spacing, i, k);
}

/* Is sample i of a, with the nearest of b, a minimum on the grid: each is the nearest of the other, or none next to
 * i is nearer? */
static bool is_grid_minimum(const sample_list list[2], const int* other, const double* distance, double spacing, int i)
{
    if (nearest(&list[0], list[1].p[other[i]]) == i) return true;
    for (int k = 0; k < list[0].count; ++k)
        if (distance[k] < distance[i] && norm3(sub3(list[0].p[k], list[0].p[i])) <= 1.5 * spacing) return false;
    return true;
}

/*
 * From several starts: pairs of samples that are minima on the grid. The first time all of these, closest first
 * samples of a with the nearest of b until there are four, and some of b with the nearest of a.
 */
static void search_from_seeds(pair_search* q, const sample_list list[2], const double* spacing, bool turn,
                              int8_t* minima)
{
    bool first = !q->seeded;
    enum { STARTS = 4 };
    double distance[FINDMIN_SAMPLES];
    int other[FINDMIN_SAMPLES], starts = 0;
    bool used[FINDMIN_SAMPLES] = {false};
    for (int i = 0; i < list[0].count; ++i) {
        other[i] = nearest(&list[1], list[0].p[i]);
        distance[i] = norm3(sub3(list[0].p[i], list[1].p[other[i]]));
    }
    for (int i = 0; i < list[0].count; ++i) {
        bool old = !turn && minima[i] == other[i];
        minima[i] = -1;
        if (!is_grid_minimum(list, other, distance, spacing[0], i)) continue;
        if (first || is_promising(q, list, spacing, i, other[i], old)) start_from_samples(q, list, i, other[i]);
        minima[i] = (int8_t)other[i];
        used[i] = true;
        ++starts;
    }
    for (; first && starts < STARTS; ++starts) {
        int least = -1;
        for (int i = 0; i < list[0].count; ++i)
            if (!used[i] && (least < 0 || distance[i] < distance[least])) least = i;
        if (least < 0) break;
        start_from_samples(q, list, least, other[least]);
        used[least] = true;
    }
    /* the far sides of b, which no sample of a has as its nearest */
    for (int k = 0; first && starts < 2 * STARTS && k < list[1].count; k += 2, ++starts)
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

/* Is the pair of the last frame on the border of this one? It may come over from there, whatever else is known here.
 * */
static bool is_above_last(const findmin* f, int32_t pair)
{
    const findmin_table* t = f->table;
    const wit_body* const* body = f->s->t->body;
    if (t->last < 0 || t->last == pair) return false;
    return wi_findmin_holds(body[0], f->feature[0], pair / t->count[1], t->last / t->count[1]) &&
           wi_findmin_holds(body[1], f->feature[1], pair % t->count[1], t->last % t->count[1]);
}

void wi_findmin_search(findmin* f, int32_t pair, bool turn)
{
    findmin_pair* p = &f->pair[pair];
    findmin_feature* x[2] = {&f->feature[0][pair / f->table->count[1]], &f->feature[1][pair % f->table->count[1]]};
    pair_search q = {.f = f, .places = wi_findmin_places_of(f, pair), .lowest = INFINITY, .seeded = p->seeded};
    q.found.most = f->def->joint_hessian ? FINDMIN_PLACES : 1;
    bool fresh = p->frame == f->table->frame - 1;
    p->done = true;
    f->work->pairs++;
    for (int i = 0; i < p->places; ++i) search_from(&q, p->x[i]);
    bool lost = q.found.count == 0 || !fresh || is_above_last(f, pair), first = !q.seeded;
    if (q.places.n > 0 && (lost || first || f->def->joint_hessian || p->parent >= 0)) {
        sample_list list[2];
        const double spacing[2] = {x[0]->spacing, x[1]->spacing};
        for (int which = 0; which < 2; ++which) samples_of(&q, which, x[which], &list[which]);
        if (lost && f->anchored) search_from_anchor(&q, p, list);
        if (p->parent >= 0) search_from_parent(&q, &f->pair[p->parent], list);
        if (first || f->def->joint_hessian) search_from_seeds(&q, list, spacing, turn || !f->anchored, p->minima);
    }
    if (q.places.n == 0 && p->places == 0) search_from(&q, (const double[SOLVE_MAX]){0});
    p->seeded = p->seeded || !f->spent;
    if (f->spent) return; /* what was known stays */
    p->frame = f->table->frame;
    /* plain Newton also comes to rest at maxima: no estimate */
    bool known = !q.unsure && f->def->joint_hessian && q.lowest < INFINITY;
    p->until = known ? q.lowest + f->table->travel : -INFINITY;
    p->places = (int8_t)q.found.count;
    for (int i = 0; i < q.found.count; ++i) memcpy(p->x[i], q.found.at[i].x, sizeof p->x[i]);
    p->at_border = q.at_border;
    if (q.at_border) {
        memcpy(p->border_x, q.border.x, sizeof p->border_x);
        p->border_within = q.border.within;
        p->border_distance = q.border.distance;
        for (int which = 0; which < 2; ++which)
            p->border_point[which] = side_unpoint(&f->s->now.side[which], q.border.m[which].p);
    }
    if (q.found.count) offer(f, pair, &q.found.at[0]);
}

void wi_findmin_keep(findmin* f, int32_t pair)
{
    findmin_pair* p = &f->pair[pair];
    pair_search q = {.f = f, .places = wi_findmin_places_of(f, pair), .lowest = INFINITY};
    q.found.most = 1;
    f->work->pairs++;
    if (p->places) search_from(&q, p->x[0]);
    if (!q.found.count) return;
    memcpy(p->x[0], q.found.at[0].x, sizeof p->x[0]);
    offer(f, pair, &q.found.at[0]);
}
