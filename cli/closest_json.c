/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "closest.h"

static void put_vector(out* o, const char* key, wit_vec3 p)
{
    double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void put_null(out* o, const char* key)
{
    out_put_number(o, key, HUGE_VAL); /* not finite is written as null */
}

static void put_witness(out* o, const closest_task* task, int side, const wit_witness* w)
{
    out_open(o, side ? "b" : "a", '{');
    out_put_string(o, "feature", wit_feature_kind_name(w->feature));
    out_put_integer(o, "id", w->id);
    out_put_string(o, "name", closest_feature_name(task, side, w));
    out_put_number(o, "u", w->u);
    out_put_number(o, "v", w->v);
    put_vector(o, "point", w->point);
    out_close(o, '}');
}

/* Only where the closest set is more than a point. */
static void put_set(out* o, const wit_closest_set* set)
{
    if (set->dimension == 0) return;
    out_open(o, "set", '{');
    out_put_integer(o, "dimension", set->dimension);
    out_open(o, "directions", '[');
    for (int i = 0; i < set->dimension; i++) {
        out_open(o, NULL, '{');
        put_vector(o, "direction", set->direction[i]);
        double extent[2] = {set->extent[i].lo, set->extent[i].hi};
        out_put_numbers(o, "extent", extent, 2);
        out_put_bool(o, "closed", set->closed[i]);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_close(o, '}');
}

static void put_work(out* o, const wit_work* work)
{
    out_open(o, "work", '{');
    out_put_integer(o, "nodes", work->nodes);
    out_put_integer(o, "jets", work->jets);
    out_put_integer(o, "solves", work->solves);
    out_put_integer(o, "peak", work->peak);
    out_close(o, '}');
}

static void put_minima(out* o, const closest_task* task, const closest_worker* worker, const wit_minima_summary* sum)
{
    int kept = sum->count < worker->capacity ? sum->count : worker->capacity;
    out_open(o, "minima", '[');
    for (int i = 0; i < kept; i++) {
        const wit_minimum* m = &worker->minima[i];
        out_open(o, NULL, '{');
        out_put_number(o, "distance", m->distance);
        out_put_string(o, "kind", m->set.dimension ? "continuum" : "minimum");
        out_put_bool(o, "proved", m->proved);
        put_vector(o, "normal", m->normal);
        put_witness(o, task, 0, &m->a);
        put_witness(o, task, 1, &m->b);
        put_set(o, &m->set);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_put_integer(o, "count", sum->count);
    out_put_bool(o, "complete", sum->complete);
    out_put_bool(o, "overlapping", sum->overlapping);
    out_put_number(o, "lower_bound", sum->lower_bound);
    put_work(o, &sum->work);
}

void closest_json(out* o, const closest_task* task, const closest_worker* worker, const closest_answer* answer)
{
    const wit_closest* c = &answer->closest;
    o->comma = false;
    out_open(o, NULL, '{');
    if (task->all) {
        put_minima(o, task, worker, &answer->summary);
    } else {
        bool found = closest_found(c);
        out_put_number(o, "distance", found ? c->distance : HUGE_VAL);
        out_put_number(o, "lower_bound", c->lower_bound);
        out_put_number(o, "upper_bound", c->upper_bound);
        out_put_bool(o, "certified", c->certified);
        out_put_string(o, "reason", wit_reason_name(c->reason));
        out_put_number(o, "model_tolerance", c->model_tolerance);
        out_put_string(o, "outcome", wit_outcome_name(c->outcome));
        if (found) {
            put_vector(o, "normal", c->normal);
            put_witness(o, task, 0, &c->a);
            put_witness(o, task, 1, &c->b);
        } else {
            put_null(o, "normal");
            put_null(o, "a");
            put_null(o, "b");
        }
        out_put_string(o, "sign", wit_sign_name(c->sign));
        put_set(o, &c->set);
        put_work(o, &c->work);
    }
    out_close(o, '}');
    out_text(o, "\n");
}

void closest_contacts_json(out* o, const closest_task* task, const closest_contact_list* list)
{
    const wit_result* r = &list->result;
    bool beyond = r->flags & WIT_FLAG_BEYOND;
    o->comma = false;
    out_open(o, NULL, '{');
    out_open(o, "contacts", '[');
    for (int i = 0; i < list->count; i++) {
        const wit_tracked_contact* c = &list->c[i];
        out_open(o, NULL, '{');
        out_put_number(o, "distance", c->distance);
        out_put_integer(o, "group", c->group);
        out_put_bool(o, "holding", c->flags & WIT_CONTACT_HOLDING);
        put_vector(o, "normal", c->normal);
        put_witness(o, task, 0, &c->a);
        put_witness(o, task, 1, &c->b);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_put_integer(o, "count", list->count);
    out_put_number(o, "within", list->within);
    out_put_bool(o, "complete", list->state.complete);
    out_put_bool(o, "full", list->state.full);
    out_put_number(o, "distance", beyond ? HUGE_VAL : r->distance);
    out_put_string(o, "outcome", wit_outcome_name(r->outcome));
    out_put_bool(o, "certified", r->flags & WIT_FLAG_CERTIFIED);
    put_work(o, &r->work);
    out_close(o, '}');
    out_text(o, "\n");
}
