/* SPDX-License-Identifier: MIT */
/* The papers' far phase: a guess, but one that lies on the body and no farther off than its mesh is coarse. */
#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "body_checks.h"
#include "campaign.h"

static const char* const models[] = {
    "bowl",  "box",   "capsule",    "cone",   "cylinder", "ellipsoid", "frustum", "goblet",      "half-space", "pen",
    "plate", "prism", "prism-dome", "shapes", "sphere",   "table1",    "torus",   "torus-nurbs", "three-ball"};
enum { MODELS = sizeof models / sizeof models[0] };

static wit_model* model_named(const char* name)
{
    char path[64];
    wit_error e = {0};
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (!m) fail_msg("%s: %s (tests run from the root of the tree)", path, e.text);
    return m;
}

static wit_pose random_pose(rng* r, double far)
{
    double angle = rng_range(r, -3, 3);
    wit_vec3 axis = random_unit(r);
    wit_pose p = {random_vector(r, 0, far), wit_quat_about(axis, angle)};
    return p;
}

static double distance(wit_vec3 a, wit_vec3 b)
{
    return norm3(sub3(a, b));
}

/* The point is that of the feature at those parameters, and on a face it is inside the loops. */
static void assert_on_feature(const wit_placed* at, const wit_witness* w)
{
    wit_body_info info = wit_body_describe(at->body);
    wit_vec3 p;
    if (w->feature == WIT_FACE) {
        wit_surface_jet jet;
        wit_surface_eval(wit_body_face(at->body, w->id).surface, w->u, w->v, 0, NULL, &jet);
        assert_true(wit_body_face_contains(at->body, w->id, w->u, w->v));
        p = jet.p;
    } else {
        wit_curve_jet jet;
        assert_int_equal(w->feature, WIT_EDGE);
        wit_curve_eval(wit_body_edge(at->body, w->id).curve, w->u, 0, NULL, &jet);
        p = jet.p;
    }
    double size = norm3(p) + norm3(at->pose.position) + info.size;
    assert_true(distance(wit_pose_point(&at->pose, p), w->point) <= 8 * EPS * size);
}

static void guesses_lie_on_their_features(void** state)
{
    (void)state;
    rng r = rng_seed(1);
    for (int m = 0; m < MODELS; ++m) {
        wit_model *one = model_named(models[m]), *two = model_named(models[(m + 5) % MODELS]);
        wit_placed a = wit_placed_at(wit_model_body(one, 0), wit_pose_identity());
        wit_placed b = wit_placed_at(wit_model_body(two, 0), wit_pose_identity());
        for (long k = campaign(200); k > 0; --k) {
            wit_witness on_a, on_b;
            a.pose = random_pose(&r, 50);
            b.pose = random_pose(&r, 50);
            assert_int_equal(wit_far_phase_point(&a, random_vector(&r, 0, 80), &on_a), WIT_OK);
            assert_on_feature(&a, &on_a);
            assert_int_equal(wit_far_phase_pair(&a, &b, &on_a, &on_b), WIT_OK);
            assert_on_feature(&a, &on_a);
            assert_on_feature(&b, &on_b);
        }
        wit_model_destroy(one);
        wit_model_destroy(two);
    }
}

/* Of a bilinear patch over a parallelogram the mesh is the surface: the projection is exact. */
static void flat_patches_are_projected_exactly(void** state)
{
    (void)state;
    static const double knots[4] = {0, 0, 1, 1};
    rng r = rng_seed(2);
    for (int k = 0; k < 300; ++k) {
        double scale = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1 : 1e6;
        wit_vec3 o = random_vector(&r, 0, scale), x = random_vector(&r, 0.5 * scale, scale), y;
        do y = random_vector(&r, 0.5 * scale, scale);
        while (norm3(cross3(unit3(x), unit3(y))) < 0.3);
        bool rectangle = k % 2;
        if (rectangle) y = addscaled3(y, -dot3(x, y) / dot3(x, x), x);
        wit_vec3 corner[4] = {o, add3(o, y), add3(o, x), add3(add3(o, x), y)};
        double points[12];
        for (int c = 0; c < 4; ++c) memcpy(points + 3 * c, &corner[c], sizeof corner[c]);
        wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
        d.degree_u = d.degree_v = 1;
        d.count_u = d.count_v = 2;
        d.knot_count_u = d.knot_count_v = 4;
        d.knots_u = d.knots_v = knots;
        d.points = points;
        wit_surface* s = surface_made(&d);
        wit_body* body = lone(s);
        double least = rectangle ? -0.5 : 0, u = rng_range(&r, least, 1 - least), v = rng_range(&r, least, 1 - least);
        wit_vec3 over = addscaled3(addscaled3(o, u, x), v, y);
        double off = scale * rng_range(&r, -2, 2);
        wit_placed a = wit_placed_at(body, random_pose(&r, scale));
        wit_vec3 point = wit_pose_point(&a.pose, addscaled3(over, off, unit3(cross3(x, y))));
        /* beyond a border of a rectangle the nearest point is on the border */
        u = fmin(fmax(u, 0), 1);
        v = fmin(fmax(v, 0), 1);
        wit_vec3 foot = addscaled3(addscaled3(o, u, x), v, y);
        wit_witness w;
        assert_int_equal(wit_far_phase_point(&a, point, &w), WIT_OK);
        /* the 2x2 system of the foot has a condition below 1 / 0.3^2 * 4, the coordinates are at most 5 scales */
        assert_true(fabs(w.u - u) < 1e-13 && fabs(w.v - v) < 1e-13);
        assert_true(distance(w.point, wit_pose_point(&a.pose, foot)) < 1e-13 * scale);
        wit_body_destroy(body);
        wit_surface_destroy(s);
    }
}

/*
 * A sphere of radius R in 8 x 8 divisions: linear interpolation over a triangle of a mesh with steps h, k is off by at most
 * (h^2 |S_uu| + 2 h k |S_uv| + k^2 |S_vv|) / 8 <= R (h + k)^2 / 8. The mesh point is nearer than the mesh point of the true
 * foot, and each is off its surface point by no more than that.
 */
static const double SPHERE_MESH = (PI / 4 + PI / 8) * (PI / 4 + PI / 8) / 8;

static wit_body* sphere_of(double radius)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = radius;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static void guesses_are_as_near_as_the_mesh_is_fine(void** state)
{
    (void)state;
    rng r = rng_seed(3);
    for (int k = 0; k < 300; ++k) {
        double scale = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1 : 1e6;
        double radius = scale * rng_range(&r, 0.5, 2), other = scale * rng_range(&r, 0.5, 2);
        wit_body *one = sphere_of(radius), *two = sphere_of(other);
        wit_placed a = wit_placed_at(one, random_pose(&r, 10 * scale)),
                   b = wit_placed_at(two, random_pose(&r, 10 * scale));
        b.pose.position = add3(a.pose.position, random_vector(&r, radius + other, 10 * scale));
        double centres = distance(a.pose.position, b.pose.position), rounding = 1e-13 * 30 * scale;
        wit_witness on_a, on_b;
        assert_int_equal(wit_far_phase_point(&a, b.pose.position, &on_a), WIT_OK);
        double found = distance(on_a.point, b.pose.position);
        assert_true(found >= centres - radius - rounding && found <= centres - radius + 2 * SPHERE_MESH * radius);
        assert_int_equal(wit_far_phase_pair(&a, &b, &on_a, &on_b), WIT_OK);
        found = distance(on_a.point, on_b.point);
        assert_true(found >= centres - radius - other - rounding);
        /* Law of cosines on (centres - R + 2 M R)^2 >= c^2 + R^2 - 2 c R cos t: 1 - cos t <= 2 M, a chord of 2 R sqrt(M). */
        assert_true(found <= centres - radius - other + (radius + other) * 2 * sqrt(SPHERE_MESH));
        wit_body_destroy(one);
        wit_body_destroy(two);
    }
}

/* The foot on a half-space is exact wherever it is. */
static void half_spaces_give_the_foot(void** state)
{
    (void)state;
    rng r = rng_seed(4);
    wit_model* m = model_named("half-space");
    for (int k = 0; k < 100; ++k) {
        wit_placed a = wit_placed_at(wit_model_body(m, 0), random_pose(&r, 100));
        double x = rng_range(&r, -1e4, 1e4), y = rng_range(&r, -1e4, 1e4), z = rng_range(&r, -1e4, 1e4);
        wit_witness w;
        assert_int_equal(wit_far_phase_point(&a, wit_pose_point(&a.pose, vec3(x, y, z)), &w), WIT_OK);
        assert_true(distance(w.point, wit_pose_point(&a.pose, vec3(x, y, 0))) < 1e-15 * 16 * 2e4);
    }
    wit_model_destroy(m);
}

static bool borders(const wit_body* body, int edge, int face)
{
    wit_use_info use;
    for (int k = 0; wit_body_edge_use(body, edge, k, &use) >= 0; ++k)
        if (use.face == face) return true;
    return false;
}

static void masked_faces_are_not_proposed(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    wit_model* m = model_named("box");
    uint8_t faces[6];
    wit_mask mask = {0, faces, NULL, NULL}, none = {0, NULL, NULL, NULL};
    wit_placed a = {wit_model_body(m, 0), wit_pose_identity(), &mask};
    for (int k = 0; k < 60; ++k) {
        wit_witness w;
        memset(faces, 0, sizeof faces);
        faces[k % 6] = 1;
        assert_int_equal(wit_far_phase_point(&a, random_vector(&r, 0, 100), &w), WIT_OK);
        assert_true(w.feature == WIT_FACE ? w.id == k % 6 : borders(a.body, w.id, k % 6));
    }
    a.mask = &none;
    wit_witness w;
    assert_int_equal(wit_far_phase_point(&a, vec3(1, 2, 3), &w), WIT_OK);
    assert_int_equal(w.id, -1);
    wit_model_destroy(m);
}

/* Over a hole of the plate the nearest is on its rim, or below on another face: never in the air. */
static void holes_are_not_proposed(void** state)
{
    (void)state;
    wit_model* m = model_named("plate");
    const wit_body* body = wit_model_body(m, 0);
    wit_body_info info = wit_body_describe(body);
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    rng r = rng_seed(6);
    int edges = 0;
    for (int k = 0; k < 400; ++k) {
        double x = rng_range(&r, info.box.lo.x, info.box.hi.x), y = rng_range(&r, info.box.lo.y, info.box.hi.y);
        wit_witness w;
        assert_int_equal(wit_far_phase_point(&a, vec3(x, y, info.box.hi.z + 1), &w), WIT_OK);
        assert_on_feature(&a, &w);
        edges += w.feature == WIT_EDGE;
    }
    /* the holes take 136 pi of 2400 */
    assert_true(edges > 20);
    wit_model_destroy(m);
}

static void planar_bodies_have_their_edges_proposed(void** state)
{
    (void)state;
    wit_model* m = model_named("three-arc");
    const wit_body* body = wit_model_body(m, 0);
    wit_placed a = wit_placed_at(body, wit_pose_identity()), b = a;
    wit_body_info info = wit_body_describe(body);
    wit_witness on_a, on_b;
    b.pose.position.x = 3 * info.size;
    assert_int_equal(wit_far_phase_point(&a, vec3(10 * info.size, 0, 0), &on_a), WIT_OK);
    assert_on_feature(&a, &on_a);
    assert_true(on_a.point.x > 0);
    assert_int_equal(wit_far_phase_pair(&a, &b, &on_a, &on_b), WIT_OK);
    assert_on_feature(&a, &on_a);
    assert_on_feature(&b, &on_b);
    assert_true(on_a.point.x > 0 && on_b.point.x < 3 * info.size);
    wit_model_destroy(m);
}

static void bad_calls_are_refused(void** state)
{
    (void)state;
    wit_body* body = sphere_of(1);
    wit_placed good = wit_placed_at(body, wit_pose_identity()), bad = good, none = good;
    wit_witness w, v;
    bad.pose.rotation.w = NAN;
    none.body = NULL;
    assert_int_equal(wit_far_phase_point(NULL, vec3(0, 0, 0), &w), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_far_phase_point(&good, vec3(0, 0, 0), NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_far_phase_point(&none, vec3(0, 0, 0), &w), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_far_phase_point(&good, vec3(0, NAN, 0), &w), WIT_ERROR_NUMBER);
    assert_int_equal(wit_far_phase_point(&good, vec3(0, 0, 2e12), &w), WIT_ERROR_NUMBER);
    assert_int_equal(wit_far_phase_point(&bad, vec3(0, 0, 0), &w), WIT_ERROR_NUMBER);
    assert_int_equal(wit_far_phase_pair(&good, &bad, &w, &v), WIT_ERROR_NUMBER);
    assert_int_equal(wit_far_phase_pair(&good, &good, &w, NULL), WIT_ERROR_ARGUMENT);
    bad = good;
    bad.pose.rotation.w = 0.5;
    assert_int_equal(wit_far_phase_pair(&bad, &good, &w, &v), WIT_ERROR_RANGE);
    wit_body_destroy(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guesses_lie_on_their_features),           cmocka_unit_test(flat_patches_are_projected_exactly),
        cmocka_unit_test(guesses_are_as_near_as_the_mesh_is_fine), cmocka_unit_test(half_spaces_give_the_foot),
        cmocka_unit_test(masked_faces_are_not_proposed),           cmocka_unit_test(holes_are_not_proposed),
        cmocka_unit_test(planar_bodies_have_their_edges_proposed), cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
