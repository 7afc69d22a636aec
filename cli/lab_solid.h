/* SPDX-License-Identifier: MIT */
/*
 * Solids of about 20 cm with random points of their surfaces and their support functions: what is needed to set two of
 * them at a distance that is known beforehand.
 */
#ifndef CLI_LAB_SOLID_H
#define CLI_LAB_SOLID_H

#include <stdint.h>

#include "../include/witness/body.h"

#define LAB_SOLID_LIST(X)                                                                                              \
    X(LAB_SPHERE, "sphere")                                                                                            \
    X(LAB_ELLIPSOID, "ellipsoid")                                                                                      \
    X(LAB_BOX, "box")                                                                                                  \
    X(LAB_CYLINDER, "cylinder")                                                                                        \
    X(LAB_CAPSULE, "capsule")                                                                                          \
    X(LAB_CONE, "cone")                                                                                                \
    X(LAB_TORUS, "torus")                                                                                              \
    X(LAB_HALF_SPACE, "half-space")

typedef enum lab_solid {
#define LAB_SOLID_ENUM(id, name) id,
    LAB_SOLID_LIST(LAB_SOLID_ENUM)
#undef LAB_SOLID_ENUM
        LAB_SOLIDS
} lab_solid;

const char* lab_solid_name(lab_solid solid);
/* In metres. Null: no memory. */
wit_body* lab_solid_create(lab_solid solid);

/* Random numbers, the same on every machine (splitmix64). */
typedef struct lab_random {
    uint64_t state;
} lab_random;

double lab_uniform(lab_random* r);     /* in [0, 1) */
wit_vec3 lab_direction(lab_random* r); /* uniform on the sphere */
wit_quat lab_rotation(lab_random* r);  /* uniform */

/* A point of the surface and a unit vector of its normal cone: on a face, an edge or a vertex, each kind as often. */
void lab_solid_witness(lab_solid solid, lab_random* r, wit_vec3* point, wit_vec3* normal);
/* max over the solid of n . p; infinite where there is none. */
double lab_solid_support(lab_solid solid, wit_vec3 n);

#endif
