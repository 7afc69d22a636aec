/* SPDX-License-Identifier: MIT */
#include "parameter.h"

double wi_parameter_wrap_or_hold(double x, wit_interval range, bool closed, unsigned* place)
{
    if (!isfinite(x)) {
        *place |= WIT_EVAL_INVALID;
        return range.lo;
    }
    if (closed) {
        double period = range.hi - range.lo;
        x = range.lo + fmod(x - range.lo, period);
        if (x < range.lo) x += period;
        return fmin(fmax(x, range.lo), range.hi);
    }
    *place |= WIT_EVAL_CLAMPED;
    return x < range.lo ? range.lo : range.hi;
}

int wi_parameter_pieces(wit_interval x, wit_interval range, bool closed, wit_interval out[2])
{
    double lo = isfinite(x.lo) ? x.lo : range.lo, hi = isfinite(x.hi) ? x.hi : range.hi;
    if (lo > hi) {
        double swap = lo;
        lo = hi;
        hi = swap;
    }
    if (!closed) {
        out[0] = iv(fmin(fmax(lo, range.lo), range.hi), fmin(fmax(hi, range.lo), range.hi));
        return 1;
    }
    double period = range.hi - range.lo, width = hi - lo;
    if (width >= period) {
        out[0] = range;
        return 1;
    }
    if (lo >= range.lo && hi <= range.hi) {
        out[0] = iv(lo, hi);
        return 1;
    }
    unsigned place = 0;
    lo = wi_parameter_wrap_or_hold(lo, range, true, &place);
    hi = lo + width;
    out[0] = iv(lo, fmin(hi, range.hi));
    if (hi <= range.hi) return 1;
    out[1] = iv(range.lo, fmin(hi - period, range.hi));
    return 2;
}

int wi_parameter_breaks(const double* from, int count, bool closed, wit_interval range, double* out)
{
    int n = 0;
    double period = count > 0 ? from[count - 1] - from[0] : 0, near = 1e-12 * (range.hi - range.lo);
    out[n++] = range.lo;
    for (int turn = closed ? -1 : 0; turn <= (closed ? 1 : 0); ++turn)
        for (int i = 0; i < count; ++i) {
            double x = from[i] + turn * period;
            if (x > out[n - 1] + near && x < range.hi - near) out[n++] = x;
        }
    out[n++] = range.hi;
    return n;
}
