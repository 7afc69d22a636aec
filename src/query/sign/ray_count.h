/* SPDX-License-Identifier: MIT */
/*
 * How many times the shell of a solid goes round a point: a whole number, counted along a ray.
 *
 * W(q) = sum over the faces that the ray from q meets of +1 where it leaves, -1 where it enters. Over a piece of a face the
 * count is the winding number of the piece's border about the ray, seen along it, as long as the border stays clear of the
 * ray: nothing is asked of the piece itself. So no crossing is solved for, and what can't be told (a ray through an edge) is
 * said to be unknown.
 *
 * A shell that does not cross itself has W = 1 inside and 0 outside. One that does has places with W = 2, where walls are
 * inside of it, and others from which a wall of W = 1 | 2 looks like the outside. So a side that the normals at the closest
 * place tell is that of the solid if and only if W = 1 where they say inside, 0 where they say outside: the wall there is then
 * one between inside and outside.
 */
#ifndef QUERY_RAY_COUNT_H
#define QUERY_RAY_COUNT_H

#include "../search_task.h"

typedef struct ray_count {
    bool known;
    int number;
} ray_count;

/* `q` in the body's frame, no face within `clear` of it; `toward` is the first direction that is tried. Work is counted and
 * ends where the task says. */
ray_count wi_ray_count(const search_task* task, const wit_body* body, wit_vec3 q, double clear, wit_vec3 toward,
                       wit_work* work);

#endif
