/* SPDX-License-Identifier: MIT */
/*
 * Wrong starts: a tracker placed anywhere on a random patch, the point standing still. With re-acquisition it comes
 * to the global minimum; without it, what it finds is the global minimum or carries the flag LOCAL.
 */
#include <stdlib.h>

#include "campaign.h"
#include "random_surface.h"
#include "track_paths.h"

enum { STARTS = 20, MOST_STEPS = 50 };

static wit_body* random_patch(rng* r)
{
    for (;;) {
        wit_surface_kind kind = (wit_surface_kind)rng_int(r, WIT_SURFACE_KIND_COUNT);
        wit_surface* s = random_any_surface(r, kind, 1);
        wit_face_def face = {.surface = s};
        wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
        def.face_count = 1;
        def.faces = &face;
        wit_body* b = wit_body_create(&def, NULL, NULL);
        wit_surface_destroy(s);
        if (b) return b;
    }
}

/* Any feature, any parameters of it. */
static wit_witness random_start(rng* r, const wit_body* body)
{
    wit_body_info info = wit_body_describe(body);
    wit_witness w = {.feature = WIT_FACE};
    int kind = rng_int(r, 8);
    if (kind == 7 && info.vertex_count) {
        w.feature = WIT_VERTEX;
        w.id = rng_int(r, info.vertex_count);
    } else if (kind >= 5 && info.edge_count) {
        w.feature = WIT_EDGE;
        w.id = rng_int(r, info.edge_count);
        wit_edge_info e = wit_body_edge(body, w.id);
        w.u = rng_range(r, e.range.lo, e.range.hi);
    } else {
        w.id = rng_int(r, info.face_count);
        wit_face_info f = wit_body_face(body, w.id);
        w.u = rng_range(r, f.u.lo, f.u.hi);
        w.v = rng_range(r, f.v.lo, f.v.hi);
    }
    return w;
}

typedef struct outcome {
    long starts, right, local, silent, liars, open, unfit;
    double steps, units;
    int64_t most;
} outcome;

/* Steps until it is converged; the pose does not change, so the next step may go on where this one had to stop. */
static void run(wit_tracker* t, const wit_witness* from, wit_vec3 point, const wit_closest* cold, double size,
                outcome* o)
{
    wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = a;
    b.pose.position = point;
    wit_result r;
    assert_int_equal(wit_tracker_place(t, from, NULL), WIT_OK);
    int steps = 0;
    do {
        assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &r), WIT_OK);
        o->units += (double)r.work.units;
        if (r.work.units > o->most) o->most = r.work.units;
        bool certified = r.flags & WIT_FLAG_CERTIFIED;
        double error = fabs(r.distance - cold->distance) / fmax(cold->distance, size);
        /* certified means within 1e-9, which is what is asked by default */
        o->liars += certified && error > 1.001e-9;
    } while (++steps < MOST_STEPS && r.outcome != WIT_OUTCOME_CONVERGED);
    double scale = fmax(cold->distance, size), error = fabs(r.distance - cold->distance) / scale;
    bool right = error <= 1e-12, local = r.flags & WIT_FLAG_LOCAL;
    o->starts++;
    o->steps += steps;
    o->right += right;
    o->local += !right && local;
    o->silent += !right && !local;
    o->open += r.outcome != WIT_OUTCOME_CONVERGED;
    o->unfit += !track_result_fits(&r, 1e-12 * scale);
}

static void print_outcome(const char* name, const outcome* o)
{
    double n = (double)o->starts;
    print_message("%s: %ld starts, at the global minimum %ld, elsewhere and LOCAL %ld, elsewhere and silent %ld, "
                  "certified and wrong "
                  "%ld, not converged %ld, unfit %ld; %.3f steps, %.1f units each, most %lld in a step\n",
                  name, o->starts, o->right, o->local, o->silent, o->liars, o->open, o->unfit, o->steps / n,
                  o->units / n, (long long)o->most);
}

static void wrong_starts_end_at_the_global_minimum_or_say_local(void** state)
{
    (void)state;
    rng r = rng_seed(691);
    long starts = campaign(100000);
    wit_query_def qd = wit_query_default_def();
    qd.tolerance = 1e-12;
    wit_query* query = wit_query_create(&qd, NULL, NULL);
    outcome with = {0}, without = {0};
    for (long done = 0; done < starts; done += STARTS) {
        wit_body* body = random_patch(&r);
        double size = track_size(body, NULL);
        wit_box box = wit_body_describe(body).box;
        wit_track_def local = wit_track_default_def();
        local.reacquire = false;
        wit_tracker *t = track_start(body, NULL, NULL), *u = track_start(body, NULL, &local);
        for (int k = 0; k < STARTS; k++) {
            wit_vec3 middle = scale3(0.5, add3(box.lo, box.hi)), p = add3(middle, random_vector(&r, 0, 2 * size));
            wit_witness from = random_start(&r, body);
            wit_closest cold;
            wit_placed placed = wit_placed_at(body, wit_pose_identity());
            assert_int_equal(wit_closest_point(query, &placed, p, &cold), WIT_OK);
            if (cold.outcome != WIT_OUTCOME_CONVERGED && cold.outcome != WIT_OUTCOME_NOT_UNIQUE) continue;
            run(t, &from, p, &cold, size, &with);
            run(u, &from, p, &cold, size, &without);
        }
        wit_tracker_destroy(t);
        wit_tracker_destroy(u);
        wit_body_destroy(body);
    }
    wit_query_destroy(query);
    print_outcome("with re-acquisition", &with);
    print_outcome("without", &without);
    assert_int_equal(with.silent, 0);
    assert_int_equal(with.local, 0);
    assert_int_equal(with.liars, 0);
    assert_int_equal(with.unfit, 0);
    assert_int_equal(without.silent, 0);
    assert_int_equal(without.liars, 0);
    assert_int_equal(without.unfit, 0);
}

/* A tracker that was never placed: the global search, or the papers' far phase. */
static void a_tracker_never_placed_starts_by_itself(void** state)
{
    (void)state;
    rng r = rng_seed(692);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    long n = campaign(2000), right[2] = {0, 0}, silent[2] = {0, 0};
    for (long k = 0; k < n; k++) {
        wit_body* body = random_patch(&r);
        double size = track_size(body, NULL);
        wit_box box = wit_body_describe(body).box;
        wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = a;
        b.pose.position = add3(scale3(0.5, add3(box.lo, box.hi)), random_vector(&r, 0, 2 * size));
        wit_placed placed = wit_placed_at(body, wit_pose_identity());
        wit_closest cold;
        assert_int_equal(wit_closest_point(query, &placed, b.pose.position, &cold), WIT_OK);
        for (int local = 0; local < 2; local++) {
            wit_track_def def = wit_track_default_def();
            def.reacquire = !local;
            wit_tracker* t = track_start(body, NULL, &def);
            wit_result o;
            assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &o), WIT_OK);
            double error = fabs(o.distance - cold.distance) / fmax(cold.distance, size);
            right[local] += error <= 1e-9;
            silent[local] += error > 1e-9 && !(o.flags & WIT_FLAG_LOCAL);
            wit_tracker_destroy(t);
        }
        wit_body_destroy(body);
    }
    wit_query_destroy(query);
    print_message("never placed: %ld; global search right %ld, far phase right %ld; silent %ld and %ld\n", n, right[0],
                  right[1], silent[0], silent[1]);
    assert_int_equal(right[0], n);
    assert_int_equal(silent[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_starts_end_at_the_global_minimum_or_say_local),
        cmocka_unit_test(a_tracker_never_placed_starts_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
