/* SPDX-License-Identifier: MIT */
/* Places that are hard for two solids: nearly parallel and coaxial, nearly in touch, in each other's way, the same twice. */
#include "families.h"

/* Nearly parallel, nearly coaxial: turned against each other by 1e-16 to 1e-3. */
static void parallel_scene(batch* b, actor* a, actor* c, double scale)
{
    v3 axis = any_direction(&b->d);
    double angle = below(&b->d, 4) ? magnitude(&b->d, -16, -3) : 0, off = below(&b->d, 2) ? 1e-6 : 1, t[4];
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    if (below(&b->d, 2)) small_rotation(axis, 0, a->placed.at.q);
    small_rotation(axis, angle, t);
    turn_by(t, a->placed.at.q, c->placed.at.q);
    /* along the axis mostly, with a little beside it */
    double up = between(&b->d, -2.5, 2.5) * scale, x = between(&b->d, -1, 1) * off * scale;
    double y = between(&b->d, -1, 1) * off * scale;
    place_from(a, c, turned(&a->placed.at, vec(x, y, up)));
    ask_at_most(b, 8000);
    ask_actors(b, a, c, 12);
}

void run_parallel(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    shape_kind kinds[4] = {BOX, CAPSULE, TURNED, PRISM};
    shape_kind want = kinds[below(&b->d, 4)];
    do any_shape(&b->d, &a.shape, scale, 10);
    while (a.shape.kind != want);
    do any_shape(&b->d, &c.shape, scale, 10);
    while (c.shape.kind != want);
    play(b, &a, &c, scale, 6, parallel_scene);
}

/* From a point near the surface along the gradient, to where a's signed distance is `aim`, as nearly as a few steps come. */
static v3 walk_to(const actor* a, v3 at, LD aim)
{
    LD h = 1e-6L * a->shape.reach;
    for (int k = 0; k < 6; k++) {
        range r = placed_distance(&a->placed, at);
        LD g[3];
        for (int m = 0; m < 3; m++) {
            v3 e = vec(m == 0 ? h : 0, m == 1 ? h : 0, m == 2 ? h : 0);
            range up = placed_distance(&a->placed, plus(at, 1, e)), down = placed_distance(&a->placed, plus(at, -1, e));
            g[m] = up.lo - down.lo;
        }
        v3 n = unit(vec(g[0], g[1], g[2]));
        LD step = aim - 0.5L * (r.lo + r.hi);
        if (isfinite(step) && isfinite(n.x)) at = plus(at, step, n);
    }
    return at;
}

/* A ball against anything, nearly touching: gaps of 1e-16 to 1e-3 of the size, either side. */
static void tangent_scene(batch* b, actor* a, actor* c, double scale)
{
    double x[3], gap = magnitude(&b->d, -16, -3) * scale * (below(&b->d, 2) ? 1 : -1);
    a->placed.at = any_place(&b->d, scale);
    any_point(&b->d, &a->placed, x);
    v3 at = walk_to(a, position_from(&a->placed.at, x), (LD)c->shape.size[0] + gap);
    c->placed.at = any_place(&b->d, 0);
    place_from(a, c, at);
    ask_at_most(b, 8000);
    ask_actors(b, a, c, 6);
}

void run_tangent(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    any_shape(&b->d, &a.shape, scale, 10);
    c.shape = (shape){.kind = BALL, .convex = true};
    c.shape.size[0] = scale * magnitude(&b->d, -2, 0);
    set_reach(&c.shape);
    play(b, &a, &c, scale, 8, tangent_scene);
}

/*
 * Any two solids, convex or not, put together at their farthest points along n: a gap g along n between two points of theirs is
 * an upper bound, and the planes there a lower one, so that t = g, whatever meets there: corners, edges, faces, rims. Gaps
 * from 1e-16 of the size up, none at all, and a little overlap (then g is the lower bound only).
 */
static void touch_scene(batch* b, actor* a, actor* c, double scale)
{
    static const v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int way = below(&b->d, 4), side = below(&b->d, 8);
    double gap = magnitude(&b->d, -16, 0) * scale, t[4];
    if (side < 2) gap = side ? -gap : 0;
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    c->placed.at = any_place(&b->d, 0);
    v3 n = any_direction(&b->d);
    if (way == 0) n = turned(&a->placed.at, axes[below(&b->d, 3)]); /* out of a face */
    if (way == 1) {                                                 /* two faces, or nearly */
        double angle = below(&b->d, 2) ? magnitude(&b->d, -16, -3) : 0;
        small_rotation(any_direction(&b->d), angle, t);
        turn_by(t, a->placed.at.q, c->placed.at.q);
        n = turned(&a->placed.at, axes[below(&b->d, 3)]);
    }
    v3 back = vec(-n.x, -n.y, -n.z);
    v3 pa = turned(&a->placed.at, support_point(&a->shape, turned_back(&a->placed.at, n)));
    v3 pc = turned(&c->placed.at, support_point(&c->shape, turned_back(&c->placed.at, back)));
    place_from(a, c, plus(minus(pa, pc), gap, n));
    ask_at_most(b, 8000);
    ask_actors_near(b, a, c, n, pa);
}

void run_touch(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), aspect = below(&b->d, 2) ? 3 : magnitude(&b->d, 0, 4);
    any_shape(&b->d, &a.shape, scale, aspect);
    any_shape(&b->d, &c.shape, scale * (below(&b->d, 2) ? 1 : magnitude(&b->d, -4, 0)), aspect);
    play(b, &a, &c, scale, 8, touch_scene);
}

/* Balls, capsules and rings about and in bodies with hollows: through a ring, in a bore, links of a chain. */
static void link_scene(batch* b, actor* a, actor* c, double scale)
{
    double near = below(&b->d, 2) ? 0.2 : 1.2;
    a->placed.at = any_place(&b->d, scale);
    place_near(&b->d, a, c, between(&b->d, 0, near) * scale);
    claim k = claim_of_pair(a, c, 8);
    k.truth = both_hold(k.truth, about_core(&c->placed, &a->placed));
    ask_at_most(b, 6000);
    ask_claimed(b, a, c, &k);
}

void run_links(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d);
    do any_shape(&b->d, &a.shape, scale, 3);
    while (a.shape.convex);
    do any_shape(&b->d, &c.shape, scale * magnitude(&b->d, -1, 0), 10);
    while (c.shape.kind != CAPSULE && c.shape.kind != TORUS);
    play(b, &a, &c, scale, 6, link_scene);
}

/*
 * A ring on a peg, nearly coaxial: centre e off the axis, tilted by theta. Each point of its core is at least R cos(theta) - e
 * from the axis of the peg, so that the gap is no less than that less both radii (the peg is long enough not to end there).
 */
static void coaxial_scene(batch* b, actor* a, actor* c, double scale)
{
    v3 axis = any_direction(&b->d);
    double tilt = below(&b->d, 3) ? magnitude(&b->d, -16, -4) : 0, t[4];
    double off = below(&b->d, 3) ? magnitude(&b->d, -16, -1) * scale : 0;
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
    if (below(&b->d, 3) == 0) small_rotation(axis, 0, a->placed.at.q);
    small_rotation(axis, tilt, t);
    turn_by(t, a->placed.at.q, c->placed.at.q);
    place_from(a, c, turned(&a->placed.at, vec(off, 0, between(&b->d, 0.4, 0.6) * a->shape.height)));
    claim k = claim_of_pair(a, c, 8);
    v3 up = turned(&c->placed.at, vec(0, 0, 1)), along = turned(&a->placed.at, vec(0, 0, 1));
    v3 from = turned_back(&a->placed.at, c->placed.offset);
    LD e = sqrtl(from.x * from.x + from.y * from.y), level = norm(outer(up, along));
    LD cosine = level < 1 ? sqrtl(1 - level * level) : 0;
    LD clear = c->shape.size[0] * cosine - e - c->shape.size[1] - a->shape.corner[1][0];
    clear -= 64 * ULP * (norm(c->placed.offset) + c->shape.reach + a->shape.reach);
    if (clear > 0) k.truth.lo = larger_of(k.truth.lo, clear);
    ask_at_most(b, 8000);
    ask_claimed(b, a, c, &k);
}

void run_coaxial(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), fit = magnitude(&b->d, -9, -0.5), thin = between(&b->d, 0.05, 0.4);
    a.shape = (shape){.kind = TURNED, .convex = true, .corners = 4};
    double peg[4][2] = {{0, 0}, {scale, 0}, {scale, 10 * scale}, {0, 10 * scale}};
    for (int i = 0; i < 8; i++) a.shape.corner[i / 2][i % 2] = peg[i / 2][i % 2];
    a.shape.height = 10 * scale;
    set_reach(&a.shape);
    c.shape = (shape){.kind = TORUS};
    c.shape.size[1] = thin * scale;
    c.shape.size[0] = scale * (1 + fit) + c.shape.size[1];
    set_reach(&c.shape);
    play(b, &a, &c, scale, 6, coaxial_scene);
}

/* A body with itself, its twin, its twin where it stands, its twin a hair beside it or turned by a hair. */
static void twin_scene(batch* b, actor* a, actor* c, double scale)
{
    static const v3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double by = below(&b->d, 3) ? magnitude(&b->d, -16, 0.3) * scale : 0, t[4];
    a->placed.at = any_place(&b->d, scale);
    c->placed.at = a->placed.at;
    v3 n = below(&b->d, 2) ? any_direction(&b->d) : turned(&a->placed.at, axes[below(&b->d, 3)]);
    if (below(&b->d, 3) == 0) {
        double angle = magnitude(&b->d, -16, -3);
        small_rotation(any_direction(&b->d), angle, t);
        turn_by(t, a->placed.at.q, c->placed.at.q);
    }
    place_from(a, c, plus(vec(0, 0, 0), by, n));
    ask_at_most(b, 6000);
    if (below(&b->d, 2)) {
        ask_actors(b, a, c, 8);
    } else { /* the very same body */
        wit_body* own = c->body;
        c->body = a->body;
        ask_actors(b, a, c, 8);
        c->body = own;
    }
}

void run_twins(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), aspect = any_aspect(&b->d);
    any_shape(&b->d, &a.shape, scale, aspect);
    c.shape = a.shape;
    play(b, &a, &c, scale, 6, twin_scene);
}
