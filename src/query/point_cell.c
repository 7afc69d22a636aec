/* SPDX-License-Identifier: MIT */
/*
 * With r = S - q, F = r.r / 2, along a step d from the middle c of a cell, |d_i| <= h_i:
 *
 *   g_i = r.S_i    H_ij = S_i.S_j + r.S_ij    D^3 F = r.D^3 S + 3 DS.D^2 S    (D: derivative along d)
 *
 * and with E1 >= |DS|, E2 >= |D^2 S|, E3 >= |D^3 S| over the cell, R = |r(c)| + E1:
 *
 *   |F(c + d) - F - g.d - d.H d / 2|   <=  (R E3 + 3 E1 E2) / 6
 *   |g_i(c + d) - g_i - (H d)_i|       <=  (R E3_i + 2 E1 E2_i + |S_i| E2) / 2
 *   |H_ij(c + d) - H_ij|               <=  R E3_ij + |S_i| E2_j + |S_j| E2_i + E1 |S_ij|
 *
 * where E2_i bounds |D S_i|, E3_i bounds |D^2 S_i| and E3_ij bounds |D S_ij|.
 *
 * A cell over which some g_i keeps its sign has no stationary place inside; its border is other cells, or edges and
 * vertices, which are cells of their own. A cell over which every H is positive definite has at most one, and one place of
 * it bounds all: see `resolve`.
 */
#include "point_cell.h"

#include <string.h>

#include "../base/solve.h"

#define ROUNDING (16 * DBL_EPSILON)

/* A jet, with bounds of its errors in rigorous mode (else zero). */
typedef struct noisy_jet {
    wit_surface_jet j;
    double p, d1[2], d2[3];
} noisy_jet;

/* F and its derivatives at one place. */
typedef struct local {
    double f, g[2], h[3];
    double f_noise, g_noise[2]; /* bounds of their errors; g_noise in rigorous mode only */
} local;

/* The cell's Taylor model and its remainders. */
typedef struct model {
    local at;
    double x[2], h[2];    /* middle and half widths */
    double f_rest;        /* of F, over the cell */
    double g_rest[2];     /* of g, beyond the linear part */
    double h_rest[3];     /* of H */
    double reach;         /* R */
} model;

/* ---- jets ---------------------------------------------------------------------------------- */

static inline void plain_jet(point_run* s, wit_feature_kind kind, int id, const double x[2], unsigned which,
                             wit_surface_jet* out)
{
    ++s->work.jets;
    if (kind == WIT_FACE) {
        wit_surface_eval(body_surface(s->body, id), x[0], x[1], which, &s->hint, out);
        return;
    }
    wit_curve_jet c;
    wit_curve_eval(body_curve(s->body, id), x[0], which & WIT_SIDE_T_BELOW, NULL, &c);
    wit_surface_jet j = {.p = c.p, .du = c.d1, .duu = c.d2};
    *out = j;
}

/* At its upper ends a cell has the polynomial from below. */
static inline unsigned cell_side(const point_cell* c, const double x[2])
{
    return (x[0] >= c->hi[0] ? WIT_SIDE_U_BELOW : 0U) | (x[1] >= c->hi[1] ? WIT_SIDE_V_BELOW : 0U);
}

/* The middle of an enclosure and its radius; rounding of the two counted. */
static wit_vec3 enclosed(const wit_interval d[3], double* radius)
{
    wit_vec3 m = vec3(iv_mid(d[0]), iv_mid(d[1]), iv_mid(d[2]));
    wit_vec3 w = vec3(iv_width(d[0]), iv_width(d[1]), iv_width(d[2]));
    *radius = 0.5 * norm3(w) * (1 + ROUNDING) + 2 * DBL_EPSILON * norm3(m);
    return m;
}

static void enclosed_jet(point_run* s, wit_feature_kind kind, int id, const double x[2], noisy_jet* out)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    ++s->work.jets;
    noisy_jet n = {.p = 0};
    if (kind == WIT_FACE) {
        surface_enclosure e;
        surface_enclose(body_surface(s->body, id), iv_point(x[0]), iv_point(x[1]), axes, &e);
        n.j.p = enclosed(e.d[D00], &n.p);
        n.j.du = enclosed(e.d[D10], &n.d1[0]);
        n.j.dv = enclosed(e.d[D01], &n.d1[1]);
        n.j.duu = enclosed(e.d[D20], &n.d2[0]);
        n.j.duv = enclosed(e.d[D11], &n.d2[1]);
        n.j.dvv = enclosed(e.d[D02], &n.d2[2]);
    } else {
        curve_enclosure e;
        curve_enclose(body_curve(s->body, id), iv_point(x[0]), axes, &e);
        n.j.p = enclosed(e.d[0], &n.p);
        n.j.du = enclosed(e.d[1], &n.d1[0]);
        n.j.duu = enclosed(e.d[2], &n.d2[0]);
    }
    *out = n;
}

/* F, g and H from a jet. An edge gets H_vv = 1, so that it is definite in the direction it lacks. */
static inline void localize(const point_run* s, wit_feature_kind kind, const wit_surface_jet* j, local* l)
{
    wit_vec3 r = sub3(j->p, s->q);
    l->f = 0.5 * dot3(r, r);
    l->f_noise = l->g_noise[0] = l->g_noise[1] = 0;
    l->g[0] = dot3(r, j->du);
    l->h[0] = dot3(j->du, j->du) + dot3(r, j->duu);
    if (kind != WIT_FACE) {
        l->g[1] = l->h[1] = 0;
        l->h[2] = 1;
        return;
    }
    l->g[1] = dot3(r, j->dv);
    l->h[1] = dot3(j->du, j->dv) + dot3(r, j->duv);
    l->h[2] = dot3(j->dv, j->dv) + dot3(r, j->dvv);
}

/* Errors of F and g: of the jet, and a few roundings of what is added up. */
static void localize_noise(const noisy_jet* n, const double d1[2], local* l)
{
    double r = sqrt(2 * l->f) * (1 + ROUNDING) + n->p;
    l->f_noise = r * n->p + ROUNDING * r * r;
    for (int i = 0; i < 2; ++i)
        l->g_noise[i] = n->p * (d1[i] + n->d1[i]) + r * n->d1[i] + ROUNDING * r * (d1[i] + n->d1[i]);
}

/* ---- upper bounds -------------------------------------------------------------------------- */

/*
 * Among places nearer together than a loose tolerance the nearest is found as well while that is cheap: up to EAGER nodes
 * the tolerance is at most EAGER_TOLERANCE. A quarter of the rounding floor is set aside for the end.
 */
enum { EAGER = 256 };
#define EAGER_TOLERANCE 1e-10

void point_keep(point_run* s)
{
    const search_task* t = s->task;
    double distance = sqrt(s->best.square), width = task_tolerance(t, distance);
    if (s->eager && t->tolerance > EAGER_TOLERANCE) width = larger(t->floor, width * (EAGER_TOLERANCE / t->tolerance));
    double keep = distance < INFINITY ? distance - (width - 0.25 * t->floor) : INFINITY;
    s->keep = keep > 0 ? square_of(smaller(keep, t->within)) : 0;
}

void point_relax(point_run* s)
{
    if (!s->eager || s->work.nodes < EAGER) return;
    s->eager = false;
    point_keep(s);
}

bool point_offer(point_run* s, wit_feature_kind kind, int id, double u, double v, double square)
{
    if (!(square < s->best.square)) return false;
    if (kind == WIT_FACE && !side_contains(&s->task->a, kind, id, u, v)) return false;
    s->best = (point_best){square, kind, id, u, v};
    point_keep(s);
    return true;
}

/*
 * Where H is not definite: in lengths, h = [a b; b c] with eigenvectors v_k, the step -sum (g.v_k) / max(|lambda_k|, least)
 * v_k leaves saddles and goes along valleys.
 */
static void valley_step(const local* l, const double metric[3], double d[2])
{
    double su = metric[0] > 0 ? 1 / sqrt(metric[0]) : 0, sv = metric[2] > 0 ? 1 / sqrt(metric[2]) : 0;
    double a = l->h[0] * su * su, b = l->h[1] * su * sv, c = l->h[2] * sv * sv;
    double half = 0.5 * (a - c), root = sqrt(half * half + b * b), mean = 0.5 * (a + c);
    /* the eigenvector of the larger value, from the row that does not cancel */
    double x = half >= 0 ? half + root : b, y = half >= 0 ? b : root - half, n = sqrt(x * x + y * y);
    if (n > 0)
        x /= n, y /= n;
    else
        x = 1, y = 0;
    double g = l->g[0] * su, h = l->g[1] * sv, high = fabs(mean + root), low = fabs(mean - root);
    double least = larger(1e-4 * larger(high, low), DBL_MIN);
    double along = -(g * x + h * y) / larger(high, least), across = -(h * x - g * y) / larger(low, least);
    d[0] = su * (along * x - across * y);
    d[1] = sv * (along * y + across * x);
}

/*
 * A descent step for F within lo <= x <= hi: Newton's where H is definite over the free parameters. Parameters at a bound
 * with g pushing out are held. Returns -g.d, twice the gain that a quadratic F would have.
 */
static double bounded_newton(const local* l, const double metric[3], const double x[2], const double lo[2],
                             const double hi[2], double d[2])
{
    const double *g = l->g, *h = l->h;
    bool held[2];
    for (int i = 0; i < 2; ++i) held[i] = (x[i] <= lo[i] && g[i] >= 0) || (x[i] >= hi[i] && g[i] <= 0);
    d[0] = d[1] = 0;
    if (!held[0] && !held[1]) {
        double det = h[0] * h[2] - h[1] * h[1];
        if (h[0] > 0 && h[2] > 0 && det > 1e-6 * h[0] * h[2]) {
            d[0] = (h[1] * g[1] - h[2] * g[0]) / det;
            d[1] = (h[1] * g[0] - h[0] * g[1]) / det;
        } else {
            valley_step(l, metric, d);
        }
    } else {
        for (int i = 0; i < 2; ++i) {
            double bend = larger(fabs(h[2 * i]), 1e-4 * metric[2 * i]);
            if (!held[i] && bend > 0) d[i] = -g[i] / bend;
        }
    }
    /* cut at the bounds; what one parameter can't do the other is solved for again */
    for (int i = 0; i < 2; ++i) {
        double to = x[i] + d[i];
        if (to >= lo[i] && to <= hi[i]) continue;
        d[i] = (to < lo[i] ? lo[i] : hi[i]) - x[i];
        int k = 1 - i;
        if (held[k] || !(h[2 * k] > 0)) continue;
        double again = x[k] - (g[k] + h[1] * d[i]) / h[2 * k];
        again = again < lo[k] ? lo[k] : again > hi[k] ? hi[k] : again;
        d[k] = again - x[k];
    }
    return -(g[0] * d[0] + g[1] * d[1]);
}

static void metric_of(wit_feature_kind kind, const wit_surface_jet* j, double m[3])
{
    m[0] = dot3(j->du, j->du);
    m[1] = kind == WIT_FACE ? dot3(j->du, j->dv) : 0;
    m[2] = kind == WIT_FACE ? dot3(j->dv, j->dv) : 1;
}

/* Where the parameters of a feature may run: a closed one anywhere. */
static void feature_bounds(const point_run* s, wit_feature_kind kind, int id, wit_interval range[2], bool closed[2],
                           double lo[2], double hi[2])
{
    side_range(&s->task->a, kind, id, range, closed);
    for (int i = 0; i < 2; ++i) {
        lo[i] = closed[i] ? -INFINITY : range[i].lo;
        hi[i] = closed[i] ? INFINITY : range[i].hi;
    }
}

static double wrapped(double x, wit_interval range)
{
    double period = iv_width(range);
    if (x >= range.lo && x <= range.hi) return x;
    x -= period * floor((x - range.lo) / period);
    return x < range.lo ? range.lo : x > range.hi ? range.hi : x;
}

void point_descend(point_run* s, wit_feature_kind kind, int id, double u, double v, double gain)
{
    enum { STEPS = 24, HALVINGS = 8 };
    wit_interval range[2];
    bool closed[2];
    double lo[2], hi[2], x[2] = {u, v}, from[2] = {u, v}, f = INFINITY;
    int halvings = 0;
    feature_bounds(s, kind, id, range, closed, lo, hi);
    ++s->work.solves;
    for (int k = 0; k < STEPS; ++k) {
        wit_surface_jet j;
        local l;
        plain_jet(s, kind, id, x, WIT_SIDE_DEFAULT, &j);
        localize(s, kind, &j, &l);
        if (!(l.f < f)) { /* no gain: back half way */
            if (++halvings > HALVINGS || gain == 0) break;
            for (int i = 0; i < 2; ++i) x[i] = 0.5 * (x[i] + from[i]);
            continue;
        }
        f = l.f;
        from[0] = x[0], from[1] = x[1];
        double metric[3], d[2];
        metric_of(kind, &j, metric);
        double twice = bounded_newton(&l, metric, x, lo, hi, d);
        if (!(twice > 0) || twice * twice <= gain * gain * 8 * f) break; /* twice / 2 <= gain * distance */
        x[0] += d[0], x[1] += d[1];
    }
    for (int i = 0; i < 2; ++i)
        if (closed[i]) from[i] = wrapped(from[i], range[i]);
    point_offer(s, kind, id, from[0], from[1], 2 * f);
}

/* ---- the model of a cell ------------------------------------------------------------------- */

/* What is known of the derivatives at the middle sharpens the bounds of the cell: |S_i| <= |S_i(c)| + E2_i and so on. */
static void sharpen(point_cell* c, const noisy_jet* n, const double e2[2], const double e3[3])
{
    const wit_surface_jet* j = &n->j;
    c->d1[0] = smaller(c->d1[0], (norm3(j->du) + n->d1[0] + e2[0]) * (1 + ROUNDING));
    c->d1[1] = smaller(c->d1[1], (norm3(j->dv) + n->d1[1] + e2[1]) * (1 + ROUNDING));
    c->d2[0] = smaller(c->d2[0], (norm3(j->duu) + n->d2[0] + e3[0]) * (1 + ROUNDING));
    c->d2[1] = smaller(c->d2[1], (norm3(j->duv) + n->d2[1] + e3[1]) * (1 + ROUNDING));
    c->d2[2] = smaller(c->d2[2], (norm3(j->dvv) + n->d2[2] + e3[2]) * (1 + ROUNDING));
}

/* Errors of H at a place, r away at most, that come from its jet and from arithmetic; added to rest. */
static void hessian_noise(const point_cell* c, const noisy_jet* n, double r, double rest[3])
{
    const double *d1 = c->d1, *d2 = c->d2, a = d1[0] + n->d1[0], b = d1[1] + n->d1[1];
    double product[3] = {a * a, a * b, b * b};
    double error[3] = {2 * a * n->d1[0], a * n->d1[1] + b * n->d1[0], 2 * b * n->d1[1]};
    for (int i = 0; i < 3; ++i)
        rest[i] += error[i] + (r + n->p) * n->d2[i] + n->p * d2[i] +
                   ROUNDING * (product[i] + r * (d2[i] + n->d2[i]) + rest[i]);
}

/* Errors of the jet and of the arithmetic are added to the remainders. */
static void count_rounding(const point_cell* c, const noisy_jet* n, model* m)
{
    const double* h = m->h;
    double at[3] = {0, 0, 0}, r = m->reach + n->p;
    localize_noise(n, c->d1, &m->at);
    hessian_noise(c, n, r, at);
    for (int i = 0; i < 3; ++i) m->h_rest[i] = m->h_rest[i] * (1 + ROUNDING) + at[i];
    for (int i = 0; i < 2; ++i) {
        double linear = h[i] * at[2 * i] + h[1 - i] * at[1];
        m->g_rest[i] = m->g_rest[i] * (1 + ROUNDING) + m->at.g_noise[i] + linear + ROUNDING * r * c->d1[i];
    }
    m->f_rest = m->f_rest * (1 + ROUNDING) + m->at.f_noise + h[0] * m->at.g_noise[0] + h[1] * m->at.g_noise[1] +
                0.5 * (h[0] * h[0] * at[0] + 2 * h[0] * h[1] * at[1] + h[1] * h[1] * at[2]);
}

/* How far H may be from its value at the place that e1, e2i, e3ij belong to. */
static void hessian_rest(const point_cell* c, double reach, double e1, const double e2i[2],
                         const double e3ij[3], double rest[3])
{
    const double *d1 = c->d1, *d2 = c->d2;
    rest[0] = reach * e3ij[0] + 2 * d1[0] * e2i[0] + e1 * d2[0];
    rest[1] = reach * e3ij[1] + d1[0] * e2i[1] + d1[1] * e2i[0] + e1 * d2[1];
    rest[2] = reach * e3ij[2] + 2 * d1[1] * e2i[1] + e1 * d2[2];
}

/*
 * False if the middle alone shows that the cell is far: *bound. The arithmetic of the model adds up terms of at most
 * 2 R^2 + R E2.
 */
static bool model_of(point_run* s, point_cell* c, model* m, double* bound)
{
    noisy_jet n;
    n.p = n.d1[0] = n.d1[1] = n.d2[0] = n.d2[1] = n.d2[2] = 0;
    for (int i = 0; i < 2; ++i) {
        m->x[i] = 0.5 * (c->lo[i] + c->hi[i]);
        m->h[i] = larger(c->hi[i] - m->x[i], m->x[i] - c->lo[i]) * (1 + 2 * DBL_EPSILON);
    }
    if (s->rigorous)
        enclosed_jet(s, (wit_feature_kind)c->kind, c->feature, m->x, &n);
    else
        plain_jet(s, (wit_feature_kind)c->kind, c->feature, m->x, WIT_SIDE_DEFAULT, &n.j);
    localize(s, (wit_feature_kind)c->kind, &n.j, &m->at);
    const double u = m->h[0], v = m->h[1], *d3 = c->d3, *d2 = c->d2, *d1 = c->d1;
    double distance = sqrt(2 * m->at.f);
    double e1 = u * d1[0] + v * d1[1], near = distance * (1 - ROUNDING) - e1 * (1 + ROUNDING) - n.p;
    if (near > 0 && near * near > *bound) *bound = near * near;
    if (*bound >= s->keep) return false;
    double e3ij[3] = {u * d3[0] + v * d3[1], u * d3[1] + v * d3[2], u * d3[2] + v * d3[3]};
    double e2i[2] = {u * d2[0] + v * d2[1], u * d2[1] + v * d2[2]};
    sharpen(c, &n, e2i, e3ij);
    e1 = u * d1[0] + v * d1[1];
    e2i[0] = u * d2[0] + v * d2[1], e2i[1] = u * d2[1] + v * d2[2];
    double e2 = u * e2i[0] + v * e2i[1], reach = m->reach = distance + e1;
    double e3i[2] = {u * e3ij[0] + v * e3ij[1], u * e3ij[1] + v * e3ij[2]};
    double e3 = u * e3i[0] + v * e3i[1];
    m->f_rest = (reach * e3 + 3 * e1 * e2) / 6 + ROUNDING * reach * (2 * reach + e2);
    m->g_rest[0] = 0.5 * (reach * e3i[0] + 2 * e1 * e2i[0] + d1[0] * e2);
    m->g_rest[1] = 0.5 * (reach * e3i[1] + 2 * e1 * e2i[1] + d1[1] * e2);
    hessian_rest(c, reach, e1, e2i, e3ij, m->h_rest);
    if (s->rigorous) count_rounding(c, &n, m);
    return true;
}

/* The least of a t^2 / 2 + b t over |t| <= h. */
static double least_along(double a, double b, double h)
{
    b = fabs(b);
    return a * h > b ? -0.5 * b * b / a : (0.5 * a * h - b) * h;
}

/* The least of g.d + d.H d / 2 over the cell, and where. Inside it only where H is definite, else on the border. */
static double least_quadratic(const local* l, const double h[2], double d[2])
{
    const double *g = l->g, *H = l->h;
    double det = H[0] * H[2] - H[1] * H[1];
    if (H[0] > 0 && det > 0) {
        double x = (H[1] * g[1] - H[2] * g[0]) / det, y = (H[1] * g[0] - H[0] * g[1]) / det;
        if (fabs(x) <= h[0] && fabs(y) <= h[1]) {
            d[0] = x, d[1] = y;
            return 0.5 * (g[0] * x + g[1] * y);
        }
    }
    double least = INFINITY;
    for (int i = 0; i < 2; ++i) {
        int k = 1 - i;
        for (int sign = -1; sign <= 1; sign += 2) { /* the side d_i = sign h_i */
            double at = sign * h[i], slope = g[k] + H[1] * at, a = H[2 * k];
            double f = (g[i] + 0.5 * H[2 * i] * at) * at + least_along(a, slope, h[k]);
            if (!(f < least)) continue;
            least = f;
            d[i] = at;
            d[k] = a * h[k] > fabs(slope) ? -slope / a : slope > 0 ? -h[k] : h[k];
        }
    }
    return least;
}

/* ---- cells that are done with -------------------------------------------------------------- */

static double face_tolerance(const point_run* s, int face)
{
    const body_face* f = &body_faces(s->body)[face];
    const body_loop* loops = body_loops(s->body) + f->first_loop;
    double largest = 0;
    for (int l = 0; l < f->loops; ++l)
        for (int k = 0; k < loops[l].uses; ++k) {
            int edge = body_uses(s->body)[loops[l].first_use + k].edge;
            if (edge >= 0) largest = larger(largest, body_edges(s->body)[edge].tolerance);
        }
    return largest;
}

static bool at_border(const point_cell* c, const body_face* f)
{
    return c->tag == TRIM_MIXED || c->lo[0] <= f->u.lo || c->hi[0] >= f->u.hi || c->lo[1] <= f->v.lo ||
           c->hi[1] >= f->v.hi;
}

/*
 * No stationary place inside. The nearest place of the cell, if it matters, is on the border of the face, for which the
 * edges stand, or at the end of an edge, for which its vertex stands: each up to the stored tolerance.
 */
static void cull(point_run* s, const point_cell* c, double bound)
{
    double tolerance = 0;
    if (c->kind == WIT_FACE) {
        if (!(s->body->tolerance > 0)) return;
        if (at_border(c, &body_faces(s->body)[c->feature])) tolerance = face_tolerance(s, c->feature);
    } else {
        const body_edge* e = &body_edges(s->body)[c->feature];
        if (c->lo[0] <= e->range.lo && e->start >= 0) tolerance = body_vertices(s->body)[e->start].tolerance;
        if (c->hi[0] >= e->range.hi && e->end >= 0)
            tolerance = larger(tolerance, body_vertices(s->body)[e->end].tolerance);
    }
    if (!(tolerance > 0)) return;
    s->border_least = smaller(s->border_least, bound);
    s->border_tolerance = larger(s->border_tolerance, tolerance);
}

/* Borders of an unbounded face are no edges: nothing stands for them. */
static bool may_cull(const point_run* s, const point_cell* c)
{
    return c->kind == WIT_EDGE || !body_faces(s->body)[c->feature].unbounded;
}

static bool monotone(const model* m)
{
    const local* l = &m->at;
    return fabs(l->g[0]) > m->h[0] * fabs(l->h[0]) + m->h[1] * fabs(l->h[1]) + m->g_rest[0] ||
           fabs(l->g[1]) > m->h[0] * fabs(l->h[1]) + m->h[1] * fabs(l->h[2]) + m->g_rest[1];
}

/*
 * Definite over the cell: with a_i = H_ii - rest and b = |H_uv| + rest, d.H d >= a_u d_u^2 + a_v d_v^2 - 2 b |d_u d_v| >=
 * (1 - b / sqrt(a_u a_v)) (a_u d_u^2 + a_v d_v^2) = sum of mu_i d_i^2.
 */
static bool definite(const point_cell* c, const double H[3], const double rest[3], double mu[2])
{
    double a = H[0] - rest[0], v = c->kind == WIT_FACE ? H[2] - rest[2] : 1;
    double b = c->kind == WIT_FACE ? fabs(H[1]) + rest[1] : 0;
    if (!(a > 0 && v > 0 && b * b < 0.9 * a * v)) return false;
    double share = (1 - b / sqrt(a * v)) * (1 - ROUNDING);
    mu[0] = share * a;
    mu[1] = share * v;
    return true;
}

/* ---- cells where F is convex --------------------------------------------------------------- */

typedef struct convex_cell {
    point_cell* cell;
    const model* model;
    double mu[2];
    double bound; /* best so far, squared */
} convex_cell;

typedef enum verdict { OPEN, FAR, NO_MINIMUM } verdict;

/* The greatest that -(g t + mu t^2 / 2) can be for lo <= t <= hi, |error of g| <= noise; lo <= 0 <= hi. */
static double drop_along(double g, double noise, double mu, double lo, double hi)
{
    double down = larger(0, g + noise), up = larger(0, noise - g); /* towards lo, towards hi */
    double a = -least_along(mu, down, -lo), b = -least_along(mu, up, hi);
    return larger(a, b);
}

/*
 * From one place x of the cell, F(y) >= F(x) + g.(y - x) + sum mu_i (y_i - x_i)^2 / 2.
 *
 * No minimum: let y be stationary. Then -g.(y - x) >= sum mu_i (y_i - x_i)^2. With x held at a bound in b, g_b pushing out,
 * and the other parameter f free, |y_f - x_f| <= e = |g_f| / mu_f and |g_b| |y_b - x_b| <= |g_f| e, so g_b differs at y from
 * its value at x by at most H_bb |g_f| e / |g_b| + H_bf e: if that is below |g_b|, y is not stationary.
 */
static verdict judge(const point_run* s, convex_cell* k, const double x[2], const local* l)
{
    const point_cell* c = k->cell;
    double drop = l->f_noise;
    for (int i = 0; i < 2; ++i) drop += drop_along(l->g[i], l->g_noise[i], k->mu[i], c->lo[i] - x[i], c->hi[i] - x[i]);
    double bound = 2 * (l->f - drop) * (1 - ROUNDING);
    if (bound > k->bound) k->bound = bound;
    if (k->bound >= s->keep) return FAR;
    if (!may_cull(s, c)) return OPEN;
    for (int b = 0; b < (c->kind == WIT_FACE ? 2 : 1); ++b) {
        int f = 1 - b;
        double g = fabs(l->g[b]) - l->g_noise[b];
        bool held = (x[b] <= c->lo[b] && l->g[b] > 0) || (x[b] >= c->hi[b] && l->g[b] < 0);
        if (!held || !(g > 0)) continue;
        bool corner = (x[f] <= c->lo[f] && l->g[f] > l->g_noise[f]) || (x[f] >= c->hi[f] && l->g[f] < -l->g_noise[f]);
        double free = corner || c->kind != WIT_FACE ? 0 : fabs(l->g[f]) + l->g_noise[f], e = free / k->mu[f];
        const double *H = k->model->at.h, *rest = k->model->h_rest;
        if (g * g > (H[2 * b] + rest[2 * b]) * free * e + (fabs(H[1]) + rest[1]) * e * g) return NO_MINIMUM;
    }
    return OPEN;
}

/* The same with all errors counted, from a place just inside, since at a knot both sides would be enclosed. */
static verdict judge_rigorously(point_run* s, convex_cell* k, const double at[2], verdict plain)
{
    const point_cell* c = k->cell;
    noisy_jet n;
    local l;
    double x[2];
    for (int i = 0; i < 2; ++i) {
        double room = plain == NO_MINIMUM ? 0 : 0x1p-30 * (c->hi[i] - c->lo[i]);
        x[i] = smaller(larger(at[i], c->lo[i] + room), c->hi[i] - room);
    }
    k->bound = 0;
    enclosed_jet(s, (wit_feature_kind)c->kind, c->feature, x, &n);
    localize(s, (wit_feature_kind)c->kind, &n.j, &l);
    localize_noise(&n, c->d1, &l);
    return judge(s, k, x, &l);
}

/* The stationary place of a convex cell of a trimmed face lies outside the trims: nothing of the cell but its border. */
static bool trimmed_away(const point_run* s, const convex_cell* k, const double x[2], const local* l)
{
    if (k->cell->tag != TRIM_MIXED) return false;
    const body_face* f = &body_faces(s->body)[k->cell->feature];
    trim_curves curves = body_trim_curves(s->body, f);
    wit_interval box[2];
    for (int i = 0; i < 2; ++i) {
        double room = 2 * (fabs(l->g[i]) + l->g_noise[i]) / k->mu[i] + 0x1p-40 * (k->cell->hi[i] - k->cell->lo[i]);
        box[i] = iv(x[i] - room, x[i] + room);
    }
    return trim_classify(&f->trim, body_at(s->body, f->trim_block), &curves, box[0], box[1]) == TRIM_OUT;
}

/* Newton within the cell until the verdict. True: still open. */
static bool resolve(point_run* s, convex_cell* k, const double start[2])
{
    enum { STEPS = 10 };
    const point_cell* c = k->cell;
    wit_feature_kind kind = (wit_feature_kind)c->kind;
    double x[2];
    for (int i = 0; i < 2; ++i) x[i] = smaller(larger(start[i], c->lo[i]), c->hi[i]);
    ++s->work.solves;
    for (int step = 0; step < STEPS; ++step) {
        wit_surface_jet j;
        local l;
        double metric[3], d[2];
        plain_jet(s, kind, c->feature, x, cell_side(c, x), &j);
        localize(s, kind, &j, &l);
        point_offer(s, kind, c->feature, x[0], x[1], 2 * l.f);
        verdict v = judge(s, k, x, &l);
        metric_of(kind, &j, metric);
        double twice = bounded_newton(&l, metric, x, c->lo, c->hi, d);
        /* past this the step changes F by less than its rounding */
        bool solved = !(twice > 0) || twice <= 4 * DBL_EPSILON * l.f, last = v == OPEN && (solved || step == STEPS - 1);
        if (last && trimmed_away(s, k, x, &l)) v = NO_MINIMUM;
        if (s->rigorous && (v != OPEN || last)) {
            bool away = last && v == NO_MINIMUM;
            v = judge_rigorously(s, k, x, v);
            if (away && v == OPEN) v = NO_MINIMUM;
            last = true;
        }
        if (v == OPEN && last && solved) v = FAR; /* as far as it is, to rounding: halves would be no farther */
        if (v == FAR) run_drop(s, k->bound);
        if (v == NO_MINIMUM) cull(s, c, k->bound);
        if (v != OPEN) return false;
        if (last) return true;
        x[0] += d[0], x[1] += d[1];
    }
    return true;
}

/*
 * A cell that holds the nearest place x so far: from there |F(x + d) - F - g.d - d.H d / 2| <= sum |d_i| |d_j| rest_ij / 6, so
 * a third of the remainder of H is to be borne, where convexity has to bear all of it. True: far.
 */
static bool witness_bounds(point_run* s, point_cell* c, double* bound)
{
    const point_best* b = &s->best;
    if (b->kind != c->kind || b->id != c->feature || !(b->square < INFINITY)) return false;
    double x[2] = {b->u, b->v}, h[2];
    for (int i = 0; i < 2; ++i) {
        if (!(x[i] >= c->lo[i] && x[i] <= c->hi[i])) return false;
        h[i] = larger(c->hi[i] - x[i], x[i] - c->lo[i]) * (1 + 2 * DBL_EPSILON);
    }
    noisy_jet n;
    local l;
    n.p = n.d1[0] = n.d1[1] = n.d2[0] = n.d2[1] = n.d2[2] = 0;
    if (s->rigorous)
        enclosed_jet(s, b->kind, b->id, x, &n);
    else
        plain_jet(s, b->kind, b->id, x, cell_side(c, x), &n.j);
    localize(s, b->kind, &n.j, &l);
    const double u = h[0], v = h[1], *d1 = c->d1, *d2 = c->d2, *d3 = c->d3;
    double e3ij[3] = {u * d3[0] + v * d3[1], u * d3[1] + v * d3[2], u * d3[2] + v * d3[3]};
    double e2i[2] = {u * d2[0] + v * d2[1], u * d2[1] + v * d2[2]}, e1 = u * d1[0] + v * d1[1], mu[2];
    double reach = sqrt(2 * l.f) + e1, rest[3];
    hessian_rest(c, reach, e1, e2i, e3ij, rest);
    for (int i = 0; i < 3; ++i) rest[i] *= (1 + ROUNDING) / 3;
    if (s->rigorous) {
        localize_noise(&n, d1, &l);
        hessian_noise(c, &n, reach, rest);
    }
    if (!definite(c, l.h, rest, mu)) return false;
    double drop = l.f_noise;
    for (int i = 0; i < 2; ++i) drop += drop_along(l.g[i], l.g_noise[i], mu[i], c->lo[i] - x[i], c->hi[i] - x[i]);
    double low = 2 * (l.f - drop) * (1 - ROUNDING);
    if (low > *bound) *bound = low;
    return *bound >= s->keep;
}

/* ---- the cell ------------------------------------------------------------------------------ */

static void choose_split(point_cell* c, const model* m)
{
    double u = m->h[0] * m->g_rest[0], v = m->h[1] * m->g_rest[1];
    if (u == v) u = m->h[0] * c->d1[0], v = m->h[1] * c->d1[1];
    c->split = c->kind == WIT_FACE && v > u;
}

bool point_examine(point_run* s, point_cell* c, double bound, double* out)
{
    model m;
    wit_feature_kind kind = (wit_feature_kind)c->kind;
    ++s->work.nodes;
    *out = bound;
    if (!model_of(s, c, &m, out)) {
        run_drop(s, *out);
        return false;
    }
    if (may_cull(s, c) && monotone(&m)) {
        cull(s, c, *out);
        return false;
    }
    double d[2], least = m.at.f + least_quadratic(&m.at, m.h, d), low = 2 * (least - m.f_rest);
    double start[2] = {m.x[0] + d[0], m.x[1] + d[1]};
    if (low > *out) *out = low;
    if (*out >= s->keep) {
        run_drop(s, *out);
        return false;
    }
    convex_cell k = {.cell = c, .model = &m, .bound = *out};
    bool is_convex = definite(c, m.at.h, m.h_rest, k.mu);
    if (!is_convex && 2 * least < 0.99 * s->best.square) {
        double gain = s->best.square < INFINITY ? 0.02 * task_tolerance(s->task, sqrt(s->best.square)) : 0;
        gain = larger(gain, 0.02 * task_tolerance(s->task, 0));
        point_descend(s, kind, c->feature, start[0], start[1], gain);
        if (*out >= s->keep) {
            run_drop(s, *out);
            return false;
        }
    }
    if (witness_bounds(s, c, out)) {
        run_drop(s, *out);
        return false;
    }
    if (is_convex) {
        if (!resolve(s, &k, start)) return false;
        *out = larger(*out, k.bound);
    }
    choose_split(c, &m);
    return true;
}

/* ---- the end ------------------------------------------------------------------------------- */

/* What is known at a settled place. */
typedef struct settled {
    local l;
    double metric[3];
    double lo[2], hi[2];
    wit_interval range[2];
} settled;

/* Newton's steps while they shrink: F alone, flat at its minimum, would leave half of the digits of the place. */
static void settle(point_run* s, settled* at)
{
    enum { STEPS = 12 };
    const point_best b = s->best;
    bool closed[2];
    double x[2] = {b.u, b.v}, length = INFINITY;
    feature_bounds(s, b.kind, b.id, at->range, closed, at->lo, at->hi);
    for (int k = 0; k < STEPS; ++k) {
        wit_surface_jet j;
        local l;
        double metric[3], d[2];
        plain_jet(s, b.kind, b.id, x, WIT_SIDE_DEFAULT, &j);
        localize(s, b.kind, &j, &l);
        if (k > 0 && 2 * l.f > b.square * (1 + 64 * DBL_EPSILON) + square_of(s->task->floor)) break;
        double to[2];
        for (int i = 0; i < 2; ++i) to[i] = closed[i] ? wrapped(x[i], at->range[i]) : x[i];
        if (k > 0 && !side_contains(&s->task->a, b.kind, b.id, to[0], to[1])) break;
        metric_of(b.kind, &j, metric);
        s->best = (point_best){2 * l.f, b.kind, b.id, to[0], to[1]};
        at->l = l;
        memcpy(at->metric, metric, sizeof metric);
        bounded_newton(&l, metric, x, at->lo, at->hi, d);
        double next = fabs(d[0]) * sqrt(metric[0]) + fabs(d[1]) * sqrt(metric[2]);
        if (!(next < 0.5 * length) || next <= 0.125 * s->task->floor) break;
        length = next;
        x[0] += d[0], x[1] += d[1];
    }
}

/* From a pole, where parameter i turns about it: eight ways out. */
static void leave_pole(point_run* s, const settled* at, int i, double step, double gain)
{
    const point_best b = s->best;
    const int k = 1 - i;
    double off = step / sqrt(at->metric[2 * k]), inner = k == 0 ? b.u : b.v;
    inner += inner - at->range[k].lo > at->range[k].hi - inner ? -off : off;
    for (int n = 0; n < 8; ++n) {
        double around = at->range[i].lo + iv_width(at->range[i]) * n / 8;
        point_descend(s, b.kind, b.id, i == 0 ? around : inner, i == 0 ? inner : around, gain);
    }
}

/* Downhill from a place that is no minimum, along the direction in which F bends down most, in lengths. */
static void leave_saddle(point_run* s, const settled* at, double step, double gain)
{
    const point_best b = s->best;
    const double x[2] = {b.u, b.v}, *h = at->l.h, a = sqrt(at->metric[0]), c = sqrt(at->metric[2]);
    for (int i = 0; i < 2; ++i)
        if (x[i] <= at->lo[i] || x[i] >= at->hi[i]) return;
    double H[4] = {h[0] / (a * a), h[1] / (a * c), h[1] / (a * c), h[2] / (c * c)}, values[2], vectors[4];
    if (!eigen_symmetric(2, H, values, vectors) || values[0] >= -1e-9) return;
    for (int sign = -1; sign <= 1; sign += 2) {
        double u = b.u + sign * step * vectors[0] / a, v = b.v + sign * step * vectors[1] / c;
        u = smaller(larger(u, at->lo[0]), at->hi[0]), v = smaller(larger(v, at->lo[1]), at->hi[1]);
        point_descend(s, b.kind, b.id, u, v, gain);
    }
}

void point_polish(point_run* s)
{
    enum { ROUNDS = 4 };
    double gain = 1e-3 * task_tolerance(s->task, sqrt(s->best.square)), step = 1e-3 * s->body->size;
    for (int round = 0; round < ROUNDS; ++round) {
        if (s->best.kind != WIT_FACE && s->best.kind != WIT_EDGE) return;
        settled at;
        settle(s, &at);
        const double *h = at.l.h, before = s->best.square;
        if (s->best.kind != WIT_FACE || (h[0] > 0 && h[2] > 0 && h[0] * h[2] > h[1] * h[1])) return;
        const wit_surface* surface = body_surface(s->body, s->best.id);
        bool pole_u = at.metric[0] <= 1e-12 * square_of(surface->speed_u);
        bool pole_v = at.metric[2] <= 1e-12 * square_of(surface->speed_v);
        if (pole_u != pole_v)
            leave_pole(s, &at, pole_u ? 0 : 1, step, gain);
        else if (!pole_u)
            leave_saddle(s, &at, step, gain);
        if (!(s->best.square < before)) return;
    }
}
