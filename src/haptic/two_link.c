/* SPDX-License-Identifier: MIT */
/*
 * The planar arm of two links of the textbooks, q0 from the x axis, q1 against link 0, c1 = cos q1, s1 = sin q1:
 *     M00 = I0 + I1 + m0 r0^2 + m1 (l0^2 + r1^2 + 2 l0 r1 c1),  M01 = I1 + m1 (r1^2 + l0 r1 c1),  M11 = I1 + m1 r1^2
 *     C = m1 l0 r1 s1 (-(2 q0' q1' + q1'^2), q0'^2)
 *     N = g ((m0 r0 + m1 l0) cos q0 + m1 r1 cos(q0 + q1), m1 r1 cos(q0 + q1)) + friction q'
 */
#include <string.h>

#include "../base/error.h"
#include "haptic_record.h"

wit_two_link_arm wit_two_link_arm_default(void)
{
    wit_two_link_arm a;
    memset(&a, 0, sizeof a);
    a.base = wit_pose_identity();
    for (int i = 0; i < 2; ++i) {
        a.length[i] = a.mass[i] = 1;
        a.centre[i] = 0.5;
        a.inertia[i] = 1.0 / 12;
    }
    return a;
}

static void arm_mass(const void* user, const double* q, double* M)
{
    const wit_two_link_arm* a = user;
    double s, c, l = a->length[0], r = a->centre[1], m = a->mass[1];
    wit_sincos(q[1], &s, &c);
    M[0] =
        a->inertia[0] + a->inertia[1] + a->mass[0] * a->centre[0] * a->centre[0] + m * (l * l + r * r + 2 * l * r * c);
    M[1] = M[2] = a->inertia[1] + m * (r * r + l * r * c);
    M[3] = a->inertia[1] + m * r * r;
}

static void arm_coriolis(const void* user, const double* q, const double* speed, double* C)
{
    const wit_two_link_arm* a = user;
    double s, c;
    wit_sincos(q[1], &s, &c);
    double k = a->mass[1] * a->length[0] * a->centre[1] * s;
    C[0] = -k * (2 * speed[0] * speed[1] + speed[1] * speed[1]);
    C[1] = k * speed[0] * speed[0];
}

static void arm_load(const void* user, const double* q, const double* speed, double* N)
{
    const wit_two_link_arm* a = user;
    double s, c0, c01;
    wit_sincos(q[0], &s, &c0);
    wit_sincos(q[0] + q[1], &s, &c01);
    N[1] = a->gravity * a->mass[1] * a->centre[1] * c01;
    N[0] = a->gravity * (a->mass[0] * a->centre[0] + a->mass[1] * a->length[0]) * c0 + N[1];
    for (int i = 0; i < 2; ++i) N[i] += a->friction[i] * speed[i];
}

static double arm_potential(const void* user, const double* q)
{
    const wit_two_link_arm* a = user;
    double s0, s01, c;
    wit_sincos(q[0], &s0, &c);
    wit_sincos(q[0] + q[1], &s01, &c);
    return a->gravity *
           ((a->mass[0] * a->centre[0] + a->mass[1] * a->length[0]) * s0 + a->mass[1] * a->centre[1] * s01);
}

static void arm_drive(const void* user, double time, const double* q, const double* speed, double* F)
{
    const wit_two_link_arm* a = user;
    for (int i = 0; i < 2; ++i)
        F[i] = a->torque[i] + a->stiffness[i] * (a->target[i] + a->target_speed[i] * time - q[i]) +
               a->damping[i] * (a->target_speed[i] - speed[i]);
}

/* Rotations about -y of the base lift the x axis. */
static void arm_link(const void* user, int link, const double* q, const double* speed, wit_motion* motion, double* J)
{
    const wit_two_link_arm* a = user;
    double s, c, angle = link ? q[0] + q[1] : q[0];
    wit_sincos(q[0], &s, &c);
    wit_vec3 elbow = link ? vec3(a->length[0] * c, 0, a->length[0] * s) : vec3(0, 0, 0);
    wit_vec3 axis = wit_pose_vector(&a->base, vec3(0, -1, 0));
    wit_vec3 run = wit_pose_vector(&a->base, vec3(-elbow.z, 0, elbow.x)); /* d elbow / d q0 */
    wit_pose local = {elbow, wit_quat_about(vec3(0, -1, 0), angle)};
    motion->pose = wit_pose_compose(&a->base, &local);
    double turn = link ? speed[0] + speed[1] : speed[0];
    motion->twist = (wit_twist){scale3(speed[0], run), scale3(turn, axis)};
    motion->twist_known = true;
    const double v[3] = {run.x, run.y, run.z}, w[3] = {axis.x, axis.y, axis.z};
    for (int k = 0; k < 3; ++k) {
        J[2 * k] = v[k];
        J[2 * k + 1] = 0;
        J[2 * (k + 3)] = w[k];
        J[2 * (k + 3) + 1] = link ? w[k] : 0;
    }
}

wit_status wit_two_link_system(const wit_two_link_arm* a, wit_system* out, wit_error* e)
{
    if (!a || !out) return wi_error_fill(e, WIT_ERROR_ARGUMENT, "", "the arm and out must not be null");
    if (wit_pose_check(&a->base))
        return wi_error_fill(e, WIT_ERROR_RANGE, "base", "must be finite, its rotation of length 1");
    for (int i = 0; i < 2; ++i) {
        if (!(a->length[i] > 0) || !isfinite(a->length[i]))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "length", i, -1, "is %g; must be positive", a->length[i]);
        if (!(a->mass[i] > 0) || !isfinite(a->mass[i]))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "mass", i, -1, "is %g; must be positive", a->mass[i]);
        if (!(a->inertia[i] > 0) || !isfinite(a->inertia[i]))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "inertia", i, -1, "is %g; must be positive", a->inertia[i]);
        if (!isfinite(a->centre[i])) return wi_error_fill_at(e, WIT_ERROR_NUMBER, "centre", i, -1, "is not finite");
        if (!(a->friction[i] >= 0) || !(a->stiffness[i] >= 0) || !(a->damping[i] >= 0))
            return wi_error_fill_at(e, WIT_ERROR_RANGE, "stiffness", i, -1,
                                    "stiffness, damping and friction of a joint must be 0 or positive");
        if (!isfinite(a->torque[i]) || !isfinite(a->target[i]) || !isfinite(a->target_speed[i]))
            return wi_error_fill_at(e, WIT_ERROR_NUMBER, "target", i, -1,
                                    "torque, target and its speed must be finite");
    }
    if (!isfinite(a->gravity)) return wi_error_fill(e, WIT_ERROR_NUMBER, "gravity", "is not finite");
    memset(out, 0, sizeof *out);
    out->count = out->link_count = 2;
    out->mass = arm_mass;
    out->coriolis = arm_coriolis;
    out->load = arm_load;
    out->drive = arm_drive;
    out->link = arm_link;
    out->potential = arm_potential;
    out->user = a;
    for (int i = 0; i < 2; ++i) out->q[i] = a->target[i];
    return WIT_OK;
}
