/* SPDX-License-Identifier: MIT */
#include "draw_body.h"
#include "track.h"

wit_status track_snapshot(out* o, const track_task* task, double time, const wit_result* r)
{
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
    const wit_vec3 segment[2] = {r->a.point, r->b.point};
    return draw_placed_svg(o, task->body, poses, task->body[1] ? 2 : 1, segment, title, head, task->unit);
}
