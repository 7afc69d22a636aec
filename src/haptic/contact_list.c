/* SPDX-License-Identifier: MIT */
/*
 * The contacts of a pair from step to step. What is known of one (its spring's share, its friction, its impulse) goes on with its id.
 *
 * The pair's stiffness k is shared: each of the G groups that press has k / G, so that a body at rest is weight / k deep however many
 * points hold it. Groups that come or go change that, not at once but within SHARE_TIME, and the sum never exceeds k: the stability
 * check holds for it. Within a group a point has the part w of its polygon, half the lengths of the two sides that meet there over the
 * whole: where points run together or one becomes two the force and where it acts go on without a jump. So a point that comes into a
 * group that presses takes over from it: no offset but theirs, their friction.
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

/* In which order the points of a group go round, seen along their mean normal. */
static int go_round(const world_contact* c, int n, int64_t group, int* order)
{
    double angle[WORLD_CONTACTS];
    wit_vec3 centre = vec3(0, 0, 0), normal = vec3(0, 0, 0);
    int m = 0;
    for (int i = 0; i < n; ++i) {
        if (c[i].group != group) continue;
        order[m++] = i;
        centre = add3(centre, c[i].point);
        normal = add3(normal, c[i].normal);
    }
    centre = scale3(1.0 / m, centre);
    wit_vec3 x = cross3(normal, fabs(normal.x) < fabs(normal.y) ? vec3(1, 0, 0) : vec3(0, 1, 0));
    wit_vec3 y = cross3(normal, x);
    for (int i = 0; i < m; ++i) {
        wit_vec3 d = sub3(c[order[i]].point, centre);
        double a = wit_atan2(dot3(d, y), dot3(d, x));
        int k = i, at = order[i];
        for (; k > 0 && angle[k - 1] > a; --k) {
            angle[k] = angle[k - 1];
            order[k] = order[k - 1];
        }
        angle[k] = a;
        order[k] = at;
    }
    return m;
}

/* Sets `stiffness` of the group's points to their parts of `whole`. */
static void share_group(world_contact* c, int n, int64_t group, double whole)
{
    int order[WORLD_CONTACTS], m = go_round(c, n, group, order);
    double side[WORLD_CONTACTS], sum = 0;
    for (int i = 0; i < m; ++i) sum += side[i] = norm3(sub3(c[order[(i + 1) % m]].point, c[order[i]].point));
    for (int i = 0; i < m; ++i)
        c[order[i]].stiffness = sum > 0 ? whole * (side[i] + side[(i + m - 1) % m]) / (2 * sum) : whole / m;
}

static bool begins_group(const world_contact* c, int i)
{
    for (int k = 0; k < i; ++k)
        if (c[k].group == c[i].group) return false;
    return true;
}

/* Groups whose springs were free have their shares at once, of what the others leave. */
static void share_stiffness(const wit_haptic* w, const world_pair* p, const world_contact* before, int count, double h)
{
    world_contact* c = pair_contacts(w, p);
    int n = p->contact_count, groups = 0;
    double held[WORLD_CONTACTS] = {0}, k = p->response.stiffness, sum = 0;
    for (int i = 0; i < n; ++i) {
        if (!begins_group(c, i)) continue;
        groups += group_presses(c, n, c[i].group);
        bool pressed = false;
        for (int j = 0; j < count; ++j) {
            if (before[j].group != c[i].group) continue;
            held[i] += before[j].stiffness;
            pressed |= before[j].spring > 0;
        }
        if (!pressed) held[i] = 0;
    }
    for (int fresh = 0; fresh < 2; ++fresh)
        for (int i = 0; i < n; ++i) {
            if (!begins_group(c, i) || fresh != !(held[i] > 0)) continue;
            double to = group_presses(c, n, c[i].group) ? k / groups : 0;
            double whole = fresh ? fmin(to, fmax(0, k - sum)) : held[i] + (to - held[i]) * fmin(1, h / SHARE_TIME);
            share_group(c, n, c[i].group, whole);
            sum += whole;
        }
}

/* A point that comes into a group that presses: friction as it is held there, and no offset but theirs. */
static void join_group(world_contact* c, const world_contact* before, int count)
{
    double sum = 0, k = 0, offset = 0;
    bool pressed = false;
    wit_vec3 bristle = vec3(0, 0, 0);
    for (int i = 0; i < count; ++i) {
        const world_contact* b = &before[i];
        if (b->group != c->group) continue;
        pressed |= b->spring > 0;
        sum += b->stiffness;
        offset += b->stiffness * b->offset;
        k += b->bristle_stiffness;
        bristle = addscaled3(bristle, b->bristle_stiffness, b->bristle);
    }
    c->joined = pressed && sum > 0;
    if (c->joined) c->offset = offset / sum;
    if (c->joined && k > 0) c->bristle = scale3(1 / k, bristle);
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
            now[i].joined = false;
            if (!was) join_group(&now[i], before, count);
            now[i].distance = t->distance;
            now[i].normal = t->normal;
            now[i].point = scale3(0.5, add3(t->a.point, t->b.point));
            now[i].sure = !(t->flags & WIT_CONTACT_MOVED);
        }
    }
    if (p->response.kind == WIT_RESPONSE_PENALTY) {
        if (p->listed) share_stiffness(w, p, before, count, h);
        if (p->known) wi_account_step(w, p, before, count, h);
    }
    p->known = true;
}
