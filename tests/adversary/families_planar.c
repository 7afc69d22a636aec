/* SPDX-License-Identifier: MIT */
/* Planar bodies: polygons and discs in a plane, points and pairs of that plane. */
#include "families.h"

/* The truth of a flat region is a prism over it that is far higher than anything is wide, cut in the middle. */
static void make_tall(shape* s, double scale)
{
    s->kind = PRISM;
    s->height = 1000 * scale;
    s->origin[0] = s->origin[1] = 0;
    s->origin[2] = -500 * scale;
    set_reach(s);
}

static wit_body* polygon_body(const shape* s, wit_body_kind kind, bool planar, double wide)
{
    enum { MOST = 32 };
    wit_vertex_def v[MOST] = {{0}};
    wit_edge_def e[MOST] = {{0}};
    wit_use_def u[MOST] = {{0}};
    wit_curve* line[MOST] = {0};
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = (wit_interval){-wide, wide};
    wit_surface* plane = wit_surface_create(&sd, NULL, NULL);
    int n = s->corners < MOST ? s->corners : MOST;
    bool good = plane;
    for (int i = 0; i < n; i++) {
        const double *p = s->corner[i], *q = s->corner[(i + 1) % n];
        wit_curve_def l = wit_curve_default_def(WIT_CURVE_LINE);
        l.frame.origin = (wit_vec3){p[0], p[1], 0};
        l.frame.x = (wit_vec3){q[0] - p[0], q[1] - p[1], 0};
        l.frame.z = (wit_vec3){0, 0, 1};
        l.range = (wit_interval){0, hypot(q[0] - p[0], q[1] - p[1])};
        line[i] = wit_curve_create(&l, NULL, NULL);
        good = good && line[i];
        v[i].point = l.frame.origin;
        e[i] = (wit_edge_def){NULL, line[i], {0, 0}, i, (i + 1) % n};
        u[i].edge = i;
    }
    wit_loop_def loop = {n, u};
    wit_face_def f = {NULL, plane, false, false, 1, &loop};
    wit_body_def d = wit_body_default_def(kind);
    d.planar = planar;
    d.vertex_count = d.edge_count = n;
    d.vertices = v;
    d.edges = e;
    d.face_count = 1;
    d.faces = &f;
    wit_body* body = good ? wit_body_create(&d, NULL, NULL) : NULL;
    for (int i = 0; i < n; i++) wit_curve_destroy(line[i]);
    wit_surface_destroy(plane);
    return body;
}

static bool enter_polygon(dice* d, actor* a, double scale, double aspect, bool planar)
{
    do any_shape(d, &a->shape, scale, aspect);
    while (a->shape.kind != PRISM);
    a->body = polygon_body(&a->shape, planar ? WIT_BODY_SOLID : WIT_BODY_SHEET2, planar, 4 * scale);
    make_tall(&a->shape, scale);
    a->placed.shape = &a->shape;
    a->placed.offset = vec(0, 0, 0);
    return a->body != NULL;
}

/* Turned about z only, so that both stay in the plane to the last bit. */
static place in_plane(dice* d, double far)
{
    place p = {{1, 0, 0, 0}, {0, 0, 0}};
    if (below(d, 4)) small_rotation(vec(0, 0, 1), between(d, -3, 3), p.q);
    p.p[0] = between(d, -far, far);
    p.p[1] = between(d, -far, far);
    return p;
}

/* Edges are lines of rounded direction: off the corners by some eps of the size, which the body's tolerance holds. */
static void loosen(claim* k, const actor* a, double scale)
{
    k->widened += wit_body_describe(a->body).tolerance;
    k->coordinates = norm(vec(a->placed.at.p[0], a->placed.at.p[1], 0)) + 10 * (LD)scale;
    k->truth.lo -= 8 * (LD)DBL_EPSILON * scale;
    k->truth.hi += 8 * (LD)DBL_EPSILON * scale;
}

void run_planar(batch* b)
{
    actor a, c;
    double scale = any_scale(&b->d), aspect = any_aspect(&b->d), far = below(&b->d, 2) ? scale : 0;
    bool both = enter_polygon(&b->d, &a, scale, aspect, true);
    both = enter_polygon(&b->d, &c, scale, aspect, true) && both;
    if (below(&b->d, 16) == 0) far *= magnitude(&b->d, 1, 6);
    for (int i = 0; both && i < 6; i++) {
        a.placed.at = in_plane(&b->d, far);
        double angle = between(&b->d, -3, 3), away = between(&b->d, 0, 2.5) * scale;
        double x[3] = {a.placed.at.p[0] + away * cos(angle), a.placed.at.p[1] + away * sin(angle), 0};
        claim k = claim_of_point(&a, x);
        loosen(&k, &a, scale);
        wit_placed pa = wit_placed_at(a.body, pose_of(&a.placed.at)), pc;
        ask_any(b);
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
        c.placed.at = in_plane(&b->d, 0);
        for (int m = 0; m < 2; m++) c.placed.at.p[m] = x[m];
        k = claim_of_pair(&a, &c, 10);
        loosen(&k, &a, scale);
        loosen(&k, &c, scale);
        pc = wit_placed_at(c.body, pose_of(&c.placed.at));
        ask_at_most(b, 8000);
        judge_pair(b, &pa, &pc, &k);
    }
    leave(&a);
    leave(&c);
}

/* A flat sheet trimmed to a polygon, convex or a star, asked from anywhere in space. */
void run_polygons(batch* b)
{
    actor a;
    double scale = any_scale(&b->d), aspect = any_aspect(&b->d);
    bool built = enter_polygon(&b->d, &a, scale, aspect, false);
    for (int i = 0; built && i < 10; i++) {
        a.placed.at = any_place(&b->d, scale);
        v3 n = any_direction(&b->d);
        LD far = between(&b->d, 0, 1.8) * scale, up = magnitude(&b->d, -9, 0.3);
        v3 w = turned(&a.placed.at, vec(far * n.x, far * n.y, far * up * n.z));
        double x[3] = {(double)(w.x + a.placed.at.p[0]), (double)(w.y + a.placed.at.p[1]),
                       (double)(w.z + a.placed.at.p[2])};
        v3 seen = turned_back(&a.placed.at, position_from(&a.placed.at, x));
        range flat = signed_distance(&a.shape, vec(seen.x, seen.y, 500 * (LD)scale));
        LD error = 64 * ULP * norm(seen) + 8 * (LD)DBL_EPSILON * scale;
        LD lo = norm(vec(larger_of(0, flat.lo), 0, seen.z)), hi = norm(vec(larger_of(0, flat.hi), 0, seen.z));
        claim k = {{larger_of(0, lo - error), hi + error},
                   size_of(a.body),
                   wit_body_describe(a.body).tolerance,
                   true,
                   norm(vec(a.placed.at.p[0], a.placed.at.p[1], a.placed.at.p[2])) + norm(seen) + scale};
        ask_any(b);
        wit_placed pa = wit_placed_at(a.body, pose_of(&a.placed.at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
    }
    leave(&a);
}
