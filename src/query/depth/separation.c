/* SPDX-License-Identifier: MIT */
#include "separation.h"

#include "../half_space.h"
#include "support.h"

/* h(n) of the box of a body, in the frame of the search. */
static double box_support(const side* s, wit_vec3 n)
{
    return box_most(&s->body->box, side_unvector(s, n)) + (s->moved ? dot3(n, s->t) : 0);
}

/* Rounding of a support, and how far edges may be off what the boxes hold. */
static double slack_of(const search_task* t)
{
    return t->a.body->tolerance + t->b.body->tolerance + t->floor;
}

typedef struct separating {
    const search_task* task;
    double least;
    wit_vec3 best;
    wit_work* work;
} separating;

static void try_direction(separating* s, wit_vec3 n)
{
    n = unit3(n);
    if (!(dot3(n, n) > 0) || !task_may(s->task, s->work)) return;
    work_nodes(s->work, 1);
    double sum = box_support(&s->task->a, n) + box_support(&s->task->b, scale3(-1, n));
    if (!(sum < s->least)) return;
    s->least = sum;
    s->best = n;
}

static void try_both_ways(separating* s, wit_vec3 n)
{
    try_direction(s, n);
    try_direction(s, scale3(-1, n));
}

static void try_axes(separating* s, const side* of)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const wit_body* b = of->body;
    for (int k = 0; k < 3; ++k) {
        wit_vec3 e = axes[k];
        if (b->planar) {
            const shape_frame* f = &body_surface(b, 0)->frame;
            e = k == 0 ? f->x : k == 1 ? f->y : add3(f->x, f->y);
        }
        try_both_ways(s, side_vector(of, e));
    }
}

/* A half-space is left along its normal only. */
static double from_half_space(const search_task* t, bool first)
{
    const side *half = first ? &t->a : &t->b, *other = first ? &t->b : &t->a;
    const shape_frame* plane = wi_half_space(half);
    wit_vec3 m;
    if (!plane || !other->body->bounded || side_spent(half, 1) || !wi_side_normal(half, 0, 0, 0, &m)) return INFINITY;
    return dot3(m, side_point(half, plane->o)) + box_support(other, scale3(-1, m)) + slack_of(t);
}

double wi_separation_of_boxes(const search_task* t, wit_vec3 hint, wit_vec3* best, wit_work* work)
{
    separating s = {.task = t, .least = INFINITY, .work = work};
    *best = vec3(0, 0, 0);
    if (t->a.body->unbounded || t->b.body->unbounded) return from_half_space(t, t->a.body->unbounded);
    if (!t->a.body->bounded || !t->b.body->bounded) return INFINITY;
    wit_box a = wi_side_box(&t->a), b = wi_side_box(&t->b);
    try_axes(&s, &t->a);
    try_axes(&s, &t->b);
    if (!t->a.body->planar) try_direction(&s, sub3(add3(b.lo, b.hi), add3(a.lo, a.hi)));
    try_direction(&s, hint);
    *best = s.best;
    return s.least + slack_of(t);
}

/* From the supports of the bodies themselves. */
static double support_sum(const search_task* t, wit_vec3 n, wit_work* work)
{
    enum { CUTS = 256 };
    wit_vec3 back = scale3(-1, n);
    double sum = slack_of(t), value;
    if (!task_may_spend(t, work, 2 * CUTS)) return INFINITY;
    value = wi_support_of(&t->a, n, work).value;
    sum += wi_support_upper(&t->a, n, value, 0.5 * t->floor, CUTS, work);
    if (!task_may_spend(t, work, 2 * CUTS)) return INFINITY;
    value = wi_support_of(&t->b, back, work).value;
    return sum + wi_support_upper(&t->b, back, value, 0.5 * t->floor, CUTS, work);
}

wit_vec3 wi_way_out(const search_task* t, wit_vec3 n)
{
    if (!t->a.body->planar) return n;
    wit_vec3 z = side_vector(&t->a, body_surface(t->a.body, 0)->frame.z), flat = addscaled3(n, -dot3(n, z), z);
    return norm3(flat) > 1e-9 * norm3(n) ? unit3(flat) : vec3(0, 0, 0);
}

double wi_separation(const search_task* t, wit_vec3 hint, wit_work* work)
{
    wit_vec3 best;
    hint = wi_way_out(t, hint);
    double least = wi_separation_of_boxes(t, hint, &best, work);
    if (t->a.body->unbounded || t->b.body->unbounded || !(least < INFINITY)) return least;
    hint = unit3(hint);
    if (dot3(hint, hint) > 0) least = smaller(least, support_sum(t, hint, work));
    if (dot3(best, best) > 0 && least > 0) least = smaller(least, support_sum(t, best, work));
    return least;
}
