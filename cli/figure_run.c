/* SPDX-License-Identifier: MIT */
/* Runs that are kept frame by frame, and the stages and charts made from them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/error.h"
#include "command.h"
#include "figure.h"
#include "lab_law.h"

/* ---- runs -------------------------------------------------------------------------------------------------------- */

static wit_status scene_motion(const void* of, int side, double time, wit_motion* motion)
{
    return wit_scene_motion(of, side, time, motion);
}

static bool keep_frame(void* user, const track_task* task, double time, const wit_result* result)
{
    figure_run* run = user;
    if (run->count >= run->room) return false;
    int64_t k = run->count++;
    run->r[k] = *result;
    run->t[k] = time;
    for (int i = 0; i < 2; i++) {
        wit_motion m;
        run->pose[i][k] = task->motion(task->context, i, time, &m) ? wit_pose_identity() : m.pose;
    }
    return true;
}

static int find_name(const char* name, law_name_function* of, int count)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(name, of(i))) return i;
    return -1;
}

static void apply(track_task* task, const figure_change* change)
{
    if (change->law) {
        task->law.kind = (wit_law_kind)find_name(change->law, law_name, WIT_LAW_COUNT);
        law_settle_def(&task->def, &task->law);
    }
    if (change->integrator)
        task->law.integrator = (wit_integrator)find_name(change->integrator, integrator_name, WIT_INTEGRATOR_COUNT);
    if (change->gain > 0) task->law.gain = (wit_gain){.kind = WIT_GAIN_SCALAR, .value = change->gain};
    if (change->feedback) task->law.feedback = change->feedback;
    if (change->duration > 0) task->frames = (int64_t)floor(change->duration * task->rate + 0.5);
}

wit_status figure_run_scene(figure_run* run, const char* name, const figure_change* change, wit_error* error)
{
    char path[512];
    memset(run, 0, sizeof *run);
    if (!command_find_file("scenes", name, path, sizeof path))
        return wi_error_fill(error, WIT_ERROR_FILE, name,
                             "scenes/%s is not here: run it at the root of the source tree", name);
    run->scene = wit_scene_read_file(path, NULL, NULL, NULL, error);
    if (!run->scene) return error->status ? error->status : WIT_ERROR_MEMORY;
    track_task* task = &run->task;
    track_task_of_scene(task, run->scene, name);
    task->motion = scene_motion;
    task->context = run->scene;
    if (change) apply(task, change);
    if (change && change->world) {
        task->world = track_world_make(run->scene, task, true, error);
        if (!task->world) return error->status ? error->status : WIT_ERROR_MEMORY;
        task->motion = track_world_motion;
        task->context = task->world;
    }
    run->room = task->frames + 1;
    size_t n = (size_t)run->room;
    run->r = calloc(n, sizeof *run->r);
    run->t = calloc(n, sizeof *run->t);
    for (int i = 0; i < 2; i++) run->pose[i] = calloc(n, sizeof *run->pose[i]);
    if (!run->r || !run->t || !run->pose[0] || !run->pose[1])
        return wi_error_fill(error, WIT_ERROR_MEMORY, name, "no memory for the frames");
    return track_run(task, &run->sum, &run->series, keep_frame, run, error);
}

void figure_run_release(figure_run* run)
{
    track_world_release(run->task.world);
    track_sum_release(&run->sum);
    track_series_release(&run->series);
    free(run->r);
    free(run->t);
    for (int i = 0; i < 2; i++) free(run->pose[i]);
    wit_scene_destroy(run->scene);
    memset(run, 0, sizeof *run);
}

int64_t figure_frame(const figure_run* run, double time)
{
    int64_t k = (int64_t)floor(time * run->task.rate + 0.5);
    return k < 0 ? 0 : k < run->count ? k : run->count - 1;
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

void stage_body(figure_stage* s, const wit_body* body, const wit_pose* pose, bool second)
{
    if (s->count == STAGE_BODIES) return;
    s->bodies[s->count] = body;
    s->poses[s->count] = pose ? *pose : wit_pose_identity();
    s->second[s->count++] = second;
}

wit_vec3* stage_way(figure_stage* s, int count, stroke style)
{
    wit_vec3* p = s->way_count < STAGE_WAYS ? calloc((size_t)count, sizeof *p) : NULL;
    if (p)
        s->ways[s->way_count++] = (scene_way){p, count, style, NULL};
    else
        s->failed = true;
    return p;
}

void stage_line(figure_stage* s, wit_vec3 from, wit_vec3 to, stroke style)
{
    wit_vec3* p = stage_way(s, 2, style);
    if (!p) return;
    p[0] = from;
    p[1] = to;
}

void stage_arrow(figure_stage* s, wit_vec3 from, wit_vec3 along, double head)
{
    wit_vec3 tip = add3(from, along), back = scale3(-head, unit3(along)), side, other;
    complete3(unit3(along), &side, &other);
    stage_line(s, from, tip, STROKE_VECTOR);
    for (int k = -1; k <= 1; k += 2)
        stage_line(s, tip, addscaled3(add3(tip, back), 0.4 * k * head, side), STROKE_VECTOR);
}

void stage_mark(figure_stage* s, wit_vec3 at, const char* text, bool star)
{
    if (s->mark_count == STAGE_MARKS) return;
    char* to = s->labels[s->mark_count];
    snprintf(to, sizeof s->labels[0], "%s", text);
    s->marks[s->mark_count++] = (scene_mark){at, to, star, false};
}

void stage_name(figure_stage* s, wit_vec3 at, const char* text)
{
    int before = s->mark_count;
    stage_mark(s, at, text, false);
    if (s->mark_count > before) s->marks[before].bare = true;
}

/* Between two frames the witness goes over its face: a chord would run below it. k + q, q from 0 to 1. */
static wit_vec3 foot_between(const figure_run* run, int64_t from, int64_t to, double q)
{
    const wit_witness *a = &run->r[from].a, *b = &run->r[to].a;
    wit_vec3 chord = addscaled3(scale3(1 - q, a->point), q, b->point);
    if (a->feature != WIT_FACE || b->feature != WIT_FACE || a->id != b->id) return chord;
    wit_face_info f = wit_body_face(run->task.body[0], a->id);
    if (fabs(a->u - b->u) > 0.5 * (f.u.hi - f.u.lo) || fabs(a->v - b->v) > 0.5 * (f.v.hi - f.v.lo)) return chord;
    wit_surface_jet j;
    wit_surface_eval(f.surface, a->u + q * (b->u - a->u), a->v + q * (b->v - a->v), 0, NULL, &j);
    return wit_pose_point(&run->pose[0][to], j.p);
}

void stage_trails(figure_stage* s, const figure_run* run, int64_t every)
{
    enum { MOST = 600, FINE = 8 };
    int64_t stride = run->count / MOST + 1;
    int n = (int)((run->count + stride - 1) / stride);
    bool moves = false;
    for (int64_t k = 1; k < run->count; k++) moves = moves || norm3(sub3(run->r[k].b.point, run->r[0].b.point)) > 0;
    wit_vec3* of_b = run->task.body[1] || !moves ? NULL : stage_way(s, n, STROKE_WAY);
    for (int i = 0; of_b && i < n; i++) of_b[i] = run->r[i * stride].b.point;
    /* the witness jumps from feature to feature: a line for each run without a jump */
    for (int64_t k = 0; k < run->count;) {
        int64_t end = k + 1;
        while (end < run->count && !(run->r[end].flags & (WIT_FLAG_JUMPED | WIT_FLAG_REACQUIRED))) end++;
        int m = (int)((end - k + stride - 1) / stride);
        wit_vec3* of_a = m > 1 ? stage_way(s, FINE * (m - 1) + 1, STROKE_FOOT) : NULL;
        for (int i = 0; of_a && i < m - 1; i++)
            for (int j = 0; j < FINE; j++)
                of_a[FINE * i + j] = foot_between(run, k + i * stride, k + (i + 1) * stride, (double)j / FINE);
        if (of_a) of_a[FINE * (m - 1)] = run->r[k + (m - 1) * stride].a.point;
        k = end;
    }
    for (int64_t k = 0; k < run->count && every > 0; k += every)
        stage_line(s, run->r[k].a.point, run->r[k].b.point, STROKE_GAP);
}

wit_status stage_draw(figure_stage* s, out* o, const char* title, const char* head, const char* unit)
{
    draw_stage d = {.bodies = s->bodies,
                    .poses = s->poses,
                    .second = s->second,
                    .count = s->count,
                    .ways = s->ways,
                    .way_count = s->way_count,
                    .marks = s->marks,
                    .mark_count = s->mark_count,
                    .toward = s->toward,
                    .named = s->named,
                    .room = s->room,
                    .room_count = s->room_count,
                    .title = title,
                    .head = head,
                    .unit = unit};
    wit_status status = s->failed ? WIT_ERROR_MEMORY : draw_stage_svg(o, &d);
    for (int i = 0; i < s->way_count; i++) free((void*)s->ways[i].p);
    return status;
}

/* ---- charts ------------------------------------------------------------------------------------------------------ */

int figure_bands(const figure_run* run, plot_band bands[FIGURE_BANDS], char text[FIGURE_BANDS][24])
{
    char last[24] = "";
    int n = 0;
    for (int64_t k = 0; k < run->count && n < FIGURE_BANDS; k++) {
        const wit_result* r = &run->r[k];
        char name[12], now[24];
        track_feature(run->task.body[0], r->a.feature, r->a.id, name, sizeof name);
        snprintf(now, sizeof now, "%s%s", name, r->held & 1 ? ": u held" : r->held & 2 ? ": v held" : "");
        if (n) bands[n - 1].to = run->t[k];
        if (!strcmp(now, last)) continue;
        snprintf(last, sizeof last, "%s", now);
        snprintf(text[n], sizeof text[n], "%s", now);
        int color = 0;
        while (color < n && strcmp(text[color], now) != 0) color++;
        bands[n] = (plot_band){run->t[k], run->t[k], color, text[n]};
        n++;
    }
    return n;
}

/* Parameters over the range of their feature, so that all of them run from 0 to 1. */
static double* normalised(const figure_run* run, int index)
{
    double* y = malloc((size_t)run->count * sizeof *y);
    for (int64_t k = 0; y && k < run->count; k++) {
        const wit_witness* w = index < 2 ? &run->r[k].a : &run->r[k].b;
        const wit_body* body = run->task.body[index / 2];
        double x = run->series.x[index][k];
        wit_interval range = {0, 1};
        if (body && w->feature == WIT_FACE)
            range = index % 2 ? wit_body_face(body, w->id).v : wit_body_face(body, w->id).u;
        if (body && w->feature == WIT_EDGE) range = wit_body_edge(body, w->id).range;
        y[k] = (x - range.lo) / (range.hi - range.lo);
    }
    return y;
}

wit_status figure_chart(out* o, const figure_run* run, int what, const char* title, const char* head)
{
    static const char* const names[] = {"u", "v", "r", "s"};
    static const char* const errors[] = {"Psi_u", "Psi_v", "Psi_r", "Psi_s"};
    const track_series* s = &run->series;
    plot_series distance = {"|dR|", s->distance, 0, false, NULL, false}, parameter[4], error[4];
    double *x[4] = {0}, *signed_error[4] = {0};
    int used = 0, errors_used = 0;
    for (int i = 0; i < 4; i++) {
        bool there = i / 2 ? run->task.body[1] != NULL : true;
        bool any = false;
        for (int64_t k = 0; k < run->count; k++) any = any || isfinite(s->x[i][k]);
        if (!there || !any) continue;
        x[i] = normalised(run, i);
        signed_error[i] = calloc((size_t)run->count, sizeof(double));
        if (!x[i] || !signed_error[i]) continue;
        for (int64_t k = 0; k < run->count; k++) {
            const wit_result* r = &run->r[k];
            int at = i < 2 ? i : r->count_a + i - 2, count = i < 2 ? r->count_a : r->count - r->count_a;
            signed_error[i][k] = i % 2 < count ? r->error[at] : NAN;
        }
        parameter[used++] = (plot_series){names[i], x[i], i, false, s->broken[i / 2], false};
        const double* y = what & CHART_SIGNED_ERRORS ? signed_error[i] : s->e[i];
        error[errors_used++] = (plot_series){errors[i], y, i, false, s->broken[i / 2], false};
    }
    char unit[48];
    snprintf(unit, sizeof unit, "distance%s%s%s", run->task.unit[0] ? " (" : "", run->task.unit,
             run->task.unit[0] ? ")" : "");
    plot_chart charts[3];
    int n = 0;
    if (what & CHART_PARAMETERS) charts[n++] = (plot_chart){"parameters, of their range", false, parameter, used};
    if (what & (CHART_ERRORS | CHART_SIGNED_ERRORS))
        charts[n++] = (plot_chart){"normalised projection errors", !(what & CHART_SIGNED_ERRORS), error, errors_used};
    if (what & CHART_DISTANCE) charts[n++] = (plot_chart){unit, false, &distance, 1};
    static char texts[FIGURE_BANDS][24];
    plot_band bands[FIGURE_BANDS];
    int band_count = figure_bands(run, bands, texts);
    if (band_count < 2) band_count = 0;
    plot_page page = {title, head, "time (s)", s->t, s->count, charts, n, NULL, 0, bands, band_count};
    wit_status status = plot_svg(o, &page);
    for (int i = 0; i < 4; i++) {
        free(x[i]);
        free(signed_error[i]);
    }
    return status;
}
