/* SPDX-License-Identifier: MIT */
/*
 * Cold queries between two bodies, the pen and the bowl: Witness, the papers' far phase, Open CASCADE; same poses, one run.
 *
 *   bench_pair [COUNT]     until COUNT separated poses are found (default 1000); run from the root of the tree
 *
 * Who is right is decided by all of them and by a dense check together: local searches from many starts over all features
 * of both bodies. The least distance that anybody found must lie in the bracket of Witness. Exit code 1 if a bracket
 * excludes it, if an answer of Witness is farther by more than 1e-9 or not certified. A missed goal is
 * printed, not punished: machines differ.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "../src/base/vec.h"
#include "../tests/random.h"
#include "near_phase.h"
#include "race.h"

static const double GOAL_MEDIAN = 50, GOAL_MEAN = 20;

typedef struct entrant {
    const pair_contestant* who;
    const char *name, *lacks;
} entrant;

static const entrant entrants[] = {
    {&pair_witness, "Witness", ""},
    {&pair_rigorous, "Witness, rigorous", ""},
    {&pair_far_phase, "papers' far phase, Newton", ""},
#ifdef BENCH_OCCT
    {&pair_brep, "OCCT BRepExtrema", ""},
#else
    {NULL, "OCCT BRepExtrema", "libocct-modeling-algorithms-dev"},
#endif
};
enum { ENTRANTS = sizeof entrants / sizeof entrants[0], WITNESS = 0, RIGOROUS = 1, FAR_PHASE = 2, BREP = 3 };

typedef struct contest {
    const wit_body* bodies[2]; /* pen, bowl */
    double size;               /* of the smaller */
    long count;
    wit_pose* poses[2];
    bool *apart, *crossing; /* what Witness says: exactly one of them holds */
    double* best;
    double* dense; /* by the dense check alone */
    race_player players[ENTRANTS];
} contest;

static void ask(const race_player* p, long k, closest_answer* out)
{
    const pair_contestant* who = p->who;
    const contest* c = p->cases;
    who->query(p->self, &c->poses[0][k], &c->poses[1][k], out);
}

/* ---- poses ---------------------------------------------------------------------------------- */

static wit_quat random_rotation(rng* r)
{
    for (;;) {
        double w = rng_range(r, -1, 1);
        double x = rng_range(r, -1, 1);
        double y = rng_range(r, -1, 1);
        double z = rng_range(r, -1, 1);
        double n = sqrt(w * w + x * x + y * y + z * z);
        if (n > 0.1 && n < 1) return (wit_quat){w / n, x / n, y / n, z / n};
    }
}

static wit_vec3 random_in_ball(rng* r, double radius)
{
    for (;;) {
        double x = rng_range(r, -1, 1);
        double y = rng_range(r, -1, 1);
        double z = rng_range(r, -1, 1);
        if (x * x + y * y + z * z < 1) return vec3(radius * x, radius * y, radius * z);
    }
}

/* The middle of the pen within 10 of the middle of the bowl (radius 4, height 4; the pen is 7 long), both turned anyhow. */
static void draw_pose(rng* r, wit_pose* pen, wit_pose* bowl)
{
    bowl->rotation = random_rotation(r);
    bowl->position = random_in_ball(r, 5);
    wit_pose relative = {{0, 0, 0}, random_rotation(r)};
    wit_vec3 middle = add3(vec3(0, 0, 2), random_in_ball(r, 10));
    relative.position = sub3(middle, wit_pose_vector(&relative, vec3(0, 0, 3.5)));
    *pen = wit_pose_compose(bowl, &relative);
}

static void draw_poses(contest* c, long separated)
{
    rng r = rng_seed(7);
    long room = 4 * separated + 64, apart = 0;
    for (int i = 0; i < 2; i++) c->poses[i] = race_reserve((size_t)room, sizeof(wit_pose));
    c->apart = race_reserve((size_t)room, sizeof *c->apart);
    c->crossing = race_reserve((size_t)room, sizeof *c->crossing);
    void* self = pair_witness.create(c->bodies[0], c->bodies[1]);
    for (c->count = 0; c->count < room && apart < separated; c->count++) {
        closest_answer a;
        long k = c->count;
        draw_pose(&r, &c->poses[0][k], &c->poses[1][k]);
        pair_witness.query(self, &c->poses[0][k], &c->poses[1][k], &a);
        c->crossing[k] = a.crossing;
        c->apart[k] = !a.crossing;
        apart += c->apart[k];
    }
    pair_witness.destroy(self);
}

/* ---- the dense check ------------------------------------------------------------------------ */

enum { ROUND = 8, ALONG = 4, MOST_STARTS = 512 };

/* A grid on every face and along every edge, and the vertices. */
static int starts_on(const wit_placed* at, near_place out[MOST_STARTS])
{
    wit_body_info info = wit_body_describe(at->body);
    int n = 0;
    for (int f = 0; f < info.face_count; f++)
        for (int i = 0; i < ROUND; i++)
            for (int j = 0; j < ALONG && n < MOST_STARTS; j++) {
                wit_face_info face = wit_body_face(at->body, f);
                double u = face.u.lo + (face.u.hi - face.u.lo) * (i + 0.5) / ROUND;
                double v = face.v.lo + (face.v.hi - face.v.lo) * (j + 0.5) / ALONG;
                wit_surface_jet jet;
                if (!wit_body_face_contains(at->body, f, u, v)) continue;
                wit_surface_eval(face.surface, u, v, 0, NULL, &jet);
                out[n++] = (near_place){at, WIT_FACE, f, u, v, wit_pose_point(&at->pose, jet.p)};
            }
    for (int e = 0; e < info.edge_count; e++)
        for (int i = 0; i < 2 * ROUND && n < MOST_STARTS; i++) {
            wit_edge_info edge = wit_body_edge(at->body, e);
            double t = edge.range.lo + (edge.range.hi - edge.range.lo) * i / (2 * ROUND);
            wit_curve_jet jet;
            wit_curve_eval(edge.curve, t, 0, NULL, &jet);
            out[n++] = (near_place){at, WIT_EDGE, e, t, 0, wit_pose_point(&at->pose, jet.p)};
        }
    for (int v = 0; v < info.vertex_count && n < MOST_STARTS; v++)
        out[n++] = (near_place){at, WIT_VERTEX, v, 0, 0, wit_pose_point(&at->pose, wit_body_vertex(at->body, v).point)};
    return n;
}

/* From every start on one body with the nearest start of each feature of the other. */
static double dense_distance(const contest* c, long k)
{
    static near_place starts[2][MOST_STARTS];
    wit_placed placed[2];
    int n[2];
    for (int i = 0; i < 2; i++) {
        placed[i] = wit_placed_at(c->bodies[i], c->poses[i][k]);
        n[i] = starts_on(&placed[i], starts[i]);
    }
    double least = INFINITY;
    for (int i = 0; i < n[0]; i++)
        for (int j = 0; j < n[1];) {
            near_place a = starts[0][i], b = starts[1][j];
            int feature = starts[1][j].id;
            wit_feature_kind kind = starts[1][j].kind;
            for (; j < n[1] && starts[1][j].id == feature && starts[1][j].kind == kind; j++)
                if (norm3(sub3(starts[1][j].p, a.p)) < norm3(sub3(b.p, a.p))) b = starts[1][j];
            least = fmin(least, near_search(&a, &b));
        }
    return least;
}

/* ---- verdict and table ---------------------------------------------------------------------- */

static void judge(contest* c)
{
    for (long k = 0; k < c->count; k++) {
        c->dense[k] = dense_distance(c, k);
        c->best[k] = fmin(c->dense[k], race_best(c->players, ENTRANTS, k));
    }
}

static race_verdict verdict_of(const contest* c, int p, const bool* in)
{
    return race_judge(&c->players[p], c->best, c->size, in, c->count);
}

static void print_table(const contest* c, const char* title, const bool* in)
{
    printf("\n%s\n  %-26s %8s %8s %8s %9s %8s %8s  %6s    %-5s %8s %7s %6s\n", title, "microseconds per query",
           "median", "mean", "p99", "worst", "ratio", "by mean", "wrong", "", "excess", "nodes", "jets");
    race_figures ours = race_measure(&c->players[WITNESS], NULL, in, c->count);
    for (int p = 0; p < ENTRANTS; p++) {
        const race_player* player = &c->players[p];
        printf("  %-26s", player->name);
        if (!player->self) {
            printf(" absent: needs %s\n", player->lacks);
            continue;
        }
        race_figures f = race_measure(player, NULL, in, c->count);
        race_verdict v = verdict_of(c, p, in);
        printf(" %8.1f %8.1f %8.1f %9.1f %8.2f %8.2f  %6ld of %-5ld %8.1e", f.median, f.mean, f.p99, f.worst,
               f.median / ours.median, f.mean / ours.mean, v.wrong, v.played, v.worst);
        if (f.nodes > 0) printf(" %7.0f %6.0f", f.nodes, f.jets);
        printf("\n");
    }
}

static int print_verdict(const contest* c)
{
    int bad = 0;
    for (int p = WITNESS; p <= RIGOROUS; p++) {
        race_verdict v = verdict_of(c, p, c->apart);
        bad += !race_print_brackets(&c->players[p], &v);
    }
    long missed = 0, apart = 0, doubtful = 0;
    for (long k = 0; k < c->count; k++) {
        apart += c->apart[k];
        missed += c->apart[k] && (c->dense[k] - c->best[k]) / fmax(c->best[k], c->size) > RACE_WRONG;
        doubtful += c->crossing[k] && c->dense[k] > RACE_WRONG * c->size;
    }
    race_verdict far = verdict_of(c, FAR_PHASE, c->apart);
    printf("  the dense check itself missed %ld of %ld; %ld poses that Witness calls crossing have no common point in "
           "it\n",
           missed, apart, doubtful);
    printf("  the papers' far phase led Newton to the global pair in %.1f %% of %ld poses\n",
           100.0 * (double)(far.played - far.wrong) / (double)far.played, far.played);
    bad += doubtful > 0;
    if (c->players[BREP].self) {
        race_figures f = race_measure(&c->players[BREP], NULL, c->apart, c->count);
        race_figures ours = race_measure(&c->players[WITNESS], NULL, c->apart, c->count);
        double median = f.median / ours.median, mean = f.mean / ours.mean;
        printf("  BRepExtrema: %.1fx by the median (goal %g%s), %.1fx by the mean (goal %g%s)\n", median, GOAL_MEDIAN,
               median >= GOAL_MEDIAN ? "" : ": MISSED", mean, GOAL_MEAN, mean >= GOAL_MEAN ? "" : ": MISSED");
    }
    return bad;
}

static wit_model* model_at(const char* path)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (m && wit_model_body_count(m) > 0) return m;
    fprintf(stderr, "bench_pair: %s: %s (run from the root of the tree)\n", path, m ? "no body" : e.text);
    exit(1);
}

static void seat_players(contest* c)
{
    c->best = race_reserve((size_t)c->count, sizeof *c->best);
    c->dense = race_reserve((size_t)c->count, sizeof *c->dense);
    for (int p = 0; p < ENTRANTS; p++) {
        const entrant* e = &entrants[p];
        c->players[p] = (race_player){.name = e->name, .lacks = e->lacks, .stride = 1, .cases = c, .query = ask};
        if (e->who) {
            c->players[p].who = e->who;
            c->players[p].stride = e->who->stride;
            c->players[p].self = e->who->create(c->bodies[0], c->bodies[1]);
        }
        race_player_reserve(&c->players[p], c->count);
    }
}

static void contest_free(contest* c)
{
    for (int p = 0; p < ENTRANTS; p++) {
        if (c->players[p].self) entrants[p].who->destroy(c->players[p].self);
        race_player_free(&c->players[p]);
    }
    for (int i = 0; i < 2; i++) free(c->poses[i]);
    free(c->apart);
    free(c->crossing);
    free(c->best);
    free(c->dense);
}

int main(int argc, char** argv)
{
    long separated = argc > 1 ? atol(argv[1]) : 1000;
    if (argc > 2 || separated < 1) {
        fprintf(stderr, "usage: bench_pair [COUNT]\n");
        return 2;
    }
    static contest c;
    wit_model* models[2] = {model_at("models/pen.json"), model_at("models/bowl.json")};
    for (int i = 0; i < 2; i++) c.bodies[i] = wit_model_body(models[i], 0);
    c.size = fmin(wit_body_describe(c.bodies[0]).size, wit_body_describe(c.bodies[1]).size);
    draw_poses(&c, separated);
    seat_players(&c);
    race_run(c.players, ENTRANTS, c.count);
    judge(&c);
    long crossing = 0;
    for (long k = 0; k < c.count; k++) crossing += c.crossing[k];
    printf(
        "Cold queries between the pen and the bowl: %ld random poses, %ld of them crossing (%.1f %%).\n"
        "A query's time is the least of %d passes, caches warm. Wrong: farther than the best of all, the dense check\n"
        "included, by more than %.0e of max(distance, size).\n",
        c.count, crossing, 100.0 * (double)crossing / (double)c.count, (int)RACE_PASSES, RACE_WRONG);
    print_table(&c, "separated poses", c.apart);
    int bad = print_verdict(&c);
    if (crossing) print_table(&c, "crossing poses (wrong: distance not 0)", c.crossing);
    if (bad) printf("WRONG: see above.\n");
    contest_free(&c);
    for (int i = 0; i < 2; i++) wit_model_destroy(models[i]);
    return bad ? 1 : 0;
}
