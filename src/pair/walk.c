/* SPDX-License-Identifier: MIT */
#include "walk.h"

#include "../base/solve.h"

enum { ITERATIONS = 16, SHIFTS = 24, STEPS = 4000 };
#define TURN 0.3        /* most that a direction may turn in one step; a sine */
#define EASY_TURN 0.1   /* the next step may be longer */
#define CONFIRM 0.05    /* of the size: over this length a set must be level */
#define LEVEL_BEND 1e-8 /* times 1 / size: curvature of the distance along what counts as a set */
#define TOUCHING 1e-3   /* of the size: closer than this the contact equations are solved */
#define PENALTY 1e4   /* weight of the penalties: a slope of the distance along the set moves the pair that much less */
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
    return (wi_side_jet(s, WIT_FACE, id, surface->u.lo, v, WIT_KNOT_DEFAULT, NULL, &j) & WIT_EVAL_DEGENERATE) != 0 &&
           wi_side_normal(s, id, surface->u.lo, v, &n);
}

void wi_walk_start(const placed_pair* pair, const place* a, const place* b, walk* out)
{
    walk w = {.floor = pair->floor, .side = {&pair->a, &pair->b}, .kind = {a->kind, b->kind}, .id = {a->id, b->id}};
    w.size = pair->size;
    for (int i = 0; i < 2; ++i) {
        if (w.kind[i] != WIT_FACE && w.kind[i] != WIT_EDGE) continue;
        wi_side_range(w.side[i], w.kind[i], w.id[i], w.range[i], w.closed[i]);
        w.size = smaller(w.size, feature_extent(w.side[i], w.kind[i], w.id[i]));
        if (w.kind[i] != WIT_FACE) continue;
        w.pole[i][0] = is_pole(w.side[i], w.id[i], w.range[i][1].lo);
        w.pole[i][1] = is_pole(w.side[i], w.id[i], w.range[i][1].hi);
    }
    *out = w;
}

static bool at_pole(const walk* w, int i, double v)
{
    return (w->pole[i][0] && v <= w->range[i][1].lo) || (w->pole[i][1] && v >= w->range[i][1].hi);
}

static void place_points(walk* w, walk_state* s)
{
    for (int i = 0; i < 2; ++i) {
        wit_surface_jet* j = &s->jet[i];
        unsigned flags =
            wi_side_jet(w->side[i], w->kind[i], w->id[i], s->x[i][0], s->x[i][1], WIT_KNOT_DEFAULT, NULL, j);
        s->regular[i] = !(flags & WIT_EVAL_DEGENERATE);
        s->p[i] = j->p;
        w->jets += w->side[i]->body != NULL;
    }
    s->distance = norm3(sub3(s->p[0], s->p[1]));
}

void wi_walk_at(walk* w, const place* a, const place* b, walk_state* out)
{
    walk_state s = {.x = {{a->u, a->v}, {b->u, b->v}}};
    for (int i = 0; i < 2; ++i)
        if (at_pole(w, i, s.x[i][1]))
            s.x[i][1] += (s.x[i][1] < iv_mid(w->range[i][1]) ? 1 : -1) * OFF_POLE * iv_width(w->range[i][1]);
    place_points(w, &s);
    *out = s;
}

place wi_walk_place(const walk* w, const walk_state* s, int i)
{
    place p = place_at(w->kind[i], w->id[i], s->x[i][0], s->x[i][1], s->p[i]);
    double* x[2] = {&p.u, &p.v};
    for (int k = 0; k < 2; ++k) {
        double period = iv_width(w->range[i][k]);
        if (w->closed[i][k] && period > 0) *x[k] -= period * floor((*x[k] - w->range[i][k].lo) / period);
    }
    return p;
}

/* At a pole the tangents are those across the limit of the normal; only the curvature is taken beside it. */
static tangent_chart chart_at_pole(walk* w, const walk_state* s, int i)
{
    tangent_chart c = wi_chart_at(w->side[i], w->kind[i], w->id[i], s->x[i][0], s->x[i][1], WIT_KNOT_DEFAULT);
    wit_vec3 n, e[2];
    w->jets++;
    if (c.n != 2 || !wi_side_normal(w->side[i], w->id[i], s->x[i][0], s->x[i][1], &n)) return c;
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
        bool has_tangents = w->kind[i] == WIT_FACE || w->kind[i] == WIT_EDGE;
        chart[i] = !has_tangents   ? none
                   : s->regular[i] ? wi_chart_of_jet(w->kind[i], &s->jet[i])
                                   : chart_at_pole(w, s, i);
    }
}

/* ---- moving in the tangent plane ----------------------------------------------------------- */

/*
 * Close to a pole: dv(u) = cos A + sin B there, so the offset W from the pole has the longitude of (W.A, W.B) and the
 * latitude of its length.
 */
static bool retract_at_pole(walk* w, int i, wit_vec3 p, wit_vec3 step, double x[2])
{
    const wit_surface* surface = body_surface(w->side[i]->body, w->id[i]);
    double u = surface->u.lo, period = iv_width(surface->u);
    for (int end = 0; end < 2; ++end) {
        if (!w->pole[i][end]) continue;
        double v = end ? w->range[i][1].hi : w->range[i][1].lo, inward = end ? -1 : 1;
        wit_surface_jet a, b;
        wi_side_jet(w->side[i], WIT_FACE, w->id[i], u, v, WIT_KNOT_DEFAULT, NULL, &a);
        wit_vec3 offset = sub3(p, a.p);
        if (dot3(offset, offset) > 4 * dot3(step, step)) continue;
        wi_side_jet(w->side[i], WIT_FACE, w->id[i], u + 0.25 * period, v, WIT_KNOT_DEFAULT, NULL, &b);
        w->jets += 2;
        wit_vec3 to = add3(offset, step);
        double aa = dot3(a.dv, a.dv), bb = dot3(b.dv, b.dv);
        if (!(aa > 0 && bb > 0)) continue;
        double cosine = inward * dot3(to, a.dv) / aa, sine = inward * dot3(to, b.dv) / bb;
        x[0] = u + wit_atan2(sine, cosine) / TWO_PI * period;
        x[1] = v + inward * sqrt(cosine * cosine + sine * sine);
        return true;
    }
    return false;
}

/* The parameters reached by a tangent step. */
static void retract(walk* w, walk_state* s, int i, wit_vec3 step)
{
    const wit_surface_jet* j = &s->jet[i];
    double* x = s->x[i];
    if (w->kind[i] == WIT_FACE && retract_at_pole(w, i, s->p[i], step, x)) return;
    double g[2] = {dot3(j->du, step), dot3(j->dv, step)}, d[2] = {0, 0};
    if (w->kind[i] == WIT_EDGE)
        d[0] = dot3(j->du, j->du) > 0 ? g[0] / dot3(j->du, j->du) : 0;
    else
        solve2_definite(dot3(j->du, j->du), dot3(j->du, j->dv), dot3(j->dv, j->dv), g, d);
    for (int k = 0; k < 2; ++k) {
        double most = 0.25 * iv_width(w->range[i][k]);
        x[k] += smaller(most, larger(-most, d[k]));
    }
}

/* Holds open parameters in their range; returns by how much of the range one had to be held. `from`: where the step began. */
static double hold(const walk* w, int i, const double from[2], double x[2], double* reach)
{
    double cut = 0;
    for (int k = 0; k < 2; ++k) {
        wit_interval r = w->range[i][k];
        double width = iv_width(r), wanted = x[k];
        if (w->closed[i][k] || !(width > 0)) continue;
        x[k] = smaller(r.hi, larger(r.lo, wanted));
        if (!(fabs(wanted - x[k]) > 1e-13 * width)) continue;
        cut = larger(cut, fabs(wanted - x[k]) / width);
        *reach = smaller(*reach, fabs((x[k] - from[k]) / (wanted - from[k])));
    }
    return cut;
}

/* ---- two faces ----------------------------------------------------------------------------- */

/* The second form of a chart along n, in tangents e: (e0, e0), (e0, e1), (e1, e1). */
static void form_along(const tangent_chart* c, wit_vec3 n, const wit_vec3 e[2], double out[3])
{
    double x = dot3(n, c->k[0]), y = dot3(n, c->k[1]), z = dot3(n, c->k[2]);
    for (int k = 0; k < 3; ++k) {
        wit_vec3 f = e[k == 2], g = e[k > 0];
        double f0 = dot3(f, c->e[0]), f1 = dot3(f, c->e[1]), g0 = dot3(g, c->e[0]), g1 = dot3(g, c->e[1]);
        out[k] = f0 * g0 * x + (f0 * g1 + f1 * g0) * y + f1 * g1 * z;
    }
}

bool wi_walk_bends(const walk_state* s, const tangent_chart c[2], double values[2], wit_vec3 directions[2])
{
    const wit_vec3* e = c[0].e;
    wit_vec3 n = cross3(e[0], e[1]);
    double d = dot3(sub3(s->p[0], s->p[1]), n), a[3], b[3], vectors[4];
    form_along(&c[0], n, e, a);
    form_along(&c[1], scale3(-1, n), e, b);
    double p = 1 + d * b[0], q = d * b[1], r = 1 + d * b[2], det = p * r - q * q;
    if (!(fabs(det) > 1e-12)) return false;
    double off = a[1] + (r * b[1] - q * b[2]) / det;
    double k[4] = {a[0] + (r * b[0] - q * b[1]) / det, off, off, a[2] + (p * b[2] - q * b[1]) / det};
    if (!wi_eigen_symmetric(2, k, values, vectors)) return false;
    int first = fabs(values[1]) < fabs(values[0]);
    double small = values[first], large = values[1 - first];
    for (int i = 0; i < 2; ++i) {
        const double* y = vectors + 2 * (i ? 1 - first : first);
        directions[i] = addscaled3(scale3(y[0], e[0]), y[1], e[1]);
    }
    values[0] = small;
    values[1] = large;
    return true;
}

/*
 * Close to touch F is flat across the set as well. There the contact equations are solved instead, by least squares: the
 * gap against the tangents of a, the normal of a against the tangents of b (times a length), and the penalties.
 */
static bool contact_step(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3 q, double* y)
{
    double jacobian[6][4] = {{0}}, r[6] = {0}, m[16] = {0}, g[4] = {0}, l[16];
    wit_vec3 gap = sub3(s->p[0], s->p[1]), n = cross3(c[0].e[0], c[0].e[1]);
    for (int i = 0; i < 2; ++i) {
        r[i] = dot3(gap, c[0].e[i]);
        r[2 + i] = w->size * dot3(n, c[1].e[i]);
        for (int j = 0; j < 2; ++j) {
            jacobian[i][j] = (i == j) + dot3(gap, c[0].k[i + j]);
            jacobian[i][2 + j] = -dot3(c[0].e[i], c[1].e[j]);
            /* n moves by -sum (n . k_jm) e_m */
            for (int k = 0; k < 2; ++k)
                jacobian[2 + i][j] -= w->size * dot3(n, c[0].k[j + k]) * dot3(c[0].e[k], c[1].e[i]);
            jacobian[2 + i][2 + j] = w->size * dot3(n, c[1].k[i + j]);
        }
    }
    for (int k = 0; k < w->directions; ++k) {
        r[4 + k] = dot3(sub3(s->p[w->carrier], q), s->t[k]);
        for (int i = 0; i < 2; ++i) jacobian[4 + k][2 * w->carrier + i] = dot3(s->t[k], c[w->carrier].e[i]);
    }
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 6; ++k) {
            g[i] -= jacobian[k][i] * r[k];
            for (int j = 0; j < 4; ++j) m[4 * i + j] += jacobian[k][i] * jacobian[k][j];
        }
    if (!wi_cholesky_factor(4, m, l)) return false;
    wi_cholesky_solve(4, l, g, y);
    return true;
}

static double length_of(const double* y, int n)
{
    double square = 0;
    for (int i = 0; i < n; ++i) square += y[i] * y[i];
    return sqrt(square);
}

/* ---- one step ------------------------------------------------------------------------------ */

/* Newton's step of F with the penalties, in the tangents of both charts; its length, or infinity. */
static double newton(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3 q, double* y)
{
    double h[16], l[16], g[4];
    bool touching = c[0].n == 2 && c[1].n == 2 && s->distance <= TOUCHING * w->size;
    if (touching && contact_step(w, s, c, q, y)) return length_of(y, 4);
    wit_vec3 gap = sub3(s->p[0], s->p[1]);
    int n = wi_joint_hessian(&c[0], &c[1], gap, h), first = w->carrier ? c[0].n : 0;
    for (int i = 0; i < n; ++i) g[i] = i < c[0].n ? -dot3(gap, c[0].e[i]) : dot3(gap, c[1].e[i - c[0].n]);
    const tangent_chart* own = &c[w->carrier];
    for (int k = 0; k < w->directions; ++k) {
        double t[2], off = dot3(sub3(s->p[w->carrier], q), s->t[k]);
        for (int i = 0; i < own->n; ++i) t[i] = dot3(s->t[k], own->e[i]);
        for (int i = 0; i < own->n; ++i) {
            g[first + i] -= PENALTY * off * t[i];
            for (int j = 0; j < own->n; ++j) h[(first + i) * n + first + j] += PENALTY * t[i] * t[j];
        }
    }
    double shift = 1e-6;
    int tries = 0;
    while (!wi_cholesky_factor(n, h, l)) {
        if (++tries > SHIFTS) return INFINITY;
        for (int i = 0; i < n; ++i) h[i * n + i] += shift;
        shift *= 4;
    }
    wi_cholesky_solve(n, l, g, y);
    return length_of(y, n);
}

/* Moves both places by Newton's step; returns by how much one was held. */
static double move(walk* w, walk_state* s, const tangent_chart c[2], const double* y)
{
    double cut = 0;
    w->reach = 1;
    for (int i = 0; i < 2; ++i) {
        wit_vec3 step = vec3(0, 0, 0);
        double from[2] = {s->x[i][0], s->x[i][1]};
        for (int m = 0; m < c[i].n; ++m) step = addscaled3(step, y[m + (i ? c[0].n : 0)], c[i].e[m]);
        if (!c[i].n) continue;
        retract(w, s, i, step);
        cut = larger(cut, hold(w, i, from, s->x[i], &w->reach));
    }
    place_points(w, s);
    return cut;
}

static double square_of_ratio(double x, double y)
{
    return x / y * (x / y);
}

/* The closest pair across the directions at the target; false where a border holds it off. */
static bool descend(walk* w, walk_state* s, wit_vec3 q)
{
    double enough = w->floor, length = INFINITY, left = INFINITY, cut = 0, first_reach = 1;
    for (int k = 0; k < ITERATIONS; ++k) {
        tangent_chart c[2];
        double y[4] = {0}, cut_before = cut, before = length;
        if (walk_spent(w)) return false;
        wi_walk_charts(w, s, c);
        length = newton(w, s, c, q, y);
        if (!(length < 4 * w->size)) break;
        cut = move(w, s, c, y);
        if (k == 0) first_reach = w->reach;
        /* as the last two steps shrank by a square, the next one will */
        left = before < INFINITY ? smaller(length, length * square_of_ratio(length, before)) : length;
        if (left <= enough || (cut > 0 && cut_before > 0)) break; /* held twice: it does not come free */
    }
    double off = 0;
    for (int k = 0; k < w->directions; ++k) off = larger(off, fabs(dot3(sub3(s->p[w->carrier], q), s->t[k])));
    w->reach = first_reach;
    /* at touch F is flat across the set too, and Newton's steps never end */
    bool there = left <= 1e4 * enough || s->distance <= w->distance + enough;
    return there && cut == 0 && off <= 1e4 * enough;
}

bool wi_walk_relax(walk* w, walk_state* s)
{
    int directions = w->directions;
    w->directions = 0;
    bool there = descend(w, s, s->p[0]);
    w->directions = directions;
    return there;
}

static bool inside(const walk* w, const walk_state* s)
{
    for (int i = 0; i < 2; ++i)
        if (w->kind[i] == WIT_FACE && !wi_side_contains(w->side[i], WIT_FACE, w->id[i], s->x[i][0], s->x[i][1]))
            return false;
    return true;
}

/* The direction on the carrier in which the distance changes least, by second derivatives; false: none is level. */
static bool flattest_direction(const walk* w, const walk_state* s, const tangent_chart c[2], wit_vec3* out)
{
    double h[16], values[4], vectors[16], bends[2];
    wit_vec3 axes[2];
    if (c[0].n == 2 && c[1].n == 2 && w->carrier == 0 && s->distance <= TOUCHING * w->size) {
        if (!wi_walk_bends(s, c, bends, axes) || fabs(bends[0]) > 0.1 * fabs(bends[1])) return false;
        *out = axes[0];
        return true;
    }
    int n = wi_joint_hessian(&c[0], &c[1], sub3(s->p[0], s->p[1]), h), best = 0;
    if (!wi_eigen_symmetric(n, h, values, vectors)) return false;
    for (int i = 1; i < n; ++i)
        if (fabs(values[i]) < fabs(values[best])) best = i;
    const double* y = vectors + best * n + (w->carrier ? c[0].n : 0);
    *out = addscaled3(scale3(y[0], c[w->carrier].e[0]), y[1], c[w->carrier].e[1]);
    return dot3(*out, *out) > 1e-4 && fabs(values[best]) < 1e-4;
}

/* The directions carried on to a new place: a curve's along the flattest direction there, an area's by the least turn. */
static bool carry(walk* w, const walk_state* from, walk_state* to, int k)
{
    tangent_chart c[2];
    wi_walk_charts(w, to, c);
    const tangent_chart* own = &c[w->carrier];
    for (int m = 0; m < w->directions; ++m) {
        wit_vec3 t = vec3(0, 0, 0);
        for (int i = 0; i < own->n; ++i) t = addscaled3(t, dot3(from->t[m], own->e[i]), own->e[i]);
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

bool wi_walk_step(walk* w, walk_state* s, int k, double h, double most, double* arc)
{
    walk_state next = *s;
    if (!descend(w, &next, addscaled3(s->p[w->carrier], h, s->t[k]))) return false;
    if (!(next.distance <= most) || !inside(w, &next)) return false;
    if (!carry(w, s, &next, k) || norm3(sub3(next.t[k], s->t[k])) > TURN) return false;
    *arc = arc_between(s->p[w->carrier], s->t[k], next.p[w->carrier], next.t[k]);
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
    return s < CONFIRM * w->size ? smaller(w->tolerance, level) : w->tolerance;
}

/* Does the step from s to next pass the start? */
static bool passes(const walk* w, const walk_state* start, const walk_state* s, const walk_state* next, int k, int sign)
{
    int c = w->carrier;
    wit_vec3 d = sub3(next->p[c], s->p[c]), r = sub3(start->p[c], s->p[c]);
    double dd = dot3(d, d), x = dot3(r, d);
    if (!(x > 0 && x <= dd * (1 + 1e-9)) || dot3(start->t[k], scale3(sign, d)) <= 0) return false;
    wit_vec3 across = addscaled3(r, -x / dd, d);
    return dot3(across, across) <= 0.04 * dd;
}

walk_end wi_walk_along(walk* w, const walk_state* from, int k, int sign, double resolution, walk_state* last,
                       double* arc)
{
    walk_state s = *from;
    double longest = w->size / 16, h = longest / 4, way = 0;
    bool risen = false;
    int easy = 0; /* steps of this length in a row: near the end one is followed by a failure */
    for (int n = 0; n < STEPS && h > resolution && !walk_spent(w); ++n) {
        walk_state next = s;
        double piece, most = w->distance + allowed_rise(w, way + h);
        if (!wi_walk_step(w, &next, k, sign * h, INFINITY, &piece)) {
            /* straight to the border, or a little before it, where places still count as inside */
            h *= w->reach < 0.9 ? w->reach * (1 - 1e-12) : 0.5;
            easy = 0;
            risen = false;
            continue;
        }
        if (!(next.distance <= most)) {
            h *= 0.5;
            easy = 0;
            risen = true;
            continue;
        }
        if (n > 4 && passes(w, from, &s, &next, k, sign)) {
            *arc = way + arc_between(s.p[w->carrier], s.t[k], from->p[w->carrier], from->t[k]);
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
    if (way < CONFIRM * w->size && (risen || walk_spent(w))) return WALK_EARLY;
    return risen ? WALK_RISE : WALK_BORDER;
}
