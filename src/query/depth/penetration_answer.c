/* SPDX-License-Identifier: MIT */
/* The signed distance of two bodies that overlap. */
#include "contact.h"
#include "cover_depth.h"
#include "penetration.h"
#include "../half_space.h"
#include "../query_record.h"
#include "penetration_answer.h"

/* How narrow the bracket of the hulls' depth is made where it is only the far end of the answer's: of the size. */
#define HULL_TOLERANCE 1e-3

static bool has_inside(const side* s)
{
    return s->body && s->body->kind == WIT_BODY_SOLID && !s->faces && !s->edges && !s->vertices;
}

static void put_pair(wit_closest* out, const wit_pose* frame, const place* a, const place* b, wit_vec3 normal)
{
    out->a = wi_witness_of(a, frame);
    out->b = wi_witness_of(b, frame);
    out->normal = wit_pose_vector(frame, normal);
}

/*
 * How far the depth of two bodies may be below that of their hulls: 0 if both are convex, or one of them is a half-space (the
 * way out of it is along its normal, and the other reaches as far as its hull). Infinite: not known. Where work is counted by
 * units, only planes and quadrics count as convex.
 */
static double hulls_exceed(const search_task* t)
{
    if (t->a.body->unbounded || t->b.body->unbounded) return 0;
    const body_facts *a = &t->a.body->facts, *b = &t->b.body->facts;
    if (t->in_step && !(a->quadrics && b->quadrics)) return INFINITY;
    return a->hull_within + b->hull_within;
}

/* Do samples say that both are convex? Then the hulls' pair is shown, whatever is proved of it. */
static bool look_convex(const search_task* t)
{
    if (t->a.body->unbounded || t->b.body->unbounded) return true;
    const body_facts *a = &t->a.body->facts, *b = &t->b.body->facts;
    if (t->in_step && !(a->quadrics && b->quadrics)) return false;
    return a->looks_convex && b->looks_convex;
}

/* Does a translation separate them, as far as is known? None does if one of them is all that is left of space. */
static bool have_depth(const search_task* t)
{
    const wit_body *a = t->a.body, *b = t->b.body;
    if (!has_inside(&t->a) || !has_inside(&t->b) || (a->unbounded && b->unbounded)) return false;
    return (a->unbounded || a->bounded) && (b->unbounded || b->bounded);
}

bool wi_overlap_first(const search_task* t, wit_work* work, penetration* deep)
{
    wit_vec3 between;
    if (!have_depth(t) || wi_plane_between(t, work, &between)) return false;
    if (wi_ball_depth(t, task_tolerance(t, 0), work, deep))
        return !deep->apart && deep->lower > t->floor && penetration_is_pair(t, deep);
    double exceed = hulls_exceed(t);
    if (!(exceed < INFINITY)) return false;
    if (!wi_penetration_search(t, exceed, task_tolerance(t, 0), work, deep) || deep->apart) return false;
    return deep->lower > exceed + t->floor && penetration_is_pair(t, deep);
}

/* By how much the bracket of a depth is wider because edges are off their faces: both ends, by all that they may be. */
static double model_tolerance(const search_task* t)
{
    return 2 * (t->a.body->tolerance + t->b.body->tolerance);
}

/* The hulls' depth is the depth, but for `exceed`; infinite: only the pair is shown, and that they overlap. */
static void put_depth(const search_task* t, const penetration* d, double exceed, const wit_pose* frame,
                      wit_closest* out)
{
    out->lower_bound = -d->upper;
    if (!penetration_is_pair(t, d)) return; /* the common point stands */
    put_pair(out, frame, &d->a, &d->b, d->normal);
    out->distance = -d->depth;
    out->upper_bound = exceed < d->lower ? exceed - d->lower : 0;
    out->model_tolerance = model_tolerance(t);
    double width = d->upper - d->lower + exceed;
    out->certified = width <= 4 * t->floor || task_certifies(t, width, 0, out->model_tolerance);
}

/* Bodies that are not convex: the deepest local contact, and how far b surely has to go at most. Without a contact the
 * common point stands. In a step the way out of the hulls has to do. */
static void put_contact(const search_task* t, penetration* d, const wit_pose* frame, wit_closest* out)
{
    out->lower_bound = -d->upper;
    bool found = t->in_step ? penetration_is_pair(t, d) : wi_contact_deepest(t, t->work, d);
    if (!task_may(t, t->work)) out->reason = WIT_REASON_BUDGET; /* not all contacts were looked for */
    if (!found) return;
    put_pair(out, frame, &d->a, &d->b, d->normal);
    out->distance = -larger(0, d->depth);
    out->lower_bound = smaller(out->lower_bound, out->distance);
}

/* Bodies with covers: the deepest two pieces, and how much deeper other convex parts may be. */
static void put_covered(const search_task* t, const penetration* d, const wit_pose* frame, wit_closest* out)
{
    put_pair(out, frame, &d->a, &d->b, d->normal);
    out->distance = -d->depth;
    out->lower_bound = -d->upper;
    out->upper_bound = -d->lower;
    out->model_tolerance = model_tolerance(t);
    double width = d->upper - d->lower;
    out->certified = width <= 8 * t->floor || task_certifies(t, width, 0, out->model_tolerance);
}

void wi_overlap_answer(const search_task* t, double off, const penetration* deep, const wit_pose* frame,
                       wit_closest* out)
{
    out->distance = out->lower_bound = 0;
    out->upper_bound = off;
    out->certified = true;
    if (!has_inside(&t->a) || !has_inside(&t->b)) return; /* sheets that cross, features of masks: no depth */
    out->lower_bound = -INFINITY;
    out->certified = false;
    if (t->a.body->unbounded && t->b.body->unbounded) wi_half_space_overlap(t, frame, out);
    if (!have_depth(t)) return;
    double tolerance = task_tolerance(t, 0), exceed = hulls_exceed(t);
    bool convex = look_convex(t);
    if (deep && deep->by_centre) exceed = 0, convex = true;
    if (!(exceed <= tolerance)) out->reason = WIT_REASON_PREMISE;
    penetration d;
    if (!convex && !t->in_step) {
        cover_end end = wi_cover_depth(t, tolerance, t->work, &d);
        if (end == COVER_FOUND) put_covered(t, &d, frame, out);
        if (end == COVER_SPENT) out->reason = WIT_REASON_BUDGET; /* a common point stands */
        if (end == COVER_FOUND || end == COVER_SPENT) return;
    }
    if (!convex && !t->in_step) tolerance = larger(tolerance, HULL_TOLERANCE * t->size);
    if (deep)
        d = *deep;
    else if (!wi_penetration_search(t, exceed, tolerance, t->work, &d) || d.apart)
        return;
    if (convex)
        put_depth(t, &d, exceed, frame, out);
    else
        put_contact(t, &d, frame, out);
    /* what is proved of the hulls may do, whatever the solids are */
    if (task_certifies(t, out->upper_bound - out->lower_bound, 0, 0)) out->certified = true;
}
