/* SPDX-License-Identifier: MIT */
/*
 * Coulomb's friction of springs. In the default step each contact has a bristle, a tangential spring that is drawn out by the slide
 * and whose force, with its damper, is at most mu times the normal one: below the cone it holds, at the cone the bristle slips.
 * As a right-hand side of RK2 and RK4, which has no memory, it is smoothed: mu F v / sqrt(v^2 + s^2).
 */
#include "haptic_record.h"

/* h^2 k y of all bristles of a body together at most, and their damping ratio. What they take of the 4 that a step carries is
 * H + 4 RATIO sqrt(H): 0.48 at most, and no more than half of what all else leaves, so that no world is refused for them. */
static const double HOLD = 0.1, RATIO = 0.3;

static double friction_of(const wit_haptic_def* def, int pair)
{
    const wit_response* r = def->pairs[pair].response ? def->pairs[pair].response : &def->response;
    bool proxy = def->bodies[def->pairs[pair].b].drive == WIT_DRIVE_PROXY;
    return r->kind == WIT_RESPONSE_PENALTY && !proxy && !world_is_joint(def) ? r->friction : 0;
}

static int rubbing_pairs(const wit_haptic_def* def, int body)
{
    int n = 0;
    for (int i = 0; i < def->pair_count; ++i)
        if ((def->pairs[i].a == body || def->pairs[i].b == body) && friction_of(def, i) > 0) ++n;
    return n;
}

friction_hold wi_friction_hold(const wit_haptic_def* def, int pair, double rate)
{
    friction_hold f = {0, 0, 0};
    const wit_haptic_pair_def* p = &def->pairs[pair];
    if (!(friction_of(def, pair) > 0)) return f;
    double k = p->response ? p->response->stiffness : def->response.stiffness;
    int a = rubbing_pairs(def, p->a), b = rubbing_pairs(def, p->b), most = a > b ? a : b;
    f.yield = wi_haptic_yield(def, p->a, true) + wi_haptic_yield(def, p->b, true);
    if (!(f.yield > 0)) return f;
    double room = fmin(wi_haptic_room(def, p->a, rate), wi_haptic_room(def, p->b, rate)) / 2;
    double root = sqrt(4 * RATIO * RATIO + room) - 2 * RATIO, hold = fmin(HOLD, root * root);
    f.stiffness = fmin(k, hold * rate * rate / (f.yield * most));
    f.damping = 2 * RATIO * sqrt(f.stiffness / f.yield / most);
    return f;
}

wit_vec3 wi_friction_sticking(const world_pair* p, world_contact* c, wit_vec3 slide, double h)
{
    double share = p->hold * c->stiffness, most = p->response.friction * c->press;
    /* A bristle that is drawn out gets no stiffer: that would wind it up. */
    double k = c->bristle_energy > 0 ? fmin(c->bristle_stiffness, share) : share;
    wit_vec3 none = vec3(0, 0, 0);
    c->slides = false;
    if (!(k > 0) || !(most > 0)) {
        c->bristle = none;
        c->bristle_energy = 0;
        return none;
    }
    /* The bristle turns with the tangent plane, as long as it was. */
    wit_vec3 drawn = addscaled3(c->bristle, -dot3(c->bristle, c->normal), c->normal);
    double was = norm3(c->bristle), flat = norm3(drawn);
    if (flat > 0) drawn = scale3(was / flat, drawn);
    drawn = addscaled3(drawn, h, slide);
    wit_vec3 force = addscaled3(scale3(-k, drawn), -k * p->hold_damping, slide);
    double size = norm3(force);
    if (size > most) {
        c->slides = true;
        force = scale3(most / size, force);
        double length = norm3(drawn);
        if (k * length > most) drawn = scale3(most / (k * length), drawn);
    }
    c->bristle = drawn;
    c->bristle_stiffness = k;
    c->bristle_energy = k * dot3(drawn, drawn) / 2;
    return force;
}

wit_vec3 wi_friction_smooth(const wit_haptic* w, const world_pair* p, const world_contact* c, wit_vec3 slide)
{
    double speed = norm3(slide), mu = p->response.friction;
    if (!(mu > 0) || !(speed > 0)) return vec3(0, 0, 0);
    /* As a damper it is as steep as mu F / s: no steeper than a step carries. */
    const world_body* bodies = world_bodies(w);
    wit_vec3 axis = scale3(1 / speed, slide);
    double yield = wi_body_yield(w, &bodies[p->a], axis, c->point) + wi_body_yield(w, &bodies[p->b], axis, c->point);
    double s = fmax(p->response.slip_speed, mu * c->press * yield / w->def.rate);
    return scale3(-mu * c->press / sqrt(speed * speed + s * s), slide);
}
