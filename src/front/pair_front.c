/* SPDX-License-Identifier: MIT */
/* One step of a front of two bodies: what ended is looked at again, worst first. */
#include "pair_front.h"

#include <string.h>

#include "../pair/refine.h"
#include "pair_record.h"

#define KEEP 0.01     /* of the size of a pair: a shorter certificate has it cut */
#define JOIN 0.5      /* of the size of a pair: a longer one of the whole is taken for those of its parts */
#define SLIGHT 0.1    /* of the slack: errors of vertices below that are taken off as they are */
#define SMALLEST 1e-7 /* of the size of the smaller body: pairs are not cut below */
enum { LEAST_CAPACITY = 64, ASIDE_MOST = 48, STEP_LOOKS = 100000, RESERVE = 24 };
enum { OFFER_STEPS = 12, OFFER_COST = 80 };
enum { ROOM_LOOKS = 1000, ROOM_WANTED = 256, ROOM_ROUNDS = 3 };

/* ---- memory -------------------------------------------------------------------------------- */

bool wi_pair_front_has(const wit_body* a, const wit_body* b)
{
    return a && b && a->node_count > 0 && b->node_count > 0 && !a->unbounded && !b->unbounded;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t lay_out(pair_front* f, int capacity)
{
    size_t cells = (size_t)capacity, pairs = PAIRS_OF_PIECE * cells, at = aligned(sizeof *f);
    size_t of_pairs = at + aligned(cells * sizeof(cell)), far = of_pairs + aligned(pairs * sizeof(front_pair)),
           slope = far + aligned(pairs * sizeof(front_item)), places = slope + aligned(pairs * sizeof(front_item)),
           marks = places + aligned(pairs * sizeof(int32_t)), watched = marks + aligned(cells * sizeof(int32_t));
    if (f) {
        f->cells = at, f->pairs = of_pairs, f->far_items = far, f->slope_items = slope;
        f->places = places, f->marks = marks, f->watched = watched;
    }
    return watched + aligned(pairs * sizeof(int32_t));
}

static int room_of(int capacity)
{
    return capacity < LEAST_CAPACITY ? LEAST_CAPACITY : capacity;
}

size_t wi_pair_front_bytes(int capacity)
{
    return lay_out(NULL, room_of(capacity));
}

/* No point of the body is farther from p. */
static double radius_about(const wit_body* b, wit_vec3 p)
{
    double most = 0;
    for (int32_t i = 0; i < b->node_count; ++i) {
        const tree_node* n = &body_nodes(b)[i];
        wit_vec3 lo = sub3(p, n->box.lo), hi = sub3(n->box.hi, p);
        wit_vec3 far = vec3(larger(lo.x, hi.x), larger(lo.y, hi.y), larger(lo.z, hi.z));
        if (n->child[0] < 0) most = larger(most, dot3(far, far));
    }
    return sqrt(most) * (1 + 8 * DBL_EPSILON);
}

pair_front* wi_pair_front_start(void* memory, int capacity, const wit_body* a, const wit_body* b)
{
    pair_front* f = memory;
    memset(f, 0, sizeof *f);
    lay_out(f, room_of(capacity));
    f->capacity = room_of(capacity);
    f->pair_capacity = PAIRS_OF_PIECE * f->capacity;
    f->free = PAIR_NONE;
    f->middle = scale3(0.5, add3(b->box.lo, b->box.hi));
    f->radius = radius_about(b, f->middle);
    f->size = a->size > 0 && b->size > 0 ? smaller(a->size, b->size) : larger(a->size, b->size);
    f->loose = a->looseness + b->looseness;
    f->error = a->gape + a->hidden_gap + b->gape + b->hidden_gap;
    f->corner[0] = a->vertex_error, f->corner[1] = b->vertex_error;
    f->reach = box_reach(&a->box) + box_reach(&b->box);
    return f;
}

pair_front_count wi_pair_front_count(const pair_front* front)
{
    const front_pair* pairs = (const front_pair*)(const void*)((const char*)front + front->pairs);
    pair_front_count c = {.cells = front->cell_count, .full = front->full};
    for (int32_t i = 0; i < front->pair_count; ++i) {
        c.pairs += pairs[i].state != PAIR_FREE;
        c.far += pairs[i].state == PAIR_FAR;
        c.slope += pairs[i].state == PAIR_SLOPE;
        c.convex += pairs[i].state == PAIR_FAR && pairs[i].convex;
    }
    return c;
}

/* ---- one pair ------------------------------------------------------------------------------ */

static double life_of(const pair_run* r, const pair_look* l)
{
    return larger(l->bound - r->limit, l->slope);
}

static void hang(pair_run* r, int32_t i, const pair_look* l)
{
    pair_front* f = r->f;
    front_pair* p = &front_pairs(f)[i];
    double key = larger(p->key, l->bound + f->way);
    p->convex = false;
    wi_pair_date(r, p, l, l->slope);
    if (l->slope > key - f->way - r->limit)
        wi_pair_hang_slope(f, i, key, f->way + l->slope);
    else
        wi_pair_hang_far(f, i, key);
}

/* The whole has been looked at and is good: it stands for its parts. */
static void stand_for_parts(pair_run* r, int32_t up, const pair_look* whole)
{
    wi_pair_drop_parts(r->f, up);
    front_pairs(r->f)[up].key = whole->bound + r->f->way;
    hang(r, up, whole);
}

/* The pair, which stands nowhere, is good: perhaps what it is a part of is, too. */
static bool join(pair_run* r, int32_t i, const pair_look* l)
{
    front_pair* pairs = front_pairs(r->f);
    int32_t up = pairs[i].parent;
    if (up < 0 || !(life_of(r, l) > pairs[up].size)) return false;
    pairs[i].state = PAIR_GONE; /* for the question */
    bool stand = wi_pair_parts_stand(r->f, up);
    pairs[i].state = PAIR_IDLE;
    if (!stand) return false;
    pair_look whole;
    wi_pair_look(r, &pairs[up], &whole);
    if (!(life_of(r, &whole) > JOIN * pairs[up].size)) return false;
    stand_for_parts(r, up, &whole);
    return true;
}

static bool contained(const pair_run* r, const place at[2])
{
    for (int k = 0; k < 2; ++k)
        if (!wi_side_contains(r->ask->side[k], at[k].kind, at[k].id, at[k].x[0], at[k].x[1])) return false;
    return true;
}

/* A pair of places nearer than the witness by more than the slack. */
static bool offer(pair_run* r, const place* a, const place* b, double distance)
{
    pair_answer* out = r->out;
    const place at[2] = {*a, *b};
    if (!(distance < r->nearer) || (out->nearer && distance >= out->distance) || !contained(r, at)) return false;
    out->nearer = true;
    out->distance = distance;
    out->at[0] = *a;
    out->at[1] = *b;
    return true;
}

/* From the middles of a pair, or from given parameters, down over both features. True: something nearer was shown. */
static bool offer_from(pair_run* r, const front_pair* p, const double* x)
{
    const cell *a = &r->pool.cells[p->a], *b = &r->pool.cells[p->b];
    const side *sa = r->ask->side[0], *sb = r->ask->side[1];
    if (!pair_run_has(r, OFFER_COST)) return false;
    place at[2] = {wi_cell_place(a), wi_cell_place(b)};
    for (int k = 0; k < a->count && x; ++k) at[0].x[k] = x[k];
    for (int k = 0; k < b->count && x; ++k) at[1].x[k] = x[a->count + k];
    refine_bounds bounds = wi_refine_bounds_of(sa, &at[0], sb, &at[1]);
    refined found;
    wi_refine_pair(sa, &at[0], sb, &at[1], &bounds, (refine_effort){OFFER_STEPS, 1e-3 * r->ask->slack}, &found);
    bool shown = found.distance < INFINITY && offer(r, &found.a, &found.b, found.distance);
    if (shown || !pair_run_has(r, OFFER_COST)) return shown;
    wi_refine_pair(sa, &at[0], sb, &at[1], &bounds, (refine_effort){0, 0}, &found);
    return found.distance < INFINITY && offer(r, &found.a, &found.b, found.distance);
}

static void put_aside(pair_run* r, int32_t i, int32_t* aside, int* count)
{
    front_pairs(r->f)[i].state = PAIR_ASIDE;
    aside[(*count)++] = i;
}

/* The pair is convex: its least place again. True: that settles it. */
static bool by_convexity(pair_run* r, int32_t i, double* distance)
{
    pair_front* f = r->f;
    front_pair* p = &front_pairs(f)[i];
    double bound = wi_pair_convex_least(r, p, distance);
    p->key = larger(p->key, bound + f->way);
    if (!(p->key - f->way >= r->limit)) return false;
    p->convex = true;
    wi_pair_hang_far(f, i, p->key);
    return true;
}

static bool outside_trims(pair_run* r, int32_t i)
{
    const front_pair* p = &front_pairs(r->f)[i];
    if (wi_cell_trim(&r->pool, p->a) && wi_cell_trim(&r->pool, p->b)) return false;
    front_pairs(r->f)[i].state = PAIR_GONE;
    return true;
}

static void examine(pair_run* r, int32_t i, int32_t* aside, int* count)
{
    pair_front* f = r->f;
    front_pair* p = &front_pairs(f)[i];
    if (wi_pair_renew(r, i)) return;
    wi_pair_take(f, i);
    double distance = INFINITY;
    if (p->convex && wi_pair_still_convex(r, p) && by_convexity(r, i, &distance)) return;
    pair_look l;
    wi_pair_look(r, p, &l);
    double life = life_of(r, &l);
    p->key = larger(p->key, l.bound + f->way);
    if (life > KEEP * p->size) {
        if (!join(r, i, &l)) hang(r, i, &l);
        return;
    }
    if (!l.inner && l.bound > r->limit && l.form.length < r->limit + KEEP * p->size) {
        /* it is as near as the witness all over: no part of it would last longer */
        hang(r, i, &l);
        return;
    }
    if (!l.inner && pair_run_has(r, PAIR_SPLIT_COST) && outside_trims(r, i)) return;
    double lasts;
    if (!(distance < INFINITY) && wi_pair_convex_life(p, &r->pool.cells[p->a], &l, &lasts)) {
        const cell *a = &r->pool.cells[p->a], *b = &r->pool.cells[p->b];
        for (int k = 0; k < a->count; ++k) p->x[k] = a->mid[k];
        for (int k = 0; k < b->count; ++k) p->x[a->count + k] = b->mid[k];
        p->end = f->way + lasts;
        wi_pair_date(r, p, &l, lasts);
        if (by_convexity(r, i, &distance)) return;
    }
    p->convex = false;
    wi_pair_date(r, p, &l, l.slope);
    if (distance < r->nearer && offer_from(r, p, p->x)) r->ended = true;
    if (!r->ended && !l.inner && l.form.length < r->nearer && offer_from(r, p, NULL)) r->ended = true;
    if (!r->ended && p->size > SMALLEST * f->size && wi_pair_split(r, i)) return;
    if (life > 0)
        hang(r, i, &l);
    else
        put_aside(r, i, aside, count);
}

/* ---- the step ------------------------------------------------------------------------------ */

static void end_slopes(pair_run* r)
{
    pair_front* f = r->f;
    front_heap h = pair_slope_heap(f);
    while (f->slope_count && h.items[0].key < f->way) {
        int32_t i = h.items[0].ref;
        if (wi_pair_renew(r, i)) continue;
        wi_pair_take(f, i);
        wi_pair_hang_far(f, i, front_pairs(f)[i].key);
    }
}

static double least_far(pair_front* f)
{
    return f->far_count ? pair_far_heap(f).items[0].key - f->way : INFINITY;
}

static void put_back(pair_front* f, const int32_t* aside, int count)
{
    for (int k = 0; k < count; ++k) wi_pair_hang_far(f, aside[k], front_pairs(f)[aside[k]].key);
}

/* How far b has gone: the middle of its box, and by its turn, an angle of no more than c (1 + c^2) where the rows have changed by c. */
static double way_to(pair_front* f, const side* b)
{
    wit_vec3 d[3] = {sub3(b->x, f->row[0]), sub3(b->y, f->row[1]), sub3(b->z, f->row[2])}, m = f->middle;
    wit_vec3 shift = add3(sub3(b->t, f->t), vec3(dot3(d[0], m), dot3(d[1], m), dot3(d[2], m)));
    double c = sqrt(0.5 * (dot3(d[0], d[0]) + dot3(d[1], d[1]) + dot3(d[2], d[2]))) + 16 * DBL_EPSILON;
    double turn = c * (1 + c * c), turned = f->radius * turn;
    f->angle += turn;
    double rounding = 16 * DBL_EPSILON * (f->reach + fabs(b->t.x) + fabs(b->t.y) + fabs(b->t.z));
    return (norm3(shift) + turned) * (1 + 16 * DBL_EPSILON) + rounding;
}

static bool go_to(pair_run* r)
{
    pair_front* f = r->f;
    const side* b = r->ask->side[1];
    if (f->begun) f->way += r->step = way_to(f, b);
    f->row[0] = b->x, f->row[1] = b->y, f->row[2] = b->z, f->t = b->t;
    if (!f->begun) {
        f->apart = r->ask->apart;
        f->begun = wi_pair_begin(r);
    }
    wi_pair_watch_all(r);
    end_slopes(r);
    return f->begun;
}

static double corners_of(const pair_front* f)
{
    return f->corner[0] + f->corner[1];
}

/*
 * Edges stand for the borders of faces up to a tolerance, vertices for ends of edges: what is nearer than a bound less the tolerances of
 * its pieces is excluded by that pair. So `loose` is the most of those pairs that could be as near as the witness then. All bounds are
 * `least` or more. A vertex that is not closest by a slope of the other side is so at a border of that: a pair with the same vertex. By
 * cones: these have room for what it stands for (pair_look.c).
 */
static pair_near near_of(pair_run* r, double least)
{
    enum { MOST = 256, DEPTH = 64 };
    pair_front* f = r->f;
    const front_item* items = pair_far_heap(f).items;
    const pair_near all = {f->loose, f->loose + (r->corners ? corners_of(f) : 0) - least};
    pair_near near = r->near;
    double bar = pair_near_bar(r) + f->way;
    int32_t open[DEPTH], count = 0, seen = 0;
    if (!(f->loose > 0) && !r->corners) return all;
    if (f->far_count) open[count++] = 0;
    while (count) {
        int32_t i = open[--count];
        if (!(items[i].key < bar)) continue;
        if (++seen > MOST || count + 2 > DEPTH) return all;
        pair_near_add(r, &front_pairs(f)[items[i].ref], items[i].key - f->way, &near);
        for (int32_t k = 2 * i + 1; k <= 2 * i + 2; ++k)
            if (k < f->far_count) open[count++] = k;
    }
    near.loose = smaller(near.loose, f->loose);
    return near;
}

/* Worst first; returns how many were put aside. */
static int look_around(pair_run* r, int32_t aside[ASIDE_MOST + 2])
{
    pair_front* f = r->f;
    int count = 0;
    for (int k = 0; !r->ended && f->far_count && least_far(f) < r->limit; ++k) {
        bool work = pair_run_has(r, 4);
        if (!work || count >= ASIDE_MOST || k >= STEP_LOOKS) {
            r->out->want = work ? FRONT_WANTS_END : FRONT_WANTS_WORK;
            break;
        }
        examine(r, pair_far_heap(f).items[0].ref, aside, &count);
    }
    return count;
}

/* A full front: pairs that hold for long are not looked at by themselves. Some are now, in turn, whether the whole that they are parts
 * of would do. True: there is room again. */
static bool make_room(pair_run* r)
{
    pair_front* f = r->f;
    front_pair* pairs = front_pairs(f);
    int freed = 0;
    for (int k = 0; k < ROOM_LOOKS && freed < ROOM_WANTED && pair_run_has(r, 4); ++k) {
        int32_t i = f->cursor;
        f->cursor = i + 1 < f->pair_count ? i + 1 : 0;
        if (pairs[i].state != PAIR_IDLE || pairs[i].child < 0 || !wi_pair_parts_stand(f, i)) continue;
        pair_look whole;
        wi_pair_look(r, &pairs[i], &whole);
        if (!(life_of(r, &whole) > 2 * KEEP * pairs[i].size)) continue;
        stand_for_parts(r, i, &whole);
        freed += 2;
    }
    r->swept = false;
    return freed > 0;
}

/* One pair again, of which nothing is known. */
static void begin_again(pair_front* f)
{
    f->cell_count = f->pair_count = f->far_count = f->slope_count = f->watched_count = f->cursor = 0;
    f->free = PAIR_NONE;
    f->begun = f->full = false;
    f->way = f->angle = 0;
}

static void begin_run(pair_run* r)
{
    pair_front* f = r->f;
    const pair_witness* w = &r->ask->witness;
    for (int k = 0; k < 2; ++k) {
        const side* s = r->ask->side[k];
        r->body[k] = s->body;
        r->own[k] = (side){.body = s->body, .work = s->work, .units = s->units};
    }
    wi_cell_pool_start(&r->pool, &r->own[0], &r->own[1], false, front_cells(f), f->capacity);
    r->pool.count = f->cell_count;
    for (int k = 0; k < 2; ++k) {
        r->pool.hint[k] = f->hint[k];
        r->pool.facing[k] = r->body[k]->outward && r->body[k]->kind == WIT_BODY_SOLID;
    }
    r->along = unit3(w->r);
    r->noise = 64 * DBL_EPSILON * (f->reach + norm3(r->ask->side[1]->t) + f->way);
    r->least = INFINITY;
    r->near = (pair_near){0, -INFINITY};
    r->corners = f->corner[0] + f->corner[1] > SLIGHT * r->ask->slack;
    r->nearer = r->limit = w->distance - r->ask->slack;
}

void wi_pair_front_step(pair_front* f, const pair_ask* ask, pair_answer* out)
{
    pair_run r = {.f = f, .ask = ask, .out = out};
    memset(out, 0, sizeof *out);
    /* what is shown by cones holds while they are apart only */
    if (f->begun && f->apart && !ask->apart) begin_again(f);
    f->apart = ask->apart;
    begin_run(&r);
    int32_t aside[ASIDE_MOST + 2];
    double rounding = r.noise + f->error;
    out->loose = f->loose;
    if (go_to(&r)) {
        int count = look_around(&r, aside);
        for (int k = 0; k < ROOM_ROUNDS && r.no_room && make_room(&r); ++k) {
            put_back(f, aside, count);
            r.no_room = false;
            count = look_around(&r, aside);
        }
        put_back(f, aside, count);
        double least = smaller(least_far(f), r.least);
        pair_near near = near_of(&r, least);
        out->loose = near.loose;
        /* what stands for more than its tolerance lets it: nothing is nearer than least - loose - that */
        rounding += r.corners ? larger(0, near.under + least - near.loose) : corners_of(f);
        /* what is followed is a pair of the cover: nothing is proved by bounds that deny it */
        out->lower =
            least <= ask->witness.distance + ask->witness.off + f->loose + rounding ? larger(0, least - rounding) : 0;
    }
    f->cell_count = r.pool.count;
    f->hint[0] = r.pool.hint[0], f->hint[1] = r.pool.hint[1];
    if (out->lower < r.nearer - rounding && !out->want)
        out->want = r.no_room                            ? FRONT_WANTS_ROOM
                    : !pair_run_has(&r, PAIR_SPLIT_COST) ? FRONT_WANTS_WORK
                                                         : FRONT_WANTS_END;
}
