/* SPDX-License-Identifier: MIT */
/* Columns of a recorded run (cli/record.c), unpacked. */
#include <string.h>

#include "bridge.h"

static uint64_t unzigzag(uint64_t z)
{
    return z >> 1 ^ (uint64_t)(-(int64_t)(z & 1));
}

static double value_of(uint64_t x, int type)
{
    if (type == 2) return (double)(int64_t)x;
    if (type == 1) {
        int64_t s = (int64_t)x;
        uint32_t bits = s < 0 ? 0x80000000u - (uint32_t)s : (uint32_t)s;
        float f;
        memcpy(&f, &bits, sizeof f);
        return f;
    }
    uint64_t bits = x >> 63 ? (UINT64_C(1) << 63) - x : x;
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* `type` 0: f64, 1: f32, 2: i32. Bytes: the lowest of all `count` values first. */
EXPORT(wb_unpack_column) void wb_unpack_column(const uint8_t* bytes, int count, int type, int order, double* to)
{
    int width = type == 0 ? 8 : 4;
    uint64_t before[4] = {0};
    for (int k = 0; k < count; k++) {
        uint64_t z = 0;
        for (int b = 0; b < width; b++) z |= (uint64_t)bytes[(size_t)b * (size_t)count + (size_t)k] << 8 * b;
        uint64_t x = unzigzag(z);
        /* each order was differenced from its first value on: sums from the inside out */
        for (int d = order - 1; d >= 0; d--) {
            x += before[d];
            before[d] = x;
        }
        to[k] = value_of(x, type);
    }
}
