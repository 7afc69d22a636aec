/* SPDX-License-Identifier: MIT */
/*
 * The worlds of scenes/ against mechanics: boxes that come to rest, a stack that stands, a cylinder that rolls, gears in mesh, a cam and
 * its follower, a peg in its hole. Each as long as `witness track` runs it at least; the full campaign is longer. The energies'
 * balance closes in all of them: it moves by less than 1e-3 of what was put in.
 */
#include "campaign.h"
#include "haptic_world.h"

typedef struct play {
    wit_scene* scene;
    wit_haptic* world;
    wit_haptic_def def;
    wit_haptic_result now;
    double first, moved; /* the balance after the first step, and by how much it has moved at most */
    double high, low;    /* gravity's potential: what falls is put in */
    int unsure;
} play;

static play open_scene(const char* name)
{
    play p = {0};
    char path[128];
    snprintf(path, sizeof path, "scenes/%s.json", name);
    wit_error e = {0};
    p.scene = wit_scene_read_file(path, NULL, NULL, NULL, &e);
    if (!p.scene) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    assert_true(wit_scene_dynamics(p.scene, &p.def));
    p.world = world_make(&p.def);
    return p;
}

static void close_scene(play* p)
{
    wit_haptic_destroy(p->world);
    wit_scene_destroy(p->scene);
}

/* One step, with all that moves as the scene says. */
static void step(play* p)
{
    double h = 1 / p->def.rate, t = p->now.time + h;
    for (int i = 0; i < p->def.body_count; i++) {
        wit_motion m;
        if (p->def.bodies[i].drive != WIT_DRIVE_MOVED) continue;
        assert_int_equal(wit_scene_body_motion(p->scene, i, t, &m), WIT_OK);
        assert_int_equal(wit_haptic_move(p->world, i, &m), WIT_OK);
    }
    bool begins = !(p->now.time > 0);
    assert_int_equal(wit_haptic_step(p->world, NULL, h, &p->now), WIT_OK);
    assert_true(p->now.finite);
    const wit_energy* e = &p->now.energy;
    double balance = e->stored + e->dissipated - e->supplied;
    if (begins) {
        p->first = balance;
        p->high = p->low = e->gravity;
    }
    p->moved = fmax(p->moved, fabs(balance - p->first));
    p->high = fmax(p->high, e->gravity);
    p->low = fmin(p->low, e->gravity);
    p->unsure += p->now.unsure;
}

static void run(play* p, double seconds)
{
    while (p->now.time < seconds - 1e-9) step(p);
}

static double put_in(const play* p)
{
    return fmax(p->high - p->low, p->now.energy.supplied);
}

/* ---- rest ------------------------------------------------------------------------------------ */

/* Slower than 1e-6 of the size a second, as deep as weight over stiffness to 1 %. */
static void drops_come_to_rest(void** state)
{
    (void)state;
    static const char* const ways[] = {"flat", "edge", "corner"};
    static const char* const grounds[] = {"plane", "box", "dome"};
    double seconds = fmax(7, (double)campaign(60)), size = sqrt(40 * 40 + 30 * 30 + 20 * 20), weight = 0.1 * 9810;
    for (int g = 0; g < 3; g++)
        for (int way = 0; way < 3; way++) {
            char name[64];
            snprintf(name, sizeof name, "drop-%s-%s", ways[way], grounds[g]);
            play p = open_scene(name);
            double fastest = 0, deep = weight / p.def.response.stiffness;
            run(&p, 6);
            while (p.now.time < seconds - 1e-9) {
                wit_motion m;
                step(&p);
                wit_haptic_body(p.world, 1, &m);
                fastest = fmax(fastest, fmax(norm3(m.twist.velocity), size * norm3(m.twist.angular)));
            }
            printf("%s, %g s: fastest %.1e of the size, depth %.5f of weight / stiffness, balance moved by %.1e of "
                   "what was put in, %d steps unsure\n",
                   name, seconds, fastest / size, -p.now.gap / deep, p.moved / put_in(&p), p.unsure);
            assert_true(fastest < 1e-6 * size);
            assert_true(fabs(-p.now.gap / deep - 1) < 0.01);
            assert_true(p.moved < 1e-3 * put_in(&p));
            close_scene(&p);
        }
}

static void stack_stands(void** state)
{
    (void)state;
    play p = open_scene("stack");
    double seconds = fmax(3, (double)campaign(60)), worst = 0, lean = 0;
    run(&p, seconds);
    for (int i = 0; i < 5; i++) {
        wit_haptic_pair c;
        wit_motion m;
        wit_haptic_contact(p.world, i, &c);
        wit_haptic_body(p.world, i + 1, &m);
        worst = fmax(worst, fabs(c.force / (0.1 * 9810 * (5 - i)) - 1));
        wit_vec3 from = p.def.bodies[i + 1].start.pose.position;
        lean = fmax(lean, hypot(m.pose.position.x - from.x, m.pose.position.y - from.y));
    }
    printf(
        "stack after %g s: forces off the weights by %.1e, no box moved aside by more than %.1e mm, balance moved by "
        "%.1e of what was put in\n",
        seconds, worst, lean, p.moved / put_in(&p));
    assert_true(worst < 1e-3 && lean < 0.5 && p.moved < 1e-3 * put_in(&p));
    close_scene(&p);
}

/* ---- motion ---------------------------------------------------------------------------------- */

/* v = w l, m (v0 - v) l = I w: v = v0 s / (1 + s), s = m l^2 / I, l from the axis to where friction acts. */
static void cylinder_rolls_at_the_right_speed(void** state)
{
    (void)state;
    play p = open_scene("roll");
    double m = 0.2, lever = 10 - m * 9810 / p.def.response.stiffness / 2, s = m * lever * lever / 10;
    double right = 200 * s / (1 + s), kinetic = m * 200 * 200 / 2;
    run(&p, 2);
    wit_motion at;
    wit_haptic_body(p.world, 1, &at);
    wit_vec3 v = wit_motion_velocity(&at, wit_pose_point(&at.pose, p.def.bodies[1].centre));
    printf("roll: %.8f mm/s, off by %.1e, balance moved by %.1e of what was put in\n", v.x, v.x / right - 1,
           p.moved / kinetic);
    assert_true(fabs(v.x / right - 1) < 1e-6 && fabs(at.twist.angular.y * lever / right - 1) < 1e-6);
    assert_true(p.moved < 1e-3 * kinetic);
    close_scene(&p);
}

/* Angle about z, followed over whole turns. */
static double turned(double angle, const wit_motion* m)
{
    double now = 2 * atan2(m->pose.rotation.z, m->pose.rotation.w);
    return angle + remainder(now - angle, 6.283185307179586476925);
}

/* The pinion turns 24 / 16 as far as the ring, within the play of the teeth, at every time. */
static void gears_turn_by_the_ratio_of_their_teeth(void** state)
{
    (void)state;
    play p = open_scene("gear-mesh");
    double turns = fmax(0.25, 10 * campaign_part()), rate = 3.141592653589793, angle = 0, off = 0;
    double seconds = turns * 6.283185307179586 / rate;
    while (p.now.time < seconds - 1e-9) {
        wit_motion m;
        step(&p);
        wit_haptic_body(p.world, 1, &m);
        angle = turned(angle, &m);
        if (p.now.time > 0.1) off = fmax(off, fabs(angle - 1.5 * rate * p.now.time));
    }
    printf("gear-mesh, %g turns of the ring: the pinion %.6f turns, never off by more than %.4f rad; balance moved by "
           "%.1e of what was put in, %d steps unsure\n",
           turns, angle / 6.283185307179586, off, p.moved / put_in(&p), p.unsure);
    assert_true(off < 0.1); /* a quarter of the tooth's 2 pi / 16: no tooth is skipped */
    assert_true(p.moved < 1e-3 * put_in(&p));
    close_scene(&p);
}

/* The roller's centre is R + r from the cam's, which goes round at the distance e. */
static void cam_lifts_its_follower(void** state)
{
    (void)state;
    play p = open_scene("cam");
    double seconds = fmax(2, (double)campaign(20)), off = 0, most = 0;
    while (p.now.time < seconds - 1e-9) {
        wit_motion m;
        step(&p);
        wit_haptic_body(p.world, 1, &m);
        double a = 6.283185307179586 * p.now.time, x = 8 * cos(a), y = 8 * sin(a);
        double right = y + sqrt(26.0 * 26 - x * x);
        wit_haptic_pair c;
        wit_haptic_contact(p.world, 0, &c);
        if (p.now.time < 0.5) continue;
        off = fmax(off, fabs(m.pose.position.y - right));
        most = fmax(most, c.force);
        assert_true(m.pose.position.x == 0 && p.now.touching == 1);
    }
    printf("cam, %g s: the follower is where it should be within %.3f mm, pressed in by %.3f at most; balance moved by "
           "%.1e of what was put in\n",
           seconds, off, most / p.def.response.stiffness, p.moved / put_in(&p));
    /* The spring along the normal is pressed by most / k; along the slide that is more by 1 / cos of at most asin(8 / 26). */
    assert_true(off < 1.06 * most / p.def.response.stiffness);
    assert_true(p.moved < 1e-3 * put_in(&p));
    close_scene(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_come_to_rest),
        cmocka_unit_test(stack_stands),
        cmocka_unit_test(cylinder_rolls_at_the_right_speed),
        cmocka_unit_test(gears_turn_by_the_ratio_of_their_teeth),
        cmocka_unit_test(cam_lifts_its_follower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
