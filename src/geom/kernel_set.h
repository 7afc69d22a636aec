/* SPDX-License-Identifier: MIT */
/* Which kernels a machine can run. The choice is made once, when a shape is built, and stored in it. */
#ifndef GEOM_KERNEL_SET_H
#define GEOM_KERNEL_SET_H

#include "shape.h"

/* Cells of a higher degree are evaluated from their Bezier nets, not from powers: slower, and as accurate. */
#define POWER_DEGREE_MOST 9

static inline bool in_powers(int degree)
{
    return degree <= POWER_DEGREE_MOST;
}

typedef struct kernel_set {
    surface_kernel* (*surface)(int degree_u, int degree_v, bool rational);
    curve_kernel* (*curve)(int degree, bool rational, bool flat);
} kernel_set;

extern const kernel_set wi_kernel_set_portable;
#if defined(__x86_64__)
extern const kernel_set wi_kernel_set_avx2_fma;
#endif

/* The kernel that stands for `asked` here: AUTO becomes the fastest available. */
wit_kernel wi_kernel_resolve(wit_kernel asked);
/* The set of a resolved kernel. */
const kernel_set* wi_kernel_set_of(wit_kernel kernel);

#endif
