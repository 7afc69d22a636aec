/* SPDX-License-Identifier: MIT */
/* The arithmetic of the hand-written steps: prediction, Newton on |f - h|^2 / 2, the point after it. No guards. */
#ifndef BENCH_TRACK_NEWTON_H
#define BENCH_TRACK_NEWTON_H

#include <math.h>

#include "../src/base/vec.h"

/* What a step leaves behind. */
typedef struct floor_result {
    double distance;
    wit_vec3 normal, p, q;
    double x[4];
} floor_result;

/* Parameters of the last three frames, and the quadratic through them one frame on. */
typedef struct floor_past {
    double x[3][4];
} floor_past;

static inline void past_predict(const floor_past* h, int n, double* x)
{
    for (int i = 0; i < n; i++) x[i] = 3 * (h->x[0][i] - h->x[1][i]) + h->x[2][i];
}

static inline void past_push(floor_past* h, int n, const double* x)
{
    for (int i = 0; i < n; i++) {
        h->x[2][i] = h->x[1][i];
        h->x[1][i] = h->x[0][i];
        h->x[0][i] = x[i];
    }
}

typedef struct floor_jet_of {
    wit_vec3 p, u, v, uu, uv, vv;
} floor_jet_of;

static inline wit_vec3 taylor(const floor_jet_of* j, double s, double t)
{
    wit_vec3 a = addscaled3(addscaled3(j->u, 0.5 * s, j->uu), t, j->uv), b = addscaled3(j->v, 0.5 * t, j->vv);
    return addscaled3(addscaled3(j->p, s, a), t, b);
}

/* One Newton step of the foot of q. */
static inline void newton_point(const floor_jet_of* j, wit_vec3 q, const double* x, floor_result* out)
{
    wit_vec3 d = sub3(j->p, q);
    double a = dot3(j->u, j->u) + dot3(d, j->uu), b = dot3(j->u, j->v) + dot3(d, j->uv);
    double c = dot3(j->v, j->v) + dot3(d, j->vv), g = dot3(d, j->u), h = dot3(d, j->v);
    double w = 1 / (a * c - b * b), s = -w * (c * g - b * h), t = -w * (a * h - b * g);
    wit_vec3 p = taylor(j, s, t), gap = sub3(q, p);
    double length = norm3(gap);
    out->distance = length;
    out->normal = scale3(1 / length, gap);
    out->p = p;
    out->q = q;
    out->x[0] = x[0] + s;
    out->x[1] = x[1] + t;
}

/* One Newton step of a pair: the Hessian is positive definite at a closest pair, so L D L^T. */
static inline void newton_pair(const floor_jet_of* f, const floor_jet_of* h, const double* x, floor_result* out)
{
    wit_vec3 d = sub3(f->p, h->p);
    double H[4][4], y[4] = {-dot3(d, f->u), -dot3(d, f->v), dot3(d, h->u), dot3(d, h->v)};
    H[0][0] = dot3(f->u, f->u) + dot3(d, f->uu);
    H[1][0] = dot3(f->u, f->v) + dot3(d, f->uv);
    H[1][1] = dot3(f->v, f->v) + dot3(d, f->vv);
    H[2][0] = -dot3(h->u, f->u);
    H[2][1] = -dot3(h->u, f->v);
    H[3][0] = -dot3(h->v, f->u);
    H[3][1] = -dot3(h->v, f->v);
    H[2][2] = dot3(h->u, h->u) - dot3(d, h->uu);
    H[3][2] = dot3(h->u, h->v) - dot3(d, h->uv);
    H[3][3] = dot3(h->v, h->v) - dot3(d, h->vv);
    double inverse[4];
    for (int k = 0; k < 4; k++) {
        double pivot = H[k][k];
        inverse[k] = 1 / pivot;
        for (int i = k + 1; i < 4; i++) {
            double l = H[i][k] * inverse[k];
            for (int m = k + 1; m <= i; m++) H[i][m] -= l * H[m][k];
            y[i] -= l * y[k];
        }
    }
    for (int k = 3; k >= 0; k--) {
        double sum = y[k];
        for (int i = k + 1; i < 4; i++) sum -= H[i][k] * y[i];
        y[k] = sum * inverse[k];
    }
    wit_vec3 p = taylor(f, y[0], y[1]), q = taylor(h, y[2], y[3]), gap = sub3(q, p);
    double length = norm3(gap);
    out->distance = length;
    out->normal = scale3(1 / length, gap);
    out->p = p;
    out->q = q;
    for (int i = 0; i < 4; i++) out->x[i] = x[i] + y[i];
}

typedef struct floor_turn {
    wit_vec3 row[3], shift;
} floor_turn;

static inline floor_turn turn_of(const wit_pose* p)
{
    wit_quat q = p->rotation;
    floor_turn t = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
                     {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
                     {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}},
                    p->position};
    return t;
}

static inline wit_vec3 turn_vector(const floor_turn* t, wit_vec3 a)
{
    return vec3(dot3(t->row[0], a), dot3(t->row[1], a), dot3(t->row[2], a));
}

static inline void turn_jet(const floor_turn* t, floor_jet_of* j)
{
    j->p = add3(t->shift, turn_vector(t, j->p));
    j->u = turn_vector(t, j->u);
    j->v = turn_vector(t, j->v);
    j->uu = turn_vector(t, j->uu);
    j->uv = turn_vector(t, j->uv);
    j->vv = turn_vector(t, j->vv);
}

#endif
