/* SPDX-License-Identifier: MIT */
/*
 * Circles against spheres, whatever they are bounded by and made of: the distance is that of the closed form, and certified. The borders
 * are of discs, cylinders and cones, as circles and as rational splines; the spheres are balls, shells, caps, turned arcs and splines.
 */
#include "analytic.h"
#include "campaign.h"
#include "../include/witness/query.h"

static const double AROUND_X[9] = {1, 1, 0, -1, -1, -1, 0, 1, 1}, AROUND_Y[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
static const double KNOTS[12] = {0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1};
static const double HALF_KNOTS[8] = {0, 0, 0, 0.5, 0.5, 1, 1, 1};

static wit_body* created(wit_body* body, const wit_error* e)
{
    if (!body) fail_msg("%s: %s", e->item, e->text);
    return body;
}

/* One face, bounded by one closed edge or by what is natural. */
static wit_body* body_of(const wit_surface_def* def, wit_curve* border, wit_interval range, wit_body_kind kind)
{
    wit_error e = {0};
    wit_surface* s = wit_surface_create(def, NULL, &e);
    if (!s) fail_msg("%s: %s", e.item, e.text);
    wit_use_def use = {0};
    wit_loop_def loop = {.use_count = 1, .uses = &use};
    wit_edge_def edge = {.curve = border, .range = range, .start = -1, .end = -1};
    wit_face_def face = {.surface = s, .loop_count = border ? 1 : 0, .loops = &loop};
    wit_body_def d = wit_body_default_def(kind);
    d.edge_count = border ? 1 : 0;
    d.edges = &edge;
    d.face_count = 1;
    d.faces = &face;
    wit_body* body = created(wit_body_create(&d, NULL, &e), &e);
    wit_surface_destroy(s);
    return body;
}

/* ---- circles ------------------------------------------------------------------------------------ */

typedef enum circle_kind { DISC, SPLINE_DISC, CYLINDER, CONE, CIRCLES } circle_kind;

static wit_body* disc(double r, bool spline)
{
    double points[27], weights[9];
    wit_error e = {0};
    wit_curve_def c = wit_curve_default_def(spline ? WIT_CURVE_NURBS : WIT_CURVE_CIRCLE);
    for (int i = 0; i < 9; i++) {
        points[3 * i] = r * AROUND_X[i];
        points[3 * i + 1] = r * AROUND_Y[i];
        points[3 * i + 2] = 0;
        weights[i] = i % 2 ? sqrt(0.5) : 1;
    }
    c.radius = r;
    if (spline) {
        c.degree = 2;
        c.count = 9;
        c.knot_count = 12;
        c.knots = KNOTS;
        c.points = points;
        c.weights = weights;
    }
    wit_curve* border = wit_curve_create(&c, NULL, &e);
    if (!border) fail_msg("%s: %s", e.item, e.text);
    wit_surface_def plane = wit_surface_default_def(WIT_SURFACE_PLANE);
    plane.range_u = plane.range_v = (wit_interval){-2 * r, 2 * r};
    wit_body* b = body_of(&plane, border, (wit_interval){0, spline ? 1 : 2 * PI}, WIT_BODY_SHEET2);
    wit_curve_destroy(border);
    return b;
}

/* Each lies in z >= 0 (the cone's apex is up), its disc of radius r in z = 0. */
static wit_body* circle_body(circle_kind kind, double r)
{
    wit_error e = {0};
    if (kind == DISC || kind == SPLINE_DISC) return disc(r, kind == SPLINE_DISC);
    wit_solid_def d = wit_solid_default_def(kind == CYLINDER ? WIT_SOLID_CYLINDER : WIT_SOLID_CONE);
    d.radius = r;
    d.height = 0.7 * r;
    return created(wit_solid_create(&d, NULL, &e), &e);
}

/* ---- spheres ------------------------------------------------------------------------------------ */

typedef enum sphere_kind { BALL, SHELL, TURNED, SPLINE_BALL, SPHERES } sphere_kind;

static wit_body* spline_ball(double r)
{
    static const double out[5] = {0, 1, 1, 1, 0}, up[5] = {-1, -1, 0, 1, 1};
    double points[135], weights[45];
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 5; j++) {
            int k = 5 * i + j;
            points[3 * k] = r * AROUND_X[i] * out[j];
            points[3 * k + 1] = r * AROUND_Y[i] * out[j];
            points[3 * k + 2] = r * up[j];
            weights[k] = (i % 2 ? sqrt(0.5) : 1) * (j % 2 ? sqrt(0.5) : 1);
        }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = 9;
    d.count_v = 5;
    d.knot_count_u = 12;
    d.knot_count_v = 8;
    d.knots_u = KNOTS;
    d.knots_v = HALF_KNOTS;
    d.points = points;
    d.weights = weights;
    return body_of(&d, NULL, (wit_interval){0, 0}, WIT_BODY_SOLID);
}

static wit_body* turned_ball(double r)
{
    wit_error e = {0};
    wit_curve_def arc = wit_curve_default_def(WIT_CURVE_CIRCLE);
    arc.radius = r;
    arc.frame.z = (wit_vec3){0, -1, 0};
    arc.range = (wit_interval){-PI / 2, PI / 2};
    wit_curve* profile = wit_curve_create(&arc, NULL, &e);
    if (!profile) fail_msg("%s: %s", e.item, e.text);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    d.range_v = arc.range;
    wit_body* b = body_of(&d, NULL, arc.range, WIT_BODY_SOLID);
    wit_curve_destroy(profile);
    return b;
}

static wit_body* sphere_body(sphere_kind kind, double r)
{
    wit_error e = {0};
    wit_solid_def ball = wit_solid_default_def(WIT_SOLID_SPHERE);
    wit_surface_def shell = wit_surface_default_def(WIT_SURFACE_SPHERE);
    ball.radius = shell.radius = r;
    if (kind == BALL) return created(wit_solid_create(&ball, NULL, &e), &e);
    if (kind == SHELL) return body_of(&shell, NULL, (wit_interval){0, 0}, WIT_BODY_SHEET2);
    return kind == TURNED ? turned_ball(r) : spline_ball(r);
}

/* ---- where ------------------------------------------------------------------------------------- */

typedef enum where { BELOW, COAXIAL, BESIDE, NEAR, WITHIN, WHERES } where;

/* The middle of the sphere, at z <= 0: nearest is the disc or its border. */
static wit_vec3 middle(where w, rng* r, double disc, double sphere)
{
    double turn = rng_range(r, 0, 2 * PI), tilt = rng_range(r, 0.1, 1.4), far = rng_range(r, 0.1, 2) * (disc + sphere);
    if (w == COAXIAL) return (wit_vec3){0, 0, -sphere - far};
    if (w == BESIDE) return (wit_vec3){(disc + sphere + far) * cos(turn), (disc + sphere + far) * sin(turn), 0};
    if (w == WITHIN) return (wit_vec3){0.3 * disc * cos(turn), 0.3 * disc * sin(turn), -0.2 * disc};
    double away = sphere + (w == NEAR ? 1e-4 * sphere : far);
    return (wit_vec3){(disc + away * cos(tilt)) * cos(turn), (disc + away * cos(tilt)) * sin(turn), -away * sin(tilt)};
}

/* From the sphere to the disc: its nearest place outside, or the farthest of its border to the shell around it. */
static double truth(where w, wit_vec3 m, double disc, double sphere)
{
    double out = sqrt(m.x * m.x + m.y * m.y);
    if (w == WITHIN) return sphere - sqrt((out + disc) * (out + disc) + m.z * m.z);
    return sqrt(m.z * m.z + (out > disc ? (out - disc) * (out - disc) : 0)) - sphere;
}

static void distances_are_the_closed_forms_and_certified(void** state)
{
    (void)state;
    rng r = rng_seed(20261);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    long rounds = campaign(40);
    for (long k = 0; k < rounds; k++)
        for (int c = 0; c < CIRCLES; c++)
            for (int s = 0; s < SPHERES; s++)
                for (int w = 0; w < WHERES; w++) {
                    /* Inside a shell only what is a disc; inside a ball it would overlap. */
                    if (w == WITHIN && (s != SHELL || c == CYLINDER || c == CONE)) continue;
                    double disc = rng_range(&r, 0.5, 2), sphere = w == WITHIN ? 4 * disc : rng_range(&r, 0.5, 2);
                    wit_body *a = circle_body((circle_kind)c, disc), *b = sphere_body((sphere_kind)s, sphere);
                    wit_pose pose = wit_pose_identity();
                    pose.position = middle((where)w, &r, disc, sphere);
                    wit_vec3 axis = {rng_range(&r, -1, 1), rng_range(&r, -1, 1), rng_range(&r, 0.1, 1)};
                    pose.rotation = wit_quat_about(axis, rng_range(&r, 0, 3));
                    wit_placed x = wit_placed_at(a, wit_pose_identity()), y = wit_placed_at(b, pose);
                    wit_closest o;
                    assert_int_equal(wit_closest_pair(q, &x, &y, &o), WIT_OK);
                    double wanted = truth((where)w, pose.position, disc, sphere), slack = 1e-13 * (disc + sphere);
                    if (!o.certified || !(fabs(o.distance - wanted) < 1e-8) || wanted < o.lower_bound - slack ||
                        wanted > o.upper_bound + slack)
                        fail_msg("circle %d, sphere %d, place %d: %.17g, not %.17g, in %.17g to %.17g, %s", c, s, w,
                                 o.distance, wanted, o.lower_bound, o.upper_bound, wit_reason_name(o.reason));
                    wit_body_destroy(a);
                    wit_body_destroy(b);
                }
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_the_closed_forms_and_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
