/* SPDX-License-Identifier: MIT */
/* How fast, and how unsteadily, a motion moves within an interval of time. */
#include <math.h>

#include "../src/base/vec.h"
#include "motion.h"

/* Rounding of the sums below, and of the motion itself. */
#define UP (1 + 1e-12)

static void at_least(double* x, double y)
{
    if (y > *x) *x = y;
}

static void jumps(wit_motion_bounds* b)
{
    b->acceleration = b->angular_acceleration = INFINITY;
}

/* ---- formulas ------------------------------------------------------------------------------- */

/* angle + spin t + waves about an axis that stands */
static void turn_bounds(const motion_record* m, wit_motion_bounds* b)
{
    b->angular = fabs(m->spin);
    for (int i = 0; i < m->turn_count; i++) {
        const motion_wave* w = &m->turns[i];
        b->angular += fabs(w->amplitude.x * w->rate);
        b->angular_acceleration += fabs(w->amplitude.x * w->rate * w->rate);
    }
}

/* p = r e + rise t z, e turning with the rate:  p' = growth e + r rate e' + rise z,  p'' = -r rate^2 e + 2 growth rate e' */
static void helix_bounds(const motion_record* m, double from, double to, wit_motion_bounds* b)
{
    double r = fmax(fabs(m->radius + m->growth * from), fabs(m->radius + m->growth * to));
    b->velocity = norm3(vec3(m->growth, r * m->rate, m->rise));
    b->acceleration = hypot(r * m->rate * m->rate, 2 * m->growth * m->rate);
}

static void harmonic_bounds(const motion_record* m, wit_motion_bounds* b)
{
    for (int i = 0; i < m->wave_count; i++) {
        const motion_wave* w = &m->waves[i];
        b->velocity += norm3(w->amplitude) * fabs(w->rate);
        b->acceleration += norm3(w->amplitude) * w->rate * w->rate;
    }
}

/* ---- poses ---------------------------------------------------------------------------------- */

/* A screw: the origin goes round its axis at one speed. */
static void screw_bounds(const motion_path* path, int i, wit_motion_bounds* b)
{
    wit_twist t = wit_twist_between(&path->poses[i], &path->poses[i + 1], path->times[i + 1] - path->times[i]);
    at_least(&b->velocity, norm3(t.velocity));
    at_least(&b->angular, norm3(t.angular));
    at_least(&b->acceleration, norm3(cross3(t.angular, t.velocity)));
}

static double norm_of(const double* x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/*
 * A cubic in each of the seven parts: y'' runs straight from one bend to the next, and y' differs from that in the middle by no
 * more than |y''| h / 2. With p the four of the rotation, |p| > 0.1 (wi_motion_path_prepare), w = 2 Im(p' p*) / |p|^2:
 *     |w| <= 2 |p'| / |p|,      |w'| <= 2 |p''| / |p| + 4 |p'|^2 / |p|^2.
 */
static void spline_bounds(const motion_path* path, int i, wit_motion_bounds* b)
{
    double h = path->times[i + 1] - path->times[i], middle = path->times[i] + 0.5 * h;
    const double *m0 = path->bend[i], *m1 = path->bend[i + 1];
    double accel = fmax(norm_of(m0, 3), norm_of(m1, 3)), bend = fmax(norm_of(m0 + 3, 4), norm_of(m1 + 3, 4));
    wit_motion m;
    wi_motion_path_at(path, middle, &m);
    const wit_quat p = path->poses[i].rotation, q = path->poses[i + 1].rotation;
    const double chord[4] = {(q.w - p.w) / h, (q.x - p.x) / h, (q.y - p.y) / h, (q.z - p.z) / h};
    double mid[4], rate[4];
    const double y0[4] = {p.w, p.x, p.y, p.z}, y1[4] = {q.w, q.x, q.y, q.z};
    for (int k = 0; k < 4; k++) {
        mid[k] = 0.5 * (y0[k] + y1[k]) - (m0[3 + k] + m1[3 + k]) * h * h / 16;
        rate[k] = chord[k] + (m0[3 + k] - m1[3 + k]) * h / 24;
    }
    double fast = norm_of(rate, 4) + 0.5 * bend * h, least = fmax(0.1, norm_of(mid, 4) - 0.5 * fast * h);
    at_least(&b->velocity, norm3(m.twist.velocity) + 0.5 * accel * h);
    at_least(&b->acceleration, accel);
    at_least(&b->angular, 2 * fast / least);
    at_least(&b->angular_acceleration, 2 * bend / least + 4 * fast * fast / (least * least));
}

static void path_bounds(const motion_path* path, double from, double to, wit_motion_bounds* b)
{
    int last = path->count - 1, pieces = 0;
    if (to <= path->times[0] || from >= path->times[last]) return; /* held */
    for (int i = 0; i < last; i++) {
        if (path->times[i + 1] <= from || path->times[i] >= to) continue;
        pieces++;
        if (path->smooth)
            spline_bounds(path, i, b);
        else
            screw_bounds(path, i, b);
    }
    /* it starts, it ends, or goes from screw to screw: the velocity jumps */
    if (from < path->times[0] || to > path->times[last] || (pieces > 1 && !path->smooth)) jumps(b);
}

/* Nothing of it, however large the other is. */
static double times(double x, double y)
{
    return x > 0 && y > 0 ? x * y : 0;
}

/*
 * With r the way from the origin of outer to that of inner, and primes of inner as seen from outer,
 *     v = v_o + w_o x r + v_i,               w = w_o + w_i,
 *     a = a_o + w_o' x r + w_o x (w_o x r) + 2 w_o x v_i + a_i,   w' = w_o' + w_o x w_i + w_i'.
 */
void wi_motion_bounds_compose(const wit_motion_bounds* outer, const wit_motion_bounds* inner, double reach,
                              wit_motion_bounds* out)
{
    const wit_motion_bounds o = *outer, i = *inner;
    reach *= UP;
    out->velocity = (o.velocity + times(o.angular, reach) + i.velocity) * UP;
    out->angular = (o.angular + i.angular) * UP;
    out->acceleration = (o.acceleration + times(o.angular_acceleration, reach) + times(o.angular * o.angular, reach) +
                         2 * times(o.angular, i.velocity) + i.acceleration) *
                        UP;
    out->angular_acceleration = (o.angular_acceleration + times(o.angular, i.angular) + i.angular_acceleration) * UP;
}

void wi_motion_bounds_over(const motion_record* m, double from, double to, wit_motion_bounds* out)
{
    *out = (wit_motion_bounds){0, 0, 0, 0};
    switch (m->kind) {
    case MOTION_KEYFRAMES:
    case MOTION_POSES:
        path_bounds(&m->path, from, to, out);
        break;
    case MOTION_TWIST:
        turn_bounds(m, out);
        out->velocity = norm3(m->twist.velocity);
        break;
    case MOTION_HELIX:
    case MOTION_SPIRAL:
        turn_bounds(m, out);
        helix_bounds(m, from, to, out);
        break;
    case MOTION_HARMONIC:
        turn_bounds(m, out);
        harmonic_bounds(m, out);
        break;
    case MOTION_ROTATE: {
        double arm = norm3(cross3(m->axis, sub3(m->pose.position, m->origin)));
        turn_bounds(m, out);
        out->velocity = out->angular * arm;
        out->acceleration = out->angular * out->angular * arm;
        break;
    }
    case MOTION_REVOLUTE:
    case MOTION_PRISMATIC:
    case MOTION_SCREW:
        wi_motion_joint_bounds(m, from, to, out);
        break;
    default:
        break;
    }
    if (m->placed) {
        const wit_motion_bounds moves = *out, still = {0, 0, 0, 0};
        wi_motion_bounds_compose(&moves, &still, norm3(m->place.position), out);
    }
    double* const all[4] = {&out->velocity, &out->angular, &out->acceleration, &out->angular_acceleration};
    for (int k = 0; k < 4; k++) *all[k] *= UP;
}
