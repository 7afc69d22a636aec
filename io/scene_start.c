/* SPDX-License-Identifier: MIT */
/* The object "start", and others of its form: a place on each body. */
#include <string.h>

#include "scene.h"

enum { START_FACE, START_EDGE, START_VERTEX, START_U, START_V, START_KEYS };

/* The kind is that of the feature: bit WIT_FACE, WIT_EDGE, WIT_VERTEX. */
static const scene_key start_keys[START_KEYS] = {
    {"face", 1, 0}, {"edge", 2, 0}, {"vertex", 4, 0}, {"u", 3, 0}, {"v", 1, 0}};

const scene_key* wi_scene_start_keys(int* count)
{
    *count = START_KEYS;
    return start_keys;
}

static int feature_count(const wit_body* body, wit_feature_kind kind)
{
    wit_body_info info = wit_body_describe(body);
    return kind == WIT_FACE ? info.face_count : kind == WIT_EDGE ? info.edge_count : info.vertex_count;
}

/* A name, or an index from 0. */
static wit_status read_feature(scene_reader* r, size_t token, const wit_body* body, wit_feature_kind kind, int* id)
{
    const char* name = NULL;
    int count = feature_count(body, kind);
    if (scene_token(r, token)->type == JSON_STRING) {
        wit_status status = wi_scene_string(r, token, SCENE_MAX_NAME, false, &name);
        if (status) return status;
        *id = wit_body_find(body, kind, name);
        if (*id >= 0 && *id < count) return WIT_OK;
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME,
                              "the body has no %s of that name; it has %d", wit_feature_kind_name(kind), count);
    }
    int64_t index = 0;
    wit_status status = wi_scene_whole(r, token, 0, 1 << 30, &index);
    if (status) return status;
    if (index >= count)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE, "the body has %d of them, counted from 0",
                              count);
    *id = (int)index;
    return WIT_OK;
}

static wit_status read_parameter(scene_reader* r, size_t token, wit_interval range, double* out)
{
    return wi_scene_number(r, token, range.lo, range.hi, out);
}

static wit_status read_place(scene_reader* r, size_t token, int side, wit_witness* w)
{
    static const char* const what[] = {"a start on a face", "a start on an edge", "a start on a vertex"};
    const wit_body* body = r->scene->sides[side].body;
    wit_motion motion;
    wit_status status = wi_scene_expect(r, token, JSON_OBJECT);
    if (status) return status;
    int kind = wi_json_member(r->doc, token, "edge")     ? WIT_EDGE
               : wi_json_member(r->doc, token, "vertex") ? WIT_VERTEX
                                                         : WIT_FACE;
    size_t at[START_KEYS];
    status = wi_scene_object(r, token, what[kind], start_keys, START_KEYS, kind, at);
    if (!status) status = read_feature(r, at[kind], body, (wit_feature_kind)kind, &w->id);
    if (status) return status;
    w->feature = (wit_feature_kind)kind;
    w->u = w->v = 0;
    if (kind == WIT_FACE) {
        wit_face_info face = wit_body_face(body, w->id);
        wit_surface_jet jet;
        status = read_parameter(r, at[START_U], face.u, &w->u);
        if (!status) status = read_parameter(r, at[START_V], face.v, &w->v);
        if (status) return status;
        wit_surface_eval(face.surface, w->u, w->v, 0, NULL, &jet);
        w->point = jet.p;
    } else if (kind == WIT_EDGE) {
        wit_edge_info edge = wit_body_edge(body, w->id);
        wit_curve_jet jet;
        status = read_parameter(r, at[START_U], edge.range, &w->u);
        if (status) return status;
        wit_curve_eval(edge.curve, w->u, 0, NULL, &jet);
        w->point = jet.p;
    } else {
        w->point = wit_body_vertex(body, w->id).point;
    }
    wi_motion_at(&r->scene->sides[side].motion, 0, &motion);
    w->point = wit_pose_point(&motion.pose, w->point);
    return WIT_OK;
}

wit_status wi_scene_read_places(scene_reader* r, size_t token, const char* what, wit_witness out[2])
{
    bool point = !r->scene->sides[1].body;
    const scene_key keys[] = {{"a", 1, 0}, {"b", point ? 0u : 1u, 0}};
    size_t at[2];
    wit_status status = wi_scene_object(r, token, what, keys, 2, 0, at);
    if (!status) status = read_place(r, at[0], 0, &out[0]);
    if (!status && point) {
        wit_motion motion;
        wi_motion_at(&r->scene->sides[1].motion, 0, &motion);
        out[1] = (wit_witness){WIT_POINT, -1, 0, 0, motion.pose.position};
    } else if (!status) {
        status = read_place(r, at[1], 1, &out[1]);
    }
    return status;
}

wit_status wi_scene_read_start(scene_reader* r, size_t token)
{
    if (!token) return WIT_OK;
    bool point = !r->scene->sides[1].body;
    wit_status status =
        wi_scene_read_places(r, token, point ? "the start beside a point" : "the start", r->scene->start);
    r->scene->starts = !status;
    return status;
}
