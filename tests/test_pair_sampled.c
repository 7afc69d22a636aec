/* SPDX-License-Identifier: MIT */
/* The dual search against pairs drawn at random and moved nearer: none is nearer than the answer. */
#include "pair_asked.h"

/* ---- against sampled pairs ----------------------------------------------------------------- */

typedef struct sample {
    place p;
    double h[2]; /* how far to move from it */
} sample;

static bool sample_of(rng* r, const side* s, sample* out)
{
    const wit_body* b = s->body;
    int k = rng_int(r, b->face_count + b->edge_count + b->vertex_count);
    wit_feature_kind kind = k < b->face_count ? WIT_FACE : k < b->face_count + b->edge_count ? WIT_EDGE : WIT_VERTEX;
    int id = kind == WIT_FACE ? k : kind == WIT_EDGE ? k - b->face_count : k - b->face_count - b->edge_count;
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, kind, id, range, closed);
    double u = rng_range(r, range[0].lo, range[0].hi);
    double v = rng_range(r, range[1].lo, range[1].hi);
    if (!wi_side_contains(s, kind, id, u, v)) return false;
    wit_surface_jet j;
    wi_side_jet(s, &(place){.kind = kind, .id = id, .u = u, .v = v}, WIT_KNOT_DEFAULT, NULL, &j);
    *out = (sample){place_at(kind, id, u, v, j.p), {0.2 * iv_width(range[0]), 0.2 * iv_width(range[1])}};
    return true;
}

static bool moved_sample(rng* r, const side* s, const sample* from, double share, sample* out)
{
    wit_interval range[2];
    bool closed[2];
    wi_side_range(s, from->p.kind, from->p.id, range, closed);
    *out = *from;
    double x[2] = {from->p.u, from->p.v};
    for (int i = 0; i < 2; ++i) {
        double by = share * from->h[i] * rng_range(r, -1, 1);
        x[i] += by;
        if (!closed[i]) x[i] = smaller(range[i].hi, larger(range[i].lo, x[i]));
    }
    out->p.u = x[0], out->p.v = x[1];
    if (!wi_side_contains(s, out->p.kind, out->p.id, x[0], x[1])) return false;
    wit_surface_jet j;
    wi_side_jet(s, &(place){.kind = out->p.kind, .id = out->p.id, .u = x[0], .v = x[1]}, WIT_KNOT_DEFAULT, NULL, &j);
    out->p.p = j.p;
    return true;
}

/* The nearest pair that chance finds: samples, then steps of falling size about the best. No gradient, no bound. */
static double chance(rng* r, const side* a, const side* b)
{
    enum { SAMPLES = 300, STEPS = 300 };
    sample best_a, best_b, x, y;
    double best = INFINITY;
    for (int k = 0; k < SAMPLES; ++k) {
        bool good_x = sample_of(r, a, &x), good_y = sample_of(r, b, &y);
        if (!good_x || !good_y || !(norm3(sub3(x.p.p, y.p.p)) < best)) continue;
        best = norm3(sub3(x.p.p, y.p.p));
        best_a = x, best_b = y;
    }
    for (int k = 0; k < STEPS && best < INFINITY; ++k) {
        double share = 1;
        for (int i = rng_int(r, 20); i > 0; --i) share *= 0.5;
        bool good_x = moved_sample(r, a, &best_a, share, &x), good_y = moved_sample(r, b, &best_b, share, &y);
        if (!good_x || !good_y || !(norm3(sub3(x.p.p, y.p.p)) < best)) continue;
        best = norm3(sub3(x.p.p, y.p.p));
        best_a = x, best_b = y;
    }
    return best;
}

static void no_sampled_pair_is_nearer(double scale, uint64_t seed, long count)
{
    static const double tolerances[3] = {1e-6, 1e-9, 1e-12};
    rng r = rng_seed(seed);
    for (long k = 0; k < count; ++k) {
        wit_body *a = random_body(&r, scale), *b = random_body(&r, scale);
        wit_pose pose_a = random_pose(&r, 0, scale), pose_b = random_pose(&r, 0.5 * scale, 5 * scale);
        asked how = USUAL;
        how.tolerance = tolerances[rng_int(&r, 3)];
        how.rigorous = rng_int(&r, 4) == 0;
        search_task t = task_for(a, pose_a, b, pose_b, &how);
        search_answer f = ask(a, pose_a, b, pose_b, &how);
        double near = chance(&r, &t.a, &t.b), slack = t.floor + f.slack;
        double attained = f.end == SEARCH_CROSSING ? 0 : norm3(sub3(f.a.p, f.b.p));
        bool right = f.lower <= near + slack && attained <= near + slack && f.lower <= f.upper &&
                     (f.end == SEARCH_CROSSING || f.end == SEARCH_CLOSED);
        if (f.end == SEARCH_CLOSED) right &= f.upper - f.lower <= task_tolerance(&t, f.upper) + f.slack;
        if (!right)
            fail_msg("pair %ld at %g: end %d, [%.17g, %.17g], chance %.17g, tolerance %g, %ld pairs", k, scale,
                     (int)f.end, f.lower, f.upper, near, how.tolerance, (long)f.work.nodes);
        check_places(&t, &f, 4 * t.floor);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
}

static void brackets_hold_against_sampled_pairs(void** state)
{
    (void)state;
    no_sampled_pair_is_nearer(1, 11, campaign(20000));
}

static void brackets_hold_at_small_and_large_scale(void** state)
{
    (void)state;
    no_sampled_pair_is_nearer(1e-6, 12, campaign(3000));
    no_sampled_pair_is_nearer(1e6, 13, campaign(3000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_hold_against_sampled_pairs),
        cmocka_unit_test(brackets_hold_at_small_and_large_scale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
