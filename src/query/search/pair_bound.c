/* SPDX-License-Identifier: MIT */
/* Bounds over a pair of cells. */
#include "pair_bound.h"

#include "../../body/tree/crease.h"

/* Sums of up to sixteen products: what rounding can take from a comparison, relative to the sizes compared. */
#define ROUNDING (32 * DBL_EPSILON)

static double outside(double distance, double reach)
{
    double x = fabs(distance) - reach;
    return x > 0 ? x : 0;
}

double wi_pair_box_bound(const cell* a, const cell* b)
{
    double x = outside(a->centre.x - b->centre.x, a->half.x + b->half.x);
    double y = outside(a->centre.y - b->centre.y, a->half.y + b->half.y);
    double z = outside(a->centre.z - b->centre.z, a->half.z + b->half.z);
    return sqrt(x * x + y * y + z * z) * (1 - 4 * DBL_EPSILON);
}

/* ---- cones --------------------------------------------------------------------------------- */

static inline wit_vec3 middle_of(const cell* c)
{
    return c->inner ? c->centre : c->jet.p;
}

/* An angle, given by its cosine, is above the sum of two below straight ones, and that is below a straight one too. */
static inline bool above_sum(double cosine, double sine_1, double cosine_1, double sine_2, double cosine_2)
{
    return sine_1 * cosine_2 + cosine_1 * sine_2 > 0 && cosine < cosine_1 * cosine_2 - sine_1 * sine_2 - ROUNDING;
}

/* A cone that is turned by up to `angle`: cos(x + angle) >= cos x - angle sin x - angle^2 / 2. */
static inline node_cone widened(const node_cone* c, double sine, double angle)
{
    node_cone w = {c->axis, c->cosine - angle * sine - 0.5 * angle * angle};
    if (c->cosine <= -1 || (w.cosine < 0 && sine <= 2 * angle) || !(w.cosine > -1)) w.cosine = -1;
    return w;
}

static inline double cone_sine(const node_cone* c)
{
    return sqrt(larger(0, 1 - c->cosine * c->cosine));
}

bool wi_pair_faces_away_for(const cell* a, const cell* b, pair_drift drift)
{
    const node_cone* p = &a->cone;
    node_cone turned = widened(&b->cone, b->sine, drift.way * drift.turn), *q = &turned;
    double sine_q = drift.way > 0 ? cone_sine(q) : b->sine;
    bool of_a = p->cosine > -1, of_b = q->cosine > -1;
    if (of_a && of_b && above_sum(-dot3(p->axis, q->axis), a->sine, p->cosine, sine_q, q->cosine)) return true;
    if (!of_a && !of_b) return false;
    wit_vec3 way = sub3(middle_of(b), middle_of(a));
    double square = dot3(way, way), reach = a->radius + b->radius + ROUNDING * (a->size + b->size) + drift.way;
    if (!(reach * reach < square)) return false;
    /* other ways turn from that between the middles by no more than arcsin(reach / length) */
    double inverse = 1 / sqrt(square), sine = reach * inverse, cosine = sqrt(larger(0, 1 - sine * sine));
    return (of_a && above_sum(dot3(p->axis, way) * inverse, a->sine, p->cosine, sine, cosine)) ||
           (of_b && above_sum(-dot3(q->axis, way) * inverse, sine_q, q->cosine, sine, cosine));
}

bool wi_pair_faces_away(const cell* a, const cell* b)
{
    return wi_pair_faces_away_for(a, b, (pair_drift){0, 0});
}

/* ---- F at the middles ---------------------------------------------------------------------- */

static void side_slopes(const cell* c, wit_vec3 r, double* g, double second[3])
{
    const wit_surface_jet* j = &c->jet;
    second[0] = second[1] = second[2] = 0;
    if (c->count > 0) {
        g[0] = dot3(r, j->du);
        second[0] = dot3(r, j->duu);
    }
    if (c->count > 1) {
        g[1] = dot3(r, j->dv);
        second[1] = dot3(r, j->duv);
        second[2] = dot3(r, j->dvv);
    }
}

void wi_pair_form_slopes(const cell* a, const cell* b, pair_form* form)
{
    form->na = a->count;
    form->n = a->count + b->count;
    side_slopes(a, form->r, form->g, form->second[0]);
    side_slopes(b, scale3(-1, form->r), form->g + form->na, form->second[1]);
}

/*
 * r = r_c + L + q with L linear in d, |L| <= lin, |q| <= e2; f_i = f_ic + M + m, |M| <= t_i, |m| <= t2_i. So
 * r.f_i - (its linear part) = L.M + (r_c + L).m + q.f_i. On a crease r.f_i may be off by CREASE |r| |f_i| and count as none.
 */
static void side_rests(const cell* c, pair_form* form, int first)
{
    double crease = c->pieces ? CREASE * (form->length + form->lin + form->e2) : 0;
    if (c->kind == WIT_FACE) crease += c->tolerance; /* of seams */
    for (int i = 0; i < c->count; ++i) {
        form->h[first + i] = c->h[i];
        form->w[first + i] = c->d1[i];
        form->g_remainder[first + i] = form->lin * c->t[i] + (form->length + form->lin) * c->t2[i] +
                                       form->e2 * c->d1[i] + (ROUNDING * form->length + crease) * c->d1[i];
    }
}

static void set_symmetric(pair_form* form, int i, int j, double x)
{
    form->H[i * form->n + j] = form->H[j * form->n + i] = x;
}

static void side_block(const cell* c, const double second[3], pair_form* form, int first)
{
    if (c->count > 0) set_symmetric(form, first, first, c->form[0] + second[0]);
    if (c->count > 1) {
        set_symmetric(form, first + 1, first, c->form[1] + second[1]);
        set_symmetric(form, first + 1, first + 1, c->form[2] + second[2]);
    }
}

void wi_pair_form_hessian(const cell* a, const cell* b, pair_form* form)
{
    side_rests(a, form, 0);
    side_rests(b, form, form->na);
    side_block(a, form->second[0], form, 0);
    side_block(b, form->second[1], form, form->na);
    const wit_vec3* f = &a->jet.du;
    const wit_vec3* g = &b->jet.du;
    for (int i = 0; i < a->count; ++i)
        for (int j = 0; j < b->count; ++j) set_symmetric(form, i, form->na + j, -dot3(f[i], g[j]));
}

/* ---- planes -------------------------------------------------------------------------------- */

/* The least of a t + c t^2 / 2 over |t| <= h. */
static double least_quadratic(double a, double c, double h)
{
    double s = fabs(a);
    return s < c * h ? -0.5 * s * s / c : h * (0.5 * c * h - s);
}

/*
 * A lower bound of n.(S(x) - p) over a cell, from the slopes and second derivatives along n: by first order and e2, or
 * by second order and e3. The mixed term is shared out: where both curvatures are positive and |q| < sqrt(a c),
 * |q s t| <= k (a s^2 + c t^2) / 2 with k = |q| / sqrt(a c); else it is at least -|q| h_u h_v.
 */
static double least_along(const cell* c, const double* slope, const double second[3], double scale)
{
    if (!c->count) return -c->error;
    double first = 0;
    for (int i = 0; i < c->count; ++i) first -= fabs(slope[i]) * c->h[i];
    first = scale * first - c->e2;
    if (c->e2 <= c->error * 2) return first;
    double uu = scale * second[0], uv = scale * fabs(second[1]), vv = scale * second[2], loss = 0;
    if (uv > 0) {
        double product = uu > 0 && vv > 0 ? uu * vv : 0;
        if (uv * uv < product) {
            double k = 1 - uv / sqrt(product);
            uu *= k;
            vv *= k;
        } else {
            loss = uv * c->h[0] * c->h[1];
        }
    }
    double quadratic = least_quadratic(scale * slope[0], uu, c->h[0]) - loss - c->e3;
    if (c->count > 1) quadratic += least_quadratic(scale * slope[1], vv, c->h[1]);
    return larger(first, quadratic);
}

double wi_pair_slab_bound(const cell* a, const cell* b, const pair_form* form)
{
    double scale = form->length > 0 ? 1 / form->length : 0;
    double bound = form->length + least_along(a, form->g, form->second[0], scale) +
                   least_along(b, form->g + form->na, form->second[1], scale);
    return bound - ROUNDING * (form->length + form->lin + form->e2);
}

double wi_pair_plane_bound(const cell* a, const cell* b, wit_vec3 n)
{
    double slope[2], second[3];
    side_slopes(a, n, slope, second);
    double bound = dot3(n, sub3(a->jet.p, b->jet.p)) + least_along(a, slope, second, 1);
    side_slopes(b, scale3(-1, n), slope, second);
    bound += least_along(b, slope, second, 1);
    return bound - ROUNDING * (a->size + b->size);
}

static double taylor_least(const cell* c, wit_vec3 n)
{
    double slope[2], second[3];
    side_slopes(c, n, slope, second);
    return dot3(n, c->jet.p) + least_along(c, slope, second, 1);
}

double wi_cell_least(const side* s, const cell* c, wit_vec3 n)
{
    if (!c->inner) return taylor_least(c, n);
    wit_vec3 m = side_unvector(s, n);
    double reach = fabs(m.x) * c->own.x + fabs(m.y) * c->own.y + fabs(m.z) * c->own.z;
    return dot3(n, c->centre) - reach;
}

/* Roundings of moving by t: of n.t and of the turned n times the coordinates of a body, which |p| + |t| bounds. */
static double sides_rounding(const side* const sides[2])
{
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        if (sides[i]->moved) sum += fabs(sides[i]->t.x) + fabs(sides[i]->t.y) + fabs(sides[i]->t.z);
    return ROUNDING * sum;
}

static double sector_least(const side* s, const cell* c, wit_vec3 n)
{
    if (!cell_is_sector(c)) return taylor_least(c, n);
    wit_interval u = iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), v = iv(c->mid[1] - c->h[1], c->mid[1] + c->h[1]);
    side_tests(s, 1);
    wit_interval range = wit_surface_extent(body_surface(s->body, c->id), u, v, side_unvector(s, n));
    return range.lo + (s->moved ? dot3(n, s->t) : 0);
}

double wi_pair_sector_bound(const side* const sides[2], const cell* a, const cell* b, wit_vec3 n)
{
    double margin = ROUNDING * (a->size + b->size) + sides_rounding(sides);
    return sector_least(sides[0], a, n) + sector_least(sides[1], b, scale3(-1, n)) - margin;
}

/* ---- no minimum ---------------------------------------------------------------------------- */

/* How far entry (i, j) of one side's block of H can be from that at the middles. */
static double block_spread(const cell* c, const pair_form* form, int i, int j)
{
    return c->len[i] * c->t[j] + c->len[j] * c->t[i] + c->t[i] * c->t[j] + form->length * c->s[i + j] +
           (form->lin + form->e2) * c->d2[i + j] + ROUNDING * (c->d1[i] * c->d1[j] + form->length * c->d2[i + j]);
}

static bool bends_down(const cell* c, const pair_form* form, int first)
{
    for (int i = 0; i < c->count; ++i) {
        double here = form->H[(first + i) * (form->n + 1)];
        if (here < 0 && here + block_spread(c, form, i, i) < 0) return true;
    }
    return false;
}

/* w.grad F has one sign over the pair: |w.g| > sum |(w H)_j| h_j + |w|.rest; how far it is from zero. Not above 0: it may vanish. */
static inline double one_sign(const int n, const pair_form* form, const double* w)
{
    double value = 0, spread = 0;
    for (int i = 0; i < n; ++i) {
        value += w[i] * form->g[i];
        spread += fabs(w[i]) * form->g_remainder[i];
    }
    if (!(fabs(value) > spread)) return 0;
    for (int i = 0; i < n; ++i) {
        double slope = 0, terms = 0;
        for (int j = 0; j < n; ++j) {
            double x = w[j] * form->H[j * n + i];
            slope += x;
            terms += fabs(x);
        }
        spread += (fabs(slope) + ROUNDING * terms) * form->h[i];
    }
    return fabs(value) - spread * (1 + ROUNDING);
}

/* out = inverse of m, by elimination with the largest pivot left on the diagonal; false when one is nearly nothing. What
 * comes out serves as directions only: one_sign takes none of it on trust. */
static inline bool invert(const int n, const double* m, double* out)
{
    for (int i = 0; i < n * n; ++i) out[i] = m[i];
    bool done[SOLVE_MAX] = {false};
    for (int step = 0; step < n; ++step) {
        int k = -1;
        double best = 0; /* |pivot| / |diagonal| so far, as a quotient not carried out */
        for (int i = 0; i < n; ++i) {
            if (done[i]) continue;
            double p = fabs(out[i * n + i]), whole = fabs(m[i * n + i]);
            if (!(p > 1e-6 * whole)) continue;
            if (k < 0 || p * best > whole) {
                k = i;
                best = whole / p;
            }
        }
        if (k < 0) return false;
        done[k] = true;
        double pivot = 1 / out[k * n + k];
        for (int j = 0; j < n; ++j) out[k * n + j] *= pivot;
        out[k * n + k] = pivot;
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            double x = out[i * n + k];
            out[i * n + k] = 0;
            for (int j = 0; j < n; ++j) out[i * n + j] -= x * out[k * n + j];
        }
    }
    return true;
}

static inline bool newton_excludes(const int n, const pair_form* form)
{
    double inverse[SOLVE_MAX * SOLVE_MAX];
    if (!invert(n, form->H, inverse)) return false;
    for (int i = 0; i < n; ++i)
        if (one_sign(n, form, inverse + i * n) > 0) return true;
    return false;
}

bool wi_pair_has_no_minimum(const cell* a, const cell* b, const pair_form* form, bool thorough)
{
    bool hope = false; /* |w.g| > |w|.rest needs a slope above its rest */
    for (int i = 0; i < form->n; ++i) {
        double spread = form->g_remainder[i];
        if (!(fabs(form->g[i]) > spread)) continue;
        hope = true;
        for (int j = 0; j < form->n; ++j) spread += fabs(form->H[i * form->n + j]) * form->h[j];
        if (fabs(form->g[i]) > spread * (1 + ROUNDING)) return true;
    }
    if (bends_down(a, form, 0) || bends_down(b, form, form->na)) return true;
    if (!thorough || !hope) return false;
    switch (form->n) { /* written out, so that each is compiled for its size */
    case 4:
        return newton_excludes(4, form);
    case 3:
        return newton_excludes(3, form);
    case 2:
        return newton_excludes(2, form);
    default:
        return false;
    }
}

/* Along w a slope of `margin` lasts until the slopes have changed by as much: those of a by d1 for each unit of way, those of b,
 * whose tangents turn, by d1 (1 + |r| turn). */
static double slope_lasts(const pair_form* form, const double* w, double margin, double turned)
{
    double rate = 0;
    for (int i = 0; i < form->n; ++i) rate += fabs(w[i]) * form->w[i] * (i < form->na ? 1 : turned);
    return margin > 0 && rate > 0 ? margin / rate * (1 - 2 * ROUNDING) : 0;
}

static double bend_lasts(const cell* c, const pair_form* form, int first, double turned)
{
    double life = 0;
    for (int i = 0; i < c->count; ++i) {
        double here = form->H[(first + i) * (form->n + 1)];
        double margin = here < 0 ? -here - block_spread(c, form, i, i) : 0, rate = c->d2[2 * i] * turned;
        if (margin > 0 && rate > 0) life = larger(life, margin / rate * (1 - 2 * ROUNDING));
    }
    return life;
}

/* The same along one parameter alone. */
static double slope_life(const pair_form* form, int i, double turned)
{
    double spread = form->g_remainder[i], value = fabs(form->g[i]);
    if (!(value > spread)) return 0;
    for (int j = 0; j < form->n; ++j) spread += fabs(form->H[i * form->n + j]) * form->h[j];
    double margin = value - spread * (1 + 2 * ROUNDING), rate = form->w[i] * (i < form->na ? 1 : turned);
    return margin > 0 && rate > 0 ? margin / rate * (1 - 2 * ROUNDING) : 0;
}

static inline double newton_life(const int n, const pair_form* form, double turned)
{
    double inverse[SOLVE_MAX * SOLVE_MAX], life = 0;
    if (!invert(n, form->H, inverse)) return 0;
    for (int i = 0; i < n; ++i) {
        double margin = one_sign(n, form, inverse + i * n);
        if (margin > 0) life = larger(life, slope_lasts(form, inverse + i * n, margin, turned));
    }
    return life;
}

double wi_pair_no_minimum_life(const cell* a, const cell* b, const pair_form* form, double turn, double enough)
{
    double turned = 1 + (form->length + form->lin + form->e2) * turn, life = 0;
    bool hope = false; /* as above */
    for (int i = 0; i < form->n; ++i) {
        life = larger(life, slope_life(form, i, turned));
        hope |= fabs(form->g[i]) > form->g_remainder[i];
    }
    if (life >= enough) return life;
    life = larger(life, bend_lasts(a, form, 0, 1));
    life = larger(life, bend_lasts(b, form, form->na, turned));
    if (life >= enough || !hope) return life;
    switch (form->n) {
    case 4:
        return larger(life, newton_life(4, form, turned));
    case 3:
        return larger(life, newton_life(3, form, turned));
    case 2:
        return larger(life, newton_life(2, form, turned));
    default:
        return life;
    }
}

/* ---- convexity ----------------------------------------------------------------------------- */

/* How far entry (i, j) of H across the two sides can be from that at the middles. */
static double cross_spread(const cell* a, int i, const cell* b, int j)
{
    return a->len[i] * b->t[j] + b->len[j] * a->t[i] + a->t[i] * b->t[j] + ROUNDING * a->d1[i] * b->d1[j];
}

/*
 * H over the pair is H + E with |E_ij| <= spread_ij, and x.E x >= -sum_i x_i^2 sum_j spread_ij w_i / w_j for any
 * weights w: nowhere less than m = H - that diagonal. Drifting apart adds way |S_ij| to E, for b, which turns, (1 + |r| turn) times
 * that, and across the sides way turn |S_i| |S_j|.
 */
static bool least_hessian(const cell* a, const cell* b, const pair_form* form, pair_drift drift, double* m)
{
    int n = form->n, na = form->na;
    double inverse[SOLVE_MAX], turned = 1 + (form->length + form->lin + form->e2) * drift.turn;
    for (int i = 0; i < n; ++i) {
        if (!(form->H[i * (n + 1)] > 0 && form->w[i] > 0)) return false;
        inverse[i] = 1 / form->w[i];
    }
    for (int i = 0; i < n; ++i) {
        bool of_a = i < na;
        const cell *c = of_a ? a : b, *d = of_a ? b : a;
        int p = of_a ? i : i - na, own = of_a ? 0 : na, other = of_a ? na : 0;
        double sum = 0, along = drift.way * (of_a ? 1 : turned), across = drift.way * drift.turn;
        for (int q = 0; q < c->count; ++q)
            sum += (block_spread(c, form, p, q) + along * c->d2[p + q]) * inverse[own + q];
        for (int q = 0; q < d->count; ++q)
            sum += (cross_spread(c, p, d, q) + across * c->d1[p] * d->d1[q]) * inverse[other + q];
        for (int j = 0; j < n; ++j) m[i * n + j] = form->H[i * n + j];
        m[i * (n + 1)] -= sum * form->w[i] * (1 + ROUNDING);
        if (!(m[i * (n + 1)] > 0)) return false;
    }
    return true;
}

bool wi_pair_is_convex_for(const cell* a, const cell* b, const pair_form* form, pair_drift drift)
{
    double m[SOLVE_MAX * SOLVE_MAX], l[SOLVE_MAX * SOLVE_MAX];
    return least_hessian(a, b, form, drift, m) && wi_cholesky_factor(form->n, m, l);
}

/* F >= F_c + g.d + d.m d / 2 over the pair, whose least value over all d is F_c - g.m^-1 g / 2. */
bool wi_pair_convex_floor(const cell* a, const cell* b, const pair_form* form, double* bound)
{
    double m[SOLVE_MAX * SOLVE_MAX], l[SOLVE_MAX * SOLVE_MAX], x[SOLVE_MAX];
    if (!least_hessian(a, b, form, (pair_drift){0, 0}, m) || !wi_cholesky_factor(form->n, m, l)) return false;
    wi_cholesky_solve(form->n, l, form->g, x);
    /* slopes are off by the errors of the points, over |d| <= h; 1e-9 is far above the error of a solve whose pivots
     * passed */
    double rounding = a->error + b->error, length = larger(0, form->length - rounding), fall = 0;
    rounding += ROUNDING * form->length;
    for (int i = 0; i < form->n; ++i) fall += (1 + 1e-9) * form->g[i] * x[i] + 2 * rounding * form->w[i] * form->h[i];
    double square = length * length - fall;
    *bound = square > 0 ? sqrt(square) * (1 - ROUNDING) : 0;
    return true;
}

bool wi_pair_is_convex(const cell* a, const cell* b, const pair_form* form)
{
    double bound;
    return wi_pair_convex_floor(a, b, form, &bound);
}

double wi_pair_convex_bound(const pair_form* form, const double* d, double distance, const double* gradient)
{
    double square = distance * distance;
    for (int i = 0; i < form->n; ++i) {
        double way = gradient[i] > 0 ? d[i] + form->h[i] : form->h[i] - d[i];
        square -= 2 * fabs(gradient[i]) * larger(0, way);
    }
    return square > 0 ? sqrt(square) : 0;
}
