/* SPDX-License-Identifier: MIT */
/*
 * A chain of arcs of g = 0 as one C1 spline of degree 3. In coordinates (x, y) = (u, v) over the widths of the cell every
 * joint has a unit tangent, so neighbouring Hermite pieces fit without a seam. A piece of a circle that turns by a is met to
 * the sixth order when its range of t is chord / cos^2(a/4) = 2 chord / (1 + cos(a/2)); with the arc's length it would be
 * the fourth. The distance of a point from the curve is |g| / |grad g| to first order.
 */
#include "level_curve.h"

enum { MAX_DEPTH = 14, MAX_JOINTS = 4000 };

typedef struct joint {
    double p[2]; /* u, v */
    double t[2]; /* unit tangent in scaled coordinates */
} joint;

typedef struct fit {
    const level_cell* cell;
    const wit_allocator* memory;
    double w[2], accuracy, error;
    list joints;
    bool failed;
} fit;

/* Along the zero set: (-g_y, g_x), turned to agree with `hint`; the hint itself where the gradient is lost. */
static void tangent_at(const fit* f, const double p[2], const double hint[2], double out[2])
{
    double g[2];
    wi_level_gradient(f->cell, p[0], p[1], g);
    double x = -g[1] * f->w[1], y = g[0] * f->w[0], n = sqrt(x * x + y * y);
    if (n > 1e-9 * f->cell->yard) {
        double s = x * hint[0] + y * hint[1] < 0 ? -1 / n : 1 / n;
        out[0] = s * x;
        out[1] = s * y;
        return;
    }
    n = sqrt(hint[0] * hint[0] + hint[1] * hint[1]);
    out[0] = n > 0 ? hint[0] / n : 1;
    out[1] = n > 0 ? hint[1] / n : 0;
}

static double piece_length(const fit* f, const joint* a, const joint* b)
{
    double x = (b->p[0] - a->p[0]) / f->w[0], y = (b->p[1] - a->p[1]) / f->w[1];
    double cosine = smaller(larger(a->t[0] * b->t[0] + a->t[1] * b->t[1], 0), 1);
    return 2 * sqrt(x * x + y * y) / (1 + sqrt(0.5 * (1 + cosine)));
}

static double distance_at(const fit* f, const joint* a, const joint* b, double s)
{
    double length = piece_length(f, a, b), p[2], g[2];
    for (int k = 0; k < 2; ++k) {
        double m0 = a->t[k] * length * f->w[k], m1 = b->t[k] * length * f->w[k];
        double s2 = s * s, s3 = s2 * s;
        p[k] = (2 * s3 - 3 * s2 + 1) * a->p[k] + (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * b->p[k] + (s3 - s2) * m1;
    }
    p[0] = smaller(larger(p[0], f->cell->u.lo), f->cell->u.hi);
    p[1] = smaller(larger(p[1], f->cell->v.lo), f->cell->v.hi);
    wi_level_gradient(f->cell, p[0], p[1], g);
    double value = fabs(wi_level_value(f->cell, p[0], p[1]));
    double slope = sqrt(g[0] * g[0] * f->w[0] * f->w[0] + g[1] * g[1] * f->w[1] * f->w[1]);
    return slope > 0 ? value / slope : 0;
}

/* Joints closer than this (scaled) are one. */
#define NEAR 1e-9

static void push(fit* f, const joint* j)
{
    if (f->joints.count > 0) {
        joint* last = LIST_AT(joint, f->joints, f->joints.count - 1);
        if (piece_length(f, last, j) < NEAR) {
            if (f->joints.count > 1) *last = *j;
            return;
        }
    }
    joint* place = list_add(&f->joints, sizeof *place, f->memory);
    if (place)
        *place = *j;
    else
        f->failed = true;
}

/* Pieces from a (already pushed) to b, within one arc. */
static void refine(fit* f, const level_arc* arc, const joint* a, const joint* b, int depth)
{
    double worst = 0;
    for (int i = 1; i <= 3; ++i) worst = larger(worst, distance_at(f, a, b, 0.25 * i));
    if (f->failed) return;
    if (worst <= 0.5 * f->accuracy || depth == MAX_DEPTH || f->joints.count > MAX_JOINTS) {
        f->error = larger(f->error, worst);
        push(f, b);
        return;
    }
    int k = arc->along == WIT_U ? 0 : 1;
    joint m;
    m.p[k] = 0.5 * (a->p[k] + b->p[k]);
    m.p[1 - k] = wi_level_solve(f->cell, arc, m.p[k]);
    double hint[2] = {0, 0};
    /* On a graph the tangent keeps its sign along the parameter it is a graph over. */
    hint[k] = b->p[k] > a->p[k] ? 1 : -1;
    tangent_at(f, m.p, hint, m.t);
    refine(f, arc, a, &m, depth + 1);
    refine(f, arc, &m, b, depth + 1);
}

/* ---- beyond the last box -------------------------------------------------------------------- */

enum { STRIP_STEPS = 12 };

/* g(x, .) = 0 near y on the line `across` = x: the bracket grows until the sign changes. */
static bool root_near(const fit* f, wit_direction across, double x, double* y)
{
    int k = across == WIT_U ? 1 : 0;
    wit_interval range = k == 1 ? f->cell->v : f->cell->u;
    for (double d = 1e-7 * f->w[k]; d < 0.1 * f->w[k]; d *= 3) {
        level_arc a;
        memset(&a, 0, sizeof a);
        wit_interval r = iv(larger(*y - d, range.lo), smaller(*y + d, range.hi));
        a.along = across;
        a.u = a.v = r;
        double lo = k == 1 ? wi_level_value(f->cell, x, r.lo) : wi_level_value(f->cell, r.lo, x);
        double hi = k == 1 ? wi_level_value(f->cell, x, r.hi) : wi_level_value(f->cell, r.hi, x);
        if ((lo >= 0) == (hi >= 0)) continue;
        *y = wi_level_solve(f->cell, &a, x);
        return true;
    }
    return false;
}

/*
 * The strip beside a border along which g = 0: g = (distance) h, and the curve h = 0 crosses the border. Equal steps
 * towards it; the last one by the cubic through the four points before it, whose error is of the order of step^4.
 * out has room for STRIP_STEPS joints, the last on the border. False: lost.
 */
static bool cross_strip(const fit* f, level_end* end, const joint* from, joint* out)
{
    int k = end->across == WIT_U ? 0 : 1, q = 1 - k;
    double x0 = from->p[k], h = (end->p[0] - x0) / STRIP_STEPS, y[STRIP_STEPS + 1];
    double hint[2] = {0, 0};
    hint[k] = h;
    y[0] = from->p[q];
    for (int i = 1; i <= STRIP_STEPS; ++i) {
        y[i] = i == 1   ? y[0] + (fabs(from->t[k]) > 1e-3 ? h * from->t[q] * f->w[q] / (from->t[k] * f->w[k]) : 0)
               : i == 2 ? 2 * y[1] - y[0]
               : i == 3 ? 3 * y[2] - 3 * y[1] + y[0]
                        : 4 * (y[i - 1] + y[i - 3]) - 6 * y[i - 2] - y[i - 4];
        joint* j = &out[i - 1];
        j->p[k] = i == STRIP_STEPS ? end->p[0] : x0 + i * h;
        if (i < STRIP_STEPS && !root_near(f, end->across, j->p[k], &y[i])) {
            end->kind = LEVEL_LOST;
            memcpy(end->p, out[i > 1 ? i - 2 : 0].p, sizeof end->p);
            return false;
        }
        j->p[q] = y[i];
        tangent_at(f, j->p, hint, j->t);
    }
    /* On the border the gradient of g is that of the border: the slope from one-sided differences instead. */
    const double* z = &y[STRIP_STEPS];
    double slope = (11 * z[0] - 18 * z[-1] + 9 * z[-2] - 2 * z[-3]) / 6; /* per step */
    joint* last = &out[STRIP_STEPS - 1];
    last->t[k] = h / f->w[k];
    last->t[q] = slope / f->w[q];
    double n = sqrt(last->t[0] * last->t[0] + last->t[1] * last->t[1]);
    for (int c = 0; c < 2; ++c) last->t[c] /= n;
    return true;
}

/* `outwards` is the joint at the end with its tangent pointing out of the chain; `last` tells which end. */
static void push_beyond(fit* f, level_end* end, const joint* outwards, bool last)
{
    joint more[STRIP_STEPS];
    int n = 0;
    if (end->kind == LEVEL_CENTRE) {
        more[n] = *outwards;
        memcpy(more[n++].p, end->p, sizeof end->p);
    } else if (end->kind == LEVEL_BORDER && cross_strip(f, end, outwards, more)) {
        n = STRIP_STEPS;
    }
    for (int i = 0; i < n; ++i) {
        joint j = more[last ? i : n - 1 - i];
        for (int c = 0; c < 2 && !last; ++c) j.t[c] = -j.t[c];
        push(f, &j);
    }
}

/* Joints stand at every box the chain went through: pieces as long as the accuracy allows need fewer. */
static void thin_out(fit* f)
{
    joint* j = f->joints.items;
    int n = f->joints.count, kept = 1;
    for (int s = 0; s < n - 1;) {
        int e = s + 1;
        for (int step = 1; e + step < n; step *= 2) {
            double worst = 0;
            for (int i = 1; i <= 5; ++i) worst = larger(worst, distance_at(f, &j[s], &j[e + step], i / 6.0));
            if (!(worst <= 0.5 * f->accuracy)) break;
            e += step;
        }
        j[kept++] = j[e]; /* kept <= e: only places before e are written */
        s = e;
    }
    f->joints.count = kept;
}

/* Control points of the double-knot spline: the two inner Bezier points of every piece, and both ends. */
static wit_curve* assemble(fit* f)
{
    const joint* j = f->joints.items;
    int pieces = f->joints.count - 1, count = 2 * pieces + 2, knots = count + 4;
    size_t bytes = ((size_t)knots + 3 * (size_t)count) * sizeof(double);
    double* block = wi_allocator_take(f->memory, bytes);
    if (!block) return NULL;
    double *knot = block, *point = block + knots, t = 0;
    memset(block, 0, bytes);
    for (int i = 0; i < pieces; ++i) {
        double length = piece_length(f, &j[i], &j[i + 1]);
        for (int k = 0; k < 2; ++k) {
            point[3 * (2 * i + 1) + k] = j[i].p[k] + j[i].t[k] * length * f->w[k] / 3;
            point[3 * (2 * i + 2) + k] = j[i + 1].p[k] - j[i + 1].t[k] * length * f->w[k] / 3;
        }
        t += length;
        knot[4 + 2 * i] = knot[5 + 2 * i] = t;
    }
    knot[knots - 2] = knot[knots - 1] = t;
    for (int k = 0; k < 2; ++k) {
        point[k] = j[0].p[k];
        point[3 * (count - 1) + k] = j[pieces].p[k];
    }
    wit_curve_def def = wit_curve_default_def(WIT_CURVE_NURBS);
    def.degree = 3;
    def.count = count;
    def.knot_count = knots;
    def.knots = knot;
    def.points = point;
    wit_curve* c = wit_curve_create(&def, f->memory, NULL);
    wi_allocator_release(f->memory, block, bytes);
    return c;
}

wit_curve* wi_level_fit(const level_cell* cell, const level_chain* chain, level_end ends[2], double accuracy,
                        const wit_allocator* memory, double* error)
{
    fit f;
    memset(&f, 0, sizeof f);
    f.cell = cell;
    f.memory = memory;
    f.w[0] = iv_width(cell->u);
    f.w[1] = iv_width(cell->v);
    f.accuracy = accuracy;
    joint a = {{0, 0}, {0, 0}}, b;
    for (int i = 0; i < chain->count; ++i) {
        const level_arc* arc = &chain->arcs[chain->order[i] / 2];
        int in = chain->order[i] % 2, k = arc->along == WIT_U ? 0 : 1;
        double hint[2] = {0, 0};
        hint[k] = arc->p[1 - in][k] - arc->p[in][k];
        if (i == 0) {
            memcpy(a.p, arc->p[in], sizeof a.p);
            tangent_at(&f, a.p, hint, a.t);
            joint back = {{a.p[0], a.p[1]}, {-a.t[0], -a.t[1]}};
            push_beyond(&f, &ends[0], &back, false);
            push(&f, &a);
        }
        memcpy(b.p, arc->p[1 - in], sizeof b.p);
        tangent_at(&f, b.p, hint, b.t);
        refine(&f, arc, &a, &b, 0);
        a = b;
    }
    push_beyond(&f, &ends[1], &a, true);
    thin_out(&f);
    *error = f.error;
    wit_curve* c = f.failed || f.joints.count < 2 ? NULL : assemble(&f);
    list_drop(&f.joints, sizeof(joint), memory);
    return c;
}
