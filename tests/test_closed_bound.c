/* SPDX-License-Identifier: MIT */
/* Lower bounds between complete analytic shapes: never above a distance that is attained, exact where they say so. */
#include "../src/query/search_task.h"
#include "analytic.h"
#include "campaign.h"
#include "../src/query/search/closed_bound.h"

#define HALF_PI 1.5707963267948966

/* ---- bodies of one face, or a circle, or a line -------------------------------------------- */

static wit_frame frame_at(wit_vec3 o, wit_vec3 z)
{
    wit_frame f = {o, {0, 0, 0}, z};
    wit_vec3 y;
    complete3(unit3(z), &f.x, &y);
    return f;
}

static wit_body* sheet_of(const wit_surface* s)
{
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.face_count = 1;
    d.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

static wit_body* sheet(const wit_surface_def* def)
{
    wit_surface* s = surface_made(def);
    wit_body* b = sheet_of(s);
    wit_surface_destroy(s);
    return b;
}

static wit_surface_def surface_at(wit_surface_kind kind, double size, wit_vec3 o, wit_vec3 z)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame = frame_at(o, z);
    d.radius = size;
    d.minor = 0.3 * size;
    d.angle = 0.5;
    if (kind == WIT_SURFACE_PLANE) d.range_u = iv(-size, size), d.range_v = iv(-2 * size, size);
    if (kind == WIT_SURFACE_CYLINDER) d.range_v = iv(-2 * size, 1.5 * size);
    if (kind == WIT_SURFACE_CONE) d.range_v = iv(-1.5 * size, 1.5 * size);
    return d;
}

static side side_at(const wit_body* b, const wit_pose* pose)
{
    wit_placed p = {b, *pose, NULL};
    return wi_side_of(&p, NULL, NULL);
}

static wit_pose random_pose(rng* r, double far)
{
    wit_pose p;
    p.position = random_vector(r, 0, far);
    wit_vec3 axis = random_unit(r);
    p.rotation = wit_quat_about(axis, rng_range(r, -3, 3));
    return p;
}

/* ---- the distance that is attained, from samples and a pattern search ---------------------- */

typedef struct pair {
    const side *a, *b;
    wit_feature_kind kind_a, kind_b;
    int id_a, id_b;
    wit_interval range[4];
    bool closed[4];
} pair;

static pair pair_of(const side* a, wit_feature_kind ka, int ia, const side* b, wit_feature_kind kb, int ib)
{
    pair p = {.a = a, .b = b, .kind_a = ka, .kind_b = kb, .id_a = ia, .id_b = ib};
    wi_side_range(a, ka, ia, p.range, p.closed);
    wi_side_range(b, kb, ib, p.range + 2, p.closed + 2);
    return p;
}

static double gap_at(const pair* p, const double x[4])
{
    wit_surface_jet f, g;
    wi_side_jet(p->a, &(place){.kind = p->kind_a, .id = p->id_a, .u = x[0], .v = x[1]}, 0, NULL, &f);
    wi_side_jet(p->b, &(place){.kind = p->kind_b, .id = p->id_b, .u = x[2], .v = x[3]}, 0, NULL, &g);
    return norm3(sub3(f.p, g.p));
}

/* An upper bound of the distance between the two features, about as good as compass search makes it. */
static double attained(const pair* p, rng* r)
{
    double best = INFINITY, at[4] = {0}, step[4];
    for (int k = 0; k < 150; ++k) {
        double x[4];
        for (int i = 0; i < 4; ++i) x[i] = rng_range(r, p->range[i].lo, p->range[i].hi);
        double d = gap_at(p, x);
        if (d < best) best = d, memcpy(at, x, sizeof at);
    }
    for (int i = 0; i < 4; ++i) step[i] = 0.1 * iv_width(p->range[i]);
    for (int round = 0; round < 60; ++round) {
        bool moved = false;
        for (int k = 0; k < 8; ++k) {
            int i = k / 2;
            if (step[i] == 0) continue;
            double x[4];
            memcpy(x, at, sizeof x);
            x[i] += k % 2 ? step[i] : -step[i];
            if (!p->closed[i]) x[i] = fmin(fmax(x[i], p->range[i].lo), p->range[i].hi);
            double d = gap_at(p, x);
            if (d < best) best = d, memcpy(at, x, sizeof at), moved = true;
        }
        if (!moved)
            for (int i = 0; i < 4; ++i) step[i] *= 0.4;
    }
    return best;
}

static int features(const wit_body* b, wit_feature_kind kind)
{
    return kind == WIT_FACE ? b->face_count : kind == WIT_EDGE ? b->edge_count : b->vertex_count;
}

/* Every pair of features of two bodies: the bound is at most the distance attained, plus what evaluating may err. */
static long bounds_hold(const side* a, const side* b, rng* r, long* useful)
{
    long count = 0;
    for (int ka = 0; ka < 3; ++ka)
        for (int kb = 0; kb < 3; ++kb)
            for (int i = 0; i < features(a->body, (wit_feature_kind)ka); ++i)
                for (int j = 0; j < features(b->body, (wit_feature_kind)kb); ++j) {
                    pair p = pair_of(a, (wit_feature_kind)ka, i, b, (wit_feature_kind)kb, j);
                    double lower = wi_closed_bound(a, p.kind_a, i, b, p.kind_b, j), upper = attained(&p, r);
                    ++count;
                    if (lower > 0) ++*useful;
                    if (!(lower <= upper))
                        fail_msg("%d %d of kind %d against %d %d: bound %.17g above %.17g", ka, i,
                                 a->body->face_count ? (int)body_surface(a->body, 0)->kind : -1, kb, j, lower, upper);
                    assert_true(isfinite(lower) && lower >= 0);
                    double back = wi_closed_bound(b, p.kind_b, j, a, p.kind_a, i);
                    near1(back, lower, 64 * EPS * (a->body->size + norm3(a->t) + b->body->size + norm3(b->t)),
                          "swapped");
                }
    return count;
}

static const wit_surface_kind kinds[5] = {WIT_SURFACE_PLANE, WIT_SURFACE_CYLINDER, WIT_SURFACE_CONE, WIT_SURFACE_SPHERE,
                                          WIT_SURFACE_TORUS};

static void closed_bound_never_exceeds_the_distance(void** state)
{
    (void)state;
    rng r = rng_seed(41);
    long count = 0, useful = 0, rounds = campaign(3000);
    for (long k = 0; k < rounds; ++k) {
        static const double sizes[3] = {1, 1e-6, 1e6};
        double size = sizes[k % 3];
        wit_surface_def da = random_quadric(&r, kinds[rng_int(&r, 5)], size);
        double other = size * rng_range(&r, 0.2, 2);
        wit_surface_def db = random_quadric(&r, kinds[rng_int(&r, 5)], other);
        wit_body *a = sheet(&da), *b = sheet(&db);
        wit_pose pa = random_pose(&r, 3 * size), pb = random_pose(&r, 3 * size);
        side sa = side_at(a, &pa), sb = side_at(b, &pb);
        count += bounds_hold(&sa, &sb, &r, &useful);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_message("%ld pairs of features, %ld with a bound above zero\n", count, useful);
    assert_true(useful > count / 20);
}

/* Coaxial, parallel and concentric, then off by 1e-1 ... 1e-16 of the size in position and direction. */
static void near_symmetric_positions_keep_a_lower_bound(void** state)
{
    (void)state;
    rng r = rng_seed(42);
    long count = 0, useful = 0, rounds = campaign(3000);
    for (long k = 0; k < rounds; ++k) {
        double size = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1 : 1e6, off = pow(10, -(double)(1 + k % 16));
        wit_surface_kind ka = kinds[rng_int(&r, 5)], kb = kinds[rng_int(&r, 5)];
        double other = size * rng_range(&r, 0.1, 3);
        wit_vec3 shift = random_vector(&r, 0, off * size), z = add3(vec3(0, 0, 1), random_vector(&r, 0, off));
        shift.z += rng_range(&r, -2, 2) * size;
        if (rng_int(&r, 2)) shift.x += 3 * other; /* parallel */
        wit_surface_def da = surface_at(ka, size, vec3(0, 0, 0), vec3(0, 0, rng_int(&r, 2) ? 1 : -1));
        wit_surface_def db = surface_at(kb, other, shift, z);
        wit_body *a = sheet(&da), *b = sheet(&db);
        wit_pose pose = random_pose(&r, size);
        side sa = side_at(a, &pose), sb = side_at(b, &pose);
        count += bounds_hold(&sa, &sb, &r, &useful);
        wit_body_destroy(a);
        wit_body_destroy(b);
    }
    print_message("%ld pairs of features, %ld with a bound above zero\n", count, useful);
    assert_true(useful > count / 3);
}

/* ---- known distances ----------------------------------------------------------------------- */

typedef struct known {
    const char* what;
    wit_surface_kind kind_a, kind_b;
    wit_feature_kind feature_a, feature_b; /* EDGE: the first of the sheet, at v = lo */
    double radius_a, radius_b, minor_a, minor_b;
    wit_interval v_a, v_b;
    double x, z; /* where b stands: shifted, axes parallel */
    double distance;
} known;

#define P WIT_SURFACE_PLANE
#define CY WIT_SURFACE_CYLINDER
#define CO WIT_SURFACE_CONE
#define SP WIT_SURFACE_SPHERE
#define TO WIT_SURFACE_TORUS
#define F WIT_FACE
#define E WIT_EDGE

/* Cones have half angle 0.5 and radius_ at v = 0. sin 0.5 and cos 0.5: */
#define S5 0.47942553860420300
#define C5 0.87758256189037276

static const known table[] = {
    {"parallel planes", P, P, F, F, 1, 1, 0, 0, {-2, 2}, {-1, 1}, 0.3, 0.75, 0.75},
    {"plane and sphere", P, SP, F, F, 1, 0.5, 0, 0, {-1, 1}, {-HALF_PI, HALF_PI}, 0.3, 0.75, 0.25},
    {"plane and torus in it", P, TO, F, F, 1, 1, 0, 0.25, {-1, 1}, {0, 6.283185307179586}, 0, 0.75, 0.5},
    {"plane and circle", P, CY, F, E, 1, 1, 0, 0, {-1, 1}, {0.125, 1}, 0, 0.5, 0.625},
    {"concentric spheres", SP, SP, F, F, 1, 0.25, 0, 0, {-1, 1}, {-1, 1}, 0, 0, 0.75},
    {"sphere in sphere", SP, SP, F, F, 2, 0.25, 0, 0, {-1, 1}, {-1, 1}, 0.5, 0, 1.25},
    {"spheres apart", SP, SP, F, F, 1, 1, 0, 0, {-1, 1}, {-1, 1}, 3, 4, 3},
    {"sphere on a cylinder's axis", CY, SP, F, F, 1, 0.25, 0, 0, {-2, 2}, {-1, 1}, 0, 0.5, 0.75},
    {"sphere around a cylinder", SP, CY, F, F, 5, 3, 0, 0, {-1, 1}, {-4, 0}, 0, 0, 0},
    {"sphere around a short cylinder", SP, CY, F, F, 6, 3, 0, 0, {-1, 1}, {-4, 0}, 0, 0, 1},
    {"sphere on a torus's circle", TO, SP, F, F, 2, 0.25, 1, 0, {0, 6.283185307179586}, {-1, 1}, 2, 0, 0.75},
    {"coaxial cylinders", CY, CY, F, F, 1, 0.25, 0, 0, {-2, 2}, {-1, 1}, 0, 0.5, 0.75},
    {"cylinder in a cylinder", CY, CY, F, F, 1, 0.25, 0, 0, {-2, 2}, {-1, 1}, 0.5, 0.5, 0.25},
    {"cylinders side by side", CY, CY, F, F, 1, 0.25, 0, 0, {-2, 2}, {-1, 1}, 2, 0.5, 0.75},
    {"cylinder and circle in it", CY, CY, F, E, 1, 0.25, 0, 0, {-2, 2}, {-1, 1}, 0, 0.5, 0.75},
    {"circles about one axis", CY, CY, E, E, 1, 4, 0, 0, {-2, 2}, {2, 3}, 0, 0, 5},
    {"tori about one axis, one in the other",
     TO,
     TO,
     F,
     F,
     2,
     2,
     1,
     0.25,
     {0, 6.283185307179586},
     {0, 6.283185307179586},
     0,
     0,
     0.75},
    {"tori about one axis, apart",
     TO,
     TO,
     F,
     F,
     2,
     5,
     1,
     0.25,
     {0, 6.283185307179586},
     {0, 6.283185307179586},
     0,
     4,
     3.75},
    {"torus around a cylinder", CY, TO, F, F, 1, 3, 0, 0.5, {-2, 2}, {0, 6.283185307179586}, 0, 0.5, 1.5},
    {"torus in a cylinder", CY, TO, F, F, 4, 2, 0, 0.5, {-2, 2}, {0, 6.283185307179586}, 0, 0.5, 1.5},
    {"cones about one axis", CO, CO, F, F, 2, 1, 0, 0, {-2, 2}, {-1, 1}, 0, 0, C5},
    {"circle in a cone", CO, CY, F, E, 2, 1, 0, 0, {-2, 2}, {0, 1}, 0, 0, C5},
    {"cylinder in a cone", CO, CY, F, F, 2, 1, 0, 0, {-2, 2}, {0, 1}, 0, 0, C5},
    {"torus in a cone", CO, TO, F, F, 2, 1, 0, 0.125, {-2, 2}, {0, 6.283185307179586}, 0, 0, C5 - 0.125},
    {"sphere in a cone", CO, SP, F, F, 2, 0.5, 0, 0, {-3, 3}, {-1, 1}, 0, 0, 2 * C5 - 0.5},
    {"plane below a cone", P, CO, F, F, 1, 2, 0, 0, {-1, 1}, {-1, 1}, 0, 3, 3 - C5},
};

static wit_surface_def known_surface(wit_surface_kind kind, double radius, double minor, wit_interval v)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.radius = radius;
    d.minor = minor;
    d.angle = 0.5;
    if (kind == P) d.range_u = iv(-radius, radius);
    d.range_v = v;
    return d;
}

static void symmetric_positions_are_exact(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; ++k) {
        const known* t = &table[k];
        for (int scale = -6; scale <= 6; scale += 6) {
            double size = pow(10, scale);
            wit_interval va = t->v_a, vb = t->v_b;
            if (t->kind_a == P || t->kind_a == CY || t->kind_a == CO) va = iv_scale(size, va);
            if (t->kind_b == P || t->kind_b == CY || t->kind_b == CO) vb = iv_scale(size, vb);
            wit_surface_def da = known_surface(t->kind_a, size * t->radius_a, size * t->minor_a, va);
            wit_surface_def db = known_surface(t->kind_b, size * t->radius_b, size * t->minor_b, vb);
            wit_body *a = sheet(&da), *b = sheet(&db);
            wit_pose pa = random_pose(&r, size);
            wit_pose shift = {{size * t->x, 0, size * t->z}, {1, 0, 0, 0}};
            wit_pose pb = wit_pose_compose(&pa, &shift);
            side sa = side_at(a, &pa), sb = side_at(b, &pb);
            double bound = wi_closed_bound(&sa, t->feature_a, 0, &sb, t->feature_b, 0);
            /* twice the allowance of the bound, for the coordinates in play: some 20 sizes in all */
            double allowed = 2 * 24 * EPS * 20 * size;
            if (t->distance > 0) assert_true(bound < size * t->distance);
            near1(bound, size * t->distance, allowed, t->what);
            wit_body_destroy(a);
            wit_body_destroy(b);
        }
    }
}

/* An arc by its points: the nearest of many, then halving the steps. */
static double arc_form(wit_interval angle, double radius, double x, double y)
{
    if (angle.lo == angle.hi) return fabs(hypot(x, y) - radius); /* all of it */
    double best = INFINITY, at = 0, step = (angle.hi - angle.lo) / 64;
    for (int k = 0; k <= 64; ++k) {
        double t = angle.lo + k * step, d = hypot(x - radius * cos(t), y - radius * sin(t));
        if (d < best) best = d, at = t;
    }
    for (; step > 1e-18; step *= 0.5)
        for (int k = -1; k <= 1; k += 2) {
            double t = fmin(fmax(at + k * step, angle.lo), angle.hi);
            double d = hypot(x - radius * cos(t), y - radius * sin(t));
            if (d < best) best = d, at = t;
        }
    return best;
}

static double plane_form(const wit_surface_def* d, wit_vec3 q, double h)
{
    wit_vec3 z = unit3(d->frame.z), x = unit3(addscaled3(d->frame.x, -dot3(d->frame.x, z), z)), y = cross3(z, x);
    double u = dot3(q, x), v = dot3(q, y);
    u -= fmin(fmax(u, d->range_u.lo), d->range_u.hi);
    v -= fmin(fmax(v, d->range_v.lo), d->range_v.hi);
    return sqrt(h * h + u * u + v * v);
}

/* Against the point forms written out by hand. */
static double point_form(const wit_surface_def* d, wit_vec3 p)
{
    wit_vec3 z = unit3(d->frame.z), q = sub3(p, d->frame.origin);
    double h = dot3(q, z), rho = norm3(addscaled3(q, -h, z));
    switch (d->kind) {
    case P:
        return plane_form(d, q, h);
    case SP:
        return arc_form(d->range_v, d->radius, rho, h);
    case TO:
        return arc_form(d->range_v, d->minor, rho - d->radius, h);
    default:
        break;
    }
    double sine = d->kind == CO ? sin(d->angle) : 0, cosine = d->kind == CO ? cos(d->angle) : 1;
    double v = (rho - d->radius) * sine + h * cosine;
    v = fmin(fmax(v, d->range_v.lo), d->range_v.hi);
    return hypot(rho - d->radius - v * sine, h - v * cosine);
}

static void a_point_has_its_exact_distance(void** state)
{
    (void)state;
    rng r = rng_seed(44);
    long rounds = campaign(20000);
    for (long k = 0; k < rounds; ++k) {
        double size = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1 : 1e6;
        wit_surface_def d = random_quadric(&r, kinds[rng_int(&r, 5)], size);
        if (d.kind == CO && d.radius + 0.5 * (d.range_v.lo + d.range_v.hi) * sin(d.angle) < 0)
            continue; /* other nappe */
        wit_body* b = sheet(&d);
        wit_pose pose = wit_pose_identity();
        wit_placed placed = {b, pose, NULL};
        side s = wi_side_of(&placed, &placed.pose, NULL);
        wit_vec3 p = random_vector(&r, 0, 5 * size);
        double bound = wi_closed_bound_point(&s, WIT_FACE, 0, p), truth = point_form(&d, p);
        assert_true(bound <= truth);
        near1(bound, truth, 2 * 24 * EPS * 40 * size, wit_surface_kind_name(d.kind));
        side point = wi_side_of_point(p);
        near1(wi_closed_bound(&s, WIT_FACE, 0, &point, WIT_POINT, -1), bound, 24 * EPS * 40 * size, "as a side");
        wit_body_destroy(b);
    }
}

/* ---- edges that are lines and circles without saying so ------------------------------------ */

static void lifted_edges_are_recognised(void** state)
{
    (void)state;
    rng r = rng_seed(45);
    long rounds = campaign(2000), seen = 0;
    for (long k = 0; k < rounds; ++k) {
        wit_surface_def d = random_quadric(&r, kinds[rng_int(&r, 5)], 1);
        wit_body* b = sheet(&d);
        wit_pose pose = random_pose(&r, 2);
        side s = side_at(b, &pose);
        for (int e = 0; e < b->edge_count; ++e) {
            /* the distance of a point of the edge from the edge, moved off along a normal of it, is what it was moved */
            wit_interval range[2];
            bool closed[2];
            wit_surface_jet j;
            wi_side_range(&s, WIT_EDGE, e, range, closed);
            side_edge_jet(&s, e, rng_range(&r, range[0].lo, range[0].hi), 0, &j);
            if (norm3(j.du) < 1e-3) continue; /* a small circle about a pole */
            wit_vec3 n = unit3(cross3(j.du, random_unit(&r)));
            double bend = norm3(j.duu) / dot3(j.du, j.du), off = rng_range(&r, 0, bend > 2 ? 0.5 / bend : 0.25);
            side point = wi_side_of_point(addscaled3(j.p, off, n));
            double bound = wi_closed_bound(&s, WIT_EDGE, e, &point, WIT_POINT, -1);
            near1(bound, off, 2 * 24 * EPS * 60, "distance from a lifted edge");
            ++seen;
        }
        wit_body_destroy(b);
    }
    assert_true(seen > rounds);
}

static void other_shapes_have_no_bound(void** state)
{
    (void)state;
    rng r = rng_seed(46);
    wit_surface_def d = random_quadric(&r, WIT_SURFACE_PARABOLOID, 1);
    wit_body* b = sheet(&d);
    wit_pose pose = wit_pose_identity();
    side s = side_at(b, &pose);
    assert_true(wi_closed_bound_point(&s, WIT_FACE, 0, vec3(100, 0, 0)) == 0);
    wit_body_destroy(b);
}

/* A straight profile from (x0, h0) to (x1, h1), as a line or as one of the spans of a spline of degree 1, turned about the axis. */
static wit_body* turned_sheet(double x0, double h0, double x1, double h1, bool spline)
{
    double p[12] = {2 * x0, 0, h0 - x0, x0, 0, h0, x1, 0, h1, 2 * x1, 0, h1 + x0};
    static const double knots[6] = {0, 0, 1, 2, 3, 3};
    wit_curve_def d = wit_curve_default_def(spline ? WIT_CURVE_NURBS : WIT_CURVE_LINE);
    wit_vec3 way = vec3(x1 - x0, 0, h1 - h0);
    if (spline) {
        d.degree = 1;
        d.knots = knots, d.knot_count = 6;
        d.points = p, d.count = 4;
    } else {
        d.frame = frame_at(vec3(x0, 0, h0), vec3(0, 1, 0));
        d.frame.x = unit3(way);
        d.range = iv(0, norm3(way));
    }
    wit_curve* c = curve_made(&d);
    wit_surface_def sd = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    sd.profile = c;
    if (spline) sd.range_v = iv(1, 2);
    wit_body* b = sheet(&sd);
    wit_curve_destroy(c);
    return b;
}

/* Pegs in holes, off the axis and askew, far longer than the hole: what stands out of it does not matter. */
static void a_long_peg_leans_in_a_short_hole(void** state)
{
    (void)state;
    rng r = rng_seed(43);
    long count = 0, useful = 0, near = 0, rounds = campaign(2000);
    for (long k = 0; k < rounds; ++k) {
        double size = k % 3 == 0 ? 1e-6 : k % 3 == 1 ? 1 : 1e6, deep = size * rng_range(&r, 0.2, 2);
        double room = size * pow(10, rng_range(&r, -4, -0.7)), thin = size - room, above = rng_range(&r, 5, 30) * deep;
        double lean = 0.4 * room / (deep + 2 * room), off = rng_range(&r, 0, 0.2) * room;
        bool peg_spline = rng_int(&r, 2), hole_spline = rng_int(&r, 2);
        double taper = rng_int(&r, 3) ? 0 : 0.2 * room;
        wit_body* hole = turned_sheet(size, 0, size, deep, hole_spline);
        wit_body* peg = turned_sheet(thin - taper, -above, thin, above, peg_spline);
        wit_pose pose = random_pose(&r, size), in = wit_pose_identity();
        wit_vec3 way = random_unit(&r);
        way.z = 0;
        in.position = addscaled3(vec3(0, 0, 0.5 * deep), off, unit3(way));
        in.rotation = wit_quat_about(random_unit(&r), lean * rng_range(&r, 0, 1));
        wit_pose at = wit_pose_compose(&pose, &in);
        side sa = side_at(hole, &pose), sb = side_at(peg, &at);
        count += bounds_hold(&sa, &sb, &r, &useful);
        if (taper == 0) near += wi_closed_bound(&sa, WIT_FACE, 0, &sb, WIT_FACE, 0) > 0.2 * room;
        wit_body_destroy(hole);
        wit_body_destroy(peg);
    }
    print_message("%ld pairs of features, %ld with a bound above zero; %ld of %ld pegs clear of their holes\n", count,
                  useful, near, rounds);
    assert_true(near > rounds / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_bound_never_exceeds_the_distance),
        cmocka_unit_test(near_symmetric_positions_keep_a_lower_bound),
        cmocka_unit_test(a_long_peg_leans_in_a_short_hole),
        cmocka_unit_test(symmetric_positions_are_exact),
        cmocka_unit_test(a_point_has_its_exact_distance),
        cmocka_unit_test(lifted_edges_are_recognised),
        cmocka_unit_test(other_shapes_have_no_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
