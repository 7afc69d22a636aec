/* SPDX-License-Identifier: MIT */
/* What the fuzzers of models share: claims, limited memory, and a mutator that changes numbers. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

#define CLAIM(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                                  \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* An allocator that has `user` bytes left. */
static void* take(size_t bytes, void* user)
{
    size_t* left = user;
    if (bytes > *left) return NULL;
    *left -= bytes;
    return malloc(bytes);
}

static void give(void* memory, size_t bytes, void* user)
{
    *(size_t*)user += bytes;
    free(memory);
}

/* A text that begins with a digit is taken for patches. */
static wit_model* read_input(const uint8_t* data, size_t size, const wit_allocator* allocator, wit_error* e)
{
    bool patches = size > 0 && data[0] >= '0' && data[0] <= '9';
    return (patches ? wit_model_read_bpt_text : wit_model_read_text)((const char*)data, size, allocator, e);
}

static int finite3(wit_vec3 p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static unsigned next_random(unsigned* state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Every second time one number of the text becomes another: bytes alone seldom stay a model, and it is numbers that
 * the geometry meets. */
size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed)
{
    static const char* const values[] = {"0",
                                         "-0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "9",
                                         "0.5",
                                         "1e-12",
                                         "1e12",
                                         "-1e12",
                                         "1e6",
                                         "1e-6",
                                         "1e-300",
                                         "1e300",
                                         "5e-324",
                                         "10",
                                         "0.1",
                                         "7",
                                         "6.2831853071795862",
                                         "3.1415926535897931",
                                         "-1.5707963267948966"};
    unsigned state = seed;
    if (next_random(&state) & 1) return LLVMFuzzerMutate(data, size, max_size);
    size_t chosen = 0, start = 0, length = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t count = 0;
        for (size_t i = 0; i < size;) {
            size_t n = 0;
            while (i + n < size && data[i + n] && strchr("0123456789+-.eE", data[i + n])) n++;
            bool number = n > 0 && (data[i] == '-' || (data[i] >= '0' && data[i] <= '9'));
            if (number && pass == 1 && count == chosen) {
                start = i;
                length = n;
            }
            count += number;
            i += n ? n : 1;
        }
        if (!count) return LLVMFuzzerMutate(data, size, max_size);
        if (pass == 0) chosen = next_random(&state) % count;
    }
    char text[32];
    unsigned pick = next_random(&state) % (sizeof values / sizeof values[0] + 8);
    if (pick < sizeof values / sizeof values[0])
        snprintf(text, sizeof text, "%s", values[pick]);
    else
        snprintf(text, sizeof text, "%.6g", (double)next_random(&state) / 16777216.0 * (pick & 1 ? 10 : 1));
    size_t m = strlen(text);
    if (size - length + m > max_size) return size;
    memmove(data + start + m, data + start + length, size - start - length);
    memcpy(data + start, text, m);
    return size - length + m;
}

#endif
