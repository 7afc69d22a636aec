/* SPDX-License-Identifier: MIT */
/* Ready-made solids against closed forms, points and pairs: shapes, sizes, offsets. */
#include "families.h"

/* The sharpest truth: of both nothing but a ball is left. */
static void make_ball(shape* s)
{
    s->kind = BALL;
    s->convex = true;
    set_reach(s);
}

static double reach_of(const actor* a, const actor* c)
{
    return (double)(a->shape.reach + c->shape.reach);
}

void run_points(batch* b)
{
    actor a;
    double scale = any_scale(&b->d), aspect = any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    if (!enter(&a)) return;
    for (int i = 0; i < 12; i++) {
        a.placed.at = any_place(&b->d, below(&b->d, 2) ? 3 * scale : 0);
        ask_somewhere(b, &a);
    }
    leave(&a);
}

/* A turned box or prism, asked from beyond a corner: the nearest feature is a vertex, which is exact. */
void run_corners(batch* b)
{
    actor a;
    double scale = any_scale(&b->d), far = below(&b->d, 2) ? 10 * scale : 0;
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != BOX && a.shape.kind != PRISM);
    if (!enter(&a)) return;
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
    leave(&a);
}

static void pair_scene(batch* b, actor* a, actor* c, double scale)
{
    double apart = between(&b->d, 0, 1.6) * reach_of(a, c);
    a->placed.at = any_place(&b->d, scale);
    place_near(&b->d, a, c, apart);
    ask_at_most(b, a->shape.convex || c->shape.convex ? 20000 : 4000);
    ask_actors(b, a, c, 12);
}

void run_pairs(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), aspect = any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    any_shape(&b->d, &c.shape, scale, aspect);
    play(b, &a, &c, scale, 8, pair_scene);
}

/* Turned from splines of wild weights: exact cones, cylinders and balls, whatever their parameters do. */
void run_spun(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), wild = between(&b->d, 0, 8);
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != TURNED && a.shape.kind != BALL);
    any_convex(&b->d, &c.shape, scale, 5);
    a.body = spun_body(&b->d, &a.shape, wild);
    a.placed.shape = &a.shape;
    a.placed.offset = vec(0, 0, 0);
    if (a.body && enter(&c)) {
        for (int i = 0; i < 4; i++) {
            a.placed.at = any_place(&b->d, scale);
            ask_somewhere(b, &a);
            place_near(&b->d, &a, &c, between(&b->d, 0, 1.6) * reach_of(&a, &c));
            ask_at_most(b, 4000);
            ask_actors(b, &a, &c, 8);
        }
        leave(&c);
    }
    leave(&a);
}

/* Small bodies far from the origin. */
static void far_scene(batch* b, actor* a, actor* c, double off)
{
    double near = 0.5 * reach_of(a, c);
    a->placed.at = any_place(&b->d, off);
    ask_somewhere(b, a);
    place_near(&b->d, a, c, between(&b->d, 0.3, 3) * near);
    ask_at_most(b, 8000);
    ask_actors(b, a, c, 8);
}

void run_far(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -6, 0), off = fmin(scale * magnitude(&b->d, 0, 9), 1e6);
    any_shape(&b->d, &a.shape, scale, 3);
    any_convex(&b->d, &c.shape, scale, 3);
    if (below(&b->d, 2)) {
        make_ball(&a.shape);
        make_ball(&c.shape);
    }
    play(b, &a, &c, off, 8, far_scene);
}

/* Bodies whose own origin is far from them. */
static void off_origin_scene(batch* b, actor* a, actor* c, double scale)
{
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    ask_somewhere(b, a);
    v3 n = any_direction(&b->d), oa = vec(a->shape.origin[0], a->shape.origin[1], a->shape.origin[2]);
    v3 oc = vec(c->shape.origin[0], c->shape.origin[1], c->shape.origin[2]);
    c->placed.at = any_place(&b->d, 0);
    v3 o = minus(turned(&a->placed.at, oa), turned(&c->placed.at, oc));
    place_from(a, c, plus(o, between(&b->d, 0.5, 4) * scale, n));
    ask_at_most(b, 8000);
    ask_actors(b, a, c, 8);
}

void run_off_origin(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -2, 1), off = scale * magnitude(&b->d, 1, 6);
    any_shape(&b->d, &a.shape, scale, 3);
    any_convex(&b->d, &c.shape, scale, 3);
    bool both = below(&b->d, 2);
    for (int i = 0; i < 3; i++) a.shape.origin[i] = between(&b->d, -off, off);
    for (int i = 0; both && i < 3; i++) c.shape.origin[i] = between(&b->d, -off, off);
    play(b, &a, &c, scale, 6, off_origin_scene);
}

/* Triangles a ten-thousandth as high as wide, needles, plates: points and pairs. */
static void sliver_scene(batch* b, actor* a, actor* c, double scale)
{
    a->placed.at = any_place(&b->d, scale);
    ask_somewhere(b, a);
    place_near(&b->d, a, c, between(&b->d, 0, 2) * scale);
    ask_at_most(b, 8000);
    ask_actors(b, a, c, 10);
}

static void any_sliver(dice* d, shape* s, double scale)
{
    double thin = magnitude(d, -4, -1);
    any_shape(d, s, scale, 2);
    s->kind = below(d, 2) ? PRISM : BOX;
    s->convex = true;
    s->size[0] = scale;
    s->size[1] = below(d, 2) ? scale : scale * thin;
    s->size[2] = scale * thin;
    s->height = s->size[1];
    s->corners = 3;
    double top = between(d, -0.2, 1.2) * scale;
    double corner[3][2] = {{0, 0}, {scale, 0}, {top, scale * thin}};
    for (int i = 0; i < 6; i++) s->corner[i / 2][i % 2] = corner[i / 2][i % 2];
    set_reach(s);
}

void run_slivers(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    any_sliver(&b->d, &a.shape, scale);
    if (below(&b->d, 2))
        any_convex(&b->d, &c.shape, scale, 5);
    else
        any_sliver(&b->d, &c.shape, scale);
    play(b, &a, &c, scale, 6, sliver_scene);
}

/* One in the other: in the cavity of a shell, in the hole of a ring, deep inside a solid. */
static void nested_scene(batch* b, actor* a, actor* c, double scale)
{
    a->placed.at = any_place(&b->d, scale);
    place_near(&b->d, a, c, between(&b->d, 0, 0.7) * scale);
    ask_at_most(b, 6000);
    ask_actors(b, a, c, 10);
}

void run_nested(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), part = magnitude(&b->d, -3, -0.1);
    any_shape(&b->d, &a.shape, scale, 2);
    any_shape(&b->d, &c.shape, scale * part * 0.3, 3);
    play(b, &a, &c, scale, 8, nested_scene);
}

/* A body a millionth as large as the other, at its surface. */
static void tiny_scene(batch* b, actor* a, actor* c, double scale)
{
    double x[3];
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    any_point(&b->d, &a->placed, x);
    c->placed.at = any_place(&b->d, 0);
    for (int k = 0; k < 3; k++) c->placed.at.p[k] = x[k];
    ask_at_most(b, 6000);
    ask_actors(b, a, c, 10);
}

void run_tiny(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 6), tiny = scale * magnitude(&b->d, -6, -3);
    any_shape(&b->d, &a.shape, scale, 5);
    any_convex(&b->d, &c.shape, tiny, 3);
    play(b, &a, &c, scale, 8, tiny_scene);
}

/* A half-space z <= 0, turned, and anything: t = -h(-z), apart and in each other. */
void run_half_space(batch* b)
{
    actor c;
    double scale = any_scale(&b->d);
    any_shape(&b->d, &c.shape, scale, 10);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body* half = wit_solid_create(&d, NULL, NULL);
    bool both = enter(&c) && half;
    for (int i = 0; both && i < 8; i++) {
        place at = any_place(&b->d, scale);
        double far = between(&b->d, 0, 5) * scale;
        v3 n = any_direction(&b->d);
        c.placed.at = any_place(&b->d, 0);
        c.placed.at.p[0] = (double)(at.p[0] + far * n.x);
        c.placed.at.p[1] = (double)(at.p[1] + far * n.y);
        c.placed.at.p[2] = (double)(at.p[2] + far * n.z);
        c.placed.offset = position_from(&at, c.placed.at.p);
        n = turned(&at, vec(0, 0, 1));
        LD deep = placed_support(&c.placed, vec(-n.x, -n.y, -n.z));
        LD error = 100 * ULP * (norm(c.placed.offset) + c.shape.reach);
        LD off = norm(vec(at.p[0], at.p[1], at.p[2]));
        claim k = {{-deep - error, -deep + error},
                   size_of(c.body),
                   0,
                   false,
                   norm(c.placed.offset) + c.shape.reach + 3 * scale + 2 * off};
        ask_any(b);
        wit_placed pa = wit_placed_at(half, pose_of(&at)), pc = wit_placed_at(c.body, pose_of(&c.placed.at));
        judge_pair(b, &pa, &pc, &k);
    }
    wit_body_destroy(half);
    leave(&c);
}
