/* SPDX-License-Identifier: MIT */
/*
 * Accuracy at a gap that is known. On each of two solids a random point with an outward normal is drawn; the second solid
 * is set so that the normals are opposite and the points 2 mm apart along them. If both solids lie behind the planes
 * through their points across that normal (their support functions say so), those planes separate them and the gap is
 * the distance, to the rounding of the pose: some 1e-16 m.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/query.h"
#include "../src/base/vec.h"
#include "lab.h"
#include "lab_depth.h"
#include "lab_solid.h"
#include "options.h"
#include "out.h"
#include "pool.h"
#include "progress.h"

enum { PAIRS = LAB_SOLIDS * (LAB_SOLIDS + 1) / 2, DRAWS_AT_MOST = 1000 };

static const double gap = 0.002;
/* By how much rounding may spoil the truth: coordinates of up to 1 m, some ten operations. */
static const double truth_error = 2e-15;

typedef struct experiment {
    wit_body* body[LAB_SOLIDS];
    wit_query_def def;
    int64_t placements, seed;
    bool json;
    int threads;
    struct row {
        lab_solid a, b;
        long drawn, kept, certified, excluded; /* excluded: brackets that do not hold the truth */
        double worst, widest;
        wit_pose worst_a, worst_b; /* where the worst error is */
        long outcomes[WIT_OUTCOME_COUNT];
        double nodes;
    } rows[PAIRS];
    lab_depth depth;
    progress progress;
    long done;
} experiment;

typedef struct job {
    int row;
    int64_t index;
    bool kept;
    long drawn;
    wit_status status;
    wit_pose pose_a, pose_b;
    wit_closest answer;
} job;

/* The worst errors that Drake's documentation gives for shapes of this size at this gap, in metres; 0: none given. */
static double drake(lab_solid a, lab_solid b)
{
    static const struct {
        lab_solid a, b;
        double worst;
    } given[] = {
        {LAB_CYLINDER, LAB_CYLINDER, 2e-5},
        {LAB_BOX, LAB_CYLINDER, 6e-6},
        {LAB_ELLIPSOID, LAB_CYLINDER, 5e-5},
        {LAB_SPHERE, LAB_CYLINDER, 5e-15},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (given[i].a == a && given[i].b == b) return given[i].worst;
    }
    return 0;
}

/* A rotation that takes unit vector `from` to `to`, and then a random turn about `to`. */
static wit_quat turn_onto(lab_random* r, wit_vec3 from, wit_vec3 to)
{
    wit_vec3 axis = cross3(from, to), other;
    double c = dot3(from, to), s = norm3(axis);
    if (s < 1e-8) complete3(from, &axis, &other);
    wit_pose first = {{0, 0, 0}, wit_quat_about(axis, wit_atan2(s, c))};
    /* The angle has been rounded: the rest of the way, which is small. */
    wit_vec3 reached = wit_pose_vector(&first, from);
    wit_vec3 rest = cross3(reached, to);
    wit_pose second = {{0, 0, 0}, wit_quat_about(rest, norm3(rest))};
    wit_pose spin = {{0, 0, 0}, wit_quat_about(to, 6.28318530717958647693 * lab_uniform(r))};
    wit_pose both = wit_pose_compose(&second, &first);
    return wit_pose_compose(&spin, &both).rotation;
}

/*
 * Two half-spaces are apart only if their planes are parallel exactly: turns about the common normal z, which leave it
 * as it is to the last bit, and the second upside down.
 */
static void flat_rotations(lab_random* r, wit_quat* a, wit_quat* b)
{
    *a = wit_quat_about(vec3(0, 0, 1), 6.28318530717958647693 * lab_uniform(r));
    wit_vec3 axis = {0};
    wit_sincos(6.28318530717958647693 * lab_uniform(r), &axis.y, &axis.x);
    *b = (wit_quat){0, axis.x, axis.y, 0};
}

/* False: no plane separates them there. */
static bool place(lab_random* r, lab_solid a, lab_solid b, wit_pose* pose_a, wit_pose* pose_b)
{
    wit_vec3 point_a, point_b, normal_a, normal_b;
    lab_solid_witness(a, r, &point_a, &normal_a);
    lab_solid_witness(b, r, &point_b, &normal_b);
    bool behind_a = lab_solid_support(a, normal_a) - dot3(normal_a, point_a) <= 1e-15;
    bool behind_b = lab_solid_support(b, normal_b) - dot3(normal_b, point_b) <= 1e-15;
    pose_a->rotation = lab_rotation(r);
    double far = 0.5 * lab_uniform(r);
    pose_a->position = scale3(far, lab_direction(r));
    wit_vec3 n = wit_pose_vector(pose_a, normal_a);
    pose_b->rotation = turn_onto(r, normal_b, scale3(-1, n));
    if (a == LAB_HALF_SPACE && b == LAB_HALF_SPACE) {
        flat_rotations(r, &pose_a->rotation, &pose_b->rotation);
        n = vec3(0, 0, 1);
    }
    /* b stands where its point is at point_a + gap n. */
    pose_b->position = vec3(0, 0, 0);
    wit_vec3 to = addscaled3(wit_pose_point(pose_a, point_a), gap, n);
    pose_b->position = sub3(to, wit_pose_vector(pose_b, point_b));
    return behind_a && behind_b;
}

static void work(void* shared, void* worker, void* job_memory)
{
    const experiment* e = shared;
    wit_query** query = worker;
    job* j = job_memory;
    const struct row* row = &e->rows[j->row];
    if (!*query) *query = wit_query_create(&e->def, NULL, NULL);
    j->status = *query ? WIT_OK : WIT_ERROR_MEMORY;
    j->drawn = 0;
    j->kept = false;
    /* Each placement has random numbers of its own, whichever thread draws them. */
    lab_random r = {(uint64_t)e->seed * UINT64_C(1000003) + (uint64_t)j->row * UINT64_C(1000000007) +
                    (uint64_t)j->index * UINT64_C(998244353)};
    while (!j->kept && j->drawn < DRAWS_AT_MOST) {
        j->drawn++;
        j->kept = place(&r, row->a, row->b, &j->pose_a, &j->pose_b);
    }
    if (j->status || !j->kept) return;
    wit_placed a = wit_placed_at(e->body[row->a], j->pose_a), b = wit_placed_at(e->body[row->b], j->pose_b);
    j->status = wit_closest_pair(*query, &a, &b, &j->answer);
}

static bool deliver(void* shared, void* job_memory, bool last)
{
    experiment* e = shared;
    const job* j = job_memory;
    struct row* row = &e->rows[j->row];
    (void)last;
    if (j->status) {
        progress_end(&e->progress);
        fprintf(stderr, "witness lab accuracy: %s and %s: %s\n", lab_solid_name(row->a), lab_solid_name(row->b),
                wit_status_text(j->status));
        return false;
    }
    row->drawn += j->drawn;
    e->done++;
    progress_step(&e->progress, e->done, "placements", (double)e->done / ((double)PAIRS * (double)e->placements));
    if (!j->kept) return true;
    const wit_closest* c = &j->answer;
    row->kept++;
    row->certified += c->certified;
    row->outcomes[c->outcome]++;
    double error = fabs(c->distance - gap);
    if (error >= row->worst) {
        row->worst = error;
        row->worst_a = j->pose_a;
        row->worst_b = j->pose_b;
    }
    row->widest = fmax(row->widest, c->upper_bound - c->lower_bound);
    row->excluded += c->lower_bound > gap + truth_error || c->upper_bound < gap - truth_error;
    row->nodes += (double)c->work.nodes;
    return true;
}

static void release_query(void* worker)
{
    wit_query_destroy(*(wit_query**)worker);
}

static bool measure(experiment* e)
{
    pool_def def = {.threads = e->threads,
                    .job_bytes = sizeof(job),
                    .worker_bytes = sizeof(wit_query*),
                    .shared = e,
                    .work = work,
                    .deliver = deliver,
                    .release_worker = release_query};
    pool* p = pool_create(&def);
    if (!p) {
        fputs("witness lab accuracy: no threads could be started\n", stderr);
        return false;
    }
    bool go_on = true;
    for (int k = 0; go_on && k < PAIRS; k++) {
        for (int64_t i = 0; go_on && i < e->placements; i++) {
            job* j = pool_job(p);
            go_on = j != NULL;
            if (!j) break;
            j->row = k;
            j->index = i;
            pool_submit(p);
        }
    }
    bool good = pool_finish(p);
    progress_end(&e->progress);
    return good;
}

static void put_pose(out* o, const char* key, const wit_pose* p)
{
    double x[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                   p->rotation.x, p->rotation.y, p->rotation.z};
    out_put_numbers(o, key, x, 7);
}

static void write_json(out* o, const experiment* e)
{
    out_open(o, NULL, '{');
    out_put_number(o, "gap", gap);
    out_put_string(o, "unit", "m");
    out_put_number(o, "tolerance", e->def.tolerance);
    out_put_integer(o, "seed", e->seed);
    out_open(o, "pairs", '[');
    for (int k = 0; k < PAIRS; k++) {
        const struct row* row = &e->rows[k];
        out_open(o, NULL, '{');
        out_put_string(o, "a", lab_solid_name(row->a));
        out_put_string(o, "b", lab_solid_name(row->b));
        out_put_integer(o, "placements", row->kept);
        out_put_integer(o, "drawn", row->drawn);
        out_put_number(o, "worst_error", row->worst);
        put_pose(o, "worst_pose_a", &row->worst_a);
        put_pose(o, "worst_pose_b", &row->worst_b);
        out_put_number(o, "widest_bracket", row->widest);
        out_put_integer(o, "brackets_without_truth", row->excluded);
        out_put_integer(o, "certified", row->certified);
        out_open(o, "outcomes", '{');
        for (int i = 0; i < WIT_OUTCOME_COUNT; i++) {
            if (row->outcomes[i]) out_put_integer(o, wit_outcome_name((wit_outcome)i), row->outcomes[i]);
        }
        out_close(o, '}');
        out_put_number(o, "mean_nodes", row->kept ? row->nodes / (double)row->kept : 0);
        double other = drake(row->a, row->b);
        out_put_number(o, "drake_worst_error", other > 0 ? other : HUGE_VAL);
        out_close(o, '}');
    }
    out_close(o, ']');
    lab_depth_json(o, &e->depth);
    out_close(o, '}');
    out_text(o, "\n");
}

static void write_text(out* o, const experiment* e)
{
    double worst = 0;
    long kept = 0, excluded = 0, certified = 0;
    out_text(o, "Two solids of about 20 cm at a known gap of 2 mm, tolerance %g: worst errors in metres\n\n",
             e->def.tolerance);
    out_text(o, "%-22s  %10s  %10s  %10s  %9s  %9s  %10s\n", "pair", "error", "Drake", "bracket", "certified",
             "measured", "nodes");
    for (int k = 0; k < PAIRS; k++) {
        const struct row* row = &e->rows[k];
        char pair[64], other[32] = "-";
        snprintf(pair, sizeof pair, "%s, %s", lab_solid_name(row->a), lab_solid_name(row->b));
        if (drake(row->a, row->b) > 0) snprintf(other, sizeof other, "%.0e", drake(row->a, row->b));
        out_text(o, "%-22s  %10.1e  %10s  %10.1e  %9ld  %9ld  %10.0f\n", pair, row->worst, other, row->widest,
                 row->certified, row->kept, row->kept ? row->nodes / (double)row->kept : 0);
        worst = fmax(worst, row->worst);
        kept += row->kept;
        excluded += row->excluded;
        certified += row->certified;
    }
    out_text(o,
             "\nworst of all %.1e m; %ld of %ld certified; %ld brackets do not hold the truth\n"
             "error: largest |distance - 2 mm|; bracket: widest; nodes: mean; Drake: its published worst, apart\n",
             worst, certified, kept, excluded);
    lab_depth_text(o, &e->depth);
}

enum { PLACEMENTS, SEED, TOLERANCE, THREADS, JSON, HELP, OPTIONS };

static int help(void)
{
    puts("usage: witness lab accuracy [--placements N] [--seed S] [--tolerance T] [--threads N] [--json]\n"
         "\n"
         "For every pair of sphere, ellipsoid, box, cylinder, capsule, cone, torus and half-space of about 20 cm: "
         "random\n"
         "placements at a known gap of 2 mm, and the largest error of the distance that is found. For the convex ones\n"
         "also 2 mm in each other, against a certified search at 1e-13 that is checked by a dense one.\n"
         "\n"
         "  --placements N   of each pair (1000)\n"
         "  --seed S         of the random numbers (1)\n"
         "  --tolerance T    asked of the search (1e-9)\n"
         "  --threads N      all cores if not told; the output is the same for any N\n"
         "  --json           one JSON object");
    return command_flush();
}

/* EXIT_GOOD, or what to end with; *done after --help. */
static int parse(int argc, char** argv, experiment* e, bool* done)
{
    static const option options[OPTIONS] = {
        [PLACEMENTS] = {"--placements", "a number"},
        [SEED] = {"--seed", "a number"},
        [TOLERANCE] = {"--tolerance", "a number"},
        [THREADS] = {"--threads", "a number of threads"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader r = option_reader_at("lab accuracy", options, OPTIONS, argc, argv);
    int64_t count;
    for (;;) {
        switch (option_next_only(&r)) {
        case OPTION_END:
            return EXIT_GOOD;
        case OPTION_WRONG:
            return EXIT_USAGE;
        case PLACEMENTS:
            if (!option_count(&r, 1, 1000000, &e->placements)) return EXIT_USAGE;
            break;
        case SEED:
            if (!option_count(&r, 0, INT64_C(1000000000000), &e->seed)) return EXIT_USAGE;
            break;
        case TOLERANCE:
            if (!option_number(&r, 1e-15, 1, &e->def.tolerance)) return EXIT_USAGE;
            break;
        case THREADS:
            if (!option_count(&r, 1, 256, &count)) return EXIT_USAGE;
            e->threads = (int)count;
            break;
        case JSON:
            e->json = true;
            break;
        default:
            *done = true;
            return help();
        }
    }
}

int lab_accuracy(int argc, char** argv)
{
    experiment* e = calloc(1, sizeof *e);
    bool done = false, good = e != NULL;
    if (!e) return EXIT_BAD_INPUT;
    e->def = wit_query_default_def();
    e->placements = 1000;
    e->seed = 1;
    e->threads = pool_cores();
    int code = parse(argc, argv, e, &done);
    if (!code && !done) {
        int k = 0;
        for (int a = 0; a < LAB_SOLIDS; a++) {
            e->body[a] = lab_solid_create((lab_solid)a);
            good = good && e->body[a];
            for (int b = a; b < LAB_SOLIDS; b++, k++) {
                e->rows[k].a = (lab_solid)a;
                e->rows[k].b = (lab_solid)b;
            }
        }
        if (!good) fputs("witness lab accuracy: no memory\n", stderr);
        e->progress = progress_begin();
        out o = {0};
        e->depth = (lab_depth){
            .body = e->body, .def = e->def, .placements = e->placements, .seed = e->seed, .threads = e->threads};
        if (good && measure(e) && lab_depth_measure(&e->depth)) {
            (e->json ? write_json : write_text)(&o, e);
            code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
        } else {
            code = EXIT_BAD_INPUT;
        }
        for (int a = 0; a < LAB_SOLIDS; a++) wit_body_destroy(e->body[a]);
    }
    free(e);
    return code;
}
