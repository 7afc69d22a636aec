/* SPDX-License-Identifier: MIT */
/* Bodies of the library from shapes of the truth, and random shapes. */
#include "adversary.h"

wit_pose pose_of(const place* p)
{
    return (wit_pose){{p->p[0], p->p[1], p->p[2]}, {p->q[0], p->q[1], p->q[2], p->q[3]}};
}

double size_of(const wit_body* body)
{
    return wit_body_describe(body).size;
}

/* Turns a profile of splines in the x, z plane. */
static wit_body* turned_profile(const shape* s, wit_curve_def* c)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.frame.origin = (wit_vec3){s->origin[0], s->origin[1], s->origin[2]};
    c->knot_count = c->count + c->degree + 1;
    wit_curve* curve = wit_curve_create(c, NULL, NULL);
    d.profile = curve;
    wit_body* body = curve ? wit_solid_create(&d, NULL, NULL) : NULL;
    wit_curve_destroy(curve);
    return body;
}

/* Straight pieces: a spline of degree 1, with these weights or without. */
static wit_body* turned_body(const shape* s, const double* weights)
{
    double points[3 * TURNED_CORNERS] = {0}, knots[TURNED_CORNERS + 2];
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    for (int i = 0; i < s->corners; i++) {
        points[3 * i] = s->corner[i][0];
        points[3 * i + 2] = s->corner[i][1];
        knots[i + 1] = i;
    }
    knots[0] = 0;
    knots[s->corners + 1] = s->corners - 1;
    c.degree = 1;
    c.count = s->corners;
    c.knots = knots;
    c.points = points;
    c.weights = weights;
    return turned_profile(s, &c);
}

/* A half circle of two quarters: weights (1, cos 45, 1) each; (w0, w1, w2) -> (w0, g w1, g^2 w2) is the same curve, run
 * through at another speed. Its numbers are rounded: the curve is within some eps of the radius of the circle. */
static wit_body* spun_ball(dice* d, shape* s, double wild)
{
    static const double knots[8] = {0, 0, 0, 1, 1, 2, 2, 2};
    double r = s->size[0], weights[5] = {1}, half = sqrt(0.5);
    double points[15] = {0, 0, -r, r, 0, -r, r, 0, 0, r, 0, r, 0, 0, r};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    for (int k = 0; k < 2; k++) {
        double g = magnitude(d, -wild / 2, wild / 2);
        weights[2 * k + 1] = weights[2 * k] * g * half;
        weights[2 * k + 2] = weights[2 * k] * g * g;
    }
    c.degree = 2;
    c.count = 5;
    c.knots = knots;
    c.points = points;
    c.weights = weights;
    s->blur = 16 * (LD)DBL_EPSILON * r;
    return turned_profile(s, &c);
}

wit_body* spun_body(dice* d, shape* s, double wild)
{
    double weights[TURNED_CORNERS];
    if (s->kind == BALL) return spun_ball(d, s, wild);
    for (int i = 0; i < s->corners; i++) weights[i] = magnitude(d, -wild / 2, wild / 2);
    return turned_body(s, weights);
}

static wit_body* shell_body(const shape* s)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.frame.origin = (wit_vec3){s->origin[0], s->origin[1], s->origin[2]};
    d.radius = s->size[0];
    wit_surface* outside = wit_surface_create(&d, NULL, NULL);
    d.radius = s->size[1];
    wit_surface* inside = wit_surface_create(&d, NULL, NULL);
    wit_face_def f[2] = {{0}};
    f[0].surface = outside;
    f[1].surface = inside;
    f[1].reversed = true;
    wit_body_def b = wit_body_default_def(WIT_BODY_SOLID);
    b.face_count = 2;
    b.faces = f;
    wit_body* body = outside && inside ? wit_body_create(&b, NULL, NULL) : NULL;
    wit_surface_destroy(outside);
    wit_surface_destroy(inside);
    return body;
}

/* Cylinders, cones and frusta are TURNED shapes of three or four corners: the ready-made solid is taken for them. */
static bool ready_made(const shape* s, wit_solid_def* d)
{
    const double(*c)[2] = s->corner;
    int base = c[0][0] == 0, top = s->corners - 1 - (c[s->corners - 1][0] == 0);
    if (top - base != 1 && !(top - base == 0 && s->corners - base == 2)) return false;
    if (c[base][1] != 0 || (base && c[0][1] != 0)) return false;
    if (top - base == 1 && c[s->corners - 1][1] != c[top][1]) return false;
    int last = top - base == 1 ? top : s->corners - 1;
    d->kind = c[last][0] == 0 ? WIT_SOLID_CONE : c[last][0] == c[base][0] ? WIT_SOLID_CYLINDER : WIT_SOLID_FRUSTUM;
    d->radius = c[base][0];
    d->radius2 = c[last][0];
    d->height = c[last][1];
    return true;
}

wit_body* body_of(const shape* s)
{
    static const wit_solid_kind kinds[SHAPES] = {WIT_SOLID_SPHERE,  WIT_SOLID_BOX,   WIT_SOLID_ELLIPSOID,
                                                 WIT_SOLID_CAPSULE, WIT_SOLID_TORUS, WIT_SOLID_REVOLUTION,
                                                 WIT_SOLID_PRISM,   WIT_SOLID_SPHERE};
    wit_solid_def d = wit_solid_default_def(kinds[s->kind]);
    d.frame.origin = (wit_vec3){s->origin[0], s->origin[1], s->origin[2]};
    d.size_x = s->size[0];
    d.size_y = s->size[1];
    d.size_z = s->size[2];
    d.radius = s->size[0];
    d.radius2 = s->size[1];
    d.height = s->height;
    d.polygon_count = s->corners;
    d.polygon = s->corner[0];
    if (s->kind == SHELL) return shell_body(s);
    if (s->kind == TURNED && !ready_made(s, &d)) return turned_body(s, NULL);
    return wit_solid_create(&d, NULL, NULL);
}

wit_body* sheet_of_surface(const wit_surface_def* def, wit_body_kind kind)
{
    wit_surface* s = wit_surface_create(def, NULL, NULL);
    wit_body_def d = wit_body_default_def(kind);
    wit_face_def f = {0};
    f.surface = s;
    d.face_count = 1;
    d.faces = &f;
    wit_body* body = s ? wit_body_create(&d, NULL, NULL) : NULL;
    wit_surface_destroy(s);
    return body;
}

wit_body* sheet_of_patch(const patch* p, wit_body_kind kind)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = p->degree[0];
    d.degree_v = p->degree[1];
    d.count_u = p->count[0];
    d.count_v = p->count[1];
    d.knot_count_u = p->count[0] + p->degree[0] + 1;
    d.knot_count_v = p->count[1] + p->degree[1] + 1;
    d.knots_u = p->knots[0];
    d.knots_v = p->knots[1];
    d.points = p->point;
    d.weights = p->weight;
    return sheet_of_surface(&d, kind);
}

/* ---- random --------------------------------------------------------------------------------------- */

void set_reach(shape* s)
{
    LD r = 0;
    if (s->kind == BOX || s->kind == ELLIPSOID || s->kind == FORM) {
        r = norm(vec(s->size[0], s->size[1], s->size[2]));
    } else if (s->kind == TURNED || s->kind == PRISM) {
        for (int i = 0; i < s->corners; i++) r = larger_of(r, norm(vec(s->corner[i][0], s->corner[i][1], 0)));
        if (s->kind == PRISM) r += fabs(s->height);
    } else {
        r = (LD)s->size[0] + (s->kind == TORUS ? s->size[1] : 0) + (s->kind == CAPSULE ? s->height : 0);
    }
    s->reach = r;
}

static void add_corner(shape* s, double x, double y)
{
    s->corner[s->corners][0] = x;
    s->corner[s->corners++][1] = y;
}

/* Cylinder, cone, frustum; with two to four pieces on top: a body of revolution, perhaps a cup. */
static void any_turned(dice* d, shape* s, double r, double h)
{
    int what = below(d, 5);
    double in = between(d, 0.1, 0.9);
    s->corners = 0;
    s->convex = what < 4;
    add_corner(s, 0, 0);
    add_corner(s, r, 0);
    if (what == 0) add_corner(s, r, h);
    if (what == 2) add_corner(s, in * r, h);
    if (what == 3) {
        add_corner(s, r * 1.25, h * 0.5);
        add_corner(s, in * r, h);
    }
    if (what == 4) { /* a cup */
        add_corner(s, r, h);
        add_corner(s, in * r, h);
        add_corner(s, in * r * 0.5, h * in);
        add_corner(s, 0, h * in);
        return;
    }
    add_corner(s, 0, h);
}

/* Corners on an ellipse are convex; those on two radii in turn are a star. */
static void any_prism(dice* d, shape* s, double r, double aspect)
{
    int n = 3 + below(d, 6);
    bool star = below(d, 3) == 0;
    double angle = between(d, 0, 6), squeeze = between(d, 0.9, 1.1) / sqrt(aspect), in = between(d, 0.3, 0.7);
    s->convex = !star;
    s->corners = 0;
    if (star) n *= 2;
    for (int i = 0; i < n; i++) {
        double t = angle + 6.283185307179586 * (i + between(d, 0, 0.3)) / n, w = star && i % 2 ? in * r : r;
        add_corner(s, w * cos(t), w * squeeze * sin(t));
    }
}

static void any_of(dice* d, shape* s, double size, double aspect, int kinds)
{
    int kind = below(d, kinds);
    double a = size * pow(aspect, -between(d, 0, 1)), b = size * pow(aspect, -between(d, 0, 1));
    s->kind = (shape_kind)kind;
    s->convex = true;
    s->blur = 0;
    s->origin[0] = s->origin[1] = s->origin[2] = 0;
    s->size[0] = size;
    s->size[1] = a;
    s->size[2] = b;
    s->height = b;
    s->corners = 0;
    if (kind == CAPSULE) {
        s->size[0] = a;
        s->height = 2 * b;
    }
    if (kind == TORUS || kind == SHELL) {
        s->size[1] = fmin(a, size * 0.9);
        s->convex = false;
    }
    if (kind == TURNED) any_turned(d, s, a, b);
    if (kind == PRISM) any_prism(d, s, size, 1 + below(d, 2) * (aspect - 1));
    set_reach(s);
}

void any_shape(dice* d, shape* s, double size, double aspect)
{
    any_of(d, s, size, aspect, SHAPES);
}

void any_convex(dice* d, shape* s, double size, double aspect)
{
    do any_of(d, s, size, aspect, SHAPES);
    while (!s->convex);
}

place any_place(dice* d, double far)
{
    place p;
    int special = below(d, 32);
    double stretch = special < 4 ? 1 + between(d, -9e-7, 9e-7) : 1;
    any_rotation(d, p.q);
    if (below(d, 8) == 0) {
        p.q[0] = 1;
        p.q[1] = p.q[2] = p.q[3] = 0;
    }
    if (special > 29 && far > 0) far = fmin(far * magnitude(d, 1, 6), fmax(far, 1e6));
    for (int i = 0; i < 4; i++) p.q[i] *= stretch;
    for (int i = 0; i < 3; i++) p.p[i] = between(d, -far, far);
    return p;
}

void turn_by(const double t[4], const double a[4], double out[4])
{
    double q[4] = {
        t[0] * a[0] - t[1] * a[1] - t[2] * a[2] - t[3] * a[3], t[0] * a[1] + t[1] * a[0] + t[2] * a[3] - t[3] * a[2],
        t[0] * a[2] - t[1] * a[3] + t[2] * a[0] + t[3] * a[1], t[0] * a[3] + t[1] * a[2] - t[2] * a[1] + t[3] * a[0]};
    for (int k = 0; k < 4; k++) out[k] = q[k];
}

double any_scale(dice* d)
{
    return magnitude(d, -6, 6);
}

double any_aspect(dice* d)
{
    return below(d, 2) ? magnitude(d, 0, 4) : magnitude(d, 0, 0.7);
}

void any_point(dice* d, const placed* p, double out[3])
{
    const shape* s = p->shape;
    v3 x = any_direction(d), o = vec(s->origin[0], s->origin[1], s->origin[2]);
    double far = between(d, 0, 1.5), near = magnitude(d, -9, 0), side = below(d, 2) ? 1 : -1;
    bool onto = below(d, 2);
    x = vec(x.x * far * s->reach, x.y * far * s->reach, x.z * far * s->reach);
    if (onto) { /* to the surface, then off it by a part of the size: roughly, it is only where the point is put */
        LD h = 1e-7L * s->reach;
        for (int i = 0; i < 4; i++) {
            range r = signed_distance(s, x);
            LD m = 0.5L * (r.lo + r.hi), at[3];
            for (int k = 0; k < 3; k++) {
                v3 e = vec(k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0);
                range up = signed_distance(s, plus(x, 1, e)), down = signed_distance(s, plus(x, -1, e));
                at[k] = up.lo - down.lo;
            }
            v3 g = unit(vec(at[0], at[1], at[2]));
            LD aim = i == 3 ? (LD)(side * near) * s->reach : 0;
            if (isfinite(m) && isfinite(g.x)) x = plus(x, aim - m, g);
        }
    }
    v3 w = turned(&p->at, plus(x, 1, o));
    out[0] = (double)(w.x + p->at.p[0]);
    out[1] = (double)(w.y + p->at.p[1]);
    out[2] = (double)(w.z + p->at.p[2]);
}

/* ---- both sides of a case ---------------------------------------------------------------------------- */

static LD far_of(const placed* p)
{
    return norm(vec(p->at.p[0], p->at.p[1], p->at.p[2])) +
           norm(vec(p->shape->origin[0], p->shape->origin[1], p->shape->origin[2])) + p->shape->reach;
}

bool enter(actor* a)
{
    a->placed.shape = &a->shape;
    a->placed.offset = vec(0, 0, 0);
    a->body = body_of(&a->shape);
    return a->body != NULL;
}

void leave(actor* a)
{
    wit_body_destroy(a->body);
    a->body = NULL;
}

void play(batch* b, actor* a, actor* c, double scale, int times, scene* one)
{
    bool both = enter(a);
    both = enter(c) && both;
    for (int i = 0; both && i < times; i++) one(b, a, c, scale);
    leave(a);
    leave(c);
}

void place_from(const actor* a, actor* c, v3 x)
{
    c->placed.at.p[0] = (double)(a->placed.at.p[0] + x.x);
    c->placed.at.p[1] = (double)(a->placed.at.p[1] + x.y);
    c->placed.at.p[2] = (double)(a->placed.at.p[2] + x.z);
}

void place_near(dice* d, const actor* a, actor* c, double apart)
{
    v3 n = any_direction(d);
    c->placed.at = any_place(d, 0);
    place_from(a, c, plus(vec(0, 0, 0), apart, n));
}

/* Edges of splines with wild weights, and of parts from files, may be off their faces. */
static double loose_of(const actor* a)
{
    return a->shape.kind == BALL || a->shape.kind == TURNED || a->shape.kind == FORM
               ? wit_body_describe(a->body).tolerance
               : 0;
}

static claim claimed(actor* a, actor* c)
{
    a->placed.shape = &a->shape;
    c->placed.shape = &c->shape;
    a->placed.offset = vec(0, 0, 0);
    c->placed.offset = position_from(&a->placed.at, c->placed.at.p);
    claim out = {{-INFINITY, INFINITY},
                 fmin(size_of(a->body), size_of(c->body)),
                 loose_of(a) + loose_of(c),
                 false,
                 far_of(&a->placed) + far_of(&c->placed)};
    return out;
}

claim claim_of_pair(actor* a, actor* c, int effort)
{
    claim out = claimed(a, c);
    out.truth = true_pair(&a->placed, &c->placed, effort);
    return out;
}

claim claim_of_point(actor* a, const double x[3])
{
    a->placed.shape = &a->shape;
    a->placed.offset = vec(0, 0, 0);
    v3 at = position_from(&a->placed.at, x);
    claim out = {true_point(&a->placed, at), size_of(a->body), loose_of(a), false, far_of(&a->placed) + norm(at)};
    return out;
}

void judge_witness(batch* b, const placed* p, const wit_witness* w, LD slack, const claim* c)
{
    if (w->feature == WIT_POINT) return;
    placed from = {p->shape, p->at, vec(0, 0, 0)};
    double x[3] = {w->point.x, w->point.y, w->point.z};
    range d = placed_distance(&from, position_from(&p->at, x));
    LD most = 1e-13L * c->coordinates + c->widened + slack;
    if (d.lo > most || d.hi < -most) finding(b, WITNESS, "a witness off its body by", (double)d.lo, c);
}

/* That of a depth is as good as was asked for. */
static LD slack_of(const batch* b, const claim* c)
{
    return b->answer.outcome == WIT_OUTCOME_OVERLAPPING ? larger_of(b->asked.tolerance, 1e-9L) * c->size : 0;
}

static bool has_witnesses(const wit_closest* o)
{
    return o->outcome != WIT_OUTCOME_EMPTY && o->outcome != WIT_OUTCOME_BEYOND;
}

void ask_claimed(batch* b, actor* a, actor* c, const claim* k)
{
    wit_placed pa = wit_placed_at(a->body, pose_of(&a->placed.at)), pc = wit_placed_at(c->body, pose_of(&c->placed.at));
    judge_pair(b, &pa, &pc, k);
    if (!has_witnesses(&b->answer)) return;
    judge_witness(b, &a->placed, &b->answer.a, slack_of(b, k), k);
    judge_witness(b, &c->placed, &b->answer.b, slack_of(b, k), k);
}

void ask_actors(batch* b, actor* a, actor* c, int effort)
{
    claim k = claim_of_pair(a, c, effort);
    ask_claimed(b, a, c, &k);
}

void ask_actors_near(batch* b, actor* a, actor* c, v3 n, v3 x)
{
    claim k = claimed(a, c);
    k.truth = true_pair_near(&a->placed, &c->placed, 3, n, x);
    ask_claimed(b, a, c, &k);
}

void ask_actor_point(batch* b, actor* a, const double x[3])
{
    claim k = claim_of_point(a, x);
    wit_placed pa = wit_placed_at(a->body, pose_of(&a->placed.at));
    judge_point(b, &pa, (wit_vec3){x[0], x[1], x[2]}, &k);
    if (has_witnesses(&b->answer)) judge_witness(b, &a->placed, &b->answer.a, slack_of(b, &k), &k);
}

void ask_somewhere(batch* b, actor* a)
{
    double x[3];
    any_point(&b->d, &a->placed, x);
    ask_any(b);
    ask_actor_point(b, a, x);
}
