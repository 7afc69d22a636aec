/* SPDX-License-Identifier: MIT */
/*
 * Kernels for every machine: IEEE doubles without fused operations, in pairs of two lanes (gcc lowers
 * four-lane vectors badly on baseline SSE2). Compiled with -ffp-contract=off: equal bits everywhere.
 */
#include "kernel_set.h"

#include <string.h>

typedef double v2 __attribute__((vector_size(16)));

typedef struct v4 {
    v2 xy, zw;
} v4;

#define KERNEL static inline __attribute__((always_inline))
#define KERNEL_ENTRY static

KERNEL v4 v4_load(const double* p)
{
    v4 r;
    memcpy(&r, p, sizeof r); /* 8-byte alignment only */
    return r;
}

KERNEL v4 v4_load2(const double* p)
{
    v4 r = {{p[0], p[1]}, {0, 0}};
    return r;
}

KERNEL v4 v4_splat(double x)
{
    v4 r = {{x, x}, {x, x}};
    return r;
}

KERNEL v4 v4_mul(v4 a, v4 b)
{
    v4 r = {a.xy * b.xy, a.zw * b.zw};
    return r;
}

KERNEL v4 v4_madd(v4 a, v4 b, v4 c)
{
    v4 r = {a.xy * b.xy + c.xy, a.zw * b.zw + c.zw};
    return r;
}

KERNEL v4 v4_nmadd(v4 a, v4 b, v4 c)
{
    v4 r = {c.xy - a.xy * b.xy, c.zw - a.zw * b.zw};
    return r;
}

KERNEL v4 v4_weight(v4 a)
{
    return v4_splat(a.zw[1]);
}

KERNEL v4 v4_reciprocal(v4 a)
{
    return v4_splat(1 / a.xy[0]); /* the lanes of a are equal */
}

KERNEL void v4_store3(double* p, v4 a)
{
    memcpy(p, &a.xy, sizeof a.xy);
    p[2] = a.zw[0];
}

#define v4_store v4_store3

#include "kernel_body.h"

const kernel_set wi_kernel_set_portable = {choose_surface, choose_curve};
