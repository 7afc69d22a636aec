/* SPDX-License-Identifier: MIT */
/* Split bodies: the same point set, pieces C2, of one curvature sign and nice. */
#include "../include/witness/io.h"
#include "campaign.h"
#include "polynomial_patch.h"
#include "split_checks.h"

static wit_body* body_made(const wit_body_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(def, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

static wit_body* patch_body(const wit_surface* s)
{
    wit_face_def f = {.name = "S1", .surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
    d.face_count = 1;
    d.faces = &f;
    return body_made(&d);
}

static wit_body* solid_made(wit_solid_kind kind, double scale)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = scale;
    d.size_y = 2 * scale;
    d.size_z = 3 * scale;
    d.radius = kind == WIT_SOLID_TORUS ? 3 * scale : scale;
    d.radius2 = scale;
    d.height = 2 * scale;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* split(const wit_body* b, wit_split_report* report)
{
    wit_error e = {0};
    wit_split_def d = wit_split_default_def();
    d.report = report;
    wit_body* s = wit_body_split(b, &d, NULL, &e);
    if (!s) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(s);
    assert_int_equal(report->pieces, wit_body_describe(s).face_count);
    return s;
}

/* ---- bodies ------------------------------------------------------------------------------------- */

static wit_surface* table1(double scale)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_file("models/table1.json", NULL, &e);
    if (!m) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(m);
    wit_surface_def d = *wit_model_surface_def(m, 0);
    double points[75];
    for (int i = 0; i < 75; ++i) points[i] = scale * d.points[i];
    d.points = points;
    wit_surface* s = surface_made(&d);
    wit_model_destroy(m);
    return s;
}

static void table1_splits_into_pieces_of_one_sign_at_every_scale(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    int faces = 0, edges = 0;
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        wit_surface* surface = table1(scale);
        wit_body* b = patch_body(surface);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(report.not_nice, 0);
        assert_true(report.error <= 1e-9);
        if (faces == 0) faces = s->face_count;
        if (edges == 0) edges = s->edge_count;
        assert_int_equal(s->face_count, faces);
        assert_int_equal(s->edge_count, edges);
        assert_true(faces > 9); /* nine C2 cells, some of them cut by K = 0 */
        all_good(b, s, &r, campaign(scale == 1 ? 40000 : 4000));
        double whole = face_area(b, 0), sum = 0;
        for (int f = 0; f < s->face_count; ++f) {
            double a = face_area(s, f);
            assert_true(a > 0);
            sum += a;
        }
        near1(sum / whole, 1, 1e-9, "areas");
        assert_true(wit_body_find(s, WIT_FACE, "S1.1") >= 0);
        assert_int_equal(wit_body_check(s).euler, 1);
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(surface);
    }
    print_message("table1: %d faces, %d edges\n", faces, edges);
}

static void torus_splits_at_its_two_circles_and_is_nice(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        wit_body* b = solid_made(WIT_SOLID_TORUS, scale);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(s->face_count, 16);
        assert_int_equal(s->edge_count, 32);
        assert_int_equal(s->vertex_count, 16);
        shell_holds(s, 0);
        all_good(b, s, &r, campaign(20000));
        double sum = 0;
        for (int f = 0; f < 16; ++f) sum += face_area(s, f);
        near1(sum / (scale * scale), 4 * PI * PI * 3, 1e-8, "area 4 pi^2 R r");
        wit_body_destroy(s);
        wit_body_destroy(b);
    }
}

static void spline_torus_splits_like_the_exact_one(void** state)
{
    (void)state;
    rng r = rng_seed(33);
    wit_model* m = wit_model_read_file("models/torus-nurbs.json", NULL, NULL);
    assert_non_null(m);
    wit_body* b = patch_body(wit_model_surface(m, 0));
    wit_split_report report;
    wit_body* s = split(b, &report);
    assert_int_equal(report.unresolved, 0);
    assert_int_equal(s->face_count, 16);
    shell_holds(s, 0);
    all_good(b, s, &r, campaign(10000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_model_destroy(m);
}

static void solids_get_only_the_cuts_they_need(void** state)
{
    (void)state;
    static const struct {
        wit_solid_kind kind;
        int faces, edges, vertices;
    } want[] = {
        {WIT_SOLID_BOX, 6, 12, 8},      /* nothing to do */
        {WIT_SOLID_CYLINDER, 6, 12, 8}, /* four quarters */
        {WIT_SOLID_CONE, 2, 1, 1},      /* its normals are within a hemisphere */
        {WIT_SOLID_SPHERE, 8, 12, 6},   {WIT_SOLID_ELLIPSOID, 8, 12, 6}, {WIT_SOLID_CAPSULE, 12, 20, 10},
    };
    rng r = rng_seed(34);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; ++i)
        for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
            wit_body* b = solid_made(want[i].kind, scale);
            wit_split_report report;
            wit_body* s = split(b, &report);
            assert_int_equal(s->face_count, want[i].faces);
            assert_int_equal(s->edge_count, want[i].edges);
            assert_int_equal(s->vertex_count, want[i].vertices);
            wit_body_check_result c = wit_body_check(s);
            assert_true(c.watertight);
            assert_int_equal(c.euler, 2);
            assert_int_equal(c.faces_not_nice, 0);
            shell_holds(s, 0);
            all_good(b, s, &r, campaign(4000));
            wit_body_destroy(s);
            wit_body_destroy(b);
        }
}

/* ---- wavy patches -------------------------------------------------------------------------------- */

enum { NET = 7 };

static void wavy_points(rng* r, double amplitude, double x0, double* points)
{
    for (int i = 0; i < NET; ++i)
        for (int j = 0; j < NET; ++j) {
            double* p = points + 3 * (NET * i + j);
            p[0] = x0 + i;
            p[1] = j;
            p[2] = rng_range(r, -amplitude, amplitude);
        }
}

static wit_surface* wavy_surface(const double* points, int degree)
{
    double knots[NET + 5];
    int n = NET + degree + 1;
    for (int i = 0; i < n; ++i) {
        int k = i - degree;
        knots[i] = k < 0 ? 0 : k > NET - degree ? NET - degree : k;
    }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = degree;
    d.count_u = d.count_v = NET;
    d.knot_count_u = d.knot_count_v = n;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

/* Degree 3: C2 everywhere, so the curves run on across knot lines. */
static void wavy_patches_split_into_pieces_of_one_sign(void** state)
{
    (void)state;
    rng r = rng_seed(35);
    long unresolved = 0, pieces = 0;
    long trials = campaign(30);
    for (long trial = 0; trial < trials; ++trial) {
        double points[3 * NET * NET];
        double amplitude = rng_range(&r, 0.1, 2);
        wavy_points(&r, amplitude, 0, points);
        wit_surface* surface = wavy_surface(points, trial % 4 == 3 ? 2 : 3);
        wit_body* b = patch_body(surface);
        wit_split_report report;
        wit_body* s = split(b, &report);
        unresolved += report.unresolved;
        pieces += s->face_count;
        if (report.unresolved == 0) all_good(b, s, &r, campaign(20000));
        double whole = face_area(b, 0), sum = 0;
        for (int f = 0; f < s->face_count; ++f) sum += face_area(s, f);
        near1(sum / whole, 1, 1e-9, "areas");
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(surface);
    }
    print_message("%ld wavy patches: %ld pieces, %ld places not resolved\n", trials, pieces, unresolved);
    assert_true(unresolved == 0);
}

/* Two wavy patches with a common border line, sewn: cut from both sides it stays one line. */
static void shared_edge_cut_from_both_sides_stays_watertight(void** state)
{
    (void)state;
    rng r = rng_seed(36);
    long divided = 0, trials = campaign(20);
    for (long trial = 0; trial < trials; ++trial) {
        double a[3 * NET * NET], c[3 * NET * NET];
        wavy_points(&r, 1, 0, a);
        wavy_points(&r, 1, NET - 1, c);
        memcpy(c, a + 3 * NET * (NET - 1), 3 * NET * sizeof(double));
        wit_surface *left = wavy_surface(a, 3), *right = wavy_surface(c, 3);
        wit_face_def faces[2] = {{.name = "L", .surface = left}, {.name = "R", .surface = right}};
        wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
        d.face_count = 2;
        d.faces = faces;
        d.sew_tolerance = 1e-6;
        wit_body* b = body_made(&d);
        assert_int_equal(b->edge_count, 7);
        int shared = -1;
        for (int e = 0; e < 7; ++e)
            if (wit_body_edge(b, e).use_count == 2) shared = e;
        assert_true(shared >= 0);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(report.faces_cut, 2);
        /* Length used once is the outer border's, used twice with faces of L and R the shared line's. */
        double border = 0, common = 0;
        int open = 0, across = 0;
        for (int e = 0; e < s->edge_count; ++e) {
            wit_use_info x, y;
            wit_body_edge_use(s, e, 0, &x);
            int uses = wit_body_edge(s, e).use_count;
            double length = 0;
            wit_edge_info info = wit_body_edge(s, e);
            for (int i = 0; i < 200; ++i) {
                wit_curve_jet p;
                wit_curve_eval(info.curve, info.range.lo + iv_width(info.range) * (i + 0.5) / 200, 0, NULL, &p);
                length += norm3(p.d1) * iv_width(info.range) / 200;
            }
            if (uses == 1) {
                border += length;
                ++open;
                continue;
            }
            assert_int_equal(uses, 2);
            wit_body_edge_use(s, e, 1, &y);
            if (wit_body_face(s, x.face).name[0] != wit_body_face(s, y.face).name[0]) {
                common += length;
                ++across;
            }
        }
        double want_border = 0, want_common = 0;
        for (int e = 0; e < 7; ++e) {
            wit_edge_info info = wit_body_edge(b, e);
            double length = 0;
            for (int i = 0; i < 4000; ++i) {
                wit_curve_jet p;
                wit_curve_eval(info.curve, info.range.lo + iv_width(info.range) * (i + 0.5) / 4000, 0, NULL, &p);
                length += norm3(p.d1) * iv_width(info.range) / 4000;
            }
            if (e == shared)
                want_common += length;
            else
                want_border += length;
        }
        /* Midpoint rule, 200 points per piece: h^2 / 24 of smooth integrands, some 1e-4 of the length at worst. */
        near1(border / want_border, 1, 1e-3, "outer border");
        near1(common / want_common, 1, 1e-3, "shared line");
        divided += across > 1;
        shell_holds(s, open);
        all_good(b, s, &r, campaign(2000));
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(left);
        wit_surface_destroy(right);
    }
    assert_true(2 * divided > trials); /* most lines were cut */
}

/* A cylinder with a round hole over its seam and one beside it: the holes' edges are divided where the cuts meet them. */
static void trimmed_cylinder_is_cut_through_its_holes(void** state)
{
    (void)state;
    rng r = rng_seed(37);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 1;
    d.range_v = iv(-1, 1);
    wit_surface* surface = surface_made(&d);
    wit_curve* curves[4];
    for (int i = 0; i < 4; ++i) {
        wit_curve_def c = wit_curve_default_def(i < 2 ? WIT_CURVE_LINE : WIT_CURVE_CIRCLE);
        c.frame.origin = i == 0   ? vec3(0, -1, 0)
                         : i == 1 ? vec3(0, 1, 0)
                         : i == 2 ? vec3(TWO_PI, 0, 0)
                                  : vec3(2, 0.1, 0);
        c.radius = i == 2 ? 0.5 : 0.7;
        if (i < 2) c.range = iv(0, TWO_PI);
        curves[i] = curve_made(&c);
    }
    wit_edge_def edges[4];
    wit_use_def uses[4];
    wit_loop_def loops[4];
    for (int i = 0; i < 4; ++i) {
        edges[i] = (wit_edge_def){.start = -1, .end = -1};
        uses[i] = (wit_use_def){.edge = i, .reversed = i > 0, .parameter_curve = curves[i]};
        loops[i] = (wit_loop_def){1, &uses[i]};
    }
    wit_face_def face = {.name = "mantle", .surface = surface, .loop_count = 4, .loops = loops};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.edge_count = 4;
    def.edges = edges;
    def.face_count = 1;
    def.faces = &face;
    wit_body* b = body_made(&def);
    wit_split_report report;
    wit_body* s = split(b, &report);
    assert_int_equal(report.unresolved, 0);
    assert_true(s->face_count >= 4);
    all_good(b, s, &r, campaign(50000));
    double sum = 0;
    for (int f = 0; f < s->face_count; ++f) sum += face_area(s, f);
    near1(sum, 2 * TWO_PI - PI * (0.25 + 0.49), 1e-9, "area"); /* parameters are lengths here */
    wit_body_destroy(s);
    wit_body_destroy(b);
    for (int i = 0; i < 4; ++i) wit_curve_destroy(curves[i]);
    wit_surface_destroy(surface);
}

static void a_revolution_is_cut_at_circles_of_zero_curvature(void** state)
{
    (void)state;
    /* A profile with a waist: r = 2 + cos z over a full wave, as an interpolating spline would be; here of degree 3. */
    static const double points[15] = {3, 0, 0, 3, 0, 1, 1, 0, 3, 3, 0, 5, 3, 0, 6},
                        knots[9] = {0, 0, 0, 0, 1, 2, 2, 2, 2};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 3;
    c.count = 5;
    c.knot_count = 9;
    c.knots = knots;
    c.points = points;
    wit_curve* profile = curve_made(&c);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    wit_surface* surface = surface_made(&d);
    wit_body* b = patch_body(surface);
    wit_split_report report;
    wit_body* s = split(b, &report);
    rng r = rng_seed(38);
    assert_int_equal(report.unresolved, 0);
    assert_true(s->face_count >= 12);
    all_good(b, s, &r, campaign(10000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_surface_destroy(surface);
    wit_curve_destroy(profile);
}

/* Inside a disc K > 0, in a ring K < 0, outside K > 0: rings without cuts to their border. */
static void closed_curves_become_faces_with_holes(void** state)
{
    (void)state;
    double a[5][5] = {{0}};
    a[2][0] = a[0][2] = 0.5;
    a[4][0] = a[0][4] = -0.25;
    a[2][2] = -0.5;
    wit_surface* surface = polynomial_patch(a, -1.2, 1.3, -1.15, 1.25, 1);
    wit_body* b = patch_body(surface);
    wit_split_report report;
    wit_split_def d = wit_split_default_def();
    d.report = &report;
    d.nice = false;
    wit_body* s = wit_body_split(b, &d, NULL, NULL);
    assert_non_null(s);
    rng r = rng_seed(39);
    assert_int_equal(s->face_count, 3);
    assert_int_equal(s->loop_count, 5);
    assert_int_equal(s->edge_count, 6);
    pieces_tile(b, s, &r, campaign(20000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_surface_destroy(surface);
}

static void bad_calls_are_refused(void** state)
{
    (void)state;
    wit_error e = {0};
    wit_body* b = solid_made(WIT_SOLID_BOX, 1);
    assert_null(wit_body_split(NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    wit_split_def d = wit_split_default_def();
    d.struct_size = 3;
    assert_null(wit_body_split(b, &d, NULL, &e));
    assert_string_equal(e.item, "struct_size");
    d = wit_split_default_def();
    d.accuracy = NAN;
    assert_null(wit_body_split(b, &d, NULL, &e));
    assert_string_equal(e.item, "accuracy");
    wit_body* s = wit_body_split(b, NULL, NULL, NULL);
    assert_non_null(s);
    wit_body_destroy(s);
    wit_body_destroy(b);
}

/* ---- memory -------------------------------------------------------------------------------------- */

typedef struct meter {
    long calls, fail_at, live;
} meter;

static void* take(size_t bytes, void* user)
{
    meter* m = user;
    if (m->calls++ == m->fail_at) return NULL;
    m->live += 1;
    return malloc(bytes);
}

static void give(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    if (memory) ((meter*)user)->live -= 1;
    free(memory);
}

static void no_memory_at_any_step_is_refused_without_a_leak(void** state)
{
    (void)state;
    wit_surface* surface = table1(1);
    wit_body* b = patch_body(surface);
    meter m = {0, -1, 0};
    wit_allocator a = {take, give, &m};
    wit_split_def d = wit_split_default_def();
    d.accuracy = 1e-4;
    wit_body* s = wit_body_split(b, &d, &a, NULL);
    assert_non_null(s);
    wit_body_destroy(s);
    assert_int_equal(m.live, 0);
    long all = m.calls, step = 1 + all / campaign(200);
    for (long i = 0; i < all; i += step) {
        wit_error e = {0};
        m = (meter){0, i, 0};
        s = wit_body_split(b, &d, &a, &e);
        assert_null(s);
        assert_int_equal(m.live, 0);
        assert_int_equal(e.status, WIT_ERROR_MEMORY);
    }
    wit_body_destroy(b);
    wit_surface_destroy(surface);
}

/* Faces that end at a crease of their surface: the normals beyond it are not theirs. The hourglass is nice as it is. */
static void a_turned_polyline_needs_no_cuts(void** state)
{
    (void)state;
    static const double knots[5] = {0, 0, 1, 2, 2}, points[9] = {2, 0, 0, 1, 0, 1, 3, 0, 2};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 1;
    c.count = 3;
    c.knot_count = 5;
    c.knots = knots;
    c.points = points;
    wit_curve* profile = curve_made(&c);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.profile = profile;
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(body);
    wit_split_report report;
    wit_split_def def = wit_split_default_def();
    def.report = &report;
    wit_body* pieces = wit_body_split(body, &def, NULL, NULL);
    assert_non_null(pieces);
    assert_int_equal(report.faces_cut, 0);
    assert_int_equal(report.pieces, 4);
    assert_int_equal(report.not_nice, 0);
    wit_body_destroy(pieces);
    wit_body_destroy(body);
    wit_curve_destroy(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_splits_into_pieces_of_one_sign_at_every_scale),
        cmocka_unit_test(torus_splits_at_its_two_circles_and_is_nice),
        cmocka_unit_test(spline_torus_splits_like_the_exact_one),
        cmocka_unit_test(solids_get_only_the_cuts_they_need),
        cmocka_unit_test(wavy_patches_split_into_pieces_of_one_sign),
        cmocka_unit_test(shared_edge_cut_from_both_sides_stays_watertight),
        cmocka_unit_test(trimmed_cylinder_is_cut_through_its_holes),
        cmocka_unit_test(a_revolution_is_cut_at_circles_of_zero_curvature),
        cmocka_unit_test(a_turned_polyline_needs_no_cuts),
        cmocka_unit_test(closed_curves_become_faces_with_holes),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(no_memory_at_any_step_is_refused_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
