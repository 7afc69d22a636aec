/* SPDX-License-Identifier: MIT */
/*
 * witness/geom.h: exact curves and surfaces, their jets and their bounds.
 *
 *     wit_surface_def def = wit_surface_default_def(WIT_SURFACE_TORUS);    // then the fields of that kind
 *     wit_surface* surface = wit_surface_create(&def, NULL, &error);       // null: error says where and why
 *     wit_surface_eval(surface, u, v, WIT_KNOT_DEFAULT, &hint, &jet);      // point, first and second derivatives
 *     wit_surface_forms forms = wit_surface_forms_of(&jet);                // normal, curvatures
 *     wit_surface_bound(surface, range_u, range_v, &bounds);               // holds for every point of the piece
 *
 * Bodies are made of these (body.h); whoever takes ready-made solids or files needs none of this. Lengths are in one
 * unit of the caller's, angles in radians, points in the axes that the def is given in (those of the body).
 *
 * A curve or surface is built once from a def and is constant afterwards: any number of threads may
 * use it at the same time. It is one block of memory without pointers into itself or to anything
 * that was passed in: all data of the def is copied. Evaluation and bounds never allocate, lock,
 * print or keep state.
 *
 * Conventions. A parameter that is closed (a full circle, a closed spline) wraps around; any other
 * is held at the ends of its range and the returned flags say so. No function here ever returns a
 * NaN in a jet, a bound or a normal.
 */
#ifndef WITNESS_GEOM_H
#define WITNESS_GEOM_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WIT_MAX_DEGREE 25        /* of a spline, per direction; up to 9 in the fast kernels */
#define WIT_MAX_POINTS (1 << 20) /* control points of one curve or surface */
#define WIT_MAX_COORDINATE 1e12  /* absolute value of any coordinate, length or parameter */
#define WIT_MIN_LENGTH 1e-12     /* smallest radius, semi-axis or focal length */

/* A curve, and a surface: const once made; threads may share them. */
typedef struct wit_curve wit_curve;
typedef struct wit_surface wit_surface;

/* ---- definitions --------------------------------------------------------------------------- */

/* Right-handed frame: origin, x and z as given, y = z cross x. Axes need not be unit; x need not be
 * exactly perpendicular to z (its part along z is removed). Zero or parallel axes are refused. */
typedef struct wit_frame {
    wit_vec3 origin;
    wit_vec3 x;
    wit_vec3 z;
} wit_frame;

/*
 * Which set of arithmetic kernels evaluates a spline. Results have equal bits on every machine
 * within one set. Chosen once, at create.
 */
typedef enum wit_kernel {
    WIT_KERNEL_AUTO = 0, /* the fastest this machine runs */
    WIT_KERNEL_PORTABLE, /* plain IEEE doubles, no fused operations; on every machine */
    WIT_KERNEL_AVX2_FMA, /* x86-64 with AVX2 and FMA; WIT_ERROR_UNSUPPORTED elsewhere */
    WIT_KERNEL_COUNT
} wit_kernel;

/* True when this machine can run the set. */
WIT_API bool wit_kernel_available(wit_kernel kernel);
/* "portable", "avx2+fma", "auto". */
WIT_API const char* wit_kernel_name(wit_kernel kernel);

/*
 * Curves C(t), o, x, y, z being the frame:
 *   LINE        o + t x                                                 t a length
 *   CIRCLE      o + radius (cos t x + sin t y)                          t in radians, closed when the range is 2 pi
 *   ELLIPSE     o + semi_x cos t x + semi_y sin t y                     likewise
 *   PARABOLA    o + t^2 / (4 focal) x + t y                             t a length
 *   HYPERBOLA   o + semi_x cosh t x + semi_y sinh t y
 *   NURBS       sum N_i(t) w_i P_i / sum N_i(t) w_i
 *   ISO         surface S at one fixed parameter: S(value, t) or S(t, value)
 *   ON_SURFACE  S(c(t)), c a curve in the (x, y) = (u, v) plane
 */
typedef enum wit_curve_kind {
    WIT_CURVE_LINE,
    WIT_CURVE_CIRCLE,
    WIT_CURVE_ELLIPSE,
    WIT_CURVE_PARABOLA,
    WIT_CURVE_HYPERBOLA,
    WIT_CURVE_NURBS,
    WIT_CURVE_ISO,
    WIT_CURVE_ON_SURFACE,
    WIT_CURVE_KIND_COUNT
} wit_curve_kind;

/* A parameter of a surface. */
typedef enum wit_direction { WIT_U = 0, WIT_V = 1 } wit_direction;

/*
 * Start from wit_curve_default_def(kind) and set the fields of that kind; the others are ignored.
 * Pointers are read during create only.
 *
 * NURBS. `knots` has count + degree + 1 values, not decreasing, no value more than degree + 1 times
 * (inside the range more than degree times only where the pieces meet). The range is
 * [knots[degree], knots[count]]; the knots need not be clamped. With `periodic`, `knots` has
 * count + 1 values, one period long: knot i + count is knot i plus the period, point i + count is
 * point i, and the range is the period, knots[0] to knots[count].
 */
typedef struct wit_curve_def {
    size_t struct_size; /* set by wit_curve_default_def */
    wit_curve_kind kind;
    wit_kernel kernel;
    wit_frame frame;    /* LINE (its x), CIRCLE, ELLIPSE, PARABOLA, HYPERBOLA */
    wit_interval range; /* all but NURBS; lo < hi. ON_SURFACE: within the parameter curve's range. lo = hi = 0: the
                           natural range, where there is one (CIRCLE and ELLIPSE 0..2 pi, ISO and ON_SURFACE all) */
    double radius;      /* CIRCLE */
    double semi_x;      /* ELLIPSE, HYPERBOLA */
    double semi_y;      /* ELLIPSE, HYPERBOLA */
    double focal;       /* PARABOLA: focal length */
    int degree;         /* NURBS, 1 to WIT_MAX_DEGREE */
    int count;          /* NURBS: number of control points */
    bool periodic;      /* NURBS */
    int knot_count;     /* NURBS: length of knots */
    const double* knots;
    const double* points;             /* NURBS: count times x, y, z */
    const double* weights;            /* NURBS: count positive weights, or null for a polynomial spline */
    const wit_surface* surface;       /* ISO, ON_SURFACE */
    wit_direction fixed;              /* ISO: which parameter is held */
    double value;                     /* ISO: at what value */
    const wit_curve* parameter_curve; /* ON_SURFACE: x is u, y is v, z is ignored */
} wit_curve_def;

/*
 * Surfaces S(u, v):
 *   PLANE       o + u x + v y
 *   CYLINDER    o + radius (cos u x + sin u y) + v z
 *   CONE        o + (radius + v sin angle)(cos u x + sin u y) + v cos angle z     v along the slant, one nappe only
 *   SPHERE      o + radius (cos v (cos u x + sin u y) + sin v z)
 *   ELLIPSOID   o + cos v (semi_x cos u x + semi_y sin u y) + semi_z sin v z
 *   TORUS       o + (radius + minor cos v)(cos u x + sin u y) + minor sin v z
 *   PARABOLOID  o + v (semi_x cos u x + semi_y sin u y) + semi_z v^2 z            v >= 0
 *               so that z / semi_z = (x / semi_x)^2 + (y / semi_y)^2
 *   REVOLUTION  the profile C(v) turned by the angle u about the line o + s z
 *   EXTRUSION   C(u) + v d, d the unit vector along `direction`                    v a length
 *   NURBS       sum N_i(u) N_j(v) w_ij P_ij / sum N_i(u) N_j(v) w_ij
 */
typedef enum wit_surface_kind {
    WIT_SURFACE_PLANE,
    WIT_SURFACE_CYLINDER,
    WIT_SURFACE_CONE,
    WIT_SURFACE_SPHERE,
    WIT_SURFACE_ELLIPSOID,
    WIT_SURFACE_TORUS,
    WIT_SURFACE_PARABOLOID,
    WIT_SURFACE_REVOLUTION,
    WIT_SURFACE_EXTRUSION,
    WIT_SURFACE_NURBS,
    WIT_SURFACE_KIND_COUNT
} wit_surface_kind;

/*
 * Start from wit_surface_default_def(kind) and set the fields of that kind. Pointers are read during
 * create only. Control point (i, j), i along u and j along v, stands at points[3 * (i * count_v + j)];
 * its weight at weights[i * count_v + j]. Knots as for curves, per direction.
 *
 * Ranges: lo < hi. lo = hi = 0 asks for the natural range: 0..2 pi for angles around an axis,
 * -pi/2..pi/2 for the latitude of SPHERE and ELLIPSOID, 0..1 for v of PARABOLOID, the profile's own
 * for the curve parameter of REVOLUTION and EXTRUSION. Lengths (PLANE, v of CYLINDER, CONE and
 * EXTRUSION) have no natural range and must be given.
 */
typedef struct wit_surface_def {
    size_t struct_size; /* set by wit_surface_default_def */
    wit_surface_kind kind;
    wit_kernel kernel;
    wit_frame frame;      /* all but EXTRUSION and NURBS; REVOLUTION turns about its z */
    wit_interval range_u; /* all but NURBS */
    wit_interval range_v;
    double radius; /* CYLINDER, CONE (at v = 0, may be 0), SPHERE, TORUS (major) */
    double minor;  /* TORUS: radius of the tube */
    double angle;  /* CONE: half angle, radians, 0 < |angle| < pi/2 */
    double semi_x; /* ELLIPSOID, PARABOLOID; lengths */
    double semi_y;
    double semi_z;
    const wit_curve* profile; /* REVOLUTION, EXTRUSION */
    wit_vec3 direction;       /* EXTRUSION */
    int degree_u, degree_v;   /* NURBS */
    int count_u, count_v;
    bool periodic_u, periodic_v;
    int knot_count_u, knot_count_v;
    const double* knots_u;
    const double* knots_v;
    const double* points;
    const double* weights; /* or null for a polynomial surface */
} wit_surface_def;

/* Definitions of unit sizes in the world's frame. */
WIT_API wit_curve_def wit_curve_default_def(wit_curve_kind kind);
WIT_API wit_surface_def wit_surface_default_def(wit_surface_kind kind);

/*
 * Build. Null on refusal, with the reason in *error (which may be null); error->item is the name of
 * the def's field, with an index where there is one: "knots_u[3]", "points[2][5]". `allocator` may be
 * null; it is copied. Destroy accepts null.
 */
WIT_API wit_curve* wit_curve_create(const wit_curve_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API wit_surface* wit_surface_create(const wit_surface_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API void wit_curve_destroy(wit_curve* curve);
WIT_API void wit_surface_destroy(wit_surface* surface);

/* ---- what was built ------------------------------------------------------------------------ */

/* What a curve is. */
typedef struct wit_curve_info {
    wit_curve_kind kind;
    wit_kernel kernel;  /* the set in use; PORTABLE for analytic kinds */
    wit_interval range; /* of t */
    bool closed;        /* t wraps around */
    int degree;         /* NURBS, else 0 */
    int count;          /* NURBS: control points, else 0 */
    bool rational;      /* NURBS with weights that differ */
    int cells;          /* polynomial pieces; 1 for analytic kinds */
    size_t bytes;       /* of memory, all told */
} wit_curve_info;

/* What a surface is. */
typedef struct wit_surface_info {
    wit_surface_kind kind;
    wit_kernel kernel;
    wit_interval range_u, range_v;
    bool closed_u, closed_v;
    int degree_u, degree_v;
    int count_u, count_v;
    bool rational;
    int cells_u, cells_v; /* polynomial pieces per direction; 1 for analytic kinds */
    bool degenerate;      /* has a pole, an apex or a collapsed border somewhere */
    size_t bytes;
} wit_surface_info;

/* What a curve or a surface is; all zero for null. */
WIT_API wit_curve_info wit_curve_describe(const wit_curve* curve);
WIT_API wit_surface_info wit_surface_describe(const wit_surface* surface);
/* "line", "plane", ... as in the JSON format; "?" for a value outside the enum. Static storage. */
WIT_API const char* wit_curve_kind_name(wit_curve_kind kind);
WIT_API const char* wit_surface_kind_name(wit_surface_kind kind);

/* The borders of the polynomial cells, ascending, both ends of the range among them: cells + 1
 * values. Cell k spans [breaks[k], breaks[k + 1]]. Valid as long as the shape lives. */
WIT_API const double* wit_curve_breaks(const wit_curve* curve, int* count);
WIT_API const double* wit_surface_breaks(const wit_surface* surface, wit_direction direction, int* count);

/* ---- jets ---------------------------------------------------------------------------------- */

/* C(t) and its derivatives with respect to t. */
typedef struct wit_curve_jet {
    wit_vec3 p, d1, d2;
} wit_curve_jet;

/* S(u, v) and its partial derivatives. */
typedef struct wit_surface_jet {
    wit_vec3 p, du, dv, duu, duv, dvv;
} wit_surface_jet;

/* Where the last evaluation was, so that the next one nearby finds its cell with two compares. Zero
 * it before the first use. A wrong hint costs time, never the answer. */
typedef struct wit_hint {
    int32_t cell[3];
} wit_hint;

/* At a knot two polynomials meet. WIT_KNOT_DEFAULT takes the one above (at the upper end of the range the
 * last one); the others take, per direction, the one below. */
typedef enum wit_knot_side {
    WIT_KNOT_DEFAULT = 0,
    WIT_KNOT_T_BELOW = 1,
    WIT_KNOT_U_BELOW = 1,
    WIT_KNOT_V_BELOW = 2
} wit_knot_side;

/* What kind of place the jet is at. 0 is a regular place inside the range. */
typedef enum wit_eval_flag {
    WIT_EVAL_REGULAR = 0,
    WIT_EVAL_DEGENERATE = 1, /* curve: d1 vanishes; surface: du and dv do not span a plane */
    WIT_EVAL_CLAMPED = 2,    /* a parameter was outside its range and was held at the end */
    WIT_EVAL_INVALID = 4     /* a parameter was NaN or infinite; the start of the range was taken */
} wit_eval_flag;

/* Point and derivatives to order 2. `hint` may be null. Returns a set of wit_eval_flag flags. `side` is a
 * set of wit_knot_side flags. */
WIT_API unsigned wit_curve_eval(const wit_curve* curve, double t, unsigned side, wit_hint* hint, wit_curve_jet* out);
WIT_API unsigned wit_surface_eval(const wit_surface* surface, double u, double v, unsigned side, wit_hint* hint,
                                  wit_surface_jet* out);

/* The same for n parameters t[k], or n pairs uv[2k], uv[2k + 1]; out has room for n jets; places, if
 * not null, for n flag sets. Default side. Returns the union of the flags. */
WIT_API unsigned wit_curve_eval_many(const wit_curve* curve, size_t n, const double* t, wit_curve_jet* out,
                                     uint8_t* places);
WIT_API unsigned wit_surface_eval_many(const wit_surface* surface, size_t n, const double* uv, wit_surface_jet* out,
                                       uint8_t* places);

/* ---- differential geometry ----------------------------------------------------------------- */

/*
 * First form E F G, second form L M N (with respect to `normal`), and the curvatures. k1 >= k2 are the
 * principal curvatures: positive where the surface bends towards the normal. At a degenerate place
 * only the normal may be known (has_normal); the rest is zero.
 */
typedef struct wit_surface_forms {
    bool has_normal;
    bool has_curvature;
    wit_vec3 normal;     /* unit, along du x dv */
    double E, F, G;      /* length squared per parameter squared */
    double L, M, N;      /* length per parameter squared */
    double gauss, mean;  /* K, 1 / length squared; H, 1 / length */
    double k1, k2;       /* 1 / length */
    wit_vec3 direction1; /* unit tangent along which the curvature is k1; direction2 = normal x direction1 */
} wit_surface_forms;

/* From a jet alone. At a degenerate place has_normal is false; see wit_surface_normal. */
WIT_API wit_surface_forms wit_surface_forms_of(const wit_surface_jet* jet);
/* The unit normal, by its limit from inside the range at poles and collapsed borders. False, and *out
 * zero, where no limit exists (the apex of a cone). */
WIT_API bool wit_surface_normal(const wit_surface* surface, double u, double v, wit_vec3* out);
/* Curvature of a curve, 1 / length; 0 where d1 vanishes. */
WIT_API double wit_curve_curvature(const wit_curve_jet* jet);

/* How smoothly two neighbouring cells meet, measured on the derivatives themselves along the whole
 * border, not counted from knot multiplicities: a knot that was merely inserted is C2. */
typedef struct wit_continuity {
    double value; /* the parameter */
    int order;    /* 0, 1 or 2: C0, C1, C2 or better; -1 where the pieces do not meet (never after create) */
    bool tangent; /* G1: tangent plane (curve: tangent) continuous, whatever the parametrisation */
    double jump1; /* largest jump of the first derivative across it, relative to the largest first derivative */
    double jump2; /* the same for second derivatives */
} wit_continuity;

/* At border k of the cells, 0 < k < cells; and for k = 0 at the seam of a closed shape. False if there is none. */
WIT_API bool wit_curve_continuity(const wit_curve* curve, int k, wit_continuity* out);
WIT_API bool wit_surface_continuity(const wit_surface* surface, wit_direction direction, int k, wit_continuity* out);

/* ---- bounds -------------------------------------------------------------------------------- */

/* Every unit normal n of the piece has angle(axis, n) <= angle. angle = pi: nothing is known. */
typedef struct wit_cone {
    wit_vec3 axis;
    double angle; /* radians, 0 to pi */
} wit_cone;

/*
 * What holds for all points of a parameter box. Derivatives and normals at a knot that is an end of the box are those
 * from inside the box, so a cell's bounds are its own; a box that is one point has both sides. The box is first cut to
 * the range; a closed parameter may run over its seam (lo <= hi, up to one period). The bounds hold for the exact
 * shape: rounding is counted, by an outward margin of some 1e-14 of the magnitudes involved (times the largest over the
 * smallest weight of the cell, for rational splines).
 */
typedef struct wit_curve_bounds {
    wit_box box;       /* of the points */
    wit_cone tangents; /* of d1 */
    double d1, d2, d3; /* upper bounds of |C'|, |C''|, |C'''| */
    double d1_min;     /* lower bound of |C'| */
} wit_curve_bounds;

/* Bounds of a surface over a box of parameters. */
typedef struct wit_surface_bounds {
    wit_box box;
    wit_cone normals;
    double du, dv;                 /* upper bounds of |S_u|, |S_v| */
    double duu, duv, dvv;          /* of the second derivatives */
    double duuu, duuv, duvv, dvvv; /* of the third */
    double du_min, dv_min;         /* lower bounds of |S_u|, |S_v| */
} wit_surface_bounds;

/* Bounds over a range of parameters. Pure; any thread. */
WIT_API void wit_curve_bound(const wit_curve* curve, wit_interval t, wit_curve_bounds* out);
WIT_API void wit_surface_bound(const wit_surface* surface, wit_interval u, wit_interval v, wit_surface_bounds* out);
/* Plane bound: an interval that holds direction . p for every point p of the piece. For splines it
 * is the hull of the piece's own control net. `direction` need not be unit. */
WIT_API wit_interval wit_curve_extent(const wit_curve* curve, wit_interval t, wit_vec3 direction);
WIT_API wit_interval wit_surface_extent(const wit_surface* surface, wit_interval u, wit_interval v, wit_vec3 direction);

#ifdef __cplusplus
}
#endif

#endif
