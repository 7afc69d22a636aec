/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "each.h"

#include <pthread.h>

enum { THREADS_MOST = 256 };

typedef struct shared {
    pthread_mutex_t lock;
    int64_t next, pieces;
    wit_parallel_job* run;
    void* work;
} shared;

typedef struct thread {
    shared* of;
    int number;
    pthread_t id;
} thread;

static void* take_pieces(void* memory)
{
    const thread* t = memory;
    shared* s = t->of;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        int64_t piece = s->next < s->pieces ? s->next++ : -1;
        pthread_mutex_unlock(&s->lock);
        if (piece < 0) return NULL;
        s->run(s->work, piece, t->number);
    }
}

void each_piece(void* context, int64_t pieces, wit_parallel_job* run, void* work)
{
    int wanted = *(const int*)context, running = 1;
    shared s = {.pieces = pieces, .run = run, .work = work};
    thread threads[THREADS_MOST];
    pthread_mutex_init(&s.lock, NULL);
    threads[0] = (thread){.of = &s};
    for (; running < wanted && running < THREADS_MOST && running < pieces; ++running) {
        threads[running] = (thread){.of = &s, .number = running};
        if (pthread_create(&threads[running].id, NULL, take_pieces, &threads[running])) break;
    }
    take_pieces(&threads[0]);
    for (int k = 1; k < running; ++k) pthread_join(threads[k].id, NULL);
    pthread_mutex_destroy(&s.lock);
}
