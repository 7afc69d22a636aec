/* SPDX-License-Identifier: MIT */
/* One solid of every kind with what is known of it: its features, its volume and which points are inside. */
#ifndef TESTS_SOLID_CASES_H
#define TESTS_SOLID_CASES_H

#include "analytic.h"
#include "../include/witness/body.h"

#define SOLID_PI 3.14159265358979323846

/* Inside, in the frame's coordinates at scale 1. */
typedef bool solid_inside(double x, double y, double z);

typedef struct solid_case {
    const char* name;
    wit_solid_kind kind;
    int faces, rings, arcs, vertices, loops, apexes, genus; /* arcs: edges with vertices; genus of the one shell */
    double volume;
    solid_inside* inside;
    double size_x, size_y, size_z, radius, radius2, height;
    int profile; /* REVOLUTION: which */
} solid_case;

/* An L with a slanted corner, anticlockwise. */
static const double solid_polygon[14] = {0, 0, 3, 0, 3, 1, 2, 1.5, 1, 1, 1, 3, 0, 3};
enum { SOLID_POLYGON = 7 };

static inline bool in_polygon(double x, double y)
{
    bool in = false;
    for (int i = 0, j = SOLID_POLYGON - 1; i < SOLID_POLYGON; j = i++) {
        const double *a = solid_polygon + 2 * i, *b = solid_polygon + 2 * j;
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0]) in = !in;
    }
    return in;
}

static inline bool in_box(double x, double y, double z)
{
    return fabs(x) < 1 && fabs(y) < 0.5 && fabs(z) < 1.5;
}

static inline bool in_sphere(double x, double y, double z)
{
    return x * x + y * y + z * z < 2.25;
}

static inline bool in_ellipsoid(double x, double y, double z)
{
    return x * x + y * y / 4 + z * z / 2.25 < 1;
}

static inline bool in_cylinder(double x, double y, double z)
{
    return x * x + y * y < 2.25 && z > 0 && z < 2;
}

static inline bool in_cone(double x, double y, double z)
{
    return z > 0 && z < 2 && hypot(x, y) < 1.5 * (1 - z / 2);
}

static inline bool in_frustum(double x, double y, double z)
{
    return z > 0 && z < 2 && hypot(x, y) < 1.5 - 0.5 * z;
}

static inline bool in_wide_frustum(double x, double y, double z)
{
    return z > 0 && z < 2 && hypot(x, y) < 0.5 + 0.5 * z;
}

static inline bool in_capsule(double x, double y, double z)
{
    double h = fmin(fmax(z, 0), 2);
    return x * x + y * y + (z - h) * (z - h) < 0.25;
}

static inline bool in_torus(double x, double y, double z)
{
    double r = hypot(x, y) - 2;
    return r * r + z * z < 0.25;
}

static inline bool in_prism(double x, double y, double z)
{
    return in_polygon(x, y) && z > 0 && z < 2;
}

static inline bool in_double_cone(double x, double y, double z)
{
    return hypot(x, y) < 1 - fabs(z - 1);
}

/* rho(z) = 1 + (z - 1)^2 / 2 between z = 0 and 2. */
static inline bool in_waist(double x, double y, double z)
{
    return z > 0 && z < 2 && hypot(x, y) < 1 + 0.5 * (z - 1) * (z - 1);
}

static inline bool in_square_ring(double x, double y, double z)
{
    return fabs(hypot(x, y) - 2) < 0.5 && fabs(z) < 0.5;
}

static inline bool in_half_ball(double x, double y, double z)
{
    return x * x + y * y + z * z < 2.25 && z > 0;
}

enum {
    PROFILE_ARC,
    PROFILE_STEPS,
    PROFILE_TIPS,
    PROFILE_WAIST,
    PROFILE_CIRCLE,
    PROFILE_SQUARE,
    PROFILE_SEAM,
    PROFILE_DOME,
    PROFILES
};

/* Points (x, z) of the profiles that are splines of degree 1 or 2 without inner knots but corners. */
static const double profile_steps[8] = {0, 0, 1.5, 0, 1.5, 2, 0, 2};
static const double profile_tips[6] = {0, 0, 1, 1, 0, 2};
static const double profile_waist[6] = {1.5, 0, 0.5, 1, 1.5, 2};
static const double profile_square[10] = {1.5, -0.5, 2.5, -0.5, 2.5, 0.5, 1.5, 0.5, 1.5, -0.5};

static const double profile_seam[12] = {2.5, 0, 2.5, 0.5, 1.5, 0.5, 1.5, -0.5, 2.5, -0.5, 2.5, 0};

/* A profile of the given scale in the frame's x, z plane, in the body's coordinates. */
static inline wit_curve* solid_profile(int which, const wit_frame* frame, double scale)
{
    shape_frame f = wi_frame_of(frame);
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    double knots[12], points[18];
    const double* from = NULL;
    if (which == PROFILE_ARC || which == PROFILE_CIRCLE || which == PROFILE_DOME) {
        d = wit_curve_default_def(WIT_CURVE_CIRCLE);
        d.frame.origin = which == PROFILE_CIRCLE ? addscaled3(f.o, 2 * scale, f.x) : f.o;
        d.frame.x = f.x;
        d.frame.z = scale3(-1, f.y); /* x cross z is -y: from x towards z */
        d.radius = (which == PROFILE_CIRCLE ? 0.5 : 1.5) * scale;
        if (which == PROFILE_ARC) d.range = iv(-SOLID_PI / 2, SOLID_PI / 2);
        if (which == PROFILE_DOME) d.range = iv(0, SOLID_PI / 2);
        return curve_made(&d);
    }
    switch (which) {
    case PROFILE_STEPS:
        from = profile_steps;
        d.count = 4;
        break;
    case PROFILE_TIPS:
        from = profile_tips;
        d.count = 3;
        break;
    case PROFILE_WAIST:
        from = profile_waist;
        d.count = 3;
        break;
    case PROFILE_SEAM:
        from = profile_seam;
        d.count = 6;
        break;
    default:
        from = profile_square;
        d.count = 5;
        break;
    }
    d.degree = which == PROFILE_WAIST ? 2 : 1;
    d.knot_count = d.count + d.degree + 1;
    for (int i = 0; i < d.knot_count; ++i) knots[i] = fmin(fmax(i - d.degree, 0), d.count - d.degree);
    for (int i = 0; i < d.count; ++i) {
        wit_vec3 p = addscaled3(addscaled3(f.o, scale * from[2 * i], f.x), scale * from[2 * i + 1], f.z);
        points[3 * i] = p.x;
        points[3 * i + 1] = p.y;
        points[3 * i + 2] = p.z;
    }
    d.knots = knots;
    d.points = points;
    return curve_made(&d);
}

/* The area of the L is 3 + 2 + 1/2. */
static const solid_case solid_cases[] = {
    {"box", WIT_SOLID_BOX, 6, 0, 12, 8, 6, 0, 0, 6, in_box, .size_x = 2, .size_y = 1, .size_z = 3},
    {"sphere", WIT_SOLID_SPHERE, 1, 0, 0, 0, 0, 0, 0, 4.5 * SOLID_PI, in_sphere, .radius = 1.5},
    {"ellipsoid", WIT_SOLID_ELLIPSOID, 1, 0, 0, 0, 0, 0, 0, 4 * SOLID_PI, in_ellipsoid, .size_x = 1, .size_y = 2,
     .size_z = 1.5},
    {"cylinder", WIT_SOLID_CYLINDER, 3, 2, 0, 0, 4, 0, 0, 4.5 * SOLID_PI, in_cylinder, .radius = 1.5, .height = 2},
    {"cone", WIT_SOLID_CONE, 2, 1, 0, 1, 2, 1, 0, 1.5 * SOLID_PI, in_cone, .radius = 1.5, .height = 2},
    {"frustum", WIT_SOLID_FRUSTUM, 3, 2, 0, 0, 4, 0, 0, SOLID_PI * 2 / 3 * (2.25 + 0.75 + 0.25), in_frustum,
     .radius = 1.5, .radius2 = 0.5, .height = 2},
    {"wide frustum", WIT_SOLID_FRUSTUM, 3, 2, 0, 0, 4, 0, 0, SOLID_PI * 2 / 3 * (2.25 + 0.75 + 0.25), in_wide_frustum,
     .radius = 0.5, .radius2 = 1.5, .height = 2},
    {"straight frustum", WIT_SOLID_FRUSTUM, 3, 2, 0, 0, 4, 0, 0, 4.5 * SOLID_PI, in_cylinder, .radius = 1.5,
     .radius2 = 1.5, .height = 2},
    {"capsule", WIT_SOLID_CAPSULE, 3, 2, 0, 0, 4, 0, 0, SOLID_PI*(0.5 + 1.0 / 6), in_capsule, .radius = 0.5,
     .height = 2},
    {"torus", WIT_SOLID_TORUS, 1, 0, 0, 0, 0, 0, 1, SOLID_PI* SOLID_PI, in_torus, .radius = 2, .radius2 = 0.5},
    {"prism", WIT_SOLID_PRISM, 9, 0, 21, 14, 9, 0, 0, 2 * 5.5, in_prism, .height = 2},
    {"ball of revolution", WIT_SOLID_REVOLUTION, 1, 0, 0, 0, 0, 0, 0, 4.5 * SOLID_PI, in_sphere,
     .profile = PROFILE_ARC},
    {"can of revolution", WIT_SOLID_REVOLUTION, 3, 2, 0, 0, 4, 0, 0, 4.5 * SOLID_PI, in_cylinder,
     .profile = PROFILE_STEPS},
    {"double cone", WIT_SOLID_REVOLUTION, 2, 1, 0, 2, 2, 2, 0, SOLID_PI * 2 / 3, in_double_cone,
     .profile = PROFILE_TIPS},
    /* The integral of (1 + s^2 / 2)^2 over -1..1 is 2 + 2/3 + 1/10. */
    {"waist", WIT_SOLID_REVOLUTION, 3, 2, 0, 0, 4, 0, 0, SOLID_PI*(2 + 2.0 / 3 + 0.1), in_waist,
     .profile = PROFILE_WAIST},
    {"torus of revolution", WIT_SOLID_REVOLUTION, 1, 0, 0, 0, 0, 0, 1, SOLID_PI* SOLID_PI, in_torus,
     .profile = PROFILE_CIRCLE},
    {"square ring", WIT_SOLID_REVOLUTION, 4, 4, 0, 0, 8, 0, 1, 4 * SOLID_PI, in_square_ring, .profile = PROFILE_SQUARE},
    /* Cut at its smooth seam too. */
    {"square ring with a seam", WIT_SOLID_REVOLUTION, 5, 5, 0, 0, 10, 0, 1, 4 * SOLID_PI, in_square_ring,
     .profile = PROFILE_SEAM},
    {"half ball", WIT_SOLID_REVOLUTION, 2, 1, 0, 0, 2, 0, 0, 2.25 * SOLID_PI, in_half_ball, .profile = PROFILE_DOME},
};
enum { SOLID_CASES = sizeof solid_cases / sizeof solid_cases[0] };

static inline wit_body* solid_made(const solid_case* c, const wit_frame* frame, double scale)
{
    wit_solid_def d = wit_solid_default_def(c->kind);
    double polygon[2 * SOLID_POLYGON];
    for (int i = 0; i < 2 * SOLID_POLYGON; ++i) polygon[i] = scale * solid_polygon[i];
    d.name = c->name;
    d.frame = *frame;
    d.size_x = scale * c->size_x;
    d.size_y = scale * c->size_y;
    d.size_z = scale * c->size_z;
    d.radius = scale * c->radius;
    d.radius2 = scale * c->radius2;
    d.height = scale * c->height;
    d.polygon_count = SOLID_POLYGON;
    d.polygon = polygon;
    wit_curve* profile = c->kind == WIT_SOLID_REVOLUTION ? solid_profile(c->profile, frame, scale) : NULL;
    d.profile = profile;
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) print_error("%s: %s: %s\n", c->name, e.item, e.text);
    assert_non_null(b);
    wit_curve_destroy(profile);
    return b;
}

#endif
