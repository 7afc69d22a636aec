/* SPDX-License-Identifier: MIT */
/*
 * Bodies are constant after they are built, so threads may share them; queries and trackers belong to one thread each.
 * Every thread gets the bits that one thread alone gets. The thread sanitizer (make test-tsan) sees what hashes cannot:
 * two threads at the same word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

#include "../include/witness/io.h"
#include "../include/witness/witness.h"

enum { THREADS = 4, BODIES = 4, FRAMES = 50 };

static const char* const files[BODIES] = {"models/ellipsoid.json", "models/torus.json", "models/capsule.json",
                                          "models/prism-dome.json"};

/* What a thread is given: the bodies, shared; and its own answer. */
typedef struct worker {
    const wit_model* const* models;
    uint64_t hash;
    int failures;
} worker;

static void mix(worker* w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    w->hash = (w->hash ^ bits) * 0x100000001b3u;
}

static wit_pose pose_of(int frame, int body)
{
    double t = 0.04 * frame;
    wit_vec3 axis = {1, 0.5 + body, -0.25};
    wit_pose pose = {{6 - t, 0.3 * t, 0.1 * body}, wit_quat_about(axis, t)};
    return pose;
}

static void ask_pair(worker* w, wit_query* q, const wit_body* a, const wit_body* b, int body)
{
    for (int k = 0; k < FRAMES; k += FRAMES / 4) {
        wit_placed pa = wit_placed_at(a, wit_pose_identity()), pb = wit_placed_at(b, pose_of(k, body));
        wit_closest c = {.distance = 0};
        if (wit_closest_pair(q, &pa, &pb, &c) || wit_closest_point(q, &pa, pb.pose.position, &c)) w->failures++;
        mix(w, c.distance);
        mix(w, c.lower_bound);
    }
}

static void follow_pair(worker* w, const wit_body* a, const wit_body* b, int body)
{
    wit_tracker* t = wit_tracker_create(a, b, NULL, NULL, NULL);
    if (!t) w->failures++;
    wit_motion still = wit_motion_at_rest(wit_pose_identity());
    for (int k = 0; t && k < FRAMES; k++) {
        wit_motion moving = wit_motion_at_rest(pose_of(k, body));
        wit_result r = {.distance = 0};
        if (wit_tracker_step(t, &still, &moving, 1e-3, &r)) w->failures++;
        mix(w, r.distance);
    }
    wit_tracker_destroy(t);
}

static void* work(void* self)
{
    worker* w = self;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    for (int i = 0; i < BODIES; i++) {
        wit_model* own = wit_model_read_file(files[i], NULL, NULL); /* reading keeps nothing between calls */
        const wit_body *a = wit_model_body(w->models[i], 0), *b = wit_model_body(w->models[(i + 1) % BODIES], 0);
        if (!own || !q) w->failures++;
        if (q) ask_pair(w, q, a, b, i);
        follow_pair(w, a, b, i);
        if (own) follow_pair(w, wit_model_body(own, 0), b, i);
        wit_model_destroy(own);
    }
    wit_query_destroy(q);
    return NULL;
}

static void threads_that_share_bodies_get_the_same_bits(void** state)
{
    (void)state;
    wit_model* models[BODIES];
    for (int i = 0; i < BODIES; i++) {
        models[i] = wit_model_read_file(files[i], NULL, NULL);
        assert_non_null(models[i]);
        assert_true(wit_model_body_count(models[i]) > 0);
    }
    worker workers[THREADS + 1];
    for (int i = 0; i <= THREADS; i++)
        workers[i] = (worker){.models = (const wit_model* const*)models, .hash = 0xcbf29ce484222325u};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    work(&workers[THREADS]); /* alone */
    for (int i = 0; i <= THREADS; i++) {
        assert_int_equal(workers[i].failures, 0);
        assert_true(workers[i].hash == workers[THREADS].hash);
    }
    for (int i = 0; i < BODIES; i++) wit_model_destroy(models[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_that_share_bodies_get_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
