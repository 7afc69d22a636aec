/* SPDX-License-Identifier: MIT */
/*
 * What is listed: contacts with ids of moving pairs, which must be places of both bodies and keep their ids; all minima of a
 * point, or a ball, beside a prism, which can be counted from its polygon.
 */
#include "families.h"
#include "motion.h"

/* ---- contacts ------------------------------------------------------------------------------------- */

enum { KEPT = 16 };

typedef struct ids {
    int64_t known[KEPT], most;
    int count;
    bool full;
} ids;

static bool knows(const ids* i, int64_t id)
{
    for (int k = 0; k < i->count; k++)
        if (i->known[k] == id) return true;
    return false;
}

/* An id is given once, and is there from its birth to its end without a gap. */
static void judge_ids(batch* b, ids* was, const wit_tracked_contact* list, int n, bool full, const claim* k)
{
    ids now = {{0}, was->most, n < KEPT ? n : KEPT, full};
    for (int i = 0; i < now.count; i++) {
        bool born = list[i].flags & WIT_CONTACT_NEW, old = knows(was, list[i].id);
        if (born && list[i].id <= was->most)
            finding(b, DIFFERS, "born with an id that was given", (double)list[i].id, k);
        if (!born && !old && !was->full) finding(b, DIFFERS, "an id from nowhere", (double)list[i].id, k);
        for (int j = 0; j < i; j++)
            if (list[j].id == list[i].id) finding(b, DIFFERS, "twice the same id", (double)list[i].id, k);
        now.known[i] = list[i].id;
        if (list[i].id > now.most) now.most = list[i].id;
    }
    *was = now;
}

/* How far beyond a border a place may be: track.h says 1e-9 of the size, 1e-4 where the border is curved. */
static LD beyond(const shape* s)
{
    return s->kind == TURNED || s->kind == CAPSULE ? 1.1e-4L : 1e-8L;
}

static void judge_listed(batch* b, actor* a, actor* c, const wit_tracked_contact* t, const claim* k)
{
    LD size = larger_of(size_of(a->body), size_of(c->body)),
       slack = larger_of(beyond(&a->shape), beyond(&c->shape)) * size;
    if (isnan(t->distance) || isnan(t->normal.x)) finding(b, NOT_A_NUMBER, "contact", t->distance, k);
    if (t->flags & WIT_CONTACT_MOVED) return;
    v3 gap = vec((LD)t->b.point.x - t->a.point.x, (LD)t->b.point.y - t->a.point.y, (LD)t->b.point.z - t->a.point.z);
    v3 off = plus(gap, -(LD)t->distance, vec(t->normal.x, t->normal.y, t->normal.z));
    LD most = 2e-9L * size + 1e-12L * k->coordinates;
    if (!(norm(off) <= most)) finding(b, WITNESS, "gap of a contact less its distance", (double)norm(off), k);
    judge_witness(b, &a->placed, &t->a, slack, k);
    judge_witness(b, &c->placed, &t->b, slack, k);
    if (k->truth.lo > 0 && t->distance < k->truth.lo - 2 * slack)
        finding(b, WRONG, "a contact nearer than the bodies", t->distance, k);
}

static void contact_ride(batch* b, actor* a, actor* c, double scale)
{
    enum { FRAMES = 32 };
    (void)scale;
    dice* d = &b->d;
    course w = any_course(d, 0.6L * (a->shape.reach + c->shape.reach), FRAMES);
    wit_track_def def = wit_track_default_def();
    def.budget = (int64_t)magnitude(d, 3, 5);
    def.contacts = KEPT;
    def.contacts_within = below(d, 3) ? (double)a->shape.reach * magnitude(d, -4, 0) : 0;
    wit_tracker* t = wit_tracker_create(a->body, c->body, &def, NULL, NULL);
    ids was = {{0}, 0, 0, false};
    for (int f = 0; t && f < FRAMES; f++) {
        wit_motion m[2];
        wit_tracked_contact list[KEPT];
        course_step(d, &w, &a->placed.at, &c->placed.at, m);
        claim k = claim_of_pair(a, c, 4);
        if (!judge_step(b, t, &def, m, &k, NULL)) break;
        int n = wit_tracker_contacts(t, list, KEPT);
        wit_contacts_state s = wit_tracker_contacts_state(t);
        for (int i = 0; i < n && i < KEPT; i++) judge_listed(b, a, c, &list[i], &k);
        judge_ids(b, &was, list, n, s.full, &k);
        LD slack = 1e-8L * k.size + 1e-12L * k.coordinates;
        if (s.complete && n == 0 && k.truth.hi < def.contacts_within - slack)
            finding(b, WRONG, "complete without a contact, within", def.contacts_within, &k);
    }
    wit_tracker_destroy(t);
}

void run_contacts(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    any_convex(&b->d, &a.shape, scale, 4);
    if (below(&b->d, 4)) {
        any_convex(&b->d, &c.shape, scale * between(&b->d, 0.2, 1), 4);
    } else {
        do any_shape(&b->d, &c.shape, scale * between(&b->d, 0.2, 1), 4);
        while (c.shape.kind == SHELL);
    }
    play(b, &a, &c, scale, 1, contact_ride);
}

/* ---- minima that can be counted ------------------------------------------------------------------- */

typedef struct counted {
    int count;
    LD distance[64];
    bool outside[64]; /* the way there is outside of the solid: of the boundary all count, of a pair of solids these */
    bool doubtful;    /* some condition holds by less than rounding may turn it */
} counted;

static bool holds(counted* n, LD value, LD scale)
{
    if (fabsl(value) < 1e-6L * scale) n->doubtful = true;
    return value > 0;
}

static void add(counted* n, LD distance, bool outside)
{
    n->outside[n->count] = outside;
    n->distance[n->count++] = distance;
}

/* Local minima of the distance of (x, y) to the sides of a polygon: feet inside of sides; corners from which both sides
 * lead away. */
static void count_polygon(counted* n, const shape* s, LD x, LD y)
{
    for (int i = 0; i < s->corners; i++) {
        const double *p = s->corner[i], *q = s->corner[i + 1 < s->corners ? i + 1 : 0],
                     *o = s->corner[i > 0 ? i - 1 : s->corners - 1];
        LD dx = (LD)q[0] - p[0], dy = (LD)q[1] - p[1], ox = (LD)o[0] - p[0], oy = (LD)o[1] - p[1];
        LD gx = x - p[0], gy = y - p[1], side = sqrtl(dx * dx + dy * dy), other = sqrtl(ox * ox + oy * oy);
        LD along = (gx * dx + gy * dy) / side, back = (gx * ox + gy * oy) / other,
           gap = fabsl(gx * dy - gy * dx) / side;
        bool after = holds(n, along, s->reach), in = holds(n, side - along, s->reach),
             before = holds(n, back, s->reach);
        if (gap < 1e-6L * s->reach) n->doubtful = true;
        if (after && in) add(n, gap, gx * dy - gy * dx > 0);
        if (!after && !before) add(n, sqrtl(gx * gx + gy * gy), oy * dx - ox * dy > 0);
    }
}

static void judge_count(batch* b, const counted* n, LD less, const wit_minimum* list, const wit_minima_summary* s,
                        const claim* k)
{
    LD cut = b->asked.within, slack = 1e-6L * larger_of(k->size, k->coordinates);
    int least = 0, most = 0;
    for (int i = 0; i < n->count; i++) {
        if (less > 0 && !n->outside[i]) continue;
        least += n->distance[i] - less < cut - slack;
        most += n->distance[i] - less < cut + slack;
    }
    b->number++;
    b->tally->cases++;
    b->tally->certified += s->complete;
    if (!s->complete || s->overlapping) return;
    if (s->count < least) finding(b, WRONG, "complete, and too few minima:", s->count, k);
    if (s->count > most) finding(b, WRONG, "complete, and too many minima:", s->count, k);
    for (int i = 0; i < s->count && i < 64; i++) { /* each is one of them */
        LD off = INFINITY;
        for (int j = 0; j < n->count; j++)
            off = smaller_of(off, fabsl(fabs(list[i].distance) - (n->distance[j] - less)));
        if (off > 1e-9L * larger_of(k->size, n->distance[0]) + 1e-12L * k->coordinates)
            finding(b, WRONG, "a minimum that is none", list[i].distance, k);
    }
}

/* Beside the middle of a tall prism: minima lie on its sides, seen in the plane; inside, one on each end too. */
static void minima_scene(batch* b, actor* a, actor* c, double scale)
{
    dice* d = &b->d;
    counted n = {.count = 0};
    double x = between(d, -1.5, 1.5) * scale, y = between(d, -1.5, 1.5) * scale,
           z = a->shape.height * between(d, 0.3, 0.7);
    wit_minimum list[64];
    wit_minima_summary s;
    a->placed.at = any_place(d, below(d, 2) ? scale : 0);
    v3 at = turned(&a->placed.at, vec(x, y, z));
    c->placed.at = any_place(d, 0);
    place_from(a, c, at);
    count_polygon(&n, &a->shape, x, y);
    claim k = claim_of_point(a, c->placed.at.p);
    LD r = c->shape.size[0];
    if (k.truth.hi < 0) { /* inside */
        add(&n, z, false);
        add(&n, a->shape.height - z, false);
    }
    if (n.doubtful || fabsl(k.truth.lo) < 1e-5L * scale) return;
    ask_at_most(b, below(d, 2) ? 20000 : 1000); /* budgets are the matter of others */
    b->asked.within = below(d, 2) ? INFINITY : scale * between(d, 0.1, 2);
    set_query(b);
    wit_placed pa = wit_placed_at(a->body, pose_of(&a->placed.at)), pc = wit_placed_at(c->body, pose_of(&c->placed.at));
    const double* p = c->placed.at.p;
    if (wit_minima_point(b->query, &pa, (wit_vec3){p[0], p[1], p[2]}, list, 64, &s))
        finding(b, REFUSED, "minima", 0, &k);
    else
        judge_count(b, &n, 0, list, &s, &k);
    if (k.truth.lo < r * 1.001) return;
    if (wit_minima_pair(b->query, &pa, &pc, list, 64, &s))
        finding(b, REFUSED, "minima of a ball", 0, &k);
    else
        judge_count(b, &n, r, list, &s, &k);
}

void run_all_minima(batch* b)
{
    actor a, c;
    double scale = magnitude(&b->d, -3, 3);
    do any_shape(&b->d, &a.shape, scale, 3);
    while (a.shape.kind != PRISM);
    a.shape.height = scale * between(&b->d, 0.5, 4);
    set_reach(&a.shape);
    any_convex(&b->d, &c.shape, scale * magnitude(&b->d, -3, -1), 1);
    c.shape.kind = BALL;
    set_reach(&c.shape);
    play(b, &a, &c, scale, 8, minima_scene);
}
