/* SPDX-License-Identifier: MIT */
/*
 * What is proved of a point in motion: the front of its body (front/point_front.h), in the memory of the tracker.
 *
 * In every frame the front is told where the witness is. It proves how near the boundary comes, or shows a place that is
 * nearer, which the witness then jumps to. The side of the point is proved beside it:
 *   of a closed solid the ball about q that the front has proved to be empty is on one side: while the point stays in it nothing
 *   is asked;
 *   where the foot of the witness is the only place that may be closest, by the normals there (query/sign/sign.c), the foot being as
 *   near to the witness as the front has proved;
 *   else as the cold query proves it, from the bracket of the front.
 * A tracker of an unbounded body, or with `front` 0, has none: then what the last search has proved is carried along
 * (carried_bound.h), as for two bodies.
 */
#ifndef TRACK_POINT_PROOF_H
#define TRACK_POINT_PROOF_H

#include "step.h"

size_t wi_point_proof_bytes(const wit_body* a, const wit_body* b, const wit_track_def* def);
/* Nothing is proved: the next step begins with the whole body. */
void wi_point_proof_forget(wit_tracker* t);

/* Proves the witness, which the step has looked at: s->front. If a place is nearer, and there is work left to follow it, the
 * witness jumps there (JUMPED): true. */
bool wi_point_proof_jump(step* s);
/* Is the distance of the witness, as the front has it, the least but for what certifying allows? */
bool wi_point_proof_holds(const step* s);
/* The proved side of the point, `distance` from its witness; 0: not proved. */
int wi_point_proof_side(step* s, double distance);
/* The bounds of the signed distance for this frame: t->bound, t->above. `side`: the proved one; 0: none. */
void wi_point_proof_end(step* s, double distance, int side);

/* The same in one for a usual step, on its face at w; `told`: the side by the normal there. False: that needs the general step, which
 * counts what was done. */
bool wi_point_proof_usual(wit_tracker* t, wit_vec3 q, const front_witness* w, int told, wit_work* work);
/* Why a front does not certify, of what it wants and what its bounds are loose by; `sided`: the side is known, or there is none. */
wit_reason wi_reason_of_front(const wit_tracker* t, front_want want, double loose, bool sided);
/* Tangent planes have proved the point to be outside: nothing of the body is nearer than `room`. */
void wi_point_proof_outside(wit_tracker* t, wit_vec3 q, double room);

#endif
