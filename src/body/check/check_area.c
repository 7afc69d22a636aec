/* SPDX-License-Identifier: MIT */
/*
 * Integrals over a region: its area and flux, and whatever a caller sums up (wi_check_integrate). Areas of planes and cylinders by
 * integrals around their loops. Else slices u = constant: between two neighbouring
 * ends of trim segments (which are graphs over u) and knots the integral over a slice is analytic inside, with square roots at
 * the ends where a loop turns back. With u = middle - half cos x these are gone, and Gauss' rule converges at once. Within a
 * slice the crossings with the segments cut v into parts that are in or out as a whole.
 */
#include "../meeting.h"
#include "../tree/trim_record.h"
#include "check.h"

enum { NODES = 5, LINE_PIECES = 24, CROSSINGS = 64 };
static const double NODE[NODES] = {0.046910077030668004, 0.23076534494715846, 0.5, 0.76923465505284154,
                                   0.953089922969332};
static const double WEIGHT[NODES] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
                                     0.11846344252809454};

typedef struct sums {
    const check_region* region;
    int fine; /* times as many pieces along each parameter */
    check_integrand* add;
    void* user;
} sums;

static void add_point(sums* a, double u, double v, double weight)
{
    a->add(a->region, u, v, weight, a->user);
}

/* ---- all of a box ---------------------------------------------------------------------------- */

static int pieces_of(int cells, int fine)
{
    return fine * (cells < LINE_PIECES ? (LINE_PIECES + cells - 1) / cells : 1);
}

static void add_box(sums* a, wit_interval u, wit_interval v)
{
    double wu = iv_width(u), wv = iv_width(v);
    for (int i = 0; i < NODES; i++)
        for (int k = 0; k < NODES; k++)
            add_point(a, u.lo + NODE[i] * wu, v.lo + NODE[k] * wv, WEIGHT[i] * WEIGHT[k] * wu * wv);
}

static void add_whole(sums* a)
{
    const check_region* r = a->region;
    int n = pieces_of(wi_check_cell_count(r, WIT_U), a->fine), m = pieces_of(wi_check_cell_count(r, WIT_V), a->fine);
    wit_interval u = iv_point(r->u.lo);
    while (wi_check_next_cell(r, WIT_U, &u)) {
        wit_interval v = iv_point(r->v.lo);
        while (wi_check_next_cell(r, WIT_V, &v))
            for (int k = 0; k < n * m; k++) {
                double du = iv_width(u) / n, dv = iv_width(v) / m;
                double x = u.lo + k / m * du, y = v.lo + k % m * dv;
                add_box(a, iv(x, x + du), iv(y, y + dv));
            }
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */

typedef struct slices {
    const body_face* face;
    const trim_segment* segments;
    trim_curves curves;
    trim_source source;
    wit_interval u, v; /* the range that is cut: one period where it is closed */
    double piece;      /* longest part of a slice that Gauss takes at once */
} slices;

static slices slices_of(const check_region* r)
{
    const body_face* f = &body_faces(r->body)[r->face];
    const char* block = body_at(r->body, f->trim_block);
    slices s = {.face = f, .segments = (const trim_segment*)(const void*)(block + f->trim.segments)};
    s.curves = body_trim_curves(r->body, f);
    s.u = f->trim.closed_u ? f->trim.grid_u : f->u;
    s.v = f->trim.closed_v ? f->trim.grid_v : f->v;
    s.piece = iv_width(r->surface->v) / 12;
    return s;
}

/* The part [lo, hi] of a slice, cut at knots and into short pieces. */
static void add_run(sums* a, const slices* s, double u, wit_interval v, double weight)
{
    check_region part = *a->region;
    part.v = v;
    wit_interval cell = iv_point(v.lo);
    while (wi_check_next_cell(&part, WIT_V, &cell)) {
        double width = iv_width(cell);
        int n = 1 + (int)smaller(width / s->piece, 1000);
        if (n < 2 && a->region->surface->kind == WIT_SURFACE_NURBS) n = 2;
        n *= a->fine;
        for (int i = 0; i < n * NODES; i++)
            add_point(a, u, cell.lo + (i / NODES + NODE[i % NODES]) * width / n,
                      weight * WEIGHT[i % NODES] * width / n);
    }
}

/* The lowest crossings above `from`, in order; more than CROSSINGS are looked for when these are used up. */
static int crossings_above(const slices* s, double u, double from, double* out)
{
    int n = 0;
    for (int k = 0; k < s->face->trim.segment_count; k++) {
        const trim_segment* x = &s->segments[k];
        if (!(u >= x->u0 && u < x->u1) || x->v_hi <= from || x->v_lo >= s->v.hi) continue;
        double v = wi_segment_v_at(x, &s->source, u);
        if (!(v > from && v < s->v.hi) || (n == CROSSINGS && v >= out[n - 1])) continue;
        int at = n < CROSSINGS ? n++ : n - 1;
        for (; at > 0 && out[at - 1] > v; --at) out[at] = out[at - 1];
        out[at] = v;
    }
    return n;
}

static void add_slice(sums* a, const slices* s, double u, double weight)
{
    double crossing[CROSSINGS], from = s->v.lo;
    for (int n = CROSSINGS; n == CROSSINGS;) {
        n = crossings_above(s, u, from, crossing);
        for (int k = 0; k <= n && (k < n || n < CROSSINGS); k++) {
            double to = k < n ? crossing[k] : s->v.hi;
            if (to > from && wit_body_face_contains(a->region->body, a->region->face, u, 0.5 * (from + to)))
                add_run(a, s, u, iv(from, to), weight);
            from = to;
        }
    }
}

/* Between lo and hi no segment ends and no knot lies. */
static void add_band(sums* a, const slices* s, double lo, double hi)
{
    const double half_turn = 3.14159265358979323846, middle = 0.5 * (lo + hi), half = 0.5 * (hi - lo);
    double share = (hi - lo) / iv_width(s->u);
    int n = a->fine * (share > 0.2 ? 6 : share > 0.02 ? 4 : 2); /* pieces in x */
    for (int i = 0; i < n * NODES; i++) {
        double x = half_turn * (i / NODES + NODE[i % NODES]) / n, sine, cosine;
        wit_sincos(x, &sine, &cosine);
        add_slice(a, s, middle - half * cosine, half * sine * half_turn * WEIGHT[i % NODES] / n);
    }
}

/* The least end of a segment, or knot, above u. */
static double band_end(const check_region* r, const slices* s, double u)
{
    check_region all = *r;
    all.u = s->u;
    wit_interval cell = iv_point(u);
    double end = wi_check_next_cell(&all, WIT_U, &cell) ? cell.hi : s->u.hi, near = 1e-12 * iv_width(s->u);
    for (int k = 0; k < s->face->trim.segment_count; k++) {
        const trim_segment* x = &s->segments[k];
        if (x->u0 > u + near && x->u0 < end) end = x->u0;
        if (x->u1 > u + near && x->u1 < end) end = x->u1;
    }
    return end < s->u.hi - near ? end : s->u.hi;
}

static void add_slices(sums* a)
{
    slices s = slices_of(a->region);
    s.source = (trim_source){NULL, &s.curves};
    for (double u = s.u.lo; u < s.u.hi;) {
        double end = band_end(a->region, &s, u);
        add_band(a, &s, u, end);
        u = end;
    }
}

/* ---- loops ------------------------------------------------------------------------------------ */

/* LINE_PIECES for a turn of a circle, in the plane or about the axis, and for each cell of a spline; along a straight line in a plane the
 * integrand is a polynomial. */
static int loop_pieces(const check_region* r, int32_t k, wit_interval t)
{
    const double turn = 6.283185307179586;
    const wit_curve* c = body_parameter_curve(r->body, k);
    bool line = c->kind == WIT_CURVE_LINE, arc = c->kind == WIT_CURVE_CIRCLE || c->kind == WIT_CURVE_ELLIPSE;
    if (line && r->surface->kind == WIT_SURFACE_PLANE) return 1;
    if (line || arc) {
        double angle = line ? wi_use_lift(r->body, k, t.lo).c.d1.x : body_uses(r->body)[k].scale;
        return 1 + (int)smaller(LINE_PIECES * fabs(angle) * iv_width(t) / turn, 1000);
    }
    int cells = 0;
    wit_curve_breaks(c, &cells);
    return LINE_PIECES * (cells > 1 ? cells : 1);
}

/* Green: the integral of g is -(integral of G du) around the loops, G = the integral of g from v.lo to v. Where g is a polynomial in v of
 * degree 9 or less, as all moments of planes and cylinders are, that of G is exact. v is single-valued. */
static void add_loop_use(sums* a, int32_t k, int parts)
{
    const check_region* r = a->region;
    const body_use* use = &body_uses(r->body)[k];
    if (use->edge < 0) return;
    wit_interval t = body_edges(r->body)[use->edge].range;
    int n = a->fine * loop_pieces(r, k, t);
    double step = iv_width(t) / n;
    for (int i = 0; i < n * NODES; i++) {
        use_lift at = wi_use_lift(r->body, k, t.lo + (i / NODES + NODE[i % NODES]) * step);
        double up = at.c.p.y - r->v.lo, part = -WEIGHT[i % NODES] * step * at.c.d1.x * (use->reversed ? -1 : 1);
        for (int j = 0; j < parts; j++)
            add_point(a, at.c.p.x, parts > 1 ? r->v.lo + NODE[j] * up : at.c.p.y,
                      part * up * (parts > 1 ? WEIGHT[j] : 1));
    }
}

static void add_loops(sums* a, int parts)
{
    const wit_body* b = a->region->body;
    const body_face* f = &body_faces(b)[a->region->face];
    for (int32_t l = f->first_loop; l < f->first_loop + f->loops; l++) {
        const body_loop* loop = &body_loops(b)[l];
        for (int32_t k = loop->first_use; k < loop->first_use + loop->uses; k++) add_loop_use(a, k, parts);
    }
}

static bool is_even(const check_region* r)
{
    return r->surface->kind == WIT_SURFACE_PLANE || r->surface->kind == WIT_SURFACE_CYLINDER;
}

static void integrate(sums* a, int parts)
{
    bool trimmed = wi_check_region_trimmed(a->region);
    if (trimmed && is_even(a->region)) {
        add_loops(a, parts);
    } else if (trimmed) {
        add_slices(a);
    } else {
        add_whole(a);
    }
}

void wi_check_integrate(const check_region* r, int fine, check_integrand* add, void* user)
{
    sums a = {.region = r, .fine = fine, .add = add, .user = user};
    integrate(&a, NODES);
}

/* ---- area and flux ---------------------------------------------------------------------------- */

typedef struct area_sums {
    wit_vec3 centre;
    double area, flux;
    wit_hint hint;
} area_sums;

static void add_area(const check_region* r, double u, double v, double weight, void* user)
{
    area_sums* a = user;
    wit_surface_jet j;
    wit_surface_eval(r->surface, u, v, WIT_KNOT_DEFAULT, &a->hint, &j);
    wit_vec3 n = cross3(j.du, j.dv);
    a->area += weight * norm3(n);
    a->flux += weight * dot3(n, sub3(j.p, a->centre));
}

/* Of planes and cylinders both integrands are of u alone: one place in v will do. */
void wi_check_area(const check_region* r, wit_vec3 centre, double* area, double* flux)
{
    area_sums s = {.centre = centre};
    sums a = {.region = r, .fine = 1, .add = add_area, .user = &s};
    integrate(&a, 1);
    *area = s.area;
    *flux = r->reversed ? -s.flux : s.flux;
}
