/* SPDX-License-Identifier: MIT */
/* Plane, cylinder, cone, sphere, ellipsoid, torus, paraboloid. */
#include "analytic.h"

static const double SIZES[3] = {1e-6, 1, 1e6};
#define KINDS 7 /* PLANE to PARABOLOID */

/* The point by the header's formula in long double, in the frame's own coordinates. */
static wit_vec3 reference(const wit_surface_def* d, long double u, long double v)
{
    long double r = d->radius, m = d->minor, a = d->semi_x, b = d->semi_y, c = d->semi_z, x = cosl(u), y = sinl(u),
                z = 0;
    switch (d->kind) {
    case WIT_SURFACE_PLANE:
        x = u;
        y = v;
        break;
    case WIT_SURFACE_CYLINDER:
        x *= r;
        y *= r;
        z = v;
        break;
    case WIT_SURFACE_CONE:
        x *= r + v * sinl((long double)d->angle);
        y *= r + v * sinl((long double)d->angle);
        z = v * cosl((long double)d->angle);
        break;
    case WIT_SURFACE_SPHERE:
        x *= r * cosl(v);
        y *= r * cosl(v);
        z = r * sinl(v);
        break;
    case WIT_SURFACE_ELLIPSOID:
        x *= a * cosl(v);
        y *= b * cosl(v);
        z = c * sinl(v);
        break;
    case WIT_SURFACE_TORUS:
        x *= r + m * cosl(v);
        y *= r + m * cosl(v);
        z = m * sinl(v);
        break;
    default:
        x *= a * v;
        y *= b * v;
        z = c * v * v;
        break;
    }
    return vec3((double)x, (double)y, (double)z);
}

/* Zero on the shape; made of lengths over the size, so its rounding is that of a point of size 1. */
static double implicit(const wit_surface_def* d, wit_vec3 p, double size)
{
    double x = p.x / size, y = p.y / size, z = p.z / size, r = d->radius / size, m = d->minor / size;
    double a = d->semi_x / size, b = d->semi_y / size, c = d->semi_z / size, rho = hypot(x, y);
    switch (d->kind) {
    case WIT_SURFACE_PLANE:
        return z;
    case WIT_SURFACE_CYLINDER:
        return rho - r;
    case WIT_SURFACE_CONE:
        return rho * cos(d->angle) - fabs(r * cos(d->angle) + z * sin(d->angle));
    case WIT_SURFACE_SPHERE:
        return sqrt(rho * rho + z * z) - r;
    case WIT_SURFACE_ELLIPSOID:
        return sqrt(x * x / (a * a) + y * y / (b * b) + z * z / (c * c)) - 1;
    case WIT_SURFACE_TORUS:
        return hypot(rho - r, z) - m;
    default:
        return z / c - (x * x / (a * a) + y * y / (b * b));
    }
}

static wit_vec3 in_frame(const wit_frame* f, wit_vec3 p)
{
    wit_vec3 z = unit3(f->z), x = unit3(f->x);
    x = unit3(sub3(x, scale3(dot3(x, z), z)));
    p = sub3(p, f->origin);
    return vec3(dot3(p, x), dot3(p, cross3(z, x)), dot3(p, z));
}

/* Errors: about ten roundings of coordinates up to 10 sizes, times 10 for frames with axes close together. */
#define POINT_TOLERANCE (1000 * EPS)

static void quadric_points_match_formula_and_implicit_equation(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    for (int n = 0; n < 42000; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n / 3 % KINDS), size);
        wit_surface* s = surface_made(&d);
        wit_surface_info info = wit_surface_describe(s);
        double u = rng_range(&r, info.range_u.lo, info.range_u.hi), v = rng_range(&r, info.range_v.lo, info.range_v.hi);
        wit_surface_jet jet;
        unsigned place = wit_surface_eval(s, u, v, 0, NULL, &jet);
        assert_int_equal(place & ~(unsigned)WIT_EVAL_DEGENERATE, 0);
        wit_vec3 p = in_frame(&d.frame, jet.p);
        near3(p, reference(&d, (long double)u, (long double)v), POINT_TOLERANCE * size, wit_surface_kind_name(d.kind));
        near1(implicit(&d, p, size), 0, 10 * POINT_TOLERANCE, wit_surface_kind_name(d.kind));
        wit_surface_destroy(s);
    }
}

static void quadric_jets_match_finite_differences(void** state)
{
    (void)state;
    rng r = rng_seed(22);
    for (int n = 0; n < 10500; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n / 3 % KINDS), size);
        wit_surface* s = surface_made(&d);
        wit_surface_info info = wit_surface_describe(s);
        double wu = iv_width(info.range_u), wv = iv_width(info.range_v);
        double u = rng_range(&r, info.range_u.lo + 0.01 * wu, info.range_u.hi - 0.01 * wu);
        double v = rng_range(&r, info.range_v.lo + 0.01 * wv, info.range_v.hi - 0.01 * wv);
        surface_differences_agree(s, u, v, 1e-4 * wu, 1e-4 * wv, 20 * size, wit_surface_kind_name(d.kind));
        wit_surface_destroy(s);
    }
}

static void quadric_ranges_and_seams_are_as_documented(void** state)
{
    (void)state;
    for (int kind = 1; kind < KINDS; kind++) {
        wit_surface_def d = wit_surface_default_def((wit_surface_kind)kind);
        d.radius = d.semi_x = 2;
        d.semi_y = d.semi_z = d.minor = 1;
        d.angle = 0.5;
        if (kind == WIT_SURFACE_CYLINDER || kind == WIT_SURFACE_CONE) d.range_v = iv(0, 1);
        wit_surface* s = surface_made(&d);
        wit_surface_info info = wit_surface_describe(s);
        near1(info.range_u.lo, 0, 0, "u");
        near1(info.range_u.hi, TWO_PI, 0, "u");
        assert_true(info.closed_u);
        bool latitude = kind == WIT_SURFACE_SPHERE || kind == WIT_SURFACE_ELLIPSOID;
        if (latitude) near1(info.range_v.lo, -PI / 2, 0, "v");
        if (latitude) near1(info.range_v.hi, PI / 2, 0, "v");
        if (kind == WIT_SURFACE_PARABOLOID) near1(info.range_v.hi, 1, 0, "v");
        assert_int_equal(info.closed_v, kind == WIT_SURFACE_TORUS);
        assert_int_equal(info.degenerate, latitude || kind == WIT_SURFACE_PARABOLOID);
        wit_surface_jet a, b;
        double v = iv_mid(info.range_v);
        assert_int_equal(wit_surface_eval(s, -0.75, v, 0, NULL, &a), 0);
        wit_surface_eval(s, TWO_PI - 0.75, v, 0, NULL, &b);
        near3(a.p, b.p, 16 * EPS, "seam");
        near3(a.duv, b.duv, 16 * EPS, "seam");
        wit_surface_destroy(s);
    }
}

/* The pole is one point, du vanishes there exactly, the place says so, and nothing is NaN. */
static void quadric_poles_are_points_on_the_axis(void** state)
{
    (void)state;
    rng r = rng_seed(23);
    static const wit_surface_kind kinds[] = {WIT_SURFACE_SPHERE, WIT_SURFACE_ELLIPSOID, WIT_SURFACE_PARABOLOID,
                                             WIT_SURFACE_CONE};
    for (int n = 0; n < 1200; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = random_quadric(&r, kinds[n / 3 % 4], size);
        if (d.kind != WIT_SURFACE_CONE) d.range_v = iv(0, 0);
        wit_surface* s = surface_made(&d);
        wit_surface_info info = wit_surface_describe(s);
        assert_true(info.degenerate);
        wit_interval v = info.range_v;
        bool low =
            d.kind == WIT_SURFACE_PARABOLOID ||
            (d.kind == WIT_SURFACE_CONE && fabs(v.lo * sin(d.angle) + d.radius) < fabs(v.hi * sin(d.angle) + d.radius));
        double pole = low ? v.lo : v.hi;
        wit_surface_jet jet;
        unsigned place = wit_surface_eval(s, rng_range(&r, info.range_u.lo, info.range_u.hi), pole, 0, NULL, &jet);
        assert_true(place & WIT_EVAL_DEGENERATE);
        near3(jet.du, vec3(0, 0, 0), 0, "du");
        wit_vec3 p = sub3(jet.p, d.frame.origin), z = unit3(d.frame.z);
        near3(cross3(p, z), vec3(0, 0, 0), 16 * EPS * (size + norm3(p) + norm3(d.frame.origin)), "axis");
        assert_true(finite3(jet.dv) && finite3(jet.duv) && finite3(jet.dvv));
        wit_surface_destroy(s);
    }
}

static void torus_may_touch_its_axis(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_TORUS);
    d.radius = d.minor = 1;
    wit_surface* s = surface_made(&d);
    assert_true(wit_surface_describe(s).degenerate);
    wit_surface_jet jet;
    assert_int_equal(wit_surface_eval(s, 1, PI, 0, NULL, &jet), WIT_EVAL_DEGENERATE);
    near3(jet.p, vec3(0, 0, 0), 4 * EPS, "centre");
    wit_surface_destroy(s);
    d.minor = 2; /* a spindle, its outer part: cos v >= -1/2 */
    d.range_v = iv(-acos(-0.5), acos(-0.5));
    s = surface_made(&d);
    assert_true(wit_surface_describe(s).degenerate);
    wit_surface_destroy(s);
    d.range_v = iv(-2, 2);
    s = surface_made(&d);
    assert_false(wit_surface_describe(s).degenerate);
    wit_surface_destroy(s);
}

/* The closed-form field of the bounds points the way of du x dv, on every kind and side. */
static void quadric_normal_field_agrees_with_tangents(void** state)
{
    (void)state;
    rng r = rng_seed(24);
    for (int n = 0; n < 21000; n++) {
        double size = SIZES[n % 3];
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n / 3 % KINDS), size);
        wit_surface* s = surface_made(&d);
        double u = rng_range(&r, s->u.lo, s->u.hi), v = rng_range(&r, s->v.lo, s->v.hi);
        wit_surface_jet jet;
        const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        wit_interval field[3];
        if (!wit_surface_eval(s, u, v, 0, NULL, &jet)) {
            assert_true(s->ops->normals(s, iv_point(u), iv_point(v), axes, field));
            wit_vec3 f = unit3(vec3(iv_mid(field[0]), iv_mid(field[1]), iv_mid(field[2])));
            /* du carries an error of some eps of the largest radius: relative to |du| here. */
            double rel = 64 * EPS * (1 + s->speed_u / norm3(jet.du)) * (1 + s->speed_v / norm3(jet.dv));
            near3(f, unit3(cross3(jet.du, jet.dv)), rel, wit_surface_kind_name(d.kind));
        }
        wit_surface_destroy(s);
    }
}

static wit_surface_def good(wit_surface_kind kind)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.radius = 2;
    d.semi_x = d.semi_y = d.semi_z = d.minor = 1;
    d.angle = 0.5;
    d.range_u = d.range_v = iv(0.1, 1);
    return d;
}

static void quadric_bad_numbers_are_refused(void** state)
{
    (void)state;
    static const struct {
        wit_surface_kind kind;
        size_t offset;
        const char* item;
    } fields[] = {
#define FIELD(kind, field, item) {kind, offsetof(wit_surface_def, field), item}
        FIELD(WIT_SURFACE_CYLINDER, radius, "radius"),   FIELD(WIT_SURFACE_CONE, radius, "radius"),
        FIELD(WIT_SURFACE_CONE, angle, "angle"),         FIELD(WIT_SURFACE_SPHERE, radius, "radius"),
        FIELD(WIT_SURFACE_ELLIPSOID, semi_x, "semi_x"),  FIELD(WIT_SURFACE_ELLIPSOID, semi_y, "semi_y"),
        FIELD(WIT_SURFACE_ELLIPSOID, semi_z, "semi_z"),  FIELD(WIT_SURFACE_TORUS, radius, "radius"),
        FIELD(WIT_SURFACE_TORUS, minor, "minor"),        FIELD(WIT_SURFACE_PARABOLOID, semi_x, "semi_x"),
        FIELD(WIT_SURFACE_PARABOLOID, semi_y, "semi_y"), FIELD(WIT_SURFACE_PARABOLOID, semi_z, "semi_z"),
#undef FIELD
    };
    static const struct {
        size_t offset;
        const char* item;
    } common[] = {
        {offsetof(wit_surface_def, frame.origin.y), "frame.origin"}, {offsetof(wit_surface_def, frame.x.z), "frame.x"},
        {offsetof(wit_surface_def, frame.z.x), "frame.z"},           {offsetof(wit_surface_def, range_u.lo), "range_u"},
        {offsetof(wit_surface_def, range_u.hi), "range_u"},          {offsetof(wit_surface_def, range_v.lo), "range_v"},
        {offsetof(wit_surface_def, range_v.hi), "range_v"},
    };
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.001e12, -1.001e12};
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            wit_surface_def d = good(fields[f].kind);
            memcpy((char*)&d + fields[f].offset, &bad[b], sizeof bad[b]);
            surface_refused(&d, WIT_ERROR_NUMBER, fields[f].item);
        }
        for (int kind = 0; kind < KINDS; kind++)
            for (size_t f = 0; f < sizeof common / sizeof *common; f++) {
                wit_surface_def d = good((wit_surface_kind)kind);
                memcpy((char*)&d + common[f].offset, &bad[b], sizeof bad[b]);
                surface_refused(&d, WIT_ERROR_NUMBER, common[f].item);
            }
    }
}

static void quadric_bad_shapes_are_refused(void** state)
{
    (void)state;
    wit_surface_def d;
#define REFUSED(kind, change, status, item)                                                                            \
    d = good(kind);                                                                                                    \
    surface_made_and_gone(&d);                                                                                         \
    change;                                                                                                            \
    surface_refused(&d, status, item)
#define surface_made_and_gone(def) wit_surface_destroy(surface_made(def))
    for (int kind = 0; kind < KINDS; kind++) {
        REFUSED((wit_surface_kind)kind, d.frame.x = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.x");
        REFUSED((wit_surface_kind)kind, d.frame.z = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.z");
        REFUSED((wit_surface_kind)kind, d.frame.x = vec3(0, 0, 2), WIT_ERROR_FRAME, "frame.x");
        REFUSED((wit_surface_kind)kind, d.range_u = iv(1, 1), WIT_ERROR_RANGE, "range_u");
        REFUSED((wit_surface_kind)kind, d.range_v = iv(1, 0.5), WIT_ERROR_RANGE, "range_v");
        if (kind == WIT_SURFACE_PLANE) continue;
        REFUSED((wit_surface_kind)kind, d.range_u = iv(0, 6.3), WIT_ERROR_RANGE, "range_u");
    }
    REFUSED(WIT_SURFACE_PLANE, d.range_u = iv(0, 0), WIT_ERROR_RANGE, "range_u");
    REFUSED(WIT_SURFACE_PLANE, d.range_v = iv(0, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_CYLINDER, d.range_v = iv(0, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_CYLINDER, d.radius = 0, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_SURFACE_CONE, d.range_v = iv(0, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_CONE, d.radius = -1, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_SURFACE_CONE, d.angle = 0, WIT_ERROR_RANGE, "angle");
    REFUSED(WIT_SURFACE_CONE, d.angle = PI / 2, WIT_ERROR_RANGE, "angle");
    REFUSED(WIT_SURFACE_CONE, d.angle = -2, WIT_ERROR_RANGE, "angle");
    REFUSED(WIT_SURFACE_CONE, d.range_v = iv(-5, 1), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_SPHERE, d.radius = 0, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_SURFACE_SPHERE, d.range_v = iv(0, 1.6), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_SPHERE, d.range_v = iv(-1.6, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_ELLIPSOID, d.semi_x = 0, WIT_ERROR_RANGE, "semi_x");
    REFUSED(WIT_SURFACE_ELLIPSOID, d.semi_y = -1, WIT_ERROR_RANGE, "semi_y");
    REFUSED(WIT_SURFACE_ELLIPSOID, d.semi_z = 1e-13, WIT_ERROR_RANGE, "semi_z");
    REFUSED(WIT_SURFACE_ELLIPSOID, d.range_v = iv(0, 1.6), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_TORUS, d.radius = 0, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_SURFACE_TORUS, d.minor = 0, WIT_ERROR_RANGE, "minor");
    REFUSED(WIT_SURFACE_TORUS, d.range_v = iv(0, 6.3), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_TORUS, d.minor = 3; d.range_v = iv(0, 0), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_TORUS, d.minor = 3; d.range_v = iv(1, 4), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_PARABOLOID, d.semi_x = 0, WIT_ERROR_RANGE, "semi_x");
    REFUSED(WIT_SURFACE_PARABOLOID, d.semi_z = 0, WIT_ERROR_RANGE, "semi_z");
    REFUSED(WIT_SURFACE_PARABOLOID, d.range_v = iv(-0.1, 1), WIT_ERROR_RANGE, "range_v");
    REFUSED(WIT_SURFACE_PARABOLOID, d.range_v = iv(0, 1e9), WIT_ERROR_RANGE, "range_v");
#undef REFUSED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadric_points_match_formula_and_implicit_equation),
        cmocka_unit_test(quadric_jets_match_finite_differences),
        cmocka_unit_test(quadric_ranges_and_seams_are_as_documented),
        cmocka_unit_test(quadric_poles_are_points_on_the_axis),
        cmocka_unit_test(torus_may_touch_its_axis),
        cmocka_unit_test(quadric_normal_field_agrees_with_tangents),
        cmocka_unit_test(quadric_bad_numbers_are_refused),
        cmocka_unit_test(quadric_bad_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
