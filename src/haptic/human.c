/* SPDX-License-Identifier: MIT */
/* A hand on a device: m x'' = k (want - x) + b (want' - x') - d x' + force, rotations likewise. */
#include "haptic_record.h"

wit_human wit_human_default(void)
{
    wit_human h = {.stiffness = 300,
                   .damping = 2,
                   .angular_stiffness = 1,
                   .angular_damping = 0.01,
                   .mass = 0.1,
                   .inertia = 1e-4,
                   .device_damping = 1,
                   .device_angular_damping = 0.001};
    h.at = wit_motion_at_rest(wit_pose_identity());
    return h;
}

static bool carries(double k, double c, double m, double h)
{
    return k >= 0 && c >= 0 && m > 0 && isfinite(m) && h * h * k / m + 2 * h * c / m < 4;
}

wit_status wit_human_step(wit_human* u, const wit_motion* want, wit_vec3 force, wit_vec3 torque, double dt)
{
    if (!u || !want) return WIT_ERROR_ARGUMENT;
    if (!(dt > 0) || !isfinite(dt)) return WIT_ERROR_RANGE;
    if (!finite3(force) || !finite3(torque)) return WIT_ERROR_NUMBER;
    if (wit_pose_check(&u->at.pose) || wit_pose_check(&want->pose)) return WIT_ERROR_NUMBER;
    if (!carries(u->stiffness, u->damping + u->device_damping, u->mass, dt) ||
        !carries(u->angular_stiffness, u->angular_damping + u->device_angular_damping, u->inertia, dt))
        return WIT_ERROR_RANGE;
    wit_twist* t = &u->at.twist;
    wit_vec3 run = want->twist_known ? want->twist.velocity : vec3(0, 0, 0);
    wit_vec3 turn = want->twist_known ? want->twist.angular : vec3(0, 0, 0);
    wit_vec3 f = add3(force, scale3(u->stiffness, sub3(want->pose.position, u->at.pose.position)));
    f = addscaled3(addscaled3(f, u->damping, sub3(run, t->velocity)), -u->device_damping, t->velocity);
    wit_vec3 m = scale3(u->angular_stiffness, wi_rigid_turn_between(u->at.pose.rotation, want->pose.rotation));
    m = add3(torque, addscaled3(m, u->angular_damping, sub3(turn, t->angular)));
    m = addscaled3(m, -u->device_angular_damping, t->angular);
    t->velocity = addscaled3(t->velocity, dt / u->mass, f);
    t->angular = addscaled3(t->angular, dt / u->inertia, m);
    u->at.pose.position = addscaled3(u->at.pose.position, dt, t->velocity);
    u->at.pose.rotation = wi_rigid_turned(u->at.pose.rotation, scale3(dt, t->angular));
    u->at.twist_known = true;
    return WIT_OK;
}
