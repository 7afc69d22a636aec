/* SPDX-License-Identifier: MIT */
/*
 * Damaged CAD files and .bpt files, made from the project's own and from shapes of Open CASCADE's by a seeded mutator: the command
 * never ends by a signal, is done within the limit it was given, and says something whenever it refuses. 2,000 of each kind in
 * `make verify`.
 *
 * A start of the command costs ten times what reading a small file does. So the sources of the command are linked in, Open
 * CASCADE is loaded once, and each run is a process that is forked from there, some at a time; the first few of each kind are
 * runs of the command itself. A run reads CAD files in a process of its own, as always.
 */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>

#include <cmocka.h>

#include "../cli/cad_module.h"
#include "../cli/command.h"
#include "cad_shapes.h"
#include "campaign.h"
#include "cli_run.h"
#include "random.h"

enum { LIMIT = 10, GRACE = 20, ROOM = 1 << 20, LANES = 4, STARTED = 4 };

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

/* ---- runs ------------------------------------------------------------------------------------- */

/* What the run of one file is told by: where it is, what it says, when it began. */
typedef struct lane {
    pid_t process; /* 0: free */
    long number;
    double began;
    char file[128], err[128];
} lane;

typedef struct tally {
    const char* ending;
    long runs, read, refused, crashed, late, memory;
    double worst;
} tally;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void write_damaged(rng* r, const char* path, const char* to)
{
    static char text[ROOM];
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    size_t bytes = damage(r, text, fread(text, 1, ROOM - 64, f));
    fclose(f);
    f = fopen(to, "wb");
    assert_non_null(f);
    fwrite(text, 1, bytes, f);
    fclose(f);
}

/* The command in this process, which ends with it. */
static void be_the_command(const lane* l, bool cad)
{
    char import[] = "import", info[] = "info", option[] = "--time-limit", seconds[16], file[128];
    snprintf(file, sizeof file, "%s", l->file);
    snprintf(seconds, sizeof seconds, "%d", LIMIT);
    char* words[] = {cad ? import : info, file, cad ? option : NULL, seconds, NULL};
    int err = open(l->err, O_WRONLY | O_CREAT | O_TRUNC, 0600), out = open("/dev/null", O_WRONLY);
    if (err < 0 || out < 0 || dup2(err, 2) < 0 || dup2(out, 1) < 0) _exit(99);
    int code = cad ? command_import(4, words) : command_info(2, words);
    fflush(NULL);
    _exit(code);
}

/* The command as a user starts it. */
static void start_the_command(const lane* l, bool cad)
{
    const char* command = getenv("WITNESS_COMMAND");
    char line[512];
    snprintf(line, sizeof line,
             cad ? "exec '%s' import '%s' --time-limit %d >/dev/null 2>'%s'" : "exec '%s' info '%s' >/dev/null",
             command ? command : "build/witness", l->file, LIMIT, l->err);
    if (!cad)
        snprintf(line, sizeof line, "exec '%s' info '%s' >/dev/null 2>'%s'", command ? command : "build/witness",
                 l->file, l->err);
    execl("/bin/sh", "sh", "-c", line, (char*)NULL);
    _exit(99);
}

static void begin_run(lane* l, long number, bool cad)
{
    l->number = number;
    l->began = now();
    fflush(NULL);
    l->process = fork();
    assert_true(l->process >= 0);
    if (l->process) return;
    static const int caught[] = {SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGSYS, SIGABRT};
    for (size_t k = 0; k < sizeof caught / sizeof caught[0]; k++) signal(caught[k], SIG_DFL); /* cmocka has its own */
    if (number < STARTED)
        start_the_command(l, cad);
    else
        be_the_command(l, cad);
}

/* Keeps the file that shows it. */
static void complain(const lane* l, const tally* t, const char* what, const char* said)
{
    char kept[160], line[400];
    snprintf(kept, sizeof kept, "/tmp/witness-damaged%s", t->ending);
    snprintf(line, sizeof line, "cp '%s' '%s'", l->file, kept);
    if (system(line) != 0) kept[0] = 0;
    fail_msg("damaged file %ld%s (%s): %s: %s", l->number, t->ending, kept, what, said);
}

static void judge(const lane* l, int how, tally* t)
{
    static char said[8192];
    double seconds = now() - l->began;
    slurp(l->err, said, sizeof said);
    t->worst = seconds > t->worst ? seconds : t->worst;
    t->runs++;
    if (!WIFEXITED(how) || WEXITSTATUS(how) > 2) complain(l, t, "the command did not end well", said);
    if (strstr(said, "Sanitizer") || strstr(said, "runtime error")) complain(l, t, "a sanitizer", said);
    int code = WEXITSTATUS(how);
    if (code && !said[0]) complain(l, t, "refused without a word", said);
    t->read += code == 0;
    t->refused += code != 0;
    t->crashed += strstr(said, "crashed") != NULL || strstr(said, "gave up") != NULL;
    t->late += strstr(said, "was not done") != NULL;
    t->memory += strstr(said, "needs more than") != NULL;
}

/* Ends one run, or waits a little. */
static void collect(lane lanes[LANES], tally* t)
{
    int how;
    pid_t ended = waitpid(-1, &how, WNOHANG);
    for (int k = 0; k < LANES; k++) {
        lane* l = &lanes[k];
        if (l->process && l->process == ended) {
            judge(l, how, t);
            l->process = 0;
        } else if (l->process && now() - l->began > LIMIT + GRACE) {
            kill(l->process, SIGKILL);
            complain(l, t, "it hangs", "");
        }
    }
    if (ended <= 0) nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static bool any_runs(const lane lanes[LANES])
{
    for (int k = 0; k < LANES; k++)
        if (lanes[k].process) return true;
    return false;
}

/* A tenth of the usual part in `make test`. */
static long how_many(void)
{
    long n = campaign(2000);
    return n < 2000 ? (n + 9) / 10 : n;
}

static void campaign_of(const char* const* files, int count, const char* ending, uint64_t seed)
{
    rng r = rng_seed(seed);
    tally t = {.ending = ending};
    lane lanes[LANES] = {{0}};
    bool cad = strcmp(ending, ".bpt") != 0;
    for (long i = 0, n = how_many(); i < n || any_runs(lanes);) {
        lane* l = NULL;
        for (int k = 0; k < LANES && i < n; k++)
            if (!lanes[k].process) l = &lanes[k];
        if (!l) {
            collect(lanes, &t);
            continue;
        }
        int which = (int)(l - lanes);
        snprintf(l->file, sizeof l->file, "%s/damaged%d%s", scratch, which, ending);
        snprintf(l->err, sizeof l->err, "%s/err%d", scratch, which);
        write_damaged(&r, files[i % count], l->file);
        begin_run(l, i++, cad);
    }
    print_message(
        "%s: %ld damaged files, %ld read, %ld refused, among them %ld crashes of Open CASCADE, %ld not done in %d s, "
        "%ld beyond the memory; longest %.1f s\n",
        ending, t.runs, t.read, t.refused, t.crashed, t.late, LIMIT, t.memory, t.worst);
    assert_int_equal(t.runs, how_many());
}

/* ---- kinds ------------------------------------------------------------------------------------ */

static void damaged_step_files_end_in_words(void** state)
{
    (void)state;
    static const char* const files[4] = {"tests/data/step/plate.step", "tests/data/step/pulley.step",
                                         "tests/data/step/rounded-box.step", "tests/data/step/frustum-inch.step"};
    campaign_of(files, 4, ".step", 91);
}

static void damaged_shapes(wit_cad_format format, const char* ending, uint64_t seed)
{
    static const cad_shape shapes[] = {CAD_SHAPE_BOX,  CAD_SHAPE_PIPE, CAD_SHAPE_CONE,
                                       CAD_SHAPE_RING, CAD_SHAPE_WAVE, CAD_SHAPE_DRILLED};
    enum { SHAPES = sizeof shapes / sizeof shapes[0] };
    char paths[SHAPES][128];
    const char* files[SHAPES];
    for (int k = 0; k < SHAPES; k++) {
        snprintf(paths[k], sizeof paths[k], "%s/whole%d%s", scratch, k, ending);
        assert_true(cad_write(shapes[k], format, "MM", paths[k]));
        files[k] = paths[k];
    }
    campaign_of(files, SHAPES, ending, seed);
}

static void damaged_iges_files_end_in_words(void** state)
{
    (void)state;
    damaged_shapes(WIT_CAD_IGES, ".igs", 93);
}

static void damaged_brep_files_end_in_words(void** state)
{
    (void)state;
    damaged_shapes(WIT_CAD_BREP, ".brep", 94);
}

static void damaged_patches_end_in_words(void** state)
{
    (void)state;
    static const char* const files[1] = {"tests/data/cup.bpt"};
    campaign_of(files, 1, ".bpt", 92);
}

/* Open CASCADE is loaded, and has made its tables, before anything is forked. */
static int scratch_made(void** state)
{
    (void)state;
    strcpy(scratch, "/tmp/witness-damaged-XXXXXX");
    const cad_module* module = cad_module_load("tests/data/step/plate.step");
    wit_cad* cad = module ? cad_module_read(module, "tests/data/step/plate.step", NULL) : NULL;
    if (!cad) return 1;
    module->destroy(cad);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_step_files_end_in_words),
        cmocka_unit_test(damaged_iges_files_end_in_words),
        cmocka_unit_test(damaged_brep_files_end_in_words),
        cmocka_unit_test(damaged_patches_end_in_words),
    };
    return cmocka_run_group_tests(tests, scratch_made, scratch_dropped);
}
