/* SPDX-License-Identifier: MIT */
/* Ready-made solids against closed forms: points, pairs, and the places where they are hard. */
#include "families.h"

static double any_aspect(dice* d)
{
    return below(d, 2) ? magnitude(d, 0, 4) : magnitude(d, 0, 0.7);
}

static void drop(actor* a)
{
    wit_body_destroy(a->body);
    a->body = NULL;
}

/* Needles and discs may be refused: then there is no case. */
static bool build(actor* a)
{
    a->body = body_of(&a->shape);
    return a->body != NULL;
}

void run_points(batch* b)
{
    actor a;
    double scale = magnitude(&b->d, -6, 6), aspect = any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    if (!build(&a)) return;
    for (int i = 0; i < 12; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, below(&b->d, 2) ? 3 * scale : 0);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        ask_any(b);
        ask_actor_point(b, &a, x);
    }
    drop(&a);
}

/* A turned box or prism, asked from beyond a corner: the nearest feature is a vertex, which is exact. */
void run_corners(batch* b)
{
    actor a;
    double scale = magnitude(&b->d, -2, 2), far = below(&b->d, 2) ? 10 * scale : 0;
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != BOX && a.shape.kind != PRISM);
    if (!build(&a)) return;
    for (int i = 0; i < 12; i++) {
        v3 c;
        if (a.shape.kind == BOX) {
            c = vec(a.shape.size[0] / 2, a.shape.size[1] / 2, a.shape.size[2] / 2);
        } else {
            int k = below(&b->d, a.shape.corners);
            c = vec(a.shape.corner[k][0], a.shape.corner[k][1], a.shape.height);
        }
        v3 out = any_direction(&b->d);
        double by = magnitude(&b->d, -3, 0.5) * scale;
        a.placed.at = any_place(&b->d, far);
        v3 w =
            turned(&a.placed.at, plus(plus(c, 0.2L * by, unit(c)), by, vec(fabsl(out.x), fabsl(out.y), fabsl(out.z))));
        double x[3] = {(double)(w.x + a.placed.at.p[0]), (double)(w.y + a.placed.at.p[1]),
                       (double)(w.z + a.placed.at.p[2])};
        ask_rigorous(b);
        ask_actor_point(b, &a, x);
    }
    drop(&a);
}

static void place_near(dice* d, const actor* a, actor* c, double apart)
{
    v3 n = any_direction(d);
    c->placed.at = any_place(d, 0);
    for (int i = 0; i < 3; i++) {
        LD along = i == 0 ? n.x : i == 1 ? n.y : n.z;
        c->placed.at.p[i] = a->placed.at.p[i] + (double)(apart * along);
    }
}

void run_pairs(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -6, 6), aspect = any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    any_shape(&b->d, &c.shape, scale, aspect);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 8; i++) {
        double reach = (double)(a.shape.reach + c.shape.reach), apart = between(&b->d, 0, 1.6) * reach;
        a.placed.at = any_place(&b->d, scale);
        place_near(&b->d, &a, &c, apart);
        ask_any(b);
        if (!a.shape.convex && !c.shape.convex) b->asked.budget = 4000;
        wit_query_set(b->query, &b->asked, NULL);
        ask_actors(b, &a, &c, 12);
    }
    drop(&a);
    drop(&c);
}

/* Small bodies far from the origin. */
void run_far(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 0), off = scale * magnitude(&b->d, 0, 9);
    off = fmin(off, 1e6);
    any_convex(&b->d, &a.shape, scale, 3);
    any_convex(&b->d, &c.shape, scale, 3);
    if (below(&b->d, 2)) { /* balls: the sharpest truth */
        a.shape.kind = c.shape.kind = BALL;
        set_reach(&a.shape);
        set_reach(&c.shape);
    }
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 8; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, off);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        ask_any(b);
        ask_actor_point(b, &a, x);
        place_near(&b->d, &a, &c, between(&b->d, 0.5, 4) * scale);
        ask_any(b);
        ask_actors(b, &a, &c, 8);
    }
    drop(&a);
    drop(&c);
}

/* Bodies whose own origin is far from them. */
void run_off_origin(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -2, 1), off = scale * magnitude(&b->d, 1, 6);
    any_convex(&b->d, &a.shape, scale, 3);
    any_convex(&b->d, &c.shape, scale, 3);
    for (int i = 0; i < 3; i++) a.shape.origin[i] = between(&b->d, -off, off);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 6; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, 0);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        ask_any(b);
        ask_actor_point(b, &a, x);
        v3 o = turned(&a.placed.at, vec(a.shape.origin[0], a.shape.origin[1], a.shape.origin[2]));
        v3 n = any_direction(&b->d);
        LD apart = between(&b->d, 0.5, 4) * scale;
        c.placed.at = any_place(&b->d, 0);
        c.placed.at.p[0] = (double)(o.x + apart * n.x);
        c.placed.at.p[1] = (double)(o.y + apart * n.y);
        c.placed.at.p[2] = (double)(o.z + apart * n.z);
        ask_any(b);
        ask_actors(b, &a, &c, 8);
    }
    drop(&a);
    drop(&c);
}

/* Nearly parallel, nearly coaxial: turned against each other by 1e-16 to 1e-3. */
void run_parallel(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -2, 2);
    shape_kind kinds[4] = {BOX, CAPSULE, TURNED, PRISM};
    shape_kind want = kinds[below(&b->d, 4)];
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != want);
    do any_shape(&b->d, &c.shape, scale, 10);
    while (c.shape.kind != want);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 6; i++) {
        v3 axis = any_direction(&b->d);
        double angle = below(&b->d, 4) ? magnitude(&b->d, -16, -3) : 0, off = below(&b->d, 2) ? 1e-6 : 1;
        a.placed.at = any_place(&b->d, 0);
        if (below(&b->d, 2)) small_rotation(axis, 0, a.placed.at.q);
        c.placed.at = a.placed.at;
        place t = a.placed.at;
        small_rotation(axis, angle, t.q);
        double* p = a.placed.at.q;
        double q[4] = {t.q[0] * p[0] - t.q[1] * p[1] - t.q[2] * p[2] - t.q[3] * p[3],
                       t.q[0] * p[1] + t.q[1] * p[0] + t.q[2] * p[3] - t.q[3] * p[2],
                       t.q[0] * p[2] - t.q[1] * p[3] + t.q[2] * p[0] + t.q[3] * p[1],
                       t.q[0] * p[3] + t.q[1] * p[2] - t.q[2] * p[1] + t.q[3] * p[0]};
        for (int k = 0; k < 4; k++) c.placed.at.q[k] = q[k];
        /* along the axis mostly, with a little beside it */
        double up = between(&b->d, -2.5, 2.5) * scale, x = between(&b->d, -1, 1) * off * scale;
        double y = between(&b->d, -1, 1) * off * scale;
        v3 w = turned(&a.placed.at, vec(x, y, up));
        c.placed.at.p[0] += (double)w.x;
        c.placed.at.p[1] += (double)w.y;
        c.placed.at.p[2] += (double)w.z;
        ask_any(b);
        ask_actors(b, &a, &c, 12);
    }
    drop(&a);
    drop(&c);
}

/* A ball against anything, nearly touching: gaps of 1e-16 to 1e-3 of the size, either side. */
void run_tangent(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    any_shape(&b->d, &a.shape, scale, 10);
    any_shape(&b->d, &c.shape, scale, 1);
    c.shape.kind = BALL;
    c.shape.convex = true;
    c.shape.size[0] = scale * magnitude(&b->d, -2, 0);
    set_reach(&c.shape);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 8; i++) {
        double x[3], gap = magnitude(&b->d, -16, -3) * scale * (below(&b->d, 2) ? 1 : -1);
        a.placed.at = any_place(&b->d, scale);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        /* from a point near the surface outwards along the gradient, to where the signed distance is radius + gap */
        v3 at = position_from(&a.placed.at, x);
        a.placed.offset = vec(0, 0, 0);
        LD h = 1e-6L * a.shape.reach;
        for (int k = 0; k < 6; k++) {
            range r = placed_distance(&a.placed, at);
            LD g[3];
            for (int m = 0; m < 3; m++) {
                v3 e = vec(m == 0 ? h : 0, m == 1 ? h : 0, m == 2 ? h : 0);
                range up = placed_distance(&a.placed, plus(at, 1, e)),
                      down = placed_distance(&a.placed, plus(at, -1, e));
                g[m] = up.lo - down.lo;
            }
            v3 n = unit(vec(g[0], g[1], g[2]));
            LD step = (LD)c.shape.size[0] + gap - 0.5L * (r.lo + r.hi);
            if (isfinite(step) && isfinite(n.x)) at = plus(at, step, n);
        }
        c.placed.at = any_place(&b->d, 0);
        c.placed.at.p[0] = a.placed.at.p[0] + (double)at.x;
        c.placed.at.p[1] = a.placed.at.p[1] + (double)at.y;
        c.placed.at.p[2] = a.placed.at.p[2] + (double)at.z;
        ask_any(b);
        ask_actors(b, &a, &c, 6);
    }
    drop(&a);
    drop(&c);
}

/* Triangles a ten-thousandth as high as wide, needles, plates: points and pairs. */
void run_slivers(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3), thin = magnitude(&b->d, -4, -1);
    any_convex(&b->d, &c.shape, scale, 5);
    any_shape(&b->d, &a.shape, scale, 2);
    a.shape.kind = below(&b->d, 2) ? PRISM : BOX;
    a.shape.convex = true;
    a.shape.size[1] = below(&b->d, 2) ? scale : scale * thin;
    a.shape.size[2] = scale * thin;
    a.shape.height = a.shape.size[1];
    a.shape.corners = 3;
    double top = between(&b->d, -0.2, 1.2) * scale;
    double corner[3][2] = {{0, 0}, {scale, 0}, {top, scale * thin}};
    for (int i = 0; i < 6; i++) a.shape.corner[i / 2][i % 2] = corner[i / 2][i % 2];
    set_reach(&a.shape);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 6; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, 0);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        ask_any(b);
        ask_actor_point(b, &a, x);
        place_near(&b->d, &a, &c, between(&b->d, 0, 2) * scale);
        ask_any(b);
        ask_actors(b, &a, &c, 10);
    }
    drop(&a);
    drop(&c);
}

/* One in the other: in the cavity of a shell, in the hole of a ring, deep inside a solid. */
void run_nested(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3), part = magnitude(&b->d, -3, -0.1);
    any_shape(&b->d, &a.shape, scale, 2);
    any_shape(&b->d, &c.shape, scale * part * 0.3, 3);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 8; i++) {
        a.placed.at = any_place(&b->d, scale);
        place_near(&b->d, &a, &c, between(&b->d, 0, 0.7) * scale);
        ask_any(b);
        ask_actors(b, &a, &c, 10);
    }
    drop(&a);
    drop(&c);
}

/* A body a millionth as large as the other. */
void run_tiny(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3), tiny = scale * magnitude(&b->d, -6, -3);
    any_convex(&b->d, &a.shape, scale, 5);
    any_convex(&b->d, &c.shape, tiny, 3);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 8; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, 0);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        c.placed.at = any_place(&b->d, 0);
        for (int k = 0; k < 3; k++) c.placed.at.p[k] = x[k];
        ask_any(b);
        ask_actors(b, &a, &c, 10);
    }
    drop(&a);
    drop(&c);
}

/* A half-space z <= 0, turned, and anything: t = -h(-z), apart and in each other. */
void run_half_space(batch* b)
{
    actor c;
    double scale = magnitude(&b->d, -3, 3);
    any_shape(&b->d, &c.shape, scale, 10);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body* half = wit_solid_create(&d, NULL, NULL);
    bool both = build(&c) && half;
    for (int i = 0; both && i < 8; i++) {
        place at = any_place(&b->d, scale);
        c.placed.at = any_place(&b->d, 3 * scale);
        c.placed.shape = &c.shape;
        c.placed.offset = position_from(&at, c.placed.at.p);
        v3 n = turned(&at, vec(0, 0, 1));
        LD deep = placed_support(&c.placed, vec(-n.x, -n.y, -n.z));
        LD error = 100 * ULP * (norm(c.placed.offset) + c.shape.reach);
        claim k = {{-deep - error, -deep + error},
                   size_of(c.body),
                   0,
                   false,
                   norm(c.placed.offset) + c.shape.reach + 3 * scale};
        ask_any(b);
        wit_placed pa = wit_placed_at(half, pose_of(&at)), pc = wit_placed_at(c.body, pose_of(&c.placed.at));
        judge_pair(b, &pa, &pc, &k);
    }
    wit_body_destroy(half);
    drop(&c);
}

void run_minima(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -2, 2);
    any_shape(&b->d, &a.shape, scale, 5);
    any_convex(&b->d, &c.shape, scale, 5);
    bool both = build(&a);
    both = build(&c) && both;
    for (int i = 0; both && i < 3; i++) {
        double x[3];
        a.placed.at = any_place(&b->d, 0);
        a.placed.shape = &a.shape;
        any_point(&b->d, &a.placed, x);
        ask_any(b);
        b->asked.budget = 3000;
        wit_query_set(b->query, &b->asked, NULL);
        claim k = claim_of_point(&a, x);
        wit_placed pa = wit_placed_at(a.body, pose_of(&a.placed.at)), pc;
        judge_minima_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
        place_near(&b->d, &a, &c, between(&b->d, 0.5, 4) * scale);
        k = claim_of_pair(&a, &c, 8);
        pc = wit_placed_at(c.body, pose_of(&c.placed.at));
        judge_minima_pair(b, &pa, &pc, &k);
    }
    drop(&a);
    drop(&c);
}
