/* SPDX-License-Identifier: MIT */
/*
 * Many bodies over a time. The truth is a closed form, or the cold query at many times: where a report says clear nothing comes
 * near, the times below the threshold lie within the intervals, and their ends are below; whatever the budget.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/assembly.h"
#include "../src/base/vec.h"
#include "campaign.h"
#include "random.h"

enum { KINDS = 5, MOST = 64, ROOM = 16 };

static wit_query* query;
static wit_body* kinds[KINDS];

static int begin(void** state)
{
    (void)state;
    static const wit_solid_kind of[KINDS] = {WIT_SOLID_SPHERE, WIT_SOLID_BOX, WIT_SOLID_CYLINDER, WIT_SOLID_TORUS,
                                             WIT_SOLID_HALF_SPACE};
    for (int k = 0; k < KINDS; ++k) {
        wit_solid_def def = wit_solid_default_def(of[k]);
        def.radius = def.height = 1;
        def.radius2 = 0.3;
        def.size_x = def.size_y = def.size_z = 1.5;
        wit_error error = {0};
        kinds[k] = wit_solid_create(&def, NULL, &error);
        if (!kinds[k]) fail_msg("%s: %s", error.item, error.text);
    }
    query = wit_query_create(NULL, NULL, NULL);
    return query ? 0 : -1;
}

static int end(void** state)
{
    (void)state;
    for (int k = 0; k < KINDS; ++k) wit_body_destroy(kinds[k]);
    wit_query_destroy(query);
    return 0;
}

static wit_pose at_place(double x, double y, double z)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, z);
    return p;
}

static wit_assembly_body moving(const wit_body* body, wit_pose pose, wit_vec3 velocity, wit_vec3 angular)
{
    wit_motion m = wit_motion_at_rest(pose);
    m.twist = (wit_twist){velocity, angular};
    m.twist_known = true;
    wit_assembly_body b = {wit_moving_screw(body, 0, &m), 0, -1};
    return b;
}

static wit_pose pose_of(const wit_moving_body* m, double t)
{
    wit_motion at = m->motion;
    if (!m->at) return wit_motion_after(&m->motion, t - m->since);
    assert_int_equal(m->at(m->user, t, &at), WIT_OK);
    return at.pose;
}

static wit_closest truth_at(const wit_assembly_def* d, int a, int b, double t)
{
    wit_placed p = wit_placed_at(d->bodies[a].moving.body, pose_of(&d->bodies[a].moving, t));
    wit_placed q = wit_placed_at(d->bodies[b].moving.body, pose_of(&d->bodies[b].moving, t));
    wit_closest c;
    assert_int_equal(wit_closest_pair(query, &p, &q, &c), WIT_OK);
    return c;
}

typedef struct found {
    wit_assembly_pair pairs[MOST * MOST / 2];
    int64_t count;
    void* memory;
} found;

static void find_pairs(const wit_assembly_def* d, found* f)
{
    size_t bytes = wit_assembly_size(d);
    wit_error error = {0};
    assert_true(bytes > 0);
    f->memory = malloc(bytes);
    assert_non_null(f->memory);
    if (wit_assembly_pairs(d, f->memory, bytes, f->pairs, MOST * MOST / 2, &f->count, &error))
        fail_msg("%s: %s", error.item, error.text);
    free(f->memory);
}

static wit_pair_report check(const wit_assembly_def* d, const wit_assembly_pair* p, wit_pair_interval x[ROOM])
{
    wit_pair_report r;
    wit_error error = {0};
    if (wit_assembly_check(query, d, p, x, ROOM, &r, &error)) fail_msg("%s: %s", error.item, error.text);
    return r;
}

/* ---- closed forms --------------------------------------------------------------------------- */

/* Two unit balls, one passing the other at a height: below g while the centres are within 2 + g. */
static void ball_passes_at_the_times_of_the_closed_form(void** state)
{
    (void)state;
    static const double height[] = {0, 1.9, 2, 2.05, 2.0999, 2.3};
    static const wit_pair_status want[] = {WIT_PAIR_CLASH,     WIT_PAIR_CLASH,     WIT_PAIR_CONTACT,
                                           WIT_PAIR_CLEARANCE, WIT_PAIR_CLEARANCE, WIT_PAIR_CLEAR};
    const double g = 0.1, speed = 7;
    for (int k = 0; k < 6; ++k) {
        wit_assembly_body b[2] = {moving(kinds[0], at_place(0, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0)),
                                  moving(kinds[0], at_place(-10, height[k], 0), vec3(speed, 0, 0), vec3(0, 0, 0))};
        wit_assembly_def d = wit_assembly_default_def();
        d.bodies = b;
        d.body_count = 2;
        d.to = 3;
        d.threshold = g;
        wit_assembly_pair p = {0, 1, 0xffff};
        wit_pair_interval x[ROOM];
        wit_pair_report r = check(&d, &p, x);
        assert_int_equal(r.status, want[k]);
        assert_true(r.complete);
        double half = sqrt(fmax(0, (2 + g) * (2 + g) - height[k] * height[k])) / speed, middle = 10 / speed;
        double least = fmax(0, height[k] - 2);
        if (want[k] == WIT_PAIR_CLEAR) {
            assert_int_equal(r.interval_count, 0);
            assert_true(r.lower_bound >= g && r.lower_bound <= least);
            continue;
        }
        assert_int_equal(r.interval_count, 1);
        assert_true(x[0].enters.lo <= middle - half && x[0].enters.hi >= middle - half - 1e-9);
        assert_true(x[0].leaves.hi >= middle + half && x[0].leaves.lo <= middle + half + 1e-9);
        assert_true(x[0].enters.hi - x[0].enters.lo <= 2e-9 && x[0].leaves.hi - x[0].leaves.lo <= 2e-9);
        assert_true(r.lower_bound <= least + 1e-12 && r.upper_bound >= least - 1e-12);
        assert_true(r.upper_bound - r.lower_bound <= 1e-5);
        double touch = middle - sqrt(fmax(0, 4 - height[k] * height[k])) / speed;
        assert_int_equal(r.touched, want[k] != WIT_PAIR_CLEARANCE);
        if (r.touched) {
            assert_true(r.first_touch.lo <= touch + 1e-9 && r.first_touch.hi >= touch - 1e-4);
            assert_true(height[k] == 2 || r.first_touch.hi - r.first_touch.lo <= 2e-9);
        }
    }
}

/* A cross of two long boxes turns under a bar: below the threshold four times a turn. */
static void each_pass_has_its_interval(void** state)
{
    (void)state;
    wit_solid_def def = wit_solid_default_def(WIT_SOLID_BOX);
    def.size_x = 4;
    def.size_y = def.size_z = 0.2;
    wit_body* bar = wit_solid_create(&def, NULL, NULL);
    assert_non_null(bar);
    const double turn = 2 * 3.14159265358979323846;
    wit_assembly_body b[2] = {moving(bar, at_place(0, 0, 0), vec3(0, 0, 0), vec3(0, 0, turn)),
                              moving(kinds[0], at_place(0, 3.1, 0), vec3(0, 0, 0), vec3(0, 0, 0))};
    wit_assembly_def d = wit_assembly_default_def();
    d.bodies = b;
    d.body_count = 2;
    d.to = 2;
    d.threshold = 0.2;
    found f;
    find_pairs(&d, &f);
    assert_int_equal(f.count, 1);
    wit_pair_interval x[ROOM];
    wit_pair_report r = check(&d, &f.pairs[0], x);
    assert_int_equal(r.interval_count, 4);
    assert_true(r.complete);
    for (int i = 1; i < 4; ++i) assert_true(fabs(x[i].enters.hi - x[i - 1].enters.hi - 0.5) < 1e-6);
    wit_pair_interval one;
    wit_pair_report cut;
    assert_int_equal(wit_assembly_check(query, &d, &f.pairs[0], &one, 1, &cut, NULL), WIT_OK);
    assert_false(cut.complete); /* three had no room */
    wit_body_destroy(bar);
}

/* ---- random assemblies ---------------------------------------------------------------------- */

static wit_vec3 any_vector(rng* r, double size)
{
    return vec3(rng_range(r, -size, size), rng_range(r, -size, size), rng_range(r, -size, size));
}

static int random_bodies(rng* r, wit_assembly_body* b, int n)
{
    for (int i = 0; i < n; ++i) {
        bool plane = i == 0 && rng_int(r, 3) == 0;
        wit_pose at = wit_pose_identity();
        at.position = plane ? vec3(0, 0, -6) : any_vector(r, 5);
        at.rotation = wit_quat_about(any_vector(r, 1), plane ? 0 : rng_range(r, 0, 3));
        bool still = plane || rng_int(r, 3) == 0;
        b[i] = moving(kinds[plane ? 4 : rng_int(r, 4)], at, any_vector(r, still ? 0 : 4), any_vector(r, still ? 0 : 3));
        b[i].group = rng_int(r, 3);
    }
    return n;
}

static bool in_an_interval(const wit_pair_interval* x, int n, double t)
{
    for (int i = 0; i < n; ++i)
        if (t >= x[i].enters.lo && t <= x[i].leaves.hi) return true;
    return false;
}

static void report_is_right(const wit_assembly_def* d, const wit_pair_report* r, const wit_pair_interval* x, rng* g)
{
    enum { SAMPLES = 60 };
    for (int i = 0; i < SAMPLES; ++i) {
        double t = d->from + (d->to - d->from) * rng_double(g);
        wit_closest c = truth_at(d, r->a, r->b, t);
        if (r->lower_bound > fmax(0, c.upper_bound))
            fail_msg("least at least %.17g, is %.17g", r->lower_bound, c.upper_bound);
        if (r->complete && c.upper_bound <= d->threshold && !in_an_interval(x, r->interval_count, t))
            fail_msg("missed: %.17g at %.17g", c.upper_bound, t);
        if (r->status == WIT_PAIR_CLEAR) assert_true(c.upper_bound > d->threshold);
        if (r->status == WIT_PAIR_CLEARANCE && r->complete) assert_int_not_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
        if (r->complete && r->touched && t < r->first_touch.lo) assert_true(c.upper_bound > 0);
    }
    for (int i = 0; i < r->interval_count; ++i) {
        if (x[i].open) continue;
        double ends[2] = {x[i].enters.hi, x[i].leaves.lo};
        for (int k = 0; k < 2; ++k) {
            wit_closest c = truth_at(d, r->a, r->b, ends[k]);
            if (c.lower_bound > d->threshold + 1e-6) fail_msg("invented: %.17g at %.17g", c.lower_bound, ends[k]);
        }
        if (i) assert_true(x[i].enters.lo >= x[i - 1].leaves.hi);
    }
    if (r->upper_bound < INFINITY) assert_true(truth_at(d, r->a, r->b, r->time).lower_bound <= r->upper_bound + 1e-9);
}

static bool listed(const found* f, int a, int b, int piece)
{
    for (int64_t i = 0; i < f->count; ++i)
        if (f->pairs[i].a == a && f->pairs[i].b == b) return f->pairs[i].pieces >> piece & 1;
    return false;
}

static void pairs_left_out_stay_apart(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    long cases = campaign(2000);
    for (long i = 0; i < cases; ++i) {
        wit_assembly_body b[12];
        wit_assembly_def d = wit_assembly_default_def();
        d.bodies = b;
        d.body_count = random_bodies(&r, b, 2 + rng_int(&r, 11));
        d.to = rng_range(&r, 0, 2);
        d.pieces = 1 + rng_int(&r, 20);
        d.threshold = rng_range(&r, 0, 1);
        found f;
        find_pairs(&d, &f);
        for (int64_t k = 1; k < f.count; ++k)
            assert_true(f.pairs[k - 1].a < f.pairs[k].a ||
                        (f.pairs[k - 1].a == f.pairs[k].a && f.pairs[k - 1].b < f.pairs[k].b));
        for (int k = 0; k < 40; ++k) {
            int a = rng_int(&r, d.body_count - 1), c = a + 1 + rng_int(&r, d.body_count - 1 - a);
            double share = rng_double(&r);
            int piece = (int)(share * d.pieces);
            if (listed(&f, a, c, piece)) continue;
            double t = d.from + share * (d.to - d.from);
            assert_true(truth_at(&d, a, c, t).upper_bound > d.threshold);
        }
    }
}

static void reports_hold_against_dense_queries(void** state)
{
    (void)state;
    rng r = rng_seed(12);
    long cases = campaign(1000), counts[WIT_PAIR_STATUS_COUNT] = {0};
    for (long i = 0; i < cases; ++i) {
        wit_assembly_body b[6];
        wit_assembly_def d = wit_assembly_default_def();
        d.bodies = b;
        d.body_count = random_bodies(&r, b, 2 + rng_int(&r, 5));
        d.to = rng_range(&r, 0.2, 2);
        d.threshold = i % 4 ? rng_range(&r, 0.001, 0.5) : 0;
        if (i % 3 == 2) d.budget = (int64_t)pow(10, rng_range(&r, 2.2, 6));
        found f;
        find_pairs(&d, &f);
        for (int64_t k = 0; k < f.count; ++k) {
            wit_pair_interval x[ROOM];
            wit_pair_report p = check(&d, &f.pairs[k], x);
            counts[p.status]++;
            assert_true(p.work.units <= d.budget + 1000);
            assert_true(p.status != WIT_PAIR_CLEAR || p.complete);
            report_is_right(&d, &p, x, &r);
        }
    }
    print_message("clear %ld, clearance %ld, contact %ld, clash %ld, not checked %ld\n", counts[0], counts[1],
                  counts[2], counts[3], counts[4]);
    assert_true(counts[WIT_PAIR_CLEAR] && counts[WIT_PAIR_CLASH] && counts[WIT_PAIR_NOT_CHECKED]);
}

/* ---- what is asked for ------------------------------------------------------------------------ */

static void scopes_and_skips_choose_the_pairs(void** state)
{
    (void)state;
    wit_assembly_body b[6];
    for (int i = 0; i < 6; ++i) {
        b[i] = moving(kinds[0], at_place(0.1 * i, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0));
        b[i].group = i % 2;
    }
    const wit_assembly_skip skips[2] = {{0, 2}, {3, 4}};
    static const int64_t want[WIT_SCOPE_COUNT] = {13, 5, 8};
    for (int s = 0; s < WIT_SCOPE_COUNT; ++s) {
        wit_assembly_def d = wit_assembly_default_def();
        d.bodies = b;
        d.body_count = 6;
        d.scope = (wit_assembly_scope)s;
        d.skips = skips;
        d.skip_count = 2;
        found f;
        find_pairs(&d, &f);
        assert_int_equal(f.count, want[s]);
    }
}

/* Of one link: looked at once, whatever the motion; at one time likewise. */
static void bodies_of_one_link_are_looked_at_once(void** state)
{
    (void)state;
    wit_vec3 spin = vec3(0, 0, 30);
    wit_assembly_body b[3] = {moving(kinds[0], at_place(0, 0, 0), vec3(0, 0, 0), spin),
                              moving(kinds[0], at_place(2.05, 0, 0), vec3(0, 61.5, 0), spin),
                              moving(kinds[0], at_place(3, 0, 0), vec3(0, 90, 0), spin)};
    for (int i = 0; i < 3; ++i) b[i].link = 4;
    wit_assembly_def d = wit_assembly_default_def();
    d.bodies = b;
    d.body_count = 3;
    d.to = 5;
    d.threshold = 0.1;
    found f;
    find_pairs(&d, &f);
    assert_int_equal(f.count, 2);
    wit_pair_interval x[ROOM];
    wit_pair_report r = check(&d, &f.pairs[0], x);
    assert_int_equal(r.status, WIT_PAIR_CLEARANCE);
    assert_int_equal(r.queries, 1);
    assert_true(x[0].from_start && x[0].to_end && r.interval_count == 1);
    assert_int_equal(check(&d, &f.pairs[1], x).status, WIT_PAIR_CLASH);
}

static void unbounded_bodies_that_are_refused_are_not_checked(void** state)
{
    (void)state;
    wit_assembly_body b[2] = {moving(kinds[4], at_place(0, 0, 0), vec3(0, 0, 0), vec3(0, 0, 1)),
                              moving(kinds[0], at_place(0, 0, 9), vec3(0, 0, 0), vec3(0, 0, 0))};
    b[0].moving.motion.pose.position.x = 2e12; /* beyond WIT_MAX_COORDINATE */
    wit_assembly_def d = wit_assembly_default_def();
    d.bodies = b;
    d.body_count = 2;
    d.to = 1;
    wit_assembly_pair p = {0, 1, 1};
    wit_pair_interval x[ROOM];
    wit_pair_report r = check(&d, &p, x);
    assert_int_equal(r.status, WIT_PAIR_NOT_CHECKED);
    assert_false(r.complete);
    assert_int_not_equal(r.refused, WIT_OK);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void backwards_by_turns(void* user, int64_t count, wit_parallel_job* job, void* work)
{
    int workers = *(int*)user;
    for (int64_t i = count; i-- > 0;) job(work, i, (int)(i % workers));
}

static void workers_and_their_order_change_no_byte(void** state)
{
    (void)state;
    enum { BODIES = 10, PAIRS = BODIES * BODIES / 2 };
    rng r = rng_seed(5);
    wit_assembly_body b[BODIES];
    wit_assembly_def d = wit_assembly_default_def();
    d.bodies = b;
    d.body_count = random_bodies(&r, b, BODIES);
    d.to = 1;
    d.threshold = 0.1;
    found f;
    find_pairs(&d, &f);
    assert_true(f.count > 3 && f.count <= PAIRS);
    static wit_pair_report reports[2][PAIRS];
    static wit_pair_interval intervals[2][PAIRS * 4];
    wit_query* q[3];
    for (int i = 0; i < 3; ++i) q[i] = wit_query_create(NULL, NULL, NULL);
    const wit_assembly_out out[2] = {{reports[0], intervals[0], 4}, {reports[1], intervals[1], 4}};
    int three = 3;
    wit_assembly_workers one = {(wit_query* const*)q, 1, NULL, NULL};
    wit_assembly_workers more = {(wit_query* const*)q, 3, backwards_by_turns, &three};
    memset(reports, 0, sizeof reports);
    memset(intervals, 0, sizeof intervals);
    assert_int_equal(wit_assembly_run(&d, f.pairs, f.count, &one, &out[0], NULL), WIT_OK);
    assert_int_equal(wit_assembly_run(&d, f.pairs, f.count, &more, &out[1], NULL), WIT_OK);
    assert_memory_equal(intervals[0], intervals[1], sizeof intervals[0]);
    for (int64_t i = 0; i < f.count; ++i) {
        const wit_pair_report *x = &reports[0][i], *y = &reports[1][i];
        assert_true(x->status == y->status && x->lower_bound == y->lower_bound && x->upper_bound == y->upper_bound);
        assert_true(x->time == y->time && x->work.units == y->work.units && x->queries == y->queries);
        assert_memory_equal(&x->closest.a.point, &y->closest.a.point, sizeof x->closest.a.point);
    }
    for (int i = 0; i < 3; ++i) wit_query_destroy(q[i]);
}

/* ---- growth ---------------------------------------------------------------------------------- */

/* Balls on a grid, each near its neighbours only: the list grows with the bodies, not with their pairs. */
static void pairs_near_each_other_only(void** state)
{
    (void)state;
    for (int side = 5; side <= 60; side *= 2) {
        int n = side * side;
        wit_assembly_body* b = malloc((size_t)n * sizeof *b);
        assert_non_null(b);
        for (int i = 0; i < n; ++i)
            b[i] = moving(kinds[0], at_place(2.5 * (i % side), 2.5 * (i / side), 0), vec3(0, 0, 1), vec3(0, 0, 0));
        wit_assembly_def d = wit_assembly_default_def();
        d.bodies = b;
        d.body_count = n;
        d.to = 0.1;
        d.threshold = 0.6;
        size_t bytes = wit_assembly_size(&d);
        assert_true(bytes <= (size_t)n * (size_t)(160 + 48 * d.pieces) + 64);
        void* memory = malloc(bytes);
        wit_assembly_pair* pairs = malloc((size_t)(4 * n) * sizeof *pairs);
        int64_t count = 0;
        assert_int_equal(wit_assembly_pairs(&d, memory, bytes, pairs, 4 * n, &count, NULL), WIT_OK);
        assert_int_equal(count, 2 * side * (side - 1));
        assert_int_equal(wit_assembly_pairs(&d, memory, bytes, pairs, 1, &count, NULL), WIT_OK);
        assert_int_equal(count, 2 * side * (side - 1));
        free(pairs);
        free(memory);
        free(b);
    }
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void wrong_defs_are_refused_by_name(void** state)
{
    (void)state;
    wit_assembly_body b[2] = {moving(kinds[0], at_place(0, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0)),
                              moving(kinds[0], at_place(5, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0))};
    const wit_assembly_skip bad = {1, 0};
    static const char* const item[] = {"struct_size", "from",   "to",       "pieces",    "threshold", "contact",
                                       "samples",     "budget", "skips[0]", "bodies[1]", "memory"};
    for (int k = 0; k < 11; ++k) {
        wit_assembly_def d = wit_assembly_default_def();
        wit_error error = {0};
        wit_assembly_body c[2] = {b[0], b[1]};
        d.bodies = c;
        d.body_count = 2;
        if (k == 0) d.struct_size = 1;
        if (k == 1) d.from = NAN;
        if (k == 2) d.to = -1;
        if (k == 3) d.pieces = 65;
        if (k == 4) d.threshold = -1;
        if (k == 5) d.contact = INFINITY;
        if (k == 6) d.samples = 0;
        if (k == 7) d.budget = 1;
        if (k == 8) d.skips = &bad;
        if (k == 8) d.skip_count = 1;
        if (k == 9) c[1].moving.body = NULL;
        char memory[8];
        int64_t count = 0;
        wit_assembly_pair pair;
        wit_status status = wit_assembly_pairs(&d, memory, k == 10 ? sizeof memory : 0, &pair, 1, &count, &error);
        assert_int_not_equal(status, WIT_OK);
        assert_string_equal(error.item, item[k]);
    }
    assert_string_equal(wit_pair_status_name(WIT_PAIR_NOT_CHECKED), "not_checked");
    assert_string_equal(wit_pair_status_name((wit_pair_status)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_passes_at_the_times_of_the_closed_form),
        cmocka_unit_test(each_pass_has_its_interval),
        cmocka_unit_test(pairs_left_out_stay_apart),
        cmocka_unit_test(reports_hold_against_dense_queries),
        cmocka_unit_test(scopes_and_skips_choose_the_pairs),
        cmocka_unit_test(bodies_of_one_link_are_looked_at_once),
        cmocka_unit_test(unbounded_bodies_that_are_refused_are_not_checked),
        cmocka_unit_test(workers_and_their_order_change_no_byte),
        cmocka_unit_test(pairs_near_each_other_only),
        cmocka_unit_test(wrong_defs_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
