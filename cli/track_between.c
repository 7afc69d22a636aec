/* SPDX-License-Identifier: MIT */
/*
 * What happens between the frames of a run: by the lower bounds of the two frames where these exceed the motion between them, else
 * by a sweep (witness/sweep.h), within a budget. Where the motion is known beyond the frame, a sweep goes on over many frames at
 * once: that takes little more than one gap.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/error.h"
#include "track.h"

enum { SWEEP_UNITS = 2000000, AHEAD = 256 }; /* of one sweep at most; frames */

struct track_between {
    wit_query* query;
    int64_t units; /* left */
    bool begun;
    double time;       /* of the last frame */
    wit_result result; /* there */
    wit_motion motion[2];
    wit_impact swept; /* the last sweep, from before this frame on */
    double until;     /* it has proved all until then */
    track_gap gap;
    track_gaps sum;
};

/* One side of the task, for the sweep. */
typedef struct gap_side {
    const track_task* task;
    int side;
} gap_side;

track_between* track_between_make(int64_t units, wit_error* error)
{
    track_between* b = calloc(1, sizeof *b);
    wit_query_def def = wit_query_default_def();
    def.capacity = 1 << 13;
    if (b) b->query = wit_query_create(&def, NULL, error);
    if (!b || !b->query) {
        free(b);
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory to look between frames");
        return NULL;
    }
    b->units = units;
    b->sum.touch.lo = b->sum.touch.hi = NAN;
    return b;
}

void track_between_release(track_between* b)
{
    if (b) wit_query_destroy(b->query);
    free(b);
}

const track_gaps* track_between_sum(const track_between* b)
{
    return &b->sum;
}

track_gap track_between_last(const track_between* b)
{
    return b->gap;
}

const char* track_gap_name(track_gap gap)
{
    static const char* const names[TRACK_GAPS] = {"", "clear", "touch", "inside", "open"};
    return (unsigned)gap < TRACK_GAPS ? names[gap] : "?";
}

static wit_status side_at(const void* user, double time, wit_motion* motion)
{
    const gap_side* s = user;
    return s->task->motion(s->task->context, s->side, time, motion);
}

static wit_status side_bounds(const void* user, double from, double to, wit_motion_bounds* bounds)
{
    const gap_side* s = user;
    return s->task->bounds(s->task->context, s->side, from, to, bounds);
}

static wit_moving_body moving_side(const track_task* task, const track_between* b, int i, double time,
                                   const wit_motion* now, gap_side* own)
{
    if (!task->bounds) return wit_moving_between(task->body[i], b->time, &b->motion[i].pose, time, &now->pose);
    wit_moving_body m = wit_moving_still(task->body[i], now->pose);
    *own = (gap_side){task, i};
    m.at = side_at;
    m.bounds = side_bounds;
    m.user = own;
    return m;
}

static bool apart(const wit_result* r)
{
    return !(r->flags & (WIT_FLAG_TOUCHING | WIT_FLAG_OVERLAPPING)) && r->distance > 0;
}

/* The bound of a frame, where the sweep's distance has no sign or is never below touch. */
static double bound_of(const track_task* task, const wit_result* r)
{
    bool sheet = !task->body[1] && wit_body_describe(task->body[0]).kind == WIT_BODY_SHEET;
    return sheet && r->distance < 0 ? -INFINITY : r->lower_bound;
}

/* The sweep from the last frame to `to`. */
static wit_status sweep_gap(track_between* b, const track_task* task, const wit_motion now[2], double to, int64_t units,
                            const double lower[2])
{
    gap_side own[2];
    wit_sweep_def d = wit_sweep_default_def();
    d.a = moving_side(task, b, 0, to, &now[0], &own[0]);
    d.b = moving_side(task, b, 1, to, &now[1], &own[1]);
    d.from = b->time;
    d.to = to;
    d.lower_from = lower[0];
    d.lower_to = lower[1];
    d.budget = units < 64 ? 64 : units;
    wit_status status = wit_sweep_first(b->query, &d, &b->swept, NULL);
    if (status) return status;
    b->units -= b->swept.work.units;
    b->sum.work += (double)b->swept.work.units;
    b->sum.queries += (double)b->swept.queries;
    b->until = b->swept.outcome == WIT_SWEEP_CLEAR ? to : b->swept.time.lo;
    return WIT_OK;
}

/* What the last sweep says of the time until this frame. */
static track_gap gap_of(const track_between* b, double time)
{
    bool met = b->swept.outcome == WIT_SWEEP_REACHED || b->swept.outcome == WIT_SWEEP_TOUCHING;
    if (met && b->swept.time.hi <= time) return TRACK_GAP_TOUCH;
    return b->until >= time ? TRACK_GAP_CLEAR : TRACK_GAP_OPEN;
}

static wit_status look_between(track_between* b, const track_task* task, double time, const wit_motion now[2],
                               const wit_result* r)
{
    const double lower[2] = {bound_of(task, &b->result), bound_of(task, r)}, nothing[2] = {-INFINITY, -INFINITY};
    wit_status status = WIT_OK;
    if (b->until >= time) {
        b->gap = TRACK_GAP_CLEAR;
        return WIT_OK;
    }
    /* the frames alone, first */
    if (lower[0] > 0 && lower[1] > 0) status = sweep_gap(b, task, now, time, 0, lower);
    b->gap = lower[0] > 0 && lower[1] > 0 ? gap_of(b, time) : TRACK_GAP_OPEN;
    if (status || b->gap == TRACK_GAP_CLEAR || b->units < 64) return status;
    double end = track_time(task, task->frames), far = time + AHEAD / task->rate;
    double to = !task->bounds ? time : far < end ? far : end > time ? end : time;
    status = sweep_gap(b, task, now, to, b->units < SWEEP_UNITS ? b->units : SWEEP_UNITS, nothing);
    if (!status) b->gap = gap_of(b, time);
    /* less at once may be told where more was not */
    if (!status && b->gap == TRACK_GAP_OPEN && to > time && b->units >= 64) {
        status = sweep_gap(b, task, now, time, b->units < SWEEP_UNITS ? b->units : SWEEP_UNITS, nothing);
        if (!status) b->gap = gap_of(b, time);
    }
    return status;
}

/* The first that was met. */
static void take_touch(track_between* b)
{
    if (b->gap != TRACK_GAP_TOUCH || !isnan(b->sum.touch.hi)) return;
    b->sum.touch = b->swept.time;
    b->sum.touch_outcome = b->swept.outcome;
    b->sum.touch_certified = b->swept.certified;
    b->sum.touch_proved = b->sum.count[TRACK_GAP_OPEN] == 0;
}

wit_status track_between_frame(track_between* b, const track_task* task, double time, const wit_result* r)
{
    wit_motion now[2];
    wit_status status = WIT_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = task->world ? track_world_now(task->world, i, &now[i]) : task->motion(task->context, i, time, &now[i]);
    b->gap = TRACK_GAP_NONE;
    if (!b->begun) b->until = time;
    if (!status && b->begun) {
        if (b->until < time && !apart(&b->result))
            b->gap = TRACK_GAP_INSIDE;
        else
            status = look_between(b, task, time, now, r);
        if (status == WIT_ERROR_UNSUPPORTED) { /* two bodies without end */
            status = WIT_OK;
            b->gap = TRACK_GAP_OPEN;
        }
        take_touch(b);
    }
    b->sum.count[b->gap]++;
    b->begun = true;
    b->time = time;
    b->result = *r;
    memcpy(b->motion, now, sizeof now);
    return status;
}
