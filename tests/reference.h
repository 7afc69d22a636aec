/* SPDX-License-Identifier: MIT */
/* Distances computed in 40-digit arithmetic, independently of this library: tests/data/reference.json. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include "../include/witness/body.h"

/* The patch of Table I and a point. */
typedef struct reference_point {
    wit_vec3 q, p;
    double u, v, distance;
    wit_feature_kind feature;
    int minima;
} reference_point;

typedef struct reference_ellipsoids {
    wit_vec3 axes[2], points[2];
    wit_pose poses[2];
    double distance;
} reference_ellipsoids;

/* The pen above the bowl: moved along a line by Y, or turned at its tip by degrees. */
enum { REFERENCE_PAIRS = 4 };
typedef struct reference_pose {
    const char* list; /* "table1", ... */
    bool turned;
    double value; /* Y or degrees */
    wit_pose pen;
    double distance;
    int pairs; /* equally good ones */
    char pen_feature[REFERENCE_PAIRS][8], bowl_feature[REFERENCE_PAIRS][8];
    wit_vec3 pen_point[REFERENCE_PAIRS], bowl_point[REFERENCE_PAIRS]; /* each in its own frame */
    bool continuum;                                                   /* the pairs are samples of a curve */
} reference_pose;

typedef struct reference {
    int points, ellipsoids, poses;
    reference_point* point;
    reference_ellipsoids* ellipsoid;
    reference_pose* pose;
} reference;

/* Fails the test if the file is not there or is not what it should be. */
reference reference_read(void);
void reference_drop(reference* r);

#endif
