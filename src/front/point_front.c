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
#include "piece_look.h"

#define KEEP 0.06
#define JOIN 0.5
#define AGAIN 0.15    /* sizes of a piece: a slope that holds for as long is kept */
#define SMALLEST 1e-7 /* of the size of the body: pieces are not halved below */
enum {
    LEAST_CAPACITY = 64,
    BLOCK_TRIES = 6,
    ASIDE_MOST = 48,
    SLOPES_ASIDE = 24,
    STEP_LOOKS = 20000,
    TRIM_RESERVE = 24
};
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
    f->root = SHAPE_NONE;
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

static void hang(front_run* r, int32_t i, const piece_look* l)
{
    point_front* f = r->f;
    double key = larger(front_pieces(f)[i].key, l->bound + f->way);
    if (l->slope > key - f->way - r->limit)
        wi_front_hang_slope(f, i, key, f->way + l->slope, l->proof);
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

/*
 * By the middle of H the nearest stationary place is in the piece, or beside it, and so near to the witness in distance that the
 * halves of the halves of the piece would not be told from it either.
 */
static bool foot_is_near(const front_run* r, const front_piece* p, const shape_view* v)
{
    const shape_node* n = &p->shape;
    double a = 0.5 * (v->lo[0] + v->hi[0]), b = 0.5 * (v->lo[1] + v->hi[1]), c = 0.5 * (v->lo[2] + v->hi[2]);
    double d[2] = {0, 0}, det = n->parameters < 2 ? a : a * c - b * b;
    if (!(det > 0)) return false;
    d[0] = (n->parameters < 2 ? v->g[0] : c * v->g[0] - b * v->g[1]) / det;
    if (n->parameters > 1) d[1] = (a * v->g[1] - b * v->g[0]) / det;
    if (fabs(d[0]) > 2 * n->h[0] || fabs(d[1]) > 2 * n->h[1]) return false;
    double square = v->gap * v->gap - d[0] * v->g[0] - d[1] * v->g[1];
    return sqrt(larger(0, square)) - r->limit < 0.25 * KEEP * p->size;
}

/* Has the piece a foot of its own, nearby, that a block can be made about? */
static bool make_block(front_run* r, int32_t i, const piece_look* l)
{
    const front_piece* p = &front_pieces(r->f)[i];
    const shape_node* n = &p->shape;
    wit_feature_kind kind = (wit_feature_kind)p->kind;
    double mu[2];
    if (r->blocks_left <= 0 || !run_has(r, BLOCK_COST) || !l->viewed || n->parameters < 1 ||
        !shape_definite(n, &l->view, 0, mu) || !foot_is_near(r, p, &l->view))
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

/* A piece that stands nowhere. */
static void examine(front_run* r, int32_t i, int32_t* aside, int* count)
{
    point_front* f = r->f;
    front_piece* p = &front_pieces(f)[i];
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

static double least_far(point_front* f)
{
    front_heap h = far_heap(f);
    return f->far_count ? h.items[0].key - f->way : INFINITY;
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

/* What has proved it may do so again, for a good while. */
static bool slope_again(front_run* r, front_piece* p)
{
    point_front* f = r->f;
    double life = 0;
    if (p->proof == SLOPE_CONE)
        life = shape_cone_again(&p->shape, f->q);
    else if (p->proof != SLOPE_DOWN)
        life = shape_slope_again(&p->shape, f->q, p->proof == SLOPE_V);
    work_nodes(r->side.work, 1);
    if (!(life > AGAIN * p->size) || life > p->size)
        return false; /* the longest are looked at: perhaps they are joined */
    p->end = f->way + life;
    return true;
}

/* Slopes that end: looked at at once where that is all that is known of them. */
static void end_slopes(front_run* r, int32_t* aside, int* count)
{
    point_front* f = r->f;
    front_heap h = slope_heap(f);
    while (f->slope_count && h.items[0].key < f->way) {
        int32_t i = h.items[0].ref;
        front_piece* p = &front_pieces(f)[i];
        if (run_has(r, 1) && slope_again(r, p)) {
            front_heap_sink(&h, 0, (front_item){p->end, i});
            continue;
        }
        wi_front_take(f, i);
        if (p->key - f->way < r->limit && *count < SLOPES_ASIDE && !r->ended && run_has(r, SPLIT_COST))
            examine(r, i, aside, count);
        else
            wi_front_hang_far(f, i, p->key);
    }
}

static void end_blocks(point_front* f)
{
    for (int b = 0; f->used >> b; ++b)
        if (f->block[b].used && f->way > f->block[b].end) wi_front_block_end(f, b);
}

static bool within(const wit_interval box[2], const double x[2])
{
    return x[0] >= box[0].lo && x[0] <= box[0].hi && x[1] >= box[1].lo && x[1] <= box[1].hi;
}

/* Is the place in the middle of the block? */
static bool central(const front_run* r, const front_block* b, const double x[2])
{
    double y[2];
    wit_interval core[2];
    wi_front_unwrap(b, x, y);
    wi_front_core(r, b, core);
    return within(core, y);
}

static bool core_has(const point_front* f, const double x[2])
{
    double y[2];
    wi_front_unwrap(&f->block[f->witness], x, y);
    return within(f->core, y);
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
    int fresh = FRONT_NONE;
    bool kept = b >= 0 && b == before && core_has(f, w->x);
    if (w->kind != WIT_VERTEX && !kept && (b < 0 || !central(r, &f->block[b], w->x))) {
        fresh = wi_front_block_make(r, w->kind, w->id, w->x, NULL);
        if (fresh >= 0 && b >= 0 && b != fresh) wi_front_block_end(f, b);
        if (fresh >= 0) b = fresh;
    }
    if (b < 0) return;
    front_block* block = &f->block[b];
    wi_front_unhang_block(f, b);
    if (b != before || fresh >= 0) wi_front_core(r, block, f->core);
    f->witness = b;
    wi_front_unwrap(block, w->x, block->x);
    *bound = wi_front_block_bound(f, r->body, block, f->q, block->x, larger(0, w->distance - w->off), w->g, w->g_off);
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

static void go_to(front_run* r, const front_ask* ask)
{
    point_front* f = r->f;
    if (f->count) f->way += norm3(sub3(ask->q, f->q)) * (1 + SHAPE_ROUNDING);
    f->q = ask->q;
    if (!f->count) {
        wi_front_root(r);
        wi_front_hang_far(f, 0, f->way);
    }
    end_blocks(f);
}

/* The way at which the next certificate ends. */
static double calm_until(point_front* f)
{
    double way = f->slope_count ? slope_heap(f).items[0].key : INFINITY;
    for (int b = 0; f->used >> b; ++b)
        if (f->block[b].used) way = smaller(way, f->block[b].end);
    return way;
}

/* Keys are sums of a bound and the way. */
static double rounding_of(const point_front* f, const wit_body* b, wit_vec3 q)
{
    double size = f->reach + fabs(q.x) + fabs(q.y) + fabs(q.z) + f->way;
    return SHAPE_ROUNDING * size + b->vertex_error + b->gape + b->hidden_gap;
}

/* In the middle of the block of the witness; x is brought to where the block is. */
static bool in_core(const point_front* f, const front_block* b, double x[2])
{
    if (within(f->core, x)) return true;
    const double wrapped[2] = {x[0], x[1]};
    if (!(b->period[0] > 0) && !(b->period[1] > 0)) return false;
    wi_front_unwrap(b, wrapped, x);
    return within(f->core, x);
}

/* Nothing has ended, and the witness is where it was: all that holds is said again. */
static bool nothing_to_do(point_front* f, const wit_body* body, const front_ask* ask, front_answer* out)
{
    const front_witness* w = &ask->witness;
    double limit = w->distance - ask->slack, gone = norm3(sub3(ask->q, f->q)) * (1 + SHAPE_ROUNDING);
    double way = f->way + gone, others = least_far(f) - gone;
    if (f->witness < 0 || !(way <= f->calm) || !(others >= limit)) return false;
    front_block* b = &f->block[f->witness];
    double x[2] = {w->x[0], w->x[1]};
    if (b->kind != (uint8_t)w->kind || b->id != w->id || !in_core(f, b, x)) return false;
    double rounding = block_rounding(f, body, ask->q), near = larger(0, w->distance - w->off);
    double slope = b->graph ? graph_block_slope(b, w->g, w->g_off, rounding) : 0;
    double own = b->graph ? graph_block_bound(b, near, slope, rounding)
                          : wi_front_block_bound(f, body, b, ask->q, x, near, w->g, w->g_off);
    if (!(own >= limit)) return false;
    f->way = way;
    f->q = ask->q;
    b->x[0] = x[0], b->x[1] = x[1];
    own = larger(own, b->key - way);
    b->key = own + way;
    double off = rounding_of(f, body, ask->q);
    out->lower = larger(0, smaller(own, others) - off);
    out->others = larger(0, others - off);
    out->loose = f->loose;
    out->foot_off = INFINITY;
    out->side = 0;
    out->nearer = false;
    out->want = FRONT_WANTS_NOTHING;
    if (ask->alone && b->graph)
        graph_block_foot(b, w, slope, rounding, out);
    else if (ask->alone)
        wi_front_block_foot(f, body, b, ask, x, out);
    return true;
}

/* Worst first; returns how many were put aside. */
static int look_around(front_run* r, int32_t aside[ASIDE_MOST + 2], int count)
{
    point_front* f = r->f;
    for (int k = 0; !r->ended && f->far_count && least_far(f) < r->limit; ++k) {
        int32_t i = far_heap(f).items[0].ref;
        bool work = run_has(r, 1);
        if (!work || count >= ASIDE_MOST || k >= STEP_LOOKS) {
            r->out->want = work ? FRONT_WANTS_END : FRONT_WANTS_WORK;
            break;
        }
        if (i >= f->capacity) {
            examine_block(r, i - f->capacity, aside, &count);
        } else {
            wi_front_take(f, i);
            examine(r, i, aside, &count);
        }
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
    if (nothing_to_do(f, body, ask, out)) return;
    front_run r = {.f = f, .body = body, .blocks_left = BLOCK_TRIES, .out = out};
    /* a test against trims looks at its limit after its last evaluations */
    int64_t units = ask->units > TRIM_RESERVE ? ask->units - TRIM_RESERVE : ask->units ? 1 : 0;
    r.side = (side){.body = body, .work = ask->work, .units = units};
    memset(out, 0, sizeof *out);
    double rounding = rounding_of(f, body, ask->q);
    r.nearer = r.limit = w->distance - ask->slack;
    if (ask->alone && w->kind == WIT_VERTEX) r.limit = w->distance + 4 * rounding + w->off;
    go_to(&r, ask);
    double own;
    witness_block(&r, w, &own);
    int32_t aside[ASIDE_MOST + 2];
    int count = 0;
    end_slopes(&r, aside, &count);
    count = look_around(&r, aside, count);
    for (int k = 0; k < ROOM_ROUNDS && r.no_room && make_room(&r); ++k) {
        put_back(f, aside, count);
        r.no_room = false;
        count = look_around(&r, aside, 0);
    }
    double others = least_of_others(f, w, aside, count);
    put_back(f, aside, count);
    out->lower = larger(0, smaller(own, least_far(f)) - rounding);
    out->others = f->witness >= 0 || w->kind == WIT_VERTEX ? larger(0, others - rounding) : out->lower;
    out->loose = f->loose;
    f->calm = calm_until(f);
    out->foot_off = w->kind == WIT_VERTEX ? 0 : INFINITY;
    if (ask->alone && f->witness >= 0) {
        double x[2];
        wi_front_unwrap(&f->block[f->witness], w->x, x);
        wi_front_block_foot(f, body, &f->block[f->witness], ask, x, out);
    }
    if (out->lower < r.nearer - rounding) out->want = want_of(&r, units);
}
