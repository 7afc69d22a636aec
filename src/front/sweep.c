/* SPDX-License-Identifier: MIT */
/*
 * Sweeps: what was asked is checked, the closest pair is taken at moments, and the intervals between them are proved or cut.
 *
 * The first time below a threshold. Intervals are taken in the order of time. One that is proved is left behind; one that is not
 * is cut, and as soon as a moment at or below the threshold is known nothing after it matters. What is left in the end is an
 * interval as short as was asked for, proved clear before it. Where to cut is guessed from rates: near a root a little before
 * and a little after where Newton's method sees it, else where the rates say that the distance is least. A bad guess costs
 * work, never the answer.
 *
 * The least distance. The interval that may hold the least is cut first (of the last two), until none is below what was met by
 * more than the tolerance.
 */
#include <string.h>

#include "../base/error.h"
#include "sweep_record.h"

enum { MOMENTS = 40, INTERVALS = 96 };

const char* wit_sweep_outcome_name(wit_sweep_outcome outcome)
{
    static const char* const names[WIT_SWEEP_OUTCOME_COUNT] = {"clear", "reached", "touching", "open"};
    return (unsigned)outcome < WIT_SWEEP_OUTCOME_COUNT ? names[outcome] : "?";
}

wit_sweep_def wit_sweep_default_def(void)
{
    wit_sweep_def d = {.struct_size = sizeof d, .time_tolerance = 1e-9, .tolerance = 1e-12, .budget = 20000000};
    d.lower_from = d.lower_to = -INFINITY;
    d.a = d.b = wit_moving_still(NULL, wit_pose_identity());
    return d;
}

/* ---- checks -------------------------------------------------------------------------------- */

#define TIME_MOST 1e9

static wit_status check_moving(const wit_moving_body* m, const char* name, wit_error* error)
{
    wit_status status = WIT_OK;
    if (m->at)
        return m->bounds ? WIT_OK
                         : wi_error_fill(error, WIT_ERROR_ARGUMENT, name, "a motion of its own needs bounds too");
    status = wit_pose_check(&m->motion.pose);
    if (status) return wi_error_fill(error, status, name, "the pose: %s", wit_status_text(status));
    const wit_twist* w = &m->motion.twist;
    if (m->motion.twist_known && (!finite3(w->velocity) || !finite3(w->angular)))
        return wi_error_fill(error, WIT_ERROR_NUMBER, name, "the twist is not finite");
    if (!(fabs(m->since) <= TIME_MOST))
        return wi_error_fill(error, WIT_ERROR_RANGE, name, "`since` must be within 1e9 s of zero, not %g", m->since);
    return WIT_OK;
}

static wit_status check_times(const wit_sweep_def* d, wit_error* error)
{
    if (!(fabs(d->from) <= TIME_MOST && fabs(d->to) <= TIME_MOST))
        return wi_error_fill(error, WIT_ERROR_RANGE, "to", "times must be within 1e9 s of zero");
    if (!(d->from <= d->to)) return wi_error_fill(error, WIT_ERROR_RANGE, "to", "comes before from");
    if (!(d->time_tolerance > 0 && d->time_tolerance < INFINITY))
        return wi_error_fill(error, WIT_ERROR_RANGE, "time_tolerance", "must be positive, not %g", d->time_tolerance);
    return WIT_OK;
}

static wit_status check_def(const wit_sweep_def* d, wit_error* error)
{
    if (d->struct_size != sizeof *d)
        return wi_error_struct_size(d->struct_size, sizeof *d, "wit_sweep_default_def", error);
    if (!d->a.body) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "a", "there is no body; only b may be a point");
    wit_status status = check_moving(&d->a, "a", error);
    if (!status) status = check_moving(&d->b, "b", error);
    if (!status) status = check_times(d, error);
    if (status) return status;
    bool deep = !d->b.body && d->a.body->kind == WIT_BODY_SOLID && !d->a.mask;
    if (!(fabs(d->threshold) <= WIT_MAX_COORDINATE) || (d->threshold < 0 && !deep))
        return wi_error_fill(error, WIT_ERROR_RANGE, "threshold",
                             "must be a length, and below 0 only of a point and a solid; it is %g", d->threshold);
    if (!(d->tolerance >= 1e-15 && d->tolerance <= 1))
        return wi_error_fill(error, WIT_ERROR_RANGE, "tolerance", "must be between 1e-15 and 1, not %g", d->tolerance);
    if (d->budget < 8 * WIT_BUDGET_LEAST)
        return wi_error_fill(error, WIT_ERROR_RANGE, "budget", "must be at least %d units", 8 * WIT_BUDGET_LEAST);
    return WIT_OK;
}

static double looseness(const wit_body* b)
{
    return b ? b->tolerance + b->shape_tolerance + b->vertex_error + b->gape + b->hidden_gap : 0;
}

static wit_status begin(wit_query* query, const wit_sweep_def* def, double tolerance, sweep* s, wit_error* error)
{
    if (!query || !def) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "query, def and out must not be null");
    wit_status status = check_def(def, error);
    if (status) return status;
    memset(s, 0, sizeof *s);
    s->def = def;
    s->query = query;
    s->asked = query->def;
    wi_sweep_side(&def->a, &s->side[0]);
    wi_sweep_side(&def->b, &s->side[1]);
    const wit_body *a = def->a.body, *b = def->b.body;
    s->solid_point = !b && a->kind == WIT_BODY_SOLID && !def->a.mask;
    s->unsigned_point = !b && !s->solid_point;
    double size_b = b ? b->size : 0;
    s->size = a->size > 0 && size_b > 0 ? smaller(a->size, size_b) : larger(a->size, size_b);
    s->tolerance = tolerance * s->size;
    s->loose = looseness(a) + looseness(b);
    s->level = -INFINITY;
    double floor = 4 * DBL_EPSILON * larger(fabs(def->from), fabs(def->to));
    s->time_tolerance = larger(def->time_tolerance, floor);
    query->def.tolerance = larger(0.25 * tolerance, 1e-15);
    query->def.within = INFINITY;
    return WIT_OK;
}

static wit_status finish(sweep* s, wit_error* error)
{
    s->query->def = s->asked;
    if (s->status) wi_error_fill(error, s->status, "", "at some time of the sweep: %s", wit_status_text(s->status));
    return s->status;
}

/* ---- moments ------------------------------------------------------------------------------- */

/* How fast the distance changes, from the twists; NAN where they are not known. */
static double rate_of(const wit_closest* c, wit_vec3 normal, const sweep_poses* at)
{
    if (!at->motion[0].twist_known || !at->motion[1].twist_known || !(dot3(normal, normal) > 0)) return NAN;
    wit_vec3 va = wit_motion_velocity(&at->motion[0], c->a.point), vb = wit_motion_velocity(&at->motion[1], c->b.point);
    return dot3(normal, sub3(vb, va));
}

static void read_bracket(const sweep* s, const wit_closest* c, sweep_sample* out)
{
    out->lower = c->lower_bound;
    out->upper = c->upper_bound;
    out->narrow = c->certified;
    out->reason = c->reason;
    if (!s->unsigned_point || !(out->lower < 0)) return;
    bool behind = c->distance < 0;
    double deep = -out->lower;
    out->lower = out->upper < 0 ? -out->upper : 0;
    out->upper = larger(deep, out->upper);
    out->rate = behind ? -out->rate : out->rate;
    if (behind) out->normal = scale3(-1, out->normal);
}

/* The direction of a gap as small as this, of the size, is better taken from the surfaces. */
#define NORMAL_NOISE 1e-3

/* The cold query, with so much work at most, and what planes add where that is not enough. */
static void ask(sweep* s, const sweep_poses* at, int64_t most, sweep_sample* out)
{
    const wit_sweep_def* d = s->def;
    wit_query* q = s->query;
    wit_closest* c = &s->closest;
    int64_t left = work_left(&s->work, d->budget);
    left -= left / 4 + WIT_BUDGET_LEAST; /* the rest is for bounds, and for another moment */
    if (left < most) most = left;
    q->def.budget = most < s->asked.budget ? most : s->asked.budget;
    if (q->def.budget < 1) q->def.budget = 1;
    wit_placed a = {d->a.body, at->motion[0].pose, d->a.mask}, b = {d->b.body, at->motion[1].pose, d->b.mask};
    if (b.body)
        s->status = wit_closest_pair(q, &a, &b, c);
    else
        s->status = wit_closest_point(q, &a, b.pose.position, c);
    if (s->status) return;
    s->queries++;
    work_add(&s->work, &c->work);
    double lower = out->lower, upper = out->upper; /* of a look before */
    out->normal = fabs(c->distance) < NORMAL_NOISE * s->size ? wi_sweep_normal(s, at, c) : c->normal;
    out->rate = rate_of(c, out->normal, at);
    read_bracket(s, c, out);
    out->lower = larger(out->lower, lower);
    out->upper = smaller(out->upper, upper);
    if (out->narrow || c->outcome == WIT_OUTCOME_EMPTY || !sweep_may(s)) return;
    wi_sweep_polish(s, at, c, out);
    out->narrow = out->upper - out->lower <= s->tolerance;
}

bool wi_sweep_sample(sweep* s, double t, sweep_sample* out)
{
    enum { FIRST_LOOK = 20000 };
    sweep_poses at;
    *out = (sweep_sample){.t = t, .lower = -INFINITY, .upper = INFINITY};
    s->status = wi_sweep_poses(s->side, t, &at);
    if (!s->status) ask(s, &at, FIRST_LOOK, out);
    if (s->status) return false;
    bool told = out->narrow || out->upper <= s->level || (out->lower > s->level && isfinite(s->level));
    if (!told && s->asked.budget > FIRST_LOOK && sweep_may(s)) ask(s, &at, s->asked.budget, out);
    /* about the level as far as that is told: as fine as rounding allows */
    if (s->status || !out->narrow || out->lower > s->level || out->upper <= s->level || !sweep_may(s))
        return !s->status;
    double asked = s->query->def.tolerance;
    s->query->def.tolerance = 1e-15;
    ask(s, &at, FIRST_LOOK, out);
    s->query->def.tolerance = asked;
    out->narrow = true;
    return !s->status;
}

/* ---- where to cut -------------------------------------------------------------------------- */

/* Between two moments above the level: where the rates say that the distance is least, but well inside. */
static double least_guess(const sweep_sample* l, const sweep_sample* r)
{
    double share = 0.5;
    if (l->rate < 0 && r->rate > 0) share = l->rate / (l->rate - r->rate);
    share = larger(0.1, smaller(0.9, share));
    return l->t + share * (r->t - l->t);
}

/*
 * Where the distance comes down to `level`, above it on the left and not on the right: from the side that is nearer to it, by
 * its rate and the change of rates between the two: d + r x + s x^2 / 2 = level. NAN where that does not lie between them.
 */
static double root_guess(const sweep_sample* l, const sweep_sample* r, double level)
{
    double dl = 0.5 * (l->lower + l->upper) - level, dr = 0.5 * (r->lower + r->upper) - level, w = r->t - l->t;
    double bend = (r->rate - l->rate) / w;
    bool left = !(r->rate < 0) || !isfinite(dr) || (fabs(dl) <= fabs(dr) && l->rate < 0); /* where it comes down */
    const sweep_sample* from = left ? l : r;
    double d = left ? dl : dr, x = -d / from->rate;
    if (!isfinite(x) || !(from->rate < 0)) return NAN;
    if (isfinite(bend)) {
        double under = from->rate * from->rate - 2 * bend * d;
        if (under > 0) x = -2 * d / (from->rate - sqrt(under)); /* going down: rate < 0 */
    }
    double g = from->t + x;
    return g > l->t && g < r->t ? g : NAN;
}

/* A moment beside the root: on the side of it where more is left, and so far off that the guess should not be on the wrong
 * side. */
static double beside_root(const sweep* s, const sweep_sample* l, const sweep_sample* r, double root)
{
    double before = root - l->t, after = r->t - root, least = 0.25 * s->time_tolerance;
    if (before >= after && before > 2 * least) return root - smaller(0.5 * before, larger(least, 0.03 * before));
    return root + smaller(0.5 * after, larger(least, 0.03 * smaller(before, after)));
}

static double cut_first(const sweep* s, const sweep_sample* l, const sweep_sample* r, double level, int turn)
{
    double w = r->t - l->t, t = l->t + 0.5 * w;
    if (turn % 4 == 3) return t; /* whatever the guesses do, the interval is halved again and again */
    if (r->upper <= level || r->lower <= level) {
        double root = l->lower > level ? root_guess(l, r, level) : NAN;
        if (isfinite(root)) t = beside_root(s, l, r, root);
    } else {
        t = least_guess(l, r);
    }
    return t > l->t && t < r->t ? t : l->t + 0.5 * w;
}

/* ---- the first time ------------------------------------------------------------------------- */

/* Within the tolerance of the level and not proved to be above it. */
static bool near_level(const sweep* s, const sweep_sample* x, double level)
{
    return x->lower <= level && (x->upper <= level + 2 * s->tolerance || x->narrow);
}

typedef struct moment {
    sweep_sample at;
    wit_closest closest;
} moment;

typedef struct first_search {
    sweep_sample left;     /* all before it is proved */
    moment right[MOMENTS]; /* ends of the intervals after it, the next one last */
    int count, turn;
    double lower;
} first_search;

static bool push_moment(sweep* s, first_search* f, double t)
{
    double level = s->def->threshold;
    sweep_sample x;
    if (!wi_sweep_sample(s, t, &x)) return false;
    if (x.upper <= level || near_level(s, &x, level)) f->count = 0; /* nothing later matters */
    if (f->count == MOMENTS) {                                      /* two later intervals become one */
        memmove(&f->right[1], &f->right[2], (MOMENTS - 2) * sizeof f->right[0]);
        f->count--;
    }
    f->right[f->count++] = (moment){x, s->closest};
    return true;
}

/* Until all is proved (count 0), or the next interval can't be. */
static void search_first(sweep* s, first_search* f)
{
    double level = s->def->threshold;
    while (f->count && !s->status) {
        const sweep_sample* r = &f->right[f->count - 1].at;
        double bound = wi_sweep_bound(s, &f->left, r, level);
        if (bound > level) {
            f->lower = smaller(f->lower, bound);
            f->left = *r;
            f->count--;
            s->intervals++;
            continue;
        }
        double t = cut_first(s, &f->left, r, level, f->turn++);
        bool inside = t > f->left.t && t < r->t;
        /* a root may lie just behind a moment that is still above: room for it is kept */
        double enough = r->upper <= level ? s->time_tolerance : 0.125 * s->time_tolerance;
        if (r->t - f->left.t <= enough || !inside || !sweep_may(s) || !push_moment(s, f, t)) return;
    }
}

static void conclude(const sweep* s, const moment* m, wit_sweep_outcome outcome, double lo, wit_impact* out)
{
    out->outcome = outcome;
    out->time.lo = lo;
    out->time.hi = m->at.t;
    out->rate = m->at.rate;
    out->closest = m->closest;
    out->certified = outcome == WIT_SWEEP_CLEAR ||
                     (outcome == WIT_SWEEP_REACHED && out->time.hi - out->time.lo <= s->time_tolerance);
    out->reason = out->certified ? WIT_REASON_NONE : !sweep_may(s) ? WIT_REASON_BUDGET : m->at.reason;
    if (!out->certified && !out->reason) /* of a pass that comes down slowly, or of queries in between */
        out->reason = outcome == WIT_SWEEP_REACHED ? WIT_REASON_ROUNDING : WIT_REASON_MOTION;
}

/* What the bracket at a moment says of the level. */
static wit_sweep_outcome side_of_level(const sweep* s, const sweep_sample* x, double level)
{
    if (x->upper <= level) return WIT_SWEEP_REACHED;
    return near_level(s, x, level) ? WIT_SWEEP_TOUCHING : WIT_SWEEP_OPEN;
}

/*
 * The interval that is left. Right at the root nothing is told from the level: a moment later it may be, where the distance falls
 * slowly only after more than the time that was asked for. If not, and the distance is known at its end, it comes nearer to the
 * level than bodies move in that time: a touch, or not.
 */
static void settle_first(sweep* s, first_search* f, wit_impact* out)
{
    double level = s->def->threshold, after = 0.9 * s->time_tolerance;
    moment* r = &f->right[f->count - 1];
    bool narrow = r->at.t - f->left.t <= s->time_tolerance;
    for (; narrow && r->at.upper > level && r->at.t < s->def->to && sweep_may(s); after *= 2) {
        sweep_sample x;
        double later = smaller(f->left.t + after, s->def->to);
        if (!(later > r->at.t)) continue;
        if (!wi_sweep_sample(s, later, &x)) return;
        if (x.upper <= level) *r = (moment){x, s->closest};
        bool down = x.lower > level ? x.rate < 0 : near_level(s, &x, level);
        if (!down || later >= s->def->to) break;
    }
    wit_sweep_outcome outcome = side_of_level(s, &r->at, level);
    if (outcome == WIT_SWEEP_OPEN && narrow && r->at.narrow) outcome = WIT_SWEEP_TOUCHING;
    if (outcome == WIT_SWEEP_OPEN &&
        f->right[0].at.upper <= level) { /* what lies before it is not known, but that it is met */
        r = &f->right[0];
        outcome = WIT_SWEEP_REACHED;
    }
    conclude(s, r, outcome, f->left.t, out);
}

/* Do the motion and what the caller knows of both ends prove it all? */
static bool known_clear(sweep* s, wit_impact* out)
{
    const wit_sweep_def* d = s->def;
    if (!(d->lower_from > d->threshold && d->lower_to > d->threshold && d->to > d->from)) return false;
    sweep_sample l = {.t = d->from, .lower = d->lower_from, .upper = INFINITY, .rate = NAN},
                 r = {.t = d->to, .lower = d->lower_to, .upper = INFINITY, .rate = NAN};
    double bound = wi_sweep_bound(s, &l, &r, d->threshold);
    if (!(bound > d->threshold)) return false;
    moment end = {.at = r, .closest = {.outcome = WIT_OUTCOME_BEYOND, .lower_bound = d->lower_to}};
    end.closest.distance = d->lower_to;
    end.closest.upper_bound = INFINITY;
    end.closest.a.feature = end.closest.b.feature = WIT_POINT;
    end.closest.a.id = end.closest.b.id = -1;
    s->intervals++;
    out->lower_bound = bound;
    conclude(s, &end, WIT_SWEEP_CLEAR, d->from, out);
    return true;
}

static void run_first(sweep* s, wit_impact* out)
{
    first_search f;
    moment end;
    double level = s->def->threshold;
    f.count = f.turn = 0;
    if (known_clear(s, out) || s->status) return;
    if (!wi_sweep_sample(s, s->def->from, &f.left)) return;
    end = (moment){f.left, s->closest};
    f.lower = out->lower_bound = f.left.lower;
    bool moves = s->def->to > s->def->from && s->closest.outcome != WIT_OUTCOME_EMPTY;
    wit_sweep_outcome start = side_of_level(s, &f.left, level);
    if (f.left.lower <= level) {
        out->at_start = start != WIT_SWEEP_OPEN;
        conclude(s, &end, start, s->def->from, out);
        return;
    }
    if (moves) {
        if (!push_moment(s, &f, s->def->to)) return;
        end = f.right[0];
        search_first(s, &f);
        if (s->status) return;
    }
    out->lower_bound = f.lower;
    if (f.count)
        settle_first(s, &f, out);
    else
        conclude(s, &end, WIT_SWEEP_CLEAR, s->def->from, out);
    if (!f.count) out->time.hi = s->def->to;
}

wit_status wit_sweep_first(wit_query* query, const wit_sweep_def* def, wit_impact* out, wit_error* error)
{
    sweep s;
    wit_impact r = {.rate = NAN};
    if (!out) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "query, def and out must not be null");
    wit_status status = begin(query, def, def ? def->tolerance : 0, &s, error);
    if (status) return status;
    s.level = def->threshold;
    run_first(&s, &r);
    status = finish(&s, error);
    if (status) return status;
    r.queries = s.queries;
    r.intervals = s.intervals;
    r.work = s.work;
    *out = r;
    return WIT_OK;
}

/* ---- the least distance --------------------------------------------------------------------- */

typedef struct open_interval {
    sweep_sample left, right;
    double bound;
    bool narrow; /* not to be cut further */
} open_interval;

typedef struct least_search {
    sweep_sample best; /* the least upper bound that was met */
    wit_closest closest;
    open_interval open[INTERVALS];
    int count;
    double lower; /* of all that is closed */
} least_search;

static double least_aim(const sweep* s, const least_search* f)
{
    return f->best.upper - s->tolerance;
}

static void open_one(sweep* s, least_search* f, const sweep_sample* l, const sweep_sample* r, double above)
{
    double bound = larger(above, wi_sweep_bound(s, l, r, least_aim(s, f)));
    if (bound >= least_aim(s, f) || f->count == INTERVALS || s->status) {
        f->lower = smaller(f->lower, bound);
        s->intervals++;
        return;
    }
    f->open[f->count++] = (open_interval){*l, *r, bound, r->t - l->t <= s->time_tolerance};
}

static void met(const sweep* s, least_search* f, const sweep_sample* x)
{
    if (!(x->upper < f->best.upper)) return;
    f->best = *x;
    f->closest = s->closest;
}

/* Two bodies, and sheets, touch: nothing is less than that. */
static bool at_bottom(const sweep* s, const least_search* f)
{
    return !s->solid_point && f->best.upper <= 0;
}

static void search_least(sweep* s, least_search* f)
{
    while (f->count && !s->status && !at_bottom(s, f)) {
        open_interval x = f->open[--f->count];
        if (x.bound >= least_aim(s, f) || x.narrow) {
            f->lower = smaller(f->lower, x.bound);
            s->intervals++;
            continue;
        }
        sweep_sample m;
        double t = least_guess(&x.left, &x.right);
        bool inside = t > x.left.t && t < x.right.t;
        if (!inside || !sweep_may(s)) {
            f->lower = smaller(f->lower, x.bound);
            if (inside) break;
            continue;
        }
        if (!wi_sweep_sample(s, t, &m)) return;
        met(s, f, &m);
        /* the one that may hold the least last: it is taken first */
        bool left_first = larger(x.left.lower, m.lower) > larger(m.lower, x.right.lower);
        if (left_first) open_one(s, f, &x.left, &m, x.bound);
        open_one(s, f, &m, &x.right, x.bound);
        if (!left_first) open_one(s, f, &x.left, &m, x.bound);
    }
    for (int i = 0; i < f->count; ++i) f->lower = smaller(f->lower, f->open[i].bound);
}

static void conclude_least(const sweep* s, const least_search* f, wit_least* out)
{
    out->closest = f->closest;
    out->time = f->best.t;
    out->upper_bound = f->best.upper;
    out->lower_bound = smaller(f->lower, out->upper_bound);
    out->touched = at_bottom(s, f);
    if (!s->solid_point) out->lower_bound = larger(0, out->lower_bound);
    if (out->touched) out->lower_bound = out->upper_bound = 0;
    double width = out->upper_bound - out->lower_bound;
    out->certified = !(width > s->tolerance + f->closest.model_tolerance);
    out->reason = out->certified ? WIT_REASON_NONE : !sweep_may(s) ? WIT_REASON_BUDGET : f->closest.reason;
    if (!out->certified && !out->reason) out->reason = WIT_REASON_MOTION;
}

static void run_least(sweep* s, wit_least* out)
{
    least_search f;
    sweep_sample l, r;
    f.count = 0;
    if (!wi_sweep_sample(s, s->def->from, &l)) return;
    f.best = l;
    f.closest = s->closest;
    f.lower = l.lower;
    if (s->def->to > s->def->from && s->closest.outcome != WIT_OUTCOME_EMPTY) {
        f.lower = INFINITY;
        if (!wi_sweep_sample(s, s->def->to, &r)) return;
        met(s, &f, &r);
        open_one(s, &f, &l, &r, -INFINITY);
        search_least(s, &f);
    }
    if (!s->status) conclude_least(s, &f, out);
}

/* A bracket of a value takes more moments the narrower it is, where telling above from below does not. */
#define LEAST_TOLERANCE 1e-9

wit_status wit_sweep_least(wit_query* query, const wit_sweep_def* def, wit_least* out, wit_error* error)
{
    sweep s;
    wit_least r = {.certified = false};
    if (!out) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "query, def and out must not be null");
    wit_status status = begin(query, def, def ? larger(def->tolerance, LEAST_TOLERANCE) : 0, &s, error);
    if (status) return status;
    run_least(&s, &r);
    status = finish(&s, error);
    if (status) return status;
    r.queries = s.queries;
    r.intervals = s.intervals;
    r.work = s.work;
    *out = r;
    return WIT_OK;
}
