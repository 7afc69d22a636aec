/* SPDX-License-Identifier: MIT */
/* What the tests of the top-down search share: its def, its steps, and a count of what it did. */
#ifndef TESTS_FINDMIN_CHECKS_H
#define TESTS_FINDMIN_CHECKS_H

#include "analytic.h"
#include "law_track.h"

/* Distances are of size 1 to 30, computed from coordinates of size 20: some ten roundings. */
#define NEAR 1e-12

static inline law_track findmin_def(void)
{
    law_track d = law_track_default(WIT_LAW_FINDMIN);
    d.track.reacquire = false; /* the search alone */
    return d;
}

static inline wit_tracker* tracker_of(const wit_body* a, const wit_body* b, const law_track* def)
{
    wit_error e = {0};
    wit_tracker* t = law_create(a, b, def, &e);
    if (!t) fail_msg("%s: %s", e.item, e.text);
    return t;
}

static inline wit_result stepped(wit_tracker* t, const wit_pose* a, const wit_pose* b)
{
    wit_motion ma = {.pose = *a}, mb = {.pose = *b};
    wit_result r;
    assert_int_equal(wit_tracker_step(t, &ma, &mb, 0.001, &r), WIT_OK);
    return r;
}

/* What was done over many frames. */
typedef struct tally {
    int frames, pairs, iterations, most, saddles, restarts, skipped, units;
} tally;

static inline void count_step(tally* sum, const wit_tracker* t, const wit_result* r)
{
    wit_findmin_work w = wit_tracker_findmin_work(t);
    assert_int_equal(w.iterations, r->iterations);
    sum->frames++;
    sum->pairs += w.pairs;
    sum->iterations += w.iterations;
    sum->saddles += w.saddles;
    sum->restarts += w.restarts;
    sum->skipped += w.skipped;
    sum->units += (int)r->work.units;
    if (w.most > sum->most) sum->most = w.most;
}

static inline void print_tally(const char* what, const tally* n)
{
    print_message("  %s: %d frames; a frame: %.1f pairs, %.1f skipped, %.1f iterations, %.0f units; a pair: %.2f "
                  "iterations, most %d; %d saddles, %d restarts\n",
                  what, n->frames, (double)n->pairs / n->frames, (double)n->skipped / n->frames,
                  (double)n->iterations / n->frames, (double)n->units / n->frames, (double)n->iterations / n->pairs,
                  n->most, n->saddles, n->restarts);
}

static inline wit_pose turned_pen(int degrees)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(0, -4, 12);
    p.rotation = wit_quat_about(vec3(1, 0, 0), degrees * PI / 180);
    return p;
}

#endif
