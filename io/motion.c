/* SPDX-License-Identifier: MIT */
#include "motion.h"

#include "../src/base/vec.h"

const char* wi_motion_kind_name(motion_kind kind)
{
    static const char* const names[] = {"still", "keyframes", "twist",    "helix",     "spiral", "harmonic",
                                        "poses", "rotate",    "revolute", "prismatic", "screw"};
    return (unsigned)kind < MOTION_KIND_COUNT ? names[kind] : "?";
}

/* The start turned by angle + spin t + waves about the axis, and how fast. */
static void turn(const motion_record* m, double t, wit_motion* out)
{
    double angle = m->angle + m->spin * t, rate = m->spin;
    for (int i = 0; i < m->turn_count; i++) {
        const motion_wave* w = &m->turns[i];
        double s, c;
        wit_sincos(w->rate * t + w->phase, &s, &c);
        angle += w->amplitude.x * s;
        rate += w->amplitude.x * w->rate * c;
    }
    wit_pose by = {{0, 0, 0}, wit_quat_about(m->axis, angle)};
    wit_pose start = {{0, 0, 0}, m->pose.rotation};
    out->pose.rotation = wit_pose_compose(&by, &start).rotation;
    out->twist.angular = scale3(rate, m->axis);
}

static void helix_at(const motion_record* m, double t, wit_motion* out)
{
    double s, c, r = m->radius + m->growth * t;
    wit_sincos(m->rate * t + m->phase, &s, &c);
    wit_vec3 out_of = add3(scale3(c, m->x), scale3(s, m->y)), along = add3(scale3(-s, m->x), scale3(c, m->y));
    out->pose.position = add3(addscaled3(m->origin, r, out_of), scale3(m->rise * t, m->z));
    out->twist.velocity = add3(add3(scale3(m->growth, out_of), scale3(r * m->rate, along)), scale3(m->rise, m->z));
}

static void harmonic_at(const motion_record* m, double t, wit_motion* out)
{
    out->pose.position = m->pose.position;
    for (int i = 0; i < m->wave_count; i++) {
        const motion_wave* w = &m->waves[i];
        double s, c;
        wit_sincos(w->rate * t + w->phase, &s, &c);
        out->pose.position = addscaled3(out->pose.position, s, w->amplitude);
        out->twist.velocity = addscaled3(out->twist.velocity, w->rate * c, w->amplitude);
    }
}

/* The whole pose about an axis through the origin of the motion. */
static void rotate_at(const motion_record* m, double t, wit_motion* out)
{
    wit_pose by = {{0, 0, 0}, wit_quat_about(m->axis, m->angle + m->spin * t)};
    wit_vec3 arm = wit_pose_vector(&by, sub3(m->pose.position, m->origin));
    out->pose.position = add3(m->origin, arm);
    out->twist.velocity = cross3(out->twist.angular, arm);
}

void wi_motion_at(const motion_record* m, double time, wit_motion* out)
{
    double t = fmin(fmax(time, -MOTION_MAX_TIME), MOTION_MAX_TIME);
    *out = wit_motion_at_rest(m->pose);
    out->twist_known = true;
    switch (m->kind) {
    case MOTION_KEYFRAMES:
    case MOTION_POSES:
        wi_motion_path_at(&m->path, t, out);
        break;
    case MOTION_TWIST:
        turn(m, t, out);
        out->pose.position = addscaled3(m->pose.position, t, m->twist.velocity);
        out->twist.velocity = m->twist.velocity;
        break;
    case MOTION_HELIX:
    case MOTION_SPIRAL:
        turn(m, t, out);
        helix_at(m, t, out);
        break;
    case MOTION_HARMONIC:
        turn(m, t, out);
        harmonic_at(m, t, out);
        break;
    case MOTION_ROTATE:
        turn(m, t, out);
        rotate_at(m, t, out);
        break;
    case MOTION_REVOLUTE:
    case MOTION_PRISMATIC:
    case MOTION_SCREW:
        wi_motion_joint_at(m, t, out);
        break;
    default:
        break;
    }
    if (!m->placed) return;
    wit_motion outer = *out, inner = wit_motion_at_rest(m->place);
    wi_motion_compose(&outer, &inner, out);
}

void wi_motion_place(motion_record* m, const wit_pose* place)
{
    const wit_vec3 p = place->position;
    const wit_quat q = place->rotation;
    m->place = *place;
    m->placed = p.x != 0 || p.y != 0 || p.z != 0 || q.w != 1 || q.x != 0 || q.y != 0 || q.z != 0;
}

void wi_motion_compose(const wit_motion* outer, const wit_motion* inner, wit_motion* out)
{
    wit_motion m = {.pose = wit_pose_compose(&outer->pose, &inner->pose), .twist_known = true};
    wit_vec3 v = wit_pose_vector(&outer->pose, inner->twist.velocity);
    m.twist.velocity = add3(wit_motion_velocity(outer, m.pose.position), v);
    m.twist.angular = add3(outer->twist.angular, wit_pose_vector(&outer->pose, inner->twist.angular));
    *out = m;
}
