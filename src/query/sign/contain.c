/* SPDX-License-Identifier: MIT */
/* One body inside another: points of its parts, each with the box of the solid first and a search then. Solids that
 * touch: points below their faces. */
#include "contain.h"

#include "../../body/build/parts.h"
#include "../../body/meeting.h"
#include "../search/point_search.h"
#include "sign.h"

static bool masked(const side* s)
{
    return s->faces || s->edges || s->vertices;
}

holding wi_solid_holds_point(const search_task* task, const side* solid, wit_vec3 point, wit_work* work)
{
    const wit_body* b = solid->body;
    if (!b || b->kind != WIT_BODY_SOLID || masked(solid) || !side_may_hold(solid, point)) return HOLDS_NOT;
    if (!task_may(task, work)) return HOLDS_PERHAPS;
    search_task t = task_rest(task, work);
    t.a = *solid;
    t.b = wi_side_of_point(point);
    t.within = INFINITY;
    search_answer f;
    wi_point_search(&t, &f);
    work_spend(work, &f.work);
    if (f.end != SEARCH_CLOSED && f.end != SEARCH_BUDGET) return HOLDS_NOT;
    if (!(f.upper > task->floor)) return HOLDS_AT_EDGE;
    point_sign sign = wi_point_sign(task, solid, point, &f, work);
    if (!sign.proved) return f.lower > task->floor || f.end == SEARCH_BUDGET ? HOLDS_PERHAPS : HOLDS_AT_EDGE;
    return sign.sign < 0 ? HOLDS : HOLDS_NOT;
}

static holding holds(const search_task* task, const side* solid, const side* other, const body_part* part,
                     wit_work* work, place* in_solid, place* in_other)
{
    wit_vec3 p = side_point(other, part->point);
    holding h = wi_solid_holds_point(task, solid, p, work);
    if (h == HOLDS) {
        *in_other = place_at((wit_feature_kind)part->kind, part->feature, part->u, part->v, p);
        *in_solid = place_at(WIT_POINT, -1, 0, 0, p);
    }
    return h;
}

/* ---- features of a mask ------------------------------------------------------------------------ */

/* Is the feature not in the border of another one that counts? A mask is closed: such a one decides for it. */
static bool stands_alone(const side* s, wit_feature_kind kind, int32_t id)
{
    const wit_body* b = s->body;
    if (kind == WIT_EDGE) {
        const int32_t* uses = edge_uses(b, id);
        for (int32_t k = 0; k < body_edges(b)[id].uses && !b->planar; ++k)
            if (side_counts(s, WIT_FACE, body_uses(b)[uses[k]].face)) return false;
    } else if (kind == WIT_VERTEX) {
        int around;
        for (int k = 0; (around = wit_body_vertex_edge(b, id, k)) >= 0; ++k)
            if (side_counts(s, WIT_EDGE, around)) return false;
        for (int k = 0; (around = wit_body_vertex_face(b, id, k)) >= 0 && !b->planar; ++k)
            if (side_counts(s, WIT_FACE, around)) return false;
    }
    return true;
}

static holding holds_of_mask(const search_task* task, const side* solid, const side* other, wit_work* work,
                             place* in_solid, place* in_other)
{
    const wit_body* b = other->body;
    const int32_t counts[3] = {b->planar ? 0 : b->face_count, b->edge_count, b->vertex_count};
    holding all = HOLDS_NOT;
    for (int kind = WIT_FACE; kind <= WIT_VERTEX; ++kind)
        for (int32_t i = 0; i < counts[kind] && all != HOLDS; ++i) {
            if (!side_counts(other, (wit_feature_kind)kind, i) || !stands_alone(other, (wit_feature_kind)kind, i))
                continue;
            if (kind != WIT_VERTEX && !task_may(task, work)) return holding_of_both(all, HOLDS_PERHAPS);
            body_part p = wi_parts_point(b, (wit_feature_kind)kind, i);
            work_jets(work, kind != WIT_VERTEX);
            all = holding_of_both(all, holds(task, solid, other, &p, work, in_solid, in_other));
        }
    return all;
}

/* ---- bodies ------------------------------------------------------------------------------------ */

/* A body in one part that is wider than the solid is not in it. */
static bool too_wide(const wit_body* solid, const wit_body* other)
{
    wit_vec3 w = sub3(other->box.hi, other->box.lo);
    return !solid->unbounded && (other->unbounded || larger(w.x, larger(w.y, w.z)) > solid->size);
}

holding wi_solid_holds(const search_task* task, const side* solid, const side* other, wit_work* work, place* in_solid,
                       place* in_other)
{
    const wit_body *a = solid->body, *b = other->body;
    if (!a || !b || a->kind != WIT_BODY_SOLID || masked(solid)) return HOLDS_NOT;
    if (masked(other)) return holds_of_mask(task, solid, other, work, in_solid, in_other);
    if (a->outward && b->part_count == 1 && too_wide(a, b)) return HOLDS_NOT;
    holding all = HOLDS_NOT;
    for (int32_t i = 0; i < b->part_count && all != HOLDS; ++i)
        all = holding_of_both(all, holds(task, solid, other, &body_parts(b)[i], work, in_solid, in_other));
    return all;
}

/* ---- solids that touch ------------------------------------------------------------------------- */

/* How far below a face: of the size of its body. */
#define BELOW 1e-3

static bool shares_below(const search_task* task, const side* own, const side* other, wit_work* work, place* in_a,
                         place* in_b)
{
    enum { TRIES = 64 };
    const wit_body* b = own->body;
    int step = 1 + b->node_count / (2 * TRIES);
    enum { LOOK = 3 }; /* the trims, a normal, a jet */
    for (int i = 0; i < b->node_count && task_may_spend(task, work, LOOK); i += step) {
        const tree_node* n = &body_nodes(b)[i];
        double u = iv_mid(n->u), v = iv_mid(n->v);
        wit_vec3 normal;
        if (n->child[0] >= 0 || n->kind != WIT_FACE || body_faces(b)[n->feature].unbounded) continue;
        if (!wi_side_contains(own, WIT_FACE, n->feature, u, v) || side_spent(own, 2)) continue;
        if (!wi_side_normal(own, n->feature, u, v, &normal)) continue;
        wit_surface_jet j;
        side_face_jet(own, n->feature, u, v, WIT_KNOT_DEFAULT, &j);
        wit_vec3 p = addscaled3(j.p, -BELOW * b->size, normal);
        if (wi_solid_holds_point(task, other, p, work) != HOLDS || wi_solid_holds_point(task, own, p, work) != HOLDS)
            continue;
        *in_a = *in_b = place_at(WIT_POINT, -1, 0, 0, p);
        return true;
    }
    return false;
}

bool wi_solids_share_inside(const search_task* task, wit_work* work, place* in_a, place* in_b)
{
    return shares_below(task, &task->a, &task->b, work, in_a, in_b) ||
           shares_below(task, &task->b, &task->a, work, in_a, in_b);
}
