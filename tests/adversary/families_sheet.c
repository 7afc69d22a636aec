/* SPDX-License-Identifier: MIT */
/* Sheets: splines of wild weights, flat and round ones against closed forms, sheets that nearly cross. */
#include "families.h"

/* ---- splines ---------------------------------------------------------------------------------------- */

static void any_knots(dice* d, patch* p, int k)
{
    int degree = p->degree[k], last = p->count[k] + degree, clamped = below(d, 3) != 0;
    double t = 0;
    for (int i = 0; i <= last; i++) {
        bool end = clamped && (i <= degree || i > p->count[k]);
        if (i > 0 && !(end && i != p->count[k])) t += 1 + below(d, 3) * 0.5;
        if (clamped && i > p->count[k]) t = p->knots[k][p->count[k]];
        p->knots[k][i] = clamped && i <= degree ? 0 : t;
    }
}

static void any_patch(dice* d, patch* p, double scale, double wild)
{
    *p = (patch){{1 + below(d, 3), 0}, {0, 0}, {{0}}, {0}, {0}, 0};
    p->degree[1] = 1 + below(d, 3);
    for (int k = 0; k < 2; k++) {
        p->count[k] = p->degree[k] + 1 + below(d, 3);
        any_knots(d, p, k);
    }
    for (int i = 0; i < p->count[0]; i++) {
        for (int j = 0; j < p->count[1]; j++) {
            int m = i * p->count[1] + j;
            p->point[3 * m] = scale * (i + between(d, -0.3, 0.3));
            p->point[3 * m + 1] = scale * (j + between(d, -0.3, 0.3));
            p->point[3 * m + 2] = scale * between(d, -1, 1);
            p->weight[m] = pow(10, between(d, 0, wild));
            for (int c = 0; c < 3; c++) p->reach = larger_of(p->reach, fabs(p->point[3 * m + c]));
        }
    }
}

/* No point of the patch is nearer than the box of its control points. */
static LD outside_of_net(const patch* p, v3 x)
{
    LD lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY}, at[3] = {x.x, x.y, x.z},
       d = 0;
    for (int m = 0; m < 3 * p->count[0] * p->count[1]; m++) {
        lo[m % 3] = smaller_of(lo[m % 3], p->point[m]);
        hi[m % 3] = larger_of(hi[m % 3], p->point[m]);
    }
    for (int c = 0; c < 3; c++) {
        LD over = larger_of(0, larger_of(lo[c] - at[c], at[c] - hi[c]));
        d += over * over;
    }
    return sqrtl(d);
}

static void widen(claim* c, const wit_body* body)
{
    c->widened += wit_body_describe(body).tolerance;
}

void run_weights(batch* b)
{
    patch p, q;
    double scale = magnitude(&b->d, -3, 3), wild = between(&b->d, 0, 10);
    any_patch(&b->d, &p, scale, wild);
    any_patch(&b->d, &q, scale, wild);
    wit_body *body = sheet_of_patch(&p, WIT_BODY_SHEET2), *other = sheet_of_patch(&q, WIT_BODY_SHEET2);
    for (int i = 0; body && other && i < 5; i++) {
        place at = any_place(&b->d, scale), to = any_place(&b->d, 0);
        LD lo[2], hi[2], d = magnitude(&b->d, -6, 0.5) * scale, error;
        v3 s[3];
        patch_range(&p, 0, &lo[0], &hi[0]);
        patch_range(&p, 1, &lo[1], &hi[1]);
        LD u = lo[0] + (hi[0] - lo[0]) * between(&b->d, 0, 1), v = lo[1] + (hi[1] - lo[1]) * between(&b->d, 0, 1);
        patch_at(&p, u, v, s);
        v3 n = unit(outer(s[1], s[2])), w = turned(&at, plus(s[0], d, n));
        double x[3] = {(double)(w.x + at.p[0]), (double)(w.y + at.p[1]), (double)(w.z + at.p[2])};
        v3 seen = turned_back(&at, position_from(&at, x));
        error = patch_error(&p) + 64 * ULP * norm(seen);
        LD least = smaller_of(patch_distance(&p, seen, 4), patch_nearest(&p, seen, &u, &v));
        claim c = {{outside_of_net(&p, seen) - error, least + error},
                   size_of(body),
                   0,
                   true,
                   norm(vec(at.p[0], at.p[1], at.p[2])) + size_of(body)};
        wit_placed pa = wit_placed_at(body, pose_of(&at));
        widen(&c, body);
        ask_any(b);
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
        if (i > 1) continue;
        /* and a pair: q about that point. p's points are seen from q's body as they are: h is q's frame */
        for (int k = 0; k < 3; k++) to.p[k] = x[k];
        patch_pair h = {&p, &q, at, to, position_from(&at, to.p)};
        error = patch_error(&p) + patch_error(&q) + 64 * ULP * (norm(h.offset) + p.reach + q.reach);
        claim two = {{0, patch_pair_distance(&h, 3) + error},
                     fmin(size_of(body), size_of(other)),
                     0,
                     true,
                     norm(vec(at.p[0], at.p[1], at.p[2])) + norm(h.offset) + p.reach + q.reach};
        wit_placed pc = wit_placed_at(other, pose_of(&to));
        widen(&two, body);
        widen(&two, other);
        ask_any(b);
        b->asked.budget = 3000;
        set_query(b);
        judge_pair(b, &pa, &pc, &two);
    }
    wit_body_destroy(body);
    wit_body_destroy(other);
}

/* S(u, v) = (X(u), Y(v), 0) with weights a_i b_j: an exact rectangle, however the parameters run. */
void run_flat_weights(batch* b)
{
    patch p;
    double scale = magnitude(&b->d, -3, 3), wild = between(&b->d, 0, 5), wu[NET], wv[NET], xs[NET] = {0}, ys[NET] = {0};
    any_patch(&b->d, &p, scale, 0);
    for (int k = 0; k < 2; k++) { /* clamped */
        for (int i = 0; i <= p.count[k] + p.degree[k]; i++)
            p.knots[k][i] = i <= p.degree[k] ? 0 : i >= p.count[k] ? p.count[k] - p.degree[k] : i - p.degree[k];
    }
    for (int i = 0; i < NET; i++) {
        wu[i] = pow(10, between(&b->d, 0, wild));
        wv[i] = pow(10, between(&b->d, 0, wild));
        xs[i] = i ? xs[i - 1] + scale * between(&b->d, 0.1, 1) : 0;
        ys[i] = i ? ys[i - 1] + scale * between(&b->d, 0.1, 1) : 0;
    }
    p.reach = 0;
    for (int m = 0; m < p.count[0] * p.count[1]; m++) {
        int i = m / p.count[1], j = m % p.count[1];
        p.point[3 * m] = xs[i];
        p.point[3 * m + 1] = ys[j];
        p.point[3 * m + 2] = 0;
        p.weight[m] = wu[i] * wv[j];
    }
    wit_body* body = sheet_of_patch(&p, WIT_BODY_SHEET2);
    LD wide = xs[p.count[0] - 1], high = ys[p.count[1] - 1];
    for (int i = 0; body && i < 8; i++) {
        place at = any_place(&b->d, scale);
        LD u = between(&b->d, -0.4, 1.4), v = between(&b->d, -0.4, 1.4), z = magnitude(&b->d, -6, 0.3) * scale;
        if (below(&b->d, 3) == 0) z = 0;
        v3 w = turned(&at, vec(u * wide, v * high, z));
        double x[3] = {(double)(w.x + at.p[0]), (double)(w.y + at.p[1]), (double)(w.z + at.p[2])};
        v3 s = turned_back(&at, position_from(&at, x));
        LD ox = larger_of(0, larger_of(-s.x, s.x - wide)), oy = larger_of(0, larger_of(-s.y, s.y - high));
        LD t = norm(vec(ox, oy, s.z)), error = 64 * ULP * (norm(s) + wide + high);
        claim c = {
            {t - error, t + error}, size_of(body), 0, true, norm(vec(at.p[0], at.p[1], at.p[2])) + size_of(body)};
        /* weights are products rounded to doubles: the borders of the rectangle stay, a point is a mean of control points */
        widen(&c, body);
        ask_any(b);
        wit_placed pa = wit_placed_at(body, pose_of(&at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}

/* ---- flat and round sheets -------------------------------------------------------------------------- */

typedef struct round_sheet {
    int kind; /* 0: rectangle, 1: part of a cylinder, 2: sphere, 3: torus */
    double r, r2, wide, high;
    LD reach;
    wit_vec3 origin; /* body axes */
} round_sheet;

static wit_body* build_round(const round_sheet* s, wit_body_kind kind)
{
    static const wit_surface_kind kinds[4] = {WIT_SURFACE_PLANE, WIT_SURFACE_CYLINDER, WIT_SURFACE_SPHERE,
                                              WIT_SURFACE_TORUS};
    wit_surface_def d = wit_surface_default_def(kinds[s->kind]);
    d.frame.origin = s->origin;
    d.radius = s->r;
    d.minor = s->r2;
    if (s->kind == 0) d.range_u = (wit_interval){-s->wide, s->wide};
    if (s->kind == 1) d.range_u = (wit_interval){0, s->wide};
    if (s->kind < 2) d.range_v = (wit_interval){-s->high, s->high};
    return sheet_of_surface(&d, kind);
}

/* Unsigned distance. */
static range round_distance(const round_sheet* s, v3 x)
{
    LD rho = sqrtl(x.x * x.x + x.y * x.y), t = 0, error = 64 * ULP * (norm(x) + s->reach);
    if (s->kind == 0) {
        t = norm(vec(larger_of(0, fabsl(x.x) - s->wide), larger_of(0, fabsl(x.y) - s->high), x.z));
    } else if (s->kind == 1) {
        LD angle = atan2l(x.y, x.x), flat;
        if (angle < 0) angle += 2 * acosl(-1);
        flat = fabsl(rho - s->r);
        if (angle > s->wide) {
            v3 e = vec(s->r * cosl(s->wide), s->r * sinl(s->wide), 0), at = vec(x.x, x.y, 0);
            flat = smaller_of(norm(minus(at, vec(s->r, 0, 0))), norm(minus(at, e)));
        }
        t = norm(vec(flat, larger_of(0, fabsl(x.z) - s->high), 0));
    } else if (s->kind == 2) {
        t = fabsl(norm(x) - s->r);
    } else {
        t = fabsl(sqrtl((rho - s->r) * (rho - s->r) + x.z * x.z) - s->r2);
    }
    return (range){larger_of(0, t - error), t + error};
}

static round_sheet any_round(dice* d, double scale)
{
    round_sheet s = {.kind = below(d, 4)};
    s.r = scale * between(d, 0.3, 1);
    s.r2 = s.r * magnitude(d, -3, -0.1);
    s.wide = s.kind == 1 ? between(d, 0.1, 6) : scale * magnitude(d, -2, 0);
    s.high = scale * magnitude(d, -2, 0);
    s.reach = s.r + s.r2 + s.high + (s.kind == 0 ? s.wide : 0);
    return s;
}

/*
 * A rational quadratic arc by a straight line: part of a cylinder, exactly but for the rounding of its numbers, with weights
 * (1, g cos(alpha / 2), g^2) that crowd the parameter towards one end.
 */
void run_arcs(batch* b)
{
    double scale = any_scale(&b->d), alpha = between(&b->d, 0.05, 2.6), g = magnitude(&b->d, -5, 5), t = tan(alpha / 2);
    round_sheet s = {.kind = 1, .r = scale, .wide = alpha};
    s.high = scale * magnitude(&b->d, -2, 1);
    s.reach = scale + s.high;
    patch p = {.degree = {2, 1}, .count = {3, 2}, .knots = {{0, 0, 0, 1, 1, 1}, {0, 0, 1, 1}}};
    double at[3][3] = {
        {scale, 0, 1}, {scale, scale * t, g * cos(alpha / 2)}, {scale * cos(alpha), scale * sin(alpha), g * g}};
    double side = magnitude(&b->d, -4, 4); /* products of weights: lines stay lines, circles circles */
    for (int m = 0; m < 6; m++) {
        p.point[3 * m] = at[m / 2][0];
        p.point[3 * m + 1] = at[m / 2][1];
        p.point[3 * m + 2] = m % 2 ? s.high : -s.high;
        p.weight[m] = at[m / 2][2] * (m % 2 ? side : 1);
    }
    wit_body* body = sheet_of_patch(&p, WIT_BODY_SHEET2);
    LD blur = 64 * (LD)DBL_EPSILON * scale * (1 + t);
    for (int i = 0; body && i < 8; i++) {
        place to = any_place(&b->d, scale);
        v3 n = any_direction(&b->d);
        LD far = between(&b->d, 0, 2) * scale;
        v3 w = turned(&to, vec(far * n.x, far * n.y, 1.5L * n.z * s.high));
        double x[3] = {(double)(w.x + to.p[0]), (double)(w.y + to.p[1]), (double)(w.z + to.p[2])};
        v3 seen = turned_back(&to, position_from(&to, x));
        range d = round_distance(&s, seen);
        claim c = {{larger_of(0, d.lo - blur), d.hi + blur},
                   size_of(body),
                   0,
                   true,
                   norm(vec(to.p[0], to.p[1], to.p[2])) + norm(seen) + s.reach};
        widen(&c, body);
        ask_at_most(b, 8000);
        wit_placed pa = wit_placed_at(body, pose_of(&to));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}

/* One-sided rectangles are signed by their normal where the foot is inside; all else is two-sided here. */
void run_sheets(batch* b)
{
    double scale = magnitude(&b->d, -6, 6);
    round_sheet s = any_round(&b->d, scale);
    bool one_sided = s.kind == 0 && below(&b->d, 2);
    wit_body* body = build_round(&s, one_sided ? WIT_BODY_SHEET : WIT_BODY_SHEET2);
    for (int i = 0; body && i < 10; i++) {
        place at = any_place(&b->d, scale);
        v3 n = any_direction(&b->d);
        LD far = between(&b->d, 0, 1.6) * scale;
        v3 w = vec(n.x * far, n.y * far, n.z * far);
        if (one_sided) w = vec(n.x * s.wide, n.y * s.high, w.z);
        w = turned(&at, w);
        double x[3] = {(double)(w.x + at.p[0]), (double)(w.y + at.p[1]), (double)(w.z + at.p[2])};
        v3 seen = turned_back(&at, position_from(&at, x));
        claim c = {round_distance(&s, seen), size_of(body), 0, !one_sided,
                   norm(vec(at.p[0], at.p[1], at.p[2])) + size_of(body)};
        if (one_sided && seen.z < 0) c.truth = (range){-c.truth.hi, -c.truth.lo};
        if (one_sided && (fabsl(seen.x) > 0.999L * s.wide || fabsl(seen.y) > 0.999L * s.high)) continue;
        ask_any(b);
        wit_placed pa = wit_placed_at(body, pose_of(&at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}

/* ---- sheets that nearly cross ------------------------------------------------------------------------ */

/* Rectangles about as large as each other, or one a millionth of the other; both perhaps far from their own origin. */
static wit_body* any_rectangle(dice* d, shape* s, double scale, double off)
{
    *s = (shape){.kind = BOX, .convex = true};
    s->size[0] = scale * between(d, 0.3, 2);
    s->size[1] = scale * between(d, 0.3, 2);
    for (int i = 0; i < 3; i++) s->origin[i] = off > 0 ? between(d, -off, off) : 0;
    set_reach(s);
    round_sheet r = {.wide = s->size[0] / 2, .high = s->size[1] / 2};
    r.origin = (wit_vec3){s->origin[0], s->origin[1], s->origin[2]};
    return build_round(&r, WIT_BODY_SHEET2);
}

static v3 origin_of(const shape* s)
{
    return vec(s->origin[0], s->origin[1], s->origin[2]);
}

/* Flat rectangles are boxes without height. A corner, an edge or the face of one stands 1e-16 to 1e-9 over the other: of
 * the largest coordinate, which is what rounding goes by. */
static void cross_rectangles(batch* b, double scale)
{
    shape s[2];
    wit_body* body[2];
    place at[2];
    double part = below(&b->d, 2) ? 1 : magnitude(&b->d, -6, 0), off = below(&b->d, 2) ? 0 : magnitude(&b->d, 0, 6);
    bool shallow = below(&b->d, 2), both = below(&b->d, 2) || shallow;
    if (shallow) { /* a corner that rounding may press through the other, and is nearly level with it */
        off = magnitude(&b->d, 1, 6);
        part = magnitude(&b->d, -1, 0);
    }
    body[0] = any_rectangle(&b->d, &s[0], scale, off * scale);
    body[1] = any_rectangle(&b->d, &s[1], scale * part, both ? off * scale : 0);
    for (int i = 0; body[0] && body[1] && i < 6; i++) {
        double gap = scale * fmax(1, off) * magnitude(&b->d, -16, -9) * (below(&b->d, 4) ? 1 : -1);
        if (shallow) gap = scale * fmax(1, off) * magnitude(&b->d, -17.5, -14.5);
        v3 axis = any_direction(&b->d), up = vec(0, 0, 1);
        if (below(&b->d, 2)) axis = unit(vec(axis.x, axis.y, 0));
        if (below(&b->d, 3) == 0) axis = below(&b->d, 2) ? vec(1, 0, 0) : vec(0, 1, 0);
        at[0] = any_place(&b->d, 0);
        at[1] = any_place(&b->d, 0);
        if (below(&b->d, 2)) {
            double angle = below(&b->d, 3) ? between(&b->d, 0, 3) : magnitude(&b->d, -9, -1);
            at[0] = (place){{1, 0, 0, 0}, {0, 0, 0}};
            small_rotation(axis, angle, at[1].q);
        }
        if (shallow) {
            double tilt = magnitude(&b->d, -4, -1.5), t[4];
            small_rotation(turned(&at[0], unit(vec(axis.x, axis.y, 0))), tilt, t);
            turn_by(t, at[0].q, at[1].q);
        }
        up = turned(&at[0], up);
        v3 down = turned_back(&at[1], up), back = vec(-down.x, -down.y, -down.z);
        v3 low = turned(&at[1], plus(support_point(&s[1], back), 1, origin_of(&s[1])));
        double x = between(&b->d, -0.45, 0.45), y = between(&b->d, -0.45, 0.45);
        v3 foot = turned(&at[0], plus(vec(x * s[0].size[0], y * s[0].size[1], gap), 1, origin_of(&s[0])));
        at[1].p[0] = (double)(foot.x - low.x);
        at[1].p[1] = (double)(foot.y - low.y);
        at[1].p[2] = (double)(foot.z - low.z);
        placed p[2] = {{&s[0], at[0], vec(0, 0, 0)}, {&s[1], at[1], position_from(&at[0], at[1].p)}};
        LD far = norm(origin_of(&s[0])) + norm(origin_of(&s[1])) + norm(p[1].offset) + s[0].reach + s[1].reach;
        claim k = {true_pair_near(&p[0], &p[1], 6, up, foot), fmin(size_of(body[0]), size_of(body[1])), 0, true, far};
        k.truth.lo = larger_of(0, k.truth.lo);
        k.truth.hi = larger_of(0, k.truth.hi);
        ask_rigorous(b);
        wit_placed pa = wit_placed_at(body[0], pose_of(&at[0])), pc = wit_placed_at(body[1], pose_of(&at[1]));
        judge_pair(b, &pa, &pc, &k);
    }
    wit_body_destroy(body[0]);
    wit_body_destroy(body[1]);
}

/* A sphere sheet and a round sheet of any kind: t = max(0, |sd of the centre| - r) while the sphere is on one side. */
static void cross_sphere(batch* b, double scale)
{
    round_sheet s = any_round(&b->d, scale), ball = {.kind = 2};
    ball.r = scale * magnitude(&b->d, -6, -0.3);
    ball.reach = ball.r;
    wit_body *body = build_round(&s, WIT_BODY_SHEET2), *other = build_round(&ball, WIT_BODY_SHEET2);
    for (int i = 0; body && other && i < 6; i++) {
        double gap = scale * magnitude(&b->d, -16, -9);
        v3 n = any_direction(&b->d), x;
        place at = any_place(&b->d, scale), to = any_place(&b->d, 0);
        LD far = ball.r + gap, angle = atan2l(n.y, n.x), rho = sqrtl(n.x * n.x + n.y * n.y);
        if (s.kind == 0)
            x = vec(0.9L * n.x * s.wide, 0.9L * n.y * s.high, far);
        else if (s.kind == 1)
            x = vec((s.r + far) * cosl(s.wide / 2), (s.r + far) * sinl(s.wide / 2), 0.9L * n.z * s.high);
        else if (s.kind == 2)
            x = vec((s.r + far) * n.x, (s.r + far) * n.y, (s.r + far) * n.z);
        else
            x = vec((s.r + (s.r2 + far) * rho) * cosl(angle), (s.r + (s.r2 + far) * rho) * sinl(angle),
                    (s.r2 + far) * n.z);
        v3 w = turned(&at, x);
        to.p[0] = (double)(w.x + at.p[0]);
        to.p[1] = (double)(w.y + at.p[1]);
        to.p[2] = (double)(w.z + at.p[2]);
        range d = round_distance(&s, turned_back(&at, position_from(&at, to.p)));
        LD error = 64 * ULP * (s.reach + ball.r);
        claim k = {{larger_of(0, d.lo - ball.r - error), larger_of(0, d.hi - ball.r + error)},
                   fmin(size_of(body), size_of(other)),
                   0,
                   true,
                   norm(vec(at.p[0], at.p[1], at.p[2])) + s.reach + ball.reach};
        ask_any(b);
        if (below(&b->d, 2)) ask_rigorous(b);
        wit_placed pa = wit_placed_at(body, pose_of(&at)), pc = wit_placed_at(other, pose_of(&to));
        judge_pair(b, &pa, &pc, &k);
    }
    wit_body_destroy(body);
    wit_body_destroy(other);
}

void run_crossing(batch* b)
{
    double scale = any_scale(&b->d);
    if (below(&b->d, 2))
        cross_rectangles(b, scale);
    else
        cross_sphere(b, scale);
}
