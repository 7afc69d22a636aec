/* SPDX-License-Identifier: MIT */
/* Poses in time: screws between them, or a smooth curve through them. */
#include <math.h>
#include <string.h>

#include "../src/base/vec.h"
#include "motion.h"

enum { PARTS = 7 };

static void parts_of(const wit_pose* p, double x[PARTS])
{
    x[0] = p->position.x;
    x[1] = p->position.y;
    x[2] = p->position.z;
    x[3] = p->rotation.w;
    x[4] = p->rotation.x;
    x[5] = p->rotation.y;
    x[6] = p->rotation.z;
}

/* ---- before the motion -------------------------------------------------------------------------- */

/* q and -q are the same rotation: the sign nearer to the one before, so that the curve takes the shorter way. */
static void turn_to_one_side(motion_path* path)
{
    for (int i = 0; i < path->count; i++) {
        wit_quat *q = &path->poses[i].rotation, p = i ? path->poses[i - 1].rotation : *q;
        double n = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
        double s = (p.w * q->w + p.x * q->x + p.y * q->y + p.z * q->z < 0 ? -1 : 1) / n;
        *q = (wit_quat){s * q->w, s * q->x, s * q->y, s * q->z};
    }
}

/*
 * Natural cubic splines: with h_i = t_{i+1} - t_i and second derivatives m_i, m_0 = m_{n-1} = 0,
 *     h_{i-1} m_{i-1} + 2 (h_{i-1} + h_i) m_i + h_i m_{i+1} = 6 ((y_{i+1} - y_i) / h_i - (y_i - y_{i-1}) / h_{i-1}).
 * Diagonally dominant: elimination without pivots is stable. `upper` has room for a number per pose.
 */
static void bend_spline(motion_path* path, double* upper)
{
    int n = path->count;
    memset(path->bend, 0, (size_t)n * sizeof *path->bend);
    upper[0] = 0;
    for (int i = 1; i + 1 < n; i++) {
        double h0 = path->times[i] - path->times[i - 1], h1 = path->times[i + 1] - path->times[i];
        double before[PARTS], at[PARTS], after[PARTS];
        parts_of(&path->poses[i - 1], before);
        parts_of(&path->poses[i], at);
        parts_of(&path->poses[i + 1], after);
        double pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        for (int k = 0; k < PARTS; k++) {
            double right = 6 * ((after[k] - at[k]) / h1 - (at[k] - before[k]) / h0);
            path->bend[i][k] = (right - h0 * path->bend[i - 1][k]) / pivot;
        }
    }
    for (int i = n - 2; i > 0; i--) {
        for (int k = 0; k < PARTS; k++) path->bend[i][k] -= upper[i] * path->bend[i + 1][k];
    }
}

/*
 * Does the spline of the quaternion stay away from zero from i to i + 1? It is a Bezier cubic, so inside the hull of its
 * control points: all of them must lie on the side of the middle rotation, by a tenth of its length.
 */
static bool rotation_is_safe(const motion_path* path, int i)
{
    double p[PARTS], q[PARTS], h = path->times[i + 1] - path->times[i], along[4] = {0, 0, 0, 0}, size = 0;
    parts_of(&path->poses[i], p);
    parts_of(&path->poses[i + 1], q);
    for (int k = 3; k < PARTS; k++) {
        double m = 0.5 * (p[k] + q[k]), bp = path->bend[i][k], bq = path->bend[i + 1][k];
        /* Control points p, p + h p' / 3, q - h q' / 3, q. */
        double one = p[k] + (q[k] - p[k] - h * h * (2 * bp + bq) / 6) / 3;
        double two = q[k] - (q[k] - p[k] + h * h * (bp + 2 * bq) / 6) / 3;
        along[0] += m * p[k];
        along[1] += m * one;
        along[2] += m * two;
        along[3] += m * q[k];
        size += m * m;
    }
    for (int k = 0; k < 4; k++) {
        if (!(along[k] > 0.1 * sqrt(size))) return false;
    }
    return true;
}

bool wi_motion_path_prepare(motion_path* path, memory_pool* pool, int* bad)
{
    *bad = -1;
    turn_to_one_side(path);
    if (!path->smooth) return true;
    size_t n = (size_t)path->count;
    double* upper = wi_memory_pool_take(pool, n * sizeof *upper);
    path->bend = wi_memory_pool_take(pool, n * sizeof *path->bend);
    if (!upper || !path->bend) return false;
    bend_spline(path, upper);
    for (int i = 0; i + 1 < path->count && *bad < 0; i++) {
        if (!rotation_is_safe(path, i)) *bad = i;
    }
    return true;
}

/* ---- in motion ---------------------------------------------------------------------------------- */

/* Constant twist from i to i + 1: the axis stands, the velocity of the origin turns about it. */
static void screw_at(const motion_path* path, int i, double time, wit_motion* out)
{
    double h = path->times[i + 1] - path->times[i], s = time - path->times[i];
    wit_motion from = wit_motion_at_rest(path->poses[i]);
    from.twist = wit_twist_between(&path->poses[i], &path->poses[i + 1], h);
    wit_pose turned = {{0, 0, 0}, wit_quat_about(from.twist.angular, norm3(from.twist.angular) * s)};
    out->pose = s == h ? path->poses[i + 1] : wit_motion_after(&from, s);
    out->twist.angular = from.twist.angular;
    out->twist.velocity = wit_pose_vector(&turned, from.twist.velocity);
}

/* The spline, and with p its four components of the rotation: q = p / |p|, angular velocity 2 Im(p' conj(p)) / |p|^2. */
static void spline_at(const motion_path* path, int i, double time, wit_motion* out)
{
    double h = path->times[i + 1] - path->times[i];
    double b = (time - path->times[i]) / h, a = 1 - b;
    double y0[PARTS], y1[PARTS], y[PARTS], d[PARTS];
    parts_of(&path->poses[i], y0);
    parts_of(&path->poses[i + 1], y1);
    for (int k = 0; k < PARTS; k++) {
        double m0 = path->bend[i][k], m1 = path->bend[i + 1][k];
        y[k] = a * y0[k] + b * y1[k] + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
        d[k] = (y1[k] - y0[k]) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
    }
    double n2 = y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6], n = sqrt(n2);
    wit_vec3 p = vec3(y[4], y[5], y[6]), dp = vec3(d[4], d[5], d[6]);
    out->pose.position = vec3(y[0], y[1], y[2]);
    out->pose.rotation = (wit_quat){y[3] / n, y[4] / n, y[5] / n, y[6] / n};
    out->twist.velocity = vec3(d[0], d[1], d[2]);
    /* Im((d3, dp)(y3, -p)) = y3 dp - d3 p - dp x p */
    wit_vec3 turned = sub3(sub3(scale3(y[3], dp), scale3(d[3], p)), cross3(dp, p));
    out->twist.angular = scale3(2 / n2, turned);
}

void wi_motion_path_at(const motion_path* path, double time, wit_motion* out)
{
    int last = path->count - 1;
    /* A time that rounding carried over an end is that end: the path still moves there. */
    double slack = 1e-12 * (fabs(path->times[0]) + fabs(path->times[last]));
    bool held = time < path->times[0] - slack || time > path->times[last] + slack;
    double t = fmin(fmax(time, path->times[0]), path->times[last]);
    *out = wit_motion_at_rest(path->poses[t > path->times[0] ? last : 0]);
    out->twist_known = true;
    if (held || last == 0) return;
    int lo = 0, hi = last; /* times[lo] <= t, t < times[hi] or hi is the last */
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (path->times[mid] <= t)
            lo = mid;
        else
            hi = mid;
    }
    if (path->smooth)
        spline_at(path, lo, t, out);
    else
        screw_at(path, lo, t, out);
}
