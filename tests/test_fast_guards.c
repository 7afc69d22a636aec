/* SPDX-License-Identifier: MIT */
/*
 * The guards of the usual step, each where it matters: knots at which derivatives jump, touch to the last digit, places that end
 * to be minima, poles, and all that has to go the long way. tests/mutants/fast_step.sh takes them away one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/track/carried_bound.h"
#include "../src/track/fast_step.h"
#include "step_twins.h"
#include "track_paths.h"

enum { NET = 12, RUN_UP = 6 };

static wit_track_def portable(void)
{
    wit_track_def d = wit_track_default_def();
    d.kernel = WIT_KERNEL_PORTABLE;
    return d;
}

static wit_motion at_place(wit_vec3 p)
{
    wit_motion m = wit_motion_at_rest(wit_pose_identity());
    m.pose.position = p;
    m.twist_known = false;
    return m;
}

/* ---- knots -------------------------------------------------------------------------------------- */

/* Parabolas over the unit square with heights at random: second derivatives jump at the knots 1, 2, ..., third ones are 0. */
static wit_body* kinked_patch(void)
{
    rng r = rng_seed(77);
    double knots[NET + 3], points[3 * NET * NET];
    for (int i = 0; i < NET + 3; i++) knots[i] = i < 3 ? 0 : i > NET ? NET - 2 : i - 2;
    for (int i = 0; i < NET; i++)
        for (int j = 0; j < NET; j++) {
            double* p = points + 3 * (NET * i + j);
            p[0] = i / (NET - 1.0), p[1] = j / (NET - 1.0), p[2] = rng_range(&r, -0.04, 0.04);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = NET;
    d.knot_count_u = d.knot_count_v = NET + 3;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return track_body_of(&d, WIT_BODY_SHEET2);
}

static wit_vec3 above(const wit_body* body, double u, double v, double height)
{
    wit_surface_jet j;
    wit_surface_eval(wit_body_face(body, 0).surface, u, v, WIT_KNOT_DEFAULT, NULL, &j);
    return addscaled3(j.p, height, unit3(cross3(j.du, j.dv)));
}

/* Straight towards a knot; the last frames lead to just before it, the point goes just past it. */
static void a_knot_between_guess_and_foot_is_seen(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body = kinked_patch();
    wit_track_def def = portable();
    rng r = rng_seed(751);
    for (int trial = 0; trial < 300; trial++) {
        double knot = 1 + rng_int(&r, NET - 3), other = rng_range(&r, 0.5, NET - 2.5), speed = 1e-3;
        double miss = pow(10, rng_range(&r, -6, -4)), height = rng_range(&r, 0.001, 0.01);
        bool along_v = rng_int(&r, 2);
        double guess = knot - rng_range(&r, 0.1, 1) * miss, end = knot + rng_range(&r, 0.1, 1) * miss;
        twins t = twins_make(body, NULL, &def, "knots", &all);
        wit_result out;
        for (int k = 0; k <= RUN_UP; k++) {
            double x = k < RUN_UP ? guess - (RUN_UP - k) * speed : end;
            wit_motion a = at_place(vec3(0, 0, 0));
            wit_motion b = at_place(along_v ? above(body, other, x, height) : above(body, x, other, height));
            twins_step(&t, &a, &b, 1e-3, &out);
            if (k == RUN_UP) assert_false(twins_were_fast());
        }
        twins_drop(&t);
    }
    twin_tally_print("knots", &all);
    assert_true(all.fast > 500);
    twin_tally_check(&all);
    wit_body_destroy(body);
}

/* ---- touch -------------------------------------------------------------------------------------- */

/* A second ball, or a point, that runs along the equator of a ball of radius 1 at a gap. */
static void around(const wit_body* ball, const wit_body* other, double gap, double tolerance, twin_tally* all)
{
    wit_track_def def = portable();
    def.tolerance = tolerance;
    def.reacquire = false; /* else solids that may be in each other never go the usual way */
    rng r = rng_seed(761);
    twins t = twins_make(ball, other, &def, "touch", all);
    wit_result out;
    double distance = (other ? 2 : 1) + gap;
    for (int k = 0; k <= 200; k++) {
        double off = k % 5 == 4 ? 1e-3 * rng_range(&r, -1, 1) : 0;
        double turn = 0.3 + 1e-3 * k + off, rise = 0.1 + 0.3 * off;
        wit_motion a = at_place(vec3(0, 0, 0));
        wit_motion b = at_place(scale3(distance, vec3(cos(rise) * cos(turn), cos(rise) * sin(turn), sin(rise))));
        b.pose.rotation = wit_quat_about(vec3(0.6, 0, 0.8), 2e-3 * k);
        twins_step(&t, &a, &b, 1e-3, &out);
    }
    twins_drop(&t);
}

static void touch_to_the_last_digit_agrees(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body *a = track_ellipsoid(vec3(1, 1, 1), false), *b = track_ellipsoid(vec3(1, 1, 1), false);
    const double gaps[7] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9};
    for (int g = 0; g < 7; g++) {
        around(a, NULL, gaps[g], 1e-12, &all);
        around(a, b, gaps[g], 1e-12, &all);
    }
    twin_tally_print("touch", &all);
    assert_true(all.fast > 500);
    twin_tally_check(&all);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* With a coarse tolerance Newton stops where the gap is not along the normal: no pair, whatever it says. */
static void coarse_steps_at_touch_agree(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body *a = track_ellipsoid(vec3(1, 1, 1), false), *b = track_ellipsoid(vec3(1, 1, 1), false);
    const double gaps[4] = {-1e-8, -1e-9, -1e-10, -1e-11}, tolerances[3] = {1e-5, 1e-6, 1e-7};
    for (int g = 0; g < 4; g++)
        for (int k = 0; k < 3; k++) around(a, b, gaps[g], tolerances[k], &all);
    twin_tally_print("coarse touch", &all);
    assert_true(all.fast > 200);
    twin_tally_check(&all);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* ---- where minima end --------------------------------------------------------------------------- */

/*
 * A shell of semi-axes 1, 0.5, 0.7, and a point or a ball inside that goes down from its top at y = 0.5, which is the foot. Across,
 * in z, the radius of curvature there is 0.98: farther below the foot is a saddle, and Newton would stay at it.
 */
static void go_down(const wit_body* a, const wit_body* b, const wit_body* shell, twin_tally* all)
{
    wit_track_def def = portable();
    def.reacquire = false;
    def.front = 0;
    twins t = twins_make(a, b, &def, "focus", all);
    wit_witness top = {WIT_FACE, 0, 1.57, 0.001, {0, 0, 0}};
    assert_int_equal(wit_tracker_place(t.one, &top, b ? &top : NULL), WIT_OK);
    wit_result out;
    bool left = false;
    for (int k = 0; k <= 600; k++) {
        wit_motion still = at_place(vec3(0, 0, 0)), m = at_place(vec3(0.01, 0.401 - 2e-3 * k, 0));
        twins_step(&t, a == shell ? &still : &m, a == shell ? &m : &still, 1e-3, &out);
        left = left || norm3(sub3(a == shell ? out.a.point : out.b.point, vec3(0.01, 0.5, 0))) > 0.2;
    }
    assert_true(left);
    twins_drop(&t);
}

static void feet_past_a_centre_of_curvature_agree(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_ELLIPSOID);
    d.semi_x = 1, d.semi_y = 0.5, d.semi_z = 0.7;
    wit_body *shell = track_body_of(&d, WIT_BODY_SHEET2), *ball = track_ellipsoid(vec3(0.05, 0.05, 0.05), false);
    go_down(shell, NULL, shell, &all);
    long points = all.fast;
    go_down(shell, ball, shell, &all);
    go_down(ball, shell, shell, &all);
    /* so small that S is negative definite between two frames only: behind them only P tells */
    wit_body* grain = track_ellipsoid(vec3(1e-4, 1e-4, 1e-4), false);
    go_down(shell, grain, shell, &all);
    wit_body_destroy(grain);
    twin_tally_print("focus", &all);
    assert_true(points > 200 && all.fast > points + 400);
    twin_tally_check(&all);
    wit_body_destroy(shell);
    wit_body_destroy(ball);
}

/* A ball goes right through a plate that bends little: once it is out on the other side the pair is one of far sides. */
static void a_pair_ends_where_a_witness_leaves_the_other_body(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body *plate = track_ellipsoid(vec3(1, 0.2, 1), false), *ball = track_ellipsoid(vec3(0.05, 0.05, 0.05), false);
    for (int swapped = 0; swapped < 2; swapped++) {
        wit_track_def def = portable();
        def.reacquire = false;
        twins t = twins_make(swapped ? ball : plate, swapped ? plate : ball, &def, "through", &all);
        wit_result out;
        for (int k = 0; k <= 500; k++) {
            wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(vec3(0.02, 0.5 - 2e-3 * k, 0.01));
            twins_step(&t, swapped ? &b : &a, swapped ? &a : &b, 1e-3, &out);
        }
        twins_drop(&t);
    }
    twin_tally_print("through", &all);
    assert_true(all.fast > 200);
    twin_tally_check(&all);
    wit_body_destroy(plate);
    wit_body_destroy(ball);
}

/* (u, v, 0.8 u^2 - 0.6 v^2) as one polynomial: third derivatives are none, so that only Newton's own steps tell whether it has
 * arrived when the point is not where the last frames lead. */
static void far_guesses_take_another_look(void** state)
{
    (void)state;
    twin_tally all = {0};
    const double knots[6] = {0, 0, 0, 1, 1, 1}, blossom[3] = {0, 0, 1}; /* of t^2 */
    double points[27];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double* p = points + 3 * (3 * i + j);
            p[0] = 0.5 * i, p[1] = 0.5 * j, p[2] = 0.8 * blossom[i] - 0.6 * blossom[j];
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2, d.count_u = d.count_v = 3, d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = d.knots_v = knots, d.points = points;
    wit_body *body = track_body_of(&d, WIT_BODY_SHEET2), *ball = track_ellipsoid(vec3(0.05, 0.06, 0.07), false);
    wit_track_def def = portable();
    def.reacquire = false;
    rng r = rng_seed(771);
    for (int way = 0; way < 8; way++) { /* point or ball, before or behind, fine or coarse */
        bool pair = way & 1, behind = way & 2;
        def.tolerance = way & 4 ? 1e-7 : 1e-12;
        twins t = twins_make(body, pair ? ball : NULL, &def, "guesses", &all);
        wit_result out;
        for (int k = 0; k < 600; k++) {
            double miss = k % 5 == 4 ? pow(10, rng_range(&r, -7, -1.3)) : 0, turn = rng_range(&r, 0, 6.28);
            double u = 0.5 + 0.3 * sin(1e-3 * k) + miss * cos(turn), v = 0.4 + miss * sin(turn);
            wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(above(body, u, v, behind ? -0.15 : 0.15));
            twins_step(&t, &a, &b, 1e-3, &out);
        }
        twins_drop(&t);
    }
    twin_tally_print("guesses", &all);
    assert_true(all.fast > 500);
    twin_tally_check(&all);
    wit_body_destroy(body);
    wit_body_destroy(ball);
}

/* Behind a two-sided sheet the usual step goes by its back. */
static void the_back_of_a_sheet_is_usual(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body *sheet = kinked_patch(), *ball = track_ellipsoid(vec3(0.01, 0.012, 0.014), false);
    wit_track_def def = portable();
    def.reacquire = false;
    for (int face = -1; face <= 1; face += 2) {
        long before = all.fast;
        twins t = twins_make(sheet, ball, &def, "back", &all);
        wit_result out;
        for (int k = 0; k < 100; k++) {
            wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(above(sheet, 4.1 + 1e-4 * k, 4.2, 0.02 * face));
            twins_step(&t, &a, &b, 1e-3, &out);
        }
        assert_true(all.fast > before + 20);
        twins_drop(&t);
    }
    twin_tally_check(&all);
    wit_body_destroy(sheet);
    wit_body_destroy(ball);
}

/* ---- the long way ------------------------------------------------------------------------------- */

/* Two ellipsoids, some frames on; the next may be a usual step. */
static twins started(wit_body* body[2], twin_tally* all)
{
    wit_track_def def = portable();
    body[0] = track_ellipsoid(vec3(1, 0.8, 0.6), false), body[1] = track_ellipsoid(vec3(0.5, 0.8, 0.6), false);
    twins t = twins_make(body[0], body[1], &def, "start", all);
    wit_result out;
    for (int k = 0; k < RUN_UP; k++) {
        wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(vec3(1.75, 0.3 + 1e-3 * k, 0.2));
        twins_step(&t, &a, &b, 1e-3, &out);
    }
    assert_true(twins_were_fast());
    return t;
}

static void ended(twins* t, wit_body* body[2])
{
    twins_drop(t);
    wit_body_destroy(body[0]);
    wit_body_destroy(body[1]);
}

static void only_plain_states_are_ready(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body[2];
    twins twin = started(body, &all);
    wit_tracker *t = twin.one, kept = *t;
    step* s = test_calloc(1, sizeof *s);
    s->t = t;
    s->outcome = WIT_OUTCOME_CONVERGED;
    assert_true(wi_fast_step_ready(s));
    t->law = (const void*)s; /* not asked, only compared */
    assert_false(wi_fast_step_ready(s));
    *t = kept, t->def.prediction = WIT_PREDICTION_LINEAR;
    assert_false(wi_fast_step_ready(s));
    *t = kept, t->def.within = 1e3;
    assert_false(wi_fast_step_ready(s));
    *t = kept, t->def.form = WIT_FORM_PAPERS;
    assert_false(wi_fast_step_ready(s));
    *t = kept, t->history = TRACK_HISTORY - 1;
    assert_false(wi_fast_step_ready(s));
    for (int i = 0; i < 2; i++) {
        *t = kept, t->at[i].kind = WIT_EDGE, t->at[i].id = 0;
        assert_false(wi_fast_step_ready(s));
    }
    *t = kept, s->outcome = WIT_OUTCOME_OPEN;
    assert_false(wi_fast_step_ready(s));
    s->outcome = WIT_OUTCOME_CONVERGED, s->held = 1;
    assert_false(wi_fast_step_ready(s));
    s->held = 0;
    assert_true(wi_fast_step_ready(s));
    test_free(s);
    ended(&twin, body);
}

static void unequal_steps_go_the_long_way(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body[2];
    twins t = started(body, &all);
    wit_result out;
    double now = 0.3 + 1e-3 * RUN_UP;
    const double dt[5] = {1.5e-3, 1e-3, 1e-3, 1e-3,
                          1e-3}; /* the odd one leaves the history of two steps after two more */
    for (int k = 0; k < 5; k++) {
        now += dt[k];
        wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(vec3(1.75, now, 0.2));
        twins_step(&t, &a, &b, dt[k], &out);
        assert_int_equal(twins_were_fast(), k > 2);
    }
    twin_tally_check(&all);
    ended(&t, body);
}

static void bad_motions_are_refused_by_a_tracker_that_is_ready(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body[2];
    twins t = started(body, &all);
    wit_motion good = wit_motion_at_rest(wit_pose_identity()), next = at_place(vec3(1.75, 0.306, 0.2));
    next.twist_known = true;
    wit_result out;
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 5; k++) {
            wit_motion m[2] = {good, next};
            wit_motion* bad = &m[which];
            if (k == 0) bad->pose.rotation.w = 1.01;
            if (k == 1) bad->pose.position.y = 1e300;
            if (k == 2) bad->pose.position.z = NAN;
            if (k == 3) bad->twist.velocity.x = INFINITY;
            if (k == 4) bad->twist.angular.x = NAN;
            assert_int_not_equal(wit_tracker_step(t.one, &m[0], &m[1], 1e-3, &out), WIT_OK);
        }
    twins_step(&t, &good, &next, 1e-3, &out);
    assert_true(twins_were_fast());
    twin_tally_check(&all);
    /* both too far off, and as they were to each other */
    next = at_place(vec3(1.75, 0.307, 0.2)), next.twist_known = true;
    good.pose.position.x += (2 * WIT_MAX_COORDINATE), next.pose.position.x += (2 * WIT_MAX_COORDINATE);
    assert_int_not_equal(wit_tracker_step(t.one, &good, &next, 1e-3, &out), WIT_OK);
    ended(&t, body);
}

/* A point that follows a circle about the axis z of a body, at a height; is any step a usual one? */
static bool circles_fast(const wit_body* body, double radius, double height)
{
    twin_tally all = {0};
    wit_track_def def = portable();
    twins t = twins_make(body, NULL, &def, "circle", &all);
    wit_result out;
    for (int k = 0; k < 40; k++) {
        double turn = 0.5 + 1e-4 * k;
        wit_motion a = at_place(vec3(0, 0, 0)), b = at_place(vec3(radius * cos(turn), radius * sin(turn), height));
        twins_step(&t, &a, &b, 1e-3, &out);
    }
    twin_tally_check(&all);
    twins_drop(&t);
    return all.fast > 0;
}

static wit_body* solid_of(wit_solid_kind kind)
{
    wit_solid_def d = wit_solid_default_def(kind);
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static void poles_go_the_long_way(void** state)
{
    (void)state;
    wit_body* ball = track_ellipsoid(vec3(1, 0.9, 0.8), false);
    assert_true(circles_fast(ball, 1.5, 0.3));
    assert_true(circles_fast(ball, 0.3, 1.2));
    assert_false(circles_fast(ball, 0.05, 1.2)); /* less than 0.03 of the range from the pole */
    wit_body_destroy(ball);
}

static void unbounded_faces_go_the_long_way(void** state)
{
    (void)state;
    wit_body* half = solid_of(WIT_SOLID_HALF_SPACE);
    assert_false(circles_fast(half, 1, 1));
    wit_body_destroy(half);
}

/* A surface of revolution whose profile is made of several polynomials has no cells that a hint tells. */
static void surfaces_in_pieces_go_the_long_way(void** state)
{
    (void)state;
    const double knots[8] = {0, 0, 0, 1, 2, 3, 3, 3},
                 points[15] = {1, 0, -1, 1.3, 0, -0.5, 1, 0, 0, 1.3, 0, 0.5, 1, 0, 1};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 2, c.count = 5, c.knot_count = 8;
    c.knots = knots, c.points = points;
    wit_curve* profile = curve_made(&c);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    wit_body* body = track_body_of(&d, WIT_BODY_SHEET2);
    assert_false(circles_fast(body, 2, 0.1));
    wit_body_destroy(body);
    wit_curve_destroy(profile);
}

/* Solids whose normals look the same way at the pair: the way between them leads through material. A ball deep in a larger
 * one, as if the wall that it is nearest to had been followed. */
static void faces_that_look_the_same_way_are_no_pair(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body *a = track_ellipsoid(vec3(0.3, 0.3, 0.3), false), *b = track_ellipsoid(vec3(1, 1, 1), false);
    wit_track_def def = portable();
    twins t = twins_make(a, b, &def, "inside", &all);
    wit_motion ma = at_place(vec3(0.5 * cos(1.0), 0.5 * sin(1.0), 0)), mb = at_place(vec3(0, 0, 0));
    wit_result out;
    ma.twist_known = mb.twist_known = true;
    wit_tracker_step(t.one, &ma, &mb, 1e-3, &out);
    wit_tracker* s = t.one; /* both at u = 1, v = 0 */
    for (int i = 0; i < 2; i++) {
        s->at[i].kind = WIT_FACE, s->at[i].id = 0;
        s->at[i].x[0] = 1, s->at[i].x[1] = 0;
        for (int h = 0; h < TRACK_HISTORY; h++) s->past[h][i][0] = 1, s->past[h][i][1] = 0;
    }
    for (int h = 0; h < TRACK_HISTORY; h++) s->past_dt[h] = 1e-3;
    s->history = TRACK_HISTORY;
    s->fast_ready = true;
    s->bound = -INFINITY, s->above = s->watch = INFINITY;
    assert_false(wi_fast_step(s, &ma, &mb, 1e-3, &out));
    twins_drop(&t);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

/* ---- the certificate ---------------------------------------------------------------------------- */

static void a_bound_on_the_wrong_side_proves_nothing(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body[2];
    twins t = started(body, &all);
    double low = 2, near = 1 - 1e-12;
    assert_false(bound_proves(t.one, 1, 0, &low, 3));
    assert_true(bound_proves(t.one, 1, 0, &near, 3));
    assert_false(bound_proves(t.one, 1, 0, &near, 0.5));
    double slack = 1 + 1e-12;
    assert_true(bound_proves(t.one, 1, 0, &slack, 3));
    assert_true(slack == 1); /* brought down to the distance */
    double exact = 1;        /* but the distance itself may be off by more */
    assert_false(bound_proves(t.one, 1, 2 * t.one->def.certify * t.one->size, &exact, 3));
    ended(&t, body);
}

static void a_bound_far_below_is_given_up(void** state)
{
    (void)state;
    twin_tally all = {0};
    wit_body* body[2];
    twins t = started(body, &all);
    double size = t.one->size;
    assert_true(bound_kept(t.one, -3.9 * (size + 1), 1) == -3.9 * (size + 1));
    assert_true(bound_kept(t.one, -4.1 * (size + 1), 1) == -INFINITY);
    ended(&t, body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_knot_between_guess_and_foot_is_seen),
        cmocka_unit_test(touch_to_the_last_digit_agrees),
        cmocka_unit_test(coarse_steps_at_touch_agree),
        cmocka_unit_test(feet_past_a_centre_of_curvature_agree),
        cmocka_unit_test(a_pair_ends_where_a_witness_leaves_the_other_body),
        cmocka_unit_test(far_guesses_take_another_look),
        cmocka_unit_test(the_back_of_a_sheet_is_usual),
        cmocka_unit_test(only_plain_states_are_ready),
        cmocka_unit_test(unequal_steps_go_the_long_way),
        cmocka_unit_test(bad_motions_are_refused_by_a_tracker_that_is_ready),
        cmocka_unit_test(poles_go_the_long_way),
        cmocka_unit_test(unbounded_faces_go_the_long_way),
        cmocka_unit_test(surfaces_in_pieces_go_the_long_way),
        cmocka_unit_test(faces_that_look_the_same_way_are_no_pair),
        cmocka_unit_test(a_bound_on_the_wrong_side_proves_nothing),
        cmocka_unit_test(a_bound_far_below_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
