/* SPDX-License-Identifier: MIT */
/*
 * The records behind wit_curve and wit_surface, and the one table of functions per kind.
 *
 * A record is one block of memory. Tables of a spline and embedded shapes (the profile of a
 * revolution, the surface of an isoparametric curve) are found by byte offsets from the record itself,
 * so a record may be copied with memcpy and several may be laid out in one larger block.
 */
#ifndef GEOM_SHAPE_H
#define GEOM_SHAPE_H

#include "../../include/witness/geom.h"
#include "../base/error.h"
#include "../base/interval.h"
#include "../base/vec.h"

/* Derivatives in the order used by enclosures: by total order, then falling power of u. */
enum { D00, D10, D01, D20, D11, D02, D30, D21, D12, D03, SURFACE_DERIVATIVES };
enum { CURVE_DERIVATIVES = 4 };

/* d[k][i] holds axes[i] . (derivative k) for all points of a parameter box; rounding counted. */
typedef struct surface_enclosure {
    wit_interval d[SURFACE_DERIVATIVES][3];
} surface_enclosure;

typedef struct curve_enclosure {
    wit_interval d[CURVE_DERIVATIVES][3];
} curve_enclosure;

/* An orthonormal right-handed frame. */
typedef struct shape_frame {
    wit_vec3 o, x, y, z;
} shape_frame;

/* One parameter direction of a spline: its knot spans that are not empty, cut into cells. */
typedef struct spline_axis {
    int32_t degree;
    int32_t count; /* control points as the def gave them */
    int32_t spans;
    int32_t cells;   /* one per span; two from degree 6 on, where powers about the middle would lose digits */
    bool single;     /* axis_find answers: no bucket is more than one cell away from any of its points */
    int32_t buckets; /* uniform slices of the range; each knows the cell at its lower end */
    double bucket_scale;
    size_t knots;   /* offset of double[spans + 1]: the distinct knots of the range */
    size_t breaks;  /* offset of double[cells + 1]: the borders of the cells */
    size_t inverse; /* offset of double[cells]: 1 / length of the cell */
    size_t bucket;  /* offset of int32_t[buckets + 1] */
} spline_axis;

typedef void curve_kernel(const double* coefficients, int degree, double t, double inverse, wit_curve_jet* out);
/* Returns WIT_EVAL_REGULAR, so that wit_surface_eval can end in a jump to it. */
typedef unsigned surface_kernel(const double* coefficients, int degree_u, int degree_v, double s, double t,
                                double inverse_u, double inverse_v, wit_surface_jet* out);

typedef struct curve_spline {
    spline_axis t;
    bool rational;
    bool flat; /* polynomials in the plane z = 0: coefficients are (x, y), 2 doubles, instead of (wx, wy, wz, w), 4 */
    curve_kernel* kernel;
    size_t power; /* offset of the cells' polynomials: per cell degree + 1 coefficients, about the middle; above
                         POWER_DEGREE_MOST that of the nets */
    size_t
        bernstein; /* offset of the cells' Bezier nets, homogeneous: per cell degree + 1 coefficients (wi_curve_net) */
} curve_spline;

typedef struct surface_spline {
    spline_axis u, v;
    bool rational;
    bool simple; /* both axes single and no degenerate place: eval may take its short way */
    surface_kernel* kernel;
    size_t stride, row; /* doubles from one cell to the next in v and in u */
    size_t
        power; /* per cell (degree_u + 1) x (degree_v + 1) x 4 doubles; cell (i, j) is number i * v.cells + j; as above */
    size_t bernstein;
} surface_spline;

/* The borders between the smooth pieces of one direction, for kinds with knots and those that embed one. */
typedef struct shape_breaks {
    size_t offset; /* of double[count] */
    int32_t count;
} shape_breaks;

typedef struct curve_ops curve_ops;
typedef struct surface_ops surface_ops;

struct wit_curve {
    const curve_ops* ops;
    wit_allocator allocator;
    size_t bytes;
    wit_curve_kind kind;
    wit_kernel kernel;
    wit_interval range;
    bool closed;
    double gape;         /* closed: how far apart its ends are at most */
    double speed;        /* upper bound of |C'| over the range: the yardstick of degenerate places */
    shape_frame frame;   /* LINE to HYPERBOLA */
    double a, b;         /* radius; semi-axes; focal length */
    curve_spline spline; /* NURBS */
    bool shared;         /* ISO, ON_SURFACE: surface and curve stand elsewhere in the same block */
    ptrdiff_t surface;   /* ISO, ON_SURFACE: offset of the surface */
    ptrdiff_t curve;     /* ON_SURFACE: offset of the parameter curve */
    wit_direction fixed; /* ISO */
    double value;
    shape_breaks breaks;
};

struct wit_surface {
    const surface_ops* ops;
    wit_allocator allocator;
    size_t bytes;
    wit_surface_kind kind;
    wit_kernel kernel;
    wit_interval u, v;
    bool closed_u, closed_v;
    double gape;     /* closed: how far apart the two sides of a seam are at most */
    bool degenerate; /* has a pole, an apex or a collapsed border */
    bool doubtful;   /* may have one: eval must test for it */
    double speed_u;  /* upper bounds of |S_u|, |S_v| over the range */
    double speed_v;
    shape_frame frame;      /* PLANE to REVOLUTION; EXTRUSION: z is the direction */
    double a, b, c;         /* radius, minor; semi-axes */
    double sine, cosine;    /* CONE: of the half angle */
    bool meridian;          /* REVOLUTION: the profile lies in a plane through the axis */
    surface_spline spline;  /* NURBS */
    ptrdiff_t profile;      /* REVOLUTION, EXTRUSION: offset of the embedded curve */
    shape_breaks breaks[2]; /* along u, along v */
};

/*
 * What a kind must provide. The dispatcher (curve.c, surface.c) has by then checked the call, the kernel
 * and struct_size; it fills allocator, bytes, kind, ops, speed, doubtful and breaks, wraps or clamps
 * parameters, and cuts boxes to the range (a box of a closed parameter may run past an end of the
 * range by less than a period: trigonometric kinds need not care, splines split it).
 */
struct curve_ops {
    const char* name;
    /* Refuse a bad def: item names the field. Every number of the kind is checked here. */
    wit_status (*check)(const wit_curve_def* def, wit_error* error);
    /* Bytes beyond sizeof(wit_curve), multiple of 16. The def has passed check. */
    size_t (*extra)(const wit_curve_def* def);
    /* Fill range, closed, degenerate and the kind's own fields of the zeroed record. */
    wit_status (*build)(wit_curve* curve, const wit_curve_def* def, wit_error* error);
    /* t is in range. Kinds in closed form give a jet, which is regular everywhere; the others evaluate with a side at knots and
     * a hint, and `jet` is null. Neither sets DEGENERATE: the dispatcher tests |d1| against speed. */
    void (*jet)(const wit_curve* curve, double t, wit_curve_jet* out);
    unsigned (*eval)(const wit_curve* curve, double t, unsigned side, wit_hint* hint, wit_curve_jet* out);
    void (*enclose)(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out);
};

struct surface_ops {
    const char* name;
    wit_status (*check)(const wit_surface_def* def, wit_error* error);
    size_t (*extra)(const wit_surface_def* def);
    wit_status (*build)(wit_surface* surface, const wit_surface_def* def, wit_error* error);
    /* u, v are in range. Either of the two as above. The dispatcher tests |du x dv| when surface->doubtful. */
    void (*jet)(const wit_surface* surface, double u, double v, wit_surface_jet* out);
    unsigned (*eval)(const wit_surface* surface, double u, double v, unsigned side, wit_hint* hint,
                     wit_surface_jet* out);
    void (*enclose)(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                    surface_enclosure* out);
    /* Optional, null where there is no closed form: encloses axes[i] . n for a normal field n(u, v) along
     * du x dv that does not vanish on the box, not even at poles. False: not possible on this box. */
    bool (*normals)(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                    wit_interval out[3]);
};

extern const curve_ops wi_curve_line_ops, wi_curve_circle_ops, wi_curve_ellipse_ops, wi_curve_parabola_ops,
    wi_curve_hyperbola_ops;
extern const curve_ops wi_curve_nurbs_ops, wi_curve_iso_ops, wi_curve_on_surface_ops;
extern const surface_ops wi_surface_plane_ops, wi_surface_cylinder_ops, wi_surface_cone_ops, wi_surface_sphere_ops;
extern const surface_ops wi_surface_ellipsoid_ops, wi_surface_torus_ops, wi_surface_paraboloid_ops;
extern const surface_ops wi_surface_revolution_ops, wi_surface_extrusion_ops, wi_surface_nurbs_ops;

/* The embedded shapes. */
static inline const wit_surface* curve_surface(const wit_curve* c)
{
    return (const wit_surface*)(const void*)((const char*)c + c->surface);
}

static inline const wit_curve* curve_parameter_curve(const wit_curve* c)
{
    return (const wit_curve*)(const void*)((const char*)c + c->curve);
}

static inline const wit_curve* surface_profile(const wit_surface* s)
{
    return (const wit_curve*)(const void*)((const char*)s + s->profile);
}

/* Bytes of a shape when embedded: rounded up to a multiple of 16. */
static inline size_t embedded_bytes(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

/*
 * A curve in memory of the caller's, 16-byte aligned, for blocks that hold many shapes. The surface and the parameter
 * curve of the def are not copied: they must stand in the same block, which may then be copied as a whole.
 * wi_curve_shared_bytes is the room it takes. The def is checked as in wit_curve_create; such a curve is never destroyed.
 */
size_t wi_curve_shared_bytes(const wit_curve_def* def);
wit_status wi_curve_place_shared(void* memory, const wit_curve_def* def, wit_error* error);

/* Copies a whole shape to `to`, which has room for from->bytes. */
void wi_curve_embed(void* to, const wit_curve* from);
void wi_surface_embed(void* to, const wit_surface* from);

/* wit_curve_eval and wit_surface_eval as parts of an evaluation or enclosure that was asked for: not counted again
 * (base/work.h). */
unsigned wi_curve_part(const wit_curve* curve, double t, unsigned side, wit_hint* hint, wit_curve_jet* out);
unsigned wi_surface_part(const wit_surface* surface, double u, double v, unsigned side, wit_hint* hint,
                         wit_surface_jet* out);
bool wi_surface_part_normal(const wit_surface* surface, double u, double v, wit_vec3* out); /* wit_surface_normal */

/* Enclosure over any box: cut to the range, split at the seam of a closed spline where needed. */
void wi_curve_enclose(const wit_curve* curve, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out);
void wi_surface_enclose(const wit_surface* surface, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                        surface_enclosure* out);

/* What the defs of curves and of surfaces begin with. */
typedef struct shape_def_head {
    const char* noun; /* "curve" or "surface" */
    size_t given, size;
    int kind, kinds;
    wit_kernel kernel;
} shape_def_head;

wit_status wi_check_def_head(const shape_def_head* head, wit_error* error);

/* Checks shared by the kinds (shape_check.c). Each names `item` in its refusal. */
wit_status wi_check_number(double x, const char* item, wit_error* error); /* finite, |x| <= WIT_MAX_COORDINATE */
wit_status wi_check_length(double x, const char* item, wit_error* error); /* >= WIT_MIN_LENGTH too */
wit_status wi_check_vector(wit_vec3 v, const char* item, wit_error* error);
wit_status wi_check_frame(const wit_frame* frame, wit_error* error);                 /* "frame.x" and so on */
wit_status wi_check_range(wit_interval r, const char* item, wit_error* error);       /* finite, lo < hi */
wit_status wi_check_angle_range(wit_interval r, const char* item, wit_error* error); /* and hi - lo <= 2 pi */
wit_frame wi_frame_default(void);                                                    /* the axes of the world */
shape_frame wi_frame_of(const wit_frame* frame);                                     /* a frame that has passed */

static inline bool range_given(wit_interval r)
{
    return r.lo != 0 || r.hi != 0;
}

/* 2 pi to the nearest double, and whether a range is a full turn (to 1e-12). */
#define TWO_PI 6.283185307179586476925286766559
#define PI 3.1415926535897932384626433832795
static inline bool full_turn(wit_interval r)
{
    return fabs(iv_width(r) - TWO_PI) <= 1e-12;
}

#endif
