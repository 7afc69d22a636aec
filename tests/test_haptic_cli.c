/* SPDX-License-Identifier: MIT */
/* `witness track` on scenes with dynamics: columns, figures, charts. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli_run.h"

static run r;

/* Field k of a line of a table. */
static double field(const char* line, int k)
{
    while (k-- > 0) line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

static int column(const char* head, const char* name)
{
    int k = 0;
    size_t n = strlen(name);
    for (const char* at = head;; at++, k++) {
        if (!strncmp(at, name, n) && (at[n] == ',' || at[n] == '\n')) return k;
        at = strpbrk(at, ",\n");
        if (!at || *at == '\n') fail_msg("no column %s", name);
    }
}

static void table_has_force_energy_and_gap(void** state)
{
    (void)state;
    execute_well(&r, "track scenes/ball-in-bowl.json --duration 0.2 --csv -");
    const char* head = r.out;
    static const char* const energies[] = {"kinetic", "gravity", "coupler", "contact", "dissipated", "supplied"};
    int gap = column(head, "gap"), force = column(head, "contact_force"), distance = column(head, "distance");
    double first = 0;
    int lines = 0;
    for (const char* line = strchr(head, '\n') + 1; *line; line = strchr(line, '\n') + 1, lines++) {
        double sum = 0, d = field(line, distance);
        for (int i = 0; i < 6; i++) sum += (i == 5 ? -1 : 1) * field(line, column(head, energies[i]));
        if (!lines) first = sum;
        assert_true(fabs(sum - first) < 1e-3 * first);
        assert_true(field(line, gap) == d);
        assert_true(fabs(field(line, force) - 1e5 * fmax(0, -d)) < 1e-6);
    }
    assert_int_equal(lines, 200);
    /* without dynamics the columns are as they were */
    execute_well(&r, "track scenes/through-touch.json --duration 0.01 --csv -");
    assert_null(strstr(r.out, "kinetic"));
}

static void figures_and_charts_show_the_dynamics(void** state)
{
    (void)state;
    execute_well(&r, "track scenes/003-haptic-point.json");
    assert_non_null(strstr(r.out, "on the device"));
    assert_non_null(strstr(r.out, "  energy "));
    json_doc doc = execute_json(&r, "track scenes/003-haptic-point.json --json");
    size_t dynamics = wi_json_member(&doc, 0, "dynamics");
    assert_true(dynamics && wi_json_member(&doc, dynamics, "largest_device_force"));
    wi_json_free(&doc);
    char line[256], path[128];
    snprintf(path, sizeof path, "%s/chart.svg", scratch);
    snprintf(line, sizeof line, "track scenes/grazing-touch.json --svg '%s' --snapshots 0.01", path);
    execute_well(&r, line);
    slurp(path, r.out, sizeof r.out);
    assert_true(strstr(r.out, ">force<") && strstr(r.out, ">energy<") && strstr(r.out, ">gap<"));
    snprintf(path, sizeof path, "%s/chart-0.01s.svg", scratch);
    slurp(path, r.out, sizeof r.out);
    assert_non_null(strstr(r.out, "</svg>"));
}

static void rate_that_does_not_carry_the_gains_is_refused(void** state)
{
    (void)state;
    execute(&r, "track scenes/ball-in-bowl.json --rate 100");
    assert_true(r.code != 0);
    assert_non_null(strstr(r.err, "response.stiffness"));
    assert_non_null(strstr(r.err, "stable"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_force_energy_and_gap),
        cmocka_unit_test(figures_and_charts_show_the_dynamics),
        cmocka_unit_test(rate_that_does_not_carry_the_gains_is_refused),
    };
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
