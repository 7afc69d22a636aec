/* SPDX-License-Identifier: MIT */
/*
 * Pieces of faces near q are halved until each is
 *   far    all of it is farther than the closest place;
 *   right  n(x) . (q - x) has the sign for all x of it: then it has it wherever a closest place is, on borders of the face
 *          too, as far as the other faces there agree;
 *   aside  r = q - x has a part along the face everywhere: no place inside the face is closest, but its border may be.
 * With S = m + e over a piece, |e| <= radius and |N . e| <= |N| bend at the middle m, N(x) = N + t, |t| <= turn:
 *   N(x) . (q - x)  differs from  N . (q - m)  by at most  turn (|q - m| + radius) + |N| bend.
 * Only where a piece was put aside are edges looked at, where the normals of all faces are summed up, and vertices.
 * Rigorous mode takes the same products from enclosures.
 */
#include "sheet_side.h"

#include "../../body/meeting.h"
#include "../../body/tree/crease.h"
#include "face_piece.h"
#include "sign.h"

enum {
    WORK = 1000,      /* pieces in all */
    REBOUND = 6,      /* halvings after which derivatives are bounded anew */
    REBOUND_POLE = 3, /* the same next to a pole */
    RETRIM = 4        /* and trims asked */
};
#define PLACE_UNITS 8 /* a place is known to this many units in the last place */

typedef struct sheet_look {
    const search_task* task;
    const side* s;
    const wit_body* body;
    wit_vec3 q, point; /* in the frames of the body and of the search */
    double reach;      /* what is farther is not closest */
    double margin;     /* how far off q, edges and vertices may be */
    int sign;
    int left; /* pieces */
    bool aside;
    wit_work* work;
} sheet_look;

typedef enum verdict { OPEN, DONE, ASIDE } verdict;

static bool may_go_on(sheet_look* l)
{
    return --l->left >= 0 && task_may(l->task, l->work);
}

/* The least of sign n . (q - x) over unit normals n of the cone and |x - m| <= radius, r = q - m. */
static double least_before(const sheet_look* l, const wit_cone* normals, bool reversed, wit_vec3 r, double radius)
{
    double sine, cosine, along = (reversed ? -1 : 1) * l->sign * dot3(normals->axis, r);
    double across = norm3(cross3(normals->axis, r)), length = norm3(r);
    wit_sincos(normals->angle, &sine, &cosine);
    if (!(normals->angle < 0.5 * PI)) return -length - radius;
    /* |r| cos(angle to the axis + that of the cone); beyond a straight angle the least is -|r| */
    double least = across * cosine + along * sine < 0 ? -length : along * cosine - across * sine;
    return least - 8 * DBL_EPSILON * length - radius;
}

/* ---- faces --------------------------------------------------------------------------------- */

static verdict judge_piece(const sheet_look* l, const face_piece* t, const face_piece_view* v, bool reversed)
{
    const wit_surface_jet* j = &v->jet;
    wit_vec3 r = sub3(l->q, j->p), area = cross3(j->du, j->dv);
    double length = norm3(r), size = norm3(area), turn = wi_face_piece_turn(t, v);
    if (length - v->radius > l->reach) return DONE;
    double before = (reversed ? -1 : 1) * l->sign * dot3(area, r);
    if (before >
        turn * (length + v->radius + l->margin) + size * (v->bend + l->margin) + 8 * DBL_EPSILON * size * length)
        return DONE;
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v);
    const double change[2] = {t->d2[0] * hu + t->d2[1] * hv, t->d2[1] * hu + t->d2[2] * hv};
    const wit_vec3 tangent[2] = {j->du, j->dv};
    for (int i = 0; i < 2; ++i) {
        double speed = norm3(tangent[i]) + change[i], far = length + v->radius;
        double noise = (CREASE + 8 * DBL_EPSILON) * far + v->radius + l->margin;
        if (fabs(dot3(tangent[i], r)) > change[i] * length + speed * noise) return ASIDE;
    }
    return OPEN;
}

static double product_margin(const wit_interval a[3], const wit_interval b[3])
{
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += iv_mag(a[i]) * iv_mag(b[i]);
    return 16 * DBL_EPSILON * sum;
}

static wit_interval product(const wit_interval a[3], const wit_interval b[3])
{
    wit_interval sum = iv_add(iv_add(iv_mul(a[0], b[0]), iv_mul(a[1], b[1])), iv_mul(a[2], b[2]));
    return iv_widen(sum, product_margin(a, b));
}

static double length_of(const wit_interval d[3])
{
    double x = iv_mag(d[0]), y = iv_mag(d[1]), z = iv_mag(d[2]);
    return sqrt(x * x + y * y + z * z) * (1 + 8 * DBL_EPSILON);
}

/* The same from enclosures, in axes along the normal of the middle. */
static verdict judge_enclosed(const sheet_look* l, const wit_surface* surface, const face_piece* t, wit_vec3 normal,
                              bool reversed)
{
    wit_vec3 axes[3];
    axes[0] = dot3(normal, normal) > 0.5 ? normal : vec3(0, 0, 1);
    complete3(axes[0], &axes[1], &axes[2]);
    surface_enclosure e;
    wit_interval r[3], n[3];
    double least = 0, noise = 8 * DBL_EPSILON * norm3(l->q);
    work_tests(l->work, 1);
    wi_surface_enclose(surface, t->u, t->v, axes, &e);
    for (int k = 0; k < 3; ++k) {
        r[k] = iv_widen(iv_sub(iv_point(dot3(axes[k], l->q)), e.d[D00][k]), noise + DBL_EPSILON * iv_mag(e.d[D00][k]));
        least += iv_mig(r[k]) * iv_mig(r[k]);
    }
    if (sqrt(least) * (1 - 8 * DBL_EPSILON) > l->reach) return DONE;
    const wit_interval *a = e.d[D10], *b = e.d[D01];
    double u = length_of(a), v = length_of(b), far = length_of(r);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = iv_widen(iv_sub(iv_mul(a[i], b[j]), iv_mul(a[j], b[i])), 8 * DBL_EPSILON * u * v);
    }
    wit_interval before = product(n, r);
    if ((reversed ? -1 : 1) * l->sign < 0) before = iv(-before.hi, -before.lo);
    if (before.lo > u * v * l->margin) return DONE;
    if (iv_mig(product(a, r)) > u * (CREASE * far + l->margin)) return ASIDE;
    return iv_mig(product(b, r)) > v * (CREASE * far + l->margin) ? ASIDE : OPEN;
}

static bool right_by_cone(const sheet_look* l, const wit_cone* cone, bool reversed, wit_vec3 middle, double radius)
{
    return least_before(l, cone, reversed, sub3(l->q, middle), radius) > l->margin;
}

static bool face_agrees(sheet_look* l, const tree_node* leaf)
{
    const wit_surface* surface = body_surface(l->body, leaf->feature);
    bool reversed = body_faces(l->body)[leaf->feature].reversed;
    wit_vec3 middle = scale3(0.5, add3(leaf->box.lo, leaf->box.hi)), diagonal = sub3(leaf->box.hi, leaf->box.lo);
    if (right_by_cone(l, &body_leaf_bounds(l->body)[leaf->bounds].cone, reversed, middle, 0.5 * norm3(diagonal)))
        return true;
    face_piece stack[FACE_PIECE_DEPTH + 2];
    stack[0] = wi_face_piece_of_leaf(l->body, leaf);
    wit_hint hint = {{0}};
    for (int count = 1; count;) {
        face_piece t = stack[--count];
        if (!may_go_on(l)) return false;
        wit_cone cone = {vec3(0, 0, 1), PI};
        if (t.depth && t.depth % (surface->degenerate ? REBOUND_POLE : REBOUND) == 0)
            wi_face_piece_bound(surface, &t, &cone, l->work);
        face_piece_view view = wi_face_piece_look(surface, &t, &hint, l->work);
        wit_vec3 n = unit3(cross3(unit3(view.jet.du), unit3(view.jet.dv)));
        verdict end =
            l->task->rigorous ? judge_enclosed(l, surface, &t, n, reversed) : judge_piece(l, &t, &view, reversed);
        if (end == OPEN && right_by_cone(l, &cone, reversed, view.jet.p, view.radius)) end = DONE;
        l->aside |= end == ASIDE;
        if (end != OPEN) continue;
        bool last = view.radius <= l->margin || t.depth == FACE_PIECE_DEPTH;
        if (t.mixed && (last || t.depth % RETRIM == 0) &&
            !wi_face_piece_trim(l->body, leaf->feature, &t, l->work, l->task->units))
            continue;
        if (last) return false;
        wi_face_piece_halve(&t, &view, &stack[count + 1], &stack[count]);
        count += 2;
    }
    return true;
}

/* ---- edges and vertices ---------------------------------------------------------------------- */

/* The sum of the normals of the faces along a stretch of an edge, r = q - m, all of it within the radius of m. */
static bool normals_agree(sheet_look* l, int32_t edge, wit_interval t, wit_vec3 r, double radius)
{
    const int32_t* uses = edge_uses(l->body, edge);
    double sum = 0;
    for (int32_t k = 0; k < body_edges(l->body)[edge].uses; ++k) {
        wit_cone c = wi_use_normals(l->body, uses[k], t);
        work_tests(l->work, 1);
        sum +=
            least_before(l, &c, body_faces(l->body)[body_uses(l->body)[uses[k]].face].reversed, r, radius) - l->margin;
    }
    return sum > 0;
}

/* The right of a planar body's edge, the side that it looks to, and how far C' may turn from the middle. */
static bool planar_agrees(const sheet_look* l, int32_t edge, const wit_curve_jet* j, wit_vec3 r, double turn,
                          double bend)
{
    wit_vec3 right = cross3(j->d1, body_surface(l->body, 0)->frame.z);
    const body_edge* e = &body_edges(l->body)[edge];
    if (e->uses != 1) return false;
    double sign = body_uses(l->body)[edge_uses(l->body, edge)[0]].reversed ? -l->sign : l->sign, length = norm3(r);
    double size = norm3(j->d1);
    return sign * dot3(right, r) >
           turn * (length + bend + l->margin) + size * (bend + l->margin + 8 * DBL_EPSILON * length);
}

/* Rigorous mode: how far off the point of a jet may be, and its tangent, which is added to *change. */
static double jet_error(const sheet_look* l, const wit_curve* c, double t, double* change)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    curve_enclosure e;
    if (!l->task->rigorous) return 0;
    work_tests(l->work, 1);
    wi_curve_enclose(c, iv_point(t), axes, &e);
    wit_interval off[2][3];
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 2; ++i) off[i][k] = iv(0, iv_width(e.d[i][k]));
    *change += length_of(off[1]);
    return length_of(off[0]);
}

static bool edge_agrees(sheet_look* l, const tree_node* leaf)
{
    const leaf_bounds* b = &body_leaf_bounds(l->body)[leaf->bounds];
    const wit_curve* c = body_curve(l->body, leaf->feature);
    bool pieces = made_of_pieces(l->body, WIT_EDGE, leaf->feature);
    wit_interval stack[FACE_PIECE_DEPTH + 2] = {leaf->u};
    for (int count = 1; count;) {
        wit_interval t = stack[--count];
        if (!may_go_on(l)) return false;
        double h = 0.5 * iv_width(t), m = iv_mid(t), change = b->d2[0] * h, bend = 0.5 * change * h;
        wit_curve_jet j;
        wit_curve_eval(c, m, WIT_KNOT_DEFAULT, NULL, &j);
        work_jets(l->work, 1);
        wit_vec3 r = sub3(l->q, j.p);
        double error = jet_error(l, c, m, &change), length = norm3(r), speed = norm3(j.d1) + change;
        double radius = smaller(norm3(j.d1) * h + bend, b->d1[0] * h) + error, noise = l->margin + radius;
        if (length - radius > l->reach) continue;
        /* at the ends of a leaf there may be a kink, which is closest without being stationary */
        bool kink = pieces && (t.lo <= leaf->u.lo || t.hi >= leaf->u.hi);
        noise += (CREASE + 8 * DBL_EPSILON) * (length + radius);
        if (!kink && fabs(dot3(j.d1, r)) > change * length + speed * noise) continue;
        if (l->body->planar ? planar_agrees(l, leaf->feature, &j, r, change, bend + error)
                            : normals_agree(l, leaf->feature, t, r, radius))
            continue;
        if (radius <= 2 * (l->margin + error) || count + 2 > FACE_PIECE_DEPTH || !(m > t.lo && m < t.hi)) return false;
        stack[count++] = iv(m, t.hi);
        stack[count++] = iv(t.lo, m);
    }
    return true;
}

static bool vertex_agrees(sheet_look* l, const tree_node* leaf)
{
    place at = place_at(WIT_VERTEX, leaf->feature, 0, 0, side_point(l->s, body_vertices(l->body)[leaf->feature].point));
    double distance = norm3(sub3(l->point, at.p));
    if (distance - l->margin > l->reach) return true;
    return task_may_spend(l->task, l->work, wi_point_sign_cost(l->body, &at)) &&
           wi_place_side_decided(l->s, l->point, &at, distance, l->sign);
}

/* ---- the sheet ------------------------------------------------------------------------------- */

static bool leaf_agrees(sheet_look* l, const tree_node* leaf, unsigned kinds)
{
    if (!(kinds & 1U << leaf->kind)) return true;
    if (leaf->kind == WIT_FACE) return face_agrees(l, leaf);
    return leaf->kind == WIT_EDGE ? edge_agrees(l, leaf) : vertex_agrees(l, leaf);
}

/* All leaves of these kinds that are near enough. */
static bool leaves_agree(sheet_look* l, unsigned kinds)
{
    const tree_node* nodes = body_nodes(l->body);
    double most = (l->reach + l->margin) * (l->reach + l->margin);
    tree_walk walk;
    for (tree_walk_start(&walk, l->body->node_count); walk.count;) {
        const tree_node* n = &nodes[tree_walk_next(&walk)];
        if (!(n->kinds_below & kinds)) continue;
        work_nodes(l->work, 1);
        if (box_square(&n->box, l->q) > most) continue;
        if (n->child[0] < 0) {
            if (!leaf_agrees(l, n, kinds)) return false;
        } else if (!task_may(l->task, l->work) || !tree_walk_down(&walk, n, 0)) {
            return false;
        }
    }
    return true;
}

bool wi_sheet_side_proved(const search_task* task, const side* s, wit_vec3 point, double upper, int sign,
                          wit_work* work)
{
    const wit_body* b = s->body;
    sheet_look l = {.task = task, .s = s, .body = b, .q = side_unpoint(s, point), .point = point, .sign = sign};
    l.left = WORK;
    l.work = work;
    double rounding = DBL_EPSILON * (norm3(b->box.lo) + norm3(b->box.hi) + norm3(l.q) + norm3(point));
    l.margin = PLACE_UNITS * rounding + task_error(task) + 2 * b->looseness;
    l.reach = upper + l.margin;
    if (b->planar) return leaves_agree(&l, 1U << WIT_EDGE | 1U << WIT_VERTEX);
    if (!leaves_agree(&l, 1U << WIT_FACE)) return false;
    return !l.aside || leaves_agree(&l, 1U << WIT_EDGE | 1U << WIT_VERTEX);
}
