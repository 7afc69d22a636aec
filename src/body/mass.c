/* SPDX-License-Identifier: MIT */
/*
 * Mass, centre and inertia of a solid. Seen from c the solid is the sum of the cones over the elements of its faces, each with the sign of
 * f = (p - c).n dA, n outward. Over such a cone, with r = p - c,
 *     integral of 1 = f / 3,   of x - c = f r / 4,   of (x - c)(x - c)^T = f r r^T / 5.
 */
#include "../base/error.h"
#include "check/check.h"

enum { MOMENTS = 10 }; /* 1; x, y, z; xx, yy, zz, xy, xz, yz */

typedef struct moments {
    wit_vec3 c;
    double sum[MOMENTS], left[MOMENTS]; /* left: what rounding took off the sums (Kahan) */
    double side;                        /* -1 of a reversed face */
    double area;
    wit_hint hint;
} moments;

static void add_moment(const check_region* r, double u, double v, double weight, void* user)
{
    moments* m = user;
    wit_surface_jet j;
    wit_surface_eval(r->surface, u, v, WIT_KNOT_DEFAULT, &m->hint, &j);
    wit_vec3 n = cross3(j.du, j.dv), p = sub3(j.p, m->c);
    double f = m->side * weight * dot3(n, p);
    const double term[MOMENTS] = {f / 3,
                                  f * p.x / 4,
                                  f * p.y / 4,
                                  f * p.z / 4,
                                  f * p.x * p.x / 5,
                                  f * p.y * p.y / 5,
                                  f * p.z * p.z / 5,
                                  f * p.x * p.y / 5,
                                  f * p.x * p.z / 5,
                                  f * p.y * p.z / 5};
    for (int i = 0; i < MOMENTS; ++i) {
        double y = term[i] - m->left[i], t = m->sum[i] + y;
        m->left[i] = (t - m->sum[i]) - y;
        m->sum[i] = t;
    }
    m->area += weight * norm3(n);
}

static moments moments_about(const wit_body* b, wit_vec3 c, int fine)
{
    moments all = {.c = c};
    for (int32_t i = 0; i < b->face_count; ++i) {
        check_region r = wi_check_region_of_face(b, i);
        moments m = {.c = c, .side = r.reversed ? -1 : 1};
        wi_check_integrate(&r, fine, add_moment, &m);
        for (int k = 0; k < MOMENTS; ++k) all.sum[k] += m.sum[k];
        all.area += m.area;
    }
    return all;
}

static wit_status refuse(const wit_body* b, double density, const wit_mass* out, wit_error* e)
{
    if (!b || !out) return wi_error_fill(e, WIT_ERROR_ARGUMENT, b ? "out" : "body", "must not be null");
    if (!(density > 0) || !isfinite(density))
        return wi_error_fill(e, WIT_ERROR_RANGE, "density", "is %g; must be positive and finite", density);
    if (b->planar || b->kind != WIT_BODY_SOLID)
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "body", "a %s has no inside that could weigh anything",
                             b->planar ? "planar body" : wit_body_kind_name((wit_body_kind)b->kind));
    if (b->unbounded)
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "body", "it is unbounded: its mass would be infinite");
    if (!wit_body_describe(b).closed)
        return wi_error_fill(e, WIT_ERROR_RANGE, "body",
                             "it is not closed: an edge is not passed as often one way as the other");
    return WIT_OK;
}

/* What rounding, the edges and the stated tolerance of the shape leave open, relative: the shell may be off by t along all edges, taken
 * here over the whole area. */
static double left_open(const wit_body* b, const moments* m)
{
    wit_body_info info = wit_body_describe(b);
    double far = fmax(norm3(b->box.lo), norm3(b->box.hi));
    return 64 * 0x1p-53 * (1 + far / info.size) + (info.tolerance + b->shape_tolerance) * m->area / m->sum[0];
}

static double difference(const moments* a, const moments* b, double size)
{
    double most = 0;
    for (int i = 0; i < MOMENTS; ++i) {
        double scale = i < 1 ? 1 : i < 4 ? size : size * size;
        most = fmax(most, fabs(a->sum[i] - b->sum[i]) / (scale * b->sum[0]));
    }
    return most;
}

wit_status wit_body_mass(const wit_body* b, double density, wit_mass* out, wit_error* e)
{
    wit_status status = refuse(b, density, out, e);
    if (status) return status;
    wit_vec3 c = scale3(0.5, add3(b->box.lo, b->box.hi));
    moments coarse = moments_about(b, c, 1), m = moments_about(b, c, 2);
    double volume = m.sum[0], size = wit_body_describe(b).size;
    if (!(volume > 0) || !isfinite(volume))
        return wi_error_fill(e, WIT_ERROR_RANGE, "body", "encloses the volume %g: its normals point inwards", volume);
    const double *s = m.sum + 1, *q = m.sum + 4;
    wit_vec3 r = scale3(1 / volume, vec3(s[0], s[1], s[2]));
    /* Second moments about the centre of mass. */
    double xx = q[0] - volume * r.x * r.x, yy = q[1] - volume * r.y * r.y, zz = q[2] - volume * r.z * r.z;
    double xy = q[3] - volume * r.x * r.y, xz = q[4] - volume * r.x * r.z, yz = q[5] - volume * r.y * r.z;
    const double inertia[9] = {yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy};
    wit_mass result = {.volume = volume, .mass = density * volume, .centre = add3(c, r)};
    for (int i = 0; i < 9; ++i) result.inertia[i] = density * inertia[i];
    result.error = difference(&coarse, &m, size) + left_open(b, &m);
    *out = result;
    return WIT_OK;
}
