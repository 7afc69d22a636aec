/* SPDX-License-Identifier: MIT */
/* Both bodies in the frame of a. */
#include "pair_motion.h"

#include <string.h>

void wi_pair_motion_make(const wit_body* a, const wit_body* b, const wit_motion* ma, const wit_motion* mb,
                         pair_motion* out)
{
    memset(out, 0, sizeof *out);
    out->frame = ma->pose;
    wit_placed pa = wit_placed_at(a, ma->pose), pb = wit_placed_at(b, mb->pose);
    out->side[0] = wi_side_of(&pa, &ma->pose, NULL);
    out->side[1] =
        b ? wi_side_of(&pb, &ma->pose, NULL) : wi_side_of_point(wit_pose_unpoint(&ma->pose, mb->pose.position));
    if (a->unbounded) wi_side_clip(&out->side[0], &out->side[1]);
    if (b && b->unbounded) wi_side_clip(&out->side[1], &out->side[0]);
    /* v_B - v_A where the origin of a stands, and how it grows from there. A point has its own velocity and no spin. */
    wit_vec3 spin = sub3(b ? mb->twist.angular : vec3(0, 0, 0), ma->twist.angular);
    wit_vec3 at_origin = sub3(mb->twist.velocity, ma->twist.velocity);
    if (b) at_origin = add3(at_origin, cross3(mb->twist.angular, sub3(ma->pose.position, mb->pose.position)));
    out->velocity = wit_pose_unvector(&ma->pose, at_origin);
    out->angular = wit_pose_unvector(&ma->pose, spin);
}

unsigned wi_pair_motion_at_side(const pair_motion* s, int which, const place* at, unsigned below, wit_hint* hint,
                                moving* out)
{
    wit_surface_jet j;
    unsigned flags = wi_side_jet(&s->side[which], at, below, hint, &j);
    out->count = place_count(at);
    out->p = j.p;
    out->d[0] = j.du;
    out->d[1] = j.dv;
    out->dd[0] = j.duu;
    out->dd[1] = j.duv;
    out->dd[2] = j.dvv;
    out->face = at->kind == WIT_FACE;
    out->reversed = out->face && body_faces(s->side[which].body)[at->id].reversed;
    out->velocity = which ? add3(s->velocity, cross3(s->angular, j.p)) : vec3(0, 0, 0);
    out->angular = which ? s->angular : vec3(0, 0, 0);
    return flags;
}

unsigned wi_pair_motion_at(const pair_motion* s, int which, const place* at, wit_hint* hint, moving* out)
{
    return wi_pair_motion_at_side(s, which, at, WIT_KNOT_DEFAULT, hint, out);
}
