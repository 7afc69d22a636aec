/* SPDX-License-Identifier: MIT */
/*
 * Is an answer right? Judged by the dense search, by evaluating the witnesses again, and by the formula of what is
 * inside. The dense search gives an upper bound D of the true unsigned distance d, and witnesses that lie on their
 * features give another, so
 *     wrong     the answer's distance is above D by more than 1e-9 relative (or the tolerance asked, if larger), or is not attained by its witnesses, or
 *               has the wrong sign, or an overlap is missed or invented;
 *     excluded  lower_bound > D outside, upper_bound < -D inside: the bracket leaves out the truth, whatever it is;
 *     gap       the bracket is wider than asked.
 * `weaker` counts answers better than D: there the judge missed the minimum, and nothing is proved by D.
 */
#ifndef TESTS_JUDGE_H
#define TESTS_JUDGE_H

#include "cold_bodies.h"

typedef struct tally {
    long queries, wrong, loose, excluded, gaps, weaker,
        unproved; /* loose: above 1e-9, as asked; unproved: crossing bodies that count as touching */
    long outcomes[WIT_OUTCOME_COUNT];
    double worst; /* of (distance - D) / max(distance, size) */
    double nodes; /* sum */
    int64_t most;
    int told; /* failures printed in full */
} tally;

/* What was asked, to be told when it fails. */
typedef struct asked {
    const wit_query_def* def;
    const cold_body *a, *b; /* b null: a point */
    wit_pose pose_a, pose_b;
    wit_vec3 point;
} asked;

/* Counts one answer; prints the first failures so that they can be repeated. */
void judge_point(tally* t, const asked* q, const wit_closest* answer);
void judge_pair(tally* t, const asked* q, const wit_closest* answer);

/* The witness lies on its feature, within `slack`. */
bool judge_on_feature(const wit_body* body, const wit_pose* pose, const wit_witness* w, double slack);

void tally_add(tally* total, const tally* part);
void tally_print(const char* name, const tally* t);
/* Not one answer wrong, no bracket without the truth or wider than asked. */
void assert_all_right(const tally* t);

/* Question `k` of a campaign: tolerances and rigour in turn, and three of four times a moved. */
wit_query_def campaign_def(long k);
wit_pose campaign_pose(rng* r, long k, const cold_body* a);

/* Asks bodies[first] .. bodies[n - 1], pairs of them with any of the n: what was found, by body. */
typedef struct cast {
    cold_body* bodies;
    int first, n;
} cast;
typedef void campaign_asks(const cast* c, long count, rng* r, wit_query* query, tally* by_body);
/* All bodies of ours at a scale, then those of others; prints by body and in all. One answer in `weaker` may be better
 * than the judge's: a judge that misses often proves little. */
void campaign_run(double scale, long count, uint64_t seed, campaign_asks* asks, long weaker);

/* A random rotation; with `planar`, about z. */
wit_quat random_turn(rng* r, bool planar);
/* A point around, near or in a body (its own frame). */
wit_vec3 random_place_at(rng* r, const cold_body* b);

#endif
