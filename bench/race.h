/* SPDX-License-Identifier: MIT */
/*
 * Times of single queries. Every contestant meets every case in several passes, in blocks and in turn, so that a slow
 * moment of the machine falls on all; a case's time is the least of its passes, which leaves out what others did on
 * the machine. Between two meetings with a case lie all the others: caches are warm, the branch predictor has forgotten.
 */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include <stdbool.h>

#include "closest.h"

enum { RACE_PASSES = 3, RACE_BLOCK = 100, RACE_PLAYERS = 8 };

typedef struct race_player {
    const char* name;
    const char* lacks;       /* what is missing if `self` is null */
    int stride;              /* plays cases 0, stride, 2 stride ... */
    void* self;              /* null: absent */
    const void *who, *cases; /* what `query` needs besides: how to ask, and what */
    void (*query)(const struct race_player* p, long k, closest_answer* out);
    double* microseconds;    /* per case; negative: not played */
    closest_answer* answers; /* per case, of the last pass */
} race_player;

/* Room for `count` cases, and giving it back. */
void race_player_reserve(race_player* p, long count);
void race_player_free(race_player* p);

/* Fills microseconds and answers, which have room for count entries. */
void race_run(race_player* players, int player_count, long count);

typedef struct race_figures {
    long count;
    double mean, median, p99, worst;
    double nodes, jets; /* mean */
} race_figures;

/* Over the cases that `counts` (null: all) allows, `with` (or null) played as well, and this one played. */
race_figures race_measure(const race_player* p, const race_player* with, const bool* counts, long count);

/* Relative to max(distance, size). WRONG is another minimum, not a matter of digits; OURS is what Witness promises by
 * default. */
#define RACE_WRONG 1e-6
#define RACE_OURS 1e-9

/* The least distance that anybody who played case k found; infinite: nobody. */
double race_best(const race_player* players, int player_count, long k);

typedef struct race_verdict {
    long played, wrong;
    double worst;              /* excess over the best, relative; of those that are wrong too */
    long open, excluded, ours; /* Witness: not certified; bracket without the best; farther than promised */
} race_verdict;

/* best: per case; counts (null: all): the cases that count. */
race_verdict race_judge(const race_player* p, const double* best, double size, const bool* counts, long count);

/* Tells what is wrong with an answer that promises a bracket; true: nothing. */
bool race_print_brackets(const race_player* p, const race_verdict* v);

void* race_reserve(size_t count, size_t bytes); /* zeroed, or the program ends */

#endif
