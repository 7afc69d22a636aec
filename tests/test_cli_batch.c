/* SPDX-License-Identifier: MIT */
/* `witness closest` with many questions at once: --points and --poses, from a file and from a pipe. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"
#include "random.h"

static void write_points(int n)
{
    static char text[1 << 16];
    size_t k = 0;
    rng r = rng_seed(7);
    for (int i = 0; i < n; i++) {
        double x = rng_range(&r, -15, 15);
        double y = rng_range(&r, -15, 15);
        double z = rng_range(&r, -15, 15);
        k += (size_t)snprintf(text + k, sizeof text - k, "%.17g %.17g %.17g\n", x, y, z);
    }
    assert_true(k < sizeof text - 1);
    write_scratch("points", text);
}

static void write_poses(int n)
{
    static char text[1 << 16];
    size_t k = 0;
    rng r = rng_seed(8);
    for (int i = 0; i < n; i++) {
        double q[8];
        for (int j = 0; j < 8; j++) q[j] = rng_range(&r, -1, 1);
        for (int j = 0; j < 8; j += 4) {
            double length = sqrt(q[j] * q[j] + q[j + 1] * q[j + 1] + q[j + 2] * q[j + 2] + q[j + 3] * q[j + 3]);
            for (int m = 0; m < 4; m++) q[j + m] /= length;
        }
        double y = rng_range(&r, -12, 12);
        double z = rng_range(&r, 0, 12);
        k += (size_t)snprintf(text + k, sizeof text - k,
                              "0 %.17g %.17g %.17g %.17g %.17g %.17g  1 2 3 %.17g %.17g %.17g %.17g\n", y, z, q[0],
                              q[1], q[2], q[3], q[4], q[5], q[6], q[7]);
    }
    assert_true(k < sizeof text - 1);
    write_scratch("poses", text);
}

static void a_batch_has_the_same_bits_at_any_number_of_threads(void** state)
{
    (void)state;
    static const char* const calls[] = {
        "closest models/table1.json --points '%s/points' --json",
        "closest models/table1.json --points '%s/points'",
        "closest models/pen.json models/bowl.json --poses '%s/poses' --json",
        "closest models/table1.json --points '%s/points' --all --json",
        "closest models/pen.json models/bowl.json --poses '%s/poses' --all --within 3 --json",
    };
    static run one, more;
    write_points(300);
    write_poses(60);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        char call[256], arguments[320];
        snprintf(call, sizeof call, calls[i], scratch);
        snprintf(arguments, sizeof arguments, "%s --threads 1", call);
        execute(&one, arguments);
        assert_int_equal(one.code, 0);
        assert_string_equal(one.err, ""); /* no progress in a pipe */
        assert_true(strlen(one.out) > 1000);
        for (int threads = 2; threads <= 7; threads += 5) {
            snprintf(arguments, sizeof arguments, "%s --threads %d", call, threads);
            execute(&more, arguments);
            assert_int_equal(more.code, 0);
            assert_string_equal(one.out, more.out);
        }
    }
}

static void a_batch_answers_line_by_line_as_single_questions_do(void** state)
{
    (void)state;
    static run batch, single;
    char arguments[256];
    write_scratch("points", "# points\n\n1 2 3\n 4,5 , 6 # with a note\n\t\n-1e0 +.5 2.\r\n7 8 9");
    snprintf(arguments, sizeof arguments, "closest models/pen.json --json --points '%s/points'", scratch);
    execute(&batch, arguments);
    assert_int_equal(batch.code, 0);
    static const char* const points[] = {"1,2,3", "4,5,6", "-1,0.5,2", "7,8,9"};
    const char* at = batch.out;
    for (int i = 0; i < 4; i++) {
        snprintf(arguments, sizeof arguments, "closest models/pen.json --json --point %s", points[i]);
        execute(&single, arguments);
        assert_int_equal(single.code, 0);
        assert_int_equal(strncmp(at, single.out, strlen(single.out)), 0);
        at += strlen(single.out);
    }
    assert_string_equal(at, "");
    snprintf(arguments, sizeof arguments, "closest models/pen.json --json --points - <'%s/points'", scratch);
    execute(&single, arguments);
    assert_string_equal(single.out, batch.out);
    snprintf(arguments, sizeof arguments, "closest models/pen.json --points '%s/points' --within 5", scratch);
    execute(&batch, arguments);
    assert_has(batch.out, "      3        1.73606797749979 ");
    assert_has(batch.out, "  converged    face S4 ");
    assert_has(batch.out, "      4      > 5.");
    assert_has(batch.out, "\n4 queries: 2 converged, 2 beyond, ");
    assert_has(batch.out, "least distance ");
}

/* A program that sends a question and waits for the answer gets it. */
static void a_batch_answers_before_the_next_question_comes(void** state)
{
    (void)state;
    int down[2], up[2];
    assert_true(pipe(down) == 0 && pipe(up) == 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char* command = getenv("WITNESS_COMMAND");
        dup2(down[0], 0);
        dup2(up[1], 1);
        close(down[1]);
        close(up[0]);
        execl(command ? command : "build/witness", "witness", "closest", "models/pen.json", "--points", "-", "--json",
              (char*)NULL);
        _exit(127);
    }
    close(down[0]);
    close(up[1]);
    FILE* answers = fdopen(up[0], "r");
    assert_non_null(answers);
    alarm(20); /* if no answer comes, the test dies */
    for (int i = 0; i < 3; i++) {
        char line[4096];
        assert_int_equal(write(down[1], "1 2 3\n", 6), 6);
        assert_non_null(fgets(line, sizeof line, answers));
        json_doc doc = json_of_line(line);
        assert_true(fabs(number_at(&doc, "distance") - (sqrt(5) - 0.5)) <= 1e-14);
        wi_json_free(&doc);
    }
    close(down[1]);
    assert_int_equal(fgetc(answers), EOF);
    alarm(0);
    fclose(answers);
    int status = 0;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void a_bad_line_is_named_and_what_came_before_is_answered(void** state)
{
    (void)state;
    static const struct {
        bool pair;
        const char *text, *place;
        int answered;
    } cases[] = {
        {false, "1 2 3\n4 5 nan\n", ":2:5: 'nan' is not a finite number", 1},
        {false, "1 2 3\n4 5 6\n4 -inf 6\n", ":3:3: '-inf' is not a finite number", 2},
        {false, "1 2\n", ":1:1: 2 numbers, not 3: x y z", 0},
        {false, "1 2 3\n# note\n1 2 3 4\n", ":3:7: 4 numbers, not 3: x y z", 1},
        {false, "1 2 3\n1 two 3\n", ":2:3: 'two' is not a number", 1},
        {false, "1 2 3\n1,,3\n", ":2:3: a number is missing before this comma", 1},
        {false, "1 2 1e400\n", ":1:5: '1e400' is too large", 0},
        {false, "1 2 1e13\n", ":1:5: the coordinate is too large", 0},
        {false, "1 2 0x10\n", ":1:5: '0x10' is not a number", 0},
        {true, "0 -4 12 1 0 0 0 0 0 0 1 0 0 0\n0 -4 12 1 0 0 0 0 0 0 2 0 0 0\n",
         ":2:23: the quaternion qw qx qy qz has length 2, not 1", 1},
        {true, "0 -4 12 0 0 0 0 0 0 0 1 0 0 0\n", ":1:9: the quaternion qw qx qy qz has length 0, not 1", 0},
        {true, "1 2 3\n", ":1:1: 3 numbers, not 14: x y z qw qx qy qz of a, then of b", 0},
    };
    run r;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[256], place[256];
        write_scratch("batch", cases[i].text);
        snprintf(arguments, sizeof arguments, "closest models/pen.json %s '%s/batch' --json",
                 cases[i].pair ? "models/bowl.json --poses" : "--points", scratch);
        execute(&r, arguments);
        assert_int_equal(r.code, 1);
        snprintf(place, sizeof place, "%s/batch%s\n", scratch, cases[i].place);
        assert_string_equal(r.err, place);
        int lines = 0;
        for (const char* s = r.out; *s; s++) lines += *s == '\n';
        assert_int_equal(lines, cases[i].answered);
    }
    /* A point off the plane of a planar body is refused by the search, at its line. */
    write_scratch("batch", "0.1 0.1 0\n0.1 0.1 0.5\n0.2 0.1 0\n");
    char arguments[256];
    snprintf(arguments, sizeof arguments, "closest models/three-arc.json --points '%s/batch' --json", scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_has(r.err, "/batch:2:1: the point is not in the plane of the planar body\n");
    assert_string_equal(strchr(r.out, '\n'), "\n");
    execute(&r, "closest models/three-arc.json --point 0.1,0.1,0.5");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, "witness closest: the point is not in the plane of the planar body\n");
    execute(&r, "closest models/pen.json --points nowhere.txt");
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, "nowhere.txt: the file cannot be opened: there is no such file or directory\n");
    if (access("/dev/full", W_OK) == 0) {
        write_points(300);
        snprintf(arguments, sizeof arguments,
                 "closest models/pen.json --points '%s/points' >/dev/full 2>'%s/full'; exit $?; true", scratch,
                 scratch);
        execute(&r, arguments);
        assert_int_equal(r.code, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_has_the_same_bits_at_any_number_of_threads),
        cmocka_unit_test(a_batch_answers_line_by_line_as_single_questions_do),
        cmocka_unit_test(a_batch_answers_before_the_next_question_comes),
        cmocka_unit_test(a_bad_line_is_named_and_what_came_before_is_answered),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
