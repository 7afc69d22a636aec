/* SPDX-License-Identifier: MIT */
/*
 * The front of a point: along smooth ways around and through every body, at several speeds, its bound is never above the truth
 * (the cold query's, and a dense search of its own), and the distance is proved in every frame.
 */
#include "../src/front/point_front.h"

#include <stdlib.h>

#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "front_path.h"

enum { CAPACITY = 8192 };

typedef struct followed {
    const cold_body* b;
    void* memory;
    size_t bytes;
    point_front* front;
    wit_query* query;
    double slack;
    int64_t units;
    wit_work work; /* of the last step */
    long frames, certified, nearer, nodes;
    int64_t most;
} followed;

static followed follow(const cold_body* b, int capacity)
{
    followed f = {.b = b, .bytes = wi_point_front_bytes(capacity), .slack = 0.5e-9 * b->size};
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-12;
    f.query = wit_query_create(&def, NULL, NULL);
    f.memory = malloc(f.bytes);
    assert_non_null(f.query);
    assert_non_null(f.memory);
    memset(f.memory, 0xcc, f.bytes); /* it need not be cleared */
    f.front = wi_point_front_start(f.memory, capacity, b->body);
    return f;
}

static void leave(followed* f)
{
    wit_query_destroy(f->query);
    free(f->memory);
}

/* The truth, unsigned, and where. */
static double truth_at(followed* f, wit_vec3 q, wit_witness* at)
{
    wit_placed a = wit_placed_at(f->b->body, wit_pose_identity());
    wit_closest c;
    assert_int_equal(wit_closest_point(f->query, &a, q, &c), WIT_OK);
    *at = c.a;
    return fabs(c.distance);
}

static void step(followed* f, wit_vec3 q, const front_witness* w, front_answer* out)
{
    front_ask ask = {.q = q, .witness = *w, .slack = f->slack, .work = &f->work, .units = f->units};
    memset(&f->work, 0, sizeof f->work);
    wi_point_front_step(f->front, f->b->body, &ask, out);
    f->frames++;
    f->nearer += out->nearer;
    f->nodes += f->work.nodes;
    if (f->frames > 1 && f->work.units > f->most) f->most = f->work.units;
}

/* Nothing is nearer than the bound; the cold answer is off by 1e-12 at most. */
static void bound_holds(followed* f, const front_answer* out, double truth)
{
    if (out->lower - out->loose > truth + 1e-12 * f->b->size + f->b->body->tolerance)
        fail_msg("%s, frame %ld: lower bound %.17g, truth %.17g", f->b->name, f->frames, out->lower, truth);
    if (out->nearer && out->distance < truth - 1e-11 * f->b->size)
        fail_msg("%s, frame %ld: a place %.17g away, truth %.17g", f->b->name, f->frames, out->distance, truth);
    f->certified += truth - out->lower <= 1e-9 * f->b->size;
}

static wit_vec3 point_at(const followed* f, const front_path* p, long k)
{
    wit_vec3 q = front_path_at(p, (double)k);
    if (f->b->info.planar) q.z = 0;
    return q;
}

/* With the true witness in every frame. */
static void along(followed* f, const front_path* p, long frames)
{
    for (long k = 0; k < frames; k++) {
        wit_vec3 q = point_at(f, p, k);
        wit_witness at;
        front_answer out;
        double truth = truth_at(f, q, &at);
        front_witness w = front_witness_at(f->b->body, at.feature, at.id, at.u, at.v, q);
        step(f, q, &w, &out);
        bound_holds(f, &out, truth);
    }
}

typedef void each_body(const cold_body* b, rng* r, long frames);

static void all_bodies(double scale, uint64_t seed, long frames, each_body* run)
{
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(seed);
    int n = cold_all(scale, seed, bodies);
    for (int i = 0; i < n; i++) {
        if (wi_point_front_has(bodies[i].body)) run(&bodies[i], &r, frames);
        cold_drop(&bodies[i]);
    }
}

static void every_frame(const cold_body* b, rng* r, long frames)
{
    static const double steps[3] = {1e-3, 1e-4, 1e-2};
    for (int s = 0; s < 3; s++) {
        followed f = follow(b, CAPACITY);
        front_path p = front_path_about(r, b->centre, 0.5 * b->size, steps[s] * b->size);
        along(&f, &p, frames);
        if (f.certified < f.frames)
            fail_msg("%s, scale %g, at %g: %ld of %ld frames are not proved", b->name, b->scale, steps[s],
                     f.frames - f.certified, f.frames);
        leave(&f);
    }
}

static void every_frame_is_proved(void** state)
{
    (void)state;
    all_bodies(1, 821, campaign(10000), every_frame);
}

static void every_frame_is_proved_at_other_scales(void** state)
{
    (void)state;
    all_bodies(1e-6, 822, campaign(500), every_frame);
    all_bodies(1e6, 823, campaign(500), every_frame);
}

/* The place that is followed is any local one: Newton from where it was, on its face, and the front alone says when to leave. */
static void jumping(const cold_body* b, rng* r, long frames)
{
    followed f = follow(b, CAPACITY);
    front_path p = front_path_about(r, b->centre, 0.5 * b->size, 1e-3 * b->size);
    wit_witness at;
    truth_at(&f, point_at(&f, &p, 0), &at);
    place here = place_at(at.feature, at.id, at.u, at.v, at.point);
    for (long k = 0; k < frames; k++) {
        wit_vec3 q = point_at(&f, &p, k);
        wit_witness true_at;
        double truth = truth_at(&f, q, &true_at), distance = INFINITY;
        front_answer out = {.nearer = true};
        for (int tries = 0; tries < 12 && out.nearer; tries++) {
            front_witness w = front_witness_at(b->body, here.kind, here.id, here.u, here.v, q);
            distance = w.distance;
            step(&f, q, &w, &out);
            bound_holds(&f, &out, truth);
            if (out.nearer) here = out.at;
        }
        if (distance > truth + 1e-9 * b->size)
            fail_msg("%s, frame %ld: it stays at %.17g, the truth is %.17g", b->name, k, distance, truth);
    }
    assert_true(f.nearer > 0);
    leave(&f);
}

static void it_leads_from_any_place_to_the_nearest(void** state)
{
    (void)state;
    all_bodies(1, 824, campaign(2000), jumping);
}

/*
 * Through the middle along a line, past centres of curvature, where the place that was nearest becomes the farthest nearby: the
 * place that is held says nothing of it, so that only the ends of blocks tell.
 */
static void through(const cold_body* b, rng* r, long frames)
{
    for (int way = 0; way < 6; way++) { /* three axes, beside them and on them, where a tip stays a foot for ever */
        int axis = way % 3;
        followed f = follow(b, CAPACITY);
        wit_vec3 half = scale3(0.5, sub3(b->body->box.hi, b->body->box.lo));
        front_path p = {.centre = b->centre, .phase = {1.5, 0, 1}};
        for (int k = 0; k < 3; k++) p.rate[k] = (k == 0 ? 4.0 : k == 1 ? 13.0 : 9.0) / (double)frames;
        p.amplitude[0] = axis == 0 ? vec3(half.x, 0, 0) : axis == 1 ? vec3(0, half.y, 0) : vec3(0, 0, half.z);
        p.amplitude[1] = random_vector(r, 0.003 * b->size, 0.01 * b->size);
        p.amplitude[2] = random_vector(r, 0.003 * b->size, 0.01 * b->size);
        if (way >= 3) p.amplitude[1] = p.amplitude[2] = vec3(0, 0, 0);
        wit_witness at;
        truth_at(&f, point_at(&f, &p, 0), &at);
        place here = place_at(at.feature, at.id, at.u, at.v, at.point);
        for (long k = 0; k < frames; k++) {
            wit_vec3 q = point_at(&f, &p, k);
            double truth = truth_at(&f, q, &at), distance = INFINITY;
            front_answer out = {.nearer = true};
            for (int tries = 0; tries < 12 && out.nearer; tries++) {
                front_witness w = front_witness_at(b->body, here.kind, here.id, here.u, here.v, q);
                distance = w.distance;
                step(&f, q, &w, &out);
                bound_holds(&f, &out, truth);
                if (out.nearer) here = out.at;
            }
            if (distance > truth + 1e-9 * b->size && distance - out.lower <= 1e-9 * b->size)
                fail_msg("%s, frame %ld: %.17g is called the nearest, the truth is %.17g", b->name, k, distance, truth);
        }
        leave(&f);
    }
}

static void past_centres_of_curvature_nothing_is_wrong(void** state)
{
    (void)state;
    all_bodies(1, 829, campaign(800), through);
}

static void starved(const cold_body* b, rng* r, long frames)
{
    static const int64_t budgets[4] = {1, 5, 50, 200};
    for (int k = 0; k < 4; k++) {
        followed f = follow(b, CAPACITY);
        f.units = budgets[k];
        front_path p = front_path_about(r, b->centre, 0.5 * b->size, 1e-3 * b->size);
        along(&f, &p, frames);
        if (f.most > budgets[k]) fail_msg("%s: %ld units of %ld", b->name, (long)f.most, (long)budgets[k]);
        leave(&f);
    }
}

static void a_small_budget_is_kept_and_nothing_is_wrong(void** state)
{
    (void)state;
    all_bodies(1, 825, campaign(500), starved);
}

static void cramped(const cold_body* b, rng* r, long frames)
{
    followed f = follow(b, 0);
    front_path p = front_path_about(r, b->centre, 0.5 * b->size, 1e-3 * b->size);
    f.units = 2000;
    along(&f, &p, frames);
    assert_true(wi_point_front_count(f.front).pieces <= 64);
    leave(&f);
}

static void a_full_front_is_weaker_not_wrong(void** state)
{
    (void)state;
    all_bodies(1, 826, campaign(2000), cramped);
}

/* A copy of the memory, elsewhere, goes on with the same answers. */
static void a_copy_goes_on_alike(void** state)
{
    (void)state;
    rng r = rng_seed(827);
    cold_body b = cold_model("table1", 1);
    followed f = follow(&b, 1024);
    front_path p = front_path_about(&r, b.centre, 0.5 * b.size, 1e-3 * b.size);
    along(&f, &p, 200);
    void* copy = malloc(f.bytes);
    assert_non_null(copy);
    memcpy(copy, f.memory, f.bytes);
    for (long k = 200; k < 400; k++) {
        wit_vec3 q = front_path_at(&p, (double)k);
        wit_witness at;
        front_answer one, other;
        truth_at(&f, q, &at);
        front_witness w = front_witness_at(b.body, at.feature, at.id, at.u, at.v, q);
        step(&f, q, &w, &one);
        wit_work work = f.work;
        f.front = copy;
        step(&f, q, &w, &other);
        f.front = f.memory;
        assert_true(one.lower == other.lower && work.units == f.work.units);
    }
    free(copy);
    leave(&f);
    cold_drop(&b);
}

/* What the cold query is not asked about: places sampled all over the body. */
static void dense_places(const cold_body* b, rng* r, long frames)
{
    followed f = follow(b, CAPACITY);
    front_path p = front_path_about(r, b->centre, 0.5 * b->size, 1e-3 * b->size);
    for (long k = 0; k < frames; k++) {
        wit_vec3 q = point_at(&f, &p, k);
        dense_place at;
        double truth = dense_point(b->search, NULL, q, &at);
        front_witness w = front_witness_at(b->body, at.kind, at.id, at.u, at.v, q);
        front_answer out;
        step(&f, q, &w, &out);
        bound_holds(&f, &out, truth);
    }
    leave(&f);
}

static void a_dense_search_finds_nothing_nearer(void** state)
{
    (void)state;
    all_bodies(1, 828, campaign(300), dense_places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_is_proved),
        cmocka_unit_test(every_frame_is_proved_at_other_scales),
        cmocka_unit_test(it_leads_from_any_place_to_the_nearest),
        cmocka_unit_test(past_centres_of_curvature_nothing_is_wrong),
        cmocka_unit_test(a_small_budget_is_kept_and_nothing_is_wrong),
        cmocka_unit_test(a_full_front_is_weaker_not_wrong),
        cmocka_unit_test(a_copy_goes_on_alike),
        cmocka_unit_test(a_dense_search_finds_nothing_nearer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
