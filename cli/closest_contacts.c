/* SPDX-License-Identifier: MIT */
/* --contacts: what holds two bodies against each other where they stand: the first step of a tracker lists it. */
#include <math.h>
#include <stdlib.h>

#include "closest.h"

enum { CONTACTS = 1024 };
#define WITHIN 1e-3 /* of the size of the smaller body, where --within does not tell */

static wit_motion standing(const closest_task* task, const closest_question* question, int side)
{
    const closest_side* s = &task->side[side];
    const wit_pose* model = &question->pose[side];
    return wit_motion_at_rest(s->moved ? wit_pose_compose(model, &s->stands) : *model);
}

int closest_contacts(const closest_task* task, const closest_question* question)
{
    closest_contact_list list = {.within = isfinite(task->def.within) ? task->def.within : WITHIN * task->size};
    wit_error e = {0};
    wit_track_def d = wit_track_default_def();
    d.contacts = CONTACTS;
    d.contacts_within = list.within;
    d.budget = task->def.budget < 64 ? 64 : task->def.budget;
    d.capacity = task->def.capacity;
    d.certify = task->def.tolerance;
    d.strict = task->def.strict;
    wit_tracker* t = wit_tracker_create(task->side[0].body, task->side[1].body, &d, NULL, &e);
    if (!t) {
        fprintf(stderr, "witness closest: %s\n", e.text);
        return EXIT_BAD_INPUT;
    }
    wit_motion a = standing(task, question, 0), b = standing(task, question, 1);
    wit_status status = wit_tracker_step(t, &a, &b, 1, &list.result);
    wit_tracked_contact* c = status ? NULL : malloc(CONTACTS * sizeof *c);
    int code = EXIT_BAD_INPUT;
    if (c) {
        out o = {0};
        list.count = wit_tracker_contacts(t, c, CONTACTS);
        list.state = wit_tracker_contacts_state(t);
        list.c = c;
        (task->json ? closest_contacts_json : closest_contacts_text)(&o, task, &list);
        code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
    } else {
        fprintf(stderr, "witness closest: %s\n", closest_refusal(task, status ? status : WIT_ERROR_MEMORY));
    }
    free(c);
    wit_tracker_destroy(t);
    return code;
}
