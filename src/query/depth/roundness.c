/* SPDX-License-Identifier: MIT */
#include "roundness.h"

#include <float.h>

#include "../../base/interval.h"
#include "../../body/meeting.h"

enum { FACES_MOST = 8 };
#define SAME 8 * DBL_EPSILON /* of the size */

/* Does the ring run where the surface of that radius has the ring's own plane for its normals? Then faces meet smoothly there. */
static bool smooth_at(const wit_surface* s, const wit_curve* ring, double slack)
{
    wit_vec3 off = sub3(ring->frame.o, s->frame.o);
    if (s->kind == WIT_SURFACE_SPHERE) return norm3(off) <= slack;
    wit_vec3 aside = addscaled3(off, -dot3(off, s->frame.z), s->frame.z);
    return norm3(aside) <= slack && norm3(cross3(ring->frame.z, s->frame.z)) <= SAME;
}

/* Every edge a whole circle of that radius about the middle of what meets there. */
static bool smooth_edges(const wit_body* b, double r)
{
    double slack = SAME * b->size;
    for (int32_t i = 0; i < b->edge_count; ++i) {
        const wit_curve* c = body_curve(b, i);
        if (c->kind != WIT_CURVE_CIRCLE || fabs(c->a - r) > slack) return false;
        const int32_t* uses = edge_uses(b, i);
        for (int32_t k = 0; k < body_edges(b)[i].uses; ++k)
            if (!smooth_at(body_surface(b, body_uses(b)[uses[k]].face), c, slack)) return false;
    }
    return true;
}

double wi_roundness(const wit_body* b)
{
    double r = INFINITY;
    if (b->planar || b->unbounded || !b->outward || !b->face_count || b->face_count > FACES_MOST) return 0;
    for (int32_t i = 0; i < b->face_count; ++i) {
        const wit_surface* s = body_surface(b, i);
        if (s->kind == WIT_SURFACE_ELLIPSOID && b->face_count == 1 && !b->edge_count) {
            double least = smaller(s->a, smaller(s->b, s->c)), most = larger(s->a, larger(s->b, s->c));
            return least * least / most * (1 - SAME);
        }
        if (s->kind != WIT_SURFACE_SPHERE && s->kind != WIT_SURFACE_CYLINDER) return 0;
        if (body_faces(b)[i].reversed || (i && fabs(s->a - r) > SAME * b->size)) return 0;
        r = smaller(r, s->a);
    }
    return !b->vertex_count && smooth_edges(b, r) ? r * (1 - SAME) : 0;
}
