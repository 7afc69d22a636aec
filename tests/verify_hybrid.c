/* SPDX-License-Identifier: MIT */
/*
 * The adaptive integrator and its events against CVODE of SUNDIALS, which finds roots of its own. Run by `make verify`.
 *
 * 1. The three-arc body and the spiral, outside: the law on an arc is written out here (one parameter), the guards are root
 *    functions: the moments of all hand-overs.
 * 2. Two ellipsoids on constant screws, the linearizing and the switching law in four parameters: the parameters
 *    after one long frame.
 */
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "law_scene.h"
#include "three_ball.h"

/* ---- CVODE --------------------------------------------------------------------------------- */

typedef struct solver {
    SUNContext context;
    N_Vector y;
    void* cvode;
    SUNNonlinearSolver fixed;
} solver;

static solver solver_open(int n, const double* y, double t, CVRhsFn f, CVRootFn roots, int root_count, void* user)
{
    solver s;
    assert_int_equal(SUNContext_Create(NULL, &s.context), 0);
    s.y = N_VNew_Serial(n, s.context);
    memcpy(N_VGetArrayPointer(s.y), y, sizeof(double) * (size_t)n);
    s.cvode = CVodeCreate(CV_ADAMS, s.context);
    assert_int_equal(CVodeInit(s.cvode, f, t, s.y), CV_SUCCESS);
    assert_int_equal(CVodeSStolerances(s.cvode, 1e-13, 1e-14), CV_SUCCESS);
    assert_int_equal(CVodeSetUserData(s.cvode, user), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxNumSteps(s.cvode, 10000000), CV_SUCCESS);
    assert_int_equal(CVodeSetMaxStep(s.cvode, 0.05), CV_SUCCESS); /* no guard comes and goes within a step */
    s.fixed = SUNNonlinSol_FixedPoint(s.y, 0, s.context);
    assert_int_equal(CVodeSetNonlinearSolver(s.cvode, s.fixed), CV_SUCCESS);
    if (roots) assert_int_equal(CVodeRootInit(s.cvode, root_count, roots), CV_SUCCESS);
    return s;
}

static void solver_close(solver* s)
{
    CVodeFree(&s->cvode);
    SUNNonlinSolFree(s->fixed);
    N_VDestroy(s->y);
    SUNContext_Free(&s->context);
}

/* ---- the spiral ---------------------------------------------------------------------------- */

#define GAIN 10.0

static void spiral(double t, wit_vec3* q, wit_vec3* v)
{
    double r = 0.05 + 0.0165 * t, c = cos(0.0785 * t), s = sin(0.0785 * t);
    *q = vec3(r * c, r * s, 0);
    *v = vec3(0.0165 * c - 0.0785 * r * s, 0.0165 * s + 0.0785 * r * c, 0);
}

/* The mode: an arc, or the vertex at which two of them meet. */
typedef struct mode {
    const wit_body* body;
    wit_feature_kind kind;
    int id;
} mode;

static int arc_flow(double t, N_Vector y, N_Vector slope, void* user)
{
    const mode* m = user;
    wit_vec3 q, v, c = three_arc_centre(m->id, 1);
    double x = N_VGetArrayPointer(y)[0];
    spiral(t, &q, &v);
    if (m->kind != WIT_EDGE) {
        N_VGetArrayPointer(slope)[0] = 0;
        return 0;
    }
    wit_vec3 f = addscaled3(c, THREE_BALL_RADIUS, vec3(cos(x), sin(x), 0)),
             d = scale3(THREE_BALL_RADIUS, vec3(-sin(x), cos(x), 0));
    wit_vec3 gap = sub3(f, q);
    double M = dot3(d, d) - dot3(gap, sub3(f, c));
    N_VGetArrayPointer(slope)[0] = (-GAIN * dot3(gap, d) + dot3(v, d)) / M;
    return 0;
}

/* Tangents of both arcs away from a vertex. */
static void tangents(const mode* m, wit_vec3 out[2], int edges[2])
{
    int n = 0;
    for (int e = 0; e < 3; ++e) {
        wit_edge_info i = wit_body_edge(m->body, e);
        if (i.start != m->id && i.end != m->id) continue;
        wit_curve_jet j;
        wit_curve_eval(i.curve, i.start == m->id ? i.range.lo : i.range.hi, 0, NULL, &j);
        edges[n] = e;
        out[n++] = scale3(i.start == m->id ? 1 : -1, unit3(j.d1));
    }
    assert_int_equal(n, 2);
}

static int arc_guards(double t, N_Vector y, double* g, void* user)
{
    const mode* m = user;
    if (m->kind == WIT_EDGE) {
        wit_edge_info i = wit_body_edge(m->body, m->id);
        double x = N_VGetArrayPointer(y)[0];
        g[0] = x - i.range.lo;
        g[1] = i.range.hi - x;
        return 0;
    }
    wit_vec3 q, v, tau[2];
    int edges[2];
    spiral(t, &q, &v);
    tangents(m, tau, edges);
    for (int k = 0; k < 2; ++k) g[k] = dot3(sub3(q, wit_body_vertex(m->body, m->id).point), tau[k]);
    return 0;
}

typedef struct event {
    double time;
    mode to;
} event;

/* Hand-overs from time 80, outside on arc 1, to 200. */
static int cvode_events(const wit_body* body, event* out)
{
    mode m = {body, WIT_EDGE, 1};
    wit_vec3 q, v, c = three_arc_centre(1, 1);
    double t = 80;
    spiral(t, &q, &v);
    double x = atan2(q.y - c.y, q.x - c.x);
    int n = 0;
    while (n < 32) {
        solver s = solver_open(1, &x, t, arc_flow, arc_guards, 2, &m);
        int falling = m.kind == WIT_EDGE ? -1 : 1, direction[2] = {falling, falling};
        assert_int_equal(CVodeSetRootDirection(s.cvode, direction), CV_SUCCESS); /* not the one just passed */
        int how = CVode(s.cvode, 200, s.y, &t, CV_NORMAL), which[2] = {0, 0};
        if (how == CV_ROOT_RETURN) CVodeGetRootInfo(s.cvode, which);
        assert_true(how == CV_ROOT_RETURN || how == CV_SUCCESS);
        solver_close(&s);
        if (how == CV_SUCCESS) return n;
        if (m.kind == WIT_EDGE) {
            wit_edge_info i = wit_body_edge(body, m.id);
            m = (mode){body, WIT_VERTEX, which[0] ? i.start : i.end};
        } else {
            wit_vec3 tau[2];
            int edges[2];
            tangents(&m, tau, edges);
            int e = which[0] ? edges[0] : edges[1];
            wit_edge_info i = wit_body_edge(body, e);
            x = i.start == m.id ? i.range.lo : i.range.hi;
            m = (mode){body, WIT_EDGE, e};
        }
        out[n++] = (event){t, m};
    }
    return n;
}

static void hand_overs_are_those_that_cvode_finds(void** state)
{
    (void)state;
    law_model model = law_model_read("models/three-arc.json");
    event found[32];
    int n = cvode_events(model.body, found);
    assert_int_equal(n, 8);
    for (int switching = WIT_SWITCHING_LOCAL; switching <= WIT_SWITCHING_VORONOI; ++switching) {
        law_track def = law_track_default(WIT_LAW_LINEARIZING);
        def.law.integrator = WIT_INTEGRATOR_DOPRI5;
        def.law.switching = (wit_switching)switching;
        def.law.gain.value = GAIN;
        wit_tracker* t = law_tracker(model.body, NULL, &def);
        wit_motion a = rest_at(vec3(0, 0, 0));
        const double rate = 500, start = 80;
        for (int k = 0; k <= (int)(120 * rate); ++k) {
            wit_vec3 q, v;
            spiral(start + k / rate, &q, &v);
            wit_motion b = rest_at(q);
            b.twist.velocity = v;
            wit_result r;
            assert_int_equal(wit_tracker_step(t, &a, &b, 1 / rate, &r), WIT_OK);
        }
        wit_transition ours[32];
        double worst = 0;
        assert_int_equal(wit_tracker_transitions(t, ours, 32), n);
        for (int k = 0; k < n; ++k) {
            assert_true(ours[k].to == found[k].to.kind && ours[k].to_id == found[k].to.id);
            /* the first frame lasted a step */
            worst = fmax(worst, fabs(ours[k].time - 1 / rate + start - found[k].time));
        }
        print_message("  %s: %d hand-overs at 500 Hz, worst %.2g s from CVODE's\n",
                      wit_switching_name(def.law.switching), n, worst);
        assert_true(worst < 1e-6);
        wit_tracker_destroy(t);
    }
    law_model_drop(&model);
}

/* ---- two ellipsoids ------------------------------------------------------------------------ */

typedef struct pair_flow {
    wit_moving_place a, b; /* at the beginning, on screws */
    law_track def;
} pair_flow;

static wit_moving_place later(const wit_moving_place* p, double t, double u, double v)
{
    wit_moving_place q = *p;
    q.motion.pose = wit_motion_after(&p->motion, t);
    q.motion.twist.velocity = wit_motion_velocity(&p->motion, q.motion.pose.position);
    q.u = u;
    q.v = v;
    return q;
}

static int pair_slope(double t, N_Vector y, N_Vector slope, void* user)
{
    const pair_flow* p = user;
    const double* x = N_VGetArrayPointer(y);
    wit_moving_place a = later(&p->a, t, x[0], x[1]), b = later(&p->b, t, x[2], x[3]);
    return law_speeds(&a, &b, &p->def, 0.1, N_VGetArrayPointer(slope)) ? -1 : 0;
}

static wit_body* ellipsoid(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = x, d.size_y = y, d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static void flows_of_a_pair_end_where_those_of_cvode_do(void** state)
{
    (void)state;
    wit_body *x = ellipsoid(1.6, 1.2, 1), *y = ellipsoid(0.9, 1.4, 1.1);
    rng r = rng_seed(95);
    double worst = 0;
    long n = campaign(100);
    for (long trial = 0; trial < n; ++trial) {
        pair_flow p = {.def =
                           law_alone(trial % 2 ? WIT_LAW_SWITCHING : WIT_LAW_LINEARIZING, WIT_INTEGRATOR_DOPRI5, 20)};
        p.def.track.form = (wit_form)(trial / 2 % 2);
        p.a = face_place(x, 0, 0);
        p.b = face_place(y, 0, 0);
        p.b.motion.pose.position = vec3(4, 0.3, 0.2);
        p.a.motion.twist.angular = random_vector(&r, 0, 1);
        p.b.motion.twist.angular = random_vector(&r, 0, 1);
        p.b.motion.twist.velocity = random_vector(&r, 0, 1);
        /* near the pair along x: u = 0 of a, u = pi of b */
        double at[4];
        for (int i = 0; i < 4; ++i) at[i] = rng_range(&r, -0.3, 0.3);
        at[2] += 3.14159265358979323846;
        if (at[0] < 0) at[0] += 2 * 3.14159265358979323846; /* the range of the face */
        const double span = 0.1;
        solver s = solver_open(4, at, 0, pair_slope, NULL, 0, &p);
        double t;
        assert_int_equal(CVode(s.cvode, span, s.y, &t, CV_NORMAL), CV_SUCCESS);
        double end[4];
        memcpy(end, N_VGetArrayPointer(s.y), sizeof end);
        solver_close(&s);
        /* the tracker: a frame at the beginning puts the poses there (a step so short that nothing moves), then one long frame */
        wit_tracker* tracker = law_tracker(x, y, &p.def);
        wit_witness wa = on_face(at[0], at[1]), wb = on_face(at[2], at[3]);
        wit_result out;
        assert_int_equal(wit_tracker_place(tracker, &wa, &wb), WIT_OK);
        wit_motion ma = p.a.motion, mb = p.b.motion;
        assert_int_equal(wit_tracker_step(tracker, &ma, &mb, 1e-15, &out), WIT_OK);
        ma = later(&p.a, span, 0, 0).motion;
        mb = later(&p.b, span, 0, 0).motion;
        assert_int_equal(wit_tracker_step(tracker, &ma, &mb, span, &out), WIT_OK);
        const double ours[4] = {out.a.u, out.a.v, out.b.u, out.b.v};
        for (int i = 0; i < 4; ++i) {
            double off = fabs(remainder(ours[i] - end[i], 2 * 3.14159265358979323846));
            worst = fmax(worst, off);
        }
        wit_tracker_destroy(tracker);
    }
    print_message("  %ld flows of 0.1 s: parameters within %.2g of CVODE's\n", n, worst);
    assert_true(worst < 1e-9); /* both ask for 1e-11 or less a step, some tens of steps */
    wit_body_destroy(x);
    wit_body_destroy(y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hand_overs_are_those_that_cvode_finds),
        cmocka_unit_test(flows_of_a_pair_end_where_those_of_cvode_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
