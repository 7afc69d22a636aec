/* SPDX-License-Identifier: MIT */
/*
 * One step of a front: what ended is looked at again, worst first.
 *
 * A piece is kept as it is if its certificate holds for a way of KEEP of its size; else it goes to a block, or is halved. A piece
 * that is good for more than the size of its parent tries whether the parent is as good.
 */
#include "point_front.h"

#include <string.h>

#include "front_record.h"

#define KEEP 0.06
#define JOIN 0.5
#define SMALLEST 1e-7 /* of the size of the body: pieces are not halved below */
enum { LEAST_CAPACITY = 64, BLOCK_TRIES = 6, ASIDE_MOST = 48, STEP_LOOKS = 20000, TRIM_RESERVE = 24 };
enum { OFFER_COST = 32 }; /* units: a descent, and trims */
enum { ROOM_LOOKS = 1000, ROOM_WANTED = 256, ROOM_ROUNDS = 3 };

/* ---- memory -------------------------------------------------------------------------------- */

bool wi_point_front_has(const wit_body* body)
{
    return body->node_count > 0 && !body->unbounded;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static size_t lay_out(point_front* f, int capacity)
{
    size_t at = aligned(sizeof *f), items = (size_t)capacity + FRONT_BLOCKS;
    size_t pieces = at, far = pieces + aligned((size_t)capacity * sizeof(front_piece)),
           slope = far + aligned(items * sizeof(front_item)), places = slope + aligned(items * sizeof(front_item));
    if (f) f->pieces = pieces, f->far_items = far, f->slope_items = slope, f->places = places;
    return places + aligned(items * sizeof(int32_t));
}

static int room_of(int capacity)
{
    return capacity < LEAST_CAPACITY ? LEAST_CAPACITY : capacity;
}

size_t wi_point_front_bytes(int capacity)
{
    return lay_out(NULL, room_of(capacity));
}

point_front* wi_point_front_start(void* memory, int capacity, const wit_body* body)
{
    point_front* f = memory;
    memset(f, 0, sizeof *f);
    lay_out(f, room_of(capacity));
    f->capacity = room_of(capacity);
    f->free = FRONT_NONE;
    f->witness = FRONT_NONE;
    f->size = body->size;
    f->reach = box_reach(&body->box);
    f->length = body->size;
    return f;
}

front_count wi_point_front_count(const point_front* front)
{
    const front_piece* pieces = (const front_piece*)(const void*)((const char*)front + front->pieces);
    front_count c = {.full = front->full};
    for (int32_t i = 0; i < front->count; ++i) {
        c.pieces += pieces[i].used;
        c.far += pieces[i].used && pieces[i].state == PIECE_FAR;
        c.slope += pieces[i].used && pieces[i].state == PIECE_SLOPE;
        c.owned += pieces[i].used && pieces[i].state == PIECE_OWNED;
    }
    for (int i = 0; i < FRONT_BLOCKS; ++i) c.blocks += front->block[i].used;
    return c;
}

/* ---- one piece ----------------------------------------------------------------------------- */

typedef struct piece_look {
    double bound; /* no place is nearer */
    double slope; /* the way for which no place is stationary; 0: may be now */
    bool viewed;
    shape_view view;
} piece_look;

static void look(front_run* r, const front_piece* p, piece_look* l)
{
    const shape_node* n = &p->shape;
    wit_vec3 q = r->f->q;
    work_nodes(r->side.work, 1);
    l->bound = shape_box_bound(n, q);
    l->slope = 0;
    l->viewed = false;
    if (n->boxed || l->bound - r->limit > p->size) return;
    shape_view_of(n, q, &l->view);
    l->viewed = true;
    l->bound = larger(l->bound, shape_distance_bound(n, &l->view));
    if (p->loose < INFINITY && n->parameters > 0)
        l->slope = larger(shape_cone_life(n, &l->view), shape_slope_life(n, &l->view));
}

static double life_of(const front_run* r, const piece_look* l)
{
    return larger(l->bound - r->limit, l->slope);
}

static void hang(front_run* r, int32_t i, const piece_look* l)
{
    point_front* f = r->f;
    double key = larger(front_pieces(f)[i].key, l->bound + f->way);
    if (l->slope > key - f->way - r->limit)
        wi_front_hang_slope(f, i, key, f->way + l->slope);
    else
        wi_front_hang_far(f, i, key);
}

/* Of the cover, and of no block; or nothing of it counts. */
static bool stands_alone(const front_piece* p)
{
    return p->state == PIECE_FAR || p->state == PIECE_SLOPE || p->state == PIECE_GONE;
}

/* The piece, idle, has been looked at and is good: perhaps its parent is, too. True: that stands for it now. */
static bool join(front_run* r, int32_t i, const piece_look* l)
{
    front_piece* pieces = front_pieces(r->f);
    int32_t up = pieces[i].parent;
    bool crowded = front_is_full(r->f); /* then room is worth more than a long life */
    if (up < 0 || !(life_of(r, l) > (crowded ? KEEP : 1) * pieces[up].size)) return false;
    front_piece* other = &pieces[pieces[up].child[pieces[up].child[0] == i]];
    if (!stands_alone(other)) return false;
    piece_look whole;
    look(r, &pieces[up], &whole);
    if (!(life_of(r, &whole) > (crowded ? 2 * KEEP : JOIN) * pieces[up].size)) return false;
    wi_front_take(r->f, (int32_t)(other - pieces));
    pieces[up].key = whole.bound + r->f->way;
    hang(r, up, &whole);
    return true;
}

/* A place nearer than the witness by more than the slack. */
static void offer(front_run* r, wit_feature_kind kind, int32_t id, const double x[2], double distance)
{
    front_answer* out = r->out;
    if (!(distance < r->nearer) || (out->nearer && distance >= out->distance)) return;
    out->nearer = true;
    out->distance = distance;
    out->at = place_at(kind, id, x[0], x[1], vec3(0, 0, 0));
}

static void add_block(front_run* r, int b, double bound)
{
    r->f->block[b].key = bound + r->f->way;
    wi_front_hang_block(r->f, b);
}

/* Has the piece a foot of its own, nearby, that a block can be made about? */
static bool make_block(front_run* r, int32_t i, const piece_look* l)
{
    const front_piece* p = &front_pieces(r->f)[i];
    const shape_node* n = &p->shape;
    wit_feature_kind kind = (wit_feature_kind)p->kind;
    double mu[2];
    if (r->blocks_left <= 0 || !run_has(r, BLOCK_COST) || !l->viewed || n->parameters < 1 ||
        !shape_definite(n, &l->view, 0, mu))
        return false;
    wit_interval box[2], range[2];
    bool closed[2];
    wi_side_range(&r->side, kind, p->id, range, closed);
    for (int k = 0; k < 2; ++k) {
        double w = iv_width(p->box[k]);
        box[k] = iv(p->box[k].lo - w, p->box[k].hi + w);
        if (!closed[k]) box[k] = iv(larger(box[k].lo, range[k].lo), smaller(box[k].hi, range[k].hi));
    }
    --r->blocks_left;
    double x[2] = {iv_mid(p->box[0]), iv_mid(p->box[1])};
    double distance = wi_front_descend(r, kind, p->id, box, x);
    for (int k = 0; k < n->parameters; ++k) { /* it left by a border that is none of the feature: no foot nearby */
        bool low = x[k] <= box[k].lo && (closed[k] || x[k] > range[k].lo);
        bool high = x[k] >= box[k].hi && (closed[k] || x[k] < range[k].hi);
        if (low || high) return false;
    }
    if (wi_front_block_at(r->f, kind, p->id, x) >= 0) return false; /* that foot has its block */
    if (!wi_side_contains(&r->side, kind, p->id, x[0], x[1])) return false;
    int b = wi_front_block_make(r, kind, p->id, x, front_pieces(r->f)[i].box);
    if (b < 0) return false;
    front_block* block = &r->f->block[b];
    double bound = wi_front_block_look(r, block, &distance);
    add_block(r, b, bound);
    wi_front_own(r->f, i, b);
    return true;
}

/* Nothing more can be done about it in this step. */
static void put_aside(front_run* r, int32_t i, double key, int32_t* aside, int* count)
{
    front_piece* p = &front_pieces(r->f)[i];
    p->key = key;
    p->state = PIECE_ASIDE;
    aside[(*count)++] = i;
}

/* The least of what is far, and of what was put aside but for the vertex of the witness. */
static double least_of_others(point_front* f, const front_witness* w, const int32_t* aside, int count)
{
    double least = f->far_count ? far_heap(f).items[0].key : INFINITY;
    for (int k = 0; k < count; ++k) {
        int32_t b = aside[k] - f->capacity;
        const front_piece* p = b < 0 ? &front_pieces(f)[aside[k]] : NULL;
        if (p && w->kind == WIT_VERTEX && p->kind == WIT_VERTEX && p->id == w->id) continue;
        least = smaller(least, p ? p->key : f->block[b].key);
    }
    return least - f->way;
}

/*
 * A piece that has no block, near a centre of curvature, say, and whose middle is nearer than the witness: that is shown, from a few
 * steps down, rather than looked into. True: nothing else is done in this step.
 */
static bool offer_middle(front_run* r, const front_piece* p, const piece_look* l)
{
    wit_feature_kind kind = (wit_feature_kind)p->kind;
    const wit_interval box[2] = {p->box[0], p->box[1]};
    double x[2] = {iv_mid(box[0]), iv_mid(box[1])}, y[2] = {x[0], x[1]};
    double distance = l->viewed && p->id >= 0 ? l->view.gap + p->shape.p_error : INFINITY;
    if (!(distance < r->nearer) || !run_has(r, OFFER_COST)) return false;
    double down = wi_front_descend(r, kind, p->id, box, y);
    if (down < distance && wi_side_contains(&r->side, kind, p->id, y[0], y[1]))
        offer(r, kind, p->id, y, down);
    else if (wi_side_contains(&r->side, kind, p->id, x[0], x[1]))
        offer(r, kind, p->id, x, distance);
    else
        return false;
    return r->ended = true;
}

static void examine(front_run* r, int32_t i, int32_t* aside, int* count)
{
    point_front* f = r->f;
    front_piece* p = &front_pieces(f)[i];
    wi_front_take(f, i);
    int b = p->id >= 0 && p->shape.parameters > 0 && !p->kinked ? wi_front_block_about(f, p) : FRONT_NONE;
    if (b >= 0) {
        wi_front_own(f, i, b);
        return;
    }
    piece_look l;
    look(r, p, &l);
    double life = life_of(r, &l), key = larger(p->key, l.bound + f->way);
    bool point = p->id >= 0 && !p->kinked && p->shape.parameters == 0;
    if (life > KEEP * p->size) {
        if (!join(r, i, &l)) hang(r, i, &l);
        return;
    }
    if (point) { /* a vertex or a kink: its distance is known */
        const double x[2] = {p->box[0].lo, 0};
        offer(r, (wit_feature_kind)p->kind, p->id, x, l.view.gap);
        put_aside(r, i, key, aside, count);
        return;
    }
    p->key = key;
    if (make_block(r, i, &l)) return;
    bool small = p->size < SMALLEST * f->size, shown = offer_middle(r, p, &l);
    if (!small && !shown && wi_front_split(r, i)) return;
    if (life > 0)
        hang(r, i, &l);
    else
        put_aside(r, i, key, aside, count);
}

/* ---- blocks that are due ------------------------------------------------------------------- */

/* A block whose bound is too low: its nearest place again. Where that place is none of the face the block is given up. */
static void examine_block(front_run* r, int b, int32_t* aside, int* count)
{
    point_front* f = r->f;
    front_block* block = &f->block[b];
    int own = f->witness;
    if (own >= 0 && wi_front_block_has(&f->block[own], (wit_feature_kind)block->kind, block->id, block->x)) {
        wi_front_block_end(f, b); /* it has the foot of the witness */
        return;
    }
    wi_front_unhang_block(f, b);
    double distance, bound = wi_front_block_look(r, block, &distance);
    block->key = larger(block->key, bound + f->way);
    if (block->key - f->way >= r->limit) {
        wi_front_hang_block(f, b);
        return;
    }
    wit_feature_kind kind = (wit_feature_kind)block->kind;
    if (distance < r->limit && wi_side_contains(&r->side, kind, block->id, block->x[0], block->x[1])) {
        offer(r, kind, block->id, block->x, distance);
        aside[(*count)++] = f->capacity + b;
    } else {
        wi_front_block_end(f, b);
    }
}

/* ---- the step ------------------------------------------------------------------------------ */

static void end_slopes(point_front* f)
{
    front_heap h = slope_heap(f);
    while (f->slope_count && h.items[0].key < f->way) {
        int32_t i = h.items[0].ref;
        wi_front_take(f, i);
        wi_front_hang_far(f, i, front_pieces(f)[i].key);
    }
}

static void end_blocks(point_front* f)
{
    for (int b = 0; b < FRONT_BLOCKS; ++b)
        if (f->block[b].used && f->way > f->block[b].end) wi_front_block_end(f, b);
}

/* The block of the witness: what it bounds its own block by; infinite: it has none, and its pieces are like all others. */
static void witness_block(front_run* r, const front_witness* w, double* bound)
{
    point_front* f = r->f;
    int b = w->kind == WIT_VERTEX ? FRONT_NONE : wi_front_block_at(f, w->kind, w->id, w->x), before = f->witness;
    *bound = INFINITY;
    if (before >= 0 && before != b) { /* it is one like the others again */
        f->witness = FRONT_NONE;
        wi_front_hang_block(f, before);
    }
    if (w->kind != WIT_VERTEX && (b < 0 || !wi_front_central(r, &f->block[b], w->x))) {
        int fresh = wi_front_block_make(r, w->kind, w->id, w->x, NULL);
        if (fresh >= 0 && b >= 0 && b != fresh) wi_front_block_end(f, b);
        if (fresh >= 0) b = fresh;
    }
    if (b < 0) return;
    front_block* block = &f->block[b];
    wi_front_unhang_block(f, b);
    f->witness = b;
    wi_front_unwrap(block, w->x, block->x);
    *bound = wi_front_block_bound(r, block, block->x, larger(0, w->distance - w->off), w->g, w->g_off);
    if (*bound < r->limit) {
        double distance;
        *bound = larger(*bound, wi_front_block_look(r, block, &distance));
        if (distance < r->limit && wi_side_contains(&r->side, w->kind, w->id, block->x[0], block->x[1]))
            offer(r, w->kind, w->id, block->x, distance);
    }
    *bound = larger(*bound, block->key - f->way);
    block->key = *bound + f->way;
}

static void put_back(point_front* f, const int32_t* aside, int count)
{
    for (int k = 0; k < count; ++k) {
        int32_t i = aside[k], b = i - f->capacity;
        if (b < 0)
            wi_front_hang_far(f, i, front_pieces(f)[i].key);
        else if (f->block[b].used && !f->block[b].hung) /* else its place has been given to another */
            wi_front_hang_block(f, b);
    }
}

static double least_far(point_front* f)
{
    front_heap h = far_heap(f);
    return f->far_count ? h.items[0].key - f->way : INFINITY;
}

static void go_to(front_run* r, const front_ask* ask)
{
    point_front* f = r->f;
    if (f->count) f->way += norm3(sub3(ask->q, f->q)) * (1 + SHAPE_ROUNDING);
    f->q = ask->q;
    if (!f->count) {
        wi_front_root(r);
        wi_front_hang_far(f, 0, f->way);
    }
    end_slopes(f);
    end_blocks(f);
}

/* Worst first; returns how many were put aside. */
static int look_around(front_run* r, int32_t aside[ASIDE_MOST + 2])
{
    point_front* f = r->f;
    int count = 0;
    for (int k = 0; !r->ended && f->far_count && least_far(f) < r->limit; ++k) {
        int32_t i = far_heap(f).items[0].ref;
        bool work = run_has(r, 1);
        if (!work || count >= ASIDE_MOST || k >= STEP_LOOKS) {
            r->out->want = work ? FRONT_WANTS_END : FRONT_WANTS_WORK;
            break;
        }
        if (i >= f->capacity)
            examine_block(r, i - f->capacity, aside, &count);
        else
            examine(r, i, aside, &count);
    }
    return count;
}

/*
 * A full front: pieces that were needed for an earlier place of the point and hold for long are not looked at by themselves. Some
 * are now, in turn, whether their parent would do. True: there is room again.
 */
static bool make_room(front_run* r)
{
    point_front* f = r->f;
    front_piece* pieces = front_pieces(f);
    int freed = 0;
    for (int k = 0; k < ROOM_LOOKS && freed < ROOM_WANTED && run_has(r, 1); ++k) {
        int32_t up = pieces[f->cursor].parent;
        bool first = pieces[f->cursor].used && up >= 0 && pieces[up].child[0] == f->cursor;
        f->cursor = f->cursor + 1 < f->count ? f->cursor + 1 : 0;
        if (!first || pieces[up].child[1] < 0) continue;
        int32_t child[2] = {pieces[up].child[0], pieces[up].child[1]};
        if (!stands_alone(&pieces[child[0]]) || !stands_alone(&pieces[child[1]])) continue;
        if (pieces[child[0]].state == PIECE_GONE && pieces[child[1]].state == PIECE_GONE) continue;
        piece_look whole;
        look(r, &pieces[up], &whole);
        if (!(life_of(r, &whole) > 2 * KEEP * pieces[up].size)) continue;
        for (int i = 0; i < 2; ++i) wi_front_take(f, child[i]);
        pieces[up].key = whole.bound + f->way;
        hang(r, up, &whole);
        wi_front_drop_below(f, up);
        freed += 2;
    }
    return freed > 0;
}

/* Why something is nearer than it should be shown to be. */
static front_want want_of(const front_run* r, int64_t units)
{
    if (r->out->want) return r->out->want;
    if (units && !run_has(r, SPLIT_COST + BLOCK_COST)) return FRONT_WANTS_WORK;
    return r->no_room ? FRONT_WANTS_ROOM : FRONT_WANTS_END;
}

void wi_point_front_step(point_front* f, const wit_body* body, const front_ask* ask, front_answer* out)
{
    const front_witness* w = &ask->witness;
    front_run r = {.f = f, .body = body, .blocks_left = BLOCK_TRIES, .out = out};
    /* a test against trims looks at its limit after its last evaluations */
    int64_t units = ask->units > TRIM_RESERVE ? ask->units - TRIM_RESERVE : ask->units ? 1 : 0;
    r.side = (side){.body = body, .work = ask->work, .units = units};
    memset(out, 0, sizeof *out);
    /* keys are sums of a bound and the way */
    double rounding =
        SHAPE_ROUNDING * (f->reach + norm3(ask->q) + f->way) + body->vertex_error + body->gape + body->hidden_gap;
    r.nearer = r.limit = w->distance - ask->slack;
    if (ask->alone && w->kind == WIT_VERTEX) r.limit = w->distance + 4 * rounding + w->off;
    go_to(&r, ask);
    double own;
    witness_block(&r, w, &own);
    int32_t aside[ASIDE_MOST + 2];
    int count = look_around(&r, aside);
    for (int k = 0; k < ROOM_ROUNDS && r.no_room && make_room(&r); ++k) {
        put_back(f, aside, count);
        r.no_room = false;
        count = look_around(&r, aside);
    }
    double others = least_of_others(f, w, aside, count);
    put_back(f, aside, count);
    out->lower = larger(0, smaller(own, least_far(f)) - rounding);
    out->others = f->witness >= 0 || w->kind == WIT_VERTEX ? larger(0, others - rounding) : out->lower;
    out->loose = f->loose;
    if (out->lower < r.nearer - rounding) out->want = want_of(&r, units);
}
