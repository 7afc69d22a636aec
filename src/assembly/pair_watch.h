/* SPDX-License-Identifier: MIT */
/* One pair over time: the two sides, what was seen of them so far, and what is left of the work. */
#ifndef ASSEMBLY_PAIR_WATCH_H
#define ASSEMBLY_PAIR_WATCH_H

#include "../../include/witness/assembly.h"
#include "../front/sweep_motion.h"

typedef struct pair_watch {
    wit_query* query;
    const wit_assembly_def* def;
    sweep_side side[2];
    wit_pair_report report;
    double step;   /* moments that are looked at are no nearer to each other, where nothing is proved by it */
    double lower;  /* of the distance where nothing came near */
    bool clash;    /* an overlap was proved, by more than `contact` */
    bool touching; /* a query could not tell it from touching */
    bool open;     /* something is left that is not known */
    double deepest;
} pair_watch;

/* What is known at a moment: the bracket of the distance. */
typedef struct pair_moment {
    double t, lower, upper;
} pair_moment;

/* Is there work left for another query? */
bool wi_watch_may(const pair_watch* w);
/* Looks at a moment; false where nothing came of it (w->report.refused, or the work is used up): open then. */
bool wi_watch_look(pair_watch* w, double t, pair_moment* out);

/* The first time from `from` to `to` at or below the threshold, or, backwards in time, the last one: then out->time runs
 * from the later to the earlier, as times. False as above. */
bool wi_watch_first(pair_watch* w, double from, double to, double threshold, bool backwards, wit_impact* out);

/* From a moment at or below the threshold, or not told from it, until one that is above: that one is *out, and true;
 * false: none was met until `to`, or until the work was used up (w->open). *last: the last one that is not above. */
bool wi_watch_until_above(pair_watch* w, pair_moment from, double to, double threshold, pair_moment* above,
                          pair_moment* last);

/* The least distance of that time; false where it was not found. */
bool wi_watch_least(pair_watch* w, double from, double to, wit_least* out);

#endif
