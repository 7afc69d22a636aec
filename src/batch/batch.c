/* SPDX-License-Identifier: MIT */
/*
 * Batches: memory, pieces of the work over the caller's threads, and what is counted.
 *
 * Items are cut into pieces of a fixed size. What an item is answered depends on its piece alone, and every piece begins with
 * nothing known; so neither the number of workers nor the order of the pieces shows.
 */
#include "../../include/witness/batch.h"

#include <string.h>

#include "../base/allocator.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "answer_out.h"
#include "carried_point.h"
#include "space_order.h"

enum { WORKERS_MOST = 4096, FRONT_MOST = 1 << 20 };
enum { POINTS_OF_PIECE = 8192, PAIRS_OF_PIECE = 64, STEPS_OF_PIECE = 16 };
#define COUNT_MOST ((int64_t)1 << 40)
#define AROUND 1.0 /* sizes of the body: points farther from its box are ordered as if they were no farther */

typedef struct worker {
    wit_query* query;
    void* front;
    wit_batch_summary sum;
} worker;

struct wit_batch {
    wit_allocator allocator;
    size_t bytes; /* allocated; 0: in memory of the caller's */
    wit_batch_def def;
    worker* workers;
    ordered_item *items, *spare;
};

/* ---- memory -------------------------------------------------------------------------------- */

wit_batch_def wit_batch_default_def(void)
{
    wit_batch_def d = {.struct_size = sizeof d, .query = wit_query_default_def(), .workers = 1, .front = 4096};
    return d;
}

static wit_status check_def(const wit_batch_def* d, wit_error* error)
{
    wit_status status = wi_error_struct_size(d->struct_size, sizeof *d, "wit_batch_default_def", error);
    if (status) return status;
    if (d->count < 0 || d->count > COUNT_MOST)
        return wi_error_fill(error, WIT_ERROR_RANGE, "count", "must be between 0 and 2^40");
    if (d->workers < 1 || d->workers > WORKERS_MOST)
        return wi_error_fill(error, WIT_ERROR_RANGE, "workers", "must be between 1 and %d, not %d", WORKERS_MOST,
                             d->workers);
    if (d->front < 0 || d->front > FRONT_MOST)
        return wi_error_fill(error, WIT_ERROR_RANGE, "front", "must be between 0 and %d, not %d", FRONT_MOST, d->front);
    return WIT_OK;
}

static wit_batch* lay_out(arena* a, const wit_batch_def* def, size_t query_bytes, wit_error* error)
{
    wit_batch* b = wi_arena_take(a, 1, sizeof *b);
    worker* workers = wi_arena_take(a, (size_t)def->workers, sizeof *workers);
    ordered_item* items = wi_arena_take(a, 2 * (size_t)def->count, sizeof *items);
    if (b && workers && arena_ok(a)) {
        memset(b, 0, sizeof *b);
        b->def = *def;
        b->workers = workers;
        b->items = items;
        b->spare = items + def->count;
    }
    for (int k = 0; k < def->workers; ++k) {
        void* query = wi_arena_take(a, 1, query_bytes);
        void* front = def->front ? wi_arena_take(a, 1, wi_point_front_bytes(def->front)) : NULL;
        if (!a->base || !arena_ok(a)) continue;
        memset(&workers[k], 0, sizeof workers[k]);
        workers[k].front = front;
        if (wit_query_init(query, query_bytes, &def->query, &workers[k].query, error)) return NULL;
    }
    return b && arena_ok(a) ? b : NULL;
}

size_t wit_batch_size(const wit_batch_def* def)
{
    if (!def || check_def(def, NULL)) return 0;
    size_t query_bytes = wit_query_size(&def->query);
    arena a = wi_arena_measure();
    if (!query_bytes) return 0;
    lay_out(&a, def, query_bytes, NULL);
    return arena_ok(&a) ? a.used : 0;
}

wit_status wit_batch_init(void* memory, size_t bytes, const wit_batch_def* def, wit_batch** out, wit_error* error)
{
    if (!memory || !def || !out)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "memory, def and out must not be null");
    wit_status status = check_def(def, error);
    if (status) return status;
    size_t query_bytes = wit_query_size(&def->query);
    if (!query_bytes) return wi_error_fill(error, WIT_ERROR_RANGE, "query", "wit_query_init refuses it");
    arena a = wi_arena_over(memory, bytes);
    wit_batch* b = lay_out(&a, def, query_bytes, error);
    if (!b)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "bytes",
                             "the memory is too small or not aligned; wit_batch_size tells");
    *out = b;
    return WIT_OK;
}

wit_batch* wit_batch_create(const wit_batch_def* def, const wit_allocator* allocator, wit_error* error)
{
    wit_batch_def standard = wit_batch_default_def();
    if (!def) def = &standard;
    if (check_def(def, error)) return NULL;
    size_t bytes = wit_batch_size(def);
    if (!bytes) {
        wi_error_fill(error, WIT_ERROR_RANGE, "query", "wit_query_init refuses it, or it is too large");
        return NULL;
    }
    wit_allocator from = wi_allocator_or_default(allocator);
    void* memory = wi_allocator_take(&from, bytes);
    wit_batch* b = NULL;
    if (!memory) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "count", "no memory for %lld items and %d workers",
                      (long long)def->count, def->workers);
        return NULL;
    }
    if (wit_batch_init(memory, bytes, def, &b, error)) {
        wi_allocator_release(&from, memory, bytes);
        return NULL;
    }
    b->allocator = from;
    b->bytes = bytes;
    return b;
}

void wit_batch_destroy(wit_batch* batch)
{
    if (!batch || !batch->bytes) return;
    wit_allocator from = batch->allocator;
    wi_allocator_release(&from, batch, batch->bytes);
}

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct job {
    wit_batch* batch;
    const wit_placed *a, *b;
    const wit_items* in;
    const wit_batch_out* out;
    wit_step_item* steps;
    double dt;
    int64_t count, of_piece;
    bool carries;
    void (*run)(const struct job* j, worker* w, int64_t from, int64_t to);
} job;

static const void* item_at(const wit_items* in, size_t bytes, int64_t i)
{
    return (const char*)in->data + (size_t)i * (in->stride ? in->stride : bytes);
}

static void run_piece(void* memory, int64_t piece, int number)
{
    const job* j = memory;
    const wit_batch_def* def = &j->batch->def;
    worker* w = &j->batch->workers[number];
    int64_t from = piece * j->of_piece, to = from + j->of_piece < j->count ? from + j->of_piece : j->count;
    if (def->stop && def->stop(def->stop_context))
        w->sum.stopped = true;
    else
        j->run(j, w, from, to);
}

static void add_sum(wit_batch_summary* s, const wit_batch_summary* more)
{
    bool first = more->first_refused >= 0 && (s->first_refused < 0 || more->first_refused < s->first_refused);
    s->answered += more->answered;
    s->refused += more->refused;
    s->certified += more->certified;
    s->carried += more->carried;
    s->stopped = s->stopped || more->stopped;
    if (first) s->first_refused = more->first_refused;
    work_add(&s->work, &more->work);
}

static const wit_batch_summary nothing = {.first_refused = -1};

static void run_all(job* j, wit_batch_summary* summary)
{
    wit_batch* b = j->batch;
    int64_t pieces = j->count / j->of_piece + (j->count % j->of_piece > 0);
    wit_batch_summary sum = nothing;
    for (int k = 0; k < b->def.workers; ++k) b->workers[k].sum = nothing;
    if (b->def.each && pieces)
        b->def.each(b->def.each_context, pieces, run_piece, j);
    else
        for (int64_t k = 0; k < pieces; ++k) run_piece(j, k, 0);
    for (int k = 0; k < b->def.workers; ++k) add_sum(&sum, &b->workers[k].sum);
    if (summary) *summary = sum;
}

static void count_item(worker* w, int64_t i, wit_status status, bool certified, const wit_work* work)
{
    wit_batch_summary* s = &w->sum;
    if (status) {
        if (s->first_refused < 0 || i < s->first_refused) s->first_refused = i;
        s->refused += 1;
        return;
    }
    s->answered += 1;
    s->certified += certified;
    work_add(&s->work, work);
}

static void write_item(const job* j, worker* w, int64_t i, wit_status status, const wit_closest* c)
{
    if (status)
        wi_answer_out_status(j->out, i, (int32_t)status);
    else
        wi_answer_out_write(j->out, i, c);
    count_item(w, i, status, !status && c->certified, &c->work);
}

/* ---- points -------------------------------------------------------------------------------- */

static wit_vec3 point_at(const wit_items* in, int64_t i)
{
    const double* x = item_at(in, 3 * sizeof *x, i);
    return vec3(x[0], x[1], x[2]);
}

static void run_points(const job* j, worker* w, int64_t from, int64_t to)
{
    point_run run;
    point_run_def def = {.query = w->query, .a = j->a, .capacity = j->batch->def.front, .points = to - from};
    if (j->carries) def.front = w->front;
    wi_point_run_start(&run, &def);
    for (int64_t k = from; k < to; ++k) {
        wit_closest c = {.certified = false};
        int64_t i = j->batch->items[k].index;
        wit_status status = wi_point_run_ask(&run, point_at(j->in, i), &c);
        write_item(j, w, i, status, &c);
    }
    w->sum.carried += run.carried;
}

static void include(wit_box* box, wit_vec3 p)
{
    box->lo = vec3(smaller(box->lo.x, p.x), smaller(box->lo.y, p.y), smaller(box->lo.z, p.z));
    box->hi = vec3(larger(box->hi.x, p.x), larger(box->hi.y, p.y), larger(box->hi.z, p.z));
}

/* The box of the points that can be asked, in the frame of the body, no farther from it than it is large. */
static wit_box box_of_points(const job* j)
{
    const wit_body* b = j->a->body;
    wit_box box = {vec3(INFINITY, INFINITY, INFINITY), vec3(-INFINITY, -INFINITY, -INFINITY)};
    for (int64_t i = 0; i < j->count; ++i) {
        wit_vec3 p = point_at(j->in, i);
        if (finite3(p)) include(&box, wit_pose_unpoint(&j->a->pose, p));
    }
    if (b->unbounded || !(b->size > 0)) return box;
    wit_vec3 about = vec3(AROUND * b->size, AROUND * b->size, AROUND * b->size);
    wit_vec3 lo = sub3(b->box.lo, about), hi = add3(b->box.hi, about);
    box.lo = vec3(larger(box.lo.x, lo.x), larger(box.lo.y, lo.y), larger(box.lo.z, lo.z));
    box.hi = vec3(smaller(box.hi.x, hi.x), smaller(box.hi.y, hi.y), smaller(box.hi.z, hi.z));
    return box;
}

static void order_points(const job* j)
{
    ordered_item* items = j->batch->items;
    wit_box box = box_of_points(j);
    for (int64_t i = 0; i < j->count; ++i) {
        wit_vec3 p = point_at(j->in, i);
        items[i] = (ordered_item){0, i};
        if (finite3(p)) items[i].key = wi_space_key(&box, wit_pose_unpoint(&j->a->pose, p));
    }
    wi_space_sort(items, j->batch->spare, j->count);
}

static wit_status check_items(const wit_items* in, size_t bytes)
{
    if (!in || in->count < 0 || (in->count && !in->data)) return WIT_ERROR_ARGUMENT;
    if ((size_t)(uintptr_t)in->data % sizeof(double)) return WIT_ERROR_ARGUMENT;
    if (in->stride && (in->stride < bytes || in->stride % sizeof(double))) return WIT_ERROR_ARGUMENT;
    return WIT_OK;
}

/* What does not depend on the items. */
static wit_status check_body(const wit_batch* batch, const wit_placed* a)
{
    wit_query* q = batch->workers[0].query;
    if (!a || !a->body) return WIT_ERROR_ARGUMENT;
    if (a->mask && wi_side_flag_bytes(a->body) > q->flag_bytes) return WIT_ERROR_MEMORY;
    return WIT_OK;
}

static void not_reached(const job* j)
{
    for (int64_t i = 0; j->batch->def.stop && i < j->count; ++i) wi_answer_out_status(j->out, i, -1);
}

wit_status wit_closest_points(wit_batch* batch, const wit_placed* a, const wit_items* points, const wit_batch_out* out,
                              wit_batch_summary* summary)
{
    if (!batch) return WIT_ERROR_ARGUMENT;
    wit_status status = check_body(batch, a);
    if (!status) status = check_items(points, 3 * sizeof(double));
    if (!status) status = wi_answer_out_check(out);
    if (!status) status = wit_pose_check(&a->pose);
    if (!status && points->count > batch->def.count) status = WIT_ERROR_COUNT;
    if (status) return status;
    job j = {.batch = batch, .a = a, .in = points, .out = out, .count = points->count, .run = run_points};
    j.of_piece = POINTS_OF_PIECE;
    j.carries = batch->def.front && wi_point_run_carries(batch->workers[0].query, a);
    not_reached(&j);
    order_points(&j);
    run_all(&j, summary);
    return WIT_OK;
}

/* ---- pairs --------------------------------------------------------------------------------- */

static void run_pairs(const job* j, worker* w, int64_t from, int64_t to)
{
    wit_placed a = *j->a, b = *j->b;
    for (int64_t i = from; i < to; ++i) {
        wit_closest c = {.certified = false};
        const wit_pose_pair* p = item_at(j->in, sizeof *p, i);
        a.pose = p->a;
        b.pose = p->b;
        wit_status status = wit_closest_pair(w->query, &a, &b, &c);
        write_item(j, w, i, status, &c);
    }
}

wit_status wit_closest_pairs(wit_batch* batch, const wit_placed* a, const wit_placed* b, const wit_items* poses,
                             const wit_batch_out* out, wit_batch_summary* summary)
{
    if (!batch) return WIT_ERROR_ARGUMENT;
    wit_status status = check_body(batch, a);
    if (!status) status = check_body(batch, b);
    if (!status) status = check_items(poses, sizeof(wit_pose_pair));
    if (!status) status = wi_answer_out_check(out);
    if (status) return status;
    job j = {.batch = batch, .a = a, .b = b, .in = poses, .out = out, .count = poses->count, .run = run_pairs};
    j.of_piece = PAIRS_OF_PIECE;
    not_reached(&j);
    run_all(&j, summary);
    return WIT_OK;
}

/* ---- trackers ------------------------------------------------------------------------------ */

static void run_steps(const job* j, worker* w, int64_t from, int64_t to)
{
    for (int64_t i = from; i < to; ++i) {
        wit_step_item* s = &j->steps[i];
        s->status = wit_tracker_step(s->tracker, &s->a, &s->b, j->dt, &s->result);
        count_item(w, i, s->status, !s->status && s->result.flags & WIT_FLAG_CERTIFIED, &s->result.work);
    }
}

wit_status wit_tracker_step_many(wit_batch* batch, wit_step_item* items, int64_t count, double dt,
                                 wit_batch_summary* summary)
{
    if (!batch || count < 0 || (count && !items)) return WIT_ERROR_ARGUMENT;
    job j = {.batch = batch, .steps = items, .dt = dt, .count = count, .of_piece = STEPS_OF_PIECE, .run = run_steps};
    for (int64_t i = 0; batch->def.stop && i < count; ++i) items[i].status = WIT_STATUS_COUNT;
    run_all(&j, summary);
    return WIT_OK;
}
