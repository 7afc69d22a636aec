/* SPDX-License-Identifier: MIT */
/*
 * A cell over which some g_i keeps its sign has no stationary place inside; its border is other cells, or edges and
 * vertices, which are cells of their own. A cell over which every H is positive definite has at most one, and one place of
 * it bounds all: see `resolve`.
 */
#include "point_local.h"

enum {
    SHRINKS = 4,  /* of a cell, before it is halved all the same */
    PATIENCE = 64 /* nodes without a place */
};
#define UNEVEN 0.25 /* |S_i| at the middle, of its bound over the cell */

/* ---- cells that are done with -------------------------------------------------------------- */

static bool at_border(const point_cell* c, const body_face* f)
{
    return c->tag == TRIM_MIXED || c->lo[0] <= f->u.lo || c->hi[0] >= f->u.hi || c->lo[1] <= f->v.lo ||
           c->hi[1] >= f->v.hi;
}

/*
 * The nearest place of a cell without a stationary place, if it matters, is on the border of the face, for which the edges
 * stand, or at the end of an edge, for which its vertex stands: each up to this tolerance.
 */
static double border_tolerance(const point_run* s, const point_cell* c)
{
    if (c->kind == WIT_FACE) {
        bool loose = s->body->tolerance > 0 && at_border(c, &body_faces(s->body)[c->feature]);
        return loose ? wi_side_tolerance(&s->task->a, WIT_FACE, c->feature) : 0;
    }
    const body_edge* e = &body_edges(s->body)[c->feature];
    double tolerance = 0;
    if (c->lo[0] <= e->range.lo && e->start >= 0) tolerance = body_vertices(s->body)[e->start].tolerance;
    if (c->hi[0] >= e->range.hi && e->end >= 0) tolerance = larger(tolerance, body_vertices(s->body)[e->end].tolerance);
    return tolerance;
}

/* No stationary place inside. */
static void cull(point_run* s, const point_cell* c, double bound)
{
    double tolerance = border_tolerance(s, c);
    if (!(tolerance > 0)) return;
    s->border_least = smaller(s->border_least, bound);
    s->border_tolerance = larger(s->border_tolerance, tolerance);
}

/*
 * Borders of an unbounded face are no edges: nothing stands for them. Where the border is the border of the cell too, the
 * cell itself is as good a bound, and costs no tolerance.
 */
static bool may_cull(const point_run* s, const point_cell* c)
{
    if (c->kind == WIT_FACE && body_faces(s->body)[c->feature].unbounded) return false;
    return c->tag == TRIM_MIXED || !(border_tolerance(s, c) > 0);
}

static bool monotone(const model* m)
{
    const local* l = &m->at;
    return fabs(l->g[0]) > m->h[0] * fabs(l->h[0]) + m->h[1] * fabs(l->h[1]) + m->g_remainder[0] ||
           fabs(l->g[1]) > m->h[0] * fabs(l->h[1]) + m->h[1] * fabs(l->h[2]) + m->g_remainder[1];
}

/*
 * Definite over the cell: with a_i = H_ii - rest and b = |H_uv| + remainder, d.H d >= a_u d_u^2 + a_v d_v^2 - 2 b |d_u d_v| >=
 * (1 - b / sqrt(a_u a_v)) (a_u d_u^2 + a_v d_v^2) = sum of mu_i d_i^2.
 */
static bool definite(const point_cell* c, const double H[3], const double remainder[3], double mu[2])
{
    double a = H[0] - remainder[0], v = c->kind == WIT_FACE ? H[2] - remainder[2] : 1;
    double b = c->kind == WIT_FACE ? fabs(H[1]) + remainder[1] : 0;
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
    double known; /* bound from before, squared */
    double bound; /* best so far */
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
 * No minimum: let y be stationary (|g_i(y)| <= slack_i: that much is added to the noise). Then -g.(y - x) >= sum mu_i
 * (y_i - x_i)^2. With x held at a bound in b, g_b pushing out, and the other parameter f free, |y_f - x_f| <= e =
 * |g_f| / mu_f and |g_b| |y_b - x_b| <= |g_f| e, so g_b differs at y from its value at x by at most H_bb |g_f| e /
 * |g_b| + H_bf e: if that is below |g_b|, y is not stationary.
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
    const double* slack = k->model->slack;
    double noise[2] = {l->g_noise[0] + slack[0], l->g_noise[1] + slack[1]};
    for (int b = 0; b < (c->kind == WIT_FACE ? 2 : 1); ++b) {
        int f = 1 - b;
        double g = fabs(l->g[b]) - noise[b];
        bool held = (x[b] <= c->lo[b] && l->g[b] > 0) || (x[b] >= c->hi[b] && l->g[b] < 0);
        if (!held || !(g > 0)) continue;
        bool corner = (x[f] <= c->lo[f] && l->g[f] > noise[f]) || (x[f] >= c->hi[f] && l->g[f] < -noise[f]);
        double free = corner || c->kind != WIT_FACE ? 0 : fabs(l->g[f]) + noise[f], e = free / k->mu[f];
        const double *H = k->model->at.h, *remainder = k->model->h_remainder;
        if (g * g > (H[2 * b] + remainder[2 * b]) * free * e + (fabs(H[1]) + remainder[1]) * e * g) return NO_MINIMUM;
    }
    return OPEN;
}

/* What is true at x, or next to it, with all errors counted. At a knot both sides would be enclosed: x is moved inside,
 * unless it is a bound that matters. */
static void enclosed_local(point_run* s, const point_cell* c, bool inside, double x[2], local* l)
{
    noisy_jet n;
    for (int i = 0; i < 2 && inside; ++i) {
        double room = 0x1p-30 * (c->hi[i] - c->lo[i]);
        x[i] = smaller(larger(x[i], c->lo[i] + room), c->hi[i] - room);
    }
    wi_point_enclosed_jet(s, (wit_feature_kind)c->kind, c->feature, x, &n);
    localize(s, (wit_feature_kind)c->kind, &n.j, l);
    wi_point_noise(&n, c->d1, l);
}

/*
 * The stationary place y of a convex cell of a trimmed face lies outside the trims: nothing is left of the cell but its
 * border. From sum mu_i (y_i - x_i)^2 <= -g.(y - x), |y_i - x_i| <= sqrt(sum g_k^2 / mu_k) / sqrt(mu_i).
 */
static bool trimmed_away(const point_run* s, const convex_cell* k, const double x[2], const local* l)
{
    if (k->cell->tag != TRIM_MIXED || !may_cull(s, k->cell)) return false;
    const body_face* f = &body_faces(s->body)[k->cell->feature];
    trim_curves curves = body_trim_curves(s->body, f);
    curves.work = s->work;
    curves.units = s->task->units;
    wit_interval box[2];
    double sum = 0;
    for (int i = 0; i < 2; ++i) sum += square_of(fabs(l->g[i]) + l->g_noise[i] + k->model->slack[i]) / k->mu[i];
    for (int i = 0; i < 2; ++i) {
        double room = sqrt(sum / k->mu[i]) * (1 + ROUNDING) + 0x1p-40 * (k->cell->hi[i] - k->cell->lo[i]);
        box[i] = iv(x[i] - room, x[i] + room);
    }
    if (run_spent(s, 1)) return false;
    work_tests(s->work, 1);
    return wi_trim_classify(&f->trim, body_at(s->body, f->trim_block), &curves, box[0], box[1]) == TRIM_OUT;
}

/* Newton within the cell until the verdict. True: still open. */
static bool resolve(point_run* s, convex_cell* k, const double start[2])
{
    enum { STEPS = 10, ENCLOSED_DEPTH = 12 };
    const point_cell* c = k->cell;
    wit_feature_kind kind = (wit_feature_kind)c->kind;
    double x[2];
    for (int i = 0; i < 2; ++i) x[i] = smaller(larger(start[i], c->lo[i]), c->hi[i]);
    work_solves(s->work, 1);
    for (int step = 0; step < STEPS && !run_spent(s, 1); ++step) {
        wit_surface_jet j;
        local l;
        double metric[3], d[2];
        plain_jet(s, kind, c->feature, x, cell_side(c, x), &j);
        localize(s, kind, &j, &l);
        wi_point_offer(s, kind, c->feature, x[0], x[1], 2 * l.f);
        verdict v = judge(s, k, x, &l);
        metric_of(kind, &j, metric);
        double twice = wi_point_step(&l, metric, x, c->lo, c->hi, d);
        /* past this the step changes F by less than its rounding */
        bool solved = !(twice > 0) || twice <= 4 * DBL_EPSILON * l.f, last = v != OPEN || solved || step == STEPS - 1;
        if (s->rigorous && last) {
            k->bound = k->known;
            if (run_spent(s, 1)) return true;
            enclosed_local(s, c, v != NO_MINIMUM, x, &l);
            v = judge(s, k, x, &l);
        }
        if (v == OPEN && solved && trimmed_away(s, k, x, &l)) v = NO_MINIMUM;
        /* as far as it is, to rounding: halves would be no farther; but errors that were enclosed may be smaller in them */
        bool settled = solved && (!s->rigorous || c->depth >= ENCLOSED_DEPTH);
        if (v == OPEN && settled && wi_side_contains(&s->task->a, kind, c->feature, x[0], x[1])) v = FAR;
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
    if (b->kind != c->kind || b->id != c->feature || !(b->square < INFINITY) || run_spent(s, 1)) return false;
    double x[2] = {b->u, b->v}, h[2];
    for (int i = 0; i < 2; ++i) {
        if (!(x[i] >= c->lo[i] && x[i] <= c->hi[i])) return false;
        h[i] = larger(c->hi[i] - x[i], x[i] - c->lo[i]) * (1 + 2 * DBL_EPSILON);
    }
    noisy_jet n;
    local l;
    n.p = n.d1[0] = n.d1[1] = n.d2[0] = n.d2[1] = n.d2[2] = 0;
    if (s->rigorous)
        wi_point_enclosed_jet(s, b->kind, b->id, x, &n);
    else
        plain_jet(s, b->kind, b->id, x, cell_side(c, x), &n.j);
    localize(s, b->kind, &n.j, &l);
    spread e;
    wi_point_spread(c, h, &e);
    double reach = sqrt(2 * l.f) + e.e1, remainder[3], mu[2];
    wi_point_hessian_remainder(c, &n, h, &e, reach, remainder);
    for (int i = 0; i < 3; ++i) remainder[i] *= (1 + ROUNDING) / 3;
    if (s->rigorous) {
        wi_point_noise(&n, c->d1, &l);
        wi_point_hessian_noise(c, &n, reach, remainder);
    }
    if (!definite(c, l.h, remainder, mu)) return false;
    double drop = l.f_noise;
    for (int i = 0; i < 2; ++i) drop += drop_along(l.g[i], l.g_noise[i], mu[i], c->lo[i] - x[i], c->hi[i] - x[i]);
    double low = 2 * (l.f - drop) * (1 - ROUNDING);
    if (low > *bound) *bound = low;
    return *bound >= s->keep;
}

/* ---- the cell ------------------------------------------------------------------------------ */

/* Perhaps at a pole: one of the tangents shrinks across the cell. */
static bool near_pole(const point_run* s, const point_cell* c, const model* m)
{
    if (c->kind != WIT_FACE || !body_surface(s->body, c->feature)->degenerate) return false;
    return m->slow[0] < 0.6 * c->d1[0] || m->slow[1] < 0.6 * c->d1[1];
}

/*
 * There directions across the cell are not small, and Taylor's remainder falls with the first power of its size only. The
 * extent along n, the direction of its middle, falls with the second: |S - q| >= n.S - n.q.
 */
static double extent_bound(const point_run* s, const point_cell* c, const model* m)
{
    wit_vec3 n = unit3(m->r);
    if (run_spent(s, 1)) return 0;
    work_tests(s->work, 1);
    wit_interval e =
        wit_surface_extent(body_surface(s->body, c->feature), iv(c->lo[0], c->hi[0]), iv(c->lo[1], c->hi[1]), n);
    double low = e.lo - dot3(n, s->q);
    low -= ROUNDING * (fabs(e.lo) + fabs(s->q.x) + fabs(s->q.y) + fabs(s->q.z));
    return low > 0 ? low * low * (1 - ROUNDING) : 0;
}

/*
 * A cell that ends at a pole, x_j = b, where F is convex along j, H_jj >= mu: with n a direction, l = n.S - n.q over the
 * border and |g_j| <= slope inwards, F >= l^2 / 2 - slope^2 / (2 mu). All tangents at the pole are across n if it is the
 * nearest place, whatever the angle.
 */
static double pole_bound(const point_run* s, const point_cell* c, const model* m)
{
    const wit_surface* surface = body_surface(s->body, c->feature);
    double best = 0;
    for (int j = 0; j < 2; ++j) {
        wit_interval all = j == 0 ? surface->u : surface->v;
        double mu = (m->at.h[2 * j] - m->h_remainder[2 * j]) * (1 - ROUNDING);
        bool low = c->lo[j] <= all.lo, high = c->hi[j] >= all.hi;
        if (!(mu > 0) || low == high || m->slow[1 - j] >= 0.6 * c->d1[1 - j] || run_spent(s, 2)) continue;
        double border = low ? c->lo[j] : c->hi[j];
        wit_interval box[2] = {iv(c->lo[0], c->hi[0]), iv(c->lo[1], c->hi[1])};
        box[j] = iv_point(border);
        wit_surface_jet jet;
        work_jets(s->work, 1);
        wit_surface_eval(surface, iv_mid(box[0]), iv_mid(box[1]), WIT_KNOT_DEFAULT, NULL, &jet);
        wit_vec3 r = sub3(jet.p, s->q), axes[3];
        axes[0] = unit3(r);
        if (!(dot3(axes[0], axes[0]) > 0)) continue;
        complete3(axes[0], &axes[1], &axes[2]);
        surface_enclosure e;
        work_tests(s->work, 1);
        wi_surface_enclose(surface, box[0], box[1], axes, &e);
        double along = e.d[D00][0].lo - dot3(axes[0], s->q);
        along -= ROUNDING * (iv_mag(e.d[D00][0]) + fabs(s->q.x) + fabs(s->q.y) + fabs(s->q.z));
        if (!(along > 0)) continue;
        /* r = S - q over the border differs from along n by its own width across */
        double across = 0;
        for (int k = 1; k < 3; ++k) {
            wit_interval w = e.d[D00][k];
            double off = dot3(axes[k], s->q), round = ROUNDING * (iv_mag(w) + norm3(s->q));
            across += square_of(larger(fabs(w.lo - off), fabs(w.hi - off)) + round);
        }
        double away = e.d[D00][0].hi - dot3(axes[0], s->q);
        away += ROUNDING * (iv_mag(e.d[D00][0]) + norm3(s->q));
        wit_interval tangent = e.d[j == 0 ? D10 : D01][0];
        double slope = away * larger(0, low ? -tangent.lo : tangent.hi) + sqrt(across) * c->d1[j];
        double bound = along * along - slope * slope / mu;
        best = larger(best, bound * (1 - ROUNDING));
    }
    return best;
}

/* The parameter whose part of the remainder is larger; at poles, and where the remainder is not what keeps it open (a
 * convex cell with trims), the longer one; slender cells likewise. */
static void choose_split(point_cell* c, const model* m, bool by_length)
{
    double u = m->h[0] * m->g_remainder[0], v = m->h[1] * m->g_remainder[1];
    double length[2] = {m->h[0] * c->d1[0], m->h[1] * c->d1[1]};
    bool slender = length[0] > 8 * length[1] || length[1] > 8 * length[0];
    if (by_length || slender || u == v) u = length[0], v = length[1];
    c->split = c->kind == WIT_FACE && v > u;
}

/*
 * Is a descent from the least place of the model worth while? It is where it promises much, and where the model with its
 * remainder proves that it ends nearer than the nearest place so far.
 */
static bool descent_pays(const point_run* s, const point_cell* c, const model* m, double least, const double start[2])
{
    if (2 * least < 0.99 * s->best.square) return true;
    if (!(2 * (least + m->f_remainder) < s->best.square * (1 - ROUNDING))) return false;
    return wi_side_contains(&s->task->a, (wit_feature_kind)c->kind, c->feature, start[0], start[1]);
}

/*
 * Where g_i may vanish: |g_i + H_ii d_i| <= |H_ij| h_j + rest_i. What of the cell lies beyond has no stationary place. True:
 * at least half of the cell does.
 */
static bool contract(point_cell* c, const model* m)
{
    double left = 1;
    for (int i = 0; i < (c->kind == WIT_FACE ? 2 : 1); ++i) {
        double a = m->at.h[2 * i], g = a < 0 ? -m->at.g[i] : m->at.g[i], h = m->h[i];
        double reach = fabs(m->at.h[1]) * m->h[1 - i] + m->g_remainder[i],
               spare = 1e-3 * h + 4 * DBL_EPSILON * fabs(m->x[i]);
        a = fabs(a);
        if (!(a * h > 0 && fabs(g) + a * h > reach)) continue;
        double lo = larger(c->lo[i], m->x[i] + (-g - reach) / a - spare);
        double hi = smaller(c->hi[i], m->x[i] + (reach - g) / a + spare);
        if (!(lo < hi)) continue;
        left *= (hi - lo) / (c->hi[i] - c->lo[i]);
        c->lo[i] = lo;
        c->hi[i] = hi;
    }
    return left < 0.5;
}

/*
 * Let w lead from the middle of the box to q, r be its half diagonal, n the axis and m any normal of the cone, |m - n| <=
 * angle. At a stationary place q - S = w + e is along m, |e| <= r, so 0 = |m x (w + e)| >= |n x w| - angle |w| - r. On an
 * edge m is a tangent, and m . (w + e) = 0. On a crease it is no more than CREASE |w + e|.
 */
bool wi_point_turned_away(const point_run* s, const point_cell* c, const wit_box* box, const wit_cone* cone)
{
    wit_vec3 w = sub3(s->q, scale3(0.5, add3(box->lo, box->hi))), diagonal = sub3(box->hi, box->lo);
    double along = dot3(cone->axis, w), square = dot3(w, w), part = along * along;
    if (s->rigorous || !(cone->angle < 1)) return false;
    if (c->kind == WIT_FACE && body_surface(s->body, c->feature)->degenerate) return false;
    if (c->kind == WIT_FACE) part = square - part;
    double length = sqrt(square), half = 0.5 * norm3(diagonal);
    double least = cone->angle * length + half + CREASE * (length + half);
    if (!(part > least * least * (1 + 1e-9) + 1e-13 * square)) return false;
    return may_cull(s, c) && !(border_tolerance(s, c) > 0);
}

typedef enum examined { DONE, TO_HALVE, SHRUNK } examined;

static examined examine(point_run* s, point_cell* c, double bound, double* out)
{
    model m;
    wit_feature_kind kind = (wit_feature_kind)c->kind;
    work_nodes(s->work, 1);
    *out = bound;
    bool cullable = may_cull(s, c), free = cullable && !(border_tolerance(s, c) > 0);
    model_end end = wi_point_model(s, c, free, &m, out);
    if (end == MODEL_FAR) run_drop(s, *out);
    if (end != MODEL_MADE) return DONE;
    bool empty = cullable && monotone(&m);
    if (empty && free) return DONE;
    double d[2], least = m.at.f + wi_point_least_quadratic(&m.at, m.h, d), low = 2 * (least - m.f_remainder);
    double start[2] = {m.x[0] + d[0], m.x[1] + d[1]};
    if (low > *out) *out = low;
    if (*out >= s->keep || empty) {
        if (*out >= s->keep)
            run_drop(s, *out);
        else
            cull(s, c, *out);
        return DONE;
    }
    bool pole = near_pole(s, c, &m);
    c->uneven = pole || (c->pieces && (m.slow[0] < UNEVEN * c->d1[0] || m.slow[1] < UNEVEN * c->d1[1]));
    if (pole) {
        *out = larger(*out, extent_bound(s, c, &m));
        if (*out < s->keep) *out = larger(*out, pole_bound(s, c, &m));
        if (*out >= s->keep) {
            run_drop(s, *out);
            return DONE;
        }
    }
    convex_cell k = {.cell = c, .model = &m, .known = *out, .bound = *out};
    bool is_convex = definite(c, m.at.h, m.h_remainder, k.mu);
    if (!is_convex && descent_pays(s, c, &m, least, start)) {
        double gain = s->best.square < INFINITY ? 0.02 * task_tolerance(s->task, sqrt(s->best.square)) : 0;
        gain = larger(gain, 0.02 * task_tolerance(s->task, 0));
        wi_point_descend(s, kind, c->feature, start[0], start[1], gain);
        /* descents ended beyond the borders of their faces, and there is no place yet: the middle, then */
        if (!(s->best.square < INFINITY) && s->work->nodes > PATIENCE)
            wi_point_offer(s, kind, c->feature, m.x[0], m.x[1], 2 * m.at.f);
        if (*out >= s->keep) {
            run_drop(s, *out);
            return DONE;
        }
    }
    if (witness_bounds(s, c, out)) {
        run_drop(s, *out);
        return DONE;
    }
    if (is_convex) {
        if (!resolve(s, &k, start)) return DONE;
        *out = larger(*out, k.bound);
    }
    choose_split(c, &m, pole || is_convex);
    return free && contract(c, &m) ? SHRUNK : TO_HALVE;
}

bool wi_point_examine(point_run* s, point_cell* c, double bound, double* out)
{
    examined end = examine(s, c, bound, out);
    for (int k = 0; k < SHRINKS && end == SHRUNK && !run_spent(s, EXAMINE_UNITS); ++k) end = examine(s, c, *out, out);
    return end != DONE;
}
