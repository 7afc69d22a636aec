/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "numbers.h"

enum { MOST_OPTIONS = 32 };

option_reader option_reader_at(const char* command, const option* options, int option_count, int argc, char** argv)
{
    option_reader r = {0};
    r.command = command;
    r.options = options;
    r.option_count = option_count;
    r.argc = argc;
    r.argv = argv;
    r.next = 1;
    return r;
}

/* Length of the name in "--name" or "--name=value". */
static size_t name_length(const char* word)
{
    const char* equals = strchr(word, '=');
    return equals ? (size_t)(equals - word) : strlen(word);
}

static int find(const option_reader* r, const char* word)
{
    size_t n = name_length(word);
    for (int i = 0; i < r->option_count; i++) {
        if (strlen(r->options[i].name) == n && !strncmp(r->options[i].name, word, n)) return i;
    }
    return -1;
}

static int unknown(const option_reader* r)
{
    const char* names[MOST_OPTIONS + 1] = {0};
    char word[64];
    for (int i = 0; i < r->option_count && i < MOST_OPTIONS; i++) names[i] = r->options[i].name;
    snprintf(word, sizeof word, "%.*s", (int)name_length(r->word), r->word);
    command_usage(r->command, "unknown option", word, names);
    return OPTION_WRONG;
}

static int wrong(const option_reader* r, const char* text, const char* what)
{
    char message[160];
    snprintf(message, sizeof message, "%s%s", what, text);
    command_usage(r->command, message, r->word, NULL);
    return OPTION_WRONG;
}

int option_next(option_reader* r)
{
    if (r->next < r->argc && !r->only_words && !strcmp(r->argv[r->next], "--")) {
        r->only_words = true;
        r->next++;
    }
    if (r->next >= r->argc) return OPTION_END;
    r->word = r->argv[r->next++];
    r->value = NULL;
    if (r->only_words || r->word[0] != '-' || !r->word[1]) return OPTION_WORD;
    int index = find(r, strcmp(r->word, "-h") ? r->word : "--help");
    if (index < 0) return unknown(r);
    const option* o = &r->options[index];
    const char* equals = strchr(r->word, '=');
    r->word = o->name;
    if (option_seen(r, index)) return wrong(r, "given twice:", "");
    r->seen |= UINT32_C(1) << index;
    if (!o->value) return equals ? wrong(r, "no value belongs to", "") : index;
    if (equals) {
        r->value = equals + 1;
    } else if (r->next < r->argc && strncmp(r->argv[r->next], "--", 2) != 0) {
        r->value = r->argv[r->next++];
    }
    return r->value && r->value[0] ? index : wrong(r, " is missing after", o->value);
}

int option_next_only(option_reader* r)
{
    int index = option_next(r);
    return index == OPTION_WORD ? wrong(r, "left over is", "") : index;
}

bool option_seen(const option_reader* r, int index)
{
    return (r->seen >> index) & 1;
}

/* "witness closest: --point: the number is missing at column 5 of '1,2,'" */
static bool refuse(const option_reader* r, const char* reason, int column)
{
    if (column > 0)
        fprintf(stderr, "witness %s: %s '%s': column %d: %s\n", r->command, r->word, r->value, column, reason);
    else
        fprintf(stderr, "witness %s: %s '%s': %s\n", r->command, r->word, r->value, reason);
    fprintf(stderr, "Try 'witness %s --help'.\n", r->command);
    return false;
}

bool option_numbers(const option_reader* r, int n, double* out)
{
    number_line line;
    if (!numbers_read(r->value, strlen(r->value), &line)) return refuse(r, line.reason, line.column);
    if (line.count != n) {
        char reason[96];
        snprintf(reason, sizeof reason, "%d number%s, not %d: %s is wanted", line.count, line.count == 1 ? "" : "s", n,
                 r->options[find(r, r->word)].value);
        return refuse(r, reason, 0);
    }
    memcpy(out, line.value, (size_t)n * sizeof *out);
    return true;
}

bool option_pose(const option_reader* r, wit_pose* out)
{
    number_line line;
    double unused[7];
    if (!option_numbers(r, 7, unused)) return false;
    numbers_read(r->value, strlen(r->value), &line);
    return numbers_pose(&line, 0, out) || refuse(r, line.reason, line.column);
}

bool option_number(const option_reader* r, double lo, double hi, double* out)
{
    if (!option_numbers(r, 1, out)) return false;
    if (*out >= lo && *out <= hi) return true;
    char reason[96];
    snprintf(reason, sizeof reason, "it has to be in %g .. %g", lo, hi);
    return refuse(r, reason, 0);
}

bool option_count(const option_reader* r, int64_t lo, int64_t hi, int64_t* out)
{
    double x;
    if (!option_number(r, (double)lo, (double)hi, &x)) return false;
    *out = (int64_t)x;
    return (double)*out == x ? true : refuse(r, "a whole number is wanted", 0);
}
