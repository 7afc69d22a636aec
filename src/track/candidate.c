/* SPDX-License-Identifier: MIT */
/*
 * The other feet of a point, kept up beside the witness, so that the medial axis is crossed: inside a body, and outside one
 * that is not convex, the closest place may jump to a feature that is no neighbour.
 *
 * The bounding tree cuts faces and edges into leaves that bend little; there is one candidate per leaf (per node, where there
 * are too many). Each holds a value below which its distance was not when the point stood at q: the distance of its box, or
 * of its foot by Newton within the leaf's parameters, from where it was last and from the middle, whichever is nearer.
 * In the frame of the body a distance changes by no more than the point moves, so a candidate is looked at again
 * only when value - |q now - q| falls below the distance of the witness; most frames need one comparison.
 *
 * The leaf that the witness is in is left out: that is the law's. Feet outside the loops of their face are no candidates;
 * their border is, by the leaves of its edges.
 */
#include <string.h>

#include "../query/refine.h"
#include "tracker_record.h"

enum {
    PER_FEATURE = 4, /* candidates for each that the def asks for */
    URGENT = 32,     /* looked at in one round */
    STEPS = 8,       /* of Newton */
    LEAF_COST = 40,  /* units that a foot may take */
    DEPTH = 64
};
#define NEARER 1e-12 /* of the scale: by so much a candidate must be nearer */
#define ENOUGH 1e-7  /* of the size: a step of Newton that is the last. Distances are then right to its square */

typedef struct candidate {
    int32_t node;
    bool sought;  /* x is a foot */
    double value; /* a lower bound of its distance when the point was at q; -infinity: never looked at */
    wit_vec3 q;
    double x[2];
} candidate;

typedef struct candidate_list {
    int32_t capacity, count;
    int32_t own;  /* node of the witness at the last round, -1: none */
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

static double distance_at(round_state* r, const tree_node* n, const double x[2])
{
    wit_surface_jet j;
    side_jet(r->body, n->kind, n->feature, x[0], x[1], WIT_SIDE_DEFAULT, NULL, &j);
    step_jets(r->s, 1);
    return norm3(sub3(j.p, r->q));
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

/* The foot on a leaf: x in and out; returns its distance. */
static double leaf_foot(round_state* r, const tree_node* n, bool sought, double x[2])
{
    if (n->kind == WIT_VERTEX) {
        double d = norm3(sub3(body_vertices(r->body->body)[n->feature].point, r->q));
        step_tests(r->s, 1);
        x[0] = x[1] = 0;
        offer(r, n, x, d);
        return d;
    }
    double middle[2] = {iv_mid(n->u), n->kind == WIT_FACE ? iv_mid(n->v) : 0};
    if (!sought || distance_at(r, n, middle) < distance_at(r, n, x)) memcpy(x, middle, sizeof middle);
    place a = {n->kind, n->feature, x[0], x[1], {0, 0, 0}}, b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = {{n->u, n->v}, {{0, 0}, {0, 0}}};
    refined at;
    refine_pair(r->body, &a, r->point, &b, &bounds, STEPS, ENOUGH * r->s->t->size, &at);
    step_jets(r->s, at.jets / 2);
    x[0] = at.x[0];
    x[1] = n->kind == WIT_FACE ? at.x[1] : 0;
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
            d = leaf_foot(r, n, false, x);
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
    if (n->child[0] < 0) {
        c->value = leaf_foot(r, n, c->sought, c->x);
        c->sought = true;
    } else {
        c->value = node_distance(r, c->node);
    }
    c->q = r->q;
}

/* ---- a round ------------------------------------------------------------------------------- */

static double bound_now(const candidate* c, wit_vec3 q)
{
    return c->value > -INFINITY ? c->value - norm3(sub3(q, c->q)) : -INFINITY;
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

/* The most urgent ones that may be nearer than the witness, first the nearest; boxes are looked at on the way. Returns how
 * many; *least gets the smallest bound of all. */
static int urgent(round_state* r, candidate_list* l, int32_t list[URGENT], double* least)
{
    candidate* c = entries(l);
    double bound[URGENT];
    int count = 0;
    *least = INFINITY;
    for (int i = 0; i < l->count; ++i) {
        if (c[i].node == r->own) continue;
        double d = bound_now(&c[i], r->q);
        if (d < r->distance && c[i].q.x == r->q.x && c[i].q.y == r->q.y && c[i].q.z == r->q.z && c[i].value > -INFINITY) {
            *least = smaller(*least, d); /* looked at in this frame */
            continue;
        }
        if (d < r->distance && step_left(r->s) > 0) {
            double box = box_distance(&body_nodes(r->body->body)[c[i].node], r->q);
            step_tests(r->s, 1);
            if (box >= r->distance) {
                c[i].value = d = box;
                c[i].q = r->q;
            } else {
                d = larger(d, box);
            }
        }
        *least = smaller(*least, d);
        if (!(d < r->distance)) continue;
        int k = count < URGENT ? count++ : URGENT - 1;
        if (k == URGENT - 1 && count == URGENT && bound[k] <= d && list[k] != i && k != count - 1) continue;
        for (; k > 0 && bound[k - 1] > d; --k) {
            bound[k] = bound[k - 1];
            list[k] = list[k - 1];
        }
        bound[k] = d;
        list[k] = i;
    }
    return count;
}
