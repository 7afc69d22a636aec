/* SPDX-License-Identifier: MIT */
/*
 * Bounds hold for every point of the box, and they are tight. Splines are sampled by the long-double
 * reference, so nothing is forgiven there; analytic kinds by their own jets, which are good to a few units
 * in the last place of the size (SLACK).
 */
#include "analytic.h"
#include "campaign.h"
#include "deboor.h"
#include "random_spline.h"

#define SLACK 1e-14

static wit_interval random_box(rng* r, wit_interval range)
{
    double width = iv_width(range) * pow(10, rng_range(r, -9, 0));
    double lo = rng_range(r, range.lo, range.hi - width);
    if (rng_int(r, 8) == 0) lo = rng_int(r, 2) ? range.lo : range.hi - width;
    return iv(lo, fmin(lo + width, range.hi));
}

/* The same, now and then exactly one cell. */
static wit_interval random_box_or_cell(rng* r, wit_interval range, const double* breaks, int count)
{
    if (rng_int(r, 5)) return random_box(r, range);
    int k = rng_int(r, count - 1);
    return iv(breaks[k], breaks[k + 1]);
}

static double in_box(rng* r, wit_interval box)
{
    int at = rng_int(r, 6);
    return at == 0 ? box.lo : at == 1 ? box.hi : fmin(rng_range(r, box.lo, box.hi), box.hi);
}

/* 1: below. At an end of the box the side that is inside it, elsewhere either. */
static unsigned inner_side(rng* r, double x, wit_interval box)
{
    unsigned either = (unsigned)rng_int(r, 2);
    return x == box.lo ? 0 : x == box.hi ? 1 : either;
}

static bool inside(wit_vec3 p, wit_box b, double slack)
{
    return p.x >= b.lo.x - slack && p.x <= b.hi.x + slack && p.y >= b.lo.y - slack && p.y <= b.hi.y + slack &&
           p.z >= b.lo.z - slack && p.z <= b.hi.z + slack;
}

static bool in_cone(wit_vec3 n, wit_cone cone, double slack)
{
    n = unit3(n);
    double sine = norm3(cross3(n, cone.axis)), cosine = dot3(n, cone.axis);
    return atan2(sine, cosine) <= cone.angle + slack;
}

static double length_of(const long double d[3])
{
    return (double)sqrtl(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static wit_vec3 rounded(const long double d[3])
{
    return vec3((double)d[0], (double)d[1], (double)d[2]);
}

/* Long double to double rounds by half a unit in the last place: the only slack a reference point gets. */
static double half_ulp(double size)
{
    return 1.2e-16 * size;
}

/* Rounding of the reference itself, in long double: where a derivative vanishes it is all there is. */
static double noise(const deboor_cell* c, int k, int l)
{
    return 1e-17 * c->size * pow(c->weight_ratio, k + l) / (pow(c->hi_u - c->lo_u, k) * pow(c->hi_v - c->lo_v, l));
}

static void check_spline_point(const wit_surface_def* def, const wit_surface_bounds* b, wit_interval extent,
                               wit_vec3 direction, double u, double v, unsigned side)
{
    long double d[DEBOOR_ORDERS][DEBOOR_ORDERS][3];
    deboor_surface(def, u, v, side, d);
    double size = fabs((double)d[0][0][0]) + fabs((double)d[0][0][1]) + fabs((double)d[0][0][2]);
    wit_vec3 p = rounded(d[0][0]);
    assert_true(inside(p, b->box, half_ulp(size)));
    long double along = direction.x * d[0][0][0] + direction.y * d[0][0][1] + direction.z * d[0][0][2];
    assert_true(along >= extent.lo && along <= extent.hi);
    deboor_cell c = deboor_surface_cell(def, u, v, side);
    const double bound[4][4] = {
        {0, b->dv, b->dvv, b->dvvv}, {b->du, b->duv, b->duvv, 0}, {b->duu, b->duuv, 0, 0}, {b->duuu}};
    for (int k = 0; k <= 3; ++k)
        for (int l = 0; k + l <= 3; ++l)
            if (k + l > 0) assert_true(length_of(d[k][l]) <= bound[k][l] + noise(&c, k, l));
    assert_true(length_of(d[1][0]) >= b->du_min - noise(&c, 1, 0) && length_of(d[0][1]) >= b->dv_min - noise(&c, 0, 1));
    wit_vec3 du = rounded(d[1][0]), dv = rounded(d[0][1]), n = cross3(du, dv);
    double spread = norm3(n) / (norm3(du) * norm3(dv) + 1e-300);
    if (spread > 1e-6) assert_true(in_cone(n, b->normals, 1e-15 / spread));
}

static void spline_bounds_hold_at_every_sample(void** state)
{
    (void)state;
    rng r = rng_seed(21);
    static random_surface spline;
    long samples = campaign(600000), done = 0;
    while (done < samples) {
        random_surface_make(&r, 1 + rng_int(&r, 9), 1 + rng_int(&r, 9), pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        wit_surface* s = surface_made(&spline.def);
        wit_surface_info info = wit_surface_describe(s);
        for (int k = 0; k < 10; ++k) {
            int nu, nv;
            const double* bu = wit_surface_breaks(s, WIT_U, &nu);
            const double* bv = wit_surface_breaks(s, WIT_V, &nv);
            wit_interval u = random_box_or_cell(&r, info.range_u, bu, nu);
            wit_interval v = random_box_or_cell(&r, info.range_v, bv, nv);
            wit_vec3 direction = random_unit(&r);
            wit_surface_bounds b;
            wit_surface_bound(s, u, v, &b);
            wit_interval extent = wit_surface_extent(s, u, v, direction);
            for (int i = 0; i < 5; ++i, ++done) {
                double x = in_box(&r, u), y = in_box(&r, v);
                unsigned side = inner_side(&r, x, u) | 2 * inner_side(&r, y, v);
                check_spline_point(&spline.def, &b, extent, direction, x, y, side);
            }
        }
        wit_surface_destroy(s);
    }
    printf("spline surfaces: %ld samples (shape, box, point), none outside\n", done);
}

static void spline_curve_bounds_hold_at_every_sample(void** state)
{
    (void)state;
    rng r = rng_seed(22);
    static random_curve spline;
    long samples = campaign(200000), done = 0;
    while (done < samples) {
        random_curve_make(&r, 1 + rng_int(&r, 9), pow(10, 6 * (rng_int(&r, 3) - 1)), &spline);
        wit_curve* c = curve_made(&spline.def);
        for (int k = 0; k < 10; ++k) {
            wit_interval t = random_box(&r, wit_curve_describe(c).range);
            wit_vec3 direction = random_unit(&r);
            wit_curve_bounds b;
            wit_curve_bound(c, t, &b);
            wit_interval extent = wit_curve_extent(c, t, direction);
            for (int i = 0; i < 5; ++i, ++done) {
                double x = in_box(&r, t);
                long double d[DEBOOR_ORDERS][3];
                deboor_curve(&spline.def, x, inner_side(&r, x, t), d);
                wit_vec3 p = rounded(d[0]);
                assert_true(inside(p, b.box, half_ulp(fabs(p.x) + fabs(p.y) + fabs(p.z))));
                long double along = direction.x * d[0][0] + direction.y * d[0][1] + direction.z * d[0][2];
                assert_true(along >= extent.lo && along <= extent.hi);
                deboor_cell cell = deboor_curve_cell(&spline.def, x, 0);
                cell.lo_v = 0;
                cell.hi_v = 1;
                assert_true(length_of(d[1]) <= b.d1 + noise(&cell, 1, 0) &&
                            length_of(d[1]) >= b.d1_min - noise(&cell, 1, 0));
                assert_true(length_of(d[2]) <= b.d2 + noise(&cell, 2, 0) &&
                            length_of(d[3]) <= b.d3 + noise(&cell, 3, 0));
                if (length_of(d[1]) > 1e-9 * b.d1) assert_true(in_cone(rounded(d[1]), b.tangents, 1e-15));
            }
        }
        wit_curve_destroy(c);
    }
    printf("spline curves: %ld samples, none outside\n", done);
}

/* A surface of any kind but NURBS. */
static wit_surface* random_analytic(rng* r, wit_surface_kind kind)
{
    if (kind < WIT_SURFACE_REVOLUTION) {
        wit_surface_def d = random_quadric(r, kind, pow(10, 6 * (rng_int(r, 3) - 1)));
        return surface_made(&d);
    }
    static random_curve spline;
    random_curve_make(r, 2 + rng_int(r, 3), 1, &spline);
    wit_curve_def conic = random_conic(r, (wit_curve_kind)rng_int(r, 5), 1);
    wit_curve* profile = curve_made(rng_int(r, 2) ? &conic : &spline.def);
    wit_surface_def d = wit_surface_default_def(kind);
    d.profile = profile;
    d.frame = random_frame(r, 1);
    d.direction = random_unit(r);
    if (kind == WIT_SURFACE_EXTRUSION) d.range_v = iv(-1, 2);
    if (kind == WIT_SURFACE_REVOLUTION && rng_int(r, 2)) d.range_u = random_part(r, -3, 3);
    wit_surface* s = surface_made(&d);
    wit_curve_destroy(profile);
    return s;
}

static void analytic_bounds_hold_at_every_sample(void** state)
{
    (void)state;
    rng r = rng_seed(23);
    long samples = campaign(400000), done = 0;
    for (int kind = 0; done < samples; kind = (kind + 1) % WIT_SURFACE_NURBS) {
        wit_surface* s = random_analytic(&r, (wit_surface_kind)kind);
        wit_surface_info info = wit_surface_describe(s);
        wit_surface_bounds all;
        wit_surface_bound(s, info.range_u, info.range_v, &all);
        double size = norm3(sub3(all.box.hi, all.box.lo)) + norm3(all.box.hi), slack = SLACK * size;
        for (int k = 0; k < 10; ++k) {
            wit_interval u = random_box(&r, info.range_u), v = random_box(&r, info.range_v);
            if (info.closed_u && rng_int(&r, 4) == 0) { /* over the seam */
                double half = 0.3 * rng_double(&r);
                u = iv(info.range_u.hi - half, info.range_u.hi + half);
            }
            wit_surface_bounds b;
            wit_surface_bound(s, u, v, &b);
            for (int i = 0; i < 5; ++i, ++done) {
                wit_surface_jet j;
                unsigned place = wit_surface_eval(s, in_box(&r, u), in_box(&r, v), 0, NULL, &j);
                assert_true(inside(j.p, b.box, slack));
                assert_true(norm3(j.du) <= b.du + SLACK * all.du && norm3(j.dv) <= b.dv + SLACK * all.dv);
                assert_true(norm3(j.du) >= b.du_min - SLACK * all.du && norm3(j.dv) >= b.dv_min - SLACK * all.dv);
                assert_true(norm3(j.duu) <= b.duu + 10 * SLACK * all.duu &&
                            norm3(j.duv) <= b.duv + 10 * SLACK * all.duv);
                assert_true(norm3(j.dvv) <= b.dvv + 10 * SLACK * all.dvv);
                wit_vec3 n = cross3(j.du, j.dv);
                double spread = norm3(n) / (all.du * all.dv + 1e-300);
                if (!(place & WIT_EVAL_DEGENERATE) && spread > 1e-6) assert_true(in_cone(n, b.normals, SLACK / spread));
            }
        }
        wit_surface_destroy(s);
    }
    printf("analytic surfaces: %ld samples, none outside\n", done);
}

/* ---- tightness ---- */

enum { RATIOS = 6 };
static const char* const RATIO_NAME[RATIOS] = {"box", "plane", "du", "duu", "duuu", "cone"};

typedef struct tightness {
    double sum[RATIOS], worst[RATIOS];
    long count[RATIOS];
} tightness;

static void note(tightness* t, int what, double bound, double truth, double least)
{
    if (!(truth > least) || !(bound > 0)) return; /* nothing to compare with: the truth is rounding */
    double ratio = bound / truth;
    t->sum[what] += ratio;
    t->count[what] += 1;
    if (ratio > t->worst[what]) t->worst[what] = ratio;
}

/* Bound against the largest of 13 x 13 samples. A smooth surface with third derivatives to speak of. */
static void measure(rng* r, const wit_surface* s, const wit_surface_def* spline, double width, tightness* t)
{
    enum { N = 13 };
    wit_surface_info info = wit_surface_describe(s);
    double wu = width * iv_width(info.range_u), wv = width * iv_width(info.range_v);
    double u0 = rng_range(r, info.range_u.lo, info.range_u.hi - wu),
           v0 = rng_range(r, info.range_v.lo, info.range_v.hi - wv);
    wit_interval u = iv(u0, u0 + wu), v = iv(v0, v0 + wv);
    wit_surface_bounds b, all;
    wit_surface_bound(s, u, v, &b);
    wit_surface_bound(s, info.range_u, info.range_v, &all);
    wit_vec3 direction = random_unit(r);
    wit_interval extent = wit_surface_extent(s, u, v, direction), along = iv(INFINITY, -INFINITY);
    wit_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double du = 0, duu = 0, duuu = 0, angle = 0, size = norm3(sub3(all.box.hi, all.box.lo));
    for (int i = 0; i < N * N; ++i) {
        wit_surface_jet j;
        double x = u.lo + wu * (i % N) / (N - 1), y = v.lo + wv * (i / N) / (N - 1);
        wit_surface_eval(s, x, y, 0, NULL, &j);
        along = iv_union(along, iv_point(dot3(direction, j.p)));
        box.lo = vec3(fmin(box.lo.x, j.p.x), fmin(box.lo.y, j.p.y), fmin(box.lo.z, j.p.z));
        box.hi = vec3(fmax(box.hi.x, j.p.x), fmax(box.hi.y, j.p.y), fmax(box.hi.z, j.p.z));
        du = fmax(du, norm3(j.du));
        duu = fmax(duu, norm3(j.duu));
        wit_vec3 n = unit3(cross3(j.du, j.dv));
        angle = fmax(angle, atan2(norm3(cross3(n, b.normals.axis)), dot3(n, b.normals.axis)));
        if (spline) {
            long double d[DEBOOR_ORDERS][DEBOOR_ORDERS][3];
            deboor_surface(spline, x, y, 0, d);
            duuu = fmax(duuu, length_of(d[3][0]));
        }
    }
    note(t, 0, norm3(sub3(b.box.hi, b.box.lo)), norm3(sub3(box.hi, box.lo)), 1e-9 * size);
    note(t, 1, iv_width(extent), iv_width(along), 1e-9 * size);
    note(t, 2, b.du, du, 1e-9 * all.du);
    note(t, 3, b.duu, duu, 1e-2 * all.duu);
    note(t, 4, b.duuu, duuu, 1e-2 * all.duuu);
    note(t, 5, b.normals.angle, angle, 1e-9);
}

/* A wavy net, with weights for the rational case: smooth, unlike random points. */
static void wavy(rng* r, int degree, bool rational, random_surface* out)
{
    int n = degree + 4;
    wit_surface_def* d = &out->def;
    *d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d->degree_u = d->degree_v = degree;
    d->count_u = d->count_v = n;
    d->knot_count_u = d->knot_count_v = n + degree + 1;
    for (int i = 0; i < n + degree + 1; ++i)
        out->knots_u[i] = out->knots_v[i] = fmin(fmax((i - degree) / (double)(n - degree), 0), 1);
    double a = rng_range(r, 0, 6), c = rng_range(r, 0, 6);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double x = i / (n - 1.0), y = j / (n - 1.0), *p = out->points + 3 * (i * n + j);
            p[0] = x + 0.1 * sin(3 * y + a);
            p[1] = y + 0.1 * sin(3 * x + c);
            p[2] = 0.3 * sin(4 * x + a) * cos(3 * y + c);
            out->weights[i * n + j] = 1 + 0.3 * sin(5 * x + 4 * y + a);
        }
    d->knots_u = out->knots_u;
    d->knots_v = out->knots_v;
    d->points = out->points;
    d->weights = rational ? out->weights : NULL;
}

/* Mean ratio of bound to truth; a perfect bound is 1. Limits at width 1e-3: boxes and derivatives within 10 %, cones
 * (which lose the correlation of the two tangents) within a factor 2. */
static void report_tightness(const char* name, const tightness* t)
{
    static const double WIDTH[4] = {1, 0.1, 0.01, 0.001};
    for (int w = 0; w < 4; ++w) {
        printf("%-18s %6g ", name, WIDTH[w]);
        for (int k = 0; k < RATIOS; ++k)
            if (t[w].count[k])
                printf("  %-6.3f", t[w].sum[k] / (double)t[w].count[k]);
            else
                printf("  %-6s", "-");
        printf("\n");
    }
    for (int k = 0; k < RATIOS; ++k)
        if (t[3].count[k]) assert_true(t[3].sum[k] / (double)t[3].count[k] <= (k == 5 ? 2 : 1.1));
}

static void bounds_are_tight_and_tighten(void** state)
{
    (void)state;
    static const double WIDTH[4] = {1, 0.1, 0.01, 0.001};
    rng r = rng_seed(24);
    long surfaces = campaign(300);
    printf("ratio of bound to truth (mean)\n%-18s %6s ", "kind", "width");
    for (int k = 0; k < RATIOS; ++k) printf("  %-6s", RATIO_NAME[k]);
    printf("\n");
    for (int kind = 0; kind < WIT_SURFACE_NURBS; ++kind) {
        tightness t[4] = {{{0}, {0}, {0}}};
        for (long n = 0; n < surfaces; ++n) {
            wit_surface* s = random_analytic(&r, (wit_surface_kind)kind);
            for (int w = 0; w < 4; ++w) measure(&r, s, NULL, WIDTH[w], &t[w]);
            wit_surface_destroy(s);
        }
        report_tightness(wit_surface_kind_name((wit_surface_kind)kind), t);
    }
    for (int degree = 2; degree <= 5; ++degree)
        for (int rational = 0; rational < 2; ++rational) {
            static random_surface spline;
            tightness t[4] = {{{0}, {0}, {0}}};
            for (long n = 0; n < surfaces; ++n) {
                wavy(&r, degree, rational, &spline);
                wit_surface* s = surface_made(&spline.def);
                for (int w = 0; w < 4; ++w) measure(&r, s, &spline.def, WIDTH[w], &t[w]);
                wit_surface_destroy(s);
            }
            char name[32];
            snprintf(name, sizeof name, "nurbs deg %d%s", degree, rational ? " rational" : "");
            report_tightness(name, t);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spline_bounds_hold_at_every_sample),
        cmocka_unit_test(spline_curve_bounds_hold_at_every_sample),
        cmocka_unit_test(analytic_bounds_hold_at_every_sample),
        cmocka_unit_test(bounds_are_tight_and_tighten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
