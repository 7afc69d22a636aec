/* SPDX-License-Identifier: MIT */
/*
 * The front of two bodies that are apart: a proof, kept up while they move, of how near they come to each other.
 *
 * It is a cover of the product of the two bodies by pairs of pieces: cells (query/search/cell.h), each in the frame of its own
 * body, made when they are first needed. Each pair has a certificate and the way that b may go, seen from a, until it ends:
 *   far    no two places of the pair are nearer than a distance, less the way gone since;
 *   slope  no two places inside their features are stationary, or one piece faces away: the closest pair is not there;
 *   only   F = |f - g|^2 / 2 is convex over the closed boxes of parameters: one place of them, with its slopes, bounds all of
 *          the pair. At a border of a face the conditions of Karush, Kuhn and Tucker are met by themselves.
 * A certificate that has ended by the way is asked once more for where its own piece of b has gone (pair_date.c): mostly it holds still.
 * The way is the sum over all steps of |the motion of the middle of b's box| + (radius of b about it) |turn|: no point of b has gone
 * farther. Pairs that end are looked at again, worst first, as long as the work allows: kept, cut, or joined. What can't be looked
 * at, for want of work or of room, keeps its old bound less the way gone: the bound is weaker, never wrong.
 *
 * Distances are those of the boundaries: of solids they are the distance while it is known that neither holds the other. The memory is
 * one block without pointers into itself; what it says belongs to the bodies that it was started with.
 */
#ifndef FRONT_PAIR_FRONT_H
#define FRONT_PAIR_FRONT_H

#include "../base/solve.h"
#include "../pair/pair_motion.h"
#include "point_front.h"

typedef struct pair_front pair_front;

/* The pair that is followed: r = f - g at its places, and the slopes r.f_i, then -r.g_j. */
typedef struct pair_witness {
    place at[2];
    wit_vec3 r;
    double distance;
    double g[SOLVE_MAX];
    double off, g_off[SOLVE_MAX]; /* distance and slopes may be off by so much, besides their rounding */
} pair_witness;

typedef struct pair_ask {
    const side* side[2]; /* both in the frame of a, which is not moved; they have the account */
    pair_witness witness;
    double slack; /* a length: pairs need not be farther than distance - slack */
    bool apart;   /* neither of them holds the other, so that what faces away is not closest */
} pair_ask;

typedef struct pair_answer {
    double lower; /* no pair of places is nearer, but for `loose` */
    double loose; /* a length: edges stand for the borders of faces, vertices for ends of edges, up to this */
    bool nearer; /* a pair was found that is nearer than the witness by more than the slack: follow it, and ask again */
    place at[2];
    double distance; /* of that pair */
    front_want want;
} pair_answer;

/* Can these bodies have one? Not where one is unbounded. */
bool wi_pair_front_has(const wit_body* a, const wit_body* b);
/* Memory for so many pieces and four times as many pairs of them (some 1,370 bytes for each piece). At least 64. */
size_t wi_pair_front_bytes(int capacity);
/* Begins in memory of that size, aligned for any type: one pair, of which nothing is known. */
pair_front* wi_pair_front_start(void* memory, int capacity, const wit_body* a, const wit_body* b);

/* b has gone to where it is; the answer holds there. Nothing is begun that would take the account of the sides beyond its limit. */
void wi_pair_front_step(pair_front* front, const pair_ask* ask, pair_answer* out);

/* What the last step left. */
typedef struct pair_front_count {
    int cells, pairs, far, slope, convex;
    bool full; /* there was no room for a pair since the start */
} pair_front_count;
pair_front_count wi_pair_front_count(const pair_front* front);

#endif
