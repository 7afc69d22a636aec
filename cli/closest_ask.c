/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "closest.h"

enum { MINIMA_AT_FIRST = 64, MINIMA_AT_MOST = 1 << 20 };

wit_placed closest_placed(const closest_task* task, const closest_question* question, int side)
{
    const closest_side* s = &task->side[side];
    const wit_pose* model = &question->pose[side];
    wit_placed p = wit_placed_at(s->body, s->moved ? wit_pose_compose(model, &s->stands) : *model);
    if (s->only) p.mask = &s->mask;
    return p;
}

static bool room_for_minima(closest_worker* worker, int count)
{
    if (count <= worker->capacity) return true;
    wit_minimum* grown = realloc(worker->minima, (size_t)count * sizeof *grown);
    if (!grown) return false;
    worker->minima = grown;
    worker->capacity = count;
    return true;
}

/* Every local minimum; asked again with room for all where there are more than expected. */
static wit_status ask_all(const closest_task* task, closest_worker* worker, const closest_question* question,
                          wit_minima_summary* summary)
{
    wit_placed a = closest_placed(task, question, 0);
    wit_placed b = task->pair ? closest_placed(task, question, 1) : a;
    int count = MINIMA_AT_FIRST;
    for (;;) {
        if (!room_for_minima(worker, count)) return WIT_ERROR_MEMORY;
        wit_status status =
            task->pair
                ? wit_minima_pair(worker->query, &a, &b, worker->minima, worker->capacity, summary)
                : wit_minima_point(worker->query, &a, question->point, worker->minima, worker->capacity, summary);
        if (status || summary->count <= worker->capacity || summary->count > MINIMA_AT_MOST) return status;
        count = summary->count;
    }
}

void closest_ask(const closest_task* task, closest_worker* worker, const closest_question* question,
                 closest_answer* answer)
{
    memset(answer, 0, sizeof *answer);
    if (!worker->query) worker->query = wit_query_create(&task->def, NULL, NULL);
    if (!worker->query) {
        answer->status = WIT_ERROR_MEMORY;
        return;
    }
    wit_placed a = closest_placed(task, question, 0);
    if (task->all) {
        answer->status = ask_all(task, worker, question, &answer->summary);
    } else if (task->pair) {
        wit_placed b = closest_placed(task, question, 1);
        answer->status = wit_closest_pair(worker->query, &a, &b, &answer->closest);
    } else {
        answer->status = wit_closest_point(worker->query, &a, question->point, &answer->closest);
    }
}

const char* closest_refusal(const closest_task* task, wit_status status)
{
    bool planar =
        wit_body_describe(task->side[0].body).planar || (task->pair && wit_body_describe(task->side[1].body).planar);
    if (status == WIT_ERROR_RANGE && planar)
        return task->pair ? "a planar body is taken out of its plane: the planes of both bodies have to be one"
                          : "the point is not in the plane of the planar body";
    if (status == WIT_ERROR_NUMBER) return "a coordinate is too large";
    return wit_status_text(status);
}

void closest_worker_release(void* worker)
{
    closest_worker* w = worker;
    wit_query_destroy(w->query);
    free(w->minima);
    memset(w, 0, sizeof *w);
}

const char* closest_feature_name(const closest_task* task, int side, const wit_witness* w)
{
    const wit_body* body = task->side[side].body;
    if (!body || w->id < 0) return "";
    return w->feature == WIT_FACE     ? wit_body_face(body, w->id).name
           : w->feature == WIT_EDGE   ? wit_body_edge(body, w->id).name
           : w->feature == WIT_VERTEX ? wit_body_vertex(body, w->id).name
                                      : "";
}

bool closest_found(const wit_closest* c)
{
    /* A budget of a few nodes may end before any pair was looked at. */
    return c->outcome != WIT_OUTCOME_BEYOND && c->outcome != WIT_OUTCOME_EMPTY && isfinite(c->distance) &&
           isfinite(c->upper_bound);
}
