/* SPDX-License-Identifier: MIT */
/* On which side of a body a point lies. */
#ifndef QUERY_SIGN_H
#define QUERY_SIGN_H

#include "../search_task.h"

typedef struct point_sign {
    int sign; /* -1 inside (behind), +1 outside (before), 0 unsigned */
    wit_sign how;
    bool proved; /* false: the likelier of the two */
    /* A shell that may cross itself has walls inside: unless proved, the point may be this deep although a wall is nearer.
     * Infinite: as deep as the box allows. */
    double deeper;
} point_sign;

/*
 * Is the point (in the frame of the search) inside the solid, or behind the sheet? `f` is the answer of a point search, whose
 * bracket may be of any width. Searches of its own are limited by what the task allows after *work, and counted there; the
 * memory of the task is used as scratch.
 */
point_sign wi_point_sign(const search_task* task, const side* s, wit_vec3 point, const search_answer* f,
                         wit_work* work);

/* Is the place, `distance` from the point, surely not the closest one, or is `sign` surely its side? By the normals
 * around it. */
bool wi_place_side_decided(const side* s, wit_vec3 point, const place* at, double distance, int sign);

/* The side by the normals around a place that is the only closest one but for a length `off`; 0: they do not tell. */
int wi_place_side(const side* s, wit_vec3 point, const place* at, double distance, double off);

/* Units that wi_point_sign_near and wi_place_side take at most. */
int64_t wi_point_sign_cost(const wit_body* body, const place* nearest);

/* The same by the normals around the place alone. *decided false: they do not tell. */
int wi_point_sign_near(const side* s, wit_vec3 point, const place* nearest, double distance, bool* decided);

#endif
