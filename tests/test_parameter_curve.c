/* SPDX-License-Identifier: MIT */
/* Parameter curves from curves in space: exact forms, fits, seams, poles; every deviation against a dense check. */
#include <time.h>

#include "../src/body/build/invert.h"
#include "../src/body/build/lift_gap.h"
#include "../src/body/build/parameter_curve.h"
#include "../src/body/build/parameter_fit.h"
#include "campaign.h"
#include "random_surface.h"

static const double SCALES[3] = {1e-6, 1, 1e6};

typedef struct tally {
    const char* name;
    long cases, pieces, most_pieces;
    double worst; /* dense deviation over the accuracy */
    double seconds;
} tally;

static void tell(const tally* t)
{
    print_message("%-34s %5ld curves, %6.1f pieces (most %4ld), deviation %.1e of the accuracy, %8.1f us each\n",
                  t->name, t->cases, (double)t->pieces / (double)t->cases, t->most_pieces, t->worst,
                  1e6 * t->seconds / (double)t->cases);
}

static double bound_of(const wit_curve* curve, wit_interval range, const wit_surface* s, const wit_curve* c,
                       double scale, double shift)
{
    const lift_pair pair = {curve, range, s, c, scale, shift};
    lift_gap met = wi_lift_measure(&pair);
    return wi_lift_bound(&pair, 64 * EPS * wi_surface_size(s), &met);
}

/* By 4000 equal steps, without any of the library's own sampling. */
static double dense(const wit_curve* curve, wit_interval range, const wit_surface* s, const wit_curve* c)
{
    double worst = 0;
    for (int i = 0; i <= 4000; ++i) {
        double t = i == 4000 ? range.hi : range.lo + iv_width(range) * i / 4000;
        wit_curve_jet a, x;
        wit_surface_jet j;
        wit_curve_eval(curve, t, 0, NULL, &a);
        wit_curve_eval(c, t, 0, NULL, &x);
        assert_true(x.p.z == 0);
        wit_surface_eval(s, x.p.x, x.p.y, 0, NULL, &j);
        worst = fmax(worst, norm3(sub3(a.p, j.p)));
    }
    return worst;
}

/* Makes it, with the claims that hold for all: range, start, deviation within the accuracy, and an honest one. */
static wit_curve* made_on(const wit_curve* curve, wit_interval range, const wit_surface* s, double accuracy, tally* t)
{
    wit_error e = {0};
    wit_curve* c;
    double deviation, noise = 64 * EPS * (norm3(s->frame.o) + wi_surface_size(s));
    clock_t start = clock();
    wit_status status =
        wi_parameter_curve_make(&(parameter_request){curve, range, s, accuracy, noise, NULL}, NULL, &c, &deviation, &e);
    t->seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
    if (status) print_error("%s: %s\n", e.item, e.text);
    assert_int_equal(status, WIT_OK);
    wit_curve_info info = wit_curve_describe(c);
    near1(info.range.lo, range.lo, 0, "range");
    near1(info.range.hi, range.hi, 0, "range");
    wit_curve_jet x;
    wit_curve_eval(c, range.lo, 0, NULL, &x);
    double wu = 1e-9 * iv_width(s->u), wv = 1e-9 * iv_width(s->v);
    assert_true(x.p.x >= s->u.lo - wu && x.p.x <= s->u.hi + wu && x.p.y >= s->v.lo - wv && x.p.y <= s->v.hi + wv);
    double found = dense(curve, range, s, c);
    if (!(found <= fmax(accuracy, noise) && found <= deviation + noise && deviation <= fmax(1.06 * accuracy, noise)))
        print_error("%s case %ld: dense %g, reported %g, accuracy %g, %d pieces\n", t->name, t->cases, found, deviation,
                    accuracy, info.cells);
    assert_true(found <= fmax(accuracy, noise));
    assert_true(found <= deviation + noise);
    assert_true(deviation <= fmax(1.06 * accuracy, noise));
    t->cases++;
    t->pieces += info.cells;
    if (info.cells > t->most_pieces) t->most_pieces = info.cells;
    t->worst = fmax(t->worst, found / accuracy);
    return c;
}

/* A frame with the axes of s: local coordinates in, world out. */
static wit_vec3 world(const wit_surface* s, double x, double y, double z)
{
    return addscaled3(addscaled3(addscaled3(s->frame.o, x, s->frame.x), y, s->frame.y), z, s->frame.z);
}

static wit_vec3 world_axis(const wit_surface* s, double x, double y, double z)
{
    return addscaled3(addscaled3(scale3(x, s->frame.x), y, s->frame.y), z, s->frame.z);
}

/* An ellipse by its middle and two perpendicular half axes, beginning anywhere. */
static wit_curve* ellipse_made(rng* r, wit_vec3 middle, wit_vec3 a, wit_vec3 b)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_ELLIPSE);
    d.frame.origin = middle;
    d.frame.x = unit3(a);
    d.frame.z = cross3(unit3(a), unit3(b));
    d.semi_x = norm3(a);
    d.semi_y = norm3(b);
    double start = rng_range(r, -3, 3);
    d.range = iv(start, start + TWO_PI);
    return curve_made(&d);
}

static wit_surface* whole(rng* r, wit_surface_kind kind, double size)
{
    wit_surface_def d = random_quadric(r, kind, size);
    d.range_u = iv(0, TWO_PI);
    d.range_v = iv(0, 0);
    if (kind == WIT_SURFACE_CYLINDER) d.range_v = iv(-100 * size, 100 * size);
    if (kind == WIT_SURFACE_CONE) {
        d.radius = 0;
        d.angle = rng_range(r, 0.1, 0.7);
        d.range_v = iv(0, 100 * size);
    }
    return surface_made(&d);
}

/* Plane sections that are not parameter lines. */
static wit_curve* section(rng* r, const wit_surface* s, double size)
{
    double turn = rng_range(r, 0, 6), c = cos(turn), n = sin(turn), k = rng_range(r, -1, 1);
    wit_vec3 across = world_axis(s, -n, c, 0), out = world_axis(s, c, n, 0);
    double tilt = rng_range(r, 0.05, 0.75);
    switch (s->kind) {
    case WIT_SURFACE_CYLINDER: {
        wit_vec3 a = addscaled3(scale3(s->a, out), s->a * tan(tilt), s->frame.z);
        return ellipse_made(r, world(s, 0, 0, k * size), a, scale3(s->a, across));
    }
    case WIT_SURFACE_SPHERE: {
        wit_vec3 up = addscaled3(scale3(sin(tilt), out), cos(tilt), s->frame.z), a = cross3(across, up);
        double h = 0.9 * k * s->a, rr = sqrt(s->a * s->a - h * h);
        return ellipse_made(r, addscaled3(s->frame.o, h, up), scale3(rr, a), scale3(rr, across));
    }
    case WIT_SURFACE_CONE: { /* the plane z = h + m x meets the outline x = +-z tan a */
        double ta = s->sine / s->cosine, m = tan(tilt * (PI / 2 - asin(s->sine))), h = (1.5 + k) * size;
        double x1 = h * ta / (1 - m * ta), x2 = -h * ta / (1 + m * ta), xm = 0.5 * (x1 + x2), zm = h + m * xm;
        double b = sqrt(zm * zm * ta * ta - xm * xm), half = 0.5 * (x1 - x2);
        wit_vec3 middle = addscaled3(addscaled3(s->frame.o, xm, out), zm, s->frame.z);
        return ellipse_made(r, middle, addscaled3(scale3(half, out), half * m, s->frame.z), scale3(b, across));
    }
    default: { /* the circles of Villarceau: radius R, middle r off the axis, in a plane that touches the torus twice */
        double sine = s->b / s->a, cosine = sqrt(1 - sine * sine);
        wit_vec3 a = addscaled3(scale3(cosine * s->a, out), sine * s->a, s->frame.z);
        return ellipse_made(r, addscaled3(s->frame.o, s->b, across), a, scale3(s->a, across));
    }
    }
}

static void sections_of_quadrics_are_fitted_to_the_accuracy(void** state)
{
    (void)state;
    static const wit_surface_kind kinds[4] = {WIT_SURFACE_CYLINDER, WIT_SURFACE_CONE, WIT_SURFACE_SPHERE,
                                              WIT_SURFACE_TORUS};
    static const char* names[4] = {"ellipse on a cylinder", "ellipse on a cone", "circle on a sphere",
                                   "Villarceau circle on a torus"};
    rng r = rng_seed(11);
    for (int kind = 0; kind < 4; ++kind) {
        tally t = {names[kind], 0, 0, 0, 0, 0};
        for (long i = 0; i < campaign(300); ++i) {
            double size = SCALES[i % 3];
            wit_surface* s = whole(&r, kinds[kind], size);
            wit_curve* curve = section(&r, s, size);
            wit_interval range = curve->range;
            if (i % 2) range = iv(range.lo + 1, range.hi + 1); /* over the curve's own seam */
            wit_curve_destroy(made_on(curve, range, s, 1e-9 * size, &t));
            wit_curve_destroy(curve);
            wit_surface_destroy(s);
        }
        tell(&t);
        assert_true(t.most_pieces <= 200);
    }
}

/* Straight parameter curves: rulings, latitudes, meridians from pole to pole, over the seam and backwards. */
static void isoparametric_curves_are_straight_and_exact(void** state)
{
    (void)state;
    rng r = rng_seed(12);
    tally t = {"isoparametric curves", 0, 0, 0, 0, 0};
    double worst = 0;
    for (long i = 0; i < campaign(3000); ++i) {
        wit_surface_kind kind = (wit_surface_kind)rng_int(&r, WIT_SURFACE_KIND_COUNT);
        wit_surface* s = random_any_surface(&r, kind, SCALES[i % 3]);
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_ISO);
        d.surface = s;
        d.fixed = (wit_direction)rng_int(&r, 2);
        wit_interval held = d.fixed == WIT_U ? s->u : s->v;
        int place = rng_int(&r, 3);
        d.value = place == 0 ? held.lo : place == 1 ? held.hi : rng_range(&r, held.lo, held.hi);
        wit_curve* curve = curve_made(&d);
        double speed = d.fixed == WIT_U ? s->speed_v : s->speed_u;
        if (curve->speed < 0.01 * speed) { /* a pole: all parameter curves are right */
            wit_curve_destroy(curve);
            wit_surface_destroy(s);
            continue;
        }
        wit_interval range = curve->range;
        if (rng_int(&r, 2)) range.hi = range.lo + rng_range(&r, 0.1, 1) * iv_width(range);
        if (curve->closed && rng_int(&r, 2)) {
            range.lo += 0.4 * iv_width(curve->range);
            range.hi += 0.4 * iv_width(curve->range);
        }
        double size = wi_surface_size(s);
        wit_curve* c = made_on(curve, range, s, 1e-9 * size, &t);
        wit_curve_info info = wit_curve_describe(c);
        assert_int_equal(info.cells, 1);
        assert_true(info.kind == WIT_CURVE_LINE || (info.kind == WIT_CURVE_NURBS && info.degree == 1));
        double off = dense(curve, range, s, c), noise = norm3(s->frame.o) + size;
        worst = fmax(worst, off / noise);
        assert_true(off <= 64 * EPS * noise);
        wit_curve_destroy(c);
        wit_curve_destroy(curve);
        wit_surface_destroy(s);
    }
    tell(&t);
    print_message("    largest deviation %.1e of the size\n", worst);
}

/* The border of a clamped patch as a spline of its own: the row of control points with the same knots. */
static void borders_of_patches_are_exact(void** state)
{
    (void)state;
    rng r = rng_seed(13);
    tally t = {"borders of patches", 0, 0, 0, 0, 0};
    random_surface* patch = test_malloc(sizeof *patch);
    double worst = 0;
    for (long i = 0; i < campaign(1000);) {
        int p = 1 + rng_int(&r, 4);
        random_surface_make(&r, p, p, 1, patch);
        wit_surface_def* d = &patch->def;
        bool clamped = !d->periodic_u && !d->periodic_v && d->knots_u[0] == d->knots_u[p];
        if (!clamped) continue;
        ++i;
        wit_surface* s = surface_made(d);
        wit_curve_def row = wit_curve_default_def(WIT_CURVE_NURBS);
        row.degree = p;
        row.count = d->count_v;
        row.knot_count = d->knot_count_v;
        row.knots = d->knots_v;
        row.points = d->points;
        row.weights = d->weights;
        wit_curve* curve = curve_made(&row);
        wit_curve* c = made_on(curve, curve->range, s, 1e-9 * wi_surface_size(s), &t);
        wit_curve_jet a, b;
        wit_curve_eval(c, curve->range.lo, 0, NULL, &a);
        wit_curve_eval(c, curve->range.hi, 0, NULL, &b);
        assert_true(a.p.x == s->u.lo && b.p.x == s->u.lo && a.p.y == s->v.lo && b.p.y == s->v.hi);
        worst = fmax(worst, dense(curve, curve->range, s, c) / wi_surface_size(s));
        assert_int_equal(wit_curve_describe(c).cells, 1);
        wit_curve_destroy(c);
        wit_curve_destroy(curve);
        wit_surface_destroy(s);
    }
    tell(&t);
    print_message("    largest deviation %.1e of the size\n", worst);
    assert_true(worst <= 1e-15);
    test_free(patch);
}

/* On a plane every curve keeps its kind. */
static void plane_keeps_the_kind(void** state)
{
    (void)state;
    rng r = rng_seed(14);
    tally t = {"any curve on a plane", 0, 0, 0, 0, 0};
    random_curve* spline = test_malloc(sizeof *spline);
    for (long i = 0; i < campaign(2000); ++i) {
        double size = SCALES[i % 3];
        wit_surface_def p = random_quadric(&r, WIT_SURFACE_PLANE, size);
        p.range_u = p.range_v = iv(-100 * size, 100 * size);
        wit_surface* s = surface_made(&p);
        wit_curve_kind kind = (wit_curve_kind)rng_int(&r, WIT_CURVE_NURBS + 1);
        wit_curve* curve;
        if (kind == WIT_CURVE_NURBS) {
            random_curve_make(&r, 1 + rng_int(&r, 9), size, spline);
            for (int k = 0; k < spline->def.count; ++k) {
                double* q = spline->points + 3 * k;
                wit_vec3 w = world(s, q[0], q[1], 0);
                q[0] = w.x;
                q[1] = w.y;
                q[2] = w.z;
            }
            curve = curve_made(&spline->def);
        } else {
            wit_curve_def d = random_conic(&r, kind, size);
            double turn = rng_range(&r, 0, 6);
            d.frame.origin = world(s, rng_range(&r, -2, 2) * size, size, 0);
            d.frame.x = world_axis(s, cos(turn), sin(turn), 0);
            d.frame.z = rng_int(&r, 2) ? s->frame.z : scale3(-1, s->frame.z);
            curve = curve_made(&d);
        }
        wit_interval range = curve->range;
        double cut = rng_int(&r, 2) ? rng_range(&r, 0, 0.4) * iv_width(range) : 0;
        range = iv(range.lo + cut, range.hi - (curve->closed ? -cut : cut)); /* closed: more than a round */
        if (curve->closed) range.hi = range.lo + fmin(iv_width(range), iv_width(curve->range));
        wit_curve* c = made_on(curve, range, s, 1e-9 * size, &t);
        /* Some splines are straight lines, and short parts of them as good as straight. */
        if (kind != WIT_CURVE_NURBS) assert_int_equal(wit_curve_describe(c).kind, kind);
        double far = norm3(s->frame.o) + 10 * size;
        assert_true(dense(curve, range, s, c) <= 1e-13 * far);
        wit_curve_destroy(c);
        wit_curve_destroy(curve);
        wit_surface_destroy(s);
    }
    tell(&t);
    test_free(spline);
}

/* A closed curve in the middle of the range that no polynomial is, or a wave of degree 3 across it. */
static wit_curve* plan_made(rng* r, const wit_surface* s, bool ring)
{
    if (ring) {
        wit_curve_def e = wit_curve_default_def(WIT_CURVE_ELLIPSE);
        e.frame.origin = vec3(iv_mid(s->u), iv_mid(s->v), 0);
        e.semi_x = rng_range(r, 0.1, 0.45) * iv_width(s->u);
        e.semi_y = rng_range(r, 0.1, 0.45) * iv_width(s->v);
        return curve_made(&e);
    }
    double points[3 * 7] = {0}, knots[11] = {0, 0, 0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1};
    for (int k = 0; k < 7; ++k) {
        points[3 * k] = s->u.lo + (0.1 + 0.8 * k / 6.0) * iv_width(s->u);
        points[3 * k + 1] = s->v.lo + rng_range(r, 0.1, 0.9) * iv_width(s->v);
    }
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 3;
    d.count = 7;
    d.knot_count = 11;
    d.points = points;
    d.knots = knots;
    return curve_made(&d);
}

/* A patch of degree 3, of some height and with inner knots of multiplicity 1 (C2), 2 (C1) or 3 (creases). */
static wit_surface* relief(rng* r, double size, double height, int multiplicity, bool rational)
{
    enum { N = 10 };
    double knots[N + 4] = {0, 0, 0, 0}, points[3 * N * N], weights[N * N];
    for (int i = 0; i < N - 4; ++i) knots[4 + i] = 1 + i / multiplicity;
    double last = knots[N - 1] + 1;
    for (int i = N; i < N + 4; ++i) knots[i] = last;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            double* q = points + 3 * (i * N + j);
            q[0] = size * (i + rng_range(r, -0.2, 0.2));
            q[1] = size * (j + rng_range(r, -0.2, 0.2));
            q[2] = height * size * rng_range(r, -1, 1);
            weights[i * N + j] = rng_range(r, 0.5, 2);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 3;
    d.count_u = d.count_v = N;
    d.knot_count_u = d.knot_count_v = N + 4;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    d.weights = rational ? weights : NULL;
    return surface_made(&d);
}

static void lifted_curves_come_back(void** state)
{
    (void)state;
    rng r = rng_seed(15);
    for (int kind = 0; kind < 4; ++kind) {
        static const char* names[4] = {"wave on a C2 patch", "ring on a C2 patch", "ring on a rational C2 patch",
                                       "ring over creases"};
        tally fitted = {names[kind], 0, 0, 0, 0, 0}, kept = {"    its own parameter curve", 0, 0, 0, 0, 0};
        for (long i = 0; i < campaign(200); ++i) {
            double size = SCALES[i % 3];
            wit_surface* s = relief(&r, size, 1, kind == 3 ? 3 : 1, kind == 2);
            wit_curve* plan = plan_made(&r, s, kind > 0);
            wit_curve_def d = wit_curve_default_def(WIT_CURVE_ON_SURFACE);
            d.surface = s;
            d.parameter_curve = plan;
            wit_curve* curve = curve_made(&d);
            double accuracy = 1e-9 * size;
            wit_curve* c = made_on(curve, curve->range, s, accuracy, &kept);
            for (int k = 0; k <= 20; ++k) { /* and it is the same one */
                wit_curve_jet a, b;
                double at = plan->range.lo + k / 20.0 * iv_width(plan->range);
                wit_curve_eval(c, at, 0, NULL, &a);
                wit_curve_eval(plan, at, 0, NULL, &b);
                near3(a.p, b.p, 1e-14, "parameter curve");
            }
            wit_curve_destroy(c);

            clock_t start = clock();
            assert_int_equal(wi_parameter_fit(curve, curve->range, s, accuracy, NULL, &c, NULL), WIT_OK);
            fitted.seconds += (double)(clock() - start) / CLOCKS_PER_SEC;
            double off = dense(curve, curve->range, s, c);
            fitted.worst = fmax(fitted.worst, off / accuracy);
            fitted.cases++;
            fitted.pieces += c->breaks.count - 1;
            if (c->breaks.count - 1 > fitted.most_pieces) fitted.most_pieces = c->breaks.count - 1;
            assert_true(off <= accuracy);
            assert_true(off <= bound_of(curve, curve->range, s, c, 1, 0) + 64 * EPS * wi_surface_size(s));
            wit_curve_destroy(c);
            wit_curve_destroy(curve);
            wit_curve_destroy(plan);
            wit_surface_destroy(s);
        }
        tell(&fitted);
        tell(&kept);
    }
}

/* Flat patches with uneven parameter lines: any circle in their plane lies on them, and its parameters are as smooth as
 * the surface, C2, C1 or broken at the knot lines. */
static void feet_with_kinks_are_cut_at_the_breaks(void** state)
{
    (void)state;
    rng r = rng_seed(19);
    for (int multiplicity = 1; multiplicity <= 3; ++multiplicity) {
        static const char* names[3] = {"circle over knots, C2", "circle over knots, C1", "circle over knots, C0"};
        tally t = {names[multiplicity - 1], 0, 0, 0, 0, 0};
        for (long i = 0; i < campaign(300); ++i) {
            double size = SCALES[i % 3];
            wit_surface* s = relief(&r, size, 0, multiplicity, i % 2);
            wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
            d.frame.origin = vec3(4.5 * size, 4.5 * size, 0);
            d.radius = rng_range(&r, 1, 3.5) * size;
            wit_curve* curve = curve_made(&d);
            wit_curve_destroy(made_on(curve, curve->range, s, 1e-9 * size, &t));
            wit_curve_destroy(curve);
            wit_surface_destroy(s);
        }
        tell(&t);
        assert_true(t.most_pieces <= 600);
        /* 190 on average; bisection towards every kink needs 300. */
        if (multiplicity == 3) assert_true(t.pieces <= 240 * t.cases);
    }
}

/* Circles on a sphere through a pole, by it, and ending at it. */
static void curves_pass_poles(void** state)
{
    (void)state;
    rng r = rng_seed(16);
    static const double miss[6] = {0, 1e-12, 1e-8, 1e-5, 1e-3, 0.1};
    for (int kind = 0; kind < 6; ++kind) {
        char name[64];
        snprintf(name, sizeof name, "circle %g radii from the pole", miss[kind]);
        tally t = {name, 0, 0, 0, 0, 0};
        for (long i = 0; i < campaign(100) + 2; ++i) {
            double size = SCALES[i % 3];
            wit_surface* s = whole(&r, WIT_SURFACE_SPHERE, size);
            /* The plane contains the point that misses the pole by that angle, and is tilted about the tangent there. */
            double tilt = i % 3 ? rng_range(&r, 0.2, 1.4) : 0, m = miss[kind];
            wit_vec3 top = world_axis(s, sin(m), 0, cos(m)), side = world_axis(s, cos(m), 0, -sin(m));
            wit_vec3 up = addscaled3(scale3(sin(tilt), top), cos(tilt), side);
            double h = s->a * sin(tilt), radius = s->a * cos(tilt);
            wit_vec3 a = cross3(s->frame.y, up);
            wit_curve* curve =
                ellipse_made(&r, addscaled3(s->frame.o, h, up), scale3(radius, a), scale3(radius, s->frame.y));
            wit_curve_destroy(made_on(curve, curve->range, s, 1e-9 * size, &t));
            if (kind == 0) { /* where exactly the pole is, by the foot of the axis in the plane of the circle */
                wit_vec3 q = sub3(addscaled3(s->frame.o, s->a, s->frame.z), addscaled3(s->frame.o, h, up));
                double pole = wit_atan2(dot3(q, s->frame.y), dot3(q, a));
                wit_interval halves[2] = {iv(pole, pole + 2), iv(pole - 2, pole)};
                for (int k = 0; k < 2; ++k) wit_curve_destroy(made_on(curve, halves[k], s, 1e-9 * size, &t));
            }
            wit_curve_destroy(curve);
            wit_surface_destroy(s);
        }
        tell(&t);
        assert_true(t.most_pieces <= 300);
    }
}

/* Off the surface by a known distance: the fit is the foot, the deviation is that distance, the work stays bounded. */
static void deviation_tells_how_far_off_the_curve_is(void** state)
{
    (void)state;
    rng r = rng_seed(17);
    for (int i = 0; i < 20; ++i) {
        double size = SCALES[i % 3], off = pow(10, -2 - i % 5) * size;
        wit_surface* s = whole(&r, WIT_SURFACE_CYLINDER, size);
        double tilt = tan(rng_range(&r, 0.1, 0.7)), big = s->a + off;
        wit_vec3 a = addscaled3(scale3(big, s->frame.x), big * tilt, s->frame.z);
        wit_curve* curve = ellipse_made(&r, s->frame.o, a, scale3(big, s->frame.y));
        double deviation;
        wit_curve* c;
        assert_int_equal(wi_parameter_curve_make(&(parameter_request){curve, curve->range, s, 1e-9 * size, 0, NULL},
                                                 NULL, &c, &deviation, NULL),
                         WIT_OK);
        assert_true(deviation >= off - 1e-9 * size && deviation <= 1.06 * off + 1e-9 * size);
        assert_true(c->breaks.count <= 201);
        wit_curve_destroy(c);
        wit_curve_destroy(curve);
        wit_surface_destroy(s);
    }
}

static void deviation_sees_shift_and_scale(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 2;
    d.range_v = iv(-1, 1);
    wit_surface* s = surface_made(&d);
    wit_curve_def e = wit_curve_default_def(WIT_CURVE_CIRCLE);
    e.radius = 2;
    wit_curve* circle = curve_made(&e);
    double from[2] = {TWO_PI, 0}, to[2] = {0, 0};
    wit_curve* c;
    assert_int_equal(wi_parameter_curve_line(from, to, iv(0, 1), NULL, &c, NULL), WIT_OK);
    /* backwards and from 0 to 1: s = 1 - t / 2 pi */
    assert_true(bound_of(circle, circle->range, s, c, -1 / TWO_PI, 1) <= 64 * EPS);
    /* a quarter late: chord of a right angle */
    double bound = bound_of(circle, iv(0, 1), s, c, -1 / TWO_PI, 0.75);
    assert_true(bound >= 2 * sqrt(2) * (1 - 1e-12) && bound <= 2 * sqrt(2) * (1 + 1.0 / 64));
    wit_curve_destroy(c);
    wit_curve_destroy(circle);
    wit_surface_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_of_quadrics_are_fitted_to_the_accuracy),
        cmocka_unit_test(isoparametric_curves_are_straight_and_exact),
        cmocka_unit_test(borders_of_patches_are_exact),
        cmocka_unit_test(plane_keeps_the_kind),
        cmocka_unit_test(lifted_curves_come_back),
        cmocka_unit_test(feet_with_kinks_are_cut_at_the_breaks),
        cmocka_unit_test(curves_pass_poles),
        cmocka_unit_test(deviation_tells_how_far_off_the_curve_is),
        cmocka_unit_test(deviation_sees_shift_and_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
