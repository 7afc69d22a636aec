/* SPDX-License-Identifier: MIT */
/* The tracker: its memory, its checks, and the order of the rooms in one step. */
#include <string.h>

#include "../base/allocator.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "../geom/kernel_set.h"
#include "../query/far_phase.h"
#include "carried_bound.h"
#include "contact_ids.h"
#include "fast_step.h"
#include "general_step.h"
#include "law_methods.h"
#include "law_side.h"
#include "overlap.h"
#include "step_end.h"
#include "pair_newton.h"
#include "pair_proof.h"
#include "point_proof.h"
#include "reacquire.h"
#include "result.h"

enum { BUDGET_LEAST = 64, BUDGET_DEFAULT = 100000, CAPACITY_DEFAULT = 4096, FRONT_DEFAULT = 4096 };
enum {
    CAPACITY_OF_SIDES = 16384
}; /* tells a peg in its hole, with the wall near it all over, from one that meets it */

wit_track_def wit_track_default_def(void)
{
    wit_track_def d = {.struct_size = sizeof d,
                       .form = WIT_FORM_CONTACT,
                       .tolerance = 1e-12,
                       .certify = 1e-9,
                       .within = INFINITY,
                       .budget = BUDGET_DEFAULT,
                       .reacquire = true,
                       .capacity = CAPACITY_DEFAULT,
                       .front = FRONT_DEFAULT,
                       .transitions = 64,
                       .contacts_lean = 0.1,
                       .contact_events = 64};
    return d;
}

/* ---- memory -------------------------------------------------------------------------------- */

static wit_query_def query_def(const wit_track_def* def)
{
    wit_query_def q = wit_query_default_def();
    q.capacity = def->capacity;
    return q;
}

static size_t offset_of(const void* base, const void* at)
{
    return at ? (size_t)((const char*)at - (const char*)base) : 0;
}

/* The table by which a law is run; null: the default law. */
static const law_methods* methods_of(const wit_track_def* def)
{
    const law_methods* law = def->law ? law_methods_of(def->law) : NULL;
    return law && law->step ? law : NULL;
}

/* Does the tracker ask the query for something? The global search, and the side: of a point that is proved, of all under a law. */
static bool asks(const wit_body* body_a, const wit_body* body_b, const wit_track_def* def)
{
    bool sided = methods_of(def) || wi_point_proof_bytes(body_a, body_b, def);
    return def->reacquire || (sided && law_side_has(body_a, body_b));
}

/* Two solids under a law are asked for their sign, and that is to be known. */
static int capacity_of(const wit_body* body_a, const wit_body* body_b, const wit_track_def* def)
{
    bool sign = body_b && methods_of(def) && law_side_has(body_a, body_b);
    return sign && def->capacity < CAPACITY_OF_SIDES ? CAPACITY_OF_SIDES : def->capacity;
}

/* The record and all that it refers to; with an arena that only measures, nothing is written. */
static wit_tracker* lay_out(arena* a, const wit_body* body_a, const wit_body* body_b, const wit_track_def* def)
{
    wit_query_def q = query_def(def);
    q.capacity = capacity_of(body_a, body_b, def);
    const law_methods* law = methods_of(def);
    size_t sizes[8] = {asks(body_a, body_b, def) ? wit_query_size(&q) : 0,
                       (size_t)def->transitions * sizeof(wit_transition),
                       wi_point_proof_bytes(body_a, body_b, def),
                       law ? law->settings : 0,
                       law && law->state ? law->state(body_a, body_b, def->law) : 0,
                       law ? 0 : wi_overlap_bytes(body_a, body_b, def),
                       wi_contact_ids_bytes(def),
                       law ? 0 : wi_pair_proof_bytes(body_a, body_b, def)};
    void* at[8] = {0};
    wit_tracker* t = wi_arena_take(a, 1, sizeof *t);
    for (int k = 0; k < 8; ++k) at[k] = sizes[k] ? wi_arena_take(a, sizes[k], 1) : NULL;
    if (!t || !arena_ok(a)) return NULL;
    memset(t, 0, sizeof *t);
    for (int k = 1; k < 8; ++k)
        if (at[k]) memset(at[k], 0, sizes[k]);
    t->query_at = offset_of(t, at[0]);
    t->query_bytes = sizes[0];
    t->transitions_at = offset_of(t, at[1]);
    t->point_front_at = offset_of(t, at[2]);
    t->law = law;
    t->law_at = offset_of(t, at[3]);
    t->law_state_at = offset_of(t, at[4]);
    t->front_at = offset_of(t, at[5]);
    t->contacts_at = offset_of(t, at[6]);
    t->pair_front_at = offset_of(t, at[7]);
    if (law) memcpy(at[3], def->law, law->settings);
    return t;
}

/* The names, then the law with its own settings. */
static wit_status check_law(const wit_body* a, const wit_body* b, const wit_track_def* d, wit_error* error)
{
    const char* text = "%d is no value of this field; 0 to %d are";
    if ((unsigned)d->form >= WIT_FORM_COUNT)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "form", text, (int)d->form, WIT_FORM_COUNT - 1);
    if ((unsigned)d->prediction >= WIT_PREDICTION_COUNT)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "prediction", text, (int)d->prediction,
                             WIT_PREDICTION_COUNT - 1);
    if (!d->law) return WIT_OK;
    const law_methods* law = law_methods_of(d->law);
    if (!law) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "law", "start from wit_law_default_def");
    return law->check(a, b, d, error);
}

static wit_status check_def(const wit_body* a, const wit_body* b, const wit_track_def* d, wit_error* error)
{
    if (!a || !d) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "body a and the def must not be null");
    if (d->struct_size != sizeof *d)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "struct_size", "start from wit_track_default_def");
    if (a->face_count + a->edge_count + a->vertex_count == 0 ||
        (b && b->face_count + b->edge_count + b->vertex_count == 0))
        return wi_error_fill(error, WIT_ERROR_COUNT, "", "a body without features has no closest point");
    if (b && a->planar != b->planar)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "one body is planar and the other is not");
    if (b && a->unbounded && b->unbounded)
        return wi_error_fill(error, WIT_ERROR_UNSUPPORTED, "", "two unbounded bodies can't be tracked");
    if (!(d->tolerance >= 1e-15 && d->tolerance <= 1e-3))
        return wi_error_fill(error, WIT_ERROR_RANGE, "tolerance", "must be between 1e-15 and 1e-3, not %g",
                             d->tolerance);
    if (!(d->certify >= 1e-15 && d->certify <= 1))
        return wi_error_fill(error, WIT_ERROR_RANGE, "certify", "must be between 1e-15 and 1, not %g", d->certify);
    if (!(d->within >= 0))
        return wi_error_fill(error, WIT_ERROR_RANGE, "within", "must be a length from 0 to infinity, not %g",
                             d->within);
    if (d->budget < BUDGET_LEAST || d->budget > (int64_t)1 << 40)
        return wi_error_fill(error, WIT_ERROR_RANGE, "budget", "must be at least %d units of work", BUDGET_LEAST);
    if (d->front < 0 || d->front > 1 << 20)
        return wi_error_fill(error, WIT_ERROR_RANGE, "front", "must be between 0 and %d", 1 << 20);
    if (d->transitions < 0 || d->transitions > 1 << 20)
        return wi_error_fill(error, WIT_ERROR_RANGE, "transitions", "must be between 0 and %d", 1 << 20);
    if (!wit_kernel_available(d->kernel))
        return wi_error_fill(error, WIT_ERROR_UNSUPPORTED, "kernel", "this machine has no such kernels");
    wit_query_def q = query_def(d);
    if (d->reacquire && !wit_query_size(&q))
        return wi_error_fill(error, WIT_ERROR_RANGE, "capacity", "%d is not a capacity of the global search",
                             d->capacity);
    wit_status status = check_law(a, b, d, error);
    return status ? status : wi_contact_ids_check(b, d, error);
}

size_t wit_tracker_size(const wit_body* a, const wit_body* b, const wit_track_def* def)
{
    if (check_def(a, b, def, NULL)) return 0;
    arena m = wi_arena_measure();
    lay_out(&m, a, b, def);
    return arena_ok(&m) ? m.used : 0;
}

/* May what is closest nearby be taken for closest? Outside, a foot p with its normal n along the way to the point q, at the
 * distance d, has every x of the body at |q - x| >= n.(q - x) >= d - convex_within. Samples that say so do not count: what only
 * looks convex is watched. */
static bool local_is_global(const wit_body* b, const wit_track_def* def)
{
    return !b->planar && b->facts.convex_within <= def->certify * b->size;
}

wit_status wit_tracker_init(void* memory, size_t bytes, const wit_body* a, const wit_body* b, const wit_track_def* def,
                            wit_tracker** out, wit_error* error)
{
    if (!memory || !out) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "memory and out must not be null");
    wit_status status = check_def(a, b, def, error);
    if (status) return status;
    arena m = wi_arena_over(memory, bytes);
    wit_tracker* t = lay_out(&m, a, b, def);
    if (!t)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "bytes",
                             "the memory is too small or not aligned; wit_tracker_size tells");
    t->body[0] = a;
    t->body[1] = b;
    t->def = *def;
    t->def.capacity = capacity_of(a, b, def);
    t->def.law = NULL;
    double size_b = b ? b->size : 0;
    t->size = a->size > 0 && size_b > 0 ? fmin(a->size, size_b) : fmax(a->size, size_b);
    t->reach = box_reach(&a->box) + (b ? box_reach(&b->box) : 0);
    if (!(t->size > 0)) t->size = 1; /* a half-space, a lone vertex: nothing to measure by */
    t->kernel = wi_kernel_resolve(def->kernel);
    t->convex[0] = local_is_global(a, def);
    t->convex[1] = b && local_is_global(b, def);
    t->estimate = a->shape_tolerance > 0 || (b && b->shape_tolerance > 0);
    t->within = a->planar || (b && b->planar) ? INFINITY : a->facts.convex_within + (b ? b->facts.convex_within : 0);
    t->supported = t->within < INFINITY;
    wit_tracker_reset(t);
    *out = t;
    return WIT_OK;
}

wit_tracker* wit_tracker_create(const wit_body* a, const wit_body* b, const wit_track_def* def,
                                const wit_allocator* allocator, wit_error* error)
{
    wit_track_def standard = wit_track_default_def();
    if (!def) def = &standard;
    if (check_def(a, b, def, error)) return NULL;
    wit_allocator from = wi_allocator_or_default(allocator);
    size_t bytes = wit_tracker_size(a, b, def);
    void* memory = bytes ? wi_allocator_take(&from, bytes) : NULL;
    wit_tracker* t = NULL;
    if (!memory) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for a tracker of %zu bytes", bytes);
        return NULL;
    }
    if (wit_tracker_init(memory, bytes, a, b, def, &t, error)) {
        wi_allocator_release(&from, memory, bytes);
        return NULL;
    }
    t->allocator = from;
    t->bytes = bytes;
    return t;
}

void wit_tracker_destroy(wit_tracker* t)
{
    if (!t || !t->bytes) return;
    wit_allocator from = t->allocator;
    wi_allocator_release(&from, t, t->bytes);
}

/* ---- state --------------------------------------------------------------------------------- */

/* No frame, no place, no proof, nothing remembered: the one place where the state begins. */
static void begin_state(wit_tracker* t)
{
    memset((char*)t + TRACKER_STATE, 0, sizeof *t - TRACKER_STATE);
    t->order = 2;
    t->bound = -INFINITY;
    t->above = INFINITY;
    t->model_tolerance = 0;
    t->reason = WIT_REASON_NONE;
    t->watch = INFINITY;
    if (!t->body[1]) t->at[1].kind = WIT_POINT, t->at[1].id = -1;
    wi_point_proof_forget(t);
    wi_pair_proof_forget(t);
    wi_overlap_forget(t);
    if (t->law && t->law->forget) t->law->forget(t);
}

void wit_tracker_reset(wit_tracker* t)
{
    if (!t) return;
    begin_state(t);
    wi_contact_ids_forget(t);
}

static wit_status check_witness(const wit_body* body, const wit_witness* w)
{
    if (!w) return WIT_ERROR_ARGUMENT;
    int faces = body->planar ? 0 : body->face_count;
    int counts[WIT_FEATURE_KIND_COUNT] = {faces, body->edge_count, body->vertex_count};
    if ((unsigned)w->feature >= WIT_FEATURE_KIND_COUNT) return WIT_ERROR_ARGUMENT;
    if (w->id < 0 || w->id >= counts[w->feature]) return WIT_ERROR_RANGE;
    return isfinite(w->u) && isfinite(w->v) ? WIT_OK : WIT_ERROR_NUMBER;
}

wit_status wit_tracker_place(wit_tracker* t, const wit_witness* a, const wit_witness* b)
{
    if (!t) return WIT_ERROR_ARGUMENT;
    wit_status status = check_witness(t->body[0], a);
    if (!status && t->body[1]) status = check_witness(t->body[1], b);
    if (status) return status;
    /* the clock runs and hand-overs are counted since the last reset */
    double time = t->time;
    int64_t transitions = t->transition_count;
    begin_state(t);
    t->time = time;
    t->transition_count = transitions;
    t->placed = true;
    const wit_witness* w[2] = {a, b};
    for (int i = 0; i < 2; ++i)
        if (t->body[i]) t->at[i] = place_at(w[i]->feature, w[i]->id, w[i]->u, w[i]->v, vec3(0, 0, 0));
    return WIT_OK;
}

int64_t wit_tracker_transitions(const wit_tracker* t, wit_transition* out, int capacity)
{
    if (!t) return 0;
    int64_t kept = t->transition_count < t->def.transitions ? t->transition_count : t->def.transitions;
    int64_t count = out && capacity > 0 ? (kept < capacity ? kept : capacity) : 0;
    const wit_transition* ring = (const wit_transition*)(const void*)((const char*)t + t->transitions_at);
    for (int64_t k = 0; k < count; ++k) out[k] = ring[(t->transition_count - count + k) % t->def.transitions];
    return t->transition_count;
}

void wi_step_switched(step* s, int which, const place* from, double before, double after, bool jumped, double time)
{
    wit_tracker* t = s->t;
    s->flags |= WIT_FLAG_SWITCHED | (jumped ? WIT_FLAG_JUMPED : 0U);
    s->switches++;
    t->history = 0;
    double sign = !t->body[1] && t->sign < 0 ? -1 : 1; /* of the distance, which a hand-over keeps */
    if (t->def.transitions > 0) {
        const place* to = &t->at[which];
        wit_transition* ring = tracker_at(t, t->transitions_at);
        wit_transition entry = {time,   which,         from->kind,   to->kind, from->id,
                                to->id, sign * before, sign * after, jumped};
        ring[t->transition_count % t->def.transitions] = entry;
    }
    t->transition_count++;
}

void wi_step_look(step* s)
{
    for (int i = 0; i < 2; ++i) wi_pair_motion_at(&s->now, i, &s->t->at[i], &s->t->hint[i], &s->at[i]);
    s->fresh = true;
    wi_pair_newton_face(s, s->t->def.form);
}

/* ---- the step ------------------------------------------------------------------------------ */

static wit_status check_motion(const wit_motion* m)
{
    if (!m) return WIT_ERROR_ARGUMENT;
    wit_status status = wit_pose_check(&m->pose);
    if (status) return status;
    wit_vec3 p = m->pose.position;
    if (!(fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) <= WIT_MAX_COORDINATE)) return WIT_ERROR_NUMBER;
    if (m->twist_known && !(finite3(m->twist.velocity) && finite3(m->twist.angular))) return WIT_ERROR_NUMBER;
    return WIT_OK;
}

/* How far off the plane of a planar body a thing may be: of its size. */
#define PLANE_SLACK 1e-9

static bool off_plane(const step* s)
{
    const wit_body *a = s->t->body[0], *b = s->t->body[1];
    if (!a->planar) return false;
    const shape_frame* plane = &body_surface(a, 0)->frame;
    const side* other = &s->now.side[1];
    wit_vec3 p = other->t;
    if (b) {
        const shape_frame* plane_b = &body_surface(b, 0)->frame;
        if (norm3(cross3(side_vector(other, plane_b->z), plane->z)) > PLANE_SLACK) return true;
        p = side_point(other, plane_b->o);
    }
    return fabs(dot3(sub3(p, plane->o), plane->z)) > PLANE_SLACK * a->size;
}

static wit_twist known_twist(const wit_tracker* t, const wit_motion* m, int i, double dt)
{
    wit_twist rest = {{0, 0, 0}, {0, 0, 0}};
    if (m->twist_known) return m->twist;
    if (!t->started) return rest;
    /* a screw between the poses, its field taken where the origin is now */
    wit_twist w = wit_twist_between(&t->last[i], &m->pose, dt);
    w.velocity = add3(w.velocity, cross3(w.angular, sub3(m->pose.position, t->last[i].position)));
    return finite3(w.velocity) && finite3(w.angular) ? w : rest;
}

/* Where the far phase of the papers would start: no search allowed. False: the work did not reach any pair. */
static bool start_far(step* s)
{
    wit_tracker* t = s->t;
    int64_t half = (step_left(s) - STEP_RESERVE) / 2; /* the rest is for the law */
    if (half < 1) return false;
    far_effort effort = {&s->work, s->work.units + half};
    wit_placed at[2] = {wit_placed_at(t->body[0], s->motion[0].pose), wit_placed_at(t->body[1], s->motion[1].pose)};
    wit_witness w[2];
    bool found = t->body[1] ? wi_far_phase_pair(&effort, at, w)
                            : wi_far_phase_point(&effort, &at[0], s->motion[1].pose.position, &w[0]);
    if (!found) return false;
    for (int i = 0; i < (t->body[1] ? 2 : 1); ++i) {
        place start = place_at(w[i].feature, w[i].id, w[i].u, w[i].v, vec3(0, 0, 0));
        t->at[i] = start;
    }
    return t->placed = true;
}

/* Any feature at all, when there was no budget for better. */
static void start_anywhere(step* s)
{
    wit_tracker* t = s->t;
    for (int i = 0; i < 2; ++i) {
        const wit_body* b = t->body[i];
        if (!b) continue;
        place at = place_at(b->face_count && !b->planar ? WIT_FACE
                            : b->edge_count             ? WIT_EDGE
                                                        : WIT_VERTEX,
                            0, 0, 0, vec3(0, 0, 0));
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2];
        pair_motion_range(&s->now, i, &at, range, closed);
        for (int k = 0; k < place_count(&at); ++k) at.x[k] = 0.5 * (range[k].lo + range[k].hi);
        t->at[i] = at;
    }
    t->placed = true;
}

static void run_law(step* s)
{
    const law_methods* law = s->t->law;
    if (law)
        law->step(s);
    else
        wi_general_step(s);
}

/* Farther than the cut-off, by the last proof or a new one: only the bound is kept up, and the pair is given up. */
static bool beyond(step* s, wit_result* out)
{
    wit_tracker* t = s->t;
    if (!(t->def.within < INFINITY)) return false;
    double lower = wi_carried_bound(t, &s->now).lower;
    /* the track says that it may be beyond: ask, once the old proof is used up */
    if (lower < t->def.within && (!t->placed || t->distance > t->def.within) && wi_reacquire(s)) return false;
    lower = wi_carried_bound(t, &s->now).lower;
    if (!(lower >= t->def.within)) return false;
    wit_result r = {
        .distance = lower, .lower_bound = lower, .flags = WIT_FLAG_BEYOND | WIT_FLAG_LOCAL, .work = s->work};
    r.outcome = WIT_OUTCOME_OPEN;
    r.a.feature = r.b.feature = WIT_POINT;
    r.a.id = r.b.id = -1;
    *out = r;
    t->placed = false;
    t->distance = lower;
    t->history = 0;
    return true;
}

wit_status wit_tracker_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    if (!t || !a || !b || !out) return WIT_ERROR_ARGUMENT;
    if (a->twist_known && b->twist_known && wi_fast_step(t, a, b, dt, out)) return WIT_OK;
    wit_status status = check_motion(a);
    if (!status) status = check_motion(b);
    if (status) return status;
    if (!(dt > 0 && dt <= DBL_MAX)) return WIT_ERROR_RANGE;
    wit_motion motion[2] = {*a, *b};
    for (int i = 0; i < 2; ++i) {
        motion[i].twist = known_twist(t, i ? b : a, i, dt);
        motion[i].twist_known = true;
    }
    if (!(a->twist_known && b->twist_known) && wi_fast_step(t, &motion[0], &motion[1], dt, out)) return WIT_OK;
    step s;
    memset(&s, 0, sizeof s);
    s.t = t;
    s.dt = dt;
    s.first = !t->started;
    s.outcome = WIT_OUTCOME_OPEN;
    for (int i = 0; i < 2; ++i) {
        s.motion[i] = motion[i];
        s.from[i] = t->started ? t->last[i] : motion[i].pose;
        s.kept[i] = t->at[i];
    }
    wi_pair_motion_make(t->body[0], t->body[1], &s.motion[0], &s.motion[1], &s.now);
    pair_motion_account(&s.now, &s.work, step_limit(&s));
    step_jets(&s, t->looked);
    work_add(&s.work, &t->spent);
    t->looked = 0;
    memset(&t->spent, 0, sizeof t->spent);
    if (!t->body[1] && t->body[0]->kind == WIT_BODY_SHEET)
        t->bound = -INFINITY, t->above = INFINITY; /* see carried_bound.c */
    if (off_plane(&s)) return WIT_ERROR_RANGE;
    s.clock = t->time + dt;
    if (!beyond(&s, out)) {
        if (!wi_overlap_follow(&s)) {
            if (!t->placed && !wi_reacquire(&s) && !t->placed && !start_far(&s)) start_anywhere(&s);
            run_law(&s);
            wi_overlap_check(&s);
        }
        wi_step_result(&s, out);
        if (t->contacts_at) wi_contact_ids_step(&s, out);
    } else if (t->contacts_at) {
        wi_contact_ids_beyond(&s);
    }
    remember_motion(t, &s.motion[0], &s.motion[1], dt);
    t->started = true;
    t->fast_ready = !t->contacts_at && wi_fast_step_ready(&s);
    return WIT_OK;
}
