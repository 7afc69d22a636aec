/* SPDX-License-Identifier: MIT */
/* The checks that the kinds share. A def that passes them gives finite jets everywhere in its range. */
#include "shape_tools.h"

/* Sine and cosine keep their bound up to here; beyond, an angle has lost the digits that a full turn needs. */
#define MAX_ANGLE 1e6

wit_status wi_check_number(double x, const char* item, wit_error* error)
{
    if (isnan(x)) return wi_error_fill(error, WIT_ERROR_NUMBER, item, "is not a number; a finite number is needed");
    if (isinf(x)) return wi_error_fill(error, WIT_ERROR_NUMBER, item, "is infinite; a finite number is needed");
    if (fabs(x) > WIT_MAX_COORDINATE)
        return wi_error_fill(error, WIT_ERROR_NUMBER, item, "is %g; at most %g is allowed", x, WIT_MAX_COORDINATE);
    return WIT_OK;
}

wit_status wi_check_length(double x, const char* item, wit_error* error)
{
    wit_status status = wi_check_number(x, item, error);
    if (status) return status;
    if (x < WIT_MIN_LENGTH)
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is %g; a length of at least %g is needed", x,
                             WIT_MIN_LENGTH);
    return WIT_OK;
}

wit_status wi_check_vector(wit_vec3 v, const char* item, wit_error* error)
{
    wit_status status = wi_check_number(v.x, item, error);
    if (!status) status = wi_check_number(v.y, item, error);
    if (!status) status = wi_check_number(v.z, item, error);
    return status;
}

wit_status wi_check_frame(const wit_frame* frame, wit_error* error)
{
    wit_status status = wi_check_vector(frame->origin, "frame.origin", error);
    if (!status) status = wi_check_vector(frame->x, "frame.x", error);
    if (!status) status = wi_check_vector(frame->z, "frame.z", error);
    if (status) return status;
    wit_vec3 x = unit3(frame->x), z = unit3(frame->z);
    if (norm3(x) < 0.5) return wi_error_fill(error, WIT_ERROR_FRAME, "frame.x", "is zero; an axis needs a direction");
    if (norm3(z) < 0.5) return wi_error_fill(error, WIT_ERROR_FRAME, "frame.z", "is zero; an axis needs a direction");
    if (norm3(cross3(z, x)) < 1e-8)
        return wi_error_fill(error, WIT_ERROR_FRAME, "frame.x", "is parallel to frame.z; it must point across it");
    return WIT_OK;
}

wit_frame wi_frame_default(void)
{
    return (wit_frame){.x = {1, 0, 0}, .z = {0, 0, 1}};
}

wit_status wi_check_def_head(const shape_def_head* h, wit_error* error)
{
    char start[64];
    wi_text_format(start, sizeof start, "wit_%s_default_def", h->noun);
    wit_status status = wi_error_struct_size(h->given, h->size, start, error);
    if (status) return status;
    if (h->kind < 0 || h->kind >= h->kinds)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "kind", "%d is no kind of %s", h->kind, h->noun);
    if (!wit_kernel_available(h->kernel))
        return wi_error_fill(error, WIT_ERROR_UNSUPPORTED, "kernel", "kernel set %s cannot run here",
                             wit_kernel_name(h->kernel));
    return WIT_OK;
}

wit_status wi_check_range(wit_interval r, const char* item, wit_error* error)
{
    wit_status status = wi_check_number(r.lo, item, error);
    if (!status) status = wi_check_number(r.hi, item, error);
    if (status) return status;
    if (!(r.lo < r.hi))
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is empty: %.17g to %.17g; lo < hi is needed", r.lo, r.hi);
    return WIT_OK;
}

wit_status wi_check_angle_range(wit_interval r, const char* item, wit_error* error)
{
    wit_status status = wi_check_range(r, item, error);
    if (status) return status;
    if (iv_mag(r) > MAX_ANGLE)
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "reaches %g radians; at most %g is allowed", iv_mag(r),
                             MAX_ANGLE);
    if (iv_width(r) > TWO_PI + 1e-12)
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "spans %.17g radians; at most a full turn, 2 pi, is allowed",
                             iv_width(r));
    return WIT_OK;
}

wit_status wi_check_range_given(wit_interval r, const char* item, wit_error* error)
{
    if (!range_given(r))
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is not given; this shape has no natural range here");
    return wi_check_range(r, item, error);
}

wit_status wi_check_reach(double coordinate, const char* item, wit_error* error)
{
    if (fabs(coordinate) <= WIT_MAX_COORDINATE) return WIT_OK;
    return wi_error_fill(error, WIT_ERROR_RANGE, item, "takes the shape to a coordinate of %g; at most %g is allowed",
                         coordinate, WIT_MAX_COORDINATE);
}

shape_frame wi_frame_of(const wit_frame* frame)
{
    shape_frame f;
    f.o = frame->origin;
    f.z = unit3(frame->z);
    wit_vec3 x = unit3(frame->x);
    /* Twice: one pass leaves a part along z of the order of eps / sin(angle between the axes). */
    x = unit3(addscaled3(x, -dot3(x, f.z), f.z));
    f.x = unit3(addscaled3(x, -dot3(x, f.z), f.z));
    f.y = cross3(f.z, f.x);
    return f;
}

wit_status wi_check_part(wit_interval part, wit_interval whole, bool closed, const char* item, wit_error* error)
{
    if (!range_given(part)) return WIT_OK;
    wit_status status = wi_check_range(part, item, error);
    if (status) return status;
    double width = iv_width(whole), slack = RANGE_SLACK * width;
    wit_interval most = closed ? iv(whole.lo - width, whole.hi + width) : whole;
    if (part.lo < most.lo - slack || part.hi > most.hi + slack)
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is %.17g to %.17g; it must lie in %.17g to %.17g", part.lo,
                             part.hi, most.lo, most.hi);
    if (iv_width(part) > width + slack)
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is %.17g long; at most one period, %.17g, is allowed",
                             iv_width(part), width);
    if (!closed && !(fmax(part.lo, whole.lo) < fmin(part.hi, whole.hi)))
        return wi_error_fill(error, WIT_ERROR_RANGE, item, "is empty within %.17g to %.17g", whole.lo, whole.hi);
    return WIT_OK;
}

wit_interval wi_part_of(wit_interval part, wit_interval whole, bool closed)
{
    if (!range_given(part)) return whole;
    if (closed) return iv_width(part) > iv_width(whole) ? iv(part.lo, part.lo + iv_width(whole)) : part;
    return iv(fmax(part.lo, whole.lo), fmin(part.hi, whole.hi));
}

bool wi_part_is_closed(wit_interval part, wit_interval whole, bool closed)
{
    double scale = fmax(iv_mag(part), iv_mag(whole));
    return closed && fabs(iv_width(part) - iv_width(whole)) <= 8 * DBL_EPSILON * scale;
}

static int surface_depth(const wit_surface* surface);

static int curve_depth(const wit_curve* curve)
{
    switch (curve->kind) {
    case WIT_CURVE_ISO:
        return 1 + surface_depth(curve_surface(curve));
    case WIT_CURVE_ON_SURFACE: {
        int a = surface_depth(curve_surface(curve)), b = curve_depth(curve_parameter_curve(curve));
        return 1 + (a > b ? a : b);
    }
    default:
        return 1;
    }
}

static int surface_depth(const wit_surface* surface)
{
    bool holds = surface->kind == WIT_SURFACE_REVOLUTION || surface->kind == WIT_SURFACE_EXTRUSION;
    return 1 + (holds ? curve_depth(surface_profile(surface)) : 0);
}

static wit_status check_depth(int depth, const char* item, wit_error* error)
{
    if (depth < MAX_NESTING) return WIT_OK;
    return wi_error_fill(error, WIT_ERROR_RANGE, item, "holds shapes nested %d deep; at most %d is allowed", depth,
                         MAX_NESTING - 1);
}

wit_status wi_check_curve_nesting(const wit_curve* curve, const char* item, wit_error* error)
{
    if (!curve) return wi_error_fill(error, WIT_ERROR_ARGUMENT, item, "is null; a curve is needed");
    if (curve->shared)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, item, "is the lifted edge of a body and cannot be copied");
    return check_depth(curve_depth(curve), item, error);
}

wit_status wi_check_surface_nesting(const wit_surface* surface, const char* item, wit_error* error)
{
    if (!surface) return wi_error_fill(error, WIT_ERROR_ARGUMENT, item, "is null; a surface is needed");
    return check_depth(surface_depth(surface), item, error);
}

/* Whether one cell holds all of r. */
static bool in_one_cell(const double* breaks, int count, wit_interval r)
{
    int lo = 0, hi = count - 1; /* breaks[lo] <= r.lo < breaks[hi] */
    if (count < 2 || r.lo < breaks[0] || r.hi > breaks[hi]) return false;
    while (hi - lo > 1) {
        int mid = lo + (hi - lo) / 2;
        if (breaks[mid] <= r.lo)
            lo = mid;
        else
            hi = mid;
    }
    return r.hi <= breaks[lo + 1];
}

bool wi_curve_is_smooth(const wit_curve* curve, wit_interval t)
{
    switch (curve->kind) {
    case WIT_CURVE_NURBS: {
        int count = 0;
        const double* breaks = wit_curve_breaks(curve, &count);
        return in_one_cell(breaks, count, t);
    }
    case WIT_CURVE_ISO:
        return curve->fixed == WIT_U ? wi_surface_is_smooth(curve_surface(curve), iv_point(curve->value), t)
                                     : wi_surface_is_smooth(curve_surface(curve), t, iv_point(curve->value));
    case WIT_CURVE_ON_SURFACE: {
        const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
        curve_enclosure c;
        if (!wi_curve_is_smooth(curve_parameter_curve(curve), t)) return false;
        wi_curve_enclose(curve_parameter_curve(curve), t, axes, &c);
        return wi_surface_is_smooth(curve_surface(curve), c.d[0][0], c.d[0][1]);
    }
    default:
        return true;
    }
}

bool wi_surface_is_smooth(const wit_surface* surface, wit_interval u, wit_interval v)
{
    switch (surface->kind) {
    case WIT_SURFACE_NURBS: {
        int count_u = 0, count_v = 0;
        const double* u_breaks = wit_surface_breaks(surface, WIT_U, &count_u);
        const double* v_breaks = wit_surface_breaks(surface, WIT_V, &count_v);
        return in_one_cell(u_breaks, count_u, u) && in_one_cell(v_breaks, count_v, v);
    }
    case WIT_SURFACE_REVOLUTION:
        return wi_curve_is_smooth(surface_profile(surface), v);
    case WIT_SURFACE_EXTRUSION:
        return wi_curve_is_smooth(surface_profile(surface), u);
    default:
        return true;
    }
}
