/* SPDX-License-Identifier: MIT */
/*
 * Joints: with the value q, the unit axis e through o, and turn T = 1 (PRISMATIC: 0), slide s,
 *     place = o + R(e, T q) (p - o) + s q e,   w = T q' e,   p' = q' (T e x arm + s e),
 *     p'' = q'' (T e x arm + s e) + q'^2 T e x (e x arm),
 * and T e x arm is as long, and e as far from it, at all times: with r = |e x (p - o)|
 *     |p'| = |q'| |(T r, s)|,   |p''| <= |q''| |(T r, s)| + T q'^2 r.
 */
#include <math.h>
#include <string.h>

#include "../src/base/vec.h"
#include "motion.h"

/* ---- the value ------------------------------------------------------------------------------ */

bool wi_joint_smooth(joint_table* table, memory_pool* pool)
{
    int n = table->count;
    double* m = wi_memory_pool_take(pool, (size_t)n * sizeof *m);
    double* upper = wi_memory_pool_take(pool, (size_t)n * sizeof *upper);
    if (!m || !upper) return false;
    memset(m, 0, (size_t)n * sizeof *m);
    upper[0] = 0;
    /* as in motion_path.c: natural, diagonally dominant */
    for (int i = 1; i + 1 < n; i++) {
        const double *t = table->times, *q = table->values;
        double h0 = t[i] - t[i - 1], h1 = t[i + 1] - t[i], pivot = 2 * (h0 + h1) - h0 * upper[i - 1];
        upper[i] = h1 / pivot;
        m[i] = (6 * ((q[i + 1] - q[i]) / h1 - (q[i] - q[i - 1]) / h0) - h0 * m[i - 1]) / pivot;
    }
    for (int i = n - 2; i > 0; i--) m[i] -= upper[i] * m[i + 1];
    table->bend = m;
    return true;
}

/* The value, its rate, and that of the rate from i to i + 1. */
static void piece_at(const joint_table* p, int i, double time, double* value, double* rate)
{
    double h = p->times[i + 1] - p->times[i], b = (time - p->times[i]) / h, a = 1 - b;
    double q0 = p->values[i], q1 = p->values[i + 1];
    *value = a * q0 + b * q1;
    *rate = (q1 - q0) / h;
    if (!p->bend) return;
    double m0 = p->bend[i], m1 = p->bend[i + 1];
    *value += ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
    *rate += ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
}

static void table_at(const joint_table* p, double time, double* value, double* rate)
{
    int last = p->count - 1, lo = 0, hi = last;
    *rate = 0;
    *value = p->values[time > p->times[0] ? last : 0];
    if (last == 0 || !(time >= p->times[0] && time <= p->times[last])) return;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (p->times[mid] <= time)
            lo = mid;
        else
            hi = mid;
    }
    piece_at(p, lo, time, value, rate);
}

void wi_joint_at(const motion_record* m, double time, double* value, double* rate)
{
    if (m->table.count) {
        table_at(&m->table, time, value, rate);
        return;
    }
    *value = m->angle + m->spin * time;
    *rate = m->spin;
    for (int i = 0; i < m->turn_count; i++) {
        const motion_wave* w = &m->turns[i];
        double s, c;
        wit_sincos(w->rate * time + w->phase, &s, &c);
        *value += w->amplitude.x * s;
        *rate += w->amplitude.x * w->rate * c;
    }
}

/* Of a cubic q'' runs straight from bend to bend, and q' differs from that in the middle by no more than |q''| h / 2. */
static void table_bounds(const joint_table* p, double from, double to, double* rate, double* bend)
{
    int last = p->count - 1, pieces = 0;
    if (last == 0 || to <= p->times[0] || from >= p->times[last]) return; /* held */
    for (int i = 0; i < last; i++) {
        double h = p->times[i + 1] - p->times[i], value, middle, most = 0;
        if (p->times[i + 1] <= from || p->times[i] >= to) continue;
        pieces++;
        piece_at(p, i, p->times[i] + 0.5 * h, &value, &middle);
        if (p->bend) most = fmax(fabs(p->bend[i]), fabs(p->bend[i + 1]));
        *rate = fmax(*rate, fabs(middle) + 0.5 * most * h);
        *bend = fmax(*bend, most);
    }
    /* it starts, it ends, or goes from slope to slope: the rate jumps */
    if (from < p->times[0] || to > p->times[last] || (pieces > 1 && !p->bend)) *bend = INFINITY;
}

void wi_joint_bounds(const motion_record* m, double from, double to, double* rate, double* bend)
{
    *rate = *bend = 0;
    if (m->table.count) {
        table_bounds(&m->table, from, to, rate, bend);
        return;
    }
    *rate = fabs(m->spin);
    for (int i = 0; i < m->turn_count; i++) {
        const motion_wave* w = &m->turns[i];
        *rate += fabs(w->amplitude.x * w->rate);
        *bend += fabs(w->amplitude.x * w->rate * w->rate);
    }
}

/* ---- the motion ----------------------------------------------------------------------------- */

static bool turns(const motion_record* m)
{
    return m->kind != MOTION_PRISMATIC;
}

void wi_motion_joint_at(const motion_record* m, double time, wit_motion* out)
{
    double value, rate;
    wi_joint_at(m, time, &value, &rate);
    wit_vec3 arm = sub3(m->pose.position, m->origin);
    if (turns(m)) {
        wit_pose by = {{0, 0, 0}, wit_quat_about(m->axis, value)}, start = {{0, 0, 0}, m->pose.rotation};
        out->pose.rotation = wit_pose_compose(&by, &start).rotation;
        arm = wit_pose_vector(&by, arm);
        out->twist.angular = scale3(rate, m->axis);
    }
    out->pose.position = addscaled3(add3(m->origin, arm), m->slide * value, m->axis);
    out->twist.velocity = addscaled3(cross3(out->twist.angular, arm), m->slide * rate, m->axis);
}

void wi_motion_joint_bounds(const motion_record* m, double from, double to, wit_motion_bounds* out)
{
    double rate, bend, r = turns(m) ? norm3(cross3(m->axis, sub3(m->pose.position, m->origin))) : 0;
    double lever = hypot(r, m->slide);
    wi_joint_bounds(m, from, to, &rate, &bend);
    out->velocity = rate * lever;
    out->angular = turns(m) ? rate : 0;
    out->acceleration = (lever > 0 ? bend * lever : 0) + rate * rate * r;
    out->angular_acceleration = turns(m) ? bend : 0;
}
