/* SPDX-License-Identifier: MIT */
/*
 * What a step never does: allocate, call the system, work beyond its budget; and that it is the same every time: at
 * another address, with another compiler (tests/data/scene-hashes.txt). Over all scenes.
 *
 *     test_track_replay --hashes          only compares the hashes, which is what another compiler may get wrong
 *     test_track_replay --write           writes the hashes anew
 *     test_track_replay --print SCENE     one line per frame, to see where two builds part
 *
 * The program is linked with --wrap=wi_kernel_resolve, so that every spline uses the portable kernels, whose bits are
 * the same on every machine.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "campaign.h"
#include "counted.h"
#include "../src/track/tracker_record.h"
#include "track_paths.h"
#include "track_scenes.h"

#if defined(__linux__)
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#define HASHES "tests/data/scene-hashes.txt"
enum { OTHER_FRAMES = 50 };

wit_kernel __wrap_wi_kernel_resolve(wit_kernel asked);
wit_kernel __wrap_wi_kernel_resolve(wit_kernel asked)
{
    return asked == WIT_KERNEL_AUTO ? WIT_KERNEL_PORTABLE : asked;
}

/* ---- every scene once ------------------------------------------------------------------------- */

/* What a new tracker gives, which others are compared with, and its memory after half of the frames. */
typedef struct first_run {
    uint64_t frame[MOST_FRAMES], hash; /* of each result, of all */
    long taken;                        /* from the heap, in steps */
    int64_t most;                      /* units of a step */
    void* half;
    size_t bytes, offset; /* of the tracker in its memory */
    wit_result last;      /* before the second half */
} first_run;

static first_run* firsts;

static void run_first(const show* s, first_run* out)
{
    void* memory;
    wit_tracker* t = show_start(s, &s->def, &memory, &out->bytes);
    out->offset = (size_t)((char*)t - (char*)memory);
    out->half = malloc(out->bytes);
    assert_non_null(out->half);
    out->hash = 0xcbf29ce484222325u;
    wit_result r = {0};
    for (int k = 0; k < s->frames; k++) {
        if (k == s->frames / 2) memcpy(out->half, memory, out->bytes), out->last = r;
        long before = taken;
        assert_int_equal(show_step(s, t, k, &r), WIT_OK);
        out->taken += taken - before;
        out->most = r.work.units > out->most ? r.work.units : out->most;
        out->hash = mix_result(out->hash, &r);
        out->frame[k] = mix_result(0, &r);
    }
    memset(memory, 0xff, out->bytes); /* a copy must not look there */
    free(memory);
}

static int open_and_run(void** state)
{
    open_shows(state);
    firsts = calloc((size_t)show_count, sizeof *firsts);
    assert_non_null(firsts);
    for (int n = 0; n < show_count; n++) run_first(&shows[n], &firsts[n]);
    return 0;
}

static int close_all(void** state)
{
    for (int n = 0; n < show_count; n++) free(firsts[n].half);
    free(firsts);
    return close_shows(state);
}

/* A copy of the tracker as it was halfway, at another address. */
static wit_tracker* halfway(int n, void** memory)
{
    const first_run* first = &firsts[n];
    *memory = malloc(first->bytes);
    assert_non_null(*memory);
    memcpy(*memory, first->half, first->bytes);
    return (wit_tracker*)(void*)((char*)*memory + first->offset);
}

/* Of the frames after `from` those that are compared with the first run: a quarter, all in `make verify`. */
static int compared_to(const show* s, int from)
{
    return from + (s->frames - from) / campaign_every(4, 4);
}

/* The first frame from `from` on that is not as in the first run; -1: all that are compared are. */
static int first_other(int n, wit_tracker* t, int from)
{
    const show* s = &shows[n];
    for (int k = from; k < compared_to(s, from); k++) {
        wit_result r;
        if (show_step(s, t, k, &r) != WIT_OK || mix_result(0, &r) != firsts[n].frame[k]) return k;
    }
    return -1;
}

/* ---- the same bits ---------------------------------------------------------------------------- */

static void a_copy_at_another_address_goes_on_with_the_same_bits(void** state)
{
    (void)state;
    for (int n = 0; n < show_count; n++) {
        void* memory;
        wit_tracker* t = halfway(n, &memory);
        int other = first_other(n, t, shows[n].frames / 2);
        if (other >= 0) fail_msg("%s: the copy goes another way at frame %d", shows[n].name, other);
        free(memory);
    }
}

/* Halfway, a tracker is placed where it is; a new one too: the same bits from there on. */
static void placed_trackers_are_as_new(void** state)
{
    (void)state;
    for (int n = 0; n < show_count; n++) {
        const show* s = &shows[n];
        const wit_witness *a = &firsts[n].last.a, *b = wit_scene_body(s->scene, 1) ? &firsts[n].last.b : NULL;
        void* memory[2];
        size_t bytes;
        wit_tracker* t[2] = {halfway(n, &memory[0]), show_start(s, &s->def, &memory[1], &bytes)};
        wit_result r[2];
        for (int i = 0; i < 2; i++) {
            if (a->feature == WIT_POINT) /* it was beyond the cut-off, with no pair */
                wit_tracker_reset(t[i]);
            else
                assert_int_equal(wit_tracker_place(t[i], a, b), WIT_OK);
        }
        for (int k = s->frames / 2; k < compared_to(s, s->frames / 2); k++) {
            for (int i = 0; i < 2; i++) assert_int_equal(show_step(s, t[i], k, &r[i]), WIT_OK);
            if (mix_result(0, &r[0]) != mix_result(0, &r[1]))
                fail_msg("%s: placed, frame %d differs from that of a new tracker", s->name, k);
        }
        for (int i = 0; i < 2; i++) free(memory[i]);
    }
}

/* All of the record, not only what a result shows: byte by byte. */
static void a_reset_record_is_the_new_one(void** state)
{
    (void)state;
    for (int n = 0; n < show_count; n++) {
        const show* s = &shows[n];
        void *memory, *fresh;
        size_t bytes;
        wit_tracker *t = halfway(n, &memory), *u = show_start(s, &s->def, &fresh, &bytes);
        wit_tracker_reset(t);
        wit_tracker_reset(u);
        if (memcmp(t, u, sizeof *t) != 0) fail_msg("%s: something survives a reset", s->name);
        free(memory);
        free(fresh);
    }
}

static void scenes_have_the_hashes_of_the_file(void** state)
{
    (void)state;
    FILE* f = fopen(HASHES, "r");
    if (!f) fail_msg(HASHES " cannot be opened; test_track_replay --write makes it");
    char line[256], name[128];
    int seen = 0, wrong = 0;
    while (fgets(line, sizeof line, f)) {
        unsigned long long wanted;
        if (line[0] == '#' || sscanf(line, "%127s %llx", name, &wanted) != 2) continue;
        int k = 0;
        while (k < show_count && strcmp(shows[k].name, name)) k++;
        if (k == show_count) fail_msg(HASHES " has %s, which is not in scenes", name);
        uint64_t hash = shows[k].whole ? firsts[k].hash : wanted;
        seen++;
        if (hash != wanted) print_error("%s: hash %016llx, wanted %016llx\n", name, (unsigned long long)hash, wanted);
        wrong += hash != wanted;
    }
    fclose(f);
    print_message("%d scenes, %d with another hash\n", seen, wrong);
    assert_int_equal(seen, show_count);
    assert_int_equal(wrong, 0);
}

static int write_hashes(void)
{
    open_and_run(NULL);
    FILE* f = fopen(HASHES, "w");
    if (!f) return 1;
    fprintf(f,
            "# Every scene run with the portable kernels (at most %d frames): a hash of its results.\n"
            "# Written by test_track_replay --write; a change must be one that was meant.\n",
            (int)MOST_FRAMES);
    for (int k = 0; k < show_count; k++) fprintf(f, "%s %016llx\n", shows[k].name, (unsigned long long)firsts[k].hash);
    int bad = fclose(f);
    close_all(NULL);
    return bad != 0;
}

static int print_frames(const char* name)
{
    open_shows(NULL);
    for (int n = 0; n < show_count; n++) {
        const show* s = &shows[n];
        if (strcmp(s->name, name) != 0) continue;
        void* memory;
        size_t bytes;
        wit_tracker* t = show_start(s, &s->def, &memory, &bytes);
        for (int k = 0; k < s->frames; k++) {
            wit_result r;
            if (show_step(s, t, k, &r)) return 1;
            printf("%d %016llx %a %a %a (%a %a) (%a %a) ended %d flags %x kind %d units %lld\n", k,
                   (unsigned long long)mix_result(0, &r), r.distance, r.lower_bound, r.rate, r.a.u, r.a.v, r.b.u, r.b.v,
                   (int)r.outcome, r.flags, (int)r.kind, (long long)r.work.units);
        }
        free(memory);
    }
    close_shows(NULL);
    return 0;
}

/* ---- nothing taken, nothing asked ------------------------------------------------------------- */

static void steps_do_not_allocate(void** state)
{
    (void)state;
    long steps = 0;
    for (int n = 0; n < show_count; n++) {
        void* memory;
        wit_tracker* t = halfway(n, &memory);
        long before = taken;
        wit_tracker_reset(t);
        wit_tracker_transitions(t, NULL, 0);
        assert_int_equal(taken - before, 0);
        assert_int_equal(firsts[n].taken, 0);
        steps += shows[n].frames;
        free(memory);
    }
    long before = taken;
    void* volatile one = malloc(1); /* the counter counts; volatile, or a compiler leaves both calls out */
    free(one);
    assert_int_equal(taken - before, 1);
    print_message("%ld steps of %d scenes, no allocation\n", steps, show_count);
}

static wit_tracker* jail_tracker;
static int jail_show;

static bool run_frames(void)
{
    return first_other(jail_show, jail_tracker, 0) < 0;
}

#if defined(__linux__)

/* In a child that may only read, write and exit: any other call of the system kills it. */
static int jailed(bool (*run)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT)) syscall(SYS_exit, 3);
        syscall(SYS_exit, run() ? 0 : 1);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status)) return -WTERMSIG(status);
    return WEXITSTATUS(status);
}

static bool ask_the_system(void)
{
    return syscall(SYS_getppid) > 0;
}

/* Is there such a jail? */
static bool can_jail(void)
{
    int control = jailed(ask_the_system);
    assert_true(control == 3 || control == -SIGKILL);
    return control != 3;
}

#else

static int jailed(bool (*run)(void))
{
    return run() ? 0 : 1;
}

static bool can_jail(void)
{
    return false;
}

#endif

/* Halfway, reset, then all of the scene, and no call of the system. */
static void reset_trackers_are_as_new_and_call_no_system(void** state)
{
    (void)state;
    bool jail = can_jail();
    if (!jail) print_message("SKIPPED: calls of the system (no jail here)\n");
    for (int n = 0; n < show_count; n++) {
        void* memory;
        jail_show = n;
        jail_tracker = halfway(n, &memory);
        wit_tracker_reset(jail_tracker);
        show_place(&shows[n], jail_tracker);
        int end = jail ? jailed(run_frames) : !run_frames();
        if (end) print_error("%s: %s (%d)\n", shows[n].name, end == 1 ? "not as a new tracker" : "killed", end);
        assert_int_equal(end, 0);
        free(memory);
    }
}

/* ---- bounded work ----------------------------------------------------------------------------- */

typedef struct burden {
    long steps, ended, silent, over;
    int64_t most;
} burden;

static void run_with_budget(const show* s, const wit_track_def* def, int frames, burden* out)
{
    void* memory;
    size_t bytes;
    wit_tracker* t = show_start(s, def, &memory, &bytes);
    for (int k = 0; k < frames; k++) {
        wit_result r;
        assert_int_equal(show_step(s, t, k, &r), WIT_OK);
        if (r.work.units > def->budget && out->over++ < 10)
            print_error("%s, %s, frame %d: %lld units with a budget of %lld\n", s->name,
                        def->law ? wit_law_name(def->law->kind) : "default", k, (long long)r.work.units,
                        (long long)def->budget);
        assert_true(r.work.units == r.work.jets + r.work.nodes + r.work.tests + r.work.boxes);
        assert_true(isfinite(r.distance) && !isnan(r.lower_bound));
        out->steps++;
        out->ended += r.outcome == WIT_OUTCOME_BUDGET;
        /* stopped short, it may not claim what it did not reach */
        out->silent += r.outcome == WIT_OUTCOME_BUDGET && (r.flags & WIT_FLAG_CERTIFIED);
        if (r.work.units > out->most) out->most = r.work.units;
    }
    free(memory);
}

/* Every scene as it is (the first run was that with the default budget), and its first frames with every other law that
 * takes it. */
static void work_stays_within_the_budget(void** state)
{
    (void)state;
    const int64_t budgets[4] = {64, 100, 1000, 100000};
    long exceeded = 0;
    for (int b = 0; b < 4; b++) {
        burden all = {0};
        for (int n = 0; n < show_count; n++) {
            const show* s = &shows[n];
            wit_track_def def = s->def;
            if (def.budget == budgets[b]) {
                assert_true(firsts[n].most <= def.budget);
            } else {
                def.budget = budgets[b];
                run_with_budget(s, &def, s->frames, &all);
            }
            for (int law = 0; law < WIT_LAW_COUNT; law++) {
                def = wit_track_default_def();
                def.law = wit_law_preset((wit_law_kind)law);
                def.budget = budgets[b];
                if (!wit_tracker_size(wit_scene_body(s->scene, 0), wit_scene_body(s->scene, 1), &def)) continue;
                run_with_budget(s, &def, s->frames < OTHER_FRAMES ? s->frames : OTHER_FRAMES, &all);
            }
        }
        print_message("budget %lld: %ld steps, most %lld units, %ld steps ended by it\n", (long long)budgets[b],
                      all.steps, (long long)all.most, all.ended);
        assert_int_equal(all.silent, 0);
        exceeded += all.over;
    }
    assert_int_equal(exceeded, 0);
}

/* ---- the kernels are the portable ones -------------------------------------------------------- */

static void splines_of_this_program_are_portable(void** state)
{
    (void)state;
    wit_body* b = track_ellipsoid(vec3(1, 1, 1), true);
    assert_int_equal(wit_surface_describe(wit_body_face(b, 0).surface).kernel, WIT_KERNEL_PORTABLE);
    wit_body_destroy(b);
}

int main(int argc, char** argv)
{
    if (argc > 1 && !strcmp(argv[1], "--write")) return write_hashes();
    if (argc > 2 && !strcmp(argv[1], "--print")) return print_frames(argv[2]);
    const struct CMUnitTest hashes[] = {
        cmocka_unit_test(splines_of_this_program_are_portable),
        cmocka_unit_test(scenes_have_the_hashes_of_the_file),
    };
    if (argc > 1 && !strcmp(argv[1], "--hashes")) return cmocka_run_group_tests(hashes, open_and_run, close_all);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_at_another_address_goes_on_with_the_same_bits),
        cmocka_unit_test(placed_trackers_are_as_new),
        cmocka_unit_test(a_reset_record_is_the_new_one),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(reset_trackers_are_as_new_and_call_no_system),
        cmocka_unit_test(work_stays_within_the_budget),
    };
    return cmocka_run_group_tests(tests, open_and_run, close_all);
}
