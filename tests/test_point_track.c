/* SPDX-License-Identifier: MIT */
/*
 * A point in motion against every body: every frame is certified, at a thousandth and a ten-thousandth of the size per frame,
 * inside and outside, across seams, edges and the places where the closest point jumps; and nothing that is certified is wrong, by
 * the cold query on a sample and wherever the witness jumps, and by a dense search of the tests' own.
 */
#include <stdlib.h>

#include "../include/witness/track.h"
#include "../src/front/point_front.h"
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "front_path.h"

enum { PLAIN = 100, DENSE = 1000 }; /* one frame of so many is held against the cold query, against the dense search */

typedef struct run {
    const cold_body* b;
    wit_tracker* tracker;
    wit_query* query;
    front_path path;
    wit_quat turn; /* of the body in the first frame */
    wit_vec3 axis; /* about which it turns */
    double spin;   /* radians a frame */
    rng* r;
    wit_vec3 q; /* the point in the frame of the body */
    wit_pose at;
    long frames, certified, jumps, asked, reasons[WIT_REASON_COUNT];
    int64_t work, most, nodes;
} run;

static wit_quat turned(wit_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (wit_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

static run begin(const cold_body* b, rng* r, double step, const wit_track_def* def)
{
    run x = {.b = b, .r = r, .path = front_path_about(r, b->centre, 0.5 * b->size, step * b->size)};
    wit_query_def q = wit_query_default_def();
    q.tolerance = 1e-12;
    x.query = wit_query_create(&q, NULL, NULL);
    x.tracker = wit_tracker_create(b->body, NULL, def, NULL, NULL);
    assert_non_null(x.query);
    assert_non_null(x.tracker);
    x.axis = b->info.planar ? vec3(0, 0, 1) : random_vector(r, 1, 1);
    x.axis = scale3(1 / norm3(x.axis), x.axis);
    x.spin = rng_range(r, -1, 1) * step;
    return x;
}

static void end(run* x)
{
    wit_query_destroy(x->query);
    wit_tracker_destroy(x->tracker);
}

/* The body turns about its axis while the point goes its way as seen from it. */
static void advance(run* x, long k, wit_result* out)
{
    double size = x->b->size;
    wit_motion a = {.pose = wit_pose_identity()}, b = {.pose = wit_pose_identity()};
    x->q = front_path_at(&x->path, (double)k);
    if (x->b->info.planar) x->q.z = 0;
    a.pose.rotation = turned(x->axis, x->spin * (double)k);
    a.pose.position = vec3(0.3 * size, -0.2 * size, x->b->info.planar ? 0 : 0.1 * size);
    b.pose.position = wit_pose_point(&a.pose, x->q);
    x->at = a.pose;
    assert_int_equal(wit_tracker_step(x->tracker, &a, &b, 0.001, out), WIT_OK);
    x->frames++;
    x->work += out->work.units;
    x->nodes += out->work.nodes;
    if (k > 0 && out->work.units > x->most) x->most = out->work.units;
    x->certified += (out->flags & WIT_FLAG_CERTIFIED) != 0;
    x->reasons[out->reason]++;
}

/* The bracket holds the true value; what is certified is it. */
static void judge(run* x, long k, const wit_result* r)
{
    wit_placed a = wit_placed_at(x->b->body, x->at);
    wit_closest c;
    double size = x->b->size, scale = fmax(size, fabs(r->distance)), slack = 1e-12 * scale;
    assert_int_equal(wit_closest_point(x->query, &a, r->b.point, &c), WIT_OK);
    x->asked++;
    bool sided = c.reason != WIT_REASON_SIGN;
    double truth = sided ? c.distance : fabs(c.distance), value = sided ? r->distance : fabs(r->distance);
    double allowed = 1e-9 * scale + slack + r->model_tolerance + c.model_tolerance;
    if (sided && r->lower_bound > truth + slack + r->model_tolerance + c.model_tolerance)
        fail_msg("%s, frame %ld: lower bound %.17g, truth %.17g", x->b->name, k, r->lower_bound, truth);
    if ((r->flags & WIT_FLAG_CERTIFIED) && fabs(value - truth) > allowed)
        fail_msg("%s, frame %ld: %.17g is certified, the truth is %.17g (%s)", x->b->name, k, value, truth,
                 wit_outcome_name(c.outcome));
}

static void judge_densely(run* x, long k, const wit_result* r)
{
    dense_place at;
    double truth = dense_point(x->b->search, NULL, x->q, &at), scale = fmax(x->b->size, truth);
    if ((r->flags & WIT_FLAG_CERTIFIED) && fabs(r->distance) > truth + 1.001e-9 * scale + r->model_tolerance)
        fail_msg("%s, frame %ld: %.17g is certified, a place is %.17g away", x->b->name, k, r->distance, truth);
}

static void along(run* x, long frames)
{
    wit_result r;
    for (long k = 0; k < frames; k++) {
        advance(x, k, &r);
        bool jumped = k > 0 && (r.flags & WIT_FLAG_JUMPED);
        x->jumps += jumped;
        if (jumped || rng_int(x->r, PLAIN) == 0) judge(x, k, &r);
        if (rng_int(x->r, DENSE) == 0) judge_densely(x, k, &r);
    }
}

typedef void each_body(const cold_body* b, rng* r, long frames);

static void all_bodies(double scale, uint64_t seed, long frames, each_body* visit)
{
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(seed);
    int n = cold_all(scale, seed, bodies);
    for (int i = 0; i < n; i++) {
        if (wi_point_front_has(bodies[i].body)) visit(&bodies[i], &r, frames);
        cold_drop(&bodies[i]);
    }
}

static void print_reasons(const run* x)
{
    for (int i = WIT_REASON_NONE + 1; i < WIT_REASON_COUNT; i++)
        if (x->reasons[i])
            print_message("    not certified: %ld (%s)\n", x->reasons[i], wit_reason_name((wit_reason)i));
}

static void whole(const cold_body* b, rng* r, long frames)
{
    static const double steps[2] = {1e-3, 1e-4};
    for (int i = 0; i < 2; i++) {
        run x = begin(b, r, steps[i], NULL);
        along(&x, frames);
        print_message("%-14s scale %g at %g: %ld of %ld certified, %ld jumps, %.2f looks and %.2f units a frame, "
                      "%lld at most\n",
                      b->name, b->scale, steps[i], x.certified, x.frames, x.jumps, (double)x.nodes / (double)x.frames,
                      (double)x.work / (double)x.frames, (long long)x.most);
        print_reasons(&x);
        if (x.certified < x.frames)
            fail_msg("%s at %g: %ld of %ld frames are not certified", b->name, steps[i], x.frames - x.certified,
                     x.frames);
        end(&x);
    }
}

static void every_frame_is_certified(void** state)
{
    (void)state;
    all_bodies(1, 901, campaign(180000), whole);
}

static void every_frame_is_certified_at_other_scales(void** state)
{
    (void)state;
    all_bodies(1e-6, 902, campaign(2000), whole);
    all_bodies(1e6, 903, campaign(2000), whole);
}

/* A tenth of the work, and far less; hardly any room: nothing is wrong, no step takes more than it may. */
static void starved(const cold_body* b, rng* r, long frames)
{
    static const int64_t budgets[4] = {64, 300, 1000, 10000};
    static const int fronts[3] = {1, 200, 4096};
    for (int i = 0; i < 4; i++) {
        wit_track_def def = wit_track_default_def();
        def.budget = budgets[i];
        def.front = fronts[i % 3];
        run x = begin(b, r, 1e-3, &def);
        wit_result s;
        for (long k = 0; k < frames; k++) {
            advance(&x, k, &s);
            if (s.work.units > def.budget)
                fail_msg("%s: %lld units of %lld", b->name, (long long)s.work.units, (long long)def.budget);
            judge(&x, k, &s);
        }
        end(&x);
    }
}

static void a_small_budget_or_front_makes_nothing_wrong(void** state)
{
    (void)state;
    all_bodies(1, 904, campaign(1000), starved);
}

/* Through the middle along the axes of its box: past centres of curvature, through walls, along ties. */
static void through(const cold_body* b, rng* r, long frames)
{
    for (int axis = 0; axis < 3; axis++) {
        run x = begin(b, r, 1e-3, NULL);
        wit_vec3 half = scale3(0.6, sub3(b->body->box.hi, b->body->box.lo));
        memset(x.path.amplitude, 0, sizeof x.path.amplitude);
        x.path.amplitude[0] = axis == 0 ? vec3(half.x, 0, 0) : axis == 1 ? vec3(0, half.y, 0) : vec3(0, 0, half.z);
        x.path.rate[0] = 4.0 / (double)frames;
        if (rng_int(r, 2)) x.path.amplitude[1] = random_vector(r, 1e-6 * b->size, 1e-2 * b->size);
        wit_result s;
        for (long k = 0; k < frames; k++) {
            advance(&x, k, &s);
            judge(&x, k, &s);
        }
        end(&x);
    }
}

static void along_ties_nothing_is_wrong(void** state)
{
    (void)state;
    all_bodies(1, 905, campaign(1000), through);
}

/* A copy of the memory goes on with the same bits. */
static void a_copy_goes_on_alike(void** state)
{
    (void)state;
    rng r = rng_seed(906);
    cold_body b = cold_model("torus-nurbs", 1);
    size_t bytes = wit_tracker_size(b.body, NULL, &(wit_track_def[]){wit_track_default_def()}[0]);
    wit_track_def def = wit_track_default_def();
    run x = begin(&b, &r, 1e-3, &def);
    wit_tracker *first = x.tracker, *copy;
    void* memory = test_calloc(1, bytes);
    assert_int_equal(wit_tracker_init(memory, bytes, b.body, NULL, &def, &x.tracker, NULL), WIT_OK);
    wit_result one, other;
    memset(&one, 0, sizeof one); /* what lies between its fields */
    memset(&other, 0, sizeof other);
    for (long k = 0; k < 300; k++) advance(&x, k, &one);
    void* snapshot = test_calloc(1, bytes);
    memcpy(snapshot, memory, bytes);
    copy = snapshot;
    for (long k = 300; k < 600; k++) {
        wit_tracker* of = x.tracker;
        advance(&x, k, &one);
        x.tracker = copy;
        advance(&x, k, &other);
        x.tracker = of;
        assert_memory_equal(&one, &other, sizeof one);
    }
    test_free(memory);
    test_free(snapshot);
    x.tracker = first;
    end(&x);
    cold_drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_certified),
        cmocka_unit_test(every_frame_is_certified_at_other_scales),
        cmocka_unit_test(a_small_budget_or_front_makes_nothing_wrong),
        cmocka_unit_test(along_ties_nothing_is_wrong),
        cmocka_unit_test(a_copy_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
