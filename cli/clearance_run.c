/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clearance.h"
#include "command.h"
#include "pool.h"
#include "progress.h"

const char* verdict_name(verdict v)
{
    return v == VERDICT_HOLDS ? "Holds" : v == VERDICT_VIOLATED ? "Violated" : "Not proved";
}

/* ---- the pairs ------------------------------------------------------------------------------ */

static int no_memory(const char* command)
{
    fprintf(stderr, "witness %s: no memory\n", command);
    return EXIT_BAD_INPUT;
}

static int find_pairs(const clearance_task* task, const char* command, clearance_found* f)
{
    wit_error error = {0};
    size_t bytes = wit_assembly_size(&task->def);
    void* memory = malloc(bytes ? bytes : 1);
    int64_t room = 4 * (int64_t)task->def.body_count + 64;
    for (;;) {
        free(f->pairs);
        f->pairs = malloc((size_t)room * sizeof *f->pairs);
        if (!memory || !f->pairs) {
            free(memory);
            return no_memory(command);
        }
        wit_status status = wit_assembly_pairs(&task->def, memory, bytes, f->pairs, room, &f->count, &error);
        if (!status && f->count > room) {
            room = f->count;
            continue;
        }
        free(memory);
        if (!status) return EXIT_GOOD;
        fprintf(stderr, "witness %s: %s: %s\n", command, error.item, error.text);
        return EXIT_BAD_INPUT;
    }
}

/* As many as the scope and the skips leave. */
static int64_t asked_of(const wit_assembly_def* d)
{
    int64_t n = 0;
    for (int a = 0; a < d->body_count; a++)
        for (int b = a + 1; b < d->body_count; b++) {
            bool same = d->bodies[a].group == d->bodies[b].group;
            n += d->scope == WIT_SCOPE_ALL || (d->scope == WIT_SCOPE_WITHIN) == same;
        }
    for (int i = 0; i < d->skip_count; i++) {
        bool same = d->bodies[d->skips[i].a].group == d->bodies[d->skips[i].b].group;
        n -= d->scope == WIT_SCOPE_ALL || (d->scope == WIT_SCOPE_WITHIN) == same;
    }
    return n;
}

/* ---- on threads ----------------------------------------------------------------------------- */

typedef struct shared_run {
    const clearance_task* task;
    clearance_found* found;
    progress progress;
    int64_t done;
} shared_run;

typedef struct pair_job {
    int64_t index;
} pair_job;

typedef struct pair_worker {
    wit_query* query;
} pair_worker;

static void check_one(void* shared, void* worker, void* job)
{
    const shared_run* s = shared;
    clearance_found* f = s->found;
    pair_worker* w = worker;
    int64_t i = ((const pair_job*)job)->index;
    wit_pair_report* r = &f->reports[i];
    if (!w->query) w->query = wit_query_create(NULL, NULL, NULL);
    wit_status status = WIT_ERROR_MEMORY;
    if (w->query)
        status = wit_assembly_check(w->query, &s->task->def, &f->pairs[i], f->intervals + i * CLEARANCE_INTERVALS,
                                    CLEARANCE_INTERVALS, r, NULL);
    if (!status) return;
    *r = (wit_pair_report){.status = WIT_PAIR_NOT_CHECKED, .refused = status, .upper_bound = INFINITY};
    r->a = f->pairs[i].a;
    r->b = f->pairs[i].b;
}

static bool one_done(void* shared, void* job, bool last)
{
    shared_run* s = shared;
    (void)job;
    (void)last;
    s->done++;
    progress_step(&s->progress, (long)s->done, "pairs", (double)s->done / (double)s->found->count);
    return true;
}

static void release_worker(void* worker)
{
    wit_query_destroy(((pair_worker*)worker)->query);
}

static int check_all(const clearance_task* task, int threads, const char* command, clearance_found* f)
{
    shared_run s = {.task = task, .found = f, .progress = progress_begin()};
    pool_def def = {.threads = threads,
                    .job_bytes = sizeof(pair_job),
                    .worker_bytes = sizeof(pair_worker),
                    .shared = &s,
                    .work = check_one,
                    .deliver = one_done,
                    .release_worker = release_worker};
    pool* p = pool_create(&def);
    if (!p) {
        fprintf(stderr, "witness %s: no threads could be started\n", command);
        return EXIT_BAD_INPUT;
    }
    for (int64_t i = 0; i < f->count; i++) {
        pair_job* job = pool_job(p);
        job->index = i;
        pool_submit(p);
    }
    pool_finish(p);
    progress_end(&s.progress);
    return EXIT_GOOD;
}

static void count_up(const clearance_task* task, clearance_found* f)
{
    for (int64_t i = 0; i < f->count; i++) {
        const wit_pair_report* r = &f->reports[i];
        f->of[r->status]++;
        f->incomplete += !r->complete && r->status != WIT_PAIR_NOT_CHECKED;
        f->approved += clearance_approved(task, r);
    }
    f->of[WIT_PAIR_CLEAR] += f->asked - f->count;
}

int clearance_run(const clearance_task* task, int threads, const char* command, clearance_found* f)
{
    *f = (clearance_found){.asked = asked_of(&task->def)};
    int code = find_pairs(task, command, f);
    if (code) return code;
    size_t n = (size_t)f->count + 1;
    f->reports = calloc(n, sizeof *f->reports);
    f->intervals = calloc(n, CLEARANCE_INTERVALS * sizeof *f->intervals);
    if (!f->reports || !f->intervals) return no_memory(command);
    code = check_all(task, threads, command, f);
    if (!code) count_up(task, f);
    return code;
}

void clearance_drop(clearance_found* f)
{
    free(f->pairs);
    free(f->reports);
    free(f->intervals);
}

/* ---- what is required ------------------------------------------------------------------------- */

bool clearance_approved(const clearance_task* task, const wit_pair_report* r)
{
    bool near = r->status == WIT_PAIR_CONTACT || r->status == WIT_PAIR_CLEARANCE;
    return near && wit_assembly_scene_approved(task->scene, r->a, r->b);
}

/* Holds where more than the clearance is proved; a pair that the boxes part keeps more than the threshold, which is no
 * less than any clearance. */
static verdict judge_pair(const wit_pair_report* r, double clearance)
{
    if (r->status == WIT_PAIR_CLEAR || r->lower_bound > clearance) return VERDICT_HOLDS;
    return r->touched || r->upper_bound <= clearance ? VERDICT_VIOLATED : VERDICT_OPEN;
}

int clearance_judge(clearance_task* task, const clearance_found* f)
{
    bool violated = false, open = false;
    for (int k = 0; k < task->rule_count; k++) {
        clearance_rule* rule = &task->rules[k];
        rule->worst = -1;
        rule->verdict = VERDICT_HOLDS;
        for (int64_t i = 0; i < f->count; i++) {
            const wit_pair_report* r = &f->reports[i];
            bool speaks = rule->index < 0 || wit_assembly_scene_requires(task->scene, rule->index, r->a, r->b);
            if (!speaks || clearance_approved(task, r)) continue;
            verdict v = judge_pair(r, rule->clearance);
            if (v == VERDICT_HOLDS || rule->verdict == VERDICT_VIOLATED) continue;
            if (rule->verdict == v) continue;
            rule->verdict = v;
            rule->worst = i;
        }
        violated = violated || rule->verdict == VERDICT_VIOLATED;
        open = open || rule->verdict == VERDICT_OPEN;
    }
    for (int64_t i = 0; i < f->count; i++) {
        const wit_pair_report* r = &f->reports[i];
        bool near = r->status == WIT_PAIR_CLASH || r->status == WIT_PAIR_CONTACT || r->status == WIT_PAIR_CLEARANCE;
        if (near && !clearance_approved(task, r)) violated = true;
        if (!r->complete) open = true;
    }
    return violated ? EXIT_VIOLATED : open ? EXIT_NOT_PROVED : EXIT_GOOD;
}
