/* SPDX-License-Identifier: MIT */
/*
 * From where the law left the pair to what the user reads: signed distance, normal, rate, witnesses, kind, errors, and
 * what is proved.
 *
 * The normal is that of a face where there is one (exact at touch), else along the gap; b.point - a.point = distance *
 * normal. A point is signed by the face's normal. At an edge or a vertex the side can't have changed while the way that
 * the point went is shorter than its distance was; else the normals around it are asked.
 */
#include "../query/found.h"
#include "bound.h"
#include "pursuit.h"
#include "rim_normal.h"

/* ---- the sign of a point ------------------------------------------------------------------- */

static place place_of(const step* s, int i)
{
    const spot* at = &s->t->at[i];
    place p = {at->kind, at->id, at->x[0], at->x[1], s->at[i].p};
    return p;
}

enum { SIGN_UNITS = 16 }; /* what the normals around an edge or a vertex take, about */

/* +1 outside, -1 inside, 0 unsigned. */
static int sign_of_point(step* s, double distance)
{
    wit_tracker* t = s->t;
    if (t->body[0]->kind == WIT_BODY_SHEET2) return 0;
    wit_vec3 moved = sub3(s->now.side[1].t, wit_pose_unpoint(&s->from[0], s->from[1].position));
    /* a sheet ends: one may go round it */
    bool closed = t->body[0]->kind == WIT_BODY_SOLID;
    if (closed && t->sign && !s->first && norm3(moved) < fabs(t->distance) * 0.5 && !(s->flags & WIT_FLAG_JUMPED))
        return t->sign;
    wit_sign how;
    place at = place_of(s, 0);
    step_tests(s, SIGN_UNITS);
    return point_sign(&s->now.side[0], s->now.side[1].t, &at, distance, 0, &how);
}

/* ---- distance and normal, in the frame of a ------------------------------------------------- */

/* At one point the gap has no direction: that of the bodies there. */
static void set_touching(step* s, wit_result* out)
{
    if (dot3(out->normal, out->normal) > 0) return;
    out->normal = rim_normal(s, 0);
    if (dot3(out->normal, out->normal) == 0) out->normal = scale3(-1, rim_normal(s, 1));
    if (dot3(out->normal, out->normal) == 0) out->normal = s->t->normal;
}

static void set_point(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    wit_vec3 w = sub3(s->at[1].p, s->at[0].p), n = {0, 0, 0};
    double length = norm3(w), along = 0;
    bool face = s->at[0].face && !s->held;
    if (face) n = pair_normal(&s->at[0], &s->at[1], WIT_FORM_CONTACT, &along);
    /* far off its foot (a flow on its way) the normal there does not tell the side */
    bool told = face && fabs(along) >= 0.9 * length;
    int sign = t->body[0]->kind == WIT_BODY_SHEET2 ? 0 : told ? (along < 0 ? -1 : 1) : sign_of_point(s, length);
    t->sign = sign;
    bool short_gap =
        told && length <= NEAR_TOUCH * t->size && fabs(along) >= length * (1 - 1e-6) - 64 * DBL_EPSILON * t->size;
    if (short_gap) { /* the normal carries the sign */
        bool turned = sign == 0 && along < 0;
        out->normal = turned ? scale3(-1, n) : n;
        out->distance = (turned ? -along : along) + 0.0;
        return;
    }
    out->normal = scale3(sign < 0 ? -1 : 1, unit3(w));
    out->distance = (sign < 0 ? -length : length) + 0.0;
    set_touching(s, out);
}

static void set_pair(step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    double distance;
    wit_vec3 n = pair_normal(&s->at[0], &s->at[1], t->def.form, &distance);
    wit_vec3 w = sub3(s->at[1].p, s->at[0].p);
    int face = pair_face(&s->at[0], &s->at[1]);
    bool signed_pair = t->def.form == WIT_FORM_CONTACT && face >= 0 && t->body[face]->kind != WIT_BODY_SHEET2;
    if (signed_pair && norm3(w) <= NEAR_TOUCH * t->size &&
        fabs(distance) >= norm3(w) * (1 - 1e-6) - 64 * DBL_EPSILON * t->size) {
        out->normal = n;
        out->distance = distance + 0.0;
        return;
    }
    double length = norm3(w);
    bool inside = signed_pair && distance < 0;
    wit_vec3 along = unit3(w);
    out->normal = dot3(along, along) > 0 && length > 1e-12 * t->size ? scale3(inside ? -1 : 1, along) : n;
    out->distance = (inside ? -length : length) + 0.0;
    set_touching(s, out);
}

/* ---- flags --------------------------------------------------------------------------------- */

static bool is_solid_pair(const wit_tracker* t)
{
    return t->body[1] && t->body[0]->kind == WIT_BODY_SOLID && t->body[1]->kind == WIT_BODY_SOLID;
}

/* Two faces at one point: do they cross, or touch? */
static bool crossing(const step* s)
{
    if (!s->at[0].face || !s->at[1].face) return true;
    wit_vec3 a = unit3(cross3(s->at[0].d[0], s->at[0].d[1])), b = unit3(cross3(s->at[1].d[0], s->at[1].d[1]));
    return norm3(cross3(a, b)) > 1e-6;
}

static void set_flags(step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    double tolerance = t->def.tolerance * step_scale(s, out->distance), gap = norm3(sub3(s->at[0].p, s->at[1].p));
    bool papers = t->body[1] && t->def.form == WIT_FORM_PAPERS;
    if (s->held) out->flags |= WIT_FLAG_SATURATED;
    if (fabs(out->distance) <= tolerance) out->flags |= WIT_FLAG_TOUCHING;
    if (t->body[1] && out->distance < -tolerance) out->flags |= WIT_FLAG_OVERLAPPING;
    /* every common point solves the papers' conditions */
    if (papers && gap <= fmax(tolerance, 1e-9 * t->size) && crossing(s)) {
        out->flags |= WIT_FLAG_OVERLAPPING;
        out->ended = out->ended == WIT_ENDED_CONVERGED ? WIT_ENDED_OPEN : out->ended;
    }
    if ((out->flags & WIT_FLAG_OVERLAPPING) && !is_solid_pair(t) && out->distance > 0)
        out->flags &= ~(unsigned)WIT_FLAG_OVERLAPPING;
}

static void set_bound(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    out->lower_bound = bound_now(t, &s->now);
    /* a bound this far below says nothing any more */
    if (!(out->lower_bound > -4 * (t->size + fabs(out->distance)))) t->bound = out->lower_bound = -INFINITY;
    bool faces = s->at[0].face && (!t->body[1] || s->at[1].face) && !s->held;
    if (t->supported && faces && out->distance > 0 && out->ended == WIT_ENDED_CONVERGED) {
        double lean = 0;
        wit_vec3 n = unit3(cross3(s->at[0].d[0], s->at[0].d[1])), w = sub3(s->at[1].p, s->at[0].p);
        double along = (s->at[0].reversed ? -1 : 1) * dot3(n, w);
        if (t->body[1]) {
            wit_vec3 m = unit3(cross3(s->at[1].d[0], s->at[1].d[1]));
            lean = norm3(s->at[0].reversed == s->at[1].reversed ? add3(n, m) : sub3(n, m));
        }
        double reach = norm3(s->at[0].p) + norm3(s->at[1].p);
        out->lower_bound = fmax(out->lower_bound, bound_by_planes(t, along, lean, reach));
    }
    /* overlapping bodies: the bound was of how far apart they are */
    if (t->body[1] && out->distance < 0) out->lower_bound = -INFINITY;
    if (out->lower_bound > out->distance)
        out->lower_bound = out->distance; /* rounding, or edges within their tolerance */
    if (out->lower_bound >= t->def.within) out->flags |= WIT_FLAG_BEYOND;
    double slack = t->def.certify * step_scale(s, out->distance);
    bool certified = out->ended == WIT_ENDED_CONVERGED && out->distance - out->lower_bound <= slack &&
                     !(out->flags & WIT_FLAG_LOCAL);
    out->flags &= ~(unsigned)(WIT_FLAG_LOCAL | WIT_FLAG_CERTIFIED);
    out->flags |= certified ? WIT_FLAG_CERTIFIED : WIT_FLAG_LOCAL;
}

/* ---- errors -------------------------------------------------------------------------------- */

static void set_errors(const step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    wit_form form = t->def.form;
    double gap = norm3(sub3(s->at[0].p, s->at[1].p));
    double noise = 64 * DBL_EPSILON * (t->size + norm3(s->at[0].p) + norm3(s->at[1].p));
    out->count_a = s->at[0].count;
    out->count = s->at[0].count + s->at[1].count;
    pair_errors(&s->at[0], &s->at[1], form, out->error);
    int face = pair_face(&s->at[0], &s->at[1]);
    bool contact = form == WIT_FORM_CONTACT && face >= 0 && s->at[0].count && s->at[1].count;
    for (int i = 0; i < out->count; ++i) {
        bool by_gap = !contact || (i < out->count_a) == (face == 0);
        if (by_gap && gap <= noise) out->error[i] = 0; /* no direction to speak of */
        if (!(s->held >> i & 1)) out->residual = fmax(out->residual, fabs(out->error[i]));
    }
}

static wit_witness witness_at(const step* s, int i)
{
    const spot* at = &s->t->at[i];
    int count = spot_count(at);
    wit_witness w = {at->kind, at->kind == WIT_POINT ? -1 : at->id, count > 0 ? at->x[0] : 0, count > 1 ? at->x[1] : 0,
                     wit_pose_point(&s->now.frame, s->at[i].p)};
    return w;
}

void conclude(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    wit_result r = {.ended = s->ended, .flags = s->flags, .held = s->held, .drift = s->drift, .gain = s->gain};
    if (!s->fresh) step_look(s);
    if (t->body[1])
        set_pair(s, &r);
    else
        set_point(s, &r);
    t->distance = r.distance;
    t->normal = r.normal;
    r.rate = dot3(r.normal, sub3(s->at[1].velocity, s->at[0].velocity));
    r.normal = wit_pose_vector(&s->now.frame, r.normal);
    r.a = witness_at(s, 0);
    r.b = witness_at(s, 1);
    r.kind = pair_kind(&s->at[0], &s->at[1], s->held);
    if (r.kind == WIT_STATIONARY_FLAT && fabs(r.distance) > 1e-9 * t->size && r.ended == WIT_ENDED_CONVERGED)
        r.flags |= WIT_FLAG_NOT_UNIQUE;
    set_errors(s, &r);
    r.switches = s->switches;
    r.iterations = s->iterations;
    set_flags(s, &r);
    set_bound(s, &r);
    r.work = s->work;
    *out = r;
}
