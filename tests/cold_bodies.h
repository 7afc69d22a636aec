/* SPDX-License-Identifier: MIT */
/* The bodies that cold queries are judged on, at any scale: all models, a bump of 20 x 20 points, a cup of Bezier
 * patches, random trimmed faces. Each with its dense search and, where there is a formula, with what is inside. */
#ifndef TESTS_COLD_BODIES_H
#define TESTS_COLD_BODIES_H

#include "../include/witness/io.h"
#include "dense.h"
#include "random.h"

/* Is the point, of the body at scale 1, inside? */
typedef bool cold_inside(double x, double y, double z);

typedef struct cold_body {
    char name[48];
    wit_model* model; /* one of the two owns the body */
    wit_body* own;
    const wit_body* body;
    wit_body_info info;
    bool convex; /* proved within rounding of its size */
    double ball; /* radius, where it is a whole ball about `centre`; else 0 */
    dense* search;
    cold_inside* inside; /* null: a sheet */
    double scale;
    wit_vec3 centre; /* of the box; where it is unbounded, of its plane */
    double size;     /* diagonal; unbounded: 10 scales */
} cold_body;

enum { COLD_MODELS = 20, COLD_TRIMMED = 6, COLD_OWN = COLD_MODELS + 2 + COLD_TRIMMED };
enum { COLD_FOREIGN = 3, COLD_ROOM = COLD_OWN + COLD_FOREIGN };
/* Campaigns over foreign bodies come after those over our own and start from another seed: whether the files are there
 * changes nothing in what our own bodies are asked. */
enum { COLD_FOREIGN_SEED = 7000 };

/* A model of models/, by name. */
cold_body cold_model(const char* name, double scale);
cold_body cold_bump(double scale);
/* On a plane, cylinder, sphere, torus, paraboloid or spline (kind 0 to 5): a wavy outer border, one to four holes. */
cold_body cold_trimmed(rng* r, int kind, double scale);
/* All of ours; returns how many. */
int cold_all(double scale, uint64_t seed, cold_body out[COLD_OWN]);
/* The tea set, as far as its files are there (foreign.h); returns how many. */
int cold_foreign(double scale, cold_body out[COLD_FOREIGN]);
void cold_drop(cold_body* b);

/* Inside, for a point in the body's frame; false where there is no formula. */
static inline bool cold_holds(const cold_body* b, wit_vec3 p)
{
    return b->inside && b->inside(p.x / b->scale, p.y / b->scale, p.z / b->scale);
}

#endif
