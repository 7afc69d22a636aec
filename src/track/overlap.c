/* SPDX-License-Identifier: MIT */
#include "overlap.h"

#include <string.h>

#include "../query/depth/contact.h"
#include "../query/depth/depth_front.h"
#include "../query/depth/support.h"
#include "../query/half_space.h"
#include "../query/query_record.h"
#include "carried_bound.h"
#include "pair_newton.h"
#include "reacquire.h"

/* What the end of a search may take beyond what it was given: naming, polishing. */
enum { FRONT_CELLS = 1024, OVERLAP_LEAST = 256, FRONT_END = 160, QUERY_END = 1100, GO_ON = 3000, CUTS = 256 };

/* ---- which pairs ---------------------------------------------------------------------------- */

static bool watched(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    return b && a->kind == WIT_BODY_SOLID && b->kind == WIT_BODY_SOLID && def->reacquire &&
           def->form == WIT_FORM_CONTACT && !def->keep_features;
}

/* The depth is the least support sum: of convex bodies, and where one is a half-space. Where samples say so and no more is proved
 * the cold query shows that too. */
static bool by_supports(const wit_tracker* t)
{
    const wit_body *a = t->body[0], *b = t->body[1];
    if (a->unbounded || b->unbounded) return true;
    return a->facts.looks_convex && b->facts.looks_convex;
}

/* One of them has convex pieces: what is inside is found by the search alone, and cheaper so than by a search apart before. */
static bool covered(const wit_tracker* t)
{
    return t->body[0]->cover.pieces || t->body[1]->cover.pieces;
}

size_t wi_overlap_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    return watched(a, b, def) ? wi_depth_front_bytes(FRONT_CELLS) : 0;
}

void wi_overlap_forget(wit_tracker* t)
{
    if (t->front_at) wi_depth_front_begin(tracker_at(t, t->front_at), FRONT_CELLS);
}

/* ---- the pair of the step ------------------------------------------------------------------- */

static void put_place(step* s, int i, const place* at, double depth)
{
    wit_tracker* t = s->t;
    place from = t->at[i];
    bool other = from.kind != at->kind || from.id != at->id;
    t->at[i] = *at;
    if (!other) return;
    memset(&t->hint[i], 0, sizeof t->hint[i]);
    if (t->placed) wi_step_switched(s, i, &from, t->distance, -depth, false, s->clock);
}

static void put_contact(step* s, const place* a, const place* b, wit_vec3 normal, double depth)
{
    wit_tracker* t = s->t;
    put_place(s, 0, a, depth);
    put_place(s, 1, b, depth);
    t->placed = t->inside = true;
    t->deep[0] = t->deep[1] = false;
    t->history = 0;
    s->held = 0;
    wi_step_look(s);
    s->inside = true;
    s->inside_normal = normal;
    s->outcome = WIT_OUTCOME_CONVERGED;
}

/* What is proved of the signed distance. */
static void put_bracket(step* s, double least, double most)
{
    s->bracketed = true;
    s->least = least;
    s->most = most;
}

/* No answer: the last pair stays on its features. Its points are of the bodies, so that the distance between them along the old
 * normal has changed by no more than they have moved. */
static void put_open(step* s)
{
    wit_tracker* t = s->t;
    s->outcome = step_left(s) <= STEP_RESERVE + OVERLAP_LEAST ? WIT_OUTCOME_BUDGET : WIT_OUTCOME_OPEN;
    t->history = 0;
    if (s->first || !(dot3(t->normal, t->normal) > 0.5)) return;
    for (int i = 0; i < 2; ++i) {
        bool other = t->at[i].kind != s->kept[i].kind || t->at[i].id != s->kept[i].id;
        t->at[i] = s->kept[i];
        if (other) memset(&t->hint[i], 0, sizeof t->hint[i]);
    }
    s->held = 0;
    wi_step_look(s);
    s->inside = true;
    s->inside_normal = t->normal;
}

/* ---- convex solids, half-spaces --------------------------------------------------------------- */

typedef enum overlap { OVERLAP_NOT, OVERLAP_FOUND, OVERLAP_OPEN } overlap;

static bool task_of(step* s, search_task* task)
{
    wit_tracker* t = s->t;
    wit_query_def def = wit_query_default_def();
    wit_query* q;
    int64_t left = step_left(s) - STEP_RESERVE - FRONT_END;
    if (left < OVERLAP_LEAST) return false;
    def.capacity = t->def.capacity;
    def.tolerance = fmax(1e-15, fmin(t->def.certify * 0.5, 1e-9));
    def.budget = left;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &q, NULL)) return false;
    q->units = left;
    wi_task_of_sides(q, &s->now.side[0], &s->now.side[1], task);
    return true;
}

/* What was found of a depth, as the pair of the step. */
static overlap take(step* s, const penetration* d)
{
    if (d->apart) return OVERLAP_NOT;
    if (!d->closed) return OVERLAP_OPEN;
    put_contact(s, &d->a, &d->b, d->normal, d->depth);
    put_bracket(s, -d->upper, -d->lower);
    return OVERLAP_FOUND;
}

/* The supports that the front has seen are not above the truth: of planes and quadrics they are it, of others a bound tells. */
static double upper_sum(step* s, const penetration* d)
{
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        const side* x = &s->now.side[i];
        wit_vec3 out = scale3(i ? -1 : 1, d->normal);
        support h = wi_support_of(x, out, &s->work);
        if (h.partial) return INFINITY;
        double room = 0.1 * s->t->def.certify * s->t->size;
        sum += x->body->facts.quadrics ? h.value : wi_support_upper(x, out, h.value, room, CUTS, &s->work);
    }
    return sum;
}

static overlap by_front(step* s)
{
    wit_tracker* t = s->t;
    search_task task;
    penetration d;
    if (!task_of(s, &task)) return OVERLAP_OPEN;
    double tolerance = task_tolerance(&task, 0);
    memset(&d, 0, sizeof d);
    if (t->body[0]->unbounded || t->body[1]->unbounded) {
        bool told = wi_half_space_depth(&task, t->body[0]->unbounded, tolerance, task.work, &d);
        d.apart = told && d.depth < -task.floor;
        d.closed = told && !d.apart;
    } else {
        wi_depth_follow(tracker_at(t, t->front_at), &task, tolerance, t->normal, task.work, &d);
    }
    work_spend(&s->work, task.work);
    bool half_space = t->body[0]->unbounded || t->body[1]->unbounded;
    double exceed = half_space ? 0 : t->body[0]->facts.hull_within + t->body[1]->facts.hull_within;
    t->reason = exceed > t->def.certify * t->size ? WIT_REASON_PREMISE : WIT_REASON_NONE;
    overlap o = take(s, &d);
    if (o != OVERLAP_FOUND || half_space) return o;
    bool quadrics = t->body[0]->facts.quadrics && t->body[1]->facts.quadrics;
    double slack = t->body[0]->tolerance + t->body[1]->tolerance;
    put_bracket(s, -(quadrics ? d.upper : larger(d.upper, upper_sum(s, &d) + slack)), exceed - d.lower);
    return o;
}

/* ---- others ----------------------------------------------------------------------------------- */

static place place_of(const wit_witness* w)
{
    return place_at(w->feature, w->id, w->u, w->v, vec3(0, 0, 0));
}

/* How far a point of b has moved at most since the last frame, seen from a. */
static double motion_of(const step* s)
{
    const wit_box* box = &s->t->body[1]->box;
    wit_pose back[2] = {wit_pose_inverse(&s->from[0]), wit_pose_inverse(&s->motion[0].pose)};
    wit_pose at[2] = {wit_pose_compose(&back[0], &s->from[1]), wit_pose_compose(&back[1], &s->motion[1].pose)};
    wit_vec3 middle = scale3(0.5, add3(box->lo, box->hi)), axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double square = 0, half = 0.5 * norm3(sub3(box->hi, box->lo));
    for (int k = 0; k < 3; ++k) {
        wit_vec3 d = sub3(wit_pose_vector(&at[1], axes[k]), wit_pose_vector(&at[0], axes[k]));
        square += dot3(d, d);
    }
    return norm3(sub3(wit_pose_point(&at[1], middle), wit_pose_point(&at[0], middle))) + half * sqrt(0.5 * square);
}

/* Was the last frame one of a contact on features, which might be followed on them? */
static bool may_go_on(const step* s)
{
    const wit_tracker* t = s->t;
    return !s->first && t->inside && t->distance < 0 && !t->deep[0] && !t->deep[1] && !covered(t) &&
           dot3(t->normal, t->normal) > 0.5;
}

/* Where the search for contacts did not come to its end: the contact of the last frame, while it is one, as an estimate. */
static bool go_on(step* s, const wit_closest* c)
{
    wit_tracker* t = s->t;
    search_task task;
    if (!may_go_on(s) || !task_of(s, &task)) return false;
    local_contact k = {s->kept[0], s->kept[1], t->normal, -t->distance};
    bool planar = t->body[0]->planar;
    wit_vec3 z = planar ? side_vector(&task.a, body_surface(t->body[0], 0)->frame.z) : vec3(0, 0, 0);
    bool found = wi_contact_solve(&task.a, &task.b, planar ? &z : NULL, task.size, task.work, &k);
    if (found && k.depth < 0 && k.a.kind != WIT_FACE && k.b.kind != WIT_FACE)
        k.normal = scale3(-1, k.normal), k.depth = -k.depth;
    found = found && k.depth > 0 && k.depth <= -c->lower_bound && wi_contact_holds(&task, &k, task.work);
    work_spend(&s->work, task.work);
    if (!found || fabs(k.depth + t->distance) > motion_of(s)) return false;
    t->reason = WIT_REASON_BUDGET;
    put_contact(s, &k.a, &k.b, k.normal, k.depth);
    put_bracket(s, c->lower_bound, c->upper_bound);
    return true;
}

/* The cold query, with what is left of the budget. False: there was not enough, or it refuses. */
static bool ask(step* s, double within, wit_closest* out)
{
    wit_tracker* t = s->t;
    wit_query_def def = wit_query_default_def();
    wit_query* q;
    int64_t left = step_left(s) - STEP_RESERVE - QUERY_END - (may_go_on(s) ? GO_ON : 0);
    def.capacity = t->def.capacity;
    def.tolerance = fmax(1e-15, fmin(t->def.certify * 0.5, 1e-9));
    def.within = within;
    def.budget = left;
    if (left < OVERLAP_LEAST) return false;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &q, NULL)) return false;
    wit_placed a = wit_placed_at(t->body[0], s->motion[0].pose), b = wit_placed_at(t->body[1], s->motion[1].pose);
    if (wit_closest_pair(q, &a, &b, out)) return false;
    work_spend(&s->work, &out->work);
    return true;
}

/* Of what is followed `distance` apart: is nothing else in each other? Half of the way is looked into. */
static overlap by_cut_off(step* s, double distance)
{
    wit_closest c;
    if (!ask(s, 0.5 * distance, &c)) return OVERLAP_OPEN;
    if (c.outcome == WIT_OUTCOME_OVERLAPPING) return OVERLAP_FOUND;
    wi_clear_set(s->t, c.lower_bound, &s->now);
    wi_carried_bound_found(s->t, &c, &s->now);
    return s->t->clear > 0 ? OVERLAP_NOT : OVERLAP_OPEN;
}

/* A ball and anything: by its centre. False: no ball, or it can't be told. */
static bool by_centre(step* s, overlap* o)
{
    search_task task;
    penetration d;
    if (!task_of(s, &task)) return false;
    bool told = wi_ball_depth(&task, task_tolerance(&task, 0), task.work, &d);
    work_spend(&s->work, task.work);
    if (!told || !(d.apart || d.closed)) return false;
    if (d.apart) wi_clear_set(s->t, -d.upper, &s->now);
    *o = take(s, &d);
    return true;
}

static overlap by_search(step* s)
{
    wit_tracker* t = s->t;
    wit_closest c;
    if (!ask(s, INFINITY, &c)) return OVERLAP_OPEN;
    if (c.outcome != WIT_OUTCOME_OVERLAPPING) {
        wi_clear_set(t, c.lower_bound, &s->now);
        wi_carried_bound_found(t, &c, &s->now);
        bool ended = c.outcome == WIT_OUTCOME_CONVERGED || c.outcome == WIT_OUTCOME_NOT_UNIQUE;
        return t->clear > 0 || (ended && c.distance > 0) ? OVERLAP_NOT : OVERLAP_OPEN;
    }
    s->flags |= WIT_FLAG_OVERLAPPING;
    t->bound = -INFINITY;
    t->above = t->watch = INFINITY;
    if (c.reason == WIT_REASON_BUDGET && go_on(s, &c)) return OVERLAP_FOUND;
    if (!(c.distance < 0)) return OVERLAP_OPEN;
    bool deep[2] = {c.a.feature > WIT_VERTEX, c.b.feature > WIT_VERTEX};
    if ((deep[0] || deep[1]) && !covered(t)) return OVERLAP_OPEN;
    /* an estimate may jump, where parts of what they share become one: that is told */
    double change = fabs(c.distance - t->distance);
    if (!s->first && change > motion_of(s) + t->def.certify * t->size) s->flags |= WIT_FLAG_JUMPED;
    t->reason = c.reason;
    /* a point on no feature: one is kept up beside it, from where the law can go on */
    place kept[2];
    for (int i = 0; i < 2; ++i) kept[i] = t->placed ? t->at[i] : place_at(WIT_VERTEX, 0, 0, 0, vec3(0, 0, 0));
    place x = deep[0] ? kept[0] : place_of(&c.a), y = deep[1] ? kept[1] : place_of(&c.b);
    put_contact(s, &x, &y, wit_pose_unvector(&s->now.frame, c.normal), -c.distance);
    for (int i = 0; i < 2; ++i) {
        wit_vec3 p = wit_pose_unpoint(&s->now.frame, i ? c.b.point : c.a.point);
        t->deep[i] = deep[i];
        if (deep[i]) t->deep_at[i] = side_unpoint(&s->now.side[i], p);
    }
    put_bracket(s, c.lower_bound, c.upper_bound);
    return OVERLAP_FOUND;
}

/* ---- the step --------------------------------------------------------------------------------- */

bool wi_overlap_follow(step* s)
{
    wit_tracker* t = s->t;
    if (!t->front_at || !(t->inside || (s->first && covered(t) && !by_supports(t)))) return false;
    overlap o = OVERLAP_OPEN;
    if (by_supports(t))
        o = by_front(s);
    else if (!by_centre(s, &o))
        o = by_search(s);
    if (o == OVERLAP_NOT) {
        t->inside = t->deep[0] = t->deep[1] = false;
        return false;
    }
    if (o == OVERLAP_OPEN) put_open(s);
    return true;
}

/* How far the planes across the gap are apart, less what they may be off: no more than the bodies are. */
static double parted_by(step* s)
{
    wit_vec3 n = unit3(sub3(s->at[1].p, s->at[0].p)), face;
    const side *a = &s->now.side[0], *b = &s->now.side[1];
    double along;
    face = wi_condition_normal(&s->at[0], &s->at[1], WIT_FORM_CONTACT, &along);
    /* two edges in a plane have no normal in it that would be known here */
    if (!a->body->planar && norm3(sub3(s->at[1].p, s->at[0].p)) <= NEAR_TOUCH * s->t->size) n = face;
    if (!(dot3(n, n) > 0)) return -INFINITY;
    double slack = a->body->tolerance + b->body->tolerance + step_rounding(s->t, 0, b->t);
    /* a half-space reaches as far as its plane does along its own normal, and any other way farther than all */
    for (int i = 0; i < 2; ++i) {
        wit_vec3 m;
        if (!s->now.side[i].body->unbounded) continue;
        if (!wi_side_normal(&s->now.side[i], 0, 0, 0, &m)) return -INFINITY;
        n = scale3(i ? -1 : 1, m);
    }
    double sum = 0;
    for (int i = 0; i < 2; ++i) {
        const side* x = i ? b : a;
        wit_vec3 out = scale3(i ? -1 : 1, n);
        const shape_frame* plane = wi_half_space(x);
        if (plane) {
            sum += dot3(out, side_point(x, plane->o));
            continue;
        }
        support h = wi_support_of(x, out, &s->work);
        if (h.partial) return -INFINITY;
        /* of planes and quadrics that is the farthest place; of others only a bound tells */
        bool exact = x->body->facts.quadrics;
        sum +=
            exact ? h.value : wi_support_upper(x, out, h.value, 0.1 * s->t->def.certify * s->t->size, CUTS, &s->work);
    }
    return -sum - slack;
}

static double gap_of(const step* s)
{
    return norm3(sub3(s->at[1].p, s->at[0].p));
}

/* Convex bodies apart: the planes across the gap are as far apart as the pair is, or it is not the closest one. */
static bool closest_of_convex(step* s)
{
    double gap = gap_of(s);
    return parted_by(s) >= gap - 0.5 * s->t->def.certify * step_scale(s, gap);
}

/* Apart, and what the law has found is not known to be the closest pair: the global search knows. */
static void search_again(step* s)
{
    wit_tracker* t = s->t;
    bool searched = (s->flags & WIT_FLAG_REACQUIRED) != 0;
    if (!searched && wi_reacquire(s)) {
        s->outcome = wi_pair_newton(s) ? WIT_OUTCOME_CONVERGED : WIT_OUTCOME_OPEN;
        if (!s->fresh) wi_step_look(s);
    }
    double gap = gap_of(s), lower = wi_carried_bound(t, &s->now).lower;
    if (s->outcome == WIT_OUTCOME_CONVERGED && gap - lower > t->def.certify * step_scale(s, gap) + t->model_tolerance)
        s->outcome = WIT_OUTCOME_OPEN;
}

/* What the law has found, held against all of two convex solids. */
static void check_convex(step* s, bool proved)
{
    if (s->outcome == WIT_OUTCOME_CONVERGED && closest_of_convex(s)) return;
    overlap o = proved ? OVERLAP_NOT : by_front(s);
    if (o == OVERLAP_OPEN) put_open(s);
    if (o == OVERLAP_NOT) search_again(s);
}

static void check_others(step* s)
{
    double d = -1;
    if (s->outcome == WIT_OUTCOME_CONVERGED) wi_condition_normal(&s->at[0], &s->at[1], s->t->def.form, &d);
    overlap o = OVERLAP_OPEN;
    if (!by_centre(s, &o)) {
        o = d > 0 ? by_cut_off(s, d) : OVERLAP_FOUND;
        if (o == OVERLAP_FOUND) o = by_search(s);
    }
    if (o == OVERLAP_OPEN && d > 0 && !(s->flags & WIT_FLAG_OVERLAPPING)) {
        /* A tight fit, or the work was used up before: neither apart nor in each other is proved. What the law has found stays as
         * a local pair, and the frame says that it is open. */
        s->outcome = step_left(s) <= STEP_RESERVE + OVERLAP_LEAST ? WIT_OUTCOME_BUDGET : WIT_OUTCOME_OPEN;
        return;
    }
    if (o == OVERLAP_OPEN) put_open(s);
    if (o == OVERLAP_NOT && !(d > 0)) search_again(s);
}

void wi_overlap_check(step* s)
{
    const unsigned turned = WIT_FLAG_SWITCHED | WIT_FLAG_JUMPED | WIT_FLAG_CYCLE | WIT_FLAG_FELL_BACK;
    wit_tracker* t = s->t;
    if (!t->front_at) return;
    bool convex = by_supports(t);
    bool proved = wi_carried_bound(t, &s->now).lower > 0 || wi_still_clear(t, &s->now);
    if (proved && !(convex && (s->flags & turned))) return;
    if (!s->fresh) wi_step_look(s);
    if (convex)
        check_convex(s, proved);
    else
        check_others(s);
}
