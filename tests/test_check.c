/* SPDX-License-Identifier: MIT */
/* What the check says of bodies, edges and vertices, against bodies whose every answer is known. */
#include "../src/body/check/check.h"
#include "analytic.h"
#include "campaign.h"

#define DEGREE (PI / 180)

static wit_body* body_made(const wit_body_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(def, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

static wit_body* solid_made(const wit_solid_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_solid_create(def, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

/* Faces with natural borders, sewn. */
static wit_body* sewn(wit_body_kind kind, int n, wit_surface* const* surfaces, const bool* reversed, double tolerance)
{
    wit_face_def faces[8];
    assert_true(n <= 8);
    memset(faces, 0, sizeof faces);
    for (int i = 0; i < n; i++) {
        faces[i].surface = surfaces[i];
        faces[i].reversed = reversed && reversed[i];
    }
    wit_body_def d = wit_body_default_def(kind);
    d.face_count = n;
    d.faces = faces;
    d.sew_tolerance = tolerance;
    return body_made(&d);
}

/* The bilinear patch with corners a (0,0), b (1,0), c (0,1), d (1,1). */
static wit_surface* bilinear(wit_vec3 a, wit_vec3 b, wit_vec3 c, wit_vec3 d)
{
    static const double knots[4] = {0, 0, 1, 1};
    wit_vec3 points[4] = {a, c, b, d};
    wit_surface_def def = wit_surface_default_def(WIT_SURFACE_NURBS);
    def.degree_u = def.degree_v = 1;
    def.count_u = def.count_v = 2;
    def.knot_count_u = def.knot_count_v = 4;
    def.knots_u = def.knots_v = knots;
    def.points = &points[0].x;
    return surface_made(&def);
}

static int edge_between(const wit_body* b, int f, int g)
{
    for (int e = 0; e < wit_body_describe(b).edge_count; e++) {
        wit_use_info x, y;
        if (wit_body_edge_use(b, e, 0, &x) < 0 || wit_body_edge_use(b, e, 1, &y) < 0) continue;
        if ((x.face == f && y.face == g) || (x.face == g && y.face == f)) return e;
    }
    return -1;
}

/* ---- the papers' patch and bowl --------------------------------------------------------------- */

static wit_surface* table1(double size)
{
    static const double rows[5][5][3] = {{{0, 0, 0}, {3, 0, 2}, {5, 0, 3}, {8, 0, 3}, {10, 0, 0}},
                                         {{1, 3, 3}, {3, 3, 5}, {5, 3, 6}, {8, 3, 5}, {9, 3, 3}},
                                         {{2, 5, 5}, {3, 5, 7}, {5, 5, 8}, {8, 5, 7}, {8, 5, 5}},
                                         {{1, 8, 3}, {3, 8, 5}, {5, 8, 6}, {8, 8, 5}, {9, 8, 3}},
                                         {{0, 10, 0}, {3, 10, 2}, {5, 10, 3}, {8, 10, 2}, {10, 10, 0}}};
    static const double knots[8] = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1};
    double points[75];
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            for (int k = 0; k < 3; ++k) points[3 * (5 * i + j) + k] = size * rows[j][i][k];
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 8;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

/* 42.8 % of the square and 70.45 degrees (half of the largest angle between two normals, 140.9) are known from other
 * programs; the share is sampled to about 2e-4. */
static void table1_is_not_convex_and_only_c1(void** state)
{
    (void)state;
    static const double scales[3] = {1e-6, 1, 1e6};
    for (int k = 0; k < 3; k++) {
        wit_surface* s = table1(scales[k]);
        wit_body* b = sewn(WIT_BODY_SHEET, 1, &s, NULL, 0);
        wit_face_check f = wit_body_check_face(b, 0);
        assert_int_equal(f.continuity, 1);
        assert_true(f.tangent);
        assert_true(fabs(f.continuity_value - 1.0 / 3) < 1e-12);
        assert_int_equal(f.bend, WIT_BEND_MIXED);
        assert_true(f.bend_proved);
        assert_true(fabs(f.negative_share - 0.428) < 5e-4 + 2e-4);
        assert_true(f.nice && f.nice_proved);
        assert_true(f.normals.angle > 70.4 * DEGREE && f.normals_bound < 73 * DEGREE);
        wit_body_check_result c = wit_body_check(b);
        assert_int_equal(c.euler, 1);
        assert_int_equal(c.shells, 1);
        assert_int_equal(c.edges[WIT_EDGE_OPEN], 4);
        assert_true(c.manifold && c.oriented);
        assert_false(c.watertight || c.convex || c.strictly_convex);
        assert_false(c.premise_c2 || c.premise_convex || c.premise_front);
        assert_true(c.premise_nice);
        assert_int_equal(c.faces_not_c2 + c.faces_mixed + c.faces_not_convex, 3);
        assert_int_equal(c.first_mixed, 0);
        for (int v = 0; v < 4; v++) {
            wit_vertex_check x = wit_body_check_vertex(b, v);
            assert_true(x.manifold && x.open && x.within_tolerance);
            assert_int_equal(x.edge_count, 2);
            assert_int_equal(x.fans, 1);
        }
        wit_body_destroy(b);
        wit_surface_destroy(s);
    }
}

/* Between the paraboloid x^2 + y^2 = 4 z and the sphere of radius 5 about (0, 0, 7), below z = 4. Slopes at the rim are 2 and 4/3:
 * the material there is atan 2 - atan 4/3 thin, a convex edge. Volume 32 pi - 52 pi / 3. */
static void bowl_is_concave_inside_with_a_convex_rim(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double size = k == 0 ? 1e-6 : k == 1 ? 1 : 1e6;
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PARABOLOID);
        d.semi_x = d.semi_y = 2 * size;
        d.semi_z = size;
        d.range_v = iv(0, 2);
        wit_surface* outside = surface_made(&d);
        d = wit_surface_default_def(WIT_SURFACE_SPHERE);
        d.frame.origin = vec3(0, 0, 7 * size);
        d.radius = 5 * size;
        d.range_v = iv(-0.5 * PI, -wit_atan2(3, 4));
        wit_surface* inside = surface_made(&d);
        wit_surface* both[2] = {outside, inside};
        static const bool reversed[2] = {false, true};
        wit_body* b = sewn(WIT_BODY_SOLID, 2, both, reversed, 1e-9 * size);
        assert_int_equal(wit_body_check_face(b, 0).bend, WIT_BEND_STRICTLY_CONVEX);
        assert_int_equal(wit_body_check_face(b, 1).bend, WIT_BEND_STRICTLY_CONCAVE);
        wit_body_check_result c = wit_body_check(b);
        assert_true(c.watertight && c.manifold && c.oriented);
        assert_false(c.convex || c.premise_convex);
        assert_true(c.premise_c2 && c.premise_nice);
        assert_int_equal(c.first_not_convex, 1);
        assert_int_equal(c.euler, 2);
        assert_int_equal(c.edges[WIT_EDGE_CONVEX], 1);
        double volume = (32 - 52.0 / 3) * PI * size * size * size;
        assert_true(fabs(c.volume - volume) < 1e-9 * volume);
        wit_edge_check e = wit_body_check_edge(b, 0);
        double turn = PI - (atan(2) - atan(4.0 / 3));
        assert_true(fabs(e.turn_min - turn) < 1e-9 && fabs(e.turn_max - turn) < 1e-9);
        assert_true(e.within_tolerance && e.oriented);
        assert_true(fabs(e.length - 8 * PI * size) < 1e-9 * size);
        wit_body_destroy(b);
        wit_surface_destroy(outside);
        wit_surface_destroy(inside);
    }
}

/* ---- ready-made solids ------------------------------------------------------------------------ */

static wit_body* ready(wit_solid_kind kind, double size)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.frame.origin = vec3(3 * size, -size, 2 * size);
    d.frame.z = vec3(1, 2, 2);
    d.size_x = size;
    d.size_y = 2 * size;
    d.size_z = 3 * size;
    d.radius = 2 * size;
    d.radius2 = (kind == WIT_SOLID_TORUS ? 0.5 : 1) * size;
    d.height = 3 * size;
    double polygon[12] = {0, 0, 4, 0, 4, 1, 1, 1, 1, 3, 0, 3};
    for (int i = 0; i < 12; i++) polygon[i] *= size;
    d.polygon = polygon;
    d.polygon_count = 6;
    return solid_made(&d);
}

static void ready_made_solids_check_as_known(void** state)
{
    (void)state;
    static const struct {
        wit_solid_kind kind;
        int convex, reflex, smooth, euler; /* edges by character */
        int body_convex;                   /* 0 no, 1 yes, 2 strictly */
        double area, volume;
    } cases[] = {
        {WIT_SOLID_BOX, 12, 0, 0, 2, 1, 22, 6},
        {WIT_SOLID_SPHERE, 0, 0, 0, 2, 2, 16 * PI, 32 * PI / 3},
        {WIT_SOLID_ELLIPSOID, 0, 0, 0, 2, 2, 0, 8 * PI},
        {WIT_SOLID_CYLINDER, 2, 0, 0, 2, 1, 20 * PI, 12 * PI},
        {WIT_SOLID_CONE, 1, 0, 0, 2, 1, 0, 4 * PI},
        {WIT_SOLID_FRUSTUM, 2, 0, 0, 2, 1, 0, 7 * PI},
        {WIT_SOLID_CAPSULE, 0, 0, 2, 2, 1, 28 * PI, 12 * PI + 32 * PI / 3},
        {WIT_SOLID_TORUS, 0, 0, 0, 0, 0, 4 * PI * PI, PI * PI},
        {WIT_SOLID_PRISM, 17, 1, 0, 2, 0, 54, 18},
    };
    static const double scales[3] = {1e-6, 1, 1e6};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 3; k++) {
            double size = scales[k], square = size * size, cube = square * size;
            wit_body* b = ready(cases[i].kind, size);
            wit_body_check_result c = wit_body_check(b);
            wit_body_measures m = wit_body_measure(b);
            assert_true(m.watertight == c.watertight && m.manifold == c.manifold && m.oriented == c.oriented);
            assert_true(m.gap == c.gap && m.area == c.area && m.volume == c.volume);
            assert_true(c.watertight && c.manifold && c.oriented);
            assert_int_equal(c.shells, 1);
            assert_int_equal(c.euler, cases[i].euler);
            assert_int_equal(c.edges[WIT_EDGE_CONVEX], cases[i].convex);
            assert_int_equal(c.edges[WIT_EDGE_REFLEX], cases[i].reflex);
            assert_int_equal(c.edges[WIT_EDGE_SMOOTH], cases[i].smooth);
            assert_int_equal(c.edges[WIT_EDGE_OPEN] + c.edges[WIT_EDGE_MIXED] + c.edges[WIT_EDGE_NONMANIFOLD], 0);
            assert_int_equal(c.convex + c.strictly_convex, cases[i].body_convex);
            assert_true(c.convex_proved == c.convex);
            assert_int_equal(c.first_reflex >= 0, cases[i].reflex > 0);
            assert_true(c.premise_c2);
            /* Gauss to degree 9 on 24 pieces leaves rounding only; the cone's flux is exact but for its apex. */
            assert_true(fabs(c.volume - cases[i].volume * cube) <= 1e-9 * cases[i].volume * cube);
            if (cases[i].area > 0) assert_true(fabs(c.area - cases[i].area * square) <= 1e-9 * cases[i].area * square);
            wit_body_destroy(b);
        }
    wit_body* half = ready(WIT_SOLID_HALF_SPACE, 1);
    wit_body_check_result c = wit_body_check(half);
    assert_true(c.watertight && c.convex && !c.strictly_convex && c.premise_front);
    assert_true(c.area == 0 && c.volume == 0);
    wit_body_destroy(half);
}

/* The vertical edges of a prism turn by the outer angles of its polygon. */
static void prism_edges_turn_as_the_corners_of_their_polygon(void** state)
{
    (void)state;
    rng r = rng_seed(311);
    int reflex = 0;
    for (long n = 0; n < campaign(300); n++) {
        int corners = 3 + rng_int(&r, 8);
        double polygon[22];
        for (int i = 0; i < corners; i++) { /* star-shaped about the origin: simple */
            double s, c, radius = rng_range(&r, 0.3, 2);
            wit_sincos(TWO_PI * (i + rng_range(&r, 0.1, 0.4)) / corners, &s, &c);
            polygon[2 * i] = radius * c;
            polygon[2 * i + 1] = radius * s;
        }
        wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
        d.frame = random_frame(&r, 1);
        d.height = 1.5;
        d.polygon = polygon;
        d.polygon_count = corners;
        wit_body* b = solid_made(&d);
        wit_body_info info = wit_body_describe(b);
        int matched = 0, convex_corners = 0;
        for (int i = 0; i < corners; i++) {
            const double *p = polygon + 2 * ((i + corners - 1) % corners), *q = polygon + 2 * i,
                         *t = polygon + 2 * ((i + 1) % corners);
            double ax = q[0] - p[0], ay = q[1] - p[1], bx = t[0] - q[0], by = t[1] - q[1];
            double turn = wit_atan2(ax * by - ay * bx, ax * bx + ay * by);
            convex_corners += turn > 0;
            for (int e = 0; e < info.edge_count; e++) {
                wit_edge_check c = wit_body_check_edge(b, e);
                if (fabs(c.length - 1.5) < 1e-12 && fabs(c.turn_min - turn) < 1e-9 && fabs(c.turn_max - turn) < 1e-9) {
                    assert_int_equal(c.character, turn > 0 ? WIT_EDGE_CONVEX : WIT_EDGE_REFLEX);
                    matched++;
                    break;
                }
            }
        }
        assert_int_equal(matched, corners);
        wit_body_check_result c = wit_body_check(b);
        assert_int_equal(c.edges[WIT_EDGE_REFLEX], corners - convex_corners);
        assert_int_equal(c.edges[WIT_EDGE_CONVEX], 2 * corners + convex_corners);
        assert_true(c.convex == (convex_corners == corners));
        assert_int_equal(c.euler, 2);
        reflex += c.edges[WIT_EDGE_REFLEX];
        wit_body_destroy(b);
    }
    assert_true(reflex > 0);
}

/* A solid whose faces are all turned over: closed, oriented, and inside out. */
static void a_solid_inside_out_has_a_negative_volume_and_is_not_convex(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = 2;
    wit_surface* s = surface_made(&d);
    bool reversed = true;
    wit_body* b = sewn(WIT_BODY_SOLID, 1, &s, &reversed, 0);
    wit_body_check_result c = wit_body_check(b);
    assert_true(c.watertight && c.oriented && !c.convex);
    assert_true(fabs(c.volume + 32 * PI / 3) < 1e-9);
    assert_int_equal(wit_body_check_face(b, 0).bend, WIT_BEND_STRICTLY_CONCAVE);
    wit_body_destroy(b);
    wit_surface_destroy(s);
}

/* ---- edges and vertices ----------------------------------------------------------------------- */

/* Floor z = 0 for y < 0, and beyond y = 0 a ramp with slope tilt0 at x = 0 to tilt1 at x = 1. Rising is reflex. */
static void edge_character_follows_the_slope_along_it(void** state)
{
    (void)state;
    static const struct {
        double tilt0, tilt1;
        wit_edge_character want;
    } cases[] = {{0.5, 0.2, WIT_EDGE_REFLEX},  {-0.5, -0.2, WIT_EDGE_CONVEX}, {0.5, -0.3, WIT_EDGE_MIXED},
                 {0, 0, WIT_EDGE_SMOOTH},      {0, -0.4, WIT_EDGE_CONVEX},    {1e-7, -1e-7, WIT_EDGE_SMOOTH},
                 {1e-5, -1e-5, WIT_EDGE_MIXED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double a = cases[i].tilt0, b = cases[i].tilt1;
        wit_surface* two[2] = {bilinear(vec3(0, -1, 0), vec3(1, -1, 0), vec3(0, 0, 0), vec3(1, 0, 0)),
                               bilinear(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, a), vec3(1, 1, b))};
        wit_body* body = sewn(WIT_BODY_SHEET, 2, two, NULL, 1e-9);
        int edge = edge_between(body, 0, 1);
        assert_true(edge >= 0);
        wit_edge_check c = wit_body_check_edge(body, edge);
        assert_int_equal(c.character, cases[i].want);
        assert_true(c.turn_known && c.oriented && c.within_tolerance);
        /* Ends are looked at 1e-6 of the range inside. */
        assert_true(fabs(c.turn_min + atan(fmax(a, b))) < 1e-6 && fabs(c.turn_max + atan(fmin(a, b))) < 1e-6);
        wit_curve_jet at;
        wit_curve_eval(wit_body_edge(body, edge).curve, c.turn_min_at, 0, NULL, &at);
        if (a != b) assert_true(fabs(at.p.x - (a > b ? 0 : 1)) < 1e-5);
        wit_body_check_result all = wit_body_check(body);
        assert_true(!all.watertight && all.manifold && all.oriented);
        assert_int_equal(all.euler, 1);
        wit_body_destroy(body);
        wit_surface_destroy(two[0]);
        wit_surface_destroy(two[1]);
    }
}

/* One spline of degree 1 bent at its middle knot, along u or along v, by a known angle: two faces of the same surface,
 * each with its own normal along the crease. */
static void both_sides_of_a_crease_are_told_apart(void** state)
{
    (void)state;
    static const double bent[5] = {0, 0, 1, 2, 2}, straight[4] = {0, 0, 1, 1};
    for (int k = 0; k < 8; k++) {
        bool along_u = k & 1, reversed = k & 2, down = k & 4;
        double drop = down ? -0.75 : 0.75, points[18];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 2; j++) {
                double* to = points + 3 * (along_u ? 2 * i + j : 3 * j + i);
                to[0] = along_u ? i : j;
                to[1] = along_u ? j : i;
                to[2] = i == 2 ? drop : 0;
            }
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
        d.degree_u = d.degree_v = 1;
        d.count_u = along_u ? 3 : 2;
        d.count_v = along_u ? 2 : 3;
        d.knot_count_u = d.count_u + 2;
        d.knot_count_v = d.count_v + 2;
        d.knots_u = along_u ? bent : straight;
        d.knots_v = along_u ? straight : bent;
        d.points = points;
        wit_surface* s = surface_made(&d);
        wit_body* b = sewn(WIT_BODY_SHEET, 1, &s, &reversed, 0);
        assert_int_equal(wit_body_describe(b).face_count, 2);
        wit_edge_check c = wit_body_check_edge(b, edge_between(b, 0, 1));
        double turn = (down != reversed ? 1 : -1) * atan(0.75);
        assert_true(fabs(c.turn_min - turn) < 1e-12 && fabs(c.turn_max - turn) < 1e-12);
        assert_true(c.oriented);
        for (int f = 0; f < 2; f++) {
            wit_face_check face = wit_body_check_face(b, f);
            assert_int_equal(face.bend, WIT_BEND_FLAT);
            assert_int_equal(face.continuity, 2);
            double area = f == 0 ? 1 : 1.25; /* up to 1e6 summands */
            assert_true(fabs(face.area - area) < 1e6 * EPS);
        }
        assert_true(wit_body_check(b).manifold);
        wit_body_destroy(b);
        wit_surface_destroy(s);
    }
}

static void a_face_turned_over_is_not_oriented(void** state)
{
    (void)state;
    static const bool reversed[2] = {false, true};
    wit_surface* two[2] = {bilinear(vec3(0, -1, 0), vec3(1, -1, 0), vec3(0, 0, 0), vec3(1, 0, 0)),
                           bilinear(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, -1), vec3(1, 1, -1))};
    wit_body* body = sewn(WIT_BODY_SHEET, 2, two, reversed, 1e-9);
    wit_edge_check c = wit_body_check_edge(body, edge_between(body, 0, 1));
    assert_false(c.oriented);
    assert_int_equal(c.character, WIT_EDGE_CONVEX);
    assert_true(fabs(c.turn_max - 45 * DEGREE) < 1e-9);
    wit_body_check_result all = wit_body_check(body);
    assert_false(all.oriented);
    assert_int_equal(all.unoriented_edges, 1);
    wit_body_destroy(body);
    wit_surface_destroy(two[0]);
    wit_surface_destroy(two[1]);
}

static void three_leaves_on_one_edge_are_not_manifold(void** state)
{
    (void)state;
    wit_surface* leaves[3];
    for (int i = 0; i < 3; i++) {
        double s, c;
        wit_sincos(2.1 * i, &s, &c);
        leaves[i] = bilinear(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, c, s), vec3(1, c, s));
    }
    wit_body* b = sewn(WIT_BODY_SHEET2, 3, leaves, NULL, 1e-9);
    wit_body_check_result c = wit_body_check(b);
    assert_int_equal(c.edges[WIT_EDGE_NONMANIFOLD], 1);
    assert_int_equal(wit_body_check_edge(b, c.first_nonmanifold).use_count, 3);
    assert_false(c.manifold || c.watertight);
    assert_int_equal(c.bad_vertices, 2);
    assert_int_equal(c.shells, 1);
    wit_body_destroy(b);
    for (int i = 0; i < 3; i++) wit_surface_destroy(leaves[i]);
}

/* Two patches that share a corner only: its faces form two fans. */
static void faces_that_meet_in_a_point_are_not_manifold_there(void** state)
{
    (void)state;
    wit_surface* two[2] = {bilinear(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0), vec3(1, 1, 0)),
                           bilinear(vec3(1, 1, 0), vec3(2, 1, 0), vec3(1, 2, 0), vec3(2, 2, 0))};
    wit_body* b = sewn(WIT_BODY_SHEET, 2, two, NULL, 1e-9);
    wit_body_check_result c = wit_body_check(b);
    assert_int_equal(c.bad_vertices, 1);
    assert_false(c.manifold);
    assert_int_equal(c.shells, 2);
    assert_int_equal(c.euler, 1); /* two discs joined in a point: 7 - 8 + 2 */
    wit_vertex_check v = wit_body_check_vertex(b, c.first_bad_vertex);
    assert_int_equal(v.fans, 2);
    assert_int_equal(v.edge_count, 4);
    wit_body_destroy(b);
    wit_surface_destroy(two[0]);
    wit_surface_destroy(two[1]);
}

/* Two patches sewn with a gap: the gap found is the one made, at the end where it is widest. */
static void gap_of_a_sewn_edge_is_the_one_made(void** state)
{
    (void)state;
    rng r = rng_seed(312);
    for (int n = 0; n < 20; n++) {
        double size = n % 2 ? 1e-6 : 1e6, gap = size * rng_range(&r, 1e-5, 1e-3), part = gap * rng_range(&r, 0, 0.9);
        wit_surface* two[2] = {bilinear(vec3(0, -size, 0), vec3(size, -size, 0), vec3(0, 0, 0), vec3(size, 0, 0)),
                               bilinear(vec3(0, 0, part), vec3(size, 0, gap), vec3(0, size, 0), vec3(size, size, 0))};
        wit_body* b = sewn(WIT_BODY_SHEET, 2, two, NULL, 1.01 * gap);
        int edge = edge_between(b, 0, 1);
        assert_true(edge >= 0);
        wit_edge_check c = wit_body_check_edge(b, edge);
        /* Each border bounds the distance to the other; lines that diverge are nearer than their ends by gap^2 / size. */
        assert_true(fabs(c.gap - gap) <= 1e-6 * gap + 1e-14 * size);
        assert_true(c.within_tolerance);
        wit_body_check_result all = wit_body_check(b);
        assert_int_equal(all.gap_edge, edge);
        assert_true(all.gap == c.gap);
        wit_body_destroy(b);
        wit_surface_destroy(two[0]);
        wit_surface_destroy(two[1]);
    }
}

/* ---- odd calls -------------------------------------------------------------------------------- */

static void ids_outside_the_body_give_zeroes(void** state)
{
    (void)state;
    wit_body* b = ready(WIT_SOLID_BOX, 1);
    for (int k = 0; k < 2; k++) {
        int id = k ? 1000 : -1;
        assert_true(wit_body_check_face(b, id).size == 0);
        assert_int_equal(wit_body_check_edge(b, id).use_count, 0);
        assert_int_equal(wit_body_check_vertex(b, id).edge_count, 0);
    }
    assert_false(wit_body_check(NULL).watertight);
    assert_string_equal(wit_bend_name(WIT_BEND_SADDLE), "saddle");
    assert_string_equal(wit_bend_name(WIT_BEND_COUNT), "?");
    assert_string_equal(wit_edge_character_name(WIT_EDGE_NONMANIFOLD), "non-manifold");
    assert_string_equal(wit_edge_character_name(WIT_EDGE_CHARACTER_COUNT), "?");
    wit_body_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_is_not_convex_and_only_c1),
        cmocka_unit_test(bowl_is_concave_inside_with_a_convex_rim),
        cmocka_unit_test(ready_made_solids_check_as_known),
        cmocka_unit_test(prism_edges_turn_as_the_corners_of_their_polygon),
        cmocka_unit_test(a_solid_inside_out_has_a_negative_volume_and_is_not_convex),
        cmocka_unit_test(edge_character_follows_the_slope_along_it),
        cmocka_unit_test(both_sides_of_a_crease_are_told_apart),
        cmocka_unit_test(a_face_turned_over_is_not_oriented),
        cmocka_unit_test(three_leaves_on_one_edge_are_not_manifold),
        cmocka_unit_test(faces_that_meet_in_a_point_are_not_manifold_there),
        cmocka_unit_test(gap_of_a_sewn_edge_is_the_one_made),
        cmocka_unit_test(ids_outside_the_body_give_zeroes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
