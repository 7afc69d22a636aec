/* SPDX-License-Identifier: MIT */
/* Decimal text to double and back: correctly rounded, the same in every locale. */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#define NUMBER_ROOM 32 /* bytes that wi_number_write may need, terminator included */

/* The double nearest to the JSON number text[0 .. bytes), ties to even. The text must be a legal JSON
 * number. False when it rounds to infinity. Numbers below the smallest double give a signed zero. */
bool wi_number_read(const char* text, size_t bytes, double* out);

/* The shortest of 15, 16 and 17 digits that wi_number_read takes back to the same bits, "-0" included.
 * x must be finite. Returns the length. */
int wi_number_write(double x, char to[NUMBER_ROOM]);

#endif
