/* SPDX-License-Identifier: MIT */
/* The pen and the bowl of the paper: a row as printed, our answer to it, and what to make of the difference. */
#ifndef CLI_LAB_PEN_H
#define CLI_LAB_PEN_H

#include "../include/witness/query.h"

typedef struct pen_row {
    double at; /* Y, or degrees */
    double distance;
    int decimals;        /* of the distance, as printed */
    const char* pen[3];  /* as printed, in the frame of the pen */
    const char* bowl[3]; /* in the frame of the bowl; null: the whole circle C1 */
    bool circle;
} pen_row;

typedef struct pen_table {
    int number;
    const char *parameter, *title;
    const pen_row* rows;
    int count;
    bool turns; /* else it moves along the line */
} pen_table;

typedef struct pen_lab {
    const wit_body *pen, *bowl;
    wit_query* query;
} pen_lab;

enum { PEN_MINIMA = 32, PEN_ROWS = 16 };

typedef struct pen_answer {
    wit_closest closest; /* a the pen, b the bowl */
    wit_vec3 pen, bowl;  /* the witnesses in their own frames: of tied pairs the one that is nearest to the paper's */
    wit_minimum minima[PEN_MINIMA];
    int minima_count;
    int tied; /* pairs at the least distance */
    bool distance_right, points_differ;
    char reason[160];
} pen_answer;

/* The two tables as printed. (lab_table.c) */
enum { PEN_TABLES = 2 };
const pen_table* pen_table_of(int index);
/* pen.json or bowl.json in the directory, or where the command finds its models (null). Null after a message that begins
 * with the name of the command. (lab_table.c) */
struct wit_model* pen_read_model(const char* command, const char* directory, const char* name);

wit_pose pen_pose(const pen_table* table, double at);
/* The closest pair and all minima at a row. */
wit_status pen_solve(pen_lab* lab, const pen_table* table, const pen_row* row, pen_answer* out);
/* Compares answer `index` with its row and finds the reason for a difference. */
wit_status pen_judge(pen_lab* lab, const pen_table* table, pen_answer* answers, int index);
/* "C3", or "edge" where it has no name. */
const char* pen_feature(const wit_body* body, const wit_witness* w);

#endif
