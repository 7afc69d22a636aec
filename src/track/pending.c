/* SPDX-License-Identifier: MIT */
#include "tracker_record.h"
#define WEAK __attribute__((weak))
WEAK void newton_step(step* s) { step_look(s); }
WEAK void flow_step(step* s) { step_look(s); }
WEAK bool follow_hand_over(step* s) { (void)s; return false; }
WEAK bool candidate_jump(step* s, double d) { (void)s; (void)d; return false; }
WEAK void candidate_forget(wit_tracker* t) { (void)t; }
WEAK size_t candidate_bytes(const wit_body* a, const wit_body* b, const wit_track_def* d) { (void)a; (void)b; (void)d; return 0; }
WEAK size_t flow_bytes(const wit_body* a, const wit_body* b, const wit_track_def* d) { (void)a; (void)b; (void)d; return 0; }
WEAK void flow_forget(wit_tracker* t) { (void)t; }
WEAK wit_status law_check(const wit_body* a, const wit_body* b, const wit_track_def* d, wit_error* e) { (void)a; (void)b; (void)d; (void)e; return WIT_OK; }
