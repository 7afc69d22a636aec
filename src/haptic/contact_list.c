/* SPDX-License-Identifier: MIT */
/*
 * The contacts of a pair from step to step. What is known of one (its spring's share, its friction, its impulse) goes on with its id.
 *
 * The pair's stiffness k is shared: a group that presses has k / n at each of its n points, n over all groups that press, so that a
 * body at rest is weight / k deep however many points hold it. Points that come or go change the shares, not at once but within
 * SHARE_TIME, and the sum never exceeds k: the stability check holds for it.
 */
#include <string.h>

#include "../body/body_record.h"
#include "haptic_record.h"

static const double SHARE_TIME = 0.02; /* seconds */

int wi_contact_capacity(const wit_haptic_def* def, int pair)
{
    bool proxy = def->bodies[def->pairs[pair].b].drive == WIT_DRIVE_PROXY;
    if (proxy || world_is_joint(def) || wi_sheet_pair(def, pair) || haptic_keeps(def, pair)) return 1;
    return WORLD_CONTACTS;
}

wit_vec3 wi_contact_velocity(const wit_haptic* w, const world_pair* p, wit_vec3 at)
{
    const world_body *a = &world_bodies(w)[p->a], *b = &world_bodies(w)[p->b];
    return sub3(wit_motion_velocity(&b->motion, at), wit_motion_velocity(&a->motion, at));
}

void wi_contact_single(const wit_haptic* w, world_pair* p)
{
    world_contact* c = pair_contacts(w, p);
    if (!p->contact_count) {
        memset(c, 0, sizeof *c);
        c->id = c->group = 1;
        c->stiffness = p->response.stiffness;
        p->contact_count = 1;
    }
    c->distance = p->now.distance;
    c->normal = p->now.normal;
    c->point = p->now.point;
    c->sure = p->now.track.outcome == WIT_OUTCOME_CONVERGED;
}

/* ---- shares ---------------------------------------------------------------------------------- */

static bool group_presses(const world_contact* c, int n, int64_t group)
{
    for (int i = 0; i < n; ++i)
        if (c[i].group == group && c[i].distance < 0) return true;
    return false;
}

/* Those whose springs were free have their shares at once, of what the others leave. */
static void share_stiffness(const wit_haptic* w, const world_pair* p, double h)
{
    world_contact* c = pair_contacts(w, p);
    int n = p->contact_count, points = 0;
    bool presses[WORLD_CONTACTS];
    for (int i = 0; i < n; ++i) points += presses[i] = group_presses(c, n, c[i].group);
    double k = p->response.stiffness, sum = 0;
    for (int i = 0; i < n; ++i) {
        if (!(c[i].spring > 0)) continue;
        double to = presses[i] ? k / points : 0;
        c[i].stiffness += (to - c[i].stiffness) * fmin(1, h / SHARE_TIME);
        sum += c[i].stiffness;
    }
    for (int i = 0; i < n; ++i) {
        if (c[i].spring > 0) continue;
        c[i].stiffness = presses[i] ? fmin(k / points, fmax(0, k - sum)) : 0;
        sum += c[i].stiffness;
    }
}

/* ---- the list -------------------------------------------------------------------------------- */

static const world_contact* find(const world_contact* list, int n, int64_t id)
{
    for (int i = 0; i < n; ++i)
        if (list[i].id == id) return &list[i];
    return NULL;
}

void wi_contacts_refresh(wit_haptic* w, world_pair* p, double h)
{
    world_contact *now = pair_contacts(w, p), *before = pair_before(w, p);
    int count = p->contact_count;
    memcpy(before, now, (size_t)count * sizeof *before);
    if (!p->listed) {
        wi_contact_single(w, p);
    } else {
        wit_tracked_contact list[WORLD_CONTACTS];
        int n = wit_tracker_contacts(pair_tracker(w, p), list, p->contact_capacity);
        p->contact_count = n < p->contact_capacity ? n : p->contact_capacity;
        for (int i = 0; i < p->contact_count; ++i) {
            const wit_tracked_contact* t = &list[i];
            const world_contact* was = find(before, count, t->id);
            if (was)
                now[i] = *was;
            else
                memset(&now[i], 0, sizeof now[i]);
            now[i].id = t->id;
            now[i].group = t->group;
            now[i].distance = t->distance;
            now[i].normal = t->normal;
            now[i].point = scale3(0.5, add3(t->a.point, t->b.point));
            now[i].sure = !(t->flags & WIT_CONTACT_MOVED);
        }
    }
    if (p->response.kind == WIT_RESPONSE_PENALTY) {
        if (p->listed) share_stiffness(w, p, h);
        if (p->known) wi_account_step(w, p, before, count, h);
    }
    p->known = true;
}
