/* SPDX-License-Identifier: MIT */
#include "surfaces.h"

#include <math.h>
#include <string.h>

#include "../tests/random.h"

#define PI 3.1415926535897932384626433832795

static void finish(bench_surface* s, int degree, int count, bool rational)
{
    wit_surface_def* d = &s->def;
    *d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d->degree_u = d->degree_v = degree;
    d->count_u = d->count_v = count;
    d->knot_count_u = d->knot_count_v = count + degree + 1;
    memcpy(s->knots_v, s->knots_u, sizeof s->knots_v);
    d->knots_u = s->knots_u;
    d->knots_v = s->knots_v;
    d->points = s->points;
    d->weights = rational ? s->weights : NULL;
}

static void clamped_uniform(double* knots, int degree, int count)
{
    for (int i = 0; i < count + degree + 1; i++)
        knots[i] = i <= degree ? 0 : i >= count ? 1 : (double)(i - degree) / (count - degree);
}

/* Table I of the first of the papers; u runs along the printed rows. */
static void make_table1(bench_surface* s)
{
    static const double printed[5][5][3] = {
        {{0, 0, 0}, {3, 0, 2}, {5, 0, 3}, {8, 0, 3}, {10, 0, 0}},
        {{1, 3, 3}, {3, 3, 5}, {5, 3, 6}, {8, 3, 5}, {9, 3, 3}},
        {{2, 5, 5}, {3, 5, 7}, {5, 5, 8}, {8, 5, 7}, {8, 5, 5}},
        {{1, 8, 3}, {3, 8, 5}, {5, 8, 6}, {8, 8, 5}, {9, 8, 3}},
        {{0, 10, 0}, {3, 10, 2}, {5, 10, 3}, {8, 10, 2}, {10, 10, 0}},
    };
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) memcpy(s->points + 3 * (i * 5 + j), printed[j][i], sizeof printed[j][i]);
    clamped_uniform(s->knots_u, 2, 5);
    s->name = "degree 2 polynomial, 5x5 points (Table I)";
    s->key = "table1";
    finish(s, 2, 5, false);
}

static void make_bump(bench_surface* s)
{
    enum { N = 20 };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = i / (N - 1.0), y = j / (N - 1.0), *p = s->points + 3 * (i * N + j);
            p[0] = x + 0.02 * sin(5 * y);
            p[1] = y + 0.02 * cos(4 * x);
            p[2] = 0.3 * sin(PI * x) * sin(PI * y) + 0.05 * cos(7 * x + 3 * y);
            s->weights[i * N + j] = 1.05 + 0.35 * sin(6 * x + 1) * cos(5 * y);
        }
    clamped_uniform(s->knots_u, 3, N);
    s->name = "degree 3 rational, 20x20 points";
    s->key = "rational20";
    finish(s, 3, N, true);
}

/* Radius 3, tube 1. A full circle of four quarters: double knots, every other weight sqrt(1/2). */
static void make_torus(bench_surface* s)
{
    static const double circle[9][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}};
    static const double knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            double *p = s->points + 3 * (i * 9 + j), radius = 3 + circle[j][0];
            p[0] = radius * circle[i][0];
            p[1] = radius * circle[i][1];
            p[2] = circle[j][1];
            s->weights[i * 9 + j] = (i % 2 ? sqrt(0.5) : 1) * (j % 2 ? sqrt(0.5) : 1);
        }
    memcpy(s->knots_u, knots, sizeof knots);
    s->name = "degree 2 rational torus, 9x9 points, double knots";
    s->key = "torus";
    finish(s, 2, 9, true);
}

void bench_surface_make(int which, bench_surface* out)
{
    memset(out, 0, sizeof *out);
    if (which == 0)
        make_table1(out);
    else if (which == 1)
        make_bump(out);
    else
        make_torus(out);
}

static double place(const double* knots, int degree, int count, double x)
{
    return knots[degree] + (knots[count] - knots[degree]) * x;
}

static void put(const bench_surface* s, double x, double y, double* uv)
{
    uv[0] = place(s->knots_u, s->def.degree_u, s->def.count_u, x);
    uv[1] = place(s->knots_v, s->def.degree_v, s->def.count_v, y);
}

/* A figure of eight, 4.1 ranges long: 4096 pairs make steps of 1e-3. */
void bench_path(const bench_surface* s, long count, double* uv)
{
    for (long k = 0; k < count; k++) {
        double a = 2 * PI * (double)k / (double)count;
        put(s, 0.5 + 0.43 * sin(a + 0.2), 0.5 + 0.41 * sin(2 * a + 0.7), uv + 2 * k);
    }
}

void bench_random(const bench_surface* s, long count, double* uv)
{
    rng r = rng_seed(20);
    for (long k = 0; k < count; k++) {
        double x = rng_double(&r), y = rng_double(&r);
        put(s, x, y, uv + 2 * k);
    }
}
