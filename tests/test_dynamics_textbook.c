/* SPDX-License-Identifier: MIT */
/* Motions that a textbook knows: free tops, rolling balls, collisions, the two-link arm. */
#include <stdlib.h>

#include "haptic_world.h"

/* ---- a free top ---------------------------------------------------------------------------- */

static wit_haptic* top_make(const wit_body* egg, wit_integrator method, double rate)
{
    wit_haptic_body_def b = world_dynamic(egg, 1, 0.3, 0.2, 0.1, vec3(0, 0, 0));
    b.start.twist.angular = vec3(0.4, 6, 0.2); /* about the middle axis: it turns over */
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = &b;
    d.body_count = 1;
    d.integrator = method;
    d.law.kind = method ? WIT_LAW_LINEARIZING : WIT_LAW_DEADBEAT;
    d.rate = rate * 0.999;
    return world_make(&d);
}

static wit_motion top_after(const wit_body* egg, wit_integrator method, int steps, double seconds, double* energy)
{
    wit_haptic* w = top_make(egg, method, steps / seconds);
    wit_haptic_result r = {0};
    double first = 0, swing = 0;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(wit_haptic_step(w, NULL, seconds / steps, &r), WIT_OK);
        if (!i) first = r.energy.kinetic;
        swing = fmax(swing, fabs(r.energy.kinetic / first - 1));
    }
    if (energy) *energy = swing;
    wit_motion m;
    wit_haptic_body(w, 0, &m);
    wit_haptic_destroy(w);
    return m;
}

static double turn_between(const wit_motion* a, const wit_motion* b)
{
    return norm3(wit_twist_between(&a->pose, &b->pose, 1).angular);
}

static void free_top_turns_at_the_order_of_its_integrator(void** state)
{
    (void)state;
    wit_body* egg = world_ellipsoid(0.3, 0.2, 0.1);
    static const struct {
        wit_integrator method;
        const char* name;
        int order;
    } list[] = {
        {WIT_INTEGRATOR_DEFAULT, "splitting", 2}, {WIT_INTEGRATOR_RK2, "rk2", 2}, {WIT_INTEGRATOR_RK4, "rk4", 4}};
    wit_motion truth = top_after(egg, WIT_INTEGRATOR_RK4, 16000, 2, NULL);
    for (int i = 0; i < 3; i++) {
        double before = 0;
        for (int n = 250, j = 0; j < 4; j++, n *= 2) {
            double swing;
            wit_motion m = top_after(egg, list[i].method, n, 2, &swing);
            double e = turn_between(&m, &truth), order = j ? log2(before / e) : 0;
            printf("free top, %-9s h = %.4f: error %.2e, order %.2f, energy within %.1e\n", list[i].name, 2.0 / n, e,
                   order, swing);
            if (j) assert_true(fabs(order - list[i].order) < 0.3);
            before = e;
        }
    }
    /* By splitting the energy swings and does not drift, and the angular momentum is kept to rounding. */
    double swing;
    wit_motion m = top_after(egg, WIT_INTEGRATOR_DEFAULT, 60000, 60, &swing);
    double inertia[3] = {0.01, 0.02, 0.026};
    wit_vec3 w = wit_pose_unvector(&m.pose, m.twist.angular);
    wit_vec3 l = wit_pose_vector(&m.pose, vec3(inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z));
    double off = norm3(sub3(l, vec3(0.004, 0.12, 0.0052)));
    printf("free top, a minute at 1 kHz: energy within %.1e, angular momentum within %.1e\n", swing, off);
    assert_true(swing < 1e-4 && off < 1e-12);
    wit_body_destroy(egg);
}

/* ---- sliding, rolling, bouncing ------------------------------------------------------------ */

typedef struct ground_world {
    wit_haptic_body_def bodies[3];
    wit_haptic_pair_def pairs[3];
    wit_haptic_def def;
} ground_world;

static void ground_make(ground_world* g, const wit_body* ground, wit_haptic_body_def body)
{
    memset(g, 0, sizeof *g);
    g->bodies[0] = world_fixed(ground);
    g->bodies[1] = body;
    g->pairs[0] = (wit_haptic_pair_def){0, 1, NULL};
    g->def = wit_haptic_default_def();
    g->def.bodies = g->bodies;
    g->def.body_count = 2;
    g->def.pairs = g->pairs;
    g->def.pair_count = 1;
    g->def.gravity = vec3(0, 0, -9.81);
}

/* A ball set down with speed v and no spin slides for 2 v / (7 mu g) and rolls at 5 v / 7 from then on. */
static void sliding_ball_begins_to_roll_at_five_sevenths(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *ball = world_ball(0.1);
    for (int kind = 0; kind < 2; kind++) {
        ground_world g;
        double k = 1e4;
        wit_haptic_body_def b = world_dynamic(ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.1 - (kind ? 0 : 9.81 / k)));
        b.start.twist.velocity = vec3(2, 0, 0);
        ground_make(&g, ground, b);
        g.def.response.stiffness = k;
        g.def.response.damping = 100;
        g.def.response.friction = 0.3;
        g.def.response.kind = (wit_response_kind)kind;
        wit_haptic* w = world_make(&g.def);
        double rolls = NAN, slide = 2 * 2 / (7 * 0.3 * 9.81);
        wit_haptic_result r;
        wit_motion m;
        for (int i = 0; i < 1000; i++) {
            assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
            wit_haptic_body(w, 1, &m);
            if (isnan(rolls) && fabs(m.twist.velocity.x - 0.1 * m.twist.angular.y) < 0.01) rolls = r.time;
        }
        printf("sliding ball by %s: rolls after %.4f s (theory %.4f), at %.6f (theory %.6f)\n",
               wit_response_name((wit_response_kind)kind), rolls, slide, m.twist.velocity.x, 10.0 / 7);
        assert_true(fabs(rolls - slide) < 0.01);
        /* The lever of the friction is the depth shorter than the radius: one part in a hundred. */
        assert_true(fabs(m.twist.velocity.x - 10.0 / 7) < 0.005);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(ball);
    wit_body_destroy(ground);
}

/* A solid cylinder along y on the ground, its rims (edges 0 and 1) at y = 0.15 and -0.15; set down at the depth of its weight. */
static wit_haptic_body_def rolling_cylinder(const wit_body* shape, double depth)
{
    const double r = 0.1, length = 0.3;
    wit_haptic_body_def b = wit_haptic_default_body();
    b.shape = shape;
    b.drive = WIT_DRIVE_DYNAMIC;
    b.inertia[0] = b.inertia[4] = r * r / 4 + length * length / 12;
    b.inertia[8] = r * r / 2;
    b.centre = vec3(0, 0, length / 2);
    b.lever = length / 2;
    b.start.pose = (wit_pose){{0, length / 2, r - depth}, {sqrt(0.5), sqrt(0.5), 0, 0}};
    b.start.twist.velocity = vec3(2, 0, 0);
    b.start.twist_known = true;
    return b;
}

/*
 * On two rims, each a contact that keeps its edge. Sliding ends at v' = v l^2 / (I / m + l^2): 2 v / 3 where the lever l of the
 * friction is the radius. By springs l = r - depth / 2: the force acts between the witnesses. Friction takes
 * m v (v - v') / 2, and the balance of the energy is closed.
 */
static void a_cylinder_on_two_rims_rolls_at_two_thirds_of_its_speed(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *cylinder = world_cylinder(0.1, 0.3);
    const double k = 5e3, bottom = 4.71238898038469;
    wit_witness plane = {WIT_FACE, 0, 0, 0, {0, 0, 0}};
    wit_witness rims[2] = {{WIT_EDGE, 0, bottom, 0, {0, 0, 0}}, {WIT_EDGE, 1, bottom, 0, {0, 0, 0}}};
    wit_haptic_keep keeps[2] = {{&plane, &rims[0]}, {&plane, &rims[1]}};
    for (int kind = 0; kind < 3; kind++) { /* penalty, impulse, penalty by rk4 */
        double depth = kind == 1 ? 0 : 9.81 / (2 * k), lever = 0.1 - depth / 2;
        ground_world g;
        ground_make(&g, ground, rolling_cylinder(cylinder, depth));
        g.pairs[1] = g.pairs[0];
        g.def.pair_count = 2;
        g.def.keeps = keeps;
        g.def.response.kind = kind == 1 ? WIT_RESPONSE_IMPULSE : WIT_RESPONSE_PENALTY;
        g.def.response.stiffness = k;
        g.def.response.damping = 30;
        g.def.response.friction = 0.3;
        if (kind == 2) {
            g.def.integrator = WIT_INTEGRATOR_RK4;
            g.def.law.kind = WIT_LAW_LINEARIZING;
            g.def.response.slip_speed = 0.02; /* explicit: h mu g (1 + m l^2 / I) / s < 2 */
        }
        wit_haptic* w = world_make(&g.def);
        wit_haptic_result r;
        wit_motion m;
        double first = 0, swing = 0;
        int64_t overs = 0;
        for (int i = 0; i < 1000; i++) {
            assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
            double total = r.energy.stored + r.energy.dissipated;
            if (!i) first = total;
            swing = fmax(swing, fabs(total - first));
            for (int p = 0; p < 2; p++) {
                wit_haptic_pair c;
                assert_int_equal(wit_haptic_contact(w, p, &c), WIT_OK);
                /* By impulses the gap is rounding, and so is its direction: what counts is the offset along the plane. */
                bool met = c.track.outcome == WIT_OUTCOME_CONVERGED;
                assert_true(met || (kind == 1 && c.track.residual * fabs(c.distance) < 1e-12));
                assert_true(c.track.b.feature == WIT_EDGE && c.track.b.id == p);
            }
        }
        for (int p = 0; p < 2; p++) overs += wit_tracker_transitions(wit_haptic_tracker(w, p), NULL, 0);
        wit_haptic_body(w, 1, &m);
        double rolls = 2 * lever * lever / (0.1 * 0.1 / 2 + lever * lever), lost = (4 - 2 * rolls) / 2;
        printf("cylinder on two rims by %s: rolls at %.6f (theory %.6f), dissipated %.6f (theory %.6f), balance within "
               "%.3e, %lld hand-overs\n",
               kind == 1 ? "impulses"
               : kind    ? "springs, rk4"
                         : "springs",
               m.twist.velocity.x, rolls, r.energy.dissipated, lost, swing, (long long)overs);
        assert_true(overs == 0);
        assert_true(fabs(m.twist.velocity.x - 4.0 / 3) < 0.01 * 4.0 / 3);
        assert_true(fabs(m.twist.velocity.x - rolls) < 1e-5 && fabs(r.energy.dissipated - lost) < 1e-5);
        assert_true(swing < 1e-7); /* of 2; by impulses a depth of 1e-9 is taken back */
        assert_true(fabs(m.twist.angular.x) < 1e-9 && fabs(m.twist.angular.z) < 1e-9); /* no tilt, no turn */
        wit_haptic_destroy(w);
    }
    wit_body_destroy(cylinder);
    wit_body_destroy(ground);
}

/* Central impact of masses 1 and 3, u = 2 against rest: v1 = (m1 - e m2) u / (m1 + m2), v2 = (1 + e) m1 u / (m1 + m2). */
static void balls_collide_as_restitution_says(void** state)
{
    (void)state;
    wit_body* ball = world_ball(0.1);
    for (int i = 0; i < 3; i++) {
        double e = i / 2.0;
        wit_haptic_body_def bodies[2] = {world_dynamic(ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0)),
                                         world_dynamic(ball, 3, 0.1, 0.1, 0.1, vec3(0.3, 0, 0))};
        bodies[0].start.twist.velocity = vec3(2, 0, 0);
        wit_haptic_pair_def pair = {0, 1, NULL};
        wit_haptic_def d = wit_haptic_default_def();
        d.bodies = bodies;
        d.body_count = 2;
        d.pairs = &pair;
        d.pair_count = 1;
        d.response.kind = WIT_RESPONSE_IMPULSE;
        d.response.restitution = e;
        d.response.rest_speed = 1e-6;
        wit_haptic* w = world_make(&d);
        wit_haptic_result r;
        for (int s = 0; s < 200; s++) assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
        wit_motion a, b;
        wit_haptic_body(w, 0, &a);
        wit_haptic_body(w, 1, &b);
        double v1 = (1 - 3 * e) * 2 / 4, v2 = (1 + e) * 2 / 4, lost = 0.5 * (1 - e * e) * 3 / 4 * 4;
        printf("e = %.1f: %.12f %.12f (theory %.2f %.2f), dissipated %.12f (theory %.3f)\n", e, a.twist.velocity.x,
               b.twist.velocity.x, v1, v2, r.energy.dissipated, lost);
        assert_true(fabs(a.twist.velocity.x - v1) < 1e-12 && fabs(b.twist.velocity.x - v2) < 1e-12);
        assert_true(fabs(r.energy.dissipated - lost) < 1e-11);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(ball);
}

/* A stack: the lower ball carries both. */
static void stack_of_balls_rests_on_impulses_and_springs(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *ball = world_ball(0.1);
    for (int kind = 0; kind < 2; kind++) {
        ground_world g;
        ground_make(&g, ground, world_dynamic(ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.1)));
        g.bodies[2] = world_dynamic(ball, 2, 0.1, 0.1, 0.1, vec3(0, 0, 0.3));
        g.pairs[1] = (wit_haptic_pair_def){1, 2, NULL};
        g.def.body_count = 3;
        g.def.pair_count = 2;
        g.def.response.kind = (wit_response_kind)kind;
        g.def.response.stiffness = 2e4;
        g.def.response.damping = 150;
        g.def.iterations = 200;
        wit_haptic* w = world_make(&g.def);
        wit_haptic_result r;
        /* One on the other they stand like a pendulum on its head: rounding makes them fall after a second or two. */
        for (int i = 0; i < (kind ? 400 : 2000); i++) assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
        wit_haptic_pair low, high;
        wit_haptic_contact(w, 0, &low);
        wit_haptic_contact(w, 1, &high);
        printf("stack by %s: forces %.6f and %.6f (weights 29.43 and 19.62)\n",
               wit_response_name((wit_response_kind)kind), low.force, high.force);
        assert_true(fabs(low.force - 29.43) < 1e-5 && fabs(high.force - 19.62) < 1e-5);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(ball);
    wit_body_destroy(ground);
}

/* ---- the arm ------------------------------------------------------------------------------- */

static wit_haptic* arm_world(const wit_two_link_arm* arm, wit_integrator method, double q0, double q1, double rate)
{
    wit_system s;
    assert_int_equal(wit_two_link_system(arm, &s, NULL), WIT_OK);
    s.q[0] = q0;
    s.q[1] = q1;
    wit_haptic_body_def tip = wit_haptic_default_body();
    tip.drive = WIT_DRIVE_LINK;
    tip.link = 1;
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = &tip;
    d.body_count = 1;
    d.system = &s;
    d.integrator = method;
    d.law.kind = method ? WIT_LAW_LINEARIZING : WIT_LAW_DEADBEAT;
    d.rate = rate;
    return world_make(&d);
}

/* Lagrange's equations by differences of the energies of two rods, without the matrices: d/dt dL/dq' - dL/dq = 0. */
static double lagrangian(const wit_two_link_arm* a, const double q[2], const double v[2])
{
    double s0 = sin(q[0]), c0 = cos(q[0]), s1 = sin(q[0] + q[1]), c1 = cos(q[0] + q[1]);
    double x0 = -a->centre[0] * s0 * v[0], z0 = a->centre[0] * c0 * v[0];
    double x1 = -a->length[0] * s0 * v[0] - a->centre[1] * s1 * (v[0] + v[1]);
    double z1 = a->length[0] * c0 * v[0] + a->centre[1] * c1 * (v[0] + v[1]);
    double kinetic = a->mass[0] * (x0 * x0 + z0 * z0) + a->mass[1] * (x1 * x1 + z1 * z1) + a->inertia[0] * v[0] * v[0] +
                     a->inertia[1] * (v[0] + v[1]) * (v[0] + v[1]);
    double height = a->mass[0] * a->centre[0] * s0 + a->mass[1] * (a->length[0] * s0 + a->centre[1] * s1);
    return kinetic / 2 - a->gravity * height;
}

static void arm_obeys_lagrange_and_keeps_its_energy(void** state)
{
    (void)state;
    wit_two_link_arm arm = wit_two_link_arm_default();
    arm.gravity = 9.81;
    arm.mass[1] = 0.7;
    arm.length[0] = 1.2;
    wit_system s;
    assert_int_equal(wit_two_link_system(&arm, &s, NULL), WIT_OK);
    double q[2] = {0.4, -0.9}, v[2] = {1.3, -2.1}, M[4], C[2], N[2], worst = 0, h = 1e-4;
    s.mass(&arm, q, M);
    s.coriolis(&arm, q, v, C);
    s.load(&arm, q, v, N);
    for (int i = 0; i < 2; i++) {
        /* d/dt dL/dv_i with q'' = 0 is the derivative along v; minus dL/dq_i: equals C_i + N_i */
        double along = 0, by_q = 0;
        for (int k = -1; k <= 1; k += 2) {
            double qa[2] = {q[0] + k * h * v[0], q[1] + k * h * v[1]}, qb[2] = {q[0], q[1]}, va[2], vb[2];
            memcpy(va, v, sizeof va);
            memcpy(vb, v, sizeof vb);
            va[i] += h;
            vb[i] -= h;
            along += k * (lagrangian(&arm, qa, va) - lagrangian(&arm, qa, vb)) / (2 * h) / (2 * h);
            qb[i] += k * h;
            by_q += k * lagrangian(&arm, qb, v) / (2 * h);
        }
        worst = fmax(worst, fabs(along - by_q - C[i] - N[i]));
        for (int j = 0; j < 2; j++) { /* M = d2L / dv2 */
            double sum = 0;
            for (int k = 0; k < 4; k++) {
                double w[2] = {v[0], v[1]};
                w[i] += (k & 1 ? h : -h);
                w[j] += (k & 2 ? h : -h);
                sum += (k == 0 || k == 3 ? 1 : -1) * lagrangian(&arm, q, w) / (4 * h * h);
            }
            worst = fmax(worst, fabs(sum - M[2 * i + j]));
        }
    }
    printf("two-link arm: M, C, N against Lagrange's equations by differences %.1e\n", worst);
    assert_true(worst < 2e-6); /* second differences at 1e-4: h^2 = 1e-8 times 10 to 100, rounding 1e-15 / 1e-8 */
    static const wit_integrator methods[] = {WIT_INTEGRATOR_DEFAULT, WIT_INTEGRATOR_RK2, WIT_INTEGRATOR_RK4};
    /*
     * Semi-implicit is explicit in C(q, q'): of order 1 without being symplectic. The others on an oscillation of w h: energy grows by
     * (w h)^4 / 4 and falls by (w h)^6 / 72 in a step; w up to 25 / s, energies of 10, 10^4 steps.
     */
    double wh = 25e-3, bound[] = {2, 1e5 * pow(wh, 4) / 4, 1e5 * pow(wh, 6) / 72};
    for (int i = 0; i < 3; i++) {
        wit_haptic* w = arm_world(&arm, methods[i], 0.4, 0.3, 1000);
        wit_haptic_result r;
        double first = 0, swing = 0;
        for (int k = 0; k < 10000; k++) {
            assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
            if (!k) first = r.energy.stored;
            swing = fmax(swing, fabs(r.energy.stored - first));
        }
        printf("arm swinging for 10 s at 1 kHz, %s: energy within %.1e (of about 10)\n",
               i ? wit_integrator_name(methods[i]) : "semi-implicit", swing);
        assert_true(swing < bound[i]);
        wit_haptic_destroy(w);
    }
}

/* Springs in the joints against gravity, and against the ground: all torques balance. */
static void arm_comes_to_rest_in_balance(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *ball = world_ball(0.1);
    wit_two_link_arm arm = wit_two_link_arm_default();
    arm.gravity = 9.81;
    arm.base.position = vec3(0, 0, 0.5);
    arm.stiffness[0] = arm.stiffness[1] = 200;
    arm.damping[0] = 20;
    arm.damping[1] = 10;
    arm.target[0] = 0.3;
    arm.target[1] = -1.3;
    for (int touch = 0; touch < 2; touch++) {
        wit_system s;
        assert_int_equal(wit_two_link_system(&arm, &s, NULL), WIT_OK);
        wit_haptic_body_def bodies[2] = {world_fixed(ground), world_fixed(ball)};
        bodies[1].drive = WIT_DRIVE_LINK;
        bodies[1].link = 1;
        bodies[1].start.pose.position.x = 1; /* at the end of the link */
        wit_haptic_pair_def pair = {0, 1, NULL};
        wit_haptic_def d = wit_haptic_default_def();
        d.bodies = bodies;
        d.body_count = 2;
        d.pairs = &pair;
        d.pair_count = touch;
        d.system = &s;
        d.response.stiffness = 5000;
        d.response.damping = 30;
        wit_haptic* w = world_make(&d);
        wit_haptic_result r;
        for (int i = 0; i < 10000; i++) assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
        double q[2], v[2], N[2], pull[2] = {0, 0};
        assert_int_equal(wit_haptic_system(w, q, v), 2);
        s.load(&arm, q, v, N);
        wit_haptic_pair p = {0};
        if (touch) {
            wit_haptic_contact(w, 0, &p);
            /* J^T F of a vertical force at the end: x of the lever arms */
            double x1 = cos(q[0] + q[1]), x0 = cos(q[0]) + x1;
            pull[0] = p.force * x0;
            pull[1] = p.force * x1;
        }
        double off = 0;
        for (int i = 0; i < 2; i++) off = fmax(off, fabs(arm.stiffness[i] * (arm.target[i] - q[i]) - N[i] + pull[i]));
        printf("arm at rest %s: torques balance within %.1e, contact force %.4f, speeds %.1e %.1e\n",
               touch ? "on the ground" : "in the air", off, p.force, v[0], v[1]);
        assert_true(off < 1e-7 && fabs(v[0]) < 1e-9);
        assert_true(!touch || p.force > 1);
        wit_haptic_destroy(w);
    }
    wit_error e = {0};
    wit_system s;
    arm.mass[1] = 0;
    assert_int_equal(wit_two_link_system(&arm, &s, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "mass[1]");
    wit_body_destroy(ball);
    wit_body_destroy(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_top_turns_at_the_order_of_its_integrator),
        cmocka_unit_test(sliding_ball_begins_to_roll_at_five_sevenths),
        cmocka_unit_test(a_cylinder_on_two_rims_rolls_at_two_thirds_of_its_speed),
        cmocka_unit_test(balls_collide_as_restitution_says),
        cmocka_unit_test(stack_of_balls_rests_on_impulses_and_springs),
        cmocka_unit_test(arm_obeys_lagrange_and_keeps_its_energy),
        cmocka_unit_test(arm_comes_to_rest_in_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
