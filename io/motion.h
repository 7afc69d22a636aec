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
    MOTION_REVOLUTE,
    MOTION_PRISMATIC,
    MOTION_SCREW,
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

/* The value of a joint in time: straight from one to the next, or the natural cubic spline; before the first and after the
 * last it is held. */
typedef struct joint_table {
    int count;
    double *times, *values; /* times increase by MOTION_MIN_STEP at least */
    double* bend;           /* smooth: second derivatives; else null */
} joint_table;

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
    /* REVOLUTE, PRISMATIC, SCREW: the pose turned by the value about the axis through origin, and moved along it by
     * `slide` of it per unit of the value (of PRISMATIC 1, and no turn). The value is angle + spin t + turns, or the table. */
    double slide;
    joint_table table;
    /* Where the body stands in what moves so: the pose that its model gives it. */
    bool placed;
    wit_pose place;
} motion_record;

/* The body stands at `place` in what moves; the identity changes nothing, not a bit. */
void wi_motion_place(motion_record* m, const wit_pose* place);
/* out = outer, what stands at `inner` in it, which may move itself. */
void wi_motion_compose(const wit_motion* outer, const wit_motion* inner, wit_motion* out);
/* Bounds of that, where the origin of inner is never farther than `reach` from that of outer. */
void wi_motion_bounds_compose(const wit_motion_bounds* outer, const wit_motion_bounds* inner, double reach,
                              wit_motion_bounds* out);

/* The value of a joint and its rate. */
void wi_joint_at(const motion_record* m, double time, double* value, double* rate);
/* Bounds of its rate and of the rate's change over an interval. */
void wi_joint_bounds(const motion_record* m, double from, double to, double* rate, double* bend);
/* Where and how a joint is; bounds of that motion. */
void wi_motion_joint_at(const motion_record* m, double time, wit_motion* out);
void wi_motion_joint_bounds(const motion_record* m, double from, double to, wit_motion_bounds* out);
/* Finds the spline of a table. False: no memory. */
bool wi_joint_smooth(joint_table* table, memory_pool* pool);

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
