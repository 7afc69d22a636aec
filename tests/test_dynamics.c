/* SPDX-License-Identifier: MIT */
/* Bodies that move by forces: energy, rest, the order of the integrators. */
#include "campaign.h"
#include "haptic_world.h"

enum { GROUND, BODY };

typedef struct scene {
    wit_haptic_body_def bodies[2];
    wit_haptic_pair_def pair;
    wit_haptic_def def;
} scene;

static void scene_make(scene* s, const wit_body* ground, wit_haptic_body_def body, double stiffness)
{
    memset(s, 0, sizeof *s);
    s->bodies[GROUND] = world_fixed(ground);
    s->bodies[BODY] = body;
    s->pair = (wit_haptic_pair_def){GROUND, BODY, NULL};
    s->def = wit_haptic_default_def();
    s->def.bodies = s->bodies;
    s->def.body_count = 2;
    s->def.pairs = &s->pair;
    s->def.pair_count = 1;
    s->def.gravity = vec3(0, 0, -9.81);
    s->def.response.stiffness = stiffness;
}

/* ---- energy -------------------------------------------------------------------------------- */

typedef struct drift {
    double start, swing; /* of stored energy: at the start, largest difference */
    double flight;       /* the same, only while nothing touches */
    double slope;        /* per second, by least squares */
    double deepest;
    int64_t worst;
} drift;

static drift run_energy(wit_haptic* w, long steps, double h)
{
    drift d = {0};
    double n = 0, st = 0, stt = 0, se = 0, ste = 0;
    for (long i = 0; i < steps; i++) {
        wit_haptic_result r;
        assert_int_equal(wit_haptic_step(w, NULL, h, &r), WIT_OK);
        assert_true(r.finite);
        double e = r.energy.stored + r.energy.dissipated - r.energy.supplied;
        if (!i) d.start = e;
        d.swing = fmax(d.swing, fabs(e - d.start));
        if (!r.touching) d.flight = fmax(d.flight, fabs(e - d.start));
        d.deepest = fmin(d.deepest, r.gap);
        if (i && r.work.units > d.worst) d.worst = r.work.units;
        n++;
        st += r.time;
        stt += r.time * r.time;
        se += e;
        ste += r.time * e;
    }
    d.slope = (n * ste - st * se) / (n * stt - st * st);
    return d;
}

/*
 * A ball of 0.5 in the bowl of 5, let go at 40 degrees. The symplectic step keeps a nearby energy: it swings by about the forces
 * times h, and does not run away. The springs and the way down are of size m g R = 44.
 */
static void ball_in_a_bowl_keeps_its_energy(void** state)
{
    (void)state;
    const wit_body* bowl = NULL;
    wit_model* m = world_bowl(&bowl);
    wit_body* ball = world_ball(0.5);
    double angle = 40 * 3.14159265358979 / 180, reach = 4.5;
    scene s;
    scene_make(&s, bowl, world_dynamic(ball, 1, 0.5, 0.5, 0.5, vec3(reach * sin(angle), 0, 7 - reach * cos(angle))),
               1e5);
    long steps = campaign(100000);
    wit_haptic* w = world_make(&s.def);
    drift d = run_energy(w, steps, 1e-3);
    printf("ball in a bowl, 1 kHz, %ld s: energy %.4f, swing %.2e, drift %.2e per second, depth %.2e, worst step %lld "
           "units\n",
           steps / 1000, d.start, d.swing, d.slope, -d.deepest, (long long)d.worst);
    double scale = 9.81 * reach;
    assert_true(d.swing < 0.01 * scale);
    assert_true(fabs(d.slope) * (double)steps / 1000 < 0.01 * scale);
    assert_true(d.deepest > -1e-3);
    wit_haptic_destroy(w);
    wit_body_destroy(ball);
    wit_model_destroy(m);
}

/* Thrown flat, it tumbles and bounces for ever. */
static void bouncing_ellipsoid_keeps_its_energy(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *egg = world_ellipsoid(0.3, 0.2, 0.1);
    scene s;
    wit_haptic_body_def b = world_dynamic(egg, 1, 0.3, 0.2, 0.1, vec3(0, 0, 0.6));
    b.start.twist.angular = vec3(1, 2, 0.5);
    for (int kind = 0; kind < 2; kind++) {
        scene_make(&s, ground, b, 2e4);
        double h = 1e-3;
        if (kind) {
            s.def.response.kind = WIT_RESPONSE_IMPULSE;
            s.def.response.restitution = 1;
        }
        long steps = campaign(60000);
        if (steps < 3000) steps = 3000; /* some bounces: a drift per second is told from what goes up and down */
        wit_haptic* w = world_make(&s.def);
        drift d = run_energy(w, steps, h);
        printf("bouncing ellipsoid by %s, 1 kHz, %ld s: energy %.4f, swing %.2e (in flight %.2e), drift "
               "%.2e per second, depth %.2e\n",
               wit_response_name((wit_response_kind)kind), steps / 1000, d.start, d.swing, d.flight, d.slope,
               -d.deepest);
        /* While the spring is pressed the energy of the step differs from the true one by up to h F v / 2; what is left over in flight
         * goes up and down from bounce to bounce. */
        double swing = 0.5 * h * 2e4 * -d.deepest * sqrt(2 * d.start) + 0.5 * h * 9.81 * sqrt(2 * d.start);
        if (kind) swing = 2 * h * 9.81 * sqrt(2 * d.start);
        assert_true(d.swing < swing);
        assert_true(d.flight < 0.05 * d.start && fabs(d.slope) < 0.002 * d.start);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(egg);
    wit_body_destroy(ground);
}

/* ---- rest ---------------------------------------------------------------------------------- */

static void resting_contact_does_not_jitter(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *egg = world_ellipsoid(0.3, 0.2, 0.1);
    for (int kind = 0; kind < 3; kind++) {
        scene s;
        wit_haptic_body_def b = world_dynamic(egg, 1, 0.3, 0.2, 0.1, vec3(0, 0, 0.2));
        b.start.pose.rotation = wit_quat_about(vec3(1, 1, 0), 0.4);
        b.angular_damping = 0.1;
        scene_make(&s, ground, b, 2e3);
        s.def.response.damping = 20;
        if (kind == 1) {
            s.def.response.damping_kind = WIT_DAMPING_HUNT_CROSSLEY;
            s.def.response.damping = 20;
        }
        if (kind == 2) {
            s.def.response.kind = WIT_RESPONSE_IMPULSE;
            s.def.response.restitution = 0.3;
        }
        s.def.response.friction = 0.3;
        s.def.allow_unstable = true;
        wit_haptic* w = world_make(&s.def);
        double fastest = 0, force = 0;
        for (int i = 0; i < 25000; i++) {
            wit_haptic_result r;
            assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
            assert_true(r.finite);
            if (i < 23000) continue;
            wit_motion at;
            wit_haptic_pair p;
            wit_haptic_body(w, BODY, &at);
            wit_haptic_contact(w, 0, &p);
            fastest = fmax(fastest, fmax(norm3(at.twist.velocity), norm3(at.twist.angular)));
            force = p.force;
        }
        printf("ellipsoid at rest, way %d: fastest %.2e over the last 2 s, force %.9f\n", kind, fastest, force);
        assert_true(fastest < 1e-6);
        assert_true(fabs(force - 9.81) < 1e-3);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(egg);
    wit_body_destroy(ground);
}

/* ---- order --------------------------------------------------------------------------------- */

/* The ball without rotation is a point that slides on the spring of a sphere: x'' = g - k (r - reach)+ x / r. */
static void pendulum(double k, double reach, double x[4], double seconds, int steps)
{
    double h = seconds / steps;
    for (int n = 0; n < steps; n++) {
        double slope[4][4], y[4];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++) y[i] = x[i] + (s == 0 ? 0 : (s == 3 ? h : h / 2) * slope[s ? s - 1 : 0][i]);
            double r = hypot(y[0], y[1]), pull = k * fmax(0, r - reach) / r;
            slope[s][0] = y[2];
            slope[s][1] = y[3];
            slope[s][2] = -pull * y[0];
            slope[s][3] = -pull * y[1] - 9.81;
        }
        for (int i = 0; i < 4; i++) x[i] += h / 6 * (slope[0][i] + 2 * slope[1][i] + 2 * slope[2][i] + slope[3][i]);
    }
}

static double bowl_error(const wit_body* bowl, const wit_body* ball, wit_integrator method, int steps, double seconds,
                         const double truth[4], const double start[4], double k)
{
    scene s;
    wit_haptic_body_def b = world_dynamic(ball, 1, 0.5, 0.5, 0.5, vec3(start[0], 0, 7 + start[1]));
    /* The poles of the ball's parameters are out of the way. */
    b.start.pose.rotation = wit_quat_about(vec3(1, 0, 0), 1.5707963267948966);
    scene_make(&s, bowl, b, k);
    s.def.integrator = method;
    if (method) {
        s.def.law.kind = WIT_LAW_LINEARIZING;
        s.def.law.gain.value = 100;
    }
    s.def.rate = steps / seconds * 0.999;
    s.def.allow_unstable = true;
    wit_haptic* w = world_make(&s.def);
    wit_haptic_result r;
    for (int i = 0; i < steps; i++) {
        assert_int_equal(wit_haptic_step(w, NULL, seconds / steps, &r), WIT_OK);
        assert_true(r.finite && r.touching == 1);
    }
    wit_motion at;
    wit_haptic_body(w, BODY, &at);
    wit_haptic_destroy(w);
    return hypot(at.pose.position.x - truth[0], at.pose.position.z - 7 - truth[1]);
}

static void halving_the_step_gains_the_order(void** state)
{
    (void)state;
    const wit_body* bowl = NULL;
    wit_model* m = world_bowl(&bowl);
    wit_body* ball = world_ball(0.5);
    double angle = 0.5, k = 1000, seconds = 0.8;
    double reach = 4.5 + 9.81 * cos(angle) / k; /* radial equilibrium */
    double start[4] = {reach * sin(angle), -reach * cos(angle), 0, 0}, truth[4];
    memcpy(truth, start, sizeof truth);
    pendulum(k, 4.5, truth, seconds, 400000);
    static const struct {
        wit_integrator method;
        const char* name;
        int order, steps;
    } list[] = {{WIT_INTEGRATOR_DEFAULT, "semi-implicit", 1, 200},
                {WIT_INTEGRATOR_RK2, "rk2", 2, 200},
                {WIT_INTEGRATOR_RK4, "rk4", 4, 100}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        double before = 0;
        for (int n = list[i].steps, j = 0; j < 4; j++, n *= 2) {
            double e = bowl_error(bowl, ball, list[i].method, n, seconds, truth, start, k);
            double order = j ? log2(before / e) : 0;
            printf("%-13s h = %.5f  error %.3e  order %.2f\n", list[i].name, seconds / n, e, order);
            if (j) assert_true(fabs(order - list[i].order) < 0.25);
            before = e;
        }
    }
    wit_body_destroy(ball);
    wit_model_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_in_a_bowl_keeps_its_energy),
        cmocka_unit_test(bouncing_ellipsoid_keeps_its_energy),
        cmocka_unit_test(resting_contact_does_not_jitter),
        cmocka_unit_test(halving_the_step_gains_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
