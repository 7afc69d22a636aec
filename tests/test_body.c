/* SPDX-License-Identifier: MIT */
/* Bodies from faces: natural borders, creases, poles, seams. */
#include "body_checks.h"

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

/* Two planes joined at a C0 knot line of one surface. */
static wit_surface* roof(void)
{
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
    return surface_made(&d);
}

/* Two faces and a crease between them. */
static void crease_becomes_an_edge(void** state)
{
    (void)state;
    wit_surface* s = roof();
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
    static const double x[5] = {0.5, 1.5, 1.5, 0.5, 0.5}, y[5] = {0.2, 0.2, 0.8, 0.8, 0.2};
    wit_surface* s = roof();
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
        cmocka_unit_test(seam_edge_of_a_sphere_may_be_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
