/* SPDX-License-Identifier: MIT */
/* Bodies and worlds for the tests of src/haptic. Metres, kilograms, seconds. */
#ifndef TESTS_HAPTIC_WORLD_H
#define TESTS_HAPTIC_WORLD_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/haptic.h"
#include "../include/witness/io.h"
#include "../src/base/vec.h"

static inline wit_body* world_ellipsoid(double a, double b, double c)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = a;
    d.size_y = b;
    d.size_z = c;
    wit_error e = {0};
    wit_body* body = wit_solid_create(&d, NULL, &e);
    if (!body) printf("%s: %s\n", e.item, e.text);
    assert_non_null(body);
    return body;
}

static inline wit_body* world_ball(double radius)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = radius;
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(body);
    return body;
}

/* z <= 0 */
static inline wit_body* world_ground(void)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(body);
    return body;
}

static inline wit_body* world_cylinder(double radius, double height)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_CYLINDER);
    d.radius = radius;
    d.height = height;
    wit_body* body = wit_solid_create(&d, NULL, NULL);
    assert_non_null(body);
    return body;
}

static inline wit_haptic_body_def world_fixed(const wit_body* shape)
{
    wit_haptic_body_def d = wit_haptic_default_body();
    d.shape = shape;
    return d;
}

/* A homogeneous ellipsoid of half axes a, b, c. */
static inline wit_haptic_body_def world_dynamic(const wit_body* shape, double mass, double a, double b, double c,
                                                wit_vec3 at)
{
    wit_haptic_body_def d = wit_haptic_default_body();
    d.shape = shape;
    d.drive = WIT_DRIVE_DYNAMIC;
    d.mass = mass;
    memset(d.inertia, 0, sizeof d.inertia);
    d.inertia[0] = mass * (b * b + c * c) / 5;
    d.inertia[4] = mass * (a * a + c * c) / 5;
    d.inertia[8] = mass * (a * a + b * b) / 5;
    d.start.pose.position = at;
    d.start.twist_known = true;
    if (a == b && b == c) d.lever = 0;
    return d;
}

static inline wit_haptic* world_make(const wit_haptic_def* def)
{
    wit_error e = {0};
    wit_haptic* w = wit_haptic_create(def, NULL, &e);
    if (!w) printf("%s: %s\n", e.item, e.text);
    assert_non_null(w);
    return w;
}

/* The bowl of the model: inside a sphere of radius 5 about (0, 0, 7), rim at z = 4. */
static inline wit_model* world_bowl(const wit_body** bowl)
{
    wit_model* m = wit_model_read_file("models/bowl.json", NULL, NULL);
    assert_non_null(m);
    *bowl = wit_model_body(m, 0);
    return m;
}

#endif
