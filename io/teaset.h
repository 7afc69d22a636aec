/* SPDX-License-Identifier: MIT */
/* Bezier patches in the text form of the tea set, see wit_model_read_bpt. */
#ifndef IO_TEASET_H
#define IO_TEASET_H

#include "model.h"

#define TEASET_MAX_BYTES ((size_t)256 << 20)
#define TEASET_MAX_PATCHES 1000000

#endif
