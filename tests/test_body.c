/* SPDX-License-Identifier: MIT */
/* Bodies from faces: natural borders, creases, poles, sewing, trims, refusals, growth. */
#include <stdlib.h>
#include <time.h>

#include "../include/witness/body.h"
#include "analytic.h"
#include "campaign.h"

static wit_body* body_of(const wit_face_def* faces, int count, double sew)
{
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.faces = faces;
    d.face_count = count;
    d.sew_tolerance = sew;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

static wit_body* lone(const wit_surface* s)
{
    wit_face_def f = {0};
    f.surface = s;
    return body_of(&f, 1, 0);
}

static void assert_counts(const wit_body* b, int faces, int loops, int edges, int vertices)
{
    wit_body_info i = wit_body_describe(b);
    if (i.face_count != faces || i.loop_count != loops || i.edge_count != edges || i.vertex_count != vertices)
        fail_msg("%d faces, %d loops, %d edges, %d vertices", i.face_count, i.loop_count, i.edge_count, i.vertex_count);
}

/* Every use's parameter curve, lifted, runs along its edge; loops join end to end in space. */
static void assert_consistent(const wit_body* b)
{
    wit_body_info info = wit_body_describe(b);
    double near = info.tolerance + 1e-9 * info.size;
    for (int e = 0; e < info.edge_count; ++e) {
        wit_edge_info edge = wit_body_edge(b, e);
        wit_use_info use;
        for (int k = 0; wit_body_edge_use(b, e, k, &use) >= 0; ++k) {
            assert_int_equal(use.edge, e);
            const wit_surface* s = wit_body_face(b, use.face).surface;
            for (int i = 0; i <= 8; ++i) {
                double t = edge.range.lo + iv_width(edge.range) * i / 8;
                wit_curve_jet on_edge, uv;
                wit_surface_jet on_face;
                wit_curve_eval(edge.curve, t, 0, NULL, &on_edge);
                wit_curve_eval(use.parameter_curve, use.shift + use.scale * t, 0, NULL, &uv);
                wit_surface_eval(s, uv.p.x, uv.p.y, 0, NULL, &on_face);
                assert_true(norm3(sub3(on_edge.p, on_face.p)) <= near);
            }
        }
        assert_int_equal(edge.use_count > 0, 1);
        for (int end = 0; end < 2 && !edge.ring; ++end) {
            wit_curve_jet at;
            wit_curve_eval(edge.curve, end ? edge.range.hi : edge.range.lo, 0, NULL, &at);
            assert_true(norm3(sub3(at.p, wit_body_vertex(b, end ? edge.end : edge.start).point)) <= near);
        }
    }
    for (int v = 0; v < info.vertex_count; ++v) {
        wit_vertex_info vertex = wit_body_vertex(b, v);
        for (int k = 0; k < vertex.edge_count; ++k) {
            wit_edge_info edge = wit_body_edge(b, wit_body_vertex_edge(b, v, k));
            assert_true(edge.start == v || edge.end == v);
        }
        assert_int_equal(wit_body_vertex_edge(b, v, vertex.edge_count), -1);
        assert_int_equal(wit_body_vertex_face(b, v, vertex.face_count), -1);
    }
}

static wit_surface* quadric(wit_surface_kind kind, wit_interval u, wit_interval v)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.radius = 2;
    d.minor = 0.5;
    d.semi_x = 1;
    d.semi_y = 2;
    d.semi_z = 3;
    d.angle = 0.5;
    d.range_u = u;
    d.range_v = v;
    return surface_made(&d);
}

/* Seams and smooth poles are not features; the apex of a cone is a vertex. */
static void natural_borders_become_edges_and_vertices(void** state)
{
    (void)state;
    const wit_interval all = {0, 0}, part = {0.2, 1.1}, half = {-0.4, PI / 2};
    const double apex = -2 / sin(0.5);
    const struct {
        wit_surface_kind kind;
        wit_interval u, v;
        int loops, edges, vertices;
    } row[] = {
        {WIT_SURFACE_PLANE, {-1, 1}, {-1, 2}, 1, 4, 4},
        {WIT_SURFACE_CYLINDER, all, {0, 3}, 2, 2, 0},
        {WIT_SURFACE_CYLINDER, part, {0, 3}, 1, 4, 4},
        {WIT_SURFACE_CONE, all, {apex, 1}, 1, 1, 1},
        {WIT_SURFACE_CONE, part, {apex, 1}, 1, 3, 3},
        {WIT_SURFACE_CONE, all, {0, 1}, 2, 2, 0},
        {WIT_SURFACE_SPHERE, all, all, 0, 0, 0},
        {WIT_SURFACE_SPHERE, all, half, 1, 1, 0},
        {WIT_SURFACE_SPHERE, part, half, 1, 3, 3},
        {WIT_SURFACE_SPHERE, part, all, 1, 2, 2},
        {WIT_SURFACE_ELLIPSOID, all, {-0.4, 0.3}, 2, 2, 0},
        {WIT_SURFACE_TORUS, all, all, 0, 0, 0},
        {WIT_SURFACE_TORUS, all, part, 2, 2, 0},
        {WIT_SURFACE_TORUS, part, all, 2, 2, 0},
        {WIT_SURFACE_TORUS, part, part, 1, 4, 4},
        {WIT_SURFACE_PARABOLOID, all, all, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        wit_surface* s = quadric(row[i].kind, row[i].u, row[i].v);
        wit_body* b = lone(s);
        wit_surface_destroy(s); /* the body has a copy */
        assert_counts(b, 1, row[i].loops, row[i].edges, row[i].vertices);
        assert_consistent(b);
        wit_body_destroy(b);
    }
}

/* The apex knows its face, and the face its apex only through the vertex. */
static void apex_is_a_vertex_of_its_face(void** state)
{
    (void)state;
    wit_surface* s = quadric(WIT_SURFACE_CONE, iv(0, 0), iv(-2 / sin(0.5), 1));
    wit_body* b = lone(s);
    wit_vertex_info v = wit_body_vertex(b, 0);
    assert_int_equal(v.edge_count, 0);
    assert_int_equal(v.face_count, 1);
    assert_int_equal(wit_body_vertex_face(b, 0, 0), 0);
    assert_true(fabs(v.point.x) < 1e-12 && fabs(v.point.y) < 1e-12);
    wit_body_destroy(b);
    wit_surface_destroy(s);
}

/* Two planes joined at a C0 knot line of one surface: two faces and a crease between them. */
static void crease_becomes_an_edge(void** state)
{
    (void)state;
    static const double knots_u[5] = {0, 0, 1, 2, 2}, knots_v[4] = {0, 0, 1, 1};
    static const double points[18] = {0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0, 0, 2, 1, 0};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 1;
    d.count_u = 3;
    d.count_v = 2;
    d.knot_count_u = 5;
    d.knot_count_v = 4;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.points = points;
    wit_surface* s = surface_made(&d);
    wit_body* b = lone(s);
    assert_counts(b, 2, 2, 7, 6);
    assert_consistent(b);
    int shared = 0;
    for (int e = 0; e < 7; ++e) shared += wit_body_edge(b, e).use_count == 2;
    assert_int_equal(shared, 1);
    assert_true(wit_body_face_contains(b, 0, 0.5, 0.5) && !wit_body_face_contains(b, 0, 1.5, 0.5));
    assert_true(wit_body_face_contains(b, 1, 1.5, 0.5) && !wit_body_face_contains(b, 1, 0.5, 0.5));
    wit_body_destroy(b);
    wit_surface_destroy(s);
}

/* The same surface, trimmed by a square that the crease runs through: it is cut there too. */
static void crease_cuts_a_trimmed_face(void** state)
{
    (void)state;
    static const double knots_u[5] = {0, 0, 1, 2, 2}, knots_v[4] = {0, 0, 1, 1};
    static const double points[18] = {0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0, 0, 2, 1, 0};
    static const double x[5] = {0.5, 1.5, 1.5, 0.5, 0.5}, y[5] = {0.2, 0.2, 0.8, 0.8, 0.2};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 1;
    d.count_u = 3;
    d.count_v = 2;
    d.knot_count_u = 5;
    d.knot_count_v = 4;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.points = points;
    wit_surface* s = surface_made(&d);
    wit_curve* line[4];
    wit_vertex_def vertices[4] = {{0}};
    wit_edge_def edges[4] = {{0}};
    wit_use_def uses[4] = {{0}};
    for (int i = 0; i < 4; ++i) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
        c.frame.origin = vec3(x[i], y[i], 0);
        c.frame.x = vec3(x[i + 1] - x[i], y[i + 1] - y[i], 0);
        c.range = iv(0, fabs(x[i + 1] - x[i]) + fabs(y[i + 1] - y[i]));
        line[i] = curve_made(&c);
        wit_surface_jet jet;
        wit_surface_eval(s, x[i], y[i], 0, NULL, &jet);
        vertices[i].point = jet.p;
        edges[i].start = i;
        edges[i].end = (i + 1) % 4;
        uses[i].edge = i;
        uses[i].parameter_curve = line[i];
    }
    wit_loop_def loop = {4, uses};
    wit_face_def face = {0};
    face.surface = s;
    face.loop_count = 1;
    face.loops = &loop;
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.faces = &face;
    def.face_count = 1;
    def.edges = edges;
    def.edge_count = 4;
    def.vertices = vertices;
    def.vertex_count = 4;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    assert_counts(b, 2, 2, 7, 6);
    assert_consistent(b);
    wit_body_destroy(b);
    for (int i = 0; i < 4; ++i) wit_curve_destroy(line[i]);
    wit_surface_destroy(s);
}

static wit_surface* spline(int degree, int count_u, int count_v, const double* knots_u, const double* knots_v,
                           const double* points)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = degree;
    d.count_u = count_u;
    d.count_v = count_v;
    d.knot_count_u = count_u + degree + 1;
    d.knot_count_v = count_v + degree + 1;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.points = points;
    return surface_made(&d);
}

static void assert_lone(wit_surface* s, int faces, int loops, int edges, int vertices, int euler)
{
    wit_body* b = lone(s);
    assert_counts(b, faces, loops, edges, vertices);
    assert_consistent(b);
    assert_int_equal(wit_body_check(b).euler, euler);
    wit_body_destroy(b);
    wit_surface_destroy(s);
}

/* Two neighbouring borders drawn together are one point, whichever two they are. */
static void neighbouring_poles_are_one_vertex(void** state)
{
    (void)state;
    static const double knots[6] = {0, 0, 0, 1, 1, 1};
    for (int corner = 0; corner < 4; ++corner) {
        int at_u = corner / 2 * 2, at_v = corner % 2 * 2;
        double points[27];
        for (int i = 0; i < 9; ++i) {
            int a = i / 3, b = i % 3;
            if (a == at_u || b == at_v) a = at_u, b = at_v;
            points[3 * i] = a;
            points[3 * i + 1] = b;
            points[3 * i + 2] = 0.2 * a * b;
        }
        assert_lone(spline(2, 3, 3, knots, knots, points), 1, 1, 2, 2, 1);
    }
}

/* A border that is one point between two creases only carries no edge there; where cells touch in a point is a vertex. */
static void pieces_of_lines_may_be_poles(void** state)
{
    (void)state;
    static const double two[4] = {0, 0, 1, 1}, three[5] = {0, 0, 1, 2, 2};
    static const double corner[18] = {0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0, 0, 1, 1, 1};
    static const double bow_tie[18] = {-1, 0, -1, 0, 0, 0, -1, 0, 1, 1, 0, -1, 0, 0, 0, 1, 0.5, 1};
    assert_lone(spline(1, 3, 2, three, two, corner), 2, 2, 6, 5, 1);
    assert_lone(spline(1, 2, 3, two, three, bow_tie), 2, 2, 6, 5, 1);
}

/* Closed both ways with creases in both: nine faces of a ring. */
static void creases_of_a_torus_cut_it_open(void** state)
{
    (void)state;
    static const double knots[6] = {0, 0, 1, 2, 3, 3};
    double points[48];
    for (int i = 0; i < 16; ++i) {
        double a = 2 * PI * (i / 4 % 3) / 3, b = 2 * PI * (i % 4 % 3) / 3;
        points[3 * i] = (3 + cos(b)) * cos(a);
        points[3 * i + 1] = (3 + cos(b)) * sin(a);
        points[3 * i + 2] = sin(b);
    }
    assert_lone(spline(1, 4, 4, knots, knots, points), 9, 9, 18, 9, 0);
}

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

/* A whole sphere cut along one meridian: the loop runs up, round the pole, down, and round the other pole. */
static void seam_edge_of_a_sphere_may_be_given(void** state)
{
    (void)state;
    wit_surface* s = quadric(WIT_SURFACE_SPHERE, iv(0, 0), iv(0, 0));
    for (int k = 0; k < 4; ++k) {
        double a = 1.5 * k;
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
        c.radius = 2;
        c.frame.x = vec3(cos(a), sin(a), 0);
        c.frame.z = vec3(sin(a), -cos(a), 0);
        c.range = iv(-PI / 2, PI / 2);
        wit_curve* meridian = curve_made(&c);
        wit_vertex_def vertices[2] = {{NULL, {0, 0, -2}}, {NULL, {0, 0, 2}}};
        wit_edge_def edge = {NULL, meridian, {0, 0}, 0, 1};
        wit_use_def uses[2] = {{0, false, NULL, {0, 0}}, {0, true, NULL, {0, 0}}};
        wit_loop_def loop = {2, uses};
        wit_face_def face = {0};
        face.surface = s;
        face.loop_count = 1;
        face.loops = &loop;
        wit_body_def def = wit_body_default_def(WIT_BODY_SOLID);
        def.vertices = vertices;
        def.vertex_count = 2;
        def.edges = &edge;
        def.edge_count = 1;
        def.faces = &face;
        def.face_count = 1;
        wit_body* b = wit_body_create(&def, NULL, NULL);
        assert_non_null(b);
        assert_counts(b, 1, 1, 1, 2);
        wit_body_check_result r = wit_body_check(b);
        assert_true(r.watertight && r.oriented && r.euler == 2 && fabs(r.volume - 32 * PI / 3) < 1e-2);
        assert_true(wit_body_face_contains(b, 0, 0.7, 0.2) && wit_body_face_contains(b, 0, 5, -1.2));
        wit_body_destroy(b);
        wit_curve_destroy(meridian);
    }
    wit_surface_destroy(s);
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

/* ---- refusals ---- */

/* A unit square on a plane, from four lines; one thing at a time is broken below. */
typedef struct square {
    wit_surface* plane;
    wit_curve* line[4];
    wit_vertex_def vertices[4];
    wit_edge_def edges[4];
    wit_use_def uses[4];
    wit_loop_def loop;
    wit_face_def face;
    wit_body_def def;
} square;

static void square_make(square* q)
{
    static const double x[5] = {0, 1, 1, 0, 0}, y[5] = {0, 0, 1, 1, 0};
    memset(q, 0, sizeof *q);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-1, 2);
    q->plane = surface_made(&d);
    for (int i = 0; i < 4; ++i) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
        c.frame.origin = vec3(x[i], y[i], 0);
        c.frame.x = vec3(x[i + 1] - x[i], y[i + 1] - y[i], 0);
        c.range = iv(0, 1);
        q->line[i] = curve_made(&c);
        q->vertices[i].point = vec3(x[i], y[i], 0);
        q->edges[i].curve = q->line[i];
        q->edges[i].start = i;
        q->edges[i].end = (i + 1) % 4;
        q->uses[i].edge = i;
    }
    q->loop.use_count = 4;
    q->loop.uses = q->uses;
    q->face.surface = q->plane;
    q->face.loop_count = 1;
    q->face.loops = &q->loop;
    q->def = wit_body_default_def(WIT_BODY_SHEET);
    q->def.vertices = q->vertices;
    q->def.vertex_count = 4;
    q->def.edges = q->edges;
    q->def.edge_count = 4;
    q->def.faces = &q->face;
    q->def.face_count = 1;
}

static void square_drop(square* q)
{
    for (int i = 0; i < 4; ++i) wit_curve_destroy(q->line[i]);
    wit_surface_destroy(q->plane);
}

static void assert_refused(square* q, wit_status status, const char* item)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(&q->def, NULL, &e);
    if (b || e.status != status || strcmp(e.item, item))
        fail_msg("wanted %s at %s, got %s at %s: %s", wit_status_name(status), item, wit_status_name(e.status), e.item,
                 e.text);
    assert_true(strlen(e.text) > 10);
    assert_null(wit_body_create(&q->def, NULL, NULL));
    square_drop(q);
}

static void bad_bodies_are_refused_by_item(void** state)
{
    (void)state;
    square q;
    square_make(&q);
    wit_body* b = wit_body_create(&q.def, NULL, NULL); /* good as it is */
    assert_counts(b, 1, 1, 4, 4);
    assert_true(wit_body_face_contains(b, 0, 0.5, 0.5) && !wit_body_face_contains(b, 0, 1.5, 0.5));
    wit_body_destroy(b);
    square_drop(&q);

    square_make(&q);
    q.vertices[2].point = vec3(1, 1.1, 0);
    assert_refused(&q, WIT_ERROR_RANGE, "edges[1]");
    square_make(&q);
    q.vertices[2].point.y = NAN;
    assert_refused(&q, WIT_ERROR_NUMBER, "vertices[2].point");
    square_make(&q);
    q.loop.use_count = 3;
    assert_refused(&q, WIT_ERROR_NAME, "edges[3]"); /* nobody uses it */
    square_make(&q);
    q.loop.use_count = 3;
    q.def.edge_count = 3;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[0]");
    square_make(&q);
    q.uses[2].reversed = true;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[2]");
    square_make(&q);
    q.uses[1].edge = 7;
    assert_refused(&q, WIT_ERROR_NAME, "faces[0].loops[0].uses[1].edge");
    square_make(&q);
    q.edges[1].end = 9;
    assert_refused(&q, WIT_ERROR_NAME, "edges[1].end");
    square_make(&q);
    q.face.surface = NULL;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "faces[0].surface");
    square_make(&q);
    q.edges[1].curve = NULL;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "faces[0].loops[0].uses[1].parameter_curve");
    square_make(&q);
    q.def.face_count = 0;
    assert_refused(&q, WIT_ERROR_COUNT, "faces");
    square_make(&q);
    q.def.sew_tolerance = NAN;
    assert_refused(&q, WIT_ERROR_NUMBER, "sew_tolerance");
    square_make(&q);
    q.def.struct_size = 3;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "struct_size");
    square_make(&q);
    q.edges[2].range = iv(0.2, 0.1);
    assert_refused(&q, WIT_ERROR_RANGE, "edges[2].range");
    square_make(&q); /* the plane is half a unit above the edges */
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-1, 2);
    d.frame.origin.z = 0.5;
    wit_surface* above = surface_made(&d);
    q.face.surface = above;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[0]");
    wit_surface_destroy(above);
}

/* Any one allocation failing gives a refusal and no leak. */
static int allocations_left;
static void* failing_alloc(size_t bytes, void* user)
{
    (void)user;
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

static void failing_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    (void)user;
    free(memory);
}

static void every_failing_allocation_is_a_refusal(void** state)
{
    (void)state;
    wit_allocator a = {failing_alloc, failing_release, NULL};
    square q;
    square_make(&q);
    wit_body* b = NULL;
    int n = 0;
    for (; !b; ++n) {
        wit_error e = {0};
        allocations_left = n;
        b = wit_body_create(&q.def, &a, &e);
        if (!b) assert_int_equal(e.status, WIT_ERROR_MEMORY);
        assert_true(n < 1000);
    }
    allocations_left = 0;
    wit_body_destroy(b);
    square_drop(&q);
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(natural_borders_become_edges_and_vertices),
        cmocka_unit_test(apex_is_a_vertex_of_its_face),
        cmocka_unit_test(crease_becomes_an_edge),
        cmocka_unit_test(crease_cuts_a_trimmed_face),
        cmocka_unit_test(neighbouring_poles_are_one_vertex),
        cmocka_unit_test(pieces_of_lines_may_be_poles),
        cmocka_unit_test(creases_of_a_torus_cut_it_open),
        cmocka_unit_test(rings_are_sewn_at_every_phase),
        cmocka_unit_test(seam_edge_of_a_sphere_may_be_given),
        cmocka_unit_test(sewing_joins_what_coincides_at_every_scale),
        cmocka_unit_test(sewing_keeps_the_gap_per_edge),
        cmocka_unit_test(sewing_refuses_to_swallow_an_edge),
        cmocka_unit_test(body_is_one_block_that_may_be_copied),
        cmocka_unit_test(building_grows_no_worse_than_n_log_n),
        cmocka_unit_test(bad_bodies_are_refused_by_item),
        cmocka_unit_test(every_failing_allocation_is_a_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
