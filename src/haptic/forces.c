/* SPDX-License-Identifier: MIT */
/* All forces of a moment, and the energies. */
#include <string.h>

#include "haptic_record.h"

static void own_forces(wit_haptic* w, world_body* b)
{
    b->force = b->torque = vec3(0, 0, 0);
    if (b->def.drive != WIT_DRIVE_DYNAMIC) return;
    wit_vec3 spin = b->motion.twist.angular;
    b->force = addscaled3(scale3(b->def.mass * b->def.weight, w->def.gravity), -b->def.damping, b->v);
    b->torque = scale3(-b->def.angular_damping, spin);
    b->slow = b->v;
    b->slow_spin = spin;
}

void wi_world_forces(wit_haptic* w, double h)
{
    world_body* bodies = world_bodies(w);
    w->supply = 0;
    for (int i = 0; i < w->def.body_count; ++i) own_forces(w, &bodies[i]);
    wi_contact_forces(w, h);
    if (w->def.tool >= 0 && bodies[w->def.tool].def.drive == WIT_DRIVE_PROXY)
        wi_god_object_forces(w);
    else
        wi_coupling_forces(w);
    if (w->has_human) wi_hand_forces(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        const world_body* b = &bodies[i];
        if (b->def.drive == WIT_DRIVE_MOVED)
            w->supply -= dot3(b->force, b->motion.twist.velocity) + dot3(b->torque, b->motion.twist.angular);
    }
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->force = wi_freedom_way(&b->def, b->force);
        b->torque = wi_freedom_turn(&b->def, b->torque);
    }
    if (w->has_system) wi_linkage_accelerate(w, w->time);
    w->dissipation = wi_world_loss(w);
}

double wi_world_loss(const wit_haptic* w)
{
    const world_body* bodies = world_bodies(w);
    double sum = w->has_human ? w->hand_loss : 0;
    for (int i = 0; i < w->def.body_count; ++i) {
        const world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        sum +=
            b->def.damping * dot3(b->slow, b->v) + b->def.angular_damping * dot3(b->slow_spin, b->motion.twist.angular);
    }
    for (int i = 0; i < w->def.pair_count; ++i) {
        const world_pair* p = &world_pairs(w)[i];
        if (p->proxy || p->response.kind != WIT_RESPONSE_PENALTY) continue;
        for (int k = 0; k < p->contact_count; ++k) {
            const world_contact* c = &pair_contacts(w, p)[k];
            if (c->spring != 0)
                sum -= dot3(addscaled3(c->rub, c->lossy, c->normal), wi_contact_velocity(w, p, c->point));
        }
    }
    if (w->def.tool < 0 || bodies[w->def.tool].def.drive != WIT_DRIVE_DYNAMIC) return sum;
    const wit_twist *d = &w->device.twist, *t = &bodies[w->def.tool].motion.twist;
    return sum + dot3(w->damper, sub3(d->velocity, t->velocity)) +
           dot3(w->angular_damper, sub3(d->angular, t->angular));
}

/* m v.(v + h a) / 2, that is v.v' of the speeds before and after the next kick of h. */
static double kinetic(const wit_haptic* w, double h)
{
    const world_body* bodies = world_bodies(w);
    double sum = 0;
    for (int i = 0; i < w->def.body_count; ++i) {
        const world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        sum += dot3(b->v, addscaled3(scale3(b->def.mass, b->v), h, b->force)) / 2;
        if (b->def.shape) sum += dot3(addscaled3(b->momentum, h, b->torque), wi_rigid_spin(b)) / 2;
    }
    const world_system* s = &w->system;
    int n = w->has_system ? s->def.count : 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) sum += s->speed[i] * s->M[i * n + j] * (s->speed[j] + h * s->accel[j]) / 2;
    if (w->has_human) { /* RK2, RK4: no kick is due */
        const wit_twist* t = &w->device.twist;
        sum += (w->human.mass * dot3(t->velocity, t->velocity) + w->human.inertia * dot3(t->angular, t->angular)) / 2;
    }
    return sum;
}

double wi_world_kinetic(const wit_haptic* w)
{
    return kinetic(w, 0);
}

/* The semi-implicit step keeps speeds half a step behind the places: at these they are between those before and after the next kick,
 *     m v.(v + h F / m) / 2,
 * which with the springs' and gravity's potentials changes by nothing but impulses and what is dissipated and supplied. */
static double next_step(const wit_haptic* w)
{
    return world_is_joint(&w->def) ? 0 : w->last_step;
}

wit_energy wi_world_energy(const wit_haptic* w)
{
    wit_energy e = {.coupler = w->coupler_energy, .contact = w->contact_energy};
    double h = next_step(w);
    e.kinetic = kinetic(w, h);
    e.gravity = wi_world_potential(w);
    e.hand = w->has_human ? w->hand_energy : 0;
    e.stored = e.kinetic + e.gravity + e.coupler + e.contact + e.hand;
    e.dissipated = w->dissipated + h * w->dissipation / 2;
    e.supplied = w->supplied;
    return e;
}

double wi_world_potential(const wit_haptic* w)
{
    const world_body* bodies = world_bodies(w);
    double sum = 0;
    for (int i = 0; i < w->def.body_count; ++i)
        if (bodies[i].def.drive == WIT_DRIVE_DYNAMIC)
            sum -= bodies[i].def.mass * bodies[i].def.weight * dot3(w->def.gravity, bodies[i].c);
    if (w->has_system && w->system.def.potential) sum += w->system.def.potential(w->system.def.user, w->system.q);
    return sum;
}

int wi_world_lost_body(const wit_haptic* w)
{
    const world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        const world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        if (!finite3(b->c) || !finite3(b->v) || !finite3(b->momentum) || !isfinite(b->q.w + b->q.x + b->q.y + b->q.z))
            return i;
    }
    return -1;
}

bool wi_world_finite(const wit_haptic* w)
{
    if (w->has_human && wit_pose_check(&w->device.pose)) return false;
    if (w->has_human && (!finite3(w->device.twist.velocity) || !finite3(w->device.twist.angular))) return false;
    for (int i = 0; w->has_system && i < w->system.def.count; ++i)
        if (!isfinite(w->system.q[i]) || !isfinite(w->system.speed[i])) return false;
    return wi_world_lost_body(w) < 0;
}

void wi_world_save(wit_haptic* w)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        b->old_c = b->c;
        b->old_v = b->v;
        b->old_momentum = b->momentum;
        b->old_q = b->q;
    }
    w->old_device = w->device;
    memcpy(w->system.old_q, w->system.q, sizeof w->system.q);
    memcpy(w->system.old_speed, w->system.speed, sizeof w->system.speed);
}

void wi_world_restore(wit_haptic* w)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        b->c = b->old_c;
        b->v = b->old_v;
        b->momentum = b->old_momentum;
        b->q = b->old_q;
        if (b->def.drive == WIT_DRIVE_DYNAMIC) wi_rigid_place(b);
    }
    if (w->has_human) w->device = w->old_device;
    memcpy(w->system.q, w->system.old_q, sizeof w->system.q);
    memcpy(w->system.speed, w->system.old_speed, sizeof w->system.speed);
    if (w->has_system) wi_linkage_place(w);
}

void wi_world_keep_speeds(wit_haptic* w)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        bodies[i].kept_v = bodies[i].v;
        bodies[i].kept_momentum = bodies[i].momentum;
    }
    memcpy(w->system.kept_speed, w->system.speed, sizeof w->system.speed);
}

void wi_world_put_speeds(wit_haptic* w)
{
    world_body* bodies = world_bodies(w);
    memcpy(w->system.speed, w->system.kept_speed, sizeof w->system.speed);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->v = b->kept_v;
        b->momentum = b->kept_momentum;
        wi_rigid_place(b);
    }
    if (w->has_system) wi_linkage_place(w);
}
