/* SPDX-License-Identifier: MIT */
/* Nearest points of surfaces, against dense samples and against the parameters that made the point. */
#include <time.h>

#include "../src/body/build/invert.h"
#include "campaign.h"
#include "random_surface.h"

static const double SCALES[3] = {1e-6, 1, 1e6};

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static wit_vec3 at(const wit_surface* s, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(s, u, v, 0, NULL, &j);
    return j.p;
}

/* Rounding of S for a surface far from the origin. */
static double noise_of(const wit_surface* s, wit_vec3 p)
{
    return 64 * EPS * (norm3(p) + wi_surface_size(s));
}

static void invert_recovers_points_of_every_kind(void** state)
{
    (void)state;
    rng r = rng_seed(1);
    for (int kind = 0; kind < WIT_SURFACE_KIND_COUNT; ++kind) {
        long n = campaign(3000), unproved = 0;
        double worst = 0, time = 0;
        for (long i = 0; i < n; ++i) {
            double size = SCALES[rng_int(&r, 3)];
            wit_surface* s = random_any_surface(&r, (wit_surface_kind)kind, size);
            for (int k = 0; k < 4; ++k) {
                int nu, nv;
                const double* bu = wit_surface_breaks(s, WIT_U, &nu);
                const double* bv = wit_surface_breaks(s, WIT_V, &nv);
                double u = random_parameter(&r, bu, nu), v = random_parameter(&r, bv, nv), uv[2], distance;
                wit_vec3 p = at(s, u, v);
                double start = seconds();
                unproved += !wi_surface_invert(s, p, NULL, uv, &distance);
                time += seconds() - start;
                near3(at(s, uv[0], uv[1]), p, 1e-12 * wi_surface_size(s) + noise_of(s, p),
                      wit_surface_kind_name(s->kind));
                near1(norm3(sub3(at(s, uv[0], uv[1]), p)), distance, noise_of(s, p), "distance");
                assert_true(uv[0] >= s->u.lo && uv[0] <= s->u.hi && uv[1] >= s->v.lo && uv[1] <= s->v.hi);
                worst = fmax(worst, distance / wi_surface_size(s));
            }
            wit_surface_destroy(s);
        }
        print_message("%-11s on the surface: off by %.1e of its size, %.1f us each, %ld of %ld unproved\n",
                      wit_surface_kind_name((wit_surface_kind)kind), worst, 1e6 * time / (double)(4 * n), unproved,
                      4 * n);
        assert_int_equal(unproved, 0);
    }
}

/* A grid is never nearer; with the grid's best as the start Newton would find the same. */
static void invert_is_never_farther_than_dense_samples(void** state)
{
    (void)state;
    enum { GRID = 60 };
    rng r = rng_seed(2);
    for (int kind = 0; kind < WIT_SURFACE_KIND_COUNT; ++kind) {
        long n = campaign(1000), unproved = 0;
        double time = 0;
        for (long i = 0; i < n; ++i) {
            double size = SCALES[rng_int(&r, 3)];
            wit_surface* s = random_any_surface(&r, (wit_surface_kind)kind, size);
            double u = rng_range(&r, s->u.lo, s->u.hi);
            double v = rng_range(&r, s->v.lo, s->v.hi);
            double off = pow(10, rng_range(&r, -6, 0)) * size, uv[2], distance, best = INFINITY;
            wit_vec3 p = addscaled3(at(s, u, v), off, random_unit(&r));
            double start = seconds();
            unproved += !wi_surface_invert(s, p, NULL, uv, &distance);
            time += seconds() - start;
            for (int a = 0; a <= GRID; ++a)
                for (int b = 0; b <= GRID; ++b) {
                    wit_vec3 q = at(s, s->u.lo + a * iv_width(s->u) / GRID, s->v.lo + b * iv_width(s->v) / GRID);
                    best = fmin(best, norm3(sub3(p, q)));
                }
            best = fmin(best, norm3(sub3(p, at(s, u, v))));
            double allowed = best + 2e-9 * best + 2e-12 * wi_surface_size(s) + noise_of(s, p);
            if (!(distance <= allowed))
                print_error("%s %ld: %.17g found, %.17g on the grid\n", wit_surface_kind_name(s->kind), i, distance,
                            best);
            assert_true(distance <= allowed);
            wit_surface_destroy(s);
        }
        print_message("%-11s near the surface: %.1f us each, %ld of %ld unproved\n",
                      wit_surface_kind_name((wit_surface_kind)kind), 1e6 * time / (double)n, unproved, n);
        /* Next to an axis of revolution the nearest points are almost a circle, next to the focal line of an extrusion
         * almost a line: more boxes than the work allowed. The answer above was right all the same. */
        assert_true(unproved <= (kind == WIT_SURFACE_REVOLUTION || kind == WIT_SURFACE_EXTRUSION ? n / 50 : 0));
    }
}

/* Newton from a guess nearby comes back, with the guess's periods. */
static void invert_local_follows_the_guess(void** state)
{
    (void)state;
    rng r = rng_seed(3);
    double time = 0;
    long n = campaign(20000);
    for (long i = 0; i < n; ++i) {
        wit_surface_kind kind = (wit_surface_kind)rng_int(&r, WIT_SURFACE_KIND_COUNT);
        wit_surface* s = random_any_surface(&r, kind, SCALES[rng_int(&r, 3)]);
        double wu = iv_width(s->u), wv = iv_width(s->v);
        double turns_u = s->closed_u ? rng_int(&r, 5) - 2 : 0, turns_v = s->closed_v ? rng_int(&r, 5) - 2 : 0;
        double u = rng_range(&r, s->u.lo, s->u.hi) + turns_u * wu;
        double v = rng_range(&r, s->v.lo, s->v.hi) + turns_v * wv;
        double guess[2] = {u + rng_range(&r, -1e-5, 1e-5) * wu, 0}, uv[2], distance;
        guess[1] = v + rng_range(&r, -1e-5, 1e-5) * wv;
        wit_vec3 p = at(s, u, v);
        double start = seconds();
        wi_surface_invert_local(s, p, guess, uv, &distance);
        time += seconds() - start;
        wit_vec3 from = at(s, guess[0], guess[1]);
        assert_true(distance <= norm3(sub3(from, p)) + noise_of(s, p));
        if (distance <= noise_of(s, p)) {
            if (s->closed_u) assert_true(fabs(uv[0] - guess[0]) <= 0.500001 * wu);
            if (s->closed_v) assert_true(fabs(uv[1] - guess[1]) <= 0.500001 * wv);
        }
        double back[2], there;
        wi_surface_invert(s, p, guess, back, &there);
        assert_true(there <= 1e-12 * wi_surface_size(s) + noise_of(s, p));
        wit_surface_destroy(s);
    }
    print_message("from a guess: %.2f us each\n", 1e6 * time / (double)n);
}

/* At a pole, and on an axis, the parameter that does not matter is the guess's. */
static void invert_keeps_the_guess_where_a_parameter_is_free(void** state)
{
    (void)state;
    rng r = rng_seed(4);
    for (int i = 0; i < 200; ++i) {
        static const wit_surface_kind kinds[5] = {WIT_SURFACE_SPHERE, WIT_SURFACE_ELLIPSOID, WIT_SURFACE_PARABOLOID,
                                                  WIT_SURFACE_CONE, WIT_SURFACE_CYLINDER};
        wit_surface_def d = random_quadric(&r, kinds[i % 5], SCALES[i % 3]);
        d.range_u = iv(0, 0);
        if (d.kind != WIT_SURFACE_CONE && d.kind != WIT_SURFACE_CYLINDER) d.range_v = iv(0, 0);
        wit_surface* s = surface_made(&d);
        double apex = d.kind == WIT_SURFACE_CONE
                          ? (fabs(s->a + s->v.lo * s->sine) < fabs(s->a + s->v.hi * s->sine) ? s->v.lo : s->v.hi)
                      : d.kind == WIT_SURFACE_PARABOLOID ? 0
                                                         : s->v.hi;
        double guess[2] = {rng_range(&r, -9, 9), apex}, uv[2], distance;
        guess[1] += (apex > iv_mid(s->v) ? -0.1 : 0.1) * iv_width(s->v);
        wit_vec3 p = d.kind == WIT_SURFACE_CYLINDER ? addscaled3(s->frame.o, iv_mid(s->v), s->frame.z) : at(s, 0, apex);
        wi_surface_invert(s, p, guess, uv, &distance);
        near1(uv[0], guess[0], 1e-14 * 9 + (fabs(guess[0]) > 6.3 ? 1e-14 : 0), "free parameter");
        if (d.kind == WIT_SURFACE_CYLINDER)
            near1(distance, s->a, noise_of(s, p), "radius");
        else
            assert_true(distance <= noise_of(s, p));
        wit_surface_destroy(s);
    }
}

/* From the pole the way down depends on the free parameter: a guess at the pole must not hold the search there. */
static void invert_local_leaves_a_pole(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    for (int i = 0; i < 300; ++i) {
        wit_surface_def d = random_quadric(&r, i % 2 ? WIT_SURFACE_ELLIPSOID : WIT_SURFACE_PARABOLOID, SCALES[i % 3]);
        d.range_u = d.range_v = iv(0, 0);
        wit_surface* s = surface_made(&d);
        double u = rng_range(&r, 0, 6);
        double v = i % 2 ? PI / 2 - 0.3 : 0.3, guess[2] = {rng_range(&r, 0, 6), i % 2 ? PI / 2 : 0}, uv[2], distance;
        wit_vec3 p = at(s, u, v);
        wi_surface_invert_local(s, p, guess, uv, &distance);
        assert_true(distance <= noise_of(s, p));
        wit_surface_destroy(s);
    }
}

static void invert_refuses_what_is_no_point(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = 1;
    wit_surface* s = surface_made(&d);
    double uv[2] = {7, 8}, guess[2] = {NAN, 0}, distance = 9;
    assert_false(wi_surface_invert(s, vec3(NAN, 0, 0), NULL, uv, &distance));
    assert_false(wi_surface_invert_local(s, vec3(0, INFINITY, 0), guess, uv, &distance));
    assert_true(uv[0] == 7 && uv[1] == 8 && distance == 9);
    assert_true(wi_surface_invert(s, vec3(2, 0, 0), guess, uv, &distance));
    near1(distance, 1, 4 * EPS, "with a guess that is no number");
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invert_recovers_points_of_every_kind),
        cmocka_unit_test(invert_is_never_farther_than_dense_samples),
        cmocka_unit_test(invert_local_follows_the_guess),
        cmocka_unit_test(invert_keeps_the_guess_where_a_parameter_is_free),
        cmocka_unit_test(invert_local_leaves_a_pole),
        cmocka_unit_test(invert_refuses_what_is_no_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
