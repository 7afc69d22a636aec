/* SPDX-License-Identifier: MIT */
/* Lists of numbers as people write them: separated by spaces or commas; +1, .5 and 2. are numbers too. */
#ifndef CLI_NUMBERS_H
#define CLI_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "../include/witness/base.h"

enum { NUMBERS_MOST = 16 };

typedef struct number_line {
    int count; /* numbers read; at most NUMBERS_MOST are kept */
    double value[NUMBERS_MOST];
    int at[NUMBERS_MOST]; /* 1-based byte columns */
    int column;           /* where it went wrong */
    char reason[128];
} number_line;

/* Reads text[0 .. bytes) up to a '#'. False: column and reason say why. Numbers that are not finite are refused. */
bool numbers_read(const char* text, size_t bytes, number_line* out);

/* Seven numbers x y z qw qx qy qz, from value[first] on. The quaternion is normalised if its length is within 1e-6
 * of 1, else refused. False: column and reason say why. */
bool numbers_pose(number_line* line, int first, wit_pose* out);

#endif
