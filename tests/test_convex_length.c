/* SPDX-License-Identifier: MIT */
/*
 * Convexity as a length. The judges share no code with it: places of faces and points of the body are tried against each other;
 * for tops made of strips the truth is known in long double.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <stdio.h>

#include "../include/witness/io.h"
#include "../include/witness/witness.h"
#include "../src/body/body_record.h"
#include "../src/body/meeting.h"
#include "campaign.h"
#include "nearly_convex.h"
#include "placing.h"

/* ---- the attack ------------------------------------------------------------------------------- */

enum { PLACES = 200, POINTS = 1500 };

typedef struct attack {
    int places, points;
    wit_vec3 p[PLACES], n[PLACES], x[POINTS];
} attack;

static void add_point(rng* r, attack* a, wit_vec3 x)
{
    int i = a->points < POINTS ? a->points++ : rng_int(r, POINTS);
    a->x[i] = x;
}

static void add_place(rng* r, attack* a, wit_vec3 p, wit_vec3 n)
{
    int i = a->places < PLACES ? a->places++ : rng_int(r, PLACES);
    a->p[i] = p;
    a->n[i] = n;
}

static void gather_face(rng* r, const wit_body* b, const tree_node* leaf, attack* a)
{
    for (int k = 0; k < 6; ++k) {
        double u = rng_range(r, leaf->u.lo, leaf->u.hi);
        double v = rng_range(r, leaf->v.lo, leaf->v.hi);
        wit_surface_jet j;
        wit_vec3 n;
        if (leaf->tag != TRIM_IN && !wit_body_face_contains(b, leaf->feature, u, v)) continue;
        wit_surface_eval(body_surface(b, leaf->feature), u, v, 0, NULL, &j);
        add_point(r, a, j.p);
        if (!wit_surface_normal(body_surface(b, leaf->feature), u, v, &n)) continue;
        add_place(r, a, j.p, scale3(body_faces(b)[leaf->feature].reversed ? -1 : 1, n));
    }
}

static void gather_edge(rng* r, const wit_body* b, const tree_node* leaf, attack* a)
{
    for (int k = 0; k < 3; ++k) {
        wit_curve_jet j;
        wit_curve_eval(body_curve(b, leaf->feature), rng_range(r, leaf->u.lo, leaf->u.hi), 0, NULL, &j);
        add_point(r, a, j.p);
        if (b->planar) add_place(r, a, j.p, planar_outward(b, edge_uses(b, leaf->feature)[0], j.d1));
    }
}

/* The largest n.(x - p) that was found: convex_within is no less. */
static double attacked(rng* r, const wit_body* b)
{
    static attack a;
    a.places = a.points = 0;
    for (int i = 0; i < b->vertex_count; ++i) add_point(r, &a, body_vertices(b)[i].point);
    for (int i = 0; i < b->node_count; ++i) {
        const tree_node* n = &body_nodes(b)[i];
        if (n->child[0] >= 0) continue;
        if (n->kind == WIT_EDGE) gather_edge(r, b, n, &a);
        if (n->kind == WIT_FACE && !b->planar) gather_face(r, b, n, &a);
    }
    double most = 0;
    for (int i = 0; i < a.places; ++i)
        for (int k = 0; k < a.points; ++k) most = fmax(most, dot3(a.n[i], sub3(a.x[k], a.p[i])));
    return most;
}

/* What the check says of it; of bodies with many faces, whose check takes its time, from where the check has it. */
static double within_of(const wit_body* b)
{
    double within = b->facts.convex_within;
    if (b->face_count > 20 || b->edge_count > 20) return within;
    wit_body_check_result c = wit_body_check(b);
    assert_true(c.convex_proved == (c.convex_within < INFINITY) && c.convex_within == within);
    return within;
}

/* The length holds at all places that are tried. Returns it. */
static double held(rng* r, const wit_body* b)
{
    double within = within_of(b), found = attacked(r, b);
    if (!(found <= within + 1e-14 * b->size))
        print_error("%d faces: %.3g found, %.3g is said\n", b->face_count, found, within);
    assert_true(found <= within + 1e-14 * b->size);
    return within;
}

/* ---- what is convex --------------------------------------------------------------------------- */

static void ready_made_solids_are_convex_to_rounding(void** state)
{
    (void)state;
    rng r = rng_seed(1501);
    static const wit_solid_kind kinds[] = {WIT_SOLID_BOX,  WIT_SOLID_SPHERE,  WIT_SOLID_ELLIPSOID, WIT_SOLID_CYLINDER,
                                           WIT_SOLID_CONE, WIT_SOLID_FRUSTUM, WIT_SOLID_CAPSULE};
    for (long k = 0; k < campaign(1000); ++k) {
        wit_solid_def d = wit_solid_default_def(kinds[k % 7]);
        double scale = pow(10, rng_range(&r, -3, 3));
        d.frame = random_frame(&r, scale);
        d.size_x = scale * rng_range(&r, 0.1, 1);
        d.size_y = scale * rng_range(&r, 0.1, 1);
        d.size_z = scale * rng_range(&r, 0.1, 1);
        d.radius = scale * rng_range(&r, 0.1, 1);
        d.radius2 = scale * rng_range(&r, 0.1, 1);
        d.height = scale * rng_range(&r, 0.1, 1);
        wit_body* b = wit_solid_create(&d, NULL, NULL);
        assert_non_null(b);
        double within = held(&r, b);
        assert_true(within <= 3e-12 * b->size && b->facts.hull_within <= 1e-10 * b->size);
        wit_body_destroy(b);
    }
}

static void models_that_are_convex_are_proved_to_be(void** state)
{
    (void)state;
    static const char* const names[] = {"ball", "box", "capsule", "cone",       "cylinder",  "ellipsoid", "frustum",
                                        "peg",  "pen", "sphere",  "prism-dome", "three-arc", "three-ball"};
    rng r = rng_seed(1502);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k) {
        char path[64];
        snprintf(path, sizeof path, "models/%s.json", names[k]);
        wit_model* m = wit_model_read_file(path, NULL, NULL);
        assert_non_null(m);
        const wit_body* b = wit_model_body(m, 0);
        assert_true(held(&r, b) <= 1e-9 * b->size);
        wit_model_destroy(m);
    }
}

/* Two tetrahedra that touch in a vertex: every edge is convex, all faces are flat, and there is one part. */
static void bodies_that_touch_in_a_vertex_are_not_convex(void** state)
{
    (void)state;
    wit_vertex_def vertices[7] = {{0}};
    wit_edge_def edges[12] = {{0}};
    wit_use_def uses[8][3] = {{{0}}};
    wit_loop_def loops[8];
    wit_face_def faces[8] = {{0}};
    wit_curve* lines[12];
    wit_surface* planes[8];
    int count = 0;
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}};
    for (int k = 1; k < 7; ++k) {
        double s = k < 4 ? 1 : -1;
        vertices[k].point = vec3(s * (k % 3 == 0), s * (k % 3 == 1), s * (k % 3 == 2));
    }
    for (int part = 0; part < 2; ++part) {
        int v[4] = {0, 3 * part + 1, 3 * part + 2, 3 * part + 3};
        for (int i = 0; i < 6; ++i, ++count) {
            wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
            edges[count].start = v[ends[i][0]];
            edges[count].end = v[ends[i][1]];
            c.frame.origin = vertices[edges[count].start].point;
            c.frame.x = sub3(vertices[edges[count].end].point, c.frame.origin);
            c.range.hi = norm3(c.frame.x);
            edges[count].curve = lines[count] = wit_curve_create(&c, NULL, NULL);
            assert_non_null(lines[count]);
        }
        static const int rims[4][3][2] = {/* edge, reversed: anticlockwise from outside or from inside */
                                          {{0, 0}, {3, 0}, {1, 1}},
                                          {{1, 0}, {4, 0}, {2, 1}},
                                          {{2, 0}, {5, 0}, {0, 1}},
                                          {{3, 1}, {5, 1}, {4, 1}}};
        wit_vec3 middle = scale3(0.25, add3(vertices[v[1]].point, add3(vertices[v[2]].point, vertices[v[3]].point)));
        for (int f = 0; f < 4; ++f) {
            int id = 4 * part + f;
            wit_vec3 p[3];
            for (int i = 0; i < 3; ++i) {
                int e = 6 * part + rims[f][i][0];
                uses[id][i].edge = e;
                uses[id][i].reversed = rims[f][i][1];
                p[i] = vertices[rims[f][i][1] ? edges[e].end : edges[e].start].point;
            }
            wit_surface_def s = wit_surface_default_def(WIT_SURFACE_PLANE);
            s.frame.origin = p[0];
            s.frame.x = sub3(p[1], p[0]);
            s.frame.z = cross3(s.frame.x, sub3(p[2], p[0]));
            s.range_u = s.range_v = (wit_interval){-3, 3};
            planes[id] = wit_surface_create(&s, NULL, NULL);
            assert_non_null(planes[id]);
            loops[id] = (wit_loop_def){3, uses[id]};
            faces[id] = (wit_face_def){.surface = planes[id], .loop_count = 1, .loops = &loops[id]};
            faces[id].reversed = dot3(s.frame.z, sub3(p[0], middle)) < 0;
        }
    }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    wit_error e = {0};
    d.vertex_count = 7, d.edge_count = 12, d.face_count = 8;
    d.vertices = vertices, d.edges = edges, d.faces = faces;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s %s\n", e.item, e.text);
    assert_non_null(b);
    rng r = rng_seed(1503);
    assert_true(attacked(&r, b) > 0.5 && !(within_of(b) < INFINITY));
    wit_body_destroy(b);
    for (int i = 0; i < 12; ++i) wit_curve_destroy(lines[i]);
    for (int i = 0; i < 8; ++i) wit_surface_destroy(planes[i]);
}

/* ---- strips and rings ------------------------------------------------------------------------- */

static int some_count(rng* r)
{
    return 2 + (int)pow(10, rng_range(r, 0, 2.9));
}

static double some_turn(rng* r)
{
    return pow(10, rng_range(r, -12, -7.01));
}

/* n.(x - p) over all pairs of strips and corners of the top, in long double. */
static long double strips_truth(const nearly_top* t)
{
    long double most = 0;
    for (int i = 0; i < t->count; ++i) {
        long double dx = (long double)top_x(t, i + 1) - top_x(t, i), dy = (long double)t->y[i + 1] - t->y[i];
        long double length = sqrtl(dx * dx + dy * dy), nx = -dy / length, ny = dx / length;
        for (int k = 0; k <= t->count; ++k) {
            long double d = nx * ((long double)top_x(t, k) - top_x(t, i)) + ny * ((long double)t->y[k] - t->y[i]);
            if (d > most) most = d;
        }
    }
    return most;
}

static void the_length_of_strips_is_the_sum_of_their_turns(void** state)
{
    (void)state;
    static nearly_top top;
    rng r = rng_seed(1504);
    for (long k = 0; k < campaign(500); ++k) {
        int count = some_count(&r);
        double turn = some_turn(&r);
        nearly_top_make(&r, (nearly_kind)(k % 3), count, turn, &top);
        double truth = (double)strips_truth(&top);
        wit_body* b = nearly_prism(&top);
        double within = held(&r, b);
        assert_true(within >= truth * (1 - 1e-9) - 1e-16 && within <= truth * (1 + 1e-9) + 1e-13);
        wit_body_destroy(b);
        b = nearly_region(&top);
        within = held(&r, b);
        assert_true(within >= truth * (1 - 1e-9) - 1e-16 && within <= 10 * count * turn + 1e-11);
        wit_body_destroy(b);
    }
}

/* Domes of rings are convex; bowls of rings are hollow along their parallels, and rough ones somewhere. */
static void rings_are_as_convex_as_is_said(void** state)
{
    (void)state;
    static nearly_top top;
    rng r = rng_seed(1505);
    int proved = 0, tried = 0;
    for (long k = 0; k < campaign(300); ++k) {
        int count = 2 + rng_int(&r, 40);
        nearly_top_make(&r, (nearly_kind)(k % 3), count, some_turn(&r), &top);
        wit_body* b = nearly_rings(&top);
        double within = held(&r, b);
        if (k % 3 == NEARLY_DOME) assert_true(within <= 1e-9);
        proved += within < INFINITY;
        tried++;
        wit_body_destroy(b);
    }
    print_message("rings: %d of %d proved\n", proved, tried);
}

static void cushions_of_splines_are_as_convex_as_is_said(void** state)
{
    (void)state;
    rng r = rng_seed(1506);
    int proved = 0, exact = 0, tried = 0;
    for (long k = 0; k < campaign(300); ++k) {
        int n = 1 + rng_int(&r, 5);
        double turn_x[CUSHION_MOST], turn_y[CUSHION_MOST], most = 0;
        double size = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-9 : pow(10, rng_range(&r, -8, -7.1));
        for (int i = 0; i < n; ++i) {
            turn_x[i] = rng_range(&r, -size, size);
            turn_y[i] = rng_range(&r, -size, size);
            most += fabs(turn_x[i]) + fabs(turn_y[i]);
        }
        wit_body* b = nearly_cushion(n, rng_range(&r, 0.2, 1), turn_x, turn_y);
        double within = held(&r, b);
        proved += within < INFINITY;
        exact += within <= 100 * n * most + 1e-9;
        tried++;
        wit_body_destroy(b);
    }
    print_message("cushions: %d of %d proved, %d to what counts\n", proved, tried, exact);
    assert_true(proved == tried && exact == tried);
}

/* ---- what rests on it ------------------------------------------------------------------------- */

/* Over x0 to x1 the top reaches as high as this. */
static double top_over(const nearly_top* t, double x0, double x1)
{
    double most = -INFINITY;
    for (int i = 0; i <= t->count; ++i) {
        double x = top_x(t, i);
        if (x >= x0 && x <= x1) most = fmax(most, t->y[i]);
        if (i == t->count) break;
        double next = top_x(t, i + 1), ends[2] = {x0, x1};
        for (int k = 0; k < 2; ++k)
            if (ends[k] >= x && ends[k] <= next)
                most = fmax(most, t->y[i] + (t->y[i + 1] - t->y[i]) * (ends[k] - x) / (next - x));
    }
    return most;
}

/* A small box is pressed into the top: straight up is a way out that the bracket must not exclude. */
static void depths_in_a_bowl_are_not_those_of_its_hull(void** state)
{
    (void)state;
    static nearly_top top;
    rng r = rng_seed(1507);
    int certified = 0;
    for (long k = 0; k < campaign(300); ++k) {
        int count = some_count(&r);
        double turn = some_turn(&r);
        nearly_top_make(&r, (nearly_kind)(k % 3), count, turn, &top);
        wit_body* b = nearly_prism(&top);
        wit_solid_def s = wit_solid_default_def(k & 1 ? WIT_SOLID_BOX : WIT_SOLID_SPHERE);
        s.size_x = s.size_y = s.size_z = 0.04;
        s.radius = 0.02;
        wit_body* small = wit_solid_create(&s, NULL, NULL);
        assert_non_null(small);
        double x = rng_range(&r, 0.2, 0.8), depth = rng_range(&r, 1e-4, 5e-3);
        double over = top_over(&top, x - 0.02, x + 0.02);
        wit_query_def qd = wit_query_default_def();
        qd.rigorous = k / 2 % 2;
        wit_query* q = wit_query_create(&qd, NULL, NULL);
        wit_placed pa = wit_placed_at(b, at(0, 0, 0)), pb = wit_placed_at(small, at(x, over + 0.02 - depth, 0.5));
        wit_closest c;
        assert_int_equal(wit_closest_pair(q, &pa, &pb, &c), WIT_OK);
        /* up by depth they are apart, or touch */
        assert_true(c.upper_bound >= -depth * (1 + 1e-12) - 1e-15);
        if (c.certified) assert_true(c.distance >= -depth - qd.tolerance * 1.8);
        certified += c.certified;
        wit_query_destroy(q);
        wit_body_destroy(small);
        wit_body_destroy(b);
    }
    print_message("depths: %d of %ld certified\n", certified, campaign(300));
    assert_true(certified > 0);
}

/* From the point (x, y), above the top, to it. */
static long double top_distance(const nearly_top* t, double x, double y)
{
    long double best = INFINITY;
    for (int i = 0; i < t->count; ++i) {
        long double ax = top_x(t, i), ay = t->y[i], dx = top_x(t, i + 1) - ax, dy = t->y[i + 1] - ay;
        long double s = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy);
        s = s < 0 ? 0 : s > 1 ? 1 : s;
        long double ex = x - ax - s * dx, ey = y - ay - s * dy, d = sqrtl(ex * ex + ey * ey);
        if (d < best) best = d;
    }
    return best;
}

/* A point rises above the top, beyond the centre of curvature of the bowl: the rim becomes closer than the strip below. */
static void certified_distances_above_a_bowl_are_right(void** state)
{
    (void)state;
    static nearly_top top;
    rng r = rng_seed(1508);
    int frames = 0, certified = 0;
    for (long k = 0; k < campaign(60); ++k) {
        int count = k ? 2 * (some_count(&r) / 2) + 1 : 4001;
        double turn = k ? 0.99e-7 * rng_range(&r, 0.5, 1) : 0.9e-7, radius = 1 / (turn * count);
        nearly_top_make(&r, k % 3 == 2 ? NEARLY_ROUGH : NEARLY_BOWL, count, turn, &top);
        wit_body* b = nearly_prism(&top);
        wit_track_def d = wit_track_default_def();
        if (k % 2 == 0) d.certify = 1e-9;
        wit_tracker* t = wit_tracker_create(b, NULL, &d, NULL, NULL);
        assert_non_null(t);
        wit_motion still = wit_motion_at_rest(wit_pose_identity()), m = still;
        double x = k ? rng_range(&r, 0.3, 0.7) : 0.5;
        for (double h = 0.1; h < fmin(1e6, 4 * radius); h *= 1.05) {
            wit_result o;
            m.pose.position = vec3(x, h, 0.5);
            m.twist.velocity = vec3(0, 0.05 * h / 1e-3, 0);
            assert_int_equal(wit_tracker_step(t, &still, &m, 1e-3, &o), WIT_OK);
            double truth = (double)top_distance(&top, x, h), slack = d.certify * fmax(truth, 1.8);
            frames++;
            assert_true(o.lower_bound <= truth + 1e-13 * (1 + truth) + slack);
            if (!(o.flags & WIT_FLAG_CERTIFIED)) continue;
            certified++;
            assert_true(fabs(o.distance - truth) <= slack * (1 + 1e-9));
        }
        wit_tracker_destroy(t);
        wit_body_destroy(b);
    }
    print_message("above bowls: %d of %d frames certified\n", certified, frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ready_made_solids_are_convex_to_rounding),
        cmocka_unit_test(models_that_are_convex_are_proved_to_be),
        cmocka_unit_test(bodies_that_touch_in_a_vertex_are_not_convex),
        cmocka_unit_test(the_length_of_strips_is_the_sum_of_their_turns),
        cmocka_unit_test(rings_are_as_convex_as_is_said),
        cmocka_unit_test(cushions_of_splines_are_as_convex_as_is_said),
        cmocka_unit_test(depths_in_a_bowl_are_not_those_of_its_hull),
        cmocka_unit_test(certified_distances_above_a_bowl_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
