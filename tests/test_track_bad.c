/* SPDX-License-Identifier: MIT */
/* What no step should be asked: refused or flagged, and afterwards the tracker works as a fresh one does. */
#include <stdlib.h>

#include "campaign.h"
#include "track_paths.h"

typedef struct pair {
    wit_body *a, *b; /* b null: a point */
    double size;
} pair;

/* 0: a point and an ellipsoid; 1: two ellipsoids; 2: a point and a box; 3: two boxes. */
enum { PAIRS = 4 };

static wit_body* box_of(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x, d.size_y = y, d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static pair pair_make(int which)
{
    pair p = {0};
    p.a = which < 2 ? track_ellipsoid(vec3(1, 1.5, 0.75), false) : box_of(2, 3, 1.5);
    if (which == 1) p.b = track_ellipsoid(vec3(0.5, 1, 1), false);
    if (which == 3) p.b = box_of(1, 1, 2);
    p.size = track_size(p.a, p.b);
    return p;
}

static void pair_drop(pair* p)
{
    wit_body_destroy(p->a);
    if (p->b) wit_body_destroy(p->b);
}

/* A smooth motion that keeps them apart. */
static void good_motion(double t, wit_motion* a, wit_motion* b)
{
    double s, c;
    wit_sincos(t, &s, &c);
    *a = wit_motion_at_rest(wit_pose_identity());
    *b = *a;
    b->pose.position = vec3(4 * c, 4 * s, 0.3);
    b->twist.velocity = vec3(-4 * s, 4 * c, 0);
}

static void warm_up(wit_tracker* t, double* time, wit_result* out)
{
    for (int k = 0; k < 10; k++, *time += 1e-3) {
        wit_motion a, b;
        good_motion(*time, &a, &b);
        assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, out), WIT_OK);
    }
}

/* Some good steps, then as a fresh tracker. */
static void works_again(const pair* p, wit_tracker* t, double* time, const char* what)
{
    wit_result r, s;
    warm_up(t, time, &r);
    wit_tracker* fresh = track_start(p->a, p->b, NULL);
    *time -= 1e-3;
    wit_motion a, b;
    good_motion(*time, &a, &b);
    assert_int_equal(wit_tracker_step(fresh, &a, &b, 1e-3, &s), WIT_OK);
    *time += 1e-3;
    double scale = fmax(s.distance, p->size);
    if (!(fabs(r.distance - s.distance) <= 1e-12 * scale))
        print_error("after %s: %.17g, a fresh tracker %.17g\n", what, r.distance, s.distance);
    assert_true(fabs(r.distance - s.distance) <= 1e-12 * scale);
    assert_true(track_result_fits(&r, 1e-12 * scale));
    if (r.outcome != WIT_OUTCOME_CONVERGED)
        print_error("after %s: ended %s, flags %#x, residual %g at t = %g\n", what, wit_outcome_name(r.outcome),
                    r.flags, r.residual, *time);
    assert_int_equal(r.outcome, WIT_OUTCOME_CONVERGED);
    wit_tracker_destroy(fresh);
}

/* ---- refused ---------------------------------------------------------------------------------- */

enum { REFUSED = 16 };

static wit_status bad_call(wit_tracker* t, int which, double time, wit_result* r)
{
    wit_motion a, b;
    double dt = 1e-3;
    good_motion(time, &a, &b);
    switch (which) {
    case 0:
        a.pose.position.x = NAN;
        break;
    case 1:
        b.pose.position.y = INFINITY;
        break;
    case 2:
        a.pose.rotation.w = NAN;
        break;
    case 3:
        b.pose.position.z = -INFINITY;
        break;
    case 4:
        a.pose.rotation.w = 2;
        break;
    case 5:
        a.pose.rotation = (wit_quat){0, 0, 0, 0};
        break;
    case 6:
        dt = 0;
        break;
    case 7:
        dt = -1e-3;
        break;
    case 8:
        dt = NAN;
        break;
    case 9:
        dt = INFINITY;
        break;
    case 10:
        a.twist.velocity.x = NAN;
        break;
    case 11:
        b.twist.velocity.z = INFINITY;
        break;
    case 12:
        a.twist.angular.y = -INFINITY;
        break;
    case 13:
        b.pose.position.x = 1e300;
        break;
    case 14:
        return wit_tracker_step(t, NULL, &b, dt, r);
    default:
        return wit_tracker_step(t, &a, &b, dt, NULL);
    }
    return wit_tracker_step(t, &a, &b, dt, r);
}

static void bad_calls_are_refused_and_change_nothing(void** state)
{
    (void)state;
    for (int which = 0; which < PAIRS; which++) {
        pair p = pair_make(which);
        size_t bytes;
        void* memory;
        wit_tracker* t = track_start_in(&memory, &bytes, p.a, p.b);
        void* before = test_malloc(bytes);
        double time = 0;
        wit_result r, kept;
        warm_up(t, &time, &r);
        for (int bad = 0; bad < REFUSED; bad++) {
            memset(&kept, 0x5a, sizeof kept);
            wit_result out = kept;
            memcpy(before, memory, bytes);
            wit_status status = bad_call(t, bad, time, &out);
            if (status == WIT_OK) print_error("bad call %d was taken\n", bad);
            assert_int_not_equal(status, WIT_OK);
            assert_memory_equal(before, memory, bytes);
            assert_memory_equal(&kept, &out, sizeof out);
        }
        assert_int_not_equal(wit_tracker_step(NULL, NULL, NULL, 1, &r), WIT_OK);
        works_again(&p, t, &time, "refusals");
        test_free(before);
        test_free(memory);
        pair_drop(&p);
    }
}

/* A refused first step leaves a tracker that starts as if it had never come. */
static void a_refused_first_step_is_none(void** state)
{
    (void)state;
    for (int which = 0; which < PAIRS; which++) {
        pair p = pair_make(which);
        wit_tracker* t = track_start(p.a, p.b, NULL);
        wit_result r;
        for (int bad = 0; bad < REFUSED; bad++) assert_int_not_equal(bad_call(t, bad, 0, &r), WIT_OK);
        double time = 0;
        works_again(&p, t, &time, "refused first steps");
        wit_tracker_destroy(t);
        pair_drop(&p);
    }
}

/* ---- taken, and survived ---------------------------------------------------------------------- */

enum { ODD = 12 };
static const char* const odd_names[ODD] = {
    "a jump across the body",
    "a jump far away",
    "a jump into the middle",
    "speeds 1e6 too high",
    "turning 1e6 too fast",
    "a twist of 1e300",
    "an angular of 1e300",
    "the wrong sign of speed",
    "dt of 1e-300",
    "dt of 1e300",
    "a half turn",
    "a twist left unknown",
};

static void odd_motion(int which, double time, wit_motion* a, wit_motion* b, double* dt)
{
    good_motion(time, a, b);
    *dt = 1e-3;
    switch (which) {
    case 0:
        b->pose.position = scale3(-1, b->pose.position);
        break;
    case 1:
        b->pose.position = vec3(1e5, -1e5, 3);
        break;
    case 2:
        b->pose.position = vec3(1e-3, 2e-3, -1e-3);
        break;
    case 3:
        b->twist.velocity = scale3(1e6, b->twist.velocity);
        break;
    case 4:
        b->twist.angular = a->twist.angular = vec3(1e6, -2e6, 1e6);
        break;
    case 5:
        b->twist.velocity = vec3(1e300, -1e300, 1e300);
        break;
    case 6:
        b->twist.angular = a->twist.angular = vec3(1e300, 1e300, -1e300);
        break;
    case 7:
        b->twist.velocity = scale3(-1, b->twist.velocity);
        break;
    case 8:
        *dt = 1e-300;
        break;
    case 9:
        *dt = 1e300;
        break;
    case 10:
        a->pose.rotation = wit_quat_about(vec3(0, 0, 1), 3.14159);
        break;
    default:
        a->twist_known = b->twist_known = false;
        break;
    }
}

/* All fields finite but the bound, which may be -infinity, and rates, which follow the twists beyond the largest
 * double. */
static bool sane(const wit_result* r)
{
    return isfinite(r->distance) && finite3(r->normal) && finite3(r->a.point) && finite3(r->b.point) &&
           !isnan(r->rate) && !isnan(r->lower_bound) && r->lower_bound < INFINITY && isfinite(r->residual) &&
           isfinite(r->a.u) && isfinite(r->a.v) && isfinite(r->b.u) && isfinite(r->b.v);
}

static void odd_steps_are_survived(const wit_track_def* def, const char* name)
{
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    long wrong = 0, flagged = 0, n = 0;
    for (int which = 0; which < PAIRS; which++) {
        pair p = pair_make(which);
        wit_tracker* t = track_start(p.a, p.b, def);
        double time = 0;
        wit_result r;
        for (int odd = 0; odd < ODD; odd++) {
            warm_up(t, &time, &r);
            wit_motion a, b;
            double dt;
            odd_motion(odd, time, &a, &b, &dt);
            wit_status status = wit_tracker_step(t, &a, &b, dt, &r);
            if (status == WIT_OK) {
                wit_closest cold;
                wit_placed pa = wit_placed_at(p.a, a.pose), pb = wit_placed_at(p.b, b.pose);
                if (p.b)
                    assert_int_equal(wit_closest_pair(query, &pa, &pb, &cold), WIT_OK);
                else
                    assert_int_equal(wit_closest_point(query, &pa, b.pose.position, &cold), WIT_OK);
                if (!sane(&r))
                    print_error("%s, pair %d, %s: a result that is not finite\n", name, which, odd_names[odd]);
                assert_true(sane(&r));
                n++;
                /* overlaps are told by their flag; the depth is local */
                bool overlap = cold.outcome == WIT_OUTCOME_OVERLAPPING;
                bool right = overlap ? (r.flags & WIT_FLAG_OVERLAPPING) != 0
                                     : fabs(r.distance - cold.distance) <= 1e-9 * fmax(fabs(cold.distance), p.size);
                bool honest = r.outcome != WIT_OUTCOME_CONVERGED || (r.flags & WIT_FLAG_LOCAL);
                wrong += !right && !honest;
                flagged += !right && honest;
                if (!right && (!honest || (r.flags & WIT_FLAG_CERTIFIED)))
                    print_error("%s, pair %d, %s: %.17g, cold %.17g, flags %#x\n", name, which, odd_names[odd],
                                r.distance, cold.distance, r.flags);
                assert_true(right || (honest && !(r.flags & WIT_FLAG_CERTIFIED)));
            }
            works_again(&p, t, &time, odd_names[odd]);
        }
        wit_tracker_destroy(t);
        pair_drop(&p);
    }
    print_message("%s: %ld odd steps taken, %ld of them not right and said so, %ld silent\n", name, n, flagged, wrong);
    assert_int_equal(wrong, 0);
    wit_query_destroy(query);
}

static void odd_steps_leave_the_tracker_usable(void** state)
{
    (void)state;
    odd_steps_are_survived(NULL, "default");
}

static void odd_steps_with_each_prediction_leave_the_tracker_usable(void** state)
{
    (void)state;
    for (int k = 0; k < WIT_PREDICTION_COUNT; k++) {
        wit_track_def def = wit_track_default_def();
        def.prediction = (wit_prediction)k;
        odd_steps_are_survived(&def, wit_prediction_name(def.prediction));
    }
}

/* Random poses at every step: nothing to follow. */
static void random_poses_are_answered_or_flagged(void** state)
{
    (void)state;
    rng r = rng_seed(701);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    long n = campaign(20000), right = 0, local = 0, silent = 0, liars = 0;
    for (int which = 0; which < PAIRS; which++) {
        pair p = pair_make(which);
        wit_tracker* t = track_start(p.a, p.b, NULL);
        for (long k = 0; k < n / PAIRS + 1; k++) {
            wit_motion m[2];
            for (int i = 0; i < 2; i++) {
                m[i] = wit_motion_at_rest(wit_pose_identity());
                wit_vec3 axis = random_unit(&r);
                m[i].pose.rotation = wit_quat_about(axis, rng_range(&r, -3, 3));
                m[i].pose.position = random_vector(&r, 0, 4);
                m[i].twist_known = rng_int(&r, 2);
            }
            wit_result o;
            wit_closest cold;
            assert_int_equal(wit_tracker_step(t, &m[0], &m[1], 1e-3, &o), WIT_OK);
            wit_placed pa = wit_placed_at(p.a, m[0].pose), pb = wit_placed_at(p.b, m[1].pose);
            if (p.b)
                assert_int_equal(wit_closest_pair(query, &pa, &pb, &cold), WIT_OK);
            else
                assert_int_equal(wit_closest_point(query, &pa, m[1].pose.position, &cold), WIT_OK);
            assert_true(sane(&o));
            bool overlap = cold.outcome == WIT_OUTCOME_OVERLAPPING, certified = o.flags & WIT_FLAG_CERTIFIED;
            double error = fabs(o.distance - cold.distance) / fmax(fabs(cold.distance), p.size);
            bool good = overlap ? (o.flags & WIT_FLAG_OVERLAPPING) != 0 : error <= 1e-9;
            bool honest = o.outcome != WIT_OUTCOME_CONVERGED || (o.flags & WIT_FLAG_LOCAL);
            right += good;
            local += !good && honest;
            silent += !good && !honest;
            liars += !good && certified;
        }
        wit_tracker_destroy(t);
        pair_drop(&p);
    }
    print_message("random poses: right %ld, elsewhere and said so %ld, silent %ld, certified and wrong %ld\n", right,
                  local, silent, liars);
    assert_int_equal(silent, 0);
    assert_int_equal(liars, 0);
    wit_query_destroy(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_calls_are_refused_and_change_nothing),
        cmocka_unit_test(a_refused_first_step_is_none),
        cmocka_unit_test(odd_steps_leave_the_tracker_usable),
        cmocka_unit_test(odd_steps_with_each_prediction_leave_the_tracker_usable),
        cmocka_unit_test(random_poses_are_answered_or_flagged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
