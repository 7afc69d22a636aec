/* SPDX-License-Identifier: MIT */
/* The world as an interface: what it refuses, what its checks promise, devices, the god-object, snapshots. */
#include <stdlib.h>

#include "campaign.h"
#include "haptic_world.h"
#include "random.h"

static const double PI = 3.141592653589793;

typedef struct world {
    wit_body *ball, *ground;
    wit_haptic_body_def bodies[3];
    wit_haptic_pair_def pairs[2];
    wit_haptic_def def;
} world;

/* A ball of 1 kg above the ground. */
static int world_setup(void** state)
{
    world* w = calloc(1, sizeof *w);
    w->ball = world_ball(0.1);
    w->ground = world_ground();
    *state = w;
    return 0;
}

static int world_teardown(void** state)
{
    world* w = *state;
    wit_body_destroy(w->ball);
    wit_body_destroy(w->ground);
    free(w);
    return 0;
}

static world* fresh(void** state)
{
    world* w = *state;
    w->bodies[0] = world_fixed(w->ground);
    w->bodies[1] = world_dynamic(w->ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.2));
    w->bodies[2] = world_dynamic(w->ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.5));
    w->pairs[0] = (wit_haptic_pair_def){0, 1, NULL};
    w->pairs[1] = (wit_haptic_pair_def){1, 2, NULL};
    w->def = wit_haptic_default_def();
    w->def.bodies = w->bodies;
    w->def.body_count = 2;
    w->def.pairs = w->pairs;
    w->def.pair_count = 1;
    w->def.gravity = vec3(0, 0, -9.81);
    return w;
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void refused(const world* w, const char* item, const char* words)
{
    wit_error e = {0};
    assert_int_equal(wit_haptic_size(&w->def), 0);
    wit_haptic* made = wit_haptic_create(&w->def, NULL, &e);
    if (made) fail_msg("%s was not refused", item);
    if (strcmp(e.item, item) || !strstr(e.text, words)) fail_msg("%s: %s", e.item, e.text);
}

static void bad_parameters_are_refused_by_name(void** state)
{
    world* w = fresh(state);
    w->bodies[1].mass = -1;
    refused(w, "bodies[1].mass", "positive");
    w = fresh(state);
    w->bodies[1].inertia[4] = -0.1;
    refused(w, "bodies[1].inertia", "positive definite");
    w = fresh(state);
    w->bodies[1].inertia[1] = 1e-3;
    refused(w, "bodies[1].inertia", "symmetric");
    w = fresh(state);
    w->bodies[1].inertia[8] = 1;
    refused(w, "bodies[1].inertia", "belongs to no body");
    w = fresh(state);
    w->def.rate = 0;
    refused(w, "rate", "positive");
    w = fresh(state);
    w->def.response.stiffness = -5;
    refused(w, "response.stiffness", "positive");
    w = fresh(state);
    w->def.response.restitution = 1.5;
    refused(w, "response.restitution", "0 to 1");
    w = fresh(state);
    w->def.response.stiffness = 4.1e6;
    refused(w, "response.stiffness", "stable");
    w = fresh(state);
    w->pairs[0].a = 7;
    refused(w, "pairs[0]", "different bodies");
    w = fresh(state);
    w->bodies[1].start.pose.rotation.w = 2;
    refused(w, "bodies[1].start.pose", "length 1");
    w = fresh(state);
    w->def.tool = 0;
    refused(w, "tool", "fixed");
    w = fresh(state);
    w->def.tool = 1;
    refused(w, "coupler.stiffness", "hold");
    w->def.coupler.stiffness = 10;
    w->def.proxy_speed = 0;
    refused(w, "proxy_speed", "positive");
    w = fresh(state);
    w->def.integrator = WIT_INTEGRATOR_RK4;
    refused(w, "track.law", "linearizing");
    w = fresh(state);
    w->def.integrator = WIT_INTEGRATOR_RK4;
    w->def.law.kind = WIT_LAW_LINEARIZING;
    w->def.law.gain.value = 5000;
    refused(w, "track.gain.value", "below");
    w = fresh(state);
    w->def.integrator = WIT_INTEGRATOR_AB2;
    refused(w, "integrator", "rk2 or rk4");
    w = fresh(state);
    w->def.track.tolerance = 7;
    refused(w, "track.tolerance", "between");
    w = fresh(state);
    w->bodies[1].drive = WIT_DRIVE_LINK;
    refused(w, "bodies[1].drive", "no system");
    w = fresh(state);
    w->bodies[0].drive = WIT_DRIVE_DYNAMIC;
    refused(w, "bodies[0].shape", "unbounded");
    w = fresh(state);
    w->def.struct_size = 3;
    refused(w, "struct_size", "default");
    w = fresh(state);
    wit_error e = {0};
    assert_int_equal(wit_haptic_check(&w->def, 0, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "rate");
    assert_int_equal(wit_haptic_check(&w->def, NAN, NULL), WIT_ERROR_RANGE);
    assert_int_equal(wit_haptic_check(&w->def, 1000, NULL), WIT_OK);
}

static void bad_keeps_are_refused_by_name(void** state)
{
    wit_witness face = {WIT_FACE, 0, 0, 0, {0, 0, 0}}, other = face, none = face, wild = face;
    other.id = 1;
    none.feature = WIT_EDGE;
    wild.u = NAN;
    wit_haptic_keep keep = {&face, &face};
    world* w = fresh(state);
    w->def.keeps = &keep;
    assert_int_equal(wit_haptic_check(&w->def, 1000, NULL), WIT_OK);
    keep = (wit_haptic_keep){&face, NULL};
    refused(w, "keeps[0].b", "both bodies");
    keep = (wit_haptic_keep){NULL, &face};
    refused(w, "keeps[0].a", "both bodies");
    keep = (wit_haptic_keep){&other, &face};
    refused(w, "keeps[0].a", "no face 1; the body has 1");
    keep = (wit_haptic_keep){&none, &face};
    refused(w, "keeps[0].a", "no edge 0; the body has 0");
    keep = (wit_haptic_keep){&face, &wild};
    refused(w, "keeps[0].b", "finite");
    none.feature = WIT_POINT;
    keep = (wit_haptic_keep){&face, &none};
    refused(w, "keeps[0].b", "a face, an edge or a vertex");
    keep = (wit_haptic_keep){NULL, NULL};
    assert_int_equal(wit_haptic_check(&w->def, 1000, NULL), WIT_OK);
    keep = (wit_haptic_keep){&face, &none};
    w->bodies[1].shape = NULL; /* a point has no features */
    assert_int_equal(wit_haptic_check(&w->def, 1000, NULL), WIT_OK);
    w->bodies[1].drive = WIT_DRIVE_PROXY;
    w->def.tool = 1;
    w->def.coupler.stiffness = 10;
    refused(w, "keeps[0]", "proxy");
}

static void bad_steps_leave_the_world_as_it_was(void** state)
{
    world* w = fresh(state);
    w->def.tool = 1;
    w->def.coupler.stiffness = 100;
    wit_haptic* h = world_make(&w->def);
    wit_haptic_result r;
    wit_motion device = wit_motion_at_rest(wit_pose_identity());
    for (int i = 0; i < 10; i++) assert_int_equal(wit_haptic_step(h, &device, 1e-3, &r), WIT_OK);
    size_t bytes = wit_haptic_size(&w->def);
    void* before = malloc(bytes);
    memcpy(before, h, bytes);
    assert_int_equal(wit_haptic_step(NULL, &device, 1e-3, &r), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_haptic_step(h, NULL, 1e-3, &r), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_haptic_step(h, &device, 0, &r), WIT_ERROR_RANGE);
    assert_int_equal(wit_haptic_step(h, &device, NAN, &r), WIT_ERROR_RANGE);
    assert_int_equal(wit_haptic_step(h, &device, 2e-3, &r), WIT_ERROR_RANGE);
    wit_motion bad = device;
    bad.pose.position.x = NAN;
    assert_int_equal(wit_haptic_step(h, &bad, 1e-3, &r), WIT_ERROR_NUMBER);
    bad = device;
    bad.twist.velocity.y = INFINITY;
    assert_int_equal(wit_haptic_step(h, &bad, 1e-3, &r), WIT_ERROR_NUMBER);
    assert_int_equal(wit_haptic_move(h, 1, &device), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_haptic_body(h, 2, &bad), WIT_ERROR_ARGUMENT);
    assert_null(wit_haptic_tracker(h, 1));
    assert_memory_equal(before, h, bytes);
    free(before);
    wit_haptic_destroy(h);
}

/* ---- what the checks promise --------------------------------------------------------------- */

/* A point on the coupler alone is the oscillator of the theory. Its amplitude after many steps tells on which side of the
 * limit it is; within 2 % of it neither is asked. */
static bool oscillator_grows(const wit_haptic_def* def, double h)
{
    wit_haptic* w = world_make(def);
    wit_motion device = wit_motion_at_rest(wit_pose_identity());
    wit_haptic_result r = {0};
    double most = 0;
    for (int i = 0; i < 4000 && most < 1e3; i++) {
        assert_int_equal(wit_haptic_step(w, &device, h, &r), WIT_OK);
        most = r.finite ? fmax(most, fabs(r.tool.pose.position.x)) : INFINITY;
    }
    wit_haptic_destroy(w);
    return most >= 1e3;
}

static void stability_check_agrees_with_the_simulation(void** state)
{
    (void)state;
    rng rand = rng_seed(901);
    long runs = campaign(2000), stable = 0, unstable = 0;
    for (long i = 0; i < runs; i++) {
        wit_haptic_body_def point = wit_haptic_default_body();
        point.drive = WIT_DRIVE_DYNAMIC;
        point.mass = rng_range(&rand, 0.1, 3);
        point.start.pose.position.x = 1;
        wit_haptic_def d = wit_haptic_default_def();
        static const wit_integrator methods[] = {WIT_INTEGRATOR_DEFAULT, WIT_INTEGRATOR_RK4};
        d.integrator = methods[i % 2];
        if (d.integrator) d.law.kind = WIT_LAW_LINEARIZING;
        d.bodies = &point;
        d.body_count = 1;
        d.tool = 0;
        d.rate = rng_range(&rand, 500, 5000);
        double h = 1 / d.rate;
        d.coupler.stiffness = point.mass / (h * h) * rng_range(&rand, 0.2, 12);
        d.coupler.damping = point.mass / h * rng_range(&rand, 0, 2);
        wit_status status = wit_haptic_check(&d, d.rate, NULL);
        wit_haptic_def near = d;
        bool edge = false;
        for (int k = 0; k < 2; k++) {
            double f = k ? 1.02 : 0.98;
            near.coupler.stiffness = d.coupler.stiffness * f;
            near.coupler.damping = d.coupler.damping * f;
            edge |= wit_haptic_check(&near, d.rate, NULL) != status;
        }
        if (edge) continue;
        d.allow_unstable = true;
        bool grows = oscillator_grows(&d, h);
        if (grows != (status != WIT_OK))
            fail_msg("run %ld: %s, h^2 k/m %g, h c/m %g: check %d, simulation %s", i, wit_integrator_name(d.integrator),
                     h * h * d.coupler.stiffness / point.mass, h * d.coupler.damping / point.mass, (int)status,
                     grows ? "grows" : "stays");
        *(grows ? &unstable : &stable) += 1;
    }
    printf("stability: %ld oscillators stable, %ld unstable, all as the check says\n", stable, unstable);
    assert_true(stable > runs / 10 && unstable > runs / 10);
}

/*
 * Passivity. The device is led into a wall and out again along a sine; the force is held between samples. Energy that comes out of the
 * wall must be taken off by the device's own damping: W - d times the integral of v^2 <= 0.
 */
static double energy_out(const world* w, double k, double b, double rate, double reach, double speed, double own)
{
    wit_haptic_body_def bodies[2] = {world_fixed(w->ground), wit_haptic_default_body()};
    bodies[1].drive = WIT_DRIVE_PROXY;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = 2;
    d.pairs = &pair;
    d.pair_count = 1;
    d.tool = 1;
    d.coupler.stiffness = k;
    d.coupler.damping = b;
    d.rate = rate;
    wit_haptic* h = world_make(&d);
    double dt = 1 / rate, out = 0, force = 0;
    long steps = (long)(2 * PI * 3 / (speed * dt));
    wit_motion at = wit_motion_at_rest(wit_pose_identity());
    double z = 0.1 * reach;
    for (long i = 1; i <= steps; i++) {
        double t = (double)i * dt, to = -reach * sin(speed * t) + 0.1 * reach;
        /* Between the samples, finely: the held force works, the device rubs, in and out of contact alike. */
        enum { FINE = 8 };
        for (int s = 1; s <= FINE; s++) {
            double tau = t - dt + dt * s / FINE, next = -reach * sin(speed * tau) + 0.1 * reach;
            double v = (next - z) * FINE / dt;
            if (force > 0 || next < 0) out += force * (next - z) - own * v * v * dt / FINE;
            z = next;
        }
        at.pose.position.z = to;
        at.twist.velocity.z = -reach * speed * cos(speed * t);
        wit_haptic_result r;
        assert_int_equal(wit_haptic_step(h, &at, dt, &r), WIT_OK);
        force = r.force.z;
    }
    wit_haptic_destroy(h);
    return out;
}

static void passivity_check_agrees_with_the_energy(void** state)
{
    world* w = fresh(state);
    rng rand = rng_seed(77);
    long runs = campaign(300), broken = 0;
    for (long i = 0; i < runs; i++) {
        double rate = rng_range(&rand, 500, 4000), k = rng_range(&rand, 200, 5000),
               reach = rng_range(&rand, 1e-3, 1e-2);
        double speed = rng_range(&rand, 2, rate / 100), limit = k / rate / 2;
        wit_haptic_body_def bodies[2] = {world_fixed(w->ground), wit_haptic_default_body()};
        bodies[1].drive = WIT_DRIVE_PROXY;
        wit_haptic_pair_def pair = {0, 1, NULL};
        wit_haptic_def d = wit_haptic_default_def();
        d.bodies = bodies;
        d.body_count = 2;
        d.pairs = &pair;
        d.pair_count = 1;
        d.tool = 1;
        d.coupler.stiffness = k;
        wit_error e = {0};
        d.device_damping = 1.01 * limit;
        assert_int_equal(wit_haptic_check(&d, rate, &e), WIT_OK);
        double safe = energy_out(w, k, 0, rate, reach, speed, d.device_damping);
        double size = k * reach * reach;
        if (safe > 1e-3 * size)
            fail_msg("run %ld: %g of %g came out of a wall that was said to be passive", i, safe, size);
        d.device_damping = 0.7 * limit;
        assert_int_equal(wit_haptic_check(&d, rate, &e), WIT_ERROR_RANGE);
        assert_string_equal(e.item, "coupler.stiffness");
        assert_non_null(strstr(e.text, "not passive"));
        broken += energy_out(w, k, 0, rate, reach, speed, 0.7 * limit) > 0;
    }
    printf("passivity: %ld walls passive where the check says so; with 0.7 of that damping %ld give energy\n", runs,
           broken);
    assert_true(broken > runs * 9 / 10);
}

/* ---- devices ------------------------------------------------------------------------------- */

static void recording_is_smooth_and_its_twist_exact(void** state)
{
    (void)state;
    rng rand = rng_seed(5);
    enum { N = 12 };
    double times[N];
    wit_pose poses[N];
    for (int i = 0; i < N; i++) {
        times[i] = i ? times[i - 1] + rng_range(&rand, 0.1, 0.5) : 0;
        poses[i].position = vec3(rng_range(&rand, -1, 1), rng_range(&rand, -1, 1), rng_range(&rand, -1, 1));
        poses[i].rotation =
            wit_quat_about(vec3(rng_range(&rand, -1, 1), rng_range(&rand, -1, 1), 1), rng_range(&rand, -1, 1));
    }
    poses[N - 1] = poses[0];
    wit_recording rec = {times, poses, N, true};
    assert_int_equal(wit_recording_check(&rec, NULL), WIT_OK);
    double worst = 0, jump = 0, step = 1e-5;
    for (int i = 0; i < 2000; i++) {
        double t = times[N - 1] * i / 1000.0; /* twice round */
        wit_motion a, b, m;
        wit_recording_at(&rec, t - step, &a);
        wit_recording_at(&rec, t + step, &b);
        wit_recording_at(&rec, t, &m);
        wit_twist d = wit_twist_between(&a.pose, &b.pose, 2 * step);
        wit_vec3 v = scale3(1 / (2 * step), sub3(b.pose.position, a.pose.position));
        bool knot = false;
        for (int k = 0; k < N; k++) knot |= fabs(fmod(t, times[N - 1]) - times[k]) < 2 * step;
        if (!knot) worst = fmax(worst, fmax(norm3(sub3(v, m.twist.velocity)), norm3(sub3(d.angular, m.twist.angular))));
        jump = fmax(jump, norm3(sub3(a.twist.velocity, b.twist.velocity)));
    }
    printf("recording: twist against differences %.1e, its change over %.0e s %.1e\n", worst, 2 * step, jump);
    assert_true(worst < 1e-6); /* third derivatives of about 1e3 times step^2, and rounding 1e-16 / step */
    assert_true(jump < 0.02);  /* accelerations of about 1e2 to 1e3 times 2e-5 */
    wit_error e = {0};
    times[3] = times[2];
    assert_int_equal(wit_recording_check(&rec, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "times[3]");
    rec.count = 1;
    assert_int_equal(wit_recording_check(&rec, &e), WIT_ERROR_COUNT);
}

static void write_force(void* user, double time, wit_vec3 force, wit_vec3 torque)
{
    (void)time;
    (void)torque;
    *(wit_vec3*)user = force;
}

static wit_status read_press(void* user, double time, wit_motion* out)
{
    (void)user;
    *out = wit_motion_at_rest(wit_pose_identity());
    out->pose.position.z = time < 0.01 ? 0.01 : -0.002;
    return WIT_OK;
}

static void callback_device_is_read_and_written(void** state)
{
    world* w = fresh(state);
    w->bodies[1] = wit_haptic_default_body();
    w->bodies[1].drive = WIT_DRIVE_PROXY;
    w->def.tool = 1;
    w->def.coupler.stiffness = 1000;
    wit_haptic* h = world_make(&w->def);
    wit_vec3 felt = vec3(7, 7, 7);
    wit_device device = {read_press, write_force, &felt};
    wit_haptic_result r;
    for (int i = 0; i < 5; i++) assert_int_equal(wit_haptic_serve(h, &device, 1e-3, &r), WIT_OK);
    assert_true(norm3(felt) == 0);
    for (int i = 0; i < 20; i++) assert_int_equal(wit_haptic_serve(h, &device, 1e-3, &r), WIT_OK);
    assert_true(norm3(sub3(felt, vec3(0, 0, 2))) < 1e-12);
    assert_true(fabs(r.tool.pose.position.z) < 1e-15);
    wit_haptic_destroy(h);
}

/* A hand that wants to be 1 mm inside the ground, on a device with mass, through a coupler and a proxy body: the chain of springs in
 * balance. */
static void human_device_coupler_and_proxy_come_to_rest(void** state)
{
    world* w = fresh(state);
    w->def.gravity = vec3(0, 0, 0);
    w->bodies[1].start.pose.position.z = 0.1;
    w->def.tool = 1;
    w->def.coupler = (wit_coupler){800, 1, 1, 0.05};
    w->def.device_damping = 3;
    w->def.device_angular_damping = 1;
    w->def.response.stiffness = 5000;
    w->def.response.damping = 20;
    wit_haptic* h = world_make(&w->def);
    wit_human hand = wit_human_default();
    hand.at.pose.position.z = 0.1;
    hand.device_damping = 3;
    wit_motion want = wit_motion_at_rest(wit_pose_identity());
    want.pose.position.z = 0.1 - 0.001;
    wit_haptic_result r = {0};
    for (int i = 0; i < 6000; i++) {
        assert_int_equal(wit_human_step(&hand, &want, r.force, r.torque, 1e-3), WIT_OK);
        assert_int_equal(wit_haptic_step(h, &hand.at, 1e-3, &r), WIT_OK);
    }
    /* three springs in a row share 1 mm */
    double force = 0.001 / (1 / 300.0 + 1 / 800.0 + 1 / 5000.0);
    printf("hand, coupler and contact: force %.9f, springs in a row %.9f\n", r.force.z, force);
    assert_true(fabs(r.force.z - force) < 1e-9);
    hand.stiffness = 1e9;
    assert_int_equal(wit_human_step(&hand, &want, r.force, r.torque, 1e-3), WIT_ERROR_RANGE);
    wit_haptic_destroy(h);
}

/* ---- the god-object ------------------------------------------------------------------------ */

static void god_object_stays_on_the_surface_and_sticks_in_the_cone(void** state)
{
    world* w = fresh(state);
    w->bodies[0] = world_fixed(w->ball);
    w->bodies[1] = wit_haptic_default_body();
    w->bodies[1].drive = WIT_DRIVE_PROXY;
    w->def.tool = 1;
    w->def.coupler.stiffness = 1000;
    for (int rough = 0; rough < 2; rough++) {
        w->def.response.friction = rough ? 0.5 : 0;
        wit_haptic* h = world_make(&w->def);
        wit_motion at = wit_motion_at_rest(wit_pose_identity());
        wit_haptic_result r;
        double off = 0, error = 0, cone = 0;
        int stuck = 0;
        wit_vec3 before = vec3(0, 0, 0);
        for (int i = 0; i < 1200; i++) {
            double a = i < 200 ? 0 : (i - 200) * 1e-3, depth = i < 100 ? -0.01 : 0.01;
            wit_vec3 out = vec3(sin(a), 0, cos(a));
            at.pose.position = scale3(0.1 - depth, out);
            at.twist_known = false;
            assert_int_equal(wit_haptic_step(h, &at, 1e-3, &r), WIT_OK);
            if (i < 110) continue;
            wit_vec3 proxy = r.tool.pose.position;
            off = fmax(off, fabs(norm3(proxy) - 0.1));
            double normal = dot3(r.force, out), tangent = norm3(addscaled3(r.force, -normal, out));
            error = fmax(error, norm3(sub3(r.force, scale3(10, out))));
            cone = fmax(cone, tangent / normal);
            if (i > 200 && norm3(sub3(proxy, before)) < 1e-15) stuck++;
            before = proxy;
        }
        printf("god-object, mu %.1f: off the surface %.1e, tangential over normal force %.4f, stuck for %d steps\n",
               w->def.response.friction, off, cone, stuck);
        if (rough) {
            /* The proxy stands mu depth behind on the tangent: 0.5 (mu depth)^2 / R above the ball at most, to first order. */
            assert_true(off < 1.2 * 0.5 * 0.005 * 0.005 / 0.1);
            assert_true(cone < 0.5 * 1.001 && cone > 0.4);
            assert_true(stuck > 20);
        } else {
            assert_true(off < 1e-13 && error < 1e-9);
        }
        wit_haptic_destroy(h);
    }
}

/* ---- snapshots ----------------------------------------------------------------------------- */

static void copy_of_the_block_goes_on_with_the_same_bits(void** state)
{
    world* w = fresh(state);
    w->def.body_count = 3;
    w->def.pair_count = 2;
    w->def.response.stiffness = 1e4;
    w->def.response.friction = 0.3;
    w->bodies[2].start.pose.position = vec3(0.02, 0.01, 0.5);
    for (int method = 0; method < 2; method++) {
        if (method) {
            w->def.integrator = WIT_INTEGRATOR_RK4;
            w->def.law.kind = WIT_LAW_LINEARIZING;
        }
        size_t bytes = wit_haptic_size(&w->def);
        void *one = malloc(bytes), *two = malloc(bytes);
        wit_haptic* h = NULL;
        assert_int_equal(wit_haptic_init(one, bytes, &w->def, &h, NULL), WIT_OK);
        assert_int_equal(wit_haptic_init(one, bytes - 16, &w->def, &h, NULL), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_haptic_init(one, bytes, &w->def, &h, NULL), WIT_OK);
        wit_haptic_result r, s;
        for (int i = 0; i < 300; i++) assert_int_equal(wit_haptic_step(h, NULL, 1e-3, &r), WIT_OK);
        memcpy(two, one, bytes);
        for (int i = 0; i < 300; i++) {
            assert_int_equal(wit_haptic_step(h, NULL, 1e-3, &r), WIT_OK);
            assert_int_equal(wit_haptic_step(two, NULL, 1e-3, &s), WIT_OK);
            assert_true(r.energy.stored == s.energy.stored && r.gap == s.gap && r.work.units == s.work.units);
        }
        wit_motion a, b;
        wit_haptic_body(h, 2, &a);
        wit_haptic_body(two, 2, &b);
        assert_true(a.pose.position.x == b.pose.position.x && a.pose.rotation.w == b.pose.rotation.w);
        free(one);
        free(two);
    }
}

/* An unstable world says so and stays finite. */
static void unstable_world_is_reported(void** state)
{
    world* w = fresh(state);
    w->def.tool = 1;
    w->def.coupler.stiffness = 1e8;
    w->def.allow_unstable = true;
    w->def.pair_count = 0;
    wit_haptic* h = world_make(&w->def);
    wit_motion at = wit_motion_at_rest(wit_pose_identity());
    wit_haptic_result r = {.finite = true};
    for (int i = 0; i < 100000 && r.finite; i++) assert_int_equal(wit_haptic_step(h, &at, 1e-3, &r), WIT_OK);
    assert_false(r.finite);
    assert_true(finite3(r.tool.pose.position));
    wit_haptic_destroy(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_parameters_are_refused_by_name),
        cmocka_unit_test(bad_keeps_are_refused_by_name),
        cmocka_unit_test(bad_steps_leave_the_world_as_it_was),
        cmocka_unit_test(stability_check_agrees_with_the_simulation),
        cmocka_unit_test(passivity_check_agrees_with_the_energy),
        cmocka_unit_test(recording_is_smooth_and_its_twist_exact),
        cmocka_unit_test(callback_device_is_read_and_written),
        cmocka_unit_test(human_device_coupler_and_proxy_come_to_rest),
        cmocka_unit_test(god_object_stays_on_the_surface_and_sticks_in_the_cone),
        cmocka_unit_test(copy_of_the_block_goes_on_with_the_same_bits),
        cmocka_unit_test(unstable_world_is_reported),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
