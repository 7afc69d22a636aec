/* SPDX-License-Identifier: MIT */
#include "assembly_check.h"

#include <math.h>

#include "../base/error.h"

enum { MOST_BODIES = 1 << 28, MOST_SAMPLES = 4096 };

wit_assembly_def wit_assembly_default_def(void)
{
    wit_assembly_def def = {.struct_size = sizeof def,
                            .scope = WIT_SCOPE_ALL,
                            .pieces = 16,
                            .time_tolerance = 1e-9,
                            .tolerance = 1e-9,
                            .budget = 20000000,
                            .samples = 64};
    return def;
}

const char* wit_pair_status_name(wit_pair_status status)
{
    static const char* const names[] = {"clear", "clearance", "contact", "clash", "not_checked"};
    return (unsigned)status < WIT_PAIR_STATUS_COUNT ? names[status] : "?";
}

static wit_status wrong(wit_error* error, const char* item, const char* text)
{
    return wi_error_fill(error, WIT_ERROR_RANGE, item, "%s", text);
}

wit_status wi_assembly_check_numbers(const wit_assembly_def* d, wit_error* error)
{
    if (!d) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "def must not be null");
    wit_status status = wi_error_struct_size(d->struct_size, sizeof *d, "wit_assembly_default_def", error);
    if (status) return status;
    if (d->body_count < 0 || d->body_count > MOST_BODIES)
        return wi_error_fill(error, WIT_ERROR_COUNT, "body_count", "from 0 to %d bodies", MOST_BODIES);
    if ((d->body_count && !d->bodies) || (d->skip_count && !d->skips))
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, d->bodies ? "skips" : "bodies", "the list must not be null");
    if ((unsigned)d->scope >= WIT_SCOPE_COUNT)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "scope", "no such scope");
    if (d->skip_count < 0) return wi_error_fill(error, WIT_ERROR_COUNT, "skip_count", "must not be negative");
    if (!(fabs(d->from) <= 1e9)) return wrong(error, "from", "the time must be within 1e9 s");
    if (!(fabs(d->to) <= 1e9 && d->to >= d->from)) return wrong(error, "to", "the time must be from `from` to 1e9 s");
    if (d->pieces < 1 || d->pieces > WIT_ASSEMBLY_PIECES) return wrong(error, "pieces", "from 1 to 64");
    if (!(d->threshold >= 0 && d->threshold <= WIT_MAX_COORDINATE)) return wrong(error, "threshold", "from 0 to 1e12");
    if (!(d->contact >= 0 && d->contact <= WIT_MAX_COORDINATE)) return wrong(error, "contact", "from 0 to 1e12");
    if (!(d->time_tolerance > 0 && d->time_tolerance <= 1e9))
        return wrong(error, "time_tolerance", "a positive number of seconds");
    if (!(d->tolerance >= 1e-15 && d->tolerance <= 1)) return wrong(error, "tolerance", "from 1e-15 to 1");
    if (d->budget < 16 * WIT_BUDGET_LEAST) return wrong(error, "budget", "128 units or more");
    if (d->samples < 1 || d->samples > MOST_SAMPLES) return wrong(error, "samples", "from 1 to 4096");
    return WIT_OK;
}

wit_status wi_assembly_check_def(const wit_assembly_def* d, wit_error* error)
{
    wit_status status = wi_assembly_check_numbers(d, error);
    if (status) return status;
    for (int i = 0; i < d->body_count; ++i) {
        const wit_moving_body* m = &d->bodies[i].moving;
        if (!m->body || (m->at && !m->bounds))
            return wi_error_fill_at(error, WIT_ERROR_ARGUMENT, "bodies", i, -1,
                                    m->body ? "a motion with `at` needs `bounds`" : "a body must not be null");
        if (!m->at && (wit_pose_check(&m->motion.pose) || !isfinite(m->since)))
            return wi_error_fill_at(error, WIT_ERROR_NUMBER, "bodies", i, -1, "the pose or its time is none");
    }
    for (int i = 0; i < d->skip_count; ++i) {
        const wit_assembly_skip *s = &d->skips[i], *p = i ? s - 1 : s;
        bool after = !i || s->a > p->a || (s->a == p->a && s->b > p->b);
        if (s->a < 0 || s->b <= s->a || s->b >= d->body_count || !after)
            return wi_error_fill_at(error, WIT_ERROR_RANGE, "skips", i, -1,
                                    "pairs of bodies a < b, ascending, each once");
    }
    return WIT_OK;
}

bool wi_assembly_wants(const wit_assembly_def* d, int a, int b)
{
    bool same = d->bodies[a].group == d->bodies[b].group;
    if (d->scope == WIT_SCOPE_WITHIN && !same) return false;
    if (d->scope == WIT_SCOPE_BETWEEN && same) return false;
    int lo = 0, hi = d->skip_count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        const wit_assembly_skip* s = &d->skips[mid];
        if (s->a == a && s->b == b) return false;
        if (s->a < a || (s->a == a && s->b < b))
            lo = mid + 1;
        else
            hi = mid;
    }
    return true;
}

double wi_assembly_piece(const wit_assembly_def* d, int k)
{
    return k >= d->pieces ? d->to : d->from + (d->to - d->from) * k / d->pieces;
}
