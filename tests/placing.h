/* SPDX-License-Identifier: MIT */
/* Poses and sheets in few words. Include it after cmocka.h. */
#ifndef TESTS_PLACING_H
#define TESTS_PLACING_H

#include "analytic.h"

static inline wit_pose at(double x, double y, double z)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, z);
    return p;
}

static inline wit_pose turned(double x, double y, double z, wit_vec3 axis, double angle)
{
    wit_pose p = at(x, y, z);
    p.rotation = wit_quat_about(axis, angle);
    return p;
}

/* A two-sided sheet of one surface with its natural borders. */
static inline wit_body* sheet_of(const wit_surface_def* d)
{
    wit_surface* s = surface_made(d);
    wit_face_def face = {.surface = s};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

#endif
