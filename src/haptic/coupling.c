/* SPDX-License-Identifier: MIT */
/* The virtual coupler: F = k (x_device - x_tool) + b (x_device' - x_tool'), torques likewise with the rotation vector between. */
#include "haptic_record.h"

void wi_coupling_forces(wit_haptic* w)
{
    w->force = w->torque = w->damper = w->angular_damper = vec3(0, 0, 0);
    w->coupler_energy = 0;
    if (w->def.tool < 0) return;
    world_body* tool = &world_bodies(w)[w->def.tool];
    if (tool->def.drive != WIT_DRIVE_DYNAMIC) return;
    const wit_coupler* k = &w->def.coupler;
    const wit_motion *d = &w->device, *t = &tool->motion;
    wit_vec3 off = sub3(d->pose.position, t->pose.position), run = sub3(d->twist.velocity, t->twist.velocity);
    w->force = addscaled3(scale3(k->stiffness, off), k->damping, run);
    w->coupler_energy = k->stiffness * dot3(off, off) / 2;
    w->damper = scale3(k->damping, run);
    if (tool->def.shape) {
        wit_vec3 turn = wi_rigid_turn_between(t->pose.rotation, d->pose.rotation);
        wit_vec3 spin = sub3(d->twist.angular, t->twist.angular);
        w->torque = addscaled3(scale3(k->angular_stiffness, turn), k->angular_damping, spin);
        w->coupler_energy += k->angular_stiffness * dot3(turn, turn) / 2;
        w->angular_damper = scale3(k->angular_damping, spin);
    }
    w->supply += dot3(w->force, d->twist.velocity) + dot3(w->torque, d->twist.angular);
    wi_body_push(tool, w->force, t->pose.position);
    wi_body_twist(tool, w->torque);
}
