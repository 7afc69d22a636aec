/* SPDX-License-Identifier: MIT */
/* A way of one body about another, frame by frame, a millisecond each: drawn once, with leaps now and then. */
#ifndef ADVERSARY_MOTION_H
#define ADVERSARY_MOTION_H

#include "adversary.h"

typedef struct course {
    v3 at, step, axis;    /* b's position from a's, what it goes in a frame; the axis about which b turns */
    LD turn, reach;       /* radians a frame */
    double base[4], q[4]; /* rotation of b */
    double home[3];       /* a's position */
    v3 drift;             /* a's own step */
    int told, leaps;      /* twist: 0 not told, 1 told, 2 told wrongly; one frame of so many leaps, 0: none */
    int frame;
} course;

/* Begins somewhere within twice the reach; goes by, through the middle, or stays and turns. */
static inline course any_course(dice* d, LD reach, int frames)
{
    static const double slow[4] = {1, 0.1, 1e-3, 1e-6};
    course w = {.reach = reach, .frame = 0};
    v3 n = any_direction(d), to = any_direction(d);
    LD near = reach * between(d, 0.3, 1.6), speed = slow[below(d, 4)] * reach / frames;
    int what = below(d, 3), far = below(d, 4);
    w.at = scaled(near, n);
    w.step = what == 0 ? scaled(speed, to) : what == 1 ? scaled(-2 * near / frames, n) : vec(0, 0, 0);
    w.axis = any_direction(d);
    w.turn = what == 2 || below(d, 2) ? slow[below(d, 4)] * between(d, 0, 3) / frames : 0;
    w.told = below(d, 3);
    w.leaps = below(d, 3) ? 0 : 8;
    w.drift = far == 1 ? scaled(speed, any_direction(d)) : vec(0, 0, 0);
    any_rotation(d, w.base);
    for (int i = 0; i < 3; i++) w.home[i] = far >= 2 ? (double)reach * between(d, -1000, 1000) : 0;
    return w;
}

/* The next frame: where both stand (b may be null: a point) and what is told of it. Returns how far points of b go against a
 * at most; infinite in a leap and in the first frame. */
static inline LD course_step(dice* d, course* w, place* a, place* b, wit_motion m[2])
{
    bool leap = w->leaps && below(d, w->leaps) == 0;
    double t[4];
    place at;
    if (w->frame == 0) {
        any_rotation(d, w->q);
        for (int i = 0; i < 4; i++) a->q[i] = w->q[i];
    }
    if (leap) {
        w->at = scaled(w->reach * between(d, 0, 1.5), any_direction(d));
        any_rotation(d, w->base);
    } else {
        w->at = plus(w->at, 1, w->step);
    }
    small_rotation(w->axis, w->turn * w->frame, t);
    turn_by(t, w->base, at.q);
    for (int i = 0; i < 3; i++) {
        LD drift = i == 0 ? w->drift.x : i == 1 ? w->drift.y : w->drift.z;
        LD from = i == 0 ? w->at.x : i == 1 ? w->at.y : w->at.z;
        a->p[i] = (double)(w->home[i] + drift * w->frame);
        at.p[i] = (double)(a->p[i] + from);
    }
    m[0] = wit_motion_at_rest(pose_of(a));
    m[1] = wit_motion_at_rest(pose_of(&at));
    m[0].twist_known = m[1].twist_known = w->told > 0;
    if (w->told > 0) {
        LD s = w->told == 1 ? 1e3L : 1e3L * between(d, -10, 10);
        v3 v = scaled(s, plus(w->step, 1, w->drift)), u = scaled(1e3L, w->drift), o = scaled(s * w->turn, w->axis);
        m[0].twist.velocity = (wit_vec3){(double)u.x, (double)u.y, (double)u.z};
        m[1].twist.velocity = (wit_vec3){(double)v.x, (double)v.y, (double)v.z};
        m[1].twist.angular = (wit_vec3){(double)o.x, (double)o.y, (double)o.z};
    }
    if (b) *b = at;
    w->frame++;
    if (leap || w->frame == 1) return INFINITY;
    return norm(w->step) + (b ? fabsl(w->turn) * 2 * w->reach : 0);
}

#endif
