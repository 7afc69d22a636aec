/* SPDX-License-Identifier: MIT */
/* Every local minimum: against closed forms and the numbers of the reference; continua, limits. */
#include "../src/pair/local_minimum.h"
#include "../src/query/query_record.h"
#include "campaign.h"
#include "minima_checks.h"

#define PI_T 3.14159265358979323846

static wit_model* model_named(const char* name)
{
    char path[128];
    wit_error e = {0};
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (!m) fail_msg("%s:%d:%d: %s: %s (tests run from the root of the tree)", path, e.line, e.column, e.item, e.text);
    return m;
}

static wit_pose pose_about_x(double x, double y, double z, double degrees)
{
    wit_pose p = {vec3(x, y, z), wit_quat_about(vec3(1, 0, 0), degrees * PI_T / 180)};
    return p;
}

/* ---- numbers of the reference -------------------------------------------------------------- */

static void table1_patch_has_both_minima(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model* m = model_named("table1");
    wit_surface* s = (wit_surface*)wit_model_surface(m, 0);
    wit_body* body = (wit_body*)wit_model_body(m, 0);
    rng r = rng_seed(14);
    const wit_vec3 named[2] = {{13.6, 4.78, -1.3}, {10.909, 6.797, 2.210}};
    for (int i = 0; i < 2; ++i) assert_int_equal(patch_query(q, s, body, named[i], 15, &r), 2);
    int two = 0;
    for (int i = 0; i < 200; ++i) {
        wit_vec3 p;
        p.x = rng_range(&r, -5, 15);
        p.y = rng_range(&r, -5, 15);
        p.z = rng_range(&r, -5, 12);
        int count = patch_query(q, s, body, p, 15, &r);
        assert_true(count >= 1);
        two += count > 1;
    }
    assert_true(two >= 4 && two <= 60); /* 8 of 200 exterior points of the errata; these lie inside as well */
    wit_model_destroy(m);
    wit_query_destroy(q);
}

typedef struct pen_row {
    double degrees, distance;
    int count;              /* of minima at that distance */
    const char *pen, *bowl; /* edges */
    double x, y, z;         /* the bowl's witness, up to the sign of x or of y */
} pen_row;

static void pen_and_bowl_have_their_tied_pairs(void** state)
{
    (void)state;
    static const pen_row rows[] = {
        {270, 7.566372975210778, 2, NULL, "C1", 0, 4, 4},
        {178, 0.994416664463314, 2, "C3", "C1", 0.405271, 3.97942, 4},
        {225, 4.22366183145959, 2, "C3", "C1", 1.94125, 3.49736, 4},
    };
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    const wit_body *pen = wit_model_body(pens, 0), *bowl = wit_model_body(bowls, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        answer r;
        ask_pair(q, pen, pose_about_x(0, -4, 12, rows[i].degrees), bowl, wit_pose_identity(), &r);
        assert_in_order(&r);
        assert_true(r.s.complete && !r.s.overlapping);
        assert_int_equal(r.s.count, rows[i].count);
        for (int k = 0; k < r.s.count; ++k) {
            const wit_minimum* m = &r.m[k];
            assert_near(m->distance, rows[i].distance, 1e-12);
            assert_true(m->proved && m->set.dimension == 0);
            assert_int_equal(m->a.feature, WIT_EDGE);
            assert_int_equal(m->b.feature, WIT_EDGE);
            assert_int_equal(m->b.id, wit_body_find(bowl, WIT_EDGE, rows[i].bowl));
            if (rows[i].pen) assert_int_equal(m->a.id, wit_body_find(pen, WIT_EDGE, rows[i].pen));
            assert_near(fabs(m->b.point.x), rows[i].x, 1e-5);
            assert_near(fabs(m->b.point.y), rows[i].y, 1e-5);
            assert_near(m->b.point.z, rows[i].z, 1e-12);
        }
        assert_true(norm3(sub3(r.m[0].b.point, r.m[1].b.point)) > 0.5);
    }
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
    wit_query_destroy(q);
}

/* ---- closed forms -------------------------------------------------------------------------- */

static wit_body* solid(wit_solid_kind kind, double x, double y, double z, double radius, double radius2, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    wit_error e = {0};
    d.size_x = x;
    d.size_y = y;
    d.size_z = z;
    d.radius = radius;
    d.radius2 = radius2;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

/* Within n of the three slabs: inside all six faces; before a face that and the opposite one; else the corner alone. */
static void box_has_as_many_minima_as_the_slabs_say(void** state)
{
    (void)state;
    static const int counts[4] = {1, 1, 2, 6};
    const double scales[3] = {1, 1e-6, 1e6};
    for (int k = 0; k < 3; ++k) {
        double size = scales[k];
        wit_query* q = query_with(INFINITY, 0, 0);
        wit_body* b = solid(WIT_SOLID_BOX, 2 * size, 3 * size, 4 * size, 0, 0, 0);
        rng r = rng_seed(99);
        for (int i = 0; i < 200; ++i) {
            wit_vec3 p;
            p.x = size * rng_range(&r, -2.5, 2.5);
            p.y = size * rng_range(&r, -3, 3);
            p.z = size * rng_range(&r, -4, 4);
            int within = (fabs(p.x) < size) + (fabs(p.y) < 1.5 * size) + (fabs(p.z) < 2 * size);
            answer out;
            ask_point(q, b, p, &out);
            assert_in_order(&out);
            assert_true(out.s.complete);
            assert_int_equal(out.s.count, counts[within]);
            for (int j = 0; j < out.s.count; ++j)
                assert_true(out.m[j].proved && (out.m[j].distance < 0) == (within == 3));
        }
        wit_body_destroy(b);
        wit_query_destroy(q);
    }
}

/* From anywhere but its axis and its circle of centres a torus has one: |distance to the circle - minor radius|. */
static void torus_and_sphere_have_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *torus = solid(WIT_SOLID_TORUS, 0, 0, 0, 3, 1, 0), *sphere = solid(WIT_SOLID_SPHERE, 0, 0, 0, 2, 0, 0);
    wit_model* m = model_named("torus-nurbs"); /* radius 10, tube 3 */
    rng r = rng_seed(5);
    for (int i = 0; i < 100; ++i) {
        wit_vec3 p = random_vector(&r, 0.2, 8);
        double axis = hypot(p.x, p.y);
        answer out;
        if (axis < 0.1 || hypot(axis - 3, p.z) < 0.1) continue;
        ask_point(q, torus, p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(axis - 3, p.z) - 1, 1e-12);
        ask_point(q, sphere, p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, norm3(p) - 2, 1e-12);
        p = scale3(3, p);
        if (hypot(3 * axis - 10, p.z) < 0.3) continue;
        ask_point(q, wit_model_body(m, 0), p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(3 * axis - 10, p.z) - 3, 1e-11);
    }
    wit_model_destroy(m);
    wit_body_destroy(torus);
    wit_body_destroy(sphere);
    wit_query_destroy(q);
}

/* The half spheres of a capsule join its barrel smoothly: a witness on the joint is one minimum, not three. */
static void smooth_edge_carries_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* b = solid(WIT_SOLID_CAPSULE, 0, 0, 0, 1, 0, 4);
    const double heights[5] = {0, 1e-12, -1e-12, 1e-9, 4};
    for (int i = 0; i < 5; ++i) {
        answer out;
        ask_point(q, b, vec3(3, 0.5, heights[i]), &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(3, 0.5) - 1, 1e-12);
    }
    wit_body_destroy(b);
    wit_query_destroy(q);
}

/* The distance of convex bodies has one minimum; the pairs on far sides are seen through the bodies and are none. */
static void convex_pairs_have_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* bodies[4] = {solid(WIT_SOLID_ELLIPSOID, 3, 1, 2, 0, 0, 0), solid(WIT_SOLID_BOX, 2, 1, 3, 0, 0, 0),
                           solid(WIT_SOLID_CAPSULE, 0, 0, 0, 1, 0, 3), solid(WIT_SOLID_CONE, 0, 0, 0, 1, 0, 3)};
    for (long i = 0, n = campaign(200); i < n; ++i) {
        rng r = rng_seed(300 + (uint64_t)i);
        const wit_body* a = bodies[rng_int(&r, 4)];
        const wit_body* b = bodies[rng_int(&r, 4)];
        wit_pose pa = wit_pose_identity(), pb = pa;
        pa.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
        pb.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
        pb.position = random_vector(&r, 8, 12);
        answer out;
        wit_closest c;
        wit_placed x = wit_placed_at(a, pa), y = wit_placed_at(b, pb);
        ask_pair(q, a, pa, b, pb, &out);
        assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
        assert_in_order(&out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, c.distance, 1e-12);
        assert_int_equal(out.m[0].a.feature, c.a.feature);
        assert_int_equal(out.m[0].b.feature, c.b.feature);
    }
    for (int i = 0; i < 4; ++i) wit_body_destroy(bodies[i]);
    wit_query_destroy(q);
}

/* A ball in the notch of an L: one minimum at each wall, none at the reflex edge between them. */
static void notch_has_a_minimum_at_each_wall(void** state)
{
    (void)state;
    static const double corner[12] = {0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    wit_error e = {0};
    d.polygon_count = 6;
    d.polygon = corner;
    d.height = 4;
    wit_body* prism = wit_solid_create(&d, NULL, &e);
    assert_non_null(prism);
    wit_body* ball = solid(WIT_SOLID_SPHERE, 0, 0, 0, 0.5, 0, 0);
    wit_query* q = query_with(INFINITY, 0, 0);
    answer out;
    wit_pose at = wit_pose_identity();
    at.position = vec3(2, 2.25, 2);
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_in_order(&out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 2);
    assert_near(out.m[0].distance, 0.5, 1e-12);
    assert_near(out.m[1].distance, 0.75, 1e-12);
    for (int k = 0; k < 2; ++k) assert_int_equal(out.m[k].b.feature, WIT_FACE);
    /* above the corner of the L: both flat faces; the top falls towards the point from its reflex corner, whose edges do not */
    ask_point(q, prism, vec3(0.5, 0.5, 6), &out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 2);
    assert_near(out.m[0].distance, 2, 1e-13);
    assert_near(out.m[1].distance, 6, 1e-13);
    wit_query_destroy(q);
    q = query_with(0.6, 0, 0); /* the cut-off leaves one */
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 1);
    wit_query_destroy(q);
    q = query_with(0.4, 0, 0);
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_true(out.s.complete && out.s.count == 0 && out.s.lower_bound >= 0.4);
    wit_query_destroy(q);
    wit_body_destroy(ball);
    wit_body_destroy(prism);
}

/* From its centre an ellipsoid has two minima, two saddles and two maxima, on its axes; z is a pole of the surface. */
static void saddles_and_maxima_are_no_minima(void** state)
{
    (void)state;
    static const double axes[2][3] = {{3, 2, 1}, {1, 2, 3}};
    wit_query* q = query_with(INFINITY, 0, 0);
    for (int i = 0; i < 2; ++i) {
        wit_body* b = solid(WIT_SOLID_ELLIPSOID, axes[i][0], axes[i][1], axes[i][2], 0, 0, 0);
        wit_placed at = wit_placed_at(b, wit_pose_identity());
        search_task t;
        assert_int_equal(wi_task_of_point(q, &at, vec3(0, 0, 0), &t), WIT_OK);
        const place centre = place_at(WIT_POINT, -1, 0, 0, vec3(0, 0, 0));
        const place on[3] = {place_at(WIT_FACE, 0, 0, 0, vec3(axes[i][0], 0, 0)),
                             place_at(WIT_FACE, 0, PI_T / 2, 0, vec3(0, axes[i][1], 0)),
                             place_at(WIT_FACE, 0, 0, PI_T / 2, vec3(0, 0, axes[i][2]))};
        for (int k = 0; k < 3; ++k)
            assert_int_equal(wi_local_minimum(&t.pair, &on[k], &centre, 0),
                             axes[i][k] == 1 ? MINIMUM_STRICT : MINIMUM_NONE);
        answer out;
        ask_point(q, b, vec3(0, 0, 0), &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 2);
        for (int k = 0; k < 2; ++k) assert_near(out.m[k].distance, -1, 1e-13);
        wit_body_destroy(b);
    }
    wit_query_destroy(q);
}

/* ---- continua ------------------------------------------------------------------------------ */

static void continuum_is_one_entry(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *sphere = solid(WIT_SOLID_SPHERE, 0, 0, 0, 2, 0, 0), *box = solid(WIT_SOLID_BOX, 2, 2, 2, 0, 0, 0);
    wit_body* cylinder = solid(WIT_SOLID_CYLINDER, 0, 0, 0, 1, 0, 4);
    answer out;
    ask_point(q, sphere, vec3(0, 0, 0), &out);
    assert_int_equal(out.s.count, 1);
    assert_near(out.m[0].distance, -2, 1e-12);
    assert_int_equal(out.m[0].set.dimension, 2);
    assert_true(out.m[0].proved && out.s.complete);
    wit_pose at = wit_pose_identity();
    at.position = vec3(5, 0.25, 0.5); /* parallel faces: an area with its edges and corners */
    ask_pair(q, box, wit_pose_identity(), box, at, &out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 1);
    assert_near(out.m[0].distance, 3, 1e-12);
    assert_int_equal(out.m[0].set.dimension, 2);
    ask_point(q, cylinder, vec3(0, 0, 1), &out); /* on the axis: both discs and a circle of the barrel */
    assert_int_equal(out.s.count, 3);
    assert_near(out.m[0].distance, -1, 1e-12);
    assert_near(out.m[1].distance, -1, 1e-12);
    assert_near(out.m[2].distance, -3, 1e-12);
    assert_int_equal(out.m[0].set.dimension + out.m[1].set.dimension, 1);
    assert_true(out.s.complete);
    wit_body_destroy(sphere);
    wit_body_destroy(box);
    wit_body_destroy(cylinder);
    wit_query_destroy(q);
}

static void touch_is_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *ball = solid(WIT_SOLID_SPHERE, 0, 0, 0, 1, 0, 0), *box = solid(WIT_SOLID_BOX, 2, 2, 2, 0, 0, 0);
    const wit_body* pairs[3][2] = {{ball, ball}, {box, ball}, {box, box}};
    for (int i = 0; i < 3; ++i) {
        wit_pose at = wit_pose_identity();
        at.position = vec3(2, 0, 0);
        answer out;
        ask_pair(q, pairs[i][0], wit_pose_identity(), pairs[i][1], at, &out);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, 0, 1e-14);
        assert_int_equal(out.m[0].set.dimension, i == 2 ? 2 : 0);
        assert_true(out.s.complete && !out.s.overlapping);
    }
    wit_body_destroy(ball);
    wit_body_destroy(box);
    wit_query_destroy(q);
}

static void tip_above_the_axis_of_the_rim_has_one_circle(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    answer r;
    ask_pair(q, wit_model_body(pens, 0), pose_about_x(0, 0, 8, 0), wit_model_body(bowls, 0), wit_pose_identity(), &r);
    assert_int_equal(r.s.count, 1);
    assert_near(r.m[0].distance, sqrt(32), 1e-12);
    assert_int_equal(r.m[0].a.feature, WIT_VERTEX);
    assert_int_equal(r.m[0].set.dimension, 1);
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
    wit_query_destroy(q);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void small_budget_is_not_called_complete(void** state)
{
    (void)state;
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    for (int budget = 1; budget <= 1000; budget = budget * 10) {
        wit_query* q = query_with(INFINITY, budget, 64);
        answer r;
        ask_pair(q, wit_model_body(pens, 0), pose_about_x(0, -4, 12, 270), wit_model_body(bowls, 0),
                 wit_pose_identity(), &r);
        assert_false(r.s.complete);
        assert_true(r.s.lower_bound <= 7.566372975210778);
        assert_in_order(&r);
        wit_query_destroy(q);
    }
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
}

static void short_list_holds_the_nearest(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* b = solid(WIT_SOLID_BOX, 2, 4, 6, 0, 0, 0);
    wit_placed a = wit_placed_at(b, wit_pose_identity());
    wit_minimum m[2];
    wit_minima_summary s;
    assert_int_equal(wit_minima_point(q, &a, vec3(0.25, 0.5, 0.5), m, 2, &s), WIT_OK);
    assert_int_equal(s.count, 6);
    assert_false(s.complete);
    assert_near(m[0].distance, -0.75, 1e-14);
    assert_near(m[1].distance, -1.25, 1e-14);
    assert_int_equal(wit_minima_point(q, &a, vec3(0.25, 0.5, 0.5), NULL, 0, &s), WIT_OK);
    assert_int_equal(s.count, 6);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

static void crossing_boundaries_are_told(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *a = solid(WIT_SOLID_BOX, 2, 3, 4, 0, 0, 0), *b = solid(WIT_SOLID_SPHERE, 0, 0, 0, 1, 0, 0);
    wit_pose at = wit_pose_identity();
    at.position = vec3(1.5, 0.1, 0.2);
    answer out;
    ask_pair(q, a, wit_pose_identity(), b, at, &out);
    assert_true(out.s.overlapping && out.s.complete);
    assert_int_equal(out.s.count, 0);
    wit_body_destroy(a);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_patch_has_both_minima),
        cmocka_unit_test(pen_and_bowl_have_their_tied_pairs),
        cmocka_unit_test(box_has_as_many_minima_as_the_slabs_say),
        cmocka_unit_test(torus_and_sphere_have_one_minimum),
        cmocka_unit_test(smooth_edge_carries_one_minimum),
        cmocka_unit_test(convex_pairs_have_one_minimum),
        cmocka_unit_test(notch_has_a_minimum_at_each_wall),
        cmocka_unit_test(saddles_and_maxima_are_no_minima),
        cmocka_unit_test(continuum_is_one_entry),
        cmocka_unit_test(touch_is_one_minimum),
        cmocka_unit_test(tip_above_the_axis_of_the_rim_has_one_circle),
        cmocka_unit_test(small_budget_is_not_called_complete),
        cmocka_unit_test(short_list_holds_the_nearest),
        cmocka_unit_test(crossing_boundaries_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
