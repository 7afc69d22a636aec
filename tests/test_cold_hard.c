/* SPDX-License-Identifier: MIT */
/*
 * Cases that are hard for a search and easy to judge: each has its truth in closed form. Borders with kinks, creases too
 * flat to be edges, knots without meaning, cut-offs and budgets that end a search before the sign is known, needles,
 * coordinates far larger than the body.
 */
#include <float.h>

#include "../include/witness/query.h"
#include "analytic.h"
#include "campaign.h"

static wit_query* query_of(double tolerance, double within, bool rigorous, int64_t budget)
{
    wit_query_def def = wit_query_default_def();
    wit_error e = {0};
    def.tolerance = tolerance;
    def.within = within;
    def.rigorous = rigorous;
    def.budget = budget;
    wit_query* q = wit_query_create(&def, NULL, &e);
    if (!q) fail_msg("%s: %s", e.item, e.text);
    return q;
}

static wit_query* usual_query(void)
{
    return query_of(1e-9, INFINITY, false, 200000);
}

static wit_body* body_made(const wit_body_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static wit_body* solid_made(const wit_solid_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_solid_create(def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static wit_body* box_made(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x, d.size_y = y, d.size_z = z;
    return solid_made(&d);
}

static wit_body* sphere_made(wit_vec3 centre, double radius)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.frame.origin = centre;
    d.radius = radius;
    return solid_made(&d);
}

static wit_body* sheet_of(const wit_surface_def* d, wit_body_kind kind)
{
    wit_surface* s = surface_made(d);
    wit_face_def face = {.surface = s};
    wit_body_def def = wit_body_default_def(kind);
    def.face_count = 1;
    def.faces = &face;
    wit_body* b = body_made(&def);
    wit_surface_destroy(s);
    return b;
}

static wit_closest point_answer(wit_query* q, const wit_body* body, wit_vec3 p)
{
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    wit_closest c;
    assert_int_equal(wit_closest_point(q, &a, p, &c), WIT_OK);
    return c;
}

static wit_closest pair_answer(wit_query* q, const wit_body* a, const wit_body* b, wit_pose pose_b)
{
    wit_placed at_a = wit_placed_at(a, wit_pose_identity()), at_b = wit_placed_at(b, pose_b);
    wit_closest c;
    assert_int_equal(wit_closest_pair(q, &at_a, &at_b, &c), WIT_OK);
    return c;
}

static wit_quat random_rotation(rng* r)
{
    wit_vec3 axis = random_unit(r);
    double half = rng_range(r, 0, 1.5), s = sin(half);
    return (wit_quat){cos(half), s * axis.x, s * axis.y, s * axis.z};
}

/* How many answers were wrong; prints the first few. */
typedef struct score {
    const char* what;
    long asked, wrong;
} score;

/* The bracket holds the truth within `dirt`, and the distance is it within `dirt` and the tolerance. */
static void judge(score* s, const wit_closest* c, double truth, double tolerance, double dirt)
{
    ++s->asked;
    bool holds = c->lower_bound <= truth + dirt && c->upper_bound >= truth - dirt;
    if (holds && fabs(c->distance - truth) <= tolerance + dirt) return;
    if (++s->wrong <= 3)
        print_message("  %s: %s %.17g [%.17g, %.17g], the truth is %.17g\n", s->what, wit_outcome_name(c->outcome),
                      c->distance, c->lower_bound, c->upper_bound, truth);
}

static void all_right(const score* s)
{
    print_message("  %-45s %ld asked, %ld wrong\n", s->what, s->asked, s->wrong);
    assert_int_equal(s->wrong, 0);
}

/* ---- kinks of edges ---------------------------------------------------------------------------- */

enum { CORNERS = 5 };
static const double corners[CORNERS][2] = {{0, 0}, {4, 0}, {4, 3}, {2, 1}, {0, 3}};

/* The polygon with one edge around it: a spline of degree 1, as a curve in space or as a parameter curve; a ring, or with
 * one vertex. */
static wit_body* polygon_made(bool planar, bool ring, bool lifted)
{
    double knots[CORNERS + 3], points[3 * (CORNERS + 1)] = {0};
    for (int i = 0; i <= CORNERS; i++) {
        points[3 * i] = corners[i % CORNERS][0];
        points[3 * i + 1] = corners[i % CORNERS][1];
        knots[i + 1] = i;
    }
    knots[0] = 0;
    knots[CORNERS + 2] = CORNERS;
    wit_curve_def cd = wit_curve_default_def(WIT_CURVE_NURBS);
    cd.degree = 1;
    cd.count = CORNERS + 1;
    cd.knots = knots;
    cd.knot_count = CORNERS + 3;
    cd.points = points;
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_PLANE);
    sd.range_u = sd.range_v = iv(-10, 10);
    wit_curve* curve = curve_made(&cd);
    wit_surface* plane = surface_made(&sd);
    wit_vertex_def vertex = {.point = {corners[0][0], corners[0][1], 0}};
    wit_edge_def edge = {.curve = lifted ? NULL : curve, .start = ring ? -1 : 0, .end = ring ? -1 : 0};
    wit_use_def use = {.edge = 0, .parameter_curve = lifted ? curve : NULL};
    wit_loop_def loop = {1, &use};
    wit_face_def face = {.surface = plane, .loop_count = 1, .loops = &loop};
    wit_body_def def = wit_body_default_def(planar ? WIT_BODY_SOLID : WIT_BODY_SHEET2);
    def.planar = planar;
    def.vertex_count = ring ? 0 : 1;
    def.vertices = &vertex;
    def.edge_count = def.face_count = 1;
    def.edges = &edge;
    def.faces = &face;
    wit_body* b = body_made(&def);
    wit_curve_destroy(curve);
    wit_surface_destroy(plane);
    return b;
}

/* In its plane the distance to the border, negative inside; off it that to the region. */
static double polygon_truth(bool planar, wit_vec3 p)
{
    double least = INFINITY;
    bool inside = false;
    for (int k = 0; k < CORNERS; k++) {
        const double *a = corners[k], *b = corners[(k + 1) % CORNERS];
        double dx = b[0] - a[0], dy = b[1] - a[1];
        double s = ((p.x - a[0]) * dx + (p.y - a[1]) * dy) / (dx * dx + dy * dy);
        s = fmin(1, fmax(0, s));
        least = fmin(least, hypot(p.x - a[0] - s * dx, p.y - a[1] - s * dy));
        if ((a[1] > p.y) != (b[1] > p.y) && p.x < a[0] + (p.y - a[1]) * dx / dy) inside = !inside;
    }
    if (planar) return inside ? -least : least;
    return inside ? fabs(p.z) : hypot(least, p.z);
}

static void kinks_of_edges_carry_the_nearest_place(void** state)
{
    (void)state;
    wit_query* q = usual_query();
    rng r = rng_seed(41);
    score nearest = {.what = "points at kinked borders"}, first = {.what = "their first local minimum"};
    for (int way = 0; way < 8; way++) {
        bool planar = way & 1;
        wit_body* b = polygon_made(planar, way & 2, way & 4);
        for (long i = 0; i < campaign(2000); i++) {
            wit_vec3 p = random_vector(&r, 0, 9);
            if (planar) p.z = 0;
            double truth = polygon_truth(planar, p);
            wit_closest c = point_answer(q, b, p);
            judge(&nearest, &c, truth, 1e-8, 1e-12);
            if (i % 8) continue;
            wit_minimum m[32];
            wit_minima_summary s;
            wit_placed a = wit_placed_at(b, wit_pose_identity());
            assert_int_equal(wit_minima_point(q, &a, p, m, 32, &s), WIT_OK);
            ++first.asked;
            if (s.complete && (!s.count || fabs(fabs(m[0].distance) - fabs(truth)) > 1e-7)) ++first.wrong;
        }
        wit_body_destroy(b);
    }
    wit_query_destroy(q);
    all_right(&nearest);
    all_right(&first);
}

/* ---- creases and knots inside faces -------------------------------------------------------------- */

/* Two flat strips that meet along the y axis and fall away from it by `fall`. */
static wit_body* roof_made(int degree, double fall)
{
    double knots_u[8] = {0, 0, 0, 1, 1, 2, 2, 2}, knots_v[4] = {0, 0, 1, 1}, points[3 * 5 * 2];
    int count = 2 * degree + 1;
    if (degree == 1) memcpy(knots_u, (double[5]){0, 0, 1, 2, 2}, 5 * sizeof(double));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < 2; j++) {
            double* p = points + 3 * (2 * i + j);
            p[0] = 2.0 * i / (count - 1) - 1;
            p[1] = 2 * j - 1;
            p[2] = -fall * fabs(p[0]);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = degree;
    d.degree_v = 1;
    d.count_u = count;
    d.count_v = 2;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.knot_count_u = count + degree + 1;
    d.knot_count_v = 4;
    d.points = points;
    return sheet_of(&d, WIT_BODY_SHEET2);
}

/* The lowest corner of the turned box. */
static wit_vec3 lowest_corner(const wit_pose* pose, double x, double y, double z)
{
    wit_vec3 lowest = {0, 0, INFINITY};
    for (int k = 0; k < 8; k++) {
        wit_vec3 p = wit_pose_point(pose, vec3(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z));
        if (p.z < lowest.z) lowest = p;
    }
    return lowest;
}

/* Seen from above, between the normals of the two strips, the ridge is nearest. */
static void creases_too_flat_to_be_edges_are_found(void** state)
{
    (void)state;
    wit_body* box = box_made(0.5, 0.6, 0.7);
    rng r = rng_seed(42);
    score points = {.what = "points above a ridge"}, pairs = {.what = "corners above a ridge"};
    for (int rigorous = 0; rigorous < 2; rigorous++)
        for (int degree = 1; degree <= 2; degree++)
            for (double fall = 1; fall > 1e-15; fall *= 0.1) {
                wit_query* q = query_of(1e-9, INFINITY, rigorous, 200000);
                wit_body* b = roof_made(degree, fall);
                for (long i = 0; i < campaign(200); i++) {
                    double h = rng_range(&r, 0.5, 3), y = rng_range(&r, -0.3, 0.3);
                    double x = h * fall * rng_range(&r, -0.9, 0.9);
                    if (fabs(x) > 0.3) continue;
                    double truth = hypot(x, h);
                    wit_closest c = point_answer(q, b, vec3(x, y, h));
                    judge(&points, &c, truth, 1e-8, 1e-13);
                    wit_pose pose = {.rotation = random_rotation(&r)};
                    wit_vec3 low = lowest_corner(&pose, 0.25, 0.3, 0.35);
                    pose.position = sub3(vec3(x, y, h), low);
                    if (fall > 1e-6) continue; /* else another corner may be nearer to a strip */
                    c = pair_answer(q, b, box, pose);
                    judge(&pairs, &c, truth, 1e-8, 1e-12);
                }
                wit_body_destroy(b);
                wit_query_destroy(q);
            }
    wit_body_destroy(box);
    all_right(&points);
    all_right(&pairs);
}

/* A flat square of 4 by 4 knot cells, turned: rounding puts its knot lines a little here or there. */
static wit_body* flat_made(int degree, const wit_pose* pose)
{
    enum { CELLS = 4, MOST = 16 };
    double knots[MOST], points[3 * MOST * MOST];
    int n = 0;
    for (int i = 0; i <= degree; i++) knots[n++] = 0;
    for (int i = 1; i < CELLS; i++) knots[n++] = i;
    for (int i = 0; i <= degree; i++) knots[n++] = CELLS;
    int count = n - degree - 1;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double u = 0, v = 0; /* Greville's abscissae: the parameters are the coordinates */
            for (int k = 1; k <= degree; k++) u += knots[i + k] / degree, v += knots[j + k] / degree;
            wit_vec3 p = wit_pose_point(pose, vec3(u, v, 0));
            memcpy(points + 3 * (i * count + j), (double[3]){p.x, p.y, p.z}, 3 * sizeof(double));
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = degree;
    d.count_u = d.count_v = count;
    d.knots_u = d.knots_v = knots;
    d.knot_count_u = d.knot_count_v = n;
    d.points = points;
    return sheet_of(&d, WIT_BODY_SHEET2);
}

static void feet_on_knot_lines_are_found(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    score s = {.what = "points above knot lines of a plane"};
    for (int rigorous = 0; rigorous < 2; rigorous++)
        for (int degree = 1; degree <= 3; degree++)
            for (long k = 0; k < campaign(400); k++) {
                wit_query* q = query_of(1e-9, INFINITY, rigorous, 200000);
                wit_pose pose = {.rotation = random_rotation(&r)};
                pose.position = random_vector(&r, 0, 3);
                wit_body* b = flat_made(degree, &pose);
                for (int i = 0; i < 40; i++) {
                    double x = 1 + rng_int(&r, 3), y = i % 2 ? 1 + rng_int(&r, 3) : rng_range(&r, 0, 4);
                    double z = rng_range(&r, 0.5, 5);
                    wit_closest c = point_answer(q, b, wit_pose_point(&pose, vec3(x, y, z)));
                    judge(&s, &c, z, 1e-8, 1e-13);
                }
                wit_body_destroy(b);
                wit_query_destroy(q);
            }
    all_right(&s);
}

/*
 * Weights that differ by 1e4 make a surface slow in one place and fast in another; a crease of the slow part is as sharp as
 * any. A convex roof of three strips along y: from the second ridge, between the normals of its strips, nothing is nearer.
 */
static void creases_of_slow_parts_are_edges(void** state)
{
    (void)state;
    double knots_u[6] = {0, 0, 1, 2, 3, 3}, knots_v[4] = {0, 0, 1, 1}, points[3 * 4 * 2], weights[4 * 2];
    const double x[4] = {-1, 0, 1, 30}, z[4] = {-1, 0, -1, -40}, w[4] = {1e2, 1e-2, 1e2, 1e-2};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            memcpy(points + 3 * (2 * i + j), (double[3]){x[i], 2 * j - 1, z[i]}, 3 * sizeof(double));
            weights[2 * i + j] = w[i];
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 1;
    d.count_u = 4;
    d.count_v = 2;
    d.knots_u = knots_u;
    d.knots_v = knots_v;
    d.knot_count_u = 6;
    d.knot_count_v = 4;
    d.points = points;
    d.weights = weights;
    wit_body* b = sheet_of(&d, WIT_BODY_SHEET2);
    wit_query* q = usual_query();
    rng r = rng_seed(44);
    score s = {.what = "points above a ridge with unlike weights"};
    for (long i = 0; i < campaign(200); i++) {
        double h = rng_range(&r, 0.1, 3), y = rng_range(&r, -1, 1), share = rng_range(&r, 0.05, 0.95);
        wit_vec3 first = unit3(vec3(1, 0, 1)), second = unit3(vec3(39, 0, 29));
        wit_vec3 up = unit3(addscaled3(scale3(share, first), 1 - share, second));
        wit_closest c = point_answer(q, b, addscaled3(vec3(1, y, -1), h, up));
        judge(&s, &c, h, 1e-7, 1e-12);
    }
    wit_query_destroy(q);
    wit_body_destroy(b);
    all_right(&s);
}

/* ---- searches that end early --------------------------------------------------------------------- */

static double box_truth(wit_vec3 p, double x, double y, double z)
{
    double a = fabs(p.x) - 0.5 * x, b = fabs(p.y) - 0.5 * y, c = fabs(p.z) - 0.5 * z;
    double out = norm3(vec3(fmax(a, 0), fmax(b, 0), fmax(c, 0)));
    return out > 0 ? out : fmax(a, fmax(b, c));
}

/* The bracket is of the signed distance, whatever ends the search. */
static void bracket_holds_the_sign_when_the_search_ends_early(void** state)
{
    (void)state;
    wit_body* b = box_made(2, 3, 4);
    rng r = rng_seed(45);
    long excluded = 0, named = 0, asked = campaign(20000);
    for (long i = 0; i < asked; i++) {
        wit_vec3 p = random_vector(&r, 0, 2);
        double truth = box_truth(p, 2, 3, 4), within = rng_int(&r, 2) ? INFINITY : rng_range(&r, 0, 1);
        bool rigorous = rng_int(&r, 2);
        wit_query* q = query_of(1e-9, within, rigorous, 1 + rng_int(&r, 40));
        wit_closest c = point_answer(q, b, p);
        if (c.lower_bound > truth + 1e-14 || c.upper_bound < truth - 1e-14) {
            if (++excluded <= 3)
                print_message("  within %g: %s [%.15g, %.15g], the truth is %.15g\n", within,
                              wit_outcome_name(c.outcome), c.lower_bound, c.upper_bound, truth);
        }
        /* nothing was found: nothing may be named */
        bool found = c.upper_bound < INFINITY && c.outcome != WIT_OUTCOME_BEYOND;
        if (!found && (c.a.feature != WIT_POINT || c.a.id != -1)) ++named;
        if (c.b.feature != WIT_POINT || c.b.id != -1) ++named;
        wit_query_destroy(q);
    }
    print_message("  %ld asked, %ld brackets without the truth, %ld witnesses that are none\n", asked, excluded, named);
    wit_body_destroy(b);
    assert_int_equal(excluded, 0);
    assert_int_equal(named, 0);
}

static void cut_off_of_nothing_sees_touch_and_overlap(void** state)
{
    (void)state;
    wit_body *box = box_made(2, 3, 4), *ball = sphere_made(vec3(0, 0, 0), 1);
    wit_query* q = query_of(1e-9, 0, false, 200000);
    static const struct {
        double at;
        bool beyond;
    } cases[] = {{5, true}, {2 + 1e-6, true}, {2, false}, {1.9, false}, {1, false}, {0.5, false}, {0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        wit_pose pose = wit_pose_identity();
        pose.position.x = cases[i].at;
        wit_closest c = pair_answer(q, box, ball, pose);
        print_message("  ball at %g: %s [%g, %g]\n", cases[i].at, wit_outcome_name(c.outcome), c.lower_bound,
                      c.upper_bound);
        assert_int_equal(c.outcome == WIT_OUTCOME_BEYOND, cases[i].beyond);
    }
    wit_query_destroy(q);
    wit_body_destroy(box);
    wit_body_destroy(ball);
}

static void mask_without_features_is_empty_at_any_cut_off(void** state)
{
    (void)state;
    wit_body* box = box_made(2, 3, 4);
    const wit_mask none = {0};
    for (int i = 0; i < 2; i++) {
        wit_query* q = query_of(1e-9, i ? 1 : INFINITY, false, 200000);
        wit_placed a = {box, wit_pose_identity(), &none}, b = wit_placed_at(box, wit_pose_identity());
        b.pose.position.x = 5;
        wit_closest c;
        assert_int_equal(wit_closest_point(q, &a, vec3(5, 0, 0), &c), WIT_OK);
        assert_int_equal(c.outcome, WIT_OUTCOME_EMPTY);
        assert_int_equal(wit_closest_pair(q, &a, &b, &c), WIT_OK);
        assert_int_equal(c.outcome, WIT_OUTCOME_EMPTY);
        wit_query_destroy(q);
    }
    wit_body_destroy(box);
}

/* ---- one body twice ------------------------------------------------------------------------------ */

static bool same_bits(const wit_closest* x, const wit_closest* y)
{
    return x->outcome == y->outcome && x->distance == y->distance && x->lower_bound == y->lower_bound &&
           x->upper_bound == y->upper_bound && x->a.id == y->b.id && x->b.id == y->a.id && x->a.u == y->b.u &&
           x->a.v == y->b.v && x->b.u == y->a.u && x->b.v == y->a.v && x->work.nodes == y->work.nodes &&
           x->a.feature == y->b.feature && x->b.feature == y->a.feature;
}

/* Only the masks tell the two apart. */
static void swapping_two_masks_of_one_body_changes_no_bit(void** state)
{
    (void)state;
    wit_body* box = box_made(2, 3, 4);
    wit_query* q = usual_query();
    int different = 0;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < i; k++) {
            uint8_t first[6] = {0}, second[6] = {0};
            first[i] = second[k] = 1;
            wit_mask of_first = {.faces = first}, of_second = {.faces = second};
            wit_placed a = {box, wit_pose_identity(), &of_first}, b = {box, wit_pose_identity(), &of_second};
            wit_closest x, y;
            assert_int_equal(wit_closest_pair(q, &a, &b, &x), WIT_OK);
            assert_int_equal(wit_closest_pair(q, &b, &a, &y), WIT_OK);
            different += !same_bits(&x, &y);
        }
    print_message("  %d of 15 pairs of faces differ when swapped\n", different);
    wit_query_destroy(q);
    wit_body_destroy(box);
    assert_int_equal(different, 0);
}

/* Both functions must say the same of two solids that fill the same space. */
static void coincident_solids_overlap_in_both_functions(void** state)
{
    (void)state;
    wit_solid_def torus = wit_solid_default_def(WIT_SOLID_TORUS), cone = wit_solid_default_def(WIT_SOLID_CONE);
    torus.radius = 2, torus.radius2 = 0.5;
    cone.radius = 1, cone.height = 2;
    wit_body* bodies[4] = {box_made(2, 3, 4), sphere_made(vec3(0, 0, 0), 1), solid_made(&torus), solid_made(&cone)};
    wit_query* q = usual_query();
    for (int i = 0; i < 4; i++) {
        wit_closest c = pair_answer(q, bodies[i], bodies[i], wit_pose_identity());
        wit_placed a = wit_placed_at(bodies[i], wit_pose_identity());
        wit_minimum m[8];
        wit_minima_summary s;
        assert_int_equal(wit_minima_pair(q, &a, &a, m, 8, &s), WIT_OK);
        print_message("  body %d: %s; minima %d, overlapping %d\n", i, wit_outcome_name(c.outcome), s.count,
                      s.overlapping);
        assert_int_equal(c.outcome, WIT_OUTCOME_OVERLAPPING);
        assert_true(s.overlapping);
        wit_body_destroy(bodies[i]);
    }
    wit_query_destroy(q);
}

/* ---- rounding ------------------------------------------------------------------------------------ */

/* Balls far from the origins of their bodies: |p - q| - R - S, in long double, is good to far below the rounding of the
 * coordinates. In rigorous mode both ends of the bracket are theorems. */
static void rigorous_pairs_hold_the_truth_at_both_ends(void** state)
{
    (void)state;
    wit_query* q = query_of(1e-9, INFINITY, true, 200000);
    rng r = rng_seed(46);
    long asked = campaign(3000), above = 0, below = 0;
    for (long i = 0; i < asked; i++) {
        double far = pow(10, rng_range(&r, -2, 4)), radius = pow(10, rng_range(&r, -2, 1));
        wit_vec3 centre = random_vector(&r, 0.5 * far, far), other = random_vector(&r, 0.5 * far, far);
        wit_vec3 way = random_unit(&r);
        double gap = pow(10, rng_range(&r, -6, 1));
        wit_body *a = sphere_made(centre, radius), *b = sphere_made(other, 0.5 * radius);
        wit_pose pose = wit_pose_identity();
        pose.position = sub3(addscaled3(centre, 1.5 * radius + gap, way), other);
        long double x = (long double)pose.position.x + other.x - centre.x;
        long double y = (long double)pose.position.y + other.y - centre.y;
        long double z = (long double)pose.position.z + other.z - centre.z;
        long double truth = sqrtl(x * x + y * y + z * z) - radius - 0.5L * radius;
        long double dirt = 8 * (long double)LDBL_EPSILON * (long double)(far + radius + gap);
        if (truth > dirt) {
            wit_closest c = pair_answer(q, a, b, pose);
            above += c.lower_bound > truth + dirt;
            below += c.upper_bound < truth - dirt;
        }
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_message("  %ld asked, %ld lower bounds too high, %ld upper bounds too low\n", asked, above, below);
    wit_query_destroy(q);
    assert_int_equal(above, 0);
    assert_int_equal(below, 0);
}

static double capsule_truth(wit_vec3 p, double radius, double height)
{
    return norm3(vec3(p.x, p.y, p.z - fmin(fmax(p.z, 0), height))) - radius;
}

/* Up to a million times as long as wide. */
static void needles_are_right(void** state)
{
    (void)state;
    rng r = rng_seed(47);
    score s = {.what = "points at needles"};
    for (long i = 0; i < campaign(20000); i++) {
        double thin = pow(10, rng_range(&r, -6, 0)), height = thin * pow(10, rng_range(&r, 0, 6));
        bool box = i / 2 % 2;
        wit_solid_def d = wit_solid_default_def(box ? WIT_SOLID_BOX : WIT_SOLID_CAPSULE);
        d.radius = d.size_x = d.size_y = thin;
        d.height = d.size_z = height;
        wit_body* b = solid_made(&d);
        wit_query* q = query_of(1e-9, INFINITY, rng_int(&r, 2), 200000);
        wit_vec3 p = random_vector(&r, 0, 1);
        double wide = i % 2 ? 1.5 * thin : height * pow(10, rng_range(&r, -6, 0));
        p = vec3(wide * p.x, wide * p.y, 1.2 * height * p.z);
        double truth = box ? box_truth(p, thin, thin, height) : capsule_truth(p, thin, height);
        double reach = height + thin + norm3(p);
        wit_closest c = point_answer(q, b, p);
        judge(&s, &c, truth, 1e-9 * reach, 64 * EPS * reach);
        wit_query_destroy(q);
        wit_body_destroy(b);
    }
    all_right(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinks_of_edges_carry_the_nearest_place),
        cmocka_unit_test(creases_too_flat_to_be_edges_are_found),
        cmocka_unit_test(feet_on_knot_lines_are_found),
        cmocka_unit_test(creases_of_slow_parts_are_edges),
        cmocka_unit_test(bracket_holds_the_sign_when_the_search_ends_early),
        cmocka_unit_test(cut_off_of_nothing_sees_touch_and_overlap),
        cmocka_unit_test(mask_without_features_is_empty_at_any_cut_off),
        cmocka_unit_test(swapping_two_masks_of_one_body_changes_no_bit),
        cmocka_unit_test(coincident_solids_overlap_in_both_functions),
        cmocka_unit_test(rigorous_pairs_hold_the_truth_at_both_ends),
        cmocka_unit_test(needles_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
