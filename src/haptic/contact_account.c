/* SPDX-License-Identifier: MIT */
/*
 * Springs that nothing has wound up give nothing back. Between two steps the depth of a contact grows by what its bodies move against
 * each other along the normal,
 *     way = -h (n0.u0 + n1.u1) / 2,   u the velocity of b against a at the contact, with the speeds of the step, before and after,
 * to the third order of h; so its energy k x^2 / 2 should become k (x0 + way)^2 / 2. What it has beyond that came from no motion: a
 * contact found at a depth, a distance that jumped, a share of the stiffness that grew. Each pair keeps a tank: filled by what its
 * dampers take off and by springs that end loaded, emptied by such gains. Below -BOUND of the largest energy the pair
 * has stored there is no more: the gain is taken back by an offset of the depth, which goes again as far as the tank pays for it.
 * So all contacts of a pair together put no more than BOUND of that energy into a world, whatever the distances say.
 *
 * Besides, no spring's force grows by more than the motion explains: x1 <= x0 + way of the whole velocity.
 */
#include "haptic_record.h"

static const double BOUND = 1e-3;
static const double RELAX_TIME = 0.05; /* seconds */

static double positive(double x)
{
    return x > 0 ? x : 0;
}

static double depth_of(const world_contact* c)
{
    return -c->distance - c->offset;
}

static double energy_at(const world_contact* c, double x)
{
    return c->stiffness * positive(x) * positive(x) / 2;
}

/* With the speeds of the step at the places before it. */
static wit_vec3 velocity_before(const wit_haptic* w, int body, wit_vec3 at)
{
    const world_body* b = &world_bodies(w)[body];
    if (b->def.drive != WIT_DRIVE_DYNAMIC) return wit_motion_velocity(&b->motion, at);
    return add3(b->v, cross3(b->motion.twist.angular, sub3(at, b->old_c)));
}

static wit_vec3 relative_before(const wit_haptic* w, const world_pair* p, wit_vec3 at)
{
    return sub3(velocity_before(w, p->b, at), velocity_before(w, p->a, at));
}

static const world_contact* find(const world_contact* list, int n, int64_t id)
{
    for (int i = 0; i < n; ++i)
        if (list[i].id == id) return &list[i];
    return NULL;
}

/* The energy that is paid for, of a contact that was there. */
static double paid_for(const wit_haptic* w, const world_pair* p, const world_contact* was, const world_contact* now,
                       double h)
{
    wit_vec3 u = relative_before(w, p, was->point);
    double way = -h * dot3(was->normal, u);
    if (now) way = (way - h * dot3(now->normal, wi_contact_velocity(w, p, now->point))) / 2;
    return energy_at(was, depth_of(was) + way);
}

/* Of one that was not: at most as deep as it may have come in this step. */
static double paid_by_entry(const world_contact* c, double way)
{
    return energy_at(c, fmin(depth_of(c), positive(way)));
}

/* No deeper than x: the rest is offset. */
static void hold_back(world_contact* c, double x)
{
    double depth = depth_of(c);
    if (depth > x) c->offset += depth - positive(x);
}

/* What its damper took off in the step. */
static double taken_off(const wit_haptic* w, const world_pair* p, const world_contact* c, double h)
{
    return -h * c->lossy * dot3(c->normal, add3(c->came, relative_before(w, p, c->point))) / 2;
}

static void fill(world_pair* p, double gain)
{
    p->tank = fmin(p->tank - gain, p->peak);
}

/* Takes `excess` of energy off the contacts that gained, each at most what it gained. */
static void take_back(world_contact* c, double gained, double all, double excess)
{
    double keep = energy_at(c, depth_of(c)) - gained * fmin(1, excess / all);
    hold_back(c, c->stiffness > 0 ? sqrt(2 * positive(keep) / c->stiffness) : 0);
}

/* Offsets go as the tank pays for it. */
static void relax(world_pair* p, world_contact* c, double h)
{
    c->offset = fmin(c->offset, positive(-c->distance));
    if (!(c->offset > 0) || !(p->tank > 0)) return;
    double x = depth_of(c), by = c->offset * fmin(1, h / RELAX_TIME);
    double most = c->stiffness > 0 ? sqrt(x * x + 2 * p->tank / c->stiffness) - x : by;
    by = fmin(by, most);
    p->tank -= energy_at(c, x + by) - energy_at(c, x);
    c->offset -= by;
}

/* `gained`: of each contact; `gain`: of all, less what ended; `lost`: by dampers. */
static void settle(wit_haptic* w, world_pair* p, const double* gained, double gain, double lost, double h)
{
    world_contact* c = pair_contacts(w, p);
    double floor = -BOUND * p->peak, up = 0, before = 0, sum = 0;
    for (int i = 0; i < p->contact_count; ++i) before += energy_at(&c[i], depth_of(&c[i]));
    fill(p, gain - lost);
    for (int i = 0; i < p->contact_count; ++i) up += positive(gained[i]);
    if (p->tank < floor && up > 0) {
        double excess = fmin(floor - p->tank, up);
        for (int i = 0; i < p->contact_count; ++i)
            if (gained[i] > 0) take_back(&c[i], gained[i], up, excess);
        p->tank += excess;
    }
    for (int i = 0; i < p->contact_count; ++i) {
        relax(p, &c[i], h);
        sum += energy_at(&c[i], depth_of(&c[i]));
    }
    p->peak = fmax(p->peak, sum);
    w->dissipated -= gain + sum - before;
}

void wi_account_step(wit_haptic* w, world_pair* p, const world_contact* before, int count, double h)
{
    world_contact* c = pair_contacts(w, p);
    double gained[64], gain = 0, lost = 0;
    for (int i = 0; i < p->contact_count; ++i) {
        const world_contact* was = find(before, count, c[i].id);
        wit_vec3 u = wi_contact_velocity(w, p, c[i].point);
        c[i].offset = fmin(c[i].offset, positive(-c[i].distance));
        hold_back(&c[i], was ? positive(depth_of(was)) + h * norm3(u) : h * norm3(u));
        double paid = was ? paid_for(w, p, was, &c[i], h) : paid_by_entry(&c[i], -h * dot3(c[i].normal, u));
        gained[i] = energy_at(&c[i], depth_of(&c[i])) - paid;
        gain += gained[i];
    }
    for (int i = 0; i < count; ++i) {
        lost += taken_off(w, p, &before[i], h);
        if (!find(c, p->contact_count, before[i].id)) gain -= paid_for(w, p, &before[i], NULL, h);
    }
    settle(w, p, gained, gain, lost, h);
}

void wi_account_jump(wit_haptic* w, world_pair* p, double was)
{
    world_contact* c = pair_contacts(w, p);
    c->offset = fmin(c->offset, positive(-c->distance));
    double gained = energy_at(c, depth_of(c)) - energy_at(c, was - c->offset);
    settle(w, p, &gained, gained, 0, 0);
}
