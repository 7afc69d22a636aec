/* SPDX-License-Identifier: MIT */
/*
 * The papers' block diagram (003, Fig. 7; 001, Fig. 5) as one system of differential equations: human, device, coupler, proxy, two
 * objects and the parameters of all closest points in one Runge-Kutta step. In exact arithmetic and exact time
 *     stored + dissipated - supplied
 * is constant; what it moves is the error of the method, which must fall with its order as the step is halved, through touches,
 * releases and hand-overs. The end of the motion must do so too.
 */
#define _POSIX_C_SOURCE 200809L
#include "haptic_world.h"

#include "campaign.h"

typedef struct outcome {
    double swing;     /* of the balance, at most */
    double variation; /* sum of what it moves from step to step */
    int touches;      /* pairs that begin or end to touch */
    int handed;       /* pairs in contact whose feature changes */
    int64_t most;     /* work of a step */
    wit_vec3 end[3];  /* of the proxy, the ball, the device */
    double dissipated;
} outcome;

static outcome run_at(const wit_scene* scene, wit_integrator method, double rate, double seconds)
{
    wit_haptic_def def;
    wit_error e = {0};
    assert_true(wit_scene_dynamics(scene, &def));
    assert_non_null(def.human);
    def.track = wit_scene_track_def(scene);
    def.law = wit_scene_law_def(scene);
    def.rate = rate;
    def.integrator = method;
    wit_haptic* w = wit_haptic_create(&def, NULL, &e);
    if (!w) print_message("%s: %s\n", e.item, e.text);
    assert_non_null(w);
    wit_motion want;
    assert_int_equal(wit_scene_device(scene, 0, &want), WIT_OK);
    assert_int_equal(wit_haptic_device_start(w, &want), WIT_OK);
    outcome o = {0};
    int steps = (int)lround(rate * seconds), touching = 0;
    double first = 0, last = 0;
    wit_haptic_result r = {0};
    for (int k = 1; k <= steps; ++k) {
        assert_int_equal(wit_scene_device(scene, k / rate, &want), WIT_OK);
        assert_int_equal(wit_haptic_step(w, &want, 1 / rate, &r), WIT_OK);
        assert_true(r.finite);
        double total = r.energy.stored + r.energy.dissipated - r.energy.supplied;
        if (k == 1) first = last = total;
        o.swing = fmax(o.swing, fabs(total - first));
        o.variation += fabs(total - last);
        o.touches += abs(r.touching - touching);
        o.most = r.work.units > o.most ? r.work.units : o.most;
        last = total;
        touching = r.touching;
    }
    o.dissipated = r.energy.dissipated;
    wit_motion m;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(wit_haptic_body(w, i + 1, &m), WIT_OK);
        o.end[i] = m.pose.position;
    }
    o.end[2] = r.device.pose.position;
    wit_haptic_destroy(w);
    return o;
}

static double apart(const outcome* x, const outcome* y)
{
    double most = 0;
    for (int i = 0; i < 3; ++i) most = fmax(most, norm3(sub3(x->end[i], y->end[i])));
    return most;
}

enum { RATES = 5 };

/* Each halving of the step must take off the part of the order that is asked for, of what the balance moves in all; so must the
 * last one of how far the ends are apart. */
static void judge(const char* name, const outcome* o, int count, double rate, double order)
{
    double before = 0;
    for (int i = 0; i < count; ++i) {
        print_message(
            "  %s %5.0f Hz: the balance moves by %.2e, in all %.2e, of %.4g dissipated; %d touches, %d hand-overs in "
            "contact, %lld units at most",
            name, rate * (1 << i), o[i].swing, o[i].variation, o[i].dissipated, o[i].touches, o[i].handed,
            (long long)o[i].most);
        double off = i ? apart(&o[i - 1], &o[i]) : 0;
        if (i) print_message("; order %.2f", log2(o[i - 1].variation / o[i].variation));
        if (i > 1) print_message(", of the ends %.2f", log2(before / off));
        print_message("\n");
        if (i) assert_true(log2(o[i - 1].variation / o[i].variation) > order - 0.4);
        if (i > 1 && i == count - 1) assert_true(log2(before / off) > order - 0.4);
        before = off;
    }
}

static void the_diagram(wit_integrator method, double order)
{
    wit_error e = {0};
    wit_scene* scene = wit_scene_read_file("scenes/003-block-diagram-rk4.json", NULL, NULL, NULL, &e);
    assert_non_null(scene);
    outcome o[RATES];
    int count = campaign(10) > 5 ? 5 : 4;
    for (int i = 0; i < count; ++i) o[i] = run_at(scene, method, 1000 << i, 5);
    judge(wit_integrator_name(method), o, count, 1000, order);
    assert_true(o[count - 1].touches > 20);
    wit_scene_destroy(scene);
}

static void balance_closes_at_order_four(void** state)
{
    (void)state;
    the_diagram(WIT_INTEGRATOR_RK4, 4);
}

static void balance_closes_at_order_two(void** state)
{
    (void)state;
    the_diagram(WIT_INTEGRATOR_RK2, 2);
}

/* A ball in a hand is pressed onto a block and dragged over its edge, from face to edge to face, without letting go. */
static outcome drag(double rate)
{
    wit_solid_def solid = wit_solid_default_def(WIT_SOLID_BOX);
    solid.size_x = solid.size_y = solid.size_z = 20;
    wit_body *block = wit_solid_create(&solid, NULL, NULL), *ball = world_ball(3);
    wit_haptic_body_def bodies[2] = {wit_haptic_default_body(), wit_haptic_default_body()};
    bodies[0].shape = block;
    bodies[1].shape = ball;
    bodies[1].drive = WIT_DRIVE_DYNAMIC;
    bodies[1].mass = 0.05;
    bodies[1].lever = 0;
    for (int i = 0; i < 3; ++i) bodies[1].inertia[4 * i] = 0.18;
    bodies[1].start.pose.position = vec3(6, 1, 12.95);
    bodies[1].start.pose.rotation = wit_quat_about(vec3(1, 0, 0), 1.5707963267948966); /* no pole at the contact */
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_human hand = wit_human_default();
    hand.angular_stiffness = 500;
    hand.angular_damping = 2;
    hand.inertia = 1;
    hand.device_damping = hand.device_angular_damping = 2;
    hand.at = wit_motion_at_rest(bodies[1].start.pose);
    wit_haptic_def def = wit_haptic_default_def();
    def.bodies = bodies;
    def.body_count = 2;
    def.pairs = &pair;
    def.pair_count = 1;
    def.response =
        (wit_response){.stiffness = 3000, .damping = 2, .friction = 0.2, .slip_speed = 25, .correction = 0.2};
    def.tool = 1;
    def.coupler = (wit_coupler){200, 0.5, 200, 0.3};
    def.human = &hand;
    def.law = wit_law_default_def(WIT_LAW_LINEARIZING);
    def.law.gain.value = 200;
    def.integrator = WIT_INTEGRATOR_RK4;
    def.rate = rate;
    wit_error e = {0};
    wit_haptic* w = wit_haptic_create(&def, NULL, &e);
    if (!w) print_message("%s: %s\n", e.item, e.text);
    assert_non_null(w);
    outcome o = {0};
    wit_motion want = hand.at;
    assert_int_equal(wit_haptic_device_start(w, &want), WIT_OK);
    double first = 0, last = 0;
    wit_feature_kind on = WIT_FACE;
    wit_haptic_result r = {0};
    wit_haptic_pair p = {0};
    for (int k = 1; k <= (int)lround(1.2 * rate); ++k) {
        /* a quarter of a circle about the edge, pressed in by 2.5 */
        double q = 2 * k / rate, s = q - sin(2 * q) / 2, ds = 2 * (1 - cos(2 * q));
        wit_vec3 start = hand.at.pose.position;
        want.pose.position = vec3(start.x + 4 * s, start.y, start.z - 2.5 * (1 - cos(q)) - 1.5 * s * s);
        want.twist.velocity = vec3(4 * ds, 0, -2.5 * 2 * sin(q) - 3 * s * ds);
        want.twist_known = true;
        assert_int_equal(wit_haptic_step(w, &want, 1 / rate, &r), WIT_OK);
        assert_true(r.finite);
        assert_int_equal(wit_haptic_contact(w, 0, &p), WIT_OK);
        double total = r.energy.stored + r.energy.dissipated - r.energy.supplied;
        if (k == 1) first = last = total;
        o.swing = fmax(o.swing, fabs(total - first));
        o.variation += fabs(total - last);
        o.most = r.work.units > o.most ? r.work.units : o.most;
        o.handed += p.touching && p.track.a.feature != on;
        on = p.track.a.feature;
        last = total;
    }
    o.dissipated = r.energy.dissipated;
    o.end[0] = r.tool.pose.position;
    o.end[2] = r.device.pose.position;
    wit_haptic_destroy(w);
    wit_body_destroy(block);
    wit_body_destroy(ball);
    return o;
}

static void balance_closes_over_an_edge(void** state)
{
    (void)state;
    outcome o[4];
    for (int i = 0; i < 4; ++i) o[i] = drag(500 << i);
    judge("edge", o, 4, 500, 4);
    for (int i = 0; i < 4; ++i) assert_true(o[i].handed > 0);
}

static void a_hand_is_refused_by_name(void** state)
{
    (void)state;
    wit_error e = {0};
    wit_scene* scene = wit_scene_read_file("scenes/003-block-diagram-rk4.json", NULL, NULL, NULL, &e);
    assert_non_null(scene);
    assert_false(wit_scene_human(scene, NULL)); /* it is in the world */
    wit_haptic_def def;
    assert_true(wit_scene_dynamics(scene, &def));
    wit_human hand = *def.human;
    def.human = &hand;
    hand.mass = 0;
    assert_int_equal(wit_haptic_check(&def, 1000, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "human.mass");
    hand.mass = 0.1;
    hand.damping = NAN;
    assert_int_equal(wit_haptic_check(&def, 1000, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "human.damping");
    hand.damping = 2;
    hand.stiffness = 1e7;
    assert_int_equal(wit_haptic_check(&def, 1000, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "human.stiffness");
    hand.stiffness = 300;
    hand.at.pose.position.x = NAN;
    assert_int_equal(wit_haptic_check(&def, 1000, &e), WIT_ERROR_NUMBER);
    assert_string_equal(e.item, "human.at");
    hand = *def.human;
    hand.at = wit_motion_at_rest(wit_pose_identity());
    def.integrator = WIT_INTEGRATOR_DEFAULT;
    assert_int_equal(wit_haptic_check(&def, 1000, &e), WIT_ERROR_UNSUPPORTED);
    assert_string_equal(e.item, "human");
    def.integrator = WIT_INTEGRATOR_RK4;
    wit_haptic* w = wit_haptic_create(&def, NULL, &e);
    assert_non_null(w);
    wit_motion at = hand.at;
    wit_haptic_result r;
    assert_int_equal(wit_haptic_device_start(w, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_haptic_step(w, &at, 1e-3, &r), WIT_OK);
    assert_int_equal(wit_haptic_device_start(w, &at), WIT_ERROR_ARGUMENT); /* too late */
    wit_haptic_destroy(w);
    wit_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance_closes_at_order_four), cmocka_unit_test(balance_closes_at_order_two),
        cmocka_unit_test(balance_closes_over_an_edge), cmocka_unit_test(a_hand_is_refused_by_name)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
