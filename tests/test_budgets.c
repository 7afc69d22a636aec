/* SPDX-License-Identifier: MIT */
/*
 * Whatever is asked and however little work is allowed, the account ends within it, to the unit. A question is asked with ample
 * work first; then with budgets below what that took, each of which ends it at another place: points, pairs (apart, touching, in
 * each other, a body with itself), minima, contacts, steps, sweeps; solids with covers among them, whose depth is put together of
 * many small searches.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/witness.h"
#include "../src/base/vec.h"
#include "campaign.h"
#include "random.h"
#include "work_asked.h"

enum { MOST = 10000, PRISMS = 6, BUDGETS = 24 };

static subject_list subjects;
static wit_body* prisms[PRISMS];

/* Stars: every second corner is a reflex one. */
static wit_body* star(int points, double inner, double height)
{
    double xy[64];
    for (int k = 0; k < 2 * points; k++) {
        double turn = 3.141592653589793 * k / points, r = k & 1 ? inner : 1;
        xy[2 * k] = r * cos(turn);
        xy[2 * k + 1] = r * sin(turn);
    }
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = xy;
    d.polygon_count = 2 * points;
    d.height = height;
    return wit_solid_create(&d, NULL, NULL);
}

static int open_all(void** state)
{
    (void)state;
    subjects_open_models(&subjects);
    for (int k = 0; k < PRISMS; k++) {
        prisms[k] = star(2 + k, 0.3 + 0.1 * k, 0.2 + 0.3 * k);
        if (!prisms[k]) return -1;
    }
    return 0;
}

static int close_all(void** state)
{
    (void)state;
    subjects_close(&subjects);
    for (int k = 0; k < PRISMS; k++) wit_body_destroy(prisms[k]);
    return 0;
}

static subject some_subject(rng* r)
{
    if (rng_int(r, 3)) return subjects.items[rng_int(r, subjects.count)];
    int k = rng_int(r, PRISMS);
    subject s = {.body = prisms[k], .centre = vec3(0, 0, 0.1 + 0.15 * k), .size = 2};
    snprintf(s.name, sizeof s.name, "star %d", k);
    return s;
}

/* One question, asked again and again. */
typedef enum asked_kind { POINT, MINIMA_POINT, PAIR, MINIMA_PAIR, CONTACTS, SWEEP, KINDS } asked_kind;
static const char* const kind_names[KINDS] = {"point", "minima of a point", "pair", "minima", "contacts", "sweep"};

typedef struct question {
    asked_kind kind;
    subject a, b;
    wit_pose at;
    wit_vec3 p, way;
    bool rigorous;
    double tolerance;
} question;

/* Where both stand nearly alike, or in any way. */
static question some_question(rng* r)
{
    question q = {.kind = (asked_kind)rng_int(r, KINDS), .a = some_subject(r), .rigorous = rng_int(r, 2)};
    bool twins = rng_int(r, 4) == 0;
    q.b = twins ? q.a : some_subject(r);
    q.at = some_pose(r, &q.a, &q.b);
    q.p = some_point(r, &q.a);
    q.way = scale3(q.a.size, vec3(rng_range(r, -1, 1), rng_range(r, -1, 1), rng_range(r, -1, 1)));
    q.tolerance = pow(10, rng_range(r, -12, -2));
    if (twins && rng_int(r, 2)) {
        q.at = wit_pose_identity();
        if (rng_int(r, 2)) q.at.position = scale3(pow(10, rng_range(r, -12, -1)), q.way);
    }
    return q;
}

/* The units that it took; negative: these bodies are not asked that. */
static int64_t ask(const question* x, wit_query* q, int64_t budget)
{
    wit_query_def def = wit_query_default_def();
    def.capacity = 4096;
    def.budget = budget;
    def.rigorous = x->rigorous;
    def.tolerance = x->tolerance;
    assert_int_equal(wit_query_set(q, &def, NULL), WIT_OK);
    wit_placed a = wit_placed_at(x->a.body, wit_pose_identity()), b = wit_placed_at(x->b.body, x->at);
    wit_closest c = {.work = {0}};
    wit_minimum minima[4];
    wit_minima_summary m = {.work = {0}};
    wit_contact contacts[4];
    wit_contacts_summary s = {.work = {0}};
    switch (x->kind) {
    case POINT:
        return wit_closest_point(q, &a, x->p, &c) ? -1 : c.work.units;
    case MINIMA_POINT:
        return wit_minima_point(q, &a, x->p, minima, 4, &m) ? -1 : m.work.units;
    case PAIR:
        return wit_closest_pair(q, &a, &b, &c) ? -1 : c.work.units;
    case MINIMA_PAIR:
        return wit_minima_pair(q, &a, &b, minima, 4, &m) ? -1 : m.work.units;
    default:
        return wit_contacts_pair(q, &a, &b, contacts, 4, &s) ? -1 : s.work.units;
    }
}

static int64_t sweep(const question* x, wit_query* q, int64_t budget)
{
    wit_sweep_def def = wit_sweep_default_def();
    wit_pose end = x->at;
    end.position = add3(end.position, x->way);
    def.budget = budget < 8 * WIT_BUDGET_LEAST ? 8 * WIT_BUDGET_LEAST : budget;
    def.a = wit_moving_still(x->a.body, wit_pose_identity());
    def.b = wit_moving_between(x->b.body, 0, &x->at, 1, &end);
    def.to = 1;
    wit_query_def each = wit_query_default_def();
    each.capacity = 4096;
    assert_int_equal(wit_query_set(q, &each, NULL), WIT_OK);
    wit_impact first;
    wit_least least;
    if (wit_sweep_first(q, &def, &first, NULL) || wit_sweep_least(q, &def, &least, NULL)) return -1;
    return first.work.units > least.work.units ? first.work.units : least.work.units;
}

static int64_t units_of(const question* x, wit_query* q, int64_t budget)
{
    return x->kind == SWEEP ? sweep(x, q, budget) : ask(x, q, budget);
}

static int64_t least_budget(const question* x)
{
    return x->kind == SWEEP ? 8 * WIT_BUDGET_LEAST : WIT_BUDGET_LEAST;
}

static void no_question_takes_more_than_its_budget(void** state)
{
    (void)state;
    rng r = rng_seed(1503);
    wit_query_def def = wit_query_default_def();
    def.capacity = 4096;
    wit_query* q = wit_query_create(&def, NULL, NULL);
    assert_non_null(q);
    long asked = 0, over = 0, ended[KINDS] = {0};
    for (long n = 0; n < campaign(24000); n++) {
        question x = some_question(&r);
        int64_t all = units_of(&x, q, MOST);
        if (all < 0) continue; /* off the plane of planar bodies, half-spaces */
        for (int k = 0; k < BUDGETS; k++) {
            /* as the number, and as the logarithm: ends of long searches and their beginnings */
            double most = (double)(all > 1 ? all : 1);
            int64_t budget = (int64_t)(k & 1 ? rng_range(&r, 1, most + 1) : exp(rng_range(&r, 0, log(most + 1))));
            int64_t took = k ? units_of(&x, q, budget) : all, allowed = k ? budget : MOST;
            if (allowed < least_budget(&x)) allowed = least_budget(&x);
            asked++;
            ended[x.kind] += took >= allowed - 100 && took < all;
            if (took > allowed && over++ < 20)
                print_error("%s of %s and %s: %lld units with a budget of %lld\n", kind_names[x.kind], x.a.name,
                            x.b.name, (long long)took, (long long)allowed);
        }
    }
    wit_query_destroy(q);
    print_message("%ld questions; ended within 100 units of their budget:", asked);
    for (int k = 0; k < KINDS; k++) print_message(" %s %ld%s", kind_names[k], ended[k], k + 1 < KINDS ? "," : "\n");
    assert_int_equal(over, 0);
}

/* Frames on a way through each other, each step with a budget of its own tracker. */
static void no_step_takes_more_than_its_budget(void** state)
{
    (void)state;
    rng r = rng_seed(1504);
    long steps = 0, over = 0;
    for (long n = 0; n < campaign(24000); n++) {
        question x = some_question(&r);
        wit_track_def def = wit_track_default_def();
        def.budget = (int64_t)exp(rng_range(&r, log(64), log(MOST)));
        def.contacts = rng_int(&r, 3) ? 0 : 8;
        def.contacts_within = 0.01 * x.a.size;
        def.front = rng_int(&r, 2) ? def.front : rng_int(&r, 64);
        wit_tracker* t = wit_tracker_create(x.a.body, rng_int(&r, 4) ? x.b.body : NULL, &def, NULL, NULL);
        if (!t) continue;
        wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = wit_motion_at_rest(x.at);
        for (int k = 0; k < 16; k++) {
            wit_result out;
            b.pose.position = addscaled3(x.at.position, 0.002 * k * k, x.way);
            if (wit_tracker_step(t, &a, &b, 1e-3, &out)) break;
            steps++;
            if (out.work.units > def.budget && over++ < 20)
                print_error("step %d of %s and %s: %lld units with a budget of %lld\n", k, x.a.name, x.b.name,
                            (long long)out.work.units, (long long)def.budget);
        }
        wit_tracker_destroy(t);
    }
    print_message("%ld steps\n", steps);
    assert_int_equal(over, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_question_takes_more_than_its_budget),
        cmocka_unit_test(no_step_takes_more_than_its_budget),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
