/* SPDX-License-Identifier: MIT */
/* Motions of scenes: the twist is the derivative of the pose, paths pass through their poses, tables are read or refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../io/motion.h"
#include "../src/base/vec.h"
#include "campaign.h"
#include "random.h"

/* A scene of the sphere and of a capsule that moves so. Quotes are written '. */
static wit_scene* moving(const char* motion)
{
    char text[2048];
    snprintf(text, sizeof text,
             "{'format': 'witness-scene', 'version': 1, 'a': {'model': 'sphere.json'},"
             "'b': {'model': 'capsule.json', 'motion': %s}, 'rate': 1000, 'duration': 4}",
             motion);
    for (char* s = text; *s; s++) {
        if (*s == '\'') *s = '"';
    }
    wit_error e = {0};
    wit_scene* scene = wit_scene_read_text(text, strlen(text), "models", NULL, NULL, NULL, &e);
    if (!scene) fail_msg("%s\n%d:%d: %s: %s", motion, e.line, e.column, e.item, e.text);
    return scene;
}

static wit_motion at(const wit_scene* scene, double t)
{
    wit_motion m;
    assert_int_equal(wit_scene_motion(scene, 1, t, &m), WIT_OK);
    assert_true(m.twist_known);
    assert_int_equal(wit_pose_check(&m.pose), WIT_OK);
    return m;
}

static void parts_of(const wit_pose* p, double x[7])
{
    const double all[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                           p->rotation.x, p->rotation.y, p->rotation.z};
    memcpy(x, all, sizeof all);
}

/*
 * The twist by central differences of fifth order in time, f' = (8 (f1 - f-1) - (f2 - f-2)) / 12 h: with h = 1e-3 and
 * rates of some 1/s the error is h^4 f''''' / 30 = 1e-12 and 1e-16 / h = 1e-13 of rounding, times the size.
 */
static wit_twist differences(const wit_scene* scene, double t, double h)
{
    double x[5][7], d[7];
    for (int k = 0; k < 5; k++) {
        wit_motion m = at(scene, t + (k - 2) * h);
        parts_of(&m.pose, x[k]);
        double same = 0;
        for (int i = 3; i < 7; i++) same += x[k][i] * x[0][i];
        for (int i = 3; i < 7 && same < 0; i++) x[k][i] = -x[k][i];
    }
    for (int i = 0; i < 7; i++) d[i] = (8 * (x[3][i] - x[1][i]) - (x[4][i] - x[0][i])) / (12 * h);
    const double* q = x[2];
    wit_vec3 p = vec3(q[4], q[5], q[6]), dp = vec3(d[4], d[5], d[6]);
    wit_twist out = {vec3(d[0], d[1], d[2]), scale3(2, sub3(sub3(scale3(q[3], dp), scale3(d[3], p)), cross3(dp, p)))};
    return out;
}

static double check_derivative(const wit_scene* scene, double t)
{
    wit_motion m = at(scene, t);
    wit_twist d = differences(scene, t, 1e-3);
    double speed = 1 + norm3(m.twist.velocity), turn = 1 + norm3(m.twist.angular);
    double worst =
        fmax(norm3(sub3(d.velocity, m.twist.velocity)) / speed, norm3(sub3(d.angular, m.twist.angular)) / turn);
    if (!(worst < 1e-8)) fail_msg("t = %g: the derivative is off by %g", t, worst);
    return worst;
}

static const char* const motions[] = {
    "{'kind': 'still', 'pose': [1, 2, 3, 0.5, 0.5, 0.5, -0.5]}",
    "{'kind': 'twist', 'pose': [1, 2, 3, 0.5, 0.5, 0.5, -0.5], 'velocity': [3, -2, 1], 'angular': [1, -2, 0.5]}",
    "{'kind': 'twist', 'velocity': [3, -2, 1]}",
    "{'kind': 'helix', 'frame': {'origin': [1, 2, 3], 'x': [1, 1, 0], 'z': [1, 0, 2]}, 'radius': 5, 'rate': 2, 'rise': "
    "1.5, 'phase': 0.3, 'rotation': [0, 1, 0, 0], 'axis': [1, 2, 3], 'spin': -3, 'angle': 0.2}",
    "{'kind': 'spiral', 'radius': 0.05, 'growth': 0.7, 'rate': -2.5}",
    "{'kind': 'harmonic', 'pose': [5, 5, 11], 'waves': [{'amplitude': [3, 0, 0], 'rate': 2, 'phase': 1.57},"
    "{'amplitude': [0, 3, 1], 'rate': 3}], 'axis': [0, 1, 1], 'spin': 0.4,"
    "'turns': [{'amplitude': 0.7, 'rate': 2.2, 'phase': 1}, {'amplitude': 0.3, 'rate': 5}]}",
    "{'kind': 'rotate', 'pose': [4, -4, 12, 0.8, 0, 0.6, 0], 'point': [0, 1, 2], 'axis': [1, 0, 1], 'angle': 1, "
    "'rate': "
    "2}",
    "{'kind': 'keyframes', 'times': [-1, 1.5, 5], 'poses': [[0, 0, 0], [4, 5, 6, 0.5, 0.5, 0.5, 0.5],"
    "[1, 0, 2, 0, 0, 0.6, 0.8]]}",
    "{'kind': 'keyframes', 'interpolation': 'smooth', 'times': [-1, 1.5, 3, 5],"
    "'poses': [[0, 0, 0], [4, 5, 6, -0.8, 0, -0.6, 0], [1, 0, 2, 0.8, 0, 0.36, 0.48], [2, 1, 0]]}",
};
enum { MOTIONS = sizeof motions / sizeof motions[0] };

static void motion_twist_is_the_derivative_of_the_pose(void** state)
{
    (void)state;
    rng r = rng_seed(1);
    double worst = 0;
    for (int i = 0; i < MOTIONS; i++) {
        wit_scene* scene = moving(motions[i]);
        for (int k = 0; k < 200; k++) {
            double t = rng_range(&r, 0.01, 3.99);
            if (fabs(t - 1.5) < 0.01 || fabs(t - 3) < 0.01) continue; /* screws have corners in time */
            worst = fmax(worst, check_derivative(scene, t));
        }
        wit_scene_destroy(scene);
    }
    printf("largest difference of twist and central differences: %.2g\n", worst);
}

static void check_near(wit_vec3 a, wit_vec3 b, double tolerance)
{
    if (!(norm3(sub3(a, b)) <= tolerance)) fail_msg("(%g, %g, %g) is not (%g, %g, %g)", a.x, a.y, a.z, b.x, b.y, b.z);
}

/* The formulas of docs/format.md, one value of each by hand. */
static void motion_formulas_are_those_of_the_format(void** state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    wit_scene* s = moving("{'kind': 'helix', 'radius': 2, 'growth': 1, 'rate': 1.5707963267948966, 'rise': 3}");
    check_near(at(s, 1).pose.position, vec3(0, 3, 3), 1e-14);
    check_near(at(s, 2).pose.position, vec3(-4, 0, 6), 1e-14);
    wit_scene_destroy(s);
    s = moving(
        "{'kind': 'rotate', 'pose': [3, 0, 0], 'point': [1, 0, 0], 'axis': [0, 0, 7], 'rate': 1.5707963267948966}");
    wit_motion m = at(s, 1);
    check_near(m.pose.position, vec3(1, 2, 0), 1e-14);
    check_near(m.twist.velocity, vec3(-pi, 0, 0), 1e-14);
    check_near(wit_pose_vector(&m.pose, vec3(1, 0, 0)), vec3(0, 1, 0), 1e-15);
    wit_scene_destroy(s);
    s = moving("{'kind': 'twist', 'pose': [1, 0, 0], 'velocity': [0, 2, 0], 'angular': [0, 0, 1.5707963267948966]}");
    m = at(s, 2); /* the origin goes straight, whatever the rotation */
    check_near(m.pose.position, vec3(1, 4, 0), 0);
    check_near(wit_pose_vector(&m.pose, vec3(1, 0, 0)), vec3(-1, 0, 0), 1e-15);
    wit_scene_destroy(s);
    s = moving("{'kind': 'harmonic', 'pose': [1, 2, 3], 'waves': [{'amplitude': [4, 0, 0], 'rate': 2, 'phase': 0.5}]}");
    check_near(at(s, 1).pose.position, vec3(1 + 4 * sin(2.5), 2, 3), 1e-14);
    wit_scene_destroy(s);
}

static void motion_is_held_at_its_ends(void** state)
{
    (void)state;
    for (int smooth = 0; smooth < 2; smooth++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{'kind': 'keyframes', 'interpolation': '%s', 'times': [1, 2, 3.3], 'poses': [[0, 0, 0], [4, 0, 0], "
                 "[4, 5, 0]]}",
                 smooth ? "smooth" : "linear");
        wit_scene* s = moving(text);
        const double before[] = {-1e300, -5, 0, 0.999}, after[] = {3.301, 7, 1e300};
        for (int k = 0; k < 4; k++) {
            check_near(at(s, before[k]).pose.position, vec3(0, 0, 0), 0);
            check_near(at(s, before[k]).twist.velocity, vec3(0, 0, 0), 0);
        }
        for (int k = 0; k < 3; k++) {
            check_near(at(s, after[k]).pose.position, vec3(4, 5, 0), 0);
            check_near(at(s, after[k]).twist.velocity, vec3(0, 0, 0), 0);
        }
        check_near(at(s, 2).pose.position, vec3(4, 0, 0), 1e-15);
        /* At an end, and where rounding has carried the time over it, the path still moves. */
        assert_true(at(s, 3.3).twist.velocity.y > 3);
        assert_true(at(s, nextafter(3.3, 4)).twist.velocity.y > 3);
        assert_true(at(s, 1).twist.velocity.x > 3);
        wit_motion m;
        assert_int_equal(wit_scene_motion(s, 2, 0, &m), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_scene_motion(s, -1, 0, &m), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_scene_motion(s, 0, 0, NULL), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_scene_motion(NULL, 0, 0, &m), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_scene_motion(s, 0, NAN, &m), WIT_ERROR_NUMBER);
        assert_int_equal(wit_scene_motion(s, 0, INFINITY, &m), WIT_ERROR_NUMBER);
        wit_scene_destroy(s);
    }
    wit_scene* s = moving(motions[1]);
    wit_motion m = at(s, 1e300); /* a formula has no ends, but stays finite */
    assert_true(finite3(m.pose.position));
    wit_scene_destroy(s);
}

/* ---- paths ---------------------------------------------------------------------------------- */

static void random_path(rng* r, motion_path* path, memory_pool* pool, int count)
{
    memset(path, 0, sizeof *path);
    path->count = count;
    path->smooth = true;
    path->times = wi_memory_pool_take(pool, (size_t)count * sizeof *path->times);
    path->poses = wi_memory_pool_take(pool, (size_t)count * sizeof *path->poses);
    assert_true(path->times && path->poses);
    double t = rng_range(r, -5, 5);
    wit_quat q = {1, 0, 0, 0};
    for (int i = 0; i < count; i++, t += rng_range(r, 0.5, 1.5)) {
        wit_pose by = {{0, 0, 0},
                       wit_quat_about(vec3(rng_range(r, -1, 1), rng_range(r, -1, 1), 1), rng_range(r, -1, 1))};
        wit_pose now = {{0, 0, 0}, q};
        double sign = rng_int(r, 2) ? 1 : -1; /* q and -q are the same rotation */
        q = wit_pose_compose(&by, &now).rotation;
        path->times[i] = t;
        path->poses[i].position = vec3(rng_range(r, -9, 9), rng_range(r, -9, 9), rng_range(r, -9, 9));
        path->poses[i].rotation = (wit_quat){sign * q.w, sign * q.x, sign * q.y, sign * q.z};
    }
}

/* Smooth paths pass through their poses and have continuous speeds and accelerations. */
static void path_is_smooth_through_its_poses(void** state)
{
    (void)state;
    rng r = rng_seed(2);
    int tried = (int)campaign(2000), refused = 0;
    double worst = 0;
    for (int n = 0; n < tried; n++) {
        memory_pool pool = {.allocator = wi_memory_allocator(NULL)};
        motion_path path;
        int bad, count = 2 + rng_int(&r, 9);
        random_path(&r, &path, &pool, count);
        assert_true(wi_motion_path_prepare(&path, &pool, &bad));
        refused += bad >= 0;
        for (int i = 0; bad < 0 && i < count; i++) {
            wit_motion at_knot, left, right;
            double t = path.times[i], h = 1e-6;
            wi_motion_path_at(&path, t, &at_knot);
            check_near(at_knot.pose.position, path.poses[i].position, 1e-14);
            wit_quat p = at_knot.pose.rotation, q = path.poses[i].rotation;
            assert_true(fabs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z - 1) < 1e-14);
            if (i == 0 || i + 1 == count) continue;
            /* Second derivatives from both sides agree to h times the third ones: speeds change by some 1e2 per s^2. */
            wi_motion_path_at(&path, t - h, &left);
            wi_motion_path_at(&path, t + h, &right);
            wit_vec3 bend = sub3(sub3(right.twist.velocity, at_knot.twist.velocity),
                                 sub3(at_knot.twist.velocity, left.twist.velocity));
            wit_vec3 turn =
                sub3(sub3(right.twist.angular, at_knot.twist.angular), sub3(at_knot.twist.angular, left.twist.angular));
            worst = fmax(worst, fmax(norm3(bend), norm3(turn)) / h);
        }
        wi_memory_pool_free(&pool);
    }
    printf("%d paths, %d refused, largest step of an acceleration at a knot %.2g\n", tried, refused, worst);
    assert_true(refused < tried / 10);
    assert_true(worst < 1e-2);
}

/* A quarter turn in a thousandth of the time that the way back takes: the spline swings far out, to the other side. */
static void path_that_turns_too_far_is_refused(void** state)
{
    (void)state;
    memory_pool pool = {.allocator = wi_memory_allocator(NULL)};
    double times[] = {0, 0.001, 1};
    const double c = sqrt(0.5);
    wit_pose poses[] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{0, 0, 0}, {c, c, 0, 0}}, {{0, 0, 0}, {c, -c, 0, 0}}};
    motion_path path = {.count = 3, .times = times, .poses = poses, .smooth = true};
    int bad;
    assert_true(wi_motion_path_prepare(&path, &pool, &bad));
    wi_memory_pool_free(&pool);
    assert_int_equal(bad, 1);
}

/* ---- tables --------------------------------------------------------------------------------- */

typedef struct bad_table {
    const char* text;
    wit_status status;
    int line, column;
    const char *item, *why;
} bad_table;

#define HEAD "t,x,y,z,qw,qx,qy,qz\n"

static void table_is_refused_with_line_and_column(void** state)
{
    (void)state;
    static const bad_table rows[] = {
        {"", WIT_ERROR_SYNTAX, 1, 1, "header", "t,x,y,z,qw,qx,qy,qz"},
        {"0,1,2,3,1,0,0,0\n", WIT_ERROR_SYNTAX, 1, 1, "header", "header"},
        {"t,x,y,z,qw,qx,qy\n", WIT_ERROR_SYNTAX, 1, 1, "header", "header"},
        {"t,x,y,z,qw,qx,qy,qz,more\n", WIT_ERROR_SYNTAX, 1, 1, "header", "header"},
        {HEAD, WIT_ERROR_COUNT, 2, 1, "t", "no rows"},
        {HEAD "\n \n", WIT_ERROR_COUNT, 4, 1, "t", "no rows"},
        {HEAD "0,1,2,3,1,0,0,0\n1,1,two,3,1,0,0,0\n", WIT_ERROR_SYNTAX, 3, 5, "y", "found two"},
        {HEAD "0,1,2,nan,1,0,0,0\n", WIT_ERROR_SYNTAX, 2, 7, "z", "found nan"},
        {HEAD "0,1,2,3x,1,0,0,0\n", WIT_ERROR_SYNTAX, 2, 7, "z", "found 3x"},
        {HEAD "0,1,2,,1,0,0,0\n", WIT_ERROR_SYNTAX, 2, 7, "z", "found nothing"},
        {HEAD "0,1,2,1e999,1,0,0,0\n", WIT_ERROR_NUMBER, 2, 7, "z", "beyond"},
        {HEAD "0,1,2,3,1,0,0\n", WIT_ERROR_COUNT, 2, 14, "qz", "ends too early"},
        {HEAD "0,1,2,3,1,0,0,0,0\n", WIT_ERROR_COUNT, 2, 16, "qz", "too long"},
        {HEAD "0,1 2,3,1,0,0,0\n", WIT_ERROR_SYNTAX, 2, 5, "x", "comma"},
        {HEAD "0,1,2,3,1,0.1,0,0\n", WIT_ERROR_RANGE, 2, 9, "qw", "length 1"},
        {HEAD "0,1,2,3,1,0,0,0\n\n0,1,2,3,1,0,0,0", WIT_ERROR_RANGE, 4, 1, "t", "increase"},
        {HEAD "5,1,2,3,1,0,0,0\r\n4,1,2,3,1,0,0,0\r\n", WIT_ERROR_RANGE, 3, 1, "t", "increase"},
        {HEAD "2e9,1,2,3,1,0,0,0\n", WIT_ERROR_NUMBER, 2, 1, "t", "1e9"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        memory_pool pool = {.allocator = wi_memory_allocator(NULL)};
        motion_path path = {0};
        wit_error e = {0};
        /* In memory of its own size, so that a byte read beyond it is seen. */
        size_t n = strlen(rows[i].text);
        char* text = malloc(n + 1);
        assert_non_null(text);
        memcpy(text, rows[i].text, n);
        wit_status status = wi_motion_table_read(&path, text, n, &pool, &e);
        if (status != rows[i].status || e.status != status || e.line != rows[i].line || e.column != rows[i].column ||
            strcmp(e.item, rows[i].item) != 0 || !strstr(e.text, rows[i].why))
            fail_msg("%s\n-> %s %d:%d: %s: %s\nexpected %s %d:%d: %s: ..%s..", rows[i].text, wit_status_name(status),
                     e.line, e.column, e.item, e.text, wit_status_name(rows[i].status), rows[i].line, rows[i].column,
                     rows[i].item, rows[i].why);
        assert_int_equal(wi_motion_table_read(&path, text, n, &pool, NULL), status);
        free(text);
        wi_memory_pool_free(&pool);
    }
}

static void table_is_read_as_written(void** state)
{
    (void)state;
    static const char text[] = " t , x,y,z,qw,qx,qy,qz\r\n0,1,2,3,1,0,0,0\r\n\r\n 0.5 ,-1e1, 2.5,0,0.6001,0.8,0,0";
    memory_pool pool = {.allocator = wi_memory_allocator(NULL)};
    motion_path path = {0};
    wit_error e = {0};
    if (wi_motion_table_read(&path, text, sizeof text - 1, &pool, &e)) fail_msg("%d:%d: %s", e.line, e.column, e.text);
    assert_int_equal(path.count, 2);
    assert_true(path.times[0] == 0 && path.times[1] == 0.5);
    assert_true(path.poses[1].position.x == -10 && path.poses[1].position.y == 2.5);
    assert_int_equal(wit_pose_check(&path.poses[1]), WIT_OK); /* made of unit length */
    wi_memory_pool_free(&pool);
}

/* Over random intervals: no twist within exceeds the bounds, and no change of it divided by the time between. */
static void bounds_hold_at_all_times(void** state)
{
    (void)state;
    rng r = rng_seed(170);
    for (size_t k = 0; k < sizeof motions / sizeof motions[0]; k++) {
        wit_scene* s = moving(motions[k]);
        for (long i = 0; i < campaign(20000); i++) {
            double from = rng_range(&r, -2, 6), to = from + pow(10, rng_range(&r, -4, 0.7));
            wit_motion_bounds b;
            assert_int_equal(wit_scene_motion_bounds(s, 1, from, to, &b), WIT_OK);
            double t0 = rng_range(&r, from, to), t1 = rng_range(&r, from, to);
            wit_motion m0 = at(s, t0), m1 = at(s, t1);
            assert_true(norm3(m0.twist.velocity) <= b.velocity * (1 + 1e-9) + 1e-12);
            assert_true(norm3(m0.twist.angular) <= b.angular * (1 + 1e-9) + 1e-12);
            double dt = fabs(t1 - t0), dv = norm3(sub3(m1.twist.velocity, m0.twist.velocity)),
                   dw = norm3(sub3(m1.twist.angular, m0.twist.angular));
            if (dv > b.acceleration * dt * (1 + 1e-9) + 1e-9 || dw > b.angular_acceleration * dt * (1 + 1e-9) + 1e-9)
                fail_msg("%s: %g .. %g", motions[k], from, to);
        }
        wit_scene_destroy(s);
    }
    wit_scene* s = moving(motions[0]);
    wit_motion_bounds b;
    assert_int_equal(wit_scene_motion_bounds(s, 2, 0, 1, &b), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_scene_motion_bounds(s, 1, 0, NAN, &b), WIT_ERROR_NUMBER);
    assert_int_equal(wit_scene_motion_bounds(s, 1, 1, 0, &b), WIT_ERROR_RANGE);
    wit_scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motion_twist_is_the_derivative_of_the_pose),
        cmocka_unit_test(motion_formulas_are_those_of_the_format),
        cmocka_unit_test(motion_is_held_at_its_ends),
        cmocka_unit_test(bounds_hold_at_all_times),
        cmocka_unit_test(path_is_smooth_through_its_poses),
        cmocka_unit_test(path_that_turns_too_far_is_refused),
        cmocka_unit_test(table_is_refused_with_line_and_column),
        cmocka_unit_test(table_is_read_as_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
