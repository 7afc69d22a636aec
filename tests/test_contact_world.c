/* SPDX-License-Identifier: MIT */
/* Bodies that come to rest, stick, slide and roll on contacts that the world finds itself; two-sided sheets; limits; refusals. */
#include <stdlib.h>

#include "campaign.h"
#include "haptic_world.h"

static wit_body* box_of(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x;
    d.size_y = y;
    d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_haptic_body_def moved_by_forces(const wit_body* shape, double density)
{
    wit_haptic_body_def d = wit_haptic_default_body();
    wit_mass m;
    assert_int_equal(wit_body_mass(shape, density, &m, NULL), WIT_OK);
    d.shape = shape;
    d.drive = WIT_DRIVE_DYNAMIC;
    d.mass = m.mass;
    d.centre = m.centre;
    memcpy(d.inertia, m.inertia, sizeof d.inertia);
    d.start.twist_known = true;
    return d;
}

static wit_haptic_def world_of(wit_haptic_body_def* bodies, int n, wit_haptic_pair_def* pairs, int pair_count)
{
    wit_haptic_def d = wit_haptic_default_def();
    d.bodies = bodies;
    d.body_count = n;
    d.pairs = pairs;
    d.pair_count = pair_count;
    d.gravity = vec3(0, 0, -9.81);
    return d;
}

static double total(const wit_energy* e)
{
    return e->stored + e->dissipated - e->supplied;
}

/* ---- rest ------------------------------------------------------------------------------------ */

typedef struct rest {
    double fastest, depth, force, balance, put_in;
    int unsure, points;
} rest;

static rest drop(const wit_body* ground, double top, int way, wit_response_kind kind, double seconds)
{
    wit_body* box = box_of(0.1, 0.08, 0.06);
    wit_haptic_body_def bodies[2] = {world_fixed(ground), moved_by_forces(box, 1000)};
    static const double heights[] = {0.03, 0.06, 0.08};
    if (way == 1) bodies[1].start.pose.rotation = wit_quat_about(vec3(0, 1, 0), 0.6);
    if (way == 2) bodies[1].start.pose.rotation = wit_quat_about(vec3(1, 1, 0.3), 0.7);
    bodies[1].start.pose.position.z = top + heights[way] + 0.02;
    bool dome = top > 0.2; /* rolls to and fro, which only the air stops */
    bodies[1].damping = dome ? 1 : 0;
    bodies[1].angular_damping = dome ? 3e-3 : 0;
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = world_of(bodies, 2, &pair, 1);
    d.rate = 2000;
    d.response.kind = kind;
    d.response.stiffness = 2000;
    d.response.damping = dome ? 5 : 10;
    d.response.friction = 0.5;
    wit_haptic* w = world_make(&d);
    rest r = {0};
    double first = 0, settled = 10;
    long steps = (long)(seconds * d.rate);
    for (long i = 1; i <= steps; i++) {
        wit_haptic_result s;
        assert_int_equal(wit_haptic_step(w, NULL, 1 / d.rate, &s), WIT_OK);
        assert_true(s.finite);
        if (i == 1) first = total(&s.energy);
        r.balance = fmax(r.balance, fabs(total(&s.energy) - first));
        r.unsure += s.unsure;
        if (s.time < settled) continue;
        wit_motion m;
        wit_haptic_body(w, 1, &m);
        r.fastest = fmax(r.fastest, fmax(norm3(m.twist.velocity), 0.1 * norm3(m.twist.angular)));
        r.depth = -s.gap;
        wit_haptic_pair p;
        wit_haptic_contact(w, 0, &p);
        r.force = p.force_on_b.z;
    }
    wit_motion m;
    wit_haptic_body(w, 1, &m);
    r.points = wit_haptic_points(w, 0, NULL, 0);
    r.put_in = bodies[1].mass * 9.81 * (bodies[1].start.pose.position.z - m.pose.position.z);
    wit_haptic_destroy(w);
    wit_body_destroy(box);
    return r;
}

/* Speed below 1e-6 of the size a second, depth weight / stiffness to 1 %, the energies' balance within 1e-3 of what was put in. */
static void boxes_come_to_rest_on_a_plane_a_box_and_a_dome(void** state)
{
    (void)state;
    static const char* const names[] = {"plane", "box", "dome"};
    static const char* const ways[] = {"flat", "edge", "corner"};
    wit_body* grounds[3] = {world_ground(), box_of(1, 1, 0.2), world_ball(0.5)};
    static const double tops[] = {0, 0.1, 0.5};
    double weight = 0.48 * 9.81, size = sqrt(0.02), seconds = fmax(12, (double)campaign(60));
    for (int g = 0; g < 3; g++)
        for (int way = 0; way < 3; way++) {
            rest r = drop(grounds[g], tops[g], way, WIT_RESPONSE_PENALTY, seconds);
            printf("box on its %-6s dropped on a %-5s, %g s: %d points, fastest %.1e, depth %.4f of weight / "
                   "stiffness, balance %.1e of what was put in, %d steps unsure\n",
                   ways[way], names[g], seconds, r.points, r.fastest, r.depth / (weight / 2000), r.balance / r.put_in,
                   r.unsure);
            assert_true(r.fastest < 1e-6 * size);
            assert_true(fabs(r.depth / (weight / 2000) - 1) < 0.01);
            assert_true(fabs(r.force / weight - 1) < 1e-6);
            assert_true(r.balance < 1e-3 * r.put_in);
        }
    for (int g = 0; g < 3; g++) wit_body_destroy(grounds[g]);
}

static void five_boxes_stacked_stand(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *box = box_of(0.1, 0.1, 0.1);
    for (int kind = 0; kind < 2; kind++) {
        wit_haptic_body_def bodies[6];
        wit_haptic_pair_def pairs[5];
        bodies[0] = world_fixed(ground);
        for (int i = 1; i < 6; i++) {
            bodies[i] = moved_by_forces(box, 1000);
            bodies[i].start.pose.position = vec3(0.003 * (i % 2), 0.003 * (i / 2 % 2), 0.051 + 0.101 * (i - 1));
            pairs[i - 1] = (wit_haptic_pair_def){i - 1, i, NULL};
        }
        wit_haptic_def d = world_of(bodies, 6, pairs, 5);
        d.rate = 2000;
        d.response.kind = (wit_response_kind)kind;
        d.response.stiffness = 2e4;
        d.response.damping = 60;
        d.response.friction = 0.5;
        wit_haptic* w = world_make(&d);
        wit_haptic_result r;
        for (int i = 0; i < 20000; i++) {
            assert_int_equal(wit_haptic_step(w, NULL, 1 / d.rate, &r), WIT_OK);
            assert_true(r.finite);
        }
        double worst = 0, lean = 0;
        for (int i = 0; i < 5; i++) {
            wit_haptic_pair p;
            wit_motion m;
            wit_haptic_contact(w, i, &p);
            wit_haptic_body(w, i + 1, &m);
            worst = fmax(worst, fabs(p.force / (9.81 * (5 - i)) - 1));
            lean = fmax(lean, hypot(m.pose.position.x, m.pose.position.y));
        }
        printf("five boxes by %s after 10 s: forces off the weights by %.1e, no box %.4f off the axis\n",
               wit_response_name((wit_response_kind)kind), worst, lean);
        assert_true(worst < 0.01 && lean < 0.01);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(box);
    wit_body_destroy(ground);
}

/* ---- rolling, sticking ----------------------------------------------------------------------- */

/* A cylinder set down sliding: friction brings it to where v = w l, with m (v0 - v) l = I w, l from the axis to the force. */
static void a_cylinder_rolls_on_contacts_of_its_own(void** state)
{
    (void)state;
    wit_solid_def def = wit_solid_default_def(WIT_SOLID_CYLINDER);
    def.radius = 0.1;
    def.height = 0.2;
    def.frame.origin = vec3(0, -0.1, 0);
    def.frame.z = vec3(0, 1, 0);
    wit_body *ground = world_ground(), *cylinder = wit_solid_create(&def, NULL, NULL);
    for (int kind = 0; kind < 2; kind++) {
        wit_haptic_body_def bodies[2] = {world_fixed(ground), moved_by_forces(cylinder, 150)};
        double k = 2e4, m = bodies[1].mass, sink = kind ? 0 : m * 9.81 / k, lever = 0.1 - sink / 2;
        bodies[1].start.pose.position.z = 0.1 - sink;
        bodies[1].start.twist.velocity.x = 2;
        wit_haptic_pair_def pair = {0, 1, NULL};
        wit_haptic_def d = world_of(bodies, 2, &pair, 1);
        d.response.kind = (wit_response_kind)kind;
        d.response.stiffness = k;
        d.response.damping = 50;
        d.response.friction = 0.3;
        wit_haptic* w = world_make(&d);
        wit_haptic_result r;
        double first = 0, balance = 0;
        for (int i = 0; i < 2000; i++) {
            assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
            if (!i) first = total(&r.energy);
            balance = fmax(balance, fabs(total(&r.energy) - first));
            assert_int_equal(r.unsure, 0);
        }
        wit_motion at;
        wit_haptic_body(w, 1, &at);
        double s = m * lever * lever / bodies[1].inertia[4], theory = 2 * s / (1 + s);
        printf("cylinder by %s: rolls at %.9f (theory %.9f), %d points, balance within %.1e\n",
               wit_response_name((wit_response_kind)kind), at.twist.velocity.x, theory,
               wit_haptic_points(w, 0, NULL, 0), balance);
        assert_true(fabs(at.twist.velocity.x / theory - 1) < 1e-6);
        assert_true(fabs(at.twist.angular.y * lever / theory - 1) < 1e-6);
        assert_true(fabs(at.pose.position.y) < 1e-9);
        assert_true(balance < 1e-3 * 2 * m);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(cylinder);
    wit_body_destroy(ground);
}

/* On a slope a box holds while tan(angle) < mu, and else slides with g (sin - mu cos). */
static void friction_holds_below_the_cone_and_slides_above_it(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *box = box_of(0.1, 0.1, 0.04);
    static const double mus[] = {0.2, 0.5, 0.9};
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < 3; k++)
            for (int above = 0; above < 2; above++) {
                double mu = mus[k], angle = atan(mu * (above ? 1.05 : 0.98)), s = sin(angle), c = cos(angle);
                wit_haptic_body_def bodies[2] = {world_fixed(ground), moved_by_forces(box, 1000)};
                bodies[1].start.pose.position.z = 0.02;
                wit_haptic_pair_def pair = {0, 1, NULL};
                wit_haptic_def d = world_of(bodies, 2, &pair, 1);
                d.gravity = vec3(9.81 * s, 0, -9.81 * c);
                d.response.kind = (wit_response_kind)kind;
                d.response.stiffness = 5000;
                d.response.damping = 20;
                d.response.friction = mu;
                wit_haptic* w = world_make(&d);
                wit_haptic_result r;
                wit_motion one, two;
                for (int i = 0; i < 4000; i++) {
                    assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
                    if (i == 1999) wit_haptic_body(w, 1, &one);
                }
                wit_haptic_body(w, 1, &two);
                wit_haptic_pair p;
                wit_haptic_contact(w, 0, &p);
                double force = hypot(p.force_on_b.x, p.force_on_b.y),
                       gained = two.twist.velocity.x - one.twist.velocity.x;
                if (above) {
                    double theory = 2 * 9.81 * (s - mu * c);
                    if (fabs(force / (mu * p.force) - 1) > 0.01 || fabs(gained / theory - 1) > 0.01)
                        fail_msg("mu %g: friction %g of %g, gained %g of %g", mu, force, mu * p.force, gained, theory);
                } else {
                    double way = norm3(sub3(two.pose.position, one.pose.position));
                    if (way > 1e-9 || norm3(two.twist.velocity) > 1e-9)
                        fail_msg("%s, mu %g: crept %g in 2 s, speed %g", wit_response_name(d.response.kind), mu, way,
                                 norm3(two.twist.velocity));
                    assert_true(fabs(force / (bodies[1].mass * 9.81 * s) - 1) < 0.01);
                }
                wit_haptic_destroy(w);
            }
    wit_body_destroy(box);
    wit_body_destroy(ground);
}

/* ---- sheets ---------------------------------------------------------------------------------- */

static wit_body* flat_sheet(void)
{
    wit_surface_def s = wit_surface_default_def(WIT_SURFACE_PLANE);
    s.range_u = s.range_v = (wit_interval){-1, 1};
    wit_surface* surface = wit_surface_create(&s, NULL, NULL);
    wit_face_def face = {.surface = surface};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.faces = &face;
    d.face_count = 1;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    wit_surface_destroy(surface);
    assert_non_null(b);
    return b;
}

static void two_sided_sheets_push_from_the_side_they_are_touched(void** state)
{
    (void)state;
    wit_body *sheet = flat_sheet(), *ball = world_ball(0.1);
    for (int up = -1; up < 2; up += 2)
        for (int what = 0; what < 3; what++) { /* a ball, a point, a proxy */
            wit_haptic_body_def bodies[2] = {
                world_fixed(sheet), world_dynamic(what ? NULL : ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.15 * up))};
            if (what == 2) bodies[1].drive = WIT_DRIVE_PROXY;
            wit_haptic_pair_def pair = {0, 1, NULL};
            wit_haptic_def d = world_of(bodies, 2, &pair, 1);
            d.gravity.z = -9.81 * up;
            d.response.stiffness = 2000;
            d.response.damping = 40;
            if (what == 2) {
                d.tool = 1;
                d.coupler.stiffness = 500;
            }
            wit_haptic* w = world_make(&d);
            wit_haptic_result r = {0};
            wit_motion device = wit_motion_at_rest(wit_pose_identity());
            for (int i = 1; i <= 2000; i++) {
                device.pose.position.z = up * (0.1 - 1e-4 * i);
                device.twist_known = false;
                assert_int_equal(wit_haptic_step(w, &device, 1e-3, &r), WIT_OK);
            }
            wit_haptic_pair p;
            wit_haptic_contact(w, 0, &p);
            assert_true(p.touching && p.distance < 0);
            assert_true(fabs(p.force_on_b.z * up / (what == 2 ? 50 : 9.81) - 1) < 1e-6);
            wit_haptic_destroy(w);
        }
    wit_body_destroy(ball);
    wit_body_destroy(sheet);
}

/* ---- limits and refusals --------------------------------------------------------------------- */

static void forces_and_speeds_stay_within_their_limits(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *ball = world_ball(0.02);
    for (int proxy = 0; proxy < 2; proxy++) {
        wit_haptic_body_def bodies[2] = {world_fixed(ground),
                                         world_dynamic(proxy ? NULL : ball, 0.05, 0.02, 0.02, 0.02, vec3(0, 0, 0.05))};
        if (proxy) bodies[1].drive = WIT_DRIVE_PROXY;
        wit_haptic_pair_def pair = {0, 1, NULL};
        wit_haptic_def d = world_of(bodies, 2, &pair, 1);
        d.tool = 1;
        d.coupler = (wit_coupler){300, 1, 0.02, 1e-5};
        d.force_limit = 3;
        d.torque_limit = 0.01;
        d.speed_limit = 2;
        d.angular_speed_limit = 20;
        wit_haptic* w = world_make(&d);
        wit_motion device = wit_motion_at_rest(wit_pose_identity());
        device.pose.position.z = 0.05;
        double most = 0, twist = 0, first = 0;
        int limited = 0;
        for (int i = 0; i < 3000; i++) {
            if (i == 100) device.pose.position = vec3(1e5, 0, -1e5); /* jumps */
            if (i == 500) device.pose.rotation = wit_quat_about(vec3(0, 1, 0), 3);
            if (i == 1500) device.pose = wit_pose_identity();
            device.twist_known = false;
            wit_haptic_result r;
            assert_int_equal(wit_haptic_step(w, &device, 1e-3, &r), WIT_OK);
            assert_true(r.finite);
            if (!i) first = total(&r.energy);
            most = fmax(most, norm3(r.force));
            twist = fmax(twist, norm3(r.torque));
            limited += r.limited;
            assert_true(fabs(total(&r.energy) - first) < 0.05 * (1 + fabs(r.energy.supplied)));
        }
        printf("device that jumps by 1e5: force %.6f, torque %.6f at most, %d steps limited\n", most, twist, limited);
        assert_true(most <= 3 * (1 + 1e-12) && twist <= 0.01 * (1 + 1e-12) && limited > 100);
        wit_haptic_destroy(w);
    }
    wit_body_destroy(ball);
    wit_body_destroy(ground);
}

static void every_refusal_says_why(void** state)
{
    (void)state;
    wit_body *ground = world_ground(), *ball = world_ball(0.1);
    wit_haptic_body_def bodies[2] = {world_fixed(ground), world_dynamic(ball, 1, 0.1, 0.1, 0.1, vec3(0, 0, 0.2))};
    wit_haptic_pair_def pair = {0, 1, NULL};
    wit_haptic_def d = world_of(bodies, 2, &pair, 1);
    wit_error e = {0};
    d.tool = 1;
    d.coupler.stiffness = 100;
    wit_haptic* w = world_make(&d);
    wit_motion device = wit_motion_at_rest(wit_pose_identity()), bad = device;
    assert_int_equal(wit_haptic_check_step(w, &device, 1e-3, &e), WIT_OK);
    assert_int_equal(wit_haptic_check_step(w, NULL, 1e-3, &e), WIT_ERROR_ARGUMENT);
    assert_string_equal(e.item, "device");
    assert_int_equal(wit_haptic_check_step(w, &device, 2e-3, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, "dt");
    assert_non_null(strstr(e.text, "at most 0.001"));
    bad.pose.position.x = NAN;
    assert_int_equal(wit_haptic_check_step(w, &bad, 1e-3, &e), WIT_ERROR_NUMBER);
    assert_non_null(strstr(e.text, "finite"));
    assert_int_equal(wit_haptic_check_step(NULL, &device, 1e-3, &e), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_haptic_lost(w, &e), WIT_OK);
    wit_haptic_destroy(w);
    /* The coupler acts at the origin, far from the centre of mass. */
    bodies[1].centre = vec3(3, 0, 0);
    d.coupler.stiffness = 3e4;
    assert_null(wit_haptic_create(&d, NULL, &e));
    assert_string_equal(e.item, "coupler.stiffness");
    assert_non_null(strstr(e.text, "3 from the centre of mass"));
    bodies[1].centre = vec3(0, 0, 0);
    /* A law that lags. */
    d = world_of(bodies, 2, &pair, 1);
    d.law.kind = WIT_LAW_SWITCHING;
    d.track.form = WIT_FORM_PAPERS;
    assert_null(wit_haptic_create(&d, NULL, &e));
    assert_string_equal(e.item, "track.law");
    assert_non_null(strstr(e.text, "energy"));
    /* A world that is lost tells who. */
    d = world_of(bodies, 2, &pair, 1);
    d.allow_unstable = true;
    d.response.stiffness = 1e300;
    bodies[1].start.pose.position.z = 0;
    w = world_make(&d);
    wit_haptic_result r = {.finite = true};
    for (int i = 0; i < 100 && r.finite; i++) assert_int_equal(wit_haptic_step(w, NULL, 1e-3, &r), WIT_OK);
    assert_false(r.finite);
    assert_int_not_equal(wit_haptic_lost(w, &e), WIT_OK);
    assert_true(strlen(e.item) > 0 && strlen(e.text) > 0);
    wit_haptic_destroy(w);
    wit_body_destroy(ball);
    wit_body_destroy(ground);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_come_to_rest_on_a_plane_a_box_and_a_dome),
        cmocka_unit_test(five_boxes_stacked_stand),
        cmocka_unit_test(a_cylinder_rolls_on_contacts_of_its_own),
        cmocka_unit_test(friction_holds_below_the_cone_and_slides_above_it),
        cmocka_unit_test(two_sided_sheets_push_from_the_side_they_are_touched),
        cmocka_unit_test(forces_and_speeds_stay_within_their_limits),
        cmocka_unit_test(every_refusal_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
