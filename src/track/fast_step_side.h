/* SPDX-License-Identifier: MIT */
/* Of the usual step: its arithmetic, poses, and one side of it. Part of fast_step_body.h, which tells what FAST and FUSED are. */
#ifndef TRACK_FAST_STEP_SIDE_H
#define TRACK_FAST_STEP_SIDE_H

#include <float.h>

#include "arrive.h"
#include "fast_step.h"
#include "pair_proof.h"
#include "point_proof.h"
#include "predict.h"
#include "step_end.h"

/* Leads to the general step. Said to the compiler: after a dozen of these it would take what follows for cold. */
#define UNUSUAL(condition) __builtin_expect((condition) != 0, 0)

FAST double dot(wit_vec3 a, wit_vec3 b)
{
    return FUSED(a.x, b.x, FUSED(a.y, b.y, a.z * b.z));
}

/* a + s b */
FAST wit_vec3 axpy(wit_vec3 a, double s, wit_vec3 b)
{
    return vec3(FUSED(s, b.x, a.x), FUSED(s, b.y, a.y), FUSED(s, b.z, a.z));
}

FAST wit_vec3 across(wit_vec3 a, wit_vec3 b)
{
    return vec3(FUSED(a.y, b.z, -(a.z * b.y)), FUSED(a.z, b.x, -(a.x * b.z)), FUSED(a.x, b.y, -(a.y * b.x)));
}

#define FORM_DOT dot
#define FORM_CROSS across
#define FORM_INLINE FAST
#include "../pair/contact_form.h"

/* ---- poses ---------------------------------------------------------------------------------- */

typedef struct turn {
    wit_vec3 x, y, z; /* columns: the body's axes in the world */
} turn;

/* From a quaternion near unit length. */
FAST turn turn_of(wit_quat q, double square)
{
    double s = 2 / square;
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z, xy = s * q.x * q.y, xz = s * q.x * q.z,
           yz = s * q.y * q.z, wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    turn r = {{1 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1 - xx - yy}};
    return r;
}

FAST wit_vec3 forth(const turn* r, wit_vec3 v)
{
    return axpy(axpy(scale3(v.x, r->x), v.y, r->y), v.z, r->z);
}

FAST wit_vec3 back(const turn* r, wit_vec3 v)
{
    return vec3(dot(r->x, v), dot(r->y, v), dot(r->z, v));
}

FAST double quat_square(wit_quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

FAST double sum3(wit_vec3 p)
{
    return fabs(p.x) + fabs(p.y) + fabs(p.z);
}

/* Surely what check_motion takes: NaN and infinity fail the comparisons. */
FAST bool plain_motion(const wit_motion* m, double square)
{
    return m->twist_known && fabs(square - 1) < 1.9e-6 && sum3(m->pose.position) <= WIT_MAX_COORDINATE &&
           sum3(m->twist.velocity) + sum3(m->twist.angular) <= DBL_MAX;
}

/* ---- one side ------------------------------------------------------------------------------- */

typedef struct fast_side {
    const body_face* face;
    const wit_surface* surface;
    wit_interval u, v; /* where a usual step may be */
    wit_hint hint;     /* of the look */
    double x[2];       /* predicted, then where it arrives */
    wit_surface_jet j; /* at the predicted place, in the frame of a */
} fast_side;

/* Beside a pole the parameters are no coordinates: the long way from this part of the range on. */
#define POLE_MARGIN 0.03

/* The range, its poles left out. */
FAST void open_range(fast_side* s)
{
    const body_face* f = s->face;
    double mu = 0, mv = 0;
    if (f->poles) {
        mu = f->poles & (POLE_U_LO | POLE_U_HI) ? POLE_MARGIN * (s->surface->u.hi - s->surface->u.lo) : 0;
        mv = f->poles & (POLE_V_LO | POLE_V_HI) ? POLE_MARGIN * (s->surface->v.hi - s->surface->v.lo) : 0;
    }
    s->u = (wit_interval){f->u.lo + mu, f->u.hi - mu};
    s->v = (wit_interval){f->v.lo + mv, f->v.hi - mv};
}

/* Its ends do not count. */
FAST bool inside_range(const fast_side* s)
{
    return s->x[0] > s->u.lo && s->x[0] < s->u.hi && s->x[1] > s->v.lo && s->x[1] < s->v.hi;
}

/* The place lies in the cell that was looked at: beyond it Taylor's formula is that of another polynomial. */
FAST bool in_cell(const fast_side* at)
{
    const wit_surface* s = at->surface;
    const double* x = at->x;
    if (s->kind != WIT_SURFACE_NURBS) return true;
    const double* bu = (const double*)(const void*)((const char*)s + s->spline.u.breaks) + at->hint.cell[0];
    const double* bv = (const double*)(const void*)((const char*)s + s->spline.v.breaks) + at->hint.cell[1];
    return x[0] >= bu[0] && x[0] <= bu[1] && x[1] >= bv[0] && x[1] <= bv[1];
}

/* The jet at the predicted place, in the side's own frame. False: outside, or not to be had. */
FAST bool look_ahead(wit_tracker* t, int which, prediction* guess, fast_side* s)
{
    const place* at = &t->at[which];
    s->face = &body_faces(t->body[which])[at->id];
    s->surface = body_surface(t->body[which], at->id);
    open_range(s);
    s->hint = t->hint[which];
    predict_equal(t, which, guess);
    s->x[0] = guess->x[t->order][which][0];
    s->x[1] = guess->x[t->order][which][1];
    if (!inside_range(s)) return false;
    t->looked = which + 1; /* the general step counts it, unless this one succeeds */
    return !wit_surface_eval(s->surface, s->x[0], s->x[1], WIT_KNOT_DEFAULT, &s->hint, &s->j);
}

/* Taylor's point and tangents after a step (u, v). */
FAST void taylor(const wit_surface_jet* j, double u, double v, wit_vec3* p, wit_vec3 d[2])
{
    wit_vec3 bu = axpy(scale3(u, j->duu), v, j->duv), bv = axpy(scale3(u, j->duv), v, j->dvv);
    d[0] = add3(j->du, bu);
    d[1] = add3(j->dv, bv);
    *p = axpy(axpy(j->p, u, axpy(j->du, 0.5, bu)), v, axpy(j->dv, 0.5, bv));
}

/* What it leaves, see arrive.h. */
FAST double rest_of(const fast_side* s, const double d[2], double lever)
{
    return taylor_rest(s->face->third, s->surface->speed_u * fabs(d[0]) + s->surface->speed_v * fabs(d[1]), lever);
}

/* To where the two steps lead; false: into another cell, out of the range, or near an end of it. */
FAST bool move_by(fast_side* s, double u, double v)
{
    s->x[0] += u;
    s->x[1] += v;
    return inside_range(s) && in_cell(s);
}

FAST wit_witness face_witness(const place* at, const double x[2], wit_vec3 point)
{
    wit_witness w = {WIT_FACE, at->id, x[0], x[1], point};
    return w;
}

/* A side after the step (u, v) from its jet, as the general step has it. */
FAST moving moved_by(const wit_surface_jet* j, double u, double v)
{
    moving m = {.count = 2, .dd = {j->duu, j->duv, j->dvv}, .face = true};
    taylor(j, u, v, &m.p, m.d);
    return m;
}

#endif
