/* SPDX-License-Identifier: MIT */
/*
 * A point of a batch after the one before it: the foot of the one is followed to the next by Newton's method, and the front of
 * the body (front/point_front.h), which has gone along, proves it to be the nearest place, or shows a nearer one. What it does
 * not prove is asked of the search, from nothing.
 *
 * The account: the front of a new run has to be built up, which is worth it only where points follow each other closely. A run
 * begins with what searches of a part of its points would cost; what a point costs is taken off, what its search would have cost is put in if it
 * was proved. When nothing is left the rest of the run is asked of the search. All of it is counted in units of work, so that it
 * depends on the points and on nothing else.
 */
#ifndef BATCH_CARRIED_POINT_H
#define BATCH_CARRIED_POINT_H

#include "../front/point_front.h"
#include "../query/query_record.h"

typedef struct point_run {
    wit_query* query;
    const wit_placed* a;
    point_front* front; /* null: every point is asked anew */
    place at;           /* of the last foot, with its jet, in the frame of the body */
    wit_surface_jet jet;
    wit_hint hint;
    bool known; /* there is one */
    search_task task;
    bool begun;     /* `task` is of this body, at this pose */
    wit_vec3 clear; /* no edge and no vertex comes nearer to this point than clear_room */
    double clear_room;
    int unclear;                /* points that will not be asked about it */
    int64_t searches, searched; /* how many, and their units */
    int64_t account;            /* units */
    int64_t carried;            /* answered by the front */
    int64_t points;             /* of the run */
} point_run;

/* Can the body, as it is placed and asked about, have a front? */
bool wi_point_run_carries(const wit_query* query, const wit_placed* a);
typedef struct point_run_def {
    wit_query* query;
    const wit_placed* a;
    void* front; /* memory for one of `capacity` pieces; null: none */
    int capacity;
    int64_t points; /* that will be asked */
} point_run_def;
void wi_point_run_start(point_run* run, const point_run_def* def);
/* The answer of wit_closest_point, but for the width of its bracket. */
wit_status wi_point_run_ask(point_run* run, wit_vec3 point, wit_closest* out);

#endif
