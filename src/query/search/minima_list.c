/* SPDX-License-Identifier: MIT */
#include "minima_list.h"

#include <string.h>

#include "../../base/sort.h"
#include "../../body/meeting.h"
#include "answer_set.h"
#include "closed_bound.h"

#define SAME_PLACE 1e-6     /* of the size */
#define SAME_DISTANCE 1e-10 /* of the distance or the size */
#define TOUCH 1e-8          /* of the size */

double wi_minima_same_distance(const search_task* task, double distance)
{
    return SAME_DISTANCE * larger(distance, task->size) + 4 * task->floor;
}

static double tolerance_of(const side* s, const place* p)
{
    return s->body ? wi_side_tolerance(s, p->kind, p->id) : 0;
}

static bool same_feature(const place* a, const place* b)
{
    return a->kind == b->kind && a->id == b->id;
}

/* ---- borders ------------------------------------------------------------------------------- */

/* Is the feature of `low` that of `high`, or on its border? */
static bool within(const side* s, const place* low, const place* high)
{
    if (same_feature(low, high)) return true;
    if (!s->body) return false;
    if (low->kind == WIT_EDGE && high->kind == WIT_FACE) return face_passes_edge(s->body, high->id, low->id);
    if (low->kind == WIT_VERTEX && high->kind == WIT_FACE) return wi_vertex_bounds_face(s->body, low->id, high->id);
    return low->kind == WIT_VERTEX && high->kind == WIT_EDGE && vertex_ends_edge(s->body, low->id, high->id);
}

/* ---- adding -------------------------------------------------------------------------------- */

static int dimension_of(const minima_entry* e)
{
    return kind_dimension(e->home_a.kind) + kind_dimension(e->home_b.kind);
}

static int compare_places(const place* x, const place* y)
{
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    if (x->u != y->u) return x->u < y->u ? -1 : 1;
    return x->v < y->v ? -1 : x->v > y->v;
}

static bool same_homes(const minima_entry* e, const minima_entry* x)
{
    return same_feature(&e->home_a, &x->home_a) && same_feature(&e->home_b, &x->home_b);
}

/*
 * Around a touch the distance grows by the square of the way, and its slope by the cube: from a distance of TOUCH on
 * down to 0 all that a descent can tell is one place.
 */
static bool same_minimum(const minima_list* list, const minima_entry* e, const minima_entry* x)
{
    const search_task* t = list->task;
    double slack = tolerance_of(&t->a, &e->a) + tolerance_of(&t->a, &x->a) + tolerance_of(&t->b, &e->b) +
                   tolerance_of(&t->b, &x->b);
    double near = SAME_PLACE * t->size + slack, most = larger(e->distance, x->distance);
    if (most <= TOUCH * t->size)
        near += 4 * sqrt(most * t->size);
    else if (fabs(e->distance - x->distance) > wi_minima_same_distance(t, x->distance) + slack)
        return false;
    if (e->flat && x->flat && same_homes(e, x)) return true;
    return norm3(sub3(e->home_a.p, x->home_a.p)) <= near && norm3(sub3(e->home_b.p, x->home_b.p)) <= near;
}

/* Of two descriptions of one minimum: the lower features, then the proved one. */
static bool better(const minima_list* list, const minima_entry* x, const minima_entry* e)
{
    if (x->flat || e->flat) return false;
    if (fabs(x->distance - e->distance) > wi_minima_same_distance(list->task, 0)) return x->distance < e->distance;
    int dx = dimension_of(x), de = dimension_of(e);
    return dx != de ? dx < de : x->proved && !e->proved;
}

/* The set around a pair that is flat to second order; the pair may move along it. */
static void find_set(const search_task* t, minima_entry* e)
{
    search_answer f;
    memset(&f, 0, sizeof f);
    f.end = SEARCH_CLOSED;
    f.lower = f.upper = e->distance;
    f.a = e->a;
    f.b = e->b;
    if (!wi_closest_set(t, &f, task_tolerance(t, e->distance), &e->set)) {
        memset(&e->set, 0, sizeof e->set);
        return;
    }
    e->a = f.a;
    e->b = f.b;
    e->distance = norm3(sub3(f.a.p, f.b.p));
}

int wi_minima_add(minima_list* list, const place* a, const place* b, minimum_kind kind, bool proved)
{
    minima_entry x;
    memset(&x, 0, sizeof x);
    x.a = x.home_a = *a;
    x.b = x.home_b = *b;
    x.distance = norm3(sub3(a->p, b->p));
    x.proved = proved;
    x.flat = kind == MINIMUM_FLAT;
    bool touch = x.distance <= wi_minimum_slack(&list->task->pair);
    for (int i = 0; touch && i < list->count; ++i)
        if (list->entries[i].flat && list->entries[i].distance <= wi_minimum_slack(&list->task->pair) &&
            same_homes(&list->entries[i], &x))
            return i;
    if (touch) { /* the squared distance is flat in every touch; the set is not */
        find_set(list->task, &x);
        x.flat = x.set.dimension > 0;
    }
    for (int i = 0; i < list->count; ++i) {
        minima_entry* e = &list->entries[i];
        if (!same_minimum(list, e, &x)) continue;
        proved |= e->proved;
        if (better(list, &x, e)) *e = x;
        e->proved = proved;
        return i;
    }
    if (list->count == list->capacity) {
        list->full = true;
        return -1;
    }
    list->entries[list->count] = x;
    if (x.flat && !x.set.dimension) find_set(list->task, &list->entries[list->count]);
    return list->count++;
}

int wi_minima_continuum(const minima_list* list, const place* a, const place* b, double distance)
{
    for (int i = 0; i < list->count; ++i) {
        const minima_entry* e = &list->entries[i];
        if (e->set.dimension > 0 && fabs(e->distance - distance) <= wi_minima_same_distance(list->task, distance) &&
            same_feature(&e->home_a, a) && same_feature(&e->home_b, b))
            return i;
    }
    return -1;
}

static bool confirmed(const search_task* t, const place* a, const place* b, double least)
{
    double bound = t->b.body ? wi_closed_bound(&t->a, a->kind, a->id, &t->b, b->kind, b->id)
                             : wi_closed_bound_point(&t->a, a->kind, a->id, t->b.t);
    return bound >= least;
}

bool wi_minima_closed(const minima_list* list, const place* a, const place* b, double distance)
{
    const search_task* t = list->task;
    double same = wi_minima_same_distance(t, distance);
    if (confirmed(t, a, b, distance - same)) return true;
    for (int i = 0; i < list->count; ++i) {
        const minima_entry* e = &list->entries[i];
        if (e->flat && fabs(e->distance - distance) <= same && within(&t->a, a, &e->home_a) &&
            within(&t->b, b, &e->home_b) && confirmed(t, &e->home_a, &e->home_b, distance - same))
            return true;
    }
    return false;
}

bool wi_minima_known_beside(const minima_list* list, const place* a, const place* b, double distance)
{
    const side *s = &list->task->a, *t = &list->task->b;
    for (int i = 0; i < list->count; ++i) {
        const minima_entry* e = &list->entries[i];
        if (fabs(e->distance - distance) > wi_minima_same_distance(list->task, distance)) continue;
        if ((within(s, a, &e->home_a) && within(t, b, &e->home_b)) ||
            (within(s, &e->home_a, a) && within(t, &e->home_b, b)))
            return true;
    }
    return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

static int32_t leader(minima_list* list, int32_t i)
{
    while (list->entries[i].group != i) i = list->entries[i].group;
    return i;
}

/* Of two entries of one continuum: the one that shows more of it. */
static bool stands_for(const minima_entry* x, const minima_entry* e)
{
    if (x->set.dimension != e->set.dimension) return x->set.dimension > e->set.dimension;
    int dx = dimension_of(x), de = dimension_of(e);
    if (dx != de) return dx > de;
    int c = compare_places(&x->a, &e->a);
    return c ? c < 0 : compare_places(&x->b, &e->b) < 0;
}

/* Of one continuum: the one pair is on a border of the features of the other, or both are stood for by one place. */
static bool hang_together(const minima_list* list, const minima_entry* low, const minima_entry* high)
{
    const search_task* t = list->task;
    if (!low->flat || !high->flat) return false;
    if (fabs(low->distance - high->distance) > wi_minima_same_distance(t, low->distance)) return false;
    if (within(&t->a, &low->home_a, &high->home_a) && within(&t->b, &low->home_b, &high->home_b)) return true;
    double near = SAME_PLACE * t->size;
    return low->set.dimension > 0 && high->set.dimension > 0 && norm3(sub3(low->a.p, high->a.p)) <= near &&
           norm3(sub3(low->b.p, high->b.p)) <= near;
}

static void join(minima_list* list)
{
    for (int32_t i = 0; i < list->count; ++i) list->entries[i].group = i;
    for (int32_t i = 0; i < list->count; ++i)
        for (int32_t j = 0; j < list->count; ++j) {
            int32_t x = leader(list, i), y = leader(list, j);
            if (x == y || !hang_together(list, &list->entries[i], &list->entries[j])) continue;
            bool first = stands_for(&list->entries[x], &list->entries[y]);
            list->entries[first ? y : x].group = first ? x : y;
        }
}

static int by_feature(const void* p, const void* q)
{
    const minima_rank *x = p, *y = q;
    int32_t of_x[4] = {x->kind_a, x->id_a, x->kind_b, x->id_b}, of_y[4] = {y->kind_a, y->id_a, y->kind_b, y->id_b};
    for (int k = 0; k < 4; ++k)
        if (of_x[k] != of_y[k]) return of_x[k] < of_y[k] ? -1 : 1;
    double at_x[4] = {x->ua, x->va, x->ub, x->entry}, at_y[4] = {y->ua, y->va, y->ub, y->entry};
    for (int k = 0; k < 4; ++k)
        if (at_x[k] != at_y[k]) return at_x[k] < at_y[k] ? -1 : 1;
    return 0;
}

static int by_distance(const void* p, const void* q)
{
    const minima_rank *x = p, *y = q;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return by_feature(p, q);
}

static wit_minimum minimum_of(const minima_entry* e)
{
    wit_minimum m;
    memset(&m, 0, sizeof m);
    m.distance = e->distance;
    m.normal = unit3(sub3(e->b.p, e->a.p));
    m.a = (wit_witness){e->a.kind, e->a.id, e->a.u, e->a.v, e->a.p};
    m.b = (wit_witness){e->b.kind, e->b.id, e->b.u, e->b.v, e->b.p};
    m.set = e->set;
    m.proved = e->proved;
    return m;
}

int wi_minima_write(minima_list* list, double least, wit_minimum* out, int capacity)
{
    join(list);
    minima_rank* ranks = list->ranks;
    int n = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const minima_entry* e = &list->entries[i];
        if (e->group != i || !(e->distance > least) || e->distance > list->task->within) continue;
        ranks[n++] = (minima_rank){e->distance,        e->a.u,  e->a.v, e->b.u, (int32_t)e->a.kind, e->a.id,
                                   (int32_t)e->b.kind, e->b.id, i};
    }
    wi_sort_items(ranks, (size_t)n, sizeof *ranks, by_distance);
    for (int i = 0, j = 0; i < n; i = j) { /* runs of equal distances, to rounding */
        for (j = i + 1; j < n && ranks[j].distance - ranks[i].distance <= wi_minima_same_distance(list->task, 0); ++j) {
        }
        wi_sort_items(ranks + i, (size_t)(j - i), sizeof *ranks, by_feature);
    }
    for (int i = 0; i < n && i < capacity; ++i) out[i] = minimum_of(&list->entries[ranks[i].entry]);
    return n;
}
