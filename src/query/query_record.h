/* SPDX-License-Identifier: MIT */
/* The record behind wit_query: settings and one block of scratch memory. */
#ifndef QUERY_QUERY_RECORD_H
#define QUERY_QUERY_RECORD_H

#include "search_task.h"
#include "sign/sign.h"

struct wit_query {
    wit_allocator allocator;
    size_t bytes; /* allocated; 0: in memory of the caller's */
    wit_query_def def;
    int64_t units; /* nodes, jets, tests and boxes together at most; 0: no such limit */
    wit_work work; /* of the query that is asked, or was last */
    size_t flag_bytes;
    uint8_t* flags; /* which features count, when there are masks: two bodies' */
    scratch memory;
};

/* closest.c: what the caller gave, checked and brought into one frame: that of the body in a point query, else that of
 * the first body in an order of their own; task->swapped says that this is b. */
wit_status wi_task_of_point(wit_query* query, const wit_placed* a, wit_vec3 point, search_task* task);
/* The same in a task that was made for another point of the same body at the same pose: what does not depend on the point is kept. */
wit_status wi_task_of_next_point(wit_query* query, const wit_placed* a, wit_vec3 point, search_task* task);
wit_status wi_task_of_pair(wit_query* query, const wit_placed* a, const wit_placed* b, search_task* task);

/* The same of two sides in one frame, that of the first: whatever the order of the bodies. */
void wi_task_of_sides(wit_query* query, const side* a, const side* b, search_task* task);

/*
 * What was found of a point, by a search or by a front, as the caller is told it: closest set, side, bracket with all errors,
 * work of the task. `told`: the side, where it is proved already; null: it is found here.
 */
void wi_point_answer(const search_task* task, search_answer* f, const point_sign* told, const wit_placed* a,
                     wit_vec3 point, double within, wit_closest* out);

/* May a list of so many results go to `out`? */
static inline bool room_given(const void* out, int capacity, const void* summary)
{
    return summary && capacity >= 0 && (out || !capacity);
}

/* What was found in the order of the task, in that of the caller. */
static inline void in_order_of_caller(const search_task* t, wit_witness* a, wit_witness* b, wit_vec3* normal)
{
    if (!t->swapped) return;
    wit_witness w = *a;
    *a = *b;
    *b = w;
    *normal = scale3(-1, *normal);
}

/* A place in world axes, the frame of the search standing at `frame`. */
wit_witness wi_witness_of(const place* p, const wit_pose* frame);

#endif
