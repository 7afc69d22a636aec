/* SPDX-License-Identifier: MIT */
/* The search over pairs of cells: brackets against closed forms, what faces away, and what stops it. */
#include "pair_asked.h"
#include "../src/query/search/pair_search.h"

/* ---- closed forms -------------------------------------------------------------------------- */

static wit_body* ell_shape(void)
{
    static const double polygon[] = {0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = polygon, d.polygon_count = 6, d.height = 2;
    return solid(d);
}

static void closest_sets_that_are_areas_and_curves_close(void** state)
{
    (void)state;
    wit_body* ell = ell_shape();
    wit_body *cube = box(2, 2, 2), *ball = round_solid(WIT_SOLID_SPHERE, 1, 0, 0),
             *big = round_solid(WIT_SOLID_SPHERE, 3, 0, 0);
    wit_body *rod = round_solid(WIT_SOLID_CYLINDER, 0.5, 0, 4), *tube = round_solid(WIT_SOLID_CYLINDER, 2, 0, 4);
    struct {
        const char* name;
        const wit_body *a, *b;
        wit_pose pose;
        double truth;
    } row[] = {
        {"parallel faces", cube, cube, at(3, 0.3, -0.2), 1},
        {"parallel faces, one above the edge", cube, cube, at(3, 1.5, 0), 1},
        {"parallel edges", cube, cube, at(3, 3, 0.5), sqrt(2)},
        {"corners", cube, cube, at(3, 3, 3), sqrt(3)},
        {"concentric spheres", big, ball, at(0, 0, 0), 2},
        {"sphere beside sphere", big, ball, at(5, 0, 0), 1},
        {"coaxial cylinders, one above the other", rod, tube, at(0, 0, 5), 1},
        {"parallel cylinders", rod, rod, at(3, 0, 0.5), 2},
        {"cylinder in a cylinder", tube, rod, at(0, 0, 0), 0},
        {"one on the other", cube, cube, at(0.5, 0.3, 2), 0},
        {"one on the other, trimmed faces", ell, ell, at(0.5, 0.3, 2), 0},
        {"ball over a face", cube, ball, at(0.1, 0.2, 3), 1},
        {"ball over an edge", cube, ball, at(3, 3, 0), 2 * sqrt(2) - 1},
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
        search_answer f = ask(row[k].a, wit_pose_identity(), row[k].b, row[k].pose, &USUAL);
        expect_closed(row[k].name, &f, row[k].truth, 1e-9 * 4, 1e-14);
        assert_true(f.work.nodes < 20000);
    }
    wit_body_destroy(ell), wit_body_destroy(cube), wit_body_destroy(ball), wit_body_destroy(big), wit_body_destroy(rod),
        wit_body_destroy(tube);
}

/* A square plate whose border is one edge with four kinks and no vertex. */
static wit_body* plate(bool planar)
{
    static const double knots[] = {0, 0, 1, 2, 3, 4, 4};
    static const double points[] = {0, -1, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0};
    wit_error e = {0};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 1, c.count = 5, c.knot_count = 7, c.knots = knots, c.points = points;
    wit_curve* border = wit_curve_create(&c, NULL, &e);
    if (!border) fail_msg("%s: %s", e.item, e.text);
    wit_surface_def p = wit_surface_default_def(WIT_SURFACE_PLANE);
    p.frame = (wit_frame){vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, 1)};
    p.range_u = p.range_v = iv(-2, 2);
    wit_surface* plane = wit_surface_create(&p, NULL, &e);
    if (!plane) fail_msg("%s: %s", e.item, e.text);
    wit_edge_def edge = {.curve = border, .start = -1, .end = -1};
    wit_use_def use = {.edge = 0};
    wit_loop_def loop = {1, &use};
    wit_face_def face = {.surface = plane, .loop_count = 1, .loops = &loop};
    wit_body_def d = wit_body_default_def(planar ? WIT_BODY_SOLID : WIT_BODY_SHEET2);
    d.planar = planar;
    d.edge_count = d.face_count = 1;
    d.edges = &edge;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_curve_destroy(border);
    wit_surface_destroy(plane);
    return b;
}

static void kinks_of_edges_are_found(void** state)
{
    (void)state;
    for (int planar = 0; planar < 2; ++planar) {
        wit_body* b = plate(planar);
        struct {
            wit_pose pose;
            double truth;
        } row[] = {
            {at(3, 0.01, 0), sqrt(1 + 0.0001)},  /* kink to kink */
            {at(-0.02, 3, 0), sqrt(1 + 0.0004)}, /* another one, and the seam */
            {at(0.01, -2.5, 0), sqrt(0.25 + 0.0001)},
            {at(2, 2, 0), sqrt(2)}, /* side to side, parallel */
        };
        for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) {
            search_answer f = ask(b, wit_pose_identity(), b, row[k].pose, &USUAL);
            expect_closed("plate", &f, row[k].truth, 1e-9 * 3 + f.slack, 1e-14);
        }
        wit_body_destroy(b);
    }
}

/* Two bodies that touch nothing but each other's supporting planes: along the normal n of a at a point p, b is put at the
 * gap with its own support point on the same line. Ellipsoid p = A n / |A^1/2 n| with A the squares of the semi-axes. */
static wit_vec3 ellipsoid_support(const double semi[3], wit_vec3 n)
{
    wit_vec3 m = vec3(semi[0] * semi[0] * n.x, semi[1] * semi[1] * n.y, semi[2] * semi[2] * n.z);
    return scale3(1 / sqrt(dot3(m, n)), m);
}

static void near_touch_closes_at_every_gap(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    for (long k = campaign(400); k > 0; --k) {
        double semi[2][3], gap = 1;
        for (int i = 0; i < 6; ++i) semi[i / 3][i % 3] = rng_range(&r, 0.4, 2);
        for (int digits = rng_int(&r, 10); digits > 0; --digits) gap *= 0.1;
        wit_vec3 n = random_unit(&r);
        wit_pose pose = random_pose(&r, 0, 1);
        wit_vec3 inwards = wit_pose_unvector(&pose, scale3(-1, n));
        wit_vec3 q = wit_pose_vector(&pose, ellipsoid_support(semi[1], inwards));
        pose.position = sub3(addscaled3(ellipsoid_support(semi[0], n), gap, n), q);
        wit_body *a = ellipsoid(semi[0][0], semi[0][1], semi[0][2]), *b = ellipsoid(semi[1][0], semi[1][1], semi[1][2]);
        search_answer f = ask(a, wit_pose_identity(), b, pose, &USUAL);
        expect_closed("ellipsoids", &f, gap, 1e-9 * 4, 4e-14);
        assert_true(f.work.nodes < 20000);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
}

/* ---- what faces away ----------------------------------------------------------------------- */

static void leaving_out_what_faces_away_changes_no_answer(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    long asked_for = 0, less = 0, nodes = 0, facing_nodes = 0;
    for (long k = campaign(12000); k > 0; --k) {
        double small = rng_range(&r, 0.2, 1);
        wit_body *a = rng_int(&r, 6) ? random_body(&r, 1) : ell_shape(), *b = random_body(&r, small);
        wit_pose pose_a = random_pose(&r, 0, 1), pose_b = random_pose(&r, 0, 4);
        asked how = USUAL;
        how.rigorous = rng_int(&r, 4) == 0;
        search_task t = task_for(a, pose_a, b, pose_b, &how);
        t.memory.bytes = wi_pair_search_bytes(CAPACITY);
        t.memory.memory = malloc(t.memory.bytes);
        assert_non_null(t.memory.memory);
        place x, y;
        wit_work work = {0};
        if (wi_solid_holds(&t, &t.a, &t.b, &work, &x, &y) != HOLDS &&
            wi_solid_holds(&t, &t.b, &t.a, &work, &x, &y) != HOLDS) {
            search_answer all, facing;
            wi_pair_search(&t, &all);
            t.apart = true;
            wi_pair_search(&t, &facing);
            double near = 1e-11 * larger(t.size, all.upper);
            bool same = facing.end == all.end && fabs(facing.upper - all.upper) <= near &&
                        facing.lower <= all.upper + t.floor && all.lower <= facing.upper + t.floor;
            if (!same)
                fail_msg("pair %ld: end %d, [%.17g, %.17g]; facing: end %d, [%.17g, %.17g]", k, (int)all.end, all.lower,
                         all.upper, (int)facing.end, facing.lower, facing.upper);
            ++asked_for;
            less += facing.work.nodes < all.work.nodes;
            nodes += all.work.nodes;
            facing_nodes += facing.work.nodes;
        }
        free(t.memory.memory);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_message("  %ld pairs, %ld with less work; nodes in all %ld, facing %ld\n", asked_for, less, nodes,
                  facing_nodes);
    assert_true(6 * facing_nodes < 5 * nodes);
}

/* ---- what stands on what ------------------------------------------------------------------- */

static wit_pose turned(wit_vec3 axis, double angle, double x, double y, double z)
{
    wit_pose p = at(x, y, z);
    p.rotation = wit_quat_about(axis, angle);
    return p;
}

/* Poles, lines and rings in contact with the ground, down to touch: the pair is found to rounding and few pairs of cells
 * are looked at. */
static void things_on_the_ground_are_everyday_work(void** state)
{
    (void)state;
    static const double gaps[] = {0, 1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 0.1};
    wit_solid_def half = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *ground = solid(half), *plate_of = box(2, 2, 0.2);
    struct {
        const char* name;
        wit_body* body;
        wit_pose pose; /* resting on z = 0 */
    } row[] = {
        {"ball on a pole", round_solid(WIT_SOLID_SPHERE, 0.1, 0, 0), at(0.3, -0.2, 0.1)},
        {"ball", round_solid(WIT_SOLID_SPHERE, 0.1, 0, 0), turned(vec3(1, 0, 0), 1, 0.3, -0.2, 0.1)},
        {"ball nearly on a pole", round_solid(WIT_SOLID_SPHERE, 0.1, 0, 0), turned(vec3(1, 0, 0), 1e-7, 0.3, 0, 0.1)},
        {"lying ring", round_solid(WIT_SOLID_TORUS, 0.1, 0.03, 0), at(0.2, 0.1, 0.03)},
        {"ring on edge", round_solid(WIT_SOLID_TORUS, 0.1, 0.03, 0), turned(vec3(1, 0, 0), PI / 2, 0.2, 0.1, 0.13)},
        {"ellipsoid on a pole", ellipsoid(0.1, 0.2, 0.15), at(0.2, 0.1, 0.15)},
        {"ellipsoid", ellipsoid(0.1, 0.2, 0.15), turned(vec3(1, 0, 0), PI / 2, 0.2, 0.1, 0.2)},
        {"lying cylinder", round_solid(WIT_SOLID_CYLINDER, 0.1, 0, 0.3), turned(vec3(1, 0, 0), PI / 2, 0, 0, 0.1)},
        {"standing cylinder", round_solid(WIT_SOLID_CYLINDER, 0.1, 0, 0.3), at(0, 0, 0)},
        {"lying capsule", round_solid(WIT_SOLID_CAPSULE, 0.1, 0, 0.3), turned(vec3(1, 0, 0), PI / 2, 0, 0, 0.1)},
        {"standing capsule", round_solid(WIT_SOLID_CAPSULE, 0.1, 0, 0.3), at(0.1, 0, 0.1)},
        {"cone on its tip", round_solid(WIT_SOLID_CONE, 0.1, 0, 0.3), turned(vec3(1, 0, 0), PI, 0.2, 0.1, 0.3)},
    };
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k)
        for (size_t g = 0; g < 2 * sizeof gaps / sizeof gaps[0]; ++g) {
            double gap = gaps[g / 2];
            bool on_plate = g % 2; /* whose upper face is at 0.1 */
            wit_pose pose = row[k].pose;
            pose.position.z += gap + (on_plate ? 0.1 : 0);
            wit_placed x = wit_placed_at(on_plate ? plate_of : ground, wit_pose_identity());
            wit_placed y = wit_placed_at(row[k].body, pose);
            wit_closest c;
            assert_int_equal(wit_closest_pair(query, &x, &y, &c), WIT_OK);
            bool right = c.outcome != WIT_OUTCOME_BUDGET && c.outcome != WIT_OUTCOME_OVERLAPPING && c.certified &&
                         fabs(c.distance - gap) <= 1e-14 && c.work.nodes < 2000;
            if (!right)
                fail_msg("%s at %g%s: %s, [%.17g, %.17g], %ld nodes", row[k].name, gap, on_plate ? " on the plate" : "",
                         wit_outcome_name(c.outcome), c.lower_bound, c.distance, (long)c.work.nodes);
        }
    wit_query_destroy(query);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; ++k) wit_body_destroy(row[k].body);
    wit_body_destroy(ground), wit_body_destroy(plate_of);
}

/* ---- what stops it ------------------------------------------------------------------------- */

static void crossing_bodies_are_seen_to_cross(void** state)
{
    (void)state;
    wit_body *cube = box(2, 2, 2), *rod = round_solid(WIT_SOLID_CYLINDER, 0.5, 0, 4);
    search_answer f = ask(cube, wit_pose_identity(), rod, at(0.1, 0.2, -2), &USUAL);
    assert_int_equal(f.end, SEARCH_CROSSING);
    assert_true(f.lower == 0 && f.upper <= 1e-14 && f.work.nodes < 2000);
    f = ask(cube, wit_pose_identity(), cube, wit_pose_identity(), &USUAL); /* with itself: touches all over */
    assert_true(f.lower == 0 && f.upper <= 1e-14 && f.work.nodes < 20000);
    wit_body_destroy(cube), wit_body_destroy(rod);
}

static void cut_off_budget_and_memory_leave_the_bracket_right(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    for (long k = campaign(1000); k > 0; --k) {
        wit_body *a = random_body(&r, 1), *b = random_body(&r, 1);
        wit_pose pose = random_pose(&r, 3, 8);
        search_answer all = ask(a, wit_pose_identity(), b, pose, &USUAL);
        if (all.end == SEARCH_CROSSING) pose = at(20, 1, 2), all = ask(a, wit_pose_identity(), b, pose, &USUAL);
        asked how = USUAL;
        how.budget = 1 + rng_int(&r, 200);
        search_answer some = ask(a, wit_pose_identity(), b, pose, &how);
        how = USUAL;
        how.capacity = rng_int(&r, 100);
        search_answer small = ask(a, wit_pose_identity(), b, pose, &how);
        how = USUAL;
        how.within = all.upper * rng_range(&r, 0.2, 2);
        search_answer within = ask(a, wit_pose_identity(), b, pose, &how);
        assert_true(some.lower <= all.upper && some.upper >= all.lower && some.upper < INFINITY);
        assert_true(small.lower <= all.upper && small.upper >= all.lower && small.upper < INFINITY);
        assert_true(within.lower <= all.upper);
        assert_true(within.end == (how.within < all.lower ? SEARCH_BEYOND : SEARCH_CLOSED));
        if (within.end == SEARCH_BEYOND) assert_true(within.lower >= how.within);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
}

/* What is asked is the width of the bracket; the pair is as good as if more were asked. */
static void loose_tolerances_cost_no_digits(void** state)
{
    (void)state;
    rng r = rng_seed(51);
    for (long k = campaign(3000); k > 0; --k) {
        wit_body *a = random_body(&r, 1), *b = random_body(&r, 1);
        wit_pose pose = random_pose(&r, 2, 6);
        asked fine = USUAL, loose = USUAL;
        fine.tolerance = 1e-12;
        loose.tolerance = rng_int(&r, 2) ? 1e-6 : 1e-3;
        search_answer x = ask(a, wit_pose_identity(), b, pose, &fine), y = ask(a, wit_pose_identity(), b, pose, &loose);
        double size = larger(smaller(a->size, b->size), x.upper);
        if (x.end == SEARCH_CLOSED && (y.end != SEARCH_CLOSED || !(fabs(x.upper - y.upper) <= 1e-12 * size)))
            fail_msg("pair %ld: %.17g at 1e-12, %.17g at %g", k, x.upper, y.upper, loose.tolerance);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
}

static void a_mask_of_nothing_is_empty(void** state)
{
    (void)state;
    wit_body *cube = box(2, 2, 2), *ball = round_solid(WIT_SOLID_SPHERE, 1, 0, 0);
    uint8_t none[64] = {0};
    for (int which = 0; which < 2; ++which) {
        search_task t = task_for(cube, wit_pose_identity(), ball, at(4, 0, 0), &USUAL);
        side* s = which ? &t.b : &t.a;
        s->faces = s->edges = s->vertices = none;
        t.memory.bytes = wi_pair_search_bytes(CAPACITY);
        t.memory.memory = malloc(t.memory.bytes);
        assert_non_null(t.memory.memory);
        search_answer f;
        wi_pair_search(&t, &f);
        assert_int_equal(f.end, SEARCH_EMPTY);
        free(t.memory.memory);
    }
    wit_body_destroy(cube), wit_body_destroy(ball);
}

static void the_same_question_has_the_same_bits(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    for (int k = 0; k < 20; ++k) {
        wit_body *a = random_body(&r, 1), *b = random_body(&r, 1);
        wit_pose pose = random_pose(&r, 2, 6);
        search_answer x = ask(a, wit_pose_identity(), b, pose, &USUAL),
                      y = ask(a, wit_pose_identity(), b, pose, &USUAL);
        assert_memory_equal(&x.lower, &y.lower, sizeof x.lower);
        assert_memory_equal(&x.upper, &y.upper, sizeof x.upper);
        assert_memory_equal(&x.a.p, &y.a.p, sizeof x.a.p);
        assert_int_equal(x.work.nodes, y.work.nodes);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closest_sets_that_are_areas_and_curves_close),
        cmocka_unit_test(kinks_of_edges_are_found),
        cmocka_unit_test(near_touch_closes_at_every_gap),
        cmocka_unit_test(leaving_out_what_faces_away_changes_no_answer),
        cmocka_unit_test(things_on_the_ground_are_everyday_work),
        cmocka_unit_test(crossing_bodies_are_seen_to_cross),
        cmocka_unit_test(cut_off_budget_and_memory_leave_the_bracket_right),
        cmocka_unit_test(loose_tolerances_cost_no_digits),
        cmocka_unit_test(a_mask_of_nothing_is_empty),
        cmocka_unit_test(the_same_question_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
