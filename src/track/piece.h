/* SPDX-License-Identifier: MIT */
/* A piece that the usual and the general step share. Always inlined: the usual step is one straight run of instructions, and
 * a compiler that counts them would stop half-way. */
#ifndef TRACK_PIECE_H
#define TRACK_PIECE_H

#define PIECE static inline __attribute__((always_inline))

#endif
