/* SPDX-License-Identifier: MIT */
/*
 * What a step never does: allocate, call the system, work beyond its budget; and that it is the same every time: at
 * another address, with another compiler (tests/data/scene-hashes.txt). Over all scenes.
 *
 *     test_track_replay --write           writes the hashes anew
 *     test_track_replay --print SCENE     one line per frame, to see where two builds part
 *
 * The program is linked with --wrap=wi_kernel_resolve, so that every spline uses the portable kernels, whose bits are
 * the same on every machine.
 */
#define _GNU_SOURCE
#include <stdlib.h>

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

/* ---- the same bits ---------------------------------------------------------------------------- */

static uint64_t show_hash(const show* s)
{
    void* memory;
    size_t bytes;
    wit_tracker* t = show_start(s, &s->def, &memory, &bytes);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int k = 0; k < s->frames; k++) {
        wit_result r;
        assert_int_equal(show_step(s, t, k, &r), WIT_OK);
        hash = mix_result(hash, &r);
    }
    free(memory);
    return hash;
}

/* From a third of the frames on, a copy runs beside the original; in the end alone. */
static void a_copy_at_another_address_goes_on_with_the_same_bits(void** state)
{
    (void)state;
    for (int n = 0; n < show_count; n++) {
        const show* s = &shows[n];
        void *memory, *copy = NULL;
        size_t bytes;
        wit_tracker *t = show_start(s, &s->def, &memory, &bytes), *u = NULL;
        size_t offset = (size_t)((char*)t - (char*)memory);
        for (int k = 0; k < s->frames; k++) {
            wit_result r, q;
            if (k == s->frames / 3) {
                copy = malloc(bytes);
                assert_non_null(copy);
                memcpy(copy, memory, bytes);
                u = (wit_tracker*)(void*)((char*)copy + offset);
            }
            assert_int_equal(show_step(s, t, k, &r), WIT_OK);
            if (!u) continue;
            assert_int_equal(show_step(s, u, k, &q), WIT_OK);
            if (mix_result(0, &r) != mix_result(0, &q))
                fail_msg("%s: the copy goes another way at frame %d", s->name, k);
        }
        wit_result r, q;
        assert_int_equal(show_step(s, t, s->frames - 1, &r), WIT_OK);
        memset(memory, 0xff, bytes); /* the copy must not look there */
        assert_int_equal(show_step(s, u, s->frames - 1, &q), WIT_OK);
        assert_true(mix_result(0, &r) == mix_result(0, &q));
        free(memory);
        free(copy);
    }
}

/* A tracker that has run half the scene, then reset or placed, against one that is new: the same bits from there on. */
static void run_again(const show* s, bool placed)
{
    void* memory[2];
    size_t bytes;
    wit_tracker* t[2];
    wit_result r[2];
    wit_witness at[2];
    bool point = !wit_scene_body(s->scene, 1);
    for (int i = 0; i < 2; i++) t[i] = show_start(s, &s->def, &memory[i], &bytes);
    for (int k = 0; k < s->frames / 2; k++) assert_int_equal(show_step(s, t[0], k, &r[0]), WIT_OK);
    wit_tracker_reset(t[1]);
    if (placed) {
        at[0] = r[0].a, at[1] = r[0].b;
        if (at[0].feature == WIT_POINT) wit_tracker_reset(t[0]); /* it was beyond the cut-off, with no pair */
        for (int i = 0; i < 2 && at[0].feature != WIT_POINT; i++)
            assert_int_equal(wit_tracker_place(t[i], &at[0], point ? NULL : &at[1]), WIT_OK);
    } else {
        wit_tracker_reset(t[0]);
    }
    for (int k = placed ? s->frames / 2 : 0; k < s->frames; k++) {
        for (int i = 0; i < 2; i++) assert_int_equal(show_step(s, t[i], k, &r[i]), WIT_OK);
        if (mix_result(0, &r[0]) != mix_result(0, &r[1]))
            fail_msg("%s: %s, frame %d differs from that of a new tracker", s->name, placed ? "placed" : "reset", k);
    }
    for (int i = 0; i < 2; i++) free(memory[i]);
}

static void reset_and_placed_trackers_are_as_new(void** state)
{
    (void)state;
    for (int n = 0; n < show_count; n++) {
        run_again(&shows[n], false);
        run_again(&shows[n], true);
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
        wit_tracker *t = show_start(s, &s->def, &memory, &bytes), *u = show_start(s, &s->def, &fresh, &bytes);
        wit_result r;
        for (int k = 0; k < s->frames / 2; k++) assert_int_equal(show_step(s, t, k, &r), WIT_OK);
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
        uint64_t hash = show_hash(&shows[k]);
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
    open_shows(NULL);
    FILE* f = fopen(HASHES, "w");
    if (!f) return 1;
    fprintf(f,
            "# Every scene run with the portable kernels (at most %d frames): a hash of its results.\n"
            "# Written by test_track_replay --write; a change must be one that was meant.\n",
            (int)MOST_FRAMES);
    for (int k = 0; k < show_count; k++)
        fprintf(f, "%s %016llx\n", shows[k].name, (unsigned long long)show_hash(&shows[k]));
    int bad = fclose(f);
    close_shows(NULL);
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
        const show* s = &shows[n];
        void* memory;
        size_t bytes;
        wit_tracker* t = show_start(s, &s->def, &memory, &bytes);
        long before = taken;
        wit_result r;
        wit_status status = WIT_OK;
        for (int k = 0; k < s->frames && status == WIT_OK; k++, steps++) status = show_step(s, t, k, &r);
        wit_tracker_reset(t);
        wit_tracker_transitions(t, NULL, 0);
        long after = taken;
        assert_int_equal(status, WIT_OK);
        assert_int_equal(after - before, 0);
        free(memory);
    }
    long before = taken;
    void* volatile one = malloc(1); /* the counter counts; volatile, or a compiler leaves both calls out */
    free(one);
    assert_int_equal(taken - before, 1);
    print_message("%ld steps of %d scenes, no allocation\n", steps, show_count);
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

static wit_tracker* jail_tracker;
static const show* jail_show;

static bool run_frames(void)
{
    for (int k = 0; k < jail_show->frames; k++) {
        wit_result r;
        if (show_step(jail_show, jail_tracker, k, &r) != WIT_OK) return false;
    }
    return true;
}

static bool ask_the_system(void)
{
    return syscall(SYS_getppid) > 0;
}

static void steps_call_no_system(void** state)
{
    (void)state;
    int control = jailed(ask_the_system);
    if (control == 3) skip(); /* no such jail here */
    assert_int_equal(control, -SIGKILL);
    for (int n = 0; n < show_count; n++) {
        void* memory;
        size_t bytes;
        jail_show = &shows[n];
        jail_tracker = show_start(jail_show, &jail_show->def, &memory, &bytes);
        int end = jailed(run_frames);
        if (end) print_error("%s: ended with %d\n", jail_show->name, end);
        assert_int_equal(end, 0);
        free(memory);
    }
}

#else

static void steps_call_no_system(void** state)
{
    (void)state;
    skip();
}

#endif

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

/* Every scene as it is, and its first frames with every other law that takes it. */
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
            def.budget = budgets[b];
            run_with_budget(s, &def, s->frames, &all);
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splines_of_this_program_are_portable),
        cmocka_unit_test(scenes_have_the_hashes_of_the_file),
        cmocka_unit_test(a_copy_at_another_address_goes_on_with_the_same_bits),
        cmocka_unit_test(reset_and_placed_trackers_are_as_new),
        cmocka_unit_test(a_reset_record_is_the_new_one),
        cmocka_unit_test(steps_do_not_allocate),
        cmocka_unit_test(steps_call_no_system),
        cmocka_unit_test(work_stays_within_the_budget),
    };
    return cmocka_run_group_tests(tests, open_shows, close_shows);
}
