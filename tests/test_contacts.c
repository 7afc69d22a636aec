/* SPDX-License-Identifier: MIT */
/* Local contacts of solids that are not convex: against closed forms and a dense search. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/query.h"
#include "campaign.h"
#include "convex_solids.h"
#include "placing.h"

enum { ROOM = 64 };

typedef struct contacts {
    wit_contacts_summary s;
    wit_contact c[ROOM];
} contacts;

static contacts asked(wit_query* q, const wit_body* a, wit_pose at_a, const wit_body* b, wit_pose at_b)
{
    wit_placed x = wit_placed_at(a, at_a), y = wit_placed_at(b, at_b);
    contacts r;
    memset(&r, 0, sizeof r);
    assert_int_equal(wit_contacts_pair(q, &x, &y, r.c, ROOM, &r.s), WIT_OK);
    assert_true(r.s.count <= ROOM);
    for (int i = 0; i < r.s.count; ++i) {
        const wit_contact* c = &r.c[i];
        wit_vec3 rest = sub3(sub3(c->a.point, c->b.point), scale3(c->depth, c->normal));
        assert_true(c->depth > 0 && norm3(rest) <= 1e-12 && fabs(norm3(c->normal) - 1) <= 1e-14);
        if (i) assert_true(c->depth <= r.c[i - 1].depth);
    }
    return r;
}

/* Is there a contact of that depth with that normal? */
static bool listed(const contacts* r, double depth, wit_vec3 normal)
{
    for (int i = 0; i < r->s.count; ++i)
        if (fabs(r->c[i].depth - depth) <= 1e-9 && norm3(sub3(r->c[i].normal, normal)) <= 1e-6) return true;
    return false;
}

/* ---- several balls as one body -------------------------------------------------------------- */

enum { BALLS = 4 };

typedef struct cluster {
    wit_body* body;
    wit_vec3 centre[BALLS];
    double radius[BALLS];
} cluster;

/* Balls that do not meet, about the corners of a square. */
static cluster cluster_random(rng* r)
{
    cluster c;
    wit_face_def faces[BALLS];
    wit_surface* surfaces[BALLS];
    memset(faces, 0, sizeof faces);
    for (int i = 0; i < BALLS; ++i) {
        double x = i & 1 ? 1.5 : -1.5, y = i & 2 ? 1.5 : -1.5;
        c.centre[i] = add3(vec3(x, y, 0), random_vector(r, 0, 0.4));
        c.radius[i] = rng_range(r, 0.3, 1);
        wit_surface_def s = wit_surface_default_def(WIT_SURFACE_SPHERE);
        s.frame.origin = c.centre[i];
        s.radius = c.radius[i];
        surfaces[i] = surface_made(&s);
        faces[i].surface = surfaces[i];
    }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.faces = faces;
    d.face_count = BALLS;
    c.body = wit_body_create(&d, NULL, NULL);
    assert_non_null(c.body);
    for (int i = 0; i < BALLS; ++i) wit_surface_destroy(surfaces[i]);
    return c;
}

static void every_overlap_of_two_clusters_of_balls_is_a_contact(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    rng r = rng_seed(71);
    long count = campaign(400), all = 0, missed = 0, deep = 0, invented = 0;
    for (long k = 0; k < count; ++k) {
        cluster a = cluster_random(&r), b = cluster_random(&r);
        wit_pose at_a = random_place(&r, 1), at_b = random_place(&r, 1);
        contacts found = asked(q, a.body, at_a, b.body, at_b);
        int expected = 0;
        for (int i = 0; i < BALLS; ++i)
            for (int j = 0; j < BALLS; ++j) {
                wit_vec3 way = sub3(wit_pose_point(&at_b, b.centre[j]), wit_pose_point(&at_a, a.centre[i]));
                double depth = a.radius[i] + b.radius[j] - norm3(way);
                if (depth <= 0) continue;
                expected++;
                /* pieces of balls that are deep in each other are far apart, and the budget may end before they are met */
                bool shallow = depth < 0.5 * fmin(a.radius[i], b.radius[j]);
                if (!listed(&found, depth, unit3(way))) ++*(shallow ? &missed : &deep);
            }
        all += expected;
        invented += found.s.count > expected ? found.s.count - expected : 0;
        wit_body_destroy(a.body);
        wit_body_destroy(b.body);
    }
    print_message("  %ld clusters of balls: %ld overlaps, %ld missed, %ld deep ones missed, %ld invented\n", count, all,
                  missed, deep, invented);
    assert_int_equal(missed, 0);
    assert_int_equal(invented, 0);
    wit_query_destroy(q);
}

/* ---- two tori ------------------------------------------------------------------------------- */

enum { GRID = 160 };
static const double core = 2, tube = 0.5;

static wit_vec3 core_point(const wit_pose* at, double angle)
{
    return wit_pose_point(at, vec3(core * cos(angle), core * sin(angle), 0));
}

/*
 * |f - g|^2 between the core circles, and Newton to a stationary pair of it. False: not a strict minimum, or not one any more
 * when the other circle is moved off until the tubes touch (there they curve into each other).
 */
static bool refine(const wit_pose* a, const wit_pose* b, double* s, double* t)
{
    for (int k = 0; k < 30; ++k) {
        wit_vec3 f = core_point(a, *s), g = core_point(b, *t), d = sub3(f, g);
        wit_vec3 fs = wit_pose_vector(a, vec3(-core * sin(*s), core * cos(*s), 0)), fss = sub3(a->position, f);
        wit_vec3 gt = wit_pose_vector(b, vec3(-core * sin(*t), core * cos(*t), 0)), gtt = sub3(b->position, g);
        double g0 = dot3(d, fs), g1 = -dot3(d, gt), h00 = dot3(fs, fs) + dot3(d, fss), h01 = -dot3(fs, gt);
        double h11 = dot3(gt, gt) - dot3(d, gtt), det = h00 * h11 - h01 * h01;
        if (!(h00 > 1e-3 && det > 1e-3)) return false;
        double x = (g0 * h11 - g1 * h01) / det, y = (g1 * h00 - g0 * h01) / det;
        *s -= x, *t -= y;
        if (fabs(x) + fabs(y) < 1e-14) {
            double far = 2 * tube / norm3(d);
            double f00 = dot3(fs, fs) + far * dot3(d, fss), f11 = dot3(gt, gt) - far * dot3(d, gtt);
            return f00 > 1e-3 && f00 * f11 - h01 * h01 > 1e-3;
        }
    }
    return false;
}

static void contacts_of_tori_are_the_minima_between_their_core_circles(void** state)
{
    (void)state;
    static double square[GRID][GRID];
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = core, d.radius2 = tube;
    wit_body* ring = wit_solid_create(&d, NULL, NULL);
    rng r = rng_seed(72);
    long count = campaign(300), all = 0, missed = 0, found_all = 0;
    for (long k = 0; k < count; ++k) {
        wit_pose a = random_place(&r, 1), b = random_place(&r, 2);
        contacts found = asked(q, ring, a, ring, b);
        int expected = 0;
        double step = 6.283185307179586 / GRID;
        for (int i = 0; i < GRID; ++i)
            for (int j = 0; j < GRID; ++j) {
                wit_vec3 way = sub3(core_point(&a, i * step), core_point(&b, j * step));
                square[i][j] = dot3(way, way);
            }
        for (int i = 0; i < GRID; ++i)
            for (int j = 0; j < GRID; ++j) {
                bool least = square[i][j] < 4 * tube * tube;
                for (int m = 0; m < 9 && least; ++m)
                    least = square[(i + m / 3 + GRID - 1) % GRID][(j + m % 3 + GRID - 1) % GRID] >= square[i][j];
                double s = i * step, t = j * step;
                if (!least || !refine(&a, &b, &s, &t)) continue;
                wit_vec3 way = sub3(core_point(&b, t), core_point(&a, s));
                double depth = 2 * tube - norm3(way);
                /* cores that meet have no normal */
                if (!(depth > 1e-6) || norm3(way) < 0.05) continue;
                expected++;
                missed += !listed(&found, depth, unit3(way));
            }
        all += expected;
        found_all += found.s.count;
    }
    print_message("  %ld pairs of tori: %ld minima between the cores, %ld missed, %ld contacts in all\n", count, all,
                  missed, found_all);
    assert_int_equal(missed, 0);
    assert_true(all > 0);
    wit_body_destroy(ring);
    wit_query_destroy(q);
}

/* ---- single cases --------------------------------------------------------------------------- */

static void a_ball_in_the_tube_of_a_torus_leaves_by_the_nearest_wall(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = 3, d.radius2 = 1;
    wit_body* ring = wit_solid_create(&d, NULL, NULL);
    convex_solid ball = convex_solid_of(WIT_SOLID_SPHERE, 0.25, 0, 0);
    /* 0.3 above the core: wholly inside, 0.7 + 0.25 to go */
    contacts c = asked(q, ring, at(0, 0, 0), ball.body, at(0, 3, 0.3));
    assert_true(c.s.count >= 1 && !c.s.complete);
    assert_true(listed(&c, 0.95, vec3(0, 0, 1)));
    wit_placed x = wit_placed_at(ring, at(0, 0, 0)), y = wit_placed_at(ball.body, at(0, 3, 0.3));
    wit_closest r;
    assert_int_equal(wit_closest_pair(q, &x, &y, &r), WIT_OK);
    assert_int_equal(r.outcome, WIT_OUTCOME_OVERLAPPING);
    /* the depth of a ball in anything: its radius and how deep its centre is */
    assert_true(r.certified && r.lower_bound <= -0.95 && r.upper_bound >= -0.95 && fabs(r.distance + 0.95) <= 1e-14);
    /* swapped: the same contacts, normals turned round */
    contacts back = asked(q, ball.body, at(0, 3, 0.3), ring, at(0, 0, 0));
    assert_int_equal(back.s.count, c.s.count);
    assert_true(back.c[0].depth == c.c[0].depth && back.c[0].normal.z == -c.c[0].normal.z);
    /* apart: none, and that is proved */
    c = asked(q, ring, at(0, 0, 0), ball.body, at(0, 3, 1.3));
    assert_true(c.s.count == 0 && c.s.complete);
    wit_body_destroy(ball.body);
    wit_body_destroy(ring);
    wit_query_destroy(q);
}

static void what_has_no_inside_is_refused(void** state)
{
    (void)state;
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    convex_solid box = convex_solid_of(WIT_SOLID_BOX, 1, 1, 1);
    wit_mask faces = {.kinds = 1u << WIT_FACE};
    wit_placed x = {box.body, at(0, 0, 0), &faces}, y = wit_placed_at(box.body, at(0.5, 0, 0));
    wit_contacts_summary s;
    wit_contact c[4];
    assert_int_equal(wit_contacts_pair(q, &x, &y, c, 4, &s), WIT_ERROR_UNSUPPORTED);
    assert_int_equal(wit_contacts_pair(q, &y, &y, NULL, 4, &s), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_contacts_pair(q, &y, &y, c, 4, NULL), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_contacts_pair(NULL, &y, &y, c, 4, &s), WIT_ERROR_ARGUMENT);
    wit_body_destroy(box.body);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_overlap_of_two_clusters_of_balls_is_a_contact),
        cmocka_unit_test(contacts_of_tori_are_the_minima_between_their_core_circles),
        cmocka_unit_test(a_ball_in_the_tube_of_a_torus_leaves_by_the_nearest_wall),
        cmocka_unit_test(what_has_no_inside_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
