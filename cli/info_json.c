/* SPDX-License-Identifier: MIT */
#include "info.h"
#include "info_body.h"
#include "measure.h"

static void put_range(out* o, const char* key, wit_interval r)
{
    double ends[2] = {r.lo, r.hi};
    out_put_numbers(o, key, ends, 2);
}

static void put_point(out* o, const char* key, wit_vec3 p)
{
    double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void put_box(out* o, const wit_box* b)
{
    out_open(o, "box", '{');
    put_point(o, "lo", b->lo);
    put_point(o, "hi", b->hi);
    out_close(o, '}');
}

static void put_extreme(out* o, const char* key, const extreme* e, bool surface)
{
    if (!e->known) return;
    out_open(o, key, '{');
    out_put_number(o, "value", e->value);
    out_put_bool(o, "unbounded", e->unbounded);
    out_put_number(o, surface ? "u" : "t", e->u);
    if (surface) out_put_number(o, "v", e->v);
    out_put_bool(o, surface ? "u_below" : "t_below", e->side & WIT_KNOT_U_BELOW);
    if (surface) out_put_bool(o, "v_below", e->side & WIT_KNOT_V_BELOW);
    out_close(o, '}');
}

static void put_joint(out* o, const wit_continuity* c, bool seam)
{
    out_open(o, NULL, '{');
    out_put_number(o, "value", c->value);
    out_put_bool(o, "seam", seam);
    out_put_integer(o, "order", c->order);
    out_put_bool(o, "tangent", c->tangent);
    out_put_number(o, "jump1", c->jump1);
    out_put_number(o, "jump2", c->jump2);
    out_close(o, '}');
}

static void put_surface(out* o, const wit_model* model, int index)
{
    static const char* const border[BORDERS] = {"u_low", "u_high", "v_low", "v_high"};
    const wit_surface* s = wit_model_surface(model, index);
    wit_surface_info info = wit_surface_describe(s);
    surface_measure m;
    wit_continuity c;
    measure_surface(s, &m);
    out_open(o, NULL, '{');
    out_put_string(o, "name", wit_model_surface_name(model, index));
    out_put_string(o, "kind", wit_surface_kind_name(info.kind));
    if (info.kind == WIT_SURFACE_NURBS) {
        out_put_integer(o, "degree_u", info.degree_u);
        out_put_integer(o, "degree_v", info.degree_v);
        out_put_integer(o, "count_u", info.count_u);
        out_put_integer(o, "count_v", info.count_v);
        out_put_bool(o, "rational", info.rational);
    }
    put_range(o, "range_u", info.range_u);
    put_range(o, "range_v", info.range_v);
    out_put_bool(o, "closed_u", info.closed_u);
    out_put_bool(o, "closed_v", info.closed_v);
    out_put_integer(o, "cells_u", info.cells_u);
    out_put_integer(o, "cells_v", info.cells_v);
    out_put_integer(o, "bytes", (long long)info.bytes);
    out_put_string(o, "kernel", wit_kernel_name(info.kernel));
    put_box(o, &m.box);
    out_put_number(o, "area", m.area);
    for (int d = 0; d < 2; d++) {
        out_open(o, d ? "continuity_v" : "continuity_u", '[');
        for (int k = 0; k < (d ? info.cells_v : info.cells_u); k++) {
            if (wit_surface_continuity(s, d ? WIT_V : WIT_U, k, &c)) put_joint(o, &c, k == 0);
        }
        out_close(o, ']');
    }
    out_open(o, "collapsed", '[');
    for (int k = 0; k < BORDERS; k++) {
        if (!m.collapsed[k]) continue;
        out_open(o, NULL, '{');
        out_put_string(o, "border", border[k]);
        put_point(o, "point", m.collapsed_at[k]);
        out_close(o, '}');
    }
    out_close(o, ']');
    put_extreme(o, "curvature_min", &m.k_min, true);
    put_extreme(o, "curvature_max", &m.k_max, true);
    put_extreme(o, "gauss_min", &m.gauss_min, true);
    put_extreme(o, "gauss_max", &m.gauss_max, true);
    out_put_number(o, "negative_parameter_share", m.negative_parameter);
    out_put_number(o, "negative_area_share", m.negative_area);
    out_close(o, '}');
}

static void put_curve(out* o, const wit_model* model, int index)
{
    const wit_curve* curve = wit_model_curve(model, index);
    wit_curve_info info = wit_curve_describe(curve);
    curve_measure m;
    wit_continuity c;
    measure_curve(curve, &m);
    out_open(o, NULL, '{');
    out_put_string(o, "name", wit_model_curve_name(model, index));
    out_put_string(o, "kind", wit_curve_kind_name(info.kind));
    if (info.kind == WIT_CURVE_NURBS) {
        out_put_integer(o, "degree", info.degree);
        out_put_integer(o, "count", info.count);
        out_put_bool(o, "rational", info.rational);
    }
    put_range(o, "range", info.range);
    out_put_bool(o, "closed", info.closed);
    out_put_integer(o, "cells", info.cells);
    out_put_integer(o, "bytes", (long long)info.bytes);
    out_put_string(o, "kernel", wit_kernel_name(info.kernel));
    put_box(o, &m.box);
    out_put_number(o, "length", m.length);
    out_open(o, "continuity", '[');
    for (int k = 0; k < info.cells; k++) {
        if (wit_curve_continuity(curve, k, &c)) put_joint(o, &c, k == 0);
    }
    out_close(o, ']');
    put_extreme(o, "curvature_min", &m.curvature_min, false);
    put_extreme(o, "curvature_max", &m.curvature_max, false);
    out_close(o, '}');
}

void info_json(out* o, const wit_model* model, const char* path, bool shapes)
{
    wit_unit unit = wit_model_unit(model);
    out_open(o, NULL, '{');
    out_put_string(o, "verdict", info_verdict_of(model).word);
    out_put_string(o, "file", path);
    out_put_string(o, "name", wit_model_name(model));
    out_put_string(o, "unit", wit_unit_name(unit));
    out_put_integer(o, "curve_count", wit_model_curve_count(model));
    out_put_integer(o, "surface_count", wit_model_surface_count(model));
    out_open(o, "bodies", '[');
    for (int i = 0; i < wit_model_body_count(model); i++)
        info_body_json(o, NULL, wit_model_body(model, i), unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit));
    out_close(o, ']');
    if (shapes) {
        out_open(o, "curves", '[');
        for (int i = 0; i < wit_model_curve_count(model); i++) put_curve(o, model, i);
        out_close(o, ']');
        out_open(o, "surfaces", '[');
        for (int i = 0; i < wit_model_surface_count(model); i++) put_surface(o, model, i);
        out_close(o, ']');
    }
    out_close(o, '}');
    out_text(o, "\n");
}
