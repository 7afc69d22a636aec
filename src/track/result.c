/* SPDX-License-Identifier: MIT */
/*
 * From where the law left the pair to what the user reads: signed distance, normal, rate, witnesses, kind, errors, and
 * what is proved.
 *
 * The normal is that of a face where there is one (exact at touch), else along the gap; b.point - a.point = distance *
 * normal. A point is signed by the normals at its witness: of the face, or of those around an edge or a vertex. Under a law
 * the witnesses need not be where they belong: then the bodies are asked (law_side.h), of a point and of two solids alike.
 */
#include "result.h"

#include "../query/search_task.h"
#include "law_side.h"
#include "pair_newton.h"
#include "point_proof.h"
#include "rim_normal.h"
#include "../query/sign/sign.h"
#include "step_end.h"

/* ---- the sign of a point ------------------------------------------------------------------- */

static place place_of(const step* s, int i)
{
    const place* at = &s->t->at[i];
    place p = place_at(at->kind, at->id, at->x[0], at->x[1], s->at[i].p);
    return p;
}

/* +1 outside, -1 inside, 0 unsigned. Where the normals around the place do not tell, or there is no work left to ask them: as
 * it was. */
static int sign_of_point(step* s, double distance)
{
    wit_tracker* t = s->t;
    if (t->body[0]->kind == WIT_BODY_SHEET2) return 0;
    int before = t->sign ? t->sign : 1;
    if (distance <= t->def.tolerance * t->size) return before;
    bool decided;
    place at = place_of(s, 0);
    if (step_left(s) < wi_point_sign_cost(t->body[0], &at)) return before;
    int sign = wi_point_sign_near(&s->now.side[0], s->now.side[1].t, &at, distance, &decided);
    return decided ? sign : before;
}

/* Under a law, and the work did not suffice to ask the bodies: the sign is a guess, and the frame says so. */
static void set_unsided(step* s, wit_result* out)
{
    s->unsided = true;
    out->outcome = WIT_OUTCOME_BUDGET;
}

/* The same under a law, whose witness may be anywhere. Without work to ask the body the normals have to do, and the frame says
 * that its budget ended. */
static int sign_under_law(step* s, double distance, wit_result* out)
{
    int told = wi_law_side(s);
    if (told) return told;
    bool decided;
    place at = place_of(s, 0);
    set_unsided(s, out);
    if (step_left(s) < wi_point_sign_cost(s->t->body[0], &at)) return 1;
    return wi_point_sign_near(&s->now.side[0], s->now.side[1].t, &at, distance, &decided);
}

/* The side, proved where the front and the work allow it. `told`: by the normal of the face at the witness; 0: it does not
 * tell. */
static int side_of_point(step* s, double distance, int told, wit_result* out)
{
    const wit_tracker* t = s->t;
    bool standing = !t->law || s->outcome == WIT_OUTCOME_CONVERGED;
    int proved = standing ? wi_point_proof_side(s, distance) : 0, sign = proved;
    if (!proved && t->body[0]->kind != WIT_BODY_SHEET2) {
        sign = t->law ? sign_under_law(s, distance, out) : told ? told : sign_of_point(s, distance);
        if (t->law) proved = t->side; /* of a closed solid that is proved */
    }
    wi_point_proof_end(s, distance, proved);
    return sign;
}

/* ---- distance and normal, in the frame of a ------------------------------------------------- */

/* At one point the gap has no direction: that of the bodies there. */
static void set_touching(step* s, wit_result* out)
{
    if (dot3(out->normal, out->normal) > 0) return;
    out->normal = wi_rim_normal(s, 0);
    if (dot3(out->normal, out->normal) == 0) out->normal = scale3(-1, wi_rim_normal(s, 1));
    if (dot3(out->normal, out->normal) == 0) out->normal = s->t->normal;
}

static void set_point(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    wit_vec3 w = sub3(s->at[1].p, s->at[0].p), n = {0, 0, 0};
    double length = norm3(w), along = 0;
    bool face = s->at[0].face && !s->held;
    if (face) n = wi_condition_normal(&s->at[0], &s->at[1], WIT_FORM_CONTACT, &along);
    /* far off its foot (a flow on its way) the normal there does not tell the side */
    bool told = face && fabs(along) >= 0.9 * length;
    int sign = side_of_point(s, length, told ? (along < 0 ? -1 : 1) : 0, out);
    t->sign = sign;
    bool agrees = sign == 0 || (along < 0) == (sign < 0);
    if (told && agrees && normal_tells(t, length, along)) { /* the normal carries the sign */
        bool turned = sign == 0 && along < 0;
        out->normal = turned ? scale3(-1, n) : n;
        out->distance = (turned ? -along : along) + 0.0;
        return;
    }
    out->normal = scale3(sign < 0 ? -1 : 1, unit3(w));
    out->distance = (sign < 0 ? -length : length) + 0.0;
    set_touching(s, out);
}

/* A witness inside its body, on no feature, goes with it. */
static void look_inside(step* s)
{
    for (int i = 0; i < 2; ++i) {
        if (!s->t->deep[i]) continue;
        wit_vec3 p = side_point(&s->now.side[i], s->t->deep_at[i]);
        s->at[i].p = p;
        if (i) s->at[i].velocity = add3(s->now.velocity, cross3(s->now.angular, p));
    }
}

static bool is_solid_pair(const wit_tracker* t)
{
    return t->body[1] && t->body[0]->kind == WIT_BODY_SOLID && t->body[1]->kind == WIT_BODY_SOLID;
}

/* -1: in each other. `told`: by the normal of the face at the witness, which is right where the default law has converged. A
 * common point of two solids that overlap tells nothing of the depth. */
static int side_of_pair(step* s, int told, double gap, wit_result* out)
{
    if (!s->t->law || !is_solid_pair(s->t)) return told;
    int sign = wi_law_side(s);
    if (!sign) set_unsided(s, out);
    if (sign < 0) s->flags |= WIT_FLAG_OVERLAPPING, out->flags |= WIT_FLAG_OVERLAPPING;
    if (sign < 0 && gap <= s->t->def.tolerance * s->t->size && out->outcome == WIT_OUTCOME_CONVERGED)
        out->outcome = WIT_OUTCOME_OPEN;
    return sign ? sign : told;
}

static void set_pair(step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    double distance;
    if (s->inside) {
        look_inside(s);
        out->normal = s->inside_normal;
        out->distance = dot3(sub3(s->at[1].p, s->at[0].p), out->normal) + 0.0;
        return;
    }
    wit_vec3 n = wi_condition_normal(&s->at[0], &s->at[1], t->def.form, &distance);
    wit_vec3 w = sub3(s->at[1].p, s->at[0].p);
    int face = pair_face(&s->at[0], &s->at[1]);
    bool signed_pair = t->def.form == WIT_FORM_CONTACT && face >= 0 && t->body[face]->kind != WIT_BODY_SHEET2;
    double length = norm3(w);
    int told = signed_pair && distance < 0 ? -1 : 1, sign = side_of_pair(s, told, length, out);
    if (signed_pair && sign == told && normal_tells(t, length, distance)) {
        out->normal = n;
        out->distance = distance + 0.0;
        return;
    }
    bool inside = sign < 0;
    wit_vec3 along = unit3(w);
    out->normal = dot3(along, along) > 0 && length > 1e-12 * t->size ? scale3(inside ? -1 : 1, along) : n;
    out->distance = (inside ? -length : length) + 0.0;
    set_touching(s, out);
}

/* ---- flags --------------------------------------------------------------------------------- */

/* Two faces at one point: do they cross, or touch? */
static bool crossing(const step* s)
{
    if (!s->at[0].face || !s->at[1].face) return true;
    wit_vec3 a = unit3(cross3(s->at[0].d[0], s->at[0].d[1])), b = unit3(cross3(s->at[1].d[0], s->at[1].d[1]));
    return norm3(cross3(a, b)) > 1e-6;
}

/* Is every held parameter really pushed out of its range? A law that climbs may be stopped at a border too. */
static bool held_rightly(const step* s)
{
    double g[WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    if (!s->held) return true;
    wi_condition_hessian(&s->at[0], &s->at[1], g, H);
    for (int i = 0; i < 2; ++i) {
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2];
        const place* at = &s->t->at[i];
        pair_motion_range(&s->now, i, at, range, closed);
        for (int k = 0; k < place_count(at); ++k) {
            int row = (i ? s->at[0].count : 0) + k;
            bool high = range[k].hi - at->x[k] <= at->x[k] - range[k].lo;
            double slack = s->t->def.tolerance * s->t->size * norm3(s->at[i].d[k]) + 1e-300;
            if ((s->held >> row & 1) && (high ? -g[row] : g[row]) < -slack) return false;
        }
    }
    return true;
}

/* Hand-overs that were stopped may leave a witness outside the loops of its face. */
static bool in_its_face(step* s, int i)
{
    const place* at = &s->t->at[i];
    if (!s->t->body[i] || at->kind != WIT_FACE || !body_faces(s->t->body[i])[at->id].trimmed) return true;
    return wi_side_contains(&s->now.side[i], WIT_FACE, at->id, at->x[0], at->x[1]);
}

static void set_flags(step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    double tolerance = t->def.tolerance * step_scale(s, out->distance), gap = norm3(sub3(s->at[0].p, s->at[1].p));
    bool papers = t->body[1] && t->def.form == WIT_FORM_PAPERS;
    if (s->held) out->flags |= WIT_FLAG_SATURATED;
    out->flags |= distance_flags(t, out->distance);
    /* every common point solves the papers' conditions */
    if (papers && gap <= fmax(tolerance, 1e-9 * t->size) && crossing(s)) {
        out->flags |= WIT_FLAG_OVERLAPPING;
        out->outcome = out->outcome == WIT_OUTCOME_CONVERGED ? WIT_OUTCOME_OPEN : out->outcome;
    }
    bool loose = (out->flags & WIT_FLAG_CYCLE) || s->by_region || t->def.keep_features;
    /* no minimum, and the conditions do not hold either. (Of a usual step they always do: normal_tells.) */
    bool crossed = t->body[1] && out->residual > 0.1 &&
                   (out->kind == WIT_STATIONARY_SADDLE || out->kind == WIT_STATIONARY_MAXIMUM);
    bool doubt = crossed || (out->distance > 0 && !held_rightly(s)) ||
                 (loose && gap > tolerance && (!in_its_face(s, 0) || !in_its_face(s, 1))) ||
                 ((out->flags & WIT_FLAG_OVERLAPPING) && is_solid_pair(t) && out->distance > tolerance);
    if (doubt && !s->inside && out->outcome == WIT_OUTCOME_CONVERGED) out->outcome = WIT_OUTCOME_OPEN;
    if ((out->flags & WIT_FLAG_OVERLAPPING) && !is_solid_pair(t) && out->distance > 0)
        out->flags &= ~(unsigned)WIT_FLAG_OVERLAPPING;
}

double wi_result_planes(const step* s, double rounding)
{
    const wit_tracker* t = s->t;
    bool faces = s->at[0].face && (!t->body[1] || s->at[1].face) && !s->held;
    if (!t->supported || !faces) return -INFINITY;
    wit_vec3 n = unit3(cross3(s->at[0].d[0], s->at[0].d[1])), w = sub3(s->at[1].p, s->at[0].p);
    double along = (s->at[0].reversed ? -1 : 1) * dot3(n, w), lean = 0;
    if (t->body[1]) {
        wit_vec3 m = unit3(cross3(s->at[1].d[0], s->at[1].d[1]));
        lean = norm3(s->at[0].reversed == s->at[1].reversed ? add3(n, m) : sub3(n, m));
    }
    return bound_by_planes(t, along, lean, rounding);
}

/* Solids in each other: what the search of this frame has proved. */
static void set_depth_bound(const step* s, double rounding, wit_result* out)
{
    const wit_tracker* t = s->t;
    double least = s->least - rounding, most = s->most + rounding,
           slack = t->def.certify * step_scale(s, out->distance);
    double loose = 2 * (t->body[0]->tolerance + t->body[1]->tolerance);
    double width = larger(out->distance - least, most - out->distance);
    bool proved = out->outcome == WIT_OUTCOME_CONVERGED && !t->estimate && width <= slack + (t->def.strict ? 0 : loose);
    out->lower_bound = least;
    out->model_tolerance = width <= slack ? 0 : loose;
    out->flags &= ~(unsigned)(WIT_FLAG_LOCAL | WIT_FLAG_CERTIFIED);
    out->flags |= proved ? WIT_FLAG_CERTIFIED : WIT_FLAG_LOCAL;
    out->reason = proved ? WIT_REASON_NONE : t->reason ? t->reason : WIT_REASON_PREMISE;
}

static void set_bound(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    if (s->inside && s->bracketed) {
        set_depth_bound(s, step_rounding(t, 0, s->now.side[1].t), out);
        return;
    }
    carried now = wi_carried_bound(t, &s->now);
    bool apart = out->distance > 0 && out->outcome == WIT_OUTCOME_CONVERGED;
    if (bound_kept(t, now.lower, out->distance) == -INFINITY) t->bound = -INFINITY;
    double rounding = step_rounding(t, norm3(sub3(s->at[1].p, s->at[0].p)), s->now.side[1].t);
    certify(t, &now, apart ? wi_result_planes(s, rounding) : -INFINITY, rounding, out);
}

/* ---- errors -------------------------------------------------------------------------------- */

static void set_errors(const step* s, wit_result* out)
{
    const wit_tracker* t = s->t;
    wit_form form = t->def.form;
    double gap = norm3(sub3(s->at[0].p, s->at[1].p));
    bool directed = gap_has_direction(t, gap, s->at[0].p, s->at[1].p);
    out->count_a = s->at[0].count;
    out->count = s->at[0].count + s->at[1].count;
    wi_condition_errors(&s->at[0], &s->at[1], form, out->error);
    int face = pair_face(&s->at[0], &s->at[1]);
    bool contact = form == WIT_FORM_CONTACT && face >= 0 && s->at[0].count && s->at[1].count;
    for (int i = 0; i < out->count; ++i) {
        bool by_gap = !contact || (i < out->count_a) == (face == 0);
        if (by_gap && !directed) out->error[i] = 0;
        if (!(s->held >> i & 1)) out->residual = fmax(out->residual, fabs(out->error[i]));
    }
}

static wit_witness witness_at(const step* s, int i)
{
    const place* at = &s->t->at[i];
    int count = place_count(at);
    if (s->inside && s->t->deep[i])
        return (wit_witness){WIT_POINT, -1, 0, 0, wit_pose_point(&s->now.frame, s->at[i].p)};
    wit_witness w = {at->kind, at->kind == WIT_POINT ? -1 : at->id, count > 0 ? at->x[0] : 0, count > 1 ? at->x[1] : 0,
                     wit_pose_point(&s->now.frame, s->at[i].p)};
    return w;
}

/* A pair that is not solved says by its normals that solids are in each other; that is known only where a search has seen it, or at
 * a common point. */
static void drop_overlap_unseen(const step* s, wit_result* out)
{
    bool solved = out->outcome == WIT_OUTCOME_CONVERGED, seen = s->flags & WIT_FLAG_OVERLAPPING;
    if (solved || seen || !is_solid_pair(s->t) || s->t->def.form == WIT_FORM_PAPERS) return;
    out->flags &= ~(unsigned)WIT_FLAG_OVERLAPPING;
}

void wi_step_result(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    wit_result r = {.outcome = s->outcome, .flags = s->flags, .held = s->held, .drift = s->drift, .gain = s->gain};
    pair_motion_account(&s->now, &s->work, t->def.budget);
    if (!s->fresh) wi_step_look(s);
    if (t->body[1])
        set_pair(s, &r);
    else
        set_point(s, &r);
    remember_pair(t, r.distance, r.normal, s->at[0].p);
    r.rate = dot3(r.normal, sub3(s->at[1].velocity, s->at[0].velocity));
    r.normal = wit_pose_vector(&s->now.frame, r.normal);
    r.a = witness_at(s, 0);
    r.b = witness_at(s, 1);
    set_kind(t, wi_condition_kind(&s->at[0], &s->at[1], s->held), &r);
    set_errors(s, &r);
    r.switches = s->switches;
    r.iterations = s->iterations;
    set_flags(s, &r);
    set_bound(s, &r);
    drop_overlap_unseen(s, &r);
    if (s->unsided) r.reason = WIT_REASON_SIGN;
    r.work = s->work;
    *out = r;
}
