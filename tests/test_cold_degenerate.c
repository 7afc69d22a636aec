/* SPDX-License-Identifier: MIT */
/*
 * Places where the closest set is a circle, a segment or an area, and bodies that coincide: bounded work, an outcome
 * that says so, and a bracket that holds the distance known in closed form.
 */
#include "campaign.h"
#include "judge.h"
#include "placing.h"

enum { NODES = 250000, CLOSED_NODES = 20000, BESIDE = 100000, SPLINES = 5, SET_JETS = 10000 };

/* ---- bodies of their own --------------------------------------------------------------------- */

static wit_body* sphere_sheet(double radius)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = radius;
    return sheet_of(&d);
}

static wit_body* cylinder_sheet(double radius, double lo, double hi)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = radius;
    d.range_v = iv(lo, hi);
    return sheet_of(&d);
}

static wit_body* plane_sheet(double half)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-half, half);
    return sheet_of(&d);
}

/* ---- one case -------------------------------------------------------------------------------- */

typedef struct expected {
    const char* what;
    double truth;    /* signed */
    int dimension;   /* of the closest set; -1: bodies overlap, or coincide */
    wit_vec3 across; /* if not zero: unit, no direction of the set has a part along it (in the frame of a) */
    int64_t nodes;   /* work allowed */
    double width;    /* of the bracket, relative */
} expected;

/* What is wrong with the set; null: nothing. */
static const char* set_fault(const expected* x, const wit_pose* by, const wit_closest* c)
{
    if (c->set.dimension != x->dimension) return "dimension";
    for (int k = 0; k < c->set.dimension; k++) {
        wit_vec3 d = c->set.direction[k];
        wit_interval w = c->set.extent[k];
        if (!(fabs(norm3(d) - 1) <= 1e-9)) return "direction";
        if (!(w.lo <= 0 && w.hi >= 0 && w.hi > w.lo)) return "extent";
        /* Tangent to the set is across the gap. */
        if (fabs(dot3(d, c->normal)) > 1e-5 || fabs(dot3(d, wit_pose_vector(by, x->across))) > 1e-5) return "tangent";
    }
    if (c->set.dimension == 2 && fabs(dot3(c->set.direction[0], c->set.direction[1])) > 0.99) return "one direction";
    return NULL;
}

/* truth: minus the depth; 0 where it is not known (bodies that are not convex), or there is none. */
static const char* overlap_fault(const expected* x, double relative, double dirt, const wit_closest* c)
{
    if (c->outcome == WIT_OUTCOME_TOUCHING) return x->truth == 0 && fabs(c->distance) <= dirt ? NULL : "outcome";
    if (c->outcome != WIT_OUTCOME_OVERLAPPING) return "outcome";
    if (!(c->lower_bound <= c->distance && c->distance <= c->upper_bound && c->upper_bound <= 0)) return "order";
    if (c->work.nodes > x->nodes) return "work";
    if (x->truth == 0) return NULL;
    if (c->lower_bound > x->truth + dirt || c->upper_bound < x->truth - dirt) return "EXCLUDES THE TRUTH";
    if (!c->certified || c->upper_bound - c->lower_bound > x->width * relative + dirt) return "width";
    return fabs(c->distance - x->truth) <= dirt ? NULL : "distance";
}

static const char* fault(const expected* x, const wit_pose* by, double relative, double dirt, const wit_closest* c)
{
    if (x->dimension < 0) return overlap_fault(x, relative, dirt, c);
    if (c->lower_bound > x->truth + dirt || c->upper_bound < x->truth - dirt) return "EXCLUDES THE TRUTH";
    if (c->work.nodes > x->nodes) return "work";
    if (c->upper_bound - c->lower_bound > x->width * relative + dirt) return "width";
    if (!(fabs(c->distance - x->truth) <= x->width * relative + dirt)) return "distance";
    if (c->outcome != (x->dimension ? WIT_OUTCOME_NOT_UNIQUE : WIT_OUTCOME_CONVERGED)) return "outcome";
    return set_fault(x, by, c);
}

/* Prints the case; 1 if it failed. */
static int check(const expected* x, const wit_pose* by, double size, double magnitude, const wit_closest* c)
{
    double dirt = 32 * EPS * magnitude, relative = fmax(fabs(x->truth), size);
    const char* why = fault(x, by, relative, dirt, c);
    print_message("  %-45s %-11s %.15g +- %.2g, set %d, nodes %lld", x->what, wit_outcome_name(c->outcome), c->distance,
                  c->upper_bound - c->lower_bound, c->set.dimension, (long long)c->work.nodes);
    if (why) print_message("   <- %s (%.15g, set %d)", why, x->truth, x->dimension);
    print_message("\n");
    return why != NULL;
}

/* As given, and moved. */
enum { WAYS = 2 };
static wit_pose way(int k)
{
    rng r = rng_seed((uint64_t)(900 + k));
    wit_pose p = wit_pose_identity();
    if (k == 0) return p;
    p.rotation = random_turn(&r, false);
    p.position = random_vector(&r, 1, 50);
    return p;
}

static int point_case(const expected* x, const wit_body* body, wit_vec3 point)
{
    int failed = 0;
    for (int rigorous = 0; rigorous < 2; rigorous++)
        for (int k = 0; k < WAYS; k++) {
            wit_query_def def = wit_query_default_def();
            def.rigorous = rigorous;
            wit_query* query = wit_query_create(&def, NULL, NULL);
            wit_pose by = way(k);
            wit_placed a = wit_placed_at(body, by);
            wit_closest c;
            assert_int_equal(wit_closest_point(query, &a, wit_pose_point(&by, point), &c), WIT_OK);
            double size = wit_body_describe(body).size;
            failed += check(x, &by, size, size + norm3(by.position) + norm3(point), &c);
            wit_query_destroy(query);
        }
    return failed;
}

static int pair_case(const expected* x, const wit_body* a, const wit_body* b, wit_pose pose_b)
{
    int failed = 0;
    for (int rigorous = 0; rigorous < 2; rigorous++)
        for (int k = 0; k < WAYS; k++) {
            wit_query_def def = wit_query_default_def();
            def.rigorous = rigorous;
            wit_query* query = wit_query_create(&def, NULL, NULL);
            wit_pose by = way(k);
            wit_placed at_a = wit_placed_at(a, by), at_b = wit_placed_at(b, wit_pose_compose(&by, &pose_b));
            wit_closest c;
            assert_int_equal(wit_closest_pair(query, &at_a, &at_b, &c), WIT_OK);
            double size_a = wit_body_describe(a).size, size_b = wit_body_describe(b).size;
            failed +=
                check(x, &by, fmin(size_a, size_b), size_a + size_b + norm3(by.position) + norm3(pose_b.position), &c);
            wit_query_destroy(query);
        }
    return failed;
}

/* ---- points ---------------------------------------------------------------------------------- */

static const wit_vec3 none = {0, 0, 0}, axis_z = {0, 0, 1};

static void centres_and_axes_are_not_unique(void** state)
{
    (void)state;
    int failed = 0;
    static const struct {
        const char* model;
        wit_vec3 point;
        expected x;
    } cases[] = {
        {"sphere", {0, 0, 0}, {"centre of a sphere", -10, 2, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"cylinder", {0, 0, 15}, {"axis of a cylinder", -10, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"frustum", {0, 0, 7}, {"axis of a frustum", 0, 0, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"cone", {0, 0, 10}, {"axis of a cone", 0, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"capsule", {0, 0, 10}, {"axis of a capsule", -5, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"capsule", {0, 0, 19.5}, {"axis of a capsule, near its end", -5, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"capsule", {0, 0, 0}, {"end of the axis of a capsule", -5, 2, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"torus", {10, 0, 0}, {"middle of the tube of a torus", -3, 1, {0, 1, 0}, CLOSED_NODES, 1e-9}},
        {"torus", {0, 0, 0}, {"centre of a torus", 7, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"torus", {0, 0, 5}, {"axis of a torus", 8.180339887498949, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"torus-nurbs", {10, 0, 0}, {"middle of the tube, torus of splines", -3, 1, {0, 1, 0}, NODES, 1e-6}},
        {"torus-nurbs", {0, 0, 0}, {"centre of a torus of splines", 7, 1, {0, 0, 1}, NODES, 1e-6}},
        {"torus-nurbs", {0, 0, 5}, {"axis of a torus of splines", 8.180339887498949, 1, {0, 0, 1}, NODES, 1e-6}},
        {"box", {0, 0, 0}, {"centre of a box, two faces", -10, 0, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"ellipsoid", {0, 0, 0}, {"centre of an ellipsoid, two poles", -1, 0, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"bowl", {0, 0, 7}, {"centre of the sphere in the bowl", 5, 2, {0, 0, 0}, CLOSED_NODES, 1e-9}},
        {"bowl", {0, 0, 9}, {"above the bowl, its rim", 6.4031242374328485, 1, {0, 0, 1}, CLOSED_NODES, 1e-9}},
        {"goblet", {0, 0, 10}, {"axis of a goblet", 0, 1, {0, 0, 1}, NODES, 1e-6}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        cold_body b = cold_model(cases[k].model, 1);
        expected x = cases[k].x;
        if (!strcmp(cases[k].model, "cone")) x.truth = -6 / sqrt(1.16); /* slope 10 in 25 */
        if (!strcmp(cases[k].model, "frustum")) {
            x.truth = -7; /* the bottom, at one point; the side is (10 - 28 / 15) / sqrt(1 + (4 / 15)^2) = 7.86 away */
        }
        if (!strcmp(cases[k].model, "goblet")) {
            dense_place place;
            x.truth = -dense_point(b.search, NULL, cases[k].point, &place);
        }
        failed += point_case(&x, b.body, cases[k].point);
        cold_drop(&b);
    }
    assert_int_equal(failed, 0);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static void concentric_and_coaxial_pairs_are_not_unique(void** state)
{
    (void)state;
    int failed = 0;
    cold_body ball = cold_model("sphere", 1), can = cold_model("cylinder", 1), ring = cold_model("torus", 1);
    wit_body *shell = sphere_sheet(20), *pipe = cylinder_sheet(25, -40, 40);
    expected x = {"concentric spheres", 10, 2, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, ball.body, shell, wit_pose_identity());
    x = (expected){"coaxial cylinders", 15, 2, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, can.body, pipe, wit_pose_identity());
    x = (expected){"ball in a pipe", 15, 1, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, ball.body, pipe, wit_pose_identity());
    x = (expected){"cylinders end to end", 5, 2, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, can.body, can.body, at(0, 0, 35));
    x = (expected){"parallel cylinders", 7, 1, {1, 0, 0}, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, can.body, can.body, at(27, 0, 10));
    x = (expected){"torus in a pipe", 12, 1, axis_z, NODES, 1e-6};
    failed += pair_case(&x, ring.body, pipe, wit_pose_identity());
    x = (expected){"ball in a torus", 2, 1, axis_z, NODES, 1e-6};
    wit_body* pea = sphere_sheet(5);
    failed += pair_case(&x, pea, ring.body, wit_pose_identity());
    x = (expected){"sphere inside a solid sphere", 0, -1, none, NODES, 1e-9};
    failed += pair_case(&x, ball.body, pea, wit_pose_identity());
    wit_body_destroy(pea);
    wit_body_destroy(shell);
    wit_body_destroy(pipe);
    cold_drop(&ball);
    cold_drop(&can);
    cold_drop(&ring);
    assert_int_equal(failed, 0);
}

static void flat_faces_in_parallel_are_not_unique(void** state)
{
    (void)state;
    int failed = 0;
    cold_body box = cold_model("box", 1), can = cold_model("cylinder", 1), half = cold_model("half-space", 1),
              ball = cold_model("sphere", 1);
    wit_body* sheet = plane_sheet(8);
    expected x = {"boxes face to face", 5, 2, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, box.body, box.body, at(3, 4, 25));
    x = (expected){"box with an edge over a face", 4, 1, axis_z, CLOSED_NODES, 1e-9};
    /* Turned by 45 degrees about x the lowest edge is 25 / sqrt 2 below the middle. */
    failed += pair_case(&x, box.body, box.body, turned(0, 0, 14 + 25 / sqrt(2), vec3(1, 0, 0), PI / 4));
    x = (expected){"boxes corner to corner", sqrt(3), 0, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, box.body, box.body, at(41, 31, 21));
    x = (expected){"boxes edge along edge", sqrt(2), 1, {1, 0, 0}, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, box.body, box.body, at(41, 5, 21));
    x = (expected){"parallel planes", 3, 2, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, sheet, sheet, turned(1, 2, 3, vec3(0, 0, 1), 0.3));
    x = (expected){"half-spaces that face each other", 7, 2, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, half.body, turned(0, 0, 7, vec3(1, 0, 0), PI));
    x = (expected){"half-spaces, one in the other", 0, -1, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, half.body, at(0, 0, 7));
    x = (expected){"half-spaces that cross far away", 0, -1, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, half.body, turned(0, 0, 7, vec3(1, 0, 0), PI - 1e-3));
    x = (expected){"ball over a half-space", 2, 0, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, ball.body, at(4, 5, 12));
    x = (expected){"cylinder standing over a half-space", 2, 2, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, can.body, at(4, 5, 2));
    x = (expected){"cylinder lying over a half-space", 2, 1, axis_z, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, half.body, can.body, turned(4, 5, 12, vec3(1, 0, 0), PI / 2));
    x = (expected){"boxes that share a face", 0, -1, none, NODES, 1e-9};
    failed += pair_case(&x, box.body, box.body, at(0, 0, 20));
    wit_body_destroy(sheet);
    cold_drop(&box);
    cold_drop(&can);
    cold_drop(&half);
    cold_drop(&ball);
    assert_int_equal(failed, 0);
}

static void pen_above_the_axis_of_the_bowl_is_not_unique(void** state)
{
    (void)state;
    int failed = 0;
    cold_body pen = cold_model("pen", 1), bowl = cold_model("bowl", 1);
    static const double heights[] = {7.5, 8, 10, 20};
    for (int k = 0; k < 4; k++) {
        double h = heights[k];
        expected x = {"pen above the rim", sqrt(16 + (h - 4) * (h - 4)), 1, axis_z, CLOSED_NODES, 1e-9};
        failed += pair_case(&x, bowl.body, pen.body, at(0, 0, h));
    }
    expected x = {"tip of the pen over the bottom", 3, 0, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, bowl.body, pen.body, at(0, 0, 5));
    x = (expected){"tip of the pen at the centre of the sphere", 5, 2, none, CLOSED_NODES, 1e-9};
    failed += pair_case(&x, bowl.body, pen.body, at(0, 0, 7));
    x = (expected){"pen upside down in the bowl", 5 - sqrt(0.25 + 4), 1, axis_z, NODES, 1e-9};
    failed += pair_case(&x, bowl.body, pen.body, turned(0, 0, 12, vec3(1, 0, 0), PI));
    x = (expected){"end of the pen over the rim", 1, 1, axis_z, NODES, 1e-9};
    failed += pair_case(&x, bowl.body, pen.body, turned(0, -4, 12, vec3(1, 0, 0), PI));
    cold_drop(&pen);
    cold_drop(&bowl);
    assert_int_equal(failed, 0);
}

/* Of a convex body with itself: its least width. 0: not known. */
static double depth_in_itself(const char* name)
{
    static const struct {
        const char* name;
        double depth;
    } known[] = {{"box", -20},      {"capsule", -10}, {"cylinder", -20},
                 {"ellipsoid", -2}, {"frustum", -15}, {"sphere", -20}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].name, name)) return known[i].depth;
    return 0;
}

static void body_with_itself_is_no_trap(void** state)
{
    (void)state;
    int failed = 0;
    static cold_body bodies[COLD_ROOM];
    int n = cold_all(1, 431, bodies);
    n += cold_foreign(1, bodies + n);
    for (int k = 0; k < n; k++) {
        expected x = {bodies[k].name, depth_in_itself(bodies[k].name), -1, none, NODES, 1e-9};
        wit_query* query = wit_query_create(NULL, NULL, NULL);
        wit_placed a = wit_placed_at(bodies[k].body, wit_pose_identity()), b = a;
        wit_closest c;
        assert_int_equal(wit_closest_pair(query, &a, &b, &c), WIT_OK);
        failed += check(&x, &a.pose, bodies[k].size, bodies[k].size + norm3(bodies[k].centre), &c);
        wit_query_destroy(query);
        cold_drop(&bodies[k]);
    }
    assert_int_equal(failed, 0);
}

/* ---- next to such places --------------------------------------------------------------------- */

/* Off the axes and centres by 1e-15 to 1e-1: the bracket is right whatever the outcome, and work ends. */
static void places_beside_are_bracketed(void** state)
{
    (void)state;
    static const char* const names[] = {"sphere", "cylinder", "cone", "capsule", "torus", "torus-nurbs", "bowl"};
    enum { N = sizeof names / sizeof names[0] };
    rng r = rng_seed(432);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    tally points = {0}, pairs = {0};
    long unfinished = 0, overlong = 0;
    cold_body bodies[N], pen = cold_model("pen", 1);
    for (int k = 0; k < N; k++) bodies[k] = cold_model(names[k], 1);
    long count = campaign(6000);
    for (long k = 0; k < count; k++) {
        wit_query_def def = wit_query_default_def();
        def.rigorous = k % 2;
        def.budget = BESIDE;
        assert_int_equal(wit_query_set(query, &def, NULL), WIT_OK);
        const cold_body* b = &bodies[k % N];
        double off = b->size * pow(10, rng_range(&r, -15, -1));
        double height = rng_range(&r, -0.5, 0.5) * b->size * (double)(k / N % 2);
        asked q = {.def = &def, .a = b, .pose_a = wit_pose_identity()};
        q.point = addscaled3(vec3(0, 0, (k % N == 6 ? 7 : b->centre.z) + height), off, random_unit(&r));
        wit_placed a = wit_placed_at(b->body, q.pose_a);
        wit_closest c;
        assert_int_equal(wit_closest_point(query, &a, q.point, &c), WIT_OK);
        judge_point(&points, &q, &c);
        /* closed forms end every tie of analytic shapes; sets are followed so far and no farther */
        unfinished += k % N != SPLINES && c.outcome == WIT_OUTCOME_BUDGET;
        overlong += c.work.jets > 2 * BESIDE + SET_JETS;
        if (k % 20) continue;
        asked p = {.def = &def, .a = &bodies[6], .b = &pen, .pose_a = wit_pose_identity()};
        p.pose_b = at(0, 0, rng_range(&r, 7, 12));
        p.pose_b.position = addscaled3(p.pose_b.position, off, random_unit(&r));
        if (k % 40) p.pose_b.rotation = wit_quat_about(random_unit(&r), pow(10, rng_range(&r, -15, -1)));
        wit_placed at_a = wit_placed_at(p.a->body, p.pose_a), at_b = wit_placed_at(pen.body, p.pose_b);
        assert_int_equal(wit_closest_pair(query, &at_a, &at_b, &c), WIT_OK);
        judge_pair(&pairs, &p, &c);
    }
    tally_print("points beside", &points);
    tally_print("pairs beside", &pairs);
    for (int k = 0; k < N; k++) cold_drop(&bodies[k]);
    cold_drop(&pen);
    wit_query_destroy(query);
    assert_int_equal(unfinished, 0);
    assert_int_equal(overlong, 0);
    assert_int_equal(points.wrong + pairs.wrong, 0);
    assert_int_equal(points.excluded + pairs.excluded, 0);
    /* Brackets of nearly degenerate places may be left wide, but few. */
    assert_true(points.gaps <= points.queries / 10 && pairs.gaps <= pairs.queries / 10);
    assert_true(points.most <= BESIDE + 64 && pairs.most <= BESIDE + 64);
}

/* A goblet on a foot of radius r: the rim of a disc hardly wider than what the bracket has to be. */
static wit_body* goblet_on(double r)
{
    const double knots[] = {0, 0, 0, 0, 1, 2, 3, 3, 3, 3};
    const double points[] = {r, 0, 0, 10, 0, 4, 2, 0, 5, 2, 0, 25, 14, 0, 28, 6, 0, 50};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 3;
    c.count = 6;
    c.knots = knots;
    c.knot_count = 10;
    c.points = points;
    wit_curve* profile = wit_curve_create(&c, NULL, NULL);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.profile = profile;
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    wit_curve_destroy(profile);
    return body;
}

/* b - a = distance * normal, outside and inside, however little is between them, of the closest place and of minima. */
static void gaps_run_along_the_normal_by_tiny_features(void** state)
{
    (void)state;
    wit_query_def def = wit_query_default_def();
    int inside = 0, every = campaign_every(3, 9);
    for (int k = 0; k < 12; ++k) {
        double r = pow(10, -9 + 0.5 * k);
        def.rigorous = k & 1;
        wit_query* query = wit_query_create(&def, NULL, NULL);
        wit_placed at = wit_placed_at(goblet_on(r), wit_pose_identity());
        assert_non_null(at.body);
        for (int i = k % every; i < 27; i += every) {
            wit_vec3 point = vec3(r * (i % 3 - 1), r * (i / 3 % 3 - 1), 0.5 * r * (i / 9 - 1));
            wit_closest c;
            wit_minimum list[8];
            wit_minima_summary s;
            assert_int_equal(wit_closest_point(query, &at, point, &c), WIT_OK);
            inside += c.distance < 0;
            assert_true(norm3(sub3(addscaled3(c.a.point, c.distance, c.normal), point)) <= 1e-13);
            assert_int_equal(wit_minima_point(query, &at, point, list, 8, &s), WIT_OK);
            for (int m = 0; m < s.count && m < 8; ++m)
                assert_true(norm3(sub3(addscaled3(list[m].a.point, list[m].distance, list[m].normal), point)) <= 1e-13);
        }
        wit_body_destroy((wit_body*)at.body);
        wit_query_destroy(query);
    }
    assert_true(inside * every > 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centres_and_axes_are_not_unique),
        cmocka_unit_test(concentric_and_coaxial_pairs_are_not_unique),
        cmocka_unit_test(flat_faces_in_parallel_are_not_unique),
        cmocka_unit_test(pen_above_the_axis_of_the_bowl_is_not_unique),
        cmocka_unit_test(body_with_itself_is_no_trap),
        cmocka_unit_test(places_beside_are_bracketed),
        cmocka_unit_test(gaps_run_along_the_normal_by_tiny_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
