/* SPDX-License-Identifier: MIT */
/*
 * Contact pairs: x on a feature of a, y on one of b, the gap r = x - y along the common normal n. Unlike the condition of
 * closest points, r across all tangents, this one does not lose its sense where r vanishes:
 *     a face on one side:        r.f_u = r.f_v = 0,  n.h_j = 0 for the tangents h_j of the other side,  n = f_u x f_v
 *     two edges:                 r.f_u = r.h_u = 0,  n = f_u x h_u
 *     planar bodies, an edge:    r.f_u = 0,  n.h_u = 0,  n = f_u x z across the plane's normal z
 */
#ifndef QUERY_CONTACT_SOLVE_H
#define QUERY_CONTACT_SOLVE_H

#include "../search_task.h"

typedef struct local_contact {
    place a, b;
    wit_vec3 normal; /* unit, from a to b: outward of a, inward of b. In: a guess that settles the sign of two edges' */
    double depth;    /* (a.p - b.p).normal: positive when in each other */
} local_contact;

/*
 * Newton from the parameters of c->a and c->b on their features, which it does not leave. Where the pair is not isolated
 * (flat on flat) the nearest of its kind is taken. False: not converged, or the features have no normal (vertices and edges
 * against vertices). `plane` is the normal of the plane of planar bodies, else null. `size` is the length that angles
 * are measured with.
 */
bool wi_contact_solve(const side* a, const side* b, const wit_vec3* plane, double size, wit_work* work,
                      local_contact* c);

#endif
