/* SPDX-License-Identifier: MIT */
/* Line, circle, ellipse, parabola, hyperbola. */
#include "analytic.h"

static const double SIZES[3] = {1e-6, 1, 1e6};

typedef struct ld3 {
    long double x, y, z;
} ld3;

static long double ldot(ld3 a, ld3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static ld3 lcross(ld3 a, ld3 b)
{
    ld3 r = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return r;
}

static ld3 lcombine(long double s, ld3 a, long double t, ld3 b)
{
    ld3 r = {s * a.x + t * b.x, s * a.y + t * b.y, s * a.z + t * b.z};
    return r;
}

static ld3 lunit(ld3 a)
{
    return lcombine(1 / sqrtl(ldot(a, a)), a, 0, a);
}

static ld3 widened(wit_vec3 a)
{
    ld3 r = {a.x, a.y, a.z};
    return r;
}

static void near_ld(wit_vec3 a, ld3 b, double tolerance, const char* what)
{
    near3(a, vec3((double)b.x, (double)b.y, (double)b.z), tolerance, what);
}

/* X(t), Y(t) and their derivatives, straight from the header. */
static void reference(const wit_curve_def* d, long double t, long double X[3], long double Y[3])
{
    X[0] = X[1] = X[2] = Y[0] = Y[1] = Y[2] = 0;
    long double a = d->kind == WIT_CURVE_CIRCLE ? d->radius : d->semi_x,
                b = d->kind == WIT_CURVE_CIRCLE ? a : d->semi_y;
    switch (d->kind) {
    case WIT_CURVE_LINE:
        X[0] = t;
        X[1] = 1;
        break;
    case WIT_CURVE_PARABOLA:
        X[0] = t * t / (4 * (long double)d->focal);
        X[1] = t / (2 * (long double)d->focal);
        X[2] = 1 / (2 * (long double)d->focal);
        Y[0] = t;
        Y[1] = 1;
        break;
    case WIT_CURVE_HYPERBOLA:
        X[0] = X[2] = a * coshl(t);
        X[1] = a * sinhl(t);
        Y[0] = Y[2] = b * sinhl(t);
        Y[1] = b * coshl(t);
        break;
    default:
        X[0] = a * cosl(t);
        X[1] = -a * sinl(t);
        X[2] = -X[0];
        Y[0] = b * sinl(t);
        Y[1] = b * cosl(t);
        Y[2] = -Y[0];
        break;
    }
}

/* Tolerance: about ten roundings of the terms summed, 8 (radius + origin) at most in these defs. */
static void conic_jets_match_long_double_formulas(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    for (int n = 0; n < 6000; n++) {
        double size = SIZES[n % 3];
        wit_curve_def d = random_conic(&r, (wit_curve_kind)(n % 5), size);
        wit_curve* c = curve_made(&d);
        wit_interval range = wit_curve_describe(c).range;
        double t = rng_range(&r, range.lo, range.hi);
        wit_curve_jet jet;
        assert_int_equal(wit_curve_eval(c, t, 0, NULL, &jet), WIT_EVAL_REGULAR);
        ld3 z = lunit(widened(d.frame.z)), x = widened(d.frame.x), o = widened(d.frame.origin);
        x = d.kind == WIT_CURVE_LINE ? lunit(x) : lunit(lcombine(1, x, -ldot(x, z), z));
        ld3 y = lcross(z, x);
        long double X[3], Y[3];
        reference(&d, (long double)t, X, Y);
        double s[3];
        for (int k = 0; k < 3; k++) s[k] = (double)(fabsl(X[k]) + fabsl(Y[k]));
        /* Frames with x close to z lose up to 1 / sin of their angle, 10 here. */
        near_ld(jet.p, lcombine(1, o, 1, lcombine(X[0], x, Y[0], y)), 16 * EPS * (10 * s[0] + norm3(d.frame.origin)),
                "p");
        near_ld(jet.d1, lcombine(X[1], x, Y[1], y), 160 * EPS * s[1], "d1");
        near_ld(jet.d2, lcombine(X[2], x, Y[2], y), 160 * EPS * s[2], "d2");
        wit_curve_destroy(c);
    }
}

static void conic_jets_match_finite_differences(void** state)
{
    (void)state;
    rng r = rng_seed(12);
    for (int n = 0; n < 3000; n++) {
        double size = SIZES[n % 3];
        wit_curve_def d = random_conic(&r, (wit_curve_kind)(n % 5), size);
        wit_curve* c = curve_made(&d);
        wit_interval range = wit_curve_describe(c).range;
        double w = iv_width(range), t = rng_range(&r, range.lo + 0.01 * w, range.hi - 0.01 * w);
        curve_differences_agree(c, t, 1e-4 * w, 20 * size, wit_curve_kind_name(d.kind));
        wit_curve_destroy(c);
    }
}

static void conic_points_satisfy_implicit_equation(void** state)
{
    (void)state;
    rng r = rng_seed(13);
    for (int n = 0; n < 5000; n++) {
        double size = SIZES[n % 3];
        wit_curve_def d = random_conic(&r, (wit_curve_kind)(n % 5), size);
        wit_curve* c = curve_made(&d);
        wit_interval range = wit_curve_describe(c).range;
        wit_curve_jet jet;
        wit_curve_eval(c, rng_range(&r, range.lo, range.hi), 0, NULL, &jet);
        wit_vec3 z = unit3(d.frame.z), x = unit3(sub3(d.frame.x, scale3(dot3(d.frame.x, z), z))), y = cross3(z, x);
        wit_vec3 p = sub3(jet.p, d.frame.origin);
        double X = dot3(p, x) / size, Y = dot3(p, y) / size, a = d.semi_x / size, b = d.semi_y / size;
        double reach = norm3(p) / size + 3, f = d.focal / size, R = d.radius / size, tolerance = 100 * EPS * reach;
        if (d.kind != WIT_CURVE_LINE) near1(dot3(p, z) / size, 0, tolerance, "plane");
        switch (d.kind) {
        case WIT_CURVE_LINE:
            near3(cross3(scale3(1 / size, p), unit3(d.frame.x)), vec3(0, 0, 0), tolerance, "line");
            break;
        case WIT_CURVE_CIRCLE:
            near1(hypot(X, Y), R, tolerance, "circle");
            break;
        case WIT_CURVE_ELLIPSE:
            near1(X * X / (a * a) + Y * Y / (b * b), 1, tolerance * 2 / fmin(a, b), "ellipse");
            break;
        case WIT_CURVE_PARABOLA:
            near1(4 * f * X, Y * Y, tolerance * (4 * f + 2 * fabs(Y)), "parabola");
            break;
        default:
            near1(X * X / (a * a) - Y * Y / (b * b), 1, tolerance * 2 * (fabs(X) / (a * a) + fabs(Y) / (b * b) + 1),
                  "hyperbola");
            break;
        }
        wit_curve_destroy(c);
    }
}

static void conic_natural_range_is_a_closed_turn(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        wit_curve_def d = wit_curve_default_def(k ? WIT_CURVE_ELLIPSE : WIT_CURVE_CIRCLE);
        d.radius = d.semi_x = 2;
        d.semi_y = 1;
        wit_curve* c = curve_made(&d);
        wit_curve_info info = wit_curve_describe(c);
        assert_true(info.closed);
        near1(info.range.hi - info.range.lo, TWO_PI, 0, "turn");
        wit_curve_jet a, b;
        assert_int_equal(wit_curve_eval(c, -1.25, 0, NULL, &a), WIT_EVAL_REGULAR);
        wit_curve_eval(c, TWO_PI - 1.25, 0, NULL, &b);
        near3(a.p, b.p, 8 * EPS, "wrapped");
        wit_curve_destroy(c);
        d.range = iv(0.5, 0.5 + TWO_PI - 1e-9);
        c = curve_made(&d);
        assert_false(wit_curve_describe(c).closed);
        assert_int_equal(wit_curve_eval(c, 7, 0, NULL, &a), WIT_EVAL_CLAMPED);
        wit_curve_destroy(c);
    }
}

static void line_needs_no_second_axis(void** state)
{
    (void)state;
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.x = d.frame.z = vec3(0, 0, 5);
    d.range = iv(-1, 1);
    wit_curve* c = curve_made(&d);
    wit_curve_jet j;
    wit_curve_eval(c, 0.5, 0, NULL, &j);
    near3(j.p, vec3(0, 0, 0.5), 0, "point");
    wit_curve_destroy(c);
}

static wit_curve_def good(wit_curve_kind kind)
{
    wit_curve_def d = wit_curve_default_def(kind);
    d.radius = d.semi_x = d.semi_y = d.focal = 1;
    d.range = iv(-1, 1);
    return d;
}

/* Each bad number, put into each number that the kind reads. */
static void conic_bad_numbers_are_refused(void** state)
{
    (void)state;
    static const struct {
        wit_curve_kind kind;
        size_t offset;
        const char* item;
    } fields[] = {
#define FIELD(kind, field, item) {kind, offsetof(wit_curve_def, field), item}
        FIELD(WIT_CURVE_LINE, frame.origin.x, "frame.origin"),
        FIELD(WIT_CURVE_LINE, frame.x.y, "frame.x"),
        FIELD(WIT_CURVE_LINE, range.lo, "range"),
        FIELD(WIT_CURVE_LINE, range.hi, "range"),
        FIELD(WIT_CURVE_CIRCLE, frame.origin.z, "frame.origin"),
        FIELD(WIT_CURVE_CIRCLE, frame.x.x, "frame.x"),
        FIELD(WIT_CURVE_CIRCLE, frame.z.z, "frame.z"),
        FIELD(WIT_CURVE_CIRCLE, radius, "radius"),
        FIELD(WIT_CURVE_CIRCLE, range.lo, "range"),
        FIELD(WIT_CURVE_ELLIPSE, frame.x.z, "frame.x"),
        FIELD(WIT_CURVE_ELLIPSE, semi_x, "semi_x"),
        FIELD(WIT_CURVE_ELLIPSE, semi_y, "semi_y"),
        FIELD(WIT_CURVE_ELLIPSE, range.hi, "range"),
        FIELD(WIT_CURVE_PARABOLA, frame.z.x, "frame.z"),
        FIELD(WIT_CURVE_PARABOLA, focal, "focal"),
        FIELD(WIT_CURVE_PARABOLA, range.lo, "range"),
        FIELD(WIT_CURVE_HYPERBOLA, frame.origin.y, "frame.origin"),
        FIELD(WIT_CURVE_HYPERBOLA, semi_x, "semi_x"),
        FIELD(WIT_CURVE_HYPERBOLA, semi_y, "semi_y"),
        FIELD(WIT_CURVE_HYPERBOLA, range.hi, "range"),
#undef FIELD
    };
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.001e12, -1.001e12};
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        wit_curve_def d = good(fields[f].kind);
        wit_curve* c = curve_made(&d);
        wit_curve_destroy(c);
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
            d = good(fields[f].kind);
            memcpy((char*)&d + fields[f].offset, &bad[b], sizeof bad[b]);
            curve_refused(&d, WIT_ERROR_NUMBER, fields[f].item);
        }
    }
}

static void conic_bad_shapes_are_refused(void** state)
{
    (void)state;
    wit_curve_def d;
#define REFUSED(kind, change, status, item)                                                                            \
    d = good(kind);                                                                                                    \
    change;                                                                                                            \
    curve_refused(&d, status, item)
    REFUSED(WIT_CURVE_LINE, d.frame.x = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.x");
    REFUSED(WIT_CURVE_LINE, d.range = iv(0, 0), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_LINE, d.range = iv(1, 1), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_LINE, d.range = iv(2, 1), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_CIRCLE, d.frame.x = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.x");
    REFUSED(WIT_CURVE_CIRCLE, d.frame.z = vec3(0, 0, 0), WIT_ERROR_FRAME, "frame.z");
    REFUSED(WIT_CURVE_CIRCLE, d.frame.x = vec3(0, 1e-12, -3), WIT_ERROR_FRAME, "frame.x");
    REFUSED(WIT_CURVE_CIRCLE, d.radius = 0, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_CURVE_CIRCLE, d.radius = -1, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_CURVE_CIRCLE, d.radius = 1e-13, WIT_ERROR_RANGE, "radius");
    REFUSED(WIT_CURVE_CIRCLE, d.range = iv(0, TWO_PI + 1e-9), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_CIRCLE, d.range = iv(1e7, 1e7 + 1), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_ELLIPSE, d.semi_x = 0, WIT_ERROR_RANGE, "semi_x");
    REFUSED(WIT_CURVE_ELLIPSE, d.semi_y = -2, WIT_ERROR_RANGE, "semi_y");
    REFUSED(WIT_CURVE_ELLIPSE, d.range = iv(1, 0), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_PARABOLA, d.focal = 0, WIT_ERROR_RANGE, "focal");
    REFUSED(WIT_CURVE_PARABOLA, d.range = iv(0, 0), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_PARABOLA, d.range = iv(0, 1e8), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_HYPERBOLA, d.semi_y = 0, WIT_ERROR_RANGE, "semi_y");
    REFUSED(WIT_CURVE_HYPERBOLA, d.range = iv(0, 0), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_HYPERBOLA, d.range = iv(0, 40), WIT_ERROR_RANGE, "range");
    REFUSED(WIT_CURVE_HYPERBOLA, d.range = iv(0, 1e9), WIT_ERROR_RANGE, "range");
#undef REFUSED
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conic_jets_match_long_double_formulas),
        cmocka_unit_test(conic_jets_match_finite_differences),
        cmocka_unit_test(conic_points_satisfy_implicit_equation),
        cmocka_unit_test(conic_natural_range_is_a_closed_turn),
        cmocka_unit_test(line_needs_no_second_axis),
        cmocka_unit_test(conic_bad_numbers_are_refused),
        cmocka_unit_test(conic_bad_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
