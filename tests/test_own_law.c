/* SPDX-License-Identifier: MIT */
/* A flow of the user's is run as those of the papers are: by every integrator, along borders, over hand-overs. */
#include "law_scene.h"

/* The linearizing law, written as a user would: M x' = -K Psi - b over what is not held, by Gauss with pivots. */
static bool linearize(const wit_flow_view* v, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    double m[WIT_MAX_PARAMETERS][WIT_MAX_PARAMETERS + 1];
    int index[WIT_MAX_PARAMETERS], n = 0;
    for (int i = 0; i < v->count; ++i)
        if (!(v->held >> i & 1)) index[n++] = i;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) m[i][j] = v->M[index[i] * v->count + index[j]];
        m[i][n] = -v->gain * v->psi[index[i]] - v->b[index[i]];
    }
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (m[best][k] == 0) return false;
        for (int j = 0; j <= n; ++j) {
            double t = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = t;
        }
        for (int i = 0; i < n; ++i)
            for (int j = n; i != k && j >= k; --j) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    for (int i = 0; i < n; ++i) speeds[index[i]] = m[i][n] / m[i][i];
    if (user) ++*(long*)user;
    return true;
}

static bool no_answer(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    (void)view;
    speeds[0] = 1;
    return *(bool*)user;
}

static bool not_a_number(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user)
{
    (void)view;
    (void)user;
    speeds[0] = NAN;
    return true;
}

static law_track own(wit_flow_function* flow, void* user)
{
    law_track d = law_track_default(WIT_LAW_OWN);
    d.law.flow = flow;
    d.law.flow_user = user;
    d.track.reacquire = false;
    return d;
}

/* Two trackers of a point that goes past a patch, off its border too. */
static void own_flow_follows_as_the_papers_law_does(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    for (int i = WIT_INTEGRATOR_EULER; i < WIT_INTEGRATOR_COUNT; ++i) {
        long calls = 0;
        law_track mine = own(linearize, &calls), theirs = law_track_default(WIT_LAW_LINEARIZING);
        theirs.track = mine.track;
        mine.law.integrator = theirs.law.integrator = (wit_integrator)i;
        mine.law.switching = theirs.law.switching = i % 2 ? WIT_SWITCHING_VORONOI : WIT_SWITCHING_LOCAL;
        mine.law.gain.value = theirs.law.gain.value = 50;
        wit_tracker *t = law_tracker(m.body, NULL, &mine), *u = law_tracker(m.body, NULL, &theirs);
        wit_witness start = on_face(0.4, 0.5);
        double worst = 0;
        int edges = 0;
        assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
        assert_int_equal(wit_tracker_place(u, &start, NULL), WIT_OK);
        wit_vec3 q = {0, 0, 0};
        wit_result x = {0}, y;
        for (int k = 0; k < 800; ++k) {
            double s = k < 400 ? k : 400; /* goes off the border, and stays there */
            q = vec3(5 + 0.03 * s, 5 + 0.005 * s, 12 - 0.025 * s);
            x = law_step(t, q, 1e-3);
            y = law_step(u, q, 1e-3);
            worst = fmax(worst, fabs(x.distance - y.distance));
            edges += x.a.feature == WIT_EDGE;
            assert_int_equal(x.flags, y.flags);
            assert_true(x.a.feature == y.a.feature && x.a.id == y.a.id && x.gain == y.gain);
        }
        print_message("  %s, %s: within %.2g of the linearizing law, %ld calls, %d frames on an edge\n",
                      wit_integrator_name((wit_integrator)i), wit_switching_name(mine.law.switching), worst, calls,
                      edges);
        assert_true(worst < 1e-9);
        assert_true(fabs(x.distance - law_closest(m.body, q).distance) < 1e-3 && calls >= 800 && edges > 100);
        wit_tracker_destroy(t);
        wit_tracker_destroy(u);
    }
    law_model_drop(&m);
}

/* Between two faces each way of the contact form and of the papers', and held at borders: the speeds themselves. */
static void speeds_at_borders_are_the_reduced_ones(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(77);
    for (int n = 0; n < 2000; ++n) {
        law_track mine = own(linearize, NULL), theirs = law_track_default(WIT_LAW_LINEARIZING);
        mine.track.form = theirs.track.form = (wit_form)(n % 2);
        double at[4], x[WIT_MAX_PARAMETERS], y[WIT_MAX_PARAMETERS];
        for (int i = 0; i < 4; ++i) at[i] = rng_int(&r, 2) ? rng_range(&r, 0, 1) : (double)rng_int(&r, 2);
        wit_moving_place a = face_place(m.body, at[0], at[1]), b = face_place(m.body, at[2], at[3]);
        b.motion.pose.position = vec3(rng_range(&r, -3, 3), rng_range(&r, -3, 3), rng_range(&r, 9, 15));
        b.motion.twist.velocity = vec3(rng_range(&r, -1, 1), 0.3, -0.2);
        assert_int_equal(law_speeds(&a, &b, &mine, 1e-3, x), WIT_OK);
        assert_int_equal(law_speeds(&a, &b, &theirs, 1e-3, y), WIT_OK);
        double size = largest(y, 4);
        for (int i = 0; i < 4; ++i) assert_true(fabs(x[i] - y[i]) <= 1e-7 * size);
    }
    law_model_drop(&m);
}

static void without_an_answer_the_gradient_takes_over(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    wit_vec3 q = vec3(5, 5, 12);
    wit_closest c = law_closest(m.body, q);
    bool answers = false;
    for (int k = 0; k < 2; ++k) {
        law_track d = k ? own(not_a_number, NULL) : own(no_answer, &answers);
        wit_tracker* t = law_tracker(m.body, NULL, &d);
        wit_witness start = on_face(0.2, 0.8);
        wit_result r = {0};
        assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
        for (int n = 0; n < 300; ++n) {
            r = law_step(t, q, 1e-3);
            assert_true(n == 0 || (r.flags & WIT_FLAG_FELL_BACK)); /* the first is the start */
        }
        assert_true(r.outcome == WIT_OUTCOME_CONVERGED && fabs(r.distance - c.distance) < 1e-9);
        wit_tracker_destroy(t);
    }
    law_model_drop(&m);
}

/* The def may go once the tracker is made, and a copy of the block goes on with the same bits. */
static void tracker_keeps_its_law(void** state)
{
    (void)state;
    law_model m = law_model_read("models/three-ball.json");
    long calls = 0;
    law_track d = own(linearize, &calls);
    wit_track_def def = track_def(&d);
    size_t bytes = wit_tracker_size(m.body, NULL, &def);
    char *one = malloc(bytes), *two = malloc(bytes);
    wit_tracker* t = NULL;
    assert_true(bytes > 0 && one && two);
    assert_int_equal(wit_tracker_init(one, bytes, m.body, NULL, &def, &t, NULL), WIT_OK);
    memset(&d, 0xff, sizeof d);
    memset(&def, 0xff, sizeof def);
    for (int k = 0; k < 20; ++k) law_step(t, vec3(2 + 0.001 * k, 1, 3), 1e-3);
    memcpy(two, one, bytes);
    for (int k = 20; k < 40; ++k) {
        wit_vec3 q = vec3(2 + 0.001 * k, 1, 3);
        wit_result x = law_step(t, q, 1e-3), y = law_step((wit_tracker*)(void*)two, q, 1e-3);
        assert_true(x.distance == y.distance && x.a.u == y.a.u && x.a.v == y.a.v);
    }
    assert_true(calls > 40);
    free(one);
    free(two);
    law_model_drop(&m);
}

static void own_flow_is_refused_by_name(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    law_track d = own(NULL, NULL);
    wit_error e = {0};
    assert_null(law_create(m.body, NULL, &d, &e));
    assert_string_equal(e.item, "flow");
    d = own(linearize, NULL);
    d.law.gain.kind = WIT_GAIN_AUTO;
    assert_null(law_create(m.body, NULL, &d, &e));
    assert_string_equal(e.item, "gain.kind");
    d.law.gain.kind = WIT_GAIN_SCALAR;
    d.law.feedback = WIT_FEEDBACK_INTEGRATED;
    assert_null(law_create(m.body, NULL, &d, &e));
    assert_string_equal(e.item, "feedback");
    d.law.feedback = WIT_FEEDBACK_DIRECT;
    wit_moving_place a = face_place(m.body, 0.3, 0.4), b = point_place(vec3(5, 5, 9), vec3(1, 0, 0));
    wit_gain_limit limit;
    assert_int_equal(law_limits(&a, &b, &d, 1e-3, &limit), WIT_ERROR_ARGUMENT);
    /* settings that were not begun as they should be */
    wit_law_def zero = {0};
    wit_track_def def = wit_track_default_def();
    def.law = &zero;
    assert_null(wit_tracker_create(m.body, NULL, &def, NULL, &e));
    assert_string_equal(e.item, "law");
    zero = wit_law_default_def(WIT_LAW_SWITCHING);
    zero.struct_size = 8;
    assert_null(wit_tracker_create(m.body, NULL, &def, NULL, &e));
    assert_string_equal(e.item, "law");
    assert_string_equal(wit_law_name(WIT_LAW_OWN), "own");
    assert_null(wit_law_preset(WIT_LAW_DEADBEAT));
    def.law = wit_law_preset(WIT_LAW_OWN);
    assert_null(wit_tracker_create(m.body, NULL, &def, NULL, &e));
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_flow_follows_as_the_papers_law_does),
        cmocka_unit_test(speeds_at_borders_are_the_reduced_ones),
        cmocka_unit_test(without_an_answer_the_gradient_takes_over),
        cmocka_unit_test(tracker_keeps_its_law),
        cmocka_unit_test(own_flow_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
