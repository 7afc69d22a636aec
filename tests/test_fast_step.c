/* SPDX-License-Identifier: MIT */
/*
 * The usual step against the general one, frame by frame from the same state: every scene, and paths over the surfaces of
 * the benchmarks, over splines whose derivatives jump at the knots or are large, and of pairs.
 */
#include <stdlib.h>

#include "../bench/surfaces.h"
#include "campaign.h"
#include "step_twins.h"
#include "track_paths.h"
#include "track_scenes.h"

enum { RUN = 500 }; /* steps of one path */

/* ---- scenes ------------------------------------------------------------------------------------ */

static void scenes_agree(void** state)
{
    (void)state;
    twin_tally all = {0};
    for (int n = 0; n < show_count; n++) {
        const show* s = &shows[n];
        const wit_body *a = wit_scene_body(s->scene, 0), *b = wit_scene_body(s->scene, 1);
        wit_result r;
        twins t = twins_make(a, b, &s->def, s->name, &all);
        show_place(s, t.one);
        int frames = s->frames / campaign_every(3, 10);
        for (int k = 0; k < frames; k++) twins_step(&t, &s->motion[0][k], &s->motion[1][k], s->dt, &r);
        twins_drop(&t);
    }
    twin_tally_print("scenes", &all);
    assert_true(50 * all.fast > all.steps); /* some scenes have usual steps by the hundred, many have none */
    twin_tally_check(&all);
}

/* ---- surfaces ---------------------------------------------------------------------------------- */

enum { SURFACES = BENCH_SURFACES + 3 };
static const char* const names[SURFACES] = {"Table I",          "rational 20x20", "torus",
                                            "kinked parabolas", "wavy cubics",    "cubics with double knots"};

enum { NET = 12 };

/* A patch over the unit square whose heights are at random: degree 2 (second derivatives jump), degree 3 with simple knots
 * (third ones do), and with double ones (second ones do, and the third ones are large). */
static wit_body* rough_patch(int which, wit_body_kind kind)
{
    rng r = rng_seed(77 + (uint64_t)which);
    int degree = which ? 3 : 2, multiple = which == 2 ? 2 : 1, count = 0;
    double knots[2 * NET + 8], points[3 * NET * NET];
    for (int i = 0; i <= degree; i++) knots[count++] = 0;
    for (int i = 1; count < NET; i++)
        for (int k = 0; k < multiple && count < NET; k++) knots[count++] = i;
    double end = knots[count - 1] + 1;
    for (int i = 0; i <= degree; i++) knots[count++] = end;
    for (int i = 0; i < NET; i++)
        for (int j = 0; j < NET; j++) {
            double* p = points + 3 * (NET * i + j);
            p[0] = i / (NET - 1.0), p[1] = j / (NET - 1.0), p[2] = rng_range(&r, -0.04, 0.04);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = degree;
    d.count_u = d.count_v = NET;
    d.knot_count_u = d.knot_count_v = count;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return track_body_of(&d, kind);
}

static wit_body* surface_body(int which, wit_body_kind kind)
{
    if (which >= BENCH_SURFACES) return rough_patch(which - BENCH_SURFACES, kind);
    static bench_surface s;
    bench_surface_make(which, &s);
    return track_body_of(&s.def, which == 2 ? WIT_BODY_SOLID : kind);
}

/* Either kernel set; now and then a coarse tolerance, no search, no front: then a foot is followed until it ends. */
static wit_track_def def_of(rng* r)
{
    wit_track_def d = wit_track_default_def();
    if (rng_int(r, 2)) d.kernel = WIT_KERNEL_PORTABLE;
    if (rng_int(r, 4) == 0) d.tolerance = 1e-7;
    if (rng_int(r, 4) == 0) d.reacquire = false, d.front = 0;
    return d;
}

/* Once in a while the place is not where the last frames lead: from a hundred-millionth of the size to a hundredth. */
static wit_vec3 surprise(rng* r, double size)
{
    if (rng_int(r, 6)) return vec3(0, 0, 0);
    return scale3(size * pow(10, rng_range(r, -8, -2)), random_unit(r));
}

/* A point over the face, now near, now farther off; the body sways, or stands still. */
static void point_over(int which, long steps, double factor, uint64_t seed, twin_tally* tally)
{
    rng r = rng_seed(seed);
    for (long done = 0; done < steps; done += RUN) {
        const wit_body_kind kinds[2] = {WIT_BODY_SHEET, WIT_BODY_SHEET2};
        wit_body* body = surface_body(which, kinds[rng_int(&r, 2)]);
        wit_track_def def = def_of(&r);
        double size = track_size(body, NULL);
        over o = over_make(&r, body, 0, size * pow(10, rng_range(&r, -4, -1)), 1);
        sway s = sway_make(&r, vec3(0, 0, 0), rng_int(&r, 2) ? size : 0, 1, 1);
        twins t = twins_make(body, NULL, &def, names[which], tally);
        wit_result out;
        for (int k = 0; k <= RUN; k++) {
            wit_motion a = sway_at(&s, k * 1e-3 * factor), b = wit_motion_at_rest(wit_pose_identity());
            wit_vec3 at = add3(over_at(&o, k * 1e-3 * factor), surprise(&r, size));
            b.pose.position = wit_pose_point(&a.pose, at);
            b.twist_known = false;
            twins_step(&t, &a, &b, 1e-3 * factor, &out);
        }
        twins_drop(&t);
        wit_body_destroy(body);
    }
}

static void points_over_surfaces_agree(void** state)
{
    (void)state;
    const double factors[4] = {0.1, 1, 5, 25};
    for (int which = 0; which < SURFACES; which++) {
        twin_tally all = {0};
        for (int f = 0; f < 4; f++) point_over(which, campaign(25000), factors[f], 701 + (uint64_t)f, &all);
        twin_tally_print(names[which], &all);
        assert_true(all.fast > all.steps / 10);
        twin_tally_check(&all);
    }
}

/* A convex body, whose tangent planes prove; from outside and from inside. */
static void points_about_ellipsoids_agree(void** state)
{
    (void)state;
    twin_tally all = {0};
    rng r = rng_seed(741);
    for (long done = 0; done < campaign(100000); done += RUN) {
        wit_body* body = track_ellipsoid(vec3(rng_range(&r, 0.3, 1), 1, rng_range(&r, 0.3, 1)), rng_int(&r, 2));
        wit_track_def def = def_of(&r);
        double size = track_size(body, NULL), factor = pow(10, rng_range(&r, -1, 0.7));
        over o = over_make(&r, body, 0, size * pow(10, rng_range(&r, -3, 0)), 1);
        sway s = sway_make(&r, vec3(0, 0, 0), size, 1, 1);
        twins t = twins_make(body, NULL, &def, "point and ellipsoid", &all);
        wit_result out;
        for (int k = 0; k <= RUN; k++) {
            wit_motion a = sway_at(&s, k * 1e-3 * factor), b = wit_motion_at_rest(wit_pose_identity());
            wit_vec3 at = add3(over_at(&o, k * 1e-3 * factor), surprise(&r, size));
            b.pose.position = wit_pose_point(&a.pose, at);
            b.twist_known = false;
            twins_step(&t, &a, &b, 1e-3 * factor, &out);
        }
        twins_drop(&t);
        wit_body_destroy(body);
    }
    twin_tally_print("points about ellipsoids", &all);
    assert_true(all.fast > all.steps / 10);
    twin_tally_check(&all);
}

/* ---- pairs ------------------------------------------------------------------------------------- */

/* Two bodies that sway about places `apart` from each other, along which they come near and into each other. */
static void pair_sways(const wit_body* a, const wit_body* b, double apart, double factor, rng* r, const char* name,
                       twin_tally* tally)
{
    wit_track_def def = def_of(r);
    double size = track_size(a, b);
    wit_vec3 along = random_unit(r);
    sway sa = sway_make(r, vec3(0, 0, 0), 0.1 * size, 1, 1), sb = sway_make(r, scale3(apart, along), 0.3 * size, 1, 1);
    twins t = twins_make(a, b, &def, name, tally);
    wit_result out;
    for (int k = 0; k <= RUN; k++) {
        wit_motion ma = sway_at(&sa, k * 1e-3 * factor), mb = sway_at(&sb, k * 1e-3 * factor);
        mb.pose.position = add3(mb.pose.position, surprise(r, size));
        twins_step(&t, &ma, &mb, 1e-3 * factor, &out);
    }
    twins_drop(&t);
}

static void ellipsoids_agree(void** state)
{
    (void)state;
    for (int nurbs = 0; nurbs < 2; nurbs++) {
        twin_tally all = {0};
        rng r = rng_seed(711);
        for (long done = 0; done < campaign(200000); done += RUN) {
            wit_vec3 x[2];
            for (int k = 0; k < 2; k++)
                x[k] = vec3(rng_range(&r, 0.3, 1), rng_range(&r, 0.3, 1), rng_range(&r, 0.3, 1));
            wit_body *a = track_ellipsoid(x[0], nurbs), *b = track_ellipsoid(x[1], nurbs);
            pair_sways(a, b, rng_range(&r, 0.8, 3), pow(10, rng_range(&r, -1, 0.7)), &r,
                       nurbs ? "NURBS ellipsoids" : "ellipsoids", &all);
            wit_body_destroy(a);
            wit_body_destroy(b);
        }
        twin_tally_print(nurbs ? "NURBS ellipsoids" : "ellipsoids", &all);
        assert_true(all.fast > all.steps / 10);
        twin_tally_check(&all);
    }
}

/* A ball that rolls over a face: two-sided, one-sided, or solid; sometimes pressed in. */
static void ball_over(int which, long steps, double factor, uint64_t seed, twin_tally* tally)
{
    rng r = rng_seed(seed);
    for (long done = 0; done < steps; done += RUN) {
        const wit_body_kind kinds[2] = {WIT_BODY_SHEET, WIT_BODY_SHEET2};
        wit_body* body = surface_body(which, kinds[rng_int(&r, 2)]);
        double size = track_size(body, NULL), radius = 0.01 * size;
        wit_body* ball = track_ellipsoid(vec3(radius, 1.3 * radius, 1.7 * radius), rng_int(&r, 2));
        wit_track_def def = def_of(&r);
        if (rng_int(&r, 2))
            def.reacquire = false; /* else the watch for nearer pairs asks for the search in every other step */
        over o = over_make(&r, body, 0, size * pow(10, rng_range(&r, -4, -1)), 1);
        sway sb = sway_make(&r, vec3(0, 0, 0), 0, 1, 1);
        bool swapped = rng_int(&r, 2);
        twins t = twins_make(swapped ? ball : body, swapped ? body : ball, &def, names[which], tally);
        wit_result out;
        for (int k = 0; k <= RUN; k++) {
            wit_motion a = wit_motion_at_rest(wit_pose_identity()), b = sway_at(&sb, k * 1e-3 * factor);
            b.pose.position = add3(over_at(&o, k * 1e-3 * factor), surprise(&r, radius));
            b.twist_known = false;
            twins_step(&t, swapped ? &b : &a, swapped ? &a : &b, 1e-3 * factor, &out);
        }
        twins_drop(&t);
        wit_body_destroy(ball);
        wit_body_destroy(body);
    }
}

static void balls_over_surfaces_agree(void** state)
{
    (void)state;
    const double factors[4] = {0.02, 0.2, 1, 5};
    for (int which = 0; which < SURFACES; which++) {
        twin_tally all = {0};
        for (int f = 0; f < 4; f++) ball_over(which, campaign(5000), factors[f], 721 + (uint64_t)f, &all);
        twin_tally_print(names[which], &all);
        twin_tally_check(&all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scenes_agree, open_shows, close_shows),
        cmocka_unit_test(points_over_surfaces_agree),
        cmocka_unit_test(points_about_ellipsoids_agree),
        cmocka_unit_test(ellipsoids_agree),
        cmocka_unit_test(balls_over_surfaces_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
