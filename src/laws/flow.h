/* SPDX-License-Identifier: MIT */
/*
 * Laws that are differential equations, over one step. Poses between the two of a step lie on the screw of each
 * body; twists at a stage are those of the screws, so that b and the poses belong together. Parameters are brought
 * back to their borders after every stage, closed ones run on.
 */
#ifndef LAWS_FLOW_H
#define LAWS_FLOW_H

#include "gain.h"
#include "integrator.h"
#include "../track/law_methods.h"

enum {
    FLOW_STATE = 2 * WIT_MAX_PARAMETERS, /* x, and Psi where it is integrated */
    FLOW_LOOK = 2,                       /* units that a slope takes */
    FLOW_RESERVE = 24                    /* units that are kept back for the end of the step: a look, the sign */
};

/* At t->law_state_at: what lasts from step to step. All zero: nothing. */
typedef struct flow_memory {
    bool known; /* the rest belongs to these features */
    wit_feature_kind kind[2];
    int32_t id[2];
    int past;      /* slopes of the last steps, newest first */
    double dt;     /* that they were taken at */
    unsigned held; /* mode that they were taken in */
    double slope[INTEGRATOR_PAST][FLOW_STATE];
    bool psi_known;
    double psi[WIT_MAX_PARAMETERS]; /* integrated */
    bool moved;                     /* twist says something */
    wit_twist
        twist[2];    /* at the end of the last step: slopes of a multistep method are of that instant, not of a screw */
    double adaptive; /* step size of the adaptive method, seconds; 0: not known */
} flow_memory;

/* One step under way. */
typedef struct flow {
    step* s;
    const wit_law_def* law;
    const wit_track_def* def;
    flow_memory* memory;
    wit_twist screw[2]; /* in the world, at the beginning */
    place at[2];
    int count, count_a;
    wit_interval range[WIT_MAX_PARAMETERS];
    bool closed[WIT_MAX_PARAMETERS];
    bool integrated; /* Psi is part of the state */
    gain_set gains;
    bool instant; /* at the beginning of the step: with the twists of that moment */
    int regions;  /* searches for the region, in this step */
    bool spent;   /* the budget is used up */
} flow;

void wi_flow_step(step* s);
size_t wi_flow_bytes(const wit_body* a, const wit_body* b, const wit_law_def* law);
void wi_flow_forget(wit_tracker* t); /* after reset, place, a switch: multistep history */

/* From the tracker's places. */
void wi_flow_begin(step* s, flow* out);
/* Features, ranges and parameters from the tracker's places again. */
void wi_flow_load(flow* f);
/* Parameters -> the tracker's places, closed ones brought back. */
void wi_flow_store(flow* f, const double* y);

/* Both bodies at a part c of the step, 0 to 1. */
void wi_flow_stage(const flow* f, double c, pair_motion* out);
/* Both sides at c and y (within its borders). False: no budget. */
bool wi_flow_see(flow* f, double c, const double* y, moving m[2], law_state* state);
/* y' there, y within its borders; `mode` as in law.h. False: no budget (y' is zero then). */
bool wi_flow_slope(flow* f, double c, const double* y, int mode, double* slope, law_answer* answer);
/* Brings x back into its range. */
void wi_flow_clamp(const flow* f, double* y);
/* The gains of the step, from the state at c. False: no budget. */
bool wi_flow_gains(flow* f, double c, const double* y);
/* Looks at the tracker's places at s->now and sets what the law holds there. */
void wi_flow_look(flow* f);

/* Hands over at s->now, by the switching of the def. True: it did, and the flow stands on the new features. */
bool wi_flow_hand_over(flow* f);

/* flow_fixed.c: y over the whole step, by the integrator of the def. */
void wi_flow_integrate(flow* f, double* y);
/* hybrid.c: the adaptive method over the whole step, events located. */
void wi_hybrid_step(flow* f, double* y);

#endif
