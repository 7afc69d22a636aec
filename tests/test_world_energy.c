/* SPDX-License-Identifier: MIT */
/*
 * Random worlds that wit_haptic_check accepts: none gains energy beyond the bound that haptic.h states, none leaves the numbers, no step
 * works more than its budget allows. Bodies of all kinds, some begin inside each other; springs, impulses, friction, couplers,
 * all integrators. And the balance of a proxy.
 */
#include "campaign.h"
#include "haptic_world.h"
#include "random.h"

static double rng_log(rng* r, double lo, double hi)
{
    return lo * pow(hi / lo, rng_double(r));
}

static wit_body* some_solid(rng* r)
{
    static const wit_solid_kind kinds[] = {WIT_SOLID_SPHERE,   WIT_SOLID_BOX,   WIT_SOLID_ELLIPSOID, WIT_SOLID_CAPSULE,
                                           WIT_SOLID_CYLINDER, WIT_SOLID_TORUS, WIT_SOLID_CONE};
    wit_solid_def d = wit_solid_default_def(kinds[rng_int(r, 7)]);
    d.radius = rng_range(r, 0.02, 0.1);
    d.size_x = rng_range(r, 0.02, 0.12);
    d.size_y = rng_range(r, 0.02, 0.12);
    d.size_z = rng_range(r, 0.02, 0.12);
    d.height = rng_range(r, 0.05, 0.15);
    d.radius2 = d.radius * rng_range(r, 0.1, 0.6);
    if (d.kind == WIT_SOLID_CAPSULE || d.kind == WIT_SOLID_CYLINDER || d.kind == WIT_SOLID_CONE)
        d.frame.origin.z = -d.height / 2;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* some_ground(rng* r)
{
    static const wit_solid_kind kinds[] = {WIT_SOLID_HALF_SPACE, WIT_SOLID_BOX, WIT_SOLID_TORUS};
    wit_solid_def d = wit_solid_default_def(kinds[rng_int(r, 3)]);
    d.size_x = d.size_y = 1;
    d.size_z = 0.2;
    d.radius = 0.15;
    d.radius2 = 0.06;
    if (d.kind == WIT_SOLID_BOX) d.frame.origin.z = -0.1;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_haptic_body_def some_body(rng* r, const wit_body* shape, double mass, int k)
{
    wit_haptic_body_def d = wit_haptic_default_body();
    d.shape = shape;
    d.drive = WIT_DRIVE_DYNAMIC;
    d.mass = mass;
    double inertia = mass * rng_log(r, 1e-5, 1e-2);
    d.inertia[0] = inertia;
    d.inertia[4] = inertia * rng_range(r, 0.6, 1.4);
    d.inertia[8] = inertia * rng_range(r, 0.6, 1.4);
    double x = rng_range(r, -0.03, 0.03), y = rng_range(r, -0.03, 0.03);
    d.start.pose.position = vec3(x, y, 0.15 * k + rng_range(r, 0, 0.05));
    if (rng_int(r, 3) == 0) d.start.pose.position.z = rng_range(r, -0.02, 0.02); /* begins inside */
    wit_vec3 axis;
    axis.x = rng_range(r, -1, 1);
    axis.y = rng_range(r, -1, 1);
    axis.z = rng_range(r, -1, 1);
    d.start.pose.rotation = wit_quat_about(axis, rng_range(r, 0, 3));
    d.start.twist_known = true;
    d.start.twist.velocity.x = rng_range(r, -1, 1);
    d.start.twist.velocity.z = rng_range(r, -2, 0);
    d.start.twist.angular.x = rng_range(r, -10, 10);
    d.start.twist.angular.y = rng_range(r, -10, 10);
    d.damping = rng_int(r, 2) ? 0 : rng_log(r, 1e-4, 1);
    d.angular_damping = rng_int(r, 2) ? 0 : rng_log(r, 1e-8, 1e-3);
    return d;
}

static void some_gains(rng* r, wit_haptic_def* d)
{
    d->response.kind = rng_int(r, 3) ? WIT_RESPONSE_PENALTY : WIT_RESPONSE_IMPULSE;
    d->response.stiffness = rng_log(r, 1, 1e5);
    d->response.damping = rng_int(r, 2) ? 0 : rng_log(r, 1e-3, 1e2);
    d->response.damping_kind = rng_int(r, 2) ? WIT_DAMPING_LINEAR : WIT_DAMPING_HUNT_CROSSLEY;
    d->response.friction = rng_int(r, 2) ? 0 : rng_log(r, 0.01, 5);
    d->response.restitution = rng_int(r, 2) ? 0 : rng_double(r);
    if (rng_int(r, 4) == 0) d->response.slip_speed = rng_log(r, 1e-9, 1);
    if (rng_int(r, 3) == 0) {
        d->tool = 1;
        d->coupler.stiffness = rng_log(r, 1, 1e4);
        d->coupler.damping = rng_log(r, 1e-2, 10);
        d->coupler.angular_stiffness = rng_log(r, 1e-3, 10);
        d->coupler.angular_damping = rng_log(r, 1e-5, 1e-1);
    }
    if (rng_int(r, 6) == 0 && d->response.kind == WIT_RESPONSE_PENALTY) {
        d->integrator = rng_int(r, 2) ? WIT_INTEGRATOR_RK4 : WIT_INTEGRATOR_RK2;
        d->law.kind = WIT_LAW_LINEARIZING;
    }
}

/* Less and less until it is accepted. */
static bool accepted(wit_haptic_def* d, wit_haptic_body_def* bodies)
{
    for (int i = 0; i < 40; i++) {
        if (!wit_haptic_check(d, 1000, NULL)) return true;
        double* gains[] = {
            &d->response.stiffness,        &d->response.damping,        &d->coupler.stiffness, &d->coupler.damping,
            &d->coupler.angular_stiffness, &d->coupler.angular_damping, &bodies[1].damping,    &bodies[2].damping,
            &bodies[1].angular_damping,    &bodies[2].angular_damping};
        for (size_t k = 0; k < sizeof gains / sizeof *gains; k++) *gains[k] *= 0.6;
        d->law.gain.value *= 0.8;
    }
    return false;
}

typedef struct gains {
    double of_most, of_first; /* largest gain: over the largest energy, over what there was at the start */
    int64_t units;            /* most work of a step */
} gains;

static gains run_world(wit_haptic* w, const wit_haptic_def* d, long steps, long run)
{
    wit_motion device = d->bodies[1].start;
    double first = 0, base = 0, most = 0;
    gains g = {0, 0, 0};
    for (long i = 0; i < steps; i++) {
        device.pose.position.x += 1e-4 * sin(0.01 * (double)i);
        device.pose.position.z += 2e-4 * cos(0.013 * (double)i);
        device.twist_known = false;
        wit_haptic_result r;
        assert_int_equal(wit_haptic_step(w, &device, 1e-3, &r), WIT_OK);
        const wit_energy* e = &r.energy;
        double now = e->stored + e->dissipated - e->supplied;
        if (!r.finite || !isfinite(now)) fail_msg("world %ld, step %ld: not finite", run, i);
        if (!i) {
            first = now;
            base = fabs(e->kinetic) + d->bodies[1].mass * 9.81 * 0.5;
        }
        most = fmax(most, e->kinetic + e->coupler + e->contact + e->hand);
        if (now - first > WIT_HAPTIC_GAIN * most + 1e-9 * (fabs(first) + most))
            fail_msg("world %ld, step %ld: gained %g, the bound is %g", run, i, now - first, WIT_HAPTIC_GAIN * most);
        g.of_first = fmax(g.of_first, (now - first) / base);
        if (most > 0) g.of_most = fmax(g.of_most, (now - first) / most);
        if (r.work.units > g.units) g.units = r.work.units;
        bool stages =
            d->integrator != WIT_INTEGRATOR_DEFAULT; /* of RK2, RK4, and tries to find the moment of a touch */
        if (!stages && r.work.units > d->pair_count * d->track.budget + 16)
            fail_msg("world %ld, step %ld: %lld units of work", run, i, (long long)r.work.units);
    }
    return g;
}

static void accepted_worlds_gain_no_energy(void** state)
{
    (void)state;
    long runs = campaign(1000), worlds = 0;
    gains worst = {0, 0, 0};
    for (long run = 0; run < runs; run++) {
        rng r = rng_seed((uint64_t)(77 * run + 1));
        wit_body *ground = some_ground(&r), *one = some_solid(&r), *two = some_solid(&r);
        double mass = rng_log(&r, 1e-3, 10);
        wit_haptic_body_def bodies[3] = {world_fixed(ground), some_body(&r, one, mass, 1), some_body(&r, two, mass, 2)};
        wit_haptic_pair_def pairs[3] = {{0, 1, NULL}, {0, 2, NULL}, {1, 2, NULL}};
        wit_haptic_def d = wit_haptic_default_def();
        d.bodies = bodies;
        d.body_count = 3;
        d.pairs = pairs;
        d.pair_count = 3;
        d.gravity = vec3(0, 0, -9.81);
        some_gains(&r, &d);
        if (accepted(&d, bodies)) {
            wit_haptic* w = world_make(&d);
            gains g = run_world(w, &d, 500, run);
            worst.of_most = fmax(worst.of_most, g.of_most);
            worst.of_first = fmax(worst.of_first, g.of_first);
            if (g.units > worst.units) worst.units = g.units;
            worlds++;
            wit_haptic_destroy(w);
        }
        wit_body_destroy(ground);
        wit_body_destroy(one);
        wit_body_destroy(two);
    }
    printf("%ld accepted worlds: none gained more than %.4f of its largest energy, %.4f of what it began with; at most "
           "%lld units of work in a step\n",
           worlds, worst.of_most, worst.of_first, (long long)worst.units);
    assert_true(worlds > runs / 2);
}

/* A device led into a box, over its edges and out: the proxy's work is in the balance, and hand-overs are listed as they are
 * counted, at their times. */
static void proxy_is_in_the_balance_and_its_hand_overs_in_the_list(void** state)
{
    (void)state;
    wit_solid_def s = wit_solid_default_def(WIT_SOLID_BOX);
    s.size_x = s.size_y = s.size_z = 0.2;
    wit_body* box = wit_solid_create(&s, NULL, NULL);
    wit_haptic_body_def bodies[2] = {world_fixed(box), wit_haptic_default_body()};
    bodies[1].drive = WIT_DRIVE_PROXY;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = 2;
    d.pairs = &pair;
    d.pair_count = 1;
    d.tool = 1;
    d.coupler.stiffness = 500;
    d.coupler.damping = 0.5;
    d.response.friction = 0.2;
    wit_haptic* w = world_make(&d);
    double first = 0, worst = 0, put = 0;
    long counted = 0;
    double times[256];
    for (int i = 1; i <= 6000; i++) {
        double t = i * 1e-3, a = 2 * t;
        wit_motion at = wit_motion_at_rest(wit_pose_identity());
        at.pose.position = vec3(0.12 * cos(a), 0.09 * sin(0.7 * a), 0.1 * sin(1.3 * a) + 0.06 * cos(a));
        at.twist_known = false;
        wit_haptic_result r;
        assert_int_equal(wit_haptic_step(w, &at, 1e-3, &r), WIT_OK);
        double now = r.energy.stored + r.energy.dissipated - r.energy.supplied;
        if (i == 1) first = now;
        worst = fmax(worst, fabs(now - first));
        put = fmax(put, r.energy.dissipated);
        wit_haptic_pair p;
        wit_haptic_contact(w, 0, &p);
        for (int k = 0; k < p.track.switches && counted < 256; k++) times[counted++] = r.time;
    }
    wit_transition list[64];
    int64_t all = wit_haptic_transitions(w, 0, list, 64);
    printf("proxy over a box: %ld hand-overs counted, %ld listed, balance within %.1e of %.3g\n", counted, (long)all,
           worst, put);
    assert_true(counted > 5 && counted < 256);
    assert_int_equal(all, counted);
    int64_t kept = all < 64 ? all : 64;
    for (int64_t k = 0; k < kept; k++) assert_true(fabs(list[k].time - times[all - kept + k]) < 1e-12);
    assert_true(put > 0 && worst < 1e-3 * put);
    wit_haptic_destroy(w);
    wit_body_destroy(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_worlds_gain_no_energy),
        cmocka_unit_test(proxy_is_in_the_balance_and_its_hand_overs_in_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
