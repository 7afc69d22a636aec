/* SPDX-License-Identifier: MIT */
/* Sewing faces together, and how building grows with their number. */
#include <stdlib.h>
#include <time.h>

#include "body_checks.h"

/* A sheet of n x n bilinear patches over a wavy height, cut from one grid of points; every other one with its v reversed. */
static wit_surface** patches(int n, double scale)
{
    wit_surface** s = malloc((size_t)(n * n) * sizeof *s);
    static const double knots[4] = {0, 0, 1, 1};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double points[12];
            for (int c = 0; c < 4; ++c) {
                int a = i + c / 2, b = j + ((i + j) % 2 ? 1 - c % 2 : c % 2);
                points[3 * c] = scale * a;
                points[3 * c + 1] = scale * b;
                points[3 * c + 2] = scale * sin(0.7 * a + 1.3 * b);
            }
            wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
            d.degree_u = d.degree_v = 1;
            d.count_u = d.count_v = 2;
            d.knot_count_u = d.knot_count_v = 4;
            d.knots_u = d.knots_v = knots;
            d.points = points;
            s[i * n + j] = surface_made(&d);
        }
    return s;
}

static wit_body* sewn(int n, double scale, double sew)
{
    wit_surface** s = patches(n, scale);
    wit_face_def* faces = calloc((size_t)(n * n), sizeof *faces);
    for (int i = 0; i < n * n; ++i) faces[i].surface = s[i];
    wit_body* b = body_of(faces, n * n, sew);
    for (int i = 0; i < n * n; ++i) wit_surface_destroy(s[i]);
    free(faces);
    free(s);
    return b;
}

static void sewing_joins_what_coincides_at_every_scale(void** state)
{
    (void)state;
    for (int k = -1; k <= 1; ++k) {
        double scale = k < 0 ? 1e-6 : k > 0 ? 1e6 : 1;
        enum { N = 5 };
        wit_body* b = sewn(N, scale, 1e-9 * scale);
        assert_counts(b, N * N, N * N, 2 * N * (N + 1), (N + 1) * (N + 1));
        assert_consistent(b);
        wit_body_destroy(b);
        b = sewn(N, scale, 0);
        assert_counts(b, N * N, N * N, 4 * N * N, 4 * N * N);
        wit_body_destroy(b);
    }
}

/* The gap that sewing bridged is kept with the edge. */
static void sewing_keeps_the_gap_per_edge(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = iv(0, 1);
    d.range_v = iv(0, 1);
    wit_surface* a = surface_made(&d);
    d.frame.origin = vec3(1, 0, 1e-4);
    wit_surface* c = surface_made(&d);
    wit_face_def faces[2] = {{0}, {0}};
    faces[0].surface = a;
    faces[1].surface = c;
    wit_body* b = body_of(faces, 2, 1e-3);
    assert_counts(b, 2, 2, 7, 6);
    int joined = 0;
    for (int e = 0; e < 7; ++e) {
        wit_edge_info edge = wit_body_edge(b, e);
        joined += edge.use_count == 2;
        assert_true(edge.use_count == 2 ? fabs(edge.tolerance - 1e-4) < 1e-9 : edge.tolerance < 1e-9);
    }
    assert_int_equal(joined, 1);
    wit_body_destroy(b);
    wit_surface_destroy(a);
    wit_surface_destroy(c);
}

/* A unit circle at z = 1 of four arcs, beginning at `phase`; the knots may run unevenly. */
static wit_curve* round_spline(double phase, const double* knots)
{
    double points[27], weights[9];
    for (int i = 0; i < 9; ++i) {
        double a = phase + PI / 4 * (i % 8), r = i % 2 ? sqrt(2) : 1;
        points[3 * i] = r * cos(a);
        points[3 * i + 1] = r * sin(a);
        points[3 * i + 2] = 1;
        weights[i] = i % 2 ? sqrt(0.5) : 1;
    }
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 2;
    d.count = 9;
    d.knot_count = 12;
    d.knots = knots;
    d.points = points;
    d.weights = weights;
    return curve_made(&d);
}

/* A cylinder with a natural border and two discs with borders of their own: one ring of three uses, however the curves
 * begin and run. */
static void rings_are_sewn_at_every_phase(void** state)
{
    (void)state;
    static const double even[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    static const double uneven[12] = {0, 0, 0, 1, 1, 3, 3, 4, 4, 6, 6, 6};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 1;
    d.range_v = iv(0, 1);
    wit_surface* cylinder = surface_made(&d);
    d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-2, 2);
    d.frame.origin.z = 1;
    wit_surface* plane = surface_made(&d);
    for (int k = 0; k < 24; ++k) {
        wit_curve* c[2] = {round_spline(0, even), round_spline(2 * PI * k / 475, k % 2 ? uneven : even)};
        wit_edge_def edges[2] = {{NULL, c[0], {0, 0}, -1, -1}, {NULL, c[1], {0, 0}, -1, -1}};
        wit_use_def uses[2] = {{0, false, NULL, {0, 0}}, {1, false, NULL, {0, 0}}};
        wit_loop_def loops[2] = {{1, &uses[0]}, {1, &uses[1]}};
        wit_face_def faces[3] = {{0}, {0}, {0}};
        faces[0].surface = cylinder;
        for (int i = 0; i < 2; ++i) {
            faces[1 + i].surface = plane;
            faces[1 + i].loop_count = 1;
            faces[1 + i].loops = &loops[i];
        }
        wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
        def.faces = faces;
        def.face_count = 3;
        def.edges = edges;
        def.edge_count = 2;
        def.sew_tolerance = 1e-7;
        wit_body* b = wit_body_create(&def, NULL, NULL);
        assert_non_null(b);
        assert_counts(b, 3, 4, 2, 0);
        assert_int_equal(wit_body_edge(b, 0).use_count, 3);
        assert_consistent(b);
        wit_body_destroy(b);
        wit_curve_destroy(c[0]);
        wit_curve_destroy(c[1]);
    }
    wit_surface_destroy(cylinder);
    wit_surface_destroy(plane);
}

/* A tolerance larger than whole edges would make nothing of the body. */
static void sewing_refuses_to_swallow_an_edge(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(0, 1);
    wit_surface* s = surface_made(&d);
    wit_face_def face = {0};
    face.surface = s;
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.faces = &face;
    def.face_count = 1;
    def.sew_tolerance = 100;
    wit_error e = {0};
    assert_null(wit_body_create(&def, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_RANGE);
    assert_string_equal(e.item, "sew_tolerance");
    wit_surface_destroy(s);
}

static void body_is_one_block_that_may_be_copied(void** state)
{
    (void)state;
    wit_body* b = sewn(4, 1, 1e-9);
    size_t bytes = wit_body_describe(b).bytes;
    wit_body* copy = malloc(bytes);
    memcpy(copy, b, bytes);
    memset(b, 0x5a, sizeof(int)); /* not the allocator: destroy below must still work */
    memcpy(b, copy, sizeof(int));
    wit_body_destroy(b);
    assert_consistent(copy);
    free(copy);
}

/* Build time and memory of 100 to 10,000 patches: no worse than n log n. */
static void building_grows_no_worse_than_n_log_n(void** state)
{
    (void)state;
    double unit = 0;
    for (int n = 10; n <= 100; n = n == 10 ? 32 : n == 32 ? 100 : 1000) {
        clock_t begin = clock();
        wit_body* b = sewn(n, 1, 1e-9);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC, count = n * n;
        wit_body_info info = wit_body_describe(b);
        printf("%6.0f patches: %.3f s, %.1f kB a patch, %d edges, %d nodes\n", count, seconds,
               (double)info.bytes / count / 1024, info.edge_count, info.node_count);
        double per = seconds / (count * log2(count));
        if (n == 32) unit = per;
        if (n == 100) assert_true(per < 3 * unit + 1e-7);
        wit_body_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sewing_joins_what_coincides_at_every_scale),
        cmocka_unit_test(sewing_keeps_the_gap_per_edge),
        cmocka_unit_test(rings_are_sewn_at_every_phase),
        cmocka_unit_test(sewing_refuses_to_swallow_an_edge),
        cmocka_unit_test(body_is_one_block_that_may_be_copied),
        cmocka_unit_test(building_grows_no_worse_than_n_log_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
