/* SPDX-License-Identifier: MIT */
/*
 * The basins of `witness lab basin` against an integration of its own: surface by wit_surface_eval, the rest here. The
 * system, the patch of Table I, Psi = (dR.f_u, dR.f_v):
 *     linearizing  x' = -K M^-1 Psi, rows and columns of parameters that would leave dropped
 *     switching    x' = -K I^-1 Psi; at a border along it, -K Psi_j / |f_j|^2; at rest in a corner
 * A step that meets a border is taken up to there, found by halving, and goes on from there.
 *
 * Every start is judged. linearizing divides by det M, which changes its sign on the patch; stages of one step on both sides of
 * that line throw it about, and from some starts the end hangs on the last digits: two integrations that round differently then
 * part, and neither end is wrong. A start counts as settled if it ends alike when it is moved by 1e-7 or 1e-5 and when borders are
 * looked for in other pieces of the step (Euler's one stage has no others, nor has switching). From the others, and wherever the ends
 * differ, the command's path is compared step by step: each of its places must be where our step leads from the place before, to
 * within 1e-9 plus ten times what our own step makes of changes that are rounding: of that place by 1e-12, of where a border
 * counts as met by 2e-13, of the pieces in which it is looked for. Whether it arrives is read off its last place.
 */
#define _POSIX_C_SOURCE 200809L
#include "law_scene.h"

#include "cli_run.h"

enum { GRID = 11 };

typedef struct system_ {
    const wit_surface* surface;
    wit_vec3 q;
    bool linearizing;
    double K;
    int pieces;  /* in which the first border is looked for */
    double near; /* a border is met so far beyond it */
} system_;

static bool leaves(const double* x, int i, double speed)
{
    return (x[i] <= 0 && speed < 0) || (x[i] >= 1 && speed > 0);
}

/* x' with the set `held`; -1: whatever would leave is held. The set is handed back. */
static int speeds(const system_* s, const double* at, int held, double* w)
{
    double x[2] = {fmin(fmax(at[0], 0), 1), fmin(fmax(at[1], 0), 1)};
    wit_surface_jet j;
    wit_surface_eval(s->surface, x[0], x[1], 0, NULL, &j);
    wit_vec3 r = sub3(j.p, s->q);
    double p[2] = {dot3(r, j.du), dot3(r, j.dv)}, E = dot3(j.du, j.du), F = dot3(j.du, j.dv), G = dot3(j.dv, j.dv);
    double a = E, b = F, c = G;
    if (s->linearizing) a += dot3(r, j.duu), b += dot3(r, j.duv), c += dot3(r, j.dvv);
    bool free = held < 0;
    for (int set = free ? 0 : held;;) {
        w[0] = w[1] = 0;
        if (set == 0) {
            double det = a * c - b * b;
            w[0] = -s->K * (c * p[0] - b * p[1]) / det;
            w[1] = -s->K * (a * p[1] - b * p[0]) / det;
        } else if (set < 3) {
            w[set == 1] = -s->K * p[set == 1] / (set == 1 ? c : a);
        }
        if (!free) return set;
        bool out[2] = {!(set & 1) && leaves(x, 0, w[0]), !(set & 2) && leaves(x, 1, w[1])};
        if (!out[0] && !out[1]) return set;
        if (!s->linearizing && set == 0) { /* the edge that leads on, if one does */
            for (int k = 0; k < 2; ++k) {
                int hold = out[0] ? k : 1 - k;
                double along = -s->K * p[1 - hold] / (hold ? E : G);
                if (leaves(x, 1 - hold, along) || !(x[hold] <= 0 || x[hold] >= 1)) continue;
                w[hold] = 0;
                w[1 - hold] = along;
                return 1 << hold;
            }
            w[0] = w[1] = 0;
            return 3;
        }
        set |= out[0] ? 1 : 2;
    }
}

/* One step of length h by the method of this many stages, all in the mode of its beginning. */
static void advance(const system_* s, int stages, double h, const double* x, double* end)
{
    double k[4][2], y[2];
    int mode = speeds(s, x, -1, k[0]);
    for (int i = 0; i < 2; ++i) end[i] = x[i] + h * k[0][i];
    if (stages == 1) return;
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h / 2 * k[0][i];
    speeds(s, y, mode, k[1]);
    for (int i = 0; i < 2; ++i) end[i] = x[i] + h * k[1][i];
    if (stages == 2) return;
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h / 2 * k[1][i];
    speeds(s, y, mode, k[2]);
    for (int i = 0; i < 2; ++i) y[i] = x[i] + h * k[2][i];
    speeds(s, y, mode, k[3]);
    for (int i = 0; i < 2; ++i) end[i] = x[i] + h * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / 6;
}

/* How far beyond the border that it moved towards. */
static double beyond(const double* x, const double* y)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < 2; ++i)
        if (y[i] != x[i]) most = fmax(most, y[i] > x[i] ? y[i] - 1 : -y[i]);
    return most;
}

static void step_on(const system_* s, int stages, double h, double* x)
{
    double end[2];
    for (int part = 0; part < 6 && h > 0; ++part) {
        advance(s, stages, h, x, end);
        if (beyond(x, end) <= 0 || part == 5) {
            for (int i = 0; i < 2; ++i) x[i] = fmin(fmax(end[i], 0), 1);
            return;
        }
        /* the first crossing: from the beginning on in small pieces, then by halving */
        double lo = 0, hi = h;
        for (int k = 1; k <= s->pieces; ++k) {
            advance(s, stages, h * k / s->pieces, x, end);
            if (beyond(x, end) > s->near) {
                hi = h * k / s->pieces;
                break;
            }
            lo = h * k / s->pieces;
        }
        for (int k = 0; k < 60; ++k) {
            double mid = 0.5 * (lo + hi);
            advance(s, stages, mid, x, end);
            if (beyond(x, end) > s->near)
                hi = mid;
            else
                lo = mid;
        }
        advance(s, stages, lo, x, end);
        for (int i = 0; i < 2; ++i) x[i] = end[i] < 1e-12 ? 0 : end[i] > 1 - 1e-12 ? 1 : end[i];
        h -= lo;
    }
}

static bool arrives(const system_* s, int stages, double h, int steps, const double* start, const double* goal)
{
    double x[2] = {start[0], start[1]};
    for (int k = 0; k < steps; ++k) {
        if (fmax(fabs(x[0] - goal[0]), fabs(x[1] - goal[1])) < 1e-6) return true;
        step_on(s, stages, h, x);
    }
    return fmax(fabs(x[0] - goal[0]), fabs(x[1] - goal[1])) < 1e-6;
}

typedef struct tally {
    int starts, settled, reached, different;
    long steps, torn; /* compared one by one; where rounding moves our own step by more than 1e-6 */
    double worst;     /* of the others: how far the command is off */
} tally;

/* How far our step moves by changes that are rounding, at most. */
static double torn_by(const system_* s, int stages, const double* at, const double* ours)
{
    static const double way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    static const int pieces[3] = {13, 29, 128};
    double most = 0;
    for (int k = 0; k < 13; ++k) {
        system_ other = *s;
        double x[2];
        if (k >= 8 && k < 11) other.pieces = pieces[k - 8];
        if (k >= 11) other.near = k == 11 ? 2e-13 : -2e-13;
        for (int i = 0; i < 2; ++i) x[i] = fmin(fmax(at[i] + (k < 8 ? 1e-12 * way[k][i] : 0), 0), 1);
        step_on(&other, stages, 1e-3, x);
        most = fmax(most, fmax(fabs(x[0] - ours[0]), fabs(x[1] - ours[1])));
    }
    return most;
}

/* The command's own path from this start, step by step. False: it does what our step does not. */
static bool path_agrees(const system_* s, int stages, const char* arguments, const double* start, bool theirs,
                        const double* goal, tally* sum)
{
    static run one;
    char line[512], path[128], text[256];
    snprintf(path, sizeof path, "%s/path.csv", scratch);
    snprintf(line, sizeof line, "%s --grid 2 --start %.17g,%.17g --paths '%s'", arguments, start[0], start[1], path);
    execute(&one, line);
    assert_int_equal(one.code, 0);
    FILE* f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    double at[2] = {start[0], start[1]};
    bool agrees = true;
    for (int step = 0; fgets(text, sizeof text, f); ++step) {
        double next[2];
        const char* from = strchr(text, ',');
        for (int k = 0; k < 4 && from; ++k) from = strchr(from + 1, ',');
        assert_true(from && sscanf(from, ",%lf,%lf", &next[0], &next[1]) == 2);
        if (step == 0) { /* the start itself */
            assert_true(next[0] == at[0] && next[1] == at[1]);
            continue;
        }
        double ours[2] = {at[0], at[1]};
        step_on(s, stages, 1e-3, ours);
        double off = fmax(fabs(next[0] - ours[0]), fabs(next[1] - ours[1])), allowed = 1e-9;
        if (off > allowed) {
            double torn = torn_by(s, stages, at, ours);
            allowed += 10 * torn;
            sum->torn += torn > 1e-6;
        } else {
            sum->worst = fmax(sum->worst, off);
        }
        if (off > allowed) {
            print_message("    step %d from (%.17g, %.17g): off by %.2g, allowed %.2g\n", step, at[0], at[1], off,
                          allowed);
            agrees = false;
        }
        memcpy(at, next, sizeof at);
        sum->steps++;
    }
    fclose(f);
    return agrees && (fmax(fabs(at[0] - goal[0]), fabs(at[1] - goal[1])) < 1e-6) == theirs;
}

static bool is_settled(const system_* s, int stages, int steps, const double* start, const double* goal, bool fate)
{
    if (!s->linearizing || stages == 1) return true;
    static const int pieces[] = {13, 29, 128};
    bool same = true;
    for (int k = 0; k < 3 && same; ++k) {
        system_ other = *s;
        other.pieces = pieces[k];
        same = arrives(&other, stages, 1e-3, steps, start, goal) == fate;
    }
    for (int k = 0; k < 4 && same; ++k) {
        double x[2] = {start[0] + (k < 2 ? (k ? 1e-7 : 1e-5) : 0) * (start[0] < 0.5 ? 1 : -1),
                       start[1] + (k < 2 ? 0 : (k == 2 ? 1e-7 : 1e-5)) * (start[1] < 0.5 ? 1 : -1)};
        same = arrives(s, stages, 1e-3, steps, x, goal) == fate;
    }
    return same;
}

static void compare(const system_* s, int stages, double gain_step, run* r, tally* sum)
{
    static const char* const names[5] = {"", "euler", "rk2", "", "rk4"};
    char arguments[256], whole[300], path[64];
    snprintf(arguments, sizeof arguments,
             "lab basin models/table1.json --point=%g,%g,%g --laws %s --integrator %s --gain %.17g", s->q.x, s->q.y,
             s->q.z, s->linearizing ? "linearizing" : "switching", names[stages], 1000 * gain_step);
    snprintf(whole, sizeof whole, "%s --grid %d --json", arguments, GRID);
    json_doc doc = execute_json(r, whole);
    double goal[2] = {number_at(&doc, "closest[0]"), number_at(&doc, "closest[1]")};
    int steps = (int)number_at(&doc, "basins[0].most_steps");
    for (int k = 0; k < GRID * GRID; ++k) {
        double start[2] = {(double)(k % GRID) / (GRID - 1), (double)(k / GRID) / (GRID - 1)};
        snprintf(path, sizeof path, "basins[0].steps[%d][%d]", k / GRID, k % GRID);
        bool theirs = doc.tokens[wi_json_resolve(&doc, 0, path)].type == JSON_NUMBER;
        bool ours = arrives(s, stages, 1e-3, steps, start, goal);
        bool settled = is_settled(s, stages, steps, start, goal, ours);
        sum->starts++;
        sum->reached += ours;
        settled = settled && theirs == ours;
        bool same = settled || path_agrees(s, stages, arguments, start, theirs, goal, sum);
        sum->settled += settled;
        sum->different += !same;
        if (!same)
            print_message("  %s, %d stages, K h %g, (%g, %g): %d, by the command %d\n",
                          s->linearizing ? "linearizing" : "switching", stages, gain_step, start[0], start[1], ours,
                          theirs);
    }
    wi_json_free(&doc);
}

/* In `make test` every third gain of each integrator, in turn; in `make verify` all, over two points. */
static void basins_are_those_of_an_independent_integration(void** state)
{
    (void)state;
    static const double gain_steps[] = {0.005, 0.02, 0.1, 0.5, 1};
    static const double points[2][3] = {{-1.4, 11.2, 6.5}, {3, 3, 9}};
    law_model m = law_model_read("models/table1.json");
    static run r;
    bool all = campaign(10) > 5;
    tally sum = {0};
    int runs = 0, some = 0;
    for (int p = 0; p < (all ? 2 : 1); ++p)
        for (int law = 0; law < 2; ++law)
            for (int stages = 1; stages <= 4; stages *= 2)
                for (int k = all ? 0 : 1 + (stages + law) % 2; k < 5; k += all ? 1 : 2) {
                    system_ s = {wit_body_face(m.body, 0).surface,
                                 vec3(points[p][0], points[p][1], points[p][2]),
                                 law == 0,
                                 1000 * gain_steps[k],
                                 16,
                                 0};
                    tally one = {0};
                    compare(&s, stages, gain_steps[k], &r, &one);
                    some += one.reached > 0 && one.reached < one.starts;
                    runs++;
                    sum.starts += one.starts, sum.settled += one.settled, sum.different += one.different;
                    sum.steps += one.steps, sum.torn += one.torn, sum.worst = fmax(sum.worst, one.worst);
                }
    print_message(
        "  %d basins, %d of them neither empty nor all; %d starts: %d by their ends, %d step by step; %d differ\n",
        runs, some, sum.starts, sum.settled, sum.starts - sum.settled, sum.different);
    print_message("  %ld steps: %ld where the step itself is torn, the others within %.2g\n", sum.steps, sum.torn,
                  sum.worst);
    assert_true(sum.torn * 20 <= sum.steps);
    assert_true(some >= runs / 4);
    assert_int_equal(sum.different, 0);
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(basins_are_those_of_an_independent_integration)};
    return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
