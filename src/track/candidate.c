/* SPDX-License-Identifier: MIT */
/*
 * The other feet of a point, kept up beside the witness, so that the medial axis is crossed: inside a body, and outside one
 * that is not convex, the closest place may jump to a feature that is no neighbour.
 *
 * The bounding tree cuts faces and edges into leaves that bend little; there is one candidate per leaf (per node, where there
 * are too many). Each holds a value below which its distance was not when the point stood at q: the distance of its box, or
 * of its foot by Newton within the leaf's parameters from where it was last; where that ends at a border of the leaf that
 * is none of the face, also from the middle.
 *
 * When does it have to be looked at again? In the frame of the body let the point have moved by D since, and y be any
 * place of the candidate, u = (q - y) / |q - y|. Then |q + D - y| >= |q - y| + u.D, and with n the unit vector from the foot
 * to q, |u - n| <= size of the leaf / distance =: spread; so its distance is at least
 *     value + n.D - spread |D|,   and at least   value - |D|.
 * While that is above the distance of the witness there is nothing to do. For boxes, which are convex, the spread is 0.
 * The few that are next are compared one by one in every frame, the others together.
 *
 * The leaf that the witness is in is left out: that is the law's. Feet outside the loops of their face are no candidates;
 * their border is, by the leaves of its edges.
 */
#include <string.h>

#include "../query/refine.h"
#include "tracker_record.h"

enum {
    PER_FEATURE = 4, /* candidates for each that the def asks for */
    NEXT = 8,        /* compared in every frame */
    STEPS = 8,       /* of Newton */
    LEAF_COST = 80,  /* units that a foot may take */
    DEPTH = 64
};
#define NEARER 1e-12 /* of the scale: by so much a candidate must be nearer */
#define ENOUGH 1e-7  /* of the size: a step of Newton that is the last. Distances are then right to its square */

typedef struct candidate {
    int32_t node;
    bool sought;   /* x is a foot */
    bool done;     /* in this round */
    double bound;  /* of its distance now */
    double value;  /* a lower bound of its distance when the point was at q; -infinity: never looked at */
    wit_vec3 q, n; /* see above */
    double spread;
    double x[2];
} candidate;

typedef struct candidate_list {
    int32_t capacity, count;
    int32_t own;        /* node of the witness at the last round, -1: none */
    int32_t next[NEXT]; /* those with the smallest bounds */
    int32_t next_count;
    double least; /* the smallest bound of the others when the point was at q */
    wit_vec3 q;
} candidate_list;

static candidate* entries(candidate_list* l)
{
    return (candidate*)(void*)(l + 1);
}

static int capacity_of(const wit_body* a, const wit_track_def* def)
{
    int64_t leaves = (a->node_count + 1) / 2, most = (int64_t)PER_FEATURE * def->candidates;
    return (int)(leaves < most ? leaves : most);
}

size_t candidate_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    int64_t features = (a->planar ? 0 : a->face_count) + (int64_t)a->edge_count + a->vertex_count;
    if (b || a->unbounded || features > def->candidates) return 0;
    return sizeof(candidate_list) + (size_t)capacity_of(a, def) * sizeof(candidate);
}

void candidate_forget(wit_tracker* t)
{
    if (!t->candidates_at) return;
    candidate_list* l = tracker_at(t, t->candidates_at);
    memset(l, 0, sizeof *l);
    l->capacity = capacity_of(t->body[0], &t->def);
    l->own = -1;
    l->least = -INFINITY;
}

/* All leaves, or as many nodes as there is room for, each level before the next. */
static void fill(candidate_list* l, const wit_body* b)
{
    const tree_node* nodes = body_nodes(b);
    candidate* c = entries(l);
    if (!b->node_count || l->capacity < 1) return;
    memset(c, 0, (size_t)l->capacity * sizeof *c);
    l->count = 1;
    for (bool more = true; more && l->count < l->capacity;) {
        more = false;
        for (int i = 0, n = l->count; i < n && l->count < l->capacity; ++i) {
            const tree_node* node = &nodes[c[i].node];
            if (node->child[0] < 0) continue;
            c[i].node = node->child[0];
            c[l->count++].node = node->child[1];
            more = true;
        }
    }
    for (int i = 0; i < l->count; ++i) c[i].value = -INFINITY;
}

/* ---- feet ---------------------------------------------------------------------------------- */

/* What one round looks for. */
typedef struct round_state {
    step* s;
    const side* body;
    const side* point;
    wit_vec3 q;
    double distance; /* of the witness */
    int32_t own;
    double best; /* the nearest foot so far */
    spot to;
} round_state;

static double box_distance(const tree_node* n, wit_vec3 q)
{
    return sqrt(box_square(&n->box, q));
}

static void offer(round_state* r, const tree_node* n, const double x[2], double distance)
{
    if (!(distance < r->best)) return;
    if (n->kind == WIT_FACE && n->tag != TRIM_IN) {
        step_tests(r->s, 1);
        if (!side_contains(r->body, WIT_FACE, n->feature, x[0], x[1])) return;
    }
    r->best = distance;
    r->to = (spot){.kind = n->kind, .id = n->feature, .x = {x[0], x[1]}};
}

static void descend(round_state* r, const tree_node* n, const double x[2], refined* out)
{
    place a = {n->kind, n->feature, x[0], x[1], {0, 0, 0}}, b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = {{n->u, n->v}, {{0, 0}, {0, 0}}};
    refine_pair(r->body, &a, r->point, &b, &bounds, STEPS, ENOUGH * r->s->t->size, out);
    step_jets(r->s, out->jets / 2);
}

/* Can the leaf have only one foot? With |r| |S''| below half of |S'|^2 the squared distance is convex over it. */
static bool bends_little(const round_state* r, const tree_node* n, const refined* at)
{
    const leaf_bounds* b = &body_leaf_bounds(r->body->body)[n->bounds];
    double u = at->w[0], v = n->kind == WIT_FACE ? at->w[1] : u;
    double bend = b->d2[0] / (u * u);
    if (n->kind == WIT_FACE) bend += 2 * b->d2[1] / (u * v) + b->d2[2] / (v * v);
    return at->distance * bend < 0.5;
}

/* The foot on a leaf: x in and out; returns its distance. A foot at the border of the leaf may belong to the next one, and
 * the leaf have another: then also from the other start. */
static double leaf_foot(round_state* r, const tree_node* n, bool sought, double x[2], wit_vec3* p)
{
    if (n->kind == WIT_VERTEX) {
        *p = body_vertices(r->body->body)[n->feature].point;
        double d = norm3(sub3(*p, r->q));
        step_tests(r->s, 1);
        x[0] = x[1] = 0;
        offer(r, n, x, d);
        return d;
    }
    bool face = n->kind == WIT_FACE;
    double middle[2] = {iv_mid(n->u), face ? iv_mid(n->v) : 0};
    refined at, other;
    descend(r, n, sought ? x : middle, &at);
    if (at.held && !bends_little(r, n, &at)) {
        /* from the middle, or from beyond it as seen from the foot */
        double part = sought ? 0 : 0.5;
        middle[0] += part * (middle[0] - at.x[0]);
        if (face) middle[1] += part * (middle[1] - at.x[1]);
        descend(r, n, middle, &other);
        if (other.distance < at.distance) at = other;
    }
    x[0] = at.x[0];
    x[1] = face ? at.x[1] : 0;
    *p = at.a.p;
    offer(r, n, x, at.distance);
    return at.distance;
}

/* A lower bound of the distance of all below an inner node; exact enough where it is below that of the witness. */
static double node_distance(round_state* r, int32_t root)
{
    const tree_node* nodes = body_nodes(r->body->body);
    int32_t stack[DEPTH];
    int count = 0;
    double least = INFINITY;
    stack[count++] = root;
    while (count) {
        int32_t index = stack[--count];
        const tree_node* n = &nodes[index];
        double d = box_distance(n, r->q);
        step_tests(r->s, 1);
        if (index == r->own) continue;
        bool near = d < r->distance && step_left(r->s) > LEAF_COST;
        if (near && n->child[0] < 0) {
            double x[2] = {0, 0};
            wit_vec3 p;
            d = leaf_foot(r, n, false, x, &p);
        } else if (near && count + 2 <= DEPTH) {
            stack[count++] = n->child[1];
            stack[count++] = n->child[0];
            continue;
        }
        least = smaller(least, d);
    }
    return least;
}

static void look_again(round_state* r, candidate* c)
{
    const tree_node* n = &body_nodes(r->body->body)[c->node];
    c->n = vec3(0, 0, 0);
    c->spread = 1;
    if (n->child[0] < 0) {
        wit_vec3 p;
        c->value = leaf_foot(r, n, c->sought, c->x, &p);
        c->sought = true;
        c->n = unit3(sub3(r->q, p));
        double size = norm3(sub3(n->box.hi, n->box.lo));
        c->spread = c->value > size ? size / c->value : 1;
    } else {
        c->value = node_distance(r, c->node);
    }
    c->q = r->q;
}

/* ---- a round ------------------------------------------------------------------------------- */

static double bound_now(const candidate* c, wit_vec3 q)
{
    if (!(c->value > -INFINITY)) return -INFINITY;
    wit_vec3 moved = sub3(q, c->q);
    double length = norm3(moved);
    return c->value + larger(-length, dot3(c->n, moved) - c->spread * length);
}

/* The box instead, if it says more. */
static void look_at_box(const round_state* r, candidate* c)
{
    const wit_box* b = &body_nodes(r->body->body)[c->node].box;
    wit_vec3 q = r->q, p = vec3(smaller(b->hi.x, larger(b->lo.x, q.x)), smaller(b->hi.y, larger(b->lo.y, q.y)),
                                smaller(b->hi.z, larger(b->lo.z, q.z)));
    double d = norm3(sub3(q, p));
    step_tests(r->s, 1);
    if (!(d > c->bound)) return;
    c->value = c->bound = d;
    c->q = q;
    c->n = unit3(sub3(q, p));
    c->spread = 0;
}

static bool holds(const tree_node* n, const spot* at)
{
    if (n->child[0] >= 0 || n->kind != (uint8_t)at->kind || n->feature != at->id) return false;
    if (at->kind == WIT_VERTEX) return true;
    if (at->x[0] < n->u.lo || at->x[0] > n->u.hi) return false;
    return at->kind == WIT_EDGE || (at->x[1] >= n->v.lo && at->x[1] <= n->v.hi);
}

/* The leaf of the witness among the candidates; -1: none of them. */
static int32_t find_own(candidate_list* l, const wit_body* b, const spot* at)
{
    const tree_node* nodes = body_nodes(b);
    if (l->own >= 0 && holds(&nodes[l->own], at)) return l->own;
    const candidate* c = entries(l);
    for (int i = 0; i < l->count; ++i)
        if (holds(&nodes[c[i].node], at)) return c[i].node;
    return -1;
}

/* Bounds of all at the point as it stands. Boxes are looked at where the old value does not say enough. */
static void update_bounds(round_state* r, candidate_list* l)
{
    candidate* c = entries(l);
    for (int i = 0; i < l->count; ++i) {
        c[i].done = c[i].node == r->own;
        c[i].bound = bound_now(&c[i], r->q);
        if (!c[i].done && c[i].bound < r->distance && step_left(r->s) > 0) look_at_box(r, &c[i]);
    }
}

/* The one that could be nearest, if it could be nearer than the witness and the best foot so far; null: there is none. */
static candidate* most_urgent(const round_state* r, candidate_list* l)
{
    candidate *c = entries(l), *found = NULL;
    double least = smaller(r->distance, r->best);
    for (int i = 0; i < l->count; ++i) {
        if (c[i].done || !(c[i].bound < least)) continue;
        least = c[i].bound;
        found = &c[i];
    }
    return found;
}

/* Which of them are next. */
static void put_in_order(candidate_list* l)
{
    const candidate* c = entries(l);
    l->next_count = 0;
    l->least = INFINITY;
    for (int i = 0; i < l->count; ++i) {
        int k = l->next_count;
        if (c[i].node == l->own) continue;
        if (k == NEXT) {
            double last = c[l->next[NEXT - 1]].bound;
            l->least = smaller(l->least, larger(last, c[i].bound));
            if (!(c[i].bound < last)) continue;
            --k;
        } else {
            l->next_count++;
        }
        for (; k > 0 && c[l->next[k - 1]].bound > c[i].bound; --k) l->next[k] = l->next[k - 1];
        l->next[k] = i;
    }
}

static void look_at_all(round_state* r, candidate_list* l)
{
    update_bounds(r, l);
    for (candidate* c; (c = most_urgent(r, l));) {
        if (step_left(r->s) < LEAF_COST) {
            r->s->flags |= WIT_FLAG_LOCAL; /* unknown: perhaps another one is nearer */
            break;
        }
        look_again(r, c);
        c->bound = c->value;
        c->done = true;
    }
    l->own = r->own;
    l->q = r->q;
    put_in_order(l);
}

/* A lower bound of the distance of all but the leaf of the witness; -infinity: the witness is in another one. */
static double least_now(candidate_list* l, const wit_tracker* t, wit_vec3 q)
{
    if (!l->count || l->own < 0 || !holds(&body_nodes(t->body[0])[l->own], &t->at[0])) return -INFINITY;
    const candidate* c = entries(l);
    double least = l->least - norm3(sub3(q, l->q));
    for (int k = 0; k < l->next_count; ++k) least = smaller(least, bound_now(&c[l->next[k]], q));
    return least;
}

/* How near the witness itself comes on its feature: a law on its way is not there yet. */
static double own_distance(round_state* r)
{
    const spot* at = &r->s->t->at[0];
    if (r->s->ended == WIT_ENDED_CONVERGED || step_left(r->s) < LEAF_COST) return r->distance;
    place a = {at->kind, at->id, at->x[0], at->x[1], {0, 0, 0}}, b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = refine_bounds_of(r->body, &a, r->point, &b);
    refined own;
    refine_pair(r->body, &a, r->point, &b, &bounds, STEPS, ENOUGH * r->s->t->size, &own);
    step_jets(r->s, own.jets / 2);
    return own.distance;
}

/* Distances change by no more than the point moves: so long nothing here can change. */
static void rest_for(wit_tracker* t, double least, double distance)
{
    t->quiet = larger(0, 0.5 * (least - distance));
}

bool candidate_jump(step* s, double distance)
{
    wit_tracker* t = s->t;
    t->quiet = INFINITY;
    if (!t->candidates_at) return false;
    t->quiet = 0;
    if (t->convex[0] && distance >= 0) {
        t->quiet = distance; /* until it may be inside */
        return false;
    }
    candidate_list* l = tracker_at(t, t->candidates_at);
    wit_vec3 q = s->now.side[1].t;
    distance = norm3(sub3(s->at[0].p, q));
    double least = least_now(l, t, q);
    if (least >= distance) {
        rest_for(t, least, distance);
        return false;
    }
    if (!l->count) fill(l, t->body[0]);
    round_state r = {.s = s, .body = &s->now.side[0], .point = &s->now.side[1], .q = q, .distance = distance};
    r.own = find_own(l, t->body[0], &t->at[0]);
    r.best = distance - NEARER * step_scale(s, distance);
    r.to.kind = WIT_POINT;
    look_at_all(&r, l);
    if (r.to.kind == WIT_POINT || !(r.best < own_distance(&r) - NEARER * step_scale(s, distance))) {
        rest_for(t, least_now(l, t, q), distance);
        return false;
    }
    spot from = t->at[0];
    t->at[0] = r.to;
    s->fresh = false;
    s->held = 0;
    step_switched(s, 0, &from, distance, r.best, true, s->clock);
    return true;
}
