/* SPDX-License-Identifier: MIT */
#include "info_body.h"

#include <math.h>
#include <string.h>

enum { LABEL = 20, LISTED = 40 };
#define DEGREES (180 / 3.14159265358979323846)

static void label(out* o, const char* text)
{
    out_text(o, "  %-*s", LABEL, text);
}

static void put_unit(out* o, const char* unit, int power)
{
    if (!unit[0]) return;
    out_text(o, power == 1 ? " %s" : power == 2 ? " %s^2" : " %s^3", unit);
}

static double tidy(double x, double size)
{
    return fabs(x) <= 1e-9 * size ? 0 : x;
}

static const char* yes_no(bool b)
{
    return b ? "yes" : "no";
}

static void put_name(out* o, const char* sort, int id, const char* name)
{
    out_text(o, "%s %d", sort, id);
    if (name[0]) out_text(o, " \"%s\"", name);
}

/* "2 faces, the first is 3 "lid"" */
static void put_offenders(out* o, int count, const char* sort, int first, const char* name)
{
    bool vertices = !strcmp(sort, "vertex");
    out_text(o, " (%d %s, the first is ", count,
             count == 1              ? sort
             : vertices              ? "vertices"
             : !strcmp(sort, "face") ? "faces"
                                     : "edges");
    put_name(o, sort, first, name);
    out_text(o, ")");
}

/* ---- text: the whole ------------------------------------------------------------------------ */

static void put_size(out* o, const wit_body_info* b, const char* unit)
{
    double reach = fmax(b->size, fmax(fabs(b->box.lo.x), fmax(fabs(b->box.lo.y), fabs(b->box.lo.z))));
    label(o, "box");
    out_text(o, "x %.6g .. %.6g, y %.6g .. %.6g, z %.6g .. %.6g", tidy(b->box.lo.x, reach), tidy(b->box.hi.x, reach),
             tidy(b->box.lo.y, reach), tidy(b->box.hi.y, reach), tidy(b->box.lo.z, reach), tidy(b->box.hi.z, reach));
    put_unit(o, unit, 1);
    out_text(o, "\n");
    label(o, "memory");
    out_text(o, "%.4g kB, %d nodes in the bounding tree\n", (double)b->bytes / 1000, b->node_count);
}

/* How many faces and edges there are of each kind, and how many edges have a tolerance that shows. */
typedef struct census {
    int surfaces[WIT_SURFACE_KIND_COUNT], curves[WIT_CURVE_KIND_COUNT];
    int loose; /* edges with a tolerance above LOOSE of the size */
    int widest;
} census;

#define LOOSE 1e-7

static census census_of(const wit_body* body)
{
    census c = {.widest = -1};
    wit_body_info b = wit_body_describe(body);
    double most = 0;
    for (int i = 0; i < b.face_count; i++) c.surfaces[wit_surface_describe(wit_body_face(body, i).surface).kind]++;
    for (int i = 0; i < b.edge_count; i++) {
        wit_edge_info e = wit_body_edge(body, i);
        c.curves[wit_curve_describe(e.curve).kind]++;
        c.loose += e.tolerance > LOOSE * b.size;
        if (e.tolerance <= most) continue;
        most = e.tolerance;
        c.widest = i;
    }
    return c;
}

static void put_kinds(out* o, const char* name, const int* counts, int kinds, bool curves)
{
    const char* comma = "";
    for (int k = 0; k < kinds; k++) {
        if (!counts[k]) continue;
        if (!comma[0]) label(o, name);
        out_text(o, "%s%d %s", comma, counts[k],
                 curves ? wit_curve_kind_name((wit_curve_kind)k) : wit_surface_kind_name((wit_surface_kind)k));
        comma = ", ";
    }
    if (comma[0]) out_text(o, "\n");
}

static void put_census(out* o, const wit_body* body, const char* unit)
{
    census c = census_of(body);
    put_kinds(o, "surfaces", c.surfaces, WIT_SURFACE_KIND_COUNT, false);
    put_kinds(o, "curves", c.curves, WIT_CURVE_KIND_COUNT, true);
    if (!c.loose) return;
    label(o, "tolerances");
    out_text(o, "%d edge%s above %g of the size; the widest is %.3g", c.loose, c.loose == 1 ? "" : "s", LOOSE,
             wit_body_edge(body, c.widest).tolerance);
    put_unit(o, unit, 1);
    out_text(o, " at ");
    put_name(o, "edge", c.widest, wit_body_edge(body, c.widest).name);
    out_text(o, "\n");
}

static void put_shell(out* o, const wit_body* body, const wit_body_check_result* c, const char* unit)
{
    wit_body_info b = wit_body_describe(body);
    label(o, "Euler number");
    out_text(o, "%d; ", c->euler);
    if (c->shells < 0)
        out_text(o, "shells not counted\n");
    else
        out_text(o, "%d shell%s\n", c->shells, c->shells == 1 ? "" : "s");
    label(o, "watertight");
    out_text(o, "%s", yes_no(c->watertight));
    if (!b.planar && c->edges[WIT_EDGE_OPEN])
        put_offenders(o, c->edges[WIT_EDGE_OPEN], "edge", c->first_open, wit_body_edge(body, c->first_open).name);
    if (c->loose_edges)
        out_text(o, " (%d edge%s off the faces beyond the tolerance)", c->loose_edges, c->loose_edges == 1 ? "" : "s");
    out_text(o, "\n");
    label(o, "manifold");
    out_text(o, "%s", yes_no(c->manifold));
    if (c->edges[WIT_EDGE_NONMANIFOLD])
        put_offenders(o, c->edges[WIT_EDGE_NONMANIFOLD], "edge", c->first_nonmanifold,
                      wit_body_edge(body, c->first_nonmanifold).name);
    if (c->bad_vertices)
        put_offenders(o, c->bad_vertices, "vertex", c->first_bad_vertex,
                      wit_body_vertex(body, c->first_bad_vertex).name);
    out_text(o, "\n");
    label(o, "oriented");
    out_text(o, "%s", yes_no(c->oriented));
    if (c->unoriented_edges)
        put_offenders(o, c->unoriented_edges, "edge", c->first_unoriented,
                      wit_body_edge(body, c->first_unoriented).name);
    out_text(o, "\n");
    if (c->gap_edge >= 0) {
        label(o, "largest gap");
        out_text(o, "%.3g", c->gap);
        put_unit(o, unit, 1);
        out_text(o, " at ");
        put_name(o, "edge", c->gap_edge, wit_body_edge(body, c->gap_edge).name);
        out_text(o, ", tolerance %.3g\n", wit_body_edge(body, c->gap_edge).tolerance);
    }
    if (b.planar) return;
    label(o, "area");
    out_text(o, "%.6g", c->area);
    put_unit(o, unit, 2);
    if (c->volume != 0) {
        out_text(o, "; volume %.6g", c->volume);
        put_unit(o, unit, 3);
        if (c->volume < 0 && b.kind == WIT_BODY_SOLID) out_text(o, ": the normals point inwards");
    }
    out_text(o, "\n");
}

static void put_convexity(out* o, const wit_body* body, const char* unit, const wit_body_check_result* c)
{
    wit_body_info b = wit_body_describe(body);
    label(o, "convex");
    if (c->strictly_convex)
        out_text(o, "strictly");
    else
        out_text(o, "%s", yes_no(c->convex));
    if (c->convex && c->convex_within == 0) {
        out_text(o, " (proved)");
    } else if (c->convex && c->convex_proved) {
        out_text(o, " (proved to %.3g", c->convex_within);
        put_unit(o, unit, 1);
        out_text(o, ")");
    } else if (c->convex) {
        out_text(o, " (by samples)");
    }
    out_text(o, "\n");
    if (b.planar) return;
    label(o, "edges");
    const char* comma = "";
    for (int k = 0; k < WIT_EDGE_CHARACTER_COUNT; k++) {
        if (!c->edges[k]) continue;
        out_text(o, "%s%d %s", comma, c->edges[k], wit_edge_character_name((wit_edge_character)k));
        comma = ", ";
    }
    out_text(o, comma[0] ? "" : "none");
    if (c->first_reflex >= 0) {
        out_text(o, "; the first reflex one is ");
        put_name(o, "edge", c->first_reflex, wit_body_edge(body, c->first_reflex).name);
    }
    out_text(o, "\n");
    if (!c->degenerate) return;
    label(o, "degenerate places");
    out_text(o, "%d\n", c->degenerate);
}

static void put_premise(out* o, const wit_body* body, const char* name, bool holds, int count, int first)
{
    label(o, name);
    out_text(o, "%s", yes_no(holds));
    if (!holds && first >= 0) put_offenders(o, count, "face", first, wit_body_face(body, first).name);
    out_text(o, "\n");
}

static void put_premises(out* o, const wit_body* body, const wit_body_check_result* c)
{
    if (wit_body_describe(body).planar) return;
    out_text(o, "\npremises of the papers' convergence theorem, face by face\n");
    put_premise(o, body, "at least C2", c->premise_c2, c->faces_not_c2, c->first_not_c2);
    put_premise(o, body, "convex", c->premise_convex, c->faces_not_convex, c->first_not_convex);
    put_premise(o, body, "nice", c->premise_nice, c->faces_not_nice, c->first_not_nice);
    label(o, "in front");
    out_text(o, "%s\n", c->premise_front ? "sure for every outside point: all faces are flat" : "depends on the point");
    out_text(o, "  The papers' guarantee needs more than C2, convex and nice: as stated the theorem is false. It also\n"
                "  needs the point in front of the tangent planes of the whole face, and a face that planes cut from\n"
                "  a convex surface. What is certified here does not rest on it.\n");
}

/* ---- text: features ------------------------------------------------------------------------- */

static void put_face(out* o, const wit_body* body, int id, const char* unit)
{
    wit_face_info f = wit_body_face(body, id);
    wit_face_check c = wit_body_check_face(body, id);
    out_text(o, "  ");
    put_name(o, "face", id, f.name);
    out_text(o, ": %s, %s%s", wit_surface_kind_name(wit_surface_describe(f.surface).kind), wit_bend_name(c.bend),
             c.bend_proved ? "" : " (by samples)");
    if (c.negative_share > 0) out_text(o, ", saddle on %.1f %% of the parameter region", 100 * c.negative_share);
    out_text(o, ", C%d", c.continuity);
    if (c.continuity < 2) {
        out_text(o, "%s only at %s = ", c.continuity == 0 && c.tangent ? " (tangent continuous)" : "",
                 c.continuity_direction == WIT_U ? "u" : "v");
        out_parameter(o, c.continuity_value);
    }
    if (c.nice)
        out_text(o, ", normals within %.4g degrees%s", c.normals.angle * DEGREES, c.nice_proved ? "" : " (by samples)");
    else
        out_text(o, ", not nice");
    if (c.poles) out_text(o, ", %d pole%s", c.poles, c.poles == 1 ? "" : "s");
    if (c.apexes) out_text(o, ", %d apex%s", c.apexes, c.apexes == 1 ? "" : "es");
    if (c.singular) out_text(o, ", singular places seen");
    if (f.unbounded) {
        out_text(o, ", unbounded\n");
        return;
    }
    out_text(o, ", area %.6g", c.area);
    put_unit(o, unit, 2);
    out_text(o, "\n");
}

static void put_edge(out* o, const wit_body* body, int id, const char* unit)
{
    wit_edge_info e = wit_body_edge(body, id);
    wit_edge_check c = wit_body_check_edge(body, id);
    bool planar = wit_body_describe(body).planar;
    out_text(o, "  ");
    put_name(o, "edge", id, e.name);
    out_text(o, ": %s%s%s, ", e.ring ? "ring, " : "", e.lifted ? "on a face, " : "",
             wit_curve_kind_name(wit_curve_describe(e.curve).kind));
    out_text(o, "%s", planar ? wit_bend_name(c.bend) : wit_edge_character_name(c.character));
    if (c.turn_known && c.character != WIT_EDGE_SMOOTH) {
        double lo = c.turn_min * DEGREES, hi = c.turn_max * DEGREES;
        if (hi - lo <= 1e-6)
            out_text(o, ", turns by %.4g degrees", hi);
        else
            out_text(o, ", turns by %.4g (t = %.4g) to %.4g (t = %.4g) degrees", tidy(lo, 100), c.turn_min_at,
                     tidy(hi, 100), c.turn_max_at);
    }
    if (c.use_count == 2 && !c.oriented) out_text(o, ", faces not oriented alike");
    if (c.tangent_lost) out_text(o, ", tangent vanishes at t = %.6g", c.tangent_lost_at);
    out_text(o, ", length %.6g", c.length);
    put_unit(o, unit, 1);
    if (!c.within_tolerance) out_text(o, ", gap %.3g beyond its tolerance %.3g", c.gap, e.tolerance);
    out_text(o, "\n");
}

static void put_vertex(out* o, const wit_body* body, int id)
{
    wit_vertex_info v = wit_body_vertex(body, id);
    wit_vertex_check c = wit_body_check_vertex(body, id);
    double size = wit_body_describe(body).size;
    out_text(o, "  ");
    put_name(o, "vertex", id, v.name);
    out_text(o, ": (%.6g, %.6g, %.6g), %d edge%s", tidy(v.point.x, size), tidy(v.point.y, size), tidy(v.point.z, size),
             c.edge_count, c.edge_count == 1 ? "" : "s");
    if (c.turn_known)
        out_text(o, ", turns by %.4g degrees", c.turn * DEGREES);
    else
        out_text(o, ", %d face%s", c.face_count, c.face_count == 1 ? "" : "s");
    if (!c.manifold) out_text(o, ", not manifold");
    if (!c.within_tolerance) out_text(o, ", an edge ends %.3g off", c.gap);
    out_text(o, "\n");
}

static void put_more(out* o, int count, const char* sort)
{
    if (count > LISTED) out_text(o, "  and %d more %s\n", count - LISTED, sort);
}

void info_body_text(out* o, const wit_body* body, const char* unit)
{
    wit_body_info b = wit_body_describe(body);
    wit_body_check_result c = wit_body_check(body);
    out_text(o, "\nbody");
    if (b.name[0]) out_text(o, " \"%s\"", b.name);
    out_text(o, ": %s%s%s, %d face%s, %d edge%s, %d vert%s\n", b.planar ? "planar " : "", wit_body_kind_name(b.kind),
             b.unbounded ? ", unbounded" : "", b.face_count, b.face_count == 1 ? "" : "s", b.edge_count,
             b.edge_count == 1 ? "" : "s", b.vertex_count, b.vertex_count == 1 ? "ex" : "ices");
    put_size(o, &b, unit);
    put_census(o, body, unit);
    put_shell(o, body, &c, unit);
    put_convexity(o, body, unit, &c);
    put_premises(o, body, &c);
    out_text(o, "\nfeatures\n");
    for (int i = 0; i < b.face_count && i < LISTED; i++) put_face(o, body, i, unit);
    put_more(o, b.face_count, "faces");
    for (int i = 0; i < b.edge_count && i < LISTED; i++) put_edge(o, body, i, unit);
    put_more(o, b.edge_count, "edges");
    for (int i = 0; i < b.vertex_count && i < LISTED; i++) put_vertex(o, body, i);
    put_more(o, b.vertex_count, "vertices");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_point(out* o, const char* key, wit_vec3 p)
{
    double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void json_range(out* o, const char* key, wit_interval r)
{
    double x[2] = {r.lo, r.hi};
    out_put_numbers(o, key, x, 2);
}

static void json_box(out* o, const wit_box* b)
{
    out_open(o, "box", '{');
    json_point(o, "lo", b->lo);
    json_point(o, "hi", b->hi);
    out_close(o, '}');
}

static void json_face(out* o, const wit_body* body, int id)
{
    wit_face_info f = wit_body_face(body, id);
    wit_face_check c = wit_body_check_face(body, id);
    out_open(o, NULL, '{');
    out_put_integer(o, "id", id);
    out_put_string(o, "name", f.name);
    out_put_string(o, "surface", wit_surface_kind_name(wit_surface_describe(f.surface).kind));
    out_put_bool(o, "reversed", f.reversed);
    out_put_bool(o, "unbounded", f.unbounded);
    out_put_integer(o, "loops", f.loop_count);
    json_range(o, "u", f.u);
    json_range(o, "v", f.v);
    json_box(o, &f.box);
    out_put_number(o, "area", c.area);
    out_put_integer(o, "continuity", c.continuity);
    out_put_bool(o, "tangent_continuous", c.tangent);
    if (c.continuity < 2) {
        out_put_string(o, "continuity_lowest_along", c.continuity_direction == WIT_U ? "u" : "v");
        out_put_number(o, "continuity_lowest_at", c.continuity_value);
    }
    out_put_string(o, "bend", wit_bend_name(c.bend));
    out_put_bool(o, "bend_proved", c.bend_proved);
    out_put_number(o, "bend_min", c.bend_min);
    out_put_number(o, "bend_max", c.bend_max);
    out_put_number(o, "negative_share", c.negative_share);
    out_put_bool(o, "nice", c.nice);
    out_put_bool(o, "nice_proved", c.nice_proved);
    json_point(o, "normals_axis", c.normals.axis);
    out_put_number(o, "normals_degrees", c.normals.angle * DEGREES);
    out_put_number(o, "normals_bound_degrees", c.normals_bound * DEGREES);
    out_put_integer(o, "poles", c.poles);
    out_put_integer(o, "apexes", c.apexes);
    out_put_integer(o, "singular", c.singular);
    out_put_bool(o, "regular_proved", c.regular);
    out_close(o, '}');
}

static void json_edge(out* o, const wit_body* body, int id)
{
    wit_edge_info e = wit_body_edge(body, id);
    wit_edge_check c = wit_body_check_edge(body, id);
    out_open(o, NULL, '{');
    out_put_integer(o, "id", id);
    out_put_string(o, "name", e.name);
    out_put_string(o, "curve", wit_curve_kind_name(wit_curve_describe(e.curve).kind));
    out_put_bool(o, "lifted", e.lifted);
    json_range(o, "range", e.range);
    out_put_integer(o, "start", e.start);
    out_put_integer(o, "end", e.end);
    out_open(o, "faces", '[');
    for (int k = 0; k < c.use_count; k++) {
        wit_use_info u;
        if (wit_body_edge_use(body, id, k, &u) >= 0) out_put_integer(o, NULL, u.face);
    }
    out_close(o, ']');
    out_put_number(o, "length", c.length);
    out_put_string(o, "character", wit_edge_character_name(c.character));
    if (wit_body_describe(body).planar) out_put_string(o, "bend", wit_bend_name(c.bend));
    out_put_bool(o, "oriented", c.oriented);
    out_put_number(o, "tolerance", e.tolerance);
    out_put_number(o, "gap", c.gap);
    out_put_number(o, "gap_at", c.gap_at);
    out_put_bool(o, "within_tolerance", c.within_tolerance);
    if (c.turn_known) {
        out_put_number(o, "turn_min_degrees", c.turn_min * DEGREES);
        out_put_number(o, "turn_min_at", c.turn_min_at);
        out_put_number(o, "turn_max_degrees", c.turn_max * DEGREES);
        out_put_number(o, "turn_max_at", c.turn_max_at);
    }
    if (c.tangent_lost) out_put_number(o, "tangent_lost_at", c.tangent_lost_at);
    out_close(o, '}');
}

static void json_vertex(out* o, const wit_body* body, int id)
{
    wit_vertex_info v = wit_body_vertex(body, id);
    wit_vertex_check c = wit_body_check_vertex(body, id);
    out_open(o, NULL, '{');
    out_put_integer(o, "id", id);
    out_put_string(o, "name", v.name);
    json_point(o, "point", v.point);
    out_put_integer(o, "edges", c.edge_count);
    out_put_integer(o, "faces", c.face_count);
    out_put_integer(o, "fans", c.fans);
    out_put_bool(o, "manifold", c.manifold);
    out_put_bool(o, "open", c.open);
    out_put_number(o, "gap", c.gap);
    out_put_bool(o, "within_tolerance", c.within_tolerance);
    if (c.turn_known) out_put_number(o, "turn_degrees", c.turn * DEGREES);
    out_close(o, '}');
}

static void json_kinds(out* o, const char* key, const int* counts, int kinds, bool curves)
{
    out_open(o, key, '{');
    for (int k = 0; k < kinds; k++) {
        if (!counts[k]) continue;
        out_put_integer(o, curves ? wit_curve_kind_name((wit_curve_kind)k) : wit_surface_kind_name((wit_surface_kind)k),
                        counts[k]);
    }
    out_close(o, '}');
}

static void json_check(out* o, const wit_body_check_result* c)
{
    out_open(o, "check", '{');
    out_put_bool(o, "watertight", c->watertight);
    out_put_bool(o, "manifold", c->manifold);
    out_put_bool(o, "oriented", c->oriented);
    out_put_integer(o, "euler", c->euler);
    if (c->shells >= 0) out_put_integer(o, "shells", c->shells);
    out_put_number(o, "area", c->area);
    out_put_number(o, "volume", c->volume);
    out_put_bool(o, "convex", c->convex);
    out_put_bool(o, "strictly_convex", c->strictly_convex);
    out_put_bool(o, "convex_proved", c->convex_proved);
    if (c->convex_proved) out_put_number(o, "convex_within", c->convex_within);
    out_open(o, "edges", '{');
    for (int k = 0; k < WIT_EDGE_CHARACTER_COUNT; k++)
        out_put_integer(o, wit_edge_character_name((wit_edge_character)k), c->edges[k]);
    out_close(o, '}');
    out_put_integer(o, "unoriented_edges", c->unoriented_edges);
    out_put_integer(o, "loose_edges", c->loose_edges);
    out_put_integer(o, "bad_vertices", c->bad_vertices);
    out_put_number(o, "gap", c->gap);
    out_put_integer(o, "gap_edge", c->gap_edge);
    out_put_integer(o, "faces_not_c2", c->faces_not_c2);
    out_put_integer(o, "faces_not_convex", c->faces_not_convex);
    out_put_integer(o, "faces_not_nice", c->faces_not_nice);
    out_put_integer(o, "faces_mixed", c->faces_mixed);
    out_put_integer(o, "degenerate", c->degenerate);
    out_open(o, "premises", '{');
    out_put_bool(o, "c2", c->premise_c2);
    out_put_bool(o, "convex", c->premise_convex);
    out_put_bool(o, "nice", c->premise_nice);
    out_put_bool(o, "front", c->premise_front);
    out_close(o, '}');
    out_close(o, '}');
}

void info_body_json(out* o, const char* key, const wit_body* body, const char* unit)
{
    wit_body_info b = wit_body_describe(body);
    wit_body_check_result c = wit_body_check(body);
    out_open(o, key, '{');
    out_put_string(o, "name", b.name);
    out_put_string(o, "kind", wit_body_kind_name(b.kind));
    out_put_string(o, "unit", unit);
    out_put_bool(o, "planar", b.planar);
    out_put_bool(o, "unbounded", b.unbounded);
    json_box(o, &b.box);
    out_put_number(o, "size", b.size);
    out_put_number(o, "tolerance", b.tolerance);
    out_put_integer(o, "bytes", (long long)b.bytes);
    out_put_integer(o, "nodes", b.node_count);
    json_check(o, &c);
    census kinds = census_of(body);
    json_kinds(o, "surfaces", kinds.surfaces, WIT_SURFACE_KIND_COUNT, false);
    json_kinds(o, "curves", kinds.curves, WIT_CURVE_KIND_COUNT, true);
    out_put_integer(o, "loose_edges", kinds.loose);
    out_open(o, "faces", '[');
    for (int i = 0; i < b.face_count; i++) json_face(o, body, i);
    out_close(o, ']');
    out_open(o, "edges", '[');
    for (int i = 0; i < b.edge_count; i++) json_edge(o, body, i);
    out_close(o, ']');
    out_open(o, "vertices", '[');
    for (int i = 0; i < b.vertex_count; i++) json_vertex(o, body, i);
    out_close(o, ']');
    out_close(o, '}');
}
