/* SPDX-License-Identifier: MIT */
/*
 * Two convex solids are set apart at random, and the second is then moved along the closest gap until 2 mm past touch. The depth there
 * is at most 2 mm; its truth is the certified search at 1e-13, and that is checked from outside: the support functions
 * of the solids (their own formulas) give the same depth along the normal that was found, and no direction of a dense
 * search, refined around its best one, gives less.
 */
#include "lab_depth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/base/vec.h"
#include "pool.h"

enum { SAMPLES = 2000, AROUND = 12 };

static const double past_touch = 0.002;
static const double truth_tolerance = 1e-13;
/* How far below a bracket the support sum of a direction may be: rounding of coordinates of up to 1 m. */
static const double rounding = 2e-15;
/* What serves as the truth is bracketed so closely, in metres: 1e-13 was asked for, and rounding of poses comes to it. */
static const double sharp_width = 2e-13;

typedef struct job {
    int row;
    int64_t index;
    wit_status status;
    bool kept;
    double error;
    bool excluded;
    wit_closest answer;
} job;

typedef struct worker {
    wit_query *asked, *truth;
} worker;

/* The worst errors that Drake's documentation gives for shapes of this size, penetrating, in metres; 0: none given. */
static double drake(lab_solid a, lab_solid b)
{
    if (a == LAB_CYLINDER && b == LAB_CYLINDER) return 2e-3;
    if (a == LAB_BOX && b == LAB_CYLINDER) return 1e-3;
    if (a == LAB_ELLIPSOID && b == LAB_CYLINDER) return 2e-3;
    return 0;
}

typedef struct placed_pair {
    lab_solid a, b;
    wit_pose pose_a, pose_b;
} placed_pair;

/* h_a(n) + h_b(-n) */
static double support_sum(const placed_pair* p, wit_vec3 n)
{
    wit_vec3 back = scale3(-1, n);
    double a = lab_solid_support(p->a, wit_pose_unvector(&p->pose_a, n));
    double b = lab_solid_support(p->b, wit_pose_unvector(&p->pose_b, back));
    return a + b + dot3(n, sub3(p->pose_a.position, p->pose_b.position));
}

/* The least support sum over directions all round, then around the best of them, ever nearer. */
static double dense_depth(lab_random* r, const placed_pair* p)
{
    double best = INFINITY, reach = 0.1;
    wit_vec3 n = {0, 0, 1};
    for (int i = 0; i < SAMPLES; i++) {
        wit_vec3 m = lab_direction(r);
        double s = support_sum(p, m);
        if (s < best) best = s, n = m;
    }
    while (reach > 1e-9) {
        bool better = false;
        for (int i = 0; i < AROUND; i++) {
            wit_vec3 m = unit3(addscaled3(n, reach * lab_uniform(r), lab_direction(r)));
            double s = support_sum(p, m);
            if (s < best) best = s, n = m, better = true;
        }
        if (!better) reach *= 0.6;
    }
    return best;
}

/* Apart at random, then in by the gap and 2 mm. */
static wit_status set_in(const lab_depth* e, wit_query* query, lab_random* r, placed_pair* p, bool* good)
{
    p->pose_a.rotation = lab_rotation(r);
    p->pose_a.position = scale3(0.5 * lab_uniform(r), lab_direction(r));
    p->pose_b.rotation = lab_rotation(r);
    p->pose_b.position = addscaled3(p->pose_a.position, 0.6, lab_direction(r));
    wit_placed a = wit_placed_at(e->body[p->a], p->pose_a), b = wit_placed_at(e->body[p->b], p->pose_b);
    wit_closest c;
    wit_status status = wit_closest_pair(query, &a, &b, &c);
    if (status) return status;
    *good = c.distance > 0 && c.certified;
    p->pose_b.position = addscaled3(p->pose_b.position, -c.distance - past_touch, c.normal);
    return WIT_OK;
}

static wit_status measure_one(const lab_depth* e, const worker* w, lab_random* r, job* j)
{
    placed_pair p = {.a = e->rows[j->row].a, .b = e->rows[j->row].b};
    wit_closest truth;
    wit_status status = set_in(e, w->asked, r, &p, &j->kept);
    if (status || !j->kept) return status;
    wit_placed a = wit_placed_at(e->body[p.a], p.pose_a), b = wit_placed_at(e->body[p.b], p.pose_b);
    status = wit_closest_pair(w->asked, &a, &b, &j->answer);
    if (!status) status = wit_closest_pair(w->truth, &a, &b, &truth);
    if (status) return status;
    /* points may have been moved past each other and be apart still */
    j->kept = truth.outcome == WIT_OUTCOME_OVERLAPPING;
    if (!j->kept) return WIT_OK;
    const wit_closest* c = &j->answer;
    double along = support_sum(&p, truth.normal), dense = dense_depth(r, &p);
    j->error = fmax(fabs(c->distance - truth.distance), fabs(truth.distance + along));
    bool sharp = truth.upper_bound - truth.lower_bound <= sharp_width;
    j->excluded = !sharp || -truth.upper_bound > dense + rounding || -c->upper_bound > dense + rounding ||
                  c->upper_bound < truth.distance - rounding || c->lower_bound > truth.distance + rounding;
    return WIT_OK;
}

static void work(void* shared, void* worker_memory, void* job_memory)
{
    const lab_depth* e = shared;
    worker* w = worker_memory;
    job* j = job_memory;
    wit_query_def sharp = e->def;
    sharp.tolerance = truth_tolerance;
    if (!w->asked) w->asked = wit_query_create(&e->def, NULL, NULL);
    if (!w->truth) w->truth = wit_query_create(&sharp, NULL, NULL);
    lab_random r = {(uint64_t)e->seed * UINT64_C(1000033) + (uint64_t)j->row * UINT64_C(1000000009) +
                    (uint64_t)j->index * UINT64_C(998244391)};
    j->kept = false;
    j->status = w->asked && w->truth ? measure_one(e, w, &r, j) : WIT_ERROR_MEMORY;
}

static bool deliver(void* shared, void* job_memory, bool last)
{
    lab_depth* e = shared;
    const job* j = job_memory;
    lab_depth_row* row = &e->rows[j->row];
    (void)last;
    if (j->status) {
        fprintf(stderr, "witness lab accuracy: %s and %s: %s\n", lab_solid_name(row->a), lab_solid_name(row->b),
                wit_status_text(j->status));
        return false;
    }
    if (!j->kept) return true;
    row->kept++;
    row->certified += j->answer.certified;
    row->excluded += j->excluded;
    row->worst = fmax(row->worst, j->error);
    row->widest = fmax(row->widest, j->answer.upper_bound - j->answer.lower_bound);
    row->nodes += (double)j->answer.work.nodes;
    return true;
}

static void release(void* worker_memory)
{
    worker* w = worker_memory;
    wit_query_destroy(w->asked);
    wit_query_destroy(w->truth);
}

bool lab_depth_measure(lab_depth* e)
{
    static const lab_solid solids[LAB_DEPTH_SOLIDS] = {LAB_ELLIPSOID, LAB_BOX, LAB_CYLINDER, LAB_CAPSULE, LAB_CONE};
    int k = 0;
    memset(e->rows, 0, sizeof e->rows);
    for (int a = 0; a < LAB_DEPTH_SOLIDS; a++)
        for (int b = a; b < LAB_DEPTH_SOLIDS; b++, k++) {
            e->rows[k].a = solids[a];
            e->rows[k].b = solids[b];
        }
    pool_def def = {.threads = e->threads,
                    .job_bytes = sizeof(job),
                    .worker_bytes = sizeof(worker),
                    .shared = e,
                    .work = work,
                    .deliver = deliver,
                    .release_worker = release};
    pool* p = pool_create(&def);
    if (!p) {
        fputs("witness lab accuracy: no threads could be started\n", stderr);
        return false;
    }
    bool go_on = true;
    for (k = 0; go_on && k < LAB_DEPTH_PAIRS; k++)
        for (int64_t i = 0; go_on && i < e->placements; i++) {
            job* j = pool_job(p);
            go_on = j != NULL;
            if (!j) break;
            j->row = k;
            j->index = i;
            pool_submit(p);
        }
    return pool_finish(p);
}

void lab_depth_json(out* o, const lab_depth* e)
{
    out_open(o, "penetration", '[');
    for (int k = 0; k < LAB_DEPTH_PAIRS; k++) {
        const lab_depth_row* row = &e->rows[k];
        double other = drake(row->a, row->b);
        out_open(o, NULL, '{');
        out_put_string(o, "a", lab_solid_name(row->a));
        out_put_string(o, "b", lab_solid_name(row->b));
        out_put_integer(o, "placements", row->kept);
        out_put_number(o, "worst_error", row->worst);
        out_put_number(o, "widest_bracket", row->widest);
        out_put_integer(o, "brackets_without_truth", row->excluded);
        out_put_integer(o, "certified", row->certified);
        out_put_number(o, "mean_nodes", row->kept ? row->nodes / (double)row->kept : 0);
        out_put_number(o, "drake_worst_error", other > 0 ? other : HUGE_VAL);
        out_close(o, '}');
    }
    out_close(o, ']');
}

void lab_depth_text(out* o, const lab_depth* e)
{
    double worst = 0;
    long kept = 0, certified = 0, excluded = 0;
    out_text(o, "\nConvex solids moved in to 2 mm past touch, tolerance %g: worst errors of the depth in metres\n\n",
             e->def.tolerance);
    out_text(o, "%-22s  %10s  %10s  %10s  %9s  %9s  %10s\n", "pair", "error", "Drake", "bracket", "certified",
             "measured", "nodes");
    for (int k = 0; k < LAB_DEPTH_PAIRS; k++) {
        const lab_depth_row* row = &e->rows[k];
        char pair[64], other[32] = "-";
        snprintf(pair, sizeof pair, "%s, %s", lab_solid_name(row->a), lab_solid_name(row->b));
        if (drake(row->a, row->b) > 0) snprintf(other, sizeof other, "%.0e", drake(row->a, row->b));
        out_text(o, "%-22s  %10.1e  %10s  %10.1e  %9ld  %9ld  %10.0f\n", pair, row->worst, other, row->widest,
                 row->certified, row->kept, row->kept ? row->nodes / (double)row->kept : 0);
        worst = fmax(worst, row->worst);
        kept += row->kept;
        certified += row->certified;
        excluded += row->excluded;
    }
    out_text(o,
             "\nworst of all %.1e m; %ld of %ld certified; %ld brackets are contradicted\n"
             "error: against the search at 1e-13 and the support functions; Drake: its published worst, penetrating\n",
             worst, certified, kept, excluded);
}
