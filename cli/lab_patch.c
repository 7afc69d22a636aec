/* SPDX-License-Identifier: MIT */
#include "lab_patch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* By name, else by number; -1: none. */
static int by_number(const char* word, int count)
{
    char* end;
    long n = strtol(word, &end, 10);
    return end != word && !*end && n >= 0 && n < count ? (int)n : -1;
}

static int choose(lab_patch* p)
{
    char text[256];
    int bodies = wit_model_body_count(p->model), index = 0;
    if (bodies == 0) {
        fprintf(stderr, "%s: there is no body in this model, and no surface to make one of\n", p->path);
        return EXIT_BAD_INPUT;
    }
    if (p->body_name) {
        index = wit_model_find_body(p->model, p->body_name);
        if (index < 0) index = by_number(p->body_name, bodies);
        snprintf(text, sizeof text, "%s has %d bodies; there is no body", p->path, bodies);
        if (index < 0) return command_usage(p->command, text, p->body_name, NULL);
    } else if (bodies > 1) {
        snprintf(text, sizeof text, "%s has %d bodies: choose one by --body NAME", p->path, bodies);
        return command_usage(p->command, text, NULL, NULL);
    }
    p->body = wit_model_body(p->model, index);
    wit_body_info info = wit_body_describe(p->body);
    if (info.planar || info.face_count == 0) {
        fprintf(stderr, "%s: a body with a face is wanted, and this one has none\n", p->path);
        return EXIT_BAD_INPUT;
    }
    if (p->face_name) {
        p->face = wit_body_find(p->body, WIT_FACE, p->face_name);
        if (p->face < 0) p->face = by_number(p->face_name, info.face_count);
        snprintf(text, sizeof text, "the body has %d faces (see witness info); there is no face", info.face_count);
        if (p->face < 0) return command_usage(p->command, text, p->face_name, NULL);
    }
    wit_face_info face = wit_body_face(p->body, p->face);
    p->u = face.u;
    p->v = face.v;
    if (face.unbounded) {
        fprintf(stderr, "%s: the face goes on without end: a bounded one is wanted\n", p->path);
        return EXIT_BAD_INPUT;
    }
    return EXIT_GOOD;
}

/* Parameters on the face of a place on one of its edges. */
static bool on_edge(const lab_patch* p, int edge, double t, double at[2])
{
    wit_use_info use;
    for (int k = 0; wit_body_edge_use(p->body, edge, k, &use) >= 0; k++) {
        if (use.face != p->face || !use.parameter_curve) continue;
        wit_curve_jet jet;
        wit_curve_eval(use.parameter_curve, use.shift + use.scale * t, 0, NULL, &jet);
        at[0] = jet.p.x;
        at[1] = jet.p.y;
        return true;
    }
    return false;
}

static bool parameters_of(const lab_patch* p, const wit_witness* w, double at[2])
{
    at[0] = w->u;
    at[1] = w->v;
    if (w->feature == WIT_FACE) return w->id == p->face;
    if (w->feature == WIT_EDGE) return on_edge(p, w->id, w->u, at);
    for (int k = 0, e; (e = wit_body_vertex_edge(p->body, w->id, k)) >= 0; k++) {
        wit_edge_info edge = wit_body_edge(p->body, e);
        if (on_edge(p, e, edge.start == w->id ? edge.range.lo : edge.range.hi, at)) return true;
    }
    return false;
}

static int find_closest(lab_patch* p)
{
    wit_body_info info = wit_body_describe(p->body);
    uint8_t* faces = calloc((size_t)info.face_count, 1);
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-14;
    wit_query* query = faces ? wit_query_create(&def, NULL, NULL) : NULL;
    wit_status status = query ? WIT_OK : WIT_ERROR_MEMORY;
    wit_closest c = {0};
    if (!status) {
        faces[p->face] = 1;
        wit_mask mask = {.faces = faces};
        wit_placed placed = wit_placed_at(p->body, wit_pose_identity());
        placed.mask = &mask;
        status = wit_closest_point(query, &placed, p->point, &c);
    }
    wit_query_destroy(query);
    free(faces);
    if (status) {
        fprintf(stderr, "witness %s: %s\n", p->command, wit_status_text(status));
        return EXIT_BAD_INPUT;
    }
    p->distance = c.distance;
    p->inside = c.a.feature == WIT_FACE;
    if (parameters_of(p, &c.a, p->at)) return EXIT_GOOD;
    fprintf(stderr, "witness %s: the closest point of the face has no parameters there: another face or point\n",
            p->command);
    return EXIT_BAD_INPUT;
}

int lab_patch_load(lab_patch* p)
{
    p->model = command_read_model(p->path, NULL);
    if (!p->model) return EXIT_BAD_INPUT;
    wit_unit unit = wit_model_unit(p->model);
    p->unit = unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
    int code = choose(p);
    return code ? code : find_closest(p);
}

void lab_patch_release(lab_patch* p)
{
    wit_model_destroy(p->model);
    p->model = NULL;
}

int lab_patch_next(option_reader* r, lab_patch* p)
{
    for (;;) {
        int index = option_next(r);
        if (index != OPTION_WORD) return index;
        if (p->path) {
            command_usage(r->command, "one model is enough; left over is", r->word, NULL);
            return OPTION_WRONG;
        }
        p->path = r->word;
    }
}

bool lab_patch_complete(const option_reader* r, const lab_patch* p, int point)
{
    if (!p->path) command_usage(r->command, "the model is missing", NULL, NULL);
    if (p->path && !option_seen(r, point)) command_usage(r->command, "--point X,Y,Z is missing", NULL, NULL);
    return p->path && option_seen(r, point);
}

bool lab_patch_point(const option_reader* r, lab_patch* p)
{
    double x[3];
    if (!option_numbers(r, 3, x)) return false;
    p->point = (wit_vec3){x[0], x[1], x[2]};
    if (fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2]))) <= WIT_MAX_COORDINATE) return true;
    fprintf(stderr, "witness %s: %s '%s': a coordinate is too large\nTry 'witness %s --help'.\n", r->command, r->word,
            r->value, r->command);
    return false;
}

/* Around a closed parameter the short way. */
static double apart(double x, double y, wit_interval r, bool closed)
{
    double wide = r.hi - r.lo, d = fabs(x - y) / wide;
    return closed ? fmin(d, fabs(1 - d)) : d;
}

double lab_patch_off(const lab_patch* p, double u, double v)
{
    wit_surface_info s = wit_surface_describe(wit_body_face(p->body, p->face).surface);
    return fmax(apart(u, p->at[0], p->u, s.closed_u), apart(v, p->at[1], p->v, s.closed_v));
}

void lab_patch_places(const lab_patch* p, double u, double v, wit_moving_place* a, wit_moving_place* b)
{
    wit_pose pose = wit_pose_identity();
    *a = (wit_moving_place){p->body, WIT_FACE, p->face, u, v, wit_motion_at_rest(pose)};
    pose.position = p->point;
    *b = (wit_moving_place){NULL, WIT_POINT, -1, 0, 0, wit_motion_at_rest(pose)};
}

/* ---- the tracker --------------------------------------------------------------------------------------------------- */

bool lab_tracker_make(lab_tracker* t, const lab_patch* p, const wit_track_def* def, const wit_law_def* law, double dt,
                      wit_error* error)
{
    memset(t, 0, sizeof *t);
    wit_track_def d = *def;
    d.law = law;
    d.keep_features = true;
    t->dt = dt;
    t->face = p->face;
    t->looks = law->kind != WIT_LAW_DEADBEAT && law->kind != WIT_LAW_FINDMIN;
    t->body = wit_motion_at_rest(wit_pose_identity());
    t->point = t->body;
    t->point.pose.position = p->point;
    t->tracker = wit_tracker_create(p->body, NULL, &d, NULL, error);
    return t->tracker != NULL;
}

void lab_tracker_release(lab_tracker* t)
{
    wit_tracker_destroy(t->tracker);
    t->tracker = NULL;
}

wit_status lab_tracker_start(lab_tracker* t, double u, double v)
{
    wit_tracker_reset(t->tracker);
    wit_witness w = {.feature = WIT_FACE, .id = t->face, .u = u, .v = v};
    wit_status status = wit_tracker_place(t->tracker, &w, NULL);
    wit_result start;
    if (status || !t->looks) return status;
    return wit_tracker_step(t->tracker, &t->body, &t->point, t->dt, &start);
}

wit_status lab_tracker_step(lab_tracker* t, wit_result* out)
{
    return wit_tracker_step(t->tracker, &t->body, &t->point, t->dt, out);
}
