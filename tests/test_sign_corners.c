/* SPDX-License-Identifier: MIT */
/*
 * The side of a point at corners of every kind: lattices of cells with saddle vertices, edges of four faces and vertices
 * that touch; prisms with needles; a cusp; open, inside-out and one-sided bodies.
 */
#include "sign_checks.h"

/* ---- lattices ------------------------------------------------------------------------------ */

/*
 * Cells of a 3 x 3 x 3 lattice, some of them filled. Its points are moved along x by f(y, z), given where lattice lines
 * meet and bilinear between, and then by an affine map: the faces across x are twisted patches, and which cell a point is
 * in has a closed form.
 */
enum { CELLS = 3 };
typedef struct lattice {
    bool filled[CELLS][CELLS][CELLS];
    double shift[CELLS + 1][CELLS + 1];
    wit_vec3 o, x, y, z; /* images of the origin and of the axes */
    double skip;         /* share of the boundary faces that is left out */
} lattice;

static wit_vec3 lattice_point(const lattice* l, int i, int j, int k)
{
    return addscaled3(addscaled3(addscaled3(l->o, i + l->shift[j][k], l->x), j, l->y), k, l->z);
}

static bool in_lattice(const void* user, wit_vec3 p)
{
    const lattice* l = user;
    wit_vec3 d = sub3(p, l->o), yz = cross3(l->y, l->z);
    double volume = dot3(l->x, yz);
    double x = dot3(d, yz) / volume, y = dot3(d, cross3(l->z, l->x)) / volume, z = dot3(d, cross3(l->x, l->y)) / volume;
    int j = (int)floor(y), k = (int)floor(z);
    if (j < 0 || j >= CELLS || k < 0 || k >= CELLS) return false;
    double s = y - j, t = z - k;
    x -= (1 - s) * ((1 - t) * l->shift[j][k] + t * l->shift[j][k + 1]) +
         s * ((1 - t) * l->shift[j + 1][k] + t * l->shift[j + 1][k + 1]);
    int i = (int)floor(x);
    return i >= 0 && i < CELLS && l->filled[i][j][k];
}

static bool cell_filled(const lattice* l, int i, int j, int k)
{
    if (i < 0 || j < 0 || k < 0 || i >= CELLS || j >= CELLS || k >= CELLS) return false;
    return l->filled[i][j][k];
}

/* The side of cell (i, j, k) across `axis`, the upper or the lower one, as a patch of degree 1 whose du x dv points out
 * of the cell if the map keeps its handedness. */
static wit_surface* cell_side(const lattice* l, int i, int j, int k, int axis, bool upper)
{
    double points[12];
    static const double knots[4] = {0, 0, 1, 1};
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            int at[3] = {i, j, k};
            at[axis] += upper;
            at[(axis + 1) % 3] += upper ? a : b;
            at[(axis + 2) % 3] += upper ? b : a;
            wit_vec3 p = lattice_point(l, at[0], at[1], at[2]);
            double* to = points + 3 * (2 * a + b);
            to[0] = p.x;
            to[1] = p.y;
            to[2] = p.z;
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 1;
    d.count_u = d.count_v = 2;
    d.knot_count_u = d.knot_count_v = 4;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    return s;
}

enum { SIDES = 6 * CELLS * CELLS * CELLS };

static wit_body* lattice_body(const lattice* l, wit_body_kind kind, bool inside_out, rng* r)
{
    wit_face_def faces[SIDES];
    wit_surface* surfaces[SIDES];
    int count = 0;
    bool right_handed = dot3(l->x, cross3(l->y, l->z)) > 0;
    memset(faces, 0, sizeof faces);
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c) {
        int i = c / (CELLS * CELLS), j = c / CELLS % CELLS, k = c % CELLS;
        for (int f = 0; f < 6 && l->filled[i][j][k]; ++f) {
            int axis = f / 2, way = f % 2 ? 1 : -1;
            if (cell_filled(l, i + (axis == 0) * way, j + (axis == 1) * way, k + (axis == 2) * way)) continue;
            if (l->skip > 0 && rng_double(r) < l->skip) continue;
            surfaces[count] = cell_side(l, i, j, k, axis, way > 0);
            faces[count].surface = surfaces[count];
            faces[count].reversed = right_handed == inside_out;
            count++;
        }
    }
    wit_body_def d = wit_body_default_def(kind);
    d.faces = faces;
    d.face_count = count;
    d.sew_tolerance = 1e-9 * norm3(l->x);
    wit_error e = {0};
    wit_body* b = count ? wit_body_create(&d, NULL, &e) : NULL;
    if (count && !b) fail_msg("%s: %s", e.item, e.text);
    for (int i = 0; i < count; ++i) wit_surface_destroy(surfaces[i]);
    return b;
}

static lattice random_lattice(rng* r, double scale, double density, double shift)
{
    lattice l = {.o = random_vector(r, 0, 3 * scale)};
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c)
        l.filled[c / (CELLS * CELLS)][c / CELLS % CELLS][c % CELLS] = rng_double(r) < density;
    for (int c = 0; c < (CELLS + 1) * (CELLS + 1); ++c)
        l.shift[c / (CELLS + 1)][c % (CELLS + 1)] = rng_range(r, -shift, shift);
    do {
        l.x = random_vector(r, 0.5 * scale, scale);
        l.y = random_vector(r, 0.5 * scale, scale);
        l.z = random_vector(r, 0.5 * scale, scale);
    } while (fabs(dot3(unit3(l.x), cross3(unit3(l.y), unit3(l.z)))) < 0.2);
    return l;
}

static void lattices_are_signed_by_their_cells(void** state)
{
    (void)state;
    rng r = rng_seed(51);
    tally t = {0};
    long bodies = campaign(300);
    for (long i = 0; i < bodies; ++i) {
        double scale = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-6 : 1e6;
        double density = rng_range(&r, 0.2, 0.9);
        lattice l = random_lattice(&r, scale, density, i % 4 ? 0.4 : 0);
        wit_body* b = lattice_body(&l, WIT_BODY_SOLID, false, &r);
        if (!b) continue;
        assert_true(b->closed);
        campaign_of("lattice", b, in_lattice, &l, &r, 100, &t);
        wit_body_destroy(b);
    }
    report("lattices", &t);
    assert_true(t.by[WIT_SIGN_WINDING] * 20 <= t.judged);
    assert_true(t.kind[WIT_VERTEX] * 50 > t.judged && t.kind[WIT_EDGE] * 10 > t.judged);
}

/* A face takes three quarters of a turn at a reflex corner of an L: points straight above and below have it as nearest. */
static void reflex_corners_are_decided_by_their_cone(void** state)
{
    (void)state;
    rng r = rng_seed(58);
    for (int i = 0; i < 20; ++i) {
        lattice l = random_lattice(&r, 1, 0, 0);
        l.filled[0][0][1] = l.filled[1][0][1] = l.filled[0][1][1] = true;
        wit_body* b = lattice_body(&l, WIT_BODY_SOLID, false, &r);
        wit_vec3 corner = lattice_point(&l, 1, 1, 2), up = unit3(cross3(l.x, l.y));
        if (dot3(up, l.z) < 0) up = scale3(-1, up);
        side s = at_rest(b);
        for (int k = 0; k < 20; ++k) {
            double height = pow(10, rng_range(&r, -6, 1));
            asked a = ask(&s, addscaled3(corner, height, up));
            assert_int_equal(a.at.kind, WIT_VERTEX);
            assert_int_equal(a.how, WIT_SIGN_CONE);
            assert_int_equal(a.sign, 1);
        }
        wit_body_destroy(b);
    }
}

static bool not_in_lattice(const void* user, wit_vec3 p)
{
    return !in_lattice(user, p);
}

/* Normals that point inwards make the solid what is left of space; the winding number agrees, by its volume. */
static void inside_out_solids_are_what_is_left(void** state)
{
    (void)state;
    rng r = rng_seed(52);
    tally t = {0};
    wit_solid_def sphere = wit_solid_default_def(WIT_SOLID_SPHERE);
    sphere.radius = 1;
    wit_body* ball = wit_solid_create(&sphere, NULL, NULL);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    for (long i = 0; i < campaign(50); ++i) {
        lattice l = random_lattice(&r, 1, 0.7, 0.4);
        wit_body* b = lattice_body(&l, WIT_BODY_SOLID, true, &r);
        if (!b) continue;
        campaign_of("inside out", b, not_in_lattice, &l, &r, 100, &t);
        /* so a body outside its box is inside it */
        wit_placed left = wit_placed_at(b, wit_pose_identity()), far = left;
        far.body = ball;
        far.pose.position.x = b->box.hi.x + 3 * b->size;
        wit_closest c;
        assert_int_equal(wit_closest_pair(q, &left, &far, &c), WIT_OK);
        assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
        wit_body_destroy(b);
    }
    wit_body_destroy(ball);
    wit_query_destroy(q);
    report("inside out", &t);
}

/* Without one face of a single cell the winding number is 1 - omega / 4 pi inside, omega the angle of the missing
 * face, less than 2 pi; outside it is at most omega / 4 pi: rounding is right everywhere. */
static void open_solids_are_signed_by_winding(void** state)
{
    (void)state;
    rng r = rng_seed(53);
    for (long i = 0; i < campaign(100); ++i) {
        lattice l = random_lattice(&r, 1, 0, 0);
        l.filled[1][1][1] = true;
        wit_face_def faces[5];
        wit_surface* surfaces[5];
        memset(faces, 0, sizeof faces);
        bool right_handed = dot3(l.x, cross3(l.y, l.z)) > 0;
        for (int k = 0; k < 5; ++k) {
            surfaces[k] = cell_side(&l, 1, 1, 1, k / 2, k % 2);
            faces[k].surface = surfaces[k];
            faces[k].reversed = !right_handed;
        }
        wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
        d.faces = faces;
        d.face_count = 5;
        d.sew_tolerance = 1e-9;
        wit_body* b = wit_body_create(&d, NULL, NULL);
        assert_non_null(b);
        assert_false(b->closed);
        side s = at_rest(b);
        for (int k = 0; k < 100; ++k) {
            wit_vec3 p = random_point(&r, b);
            wit_vec3 o = lattice_point(&l, 1, 1, 1), q = sub3(p, o);
            double z = dot3(q, cross3(l.x, l.y)) / dot3(l.z, cross3(l.x, l.y));
            if (fabs(z) < 0.02 || fabs(z - 1) < 0.02) continue; /* next to the missing face it is half and half */
            asked a = ask(&s, p);
            if (a.distance < NEAREST * b->size) continue;
            assert_int_equal(a.how, WIT_SIGN_WINDING);
            assert_int_equal(a.sign, in_lattice(&l, p) ? -1 : 1);
        }
        for (int k = 0; k < 5; ++k) wit_surface_destroy(surfaces[k]);
        wit_body_destroy(b);
    }
}

/* ---- needles ------------------------------------------------------------------------------- */

enum { SPIKES = 5 };
typedef struct star {
    double polygon[4 * SPIKES];
    double height;
} star;

static bool in_star(const void* user, wit_vec3 p)
{
    const star* s = user;
    bool in = false;
    for (int i = 0, j = 2 * SPIKES - 1; i < 2 * SPIKES; j = i++) {
        const double *a = s->polygon + 2 * i, *b = s->polygon + 2 * j;
        if ((a[1] > p.y) != (b[1] > p.y) && p.x < (b[0] - a[0]) * (p.y - a[1]) / (b[1] - a[1]) + a[0]) in = !in;
    }
    return in && p.z > 0 && p.z < s->height;
}

/* Spikes of 0.2 to 1e-4 radians, and reflex corners between them of nearly a full turn. */
static void needles_are_signed_as_their_polygon_says(void** state)
{
    (void)state;
    rng r = rng_seed(54);
    tally t = {0};
    for (long i = 0; i < campaign(200); ++i) {
        star s = {.height = rng_range(&r, 0.1, 2)};
        double waist = pow(10, rng_range(&r, -4, -0.5));
        for (int k = 0; k < 2 * SPIKES; ++k) {
            double angle = TWO_PI * k / (2 * SPIKES) + rng_range(&r, 0, 0.2), radius = k % 2 ? waist : 1;
            s.polygon[2 * k] = radius * cos(angle);
            s.polygon[2 * k + 1] = radius * sin(angle);
        }
        wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
        d.polygon_count = 2 * SPIKES;
        d.polygon = s.polygon;
        d.height = s.height;
        wit_body* b = wit_solid_create(&d, NULL, NULL);
        assert_non_null(b);
        campaign_of("star", b, in_star, &s, &r, 100, &t);
        wit_body_destroy(b);
    }
    report("stars", &t);
}

/* ---- a cusp -------------------------------------------------------------------------------- */

static wit_curve* circle_at(double x, double z, double radius)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.frame.origin = vec3(x, 0, z);
    d.frame.x = vec3(1, 0, 0);
    d.frame.z = vec3(0, 0, 1);
    d.radius = radius;
    return curve_made(&d);
}

static wit_curve* line_from(wit_vec3 from, wit_vec3 along, double length)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = from;
    d.frame.x = along;
    d.frame.z = vec3(0, 0, 1);
    if (fabs(along.z) > 0.5) d.frame.z = vec3(1, 0, 0);
    d.range = iv(0, length);
    return curve_made(&d);
}

static wit_surface* cusp_surface(wit_surface_kind kind, double x, double z, double radius)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame.origin = vec3(x, 0, z);
    d.frame.x = vec3(1, 0, 0);
    d.frame.z = vec3(0, 0, 1);
    d.radius = radius;
    d.range_v = iv(0, 1);
    if (kind == WIT_SURFACE_PLANE) d.range_u = d.range_v = iv(-3, 3);
    wit_surface* s = wit_surface_create(&d, NULL, NULL);
    assert_non_null(s);
    return s;
}

static bool in_crescent(const void* user, wit_vec3 p)
{
    (void)user;
    return hypot(p.x, p.y) < 2 && hypot(p.x - 1, p.y) > 1 && p.z > 0 && p.z < 1;
}

/* Between two cylinders that touch along a line: there the normals of the two are opposite, and the line is passed by
 * four uses. */
static void sides_of_a_cusp_are_proved(void** state)
{
    (void)state;
    enum { LINE, OUTER0, OUTER1, INNER0, INNER1 };
    wit_curve* curves[5] = {line_from(vec3(2, 0, 0), vec3(0, 0, 1), 1), circle_at(0, 0, 2), circle_at(0, 1, 2),
                            circle_at(1, 0, 1), circle_at(1, 1, 1)};
    wit_surface* surfaces[4] = {cusp_surface(WIT_SURFACE_CYLINDER, 0, 0, 2),
                                cusp_surface(WIT_SURFACE_CYLINDER, 1, 0, 1), cusp_surface(WIT_SURFACE_PLANE, 0, 0, 0),
                                cusp_surface(WIT_SURFACE_PLANE, 0, 1, 0)};
    /* of the line, on both cylinders, and of their circles */
    wit_curve* seam[2] = {line_from(vec3(0, 0, 0), vec3(0, 1, 0), 1), line_from(vec3(TWO_PI, 0, 0), vec3(0, 1, 0), 1)};
    wit_curve* round[2] = {line_from(vec3(0, 0, 0), vec3(1, 0, 0), TWO_PI),
                           line_from(vec3(0, 1, 0), vec3(1, 0, 0), TWO_PI)};
    wit_vertex_def vertices[2] = {{NULL, {2, 0, 0}}, {NULL, {2, 0, 1}}};
    wit_edge_def edges[5] = {{NULL, curves[0], {0, 0}, 0, 1},
                             {NULL, curves[1], {0, 0}, 0, 0},
                             {NULL, curves[2], {0, 0}, 1, 1},
                             {NULL, curves[3], {0, 0}, 0, 0},
                             {NULL, curves[4], {0, 0}, 1, 1}};
    wit_use_def uses[4][4] = {{{OUTER0, false, round[0], {0, 0}},
                               {LINE, false, seam[1], {0, 0}},
                               {OUTER1, true, round[1], {0, 0}},
                               {LINE, true, seam[0], {0, 0}}},
                              {{INNER0, false, round[0], {0, 0}},
                               {LINE, false, seam[1], {0, 0}},
                               {INNER1, true, round[1], {0, 0}},
                               {LINE, true, seam[0], {0, 0}}},
                              {{OUTER0, false, NULL, {0, 0}}, {INNER0, true, NULL, {0, 0}}},
                              {{OUTER1, false, NULL, {0, 0}}, {INNER1, true, NULL, {0, 0}}}};
    wit_loop_def loops[4] = {{4, uses[0]}, {4, uses[1]}, {2, uses[2]}, {2, uses[3]}};
    wit_face_def faces[4];
    memset(faces, 0, sizeof faces);
    for (int k = 0; k < 4; ++k) {
        faces[k].surface = surfaces[k];
        faces[k].loop_count = 1;
        faces[k].loops = &loops[k];
        faces[k].reversed = k == 1 || k == 2;
    }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.vertices = vertices;
    d.vertex_count = 2;
    d.edges = edges;
    d.edge_count = 5;
    d.faces = faces;
    d.face_count = 4;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    assert_true(b->closed);
    rng r = rng_seed(55);
    tally t = {0};
    campaign_of("crescent", b, in_crescent, NULL, &r, campaign(3000), &t);
    report("crescent", &t);
    /* the line is the nearest to points on its outside */
    side s = at_rest(b);
    for (int k = 0; k < 100; ++k) {
        double length = pow(10, rng_range(&r, -6, 0));
        wit_vec3 p = vec3(2 + length, 0, rng_range(&r, 0.1, 0.9));
        asked a = ask(&s, p);
        assert_int_equal(a.sign, 1);
        assert_true(a.proved);
    }
    wit_body_destroy(b);
    for (int k = 0; k < 5; ++k) wit_curve_destroy(curves[k]);
    for (int k = 0; k < 4; ++k) wit_surface_destroy(surfaces[k]);
    for (int k = 0; k < 2; ++k) wit_curve_destroy(seam[k]), wit_curve_destroy(round[k]);
}

/* ---- sheets -------------------------------------------------------------------------------- */

static void sheets_are_signed_by_their_normals_only(void** state)
{
    (void)state;
    rng r = rng_seed(56);
    for (int i = 0; i < 50; ++i) {
        lattice l = random_lattice(&r, 1, 0, 0);
        l.filled[0][0][0] = true;
        wit_surface* surface = cell_side(&l, 0, 0, 0, 2, true);
        bool reversed = rng_int(&r, 2) == 1;
        wit_face_def face = {.surface = surface, .reversed = reversed};
        wit_vec3 n = unit3(cross3(l.x, l.y));
        if (reversed) n = scale3(-1, n);
        for (int two = 0; two < 2; ++two) {
            wit_body_def d = wit_body_default_def(two ? WIT_BODY_SHEET2 : WIT_BODY_SHEET);
            d.faces = &face;
            d.face_count = 1;
            wit_body* b = wit_body_create(&d, NULL, NULL);
            assert_non_null(b);
            wit_pose pose = random_pose(&r, 1);
            side s = at_pose(b, &pose);
            for (int k = 0; k < 100; ++k) {
                wit_vec3 p = random_point(&r, b);
                double height = dot3(sub3(p, lattice_point(&l, 0, 0, 1)), n);
                asked a = ask(&s, side_point(&s, p));
                if (fabs(height) < 1e-9) continue;
                assert_int_equal(a.sign, two ? 0 : height < 0 ? -1 : 1);
                assert_int_equal(a.how, two ? WIT_SIGN_NONE : a.at.kind == WIT_FACE ? WIT_SIGN_NORMAL : WIT_SIGN_CONE);
            }
            wit_body_destroy(b);
        }
        wit_surface_destroy(surface);
    }
}

/* Beside the inner edges of a sheet that bends: the shell of a solid, taken as a sheet. */
static void closed_sheets_are_signed_as_solids(void** state)
{
    (void)state;
    rng r = rng_seed(57);
    for (long i = 0; i < campaign(30); ++i) {
        lattice l = random_lattice(&r, 1, 0.5, 0.4);
        wit_body* b = lattice_body(&l, WIT_BODY_SHEET, false, &r);
        if (!b) continue;
        side s = at_rest(b);
        for (int k = 0; k < 100; ++k) {
            wit_vec3 p = random_point(&r, b);
            asked a = ask(&s, p);
            if (a.distance < 1e-6 * b->size) continue; /* the place is exact to 1e-9 of the size */
            assert_int_equal(a.sign, in_lattice(&l, p) ? -1 : 1);
            assert_int_equal(a.how, a.at.kind == WIT_FACE ? WIT_SIGN_NORMAL : WIT_SIGN_CONE);
        }
        wit_body_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lattices_are_signed_by_their_cells),
        cmocka_unit_test(reflex_corners_are_decided_by_their_cone),
        cmocka_unit_test(inside_out_solids_are_what_is_left),
        cmocka_unit_test(open_solids_are_signed_by_winding),
        cmocka_unit_test(needles_are_signed_as_their_polygon_says),
        cmocka_unit_test(sides_of_a_cusp_are_proved),
        cmocka_unit_test(sheets_are_signed_by_their_normals_only),
        cmocka_unit_test(closed_sheets_are_signed_as_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
