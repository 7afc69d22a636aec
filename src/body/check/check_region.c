/* SPDX-License-Identifier: MIT */
/* Regions of surfaces: cells, samples, normals. */
#include "../meeting.h"
#include "check.h"

/* Parts of a range nearer to a knot than this share of it are no cells of their own. */
#define SLIVER 1e-9

check_region wi_check_region_of(const wit_surface* surface)
{
    check_region r = {.surface = surface, .u = surface->u, .v = surface->v, .face = -1};
    wit_surface_bounds b;
    wit_surface_bound(surface, r.u, r.v, &b);
    r.size = norm3(sub3(b.box.hi, b.box.lo));
    return r;
}

check_region wi_check_region_of_face(const wit_body* body, int face)
{
    const body_face* f = &body_faces(body)[face];
    check_region r = {.surface = body_surface(body, face), .reversed = f->reversed, .u = f->u, .v = f->v};
    r.size = norm3(sub3(f->box.hi, f->box.lo));
    r.body = body;
    r.face = face;
    return r;
}

bool wi_check_region_trimmed(const check_region* r)
{
    return r->body && body_faces(r->body)[r->face].trimmed;
}

trim_tag wi_check_region_tag(const check_region* r, wit_interval u, wit_interval v)
{
    if (!wi_check_region_trimmed(r)) return TRIM_IN;
    const body_face* f = &body_faces(r->body)[r->face];
    trim_curves c = body_trim_curves(r->body, f);
    return wi_trim_classify(&f->trim, body_at(r->body, f->trim_block), &c, u, v);
}

bool wi_check_region_holds(const check_region* r, double u, double v)
{
    return !wi_check_region_trimmed(r) || wit_body_face_contains(r->body, r->face, u, v);
}

/* ---- cells ---------------------------------------------------------------------------------- */

/* The first border of a cell above x + near, or hi. */
static double next_border(const double* breaks, int count, wit_interval range, bool closed, double x, double near,
                          double hi)
{
    double period = closed ? iv_width(range) : 0, shift = 0;
    if (closed) shift = period * floor((x + near - range.lo) / period);
    int lo = 0, up = count; /* breaks[lo - 1] <= x + near - shift < breaks[up] */
    while (lo < up) {
        int mid = (lo + up) / 2;
        if (breaks[mid] <= x + near - shift)
            lo = mid + 1;
        else
            up = mid;
    }
    double found = lo < count ? breaks[lo] + shift : hi;
    return found < hi - near ? found : hi;
}

bool wi_check_next_cell(const check_region* r, wit_direction direction, wit_interval* cell)
{
    const wit_surface* s = r->surface;
    wit_interval all = direction == WIT_U ? r->u : r->v;
    if (!(cell->hi < all.hi)) return false;
    int count;
    const double* breaks = wit_surface_breaks(s, direction, &count);
    double hi = next_border(breaks, count, direction == WIT_U ? s->u : s->v,
                            direction == WIT_U ? s->closed_u : s->closed_v, cell->hi, SLIVER * iv_width(all), all.hi);
    *cell = iv(cell->hi, hi);
    return true;
}

int wi_check_cell_count(const check_region* r, wit_direction direction)
{
    wit_interval cell = iv_point(direction == WIT_U ? r->u.lo : r->v.lo);
    int n = 0;
    while (wi_check_next_cell(r, direction, &cell)) n++;
    return n > 0 ? n : 1;
}

/* ---- samples -------------------------------------------------------------------------------- */

bool wi_check_normal(const check_region* r, const check_sample* x, wit_vec3* out)
{
    return wi_outward_of_jet(r->surface, r->reversed, x->u, x->v, x->place, &x->jet, out);
}

static void scan_cell(const check_region* r, wit_interval u, wit_interval v, int n, int m, check_visit* visit,
                      void* user)
{
    trim_tag tag = wi_check_region_tag(r, u, v);
    if (tag == TRIM_OUT) return;
    wit_hint hint = {{0}};
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            check_sample x = {.u = i == n ? u.hi : u.lo + iv_width(u) * i / n,
                              .v = j == m ? v.hi : v.lo + iv_width(v) * j / m};
            if (tag == TRIM_MIXED && !wi_check_region_holds(r, x.u, x.v)) continue;
            x.side = (i == n ? (unsigned)WIT_KNOT_U_BELOW : 0U) | (j == m ? (unsigned)WIT_KNOT_V_BELOW : 0U);
            x.place = wit_surface_eval(r->surface, x.u, x.v, x.side, &hint, &x.jet);
            visit(r, &x, user);
        }
}

/* Along the loops of a trimmed face: what is extreme is so on the border, as a rule. */
static void scan_loops(const check_region* r, int grid, check_visit* visit, void* user)
{
    const body_face* f = &body_faces(r->body)[r->face];
    for (int32_t l = f->first_loop; l < f->first_loop + f->loops; l++) {
        const body_loop* loop = &body_loops(r->body)[l];
        for (int32_t k = loop->first_use; k < loop->first_use + loop->uses; k++) {
            int32_t edge = body_uses(r->body)[k].edge;
            if (edge < 0) continue; /* along a pole */
            wit_interval t = body_edges(r->body)[edge].range;
            for (int i = 0; i <= grid; i++) {
                use_lift at = wi_use_lift(r->body, k, i == grid ? t.hi : t.lo + iv_width(t) * i / grid);
                check_sample x = {.u = at.c.p.x, .v = at.c.p.y, .side = at.side};
                x.place = wit_surface_eval(r->surface, x.u, x.v, x.side, NULL, &x.jet);
                visit(r, &x, user);
            }
        }
    }
}

void wi_check_scan(const check_region* r, int grid, check_visit* visit, void* user)
{
    int n = grid / wi_check_cell_count(r, WIT_U), m = grid / wi_check_cell_count(r, WIT_V);
    if (n < 2) n = 2;
    if (m < 2) m = 2;
    wit_interval u = iv_point(r->u.lo);
    while (wi_check_next_cell(r, WIT_U, &u)) {
        wit_interval v = iv_point(r->v.lo);
        while (wi_check_next_cell(r, WIT_V, &v)) scan_cell(r, u, v, n, m, visit, user);
    }
    if (wi_check_region_trimmed(r)) scan_loops(r, grid, visit, user);
}
