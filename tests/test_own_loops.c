/* SPDX-License-Identifier: MIT */
/* Integrators and outer loops of the user's are run as those of the library are: along borders, over hand-overs, with every law. */
#include "law_scene.h"

enum { STATE = 2 * WIT_MAX_PARAMETERS };

/* The classic Runge-Kutta method, in the order of operations of a table: sums of h a k from the first stage on. */
static bool classic(const wit_step_view* v, double* y, void* user)
{
    static const double a[4][4] = {{0}, {0.5}, {0, 0.5}, {0, 0, 1}}, c[4] = {0, 0.5, 0.5, 1};
    static const double b[4] = {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6};
    double k[4][STATE], z[STATE], h = v->dt;
    for (int s = 0; s < 4; ++s) {
        memcpy(z, y, sizeof(double) * (size_t)v->count);
        for (int j = 0; j < s; ++j)
            for (int i = 0; i < v->count; ++i) z[i] += h * a[s][j] * k[j][i];
        if (!v->slope(v, c[s], z, k[s])) return false;
    }
    for (int s = 0; s < 4; ++s)
        for (int i = 0; i < v->count; ++i) y[i] += h * b[s] * k[s][i];
    if (user) ++*(long*)user;
    return true;
}

/* Heun's method of order 3. */
static bool heun(const wit_step_view* v, double* y, void* user)
{
    double k1[STATE], k2[STATE], k3[STATE], z[STATE], h = v->dt;
    (void)user;
    if (!v->slope(v, 0, y, k1)) return false;
    for (int i = 0; i < v->count; ++i) z[i] = y[i] + h / 3 * k1[i];
    if (!v->slope(v, 1.0 / 3, z, k2)) return false;
    for (int i = 0; i < v->count; ++i) z[i] = y[i] + 2 * h / 3 * k2[i];
    if (!v->slope(v, 2.0 / 3, z, k3)) return false;
    for (int i = 0; i < v->count; ++i) y[i] += h * (k1[i] + 3 * k3[i]) / 4;
    return true;
}

static bool refuses(const wit_step_view* v, double* y, void* user)
{
    (void)v;
    y[0] = *(bool*)user ? NAN : 0.3;
    return *(bool*)user;
}

static bool as_published(const wit_outer_view* v, double mu[WIT_MAX_PARAMETERS], void* user)
{
    for (int i = 0; i < v->count; ++i) mu[i] = -v->gain * v->psi[i];
    if (user) ++*(long*)user;
    return true;
}

/* mu = -2 K Psi: what twice the gain does. */
static bool twice(const wit_outer_view* v, double mu[WIT_MAX_PARAMETERS], void* user)
{
    (void)user;
    for (int i = 0; i < v->count; ++i) mu[i] *= 2;
    return true;
}

static bool no_answer(const wit_outer_view* v, double mu[WIT_MAX_PARAMETERS], void* user)
{
    (void)v;
    mu[0] = *(bool*)user ? INFINITY : 17;
    return *(bool*)user;
}

/* Two trackers of a point that goes off the border of the patch and back: as far as the distances differ. */
static double apart(const law_model* m, const law_track* one, const law_track* two, int* edges)
{
    wit_tracker *t = law_tracker(m->body, NULL, one), *u = law_tracker(m->body, NULL, two);
    wit_witness start = on_face(0.4, 0.5);
    double worst = 0;
    assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
    assert_int_equal(wit_tracker_place(u, &start, NULL), WIT_OK);
    for (int k = 0; k < 800; ++k) {
        double s = k < 400 ? k : 800 - k;
        wit_vec3 q = vec3(5 + 0.03 * s, 5 + 0.005 * s, 12 - 0.025 * s);
        wit_result x = law_step(t, q, 1e-3), y = law_step(u, q, 1e-3);
        worst = fmax(worst, fmax(fabs(x.distance - y.distance), fmax(fabs(x.a.u - y.a.u), fabs(x.a.v - y.a.v))));
        if (edges) *edges += x.a.feature == WIT_EDGE;
        assert_true(x.a.feature == y.a.feature && x.a.id == y.a.id);
    }
    wit_tracker_destroy(t);
    wit_tracker_destroy(u);
    return worst;
}

static void an_integrator_of_ones_own_has_the_bits_of_the_librarys(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    for (int i = 0; i < WIT_LAW_COUNT; ++i) {
        if (!wit_law_is_flow((wit_law_kind)i)) continue;
        for (int k = 0; k < 4; ++k) {
            long calls = 0;
            int edges = 0;
            law_track mine = law_track_default((wit_law_kind)i);
            mine.track.reacquire = false;
            mine.track.form = WIT_FORM_PAPERS;
            mine.law.switching = k & 1 ? WIT_SWITCHING_VORONOI : WIT_SWITCHING_LOCAL;
            if (k & 2 && i == WIT_LAW_LINEARIZING) mine.law.feedback = WIT_FEEDBACK_INTEGRATED;
            mine.law.gain.value = 50;
            mine.law.cap = 200;
            law_track theirs = mine;
            theirs.law.integrator = WIT_INTEGRATOR_RK4;
            mine.law.integrator = WIT_INTEGRATOR_OWN;
            mine.law.advance = classic;
            mine.law.advance_user = &calls;
            double worst = apart(&m, &mine, &theirs, &edges);
            print_message("  %s, %s%s: %.2g off, %ld ways, %d frames on an edge\n", wit_law_name((wit_law_kind)i),
                          wit_switching_name(mine.law.switching), mine.law.feedback ? ", integrated" : "", worst, calls,
                          edges);
            assert_true(worst == 0 && calls >= 799 && edges > 100);
        }
    }
    law_model_drop(&m);
}

/* On an ellipsoid, whose derivatives do not jump as those of the patch do. */
static void its_order_shows(void** state)
{
    (void)state;
    law_model m = law_model_read("models/ellipsoid.json");
    double left[3];
    for (int n = 0; n < 3; ++n) {
        law_track d = law_alone(WIT_LAW_LINEARIZING, WIT_INTEGRATOR_OWN, 20);
        d.law.advance = heun;
        wit_tracker* t = law_tracker(m.body, NULL, &d);
        double h = 4e-3 / (1 << n);
        wit_witness start = on_face(0.5, 0.4);
        assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
        wit_result r = {0};
        for (int k = 0; k <= (int)lround(0.2 / h); ++k) r = law_step(t, vec3(20 + 3 * k * h, 20, 12), h);
        left[n] = r.a.u;
        wit_tracker_destroy(t);
    }
    double order = log2(fabs(left[0] - left[1]) / fabs(left[1] - left[2]));
    print_message("  order of Heun's third-order method: %.2f\n", order);
    assert_true(order > 2.7 && order < 3.3);
    law_model_drop(&m);
}

static void without_an_answer_the_step_is_rk2(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    for (int k = 0; k < 2; ++k) {
        bool nan = k;
        law_track d = law_alone(WIT_LAW_SWITCHING, WIT_INTEGRATOR_OWN, 50), theirs = d;
        d.law.advance = refuses;
        d.law.advance_user = &nan;
        theirs.law.integrator = WIT_INTEGRATOR_RK2;
        assert_true(apart(&m, &d, &theirs, NULL) == 0);
        wit_tracker* t = law_tracker(m.body, NULL, &d);
        wit_witness start = on_face(0.2, 0.4);
        assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
        law_step(t, vec3(5, 5, 12), 1e-3);
        assert_true(law_step(t, vec3(5, 5, 12), 1e-3).flags & WIT_FLAG_FELL_BACK);
        wit_tracker_destroy(t);
    }
    law_model_drop(&m);
}

/* Work is counted and bounded whatever the function asks for. */
static bool greedy(const wit_step_view* v, double* y, void* user)
{
    double k[STATE];
    for (long n = 0; n < 100000; ++n) {
        ++*(long*)user;
        if (!v->slope(v, 1.0 / (double)(n + 2), y, k)) return false;
    }
    return true;
}

static void its_work_is_within_the_budget(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    long calls = 0;
    law_track d = law_alone(WIT_LAW_LINEARIZING, WIT_INTEGRATOR_OWN, 50);
    d.law.advance = greedy;
    d.law.advance_user = &calls;
    d.track.budget = 500;
    wit_tracker* t = law_tracker(m.body, NULL, &d);
    wit_witness start = on_face(0.2, 0.4);
    assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
    for (int k = 0; k < 5; ++k) {
        wit_result r = law_step(t, vec3(5, 5, 12), 1e-3);
        assert_true(r.work.units <= 500 && (k == 0 || r.outcome == WIT_OUTCOME_BUDGET));
    }
    assert_true(calls > 100 && calls < 2000);
    wit_tracker_destroy(t);
    law_model_drop(&m);
}

static void an_outer_loop_is_mu(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    for (int k = 0; k < 2; ++k) {
        long calls = 0;
        bool answers = k;
        law_track plain = law_track_default(WIT_LAW_LINEARIZING);
        plain.track.reacquire = false;
        plain.law.gain.value = 50;
        plain.law.integrator = WIT_INTEGRATOR_RK3;
        if (k) plain.law.feedback = WIT_FEEDBACK_INTEGRATED;
        law_track mine = plain, faster = plain, none = plain;
        mine.law.outer = as_published;
        mine.law.outer_user = &calls;
        assert_true(apart(&m, &mine, &plain, NULL) == 0 && calls > 800);
        mine.law.outer = twice;
        faster.law.gain.value = 100;
        assert_true(apart(&m, &mine, &faster, NULL) < 1e-12);
        none.law.outer = no_answer;
        none.law.outer_user = &answers;
        assert_true(apart(&m, &none, &plain, NULL) == 0);
    }
    law_model_drop(&m);
}

static void what_is_not_known_is_refused(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    const struct {
        wit_law_kind law;
        wit_integrator integrator;
        wit_gain_kind gain;
        wit_outer_function* outer;
        wit_step_function* advance;
        const char* item;
    } cases[] = {{WIT_LAW_SWITCHING, WIT_INTEGRATOR_OWN, WIT_GAIN_SCALAR, NULL, NULL, "advance"},
                 {WIT_LAW_SWITCHING, WIT_INTEGRATOR_OWN, WIT_GAIN_AUTO, NULL, heun, "gain.kind"},
                 {WIT_LAW_LINEARIZING, WIT_INTEGRATOR_OWN, WIT_GAIN_ADAPTIVE, NULL, heun, "gain.kind"},
                 {WIT_LAW_EXPONENTIAL, WIT_INTEGRATOR_OWN, WIT_GAIN_SCALAR, NULL, heun, "cap"},
                 {WIT_LAW_SWITCHING, WIT_INTEGRATOR_RK2, WIT_GAIN_SCALAR, twice, NULL, "outer"},
                 {WIT_LAW_LINEARIZING, WIT_INTEGRATOR_RK2, WIT_GAIN_AUTO, twice, NULL, "gain.kind"},
                 {WIT_LAW_DEADBEAT, WIT_INTEGRATOR_OWN, WIT_GAIN_SCALAR, NULL, heun, "integrator"},
                 {WIT_LAW_SWITCHING, (wit_integrator)65, WIT_GAIN_SCALAR, NULL, heun, "integrator"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        law_track d = law_alone(cases[i].law, cases[i].integrator, 50);
        wit_error e = {0};
        d.law.gain.kind = cases[i].gain;
        d.law.outer = cases[i].outer;
        d.law.advance = cases[i].advance;
        assert_null(law_create(m.body, NULL, &d, &e));
        assert_string_equal(e.item, cases[i].item);
    }
    wit_moving_place a = face_place(m.body, 0.3, 0.4), b = point_place(vec3(5, 5, 9), vec3(1, 0, 0));
    wit_gain_limit limit;
    law_track d = law_alone(WIT_LAW_LINEARIZING, WIT_INTEGRATOR_OWN, 50);
    d.law.advance = heun;
    assert_int_equal(law_limits(&a, &b, &d, 1e-3, &limit), WIT_ERROR_ARGUMENT);
    assert_string_equal(wit_integrator_name(WIT_INTEGRATOR_OWN), "own");
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_integrator_of_ones_own_has_the_bits_of_the_librarys),
        cmocka_unit_test(its_order_shows),
        cmocka_unit_test(without_an_answer_the_step_is_rk2),
        cmocka_unit_test(its_work_is_within_the_budget),
        cmocka_unit_test(an_outer_loop_is_mu),
        cmocka_unit_test(what_is_not_known_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
