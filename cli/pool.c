/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

/* A ring of jobs: delivered <= taken <= submitted, submitted - delivered <= capacity. */
struct pool {
    pool_def def;
    size_t capacity;
    uint64_t delivered, taken, submitted;
    unsigned char* jobs;
    bool* done;
    unsigned char* workers;
    pthread_t* threads;
    int running;
    bool delivering, closed, stopped;
    pthread_mutex_t lock;
    pthread_cond_t work_is_there, room_is_there;
};

typedef struct start {
    pool* pool;
    void* worker;
} start;

enum { JOBS_PER_THREAD = 64, WORKER_ALIGNMENT = 64 };

int pool_cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 256 ? 256 : (int)n;
}

static void* job_at(const pool* p, uint64_t index)
{
    return p->jobs + (size_t)(index % p->capacity) * p->def.job_bytes;
}

/* Locked. One thread at a time delivers what is ready; the lock is open while it does. */
static void deliver_ready(pool* p)
{
    if (p->delivering) return;
    p->delivering = true;
    while (!p->stopped && p->delivered < p->taken && p->done[p->delivered % p->capacity]) {
        bool last = p->delivered + 1 == p->submitted;
        void* job = job_at(p, p->delivered);
        pthread_mutex_unlock(&p->lock);
        bool go_on = p->def.deliver(p->def.shared, job, last);
        pthread_mutex_lock(&p->lock);
        p->done[p->delivered % p->capacity] = false;
        p->delivered++;
        if (!go_on) p->stopped = true;
        pthread_cond_broadcast(&p->room_is_there);
    }
    if (p->stopped) pthread_cond_broadcast(&p->work_is_there);
    p->delivering = false;
}

static void* run(void* argument)
{
    start* s = argument;
    pool* p = s->pool;
    void* worker = s->worker;
    free(s);
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->stopped && !p->closed && p->taken == p->submitted) pthread_cond_wait(&p->work_is_there, &p->lock);
        if (p->stopped || p->taken == p->submitted) break;
        uint64_t index = p->taken++;
        pthread_mutex_unlock(&p->lock);
        p->def.work(p->def.shared, worker, job_at(p, index));
        pthread_mutex_lock(&p->lock);
        p->done[index % p->capacity] = true;
        deliver_ready(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void destroy(pool* p)
{
    for (size_t i = 0; p->jobs && p->def.release_job && i < p->capacity; i++) p->def.release_job(job_at(p, i));
    for (int i = 0; p->workers && p->def.release_worker && i < p->def.threads; i++)
        p->def.release_worker(p->workers + (size_t)i * p->def.worker_bytes);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->work_is_there);
    pthread_cond_destroy(&p->room_is_there);
    free(p->jobs);
    free(p->done);
    free(p->workers);
    free(p->threads);
    free(p);
}

static bool start_thread(pool* p, int index)
{
    start* s = malloc(sizeof *s);
    if (!s) return false;
    s->pool = p;
    s->worker = p->workers + (size_t)index * p->def.worker_bytes;
    if (pthread_create(&p->threads[index], NULL, run, s) == 0) return true;
    free(s);
    return false;
}

pool* pool_create(const pool_def* def)
{
    pool* p = calloc(1, sizeof *p);
    if (!p) return NULL;
    p->def = *def;
    /* Workers in lines of their own: no false sharing. */
    p->def.worker_bytes = (def->worker_bytes + WORKER_ALIGNMENT) / WORKER_ALIGNMENT * WORKER_ALIGNMENT;
    p->capacity = (size_t)def->threads * JOBS_PER_THREAD;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work_is_there, NULL);
    pthread_cond_init(&p->room_is_there, NULL);
    p->jobs = calloc(p->capacity, def->job_bytes);
    p->done = calloc(p->capacity, sizeof *p->done);
    p->workers = calloc((size_t)def->threads, p->def.worker_bytes);
    p->threads = calloc((size_t)def->threads, sizeof *p->threads);
    bool good = p->jobs && p->done && p->workers && p->threads;
    while (good && p->running < def->threads && start_thread(p, p->running)) p->running++;
    if (p->running > 0) return p; /* fewer threads than asked for give the same answers */
    destroy(p);
    return NULL;
}

void* pool_job(pool* p)
{
    pthread_mutex_lock(&p->lock);
    while (!p->stopped && p->submitted - p->delivered == p->capacity) pthread_cond_wait(&p->room_is_there, &p->lock);
    void* job = p->stopped ? NULL : job_at(p, p->submitted);
    pthread_mutex_unlock(&p->lock);
    return job;
}

void pool_submit(pool* p)
{
    pthread_mutex_lock(&p->lock);
    p->submitted++;
    pthread_cond_signal(&p->work_is_there);
    pthread_mutex_unlock(&p->lock);
}

bool pool_finish(pool* p)
{
    pthread_mutex_lock(&p->lock);
    p->closed = true;
    pthread_cond_broadcast(&p->work_is_there);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->running; i++) pthread_join(p->threads[i], NULL);
    bool good = !p->stopped;
    destroy(p);
    return good;
}
