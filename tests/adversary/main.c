/* SPDX-License-Identifier: MIT */
/*
 *     adversary [--cases N] [--seed S] [--family F] [--seconds T] [--answers FILE] [--list]
 *
 * N cases, shared out among the families; batch k of a family has the number S + k, so that a finding is seen again with
 * --family F --seed (its number) --cases 1. Ends after T seconds at the latest. Prints one line per finding and a table;
 * exit code 1 if there is a finding. --answers writes a letter per case (judge.c): 1 certified,
 * v certified though the bracket is wider than asked, w certified and wrong, a, b, ... not certified, by reason, . not comparable (rigorous,
 * a small budget).
 *
 * Without --cases: a million where WITNESS_CAMPAIGN is 1 (make verify), below 1 that part of 200,000 (make test: a twentieth).
 */
#include "../campaign.h"
#include "families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH_MOST = 64 };

const family families[] = {
    {"points", run_points, 10, "ready-made solids of any shape and scale, points"},
    {"corners", run_corners, 10, "turned boxes and prisms from beyond a corner"},
    {"pairs", run_pairs, 2, "ready-made solids, pairs"},
    {"spun", run_spun, 2, "turned from splines of wild weights"},
    {"far", run_far, 8, "small bodies up to 1e6 from the origin"},
    {"off-origin", run_off_origin, 6, "bodies up to 1e6 of their size off their own origin"},
    {"slivers", run_slivers, 5, "needles, plates, thin triangles"},
    {"nested", run_nested, 1, "one in the other, in cavities and holes"},
    {"tiny", run_tiny, 3, "tiny beside huge"},
    {"half-space", run_half_space, 10, "half-spaces with anything"},
    {"parallel", run_parallel, 1, "nearly parallel and coaxial pairs"},
    {"tangent", run_tangent, 3, "a ball nearly in touch with anything"},
    {"touch", run_touch, 4, "any two solids put together at their farthest points, with gaps down to rounding"},
    {"links", run_links, 1, "through rings, in bores, links of a chain"},
    {"coaxial", run_coaxial, 2, "a ring on a peg"},
    {"twins", run_twins, 2, "a body with itself, where it stands and a hair beside"},
    {"minima", run_minima, 2, "all local minima, all contacts"},
    {"budgets", run_budgets, 6, "budgets of 1 to 1000"},
    {"tolerances", run_tolerances, 3, "tolerances of 1e-15 to 1, cut-offs at the distance"},
    {"masks", run_masks, 4, "edges, corners and single faces of a box"},
    {"aside", run_aside, 1, "the same pair a step aside"},
    {"bowls", run_bowls, 1, "shallow bowls and domes of many strips"},
    {"dishes", run_dishes, 1, "shallow dishes and lenses turned from many pieces"},
    {"rings", run_rings, 10, "thin rings and shells"},
    {"weights", run_weights, 1, "spline sheets of wild weights"},
    {"flat-weights", run_flat_weights, 6, "flat sheets with wild weights: exact rectangles"},
    {"arcs", run_arcs, 4, "round sheets with wild weights: exact parts of cylinders"},
    {"sheets", run_sheets, 10, "one- and two-sided sheets"},
    {"crossing", run_crossing, 8, "sheets that nearly cross"},
    {"discs", run_discs, 10, "trimmed discs and rings"},
    {"caps", run_caps, 6, "trimmed parts of spheres"},
    {"borders", run_borders, 10, "parameter curves that leave their edge"},
    {"planar", run_planar, 4, "polygons in a plane"},
    {"polygons", run_polygons, 6, "flat sheets trimmed to polygons"},
    {"tracks", run_tracks, 5, "frames of moving pairs"},
    {"far-tracks", run_far_tracks, 8, "frames far from the origin"},
    {"off-origin-tracks", run_off_origin_tracks, 8, "frames of bodies off their own origin"},
    {"bowl-tracks", run_bowl_tracks, 2, "a point over a shallow bowl"},
    {"crossed", run_crossed, 3, "a solid whose shell crosses itself"},
    {"parts", run_parts, 4, "parts read from STEP files, points planted at known distances"},
#ifndef ADVERSARY_COMPARED /* what version 0.1 has not: against.sh */
    {"fronts", run_fronts, 6, "frames of hollow pairs: fronts of any size, turning, jumping, passing through"},
    {"point-fronts", run_point_fronts, 6, "the same of a point"},
    {"depths", run_depths, 4, "frames and queries of prisms, rings and cups in each other"},
    {"sweeps", run_sweeps, 1, "first touch and least distance of screw motions"},
    {"contacts", run_contacts, 4, "contacts with ids of moving pairs"},
    {"all-minima", run_all_minima, 4, "minima of stars and boxes, counted"},
#endif
};
const int family_count = (int)(sizeof families / sizeof families[0]);

typedef struct options {
    int64_t cases;
    uint64_t seed;
    const char* family;
    double seconds;
    FILE* answers;
} options;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_family(const options* o, int which, wit_query* query, tally* sum, double until)
{
    char letters[BATCH_MOST + 1];
    int64_t idle = 0;
    for (uint64_t k = 0; sum->cases < o->cases && now() < until && idle < 1000; k++) {
        int64_t before = sum->cases;
        batch b = {.family = families[which].name, .seed = o->seed + k, .tally = sum, .query = query};
        b.asked = wit_query_default_def();
        b.d.state = (o->seed + k) * UINT64_C(0x2545F4914F6CDD1D) + (uint64_t)(which + 1) * UINT64_C(0x9E3779B97F4A7C15);
        memset(letters, '-', sizeof letters);
        if (o->answers) b.letter = letters;
        families[which].run(&b);
        idle = sum->cases > before ? 0 : idle + 1;
        if (o->answers && b.letter > letters)
            fprintf(o->answers, "%s %llu %.*s\n", b.family, (unsigned long long)b.seed, (int)(b.letter - letters),
                    letters + 1);
    }
}

static int64_t faults_of(const tally* t)
{
    int64_t n = 0;
    for (int f = 0; f < FAULTS; f++) n += t->faults[f];
    return n;
}

static void print_row(const char* name, const tally* t, double took)
{
    printf("%-18s %9lld %9.2f %%", name, (long long)t->cases, 100.0 * (double)t->certified / fmax(1, (double)t->cases));
    for (int f = 0; f < FAULTS; f++) printf(" %7lld", (long long)t->faults[f]);
    printf(" %8.1f\n", took);
}

static bool read_options(int argc, char** argv, options* o)
{
    double part = campaign_part();
    *o = (options){(int64_t)((part < 1 ? 200000 : 1000000) * part), 1, NULL, 1e9, NULL};
    int i = 1;
    while (i < argc) {
        const char* value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            for (int k = 0; k < family_count; k++) printf("%-18s %s\n", families[k].name, families[k].what);
            exit(0);
        }
        if (!value) return false;
        if (strcmp(argv[i], "--cases") == 0)
            o->cases = (int64_t)atof(value);
        else if (strcmp(argv[i], "--seed") == 0)
            o->seed = strtoull(value, NULL, 10);
        else if (strcmp(argv[i], "--family") == 0)
            o->family = value;
        else if (strcmp(argv[i], "--seconds") == 0)
            o->seconds = atof(value);
        else if (strcmp(argv[i], "--answers") == 0)
            o->answers = fopen(value, "w");
        else
            return false;
        i += 2;
    }
    return true;
}

int main(int argc, char** argv)
{
    options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr,
                "usage: adversary [--cases N] [--seed S] [--family F] [--seconds T] [--answers FILE] [--list]\n");
        return 2;
    }
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    tally all = {0}, one[64] = {{0}};
    double took[64], began = now();
    bool found = false;
    options each = o;
    int shares = 0;
    for (int k = 0; k < family_count; k++) shares += families[k].share;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int k = 0; k < family_count; k++) {
        if (o.family && strcmp(o.family, families[k].name) != 0) continue;
        double start = now(), share = o.family ? o.seconds : o.seconds / family_count;
        found = true;
        if (!o.family) each.cases = (o.cases * families[k].share + shares - 1) / shares;
        run_family(&each, k, query, &one[k], start + share);
        took[k] = now() - start;
    }
    if (!found) fprintf(stderr, "adversary: there is no family '%s'; --list names them\n", o.family);
    printf("%-18s %9s %11s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %8s\n", "family", "cases", "certified", "wrong",
           "bracket", "sign", "wide", "witness", "differs", "nan", "budget", "slow", "refused", "seconds");
    for (int k = 0; k < family_count; k++) {
        if (!one[k].cases) continue;
        print_row(families[k].name, &one[k], took[k]);
        all.cases += one[k].cases;
        all.certified += one[k].certified;
        for (int f = 0; f < FAULTS; f++) all.faults[f] += one[k].faults[f];
    }
    print_row("all", &all, now() - began);
    printf("%lld cases, %lld findings\n", (long long)all.cases, (long long)faults_of(&all));
    if (o.answers) fclose(o.answers);
    wit_query_destroy(query);
    return !found ? 2 : faults_of(&all) > 0;
}
