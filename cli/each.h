/* SPDX-License-Identifier: MIT */
/* The parallel-for of batches (witness/batch.h): threads of its own, each taking the next piece. */
#ifndef CLI_EACH_H
#define CLI_EACH_H

#include "../include/witness/batch.h"

/* `context` points to the number of threads, an int: that of the workers. */
void each_piece(void* context, int64_t pieces, wit_parallel_job* run, void* work);

#endif
