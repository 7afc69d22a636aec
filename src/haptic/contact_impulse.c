/* SPDX-License-Identifier: MIT */
/*
 * Contact by impulses: sequential impulses (Gauss-Seidel) over the pairs that touch, each clamped so that its sum only pushes.
 *   v_n -> -e v_n where it was faster than the rest speed, else 0; a slow pair just before touch may close its gap and no more.
 *   friction: the sum of tangential impulses stays within mu times that of the normal ones.
 * Depth left over is taken back by moving the bodies apart, without velocity.
 */
#include "haptic_record.h"

static wit_vec3 relative(const wit_haptic* w, const world_pair* p)
{
    const world_body *a = &world_bodies(w)[p->a], *b = &world_bodies(w)[p->b];
    return sub3(wit_motion_velocity(&b->motion, p->now.point), wit_motion_velocity(&a->motion, p->now.point));
}

static double yield(const wit_haptic* w, const world_pair* p, wit_vec3 axis)
{
    const world_body* bodies = world_bodies(w);
    return wi_body_yield(w, &bodies[p->a], axis, p->now.point) + wi_body_yield(w, &bodies[p->b], axis, p->now.point);
}

static void kick(wit_haptic* w, const world_pair* p, wit_vec3 impulse)
{
    world_body* bodies = world_bodies(w);
    wi_body_kick(w, &bodies[p->b], impulse, p->now.point);
    wi_body_kick(w, &bodies[p->a], scale3(-1, impulse), p->now.point);
}

/* Who takes part, and the normal speed it is to have. */
static bool begin(const wit_haptic* w, world_pair* p, double h)
{
    p->impulse = 0;
    p->rubbed = vec3(0, 0, 0);
    p->solved = false;
    p->now.touching = false;
    p->now.force = 0;
    p->now.force_on_b = vec3(0, 0, 0);
    if (p->proxy || p->response.kind != WIT_RESPONSE_IMPULSE) return false;
    double rest = p->response.rest_speed > 0 ? p->response.rest_speed : 4 * norm3(w->def.gravity) * h;
    double d = p->now.distance, v = dot3(relative(w, p), p->now.normal);
    if (d > 0 && (v < -rest || d + h * v >= 0)) return false; /* fast ones bounce once they are in */
    /* The speed before this step's forces came here, and its opposite leaves: the same way back, so that a bounce with e = 1
     * adds nothing on the whole. */
    double came = p->now.rate;
    p->aim = d <= 0 && came < -rest ? -p->response.restitution * came : d > 0 ? -d / h : 0;
    p->solved = true;
    return true;
}

static void solve(wit_haptic* w, world_pair* p)
{
    wit_vec3 n = p->now.normal, v = relative(w, p);
    double give = yield(w, p, n);
    if (!(give > 0)) return;
    double sum = fmax(0, p->impulse + (p->aim - dot3(v, n)) / give);
    kick(w, p, scale3(sum - p->impulse, n));
    p->impulse = sum;
    if (!(p->response.friction > 0)) return;
    v = relative(w, p);
    wit_vec3 slide = addscaled3(v, -dot3(v, n), n);
    double speed = norm3(slide);
    if (!(speed > 0)) return;
    wit_vec3 axis = scale3(1 / speed, slide);
    double stop = yield(w, p, axis);
    if (!(stop > 0)) return;
    wit_vec3 rubbed = addscaled3(p->rubbed, -speed / stop, axis);
    double size = norm3(rubbed), most = p->response.friction * p->impulse;
    if (size > most) rubbed = scale3(most / size, rubbed);
    kick(w, p, sub3(rubbed, p->rubbed));
    p->rubbed = rubbed;
}

static void push_out(wit_haptic* w, const world_pair* p)
{
    double depth = -p->now.distance, give = yield(w, p, p->now.normal);
    if (!(depth > 0) || !(give > 0)) return;
    world_body* side[2] = {&world_bodies(w)[p->a], &world_bodies(w)[p->b]};
    for (int i = 0; i < 2; ++i) {
        world_body* b = side[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        wit_vec3 move = scale3((i ? 1 : -1) * p->response.correction * depth / give, p->now.normal);
        wit_vec3 before = b->momentum, c = b->c;
        b->momentum = cross3(sub3(p->now.point, b->c), move);
        wit_vec3 turn = wi_rigid_spin(b);
        b->momentum = before;
        b->c = addscaled3(b->c, 1 / b->def.mass, move);
        b->q = wi_rigid_turned(b->q, turn);
        wi_rigid_place(b);
        w->supplied -= b->def.mass * b->def.weight * dot3(w->def.gravity, sub3(b->c, c));
    }
}

void wi_contact_impulses(wit_haptic* w, double h)
{
    world_pair* pairs = world_pairs(w);
    int active = 0;
    for (int i = 0; i < w->def.pair_count; ++i)
        if (pairs[i].response.kind == WIT_RESPONSE_IMPULSE) active += begin(w, &pairs[i], h);
    if (!active) return;
    for (int round = 0; round < w->def.iterations; ++round)
        for (int i = 0; i < w->def.pair_count; ++i)
            if (pairs[i].solved) solve(w, &pairs[i]);
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &pairs[i];
        if (!p->solved) continue;
        /* Work of an impulse: times the mean of the velocities before and after. */
        wit_vec3 whole = addscaled3(p->rubbed, p->impulse, p->now.normal);
        w->dissipated -= dot3(whole, add3(p->came, relative(w, p))) / 2;
        p->now.touching = p->impulse > 0;
        p->now.force = p->impulse / h;
        p->now.force_on_b = scale3(1 / h, whole);
        if (p->impulse > 0 && !(p->aim > 0)) push_out(w, p);
        p->solved = false;
    }
}
