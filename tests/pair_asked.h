/* SPDX-License-Identifier: MIT */
/* Asking the dual search directly, bodies to ask about, and what must hold of every answer. */
#ifndef TESTS_PAIR_ASKED_H
#define TESTS_PAIR_ASKED_H

#include <stdio.h>
#include <stdlib.h>

#include "../src/query/sign/contain.h"
#include "../src/query/search_task.h"
#include "analytic.h"
#include "campaign.h"
#include "../src/query/search/pair_search.h"

enum { CAPACITY = 1 << 15 };

typedef struct asked {
    double tolerance, within;
    int64_t budget;
    int capacity;
    bool rigorous;
    bool apart;
} asked;

static const asked USUAL = {1e-9, INFINITY, 200000, CAPACITY, false, false};

static inline double size_of_coordinate(wit_vec3 p)
{
    return larger(fabs(p.x), larger(fabs(p.y), fabs(p.z)));
}

static inline double reach_of(const side* s)
{
    wit_box b = wi_side_box(s);
    double m = larger(size_of_coordinate(b.lo), size_of_coordinate(b.hi));
    return larger(m, size_of_coordinate(s->t));
}

static inline search_task task_for(const wit_body* a, wit_pose pose_a, const wit_body* b, wit_pose pose_b,
                                   const asked* how)
{
    wit_placed x = {a, pose_a, NULL}, y = {b, pose_b, NULL};
    search_task t;
    memset(&t, 0, sizeof t);
    t.a = wi_side_of(&x, &pose_a, NULL);
    t.b = wi_side_of(&y, &pose_a, NULL);
    t.size = smaller(a->size, b->size);
    t.floor = 32 * DBL_EPSILON * larger(reach_of(&t.a), reach_of(&t.b));
    t.tolerance = how->tolerance;
    t.within = how->within;
    t.budget = how->budget;
    t.rigorous = how->rigorous;
    t.apart = how->apart;
    return t;
}

static inline search_answer ask(const wit_body* a, wit_pose pose_a, const wit_body* b, wit_pose pose_b,
                                const asked* how)
{
    search_task t = task_for(a, pose_a, b, pose_b, how);
    t.memory.bytes = wi_pair_search_bytes(how->capacity);
    t.memory.memory = malloc(t.memory.bytes);
    assert_non_null(t.memory.memory);
    search_answer f;
    wi_pair_search(&t, &f);
    free(t.memory.memory);
    return f;
}

/* ---- bodies -------------------------------------------------------------------------------- */

static inline wit_body* solid(wit_solid_def def)
{
    wit_error e = {0};
    wit_body* b = wit_solid_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static inline wit_body* box(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x, d.size_y = y, d.size_z = z;
    return solid(d);
}

static inline wit_body* round_solid(wit_solid_kind kind, double radius, double radius2, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.radius = radius, d.radius2 = radius2, d.height = height;
    return solid(d);
}

static inline wit_body* ellipsoid(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = x, d.size_y = y, d.size_z = z;
    return solid(d);
}

static inline wit_body* random_body(rng* r, double scale)
{
    double x = scale * rng_range(r, 0.3, 1.5);
    double y = scale * rng_range(r, 0.3, 1.5);
    double z = scale * rng_range(r, 0.3, 1.5);
    switch (rng_int(r, 8)) {
    case 0:
        return box(x, y, z);
    case 1:
        return round_solid(WIT_SOLID_SPHERE, x, 0, 0);
    case 2:
        return ellipsoid(x, y, z);
    case 3:
        return round_solid(WIT_SOLID_CYLINDER, x, 0, y);
    case 4:
        return round_solid(WIT_SOLID_CONE, x, 0, y);
    case 5:
        return round_solid(WIT_SOLID_FRUSTUM, x, 0.5 * x, y);
    case 6:
        return round_solid(WIT_SOLID_CAPSULE, x, 0, y);
    default:
        return round_solid(WIT_SOLID_TORUS, x + y, 0.5 * x, 0);
    }
}

static inline wit_pose at(double x, double y, double z)
{
    wit_pose p = wit_pose_identity();
    p.position = vec3(x, y, z);
    return p;
}

static inline wit_pose random_pose(rng* r, double nearest, double farthest)
{
    wit_pose p;
    p.position = random_vector(r, nearest, farthest);
    wit_vec3 axis = random_unit(r);
    p.rotation = wit_quat_about(axis, rng_range(r, 0, 6));
    return p;
}

/* ---- what must hold of every answer -------------------------------------------------------- */

static inline void check_places(const search_task* t, const search_answer* f, double slack)
{
    const place* p[2] = {&f->a, &f->b};
    const side* s[2] = {&t->a, &t->b};
    for (int k = 0; k < 2; ++k) {
        wit_surface_jet j;
        wi_side_jet(s[k], p[k], WIT_KNOT_DEFAULT, NULL, &j);
        assert_true(norm3(sub3(j.p, p[k]->p)) <= slack);
    }
    /* rigorous: upper holds the errors of the places too, of which enclosures keep some 1e-14 each */
    double over = f->upper - norm3(sub3(f->a.p, f->b.p));
    assert_true(over >= -slack && over <= slack + (t->rigorous ? 1e3 * t->floor : 0));
}

static inline void expect_closed(const char* what, const search_answer* f, double truth, double tolerance,
                                 double rounding)
{
    bool right = f->end == SEARCH_CLOSED && f->lower <= truth + rounding && f->upper >= truth - rounding &&
                 f->upper <= truth + rounding && f->upper - f->lower <= tolerance + rounding;
    if (!right)
        fail_msg("%s: end %d, [%.17g, %.17g], truth %.17g, %ld pairs", what, (int)f->end, f->lower, f->upper, truth,
                 (long)f->work.nodes);
}

#endif
