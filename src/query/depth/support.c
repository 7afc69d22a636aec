/* SPDX-License-Identifier: MIT */
/* The farthest place of a body along a direction. */
#include "support.h"

#include "../../base/solve.h"

enum { ITERATIONS = 12 };

typedef struct climb {
    const side* s;
    const wit_body* body;
    wit_vec3 n; /* in the body's frame */
    wit_work* work;
    double best; /* n.p, p in the body's frame */
    place at;
    bool partial;
    int32_t last_face, last_edge; /* closed forms serve a whole feature: not once per leaf */
} climb;

/* Would so many more units be too many? Then what was found is not all there is. */
static bool climb_ends(climb* c, int64_t units)
{
    c->partial = c->partial || side_spent(c->s, units);
    return c->partial;
}

static void offer(climb* c, wit_feature_kind kind, int32_t id, double u, double v, wit_vec3 p)
{
    double value = dot3(c->n, p);
    if (!(value > c->best)) return;
    c->best = value;
    c->at = place_at(kind, id, u, v, p);
}

/* x by whole turns into the range; false if it is not in it. */
static bool turn_into(double* x, wit_interval range)
{
    while (*x < range.lo) *x += TWO_PI;
    while (*x - TWO_PI >= range.lo) *x -= TWO_PI;
    return *x <= range.hi;
}

/* ---- edges ---------------------------------------------------------------------------------- */

static void offer_edge(climb* c, int32_t id, double t, unsigned which)
{
    wit_curve_jet j;
    wit_curve_eval(body_curve(c->body, id), t, which, NULL, &j);
    work_jets(c->work, 1);
    offer(c, WIT_EDGE, id, t, 0, j.p);
}

/* n.C = n.o + (a n.x) cos t + (b n.y) sin t */
static void climb_conic(climb* c, int32_t id)
{
    const wit_curve* curve = body_curve(c->body, id);
    if (c->last_edge == id) return;
    c->last_edge = id;
    double b = curve->kind == WIT_CURVE_CIRCLE ? curve->a : curve->b;
    double t = wit_atan2(b * dot3(c->n, curve->frame.y), curve->a * dot3(c->n, curve->frame.x));
    if (turn_into(&t, body_edges(c->body)[id].range)) offer_edge(c, id, t, WIT_KNOT_DEFAULT);
}

static void climb_curve(climb* c, int32_t id, wit_interval t)
{
    const wit_curve* curve = body_curve(c->body, id);
    double x = iv_mid(t);
    wit_curve_jet j;
    wit_hint hint = {{0}};
    for (int k = 0; k < ITERATIONS && !climb_ends(c, 1); ++k) {
        wit_curve_eval(curve, x, x >= t.hi ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, &hint, &j);
        work_jets(c->work, 1);
        offer(c, WIT_EDGE, id, x, 0, j.p);
        double slope = dot3(c->n, j.d1), bend = dot3(c->n, j.d2);
        double next = bend < 0 ? x - slope / bend : slope > 0 ? t.hi : t.lo;
        next = smaller(t.hi, larger(t.lo, next));
        if (fabs(next - x) <= 2 * DBL_EPSILON * larger(fabs(x), iv_width(t))) break;
        x = next;
    }
}

static void climb_edge(climb* c, const tree_node* leaf)
{
    switch (body_curve(c->body, leaf->feature)->kind) {
    case WIT_CURVE_LINE: /* its ends are vertices */
        break;
    case WIT_CURVE_CIRCLE:
    case WIT_CURVE_ELLIPSE:
        climb_conic(c, leaf->feature);
        break;
    default:
        climb_curve(c, leaf->feature, leaf->u);
    }
}

/* ---- faces ---------------------------------------------------------------------------------- */

static void offer_face(climb* c, int32_t id, double u, double v)
{
    wit_surface_jet j;
    if (!wi_side_contains(c->s, WIT_FACE, id, u, v) || climb_ends(c, 1)) return;
    wit_surface_eval(body_surface(c->body, id), u, v, WIT_KNOT_DEFAULT, NULL, &j);
    work_jets(c->work, 1);
    offer(c, WIT_FACE, id, u, v, j.p);
}

/*
 * Sphere and ellipsoid o + a cos v cos u x + b cos v sin u y + c sin v z, torus o + (a + b cos v) e(u) + b sin v z: the
 * one place where n is the normal that points away from the middle (of the tube).
 */
static void climb_round(climb* c, int32_t id)
{
    const wit_surface* s = body_surface(c->body, id);
    const body_face* f = &body_faces(c->body)[id];
    if (c->last_face == id) return;
    c->last_face = id;
    bool ellipsoid = s->kind == WIT_SURFACE_ELLIPSOID;
    double x = (ellipsoid ? s->a : 1) * dot3(c->n, s->frame.x), y = (ellipsoid ? s->b : 1) * dot3(c->n, s->frame.y);
    double z = (ellipsoid ? s->c : 1) * dot3(c->n, s->frame.z);
    double u = wit_atan2(y, x), v = wit_atan2(z, sqrt(x * x + y * y));
    if (turn_into(&u, f->u) && turn_into(&v, f->v)) offer_face(c, id, u, v);
}

static void climb_surface(climb* c, const tree_node* leaf)
{
    const wit_surface* s = body_surface(c->body, leaf->feature);
    double u = iv_mid(leaf->u), v = iv_mid(leaf->v);
    wit_surface_jet j;
    wit_hint hint = {{0}};
    for (int k = 0; k < ITERATIONS && !climb_ends(c, 1); ++k) {
        unsigned which =
            (u >= leaf->u.hi ? (unsigned)WIT_KNOT_U_BELOW : 0U) | (v >= leaf->v.hi ? (unsigned)WIT_KNOT_V_BELOW : 0U);
        wit_surface_eval(s, u, v, which, &hint, &j);
        work_jets(c->work, 1);
        if (dot3(c->n, j.p) > c->best &&
            (leaf->tag == TRIM_IN || wi_side_contains(c->s, WIT_FACE, leaf->feature, u, v)))
            offer(c, WIT_FACE, leaf->feature, u, v, j.p);
        double H[4] = {-dot3(c->n, j.duu), -dot3(c->n, j.duv), 0, -dot3(c->n, j.dvv)};
        H[2] = H[1];
        double g[2] = {-dot3(c->n, j.du), -dot3(c->n, j.dv)};
        double lo[2] = {leaf->u.lo - u, leaf->v.lo - v}, hi[2] = {leaf->u.hi - u, leaf->v.hi - v};
        bounded_step step = wi_bounded_minimum(2, H, g, lo, hi);
        u = smaller(leaf->u.hi, larger(leaf->u.lo, u + step.d[0]));
        v = smaller(leaf->v.hi, larger(leaf->v.lo, v + step.d[1]));
        double small_u = 2 * DBL_EPSILON * larger(fabs(u), iv_width(leaf->u));
        double small_v = 2 * DBL_EPSILON * larger(fabs(v), iv_width(leaf->v));
        if (fabs(step.d[0]) <= small_u && fabs(step.d[1]) <= small_v) break;
    }
}

static void climb_face(climb* c, const tree_node* leaf)
{
    switch (body_surface(c->body, leaf->feature)->kind) {
    case WIT_SURFACE_PLANE: /* ruled: what is farthest reaches the border */
    case WIT_SURFACE_CYLINDER:
    case WIT_SURFACE_CONE:
    case WIT_SURFACE_EXTRUSION:
        break;
    case WIT_SURFACE_SPHERE:
    case WIT_SURFACE_ELLIPSOID:
    case WIT_SURFACE_TORUS:
        climb_round(c, leaf->feature);
        break;
    default:
        climb_surface(c, leaf);
    }
}

/* ---- the walk ------------------------------------------------------------------------------- */

static bool joins(const wit_body* b, const tree_node* leaf)
{
    return leaf->kind != WIT_FACE || !b->planar;
}

static void climb_leaf(climb* c, const tree_node* leaf)
{
    if (leaf->kind == WIT_VERTEX)
        offer(c, WIT_VERTEX, leaf->feature, 0, 0, body_vertices(c->body)[leaf->feature].point);
    else if (leaf->kind == WIT_EDGE)
        climb_edge(c, leaf);
    else if (joins(c->body, leaf))
        climb_face(c, leaf);
}

/* A node and the most of n.p over its box. */
typedef struct open_node {
    double most;
    int32_t node;
} open_node;

support wi_support_of(const side* s, wit_vec3 n, wit_work* work)
{
    climb c = {.s = s, .body = s->body, .n = side_unvector(s, n), .work = work, .best = -INFINITY};
    c.last_face = c.last_edge = -1;
    const tree_node* nodes = body_nodes(s->body);
    open_node open[TREE_DEPTH];
    int count = 0;
    if (s->body->node_count && !climb_ends(&c, ITERATIONS)) {
        open[count++] = (open_node){INFINITY, 0};
        work_boxes(work, 1);
    }
    while (count) {
        open_node next = open[--count];
        if (!(next.most > c.best)) continue;
        if (side_spent(s, ITERATIONS)) {
            c.partial = true;
            break;
        }
        if (!node_faces(s->body, next.node, c.n)) continue;
        const tree_node* node = &nodes[next.node];
        if (node->child[0] < 0) {
            climb_leaf(&c, node);
            continue;
        }
        if (count + 2 > TREE_DEPTH) continue; /* no tree of wi_tree_build is that deep */
        /* the farther box first */
        double most[2] = {box_most(&nodes[node->child[0]].box, c.n), box_most(&nodes[node->child[1]].box, c.n)};
        int first = most[0] >= most[1] ? 0 : 1;
        work_boxes(work, 2);
        if (most[1 - first] > c.best) open[count++] = (open_node){most[1 - first], node->child[1 - first]};
        if (most[first] > c.best) open[count++] = (open_node){most[first], node->child[first]};
    }
    support r = {c.at, 0, c.partial || side_spent(s, ITERATIONS)};
    r.at.p = side_point(s, c.at.p);
    r.value = c.best > -INFINITY ? dot3(n, r.at.p) : -INFINITY;
    return r;
}
