/* SPDX-License-Identifier: MIT */
/*
 * No world gains energy beyond a bound: with B = stored + dissipated - supplied and B0 at its start or after its first step, the less of them,
 *     B - B0 <= WIT_HAPTIC_GAIN times the largest energy that was in motion or in springs so far.
 * What a step resolves keeps to it by itself, and the accounts of the contacts hold back what a contact would give without having
 * taken it. The rest (bodies that turn far in a step, places that jump) is found here, after the forces of a step are known and before
 * they act. It is taken off all that moves by one drag, -g m v and -g L, which takes h g times the kinetic energy off at the next kick;
 * the kinetic energy at the time of the places, m v.v' / 2, has it at once. At most all speed is taken: what is left over then is in
 * springs, and waits until they have moved something. RK2 and RK4 have no kick: speeds are scaled instead.
 */
#include "haptic_record.h"

static double balance(const wit_energy* e)
{
    return e->stored + e->dissipated - e->supplied;
}

void wi_energy_begin(wit_haptic* w)
{
    wit_energy e = wi_world_energy(w);
    w->first_energy = balance(&e);
    w->settling = true;
}

static void drag(wit_haptic* w, double g)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->force = addscaled3(b->force, -g * b->def.mass, b->v);
        if (b->def.shape) b->torque = addscaled3(b->torque, -g, b->momentum);
    }
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) w->system.accel[i] -= g * w->system.speed[i];
}

static void slow_down(wit_haptic* w, double factor)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->v = scale3(factor, b->v);
        b->momentum = scale3(factor, b->momentum);
        wi_rigid_place(b);
    }
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) w->system.speed[i] *= factor;
    if (w->has_human) {
        w->device.twist.velocity = scale3(factor, w->device.twist.velocity);
        w->device.twist.angular = scale3(factor, w->device.twist.angular);
    }
    if (w->has_system) wi_linkage_place(w);
    wi_world_forces(w, 0);
}

/* The bound counts the largest energy that is told, that is after x was taken off: least x with gain - x <= G max(most, held - x). */
static double excess_of(double gain, double held, double most)
{
    double x = (gain - WIT_HAPTIC_GAIN * held) / (1 - WIT_HAPTIC_GAIN);
    return held - x < most ? gain - WIT_HAPTIC_GAIN * most : x;
}

void wi_energy_hold(wit_haptic* w, double h)
{
    if (w->def.allow_unstable) return; /* whoever asks for it sees it grow */
    wit_energy e = wi_world_energy(w);
    double now = balance(&e), held = e.kinetic + e.contact + e.coupler + e.hand, moving = wi_world_kinetic(w);
    if (w->settling) { /* after the first step: what it loses is lost before anything was told */
        w->first_energy = fmin(w->first_energy, now);
        w->most_energy = 0;
        w->settling = false;
    }
    double excess = fmin(excess_of(now - w->first_energy, held, w->most_energy), moving);
    if (excess > 0 && world_is_joint(&w->def))
        slow_down(w, sqrt(1 - excess / moving));
    else if (excess > 0)
        drag(w, excess / (moving * h));
    w->most_energy = fmax(w->most_energy, held - fmax(excess, 0));
}
