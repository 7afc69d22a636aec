/* SPDX-License-Identifier: MIT */
/* wit_surface: one table of kinds, and what is the same for all of them. */
#include <string.h>

#include "../base/allocator.h"
#include "bounds.h"
#include "kernel_set.h"
#include "nurbs.h"
#include "parameter.h"

static const surface_ops* const OPS[WIT_SURFACE_KIND_COUNT] = {
    [WIT_SURFACE_PLANE] = &wi_surface_plane_ops,
    [WIT_SURFACE_CYLINDER] = &wi_surface_cylinder_ops,
    [WIT_SURFACE_CONE] = &wi_surface_cone_ops,
    [WIT_SURFACE_SPHERE] = &wi_surface_sphere_ops,
    [WIT_SURFACE_ELLIPSOID] = &wi_surface_ellipsoid_ops,
    [WIT_SURFACE_TORUS] = &wi_surface_torus_ops,
    [WIT_SURFACE_PARABOLOID] = &wi_surface_paraboloid_ops,
    [WIT_SURFACE_REVOLUTION] = &wi_surface_revolution_ops,
    [WIT_SURFACE_EXTRUSION] = &wi_surface_extrusion_ops,
    [WIT_SURFACE_NURBS] = &wi_surface_nurbs_ops,
};

/* Below this share of (largest |S_u|) x (largest |S_v|), |S_u x S_v| counts as zero. */
#define DEGENERATE_AREA 1e-12

static bool known_kind(wit_surface_kind kind)
{
    return (unsigned)kind < WIT_SURFACE_KIND_COUNT;
}

const char* wit_surface_kind_name(wit_surface_kind kind)
{
    return known_kind(kind) ? OPS[kind]->name : "?";
}

wit_surface_def wit_surface_default_def(wit_surface_kind kind)
{
    return (wit_surface_def){.struct_size = sizeof(wit_surface_def), .kind = kind, .frame = wi_frame_default()};
}

static wit_status check_def(const wit_surface_def* def, wit_error* error)
{
    if (!def) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "no surface def given");
    const shape_def_head head = {"surface",      def->struct_size,       sizeof *def,
                                 (int)def->kind, WIT_SURFACE_KIND_COUNT, def->kernel};
    wit_status status = wi_check_def_head(&head, error);
    return status ? status : OPS[def->kind]->check(def, error);
}

/* Borders along `direction` come from the profile, if that is the profile's direction. */
static const double* inherited_breaks(const wit_surface_def* def, wit_direction direction, int* count, bool* closed)
{
    bool inherits = (def->kind == WIT_SURFACE_EXTRUSION && direction == WIT_U) ||
                    (def->kind == WIT_SURFACE_REVOLUTION && direction == WIT_V);
    *count = 0;
    *closed = inherits && def->profile->closed;
    return inherits ? wit_curve_breaks(def->profile, count) : NULL;
}

static void set_breaks(wit_surface* s, const wit_surface_def* def, size_t offset)
{
    for (int d = 0; d < 2; ++d) {
        const spline_axis* axis = d == WIT_U ? &s->spline.u : &s->spline.v;
        if (s->kind == WIT_SURFACE_NURBS) {
            s->breaks[d].offset = axis->knots;
            s->breaks[d].count = axis->spans + 1;
            continue;
        }
        int count;
        bool closed;
        const double* from = inherited_breaks(def, (wit_direction)d, &count, &closed);
        s->breaks[d].offset = offset;
        s->breaks[d].count =
            wi_parameter_breaks(from, count, closed, d == WIT_U ? s->u : s->v, (double*)(void*)((char*)s + offset));
        offset += (2 * (size_t)count + 2) * sizeof(double);
    }
}

/* |S_u x S_v| vanishes, as far as the jet tells. */
static bool jet_degenerate(const wit_surface* s, const wit_surface_jet* jet)
{
    wit_vec3 n = cross3(jet->du, jet->dv);
    double least = DEGENERATE_AREA * s->speed_u * s->speed_v;
    return dot3(n, n) <= least * least;
}

/* Is the box free of degenerate places? Proved by a normal cone, halving the box where the cone is too wide. */
static bool proved_regular(const wit_surface* s, wit_interval u, wit_interval v, int halvings)
{
    wit_cone cone;
    if (wi_surface_normal_cone(s, u, v, &cone)) return true;
    if (halvings == 0) return false;
    double um = iv_mid(u), vm = iv_mid(v);
    return proved_regular(s, iv(u.lo, um), iv(v.lo, vm), halvings - 1) &&
           proved_regular(s, iv(um, u.hi), iv(v.lo, vm), halvings - 1) &&
           proved_regular(s, iv(u.lo, um), iv(vm, v.hi), halvings - 1) &&
           proved_regular(s, iv(um, u.hi), iv(vm, v.hi), halvings - 1);
}

/* Collapsed borders and cusps lie on cell borders: looked at from inside the cell, corners and middles of sides. */
static bool cell_degenerate(const wit_surface* s, wit_interval u, wit_interval v)
{
    static const double at[8][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5, 0}, {0, 0.5}, {0.5, 1}, {1, 0.5}};
    for (int i = 0; i < 8; ++i) {
        wit_surface_jet jet;
        unsigned side = (at[i][0] == 1 ? WIT_KNOT_U_BELOW : 0U) | (at[i][1] == 1 ? WIT_KNOT_V_BELOW : 0U);
        double x = at[i][0] == 1 ? u.hi : u.lo + at[i][0] * iv_width(u);
        double y = at[i][1] == 1 ? v.hi : v.lo + at[i][1] * iv_width(v);
        s->ops->eval(s, x, y, side, NULL, &jet);
        if (jet_degenerate(s, &jet)) return true;
    }
    return false;
}

/* Quadrics know their own poles; of the others every cell is looked at. One cell that cannot be proved regular makes eval
 * test every jet. */
static void set_regularity(wit_surface* s)
{
    enum { HALVINGS = 4 };
    wi_surface_speeds(s, &s->speed_u, &s->speed_v);
    s->doubtful = s->degenerate;
    if (s->kind < WIT_SURFACE_REVOLUTION) return;
    int nu, nv;
    const double* bu = wit_surface_breaks(s, WIT_U, &nu);
    const double* bv = wit_surface_breaks(s, WIT_V, &nv);
    for (int i = 0; i + 1 < nu; ++i)
        for (int j = 0; j + 1 < nv; ++j) {
            wit_interval u = iv(bu[i], bu[i + 1]), v = iv(bv[j], bv[j + 1]);
            if (!s->degenerate) s->degenerate = cell_degenerate(s, u, v);
            if (!s->doubtful) s->doubtful = s->degenerate || !proved_regular(s, u, v, HALVINGS);
        }
}

wit_surface* wit_surface_create(const wit_surface_def* def, const wit_allocator* allocator, wit_error* error)
{
    if (check_def(def, error)) return NULL;
    int count[2];
    bool closed;
    inherited_breaks(def, WIT_U, &count[0], &closed);
    inherited_breaks(def, WIT_V, &count[1], &closed);
    size_t own = sizeof(wit_surface) + OPS[def->kind]->extra(def);
    size_t bytes = own + (2 * (size_t)count[0] + 2 * (size_t)count[1] + 4) * sizeof(double);
    wit_allocator memory = wi_allocator_or_default(allocator);
    wit_surface* s = wi_allocator_take(&memory, bytes);
    if (!s) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for a surface of %zu bytes", bytes);
        return NULL;
    }
    memset(s, 0, bytes);
    s->ops = OPS[def->kind];
    s->allocator = memory;
    s->bytes = bytes;
    s->kind = def->kind;
    s->kernel = def->kind == WIT_SURFACE_NURBS ? wi_kernel_resolve(def->kernel) : WIT_KERNEL_PORTABLE;
    if (s->ops->build(s, def, error)) {
        wit_surface_destroy(s);
        return NULL;
    }
    set_breaks(s, def, own);
    set_regularity(s);
    surface_spline* n = &s->spline;
    n->simple = s->kind == WIT_SURFACE_NURBS && !s->doubtful && n->u.single && n->v.single;
    return s;
}

void wit_surface_destroy(wit_surface* surface)
{
    if (!surface) return;
    wit_allocator memory = surface->allocator;
    wi_allocator_release(&memory, surface, surface->bytes);
}

void wi_surface_embed(void* to, const wit_surface* from)
{
    memcpy(to, from, from->bytes);
}

wit_surface_info wit_surface_describe(const wit_surface* s)
{
    wit_surface_info r = {0};
    r.kind = s->kind;
    r.kernel = s->kernel;
    r.range_u = s->u;
    r.range_v = s->v;
    r.closed_u = s->closed_u;
    r.closed_v = s->closed_v;
    r.degree_u = s->spline.u.degree;
    r.degree_v = s->spline.v.degree;
    r.count_u = s->spline.u.count;
    r.count_v = s->spline.v.count;
    r.rational = s->spline.rational;
    r.cells_u = s->breaks[WIT_U].count - 1;
    r.cells_v = s->breaks[WIT_V].count - 1;
    r.degenerate = s->degenerate;
    r.bytes = s->bytes;
    return r;
}

const double* wit_surface_breaks(const wit_surface* s, wit_direction direction, int* count)
{
    const shape_breaks* b = &s->breaks[direction == WIT_V];
    if (count) *count = b->count;
    return (const double*)(const void*)((const char*)s + b->offset);
}

/* The long way: other kinds, sides, parameters out of range, places that may be degenerate. Kept out of line, so that
 * the short way needs no stack frame. */
static __attribute__((noinline)) unsigned eval_any(const wit_surface* s, double u, double v, unsigned side,
                                                   wit_hint* hint, wit_surface_jet* out)
{
    unsigned place = WIT_EVAL_REGULAR;
    u = parameter_in_range(u, s->u, s->closed_u, &place);
    v = parameter_in_range(v, s->v, s->closed_v, &place);
    if (side) { /* below the seam is the upper end */
        if ((side & WIT_KNOT_U_BELOW) && s->closed_u && u == s->u.lo) u = s->u.hi;
        if ((side & WIT_KNOT_V_BELOW) && s->closed_v && v == s->v.lo) v = s->v.hi;
    }
    if (s->kind == WIT_SURFACE_NURBS) {
        nurbs_surface_eval(s, u, v, side, hint, out);
    } else if (s->ops->jet) {
        s->ops->jet(s, u, v, out);
    } else {
        /* The upper end of a part of a profile may be a knot of the whole: the last piece is the one below. */
        if (u == s->u.hi && !s->closed_u) side |= WIT_KNOT_U_BELOW;
        if (v == s->v.hi && !s->closed_v) side |= WIT_KNOT_V_BELOW;
        place |= s->ops->eval(s, u, v, side, hint, out);
    }
    if (s->doubtful && jet_degenerate(s, out)) place |= WIT_EVAL_DEGENERATE;
    return place;
}

static inline bool hint_holds(const spline_axis* axis, const wit_surface* s, int cell, double x)
{
    const double* b = axis_breaks(axis, s);
    return (unsigned)cell < (unsigned)axis->cells && x >= b[cell] && x < b[cell + 1];
}

unsigned wit_surface_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint, wit_surface_jet* out)
{
    const surface_spline* n = &s->spline;
    if (side || !n->simple) return eval_any(s, u, v, side, hint, out);
    int i = hint ? hint->cell[0] : -1, j = hint ? hint->cell[1] : -1;
    /* A hint that holds also says that the parameter is in range. */
    if (!hint_holds(&n->u, s, i, u) || !hint_holds(&n->v, s, j, v)) {
        if (!(u >= s->u.lo && u <= s->u.hi && v >= s->v.lo && v <= s->v.hi)) return eval_any(s, u, v, side, hint, out);
        i = axis_find(&n->u, s, u);
        j = axis_find(&n->v, s, v);
        if (hint) {
            hint->cell[0] = i;
            hint->cell[1] = j;
        }
    }
    const double* power = (const double*)(const void*)((const char*)s + n->power);
    return n->kernel(power + (size_t)i * n->row + (size_t)j * n->stride, n->u.degree, n->v.degree,
                     spline_local(&n->u, s, i, u), spline_local(&n->v, s, j, v), axis_inverse(&n->u, s)[i],
                     axis_inverse(&n->v, s)[j], out);
}

unsigned wi_surface_part(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint, wit_surface_jet* out)
{
    return wit_surface_eval(s, u, v, side, hint, out);
}

unsigned wit_surface_eval_many(const wit_surface* s, size_t n, const double* uv, wit_surface_jet* out, uint8_t* places)
{
    unsigned all = 0;
    wit_hint hint = {{0, 0, 0}};
    for (size_t i = 0; i < n; ++i) {
        unsigned place = wit_surface_eval(s, uv[2 * i], uv[2 * i + 1], WIT_KNOT_DEFAULT, &hint, &out[i]);
        if (places) places[i] = (uint8_t)place;
        all |= place;
    }
    return all;
}
