/* SPDX-License-Identifier: MIT */
/*
 * witness/base.h: what every layer speaks: status, error, allocator, vectors, poses, motions.
 *
 *     wit_pose pose = wit_pose_identity();                         // where a body is
 *     pose.position = (wit_vec3){1, 2, 3};
 *     pose.rotation = wit_quat_about((wit_vec3){0, 0, 1}, 0.5);    // about z, by half a radian
 *     wit_motion motion = wit_motion_at_rest(pose);                // and how it moves: motion.twist
 *
 * A create function returns null when it refuses, and its wit_error says where and why; a call returns a wit_status.
 *
 * Lengths are in one unit of the caller's choice, the same throughout a body; angles in radians;
 * times in seconds. Quaternions are (w, x, y, z). All functions here are pure: they keep no state,
 * touch only what is passed to them and may be called from any thread.
 */
#ifndef WITNESS_BASE_H
#define WITNESS_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The version of these headers; wit_version has that of the library that is linked. */
#define WIT_VERSION_MAJOR 0
#define WIT_VERSION_MINOR 1
#define WIT_VERSION_PATCH 0

#if defined(_WIN32)
/* A function that the library exports. */
#define WIT_API
#else
/* A function that the library exports. */
#define WIT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Status. One list makes the enum, the names and the texts. WIT_OK is 0; everything else refuses a
 * call or an item of data. How the numerics of a good call went is never a status: see the flags of
 * each result.
 */
#define WIT_STATUS_LIST(X)                                                                                             \
    X(WIT_OK, "ok")                                                                                                    \
    X(WIT_ERROR_ARGUMENT, "the call itself is wrong: a null pointer, an unknown kind, a bad size")                     \
    X(WIT_ERROR_MEMORY, "the allocator returned no memory")                                                            \
    X(WIT_ERROR_UNSUPPORTED, "this machine or build lacks what was asked for")                                         \
    X(WIT_ERROR_NUMBER, "a number is NaN, infinite or too large")                                                      \
    X(WIT_ERROR_RANGE, "a number or a parameter range is outside what the shape allows")                               \
    X(WIT_ERROR_COUNT, "a list has the wrong number of elements")                                                      \
    X(WIT_ERROR_DEGREE, "the degree of a spline is not between 1 and 25")                                              \
    X(WIT_ERROR_KNOTS, "the knots decrease, repeat too often or span nothing")                                         \
    X(WIT_ERROR_WEIGHT, "a weight is not positive")                                                                    \
    X(WIT_ERROR_FRAME, "the axes of a frame are zero or parallel")                                                     \
    X(WIT_ERROR_FILE, "a file cannot be opened, read or written")                                                      \
    X(WIT_ERROR_SYNTAX, "the text is not JSON")                                                                        \
    X(WIT_ERROR_DEPTH, "the text is nested too deeply or is too long")                                                 \
    X(WIT_ERROR_TYPE, "a value has the wrong JSON type")                                                               \
    X(WIT_ERROR_KEY, "a key is unknown, missing or given twice")                                                       \
    X(WIT_ERROR_NAME, "a name is unknown or used twice")

/* Why a call or an item of data was refused: the list above. */
typedef enum wit_status {
#define WIT_STATUS_ENUM(name, text) name,
    WIT_STATUS_LIST(WIT_STATUS_ENUM)
#undef WIT_STATUS_ENUM
        WIT_STATUS_COUNT /* how many there are; not a status */
} wit_status;

/* "WIT_ERROR_KNOTS" and so on; "WIT_?" for a value outside the list. Never null, static storage. */
WIT_API const char* wit_status_name(wit_status status);
/* The sentence of the list above. Never null, static storage. */
WIT_API const char* wit_status_text(wit_status status);

/*
 * Why data was refused, in enough detail to mend it. Plain data; every function that takes one
 * accepts null. It is written only on failure.
 */
typedef struct wit_error {
    wit_status status;
    int line;       /* 1-based line in the text that was read, 0 where there is no text */
    int column;     /* 1-based byte column, 0 likewise */
    char item[96];  /* path of the offending field, e.g. "surfaces[2].knots_u[5]" */
    char text[192]; /* one sentence: what is wrong and what would be right */
} wit_error;

/* Version of the library that is linked, "0.1.0". Static storage. */
WIT_API const char* wit_version(void);

/*
 * Where memory comes from. Used by the create functions only: no evaluation, query or step ever
 * allocates. `alloc` returns memory aligned for any type, or null; `release` gets the same size
 * back. Null in place of an allocator means malloc and free. An allocator must outlive what it
 * allocated; the library calls it only from the thread that calls create or destroy.
 */
typedef struct wit_allocator {
    void* (*alloc)(size_t bytes, void* user);
    void (*release)(void* memory, size_t bytes, void* user);
    void* user;
} wit_allocator;

/* A point or a free vector. */
typedef struct wit_vec3 {
    double x, y, z;
} wit_vec3;

/* A closed interval lo <= x <= hi. */
typedef struct wit_interval {
    double lo, hi;
} wit_interval;

/* An axis-aligned box of points: lo <= p <= hi in every component. */
typedef struct wit_box {
    wit_vec3 lo, hi;
} wit_box;

/* A rotation, w first. Unit length is expected; wit_pose_check tells how far off it may be. */
typedef struct wit_quat {
    double w, x, y, z;
} wit_quat;

/* Where a body is: a point r of the body stands at position + rotation * r in the world. */
typedef struct wit_pose {
    wit_vec3 position; /* of the body's origin, world axes */
    wit_quat rotation; /* body to world */
} wit_pose;

/* How a body moves. */
typedef struct wit_twist {
    wit_vec3 velocity; /* of the body's origin, length per second, world axes */
    wit_vec3 angular;  /* angular velocity, radians per second, world axes */
} wit_twist;

/* Pose and velocity at one instant. A twist that is not known is not zero. */
typedef struct wit_motion {
    wit_pose pose;
    wit_twist twist;
    bool twist_known; /* false: the twist is to be derived from the poses */
} wit_motion;

/* The pose that moves nothing, and the motion that stands still there. */
WIT_API wit_pose wit_pose_identity(void);
WIT_API wit_motion wit_motion_at_rest(wit_pose pose);
/* WIT_OK, or WIT_ERROR_NUMBER for NaN or infinity, WIT_ERROR_RANGE when the rotation's length differs from 1 by
 * more than 1e-6. */
WIT_API wit_status wit_pose_check(const wit_pose* pose);
/* World point of a body point, and back; the same for free vectors (rotation only). */
WIT_API wit_vec3 wit_pose_point(const wit_pose* pose, wit_vec3 body_point);
WIT_API wit_vec3 wit_pose_unpoint(const wit_pose* pose, wit_vec3 world_point);
WIT_API wit_vec3 wit_pose_vector(const wit_pose* pose, wit_vec3 body_vector);
WIT_API wit_vec3 wit_pose_unvector(const wit_pose* pose, wit_vec3 world_vector);
/* outer * inner: first inner, then outer. The rotation of the result is normalised. */
WIT_API wit_pose wit_pose_compose(const wit_pose* outer, const wit_pose* inner);
WIT_API wit_pose wit_pose_inverse(const wit_pose* pose);
/* Rotation by `angle` radians about `axis` (any length but zero; zero gives the identity). */
WIT_API wit_quat wit_quat_about(wit_vec3 axis, double angle);
/* Velocity, in world axes, of the body point that now stands at `world_point`. */
WIT_API wit_vec3 wit_motion_velocity(const wit_motion* motion, wit_vec3 world_point);
/* The pose reached after `seconds` at constant twist: a screw motion about the pose given. */
WIT_API wit_pose wit_motion_after(const wit_motion* motion, double seconds);
/* The constant twist that leads from one pose to the other in `seconds` (not 0), by the shorter way round. */
WIT_API wit_twist wit_twist_between(const wit_pose* from, const wit_pose* to, double seconds);

/* One of many pieces of work: `index` of them, by the worker of that number, counted from 0. */
typedef void wit_parallel_job(void* work, int64_t index, int worker);
/* The caller's threads: calls job(work, i, w) once for each i from 0 to count - 1, in any order, never two at the same
 * time with the same w, and returns when all have ended. */
typedef void wit_parallel_for(void* context, int64_t count, wit_parallel_job* job, void* work);

/*
 * Trigonometry with the same bits on every machine and compiler (libm's differ). Measured against
 * 113-bit arithmetic by the tests: for |x| <= 1e6, sine and cosine are within 0.85 units in the last place (and 1e-16
 * absolute), next to multiples of pi/2 too; atan2 is within 1.5 units in the last place. Beyond 1e6 the angle is first
 * taken modulo the double nearest to 2 pi. wit_sincos gives NaN for NaN and infinities; wit_atan2 follows C17 annex F.
 */
WIT_API void wit_sincos(double x, double* sine, double* cosine);
WIT_API double wit_atan2(double y, double x);
/* e^x within 1 unit in the last place; cosh and sinh likewise. They overflow to infinity where the true value does. */
WIT_API double wit_exp(double x);
WIT_API void wit_sinhcosh(double x, double* hyperbolic_sine, double* hyperbolic_cosine);

#ifdef __cplusplus
}
#endif

#endif
