/* SPDX-License-Identifier: MIT */
/*
 * Jobs over threads, results in the order of the jobs. The caller fills jobs one by one; any worker takes the next; each
 * result is delivered as soon as all before it are, so a program that sends one question and waits is answered.
 */
#ifndef CLI_POOL_H
#define CLI_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool pool;

typedef struct pool_def {
    int threads;         /* at least 1 */
    size_t job_bytes;    /* jobs are zeroed at first, then reused as they were left */
    size_t worker_bytes; /* memory of each thread, zeroed */
    void* shared;
    /* In any thread, for different jobs at the same time. */
    void (*work)(void* shared, void* worker, void* job);
    /* In the order of the jobs, one at a time. `last`: no other is waiting now. False: stop, deliver no more. */
    bool (*deliver)(void* shared, void* job, bool last);
    /* What workers and jobs hold, at the end. May be null. */
    void (*release_worker)(void* worker);
    void (*release_job)(void* job);
} pool_def;

/* Cores of this machine. */
int pool_cores(void);

/* Null: no memory or no threads. */
pool* pool_create(const pool_def* def);
/* A job to fill; waits until one is free. Null: deliver said stop. */
void* pool_job(pool* p);
/* Hands over the job that was filled. */
void pool_submit(pool* p);
/* Waits for what was submitted, delivers it and releases everything. False: deliver said stop. */
bool pool_finish(pool* p);

#endif
