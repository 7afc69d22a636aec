/* SPDX-License-Identifier: MIT */
/* Gradient and Hessian of the signed distance against differences of the converged distance, for every pair of features. */
#include "campaign.h"
#include "contact_scene.h"

enum { SIX = 6, PAIRS = SIX * (SIX + 1) / 2 };
static const double STEP = 1e-3;

typedef struct tally {
    long checked, skipped, unknown;
    double gradient, hessian;
} tally;

/* The distance with b displaced by s along `way`. */
typedef bool distance_at(void* user, const double xi[6], double* out);

/* First and second derivative along `way` by five points, at steps h and 2 h. */
static bool along(distance_at* f, void* user, const double way[6], double base, double first[2], double second[2])
{
    double v[6];
    const double at[6] = {-4, -2, -1, 1, 2, 4};
    for (int i = 0; i < 6; ++i) {
        double xi[6];
        for (int k = 0; k < SIX; ++k) xi[k] = at[i] * STEP * way[k];
        if (!f(user, xi, &v[i])) return false;
    }
    first[0] = (8 * (v[3] - v[2]) - (v[4] - v[1])) / (12 * STEP);
    first[1] = (8 * (v[4] - v[1]) - (v[5] - v[0])) / (24 * STEP);
    second[0] = (16 * (v[3] + v[2]) - (v[4] + v[1]) - 30 * base) / (12 * STEP * STEP);
    second[1] = (16 * (v[4] + v[1]) - (v[5] + v[0]) - 30 * base) / (48 * STEP * STEP);
    return true;
}

/*
 * All of it. False: the differences do not agree among themselves well enough to judge by: of fourth order, the
 * smaller step is off by about a fifteenth of what the two differ by. Rounding adds 1e-15 / STEP and 1e-14 / STEP^2.
 */
static bool judge(distance_at* f, void* user, const wit_derivatives* d, tally* t)
{
    double first[2], second[2], g[SIX], H[SIX][SIX], off[2] = {0, 0}, base, zero[6] = {0}, most = 1;
    if (!f(user, zero, &base)) return false;
    for (int i = 0; i < SIX; ++i) {
        double way[6] = {0};
        way[i] = 1;
        if (!along(f, user, way, base, first, second)) return false;
        g[i] = first[0];
        H[i][i] = second[0];
        off[0] = fmax(off[0], fabs(first[1] - first[0]));
        off[1] = fmax(off[1], fabs(second[1] - second[0]));
    }
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j < i; ++j) {
            double way[6] = {0};
            way[i] = way[j] = 1;
            if (!along(f, user, way, base, first, second)) return false;
            off[1] = fmax(off[1], fabs(second[1] - second[0]));
            H[i][j] = H[j][i] = 0.5 * (second[0] - H[i][i] - H[j][j]);
        }
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j < SIX; ++j) most = fmax(most, fabs(H[i][j]));
    if (!(off[0] <= 3e-7 && off[1] <= 3e-5 * most)) return false;
    for (int i = 0; i < SIX; ++i) {
        t->gradient = fmax(t->gradient, fabs(g[i] - d->gradient[i]));
        for (int j = 0; j < SIX; ++j) {
            assert_true(d->hessian[i * SIX + j] == d->hessian[j * SIX + i]);
            t->hessian = fmax(t->hessian, fabs(H[i][j] - d->hessian[i * SIX + j]) / most);
        }
    }
    t->checked++;
    return true;
}

/* ---- features placed on purpose -------------------------------------------------------------- */

typedef struct placed_pair {
    wit_moving_place a, b;
    wit_vec3 normal;
} placed_pair;

static bool placed_distance(void* user, const double xi[6], double* out)
{
    placed_pair* p = user;
    wit_moving_place b = p->b;
    b.motion.pose = contact_displaced(&p->b.motion.pose, xi);
    contact_solved s = contact_solve(&p->a, &b, p->normal);
    *out = s.distance;
    return s.converged;
}

/* Where nothing is known the speeds that keep the pair closest must not be to be had: of any size, or none. */
static bool truly_singular(rng* r, const placed_pair* p)
{
    wit_moving_place a = p->a, b = p->b;
    wit_kinematics k;
    b.motion.twist.velocity = random_vector(r, 1, 2);
    b.motion.twist.angular = random_vector(r, 1, 2);
    assert_int_equal(wit_kinematics_at(&a, &b, WIT_FORM_CONTACT, &k), WIT_OK);
    if (!k.regular) return true;
    double most = 0;
    for (int i = 0; i < k.count; ++i) most = fmax(most, fabs(k.follow[i]));
    return most > 1e6;
}

enum { SHEETS = 16 };
static wit_body* sheets[SHEETS];

static void check_kinds(int ka, int kb, double distance, long n, uint64_t seed, tally* t)
{
    rng r = rng_seed(seed);
    for (long trial = 0; trial < n; ++trial) {
        const wit_body *x = sheets[rng_int(&r, SHEETS)], *y = sheets[rng_int(&r, SHEETS)];
        placed_pair p = {.a = contact_place(&r, x, ka), .b = contact_place(&r, y, kb)};
        if (!contact_join(&r, &p.a, &p.b, distance)) continue;
        wit_derivatives d;
        assert_int_equal(wit_derivatives_at(&p.a, &p.b, WIT_FORM_CONTACT, &d), WIT_OK);
        p.normal = d.normal;
        if (!d.known) {
            t->unknown++;
            assert_true(truly_singular(&r, &p));
            continue;
        }
        assert_true(fabs(fabs(d.distance) - fabs(distance)) < 1e-13);
        if (!judge(placed_distance, &p, &d, t)) t->skipped++;
    }
}

static int make_sheets(void** state)
{
    (void)state;
    rng r = rng_seed(17);
    for (int i = 0; i < SHEETS; ++i) sheets[i] = contact_sheet(&r);
    return 0;
}

static int drop_sheets(void** state)
{
    (void)state;
    for (int i = 0; i < SHEETS; ++i) wit_body_destroy(sheets[i]);
    return 0;
}

static const char* const names[CONTACT_KINDS] = {"face", "edge", "vertex", "point"};

static void check_all(double distance, bool touching, long n)
{
    for (int ka = 0; ka < CONTACT_KINDS; ++ka)
        for (int kb = 0; kb < CONTACT_KINDS; ++kb) {
            if (ka == WIT_POINT && kb == WIT_POINT) continue;
            bool normal = ka == WIT_FACE || kb == WIT_FACE || (ka == WIT_EDGE && kb == WIT_EDGE);
            if (touching && !normal) continue;
            tally t = {0};
            check_kinds(ka, kb, distance, n, 901 + 4 * (uint64_t)ka + (uint64_t)kb, &t);
            print_message("%6s / %6s at %6g: %4ld checked, %4ld not judged, %ld unknown: gradient %.1e, Hessian %.1e\n",
                          names[ka], names[kb], distance, t.checked, t.skipped, t.unknown, t.gradient, t.hessian);
            assert_true(t.checked >= 3 * n / 10);
            assert_true(t.gradient <= 1e-7);
            assert_true(t.hessian <= 1e-5);
        }
}

static void derivatives_hold_apart(void** state)
{
    (void)state;
    check_all(0.7, false, campaign(200) + 10);
}

static void derivatives_hold_at_touch(void** state)
{
    (void)state;
    check_all(0, true, campaign(200) + 10);
    check_all(1e-9, true, campaign(200) + 10);
}

static void derivatives_hold_inside(void** state)
{
    (void)state;
    check_all(-0.05, true, campaign(200) + 10);
}

static wit_body* unit_box(void)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = d.size_y = d.size_z = 1;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* The middle of the edge that is highest (sign 1) or lowest (-1) where the body stands. */
static wit_moving_place edge_facing(const wit_body* b, wit_pose pose, double sign)
{
    wit_moving_place p = {.body = b, .feature = WIT_EDGE, .motion = wit_motion_at_rest(pose)};
    double most = -INFINITY;
    for (int k = 0; k < wit_body_describe(b).edge_count; ++k) {
        wit_edge_info e = wit_body_edge(b, k);
        wit_curve_jet j;
        double t = 0.5 * (e.range.lo + e.range.hi);
        wit_curve_eval(e.curve, t, WIT_KNOT_DEFAULT, NULL, &j);
        double z = sign * wit_pose_point(&pose, j.p).z;
        if (z > most) most = z, p.id = k, p.u = t;
    }
    return p;
}

/* Two edges of solids that cross: out of a, so that inside is negative. */
static void edges_of_solids_are_signed_by_their_faces(void** state)
{
    (void)state;
    wit_body* x = unit_box();
    tally t = {0};
    const double distances[] = {0.3, 1e-10, 0, -1e-10, -0.02};
    for (int i = 0; i < 5; ++i) {
        /* both stand on an edge, one turned against the other by a right angle */
        double tip = sqrt(0.5), d = distances[i];
        wit_pose tilt = wit_pose_identity(), turn = wit_pose_identity();
        tilt.rotation = wit_quat_about(vec3(1, 0, 0), 0.25 * PI);
        turn.rotation = wit_quat_about(vec3(0, 0, 1), 0.5 * PI + 0.1);
        placed_pair p = {.a = edge_facing(x, tilt, 1)};
        wit_pose above = wit_pose_compose(&turn, &tilt);
        above.position = vec3(0.1, 0.05, 2 * tip + d);
        p.b = edge_facing(x, above, -1);
        wit_derivatives o;
        contact_solved s = contact_solve(&p.a, &p.b, vec3(0, 0, 1));
        assert_true(s.converged);
        p.a = s.at[0], p.b = s.at[1];
        p.normal = vec3(0, 0, 1);
        assert_int_equal(wit_derivatives_at(&p.a, &p.b, WIT_FORM_CONTACT, &o), WIT_OK);
        assert_true(o.known);
        assert_true(norm3(sub3(o.normal, p.normal)) < 1e-12);
        assert_true(fabs(o.distance - d) < 1e-14);
        assert_true(judge(placed_distance, &p, &o, &t));
        /* the unsigned form says nothing at touch */
        assert_int_equal(wit_derivatives_at(&p.a, &p.b, WIT_FORM_PAPERS, &o), WIT_OK);
        assert_true(fabs(d) < 0.01 || (o.known && fabs(o.distance - fabs(d)) < 1e-14));
        if (d == 0) assert_true(!o.known || fabs(o.distance) > 0);
    }
    print_message("edges of solids: gradient %.1e, Hessian %.1e\n", t.gradient, t.hessian);
    assert_true(t.gradient <= 1e-7);
    assert_true(t.hessian <= 1e-5);
    wit_body_destroy(x);
}

/* ---- as tracked ------------------------------------------------------------------------------ */

typedef struct tracked_pair {
    wit_body *x, *y;
    wit_tracker* tracker;
    wit_motion a, b;
    wit_result at; /* where b is not displaced */
} tracked_pair;

/* A tracker without history, placed where the pair was. */
static wit_result tracked_at(const tracked_pair* p, const wit_motion* b)
{
    wit_result out;
    assert_int_equal(wit_tracker_place(p->tracker, &p->at.a, &p->at.b), WIT_OK);
    assert_int_equal(wit_tracker_step(p->tracker, &p->a, b, 1e-3, &out), WIT_OK);
    return out;
}

static bool tracked_distance(void* user, const double xi[6], double* out)
{
    tracked_pair* p = user;
    wit_motion b = p->b;
    b.pose = contact_displaced(&p->b.pose, xi);
    wit_result r = tracked_at(p, &b);
    *out = r.distance;
    return r.outcome == WIT_OUTCOME_CONVERGED && r.a.feature == p->at.a.feature && r.a.id == p->at.a.id &&
           r.b.feature == p->at.b.feature && r.b.id == p->at.b.id;
}

static wit_body* random_solid(rng* r)
{
    static const wit_solid_kind kinds[] = {WIT_SOLID_BOX, WIT_SOLID_ELLIPSOID, WIT_SOLID_CYLINDER, WIT_SOLID_CONE,
                                           WIT_SOLID_TORUS};
    wit_solid_def d = wit_solid_default_def(kinds[rng_int(r, 5)]);
    d.size_x = rng_range(r, 0.5, 1.5);
    d.size_y = rng_range(r, 0.5, 1.5);
    d.size_z = rng_range(r, 0.5, 1.5);
    d.radius = rng_range(r, 0.5, 1);
    d.radius2 = 0.3;
    d.height = rng_range(r, 0.5, 1.5);
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* Apart; a point also inside. `depth` < 0: the pair is pushed together along its normal by that much more. */
static void check_tracked(bool point, double push, uint64_t seed, tally* t)
{
    rng r = rng_seed(seed);
    for (long trial = campaign(300); trial > 0; --trial) {
        tracked_pair p = {.x = random_solid(&r), .y = point ? NULL : random_solid(&r)};
        wit_vec3 axis = random_unit(&r), off = random_vector(&r, point ? 0.1 : 2.2, 3);
        p.a = p.b = wit_motion_at_rest(wit_pose_identity());
        p.a.pose.rotation = wit_quat_about(axis, rng_range(&r, 0, 3));
        p.b.pose.rotation = wit_quat_about(off, rng_range(&r, 0, 3));
        p.b.pose.position = off;
        p.tracker = wit_tracker_create(p.x, p.y, NULL, NULL, NULL);
        assert_non_null(p.tracker);
        wit_derivatives d = {0};
        assert_int_equal(wit_tracker_derivatives(p.tracker, &d), WIT_ERROR_ARGUMENT);
        assert_int_equal(wit_tracker_step(p.tracker, &p.a, &p.b, 1e-3, &p.at), WIT_OK);
        bool face = p.at.a.feature == WIT_FACE || p.at.b.feature == WIT_FACE;
        if (push < 0 && face) p.b.pose.position = addscaled3(off, push - p.at.distance, p.at.normal);
        wit_result again = tracked_at(&p, &p.b);
        assert_int_equal(wit_tracker_derivatives(p.tracker, &d), WIT_OK);
        bool same = again.a.feature == p.at.a.feature && again.a.id == p.at.a.id && again.b.id == p.at.b.id;
        if (!d.known || !same || (push < 0 && !face)) {
            t->unknown++;
        } else {
            assert_true(fabs(d.distance - again.distance) <= 1e-12);
            assert_true(norm3(sub3(d.normal, again.normal)) <= 1e-9);
            assert_true(fabs(d.rate - again.rate) <= 1e-12);
            if (!judge(tracked_distance, &p, &d, t)) t->skipped++;
        }
        wit_tracker_destroy(p.tracker);
        wit_body_destroy(p.x);
        wit_body_destroy(p.y);
    }
    print_message("tracked: %ld checked, %ld not judged, %ld unknown: gradient %.1e, Hessian %.1e\n", t->checked,
                  t->skipped, t->unknown, t->gradient, t->hessian);
    assert_true(t->checked >= campaign(60));
    assert_true(t->gradient <= 1e-7);
    assert_true(t->hessian <= 1e-5);
}

static void derivatives_of_trackers_hold(void** state)
{
    (void)state;
    tally pair = {0}, inside = {0}, point = {0};
    check_tracked(false, 0, 31, &pair);
    check_tracked(false, -0.02, 32, &inside);
    check_tracked(true, 0, 33, &point);
}

/* Above the pole of an ellipsoid: radii of curvature x^2 / z and y^2 / z. There the chart is taken 1e-5 beside it. */
static void poles_of_faces_do_not_matter(void** state)
{
    (void)state;
    wit_solid_def def = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    def.size_x = 1, def.size_y = 1.5, def.size_z = 0.75;
    wit_body* b = wit_solid_create(&def, NULL, NULL);
    const double off[] = {0, 1e-15, 1e-12, 1e-9, 1e-7};
    for (int i = 0; i < 5; ++i) {
        wit_tracker* t = wit_tracker_create(b, NULL, NULL, NULL, NULL);
        wit_motion a = wit_motion_at_rest(wit_pose_identity()), q = a;
        wit_result r;
        wit_derivatives d;
        q.pose.position = vec3(off[i], 0, 1);
        q.twist.velocity = vec3(1, 0, 0);
        assert_int_equal(wit_tracker_step(t, &a, &q, 1e-3, &r), WIT_OK);
        assert_int_equal(wit_tracker_derivatives(t, &d), WIT_OK);
        assert_true(d.known);
        double rx = 1 / 0.75, ry = 2.25 / 0.75;
        assert_true(fabs(d.hessian[0] - 1 / (0.25 + rx)) < 1e-6);
        assert_true(fabs(d.hessian[7] - 1 / (0.25 + ry)) < 1e-6);
        assert_true(norm3(sub3(d.path_rate[0], vec3(rx / (0.25 + rx), 0, 0))) < 1e-6);
        wit_tracker_destroy(t);
    }
    wit_body_destroy(b);
}

/* ---- where there are none -------------------------------------------------------------------- */

static void assert_nothing(const wit_derivatives* d)
{
    wit_derivatives none;
    memset(&none, 0, sizeof none);
    assert_false(d->known);
    assert_true(d->distance == 0 && d->rate == 0 && d->second_rate == 0 && d->spin == 0);
    for (int i = 0; i < SIX; ++i) assert_true(d->gradient[i] == 0);
    for (int i = 0; i < SIX * SIX; ++i) assert_true(d->hessian[i] == 0);
    assert_true(norm3(d->normal) == 0 && norm3(d->normal_rate) == 0 && norm3(d->witness_rate[1]) == 0);
}

static void nothing_is_said_where_there_is_no_normal(void** state)
{
    (void)state;
    wit_body* x = unit_box();
    wit_moving_place a = {.body = x, .feature = WIT_VERTEX, .motion = wit_motion_at_rest(wit_pose_identity())}, b = a;
    wit_derivatives d;
    for (int form = 0; form < WIT_FORM_COUNT; ++form) {
        assert_int_equal(wit_derivatives_at(&a, &b, (wit_form)form, &d), WIT_OK);
        assert_nothing(&d);
    }
    /* a vertex on the middle of an edge */
    a.feature = WIT_EDGE;
    wit_edge_info e = wit_body_edge(x, 0);
    a.u = 0.5 * (e.range.lo + e.range.hi);
    wit_curve_jet j;
    wit_curve_eval(e.curve, a.u, WIT_KNOT_DEFAULT, NULL, &j);
    b.motion.pose.position = sub3(j.p, wit_body_vertex(x, 0).point);
    assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_CONTACT, &d), WIT_OK);
    assert_nothing(&d);
    /* parallel edges, apart and in one place */
    wit_vec3 across = unit3(cross3(j.d1, vec3(1, 2, 3)));
    b = a;
    for (int i = 0; i < 3; ++i) {
        b.motion.pose.position = scale3(i * 0.3, across);
        assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_CONTACT, &d), WIT_OK);
        assert_nothing(&d);
    }
    /* face on face; and a point that is no closest point */
    a.feature = b.feature = WIT_FACE;
    a.v = a.u = b.u = b.v = 0.1;
    assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_CONTACT, &d), WIT_OK);
    assert_nothing(&d);
    b.body = NULL;
    b.motion.pose.position = vec3(3, 4, 5);
    assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_CONTACT, &d), WIT_OK);
    assert_nothing(&d);
    assert_int_equal(wit_derivatives_at(&b, &b, WIT_FORM_CONTACT, &d), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_derivatives_at(&a, NULL, WIT_FORM_CONTACT, &d), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_derivatives_at(&a, &b, WIT_FORM_COUNT, &d), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_tracker_derivatives(NULL, &d), WIT_ERROR_ARGUMENT);
    wit_body_destroy(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_hold_apart),
        cmocka_unit_test(derivatives_hold_at_touch),
        cmocka_unit_test(derivatives_hold_inside),
        cmocka_unit_test(edges_of_solids_are_signed_by_their_faces),
        cmocka_unit_test(derivatives_of_trackers_hold),
        cmocka_unit_test(poles_of_faces_do_not_matter),
        cmocka_unit_test(nothing_is_said_where_there_is_no_normal),
    };
    return cmocka_run_group_tests(tests, make_sheets, drop_sheets);
}
