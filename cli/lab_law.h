/* SPDX-License-Identifier: MIT */
/* Settings of the tracker as options: what `witness track` and the experiments on laws have in common. */
#ifndef CLI_LAB_LAW_H
#define CLI_LAB_LAW_H

#include "../include/witness/laws.h"
#include "options.h"

typedef const char* law_name_function(int index);

/* How a witness changes its feature, in options and in files: two ways of the law, or not at all. */
enum law_switching { LAW_SWITCHING_NONE = WIT_SWITCHING_COUNT, LAW_SWITCHINGS };

/* The names of enums of track.h and laws.h, by index. */
const char* law_name(int index);
const char* integrator_name(int index);
const char* form_name(int index);
const char* feedback_name(int index);
const char* switching_name(int index); /* of enum law_switching */
const char* prediction_name(int index);

/* The value of the option as one of `count` names; '-' stands for '_' too. False after a message that lists them. */
bool law_choice(const option_reader* r, law_name_function* name, int count, int* out);
/* Several, separated by commas, or "all": a set of 1 << index. */
bool law_choices(const option_reader* r, law_name_function* name, int count, unsigned* out);
/* A number at least 0, or "auto". */
bool law_gain(const option_reader* r, wit_gain* out);
/* What bounds the gains of the exponential law: the ball, between 0 and 1; the cap, a number at least 0, or "infinity". */
bool law_ball(const option_reader* r, double* out);
bool law_cap(const option_reader* r, double* out);

/* After a change of the law alone: an integrator, a gain, a feedback and a switching that it does not take go back to their
 * defaults, and so does the form if the law does not run on the present one. */
void law_settle_def(wit_track_def* def, wit_law_def* law);

/* "local", "voronoi", or "none" where features are kept. */
const char* law_switching_of(const wit_track_def* def, const wit_law_def* law);

/* "switching, rk2, gain 100 / s" */
void law_describe(const wit_law_def* law, char* to, size_t room);

#endif
