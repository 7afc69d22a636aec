/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/error.h"
#include "progress.h"
#include "track.h"

double track_time(const track_task* task, int64_t frame)
{
    return (double)frame / task->rate;
}

void track_task_of_scene(track_task* task, const wit_scene* scene, const char* path)
{
    memset(task, 0, sizeof *task);
    task->name = wit_scene_name(scene);
    if (!task->name[0]) {
        const char* slash = strrchr(path, '/');
        task->name = slash ? slash + 1 : path;
    }
    for (int i = 0; i < 2; i++) {
        task->body[i] = wit_scene_body(scene, i);
        task->side[i] = wit_scene_side_name(scene, i);
    }
    wit_unit unit = wit_scene_unit(scene);
    task->unit = unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
    task->rate = wit_scene_rate(scene);
    task->frames = wit_scene_frames(scene);
    task->def = wit_scene_track_def(scene);
    task->law = wit_scene_law_def(scene);
    task->placed = wit_scene_start(scene, &task->start[0], &task->start[1]);
}

wit_status track_scene_motion(const void* scene, int side, double time, wit_motion* motion)
{
    return wit_scene_motion(scene, side, time, motion);
}

wit_status track_scene_bounds(const void* scene, int side, double from, double to, wit_motion_bounds* bounds)
{
    return wit_scene_motion_bounds(scene, side, from, to, bounds);
}

int64_t track_flagged(const track_sum* sum, wit_flag flag)
{
    for (int i = 0; i < WIT_FLAG_COUNT; i++) {
        if (1u << i == (unsigned)flag) return sum->flags[i];
    }
    return 0;
}

void track_feature(const wit_body* body, wit_feature_kind kind, int id, char* to, size_t room)
{
    const char* name = "";
    if (body && kind == WIT_FACE) name = wit_body_face(body, id).name;
    if (body && kind == WIT_EDGE) name = wit_body_edge(body, id).name;
    if (body && kind == WIT_VERTEX) name = wit_body_vertex(body, id).name;
    if (name[0])
        snprintf(to, room, "%s", name);
    else if (id >= 0)
        snprintf(to, room, "%s %d", wit_feature_kind_name(kind), id);
    else
        snprintf(to, room, "%s", wit_feature_kind_name(kind));
}

void track_mode(const wit_result* r, char* to, size_t room)
{
    unsigned of_a = (1u << r->count_a) - 1;
    snprintf(to, room, "%s%s-%s%s", wit_feature_kind_name(r->a.feature), r->held & of_a ? "*" : "",
             wit_feature_kind_name(r->b.feature), r->held & ~of_a ? "*" : "");
}

void track_outcome(const wit_result* r, char* to, size_t room)
{
    size_t k = (size_t)snprintf(to, room, "%s", wit_outcome_name(r->outcome));
    for (int i = 0; i < WIT_FLAG_COUNT && k < room; i++) {
        if (r->flags & (1u << i)) k += (size_t)snprintf(to + k, room - k, "+%s", wit_flag_name(1u << i));
    }
}

/* ---- what is kept ------------------------------------------------------------------------------------------------ */

void track_sum_release(track_sum* sum)
{
    free(sum->transitions);
    free(sum->work_of);
    memset(sum, 0, sizeof *sum);
}

void track_series_release(track_series* s)
{
    free(s->t); /* one block */
    free(s->broken[0]);
    memset(s, 0, sizeof *s);
}

enum { COLUMNS = 3 + 2 * WIT_MAX_PARAMETERS };

static bool series_room(track_series* s, int64_t frames)
{
    memset(s, 0, sizeof *s);
    if (frames > INT64_MAX / 16 / (int64_t)(COLUMNS * sizeof(double))) return false;
    size_t n = (size_t)frames;
    s->t = malloc(COLUMNS * n * sizeof(double));
    s->broken[0] = malloc(2 * n);
    if (!s->t || !s->broken[0]) {
        track_series_release(s);
        return false;
    }
    s->distance = s->t + n;
    s->lower = s->t + 2 * n;
    for (size_t i = 0; i < WIT_MAX_PARAMETERS; i++) {
        s->x[i] = s->t + (3 + i) * n;
        s->e[i] = s->t + (3 + WIT_MAX_PARAMETERS + i) * n;
    }
    s->broken[1] = s->broken[0] + n;
    s->room = frames;
    return true;
}

static void series_add(track_series* s, double time, const wit_result* r, const wit_result* before)
{
    if (s->count >= s->room) return;
    int64_t k = s->count++;
    s->t[k] = time;
    s->distance[k] = r->distance;
    s->lower[k] = isfinite(r->lower_bound) ? r->lower_bound : NAN;
    const double value[WIT_MAX_PARAMETERS] = {r->a.u, r->a.v, r->b.u, r->b.v};
    int count[2] = {r->count_a, r->count - r->count_a};
    for (int i = 0; i < WIT_MAX_PARAMETERS; i++) {
        bool there = i % 2 < count[i / 2];
        int at = i < 2 ? i : r->count_a + i - 2;
        s->x[i][k] = there ? value[i] : NAN;
        s->e[i][k] = there ? fabs(r->error[at]) : NAN;
    }
    const wit_witness *now[2] = {&r->a, &r->b}, *then[2] = {&before->a, &before->b};
    for (int i = 0; i < 2; i++)
        s->broken[i][k] = k > 0 && (now[i]->feature != then[i]->feature || now[i]->id != then[i]->id);
}

static void sum_add(track_sum* s, const wit_tracker* tracker, const track_task* task, double time, const wit_result* r)
{
    bool first = s->frames++ == 0;
    /* bodies in each other whose depth was not found: the distance is that of the last pair, moved along */
    bool inside = (r->flags & WIT_FLAG_OVERLAPPING) || (r->distance < 0 && r->b.feature != WIT_POINT);
    bool unknown = inside && r->outcome != WIT_OUTCOME_CONVERGED;
    bool known = !unknown && !(r->flags & WIT_FLAG_BEYOND);
    s->unknown += unknown;
    if (known && (s->least > r->distance || !isfinite(s->least))) {
        s->least = r->distance;
        s->least_at = time;
        s->least_pair[0] = r->a;
        s->least_pair[1] = r->b;
    }
    if (known && (s->largest < r->distance || !isfinite(s->largest))) {
        s->largest = r->distance;
        s->largest_at = time;
    }
    if (!s->touched && (r->flags & (WIT_FLAG_TOUCHING | WIT_FLAG_OVERLAPPING) || (known && r->distance <= 0))) {
        s->touched = true;
        s->touched_at = time;
    }
    s->switches += r->switches;
    s->ended[r->outcome]++;
    for (int i = 0; i < WIT_FLAG_COUNT; i++) s->flags[i] += (r->flags >> i) & 1;
    s->reasons[r->reason]++;
    s->model_tolerance = fmax(s->model_tolerance, r->model_tolerance);
    s->work += (double)r->work.units;
    if (first || r->work.units > s->work_worst) {
        s->work_worst = r->work.units;
        s->work_worst_at = time;
    }
    if (first || r->residual > s->residual) {
        s->residual = r->residual;
        s->residual_at = time;
    }
    if (r->flags & WIT_FLAG_CERTIFIED) s->bracket = fmax(s->bracket, r->distance - r->lower_bound);
    s->drift = fmax(s->drift, r->drift);
    s->iterations += r->iterations;
    if (r->iterations > s->iterations_most) s->iterations_most = r->iterations;
    if (task->law.kind == WIT_LAW_FINDMIN) {
        wit_findmin_work w = wit_tracker_findmin_work(tracker);
        s->findmin_iterations += w.iterations;
        s->findmin_pairs += w.pairs;
        s->findmin_saddles += w.saddles;
        if (w.most > s->findmin_most) s->findmin_most = w.most;
    }
}

typedef struct runner {
    const track_task* task;
    wit_tracker* owned; /* null with a world */
    const wit_tracker* tracker;
    track_sum* sum;
    track_series* series;
    track_sink* sink;
    void* user;
} runner;

static bool sum_work(track_sum* s, const wit_result* r)
{
    if (s->frames > s->work_room) {
        int64_t room = 2 * s->frames + 1024;
        int64_t* grown = realloc(s->work_of, (size_t)room * sizeof *grown);
        if (!grown) return false;
        s->work_of = grown;
        s->work_room = room;
    }
    s->work_of[s->frames - 1] = r->work.units;
    return true;
}

static int compare_work(const void* a, const void* b)
{
    int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

/* The least that so many frames of a thousand do not exceed. */
static int64_t work_within(const track_sum* s, int64_t of_thousand)
{
    return s->work_of[(s->frames * of_thousand + 999) / 1000 - 1];
}

static void sum_end(track_sum* s)
{
    if (!s->frames) return;
    qsort(s->work_of, (size_t)s->frames, sizeof *s->work_of, compare_work);
    s->work_median = work_within(s, 500);
    s->work_999 = work_within(s, 999);
}

/* Fetches the hand-overs of this frame. The tracker's clock is at `clock` when the frame is at `time`. */
static bool sum_transitions(track_sum* s, const runner* x, double time, double clock)
{
    const track_world* world = x->task->world;
    int64_t all = world ? track_world_transitions(world, NULL, 0) : wit_tracker_transitions(x->tracker, NULL, 0);
    if (all <= s->transition_count) return true;
    int64_t more = all - s->transition_count;
    if (all > s->transition_room) {
        int64_t room = 2 * all + 64;
        wit_transition* grown = realloc(s->transitions, (size_t)room * sizeof *grown);
        if (!grown) return false;
        s->transitions = grown;
        s->transition_room = room;
    }
    wit_transition* at = s->transitions + s->transition_count;
    memset(at, 0, (size_t)more * sizeof *at);
    int most = more > INT32_MAX ? INT32_MAX : (int)more;
    if (world) {
        track_world_transitions(world, at, most);
    } else {
        wit_tracker_transitions(x->tracker, at, most);
        for (int64_t i = 0; i < more; i++) at[i].time = time - (clock - at[i].time);
    }
    s->transition_count = all;
    return true;
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

static wit_status step_pair(runner* x, double time, double dt, wit_result* result, wit_error* error)
{
    const track_task* task = x->task;
    wit_motion motion[2];
    wit_status status = WIT_OK;
    for (int i = 0; i < 2 && !status; i++) status = task->motion(task->context, i, time, &motion[i]);
    if (!status) status = wit_tracker_step(x->owned, &motion[0], &motion[1], dt, result);
    return status ? wi_error_fill(error, status, "", "at %.6g s: %s", time, wit_status_text(status)) : WIT_OK;
}

static wit_status run_frames(runner* x, wit_error* error)
{
    const track_task* task = x->task;
    wit_result result = {0}, before = {0};
    wit_status status = WIT_OK;
    progress bar = progress_begin();
    double dt = 1 / task->rate, clock = 0;
    for (int64_t k = task->world ? 1 : 0; k <= task->frames && !status; k++) {
        double time = track_time(task, k);
        status =
            task->world ? track_world_step(task->world, k, dt, &result, error) : step_pair(x, time, dt, &result, error);
        if (status) break;
        clock += dt;
        if (task->between) status = track_between_frame(task->between, task, time, &result);
        if (status) {
            wi_error_fill(error, status, "", "before %.6g s: %s", time, wit_status_text(status));
            break;
        }
        sum_add(x->sum, x->tracker, task, time, &result);
        if (!sum_transitions(x->sum, x, time, clock) || !sum_work(x->sum, &result))
            status = wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for the figures of the frames");
        if (x->series) series_add(x->series, time, &result, &before);
        before = result;
        if (x->sink && !x->sink(x->user, task, time, &result)) break;
        if (k % 64 == 0) progress_step(&bar, (long)k, "frames", (double)k / ((double)task->frames + 1));
    }
    progress_end(&bar);
    if (!status) sum_end(x->sum);
    return status;
}

wit_status track_run(const track_task* task, track_sum* sum, track_series* series, track_sink* sink, void* user,
                     wit_error* error)
{
    memset(sum, 0, sizeof *sum);
    sum->least = INFINITY;
    sum->largest = -INFINITY;
    if (series && !series_room(series, task->frames + 1))
        return wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for the charts: fewer frames, or no pictures");
    if (task->world) {
        runner of_world = {task, NULL, track_world_tracker(task->world), sum, series, sink, user};
        return run_frames(&of_world, error);
    }
    wit_track_def def = task->def;
    def.law = &task->law;
    wit_tracker* tracker = wit_tracker_create(task->body[0], task->body[1], &def, NULL, error);
    if (!tracker) return error->status ? error->status : WIT_ERROR_MEMORY;
    wit_status status = WIT_OK;
    if (task->placed) {
        status = wit_tracker_place(tracker, &task->start[0], task->body[1] ? &task->start[1] : NULL);
        if (status)
            wi_error_fill(error, status, "start", "the tracker does not start there: %s", wit_status_text(status));
    }
    runner x = {task, tracker, tracker, sum, series, sink, user};
    if (!status) status = run_frames(&x, error);
    wit_tracker_destroy(tracker);
    return status;
}
