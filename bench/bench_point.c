/* SPDX-License-Identifier: MIT */
/*
 * Cold point queries on three NURBS surfaces: Witness, the papers' far phase, SISL, Open CASCADE; same points, one run.
 *
 *   bench_point [COUNT]     COUNT points per surface (default 10000)
 *
 * Who is right is decided by all of them together: the least distance that anybody found, which must lie in the bracket of
 * Witness. Exit code 1 if a bracket excludes it, if an answer of Witness is farther by more than 1e-9 or not
 * certified. A missed goal is printed, not punished: machines differ.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/vec.h"
#include "../tests/random.h"
#include "race.h"
#include "surfaces.h"

enum { PLACES = 4 };
static const char* const place_names[PLACES] = {"near", "middle", "far", "inside"};

typedef struct entrant {
    const point_contestant* who; /* null: not built in */
    const char *name, *lacks;
    double goal; /* Witness is to be so many times faster, by the median; 0: none */
} entrant;

static const entrant entrants[] = {
    {&point_witness, "Witness", "", 0},
    {&point_rigorous, "Witness, rigorous", "", 0},
    {&point_far_phase, "papers' far phase, Newton", "", 0},
#ifdef BENCH_SISL
    {&point_s1958, "SISL s1958", "", 3},
    {&point_s1954, "SISL s1954", "", 20},
#else
    {NULL, "SISL s1958", "libsisl-dev", 3},
    {NULL, "SISL s1954", "libsisl-dev", 20},
#endif
#ifdef BENCH_OCCT
    {&point_project, "OCCT ProjectPointOnSurf", "", 0},
    {&point_brep, "OCCT BRepExtrema", "", 100},
#else
    {NULL, "OCCT ProjectPointOnSurf", "libocct-modeling-algorithms-dev", 0},
    {NULL, "OCCT BRepExtrema", "libocct-modeling-algorithms-dev", 100},
#endif
};
enum { ENTRANTS = sizeof entrants / sizeof entrants[0], WITNESS = 0, RIGOROUS = 1 };

typedef struct contest {
    bench_surface surface;
    double size;
    long count;
    wit_vec3* points;
    double* best; /* the least distance that anybody found */
    race_player players[ENTRANTS];
} contest;

static void ask(const race_player* p, long k, closest_answer* out)
{
    const point_contestant* who = p->who;
    const contest* c = p->cases;
    who->query(p->self, c->points[k], out);
}

static wit_vec3 random_direction(rng* r)
{
    for (;;) {
        double x = rng_range(r, -1, 1);
        double y = rng_range(r, -1, 1);
        double z = rng_range(r, -1, 1);
        double n = sqrt(x * x + y * y + z * z);
        if (n > 0.1 && n < 1) return vec3(x / n, y / n, z / n);
    }
}

/*
 * near: off a point of the surface along its normal by up to 0.02 of the size, either way; middle: by 0.05 to 0.5 in any
 * direction; far: 2 to 10 sizes from the middle of the box; inside: anywhere in the box, which the bumps and the
 * tube fill in part.
 */
static void draw_points(contest* c, const wit_surface* s)
{
    rng r = rng_seed(4);
    wit_surface_info info = wit_surface_describe(s);
    wit_surface_bounds b;
    wit_surface_bound(s, info.range_u, info.range_v, &b);
    wit_vec3 diagonal = sub3(b.box.hi, b.box.lo), middle = addscaled3(b.box.lo, 0.5, diagonal);
    c->size = norm3(diagonal);
    for (long k = 0; k < c->count; k++) {
        double u = rng_range(&r, info.range_u.lo, info.range_u.hi);
        double v = rng_range(&r, info.range_v.lo, info.range_v.hi);
        wit_vec3 direction = random_direction(&r), n;
        double x = rng_double(&r), y = rng_double(&r), z = rng_double(&r);
        wit_surface_jet jet;
        wit_surface_eval(s, u, v, 0, NULL, &jet);
        wit_surface_normal(s, u, v, &n);
        wit_vec3 places[PLACES] = {
            addscaled3(jet.p, c->size * 0.02 * (2 * x - 1), n),
            addscaled3(jet.p, c->size * (0.05 + 0.45 * x), direction),
            addscaled3(middle, c->size * (2 + 8 * x), direction),
            vec3(b.box.lo.x + x * diagonal.x, b.box.lo.y + y * diagonal.y, b.box.lo.z + z * diagonal.z),
        };
        c->points[k] = places[k % PLACES];
    }
}

static void contest_make(contest* c, int which, long count)
{
    memset(c, 0, sizeof *c);
    bench_surface_make(which, &c->surface);
    c->count = count;
    c->points = race_reserve((size_t)count, sizeof *c->points);
    c->best = race_reserve((size_t)count, sizeof *c->best);
    wit_surface* s = wit_surface_create(&c->surface.def, NULL, NULL);
    if (!s) exit(1);
    draw_points(c, s);
    wit_surface_destroy(s);
    for (int p = 0; p < ENTRANTS; p++) {
        const entrant* e = &entrants[p];
        c->players[p] = (race_player){.name = e->name, .lacks = e->lacks, .stride = 1, .cases = c, .query = ask};
        if (e->who) {
            c->players[p].who = e->who;
            c->players[p].stride = e->who->stride;
            c->players[p].self = e->who->create(&c->surface.def);
        }
        race_player_reserve(&c->players[p], count);
    }
}

static void contest_free(contest* c)
{
    for (int p = 0; p < ENTRANTS; p++) {
        if (c->players[p].self) entrants[p].who->destroy(c->players[p].self);
        race_player_free(&c->players[p]);
    }
    free(c->points);
    free(c->best);
}

static race_verdict verdict_of(const contest* c, int p)
{
    return race_judge(&c->players[p], c->best, c->size, NULL, c->count);
}

static void print_row(const contest* c, int p)
{
    const race_player* player = &c->players[p];
    printf("  %-26s", player->name);
    if (!player->self) {
        printf(" absent: needs %s\n", player->lacks);
        return;
    }
    race_figures f = race_measure(player, NULL, NULL, c->count);
    race_figures ours = race_measure(&c->players[WITNESS], player, NULL, c->count);
    race_verdict v = verdict_of(c, p);
    printf(" %8.2f %8.2f %8.2f %9.1f %8.2f  %6ld of %-6ld %8.1e", f.median, f.mean, f.p99, f.worst,
           f.median / ours.median, v.wrong, v.played, v.worst);
    if (f.nodes > 0) printf(" %7.1f %6.1f", f.nodes, f.jets);
    printf("\n");
}

static void print_places(const contest* c)
{
    bool* in = race_reserve((size_t)c->count, sizeof *in);
    printf("  Witness by place, median microseconds (nodes, jets):");
    for (int place = 0; place < PLACES; place++) {
        for (long k = 0; k < c->count; k++) in[k] = k % PLACES == place;
        race_figures f = race_measure(&c->players[WITNESS], NULL, in, c->count);
        printf(" %s %.2f (%.0f, %.0f)%s", place_names[place], f.median, f.nodes, f.jets,
               place < PLACES - 1 ? "," : "\n");
    }
    free(in);
}

static int print_contest(const contest* c)
{
    int bad = 0;
    printf("\n%s\n", c->surface.name);
    printf("  %-26s %8s %8s %8s %9s %8s  %6s    %-6s %8s %7s %6s\n", "microseconds per query", "median", "mean", "p99",
           "worst", "ratio", "wrong", "", "excess", "nodes", "jets");
    for (int p = 0; p < ENTRANTS; p++) print_row(c, p);
    print_places(c);
    for (int p = WITNESS; p <= RIGOROUS; p++) {
        race_verdict v = verdict_of(c, p);
        bad += !race_print_brackets(&c->players[p], &v);
    }
    for (int p = 0; p < ENTRANTS; p++) {
        const race_player* player = &c->players[p];
        if (entrants[p].goal <= 0 || !player->self) continue;
        race_figures f = race_measure(player, NULL, NULL, c->count);
        race_figures ours = race_measure(&c->players[WITNESS], player, NULL, c->count);
        double ratio = f.median / ours.median;
        printf("  %s: %.1fx (goal %g%s)\n", player->name, ratio, entrants[p].goal,
               ratio >= entrants[p].goal ? "" : ": MISSED");
    }
    return bad;
}

int main(int argc, char** argv)
{
    static contest list[BENCH_SURFACES];
    long count = argc > 1 ? atol(argv[1]) : 10000;
    if (argc > 2 || count < 1) {
        fprintf(stderr, "usage: bench_point [COUNT]\n");
        return 2;
    }
    printf(
        "Cold point queries: %ld points per surface, a quarter each near, at middle distance, far, inside the box.\n"
        "A query's time is the least of %d passes, caches warm; slow contestants get every 5th or 20th point, ratios "
        "are of\n"
        "medians over the same points. Wrong: farther than the best of all by more than %.0e of max(distance, size).\n",
        count, (int)RACE_PASSES, RACE_WRONG);
    int bad = 0;
    for (int i = 0; i < BENCH_SURFACES; i++) {
        contest_make(&list[i], i, count);
        if (!list[i].players[WITNESS].self) {
            printf("WRONG: Witness refused the surface.\n");
            return 1;
        }
        race_run(list[i].players, ENTRANTS, count);
        for (long k = 0; k < count; k++) list[i].best[k] = race_best(list[i].players, ENTRANTS, k);
        bad += print_contest(&list[i]);
        contest_free(&list[i]);
    }
    if (bad) printf("WRONG: see above.\n");
    return bad ? 1 : 0;
}
