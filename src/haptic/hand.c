/* SPDX-License-Identifier: MIT */
/*
 * A hand on the device, as part of the state of a world: with the force F of the coupler on the tool
 *     m x'' = k (want - x) + b (want' - x') - d x' - F
 * and likewise for rotations, the turn from the device to what the hand wants as a rotation vector r. |r|^2 / 2 changes by r . (the
 * difference of the angular velocities), so that its spring has the energy k |r|^2 / 2.
 */
#include "../base/error.h"
#include "haptic_record.h"

wit_status wi_hand_check(const wit_haptic_def* d, wit_error* e)
{
    const wit_human* u = d->human;
    if (!u) return WIT_OK;
    if (!world_is_joint(d))
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "human",
                             "a hand is part of the state with rk2 and rk4 only; else step it by wit_human_step");
    if (d->tool < 0) return wi_error_fill(e, WIT_ERROR_ARGUMENT, "human", "there is no tool: the device moves nothing");
    const struct {
        const char* item;
        double value;
        bool positive;
    } list[] = {{"human.stiffness", u->stiffness, false},
                {"human.damping", u->damping, false},
                {"human.angular_stiffness", u->angular_stiffness, false},
                {"human.angular_damping", u->angular_damping, false},
                {"human.device_damping", u->device_damping, false},
                {"human.device_angular_damping", u->device_angular_damping, false},
                {"human.mass", u->mass, true},
                {"human.inertia", u->inertia, true}};
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
        if (!(list[i].value >= 0) || !isfinite(list[i].value) || (list[i].positive && list[i].value == 0))
            return wi_error_fill(e, WIT_ERROR_RANGE, list[i].item, "is %g; must be finite and %s", list[i].value,
                                 list[i].positive ? "positive" : "not negative");
    if (wit_pose_check(&u->at.pose) ||
        (u->at.twist_known && (!finite3(u->at.twist.velocity) || !finite3(u->at.twist.angular))))
        return wi_error_fill(e, WIT_ERROR_NUMBER, "human.at", "must be finite, its rotation of length 1 within 1e-6");
    return WIT_OK;
}

void wi_hand_forces(wit_haptic* w)
{
    const wit_human* u = &w->human;
    const wit_motion *x = &w->device, *want = &w->want;
    wit_vec3 off = sub3(want->pose.position, x->pose.position);
    wit_vec3 turn = wi_rigid_turn_between(x->pose.rotation, want->pose.rotation);
    wit_vec3 run = sub3(want->twist.velocity, x->twist.velocity), spin = sub3(want->twist.angular, x->twist.angular);
    wit_vec3 force = addscaled3(scale3(u->stiffness, off), u->damping, run);
    wit_vec3 torque = addscaled3(scale3(u->angular_stiffness, turn), u->angular_damping, spin);
    wit_vec3 all = sub3(addscaled3(force, -u->device_damping, x->twist.velocity), w->force);
    wit_vec3 bend = sub3(addscaled3(torque, -u->device_angular_damping, x->twist.angular), w->torque);
    w->device_accel = scale3(1 / u->mass, all);
    w->device_spin = scale3(1 / u->inertia, bend);
    w->hand_energy = (u->stiffness * dot3(off, off) + u->angular_stiffness * dot3(turn, turn)) / 2;
    w->hand_loss = u->damping * dot3(run, run) + u->angular_damping * dot3(spin, spin) +
                   u->device_damping * dot3(x->twist.velocity, x->twist.velocity) +
                   u->device_angular_damping * dot3(x->twist.angular, x->twist.angular);
    w->supply += dot3(force, want->twist.velocity) + dot3(torque, want->twist.angular);
}
