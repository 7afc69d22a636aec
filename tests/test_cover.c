/* SPDX-License-Identifier: MIT */
/*
 * The depth of solids with reflex edges. The judge cuts the convex parts of an L by its own lines through the reflex corner, turned in
 * steps that hold those of the stored pieces, and finds the depth of each in a box by trying every normal of a face and
 * every product of two edges: of polytopes that is all there is. Its largest is at least the answer, and within its bracket.
 * A plate with a square hole, as a body of faces, is judged the same way.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../include/witness/query.h"
#include "analytic.h"
#include "campaign.h"
#include "overlap_truth.h"

enum { CORNERS = 12, TURNS = 96 };

/* ---- polytopes: prisms over convex polygons ------------------------------------------------------- */

typedef struct prism {
    int count;
    double x[CORNERS], y[CORNERS], height;
} prism;

static double support(const prism* p, wit_vec3 n)
{
    double most = -INFINITY;
    for (int i = 0; i < p->count; ++i) most = fmax(most, n.x * p->x[i] + n.y * p->y[i] + fmax(0, n.z * p->height));
    return most;
}

/* The part of it where c x + s y <= d. */
static prism cut(const prism* p, double c, double s, double d)
{
    prism r = {.height = p->height};
    for (int i = 0; i < p->count; ++i) {
        int k = (i + 1) % p->count;
        double a = d - c * p->x[i] - s * p->y[i], b = d - c * p->x[k] - s * p->y[k], t = a / (a - b);
        if (a >= 0) r.x[r.count] = p->x[i], r.y[r.count++] = p->y[i];
        if (a * b < 0)
            r.x[r.count] = p->x[i] + t * (p->x[k] - p->x[i]), r.y[r.count++] = p->y[i] + t * (p->y[k] - p->y[i]);
    }
    return r;
}

/* s(n) of a prism that stands still and a box at a pose; the least over both signs. */
static double sum(const prism* p, const double half[3], const wit_pose* at, wit_vec3 n)
{
    double length = norm3(n), least = INFINITY;
    if (!(length > 1e-9)) return INFINITY;
    n = scale3(1 / length, n);
    for (int k = 0; k < 2; ++k, n = scale3(-1, n)) {
        wit_vec3 m = wit_pose_unvector(at, n);
        double h = fabs(m.x) * half[0] + fabs(m.y) * half[1] + fabs(m.z) * half[2];
        least = fmin(least, support(p, n) + h - dot3(n, at->position));
    }
    return least;
}

static double depth_of(const prism* p, const double half[3], const wit_pose* at)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double least = sum(p, half, at, axes[2]);
    for (int k = 0; k < 3; ++k) {
        wit_vec3 e = wit_pose_vector(at, axes[k]);
        least = fmin(least, fmin(sum(p, half, at, e), sum(p, half, at, cross3(axes[2], e))));
        for (int i = 0; i < p->count; ++i) {
            int m = (i + 1) % p->count;
            wit_vec3 side = vec3(p->x[m] - p->x[i], p->y[m] - p->y[i], 0);
            least = fmin(least, fmin(sum(p, half, at, cross3(side, axes[2])), sum(p, half, at, cross3(side, e))));
        }
    }
    return least;
}

/* ---- bodies --------------------------------------------------------------------------------------- */

static wit_body* prism_body(const double* corners, int count, double height)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    wit_error e = {0};
    d.polygon = corners;
    d.polygon_count = count;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s", e.text);
    return b;
}

static wit_body* box_body(const double half[3])
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = 2 * half[0], d.size_y = 2 * half[1], d.size_z = 2 * half[2];
    return wit_solid_create(&d, NULL, NULL);
}

enum { PLATE_VERTICES = 16, PLATE_EDGES = 24, PLATE_FACES = 10 };

/* Corners 0 .. 3 of the outer square, 4 .. 7 of the hole, below; 8 .. 15 above. */
static wit_vec3 plate_corner(int i, double outer, double hole, double height)
{
    static const double x[] = {-1, 1, 1, -1}, y[] = {-1, -1, 1, 1};
    double r = i % 8 < 4 ? outer : hole;
    return vec3(r * x[i % 4], r * y[i % 4], i < 8 ? 0 : height);
}

static wit_surface* plane_at(wit_vec3 o, wit_vec3 x, wit_vec3 z, double reach)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.frame = (wit_frame){o, x, z};
    d.range_u = d.range_v = (wit_interval){-reach, reach};
    return surface_made(&d);
}

/* Edges: side i of a ring of four is i (below), 8 + i (above), upright 16 + i. */
static wit_body* plate_body(double outer, double hole, double height)
{
    wit_vertex_def v[PLATE_VERTICES];
    wit_edge_def e[PLATE_EDGES];
    wit_curve* line[PLATE_EDGES];
    wit_surface* plane[PLATE_FACES];
    wit_use_def uses[PLATE_FACES][8];
    wit_loop_def loops[PLATE_FACES][2];
    wit_face_def f[PLATE_FACES];
    wit_error error = {0};
    for (int i = 0; i < PLATE_VERTICES; ++i) v[i] = (wit_vertex_def){.point = plate_corner(i, outer, hole, height)};
    for (int i = 0; i < PLATE_EDGES; ++i) {
        int ring = i % 8 / 4 * 4 + (i < 16 ? i / 8 * 8 : 0), k = i % 4;
        int from = ring + k, to = i < 16 ? ring + (k + 1) % 4 : ring + k + 8;
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
        wit_vec3 along = sub3(v[to].point, v[from].point);
        d.frame = (wit_frame){v[from].point, unit3(along), fabs(along.z) > 0 ? vec3(1, 0, 0) : vec3(0, 0, 1)};
        d.range = (wit_interval){0, norm3(along)};
        line[i] = curve_made(&d);
        e[i] = (wit_edge_def){.curve = line[i], .start = from, .end = to};
    }
    for (int i = 0; i < PLATE_FACES; ++i) {
        bool lid = i < 2;
        int k = (i - 2) % 4, ring = i < 6 ? 0 : 4;
        f[i] = (wit_face_def){.loop_count = lid ? 2 : 1, .loops = loops[i]};
        for (int m = 0; m < 4; ++m) {
            int other = 3 - m; /* the other way round */
            if (lid) {
                uses[i][m] = (wit_use_def){.edge = (i ? 8 : 0) + (i ? m : other), .reversed = i == 0};
                uses[i][4 + m] = (wit_use_def){.edge = (i ? 12 : 4) + (i ? other : m), .reversed = i == 1};
            }
        }
        loops[i][0] = (wit_loop_def){4, uses[i]};
        loops[i][1] = (wit_loop_def){4, uses[i] + 4};
        if (lid) {
            plane[i] = plane_at(vec3(0, 0, i ? height : 0), vec3(1, 0, 0), vec3(0, 0, i ? 1 : -1), 2 * outer);
        } else {
            wit_vec3 a = v[ring + k].point, along = unit3(sub3(v[ring + (k + 1) % 4].point, a));
            wit_vec3 out = cross3(along, vec3(0, 0, ring ? -1 : 1));
            int next = 16 + ring + (k + 1) % 4;
            plane[i] = plane_at(a, along, out, 4 * outer);
            wit_use_def low = {.edge = ring + k}, high = {.edge = 8 + ring + k, .reversed = true};
            wit_use_def up = {.edge = next}, down = {.edge = 16 + ring + k, .reversed = true};
            wit_use_def outside[4] = {low, up, high, down};
            for (int m = 0; m < 4; ++m) {
                uses[i][m] = outside[ring ? 3 - m : m];
                if (ring) uses[i][m].reversed = !uses[i][m].reversed;
            }
        }
        f[i].surface = plane[i];
    }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.vertices = v, d.vertex_count = PLATE_VERTICES;
    d.edges = e, d.edge_count = PLATE_EDGES;
    d.faces = f, d.face_count = PLATE_FACES;
    wit_body* b = wit_body_create(&d, NULL, &error);
    if (!b) fail_msg("%s: %s", error.item, error.text);
    for (int i = 0; i < PLATE_EDGES; ++i) wit_curve_destroy(line[i]);
    for (int i = 0; i < PLATE_FACES; ++i) wit_surface_destroy(plane[i]);
    return b;
}

/* ---- the judges ------------------------------------------------------------------------------------ */

static const double ell[] = {0, 0, 1.5, 0, 1.5, 0.5, 0.5, 0.5, 0.5, 1.5, 0, 1.5};

/* The largest over lines through the reflex corner (0.5, 0.5) that leave the notch out. */
static double depth_of_ell(const double half[3], const wit_pose* at)
{
    const prism hull = {.count = 5, .x = {0, 1.5, 1.5, 0.5, 0}, .y = {0, 0, 0.5, 1.5, 1.5}, .height = 0.8};
    double most = -INFINITY;
    for (int i = 0; i <= TURNS; ++i) {
        double angle = 1.57079632679489662 * i / TURNS, c = cos(angle), s = sin(angle);
        prism part = cut(&hull, c, s, 0.5 * (c + s));
        most = fmax(most, depth_of(&part, half, at));
    }
    return most;
}

/* The largest over lines that touch the hole, all round. */
static double depth_of_plate(const double half[3], const wit_pose* at)
{
    const prism hull = {.count = 4, .x = {-1, 1, 1, -1}, .y = {-1, -1, 1, 1}, .height = 0.4};
    double most = -INFINITY;
    for (int i = 0; i < 4 * TURNS; ++i) {
        double angle = 1.57079632679489662 * i / TURNS, c = cos(angle), s = sin(angle);
        prism part = cut(&hull, c, s, -0.4 * (fabs(c) + fabs(s)));
        if (part.count > 2) most = fmax(most, depth_of(&part, half, at));
    }
    return most;
}

typedef double judge(const double half[3], const wit_pose* at);

static void judged(const char* what, const wit_body* body, wit_vec3 middle, judge* depth, uint64_t seed)
{
    const double half[3] = {0.5, 0.3, 0.4}, size = 1;
    wit_body* box = box_body(half);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    rng r = rng_seed(seed);
    long cases = campaign(4000), inside = 0, certified = 0;
    double widest = 0, behind = 0;
    for (long i = 0; i < cases; ++i) {
        wit_pose at = {add3(middle, random_vector(&r, 0, 0.9)),
                       wit_quat_about(random_unit(&r), rng_range(&r, 0, 6.28))};
        if (i % 4 == 0) at.rotation = wit_quat_about(vec3(0, 0, 1), rng_range(&r, 0, 6.28)); /* upright */
        wit_placed x = wit_placed_at(body, wit_pose_identity()), y = wit_placed_at(box, at);
        wit_closest c, back;
        assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
        if (c.outcome != WIT_OUTCOME_OVERLAPPING) continue;
        double dense = depth(half, &at);
        inside++;
        certified += c.certified;
        assert_true(c.distance < 0);
        assert_true(-c.distance <= dense + 1e-9 * size); /* the stored parts are among the judge's */
        assert_true(dense <= -c.lower_bound + 1e-9 * size);
        assert_true(c.lower_bound <= c.distance && c.distance <= c.upper_bound);
        if (c.certified) assert_true(dense <= -c.distance + 2e-9 * size);
        widest = fmax(widest, c.upper_bound - c.lower_bound);
        behind = fmax(behind, dense + c.distance);
        wit_vec3 off = addscaled3(sub3(c.b.point, c.a.point), -c.distance, c.normal);
        assert_true(norm3(off) <= 1e-9 * size);
        assert_int_equal(wit_closest_pair(q, &y, &x, &back), WIT_OK);
        assert_true(back.distance == c.distance && back.lower_bound == c.lower_bound);
        double below = i % 8 ? 0 : truth_below(&r, q, &x, &y, c.a.point, 0.3, 10, false);
        assert_true(below <= -c.lower_bound + 1e-9);
    }
    print_message("%s: %ld overlaps, %ld certified, widest bracket %.3g, at most %.3g less than the judge's\n", what,
                  inside, certified, widest, behind);
    assert_true(inside > cases / 8 && certified > inside / 4);
    wit_query_destroy(q);
    wit_body_destroy(box);
}

static void the_depth_of_an_ell_is_that_of_its_parts(void** state)
{
    (void)state;
    wit_body* b = prism_body(ell, 6, 0.8);
    judged("ell", b, vec3(0.6, 0.6, 0.4), depth_of_ell, 1620);
    wit_body_destroy(b);
}

static void the_depth_of_a_plate_with_a_hole_is_that_of_its_parts(void** state)
{
    (void)state;
    wit_body* b = plate_body(1, 0.4, 0.4);
    judged("plate", b, vec3(0, 0, 0.2), depth_of_plate, 1621);
    wit_body_destroy(b);
}

/* Two teeth of a comb in a bar, one and two deep; the overlaps become one where the bar reaches the spine. */
static void a_comb_going_into_a_bar_does_not_jump(void** state)
{
    static const double comb[] = {0, 0, 3, 0, 3, 2, 2, 2, 2, 1, 1, 1, 1, 2, 0, 2};
    const double half[3] = {2, 1.5, 0.5};
    (void)state;
    wit_body *a = prism_body(comb, 8, 1), *b = box_body(half);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    long frames = 400;
    double before = NAN, step = 3.0 / (double)frames;
    for (long i = 0; i < frames; ++i) {
        wit_pose at = {vec3(1.3, 3.6 - step * (double)i, 0.4), wit_quat_about(vec3(0, 0, 1), 0.1)};
        wit_placed x = wit_placed_at(a, wit_pose_identity()), y = wit_placed_at(b, at);
        wit_closest c;
        assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
        assert_false(fabs(c.distance - before) > step * (1 + 1e-9) + 1e-9);
        before = c.distance;
    }
    assert_true(before < -0.5);
    wit_query_destroy(q);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_depth_of_an_ell_is_that_of_its_parts),
        cmocka_unit_test(the_depth_of_a_plate_with_a_hole_is_that_of_its_parts),
        cmocka_unit_test(a_comb_going_into_a_bar_does_not_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
