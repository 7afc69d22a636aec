/* SPDX-License-Identifier: MIT */
/*
 * The depth of two convex bodies that move in each other, followed from frame to frame.
 *
 * s(n) = h_a(n) + h_b(-n), and the depth is its least value over unit n (penetration.h). A front is a set of cells that cover
 * all directions, fixed to a. Each cell holds a point x of a and a point y of b, both in the frame of their own body: while
 * the bodies are rigid, s(n) >= (x - T y).n holds for ever, so what proved the cell in one frame is read again in another by as
 * many dot products as it has corners; and no sooner than b has gone far enough to end the proof, for the bound falls by no more
 * than that. Only cells whose proof has ended are looked at again, and cut where that does not help.
 *
 * The contact of the last frame is solved for again on its features; it is the depth if the support sum at its normal is
 * its depth (that is from above) and no cell may be below it (that is from below). Where it is not, the direction of the least
 * sum seen leads to the next one.
 */
#ifndef QUERY_DEPTH_FRONT_H
#define QUERY_DEPTH_FRONT_H

#include "contact_solve.h"
#include "direction_game.h"
#include "penetration.h"

typedef struct front_cell {
    wit_vec3 n[GAME_CORNERS]; /* unit, in the frame of a */
    wit_vec3 x, y;            /* of a and of b, each in its own frame */
    double bound; /* of s over the cell when it was read last, and the way that b had gone by then; only if known */
    bool known;
} front_cell;

typedef struct depth_front {
    int capacity, count; /* count 0: not begun */
    int corners;         /* of its cells: 4; of planar bodies 2 */
    bool followed;       /* there is a contact of the last frame */
    local_contact last;  /* that: places and normal in the frame of a */
    double way;          /* that no point of b has gone farther than, all frames together */
    wit_vec3 rows[3], t; /* of b in the frame of a, when that was measured last */
    /* cells behind it */
} depth_front;

/* Bytes of a front with so many cells. */
size_t wi_depth_front_bytes(int capacity);
/* Nothing is known. */
void wi_depth_front_begin(depth_front* f, int capacity);

/*
 * The depth within `tolerance` (a length): like wi_penetration_search, but from what the front knows of the frame before. The
 * frame of the task is that of a, and the same body is a in every call. `toward`: where to look first, unit, from a to b, if no
 * contact is followed; zero: anywhere. out->closed: the pair is one, its depth is the support sum at its normal, and no direction
 * is below it by more than the tolerance. out->apart: a plane between them was found. Neither: the work ended, or the cells.
 */
void wi_depth_follow(depth_front* f, const search_task* task, double tolerance, wit_vec3 toward, wit_work* work,
                     penetration* out);

#endif
