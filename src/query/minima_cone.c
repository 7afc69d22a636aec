/* SPDX-License-Identifier: MIT */
#include "minima_cone.h"

#include "local_minimum.h"

#define ROUNDING 1e-14 /* radians */

static double arcsine(double x)
{
    return wit_atan2(x, sqrt(larger(0, 1 - x * x)));
}

static double angle_between(wit_vec3 a, wit_vec3 b)
{
    return wit_atan2(norm3(cross3(a, b)), dot3(a, b));
}

/* The smallest cone about two, as far as one axis in their plane goes. */
static wit_cone unite(wit_cone a, wit_cone b)
{
    wit_cone all = {vec3(0, 0, 1), PI};
    if (a.angle < b.angle) {
        wit_cone t = a;
        a = b;
        b = t;
    }
    double apart = angle_between(a.axis, b.axis);
    if (apart + b.angle <= a.angle) return a;
    double angle = 0.5 * (apart + a.angle + b.angle) + ROUNDING;
    wit_vec3 across = unit3(addscaled3(b.axis, -dot3(a.axis, b.axis), a.axis));
    if (!(angle < PI) || !(dot3(across, across) > 0.5)) return all;
    double turn = angle - a.angle, s, c;
    wit_sincos(turn, &s, &c);
    return (wit_cone){unit3(addscaled3(scale3(c, a.axis), s, across)), angle};
}

static wit_cone leaf_cone(const side* s, const tree_node* n)
{
    wit_cone c = body_leaf_bounds(s->body)[n->bounds].cone;
    if (n->kind == WIT_VERTEX) c.angle = PI;
    c.axis = side_vector(s, c.axis);
    if (n->kind == WIT_FACE && body_faces(s->body)[n->feature].reversed) c.axis = scale3(-1, c.axis);
    c.angle = smaller(PI, c.angle + ROUNDING);
    return c;
}

static bool of_one_kind(const tree_node* n)
{
    return n->kinds_below == 1u << WIT_FACE || n->kinds_below == 1u << WIT_EDGE;
}

node_cones node_cones_of(const side* s, wit_cone* cones)
{
    node_cones r = {s, cones, side_has_inside(s)};
    if (!s->body || !cones) return r;
    const tree_node* nodes = body_nodes(s->body);
    for (int i = s->body->node_count; i-- > 0;) { /* children stand behind their parents */
        const tree_node* n = &nodes[i];
        cones[i] = (wit_cone){vec3(0, 0, 1), PI};
        if (n->child[0] < 0)
            cones[i] = leaf_cone(s, n);
        else if (of_one_kind(n))
            cones[i] = unite(cones[n->child[0]], cones[n->child[1]]);
    }
    return r;
}

/* Of a cell below a leaf also by its own derivatives: |f_u x f_v - that of the middle| <= t_u |f_v| + t_v |f_u| + t_u t_v. */
static wit_cone cone_of(const node_cones* n, const cell* c, uint8_t* kinds)
{
    wit_cone none = {vec3(0, 0, 1), PI};
    *kinds = 0;
    if (!n->s->body || (c->inner && !n->cones)) return none;
    const tree_node* node = &body_nodes(n->s->body)[c->node];
    *kinds = node->kinds_below;
    if (c->inner || c->count == 0) return n->cones ? n->cones[c->node] : none;
    wit_cone leaf = n->cones ? n->cones[c->node] : leaf_cone(n->s, node);
    const wit_surface_jet* j = &c->jet;
    bool face = c->kind == WIT_FACE;
    wit_vec3 axis = face ? cross3(j->du, j->dv) : j->du;
    double length = norm3(axis), spread = c->t[0];
    if (face) spread = c->t[0] * c->len[1] + c->t[1] * c->len[0] + c->t[0] * c->t[1];
    if (!(spread < length)) return leaf;
    double angle = arcsine(spread / length) + ROUNDING;
    if (!(angle < leaf.angle)) return leaf;
    return (wit_cone){scale3(face && body_faces(n->s->body)[c->id].reversed ? -1 : 1, unit3(axis)), angle};
}

bool cones_turned_away(const node_cones* na, const cell* a, const node_cones* nb, const cell* b)
{
    const uint8_t face = 1u << WIT_FACE, edge = 1u << WIT_EDGE;
    uint8_t ka, kb;
    if (!nb->s->body) return false;
    wit_cone ca = cone_of(na, a, &ka), cb = cone_of(nb, b, &kb);
    double sum = ca.angle + cb.angle;
    if (sum < 0.5 * PI && (ka == face || kb == face) && (ka == face || ka == edge) && (kb == face || kb == edge)) {
        double angle = angle_between(ca.axis, cb.axis);
        if (ka == kb ? smaller(angle, PI - angle) > sum : fabs(angle - 0.5 * PI) > sum) return true;
    }
    bool use_a = na->inside && ka == face && ca.angle < PI, use_b = nb->inside && kb == face && cb.angle < PI;
    wit_vec3 pa = a->inner ? a->centre : a->jet.p, pb = b->inner ? b->centre : b->jet.p, way = sub3(pb, pa);
    double length = norm3(way), moved = a->radius + b->radius;
    if ((!use_a && !use_b) || !(moved < length)) return false;
    double sway = arcsine(moved / length) + ROUNDING;
    if (use_a && angle_between(way, ca.axis) > ca.angle + sway) return true;
    return use_b && angle_between(scale3(-1, way), cb.axis) > cb.angle + sway;
}

static bool leads_aside(const node_cones* n, const cell* c, const wit_cone* way)
{
    uint8_t kinds;
    if (!n->s->body || c->kind == WIT_FACE) return false;
    if (c->kind == WIT_VERTEX) return vertex_leads_closer(n->s, c->id, way);
    wit_cone tangents = cone_of(n, c, &kinds);
    return edge_leads_closer(n->s, c->id, iv(c->mid[0] - c->h[0], c->mid[0] + c->h[0]), &tangents, way);
}

bool cones_lead_aside(const node_cones* na, const cell* a, const node_cones* nb, const cell* b)
{
    wit_vec3 way = sub3(b->jet.p, a->jet.p);
    double length = norm3(way), moved = a->radius + b->radius;
    if (!(moved < length)) return false;
    wit_cone from_a = {unit3(way), arcsine(moved / length) + ROUNDING},
             from_b = {scale3(-1, from_a.axis), from_a.angle};
    return leads_aside(na, a, &from_a) || leads_aside(nb, b, &from_b);
}
