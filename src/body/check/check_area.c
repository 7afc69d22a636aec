/* SPDX-License-Identifier: MIT */
/*
 * Area and flux of a region. Planes and cylinders by integrals around their loops. Else slices u = constant: between two neighbouring
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
    wit_vec3 centre;
    double area, flux;
    wit_hint hint;
} sums;

static void add_point(sums* a, double u, double v, double weight)
{
    wit_surface_jet j;
    wit_surface_eval(a->region->surface, u, v, WIT_KNOT_DEFAULT, &a->hint, &j);
    wit_vec3 n = cross3(j.du, j.dv);
    a->area += weight * norm3(n);
    a->flux += weight * dot3(n, sub3(j.p, a->centre));
}

/* ---- all of a box ---------------------------------------------------------------------------- */

static int pieces_of(int cells)
{
    return cells < LINE_PIECES ? (LINE_PIECES + cells - 1) / cells : 1;
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
    int n = pieces_of(wi_check_cell_count(r, WIT_U)), m = pieces_of(wi_check_cell_count(r, WIT_V));
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
    int n = share > 0.2 ? 6 : share > 0.02 ? 4 : 2; /* pieces in x */
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

/* ---- planes and cylinders --------------------------------------------------------------------- */

/* p - centre along the normal, over |normal|: of a plane constant, of a cylinder of u alone. */
static double height_at(const check_region* r, wit_vec3 centre, double u)
{
    const wit_surface* s = r->surface;
    if (s->kind == WIT_SURFACE_PLANE) return dot3(s->frame.z, sub3(s->frame.o, centre));
    double sine, cosine;
    wit_sincos(u, &sine, &cosine);
    wit_vec3 e = addscaled3(scale3(cosine, s->frame.x), sine, s->frame.y);
    return s->a + dot3(e, sub3(s->frame.o, centre));
}

/* The element of area is constant: both are -(integral of v f(u) du) around the loops, and v is single-valued. */
static void add_loops(sums* a)
{
    const check_region* r = a->region;
    const body_face* f = &body_faces(r->body)[r->face];
    double element = r->surface->kind == WIT_SURFACE_CYLINDER ? r->surface->a : 1;
    for (int32_t l = f->first_loop; l < f->first_loop + f->loops; l++) {
        const body_loop* loop = &body_loops(r->body)[l];
        for (int32_t k = loop->first_use; k < loop->first_use + loop->uses; k++) {
            const body_use* use = &body_uses(r->body)[k];
            if (use->edge < 0) continue;
            wit_interval t = body_edges(r->body)[use->edge].range;
            int cells = 0;
            wit_curve_breaks(body_parameter_curve(r->body, k), &cells);
            int n = LINE_PIECES * (cells > 1 ? cells : 1);
            double area = 0, flux = 0, step = iv_width(t) / n;
            for (int i = 0; i < n * NODES; i++) {
                use_lift at = wi_use_lift(r->body, k, t.lo + (i / NODES + NODE[i % NODES]) * step);
                double part = -WEIGHT[i % NODES] * step * at.c.d1.x * (at.c.p.y - r->v.lo) * element;
                area += part;
                flux += part * height_at(r, a->centre, at.c.p.x);
            }
            a->area += use->reversed ? -area : area;
            a->flux += use->reversed ? -flux : flux;
        }
    }
}

void wi_check_area(const check_region* r, wit_vec3 centre, double* area, double* flux)
{
    sums a = {.region = r, .centre = centre};
    bool trimmed = wi_check_region_trimmed(r);
    bool even = r->surface->kind == WIT_SURFACE_PLANE || r->surface->kind == WIT_SURFACE_CYLINDER;
    if (trimmed && even) {
        add_loops(&a);
    } else if (trimmed) {
        add_slices(&a);
    } else {
        add_whole(&a);
    }
    *area = a.area;
    *flux = r->reversed ? -a.flux : a.flux;
}
