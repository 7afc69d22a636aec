/* SPDX-License-Identifier: MIT */
/* wit_curve: one table of kinds, and what is the same for all of them. */
#include <string.h>

#include "../base/allocator.h"
#include "kernel_set.h"
#include "nurbs.h"
#include "parameter.h"

static const curve_ops* const OPS[WIT_CURVE_KIND_COUNT] = {
    [WIT_CURVE_LINE] = &wi_curve_line_ops,
    [WIT_CURVE_CIRCLE] = &wi_curve_circle_ops,
    [WIT_CURVE_ELLIPSE] = &wi_curve_ellipse_ops,
    [WIT_CURVE_PARABOLA] = &wi_curve_parabola_ops,
    [WIT_CURVE_HYPERBOLA] = &wi_curve_hyperbola_ops,
    [WIT_CURVE_NURBS] = &wi_curve_nurbs_ops,
    [WIT_CURVE_ISO] = &wi_curve_iso_ops,
    [WIT_CURVE_ON_SURFACE] = &wi_curve_on_surface_ops,
};

/* A jet whose first derivative is below this share of the largest one is at a cusp. */
#define DEGENERATE_SPEED 1e-12

static bool known_kind(wit_curve_kind kind)
{
    return (unsigned)kind < WIT_CURVE_KIND_COUNT;
}

const char* wit_curve_kind_name(wit_curve_kind kind)
{
    return known_kind(kind) ? OPS[kind]->name : "?";
}

wit_curve_def wit_curve_default_def(wit_curve_kind kind)
{
    return (wit_curve_def){.struct_size = sizeof(wit_curve_def), .kind = kind, .frame = wi_frame_default()};
}

static wit_status check_def(const wit_curve_def* def, wit_error* error)
{
    if (!def) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "no curve def given");
    const shape_def_head head = {"curve",        def->struct_size,     sizeof *def,
                                 (int)def->kind, WIT_CURVE_KIND_COUNT, def->kernel};
    wit_status status = wi_check_def_head(&head, error);
    return status ? status : OPS[def->kind]->check(def, error);
}

/* The curve or direction whose borders this one inherits; false where there is none. */
static bool inherited_breaks(const wit_curve_def* def, const double** breaks, int* count, bool* closed)
{
    wit_direction other = def->fixed == WIT_U ? WIT_V : WIT_U;
    switch (def->kind) {
    case WIT_CURVE_ISO:
        *breaks = wit_surface_breaks(def->surface, other, count);
        *closed = other == WIT_U ? def->surface->closed_u : def->surface->closed_v;
        return true;
    case WIT_CURVE_ON_SURFACE:
        *breaks = wit_curve_breaks(def->parameter_curve, count);
        *closed = def->parameter_curve->closed;
        return true;
    default:
        *breaks = NULL;
        *count = 0;
        *closed = false;
        return false;
    }
}

static void set_breaks(wit_curve* c, const wit_curve_def* def, size_t offset)
{
    if (c->kind == WIT_CURVE_NURBS) {
        c->breaks.offset = c->spline.t.knots;
        c->breaks.count = c->spline.t.spans + 1;
        return;
    }
    const double* from;
    int count;
    bool closed;
    inherited_breaks(def, &from, &count, &closed);
    c->breaks.offset = offset;
    c->breaks.count = wi_parameter_breaks(from, count, closed, c->range, (double*)(void*)((char*)c + offset));
}

/* Bytes of the record with its tables, and of the breaks behind them. */
static size_t own_bytes(const wit_curve_def* def, bool shared)
{
    return sizeof(wit_curve) + (shared ? 0 : OPS[def->kind]->extra(def));
}

static size_t break_bytes(const wit_curve_def* def)
{
    const double* from;
    int inherited;
    bool closed;
    inherited_breaks(def, &from, &inherited, &closed);
    return (2 * (size_t)inherited + 2) * sizeof(double);
}

static wit_status fill(wit_curve* c, const wit_curve_def* def, bool shared, const wit_allocator* memory,
                       wit_error* error)
{
    size_t own = own_bytes(def, shared), bytes = own + break_bytes(def);
    memset(c, 0, bytes);
    c->ops = OPS[def->kind];
    if (memory) c->allocator = *memory;
    c->bytes = bytes;
    c->shared = shared;
    c->kind = def->kind;
    c->kernel = def->kind == WIT_CURVE_NURBS ? wi_kernel_resolve(def->kernel) : WIT_KERNEL_PORTABLE;
    wit_status status = c->ops->build(c, def, error);
    if (status) return status;
    set_breaks(c, def, own);
    wit_curve_bounds all;
    wit_curve_bound(c, c->range, &all);
    c->speed = all.d1;
    return WIT_OK;
}

wit_curve* wit_curve_create(const wit_curve_def* def, const wit_allocator* allocator, wit_error* error)
{
    if (check_def(def, error)) return NULL;
    size_t bytes = own_bytes(def, false) + break_bytes(def);
    wit_allocator memory = wi_allocator_or_default(allocator);
    wit_curve* c = wi_allocator_take(&memory, bytes);
    if (!c) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for a curve of %zu bytes", bytes);
        return NULL;
    }
    if (fill(c, def, false, &memory, error)) {
        wi_allocator_release(&memory, c, bytes);
        return NULL;
    }
    return c;
}

size_t wi_curve_shared_bytes(const wit_curve_def* def)
{
    return embedded_bytes(own_bytes(def, true) + break_bytes(def));
}

wit_status wi_curve_place_shared(void* memory, const wit_curve_def* def, wit_error* error)
{
    wit_status status = check_def(def, error);
    return status ? status : fill(memory, def, true, NULL, error);
}

void wit_curve_destroy(wit_curve* curve)
{
    if (!curve) return;
    wit_allocator memory = curve->allocator;
    wi_allocator_release(&memory, curve, curve->bytes);
}

void wi_curve_embed(void* to, const wit_curve* from)
{
    memcpy(to, from, from->bytes);
}

wit_curve_info wit_curve_describe(const wit_curve* c)
{
    wit_curve_info r = {0};
    r.kind = c->kind;
    r.kernel = c->kernel;
    r.range = c->range;
    r.closed = c->closed;
    r.degree = c->spline.t.degree;
    r.count = c->spline.t.count;
    r.rational = c->spline.rational;
    r.cells = c->breaks.count - 1;
    r.bytes = c->bytes;
    return r;
}

const double* wit_curve_breaks(const wit_curve* c, int* count)
{
    if (count) *count = c->breaks.count;
    return (const double*)(const void*)((const char*)c + c->breaks.offset);
}

unsigned wit_curve_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    unsigned place = WIT_EVAL_REGULAR;
    t = parameter_in_range(t, c->range, c->closed, &place);
    if ((side & WIT_KNOT_T_BELOW) && c->closed && t == c->range.lo) t = c->range.hi;
    if (c->kind == WIT_CURVE_NURBS) {
        nurbs_curve_eval(c, t, side, hint, out);
    } else if (c->ops->jet) {
        c->ops->jet(c, t, out);
    } else {
        /* The upper end of a part of a curve may be a knot of the whole: the last piece is the one below. */
        if (t == c->range.hi && !c->closed) side |= WIT_KNOT_T_BELOW;
        place |= c->ops->eval(c, t, side, hint, out);
    }
    double least = DEGENERATE_SPEED * c->speed;
    if (dot3(out->d1, out->d1) <= least * least) place |= WIT_EVAL_DEGENERATE;
    return place;
}

unsigned wi_curve_part(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    return wit_curve_eval(c, t, side, hint, out);
}

unsigned wit_curve_eval_many(const wit_curve* c, size_t n, const double* t, wit_curve_jet* out, uint8_t* places)
{
    unsigned all = 0;
    wit_hint hint = {{0, 0, 0}};
    for (size_t i = 0; i < n; ++i) {
        unsigned place = wit_curve_eval(c, t[i], WIT_KNOT_DEFAULT, &hint, &out[i]);
        if (places) places[i] = (uint8_t)place;
        all |= place;
    }
    return all;
}
