/* SPDX-License-Identifier: MIT */
#include "space_order.h"

#include <string.h>

enum { BITS = 12, DIGIT = 9, DIGITS = 3 * BITS / DIGIT, VALUES = 1 << DIGIT };

static uint32_t lattice(double x, wit_interval range)
{
    double width = range.hi - range.lo, t = width > 0 ? (x - range.lo) / width : 0;
    if (!(t > 0)) return 0;
    return t < 1 ? (uint32_t)(t * (1 << BITS)) : (1U << BITS) - 1;
}

/*
 * The curve in the words of J. Skilling, Programming the Hilbert curve (2004): from the largest cube down, each coordinate tells
 * by one bit how the smaller cubes within are turned and reflected; what is left is a Gray code.
 */
static void turn_axes(uint32_t x[3])
{
    const uint32_t top = 1U << (BITS - 1);
    for (uint32_t bit = top; bit > 1; bit >>= 1) {
        uint32_t below = bit - 1;
        for (int i = 0; i < 3; ++i) {
            if (x[i] & bit) {
                x[0] ^= below;
            } else {
                uint32_t both = (x[0] ^ x[i]) & below;
                x[0] ^= both;
                x[i] ^= both;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t flip = 0;
    for (uint32_t bit = top; bit > 1; bit >>= 1)
        if (x[2] & bit) flip ^= bit - 1;
    for (int i = 0; i < 3; ++i) x[i] ^= flip;
}

/* The bits of x, two zeros between each two. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x00f0000ffULL;
    x = (x | x << 8) & 0x00f00f00fULL;
    x = (x | x << 4) & 0x0c30c30c3ULL;
    return (x | x << 2) & 0x249249249ULL;
}

uint64_t wi_space_key(const wit_box* box, wit_vec3 p)
{
    uint32_t x[3] = {lattice(p.x, (wit_interval){box->lo.x, box->hi.x}),
                     lattice(p.y, (wit_interval){box->lo.y, box->hi.y}),
                     lattice(p.z, (wit_interval){box->lo.z, box->hi.z})};
    turn_axes(x);
    return spread(x[0]) << 2 | spread(x[1]) << 1 | spread(x[2]);
}

void wi_space_sort(ordered_item* items, ordered_item* spare, int64_t count)
{
    int64_t begin[DIGITS][VALUES] = {{0}};
    for (int64_t i = 0; i < count; ++i)
        for (int d = 0; d < DIGITS; ++d) ++begin[d][items[i].key >> (d * DIGIT) & (VALUES - 1)];
    for (int d = 0; d < DIGITS; ++d) { /* an even number of passes: they end where they began */
        int64_t sum = 0;
        for (int v = 0; v < VALUES; ++v) {
            int64_t here = begin[d][v];
            begin[d][v] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; ++i) spare[begin[d][items[i].key >> (d * DIGIT) & (VALUES - 1)]++] = items[i];
        ordered_item* other = items;
        items = spare;
        spare = other;
    }
}
