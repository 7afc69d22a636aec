/* SPDX-License-Identifier: MIT */
#include "bound.h"

static wit_pose relative_pose(const wit_pose* a, const wit_pose* b)
{
    wit_pose inverse = wit_pose_inverse(a);
    return wit_pose_compose(&inverse, b);
}

void bound_set(wit_tracker* t, double lower, const wit_pose* a, const wit_pose* b)
{
    t->bound = lower;
    t->bound_at = relative_pose(a, b);
}

/* How far b is, in the frame of a, from where it was. The difference of two rigid motions is affine, so the farthest of the
 * box's points is a corner. */
double bound_now(const wit_tracker* t, const wit_pose* a, const wit_pose* b)
{
    if (!(t->bound > -INFINITY)) return -INFINITY;
    wit_pose now = relative_pose(a, b);
    const wit_body* body = t->body[1];
    if (!body) return t->bound - norm3(sub3(now.position, t->bound_at.position));
    if (body->unbounded) return -INFINITY;
    double most = 0;
    for (int k = 0; k < 8; ++k) {
        wit_vec3 c = vec3(k & 1 ? body->box.hi.x : body->box.lo.x, k & 2 ? body->box.hi.y : body->box.lo.y,
                          k & 4 ? body->box.hi.z : body->box.lo.z);
        most = fmax(most, norm3(sub3(wit_pose_point(&now, c), wit_pose_point(&t->bound_at, c))));
    }
    return t->bound - most;
}
