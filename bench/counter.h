/* SPDX-License-Identifier: MIT */
/* Time, and instructions where the machine lets us count them. */
#ifndef BENCH_COUNTER_H
#define BENCH_COUNTER_H

#include <stdbool.h>

/* Seconds that this thread has run: what others do on the machine is not in it, but for shared caches and clocks. */
double counter_seconds(void);
/* Seconds by the wall: cheap to read, so fit for a single short call, but it also counts when others run. */
double counter_clock(void);

/* Hardware counter of instructions in user mode. -1 where there is none (virtual machines, locked kernels). */
int counter_open(void);
void counter_start(int counter);
double counter_stop(int counter); /* instructions since the start */
void counter_close(int counter);

/* Under valgrind --tool=callgrind: counts from zero, then writes the count under `label`. Nothing otherwise. */
bool callgrind_possible(void); /* compiled in; not: running */
void callgrind_start(void);
void callgrind_stop(const char* label);

#endif
