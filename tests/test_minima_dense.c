/* SPDX-License-Identifier: MIT */
/* Every local minimum of random patches and pairs of them, against a dense search by brute force. */
#include "campaign.h"
#include "minima_checks.h"

static void random_patches_have_the_minima_of_a_dense_search(void** state)
{
    (void)state;
    const double scales[3] = {1, 1e-6, 1e6};
    wit_query* q = query_with(INFINITY, 0, 0);
    long several = 0, refused = 0, n = campaign(600);
    for (long i = 0; i < n; ++i) {
        rng r = rng_seed(7100 + (uint64_t)i);
        double size = scales[i % 3];
        random_surface* spline = test_malloc(sizeof *spline);
        int degree_u = 1 + rng_int(&r, 4);
        int degree_v = 1 + rng_int(&r, 4);
        random_surface_make(&r, degree_u, degree_v, size, spline);
        wit_surface* s = surface_made(&spline->def);
        test_free(spline);
        wit_body* body = bare_body(s);
        wit_vec3 p = random_vector(&r, 0, 4 * size);
        if (body)
            several += patch_query(q, s, body, p, size, &r) > 1;
        else
            ++refused;
        wit_body_destroy(body);
        wit_surface_destroy(s);
    }
    assert_true(several > n / 10 && 10 * refused <= n);
    wit_query_destroy(q);
}

/* ---- brute force: pairs -------------------------------------------------------------------- */

enum { COARSE_GRID = 17 };

typedef struct pair_case {
    sheet a, b;
} pair_case;

static double pair_distance(const void* data, const double* x)
{
    const pair_case* c = data;
    return norm3(sub3(sheet_at(&c->a, x[0], x[1]), sheet_at(&c->b, x[2], x[3])));
}

static void pair_hold(const void* data, double* x)
{
    const pair_case* c = data;
    x[0] = held(c->a.info.range_u, c->a.info.closed_u, x[0]);
    x[1] = held(c->a.info.range_v, c->a.info.closed_v, x[1]);
    x[2] = held(c->b.info.range_u, c->b.info.closed_u, x[2]);
    x[3] = held(c->b.info.range_v, c->b.info.closed_v, x[3]);
}

static int beside(int i, int step, bool closed)
{
    int k = i + step, last = COARSE_GRID - 1;
    if (k < 0 || k > last) return closed ? (k + last) % last : i;
    return k;
}

static bool undercut(double* const* rows, const pair_case* c, const int* at)
{
    const bool closed[4] = {c->a.info.closed_u, c->a.info.closed_v, c->b.info.closed_u, c->b.info.closed_v};
    double here = rows[at[0] * COARSE_GRID + at[1]][at[2] * COARSE_GRID + at[3]];
    for (int k = 0; k < 81; ++k) {
        int n[4];
        for (int i = 0, code = k; i < 4; ++i, code /= 3) n[i] = beside(at[i], code % 3 - 1, closed[i]);
        if (rows[n[0] * COARSE_GRID + n[1]][n[2] * COARSE_GRID + n[3]] < here) return true;
    }
    return false;
}

static void brute_pair(const pair_case* c, double size, brute* out)
{
    enum { N = COARSE_GRID, NN = N * N };
    wit_interval range[4] = {c->a.info.range_u, c->a.info.range_v, c->b.info.range_u, c->b.info.range_v};
    double** rows = test_malloc(NN * sizeof *rows);
    double at[4];
    for (int i = 0; i < NN; ++i) {
        rows[i] = test_malloc(NN * sizeof **rows);
        at[0] = range[0].lo + iv_width(range[0]) * (i / N) / (N - 1);
        at[1] = range[1].lo + iv_width(range[1]) * (i % N) / (N - 1);
        wit_vec3 p = sheet_at(&c->a, at[0], at[1]);
        for (int j = 0; j < NN; ++j) {
            at[2] = range[2].lo + iv_width(range[2]) * (j / N) / (N - 1);
            at[3] = range[3].lo + iv_width(range[3]) * (j % N) / (N - 1);
            rows[i][j] = norm3(sub3(p, sheet_at(&c->b, at[2], at[3])));
        }
    }
    out->count = 0;
    for (int i = 0; i < NN; ++i)
        for (int j = 0; j < NN; ++j) {
            int k[4] = {i / N, i % N, j / N, j % N};
            if (undercut(rows, c, k)) continue;
            double step[4];
            for (int m = 0; m < 4; ++m) {
                at[m] = range[m].lo + iv_width(range[m]) * k[m] / (N - 1);
                step[m] = 0.5 * iv_width(range[m]) / N;
            }
            double best = pattern_search(pair_distance, pair_hold, c, 4, at, step, 40);
            brute_add(out, best, sheet_at(&c->a, at[0], at[1]), sheet_at(&c->b, at[2], at[3]), 1e-2 * size);
        }
    for (int i = 0; i < NN; ++i) test_free(rows[i]);
    test_free(rows);
}

static wit_surface* random_smooth_patch(rng* r, double size, wit_vec3 centre)
{
    double points[3 * 25];
    double knots[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 25; ++i) {
        points[3 * i] = centre.x + size * (0.25 * (i / 5) - 0.5 + rng_range(r, -0.1, 0.1));
        points[3 * i + 1] = centre.y + size * (0.25 * (i % 5) - 0.5 + rng_range(r, -0.1, 0.1));
        points[3 * i + 2] = centre.z + size * rng_range(r, -0.4, 0.4);
    }
    for (int i = 0; i < 8; ++i) knots[i] = i < 3 ? 0 : i < 5 ? (i - 2) / 3.0 : 1;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 8;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

static void random_pairs_of_patches_have_the_minima_of_a_dense_search(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 3000000, 1 << 17);
    long several = 0;
    for (long i = 0, n = campaign(60); i < n; ++i) {
        rng r = rng_seed(7900 + (uint64_t)i);
        const double scales[3] = {1, 1e-6, 1e6};
        double size = scales[i % 3];
        pair_case c;
        wit_vec3 apart = vec3(size * rng_range(&r, -0.3, 0.3), size * rng_range(&r, -0.3, 0.3), 1.5 * size);
        wit_surface* s = random_smooth_patch(&r, size, vec3(0, 0, 0));
        wit_surface* t = random_smooth_patch(&r, size, apart);
        c.a = sheet_of(s);
        c.b = sheet_of(t);
        wit_body *a = bare_body(s), *b = bare_body(t);
        answer out;
        brute by_grid;
        ask_pair(q, a, wit_pose_identity(), b, wit_pose_identity(), &out);
        assert_true(out.s.complete);
        brute_pair(&c, size, &by_grid);
        assert_same_minima(&out, &by_grid, size);
        for (int k = 0; k < out.s.count; ++k) { /* no closer point on the one for the other's witness */
            point_case x = {c.a, out.m[k].b.point}, y = {c.b, out.m[k].a.point};
            wit_minimum turned = out.m[k];
            turned.a = out.m[k].b;
            assert_minimum_of_sheet(&x, &out.m[k], size, &r);
            assert_minimum_of_sheet(&y, &turned, size, &r);
        }
        several += out.s.count > 1;
        wit_body_destroy(a);
        wit_body_destroy(b);
        wit_surface_destroy(s);
        wit_surface_destroy(t);
    }
    assert_true(several > 0);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_patches_have_the_minima_of_a_dense_search),
        cmocka_unit_test(random_pairs_of_patches_have_the_minima_of_a_dense_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
