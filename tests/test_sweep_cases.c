/* SPDX-License-Identifier: MIT */
/*
 * Sweeps at their limits: passes that graze by 1e-9 of the size either way, motions of the caller's with bounds, starts inside, no
 * motion, hundreds of turns, bodies that move together, points through sheets and into solids, budgets too small, what is refused.
 */
#include <stdlib.h>

#include "../include/witness/sweep.h"
#include "analytic.h"
#include "convex_solids.h"

static wit_query* query;

static int begin(void** state)
{
    (void)state;
    query = wit_query_create(NULL, NULL, NULL);
    return query ? 0 : -1;
}

static int end(void** state)
{
    (void)state;
    wit_query_destroy(query);
    return 0;
}

static wit_impact first(const wit_sweep_def* d)
{
    wit_impact hit;
    wit_error error = {0};
    wit_status status = wit_sweep_first(query, d, &hit, &error);
    if (status) fail_msg("%s: %s", error.item, error.text);
    assert_true(hit.work.units <= d->budget);
    assert_true(hit.certified == (hit.reason == WIT_REASON_NONE));
    return hit;
}

static wit_least least(const wit_sweep_def* d)
{
    wit_least l;
    wit_error error = {0};
    wit_status status = wit_sweep_least(query, d, &l, &error);
    if (status) fail_msg("%s: %s", error.item, error.text);
    if (l.work.units > d->budget) fail_msg("%ld units of %ld", (long)l.work.units, (long)d->budget);
    assert_true(l.lower_bound <= l.upper_bound);
    return l;
}

static wit_body* solid(wit_solid_kind kind, double size)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = d.size_y = d.size_z = d.radius = d.height = size;
    d.radius2 = 0.25 * size;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_motion moving(wit_vec3 position, wit_vec3 velocity, wit_vec3 angular)
{
    wit_motion m = wit_motion_at_rest(wit_pose_identity());
    m.pose.position = position;
    m.twist.velocity = velocity;
    m.twist.angular = angular;
    return m;
}

/* Certified within 1e-9 s, but where it comes down so slowly that rounding takes longer. */
static bool reached(const wit_impact* hit, double deep)
{
    bool narrow =
        hit->certified || (deep < 1e-5 && hit->reason == WIT_REASON_ROUNDING && hit->time.hi - hit->time.lo < 1e-7);
    return hit->outcome == WIT_SWEEP_REACHED && narrow;
}

/* ---- grazing -------------------------------------------------------------------------------- */

/* A ball passes a ball (or a ball under a plane of a box, a cylinder's side, a half-space) by `miss` radii. */
static void grazes(const wit_body* a, double height, double radius, double miss, wit_vec3 spin, const char* what)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = radius;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    wit_sweep_def s = wit_sweep_default_def();
    double speed = 3 * radius;
    wit_motion m = moving(vec3(-1.03 * speed, 0, height + radius * (1 + miss)), vec3(speed, 0, 0), spin);
    if (norm3(spin) > 0) m.twist.velocity = vec3(speed, 0, 0);
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_screw(b, 0, &m);
    s.to = 2;
    wit_impact hit = first(&s);
    if (miss > 0 ? hit.outcome != WIT_SWEEP_CLEAR : !reached(&hit, -miss))
        fail_msg("%s, miss %g: %s, %s, at %.12g .. %.12g after %ld queries", what, miss,
                 wit_sweep_outcome_name(hit.outcome), wit_reason_name(hit.reason), hit.time.lo, hit.time.hi,
                 (long)hit.queries);
    if (hit.queries > 400 && strcmp(what, "torus") != 0)
        fail_msg("%s, miss %g: %ld queries", what, miss, (long)hit.queries);
    wit_body_destroy(b);
}

static void passes_that_graze_are_decided(void** state)
{
    (void)state;
    static const double scales[] = {1e-3, 1, 1e3};
    for (int k = 0; k < 3; ++k) {
        double size = scales[k];
        wit_body *sphere = solid(WIT_SOLID_SPHERE, size), *box = solid(WIT_SOLID_BOX, 2 * size),
                 *half = solid(WIT_SOLID_HALF_SPACE, 1), *torus = solid(WIT_SOLID_TORUS, size);
        wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
        d.size_x = 2 * size, d.size_y = 0.7 * size, d.size_z = 0.5 * size;
        wit_body* egg = wit_solid_create(&d, NULL, NULL);
        for (double miss = 1e-3; miss > 0.9e-9; miss /= 10)
            for (int sign = -1; sign <= 1; sign += 2) {
                wit_vec3 none = {0, 0, 0};
                grazes(sphere, size, size, sign * miss, none, "sphere");
                grazes(sphere, size, 0.1 * size, sign * miss, none, "small sphere");
                grazes(box, size, size, sign * miss, none, "box");
                grazes(half, 0, size, sign * miss, none, "half-space");
                grazes(egg, 0.5 * size, size, sign * miss, none, "ellipsoid");
                /* over the hole the ball is inside the hull: first order only, and ever more queries */
                if (miss > 0.9e-5) grazes(torus, 0.25 * size, 0.4 * size, sign * miss, none, "torus");
            }
        wit_body_destroy(sphere);
        wit_body_destroy(box);
        wit_body_destroy(half);
        wit_body_destroy(torus);
        wit_body_destroy(egg);
    }
}

/* A box turns about z, and its corners pass a wall by 1e-9: their circle has the radius sqrt(2). */
static void corners_that_turn_past_a_wall_are_decided(void** state)
{
    (void)state;
    wit_body *box = solid(WIT_SOLID_BOX, 2), *wall = solid(WIT_SOLID_BOX, 4);
    for (double miss = 1e-3; miss > 0.9e-9; miss /= 10)
        for (int sign = -1; sign <= 1; sign += 2) {
            wit_sweep_def s = wit_sweep_default_def();
            wit_motion turn = moving(vec3(0, 0, 0.1), vec3(0, 0, 0), vec3(0, 0, 2.5));
            wit_pose at = wit_pose_identity();
            at.position = vec3(2 + sqrt(2) + sign * miss, 0.3, 0);
            s.a = wit_moving_screw(box, 0, &turn);
            s.b = wit_moving_still(wall, at);
            s.to = 1;
            wit_impact hit = first(&s);
            if (sign < 0) {
                /* the corner at 45 degrees comes to cos(angle) sqrt(2) = sqrt(2) - miss */
                double angle = 0.78539816339744830962 - acos(1 - miss / sqrt(2));
                if (!reached(&hit, miss))
                    fail_msg("miss %g: %s, %s at %.12g, %.12g", miss, wit_sweep_outcome_name(hit.outcome),
                             wit_reason_name(hit.reason), hit.time.hi, angle / 2.5);
                /* from the corner at -45 degrees */
                if (fabs(hit.time.hi - angle / 2.5) > 1e-9 + 1e-7 * sqrt(1e-9 / miss))
                    fail_msg("miss %g: %.12g, not %.12g", miss, hit.time.hi, angle / 2.5);
            } else if (hit.outcome != WIT_SWEEP_CLEAR) {
                fail_msg("miss %g: %s at %.12g", miss, wit_sweep_outcome_name(hit.outcome), hit.time.hi);
            }
        }
    wit_body_destroy(box);
    wit_body_destroy(wall);
}

/* ---- the ends of what there is --------------------------------------------------------------- */

static void a_start_inside_is_said(void** state)
{
    (void)state;
    wit_body *a = solid(WIT_SOLID_BOX, 2), *b = solid(WIT_SOLID_CYLINDER, 1);
    wit_motion m = moving(vec3(0.5, 0, 0), vec3(10, 1, 0), vec3(1, 2, 3));
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_screw(b, 0, &m);
    s.from = 0, s.to = 1;
    wit_impact hit = first(&s);
    assert_int_equal(hit.outcome, WIT_SWEEP_REACHED);
    assert_true(hit.at_start && hit.certified && hit.time.lo == 0 && hit.time.hi == 0);
    assert_true(hit.closest.distance < 0);
    wit_least l = least(&s);
    assert_true(l.touched && l.certified && l.upper_bound == 0 && l.lower_bound == 0);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

static void no_motion_is_one_moment(void** state)
{
    (void)state;
    wit_body *a = solid(WIT_SOLID_BOX, 2), *b = solid(WIT_SOLID_CAPSULE, 1);
    wit_sweep_def s = wit_sweep_default_def();
    wit_pose at = wit_pose_identity();
    at.position = vec3(5, 0.2, 0.1);
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_still(b, at);
    for (int k = 0; k < 2; ++k) {
        s.to = k ? 1e9 : 0;
        wit_impact hit = first(&s);
        assert_int_equal(hit.outcome, WIT_SWEEP_CLEAR);
        assert_true(hit.certified && hit.queries <= 2 && fabs(hit.lower_bound - 3) < 1e-9);
        wit_least l = least(&s);
        assert_true(l.certified && fabs(l.upper_bound - 3) < 1e-9 && l.queries <= 2);
    }
    /* touching from the start, and for ever: never proved to overlap */
    s.b.motion.pose.position.x = 2;
    wit_impact hit = first(&s);
    assert_true(hit.outcome == WIT_SWEEP_TOUCHING || hit.outcome == WIT_SWEEP_OPEN);
    assert_true(hit.time.lo == 0 && hit.time.hi == 0 && !hit.certified && hit.queries <= 2);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* The bodies go round together a thousand times: nothing between them moves. */
static void bodies_that_move_together_stay_apart(void** state)
{
    (void)state;
    wit_body *a = solid(WIT_SOLID_BOX, 2), *b = solid(WIT_SOLID_CYLINDER, 1);
    wit_motion m = moving(vec3(0, 0, 0), vec3(1, -2, 0.5), vec3(30, 20, 10)), n = m;
    n.pose.position = vec3(3, 0.1, 0.2);
    n.twist.velocity = wit_motion_velocity(&m, n.pose.position);
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_screw(a, 0, &m);
    s.b = wit_moving_screw(b, 0, &n);
    s.to = 100;
    wit_impact hit = first(&s);
    assert_int_equal(hit.outcome, WIT_SWEEP_CLEAR);
    assert_true(hit.queries < 20 && hit.lower_bound > 0.9);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* A bar turns 200 times in a second while a ball comes nearer: it is hit within the turn in which it comes into reach. */
static void many_turns_are_counted(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = 4, d.size_y = 0.2, d.size_z = 0.2;
    wit_body *bar = wit_solid_create(&d, NULL, NULL), *b = solid(WIT_SOLID_SPHERE, 0.5);
    double rate = 200 * 2 * 3.14159265358979323846;
    wit_motion turn = moving(vec3(0, 0, 0), vec3(0, 0, 0), vec3(0, 0, rate)),
               come = moving(vec3(10, 0, 0), vec3(-8, 0, 0), vec3(0, 0, 0));
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_screw(bar, 0, &turn);
    s.b = wit_moving_screw(b, 0, &come);
    s.to = 1;
    wit_impact hit = first(&s);
    assert_int_equal(hit.outcome, WIT_SWEEP_REACHED);
    assert_true(hit.certified);
    /* the corner reaches hypot(2, 0.1): in reach from x = 0.5 + that on; an end comes by every half turn */
    double in_reach = (10 - 0.5 - hypot(2, 0.1)) / 8;
    assert_true(hit.time.lo > in_reach - 1e-9 && hit.time.hi < in_reach + 0.5 / 200);
    /* out of reach: balls tell that without a query per turn */
    s.to = in_reach - 0.01;
    hit = first(&s);
    assert_int_equal(hit.outcome, WIT_SWEEP_CLEAR);
    assert_true(hit.queries < 200);
    wit_body_destroy(bar);
    wit_body_destroy(b);
}

/* ---- points and sheets ----------------------------------------------------------------------- */

static void points_are_swept_with_their_sign(void** state)
{
    (void)state;
    wit_body* a = solid(WIT_SOLID_SPHERE, 1);
    wit_motion m = moving(vec3(-3, 0.25, 0), vec3(2, 0, 0), vec3(0, 0, 0));
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_screw(NULL, 0, &m);
    s.to = 3;
    static const double levels[] = {0.5, 0, -0.25, -0.74, -0.76};
    for (int k = 0; k < 5; ++k) {
        s.threshold = levels[k];
        wit_impact hit = first(&s);
        double radius = 1 + levels[k];
        if (radius < 0.25) {
            assert_int_equal(hit.outcome, WIT_SWEEP_CLEAR);
            continue;
        }
        double t = (3 - sqrt(radius * radius - 0.0625)) / 2;
        assert_int_equal(hit.outcome, WIT_SWEEP_REACHED);
        assert_true(hit.certified && hit.time.lo <= t + 1e-12 && hit.time.hi >= t - 1e-12);
    }
    wit_least l = least(&s);
    assert_true(l.certified && fabs(l.upper_bound + 0.75) < 1e-8 && fabs(l.time - 1.5) < 1e-3);
    wit_body_destroy(a);
}

/* Through a plate of no thickness between two moments: it is met, whichever side is looked at. */
static void a_point_through_a_sheet_is_seen(void** state)
{
    (void)state;
    static const wit_body_kind kinds[] = {WIT_BODY_SHEET, WIT_BODY_SHEET2};
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = iv(-1, 1);
    wit_surface* plane = wit_surface_create(&sd, NULL, NULL);
    assert_non_null(plane);
    for (int k = 0; k < 2; ++k) {
        wit_face_def face = {.surface = plane};
        wit_body_def bd = wit_body_default_def(kinds[k]);
        bd.face_count = 1;
        bd.faces = &face;
        wit_body* a = wit_body_create(&bd, NULL, NULL);
        assert_non_null(a);
        for (int up = -1; up <= 1; up += 2) {
            wit_motion m = moving(vec3(0.1, 0.2, -up), vec3(0.3, 0.1, 3.7 * up), vec3(0, 0, 0));
            wit_sweep_def s = wit_sweep_default_def();
            s.a = wit_moving_still(a, wit_pose_identity());
            s.b = wit_moving_screw(NULL, 0, &m);
            s.to = 1;
            wit_impact hit = first(&s);
            /* at one instant only: nothing proves a point to be at zero */
            assert_int_equal(hit.outcome, WIT_SWEEP_TOUCHING);
            assert_true(hit.time.lo <= 1 / 3.7 && hit.time.hi >= 1 / 3.7 - 1e-9 && hit.time.hi - hit.time.lo < 2e-9);
            s.threshold = 0.37;
            hit = first(&s);
            assert_true(hit.certified && fabs(hit.time.hi - 0.63 / 3.7) < 2e-9);
            /* round the border, to the other side: no touch */
            m.pose.position.x = m.twist.velocity.x = 0;
            s.b = wit_moving_screw(NULL, 0, &m);
            s.b.motion.pose.position.x = 1.5;
            s.threshold = 0;
            hit = first(&s);
            assert_int_equal(hit.outcome, WIT_SWEEP_CLEAR);
            assert_true(fabs(least(&s).upper_bound - 0.5) < 1e-6);
        }
        wit_body_destroy(a);
    }
    wit_surface_destroy(plane);
}

/* ---- motions of the caller's ------------------------------------------------------------------ */

/* x = 4 cos(w t): down to -4 and back. */
static wit_status swing_at(const void* user, double t, wit_motion* out)
{
    double w = *(const double*)user;
    *out = wit_motion_at_rest(wit_pose_identity());
    out->pose.position.x = 4 * cos(w * t);
    out->twist.velocity.x = -4 * w * sin(w * t);
    return WIT_OK;
}

static wit_status swing_bounds(const void* user, double from, double to, wit_motion_bounds* out)
{
    double w = *(const double*)user;
    (void)from, (void)to;
    *out = (wit_motion_bounds){4 * w, 0, 4 * w * w, 0};
    return WIT_OK;
}

static wit_status swing_slow_bounds(const void* user, double from, double to, wit_motion_bounds* out)
{
    swing_bounds(user, from, to, out);
    out->acceleration = out->angular_acceleration = INFINITY;
    return WIT_OK;
}

static wit_status bad_bounds(const void* user, double from, double to, wit_motion_bounds* out)
{
    swing_bounds(user, from, to, out);
    out->velocity = NAN;
    return WIT_OK;
}

static void own_motions_are_followed(void** state)
{
    (void)state;
    double w = 3;
    wit_body *a = solid(WIT_SOLID_SPHERE, 1), *b = solid(WIT_SOLID_SPHERE, 0.5);
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_still(b, wit_pose_identity());
    s.b.at = swing_at;
    s.b.bounds = swing_bounds;
    s.b.user = &w;
    s.to = 1;
    double t = acos(1.5 / 4) / w;
    for (int k = 0; k < 2; ++k) {
        wit_impact hit = first(&s);
        assert_int_equal(hit.outcome, WIT_SWEEP_REACHED);
        assert_true(hit.certified && hit.time.lo <= t + 1e-12 && hit.time.hi >= t - 1e-12);
        assert_true(fabs(hit.rate + 4 * w * sin(w * t)) < 1e-6);
        s.b.bounds = swing_slow_bounds; /* no acceleration known: the same, with more intervals */
    }
    /* swings by, 1e-9 beside: the least is at the middle */
    s.b.bounds = swing_bounds;
    s.a.motion.pose.position.y = 1.5 + 1e-6;
    wit_least l = least(&s);
    assert_true(l.certified && fabs(l.upper_bound - 1e-6) < 3e-9 && fabs(l.time - acos(0) / w) < 1e-3);
    s.b.bounds = bad_bounds;
    wit_impact hit;
    assert_int_equal(wit_sweep_first(query, &s, &hit, NULL), WIT_ERROR_NUMBER);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* ---- budgets and refusals ---------------------------------------------------------------------- */

static void small_budgets_are_honest(void** state)
{
    (void)state;
    wit_body *a = solid(WIT_SOLID_TORUS, 2), *b = solid(WIT_SOLID_CONE, 1);
    wit_motion m = moving(vec3(-6, 0.3, 0.2), vec3(7, 0, 0), vec3(3, 0.2, 0.1));
    wit_sweep_def s = wit_sweep_default_def();
    s.a = wit_moving_still(a, wit_pose_identity());
    s.b = wit_moving_screw(b, 0, &m);
    s.to = 2;
    wit_impact full = first(&s);
    assert_int_equal(full.outcome, WIT_SWEEP_REACHED);
    assert_true(full.certified);
    int open = 0;
    for (int64_t budget = 64; budget < 3 * full.work.units; budget += budget / 3) {
        s.budget = budget;
        wit_impact hit = first(&s);
        assert_true(hit.outcome != WIT_SWEEP_CLEAR);
        assert_true(hit.time.lo <= full.time.hi);
        if (hit.outcome == WIT_SWEEP_REACHED) assert_true(hit.time.hi >= full.time.lo);
        if (hit.certified) assert_true(fabs(hit.time.hi - full.time.hi) < 3e-9);
        open += !hit.certified;
        wit_least l = least(&s);
        assert_true(l.lower_bound <= 0);
    }
    assert_true(open > 3);
    wit_query_def asked = wit_query_default_def();
    asked.tolerance = 1e-5;
    wit_query* own = wit_query_create(&asked, NULL, NULL);
    wit_impact hit;
    s.budget = 20000000;
    assert_int_equal(wit_sweep_first(own, &s, &hit, NULL), WIT_OK);
    assert_true(hit.time.lo == full.time.lo &&
                hit.time.hi == full.time.hi); /* the query's own settings are left alone */
    wit_query_destroy(own);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

static void bad_calls_are_refused(void** state)
{
    (void)state;
    wit_body* a = solid(WIT_SOLID_BOX, 2);
    wit_sweep_def good = wit_sweep_default_def(), s;
    wit_impact hit;
    wit_least l;
    wit_error error;
    good.a = wit_moving_still(a, wit_pose_identity());
    good.b = wit_moving_still(a, wit_pose_identity());
    good.to = 1;
    assert_int_equal(wit_sweep_first(NULL, &good, &hit, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_sweep_first(query, NULL, &hit, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_sweep_first(query, &good, NULL, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_sweep_least(query, &good, NULL, NULL), WIT_ERROR_ARGUMENT);
#define REFUSED(change, status, field)                                                                                 \
    do {                                                                                                               \
        s = good;                                                                                                      \
        change;                                                                                                        \
        assert_int_equal(wit_sweep_first(query, &s, &hit, &error), status);                                            \
        assert_string_equal(error.item, field);                                                                        \
        assert_int_equal(wit_sweep_least(query, &s, &l, &error), status);                                              \
    } while (0)
    REFUSED(s.struct_size = 1, WIT_ERROR_ARGUMENT, "struct_size");
    REFUSED(s.a.body = NULL, WIT_ERROR_ARGUMENT, "a");
    REFUSED(s.b.at = swing_at, WIT_ERROR_ARGUMENT, "b");
    REFUSED(s.to = -1, WIT_ERROR_RANGE, "to");
    REFUSED(s.to = NAN, WIT_ERROR_RANGE, "to");
    REFUSED(s.time_tolerance = 0, WIT_ERROR_RANGE, "time_tolerance");
    REFUSED(s.threshold = -1, WIT_ERROR_RANGE, "threshold");
    REFUSED(s.tolerance = 2, WIT_ERROR_RANGE, "tolerance");
    REFUSED(s.budget = 63, WIT_ERROR_RANGE, "budget");
    REFUSED(s.a.motion.pose.position.x = NAN, WIT_ERROR_NUMBER, "a");
    REFUSED(s.b.motion.pose.rotation.w = 2, WIT_ERROR_RANGE, "b");
    REFUSED(s.b.motion.twist.angular.z = INFINITY, WIT_ERROR_NUMBER, "b");
    REFUSED((s.b.motion.twist.velocity.z = 1e13, s.b.motion.pose.position.x = 9), WIT_ERROR_NUMBER, "");
#undef REFUSED
    wit_body_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_that_graze_are_decided),
        cmocka_unit_test(corners_that_turn_past_a_wall_are_decided),
        cmocka_unit_test(a_start_inside_is_said),
        cmocka_unit_test(no_motion_is_one_moment),
        cmocka_unit_test(bodies_that_move_together_stay_apart),
        cmocka_unit_test(many_turns_are_counted),
        cmocka_unit_test(points_are_swept_with_their_sign),
        cmocka_unit_test(a_point_through_a_sheet_is_seen),
        cmocka_unit_test(own_motions_are_followed),
        cmocka_unit_test(small_budgets_are_honest),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
