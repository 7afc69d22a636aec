/* SPDX-License-Identifier: MIT */
#include "minima_cone.h"

#include "../../geom/bounds.h"
#include "../../body/tree/crease.h"
#include "../../pair/local_minimum.h"

#define ROUNDING 1e-14 /* radians */

static double arcsine(double x)
{
    return wit_atan2(x, sqrt(larger(0, 1 - x * x)));
}

static double angle_between(wit_vec3 a, wit_vec3 b)
{
    return wit_atan2(norm3(cross3(a, b)), dot3(a, b));
}

static wit_cone leaf_cone(const side* s, const tree_node* n)
{
    wit_cone c = body_leaf_bounds(s->body)[n->bounds].cone;
    if (n->kind == WIT_VERTEX) c.angle = PI;
    c.axis = side_vector(s, c.axis);
    if (n->kind == WIT_FACE && body_faces(s->body)[n->feature].reversed) c.axis = scale3(-1, c.axis);
    if (n->kind == WIT_EDGE && wi_cell_starts_at_kink(s, n)) c.angle = PI;
    c.angle = smaller(PI, c.angle + CREASE);
    return c;
}

static bool of_one_kind(const tree_node* n)
{
    return n->kinds_below == 1u << WIT_FACE || n->kinds_below == 1u << WIT_EDGE;
}

static void fill_nodes(const side* s, wit_cone* cones)
{
    const tree_node* nodes = body_nodes(s->body);
    for (int i = s->body->node_count; i-- > 0;) { /* children stand behind their parents */
        const tree_node* n = &nodes[i];
        cones[i] = (wit_cone){vec3(0, 0, 1), PI};
        if (n->child[0] < 0)
            cones[i] = leaf_cone(s, n);
        else if (of_one_kind(n))
            cones[i] = wi_cone_unite(cones[n->child[0]], cones[n->child[1]]);
    }
}

void wi_cone_store_start(cone_store* store, const cell_pool* pool, wit_cone* nodes_a, wit_cone* nodes_b,
                         wit_cone* cells)
{
    wit_cone* nodes[2] = {nodes_a, nodes_b};
    *store = (cone_store){.pool = pool, .cells = cells};
    for (int k = 0; k < 2; ++k) {
        const side* s = pool->side[k];
        store->inside[k] = side_has_inside(s);
        if (!s->body || !nodes[k]) continue;
        store->nodes[k] = nodes[k];
        fill_nodes(s, nodes[k]);
    }
    for (int i = 0; i < pool->capacity; ++i) cells[i].angle = -1;
}

/* By the derivatives: |f_u x f_v - that of the middle| <= t_u |f_v| + t_v |f_u| + t_u t_v. */
static wit_cone cone_by_jet(const side* s, const cell* c)
{
    const wit_surface_jet* j = &c->jet;
    bool face = c->kind == WIT_FACE;
    wit_vec3 axis = face ? cross3(j->du, j->dv) : j->du;
    double length = norm3(axis), spread = c->t[0];
    if (face) spread = c->t[0] * c->len[1] + c->t[1] * c->len[0] + c->t[0] * c->t[1];
    if (!(spread < length)) return (wit_cone){vec3(0, 0, 1), PI};
    double sign = face && body_faces(s->body)[c->id].reversed ? -1 : 1;
    return (wit_cone){scale3(sign, unit3(axis)), arcsine(spread / length) + CREASE};
}

/* Where a surface has poles its own bound of the normals may be far better. */
static wit_cone cone_by_surface(const side* s, const cell* c)
{
    wit_surface_bounds b;
    side_tests(s, 1);
    wit_surface_bound(body_surface(s->body, c->id), iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]),
                      iv(c->mid[1] - c->h[1], c->mid[1] + c->h[1]), &b);
    double sign = body_faces(s->body)[c->id].reversed ? -1 : 1;
    return (wit_cone){scale3(sign, side_vector(s, b.normals.axis)), smaller(PI, b.normals.angle + CREASE)};
}

/* The kinds of features in the cell, and the cone if they are of one kind. */
static wit_cone cone_of(cone_store* store, int index, uint8_t* kinds)
{
    wit_cone none = {vec3(0, 0, 1), PI};
    const cell* c = &store->pool->cells[index];
    const side* s = store->pool->side[c->side];
    *kinds = 0;
    if (!s->body) return none;
    const tree_node* node = &body_nodes(s->body)[c->node];
    *kinds = node->kinds_below;
    if (c->inner) return store->nodes[c->side] ? store->nodes[c->side][c->node] : none;
    if (c->count == 0) return none;
    wit_cone* own = &store->cells[index];
    if (own->angle >= 0) return *own;
    *own = leaf_cone(s, node);
    wit_cone by_jet = cone_by_jet(s, c);
    if (by_jet.angle < own->angle) *own = by_jet;
    bool pole = c->kind == WIT_FACE && body_surface(s->body, c->id)->degenerate && c->len[0] + c->len[1] > 0 &&
                smaller(c->len[0], c->len[1]) * 4 < larger(c->d1[0], c->d1[1]);
    if (pole) {
        wit_cone by_surface = cone_by_surface(s, c);
        if (by_surface.angle < own->angle) *own = by_surface;
    }
    return *own;
}

/* Every direction from a point of cell a to one of b. False: the balls meet. */
static bool way_between(const cell* a, const cell* b, wit_cone* out)
{
    wit_vec3 pa = a->inner ? a->centre : a->jet.p, pb = b->inner ? b->centre : b->jet.p, way = sub3(pb, pa);
    double length = norm3(way), moved = a->radius + b->radius;
    if (!(moved < length)) return false;
    *out = (wit_cone){unit3(way), arcsine(moved / length) + ROUNDING};
    return true;
}

/* No normal of the face lies along the way. */
static bool aside(const wit_cone* normals, wit_vec3 way, double sway, bool outward)
{
    double angle = angle_between(way, normals->axis), spread = normals->angle + sway;
    return (outward ? angle : smaller(angle, PI - angle)) > spread;
}

bool wi_cones_turned_away(cone_store* store, int ia, int ib)
{
    const uint8_t face = 1u << WIT_FACE, edge = 1u << WIT_EDGE;
    const cell *a = &store->pool->cells[ia], *b = &store->pool->cells[ib];
    bool bodies = store->pool->side[1]->body;
    uint8_t ka, kb;
    wit_cone ca = cone_of(store, ia, &ka), cb = cone_of(store, ib, &kb), way;
    double sum = ca.angle + cb.angle;
    if (sum < 0.5 * PI && (ka == face || kb == face) && (ka == face || ka == edge) && (kb == face || kb == edge)) {
        double angle = angle_between(ca.axis, cb.axis);
        if (ka == kb ? smaller(angle, PI - angle) > sum : fabs(angle - 0.5 * PI) > sum) return true;
    }
    bool use_a = ka == face && ca.angle < PI, use_b = kb == face && cb.angle < PI;
    if ((!use_a && !use_b) || !way_between(a, b, &way)) return false;
    if (use_a && aside(&ca, way.axis, way.angle, bodies && store->inside[0])) return true;
    return use_b && aside(&cb, scale3(-1, way.axis), way.angle, bodies && store->inside[1]);
}

static bool leads_aside(cone_store* store, int index, const wit_cone* way)
{
    const cell* c = &store->pool->cells[index];
    const side* s = store->pool->side[c->side];
    uint8_t kinds;
    if (!s->body || c->kind == WIT_FACE) return false;
    if (c->kind == WIT_VERTEX) return wi_vertex_leads_closer(s, c->id, way);
    wit_cone tangents = cone_of(store, index, &kinds);
    return wi_edge_leads_closer(s, c->id, iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), &tangents, way);
}

bool wi_cones_lead_aside(cone_store* store, int ia, int ib)
{
    wit_cone from_a;
    if (!way_between(&store->pool->cells[ia], &store->pool->cells[ib], &from_a)) return false;
    wit_cone from_b = {scale3(-1, from_a.axis), from_a.angle};
    return leads_aside(store, ia, &from_a) || leads_aside(store, ib, &from_b);
}
