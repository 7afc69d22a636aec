/* SPDX-License-Identifier: MIT */
/* The closest set around the pair that a search found, within what is left of its budget. */
#include "../../pair/closest_set.h"

#include <string.h>

#include "../search_task.h"
#include "answer_set.h"

enum {
    LEAST_JETS = 4096, /* allowed whatever is left of the budget: an outcome is owed */
    MOST_JETS = 8192
};

bool wi_closest_set(const search_task* task, search_answer* at, double tolerance, wit_closest_set* out)
{
    memset(out, 0, sizeof *out);
    if (at->isolated) return false;
    int64_t jets = task->budget - task->work->nodes;
    jets = jets < LEAST_JETS ? LEAST_JETS : jets > MOST_JETS ? MOST_JETS : jets;
    if (task->units) {
        int64_t left = work_left(task->work, task->units);
        jets = left < jets ? left : jets;
        if (jets < 1) return false;
    }
    bool any = wi_walk_closest_set(&task->pair, &at->a, &at->b, tolerance, &jets, out);
    if (any) at->upper = norm3(sub3(at->a.p, at->b.p));
    return any;
}
