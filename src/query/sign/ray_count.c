/* SPDX-License-Identifier: MIT */
#include "ray_count.h"

#include "face_piece.h"

enum {
    PIECES = 600,  /* of all faces, for one ray */
    REBOUND = 6,   /* halvings after which derivatives are bounded anew */
    RETRIM = 2,    /* and trims asked */
    UNITS = 8,     /* that a piece takes at most: a bound, trims, the middle, four corners */
    DIRECTIONS = 4 /* rays, one after the other */
};

typedef struct ray {
    const search_task* task;
    const wit_body* body;
    wit_vec3 q, axis[3]; /* the ray runs along axis[2] */
    double margin;       /* so far may borders be off what stands for them, rounding with it */
    int left, number;
    wit_work* work;
} ray;

typedef struct flat_point {
    double x, y;
} flat_point;

typedef enum meeting { MISSED, COUNTED, UNCLEAR } meeting;

/* No part of the box is within the margin of the ray? Slabs: along each axis the ray is in the box for an interval of its
 * length. */
static bool box_missed(const ray* r, const wit_box* b)
{
    double from = 0, to = INFINITY, m = r->margin;
    const double o[3] = {r->q.x, r->q.y, r->q.z}, w[3] = {r->axis[2].x, r->axis[2].y, r->axis[2].z};
    const double lo[3] = {b->lo.x, b->lo.y, b->lo.z}, hi[3] = {b->hi.x, b->hi.y, b->hi.z};
    for (int k = 0; k < 3; ++k) {
        if (fabs(w[k]) < 1e-12) { /* over any length that matters it goes aside by less than the margin */
            if (o[k] < lo[k] - 2 * m || o[k] > hi[k] + 2 * m) return true;
            continue;
        }
        double x = (lo[k] - m - o[k]) / w[k], y = (hi[k] + m - o[k]) / w[k], wide = 4 * DBL_EPSILON;
        from = larger(from, smaller(x, y) - wide * fabs(smaller(x, y)));
        to = smaller(to, larger(x, y) + wide * fabs(larger(x, y)));
    }
    return from > to;
}

static flat_point seen(const ray* r, wit_vec3 p)
{
    wit_vec3 o = sub3(p, r->q);
    return (flat_point){dot3(o, r->axis[0]), dot3(o, r->axis[1])};
}

/* Distance of the origin from a segment. */
static double clearance(flat_point a, flat_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0 ? -(a.x * dx + a.y * dy) / square : 0;
    t = smaller(1, larger(0, t));
    double x = a.x + t * dx, y = a.y + t * dy;
    return sqrt(x * x + y * y);
}

/* +1, -1 or 0: how the segment crosses the positive x axis, anticlockwise. */
static int crosses_axis(flat_point a, flat_point b)
{
    if ((a.y > 0) == (b.y > 0)) return 0;
    double x = a.x * b.y - b.x * a.y; /* > 0: the origin is to the left of a b */
    if (b.y > 0) return x > 0 ? 1 : 0;
    return x < 0 ? -1 : 0;
}

/* The winding of the border about the ray. Each side is within h^2 |second derivative| / 2 of its chord. */
static meeting count_border(const ray* r, const wit_surface* s, const face_piece* t, int* number)
{
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v);
    const double bend[4] = {0.5 * hu * hu * t->d2[0], 0.5 * hv * hv * t->d2[2], 0.5 * hu * hu * t->d2[0],
                            0.5 * hv * hv * t->d2[2]};
    flat_point p[4];
    work_jets(r->work, 4);
    for (int k = 0; k < 4; ++k) {
        bool high_u = k == 1 || k == 2, high_v = k >= 2;
        unsigned below = (high_u ? (unsigned)WIT_KNOT_U_BELOW : 0U) | (high_v ? (unsigned)WIT_KNOT_V_BELOW : 0U);
        wit_surface_jet j;
        wit_surface_eval(s, high_u ? t->u.hi : t->u.lo, high_v ? t->v.hi : t->v.lo, below, NULL, &j);
        p[k] = seen(r, j.p);
    }
    *number = 0;
    for (int k = 0; k < 4; ++k) {
        flat_point a = p[k], b = p[(k + 1) % 4];
        if (!(clearance(a, b) > bend[k] + r->margin)) return UNCLEAR;
        *number += crosses_axis(a, b);
    }
    return COUNTED;
}

/* A piece that a trim may run through counts only if it is missed. */
static meeting meet_piece(const ray* r, const wit_surface* s, const face_piece* t, const face_piece_view* view,
                          int* number)
{
    wit_vec3 o = sub3(view->jet.p, r->q);
    double along = dot3(o, r->axis[2]), aside = norm3(addscaled3(o, -along, r->axis[2]));
    double reach = view->radius + r->margin;
    *number = 0;
    if (aside > reach || along < -reach) return MISSED;
    if (t->mixed || along < reach) return UNCLEAR;
    return count_border(r, s, t, number);
}

/*
 * A plane is met once, at (u, v): a box about that place, no smaller than the margin, is looked up in the trims. False where the
 * place is near the border of the leaf or of the face, or the ray nearly in the plane: then pieces tell.
 */
static bool meet_plane(const ray* r, const tree_node* leaf, const face_piece_view* view, int* number)
{
    enum { TRIES = 4 };
    const body_face* f = &body_faces(r->body)[leaf->feature];
    const wit_surface_jet* middle = &view->jet;
    wit_vec3 n = cross3(middle->du, middle->dv), o = sub3(middle->p, r->q);
    double rate = dot3(n, r->axis[2]), square = dot3(n, n);
    *number = 0;
    /* beyond all of the leaf */
    if (fabs(dot3(o, n)) > fabs(rate) * (norm3(o) + view->radius) + r->margin * sqrt(square)) return true;
    if (!(fabs(rate) > 0.05 * sqrt(square))) return false;
    double along = dot3(o, n) / rate;
    if (along < 0) return along < -2 * r->margin;
    wit_vec3 x = addscaled3(scale3(-1, o), along, r->axis[2]); /* from the middle to the place */
    double u = dot3(cross3(x, middle->dv), n) / square, v = dot3(cross3(middle->du, x), n) / square;
    double least = 64 * r->margin / smaller(norm3(middle->du), norm3(middle->dv));
    double inside_u = 0.5 * iv_width(leaf->u) - fabs(u), inside_v = 0.5 * iv_width(leaf->v) - fabs(v);
    double h = smaller(inside_u, inside_v);
    if (h < -least) return true;
    if (along < 4 * r->margin || h < least) return false;
    trim_tag tag = leaf->tag == TRIM_MIXED ? TRIM_MIXED : TRIM_IN;
    trim_curves curves = body_trim_curves(r->body, f);
    curves.work = r->work;
    curves.units = work_less(r->task->units, UNITS);
    u += iv_mid(leaf->u);
    v += iv_mid(leaf->v);
    for (int k = 0; k < TRIES && tag == TRIM_MIXED && h >= least; ++k, h *= 0.2) {
        if (!task_may_spend(r->task, r->work, UNITS)) return false;
        work_tests(r->work, 1);
        tag = wi_trim_classify(&f->trim, body_at(r->body, f->trim_block), &curves, iv(u - h, u + h), iv(v - h, v + h));
    }
    if (tag == TRIM_IN) *number = rate > 0 ? 1 : -1;
    return tag != TRIM_MIXED;
}

static bool count_leaf(ray* r, const tree_node* leaf)
{
    const wit_surface* s = body_surface(r->body, leaf->feature);
    int sign = body_faces(r->body)[leaf->feature].reversed ? -1 : 1, number;
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(r->body, leaf);
    wit_hint hint = {{0}};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (--r->left < 0 || !task_may_spend(r->task, r->work, UNITS)) return false;
        if (t.depth && t.depth % REBOUND == 0) wi_face_piece_bound(s, &t, NULL, r->work);
        face_piece_view view = wi_face_piece_look(s, &t, &hint, r->work);
        if (t.depth == 0 && s->kind == WIT_SURFACE_PLANE && meet_plane(r, leaf, &view, &number)) {
            r->number += sign * number;
            return true;
        }
        meeting m = meet_piece(r, s, &t, &view, &number);
        if (m == UNCLEAR && t.mixed && t.depth && t.depth % RETRIM == 0) {
            if (!wi_face_piece_trim(r->body, leaf->feature, &t, r->work, work_less(r->task->units, UNITS))) continue;
            if (!t.mixed) m = meet_piece(r, s, &t, &view, &number);
        }
        if (m == COUNTED) r->number += sign * number;
        if (m != UNCLEAR) continue;
        if (view.radius <= r->margin || t.depth == FACE_PIECE_DEPTH) return false;
        wi_face_piece_halve(&t, &view, &stack[count + 1], &stack[count]);
        count += 2;
    }
    return true;
}

static bool count_along(ray* r)
{
    const tree_node* nodes = body_nodes(r->body);
    tree_walk walk;
    for (tree_walk_start(&walk, r->body->node_count); walk.count;) {
        const tree_node* n = &nodes[tree_walk_next(&walk)];
        if (!task_may(r->task, r->work)) return false;
        work_nodes(r->work, 1);
        if (!(n->kinds_below & 1U << WIT_FACE) || box_missed(r, &n->box)) continue;
        if (n->child[0] < 0) {
            if (n->kind == WIT_FACE && !count_leaf(r, n)) return false;
        } else if (!tree_walk_down(&walk, n, 0)) {
            return false;
        }
    }
    return true;
}

ray_count wi_ray_count(const search_task* task, const wit_body* body, wit_vec3 q, double clear, wit_vec3 toward,
                       wit_work* work)
{
    double far = norm3(body->box.lo) + norm3(body->box.hi) + norm3(q);
    ray r = {.task = task, .body = body, .q = q, .work = work};
    r.margin = 2 * (body->looseness + body->gape + body->hidden_gap + body->vertex_error) + 64 * DBL_EPSILON * far;
    if (body->planar || body->unbounded || !(clear > 4 * r.margin)) return (ray_count){false, 0};
    wit_vec3 e[2], w = unit3(toward);
    if (!(dot3(w, w) > 0.5)) w = vec3(0, 0, 1);
    complete3(w, &e[0], &e[1]);
    /* along no axis of symmetry, where poles and seams are, and no two of them in one plane with it */
    const wit_vec3 ways[DIRECTIONS] = {add3(w, add3(scale3(0.11, e[0]), scale3(0.07, e[1]))),
                                       add3(scale3(-0.83, w), add3(scale3(0.37, e[0]), scale3(0.21, e[1]))),
                                       add3(scale3(0.29, w), add3(scale3(0.71, e[0]), scale3(-0.53, e[1]))),
                                       add3(scale3(0.17, w), add3(scale3(-0.61, e[0]), scale3(0.47, e[1])))};
    for (int k = 0; k < DIRECTIONS; ++k) {
        r.axis[2] = unit3(ways[k]);
        complete3(r.axis[2], &r.axis[0], &r.axis[1]);
        r.left = PIECES;
        r.number = 0;
        if (count_along(&r)) return (ray_count){true, r.number};
    }
    return (ray_count){false, 0};
}
