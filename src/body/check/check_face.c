/* SPDX-License-Identifier: MIT */
/* The check of one face: continuity, degenerate places, and what wi_check_bend, wi_check_nice and wi_check_area find. */
#include "check.h"

enum { GRID = 32, LINE_SAMPLES = 17 };

/* ---- continuity ----------------------------------------------------------------------------- */

/* The number of the border of cells at x, 0 for the seam; -1 where there is none (the cut of a region at x). */
static int border_at(const wit_surface* s, wit_direction direction, double x)
{
    wit_interval range = direction == WIT_U ? s->u : s->v;
    bool closed = direction == WIT_U ? s->closed_u : s->closed_v;
    double period = iv_width(range), near = 1e-9 * period;
    int count;
    const double* breaks = wit_surface_breaks(s, direction, &count);
    if (closed) x -= period * floor((x - range.lo + near) / period);
    for (int k = 0; k < count - 1; k++)
        if (fabs(breaks[k] - x) <= near) return k == 0 && !closed ? -1 : k;
    return -1;
}

static void look_at_border(const check_region* r, wit_direction direction, double x, wit_face_check* out)
{
    wit_continuity c;
    int k = border_at(r->surface, direction, x);
    if (k < 0 || !wit_surface_continuity(r->surface, direction, k, &c)) return;
    out->tangent &= c.tangent;
    if (c.order >= out->continuity) return;
    out->continuity = c.order;
    out->continuity_direction = direction;
    out->continuity_value = c.value;
}

static void check_continuity(const check_region* r, wit_face_check* out)
{
    out->continuity = 2;
    out->tangent = true;
    for (int d = WIT_U; d <= WIT_V; d++) {
        wit_direction direction = (wit_direction)d;
        wit_interval all = d == WIT_U ? r->u : r->v, range = d == WIT_U ? r->surface->u : r->surface->v;
        bool closed = d == WIT_U ? r->surface->closed_u : r->surface->closed_v;
        wit_interval cell = iv_point(all.lo);
        while (wi_check_next_cell(r, direction, &cell))
            if (cell.hi < all.hi) look_at_border(r, direction, cell.hi, out);
        /* All the way round, the face meets itself at its low end, unless that end is one of its edges: a crease. */
        wit_continuity c;
        int k = border_at(r->surface, direction, all.lo);
        if (!closed || iv_width(all) < (1 - 1e-9) * iv_width(range) || k < 0) continue;
        if (wit_surface_continuity(r->surface, direction, k, &c) && c.tangent)
            look_at_border(r, direction, all.lo, out);
    }
}

/* ---- degenerate places ---------------------------------------------------------------------- */

/* Is the border u or v = x drawn together into a point, as far as the region goes? */
static bool is_collapsed(const check_region* r, wit_direction fixed, double x, bool low)
{
    const wit_surface* s = r->surface;
    bool of_u = fixed == WIT_U, inside = false;
    wit_interval run = of_u ? r->v : r->u;
    double step = 1e-6 * iv_width(of_u ? s->u : s->v) * (low ? 1 : -1);
    unsigned side = low ? 0U : of_u ? (unsigned)WIT_KNOT_U_BELOW : (unsigned)WIT_KNOT_V_BELOW;
    for (int k = 0; k < LINE_SAMPLES; k++) {
        double y = run.lo + iv_width(run) * (k + 0.5) / LINE_SAMPLES;
        wit_surface_jet j;
        wit_surface_eval(s, of_u ? x : y, of_u ? y : x, side, NULL, &j);
        if (norm3(of_u ? j.dv : j.du) > 1e-9 * (of_u ? s->speed_v : s->speed_u)) return false;
        inside |= wi_check_region_holds(r, of_u ? x + step : y, of_u ? y : x + step);
    }
    return inside;
}

typedef struct singular {
    bool collapsed[4]; /* u low, u high, v low, v high */
    int count;
} singular;

static void visit_singular(const check_region* r, const check_sample* x, void* user)
{
    singular* found = user;
    double near_u = 1e-9 * iv_width(r->surface->u), near_v = 1e-9 * iv_width(r->surface->v);
    if (!(x->place & WIT_EVAL_DEGENERATE)) return;
    if ((found->collapsed[0] && fabs(x->u - r->surface->u.lo) <= near_u) ||
        (found->collapsed[1] && fabs(x->u - r->surface->u.hi) <= near_u) ||
        (found->collapsed[2] && fabs(x->v - r->surface->v.lo) <= near_v) ||
        (found->collapsed[3] && fabs(x->v - r->surface->v.hi) <= near_v))
        return;
    found->count++;
}

static void check_degenerate(const check_region* r, wit_face_check* out)
{
    const wit_surface* s = r->surface;
    singular found = {.count = 0};
    out->regular = !s->doubtful;
    if (out->regular) return;
    for (int k = 0; k < 4; k++) {
        wit_direction fixed = k < 2 ? WIT_U : WIT_V;
        wit_interval range = k < 2 ? s->u : s->v, part = k < 2 ? r->u : r->v;
        double x = k % 2 ? range.hi : range.lo, near = 1e-9 * iv_width(range);
        if (k % 2 ? part.hi < x - near : part.lo > x + near) continue;
        found.collapsed[k] = is_collapsed(r, fixed, x, k % 2 == 0);
        if (!found.collapsed[k]) continue;
        wit_vec3 n;
        if (wit_surface_normal(s, k < 2 ? x : iv_mid(r->u), k < 2 ? iv_mid(r->v) : x, &n))
            out->poles++;
        else
            out->apexes++;
    }
    wi_check_scan(r, GRID, visit_singular, &found);
    out->singular = found.count;
}

/* ---- all of it ------------------------------------------------------------------------------ */

void wi_check_region_face(const check_region* r, wit_vec3 centre, wit_face_check* out, double* flux)
{
    *flux = 0;
    bool unbounded = r->body && body_faces(r->body)[r->face].unbounded;
    check_continuity(r, out);
    wi_check_bend(r, out);
    wi_check_nice(r, out);
    check_degenerate(r, out);
    if (!unbounded) wi_check_area(r, centre, &out->area, flux);
    out->size = r->size;
}

wit_face_check wit_body_check_face(const wit_body* body, int face)
{
    wit_face_check out = {0};
    if (!body || face < 0 || face >= body->face_count) return out;
    check_region r = wi_check_region_of_face(body, face);
    double flux;
    wi_check_region_face(&r, vec3(0, 0, 0), &out, &flux);
    return out;
}
