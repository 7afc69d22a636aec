/* SPDX-License-Identifier: MIT */
/* Asks the library, and says what of its answer is proved wrong. */
#include "adversary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Version 0.1, which against.sh compares with, gives no reasons, and its budget is of nodes. */
#ifdef ADVERSARY_NO_REASONS
#define REASON(answer) (-1)
#define MODEL_TOLERANCE(answer) 0.0
#define SPENT(work) ((long long)(work)->nodes)
#define ASK_STRICT(b) (b)->asked.rigorous = true /* there is nothing to compare */
#define STRICT(asked) false
#else
#define REASON(answer) ((int)(answer)->reason)
#define MODEL_TOLERANCE(answer) ((answer)->model_tolerance)
#define SPENT(work) ((long long)(work)->units)
#define ASK_STRICT(b) (b)->asked.strict = true
#define STRICT(asked) ((asked)->strict)
#endif

enum { LINES = 6 }; /* printed of each kind of fault and family */

static const char* const fault_names[FAULTS] = {"certified and wrong",
                                                "bracket excludes the truth",
                                                "wrong sign",
                                                "certified and wider than asked",
                                                "a witness that is none",
                                                "two answers that disagree",
                                                "not a number",
                                                "work over its budget",
                                                "longer than a second",
                                                "refused"};

/* ADVERSARY_VERBOSE: the whole answer. */
static void print_answer(const wit_closest* o)
{
    printf("    %s, %s, bracket [%.17g, %.17g], model tolerance %g\n", wit_outcome_name(o->outcome),
           o->certified ? "certified" : "not certified", o->lower_bound, o->upper_bound, MODEL_TOLERANCE(o));
    const wit_witness* w[2] = {&o->a, &o->b};
    for (int k = 0; k < 2; k++)
        printf("    %s %d (%.17g, %.17g) at %.17g %.17g %.17g\n", wit_feature_kind_name(w[k]->feature), w[k]->id,
               w[k]->u, w[k]->v, w[k]->point.x, w[k]->point.y, w[k]->point.z);
    printf("    normal %.17g %.17g %.17g, reason %d\n", o->normal.x, o->normal.y, o->normal.z, REASON(o));
    printf("    work %lld: %lld nodes, %lld jets, %lld solves\n", SPENT(&o->work), (long long)o->work.nodes,
           (long long)o->work.jets, (long long)o->work.solves);
}

void finding(batch* b, fault f, const char* what, double seen, const claim* c)
{
    b->tally->faults[f]++;
    if (b->letter && (*b->letter == '1' || *b->letter == 'v') && (f == WRONG || f == BRACKET || f == SIGN || f == WIDE))
        *b->letter = 'w';
    if (b->tally->faults[f] > LINES) return;
    printf("finding: %s: --family %s --seed %llu --cases 1, case %lld: %s %.17g; truth [%.19Lg, %.19Lg], %s, tolerance "
           "%g, "
           "budget %lld\n",
           fault_names[f], b->family, (unsigned long long)b->seed, (long long)b->number, what, seen, c->truth.lo,
           c->truth.hi, b->asked.rigorous ? "rigorous" : "default", b->asked.tolerance, (long long)b->asked.budget);
    if (f != REFUSED && getenv("ADVERSARY_VERBOSE")) print_answer(&b->answer);
    if (b->tally->faults[f] == LINES) printf("finding: (more of this kind are only counted)\n");
}

/* ---- how it is asked ---------------------------------------------------------------------------- */

/* Answers are compared with those of version 0.1, whose budget was of nodes: what is asked with much work has the default. */
enum { MUCH = 3000 };

void set_query(batch* b)
{
    b->comparable = !b->asked.rigorous && b->asked.budget >= MUCH && !STRICT(&b->asked);
    if (b->letter && b->comparable) b->asked.budget = wit_query_default_def().budget;
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

#ifndef WIT_BUDGET_LEAST /* an older state of the library: see against.sh */
#define WIT_BUDGET_LEAST 8
#endif

static bool over_budget(const batch* b, const wit_work* w)
{
    return SPENT(w) > (b->asked.budget < WIT_BUDGET_LEAST ? WIT_BUDGET_LEAST : b->asked.budget);
}

void ask_budget(batch* b, double lo, double hi)
{
    b->asked = wit_query_default_def();
    b->asked.rigorous = below(&b->d, 2);
    b->asked.budget = (int64_t)pow(10, between(&b->d, log10(lo), log10(hi)));
    set_query(b);
}

/* Mostly as usual; now and then with a small budget, a tolerance below rounding or beyond the body, a cut-off. */
void ask_any(batch* b)
{
    static const double tolerances[4] = {1e-9, 1e-9, 1e-12, 1e-6};
    int special = below(&b->d, 48);
    b->asked = wit_query_default_def();
    b->asked.rigorous = below(&b->d, 2);
    b->asked.tolerance = tolerances[below(&b->d, 4)];
    b->asked.budget = 20000;
    if (special < 3) b->asked.budget = (int64_t)magnitude(&b->d, 0, 3.5);
    if (special == 3) b->asked.tolerance = magnitude(&b->d, -15, -12);
    if (special == 4) b->asked.tolerance = magnitude(&b->d, -6, 0);
    if (special == 5) ASK_STRICT(b);
    if (special == 6) b->asked.within = magnitude(&b->d, -6, 6);
    set_query(b);
}

void ask_at_most(batch* b, int64_t budget)
{
    ask_any(b);
    if (b->asked.budget > budget) b->asked.budget = budget;
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
    if (!a->tracked && (LD)a->upper - a->lower > size * (1 + 1e-9L) + 1e-14L * c->coordinates)
        finding(b, WIDE, "upper - lower", a->upper - a->lower, c);
}

/* --answers: 1 certified (v: though wider than asked), a letter from a on why not (0 where the library has no reasons yet), a dot in rigorous mode and
 * where the budget is small. */
static char letter_of(const batch* b, bool certified, int reason)
{
    if (!b->comparable) return '.';
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

/* b - a = distance * normal, but for rounding, of which the normal of a short gap has more; at no distance it is that of a
 * surface. Farther than the cut-off is only what is. */
static void judge_pose(batch* b, const wit_closest* o, const claim* c)
{
    LD far = larger_of(fabsl(c->truth.lo), fabsl(c->truth.hi));
    LD most = 1e-12L * (c->coordinates + fabs(o->distance)) + 1e-9L * larger_of(c->size, fabs(o->distance));
    if (o->outcome == WIT_OUTCOME_BEYOND) {
        LD slack = b->asked.rigorous ? 0 : b->asked.tolerance * larger_of(far, c->size);
        if (c->truth.hi + slack < b->asked.within) finding(b, WRONG, "beyond the cut-off", b->asked.within, c);
        return;
    }
    if (o->outcome == WIT_OUTCOME_EMPTY || !(o->upper_bound < INFINITY)) return;
    v3 gap = vec((LD)o->b.point.x - o->a.point.x, (LD)o->b.point.y - o->a.point.y, (LD)o->b.point.z - o->a.point.z);
    v3 off = plus(gap, -(LD)o->distance, vec(o->normal.x, o->normal.y, o->normal.z));
    if (!(norm(off) <= most) && !(norm(gap) <= most)) finding(b, WITNESS, "gap less distance", (double)norm(off), c);
}

/* Not within rounding of the two ends: version 0.1 certified down to a floor of rounding, whatever was asked for. */
static bool wider_than_asked(const answer* a, const claim* c)
{
    LD slack = 4 * (LD)DBL_EPSILON * (fabsl(a->lower) + fabsl(a->upper));
    return c->widened == 0 && (LD)a->upper - a->lower > a->tolerance * (1 + 1e-9L) + slack;
}

static void judge_closest(batch* b, const wit_closest* o, double began, const claim* c)
{
    double scale = fmax(fabs(o->distance), c->size);
    b->answer = *o;
    answer a = {o->distance,
                o->lower_bound,
                o->upper_bound,
                o->certified && o->outcome != WIT_OUTCOME_BEYOND,
                false,
                b->asked.tolerance * scale,
                b->asked.rigorous};
    count(b, a.certified, REASON(o), began, c);
    if (b->letter && *b->letter == '1' && wider_than_asked(&a, c)) *b->letter = 'v';
    if (over_budget(b, &o->work)) finding(b, OVER_BUDGET, "units", (double)SPENT(&o->work), c);
    judge(b, &a, c);
    judge_pose(b, o, c);
}

static void refused(batch* b, const char* what, const claim* c)
{
    b->tally->cases++;
    b->answer = (wit_closest){.outcome = WIT_OUTCOME_EMPTY};
    finding(b, REFUSED, what, 0, c);
}

void judge_point(batch* b, const wit_placed* a, wit_vec3 x, const claim* c)
{
    wit_closest o;
    double began = seconds();
    next_case(b);
    if (wit_closest_point(b->query, a, x, &o)) {
        refused(b, "a point", c);
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
        refused(b, "a pair", c);
        return;
    }
    judge_closest(b, &o, began, c);
    /* twins where they stand can't be told apart: the call is the same */
    if (below(&b->d, 16) || memcmp(&a->pose, &other->pose, sizeof a->pose) == 0) return;
    wit_closest turned;
    if (wit_closest_pair(b->query, other, a, &turned)) return;
    if (turned.distance != o.distance || turned.lower_bound != o.lower_bound || turned.upper_bound != o.upper_bound ||
        turned.a.id != o.b.id || turned.b.id != o.a.id || turned.certified != o.certified)
        finding(b, DIFFERS, "the bodies swapped", turned.distance, c);
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
    if (over_budget(b, &s->work)) finding(b, OVER_BUDGET, "units", (double)SPENT(&s->work), &u);
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

/* Contacts are ways out: none where the bodies are apart, and between convex ones none shorter than the depth. */
void judge_contacts(batch* b, const wit_placed* a, const wit_placed* other, const claim* c, bool convex)
{
    wit_contact list[8];
    wit_contacts_summary s;
    double began = seconds();
    LD slack = 1e-9L * larger_of(c->size, fabsl(c->truth.lo)), most = 1e-13L * c->coordinates;
    next_case(b);
    if (wit_contacts_pair(b->query, a, other, list, 8, &s)) {
        refused(b, "contacts", c);
        return;
    }
    count(b, s.complete, -1, began, c);
    if (over_budget(b, &s.work)) finding(b, OVER_BUDGET, "units", (double)SPENT(&s.work), c);
    if (s.complete && (s.count > 0 || c->truth.hi < -slack)) finding(b, WRONG, "no contact, proved", s.count, c);
    for (int i = 0; i < s.count && i < 8; i++) {
        const wit_contact* k = &list[i];
        v3 gap = vec((LD)k->a.point.x - k->b.point.x, (LD)k->a.point.y - k->b.point.y, (LD)k->a.point.z - k->b.point.z);
        v3 off = plus(gap, -(LD)k->depth, vec(k->normal.x, k->normal.y, k->normal.z));
        if (isnan(k->depth) || !(k->depth > 0)) finding(b, NOT_A_NUMBER, "depth", k->depth, c);
        if (!(norm(off) <= most)) finding(b, WITNESS, "contact", (double)norm(off), c);
        if (c->truth.lo > slack) finding(b, WRONG, "contact of bodies that are apart", k->depth, c);
        if (convex && k->depth < -c->truth.hi - slack) finding(b, WRONG, "contact less deep", k->depth, c);
    }
}

#ifdef ADVERSARY_NO_REASONS /* there is nothing to compare */
#define judge_result(b, r, a, c) (void)0
#define keep_answer(b, r, sure) (void)0
#else
/* What a step says besides its bounds: a side that is not the bodies', a gap that is not between its witnesses. */
static void judge_result(batch* b, const wit_result* r, const answer* a, const claim* c)
{
    LD slack = a->tolerance + c->widened, most = 1e-12L * (c->coordinates + fabs(r->distance)) + slack;
    bool converged = r->outcome == WIT_OUTCOME_CONVERGED && !(r->flags & WIT_FLAG_BEYOND);
    if ((r->flags & WIT_FLAG_OVERLAPPING) && c->truth.lo > slack) finding(b, SIGN, "overlapping, at", r->distance, c);
    if (!converged) return;
    if (r->distance > slack && c->truth.hi < -slack) finding(b, SIGN, "converged and apart", r->distance, c);
    v3 gap = vec((LD)r->b.point.x - r->a.point.x, (LD)r->b.point.y - r->a.point.y, (LD)r->b.point.z - r->a.point.z);
    v3 off = plus(gap, -(LD)r->distance, vec(r->normal.x, r->normal.y, r->normal.z));
    if (!(norm(off) <= most)) finding(b, WITNESS, "gap less distance", (double)norm(off), c);
}

/* For ADVERSARY_VERBOSE. */
static void keep_answer(batch* b, const wit_result* r, bool certified)
{
    b->answer = (wit_closest){.distance = r->distance,
                              .lower_bound = r->lower_bound,
                              .upper_bound = r->distance,
                              .certified = certified,
                              .normal = r->normal,
                              .a = r->a,
                              .b = r->b,
                              .outcome = r->outcome,
                              .work = r->work};
}
#endif

bool judge_step(batch* b, wit_tracker* t, const wit_track_def* def, const wit_motion m[2], const claim* c,
                wit_result* out)
{
    wit_result r;
    double began = seconds();
    next_case(b);
    b->asked.tolerance = def->certify;
    b->asked.budget = def->budget;
    b->asked.rigorous = false;
    b->comparable = true;
    if (wit_tracker_step(t, &m[0], &m[1], 1e-3, &r)) {
        refused(b, "a step", c);
        return false;
    }
    answer a = {r.distance, r.lower_bound,
                INFINITY,   r.flags & WIT_FLAG_CERTIFIED,
                true,       def->certify * fmax(fabs(r.distance), c->size),
                false};
    keep_answer(b, &r, a.certified);
    count(b, a.certified, REASON(&r), began, c);
    if (SPENT(&r.work) > def->budget) finding(b, OVER_BUDGET, "units", (double)SPENT(&r.work), c);
    judge(b, &a, c);
    judge_result(b, &r, &a, c);
    if (out) *out = r;
    return true;
}
