/* SPDX-License-Identifier: MIT */
/* d Psi / dt = M x' + b against differences in time, for every pair of feature kinds and both forms. */
#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "campaign.h"
#include "random_surface.h"

enum { KINDS = 4 }; /* face, edge, vertex, bare point */

static wit_body* random_sheet(rng* r)
{
    for (;;) {
        wit_surface_kind kind = (wit_surface_kind)rng_int(r, WIT_SURFACE_KIND_COUNT);
        wit_surface* s = random_any_surface(r, kind, 1);
        wit_face_def face = {.surface = s};
        wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
        def.face_count = 1;
        def.faces = &face;
        wit_body* b = wit_body_create(&def, NULL, NULL);
        wit_surface_destroy(s);
        if (!b) continue;
        wit_body_info info = wit_body_describe(b);
        if (info.edge_count && info.vertex_count) return b;
        wit_body_destroy(b);
    }
}

/* A parameter well inside a cell, so that no difference runs over a knot; *width is that of the cell. */
static double inside_cell(rng* r, const double* breaks, int count, double* width)
{
    int k = rng_int(r, count - 1);
    *width = breaks[k + 1] - breaks[k];
    return breaks[k] + rng_range(r, 0.25, 0.75) * *width;
}

static wit_moving_place random_place(rng* r, const wit_body* body, int kind, double width[2])
{
    wit_moving_place p = {.body = kind == WIT_POINT ? NULL : body, .feature = (wit_feature_kind)kind};
    int count;
    width[0] = width[1] = 0;
    if (kind == WIT_FACE) {
        const wit_surface* s = wit_body_face(body, 0).surface;
        const double* u = wit_surface_breaks(s, WIT_U, &count);
        p.u = inside_cell(r, u, count, &width[0]);
        const double* v = wit_surface_breaks(s, WIT_V, &count);
        p.v = inside_cell(r, v, count, &width[1]);
    } else if (kind == WIT_EDGE) {
        p.id = rng_int(r, wit_body_describe(body).edge_count);
        wit_edge_info e = wit_body_edge(body, p.id);
        const double* t = wit_curve_breaks(e.curve, &count);
        p.u = inside_cell(r, t, count, &width[0]);
    } else if (kind == WIT_VERTEX) {
        p.id = rng_int(r, wit_body_describe(body).vertex_count);
    }
    wit_vec3 axis = random_unit(r);
    double angle = rng_range(r, -3, 3);
    p.motion.pose.position = random_vector(r, 0, 3);
    p.motion.pose.rotation = wit_quat_about(axis, angle);
    p.motion.twist.velocity = random_vector(r, 0, 2);
    p.motion.twist.angular = random_vector(r, 0, 2);
    p.motion.twist_known = true;
    return p;
}

static wit_moving_place later(const wit_moving_place* p, const double speed[2], double t)
{
    wit_moving_place q = *p;
    q.motion.pose = wit_motion_after(&p->motion, t);
    /* the twist of the body's origin moves with it: V(x) = v + w x (x - p0) is steady in space */
    q.motion.twist.velocity = wit_motion_velocity(&p->motion, q.motion.pose.position);
    q.u += speed[0] * t;
    q.v += speed[1] * t;
    return q;
}

/* Differences of two step sizes, put together so that the error is of fourth order. */
static void differences(const wit_moving_place* a, const double* speed_a, const wit_moving_place* b,
                        const double* speed_b, wit_form form, double step, double* out)
{
    double d[2][WIT_MAX_PARAMETERS];
    for (int k = 0; k < 2; ++k) {
        double t = k ? 2 * step : step;
        wit_kinematics lo, hi;
        wit_moving_place a0 = later(a, speed_a, -t), a1 = later(a, speed_a, t);
        wit_moving_place b0 = later(b, speed_b, -t), b1 = later(b, speed_b, t);
        assert_int_equal(wit_kinematics_at(&a0, &b0, form, &lo), WIT_OK);
        assert_int_equal(wit_kinematics_at(&a1, &b1, form, &hi), WIT_OK);
        for (int i = 0; i < hi.count; ++i) d[k][i] = (hi.psi[i] - lo.psi[i]) / (2 * t);
    }
    for (int i = 0; i < WIT_MAX_PARAMETERS; ++i) out[i] = (4 * d[0][i] - d[1][i]) / 3;
}

/* What the rows are made of: sizes that rounding and differences are relative to. */
static double row_size(const wit_kinematics* k, int row, const double* x)
{
    double sum = fabs(k->b[row]);
    for (int j = 0; j < k->count; ++j) sum += fabs(k->M[row * k->count + j] * x[j]);
    return sum;
}

static void rates_of_psi_are_m_times_speed_plus_b(void** state)
{
    (void)state;
    rng r = rng_seed(61);
    double worst = 0;
    long n = campaign(1000), checked = 0;
    for (long trial = 0; trial < n; ++trial) {
        wit_body *x = random_sheet(&r), *y = random_sheet(&r);
        for (int kind = 0; kind < KINDS * KINDS - 1; ++kind) { /* two bare points are refused */
            double wa[2], wb[2], out[WIT_MAX_PARAMETERS], speed[WIT_MAX_PARAMETERS];
            wit_moving_place a = random_place(&r, x, kind / KINDS, wa), b = random_place(&r, y, kind % KINDS, wb);
            double sa[2] = {0, 0}, sb[2] = {0, 0};
            for (int i = 0; i < 2; ++i) {
                sa[i] = wa[i] * rng_range(&r, -1, 1);
                sb[i] = wb[i] * rng_range(&r, -1, 1);
            }
            for (int form = 0; form < WIT_FORM_COUNT; ++form) {
                wit_kinematics k;
                assert_int_equal(wit_kinematics_at(&a, &b, (wit_form)form, &k), WIT_OK);
                for (int i = 0; i < k.count; ++i) speed[i] = i < k.count_a ? sa[i] : sb[i - k.count_a];
                differences(&a, sa, &b, sb, (wit_form)form, 1e-3, out);
                for (int i = 0; i < k.count; ++i) {
                    double exact = k.b[i];
                    for (int j = 0; j < k.count; ++j) exact += k.M[i * k.count + j] * speed[j];
                    double size = row_size(&k, i, speed);
                    if (!(size > 1e-9)) continue;
                    worst = fmax(worst, fabs(out[i] - exact) / size);
                    ++checked;
                }
            }
        }
        wit_body_destroy(x);
        wit_body_destroy(y);
    }
    print_message("%ld rows, worst difference %.2g of their size\n", checked, worst);
    assert_true(worst < 1e-8);
}

static wit_body* ellipsoid(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = x, d.size_y = y, d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* Two ellipsoids a gap apart along x, seen at their nearest points (u = 0 and u = pi on the equators). */
static void contact_form_is_regular_through_touch(void** state)
{
    (void)state;
    wit_body *x = ellipsoid(1, 1.5, 0.75), *y = ellipsoid(0.5, 1, 1);
    const double gaps[] = {0.25, 1e-3, 0, -1e-3, -0.1};
    for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; ++i) {
        wit_moving_place a = {.body = x, .motion = wit_motion_at_rest(wit_pose_identity())}, b = a;
        b.body = y;
        b.u = PI;
        b.motion.pose.position.x = 1.5 + gaps[i];
        b.motion.twist.velocity = vec3(-2, 0.5, 0);
        wit_kinematics k, p;
        assert_int_equal(wit_kinematics_at(&a, &b, WIT_FORM_CONTACT, &k), WIT_OK);
        assert_int_equal(wit_kinematics_at(&a, &b, WIT_FORM_PAPERS, &p), WIT_OK);
        assert_true(fabs(k.distance - gaps[i]) < 1e-14);
        assert_true(fabs(p.distance - fabs(gaps[i])) < 1e-14);
        assert_true(fabs(k.normal.x - 1) < 1e-14);
        assert_true(fabs(k.rate + 2) < 1e-14);
        assert_true(k.regular);
        if (gaps[i] == 0) assert_true(!p.regular && p.kind == WIT_STATIONARY_FLAT);
        if (gaps[i] > 0) assert_true(p.regular && p.kind == WIT_STATIONARY_MINIMUM);
        if (gaps[i] < 0) assert_true(p.kind == WIT_STATIONARY_SADDLE);
        /* the gap is known to 1e-15, so its direction to that over its length */
        for (int j = 0; j < k.count; ++j)
            assert_true(fabs(k.error[j]) <= (j < 2 ? 1e-15 / fmax(fabs(gaps[i]), 1e-15) : 1e-14));
    }
    wit_body_destroy(x);
    wit_body_destroy(y);
}

/* x <- x + correct is Newton's method: from beside the closest pair it comes back to it, in both forms. */
static void corrections_are_steps_of_newton(void** state)
{
    (void)state;
    wit_body *x = ellipsoid(1, 1.5, 0.75), *y = ellipsoid(0.5, 1, 1);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_placed px = wit_placed_at(x, wit_pose_identity()), py = wit_placed_at(y, wit_pose_identity());
    py.pose.position = vec3(2, 0.6, 0.3);
    py.pose.rotation = wit_quat_about(vec3(1, 2, -1), 0.4);
    wit_closest c;
    assert_int_equal(wit_closest_pair(q, &px, &py, &c), WIT_OK);
    for (int form = 0; form < WIT_FORM_COUNT; ++form) {
        wit_moving_place a = {.body = x, .u = c.a.u + 0.03, .v = c.a.v - 0.02, .motion = wit_motion_at_rest(px.pose)};
        wit_moving_place b = {.body = y, .u = c.b.u - 0.01, .v = c.b.v + 0.04, .motion = wit_motion_at_rest(py.pose)};
        wit_kinematics k;
        for (int step = 0; step < 8; ++step) {
            assert_int_equal(wit_kinematics_at(&a, &b, (wit_form)form, &k), WIT_OK);
            assert_true(k.regular);
            a.u += k.correct[0], a.v += k.correct[1], b.u += k.correct[2], b.v += k.correct[3];
        }
        for (int i = 0; i < k.count; ++i) assert_true(fabs(k.error[i]) < 1e-14);
        assert_true(fabs(k.distance - c.distance) < 1e-14);
        assert_int_equal(k.kind, WIT_STATIONARY_MINIMUM);
    }
    wit_query_destroy(q);
    wit_body_destroy(x);
    wit_body_destroy(y);
}

static void bad_places_are_refused(void** state)
{
    (void)state;
    wit_body* x = ellipsoid(1, 1.5, 0.75);
    wit_moving_place good = {.body = x, .motion = wit_motion_at_rest(wit_pose_identity())};
    wit_moving_place point = good, bad;
    wit_kinematics k;
    point.body = NULL;
    assert_int_equal(wit_kinematics_at(&good, &point, WIT_FORM_CONTACT, &k), WIT_OK);
    assert_int_equal(wit_kinematics_at(&point, &point, WIT_FORM_CONTACT, &k), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_kinematics_at(&good, NULL, WIT_FORM_CONTACT, &k), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_kinematics_at(&good, &point, WIT_FORM_CONTACT, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_kinematics_at(&good, &point, WIT_FORM_COUNT, &k), WIT_ERROR_ARGUMENT);
    bad = good, bad.id = 1;
    assert_int_equal(wit_kinematics_at(&bad, &point, WIT_FORM_CONTACT, &k), WIT_ERROR_RANGE);
    bad = good, bad.u = NAN;
    assert_int_equal(wit_kinematics_at(&bad, &point, WIT_FORM_CONTACT, &k), WIT_ERROR_NUMBER);
    bad = good, bad.motion.pose.rotation.w = 2;
    assert_int_equal(wit_kinematics_at(&bad, &point, WIT_FORM_CONTACT, &k), WIT_ERROR_RANGE);
    bad = good, bad.motion.twist.angular.z = INFINITY;
    assert_int_equal(wit_kinematics_at(&bad, &point, WIT_FORM_CONTACT, &k), WIT_ERROR_NUMBER);
    wit_body_destroy(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_form_is_regular_through_touch),
        cmocka_unit_test(corrections_are_steps_of_newton),
        cmocka_unit_test(bad_places_are_refused),
        cmocka_unit_test(rates_of_psi_are_m_times_speed_plus_b),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
