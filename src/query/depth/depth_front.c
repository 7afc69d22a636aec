/* SPDX-License-Identifier: MIT */
#include "depth_front.h"

#include <string.h>

#include "penetration_search.h"
#include "roundness.h"

enum { EXCHANGES = 5, POLISHES = 8, POOL = 8, DESCENTS = 40 };
#define NARROWEST 1e-8 /* the width of a cell below which it is not cut: an angle */

/* A point of the difference of both cores (roundness.h), and the points of the cores that it is made of, each in its own frame. */
typedef struct difference {
    wit_vec3 x, y, p;
} difference;

typedef struct follow {
    depth_front* f;
    depth_search d;
    double tolerance, rounding;
    double slack;            /* a sum below minus this parts the bodies */
    double round[2], rounds; /* roundness of a and of b, and their sum: s(n) >= p.n + rounds */
    difference core;         /* the contact that is the least so far */
    bool exact;              /* there is one: the support sum at its normal is its depth */
    penetration contact;
    difference pool[POOL]; /* of the last looks */
    int pool_count, pool_next;
    int polishes;
    double polished; /* the least sum when that was done last */
    place at[2];     /* the supports of the least sum */
} follow;

static front_cell* cells_of(depth_front* f)
{
    return (front_cell*)(void*)(f + 1);
}

size_t wi_depth_front_bytes(int capacity)
{
    return sizeof(depth_front) + (size_t)capacity * sizeof(front_cell);
}

void wi_depth_front_begin(depth_front* f, int capacity)
{
    memset(f, 0, sizeof *f);
    f->capacity = capacity;
}

/* ---- looks ---------------------------------------------------------------------------------- */

/* Of places that are farthest along n and against it. */
static difference difference_of(const follow* w, wit_vec3 x, wit_vec3 y, wit_vec3 n)
{
    const search_task* t = w->d.task;
    x = addscaled3(x, -w->round[0], n);
    y = addscaled3(y, w->round[1], n);
    difference q = {side_unpoint(&t->a, x), side_unpoint(&t->b, y), sub3(x, y)};
    return q;
}

/* s(n), and the point that attains it. */
static double look(follow* w, wit_vec3 n, difference* out)
{
    depth_search* d = &w->d;
    const search_task* t = d->task;
    support a = wi_support_of(&t->a, n, d->work), b = wi_support_of(&t->b, scale3(-1, n), d->work);
    double s = a.value + b.value;
    d->spent = d->spent || a.partial || b.partial;
    *out = difference_of(w, a.at.p, b.at.p, n);
    if (d->spent) return s;
    if (s < d->best) d->best = s, d->normal = n, w->at[0] = a.at, w->at[1] = b.at;
    w->pool[w->pool_next] = *out;
    w->pool_next = (w->pool_next + 1) % POOL;
    if (w->pool_count < POOL) w->pool_count++;
    return s;
}

/* What the bound and the way gone have to reach. */
static double target_of(const follow* w)
{
    return w->d.best - w->tolerance + w->f->way;
}

/* How far b has gone since the last frame: (R - R_0) c + t - t_0 and half the diagonal times |R - R_0|, c the middle of its box. */
static void measure_way(follow* w)
{
    depth_front* f = w->f;
    const side* b = &w->d.task->b;
    wit_vec3 rows[3] = {b->moved ? b->x : vec3(1, 0, 0), b->moved ? b->y : vec3(0, 1, 0),
                        b->moved ? b->z : vec3(0, 0, 1)};
    wit_vec3 t = b->moved ? b->t : vec3(0, 0, 0), middle = scale3(0.5, add3(b->body->box.lo, b->body->box.hi));
    double half = 0.5 * norm3(sub3(b->body->box.hi, b->body->box.lo)), square = 0, along[3];
    for (int k = 0; k < 3; ++k) {
        wit_vec3 d = sub3(rows[k], f->rows[k]);
        square += dot3(d, d);
        along[k] = dot3(d, middle);
        f->rows[k] = rows[k];
    }
    double shift = norm3(add3(sub3(t, f->t), vec3(along[0], along[1], along[2])));
    f->t = t;
    f->way += (shift + half * sqrt(0.5 * square)) * (1 + 1e-12) + w->rounding;
    if (f->way > 1e3 * w->d.task->size) f->count = 0, f->way = 0; /* no digits are lost to it */
}

/* ---- the contact ---------------------------------------------------------------------------- */

static bool in_its_face(const side* s, const place* at)
{
    return at->kind != WIT_FACE || wi_side_contains(s, WIT_FACE, at->id, at->u, at->v);
}

/* Is the pair one whose depth is the support sum at its normal? Then it is what the front has to prove. */
static bool take_contact(follow* w, const penetration* c)
{
    const search_task* t = w->d.task;
    difference q;
    if (!(dot3(c->normal, c->normal) > 0.5) || !in_its_face(&t->a, &c->a) || !in_its_face(&t->b, &c->b)) return false;
    wit_vec3 gap = sub3(c->a.p, c->b.p);
    double off = norm3(addscaled3(gap, -dot3(gap, c->normal), c->normal)), depth = dot3(gap, c->normal);
    double s = look(w, c->normal, &q), slack = larger(4 * t->floor, 1e-2 * w->tolerance);
    if (w->d.spent || off > slack || fabs(s - depth) > slack) return false;
    if (w->exact && w->contact.depth <= depth) return true;
    w->contact = *c;
    w->contact.depth = depth;
    w->core = difference_of(w, c->a.p, c->b.p, c->normal);
    w->exact = true;
    return true;
}

static wit_vec3 plane_normal(const depth_search* d)
{
    return d->planar ? unit3(cross3(d->plane[0], d->plane[1])) : vec3(0, 0, 0);
}

/* Has a lower sum been seen than that of the contact? */
static bool outdone(const follow* w)
{
    return !w->exact || w->d.best < w->contact.depth - 0.5 * w->tolerance;
}

/* The exact pair on these features, from these places. */
static bool solve_on(follow* w, local_contact c)
{
    const search_task* t = w->d.task;
    wit_vec3 z = plane_normal(&w->d);
    if (!wi_contact_solve(&t->a, &t->b, w->d.planar ? &z : NULL, t->size, w->d.work, &c)) return false;
    penetration p = {.normal = c.normal, .a = c.a, .b = c.b};
    return take_contact(w, &p);
}

/*
 * From the direction of the least sum down to a local least one: over a square of directions about it, of half the width
 * `reach`, the largest of what the known points say is least at the next direction to look at. The square is moved there if
 * the sum is lower, else halved.
 */
static void descend(follow* w, double reach)
{
    depth_search* d = &w->d;
    difference q[GAME_POINTS];
    wit_vec3 p[GAME_POINTS];
    double weight[GAME_POINTS];
    int count = 0, next = 0;
    for (; count < w->pool_count; ++count) q[count] = w->pool[count];
    for (int k = 0; k < DESCENTS && reach > 1e-6 && !d->spent && d->best >= -w->slack; ++k) {
        wit_vec3 e[2], corner[GAME_CORNERS], toward;
        complete3(d->normal, &e[0], &e[1]);
        if (d->corners == 2) e[0] = unit3(cross3(cross3(d->plane[0], d->plane[1]), d->normal));
        for (int i = 0; i < d->corners; ++i) {
            double x = i & 1 ? reach : -reach, y = d->corners == 2 ? 0 : i & 2 ? reach : -reach;
            corner[i] = unit3(addscaled3(addscaled3(d->normal, x, e[0]), y, e[1]));
        }
        for (int i = 0; i < count; ++i) p[i] = q[i].p;
        wi_direction_game(count, p, d->corners, corner, weight, &toward);
        if (!(dot3(toward, toward) > 0)) break;
        double before = d->best;
        next = count < GAME_POINTS ? count++ : (next + 1) % GAME_POINTS;
        look(w, toward, &q[next]);
        if (!(d->best < before - 1e-3 * w->tolerance)) reach *= 0.5;
    }
}

/* From the direction of the least sum to the contact there. */
static void polish(follow* w, double reach)
{
    penetration p;
    if (w->polishes++ >= POLISHES || w->d.spent) return;
    descend(w, reach);
    w->polished = w->d.best;
    if (w->d.spent || w->d.best < -w->slack) return;
    local_contact c = {w->at[0], w->at[1], w->d.normal, 0};
    if (solve_on(w, c) && !outdone(w)) return;
    memset(&p, 0, sizeof p);
    wi_depth_places(&w->d, &p);
    if (!w->d.spent) take_contact(w, &p);
    w->polished = w->d.best;
}

/* ---- cells ---------------------------------------------------------------------------------- */

static wit_vec3 middle(const wit_vec3* n, int count)
{
    wit_vec3 sum = {0, 0, 0};
    for (int k = 0; k < count; ++k) sum = add3(sum, n[k]);
    return unit3(sum);
}

/*
 * The bound that a point gives over the cell, and the way gone. A unit n of it is sum l_k n_k with l_k >= 0 and sum l_k >= 1,
 * so that p.n >= m = min p.n_k if that is not negative. Else p.n >= m sum l_k, and sum l_k <= 1 / min (n_k.middle), for
 * n.middle <= 1; and p.n >= -|p|.
 */
static double bound_of(const follow* w, const front_cell* c, wit_vec3 p)
{
    double least = INFINITY;
    int corners = w->d.corners;
    for (int k = 0; k < corners; ++k) least = smaller(least, dot3(p, c->n[k]));
    if (least < 0 && w->rounds > 0) {
        wit_vec3 m = middle(c->n, corners);
        double lean = 1;
        for (int k = 0; k < corners; ++k) lean = smaller(lean, dot3(m, c->n[k]));
        least = larger(lean > 0 ? least / lean : -INFINITY, -norm3(p));
    }
    return least + w->rounds - w->rounding + w->f->way;
}

static wit_vec3 now(const follow* w, wit_vec3 x, wit_vec3 y)
{
    return sub3(side_point(&w->d.task->a, x), side_point(&w->d.task->b, y));
}

/* The weighted points as the cell's own, if they bound it better. */
static void improve(const follow* w, front_cell* c, int count, const difference* q, const double* weight)
{
    wit_vec3 x = {0, 0, 0}, y = {0, 0, 0};
    for (int i = 0; i < count; ++i) {
        x = addscaled3(x, weight[i], q[i].x);
        y = addscaled3(y, weight[i], q[i].y);
    }
    double bound = bound_of(w, c, now(w, x, y));
    if (c->known && !(bound > c->bound)) return;
    c->x = x;
    c->y = y;
    c->bound = bound;
    c->known = true;
}

/* Points of a - b that bound the cell, exchanged for better ones. True: it is as high as it has to be. */
static bool examine(follow* w, front_cell* c)
{
    difference q[GAME_POINTS];
    wit_vec3 p[GAME_POINTS], toward;
    double weight[GAME_POINTS];
    int count = 0, corners = w->d.corners;
    work_nodes(w->d.work, 1);
    if (c->known) q[count++] = (difference){c->x, c->y, now(w, c->x, c->y)};
    if (w->exact) {
        const double alone = 1;
        improve(w, c, 1, &w->core, &alone);
        if (c->bound >= target_of(w)) return true;
        q[count++] = w->core;
    }
    for (int i = 0; i < w->pool_count; ++i) q[count++] = w->pool[i];
    if (!count) look(w, middle(c->n, corners), &q[count++]);
    for (int k = 0; k <= EXCHANGES && !w->d.spent; ++k) {
        for (int i = 0; i < count; ++i) p[i] = q[i].p;
        double value = wi_direction_game(count, p, corners, c->n, weight, &toward) + w->rounds;
        improve(w, c, count, q, weight);
        if (c->bound >= target_of(w)) return true;
        if (k == EXCHANGES || count == GAME_POINTS || !(dot3(toward, toward) > 0)) break;
        double s = look(w, toward, &q[count++]);
        if (s < target_of(w) + w->tolerance && s - value < 0.25 * w->tolerance) break; /* as high as it gets */
    }
    return false;
}

static void put_child(front_cell* c, const front_cell* parent, wit_vec3 a, wit_vec3 b, wit_vec3 m, wit_vec3 e)
{
    *c = *parent;
    c->n[0] = a, c->n[1] = b, c->n[2] = m, c->n[3] = e;
    c->known = false;
}

/* The cell cut into its parts, the first of them in its place. False: no room, or it is too narrow. */
static bool cut(follow* w, int i)
{
    depth_front* f = w->f;
    front_cell c = cells_of(f)[i], *at = cells_of(f) + f->count;
    int more = w->d.corners == 2 ? 1 : 3;
    if (f->count + more > f->capacity || norm3(sub3(c.n[0], c.n[w->d.corners / 2])) < NARROWEST) return false;
    wit_vec3 m = middle(c.n, w->d.corners);
    if (w->d.corners == 2) {
        put_child(&cells_of(f)[i], &c, c.n[0], m, m, m);
        put_child(at, &c, m, c.n[1], m, m);
    } else {
        wit_vec3 e[4];
        for (int k = 0; k < 4; ++k) e[k] = unit3(add3(c.n[k], c.n[(k + 1) % 4]));
        for (int k = 0; k < 4; ++k) put_child(k ? at + k - 1 : &cells_of(f)[i], &c, c.n[k], e[k], m, e[(k + 3) % 4]);
    }
    f->count += more;
    for (int k = 0; k <= more; ++k) {
        front_cell* part = k ? at + k - 1 : &cells_of(f)[i];
        if (!c.known) continue;
        part->bound = bound_of(w, part, now(w, c.x, c.y));
        part->known = true;
    }
    return true;
}

static void begin_quads(depth_front* f)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int k = 0; k < 6; ++k) {
        wit_vec3 m = scale3(k & 1 ? -1 : 1, axes[k / 2]), x = axes[(k / 2 + 1) % 3], y = axes[(k / 2 + 2) % 3];
        front_cell* c = &cells_of(f)[f->count++];
        memset(c, 0, sizeof *c);
        for (int i = 0; i < 4; ++i) {
            wit_vec3 side_x = scale3(i == 0 || i == 3 ? -1 : 1, x), side_y = scale3(i < 2 ? -1 : 1, y);
            c->n[i] = unit3(add3(m, add3(side_x, side_y)));
        }
    }
}

static void begin_arcs(depth_front* f, const wit_vec3* e)
{
    for (int k = 0; k < 4; ++k) {
        front_cell* c = &cells_of(f)[f->count++];
        memset(c, 0, sizeof *c);
        for (int i = 0; i < 2; ++i) {
            int q = (k + i) % 4;
            c->n[i] = scale3(q < 2 ? 1 : -1, e[q & 1]);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* What the pair at the end may take. */
enum { PAIR_UNITS = 1500 };

/* Is the cell still proved? Read again only where the way gone may have ended that. */
static bool holds(const follow* w, front_cell* c)
{
    double target = target_of(w);
    if (!c->known) return false;
    if (c->bound < target) c->bound = bound_of(w, c, now(w, c->x, c->y));
    return c->bound >= target;
}

/* Every cell brought above the target. False: work or room ended before. */
static bool prove(follow* w)
{
    depth_front* f = w->f;
    for (int i = 0; i < f->count;) {
        if (w->d.best <= w->tolerance) return true; /* they touch, or are apart */
        front_cell* c = &cells_of(f)[i];
        if (holds(w, c) || examine(w, c)) {
            ++i;
            continue;
        }
        if (outdone(w) && w->d.best < w->polished - 0.5 * w->tolerance) polish(w, 0.1);
        if (w->d.spent || !task_may_spend(w->d.task, w->d.work, PAIR_UNITS)) return false;
        if (!(c->bound >= target_of(w)) && !cut(w, i)) return false;
    }
    return true;
}

/* Cells that are no longer needed are never joined again: from time to time the cover is made anew. */
static void renew(follow* w)
{
    depth_front* f = w->f;
    bool same = f->corners == w->d.corners && (w->d.planar || w->d.corners == 4);
    if (f->count && same && f->count < f->capacity / 2) return;
    f->count = 0;
    f->corners = w->d.corners;
    if (f->corners == 2)
        begin_arcs(f, w->d.plane);
    else
        begin_quads(f);
}

static void conclude(follow* w, bool proved, penetration* out)
{
    *out = w->contact;
    out->normal = w->d.normal;
    out->apart = !w->d.spent && w->d.best < -w->slack;
    out->closed = proved && w->exact && !outdone(w) && !out->apart;
    if (w->exact && !outdone(w)) out->normal = w->contact.normal;
    out->upper = larger(0, w->d.best + w->slack);
    out->lower = out->closed ? larger(0, w->d.best - w->tolerance - w->slack) : 0;
    w->f->followed = w->exact && !out->apart;
    if (w->f->followed) w->f->last = (local_contact){out->a, out->b, out->normal, out->depth};
}

void wi_depth_follow(depth_front* f, const search_task* task, double tolerance, wit_vec3 toward, wit_work* work,
                     penetration* out)
{
    follow w = {.f = f, .d = {.task = task, .work = work, .best = INFINITY}};
    difference q;
    memset(out, 0, sizeof *out);
    w.tolerance = larger(tolerance, 2 * task->floor);
    w.rounding = DEPTH_ROUNDING * task->floor;
    w.slack = task->a.body->tolerance + task->b.body->tolerance + w.rounding;
    w.round[0] = wi_roundness(task->a.body);
    w.round[1] = wi_roundness(task->b.body);
    w.rounds = w.round[0] + w.round[1];
    wi_depth_plane(&w.d);
    measure_way(&w);
    w.polished = INFINITY;
    if (!f->followed || !solve_on(&w, f->last)) {
        if (f->followed) look(&w, f->last.normal, &q);
        if (dot3(toward, toward) > 0.5) look(&w, toward, &q);
        for (int k = 0; k < 4 && !f->followed && !w.d.spent; ++k)
            look(&w, w.d.corners == 2 ? scale3(k & 1 ? -1 : 1, w.d.plane[k / 2]) : vec3(k == 0, k == 1, k >= 2), &q);
    }
    if (!w.d.spent && w.d.best >= -w.slack && !w.exact) polish(&w, f->followed ? 0.1 : 0.5);
    bool proved = false;
    if (!w.d.spent && w.d.best >= -w.slack) {
        renew(&w);
        proved = prove(&w);
        if (!proved) f->count = 0;
        for (int k = 0; k < 2 && proved && outdone(&w) && w.d.best > w.tolerance; ++k) polish(&w, 1e-3);
    }
    conclude(&w, proved, out);
}
