/* SPDX-License-Identifier: MIT */
/* Raw DEFLATE (RFC 1951), which every browser unpacks, and base64 (RFC 4648). */
#ifndef CLI_DEFLATE_H
#define CLI_DEFLATE_H

#include <stdint.h>

#include "out.h"

/* Appends `bytes` packed; o->failed where there was no memory. */
void deflate(out* o, const uint8_t* bytes, size_t count);
void base64(out* o, const uint8_t* bytes, size_t count);
/* Appends bytes that may be zeros. */
void out_bytes(out* o, const void* bytes, size_t count);

#endif
