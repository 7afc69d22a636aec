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

#undef AT
#define AT(field) offsetof(wit_solid_def, field)

static const model_field solid_fields[] = {
    {"frame", FIELD_FRAME, 0, (1u << WIT_SOLID_KIND_COUNT) - 1, AT(frame), 0, 0},
    {"size_x", FIELD_NUMBER, BIT(SOLID_BOX) | BIT(SOLID_ELLIPSOID), 0, AT(size_x), 0, 0},
    {"size_y", FIELD_NUMBER, BIT(SOLID_BOX) | BIT(SOLID_ELLIPSOID), 0, AT(size_y), 0, 0},
    {"size_z", FIELD_NUMBER, BIT(SOLID_BOX) | BIT(SOLID_ELLIPSOID), 0, AT(size_z), 0, 0},
    {"radius", FIELD_NUMBER,
     BIT(SOLID_SPHERE) | BIT(SOLID_CYLINDER) | BIT(SOLID_CONE) | BIT(SOLID_FRUSTUM) | BIT(SOLID_CAPSULE) |
         BIT(SOLID_TORUS),
     0, AT(radius), 0, 0},
    {"radius2", FIELD_NUMBER, BIT(SOLID_FRUSTUM) | BIT(SOLID_TORUS), 0, AT(radius2), 0, 0},
    {"height", FIELD_NUMBER,
     BIT(SOLID_CYLINDER) | BIT(SOLID_CONE) | BIT(SOLID_FRUSTUM) | BIT(SOLID_CAPSULE) | BIT(SOLID_PRISM), 0, AT(height),
     0, 0},
    {"polygon", FIELD_PAIRS, BIT(SOLID_PRISM), 0, AT(polygon), AT(polygon_count), 0},
    {"profile", FIELD_CURVE, BIT(SOLID_REVOLUTION), 0, AT(profile), 0, 0},
};

enum { BY_FEATURES = 1, READY_MADE = 2, ONE = 1 };

#undef AT
#define AT(field) offsetof(model_body, field)

static const model_field body_fields[] = {
    {"name", FIELD_NAME, 0, BY_FEATURES | READY_MADE, AT(name), 0, 0},
    {"kind", FIELD_BODY_KIND, BY_FEATURES, 0, AT(def.kind), 0, 0},
    {"note", FIELD_NOTE, 0, BY_FEATURES | READY_MADE, AT(note), 0, 0},
    {"pose", FIELD_POSE, 0, BY_FEATURES | READY_MADE, AT(pose), 0, 0},
    {"color", FIELD_COLOR, 0, BY_FEATURES | READY_MADE, 0, 0, 0},
    {"solid", FIELD_LIST, READY_MADE, 0, 0, LINK_SOLID, 0},
    {"planar", FIELD_FLAG, 0, BY_FEATURES, AT(def.planar), 0, 0},
    {"sew_tolerance", FIELD_NUMBER, 0, BY_FEATURES, AT(def.sew_tolerance), 0, 0},
    {"close_tolerance", FIELD_NUMBER, 0, BY_FEATURES, AT(def.close_tolerance), 0, 0},
    {"shape_tolerance", FIELD_NUMBER, 0, BY_FEATURES, AT(def.shape_tolerance), 0, 0},
    {"vertices", FIELD_LIST, 0, BY_FEATURES, 0, LINK_VERTICES, 0},
    {"edges", FIELD_LIST, 0, BY_FEATURES, 0, LINK_EDGES, 0},
    {"faces", FIELD_LIST, BY_FEATURES, 0, 0, LINK_FACES, 0},
};

#undef AT
#define AT(field) offsetof(wit_vertex_def, field)

static const model_field vertex_fields[] = {
    {"name", FIELD_NAME, 0, ONE, AT(name), 0, 0},
    {"point", FIELD_VECTOR, ONE, 0, AT(point), 0, 0},
};

#undef AT
#define AT(field) offsetof(wit_edge_def, field)

static const model_field edge_fields[] = {
    {"name", FIELD_NAME, 0, ONE, AT(name), 0, 0},      {"curve", FIELD_CURVE, 0, ONE, AT(curve), 0, 0},
    {"range", FIELD_RANGE, 0, ONE, AT(range), 0, 0},   {"start", FIELD_LINK, 0, ONE, AT(start), LINK_START, 0},
    {"end", FIELD_LINK, 0, ONE, AT(end), LINK_END, 0},
};

#undef AT
#define AT(field) offsetof(wit_face_def, field)

static const model_field face_fields[] = {
    {"name", FIELD_NAME, 0, ONE, AT(name), 0, 0},
    {"surface", FIELD_PATCH, ONE, 0, AT(surface), 0, 0},
    {"color", FIELD_COLOR, 0, ONE, 0, 0, 0},
    {"reversed", FIELD_FLAG, 0, ONE, AT(reversed), 0, 0},
    {"unbounded", FIELD_FLAG, 0, ONE, AT(unbounded), 0, 0},
    {"loops", FIELD_LIST, 0, ONE, 0, LINK_LOOPS, 0},
};

#undef AT
#define AT(field) offsetof(wit_use_def, field)

static const model_field use_fields[] = {
    {"edge", FIELD_LINK, 0, ONE, AT(edge), LINK_EDGE, 0},
    {"reversed", FIELD_FLAG, 0, ONE, AT(reversed), 0, 0},
    {"parameter_curve", FIELD_CURVE, 0, ONE, AT(parameter_curve), 0, 0},
    {"range", FIELD_RANGE, 0, ONE, AT(range), 0, 0},
};

#define TABLE(list, name)                                                                                              \
    {                                                                                                                  \
        list, (int)(sizeof list / sizeof list[0]), name                                                                \
    }

static const struct {
    const model_field* list;
    int count;
    const char* name;
} tables[SORT_COUNT] = {
    TABLE(curve_fields, "curve"), TABLE(surface_fields, "surface"), TABLE(solid_fields, "solid"),
    TABLE(body_fields, "body"),   TABLE(vertex_fields, "vertex"),   TABLE(edge_fields, "edge"),
    TABLE(face_fields, "face"),   TABLE(use_fields, "use"),
};

const model_field* wi_model_fields(model_sort sort, int* count)
{
    *count = tables[sort].count;
    return tables[sort].list;
}

const char* wi_model_kind_name(model_sort sort, int kind)
{
    switch (sort) {
    case SORT_CURVE:
        return wit_curve_kind_name((wit_curve_kind)kind);
    case SORT_SURFACE:
        return wit_surface_kind_name((wit_surface_kind)kind);
    case SORT_SOLID:
        return wit_solid_kind_name((wit_solid_kind)kind);
    default:
        return tables[sort].name;
    }
}

int wi_model_kind_count(model_sort sort)
{
    switch (sort) {
    case SORT_CURVE:
        return WIT_CURVE_KIND_COUNT;
    case SORT_SURFACE:
        return WIT_SURFACE_KIND_COUNT;
    case SORT_SOLID:
        return WIT_SOLID_KIND_COUNT;
    case SORT_BODY:
        return 2;
    default:
        return 1;
    }
}
