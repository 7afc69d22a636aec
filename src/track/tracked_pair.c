/* SPDX-License-Identifier: MIT */
/* The tracked pair at the end of the last step, for what is asked of it between steps: derivatives and the contact set. */
#include "../pair/contact_pair.h"

#include "../pair/contact_set.h"
#include "../pair/derivative.h"
#include "tracker_record.h"

#define NOWHERE 1e-14 /* of the size: a distance below has no sign */

static wit_moving_place tracked_place(const wit_tracker* t, int i)
{
    const place* at = &t->at[i];
    wit_motion motion = {t->last[i], t->last_twist[i], true};
    wit_moving_place p = {t->body[i], at->kind, at->id, at->x[0], at->x[1], motion};
    if (!t->body[i]) return p;
    /* closed parameters may have run on */
    int count = place_count(at);
    if (count == 0) p.u = 0;
    if (count < 2) p.v = 0;
    return p;
}

/* Signed as the tracker's distance; `places` is written, its motions are referred to. The normal is zero where there is none. */
static void tracked_pair(const wit_tracker* t, wit_form form, wit_moving_place places[2], contact_pair* out)
{
    for (int i = 0; i < 2; ++i) places[i] = tracked_place(t, i);
    wi_contact_pair_make(&places[0], &places[1], form, out);
    bool level = !(fabs(t->distance) > NOWHERE * out->size);
    if (!level && (out->distance < 0) != (t->distance < 0)) {
        out->normal = scale3(-1, out->normal);
        out->distance = -out->distance;
    }
    /* the distance from a two-sided sheet has a kink at touch */
    for (int i = 0; i < 2; ++i)
        if (level && t->body[i] && t->body[i]->kind == WIT_BODY_SHEET2) out->normal = vec3(0, 0, 0);
}

wit_status wit_tracker_derivatives(const wit_tracker* t, wit_derivatives* out)
{
    if (!t || !out || !t->started) return WIT_ERROR_ARGUMENT;
    wit_moving_place places[2];
    contact_pair p;
    tracked_pair(t, t->def.form, places, &p);
    wi_derive(&p, out);
    return WIT_OK;
}

wit_status wit_tracker_contact_set(const wit_tracker* t, wit_contact_set* out)
{
    if (!t || !out || !t->started) return WIT_ERROR_ARGUMENT;
    wit_moving_place places[2];
    contact_pair p;
    tracked_pair(t, WIT_FORM_CONTACT, places, &p);
    wi_contact_set(&p, out);
    return WIT_OK;
}
