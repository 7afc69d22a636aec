/* SPDX-License-Identifier: MIT */
/*
 * The local minima that a search has found so far, each once: pairs of places that are the same to what polishing leaves
 * are one, and so are all the features over which one continuum of closest pairs extends.
 */
#ifndef QUERY_MINIMA_LIST_H
#define QUERY_MINIMA_LIST_H

#include "../../pair/local_minimum.h"
#include "../search_task.h"

typedef struct minima_entry {
    place a, b;           /* named by the lowest feature; of a continuum the place that stands for it */
    place home_a, home_b; /* where it was found */
    double distance;
    bool proved;
    bool flat; /* MINIMUM_FLAT */
    wit_closest_set set;
    int32_t group; /* entry that stands for the continuum it belongs to; its own index: itself */
} minima_entry;

/* What the order of the answer goes by. */
typedef struct minima_rank {
    double distance;
    double ua, va, ub;
    int32_t kind_a, id_a, kind_b, id_b;
    int32_t entry;
} minima_rank;

typedef struct minima_list {
    const search_task* task;
    minima_entry* entries;
    minima_rank* ranks; /* scratch: as many */
    int count, capacity;
    bool full; /* one had to be left out */
} minima_list;

/* Adds a pair unless it is there; the proof is kept from either. Returns its index, -1 when full. */
int wi_minima_add(minima_list* list, const place* a, const place* b, minimum_kind kind, bool proved);

/* The continuum (dimension above 0) at this distance whose pair of features is the given one; -1: none. */
int wi_minima_continuum(const minima_list* list, const place* a, const place* b, double distance);

/* Does a closed form confirm that nothing of the two shapes is nearer: of the features themselves, or of known ones at this
 * distance on whose borders they are? */
bool wi_minima_closed(const minima_list* list, const place* a, const place* b, double distance);

/* Is something known at this distance whose features, closed with their borders, belong to those of the places or the other way
 * round? */
bool wi_minima_known_beside(const minima_list* list, const place* a, const place* b, double distance);

/* Lengths of |a - b| that differ by no more are the same. */
double wi_minima_same_distance(const search_task* task, double distance);

/* Joins what hangs together, sorts by distance, then features and parameters, writes at most `capacity`. Returns how many
 * there are with a distance above `least`. Uses the entries up. */
int wi_minima_write(minima_list* list, double least, wit_minimum* out, int capacity);

#endif
