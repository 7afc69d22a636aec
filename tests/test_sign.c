/* SPDX-License-Identifier: MIT */
/*
 * The side of a point against closed forms: the truth of every test here is a formula of the solid (or a lookup in a
 * lattice), never a normal. Points are drawn near faces, edges and vertices, at distances from 1e-8 of the size up, and
 * in the whole box. The winding number is asked at the same points, on its own.
 */
#include "../include/witness/io.h"
#include "sign_checks.h"
#include "solid_cases.h"

/* ---- ready-made solids --------------------------------------------------------------------- */

typedef struct solid_truth {
    const solid_case* c;
    shape_frame f;
    double scale;
} solid_truth;

static bool in_solid(const void* user, wit_vec3 p)
{
    const solid_truth* s = user;
    wit_vec3 d = scale3(1 / s->scale, sub3(p, s->f.o));
    return s->c->inside(dot3(d, s->f.x), dot3(d, s->f.y), dot3(d, s->f.z));
}

static void solids_are_signed_as_their_formulas_say(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    for (int i = 0; i < SOLID_CASES; ++i) {
        tally t = {0};
        for (int k = 0; k < 3; ++k) {
            double scale = k == 0 ? 1 : k == 1 ? 1e-6 : 1e6;
            wit_frame frame = random_frame(&r, scale);
            wit_body* b = solid_made(&solid_cases[i], &frame, scale);
            assert_true(b->closed);
            assert_int_equal(b->part_count, 1);
            solid_truth s = {&solid_cases[i], wi_frame_of(&frame), scale};
            campaign_of(solid_cases[i].name, b, in_solid, &s, &r, campaign(1000), &t);
            wit_body_destroy(b);
        }
        assert_true(t.by[WIT_SIGN_WINDING] <= 2 + t.judged / 100); /* only next to edges, within the tolerance */
        report(solid_cases[i].name, &t);
    }
}

static bool below_plane(const void* user, wit_vec3 p)
{
    const shape_frame* f = user;
    return dot3(sub3(p, f->o), f->z) < 0;
}

static void half_space_is_below_its_plane(void** state)
{
    (void)state;
    rng r = rng_seed(42);
    tally t = {0};
    for (int k = 0; k < 20; ++k) {
        wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
        d.frame = random_frame(&r, 1);
        wit_body* b = wit_solid_create(&d, NULL, NULL);
        assert_non_null(b);
        shape_frame f = wi_frame_of(&d.frame);
        side s = at_rest(b);
        for (long i = 0; i < campaign(500); ++i) {
            wit_vec3 p = random_point(&r, b);
            if (fabs(dot3(sub3(p, f.o), f.z)) < 1e-9) continue;
            judge("half-space", &s, p, below_plane(&f, p), false, &t);
        }
        wit_body_destroy(b);
    }
    assert_int_equal(t.by[WIT_SIGN_NORMAL], t.judged);
}

/* ---- models -------------------------------------------------------------------------------- */

static bool in_bowl(const void* user, wit_vec3 p)
{
    (void)user;
    double rho = p.x * p.x + p.y * p.y, z = p.z - 7;
    return rho < 4 * p.z && rho + z * z > 25 && p.z < 4;
}

static bool in_pen(const void* user, wit_vec3 p)
{
    (void)user;
    double rho = hypot(p.x, p.y);
    return p.z > 0 && p.z < 7 && rho < fmin(0.5, p.z / 2);
}

static bool in_plate(const void* user, wit_vec3 p)
{
    const double* holes = user; /* x, y, radius */
    bool in = p.x > 0 && p.x < 60 && p.y > 0 && p.y < 40 && p.z > 0 && p.z < 5;
    for (int k = 0; k < 2; ++k) in &= hypot(p.x - holes[3 * k], p.y - holes[3 * k + 1]) > holes[3 * k + 2];
    return in;
}

static bool in_prism_dome(const void* user, wit_vec3 p)
{
    (void)user;
    double u = p.x / 10, v = p.y / 10;
    return u > 0 && u < 1 && v > 0 && v < 1 && p.z > 0 && p.z < 6 + 4 * u * (1 - u) + 4 * v * (1 - v);
}

static bool in_three_balls(const void* user, wit_vec3 p)
{
    (void)user;
    bool in = true;
    for (int k = 0; k < 3; ++k) {
        double a = 2 * SOLID_PI * k / 3, x = p.x - 0.8 * cos(a), y = p.y - 0.8 * sin(a);
        in &= x * x + y * y + p.z * p.z < 4;
    }
    return in;
}

static bool in_three_discs(const void* user, wit_vec3 p)
{
    (void)user;
    bool in = true;
    for (int k = 0; k < 3; ++k) {
        double a = SOLID_PI / 2 + 2 * SOLID_PI * k / 3, x = p.x - 0.9 * cos(a), y = p.y - 0.9 * sin(a);
        in &= x * x + y * y < 4;
    }
    return in;
}

/* The profile's z rises all the way: bisection for its parameter. */
static bool in_goblet(const void* user, wit_vec3 p)
{
    const wit_curve* profile = user;
    if (p.z <= 0 || p.z >= 50) return false;
    double lo = 0, hi = 3;
    wit_curve_jet j;
    for (int k = 0; k < 60; ++k) {
        double mid = 0.5 * (lo + hi);
        wit_curve_eval(profile, mid, 0, NULL, &j);
        if (j.p.z < p.z)
            lo = mid;
        else
            hi = mid;
    }
    wit_curve_eval(profile, lo, 0, NULL, &j);
    return hypot(p.x, p.y) < j.p.x;
}

static void model_campaign(const char* name, truth* inside, const void* user, rng* r)
{
    char path[64];
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, NULL);
    assert_non_null(m);
    tally t = {0};
    campaign_of(name, wit_model_body(m, 0), inside, user, r, campaign(6000), &t);
    report(name, &t);
    wit_model_destroy(m);
}

static void models_are_signed_as_their_formulas_say(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    model_campaign("bowl", in_bowl, NULL, &r);
    model_campaign("pen", in_pen, NULL, &r);
    static const double holes[6] = {15, 20, 6, 42, 20, 10};
    model_campaign("plate", in_plate, holes, &r);
    model_campaign("prism-dome", in_prism_dome, NULL, &r);
    model_campaign("three-ball", in_three_balls, NULL, &r);
    model_campaign("three-arc", in_three_discs, NULL, &r);
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    static const double knots[10] = {0, 0, 0, 0, 1, 2, 3, 3, 3, 3};
    static const double points[18] = {12, 0, 0, 10, 0, 4, 2, 0, 5, 2, 0, 25, 14, 0, 28, 13, 0, 50};
    d.degree = 3;
    d.count = 6;
    d.knot_count = 10;
    d.knots = knots;
    d.points = points;
    wit_curve* profile = curve_made(&d);
    model_campaign("goblet", in_goblet, profile, &r);
    wit_curve_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_are_signed_as_their_formulas_say),
        cmocka_unit_test(half_space_is_below_its_plane),
        cmocka_unit_test(models_are_signed_as_their_formulas_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
