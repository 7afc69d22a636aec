/* SPDX-License-Identifier: MIT */
/* Rates of distance, normal, witnesses and parameters against differences in time, and rolling as in the textbook. */
#include "campaign.h"
#include "contact_scene.h"

enum { SHEETS = 16, RATES = 14 }; /* distance, normal, two witnesses, four parameters */
static wit_body* sheets[SHEETS];
static const double STEP = 1e-3;

typedef struct moving_pair {
    wit_moving_place a, b;
    wit_vec3 normal;
} moving_pair;

/* What the rates are rates of, after some time on both screws. */
static bool state_after(const moving_pair* p, double seconds, double out[RATES])
{
    wit_moving_place a = p->a, b = p->b;
    a.motion.pose = wit_motion_after(&p->a.motion, seconds);
    b.motion.pose = wit_motion_after(&p->b.motion, seconds);
    contact_solved s = contact_solve(&a, &b, p->normal);
    if (!s.converged || wit_kinematics_at(&s.at[0], &s.at[1], WIT_FORM_CONTACT, &s.k)) return false;
    wit_vec3 n = dot3(s.k.normal, p->normal) < 0 ? scale3(-1, s.k.normal) : s.k.normal;
    const wit_vec3 v[3] = {n, s.k.f, s.k.h};
    out[0] = s.distance;
    for (int i = 0; i < 3; ++i) out[1 + 3 * i] = v[i].x, out[2 + 3 * i] = v[i].y, out[3 + 3 * i] = v[i].z;
    double x[4] = {0};
    int na = s.k.count_a;
    for (int j = 0; j < s.k.count; ++j) {
        const wit_moving_place* q = &s.at[j >= na];
        x[j] = (j < na ? j : j - na) ? q->v : q->u;
    }
    memcpy(out + 10, x, sizeof x);
    return true;
}

static void rates_of(const wit_derivatives* d, double out[RATES])
{
    const wit_vec3 v[3] = {d->normal_rate, d->witness_rate[0], d->witness_rate[1]};
    out[0] = d->rate;
    for (int i = 0; i < 3; ++i) out[1 + 3 * i] = v[i].x, out[2 + 3 * i] = v[i].y, out[3 + 3 * i] = v[i].z;
    memcpy(out + 10, d->parameter_rate, sizeof d->parameter_rate);
}

typedef struct tally {
    long checked, skipped, unknown;
    double rate, second;
} tally;

/* Differences of fourth order at steps h and 2 h; judged only where the two agree. */
static void judge(const moving_pair* p, const wit_derivatives* d, tally* t)
{
    double v[6][RATES], base[RATES], exact[RATES], most = 1, off = 0, worst = 0;
    const double at[6] = {-4, -2, -1, 1, 2, 4};
    bool fine = state_after(p, 0, base);
    for (int i = 0; i < 6 && fine; ++i) fine = state_after(p, at[i] * STEP, v[i]);
    rates_of(d, exact);
    for (int k = 0; k < RATES && fine; ++k) {
        double near = (8 * (v[3][k] - v[2][k]) - (v[4][k] - v[1][k])) / (12 * STEP);
        double far = (8 * (v[4][k] - v[1][k]) - (v[5][k] - v[0][k])) / (24 * STEP);
        most = fmax(most, fabs(near));
        off = fmax(off, fabs(far - near));
        worst = fmax(worst, fabs(near - exact[k]));
    }
    if (!fine || !(off <= 3e-7 * most)) {
        t->skipped++;
        return;
    }
    double near = (16 * (v[3][0] + v[2][0]) - (v[4][0] + v[1][0]) - 30 * base[0]) / (12 * STEP * STEP);
    double far = (16 * (v[4][0] + v[1][0]) - (v[5][0] + v[0][0]) - 30 * base[0]) / (48 * STEP * STEP);
    if (fabs(far - near) <= 3e-5 * most) t->second = fmax(t->second, fabs(near - d->second_rate) / fmax(1, fabs(near)));
    t->rate = fmax(t->rate, worst / most);
    t->checked++;
}

/* Slip, roll and spin as they are defined; the path over each body is what the witness does beyond its material. */
static void check_parts(const moving_pair* p, const wit_derivatives* d)
{
    const wit_moving_place* q[2] = {&p->a, &p->b};
    wit_kinematics k;
    assert_int_equal(wit_kinematics_at(&p->a, &p->b, WIT_FORM_CONTACT, &k), WIT_OK);
    wit_vec3 point[2] = {k.f, k.h}, spin[2], middle = scale3(0.5, add3(k.f, k.h)), v[2];
    for (int i = 0; i < 2; ++i) {
        wit_motion m = q[i]->motion;
        if (!q[i]->body) m.twist.angular = vec3(0, 0, 0); /* a bare point does not turn */
        spin[i] = m.twist.angular;
        v[i] = wit_motion_velocity(&m, middle);
        wit_vec3 path = sub3(d->witness_rate[i], wit_motion_velocity(&m, point[i]));
        assert_true(norm3(sub3(path, d->path_rate[i])) <= 1e-12 * (1 + norm3(path)));
        assert_true(fabs(dot3(path, d->normal)) <= 1e-9 * (1 + norm3(path)));
    }
    wit_vec3 slip = sub3(v[1], v[0]), turn = sub3(spin[1], spin[0]);
    slip = addscaled3(slip, -dot3(slip, d->normal), d->normal);
    assert_true(norm3(sub3(slip, d->slip)) <= 1e-12 * (1 + norm3(slip)));
    assert_true(norm3(sub3(turn, addscaled3(d->roll, d->spin, d->normal))) <= 1e-13 * (1 + norm3(turn)));
    assert_true(fabs(dot3(d->roll, d->normal)) <= 1e-13 * (1 + norm3(turn)));
}

static void check_kinds(int ka, int kb, double distance, uint64_t seed)
{
    static const char* const names[CONTACT_KINDS] = {"face", "edge", "vertex", "point"};
    rng r = rng_seed(seed);
    tally t = {0};
    long n = campaign(1000) + 10;
    for (long trial = 0; trial < n; ++trial) {
        const wit_body *x = sheets[rng_int(&r, SHEETS)], *y = sheets[rng_int(&r, SHEETS)];
        moving_pair p = {.a = contact_place(&r, x, ka), .b = contact_place(&r, y, kb)};
        if (!contact_join(&r, &p.a, &p.b, distance)) continue;
        wit_moving_place* q[2] = {&p.a, &p.b};
        for (int i = 0; i < 2; ++i) {
            q[i]->motion.twist.velocity = random_vector(&r, 0, 1);
            q[i]->motion.twist.angular = random_vector(&r, 0, 1);
            if (!q[i]->body) q[i]->motion.twist.angular = vec3(0, 0, 0);
        }
        wit_derivatives d;
        assert_int_equal(wit_derivatives_at(&p.a, &p.b, WIT_FORM_CONTACT, &d), WIT_OK);
        p.normal = d.normal;
        if (!d.known) {
            t.unknown++;
            continue;
        }
        check_parts(&p, &d);
        judge(&p, &d, &t);
    }
    print_message("%6s / %6s at %5g: %4ld checked, %3ld not judged, %2ld unknown: rates %.1e, second rate %.1e\n",
                  names[ka], names[kb], distance, t.checked, t.skipped, t.unknown, t.rate, t.second);
    assert_true(t.checked >= n / 4);
    assert_true(t.rate <= 1e-7);
    assert_true(t.second <= 1e-5);
}

static void rates_hold_along_screws(void** state)
{
    (void)state;
    for (int ka = 0; ka < CONTACT_KINDS; ++ka)
        for (int kb = 0; kb < CONTACT_KINDS; ++kb) {
            if (ka == WIT_POINT && kb == WIT_POINT) continue;
            check_kinds(ka, kb, 0.5, 701 + 4 * (uint64_t)ka + (uint64_t)kb);
            if (ka != WIT_FACE && kb != WIT_FACE) continue;
            check_kinds(ka, kb, 0, 801 + 4 * (uint64_t)ka + (uint64_t)kb);
            check_kinds(ka, kb, -0.05, 901 + 4 * (uint64_t)ka + (uint64_t)kb);
        }
}

/* ---- rolling --------------------------------------------------------------------------------- */

static wit_body* solid(wit_solid_kind kind, double radius, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.radius = radius;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* The inner side of a sphere or cylinder, as a sheet whose normal points inwards. */
static wit_body* hollow(wit_surface_kind kind, double radius, double half)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.radius = radius;
    if (kind == WIT_SURFACE_CYLINDER) {
        d.range_v.lo = -half;
        d.range_v.hi = half;
    }
    wit_surface* s = surface_made(&d);
    wit_face_def face = {.surface = s, .reversed = true};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.face_count = 1;
    def.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

/* A ball of radius r rolls at angular velocity w; its contact is at `at` and its outward normal there is -n. */
static wit_moving_place ball_at(const wit_body* ball, wit_vec3 at, wit_vec3 n, double r, wit_vec3 w)
{
    wit_moving_place b = {.body = ball, .motion = wit_motion_at_rest(wit_pose_identity())};
    /* the ball's place u = v = 0 is at (r, 0, 0): turned to -n */
    wit_vec3 from = vec3(1, 0, 0), to = scale3(-1, n), axis = cross3(from, to);
    b.motion.pose.rotation = wit_quat_about(axis, wit_atan2(norm3(axis), dot3(from, to)));
    b.motion.pose.position = addscaled3(at, r, n);
    b.motion.twist.angular = w;
    b.motion.twist.velocity = cross3(w, scale3(r, n)); /* no slip: v + w x (-r n) = 0 */
    return b;
}

static wit_derivatives at_contact(const wit_moving_place* a, const wit_moving_place* b)
{
    wit_derivatives d;
    assert_int_equal(wit_derivatives_at(a, b, WIT_FORM_CONTACT, &d), WIT_OK);
    assert_true(d.known);
    assert_true(fabs(d.distance) < 1e-14);
    assert_true(norm3(d.slip) < 1e-14);
    assert_true(fabs(d.rate) < 1e-14);
    return d;
}

static void assert_near3(wit_vec3 x, wit_vec3 y)
{
    assert_true(norm3(sub3(x, y)) < 1e-13 * (1 + norm3(y)));
}

static void a_ball_rolls_on_a_plane(void** state)
{
    (void)state;
    const double r = 0.4, w = 3;
    wit_body *ground = solid(WIT_SOLID_HALF_SPACE, 1, 1), *ball = solid(WIT_SOLID_SPHERE, r, 1);
    wit_moving_place a = {.body = ground, .u = 0.3, .v = -0.2, .motion = wit_motion_at_rest(wit_pose_identity())};
    wit_kinematics k;
    wit_moving_place b = ball_at(ball, vec3(0.3, -0.2, 0), vec3(0, 0, 1), r, vec3(0, w, 0.7));
    assert_int_equal(wit_kinematics_at(&a, &b, WIT_FORM_CONTACT, &k), WIT_OK);
    assert_near3(k.f, k.h);
    wit_derivatives d = at_contact(&a, &b);
    assert_near3(d.witness_rate[0], vec3(w * r, 0, 0));
    assert_near3(d.witness_rate[1], vec3(w * r, 0, 0));
    assert_near3(d.path_rate[0], vec3(w * r, 0, 0));
    assert_near3(d.path_rate[1], vec3(w * r, 0, 0)); /* rolling: the same way over both */
    assert_near3(d.normal_rate, vec3(0, 0, 0));
    assert_near3(d.roll, vec3(0, w, 0));
    assert_true(fabs(d.spin - 0.7) < 1e-15);
    /* a steady screw: the centre goes on an arc about the contact, h = r cos w t */
    assert_true(fabs(d.second_rate + w * w * r) < 1e-13);
    /* sliding without rolling */
    b.motion.twist.angular = vec3(0, 0, 0);
    b.motion.twist.velocity = vec3(0, 2, 0);
    assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_CONTACT, &d), WIT_OK);
    assert_near3(d.slip, vec3(0, 2, 0));
    assert_near3(d.path_rate[0], vec3(0, 2, 0));
    assert_near3(d.path_rate[1], vec3(0, 0, 0));
    wit_body_destroy(ground);
    wit_body_destroy(ball);
}

/* In a sphere or a cylinder of radius R the contact runs round with w r R / (R - r), and the normal turns with it. */
static void a_ball_rolls_in_a_bowl_and_in_a_pipe(void** state)
{
    (void)state;
    const double R = 1.5, r = 0.4, w = 3, speed = w * r * R / (R - r);
    const wit_surface_kind kinds[2] = {WIT_SURFACE_SPHERE, WIT_SURFACE_CYLINDER};
    wit_body* ball = solid(WIT_SOLID_SPHERE, r, 1);
    for (int i = 0; i < 2; ++i) {
        wit_body* bowl = hollow(kinds[i], R, 2);
        /* at u = v = 0: (R, 0, 0), normal -x. Rolling about z goes round, about y along z */
        wit_moving_place a = {.body = bowl, .motion = wit_motion_at_rest(wit_pose_identity())};
        wit_moving_place b = ball_at(ball, vec3(R, 0, 0), vec3(-1, 0, 0), r, vec3(0, 0, w));
        wit_derivatives d = at_contact(&a, &b);
        wit_vec3 round = vec3(0, -speed, 0);
        assert_near3(d.normal, vec3(-1, 0, 0));
        assert_near3(d.witness_rate[0], round);
        assert_near3(d.path_rate[1], round);
        assert_near3(d.normal_rate, scale3(-1 / R, round));
        assert_near3(d.roll, vec3(0, 0, w));
        /* along: the sphere curves, the pipe does not */
        b = ball_at(ball, vec3(R, 0, 0), vec3(-1, 0, 0), r, vec3(0, w, 0));
        d = at_contact(&a, &b);
        wit_vec3 up = vec3(0, 0, i ? w * r : speed);
        assert_near3(d.path_rate[0], up);
        assert_near3(d.path_rate[1], up);
        assert_near3(d.normal_rate, i ? vec3(0, 0, 0) : scale3(-1 / R, up));
        wit_body_destroy(bowl);
    }
    wit_body_destroy(ball);
}

/* The same as seen by a tracker that follows the rolling ball: the path it reports is the path it goes. */
static void a_tracked_ball_rolls(void** state)
{
    (void)state;
    const double r = 0.4, w = 2, dt = 1e-3;
    wit_body* ball = solid(WIT_SOLID_SPHERE, r, 1);
    wit_solid_def box = wit_solid_default_def(WIT_SOLID_BOX);
    box.size_x = box.size_y = 8;
    box.size_z = 1;
    wit_body* ground = wit_solid_create(&box, NULL, NULL);
    wit_tracker* t = wit_tracker_create(ground, ball, NULL, NULL, NULL);
    assert_non_null(t);
    wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = a;
    wit_vec3 last = vec3(0, 0, 0);
    double worst = 0;
    b.twist.angular = vec3(0, w, 0);
    b.twist.velocity = vec3(w * r, 0, 0);
    for (int i = 0; i <= 300; ++i) {
        wit_result o;
        wit_derivatives d;
        double x = -1 + w * r * i * dt;
        b.pose.position = vec3(x, 0.1, 0.5 + r);
        wit_pose turned = wit_pose_identity(), start = wit_pose_identity();
        turned.rotation = wit_quat_about(vec3(0, 1, 0), w * i * dt);
        start.rotation = wit_quat_about(vec3(1, 0, 0), 1.1); /* away from the ball's poles */
        b.pose.rotation = wit_pose_compose(&turned, &start).rotation;
        assert_int_equal(wit_tracker_step(t, &a, &b, dt, &o), WIT_OK);
        assert_int_equal(o.outcome, WIT_OUTCOME_CONVERGED);
        assert_int_equal(wit_tracker_derivatives(t, &d), WIT_OK);
        assert_true(d.known);
        assert_true(norm3(d.slip) < 1e-12);
        assert_true(norm3(d.normal_rate) < 1e-9);
        assert_near3(d.witness_rate[0], vec3(w * r, 0, 0));
        if (i > 0) worst = fmax(worst, norm3(sub3(scale3(1 / dt, sub3(o.a.point, last)), d.witness_rate[0])));
        last = o.a.point;
    }
    print_message("rolling ball: contact point within %.1e of its rate\n", worst);
    assert_true(worst < 1e-8);
    wit_tracker_destroy(t);
    wit_body_destroy(ground);
    wit_body_destroy(ball);
}

static int make_sheets(void** state)
{
    (void)state;
    rng r = rng_seed(19);
    for (int i = 0; i < SHEETS; ++i) sheets[i] = contact_sheet(&r);
    return 0;
}

static int drop_sheets(void** state)
{
    (void)state;
    for (int i = 0; i < SHEETS; ++i) wit_body_destroy(sheets[i]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_hold_along_screws),
        cmocka_unit_test(a_ball_rolls_on_a_plane),
        cmocka_unit_test(a_ball_rolls_in_a_bowl_and_in_a_pipe),
        cmocka_unit_test(a_tracked_ball_rolls),
    };
    return cmocka_run_group_tests(tests, make_sheets, drop_sheets);
}
