/* SPDX-License-Identifier: MIT */
/*
 * Springs that nothing has wound up give nothing back. In a step of h a contact's force F, the same all through, takes
 *     W = h F.(u0 + u1) / 2,   u the velocity of b against a at the contact before and after the kick,
 * from its spring and gives it to the bodies: exactly, whatever their masses. The energy of a semi-implicit spring is
 *     e = k x^2 / 2 + h k x r / 2,   r = n.u the rate,
 * which the method keeps where k x^2 / 2 alone swings; so e should fall by W. What is left beyond that, gain = e1 - e0 + W, came from
 * no motion: a contact found at a depth, a distance that jumped, a share of the stiffness that grew, a body that turns too far in a
 * step. Friction's bristles are counted alike. Each pair keeps a tank, filled by what its dampers and friction take off and by springs
 * that end loaded, emptied by gains. Below its floor there is no more: what is missing is taken from the springs by an offset of the
 * depth, which goes again as far as the tank pays for it. The floor is BOUND of the largest energy that the pair has stored, plus
 * h^2 k r^2 / 2 within GRAIN of it: a spring that comes or goes within a step is off by an eighth of h^2 k r^2 to either side.
 * So the contacts of a pair put no more than that into a world, whatever the distances say.
 *
 * Booked as dissipated is what ends loaded, what shares change, and, negative, what the tank gives back to offsets and for gains beyond
 * the floor. The rest of the gains is the error of the step: the balance of the energies shows it.
 *
 * Besides, no spring's force grows by more than the motion explains: x1 <= x0 + h |u|.
 */
#include "haptic_record.h"

static const double BOUND = 1e-3, GRAIN = 0.01;
static const double RELAX_TIME = 0.05; /* seconds */

static double positive(double x)
{
    return x > 0 ? x : 0;
}

static double depth_of(const world_contact* c)
{
    return -c->distance - c->offset;
}

/* e of a spring pressed by x at the rate r. */
static double energy_at(const world_contact* c, double x, double rate, double h)
{
    x = positive(x);
    return c->stiffness * x * (x + h * rate) / 2;
}

static double rate_of(const wit_haptic* w, const world_pair* p, const world_contact* c)
{
    return dot3(c->normal, wi_contact_velocity(w, p, c->point));
}

/* With the speeds of the step at the places before it. */
static wit_vec3 velocity_before(const wit_haptic* w, int body, wit_vec3 at)
{
    const world_body* b = &world_bodies(w)[body];
    if (b->def.drive != WIT_DRIVE_DYNAMIC) return wit_motion_velocity(&b->motion, at);
    wit_pose turned = {vec3(0, 0, 0), b->old_q};
    wit_vec3 m = wit_pose_unvector(&turned, b->momentum);
    const double* i = b->inverse;
    wit_vec3 spin = vec3(i[0] * m.x + i[1] * m.y + i[2] * m.z, i[3] * m.x + i[4] * m.y + i[5] * m.z,
                         i[6] * m.x + i[7] * m.y + i[8] * m.z);
    return add3(b->v, cross3(wit_pose_vector(&turned, spin), sub3(at, b->old_c)));
}

/* Mean of the velocities before and after the kick of the step. */
static wit_vec3 mean_velocity(const wit_haptic* w, const world_pair* p, const world_contact* c)
{
    wit_vec3 after = sub3(velocity_before(w, p->b, c->point), velocity_before(w, p->a, c->point));
    return scale3(0.5, add3(c->came, after));
}

static const world_contact* find(const world_contact* list, int n, int64_t id)
{
    for (int i = 0; i < n; ++i)
        if (list[i].id == id) return &list[i];
    return NULL;
}

/* No deeper than x: the rest is offset. */
static void hold_back(world_contact* c, double x)
{
    double depth = depth_of(c);
    if (depth > x) c->offset += depth - positive(x);
}

/* Takes up to `excess` of e off a spring; what it took. e falls with x only down to x = -h r / 2. */
static double take_off(world_contact* c, double rate, double excess, double h)
{
    double x = depth_of(c), low = positive(-h * rate / 2);
    if (!(x > low) || !(c->stiffness > 0)) return 0;
    double e = energy_at(c, x, rate, h), to = e - excess, inside = h * h * rate * rate / 4 + 2 * to / c->stiffness;
    double root = inside > 0 ? sqrt(inside) - h * rate / 2 : low;
    hold_back(c, fmax(low, fmin(x, root)));
    return e - energy_at(c, depth_of(c), rate, h);
}

/* Offsets go as the tank pays for it. */
static double relax(world_pair* p, world_contact* c, double rate, double h)
{
    if (!(c->offset > 0) || !(p->tank > 0) || !(c->stiffness > 0)) return 0;
    double x = positive(depth_of(c)), e = energy_at(c, x, rate, h), by = c->offset * fmin(1, h / RELAX_TIME);
    double cost = energy_at(c, x + by, rate, h) - e;
    if (cost > p->tank) by *= p->tank / cost; /* e is convex in x: this costs no more than the tank holds */
    cost = energy_at(c, x + by, rate, h) - e;
    p->tank -= cost;
    c->offset -= by;
    return cost;
}

/*
 * `gain` of all springs of the pair, to be found in the tank or taken back. `caused` is that part of it whose cause is known: contacts
 * that begin, end, or have another share. It is booked, as far as it is not made up for by the rest: what is lost as dissipated, what
 * is given as taken from there.
 */
static void settle(wit_haptic* w, world_pair* p, double gain, double caused, double h)
{
    world_contact* c = pair_contacts(w, p);
    double rate[WORLD_CONTACTS], sum = 0, floor = -BOUND * p->peak, taken = 0;
    for (int i = 0; i < p->contact_count; ++i) {
        rate[i] = rate_of(w, p, &c[i]);
        if (depth_of(&c[i]) > 0) p->grain = fmax(p->grain, h * h * c[i].stiffness * rate[i] * rate[i] / 2);
    }
    floor -= fmin(p->grain, GRAIN * p->peak);
    double holds = positive(p->tank);
    p->tank = fmin(p->tank - gain, p->peak);
    for (int i = 0; i < p->contact_count && p->tank < floor; ++i) {
        double by = take_off(&c[i], rate[i], floor - p->tank, h);
        p->tank += by;
        taken += by;
    }
    double net = gain - taken, booked = fmin(fmax(caused - taken, fmin(net, 0)), fmin(positive(net), holds));
    if (net - booked > -floor) booked += fmin(net - booked, positive(holds - booked));
    w->dissipated -= booked;
    for (int i = 0; i < p->contact_count; ++i) {
        w->dissipated -= relax(p, &c[i], rate[i], h);
        sum += energy_at(&c[i], depth_of(&c[i]), 0, h);
    }
    p->peak = fmax(p->peak, sum);
}

void wi_account_step(wit_haptic* w, world_pair* p, const world_contact* before, int count, double h)
{
    world_contact* c = pair_contacts(w, p);
    double gain = 0, caused = 0;
    for (int i = 0; i < p->contact_count; ++i) {
        const world_contact* was = find(before, count, c[i].id);
        double way = h * norm3(wi_contact_velocity(w, p, c[i].point));
        c[i].offset = fmin(c[i].offset, positive(-c[i].distance));
        if (!c[i].joined) hold_back(&c[i], was ? positive(depth_of(was)) + way : way);
        double rate = rate_of(w, p, &c[i]), e = energy_at(&c[i], depth_of(&c[i]), rate, h);
        gain += e;
        if (!was || !(was->spring > 0))
            caused += was ? 0 : e;
        else if (c[i].stiffness > 0)
            caused += e * (1 - was->stiffness / c[i].stiffness);
    }
    for (int i = 0; i < count; ++i) {
        const world_contact* was = &before[i];
        wit_vec3 mean = mean_velocity(w, p, was);
        double e = energy_at(was, depth_of(was), dot3(was->normal, was->came), h);
        double left = e - h * was->spring * dot3(was->normal, mean);
        gain -= left;
        if (!find(c, p->contact_count, was->id)) caused -= left;
        /* Dampers and friction: booked where they act, here only in the tank. */
        p->tank -= h * dot3(addscaled3(was->rub, was->lossy, was->normal), mean) - was->bristle_swing;
    }
    settle(w, p, gain, caused, h);
}

void wi_account_jump(wit_haptic* w, world_pair* p, double was)
{
    world_contact* c = pair_contacts(w, p);
    c->offset = fmin(c->offset, positive(-c->distance));
    settle(w, p, energy_at(c, depth_of(c), 0, 0) - energy_at(c, was - c->offset, 0, 0), 0, 0);
}
