/* SPDX-License-Identifier: MIT */
/* Splines beyond the degrees of the fast kernels: bodies are built of them, and queries certified. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../include/witness/query.h"
#include "campaign.h"
#include "random.h"

enum { MOST = WIT_MAX_DEGREE + 1, GRID = 120 };

typedef struct net {
    double knots_u[2 * MOST], knots_v[2 * MOST], points[3 * MOST * MOST], weights[MOST * MOST];
} net;

/* One Bezier patch over about a square of side 4; `wild` weights, or none. */
static wit_surface* patch(rng* r, int p, int q, bool wild)
{
    static net n;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    for (int i = 0; i < 2 * (p + 1); i++) n.knots_u[i] = i <= p ? 0 : 1;
    for (int i = 0; i < 2 * (q + 1); i++) n.knots_v[i] = i <= q ? 0 : 1;
    for (int i = 0; i <= p; i++)
        for (int j = 0; j <= q; j++) {
            double* x = n.points + 3 * (i * (q + 1) + j);
            x[0] = 4.0 * i / p;
            x[1] = 4.0 * j / q;
            x[2] = rng_range(r, -2, 2);
            n.weights[i * (q + 1) + j] = pow(10, rng_range(r, -0.5, 0.5));
        }
    d.degree_u = p;
    d.degree_v = q;
    d.count_u = p + 1;
    d.count_v = q + 1;
    d.knot_count_u = 2 * (p + 1);
    d.knot_count_v = 2 * (q + 1);
    d.knots_u = n.knots_u;
    d.knots_v = n.knots_v;
    d.points = n.points;
    d.weights = wild ? n.weights : NULL;
    wit_error e = {0};
    wit_surface* s = wit_surface_create(&d, NULL, &e);
    if (!s) fail_msg("degree %d x %d: %s: %s", p, q, e.item, e.text);
    return s;
}

static wit_body* sheet_of(const wit_surface* s)
{
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.faces = &face;
    d.face_count = 1;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

/* The least distance over a grid: no true distance is above it. */
static double sampled(const wit_surface* s, wit_vec3 p)
{
    double best = INFINITY;
    for (int i = 0; i <= GRID; i++)
        for (int j = 0; j <= GRID; j++) {
            wit_surface_jet x;
            wit_surface_eval(s, (double)i / GRID, (double)j / GRID, WIT_KNOT_DEFAULT, NULL, &x);
            best = fmin(best, sqrt((x.p.x - p.x) * (x.p.x - p.x) + (x.p.y - p.y) * (x.p.y - p.y) +
                                   (x.p.z - p.z) * (x.p.z - p.z)));
        }
    return best;
}

static void queries_on_high_degrees_are_certified(void** state)
{
    (void)state;
    rng r = rng_seed(2510);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    long points = campaign(40);
    for (int p = 10; p <= WIT_MAX_DEGREE; p += campaign_every(1, 5)) {
        int q = 1 + rng_int(&r, WIT_MAX_DEGREE);
        wit_surface* s = patch(&r, p, q, p % 2);
        wit_body* b = sheet_of(s);
        wit_placed at = wit_placed_at(b, wit_pose_identity());
        for (long k = 0; k < points; k++) {
            wit_vec3 x;
            x.x = rng_range(&r, -1, 5);
            x.y = rng_range(&r, -1, 5);
            x.z = rng_range(&r, -3, 3);
            wit_closest c;
            assert_int_equal(wit_closest_point(query, &at, x, &c), WIT_OK);
            double above = sampled(s, x);
            if (!c.certified || !(c.lower_bound <= above) || !(c.distance <= above * (1 + 1e-12)))
                fail_msg("degree %d x %d: certified %d, [%g, %g], a sample at %g", p, q, c.certified, c.lower_bound,
                         c.upper_bound, above);
        }
        wit_body_destroy(b);
        wit_surface_destroy(s);
    }
    wit_query_destroy(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(queries_on_high_degrees_are_certified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
