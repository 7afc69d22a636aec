/* SPDX-License-Identifier: MIT */
/*
 * Bodies far from the origin, turned, tiny and huge, and bodies far from the origin of their own frame: rounding of the poses
 * against the truth in long double. Rigorous brackets hold it, not by one unit in the last place less; others within the
 * tolerance that was asked for; what is certified is right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/witness.h"
#include "campaign.h"
#include "long_frame.h"
#include "random.h"

/* ---- what is asked ------------------------------------------------------------------------------- */

static double rng_power(rng* r, double lo, double hi) /* 10^lo to 10^hi */
{
    return pow(10, rng_range(r, lo, hi));
}

static wit_vec3 rng_vector(rng* r, double size)
{
    wit_vec3 v;
    v.x = rng_range(r, -size, size);
    v.y = rng_range(r, -size, size);
    v.z = rng_range(r, -size, size);
    return v;
}

/* Any rotation; its length is off by up to `off`. */
static wit_quat rng_rotation(rng* r, double off)
{
    double q[4], n;
    do {
        n = 0;
        for (int i = 0; i < 4; ++i) {
            q[i] = rng_range(r, -1, 1);
            n += q[i] * q[i];
        }
    } while (n > 1 || n < 0.01);
    n = sqrt(n) * (1 + rng_range(r, -off, off));
    wit_quat w = {q[0] / n, q[1] / n, q[2] / n, q[3] / n};
    return w;
}

static wit_pose rng_pose(rng* r, double offset)
{
    wit_pose p;
    p.position = rng_vector(r, offset);
    p.rotation = rng_rotation(r, rng_int(r, 4) ? 0 : 9e-7);
    return p;
}

/* A number on a coarse grid: sums of these are exact, so that a solid is where its def says. */
static double on_grid(double x, double grid)
{
    return rint(x / grid) * grid;
}

enum { BALL, BOX, CYLINDER, TORUS, SHAPES };

/* A solid about `centre` in its own frame. */
typedef struct shape {
    int kind;
    double x, y, z; /* radius, tube; sizes; radius, height */
    wit_vec3 centre;
    wit_body* body;
    double size;
} shape;

static shape shape_made(rng* r, int kind, double scale, double away)
{
    double grid = ldexp(1, ilogb(scale * fmax(1, away)) - 26);
    shape s = {.kind = kind};
    s.x = on_grid(scale * rng_range(r, 0.5, 1), grid);
    s.y = on_grid(scale * rng_range(r, 0.1, 0.4), grid);
    s.z = on_grid(scale * rng_range(r, 0.5, 1), grid);
    s.centre = rng_vector(r, scale * away);
    s.centre.x = on_grid(s.centre.x, grid);
    s.centre.y = on_grid(s.centre.y, grid);
    s.centre.z = on_grid(s.centre.z, grid);
    static const wit_solid_kind kinds[SHAPES] = {WIT_SOLID_SPHERE, WIT_SOLID_BOX, WIT_SOLID_CYLINDER, WIT_SOLID_TORUS};
    wit_solid_def d = wit_solid_default_def(kinds[kind]);
    d.frame.origin = s.centre;
    d.radius = s.x;
    d.radius2 = s.y;
    d.height = s.z;
    d.size_x = s.x;
    d.size_y = s.y;
    d.size_z = s.z;
    s.body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(s.body);
    s.size = wit_body_describe(s.body).size;
    return s;
}

/* The signed distance of a point of the body's frame. */
static long double shape_distance(const shape* s, long3 p)
{
    long3 q = long_add(p, -1, long_of(s->centre));
    switch (s->kind) {
    case BALL:
        return long_norm(q) - s->x;
    case BOX:
        return long_box(q, s->x, s->y, s->z);
    case CYLINDER:
        return long_cylinder(q, s->x, s->z);
    default:
        return long_torus(q, s->x, s->y);
    }
}

/* ---- what must hold ------------------------------------------------------------------------------- */

typedef struct tally {
    long asked, certified, outside, wrong; /* outside: the bracket does not hold the truth; wrong: certified, and off */
    double worst;                          /* of what it is outside by, over the scale */
} tally;

/* own: a bound of the error of the truth. */
static void judge(tally* t, const wit_closest* c, bool rigorous, long double truth, double size, long double own)
{
    double asked = 1e-9 * fmax(fabs((double)truth), size);
    long double over = c->lower_bound - truth, under = truth - c->upper_bound, off = over > under ? over : under;
    ++t->asked;
    t->certified += c->certified;
    if (off > own + (rigorous ? 0 : asked)) {
        ++t->outside;
        t->worst = fmax(t->worst, (double)off / size);
    }
    bool right = fabsl(c->distance - truth) <= asked + own && c->upper_bound - c->lower_bound <= asked * (1 + 1e-12);
    t->wrong += c->certified && !right;
}

static void told(const char* what, const tally* t)
{
    print_message(
        "  %s: %ld asked, %ld certified, %ld brackets without the truth (worst %.2g of the size), %ld certified and "
        "wrong\n",
        what, t->asked, t->certified, t->outside, t->worst, t->wrong);
    assert_int_equal(t->outside, 0);
    assert_int_equal(t->wrong, 0);
}

static wit_query* query_of(bool rigorous, int64_t budget)
{
    wit_query_def d = wit_query_default_def();
    d.rigorous = rigorous;
    d.budget = budget;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    assert_non_null(q);
    return q;
}

/* ---- cold ------------------------------------------------------------------------------------------ */

/* Near a corner, an edge, a face, all over: a random place about the box of the shape, blown up. */
static long3 place_about(rng* r, const shape* s)
{
    double most = fmax(s->x + s->y, fmax(s->y, s->z)), out = rng_range(r, 0.2, 2);
    wit_vec3 v = rng_vector(r, 1);
    return long_add(long_of(s->centre), out * most, long_of(v));
}

static void ask_point(rng* r, wit_query* q, bool rigorous, const shape* s, double offset, tally* t)
{
    wit_placed a = wit_placed_at(s->body, rng_pose(r, offset));
    wit_vec3 at = long_rounded(long_point(&a.pose, place_about(r, s)));
    long3 p = long_unpoint(&a.pose, long_of(at));
    long double truth = shape_distance(s, p);
    wit_closest c;
    assert_int_equal(wit_closest_point(q, &a, at, &c), WIT_OK);
    judge(t, &c, rigorous, truth, s->size, LONG_ROUNDING * (long_norm(p) + long_norm(long_of(s->centre)) + s->size));
}

/* The second one is a ball. */
static void ask_pair(rng* r, wit_query* q, bool rigorous, const shape* s, const shape* ball, double offset, tally* t)
{
    wit_placed a = wit_placed_at(s->body, rng_pose(r, offset)), b = a;
    b.body = ball->body;
    b.pose.rotation = rng_rotation(r, 0);
    /* its centre goes where the place is */
    long3 to = long_point(&a.pose, place_about(r, s)), arm = long_turn(b.pose.rotation, long_of(ball->centre));
    b.pose.position = long_rounded(long_add(to, -1, arm));
    long3 p = long_between(&a.pose, &b.pose, long_of(ball->centre));
    long double truth = shape_distance(s, p) - ball->x, size = fmin(s->size, ball->size);
    wit_closest c;
    assert_int_equal(rng_int(r, 2) ? wit_closest_pair(q, &a, &b, &c) : wit_closest_pair(q, &b, &a, &c), WIT_OK);
    if (truth < 0 && s->kind == TORUS) return; /* no closed form */
    if (truth < 0 && s->kind != BALL) truth = fmaxl(truth, -1e300L);
    long double own = LONG_ROUNDING * (long_norm(p) + long_norm(long_of(s->centre)) + 2 * long_norm(arm) + s->size);
    judge(t, &c, rigorous, truth, (double)size, own);
}

static void run_cold(const char* what, bool rigorous, double away)
{
    rng r = rng_seed(rigorous ? 11 : 12);
    wit_query* q = query_of(rigorous, 200000);
    tally points = {0}, pairs = {0};
    for (long k = campaign(4000); k-- > 0;) {
        double scale = rng_power(&r, -6, 6), off = away > 0 ? rng_power(&r, 0, away) : 0, offset = rng_power(&r, 0, 6);
        shape s = shape_made(&r, rng_int(&r, SHAPES), scale, off), ball = shape_made(&r, BALL, scale, off);
        if (rng_int(&r, 2)) offset *= scale;
        for (int i = 0; i < 10; ++i) {
            ask_point(&r, q, rigorous, &s, offset, &points);
            ask_pair(&r, q, rigorous, &s, &ball, offset, &pairs);
        }
        wit_body_destroy(s.body);
        wit_body_destroy(ball.body);
    }
    wit_query_destroy(q);
    char text[96];
    snprintf(text, sizeof text, "%s, points", what);
    told(text, &points);
    snprintf(text, sizeof text, "%s, pairs", what);
    told(text, &pairs);
    /* where rounding is small against the size nothing is lost */
    if (!(away > 0)) assert_int_equal(points.certified + pairs.certified, points.asked + pairs.asked);
}

static void rigorous_brackets_hold_the_truth_wherever_bodies_stand(void** state)
{
    (void)state;
    run_cold("rigorous", true, 0);
    run_cold("rigorous, bodies off their origin", true, 6);
}

static void brackets_hold_the_truth_within_the_tolerance(void** state)
{
    (void)state;
    run_cold("default", false, 0);
    run_cold("default, bodies off their origin", false, 6);
}

/* ---- sheets of one surface ------------------------------------------------------------------------- */

static wit_body* one_sheet(const wit_surface_def* d)
{
    wit_surface* s = wit_surface_create(d, NULL, NULL);
    assert_non_null(s);
    wit_face_def face = {.surface = s};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    wit_body* b = wit_body_create(&def, NULL, NULL);
    assert_non_null(b);
    wit_surface_destroy(s);
    return b;
}

/* ---- corners of sheets with wild weights --------------------------------------------------------- */

/*
 * A rational patch whose control points lie in a cone about `way` from its first one: all of it is in that cone, and its
 * corner is exact. From outside, about against the way, the corner is nearest.
 */
static wit_body* cone_patch(rng* r, wit_vec3 corner, double way, double scale)
{
    enum { N = 3 };
    static const double knots[2 * N] = {0, 0, 0, 1, 1, 1};
    double points[3 * N * N], weights[N * N];
    for (int k = 0; k < N * N; ++k) {
        double length = k ? way * scale * rng_range(r, 0.1, 1) : 0;
        points[3 * k] = corner.x + length * rng_range(r, 0.8, 1.2);
        points[3 * k + 1] = corner.y + length * rng_range(r, 0.8, 1.2);
        points[3 * k + 2] = corner.z + length * rng_range(r, 0.8, 1.2);
        weights[k] = rng_power(r, 0, 10);
    }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = N - 1;
    d.count_u = d.count_v = N;
    d.knot_count_u = d.knot_count_v = 2 * N;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    d.weights = weights;
    return one_sheet(&d);
}

/* A way that is at most some 15 degrees off the diagonal. */
static long3 diagonal(rng* r, double length)
{
    wit_vec3 v = rng_vector(r, 0.15);
    return long_vec(length * (1 + v.x), length * (1 + v.y), length * (1 + v.z));
}

/* By either query: the default one, the rigorous one. */
static void ask_corners(rng* r, wit_query* const q[2], tally points[2], tally pairs[2])
{
    double scale = rng_power(r, -6, 6), offset = rng_power(r, 0, 6) * scale;
    wit_vec3 ca = rng_vector(r, scale), cb = rng_vector(r, scale);
    wit_body *first = cone_patch(r, ca, 1, scale), *second = cone_patch(r, cb, -1, scale);
    wit_placed a = wit_placed_at(first, rng_pose(r, offset)), b = wit_placed_at(second, a.pose);
    wit_closest c;
    double size_a = wit_body_describe(first).size, size_b = wit_body_describe(second).size;
    long3 gap = diagonal(r, scale * rng_power(r, -6, 0));
    wit_vec3 at = long_rounded(long_point(&a.pose, long_add(long_of(ca), -1, gap)));
    long double truth = long_norm(long_add(long_unpoint(&a.pose, long_of(at)), -1, long_of(ca)));
    long double own = LONG_ROUNDING * (4 * scale + truth);
    for (int rigorous = 0; rigorous < 2; ++rigorous) {
        assert_int_equal(wit_closest_point(q[rigorous], &a, at, &c), WIT_OK);
        judge(&points[rigorous], &c, rigorous, truth, size_a, own);
    }
    /* turned by a little, its corner against that of the first */
    wit_vec3 axis = rng_vector(r, 1);
    wit_pose tilt = {{0, 0, 0}, wit_quat_about(axis, rng_range(r, 0, 0.3))};
    b.pose.rotation = wit_pose_compose(&a.pose, &tilt).rotation;
    long3 to = long_point(&a.pose, long_add(long_of(ca), -1, gap));
    b.pose.position = long_rounded(long_add(to, -1, long_turn(b.pose.rotation, long_of(cb))));
    truth = long_norm(long_add(long_between(&a.pose, &b.pose, long_of(cb)), -1, long_of(ca)));
    for (int rigorous = 0; rigorous < 2; ++rigorous) {
        assert_int_equal(wit_closest_pair(q[rigorous], &a, &b, &c), WIT_OK);
        judge(&pairs[rigorous], &c, rigorous, truth, fmin(size_a, size_b), own);
    }
    wit_body_destroy(first);
    wit_body_destroy(second);
}

static void corners_of_wild_weights_are_rounded(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    /* most of these are hard: whatever stops a search, its bracket is right */
    wit_query* q[2] = {query_of(false, 1000), query_of(true, 1000)};
    tally points[2] = {{0}, {0}}, pairs[2] = {{0}, {0}};
    for (long k = campaign(5000); k-- > 0;) ask_corners(&r, q, points, pairs);
    for (int rigorous = 0; rigorous < 2; ++rigorous) {
        told(rigorous ? "rigorous, corners and points" : "default, corners and points", &points[rigorous]);
        told(rigorous ? "rigorous, corners and corners" : "default, corners and corners", &pairs[rigorous]);
        wit_query_destroy(q[rigorous]);
    }
}

/* ---- sheets that nearly cross --------------------------------------------------------------------- */

/* The underside of a ring of radius 1 about x, bent sharply across: its lowest point stands alone. */
static wit_body* rim(double tube)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_TORUS);
    d.frame = (wit_frame){{0, 0, 0}, {0, 0, -1}, {1, 0, 0}};
    d.radius = 1;
    d.minor = tube;
    d.range_u = (wit_interval){-0.3, 0.3};
    d.range_v = (wit_interval){-1, 1};
    return one_sheet(&d);
}

static wit_body* square(double half)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = (wit_interval){-half, half};
    return one_sheet(&d);
}

typedef struct crossings {
    long apart, across, said, wrong, outside;
} crossings;

/*
 * The lowest point of the rim is as far below its middle as the ring reaches along the plane's normal, and a tube more; it is
 * over the square. Apart by a gap that rounding can hide, or through it.
 */
static void ask_rim(rng* r, wit_query* q, const wit_body* plane, crossings* t)
{
    double tube = rng_power(r, -9, -4), gap = rng_power(r, -15, -12) * (rng_int(r, 4) ? 1 : -1);
    wit_body* body = rim(tube);
    wit_placed a = wit_placed_at(plane, rng_pose(r, 0)), b = wit_placed_at(body, a.pose);
    wit_vec3 axis = {0, 0, 1}, tilt = rng_vector(r, 0.1);
    wit_pose turn = {{0, 0, 0}, wit_quat_about(axis, rng_range(r, 0, 6))};
    wit_pose lean = {{0, 0, 0}, wit_quat_about(tilt, 0.1)};
    turn = wit_pose_compose(&turn, &lean);
    b.pose.rotation = wit_pose_compose(&a.pose, &turn).rotation;
    long3 k = long_between(&a.pose, &b.pose, long_vec(1, 0, 0));
    long double below = sqrtl(k.x * k.x + k.y * k.y) + tube;
    b.pose.position = long_rounded(long_turn(a.pose.rotation, long_vec(0.1L, 0.1L, below + gap)));
    /* as it stands now that its position is rounded */
    long double least = long_between(&a.pose, &b.pose, long_vec(0, 0, 0)).z - below;
    wit_closest c;
    assert_int_equal(wit_closest_pair(q, &a, &b, &c), WIT_OK);
    long double truth = least > 0 ? least : 0, own = 4 * LONG_ROUNDING;
    bool said = c.outcome == WIT_OUTCOME_OVERLAPPING;
    t->apart += least > own;
    t->across += least < -own;
    t->said += said && least < -own;
    t->wrong += said && least > own;
    t->outside += c.lower_bound > truth + own || c.upper_bound < truth - own;
    wit_body_destroy(body);
}

static void what_is_not_proved_does_not_cross(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    wit_query* q = query_of(true, 200000);
    wit_body* plane = square(1);
    crossings t = {0};
    for (long k = campaign(20000); k-- > 0;) ask_rim(&r, q, plane, &t);
    print_message("  %ld apart, %ld of them said to cross; %ld across, %ld said; %ld brackets without the truth\n",
                  t.apart, t.wrong, t.across, t.said, t.outside);
    assert_int_equal(t.wrong, 0);
    assert_int_equal(t.outside, 0);
    wit_body_destroy(plane);
    wit_query_destroy(q);
}

/* Two squares through each other, by far more than rounding: that is said, wherever they stand. */
static void sheets_that_cross_are_said_to(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    wit_query* q = query_of(true, 200000);
    wit_body* plane = square(1);
    for (long k = campaign(10000); k-- > 0;) {
        wit_placed a = wit_placed_at(plane, rng_pose(&r, rng_power(&r, 0, 6))), b = a;
        wit_vec3 by = rng_vector(&r, 0.3);
        b.pose.position = (wit_vec3){a.pose.position.x + by.x, a.pose.position.y + by.y, a.pose.position.z + by.z};
        b.pose.rotation = rng_rotation(&r, 0);
        /* do the normals tell them apart, and is the middle of the one near enough to the other? */
        long3 n = long_between(&a.pose, &b.pose, long_vec(0, 0, 1)),
              o = long_between(&a.pose, &b.pose, long_vec(0, 0, 0));
        long double cosine = n.z - o.z;
        wit_closest c;
        assert_int_equal(wit_closest_pair(q, &a, &b, &c), WIT_OK);
        if (fabsl(cosine) < 0.7L)
            assert_true(c.outcome == WIT_OUTCOME_OVERLAPPING && c.lower_bound == 0 && c.upper_bound == 0);
    }
    wit_body_destroy(plane);
    wit_query_destroy(q);
}

/* ---- tracked --------------------------------------------------------------------------------------- */

typedef struct path_tally {
    long frames, certified, above, wrong;
} path_tally;

/* A ball, or a point, goes round a shape at a little distance. */
static void follow(rng* r, int kind, bool point, double away, path_tally* t)
{
    double scale = rng_power(r, -3, 3), offset = rng_power(r, 0, 6) * (rng_int(r, 2) ? scale : 1),
           step = rng_range(r, 0.01, 0.05);
    double off = away > 0 ? rng_power(r, 0, away) : 0;
    shape s = shape_made(r, kind, scale, off), ball = shape_made(r, BALL, scale, off);
    wit_tracker* k = wit_tracker_create(s.body, point ? NULL : ball.body, NULL, NULL, NULL);
    assert_non_null(k);
    wit_pose a = rng_pose(r, offset), b = rng_pose(r, 0);
    double size = point ? s.size : fmin(s.size, ball.size), most = s.x + s.y + s.z;
    for (int f = 0; f < 50; ++f) {
        long double phase = step * f;
        long3 way = long_vec(cosl(phase), 0.6L * sinl(phase), 0.8L * sinl(phase));
        long3 to = long_point(&a, long_add(long_of(s.centre), 2.2L * most, way));
        if (!point) to = long_add(to, -1, long_turn(b.rotation, long_of(ball.centre)));
        b.position = long_rounded(to);
        wit_motion ma = wit_motion_at_rest(a), mb = wit_motion_at_rest(b);
        ma.twist_known = mb.twist_known = f % 2;
        wit_result o;
        assert_int_equal(wit_tracker_step(k, &ma, &mb, 1e-3, &o), WIT_OK);
        long3 p = point ? long_unpoint(&a, long_of(b.position)) : long_between(&a, &b, long_of(ball.centre));
        long double truth = shape_distance(&s, p) - (point ? 0 : ball.x);
        long double own =
            4 * LONG_ROUNDING * (long_norm(p) + long_norm(long_of(s.centre)) + long_norm(long_of(ball.centre)) + scale);
        bool certified = o.flags & WIT_FLAG_CERTIFIED;
        double asked = 1e-9 * fmax((double)truth, size);
        ++t->frames;
        t->certified += certified;
        t->above += o.lower_bound > truth + own;
        t->wrong += certified && fabsl(o.distance - truth) > asked + own;
    }
    wit_tracker_destroy(k);
    wit_body_destroy(s.body);
    wit_body_destroy(ball.body);
}

static void certified_frames_are_right_wherever_bodies_stand(void** state)
{
    (void)state;
    static const int kinds[2] = {BALL, TORUS};
    for (int away = 0; away <= 6; away += 6)
        for (int what = 0; what < 4; ++what) {
            rng r = rng_seed(41 + (uint64_t)what);
            path_tally t = {0};
            for (long k = campaign(1000); k-- > 0;) follow(&r, kinds[what / 2], what % 2, away, &t);
            print_message(
                "  %s and a %s%s: %ld frames, %ld certified, %ld of these wrong, %ld lower bounds above the truth\n",
                what / 2 ? "torus" : "ball", what % 2 ? "point" : "ball", away ? ", off their origins" : "", t.frames,
                t.certified, t.wrong, t.above);
            assert_int_equal(t.wrong, 0);
            assert_int_equal(t.above, 0);
            if (!away && what / 2 == 0) assert_true(t.certified == t.frames);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigorous_brackets_hold_the_truth_wherever_bodies_stand),
        cmocka_unit_test(brackets_hold_the_truth_within_the_tolerance),
        cmocka_unit_test(corners_of_wild_weights_are_rounded),
        cmocka_unit_test(what_is_not_proved_does_not_cross),
        cmocka_unit_test(sheets_that_cross_are_said_to),
        cmocka_unit_test(certified_frames_are_right_wherever_bodies_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
