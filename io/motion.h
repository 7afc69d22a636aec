/* SPDX-License-Identifier: MIT */
/*
 * Motions of scenes: a pose and its exact derivative at any time.
 *
 * A motion by a formula has no ends; times beyond MOTION_MAX_TIME are held there. A motion by poses goes from its first
 * time to its last and is held outside, at rest.
 */
#ifndef IO_MOTION_H
#define IO_MOTION_H

#include "../include/witness/base.h"
#include "../include/witness/sweep.h"
#include "memory.h"

#define MOTION_MAX_TIME 1e9    /* seconds */
#define MOTION_MIN_STEP 1e-9   /* seconds between poses */
#define MOTION_MAX_NUMBER 1e12 /* of any number of a motion */

typedef enum motion_kind {
    MOTION_STILL,
    MOTION_KEYFRAMES,
    MOTION_TWIST,
    MOTION_HELIX,
    MOTION_SPIRAL,
    MOTION_HARMONIC,
    MOTION_POSES,
    MOTION_ROTATE,
    MOTION_KIND_COUNT
} motion_kind;

/* "still", "keyframes", ... */
const char* wi_motion_kind_name(motion_kind kind);

/* amplitude sin(rate t + phase) */
typedef struct motion_wave {
    wit_vec3 amplitude; /* of an angle: x */
    double rate, phase;
} motion_wave;

/* Poses in time, and what passes through them. */
typedef struct motion_path {
    int count;
    double* times; /* increasing, by MOTION_MIN_STEP at least */
    wit_pose* poses;
    bool smooth;
    double (*bend)[7]; /* smooth: second derivatives of x, y, z, qw, qx, qy, qz */
} motion_path;

typedef struct motion_record {
    motion_kind kind;
    wit_pose pose;   /* of what moves by a formula, where it starts */
    wit_twist twist; /* TWIST */
    /* HELIX, SPIRAL: origin + (radius + growth t)(cos a x + sin a y) + rise t z, a = rate t + phase */
    wit_vec3 origin, x, y, z;
    double radius, growth, rate, phase, rise;
    /* The rotation: by angle + spin t + the waves of it about the unit axis, then the start's. ROTATE: about origin. */
    wit_vec3 axis;
    double angle, spin;
    int wave_count, turn_count;
    motion_wave *waves, *turns; /* HARMONIC: of the position, of the angle */
    motion_path path;           /* KEYFRAMES, POSES */
} motion_record;

/* Of a finite time. */
void wi_motion_at(const motion_record* m, double time, wit_motion* out);

/* Over an interval of finite times. */
void wi_motion_bounds_over(const motion_record* m, double from, double to, wit_motion_bounds* out);

/* Where and how a path is at a time. */
void wi_motion_path_at(const motion_path* path, double time, wit_motion* out);
/*
 * Turns the quaternions to the same side and, for a smooth path, finds the natural cubic splines (C2) of all seven
 * components; the rotation is the four of them, normalised. False: no memory. *bad is set to the first i where the way
 * from i to i + 1 turns too far for that, else to -1.
 */
bool wi_motion_path_prepare(motion_path* path, memory_pool* pool, int* bad);

/*
 * A table of poses: a header t,x,y,z,qw,qx,qy,qz and a row of numbers for each pose. WIT_OK, or a refusal with line, column
 * and the name of the column. Quaternions may be off by 1e-3 in length, as recorded ones are; they are normalised.
 */
wit_status wi_motion_table_read(motion_path* path, const char* text, size_t bytes, memory_pool* pool, wit_error* error);

#endif
