/* SPDX-License-Identifier: MIT */
/*
 * Hand-overs: the hybrid automaton of the papers without its Voronoi diagram. A witness leaves
 *   a face   where the law holds it at a border and it would leave, and where its place is outside the loops;
 *   an edge  at an end that it would pass, and for a face whose conormal leads closer;
 *   a vertex for an edge whose tangent leads closer, or a sector of a face.
 * The reset map keeps the place: t of the edge from the border, (u, v) of the face from the use's parameter curve. So no
 * hand-over raises the distance by more than the stored tolerance of the edge. Smooth edges are passed from face to face
 * in one call.
 */
#include "hand_over.h"

#include "../body/meeting.h"
#include "../pair/neighbour.h"
#include "../pair/pole.h"

#define LEAST 1e-9 /* slope above which a feature is handed over to: hysteresis against the borders, where 0 counts */
#define DOUBT 1e-6 /* slope above which a refused hand-over is worth a flag */
#define SLACK 1e-9 /* of the size: a border place and its edge */
#define GAIN 1e-14 /* of the scale: by so much the distance must have fallen before a feature is entered again */
#define DRAWN 1e-9 /* of the largest speed: a border that is one point */

/* One witness and what it sees. */
typedef struct hand {
    step* s;
    int which;
    const side* side;
    place* at;
    wit_vec3 p, q; /* its point, and the other's */
    wit_vec3 w;    /* unit, to the other; of overlapping bodies outward */
    wit_vec3
        pull; /* unit, along which the law moves it on a face: to the other's point where the gap is what it levels */
} hand;

static double distance_of(const hand* h)
{
    return norm3(sub3(h->q, h->p));
}

static neighbour_query query_of(hand* h)
{
    return (neighbour_query){h->side, h->w, distance_of(h), LEAST};
}

static bool afford(hand* h, int64_t units)
{
    if (step_left(h->s) >= units + STEP_RESERVE) return true;
    h->s->outcome = WIT_OUTCOME_BUDGET;
    return false;
}

/* From another place of the side: along the gap if that was the direction, else unchanged. */
static void stand_at(hand* h, wit_vec3 p)
{
    wit_vec3 r = sub3(h->q, p), w = unit3(r);
    h->p = p;
    if (norm3(r) > SLACK * h->s->t->size && dot3(w, h->w) > 0.1) h->w = w;
}

/* ---- the guard ----------------------------------------------------------------------------- */

/* A feature that was left in this step may be entered again only nearer to the other side than it was left. */
static bool was_left(const hand* h, const neighbour* to)
{
    const step* s = h->s;
    double now = distance_of(h), less = GAIN * step_scale(s, now);
    for (int k = 0; k < s->left_count; ++k)
        if (s->left[k].side == h->which && s->left[k].kind == to->kind && s->left[k].id == to->id &&
            now >= s->left[k].distance - less)
            return true;
    return false;
}

static bool remember(hand* h)
{
    step* s = h->s;
    if (s->left_count >= HAND_OVERS_MOST) {
        s->flags |= WIT_FLAG_CYCLE;
        return false;
    }
    feature_left left = {(int8_t)h->which, h->at->kind, h->at->id, distance_of(h)};
    s->left[s->left_count++] = left;
    return true;
}

static void put(hand* h, const neighbour* to)
{
    place next = {.kind = to->kind, .id = to->id, .x = {to->x[0], to->x[1]}};
    *h->at = next;
    stand_at(h, to->p);
    h->s->fresh = false;
    h->s->held = 0;
}

/* Hands over. False: that would go round in circles, and the witness stays. */
static bool pass(hand* h, const neighbour* to)
{
    double tolerance = wi_side_tolerance(h->side, h->at->kind == WIT_FACE ? to->kind : h->at->kind,
                                         h->at->kind == WIT_FACE ? to->id : h->at->id);
    if (was_left(h, to)) {
        if (to->slope > DOUBT && to->slope * distance_of(h) > 2 * tolerance) h->s->flags |= WIT_FLAG_CYCLE;
        return false;
    }
    place from = *h->at;
    double before = distance_of(h);
    if (!remember(h)) return false;
    put(h, to);
    wi_step_switched(h->s, h->which, &from, before, distance_of(h), false, h->s->clock);
    return true;
}

static bool is_held(const hand* h, int k)
{
    return h->s->held >> ((h->which ? h->s->at[0].count : 0) + k) & 1;
}

/* ---- from vertices and edges --------------------------------------------------------------- */

static bool leave_vertex(hand* h)
{
    neighbour to;
    if (!afford(h, wi_neighbour_cost(h->side, WIT_VERTEX, h->at->id))) return false;
    neighbour_query q = query_of(h);
    bool leads = wi_neighbour_of_vertex(&q, h->at->id, &to);
    return leads && pass(h, &to);
}

static bool into_face(hand* h, wit_vec3 tangent, int except)
{
    neighbour to;
    if (!afford(h, wi_neighbour_cost(h->side, WIT_EDGE, h->at->id))) return false;
    neighbour_query q = query_of(h);
    edge_place at = {h->at->id, h->at->x[0], h->p, tangent};
    bool leads = wi_neighbour_of_edge(&q, &at, except, &to);
    return leads && pass(h, &to);
}

static bool leave_edge(hand* h)
{
    wit_interval range[2];
    bool closed[2];
    const moving* m = &h->s->at[h->which];
    const body_edge* e = &body_edges(h->side->body)[h->at->id];
    pair_motion_range(&h->s->now, h->which, h->at, range, closed);
    double push = dot3(h->w, m->d[0]);
    if (h->s->pressed) push = !is_held(h, 0) ? 0 : h->at->x[0] <= range[0].lo ? -norm3(m->d[0]) : norm3(m->d[0]);
    bool low = h->at->x[0] <= range[0].lo && push < 0, high = h->at->x[0] >= range[0].hi && push > 0;
    int vertex = low ? e->start : high ? e->end : -1;
    if (closed[0] || vertex < 0) return into_face(h, m->d[0], -1);
    neighbour to = {.kind = WIT_VERTEX, .id = vertex, .slope = fabs(push) / norm3(m->d[0])};
    to.p = side_point(h->side, body_vertices(h->side->body)[vertex].point);
    if (!pass(h, &to)) return false;
    leave_vertex(h);
    return true;
}

/* ---- from faces ---------------------------------------------------------------------------- */

/* Derivatives by the parameters: beside a pole the step has others. */
static void derivatives(hand* h, const wit_interval range[2], wit_vec3 d[2])
{
    const moving* m = &h->s->at[h->which];
    d[0] = m->d[0];
    d[1] = m->d[1];
    if (!wi_pole_near(&h->s->now, h->which, h->at)) return;
    wit_surface_jet j;
    unsigned below = (h->at->x[0] >= range[0].hi ? (unsigned)WIT_KNOT_U_BELOW : 0U) |
                     (h->at->x[1] >= range[1].hi ? (unsigned)WIT_KNOT_V_BELOW : 0U);
    side_face_jet(h->side, h->at->id, h->at->x[0], h->at->x[1], below, &j);
    d[0] = j.du;
    d[1] = j.dv;
}

/* The border that the witness is at and would leave through: 0 u, 1 v; -1: none. One that is a point counts only beyond the
 * hysteresis. *drawn: it is one. */
static int pushed_through(hand* h, bool* drawn)
{
    wit_interval range[2];
    bool closed[2];
    const wit_surface* surface = body_surface(h->side->body, h->at->id);
    wit_vec3 d[2] = {{0, 0, 0}, {0, 0, 0}};
    bool at[2], looked = false;
    pair_motion_range(&h->s->now, h->which, h->at, range, closed);
    *drawn = false;
    for (int k = 0; k < 2; ++k) at[k] = !closed[k] && (h->at->x[k] <= range[k].lo || h->at->x[k] >= range[k].hi);
    for (int k = 0; k < 2; ++k) {
        if (!at[k]) continue;
        if (!looked) derivatives(h, range, d);
        looked = true;
        double push = dot3(h->pull, d[k]) * (h->at->x[k] <= range[k].lo ? -1 : 1);
        if (h->s->pressed) push = is_held(h, k) ? norm3(d[k]) : 0;
        *drawn = norm3(d[1 - k]) <= DRAWN * (k ? surface->speed_u : surface->speed_v);
        if (push > (*drawn ? LEAST * norm3(d[k]) : 0)) return k;
    }
    *drawn = false;
    return -1;
}

/* On a border that is one point: over it on the same face if some way leads closer, else an apex is a vertex. */
static bool leave_pole(hand* h, int across)
{
    neighbour to;
    wit_direction fixed = across ? WIT_V : WIT_U;
    double value = h->at->x[across];
    int apex = wi_neighbour_apex(h->side, h->at->id, fixed, value);
    enum { RULING_JETS = 64 };
    if (!afford(h, RULING_JETS)) return false;
    neighbour_query q = query_of(h);
    bool leads = wi_neighbour_off_pole(&q, h->at->id, fixed, value, &to);
    if (leads) {
        if (!remember(h)) return false;
        h->s->left[h->s->left_count - 1].kind = WIT_POINT; /* the face was not left */
        put(h, &to);
        return true;
    }
    if (apex < 0) return false;
    to = (neighbour){.kind = WIT_VERTEX, .id = apex, .slope = 1};
    to.p = side_point(h->side, body_vertices(h->side->body)[apex].point);
    return pass(h, &to);
}

/* On an edge or a vertex that was just taken up from `face`: on to where that leads. */
static void go_on(hand* h, int face)
{
    if (h->at->kind == WIT_VERTEX) {
        leave_vertex(h);
        return;
    }
    if (h->side->body->planar || !afford(h, 1)) return;
    wit_surface_jet j;
    side_edge_jet(h->side, h->at->id, h->at->x[0], WIT_KNOT_DEFAULT, &j);
    bool meets_itself = face_passes_edge(h->side->body, face, h->at->id) > 1;
    into_face(h, j.du, meets_itself ? -1 : face);
}

static bool leave_face(hand* h)
{
    enum { STRETCH_JETS = 16 }; /* the search for the border stops so near to its limit */
    const body_face* f = &body_faces(h->side->body)[h->at->id];
    int face = h->at->id;
    if (f->unbounded) return false;
    bool drawn;
    int through = pushed_through(h, &drawn);
    if (through >= 0 && drawn) return leave_pole(h, through);
    if (through < 0) {
        if (!f->trimmed || !afford(h, 1)) return false;
        if (wi_side_contains(h->side, WIT_FACE, face, h->at->x[0], h->at->x[1])) return false;
    }
    neighbour to;
    double slack = SLACK * h->s->t->body[h->which]->size, limit = INFINITY;
    wit_vec3 target = h->q;
    if (!f->trimmed) {
        target = h->p;
        limit = slack + wi_side_tolerance(h->side, WIT_FACE, face);
    }
    border_query border = {.side = h->side, .face = face, .q = target, .limit = limit};
    border.slack = f->trimmed ? 0 : slack;
    border.most = step_left(h->s) - STEP_RESERVE;
    bool found = wi_neighbour_border(&border, &to);
    if (!found) {
        if (step_left(h->s) <= STEP_RESERVE + STRETCH_JETS) h->s->outcome = WIT_OUTCOME_BUDGET;
        return false;
    }
    to.slope = 1;
    stand_at(h, to.p); /* a place outside the loops is none: distances are those of the border */
    if (!pass(h, &to)) return false;
    go_on(h, face);
    return true;
}

/* ---- both sides ---------------------------------------------------------------------------- */

/* Does the law level the gap against the tangents of this side, or the normal of the other? */
static bool levels_gap(const step* s, int which)
{
    if (s->t->def.form != WIT_FORM_CONTACT || !s->at[0].count || !s->at[1].count) return true;
    int face = pair_face(&s->at[0], &s->at[1]);
    return face < 0 || face == which;
}

static hand hand_of(step* s, int which)
{
    hand h = {.s = s, .which = which, .side = &s->now.side[which], .at = &s->t->at[which], .w = s->toward[which]};
    h.p = s->at[which].p;
    h.q = s->at[1 - which].p;
    wit_vec3 r = sub3(h.q, h.p);
    bool far = norm3(r) > SLACK * s->t->size;
    h.pull = far && levels_gap(s, which) ? unit3(r) : h.w;
    if (far && dot3(r, h.w) > 0) h.w = unit3(r);
    return h;
}

bool wi_hand_over(step* s)
{
    if (s->t->def.keep_features || !s->fresh) return false;
    /* a point on the surface sees no direction: any feature there is as good */
    const place* on = &s->t->at[0];
    bool ends = on->kind == WIT_FACE && body_faces(s->t->body[0])[on->id].trimmed;
    if (!s->t->body[1] && !ends && norm3(sub3(s->at[0].p, s->at[1].p)) <= s->t->def.tolerance * s->t->size)
        return false;
    for (int which = 0; which < 2; ++which) {
        hand h = hand_of(s, which);
        if (!h.side->body || !(dot3(h.w, h.w) > 0)) continue;
        bool moved = h.at->kind == WIT_FACE     ? leave_face(&h)
                     : h.at->kind == WIT_EDGE   ? leave_edge(&h)
                     : h.at->kind == WIT_VERTEX ? leave_vertex(&h)
                                                : false;
        if (moved) return true;
    }
    return false;
}
