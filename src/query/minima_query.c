/* SPDX-License-Identifier: MIT */
/* Every local minimum, as asked and answered in the world. */
#include <string.h>

#include "sign/contain.h"
#include "half_space.h"
#include "query_record.h"
#include "search/minima.h"
#include "sign/sign.h"

static void to_world(wit_minimum* m, const wit_pose* frame)
{
    m->a.point = wit_pose_point(frame, m->a.point);
    m->b.point = wit_pose_point(frame, m->b.point);
    m->normal = wit_pose_vector(frame, m->normal);
    for (int k = 0; k < m->set.dimension; ++k) m->set.direction[k] = wit_pose_vector(frame, m->set.direction[k]);
}

/* The side of the body that the point lies on is that of the nearest minimum: the sign is one for all. */
static void put_signs(const search_task* t, wit_minimum* out, int count, wit_minima_summary* summary)
{
    if (!count) return;
    const wit_witness* w = &out[0].a;
    search_answer f = {.end = SEARCH_CLOSED, .upper = out[0].distance};
    f.lower = smaller(f.upper, summary->lower_bound);
    f.a = place_at(w->feature, w->id, w->u, w->v, w->point);
    if (wi_point_sign(t, &t->a, t->b.t, &f, t->work).sign >= 0) return;
    for (int k = 0; k < count; ++k) {
        out[k].distance = -out[k].distance;
        out[k].normal = scale3(-1, out[k].normal);
    }
}

wit_status wit_minima_point(wit_query* query, const wit_placed* a, wit_vec3 point, wit_minimum* out, int capacity,
                            wit_minima_summary* summary)
{
    search_task task;
    if (!room_given(out, capacity, summary)) return WIT_ERROR_ARGUMENT;
    wit_status status = wi_task_of_point(query, a, point, &task);
    if (status) return status;
    memset(summary, 0, sizeof *summary);
    wi_minima_search(&task, out, capacity, summary);
    work_add(task.work, &summary->work);
    if (task_is_estimate(&task)) summary->complete = false;
    int written = summary->count < capacity ? summary->count : capacity;
    /* a cut-off may have left out the minimum that is nearest; it decides only if it is there */
    if (!a->mask) put_signs(&task, out, written, summary);
    for (int k = 0; k < written; ++k) {
        to_world(&out[k], &a->pose);
        out[k].b.point = point;
    }
    summary->work = *task.work;
    return WIT_OK;
}

/* Solids that touch and share inner points besides: they overlap, and what lies at distance 0 is no gap. */
static void drop_shared(const search_task* t, wit_minimum* out, int capacity, wit_minima_summary* summary)
{
    place in_a, in_b;
    int written = summary->count < capacity ? summary->count : capacity, zero = 0;
    while (zero < written && out[zero].distance <= task_tolerance(t, out[zero].distance)) ++zero;
    if (!zero || summary->overlapping || !wi_solids_share_inside(t, t->work, &in_a, &in_b)) return;
    summary->overlapping = true;
    summary->count -= zero;
    memmove(out, out + zero, (size_t)(written - zero) * sizeof *out);
}

wit_status wit_minima_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_minimum* out, int capacity,
                           wit_minima_summary* summary)
{
    search_task task;
    if (!room_given(out, capacity, summary)) return WIT_ERROR_ARGUMENT;
    wit_status status = wi_task_of_pair(query, a, b, &task);
    if (status) return status;
    if (a->body->unbounded && b->body->unbounded) return wi_half_space_minima(query, a, b, out, capacity, summary);
    place in_a, in_b;
    search_task share = task_share(&task, task.work, (task.budget + 1) / 2);
    holding in = wi_solid_holds(&share, &task.a, &task.b, task.work, &in_a, &in_b);
    if (in != HOLDS) in = holding_of_both(in, wi_solid_holds(&share, &task.b, &task.a, task.work, &in_b, &in_a));
    memset(summary, 0, sizeof *summary);
    if (in == HOLDS) {
        summary->overlapping = true;
        summary->complete = !task_is_estimate(&task);
        summary->work = *task.work;
        return WIT_OK;
    }
    search_task rest = task_keeping(&task, task.work);
    if (in == HOLDS_PERHAPS) rest.within = INFINITY;
    wi_minima_search(&rest, out, capacity, summary);
    work_add(task.work, &summary->work);
    if (in == HOLDS_PERHAPS) summary->lower_bound = 0, summary->complete = false;
    if (task_is_estimate(&task)) summary->complete = false;
    drop_shared(&task, out, capacity, summary);
    int written = summary->count < capacity ? summary->count : capacity;
    for (int k = 0; k < written; ++k) {
        to_world(&out[k], task.swapped ? &b->pose : &a->pose);
        in_order_of_caller(&task, &out[k].a, &out[k].b, &out[k].normal);
    }
    summary->work = *task.work;
    return WIT_OK;
}
