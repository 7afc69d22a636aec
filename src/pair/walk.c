/* SPDX-License-Identifier: MIT */
/* What the walks of both rules share: features and places, steps in the tangent planes, the way to the end of a set. */
#include "walk.h"

#include "../base/solve.h"

enum { STEPS = 4000 };
#define TURN 0.3        /* most that a direction may turn in one step; a sine */
#define EASY_TURN 0.1   /* the next step may be longer */
#define CONFIRM 0.05    /* of the size: over this length a closest set must be level */
#define LEVEL_BEND 1e-8 /* times 1 / size: curvature of the distance along what counts as a set */
#define STRIDE 0.0625   /* of the size: the longest step of a look along the set */
#define SIGNED_STRIDE 0.03
#define OFF_POLE 1e-4 /* of the range */

/* ---- where --------------------------------------------------------------------------------- */

static double feature_extent(const side* s, wit_feature_kind kind, int id)
{
    if (kind == WIT_FACE) {
        const body_face* f = &body_faces(s->body)[id];
        return f->unbounded ? INFINITY : norm3(sub3(f->box.hi, f->box.lo));
    }
    return kind == WIT_EDGE ? body_curve(s->body, id)->speed * iv_width(body_edges(s->body)[id].range) : 0;
}

/* Is the border at v one point, with a tangent plane? */
static bool is_pole(const side* s, int id, double v)
{
    const wit_surface* surface = body_surface(s->body, id);
    wit_surface_jet j;
    if (!surface->degenerate || !surface->closed_u || surface->closed_v) return false;
    wit_vec3 n; /* the apex of a cone has none */
    return (side_face_jet(s, id, surface->u.lo, v, WIT_KNOT_DEFAULT, &j) & WIT_EVAL_DEGENERATE) != 0 &&
           wi_side_normal(s, id, surface->u.lo, v, &n);
}

static walk_feature feature_of(const side* s, const place* at)
{
    walk_feature f = {.side = s};
    if (place_count(at) == 0) return f;
    wi_side_range(s, at->kind, at->id, f.range, f.closed);
    if (at->kind != WIT_FACE) return f;
    f.pole[0] = is_pole(s, at->id, f.range[1].lo);
    f.pole[1] = is_pole(s, at->id, f.range[1].hi);
    return f;
}

void wi_walk_start(const placed_pair* pair, const place* a, const place* b, walk* out)
{
    const side* sides[2] = {&pair->a, &pair->b};
    const place* at[2] = {a, b};
    walk w = {.rule = WALK_CLOSEST, .floor = pair->floor, .size = pair->size};
    for (int i = 0; i < 2; ++i) {
        w.feature[i] = feature_of(sides[i], at[i]);
        if (place_count(at[i])) w.size = smaller(w.size, feature_extent(sides[i], at[i]->kind, at[i]->id));
    }
    w.confirm = CONFIRM * w.size;
    w.stride = STRIDE * w.size;
    *out = w;
}

void wi_walk_start_signed(const side* sa, const place* a, const side* sb, const place* b, double size, walk* out)
{
    walk w = {.rule = WALK_SIGNED, .size = size, .stride = SIGNED_STRIDE * size, .limit = INT64_MAX};
    w.feature[0] = feature_of(sa, a);
    w.feature[1] = feature_of(sb, b);
    *out = w;
}

static bool at_pole(const walk* w, int i, double v)
{
    return (w->feature[i].pole[0] && v <= w->feature[i].range[1].lo) ||
           (w->feature[i].pole[1] && v >= w->feature[i].range[1].hi);
}

void wi_walk_look(walk* w, walk_state* s, int i)
{
    const side* of = w->feature[i].side;
    place* at = &s->at[i];
    unsigned flags = wi_side_jet(of, at, WIT_KNOT_DEFAULT, NULL, &s->jet[i]);
    s->regular[i] = !(flags & WIT_EVAL_DEGENERATE);
    at->p = s->jet[i].p;
    w->jets += of->body != NULL;
}

void wi_walk_look_both(walk* w, walk_state* s)
{
    for (int i = 0; i < 2; ++i) wi_walk_look(w, s, i);
    s->distance = norm3(sub3(s->at[0].p, s->at[1].p));
}

void wi_walk_at(walk* w, const place* a, const place* b, walk_state* out)
{
    walk_state s = {.at = {*a, *b}};
    for (int i = 0; i < 2; ++i) {
        wit_interval v = w->feature[i].range[1];
        if (at_pole(w, i, s.at[i].v)) s.at[i].v += (s.at[i].v < iv_mid(v) ? 1 : -1) * OFF_POLE * iv_width(v);
    }
    wi_walk_look_both(w, &s);
    *out = s;
}

place wi_walk_place(const walk* w, const walk_state* s, int i)
{
    place p = s->at[i];
    for (int k = 0; k < 2; ++k) {
        wit_interval range = w->feature[i].range[k];
        double period = iv_width(range);
        if (w->feature[i].closed[k] && period > 0) p.x[k] -= period * floor((p.x[k] - range.lo) / period);
    }
    return p;
}

/* At a pole the tangents are those across the limit of the normal; only the curvature is taken beside it. */
static tangent_chart chart_at_pole(walk* w, const walk_state* s, int i)
{
    tangent_chart c = wi_chart_at(w->feature[i].side, &s->at[i], WIT_KNOT_DEFAULT);
    wit_vec3 n, e[2];
    w->jets++;
    if (c.n != 2 || !wi_side_normal(w->feature[i].side, s->at[i].id, s->at[i].x[0], s->at[i].x[1], &n)) return c;
    complete3(n, &e[0], &e[1]);
    double x = dot3(e[0], c.e[0]), y = dot3(e[0], c.e[1]);
    double k0 = dot3(n, c.k[0]), k1 = dot3(n, c.k[1]), k2 = dot3(n, c.k[2]);
    c.k[0] = scale3(x * x * k0 + 2 * x * y * k1 + y * y * k2, n);
    c.k[1] = scale3(x * y * (k2 - k0) + (x * x - y * y) * k1, n);
    c.k[2] = scale3(y * y * k0 - 2 * x * y * k1 + x * x * k2, n);
    c.e[0] = e[0];
    c.e[1] = e[1];
    return c;
}

void wi_walk_charts(walk* w, const walk_state* s, tangent_chart chart[2])
{
    tangent_chart none = {0};
    for (int i = 0; i < 2; ++i) {
        bool has_tangents = s->at[i].kind == WIT_FACE || s->at[i].kind == WIT_EDGE;
        chart[i] = !has_tangents   ? none
                   : s->regular[i] ? wi_chart_of_jet(s->at[i].kind, &s->jet[i])
                                   : chart_at_pole(w, s, i);
    }
}

/* ---- moving in the tangent plane ----------------------------------------------------------- */

/*
 * Close to a pole: dv(u) = cos A + sin B there, so the offset W from the pole has the longitude of (W.A, W.B) and the
 * latitude of its length.
 */
static bool retract_at_pole(walk* w, walk_state* s, int i, wit_vec3 step)
{
    const wit_surface* surface = body_surface(w->feature[i].side->body, s->at[i].id);
    double u = surface->u.lo, period = iv_width(surface->u);
    for (int end = 0; end < 2; ++end) {
        if (!w->feature[i].pole[end]) continue;
        double v = end ? w->feature[i].range[1].hi : w->feature[i].range[1].lo, inward = end ? -1 : 1;
        wit_surface_jet a, b;
        side_face_jet(w->feature[i].side, s->at[i].id, u, v, WIT_KNOT_DEFAULT, &a);
        wit_vec3 offset = sub3(s->at[i].p, a.p);
        if (dot3(offset, offset) > 4 * dot3(step, step)) continue;
        side_face_jet(w->feature[i].side, s->at[i].id, u + 0.25 * period, v, WIT_KNOT_DEFAULT, &b);
        w->jets += 2;
        wit_vec3 to = add3(offset, step);
        double aa = dot3(a.dv, a.dv), bb = dot3(b.dv, b.dv);
        if (!(aa > 0 && bb > 0)) continue;
        double cosine = inward * dot3(to, a.dv) / aa, sine = inward * dot3(to, b.dv) / bb;
        s->at[i].u = u + wit_atan2(sine, cosine) / TWO_PI * period;
        s->at[i].v = v + inward * sqrt(cosine * cosine + sine * sine);
        return true;
    }
    return false;
}

bool wi_walk_parameters(const walk_state* s, int i, wit_vec3 step, double d[2])
{
    const wit_surface_jet* j = &s->jet[i];
    double E = dot3(j->du, j->du), g[2] = {dot3(j->du, step), dot3(j->dv, step)};
    d[0] = d[1] = 0;
    if (s->at[i].kind == WIT_EDGE) d[0] = E > 0 ? g[0] / E : 0;
    return s->at[i].kind == WIT_EDGE ? E > 0 : solve2_definite(E, dot3(j->du, j->dv), dot3(j->dv, j->dv), g, d);
}

void wi_walk_retract(walk* w, walk_state* s, int i, wit_vec3 step)
{
    double d[2];
    if (s->at[i].kind == WIT_FACE && retract_at_pole(w, s, i, step)) return;
    wi_walk_parameters(s, i, step, d);
    for (int k = 0; k < 2; ++k) {
        double most = 0.25 * iv_width(w->feature[i].range[k]);
        s->at[i].x[k] += smaller(most, larger(-most, d[k]));
    }
}

double wi_walk_hold(const walk_feature* f, const double from[2], double x[2], double* reach)
{
    double cut = 0;
    for (int k = 0; k < 2; ++k) {
        wit_interval r = f->range[k];
        double width = iv_width(r), wanted = x[k];
        if (f->closed[k] || !(width > 0)) continue;
        x[k] = smaller(r.hi, larger(r.lo, wanted));
        if (!(fabs(wanted - x[k]) > 1e-13 * width)) continue;
        cut = larger(cut, fabs(wanted - x[k]) / width);
        *reach = smaller(*reach, fabs((x[k] - from[k]) / (wanted - from[k])));
    }
    return cut;
}

static bool inside(const walk* w, const walk_state* s)
{
    for (int i = 0; i < 2; ++i) {
        const place* at = &s->at[i];
        if (at->kind == WIT_FACE && !wi_side_contains(w->feature[i].side, WIT_FACE, at->id, at->u, at->v)) return false;
    }
    return true;
}

/* ---- one step ------------------------------------------------------------------------------ */

/* Is the distance that of the set, up to a rise? The signed one may not fall either: below it there is another pair. */
static bool is_level(const walk* w, double distance, double rise)
{
    return distance <= w->distance + rise && (w->rule != WALK_SIGNED || distance >= w->distance - rise);
}

static bool flattest_direction(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out)
{
    return w->rule == WALK_SIGNED ? wi_signed_flattest(w, s, c, out) : wi_closest_flattest(w, s, c, out);
}

/* The directions carried on to a new place: a curve's along the flattest direction there, an area's by the least turn. */
static bool carry(walk* w, walk_state* to, int k)
{
    tangent_chart c[2];
    wi_walk_charts(w, to, c);
    const tangent_chart* own = &c[w->carrier];
    for (int m = 0; m < w->directions; ++m) {
        wit_vec3 t = vec3(0, 0, 0);
        for (int i = 0; i < own->n; ++i) t = addscaled3(t, dot3(to->t[m], own->e[i]), own->e[i]);
        to->t[m] = unit3(t);
    }
    if (w->directions == 1 && own->n == 2) {
        wit_vec3 flattest;
        if (flattest_direction(w, to, c, &flattest))
            to->t[0] = unit3(scale3(dot3(flattest, to->t[0]) < 0 ? -1 : 1, flattest));
    }
    if (w->directions == 2) {
        wit_vec3* other = &to->t[1 - k];
        *other = unit3(addscaled3(*other, -dot3(*other, to->t[k]), to->t[k]));
    }
    return dot3(to->t[k], to->t[k]) > 0.5;
}

/* Arc length of the circle through two points with these unit tangents. */
static double arc_between(wit_vec3 p, wit_vec3 t, wit_vec3 q, wit_vec3 r)
{
    double chord = norm3(sub3(q, p)), half = 0.5 * norm3(sub3(r, t));
    return half > 1e-8 && half < 1 ? chord * wit_atan2(half, sqrt(1 - half * half)) / half : chord;
}

bool wi_walk_step(walk* w, walk_state* s, int k, double h, double rise, double* arc)
{
    walk_state next = *s;
    bool there = w->rule == WALK_SIGNED ? wi_signed_move(w, &next, k, h) : wi_closest_move(w, &next, k, h);
    if (!there || !is_level(w, next.distance, rise) || !inside(w, &next)) return false;
    if (!carry(w, &next, k) || norm3(sub3(next.t[k], s->t[k])) > TURN) return false;
    *arc = arc_between(s->at[w->carrier].p, s->t[k], next.at[w->carrier].p, next.t[k]);
    if (!(*arc <= 2 * fabs(h))) return false;
    *s = next;
    return true;
}

/* ---- to the end ---------------------------------------------------------------------------- */

/* The rise of the distance that rounding and a curvature of LEVEL_BEND explain after the way s; all of the tolerance once
 * the set is confirmed. */
static double allowed_rise(const walk* w, double s)
{
    double level = 2 * w->floor + 0.5 * LEVEL_BEND * s * s / w->size;
    return s < w->confirm ? smaller(w->tolerance, level) : w->tolerance;
}

/* Does the step from s to next pass the start? */
static bool passes(const walk* w, const walk_state* start, const walk_state* s, const walk_state* next, int k, int sign)
{
    int c = w->carrier;
    wit_vec3 d = sub3(next->at[c].p, s->at[c].p), r = sub3(start->at[c].p, s->at[c].p);
    double dd = dot3(d, d), x = dot3(r, d);
    if (!(x > 0 && x <= dd * (1 + 1e-9)) || dot3(start->t[k], scale3(sign, d)) <= 0) return false;
    wit_vec3 across = addscaled3(r, -x / dd, d);
    return dot3(across, across) <= 0.04 * dd;
}

walk_end wi_walk_along(walk* w, const walk_state* from, int k, int sign, double resolution, walk_state* last,
                       double* arc)
{
    walk_state s = *from;
    double longest = w->stride, h = longest / 4, way = 0;
    bool risen = false;
    int easy = 0; /* steps of this length in a row: near the end one is followed by a failure */
    for (int n = 0; n < STEPS && h > resolution && !walk_spent(w); ++n) {
        walk_state next = s;
        double piece, rise = allowed_rise(w, way + h);
        if (!wi_walk_step(w, &next, k, sign * h, INFINITY, &piece)) {
            /* straight to the border, or a little before it, where places still count as inside */
            h *= w->reach < 0.9 ? w->reach * (1 - 1e-12) : 0.5;
            easy = 0;
            risen = false;
            continue;
        }
        if (!is_level(w, next.distance, rise)) {
            h *= 0.5;
            easy = 0;
            risen = true;
            continue;
        }
        if (n > 4 && passes(w, from, &s, &next, k, sign)) {
            *arc = way + arc_between(s.at[w->carrier].p, s.t[k], from->at[w->carrier].p, from->t[k]);
            *last = *from;
            return WALK_CLOSED;
        }
        easy = norm3(sub3(next.t[k], s.t[k])) < EASY_TURN ? easy + 1 : 0;
        way += piece;
        s = next;
        if (easy < 3) continue;
        h = smaller(longest, 2 * h);
        easy = 0;
    }
    *last = s;
    *arc = way;
    if (way < w->confirm && (risen || walk_spent(w))) return WALK_EARLY;
    return risen ? WALK_RISE : WALK_BORDER;
}
