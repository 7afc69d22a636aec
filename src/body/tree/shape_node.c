/* SPDX-License-Identifier: MIT */
/* Shapes of pieces, from the enclosures of src/geom: nothing is sampled. */
#include "shape_node.h"

#include <string.h>

#include "../../geom/bounds.h"
#include "../../geom/spline_piece.h"
#include "graph_form.h"

#define ROUNDING (32 * DBL_EPSILON) /* of sums of up to a dozen products, of their magnitudes */
/* Above this angle a cone excludes nothing that is worth the look. Lean: the axis as floats, roundings of tangents, and the
 * turn of normals across a crease. */
#define WIDEST 1.4
#define LEAN 1e-6
#define STEEPEST 1.2 /* lean of normals with which curvatures are told */

static const wit_vec3 COORDINATES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* ---- directed rounding --------------------------------------------------------------------- */

/* A unit in the last place more than x, and then the nearest: not below x. */
static float up(double x)
{
    if (fabs(x) < 0x1p-120) return x > 0 ? 0x1p-120f : 0;
    return (float)(x + fabs(x) * 0x1p-23);
}

static float down(double x)
{
    return -up(-x);
}

/* A length that is computed in doubles, with the rounding of the computation. */
static float length_up(double x)
{
    return up(x * (1 + ROUNDING));
}

/* Stores the vector; returns how far off the floats are at most. */
static double store(wit_vec3 v, float out[3])
{
    const double x[3] = {v.x, v.y, v.z};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        out[k] = (float)x[k];
        square += (x[k] - out[k]) * (x[k] - out[k]);
    }
    return sqrt(square) * (1 + ROUNDING);
}

/* ---- from intervals along three axes ------------------------------------------------------- */

static double length_most(const wit_interval d[3])
{
    double x = iv_mag(d[0]), y = iv_mag(d[1]), z = iv_mag(d[2]);
    return sqrt(x * x + y * y + z * z) * (1 + ROUNDING);
}

/* The middle as a vector, and the largest distance from it. The axes are orthonormal to a few roundings. */
static wit_vec3 middle_of(const wit_interval d[3], const wit_vec3 axes[3], double* off)
{
    double m[3], square = 0;
    for (int k = 0; k < 3; ++k) {
        m[k] = iv_mid(d[k]);
        square += 0.25 * iv_width(d[k]) * iv_width(d[k]);
    }
    *off = sqrt(square) * (1 + ROUNDING) + ROUNDING * length_most(d);
    return addscaled3(addscaled3(scale3(m[0], axes[0]), m[1], axes[1]), m[2], axes[2]);
}

static wit_interval product(const wit_interval a[3], const wit_interval b[3], bool same)
{
    wit_interval sum = iv(0, 0);
    for (int k = 0; k < 3; ++k) sum = iv_add(sum, same ? iv_square(a[k]) : iv_mul(a[k], b[k]));
    return iv_widen(sum, ROUNDING * length_most(a) * length_most(b));
}

static void store_box(const wit_interval d[3], shape_node* out)
{
    for (int k = 0; k < 3; ++k) {
        out->box_lo[k] = down(d[k].lo);
        out->box_hi[k] = up(d[k].hi);
    }
}

static void store_width(wit_interval x, double middle, float* h)
{
    *h = up(larger(x.hi - middle, middle - x.lo) * (1 + 2 * DBL_EPSILON));
}

/* What holds at the middle: point, and `count` tangents. */
static void store_middle(const wit_interval p[3], const wit_interval (*d1)[3], int count, shape_node* out)
{
    double off;
    wit_vec3 at = middle_of(p, COORDINATES, &off);
    out->p[0] = at.x, out->p[1] = at.y, out->p[2] = at.z;
    out->p_error = length_up(off);
    for (int i = 0; i < count; ++i) {
        wit_vec3 t = middle_of(d1[i], COORDINATES, &off);
        off += store(t, out->d1[i]);
        out->d1_error[i] = length_up(off);
    }
}

/* (S - p) along the axes. */
static void offsets(const wit_interval s[3], const wit_vec3 axes[3], const shape_node* n, wit_interval out[3])
{
    wit_vec3 p = shape_point(n);
    for (int k = 0; k < 3; ++k) {
        double along = dot3(axes[k], p);
        out[k] = iv_widen(iv_sub(s[k], iv_point(along)), ROUNDING * (norm3(p) + iv_mag(s[k])));
    }
}

/* Second derivative k (of S_i, S_j) and the form that goes with it. */
static void store_second(const wit_interval d2[3], const wit_interval product_ij, const wit_interval off[3],
                         const wit_vec3 axes[3], int k, shape_node* out)
{
    double any;
    wit_vec3 m = middle_of(d2, axes, &any);
    double error = store(m, out->d2[k]) + ROUNDING * length_most(d2);
    double x = 0.5 * iv_width(d2[0]), y = 0.5 * iv_width(d2[1]), z = 0.5 * iv_width(d2[2]),
           across = sqrt(x * x + y * y);
    error += SHAPE_ROUNDING * (norm3(m) + across + z);
    out->d2_along[k] = length_up(z + LEAN * (across + z) + error); /* the axis as floats leans */
    out->d2_across[k] = length_up(across + LEAN * (across + z) + error);
    wit_interval form = iv_add(product_ij, product(off, d2, false));
    form = iv_widen(form, ROUNDING * (iv_mag(product_ij) + iv_mag(form)) + 2 * SHAPE_ROUNDING * iv_mag(form));
    out->form_lo[k] = down(form.lo);
    out->form_hi[k] = up(form.hi);
}

/* ---- the pieces ---------------------------------------------------------------------------- */

/* The frame of the cone, first axis along S_u: products of tangents have small parts there. */
static void frame_of(const shape_node* n, const wit_cone* cone, wit_vec3 axes[3])
{
    wit_vec3 du = shape_vector(n->d1[0]);
    axes[2] = cone->angle < WIDEST ? cone->axis : unit3(cross3(du, shape_vector(n->d1[1])));
    if (!(dot3(axes[2], axes[2]) > 0.5)) axes[2] = vec3(0, 0, 1);
    axes[0] = unit3(addscaled3(du, -dot3(du, axes[2]), axes[2]));
    if (!(dot3(axes[0], axes[0]) > 0.5))
        complete3(axes[2], &axes[0], &axes[1]);
    else
        axes[1] = cross3(axes[2], axes[0]);
}

static void store_cone(const wit_cone* cone, const wit_interval off[3], shape_node* out)
{
    double sine, cosine;
    out->tangent = INFINITY;
    if (!(cone->angle < WIDEST)) return;
    wit_sincos(cone->angle + LEAN, &sine, &cosine);
    out->tangent = length_up(sine / cosine);
    /* the axis as floats leans by less than LEAN: so much of the one is seen in the other */
    double across = sqrt(iv_mag(off[0]) * iv_mag(off[0]) + iv_mag(off[1]) * iv_mag(off[1])), along = iv_mag(off[2]);
    out->across = length_up(across + LEAN * (across + along));
    out->along = length_up(along + LEAN * (across + along));
}

/* Curvatures are those of the surface over the plane across the axis, or less: its lean makes those larger. */
static void store_bend(const wit_cone* cone, const surface_enclosure* e, shape_node* out)
{
    graph_form form = {.lean = out->tangent};
    out->bend_up = out->bend_down = INFINITY;
    if (!(cone->angle < STEEPEST) || !wi_graph_chart((const wit_interval(*)[3]) & e->d[D10], &form)) return;
    wi_graph_bend((const wit_interval(*)[3]) & e->d[D20], &form);
    if (!isfinite(form.up + form.down)) return;
    out->bend_up = length_up(form.up);
    out->bend_down = length_up(form.down);
}

/* Speeds, and what looks may round. */
static void store_speed(const wit_interval d1[3], int i, shape_node* out)
{
    out->speed[i] = up(length_most(d1));
    out->d1_error[i] = length_up(out->d1_error[i] + SHAPE_ROUNDING * out->speed[i]);
}

/* What floats can't hold bounds nothing: a piece that is only its box. */
static void settle(shape_node* n)
{
    double sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += fabs(n->p[k]) + n->d2_along[k] + n->d2_across[k] + fabsf(n->form_lo[k]) + fabsf(n->form_hi[k]);
    for (int k = 0; k < 2; ++k) sum += n->h[k] + n->d1_error[k] + n->speed[k];
    for (int k = 0; k < 3; ++k) sum += fabsf(n->d2[k][0]) + fabsf(n->d2[k][1]) + fabsf(n->d2[k][2]);
    n->boxed = !isfinite(sum + n->p_error + n->radius);
}

/* Where intervals of a box of a face come from: its own net, if it is part of one cell of a spline. */
typedef struct source {
    const wit_surface* surface;
    wit_interval u, v;
    bool one;
    spline_piece piece;
} source;

/* Its middle and its box. */
static void begin_face(source* s, shape_node* out)
{
    surface_enclosure e;
    wit_interval box[3];
    if (s->one)
        wi_spline_piece_middle(&s->piece, e.d);
    else
        wi_surface_enclose_to(s->surface, iv_point(iv_mid(s->u)), iv_point(iv_mid(s->v)), COORDINATES, D20, &e);
    store_middle(e.d[D00], (const wit_interval(*)[3]) & e.d[D10], 2, out);
    if (s->one) {
        wi_spline_piece_box(&s->piece, box);
        store_box(box, out);
    } else {
        wi_surface_enclose_to(s->surface, s->u, s->v, COORDINATES, D10, &e);
        store_box(e.d[D00], out);
    }
}

/* The cone of its normals, and D00 to D02 along axes that go with it. */
static void enclose_face(source* s, const shape_node* n, wit_cone* cone, wit_vec3 axes[3], surface_enclosure* e)
{
    if (s->one) { /* about the normal at the middle, as wi_surface_normal_cone has it */
        *cone = (wit_cone){unit3(cross3(shape_vector(n->d1[0]), shape_vector(n->d1[1]))), 0};
        if (!(dot3(cone->axis, cone->axis) > 0.5)) cone->angle = INFINITY;
        frame_of(n, cone, axes);
        wi_spline_piece_enclose(&s->piece, axes, e->d);
        wi_cone_of_products((const wit_interval(*)[3])e->d, axes[2], cone);
        return;
    }
    wi_surface_normal_cone(s->surface, s->u, s->v, cone);
    frame_of(n, cone, axes);
    wi_surface_enclose_to(s->surface, s->u, s->v, axes, D30, e);
}

void wi_shape_node_face(const wit_surface* surface, wit_interval u, wit_interval v, double crease, shape_node* out)
{
    surface_enclosure e;
    wit_interval off[3];
    wit_vec3 axes[3];
    wit_cone cone;
    source s;
    s.surface = surface;
    s.u = u, s.v = v;
    s.one = wi_spline_piece_make(surface, u, v, &s.piece);
    memset(out, 0, sizeof *out);
    out->parameters = 2;
    out->crease = up(crease);
    store_width(u, iv_mid(u), &out->h[0]);
    store_width(v, iv_mid(v), &out->h[1]);
    begin_face(&s, out);
    enclose_face(&s, out, &cone, axes, &e);
    store(axes[2], out->axis);
    offsets(e.d[D00], axes, out, off);
    out->radius = up(length_most(off));
    store_speed(e.d[D10], 0, out);
    store_speed(e.d[D01], 1, out);
    store_second(e.d[D20], product(e.d[D10], e.d[D10], true), off, axes, 0, out);
    store_second(e.d[D11], product(e.d[D10], e.d[D01], false), off, axes, 1, out);
    store_second(e.d[D02], product(e.d[D01], e.d[D01], true), off, axes, 2, out);
    store_cone(&cone, off, out);
    store_bend(&cone, &e, out);
    settle(out);
}

void wi_shape_node_edge(const wit_curve* c, wit_interval t, double crease, shape_node* out)
{
    curve_enclosure e;
    wit_interval off[3];
    wit_vec3 axes[3];
    double m = iv_mid(t);
    memset(out, 0, sizeof *out);
    out->parameters = 1;
    out->crease = up(crease);
    out->tangent = INFINITY;
    store_width(t, m, &out->h[0]);
    wi_curve_enclose_to(c, iv_point(m), COORDINATES, 2, &e);
    store_middle(e.d[0], (const wit_interval(*)[3]) & e.d[1], 1, out);
    wi_curve_enclose_to(c, t, COORDINATES, 1, &e);
    store_box(e.d[0], out);
    axes[2] = unit3(shape_vector(out->d1[0]));
    if (!(dot3(axes[2], axes[2]) > 0.5)) axes[2] = vec3(0, 0, 1);
    complete3(axes[2], &axes[0], &axes[1]);
    store(axes[2], out->axis);
    wi_curve_enclose_to(c, t, axes, 3, &e);
    offsets(e.d[0], axes, out, off);
    out->radius = up(length_most(off));
    store_speed(e.d[1], 0, out);
    store_second(e.d[2], product(e.d[1], e.d[1], true), off, axes, 0, out);
    settle(out);
}

void wi_shape_node_vertex(wit_vec3 point, shape_node* out)
{
    const wit_interval p[3] = {iv_point(point.x), iv_point(point.y), iv_point(point.z)};
    memset(out, 0, sizeof *out);
    out->p[0] = point.x, out->p[1] = point.y, out->p[2] = point.z;
    out->tangent = INFINITY;
    store_box(p, out);
}

void wi_shape_node_box(const wit_box* box, shape_node* out)
{
    const wit_interval d[3] = {iv(box->lo.x, box->hi.x), iv(box->lo.y, box->hi.y), iv(box->lo.z, box->hi.z)};
    memset(out, 0, sizeof *out);
    out->boxed = true;
    out->tangent = INFINITY;
    store_box(d, out);
}

void wi_shape_node_move(shape_node* n, double by)
{
    if (by > 0) n->p_error = length_up(n->p_error + by);
}
