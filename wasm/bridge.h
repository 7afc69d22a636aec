/* SPDX-License-Identifier: MIT */
/*
 * What the WebAssembly module exports: flat functions over numbers and pointers, so that JavaScript needs to know the
 * layout of no struct of the library. Poses are 7 doubles: x, y, z, qw, qx, qy, qz. Motions are 14: the pose, velocity,
 * angular velocity, and 1 if that twist is known. Answers are rows of doubles, told beside each function and in
 * src/layout.ts. A null pointer or a status that is not 0: wb_error has item, line, column and text.
 */
#ifndef WASM_BRIDGE_H
#define WASM_BRIDGE_H

#include "../include/witness/io.h"
#include "../include/witness/witness.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum {
    POSE_SIZE = 7,
    MOTION_SIZE = 14,
    WITNESS_SIZE = 7, /* feature, id, u, v, x, y, z */
};

/* The error of the last call that failed. */
wit_error* bridge_error(void);
wit_status bridge_fail(wit_status status, const char* item, const char* text);

wit_vec3 bridge_vec(const double* from);
wit_pose bridge_pose(const double* from);
wit_motion bridge_motion(const double* from);
double* bridge_put_vec(double* to, wit_vec3 v);
double* bridge_put_witness(double* to, const wit_witness* w);
void bridge_put_motion(double* to, const wit_motion* m);
/* A row of 42 doubles: src/layout.ts. */
enum { RESULT_SIZE = 42 };
void bridge_put_result(double* to, const wit_result* r);

/* Settings of a tracker by number; NaN leaves one as it is. */
enum {
    SET_LAW,
    SET_FORM,
    SET_INTEGRATOR,
    SET_GAIN, /* negative: auto */
    SET_FEEDBACK,
    SET_SWITCHING,
    SET_PREDICTION,
    SET_TOLERANCE,
    SET_CERTIFY,
    SET_WITHIN,
    SET_BUDGET,
    SET_REACQUIRE,
    SET_FRONT,
    SET_KEEP_FEATURES,
    SET_STRICT,
    SET_BALL,
    SET_CAP,
    SET_COUNT
};
void bridge_settings(const double* from, wit_track_def* def, wit_law_def* law);

#endif
