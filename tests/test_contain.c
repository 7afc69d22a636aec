/* SPDX-License-Identifier: MIT */
/* Bodies inside solids: parts, masks, hollows. */
#include "sign_checks.h"

static wit_body* ball(wit_vec3 centre, double radius)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.frame.origin = centre;
    d.radius = radius;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* box(wit_vec3 centre, double width)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.frame.origin = centre;
    d.size_x = d.size_y = d.size_z = width;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* Spheres as one body: those of negative radius with their normals inwards, hollows. */
static wit_body* balls(const wit_vec3* centres, const double* radii, int count, wit_body_kind kind)
{
    wit_face_def faces[4];
    wit_surface* surfaces[4];
    memset(faces, 0, sizeof faces);
    for (int i = 0; i < count; ++i) {
        wit_surface_def s = wit_surface_default_def(WIT_SURFACE_SPHERE);
        s.frame.origin = centres[i];
        s.radius = fabs(radii[i]);
        surfaces[i] = surface_made(&s);
        faces[i].surface = surfaces[i];
        faces[i].reversed = radii[i] < 0;
    }
    wit_body_def d = wit_body_default_def(kind);
    d.faces = faces;
    d.face_count = count;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    assert_non_null(b);
    for (int i = 0; i < count; ++i) wit_surface_destroy(surfaces[i]);
    return b;
}

/* Does a hold a part of b, both moved by the same pose, and b away by `by`? The shared point is in both. */
static bool held(const wit_body* a, const wit_body* b, wit_vec3 by, const wit_mask* mask_a, const wit_mask* mask_b)
{
    static uint8_t flags[2][256];
    rng r = rng_seed(61);
    wit_pose pose = random_pose(&r, a->size), moved = pose;
    moved.position = add3(moved.position, wit_pose_vector(&pose, by));
    wit_placed place_a = {a, pose, mask_a}, place_b = {b, moved, mask_b};
    side sa = wi_side_of(&place_a, &place_a.pose, flags[0]), sb = wi_side_of(&place_b, &place_a.pose, flags[1]);
    search_task t = task_for(&sa, vec3(0, 0, 0));
    place in_a, in_b;
    wit_work work = {0};
    bool holds = wi_solid_holds(&t, &sa, &sb, &work, &in_a, &in_b) == HOLDS;
    if (holds) {
        assert_true(norm3(sub3(in_a.p, in_b.p)) == 0);
        assert_int_equal(in_a.kind, WIT_POINT);
        wit_surface_jet j;
        wi_side_jet(&sb, &in_b, 0, NULL, &j);
        assert_true(norm3(sub3(j.p, in_b.p)) <= 1e-14 * (1 + norm3(j.p)));
        assert_true(side_counts(&sb, in_b.kind, in_b.id));
    }
    return holds;
}

static void solid_holds_what_lies_inside_it(void** state)
{
    (void)state;
    wit_vec3 o = vec3(0, 0, 0);
    wit_body *large = box(o, 4), *small = box(o, 1), *round = ball(o, 0.5);
    assert_true(held(large, small, o, NULL, NULL));
    assert_true(held(large, round, o, NULL, NULL));
    assert_false(held(small, large, o, NULL, NULL));
    assert_false(held(large, small, vec3(10, 0, 0), NULL, NULL));
    assert_false(held(large, round, vec3(2.6, 0, 0), NULL, NULL));
    assert_true(held(large, round, vec3(1.4, 1.4, 1.4), NULL, NULL));
    wit_body_destroy(large);
    wit_body_destroy(small);
    wit_body_destroy(round);
}

static void every_part_is_asked(void** state)
{
    (void)state;
    wit_vec3 o = vec3(0, 0, 0);
    const wit_vec3 at[3] = {{20, 0, 0}, {-20, 0, 0}, {0, 0, 0}};
    const double radii[3] = {1, 1, 0.5};
    wit_body *three = balls(at, radii, 3, WIT_BODY_SOLID), *sheet = balls(at, radii, 3, WIT_BODY_SHEET2);
    wit_body *cube = box(o, 4), *cube_far = box(o, 4);
    assert_int_equal(three->part_count, 3);
    assert_true(held(cube, three, o, NULL, NULL));
    assert_true(held(cube, three, vec3(20, 0, 0), NULL, NULL));
    assert_false(held(cube, three, vec3(10, 0, 0), NULL, NULL));
    assert_true(held(cube, sheet, o, NULL, NULL));
    /* sheets hold nothing */
    assert_false(held(sheet, cube, o, NULL, NULL));
    wit_body_destroy(three);
    wit_body_destroy(sheet);
    wit_body_destroy(cube);
    wit_body_destroy(cube_far);
}

static void hollows_hold_nothing(void** state)
{
    (void)state;
    const wit_vec3 at[2] = {{0, 0, 0}, {0, 0, 0}};
    const double radii[2] = {5, -4};
    wit_body *shell = balls(at, radii, 2, WIT_BODY_SOLID), *cube = box(vec3(0, 0, 0), 0.5);
    assert_false(held(shell, cube, vec3(0, 0, 0), NULL, NULL));
    assert_false(held(shell, cube, vec3(3, 0, 0), NULL, NULL));
    assert_true(held(shell, cube, vec3(4.5, 0, 0), NULL, NULL));
    assert_false(held(shell, cube, vec3(6, 0, 0), NULL, NULL));
    wit_body_destroy(shell);
    wit_body_destroy(cube);
}

/* Of a masked body only the features named can be inside; a masked solid has no inside. */
static void masks_are_heeded(void** state)
{
    (void)state;
    wit_vec3 o = vec3(0, 0, 0);
    wit_body *cube = box(o, 4), *small = box(o, 1);
    uint8_t vertices[8] = {0}, none[12] = {0};
    wit_mask corners = {0, none, none, vertices}, all = {7, NULL, NULL, NULL};
    assert_false(held(cube, small, o, NULL, &corners));
    vertices[5] = 1;
    assert_true(held(cube, small, o, NULL, &corners));
    assert_true(held(cube, small, o, NULL, &all));
    assert_false(held(cube, small, o, &all, NULL));
    /* half out: the corner named is in, or out */
    wit_vec3 c = wit_body_vertex(small, 5).point;
    assert_true(held(cube, small, vec3(c.x > 0 ? -2 : 2, 0, 0), NULL, &corners));
    assert_false(held(cube, small, vec3(c.x > 0 ? 2 : -2, 0, 0), NULL, &corners));
    wit_body_destroy(cube);
    wit_body_destroy(small);
}

/* Random balls against each other: inside if and only if the centres are nearer than the difference of the radii. */
static void balls_hold_balls(void** state)
{
    (void)state;
    rng r = rng_seed(62);
    int inside = 0;
    for (long i = 0; i < campaign(2000); ++i) {
        double scale = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-6 : 1e6;
        double big = scale * rng_range(&r, 0.5, 2);
        double less = scale * rng_range(&r, 0.01, 1);
        wit_body *a = ball(vec3(0, 0, 0), big), *b = ball(vec3(0, 0, 0), less);
        wit_vec3 by = random_vector(&r, 0, 2 * big);
        double d = norm3(by);
        if (d < 0.999 * (big - less)) {
            inside++;
            assert_true(held(a, b, by, NULL, NULL));
        }
        if (d > 1.001 * (big + less)) assert_false(held(a, b, by, NULL, NULL));
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    assert_true(inside > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solid_holds_what_lies_inside_it),
        cmocka_unit_test(every_part_is_asked),
        cmocka_unit_test(hollows_hold_nothing),
        cmocka_unit_test(masks_are_heeded),
        cmocka_unit_test(balls_hold_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
