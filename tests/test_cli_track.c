/* SPDX-License-Identifier: MIT */
/* `witness track`: the CSV, the figures and the options. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "campaign.h"
#include "cli_run.h"
#include "svg_page.h"

/* ---- a CSV, read back ------------------------------------------------------------------------------------------- */

enum {
    T,
    DISTANCE,
    LOWER,
    CERTIFIED,
    RATE,
    NX,
    NY,
    NZ,
    A_FEATURE,
    A_ID,
    A_U,
    A_V,
    A_X,
    A_Y,
    A_Z,
    B_FEATURE,
    B_ID,
    B_U,
    B_V,
    B_X,
    B_Y,
    B_Z,
    E_U,
    E_V,
    E_R,
    E_S,
    MODE,
    OUTCOME,
    WORK,
    SWITCHES,
    REASON,
    MODEL_TOLERANCE,
    COLUMNS
};

static const char header[] = "t,distance,lower_bound,certified,rate,nx,ny,nz,"
                             "a_feature,a_id,a_u,a_v,a_x,a_y,a_z,b_feature,b_id,b_u,b_v,b_x,b_y,b_z,"
                             "e_u,e_v,e_r,e_s,mode,outcome,work,switches,reason,model_tolerance";

typedef struct table {
    char* text; /* the fields are cut out of it */
    char* (*field)[COLUMNS];
    int rows;
} table;

static table table_of(char* text)
{
    table t = {text, NULL, 0};
    static const char band[] = ",gain,gain_lower,gain_calm,gain_upper";
    assert_int_equal(strncmp(text, header, sizeof header - 1), 0);
    char* s = text + sizeof header - 1;
    /* laws with a gain have four columns more; the last one is of the time between frames */
    static const char last[] = ",between\n";
    bool more = strncmp(s, band, sizeof band - 1) == 0;
    s += more ? sizeof band - 1 : 0;
    assert_int_equal(strncmp(s, last, sizeof last - 1), 0);
    s += sizeof last - 1;
    int rows = occurrences(s, "\n");
    t.field = calloc((size_t)rows + 1, sizeof *t.field);
    assert_non_null(t.field);
    while (*s) {
        char* end = strchr(s, '\n');
        assert_non_null(end);
        *end = 0;
        int k = 0;
        for (char* c = s; c && k < COLUMNS; k++) {
            t.field[t.rows][k] = c;
            c = strchr(c, ',');
            if (c) *c++ = 0;
            if (!c && k + 1 < COLUMNS) fail_msg("row %d has %d fields", t.rows, k + 1);
            if (c && k + 1 == COLUMNS && !more && strchr(c, ',')) fail_msg("row %d has more fields: %s", t.rows, c);
        }
        t.rows++;
        s = end + 1;
    }
    assert_int_equal(t.rows, rows);
    return t;
}

static void table_free(table* t)
{
    free(t->text);
    free(t->field);
}

static double value(const table* t, int row, int column)
{
    char* end;
    double x = strtod(t->field[row][column], &end);
    if (end == t->field[row][column] || *end) fail_msg("row %d column %d: '%s'", row, column, t->field[row][column]);
    return x;
}

/* Runs a scene and reads its CSV. */
static table track(const char* arguments)
{
    run r;
    char line[512];
    snprintf(line, sizeof line, "track %s --csv '%s/run.csv'", arguments, scratch);
    execute_well(&r, line);
    return table_of(scratch_file("run.csv"));
}

static int parameters_of(const char* feature)
{
    return !strcmp(feature, "face") ? 2 : !strcmp(feature, "edge") ? 1 : 0;
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

static void check_row(const table* t, int i)
{
    double d = value(t, i, DISTANCE), size = 30;
    static const int axis[3][3] = {{NX, A_X, B_X}, {NY, A_Y, B_Y}, {NZ, A_Z, B_Z}};
    double length = 0;
    for (int k = 0; k < 3; k++) {
        double n = value(t, i, axis[k][0]);
        double off = value(t, i, axis[k][2]) - value(t, i, axis[k][1]) - d * n;
        if (!(fabs(off) <= 1e-9 * size)) fail_msg("row %d: b - a is off distance * normal by %g", i, off);
        length += n * n;
    }
    assert_true(fabs(length - 1) < 1e-12);
    assert_true(value(t, i, LOWER) <= d);
    /* Fields that a feature does not have are empty. */
    int count[2] = {parameters_of(t->field[i][A_FEATURE]), parameters_of(t->field[i][B_FEATURE])};
    static const int owned[2][4] = {{A_U, A_V, E_U, E_V}, {B_U, B_V, E_R, E_S}};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 4; k++) {
            bool there = t->field[i][owned[side][k]][0] != 0;
            if (there != (k % 2 < count[side])) fail_msg("row %d side %d field %d", i, side, k);
        }
    bool certified = strstr(t->field[i][OUTCOME], "+certified") != NULL;
    assert_true(value(t, i, CERTIFIED) == (certified ? 1 : 0));
    char mode[64];
    size_t a = strlen(t->field[i][A_FEATURE]);
    snprintf(mode, sizeof mode, "%s", t->field[i][MODE]);
    assert_int_equal(strncmp(mode, t->field[i][A_FEATURE], a), 0);
    assert_true(mode[a] == '-' || (mode[a] == '*' && mode[a + 1] == '-'));
}

static void the_csv_has_every_frame_and_its_numbers_agree(void** state)
{
    (void)state;
    /* Table 1 of the paper, corrected: 40 digits, rounded. Y = t. */
    static const struct {
        double t, distance;
    } known[] = {{0, 8},
                 {4, 5.6568542494923801952},
                 {8, 0},
                 {8.1, 0.044721359549995793928},
                 {8.8, 0.35777087639996635143},
                 {9.5, 1},
                 {14.8, 6.3},
                 {15.5, 7.0178344238090998153},
                 {22, 15.205932468526031141}};
    static const char* const laws[] = {"findmin", "deadbeat"};
    for (int law = 0; law < 2; law++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "scenes/002-fig4.json --law %s", laws[law]);
        table t = track(arguments);
        assert_int_equal(t.rows, 221);
        size_t found = 0;
        for (int i = 0; i < t.rows; i++) {
            assert_true(fabs(value(&t, i, T) - 0.1 * i) < 1e-12);
            check_row(&t, i);
            for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
                if (fabs(value(&t, i, T) - known[k].t) > 1e-9) continue;
                found++;
                double error = value(&t, i, DISTANCE) - known[k].distance;
                /* The tolerance of the tracker, 1e-12 of the size 11.3 of the bowl; poses are rounded to 1e-15. */
                if (!(fabs(error) < 2e-11)) fail_msg("%s, Y = %g: off by %g", laws[law], known[k].t, error);
            }
        }
        assert_int_equal(found, sizeof known / sizeof known[0]);
        table_free(&t);
    }
}

static void numbers_of_the_csv_read_back_to_the_same_bits(void** state)
{
    (void)state;
    table t = track("scenes/004-fig6.json --duration 0.05");
    char text[40];
    for (int i = 0; i < t.rows; i++) {
        snprintf(text, sizeof text, "%.17g", value(&t, i, DISTANCE));
        assert_string_equal(text, t.field[i][DISTANCE]);
    }
    assert_true(strlen(t.field[7][DISTANCE]) >= 17);
    table_free(&t);
}

static void a_csv_on_standard_output_is_alone_there(void** state)
{
    (void)state;
    run r;
    execute_well(&r, "track scenes/004-fig6.json --duration 0.01 --csv -");
    char* text = malloc(strlen(r.out) + 1);
    assert_non_null(text);
    strcpy(text, r.out);
    table t = table_of(text);
    assert_int_equal(t.rows, 11);
    table_free(&t);
}

/* Every figure of the JSON, counted again from the CSV. */
static void the_json_counts_what_the_csv_holds(void** state)
{
    (void)state;
    static const char* const scenes[] = {"001-fig10", "001-fig16", "001-fig19", "002-fig5", "000-fig8-k50"};
    static const char* const flags[] = {"switched", "saturated", "fell_back", "reacquired",
                                        "touching", "certified", "local"};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        run r;
        char line[512], path[64];
        snprintf(line, sizeof line, "track scenes/%s.json --json --csv '%s/run.csv'", scenes[s], scratch);
        json_doc doc = execute_json(&r, line);
        table t = table_of(scratch_file("run.csv"));
        double least = HUGE_VAL, work = 0, worst = 0, switches = 0;
        int count[7] = {0}, converged = 0;
        for (int i = 0; i < t.rows; i++) {
            least = fmin(least, value(&t, i, DISTANCE));
            work += value(&t, i, WORK);
            worst = fmax(worst, value(&t, i, WORK));
            switches += value(&t, i, SWITCHES);
            converged += !strncmp(t.field[i][OUTCOME], "converged", 9);
            for (int k = 0; k < 7; k++) {
                char word[32];
                snprintf(word, sizeof word, "+%s", flags[k]);
                const char* at = strstr(t.field[i][OUTCOME], word);
                count[k] += at && (at[strlen(word)] == '+' || !at[strlen(word)]);
            }
        }
        assert_true(number_at(&doc, "frames") == t.rows);
        assert_true(number_at(&doc, "distance.least") == least);
        assert_true(number_at(&doc, "work.worst") == worst);
        assert_true(fabs(number_at(&doc, "work.mean") - work / t.rows) <= 1e-12 * work);
        assert_true(number_at(&doc, "switches") == switches);
        assert_true(number_at(&doc, "ended.converged") == converged);
        for (int k = 0; k < 7; k++) {
            snprintf(path, sizeof path, "flags.%s", flags[k]);
            if (number_at(&doc, path) != count[k]) fail_msg("%s: %s is not %d", scenes[s], path, count[k]);
        }
        assert_true(number_at(&doc, "shares.certified") == (double)count[5] / t.rows);
        table_free(&t);
        wi_json_free(&doc);
    }
}

/* Where nothing is held, the residual is the largest of the projection errors, those of b among them. */
static void the_errors_of_the_csv_are_those_of_the_residual(void** state)
{
    (void)state;
    run r;
    char line[256];
    snprintf(line, sizeof line, "track scenes/004-fig7.json --json --csv '%s/run.csv'", scratch);
    json_doc doc = execute_json(&r, line);
    table t = table_of(scratch_file("run.csv"));
    double largest = 0, of_b = 0;
    for (int i = 0; i < t.rows; i++) {
        assert_string_equal(t.field[i][MODE], "face-face");
        for (int k = E_U; k <= E_S; k++) largest = fmax(largest, fabs(value(&t, i, k)));
        for (int k = E_R; k <= E_S; k++) of_b = fmax(of_b, fabs(value(&t, i, k)));
    }
    assert_true(number_at(&doc, "residual.largest") == largest);
    assert_true(of_b > 1e-6);
    /* The rate is that of the distance: central differences of a smooth run, after it has settled. */
    double h = value(&t, 1, T), worst = 0;
    for (int i = t.rows - 50; i < t.rows - 1; i++) {
        double difference = (value(&t, i + 1, DISTANCE) - value(&t, i - 1, DISTANCE)) / (2 * h);
        worst = fmax(worst, fabs(difference - value(&t, i, RATE)));
    }
    /* Third derivative of order 10 / s^3 over 6, times h^2 = 1e-6. */
    if (!(worst < 1e-4)) fail_msg("rate off by %g", worst);
    table_free(&t);
    wi_json_free(&doc);
}

/* Each hand-over begins where the last one of its side ended, in a frame that counts it. */
static void hand_overs_are_a_chain(void** state)
{
    (void)state;
    static const char* const scenes[] = {"001-fig16", "001-fig19", "001-fig14", "002-fig5"};
    for (size_t s = 0; s < sizeof scenes / sizeof scenes[0]; s++) {
        run r;
        char line[256], path[64], last[2][64] = {"", ""}, from[64];
        snprintf(line, sizeof line, "track scenes/%s.json --json --csv '%s/run.csv'", scenes[s], scratch);
        json_doc doc = execute_json(&r, line);
        table t = table_of(scratch_file("run.csv"));
        double before = 0;
        int n = (int)number_at(&doc, "switches");
        assert_true(n >= 5);
        for (int i = 0; i < n; i++) {
            snprintf(path, sizeof path, "transitions[%d].time", i);
            double time = number_at(&doc, path);
            assert_true(time >= before - 1e-9 && time <= number_at(&doc, "duration") + 1e-9);
            before = time;
            double frame = time * number_at(&doc, "rate");
            assert_true(fabs(frame - round(frame)) < 1e-6);
            assert_true(value(&t, (int)round(frame), SWITCHES) >= 1);
            snprintf(path, sizeof path, "transitions[%d].side", i);
            int side = wi_json_equal(&doc, wi_json_resolve(&doc, 0, path), "b");
            snprintf(path, sizeof path, "transitions[%d].from", i);
            wi_json_string(&doc, wi_json_resolve(&doc, 0, path), from, sizeof from);
            if (last[side][0]) assert_string_equal(from, last[side]);
            snprintf(path, sizeof path, "transitions[%d].to", i);
            wi_json_string(&doc, wi_json_resolve(&doc, 0, path), last[side], sizeof last[side]);
            assert_string_not_equal(from, last[side]);
        }
        table_free(&t);
        wi_json_free(&doc);
    }
}

static void the_text_tells_what_happened(void** state)
{
    (void)state;
    run r;
    execute_well(&r, "track scenes/002-fig4.json");
    assert_has(r.out, "002-fig4: pen and bowl\n");
    assert_has(r.out, "law          findmin; contact form");
    assert_has(r.out, "frames       221 at 10 Hz, 22 s\n");
    assert_has(r.out, "largest 15.20593247 at 22 s\n");
    assert_has(r.out, "first touch  8 s, within ");
    assert_has(r.out, "; it grazes; proved: none before\n");
    assert_has(r.out, "between      clear 218 (99.1 %), touch 1 (0.5 %), inside 1 (0.5 %); ");
    assert_has(r.out, "pen: S4 > C3 at 6.5\n");
    assert_has(r.out, "findmin      ");
    assert_has(r.out, "converged 221 (100 %)");
    execute_well(&r, "track scenes/001-fig16.json --law deadbeat");
    assert_has(r.out, "first touch  none, between frames neither: proved\n");
    assert_has(r.out, "between      clear 2000 (100 %); ");
    execute_well(&r, "track scenes/001-fig16.json --law deadbeat --between 0");
    assert_has(r.out, "first touch  none\n");
    assert_null(strstr(r.out, "between"));
}

/* A capsule goes through a box from one frame to the next: apart at all three frames. */
static void what_passes_between_frames_is_found(void** state)
{
    (void)state;
    run r;
    char line[256], models[512];
    assert_non_null(getcwd(models, sizeof models - 8));
    strcat(models, "/models");
    char text[2048];
    snprintf(text, sizeof text,
             "{\"format\": \"witness-scene\", \"version\": 1, \"a\": {\"model\": \"%s/box.json\"},\n"
             "\"b\": {\"model\": \"%s/capsule.json\", \"motion\": {\"kind\": \"twist\", \"pose\": [-500, 0, 0], "
             "\"velocity\": [20000, 0, 0]}}, \"rate\": 20, \"duration\": 0.1}",
             models, models);
    write_scratch("through.json", text);
    /* the box reaches to -20, the capsule 5 ahead of its origin: 475 mm at 20 m/s */
    snprintf(line, sizeof line, "track %s/through.json", scratch);
    execute_well(&r, line);
    assert_has(r.out, "first touch  0.02375");
    assert_has(r.out, "; proved: none before\n");
    assert_has(r.out, "between      clear 1 (50 %), touch 1 (50 %); ");
    snprintf(line, sizeof line, "track %s/through.json --json", scratch);
    execute_well(&r, line);
    json_doc doc = json_of(r.out, strlen(r.out));
    double touch = number_at(&doc, "first_touch");
    assert_true(fabs(touch - 0.02375) < 2e-9);
    assert_has(r.out, "\"first_touch_certified\": true, \"first_touch_proved\": true");
    wi_json_free(&doc);
}

static void options_go_before_the_scene(void** state)
{
    (void)state;
    run r;
    json_doc doc = execute_json(
        &r, "track scenes/001-fig6.json --json --law switching --integrator rk4 --gain 40 --rate 200 --duration 0.5 "
            "--switching none --budget 5000 --tolerance 1e-10");
    assert_true(number_at(&doc, "frames") == 101);
    assert_true(number_at(&doc, "rate") == 200);
    assert_true(number_at(&doc, "duration") == 0.5);
    assert_true(wi_json_equal(&doc, wi_json_resolve(&doc, 0, "track.law"), "switching"));
    assert_true(wi_json_equal(&doc, wi_json_resolve(&doc, 0, "track.integrator"), "rk4"));
    assert_true(number_at(&doc, "track.gain.value") == 40);
    assert_true(number_at(&doc, "track.budget") == 5000);
    assert_true(number_at(&doc, "track.tolerance") == 1e-10);
    wi_json_free(&doc);
    /* A law that takes no integrator forgets that of the scene. */
    doc = execute_json(&r, "track scenes/001-fig6.json --json --law deadbeat --duration 0.1 --no-reacquire");
    assert_true(wi_json_equal(&doc, wi_json_resolve(&doc, 0, "track.law"), "deadbeat"));
    assert_true(number_at(&doc, "flags.reacquired") == 0);
    wi_json_free(&doc);
    /* So does one that takes no gain; the exponential one has bounds of its own. */
    doc = execute_json(&r, "track scenes/001-fig6.json --json --law exponential --eps 0.01 --cap 250 --duration 0.1");
    assert_true(number_at(&doc, "track.ball") == 0.01);
    assert_true(number_at(&doc, "track.cap") == 250);
    wi_json_free(&doc);
    execute_well(&r, "track scenes/001-fig6.json --law exponential --cap 250 --duration 0.1");
    assert_has(r.out, "exponential, rk2, gain up to 250 / s");
    execute_well(&r, "track scenes/001-fig6.json --law exponential --cap infinity --duration 0.1");
    assert_has(r.out, "exponential, rk2, gain without a cap");
    /* '-' is as good as '_'. */
    execute_well(&r, "track scenes/001-fig6.json --law motion-aware --duration 0.1");
    assert_has(r.out, "motion_aware");
}

/* So much of every scene that it has frames enough: all of it in `make verify`, a fifth in `make test`. */
static double part_of(const char* path)
{
    wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, NULL);
    assert_non_null(scene);
    double all = wit_scene_duration(scene), rate = wit_scene_rate(scene);
    wit_scene_destroy(scene);
    return fmin(all, fmax(4 * campaign_part() * all, 12 / rate));
}

static void every_scene_runs(void** state)
{
    (void)state;
    DIR* d = opendir("scenes");
    assert_non_null(d);
    int count = 0;
    for (struct dirent* e; (e = readdir(d));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || strcmp(e->d_name + n - 5, ".json") != 0) continue;
        run r;
        char line[700], path[300];
        snprintf(path, sizeof path, "scenes/%s", e->d_name);
        snprintf(line, sizeof line, "track '%s' --json --duration %.17g", path, part_of(path));
        json_doc doc = execute_json(&r, line);
        double worst = number_at(&doc, "work.worst");
        if (worst > number_at(&doc, "track.budget")) fail_msg("%s: work %g", e->d_name, worst);
        if (number_at(&doc, "frames") < 10) fail_msg("%s has too few frames", e->d_name);
        wi_json_free(&doc);
        count++;
    }
    closedir(d);
    assert_true(count >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_csv_has_every_frame_and_its_numbers_agree),
        cmocka_unit_test(numbers_of_the_csv_read_back_to_the_same_bits),
        cmocka_unit_test(a_csv_on_standard_output_is_alone_there),
        cmocka_unit_test(the_json_counts_what_the_csv_holds),
        cmocka_unit_test(the_errors_of_the_csv_are_those_of_the_residual),
        cmocka_unit_test(hand_overs_are_a_chain),
        cmocka_unit_test(the_text_tells_what_happened),
        cmocka_unit_test(what_passes_between_frames_is_found),
        cmocka_unit_test(options_go_before_the_scene),
        cmocka_unit_test(every_scene_runs),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
