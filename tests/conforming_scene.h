/* SPDX-License-Identifier: MIT */
/* Bodies that conform, the set in which they touch, and what every set must fulfil. */
#ifndef TESTS_CONFORMING_SCENE_H
#define TESTS_CONFORMING_SCENE_H

#include "../include/witness/track.h"
#include "campaign.h"
#include "placing.h"

static inline wit_body* box(double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_BOX);
    d.size_x = x, d.size_y = y, d.size_z = z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static inline wit_body* round_solid(wit_solid_kind kind, double radius, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.radius = radius;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* The wall of a hole along z from 0 up, as a sheet whose normal points to the axis. */
static inline wit_body* hole(double radius, double height)
{
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = radius;
    d.range_v.lo = 0;
    d.range_v.hi = height;
    wit_surface* s = surface_made(&d);
    wit_face_def face = {.surface = s, .reversed = true};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.face_count = 1;
    def.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&def, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

static inline wit_tracker* tracker(const wit_body* a, const wit_body* b)
{
    wit_tracker* t = wit_tracker_create(a, b, NULL, NULL, NULL);
    assert_non_null(t);
    return t;
}

static inline wit_contact_set set_at(wit_tracker* t, const wit_pose* a, const wit_pose* b)
{
    wit_motion ma = wit_motion_at_rest(*a), mb = wit_motion_at_rest(*b);
    wit_result r;
    wit_contact_set s;
    assert_int_equal(wit_tracker_step(t, &ma, &mb, 1e-3, &r), WIT_OK);
    assert_int_equal(wit_tracker_contact_set(t, &s), WIT_OK);
    print_message("  distance %.3g: dimension %d, extents [%.6g, %.6g] [%.6g, %.6g], %d points\n", r.distance,
                  s.dimension, s.extent[0].lo, s.extent[0].hi, s.extent[1].lo, s.extent[1].hi, s.count);
    return s;
}

/* Every point of the set is a pair at its distance along its normal there. */
static inline void check_points(const wit_contact_set* s, double distance, double off)
{
    assert_true(s->count > 0);
    assert_true(fabs(s->distance - distance) <= off);
    assert_true(fabs(norm3(s->normal) - 1) <= 1e-14);
    for (int k = 0; k < s->count; ++k) {
        double gap = norm3(sub3(s->point[k].b.point, s->point[k].a.point));
        assert_true(fabs(s->point[k].distance - distance) <= off);
        assert_true(fabs(gap - fabs(distance)) <= off + 1e-11); /* at a border a foot is askew by 1e-12 of the size */
    }
}

static inline bool has_point(const wit_contact_set* s, wit_vec3 p, double off)
{
    for (int k = 0; k < s->count; ++k)
        if (norm3(sub3(s->point[k].b.point, p)) <= off) return true;
    return false;
}

static inline double across(const wit_contact_set* s, int k)
{
    return s->extent[k].hi - s->extent[k].lo;
}

/* Boxes with parallel sides, one on the other: the overlap is a rectangle [lo, hi]. */
static inline void check_overlap(const wit_contact_set* s, wit_vec3 lo, wit_vec3 hi, double distance)
{
    assert_int_equal(s->dimension, 2);
    check_points(s, distance, 1e-12);
    assert_int_equal(s->count, 4);
    for (int k = 0; k < 4; ++k) assert_true(has_point(s, vec3(k & 1 ? lo.x : hi.x, k & 2 ? lo.y : hi.y, lo.z), 1e-9));
    for (int k = 0; k < 2; ++k) {
        double x = fabs(s->direction[k].x), y = fabs(s->direction[k].y);
        assert_true(fabs(fmax(x, y) - 1) < 1e-12);
        assert_true(fabs(across(s, k) - (x > y ? hi.x - lo.x : hi.y - lo.y)) < 1e-9);
    }
}

/* On a border of the set, or where no normal is to be had: the features around are asked. */
static inline wit_contact_set set_from(const wit_body* x, const wit_body* y, const wit_witness* wx,
                                       const wit_witness* wy, const wit_pose* a, const wit_pose* b)
{
    wit_track_def def = wit_track_default_def();
    def.keep_features = true;
    def.reacquire = false;
    def.front = 0;
    wit_tracker* t = wit_tracker_create(x, y, &def, NULL, NULL);
    assert_non_null(t);
    assert_int_equal(wit_tracker_place(t, wx, wy), WIT_OK);
    wit_contact_set s = set_at(t, a, b);
    wit_tracker_destroy(t);
    return s;
}

#endif
