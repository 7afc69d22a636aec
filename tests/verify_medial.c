/* SPDX-License-Identifier: MIT */
/*
 * The hybrid automaton inside a body by CVODE: the three-arc body, a point on the spiral, a candidate on each arc (all three
 * integrated together), the nearest of them the witness. It jumps where another one becomes as near (the medial axis), and the
 * sign changes where the point comes to its witness: the moments by root finding, against the exact ones and
 * those of the tracker's own integrator. Run by `make verify`; outside see verify_hybrid.
 */
#include "cvode_solver.h"
#include "law_scene.h"
#include "three_ball.h"

#define GAIN 10.0
#define END 80.0 /* s: outside, before the first vertex */

enum { ARCS = 3, EVENTS = 4 };

/* From circles: the jumps to arcs 2, 0, 1; then outside. */
static const double exact_time[EVENTS] = {20.01014429038085, 46.69033667755531, 73.37052906472978, 75.62363121380919};
static const int exact_arc[EVENTS] = {2, 0, 1, 1};

typedef struct automaton {
    int witness; /* the arc */
    bool outside;
} automaton;

static void spiral(double t, wit_vec3* q, wit_vec3* v)
{
    double r = 0.05 + 0.0165 * t, c = cos(0.0785 * t), s = sin(0.0785 * t);
    *q = vec3(r * c, r * s, 0);
    *v = vec3(0.0165 * c - 0.0785 * r * s, 0.0165 * s + 0.0785 * r * c, 0);
}

static wit_vec3 on_arc(int k, double x)
{
    return addscaled3(three_arc_centre(k, 1), THREE_BALL_RADIUS, vec3(cos(x), sin(x), 0));
}

/* x' = (-K Psi - b) / M on each arc: Psi = (f - q).f_x, M = f_x.f_x + (f - q).f_xx, b = -q'.f_x */
static int flow(double t, N_Vector y, N_Vector slope, void* user)
{
    (void)user;
    wit_vec3 q, v;
    spiral(t, &q, &v);
    for (int k = 0; k < ARCS; ++k) {
        double x = N_VGetArrayPointer(y)[k];
        wit_vec3 f = on_arc(k, x), d = scale3(THREE_BALL_RADIUS, vec3(-sin(x), cos(x), 0)), gap = sub3(f, q);
        double M = dot3(d, d) - dot3(gap, sub3(f, three_arc_centre(k, 1)));
        N_VGetArrayPointer(slope)[k] = (-GAIN * dot3(gap, d) + dot3(v, d)) / M;
    }
    return 0;
}

/* Roots: the other two as near as the witness (inside only), and the signed distance of the witness. */
static int guards(double t, N_Vector y, double* g, void* user)
{
    const automaton* m = user;
    const double* x = N_VGetArrayPointer(y);
    wit_vec3 q, v, f = on_arc(m->witness, x[m->witness]);
    spiral(t, &q, &v);
    for (int k = 1; k < ARCS; ++k) {
        int other = (m->witness + k) % ARCS;
        g[k - 1] = m->outside ? 1 : norm3(sub3(on_arc(other, x[other]), q)) - norm3(sub3(f, q));
    }
    g[2] = dot3(sub3(q, f), sub3(f, three_arc_centre(m->witness, 1))) / THREE_BALL_RADIUS;
    return 0;
}

typedef struct event {
    double time;
    int arc;
    bool crossing;
} event;

static int cvode_events(event* out, int capacity)
{
    automaton m = {1, false};
    wit_vec3 q, v;
    double x[ARCS], t = 0;
    spiral(t, &q, &v);
    for (int k = 0; k < ARCS; ++k) {
        wit_vec3 c = three_arc_centre(k, 1);
        x[k] = atan2(q.y - c.y, q.x - c.x);
    }
    int n = 0;
    while (n < capacity) {
        solver s = solver_open(ARCS, x, t, flow, guards, 3, &m);
        int direction[3] = {-1, -1, 1}, which[3] = {0, 0, 0};
        assert_int_equal(CVodeSetRootDirection(s.cvode, direction), CV_SUCCESS); /* not the one just passed */
        int how = CVode(s.cvode, END, s.y, &t, CV_NORMAL);
        assert_true(how == CV_ROOT_RETURN || how == CV_SUCCESS);
        if (how == CV_ROOT_RETURN) CVodeGetRootInfo(s.cvode, which);
        memcpy(x, N_VGetArrayPointer(s.y), sizeof x);
        solver_close(&s);
        if (how == CV_SUCCESS) return n;
        if (which[2])
            m.outside = true;
        else
            m.witness = (m.witness + (which[0] ? 1 : 2)) % ARCS;
        out[n++] = (event){t, m.witness, which[2] != 0};
    }
    return n;
}

static void cvode_meets_the_medial_axis_in_time(void** state)
{
    (void)state;
    event found[2 * EVENTS];
    double worst = 0;
    assert_int_equal(cvode_events(found, 2 * EVENTS), EVENTS);
    for (int k = 0; k < EVENTS; ++k) {
        assert_int_equal(found[k].arc, exact_arc[k]);
        assert_int_equal(found[k].crossing, k == EVENTS - 1);
        worst = fmax(worst, fabs(found[k].time - exact_time[k]));
    }
    print_message("  CVODE: %d events inside, worst %.2g s from the exact ones\n", EVENTS, worst);
    assert_true(worst < 1e-6);
}

/* Frames of 2 ms: straight between them, off by r w^2 h^2 / 8 = 4e-9 at 0.06 / s or more. */
static void jumps_are_those_that_cvode_finds(void** state)
{
    (void)state;
    event found[2 * EVENTS];
    assert_int_equal(cvode_events(found, 2 * EVENTS), EVENTS);
    law_model model = law_model_read("models/three-arc.json");
    law_track def = law_track_default(WIT_LAW_LINEARIZING);
    def.law.integrator = WIT_INTEGRATOR_DOPRI5;
    def.law.gain.value = GAIN;
    wit_tracker* t = law_tracker(model.body, NULL, &def);
    wit_motion a = rest_at(vec3(0, 0, 0));
    const double rate = 500;
    double last = 0, crossed = 0;
    for (int k = 0; k <= (int)(END * rate); ++k) {
        wit_vec3 q, v;
        spiral(k / rate, &q, &v);
        wit_motion b = rest_at(q);
        b.twist.velocity = v;
        wit_result r;
        assert_int_equal(wit_tracker_step(t, &a, &b, 1 / rate, &r), WIT_OK);
        if (last < 0 && r.distance >= 0) crossed = (k - r.distance / (r.distance - last)) / rate;
        last = r.distance;
    }
    wit_transition ours[8];
    assert_int_equal(wit_tracker_transitions(t, ours, 8), EVENTS - 1);
    double worst = fabs(crossed - found[EVENTS - 1].time);
    for (int k = 0; k < EVENTS - 1; ++k) {
        assert_true(ours[k].jumped && ours[k].to == WIT_EDGE && ours[k].to_id == found[k].arc);
        worst = fmax(worst, fabs(ours[k].time - 1 / rate - found[k].time)); /* the first frame lasted a step */
    }
    print_message("  dopri5: %d events inside at 500 Hz, worst %.2g s from CVODE's\n", EVENTS, worst);
    assert_true(worst < 1e-6);
    wit_tracker_destroy(t);
    law_model_drop(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cvode_meets_the_medial_axis_in_time),
        cmocka_unit_test(jumps_are_those_that_cvode_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
