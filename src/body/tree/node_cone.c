/* SPDX-License-Identifier: MIT */
/* Cones of outward normals over the bounding tree. */
#include "node_cone.h"

#include "../../geom/bounds.h"
#include "../meeting.h"

#define ROUNDING 1e-14 /* radians, and of cosines */

static const wit_cone ANY = {{0, 0, 1}, PI};

static wit_cone outward(const wit_body* b, int32_t face, wit_cone c)
{
    if (body_faces(b)[face].reversed) c.axis = scale3(-1, c.axis);
    return c;
}

/*
 * At a place of an edge that is closest to something outside, the way w there is across the edge and leads into no face:
 * it is a sum of the two outward normals with weights >= 0, and a cone below a right angle that holds both normals holds
 * it. A stored tolerance lets the faces end elsewhere: then nothing is said.
 */
static wit_cone edge_cone(const wit_body* b, const tree_node* n)
{
    const body_edge* e = &body_edges(b)[n->feature];
    const int32_t* uses = edge_uses(b, n->feature);
    wit_cone all = ANY;
    if (e->uses != 2 || e->tolerance > 0) return ANY;
    for (int k = 0; k < 2; ++k) {
        wit_cone c = outward(b, body_uses(b)[uses[k]].face, wi_use_normals(b, uses[k], n->u));
        all = k ? wi_cone_unite(all, c) : c;
    }
    return all.angle < 0.5 * PI - 1e-6 ? all : ANY;
}

static wit_cone leaf_cone(const wit_body* b, const tree_node* n)
{
    if (n->kind == WIT_FACE) return outward(b, n->feature, body_leaf_bounds(b)[n->bounds].cone);
    return n->kind == WIT_EDGE ? edge_cone(b, n) : ANY;
}

static node_cone packed(wit_cone c)
{
    double sine, cosine;
    if (!(c.angle < PI)) return (node_cone){vec3(0, 0, 1), -1};
    wit_sincos(c.angle, &sine, &cosine);
    return (node_cone){c.axis, larger(-1, cosine - ROUNDING)};
}

/* A cosine near 1 has lost half of the digits of the angle: rounded down it is an angle that is larger by 1e-7 there. */
static wit_cone unpacked(node_cone c)
{
    if (!(c.cosine > -1)) return ANY;
    return (wit_cone){c.axis, wit_atan2(sqrt(larger(0, 1 - c.cosine * c.cosine)), c.cosine) + ROUNDING};
}

void wi_node_cones_fill(const wit_body* b, node_cone* out)
{
    const tree_node* nodes = body_nodes(b);
    for (int i = b->node_count; i-- > 0;) { /* children stand behind their parents */
        const tree_node* n = &nodes[i];
        if (!b->outward)
            out[i] = packed(ANY);
        else if (n->child[0] < 0)
            out[i] = packed(leaf_cone(b, n));
        else
            out[i] = packed(wi_cone_unite(unpacked(out[n->child[0]]), unpacked(out[n->child[1]])));
    }
}
