/* SPDX-License-Identifier: MIT */
/*
 * The search for the nearest place to a point: against the dense search, which can only be too far, so that a result that
 * is farther is wrong and a lower bound above it is wrong; and against closed forms where many places are nearest.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../src/query/search_task.h"
#include "campaign.h"
#include "cold_bodies.h"
#include "random.h"
#include "random_surface.h"
#include "../src/query/search/point_search.h"

/* ---- one query ----------------------------------------------------------------------------- */

enum { CAPACITY = 1 << 14 };

static void* memory(void)
{
    static void* block;
    if (!block) block = malloc(wi_point_search_bytes(CAPACITY));
    assert_non_null(block);
    return block;
}

static double reach_of(const wit_body* b, wit_vec3 q)
{
    const double v[9] = {b->box.lo.x, b->box.lo.y, b->box.lo.z, b->box.hi.x, b->box.hi.y, b->box.hi.z, q.x, q.y, q.z};
    double m = 0;
    for (int i = 0; i < 9; ++i) m = fmax(m, fabs(v[i]));
    return m;
}

/* Enclosures, which the rigorous mode uses, have margins of some 1e-14 of the coordinates; plain jets of 1e-15. */
static search_task task_of(const wit_body* b, wit_vec3 q, double tolerance, bool rigorous)
{
    wit_placed placed = {b, wit_pose_identity(), NULL};
    search_task t;
    memset(&t, 0, sizeof t);
    t.a = wi_side_of(&placed, &placed.pose, NULL);
    t.b = wi_side_of_point(q);
    wi_side_clip(&t.a, &t.b);
    t.size = b->size;
    t.floor = (rigorous ? 256 : 32) * DBL_EPSILON * reach_of(b, q);
    t.tolerance = tolerance;
    t.within = INFINITY;
    t.rigorous = rigorous;
    t.budget = 200000;
    t.memory = (scratch){memory(), wi_point_search_bytes(CAPACITY)};
    return t;
}

static search_answer search(const search_task* t)
{
    search_answer f;
    wi_point_search(t, &f);
    return f;
}

static void place_is_true(const search_task* t, const search_answer* f, const char* what)
{
    wit_surface_jet j;
    wi_side_jet(&t->a, &f->a, WIT_KNOT_DEFAULT, NULL, &j);
    double off = norm3(sub3(j.p, f->a.p)), d = norm3(sub3(f->a.p, t->b.t));
    /* in rigorous mode the upper bound holds the error of the place as well */
    double least = t->rigorous ? 0 : -t->floor, most = t->rigorous ? 1e-11 * reach_of(t->a.body, t->b.t) : t->floor;
    if (!(off <= t->floor) || !(f->upper - d >= least && f->upper - d <= most))
        fail_msg("%s: the place is off by %g, its distance by %g", what, off, d - f->upper);
    if (!wi_side_contains(&t->a, f->a.kind, f->a.id, f->a.u, f->a.v)) fail_msg("%s: the place is trimmed away", what);
}

typedef struct sums {
    long queries, open;
    double worst; /* relative error of the upper bound */
    int64_t most; /* nodes */
} sums;

/* All that an answer must satisfy; `truth` is a distance that is attained, by the nearest place as far as is known. */
static void answer_holds(const search_task* t, const search_answer* f, double truth, const char* what, sums* sum)
{
    char at[256];
    double scale = fmax(truth, t->size), asked = task_tolerance(t, f->upper);
    wit_vec3 q = t->b.t;
    snprintf(at, sizeof at, "%s, point %.17g %.17g %.17g, tolerance %g%s", what, q.x, q.y, q.z, t->tolerance,
             t->rigorous ? ", rigorous" : "");
    if (f->end != SEARCH_CLOSED && f->end != SEARCH_BUDGET) fail_msg("%s: end %d", at, (int)f->end);
    place_is_true(t, f, at);
    if (!(f->lower <= f->upper)) fail_msg("%s: lower %.17g above upper %.17g", at, f->lower, f->upper);
    /* the dense search evaluates plain jets */
    if (f->lower > truth + (t->rigorous ? 0.125 : 1) * t->floor)
        fail_msg("%s: lower bound %.17g above %.17g by %g", at, f->lower, truth, f->lower - truth);
    ++sum->queries;
    if (f->work.nodes > sum->most) sum->most = f->work.nodes;
    if (f->end == SEARCH_BUDGET) {
        /* the margins of enclosures grow with the spread of the weights of a spline */
        if (t->rigorous && f->upper - f->lower <= 1e-11 * reach_of(t->a.body, q)) return;
        if (t->budget > 1000)
            print_message("open: %s: gap %g, nodes %lld\n", at, f->upper - f->lower, (long long)f->work.nodes);
        ++sum->open;
        return;
    }
    if (f->upper - f->lower > asked + f->slack) fail_msg("%s: gap %g", at, f->upper - f->lower);
    if (f->upper > truth + asked + t->floor)
        fail_msg("%s: %.17g, not %.17g, too far by %g", at, f->upper, truth, f->upper - truth);
    if (scale > 0) sum->worst = fmax(sum->worst, (f->upper - truth) / scale);
}

static double dense_distance(const cold_body* b, wit_vec3 q)
{
    dense_place at;
    return dense_point(b->search, NULL, q, &at);
}

static wit_vec3 point_about(rng* r, const cold_body* b, double widths)
{
    double h = 0.5 * widths * b->size;
    double x = rng_range(r, -h, h);
    double y = rng_range(r, -h, h);
    double z = rng_range(r, -h, h);
    return add3(b->centre, vec3(x, y, b->info.planar ? 0 : z));
}

/* Around, far, and next to the boundary down to nothing. */
static wit_vec3 campaign_point(rng* r, const cold_body* b, long i)
{
    static const double off[5] = {0, 1e-12, 1e-7, 1e-3, 0.1};
    int samples = dense_samples(b->search);
    if (i % 4 != 3 || !samples) return point_about(r, b, i % 4 == 2 ? 6 : 1.5);
    wit_vec3 p = dense_sample(b->search, rng_int(r, samples)), d = random_unit(r);
    if (b->info.planar) d.z = 0;
    return addscaled3(p, off[rng_int(r, 5)] * b->size, d);
}

static void campaign_over(const cold_body* b, uint64_t seed, long full)
{
    static const double tolerances[3] = {1e-6, 1e-9, 1e-12};
    rng r = rng_seed(seed);
    sums sum = {0, 0, 0, 0};
    long n = campaign(full);
    for (long i = 0; i < n; ++i) {
        wit_vec3 q = campaign_point(&r, b, i);
        double truth = dense_distance(b, q);
        for (int rigorous = 0; rigorous < (i % 3 ? 1 : 2); ++rigorous) {
            search_task t = task_of(b->body, q, tolerances[(rigorous ? i / 3 : i) % 3], rigorous != 0);
            search_answer f = search(&t);
            answer_holds(&t, &f, truth, b->name, &sum);
        }
    }
    print_message("%-20s scale %-6g %6ld queries, %ld open, worst error %8.1e, most nodes %lld\n", b->name, b->scale,
                  sum.queries, sum.open, sum.worst, (long long)sum.most);
    assert_int_equal(sum.open, 0);
}

/* ---- tests --------------------------------------------------------------------------------- */

static void every_body_agrees_with_the_dense_search(void** state)
{
    static const double scales[3] = {1, 1e-6, 1e6};
    (void)state;
    for (int k = 0; k < 3; ++k) {
        cold_body all[COLD_ROOM];
        int n = cold_all(scales[k], 11 + (uint64_t)k, all);
        n += cold_foreign(scales[k], all + n);
        for (int i = 0; i < n; ++i) {
            campaign_over(&all[i], 100 * (uint64_t)k + (uint64_t)i, k == 0 ? 2000 : 300);
            cold_drop(&all[i]);
        }
    }
}

static wit_body* patch_of(wit_surface* s)
{
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_error e = {0};
    d.face_count = 1;
    d.faces = &face;
    return wit_body_create(&d, NULL, &e);
}

/* Patches that fold, have poles or run over themselves; bodies that creases make unbuildable are passed over. */
static void random_patches_agree_with_the_dense_search(void** state)
{
    (void)state;
    rng r = rng_seed(77);
    long n = campaign(400);
    sums sum = {0, 0, 0, 0};
    for (long i = 0; i < n; ++i) {
        wit_surface_kind kind = (wit_surface_kind)(i % WIT_SURFACE_KIND_COUNT);
        double size = i % 3 == 0 ? 1 : i % 3 == 1 ? 1e-3 : 1e3;
        wit_surface* s = random_any_surface(&r, kind, size);
        wit_body* b = patch_of(s);
        wit_surface_destroy(s);
        if (!b) continue;
        dense* search_all = dense_create(b);
        for (int k = 0; k < 20; ++k) {
            wit_vec3 m = scale3(0.5, add3(b->box.lo, b->box.hi));
            wit_vec3 q = addscaled3(m, rng_range(&r, 0, 1.5) * b->size, random_unit(&r));
            search_task t = task_of(b, q, k % 2 ? 1e-9 : 1e-12, k % 5 == 0);
            search_answer f = search(&t);
            dense_place at;
            double truth = dense_point(search_all, NULL, q, &at);
            answer_holds(&t, &f, truth, wit_surface_kind_name(kind), &sum);
        }
        dense_destroy(search_all);
        wit_body_destroy(b);
    }
    print_message("%ld queries, %ld open, worst error %.1e, most nodes %lld\n", sum.queries, sum.open, sum.worst,
                  (long long)sum.most);
    assert_int_equal(sum.open, 0);
}

typedef struct many_nearest {
    const char* model;
    wit_vec3 q;
    double distance; /* 0: as the dense search says */
    int64_t nodes;   /* allowed beyond those of the tree */
} many_nearest;

/* Where a closed form knows the answer the tree is walked and no more. The torus of splines has none: a curve of nearest
 * places costs more there. At the poles of the ellipsoid, which are nearest to its centre, the chart is singular. */
static void many_nearest_places_do_not_cost_the_budget(void** state)
{
    static const many_nearest cases[] = {
        {"sphere", {0, 0, 0}, 10, 200},       {"cylinder", {0, 0, 15}, 10, 200},
        {"torus", {0, 0, 0}, 7, 200},         {"torus", {0, 0, 5}, 0, 200},
        {"torus", {10, 0, 0}, 3, 200},        {"torus", {0, 10, 0}, 3, 200},
        {"cone", {0, 0, 1e-3}, 1e-3, 200},    {"capsule", {0, 0, 0}, 5, 200},
        {"ellipsoid", {0, 0, 0}, 1, 1000},    {"ellipsoid", {0, 0, 0.3}, 0.7, 1000},
        {"torus-nurbs", {0, 0, 0}, 7, 50000}, {"torus-nurbs", {10, 0, 0}, 3, 50000},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const many_nearest* c = &cases[i];
        cold_body b = cold_model(c->model, 1);
        double truth = dense_distance(&b, c->q);
        if (c->distance > 0 && fabs(truth - c->distance) > 1e-9)
            fail_msg("%s: the dense search finds %.12g, not %.12g", c->model, truth, c->distance);
        for (int rigorous = 0; rigorous < 2; ++rigorous) {
            search_task t = task_of(b.body, c->q, 1e-9, rigorous != 0);
            search_answer f = search(&t);
            sums sum = {0, 0, 0, 0};
            answer_holds(&t, &f, truth, c->model, &sum);
            if (f.end != SEARCH_CLOSED || f.work.nodes > c->nodes + b.info.node_count)
                fail_msg("%s: end %d, %lld nodes", c->model, (int)f.end, (long long)f.work.nodes);
        }
        cold_drop(&b);
    }
}

static void cut_off_tells_near_from_far(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    cold_body b = cold_model("goblet", 1);
    long n = campaign(2000);
    int beyond = 0;
    for (long i = 0; i < n; ++i) {
        wit_vec3 q = point_about(&r, &b, 2);
        search_task t = task_of(b.body, q, 1e-9, false);
        double truth = dense_distance(&b, q);
        t.within = truth * (i % 2 ? rng_range(&r, 0.1, 0.999) : rng_range(&r, 1.001, 3));
        search_answer f = search(&t);
        if (truth > t.within) {
            assert_int_equal(f.end, SEARCH_BEYOND);
            assert_true(f.lower >= t.within && f.lower <= truth);
            ++beyond;
        } else {
            sums sum = {0, 0, 0, 0};
            answer_holds(&t, &f, truth, "goblet", &sum);
            assert_int_equal(f.end, SEARCH_CLOSED);
        }
    }
    assert_true(beyond > n / 3);
    cold_drop(&b);
}

static void little_memory_and_budget_weaken_the_bound_only(void** state)
{
    (void)state;
    rng r = rng_seed(9);
    cold_body all[3] = {cold_model("shapes", 1), cold_model("torus-nurbs", 1), cold_bump(1)};
    long n = campaign(3000), closed = 0, open = 0;
    for (long i = 0; i < n; ++i) {
        const cold_body* b = &all[i % 3];
        wit_vec3 q = campaign_point(&r, b, i);
        search_task t = task_of(b->body, q, 1e-9, i % 7 == 0);
        t.memory.bytes = wi_point_search_bytes(1 + rng_int(&r, 24));
        t.budget = 1 + rng_int(&r, 200);
        search_answer f = search(&t);
        double truth = dense_distance(b, q);
        assert_true(f.work.nodes <= t.budget + 200);
        if (f.upper < INFINITY) {
            sums sum = {0, 0, 0, 0};
            answer_holds(&t, &f, truth, b->name, &sum);
        }
        assert_true(f.lower <= truth + t.floor);
        if (f.end == SEARCH_CLOSED)
            ++closed;
        else
            ++open;
    }
    assert_true(closed > n / 20 && open > n / 20);
    for (int i = 0; i < 3; ++i) cold_drop(&all[i]);
}

static void masks_leave_features_out(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    cold_body b = cold_model("plate", 1);
    uint8_t faces[64], edges[64], vertices[64], flags[256], on[256];
    wit_mask mask = {0, faces, edges, vertices};
    wit_placed placed = {b.body, wit_pose_identity(), &mask};
    assert_true(dense_pieces(b.search) <= 256 && wi_side_flag_bytes(b.body) <= 256);
    long n = campaign(2000);
    int empty = 0;
    for (long i = 0; i < n; ++i) {
        for (int k = 0; k < 64; ++k) {
            faces[k] = rng_int(&r, 6) == 0;
            edges[k] = rng_int(&r, 20) == 0;
            vertices[k] = 0;
        }
        if (i % 16 == 0) memset(faces, 0, 64), memset(edges, 0, 64), memset(vertices, 0, 64);
        dense_masked(b.search, &mask, on);
        wit_vec3 q = point_about(&r, &b, 2);
        search_task t = task_of(b.body, q, 1e-9, false);
        t.a = wi_side_of(&placed, &placed.pose, flags);
        search_answer f = search(&t);
        dense_place at;
        double truth = dense_point(b.search, on, q, &at);
        if (truth == INFINITY) {
            assert_int_equal(f.end, SEARCH_EMPTY);
            ++empty;
            continue;
        }
        sums sum = {0, 0, 0, 0};
        answer_holds(&t, &f, truth, "masked plate", &sum);
        assert_int_equal(f.end, SEARCH_CLOSED);
    }
    assert_true(empty > 0);
    cold_drop(&b);
}

static wit_surface* flat(wit_vec3 origin, wit_vec3 x, wit_vec3 normal)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.frame = (wit_frame){origin, x, normal};
    d.range_u = d.range_v = iv(0, 1);
    return surface_made(&d);
}

/* Points about the upper border of a plate whose edges run elsewhere by at most `gap`. */
static void loose_body_holds(const wit_body* b, double gap, bool widened)
{
    dense* search_all = dense_create(b);
    rng r = rng_seed(13);
    long n = campaign(5000), wide = 0;
    assert_true(b->tolerance >= 0.5 * gap);
    for (long i = 0; i < n; ++i) {
        double x = rng_range(&r, 0.5, 2);
        double y = rng_range(&r, -0.5, 1.5);
        wit_vec3 q = vec3(x, y, rng_range(&r, -1, 1));
        dense_place at;
        double truth = dense_point(search_all, NULL, q, &at);
        search_task t = task_of(b, q, 1e-9, i % 4 == 0);
        search_answer f = search(&t);
        double asked = task_tolerance(&t, f.upper);
        if (f.lower > truth + t.floor || f.upper > truth + f.slack + asked || f.end != SEARCH_CLOSED)
            fail_msg("point %.17g %.17g %.17g: [%.17g, %.17g], not %.17g", q.x, q.y, q.z, f.lower, f.upper, truth);
        assert_true(f.upper - f.lower <= asked + f.slack + t.floor);
        assert_true(f.slack <= b->tolerance * (1 + 1e-9));
        wide += f.slack > 1e-6;
    }
    assert_true(widened == (wide > 0));
    dense_destroy(search_all);
}

/* Two plates sewn along borders that are apart: the edge is one of them. Both borders are borders of cells. */
static void sewn_borders_are_bounded_by_their_faces(void** state)
{
    const double gap = 1e-3;
    (void)state;
    wit_surface* s[2] = {flat(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, 1)),
                         flat(vec3(1, 0, gap), vec3(1, 0, -1), vec3(1, 0, 1))};
    wit_face_def faces[2] = {{.surface = s[0]}, {.surface = s[1]}};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_error e = {0};
    d.face_count = 2;
    d.faces = faces;
    d.sew_tolerance = 5 * gap;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    assert_int_equal(b->edge_count, 7);
    loose_body_holds(b, gap, false);
    wit_body_destroy(b);
    wit_surface_destroy(s[0]);
    wit_surface_destroy(s[1]);
}

static wit_curve* line(wit_vec3 from, wit_vec3 to)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = from;
    d.frame.x = sub3(to, from);
    d.frame.z = vec3(0, 0, 1);
    d.range = iv(0, norm3(sub3(to, from)));
    return curve_made(&d);
}

/* A plate cut from a plane by lines, with edges below it: the borders run through cells, and edges stand for them. */
static void trimmed_borders_cost_the_tolerance_of_edges(void** state)
{
    static const double at[5][2] = {{0.1, 0.2}, {0.9, 0.1}, {0.8, 0.9}, {0.2, 0.7}, {0.1, 0.2}};
    const double gap = 1e-3;
    (void)state;
    wit_surface* s = flat(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, 1));
    wit_vertex_def vertices[4];
    wit_edge_def edges[4];
    wit_use_def uses[4];
    wit_curve* curves[8];
    for (int i = 0; i < 4; ++i) {
        wit_vec3 p = vec3(at[i][0], at[i][1], 0), q = vec3(at[i + 1][0], at[i + 1][1], 0);
        curves[i] = line(vec3(p.x, p.y, -gap), vec3(q.x, q.y, -gap));
        curves[4 + i] = line(p, q);
        vertices[i] = (wit_vertex_def){NULL, vec3(p.x, p.y, -gap)};
        edges[i] = (wit_edge_def){.curve = curves[i], .start = i, .end = (i + 1) % 4};
        uses[i] = (wit_use_def){.edge = i, .parameter_curve = curves[4 + i]};
    }
    wit_loop_def loop = {4, uses};
    wit_face_def face = {.surface = s, .loop_count = 1, .loops = &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_error e = {0};
    d.vertex_count = d.edge_count = 4, d.face_count = 1;
    d.vertices = vertices, d.edges = edges, d.faces = &face;
    d.close_tolerance = 5 * gap;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    loose_body_holds(b, gap, true);
    wit_body_destroy(b);
    for (int i = 0; i < 8; ++i) wit_curve_destroy(curves[i]);
    wit_surface_destroy(s);
}

static void same_call_gives_the_same_bits(void** state)
{
    (void)state;
    rng r = rng_seed(3);
    cold_body b = cold_bump(1);
    for (int i = 0; i < 200; ++i) {
        wit_vec3 q = point_about(&r, &b, 1.5), other = point_about(&r, &b, 1.5);
        search_task t = task_of(b.body, q, 1e-9, i % 4 == 0), between = task_of(b.body, other, 1e-9, false);
        search_answer first = search(&t);
        search(&between);
        search_answer second = search(&t);
        assert_true(first.lower == second.lower && first.upper == second.upper && first.a.u == second.a.u &&
                    first.a.v == second.a.v && first.a.id == second.a.id && first.work.nodes == second.work.nodes);
    }
    cold_drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_agrees_with_the_dense_search),
        cmocka_unit_test(random_patches_agree_with_the_dense_search),
        cmocka_unit_test(many_nearest_places_do_not_cost_the_budget),
        cmocka_unit_test(cut_off_tells_near_from_far),
        cmocka_unit_test(little_memory_and_budget_weaken_the_bound_only),
        cmocka_unit_test(masks_leave_features_out),
        cmocka_unit_test(sewn_borders_are_bounded_by_their_faces),
        cmocka_unit_test(trimmed_borders_cost_the_tolerance_of_edges),
        cmocka_unit_test(same_call_gives_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
