/* SPDX-License-Identifier: MIT */
/*
 * Two bodies in motion, apart: how many frames are certified, at what work; and nothing that is certified is wrong, by the cold query
 * on a sample and wherever the witnesses jump, and by a dense search of the tests' own. One size per second at 1 kHz, translating and
 * turning.
 */
#include <stdlib.h>

#include "../include/witness/track.h"
#include "../src/front/pair_front.h"
#include "../src/track/tracker_record.h"
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"

enum { PLAIN = 50, DENSE = 1000 }; /* one frame of so many is held against the cold query, against the dense search */

typedef enum motion_kind { MOTION_ROUND, MOTION_SWAY, MOTION_LINE, MOTION_TURN, MOTION_ROLL } motion_kind;

typedef struct pair_case {
    const char *name, *a, *b;
    motion_kind kind;
    double near, far; /* ROUND: how far the middles are apart, of the mean of both sizes */
    double least;     /* share of the frames that is certified at least */
    wit_pose base;    /* others: of b, or of what moves */
    wit_vec3 way;     /* SWAY: amplitudes, LINE: velocity */
    double turn;      /* SWAY: amplitude, ROLL: rate */
    bool hard;        /* takes more than the others: not held against the limit of work */
} pair_case;

#define UPRIGHT                                                                                                        \
    {                                                                                                                  \
        1, 0, 0, 0                                                                                                     \
    }

static const pair_case cases[] = {
    {"ellipsoids", "ellipsoid", "ellipsoid", MOTION_ROUND, .near = 0.8, .far = 1.2, .least = 0.99},
    {"box and cylinder", "box", "cylinder", MOTION_ROUND, .near = 0.9, .far = 1.2, .least = 0.99},
    {"cone and capsule", "cone", "capsule", MOTION_ROUND, .near = 0.8, .far = 1.2, .least = 0.99},
    {"pen and bowl", "bowl", "pen", MOTION_ROUND, .near = 0.6, .far = 1.0, .least = 0.95},
    {"pen and bowl, line", "bowl", "pen", MOTION_LINE, .least = 0.99, .base = {{0, -4, 12}, UPRIGHT},
     .way = {0, 2.2, -2.2}},
    {"pen and bowl, turn", "bowl", "pen", MOTION_TURN, .least = 0.95, .base = {{0, -4, 12}, UPRIGHT}, .way = {1, 0, 0},
     .turn = 0.628},
    {"tori", "torus", "torus", MOTION_ROUND, .near = 0.9, .far = 1.1, .least = 0.95},
    {"links", "torus", "torus", MOTION_SWAY, .least = 0.95,
     .base = {{10, 0, 0}, {0.70710678118654752, 0.70710678118654752, 0, 0}}, .way = {3.3, 1, 1.2}, .turn = 0.35},
    {"gears apart", "gear-a", "gear-b", MOTION_ROUND, .near = 1.05, .far = 1.2, .least = 0.95},
    {"gears", "gear-a", "gear-b", MOTION_ROLL, .least = 0.95, .base = {{7.6, 0, 0}, UPRIGHT}, .turn = 0.5},
    {"peg and plate", "plate", "peg", MOTION_ROUND, .near = 0.6, .far = 0.9, .least = 0.95},
    {"peg in its hole", "plate", "peg", MOTION_SWAY, .least = 0, .base = {{15.05, 20, 4}, UPRIGHT},
     .way = {0.03, 0.04, 8}, .turn = 0, .hard = true},
    {"goblet and pen", "goblet", "pen", MOTION_ROUND, .near = 0.6, .far = 0.9, .least = 0.95},
    {"patch and ellipsoid", "table1", "ellipsoid", MOTION_ROUND, .near = 0.6, .far = 0.9, .least = 0.9},
};

typedef struct run {
    const pair_case* c;
    cold_body a, b;
    wit_tracker* tracker;
    wit_query* query;
    wit_vec3 amplitude[3], axis, turn;
    double rate[3], phase[3], spin;
    wit_pose at[2];
    rng* r;
    long frames, apart, certified, jumps, asked, searches, reasons[WIT_REASON_COUNT];
    int64_t *units, nodes, jets, tests;
} run;

static wit_quat turned(wit_vec3 axis, double angle)
{
    double s = sin(0.5 * angle);
    return (wit_quat){cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

static double size_of(const run* x)
{
    return fmin(x->a.size, x->b.size);
}

static wit_vec3 unit_vector(rng* r)
{
    wit_vec3 v = random_vector(r, 1, 1);
    return scale3(1 / norm3(v), v);
}

static void begin(run* x, const pair_case* c, const cold_body* const two[2], rng* r, const wit_track_def* def,
                  long frames)
{
    memset(x, 0, sizeof *x);
    x->c = c, x->r = r;
    if (c->a) x->a = cold_model(c->a, 1), x->b = cold_model(c->b, 1);
    if (!c->a) x->a = *two[0], x->b = *two[1];
    wit_query_def q = wit_query_default_def();
    q.tolerance = 1e-12;
    x->query = wit_query_create(&q, NULL, NULL);
    x->tracker = wit_tracker_create(x->a.body, x->b.body, def, NULL, NULL);
    x->units = malloc((size_t)frames * sizeof *x->units);
    assert_true(x->query && x->tracker && x->units);
    bool planar = x->a.info.planar;
    x->axis = planar ? vec3(0, 0, 1) : unit_vector(r);
    x->turn = planar ? vec3(0, 0, 1) : unit_vector(r);
    x->spin = rng_range(r, 0.3, 1) * (rng_int(r, 2) ? 1 : -1);
    for (int k = 0; k < 3; ++k) x->phase[k] = rng_range(r, 0, 6.28), x->rate[k] = rng_range(r, 0.5, 1);
}

static void end(run* x)
{
    wit_query_destroy(x->query);
    wit_tracker_destroy(x->tracker);
    free(x->units);
    if (!x->c->a) return;
    cold_drop(&x->a);
    cold_drop(&x->b);
}

/* b goes round a, its middle at a speed of about one size per second, and turns. */
static void go_round(run* x, double seconds)
{
    double mean = 0.5 * (x->a.size + x->b.size), wave = 0.5 + 0.5 * sin(x->phase[0] + x->rate[0] * seconds);
    double apart = mean * (x->c->near + (x->c->far - x->c->near) * wave), speed = size_of(x) / apart;
    double angle = x->phase[1] + speed * seconds,
           tilt = x->a.info.planar ? 0 : 0.7 * sin(x->phase[2] + x->rate[1] * seconds);
    wit_vec3 way = vec3(cos(tilt) * cos(angle), cos(tilt) * sin(angle), sin(tilt));
    x->at[1].rotation = turned(x->turn, x->phase[2] + x->spin * seconds);
    wit_vec3 middle = add3(x->a.centre, scale3(apart, way));
    x->at[1].position = sub3(middle, wit_pose_vector(&x->at[1], x->b.centre));
}

static void poses_at(run* x, double seconds)
{
    const pair_case* c = x->c;
    wit_vec3 way = c->way;
    x->at[0] = wit_pose_identity();
    x->at[1] = c->base;
    switch (c->kind) {
    case MOTION_ROUND:
        go_round(x, seconds);
        break;
    case MOTION_SWAY: {
        wit_pose turn = {{0, 0, 0}, turned(x->turn, c->turn * sin(2.3 * seconds))};
        turn.position =
            vec3(way.x * sin(2 * seconds), way.y * sin(3.1 * seconds + 0.5), way.z * sin(1.3 * seconds + 1));
        x->at[1] = wit_pose_compose(&c->base, &(wit_pose){{0, 0, 0}, turn.rotation});
        x->at[1].position = add3(c->base.position, turn.position);
        break;
    }
    case MOTION_LINE:
        x->at[1].position = addscaled3(c->base.position, fmod(seconds, 10), way);
        break;
    case MOTION_TURN:
        x->at[1].rotation = turned(way, c->turn * seconds);
        break;
    case MOTION_ROLL:
        x->at[1].position = scale3(norm3(c->base.position), vec3(cos(c->turn * seconds), sin(c->turn * seconds), 0));
        x->at[1].rotation = turned(vec3(0, 0, 1), -0.5 * c->turn * seconds);
        break;
    }
}

static void advance(run* x, long k, wit_result* out)
{
    poses_at(x, 1e-3 * (double)k);
    wit_motion a = {.pose = x->at[0]}, b = {.pose = x->at[1]};
    assert_int_equal(wit_tracker_step(x->tracker, &a, &b, 0.001, out), WIT_OK);
    x->units[x->frames++] = out->work.units;
    x->nodes += out->work.nodes, x->jets += out->work.jets, x->tests += out->work.tests;
    if (!(out->distance > 0)) return;
    x->apart++;
    x->certified += (out->flags & WIT_FLAG_CERTIFIED) != 0;
    x->searches += k > 0 && (out->flags & WIT_FLAG_REACQUIRED) != 0;
    x->reasons[out->reason]++;
}

/* The bracket holds the true value; what is certified is it. */
static void judge(run* x, long k, const wit_result* r)
{
    wit_placed a = wit_placed_at(x->a.body, x->at[0]), b = wit_placed_at(x->b.body, x->at[1]);
    wit_closest c;
    double scale = fmax(size_of(x), fabs(r->distance)), slack = 1e-12 * scale;
    assert_int_equal(wit_closest_pair(x->query, &a, &b, &c), WIT_OK);
    if (!(c.distance > 0) || !(r->distance > 0)) {
        if (r->distance > 0 && (r->flags & WIT_FLAG_CERTIFIED) && c.distance < -1e-9 * scale)
            fail_msg("%s, frame %ld: %.17g is certified, they overlap", x->c->name, k, r->distance);
        return;
    }
    x->asked++;
    double loose = r->model_tolerance + c.model_tolerance;
    if (r->lower_bound > c.upper_bound + slack + loose)
        fail_msg("%s, frame %ld: lower bound %.17g, truth %.17g", x->c->name, k, r->lower_bound, c.distance);
    if ((r->flags & WIT_FLAG_CERTIFIED) && r->distance > c.upper_bound + 1e-9 * scale + slack + loose)
        fail_msg("%s, frame %ld: %.17g is certified, the truth is %.17g", x->c->name, k, r->distance, c.distance);
}

static void judge_densely(run* x, long k, const wit_result* r)
{
    dense_place at[2];
    if (!(r->distance > 0) || !(r->flags & WIT_FLAG_CERTIFIED)) return;
    double truth = dense_pair(x->a.search, NULL, &x->at[0], x->b.search, NULL, &x->at[1], &at[0], &at[1]);
    if (r->distance > truth + 1.001e-9 * fmax(size_of(x), truth) + r->model_tolerance)
        fail_msg("%s, frame %ld: %.17g is certified, places are %.17g apart", x->c->name, k, r->distance, truth);
}

static int by_value(const void* a, const void* b)
{
    int64_t x = *(const int64_t*)a, y = *(const int64_t*)b;
    return (x > y) - (x < y);
}

static void report(run* x, const char* how)
{
    qsort(x->units, (size_t)x->frames, sizeof *x->units, by_value);
    wit_tracker* t = x->tracker;
    pair_front_count c = {0};
    if (t->pair_front_at) c = wi_pair_front_count(tracker_at(t, t->pair_front_at));
    print_message(
        "%-20s %s: %ld of %ld apart, certified %.2f %%, %ld jumps, %ld searches, units %lld median, %lld in 999 "
        "of 1000, %lld most; %d cells, %d pairs (%d far, %d slope, %d convex)%s\n",
        x->c->name, how, x->apart, x->frames, 100.0 * (double)x->certified / (double)x->apart, x->jumps, x->searches,
        (long long)x->units[x->frames / 2], (long long)x->units[x->frames - 1 - x->frames / 1000],
        (long long)x->units[x->frames - 1], c.cells, c.pairs, c.far, c.slope, c.convex, c.full ? " full" : "");
    double n = (double)x->frames;
    print_message("    a frame: %.1f looks, %.1f jets, %.1f tests\n", (double)x->nodes / n, (double)x->jets / n,
                  (double)x->tests / n);
    for (int i = WIT_REASON_NONE + 1; i < WIT_REASON_COUNT; i++)
        if (x->reasons[i])
            print_message("    not certified: %ld (%s)\n", x->reasons[i], wit_reason_name((wit_reason)i));
}

static void along(run* x, long frames)
{
    wit_result r;
    for (long k = 0; k < frames; k++) {
        advance(x, k, &r);
        bool jumped = k > 0 && (r.flags & WIT_FLAG_JUMPED);
        x->jumps += jumped;
        if (jumped || rng_int(x->r, PLAIN) == 0) judge(x, k, &r);
        if (rng_int(x->r, DENSE) == 0) judge_densely(x, k, &r);
    }
}

typedef struct limits {
    int64_t budget; /* 0: the default */
    int front;
    double share;  /* of what is certified at least, of that of the case */
    int64_t units; /* by the median at most */
} limits;

static void all_cases(uint64_t seed, long frames, const limits* with)
{
    const char* only = getenv("PAIR_CASE"); /* one of them, to look into */
    rng r = rng_seed(seed);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run x;
        wit_track_def def = wit_track_default_def();
        if (with->budget) def.budget = with->budget;
        if (with->front) def.front = with->front;
        if (only && atoi(only) != (int)i) continue;
        begin(&x, &cases[i], NULL, &r, &def, frames);
        along(&x, frames);
        report(&x, with->budget ? " starved" : "");
        double share = (double)x.certified / (double)x.apart;
        if (share < with->share * x.c->least) fail_msg("%s: %.4f of the frames are certified", x.c->name, share);
        if (!with->budget && x.searches * 100 > x.frames + 200) fail_msg("%s: %ld searches", x.c->name, x.searches);
        if (!x.c->hard && x.units[x.frames / 2] > with->units)
            fail_msg("%s: %lld units", x.c->name, (long long)x.units[x.frames / 2]);
        if (x.units[x.frames - 1] > def.budget) fail_msg("%s: over its budget", x.c->name);
        end(&x);
    }
}

/* Hand speed: 95 % of the frames and more, 99 % where both are convex, at most 1,000 units by the median. */
static void pairs_are_certified(void** state)
{
    (void)state;
    all_cases(1701, campaign(20000), &(limits){.share = 1, .units = 1000});
}

/* Little work, or hardly any room: less is certified, nothing is wrong, no step takes more than it may. */
static void a_small_budget_or_front_makes_nothing_wrong(void** state)
{
    (void)state;
    long frames = campaign(3000);
    all_cases(1702, frames, &(limits){.budget = 1000, .share = 0, .units = 1000});
    all_cases(1703, frames, &(limits){.budget = 150, .share = 0, .units = 150});
    all_cases(1704, frames, &(limits){.front = 64, .share = 0, .units = 100000});
    all_cases(1705, frames, &(limits){.budget = 3000, .front = 200, .share = 0, .units = 3000});
}

/* Any two of a list, near each other, and through touch: nothing is wrong. */
static void random_pairs(const cold_body* bodies, int n, uint64_t seed, long count, long frames)
{
    rng r = rng_seed(seed);
    long apart = 0, certified = 0;
    for (long k = 0; k < count; k++) {
        run x;
        char name[100];
        wit_track_def def = wit_track_default_def();
        const cold_body* two[2] = {&bodies[rng_int(&r, n)], &bodies[rng_int(&r, n)]};
        if (two[0]->info.planar != two[1]->info.planar || !wi_pair_front_has(two[0]->body, two[1]->body)) continue;
        snprintf(name, sizeof name, "%s, %s", two[0]->name, two[1]->name);
        double near = rng_range(&r, 0.4, 0.9);
        pair_case c = {.name = name, .kind = MOTION_ROUND, .near = near, .far = near + 0.2};
        if (rng_int(&r, 4) == 0) def.budget = 1000;
        begin(&x, &c, two, &r, &def, frames);
        along(&x, frames);
        if (getenv("PAIR_CASE")) report(&x, " any");
        apart += x.apart;
        certified += x.certified;
        end(&x);
    }
    print_message("any two of %d bodies: %ld frames apart, certified %.2f %%\n", n, apart,
                  100.0 * (double)certified / (double)apart);
    assert_true(certified * 10 > apart * 7);
}

static void any_two_bodies_are_right(void** state)
{
    (void)state;
    static cold_body bodies[COLD_OWN];
    int n = cold_all(1, 1706, bodies);
    random_pairs(bodies, n, 1707, campaign(1500), 250);
    for (int i = 0; i < n; i++) cold_drop(&bodies[i]);
}

static void the_tea_set_is_right(void** state)
{
    (void)state;
    static cold_body bodies[COLD_FOREIGN];
    int n = cold_foreign(1, bodies);
    if (n) random_pairs(bodies, n, 1708, campaign(40), 250);
    for (int i = 0; i < n; i++) cold_drop(&bodies[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_certified),
        cmocka_unit_test(a_small_budget_or_front_makes_nothing_wrong),
        cmocka_unit_test(any_two_bodies_are_right),
        cmocka_unit_test(the_tea_set_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
