/* SPDX-License-Identifier: MIT */
/* Bodies in the world: one frame, and the trails of a run. */
#include <stdlib.h>

#include "draw.h"
#include "draw_body.h"
#include "track.h"

/* Beyond so many features names cover the picture. */
enum { NAMES_MOST = 60, TRAIL_POINTS = 800 };

static bool few_features(const track_task* task)
{
    int n = 0;
    for (int i = 0; i < 2 && task->body[i]; i++) {
        wit_body_info info = wit_body_describe(task->body[i]);
        n += (info.planar ? 0 : info.face_count) + info.edge_count + info.vertex_count;
    }
    return n <= NAMES_MOST;
}

wit_status track_snapshot(out* o, const track_task* task, const track_view* seen, double time, const wit_result* r)
{
    static const int second[2] = {0, 1};
    wit_pose poses[2];
    for (int i = 0; i < 2; i++) {
        wit_motion motion;
        wit_status status = task->motion(task->context, i, time, &motion);
        if (status) return status;
        poses[i] = motion.pose;
    }
    char title[160], head[320], a[64], b[64];
    track_feature(task->body[0], r->a.feature, r->a.id, a, sizeof a);
    track_feature(task->body[1], r->b.feature, r->b.id, b, sizeof b);
    snprintf(title, sizeof title, "%s at %.6g s", task->name, time);
    if (task->body[1])
        snprintf(head, sizeof head, "distance %.9g%s%s: %s of %s, %s of %s", r->distance, task->unit[0] ? " " : "",
                 task->unit, a, task->side[0], b, task->side[1]);
    else
        snprintf(head, sizeof head, "distance %.9g%s%s: %s of %s, %s", r->distance, task->unit[0] ? " " : "",
                 task->unit, a, task->side[0], task->side[1]);
    const wit_vec3 pair[2] = {r->a.point, r->b.point};
    const scene_way way = {pair, 2, STROKE_PAIR, NULL};
    const scene_mark marks[2] = {{pair[0], few_features(task) ? a : "", false, false},
                                 {pair[1],
                                  few_features(task) && task->body[1] ? b
                                  : task->body[1]                     ? ""
                                                                      : task->side[1],
                                  false, false}};
    draw_stage stage = {.bodies = task->body, .poses = poses, .second = second, .count = task->body[1] ? 2 : 1};
    stage.ways = &way;
    stage.way_count = 1;
    stage.marks = marks;
    stage.mark_count = 2;
    stage.toward = seen->camera;
    stage.zoom = seen->zoom;
    stage.middle = scale3(0.5, add3(pair[0], pair[1]));
    stage.title = title;
    stage.head = head;
    stage.unit = task->unit;
    return draw_stage_svg(o, &stage);
}

/* The path of a point of both results, thinned. */
static int trail(const wit_result* r, int64_t count, bool of_b, wit_vec3* to)
{
    int64_t stride = count / TRAIL_POINTS + 1;
    int n = 0;
    for (int64_t k = 0; k < count; k += stride) to[n++] = of_b ? r[k].b.point : r[k].a.point;
    return n;
}

wit_status track_trails(out* o, const track_task* task, const track_view* seen, const wit_result* r, int64_t count)
{
    enum { GAPS = 60, FRAMES = 5 };
    static wit_vec3 points[2][TRAIL_POINTS + 2], gap[GAPS + 2][2];
    static scene_way ways[GAPS + 8];
    const wit_body* bodies[FRAMES + 1];
    wit_pose poses[FRAMES + 1];
    int second[FRAMES + 1] = {0}, n = 0, placed = 0, frames = task->body[1] ? FRAMES : 1;
    for (int i = 0; i < frames + (task->body[1] ? 1 : 0); i++) {
        int side = i > 0;
        int64_t k = i < 2 ? 0 : (count - 1) * (i - 1) / (FRAMES - 1);
        wit_motion m;
        wit_status status = task->motion(task->context, side, track_time(task, k), &m);
        if (status) return status;
        bodies[placed] = task->body[side];
        poses[placed] = m.pose;
        second[placed++] = side;
    }
    for (int side = 0; side < 2; side++)
        ways[n++] =
            (scene_way){points[side], trail(r, count, side, points[side]), side ? STROKE_WAY : STROKE_FOOT, NULL};
    int64_t every = count / GAPS + 1;
    for (int64_t k = 0, i = 0; k < count && i < GAPS; k += every, i++) {
        gap[i][0] = r[k].a.point;
        gap[i][1] = r[k].b.point;
        ways[n++] = (scene_way){gap[i], 2, k ? STROKE_GAP : STROKE_ERROR, NULL};
    }
    const scene_mark marks[2] = {{r[0].a.point, "P0", false, false},
                                 {r[0].b.point, task->body[1] ? "" : task->side[1], false, false}};
    char head[160];
    snprintf(head, sizeof head, "%s and %s; %lld frames, %d pairs joined%s", task->side[0], task->side[1],
             (long long)count, n - 2, task->body[1] ? "; b at five times" : "");
    draw_stage stage = {.bodies = bodies, .poses = poses, .second = second, .count = placed};
    stage.ways = ways;
    stage.way_count = n;
    stage.marks = marks;
    stage.mark_count = 2;
    stage.toward = seen->camera;
    stage.title = task->name;
    stage.head = head;
    stage.unit = task->unit;
    return draw_stage_svg(o, &stage);
}
