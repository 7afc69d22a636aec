/* SPDX-License-Identifier: MIT */
/* What a law can't do is refused, with the field and what would be right. */
#include "law_scene.h"

static const wit_body* patch;

/* Changes a good def so that it is bad. */
typedef void spoil(law_track* d);

static void refused(wit_law_kind law, spoil* change, const char* item, const char* says)
{
    law_track d = law_track_default(law);
    wit_error e = {0};
    wit_tracker* t = law_create(patch, NULL, &d, &e);
    if (!t) fail_msg("%s: %s: %s", wit_law_name(law), e.item, e.text);
    wit_tracker_destroy(t);
    change(&d);
    wit_track_def both = track_def(&d);
    assert_int_equal(wit_tracker_size(patch, NULL, &both), 0);
    t = law_create(patch, NULL, &d, &e);
    if (t) fail_msg("%s: %s was not refused", wit_law_name(law), item);
    if (strcmp(e.item, item) || !strstr(e.text, says))
        fail_msg("%s: refused at %s (%s), not at %s (%s)", wit_law_name(law), e.item, e.text, item, says);
    assert_int_not_equal(e.status, WIT_OK);
}

static void allowed(wit_law_kind law, spoil* change)
{
    law_track d = law_track_default(law);
    wit_error e = {0};
    change(&d);
    wit_tracker* t = law_create(patch, NULL, &d, &e);
    if (!t) fail_msg("%s: %s: %s", wit_law_name(law), e.item, e.text);
    wit_tracker_destroy(t);
}

static void take_rk4(law_track* d)
{
    d->law.integrator = WIT_INTEGRATOR_RK4;
}
static void take_papers(law_track* d)
{
    d->track.form = WIT_FORM_PAPERS;
}
static void take_voronoi(law_track* d)
{
    d->law.switching = WIT_SWITCHING_VORONOI;
}
static void integrate_psi(law_track* d)
{
    d->law.feedback = WIT_FEEDBACK_INTEGRATED;
}
static void integrate_psi_implicitly(law_track* d)
{
    d->law.feedback = WIT_FEEDBACK_INTEGRATED;
    d->law.integrator = WIT_INTEGRATOR_TRAPEZOID;
}
static void no_gain(law_track* d)
{
    d->law.gain.value = 0;
}
static void negative_gain(law_track* d)
{
    d->law.gain.value = -5;
}
static void infinite_gain(law_track* d)
{
    d->law.gain.value = INFINITY;
}
static void nan_gain(law_track* d)
{
    d->law.gain.value = NAN;
}
static void automatic(law_track* d)
{
    d->law.gain.kind = WIT_GAIN_AUTO;
}
static void each_but_one(law_track* d)
{
    d->law.gain.kind = WIT_GAIN_EACH;
    d->law.gain.side[0] = d->law.gain.side[1] = 1;
    for (int i = 0; i < 4; ++i) d->law.gain.parameter[i] = 1;
    d->law.gain.parameter[2] = 0;
}
static void each_side_nan(law_track* d)
{
    each_but_one(d);
    d->law.gain.parameter[2] = 1;
    d->law.gain.side[1] = NAN;
}
static void no_function(law_track* d)
{
    d->law.gain.kind = WIT_GAIN_CALLBACK;
}
static void matrix(law_track* d)
{
    static const double m[4] = {3, 5, -5, 3};
    d->law.gain.kind = WIT_GAIN_MATRIX;
    d->law.gain.count = 2;
    memcpy(d->law.gain.matrix, m, sizeof m);
}
static void matrix_not_definite(law_track* d)
{
    matrix(d);
    d->law.gain.matrix[1] = d->law.gain.matrix[2] = 4;
}
static void matrix_nan(law_track* d)
{
    matrix(d);
    d->law.gain.matrix[3] = NAN;
}
static void matrix_too_large(law_track* d)
{
    matrix(d);
    d->law.gain.count = 3;
}
static void matrix_too_small(law_track* d)
{
    matrix(d);
    d->law.gain.count = 1;
}
static void no_ball(law_track* d)
{
    d->law.ball = 0;
}
static void negative_cap(law_track* d)
{
    d->law.cap = -1;
}
static void no_cap(law_track* d)
{
    d->law.cap = INFINITY;
}
static void unknown_law(law_track* d)
{
    d->law.kind = (wit_law_kind)99;
}
static void unknown_integrator(law_track* d)
{
    d->law.integrator = (wit_integrator)-1;
}
static void unknown_switching(law_track* d)
{
    d->law.switching = WIT_SWITCHING_COUNT;
}
static void no_iterations(law_track* d)
{
    d->law.findmin.iterations = 0;
}

static void laws_refuse_what_they_cannot_do(void** state)
{
    (void)state;
    static const wit_law_kind jumps[] = {WIT_LAW_DEADBEAT, WIT_LAW_NEWTON, WIT_LAW_NEWTON_SATURATED, WIT_LAW_FINDMIN};
    static const wit_law_kind flows[] = {WIT_LAW_LINEARIZING, WIT_LAW_SWITCHING, WIT_LAW_EXPONENTIAL,
                                         WIT_LAW_MOTION_AWARE};
    for (int k = 0; k < 4; ++k) {
        assert_false(wit_law_is_flow(jumps[k]));
        assert_true(wit_law_is_flow(flows[k]));
        refused(jumps[k], take_rk4, "integrator", "no differential equation");
        refused(jumps[k], take_voronoi, "switching", "voronoi is for");
        refused(jumps[k], automatic, "gain.kind", "takes no gain");
        refused(jumps[k], integrate_psi, "feedback", "only linearizing");
        allowed(jumps[k], take_papers);
        allowed(flows[k], take_rk4);
        allowed(flows[k], take_papers);
        allowed(flows[k], take_voronoi);
    }
    refused(WIT_LAW_SWITCHING, integrate_psi, "feedback", "only linearizing");
    refused(WIT_LAW_LINEARIZING, integrate_psi_implicitly, "feedback", "trapezoid");
    allowed(WIT_LAW_LINEARIZING, integrate_psi);
    refused(WIT_LAW_DEADBEAT, unknown_law, "law", "99");
    refused(WIT_LAW_SWITCHING, unknown_integrator, "integrator", "-1");
    refused(WIT_LAW_SWITCHING, unknown_switching, "switching", "0 to 1");
    refused(WIT_LAW_FINDMIN, no_iterations, "findmin.iterations", "from 1");
}

static void gains_that_do_not_work_are_refused(void** state)
{
    (void)state;
    static const wit_law_kind laws[] = {WIT_LAW_LINEARIZING, WIT_LAW_SWITCHING, WIT_LAW_MOTION_AWARE};
    for (int k = 0; k < 3; ++k) {
        refused(laws[k], negative_gain, "gain.value", "must be positive");
        refused(laws[k], infinite_gain, "gain.value", "finite");
        refused(laws[k], nan_gain, "gain.value", "must be positive");
        refused(laws[k], each_but_one, "gain.parameter[2]", "must be positive");
        refused(laws[k], each_side_nan, "gain.side[1]", "must be positive");
        refused(laws[k], no_function, "gain.choose", "null");
        allowed(laws[k], automatic);
    }
    refused(WIT_LAW_SWITCHING, no_gain, "gain.value", "must be positive");
    allowed(WIT_LAW_LINEARIZING, no_gain); /* the pure velocity formulation */
    refused(WIT_LAW_SWITCHING, matrix, "gain.kind", "not a matrix");
    allowed(WIT_LAW_LINEARIZING, matrix);
    refused(WIT_LAW_LINEARIZING, matrix_not_definite, "gain.matrix", "positive definite");
    refused(WIT_LAW_LINEARIZING, matrix_nan, "gain.matrix[3]", "finite");
    refused(WIT_LAW_LINEARIZING, matrix_too_large, "gain.count", "must be 2");
    refused(WIT_LAW_LINEARIZING, matrix_too_small, "gain.count", "must be 2");
    refused(WIT_LAW_EXPONENTIAL, automatic, "gain.kind", "its own gains");
    refused(WIT_LAW_EXPONENTIAL, no_ball, "ball", "between 0 and 1");
    refused(WIT_LAW_EXPONENTIAL, negative_cap, "cap", "infinity for none");
    allowed(WIT_LAW_EXPONENTIAL, no_cap);
}

static void speeds_and_limits_refuse_what_trackers_refuse(void** state)
{
    (void)state;
    wit_moving_place a = face_place(patch, 0.3, 0.4), b = point_place(vec3(5, 5, 9), vec3(1, 0, 0)), bad = a;
    law_track d = law_alone(WIT_LAW_SWITCHING, WIT_INTEGRATOR_RK2, 10);
    const double untouched = 1234;
    double x[WIT_MAX_PARAMETERS] = {untouched, untouched, untouched, untouched};
    wit_gain_limit limit = {.upper = untouched};
    bad.u = NAN;
    const struct {
        const wit_moving_place *a, *b;
        double dt;
    } calls[] = {{&bad, &b, 1e-3}, {NULL, &b, 1e-3}, {&a, NULL, 1e-3}, {&b, &b, 1e-3},
                 {&a, &b, 0},      {&a, &b, NAN},    {&a, &b, -1}};
    for (size_t k = 0; k < sizeof calls / sizeof *calls; ++k) {
        assert_int_not_equal(law_speeds(calls[k].a, calls[k].b, &d, calls[k].dt, x), WIT_OK);
        assert_int_not_equal(law_limits(calls[k].a, calls[k].b, &d, calls[k].dt, &limit), WIT_OK);
    }
    for (int law = 0; law < WIT_LAW_COUNT; ++law) {
        d.law.kind = (wit_law_kind)law;
        d.law.integrator = WIT_INTEGRATOR_DEFAULT;
        bool flow = wit_law_is_flow((wit_law_kind)law);
        if (flow) continue;
        assert_int_equal(law_speeds(&a, &b, &d, 1e-3, x), WIT_ERROR_ARGUMENT);
        assert_int_equal(law_limits(&a, &b, &d, 1e-3, &limit), WIT_ERROR_ARGUMENT);
    }
    d.law.kind = WIT_LAW_SWITCHING;
    d.law.gain.value = -1;
    assert_int_equal(law_speeds(&a, &b, &d, 1e-3, x), WIT_ERROR_RANGE);
    d.law.gain.value = 10;
    d.track.struct_size = 8;
    assert_int_equal(law_speeds(&a, &b, &d, 1e-3, x), WIT_ERROR_ARGUMENT);
    d.track.struct_size = sizeof d.track;
    assert_int_equal(law_speeds(&a, &b, &d, 1e-3, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_law_speeds(&a, &b, NULL, 1e-3, x), WIT_ERROR_ARGUMENT);
    assert_true(x[0] == untouched && limit.upper == untouched);
    /* a point may stand first: the same pair, seen from there */
    double y[WIT_MAX_PARAMETERS];
    assert_int_equal(law_speeds(&a, &b, &d, 1e-3, x), WIT_OK);
    assert_int_equal(law_speeds(&b, &a, &d, 1e-3, y), WIT_OK);
    assert_true(x[0] == y[0] && x[1] == y[1] && x[0] != 0);
}

static void names_are_distinct_and_end(void** state)
{
    (void)state;
    assert_string_equal(wit_law_name(WIT_LAW_NEWTON_SATURATED), "newton_saturated");
    assert_string_equal(wit_law_name(WIT_LAW_COUNT), "?");
    assert_string_equal(wit_integrator_name(WIT_INTEGRATOR_BACKWARD_EULER), "backward_euler");
    assert_string_equal(wit_integrator_name((wit_integrator)-1), "?");
    assert_string_equal(wit_gain_kind_name(WIT_GAIN_CALLBACK), "callback");
    assert_string_equal(wit_gain_kind_name(WIT_GAIN_KIND_COUNT), "?");
    assert_string_equal(wit_feedback_name(WIT_FEEDBACK_INTEGRATED), "integrated");
    assert_string_equal(wit_switching_name(WIT_SWITCHING_VORONOI), "voronoi");
    assert_string_equal(wit_prediction_name(WIT_PREDICTION_TWIST), "twist");
    assert_string_equal(wit_outcome_name(WIT_OUTCOME_BUDGET), "budget");
    assert_string_equal(wit_flag_name(WIT_FLAG_OUTSIDE), "outside");
    assert_string_equal(wit_flag_name(WIT_FLAG_SWITCHED | WIT_FLAG_LOCAL), "?");
    assert_string_equal(wit_flag_name(0), "?");
    for (int i = 0; i < WIT_FLAG_COUNT; ++i)
        for (int j = 0; j < i; ++j) assert_string_not_equal(wit_flag_name(1u << i), wit_flag_name(1u << j));
    for (int i = 0; i < WIT_LAW_COUNT; ++i)
        for (int j = 0; j < i; ++j)
            assert_string_not_equal(wit_law_name((wit_law_kind)i), wit_law_name((wit_law_kind)j));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_refuse_what_they_cannot_do),
        cmocka_unit_test(gains_that_do_not_work_are_refused),
        cmocka_unit_test(speeds_and_limits_refuse_what_trackers_refuse),
        cmocka_unit_test(names_are_distinct_and_end),
    };
    law_model m = law_model_read("models/table1.json");
    patch = m.body;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    law_model_drop(&m);
    return failed;
}
