/* SPDX-License-Identifier: MIT */
/* When a step may be a usual one, and by which kernels. */
#include "fast_step.h"

/* A face that a usual step may be on: all of its surface, and in one smooth piece about the place. */
static bool plain_face(const wit_body* b, const place* at)
{
    if (at->kind != WIT_FACE) return false;
    const body_face* f = &body_faces(b)[at->id];
    const wit_surface* s = body_surface(b, at->id);
    bool pieces = s->breaks[0].count > 2 || s->breaks[1].count > 2;
    return !f->trimmed && !f->unbounded && (s->kind == WIT_SURFACE_NURBS || !pieces);
}

bool wi_fast_step_ready(const step* s)
{
    const wit_tracker* t = s->t;
    const wit_track_def* d = &t->def;
    bool guessed = d->prediction == WIT_PREDICTION_BEST;
    if (t->law || !guessed || d->within < INFINITY) return false;
    if (s->outcome != WIT_OUTCOME_CONVERGED || s->held || t->history < TRACK_HISTORY) return false;
    if (!plain_face(t->body[0], &t->at[0])) return false;
    if (!t->body[1]) return true;
    return d->form == WIT_FORM_CONTACT && plain_face(t->body[1], &t->at[1]);
}

bool wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    /* equal steps: then the predictions have constant weights */
    if (!t->fast_ready || dt != t->past_dt[0] || dt != t->past_dt[1]) return false;
    const fast_step_set* set = &wi_fast_step_portable;
#if defined(__x86_64__)
    if (t->kernel == WIT_KERNEL_AVX2_FMA) set = &wi_fast_step_avx2_fma;
#endif
    return t->body[1] ? set->pair(t, a, b, dt, out) : set->point(t, a, b, dt, out);
}
