/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "cad_file.h"

#include "cad_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAS_CHILDREN 1
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#endif

/* Address sanitizers map terabytes. */
#if defined(__SANITIZE_ADDRESS__)
#define LIMITS_MEMORY 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMITS_MEMORY 0
#endif
#endif
#ifndef LIMITS_MEMORY
#define LIMITS_MEMORY 1
#endif

cad_limits cad_limits_default(void)
{
    cad_limits l = {300, 8192};
    return l;
}

int cad_file_lost(const cad_file* file)
{
    int lost = 0;
    for (int k = 0; k < file->report.problem_count; k++) lost += file->problems[k].lost;
    return lost;
}

void cad_file_drop(cad_file* file)
{
    free(file->problems);
    free(file->bodies);
    free(file->text);
    memset(file, 0, sizeof *file);
}

/* By the counts of the report and the length of the text. */
static bool has_room(cad_file* f)
{
    f->problems = malloc(((size_t)f->report.problem_count + 1) * sizeof *f->problems);
    f->bodies = malloc(((size_t)f->report.bodies + 1) * sizeof *f->bodies);
    f->text = malloc(f->bytes + 1);
    if (f->problems && f->bodies && f->text) return true;
    cad_file_drop(f);
    return false;
}

/* In this process: what Open CASCADE does to it, it does to us. */
static bool read_here(const char* path, const wit_cad_def* def, cad_file* out)
{
    const cad_module* module = cad_module_load(path);
    wit_cad* cad = module ? cad_module_read(module, path, def) : NULL;
    if (!cad) return false;
    const char* text = module->text(cad, &out->bytes);
    out->report = module->describe(cad);
    bool room = has_room(out);
    for (int k = 0; room && k < out->report.problem_count; k++) out->problems[k] = module->problem_at(cad, k);
    for (int k = 0; room && k < out->report.bodies; k++) out->bodies[k] = module->body_at(cad, k);
    if (room) memcpy(out->text, text, out->bytes + 1);
    module->destroy(cad);
    if (!room) fprintf(stderr, "%s: there is not enough memory\n", path);
    return room;
}

bool cad_file_write(FILE* to, const cad_file* f)
{
    size_t n = (size_t)f->report.problem_count, m = (size_t)f->report.bodies;
    return fwrite(&f->report, sizeof f->report, 1, to) == 1 && fwrite(&f->bytes, sizeof f->bytes, 1, to) == 1 &&
           fwrite(f->problems, sizeof *f->problems, n, to) == n && fwrite(f->bodies, sizeof *f->bodies, m, to) == m &&
           fwrite(f->text, 1, f->bytes, to) == f->bytes && fflush(to) == 0;
}

/* Is so much left of the file? What is kept may be cut short. */
static bool holds(FILE* from, const cad_file* f)
{
    long at = ftell(from);
    if (at < 0 || fseek(from, 0, SEEK_END) != 0) return false;
    long end = ftell(from);
    if (end < at || fseek(from, at, SEEK_SET) != 0) return false;
    size_t left = (size_t)(end - at), n = (size_t)f->report.problem_count, m = (size_t)f->report.bodies;
    return f->bytes <= left && n <= left / sizeof *f->problems && m <= left / sizeof *f->bodies;
}

bool cad_file_read_back(FILE* from, cad_file* f)
{
    memset(f, 0, sizeof *f);
    if (fread(&f->report, sizeof f->report, 1, from) != 1 || fread(&f->bytes, sizeof f->bytes, 1, from) != 1)
        return false;
    if (f->report.problem_count < 0 || f->report.bodies < 0 || !holds(from, f) || !has_room(f)) return false;
    size_t n = (size_t)f->report.problem_count, m = (size_t)f->report.bodies;
    bool good = fread(f->problems, sizeof *f->problems, n, from) == n &&
                fread(f->bodies, sizeof *f->bodies, m, from) == m && fread(f->text, 1, f->bytes, from) == f->bytes;
    f->text[f->bytes] = 0;
    if (!good) cad_file_drop(f);
    return good;
}

#ifdef HAS_CHILDREN

static void limit(int what, double most)
{
    struct rlimit l;
    if (getrlimit(what, &l) != 0) return;
    if (l.rlim_max == RLIM_INFINITY || most < (double)l.rlim_max) l.rlim_cur = (rlim_t)most;
    setrlimit(what, &l);
}

/* Ends the process: 0 good, 1 after a message of its own. */
static void be_the_child(const char* path, const wit_cad_def* def, cad_limits limits, FILE* to)
{
    cad_file f = {0};
    if (LIMITS_MEMORY) limit(RLIMIT_AS, limits.megabytes * 1048576);
    limit(RLIMIT_CPU, limits.seconds * 4 + 1); /* threads may add up; the clock on the wall is the parent's */
    limit(RLIMIT_CORE, 0);
    bool good = read_here(path, def, &f) && cad_file_write(to, &f);
    fflush(NULL);
    _exit(good ? 0 : 1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for the child to end, and ends it when its time is up. */
static bool ended_in_time(pid_t child, double seconds, int* how, struct rusage* usage)
{
    double end = now() + seconds;
    struct timespec pause = {0, 1000000};
    for (;;) {
        pid_t got = wait4(child, how, WNOHANG, usage);
        if (got == child) return true;
        if (got < 0 && errno != EINTR) {
            *how = 1 << 8;
            return true;
        }
        if (now() > end) break;
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 20000000) pause.tv_nsec += 1000000;
    }
    kill(child, SIGKILL);
    while (wait4(child, how, 0, usage) < 0 && errno == EINTR) {
    }
    return false;
}

static double resident_megabytes(const struct rusage* usage)
{
#if defined(__APPLE__)
    return (double)usage->ru_maxrss / 1048576;
#else
    return (double)usage->ru_maxrss / 1024;
#endif
}

static bool came_back(FILE* from, cad_file* f)
{
    rewind(from);
    return cad_file_read_back(from, f);
}

static bool read_in_child(const char* path, const wit_cad_def* def, cad_limits limits, cad_file* out)
{
    if (!cad_module_load(path)) return false;
    FILE* back = tmpfile();
    fflush(NULL);
    pid_t child = back ? fork() : -1;
    if (child < 0) {
        fprintf(stderr, "%s: no process can be started to read it in\n", path);
        if (back) fclose(back);
        return false;
    }
    if (child == 0) be_the_child(path, def, limits, back);
    int how = 0;
    struct rusage usage = {0};
    bool good = false;
    if (!ended_in_time(child, limits.seconds, &how, &usage))
        fprintf(stderr, "%s: Open CASCADE was not done with it after %g s, and was ended; --time-limit sets the time\n",
                path, limits.seconds);
    else if (WIFSIGNALED(how) && resident_megabytes(&usage) > 0.5 * limits.megabytes)
        fprintf(stderr,
                "%s: Open CASCADE needs more than %g MB of memory for it; --memory-limit sets how much it gets\n", path,
                limits.megabytes);
    else if (WIFSIGNALED(how))
        fprintf(stderr,
                "%s: Open CASCADE crashed while reading it (signal %d): the file is damaged, or it is a fault there\n",
                path, WTERMSIG(how));
    else if (WIFEXITED(how) && WEXITSTATUS(how) == 0 && !(good = came_back(back, out)))
        fprintf(stderr, "%s: what was read did not come back: is the disk, or the memory, full?\n", path);
    else if (WIFEXITED(how) && WEXITSTATUS(how) > 1)
        fprintf(stderr, "%s: Open CASCADE gave up while reading it (exit code %d)\n", path, WEXITSTATUS(how));
    fclose(back);
    return good;
}

#else

static bool read_in_child(const char* path, const wit_cad_def* def, cad_limits limits, cad_file* out)
{
    (void)limits;
    fprintf(stderr, "%s: read without limits of time and memory, which this system does not give\n", path);
    return read_here(path, def, out);
}

#endif

/* What is lost is said by the process that reads; here that of a file that was read before. */
static void say_lost(const char* path, const cad_file* f)
{
    for (int k = 0; k < f->report.problem_count; k++)
        if (f->problems[k].lost)
            fprintf(stderr, "%s: lost: %s: %s\n", path, f->problems[k].entity, f->problems[k].text);
}

bool cad_file_read(const char* path, const wit_cad_def* def, const cad_reading* how, cad_file* out)
{
    cad_key key;
    memset(out, 0, sizeof *out);
    bool cached = !how->uncached && cad_cache_key(path, def, &key);
    if (cached && cad_cache_find(&key, out)) {
        say_lost(path, out);
        return true;
    }
    if (!read_in_child(path, def, how->limits, out)) return false;
    if (cached) cad_cache_keep(&key, out);
    return true;
}
