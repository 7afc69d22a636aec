/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double seconds(const struct timespec* from, const struct timespec* to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

progress progress_begin(void)
{
    progress p = {0};
    p.active = isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO);
    timespec_get(&p.begin, TIME_UTC);
    p.last = p.begin;
    return p;
}

void progress_step(progress* p, long done, const char* what, double share)
{
    if (!p->active) return;
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    if (seconds(&p->begin, &now) < 1 || seconds(&p->last, &now) < 0.1) return;
    p->last = now;
    p->shown = true;
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    int filled = share >= 1 ? WIDTH : share > 0 ? (int)(share * WIDTH) : 0;
    memset(bar, ' ', WIDTH);
    memset(bar, '=', (size_t)filled);
    bar[WIDTH] = 0;
    if (share >= 0)
        fprintf(stderr, "\r[%s] %3.0f %%  %ld %s  %.0f s ", bar, 100 * share, done, what, seconds(&p->begin, &now));
    else
        fprintf(stderr, "\r%ld %s  %.0f s ", done, what, seconds(&p->begin, &now));
    fflush(stderr);
}

void progress_end(progress* p)
{
    if (p->shown) fprintf(stderr, "\r%70s\r", "");
    p->shown = false;
}
