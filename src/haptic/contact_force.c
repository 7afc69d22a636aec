/* SPDX-License-Identifier: MIT */
/* Contact by penalty: d the signed distance, n the normal from a to b, d' = n . (v_b - v_a) of the material at the witnesses. */
#include "haptic_record.h"

static double normal_force(const wit_response* r, double depth, double rate)
{
    if (r->damping_kind == WIT_DAMPING_HUNT_CROSSLEY) return r->stiffness * depth * fmax(0, 1 - r->damping * rate);
    return fmax(0, r->stiffness * depth - r->damping * rate);
}

/* On b. Regularised: mu F v / sqrt(v^2 + s^2); with h > 0 no more than what stops the sliding within h. */
static wit_vec3 friction_force(const wit_haptic* w, const world_pair* p, double normal, wit_vec3 slide, double h)
{
    double speed = norm3(slide), mu = p->response.friction;
    if (!(mu > 0) || !(speed > 0)) return vec3(0, 0, 0);
    const world_body* bodies = world_bodies(w);
    double s = p->response.slip_speed, size = mu * normal * speed / sqrt(speed * speed + s * s);
    wit_vec3 axis = scale3(1 / speed, slide);
    if (h > 0) {
        double yield =
            wi_body_yield(w, &bodies[p->a], axis, p->now.point) + wi_body_yield(w, &bodies[p->b], axis, p->now.point);
        if (yield > 0) size = fmin(size, speed / (yield * h));
    }
    return scale3(-size, axis);
}

static void pair_force(wit_haptic* w, world_pair* p, double h)
{
    world_body *a = &world_bodies(w)[p->a], *b = &world_bodies(w)[p->b];
    /* where the force acts: the same along the normal as at the witnesses */
    wit_vec3 slide = sub3(wit_motion_velocity(&b->motion, p->now.point), wit_motion_velocity(&a->motion, p->now.point));
    double rate = dot3(slide, p->now.normal), depth = -p->now.distance;
    p->now.rate = rate;
    p->came = slide;
    if (p->response.kind != WIT_RESPONSE_PENALTY) return;
    p->now.touching = false;
    p->now.force = 0;
    p->now.force_on_b = p->rub = vec3(0, 0, 0);
    p->lossy = 0;
    if (!(depth > 0)) return;
    double spring = p->response.stiffness * depth, normal = normal_force(&p->response, depth, rate);
    slide = addscaled3(slide, -rate, p->now.normal);
    wit_vec3 rub = friction_force(w, p, normal, slide, h), force = addscaled3(rub, normal, p->now.normal);
    p->now.touching = true;
    p->now.force = normal;
    p->now.force_on_b = force;
    wi_body_push(b, force, p->now.point);
    wi_body_push(a, scale3(-1, force), p->now.point);
    w->contact_energy += spring * depth / 2;
    p->lossy = normal - spring;
    p->rub = rub;
}

void wi_contact_forces(wit_haptic* w, double h)
{
    w->contact_energy = 0;
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        if (!p->proxy) pair_force(w, p, h);
    }
}
