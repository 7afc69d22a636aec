/* SPDX-License-Identifier: MIT */
/*
 * A point tool. The device at q is inside bodies; the proxy stays outside: the point nearest to q with n_i . (x - p_i) >= 0 for the
 * tangent planes at the witnesses of all pairs in contact (of one pair: the witness itself). Multipliers l_i >= 0,
 * x = q + sum of l_i n_i, by Gauss-Seidel.
 *
 * Friction: the proxy stays where it was on the body while the way to go is within mu times the depth, and else lags
 * behind by that much (the cone).
 */
#include "haptic_record.h"

enum { ROUNDS = 32 };

static wit_vec3 multipliers(wit_haptic* w, wit_vec3 q)
{
    world_pair* pairs = world_pairs(w);
    int count = 0;
    for (int i = 0; i < w->def.pair_count; ++i) {
        pairs[i].share = 0;
        if (pairs[i].proxy) count += pairs[i].inside;
    }
    wit_vec3 x = q;
    for (int round = 0; round < (count > 1 ? ROUNDS : 1); ++round) {
        for (int i = 0; i < w->def.pair_count; ++i) {
            world_pair* p = &pairs[i];
            if (!p->proxy || !p->inside) continue;
            double to = fmax(0, p->share - dot3(p->now.normal, sub3(x, p->point_a)));
            x = addscaled3(x, to - p->share, p->now.normal);
            p->share = to;
        }
    }
    return x;
}

/* The largest friction among those in contact acts on the whole. */
static wit_vec3 rub(const wit_haptic* w, wit_vec3 to, wit_vec3 q)
{
    const world_pair* p = &world_pairs(w)[w->proxy_pair];
    double mu = p->response.friction;
    if (!w->proxy_held || !(mu > 0) || !p->inside) return to;
    const world_body* a = &world_bodies(w)[p->a];
    wit_vec3 was = wit_pose_point(&a->motion.pose, w->proxy_on), n = unit3(sub3(to, q)), way = sub3(to, was);
    way = addscaled3(way, -dot3(way, n), n);
    double length = norm3(way), most = mu * norm3(sub3(to, q));
    if (length <= mu * dot3(sub3(was, q), n)) return was;
    return addscaled3(to, -most / length, way);
}

/* The proxy as it is felt goes to where it belongs at most at its speed. In the first step it is there. */
static wit_vec3 limited(const wit_haptic* w, wit_vec3 to, double h)
{
    wit_vec3 way = sub3(to, w->proxy);
    double length = norm3(way), most = w->def.proxy_speed * h;
    /* What the device itself moves is free, so that in the open the proxy is the device. */
    most += norm3(sub3(w->device_next.pose.position, w->device_from.pose.position));
    return !w->started || length <= most ? to : addscaled3(w->proxy, most / length, way);
}

void wi_god_object_place(wit_haptic* w, double h)
{
    world_body* tool = &world_bodies(w)[w->def.tool];
    wit_vec3 q = w->device.pose.position;
    int deepest = -1;
    const world_pair* pairs = world_pairs(w);
    for (int i = 0; i < w->def.pair_count; ++i)
        if (pairs[i].proxy && pairs[i].inside && (deepest < 0 || pairs[i].now.distance < pairs[deepest].now.distance))
            deepest = i;
    tool->motion = w->device;
    if (deepest < 0) {
        w->proxy = limited(w, q, h);
        w->proxy_held = false;
        tool->motion.pose.position = w->proxy;
        return;
    }
    if (w->proxy_held && deepest != w->proxy_pair) { /* the place is carried on by another body */
        const world_body* a = &world_bodies(w)[pairs[w->proxy_pair].a];
        wit_vec3 was = wit_pose_point(&a->motion.pose, w->proxy_on);
        w->proxy_on = wit_pose_unpoint(&world_bodies(w)[pairs[deepest].a].motion.pose, was);
    }
    w->proxy_pair = deepest;
    wit_vec3 to = rub(w, multipliers(w, q), q);
    w->proxy_on = wit_pose_unpoint(&world_bodies(w)[pairs[deepest].a].motion.pose, to);
    w->proxy = limited(w, to, h);
    w->proxy_held = true;
    tool->motion.pose.position = w->proxy;
}

/* Along the normal of a pair: the spring's share, and the damper against the surface. */
static wit_vec3 pair_force(const wit_haptic* w, world_pair* p, wit_vec3 friction)
{
    const wit_coupler* k = &w->def.coupler;
    const world_body* a = &world_bodies(w)[p->a];
    wit_vec3 run = sub3(w->device.twist.velocity, wit_motion_velocity(&a->motion, p->point_a));
    p->now.rate = dot3(run, p->now.normal);
    p->now.touching = p->inside && w->proxy_held;
    p->now.force = p->now.touching && p->share > 0 ? fmax(0, k->stiffness * p->share - k->damping * p->now.rate) : 0;
    wit_vec3 force = scale3(p->now.force, p->now.normal);
    if (p->now.touching && p == &world_pairs(w)[w->proxy_pair]) force = add3(force, friction);
    return force;
}

/*
 * On the device k (x - q) and, along the normals, the damper against the surface, all of it times what brings it within the limit; on
 * the bodies the opposite. The proxy has no mass: what the device puts in and the bodies do not get and the spring does not
 * keep is taken off, by the damper, by friction and where the proxy slips from face to face (wi_god_object_loss).
 */
void wi_god_object_forces(wit_haptic* w)
{
    world_pair* pairs = world_pairs(w);
    wit_vec3 q = w->device.pose.position, off = sub3(w->proxy, q), pull = scale3(w->def.coupler.stiffness, off);
    wit_vec3 spring = vec3(0, 0, 0), sum = w->proxy_held ? vec3(0, 0, 0) : pull; /* not held: on its way back */
    for (int i = 0; i < w->def.pair_count; ++i)
        if (pairs[i].proxy) spring = addscaled3(spring, w->def.coupler.stiffness * pairs[i].share, pairs[i].now.normal);
    wit_vec3 friction = sub3(pull, spring);
    for (int i = 0; i < w->def.pair_count; ++i) {
        if (!pairs[i].proxy) continue;
        pairs[i].now.force_on_b = pair_force(w, &pairs[i], friction);
        sum = add3(sum, pairs[i].now.force_on_b);
    }
    double size = norm3(sum), part = size > w->def.force_limit ? w->def.force_limit / size : 1;
    w->proxy_power = -part * dot3(sum, w->device.twist.velocity);
    w->supply += w->proxy_power;
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &pairs[i];
        if (!p->proxy) continue;
        world_body* a = &world_bodies(w)[p->a];
        p->now.force *= part;
        p->now.force_on_b = scale3(part, p->now.force_on_b);
        wi_body_push(a, scale3(-1, p->now.force_on_b), p->point_a);
        w->proxy_power += dot3(p->now.force_on_b, wit_motion_velocity(&a->motion, p->point_a));
    }
    w->limited |= part < 1;
    w->coupler_energy = part * w->def.coupler.stiffness * dot3(off, off) / 2;
    w->force = scale3(-part, sum); /* as of the coupler: on the tool; the device gets the opposite */
    w->torque = vec3(0, 0, 0);
}

double wi_god_object_loss(const wit_haptic* w, double power, double energy, double h)
{
    return h * (power + w->proxy_power) / 2 - (w->coupler_energy - energy);
}
