/* SPDX-License-Identifier: MIT */
/*
 * The hybrid automaton in time: with the adaptive integrator the moments at which features hand over are found inside the
 * frames. The planar three-arc body and a point on a spiral, from inside through the medial axis to outside; the exact moments come
 * from circles and are known to 14 digits.
 */
#include "law_scene.h"

typedef struct event {
    double time;
    wit_feature_kind from, to;
    int from_id, to_id;
    bool crossing; /* of the surface: no hand-over */
} event;

/* Vertex ids: 0 between arcs 0 and 1, 1 between 1 and 2, 2 between 2 and 0. */
static const event events[] = {
    {20.01014429038085, WIT_EDGE, WIT_EDGE, 1, 2, false},    {46.69033667755531, WIT_EDGE, WIT_EDGE, 2, 0, false},
    {73.37052906472978, WIT_EDGE, WIT_EDGE, 0, 1, false},    {75.62363121380919, WIT_EDGE, WIT_EDGE, 1, 1, true},
    {99.12488313854959, WIT_EDGE, WIT_VERTEX, 1, 1, false},  {101.05683970320052, WIT_VERTEX, WIT_EDGE, 1, 2, false},
    {124.94090608940996, WIT_EDGE, WIT_VERTEX, 2, 2, false}, {128.61534125441628, WIT_VERTEX, WIT_EDGE, 2, 0, false},
    {151.0505127757392, WIT_EDGE, WIT_VERTEX, 0, 0, false},  {155.8557771508206, WIT_VERTEX, WIT_EDGE, 0, 1, false},
    {177.32672592449524, WIT_EDGE, WIT_VERTEX, 1, 1, false}, {182.92695397575196, WIT_VERTEX, WIT_EDGE, 1, 2, false},
};
enum { EVENTS = sizeof events / sizeof *events };

static wit_motion on_spiral(double t)
{
    double r = 0.05 + 0.0165 * t, c = cos(0.0785 * t), s = sin(0.0785 * t);
    wit_motion m = rest_at(vec3(r * c, r * s, 0));
    m.twist.velocity = vec3(0.0165 * c - 0.0785 * r * s, 0.0165 * s + 0.0785 * r * c, 0);
    return m;
}

/* Between frames the point is taken to go straight: off the spiral by r w^2 dt^2 / 8. So the frames are 4 ms apart next to an
 * event (4e-8 off, 2e-7 s) and far apart elsewhere. */
static double next_frame(double t)
{
    for (int k = 0; k < EVENTS; ++k)
        if (t > events[k].time - 0.3 && t < events[k].time + 0.1) return t + 0.004;
    return t + 0.1;
}

typedef struct run {
    wit_transition found[64];
    int64_t count;
    double crossed; /* when the distance changed its sign */
    double jump;    /* largest change of the distance over that of the point, less 1 */
    int64_t most;   /* units in a step */
    double late;    /* largest residual, from the second second on */
} run;

static run spiral(const wit_body* body, const law_track* def)
{
    run r = {.jump = -1};
    wit_tracker* t = law_tracker(body, NULL, def);
    wit_motion a = rest_at(vec3(0, 0, 0)), last = on_spiral(0);
    double distance = 0, time = 0;
    wit_result out;
    for (int k = 0; time < 200; ++k) {
        double next = k ? next_frame(time) : 0;
        wit_motion b = on_spiral(next);
        assert_int_equal(wit_tracker_step(t, &a, &b, k ? next - time : 0.1, &out), WIT_OK);
        if (k > 0) {
            double moved = norm3(sub3(b.pose.position, last.pose.position));
            if (next > 1) r.jump = fmax(r.jump, fabs(out.distance - distance) / moved - 1);
            if (distance < 0 && out.distance >= 0)
                r.crossed = time - distance / (out.distance - distance) * (next - time);
        }
        if (next > 2) r.late = fmax(r.late, out.residual);
        if (out.work.units > r.most) r.most = out.work.units;
        distance = out.distance;
        last = b;
        time = next;
    }
    r.count = wit_tracker_transitions(t, r.found, 64);
    wit_tracker_destroy(t);
    return r;
}

static void compare(const run* r, const char* what)
{
    double worst = 0;
    int k = 0;
    for (int e = 0; e < EVENTS; ++e) {
        if (events[e].crossing) {
            worst = fmax(worst, fabs(r->crossed - events[e].time));
            continue;
        }
        if (k >= r->count) fail_msg("%s: only %d hand-overs", what, (int)r->count);
        const wit_transition* x = &r->found[k++];
        /* the first frame lasts 0.1 s before the spiral begins */
        double off = x->time - 0.1 - events[e].time;
        if (x->from != events[e].from || x->to != events[e].to || x->from_id != events[e].from_id ||
            x->to_id != events[e].to_id)
            fail_msg("%s: %s %d to %s %d at %.9f, not %s %d to %s %d at %.9f", what, wit_feature_kind_name(x->from),
                     x->from_id, wit_feature_kind_name(x->to), x->to_id, x->time - 0.1,
                     wit_feature_kind_name(events[e].from), events[e].from_id, wit_feature_kind_name(events[e].to),
                     events[e].to_id, events[e].time);
        /* a jump is judged at the end of its frame: the point has gone on for 4 ms at most, at less than 0.3 / s */
        assert_true(x->after <= x->before + 1e-9 || x->before < 0);
        assert_true(fabs(x->after - x->before) < (x->jumped ? 2 * 0.3 * 0.004 : 1e-9));
        worst = fmax(worst, fabs(off));
    }
    print_message("  %s: %d events, worst off by %.2g s; distance faster than the point by %.2g; residual %.2g; %d "
                  "units at most\n",
                  what, EVENTS, worst, r->jump, r->late, (int)r->most);
    assert_int_equal(r->count, EVENTS - 1);
    assert_true(worst < 1e-6);
    assert_true(r->jump < 1e-6);
}

static void events_of_the_spiral_are_met_in_time(void** state)
{
    (void)state;
    law_model m = law_model_read("models/three-arc.json");
    for (int switching = WIT_SWITCHING_LOCAL; switching <= WIT_SWITCHING_VORONOI; ++switching) {
        law_track def = law_track_default(WIT_LAW_LINEARIZING);
        def.law.integrator = WIT_INTEGRATOR_DOPRI5;
        def.law.switching = (wit_switching)switching;
        def.law.gain.value = 10;
        run r = spiral(m.body, &def);
        compare(&r, wit_switching_name(def.law.switching));
    }
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_the_spiral_are_met_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
