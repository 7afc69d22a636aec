/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "../src/base/vec.h"
#include "campaign.h"
#include "random.h"

#define PI_NEAREST 3.14159265358979323846
#define EPS DBL_EPSILON

static wit_vec3 random_vector(rng* r, double size)
{
    double x = rng_range(r, -size, size), y = rng_range(r, -size, size), z = rng_range(r, -size, size);
    return vec3(x, y, z);
}

static wit_vec3 random_unit(rng* r)
{
    wit_vec3 v = random_vector(r, 1);
    return norm3(v) > 0.1 ? unit3(v) : vec3(0, 0, 1);
}

static wit_pose random_pose(rng* r, double size)
{
    wit_pose pose;
    pose.position = random_vector(r, size);
    wit_vec3 axis = random_unit(r);
    pose.rotation = wit_quat_about(axis, rng_range(r, -PI_NEAREST, PI_NEAREST));
    return pose;
}

static double distance(wit_vec3 a, wit_vec3 b)
{
    return norm3(sub3(a, b));
}

/* 0 for the same rotation; q and -q are the same. */
static double rotation_distance(wit_quat a, wit_quat b)
{
    double sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
    return hypot(hypot(a.w - sign * b.w, a.x - sign * b.x), hypot(a.y - sign * b.y, a.z - sign * b.z));
}

static void pose_check_tells_good_from_bad(void** state)
{
    (void)state;
    wit_pose pose = wit_pose_identity();
    assert_int_equal(wit_pose_check(&pose), WIT_OK);
    assert_int_equal(wit_pose_check(NULL), WIT_ERROR_ARGUMENT);
    double* fields[] = {&pose.position.x, &pose.position.y, &pose.position.z, &pose.rotation.w,
                        &pose.rotation.x, &pose.rotation.y, &pose.rotation.z};
    for (int i = 0; i < 7; i++) {
        double kept = *fields[i];
        *fields[i] = NAN;
        assert_int_equal(wit_pose_check(&pose), WIT_ERROR_NUMBER);
        *fields[i] = -INFINITY;
        assert_int_equal(wit_pose_check(&pose), WIT_ERROR_NUMBER);
        *fields[i] = kept;
    }
    const double lengths[] = {0, 1e-200, 0.999998, 1.000002, 1e200};
    for (int i = 0; i < 5; i++) {
        pose.rotation.w = lengths[i];
        assert_int_equal(wit_pose_check(&pose), WIT_ERROR_RANGE);
    }
    pose.rotation.w = 1 + 0.9e-6;
    assert_int_equal(wit_pose_check(&pose), WIT_OK);
    pose.rotation.w = 1 - 0.9e-6;
    assert_int_equal(wit_pose_check(&pose), WIT_OK);
}

static void pose_turns_about_the_axis_by_the_right_hand(void** state)
{
    (void)state;
    wit_pose pose = {{1, 2, 3}, wit_quat_about(vec3(0, 0, 5), PI_NEAREST / 2)};
    assert_true(distance(wit_pose_point(&pose, vec3(1, 0, 0)), vec3(1, 3, 3)) < 4 * EPS);
    assert_true(distance(wit_pose_vector(&pose, vec3(1, 0, 0)), vec3(0, 1, 0)) < 4 * EPS);
    assert_true(distance(wit_pose_unvector(&pose, vec3(0, 1, 0)), vec3(1, 0, 0)) < 4 * EPS);
    wit_quat none = wit_quat_about(vec3(0, 0, 0), 1);
    assert_true(none.w == 1 && none.x == 0 && none.y == 0 && none.z == 0);
    const double sizes[] = {1e-320, 1e-300, 1e-6, 1e6, 1e300};
    for (int i = 0; i < 5; i++) {
        wit_quat q = wit_quat_about(vec3(sizes[i], 0, 0), 1);
        assert_true(q.w == 1 || fabs(q.x - sin(0.5)) < 2 * EPS);
        assert_true(isfinite(q.x));
    }
}

static void pose_unpoint_undoes_point(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    for (long i = campaign(100000); i > 0; i--) {
        double size = pow(10, rng_range(&r, -6, 6));
        wit_pose pose = random_pose(&r, size);
        wit_vec3 p = random_vector(&r, size);
        /* Each way about 10 roundings of numbers up to 2 sqrt(3) sizes. */
        assert_true(distance(wit_pose_unpoint(&pose, wit_pose_point(&pose, p)), p) < 20 * EPS * size);
        assert_true(distance(wit_pose_unvector(&pose, wit_pose_vector(&pose, p)), p) < 20 * EPS * size);
        assert_true(fabs(norm3(wit_pose_vector(&pose, p)) - norm3(p)) < 10 * EPS * size);
    }
}

static void pose_of_inexact_length_is_still_rigid(void** state)
{
    (void)state;
    rng r = rng_seed(22);
    for (long i = campaign(100000); i > 0; i--) {
        wit_pose pose = random_pose(&r, 1), off = pose;
        double f = 1 + rng_range(&r, -9e-7, 9e-7);
        off.rotation = (wit_quat){f * pose.rotation.w, f * pose.rotation.x, f * pose.rotation.y, f * pose.rotation.z};
        wit_vec3 p = random_vector(&r, 1);
        assert_true(distance(wit_pose_point(&off, p), wit_pose_point(&pose, p)) < 20 * EPS);
    }
}

static void pose_composition_is_one_after_the_other(void** state)
{
    (void)state;
    rng r = rng_seed(23);
    for (long i = campaign(100000); i > 0; i--) {
        double size = pow(10, rng_range(&r, -6, 6));
        wit_pose a = random_pose(&r, size), b = random_pose(&r, size), ab = wit_pose_compose(&a, &b);
        wit_vec3 p = random_vector(&r, size);
        assert_true(distance(wit_pose_point(&ab, p), wit_pose_point(&a, wit_pose_point(&b, p))) < 30 * EPS * size);
        assert_int_equal(wit_pose_check(&ab), WIT_OK);

        wit_pose inverse = wit_pose_inverse(&a), none = wit_pose_compose(&inverse, &a);
        assert_true(norm3(none.position) < 20 * EPS * size);
        assert_true(rotation_distance(none.rotation, wit_pose_identity().rotation) < 8 * EPS);
        none = wit_pose_compose(&a, &inverse);
        assert_true(norm3(none.position) < 20 * EPS * size);
    }
}

/* The twist's field is steady in space, so the motion obeys it at every time, not only at the start. */
static void motion_after_follows_the_velocity_field(void** state)
{
    (void)state;
    rng r = rng_seed(24);
    for (long i = campaign(50000); i > 0; i--) {
        wit_motion motion = wit_motion_at_rest(random_pose(&r, 1));
        motion.twist.velocity = random_vector(&r, 1);
        motion.twist.angular = random_vector(&r, 1);
        double t = rng_range(&r, -3, 3), h = 1e-5;
        wit_vec3 p = random_vector(&r, 1);
        wit_pose now = wit_motion_after(&motion, t), before = wit_motion_after(&motion, t - h),
                 after = wit_motion_after(&motion, t + h);
        wit_vec3 field = wit_motion_velocity(&motion, wit_pose_point(&now, p));
        wit_vec3 difference = scale3(0.5 / h, sub3(wit_pose_point(&after, p), wit_pose_point(&before, p)));
        /* h^2/6 |w|^2 |V| <= 1e-10/6 * 3 * 12 and rounding 10 EPS * 7 / h. */
        assert_true(distance(field, difference) < 6e-10 + 2e-9);
        /* At the start the field moves the origin by the twist's velocity. */
        assert_true(distance(wit_motion_velocity(&motion, motion.pose.position), motion.twist.velocity) == 0);
    }
}

static void motion_after_without_rotation_is_a_straight_line(void** state)
{
    (void)state;
    wit_motion motion = wit_motion_at_rest(wit_pose_identity());
    assert_true(motion.twist_known);
    motion.twist.velocity = vec3(1, -2, 3);
    wit_pose pose = wit_motion_after(&motion, 2);
    assert_true(distance(pose.position, vec3(2, -4, 6)) == 0 && pose.rotation.w == 1);
    /* A rotation far below rounding changes nothing, and divides nothing by zero. */
    const double sizes[] = {1e-320, 1e-200, 1e-30};
    for (int i = 0; i < 3; i++) {
        motion.twist.angular = vec3(0, sizes[i], 0);
        pose = wit_motion_after(&motion, 2);
        assert_true(distance(pose.position, vec3(2, -4, 6)) < 8 * EPS && pose.rotation.w == 1);
    }
}

/* A full turn comes back, advanced along the axis: the helix in closed form. */
static void motion_after_a_full_turn_advances_by_the_pitch(void** state)
{
    (void)state;
    wit_motion motion = wit_motion_at_rest(wit_pose_identity());
    motion.pose.position = vec3(2, 0, 0);
    motion.twist.angular = vec3(0, 0, 2 * PI_NEAREST);
    motion.twist.velocity = vec3(0, 4 * PI_NEAREST, 0.5); /* about the z axis, half a unit up per turn */
    wit_pose quarter = wit_motion_after(&motion, 0.25), whole = wit_motion_after(&motion, 1);
    assert_true(distance(quarter.position, vec3(0, 2, 0.125)) < 16 * EPS);
    assert_true(distance(whole.position, vec3(2, 0, 0.5)) < 64 * EPS);
    assert_true(rotation_distance(whole.rotation, wit_pose_identity().rotation) < 8 * EPS);
}

static double random_angle(rng* r)
{
    switch (rng_int(r, 5)) {
    case 0:
        return 1e-9 * rng_double(r);
    case 1:
        return PI_NEAREST - 1e-9 * rng_double(r);
    case 2:
        return PI_NEAREST - pow(10, rng_range(r, -16, -1));
    case 3:
        return pow(10, rng_range(r, -300, 0));
    default:
        return rng_range(r, 0, PI_NEAREST);
    }
}

static void twist_between_leads_from_one_pose_to_the_other(void** state)
{
    (void)state;
    rng r = rng_seed(25);
    for (long i = campaign(200000); i > 0; i--) {
        double size = pow(10, rng_range(&r, -6, 6)), seconds = pow(10, rng_range(&r, -4, 2));
        wit_pose from = random_pose(&r, size), step = random_pose(&r, size);
        wit_vec3 axis = random_unit(&r);
        step.rotation = wit_quat_about(axis, random_angle(&r));
        wit_pose to = wit_pose_compose(&from, &step);
        if (rng_int(&r, 2)) to.rotation = (wit_quat){-to.rotation.w, -to.rotation.x, -to.rotation.y, -to.rotation.z};
        wit_motion motion = {from, wit_twist_between(&from, &to, seconds), true};
        wit_pose reached = wit_motion_after(&motion, seconds);
        /* Angles carry about 4 EPS; the screw's lever arm is up to pi/2 of the way, at most 4 sizes long. */
        assert_true(distance(reached.position, to.position) < 60 * EPS * size);
        assert_true(rotation_distance(reached.rotation, to.rotation) < 12 * EPS);
        assert_true(norm3(motion.twist.angular) * seconds <= PI_NEAREST * (1 + 8 * EPS));
    }
}

static void twist_between_finds_the_twist_again(void** state)
{
    (void)state;
    rng r = rng_seed(26);
    for (long i = campaign(200000); i > 0; i--) {
        double size = pow(10, rng_range(&r, -6, 6)), seconds = pow(10, rng_range(&r, -4, 2));
        double angle = random_angle(&r);
        if (angle > PI_NEAREST - 1e-12) continue; /* either way round is the shorter to rounding */
        wit_motion motion = wit_motion_at_rest(random_pose(&r, size));
        motion.twist.velocity = scale3(1 / seconds, random_vector(&r, size));
        motion.twist.angular = scale3(angle / seconds, random_unit(&r));
        wit_pose to = wit_motion_after(&motion, seconds);
        wit_twist found = wit_twist_between(&motion.pose, &to, seconds);
        assert_true(distance(found.angular, motion.twist.angular) * seconds < 20 * EPS);
        assert_true(distance(found.velocity, motion.twist.velocity) * seconds < 100 * EPS * size);
    }
}

static void twist_between_equal_poses_is_zero(void** state)
{
    (void)state;
    wit_pose pose = {{1e6, -2, 3}, {1, 0, 0, 0}};
    wit_twist twist = wit_twist_between(&pose, &pose, 1e-3);
    assert_true(norm3(twist.velocity) == 0 && norm3(twist.angular) == 0);
    wit_pose other = {{0, 0, 0}, {0, 1, 0, 0}};
    twist = wit_twist_between(&pose, &other, 0);
    assert_true(norm3(twist.velocity) == 0 && norm3(twist.angular) == 0);
    twist = wit_twist_between(&pose, &other, -2);
    assert_true(fabs(norm3(twist.angular) - PI_NEAREST / 2) < 4 * EPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose_check_tells_good_from_bad),
        cmocka_unit_test(pose_turns_about_the_axis_by_the_right_hand),
        cmocka_unit_test(pose_unpoint_undoes_point),
        cmocka_unit_test(pose_of_inexact_length_is_still_rigid),
        cmocka_unit_test(pose_composition_is_one_after_the_other),
        cmocka_unit_test(motion_after_follows_the_velocity_field),
        cmocka_unit_test(motion_after_without_rotation_is_a_straight_line),
        cmocka_unit_test(motion_after_a_full_turn_advances_by_the_pitch),
        cmocka_unit_test(twist_between_leads_from_one_pose_to_the_other),
        cmocka_unit_test(twist_between_finds_the_twist_again),
        cmocka_unit_test(twist_between_equal_poses_is_zero),
    };
    return cmocka_run_group_tests_name("pose", tests, NULL, NULL);
}
