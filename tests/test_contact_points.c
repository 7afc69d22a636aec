/* SPDX-License-Identifier: MIT */
/*
 * The points that hold a contact, per frame: number, places and distances against closed forms and an independent clipping of
 * polygons, at random poses of both bodies together, apart, at touch and inside, level and leaning.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/track.h"
#include "conforming_scene.h"

#define DT 0.001
enum { MOST = 64 };

typedef struct shown {
    wit_result r;
    wit_contacts_state state;
    wit_tracked_contact c[MOST];
    int count;
} shown;

static wit_tracker* with_contacts(const wit_body* a, const wit_body* b, double within)
{
    wit_track_def d = wit_track_default_def();
    d.contacts = MOST;
    d.contacts_within = within;
    wit_error e = {0};
    wit_tracker* t = wit_tracker_create(a, b, &d, NULL, &e);
    if (!t) fail_msg("%s: %s", e.item, e.text);
    return t;
}

static wit_pose random_world(rng* r)
{
    wit_pose p = {random_vector(r, 0, 3), wit_quat_about(random_unit(r), rng_range(r, 0, 6.28))};
    return p;
}

/* One frame, both bodies moved by `world`. What every list must fulfil is tested. */
static shown show(wit_tracker* t, const wit_pose* world, const wit_pose* a, const wit_pose* b, double size)
{
    shown s;
    wit_motion ma = wit_motion_at_rest(wit_pose_compose(world, a)), mb = wit_motion_at_rest(wit_pose_compose(world, b));
    assert_int_equal(wit_tracker_step(t, &ma, &mb, DT, &s.r), WIT_OK);
    s.count = wit_tracker_contacts(t, s.c, MOST);
    s.state = wit_tracker_contacts_state(t);
    assert_int_equal(s.count, s.state.count);
    for (int k = 0; k < s.count; ++k) {
        const wit_tracked_contact* c = &s.c[k];
        assert_true(c->id > 0 && c->group > 0);
        assert_true(fabs(norm3(c->normal) - 1) < 1e-12);
        if (!(c->flags & WIT_CONTACT_MOVED))
            near3(sub3(c->b.point, c->a.point), scale3(c->distance, c->normal), 1e-9 * size, "the gap");
        for (int i = 0; i < k; ++i) assert_true(s.c[i].id != c->id);
    }
    /* for the eye of the test: in the frame in which both were placed */
    for (int k = 0; k < s.count; ++k) {
        s.c[k].a.point = wit_pose_unpoint(world, s.c[k].a.point);
        s.c[k].b.point = wit_pose_unpoint(world, s.c[k].b.point);
        s.c[k].normal = wit_pose_unvector(world, s.c[k].normal);
    }
    return s;
}

static const wit_tracked_contact* at_point(const shown* s, int side, wit_vec3 p, double off)
{
    for (int k = 0; k < s->count; ++k)
        if (norm3(sub3(side ? s->c[k].b.point : s->c[k].a.point, p)) <= off) return &s->c[k];
    return NULL;
}

static void print_list(const shown* s)
{
    print_message("  result %.9g, %d contacts\n", s->r.distance, s->count);
    for (int k = 0; k < s->count; ++k)
        print_message("    id %lld %s %d / %s %d  d %.9g at (%.6f %.6f %.6f)\n", (long long)s->c[k].id,
                      wit_feature_kind_name(s->c[k].a.feature), s->c[k].a.id, wit_feature_kind_name(s->c[k].b.feature),
                      s->c[k].b.id, s->c[k].distance, s->c[k].b.point.x, s->c[k].b.point.y, s->c[k].b.point.z);
}

static double off_axis(wit_vec3 p)
{
    return hypot(p.x, p.y);
}

/* A small lean, from none to 0.05. */
static double some_lean(rng* r)
{
    static const double sizes[] = {0, 0, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.05};
    return sizes[rng_int(r, 8)];
}

static wit_pose leaning(rng* r, double lean, double x, double y, double z)
{
    wit_pose yaw = turned(0, 0, 0, vec3(0, 0, 1), rng_range(r, 0, 6.28));
    double turn = rng_range(r, 0, 6.28);
    wit_pose tip = turned(0, 0, 0, vec3(cos(turn), sin(turn), 0), lean), p = wit_pose_compose(&tip, &yaw);
    p.position = vec3(x, y, z);
    return p;
}

/* ---- a box over a half-space -------------------------------------------------------------------- */

static void box_over_half_space_has_its_four_corners(void** state)
{
    (void)state;
    rng r = rng_seed(7001);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *plane = wit_solid_create(&d, NULL, NULL), *b = box(2, 1.2, 0.8);
    for (int order = 0; order < 2; ++order)
        for (long i = 0; i < campaign(4000); ++i) {
            wit_tracker* t = order ? with_contacts(b, plane, 0.1) : with_contacts(plane, b, 0.1);
            double lean = some_lean(&r), height = rng_range(&r, -0.1, 0.1);
            wit_pose world = random_world(&r), at_b = leaning(&r, lean, rng_range(&r, -2, 2), 1, 0.4 + height),
                     own = at(0, 0, 0);
            shown s = order ? show(t, &world, &at_b, &own, 1) : show(t, &world, &own, &at_b, 1);
            int expected = 0;
            for (int k = 0; k < 4; ++k) {
                wit_vec3 v = wit_pose_point(&at_b, vec3(k & 1 ? 1 : -1, k & 2 ? 0.6 : -0.6, -0.4));
                if (fabs(v.z - 0.1) < 1e-9) continue; /* either may come */
                const wit_tracked_contact* c = at_point(&s, !order, v, 1e-9);
                if (v.z < 0.1) {
                    if (!c) print_list(&s);
                    assert_non_null(c);
                    near1(c->distance, v.z, 1e-12, "height of a corner");
                    near3(c->normal, vec3(0, 0, order ? -1 : 1), 1e-12, "normal");
                    ++expected;
                } else {
                    assert_null(c);
                }
            }
            assert_int_equal(s.count, expected);
            wit_tracker_destroy(t);
        }
    wit_body_destroy(plane);
    wit_body_destroy(b);
}

/* ---- prism on prism: an independent clipping ------------------------------------------------------- */

typedef struct polygon2 {
    int n;
    double x[MOST], y[MOST];
} polygon2;

/* Keeps what is to the left of the line from p to q. */
static polygon2 cut_left(const polygon2* g, double px, double py, double qx, double qy)
{
    polygon2 out = {.n = 0};
    for (int k = 0; k < g->n; ++k) {
        int m = (k + 1) % g->n;
        double s = (qx - px) * (g->y[k] - py) - (qy - py) * (g->x[k] - px);
        double w = (qx - px) * (g->y[m] - py) - (qy - py) * (g->x[m] - px);
        if (s >= 0) out.x[out.n] = g->x[k], out.y[out.n++] = g->y[k];
        if ((s > 0 && w < 0) || (s < 0 && w > 0)) {
            double part = s / (s - w);
            out.x[out.n] = g->x[k] + part * (g->x[m] - g->x[k]);
            out.y[out.n++] = g->y[k] + part * (g->y[m] - g->y[k]);
        }
    }
    return out;
}

static polygon2 common_of(const polygon2* g, const polygon2* h)
{
    polygon2 out = *g;
    for (int k = 0; k < h->n && out.n; ++k) {
        int m = (k + 1) % h->n;
        out = cut_left(&out, h->x[k], h->y[k], h->x[m], h->y[m]);
    }
    return out;
}

static polygon2 random_convex(rng* r, int n, double radius)
{
    polygon2 g = {.n = n};
    for (int k = 0; k < n; ++k) {
        double turn = (k + rng_range(r, 0.1, 0.9)) * 6.283185307179586 / n;
        g.x[k] = radius * cos(turn), g.y[k] = radius * sin(turn);
    }
    return g;
}

static wit_body* prism_over(const polygon2* g, double height)
{
    double corners[2 * MOST];
    for (int k = 0; k < g->n; ++k) corners[2 * k] = g->x[k], corners[2 * k + 1] = g->y[k];
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = corners;
    d.polygon_count = g->n;
    d.height = height;
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s", e.text);
    return b;
}

/* The lower one is the larger and stands upright; the upper one leans by `lean` at `height`. */
static void judge_prisms(rng* r, double lean, double height)
{
    polygon2 low = random_convex(r, 3 + rng_int(r, 6), 2),
             up = random_convex(r, 3 + rng_int(r, 4), rng_range(r, 0.5, 1.2));
    wit_body *a = prism_over(&low, 1), *b = prism_over(&up, 1);
    wit_pose world = random_world(r), pa = at(0, 0, -1),
             pb = leaning(r, lean, rng_range(r, -1.5, 1.5), rng_range(r, -1.5, 1.5), height);
    polygon2 seen = {.n = up.n};
    double z[MOST];
    for (int k = 0; k < up.n; ++k) {
        wit_vec3 p = wit_pose_point(&pb, vec3(up.x[k], up.y[k], 0));
        seen.x[k] = p.x, seen.y[k] = p.y, z[k] = p.z;
    }
    polygon2 corners = common_of(&seen, &low);
    wit_vec3 n = wit_pose_vector(&pb, vec3(0, 0, 1)), o = pb.position;
    (void)z;
    wit_tracker* t = with_contacts(a, b, 10);
    shown s = show(t, &world, &pa, &pb, 1);
    wit_vec3 seen_normal = wit_pose_unvector(&world, s.r.normal); /* near a border the shortest way out is sideways */
    bool whole = corners.n >= 3 && s.r.outcome == WIT_OUTCOME_CONVERGED && seen_normal.z > cos(0.09) &&
                 dot3(seen_normal, n) > cos(0.09);
    /* corners that nearly coincide are one: such cases are not judged */
    for (int k = 0; k < corners.n; ++k)
        for (int m = 0; m < k; ++m)
            if (hypot(corners.x[k] - corners.x[m], corners.y[k] - corners.y[m]) < 1e-5) whole = false;
    int extra = 0;
    if (whole) {
        for (int k = 0; k < corners.n; ++k) {
            double h = o.z - (n.x * (corners.x[k] - o.x) + n.y * (corners.y[k] - o.y)) / n.z;
            bool found = false;
            for (int i = 0; i < s.count && !found; ++i) {
                const wit_tracked_contact* c = &s.c[i];
                double off = hypot(c->b.point.x - corners.x[k], c->b.point.y - corners.y[k]);
                found = off <= 1e-8 && fabs(c->distance - h) <= 1e-9;
                /* the tracked pair stands for its corner, along its own normal: its distance is that of the result */
                bool own = (c->flags & WIT_CONTACT_NEAREST) && fabs(c->distance - s.r.distance) <= 1e-12;
                if (own && off <= fabs(h))
                    found = fabs(c->distance - h) <= 4 * (lean * lean + 2 * (1 - seen_normal.z)) * fabs(h) + 1e-9;
            }
            if (!found) {
                print_message("lean %g height %g corner %g %g %g\n", lean, height, corners.x[k], corners.y[k], h);
                print_list(&s);
            }
            assert_true(found);
        }
        extra = s.count - corners.n;
        if (extra) {
            print_message("lean %g height %g expected %d\n", lean, height, corners.n);
            print_list(&s);
        }
        assert_int_equal(extra, 0);
    }
    wit_tracker_destroy(t);
    wit_body_destroy(a);
    wit_body_destroy(b);
}

static void prism_on_prism_has_the_corners_of_what_is_common(void** state)
{
    (void)state;
    rng r = rng_seed(7002);
    for (long i = 0; i < campaign(4000); ++i) judge_prisms(&r, some_lean(&r), rng_range(&r, -0.05, 0.05));
}

/* ---- cylinders, cones, balls ------------------------------------------------------------------------ */

static void round_ones_on_a_plane(void** state)
{
    (void)state;
    rng r = rng_seed(7003);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *plane = wit_solid_create(&d, NULL, NULL), *wide = box(40, 40, 2);
    wit_body *cylinder = round_solid(WIT_SOLID_CYLINDER, 0.5, 2), *ball = round_solid(WIT_SOLID_SPHERE, 0.5, 0);
    wit_body* cone = round_solid(WIT_SOLID_CONE, 0.6, 1.5);
    for (long i = 0; i < campaign(4000); ++i) {
        const wit_body* floor = i % 2 ? wide : plane;
        wit_pose own = at(0, 0, i % 2 ? -1 : 0), world = random_world(&r);
        double lean = some_lean(&r), height = rng_range(&r, -0.05, 0.05), yaw = rng_range(&r, 0, 6.28);
        /* lying, one end up by the lean */
        wit_pose lie = turned(0, 0, 0, vec3(0, 1, 0), 1.5707963267948966 - lean),
                 about = turned(0, 0, 0, vec3(0, 0, 1), yaw);
        wit_pose p = wit_pose_compose(&about, &lie);
        p.position.z = 0.5 + height;
        wit_tracker* t = with_contacts(floor, cylinder, 1);
        shown s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            if (s.count != 2) print_list(&s);
            assert_int_equal(s.count, 2);
            for (int k = 0; k < 2; ++k) {
                wit_vec3 axis = wit_pose_vector(&p, vec3(0, 0, 1)), e = wit_pose_point(&p, vec3(0, 0, k ? 2 : 0));
                wit_vec3 down = unit3(addscaled3(vec3(0, 0, -1), axis.z, axis)), low = addscaled3(e, 0.5, down);
                const wit_tracked_contact* c = at_point(&s, 1, low, 1e-7);
                if (!c) print_list(&s);
                assert_non_null(c);
                near1(c->distance, low.z, 1e-10, "end of a cylinder");
            }
        }
        wit_tracker_destroy(t);
        /* standing: four of its rim, the lowest among them */
        p = leaning(&r, lean, 0, 0, height);
        t = with_contacts(floor, cylinder, 1);
        s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            if (s.count != 4) print_message("standing, lean %g\n", lean), print_list(&s);
            assert_int_equal(s.count, 4);
            wit_vec3 sum = {0, 0, 0};
            for (int k = 0; k < 4; ++k) {
                near1(norm3(sub3(s.c[k].b.point, p.position)), 0.5, 1e-9, "on the rim");
                near1(s.c[k].distance, s.c[k].b.point.z, 1e-10, "height over the plane");
                sum = add3(sum, sub3(s.c[k].b.point, p.position));
            }
            near1(norm3(sum), 0, 1e-6, "all around");
        }
        wit_tracker_destroy(t);
        /* a ball, and a cone on its side */
        p = at(1, 1, 0.5 + height);
        t = with_contacts(floor, ball, 1);
        s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            assert_int_equal(s.count, 1);
            near1(s.c[0].distance, height, 1e-10, "ball");
        }
        wit_tracker_destroy(t);
        double half = atan2(0.6, 1.5);
        lie = turned(0, 0, 0, vec3(0, 1, 0), 1.5707963267948966 + half - lean);
        p = wit_pose_compose(&about, &lie);
        wit_vec3 tip = wit_pose_point(&p, vec3(0, 0, 1.5)), rim = wit_pose_point(&p, vec3(0.6, 0, 0));
        wit_vec3 other = wit_pose_point(&p, vec3(-0.6, 0, 0));
        if (other.z < rim.z) rim = other;
        double lift = height - fmin(tip.z, rim.z);
        p.position.z += lift, tip.z += lift, rim.z += lift;
        t = with_contacts(floor, cone, 1);
        s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            if (s.count != 2) print_message("cone, lean %g\n", lean), print_list(&s);
            assert_int_equal(s.count, 2);
            const wit_tracked_contact *c0 = at_point(&s, 1, tip, 1e-7), *c1 = at_point(&s, 1, rim, 1e-7);
            if (!c0 || !c1)
                print_list(&s), print_message("tip %g %g %g rim %g %g %g\n", tip.x, tip.y, tip.z, rim.x, rim.y, rim.z);
            assert_true(c0 && c1);
            near1(c0->distance, tip.z, 1e-10, "tip");
            near1(c1->distance, rim.z, 1e-10, "rim");
        }
        wit_tracker_destroy(t);
    }
    wit_body_destroy(plane), wit_body_destroy(wide), wit_body_destroy(cylinder), wit_body_destroy(ball),
        wit_body_destroy(cone);
}

/* ---- boxes of one size, one on the other ------------------------------------------------------------------ */

static void flush_boxes_keep_four_corners(void** state)
{
    (void)state;
    rng r = rng_seed(7006);
    static const double scales[] = {1e-6, 1, 1e6};
    for (int n = 0; n < 3; ++n) {
        double k = scales[n];
        wit_body *a = box(2 * k, k, k), *b = box(2 * k, k, k);
        for (long i = 0; i < campaign(300); ++i) {
            static const double jitters[] = {0, 1e-15, 1e-13, 1e-12, 1e-11, 3e-10};
            wit_tracker* t = with_contacts(a, b, 0.1 * k);
            wit_pose world = random_world(&r), own = at(0, 0, 0);
            world.position = scale3(k, world.position);
            int64_t ids[4] = {0};
            for (int f = 0; f < 20; ++f) {
                double j = jitters[rng_int(&r, 6)];
                wit_vec3 off = scale3(j * k, random_unit(&r)); /* of the size of both, along all axes, and a turn */
                wit_pose p = turned(off.x, off.y, k * (1 - 1e-3) + off.z, random_unit(&r), 0.3 * j);
                shown s = show(t, &world, &own, &p, k);
                if (s.r.outcome != WIT_OUTCOME_CONVERGED) continue;
                if (s.count != 4) print_message("scale %g jitter %g\n", k, j), print_list(&s);
                assert_int_equal(s.count, 4);
                for (int c = 0; c < 4; ++c) {
                    near1(s.c[c].distance, -1e-3 * k, 1e-8 * k, "depth of a flush corner");
                    if (ids[c]) assert_true(ids[c] == s.c[c].id);
                    ids[c] = s.c[c].id;
                }
            }
            wit_tracker_destroy(t);
        }
        wit_body_destroy(a), wit_body_destroy(b);
    }
}

/* Cylinders of one radius, one on the other: points all around, whatever the jitter. */
static void flush_discs_are_held_all_around(void** state)
{
    (void)state;
    rng r = rng_seed(7008);
    wit_body *a = round_solid(WIT_SOLID_CYLINDER, 1, 1), *b = round_solid(WIT_SOLID_CYLINDER, 1, 0.5);
    static const double jitters[] = {0, 1e-15, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2};
    long judged = 0;
    for (long i = 0; i < campaign(1000); ++i) {
        double j = jitters[rng_int(&r, 8)], lean = some_lean(&r), turn = rng_range(&r, 0, 6.28),
               gap = rng_range(&r, 1e-3, 0.02);
        if (lean > 1e-2) lean = 1e-2;
        wit_pose world = random_world(&r), own = at(0, 0, -1), p = leaning(&r, lean, j * cos(turn), j * sin(turn), gap);
        wit_tracker* t = with_contacts(a, b, 0.5);
        shown s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            ++judged;
            bool held = s.count >= 4 && s.count <= 12;
            for (int d = 0; d < 16 && held; ++d) {
                double far = -1, e = d * 6.283185307179586 / 16;
                for (int k = 0; k < s.count; ++k)
                    far = fmax(far, cos(e) * s.c[k].a.point.x + sin(e) * s.c[k].a.point.y);
                held = far > 0.6;
            }
            if (!held) print_message("jitter %g lean %g gap %g\n", j, lean, gap), print_list(&s);
            assert_true(held);
        }
        wit_tracker_destroy(t);
    }
    print_message("  %ld judged\n", judged);
    wit_body_destroy(a), wit_body_destroy(b);
}

/* ---- a box on a disc ----------------------------------------------------------------------------------------- */

/* Every corner of box and disc in common: corners of the box in the disc, crossings of its sides with the circle; and places of
 * the circle in the box, which only have to be there. */
static void box_on_a_disc(void** state)
{
    (void)state;
    rng r = rng_seed(7007);
    const double radius = 1, hx = 0.6, hy = 0.4;
    wit_body *a = round_solid(WIT_SOLID_CYLINDER, radius, 1), *b = box(2 * hx, 2 * hy, 0.5);
    for (long i = 0; i < campaign(4000); ++i) {
        double lean = some_lean(&r), gap = rng_range(&r, 1e-3, 0.02);
        wit_pose world = random_world(&r), own = at(0, 0, -1);
        wit_pose p = leaning(&r, lean, rng_range(&r, -1.4, 1.4), rng_range(&r, -1.4, 1.4), 0.25 + gap);
        wit_tracker* t = with_contacts(a, b, 0.5);
        shown s = show(t, &world, &own, &p, 1);
        wit_vec3 c[4], n = wit_pose_unvector(&world, s.r.normal);
        for (int k = 0; k < 4; ++k)
            c[k] = wit_pose_point(&p, vec3(k == 1 || k == 2 ? hx : -hx, k >= 2 ? hy : -hy, -0.25));
        bool judged = s.r.outcome == WIT_OUTCOME_CONVERGED && n.z > cos(0.09) &&
                      dot3(n, wit_pose_vector(&p, vec3(0, 0, 1))) > cos(0.09);
        int found = 0, expected = 0;
        for (int k = 0; k < 4 && judged; ++k) {
            wit_vec3 from = c[k], way = sub3(c[(k + 1) % 4], c[k]);
            double A = way.x * way.x + way.y * way.y, B = from.x * way.x + from.y * way.y;
            double C = from.x * from.x + from.y * from.y - radius * radius, D = B * B - A * C;
            if (fabs(C) < 1e-3 || fabs(D) < 1e-3) judged = false; /* corners that nearly coincide are one */
            if (C < 0) ++expected, found += at_point(&s, 1, from, 1e-7) != NULL;
            for (int sign = -1; sign <= 1 && D > 0; sign += 2) {
                double w = (-B + sign * sqrt(D)) / A;
                if (w < 0 || w > 1) continue;
                /* the tracked pair is seen along another normal there */
                ++expected,
                    found += at_point(&s, 1, addscaled3(from, w, way), 1e-6 + 4 * lean * gap + lean * 0.2) != NULL;
            }
        }
        if (judged && found != expected) print_message("lean %g, %d of %d\n", lean, found, expected), print_list(&s);
        if (judged) assert_int_equal(found, expected);
        for (int k = 0; k < s.count && judged; ++k) {
            wit_vec3 q = s.c[k].a.point, in_box = wit_pose_unpoint(&p, s.c[k].b.point);
            assert_true(off_axis(q) <= radius + 3e-4 && fabs(in_box.x) <= hx + 1e-6 && fabs(in_box.y) <= hy + 1e-6);
        }
        wit_tracker_destroy(t);
    }
    wit_body_destroy(a), wit_body_destroy(b);
}

/* ---- a peg in a hole, shafts side by side -------------------------------------------------------------- */

/* The least gap between a section of the peg, at v of its axis, and the wall: by brute force. */
static double section_gap(const wit_pose* p, double v, double radius, double wall)
{
    double least = INFINITY;
    for (int k = 0; k < 3600; ++k) {
        double turn = k * 6.283185307179586 / 3600;
        least = fmin(least, wall - off_axis(wit_pose_point(p, vec3(radius * cos(turn), radius * sin(turn), v))));
    }
    return least;
}

static void peg_in_a_hole_is_held_at_both_ends(void** state)
{
    (void)state;
    rng r = rng_seed(7004);
    const double wall = 0.5, radius = 0.45;
    wit_body *a = hole(wall, 1), *b = round_solid(WIT_SOLID_CYLINDER, radius, 2);
    long judged = 0;
    for (long i = 0; i < campaign(2000); ++i) {
        double lean = some_lean(&r), e = rng_range(&r, 0, 0.03), turn = rng_range(&r, 0, 6.28);
        if (lean > 0.02) lean = 0.02;
        wit_pose world = random_world(&r), own = at(0, 0, 0), p = leaning(&r, lean, 0, 0, 0);
        if (rng_int(&r, 4) == 0) e = 0;
        wit_vec3 middle = wit_pose_vector(&p, vec3(0, 0, 1)); /* of the peg comes to the middle of the hole */
        p.position = sub3(vec3(e * cos(turn), e * sin(turn), 0.5), middle);
        wit_tracker* t = with_contacts(a, b, 0.2);
        shown s = show(t, &world, &own, &p, 1);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED) {
            ++judged;
            if (s.count != 8) print_message("lean %g e %g\n", lean, e), print_list(&s);
            assert_int_equal(s.count, 8);
            double least[2] = {INFINITY, INFINITY};
            for (int k = 0; k < s.count; ++k) {
                const wit_tracked_contact* c = &s.c[k];
                wit_vec3 in_peg = wit_pose_unpoint(&p, c->b.point);
                near1(off_axis(c->a.point), wall, 1e-9, "on the wall");
                near1(off_axis(in_peg), radius, 1e-9, "on the peg");
                int end = c->a.point.z > 0.5;
                near1(c->a.point.z, end, 1e-9 + 2 * lean, "at an end of the hole");
                least[end] = fmin(least[end], c->distance);
            }
            for (int end = 0; end < 2; ++end) {
                double v = wit_pose_unpoint(&p, vec3(p.position.x, p.position.y, end)).z;
                near1(least[end], section_gap(&p, v, radius, wall), 1e-6 + 2 * lean * lean + lean * 0.05,
                      "gap of a section");
            }
            near1(fmin(least[0], least[1]), s.r.distance, 1e-9, "the least of all");
        }
        wit_tracker_destroy(t);
    }
    print_message("  %ld judged\n", judged);
    assert_true(judged > 0);
    wit_body_destroy(a), wit_body_destroy(b);
}

static void shafts_side_by_side_are_held_at_both_ends(void** state)
{
    (void)state;
    rng r = rng_seed(7005);
    wit_body *a = round_solid(WIT_SOLID_CYLINDER, 0.5, 2), *b = round_solid(WIT_SOLID_CYLINDER, 0.3, 1.5);
    for (long i = 0; i < campaign(2000); ++i) {
        double along = rng_range(&r, -1, 1.5), gap = rng_range(&r, -0.02, 0.05), turn = rng_range(&r, 0, 6.28);
        wit_pose world = random_world(&r), own = at(0, 0, 0);
        wit_pose p = turned(0.8 * cos(turn) + gap * cos(turn), (0.8 + gap) * sin(turn), along, vec3(0, 0, 1), turn);
        wit_tracker* t = with_contacts(a, b, 0.2);
        shown s = show(t, &world, &own, &p, 1);
        double lo = fmax(0, along), hi = fmin(2, along + 1.5);
        if (s.r.outcome == WIT_OUTCOME_CONVERGED && hi > lo + 0.05 && (gap > 0 || hi - lo > 0.1)) {
            if (s.count != 2) print_message("along %g gap %g\n", along, gap), print_list(&s);
            assert_int_equal(s.count, 2);
            for (int k = 0; k < 2; ++k) {
                wit_vec3 q = vec3(0.5 * cos(turn), 0.5 * sin(turn), k ? hi : lo);
                const wit_tracked_contact* c = at_point(&s, 0, q, 1e-6);
                assert_non_null(c);
                near1(c->distance, gap, 1e-9, "gap");
            }
        }
        wit_tracker_destroy(t);
    }
    wit_body_destroy(a), wit_body_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_over_half_space_has_its_four_corners),
        cmocka_unit_test(prism_on_prism_has_the_corners_of_what_is_common),
        cmocka_unit_test(round_ones_on_a_plane),
        cmocka_unit_test(flush_boxes_keep_four_corners),
        cmocka_unit_test(flush_discs_are_held_all_around),
        cmocka_unit_test(box_on_a_disc),
        cmocka_unit_test(peg_in_a_hole_is_held_at_both_ends),
        cmocka_unit_test(shafts_side_by_side_are_held_at_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
