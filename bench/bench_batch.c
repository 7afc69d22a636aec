/* SPDX-License-Identifier: MIT */
/*
 * Many points at once: a batch against one-by-one queries of the same points, in turns of a block each, one core. Points lie
 * within NOISE sizes of the surface, as a scan's do.
 *
 *   bench_batch [--count] [POINTS] [NOISE]    1,000,000 points within 0.002 of the size
 *
 * Every tenth point is asked one by one. With --count, under valgrind --tool=callgrind, the instructions of both are written
 * under their names. `off`: the brackets of both exclude each other: there must be none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/batch.h"
#include "counter.h"
#include "surfaces.h"

enum { EVERY = 10 };

static uint64_t seed = 88172645463325252U;

static double uniform(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0;
}

static wit_body* body_of(const wit_surface_def* def)
{
    wit_surface* s = wit_surface_create(def, NULL, NULL);
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.face_count = 1;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, NULL);
    wit_surface_destroy(s);
    if (!b) exit(2);
    return b;
}

/* Points near the surface, in no order. */
static void scan(const wit_body* b, double noise, long n, wit_vec3* p)
{
    wit_face_info f = wit_body_face(b, 0);
    double size = wit_body_describe(b).size;
    for (long i = 0; i < n; ++i) {
        double u = f.u.lo + uniform() * (f.u.hi - f.u.lo), v = f.v.lo + uniform() * (f.v.hi - f.v.lo);
        wit_surface_jet j;
        wit_surface_eval(f.surface, u, v, 0, NULL, &j);
        p[i] = j.p;
        p[i].x += size * noise * (2 * uniform() - 1);
        p[i].y += size * noise * (2 * uniform() - 1);
        p[i].z += size * noise * (2 * uniform() - 1);
    }
}

typedef struct answers {
    double *lower, *upper;
    uint8_t* certified;
} answers;

static void run(int which, double noise, long n, bool counts)
{
    static bench_surface surface;
    bench_surface_make(which, &surface);
    wit_body* body = body_of(&surface.def);
    wit_vec3* p = malloc((size_t)n * sizeof *p);
    answers at = {malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double)), malloc((size_t)n)};
    wit_batch_def def = wit_batch_default_def();
    def.count = n;
    wit_batch* batch = wit_batch_create(&def, NULL, NULL);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    if (!p || !at.lower || !at.upper || !at.certified || !batch || !query) exit(2);
    scan(body, noise, n, p);
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    wit_items items = {.data = p, .count = n};
    wit_batch_out out = {.fields = 0};
    wit_batch_summary sum;
    wit_batch_ask(&out, WIT_FIELD_LOWER_BOUND, at.lower, 0);
    wit_batch_ask(&out, WIT_FIELD_UPPER_BOUND, at.upper, 0);
    wit_batch_ask(&out, WIT_FIELD_CERTIFIED, at.certified, 0);
    char label[64];
    snprintf(label, sizeof label, "batch %s", surface.key);
    if (counts) callgrind_start();
    double start = counts ? 0 : counter_seconds();
    if (wit_closest_points(batch, &a, &items, &out, &sum)) exit(2);
    double batch_time = counts ? 0 : (counter_seconds() - start) / (double)n;
    if (counts) callgrind_stop(label);
    snprintf(label, sizeof label, "one by one %s", surface.key);
    long asked = 0, off = 0, certified = 0;
    if (counts) callgrind_start();
    start = counts ? 0 : counter_seconds();
    for (long i = 0; i < n; i += EVERY, ++asked) {
        wit_closest c;
        if (wit_closest_point(query, &a, p[i], &c)) exit(2);
        off += c.lower_bound > at.upper[i] || at.lower[i] > c.upper_bound;
        certified += c.certified;
    }
    double cold_time = counts ? 0 : (counter_seconds() - start) / (double)asked;
    if (counts) callgrind_stop(label);
    printf("%-45s %9.0f %9.0f %7.2f %9.2f %9.2f %9.1f %9.1f %5ld\n", surface.name, 1e9 * batch_time, 1e9 * cold_time,
           batch_time > 0 ? cold_time / batch_time : 0, 100.0 * (double)sum.certified / (double)n,
           100.0 * (double)sum.carried / (double)n, (double)sum.work.units / (double)n,
           100.0 * (double)certified / (double)asked, off);
    wit_query_destroy(query);
    wit_batch_destroy(batch);
    wit_body_destroy(body);
    free(p), free(at.lower), free(at.upper), free(at.certified);
}

int main(int argc, char** argv)
{
    bool counts = argc > 1 && !strcmp(argv[1], "--count");
    int first = counts ? 2 : 1;
    long n = argc > first ? atol(argv[first]) : 1000000;
    double noise = argc > first + 1 ? atof(argv[first + 1]) : 0.002;
    if (n < 1) return 2;
    printf("%ld points within %g of the size\n%-45s %9s %9s %7s %9s %9s %9s %9s %5s\n", n, noise, "surface", "batch ns",
           "single ns", "ratio", "cert. %", "carried %", "units", "s. cert.", "off");
    for (int which = 0; which < BENCH_SURFACES; ++which) run(which, noise, n, counts);
    return 0;
}
