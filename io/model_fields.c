/* SPDX-License-Identifier: MIT */
#include "model.h"

#define BIT(kind) (1u << WIT_##kind)
#define AT(field) offsetof(wit_curve_def, field)

static const model_field curve_fields[] = {
    {"frame", FIELD_FRAME, 0,
     BIT(CURVE_LINE) | BIT(CURVE_CIRCLE) | BIT(CURVE_ELLIPSE) | BIT(CURVE_PARABOLA) | BIT(CURVE_HYPERBOLA), AT(frame),
     0, 0},
    {"range", FIELD_RANGE, BIT(CURVE_LINE) | BIT(CURVE_PARABOLA) | BIT(CURVE_HYPERBOLA),
     BIT(CURVE_CIRCLE) | BIT(CURVE_ELLIPSE) | BIT(CURVE_ISO) | BIT(CURVE_ON_SURFACE), AT(range), 0, 0},
    {"radius", FIELD_NUMBER, BIT(CURVE_CIRCLE), 0, AT(radius), 0, 0},
    {"semi_x", FIELD_NUMBER, BIT(CURVE_ELLIPSE) | BIT(CURVE_HYPERBOLA), 0, AT(semi_x), 0, 0},
    {"semi_y", FIELD_NUMBER, BIT(CURVE_ELLIPSE) | BIT(CURVE_HYPERBOLA), 0, AT(semi_y), 0, 0},
    {"focal", FIELD_NUMBER, BIT(CURVE_PARABOLA), 0, AT(focal), 0, 0},
    {"degree", FIELD_INTEGER, BIT(CURVE_NURBS), 0, AT(degree), 0, 0},
    {"periodic", FIELD_FLAG, 0, BIT(CURVE_NURBS), AT(periodic), 0, 0},
    {"knots", FIELD_NUMBERS, BIT(CURVE_NURBS), 0, AT(knots), AT(knot_count), 0},
    {"points", FIELD_POINTS, BIT(CURVE_NURBS), 0, AT(points), AT(count), 0},
    {"weights", FIELD_WEIGHTS, 0, BIT(CURVE_NURBS), AT(weights), AT(count), 0},
    {"surface", FIELD_SURFACE, BIT(CURVE_ISO) | BIT(CURVE_ON_SURFACE), 0, AT(surface), 0, 0},
    {"fixed", FIELD_PARAMETER, BIT(CURVE_ISO), 0, AT(fixed), 0, 0},
    {"value", FIELD_NUMBER, BIT(CURVE_ISO), 0, AT(value), 0, 0},
    {"parameter_curve", FIELD_CURVE, BIT(CURVE_ON_SURFACE), 0, AT(parameter_curve), 0, 0},
};

#undef AT
#define AT(field) offsetof(wit_surface_def, field)

static const model_field surface_fields[] = {
    {"frame", FIELD_FRAME, 0,
     BIT(SURFACE_PLANE) | BIT(SURFACE_CYLINDER) | BIT(SURFACE_CONE) | BIT(SURFACE_SPHERE) | BIT(SURFACE_ELLIPSOID) |
         BIT(SURFACE_TORUS) | BIT(SURFACE_PARABOLOID) | BIT(SURFACE_REVOLUTION),
     AT(frame), 0, 0},
    {"range_u", FIELD_RANGE, BIT(SURFACE_PLANE),
     BIT(SURFACE_CYLINDER) | BIT(SURFACE_CONE) | BIT(SURFACE_SPHERE) | BIT(SURFACE_ELLIPSOID) | BIT(SURFACE_TORUS) |
         BIT(SURFACE_PARABOLOID) | BIT(SURFACE_REVOLUTION) | BIT(SURFACE_EXTRUSION),
     AT(range_u), 0, 0},
    {"range_v", FIELD_RANGE, BIT(SURFACE_PLANE) | BIT(SURFACE_CYLINDER) | BIT(SURFACE_CONE) | BIT(SURFACE_EXTRUSION),
     BIT(SURFACE_SPHERE) | BIT(SURFACE_ELLIPSOID) | BIT(SURFACE_TORUS) | BIT(SURFACE_PARABOLOID) |
         BIT(SURFACE_REVOLUTION),
     AT(range_v), 0, 0},
    {"radius", FIELD_NUMBER, BIT(SURFACE_CYLINDER) | BIT(SURFACE_CONE) | BIT(SURFACE_SPHERE) | BIT(SURFACE_TORUS), 0,
     AT(radius), 0, 0},
    {"minor", FIELD_NUMBER, BIT(SURFACE_TORUS), 0, AT(minor), 0, 0},
    {"angle", FIELD_NUMBER, BIT(SURFACE_CONE), 0, AT(angle), 0, 0},
    {"semi_x", FIELD_NUMBER, BIT(SURFACE_ELLIPSOID) | BIT(SURFACE_PARABOLOID), 0, AT(semi_x), 0, 0},
    {"semi_y", FIELD_NUMBER, BIT(SURFACE_ELLIPSOID) | BIT(SURFACE_PARABOLOID), 0, AT(semi_y), 0, 0},
    {"semi_z", FIELD_NUMBER, BIT(SURFACE_ELLIPSOID) | BIT(SURFACE_PARABOLOID), 0, AT(semi_z), 0, 0},
    {"profile", FIELD_CURVE, BIT(SURFACE_REVOLUTION) | BIT(SURFACE_EXTRUSION), 0, AT(profile), 0, 0},
    {"direction", FIELD_VECTOR, BIT(SURFACE_EXTRUSION), 0, AT(direction), 0, 0},
    {"degree_u", FIELD_INTEGER, BIT(SURFACE_NURBS), 0, AT(degree_u), 0, 0},
    {"degree_v", FIELD_INTEGER, BIT(SURFACE_NURBS), 0, AT(degree_v), 0, 0},
    {"periodic_u", FIELD_FLAG, 0, BIT(SURFACE_NURBS), AT(periodic_u), 0, 0},
    {"periodic_v", FIELD_FLAG, 0, BIT(SURFACE_NURBS), AT(periodic_v), 0, 0},
    {"knots_u", FIELD_NUMBERS, BIT(SURFACE_NURBS), 0, AT(knots_u), AT(knot_count_u), 0},
    {"knots_v", FIELD_NUMBERS, BIT(SURFACE_NURBS), 0, AT(knots_v), AT(knot_count_v), 0},
    {"points", FIELD_POINT_ROWS, BIT(SURFACE_NURBS), 0, AT(points), AT(count_u), AT(count_v)},
    {"weights", FIELD_WEIGHT_ROWS, 0, BIT(SURFACE_NURBS), AT(weights), AT(count_u), AT(count_v)},
};

const model_field* model_fields(bool surface, int* count)
{
    *count = surface ? (int)(sizeof surface_fields / sizeof surface_fields[0])
                     : (int)(sizeof curve_fields / sizeof curve_fields[0]);
    return surface ? surface_fields : curve_fields;
}

const char* model_kind_name(bool surface, int kind)
{
    return surface ? wit_surface_kind_name((wit_surface_kind)kind) : wit_curve_kind_name((wit_curve_kind)kind);
}

int model_kind_count(bool surface)
{
    return surface ? (int)WIT_SURFACE_KIND_COUNT : (int)WIT_CURVE_KIND_COUNT;
}
