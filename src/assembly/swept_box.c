/* SPDX-License-Identifier: MIT */
/*
 * From the moment in the middle no point of the body goes farther than its speed times half of the time, nor does the
 * centre of its box, about which all of the body lies in a ball. Both are enclosures, and so is what they share.
 */
#include "swept_box.h"

#include "../base/interval.h"
#include "../base/vec.h"
#include "../front/sweep_motion.h"

#define UP (1 + 64 * DBL_EPSILON)

/* How fast points of the body, and the centre of its box, go at most. */
typedef struct swept_speeds {
    double point, centre;
} swept_speeds;

/* A screw: a point goes with |V(p)| for ever, greatest at a corner of the box. */
static void screw_speeds(const sweep_side* s, const wit_motion* at, swept_speeds* out)
{
    out->point = 0;
    out->centre = norm3(wit_motion_velocity(at, wit_pose_point(&at->pose, s->centre))) * UP;
    for (int k = 0; k < SWEEP_CORNERS; ++k)
        out->point = larger(out->point, norm3(wit_motion_velocity(at, wit_pose_point(&at->pose, s->corner[k]))) * UP);
}

static wit_status speeds_of(const sweep_side* s, double from, double to, const wit_motion* at, swept_speeds* out)
{
    if (s->screw) {
        screw_speeds(s, at, out);
        return WIT_OK;
    }
    wit_motion_bounds b = {0, 0, 0, 0};
    if (!(from < to)) {
        *out = (swept_speeds){0, 0};
        return WIT_OK;
    }
    wit_status status = s->moving->bounds(s->moving->user, from, to, &b);
    if (status) return status;
    if (!(b.velocity >= 0 && b.angular >= 0)) return WIT_ERROR_NUMBER;
    out->point = b.velocity + (b.angular > 0 ? b.angular * s->reach * UP : 0);
    out->centre = b.velocity + (b.angular > 0 ? b.angular * s->centre_reach * UP : 0);
    return WIT_OK;
}

/* Around the centre: the corners less the centre, as far as they reach along each axis, and the way; or the ball. */
static void side_of(double centre, double half, double way, double ball, double* lo, double* hi)
{
    double most = smaller(half + way, ball);
    *lo = centre - most;
    *hi = centre + most;
}

wit_status wi_swept_box(const wit_moving_body* moving, double from, double to, wit_box* out)
{
    sweep_side s;
    wit_motion at;
    swept_speeds v;
    *out = (wit_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    wi_sweep_side(moving, &s);
    double mid = from + 0.5 * (to - from), half = larger(to - mid, mid - from) * UP;
    wit_status status = wi_sweep_at(&s, mid, &at);
    if (!status) status = wit_pose_check(&at.pose);
    if (status || s.endless) return status;
    status = speeds_of(&s, from, to, &at, &v);
    if (status) return status;
    wit_vec3 c = wit_pose_point(&at.pose, s.centre), side = vec3(0, 0, 0);
    for (int k = 0; k < SWEEP_CORNERS; ++k) {
        wit_vec3 d = wit_pose_vector(&at.pose, sub3(s.corner[k], s.centre));
        side = vec3(larger(side.x, fabs(d.x)), larger(side.y, fabs(d.y)), larger(side.z, fabs(d.z)));
    }
    /* pose.h: a point computed is off by less than 40 eps of what it is made of; a pose at another time likewise */
    double size = s.reach + norm3(at.pose.position), round = 128 * DBL_EPSILON * (size + v.point * half);
    double way = (half > 0 ? v.point * half : 0) * UP + round;
    double ball = (s.radius + (half > 0 ? v.centre * half : 0)) * UP + round;
    side_of(c.x, side.x, way, ball, &out->lo.x, &out->hi.x);
    side_of(c.y, side.y, way, ball, &out->lo.y, &out->hi.y);
    side_of(c.z, side.z, way, ball, &out->lo.z, &out->hi.z);
    return WIT_OK;
}
