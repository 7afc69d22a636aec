/* SPDX-License-Identifier: MIT */
/* The default step: velocities by the forces at the old place, places by the new velocities, then every tracker once. */
#include "../body/body_record.h"
#include "haptic_record.h"

void wi_world_moved(wit_haptic* w, double share, double h)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i)
        if (bodies[i].def.drive == WIT_DRIVE_MOVED)
            bodies[i].motion = wi_motion_between(&bodies[i].from, &bodies[i].next, share, h);
    if (w->def.tool < 0) return;
    wit_motion at = wi_motion_between(&w->device_from, &w->device_next, share, h);
    *(w->has_human ? &w->want : &w->device) = at;
}

/*
 * Next to touch the way from one witness to the other is rounding; forces need the normal of a face there. Its angle is within
 * sqrt(tolerance) at 1e-7 of the size and exact at touch.
 */
static void touch_normal(wit_haptic* w, world_pair* p, const wit_result* r)
{
    const wit_body *a = world_bodies(w)[p->a].def.shape, *b = world_bodies(w)[p->b].def.shape;
    bool face = r->a.feature == WIT_FACE || (b && r->b.feature == WIT_FACE);
    double size = b && b->size > 0 ? (a->size > 0 ? fmin(a->size, b->size) : b->size) : a->size;
    if (!face || !(fabs(r->distance) <= 1e-7 * size)) return;
    const wit_motion* at = p->proxy ? &w->device : &world_bodies(w)[p->b].motion;
    wit_moving_place one = {a, r->a.feature, r->a.id, r->a.u, r->a.v, world_bodies(w)[p->a].motion};
    wit_moving_place two = {b, r->b.feature, r->b.id, r->b.u, r->b.v, *at};
    wit_kinematics k;
    if (wit_kinematics_at(&one, &two, WIT_FORM_CONTACT, &k) == WIT_OK) p->now.normal = k.normal;
    w->stage_units += 2;
}

static void pair_from(wit_haptic* w, world_pair* p, const wit_result* r)
{
    p->now.track = *r;
    p->now.sure = r->outcome == WIT_OUTCOME_CONVERGED;
    p->now.distance = r->distance;
    p->now.normal = r->normal;
    p->point_a = r->a.point;
    p->point_b = r->b.point;
    p->now.point = scale3(0.5, add3(r->a.point, r->b.point));
    if (!p->side) touch_normal(w, p, r);
}

/*
 * The pair of the god-object. Outside, the tracker that sees jumps finds where the device enters; inside, one that only follows its foot
 * over the surface takes over, so that the proxy does not pop out at the far side of a thin body.
 */
static wit_status look_proxy(wit_haptic* w, world_pair* p, double h)
{
    const wit_motion* a = &world_bodies(w)[p->a].motion;
    wit_result wide, near;
    wit_status status = wit_tracker_step(pair_tracker(w, p), a, &w->device, h, &wide);
    if (status) return status;
    wi_sheet_side(w, p, &wide);
    if (!p->inside) {
        if (!(wide.distance < 0)) {
            wi_events_note(w, p, pair_tracker(w, p), &p->now.track, &wide);
            pair_from(w, p, &wide);
            return WIT_OK;
        }
        wit_tracker_reset(pair_local(w, p));
        status = wit_tracker_place(pair_local(w, p), &wide.a, NULL);
        if (status) return status;
    }
    status = wit_tracker_step(pair_local(w, p), a, &w->device, h, &near);
    if (status) return status;
    wi_sheet_side(w, p, &near);
    work_spend(&near.work, &wide.work);
    p->inside = near.distance < 0;
    wit_result* now = p->inside ? &near : &wide;
    wi_events_note(w, p, p->inside ? pair_local(w, p) : pair_tracker(w, p), &p->now.track, now);
    pair_from(w, p, now);
    p->now.track.work = near.work;
    if (!p->inside && wide.distance < 0) p->now.distance = near.distance; /* out where it went in */
    return WIT_OK;
}

bool wi_world_look(wit_haptic* w, double h)
{
    bool proxy = false;
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        const world_body* bodies = world_bodies(w);
        wit_status status;
        if (p->proxy) {
            proxy = true;
            status = look_proxy(w, p, h);
        } else {
            wit_result r;
            status = wit_tracker_step(pair_tracker(w, p), &bodies[p->a].motion, &bodies[p->b].motion, h, &r);
            if (!status) wi_sheet_side(w, p, &r);
            if (!status) wi_events_note(w, p, pair_tracker(w, p), NULL, &r);
            if (!status) pair_from(w, p, &r);
            if (!status && (!world_is_joint(&w->def) || w->plainly)) wi_contacts_refresh(w, p, h);
        }
        if (status) {
            w->lost_pair = i;
            return false;
        }
    }
    if (proxy || (w->def.tool >= 0 && world_bodies(w)[w->def.tool].def.drive == WIT_DRIVE_PROXY))
        wi_god_object_place(w, h);
    return true;
}

bool wi_world_advance(wit_haptic* w, double h, double share)
{
    world_body* bodies = world_bodies(w);
    double supply = w->supply, power = w->proxy_power, coupled = w->coupler_energy;
    wit_vec3 spring = w->spring, turn = w->angular_spring;
    wit_motion device = w->device;
    bool proxy = w->def.tool >= 0 && bodies[w->def.tool].def.drive == WIT_DRIVE_PROXY;
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->v = addscaled3(b->v, h / b->def.mass, b->force);
        if (b->def.shape) b->momentum = addscaled3(b->momentum, h, b->torque);
        wi_rigid_place(b);
    }
    world_system* s = &w->system;
    if (w->has_system) {
        for (int i = 0; i < s->def.count; ++i) s->speed[i] += h * s->accel[i];
        if (!wi_linkage_place(w)) return false;
    }
    wi_contact_impulses(w, h);
    /* Work of a force is its product with the mean of the velocities before and after, impulses counted. */
    w->dissipated += h * (w->dissipation + wi_world_loss(w)) / 2;
    for (int i = 0; i < w->def.body_count; ++i) {
        if (bodies[i].def.drive != WIT_DRIVE_DYNAMIC) continue;
        wi_rigid_drift(&bodies[i], h);
        wi_rigid_place(&bodies[i]);
    }
    if (w->has_system) {
        for (int i = 0; i < s->def.count; ++i) s->q[i] += h * s->speed[i];
    }
    if (!wi_world_finite(w) || (w->has_system && !wi_linkage_place(w))) return false;
    wi_world_moved(w, share, w->last_step);
    w->time += h;
    if (!wi_world_look(w, h)) return false;
    wi_world_forces(w, h);
    w->supplied += h * (supply + w->supply) / 2 + wi_coupling_work(w, spring, turn, &device, h);
    if (proxy) w->dissipated += wi_god_object_loss(w, power, coupled, h);
    return true;
}
