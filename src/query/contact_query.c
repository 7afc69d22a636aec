/* SPDX-License-Identifier: MIT */
/* Local contacts, as asked and answered in the world. */
#include <string.h>

#include "depth/contact.h"
#include "depth/separation.h"
#include "sign/contain.h"
#include "../pair/local_minimum.h"
#include "half_space.h"
#include "query_record.h"

/* Of convex bodies or not: how far the hulls are in each other bounds what is looked for. Apart: *normal may show it. */
static bool reach_of(const search_task* t, wit_work* work, double* reach, wit_vec3* normal)
{
    penetration d;
    if (!wi_penetration_search(t, INFINITY, larger(task_tolerance(t, 0), 1e-3 * t->size), work, &d)) return false;
    *normal = d.normal;
    *reach = d.upper;
    return !d.apart;
}

/* A plane across n, or another, lies between the bodies: by bounds of their supports, and wherever rounding has put them. */
static bool proved_apart(const search_task* t, wit_vec3 n)
{
    return wi_separation(t, n, t->work) < -task_error(t);
}

static wit_contact to_world(const search_task* t, const local_contact* c, const wit_pose* frame)
{
    wit_contact r = {.depth = c->depth, .normal = wit_pose_vector(frame, c->normal)};
    r.a = wi_witness_of(&c->a, frame);
    r.b = wi_witness_of(&c->b, frame);
    in_order_of_caller(t, &r.a, &r.b, &r.normal);
    return r;
}

wit_status wit_contacts_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_contact* out, int capacity,
                             wit_contacts_summary* summary)
{
    if (!room_given(out, capacity, summary)) return WIT_ERROR_ARGUMENT;
    wit_contacts_summary s = {0};
    contact_list list = {.count = 0};
    search_task task;
    wit_status status = wi_task_of_pair(query, a, b, &task);
    if (status) return status;
    if (!side_has_inside(&task.a) || !side_has_inside(&task.b)) return WIT_ERROR_UNSUPPORTED;
    bool half_space = task.a.body->unbounded || task.b.body->unbounded;
    if (task.a.body->unbounded && task.b.body->unbounded) return WIT_ERROR_UNSUPPORTED;
    double reach = 0;
    wit_vec3 n = vec3(0, 0, 0);
    if (half_space)
        wi_half_space_contact(&task, task.work, &list);
    else if (!wi_plane_between(&task, task.work, &n) && reach_of(&task, task.work, &reach, &n))
        wi_contact_search(&task, reach, task.work, &list);
    s.complete = !list.count && !task_is_estimate(&task) && proved_apart(&task, n);
    s.count = list.count;
    for (int k = 0; k < list.count && k < capacity; ++k)
        out[k] = to_world(&task, &list.c[k], task.swapped ? &b->pose : &a->pose);
    s.work = *task.work;
    *summary = s;
    return WIT_OK;
}
