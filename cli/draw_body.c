/* SPDX-License-Identifier: MIT */
/* What of a body, or of a model's bare shapes, goes into the picture, and in which style. */
#include "draw_body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../src/base/vec.h"
#include "draw.h"

/* ---- edges -------------------------------------------------------------------------------------------- */

/* Outward normal of the face of a use at parameter t of the edge, and the direction into the face, along its tangent
 * plane: the face lies to the left of the loop, so it is (du x dv) x (direction of the loop). */
static bool use_sides(const wit_body* body, const wit_use_info* use, const wit_edge_info* edge, double t,
                      wit_vec3* normal, wit_vec3* inward)
{
    wit_curve_jet parameters, along;
    wit_curve_eval(use->parameter_curve, use->shift + use->scale * t, 0, NULL, &parameters);
    wit_curve_eval(edge->curve, t, 0, NULL, &along);
    if (!wit_body_face_normal(body, use->face, parameters.p.x, parameters.p.y, normal)) return false;
    bool face_reversed = wit_body_face(body, use->face).reversed;
    wit_vec3 left = cross3(*normal, unit3(along.d1));
    *inward = face_reversed != use->reversed ? scale3(-1, left) : left;
    return true;
}

static stroke edge_style(const wit_body* body, int id, const wit_edge_info* edge)
{
    wit_use_info a, b;
    if (edge->use_count <= 1) return STROKE_OPEN;
    if (edge->use_count > 2) return STROKE_MULTIPLE;
    if (wit_body_edge_use(body, id, 0, &a) < 0 || wit_body_edge_use(body, id, 1, &b) < 0) return STROKE_EDGE;
    /* Faces not oriented alike: as if the second were turned over, as in the check. */
    bool turned =
        (a.reversed != wit_body_face(body, a.face).reversed) == (b.reversed != wit_body_face(body, b.face).reversed);
    double bend = 0;
    for (int k = 1; k <= 3; k++) {
        wit_vec3 na, nb, ia, ib;
        double t = edge->range.lo + (edge->range.hi - edge->range.lo) * k / 4;
        if (!use_sides(body, &a, edge, t, &na, &ia) || !use_sides(body, &b, edge, t, &nb, &ib)) continue;
        if (turned) nb = scale3(-1, nb);
        /* Sine of the angle by which each face falls below the other's tangent plane; folded faces count as sharp. */
        double s = -(dot3(ia, nb) + dot3(ib, na)) / 2;
        if (dot3(na, nb) < -0.999) return STROKE_CONVEX;
        if (fabs(s) > fabs(bend)) bend = s;
    }
    return fabs(bend) < 1e-3 ? STROKE_SMOOTH : bend > 0 ? STROKE_CONVEX : STROKE_REFLEX;
}

/* ---- bodies ------------------------------------------------------------------------------------------- */

/* The part of an endless face that is shown: around the other features, or one length to each side of its middle. */
static wit_interval shown(wit_interval r, double size)
{
    double half = size > 0 ? size : 1, middle = r.lo <= 0 && r.hi >= 0 ? 0 : r.lo + (r.hi - r.lo) / 2;
    wit_interval s = {fmax(r.lo, middle - half), fmin(r.hi, middle + half)};
    return s;
}

static patch patch_of_face(const wit_body* body, int face, double size)
{
    wit_face_info f = wit_body_face(body, face);
    patch p = {.surface = f.surface, .body = body, .face = face, .u = f.u, .v = f.v};
    p.flat = f.surface && wit_surface_describe(f.surface).kind == WIT_SURFACE_PLANE;
    if (f.unbounded) {
        p.u = shown(f.u, size);
        p.v = shown(f.v, size);
    }
    return p;
}

static int endless_faces(const wit_body* body)
{
    int n = 0, faces = wit_body_describe(body).face_count;
    for (int i = 0; i < faces; i++) n += wit_body_face(body, i).unbounded;
    return n;
}

/* The four borders of a patch as lines. */
static void add_borders(scene_line* lines, const patch* p, int index, stroke style)
{
    for (int k = 0; k < 4; k++) {
        wit_interval r = k < 2 ? p->u : p->v;
        lines[k] = (scene_line){.patch = index, .fixed = k < 2 ? WIT_U : WIT_V, .style = style};
        lines[k].value = k % 2 ? r.hi : r.lo;
    }
}

/* Fills the next places of the scene; *next counts patches, lines, dots. False: no memory. */
static bool add_body(scene* s, int next[3], const wit_body* body, const char* prefix, double size, int stand)
{
    wit_body_info info = wit_body_describe(body);
    int faces = info.planar ? 1 : info.face_count;
    bool good = true;
    for (int i = 0; i < faces; i++) {
        int at = next[0];
        patch* p = &s->patches[at];
        *p = patch_of_face(body, i, size);
        if (!p->surface) continue;
        p->stand = stand;
        p->label = scene_label(prefix, wit_body_face(body, i).name, 'F', i);
        good = good && p->label;
        next[0]++;
        if (!wit_body_face(body, i).unbounded) continue;
        add_borders(&s->lines[next[1]], p, at, STROKE_ENDLESS);
        for (int k = 0; k < 4; k++) s->lines[next[1]++].stand = stand;
    }
    for (int i = 0; i < info.edge_count; i++) {
        wit_edge_info e = wit_body_edge(body, i);
        if (!e.curve) continue;
        stroke style = info.planar ? STROKE_EDGE : edge_style(body, i, &e);
        scene_line l = {.curve = e.curve, .range = e.range, .style = style, .labelled = true, .stand = stand};
        l.label = scene_label(prefix, e.name, 'E', i);
        good = good && l.label;
        s->lines[next[1]++] = l;
    }
    for (int i = 0; i < info.vertex_count; i++) {
        wit_vertex_info v = wit_body_vertex(body, i);
        scene_dot d = {v.point, scene_label(prefix, v.name, 'V', i), stand};
        good = good && d.label;
        s->dots[next[2]++] = d;
    }
    return good;
}

static const char* plural(int n, const char* one, const char* many)
{
    return n == 1 ? one : many;
}

static void describe_bodies(char* text, size_t room, const wit_body* const* bodies, int count)
{
    int faces = 0, edges = 0, vertices = 0;
    bool planar = false;
    for (int i = 0; i < count; i++) {
        wit_body_info info = wit_body_describe(bodies[i]);
        faces += info.planar ? 0 : info.face_count;
        edges += info.edge_count;
        vertices += info.vertex_count;
        planar = planar || info.planar;
    }
    char what[48];
    if (count == 1)
        snprintf(what, sizeof what, "%s%s", planar ? "planar " : "",
                 wit_body_kind_name(wit_body_describe(bodies[0]).kind));
    else
        snprintf(what, sizeof what, "%d bodies", count);
    snprintf(text, room, "%s: %d %s, %d %s, %d %s", what, faces, plural(faces, "face", "faces"), edges,
             plural(edges, "edge", "edges"), vertices, plural(vertices, "vertex", "vertices"));
}

/* Room for all of them, and what they are made of. False: no memory. */
static bool add_bodies(scene* s, const wit_body* const* bodies, int count)
{
    int patches = 0, lines = 0, dots = 0, next[3] = {0, 0, 0};
    double size = 0;
    for (int i = 0; i < count; i++) {
        wit_body_info info = wit_body_describe(bodies[i]);
        patches += info.planar ? 1 : info.face_count;
        lines += info.edge_count + 4 * endless_faces(bodies[i]);
        dots += info.vertex_count;
        if (info.size > size) size = info.size;
    }
    bool good = scene_room(s, patches, lines, dots);
    for (int i = 0; i < count && good; i++) {
        const char* name = wit_body_describe(bodies[i]).name;
        char* prefix = count > 1 ? scene_label("", name, 'B', i) : NULL;
        good = (count == 1 || prefix) && add_body(s, next, bodies[i], prefix ? prefix : "", size, i);
        free(prefix);
    }
    s->patch_count = next[0];
    s->line_count = next[1];
    s->dot_count = next[2];
    return good;
}

wit_status draw_bodies_svg(out* o, const wit_body* const* bodies, int count, const char* title, const char* unit)
{
    scene s = {0};
    s.planar = count == 1 && wit_body_describe(bodies[0]).planar;
    bool good = add_bodies(&s, bodies, count);
    char head[128];
    describe_bodies(head, sizeof head, bodies, count);
    wit_status status = good ? scene_draw(o, &s, title ? title : "", head, unit) : WIT_ERROR_MEMORY;
    scene_free(&s);
    return status;
}

wit_status draw_stage_svg(out* o, const draw_stage* t)
{
    scene s = {.planar = true, .poses = t->poses, .nameless = !t->named, .second = t->second, .toward = t->toward};
    s.ways = t->ways;
    s.way_count = t->way_count;
    s.marks = t->marks;
    s.mark_count = t->mark_count;
    s.zoom = t->zoom;
    s.room = t->room;
    s.room_count = t->room_count;
    s.middle = t->middle;
    for (int i = 0; i < t->count; i++) s.planar = s.planar && wit_body_describe(t->bodies[i]).planar;
    bool good = add_bodies(&s, t->bodies, t->count);
    wit_status status = good ? scene_draw(o, &s, t->title, t->head, t->unit) : WIT_ERROR_MEMORY;
    scene_free(&s);
    return status;
}

wit_status draw_body_svg(out* o, const wit_body* body, const char* unit)
{
    return draw_bodies_svg(o, &body, 1, wit_body_describe(body).name, unit);
}

/* ---- bare shapes ---------------------------------------------------------------------------------------- */

/* Borders that are not seams; those collapsed to a point draw nothing. */
static int add_surface_borders(scene_line* lines, const patch* p, int index)
{
    wit_surface_info info = wit_surface_describe(p->surface);
    scene_line all[4];
    int n = 0;
    add_borders(all, p, index, STROKE_EDGE);
    for (int k = 0; k < 4; k++)
        if (!(k < 2 ? info.closed_u : info.closed_v)) lines[n++] = all[k];
    return n;
}

wit_status draw_shapes_svg(out* o, const wit_model* model)
{
    int surfaces = wit_model_surface_count(model), curves = wit_model_curve_count(model), lines = 0;
    scene s = {0};
    bool good = scene_room(&s, surfaces, curves + 4 * surfaces, 0);
    for (int i = 0; i < surfaces && good; i++) {
        patch* p = &s.patches[i];
        p->surface = wit_model_surface(model, i);
        wit_surface_info info = wit_surface_describe(p->surface);
        p->u = info.range_u;
        p->v = info.range_v;
        p->flat = info.kind == WIT_SURFACE_PLANE;
        p->label = scene_label("", wit_model_surface_name(model, i), 'S', i);
        good = p->label != NULL;
        lines += add_surface_borders(&s.lines[lines], p, i);
    }
    for (int i = 0; i < curves && good; i++) {
        const wit_curve* c = wit_model_curve(model, i);
        scene_line l = {.curve = c, .range = wit_curve_describe(c).range, .style = STROKE_CURVE, .labelled = true};
        l.label = scene_label("", wit_model_curve_name(model, i), 'C', i);
        good = l.label != NULL;
        s.lines[lines++] = l;
    }
    s.line_count = lines;
    char head[96];
    snprintf(head, sizeof head, "%d %s, %d %s", surfaces, plural(surfaces, "surface", "surfaces"), curves,
             plural(curves, "curve", "curves"));
    wit_status status =
        good ? scene_draw(o, &s, wit_model_name(model), head, wit_unit_name(wit_model_unit(model))) : WIT_ERROR_MEMORY;
    scene_free(&s);
    return status;
}
