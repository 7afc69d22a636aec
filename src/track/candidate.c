/* SPDX-License-Identifier: MIT */
/*
 * The other feet of a point, kept up beside the witness, so that the medial axis is crossed: inside a body, and outside one
 * that is not convex, the closest place may jump to a feature that is no neighbour.
 *
 * The bounding tree cuts faces and edges into leaves that bend little; there is one candidate per leaf (per node, where there
 * are too many). Each holds what was seen of it (wi_leaf_look.h) when the point stood at q: a lower bound of its distance, or
 * how far the point may move before it can have a foot.
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

#include "candidate.h"

#include "../body/meeting.h"
#include "../pair/tangent_chart.h"
#include "../pair/refine.h"
#include "law_methods.h"
#include "leaf_look.h"

enum {
    PER_FEATURE = 4, /* candidates for each that the def asks for */
    NEXT = 12,       /* compared in every frame */
    OWN_STEPS = 8,   /* of Newton */
    OWN_COST = 100,
    DEPTH = 64
};
#define NEARER 1e-12 /* of the scale: by so much a candidate must be nearer */
#define EAGER 0.05   /* of the size: a candidate with less rest is looked at before it must be, where that is cheap */
#define NEIGHBOUR_TURN 2.2 /* radians, below pi: normals of two leaves whose union does not fold back */
#define KIN_BEND 0.5       /* distance times curvature, which was only sampled */

typedef struct candidate {
    int32_t node;
    int32_t neighbour; /* `hold` is that of a neighbour of this own leaf; -1: not */
    bool sought;       /* x is a foot */
    bool done;         /* in this round */
    double value;      /* a lower bound of its distance when the point was at q; -infinity: never looked at */
    wit_vec3 q, n;
    double spread;
    double than;        /* the distance of the witness at that look, which `hold` was found against */
    double hold;        /* it has no foot of its own while the point is no farther from q; 0: it may have */
    double bound, rest; /* now: of its distance; how far the point may move before it has to be looked at */
    double x[2];
    double bend; /* largest curvature that was seen, 1 / length; -1: not yet */
    wit_cone normals;
} candidate;

typedef struct candidate_list {
    int32_t capacity, count;
    int32_t own;        /* the one that the witness is in, -1: none */
    int32_t next[NEXT]; /* those with the smallest rest */
    int32_t next_count;
    double than;  /* the distance of the witness when the point was at q */
    double least; /* the smallest rest of the others when the point was at q */
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

size_t wi_candidate_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    int64_t features = (a->planar ? 0 : a->face_count) + (int64_t)a->edge_count + a->vertex_count;
    if (b || a->unbounded || features > def->candidates) return 0;
    return sizeof(candidate_list) + (size_t)capacity_of(a, def) * sizeof(candidate);
}

void wi_candidate_forget(wit_tracker* t)
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
    for (int i = 0; i < l->count; ++i) {
        c[i].value = -INFINITY;
        c[i].bend = c[i].neighbour = -1;
    }
}

/* ---- looking ------------------------------------------------------------------------------- */

/* What one round looks for. */
typedef struct round_state {
    step* s;
    const side* body;
    wit_vec3 q;
    double distance; /* of the witness */
    candidate* home; /* the leaf that it is in; null: none of the candidates */
    int32_t own;     /* its node, -1: none */
    double best;     /* the nearest foot so far */
    place to;
} round_state;

/* What may be spent here. */
static int64_t left(const round_state* r)
{
    return step_left(r->s) - STEP_RESERVE;
}

static void offer(round_state* r, const tree_node* n, const leaf_view* v)
{
    if (!v->foot || !(v->bound < r->best)) return;
    if (n->kind == WIT_FACE && n->tag != TRIM_IN) {
        if (!wi_side_contains(r->body, WIT_FACE, n->feature, v->x[0], v->x[1])) return;
    }
    r->best = v->bound;
    r->to = (place){.kind = n->kind, .id = n->feature, .x = {v->x[0], v->x[1]}};
}

static leaf_view look_at_leaf(round_state* r, const tree_node* n, const double* x)
{
    leaf_view v;
    wi_leaf_look(r->body, r->q, n, x, r->distance, r->s->t->size, &v);
    step_boxes(r->s, 1);
    offer(r, n, &v);
    return v;
}

/* All below an inner node: a lower bound of its distance, and how far the point may move before it matters. */
static double look_below(round_state* r, int32_t root, double* rest)
{
    const tree_node* nodes = body_nodes(r->body->body);
    int32_t stack[DEPTH];
    int count = 0;
    double least = INFINITY;
    *rest = INFINITY;
    stack[count++] = root;
    while (count) {
        int32_t index = stack[--count];
        const tree_node* n = &nodes[index];
        double d = sqrt(box_square(&n->box, r->q)), free = 0.5 * (d - r->distance);
        step_boxes(r->s, 1);
        if (index == r->own) continue;
        bool near = free < 0 && left(r) > LEAF_LOOK_MOST;
        if (near && n->child[0] < 0) {
            leaf_view v = look_at_leaf(r, n, NULL);
            d = larger(d, v.bound);
            free = larger(v.rest, 0.5 * (d - r->distance));
        } else if (near && count + 2 <= DEPTH) {
            stack[count++] = n->child[1];
            stack[count++] = n->child[0];
            continue;
        }
        least = smaller(least, d);
        *rest = smaller(*rest, free);
    }
    return least;
}

/* ---- neighbours of the own leaf ------------------------------------------------------------ */

static double angle_between(wit_vec3 a, wit_vec3 b)
{
    return wit_atan2(norm3(cross3(a, b)), dot3(a, b));
}

static wit_interval wider(wit_interval x)
{
    return iv(x.lo - iv_width(x), x.hi + iv_width(x));
}

static bool meet(wit_interval a, wit_interval b, bool closed, double period)
{
    if (a.lo <= b.hi && b.lo <= a.hi) return true;
    return closed &&
           ((a.lo <= b.hi - period && b.lo - period <= a.hi) || (a.lo <= b.hi + period && b.lo + period <= a.hi));
}

/* The largest curvature at the middle and the corners of a leaf, and the cone of its normals there: it is one smooth piece, and
 * bends little. */
static void see_bend(round_state* r, candidate* c)
{
    const tree_node* n = &body_nodes(r->body->body)[c->node];
    if (c->bend >= 0) return;
    c->bend = c->normals.angle = 0;
    for (int k = 4; k >= 0; --k) {
        bool high_u = k < 4 && (k & 1), high_v = k < 4 && (k & 2);
        double u = k == 4   ? iv_mid(n->u)
                   : high_u ? n->u.hi
                            : n->u.lo,
               v = k == 4   ? iv_mid(n->v)
                   : high_v ? n->v.hi
                            : n->v.lo;
        unsigned below = (high_u ? (unsigned)WIT_KNOT_U_BELOW : 0U) | (high_v ? (unsigned)WIT_KNOT_V_BELOW : 0U);
        tangent_chart t = wi_chart_at(r->body, &(place){.kind = WIT_FACE, .id = n->feature, .u = u, .v = v}, below);
        if (t.n != 2) {
            c->bend = INFINITY;
            return;
        }
        wit_vec3 normal = cross3(t.e[0], t.e[1]);
        if (k == 4) c->normals.axis = normal;
        c->normals.angle = larger(c->normals.angle, angle_between(c->normals.axis, normal));
        double a = dot3(t.k[0], normal), b = dot3(t.k[1], normal), d = dot3(t.k[2], normal), half = 0.5 * (a - d);
        c->bend = larger(c->bend, fabs(0.5 * (a + d)) + sqrt(half * half + b * b));
    }
}

/*
 * A leaf beside the own one, or next to that, on the same face. Let n be the normal at the witness p, q = p + d n, and y another foot,
 * q = y + s m, |s| <= d, m the normal there. Across n, y is x = |s| sin(n, m) away from p; and along the face the normal turns by
 * no more than the curvature times the way, which is at most x / cos of the turn. So with d times the curvature below 1/2
 * the turn is below 0.6 all the way, and there is no such y. It stays so while the witness is in its leaf and not much
 * farther. Returns by how much, or 0.
 */
static double kin_hold(round_state* r, candidate* c)
{
    const wit_body* b = r->body->body;
    if (!r->home || r->s->t->at[0].kind != WIT_FACE) return 0;
    const tree_node *n = &body_nodes(b)[c->node], *own = &body_nodes(b)[r->own];
    if (n->kind != WIT_FACE || n->feature != own->feature) return 0;
    const wit_surface* s = body_surface(b, n->feature);
    if (!meet(n->u, wider(own->u), s->closed_u, iv_width(s->u)) ||
        !meet(n->v, wider(own->v), s->closed_v, iv_width(s->v)))
        return 0;
    see_bend(r, c);
    see_bend(r, r->home);
    const wit_cone *x = &c->normals, *y = &r->home->normals;
    double bend = larger(c->bend, r->home->bend);
    if (!(bend < INFINITY) || !(angle_between(x->axis, y->axis) + x->angle + y->angle < NEIGHBOUR_TURN)) return 0;
    return larger(0, bend > 0 ? KIN_BEND / bend - r->distance : 1e3 * r->s->t->size);
}

static void look_again(round_state* r, candidate* c)
{
    const tree_node* n = &body_nodes(r->body->body)[c->node];
    wit_vec3 none = {0, 0, 0};
    c->n = none;
    c->q = r->q;
    c->than = r->distance;
    c->spread = 1;
    c->neighbour = -1;
    if (n->child[0] >= 0) {
        c->value = look_below(r, c->node, &c->hold);
        return;
    }
    leaf_view v = look_at_leaf(r, n, c->sought ? c->x : NULL);
    c->value = v.bound;
    c->hold = v.rest;
    if (!v.foot) return;
    c->sought = true;
    memcpy(c->x, v.x, sizeof c->x);
    c->n = unit3(sub3(r->q, v.p));
    double size = norm3(sub3(n->box.hi, n->box.lo));
    if (c->value > size) c->spread = size / c->value;
}

/* ---- a round ------------------------------------------------------------------------------- */

/* How near it may be now, and how far the point may move from here before it matters: both distances change by no more
 * than that. */
static double bound_of(const candidate* c, wit_vec3 q, double distance, double* rest)
{
    *rest = -INFINITY;
    if (!(c->value > -INFINITY)) return -INFINITY;
    wit_vec3 moved = sub3(q, c->q);
    double length = norm3(moved), bound = c->value + larger(-length, dot3(c->n, moved) - c->spread * length);
    /* what was found against one witness holds for another that is no farther than that one may be by now */
    double hold = distance <= c->than + length ? c->hold - length : -INFINITY;
    *rest = larger(0.5 * (bound - distance), hold);
    return bound;
}

static void look_at_neighbour(round_state* r, candidate* c)
{
    double hold = kin_hold(r, c);
    if (!(hold > larger(0, c->rest))) return;
    c->neighbour = r->own;
    c->q = r->q;
    c->n = vec3(0, 0, 0);
    c->value = larger(0, c->bound);
    c->spread = 1;
    c->hold = c->rest = hold;
    c->than = r->distance;
}

/* The box instead, if it says more. */
static void look_at_box(const round_state* r, candidate* c)
{
    const wit_box* b = &body_nodes(r->body->body)[c->node].box;
    wit_vec3 q = r->q, p = vec3(smaller(b->hi.x, larger(b->lo.x, q.x)), smaller(b->hi.y, larger(b->lo.y, q.y)),
                                smaller(b->hi.z, larger(b->lo.z, q.z)));
    double d = norm3(sub3(q, p));
    double rest = 0.5 * (d - r->distance);
    step_boxes(r->s, 1);
    if (!(rest > c->rest)) return;
    c->value = c->bound = d;
    c->q = q;
    c->n = unit3(sub3(q, p));
    c->spread = c->hold = 0;
    c->neighbour = -1;
    c->rest = rest;
}

static bool holds(const tree_node* n, const place* at)
{
    if (n->child[0] >= 0 || n->kind != (uint8_t)at->kind || n->feature != at->id) return false;
    if (at->kind == WIT_VERTEX) return true;
    if (at->x[0] < n->u.lo || at->x[0] > n->u.hi) return false;
    return at->kind == WIT_EDGE || (at->x[1] >= n->v.lo && at->x[1] <= n->v.hi);
}

/* Is the witness still in its leaf? */
static bool at_home(candidate_list* l, const wit_tracker* t)
{
    return l->count && l->own >= 0 && holds(&body_nodes(t->body[0])[entries(l)[l->own].node], &t->at[0]);
}

/* The candidate that the witness is in; -1: none of them. */
static int32_t find_own(candidate_list* l, const wit_tracker* t)
{
    const candidate* c = entries(l);
    for (int32_t i = 0; i < l->count; ++i)
        if (holds(&body_nodes(t->body[0])[c[i].node], &t->at[0])) return i;
    return -1;
}

/* All candidates but the own one, or those that are next. */
typedef struct choice {
    candidate* all;
    const int32_t* index; /* null: all */
    int count, own;
} choice;

static candidate* chosen(const choice* x, int k)
{
    int i = x->index ? x->index[k] : k;
    return i == x->own ? NULL : &x->all[i];
}

/* The one that could be nearest, if it could be nearer than the best foot so far; null: there is none. */
static candidate* most_urgent(const round_state* r, const choice* x)
{
    candidate *c, *urgent = NULL;
    double least = r->best;
    for (int k = 0; k < x->count; ++k) {
        if (!(c = chosen(x, k)) || c->done || !(c->rest < 0) || !(c->bound < least)) continue;
        least = c->bound;
        urgent = c;
    }
    return urgent;
}

/* Looks at those that may be nearer than the witness: what is cheap early, so that there is rest for a while; then the most
 * urgent. */
static void look_at_them(round_state* r, const choice* x)
{
    candidate* c;
    const double eager = EAGER * r->s->t->size;
    for (int k = 0; k < x->count; ++k) {
        if (!(c = chosen(x, k))) continue;
        c->done = false;
        if (c->neighbour != r->own) c->hold = c->neighbour < 0 ? c->hold : 0;
        c->bound = bound_of(c, r->q, r->distance, &c->rest);
        if (c->rest < eager && left(r) > LEAF_LOOK_MOST) {
            look_at_box(r, c);
            if (c->rest < eager && c->neighbour < 0) look_at_neighbour(r, c);
        }
    }
    while ((c = most_urgent(r, x))) {
        if (left(r) < LEAF_LOOK_MOST) {
            r->s->flags |= WIT_FLAG_LOCAL; /* unknown: perhaps another one is nearer */
            return;
        }
        look_again(r, c);
        c->bound = bound_of(c, r->q, r->distance, &c->rest);
        c->done = true;
    }
}

/* Which of them are next. */
static void put_in_order(candidate_list* l)
{
    const candidate* c = entries(l);
    l->next_count = 0;
    l->least = INFINITY;
    for (int i = 0; i < l->count; ++i) {
        int k = l->next_count;
        if (i == l->own) continue;
        if (k == NEXT) {
            double last = c[l->next[NEXT - 1]].rest;
            l->least = smaller(l->least, larger(last, c[i].rest));
            if (!(c[i].rest < last)) continue;
            --k;
        } else {
            l->next_count++;
        }
        for (; k > 0 && c[l->next[k - 1]].rest > c[i].rest; --k) l->next[k] = l->next[k - 1];
        l->next[k] = i;
    }
}

/* Those that are next if that is enough, else all. */
static void look_around(round_state* r, candidate_list* l)
{
    wit_tracker* t = r->s->t;
    choice x = {entries(l), l->next, l->next_count, l->own};
    bool home = at_home(l, t);
    double moved = norm3(sub3(r->q, l->q));
    if (home && l->least > moved && r->distance <= l->than + moved) {
        r->home = x.all + l->own;
        r->own = r->home->node;
        look_at_them(r, &x);
        return;
    }
    if (!l->count) fill(l, t->body[0]);
    if (!home) l->own = find_own(l, t);
    choice all = {entries(l), NULL, l->count, l->own};
    r->home = l->own >= 0 ? &all.all[l->own] : NULL;
    r->own = r->home ? r->home->node : -1;
    look_at_them(r, &all);
    l->q = r->q;
    l->than = r->distance;
    put_in_order(l);
}

/* How far the point may move before one of them matters; negative: one may matter now, or the witness is in another leaf. */
static double rest_now(candidate_list* l, const wit_tracker* t, wit_vec3 q, double distance)
{
    if (!at_home(l, t)) return -INFINITY;
    const candidate* c = entries(l);
    double moved = norm3(sub3(q, l->q)), least = l->least - moved, rest;
    if (!(distance <= l->than + moved)) return -INFINITY;
    for (int k = 0; k < l->next_count; ++k) {
        bound_of(&c[l->next[k]], q, distance, &rest);
        least = smaller(least, rest);
    }
    return least;
}

/* How near the witness itself comes on its feature: a law on its way is not there yet. */
static double own_distance(round_state* r)
{
    const place* at = &r->s->t->at[0];
    if (r->s->outcome == WIT_OUTCOME_CONVERGED || left(r) < OWN_COST) return r->distance;
    side point = wi_side_of_point(r->q);
    place a = place_at(at->kind, at->id, at->x[0], at->x[1], vec3(0, 0, 0)), b = {.kind = WIT_POINT, .id = -1};
    refine_bounds bounds = wi_refine_bounds_of(r->body, &a, &point, &b);
    refined own;
    wi_refine_pair(r->body, &a, &point, &b, &bounds, (refine_effort){OWN_STEPS, 0}, &own);
    return own.distance;
}

/* Outside a convex body: before the face of the witness, or the edge of a planar body; other edges and all vertices carry a
 * witness only for points outside. */
static bool is_outside(const step* s)
{
    const wit_body* b = s->t->body[0];
    const place* at = &s->t->at[0];
    const moving* m = &s->at[0];
    wit_vec3 w = sub3(s->now.side[1].t, m->p), n;
    if (at->kind == WIT_FACE) {
        n = cross3(m->d[0], m->d[1]);
        return (m->reversed ? -1 : 1) * dot3(w, n) >= 0;
    }
    if (!b->planar || at->kind != WIT_EDGE) return true;
    /* to the right of the loop, in the plane of the region */
    n = cross3(m->d[0], body_surface(b, 0)->frame.z);
    return (body_uses(b)[edge_uses(b, at->id)[0]].reversed ? -1 : 1) * dot3(w, n) >= 0;
}

bool wi_candidate_jump(step* s, double distance)
{
    wit_tracker* t = s->t;
    t->free_travel = INFINITY;
    if (!t->candidates_at) return false;
    t->free_travel = 0;
    wit_vec3 q = s->now.side[1].t;
    distance = norm3(sub3(s->at[0].p, q));
    if (t->convex[0] && is_outside(s)) {
        t->free_travel = distance; /* until it may be inside */
        return false;
    }
    candidate_list* l = tracker_at(t, t->candidates_at);
    double rest = rest_now(l, t, q, distance);
    if (rest < 0) {
        double nearer = NEARER * step_scale(s, distance);
        round_state r = {.s = s, .body = &s->now.side[0], .q = q, .distance = distance, .best = distance - nearer};
        r.to.kind = WIT_POINT;
        look_around(&r, l);
        if (r.to.kind != WIT_POINT && r.best < own_distance(&r) - nearer) {
            place from = t->at[0];
            t->at[0] = r.to;
            s->fresh = false;
            s->held = 0;
            double time = t->law && t->law->jump_time ? t->law->jump_time(s, 0, &from, &r.to) : s->clock;
            wi_step_switched(s, 0, &from, distance, r.best, true, time);
            return true;
        }
        rest = rest_now(l, t, q, distance);
    }
    t->free_travel = larger(0, rest);
    return false;
}
