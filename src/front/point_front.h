/* SPDX-License-Identifier: MIT */
/*
 * The front of a point: a proof, kept up while the point moves, of how near the body comes to it.
 *
 * It is a cover of the body by pieces: nodes of its bounding tree, halves of its leaves. Each has a certificate and the way,
 * in the frame of the body, that the point may go until it ends:
 *   far    no place of the piece is nearer than a distance, less the way gone since;
 *   slope  no place of it inside its face or edge is stationary: the nearest place of the body is not there (shape_look.h);
 *   owned  it lies in a block: a box of parameters of one feature over which |S - q|^2 is convex. One place of the block, with
 *          the slopes there, bounds all of it, borders of the box included, so that at the closed border of a face the
 *          conditions of Karush, Kuhn and Tucker are met by themselves.
 * The least of what is far, the block of the witness among it, bounds the distance of the body. Pieces that end are looked
 * at again, worst first, as long as the work allows: kept, halved, or joined with their sibling. What can't be looked at, for want of
 * work or of room, keeps its old bound less the way gone: the bound is weaker, never wrong.
 *
 * Distances are to the boundary, inside and outside alike, and not signed. All is in the frame of the body. The memory is one block
 * without pointers into itself; what it says belongs to the body that it was started with.
 */
#ifndef FRONT_POINT_FRONT_H
#define FRONT_POINT_FRONT_H

#include "../base/work.h"
#include "../body/body_record.h"
#include "../pair/place.h"

typedef struct point_front point_front;

/* The place that is followed, and what its jet says: r = S - q, g_i = r.S_i (an edge: one; a vertex: none). */
typedef struct front_witness {
    wit_feature_kind kind;
    int32_t id;
    double x[2];
    wit_vec3 r;
    double distance; /* |r| */
    double g[2];
    double off, g_off[2]; /* r, distance and slopes may be off by so much, besides their rounding */
} front_witness;

/* What kept the last step from proving the witness. */
typedef enum front_want {
    FRONT_WANTS_NOTHING,
    FRONT_WANTS_WORK,
    FRONT_WANTS_ROOM,
    FRONT_WANTS_END /* pieces that can't be halved any more, or too many places as near as the witness */
} front_want;

typedef struct front_answer {
    double lower; /* no place of the boundary is nearer, but for `loose` */
    /* The same of all that is neither in the block of the witness, which has no other foot, nor the vertex that it is at. Not above
     * `lower` where the witness has no block. */
    double others;
    /* If `alone` was asked for: the only foot that the block of the witness may have is within this length of the witness;
     * infinite: it has no block. And the side of the face that q is on there, by S_u x S_v: 1, -1; 0: not told. */
    double foot_off;
    int side;
    double loose; /* a length: edges stand for the borders of faces, vertices for ends of edges, up to this */
    bool
        nearer; /* a place was found that is nearer than the witness by more than the slack: follow it, and ask again */
    place at;
    double distance; /* of that place */
    front_want want;
} front_answer;

/* Can the body have one? Not where it is unbounded. */
bool wi_point_front_has(const wit_body* body);
/* Memory for so many pieces (some 400 bytes each). At least 64. */
size_t wi_point_front_bytes(int capacity);
/* Begins in memory of that size, aligned for any type: one piece, the whole body, of which nothing is known. */
point_front* wi_point_front_start(void* memory, int capacity, const wit_body* body);

/* The point has gone, in a straight line or less, to q. */
typedef struct front_ask {
    wit_vec3 q;
    front_witness witness;
    double slack;   /* a length: pieces need not be farther than distance - slack */
    bool alone;     /* `others` and the foot are asked for: of a vertex it is then told from the vertex itself */
    wit_work* work; /* what is done is counted there */
    int64_t units;  /* nothing is begun that would take the account beyond; 0: no limit */
} front_ask;

/* The answer holds at q. */
void wi_point_front_step(point_front* front, const wit_body* body, const front_ask* ask, front_answer* out);

/* What the last step left: pieces in use, in the cover, blocks. */
typedef struct front_count {
    int pieces, far, slope, owned, blocks;
    bool full; /* there was no room for a piece since the start */
} front_count;
front_count wi_point_front_count(const point_front* front);

#endif
