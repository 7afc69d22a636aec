/* SPDX-License-Identifier: MIT */
/* Files of points, and of answers: text, CSV, and the binary format of NumPy (.npy). */
#ifndef CLI_POINTS_H
#define CLI_POINTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../include/witness/batch.h"
#include "out.h"

typedef enum points_format { POINTS_BY_NAME, POINTS_TEXT, POINTS_CSV, POINTS_NPY } points_format;

/* "text", "csv", "npy". False: another word. */
bool points_format_of_word(const char* word, points_format* to);
/* By the end of the name; text where it says nothing. */
points_format points_format_of_name(const char* path);

typedef struct point_list {
    double* xyz;
    int64_t* line; /* of each point; null: row i is line i + 1 */
    int64_t count;
} point_list;

/* All points of the file, "-": standard input. False after a message with file, line and column, or row and column. */
bool points_read(const char* path, points_format format, point_list* to);
void points_free(point_list* list);
/* Where point i stands, for messages: "file:3" or "file: row 3". */
void points_place(out* o, const char* shown, const point_list* list, int64_t i);

/* ---- answers ---- */

/* A row of the file of answers: as it stands in an .npy file. */
typedef struct answer_row {
    double distance, lower_bound, upper_bound, model_tolerance;
    double normal[3], point[3], parameters[2];
    int32_t feature[2], outcome, reason, sign;
    uint8_t certified, filling[3];
} answer_row;

/* Fields of a batch into rows. */
void answer_rows_ask(wit_batch_out* to, answer_row* rows);
/* What stands before the rows, and some of the rows. False: the file can't be written. */
bool answer_rows_begin(FILE* file, points_format format, int64_t count);
bool answer_rows_write(FILE* file, points_format format, const answer_row* rows, int64_t count);

/* ---- npy.c ---- */

/* The header of an array of shape (n, 3) of doubles in C order. Null: read, the data follow; else why not. */
const char* npy_read_header(FILE* file, int64_t* rows, char* text, size_t room);
/* Version 1.0: the dictionary padded, so that what follows is aligned to 64 bytes. */
bool npy_write_header(FILE* file, const char* descr, int64_t rows);

#endif
