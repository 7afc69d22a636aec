/* SPDX-License-Identifier: MIT */
/*
 * The judge's own search: every face, edge and vertex sampled once, all samples that may lie next to the closest pair
 * refined by a bounded Newton method. It uses jets and trims of the public headers and nothing of the searches it judges.
 *
 * What it returns is attained, so it is an upper bound of the true distance between the boundaries, whatever it misses;
 * samples are dense enough that it is the true one but for a few in a hundred thousand.
 */
#ifndef TESTS_DENSE_H
#define TESTS_DENSE_H

#include "../include/witness/body.h"
#include "../include/witness/query.h"

typedef struct dense dense;

/* Where on a body, in the body's frame. */
typedef struct dense_place {
    wit_feature_kind kind;
    int id;
    double u, v;
    wit_vec3 point;
} dense_place;

/* The body must outlive it. Ends the program without memory. */
dense* dense_create(const wit_body* body);
void dense_destroy(dense* d);

/* One byte per piece: which pieces (faces, then edges, then vertices) a mask lets count, borders with their faces. */
int dense_pieces(const dense* d);
void dense_masked(const dense* d, const wit_mask* mask, uint8_t* on);

/* Points of the boundary, spread over it; body's frame. Unbounded faces have none. */
int dense_samples(const dense* d);
wit_vec3 dense_sample(const dense* d, int k);

/* The distance from q (body's frame) to the boundary; `on` may be null: all of it. Infinite if nothing counts. */
double dense_point(dense* d, const uint8_t* on, wit_vec3 q, dense_place* out);

/* The distance between two boundaries. At most one of the bodies may have an unbounded face. */
double dense_pair(dense* a, const uint8_t* on_a, const wit_pose* pose_a, dense* b, const uint8_t* on_b,
                  const wit_pose* pose_b, dense_place* out_a, dense_place* out_b);

#endif
