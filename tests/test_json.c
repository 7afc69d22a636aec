/* SPDX-License-Identifier: MIT */
/* The JSON reader and the numbers it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../io/json.h"
#include "../io/number.h"
#include "campaign.h"
#include "random.h"

static json_doc parsed(const char* text)
{
    json_doc doc;
    wit_error e = {0};
    if (wi_json_read_text(&doc, text, strlen(text), NULL, &e)) fail_msg("%s: %s", text, e.text);
    return doc;
}

static void json_accepts_all_of_rfc8259(void** state)
{
    (void)state;
    static const char* const good[] = {
        "0",
        "-0",
        "10.25e-3",
        "1E+2",
        "\"\"",
        "null",
        "true",
        " false ",
        "[]",
        "{}",
        "[[[]]]",
        "{\"\": {\"\": []}}",
        "\r\n\t [ 1 , \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\" ] \n",
        "\"\\ud83d\\ude00 \xf0\x9f\x98\x80 \x7f\"",
        "{\"a\": 1, \"b\": 2, \"aa\": 3, \"\\u0000\": 4, \"\\u0000x\": 5}",
    };
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        json_doc doc = parsed(good[i]);
        assert_true(doc.count > 0);
        wi_json_free(&doc);
    }
}

static void json_tokens_walk_and_know_their_place(void** state)
{
    (void)state;
    json_doc doc = parsed("{\"a\": [1, {\"b\": [true, \"x\"]}, 3],\n  \"c\": {\"d\": null}}");
    const json_token* t = doc.tokens;
    assert_int_equal(t[0].type, JSON_OBJECT);
    assert_int_equal(t[0].size, 2);
    assert_int_equal(t[0].next, doc.count);
    size_t a = wi_json_member(&doc, 0, "a"), c = wi_json_member(&doc, 0, "c");
    assert_int_equal(t[a].type, JSON_ARRAY);
    assert_int_equal(t[a].size, 3);
    assert_int_equal(t[a].next, c - 1);
    assert_int_equal(wi_json_member(&doc, 0, "b"), 0);
    size_t x = wi_json_resolve(&doc, 0, "a[1].b[1]");
    assert_true(wi_json_equal(&doc, x, "x"));
    /* Every token's path leads back to it. */
    for (size_t k = 0; k < doc.count; k++) {
        char path[96];
        wi_json_path(&doc, k, path, sizeof path);
        size_t back = wi_json_resolve(&doc, 0, path);
        assert_true(back == k || (t[k].type == JSON_STRING && back == k + 1));
    }
    /* A path that leaves the text ends at its last token. */
    assert_int_equal(wi_json_resolve(&doc, 0, "a[7]"), a);
    assert_int_equal(wi_json_resolve(&doc, 0, "a[1].z.y[3]"), wi_json_resolve(&doc, 0, "a[1]"));
    int line, column;
    wi_json_position(&doc, wi_json_resolve(&doc, 0, "c.d"), &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 14);
    wi_json_position(&doc, x, &line, &column);
    assert_int_equal(line, 1);
    assert_int_equal(column, 24);
    wi_json_free(&doc);
}

static void json_strings_decode(void** state)
{
    (void)state;
    json_doc doc = parsed("[\"a\\u00e9\\ud83d\\ude00\\n\\/\", \"\\u0000z\"]");
    char text[32];
    static const char expected[] = "a\xc3\xa9\xf0\x9f\x98\x80\n/";
    assert_int_equal(wi_json_string(&doc, 1, text, sizeof text), sizeof expected - 1);
    assert_string_equal(text, expected);
    assert_true(wi_json_equal(&doc, 1, expected));
    assert_false(wi_json_equal(&doc, 1, "a"));
    assert_false(wi_json_equal(&doc, 1, "a\xc3\xa9\xf0\x9f\x98\x80\n/x"));
    /* Cut to the room, with a terminator; the length is the full one. */
    assert_int_equal(wi_json_string(&doc, 1, text, 3), sizeof expected - 1);
    assert_memory_equal(text, "a\xc3", 3);
    assert_int_equal(wi_json_string(&doc, 2, text, sizeof text), 2);
    assert_memory_equal(text, "\0z", 3);
    assert_false(wi_json_equal(&doc, 2, ""));
    wi_json_free(&doc);
}

/* Fills whatever room is asked for, as a file does. */
static size_t read_pieces(void* user, char* to, size_t room)
{
    const char** s = user;
    if (!**s || room == 0) return 0;
    size_t n = strlen(*s) < room ? strlen(*s) : room;
    memcpy(to, *s, n);
    *s += n;
    return n;
}

static void json_stream_reads_as_text_does(void** state)
{
    (void)state;
    /* Longer than the first chunk of 64 kB and full of tokens that straddle its end. */
    size_t room = 400000, n = 0;
    char* text = malloc(room);
    assert_non_null(text);
    n += (size_t)snprintf(text, room, "[");
    for (int i = 0; n + 100 < room; i++)
        n += (size_t)snprintf(text + n, room - n, "%s\"caf\\u00e9 %d\", -12.5e-%d, [true, {\"k\": null}]",
                              i ? ", " : "", i, i % 10);
    n += (size_t)snprintf(text + n, room - n, "]");
    json_doc one, two;
    const char* at = text;
    assert_int_equal(wi_json_read_text(&one, text, n, NULL, NULL), WIT_OK);
    assert_int_equal(wi_json_read_stream(&two, read_pieces, &at, NULL, NULL), WIT_OK);
    assert_int_equal(one.count, two.count);
    assert_memory_equal(one.tokens, two.tokens, one.count * sizeof *one.tokens);
    assert_memory_equal(two.text, text, n);
    wi_json_free(&one);
    wi_json_free(&two);
    free(text);
}

/* ---- numbers -------------------------------------------------------------------------------- */

static void check_number(const char* text)
{
    double expected = strtod(text, NULL), got = -1;
    bool good = wi_number_read(text, strlen(text), &got);
    if (isinf(expected))
        assert_false(good);
    else if (!good || memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%s: %.17g, not %.17g", text, got, expected);
}

/* The C library's strtod, in the C locale, is the reference: glibc's is correctly rounded. */
static void numbers_read_as_strtod_does(void** state)
{
    (void)state;
    static const char* const hard[] = {
        "0",
        "-0",
        "0e99999999999",
        "1e-99999999999999999999",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.797693134862315807e308",
        "1.7976931348623159e308",
        "1e309",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "9007199254740993",
        "9007199254740993.00000000000000000000000000001",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775807",
        "0.1",
        "0.3333333333333333",
        "123456789012345678901234567890",
        "6.02214076e23",
        "1e22",
        "1e23",
        "8.5e-45",
        "5e-324",
        /* within 2^-100 of half way between two doubles: too near for the fast path */
        "2219510890804279001e-65",
        "5573329417113950893e-43",
        "6642997035308520329e-39",
        "2688917174565713277e-42",
    };
    for (size_t i = 0; i < sizeof hard / sizeof hard[0]; i++) check_number(hard[i]);
    rng r = rng_seed(11);
    char text[1200];
    for (long i = campaign(2000000); i > 0; i--) {
        uint64_t bits = rng_u64(&r), m = rng_u64(&r) >> rng_int(&r, 60);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        switch (rng_int(&r, 6)) {
        case 0:
            snprintf(text, sizeof text, "%.17g", x);
            break;
        case 1:
            snprintf(text, sizeof text, "%.*g", 1 + rng_int(&r, 25), x);
            break;
        case 2:
            snprintf(text, sizeof text, "%.17g", rng_range(&r, -10, 10));
            break;
        case 3:
            snprintf(text, sizeof text, "%llu%llue%d", (unsigned long long)m, (unsigned long long)bits,
                     rng_int(&r, 700) - 380);
            break;
        case 4:
            snprintf(text, sizeof text, "%llue%d", (unsigned long long)m, rng_int(&r, 150) - 75);
            break;
        default:
            /* Exactly half way between two doubles, or one digit beyond it. */
            snprintf(text, sizeof text, "%llu%s", (unsigned long long)(((bits >> 11 | UINT64_C(1) << 52) << 1) | 1),
                     bits & 1   ? ""
                     : bits & 2 ? ".00000000000000000000001"
                                : "e-5");
        }
        check_number(text);
    }
}

static void numbers_survive_writing(void** state)
{
    (void)state;
    static const struct {
        double x;
        const char* text;
    } known[] = {{0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {1e21, "1e+21"},
                 {1.0 / 3, "0.3333333333333333"},
                 {2.0 / 3, "0.6666666666666666"},
                 {5e-324, "4.94065645841247e-324"},
                 {-2.5, "-2.5"}};
    char text[NUMBER_ROOM];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_int_equal(wi_number_write(known[i].x, text), strlen(known[i].text));
        assert_string_equal(text, known[i].text);
    }
    rng r = rng_seed(12);
    for (long i = campaign(500000); i > 0; i--) {
        uint64_t bits = rng_u64(&r);
        double x, back;
        if (i & 1) {
            memcpy(&x, &bits, sizeof x);
        } else {
            x = rng_range(&r, -1000, 1000);
        }
        if (!isfinite(x)) continue;
        int n = wi_number_write(x, text);
        assert_true(wi_number_read(text, (size_t)n, &back));
        assert_memory_equal(&x, &back, sizeof x);
    }
}

/* Skipped where the machine has no locale with a decimal comma. */
static void numbers_do_not_depend_on_the_locale(void** state)
{
    (void)state;
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE", "ps_AF.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!setlocale(LC_NUMERIC, names[i]) || !strcmp(localeconv()->decimal_point, ".")) continue;
        char text[NUMBER_ROOM];
        double back = 0;
        int n = wi_number_write(-1234.5678, text);
        bool read = wi_number_read("0.25", 4, &back);
        setlocale(LC_NUMERIC, "C");
        assert_string_equal(text, "-1234.5678");
        assert_int_equal(n, 10);
        assert_true(read && back == 0.25);
        found = true;
    }
    setlocale(LC_NUMERIC, "C");
    if (!found) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_accepts_all_of_rfc8259),
        cmocka_unit_test(json_tokens_walk_and_know_their_place),
        cmocka_unit_test(json_strings_decode),
        cmocka_unit_test(json_stream_reads_as_text_does),
        cmocka_unit_test(numbers_read_as_strtod_does),
        cmocka_unit_test(numbers_survive_writing),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
