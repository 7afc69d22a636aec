/* SPDX-License-Identifier: MIT */
/* Seeds of local contacts, and the list of those that were found. */
#include "contact.h"

#include <string.h>

#include "../sign/contain.h"
#include "../../pair/local_minimum.h"
#include "../../pair/lowest_place.h"
#include "support.h"

enum { STACK = 512, SUPPORT_SEEDS = 256, REGIONS = 16 };
#define SAME 1e-6      /* of the size: contacts no farther from each other are one */
#define LOOK_ALIKE 0.5 /* cosine */
#define FLAT_SAME 1e-9 /* of the size: so are those of one depth and normal on the same features */

typedef struct contact_hunt {
    const search_task* task;
    double reach;
    wit_work* work;
    contact_list* list;
    wit_vec3 z; /* normal of the plane of planar bodies */
    bool planar;
} contact_hunt;

/* ---- the list ------------------------------------------------------------------------------- */

static bool same(const contact_hunt* h, const local_contact* x, const local_contact* y)
{
    double size = h->task->size;
    if (norm3(sub3(x->a.p, y->a.p)) <= SAME * size && norm3(sub3(x->b.p, y->b.p)) <= SAME * size) return true;
    bool features = x->a.kind == y->a.kind && x->a.id == y->a.id && x->b.kind == y->b.kind && x->b.id == y->b.id;
    return features && fabs(x->depth - y->depth) <= FLAT_SAME * size && dot3(x->normal, y->normal) >= 1 - FLAT_SAME;
}

static bool known(const contact_hunt* h, const local_contact* c)
{
    for (int i = 0; i < h->list->count; ++i)
        if (same(h, &h->list->c[i], c)) return true;
    return false;
}

static void add(contact_list* l, const local_contact* c)
{
    int i = l->count;
    if (i == CONTACTS_MOST) {
        l->full = true;
        if (!(c->depth > l->c[--i].depth)) return;
    } else {
        l->count++;
    }
    for (; i > 0 && l->c[i - 1].depth < c->depth; --i) l->c[i] = l->c[i - 1];
    l->c[i] = *c;
}

/* ---- seeds ---------------------------------------------------------------------------------- */

static void try_contact(contact_hunt* h, local_contact c)
{
    const search_task* t = h->task;
    if (!wi_contact_solve(&t->a, &t->b, h->planar ? &h->z : NULL, t->size, h->work, &c)) return;
    if (c.a.kind != WIT_FACE && c.b.kind != WIT_FACE &&
        c.depth < 0) { /* two edges, or a plane's: the other way round */
        c.normal = scale3(-1, c.normal);
        c.depth = -c.depth;
    }
    double slack = wi_minimum_slack(&t->pair);
    if (!(c.depth > slack) || known(h, &c) || !wi_contact_holds(t, &c, h->work)) return;
    c.a = wi_lowest_place(&t->a, &c.a, slack);
    c.b = wi_lowest_place(&t->b, &c.b, slack);
    c.depth = dot3(sub3(c.a.p, c.b.p), c.normal);
    if (!known(h, &c)) add(h->list, &c);
}

static place middle_of(const tree_node* leaf)
{
    return place_at((wit_feature_kind)leaf->kind, leaf->feature, iv_mid(leaf->u), iv_mid(leaf->v), vec3(0, 0, 0));
}

static bool takes_part(const side* s, const tree_node* leaf)
{
    return leaf->kind != WIT_FACE || !s->body->planar;
}

/* A pair needs a normal: a face, or two edges; in the plane an edge. */
static bool has_normal(const contact_hunt* h, const tree_node* x, const tree_node* y)
{
    if (h->planar) return x->kind == WIT_EDGE || y->kind == WIT_EDGE;
    return x->kind == WIT_FACE || y->kind == WIT_FACE || (x->kind == WIT_EDGE && y->kind == WIT_EDGE);
}

/* The box of a node in the frame of the search. */
static wit_box node_box(const side* s, const tree_node* n)
{
    if (!s->moved) return n->box;
    wit_vec3 c = side_point(s, scale3(0.5, add3(n->box.lo, n->box.hi))), w = scale3(0.5, sub3(n->box.hi, n->box.lo));
    wit_vec3 e = vec3(fabs(s->x.x) * w.x + fabs(s->x.y) * w.y + fabs(s->x.z) * w.z,
                      fabs(s->y.x) * w.x + fabs(s->y.y) * w.y + fabs(s->y.z) * w.z,
                      fabs(s->z.x) * w.x + fabs(s->z.y) * w.y + fabs(s->z.z) * w.z);
    return (wit_box){sub3(c, e), add3(c, e)};
}

static bool boxes_near(const wit_box* x, const wit_box* y, double reach)
{
    return x->lo.x <= y->hi.x + reach && y->lo.x <= x->hi.x + reach && x->lo.y <= y->hi.y + reach &&
           y->lo.y <= x->hi.y + reach && x->lo.z <= y->hi.z + reach && y->lo.z <= x->hi.z + reach;
}

/* Could a normal of the one be opposite to one of the other? */
static bool cones_meet(const contact_hunt* h, int32_t i, int32_t k)
{
    const node_cone *x = &body_node_cones(h->task->a.body)[i], *y = &body_node_cones(h->task->b.body)[k];
    if (!(x->cosine > -1) || !(y->cosine > -1)) return true;
    double sx = sqrt(larger(0, 1 - x->cosine * x->cosine)), sy = sqrt(larger(0, 1 - y->cosine * y->cosine));
    if (sx * y->cosine + x->cosine * sy <= 0) return true; /* half angles of pi or more together */
    wit_vec3 ax = side_vector(&h->task->a, x->axis), ay = side_vector(&h->task->b, y->axis);
    return -dot3(ax, ay) >= x->cosine * y->cosine - sx * sy - 1e-9;
}

static double width(const tree_node* n)
{
    wit_vec3 w = sub3(n->box.hi, n->box.lo);
    return n->child[0] < 0 ? -1 : dot3(w, w);
}

/* Two faces whose middles look the same way have no contact there, or not from there. */
static bool face_off(const contact_hunt* h, const place* x, const place* y)
{
    wit_vec3 n, m;
    if (x->kind != WIT_FACE || y->kind != WIT_FACE || side_spent(&h->task->a, 2)) return true;
    if (!wi_side_normal(&h->task->a, x->id, x->u, x->v, &n) || !wi_side_normal(&h->task->b, y->id, y->u, y->v, &m))
        return true;
    return dot3(n, m) < LOOK_ALIKE;
}

/* Pairs of leaves no farther apart than `reach`. */
static void seed_leaves(contact_hunt* h, double reach)
{
    const side *a = &h->task->a, *b = &h->task->b;
    const tree_node *na = body_nodes(a->body), *nb = body_nodes(b->body);
    int32_t stack[STACK][2];
    int count = 0;
    if (!a->body->node_count || !b->body->node_count) return;
    stack[count][0] = stack[count][1] = 0;
    count = 1;
    while (count && task_may(h->task, h->work)) {
        int32_t i = stack[--count][0], k = stack[count][1];
        const tree_node *x = &na[i], *y = &nb[k];
        wit_box bx = node_box(a, x), by = node_box(b, y);
        work_nodes(h->work, 1);
        if (!boxes_near(&bx, &by, reach) || !cones_meet(h, i, k)) continue;
        bool leaf = x->child[0] < 0 && y->child[0] < 0, first = width(x) >= width(y);
        if (leaf) {
            if (!takes_part(a, x) || !takes_part(b, y) || !has_normal(h, x, y)) continue;
            local_contact c = {middle_of(x), middle_of(y), vec3(0, 0, 1), 0};
            if (face_off(h, &c.a, &c.b)) try_contact(h, c);
        }
        for (int m = 0; m < 2 && !leaf && count < STACK; ++m) {
            stack[count][0] = first ? x->child[m] : i;
            stack[count++][1] = first ? k : y->child[m];
        }
    }
}

/* From the middles of the faces of one body against the farthest place of the other the opposite way: what is deep inside,
 * with boundaries that may not even meet. */
static void seed_supports(contact_hunt* h, bool first)
{
    const side *own = first ? &h->task->a : &h->task->b, *other = first ? &h->task->b : &h->task->a;
    const wit_body* body = own->body;
    wit_box near = wi_side_box(other);
    int step = 1 + body->node_count / (2 * SUPPORT_SEEDS);
    enum { LOOK = 3 }; /* a jet, a node, a normal */
    for (int i = 0; i < body->node_count && task_may_spend(h->task, h->work, LOOK); i += step) {
        const tree_node* leaf = &body_nodes(body)[i];
        wit_vec3 n;
        if (leaf->child[0] >= 0 || leaf->kind != WIT_FACE || body->planar) continue;
        place at = middle_of(leaf);
        wit_surface_jet j;
        side_face_jet(own, at.id, at.u, at.v, WIT_KNOT_DEFAULT, &j);
        work_nodes(h->work, 1);
        if (box_square(&near, j.p) > h->reach * h->reach || !wi_side_normal(own, at.id, at.u, at.v, &n)) continue;
        place far = wi_support_of(other, scale3(-1, n), h->work).at;
        local_contact c = {first ? at : far, first ? far : at, n, 0};
        try_contact(h, c);
    }
}

void wi_contact_search(const search_task* task, double reach, wit_work* work, contact_list* out)
{
    contact_hunt h = {.task = task, .reach = reach, .work = work, .list = out, .planar = task->a.body->planar};
    out->count = 0;
    out->full = false;
    if (h.planar) h.z = side_vector(&task->a, body_surface(task->a.body, 0)->frame.z);
    if (task->a.body->unbounded || task->b.body->unbounded) return;
    seed_leaves(&h, 0);
    seed_supports(&h, true);
    seed_supports(&h, false);
    seed_leaves(&h, reach);
}

/* Are the middles of two contacts in one part of what the bodies share, as far as three points between tell? */
static bool one_place(const search_task* t, const local_contact* x, const local_contact* y, wit_work* work)
{
    wit_vec3 p = scale3(0.5, add3(x->a.p, x->b.p)), q = scale3(0.5, add3(y->a.p, y->b.p));
    for (int k = 1; k < 4; ++k) {
        wit_vec3 m = addscaled3(p, 0.25 * k, sub3(q, p));
        if (wi_solid_holds_point(t, &t->a, m, work) != HOLDS || wi_solid_holds_point(t, &t->b, m, work) != HOLDS)
            return false;
    }
    return true;
}

int wi_contact_regions(const search_task* task, double upper, wit_work* work, contact_list* list)
{
    int kept[REGIONS], count = 0;
    wi_contact_search(task, upper, work, list);
    /* from the shallowest on: what is deeper in the same place is a longer way out of it; and `upper` separates them for sure */
    for (int i = list->count; i-- > 0 && count < REGIONS && list->c[i].depth <= upper;) {
        bool longer = false;
        for (int k = 0; k < count && !longer; ++k) longer = one_place(task, &list->c[kept[k]], &list->c[i], work);
        if (!longer) kept[count++] = i;
    }
    /* indices fall, so that what is moved to the front was not overwritten before */
    for (int k = 0; k < count / 2; ++k) {
        int i = kept[k];
        kept[k] = kept[count - 1 - k];
        kept[count - 1 - k] = i;
    }
    for (int k = 0; k < count; ++k) list->c[k] = list->c[kept[k]];
    return list->count = count;
}

bool wi_contact_deepest(const search_task* task, wit_work* work, penetration* d)
{
    contact_list list;
    if (!wi_contact_regions(task, d->upper, work, &list)) return false;
    const local_contact* c = &list.c[0];
    d->normal = c->normal;
    d->a = c->a;
    d->b = c->b;
    d->depth = c->depth;
    return true;
}
