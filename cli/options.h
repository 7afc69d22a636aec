/* SPDX-License-Identifier: MIT */
/* Options of a subcommand: --name, --name VALUE or --name=VALUE; the other words are handed out as they come. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "../include/witness/base.h"

typedef struct option {
    const char* name;  /* "--point" */
    const char* value; /* what has to follow, "a point X,Y,Z"; null: nothing */
} option;

enum { OPTION_WORD = -1, OPTION_END = -2, OPTION_WRONG = -3 };

typedef struct option_reader {
    const char* command; /* for messages */
    const option* options;
    int option_count; /* at most 32 */
    int argc, next;
    char** argv;
    bool only_words;  /* after "--" */
    uint32_t seen;    /* set of 1 << index */
    const char* word; /* the option or the other word that was read last */
    const char* value;
} option_reader;

/* Starts behind argv[0]. */
option_reader option_reader_at(const char* command, const option* options, int option_count, int argc, char** argv);
/* Index of the next option, its value in r->value; OPTION_WORD: r->word is no option; OPTION_END; OPTION_WRONG after a
 * message: an unknown option, one given twice, a value that is missing or too many. */
int option_next(option_reader* r);
/* For a command that takes no other words: such a word is OPTION_WRONG too. */
int option_next_only(option_reader* r);
bool option_seen(const option_reader* r, int index);

/* The value as a number: a length or a count in lo .. hi. False after a message. */
bool option_number(const option_reader* r, double lo, double hi, double* out);
bool option_count(const option_reader* r, int64_t lo, int64_t hi, int64_t* out);
/* The value as n numbers. False after a message. */
bool option_numbers(const option_reader* r, int n, double* out);
/* The value as a pose, as numbers_pose reads it. False after a message. */
bool option_pose(const option_reader* r, wit_pose* out);

#endif
