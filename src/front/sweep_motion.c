/* SPDX-License-Identifier: MIT */
#include "sweep_motion.h"

#include "../base/interval.h"
#include "../base/pose.h"
#include "../body/body_record.h"

/* Roundings of the sums and products below are some ten units in the last place. */
#define UP (1 + 64 * DBL_EPSILON)

/* ---- motions of the caller ----------------------------------------------------------------- */

wit_moving_body wit_moving_still(const wit_body* body, wit_pose pose)
{
    wit_moving_body m = {.body = body, .motion = wit_motion_at_rest(pose)};
    return m;
}

wit_moving_body wit_moving_screw(const wit_body* body, double since, const wit_motion* motion)
{
    wit_moving_body m = {.body = body, .motion = *motion, .since = since};
    return m;
}

wit_moving_body wit_moving_between(const wit_body* body, double since, const wit_pose* from, double until,
                                   const wit_pose* to)
{
    wit_moving_body m = {.body = body, .motion = wit_motion_at_rest(*from), .since = since};
    if (until > since) m.motion.twist = wit_twist_between(from, to, until - since);
    return m;
}

/* ---- a side -------------------------------------------------------------------------------- */

static void take_box(sweep_side* s, const wit_box* box)
{
    for (int k = 0; k < SWEEP_CORNERS; ++k) {
        wit_vec3 c = vec3(k & 1 ? box->hi.x : box->lo.x, k & 2 ? box->hi.y : box->lo.y, k & 4 ? box->hi.z : box->lo.z);
        s->corner[k] = c;
        s->reach = larger(s->reach, norm3(c) * UP);
    }
    s->centre = scale3(0.5, add3(box->lo, box->hi));
    s->radius = 0.5 * norm3(sub3(box->hi, box->lo)) * UP;
    s->centre_reach = norm3(s->centre) * UP;
}

void wi_sweep_side(const wit_moving_body* m, sweep_side* s)
{
    *s = (sweep_side){.moving = m, .body = m->body, .screw = !m->at};
    if (!m->body) return;
    s->endless = m->body->unbounded;
    if (!s->endless) take_box(s, &m->body->box);
}

/* The velocity of what moves along with the twist at a place, in world axes. */
static wit_vec3 velocity_at(const wit_motion* m, wit_vec3 world)
{
    return wit_motion_velocity(m, world);
}

wit_status wi_sweep_at(const sweep_side* s, double t, wit_motion* out)
{
    const wit_moving_body* m = s->moving;
    if (!s->screw) return m->at(m->user, t, out);
    *out = m->motion;
    if (!m->motion.twist_known) out->twist = (wit_twist){{0, 0, 0}, {0, 0, 0}};
    wit_motion steady = *out;
    out->twist_known = true;
    if (t == m->since) return WIT_OK;
    out->pose = wit_motion_after(&steady, t - m->since);
    out->twist.velocity = velocity_at(&steady, out->pose.position);
    return WIT_OK;
}

wit_status wi_sweep_poses(const sweep_side side[2], double t, sweep_poses* out)
{
    wit_status status = wi_sweep_at(&side[0], t, &out->motion[0]);
    return status ? status : wi_sweep_at(&side[1], t, &out->motion[1]);
}

/* ---- speeds -------------------------------------------------------------------------------- */

/* Of one side over an interval. */
typedef struct side_speeds {
    wit_motion_bounds of; /* the origin */
    double point, centre; /* speed of any of its points, of its centre */
    double bend;          /* acceleration of any of its points */
} side_speeds;

static double per_reach(double rate, const sweep_side* s)
{
    return s->endless && rate > 0 ? INFINITY : rate * s->reach;
}

/* Of a screw all of it is known where the body is now. */
static void screw_speeds(const sweep_side* s, const wit_motion* at, side_speeds* out)
{
    wit_vec3 w = at->twist.angular, v = at->twist.velocity;
    out->of = (wit_motion_bounds){norm3(v) * UP, norm3(w) * UP, norm3(cross3(w, v)) * UP, 0};
    out->centre = norm3(velocity_at(at, wit_pose_point(&at->pose, s->centre))) * UP;
    out->point = out->of.velocity;
    out->bend = out->of.acceleration;
    if (s->endless && out->of.angular > 0) {
        out->point = out->bend = INFINITY;
        return;
    }
    if (!s->body || s->endless) return;
    out->point = out->bend = 0;
    for (int k = 0; k < SWEEP_CORNERS; ++k) {
        wit_vec3 u = velocity_at(at, wit_pose_point(&at->pose, s->corner[k]));
        out->point = larger(out->point, norm3(u) * UP);
        out->bend = larger(out->bend, norm3(cross3(w, u)) * UP);
    }
}

static wit_status own_speeds(const sweep_side* s, double from, double to, side_speeds* out)
{
    wit_motion_bounds* b = &out->of;
    wit_status status = s->moving->bounds(s->moving->user, from, to, b);
    if (status) return status;
    if (!(b->velocity >= 0 && b->angular >= 0 && b->acceleration >= 0 && b->angular_acceleration >= 0))
        return WIT_ERROR_NUMBER;
    out->point = (b->velocity + per_reach(b->angular, s)) * UP;
    out->centre = (b->velocity + b->angular * s->centre_reach) * UP;
    double turn = b->angular_acceleration + b->angular * b->angular;
    out->bend = (b->acceleration + (turn < INFINITY ? per_reach(turn, s) : INFINITY)) * UP;
    return WIT_OK;
}

/* No point of the other side is farther from the origin of this one. */
static double far_reach(const sweep_side* other, const side_speeds* so, const side_speeds* own, double centres,
                        double seconds, bool all)
{
    if (other->endless) return INFINITY;
    return (centres + (all ? other->radius : 0) + (so->centre + own->of.velocity) * seconds) * UP;
}

static double product(double rate, double length)
{
    return rate > 0 ? rate * length : 0; /* nothing turns: whatever the length */
}

/* Acceleration of the other side's points seen from this one, D their farthest: with r = R^T (p - o),
 *     r'' = R^T (p'' - o'' - w' x (p - o) + w x (w x (p - o)) - 2 w x (p' - o')). */
static double bend_seen(const side_speeds* own, const side_speeds* other, double D)
{
    const wit_motion_bounds* b = &own->of;
    double turn = product(b->angular_acceleration + b->angular * b->angular, D);
    double slip = 2 * product(b->angular, other->point + b->velocity);
    return (other->bend + b->acceleration + turn + slip) * UP;
}

/* Two screws, the points of side k seen from the other: speed and acceleration. They wander by no more than `travel`. */
static void screws_seen(const sweep_side* s, const sweep_poses* at, int k, double travel, double* speed, double* bend)
{
    const wit_motion *m = &at->motion[k], *o = &at->motion[1 - k];
    wit_vec3 turn = sub3(m->twist.angular, o->twist.angular), wo = o->twist.angular;
    double rate = norm3(turn), wander = product(rate, travel), most = 0;
    *speed = *bend = 0;
    for (int i = 0; i < SWEEP_CORNERS; ++i) {
        wit_vec3 p = wit_pose_point(&m->pose, s[k].corner[i]), u = velocity_at(m, p), v = velocity_at(o, p);
        wit_vec3 d = sub3(u, v);
        most = larger(most, norm3(u) + norm3(v));
        *speed = larger(*speed, norm3(d));
        *bend = larger(*bend, norm3(sub3(cross3(turn, u), cross3(wo, d))));
    }
    /* what cancels in the differences was rounded before */
    double round = 64 * DBL_EPSILON * (most + norm3(m->twist.velocity) + norm3(o->twist.velocity));
    *speed = (*speed + wander) * UP + round;
    *bend = (*bend + wander * (norm3(m->twist.angular) + norm3(wo))) * UP + round * (norm3(wo) + rate);
}

wit_status wi_sweep_speeds(const sweep_side side[2], double from, double seconds, const sweep_poses* at,
                           sweep_speeds* out)
{
    side_speeds s[2];
    for (int i = 0; i < 2; ++i) {
        wit_status status = WIT_OK;
        if (side[i].screw)
            screw_speeds(&side[i], &at->motion[i], &s[i]);
        else
            status = own_speeds(&side[i], from, from + seconds, &s[i]);
        if (status) return status;
    }
    out->way = s[0].point + s[1].point;
    out->bend[SWEEP_WORLD] = s[0].bend + s[1].bend;
    out->centre_way = s[0].centre + s[1].centre;
    for (int i = 0; i < 2; ++i) {
        const sweep_side* other = &side[1 - i];
        wit_vec3 c = wit_pose_point(&at->motion[1 - i].pose, other->centre);
        double centres = norm3(sub3(c, at->motion[i].pose.position));
        double D = far_reach(other, &s[1 - i], &s[i], centres, seconds, true);
        out->way = smaller(out->way, (s[1 - i].point + s[i].of.velocity + product(s[i].of.angular, D)) * UP);
        out->bend[i] = bend_seen(&s[i], &s[1 - i], D);
        if (side[i].endless) {
            D = far_reach(other, &s[1 - i], &s[i], centres, seconds, false);
            out->centre_way = (s[1 - i].centre + s[i].of.velocity + product(s[i].of.angular, D)) * UP;
        }
        if (!side[0].screw || !side[1].screw || other->endless) continue;
        double speed, bend;
        screws_seen(side, at, 1 - i, s[1 - i].point * seconds, &speed, &bend);
        out->way = smaller(out->way, speed);
        out->bend[i] = smaller(out->bend[i], bend);
    }
    return WIT_OK;
}
