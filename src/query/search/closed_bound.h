/* SPDX-License-Identifier: MIT */
/*
 * Lower bounds of the distance between the complete analytic shapes that two features lie on (all of the plane, cylinder,
 * cone, sphere, torus, line, circle; a vertex or a point is itself); 0 where no closed form is known. Exact, to rounding,
 * where one of them is a point, and for spheres, parallel and coaxial pairs: there closest sets are curves or areas that no
 * subdivision can afford.
 */
#ifndef QUERY_CLOSED_BOUND_H
#define QUERY_CLOSED_BOUND_H

#include "../search_task.h"

double wi_closed_bound(const side* a, wit_feature_kind kind_a, int id_a, const side* b, wit_feature_kind kind_b,
                       int id_b);

/* The same for a point given directly. */
double wi_closed_bound_point(const side* a, wit_feature_kind kind_a, int id_a, wit_vec3 point);

#endif
