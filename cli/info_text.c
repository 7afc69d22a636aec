/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "info.h"
#include "info_body.h"
#include "measure.h"

enum { LABEL = 20, LISTED = 6 };

/* "mm^2", "1/mm", ...; nothing for a model without a unit. */
typedef struct units {
    const char* length; /* "" for none */
} units;

static void label(out* o, const char* text)
{
    out_text(o, "  %-*s", LABEL, text);
}

static void put_unit(out* o, const units* u, int power)
{
    if (!u->length[0]) return;
    if (power > 0)
        out_text(o, power == 1 ? " %s" : " %s^2", u->length);
    else
        out_text(o, power == -1 ? " 1/%s" : " 1/%s^2", u->length);
}

static double tidy(double x, double size)
{
    return fabs(x) <= 1e-9 * size ? 0 : x;
}

static void put_box(out* o, const units* u, const wit_box* b, double size)
{
    double reach = fmax(size, fmax(fabs(b->lo.x), fmax(fabs(b->lo.y), fabs(b->lo.z))));
    label(o, "box");
    out_text(o, "x %.6g .. %.6g, y %.6g .. %.6g, z %.6g .. %.6g", tidy(b->lo.x, reach), tidy(b->hi.x, reach),
             tidy(b->lo.y, reach), tidy(b->hi.y, reach), tidy(b->lo.z, reach), tidy(b->hi.z, reach));
    put_unit(o, u, 1);
    out_text(o, "; size %.6g x %.6g x %.6g\n", tidy(b->hi.x - b->lo.x, reach), tidy(b->hi.y - b->lo.y, reach),
             tidy(b->hi.z - b->lo.z, reach));
}

static void put_memory(out* o, size_t bytes)
{
    if (bytes < 10240)
        out_text(o, "%lu bytes", (unsigned long)bytes);
    else
        out_text(o, "%.3g kB", (double)bytes / 1000);
}

static void put_range(out* o, const char* name, wit_interval r, bool closed)
{
    out_text(o, "%s ", name);
    out_parameter(o, r.lo);
    out_text(o, " .. ");
    out_parameter(o, r.hi);
    if (closed) out_text(o, " (closed)");
}

/* ---- continuity ----------------------------------------------------------------------------- */

/* A curve, or one direction of a surface. */
typedef struct joints {
    const wit_curve* curve;
    const wit_surface* surface;
    wit_direction direction;
    const char* name;
    int cells;
    bool closed;
} joints;

static bool joint(const joints* j, int k, wit_continuity* c)
{
    return j->surface ? wit_surface_continuity(j->surface, j->direction, k, c) : wit_curve_continuity(j->curve, k, c);
}

/* Inner borders of that order; `smooth` only those with a continuous tangent, else only those without. Lists them,
 * or only counts when o is null. */
static int list_joints(out* o, const joints* j, int order, bool smooth)
{
    int n = 0;
    for (int k = 1; k < j->cells; k++) {
        wit_continuity c;
        if (!joint(j, k, &c) || c.order != order || (order < 1 && c.tangent != smooth)) continue;
        if (o && n < LISTED) {
            out_text(o, n ? ", " : "");
            out_parameter(o, c.value);
        }
        n++;
    }
    if (o && n > LISTED) out_text(o, " and %d more", n - LISTED);
    return n;
}

static void put_joints(out* o, const joints* j)
{
    static const struct {
        int order;
        bool smooth;
        const char* text;
    } sorts[] = {{1, true, "C1 only at "}, {0, true, "C0 only (tangent continuous) at "}, {0, false, "C0 only at "}};
    bool any = false;
    if (j->cells <= 1 && !j->closed) return;
    char head[LABEL + 1] = "continuity ";
    if (j->name[0]) strncat(head, j->name, sizeof head - strlen(head) - 1);
    label(o, head);
    for (size_t s = 0; s < sizeof sorts / sizeof sorts[0]; s++) {
        if (!list_joints(NULL, j, sorts[s].order, sorts[s].smooth)) continue;
        out_text(o, "%s%s%s = ", any ? "; " : "", sorts[s].text, j->name[0] ? j->name : "t");
        list_joints(o, j, sorts[s].order, sorts[s].smooth);
        any = true;
    }
    if (!any) out_text(o, "C2 or better");
    wit_continuity c;
    if (j->closed && joint(j, 0, &c)) {
        out_text(o, "; seam %s", c.order >= 2 ? "C2 or better" : c.order == 1 ? "C1" : "C0");
        if (c.order < 1 && c.tangent) out_text(o, " (tangent continuous)");
    }
    out_text(o, "\n");
}

/* ---- extremes ------------------------------------------------------------------------------- */

static void put_place(out* o, const extreme* e, bool surface)
{
    const char *u = e->side & WIT_KNOT_U_BELOW ? "-" : "", *v = e->side & WIT_KNOT_V_BELOW ? "-" : "";
    if (surface)
        out_text(o, " at (%.6g%s, %.6g%s)", e->u, u, e->v, v);
    else
        out_text(o, " at t = %.6g%s", e->u, u);
}

static void put_end(out* o, const extreme* e, double scale, bool surface)
{
    if (e->unbounded)
        out_text(o, "unbounded");
    else
        out_text(o, "%.6g", tidy(e->value, scale));
    put_place(o, e, surface);
}

static void put_extremes(out* o, const units* u, const char* name, const extreme* lo, const extreme* hi, bool surface,
                         int power)
{
    label(o, name);
    if (!lo->known || !hi->known) {
        out_text(o, "not defined anywhere\n");
        return;
    }
    if (!lo->unbounded && !hi->unbounded && fabs(hi->value - lo->value) <= 1e-9 * fabs(hi->value)) {
        out_text(o, "%.6g", hi->value + 0.0);
        put_unit(o, u, power);
        out_text(o, " everywhere\n");
        return;
    }
    double scale = lo->unbounded || hi->unbounded ? 0 : fmax(fabs(lo->value), fabs(hi->value));
    put_end(o, lo, 10 * scale, surface);
    out_text(o, " to ");
    put_end(o, hi, 10 * scale, surface);
    put_unit(o, u, power);
    out_text(o, "\n");
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void put_head(out* o, const char* sort, int index, const char* name, const char* kind)
{
    out_text(o, "\n%s %d", sort, index);
    if (name[0]) out_text(o, " \"%s\"", name);
    out_text(o, ": %s", kind);
}

static void put_surface(out* o, const units* u, const wit_model* model, int index)
{
    static const char* const border[BORDERS] = {"u at its low end", "u at its high end", "v at its low end",
                                                "v at its high end"};
    const wit_surface* s = wit_model_surface(model, index);
    wit_surface_info info = wit_surface_describe(s);
    surface_measure m;
    measure_surface(s, &m);
    bool nurbs = info.kind == WIT_SURFACE_NURBS;
    put_head(o, "surface", index, wit_model_surface_name(model, index), wit_surface_kind_name(info.kind));
    if (nurbs)
        out_text(o, ", degree %d x %d, %d x %d control points, %s", info.degree_u, info.degree_v, info.count_u,
                 info.count_v, info.rational ? "rational" : "polynomial");
    out_text(o, "\n");
    label(o, "parameters");
    put_range(o, "u", info.range_u, info.closed_u);
    out_text(o, ", ");
    put_range(o, "v", info.range_v, info.closed_v);
    out_text(o, "\n");
    label(o, "cells");
    out_text(o, "%d x %d, ", info.cells_u, info.cells_v);
    put_memory(o, info.bytes);
    out_text(o, ", kernel set %s\n", wit_kernel_name(info.kernel));
    put_box(o, u, &m.box, m.size);
    label(o, "area");
    out_text(o, "%.6g", m.area);
    put_unit(o, u, 2);
    out_text(o, "\n");
    joints ju = {NULL, s, WIT_U, "u", info.cells_u, info.closed_u};
    joints jv = {NULL, s, WIT_V, "v", info.cells_v, info.closed_v};
    put_joints(o, &ju);
    put_joints(o, &jv);
    for (int k = 0; k < BORDERS; k++) {
        if (!m.collapsed[k]) continue;
        label(o, "collapsed border");
        out_text(o, "%s, to the point (%.6g, %.6g, %.6g)\n", border[k], tidy(m.collapsed_at[k].x, m.size),
                 tidy(m.collapsed_at[k].y, m.size), tidy(m.collapsed_at[k].z, m.size));
    }
    put_extremes(o, u, "principal curvature", &m.k_min, &m.k_max, true, -1);
    put_extremes(o, u, "Gaussian curvature", &m.gauss_min, &m.gauss_max, true, -2);
    if (nurbs || m.negative_parameter > 0) {
        label(o, "");
        out_text(o, "negative on %.1f %% of the parameter square, %.1f %% of the area\n", 100 * m.negative_parameter,
                 100 * m.negative_area);
    }
}

static void put_curve(out* o, const units* u, const wit_model* model, int index)
{
    const wit_curve* c = wit_model_curve(model, index);
    wit_curve_info info = wit_curve_describe(c);
    curve_measure m;
    measure_curve(c, &m);
    put_head(o, "curve", index, wit_model_curve_name(model, index), wit_curve_kind_name(info.kind));
    if (info.kind == WIT_CURVE_NURBS)
        out_text(o, ", degree %d, %d control points, %s", info.degree, info.count,
                 info.rational ? "rational" : "polynomial");
    out_text(o, "\n");
    label(o, "parameter");
    put_range(o, "t", info.range, info.closed);
    out_text(o, "\n");
    label(o, "cells");
    out_text(o, "%d, ", info.cells);
    put_memory(o, info.bytes);
    out_text(o, ", kernel set %s\n", wit_kernel_name(info.kernel));
    put_box(o, u, &m.box, m.size);
    label(o, "length");
    out_text(o, "%.6g", m.length);
    put_unit(o, u, 1);
    out_text(o, "\n");
    joints j = {c, NULL, WIT_U, "", info.cells, info.closed};
    put_joints(o, &j);
    put_extremes(o, u, "curvature", &m.curvature_min, &m.curvature_max, false, -1);
}

/* "2 curves, " and so on. */
static void put_count(out* o, int n, const char* one, const char* many, const char* after)
{
    out_text(o, "%d %s%s", n, n == 1 ? one : many, after);
}

/* How many parts of the file it came from are missing: lines of its note that begin so. */
static int lost_of(const wit_model* model)
{
    int n = 0;
    for (const char* at = wit_model_note(model); (at = strstr(at, "\nLOST ")) != NULL; at++) n++;
    return n;
}

info_verdict info_verdict_of(const wit_model* model)
{
    info_verdict v = {.lost = lost_of(model)};
    for (int i = 0; i < wit_model_body_count(model); i++) {
        wit_body_info b = wit_body_describe(wit_model_body(model, i));
        bool solid = b.kind == WIT_BODY_SOLID;
        v.solids += solid;
        v.sheets += !solid;
        v.open += solid && !b.closed && !b.unbounded;
        v.unproved += solid && b.closed && !b.outward && !b.unbounded;
        if (b.tolerance > v.tolerance) v.tolerance = b.tolerance;
    }
    v.word = v.lost ? "incomplete" : v.open ? "open" : v.unproved ? "doubtful" : "good";
    return v;
}

static void put_verdict(out* o, const units* u, const wit_model* model)
{
    info_verdict v = info_verdict_of(model);
    out_text(o, "verdict: %s", v.word);
    const char* comma = ": ";
    if (v.lost) {
        out_text(o, "%s%d %s of the file could not be read", comma, v.lost, v.lost == 1 ? "part" : "parts");
        comma = ", ";
    }
    if (v.solids) {
        out_text(o, "%s%d %s", comma, v.solids, v.solids == 1 ? "solid" : "solids");
        if (v.open) out_text(o, ", %d not closed", v.open);
        if (v.unproved) out_text(o, ", of %d it is not proved which side is inside", v.unproved);
        if (!v.open && !v.unproved) out_text(o, ", closed, right side out");
        comma = ", ";
    }
    if (v.sheets) {
        out_text(o, "%s%d %s", comma, v.sheets, v.sheets == 1 ? "sheet" : "sheets");
        comma = ", ";
    }
    if (!v.solids && !v.sheets) out_text(o, "%sno bodies", comma);
    if (v.tolerance > 0) {
        out_text(o, "; edges within %.2g", v.tolerance);
        put_unit(o, u, 1);
        out_text(o, " of their faces");
    }
    out_text(o, "\n");
}

void info_text(out* o, const wit_model* model, const char* path, bool shapes)
{
    wit_unit unit = wit_model_unit(model);
    units u = {unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit)};
    int curves = wit_model_curve_count(model), surfaces = wit_model_surface_count(model);
    int bodies = wit_model_body_count(model);
    bool implied = wit_model_body_implied(model, 0);
    put_verdict(o, &u, model);
    out_text(o, "%s: %s%s", strcmp(path, "-") ? path : "standard input", wit_model_name(model),
             wit_model_name(model)[0] ? "; " : "");
    if (!implied && bodies) put_count(o, bodies, "body", "bodies", ", ");
    put_count(o, curves, "curve", "curves", ", ");
    put_count(o, surfaces, "surface", "surfaces", ", ");
    out_text(o, "lengths in %s\n", u.length[0] ? u.length : "no stated unit");
    if (wit_model_note(model)[0]) out_text(o, "%s\n", wit_model_note(model));
    for (int i = 0; i < bodies; i++) {
        if (implied) out_text(o, "\nNo bodies are given; the surfaces as one sheet:");
        info_body_text(o, wit_model_body(model, i), u.length);
    }
    if (!shapes) return;
    for (int i = 0; i < curves; i++) put_curve(o, &u, model, i);
    for (int i = 0; i < surfaces; i++) put_surface(o, &u, model, i);
    if (curves + surfaces)
        out_text(
            o, "\nExtremes are found by sampling and local search (0.5- : just below the knot 0.5); boxes enclose.\n");
}
