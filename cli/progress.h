/* SPDX-License-Identifier: MIT */
/* How far a long run is: one line on standard error that rewrites itself, on a terminal only. It stays away while
 * standard output goes to the same terminal, and during the first second. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

typedef struct progress {
    bool shown, active;
    struct timespec begin, last;
} progress;

progress progress_begin(void);
/* `share` of the work in 0 .. 1, negative: not known. Cheap: the clock decides whether anything is written. */
void progress_step(progress* p, long done, const char* what, double share);
/* Wipes the line. */
void progress_end(progress* p);

#endif
