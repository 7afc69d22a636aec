/* SPDX-License-Identifier: MIT */
/* Trimmed faces: discs and rings in a plane, and borders whose parameter curve is not where the edge is. */
#include "families.h"

static wit_curve* circle(double r)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.radius = r;
    return wit_curve_create(&d, NULL, NULL);
}

/* The plane z = 0 between two circles (inner: 0, no hole). */
static wit_body* disc_body(double outer_radius, double inner_radius)
{
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = (wit_interval){-2 * outer_radius, 2 * outer_radius};
    wit_surface* s = wit_surface_create(&sd, NULL, NULL);
    wit_curve *big = circle(outer_radius), *small = inner_radius > 0 ? circle(inner_radius) : NULL;
    wit_edge_def e[2] = {{NULL, big, {0, 0}, -1, -1}, {NULL, small, {0, 0}, -1, -1}};
    wit_use_def u[2] = {{0, false, NULL, {0, 0}}, {1, true, NULL, {0, 0}}};
    wit_loop_def l[2] = {{1, &u[0]}, {1, &u[1]}};
    wit_face_def f = {NULL, s, false, false, small ? 2 : 1, l};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.edge_count = small ? 2 : 1;
    d.edges = e;
    d.face_count = 1;
    d.faces = &f;
    wit_body* body = s && big ? wit_body_create(&d, NULL, NULL) : NULL;
    wit_curve_destroy(big);
    wit_curve_destroy(small);
    wit_surface_destroy(s);
    return body;
}

void run_discs(batch* b)
{
    double scale = any_scale(&b->d), in = below(&b->d, 2) ? scale * (1 - magnitude(&b->d, -4, -0.1)) : 0;
    wit_body* body = disc_body(scale, in);
    for (int i = 0; body && i < 10; i++) {
        place at = any_place(&b->d, scale);
        v3 n = any_direction(&b->d);
        LD far = scale * between(&b->d, 0, 1.5), up = scale * magnitude(&b->d, -6, 0);
        v3 w = turned(&at, vec(far * n.x, far * n.y, up * n.z));
        double x[3] = {(double)(w.x + at.p[0]), (double)(w.y + at.p[1]), (double)(w.z + at.p[2])};
        v3 s = turned_back(&at, position_from(&at, x));
        LD rho = sqrtl(s.x * s.x + s.y * s.y), over = larger_of(0, larger_of(in - rho, rho - scale));
        LD t = sqrtl(over * over + s.z * s.z), error = 64 * ULP * (norm(s) + scale);
        LD off = norm(vec(at.p[0], at.p[1], at.p[2])) + norm(s) + scale;
        claim c = {{t - error, t + error}, size_of(body), wit_body_describe(body).tolerance, true, off};
        ask_any(b);
        wit_placed pa = wit_placed_at(body, pose_of(&at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}

/* ---- part of a sphere ------------------------------------------------------------------------------- */

/* What a circle of latitude cuts off a sphere about z: the cap above it (below: the rest of the sphere). */
static wit_body* cap_body(double r, double sine, double cosine, bool above)
{
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_SPHERE);
    sd.radius = r;
    wit_surface* s = wit_surface_create(&sd, NULL, NULL);
    wit_curve_def cd = wit_curve_default_def(WIT_CURVE_CIRCLE);
    cd.radius = r * sine;
    cd.frame.origin.z = r * cosine;
    wit_curve* c = wit_curve_create(&cd, NULL, NULL);
    wit_edge_def e = {NULL, c, {0, 0}, -1, -1};
    wit_use_def u = {0, !above, NULL, {0, 0}};
    wit_loop_def l = {1, &u};
    wit_face_def f = {NULL, s, false, false, 1, &l};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.edge_count = 1;
    d.edges = &e;
    d.face_count = 1;
    d.faces = &f;
    wit_body* body = s && c ? wit_body_create(&d, NULL, NULL) : NULL;
    wit_curve_destroy(c);
    wit_surface_destroy(s);
    return body;
}

/* The sphere where x is over the cap, else the circle at its border, which is off the sphere by the rounding of its radius. */
void run_caps(batch* b)
{
    double scale = any_scale(&b->d), polar = between(&b->d, 0.02, 3.1);
    bool above = below(&b->d, 2);
    double sine = sin(polar), cosine = cos(polar);
    wit_body* body = cap_body(scale, sine, cosine, above);
    for (int i = 0; body && i < 10; i++) {
        place at = any_place(&b->d, scale);
        v3 n = any_direction(&b->d);
        LD far = between(&b->d, 0, 2) * scale;
        if (below(&b->d, 3) == 0) far = scale * (1 + magnitude(&b->d, -12, -1) * (below(&b->d, 2) ? 1 : -1));
        v3 w = turned(&at, vec(far * n.x, far * n.y, far * n.z));
        double x[3] = {(double)(w.x + at.p[0]), (double)(w.y + at.p[1]), (double)(w.z + at.p[2])};
        v3 s = turned_back(&at, position_from(&at, x));
        LD rho = sqrtl(s.x * s.x + s.y * s.y), lean = atan2l(rho, s.z), edge = atan2l(sine, cosine);
        LD rim = norm(vec(rho - (LD)scale * sine, s.z - (LD)scale * cosine, 0)), face = fabsl(norm(s) - scale);
        LD t = above == (lean <= edge) ? face : rim, error = 64 * ULP * (norm(s) + scale) + 8 * (LD)DBL_EPSILON * scale;
        LD off = norm(vec(at.p[0], at.p[1], at.p[2])) + norm(s) + scale;
        claim c = {{larger_of(0, t - error), t + error}, size_of(body), wit_body_describe(body).tolerance, true, off};
        ask_any(b);
        wit_placed pa = wit_placed_at(body, pose_of(&at));
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}

/* ---- a square whose lower parameter curve bulges out from its edge ---------------------------------- */

typedef struct border {
    double weight[3], base, height; /* of the curve through (0, base), (1/2, -height), (1, base) */
} border;

static wit_curve* quadratic(const double* weights, double start, double middle, double end)
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1};
    double p[9] = {0, start, 0, 0.5, middle, 0, 1, end, 0};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 2;
    c.count = 3;
    c.knot_count = 6;
    c.knots = knots;
    c.points = p;
    c.weights = weights;
    return wit_curve_create(&c, NULL, NULL);
}

static wit_curve* side_line(const double from[2], const double to[2])
{
    wit_curve_def l = wit_curve_default_def(WIT_CURVE_LINE);
    l.frame.origin = (wit_vec3){from[0], from[1], 0};
    l.frame.x = (wit_vec3){to[0] - from[0], to[1] - from[1], 0};
    l.frame.z = (wit_vec3){0, 0, 1};
    l.range = (wit_interval){0, 1};
    return wit_curve_create(&l, NULL, NULL);
}

static wit_body* border_body(const border* s, double close)
{
    static const double ends[4][2] = {{1, 0}, {1, 1}, {0, 1}, {0, 0}};
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = (wit_interval){-1, 2};
    wit_surface* plane = wit_surface_create(&sd, NULL, NULL);
    wit_curve *edge = quadratic(s->weight, 0, 0, 0), *on_face = quadratic(s->weight, s->base, -s->height, s->base),
              *line[3];
    for (int k = 0; k < 3; k++) line[k] = side_line(ends[k], ends[k + 1]);
    wit_vertex_def v[4] = {{NULL, {0, 0, 0}}, {NULL, {1, 0, 0}}, {NULL, {1, 1, 0}}, {NULL, {0, 1, 0}}};
    wit_edge_def e[4] = {{NULL, edge, {0, 0}, 0, 1},
                         {NULL, line[0], {0, 0}, 1, 2},
                         {NULL, line[1], {0, 0}, 2, 3},
                         {NULL, line[2], {0, 0}, 3, 0}};
    wit_use_def u[4] = {
        {0, false, on_face, {0, 0}}, {1, false, NULL, {0, 0}}, {2, false, NULL, {0, 0}}, {3, false, NULL, {0, 0}}};
    wit_loop_def loop = {4, u};
    wit_face_def f = {NULL, plane, false, false, 1, &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.vertex_count = 4;
    d.vertices = v;
    d.edge_count = 4;
    d.edges = e;
    d.face_count = 1;
    d.faces = &f;
    d.close_tolerance = close;
    wit_body* body = wit_body_create(&d, NULL, NULL);
    wit_curve_destroy(edge);
    wit_curve_destroy(on_face);
    for (int k = 0; k < 3; k++) wit_curve_destroy(line[k]);
    wit_surface_destroy(plane);
    return body;
}

/* The curve at t = s / (s + g (1 - s)), g the ratio of the weights: the bulge is where s is about a half. */
static LD border_distance(const border* s, v3 x)
{
    LD g = s->weight[1] / s->weight[0], least = INFINITY;
    for (int i = 0; i <= 400; i++) {
        LD r = i / 400.0L, t = r / (r + g * (1 - r));
        LD n[3] = {(1 - t) * (1 - t) * s->weight[0], 2 * t * (1 - t) * s->weight[1], t * t * s->weight[2]};
        LD w = n[0] + n[1] + n[2];
        v3 c = vec((0.5L * n[1] + n[2]) / w, ((LD)s->base * (n[0] + n[2]) - s->height * n[1]) / w, 0);
        least = smaller_of(least, norm(minus(x, c)));
    }
    return least;
}

/* The face reaches the parameter curve: its points are points of the body. A refusal is an answer too. */
void run_borders(batch* b)
{
    border s;
    double g = magnitude(&b->d, 0, 5.5), turn = below(&b->d, 2) ? g : 1 / g;
    s.weight[0] = 1;
    s.weight[1] = turn;
    s.weight[2] = turn * turn;
    s.base = magnitude(&b->d, -9, -6.05);
    s.height = s.base * magnitude(&b->d, 0, 4);
    wit_body* body = border_body(&s, below(&b->d, 3) ? 0 : 0.1);
    for (int i = 0; body && i < 6; i++) {
        double x[3] = {between(&b->d, 0.1, 0.9), -magnitude(&b->d, -2, 1), 0};
        if (below(&b->d, 2)) x[0] = 0.5;
        v3 at = vec(x[0], x[1], 0);
        LD error = 256 * ULP * (norm(at) + 2);
        claim c = {{0, border_distance(&s, at) + error}, size_of(body), wit_body_describe(body).tolerance, true, 1};
        ask_any(b);
        wit_placed pa = wit_placed_at(body, wit_pose_identity());
        judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &c);
    }
    wit_body_destroy(body);
}
