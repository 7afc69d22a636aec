/* SPDX-License-Identifier: MIT */
/* What is asked of a monotone segment: its height at u, its place at v, which side a point is on. */
#include "trim_segment.h"

static const wit_curve* curve_of(const trim_segment* s, const trim_source* source)
{
    if (source->passages) return source->passages[s->passage].curve;
    const trim_curves* c = source->curves;
    const char* at = c->first + (size_t)s->passage * c->stride;
    if (!c->base) {
        const wit_curve* curve;
        memcpy(&curve, at, sizeof curve);
        return curve;
    }
    size_t offset;
    memcpy(&offset, at, sizeof offset);
    return (const wit_curve*)(const void*)(c->base + offset);
}

/* A bracket of the place where coordinate x (u or v) of a monotone segment has a value: x rises from a to b. */
typedef struct bracket {
    const wit_curve* curve;
    const trim_curves* account; /* of what is evaluated; null: none */
    bool across;                /* x is v, y is u */
    double shift_x, shift_y;
    double ta, tb;
    double xa, xb, ya, yb;
    double guess;
} bracket;

static double between(double x, double a, double b)
{
    return a <= b ? (x < a ? a : x > b ? b : x) : (x < b ? b : x > a ? a : x);
}

static bracket bracket_of(const trim_segment* s, const trim_source* source, bool across, double x)
{
    bool swap = across && s->v1 < s->v0;
    bracket b;
    b.curve = s->passage < 0 ? NULL : curve_of(s, source);
    b.account = source->curves;
    b.across = across;
    b.shift_x = across ? s->shift_v : s->shift_u;
    b.shift_y = across ? s->shift_u : s->shift_v;
    b.ta = swap ? s->t1 : s->t0;
    b.tb = swap ? s->t0 : s->t1;
    b.xa = across ? s->v_lo : s->u0;
    b.xb = across ? s->v_hi : s->u1;
    b.ya = across ? (swap ? s->u1 : s->u0) : s->v0;
    b.yb = across ? (swap ? s->u0 : s->u1) : s->v1;
    double share = b.xb > b.xa ? (x - b.xa) / (b.xb - b.xa) : 0.5;
    b.guess = b.ta + share * (b.tb - b.ta);
    return b;
}

static double straight(const bracket* b, double x)
{
    if (!(b->xb > b->xa)) return b->ya;
    return between(b->ya + (b->yb - b->ya) * ((x - b->xa) / (b->xb - b->xa)), b->ya, b->yb);
}

/* One evaluation: the bracket shrinks to one side of the guess; the next guess is Newton's, or the middle when that
 * leaves the bracket or when the last step did not halve it. False when no parameter is left inside. */
static bool bracket_step(bracket* b, double x)
{
    wit_curve_jet j;
    double t = b->guess, before = fabs(b->tb - b->ta);
    if (b->account && b->account->work) work_jets(b->account->work, 1);
    wit_curve_eval(b->curve, t, WIT_KNOT_DEFAULT, NULL, &j);
    double at = (b->across ? j.p.y : j.p.x) + b->shift_x, slope = b->across ? j.d1.y : j.d1.x;
    double y = between((b->across ? j.p.x : j.p.y) + b->shift_y, b->ya, b->yb);
    if (at <= x) {
        b->ta = t;
        b->xa = at;
        b->ya = y;
    } else {
        b->tb = t;
        b->xb = at;
        b->yb = y;
    }
    double newton = slope != 0 ? t + (x - at) / slope : t, middle = b->ta + 0.5 * (b->tb - b->ta);
    double lo = smaller(b->ta, b->tb), hi = larger(b->ta, b->tb);
    /* One unit past the root, so that the other end comes near as well and the bracket closes. */
    newton += (newton - t) * 0x1p-20;
    bool fast = fabs(newton - t) < 0.25 * before;
    b->guess = newton > lo && newton < hi && fast ? newton : middle;
    return b->guess > lo && b->guess < hi;
}

enum { STEPS = 80 };

/* The value of y at x, or any on the same side of `known`, as soon as y, which is monotone, is on one side of it at both ends. */
static double solved(const trim_segment* s, const trim_source* source, bool across, double x, wit_interval known)
{
    bracket b = bracket_of(s, source, across, x);
    if (!b.curve) return straight(&b, x);
    if (x <= b.xa) return b.ya;
    if (x >= b.xb) return b.yb;
    for (int k = 0; k < STEPS && !trim_spent(b.account); ++k) {
        if (smaller(b.ya, b.yb) > known.hi || larger(b.ya, b.yb) < known.lo) break;
        if (!bracket_step(&b, x)) break;
    }
    return b.xb - x < x - b.xa ? b.yb : b.ya;
}

/* No value is on a side of it. */
static const wit_interval anywhere = {-INFINITY, INFINITY};

double wi_segment_v_at(const trim_segment* s, const trim_source* source, double u)
{
    return solved(s, source, false, u, anywhere);
}

double wi_segment_u_at(const trim_segment* s, const trim_source* source, double v)
{
    return solved(s, source, true, v, anywhere);
}

bool wi_segment_stays_below(const trim_segment* s, const trim_source* source, double u, double v)
{
    return solved(s, source, false, u, iv_point(v)) < v;
}

bool wi_segment_stays_above(const trim_segment* s, const trim_source* source, double u, double v)
{
    return solved(s, source, false, u, iv_point(v)) > v;
}

/* y is monotone along the bracket: as soon as both its ends are on one side of v, so is the segment at u. */
bool wi_segment_is_below(const trim_segment* s, const trim_source* source, double u, double v)
{
    bracket b = bracket_of(s, source, false, u);
    if (!b.curve) return straight(&b, u) <= v;
    for (int k = 0; k < STEPS && !trim_spent(b.account); ++k) {
        bool more = bracket_step(&b, u);
        if (b.ya <= v && b.yb <= v) return true;
        if (b.ya > v && b.yb > v) return false;
        if (!more) break;
    }
    return (b.xb - u < u - b.xa ? b.yb : b.ya) <= v;
}
