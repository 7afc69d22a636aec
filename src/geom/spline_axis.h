/* SPDX-License-Identifier: MIT */
/*
 * One parameter direction of a spline: its knots as given, checked and cut into cells.
 *
 * Periodic knots become an ordinary unclamped vector with `degree` more points; an unclamped vector
 * needs no conversion, because every cell is extracted on its own.
 */
#ifndef GEOM_SPLINE_AXIS_H
#define GEOM_SPLINE_AXIS_H

#include "../base/sort.h"
#include "../base/twofold.h"
#include "shape.h"

/* The def's fields of one direction, and how the error messages name them. */
typedef struct axis_input {
    int degree, count, knot_count;
    bool periodic;
    const double* knots;
    const char *degree_name, *count_name, *knots_name;
    /* Of a rational spline: point i of row j has the weight weights[i * along + j * across]; else null. */
    const double* weights;
    int rows;
    size_t along, across;
} axis_input;

/* Degree, count, knots: legal or refused by name and index. */
wit_status wi_axis_check(const axis_input* in, wit_error* error);
/* The knots of multiplicity degree + 1 inside the range: there the two pieces may be torn apart.
 * Returns the index of the first point of the upper piece, counted from the point index `from`; -1 if none is left. */
int wi_axis_next_tear(const axis_input* in, int from);
/* How many cells the range has. */
int wi_axis_cells(const axis_input* in);
/* Bytes of the axis' tables, multiple of 16. */
size_t wi_axis_bytes(const axis_input* in);
/* Fills *axis; its tables go to base + offset .. base + offset + wi_axis_bytes. */
void wi_axis_build(spline_axis* axis, const axis_input* in, char* base, size_t offset);

/* Cells one after the other: cell 0 begins at wi_axis_first, and wi_axis_next leads from one to the next. */
typedef struct axis_cell {
    int knot;      /* the span is [knot, knot + 1] */
    int level;     /* how often it was halved */
    int64_t piece; /* which of the 2^level parts */
    double a, b;   /* the cell */
} axis_cell;
axis_cell wi_axis_first(const axis_input* in);
axis_cell wi_axis_next(const axis_input* in, axis_cell cell);
/*
 * The Bezier points of a cell are b_j = sum_i bezier[j][i] P_(knot - degree + i), i = 0 .. degree; P is
 * addressed by wi_axis_point. All entries lie in [0, 1] and every row sums to 1. Its coefficients in powers of t in
 * [-1/2, 1/2], about the middle, are sum_i power[k][i] P_(..). These sums cancel (for smooth data the high ones to almost
 * nothing), so they are formed in twofold precision: rounded once, at the end. `power` may be null.
 */
typedef double axis_matrix[WIT_MAX_DEGREE + 1][WIT_MAX_DEGREE + 1];
typedef twofold axis_matrix2[WIT_MAX_DEGREE + 1][WIT_MAX_DEGREE + 1];
void wi_axis_extract(const axis_input* in, const axis_cell* cell, axis_matrix bezier, axis_matrix2 power);
/* The def's index of point i of the extraction (they differ when periodic). */
int wi_axis_point(const axis_input* in, int i);

/*
 * The cell that holds x, which is in range: breaks[i] <= x < breaks[i + 1], the last one closed. The hint is tried
 * first: a tracked parameter rarely leaves its cell.
 */
static inline int axis_locate(const spline_axis* axis, const void* base, double x, int hint)
{
    const double* b = (const double*)(const void*)((const char*)base + axis->breaks);
    if ((unsigned)hint < (unsigned)axis->cells && x >= b[hint] && x < b[hint + 1]) return hint;
    const int32_t* bucket = (const int32_t*)(const void*)((const char*)base + axis->bucket);
    int k = (int)((x - b[0]) * axis->bucket_scale);
    if (k >= axis->buckets) k = axis->buckets - 1;
    int lo = bucket[k], hi = bucket[k + 1];
    /* Rounding of k may be off by one bucket; both loops end at once otherwise. */
    while (lo > 0 && x < b[lo]) --lo;
    while (hi < axis->cells - 1 && x >= b[hi + 1]) ++hi;
    return last_not_above(b, lo, hi, x);
}

/* The bucket of x, which is in range: 0 .. buckets. Never falls as x grows, rounding or not. */
static inline int axis_bucket(const spline_axis* axis, double lowest, double x)
{
    return (int)((x - lowest) * axis->bucket_scale);
}

/* axis_locate without a hint and without branches, for an axis that is single. */
static inline int axis_find(const spline_axis* axis, const void* base, double x)
{
    const double* b = (const double*)(const void*)((const char*)base + axis->breaks);
    const int32_t* bucket = (const int32_t*)(const void*)((const char*)base + axis->bucket);
    int cell = bucket[axis_bucket(axis, b[0], x)];
    cell += (x >= b[cell + 1]) & (cell + 1 < axis->cells);
    return cell - (x < b[cell]);
}

static inline const double* axis_breaks(const spline_axis* axis, const void* base)
{
    return (const double*)(const void*)((const char*)base + axis->breaks);
}

static inline const double* axis_inverse(const spline_axis* axis, const void* base)
{
    return (const double*)(const void*)((const char*)base + axis->inverse);
}

#endif
