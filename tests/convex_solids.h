/* SPDX-License-Identifier: MIT */
/* Convex solids with support functions of their own, from the formulas of their kinds. Include it after cmocka.h. */
#ifndef TESTS_CONVEX_SOLIDS_H
#define TESTS_CONVEX_SOLIDS_H

#include "../include/witness/query.h"
#include "analytic.h"

enum { CONVEX_KINDS = 6 };

typedef struct convex_solid {
    wit_body* body;
    wit_solid_kind kind;
    double x, y, z; /* half sizes, semi-axes; or radius in x, height in z */
} convex_solid;

static const wit_solid_kind convex_kinds[CONVEX_KINDS] = {WIT_SOLID_ELLIPSOID, WIT_SOLID_CYLINDER, WIT_SOLID_BOX,
                                                          WIT_SOLID_CAPSULE,   WIT_SOLID_CONE,     WIT_SOLID_SPHERE};

static inline convex_solid convex_solid_of(wit_solid_kind kind, double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(kind);
    convex_solid s = {NULL, kind, x, y, z};
    bool box = kind == WIT_SOLID_BOX;
    d.size_x = box ? 2 * x : x;
    d.size_y = box ? 2 * y : y;
    d.size_z = box ? 2 * z : z;
    d.radius = x;
    d.height = z;
    s.body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(s.body);
    return s;
}

/* Sizes from `size` to twice that. */
static inline convex_solid convex_solid_random(rng* r, wit_solid_kind kind, double size)
{
    double x = rng_range(r, 0.5, 1) * size, y = rng_range(r, 0.5, 1) * size;
    bool tall = kind == WIT_SOLID_CYLINDER || kind == WIT_SOLID_CAPSULE || kind == WIT_SOLID_CONE;
    double z = rng_range(r, 0.5, 1) * size * (tall ? 2 : 1);
    return convex_solid_of(kind, x, y, z);
}

/* h(n) in the frame of the solid. */
static inline double convex_support(const convex_solid* s, wit_vec3 n)
{
    double flat = sqrt(n.x * n.x + n.y * n.y), up = n.z > 0 ? n.z * s->z : 0;
    switch (s->kind) {
    case WIT_SOLID_BOX:
        return fabs(n.x) * s->x + fabs(n.y) * s->y + fabs(n.z) * s->z;
    case WIT_SOLID_SPHERE:
        return s->x * norm3(n);
    case WIT_SOLID_ELLIPSOID:
        return norm3(vec3(n.x * s->x, n.y * s->y, n.z * s->z));
    case WIT_SOLID_CYLINDER:
        return s->x * flat + up;
    case WIT_SOLID_CAPSULE:
        return s->x * norm3(n) + up;
    default: /* CONE */
        return fmax(s->x * flat, n.z * s->z);
    }
}

/* h_a(n) + h_b(-n) in the world. */
static inline double convex_sum(const convex_solid* a, const wit_pose* at_a, const convex_solid* b,
                                const wit_pose* at_b, wit_vec3 n)
{
    wit_vec3 back = scale3(-1, n);
    return convex_support(a, wit_pose_unvector(at_a, n)) + convex_support(b, wit_pose_unvector(at_b, back)) +
           dot3(n, sub3(at_a->position, at_b->position));
}

/* A direction of small s: samples over the sphere, then random ones around the best, ever nearer. An upper bound of the depth. */
static inline double convex_sum_least(rng* r, const convex_solid* a, const wit_pose* at_a, const convex_solid* b,
                                      const wit_pose* at_b, int samples, wit_vec3* where)
{
    double best = INFINITY, reach = 4 / sqrt((double)samples);
    wit_vec3 n = {0, 0, 1};
    for (int i = 0; i < samples; ++i) {
        double z = 1 - (2.0 * i + 1) / samples, w = sqrt(1 - z * z), angle = 2.399963229728653 * i;
        wit_vec3 m = vec3(w * cos(angle), w * sin(angle), z);
        double s = convex_sum(a, at_a, b, at_b, m);
        if (s < best) best = s, n = m;
    }
    while (reach > 1e-12) {
        bool better = false;
        for (int i = 0; i < 12; ++i) {
            wit_vec3 m = unit3(addscaled3(n, reach * rng_double(r), random_unit(r)));
            double s = convex_sum(a, at_a, b, at_b, m);
            if (s < best) best = s, n = m, better = true;
        }
        if (!better) reach *= 0.6;
    }
    *where = n;
    return best;
}

static inline wit_pose random_place(rng* r, double far)
{
    wit_pose p = {random_vector(r, 0, far), wit_quat_about(random_unit(r), 0)};
    wit_vec3 axis = random_unit(r);
    p.rotation = wit_quat_about(axis, rng_range(r, 0, 6.28));
    return p;
}

#endif
