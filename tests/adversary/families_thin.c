/* SPDX-License-Identifier: MIT */
/* Shallow bowls and domes of many strips, thin rings and shells, small budgets. */
#include "families.h"
#include "bowl.h"

/* A bowl pressed by a box that stands straight above it: up it goes by `up` at most, and then they are apart. */
static LD way_up(const bowl* w, const double centre[3], const double half[3])
{
    LD top = -INFINITY, lo = (LD)centre[0] - half[0], hi = (LD)centre[0] + half[0];
    const double(*c)[2] = w->shape.corner;
    for (int i = 2; i + 1 < w->shape.corners; i++) { /* strips, from right to left */
        LD x1 = c[i][0], y1 = c[i][1], x0 = c[i + 1][0], y0 = c[i + 1][1];
        if (x1 < lo || x0 > hi) continue;
        LD a = larger_of(lo, x0), b = smaller_of(hi, x1);
        top = larger_of(top, y0 + (y1 - y0) * (a - x0) / (x1 - x0));
        top = larger_of(top, y0 + (y1 - y0) * (b - x0) / (x1 - x0));
    }
    return top - ((LD)centre[1] - half[1]) + 64 * ULP;
}

static void press_box(batch* b, bowl* w, wit_body* bowl_body)
{
    actor c;
    double deep = magnitude(&b->d, -4, -2), edge = magnitude(&b->d, -2.5, -1.5);
    deep = fmin(deep, edge / 4);
    shape* s = &c.shape;
    *s = (shape){.kind = BOX, .convex = true};
    s->size[0] = s->size[1] = s->size[2] = edge;
    set_reach(s);
    c.body = body_of(s);
    actor a;
    a.shape = w->shape;
    a.body = bowl_body;
    for (int i = 0; c.body && i < 4; i++) {
        /* at one end of the prism: out along z is a little farther than up, and nearer than out of the hull */
        double x = between(&b->d, 0.4, 0.6), z = 1 - deep - w->sag * between(&b->d, 0.1, 0.9) + edge / 2;
        double y = edge / 2 - deep;
        if (below(&b->d, 4) == 0) y += deep + w->sag * between(&b->d, 0, 1.5);
        a.placed.at = (place){{1, 0, 0, 0}, {0, 0, 0}};
        c.placed.at = (place){{1, 0, 0, 0}, {x, y, z}};
        claim k = claim_of_pair(&a, &c, 2);
        double half[3] = {edge / 2, edge / 2, edge / 2};
        LD up = way_up(w, c.placed.at.p, half);
        if (up > 0) k.truth.lo = larger_of(k.truth.lo, -up);
        wit_placed pa = wit_placed_at(a.body, pose_of(&a.placed.at)), pc = wit_placed_at(c.body, pose_of(&c.placed.at));
        ask_any(b);
        judge_pair(b, &pa, &pc, &k);
    }
    wit_body_destroy(c.body);
}

static void hover_ball(batch* b, bowl* w, wit_body* body)
{
    actor a, c;
    shape* s = &c.shape;
    *s = (shape){.kind = BALL, .convex = true};
    s->size[0] = w->scale * magnitude(&b->d, -3, 0);
    set_reach(s);
    c.body = body_of(s);
    a.shape = w->shape;
    a.body = body;
    for (int i = 0; c.body && i < 4; i++) {
        double gap = w->sag * magnitude(&b->d, -3, 1) * (below(&b->d, 4) ? 1 : -1), x = between(&b->d, 0.2, 0.8);
        a.placed.at = any_place(&b->d, below(&b->d, 2) ? w->scale : 0);
        c.placed.at = any_place(&b->d, 0);
        place_from(&a, &c, turned(&a.placed.at, vec(x * w->scale, (LD)gap + s->size[0], 0.5L * w->scale)));
        ask_any(b);
        ask_actors(b, &a, &c, 2);
        ask_any(b);
        ask_actor_point(b, &a, c.placed.at.p);
    }
    wit_body_destroy(c.body);
}

void run_bowls(batch* b)
{
    bowl w;
    int strips = 50 + below(&b->d, 350);
    double turn = magnitude(&b->d, -9, -6);
    make_bowl(&w, strips, turn, below(&b->d, 4) != 0);
    if (below(&b->d, 2)) scale_bowl(&w, any_scale(&b->d));
    wit_body* body = body_of(&w.shape);
    if (!body) return;
    if (w.hollow && w.scale == 1) press_box(b, &w, body);
    hover_ball(b, &w, body);
    wit_body_destroy(body);
}

/*
 * A dish: a body of revolution whose top is a shallow parabola of many straight pieces, inwards or outwards; a ball or a box over
 * it, in it, at its rim; points.
 */
static void dish_scene(batch* b, actor* a, actor* c, double scale)
{
    double lift = scale * magnitude(&b->d, -9, 0) * (below(&b->d, 4) ? 1 : -1);
    a->placed.at = any_place(&b->d, scale);
    c->placed.at = any_place(&b->d, 0);
    v3 n = any_direction(&b->d), up = turned(&a->placed.at, vec(0, 0, 1));
    v3 low = support_point(&c->shape, turned_back(&c->placed.at, vec(-up.x, -up.y, -up.z)));
    v3 over = vec(n.x * scale, n.y * scale, a->shape.height + lift);
    place_from(a, c, minus(turned(&a->placed.at, over), turned(&c->placed.at, low)));
    ask_at_most(b, 6000);
    ask_actors(b, a, c, 4);
    ask_somewhere(b, a);
}

void run_dishes(batch* b)
{
    actor a, c;
    int pieces = 8 + below(&b->d, 100);
    double scale = any_scale(&b->d), bend = magnitude(&b->d, -9, -0.5) * scale, top = scale * between(&b->d, 0.3, 1);
    bool hollow = below(&b->d, 3) != 0;
    shape* s = &a.shape;
    *s = (shape){.kind = TURNED, .convex = !hollow, .height = top, .corners = 2};
    s->corner[1][0] = scale;
    for (int i = pieces; i >= 0; i--) {
        double x = (double)i / pieces;
        s->corner[s->corners][0] = x * scale;
        s->corner[s->corners++][1] = hollow ? top - bend * (1 - x * x) * 0.3 : top - bend * x * x * 0.3;
    }
    set_reach(s);
    any_convex(&b->d, &c.shape, scale * magnitude(&b->d, -2, 0), 3);
    play(b, &a, &c, scale, 3, dish_scene);
}

/* Tori and shells down to a ten-thousandth of their radius: the sign of points near the thin part, with small budgets. */
void run_rings(batch* b)
{
    actor a;
    double scale = any_scale(&b->d), thin = magnitude(&b->d, -4, -0.3);
    a.shape = (shape){.kind = below(&b->d, 3) ? TORUS : SHELL};
    a.shape.size[0] = scale;
    a.shape.size[1] = a.shape.kind == TORUS ? scale * thin : scale * (1 - thin);
    set_reach(&a.shape);
    a.body = body_of(&a.shape);
    for (int i = 0; a.body && i < 12; i++) {
        v3 n = any_direction(&b->d);
        LD part = a.shape.kind == TORUS ? (LD)thin * between(&b->d, -1.2, 1.2) : n.z;
        LD far = between(&b->d, 0, 1.2) * scale, up = part * scale;
        if (below(&b->d, 3) == 0) far = scale * (1 + thin * between(&b->d, -2, 2)); /* next to the thin part */
        LD angle = atan2l(n.y, n.x);
        v3 x = a.shape.kind == TORUS ? vec(far * cosl(angle), far * sinl(angle), up)
                                     : vec(far * n.x, far * n.y, far * n.z);
        a.placed.at = any_place(&b->d, 0);
        x = turned(&a.placed.at, x);
        double p[3] = {(double)x.x, (double)x.y, (double)x.z};
        if (below(&b->d, 2))
            ask_any(b);
        else
            ask_budget(b, 1, 1000);
        ask_actor_point(b, &a, p);
    }
    wit_body_destroy(a.body);
}

/* ---- shells that cross themselves ------------------------------------------------------------------ */

/* Balls of radius 1 about (-0.6, 0, 0) and 0.8 about (0.6, 0, 0): the union of the two. Inside, the way out is to a foot on
 * one sphere that is not in the other ball, or to the circle in which they meet. */
static range union_form(v3 x)
{
    static const LD at[2] = {-0.6L, 0.6L}, r[2] = {1, 0.8L};
    LD rho = sqrtl(x.y * x.y + x.z * x.z), least = INFINITY, out = INFINITY;
    /* (c + 0.6)^2 + h^2 = 1, (c - 0.6)^2 + h^2 = 0.64 */
    const LD c = 0.36L / 2.4L, h = sqrtl(1 - (c + 0.6L) * (c + 0.6L));
    for (int i = 0; i < 2; i++) {
        LD dx = x.x - at[i], d = sqrtl(dx * dx + rho * rho), way = fabsl(d - r[i]);
        out = smaller_of(out, d - r[i]);
        LD fx = d > 0 ? at[i] + dx * r[i] / d : at[i], fy = d > 0 ? rho * r[i] / d : r[i];
        bool free = (fx - at[1 - i]) * (fx - at[1 - i]) + fy * fy >= r[1 - i] * r[1 - i];
        if (free) least = smaller_of(least, way);
    }
    least = smaller_of(least, sqrtl((x.x - c) * (x.x - c) + (rho - h) * (rho - h)));
    LD d = out < 0 ? -least : out;
    return (range){d, d};
}

/* One solid of two spheres that cross: it goes twice round what both hold. */
static wit_body* crossed_body(double scale)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    wit_surface* s[2];
    wit_face_def f[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        d.frame.origin = (wit_vec3){(i ? 0.6 : -0.6) * scale, 0, 0};
        d.radius = (i ? 0.8 : 1) * scale;
        s[i] = wit_surface_create(&d, NULL, NULL);
        f[i].surface = s[i];
    }
    wit_body_def b = wit_body_default_def(WIT_BODY_SOLID);
    b.face_count = 2;
    b.faces = f;
    wit_body* body = s[0] && s[1] ? wit_body_create(&b, NULL, NULL) : NULL;
    for (int i = 0; i < 2; i++) wit_surface_destroy(s[i]);
    return body;
}

void run_crossed(batch* b)
{
    actor a;
    double scale = any_scale(&b->d);
    a.shape = (shape){.kind = FORM, .form = union_form, .unit = scale};
    a.shape.size[0] = 3 * scale;
    a.shape.size[1] = a.shape.size[2] = 2 * scale;
    a.shape.blur = 16 * (LD)DBL_EPSILON * scale;
    set_reach(&a.shape);
    a.body = crossed_body(scale);
    a.placed.shape = &a.shape;
    a.placed.offset = vec(0, 0, 0);
    for (int i = 0; a.body && i < 8; i++) {
        v3 n = any_direction(&b->d);
        double x[3], part = below(&b->d, 2) ? 1 : 0.3, side = between(&b->d, -1.4, 1.4);
        a.placed.at = any_place(&b->d, below(&b->d, 2) ? scale : 0);
        v3 w = turned(&a.placed.at, vec(side * scale, part * n.y * scale, part * n.z * scale));
        x[0] = (double)w.x + a.placed.at.p[0];
        x[1] = (double)w.y + a.placed.at.p[1];
        x[2] = (double)w.z + a.placed.at.p[2];
        if (below(&b->d, 4) == 0) any_point(&b->d, &a.placed, x);
        ask_any(b);
        claim k = claim_of_point(&a, x);
        wit_placed pa = wit_placed_at(a.body, pose_of(&a.placed.at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
    }
    wit_body_destroy(a.body);
}
