/* SPDX-License-Identifier: MIT */
/*
 * Faces are cut from the leaves of the bounding tree down to pieces, and each piece is replaced by two triangles over its
 * corners, whose angles are closed forms. The piece, the triangles, and between the borders of the two the four strips from
 * each side to its chord, close a surface. If a ball holds it that does not hold q, it goes round q not at all: the
 * angles of the piece and of the triangles differ by those of the strips. A side of length l that bends by at most e off its
 * chord has a strip of area <= l e; seen from r or farther its angle is <= l e / r^2. In the same way the volume below
 * the piece differs from that below the triangles by what lies between them and what lies below the strips. Of a piece that
 * a trim runs through no more is said than that its angle is at most its area / r^2, either way.
 */
#include "winding.h"

#include "../../body/meeting.h"
#include "face_piece.h"

enum {
    REBOUND = 8,      /* halvings after which derivatives are bounded anew */
    REBOUND_POLE = 3, /* the same on surfaces with poles */
    REFINEMENTS = 7,  /* more attempts while the side is not proved */
    WORK = 1 << 16    /* pieces in all */
};
#define SHARE 0.5         /* radius of a piece / its distance from q */
#define ERROR_SHARE 0.1   /* error of its angle / square of that */
#define MIXED_SHARE 0.125 /* of pieces with a trim through them: as SHARE */

typedef struct summing {
    const search_task* task;
    const wit_body* body;
    wit_vec3 q, centre; /* the volume is taken about the centre of the box */
    double least;       /* pieces below this radius are within rounding of q */
    double finer;       /* factor on the shares */
    double angle, error, flux, flux_error;
    int64_t pieces;
    int64_t left; /* leaves of this round that are still to come, at most */
    wit_work* work;
} summing;

/* May a piece be cut, with so many others on the stack? What is open must be summed up in the end. */
static bool may_cut(const summing* s, int open)
{
    return s->pieces < WORK && task_may_spend(s->task, s->work, WINDING_UNITS * (s->left + open + 3));
}

/* ---- faces ------------------------------------------------------------------------------------- */

/* The angle of a triangle seen from the origin, signed: positive where (b - a) x (c - a) points away from it. */
static double triangle_angle(wit_vec3 a, wit_vec3 b, wit_vec3 c)
{
    double la = norm3(a), lb = norm3(b), lc = norm3(c);
    double down = la * lb * lc + dot3(a, b) * lc + dot3(b, c) * la + dot3(c, a) * lb;
    return 2 * wit_atan2(dot3(a, cross3(b, c)), down);
}

typedef struct piece_error {
    double area;   /* of the piece, at most */
    double strips; /* area of the strips */
    double volume; /* between the piece and the triangles */
} piece_error;

static piece_error error_of(const face_piece* t, const face_piece_view* view)
{
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v);
    double u = smaller(t->d1[0], norm3(view->jet.du) + t->d2[0] * hu + t->d2[1] * hv);
    double v = smaller(t->d1[1], norm3(view->jet.dv) + t->d2[1] * hu + t->d2[2] * hv);
    /* a chord over 2 h leaves a curve by h^2 d2 / 2 at most */
    double side_u = 2 * hu * u * 0.5 * hu * hu * t->d2[0], side_v = 2 * hv * v * 0.5 * hv * hv * t->d2[2];
    piece_error e = {.area = 4 * hu * hv * u * v, .strips = 2 * (side_u + side_v)};
    e.volume = e.area * 4 * view->bend;
    return e;
}

static void add_piece(summing* s, int32_t face, const face_piece* t, const face_piece_view* view, const piece_error* e)
{
    const wit_surface* surface = body_surface(s->body, face);
    double r = norm3(sub3(view->jet.p, s->q)), near = r - view->radius;
    double far = norm3(sub3(view->jet.p, s->centre)) + view->radius;
    bool outside = near > 0 && r > s->least;
    s->pieces += 1;
    s->error += outside ? smaller((t->mixed ? e->area : e->strips) / (near * near), 2 * TWO_PI) : 2 * TWO_PI;
    /* roundings of the corners: an angle each as large as they are seen from q */
    s->error += 16 * DBL_EPSILON * (1 + far / larger(near, s->least));
    s->flux_error += t->mixed ? e->area * far : e->strips * far + 3 * e->volume;
    if (t->mixed) return;
    wit_vec3 p[4];
    for (int k = 0; k < 4; ++k) {
        bool high_u = k == 1 || k == 2, high_v = k >= 2;
        wit_surface_jet j;
        unsigned below = (high_u ? (unsigned)WIT_KNOT_U_BELOW : 0U) | (high_v ? (unsigned)WIT_KNOT_V_BELOW : 0U);
        wit_surface_eval(surface, high_u ? t->u.hi : t->u.lo, high_v ? t->v.hi : t->v.lo, below, NULL, &j);
        p[k] = j.p;
    }
    work_jets(s->work, 4);
    double sign = body_faces(s->body)[face].reversed ? -1 : 1;
    for (int k = 1; k < 3; ++k) {
        wit_vec3 a = sub3(p[0], s->q), b = sub3(p[k], s->q), c = sub3(p[k + 1], s->q);
        s->angle += sign * triangle_angle(a, b, c);
        a = sub3(p[0], s->centre), b = sub3(p[k], s->centre), c = sub3(p[k + 1], s->centre);
        s->flux += sign * 0.5 * dot3(a, cross3(b, c));
    }
}

static bool small_enough(const summing* s, const face_piece* t, const face_piece_view* view, const piece_error* e)
{
    double r = norm3(sub3(view->jet.p, s->q)), near = r - view->radius;
    if (view->radius <= s->least) return true;
    if (t->mixed) return view->radius <= smaller(SHARE, s->finer * MIXED_SHARE) * r;
    return view->radius <= SHARE * r &&
           e->strips * r * r <= s->finer * ERROR_SHARE * view->radius * view->radius * near * near;
}

static void sum_leaf(summing* s, const tree_node* leaf)
{
    const wit_surface* surface = body_surface(s->body, leaf->feature);
    wit_hint hint = {{0}};
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(s->body, leaf);
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        bool cut = t.depth < FACE_PIECE_DEPTH && may_cut(s, count);
        if (t.mixed && t.depth) {
            int64_t most = work_less(s->task->units, WINDING_UNITS * (s->left + count + 3));
            if (!wi_face_piece_trim(s->body, leaf->feature, &t, s->work, most)) continue;
        }
        if (t.depth && t.depth % (surface->degenerate ? REBOUND_POLE : REBOUND) == 0) {
            wi_face_piece_bound(surface, &t, NULL, s->work);
        }
        face_piece_view view = wi_face_piece_look(surface, &t, &hint, s->work);
        piece_error e = error_of(&t, &view);
        if (!cut || small_enough(s, &t, &view, &e)) {
            add_piece(s, leaf->feature, &t, &view, &e);
            continue;
        }
        wi_face_piece_halve(&t, &view, &stack[count + 1], &stack[count]);
        count += 2;
    }
}

/* ---- edges of planar bodies -------------------------------------------------------------------- */

/*
 * How often loops pass along the edge, forwards less backwards. A piece of curve within a ball that does not hold q is
 * seen from q under less than half a turn, so the angle between its ends is what it sweeps: the sum is exact.
 */
static void sum_planar_leaf(summing* s, const tree_node* leaf)
{
    const body_edge* e = &body_edges(s->body)[leaf->feature];
    const int32_t* uses = edge_uses(s->body, leaf->feature);
    const wit_curve* curve = body_curve(s->body, leaf->feature);
    wit_vec3 z = body_surface(s->body, 0)->frame.z;
    double speed = body_leaf_bounds(s->body)[leaf->bounds].d1[0], swept = 0;
    int times = 0;
    for (int32_t k = 0; k < e->uses; ++k) times += body_uses(s->body)[uses[k]].reversed ? -1 : 1;
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = (face_piece){.u = leaf->u};
    for (int count = times ? 1 : 0; count;) {
        face_piece t = stack[--count];
        wit_curve_jet from, middle, to;
        wit_curve_eval(curve, iv_mid(t.u), WIT_KNOT_DEFAULT, NULL, &middle);
        work_jets(s->work, 1);
        double radius = 0.5 * speed * iv_width(t.u);
        bool last = t.depth == FACE_PIECE_DEPTH || !may_cut(s, count) || radius <= s->least;
        bool exact = radius <= 0.9 * norm3(sub3(middle.p, s->q));
        if (last || exact) {
            wit_curve_eval(curve, t.u.lo, WIT_KNOT_DEFAULT, NULL, &from);
            wit_curve_eval(curve, t.u.hi, WIT_KNOT_T_BELOW, NULL, &to);
            work_jets(s->work, 2);
            wit_vec3 a = sub3(from.p, s->q), b = sub3(to.p, s->q);
            swept += wit_atan2(dot3(cross3(a, b), z), dot3(a, b));
            /* ends are rounded, and those of edges off their vertices: an angle as large as that is seen from q */
            double near = smaller(norm3(a), norm3(b)), far = norm3(sub3(middle.p, s->centre)) + radius;
            double off = s->body->looseness + 16 * DBL_EPSILON * (far + norm3(middle.p));
            s->error += smaller(2 * off / larger(near, s->least), TWO_PI);
            s->pieces += 1;
            if (!exact) s->error = INFINITY;
            continue;
        }
        double m = iv_mid(t.u);
        stack[count++] = (face_piece){.u = iv(m, t.u.hi), .depth = t.depth + 1};
        stack[count++] = (face_piece){.u = iv(t.u.lo, m), .depth = t.depth + 1};
    }
    s->angle += times * swept;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static void sum_body(summing* s)
{
    const tree_node* nodes = body_nodes(s->body);
    s->angle = s->error = s->flux = s->flux_error = 0;
    for (int32_t i = 0; i < s->body->node_count; ++i) {
        const tree_node* n = &nodes[i];
        s->left = s->body->node_count - i;
        if (n->child[0] >= 0) continue;
        if (s->body->planar && n->kind == WIT_EDGE) sum_planar_leaf(s, n);
        if (!s->body->planar && n->kind == WIT_FACE) sum_leaf(s, n);
    }
}

winding wi_winding_about(const search_task* task, const wit_body* body, wit_vec3 q, wit_work* work)
{
    winding w = {.known = !body->unbounded, .outward = body->bounded || body->planar};
    if (!w.known) return w;
    summing s = {.task = task, .body = body, .q = q, .finer = 4, .work = work};
    s.centre = scale3(0.5, add3(body->box.lo, body->box.hi));
    s.least = 4 * DBL_EPSILON * (norm3(sub3(q, s.centre)) + norm3(s.centre) + body->size);
    double turn = body->planar ? TWO_PI : 2 * TWO_PI;
    s.left = body->node_count;
    for (int k = 0; k <= REFINEMENTS && (!k || may_cut(&s, 0)); ++k, s.finer *= 0.5) {
        sum_body(&s);
        w.number = s.angle / turn;
        w.error = s.error / turn + DBL_EPSILON * (double)s.pieces;
        w.volume = s.flux / 3;
        w.volume_error = s.flux_error / 3 * (1 + 1e-9);
        w.pieces = s.pieces;
        s.left = body->node_count;
        if (body->planar || wi_winding_proved(&w)) break;
    }
    return w;
}

static double threshold(const winding* w)
{
    return !w->outward && w->volume < 0 ? -0.5 : 0.5;
}

int wi_winding_side(const winding* w)
{
    if (!w->known) return 0;
    return w->number > threshold(w) ? -1 : 1;
}

bool wi_winding_proved(const winding* w)
{
    bool oriented = w->outward || fabs(w->volume) > w->volume_error;
    double off = w->number - threshold(w);
    /* one turn farther the shell crosses itself */
    return w->known && oriented && fabs(off) > w->error && fabs(off) < 1 - w->error;
}
