/* SPDX-License-Identifier: MIT */
/*
 * Which feature of a convex body is nearest to a point outside, decided by local tests on each feature alone: the foot
 * on a face lies inside its loops and below the point; at the foot on an edge the point is on the outer side of the
 * conormals of both faces; at a vertex it is behind the tangents of all edges. Everything is read from the
 * body. The exact answer is the nearest point of an intersection of three balls, in closed form.
 */
#include "analytic.h"
#include "three_ball.h"

#define POINTS 20000

typedef struct feature {
    wit_feature_kind kind;
    int id;
    double distance;
} feature;

/* ---- closed form --------------------------------------------------------------------------- */

static bool in_ball(wit_vec3 p, int k)
{
    return norm3(sub3(p, three_ball_centre(k, 1))) <= THREE_BALL_RADIUS + 1e-12;
}

/* In a convex set the nearest point is the one local minimum, so the first candidate that is in the body is it. */
static feature exact(wit_vec3 q)
{
    feature f = {WIT_FACE, 0, 0};
    for (f.id = 0; f.id < 3; ++f.id) {
        wit_vec3 c = three_ball_centre(f.id, 1), p = addscaled3(c, THREE_BALL_RADIUS, unit3(sub3(q, c)));
        f.distance = norm3(sub3(q, p));
        if (!in_ball(q, f.id) && in_ball(p, (f.id + 1) % 3) && in_ball(p, (f.id + 2) % 3)) return f;
    }
    f.kind = WIT_EDGE;
    double z = three_ball_vertex_z(1), d = THREE_BALL_OFFSET;
    for (f.id = 0; f.id < 3; ++f.id) {
        wit_vec3 x = unit3(three_ball_centre(f.id, 1)), c = scale3(-0.5 * d, x), r = sub3(q, c);
        wit_vec3 across = cross3(x, vec3(0, 0, 1));
        r = addscaled3(r, -dot3(r, across), across);
        wit_vec3 p = addscaled3(c, sqrt(z * z + d * d / 4), unit3(r));
        f.distance = norm3(sub3(q, p));
        if (in_ball(p, f.id)) return f;
    }
    f.kind = WIT_VERTEX;
    f.id = q.z > 0 ? 0 : 1;
    f.distance = norm3(sub3(q, vec3(0, 0, f.id == 0 ? z : -z)));
    return f;
}

/* ---- local tests, from the body ------------------------------------------------------------ */

/* The foot on the surface: the nearest of a grid, then Newton on the gradient of half the squared distance, its steps cut
 * to a tenth of the box. */
static void foot_on_surface(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 q, double at[2])
{
    double best = INFINITY;
    wit_surface_jet j;
    at[0] = iv_mid(u);
    at[1] = iv_mid(v);
    for (int i = 0; i <= 8; ++i)
        for (int k = 0; k <= 8; ++k) {
            double x = u.lo + iv_width(u) * i / 8, y = v.lo + iv_width(v) * k / 8;
            wit_surface_eval(s, x, y, 0, NULL, &j);
            double r = norm3(sub3(j.p, q));
            if (r >= best) continue;
            best = r;
            at[0] = x;
            at[1] = y;
        }
    for (int n = 0; n < 50; ++n) {
        wit_surface_eval(s, at[0], at[1], 0, NULL, &j);
        wit_vec3 r = sub3(j.p, q);
        double g0 = dot3(r, j.du), g1 = dot3(r, j.dv), uu = dot3(j.du, j.du), uv = dot3(j.du, j.dv),
               vv = dot3(j.dv, j.dv);
        double a = uu + dot3(r, j.duu), b = uv + dot3(r, j.duv), c = vv + dot3(r, j.dvv), det = a * c - b * b;
        if (!(a > 0 && det > 0)) { /* not convex here: the Gauss-Newton step points downhill */
            a = uu;
            b = uv;
            c = vv;
            det = a * c - b * b;
        }
        double du = -(c * g0 - b * g1) / det, dv = -(a * g1 - b * g0) / det;
        du = fmin(fmax(du, -iv_width(u) / 10), iv_width(u) / 10);
        dv = fmin(fmax(dv, -iv_width(v) / 10), iv_width(v) / 10);
        at[0] += du;
        at[1] += dv;
        if (fabs(du) + fabs(dv) < 1e-15) return;
    }
}

static bool face_holds(const wit_body* b, int id, wit_vec3 q, double* distance, double* margin)
{
    wit_face_info f = wit_body_face(b, id);
    double at[2];
    wit_surface_jet j;
    wit_vec3 n;
    foot_on_surface(f.surface, f.u, f.v, q, at);
    if (!wit_body_face_contains(b, id, at[0], at[1])) return false;
    wit_surface_eval(f.surface, at[0], at[1], 0, NULL, &j);
    assert_true(wit_body_face_normal(b, id, at[0], at[1], &n));
    wit_vec3 r = sub3(q, j.p);
    *distance = norm3(r);
    *margin = fmin(*margin, fabs(dot3(r, n)));
    /* A foot on the border of the patch, where Newton is held, is no foot. */
    return dot3(r, n) > 0 && norm3(cross3(r, n)) <= 1e-9 * norm3(r);
}

/* (C(t) - q) . C'(t) */
static double along(const wit_curve* c, double t, wit_vec3 q)
{
    wit_curve_jet j;
    wit_curve_eval(c, t, 0, NULL, &j);
    return dot3(sub3(j.p, q), j.d1);
}

static bool conormals_hold(const wit_body* b, int id, double t, wit_vec3 q, double* margin)
{
    wit_edge_info e = wit_body_edge(b, id);
    wit_curve_jet j, s;
    wit_curve_eval(e.curve, t, 0, NULL, &j);
    wit_vec3 r = sub3(q, j.p), tau = unit3(j.d1);
    assert_int_equal(e.use_count, 2);
    bool holds = true;
    for (int k = 0; k < 2; ++k) {
        wit_use_info use;
        wit_vec3 n;
        assert_true(wit_body_edge_use(b, id, k, &use) >= 0);
        wit_curve_eval(use.parameter_curve, use.shift + use.scale * t, 0, NULL, &s);
        assert_true(wit_body_face_normal(b, use.face, s.p.x, s.p.y, &n));
        /* The face lies to the left of its loop. */
        wit_vec3 g = scale3(use.reversed ? -1 : 1, cross3(n, tau));
        double side = dot3(r, g);
        *margin = fmin(*margin, fabs(side));
        holds = holds && side <= 0;
    }
    return holds;
}

static bool edge_holds(const wit_body* b, int id, wit_vec3 q, double* distance, double* margin)
{
    enum { STEPS = 16 };
    wit_edge_info e = wit_body_edge(b, id);
    double h = iv_width(e.range) / STEPS;
    for (int i = 0; i < STEPS; ++i) {
        double lo = e.range.lo + h * i, hi = i + 1 == STEPS ? e.range.hi : lo + h;
        /* Minima of the distance: from falling to rising. */
        if (!(along(e.curve, lo, q) <= 0 && along(e.curve, hi, q) > 0)) continue;
        for (int n = 0; n < 60; ++n) {
            double mid = 0.5 * (lo + hi);
            if (along(e.curve, mid, q) <= 0)
                lo = mid;
            else
                hi = mid;
        }
        wit_curve_jet j;
        wit_curve_eval(e.curve, lo, 0, NULL, &j);
        *distance = norm3(sub3(q, j.p));
        if (conormals_hold(b, id, lo, q, margin)) return true;
    }
    return false;
}

static bool vertex_holds(const wit_body* b, int id, wit_vec3 q, double* distance, double* margin)
{
    wit_vertex_info v = wit_body_vertex(b, id);
    wit_vec3 r = sub3(q, v.point);
    *distance = norm3(r);
    bool holds = true;
    for (int k = 0; k < v.edge_count; ++k) {
        int edge = wit_body_vertex_edge(b, id, k);
        assert_true(edge >= 0);
        wit_edge_info e = wit_body_edge(b, edge);
        wit_curve_jet j;
        bool starts = e.start == id;
        assert_true(starts || e.end == id);
        wit_curve_eval(e.curve, starts ? e.range.lo : e.range.hi, starts ? 0 : WIT_KNOT_T_BELOW, NULL, &j);
        double side = dot3(r, scale3(starts ? 1 : -1, unit3(j.d1)));
        *margin = fmin(*margin, fabs(side));
        holds = holds && side <= 0;
    }
    return holds;
}

/* ---- claims -------------------------------------------------------------------------------- */

/* `off`: how far parameter curves may stand from the edges; points whose tests are decided by less are set aside. */
static void each_point_has_one_feature(three_ball_build how, double off)
{
    wit_error error = {0};
    wit_body* b = three_ball_create(how, 1, &error);
    if (!b) print_error("%s: %s\n", error.item, error.text);
    assert_non_null(b);
    wit_body_info info = wit_body_describe(b);
    assert_int_equal(info.face_count, 3);
    assert_int_equal(info.edge_count, 3);
    assert_int_equal(info.vertex_count, 2);
    typedef bool test(const wit_body*, int, wit_vec3, double*, double*);
    static test* const holds[3] = {face_holds, edge_holds, vertex_holds};
    const int counts[3] = {3, 3, 2};
    int seen[3] = {0, 0, 0}, aside = 0;
    double worst = 0;
    rng r = rng_seed(20000);
    for (int n = 0; n < POINTS;) {
        wit_vec3 q;
        q.x = rng_range(&r, -4, 4);
        q.y = rng_range(&r, -4, 4);
        q.z = rng_range(&r, -4, 4);
        if (in_ball(q, 0) && in_ball(q, 1) && in_ball(q, 2)) continue;
        ++n;
        feature want = exact(q), got = want;
        int hits = 0;
        double margin = INFINITY;
        for (int kind = 0; kind < 3; ++kind)
            for (int id = 0; id < counts[kind]; ++id) {
                double distance = 0;
                if (!holds[kind](b, id, q, &distance, &margin)) continue;
                ++hits;
                got.kind = (wit_feature_kind)kind;
                got.id = id;
                got.distance = distance;
            }
        if (margin <= off) {
            ++aside;
            continue;
        }
        if (hits != 1 || got.kind != want.kind || got.id != want.id)
            print_error("(%.17g, %.17g, %.17g): %d features, last %s %d, exact %s %d\n", q.x, q.y, q.z, hits,
                        wit_feature_kind_name(got.kind), got.id, wit_feature_kind_name(want.kind), want.id);
        assert_int_equal(hits, 1);
        assert_int_equal(got.kind, want.kind);
        assert_int_equal(got.id, want.id);
        worst = fmax(worst, fabs(got.distance - want.distance));
        ++seen[want.kind];
    }
    print_message("%d faces, %d edges, %d vertices, %d set aside; distances within %.2g; edges within %.2g\n", seen[0],
                  seen[1], seen[2], aside, worst, info.tolerance);
    /* Feet are good to rounding; the edges themselves are exact arcs in every build. */
    assert_true(worst <= 64 * EPS * 8);
    assert_true(info.tolerance <= off);
    assert_true(aside <= POINTS / 1000);
    assert_true(seen[WIT_FACE] > 1000 && seen[WIT_EDGE] > 1000 && seen[WIT_VERTEX] > 10);
    wit_body_destroy(b);
}

static void voronoi_of_arcs_in_space_is_exact(void** state)
{
    (void)state;
    each_point_has_one_feature(THREE_BALL_ARCS, 1e-6);
}

/* A cubic Hermite piece is off by h^4 / 384 = 5e-10 times the fourth derivative, below 100 here; h = 2.7 / 128. */
static void voronoi_of_given_parameter_curves_is_exact(void** state)
{
    (void)state;
    each_point_has_one_feature(THREE_BALL_GIVEN, 1e-7);
}

static void voronoi_of_rational_patches_is_exact(void** state)
{
    (void)state;
    each_point_has_one_feature(THREE_BALL_RATIONAL, 1e-12);
}

static void vertices_stand_at_the_closed_form(void** state)
{
    (void)state;
    static const double scales[3] = {1e-6, 1, 1e6};
    for (int how = 0; how < THREE_BALL_BUILDS; ++how)
        for (int i = 0; i < 3; ++i) {
            wit_error error = {0};
            wit_body* b = three_ball_create((three_ball_build)how, scales[i], &error);
            if (!b) print_error("build %d, scale %g: %s: %s\n", how, scales[i], error.item, error.text);
            assert_non_null(b);
            wit_body_info info = wit_body_describe(b);
            assert_int_equal(info.face_count, 3);
            assert_int_equal(info.loop_count, 3);
            assert_int_equal(info.edge_count, 3);
            assert_int_equal(info.vertex_count, 2);
            near3(wit_body_vertex(b, 0).point, vec3(0, 0, 1.833030277982336 * scales[i]), 1e-15 * scales[i] * 4,
                  "upper");
            near3(wit_body_vertex(b, 1).point, vec3(0, 0, -1.833030277982336 * scales[i]), 1e-15 * scales[i] * 4,
                  "lower");
            for (int k = 0; k < 2; ++k) {
                assert_int_equal(wit_body_vertex(b, k).edge_count, 3);
                assert_int_equal(wit_body_vertex(b, k).face_count, 3);
            }
            wit_body_destroy(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vertices_stand_at_the_closed_form),
        cmocka_unit_test(voronoi_of_rational_patches_is_exact),
        cmocka_unit_test(voronoi_of_given_parameter_curves_is_exact),
        cmocka_unit_test(voronoi_of_arcs_in_space_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
