/* SPDX-License-Identifier: MIT */
#include "race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "counter.h"

void* race_reserve(size_t count, size_t bytes)
{
    void* p = calloc(count ? count : 1, bytes);
    if (p) return p;
    fprintf(stderr, "bench: no memory\n");
    exit(1);
}

void race_player_reserve(race_player* p, long count)
{
    p->microseconds = race_reserve((size_t)count, sizeof *p->microseconds);
    p->answers = race_reserve((size_t)count, sizeof *p->answers);
}

void race_player_free(race_player* p)
{
    free(p->microseconds);
    free(p->answers);
}

/* Seconds that one reading of each clock takes; subtracted from every time. */
typedef struct clock_cost {
    double wall, own;
} clock_cost;

static clock_cost measure_clocks(void)
{
    clock_cost c = {1, 1};
    for (int i = 0; i < 1000; i++) {
        double start = counter_clock();
        c.wall = fmin(c.wall, counter_clock() - start);
        start = counter_seconds();
        c.own = fmin(c.own, counter_seconds() - start);
    }
    return c;
}

/* By the wall, whose clock is quick to read; a query long enough to be interrupted, by the thread's own time if that is
 * less. */
static void meet(race_player* p, long k, const clock_cost* cost)
{
    double own = counter_seconds(), wall = counter_clock();
    p->query(p, k, &p->answers[k]);
    wall = counter_clock() - wall - cost->wall;
    own = counter_seconds() - own - cost->own - cost->wall;
    double taken = 1e6 * fmax(wall > 2e-5 ? fmin(wall, own) : wall, 0);
    if (p->microseconds[k] < 0 || taken < p->microseconds[k]) p->microseconds[k] = taken;
}

void race_run(race_player* players, int player_count, long count)
{
    clock_cost cost = measure_clocks();
    for (int p = 0; p < player_count; p++)
        for (long k = 0; k < count; k++) players[p].microseconds[k] = -1;
    for (int pass = 0; pass < RACE_PASSES; pass++)
        for (long from = 0; from < count; from += RACE_BLOCK)
            for (int p = 0; p < player_count; p++) {
                race_player* player = &players[p];
                if (!player->self) continue;
                for (long k = from; k < count && k < from + RACE_BLOCK; k++)
                    if (k % player->stride == 0) meet(player, k, &cost);
            }
}

static int by_size(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

race_figures race_measure(const race_player* p, const race_player* with, const bool* counts, long count)
{
    race_figures f = {0};
    double* t = race_reserve((size_t)count, sizeof *t);
    for (long k = 0; k < count; k++) {
        if (p->microseconds[k] < 0 || (counts && !counts[k]) || (with && with->microseconds[k] < 0)) continue;
        t[f.count++] = p->microseconds[k];
        f.mean += p->microseconds[k];
        f.nodes += (double)p->answers[k].work.nodes;
        f.jets += (double)p->answers[k].work.jets;
    }
    if (f.count) {
        qsort(t, (size_t)f.count, sizeof *t, by_size);
        f.mean /= (double)f.count;
        f.nodes /= (double)f.count;
        f.jets /= (double)f.count;
        f.median = t[f.count / 2];
        f.p99 = t[f.count * 99 / 100];
        f.worst = t[f.count - 1];
    }
    free(t);
    return f;
}

double race_best(const race_player* players, int player_count, long k)
{
    double best = INFINITY;
    for (int p = 0; p < player_count; p++)
        if (players[p].self && players[p].microseconds[k] >= 0 && players[p].answers[k].found)
            best = fmin(best, players[p].answers[k].distance);
    return best;
}

race_verdict race_judge(const race_player* p, const double* best, double size, const bool* counts, long count)
{
    race_verdict v = {0};
    for (long k = 0; k < count; k++) {
        if (p->microseconds[k] < 0 || (counts && !counts[k])) continue;
        const closest_answer* a = &p->answers[k];
        double scale = fmax(best[k], size), excess = (a->distance - best[k]) / scale;
        v.played++;
        v.wrong += !a->found || excess > RACE_WRONG;
        if (a->found) v.worst = fmax(v.worst, excess);
        v.open += !a->certified;
        v.ours += !(excess <= RACE_OURS);
        /* others find their points to some digits, and rounding is counted in rigorous mode only */
        v.excluded += !(a->lower <= best[k] + 1e-14 * scale && best[k] <= a->upper + 1e-14 * scale);
    }
    return v;
}

bool race_print_brackets(const race_player* p, const race_verdict* v)
{
    printf("  %s: %ld brackets exclude the best, %ld answers beyond %.0e, %ld not certified\n", p->name, v->excluded,
           v->ours, RACE_OURS, v->open);
    return !v->excluded && !v->ours && !v->open;
}
