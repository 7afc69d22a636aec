/* SPDX-License-Identifier: MIT */
/*
 * What certificates rest on is proved, not sampled: the side of a sheet where closest places tie, seams and poles of splines
 * whose weights hide most of a border, passages along poles that are none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/witness.h"
#include "../src/geom/shape.h"
#include "campaign.h"
#include "random.h"

static const double ONE[4] = {0, 0, 1, 1}, TWO[6] = {0, 0, 0, 1, 1, 1};

static wit_surface* net_made(int degree, int rows, const double* knots_u, int knot_count, const double* points,
                             const double* weights)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    wit_error e = {0};
    d.degree_u = d.degree_v = degree;
    d.count_u = rows;
    d.count_v = degree + 1;
    d.knots_u = knots_u;
    d.knot_count_u = knot_count;
    d.knots_v = degree == 1 ? ONE : TWO;
    d.knot_count_v = 2 * degree + 2;
    d.points = points;
    d.weights = weights;
    wit_surface* s = wit_surface_create(&d, NULL, &e);
    if (!s) fail_msg("%s %s", e.item, e.text);
    return s;
}

/* A flat patch from `o` along a and b. */
static wit_surface* flat(wit_vec3 o, wit_vec3 a, wit_vec3 b)
{
    double p[12];
    for (int i = 0; i < 4; ++i) {
        wit_vec3 x = addscaled3(addscaled3(o, i / 2, a), i % 2, b);
        p[3 * i] = x.x, p[3 * i + 1] = x.y, p[3 * i + 2] = x.z;
    }
    return net_made(1, 2, ONE, 4, p, NULL);
}

static wit_body* sheet_of(wit_surface** s, int count, double sew)
{
    wit_face_def f[8];
    wit_error e = {0};
    memset(f, 0, sizeof f);
    for (int i = 0; i < count; ++i) f[i].surface = s[i];
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
    d.faces = f;
    d.face_count = count;
    d.sew_tolerance = sew;
    wit_body* body = wit_body_create(&d, NULL, &e);
    if (!body) fail_msg("%s %s", e.item, e.text);
    for (int i = 0; i < count; ++i) wit_surface_destroy(s[i]);
    return body;
}

static wit_query* query_made(bool rigorous, double tolerance)
{
    wit_query_def d = wit_query_default_def();
    d.rigorous = rigorous;
    d.tolerance = tolerance;
    return wit_query_create(&d, NULL, NULL);
}

/* Two patches, one above the other, both looking up: between them the nearer one decides, and in the middle none does. */
static void sheet_side_is_not_claimed_where_closest_places_tie(void** state)
{
    (void)state;
    rng r = rng_seed(151);
    wit_surface* s[2] = {flat(vec3(-1, -1, 0), vec3(2, 0, 0), vec3(0, 2, 0)),
                         flat(vec3(-1, -1, 1), vec3(2, 0, 0), vec3(0, 2, 0))};
    wit_body* body = sheet_of(s, 2, 0);
    wit_placed at = wit_placed_at(body, wit_pose_identity());
    long asked = campaign(20000), wrong = 0, unproved = 0, lost = 0;
    for (int rigorous = 0; rigorous < 2; ++rigorous) {
        wit_query* q = query_made(rigorous, 1e-9);
        for (long i = 0; i < asked; ++i) {
            double off = rng_range(&r, -1, 1) * pow(10, rng_range(&r, -16, -0.5));
            wit_vec3 p = vec3(rng_range(&r, -0.9, 0.9), rng_range(&r, -0.9, 0.9), 0.5 + off);
            wit_closest c;
            assert_int_equal(wit_closest_point(q, &at, p, &c), WIT_OK);
            double truth = p.z < 0.5 ? p.z : p.z - 1; /* exact: Sterbenz */
            bool holds = c.lower_bound <= truth + 1e-13 && c.upper_bound >= truth - 1e-13;
            wrong += !(p.z == 0.5) && !holds;
            unproved += !c.certified;
            lost += !c.certified && fabs(off) > 1e-8;
            if (!c.certified) assert_int_equal(c.reason, WIT_REASON_SIGN);
        }
        wit_query_destroy(q);
    }
    print_message("%ld points between two patches, %ld signs not proved\n", 2 * asked, unproved);
    assert_int_equal(wrong, 0);
    assert_int_equal(lost, 0);
    assert_true(unproved > 0);
    wit_body_destroy(body);
}

/* A box without its lid, looking outwards: edges where both normals are before the point, corners, walls seen from inside. */
static void sheet_side_is_proved_beside_folds(void** state)
{
    (void)state;
    rng r = rng_seed(152);
    wit_vec3 x = vec3(1, 0, 0), y = vec3(0, 1, 0), z = vec3(0, 0, 1), o = vec3(0, 0, 0);
    wit_surface* s[5] = {flat(o, y, x), flat(o, z, y), flat(o, x, z), flat(x, y, z), flat(y, z, x)};
    wit_body* body = sheet_of(s, 5, 1e-9);
    wit_placed at = wit_placed_at(body, wit_pose_identity());
    long asked = campaign(20000), certified = 0, wrong = 0;
    for (int rigorous = 0; rigorous < 2; ++rigorous) {
        wit_query* q = query_made(rigorous, 1e-9);
        for (long i = 0; i < asked; ++i) {
            /* below the lid, or so far inside that a wall is closest */
            bool inside = rng_int(&r, 2);
            wit_vec3 p = inside ? vec3(rng_range(&r, 0, 1), rng_range(&r, 0, 1), rng_range(&r, 0, 0.5))
                                : vec3(rng_range(&r, -1, 2), rng_range(&r, -1, 2), rng_range(&r, -1, 0.9));
            double out = fmax(fmax(fmax(-p.x, p.x - 1), fmax(-p.y, p.y - 1)), -p.z);
            if (fabs(out) < 1e-6) continue;
            double gap[3] = {fmax(0, fmax(-p.x, p.x - 1)), fmax(0, fmax(-p.y, p.y - 1)), fmax(0, -p.z)};
            double truth = out < 0 ? out : sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]);
            wit_closest c;
            assert_int_equal(wit_closest_point(q, &at, p, &c), WIT_OK);
            wrong += !(c.lower_bound <= truth + 1e-13 && c.upper_bound >= truth - 1e-13);
            certified += c.certified;
        }
        wit_query_destroy(q);
    }
    print_message("%ld points around an open box, %ld certified\n", 2 * asked, certified);
    assert_int_equal(wrong, 0);
    assert_true((double)certified > 0.97 * 2 * (double)asked);
    wit_body_destroy(body);
}

/* A square with three edges and a passage without an edge where the fourth should be. */
static void passage_without_an_edge_must_be_a_pole(void** state)
{
    (void)state;
    wit_surface* s = flat(vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0));
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    wit_vertex_def v[4];
    wit_edge_def edges[3];
    wit_use_def uses[4];
    wit_curve* curves[4];
    memset(v, 0, sizeof v);
    memset(edges, 0, sizeof edges);
    memset(uses, 0, sizeof uses);
    for (int i = 0; i < 4; ++i) {
        const double *a = corner[i], *b = corner[(i + 1) % 4], p[6] = {a[0], a[1], 0, b[0], b[1], 0};
        wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
        d.degree = 1;
        d.count = 2;
        d.points = p;
        d.knots = ONE;
        d.knot_count = 4;
        curves[i] = wit_curve_create(&d, NULL, NULL);
        v[i].point = vec3(a[0], a[1], 0);
        uses[i].edge = i < 3 ? i : -1;
        uses[i].parameter_curve = curves[i];
        if (i < 3) edges[i].start = i, edges[i].end = i + 1;
    }
    const wit_loop_def loop = {.use_count = 4, .uses = uses};
    const wit_face_def face = {.surface = s, .loop_count = 1, .loops = &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.vertices = v;
    d.vertex_count = 4;
    d.edges = edges;
    d.edge_count = 3;
    d.faces = &face;
    d.face_count = 1;
    wit_error e = {0};
    assert_null(wit_body_create(&d, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_RANGE);
    assert_string_equal(e.item, "faces[0].loops[0].uses[3]");
    for (int i = 0; i < 4; ++i) wit_curve_destroy(curves[i]);
    wit_surface_destroy(s);
}

static const double WILD[3] = {1, 1e5, 1e10};

/* A tube whose seam gapes where weights let no sample see it: it is not closed. One whose seam is exact is. */
static void seam_that_gapes_between_samples_is_no_seam(void** state)
{
    (void)state;
    static const double round_it[5][2] = {{1, 0}, {0, 1.5}, {-1, 0}, {0, -1.5}, {1, 0}},
                        knots[8] = {0, 0, 0, 1, 2, 3, 3, 3};
    for (int hidden = 0; hidden < 2; ++hidden) {
        double p[45], w[15];
        for (int i = 0; i < 15; ++i) {
            p[3 * i] = round_it[i / 3][0];
            p[3 * i + 1] = round_it[i / 3][1];
            p[3 * i + 2] = i % 3;
            w[i] = WILD[i % 3];
        }
        if (hidden) p[3 * 13] += 1e-8; /* half of that at v = 1e-5; at v = 1/5, where it was looked, 1e-12 */
        wit_surface* s = net_made(2, 5, knots, 8, p, w);
        assert_int_equal(wit_surface_describe(s).closed_u, !hidden);
        assert_true(hidden || s->gape == 0);
        wit_surface_destroy(s);
    }
}

/* A border that leaves a point and comes back to it, hidden in the same way: an edge, not a pole. */
static void border_that_bulges_between_samples_is_no_pole(void** state)
{
    (void)state;
    for (int hidden = 0; hidden < 2; ++hidden) {
        double p[27], w[9], bulge = hidden ? 1e-6 : 0;
        for (int i = 0; i < 9; ++i) {
            int row = i / 3, j = i % 3;
            p[3 * i] = row ? row : j == 1 ? -20 * bulge : 0;
            p[3 * i + 1] = row ? (j - 1) * 0.5 * row : j == 1 ? bulge : 0;
            p[3 * i + 2] = !row && j == 1 ? -bulge : 0;
            w[i] = WILD[j];
        }
        wit_surface* s = net_made(2, 3, TWO, 6, p, w);
        wit_body* body = sheet_of(&s, 1, 0);
        assert_int_equal(wit_body_describe(body).edge_count, hidden ? 4 : 3);
        wit_body_destroy(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sheet_side_is_not_claimed_where_closest_places_tie),
        cmocka_unit_test(sheet_side_is_proved_beside_folds),
        cmocka_unit_test(passage_without_an_edge_must_be_a_pole),
        cmocka_unit_test(seam_that_gapes_between_samples_is_no_seam),
        cmocka_unit_test(border_that_bulges_between_samples_is_no_pole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
