/* SPDX-License-Identifier: MIT */
/* Files of points and of answers: the same bytes from text, CSV and .npy, at any number of threads; refusals with their place. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"
#include "random.h"
#include "text_file.h"

enum { POINTS = 9000 }; /* more than one piece */

static FILE* create(const char* name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    return f;
}

/* The head of an .npy file as NumPy writes it: `shape` and `descr` are put in, and padded. */
static void write_npy(const char* name, const char* descr, const char* order, const char* shape, const double* x,
                      size_t n)
{
    FILE* f = create(name);
    char head[256];
    int length = snprintf(head, sizeof head, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, order, shape);
    while ((10 + length + 1) % 64) head[length++] = ' ';
    head[length++] = '\n';
    fwrite("\x93NUMPY\x01\x00", 1, 8, f);
    fputc(length & 255, f), fputc(length >> 8, f);
    fwrite(head, 1, (size_t)length, f);
    fwrite(x, sizeof *x, n, f);
    fclose(f);
}

static void write_all(double* x)
{
    rng r = rng_seed(77);
    for (int i = 0; i < 3 * POINTS; ++i) x[i] = rng_range(&r, -4, 8);
    FILE *text = create("p.txt"), *csv = create("p.csv");
    fputs("# all of them\n\n", text);
    fputs("x,y,z\n", csv);
    for (int i = 0; i < POINTS; ++i) {
        fprintf(text, "%.17g %.17g %.17g\n", x[3 * i], x[3 * i + 1], x[3 * i + 2]);
        fprintf(csv, "%.17g,%.17g,%.17g\r\n", x[3 * i], x[3 * i + 1], x[3 * i + 2]);
    }
    fclose(text), fclose(csv);
    char shape[32];
    snprintf(shape, sizeof shape, "(%d, 3)", POINTS);
    write_npy("p.npy", "'<f8'", "False", shape, x, 3 * POINTS);
}

static char* answers_of(const char* in, const char* options, const char* to, size_t* bytes)
{
    char arguments[512], path[128];
    run r;
    snprintf(path, sizeof path, "%s/%s", scratch, to);
    snprintf(arguments, sizeof arguments, "closest models/pen.json --points '%s/%s' --out '%s' %s", scratch, in, path,
             options);
    execute_well(&r, arguments);
    assert_string_equal(r.out, "");
    FILE* f = fopen(path, "rb");
    assert_non_null(f);
    char* all = malloc(1 << 22);
    assert_non_null(all);
    *bytes = fread(all, 1, 1 << 22, f);
    fclose(f);
    return all;
}

static void formats_and_threads_do_not_show(void** state)
{
    (void)state;
    static double x[3 * POINTS];
    write_all(x);
    static const char* const same[][2] = {{"p.npy", "--threads 1"},
                                          {"p.npy", "--threads 3"},
                                          {"p.txt", "--threads 2"},
                                          {"p.csv", "--threads 5"},
                                          {"p.csv", "--format csv"}};
    for (int kind = 0; kind < 2; ++kind) {
        const char* to = kind ? "a.csv" : "a.npy";
        size_t bytes, others;
        char* first = answers_of(same[0][0], same[0][1], to, &bytes);
        for (size_t k = 1; k < sizeof same / sizeof *same; ++k) {
            char* other = answers_of(same[k][0], same[k][1], to, &others);
            assert_int_equal(bytes, others);
            assert_memory_equal(first, other, bytes);
            free(other);
        }
        free(first);
    }
}

/* Distances of the rows are those of single questions, within their brackets; all are certified. */
static void rows_hold_the_answers(void** state)
{
    (void)state;
    static double x[3 * POINTS];
    write_all(x);
    size_t bytes;
    char* all = answers_of("p.npy", "", "a.npy", &bytes);
    size_t head = 10 + (unsigned char)all[8] + 256U * (unsigned char)all[9];
    assert_int_equal(head % 64, 0);
    assert_int_equal(bytes - head, 120 * POINTS);
    assert_has(all + 10, "('distance', '<f8')");
    size_t text_bytes;
    char* text = tree_file("models/pen.json", &text_bytes);
    wit_model* m = model_of(text, text_bytes);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_placed a = wit_placed_at(wit_model_body(m, 0), wit_pose_identity());
    for (int i = 0; i < POINTS; i += 101) {
        double row[4];
        wit_closest c;
        memcpy(row, all + head + 120 * (size_t)i, sizeof row);
        assert_int_equal(wit_closest_point(q, &a, (wit_vec3){x[3 * i], x[3 * i + 1], x[3 * i + 2]}, &c), WIT_OK);
        assert_true(row[1] <= row[0] && row[0] <= row[2]);
        assert_true(row[1] <= c.upper_bound && c.lower_bound <= row[2]);
        assert_int_equal(all[head + 120 * (size_t)i + 116], 1);
    }
    wit_query_destroy(q);
    wit_model_destroy(m);
    free(text);
    free(all);
}

static void tables_do_not_depend_on_the_format(void** state)
{
    (void)state;
    const double x[6] = {0, 0, 9, 3, 4, 0};
    char arguments[256];
    run text, npy, csv;
    write_npy("two.npy", "'<f8'", "False", "(2, 3)", x, 6);
    write_scratch("two.txt", "0 0 9\n3 4 0\n");
    write_scratch("two.csv", "0,0,9\n3,4,0\n");
    snprintf(arguments, sizeof arguments, "closest models/pen.json --json --points '%s/two.txt'", scratch);
    execute_well(&text, arguments);
    snprintf(arguments, sizeof arguments, "closest models/pen.json --json --points '%s/two.npy'", scratch);
    execute_well(&npy, arguments);
    snprintf(arguments, sizeof arguments, "closest models/pen.json --json --format csv --points - <'%s/two.csv'",
             scratch);
    execute_well(&csv, arguments);
    assert_string_equal(text.out, npy.out);
    assert_string_equal(text.out, csv.out);
    assert_has(text.out, "\"distance\": 2,");
}

static void refused(const char* name, const char* reason)
{
    char arguments[256], expected[256];
    run r;
    snprintf(arguments, sizeof arguments, "closest models/pen.json --points '%s/%s'", scratch, name);
    execute(&r, arguments);
    snprintf(expected, sizeof expected, "%s/%s%s\n", scratch, name, reason);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, expected);
    snprintf(arguments, sizeof arguments, "closest models/pen.json --points '%s/%s' --out '%s/none.npy'", scratch, name,
             scratch);
    execute(&r, arguments);
    assert_int_equal(r.code, 1);
    assert_string_equal(r.err, expected);
    snprintf(arguments, sizeof arguments, "%s/none.npy", scratch);
    assert_null(fopen(arguments, "rb")); /* no half a file */
}

static void bad_files_are_refused_with_their_place(void** state)
{
    (void)state;
    const double x[6] = {0, 0, 9, 3, NAN, 0}, far[3] = {1e300, 0, 0};
    write_scratch("a.csv", "x,y,z\n1,2,3\n1,2\n");
    refused("a.csv", ":3:1: 2 numbers, not 3: x y z");
    write_scratch("b.csv", "1,2,3\n1,nan,3\n");
    refused("b.csv", ":2:3: 'nan' is not a finite number");
    write_scratch("c.csv", "1,2,3\nx,y,z\n");
    refused("c.csv", ":2:1: 'x' is not a number");
    write_scratch("d.csv", "1,2,3,4\n");
    refused("d.csv", ":1:7: 4 numbers, not 3: x y z");
    write_scratch("e.csv", "1,2,1e300\n");
    refused("e.csv", ":1:5: the coordinate is too large");
    write_scratch("f.npy", "1 2 3\n");
    refused("f.npy", ": it does not begin as .npy files do");
    write_npy("g.npy", "'<f4'", "False", "(2, 3)", x, 3);
    refused("g.npy", ": the numbers are '<f4', not '<f8': save array.astype(float)");
    write_npy("h.npy", "'<f8'", "True", "(2, 3)", x, 6);
    refused("h.npy", ": the array is in Fortran order: save numpy.ascontiguousarray(array)");
    write_npy("i.npy", "'<f8'", "False", "(3, 2)", x, 6);
    refused("i.npy", ": the shape is (3, 2), not (n, 3)");
    write_npy("j.npy", "'<f8'", "False", "(6,)", x, 6);
    refused("j.npy", ": the shape is (6,), not (n, 3)");
    write_npy("k.npy", "'<f8'", "False", "(1000000000000, 3)", x, 3);
    refused("k.npy", ": it ends after 1 of 1000000000000 rows");
    write_npy("l.npy", "'<f8'", "False", "(1, 3)", x, 6);
    refused("l.npy", ": something follows its 1 rows");
    write_npy("m.npy", "'<f8'", "False", "(2, 3)", x, 6);
    refused("m.npy", ": row 2, column 2: not a finite number");
    write_npy("n.npy", "'<f8'", "False", "(1, 3)", far, 3);
    refused("n.npy", ": row 1, column 1: the coordinate is too large");
    write_npy("o.npy", "[('x', '<f8')]", "False", "(6,)", x, 6);
    refused("o.npy", ": the numbers are [('x', not '<f8': save array.astype(float)");
    refused("nowhere.npy", ": the file cannot be opened: there is no such file or directory");
}

static void wrong_usage_is_exit_2(void** state)
{
    (void)state;
    static const mistake wrong[] = {
        {"models/pen.json --points x --format xml", "--format is text, csv or npy, not 'xml'"},
        {"models/pen.json --points x --out y.txt", "--out writes files that end in .npy or .csv, not 'y.txt'"},
        {"models/pen.json --point 1,2,3 --out y.npy", "--points FILE is missing for '--out'"},
        {"models/pen.json --points x --out y.npy --json", "--out and --json together"},
        {"models/pen.json --points x --out y.npy --all", "--out and --all together"},
    };
    assert_mistakes("closest", wrong, sizeof wrong / sizeof wrong[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_and_threads_do_not_show),
        cmocka_unit_test(rows_hold_the_answers),
        cmocka_unit_test(tables_do_not_depend_on_the_format),
        cmocka_unit_test(bad_files_are_refused_with_their_place),
        cmocka_unit_test(wrong_usage_is_exit_2),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
