/* SPDX-License-Identifier: MIT */
#include "lab_solid.h"

#include <math.h>

#include "../src/base/vec.h"

/* Sizes in metres. */
static const double sphere_radius = 0.1;
static const double ellipsoid_axis[3] = {0.12, 0.09, 0.06};
static const double box_half[3] = {0.1, 0.08, 0.06};
static const double cylinder_radius = 0.06, cylinder_height = 0.2;
static const double capsule_radius = 0.05, capsule_height = 0.12;
static const double cone_radius = 0.08, cone_height = 0.2;
static const double torus_radius = 0.08, torus_tube = 0.025;
static const double half_space_reach = 0.2;
static const double turn = 6.28318530717958647693;

const char* lab_solid_name(lab_solid solid)
{
    static const char* const names[] = {
#define LAB_SOLID_NAME(id, name) name,
        LAB_SOLID_LIST(LAB_SOLID_NAME)
#undef LAB_SOLID_NAME
    };
    return names[solid];
}

wit_body* lab_solid_create(lab_solid solid)
{
    static const wit_solid_kind kinds[LAB_SOLIDS] = {
        [LAB_SPHERE] = WIT_SOLID_SPHERE,     [LAB_ELLIPSOID] = WIT_SOLID_ELLIPSOID,   [LAB_BOX] = WIT_SOLID_BOX,
        [LAB_CYLINDER] = WIT_SOLID_CYLINDER, [LAB_CAPSULE] = WIT_SOLID_CAPSULE,       [LAB_CONE] = WIT_SOLID_CONE,
        [LAB_TORUS] = WIT_SOLID_TORUS,       [LAB_HALF_SPACE] = WIT_SOLID_HALF_SPACE,
    };
    wit_solid_def d = wit_solid_default_def(kinds[solid]);
    d.name = lab_solid_name(solid);
    switch (solid) {
    case LAB_SPHERE:
        d.radius = sphere_radius;
        break;
    case LAB_ELLIPSOID:
        d.size_x = ellipsoid_axis[0], d.size_y = ellipsoid_axis[1], d.size_z = ellipsoid_axis[2];
        break;
    case LAB_BOX:
        d.size_x = 2 * box_half[0], d.size_y = 2 * box_half[1], d.size_z = 2 * box_half[2];
        break;
    case LAB_CYLINDER:
        d.radius = cylinder_radius, d.height = cylinder_height;
        break;
    case LAB_CAPSULE:
        d.radius = capsule_radius, d.height = capsule_height;
        break;
    case LAB_CONE:
        d.radius = cone_radius, d.height = cone_height;
        break;
    case LAB_TORUS:
        d.radius = torus_radius, d.radius2 = torus_tube;
        break;
    default:
        break;
    }
    return wit_solid_create(&d, NULL, NULL);
}

static uint64_t next(lab_random* r)
{
    uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double lab_uniform(lab_random* r)
{
    return (double)(next(r) >> 11) * 0x1p-53;
}

static int choice(lab_random* r, int n)
{
    return (int)(next(r) % (uint64_t)n);
}

static double sign_of(lab_random* r)
{
    return next(r) & 1 ? 1 : -1;
}

/* (cos, sin, 0) of a random angle. */
static wit_vec3 radial(lab_random* r)
{
    wit_vec3 d = {0};
    wit_sincos(turn * lab_uniform(r), &d.y, &d.x);
    return d;
}

wit_vec3 lab_direction(lab_random* r)
{
    double z = 2 * lab_uniform(r) - 1;
    wit_vec3 d = radial(r);
    d = scale3(sqrt(1 - z * z), d);
    d.z = z;
    return unit3(d);
}

/* Uniform: three numbers, Shoemake's way. */
wit_quat lab_rotation(lab_random* r)
{
    double s = lab_uniform(r);
    wit_vec3 p = radial(r);
    wit_vec3 q = radial(r);
    double lo = sqrt(1 - s), hi = sqrt(s);
    wit_quat rotation = {hi * q.x, lo * p.x, lo * p.y, hi * q.y};
    return rotation;
}

/* Between two unit vectors: the normal cone of an edge. */
static wit_vec3 between(lab_random* r, wit_vec3 a, wit_vec3 b)
{
    double t = lab_uniform(r);
    return unit3(add3(scale3(1 - t, a), scale3(t, b)));
}

static void on_box(lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    double p[3], n[3] = {0};
    int fixed = 1 + choice(r, 3); /* coordinates at their ends: 1 face, 2 edge, 3 vertex */
    int first = choice(r, 3);
    for (int i = 0; i < 3; i++) {
        int axis = (first + i) % 3;
        double side = sign_of(r);
        double part = lab_uniform(r);
        p[axis] = i < fixed ? side * box_half[axis] : (2 * part - 1) * box_half[axis];
        if (i < fixed) n[axis] = side * (fixed == 1 ? 1 : part);
    }
    *point = vec3(p[0], p[1], p[2]);
    *normal = unit3(vec3(n[0], n[1], n[2]));
}

static void on_cylinder(lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    wit_vec3 d = radial(r);
    bool top = choice(r, 2) == 1;
    wit_vec3 cap = vec3(0, 0, top ? 1 : -1);
    double z = top ? cylinder_height : 0, part = lab_uniform(r);
    switch (choice(r, 3)) {
    case 0: /* side */
        z = part * cylinder_height;
        *point = addscaled3(vec3(0, 0, z), cylinder_radius, d);
        *normal = d;
        break;
    case 1: /* cap */
        *point = addscaled3(vec3(0, 0, z), sqrt(part) * cylinder_radius, d);
        *normal = cap;
        break;
    default: /* rim */
        *point = addscaled3(vec3(0, 0, z), cylinder_radius, d);
        *normal = between(r, d, cap);
    }
}

static void on_capsule(lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    double z = lab_uniform(r) * capsule_height;
    wit_vec3 n = radial(r);
    if (choice(r, 2)) { /* an end */
        n = lab_direction(r);
        z = n.z > 0 ? capsule_height : 0;
    }
    *point = addscaled3(vec3(0, 0, z), capsule_radius, n);
    *normal = n;
}

static void on_cone(lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    wit_vec3 d = radial(r), base = vec3(0, 0, -1);
    wit_vec3 slant = unit3(vec3(cone_height * d.x, cone_height * d.y, cone_radius));
    double part = lab_uniform(r);
    switch (choice(r, 4)) {
    case 0: /* side */
        *point = addscaled3(vec3(0, 0, part * cone_height), (1 - part) * cone_radius, d);
        *normal = slant;
        break;
    case 1: /* base */
        *point = scale3(sqrt(part) * cone_radius, d);
        *normal = base;
        break;
    case 2: /* rim */
        *point = scale3(cone_radius, d);
        *normal = between(r, base, slant);
        break;
    default: /* apex: all between the axis and the normal of the side */
        *point = vec3(0, 0, cone_height);
        *normal = between(r, vec3(0, 0, 1), slant);
    }
}

/* Anywhere: the inner half lies behind its tangent planes and is sorted out by the support function. */
static void on_torus(lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    wit_vec3 d = radial(r);
    wit_vec3 tube = radial(r);
    *normal = unit3(vec3(tube.x * d.x, tube.x * d.y, tube.y));
    *point = addscaled3(scale3(torus_radius, d), torus_tube, *normal);
}

void lab_solid_witness(lab_solid solid, lab_random* r, wit_vec3* point, wit_vec3* normal)
{
    switch (solid) {
    case LAB_SPHERE:
        *normal = lab_direction(r);
        *point = scale3(sphere_radius, *normal);
        break;
    case LAB_ELLIPSOID: { /* where the normal is n: p_i = a_i^2 n_i / h(n) */
        wit_vec3 n = lab_direction(r);
        double h = lab_solid_support(solid, n);
        const double* a = ellipsoid_axis;
        *normal = n;
        *point = vec3(a[0] * a[0] * n.x / h, a[1] * a[1] * n.y / h, a[2] * a[2] * n.z / h);
        break;
    }
    case LAB_BOX:
        on_box(r, point, normal);
        break;
    case LAB_CYLINDER:
        on_cylinder(r, point, normal);
        break;
    case LAB_CAPSULE:
        on_capsule(r, point, normal);
        break;
    case LAB_CONE:
        on_cone(r, point, normal);
        break;
    case LAB_TORUS:
        on_torus(r, point, normal);
        break;
    default:
        point->x = (2 * lab_uniform(r) - 1) * half_space_reach;
        point->y = (2 * lab_uniform(r) - 1) * half_space_reach;
        point->z = 0;
        *normal = vec3(0, 0, 1);
    }
}

double lab_solid_support(lab_solid solid, wit_vec3 n)
{
    double rho = sqrt(n.x * n.x + n.y * n.y);
    switch (solid) {
    case LAB_SPHERE:
        return sphere_radius * norm3(n);
    case LAB_ELLIPSOID:
        return norm3(vec3(ellipsoid_axis[0] * n.x, ellipsoid_axis[1] * n.y, ellipsoid_axis[2] * n.z));
    case LAB_BOX:
        return box_half[0] * fabs(n.x) + box_half[1] * fabs(n.y) + box_half[2] * fabs(n.z);
    case LAB_CYLINDER:
        return cylinder_radius * rho + fmax(0, cylinder_height * n.z);
    case LAB_CAPSULE:
        return capsule_radius * norm3(n) + fmax(0, capsule_height * n.z);
    case LAB_CONE:
        return fmax(cone_radius * rho, cone_height * n.z);
    case LAB_TORUS:
        return torus_radius * rho + torus_tube * norm3(n);
    default:
        return rho == 0 && n.z > 0 ? 0 : HUGE_VAL;
    }
}
