/* SPDX-License-Identifier: MIT */
/*
 * Damaged CAD files and .bpt files, made from the project's own by a seeded mutator: the command never ends by a signal, is done
 * within the limit it was given, and says something whenever it refuses.
 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "campaign.h"
#include "cli_run.h"
#include "random.h"

enum { LIMIT = 10, ROOM = 1 << 20 };

/* Bytes changed, numbers changed, pieces left out, doubled or cut off. */
static size_t damage(rng* r, char* text, size_t bytes)
{
    int strokes = 1 + rng_int(r, 6);
    for (int k = 0; k < strokes && bytes > 64; ++k) {
        size_t at = (size_t)rng_int(r, (int)bytes - 40), length = 1 + (size_t)rng_int(r, 32);
        int what = rng_int(r, 6);
        if (what == 0) text[at] = (char)rng_int(r, 256);
        if (what == 1) memset(text + at, '9', length);
        if (what == 2) {
            memmove(text + at, text + at + length, bytes - at - length);
            bytes -= length;
        }
        if (what == 3 && bytes + length < ROOM) {
            memmove(text + at + length, text + at, bytes - at);
            bytes += length;
        }
        if (what == 4 && rng_int(r, 8) == 0) bytes = at;
        for (size_t i = at; what == 5 && i < at + 40; ++i) {
            if (text[i] < '0' || text[i] > '9') continue;
            text[i] = (char)('0' + rng_int(r, 10));
            break;
        }
    }
    return bytes;
}

typedef struct tally {
    long runs, read, refused, crashed, late;
    double worst;
} tally;

static void one(rng* r, const char* path, const char* ending, tally* t)
{
    static char text[ROOM];
    static run result;
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    size_t bytes = damage(r, text, fread(text, 1, ROOM - 64, f));
    fclose(f);
    char damaged[128], line[256];
    snprintf(damaged, sizeof damaged, "%s/damaged%s", scratch, ending);
    f = fopen(damaged, "wb");
    assert_non_null(f);
    fwrite(text, 1, bytes, f);
    fclose(f);
    bool cad = strcmp(ending, ".bpt") != 0;
    snprintf(line, sizeof line, cad ? "import '%s' --time-limit %d" : "info '%s'", damaged, LIMIT);
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    execute(&result, line); /* fails when the shell itself did not end well */
    clock_gettime(CLOCK_MONOTONIC, &b);
    double seconds = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
    t->worst = seconds > t->worst ? seconds : t->worst;
    t->runs++;
    if (result.code > 2) fail_msg("run %ld of %s: exit code %d: %s", t->runs, path, result.code, result.err);
    if (result.code && !result.err[0]) fail_msg("run %ld of %s: refused without a word", t->runs, path);
    t->read += result.code == 0;
    t->refused += result.code != 0;
    t->crashed += strstr(result.err, "crashed") != NULL;
    t->late += strstr(result.err, "was not done") != NULL;
}

static void campaign_of(const char* const* files, int count, const char* ending, uint64_t seed)
{
    rng r = rng_seed(seed);
    tally t = {0};
    for (long i = 0; i < (campaign(2000) + 9) / 10 * (getenv("WITNESS_CAMPAIGN") ? 10 : 1); ++i)
        one(&r, files[i % count], ending, &t);
    print_message("%s: %ld damaged files, %ld read, %ld refused, among them %ld crashes and %ld not done in %d s; "
                  "longest %.1f s\n",
                  ending, t.runs, t.read, t.refused, t.crashed, t.late, LIMIT, t.worst);
}

static void damaged_step_files_end_in_words(void** state)
{
    (void)state;
    static const char* const files[4] = {"tests/data/step/plate.step", "tests/data/step/pulley.step",
                                         "tests/data/step/rounded-box.step", "tests/data/step/frustum-inch.step"};
    campaign_of(files, 4, ".step", 91);
}

static void damaged_patches_end_in_words(void** state)
{
    (void)state;
    static const char* const files[1] = {"tests/data/cup.bpt"};
    campaign_of(files, 1, ".bpt", 92);
}

static int scratch_made(void** state)
{
    (void)state;
    strcpy(scratch, "/tmp/witness-damaged-XXXXXX");
    return mkdtemp(scratch) ? 0 : 1;
}

static int scratch_dropped(void** state)
{
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -r '%s'", scratch);
    return system(line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_step_files_end_in_words),
                                       cmocka_unit_test(damaged_patches_end_in_words)};
    return cmocka_run_group_tests(tests, scratch_made, scratch_dropped);
}
