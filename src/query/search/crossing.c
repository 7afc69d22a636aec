/* SPDX-License-Identifier: MIT */
/*
 * F(x) = f - g has a zero in a box about m if Krawczyk's operator maps the box into itself: with any matrix C, here the inverse
 * of the Jacobian J at the middle, and J(X) all Jacobians over the box,
 *
 *     |C F(m)|_i + sum_j |1 - C J(X)|_ij rho_j  <=  rho_i.
 *
 * F has three components, x three of the parameters: of two faces one parameter is kept. Of two edges in planes that coincide
 * the third unknown is a shift along the normal, which bounds how far apart they are where they cross.
 *
 * F(m) and J(X) come from enclosures along the axes of the search; the error of a side is added to F(m), that of a turned
 * vector (base/pose.h) to the columns of J(X). Creases within the box do no harm: J(X) holds the derivatives of both sides,
 * and the mean value of a Lipschitz function is in their hull.
 */
#include "crossing.h"

#include <string.h>

/* A side's share: its point, and the derivatives by its parameters. */
typedef struct share {
    wit_interval p[3], d[2][3];
} share;

static void enclose(const side* s, const place* at, const double rho[2], share* out)
{
    const wit_vec3 axes[3] = {s->x, s->y, s->z};
    wit_interval u = iv(at->u - rho[0], at->u + rho[0]), v = iv(at->v - rho[1], at->v + rho[1]);
    side_tests(s, 1);
    if (at->kind == WIT_FACE) {
        surface_enclosure e;
        wi_surface_enclose(body_surface(s->body, at->id), u, v, axes, &e);
        memcpy(out->p, e.d[D00], sizeof out->p);
        memcpy(out->d[0], e.d[D10], sizeof out->d[0]);
        memcpy(out->d[1], e.d[D01], sizeof out->d[1]);
    } else {
        curve_enclosure e;
        wi_curve_enclose(body_curve(s->body, at->id), u, axes, &e);
        memcpy(out->p, e.d[0], sizeof out->p);
        memcpy(out->d[0], e.d[1], sizeof out->d[0]);
    }
    double t[3] = {s->t.x, s->t.y, s->t.z};
    for (int k = 0; k < 3 && s->moved; ++k) out->p[k] = iv_add(out->p[k], iv_point(t[k]));
}

/* The box of parameters lies within the feature. */
static bool within_feature(const side* s, const place* at, const double rho[2])
{
    wit_interval range[2], box[2];
    bool closed[2];
    wi_side_range(s, at->kind, at->id, range, closed);
    for (int k = 0; k < place_count(at); ++k) {
        box[k] = iv(at->x[k] - rho[k], at->x[k] + rho[k]);
        if (!closed[k] && !(box[k].lo >= range[k].lo && box[k].hi <= range[k].hi)) return false;
    }
    if (at->kind != WIT_FACE || !body_faces(s->body)[at->id].trimmed) return true;
    const body_face* f = &body_faces(s->body)[at->id];
    trim_curves curves = body_trim_curves(s->body, f);
    curves.work = s->work;
    curves.units = s->units;
    side_tests(s, 1);
    return wi_trim_classify(&f->trim, body_at(s->body, f->trim_block), &curves, box[0], box[1]) == TRIM_IN;
}

/* One unknown: a parameter of a side, or (side -1) the shift along `along`. */
typedef struct unknown {
    int side, parameter;
    wit_vec3 along;
} unknown;

static wit_vec3 column(const unknown* x, const wit_surface_jet jet[2])
{
    if (x->side < 0) return x->along;
    const wit_surface_jet* j = &jet[x->side];
    wit_vec3 d = x->parameter ? j->dv : j->du;
    return x->side ? scale3(-1, d) : d;
}

/* Three unknowns with the largest volume for their lengths. */
static bool choose(const search_task* t, const place at[2], const wit_surface_jet jet[2], unknown out[3])
{
    unknown all[4];
    int n = 0;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < place_count(&at[i]); ++k) all[n++] = (unknown){i, k, {0, 0, 0}};
    if (n == 2) {
        if (!t->a.body->planar) return false;
        all[n++] = (unknown){-1, 0, side_vector(&t->a, body_surface(t->a.body, 0)->frame.z)};
    }
    double best = 0;
    for (int leave = n == 4 ? 0 : 3; leave < 4; ++leave) {
        unknown some[3];
        for (int k = 0, m = 0; k < n; ++k)
            if (k != leave) some[m++] = all[k];
        wit_vec3 x = column(&some[0], jet), y = column(&some[1], jet), z = column(&some[2], jet);
        double volume = fabs(dot3(x, cross3(y, z))), lengths = norm3(x) * norm3(y) * norm3(z);
        if (!(volume > best * lengths)) continue;
        best = volume / lengths;
        memcpy(out, some, sizeof some);
    }
    return best > 1e-6;
}

/* C = J^-1, by rows. */
static void invert(const wit_vec3 j[3], wit_vec3 c[3])
{
    double inverse = 1 / dot3(j[0], cross3(j[1], j[2]));
    c[0] = scale3(inverse, cross3(j[1], j[2]));
    c[1] = scale3(inverse, cross3(j[2], j[0]));
    c[2] = scale3(inverse, cross3(j[0], j[1]));
}

/* |c.v| over a box of vectors, with the rounding of its three products. */
static double largest_product(wit_vec3 c, const wit_interval v[3], double less)
{
    wit_interval sum = iv_add(iv_add(iv_scale(c.x, v[0]), iv_scale(c.y, v[1])), iv_scale(c.z, v[2]));
    double terms = fabs(c.x) * iv_mag(v[0]) + fabs(c.y) * iv_mag(v[1]) + fabs(c.z) * iv_mag(v[2]);
    return larger(fabs(sum.lo - less), fabs(sum.hi - less)) + 8 * DBL_EPSILON * (terms + less);
}

static double length_of(const wit_interval v[3])
{
    return norm3(vec3(iv_mag(v[0]), iv_mag(v[1]), iv_mag(v[2])));
}

/* Of column j of J(X): what C makes of it, less the unit column; in units of |C_i| for each row. */
static void column_box(const unknown* x, const share of[2], wit_interval out[3])
{
    if (x->side < 0) {
        out[0] = iv_point(x->along.x), out[1] = iv_point(x->along.y), out[2] = iv_point(x->along.z);
    } else {
        memcpy(out, of[x->side].d[x->parameter], 3 * sizeof *out);
        for (int k = 0; k < 3 && x->side; ++k) out[k] = iv_scale(-1, out[k]);
    }
    double turned = 40 * DBL_EPSILON * length_of(out);
    for (int k = 0; k < 3; ++k) out[k] = iv_widen(out[k], turned);
}

/* The places moved by no more than rho[i] of unknown i hold a zero of F. */
static bool maps_into_itself(const search_task* t, const place at[2], const unknown x[3], const wit_vec3 c[3],
                             const double b[3], const double rho[3])
{
    double box[2][2] = {{0, 0}, {0, 0}};
    share of[2];
    for (int i = 0; i < 3; ++i)
        if (x[i].side >= 0) box[x[i].side][x[i].parameter] = rho[i];
    for (int s = 0; s < 2; ++s) {
        const side* own = s ? &t->b : &t->a;
        if (side_spent(own, 2) || !within_feature(own, &at[s], box[s]) || side_spent(own, 1)) return false;
        enclose(own, &at[s], box[s], &of[s]);
    }
    double sum[3] = {b[0], b[1], b[2]};
    for (int j = 0; j < 3; ++j) {
        wit_interval v[3];
        column_box(&x[j], of, v);
        for (int i = 0; i < 3; ++i) sum[i] += largest_product(c[i], v, i == j) * rho[j];
    }
    for (int i = 0; i < 3; ++i)
        if (!(sum[i] * (1 + 16 * DBL_EPSILON) <= rho[i])) return false;
    return true;
}

bool wi_crossing_proved(const search_task* t, const place* a, const place* b, double* off)
{
    static const double none[2] = {0, 0};
    const place at[2] = {*a, *b};
    wit_surface_jet jet[2];
    unknown x[3];
    wit_vec3 j[3], c[3];
    share of[2];
    wi_side_jet(&t->a, a, WIT_KNOT_DEFAULT, NULL, &jet[0]);
    wi_side_jet(&t->b, b, WIT_KNOT_DEFAULT, NULL, &jet[1]);
    if (!choose(t, at, jet, x)) return false;
    for (int i = 0; i < 3; ++i) j[i] = column(&x[i], jet);
    invert(j, c);
    enclose(&t->a, a, none, &of[0]);
    enclose(&t->b, b, none, &of[1]);
    wit_interval f[3];
    for (int k = 0; k < 3; ++k) {
        double rounding = 4 * DBL_EPSILON * (iv_mag(of[0].p[k]) + iv_mag(of[1].p[k]));
        f[k] = iv_widen(iv_sub(of[0].p[k], of[1].p[k]), task_error(t) + rounding);
    }
    /* twice as far as the step may be, in length, along all unknowns alike */
    double step[3], length = 0, rho[3];
    for (int i = 0; i < 3; ++i) {
        step[i] = largest_product(c[i], f, 0);
        length = larger(length, step[i] * norm3(j[i]));
    }
    for (int i = 0; i < 3; ++i) {
        double from = x[i].side < 0 ? 0 : at[x[i].side].x[x[i].parameter];
        rho[i] = 2 * length / norm3(j[i]) + 4 * DBL_EPSILON * fabs(from);
        if (x[i].side >= 0) rho[i] = larger(from + rho[i] - from, from - (from - rho[i]));
    }
    *off = x[2].side < 0 ? rho[2] : 0;
    return maps_into_itself(t, at, x, c, step, rho);
}
