/* SPDX-License-Identifier: MIT */
/* Certified queries, one at a time and over arrays. */
#include <math.h>

#include "bridge.h"

EXPORT(wb_query_create)
wit_query* wb_query_create(double tolerance, double within, int rigorous, int strict, double budget, int capacity)
{
    wit_query_def def = wit_query_default_def();
    if (!isnan(tolerance)) def.tolerance = tolerance;
    if (!isnan(within)) def.within = within;
    def.rigorous = rigorous;
    def.strict = strict;
    if (!isnan(budget)) def.budget = (int64_t)budget;
    if (capacity > 0) def.capacity = capacity;
    return wit_query_create(&def, NULL, bridge_error());
}

EXPORT(wb_query_free) void wb_query_free(wit_query* query)
{
    wit_query_destroy(query);
}

/* 28 doubles: distance, lower, upper, certified, outcome, reason, model tolerance, normal, a, b, sign, dimension of the
 * set, units of work, 1 unused. */
enum { CLOSEST_SIZE = 28 };

static void put_closest(double* to, const wit_closest* c)
{
    *to++ = c->distance;
    *to++ = c->lower_bound;
    *to++ = c->upper_bound;
    *to++ = c->certified;
    *to++ = c->outcome;
    *to++ = c->reason;
    *to++ = c->model_tolerance;
    to = bridge_put_vec(to, c->normal);
    to = bridge_put_witness(to, &c->a);
    to = bridge_put_witness(to, &c->b);
    *to++ = c->sign;
    *to++ = c->set.dimension;
    *to++ = (double)c->work.units;
    *to = 0;
}

/* `count` points of 3 doubles against a body where it stands; rows of CLOSEST_SIZE at `to`. The row that was refused is
 * named in the error. */
EXPORT(wb_closest_points)
int wb_closest_points(wit_query* query, const wit_body* body, const double* pose, int count, const double* points,
                      double* to)
{
    wit_placed a = wit_placed_at(body, bridge_pose(pose));
    for (int i = 0; i < count; i++) {
        wit_closest c;
        wit_status status = wit_closest_point(query, &a, bridge_vec(points + 3 * i), &c);
        if (status) return (int)bridge_fail(status, "point", "");
        put_closest(to + (size_t)CLOSEST_SIZE * (size_t)i, &c);
    }
    return 0;
}

/* `count` rows of two poses. */
EXPORT(wb_closest_pairs)
int wb_closest_pairs(wit_query* query, const wit_body* of_a, const wit_body* of_b, int count, const double* poses,
                     double* to)
{
    for (int i = 0; i < count; i++) {
        const double* row = poses + 2 * POSE_SIZE * i;
        wit_placed a = wit_placed_at(of_a, bridge_pose(row)), b = wit_placed_at(of_b, bridge_pose(row + POSE_SIZE));
        wit_closest c;
        wit_status status = wit_closest_pair(query, &a, &b, &c);
        if (status) return (int)bridge_fail(status, "pose", "");
        put_closest(to + (size_t)CLOSEST_SIZE * (size_t)i, &c);
    }
    return 0;
}
