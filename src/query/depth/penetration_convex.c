/* SPDX-License-Identifier: MIT */
/* How sure it is that a body is convex. */
#include "../../body/convex.h"
#include "penetration.h"

/* A region in the plane: its edges bend one way, and no corner is hollow. Lines and arcs are known; others are sampled. */
static convexity planar_convexity(const wit_body* b)
{
    if (b->kind != WIT_BODY_SOLID || !wit_body_check(b).convex) return CONVEX_NOT;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (body_curve(b, i)->kind > WIT_CURVE_HYPERBOLA) return CONVEX_SAMPLED;
    return CONVEX_PROVED;
}

convexity wi_convexity_of(const wit_body* b)
{
    if (b->planar) return planar_convexity(b);
    if (!wi_body_convex(b)) return CONVEX_NOT;
    for (int32_t i = 0; i < b->face_count; ++i)
        if (body_surface(b, i)->kind > WIT_SURFACE_PARABOLOID && !wit_body_check_face(b, i).bend_proved)
            return CONVEX_SAMPLED;
    return CONVEX_PROVED;
}
