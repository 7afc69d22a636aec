/* SPDX-License-Identifier: MIT */
#include "contact_sites.h"

#include <string.h>

#include "../pair/local_minimum.h"
#include "../pair/lowest_place.h"
#include "../pair/places_around.h"
#include "../pair/refine.h"
#include "../query/depth/contact.h"
#include "../query/half_space.h"
#include "../query/query_record.h"
#include "carried_bound.h"

enum {
    LISTED = 64,        /* minima that one list gives at most */
    DESCENT = 24,       /* steps */
    FOLLOW_UNITS = 400, /* that following one site may take before others are given up */
    LIST_UNITS = 2000,  /* a list is not begun with less, */
    LIST_END = 1100     /* and leaves this for its end */
};
#define SAME 1e-6       /* of the size: pairs no farther apart are one */
#define SAME_FLAT 1e-9  /* of the size: so are those of one distance on the same features */
#define NEAR 1e-4       /* of the size: nearer ones are followed by the contact form */
#define LIFT 0.25       /* of the size */
#define LIST_AGAIN 0.25 /* of contacts_within, */
#define LIST_LEAST 1e-3 /* but no less than this part of the size: so far may b move before a new list */
#define PLACE_NEAR 1e-2 /* of the size: a site that the tracked pair has gone over to is no farther off */

/* ---- which pairs ------------------------------------------------------------------------------ */

/* Apart there is one closest set; of solids in each other the shortest way out is what holds. */
static bool has_one_site(const wit_tracker* t)
{
    const wit_body *a = t->body[0], *b = t->body[1];
    return (a->unbounded || a->facts.looks_convex) && (b->unbounded || b->facts.looks_convex);
}

/* The only closest set, or the only way out of a half-space, is that of the tracked pair: of convex bodies what is
 * closest nearby is closest. Inside, a step that converged has the depth by proof (overlap.h). */
static bool one_is_all(const wit_tracker* t, const wit_result* r)
{
    const wit_body *a = t->body[0], *b = t->body[1];
    bool half_space = a->unbounded || b->unbounded;
    if (!(t->convex[0] || a->unbounded) || !(t->convex[1] || b->unbounded)) return false;
    if (r->outcome != WIT_OUTCOME_CONVERGED) return false;
    return (r->flags & WIT_FLAG_CERTIFIED) ? r->distance > 0 || half_space : half_space && r->distance < 0;
}

/*
 * Over a half-space a local minimum of the height is one however high the body is, so that those inside are found
 * and followed with b lifted out of a, or a out of b: by this much, in the frame of a. Zero for other pairs.
 */
static wit_vec3 lift_of(const step* s)
{
    for (int i = 0; i < 2; ++i) {
        const side* x = &s->now.side[i];
        wit_vec3 m;
        if (!x->body->unbounded || !wi_half_space(x) || !wi_side_normal(x, 0, 0, 0, &m)) continue;
        return scale3((i ? -1 : 1) * (fmax(0, -s->t->distance) + LIFT * s->t->size), m);
    }
    return vec3(0, 0, 0);
}

static void lift_task(search_task* task, wit_vec3 lift)
{
    task->b.moved = true;
    task->b.t = add3(task->b.t, lift);
}

/* What was found of a lifted pair, as it stands. */
static void let_down(contact_site* site, wit_vec3 lift)
{
    double by = norm3(lift);
    if (!(by > 0)) return;
    site->at[1].p = sub3(site->at[1].p, lift);
    site->normal = scale3(1 / by, lift);
    site->distance -= by;
}

/* ---- one site ----------------------------------------------------------------------------------- */

static double pair_way(const place x[2], const place y[2])
{
    return fmax(norm3(sub3(x[0].p, y[0].p)), norm3(sub3(x[1].p, y[1].p)));
}

static bool same_site(const wit_tracker* t, const contact_site* x, const contact_site* y)
{
    if (pair_way(x->at, y->at) <= SAME * t->size) return true;
    for (int i = 0; i < 2; ++i)
        if (x->at[i].kind != y->at[i].kind || x->at[i].id != y->at[i].id) return false;
    return fabs(x->distance - y->distance) <= SAME_FLAT * t->size && dot3(x->normal, y->normal) >= 1 - SAME_FLAT;
}

static bool in_face(const side* s, const place* at)
{
    return at->kind != WIT_FACE || wi_side_contains(s, WIT_FACE, at->id, at->u, at->v);
}

/* Down to the local minimum of the distance near by. */
static bool descend(const search_task* task, contact_site* site)
{
    refined r;
    const side *a = &task->a, *b = &task->b;
    refine_bounds all = wi_refine_bounds_of(a, &site->at[0], b, &site->at[1]);
    wi_refine_pair(a, &site->at[0], b, &site->at[1], &all, (refine_effort){DESCENT, 0}, &r);
    wi_refine_across(a, b, DESCENT, &r);
    if (!r.converged) return false;
    double slack = wi_minimum_slack(&task->pair);
    place at[2] = {wi_lowest_place(a, &r.a, slack), wi_lowest_place(b, &r.b, slack)};
    double moved = norm3(sub3(at[0].p, r.a.p)) + norm3(sub3(at[1].p, r.b.p));
    if (!in_face(a, &at[0]) || !in_face(b, &at[1])) return false;
    wit_vec3 gap = sub3(at[1].p, at[0].p);
    double distance = norm3(gap);
    if (!(distance > slack) || wi_local_minimum(&task->pair, &at[0], &at[1], moved) == MINIMUM_NONE) return false;
    site->at[0] = at[0], site->at[1] = at[1];
    site->distance = distance;
    site->normal = scale3(1 / distance, gap);
    return true;
}

/* By the contact form on the features it is on: near touch and inside. */
static bool solve(const search_task* task, contact_site* site)
{
    local_contact c = {site->at[0], site->at[1], site->normal, -site->distance};
    const side *a = &task->a, *b = &task->b;
    wit_vec3 z = vec3(0, 0, 1);
    bool planar = a->body->planar;
    if (planar) z = side_vector(a, body_surface(a->body, 0)->frame.z);
    if (!wi_contact_solve(a, b, planar ? &z : NULL, task->size, task->work, &c)) return false;
    if (c.a.kind != WIT_FACE && c.b.kind != WIT_FACE && dot3(c.normal, site->normal) < 0)
        c.normal = scale3(-1, c.normal), c.depth = -c.depth;
    if (!in_face(a, &c.a) || !in_face(b, &c.b)) return false;
    double slack = wi_minimum_slack(&task->pair);
    place at[2] = {wi_lowest_place(a, &c.a, slack), wi_lowest_place(b, &c.b, slack)};
    bool holds = c.depth > slack    ? wi_contact_holds(task, &c, task->work)
                 : c.depth < -slack ? wi_local_minimum(&task->pair, &at[0], &at[1], slack) != MINIMUM_NONE
                                    : dot3(c.normal, site->normal) > 0.9;
    if (!holds) return false;
    site->at[0] = at[0], site->at[1] = at[1];
    site->normal = c.normal;
    site->distance = -c.depth;
    return true;
}

/* Where it is now. False: lost. */
static bool follow(step* s, const search_task* task, wit_vec3 lift, contact_site* site)
{
    if (dot3(lift, lift) > 0) {
        if (!descend(task, site)) return false;
        let_down(site, lift);
        return true;
    }
    wit_vec3 b = site->at[1].p;
    double expected = site->distance + s->dt * dot3(site->normal, add3(s->now.velocity, cross3(s->now.angular, b)));
    bool near = fmin(expected, site->distance) < NEAR * s->t->size;
    contact_site from = *site;
    if (!near && descend(task, site)) return true;
    *site = from;
    if (solve(task, site)) return true;
    *site = from;
    return near && expected > 0 && descend(task, site);
}

/* ---- the list ------------------------------------------------------------------------------------- */

static void drop(contact_block* block, int k)
{
    contact_site* sites = block_sites(block);
    memmove(&sites[k], &sites[k + 1], (size_t)(block->sites - k - 1) * sizeof *sites);
    block->sites--;
}

static int site_room(const contact_block* block)
{
    return block->capacity < SITES_MOST ? block->capacity : SITES_MOST;
}

/* True: it is known, or there was room for it. */
static bool add_site(step* s, const contact_site* site)
{
    contact_block* block = contacts_of(s->t);
    contact_site* sites = block_sites(block);
    for (int k = 0; k < block->sites; ++k)
        if (same_site(s->t, &sites[k], site)) return true;
    if (block->sites == site_room(block)) return false;
    sites[block->sites] = *site;
    sites[block->sites].group = block->next_group++;
    sites[block->sites++].solved = true;
    return true;
}

static place place_of(const step* s, const wit_witness* w)
{
    return place_at(w->feature, w->id, w->u, w->v, wit_pose_unpoint(&s->now.frame, w->point));
}

/* A query in the tracker's own memory, with what the step has left. */
static wit_query* query_of(step* s, double within, int64_t* units)
{
    wit_tracker* t = s->t;
    wit_query_def def = wit_query_default_def();
    wit_query* q;
    *units = step_left(s) - STEP_RESERVE - LIST_END;
    if (!t->query_at || *units < LIST_UNITS) return NULL;
    def.capacity = t->def.capacity;
    def.within = within;
    def.budget = *units;
    if (wit_query_init(tracker_at(t, t->query_at), t->query_bytes, &def, &q, NULL)) return NULL;
    q->units = *units;
    return q;
}

/* How far the bodies may move before the next list. Minima that may come within contacts_within until then are
 * sites too. */
static double list_again(const wit_tracker* t)
{
    return fmax(LIST_AGAIN * t->def.contacts_within, LIST_LEAST * t->size);
}

/* Every local minimum within contacts_within. True: all of them are sites now, by proof. */
static bool list_minima(step* s, bool* overlapping)
{
    wit_tracker* t = s->t;
    wit_minimum found[LISTED];
    wit_minima_summary sum;
    int64_t units;
    wit_vec3 lift = lift_of(s);
    double within = t->def.contacts_within + list_again(t);
    wit_query* q = query_of(s, within + norm3(lift), &units);
    if (!q) return false;
    wit_placed a = wit_placed_at(t->body[0], s->motion[0].pose), b = wit_placed_at(t->body[1], s->motion[1].pose);
    b.pose.position = add3(b.pose.position, wit_pose_vector(&s->now.frame, lift));
    if (wit_minima_pair(q, &a, &b, found, LISTED, &sum)) return false;
    work_spend(&s->work, &sum.work);
    *overlapping = sum.overlapping;
    bool all = sum.complete && sum.count <= LISTED && !sum.overlapping;
    for (int k = 0; k < sum.count && k < LISTED; ++k) {
        const wit_minimum* m = &found[k];
        if (m->a.feature > WIT_VERTEX || m->b.feature > WIT_VERTEX) continue;
        contact_site site = {.at = {place_of(s, &m->a), place_of(s, &m->b)}, .distance = m->distance};
        site.normal = wit_pose_unvector(&s->now.frame, m->normal);
        let_down(&site, lift);
        if (site.distance > within) continue;
        all = add_site(s, &site) && all;
    }
    return all;
}

/* Of every place where solids overlap the shortest way out. */
static void list_contacts(step* s)
{
    wit_tracker* t = s->t;
    contact_list list;
    search_task task;
    penetration d;
    int64_t units;
    wit_query* q = query_of(s, INFINITY, &units);
    if (!q || t->body[0]->kind != WIT_BODY_SOLID || t->body[1]->kind != WIT_BODY_SOLID) return;
    wi_task_of_sides(q, &s->now.side[0], &s->now.side[1], &task);
    task_limit(&task, units, 0);
    search_task share = task_share(&task, task.work, units / 4);
    bool hulls = wi_penetration_search(&share, INFINITY, 1e-3 * t->size, task.work, &d) && !d.apart;
    int count = hulls ? wi_contact_regions(&task, d.upper, task.work, &list) : 0;
    work_spend(&s->work, task.work);
    for (int k = 0; k < count; ++k) {
        const local_contact* c = &list.c[k];
        contact_site site = {.at = {c->a, c->b}, .normal = c->normal, .distance = -c->depth};
        add_site(s, &site);
    }
}

/* a seen from b. */
static standing turned_round(const standing* x)
{
    standing r;
    r.rows[0] = vec3(x->rows[0].x, x->rows[1].x, x->rows[2].x);
    r.rows[1] = vec3(x->rows[0].y, x->rows[1].y, x->rows[2].y);
    r.rows[2] = vec3(x->rows[0].z, x->rows[1].z, x->rows[2].z);
    r.t = scale3(-1, vec3(dot3(r.rows[0], x->t), dot3(r.rows[1], x->t), dot3(r.rows[2], x->t)));
    return r;
}

double wi_contact_way(const wit_tracker* t, const standing* from, const standing* to)
{
    if (!t->body[1]->unbounded) return moved_from(t->body[1], from->rows, from->t, to->rows, to->t);
    standing x = turned_round(from), y = turned_round(to);
    return moved_from(t->body[0], x.rows, x.t, y.rows, y.t);
}

static standing standing_now(const step* s)
{
    const side* b = &s->now.side[1];
    standing x = {{vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)}, b->t};
    if (b->moved) x.rows[0] = b->x, x.rows[1] = b->y, x.rows[2] = b->z;
    return x;
}

static double way_since_list(const step* s, const contact_block* block)
{
    standing from = {{block->listed_turn[0], block->listed_turn[1], block->listed_turn[2]}, block->listed_shift};
    standing to = standing_now(s);
    return block->listed ? wi_contact_way(s->t, &from, &to) : INFINITY;
}

static void look_again(step* s)
{
    contact_block* block = contacts_of(s->t);
    standing now = standing_now(s);
    bool overlapping = false;
    bool all = list_minima(s, &overlapping);
    bool half_space = s->t->body[0]->unbounded || s->t->body[1]->unbounded;
    if (!half_space && (overlapping || s->t->distance < 0)) list_contacts(s);
    block->listed = true;
    block->listed_all = all;
    memcpy(block->listed_turn, now.rows, sizeof now.rows);
    block->listed_shift = now.t;
}

/* ---- all of them ------------------------------------------------------------------------------------ */

/* Those of the last step, each on its own way. False: one was lost, or became one with another, which a descent
 * may also do by leaving its minimum for a deeper one: the list tells. `split`: the last one is what the tracked
 * pair was, and may be it still. */
static bool follow_all(step* s, bool split)
{
    wit_tracker* t = s->t;
    contact_block* block = contacts_of(t);
    contact_site* sites = block_sites(block);
    search_task task;
    int64_t units;
    bool kept = true;
    if (block->sites < 2) return true;
    wit_query* q = query_of(s, INFINITY, &units);
    if (!q) {
        block->moved = true;
        for (int k = 1; k < block->sites; ++k) sites[k].solved = false;
        return true;
    }
    wi_task_of_sides(q, &s->now.side[0], &s->now.side[1], &task);
    task_limit(&task, units, 0);
    wit_vec3 lift = lift_of(s);
    if (dot3(lift, lift) > 0) lift_task(&task, lift);
    for (int k = 1; k < block->sites;) {
        contact_site* x = &sites[k];
        x->solved = false;
        if (!task_may_spend(&task, task.work, FOLLOW_UNITS)) {
            block->moved = true;
            ++k;
            continue;
        }
        x->solved = follow(s, &task, lift, x);
        bool gone = !x->solved || x->distance > t->def.contacts_within + 2 * list_again(t);
        bool one = false;
        for (int i = 0; i < k && !gone && !one; ++i) one = same_site(t, &sites[i], x);
        if (!x->solved || (one && !(split && k == block->sites - 1))) kept = false;
        gone = gone || one;
        if (gone)
            drop(block, k);
        else
            ++k;
    }
    work_spend(&s->work, task.work);
    return kept;
}

/* The tracked pair may have gone over to another site: that one's group is its own now, and what it was goes on by
 * itself, as the last of the sites. True: it does. */
static bool change_places(step* s, const contact_site* before)
{
    const unsigned turned = WIT_FLAG_JUMPED | WIT_FLAG_REACQUIRED | WIT_FLAG_SWITCHED | WIT_FLAG_FELL_BACK;
    contact_block* block = contacts_of(s->t);
    contact_site* sites = block_sites(block);
    if (!before->group || !(s->flags & turned) || pair_way(before->at, sites[0].at) <= SAME * s->t->size) return false;
    if (block->sites == site_room(block)) return false;
    sites[block->sites++] = *before;
    for (int k = 1; k + 1 < block->sites; ++k) {
        if (pair_way(sites[k].at, sites[0].at) > PLACE_NEAR * s->t->size) continue;
        sites[0].group = sites[k].group;
        drop(block, k);
        return true;
    }
    /* the same one on other features, unless the old one can be followed too */
    sites[block->sites - 1].group = block->next_group++;
    return true;
}

void wi_contact_sites(step* s, const wit_result* result, const contact_site* before)
{
    wit_tracker* t = s->t;
    contact_block* block = contacts_of(t);
    bool nothing = result->lower_bound > t->def.contacts_within;
    if (nothing || has_one_site(t)) {
        block->sites = 1;
        block->listed = false;
        block->complete = nothing || one_is_all(t, result);
        return;
    }
    bool split = change_places(s, before), kept = follow_all(s, split);
    double way = way_since_list(s, block);
    if (!kept || (s->flags & (WIT_FLAG_JUMPED | WIT_FLAG_REACQUIRED)) || way > list_again(t)) {
        look_again(s);
        way = 0;
    }
    block->complete = block->listed_all && way == 0 && !block->moved;
}
