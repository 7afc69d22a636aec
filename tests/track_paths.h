/* SPDX-License-Identifier: MIT */
/*
 * Random smooth motions with their exact velocities, and a tracked step judged by the cold query.
 *
 * The tracker follows one local minimum, so it may stay behind where the cold witness jumps. A step whose distance
 * differs from the cold one by more than the tolerance is
 *     behind   if the cold witness has jumped since the two last agreed,
 *     lost     otherwise: there was a continuous witness to follow;
 *     liar     in either case, if it calls itself CERTIFIED; so is every step whose lower bound is above the cold
 *              distance.
 * A witness jumps when it moves on its body by more than TRACK_JUMP times what the bodies moved there against each
 * other; near a centre of curvature it may do so without jumping, which only ever excuses a step that is wrong and
 * not certified.
 */
#ifndef TESTS_TRACK_PATHS_H
#define TESTS_TRACK_PATHS_H

#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "analytic.h"

/* A sum of three sines about a mean. */
typedef struct wave {
    double mean, drift, size[3], rate[3], phase[3];
} wave;

/* Within mean -+ size; its slope is about size * rate. */
wave wave_make(rng* r, double mean, double size, double rate);
double wave_at(const wave* w, double t, double* slope);

/* The origin swings, the body turns about an axis. */
typedef struct sway {
    wave position[3], angle;
    wit_vec3 axis;
    wit_quat start;
} sway;

/* About `centre` within `reach`, `turn` radians either way; speeds of about reach * rate. */
sway sway_make(rng* r, wit_vec3 centre, double reach, double turn, double rate);
wit_motion sway_at(const sway* s, double t);

/* A point that runs over a face: at the parameters u(t), v(t), off along the normal; in the body's frame. Velocity
 * is not known. */
typedef struct over {
    const wit_body* body;
    int face;
    wave u, v, height;
} over;

over over_make(rng* r, const wit_body* body, int face, double height, double rate);
wit_vec3 over_at(const over* o, double t);

typedef struct track_tally {
    long steps, agreed, behind, lost, liars, jumps;
    long converged, certified, local, fell_back, reacquired, switched, saturated, jumped, unfit; /* unfit: see judge */
    double worst;   /* error of the steps that agreed */
    double largest; /* of all */
    double motion;  /* mean motion of the other side in a step, relative to the size */
    int64_t jets, units, most_jets, most_units;
    int told;
} track_tally;

/* What the judge remembers from step to step. */
typedef struct track_judge {
    bool started, behind;
    wit_vec3 witness[2]; /* the last cold ones, each in its own frame */
    wit_pose relative;   /* of b seen from a, then */
    const wit_body* body[2];
    double size;      /* of the smaller body */
    double tolerance; /* relative, of the distance */
} track_judge;

enum { TRACK_JUMP = 20 };

/* The body's box, diagonal; of two the smaller. `b` null: a point. */
double track_size(const wit_body* a, const wit_body* b);
track_judge track_judge_make(const wit_body* a, const wit_body* b, double tolerance);

/*
 * Counts one step against the cold answer. Unfit: the result contradicts itself (witnesses, normal and distance do
 * not belong together, a bound above the distance, work that does not add up, NaN), or is CONVERGED where a gap along
 * the tangents is left: 1e-5 of the scale, since an error of 1e-6 in the place is one of 1e-12 in the distance.
 */
void track_judge_step(track_judge* j, track_tally* t, const wit_pose* a, const wit_pose* b, const wit_result* r,
                      const wit_closest* cold, const char* what);

void track_tally_print(const char* name, const track_tally* t);
void track_tally_add(track_tally* total, const track_tally* part);

/* Length of the gap along the tangents of the witness's feature, at the ends of a range inward only: 0 at a
 * closest place. */
double track_slope(const wit_body* body, const wit_pose* pose, const wit_witness* w, wit_vec3 other);
/* The result does not contradict itself. slack: 1e-12 of the scale, a length; the place is known to the root of
 * that, 1.4e-6. */
bool track_result_fits(const wit_result* r, double slack);

/* Bodies that several tests use. */
wit_body* track_ellipsoid(wit_vec3 axes, bool nurbs);                    /* a solid; exact as NURBS too: poles at +-z */
wit_body* track_body_of(const wit_surface_def* def, wit_body_kind kind); /* one face with its natural borders */
/* `def` null: the default. */
wit_tracker* track_start(const wit_body* a, const wit_body* b, const wit_track_def* def);
/* In zeroed memory of cmocka's, for test_free. */
wit_tracker* track_start_in(void** memory, size_t* bytes, const wit_body* a, const wit_body* b);

#endif
