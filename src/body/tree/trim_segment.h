/* SPDX-License-Identifier: MIT */
/*
 * Loops cut into segments along which neither u nor v turns back. Seen from below, a segment is the graph of a monotone
 * function over [u0, u1]; where two segments of a loop meet they hold the very same doubles, so that counting crossings
 * with half-open intervals never counts a joint twice or not at all.
 */
#ifndef BODY_TRIM_SEGMENT_H
#define BODY_TRIM_SEGMENT_H

#include "../list.h"
#include "trim_tree.h"

/* End 0 is the one with the smaller u. f(u, v) = (u - u0) dv - (v - v0) du, twice the area spanned with the chord, is
 * positive below the chord; on the segment it stays within [f_lo, f_hi]. */
typedef struct trim_segment {
    double u0, v0, u1, v1;
    double f_lo, f_hi;
    double v_lo, v_hi;
    double t0, t1;           /* parameters of the ends on the curve */
    double shift_u, shift_v; /* whole periods: what to add to points of the curve */
    int32_t passage;         /* -1: straight, closes a gap between two passages */
    int32_t backward;        /* the loop runs from end 1 to end 0 */
} trim_segment;

/* Where a segment's curve is found: in the passages while building, in the body afterwards. */
typedef struct trim_source {
    const trim_passage* passages;
    const trim_curves* curves;
} trim_source;

/* The value of v where the segment passes u (u0 <= u <= u1), and of u where it passes v. */
double wi_segment_v_at(const trim_segment* s, const trim_source* source, double u);
double wi_segment_u_at(const trim_segment* s, const trim_source* source, double v);
/* Is the segment at u below (or at) v? For u0 <= u < u1, v_lo <= v < v_hi. */
bool wi_segment_is_below(const trim_segment* s, const trim_source* source, double u, double v);

/* Is the value of v at u less, or more, than this? The same as by its value, with no more evaluations than tell. */
bool wi_segment_stays_below(const trim_segment* s, const trim_source* source, double u, double v);
bool wi_segment_stays_above(const trim_segment* s, const trim_source* source, double u, double v);

/* A joint stands at u + turns_u * period, v + turns_v * period: copies a period apart then agree to the bit. */
typedef struct trim_joint {
    double u, v;
    double turns_u, turns_v;
} trim_joint;

/* A segment before it is laid into the plane, in the direction of its loop. */
typedef struct trim_piece {
    int32_t passage, loop;
    trim_joint from, to;
    double t_from, t_to;
    double turns_u, turns_v; /* of its curve */
} trim_piece;

typedef struct trim_pieces {
    list list;                   /* trim_piece */
    wit_interval hull_u, hull_v; /* of all curves, not unrolled */
    double period_u, period_v;   /* 0 where not closed */
    double turns_u, turns_v;     /* sum over all loops: how often they wind around */
    int winding_loop;            /* the last loop that winds around, or -1 */
} trim_pieces;

/* Cuts all loops. pieces->list is to be dropped in any case. */
wit_status wi_trim_cut(const trim_input* in, double gap_u, double gap_v, const wit_allocator* memory,
                       trim_pieces* pieces, wit_error* error);
/* The segment of a piece, moved by whole periods. */
trim_segment wi_trim_lay(const trim_pieces* all, const trim_input* in, const trim_piece* piece, double turns_u,
                         double turns_v);

static inline double joint_u(const trim_pieces* all, const trim_joint* j, double turns)
{
    return j->u + (j->turns_u + turns) * all->period_u;
}

static inline double joint_v(const trim_pieces* all, const trim_joint* j, double turns)
{
    return j->v + (j->turns_v + turns) * all->period_v;
}

#endif
