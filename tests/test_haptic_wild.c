/* SPDX-License-Identifier: MIT */
/* The haptic loop over a recorded wild trajectory: across edges, tangential grazes, deep pushes. And the lag of a slow law. */
#include <stdlib.h>
#include <time.h>

#include "campaign.h"
#include "counted.h"
#include "haptic_world.h"
#include "random.h"

/* Millimetres, kilograms, seconds, so mN. */
enum { POSES = 240 };
static const double SPAN = 0.25; /* seconds between poses: one minute, over and over */

typedef struct trajectory {
    double times[POSES + 1];
    wit_pose poses[POSES + 1];
    wit_recording recording;
} trajectory;

/*
 * Poses around the dome (10 x 10 x 8): two thirds near its surface, within `depth` either way, so that most ways graze it, leave it and
 * cross its edges; one third anywhere around.
 */
static void trajectory_make(trajectory* t, double depth, double apart, rng* r)
{
    for (int i = 0; i <= POSES; i++) {
        t->times[i] = SPAN * i;
        wit_vec3 p = vec3(rng_range(r, -1, 11), rng_range(r, -1, 11), rng_range(r, 2, 9));
        int way = rng_int(r, 3);
        if (way == 0) p.z = 6 + apart + rng_range(r, -depth, depth);
        if (way == 1) p.x = (rng_int(r, 2) ? 10 + apart : -apart) + rng_range(r, -depth, depth);
        t->poses[i].position = p;
        t->poses[i].rotation =
            wit_quat_about(vec3(rng_range(r, -1, 1), rng_range(r, -1, 1), 1), rng_range(r, -1.5, 1.5));
    }
    t->poses[POSES] = t->poses[0];
    t->recording = (wit_recording){t->times, t->poses, POSES + 1, true};
    assert_int_equal(wit_recording_check(&t->recording, NULL), WIT_OK);
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const unsigned CHANGES = WIT_FLAG_SWITCHED | WIT_FLAG_JUMPED | WIT_FLAG_REACQUIRED | WIT_FLAG_FELL_BACK;

typedef struct figures {
    long steps, touching, jumps, silent;
    double deepest, force, ratio, slowest, seconds, force_step;
    int64_t worst, work;
} figures;

static void figures_print(const figures* f, const char* what, double rate)
{
    printf("%s at %g Hz, %.0f s simulated: in contact %.1f %%, force at most %.0f mN, depth at most %.4f mm,\n"
           "    largest change of force in a step %.3f mN, over its bound %.3f, %ld jumps at hand-overs, %ld silent; "
           "work %.1f a "
           "step, "
           "%lld at worst; %.1f us a step, %.0f us at worst\n",
           what, rate, (double)f->steps / rate, 100.0 * (double)f->touching / (double)f->steps, f->force, f->deepest,
           f->force_step, f->ratio, f->jumps, f->silent, (double)f->work / (double)f->steps, (long long)f->worst,
           1e6 * f->seconds / (double)f->steps, 1e6 * f->slowest);
}

static void figures_add(figures* f, const wit_haptic_result* r, double seconds)
{
    f->steps++;
    f->touching += r->touching > 0;
    f->deepest = fmax(f->deepest, -r->gap);
    f->force = fmax(f->force, norm3(r->force));
    if (r->work.units > f->worst && f->steps > 1) f->worst = r->work.units;
    f->work += r->work.units;
    f->seconds += seconds;
    if (f->steps > 1) f->slowest = fmax(f->slowest, seconds);
}

/*
 * A tool with a body on the coupler. The force is k (x_device - x_tool) + b (...): within a step it changes by at most
 *     k h (speed of the device + speed of the tool) + b (change of both speeds),
 * and the tool's speed by h / m times the forces on it: coupler and contact, k_contact times depth with its damper. Penetration is
 * bounded by the coupler's force and the kinetic energy that it can have: k_c depth <= F + v sqrt(m k_c).
 */
static void run_body(const wit_body* dome, const wit_body* tool, double rate, trajectory* t)
{
    wit_haptic_body_def bodies[2] = {world_fixed(dome), world_dynamic(tool, 0.05, 1.5, 1, 0.7, t->poses[0].position)};
    bodies[1].start.pose = t->poses[0];
    bodies[1].lever = 1;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = 2;
    d.pairs = &pair;
    d.pair_count = 1;
    d.tool = 1;
    d.rate = rate;
    d.coupler = (wit_coupler){100, 2, 100, 0.5};
    d.response.stiffness = 3000;
    d.response.damping = 2;
    d.response.friction = 0.2;
    d.response.slip_speed = 5;
    d.device_damping = 5;
    d.device_angular_damping = 5;
    wit_haptic* w = world_make(&d);
    wit_device device = wit_recording_device(&t->recording);
    figures f = {0};
    wit_haptic_result r = {0}, old = {0};
    wit_motion at = {0}, was = {0};
    wit_haptic_pair p = {0}, before = {0};
    double h = 1 / rate, speed = 0, turn = 0, stretch = 0;
    long steps = campaign((long)(600 * rate)), allocations = taken;
    for (long i = 0; i < steps; i++) {
        double start = now();
        assert_int_equal(wit_haptic_serve(w, &device, h, &r), WIT_OK);
        figures_add(&f, &r, now() - start);
        assert_true(r.finite);
        wit_recording_at(&t->recording, r.time, &at);
        wit_haptic_contact(w, 0, &p);
        wit_vec3 v = r.tool.twist.velocity, u = at.twist.velocity;
        if (i) {
            double move = norm3(sub3(at.pose.position, was.pose.position)) +
                          norm3(sub3(r.tool.pose.position, old.tool.pose.position));
            double change = norm3(sub3(u, was.twist.velocity)) + norm3(sub3(v, old.tool.twist.velocity));
            double bound = d.coupler.stiffness * move + d.coupler.damping * change;
            double step = norm3(sub3(r.force, old.force));
            f.force_step = fmax(f.force_step, step);
            if (step > 1e-9) f.ratio = fmax(f.ratio, step / bound);
            /* The gap is as continuous as the motion: points of the tool are at most 1.5 from its origin. */
            double reach = h * (fmax(norm3(v), norm3(old.tool.twist.velocity)) +
                                1.5 * fmax(norm3(r.tool.twist.angular), norm3(old.tool.twist.angular)));
            if (fabs(p.distance - before.distance) > 1.05 * reach + 1e-9) {
                /* Where features change under an overlap the contact may be another one; never in between. */
                f.jumps++;
                f.silent += !((p.track.flags | before.track.flags) & CHANGES);
            }
        }
        speed = fmax(speed, norm3(v));
        turn = fmax(turn, norm3(r.tool.twist.angular));
        stretch = fmax(stretch, norm3(r.force));
        old = r;
        was = at;
        before = p;
    }
    assert_int_equal(taken - allocations, 0);
    figures_print(&f, "tool with a body", rate);
    assert_true(f.ratio < 1 + 1e-9);
    assert_int_equal(f.silent, 0);
    assert_true(f.touching > f.steps / 20);
    double fast = speed + 1.5 * turn, k = d.response.stiffness;
    double most = stretch / k + fast * sqrt(bodies[1].mass / k);
    printf("    depth %.4f of the bound %.4f\n", f.deepest, most);
    assert_true(f.deepest < most);
    wit_haptic_destroy(w);
}

/*
 * A point. The force is k (proxy - device). On a face the proxy moves at most 1 / (1 - depth times curvature) times as fast as the
 * device; where it changes its face it may jump by what the depth allows: such steps are counted. With a limit of its speed no
 * step changes the force by more than k h (speed of the device, twice, + limit).
 */
static void run_point(const wit_body* dome, double rate, double limit, trajectory* t)
{
    wit_haptic_body_def bodies[2] = {world_fixed(dome), wit_haptic_default_body()};
    bodies[1].drive = WIT_DRIVE_PROXY;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = 2;
    d.pairs = &pair;
    d.pair_count = 1;
    d.tool = 1;
    d.rate = rate;
    d.coupler.stiffness = 500;
    d.proxy_speed = limit;
    wit_haptic* w = world_make(&d);
    wit_device device = wit_recording_device(&t->recording);
    figures f = {0};
    wit_haptic_result r = {0};
    wit_haptic_pair p = {0}, before = {0};
    wit_vec3 force = vec3(0, 0, 0), place = vec3(0, 0, 0);
    double h = 1 / rate;
    long steps = campaign((long)(600 * rate)), allocations = taken;
    for (long i = 0; i < steps; i++) {
        double start = now();
        assert_int_equal(wit_haptic_serve(w, &device, h, &r), WIT_OK);
        figures_add(&f, &r, now() - start);
        wit_haptic_contact(w, 0, &p);
        wit_motion at;
        wit_recording_at(&t->recording, r.time, &at);
        double step = norm3(sub3(r.force, force)), move = norm3(sub3(at.pose.position, place));
        bool same = p.track.a.feature == before.track.a.feature && p.track.a.id == before.track.a.id;
        if (i && isfinite(limit)) {
            f.force_step = fmax(f.force_step, step);
            if (step > 1e-9) f.ratio = fmax(f.ratio, step / (d.coupler.stiffness * (2 * move + limit * h)));
        } else if (i && same) {
            f.force_step = fmax(f.force_step, step);
            /* Curvature of the lid is at most 0.35 / mm (degree 2, sagitta of 3 over 10): with the depth it magnifies. */
            double bound = d.coupler.stiffness * move * (1 + 1 / fmax(0.05, 1 - 0.35 * fmax(0, -r.gap)));
            if (step > 1e-9) f.ratio = fmax(f.ratio, step / bound);
        } else if (i && step > 2 * d.coupler.stiffness * move) {
            f.jumps++;
        }
        if (r.touching && !isfinite(limit)) /* on the body: the device is as deep as the proxy is far */
            assert_true(fabs(norm3(sub3(r.tool.pose.position, at.pose.position)) + p.distance) < 1e-9);
        force = r.force;
        place = at.pose.position;
        before = p;
    }
    assert_int_equal(taken - allocations, 0);
    figures_print(&f, isfinite(limit) ? "point, proxy limited to 1 m/s" : "point", rate);
    assert_true(f.ratio < 1 + 1e-9);
    assert_true(f.touching > f.steps / 20);
    wit_haptic_destroy(w);
}

static void wild_trajectory_is_felt_without_a_jump(void** state)
{
    (void)state;
    wit_model* m = wit_model_read_file("models/prism-dome.json", NULL, NULL);
    assert_non_null(m);
    const wit_body* dome = wit_model_body(m, 0);
    wit_body* tool = world_ellipsoid(1.5, 1, 0.7);
    rng r = rng_seed(2024);
    trajectory t;
    trajectory_make(&t, 1, 1, &r);
    static const double rates[] = {1000, 4000};
    for (int i = 0; i < 2; i++) run_body(dome, tool, rates[i], &t);
    trajectory_make(&t, 0.5, 0, &r);
    for (int i = 0; i < 4; i++) run_point(dome, rates[i % 2], i < 2 ? INFINITY : 1000, &t);
    wit_body_destroy(tool);
    wit_model_destroy(m);
}

/* ---- lag ----------------------------------------------------------------------------------- */

/* The device runs round inside a ball; how far its foot on the ball is behind. */
static double lag_of(wit_law_kind law, double gain, double speed)
{
    wit_body* ball = world_ball(1);
    wit_haptic_body_def bodies[2] = {world_fixed(ball), wit_haptic_default_body()};
    bodies[1].drive = WIT_DRIVE_PROXY;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = 2;
    d.pairs = &pair;
    d.pair_count = 1;
    d.tool = 1;
    d.coupler.stiffness = 100;
    d.law.kind = law;
    d.track.reacquire = law == WIT_LAW_DEADBEAT;
    if (law != WIT_LAW_DEADBEAT) {
        d.law.gain.value = gain;
        if (law == WIT_LAW_SWITCHING) d.track.form = WIT_FORM_PAPERS;
    }
    wit_haptic* w = world_make(&d);
    double lag = 0;
    for (int i = 0; i < 3000; i++) {
        double a = speed * (i + 1) * 1e-3;
        wit_motion at = wit_motion_at_rest(wit_pose_identity());
        wit_vec3 out = vec3(cos(a), sin(a), 0);
        at.pose.position = scale3(i < 200 ? 1.1 - 0.001 * i : 0.9, out);
        at.twist.velocity = scale3(speed * norm3(at.pose.position), vec3(-out.y, out.x, 0));
        wit_haptic_result r;
        assert_int_equal(wit_haptic_step(w, &at, 1e-3, &r), WIT_OK);
        if (i < 1500) continue;
        wit_haptic_pair p;
        wit_haptic_contact(w, 0, &p);
        wit_vec3 to = p.track.a.point; /* the foot: where the law thinks that the device touches */
        lag = fmax(lag, atan2(dot3(cross3(to, out), vec3(0, 0, 1)), dot3(to, out)));
    }
    wit_haptic_destroy(w);
    wit_body_destroy(ball);
    return lag;
}

/* A gradient law x' = -K psi on the ball of radius 1 with the device at 0.9: the foot follows by e' = -K 0.9 sin e + speed, so that
 * it lags by asin(speed / (0.9 K)). */
static void low_gain_lags_and_the_default_does_not(void** state)
{
    (void)state;
    double speed = 2;
    double none = lag_of(WIT_LAW_DEADBEAT, 0, speed);
    for (double gain = 10; gain < 200; gain *= 3) {
        double lag = lag_of(WIT_LAW_SWITCHING, gain, speed), theory = asin(speed / (0.9 * gain));
        printf(
            "device running round at %g rad/s: law switching at K = %g lags %.4f rad (theory %.4f), the default %.1e\n",
            speed, gain, lag, theory, none);
        assert_true(fabs(lag - theory) < 0.1 * theory);
    }
    assert_true(fabs(none) < 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wild_trajectory_is_felt_without_a_jump),
        cmocka_unit_test(low_gain_lags_and_the_default_does_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
