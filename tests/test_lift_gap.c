/* SPDX-License-Identifier: MIT */
/*
 * The gap between an edge and its parameter curve is bounded, not sampled. Whatever wild weights hide between the samples, the
 * bound holds; and where the two curves are one, it is rounding.
 */
#include "../include/witness/query.h"
#include "../src/body/build/lift_gap.h"
#include "campaign.h"
#include "random_surface.h"

/* By steps that crowd at both ends and at a place inside: t = 2^-k from it, and evenly. */
static double crowded(const lift_pair* k, double inside)
{
    double worst = 0, width = iv_width(k->range);
    const double about[3] = {k->range.lo, k->range.hi, k->range.lo + inside * width};
    for (int i = 0; i < 6000; ++i) {
        double t = k->range.lo + width * i / 5999;
        if (i % 2) {
            double off = width * exp2(-(i / 12) * 0.1), at = about[(i / 2) % 3];
            t = (i / 4) % 2 ? at + off : at - off;
        }
        if (!(t >= k->range.lo && t <= k->range.hi)) continue;
        wit_curve_jet c, x;
        wit_surface_jet s;
        wit_curve_eval(k->curve, t, 0, NULL, &c);
        wit_curve_eval(k->parameter_curve, k->shift + k->scale * t, 0, NULL, &x);
        wit_surface_eval(k->surface, x.p.x, x.p.y, 0, NULL, &s);
        worst = fmax(worst, norm3(sub3(c.p, s.p)));
    }
    return worst;
}

static wit_curve* spline(int count, int degree, const double* points, const double* weights)
{
    double knots[16];
    for (int i = 0; i < count + degree + 1; ++i)
        knots[i] = i <= degree ? 0 : i >= count ? 1 : (double)(i - degree) / (count - degree);
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = degree;
    d.count = count;
    d.knot_count = count + degree + 1;
    d.points = points;
    d.weights = weights;
    d.knots = knots;
    return curve_made(&d);
}

static wit_surface* plane(void)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-4, 4);
    return surface_made(&d);
}

/* Both curves with the same wild weights, points between the ends that differ by up to 1e-3: nothing lies beyond the bound, and the bound is
 * near to the largest that is there. */
static void wild_weights_hide_nothing(void** state)
{
    (void)state;
    enum { CASES = 400 };
    rng r = rng_seed(61);
    wit_surface* s = plane();
    long loose = 0, hidden = 0;
    for (int i = 0; i < CASES; ++i) {
        int degree = 2 + rng_int(&r, 3), count = degree + 1 + rng_int(&r, 3);
        double edge[24], own[24], w[8], step = rng_range(&r, -15, 15), scale = exp2(-10 * rng_double(&r)) * 1e-3;
        for (int k = 0; k < count; ++k) {
            w[k] = exp2(2 * step * k / (count - 1)) * rng_range(&r, 0.5, 2);
            for (int x = 0; x < 3; ++x) {
                edge[3 * k + x] = x < 2 ? rng_range(&r, -1, 1) : 0;
                double off = k > 0 && k < count - 1 && x < 2 ? scale * rng_range(&r, -1, 1) : 0;
                own[3 * k + x] = edge[3 * k + x] + off;
            }
        }
        wit_curve *c = spline(count, degree, edge, w), *p = spline(count, degree, own, w);
        const lift_pair pair = {c, c->range, s, p, 1, 0};
        lift_gap met = wi_lift_measure(&pair);
        double sampled = met.all, bound = wi_lift_bound(&pair, 1e-14, &met), there = crowded(&pair, rng_double(&r));
        double noise = 1e-14 * exp2(2 * fabs(step)); /* of the evaluator, which sums powers of t */
        if (there > bound + noise) print_error("case %d: %g, bound %g\n", i, there, bound);
        assert_true(there <= bound + noise);
        assert_true(met.all <= bound);
        loose += bound > 1.1 * fmax(there, met.all) + noise;
        hidden += sampled < 0.9 * there;
        wit_curve_destroy(c);
        wit_curve_destroy(p);
    }
    print_message("%d pairs, %ld with more than a tenth hidden from the samples; %ld bounds looser than that\n", CASES,
                  hidden, loose);
    assert_true(hidden > 0 && loose <= CASES / 50);
    wit_surface_destroy(s);
}

/* Circles of latitude and meridians, in any frame: the parameter curve is exact, and so the bound is rounding. */
static void exact_borders_stay_exact(void** state)
{
    (void)state;
    rng r = rng_seed(62);
    double worst = 0;
    for (int i = 0; i < 300; ++i) {
        static const wit_surface_kind kinds[5] = {WIT_SURFACE_CYLINDER, WIT_SURFACE_CONE, WIT_SURFACE_SPHERE,
                                                  WIT_SURFACE_TORUS, WIT_SURFACE_ELLIPSOID};
        double size = exp2(rng_range(&r, -20, 20));
        wit_surface_def d = random_quadric(&r, kinds[i % 5], size);
        wit_surface* s = surface_made(&d);
        wit_curve_def iso = wit_curve_default_def(WIT_CURVE_ISO), line = wit_curve_default_def(WIT_CURVE_LINE);
        iso.surface = s;
        iso.fixed = i % 2 ? WIT_U : WIT_V;
        wit_interval held = iso.fixed == WIT_U ? s->u : s->v;
        iso.value = held.lo + rng_range(&r, 0.1, 0.9) * iv_width(held);
        wit_curve* c = curve_made(&iso);
        line.frame.origin = iso.fixed == WIT_U ? vec3(iso.value, 0, 0) : vec3(0, iso.value, 0);
        line.frame.x = iso.fixed == WIT_U ? vec3(0, 1, 0) : vec3(1, 0, 0);
        line.range = c->range;
        wit_curve* p = curve_made(&line);
        const lift_pair pair = {c, c->range, s, p, 1, 0};
        lift_gap met = wi_lift_measure(&pair);
        double scale = norm3(s->frame.o) + s->speed_u * iv_width(s->u) + s->speed_v * iv_width(s->v);
        double bound = wi_lift_bound(&pair, 1e-300, &met);
        worst = fmax(worst, bound / scale);
        assert_true(bound <= 2e-14 * scale);
        wit_curve_destroy(p);
        wit_curve_destroy(c);
        wit_surface_destroy(s);
    }
    print_message("largest bound %.1e of the size\n", worst);
}

/* A unit square whose lower edge is straight. The face's own curve there bulges by `deep` below it, and all of the bulge lies
 * within the first thousandth of the parameter. */
static wit_body* bulging(double deep, double close)
{
    wit_surface* s = plane();
    const double g = 1e5, w[3] = {1, g, g * g}, corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const double straight[9] = {0, 0, 0, 0.5, 0, 0, 1, 0, 0}, bulge[9] = {0, 0, 0, 0.5, -2 * deep, 0, 1, 0, 0};
    wit_curve *c[4] = {spline(3, 2, straight, w)}, *own = spline(3, 2, bulge, w);
    wit_vertex_def v[4] = {{0}};
    wit_edge_def e[4] = {{0}};
    wit_use_def u[4] = {{0}};
    for (int k = 0; k < 4; ++k) {
        const double *a = corner[k], *b = corner[(k + 1) % 4];
        wit_curve_def line = wit_curve_default_def(WIT_CURVE_LINE);
        line.frame.origin = vec3(a[0], a[1], 0);
        line.frame.x = vec3(b[0] - a[0], b[1] - a[1], 0);
        line.range = iv(0, 1);
        if (k) c[k] = curve_made(&line);
        v[k].point = vec3(a[0], a[1], 0);
        e[k].curve = c[k];
        e[k].start = k;
        e[k].end = (k + 1) % 4;
        u[k].edge = k;
    }
    u[0].parameter_curve = own;
    wit_loop_def loop = {4, u};
    wit_face_def face = {.surface = s, .loop_count = 1, .loops = &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.vertex_count = d.edge_count = 4;
    d.face_count = 1;
    d.vertices = v;
    d.edges = e;
    d.faces = &face;
    d.close_tolerance = close;
    wit_body* body = wit_body_create(&d, NULL, NULL);
    for (int k = 0; k < 4; ++k) wit_curve_destroy(c[k]);
    wit_curve_destroy(own);
    wit_surface_destroy(s);
    return body;
}

static void a_hidden_bulge_is_refused_or_told(void** state)
{
    (void)state;
    assert_null(bulging(1e-3, 1e-6)); /* a place so far off is met */
    for (double deep = 1e-7; deep < 0.1; deep *= 10) {
        wit_body* b = bulging(deep, 1.5 * deep);
        assert_non_null(b);
        double tolerance = wit_body_edge(b, 0).tolerance;
        assert_true(tolerance >= deep * (1 - 1e-9) && tolerance <= 1.02 * deep);
        wit_query_def qd = wit_query_default_def();
        wit_query* q = wit_query_create(&qd, NULL, NULL);
        wit_placed a = wit_placed_at(b, wit_pose_identity());
        wit_closest c;
        wit_closest_point(q, &a, vec3(0.5, -5, 0), &c);
        assert_true(c.lower_bound <= 5 - deep * (1 - 1e-9) && c.upper_bound >= 5 - deep * (1 + 1e-9));
        wit_query_destroy(q);
        wit_body_destroy(b);
    }
}

/* ---- closed forms ----------------------------------------------------------------------------- */

static wit_frame near_frame(const wit_frame* f, rng* r, double off)
{
    wit_frame g = *f;
    double* x[9] = {&g.origin.x, &g.origin.y, &g.origin.z, &g.x.x, &g.x.y, &g.x.z, &g.z.x, &g.z.y, &g.z.z};
    for (int i = 0; i < 9; ++i) *x[i] += rng_range(r, -off, off);
    return g;
}

static wit_curve* line_in_uv(double u, double v, double du, double dv)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = vec3(u, v, 0);
    d.frame.x = vec3(du, dv, 0);
    d.range = iv(0, 3);
    return curve_made(&d);
}

/* A line on a plane (0), an ellipse on a plane (1), a circle of latitude (2 to 5), off by about `off`. */
static double closed_form(int kind, rng* r, double off, double* met)
{
    static const wit_surface_kind kinds[6] = {WIT_SURFACE_PLANE, WIT_SURFACE_PLANE,  WIT_SURFACE_CYLINDER,
                                              WIT_SURFACE_CONE,  WIT_SURFACE_SPHERE, WIT_SURFACE_TORUS};
    wit_surface_def sd = wit_surface_default_def(kinds[kind]);
    wit_curve_def cd = wit_curve_default_def(kind == 0 ? WIT_CURVE_LINE : WIT_CURVE_ELLIPSE);
    double v = rng_range(r, 0.1, 0.9), a = rng_range(r, 1, 2), radius = a, height = v, sine, cosine;
    if (kind < 2) sd.range_u = sd.range_v = iv(-9, 9);
    if (kind == 2 || kind == 3) sd.range_v = iv(-1, 4);
    sd.radius = a;
    sd.minor = 0.5;
    sd.angle = 0.3;
    wit_sincos(kind == 3 ? 0.3 : v, &sine, &cosine);
    if (kind == 3) radius = a + v * sine, height = v * cosine;
    if (kind == 4) radius = a * cosine, height = a * sine;
    if (kind == 5) radius = a + 0.5 * cosine, height = 0.5 * sine;
    cd.frame = near_frame(&sd.frame, r, off);
    cd.range = iv(0, 3);
    cd.radius = cd.semi_x = kind < 2 ? a : radius;
    cd.semi_y = kind == 1 ? 0.7 : cd.semi_x;
    if (kind > 1) cd.frame.origin.z += height;
    wit_curve_def uv = cd;
    uv.frame = wit_curve_default_def(WIT_CURVE_ELLIPSE).frame;
    wit_surface* s = surface_made(&sd);
    wit_curve *c = curve_made(&cd), *x = kind == 1   ? curve_made(&uv)
                                         : kind == 0 ? line_in_uv(0, 0, 1, 0)
                                                     : line_in_uv(0, v, 1, 0);
    lift_pair pair = {c, iv(0, 3), s, x, 1, 0};
    lift_gap gap = {0, 0, 0};
    double bound = wi_lift_bound(&pair, 0, &gap);
    *met = crowded(&pair, 0.5);
    wit_curve_destroy(c);
    wit_curve_destroy(x);
    wit_surface_destroy(s);
    return bound;
}

/* The bound is no less than what is met, but for evaluating it, and no more than twice that. */
static void closed_forms_are_bounds_and_sharp(void** state)
{
    (void)state;
    rng r = rng_seed(63);
    for (int i = 0; i < 600; ++i) {
        double off = pow(10, rng_range(&r, -14, -2)), met, bound = closed_form(i % 6, &r, off, &met), dirt = 4e-15;
        if (!(met <= bound + dirt && bound <= 2 * met + dirt)) fail_msg("kind %d: met %g, bound %g", i % 6, met, bound);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wild_weights_hide_nothing),
        cmocka_unit_test(exact_borders_stay_exact),
        cmocka_unit_test(closed_forms_are_bounds_and_sharp),
        cmocka_unit_test(a_hidden_bulge_is_refused_or_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
