/* SPDX-License-Identifier: MIT */
/*
 * An upper bound of a support function. Leaves are cut into parameter boxes until the range of n.p over each is below what
 * was found, or a slope of n.p has one sign over the box: then no farthest place lies inside it.
 */
#include "support.h"

enum { BOXES = 256, CUTS = 4000 };

typedef struct piece {
    wit_feature_kind kind;
    int32_t id;
    wit_interval u, v;
    bool mixed; /* trims run through it */
} piece;

typedef struct ceiling {
    const wit_body* body;
    int64_t units; /* that the account may reach; 0: no limit */
    wit_vec3 n;
    double enough; /* bounds up to here are good enough */
    double upper;
    int cuts; /* left */
    wit_work* work;
    piece open[BOXES];
    int count;
} ceiling;

static bool one_sign(wit_interval slope)
{
    return slope.lo > 0 || slope.hi < 0;
}

/* No further digits to be had from cutting: a parameter range of rounding, or a range of n.p that is. */
static bool tiny(wit_interval x)
{
    return iv_width(x) <= 16 * DBL_EPSILON * iv_mag(x);
}

static void raise(ceiling* c, double value)
{
    c->upper = larger(c->upper, value);
}

static void push(ceiling* c, piece p, double bound)
{
    if (c->count < BOXES)
        c->open[c->count++] = p;
    else
        raise(c, bound);
}

static void cut(ceiling* c, const piece* p, bool along_v, double bound)
{
    piece lo = *p, hi = *p;
    wit_interval* range = along_v ? &lo.v : &lo.u;
    double middle = iv_mid(*range);
    range->hi = middle;
    *(along_v ? &hi.v.lo : &hi.u.lo) = middle;
    push(c, lo, bound);
    push(c, hi, bound);
}

static void look_at_curve(ceiling* c, const piece* p)
{
    const wit_vec3 axes[3] = {c->n, {0, 0, 0}, {0, 0, 0}};
    const wit_curve* curve = body_curve(c->body, p->id);
    curve_enclosure e;
    work_tests(c->work, 1);
    wi_curve_enclose(curve, p->u, axes, &e);
    double most = e.d[0][0].hi;
    if (most <= c->enough || tiny(p->u) || tiny(e.d[0][0]) || c->cuts <= 0) {
        raise(c, most);
        return;
    }
    if (!one_sign(e.d[1][0])) {
        cut(c, p, false, most);
        return;
    }
    /* the ends: beyond them the curve may have a kink */
    for (int k = 0; k < 2; ++k) {
        work_tests(c->work, 1);
        wi_curve_enclose(curve, iv_point(k ? p->u.hi : p->u.lo), axes, &e);
        raise(c, e.d[0][0].hi);
    }
}

static void look_at_surface(ceiling* c, piece* p)
{
    const wit_vec3 axes[3] = {c->n, {0, 0, 0}, {0, 0, 0}};
    surface_enclosure e;
    if (p->mixed) {
        const body_face* f = &body_faces(c->body)[p->id];
        trim_curves curves = body_trim_curves(c->body, f);
        curves.work = c->work;
        curves.units = work_less(c->units, 1); /* for the enclosure */
        work_tests(c->work, 1);
        trim_tag tag = wi_trim_classify(&f->trim, body_at(c->body, f->trim_block), &curves, p->u, p->v);
        if (tag == TRIM_OUT) return;
        p->mixed = tag == TRIM_MIXED;
    }
    work_tests(c->work, 1);
    wi_surface_enclose(body_surface(c->body, p->id), p->u, p->v, axes, &e);
    double most = e.d[D00][0].hi;
    if (most > c->enough && (one_sign(e.d[D10][0]) || one_sign(e.d[D01][0])))
        return; /* edges have pieces of their own */
    double wide_u = tiny(p->u) ? 0 : iv_mag(e.d[D10][0]) * iv_width(p->u);
    double wide_v = tiny(p->v) ? 0 : iv_mag(e.d[D01][0]) * iv_width(p->v);
    if (most <= c->enough || tiny(e.d[D00][0]) || !(larger(wide_u, wide_v) > 0) || c->cuts <= 0)
        raise(c, most);
    else
        cut(c, p, wide_v > wide_u, most);
}

static bool work_spent(const ceiling* c)
{
    enum { PIECE = 4 }; /* a node, a trim test and an enclosure, or three */
    return c->units && work_left(c->work, c->units) < PIECE;
}

static void look_at_leaf(ceiling* c, const tree_node* leaf)
{
    if (leaf->kind == WIT_VERTEX) {
        raise(c, dot3(c->n, body_vertices(c->body)[leaf->feature].point));
        return;
    }
    if (leaf->kind == WIT_FACE && c->body->planar) return;
    piece first = {(wit_feature_kind)leaf->kind, leaf->feature, leaf->u, leaf->v, leaf->tag == TRIM_MIXED};
    push(c, first, INFINITY);
    while (c->count) {
        if (work_spent(c)) { /* all that is left of the leaf lies in its box */
            raise(c, box_most(&leaf->box, c->n));
            c->count = 0;
            return;
        }
        piece p = c->open[--c->count];
        c->cuts--;
        work_nodes(c->work, 1);
        if (p.kind == WIT_EDGE)
            look_at_curve(c, &p);
        else
            look_at_surface(c, &p);
    }
}

double wi_support_upper(const side* s, wit_vec3 n, double value, double slack, int64_t cuts, wit_work* work)
{
    ceiling c; /* its list is long: not cleared */
    c.body = s->body;
    c.units = s->units;
    c.n = side_unvector(s, n);
    c.work = work;
    c.count = 0;
    c.cuts = cuts < CUTS ? (int)(cuts < 0 ? 0 : cuts) : CUTS;
    double shift = dot3(n, s->t), reached = value - shift;
    c.enough = reached + slack;
    c.upper = reached;
    const tree_node* nodes = body_nodes(s->body);
    tree_walk walk;
    for (tree_walk_start(&walk, s->body->node_count); walk.count;) {
        int32_t i = tree_walk_next(&walk);
        const tree_node* node = &nodes[i];
        double most = box_most(&node->box, c.n);
        if (c.units && work_left(work, c.units) < 1) {
            raise(&c, most);
            continue;
        }
        work_boxes(work, 1);
        if (!node_faces(s->body, i, c.n)) continue;
        if (most <= c.enough)
            raise(&c, smaller(most, c.enough));
        else if (node->child[0] < 0)
            look_at_leaf(&c, node);
        else if (!tree_walk_down(&walk, node, 1))
            raise(&c, most);
    }
    return c.upper + shift;
}
