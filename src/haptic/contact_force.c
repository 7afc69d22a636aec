/* SPDX-License-Identifier: MIT */
/*
 * Contact by penalty, at each contact of a pair: x the depth less its offset, k its share of the stiffness, d' = n.(v_b - v_a) of the
 * material where the force acts: F = max(0, k x - c d'), c shared as k is.
 */
#include "haptic_record.h"

/* Force of the damper per rate. Hunt and Crossley's grows with the depth: no check bounds it. It is no stronger than the step carries
 * (p->room). */
static double damping_of(const wit_haptic* w, const world_pair* p, const world_contact* c, double spring)
{
    const wit_response* r = &p->response;
    if (r->damping_kind != WIT_DAMPING_HUNT_CROSSLEY) return r->damping * c->stiffness / r->stiffness;
    const world_body* bodies = world_bodies(w);
    double yield =
        wi_body_yield(w, &bodies[p->a], c->normal, c->point) + wi_body_yield(w, &bodies[p->b], c->normal, c->point);
    double most = yield > 0 ? p->room * w->def.rate / (4 * yield * p->contact_count) : INFINITY;
    return fmin(r->damping * spring, most);
}

/* Negative where damping would pull. */
static double damped(const wit_haptic* w, const world_pair* p, const world_contact* c, double x, double rate)
{
    double spring = c->stiffness * x;
    return spring - damping_of(w, p, c, spring) * rate;
}

static contact_mode mode_of(const wit_haptic* w, const world_pair* p, const world_contact* c)
{
    double x = -c->distance - c->offset;
    if (!(x > 0) || !(c->stiffness > 0)) return CONTACT_APART;
    return damped(w, p, c, x, dot3(c->came, c->normal)) > 0 ? CONTACT_PRESSED : CONTACT_LOOSE;
}

contact_mode wi_contact_mode(const wit_haptic* w, const world_pair* p)
{
    return p->contact_count ? mode_of(w, p, pair_contacts(w, p)) : CONTACT_APART;
}

static void contact_force(wit_haptic* w, world_pair* p, world_contact* c, double h)
{
    wit_vec3 slide = wi_contact_velocity(w, p, c->point), none = vec3(0, 0, 0);
    double rate = dot3(slide, c->normal), x = -c->distance - c->offset;
    c->came = slide;
    if (p->response.kind != WIT_RESPONSE_PENALTY) return;
    c->spring = c->press = c->lossy = 0;
    c->rub = none;
    contact_mode mode = p->mode == CONTACT_FREE ? mode_of(w, p, c) : p->mode;
    if (mode == CONTACT_APART) {
        c->bristle = none;
        c->bristle_energy = 0;
        return;
    }
    c->spring = c->stiffness * x;
    c->press = mode == CONTACT_PRESSED ? damped(w, p, c, x, rate) : 0;
    c->lossy = c->press - c->spring;
    slide = addscaled3(slide, -rate, c->normal);
    c->rub = h > 0 ? wi_friction_sticking(p, c, slide, h) : wi_friction_smooth(w, p, c, slide);
    wit_vec3 force = addscaled3(c->rub, c->press, c->normal);
    wi_body_push(&world_bodies(w)[p->b], force, c->point);
    wi_body_push(&world_bodies(w)[p->a], scale3(-1, force), c->point);
    w->contact_energy += c->spring * x / 2;
}

/* Of all contacts together, for the caller. */
static void pair_force(wit_haptic* w, world_pair* p, double h)
{
    p->now.sure = p->now.track.outcome == WIT_OUTCOME_CONVERGED;
    world_contact* c = pair_contacts(w, p);
    wit_vec3 sum = vec3(0, 0, 0);
    double press = 0;
    for (int i = 0; i < p->contact_count; ++i) {
        contact_force(w, p, &c[i], h);
        /* Of friction's bristle: see contact_account.c. */
        c[i].bristle_swing = c[i].bristle_energy - h * dot3(c[i].rub, c[i].came) / 2;
        p->tank -= c[i].bristle_swing;
        p->now.sure &= c[i].sure || c[i].distance > 0;
        press += c[i].press;
        sum = add3(sum, addscaled3(c[i].rub, c[i].press, c[i].normal));
    }
    p->now.rate = dot3(wi_contact_velocity(w, p, p->now.point), p->now.normal);
    if (p->response.kind != WIT_RESPONSE_PENALTY) return;
    p->now.force = press;
    p->now.force_on_b = sum;
    p->now.touching = false;
    for (int i = 0; i < p->contact_count; ++i) p->now.touching |= c[i].spring > 0;
}

void wi_contact_forces(wit_haptic* w, double h)
{
    double bristles = 0;
    w->contact_energy = 0;
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        if (p->proxy) continue;
        pair_force(w, p, h);
        for (int k = 0; k < p->contact_count; ++k) bristles += pair_contacts(w, p)[k].bristle_energy;
    }
    if (!(h > 0)) return; /* smoothed friction stores nothing */
    w->contact_energy += bristles;
    w->dissipated -= bristles - w->bristle_energy; /* all work of friction is booked as taken off: this part is not */
    w->bristle_energy = bristles;
}
