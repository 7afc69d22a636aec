/* SPDX-License-Identifier: MIT */
/*
 * Bounds over a parameter box, from the enclosures of the kinds. An enclosure gives intervals of every
 * derivative along three axes; boxes use the coordinate axes, cones the frame of the box's middle.
 */
#include "bounds.h"

#include "nurbs.h"
#include "nurbs_enclose.h"
#include "parameter.h"

static const wit_vec3 COORDINATES[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static void merge(wit_interval (*out)[3], wit_interval (*more)[3], int n)
{
    for (int e = 0; e < n; ++e)
        for (int k = 0; k < 3; ++k) out[e][k] = iv_union(out[e][k], more[e][k]);
}

/* At least the first `derivatives` entries. */
void wi_curve_enclose_to(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], int derivatives,
                         curve_enclosure* out)
{
    wit_interval piece[2];
    int n = wi_parameter_pieces(t, c->range, c->closed, piece);
    for (int i = 0; i < n; ++i) {
        curve_enclosure more, *to = i == 0 ? out : &more;
        if (c->kind == WIT_CURVE_NURBS)
            wi_nurbs_curve_enclose_to(c, piece[i], axes, derivatives, to);
        else
            c->ops->enclose(c, piece[i], axes, to);
        if (to == &more) merge(out->d, more.d, derivatives);
    }
}

void wi_curve_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    wi_curve_enclose_to(c, t, axes, CURVE_DERIVATIVES, out);
}

void wi_surface_enclose_to(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                           int derivatives, surface_enclosure* out)
{
    wit_interval pu[2], pv[2];
    int nu = wi_parameter_pieces(u, s->u, s->closed_u, pu), nv = wi_parameter_pieces(v, s->v, s->closed_v, pv);
    for (int i = 0; i < nu; ++i)
        for (int j = 0; j < nv; ++j) {
            surface_enclosure more, *to = i + j == 0 ? out : &more;
            if (s->kind == WIT_SURFACE_NURBS)
                wi_nurbs_surface_enclose_to(s, pu[i], pv[j], axes, derivatives, to);
            else
                s->ops->enclose(s, pu[i], pv[j], axes, to);
            if (to == &more) merge(out->d, more.d, derivatives);
        }
}

void wi_surface_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                        surface_enclosure* out)
{
    wi_surface_enclose_to(s, u, v, axes, SURFACE_DERIVATIVES, out);
}

static double length_max(const wit_interval d[3])
{
    double x = iv_mag(d[0]), y = iv_mag(d[1]), z = iv_mag(d[2]);
    return sqrt(x * x + y * y + z * z) * (1 + 4 * DBL_EPSILON);
}

static double length_min(const wit_interval d[3])
{
    double x = iv_mig(d[0]), y = iv_mig(d[1]), z = iv_mig(d[2]);
    return sqrt(x * x + y * y + z * z) * (1 - 4 * DBL_EPSILON);
}

static wit_box box_of(const wit_interval d[3])
{
    wit_box b = {{d[0].lo, d[1].lo, d[2].lo}, {d[0].hi, d[1].hi, d[2].hi}};
    return b;
}

/* The cone about `axis` of all vectors with components across[0], across[1] and along. Every angle is at most
 * atan(largest across / smallest along) while along > 0. */
static bool cone_about(wit_vec3 axis, wit_interval across0, wit_interval across1, wit_interval along, wit_cone* out)
{
    double x = iv_mag(across0), y = iv_mag(across1);
    out->axis = axis;
    out->angle = along.lo > 0 ? wit_atan2(sqrt(x * x + y * y), along.lo) * (1 + 8 * DBL_EPSILON) : PI;
    return along.lo > 0;
}

bool wi_cone_of_products(const wit_interval (*d)[3], wit_vec3 normal, wit_cone* out)
{
    const wit_interval *a = d[D10], *b = d[D01];
    wit_interval n0 = iv_sub(iv_mul(a[1], b[2]), iv_mul(a[2], b[1]));
    wit_interval n1 = iv_sub(iv_mul(a[2], b[0]), iv_mul(a[0], b[2]));
    wit_interval n2 = iv_sub(iv_mul(a[0], b[1]), iv_mul(a[1], b[0]));
    double margin = 8 * DBL_EPSILON * length_max(a) * length_max(b);
    return cone_about(normal, iv_widen(n0, margin), iv_widen(n1, margin), iv_widen(n2, margin), out);
}

/*
 * S_u x S_v by interval arithmetic in the frame (e1, e2, n) of the middle, e1 along S_u: the components of S_u along e2, n and
 * of S_v along n are small there, and so are those of the product along e1, e2.
 */
static bool cone_of_tangents(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 normal, wit_cone* out)
{
    wit_surface_jet mid;
    wi_surface_part(s, iv_mid(u), iv_mid(v), WIT_KNOT_DEFAULT, NULL, &mid);
    wit_vec3 axes[3];
    axes[2] = normal;
    axes[0] = unit3(addscaled3(mid.du, -dot3(mid.du, normal), normal));
    if (!(dot3(axes[0], axes[0]) > 0)) complete3(normal, &axes[0], &axes[1]);
    axes[1] = cross3(normal, axes[0]);
    surface_enclosure e;
    wi_surface_enclose_to(s, u, v, axes, D20, &e);
    return wi_cone_of_products((const wit_interval(*)[3])e.d, normal, out);
}

bool wi_surface_normal_cone(const wit_surface* s, wit_interval u, wit_interval v, wit_cone* out)
{
    out->axis = vec3(0, 0, 1);
    out->angle = PI;
    wit_interval pu[2], pv[2];
    /* One piece in each direction: middles and closed forms want a box in one part. */
    if (wi_parameter_pieces(u, s->u, s->closed_u, pu) == 1) u = pu[0];
    if (wi_parameter_pieces(v, s->v, s->closed_v, pv) == 1) v = pv[0];
    wit_vec3 axes[3];
    if (s->ops->normals) {
        wit_interval n[3];
        wit_interval mid_u = iv_point(iv_mid(u)), mid_v = iv_point(iv_mid(v));
        if (s->ops->normals(s, mid_u, mid_v, COORDINATES, n)) {
            axes[2] = unit3(vec3(iv_mid(n[0]), iv_mid(n[1]), iv_mid(n[2])));
            complete3(axes[2], &axes[0], &axes[1]);
            if (s->ops->normals(s, u, v, axes, n)) return cone_about(axes[2], n[0], n[1], n[2], out);
        }
    }
    wit_vec3 normal;
    if (!wi_surface_part_normal(s, iv_mid(u), iv_mid(v), &normal)) return false;
    return cone_of_tangents(s, u, v, normal, out);
}

double wi_surface_line_reach(const wit_surface* s, wit_direction fixed, double value, wit_interval t)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double square = 0, reach = s->kind == WIT_SURFACE_NURBS ? wi_nurbs_line_reach(s, fixed, value, t) : INFINITY;
    if (reach < INFINITY) return reach;
    for (int k = 0; k < 3; ++k) {
        wit_interval of = fixed == WIT_U ? wit_surface_extent(s, iv_point(value), t, axes[k])
                                         : wit_surface_extent(s, t, iv_point(value), axes[k]);
        square += iv_width(of) * iv_width(of);
    }
    return sqrt(square) * (1 + 8 * DBL_EPSILON);
}

wit_cone wi_cone_unite(wit_cone a, wit_cone b)
{
    const double rounding = 1e-14; /* radians */
    if (a.angle < b.angle) {
        wit_cone t = a;
        a = b;
        b = t;
    }
    double apart = wit_atan2(norm3(cross3(a.axis, b.axis)), dot3(a.axis, b.axis));
    if (apart + b.angle <= a.angle) return a;
    double angle = 0.5 * (apart + a.angle + b.angle) + rounding, s, c;
    wit_vec3 across = unit3(addscaled3(b.axis, -dot3(a.axis, b.axis), a.axis));
    if (!(angle < PI) || !(dot3(across, across) > 0.5)) return (wit_cone){vec3(0, 0, 1), PI};
    wit_sincos(angle - a.angle, &s, &c);
    return (wit_cone){unit3(addscaled3(scale3(c, a.axis), s, across)), angle};
}

void wi_surface_speeds(const wit_surface* s, double* speed_u, double* speed_v)
{
    surface_enclosure e;
    wi_surface_enclose_to(s, s->u, s->v, COORDINATES, D20, &e);
    *speed_u = length_max(e.d[D10]);
    *speed_v = length_max(e.d[D01]);
}

void wit_curve_bound(const wit_curve* c, wit_interval t, wit_curve_bounds* out)
{
    curve_enclosure e;
    wi_curve_enclose(c, t, COORDINATES, &e);
    out->box = box_of(e.d[0]);
    out->d1 = length_max(e.d[1]);
    out->d2 = length_max(e.d[2]);
    out->d3 = length_max(e.d[3]);
    out->d1_min = length_min(e.d[1]);

    wit_curve_jet mid;
    wi_curve_part(c, iv_mid(t), WIT_KNOT_DEFAULT, NULL, &mid);
    wit_vec3 axes[3];
    axes[2] = unit3(mid.d1);
    out->tangents.axis = vec3(0, 0, 1);
    out->tangents.angle = PI;
    if (!(dot3(axes[2], axes[2]) > 0)) return;
    complete3(axes[2], &axes[0], &axes[1]);
    wi_curve_enclose(c, t, axes, &e);
    cone_about(axes[2], e.d[1][0], e.d[1][1], e.d[1][2], &out->tangents);
}

void wit_surface_bound(const wit_surface* s, wit_interval u, wit_interval v, wit_surface_bounds* out)
{
    surface_enclosure e;
    wi_surface_enclose(s, u, v, COORDINATES, &e);
    double most[SURFACE_DERIVATIVES];
    for (int k = D10; k < SURFACE_DERIVATIVES; ++k) most[k] = length_max(e.d[k]);
    out->box = box_of(e.d[D00]);
    out->du_min = length_min(e.d[D10]);
    out->dv_min = length_min(e.d[D01]);
    out->du = most[D10], out->dv = most[D01];
    out->duu = most[D20], out->duv = most[D11], out->dvv = most[D02];
    out->duuu = most[D30], out->duuv = most[D21], out->duvv = most[D12], out->dvvv = most[D03];
    wi_surface_normal_cone(s, u, v, &out->normals);
}

wit_interval wit_curve_extent(const wit_curve* c, wit_interval t, wit_vec3 direction)
{
    const wit_vec3 axes[3] = {direction, {0, 0, 0}, {0, 0, 0}};
    curve_enclosure e;
    wi_curve_enclose_to(c, t, axes, 1, &e);
    return e.d[0][0];
}

wit_interval wit_surface_extent(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 direction)
{
    const wit_vec3 axes[3] = {direction, {0, 0, 0}, {0, 0, 0}};
    surface_enclosure e;
    wi_surface_enclose_to(s, u, v, axes, D10, &e);
    return e.d[D00][0];
}
