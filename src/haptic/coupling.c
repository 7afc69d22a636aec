/* SPDX-License-Identifier: MIT */
/*
 * The virtual coupler: F = k (x_device - x_tool) + b (x_device' - x_tool'), torques likewise with the rotation vector between. With a
 * limit F0 the spring pulls no harder than that: its energy is k x^2 / 2 up to x = F0 / k, and F0 x - F0^2 / (2 k) beyond; the damper
 * has what the spring leaves of the limit.
 */
#include "haptic_record.h"

typedef struct pull {
    wit_vec3 spring, damper;
    double energy;
    bool limited;
} pull;

static double spring_energy(wit_vec3 off, double k, double limit)
{
    double x = norm3(off);
    return k * x <= limit ? k * x * x / 2 : limit * x - limit * limit / (2 * k);
}

static pull pull_of(wit_vec3 off, wit_vec3 run, double k, double b, double limit)
{
    pull f = {scale3(k, off), scale3(b, run), spring_energy(off, k, limit), false};
    double size = norm3(f.spring), whole = norm3(add3(f.spring, f.damper));
    if (!(whole > limit) && !(size > limit)) return f;
    f.limited = true;
    if (size > limit) f.spring = scale3(limit / size, f.spring);
    /* The largest share s of the damper with |spring + s damper| <= limit. */
    double a = dot3(f.damper, f.damper), c = dot3(f.spring, f.damper), d = dot3(f.spring, f.spring) - limit * limit;
    double root = sqrt(fmax(0, c * c - a * fmin(0, d)));
    double s = a > 0 ? fmin(1, fmax(0, (root - c) / a)) : 0;
    f.damper = scale3(s, f.damper);
    return f;
}

static bool holds(const wit_haptic* w)
{
    return w->def.tool >= 0 && world_bodies(w)[w->def.tool].def.drive == WIT_DRIVE_DYNAMIC;
}

double wi_coupling_energy(const wit_haptic* w)
{
    if (!holds(w)) return 0;
    const world_body* tool = &world_bodies(w)[w->def.tool];
    const wit_pose *d = &w->device.pose, *t = &tool->motion.pose;
    double e = spring_energy(sub3(d->position, t->position), w->def.coupler.stiffness, w->def.force_limit);
    if (!tool->def.shape || !(w->def.coupler.angular_stiffness > 0)) return e;
    wit_vec3 turn = wi_rigid_turn_between(t->rotation, d->rotation);
    return e + spring_energy(turn, w->def.coupler.angular_stiffness, w->def.torque_limit);
}

void wi_coupling_forces(wit_haptic* w)
{
    w->force = w->torque = w->damper = w->angular_damper = w->spring = w->angular_spring = vec3(0, 0, 0);
    w->coupler_energy = 0;
    if (!holds(w)) return;
    world_body* tool = &world_bodies(w)[w->def.tool];
    const wit_coupler* k = &w->def.coupler;
    const wit_motion *d = &w->device, *t = &tool->motion;
    wit_vec3 off = sub3(d->pose.position, t->pose.position), run = sub3(d->twist.velocity, t->twist.velocity);
    pull f = pull_of(off, run, k->stiffness, k->damping, w->def.force_limit);
    w->force = add3(f.spring, f.damper);
    w->limited |= f.limited;
    w->coupler_energy = f.energy;
    w->damper = f.damper;
    w->spring = f.spring;
    if (tool->def.shape) {
        wit_vec3 turn = wi_rigid_turn_between(t->pose.rotation, d->pose.rotation);
        wit_vec3 spin = sub3(d->twist.angular, t->twist.angular);
        f = pull_of(turn, spin, k->angular_stiffness, k->angular_damping, w->def.torque_limit);
        w->torque = add3(f.spring, f.damper);
        w->limited |= f.limited;
        w->coupler_energy += k->angular_stiffness > 0 ? f.energy : 0;
        w->angular_damper = f.damper;
        w->angular_spring = f.spring;
    }
    /* a device that a hand holds is part of the state: what the coupler does to it stays inside */
    if (!w->has_human) w->supply += dot3(w->force, d->twist.velocity) + dot3(w->torque, d->twist.angular);
    wi_body_push(tool, w->force, t->pose.position);
    wi_body_twist(tool, w->torque);
}

/* The mean of the forces times the way, exact for a spring; its twist need not be the way per time. */
double wi_coupling_work(const wit_haptic* w, wit_vec3 spring, wit_vec3 turn, const wit_motion* from, double h)
{
    if (!holds(w)) return 0;
    const wit_motion* to = &w->device;
    wit_vec3 way = sub3(to->pose.position, from->pose.position);
    wit_vec3 angle = wi_rigid_turn_between(from->pose.rotation, to->pose.rotation);
    double work = dot3(add3(spring, w->spring), way) + dot3(add3(turn, w->angular_spring), angle);
    double power = dot3(spring, from->twist.velocity) + dot3(w->spring, to->twist.velocity) +
                   dot3(turn, from->twist.angular) + dot3(w->angular_spring, to->twist.angular);
    return (work - h * power) / 2;
}
