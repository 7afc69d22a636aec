/* SPDX-License-Identifier: MIT */
#include "kernel_set.h"

bool wit_kernel_available(wit_kernel kernel)
{
    switch (kernel) {
    case WIT_KERNEL_AUTO:
    case WIT_KERNEL_PORTABLE:
        return true;
    case WIT_KERNEL_AVX2_FMA:
#if defined(__x86_64__)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
        return false;
#endif
    default:
        return false;
    }
}

const char* wit_kernel_name(wit_kernel kernel)
{
    switch (kernel) {
    case WIT_KERNEL_AUTO:
        return "auto";
    case WIT_KERNEL_PORTABLE:
        return "portable";
    case WIT_KERNEL_AVX2_FMA:
        return "avx2+fma";
    default:
        return "?";
    }
}

wit_kernel wi_kernel_resolve(wit_kernel asked)
{
    if (asked != WIT_KERNEL_AUTO) return asked;
    return wit_kernel_available(WIT_KERNEL_AVX2_FMA) ? WIT_KERNEL_AVX2_FMA : WIT_KERNEL_PORTABLE;
}

const kernel_set* wi_kernel_set_of(wit_kernel kernel)
{
#if defined(__x86_64__)
    if (kernel == WIT_KERNEL_AVX2_FMA) return &wi_kernel_set_avx2_fma;
#endif
    (void)kernel;
    return &wi_kernel_set_portable;
}
