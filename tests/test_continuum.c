/* SPDX-License-Identifier: MIT */
/* Closest sets that are curves or areas: found from any of their points, measured, and given by one and the same pair. */
#include "../include/witness/io.h"
#include "../src/query/search_task.h"
#include "../src/pair/refine.h"
#include "../src/pair/lowest_place.h"
#include "campaign.h"
#include "placing.h"
#include "../src/query/search/answer_set.h"

#define SET_PI 3.14159265358979323846

/* ---- bodies -------------------------------------------------------------------------------- */

static wit_body* solid(wit_solid_kind kind, double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = x;
    d.size_y = y;
    d.size_z = z;
    d.radius = x;
    d.radius2 = y;
    d.height = z;
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static const wit_body* body_of_model(const char* path, wit_model** model)
{
    wit_error e = {0};
    *model = wit_model_read_file(path, NULL, &e);
    if (!*model) fail_msg("%s: %s", path, e.text);
    return wit_model_body(*model, 0);
}

/* ---- the task, and pairs that attain the distance ------------------------------------------ */

static wit_work account; /* of all tasks below */

static search_task task_of(const wit_body* a, const wit_pose* pa, const wit_body* b, const wit_pose* pb)
{
    search_task t;
    memset(&t, 0, sizeof t);
    wit_placed x = {a, *pa, NULL}, y = {b, *pb, NULL};
    t.a = wi_side_of(&x, pa, NULL);
    t.b = wi_side_of(&y, pa, NULL);
    wi_side_clip(&t.a, &t.b);
    wi_side_clip(&t.b, &t.a);
    t.size = a->size > 0 && b->size > 0 ? fmin(a->size, b->size) : fmax(a->size, b->size);
    wit_box box = wi_side_box(&t.b);
    double reach = fmax(norm3(a->box.lo), norm3(a->box.hi));
    reach = fmax(reach, fmax(norm3(box.lo), norm3(box.hi)));
    t.floor = 32 * EPS * reach;
    t.tolerance = 1e-9;
    t.within = INFINITY;
    t.budget = 200000;
    t.work = t.a.work = t.b.work = &account;
    return t;
}

static int feature_count(const wit_body* b, int kind)
{
    return kind == WIT_FACE ? b->face_count : kind == WIT_EDGE ? b->edge_count : b->vertex_count;
}

static place random_place(const side* s, wit_feature_kind kind, int id, rng* r)
{
    wit_interval range[2];
    bool closed[2];
    wit_surface_jet j;
    wi_side_range(s, kind, id, range, closed);
    place p = place_at(kind, id, 0, 0, vec3(0, 0, 0));
    for (int k = 0; k < 50; ++k) {
        p.u = rng_range(r, range[0].lo, range[0].hi);
        p.v = rng_range(r, range[1].lo, range[1].hi);
        if (wi_side_contains(s, kind, id, p.u, p.v)) break;
    }
    wi_side_jet(s, &(place){.kind = kind, .id = id, .u = p.u, .v = p.v}, 0, NULL, &j);
    p.p = j.p;
    return p;
}

/* Lowers the distance between two features from a random start; the pair may be any of the set. */
static bool random_pair(const search_task* t, rng* r, search_answer* out)
{
    int ka = rng_int(r, 3), kb = rng_int(r, 3);
    int na = feature_count(t->a.body, ka), nb = feature_count(t->b.body, kb);
    if (!na || !nb) return false;
    place a = random_place(&t->a, (wit_feature_kind)ka, rng_int(r, na), r);
    place b = random_place(&t->b, (wit_feature_kind)kb, rng_int(r, nb), r);
    refine_bounds bounds = wi_refine_bounds_of(&t->a, &a, &t->b, &b);
    refined f;
    wi_refine_pair(&t->a, &a, &t->b, &b, &bounds, (refine_effort){60, 0}, &f);
    if (!wi_side_contains(&t->a, f.a.kind, f.a.id, f.a.u, f.a.v) ||
        !wi_side_contains(&t->b, f.b.kind, f.b.id, f.b.u, f.b.v))
        return false;
    memset(out, 0, sizeof *out);
    double slack = 1e-12 * t->size + 16 * t->floor;
    out->a = wi_lowest_place(&t->a, &f.a, slack);
    out->b = wi_lowest_place(&t->b, &f.b, slack);
    out->upper = norm3(sub3(out->a.p, out->b.p));
    return true;
}

/* ---- cases --------------------------------------------------------------------------------- */

typedef struct expected {
    int dimension;
    double distance;
    double length[2]; /* lo + hi, in any order; 0: not checked */
    bool closed[2];
} expected;

/* From many pairs of the set the same set and the same representative. */
static void set_is_found(const char* what, const wit_body* a, wit_pose pa, const wit_body* b, wit_pose pb, expected x,
                         uint64_t seed)
{
    rng r = rng_seed(seed);
    search_task t = task_of(a, &pa, b, &pb);
    wit_vec3 first_a = {0, 0, 0}, first_b = {0, 0, 0};
    int seen = 0, kinds = 0;
    double near = 1e-9 * t.size;
    for (int k = 0; k < 20000 && seen < 40; ++k) {
        search_answer f;
        if (!random_pair(&t, &r, &f)) continue;
        if (f.upper < x.distance - near)
            fail_msg("%s: distance %.17g found, %.17g expected", what, f.upper, x.distance);
        /* a search leaves touching pairs at its tolerance: F is of fourth order there */
        if (f.upper > x.distance + fmax(4 * t.floor, x.distance > 0 ? 0 : 1e-10 * t.size)) continue;
        kinds |= 1 << f.a.kind | 8 << f.b.kind;
        double before = f.upper;
        wit_closest_set set;
        bool is = wi_closest_set(&t, &f, 1e-9 * fmax(t.size, f.upper), &set);
        if (is != (x.dimension > 0) || set.dimension != x.dimension)
            fail_msg("%s: dimension %d, expected %d, at %d %d (%g %g) and %d %d (%g %g)", what, set.dimension,
                     x.dimension, f.a.kind, f.a.id, f.a.u, f.a.v, f.b.kind, f.b.id, f.b.u, f.b.v);
        ++seen;
        if (!is) continue;
        assert_true(f.upper <= before + 4 * t.floor);
        assert_true(wi_side_contains(&t.a, f.a.kind, f.a.id, f.a.u, f.a.v));
        for (int i = 0; i < set.dimension; ++i) {
            near1(norm3(set.direction[i]), 1, 1e-12, what);
            double length = set.extent[i].hi - set.extent[i].lo;
            if (x.length[i] > 0) near1(length, x.length[i], 1e-4 * x.length[i], what);
            assert_true(set.extent[i].lo <= 0 && set.extent[i].hi >= 0);
            if (set.closed[i] != x.closed[i]) fail_msg("%s: direction %d closed: %d", what, i, set.closed[i]);
        }
        if (seen == 1) first_a = f.a.p, first_b = f.b.p;
        near3(f.a.p, first_a, 1e-7 * t.size, what);
        near3(f.b.p, first_b, 1e-7 * t.size, what);
    }
    if (seen < 5) fail_msg("%s: only %d pairs of the set were met", what, seen);
    print_message("%-44s %d pairs, kinds %x\n", what, seen, (unsigned)kinds);
}

static void pen_and_bowl(void** state)
{
    (void)state;
    wit_model *mp, *mb;
    const wit_body* pen = body_of_model("models/pen.json", &mp);
    const wit_body* bowl = body_of_model("models/bowl.json", &mb);
    wit_pose o = at(0, 0, 0);
    set_is_found("tip above the bowl's axis", bowl, o, pen, at(0, 0, 8),
                 (expected){1, sqrt(32), {8 * SET_PI, 0}, {true, false}}, 1);
    set_is_found("end disc over the rim", bowl, o, pen, turned(0, -4, 12, vec3(1, 0, 0), SET_PI),
                 (expected){1, 1, {16 * asin(1.0 / 16), 0}, {false, false}}, 2);
    set_is_found("end rim inside, coaxial", bowl, o, pen, turned(0, 0, 10, vec3(1, 0, 0), SET_PI),
                 (expected){1, 5 - sqrt(16.25), {0, 0}, {true, false}}, 3);
    set_is_found("tip at the sphere's centre", bowl, o, pen, at(0, 0, 7),
                 (expected){2, 5, {10 * acos(0.6), 10 * acos(0.6)}, {false, false}}, 4);
    wit_model_destroy(mp);
    wit_model_destroy(mb);
}

static void solids_side_by_side(void** state)
{
    (void)state;
    rng r = rng_seed(5);
    for (int scale = -6; scale <= 6; scale += 6) {
        double s = pow(10, scale);
        wit_body* box = solid(WIT_SOLID_BOX, 4 * s, 3 * s, 2 * s);
        wit_body* cube = solid(WIT_SOLID_BOX, s, s, s);
        wit_body* ground = solid(WIT_SOLID_HALF_SPACE, 0, 0, 0);
        wit_body* cylinder = solid(WIT_SOLID_CYLINDER, s, 0, 4 * s);
        wit_body* capsule = solid(WIT_SOLID_CAPSULE, s, 0, 4 * s);
        wit_body* torus = solid(WIT_SOLID_TORUS, 2 * s, 0.5 * s, 0);
        wit_body* cone = solid(WIT_SOLID_CONE, 3 * s, 0, 4 * s);
        wit_pose o = turned(s, 2 * s, -s, random_unit(&r), rng_range(&r, 0, 3));
        wit_pose over = at(0, 0, 2 * s), aside = at(2 * s, 0.25 * s, 2 * s);
        set_is_found("cube over a box", box, o, cube, wit_pose_compose(&o, &over),
                     (expected){2, 0.5 * s, {s, s}, {false, false}}, 6);
        set_is_found("cube over a box's edge", box, o, cube, wit_pose_compose(&o, &aside),
                     (expected){2, 0.5 * s, {0.5 * s, s}, {false, false}}, 7);
        wit_pose lying = turned(-2 * s, 0, 2 * s, vec3(0, 1, 0), SET_PI / 2);
        set_is_found("cylinder lying over the ground", ground, o, cylinder, wit_pose_compose(&o, &lying),
                     (expected){1, s, {4 * s, 0}, {false, false}}, 8);
        wit_pose touching = turned(-2 * s, 0, s, vec3(0, 1, 0), SET_PI / 2);
        set_is_found("cylinder lying on the ground", ground, o, cylinder, wit_pose_compose(&o, &touching),
                     (expected){1, 0, {4 * s, 0}, {false, false}}, 9);
        wit_pose parallel = at(3 * s, 0, s);
        set_is_found("capsules side by side", capsule, o, capsule, wit_pose_compose(&o, &parallel),
                     (expected){1, s, {3 * s, 0}, {false, false}}, 10);
        wit_pose ring = at(0, 0, 2 * s);
        set_is_found("torus over the ground", ground, o, torus, wit_pose_compose(&o, &ring),
                     (expected){1, 1.5 * s, {4 * SET_PI * s, 0}, {true, false}}, 11);
        set_is_found("torus over a torus", torus, o, torus, wit_pose_compose(&o, &ring),
                     (expected){1, s, {4 * SET_PI * s, 0}, {true, false}}, 12);
        /* half angle atan 3/4: laid on its side */
        wit_pose laid = turned(0, 0, 5 * s, vec3(0, 1, 0), SET_PI / 2 + atan(0.75));
        set_is_found("cone lying over the ground", ground, o, cone, wit_pose_compose(&o, &laid),
                     (expected){1, 5 * s - 2.4 * s, {5 * s, 0}, {false, false}}, 13);
        wit_body_destroy(box);
        wit_body_destroy(cube);
        wit_body_destroy(ground);
        wit_body_destroy(cylinder);
        wit_body_destroy(capsule);
        wit_body_destroy(torus);
        wit_body_destroy(cone);
    }
}

/* Touching along a circle, from places of it that are off by as much as a search may leave them. */
static void ring_is_found(const wit_body* ground, const wit_body* torus)
{
    rng r = rng_seed(64);
    wit_pose o = at(0, 0, 0), up = at(0, 0, 0.5);
    search_task t = task_of(ground, &o, torus, &up);
    wit_vec3 first = {0, 0, 0};
    for (int k = 0; k < 40; ++k) {
        double off = k < 10 ? 0 : 1e-8, u = rng_range(&r, 0, 2 * SET_PI);
        double v = 1.5 * SET_PI + rng_range(&r, -off, off), x = 2 * cos(u) + rng_range(&r, -off, off);
        place a = place_at(WIT_FACE, 0, x, 2 * sin(u), vec3(x, 2 * sin(u), 0)),
              b = place_at(WIT_FACE, 0, u, v, vec3(0, 0, 0));
        wit_surface_jet j;
        side_face_jet(&t.b, 0, u, v, 0, &j);
        search_answer f = {.a = a, .b = b};
        f.b.p = j.p;
        f.upper = norm3(sub3(f.a.p, f.b.p));
        double before = f.upper;
        wit_closest_set set;
        assert_true(wi_closest_set(&t, &f, 1e-9 * t.size, &set));
        assert_int_equal(set.dimension, 1);
        assert_true(set.closed[0] && f.upper <= before + 4 * t.floor);
        near1(set.extent[0].hi - set.extent[0].lo, 4 * SET_PI, 1e-6, "the circle");
        if (k == 0) first = f.a.p;
        near3(f.a.p, first, 1e-6, "the same point of it"); /* the circle is known to the root of the rounding */
    }
}

static void contacts_along_lines_and_areas(void** state)
{
    (void)state;
    wit_body* box = solid(WIT_SOLID_BOX, 4, 3, 2);
    wit_body* cube = solid(WIT_SOLID_BOX, 1, 1, 1);
    wit_body* ground = solid(WIT_SOLID_HALF_SPACE, 0, 0, 0);
    wit_body* torus = solid(WIT_SOLID_TORUS, 2, 0.5, 0);
    wit_body* ball = solid(WIT_SOLID_SPHERE, 1, 0, 0);
    wit_pose o = at(0, 0, 0);
    set_is_found("cube standing on a box", box, o, cube, at(0.25, 0.5, 1.5), (expected){2, 0, {1, 1}, {false, false}},
                 60);
    wit_pose askew = turned(1.7, 1.2, 2, vec3(0, 0, 1), 0.4);
    set_is_found("cube askew over a corner", box, o, cube, askew, (expected){2, 0.5, {0, 0}, {false, false}}, 61);
    wit_pose on_edge = turned(0, 0, 2, vec3(1, 0, 0), 0.5);
    set_is_found("cube over a box, tilted on an edge", box, o, cube, on_edge,
                 (expected){1, 1 - 0.5 * (cos(0.5) + sin(0.5)), {1, 0}, {false, false}}, 62);
    wit_pose beside = turned(0.25, 4, 1.2, vec3(1, 0, 0), SET_PI / 4);
    set_is_found("edges side by side", box, o, cube, beside,
                 (expected){1, hypot(2.5 - sqrt(0.5), 0.2), {1, 0}, {false, false}}, 63);
    ring_is_found(ground, torus);
    set_is_found("a ball with itself", ball, o, ball, o, (expected){2, 0, {2 * SET_PI, 2 * SET_PI}, {true, true}}, 65);
    wit_body_destroy(box);
    wit_body_destroy(cube);
    wit_body_destroy(ground);
    wit_body_destroy(torus);
    wit_body_destroy(ball);
}

/* A point, from any closest place on the face. */
static void point_set_is_found(const char* what, const wit_body* a, wit_vec3 p, int dimension, double distance,
                               double length, bool closed)
{
    rng r = rng_seed(9);
    search_task t;
    memset(&t, 0, sizeof t);
    wit_placed placed = {a, wit_pose_identity(), NULL};
    t.a = wi_side_of(&placed, &placed.pose, NULL);
    t.b = wi_side_of_point(p);
    t.size = a->size;
    t.floor = 32 * EPS * (a->size + norm3(p));
    t.work = t.a.work = t.b.work = &account;
    place b = place_at(WIT_POINT, -1, 0, 0, p);
    wit_vec3 first = {0, 0, 0};
    int seen = 0;
    for (int k = 0; k < 2000 && seen < 30; ++k) {
        place start = random_place(&t.a, WIT_FACE, 0, &r);
        refine_bounds bounds = wi_refine_bounds_of(&t.a, &start, &t.b, &b);
        refined f;
        wi_refine_pair(&t.a, &start, &t.b, &b, &bounds, (refine_effort){60, 0}, &f);
        if (f.distance > distance + 4 * t.floor || !wi_side_contains(&t.a, WIT_FACE, 0, f.a.u, f.a.v)) continue;
        search_answer g = {.a = wi_lowest_place(&t.a, &f.a, 16 * t.floor), .b = b, .upper = f.distance};
        wit_closest_set set;
        wi_closest_set(&t, &g, 1e-9 * t.size, &set);
        if (set.dimension != dimension) fail_msg("%s: dimension %d from (%g, %g)", what, set.dimension, f.a.u, f.a.v);
        near1(set.extent[0].hi - set.extent[0].lo, length, 1e-6 * length, what);
        assert_int_equal(set.closed[0], closed);
        if (!seen++) first = g.a.p;
        if (dimension) near3(g.a.p, first, 1e-7 * t.size, what);
    }
    if (seen < 5) fail_msg("%s: only %d places met", what, seen);
}

static void points_on_axes_and_at_centres(void** state)
{
    (void)state;
    wit_body* ball = solid(WIT_SOLID_SPHERE, 1, 0, 0);
    wit_body* cylinder = solid(WIT_SOLID_CYLINDER, 1, 0, 4);
    wit_body* torus = solid(WIT_SOLID_TORUS, 2, 0.5, 0);
    wit_body* cone = solid(WIT_SOLID_CONE, 3, 0, 4);
    point_set_is_found("at the centre of a sphere", ball, vec3(0, 0, 0), 2, 1, 2 * SET_PI, true);
    point_set_is_found("beside the centre of a sphere", ball, vec3(1e-3, 0, 0), 0, 0.999, 0, false);
    point_set_is_found("on the axis of a cylinder", cylinder, vec3(0, 0, 2.5), 1, 1, 2 * SET_PI, true);
    point_set_is_found("on the axis of a torus", torus, vec3(0, 0, 1), 1, sqrt(5) - 0.5,
                       2 * SET_PI * (2 - 0.5 * 2 / sqrt(5)), true);
    point_set_is_found("on the circle within a torus", torus, vec3(0, 2, 0), 1, 0.5, SET_PI, true);
    point_set_is_found("on the axis of a cone", cone, vec3(0, 0, 1.5), 1, 1.5, 2 * SET_PI * 1.2, true);
    wit_body_destroy(ball);
    wit_body_destroy(cylinder);
    wit_body_destroy(torus);
    wit_body_destroy(cone);
}

static void one_in_the_other(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 3;
    d.range_v = iv(-2, 5);
    wit_body* tube = sheet_of(&d);
    wit_body *cylinder = solid(WIT_SOLID_CYLINDER, 1, 0, 4), *ball = solid(WIT_SOLID_SPHERE, 1, 0, 0);
    d = wit_surface_default_def(WIT_SURFACE_SPHERE);
    d.radius = 3;
    wit_body* shell = sheet_of(&d);
    wit_pose o = turned(1, 2, 3, vec3(1, 2, 2), 0.7), up = at(0, 0, 0.5);
    set_is_found("cylinder in a tube", tube, o, cylinder, wit_pose_compose(&o, &up),
                 (expected){2, 2, {6 * SET_PI, 4}, {true, false}}, 20);
    set_is_found("concentric spheres", shell, o, ball, o, (expected){2, 2, {6 * SET_PI, 6 * SET_PI}, {true, true}}, 21);
    wit_pose off = at(0.5, 0, 0.5);
    set_is_found("cylinder in a tube, off its axis", tube, o, cylinder, wit_pose_compose(&o, &off),
                 (expected){1, 1.5, {4, 0}, {false, false}}, 22);
    wit_body_destroy(tube);
    wit_body_destroy(cylinder);
    wit_body_destroy(ball);
    wit_body_destroy(shell);
}

/* ---- what is no set ------------------------------------------------------------------------ */

/* z = x^4 + y^4 as a Bezier patch of degree 4: over a plane its second derivatives vanish, and it is a point. */
static void fourth_order_growth_is_a_point(void** state)
{
    (void)state;
    double points[75], knots[10] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
    static const double fourth[5] = {1, -1, 1, -1, 1}; /* (2t - 1)^4 */
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) {
            double* p = points + 3 * (5 * i + j);
            p[0] = i / 2.0 - 1;
            p[1] = j / 2.0 - 1;
            p[2] = fourth[i] + fourth[j];
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 4;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 10;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    wit_body* flat = sheet_of(&d);
    wit_body* ground = solid(WIT_SOLID_HALF_SPACE, 0, 0, 0);
    for (int k = 0; k < 6; ++k) {
        double gap = k % 3 == 0 ? 1 : k % 3 == 1 ? 1e-6 : 0, tolerance = k < 3 ? 1e-9 : 1e-3;
        wit_pose o = at(0, 0, 0), up = at(0, 0, gap);
        search_task t = task_of(ground, &o, flat, &up);
        search_answer f = {.a = place_at(WIT_FACE, 0, 0, 0, vec3(0, 0, 0)),
                           .b = place_at(WIT_FACE, 0, 0.5, 0.5, vec3(0, 0, gap))};
        f.upper = gap;
        wit_closest_set set;
        assert_false(wi_closest_set(&t, &f, tolerance * t.size, &set));
        assert_int_equal(set.dimension, 0);
        assert_true(f.a.u == 0 && f.b.u == 0.5);
    }
    wit_body_destroy(flat);
    wit_body_destroy(ground);
}

/* Down to touch and from places that are off by as much as a search may leave them: the distance does not tell. */
static void contacts_are_points(void** state)
{
    (void)state;
    rng r = rng_seed(8);
    wit_body* ball = solid(WIT_SOLID_SPHERE, 1, 0, 0);
    wit_body* ground = solid(WIT_SOLID_HALF_SPACE, 0, 0, 0);
    wit_body* cylinder = solid(WIT_SOLID_CYLINDER, 1, 0, 4);
    wit_pose o = at(0, 0, 0);
    for (int k = 0; k < 600; ++k) {
        double gap = k % 15 == 14 ? 0 : pow(10, -(k % 15)), off = k < 15 ? 0 : 1e-8;
        wit_pose up = turned(0.5, 0.25, 1 + gap, vec3(1, 0, 0), -SET_PI / 2); /* the pole aside */
        wit_pose across = turned(2 + gap, -2, 2, vec3(1, 0, 0), -SET_PI / 2);
        search_task t = k % 2 ? task_of(ground, &o, ball, &up) : task_of(cylinder, &o, cylinder, &across);
        place a = place_at(WIT_FACE, 0, k % 2 ? 0.5 : 0, k % 2 ? 0.25 : 2, vec3(0, 0, 0));
        place b = place_at(WIT_FACE, 0, k % 2 ? 0.5 * SET_PI : SET_PI, k % 2 ? 0 : 2, vec3(0, 0, 0));
        a.u += rng_range(&r, -off, off);
        a.v += rng_range(&r, -off, off);
        b.u += rng_range(&r, -off, off);
        b.v += rng_range(&r, -off, off);
        wit_surface_jet ja, jb;
        side_face_jet(&t.a, 0, a.u, a.v, 0, &ja);
        side_face_jet(&t.b, 0, b.u, b.v, 0, &jb);
        search_answer f = {.a = a, .b = b};
        f.a.p = ja.p;
        f.b.p = jb.p;
        f.upper = norm3(sub3(ja.p, jb.p));
        near1(f.upper, gap, 4 * off + 16 * t.floor, "the pair");
        wit_closest_set set;
        if (wi_closest_set(&t, &f, 1e-9, &set))
            fail_msg("gap %g off %g: dimension %d, %g to %g", gap, off, set.dimension, set.extent[0].lo,
                     set.extent[0].hi);
    }
    wit_body_destroy(ball);
    wit_body_destroy(ground);
    wit_body_destroy(cylinder);
}

static void generic_pairs_are_points(void** state)
{
    (void)state;
    static const wit_solid_kind kinds[] = {WIT_SOLID_BOX,  WIT_SOLID_SPHERE,  WIT_SOLID_ELLIPSOID, WIT_SOLID_CYLINDER,
                                           WIT_SOLID_CONE, WIT_SOLID_FRUSTUM, WIT_SOLID_CAPSULE,   WIT_SOLID_TORUS};
    rng r = rng_seed(7);
    long rounds = campaign(2000), asked = 0;
    for (long k = 0; k < rounds; ++k) {
        wit_body* body[2];
        for (int i = 0; i < 2; ++i) {
            double x = rng_range(&r, 1, 2), y = rng_range(&r, 0.3, 0.9);
            body[i] = solid(kinds[rng_int(&r, 8)], x, y, rng_range(&r, 0.5, 3));
        }
        wit_pose o = at(0, 0, 0), p = o;
        p.position = random_vector(&r, 5, 9);
        wit_vec3 axis = random_unit(&r);
        p.rotation = wit_quat_about(axis, rng_range(&r, -3, 3));
        search_task t = task_of(body[0], &o, body[1], &p);
        search_answer best = {.upper = INFINITY}, f;
        for (int n = 0; n < 60; ++n)
            if (random_pair(&t, &r, &f) && f.upper < best.upper) best = f;
        wit_closest_set set;
        place a = best.a, b = best.b;
        if (wi_closest_set(&t, &best, 1e-9 * t.size, &set))
            fail_msg("%ld: dimension %d, %g to %g, at distance %g", k, set.dimension, set.extent[0].lo,
                     set.extent[0].hi, best.upper);
        assert_memory_equal(&a, &best.a, sizeof a);
        assert_memory_equal(&b, &best.b, sizeof b);
        ++asked;
        wit_body_destroy(body[0]);
        wit_body_destroy(body[1]);
    }
    print_message("%ld generic pairs\n", asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pen_and_bowl),
        cmocka_unit_test(solids_side_by_side),
        cmocka_unit_test(one_in_the_other),
        cmocka_unit_test(contacts_along_lines_and_areas),
        cmocka_unit_test(points_on_axes_and_at_centres),
        cmocka_unit_test(fourth_order_growth_is_a_point),
        cmocka_unit_test(contacts_are_points),
        cmocka_unit_test(generic_pairs_are_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
