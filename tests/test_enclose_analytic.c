/* SPDX-License-Identifier: MIT */
/*
 * Enclosures of the analytic kinds: random shapes, boxes, axes and points. No derivative leaves its interval; third
 * derivatives are tested by divided differences of second ones, which by the mean value theorem lie in the
 * interval too.
 */
#include "analytic.h"
#include "campaign.h"

static const double SIZES[3] = {1e-6, 1, 1e6};

enum { CONICS = 5, QUADRICS = 7, SWEPT = 7, ON_SURFACES = 6 };

/* A degree 3 rational Bezier curve; flat in the plane of x and z when `flat`, in x > 0. */
static wit_curve* bezier(rng* r, double size, bool flat, const wit_frame* frame)
{
    wit_vec3 z = unit3(frame->z), x = unit3(sub3(frame->x, scale3(dot3(frame->x, z), z))), y = cross3(z, x);
    double points[12], weights[4], knots[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        wit_vec3 p = addscaled3(frame->origin, size * rng_range(r, 0.2, 2), x);
        p = addscaled3(p, size * (i + rng_range(r, -0.3, 0.3)), z);
        if (!flat) p = addscaled3(p, size * rng_range(r, -1, 1), y);
        points[3 * i] = p.x;
        points[3 * i + 1] = p.y;
        points[3 * i + 2] = p.z;
        weights[i] = rng_range(r, 0.5, 2);
    }
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 3;
    d.count = 4;
    d.knot_count = 8;
    d.knots = knots;
    d.points = points;
    d.weights = weights;
    return curve_made(&d);
}

/* One shape in eight stands a million of its sizes away from the origin. */
static wit_vec3 perhaps_far(rng* r, double size)
{
    double length = rng_int(r, 8) ? 0 : 1e6 * size;
    return scale3(length, random_unit(r));
}

/* Revolutions of a line, a meridian circle, a flat and a twisted spline; extrusions of an ellipse, a spline, a hyperbola. */
static wit_surface* random_swept(rng* r, int which, double size)
{
    wit_surface_def d = wit_surface_default_def(which < 4 ? WIT_SURFACE_REVOLUTION : WIT_SURFACE_EXTRUSION);
    d.frame = random_frame(r, size);
    wit_vec3 far = perhaps_far(r, size);
    d.frame.origin = add3(d.frame.origin, far);
    wit_vec3 z = unit3(d.frame.z), x = unit3(sub3(d.frame.x, scale3(dot3(d.frame.x, z), z)));
    wit_curve* profile;
    wit_curve_def c = random_conic(r, WIT_CURVE_LINE, size);
    if (which == 1) {
        c = random_conic(r, WIT_CURVE_CIRCLE, size);
        c.frame.origin = addscaled3(d.frame.origin, c.radius * rng_range(r, 1.05, 3), x);
        c.frame.x = x;
        c.frame.z = cross3(z, x);
        c.range = iv(0, 0);
    }
    if (which == 4) c = random_conic(r, WIT_CURVE_ELLIPSE, size);
    if (which == 6) c = random_conic(r, WIT_CURVE_HYPERBOLA, size);
    if (which != 1) c.frame.origin = add3(c.frame.origin, far);
    if (which == 2 || which == 3 || which == 5)
        profile = bezier(r, size, which == 2, &d.frame);
    else
        profile = curve_made(&c);
    d.profile = profile;
    d.direction = random_unit(r);
    if (which >= 4) d.range_v = random_part(r, -2 * size, 2 * size);
    if (which < 4 && rng_int(r, 2)) d.range_u = random_part(r, -3, 3);
    wit_surface* s = surface_made(&d);
    wit_curve_destroy(profile);
    return s;
}

/* Curves on surfaces: both isoparametric directions, a line over the seam, a circle inside, a latitude. */
static wit_curve* random_on_surface(rng* r, int which, double size)
{
    static const wit_surface_kind kinds[] = {WIT_SURFACE_SPHERE, WIT_SURFACE_TORUS, WIT_SURFACE_ELLIPSOID};
    wit_surface_def sd = random_quadric(r, kinds[rng_int(r, 3)], size);
    sd.range_u = sd.range_v = iv(0, 0);
    wit_surface* s = which == 5 ? random_swept(r, rng_int(r, 4), size) : surface_made(&sd);
    wit_surface_info info = wit_surface_describe(s);
    wit_curve_def d = wit_curve_default_def(which < 2 ? WIT_CURVE_ISO : WIT_CURVE_ON_SURFACE);
    d.surface = s;
    d.fixed = which == 0 ? WIT_U : WIT_V;
    wit_interval held = which == 0 ? info.range_u : info.range_v;
    d.value = rng_range(r, held.lo, held.hi);
    double um = iv_mid(info.range_u), vm = iv_mid(info.range_v);
    double wu = iv_width(info.range_u), wv = iv_width(info.range_v);
    wit_curve_def p = wit_curve_default_def(WIT_CURVE_LINE);
    p.frame.origin = vec3(which == 2 ? info.range_u.hi : um, vm, 0);
    p.frame.x.x = rng_range(r, 0.1, 0.4) * wu;
    p.frame.x.y = rng_range(r, -0.4, 0.4) * wv;
    double length = norm3(p.frame.x);
    p.range = iv(-length, length);
    if (which == 3 || which == 5) {
        p = wit_curve_default_def(WIT_CURVE_ELLIPSE);
        p.frame.origin = vec3(um, vm, 0);
        p.semi_x = 0.4 * wu;
        p.semi_y = 0.4 * wv;
    }
    if (which == 4) {
        p.frame.x = vec3(1, 0, 0);
        p.range = iv(0, TWO_PI);
    }
    wit_curve* parameter = curve_made(&p);
    d.parameter_curve = parameter;
    wit_curve* c = curve_made(&d);
    wit_curve_destroy(parameter);
    wit_surface_destroy(s);
    return c;
}

static wit_interval random_box(rng* r, wit_interval range, bool closed)
{
    double w = iv_width(range), size = w * pow(10, -rng_range(r, 0, 9));
    if (rng_int(r, 8) == 0) return range;
    double lo = rng_range(r, range.lo, range.hi);
    if (rng_int(r, 8) == 0) lo = rng_int(r, 2) ? range.lo : range.hi - size;
    if (closed && rng_int(r, 4) == 0) lo = range.hi - size * rng_double(r);
    double hi = lo + size;
    if (!closed && hi > range.hi) hi = range.hi;
    if (!closed && lo < range.lo) lo = range.lo;
    return iv(fmin(lo, hi), hi);
}

static double in_box(rng* r, wit_interval x)
{
    int end = rng_int(r, 8);
    return end == 0 ? x.lo : end == 1 ? x.hi : fmin(x.hi, rng_range(r, x.lo, x.hi));
}

/* How far outside, in units of the width of the interval; 0 inside. */
static double outside(wit_interval a, double x, double allowed)
{
    return fmax(0, fmax(a.lo - x, x - a.hi) - allowed);
}

static long samples;

static void hold(wit_interval a, double x, double allowed, const char* kind, int derivative)
{
    samples++;
    if (outside(a, x, allowed) > 0)
        print_error("%s, derivative %d: %.17g is outside [%.17g, %.17g] by %g\n", kind, derivative, x, a.lo, a.hi,
                    fmax(a.lo - x, x - a.hi));
    assert_true(outside(a, x, allowed) == 0);
}

static void curve_holds(rng* r, const wit_curve* c, int points)
{
    wit_curve_info info = wit_curve_describe(c);
    const char* name = wit_curve_kind_name(info.kind);
    wit_interval t = random_box(r, info.range, info.closed);
    wit_vec3 axes[3];
    random_axes(r, axes);
    curve_enclosure e;
    wi_curve_enclose(c, t, axes, &e);
    wit_curve_jet last = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double last_t = 0;
    for (int n = 0; n < points; n++) {
        double at = in_box(r, t);
        wit_curve_jet j;
        wit_curve_eval(c, at, 0, NULL, &j);
        for (int i = 0; i < 3; i++) {
            hold(e.d[0][i], dot3(axes[i], j.p), 0, name, 0);
            hold(e.d[1][i], dot3(axes[i], j.d1), 0, name, 1);
            hold(e.d[2][i], dot3(axes[i], j.d2), 0, name, 2);
            double step = at - last_t;
            if (n > 0 && fabs(step) > 1e-4 * iv_width(t) && iv_width(t) > 1e-6 * iv_width(info.range))
                hold(e.d[3][i], dot3(axes[i], sub3(j.d2, last.d2)) / step,
                     64 * EPS * (norm3(j.d2) + norm3(last.d2) + norm3(j.p) + c->speed / iv_width(info.range)) /
                         fabs(step),
                     name, 3);
        }
        last = j;
        last_t = at;
    }
    wit_interval extent = wit_curve_extent(c, t, axes[0]);
    hold(extent, dot3(axes[0], last.p), 0, name, -1);
}

static void surface_holds(rng* r, const wit_surface* s, int points)
{
    wit_surface_info info = wit_surface_describe(s);
    const char* name = wit_surface_kind_name(info.kind);
    wit_interval u = random_box(r, info.range_u, info.closed_u), v = random_box(r, info.range_v, info.closed_v);
    wit_vec3 axes[3];
    random_axes(r, axes);
    surface_enclosure e;
    wi_surface_enclose(s, u, v, axes, &e);
    for (int n = 0; n < points; n++) {
        double a = in_box(r, u), b = in_box(r, v), a2 = in_box(r, u), b2 = in_box(r, v);
        wit_surface_jet j, ju, jv;
        wit_surface_eval(s, a, b, 0, NULL, &j);
        wit_surface_eval(s, a2, b, 0, NULL, &ju);
        wit_surface_eval(s, a, b2, 0, NULL, &jv);
        /* Second derivatives carry an error of some eps of their largest value and of the point's; those of a
         * rational spline of degree 3 some 6 x (weight ratio 4)^2 times that. */
        double wu = iv_width(info.range_u), wv = iv_width(info.range_v), du = a2 - a, dv = b2 - b;
        double dirt =
            64 * EPS * (norm3(j.p) + fmax(s->speed_u * (1 + 1 / wu), s->speed_v / wv)) * (1 + 1 / fmin(1, wv));
        if (info.kind >= WIT_SURFACE_REVOLUTION) dirt *= 96;
        bool far_u = fabs(du) > 1e-4 * iv_width(u) && iv_width(u) > 1e-6 * wu;
        bool far_v = fabs(dv) > 1e-4 * iv_width(v) && iv_width(v) > 1e-6 * wv;
        for (int i = 0; i < 3; i++) {
            hold(e.d[D00][i], dot3(axes[i], j.p), 0, name, D00);
            hold(e.d[D10][i], dot3(axes[i], j.du), 0, name, D10);
            hold(e.d[D01][i], dot3(axes[i], j.dv), 0, name, D01);
            hold(e.d[D20][i], dot3(axes[i], j.duu), 0, name, D20);
            hold(e.d[D11][i], dot3(axes[i], j.duv), 0, name, D11);
            hold(e.d[D02][i], dot3(axes[i], j.dvv), 0, name, D02);
            if (far_u) {
                hold(e.d[D30][i], dot3(axes[i], sub3(ju.duu, j.duu)) / du, dirt / fabs(du), name, D30);
                hold(e.d[D21][i], dot3(axes[i], sub3(ju.duv, j.duv)) / du, dirt / fabs(du), name, D21);
                hold(e.d[D12][i], dot3(axes[i], sub3(ju.dvv, j.dvv)) / du, dirt / fabs(du), name, D12);
            }
            if (far_v) {
                hold(e.d[D12][i], dot3(axes[i], sub3(jv.duv, j.duv)) / dv, dirt / fabs(dv), name, D12);
                hold(e.d[D03][i], dot3(axes[i], sub3(jv.dvv, j.dvv)) / dv, dirt / fabs(dv), name, D03);
            }
        }
        hold(wit_surface_extent(s, u, v, axes[1]), dot3(axes[1], j.p), 0, name, -1);
    }
}

static void conic_enclosures_hold_every_point(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    samples = 0;
    for (long n = campaign(40000); n > 0; n--) {
        double size = SIZES[rng_int(&r, 3)];
        wit_curve_def d = random_conic(&r, (wit_curve_kind)(n % CONICS), size);
        d.frame.origin = add3(d.frame.origin, perhaps_far(&r, size));
        wit_curve* c = curve_made(&d);
        for (int k = 0; k < 4; k++) curve_holds(&r, c, 4);
        wit_curve_destroy(c);
    }
    print_message("%ld numbers held\n", samples);
}

static void quadric_enclosures_hold_every_point(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    samples = 0;
    for (long n = campaign(40000); n > 0; n--) {
        double size = SIZES[rng_int(&r, 3)];
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n % QUADRICS), size);
        d.frame.origin = add3(d.frame.origin, perhaps_far(&r, size));
        wit_surface* s = surface_made(&d);
        for (int k = 0; k < 4; k++) surface_holds(&r, s, 4);
        wit_surface_destroy(s);
    }
    print_message("%ld numbers held\n", samples);
}

static void swept_enclosures_hold_every_point(void** state)
{
    (void)state;
    rng r = rng_seed(33);
    samples = 0;
    for (long n = campaign(8000); n > 0; n--) {
        wit_surface* s = random_swept(&r, (int)(n % SWEPT), SIZES[rng_int(&r, 3)]);
        for (int k = 0; k < 6; k++) surface_holds(&r, s, 4);
        wit_surface_destroy(s);
    }
    print_message("%ld numbers held\n", samples);
}

static void surface_curve_enclosures_hold_every_point(void** state)
{
    (void)state;
    rng r = rng_seed(34);
    samples = 0;
    for (long n = campaign(8000); n > 0; n--) {
        wit_curve* c = random_on_surface(&r, (int)(n % ON_SURFACES), SIZES[rng_int(&r, 3)]);
        for (int k = 0; k < 6; k++) curve_holds(&r, c, 4);
        wit_curve_destroy(c);
    }
    print_message("%ld numbers held\n", samples);
}

/* Cones of unit normals hold too, and the derivative bounds are above the derivatives. */
static void analytic_normal_cones_hold_every_normal(void** state)
{
    (void)state;
    rng r = rng_seed(35);
    long known = 0, all = 0;
    for (long n = campaign(20000); n > 0; n--) {
        int kind = (int)(n % (QUADRICS + SWEPT));
        double size = SIZES[rng_int(&r, 3)];
        wit_surface_def d = random_quadric(&r, (wit_surface_kind)(kind % QUADRICS), size);
        wit_surface* s = kind < QUADRICS ? surface_made(&d) : random_swept(&r, kind - QUADRICS, size);
        wit_interval u = random_box(&r, s->u, s->closed_u), v = random_box(&r, s->v, s->closed_v);
        wit_surface_bounds b;
        wit_surface_bound(s, u, v, &b);
        all++;
        known += b.normals.angle < PI;
        for (int k = 0; k < 4; k++) {
            wit_surface_jet j;
            if (wit_surface_eval(s, in_box(&r, u), in_box(&r, v), 0, NULL, &j)) continue;
            wit_vec3 t = unit3(cross3(j.du, j.dv));
            double angle = atan2(norm3(cross3(b.normals.axis, t)), dot3(b.normals.axis, t));
            /* The tangents carry eps of their largest lengths; where they are short that turns the normal. */
            double noise = 32 * EPS * (s->speed_u / norm3(j.du) + s->speed_v / norm3(j.dv)) *
                           (norm3(j.du) * norm3(j.dv) / norm3(cross3(j.du, j.dv)));
            if (angle > b.normals.angle + noise)
                print_error("%s: %g outside a cone of %g\n", wit_surface_kind_name(s->kind), angle, b.normals.angle);
            assert_true(angle <= b.normals.angle + noise);
            assert_true(norm3(j.du) <= b.du && norm3(j.dv) <= b.dv && norm3(j.du) >= b.du_min &&
                        norm3(j.dv) >= b.dv_min);
            assert_true(norm3(j.duu) <= b.duu && norm3(j.duv) <= b.duv && norm3(j.dvv) <= b.dvv);
        }
        wit_surface_destroy(s);
    }
    print_message("cone known on %ld of %ld boxes\n", known, all);
    assert_true(known > all / 2);
}

/* Width of the interval over the width of a sampled grid, the widest derivative along three axes. */
static double looseness(rng* r, const wit_surface* s, double share, int derivative)
{
    enum { GRID = 16 };
    wit_interval u, v;
    u.lo = rng_range(r, s->u.lo, s->u.hi - share * iv_width(s->u));
    v.lo = rng_range(r, s->v.lo, s->v.hi - share * iv_width(s->v));
    u.hi = fmin(s->u.hi, u.lo + share * iv_width(s->u));
    v.hi = fmin(s->v.hi, v.lo + share * iv_width(s->v));
    wit_vec3 axes[3];
    random_axes(r, axes);
    surface_enclosure e;
    wi_surface_enclose(s, u, v, axes, &e);
    double bound = 0, truth = 0;
    for (int i = 0; i < 3; i++) {
        wit_interval seen = iv(INFINITY, -INFINITY);
        for (int a = 0; a <= GRID; a++)
            for (int b = 0; b <= GRID; b++) {
                wit_surface_jet j;
                wit_surface_eval(s, u.lo + iv_width(u) * a / GRID, v.lo + iv_width(v) * b / GRID, 0, NULL, &j);
                const wit_vec3 parts[6] = {j.p, j.du, j.dv, j.duu, j.duv, j.dvv};
                seen = iv_union(seen, iv_point(dot3(axes[i], parts[derivative])));
            }
        if (iv_width(e.d[derivative][i]) < bound) continue;
        bound = iv_width(e.d[derivative][i]);
        truth = iv_width(seen);
    }
    return truth > 0 ? bound / truth : 1;
}

/* Exact up to rounding: a grid of 17 x 17 over a whole turn misses an extreme by at most 1 - cos(pi/16) = 2 %
 * of the amplitude at each end, and less over smaller boxes. */
static void quadric_enclosures_are_exact(void** state)
{
    (void)state;
    rng r = rng_seed(36);
    static const double shares[] = {1, 0.1, 1e-2, 1e-3};
    for (int k = 0; k < 4; k++) {
        double worst = 1;
        for (int n = 0; n < 700; n++) {
            wit_surface_def d = random_quadric(&r, (wit_surface_kind)(n % QUADRICS), 1);
            wit_surface* s = surface_made(&d);
            for (int derivative = 0; derivative < 6; derivative++) {
                /* Constant derivatives have no width to compare with. */
                if (d.kind == WIT_SURFACE_PLANE && derivative > 0) continue;
                if (d.kind == WIT_SURFACE_CYLINDER && (derivative == D01 || derivative > D20)) continue;
                if (d.kind == WIT_SURFACE_CONE && derivative == D02) continue;
                if (d.kind == WIT_SURFACE_PARABOLOID && derivative == D02) continue;
                worst = fmax(worst, looseness(&r, s, shares[k], derivative));
            }
            wit_surface_destroy(s);
        }
        print_message("box %g of the range: bound / truth at most %.4f\n", shares[k], worst);
        assert_true(worst < 1.06);
    }
}

/* Meridian revolutions are as exact as their profile's enclosure; others lose what P and Q share, which dies
 * out with the box. */
static void swept_enclosures_become_tight(void** state)
{
    (void)state;
    rng r = rng_seed(37);
    static const double shares[] = {0.1, 1e-2, 1e-3}, limit[] = {1.3, 1.05, 1.01};
    for (int k = 0; k < 3; k++) {
        double worst = 1;
        for (int n = 0; n < 350; n++) {
            wit_surface* s = random_swept(&r, n % SWEPT, 1);
            worst = fmax(worst, looseness(&r, s, shares[k], D00));
            wit_surface_destroy(s);
        }
        print_message("box %g of the range: bound / truth at most %.4f\n", shares[k], worst);
        assert_true(worst < limit[k]);
    }
}

static void surface_curve_enclosures_become_tight(void** state)
{
    (void)state;
    rng r = rng_seed(38);
    static const double shares[] = {0.1, 1e-2, 1e-3}, limit[] = {3.5, 1.3, 1.05};
    for (int k = 0; k < 3; k++) {
        double worst = 1;
        for (int n = 0; n < 600; n++) {
            wit_curve* c = random_on_surface(&r, n % ON_SURFACES, 1);
            double w = shares[k] * iv_width(c->range), lo = rng_range(&r, c->range.lo, c->range.hi - w);
            wit_curve_bounds b;
            wit_curve_bound(c, iv(lo, lo + w), &b);
            wit_vec3 low = vec3(INFINITY, INFINITY, INFINITY), high = vec3(-INFINITY, -INFINITY, -INFINITY);
            for (int i = 0; i <= 32; i++) {
                wit_curve_jet j;
                wit_curve_eval(c, lo + w * i / 32, 0, NULL, &j);
                low = vec3(fmin(low.x, j.p.x), fmin(low.y, j.p.y), fmin(low.z, j.p.z));
                high = vec3(fmax(high.x, j.p.x), fmax(high.y, j.p.y), fmax(high.z, j.p.z));
            }
            worst = fmax(worst, norm3(sub3(b.box.hi, b.box.lo)) / norm3(sub3(high, low)));
            wit_curve_destroy(c);
        }
        print_message("box %g of the range: bound / truth at most %.4f\n", shares[k], worst);
        assert_true(worst < limit[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conic_enclosures_hold_every_point),
        cmocka_unit_test(quadric_enclosures_hold_every_point),
        cmocka_unit_test(swept_enclosures_hold_every_point),
        cmocka_unit_test(surface_curve_enclosures_hold_every_point),
        cmocka_unit_test(analytic_normal_cones_hold_every_normal),
        cmocka_unit_test(quadric_enclosures_are_exact),
        cmocka_unit_test(swept_enclosures_become_tight),
        cmocka_unit_test(surface_curve_enclosures_become_tight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
