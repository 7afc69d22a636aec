/* SPDX-License-Identifier: MIT */
/* One step: what goes in, what comes out, what is refused, and what must not matter (order, frame, scale, memory). */
#include <stdlib.h>

#include "../include/witness/io.h"
#include "campaign.h"
#include "track_paths.h"

static wit_motion rest(double x, double y, double z)
{
    wit_motion m = wit_motion_at_rest(wit_pose_identity());
    m.pose.position = vec3(x, y, z);
    return m;
}

static void stepped(wit_tracker* t, const wit_motion* a, const wit_motion* b, wit_result* out)
{
    assert_int_equal(wit_tracker_step(t, a, b, 1e-3, out), WIT_OK);
}

/* ---- what comes out --------------------------------------------------------------------------- */

static void a_step_tells_distance_normal_witnesses_and_rate(void** state)
{
    (void)state;
    wit_body* ball = track_ellipsoid(vec3(2, 2, 2), false);
    wit_tracker* t = track_start(ball, NULL, NULL);
    wit_motion a = rest(1, 2, 3), b = rest(1, 2 + 3, 3 + 4);
    b.twist.velocity = vec3(7, 1, 2);
    wit_result r;
    for (int k = 0; k < 3; k++) {
        stepped(t, &a, &b, &r);
        near1(r.distance, 3, 1e-14, "distance");
        near3(r.normal, vec3(0, 0.6, 0.8), 1e-14, "normal");
        near3(r.a.point, vec3(1, 2 + 1.2, 3 + 1.6), 1e-14, "witness");
        near3(r.b.point, b.pose.position, 0, "point");
        near1(r.rate, 0.6 + 1.6, 1e-13, "rate");
        assert_int_equal(r.a.feature, WIT_FACE);
        assert_int_equal(r.b.feature, WIT_POINT);
        assert_int_equal(r.b.id, -1);
        assert_int_equal(r.outcome, WIT_OUTCOME_CONVERGED);
        assert_int_equal(r.kind, WIT_STATIONARY_MINIMUM);
        assert_int_equal(r.count, 2);
        assert_int_equal(r.count_a, 2);
        assert_true(r.lower_bound <= r.distance);
        assert_true(r.residual <= 1e-6);
    }
    b = rest(1, 2, 3 - 1.5); /* inside, over the pole */
    wit_tracker_reset(t);
    stepped(t, &a, &b, &r);
    near1(r.distance, -0.5, 1e-14, "depth");
    near3(r.normal, vec3(0, 0, -1), 1e-14, "normal inside");
    wit_tracker_destroy(t);
    wit_body_destroy(ball);
}

/* b = a's point + distance * normal, the bound below the distance, the rate its derivative: along a motion of both. */
static void rates_are_derivatives_of_the_distance(void** state)
{
    (void)state;
    rng r = rng_seed(711);
    double worst[2] = {0, 0};
    long n = 1 + campaign(100);
    for (long k = 0; k < n; k++)
        for (int pair = 0; pair < 2; pair++) {
            wit_body* a = track_ellipsoid(vec3(1, 1.5, 0.7), k % 2);
            wit_body* b = pair ? track_ellipsoid(vec3(0.8, 0.5, 1.2), false) : NULL;
            sway sa = sway_make(&r, vec3(0, 0, 0), 0.3, 1, 1);
            sway sb = sway_make(&r, scale3(4, random_unit(&r)), 0.3, 1, 1);
            wit_tracker* t = track_start(a, b, NULL);
            double h = 1e-3, d[5], rate[5];
            for (int i = 0; i < 5; i++) {
                wit_motion ma = sway_at(&sa, i * h), mb = sway_at(&sb, i * h);
                wit_result o;
                assert_int_equal(wit_tracker_step(t, &ma, &mb, h, &o), WIT_OK);
                assert_true(track_result_fits(&o, 1e-12 * fmax(o.distance, 2)));
                d[i] = o.distance;
                rate[i] = o.rate;
            }
            /* fourth order: the fifth derivative of motions of rate 1..4.5 gives 1e-12 * 4.5^5 / 30; rounding
             * 1e-15 / h */
            double slope = (d[0] - 8 * d[1] + 8 * d[3] - d[4]) / (12 * h);
            worst[pair] = fmax(worst[pair], fabs(slope - rate[2]));
            wit_tracker_destroy(t);
            wit_body_destroy(a);
            if (b) wit_body_destroy(b);
        }
    print_message("rate against differences of the distance: %.2g for a point, %.2g for a pair\n", worst[0], worst[1]);
    assert_true(worst[0] <= 1e-9 && worst[1] <= 1e-9);
}

/* A twist that is not known is derived: the first frames differ in work, never in the answer. */
static void unknown_twists_change_no_answer(void** state)
{
    (void)state;
    rng r = rng_seed(712);
    double worst = 0;
    wit_body *a = track_ellipsoid(vec3(1, 1.5, 0.7), false), *b = track_ellipsoid(vec3(0.8, 0.5, 1.2), false);
    for (long k = 0, n = 1 + campaign(50); k < n; k++) {
        sway sa = sway_make(&r, vec3(0, 0, 0), 0.3, 1, 1), sb = sway_make(&r, vec3(4, 0, 0), 0.3, 1, 1);
        wit_tracker *t = track_start(a, b, NULL), *u = track_start(a, b, NULL);
        for (int i = 0; i < 100; i++) {
            wit_motion ma = sway_at(&sa, i * 1e-3), mb = sway_at(&sb, i * 1e-3);
            wit_result o, p;
            stepped(t, &ma, &mb, &o);
            ma.twist_known = mb.twist_known = false;
            stepped(u, &ma, &mb, &p);
            worst = fmax(worst, fabs(o.distance - p.distance));
            if (i > 0) assert_true(fabs(o.rate - p.rate) <= 0.05); /* half a step earlier: 1e-3 * acceleration / 2 */
        }
        wit_tracker_destroy(t);
        wit_tracker_destroy(u);
    }
    print_message("with and without twists: distances differ by %.2g\n", worst);
    assert_true(worst <= 2e-12);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* ---- what must not matter --------------------------------------------------------------------- */

/* Moved together: same distance, the rest moves along. Swapped: normal turned. Scaled: distance scaled. */
static void frame_order_and_scale_change_no_answer(void** state)
{
    (void)state;
    rng r = rng_seed(713);
    const double scales[3] = {1, 1e-6, 1e6};
    double worst[3] = {0, 0, 0};
    for (int s = 0; s < 3; s++) {
        double scale = scales[s];
        wit_body* a = track_ellipsoid(vec3(scale, 1.5 * scale, 0.7 * scale), true);
        wit_body* b = track_ellipsoid(vec3(0.8 * scale, 0.5 * scale, 1.2 * scale), false);
        for (long k = 0, n = 1 + campaign(30); k < n; k++) {
            sway sa = sway_make(&r, vec3(0, 0, 0), 0.3 * scale, 1, 1);
            sway sb = sway_make(&r, vec3(4 * scale, 0, 0), 0.3 * scale, 1, 1);
            wit_vec3 axis = random_unit(&r), place = random_vector(&r, 0, 5 * scale);
            wit_pose world = {place, wit_quat_about(axis, 2)};
            wit_tracker *t = track_start(a, b, NULL), *u = track_start(a, b, NULL), *v = track_start(b, a, NULL);
            for (int i = 0; i < 50; i++) {
                wit_motion m[2] = {sway_at(&sa, i * 1e-3), sway_at(&sb, i * 1e-3)}, w[2];
                for (int j = 0; j < 2; j++) {
                    w[j] = m[j];
                    w[j].pose = wit_pose_compose(&world, &m[j].pose);
                    w[j].twist.velocity = wit_pose_vector(&world, m[j].twist.velocity);
                    w[j].twist.angular = wit_pose_vector(&world, m[j].twist.angular);
                }
                wit_result o, p, q;
                stepped(t, &m[0], &m[1], &o);
                stepped(u, &w[0], &w[1], &p);
                stepped(v, &m[1], &m[0], &q);
                worst[0] = fmax(worst[0], fabs(o.distance - p.distance) / scale);
                worst[1] = fmax(worst[1], fabs(o.distance - q.distance) / scale);
                worst[2] = fmax(worst[2], norm3(add3(o.normal, q.normal)));
                near3(wit_pose_vector(&world, o.normal), p.normal, 1e-6, "normal, moved along");
            }
            wit_tracker_destroy(t);
            wit_tracker_destroy(u);
            wit_tracker_destroy(v);
        }
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_message("moved together %.2g, swapped %.2g (normal %.2g)\n", worst[0], worst[1], worst[2]);
    assert_true(worst[0] <= 5e-12 && worst[1] <= 5e-12 && worst[2] <= 1e-6);
}

/* The kernel sets round differently, no more: same work, distances equal to rounding. */
static void kernel_sets_agree(void** state)
{
    (void)state;
    if (!wit_kernel_available(WIT_KERNEL_AVX2_FMA)) skip();
    rng r = rng_seed(714);
    double worst = 0;
    long n = 1 + campaign(100), steps = 0, work = 0;
    for (long k = 0; k < n; k++) {
        bool pair = k % 2;
        wit_body* a = track_ellipsoid(vec3(1, 1.5, 0.7), k % 3);
        wit_body* b = pair ? track_ellipsoid(vec3(0.8, 0.5, 1.2), k % 3) : NULL;
        wit_track_def def = wit_track_default_def();
        def.kernel = WIT_KERNEL_PORTABLE;
        wit_tracker* t = track_start(a, b, &def);
        def.kernel = WIT_KERNEL_AVX2_FMA;
        wit_tracker* u = track_start(a, b, &def);
        sway sa = sway_make(&r, vec3(0, 0, 0), 0.3, 1, 1), sb = sway_make(&r, vec3(4, 0, 0), 0.3, 1, 1);
        for (int i = 0; i < 200; i++, steps++) {
            wit_motion ma = sway_at(&sa, i * 1e-3), mb = sway_at(&sb, i * 1e-3);
            wit_result o, p;
            stepped(t, &ma, &mb, &o);
            stepped(u, &ma, &mb, &p);
            worst = fmax(worst, fabs(o.distance - p.distance));
            work += o.work.units != p.work.units;
            assert_int_equal(o.outcome, p.outcome);
        }
        wit_tracker_destroy(t);
        wit_tracker_destroy(u);
        wit_body_destroy(a);
        if (b) wit_body_destroy(b);
    }
    print_message("portable and AVX2+FMA: %ld steps, distances differ by %.2g, work in %ld steps\n", steps, worst,
                  work);
    assert_true(worst <= 1e-13); /* coordinates of up to 5: 100 roundings of half a unit */
}

static void reset_is_a_fresh_start(void** state)
{
    (void)state;
    wit_body* a = track_ellipsoid(vec3(1, 1.5, 0.7), false);
    size_t bytes;
    void *m, *n;
    wit_tracker *t = track_start_in(&m, &bytes, a, NULL), *u = track_start_in(&n, &bytes, a, NULL);
    wit_motion ma = rest(0, 0, 0);
    wit_result o, p;
    for (int i = 0; i < 20; i++) {
        wit_motion mb = rest(3 - 0.01 * i, 0.02 * i, 1);
        stepped(t, &ma, &mb, &o);
    }
    wit_tracker_reset(t);
    for (int i = 0; i < 20; i++) {
        wit_motion mb = rest(-2, 0.03 * i, 1 - 0.01 * i);
        stepped(t, &ma, &mb, &o);
        stepped(u, &ma, &mb, &p);
        assert_memory_equal(&o.distance, &p.distance, sizeof o.distance);
        assert_memory_equal(&o.a.u, &p.a.u, sizeof o.a.u);
        assert_memory_equal(&o.a.v, &p.a.v, sizeof o.a.v);
        assert_int_equal(o.flags, p.flags);
        assert_int_equal(o.work.units, p.work.units);
    }
    test_free(m);
    test_free(n);
    wit_body_destroy(a);
}

/* ---- what is refused -------------------------------------------------------------------------- */

typedef struct wrong_def {
    const char* item;
    void (*spoil)(wit_track_def* d);
} wrong_def;

static void spoil_size(wit_track_def* d)
{
    d->struct_size = 7;
}
static void spoil_law(wit_track_def* d)
{
    d->law = wit_law_preset(WIT_LAW_COUNT);
}
static void spoil_kernel(wit_track_def* d)
{
    d->kernel = WIT_KERNEL_COUNT;
}
static void spoil_form(wit_track_def* d)
{
    d->form = WIT_FORM_COUNT;
}
static void spoil_prediction(wit_track_def* d)
{
    d->prediction = WIT_PREDICTION_COUNT;
}
static void spoil_switching(wit_track_def* d)
{
    static wit_law_def law;
    law = wit_law_default_def(WIT_LAW_SWITCHING);
    law.switching = WIT_SWITCHING_COUNT;
    d->law = &law;
}
static void spoil_tolerance(wit_track_def* d)
{
    d->tolerance = 1e-16;
}
static void spoil_tolerance_nan(wit_track_def* d)
{
    d->tolerance = NAN;
}
static void spoil_certify(wit_track_def* d)
{
    d->certify = -1;
}
static void spoil_within(wit_track_def* d)
{
    d->within = NAN;
}
static void spoil_budget(wit_track_def* d)
{
    d->budget = 63;
}
static void spoil_capacity(wit_track_def* d)
{
    d->capacity = 0;
}
static void spoil_front(wit_track_def* d)
{
    d->front = -1;
}
static void spoil_transitions(wit_track_def* d)
{
    d->transitions = -1;
}

static void bad_defs_are_refused_by_name(void** state)
{
    (void)state;
    const wrong_def list[] = {
        {"struct_size", spoil_size},
        {"law", spoil_law},
        {"form", spoil_form},
        {"kernel", spoil_kernel},
        {"prediction", spoil_prediction},
        {"switching", spoil_switching},
        {"tolerance", spoil_tolerance},
        {"tolerance", spoil_tolerance_nan},
        {"certify", spoil_certify},
        {"within", spoil_within},
        {"budget", spoil_budget},
        {"capacity", spoil_capacity},
        {"front", spoil_front},
        {"transitions", spoil_transitions},
    };
    wit_body* a = track_ellipsoid(vec3(1, 1.5, 0.7), false);
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        wit_track_def d = wit_track_default_def();
        list[k].spoil(&d);
        wit_error e = {0};
        wit_tracker* t = wit_tracker_create(a, NULL, &d, NULL, &e);
        if (t || strcmp(e.item, list[k].item)) print_error("wanted %s, got '%s': %s\n", list[k].item, e.item, e.text);
        assert_null(t);
        assert_string_equal(e.item, list[k].item);
        assert_true(strlen(e.text) > 10);
        assert_int_equal(wit_tracker_size(a, NULL, &d), 0);
    }
    assert_null(wit_tracker_create(NULL, NULL, NULL, NULL, NULL));
    assert_int_equal(wit_tracker_size(NULL, NULL, NULL), 0);
    size_t bytes;
    void* memory;
    track_start_in(&memory, &bytes, a, NULL);
    wit_track_def d = wit_track_default_def();
    wit_tracker* t = NULL;
    assert_int_not_equal(wit_tracker_init(memory, bytes - 1, a, NULL, &d, &t, NULL), WIT_OK);
    assert_int_not_equal(wit_tracker_init(NULL, bytes, a, NULL, &d, &t, NULL), WIT_OK);
    assert_null(t);
    test_free(memory);
    wit_tracker_destroy(NULL);
    wit_body_destroy(a);
}

static void bad_places_are_refused(void** state)
{
    (void)state;
    wit_body* a = track_ellipsoid(vec3(1, 1.5, 0.7), false);
    wit_tracker* t = track_start(a, NULL, NULL);
    wit_witness good = {.feature = WIT_FACE, .u = 1, .v = 0.2}, bad = good;
    assert_int_equal(wit_tracker_place(t, &good, NULL), WIT_OK);
    assert_int_not_equal(wit_tracker_place(t, NULL, NULL), WIT_OK);
    assert_int_not_equal(wit_tracker_place(NULL, &good, NULL), WIT_OK);
    bad.id = 1;
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    bad = good, bad.id = -1;
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    bad = good, bad.u = NAN;
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    bad = good, bad.v = INFINITY;
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    bad = good, bad.feature = WIT_EDGE; /* an ellipsoid has none */
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    bad = good, bad.feature = WIT_POINT;
    assert_int_not_equal(wit_tracker_place(t, &bad, NULL), WIT_OK);
    wit_motion ma = rest(0, 0, 0), mb = rest(3, 1, 0);
    wit_result o;
    stepped(t, &ma, &mb, &o);
    assert_int_equal(o.outcome, WIT_OUTCOME_CONVERGED);
    wit_tracker_destroy(t);
    wit_body_destroy(a);
}

/* Beyond the cut-off only the bound is kept up, and it is one; back within it, everything. */
static void the_cut_off_leaves_a_bound(void** state)
{
    (void)state;
    wit_body* a = track_ellipsoid(vec3(1, 1, 1), false);
    for (int pair = 0; pair < 2; pair++) {
        wit_body* b = pair ? track_ellipsoid(vec3(0.5, 0.5, 0.5), false) : NULL;
        double radii = pair ? 1.5 : 1;
        wit_track_def d = wit_track_default_def();
        d.within = 2;
        wit_tracker* t = track_start(a, b, &d);
        int beyond = 0, near = 0;
        for (int i = 0; i < 400; i++) {
            double s, c;
            wit_sincos(0.0314159 * i, &s, &c);
            wit_motion ma = rest(0, 0, 0), mb = rest(5 + 3 * c, s, 0);
            wit_result o;
            stepped(t, &ma, &mb, &o);
            double truth = norm3(mb.pose.position) - radii;
            assert_true(o.lower_bound <= truth + 1e-12);
            if (o.flags & WIT_FLAG_BEYOND) {
                beyond++;
                assert_true(truth >= 2 - 1e-12);
                assert_true(o.lower_bound >= 2 - 1e-9);
            } else {
                near++;
                near1(o.distance, truth, 1e-11, "distance within the cut-off");
            }
            if (truth < 2 - 1e-9) assert_true(!(o.flags & WIT_FLAG_BEYOND));
        }
        assert_true(beyond > 100 && near > 50);
        wit_tracker_destroy(t);
        if (b) wit_body_destroy(b);
    }
    wit_body_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_tells_distance_normal_witnesses_and_rate),
        cmocka_unit_test(rates_are_derivatives_of_the_distance),
        cmocka_unit_test(unknown_twists_change_no_answer),
        cmocka_unit_test(frame_order_and_scale_change_no_answer),
        cmocka_unit_test(kernel_sets_agree),
        cmocka_unit_test(reset_is_a_fresh_start),
        cmocka_unit_test(bad_defs_are_refused_by_name),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(the_cut_off_leaves_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
