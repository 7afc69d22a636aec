/* SPDX-License-Identifier: MIT */
/*
 * Faces are cut from the leaves of the bounding tree down to pieces that are small against their distance from the point,
 * and summed up by Gauss' rule. Let the piece have radius R about its middle, and the middle the distance r. The integrand
 * has its nearest pole r / R half widths from the middle, so three points per direction miss by about
 * (r/R + sqrt((r/R)^2 - 1))^-6 of the piece's angle: 4e-4 at R = r / 2. Pieces that a trim runs through are
 * cut further, and there a point of the rule counts if it is inside the trims; the angle that this may get wrong is
 * below the piece's own, about (R / r)^2.
 */
#include "winding.h"

#include "../../body/meeting.h"
#include "face_piece.h"

enum {
    POINTS = 3,
    REBOUND = 8,      /* halvings after which derivatives are bounded anew */
    REBOUND_POLE = 3, /* the same on surfaces with poles */
    REFINEMENTS = 2   /* more attempts when a closed shell does not give a whole number */
};
#define SHARE 0.5         /* R / r of pieces */
#define MIXED_SHARE 0.125 /* of pieces with a trim through them */
#define FLAT_SHARE 0.0625 /* of pieces that bend much: there the rule is not trusted before */
#define WHOLE 0.2         /* off a whole number by more: again, finer */

static const double NODES[POINTS] = {-0.77459666924148337704, 0, 0.77459666924148337704};
static const double WEIGHTS[POINTS] = {0.55555555555555555556, 0.88888888888888888889, 0.55555555555555555556};

typedef struct summing {
    const wit_body* body;
    wit_vec3 q, centre; /* the volume is taken about the centre of the box */
    double least;       /* pieces below this radius are within rounding of q */
    double finer;       /* factor on the shares */
    double angle, flux;
    int64_t pieces;
} summing;

/* ---- faces ------------------------------------------------------------------------------------- */

static void add_tile(summing* s, int32_t face, const face_piece* t, wit_hint* hint)
{
    const wit_surface* surface = body_surface(s->body, face);
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v), angle = 0, flux = 0;
    for (int i = 0; i < POINTS; ++i)
        for (int j = 0; j < POINTS; ++j) {
            double u = iv_mid(t->u) + hu * NODES[i], v = iv_mid(t->v) + hv * NODES[j];
            if (t->mixed && !wit_body_face_contains(s->body, face, u, v)) continue;
            wit_surface_jet jet;
            wit_surface_eval(surface, u, v, WIT_KNOT_DEFAULT, hint, &jet);
            wit_vec3 area = scale3(WEIGHTS[i] * WEIGHTS[j] * hu * hv, cross3(jet.du, jet.dv)), x = sub3(jet.p, s->q);
            double r = norm3(x);
            if (r > 0) angle += dot3(scale3(1 / r, area), scale3(1 / r, x)) / r;
            flux += dot3(area, sub3(jet.p, s->centre));
        }
    double sign = body_faces(s->body)[face].reversed ? -1 : 1;
    s->angle += sign * angle;
    s->flux += sign * flux;
    s->pieces += 1;
}

static bool small_enough(const summing* s, const face_piece* t, const face_piece_view* view)
{
    double share = s->finer * (t->mixed ? MIXED_SHARE : 2 * view->bend <= view->linear ? SHARE : FLAT_SHARE);
    return view->radius <= share * norm3(sub3(view->jet.p, s->q)) || view->radius <= s->least;
}

static void sum_leaf(summing* s, const tree_node* leaf)
{
    const wit_surface* surface = body_surface(s->body, leaf->feature);
    wit_hint hint = {{0}};
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(s->body, leaf);
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (!wi_face_piece_trim(s->body, leaf->feature, &t)) continue;
        if (t.depth && t.depth % (surface->degenerate ? REBOUND_POLE : REBOUND) == 0) wi_face_piece_bound(surface, &t);
        face_piece_view view = wi_face_piece_look(surface, &t, &hint);
        if (t.depth == FACE_PIECE_DEPTH || s->pieces >= WINDING_WORK || small_enough(s, &t, &view)) {
            add_tile(s, leaf->feature, &t, &hint);
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
        double radius = 0.5 * speed * iv_width(t.u);
        bool last = t.depth == FACE_PIECE_DEPTH || s->pieces >= WINDING_WORK || radius <= s->least;
        if (last || radius <= 0.9 * norm3(sub3(middle.p, s->q))) {
            wit_curve_eval(curve, t.u.lo, WIT_KNOT_DEFAULT, NULL, &from);
            wit_curve_eval(curve, t.u.hi, WIT_KNOT_T_BELOW, NULL, &to);
            wit_vec3 a = sub3(from.p, s->q), b = sub3(to.p, s->q);
            swept += wit_atan2(dot3(cross3(a, b), z), dot3(a, b));
            s->pieces += 1;
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
    s->angle = s->flux = 0;
    s->pieces = 0;
    for (int32_t i = 0; i < s->body->node_count; ++i) {
        const tree_node* n = &nodes[i];
        if (n->child[0] >= 0) continue;
        if (s->body->planar && n->kind == WIT_EDGE) sum_planar_leaf(s, n);
        if (!s->body->planar && n->kind == WIT_FACE) sum_leaf(s, n);
    }
}

winding wi_winding_about(const wit_body* body, wit_vec3 q)
{
    winding w = {.known = !body->unbounded};
    if (!w.known) return w;
    summing s = {.body = body, .q = q, .finer = 1};
    s.centre = scale3(0.5, add3(body->box.lo, body->box.hi));
    s.least = 4 * DBL_EPSILON * (norm3(sub3(q, s.centre)) + norm3(s.centre) + body->size);
    for (int k = 0; k <= REFINEMENTS; ++k, s.finer *= 0.5) {
        sum_body(&s);
        w.number = s.angle / (body->planar ? TWO_PI : 2 * TWO_PI);
        w.volume = s.flux / 3;
        w.pieces += s.pieces;
        if (!body->closed || fabs(w.number - floor(w.number + 0.5)) <= WHOLE) break;
    }
    return w;
}

int wi_winding_side(const winding* w)
{
    if (!w->known) return 0;
    return w->number > (w->volume < 0 ? -0.5 : 0.5) ? -1 : 1;
}
