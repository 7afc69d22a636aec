/* SPDX-License-Identifier: MIT */
#include "contact_ids.h"

#include <string.h>

#include "../base/arena.h"
#include "../base/error.h"
#include "../pair/patch_corners.h"
#include "contact_record.h"
#include "contact_sites.h"

enum { CONTACTS_LIMIT = 4096, EVENTS_LIMIT = 1 << 20 };
#define LEAN_MOST 0.5
#define CORNER_SAME 1e-6  /* of the size: a pair so near to a corner is that */
#define CORNER_LEVEL 1e-9 /* of the size: a pair that is not nearer than its corners by this is held by them */
#define FOLLOW 4.0        /* times the motion of the step: so far may a contact have gone on its bodies */
#define FOLLOW_LEAST 1e-3 /* of the size: and this much besides, as where an end of an edge hands over */

/* ---- memory --------------------------------------------------------------------------------- */

wit_status wi_contact_ids_check(const wit_body* b, const wit_track_def* d, wit_error* error)
{
    if (d->contacts < 0 || d->contacts > CONTACTS_LIMIT)
        return wi_error_fill(error, WIT_ERROR_RANGE, "contacts", "must be between 0 and %d", CONTACTS_LIMIT);
    if (!(d->contacts_within >= 0))
        return wi_error_fill(error, WIT_ERROR_RANGE, "contacts_within", "must be a length, not %g", d->contacts_within);
    if (!(d->contacts_lean >= 0 && d->contacts_lean <= LEAN_MOST))
        return wi_error_fill(error, WIT_ERROR_RANGE, "contacts_lean", "must be between 0 and %g radians, not %g",
                             LEAN_MOST, d->contacts_lean);
    if (d->contact_events < 0 || d->contact_events > EVENTS_LIMIT)
        return wi_error_fill(error, WIT_ERROR_RANGE, "contact_events", "must be between 0 and %d", EVENTS_LIMIT);
    if (!d->contacts) return WIT_OK;
    if (d->law || d->form != WIT_FORM_CONTACT || d->keep_features)
        return wi_error_fill(error, WIT_ERROR_UNSUPPORTED, "contacts",
                             "only of the default law, in its contact form, on all features");
    if (!b) return wi_error_fill(error, WIT_ERROR_UNSUPPORTED, "contacts", "a point has one contact: its pair");
    return WIT_OK;
}

static contact_block* lay_out(arena* a, const wit_track_def* def, contact_block* sizes)
{
    size_t n = (size_t)def->contacts;
    contact_block* block = wi_arena_take(a, 1, sizeof *block);
    sizes->contacts_at = wi_arena_reserve(a, n, sizeof(kept_contact));
    sizes->fresh_at = wi_arena_reserve(a, n, sizeof(kept_contact));
    sizes->sites_at = wi_arena_reserve(a, n, sizeof(contact_site));
    sizes->events_at = wi_arena_reserve(a, (size_t)def->contact_events, sizeof(wit_contact_event));
    return block;
}

size_t wi_contact_ids_bytes(const wit_track_def* def)
{
    if (!def->contacts) return 0;
    arena a = wi_arena_measure();
    contact_block sizes = {0};
    lay_out(&a, def, &sizes);
    return a.used;
}

void wi_contact_ids_forget(wit_tracker* t)
{
    contact_block* block = contacts_of(t);
    if (!block) return;
    arena a = wi_arena_measure();
    contact_block empty = {.capacity = t->def.contacts, .event_capacity = t->def.contact_events};
    lay_out(&a, &t->def, &empty);
    empty.next_id = empty.next_group = 1;
    *block = empty;
}

/* ---- events --------------------------------------------------------------------------------- */

static void tell(contact_block* block, const wit_contact_event* e)
{
    if (block->event_capacity > 0) block_events(block)[block->events % block->event_capacity] = *e;
    block->events++;
}

static void tell_change(contact_block* block, wit_contact_change change, const kept_contact* from,
                        const kept_contact* to, double time)
{
    const wit_witness *f[2] = {&from->c.a, &from->c.b}, *w[2] = {&to->c.a, &to->c.b};
    wit_contact_event e = {.time = time, .change = change, .id = from->c.id, .distance = to->c.distance};
    if (change == WIT_CONTACT_MERGED) e.other = to->c.id;
    for (int i = 0; i < 2; ++i) {
        e.from[i] = f[i]->feature, e.from_id[i] = f[i]->id;
        e.to[i] = w[i]->feature, e.to_id[i] = w[i]->id;
    }
    tell(block, &e);
}

/* ---- the contacts of a step ------------------------------------------------------------------- */

static wit_witness witness_at(const step* s, const place* at)
{
    int count = place_count(at);
    wit_witness w = {at->kind, at->id, count > 0 ? at->u : 0, count > 1 ? at->v : 0,
                     wit_pose_point(&s->now.frame, at->p)};
    return w;
}

static void write_contact(const step* s, const contact_site* site, const place at[2], wit_vec3 normal, unsigned flags,
                          kept_contact* k)
{
    memset(k, 0, sizeof *k);
    k->local[0] = at[0].p;
    k->local[1] = side_unpoint(&s->now.side[1], at[1].p);
    k->normal = normal;
    k->c.group = site->group;
    k->c.distance = dot3(sub3(at[1].p, at[0].p), normal) + 0.0;
    k->c.rate = dot3(normal, add3(s->now.velocity, cross3(s->now.angular, at[1].p)));
    k->c.normal = wit_pose_vector(&s->now.frame, normal);
    k->c.a = witness_at(s, &at[0]);
    k->c.b = witness_at(s, &at[1]);
    k->c.flags = flags;
    k->c.born = s->clock;
}

static void add_fresh(step* s, const contact_site* site, const place at[2], wit_vec3 normal, unsigned flags)
{
    contact_block* block = contacts_of(s->t);
    double distance = dot3(sub3(at[1].p, at[0].p), normal) + 0.0;
    if (distance > s->t->def.contacts_within) return;
    wit_vec3 local = side_unpoint(&s->now.side[1], at[1].p);
    /* another site holds by the same corner */
    for (int k = 0; k < block->fresh; ++k) {
        const kept_contact* x = &block_fresh(block)[k];
        wit_vec3 a = sub3(x->local[0], at[0].p), b = sub3(x->local[1], local);
        if (dot3(a, a) + dot3(b, b) <= CORNER_SAME * CORNER_SAME * s->t->size * s->t->size) return;
    }
    if (block->fresh == block->capacity) {
        block->full = true;
        return;
    }
    write_contact(s, site, at, normal, flags, &block_fresh(block)[block->fresh++]);
}

/* ---- the same contacts as before -------------------------------------------------------------- */

static bool on_the_same(const kept_contact* x, const kept_contact* y)
{
    return x->c.a.feature == y->c.a.feature && x->c.a.id == y->c.a.id && x->c.b.feature == y->c.b.feature &&
           x->c.b.id == y->c.b.id;
}

/* How far it has gone on the body on which it has gone less. */
static double way_between(const kept_contact* x, const kept_contact* y)
{
    wit_vec3 a = sub3(x->local[0], y->local[0]), b = sub3(x->local[1], y->local[1]);
    return sqrt(fmin(dot3(a, a), dot3(b, b)));
}

/* The old contact that goes on as this one, -1: none. Old ones that go on already have id 0. */
static int match_of(const contact_block* block, const kept_contact* old, const kept_contact* k, bool same, double most)
{
    int best = -1;
    for (int i = 0; i < block->count; ++i) {
        if (!old[i].c.id || (same && !on_the_same(&old[i], k))) continue;
        double way = way_between(&old[i], k);
        if (same && old[i].c.group == k->c.group) way *= 1e-3; /* there is room for one that leaps along its feature */
        if (way <= most) most = way, best = i;
    }
    return best;
}

static void go_on(contact_block* block, kept_contact* old, kept_contact* k, double time)
{
    k->c.id = old->c.id;
    k->c.born = old->c.born;
    if (!k->c.group) k->c.group = old->c.group;
    if (!on_the_same(old, k)) tell_change(block, WIT_CONTACT_HANDED_OVER, old, k, time);
    old->c.id = 0;
}

/* What is left of the old ones: is it where another is now? */
static const kept_contact* taken_by(const contact_block* block, const kept_contact* fresh, const kept_contact* old,
                                    double most)
{
    const kept_contact* best = NULL;
    for (int i = 0; i < block->fresh; ++i) {
        wit_vec3 a = sub3(fresh[i].local[0], old->local[0]), b = sub3(fresh[i].local[1], old->local[1]);
        double way = sqrt(fmax(dot3(a, a), dot3(b, b)));
        if (way <= most) most = way, best = &fresh[i];
    }
    return best;
}

static void match(step* s, double most)
{
    contact_block* block = contacts_of(s->t);
    kept_contact *old = block_contacts(block), *fresh = block_fresh(block);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < block->fresh; ++i) {
            if (fresh[i].c.id) continue;
            int k = match_of(block, old, &fresh[i], round == 0, most);
            if (k >= 0) go_on(block, &old[k], &fresh[i], s->clock);
        }
    for (int i = 0; i < block->fresh; ++i) {
        if (fresh[i].c.id) continue;
        fresh[i].c.id = block->next_id++;
        fresh[i].c.flags |= WIT_CONTACT_NEW;
        tell_change(block, WIT_CONTACT_BORN, &fresh[i], &fresh[i], s->clock);
    }
    for (int i = 0; i < block->count; ++i) {
        if (!old[i].c.id) continue;
        const kept_contact* by = taken_by(block, fresh, &old[i], most);
        tell_change(block, by ? WIT_CONTACT_MERGED : WIT_CONTACT_DIED, &old[i], by ? by : &old[i], s->clock);
    }
}

/* By group in the order of the sites, then by id. */
static void order_of_ids(kept_contact* k, int from, int to)
{
    for (int i = from + 1; i < to; ++i) {
        kept_contact x = k[i];
        int j = i;
        for (; j > from && k[j - 1].c.group == x.c.group && k[j - 1].c.id > x.c.id; --j) k[j] = k[j - 1];
        k[j] = x;
    }
}

static void take_over(step* s)
{
    contact_block* block = contacts_of(s->t);
    order_of_ids(block_fresh(block), 0, block->fresh);
    block->count = block->fresh;
    size_t at = block->contacts_at;
    block->contacts_at = block->fresh_at;
    block->fresh_at = at;
}

/* How far the bodies have moved against each other in this step. */
static double motion_of(const step* s)
{
    wit_pose back[2] = {wit_pose_inverse(&s->from[0]), wit_pose_inverse(&s->motion[0].pose)};
    wit_pose at[2] = {wit_pose_compose(&back[0], &s->from[1]), wit_pose_compose(&back[1], &s->motion[1].pose)};
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    standing x[2];
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) x[i].rows[k] = wit_pose_unvector(&at[i], axes[k]);
        x[i].t = at[i].position;
    }
    return wi_contact_way(s->t, &x[0], &x[1]);
}

/* ---- a step that has no answer ---------------------------------------------------------------- */

/* Both points stay on their bodies, the normal on a. */
static void move_along(step* s)
{
    contact_block* block = contacts_of(s->t);
    for (int i = 0; i < block->count; ++i) {
        kept_contact* k = &block_contacts(block)[i];
        wit_vec3 b = side_point(&s->now.side[1], k->local[1]);
        k->c.distance = dot3(sub3(b, k->local[0]), k->normal) + 0.0;
        k->c.rate = dot3(k->normal, add3(s->now.velocity, cross3(s->now.angular, b)));
        k->c.normal = wit_pose_vector(&s->now.frame, k->normal);
        k->c.a.point = wit_pose_point(&s->now.frame, k->local[0]);
        k->c.b.point = wit_pose_point(&s->now.frame, b);
        k->c.flags = (k->c.flags & ~(unsigned)WIT_CONTACT_NEW) | WIT_CONTACT_MOVED;
    }
    block->moved = true;
    block->complete = false;
}

/* ---- the step ---------------------------------------------------------------------------------- */

static void begin(contact_block* block)
{
    block->fresh = 0;
    block->moved = block->full = block->complete = false;
}

void wi_contact_ids_beyond(step* s)
{
    contact_block* block = contacts_of(s->t);
    if (!block) return;
    begin(block);
    match(s, 0);
    take_over(s);
    block->complete = s->t->def.contacts_within <= s->t->def.within;
}

static bool same_feature(const place* x, const place* y)
{
    return x->kind == y->kind && x->id == y->id;
}

/* How far the site's own pair is from a corner that it may be, infinite: it is not. Edges and vertices are closest
 * beside where they stand over each other along the normal of a face: by the gap times the lean; two edges at a
 * small angle by more. */
static double off_corner(const step* s, const contact_site* site, const patch_corner* c, double sine, double loose)
{
    const place* at = site->at;
    wit_vec3 a = sub3(c->at[0].p, at[0].p), b = sub3(c->at[1].p, at[1].p);
    double off = sqrt(fmin(dot3(a, a), dot3(b, b))), most = CORNER_SAME * s->t->size + loose;
    bool features = same_feature(&c->at[0], &at[0]) && same_feature(&c->at[1], &at[1]);
    if (at[0].kind != WIT_FACE && at[1].kind != WIT_FACE) most += (features ? 1 : 2 * sine) * fabs(site->distance);
    return off <= most ? off : INFINITY;
}

/* The corner that the site's own pair is, -1: none. */
static int own_corner(const step* s, const contact_site* site, const patch_corners* corners, double sine)
{
    int own = -1;
    double least = INFINITY;
    for (int k = 0; k < corners->count; ++k) {
        double off = off_corner(s, site, &corners->c[k], sine, corners->loose);
        if (off < least) least = off, own = k;
    }
    return own;
}

/* A site that is a corner of another: its pair takes that one's place. False: it is none. */
static bool joins_other(step* s, const contact_site* site, double loose)
{
    contact_block* block = contacts_of(s->t);
    double most = CORNER_SAME * s->t->size + loose;
    for (int k = 0; k < block->fresh; ++k) {
        kept_contact* x = &block_fresh(block)[k];
        wit_vec3 a = sub3(x->local[0], site->at[0].p),
                 b = sub3(side_point(&s->now.side[1], x->local[1]), site->at[1].p);
        bool holding = (x->c.flags & WIT_CONTACT_HOLDING) && !(x->c.flags & WIT_CONTACT_NEAREST);
        if (!holding || !(fmax(dot3(a, a), dot3(b, b)) <= most * most)) continue;
        contact_site as = *site;
        as.group = x->c.group;
        if (loose > 0) write_contact(s, &as, site->at, site->normal, x->c.flags, x);
        return true;
    }
    return false;
}

/* The points that hold a site; its own pair among them if it is a corner, or nearer than all of them. */
static void spread_site(step* s, const contact_site* site, unsigned flags)
{
    patch_corners corners;
    patch_pair q = {.side = {&s->now.side[0], &s->now.side[1]}, .at = {&site->at[0], &site->at[1]}};
    q.normal = site->normal;
    q.size = s->t->size;
    wit_sincos(s->t->def.contacts_lean, &q.sine, &q.cosine);
    wi_patch_corners(&q, &corners);
    contact_block* block = contacts_of(s->t);
    if (joins_other(s, site, corners.loose)) return;
    int own = own_corner(s, site, &corners, q.sine), first = block->fresh;
    double least = INFINITY, level = CORNER_LEVEL * s->t->size;
    bool other = false; /* the pair is a corner, along another normal */
    for (int k = 0; k < corners.count; ++k) {
        const patch_corner* c = &corners.c[k];
        double distance = dot3(sub3(c->at[1].p, c->at[0].p), c->normal);
        if (k == own) other = fabs(distance - site->distance) > level;
        least = fmin(least, distance);
    }
    bool beside = own < 0 && site->distance < least - level;
    unsigned holding = corners.count + beside > 1 ? WIT_CONTACT_HOLDING : 0;
    if (beside) add_fresh(s, site, site->at, site->normal, flags | holding);
    for (int k = 0; k < corners.count; ++k) {
        const patch_corner* c = &corners.c[k];
        bool pair = k == own && other;
        add_fresh(s, site, pair ? site->at : c->at, pair ? site->normal : c->normal, holding);
    }
    block->full = block->full || corners.partial;
    int nearest = first;
    for (int k = first; k < block->fresh; ++k)
        if (block_fresh(block)[k].c.distance < block_fresh(block)[nearest].c.distance) nearest = k;
    if (nearest < block->fresh) block_fresh(block)[nearest].c.flags |= flags;
}

/* A site for which there was no work left: its points stay on their bodies. */
static void keep_site(step* s, const contact_site* site)
{
    contact_block* block = contacts_of(s->t);
    for (int k = 0; k < block->count; ++k) {
        const kept_contact* x = &block_contacts(block)[k];
        const wit_witness *a = &x->c.a, *b = &x->c.b;
        if (x->c.group != site->group) continue;
        place at[2] = {place_at(a->feature, a->id, a->u, a->v, x->local[0]),
                       place_at(b->feature, b->id, b->u, b->v, side_point(&s->now.side[1], x->local[1]))};
        add_fresh(s, site, at, x->normal, (x->c.flags & WIT_CONTACT_HOLDING) | WIT_CONTACT_MOVED);
    }
}

void wi_contact_ids_step(step* s, wit_result* result)
{
    wit_tracker* t = s->t;
    contact_block* block = contacts_of(t);
    if (!block) return;
    begin(block);
    if (result->outcome != WIT_OUTCOME_CONVERGED) {
        move_along(s);
        return;
    }
    contact_site *site = block_sites(block), before = {.group = 0};
    if (block->sites)
        before = site[0];
    else
        memset(site, 0, sizeof *site), site[0].group = block->next_group++, block->sites = 1;
    for (int i = 0; i < 2; ++i)
        site[0].at[i] = place_at(t->at[i].kind, t->at[i].id, t->at[i].u, t->at[i].v, s->at[i].p);
    site[0].normal = t->normal;
    site[0].distance = result->distance;
    site[0].solved = true;
    wi_contact_sites(s, result, &before);
    for (int k = 0; k < block->sites; ++k)
        if (site[k].solved && site[k].distance <= t->def.contacts_within)
            spread_site(s, &site[k], k ? 0 : WIT_CONTACT_NEAREST);
        else if (!site[k].solved)
            keep_site(s, &site[k]);
    if (block->full) block->complete = false;
    match(s, FOLLOW * motion_of(s) + FOLLOW_LEAST * t->size);
    take_over(s);
    result->work = s->work;
}

/* ---- what is asked ----------------------------------------------------------------------------- */

int wit_tracker_contacts(const wit_tracker* t, wit_tracked_contact* out, int capacity)
{
    contact_block* block = t ? contacts_of(t) : NULL;
    if (!block) return 0;
    const kept_contact* k = block_contacts(block);
    for (int i = 0; out && i < block->count && i < capacity; ++i) out[i] = k[i].c;
    return block->count;
}

wit_contacts_state wit_tracker_contacts_state(const wit_tracker* t)
{
    wit_contacts_state r = {0};
    const contact_block* block = t ? contacts_of(t) : NULL;
    if (!block) return r;
    r.count = block->count;
    r.complete = block->complete;
    r.full = block->full;
    r.moved = block->moved;
    r.events = block->events;
    return r;
}

int64_t wit_tracker_contact_events(const wit_tracker* t, wit_contact_event* out, int capacity)
{
    contact_block* block = t ? contacts_of(t) : NULL;
    if (!block) return 0;
    int64_t kept = block->events < block->event_capacity ? block->events : block->event_capacity;
    int64_t count = out && capacity > 0 ? (kept < capacity ? kept : capacity) : 0;
    for (int64_t k = 0; k < count; ++k)
        out[k] = block_events(block)[(block->events - count + k) % block->event_capacity];
    return block->events;
}
