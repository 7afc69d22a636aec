/* SPDX-License-Identifier: MIT */
/* Memory, errors, models and scenes. */
#include "bridge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

static wit_error last;

wit_error* bridge_error(void)
{
    memset(&last, 0, sizeof last);
    return &last;
}

wit_status bridge_fail(wit_status status, const char* item, const char* text)
{
    bridge_error();
    last.status = status;
    snprintf(last.item, sizeof last.item, "%s", item);
    snprintf(last.text, sizeof last.text, "%s", text[0] ? text : wit_status_text(status));
    return status;
}

/* ---- memory, errors ---------------------------------------------------------------------------------------------- */

EXPORT(wb_alloc) void* wb_alloc(size_t bytes)
{
    return malloc(bytes);
}

EXPORT(wb_free) void wb_free(void* memory)
{
    free(memory);
}

EXPORT(wb_version) const char* wb_version(void)
{
    return wit_version();
}

EXPORT(wb_error_number) int wb_error_number(int which) /* 0: status, 1: line, 2: column */
{
    return which == 0 ? (int)last.status : which == 1 ? last.line : last.column;
}

EXPORT(wb_error_text) const char* wb_error_text(int which) /* 0: name of the status, 1: item, 2: text */
{
    return which == 0 ? wit_status_name(last.status) : which == 1 ? last.item : last.text;
}

/* ---- small things ------------------------------------------------------------------------------------------------ */

wit_vec3 bridge_vec(const double* from)
{
    return (wit_vec3){from[0], from[1], from[2]};
}

wit_pose bridge_pose(const double* from)
{
    return (wit_pose){bridge_vec(from), {from[3], from[4], from[5], from[6]}};
}

wit_motion bridge_motion(const double* from)
{
    wit_motion m = {.pose = bridge_pose(from), .twist_known = from[13] != 0};
    m.twist.velocity = bridge_vec(from + 7);
    m.twist.angular = bridge_vec(from + 10);
    return m;
}

double* bridge_put_vec(double* to, wit_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

static double* put_pose(double* to, const wit_pose* p)
{
    to = bridge_put_vec(to, p->position);
    *to++ = p->rotation.w;
    *to++ = p->rotation.x;
    *to++ = p->rotation.y;
    *to++ = p->rotation.z;
    return to;
}

void bridge_put_motion(double* to, const wit_motion* m)
{
    to = put_pose(to, &m->pose);
    to = bridge_put_vec(to, m->twist.velocity);
    to = bridge_put_vec(to, m->twist.angular);
    *to = m->twist_known;
}

double* bridge_put_witness(double* to, const wit_witness* w)
{
    *to++ = w->feature;
    *to++ = w->id;
    *to++ = w->u;
    *to++ = w->v;
    return bridge_put_vec(to, w->point);
}

/* Names of enums: "certified" and so on. */
EXPORT(wb_name) const char* wb_name(int list, int value)
{
    switch (list) {
    case 0:
        return wit_feature_kind_name((wit_feature_kind)value);
    case 1:
        return wit_outcome_name((wit_outcome)value);
    case 2:
        return wit_reason_name((wit_reason)value);
    case 3:
        return wit_flag_name((unsigned)value);
    case 4:
        return wit_law_name((wit_law_kind)value);
    case 5:
        return wit_integrator_name((wit_integrator)value);
    case 6:
        return wit_form_name((wit_form)value);
    case 7:
        return wit_body_kind_name((wit_body_kind)value);
    case 8:
        return wit_unit_name((wit_unit)value);
    case 9:
        return wit_stationary_name((wit_stationary)value);
    case 10:
        return wit_sign_name((wit_sign)value);
    case 11:
        return wit_prediction_name((wit_prediction)value);
    default:
        return "?";
    }
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

EXPORT(wb_model_read) wit_model* wb_model_read(const char* text, size_t bytes)
{
    return wit_model_read_text(text, bytes, NULL, bridge_error());
}

EXPORT(wb_model_read_bpt) wit_model* wb_model_read_bpt(const char* text, size_t bytes)
{
    return wit_model_read_bpt_text(text, bytes, NULL, bridge_error());
}

EXPORT(wb_model_free) void wb_model_free(wit_model* model)
{
    wit_model_destroy(model);
}

EXPORT(wb_model_body_count) int wb_model_body_count(const wit_model* model)
{
    return wit_model_body_count(model);
}

EXPORT(wb_model_body) const wit_body* wb_model_body(const wit_model* model, int index)
{
    return wit_model_body(model, index);
}

EXPORT(wb_model_text) const char* wb_model_text(const wit_model* model, int which) /* 0: name, 1: note, 2: unit */
{
    return which == 0   ? wit_model_name(model)
           : which == 1 ? wit_model_note(model)
                        : wit_unit_name(wit_model_unit(model));
}

EXPORT(wb_model_body_name) const char* wb_model_body_name(const wit_model* model, int index)
{
    return wit_model_body_name(model, index);
}

EXPORT(wb_model_body_pose) void wb_model_body_pose(const wit_model* model, int index, double* to)
{
    wit_pose pose = wit_model_body_pose(model, index);
    put_pose(to, &pose);
}

/* Three doubles: of the body with face -1. */
EXPORT(wb_model_color) int wb_model_color(const wit_model* model, int index, int face, double* to)
{
    wit_vec3 color = {0};
    bool there =
        face < 0 ? wit_model_body_color(model, index, &color) : wit_model_face_color(model, index, face, &color);
    bridge_put_vec(to, color);
    return there;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* 15 doubles: kind, planar, unbounded, faces, edges, vertices, box lo and hi, size, closed, outward. */
EXPORT(wb_body_describe) void wb_body_describe(const wit_body* body, double* to)
{
    wit_body_info b = wit_body_describe(body);
    *to++ = b.kind;
    *to++ = b.planar;
    *to++ = b.unbounded;
    *to++ = b.face_count;
    *to++ = b.edge_count;
    *to++ = b.vertex_count;
    to = bridge_put_vec(to, b.box.lo);
    to = bridge_put_vec(to, b.box.hi);
    *to++ = b.size;
    *to++ = b.closed;
    *to = b.outward;
}

/* 8 doubles: watertight, oriented, convex, convex_within, area, volume, euler, gap. */
EXPORT(wb_body_check) void wb_body_check(const wit_body* body, double* to)
{
    wit_body_check_result c = wit_body_check(body);
    const double all[8] = {c.watertight, c.oriented, c.convex, c.convex_within, c.area, c.volume, c.euler, c.gap};
    memcpy(to, all, sizeof all);
}

EXPORT(wb_body_feature_name) const char* wb_body_feature_name(const wit_body* body, int kind, int id)
{
    if (kind == WIT_FACE) return wit_body_face(body, id).name;
    if (kind == WIT_EDGE) return wit_body_edge(body, id).name;
    return kind == WIT_VERTEX ? wit_body_vertex(body, id).name : "";
}

/* A jet on a face: 4 doubles u.lo, u.hi, v.lo, v.hi of its parameter box. */
EXPORT(wb_body_face_box) void wb_body_face_box(const wit_body* body, int face, double* to)
{
    wit_face_info f = wit_body_face(body, face);
    to[0] = f.u.lo;
    to[1] = f.u.hi;
    to[2] = f.v.lo;
    to[3] = f.v.hi;
}

EXPORT(wb_body_face_kind) const char* wb_body_face_kind(const wit_body* body, int face)
{
    wit_face_info f = wit_body_face(body, face);
    return f.surface ? wit_surface_kind_name(wit_surface_describe(f.surface).kind) : "?";
}

/* Point and outward normal at a place of a body, in its own axes: 6 doubles. False: there is no such feature. */
EXPORT(wb_body_place) int wb_body_place(const wit_body* body, int kind, int id, double u, double v, double* to)
{
    wit_vec3 point = {0}, normal = {0};
    if (kind == WIT_FACE) {
        wit_face_info f = wit_body_face(body, id);
        if (!f.surface) return 0;
        wit_surface_jet jet;
        wit_surface_eval(f.surface, u, v, WIT_KNOT_DEFAULT, NULL, &jet);
        point = jet.p;
        wit_body_face_normal(body, id, u, v, &normal);
    } else if (kind == WIT_EDGE) {
        wit_edge_info e = wit_body_edge(body, id);
        if (!e.curve) return 0;
        wit_curve_jet jet;
        wit_curve_eval(e.curve, u, WIT_KNOT_DEFAULT, NULL, &jet);
        point = jet.p;
    } else {
        point = wit_body_vertex(body, id).point;
    }
    bridge_put_vec(bridge_put_vec(to, point), normal);
    return 1;
}

EXPORT(wb_body_contains) int wb_body_contains(const wit_body* body, int face, double u, double v)
{
    return wit_body_face_contains(body, face, u, v);
}

/* Of a unit 1 size: chord and angle as in mesh.h. */
EXPORT(wb_mesh_make) mesh* wb_mesh_make(const wit_body* body, double chord, double angle, double extent)
{
    mesh_def def = {chord, angle, extent};
    mesh* m = mesh_make(body, &def);
    if (!m) bridge_fail(WIT_ERROR_MEMORY, "mesh", "");
    return m;
}

EXPORT(wb_mesh_free) void wb_mesh_free(mesh* m)
{
    mesh_free(m);
}

EXPORT(wb_mesh_centre) const double* wb_mesh_centre(const mesh* m)
{
    return m->centre;
}

/* Arrays: 0 positions, 1 normals, 2 parameters, 3 triangles, 4 faces, 5 lines, 6 edges, 7 corners. */
EXPORT(wb_mesh_array) const void* wb_mesh_array(const mesh* m, int which)
{
    const void* const all[] = {m->positions, m->normals, m->parameters, m->triangles,
                               m->faces,     m->lines,   m->edges,      m->corners};
    return all[which];
}

/* Counts: 0 points, 1 triangles, 2 line points, 3 faces, 4 edges, 5 corners, 6 dropped. */
EXPORT(wb_mesh_count) int wb_mesh_count(const mesh* m, int which)
{
    const int all[] = {m->point_count, m->triangle_count, m->line_count, m->face_count,
                       m->edge_count,  m->corner_count,   m->dropped};
    return all[which];
}

/* ---- scenes ------------------------------------------------------------------------------------------------------ */

EXPORT(wb_scene_read) wit_scene* wb_scene_read(const char* text, size_t bytes, const char* directory)
{
    return wit_scene_read_text(text, bytes, directory, NULL, NULL, NULL, bridge_error());
}

EXPORT(wb_scene_free) void wb_scene_free(wit_scene* scene)
{
    wit_scene_destroy(scene);
}

EXPORT(wb_scene_text) const char* wb_scene_text(const wit_scene* scene, int which)
{
    switch (which) { /* 0: name, 1: note, 2: unit, 3 and 4: names of the sides */
    case 0:
        return wit_scene_name(scene);
    case 1:
        return wit_scene_note(scene);
    case 2:
        return wit_unit_name(wit_scene_unit(scene));
    default:
        return wit_scene_side_name(scene, which - 3);
    }
}

EXPORT(wb_scene_body) const wit_body* wb_scene_body(const wit_scene* scene, int side)
{
    return wit_scene_body(scene, side);
}

/* 4 doubles: rate, duration, frames after the first, has dynamics. */
EXPORT(wb_scene_numbers) void wb_scene_numbers(const wit_scene* scene, double* to)
{
    to[0] = wit_scene_rate(scene);
    to[1] = wit_scene_duration(scene);
    to[2] = (double)wit_scene_frames(scene);
    to[3] = wit_scene_dynamics(scene, NULL);
}

EXPORT(wb_scene_motion) int wb_scene_motion(const wit_scene* scene, int side, double time, double* to)
{
    wit_motion m;
    wit_status status = wit_scene_motion(scene, side, time, &m);
    if (status) return (int)bridge_fail(status, "scene", "");
    bridge_put_motion(to, &m);
    return 0;
}
