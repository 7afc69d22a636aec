/* SPDX-License-Identifier: MIT */
/* Two bodies in random smooth motion: ellipsoids against their support functions, patches against the cold query. */
#include <stdlib.h>

#include "../bench/surfaces.h"
#include "campaign.h"
#include "reference.h"
#include "track_ellipsoids.h"
#include "track_paths.h"

enum { RUN = 1000 };

typedef struct sum {
    long steps, apart, wrong, liars, certified, open, unfit, fell_back, reacquired;
    double worst;
    int64_t jets, most;
} sum;

static void sum_print(const char* name, const sum* s)
{
    print_message("%s: %ld steps, %ld apart, error at most %.2g; wrong %ld, certified %ld, falsely %ld, not converged "
                  "%ld, unfit %ld; "
                  "fell back %ld, re-acquired %ld; %.2f jets per step, most %lld units\n",
                  name, s->steps, s->apart, s->worst, s->wrong, s->certified, s->liars, s->open, s->unfit, s->fell_back,
                  s->reacquired, (double)s->jets / (double)s->steps, (long long)s->most);
}

/* While they are apart (the guess is the last normal): a step, and the truth beside it. */
static void ellipsoids_move(const reference_ellipsoids* e, bool nurbs, rng* r, long steps, sum* out)
{
    wit_body* body[2] = {track_ellipsoid(e->axes[0], nurbs), track_ellipsoid(e->axes[1], nurbs)};
    double size = track_size(body[0], body[1]);
    wit_tracker* tracker = track_start(body[0], body[1], NULL);
    while (steps > 0) {
        sway sw[2];
        slab s = {.axes = {e->axes[0], e->axes[1]}};
        for (int k = 0; k < 2; k++) sw[k] = sway_make(r, e->poses[k].position, 0.3 * size, 1, 1);
        wit_tracker_reset(tracker);
        int length = steps < RUN ? (int)steps : RUN;
        bool fresh = true;
        for (int i = 0; i <= length; i++) {
            wit_motion m[2] = {sway_at(&sw[0], i * 1e-3), sway_at(&sw[1], i * 1e-3)};
            for (int k = 0; k < 2; k++) s.pose[k] = m[k].pose;
            if (fresh)
                slab_search(&s, r);
            else
                assert_true(slab_solve(&s));
            fresh = s.distance <= 0.01 * size; /* inside: the global maximum may change */
            wit_result o;
            assert_int_equal(wit_tracker_step(tracker, &m[0], &m[1], 1e-3, &o), WIT_OK);
            out->steps++;
            if (s.distance <= 0) continue;
            double error = fabs(o.distance - s.distance) / fmax(s.distance, size);
            out->apart++;
            out->worst = fmax(out->worst, error);
            out->wrong += !(error <= 1e-12);
            out->liars += error > 1e-12 && (o.flags & WIT_FLAG_CERTIFIED);
            out->liars += o.lower_bound > s.distance + 1e-12 * fmax(s.distance, size);
            out->certified += (o.flags & WIT_FLAG_CERTIFIED) != 0;
            out->open += o.outcome != WIT_OUTCOME_CONVERGED;
            out->unfit += !track_result_fits(&o, 1e-12 * fmax(s.distance, size));
            out->fell_back += (o.flags & WIT_FLAG_FELL_BACK) != 0;
            out->reacquired += i > 0 && (o.flags & WIT_FLAG_REACQUIRED);
            out->jets += o.work.jets;
            if (i > 0 && o.work.units > out->most) out->most = o.work.units;
        }
        steps -= length;
    }
    wit_tracker_destroy(tracker);
    for (int k = 0; k < 2; k++) wit_body_destroy(body[k]);
}

static void ellipsoids_in_random_motion(bool nurbs, long full, const char* name)
{
    reference ref = reference_read();
    rng r = rng_seed(661);
    sum s = {0};
    assert_true(ref.ellipsoids > 0);
    long steps = campaign(full), pairs = 1 + steps / RUN;
    if (pairs > ref.ellipsoids) pairs = ref.ellipsoids;
    for (long k = 0; k < pairs; k++) ellipsoids_move(&ref.ellipsoid[k], nurbs, &r, 1 + steps / pairs, &s);
    sum_print(name, &s);
    assert_true(s.apart > s.steps / 4);
    assert_int_equal(s.wrong, 0);
    assert_int_equal(s.liars, 0);
    assert_int_equal(s.unfit, 0);
    assert_int_equal(s.open, 0);
    assert_true(s.fell_back + s.reacquired <= s.apart / 100);
    reference_drop(&ref);
}

static void ellipsoids_agree_with_their_support_functions(void** state)
{
    (void)state;
    ellipsoids_in_random_motion(false, 1000000, "ellipsoids");
}

static void nurbs_ellipsoids_agree_with_their_support_functions(void** state)
{
    (void)state;
    ellipsoids_in_random_motion(true, 300000, "NURBS ellipsoids");
}

/* The reference file's own poses, by the first step: the answer in 40-digit arithmetic. */
static void first_step_finds_the_reference_pairs(void** state)
{
    (void)state;
    reference ref = reference_read();
    for (int k = 0; k < ref.ellipsoids; k++) {
        const reference_ellipsoids* e = &ref.ellipsoid[k];
        wit_body *a = track_ellipsoid(e->axes[0], false), *b = track_ellipsoid(e->axes[1], false);
        wit_tracker* t = track_start(a, b, NULL);
        wit_motion ma = wit_motion_at_rest(e->poses[0]), mb = wit_motion_at_rest(e->poses[1]);
        wit_result r;
        assert_int_equal(wit_tracker_step(t, &ma, &mb, 1e-3, &r), WIT_OK);
        double scale = fmax(e->distance, track_size(a, b));
        assert_true(fabs(r.distance - e->distance) <= 1e-12 * scale);
        assert_true(norm3(sub3(r.a.point, e->points[0])) <= 1e-6 * scale);
        assert_true(norm3(sub3(r.b.point, e->points[1])) <= 1e-6 * scale);
        assert_int_equal(r.outcome, WIT_OUTCOME_CONVERGED);
        wit_tracker_destroy(t);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    reference_drop(&ref);
}

/* ---- patches ---------------------------------------------------------------------------------- */

static wit_query* precise_query(void)
{
    wit_query_def d = wit_query_default_def();
    d.tolerance = 1e-9; /* the bracket; the pair itself is refined to rounding */
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

/* b above a, both swaying: witnesses inside, at borders, at corners, jumping where both bulge. */
static void patches_move(int which, long steps, track_tally* tally, const char* name)
{
    static bench_surface s;
    bench_surface_make(which, &s);
    wit_body* body = track_body_of(&s.def, WIT_BODY_SHEET2);
    wit_query* query = precise_query();
    wit_tracker* tracker = track_start(body, body, NULL);
    double size = track_size(body, NULL);
    wit_box box = wit_body_describe(body).box;
    wit_vec3 middle = scale3(0.5, add3(box.lo, box.hi));
    rng r = rng_seed(671);
    while (steps > 0) {
        sway sa = sway_make(&r, vec3(0, 0, 0), 0.1 * size, 0.5, 1);
        sway sb = sway_make(&r, vec3(0, 0, 0), 0.1 * size, 0.5, 1);
        wit_vec3 apart = scale3(rng_range(&r, 0.8, 1.5) * size, random_unit(&r));
        int length = steps < RUN ? (int)steps : RUN;
        track_judge judge = track_judge_make(body, body, 1e-12);
        wit_tracker_reset(tracker);
        for (int i = 0; i <= length; i++) {
            wit_motion a = sway_at(&sa, i * 1e-3), b = sway_at(&sb, i * 1e-3);
            /* about the middle of the patch, not its origin; the velocity of the origin follows from the poses */
            a.pose.position = sub3(a.pose.position, wit_pose_vector(&a.pose, middle));
            b.pose.position = add3(apart, sub3(b.pose.position, wit_pose_vector(&b.pose, middle)));
            a.twist_known = b.twist_known = false;
            wit_result o;
            wit_closest cold;
            assert_int_equal(wit_tracker_step(tracker, &a, &b, 1e-3, &o), WIT_OK);
            wit_placed pa = wit_placed_at(body, a.pose), pb = wit_placed_at(body, b.pose);
            assert_int_equal(wit_closest_pair(query, &pa, &pb, &cold), WIT_OK);
            if (cold.distance <= 0.01 * size) break; /* overlaps are the matter of test_track_touch */
            track_judge_step(&judge, tally, &a.pose, &b.pose, &o, &cold, name);
        }
        steps -= length;
    }
    wit_tracker_destroy(tracker);
    wit_query_destroy(query);
    wit_body_destroy(body);
}

static void patches_in_random_motion_agree_with_the_cold_query(void** state)
{
    (void)state;
    const char* const names[2] = {"two Table I patches", "two rational 20x20 patches"};
    for (int which = 0; which < 2; which++) {
        track_tally t = {0};
        patches_move(which, campaign(which ? 4000 : 15000), &t, names[which]);
        track_tally_print(names[which], &t);
        assert_true(t.steps > 0);
        assert_int_equal(t.lost, 0);
        assert_int_equal(t.liars, 0);
        assert_int_equal(t.unfit, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_step_finds_the_reference_pairs),
        cmocka_unit_test(ellipsoids_agree_with_their_support_functions),
        cmocka_unit_test(nurbs_ellipsoids_agree_with_their_support_functions),
        cmocka_unit_test(patches_in_random_motion_agree_with_the_cold_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
