/* SPDX-License-Identifier: MIT */
/* Regions of the plane cut by curves: numbers of faces, areas, holes, loose ends. */
#include "analytic.h"
#include "campaign.h"
#include "../src/body/check/arrangement.h"

#define NEAR 2e-9

typedef struct scene {
    arrangement a;
    wit_curve* made[256];
    int count;
} scene;

static void scene_begin(scene* s)
{
    double width[2] = {1, 1};
    s->count = 0;
    wi_arrangement_begin(&s->a, width, NEAR, NULL);
}

static void scene_end(scene* s)
{
    wi_arrangement_end(&s->a);
    for (int i = 0; i < s->count; ++i) wit_curve_destroy(s->made[i]);
}

static const wit_curve* keep(scene* s, const wit_curve_def* def)
{
    assert_true(s->count < 256);
    return s->made[s->count++] = curve_made(def);
}

static void add_curve(scene* s, const wit_curve* c, bool border)
{
    arrangement_curve x = {.s = {c, 0, 1, {0, 0}, c->range.lo, c->range.hi}, .border = border, .node = {-1, -1}};
    assert_true(wi_arrangement_add(&s->a, &x) >= 0);
}

static void add_segment(scene* s, double x0, double y0, double x1, double y1, bool border)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = vec3(x0, y0, 0);
    d.frame.x = vec3(x1 - x0, y1 - y0, 0);
    d.range = iv(0, sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)));
    add_curve(s, keep(s, &d), border);
}

static void add_circle(scene* s, double x, double y, double r, bool border)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.frame.origin = vec3(x, y, 0);
    d.radius = r;
    add_curve(s, keep(s, &d), border);
}

static void add_square(scene* s)
{
    add_segment(s, 0, 0, 1, 0, true);
    add_segment(s, 1, 0, 1, 1, true);
    add_segment(s, 1, 1, 0, 1, true);
    add_segment(s, 0, 1, 0, 0, true);
}

static bool in_square(const double p[2], void* user)
{
    (void)user;
    return p[0] > 0 && p[0] < 1 && p[1] > 0 && p[1] < 1;
}

/* Areas of the faces, holes taken off; their sum is that of the square. */
static void solve(scene* s, int faces, double area[])
{
    assert_int_equal(wi_arrangement_cross(&s->a), WIT_OK);
    assert_int_equal(wi_arrangement_build(&s->a, in_square, NULL), WIT_OK);
    assert_false(s->a.doubtful);
    assert_int_equal(s->a.faces, faces);
    double sum = 0;
    for (int i = 0; i < faces; ++i) area[i] = 0;
    for (int i = 0; i < s->a.loops.count; ++i) {
        const arrangement_loop* l = arrangement_loop_at(&s->a, i);
        area[l->face] += l->area;
        sum += l->area;
    }
    near1(sum, 1, 1e-12, "sum of the areas"); /* 5 Gauss points on 16 parts of a circle: 1e-14 */
}

static void square_cut_by_a_cross_is_four_faces(void** state)
{
    (void)state;
    scene s;
    double area[8];
    scene_begin(&s);
    add_square(&s);
    add_segment(&s, -0.1, 0.25, 1.2, 0.25, false); /* overshoots both sides */
    add_segment(&s, 0.5, 0, 0.5, 1, false);        /* ends on the border */
    solve(&s, 4, area);
    for (int i = 0; i < 4; ++i) assert_true(fabs(area[i] - 0.125) < 1e-12 || fabs(area[i] - 0.375) < 1e-12);
    assert_int_equal(s.a.loose, 0);
    scene_end(&s);
}

static void closed_cut_inside_makes_a_disc_and_a_hole(void** state)
{
    (void)state;
    scene s;
    double area[4], disc = PI * 0.04;
    scene_begin(&s);
    add_square(&s);
    add_circle(&s, 0.4, 0.45, 0.2, false);
    solve(&s, 2, area);
    assert_int_equal(s.a.loops.count, 3);
    near1(fmin(area[0], area[1]), disc, 1e-12, "disc");
    scene_end(&s);
}

/* Rings inside rings: each hole belongs to the next larger loop. */
static void nested_rings_and_side_by_side_ones_go_to_their_own_faces(void** state)
{
    (void)state;
    scene s;
    double area[8];
    scene_begin(&s);
    add_square(&s);
    add_circle(&s, 0.3, 0.3, 0.25, false);
    add_circle(&s, 0.3, 0.3, 0.1, false);
    add_circle(&s, 0.2, 0.45, 0.03, false);
    add_circle(&s, 0.8, 0.8, 0.1, false);
    solve(&s, 5, area);
    double want[5] = {1 - PI * (0.0625 + 0.01), PI * (0.0625 - 0.01 - 0.0009), PI * 0.01, PI * 0.0009, PI * 0.01};
    for (int i = 0; i < 5; ++i) {
        double best = 1;
        for (int k = 0; k < 5; ++k) best = fmin(best, fabs(area[i] - want[k]));
        assert_true(best < 1e-12);
    }
    scene_end(&s);
}

static void cut_along_the_border_or_another_cut_adds_nothing(void** state)
{
    (void)state;
    scene s;
    double area[8];
    scene_begin(&s);
    add_square(&s);
    add_segment(&s, 0.2, 0, 0.8, 0, false); /* on the border */
    add_segment(&s, 0.5, 0, 0.5, 1, false);
    add_segment(&s, 0.5, 0.3, 0.5, 2, false); /* on the cut, and beyond */
    solve(&s, 2, area);
    near1(area[0], 0.5, 1e-12, "half");
    scene_end(&s);
}

static void loose_ends_are_left_out(void** state)
{
    (void)state;
    scene s;
    double area[8];
    scene_begin(&s);
    add_square(&s);
    add_segment(&s, 0.5, 0, 0.5, 0.6, false); /* ends inside */
    add_segment(&s, 0, 0.25, 1, 0.25, false);
    add_segment(&s, 0.7, 0.7, 0.9, 0.8, false); /* touches nothing */
    solve(&s, 3, area);                         /* the stump below the line is a cut, the one above is not */
    assert_true(s.a.loose >= 2);
    scene_end(&s);
}

/* A circle that touches a line and one that touches the border: order around a tangential node. */
static void tangential_meetings_are_sorted_right(void** state)
{
    (void)state;
    scene s;
    double area[8];
    scene_begin(&s);
    add_square(&s);
    add_segment(&s, 0, 0.5, 1, 0.5, false);
    add_circle(&s, 0.5, 0.7, 0.2, false);    /* touches the line from above */
    add_circle(&s, 0.25, 0.25, 0.25, false); /* touches the line, the bottom and the left border */
    solve(&s, 6, area);
    int small = 0, large = 0, middle = 0;
    for (int i = 0; i < 6; ++i) {
        small += fabs(area[i] - PI * 0.04) < 1e-9;
        middle += fabs(area[i] - PI * 0.0625) < 1e-9;
        large += fabs(area[i] - (0.5 - PI * 0.04)) < 1e-9;
    }
    assert_int_equal(small, 1);
    assert_int_equal(middle, 1);
    assert_int_equal(large, 1);
    scene_end(&s);
}

/* n chords in general position with x crossings inside make 1 + n + x faces. */
static void random_chords_make_as_many_faces_as_euler_says(void** state)
{
    (void)state;
    rng r = rng_seed(11);
    for (long trial = 0; trial < campaign(300); ++trial) {
        scene s;
        double area[400], p[12][4];
        int n = 1 + rng_int(&r, 12), crossings = 0;
        scene_begin(&s);
        add_square(&s);
        for (int i = 0; i < n; ++i) {
            bool upright = rng_int(&r, 2);
            double a = rng_range(&r, 0.01, 0.99);
            double b = rng_range(&r, 0.01, 0.99);
            double chord[4] = {upright ? a : 0, upright ? 0 : a, upright ? b : 1, upright ? 1 : b};
            memcpy(p[i], chord, sizeof chord);
            add_segment(&s, chord[0], chord[1], chord[2], chord[3], false);
            for (int j = 0; j < i; ++j) {
                double ax = p[i][2] - p[i][0], ay = p[i][3] - p[i][1], bx = p[j][2] - p[j][0], by = p[j][3] - p[j][1];
                double det = ax * by - ay * bx, cx = p[j][0] - p[i][0], cy = p[j][1] - p[i][1];
                double t = (cx * by - cy * bx) / det, q = (cx * ay - cy * ax) / det;
                crossings += t > 0 && t < 1 && q > 0 && q < 1;
            }
        }
        solve(&s, 1 + n + crossings, area);
        for (int i = 0; i < s.a.faces; ++i) assert_true(area[i] > 0);
        scene_end(&s);
    }
}

/* Circle and circle: the two points where they meet, in closed form. */
static void circles_cross_where_the_closed_form_says(void** state)
{
    (void)state;
    rng r = rng_seed(12);
    double width[2] = {1, 1};
    for (long trial = 0; trial < campaign(2000); ++trial) {
        scene s;
        scene_begin(&s);
        double d = rng_range(&r, 0.05, 1);
        double ra = rng_range(&r, 0.1, 0.6);
        double rb = rng_range(&r, 0.1, 0.6);
        double angle = rng_range(&r, 0, 6);
        add_circle(&s, 0, 0, ra, false);
        add_circle(&s, d * cos(angle), d * sin(angle), rb, false);
        bool meet = d < ra + rb && d > fabs(ra - rb),
             doubt = fabs(d - ra - rb) < 1e-6 || fabs(d - fabs(ra - rb)) < 1e-6;
        uv_hits hits;
        wi_uv_curve_cross(&arrangement_curve_at(&s.a, 0)->s, &arrangement_curve_at(&s.a, 1)->s, width, NEAR, &hits);
        assert_false(hits.overflow);
        if (!doubt) {
            assert_int_equal(hits.count, meet ? 2 : 0);
            for (int i = 0; i < hits.count; ++i) {
                double p[2], q[2];
                wi_uv_curve_point(&arrangement_curve_at(&s.a, 0)->s, hits.at[i].t[0], p);
                wi_uv_curve_point(&arrangement_curve_at(&s.a, 1)->s, hits.at[i].t[1], q);
                near1(p[0], q[0], 2 * NEAR, "x");
                near1(p[1], q[1], 2 * NEAR, "y");
                double along = p[0] * cos(angle) + p[1] * sin(angle);
                near1(along, (d * d + ra * ra - rb * rb) / (2 * d), 1e-8, "radical line");
            }
        }
        scene_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(square_cut_by_a_cross_is_four_faces),
        cmocka_unit_test(closed_cut_inside_makes_a_disc_and_a_hole),
        cmocka_unit_test(nested_rings_and_side_by_side_ones_go_to_their_own_faces),
        cmocka_unit_test(cut_along_the_border_or_another_cut_adds_nothing),
        cmocka_unit_test(loose_ends_are_left_out),
        cmocka_unit_test(tangential_meetings_are_sorted_right),
        cmocka_unit_test(random_chords_make_as_many_faces_as_euler_says),
        cmocka_unit_test(circles_cross_where_the_closed_form_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
