/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "counter.h"

#include <time.h>

#if defined(__linux__)
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif
#endif

double counter_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double counter_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined(__linux__)

int counter_open(void)
{
    struct perf_event_attr a;
    memset(&a, 0, sizeof a);
    a.size = sizeof a;
    a.type = PERF_TYPE_HARDWARE;
    a.config = PERF_COUNT_HW_INSTRUCTIONS;
    a.disabled = 1;
    a.exclude_kernel = 1;
    a.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

void counter_start(int counter)
{
    ioctl(counter, PERF_EVENT_IOC_RESET, 0);
    ioctl(counter, PERF_EVENT_IOC_ENABLE, 0);
}

double counter_stop(int counter)
{
    long long n = 0;
    ioctl(counter, PERF_EVENT_IOC_DISABLE, 0);
    return read(counter, &n, sizeof n) == (ssize_t)sizeof n ? (double)n : 0;
}

void counter_close(int counter)
{
    if (counter >= 0) close(counter);
}

#else

int counter_open(void)
{
    return -1;
}

void counter_start(int counter)
{
    (void)counter;
}

double counter_stop(int counter)
{
    (void)counter;
    return 0;
}

void counter_close(int counter)
{
    (void)counter;
}

#endif

#if defined(CALLGRIND_ZERO_STATS)

bool callgrind_possible(void)
{
    return true;
}

void callgrind_start(void)
{
    CALLGRIND_ZERO_STATS;
}

void callgrind_stop(const char* label)
{
    CALLGRIND_DUMP_STATS_AT(label);
}

#else

bool callgrind_possible(void)
{
    return false;
}

void callgrind_start(void)
{
}

void callgrind_stop(const char* label)
{
    (void)label;
}

#endif
