/* SPDX-License-Identifier: MIT */
/* Asks the library, and says what of its answer is proved wrong. */
#include "adversary.h"

#include <stdio.h>
#include <time.h>

/* Version 0.1, which against.sh compares with, gives no reasons. */
#ifdef ADVERSARY_NO_REASONS
#define REASON(answer) (-1)
#else
#define REASON(answer) ((int)(answer)->reason)
#endif

enum { LINES = 6 }; /* printed of each kind of fault and family */

static const char* const fault_names[FAULTS] = {
    "certified and wrong", "bracket excludes the truth", "wrong sign",           "certified and wider than asked",
    "not a number",        "work over its budget",       "longer than a second", "refused"};

void finding(batch* b, fault f, const char* what, double seen, const claim* c)
{
    b->tally->faults[f]++;
    if (b->letter && *b->letter == '1' && (f == WRONG || f == BRACKET || f == SIGN)) *b->letter = 'w';
    if (b->tally->faults[f] > LINES) return;
    printf("finding: %s: --family %s --seed %llu --cases 1, case %lld: %s %.17g; truth [%.19Lg, %.19Lg], %s, tolerance "
           "%g, "
           "budget %lld\n",
           fault_names[f], b->family, (unsigned long long)b->seed, (long long)b->number, what, seen, c->truth.lo,
           c->truth.hi, b->asked.rigorous ? "rigorous" : "default", b->asked.tolerance, (long long)b->asked.budget);
    if (b->tally->faults[f] == LINES) printf("finding: (more of this kind are only counted)\n");
}

/* ---- how it is asked ---------------------------------------------------------------------------- */

static void set_query(batch* b)
{
    wit_query_set(b->query, &b->asked, NULL);
}

void ask_plain(batch* b)
{
    b->asked = wit_query_default_def();
    set_query(b);
}

void ask_rigorous(batch* b)
{
    b->asked = wit_query_default_def();
    b->asked.rigorous = true;
    set_query(b);
}

/* query.h: what is begun is ended, so that a query may exceed its budget by so much. A step never does. */
enum { QUERY_OVER = 1000 };

void ask_budget(batch* b, double lo, double hi)
{
    b->asked = wit_query_default_def();
    b->asked.rigorous = below(&b->d, 2);
    b->asked.budget = (int64_t)pow(10, between(&b->d, log10(lo), log10(hi)));
    set_query(b);
}

void ask_any(batch* b)
{
    static const double tolerances[4] = {1e-9, 1e-9, 1e-12, 1e-6};
    b->asked = wit_query_default_def();
    b->asked.rigorous = below(&b->d, 2);
    b->asked.tolerance = tolerances[below(&b->d, 4)];
    b->asked.budget = 20000;
    set_query(b);
}

/* ---- what is answered ----------------------------------------------------------------------------- */

typedef struct answer {
    double distance, lower, upper;
    bool certified, tracked;
    double tolerance; /* asked, a length */
    bool rigorous;
} answer;

static double seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC; /* of this program, not of the machine */
}

/* A bracket may not exclude the truth: rigorous, at all; by default, by more than the tolerance that was asked for. */
static void judge(batch* b, const answer* a, const claim* c)
{
    LD slack = a->rigorous ? 0 : a->tolerance, size = a->tolerance + c->widened;
    range t = c->truth;
    if (isnan(a->distance) || isnan(a->lower) || isnan(a->upper) || a->lower > a->upper) {
        finding(b, NOT_A_NUMBER, "distance", a->distance, c);
        return;
    }
    if ((a->lower > 0 && t.hi + slack < 0) || (a->upper < 0 && t.lo - slack > 0))
        finding(b, SIGN, "distance", a->distance, c);
    else if (a->lower > t.hi + slack)
        finding(b, BRACKET, "lower bound", a->lower, c);
    else if (a->upper < t.lo - slack)
        finding(b, BRACKET, "upper bound", a->upper, c);
    if (!a->certified) return;
    if (a->distance > t.hi + size || a->distance < t.lo - size) finding(b, WRONG, "distance", a->distance, c);
    if (!a->tracked && (LD)a->upper - a->lower > size * (1 + 1e-9L) + 1e-14L * c->coordinates && c->widened == 0)
        finding(b, WIDE, "upper - lower", a->upper - a->lower, c);
}

/* --answers: 1 certified, a letter from a on why not (0 where the library has no reasons yet), a dot in rigorous mode. */
static char letter_of(const batch* b, bool certified, int reason)
{
    if (b->asked.rigorous) return '.';
    return certified ? '1' : reason < 0 ? '0' : (char)('a' + reason);
}

static void count(batch* b, bool certified, int reason, double began, const claim* c)
{
    double took = seconds() - began;
    b->tally->cases++;
    b->tally->certified += certified;
    if (b->letter) *b->letter = letter_of(b, certified, reason);
    if (took > 1) finding(b, SLOW, "seconds", took, c);
}

static void next_case(batch* b)
{
    b->number++;
    if (b->letter) b->letter++;
}

static void judge_closest(batch* b, const wit_closest* o, double began, const claim* c)
{
    double scale = fmax(fabs(o->distance), c->size);
    answer a = {o->distance,
                o->lower_bound,
                o->upper_bound,
                o->certified && o->outcome != WIT_OUTCOME_BEYOND,
                false,
                b->asked.tolerance * scale,
                b->asked.rigorous};
    count(b, a.certified, REASON(o), began, c);
    if (o->work.units > b->asked.budget + QUERY_OVER) finding(b, OVER_BUDGET, "units", (double)o->work.units, c);
    judge(b, &a, c);
}

void judge_point(batch* b, const wit_placed* a, wit_vec3 x, const claim* c)
{
    wit_closest o;
    double began = seconds();
    next_case(b);
    if (wit_closest_point(b->query, a, x, &o)) {
        b->tally->cases++;
        finding(b, REFUSED, "a point", 0, c);
        return;
    }
    judge_closest(b, &o, began, c);
}

void judge_pair(batch* b, const wit_placed* a, const wit_placed* other, const claim* c)
{
    wit_closest o;
    double began = seconds();
    next_case(b);
    if (wit_closest_pair(b->query, a, other, &o)) {
        b->tally->cases++;
        finding(b, REFUSED, "a pair", 0, c);
        return;
    }
    judge_closest(b, &o, began, c);
}

/* The lower bound over everything, and, where all minima are there, that the least of them is the distance. */
static void judge_minima(batch* b, const wit_minimum* list, const wit_minima_summary* s, double began, const claim* c)
{
    LD lo = c->truth.lo, hi = c->truth.hi,
       slack = b->asked.rigorous ? 0 : b->asked.tolerance * fmax((double)hi, c->size);
    if (hi < 0) { /* unsigned */
        lo = -c->truth.hi;
        hi = -c->truth.lo;
    } else if (lo < 0) {
        lo = 0;
        hi = larger_of(hi, -c->truth.lo);
    }
    claim u = *c;
    u.truth = (range){lo, hi};
    count(b, s->complete, -1, began, &u);
    if (isnan(s->lower_bound) || (s->count > 0 && isnan(list[0].distance)))
        finding(b, NOT_A_NUMBER, "minimum", s->lower_bound, &u);
    if (s->lower_bound > hi + slack) finding(b, BRACKET, "lower bound of all minima", s->lower_bound, &u);
    if (s->work.units > b->asked.budget + QUERY_OVER) finding(b, OVER_BUDGET, "units", (double)s->work.units, &u);
    if (!s->complete || s->overlapping) return;
    LD size = 1e-9L * larger_of(hi, c->size) + c->widened;
    if (s->count == 0 && hi < b->asked.within) finding(b, WRONG, "complete without a minimum", 0, &u);
    if (s->count > 0 && (fabs(list[0].distance) > hi + size || fabs(list[0].distance) < lo - size))
        finding(b, WRONG, "least of all minima", list[0].distance, &u);
}

void judge_minima_point(batch* b, const wit_placed* a, wit_vec3 x, const claim* c)
{
    wit_minimum list[8];
    wit_minima_summary s;
    double began = seconds();
    next_case(b);
    if (wit_minima_point(b->query, a, x, list, 8, &s))
        finding(b, REFUSED, "minima of a point", 0, c);
    else
        judge_minima(b, list, &s, began, c);
}

void judge_minima_pair(batch* b, const wit_placed* a, const wit_placed* other, const claim* c)
{
    wit_minimum list[8];
    wit_minima_summary s;
    double began = seconds();
    next_case(b);
    if (wit_minima_pair(b->query, a, other, list, 8, &s))
        finding(b, REFUSED, "minima of a pair", 0, c);
    else if (!s.overlapping && c->truth.lo > 0)
        judge_minima(b, list, &s, began, c);
    else
        count(b, s.complete, -1, began, c);
}

void judge_step(batch* b, wit_tracker* t, const wit_track_def* def, const wit_motion m[2], const claim* c)
{
    wit_result r;
    double began = seconds();
    next_case(b);
    b->asked.tolerance = def->certify;
    b->asked.budget = def->budget;
    b->asked.rigorous = false;
    if (wit_tracker_step(t, &m[0], &m[1], 1e-3, &r)) {
        b->tally->cases++;
        finding(b, REFUSED, "a step", 0, c);
        return;
    }
    answer a = {r.distance, r.lower_bound,
                INFINITY,   r.flags & WIT_FLAG_CERTIFIED,
                true,       def->certify * fmax(fabs(r.distance), c->size),
                false};
    count(b, a.certified, REASON(&r), began, c);
    if (r.work.units > def->budget) finding(b, OVER_BUDGET, "units", (double)r.work.units, c);
    judge(b, &a, c);
}
