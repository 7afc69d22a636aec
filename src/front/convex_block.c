/* SPDX-License-Identifier: MIT */
/*
 * Blocks: boxes of parameters over which F = |S - q|^2 / 2 is convex, H >= diag(mu). From any place x of a block
 *
 *   F(y) >= F(x) + g.(y - x) + sum mu_i (y_i - x_i)^2 / 2      for all y of it,
 *
 * and the least of the right side over the box is found one parameter at a time. Convexity along a segment also needs g not to
 * fall across borders of cells: blocks reach over those where tangents are proved to jump by next to nothing
 * (tangent_jump.h), and that is added to g.
 */
#include "../geom/tangent_jump.h"
#include "../body/tree/crease.h"
#include "../query/search/point_local.h"
#include "front_record.h"

#define JUMP 1e-9     /* of the speed: blocks do not reach over more */
#define RIM 0.15      /* of the width of a block: a witness there has a new block made */
#define LIFE 0.2      /* of a block, in its half size, at least */
#define WORTH 4.0     /* see find_graph */
#define LASTS 0.9     /* of what a graph holds for */
#define GROW 1.5      /* the next block is tried with so many times the size of the last */
#define SHORTEST 1e-3 /* of the size of the body: half of the smallest block that is begun with */
enum { TRIES = 6, STEPS = 5 };

/* ---- which block --------------------------------------------------------------------------- */

void wi_front_unwrap(const front_block* b, const double x[2], double out[2])
{
    for (int k = 0; k < 2; ++k) {
        out[k] = x[k];
        if (b->period[k] > 0) out[k] -= b->period[k] * nearbyint((x[k] - iv_mid(b->box[k])) / b->period[k]);
    }
}

static bool holds(const front_block* b, const wit_interval box[2])
{
    if (!(b->period[0] > 0) && !(b->period[1] > 0))
        return box[0].lo >= b->box[0].lo && box[0].hi <= b->box[0].hi && box[1].lo >= b->box[1].lo &&
               box[1].hi <= b->box[1].hi;
    double x[2] = {iv_mid(box[0]), iv_mid(box[1])}, y[2];
    wi_front_unwrap(b, x, y);
    for (int k = 0; k < 2; ++k) {
        double shift = y[k] - x[k];
        if (!(box[k].lo + shift >= b->box[k].lo && box[k].hi + shift <= b->box[k].hi)) return false;
    }
    return true;
}

int wi_front_block_about(const point_front* f, const front_piece* p)
{
    for (int i = 0; f->used >> i; ++i) {
        const front_block* b = &f->block[i];
        if (b->used && b->kind == p->kind && b->id == p->id && holds(b, p->box)) return i;
    }
    return FRONT_NONE;
}

bool wi_front_block_has(const front_block* b, wit_feature_kind kind, int32_t id, const double x[2])
{
    const wit_interval box[2] = {iv_point(x[0]), iv_point(x[1])};
    return b->used && b->kind == (uint8_t)kind && b->id == id && holds(b, box);
}

int wi_front_block_at(const point_front* f, wit_feature_kind kind, int32_t id, const double x[2])
{
    if (f->witness >= 0 && wi_front_block_has(&f->block[f->witness], kind, id, x)) return f->witness;
    for (int i = 0; f->used >> i; ++i)
        if (wi_front_block_has(&f->block[i], kind, id, x)) return i;
    return FRONT_NONE;
}

void wi_front_core(const front_run* r, const front_block* b, wit_interval core[2])
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(&r->side, (wit_feature_kind)b->kind, b->id, range, closed);
    core[1] = iv(-INFINITY, INFINITY);
    for (int k = 0; k < (b->kind == WIT_FACE ? 2 : 1); ++k) {
        double margin = RIM * iv_width(b->box[k]);
        core[k] = b->box[k];
        if (closed[k] || b->box[k].lo > range[k].lo) core[k].lo += margin;
        if (closed[k] || b->box[k].hi < range[k].hi) core[k].hi -= margin;
    }
}

/* ---- owning -------------------------------------------------------------------------------- */

static void join_block(point_front* f, int32_t i, int b)
{
    front_piece *pieces = front_pieces(f), *p = &pieces[i];
    p->state = PIECE_OWNED;
    p->block = (int8_t)b;
    p->prev = FRONT_NONE;
    p->next = f->block[b].first;
    if (p->next >= 0) pieces[p->next].prev = i;
    f->block[b].first = i;
}

/* Two siblings of one block are their parent: of a feature, whose box lies in the block as both of them do. */
void wi_front_own(point_front* f, int32_t i, int b)
{
    front_piece* pieces = front_pieces(f);
    for (;;) {
        int32_t up = pieces[i].parent;
        int32_t other = up < 0 ? FRONT_NONE : pieces[up].child[pieces[up].child[0] == i];
        bool both = other >= 0 && pieces[up].id >= 0 && !pieces[up].kinked && pieces[other].state == PIECE_OWNED &&
                    pieces[other].block == b;
        if (!both) break;
        wi_front_take(f, other);
        pieces[up].key = smaller(pieces[i].key, pieces[other].key);
        i = up;
    }
    if (f->block[b].graph) f->loose = larger(f->loose, pieces[i].loose); /* of feet alone: edges stand for the border */
    join_block(f, i, b);
}

void wi_front_hang_block(point_front* f, int b)
{
    front_heap far = far_heap(f);
    f->block[b].hung = true;
    front_heap_push(&far, f->block[b].key, f->capacity + b);
}

void wi_front_unhang_block(point_front* f, int b)
{
    front_heap far = far_heap(f);
    if (f->block[b].hung) front_heap_remove(&far, f->capacity + b);
    f->block[b].hung = false;
}

void wi_front_block_end(point_front* f, int b)
{
    front_block* block = &f->block[b];
    if (f->witness == b) f->witness = FRONT_NONE;
    wi_front_unhang_block(f, b);
    block->used = false;
    f->used &= ~(1u << b);
    for (int32_t i; (i = block->first) >= 0;) {
        front_piece* p = &front_pieces(f)[i];
        wi_front_take(f, i);
        p->key = larger(p->key, block->key);
        int other = wi_front_block_about(f, p);
        if (other >= 0)
            wi_front_own(f, i, other);
        else
            wi_front_hang_far(f, i, p->key);
    }
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* The greatest that -(g t + mu t^2 / 2) can be over -below <= t <= above, g off by the noise at most. */
static double drop_along(double g, double noise, double mu, double below, double above)
{
    double down = larger(0, g + noise), up = larger(0, noise - g);
    return -smaller(shape_least_along(mu, down, larger(0, below)), shape_least_along(mu, up, larger(0, above)));
}

/* How much g_i may be off over a convex block, from a place `distance` away. */
static double noise_of(const shape_node* n, int i, double distance, double off, double rounding)
{
    return (n->crease * (distance + 2 * n->radius) + rounding) * n->speed[i] + off;
}

double wi_front_block_bound(const point_front* f, const wit_body* body, const front_block* b, wit_vec3 q,
                            const double x[2], double distance, const double g[2], const double off[2])
{
    const shape_node* n = &b->shape;
    double rounding = block_rounding(f, body, q), drop = 0;
    if (b->graph) return graph_block_bound(b, distance, graph_block_slope(b, g, off, rounding), rounding);
    for (int i = 0; i < n->parameters; ++i) {
        double noise = noise_of(n, i, distance, off[i], rounding);
        drop += drop_along(g[i], noise, b->mu[i], x[i] - b->box[i].lo, b->box[i].hi - x[i]);
    }
    double square = distance * distance * (1 - SHAPE_ROUNDING) - 2 * drop * (1 + SHAPE_ROUNDING);
    return square > 0 ? larger(0, sqrt(square) - rounding) : 0;
}

/*
 * How far a foot y may be from the place x of the witness, of a convex block: y is nearest, so (g(x) - g(y)).d >= sum mu_i d_i^2 and
 * g(y).d >= 0 with d = x - y: sum mu_i d_i^2 <= g(x).d, where at a border only what leads into the box counts. So sum mu_i d_i^2
 * <= sum g_i^2 / mu_i.
 */
void wi_front_block_foot(const point_front* f, const wit_body* body, const front_block* b, const front_ask* ask,
                         const double x[2], front_answer* out)
{
    const front_witness* w = &ask->witness;
    double rounding = block_rounding(f, body, ask->q);
    if (b->graph) {
        graph_block_foot(b, w, graph_block_slope(b, w->g, w->g_off, rounding), rounding, out);
        return;
    }
    const shape_node* n = &b->shape;
    double square = 0;
    for (int i = 0; i < n->parameters; ++i) {
        double down = x[i] > b->box[i].lo ? w->g[i] : 0, up = x[i] < b->box[i].hi ? -w->g[i] : 0;
        double g = larger(0, larger(down, up)) + noise_of(n, i, w->distance, w->g_off[i], rounding);
        square += g * g / b->mu[i];
    }
    out->foot_off = w->off + rounding;
    for (int i = 0; i < n->parameters; ++i)
        out->foot_off += n->speed[i] * sqrt(square / b->mu[i]) * (1 + SHAPE_ROUNDING);
}

/* ---- places -------------------------------------------------------------------------------- */

static void local_at(front_run* r, wit_feature_kind kind, int32_t id, const wit_interval box[2], const double x[2],
                     wit_surface_jet* j, local* l)
{
    unsigned below = (x[0] >= box[0].hi ? WIT_KNOT_U_BELOW : 0U) | (x[1] >= box[1].hi ? WIT_KNOT_V_BELOW : 0U);
    side_jets(&r->side, 1);
    if (kind == WIT_FACE) {
        wit_surface_eval(body_surface(r->body, id), x[0], x[1], below, &r->hint, j);
    } else {
        wit_curve_jet c;
        wit_curve_eval(body_curve(r->body, id), x[0], x[0] >= box[0].hi ? WIT_KNOT_T_BELOW : 0U, NULL, &c);
        *j = (wit_surface_jet){.p = c.p, .du = c.d1, .duu = c.d2};
    }
    point_run at = {.q = r->f->q};
    localize(&at, kind, j, l);
}

/* One step of Newton's within the box; false: there is no gain in it. */
static bool step_within(wit_feature_kind kind, const wit_interval box[2], const wit_surface_jet* j, const local* l,
                        double x[2])
{
    double metric[3], d[2], lo[2] = {box[0].lo, box[1].lo}, hi[2] = {box[0].hi, box[1].hi};
    metric_of(kind, j, metric);
    double twice = wi_point_step(l, metric, x, lo, hi, d);
    if (!(twice > 4 * DBL_EPSILON * l->f)) return false;
    for (int i = 0; i < 2; ++i) x[i] = smaller(larger(x[i] + d[i], lo[i]), hi[i]);
    return true;
}

double wi_front_descend(front_run* r, wit_feature_kind kind, int32_t id, const wit_interval box[2], double x[2])
{
    double best = INFINITY, y[2] = {x[0], x[1]};
    for (int k = 0; k < STEPS && run_has(r, 1); ++k) {
        wit_surface_jet j;
        local l;
        local_at(r, kind, id, box, y, &j, &l);
        if (!(l.f < best)) break;
        best = l.f;
        x[0] = y[0], x[1] = y[1];
        if (!step_within(kind, box, &j, &l, y)) break;
    }
    return sqrt(2 * best);
}

double wi_front_block_look(front_run* r, front_block* b, double* distance)
{
    wit_feature_kind kind = (wit_feature_kind)b->kind;
    double x[2] = {b->x[0], b->x[1]}, best = 0;
    *distance = INFINITY;
    for (int k = 0; k < STEPS && run_has(r, 1); ++k) {
        wit_surface_jet j;
        local l;
        local_at(r, kind, b->id, b->box, x, &j, &l);
        double far = sqrt(2 * l.f);
        best = larger(best, wi_front_block_bound(r->f, r->body, b, r->f->q, x, far, l.g, (const double[2]){0, 0}));
        if (!(far < *distance)) break;
        *distance = far;
        b->x[0] = x[0], b->x[1] = x[1];
        if (best >= r->limit || !step_within(kind, b->box, &j, &l, x)) break;
    }
    return best;
}

/* ---- making -------------------------------------------------------------------------------- */

/* What a new block is made of. */
typedef struct draft {
    wit_feature_kind kind;
    int32_t id;
    double x[2], speed[2];
    wit_interval range[2], box[2], hold[2];
    bool closed[2], held; /* closed: all of a period; else the range may still run over a seam */
    double period[2];     /* 0: there is no seam */
    double crease;
    wit_vec3 p; /* at x */
} draft;

static const double* breaks_of(const front_run* r, const draft* d, int k, int* count)
{
    if (d->kind != WIT_FACE) return wit_curve_breaks(body_curve(r->body, d->id), count);
    return wit_surface_breaks(body_surface(r->body, d->id), k == 0 ? WIT_U : WIT_V, count);
}

static double jump_at(front_run* r, const draft* d, int k, int border)
{
    if (!run_has(r, 1)) return INFINITY;
    side_boxes(&r->side, 1);
    if (d->kind != WIT_FACE) return wi_curve_tangent_jump(body_curve(r->body, d->id), border);
    return wi_surface_tangent_jump(body_surface(r->body, d->id), k == 0 ? WIT_U : WIT_V, border);
}

/* Ends the box at borders of cells across which the tangents jump; counts what the others add to the slopes. */
static void end_at_breaks(front_run* r, draft* d, int k)
{
    int count;
    const double* at = breaks_of(r, d, k, &count);
    double width = count > 1 ? at[count - 1] - at[0] : 0, jumps = 0;
    if (count < 2) return;
    int turns = d->period[k] > 0; /* the last border is then the seam */
    for (int turn = -turns; turn <= turns; ++turn)
        for (int i = turns; i < count; ++i) {
            double x = at[i] + turn * width;
            if (!(x > d->box[k].lo && x < d->box[k].hi)) continue;
            double jump = jump_at(r, d, k, i == count - 1 ? 0 : i);
            if (jump <= JUMP * d->speed[k])
                jumps += jump / d->speed[k];
            else if (x > d->x[k])
                d->box[k].hi = x;
            else
                d->box[k].lo = x;
        }
    d->crease += jumps;
}

/* The box of half size `length` about x. False: it is none, or does not hold what it must. */
static bool box_of_size(front_run* r, draft* d, double length, bool graph)
{
    int parameters = d->kind == WIT_FACE ? 2 : 1;
    d->crease = made_of_pieces(r->body, d->kind, d->id) ? CREASE : 0;
    d->box[1] = iv(0, 0);
    for (int k = 0; k < parameters; ++k) {
        double h = length / d->speed[k], period = iv_width(d->range[k]);
        if (d->closed[k]) h = smaller(h, 0.45 * period);
        d->box[k] = iv(d->x[k] - h, d->x[k] + h);
        if (d->held) d->box[k] = iv_union(d->box[k], d->hold[k]);
        if (!d->closed[k]) d->box[k] = iv(larger(d->box[k].lo, d->range[k].lo), smaller(d->box[k].hi, d->range[k].hi));
        if (d->closed[k] && iv_width(d->box[k]) > 0.95 * period) return false;
        if (!graph) end_at_breaks(r, d, k);
        bool kept = !d->held || (d->box[k].lo <= d->hold[k].lo && d->box[k].hi >= d->hold[k].hi);
        if (!kept || !(d->box[k].lo < d->box[k].hi)) return false;
    }
    return true;
}

static int free_block(point_front* f)
{
    int worst = FRONT_NONE;
    for (int i = 0; i < FRONT_BLOCKS; ++i) {
        if (!f->block[i].used) return i;
        if (i != f->witness && (worst < 0 || f->block[i].key > f->block[worst].key)) worst = i;
    }
    wi_front_block_end(f, worst);
    return worst;
}

/* The piece to hold, moved by periods to where x is. */
static void hold_near(draft* d, const wit_interval* hold)
{
    d->held = hold != NULL;
    for (int k = 0; k < 2 && hold; ++k) {
        double period = d->period[k];
        double turns = period > 0 ? nearbyint((d->x[k] - iv_mid(hold[k])) / period) * period : 0;
        d->hold[k] = iv(hold[k].lo + turns, hold[k].hi + turns);
    }
}

static bool begin_draft(front_run* r, draft* d)
{
    wit_surface_jet j;
    local l;
    wi_side_range(&r->side, d->kind, d->id, d->range, d->closed);
    if (d->kind == WIT_FACE) {
        const wit_surface* s = body_surface(r->body, d->id);
        d->period[0] = s->closed_u ? iv_width(s->u) : 0;
        d->period[1] = s->closed_v ? iv_width(s->v) : 0;
    } else {
        const wit_curve* c = body_curve(r->body, d->id);
        d->period[0] = c->closed ? iv_width(c->range) : 0;
    }
    for (int k = 0; k < 2; ++k) /* x is where the range is */
        if (d->period[k] > 0 && !d->closed[k])
            d->x[k] -= d->period[k] * nearbyint((d->x[k] - iv_mid(d->range[k])) / d->period[k]);
    const wit_interval any[2] = {iv(-INFINITY, INFINITY), iv(-INFINITY, INFINITY)};
    local_at(r, d->kind, d->id, any, d->x, &j, &l);
    d->p = j.p;
    d->speed[0] = norm3(j.du);
    d->speed[1] = norm3(j.dv);
    double least = 1e-9 * r->f->size;
    for (int k = 0; k < (d->kind == WIT_FACE ? 2 : 1); ++k)
        if (!(d->speed[k] * iv_width(d->range[k]) > least)) return false; /* at a pole */
    return true;
}

/* The form holds for some way. Returns that, but for `least` at least: 0. */
static double hold_form(const front_run* r, const graph_form* form, double least, front_block* b)
{
    wit_vec3 q = r->f->q;
    double life = wi_graph_life(form, q), way = smaller(LASTS * life, r->f->size);
    if (!(life > least) || !wi_graph_grip(form, q, way, &b->grip)) return 0;
    double at = dot3(form->axis, q), height = larger(fabs(form->height.lo - at), fabs(form->height.hi - at)) + way;
    b->form = *form;
    b->jump = form->jump * height * (1 + SHAPE_ROUNDING);
    b->graph = true;
    b->end = r->f->way + way;
    return way;
}

static bool make_graph(front_run* r, draft* d, double length, front_block* b)
{
    const wit_surface* s = body_surface(r->body, d->id);
    if (!box_of_size(r, d, length, true)) return false;
    graph_work work;
    graph_form form;
    bool formed = wi_graph_form(s, d->box[0], d->box[1], d->crease, &form, &work);
    side_tests(&r->side, work.enclosures);
    side_boxes(&r->side, work.knots);
    return formed && hold_form(r, &form, LIFE * length, b) > 0;
}

/* ---- boxes that are stored ----------------------------------------------------------------- */

static bool box_has(const wit_interval box[2], const double x[2])
{
    return x[0] >= box[0].lo && x[0] <= box[0].hi && x[1] >= box[1].lo && x[1] <= box[1].hi;
}

/* The entry of the leaf of the face that has the place x, whose point is p; SHAPE_NONE. */
static int32_t find_root(front_run* r, const draft* d)
{
    const tree_node* nodes = body_nodes(r->body);
    const double p[3] = {d->p.x, d->p.y, d->p.z}, off = 1e-9 * r->f->size;
    int32_t last = r->f->root;
    if (last >= 0 && r->f->root_face == d->id && box_has(body_shapes(r->body)[last].box, d->x)) return last;
    tree_walk w;
    tree_walk_start(&w, r->body->node_count);
    while (w.count && run_has(r, 1)) {
        const tree_node* n = &nodes[tree_walk_next(&w)];
        const double lo[3] = {n->box.lo.x, n->box.lo.y, n->box.lo.z}, hi[3] = {n->box.hi.x, n->box.hi.y, n->box.hi.z};
        bool in = (n->kinds_below & (1u << WIT_FACE)) != 0;
        for (int k = 0; k < 3; ++k) in = in && p[k] >= lo[k] - off && p[k] <= hi[k] + off;
        side_boxes(&r->side, 1);
        if (!in) continue;
        if (n->child[0] >= 0) {
            if (!tree_walk_down(&w, n, 0)) break;
        } else if (n->feature == d->id && n->kind == WIT_FACE && box_has((const wit_interval[2]){n->u, n->v}, d->x)) {
            r->f->root_face = d->id;
            return r->f->root = body_leaf_shape(r->body, n);
        }
    }
    return SHAPE_NONE;
}

/*
 * The stored box about x that is of most use. Pieces beside it are as large as the one in its middle, and are looked at, for each
 * unit of way, as often as they are small; a new box is needed when the way is used up: 1 / use = WORTH / size + 1 / way.
 */
static bool find_graph(front_run* r, draft* d, front_block* b)
{
    double best = 0;
    int32_t at = d->held ? SHAPE_NONE : find_root(r, d);
    while (at >= 0) {
        const shape_entry* e = &body_shapes(r->body)[at];
        double size = shape_size(&e->shape);
        if (best >= size / WORTH) break;
        front_block fresh = *b;
        if (e->form >= 0) {
            const shape_form* f = &body_shape_forms(r->body)[e->form];
            double way = hold_form(r, &f->form, 0, &fresh), use = way * size / (size + WORTH * way);
            if (use > best) {
                best = use;
                *b = fresh;
                d->box[0] = f->box[0], d->box[1] = f->box[1];
            }
        }
        int32_t next = SHAPE_NONE;
        for (int k = 0; k < 2; ++k)
            if (e->child[k] >= 0 && box_has(body_shapes(r->body)[e->child[k]].box, d->x)) next = e->child[k];
        at = next;
    }
    return best > 0;
}

static bool make_convex(front_run* r, draft* d, double length, front_block* b)
{
    if (!box_of_size(r, d, length, false)) return false;
    if (d->kind == WIT_FACE)
        wi_shape_node_face(body_surface(r->body, d->id), d->box[0], d->box[1], d->crease, &b->shape);
    else
        wi_shape_node_edge(body_curve(r->body, d->id), d->box[0], d->crease, &b->shape);
    side_tests(&r->side, d->kind == WIT_FACE ? SHAPE_FACE_BOXES : SHAPE_EDGE_BOXES);
    if (b->shape.boxed) return false;
    shape_view v;
    shape_view_of(&b->shape, r->f->q, &v);
    double life = shape_definite_life(&b->shape, &v), way = smaller(0.5 * life, r->f->size);
    if (!(life > LIFE * length) || !shape_definite(&b->shape, &v, way, b->mu)) return false;
    b->graph = false;
    b->end = r->f->way + way;
    return true;
}

/* At a border of its feature, so that a foot need not be stationary: only the convex kind knows of borders. */
static bool at_border(const draft* d)
{
    bool at = d->kind != WIT_FACE;
    for (int k = 0; k < 2 && !at; ++k) at = !d->closed[k] && (d->x[k] <= d->range[k].lo || d->x[k] >= d->range[k].hi);
    return at;
}

static int take_block(point_front* f, const draft* d, const front_block* b)
{
    int at = free_block(f);
    front_block* to = &f->block[at];
    f->used |= 1u << at;
    *to = *b;
    if (to->graph) {
        double lean = to->form.lean;
        to->measure = wi_graph_measure(&to->form);
        to->foot = (1 + to->form.stretch) / to->grip.grip * sqrt(1 + lean * lean) * (1 + 2 * SHAPE_ROUNDING);
    }
    for (int k = 0; k < 2; ++k) {
        to->box[k] = d->box[k];
        to->period[k] = d->period[k];
    }
    wi_front_unwrap(to, d->x, to->x);
    return at;
}

int wi_front_block_make(front_run* r, wit_feature_kind kind, int32_t id, const double x[2], const wit_interval* hold)
{
    point_front* f = r->f;
    draft d = {.kind = kind, .id = id, .x = {x[0], x[1]}};
    if (!run_has(r, BLOCK_COST) || !begin_draft(r, &d)) return FRONT_NONE;
    hold_near(&d, hold);
    bool border = at_border(&d);
    const front_block fresh = {.kind = (uint8_t)kind, .id = id, .first = FRONT_NONE, .used = true, .key = -INFINITY};
    front_block b = fresh;
    if (!border && find_graph(r, &d, &b)) return take_block(f, &d, &b);
    double length = smaller(GROW * f->length, 2 * f->size);
    for (int t = 0; t < TRIES && run_has(r, BLOCK_COST); ++t, length *= 0.5) {
        b = fresh;
        if (border ? !make_convex(r, &d, length, &b) : !make_graph(r, &d, length, &b)) continue;
        f->length = length;
        return take_block(f, &d, &b);
    }
    f->length = larger(length, SHORTEST * f->size);
    return FRONT_NONE;
}
