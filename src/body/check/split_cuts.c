/* SPDX-License-Identifier: MIT */
/* Which cuts a face needs: knot lines that are not C2, curves of K = 0, and lines that make the pieces nice. */
#include "../../geom/bounds.h"
#include "level_curve.h"
#include "split.h"

enum { NICE_DEPTH = 12, PROOF_DEPTH = 7, NICE_WORK = 20000, GRID = 9 };
/* How far below 90 degrees the normals of a piece must stay from the axis of their hemisphere. */
#define NICE_MARGIN 1e-6

typedef struct planner {
    splitter* s;
    split_face* f;
    const body_face* face;
    list lines[2]; /* double: u = value, v = value all across the window */
    int work;      /* boxes of normals that may still be looked at */
} planner;

static wit_status add_cut(planner* p, const wit_curve* curve, double shift_u, double shift_v)
{
    split_cut* c = list_add(&p->f->cuts, sizeof *c, &p->s->memory);
    if (!c) return wi_split_no_memory(p->s);
    c->curve = curve;
    c->shift[0] = shift_u;
    c->shift[1] = shift_v;
    return WIT_OK;
}

/* The segment of u = value or v = value over [lo, hi]. */
static wit_status cut_line(planner* p, wit_direction fixed, double value, double lo, double hi)
{
    const wit_curve* curve;
    wit_status status = wi_split_line(p->s, fixed, value, lo, hi, &curve);
    return status ? status : add_cut(p, curve, 0, 0);
}

/* A line all across the window, at the value and its images one period on; those at the window's ends are no cuts. */
static wit_status cut_across(planner* p, wit_direction fixed, double value)
{
    wit_interval w = p->f->window[fixed], other = p->f->window[1 - fixed];
    double period = p->f->period[fixed], near = 1e-9 * iv_width(w);
    if (period > 0) value -= period * floor((value - w.lo) / period);
    for (; value < w.hi - near; value += period) {
        bool known = value <= w.lo + near;
        for (int i = 0; i < p->lines[fixed].count && !known; ++i)
            known = fabs(*LIST_AT(double, p->lines[fixed], i) - value) <= near;
        if (!known) {
            double* place = list_add(&p->lines[fixed], sizeof *place, &p->s->memory);
            if (!place) return wi_split_no_memory(p->s);
            *place = value;
            wit_status status = cut_line(p, fixed, value, other.lo, other.hi);
            if (status) return status;
        }
        if (period == 0) break;
    }
    return WIT_OK;
}

static wit_status cut_knots(planner* p)
{
    for (int d = 0; d < 2; ++d) {
        int count;
        wit_surface_breaks(p->f->surface, (wit_direction)d, &count);
        for (int k = 0; k < count - 1; ++k) {
            wit_continuity c;
            if (!wit_surface_continuity(p->f->surface, (wit_direction)d, k, &c)) continue;
            if (p->s->creases ? c.tangent : c.order >= 2) continue;
            wit_status status = cut_across(p, (wit_direction)d, c.value);
            if (status) return status;
        }
    }
    return WIT_OK;
}

/* ---- K = 0 ------------------------------------------------------------------------------------- */

static void report_doubt(planner* p, double u, double v)
{
    wit_split_report* r = &p->s->report;
    if (r->unresolved++ > 0) return;
    r->first_face = p->f->face;
    r->first_u = u;
    r->first_v = v;
}

/* Where parts of the cell lie in the window: shifts by whole periods. */
static int images(const split_face* f, int d, wit_interval cell, double shift[3])
{
    int n = 0;
    for (int m = -1; m <= 1; ++m) {
        double by = m * f->period[d];
        if (m != 0 && f->period[d] == 0) continue;
        if (cell.lo + by < f->window[d].hi && cell.hi + by > f->window[d].lo) shift[n++] = by;
    }
    return n;
}

/* Borders of the cell along which K = 0, where no line is cut already and the range does not end. */
static wit_status cut_zero_borders(planner* p, const level_curves* found, wit_interval u, wit_interval v, double su,
                                   double sv)
{
    wit_interval cell[2] = {u, v};
    double shift[2] = {su, sv};
    for (int b = 0; b < 4; ++b) {
        if (!(found->zero_borders & (1U << b))) continue;
        int d = b / 2;
        double value = (b % 2 ? cell[d].hi : cell[d].lo) + shift[d], near = 1e-9 * iv_width(p->f->window[d]);
        bool known = value <= p->f->window[d].lo + near || value >= p->f->window[d].hi - near;
        for (int i = 0; i < p->lines[d].count && !known; ++i)
            known = fabs(*LIST_AT(double, p->lines[d], i) - value) <= near;
        if (known) continue;
        wit_interval along = cell[1 - d];
        wit_status status = cut_line(p, (wit_direction)d, value, along.lo + shift[1 - d], along.hi + shift[1 - d]);
        if (status) return status;
    }
    return WIT_OK;
}

static wit_status cut_cell(planner* p, wit_interval u, wit_interval v)
{
    double su[3], sv[3];
    int nu = images(p->f, 0, u, su), nv = images(p->f, 1, v, sv);
    if (nu == 0 || nv == 0) return WIT_OK;
    level_curves found;
    wit_status status = wi_level_trace(p->f->surface, u, v, p->s->def->accuracy, &p->s->memory, &found);
    if (status) return wi_split_no_memory(p->s);
    p->s->report.touching += found.touching;
    if (found.unresolved > 0) report_doubt(p, found.doubt_u, found.doubt_v);
    p->s->report.error = larger(p->s->report.error, found.error);
    for (int i = 0; i < found.curves.count && !status; ++i) {
        wit_curve** c = LIST_AT(wit_curve*, found.curves, i);
        status = wi_split_keep(p->s, *c);
        for (int k = 0; k < nu * nv && !status; ++k) status = add_cut(p, *c, su[k / nv], sv[k % nv]);
        *c = NULL;
    }
    for (int k = 0; k < nu * nv && !status; ++k) status = cut_zero_borders(p, &found, u, v, su[k / nv], sv[k % nv]);
    wi_level_drop(&found);
    return status;
}

/* K depends on the profile's parameter alone: where it vanishes on one meridian, it does on all. */
static wit_status cut_revolution(planner* p, wit_interval v)
{
    const wit_surface* s = p->f->surface;
    level_curves found;
    wit_interval u = iv(s->u.lo, s->u.lo + smaller(iv_width(s->u), 0.5));
    if (wi_level_trace(s, u, v, p->s->def->accuracy, &p->s->memory, &found)) return wi_split_no_memory(p->s);
    wit_status status = WIT_OK;
    p->s->report.touching += found.touching;
    if (found.unresolved > 0) report_doubt(p, found.doubt_u, found.doubt_v);
    for (int i = 0; i < found.curves.count && !status; ++i) {
        wit_curve_jet j;
        const wit_curve* c = *LIST_AT(wit_curve*, found.curves, i);
        wit_curve_eval(c, iv_mid(c->range), WIT_KNOT_DEFAULT, NULL, &j);
        status = cut_across(p, WIT_V, j.p.y);
    }
    if (!status && (found.zero_borders & 4) && v.lo > s->v.lo) status = cut_across(p, WIT_V, v.lo);
    wi_level_drop(&found);
    return status;
}

static wit_status cut_curvature(planner* p)
{
    const wit_surface* s = p->f->surface;
    int nu, nv;
    const double* bu = wit_surface_breaks(s, WIT_U, &nu);
    const double* bv = wit_surface_breaks(s, WIT_V, &nv);
    wit_status status = WIT_OK;
    if (s->kind == WIT_SURFACE_TORUS) { /* cos v = 0 */
        for (int k = -3; k <= 5 && !status; k += 2) {
            double v = k * (PI / 2);
            if (s->closed_v ? k == 1 || k == 3 : v > s->v.lo && v < s->v.hi) status = cut_across(p, WIT_V, v);
        }
    } else if (s->kind == WIT_SURFACE_REVOLUTION) {
        for (int j = 0; j + 1 < nv && !status; ++j) status = cut_revolution(p, iv(bv[j], bv[j + 1]));
    } else if (s->kind == WIT_SURFACE_NURBS) {
        for (int i = 0; i + 1 < nu; ++i)
            for (int j = 0; j + 1 < nv && !status; ++j)
                status = cut_cell(p, iv(bu[i], bu[i + 1]), iv(bv[j], bv[j + 1]));
    } /* the others have one sign of K everywhere, or K = 0 */
    return status;
}

/* ---- nice -------------------------------------------------------------------------------------- */

static bool outside(const planner* p, wit_interval u, wit_interval v)
{
    if (!p->face->trimmed) return false;
    trim_curves c = body_trim_curves(p->s->body, p->face);
    return wi_trim_classify(&p->face->trim, body_at(p->s->body, p->face->trim_block), &c, u, v) == TRIM_OUT;
}

typedef struct normal_grid {
    wit_vec3 n[GRID][GRID];
    bool known[GRID][GRID];
} normal_grid;

static void sample_normals(const planner* p, wit_interval u, wit_interval v, normal_grid* g)
{
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            /* Almost the border: on it, a crease would show the normal of the other side. */
            double x = u.lo + iv_width(u) * (1e-9 + (1 - 2e-9) * i / (GRID - 1));
            double y = v.lo + iv_width(v) * (1e-9 + (1 - 2e-9) * j / (GRID - 1));
            double in_x = u.lo + iv_width(u) * (i + 0.5) / GRID, in_y = v.lo + iv_width(v) * (j + 0.5) / GRID;
            if (p->face->trimmed) {
                x = in_x;
                y = in_y;
            }
            g->known[i][j] = wit_body_face_contains(p->s->body, p->f->face, in_x, in_y) &&
                             wit_surface_normal(p->f->surface, x, y, &g->n[i][j]);
        }
}

/* Middle of the smallest cap around the samples, by steps towards the farthest one, ever shorter. */
static bool hemisphere_axis(const normal_grid* g, wit_vec3* axis)
{
    wit_vec3 sum = {0, 0, 0};
    for (int i = 0; i < GRID * GRID; ++i)
        if (g->known[i / GRID][i % GRID]) sum = add3(sum, g->n[i / GRID][i % GRID]);
    *axis = unit3(sum);
    for (int step = 1; step <= 200; ++step) {
        double least = 2;
        wit_vec3 far = *axis;
        for (int i = 0; i < GRID * GRID; ++i) {
            if (!g->known[i / GRID][i % GRID]) continue;
            double c = dot3(*axis, g->n[i / GRID][i % GRID]);
            if (c < least) {
                least = c;
                far = g->n[i / GRID][i % GRID];
            }
        }
        if (least == 2) return false;
        *axis = unit3(addscaled3(*axis, 1.0 / (step + 1), sub3(far, *axis)));
    }
    return true;
}

typedef enum proof { PROVED, REFUTED, UNDECIDED } proof;

static proof prove_nice(planner* p, wit_interval u, wit_interval v, wit_vec3 axis, int depth)
{
    if (outside(p, u, v)) return PROVED;
    if (p->work-- <= 0) return UNDECIDED;
    wit_cone cone;
    if (wi_surface_normal_cone(p->f->surface, u, v, &cone)) {
        double off = wit_atan2(norm3(cross3(axis, cone.axis)), dot3(axis, cone.axis));
        if (off + cone.angle < PI / 2 - NICE_MARGIN) return PROVED;
    }
    wit_vec3 n;
    double um = iv_mid(u), vm = iv_mid(v);
    if (wit_surface_normal(p->f->surface, um, vm, &n) && dot3(n, axis) < NICE_MARGIN &&
        wit_body_face_contains(p->s->body, p->f->face, um, vm))
        return REFUTED;
    if (depth == PROOF_DEPTH) return UNDECIDED;
    for (int i = 0; i < 4; ++i) { /* one that is not proved decides: the box will be cut */
        proof r =
            prove_nice(p, i & 1 ? iv(um, u.hi) : iv(u.lo, um), i & 2 ? iv(vm, v.hi) : iv(v.lo, vm), axis, depth + 1);
        if (r != PROVED) return r;
    }
    return PROVED;
}

/* By how much the normal turns along u and along v, at most. */
static wit_direction more_turning(const normal_grid* g)
{
    double most[2] = {0, 0};
    for (int i = 0; i < GRID; ++i) {
        double turn[2] = {0, 0};
        for (int j = 0; j + 1 < GRID; ++j) {
            if (g->known[j][i] && g->known[j + 1][i]) turn[0] += norm3(sub3(g->n[j][i], g->n[j + 1][i]));
            if (g->known[i][j] && g->known[i][j + 1]) turn[1] += norm3(sub3(g->n[i][j], g->n[i][j + 1]));
        }
        for (int d = 0; d < 2; ++d) most[d] = larger(most[d], turn[d]);
    }
    return most[1] > most[0] * (1 + 1e-6) ? WIT_V : WIT_U;
}

static wit_status cut_nice(planner* p, wit_interval u, wit_interval v, int depth)
{
    wit_interval box[2] = {u, v};
    if (outside(p, u, v)) return WIT_OK;
    for (int d = 0; d < 2; ++d) /* lines that are cut anyway */
        for (int i = 0; i < p->lines[d].count; ++i) {
            double x = *LIST_AT(double, p->lines[d], i);
            if (!(x > box[d].lo && x < box[d].hi)) continue;
            wit_interval below = iv(box[d].lo, x), above = iv(x, box[d].hi);
            wit_status status = cut_nice(p, d == 0 ? below : u, d == 0 ? v : below, depth);
            return status ? status : cut_nice(p, d == 0 ? above : u, d == 0 ? v : above, depth);
        }
    normal_grid g;
    wit_vec3 axis;
    sample_normals(p, u, v, &g);
    proof r = PROVED;
    if (hemisphere_axis(&g, &axis)) r = prove_nice(p, u, v, axis, 0);
    if (r == PROVED) return WIT_OK;
    wit_direction d = more_turning(&g);
    if (depth == NICE_DEPTH || p->work <= 0) {
        p->s->report.not_nice += 1;
        return WIT_OK;
    }
    double m = iv_mid(box[d]);
    wit_interval other = box[1 - d];
    wit_status status = cut_line(p, d, m, other.lo, other.hi);
    wit_interval below = iv(box[d].lo, m), above = iv(m, box[d].hi);
    if (!status) status = cut_nice(p, d == WIT_U ? below : u, d == WIT_U ? v : below, depth + 1);
    if (!status) status = cut_nice(p, d == WIT_U ? above : u, d == WIT_U ? v : above, depth + 1);
    return status;
}

wit_status wi_split_find_cuts(splitter* s, split_face* f)
{
    planner p;
    memset(&p, 0, sizeof p);
    p.s = s;
    p.f = f;
    p.face = &body_faces(s->body)[f->face];
    p.work = NICE_WORK;
    wit_status status = WIT_OK;
    if (s->def->smooth) status = cut_knots(&p);
    if (!status && s->def->curvature) status = cut_curvature(&p);
    if (!status && s->def->nice) status = cut_nice(&p, f->window[0], f->window[1], 0);
    list_drop(&p.lines[0], sizeof(double), &s->memory);
    list_drop(&p.lines[1], sizeof(double), &s->memory);
    return status;
}
