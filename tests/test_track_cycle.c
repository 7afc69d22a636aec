/* SPDX-License-Identifier: MIT */
/*
 * Hand-overs where they are hard: witnesses placed on any feature at all, on poles and apexes; poses that jump; bodies that
 * start inside each other; bodies of one vertex or one edge; edges off their faces; and the guard against going round in
 * circles. Always an answer or a flag, never more work than the budget.
 */
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "../src/track/tracker_record.h"
#include "track_whole.h"

#define DT 0.001

static wit_motion at_rest(wit_vec3 p)
{
    wit_pose pose = wit_pose_identity();
    pose.position = p;
    wit_motion m = wit_motion_at_rest(pose);
    m.twist_known = false;
    return m;
}

static wit_vec3 random_about(rng* r, const cold_body* b, double room)
{
    wit_vec3 lo = b->info.box.lo, hi = b->info.box.hi;
    double x = rng_range(r, lo.x - room, hi.x + room);
    double y = rng_range(r, lo.y - room, hi.y + room);
    return vec3(x, y, rng_range(r, lo.z - room, hi.z + room));
}

static bool sane(const wit_result* x)
{
    return isfinite(x->distance) && finite3(x->normal) && finite3(x->a.point) && isfinite(x->residual) &&
           !isnan(x->lower_bound);
}

/* ---- any start ----------------------------------------------------------------------------- */

/* A place on a feature: somewhere, at an end, at a corner. */
static wit_witness random_place(rng* r, const wit_body* b)
{
    wit_body_info i = wit_body_describe(b);
    wit_witness w = {0};
    int n = rng_int(r, i.face_count + i.edge_count + i.vertex_count);
    if (n < i.face_count) {
        wit_face_info f = wit_body_face(b, n);
        double part[2] = {rng_double(r), rng_double(r)};
        for (int k = 0; k < 2; ++k)
            if (rng_int(r, 3) == 0) part[k] = part[k] < 0.5 ? 0 : 1;
        w.feature = WIT_FACE;
        w.id = n;
        w.u = f.u.lo + part[0] * (f.u.hi - f.u.lo);
        w.v = f.v.lo + part[1] * (f.v.hi - f.v.lo);
        return w;
    }
    n -= i.face_count;
    w.feature = n < i.edge_count ? WIT_EDGE : WIT_VERTEX;
    w.id = n < i.edge_count ? n : n - i.edge_count;
    if (w.feature == WIT_EDGE) {
        wit_edge_info e = wit_body_edge(b, w.id);
        double part = rng_double(r);
        if (rng_int(r, 3) == 0) part = part < 0.5 ? 0 : 1;
        w.u = e.range.lo + part * (e.range.hi - e.range.lo);
    }
    return w;
}

/* Convex, from outside, without the global search: hand-overs alone lead there. */
static void convex_bodies_are_reached_from_any_start(void** state)
{
    (void)state;
    static const char* const names[] = {"box",    "cone", "cylinder",  "capsule",    "frustum",
                                        "sphere", "pen",  "ellipsoid", "prism-dome", "three-ball"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        cold_body b = cold_model(names[n], 1);
        rng r = rng_seed(31 + n);
        wit_track_def def = wit_track_default_def();
        def.reacquire = false;
        whole_run w = whole_start(b.body, NULL, &def);
        long starts = campaign(10000), lost = 0;
        for (long k = 0; k < starts; ++k) {
            wit_witness from = random_place(&r, b.body);
            wit_vec3 q;
            do q = random_about(&r, &b, 0.4 * b.size);
            while (cold_holds(&b, q));
            wit_motion rest = at_rest(vec3(0, 0, 0)), m = at_rest(q);
            wit_tracker_reset(w.tracker);
            w.seen = 0;
            w.last[0] = from;
            assert_int_equal(wit_tracker_place(w.tracker, &from, NULL), WIT_OK);
            long wrong = w.tally.wrong;
            whole_step(&w, &rest, &m, DT);
            assert_true(sane(&w.result));
            lost += w.tally.wrong > wrong && w.result.ended == WIT_ENDED_CONVERGED;
        }
        whole_print(names[n], &w.tally);
        assert_int_equal(w.tally.silent, 0);
        assert_int_equal(lost, 0);
        assert_true(w.tally.open * 1000 <= starts); /* given up, and said so */
        whole_end(&w);
        cold_drop(&b);
    }
}

/* ---- jumps --------------------------------------------------------------------------------- */

static void poses_that_jump_are_never_wrong_and_certified(void** state)
{
    (void)state;
    static const char* const names[] = {"box", "bowl", "plate", "torus", "goblet", "three-ball", "cone"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        cold_body b = cold_model(names[n], 1);
        rng r = rng_seed(3 + n);
        whole_run w = whole_start(b.body, NULL, NULL);
        w.quiet = true;
        long frames = campaign(20000);
        for (long k = 0; k < frames; ++k) {
            wit_motion rest = at_rest(vec3(0, 0, 0)), m = at_rest(random_about(&r, &b, 0.3 * b.size));
            whole_step(&w, &rest, &m, DT);
            assert_true(sane(&w.result));
        }
        whole_print(names[n], &w.tally);
        assert_int_equal(w.tally.silent, 0);
        whole_end(&w);
        cold_drop(&b);
    }
}

/* ---- overlapping starts -------------------------------------------------------------------- */

static void bodies_that_start_overlapping_get_a_flag(void** state)
{
    (void)state;
    static const char* const names[] = {"box", "three-ball", "cylinder", "torus", "cone"};
    rng r = rng_seed(8);
    long overlapping = 0, flagged = 0, frames = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n)
        for (size_t m = 0; m < sizeof names / sizeof *names; ++m) {
            cold_body a = cold_model(names[n], 1), b = cold_model(names[m], 1);
            wit_error e = {0};
            wit_tracker* t = wit_tracker_create(a.body, b.body, NULL, NULL, &e);
            if (!t) fail_msg("%s", e.text);
            for (int k = 0; k < 20; ++k) {
                wit_motion rest = at_rest(vec3(0, 0, 0)), move = at_rest(sub3(random_about(&r, &a, 0), b.centre));
                move.pose.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
                wit_result x;
                wit_tracker_reset(t);
                for (int i = 0; i < 3; ++i) {
                    move.pose.position.x += 0.01 * a.size;
                    assert_int_equal(wit_tracker_step(t, &rest, &move, DT, &x), WIT_OK);
                    assert_true(sane(&x) && x.work.units <= wit_track_default_def().budget);
                    bool through = (x.flags & WIT_FLAG_OVERLAPPING) != 0;
                    frames++;
                    overlapping += through;
                    flagged += through || x.ended != WIT_ENDED_CONVERGED || (x.flags & WIT_FLAG_LOCAL);
                    assert_false(through && x.distance > 0 && (x.flags & WIT_FLAG_CERTIFIED));
                }
            }
            wit_tracker_destroy(t);
            cold_drop(&a);
            cold_drop(&b);
        }
    print_message("started overlapping: %ld frames, %ld called overlapping, %ld with some flag\n", frames, overlapping,
                  flagged);
}

/* ---- tiny bodies --------------------------------------------------------------------------- */

static void bodies_of_one_vertex_or_one_edge_are_tracked(void** state)
{
    (void)state;
    wit_curve_def line = wit_curve_default_def(WIT_CURVE_LINE);
    line.range = iv(0, 2);
    wit_curve* c = wit_curve_create(&line, NULL, NULL);
    assert_non_null(c);
    wit_vertex_def v[2] = {{"start", {0, 0, 0}}, {"end", {0, 0, 0}}};
    wit_curve_jet j;
    wit_curve_eval(c, 0, 0, NULL, &j);
    v[0].point = j.p;
    wit_curve_eval(c, 2, 0, NULL, &j);
    v[1].point = j.p;
    wit_edge_def edge = {"edge", c, {0, 2}, 0, 1};
    for (int with_edge = 0; with_edge < 2; ++with_edge) {
        wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
        d.vertex_count = with_edge ? 2 : 1;
        d.vertices = v;
        d.edge_count = with_edge;
        d.edges = &edge;
        wit_error e = {0};
        wit_body* b = wit_body_create(&d, NULL, &e);
        if (!b) {
            print_message("a body of %s: refused, %s: %s\n", with_edge ? "one edge" : "one vertex", e.item, e.text);
            continue;
        }
        wit_tracker* t = wit_tracker_create(b, NULL, NULL, NULL, &e);
        if (!t) fail_msg("%s: %s", e.item, e.text);
        for (int k = 0; k < 400; ++k) {
            double a = 0.02 * k;
            wit_vec3 q =
                addscaled3(vec3(0.1, 1.5 * sin(a), 0.3), 3 * cos(0.7 * a), unit3(sub3(v[1].point, v[0].point)));
            wit_motion rest = at_rest(vec3(0, 0, 0)), m = at_rest(q);
            wit_result x;
            assert_int_equal(wit_tracker_step(t, &rest, &m, DT, &x), WIT_OK);
            wit_vec3 along = sub3(v[1].point, v[0].point);
            double s = with_edge ? fmin(1, fmax(0, dot3(sub3(q, v[0].point), along) / dot3(along, along))) : 0;
            double exact = norm3(sub3(q, addscaled3(v[0].point, s, along)));
            assert_int_equal(x.ended, WIT_ENDED_CONVERGED);
            assert_true(fabs(x.distance - exact) <= 1e-14);
        }
        if (with_edge) assert_true(wit_tracker_transitions(t, NULL, 0) >= 2);
        wit_tracker_destroy(t);
        wit_body_destroy(b);
    }
    wit_curve_destroy(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convex_bodies_are_reached_from_any_start),
        cmocka_unit_test(poses_that_jump_are_never_wrong_and_certified),
        cmocka_unit_test(bodies_that_start_overlapping_get_a_flag),
        cmocka_unit_test(bodies_of_one_vertex_or_one_edge_are_tracked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
