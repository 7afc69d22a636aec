/* SPDX-License-Identifier: MIT */
/* The reference is 113-bit arithmetic where the build defines WITNESS_QUADMATH, else long double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "../include/witness/base.h"
#include "campaign.h"
#include "random.h"

#ifdef WITNESS_QUADMATH
#include <quadmath.h>
__extension__ typedef __float128 real;
#define REAL(function) function##q
#else
typedef long double real;
#define REAL(function) function##l
#endif

#define PI_NEAREST 3.14159265358979323846

/* The largest error seen, in units in the last place of the true value and absolute. */
typedef struct worst {
    double units, absolute;
} worst;

static double unit_of(double x)
{
    int exponent;
    frexp(x, &exponent);
    return fabs(x) < DBL_MIN ? ldexp(1, -1074) : ldexp(1, exponent - 53);
}

static void note(worst* w, double got, real truth)
{
    real difference = REAL(fabs)((real)got - truth);
    double error = (double)difference, units = (double)(difference / (real)unit_of((double)truth));
    /* Written so that a NaN counts as the worst. */
    if (!(error <= w->absolute)) w->absolute = error;
    if (!(units <= w->units)) w->units = units;
}

static double steps_away(double x, int steps)
{
    for (; steps > 0; steps--) x = nextafter(x, INFINITY);
    for (; steps < 0; steps++) x = nextafter(x, -INFINITY);
    return x;
}

/* Draws stand in statements of their own: C leaves the order of two calls in one expression open. */
static double random_of_size(rng* r, int exponents, int lowest)
{
    double x = rng_range(r, -1, 1);
    return ldexp(x, rng_int(r, exponents) + lowest);
}

/* Angles up to 1e6 of every size, and doubles next to multiples of pi/4, where sine and cosine cancel most. */
static double random_angle(rng* r)
{
    int multiple;
    switch (rng_int(r, 6)) {
    case 0:
        return rng_range(r, -1e6, 1e6);
    case 1:
        return rng_range(r, -7, 7);
    case 2:
        return random_of_size(r, 1090, -1070);
    case 3:
        multiple = rng_int(r, 636000);
        return steps_away(multiple * (PI_NEAREST / 2), rng_int(r, 9) - 4);
    case 4:
        multiple = rng_int(r, 1270000);
        return multiple * (PI_NEAREST / 4) + rng_range(r, -1e-3, 1e-3);
    default:
        return rng_range(r, -1, 1);
    }
}

static void sincos_stays_within_stated_bound(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    worst s = {0, 0}, c = {0, 0};
    for (long i = campaign(5000000); i > 0; i--) {
        double x = random_angle(&r), sine, cosine;
        wit_sincos(x, &sine, &cosine);
        note(&s, sine, REAL(sin)(x));
        note(&c, cosine, REAL(cos)(x));
    }
    print_message("sine %.3f, cosine %.3f units in the last place; %.3g and %.3g absolute\n", s.units, c.units,
                  s.absolute, c.absolute);
    assert_true(s.units <= 0.85 && c.units <= 0.85);
    assert_true(s.absolute <= 1e-16 && c.absolute <= 1e-16);
}

/* fmod is exact, so the far angle and its remainder must agree in every bit. */
static void sincos_takes_far_angles_modulo_two_pi_nearest(void** state)
{
    (void)state;
    rng r = rng_seed(12);
    for (long i = campaign(100000); i > 0; i--) {
        double x = random_of_size(&r, 1003, 21), s, c, t, d;
        if (fabs(x) <= 1e6) continue;
        wit_sincos(x, &s, &c);
        wit_sincos(fmod(x, 2 * PI_NEAREST), &t, &d);
        assert_true(s == t && c == d);
        assert_true(fabs(s * s + c * c - 1) < 4 * DBL_EPSILON);
    }
}

static void sincos_is_odd_and_even_to_the_bit(void** state)
{
    (void)state;
    rng r = rng_seed(13);
    for (long i = campaign(1000000); i > 0; i--) {
        double x = random_angle(&r), s, c, t, d;
        wit_sincos(x, &s, &c);
        wit_sincos(-x, &t, &d);
        assert_true(s == -t && c == d && signbit(s) != signbit(t));
    }
}

static void sincos_special_values(void** state)
{
    (void)state;
    double s, c;
    wit_sincos(0.0, &s, &c);
    assert_true(s == 0 && !signbit(s) && c == 1);
    wit_sincos(-0.0, &s, &c);
    assert_true(s == 0 && signbit(s) && c == 1);
    wit_sincos(ldexp(1, -1074), &s, &c);
    assert_true(s == ldexp(1, -1074) && c == 1);
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        wit_sincos(bad[i], &s, &c);
        assert_true(isnan(s) && isnan(c));
    }
    /* Exact on a double: the sine of the double nearest to pi is what pi lacks, 1.2246467991473532e-16. */
    wit_sincos(PI_NEAREST, &s, &c);
    assert_true(s == 1.2246467991473532e-16 && c == -1);
}

static void random_point(rng* r, double* y, double* x)
{
    *y = rng_range(r, -1, 1);
    *x = rng_range(r, -1, 1);
    double size;
    switch (rng_int(r, 5)) {
    case 0:
        *y = ldexp(*y, rng_int(r, 2090) - 1070);
        *x = ldexp(*x, rng_int(r, 2090) - 1070);
        break;
    case 1: /* near the points of the table */
        size = rng_int(r, 33) / 32.0;
        size += random_of_size(r, 50, -49);
        *y = *x * size;
        break;
    case 2: /* both very large or very small, subnormal too */
        size = ldexp(1, rng_int(r, 1000) - 500);
        *y = *y * size * size;
        *x = *x * size * size;
        break;
    case 3:
        *y = *x * rng_range(r, 0.05, 0.09);
        break; /* across the change of method */
    default:
        break;
    }
}

static void atan2_stays_within_stated_bound(void** state)
{
    (void)state;
    rng r = rng_seed(14);
    worst w = {0, 0};
    for (long i = campaign(5000000); i > 0; i--) {
        double x, y;
        random_point(&r, &y, &x);
        note(&w, wit_atan2(y, x), REAL(atan2)(y, x));
    }
    print_message("atan2 %.3f units in the last place, %.3g absolute\n", w.units, w.absolute);
    assert_true(w.units <= 1.5);
}

/* C17 F.10.1.4. libm's atan2 is trusted for these: they are exact or the nearest double to a multiple of pi/4. */
static void atan2_special_values_follow_annex_f(void** state)
{
    (void)state;
    const double v[] = {0.0, -0.0, 1, -1, INFINITY, -INFINITY, DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, 4.9e-324};
    enum { N = sizeof v / sizeof v[0] };
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double got = wit_atan2(v[i], v[j]), want = atan2(v[i], v[j]);
            assert_true(got == want && !signbit(got) == !signbit(want));
        }
        assert_true(isnan(wit_atan2(NAN, v[i])) && isnan(wit_atan2(v[i], NAN)));
    }
}

static void exp_stays_within_stated_bound(void** state)
{
    (void)state;
    rng r = rng_seed(15);
    worst e = {0, 0}, s = {0, 0}, c = {0, 0};
    for (long i = campaign(3000000); i > 0; i--) {
        double x;
        switch (rng_int(&r, 4)) {
        case 0:
            x = rng_range(&r, -745, 709.78);
            break;
        case 1:
            x = rng_range(&r, -1.1, 1.1);
            break;
        case 2:
            x = random_of_size(&r, 1080, -1074);
            break;
        default:
            x = rng_range(&r, -4, 4);
        }
        note(&e, wit_exp(x), REAL(exp)(x));
        if (x < -710) x = -x - 40;
        double sine, cosine;
        wit_sinhcosh(x, &sine, &cosine);
        note(&s, sine, REAL(sinh)(x));
        note(&c, cosine, REAL(cosh)(x));
    }
    print_message("exp %.3f, sinh %.3f, cosh %.3f units in the last place\n", e.units, s.units, c.units);
    assert_true(e.units <= 1 && s.units <= 1 && c.units <= 1);
}

static void exp_special_values(void** state)
{
    (void)state;
    assert_true(wit_exp(0) == 1 && wit_exp(-0.0) == 1);
    assert_true(wit_exp(INFINITY) == INFINITY && wit_exp(710) == INFINITY && wit_exp(1e300) == INFINITY);
    assert_true(wit_exp(-INFINITY) == 0 && wit_exp(-746) == 0 && wit_exp(-1e300) == 0);
    assert_true(wit_exp(-745) == ldexp(1, -1074) && isfinite(wit_exp(709.78)));
    assert_true(isnan(wit_exp(NAN)));
    double s, c;
    wit_sinhcosh(-0.0, &s, &c);
    assert_true(s == 0 && signbit(s) && c == 1);
    wit_sinhcosh(-710.4, &s, &c);
    assert_true(isfinite(s) && s < -1e308 && c == -s);
    wit_sinhcosh(-711, &s, &c);
    assert_true(s == -INFINITY && c == INFINITY);
    wit_sinhcosh(INFINITY, &s, &c);
    assert_true(s == INFINITY && c == INFINITY);
    wit_sinhcosh(NAN, &s, &c);
    assert_true(isnan(s) && isnan(c));
}

/* FNV-1a, 64 bits, over the bytes from the lowest up: the same on either byte order. */
static uint64_t hash_double(uint64_t hash, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (int i = 0; i < 8; i++) hash = (hash ^ (bits >> 8 * i & 255)) * 0x100000001b3u;
    return hash;
}

/* The constants were made with gcc 12 on x86-64; any machine and compiler must find them again. */
static void trig_bits_are_the_same_everywhere(void** state)
{
    (void)state;
    rng r = rng_seed(16);
    uint64_t sincos_hash = 0xcbf29ce484222325u, atan2_hash = sincos_hash, exp_hash = sincos_hash;
    for (int i = 0; i < 100000; i++) {
        double x = i % 16 ? random_angle(&r) : random_of_size(&r, 1024, 0), y, s, c;
        wit_sincos(x, &s, &c);
        sincos_hash = hash_double(hash_double(sincos_hash, s), c);
        random_point(&r, &y, &x);
        atan2_hash = hash_double(atan2_hash, wit_atan2(y, x));
        x = rng_range(&r, -1, 1) * (i % 2 ? 750 : 2);
        wit_sinhcosh(x, &s, &c);
        exp_hash = hash_double(hash_double(hash_double(exp_hash, wit_exp(x)), s), c);
    }
    print_message("hashes %016llx %016llx %016llx\n", (unsigned long long)sincos_hash, (unsigned long long)atan2_hash,
                  (unsigned long long)exp_hash);
    assert_true(sincos_hash == 0xe05c0fbc30f17009u);
    assert_true(atan2_hash == 0x7b6f691f3e5a70feu);
    assert_true(exp_hash == 0xa4abdab1ce789039u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sincos_stays_within_stated_bound),
        cmocka_unit_test(sincos_takes_far_angles_modulo_two_pi_nearest),
        cmocka_unit_test(sincos_is_odd_and_even_to_the_bit),
        cmocka_unit_test(sincos_special_values),
        cmocka_unit_test(atan2_stays_within_stated_bound),
        cmocka_unit_test(atan2_special_values_follow_annex_f),
        cmocka_unit_test(exp_stays_within_stated_bound),
        cmocka_unit_test(exp_special_values),
        cmocka_unit_test(trig_bits_are_the_same_everywhere),
    };
    return cmocka_run_group_tests_name("trig", tests, NULL, NULL);
}
