/* SPDX-License-Identifier: MIT */
/*
 * Sweeps against truths of their own: times of impact from closed forms in long double (spheres; boxes, cylinders, cones,
 * capsules and ellipsoids that turn above a plane; pairs of ellipsoids), passes that graze by 1e-9, thresholds, starts inside,
 * no motion, many turns, small budgets.
 */
#include <stdlib.h>

#include "../include/witness/sweep.h"
#include "analytic.h"
#include "campaign.h"
#include "convex_solids.h"
#include "long_frame.h"

static wit_query* query;

static int begin(void** state)
{
    (void)state;
    query = wit_query_create(NULL, NULL, NULL);
    return query ? 0 : -1;
}

static int end(void** state)
{
    (void)state;
    wit_query_destroy(query);
    return 0;
}

/* ---- screws in long double ------------------------------------------------------------------ */

typedef struct long_screw {
    wit_motion m;
    double since;
} long_screw;

/* exp(w t) v, by Rodrigues. */
static long3 turned(wit_vec3 w, long double t, long3 v)
{
    long3 a = long_of(w);
    long double rate = long_norm(a), s, c;
    if (rate == 0) return v;
    long3 u = long_vec(a.x / rate, a.y / rate, a.z / rate);
    s = sinl(rate * t), c = cosl(rate * t);
    long3 r = long_add(long_vec(0, 0, 0), c, v);
    r = long_add(r, s, long_cross(u, v));
    return long_add(r, (1 - c) * long_dot(u, v), u);
}

/* Where a point of the body stands: the axis is a line that stands still. */
static long3 screw_point(const wit_moving_body* b, long double t, long3 body_point)
{
    const wit_motion* m = &b->motion;
    long3 p0 = long_of(m->pose.position), v = long_of(m->twist.velocity), w = long_of(m->twist.angular);
    long3 x = long_add(p0, 1, long_turn(m->pose.rotation, body_point));
    long double tau = t - (long double)b->since, ww = long_dot(w, w);
    if (ww == 0) return long_add(x, tau, v);
    /* p0 + (w x v) / w^2 is on the axis, along which the pitch is (w.v) / w^2 */
    long3 on = long_add(p0, 1 / ww, long_cross(w, v));
    long3 arm = turned(m->twist.angular, tau, long_add(x, -1, on));
    return long_add(long_add(on, 1, arm), tau * long_dot(w, v) / ww, w);
}

/* The body's own axes, for a vector. */
static long3 screw_vector(const wit_moving_body* b, long double t, long3 v)
{
    return turned(b->motion.twist.angular, t - (long double)b->since, long_turn(b->motion.pose.rotation, v));
}

static wit_motion random_motion(rng* r, double apart, double speed, double turn)
{
    wit_motion m;
    m.pose.position = random_vector(r, apart, 1.5 * apart);
    m.pose.rotation = wit_quat_about(random_unit(r), rng_range(r, 0, 6));
    m.twist.velocity = random_vector(r, 0, speed);
    m.twist.angular = random_vector(r, 0, turn);
    m.twist_known = true;
    return m;
}

static wit_impact first(const wit_sweep_def* d)
{
    wit_impact hit;
    wit_error error = {0};
    wit_status status = wit_sweep_first(query, d, &hit, &error);
    if (status) fail_msg("%s: %s", error.item, error.text);
    assert_true(hit.work.units <= d->budget);
    return hit;
}

/* The first root of a function that falls below zero, by steps of `grain` and halving; NAN if none was seen. */
typedef long double clearance(const void* of, long double t);

static long double first_root(clearance* f, const void* of, double from, double to, int grain, long double* least)
{
    long double t0 = from, step = ((long double)to - from) / grain;
    *least = f(of, t0);
    for (int i = 1; i <= grain; ++i) {
        long double t1 = from + step * i, f1 = f(of, t1);
        if (f1 < *least) *least = f1;
        if (f1 > 0) {
            t0 = t1;
            continue;
        }
        for (int k = 0; k < 80; ++k) {
            long double m = 0.5L * (t0 + t1);
            if (f(of, m) > 0)
                t0 = m;
            else
                t1 = m;
        }
        return t1;
    }
    return NAN;
}

typedef struct tally {
    long hits, clear, close, queries, most;
    double units;
} tally;

/* The answer against the truth: `close`, a root that the grain may have missed, or that is grazed, is not judged here. */
static void judge(const wit_sweep_def* d, clearance* f, const void* of, tally* sum, const char* what)
{
    wit_impact hit = first(d);
    long double least, root = first_root(f, of, d->from, d->to, 800, &least);
    sum->queries += (long)hit.queries;
    sum->units += (double)hit.work.units;
    if (hit.queries > sum->most) sum->most = (long)hit.queries;
    if (isnan((double)root)) {
        if (hit.outcome == WIT_SWEEP_CLEAR) {
            sum->clear++;
            if ((double)least + d->threshold < hit.lower_bound - 1e-12)
                fail_msg("%s: lower bound %.17g, but %.17Lg is met", what, hit.lower_bound, least);
            return;
        }
        /* between the steps of the grid it may touch: then the time is one of them */
        long double there = f(of, (long double)hit.time.hi);
        sum->close++;
        if (hit.outcome != WIT_SWEEP_REACHED || there > 1e-12L)
            fail_msg("%s: %s at %.12g where the clearance is %.6Lg (least seen %.6Lg)", what,
                     wit_sweep_outcome_name(hit.outcome), hit.time.hi, there, least);
        return;
    }
    sum->hits++;
    if (hit.outcome != WIT_SWEEP_REACHED || !hit.certified)
        fail_msg("%s: %s, certified %d, reason %s; but touch at %.12Lg", what, wit_sweep_outcome_name(hit.outcome),
                 hit.certified, wit_reason_name(hit.reason), root);
    if (hit.at_start) {
        assert_true(f(of, d->from) <= 1e-12L);
        return;
    }
    if ((double)root < hit.time.lo - 1e-12 || (double)root > hit.time.hi + 1e-12) {
        /* an earlier root, that the grid has stepped over */
        long double there = f(of, (long double)hit.time.hi);
        if (hit.time.hi > (double)root || there > 1e-12L)
            fail_msg("%s: bracket %.15g .. %.15g, truth %.15Lg", what, hit.time.lo, hit.time.hi, root);
        sum->close++;
    }
    assert_true(hit.time.hi - hit.time.lo <= 1e-9);
}

static void print_tally(const char* what, const tally* s)
{
    long n = s->hits + s->clear + s->close;
    printf(
        "%s: %ld touch, %ld clear, %ld between the steps of the truth; %.1f queries a sweep, %ld at most, %.0f units\n",
        what, s->hits, s->clear, s->close, (double)s->queries / (double)n, s->most, s->units / (double)n);
}

/* ---- spheres -------------------------------------------------------------------------------- */

typedef struct two_balls {
    wit_moving_body a, b;
    long3 ca, cb;
    long double sum;
} two_balls;

static long double ball_clearance(const void* of, long double t)
{
    const two_balls* s = of;
    return long_norm(long_add(screw_point(&s->a, t, s->ca), -1, screw_point(&s->b, t, s->cb))) - s->sum;
}

static wit_body* ball(double radius, wit_vec3 centre)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = radius;
    d.frame.origin = centre;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static void spheres_touch_when_they_should(void** state)
{
    (void)state;
    rng r = rng_seed(17001);
    tally sum = {0};
    for (long i = 0; i < campaign(50000); ++i) {
        double ra = rng_range(&r, 0.2, 1), rb = rng_range(&r, 0.2, 1);
        wit_vec3 ca = random_vector(&r, 0, 1), cb = random_vector(&r, 0, 1);
        wit_body *a = ball(ra, ca), *b = ball(rb, cb);
        wit_motion ma = random_motion(&r, 0.5, 1, 3), mb = random_motion(&r, 3, 2, 3);
        mb.twist.velocity = addscaled3(mb.twist.velocity, -rng_range(&r, 1, 5), unit3(mb.pose.position));
        wit_sweep_def d = wit_sweep_default_def();
        double since = rng_range(&r, -1, 1);
        d.a = wit_moving_screw(a, since, &ma);
        d.b = wit_moving_screw(b, 0, &mb);
        d.from = rng_range(&r, -0.5, 0.5);
        d.to = d.from + rng_range(&r, 0, 2);
        if (i % 3 == 0) d.threshold = rng_range(&r, 0, 1);
        two_balls t = {d.a, d.b, long_of(ca), long_of(cb), (long double)ra + rb + d.threshold};
        judge(&d, ball_clearance, &t, &sum, "spheres");
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_tally("spheres", &sum);
}

/* ---- convex solids above a plane ------------------------------------------------------------ */

typedef struct above_plane {
    wit_moving_body plane, solid;
    convex_solid shape;
    long double threshold;
} above_plane;

/* h(n) in the solid's frame: the formulas of convex_solids.h in long double. */
static long double long_support(const convex_solid* s, long3 n)
{
    long double flat = sqrtl(n.x * n.x + n.y * n.y), up = n.z > 0 ? n.z * s->z : 0;
    switch (s->kind) {
    case WIT_SOLID_BOX:
        return fabsl(n.x) * s->x + fabsl(n.y) * s->y + fabsl(n.z) * s->z;
    case WIT_SOLID_SPHERE:
        return s->x * long_norm(n);
    case WIT_SOLID_ELLIPSOID:
        return long_norm(long_vec(n.x * s->x, n.y * s->y, n.z * s->z));
    case WIT_SOLID_CYLINDER:
        return s->x * flat + up;
    case WIT_SOLID_CAPSULE:
        return s->x * long_norm(n) + up;
    default: /* CONE */
        return fmaxl(s->x * flat, n.z * s->z);
    }
}

static long double plane_clearance(const void* of, long double t)
{
    const above_plane* s = of;
    long3 m = screw_vector(&s->plane, t, long_vec(0, 0, 1)), o = screw_point(&s->plane, t, long_vec(0, 0, 0));
    long3 p = screw_point(&s->solid, t, long_vec(0, 0, 0));
    long3 ax = screw_vector(&s->solid, t, long_vec(1, 0, 0)), ay = screw_vector(&s->solid, t, long_vec(0, 1, 0)),
          az = screw_vector(&s->solid, t, long_vec(0, 0, 1));
    long3 down = long_vec(-long_dot(m, ax), -long_dot(m, ay), -long_dot(m, az));
    return long_dot(m, long_add(p, -1, o)) - long_support(&s->shape, down) - s->threshold;
}

static void solids_meet_a_plane_when_they_should(void** state)
{
    (void)state;
    rng r = rng_seed(17002);
    wit_solid_def h = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body* half = wit_solid_create(&h, NULL, NULL);
    assert_non_null(half);
    for (int k = 0; k < CONVEX_KINDS; ++k) {
        tally sum = {0};
        for (long i = 0; i < campaign(5000); ++i) {
            above_plane s = {.shape = convex_solid_random(&r, convex_kinds[k], 1)};
            wit_sweep_def d = wit_sweep_default_def();
            wit_motion mp = random_motion(&r, 0.1, 0.5, i % 2 ? 0.5 : 0), mb = random_motion(&r, 3, 2, 6);
            mb.pose.position = addscaled3(mp.pose.position, 3, wit_pose_vector(&mp.pose, vec3(0, 0, 1)));
            mb.twist.velocity = addscaled3(mb.twist.velocity, -3, wit_pose_vector(&mp.pose, vec3(0, 0, 1)));
            d.a = s.plane = wit_moving_screw(half, 0, &mp);
            d.b = s.solid = wit_moving_screw(s.shape.body, 0, &mb);
            if (i % 5 == 4) { /* the other way round */
                wit_moving_body swap = d.a;
                d.a = d.b;
                d.b = swap;
            }
            d.to = rng_range(&r, 0, 1.5);
            if (i % 3 == 0) d.threshold = rng_range(&r, 0, 0.5);
            s.threshold = d.threshold;
            judge(&d, plane_clearance, &s, &sum, wit_solid_kind_name(convex_kinds[k]));
            wit_body_destroy(s.shape.body);
        }
        print_tally(wit_solid_kind_name(convex_kinds[k]), &sum);
    }
    wit_body_destroy(half);
}

/* ---- ellipsoids ----------------------------------------------------------------------------- */

/*
 * Two ellipsoids with centres c apart and matrices P = R diag(axes^2) R^T share a point iff for all s in (0, 1)
 *     K(s) = s (1 - s) c^T ((1 - s) P_a + s P_b)^-1 c <= 1,
 * and K is concave: its greatest value less 1 changes sign at touch.
 */
typedef struct two_ellipsoids {
    wit_moving_body side[2];
    convex_solid shape[2];
} two_ellipsoids;

typedef struct long_matrix {
    long double x[3][3];
} long_matrix;

static long_matrix ellipsoid_matrix(const wit_moving_body* b, const convex_solid* s, long double t)
{
    const long double axis[3] = {s->x, s->y, s->z};
    long_matrix m = {{{0}}};
    for (int k = 0; k < 3; ++k) {
        long3 e = screw_vector(b, t, long_vec(k == 0, k == 1, k == 2));
        const long double v[3] = {e.x, e.y, e.z};
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) m.x[i][j] += axis[k] * axis[k] * v[i] * v[j];
    }
    return m;
}

/* c^T M^-1 c by Cramer's rule. */
static long double inverse_form(const long_matrix* m, long3 c)
{
    long3 r0 = long_vec(m->x[0][0], m->x[0][1], m->x[0][2]), r1 = long_vec(m->x[1][0], m->x[1][1], m->x[1][2]),
          r2 = long_vec(m->x[2][0], m->x[2][1], m->x[2][2]);
    long3 q0 = long_cross(r1, r2), q1 = long_cross(r2, r0), q2 = long_cross(r0, r1);
    long double det = long_dot(r0, q0);
    long3 y = long_vec(long_dot(q0, c), long_dot(q1, c), long_dot(q2, c)); /* symmetric: rows are columns */
    return long_dot(c, y) / det;
}

static long double contact_function(const long_matrix p[2], long3 c, long double s)
{
    long_matrix m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) m.x[i][j] = (1 - s) * p[0].x[i][j] + s * p[1].x[i][j];
    return s * (1 - s) * inverse_form(&m, c);
}

static long double ellipsoid_clearance(const void* of, long double t)
{
    const two_ellipsoids* e = of;
    const long_matrix p[2] = {ellipsoid_matrix(&e->side[0], &e->shape[0], t),
                              ellipsoid_matrix(&e->side[1], &e->shape[1], t)};
    long3 c =
        long_add(screw_point(&e->side[1], t, long_vec(0, 0, 0)), -1, screw_point(&e->side[0], t, long_vec(0, 0, 0)));
    const long double golden = 0.61803398874989484820L;
    long double lo = 0, hi = 1, x = 1 - golden, y = golden;
    long double fx = contact_function(p, c, x), fy = contact_function(p, c, y);
    for (int k = 0; k < 60; ++k) {
        if (fx > fy) {
            hi = y, y = x, fy = fx;
            x = hi - golden * (hi - lo), fx = contact_function(p, c, x);
        } else {
            lo = x, x = y, fx = fy;
            y = lo + golden * (hi - lo), fy = contact_function(p, c, y);
        }
    }
    return fmaxl(fx, fy) - 1;
}

static void ellipsoids_touch_when_they_should(void** state)
{
    (void)state;
    rng r = rng_seed(17003);
    long hits = 0, clear = 0, queries = 0, n = campaign(2000);
    for (long i = 0; i < n; ++i) {
        two_ellipsoids e;
        wit_sweep_def d = wit_sweep_default_def();
        for (int k = 0; k < 2; ++k) e.shape[k] = convex_solid_random(&r, WIT_SOLID_ELLIPSOID, 1);
        wit_motion ma = random_motion(&r, 0.2, 1, 4), mb = random_motion(&r, 2.5, 1, 4);
        mb.twist.velocity = addscaled3(mb.twist.velocity, -rng_range(&r, 1, 4), unit3(mb.pose.position));
        d.a = e.side[0] = wit_moving_screw(e.shape[0].body, 0, &ma);
        d.b = e.side[1] = wit_moving_screw(e.shape[1].body, 0, &mb);
        d.to = rng_range(&r, 0.2, 1.5);
        wit_impact hit = first(&d);
        long double least, root = first_root(ellipsoid_clearance, &e, d.from, d.to, 400, &least);
        queries += (long)hit.queries;
        if (isnan((double)root) && hit.outcome == WIT_SWEEP_CLEAR) {
            clear++;
        } else if (isnan((double)root) || (double)root > hit.time.hi + 1e-9) {
            assert_int_equal(hit.outcome, WIT_SWEEP_REACHED);
            assert_true(ellipsoid_clearance(&e, hit.time.hi) < 1e-12L);
        } else {
            hits++;
            if (hit.outcome != WIT_SWEEP_REACHED || !hit.certified)
                fail_msg("%ld: %s %s at %.12g", i, wit_sweep_outcome_name(hit.outcome), wit_reason_name(hit.reason),
                         hit.time.hi);
            if (!hit.at_start && ((double)root < hit.time.lo - 1e-11 || (double)root > hit.time.hi + 1e-11))
                fail_msg("%ld: %.15g .. %.15g, truth %.15Lg", i, hit.time.lo, hit.time.hi, root);
        }
        for (int k = 0; k < 2; ++k) wit_body_destroy(e.shape[k].body);
    }
    printf("ellipsoids: %ld touch, %ld clear; %.1f queries a sweep\n", hits, clear, (double)queries / (double)n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(spheres_touch_when_they_should, begin, end),
        cmocka_unit_test_setup_teardown(solids_meet_a_plane_when_they_should, begin, end),
        cmocka_unit_test_setup_teardown(ellipsoids_touch_when_they_should, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
