/* SPDX-License-Identifier: MIT */
/* Laws on one patch: the patch of Table I, a tracker that stays on its face, and a point that is somewhere. */
#ifndef TESTS_LAW_SCENE_H
#define TESTS_LAW_SCENE_H

#include "analytic.h"
#include "campaign.h"

#include "../include/witness/io.h"
#include "law_track.h"

typedef struct law_model {
    wit_model* model;
    const wit_body* body;
} law_model;

static inline law_model law_model_read(const char* path)
{
    wit_error e = {0};
    law_model m = {wit_model_read_file(path, NULL, &e), NULL};
    if (!m.model) fail_msg("%s: %s: %s", path, e.item, e.text);
    m.body = wit_model_body(m.model, 0);
    return m;
}

static inline void law_model_drop(law_model* m)
{
    wit_model_destroy(m->model);
}

/* A law alone: no global search, no front, no other features. */
static inline law_track law_alone(wit_law_kind law, wit_integrator integrator, double gain)
{
    law_track d = law_track_default(law);
    d.law.integrator = integrator;
    d.law.gain.value = gain;
    d.track.keep_features = true;
    d.track.reacquire = false;
    d.track.front = 0;
    return d;
}

static inline wit_tracker* law_tracker(const wit_body* a, const wit_body* b, const law_track* def)
{
    wit_error e = {0};
    wit_tracker* t = law_create(a, b, def, &e);
    if (!t) fail_msg("%s: %s", e.item, e.text);
    return t;
}

static inline wit_witness on_face(double u, double v)
{
    wit_witness w = {WIT_FACE, 0, u, v, {0, 0, 0}};
    return w;
}

static inline wit_motion rest_at(wit_vec3 p)
{
    wit_pose pose = wit_pose_identity();
    pose.position = p;
    return wit_motion_at_rest(pose);
}

static inline wit_moving_place face_place(const wit_body* body, double u, double v)
{
    wit_moving_place p = {body, WIT_FACE, 0, u, v, wit_motion_at_rest(wit_pose_identity())};
    return p;
}

static inline wit_moving_place point_place(wit_vec3 q, wit_vec3 velocity)
{
    wit_moving_place p = {NULL, WIT_POINT, -1, 0, 0, rest_at(q)};
    p.motion.twist.velocity = velocity;
    return p;
}

static inline wit_result law_step(wit_tracker* t, wit_vec3 q, double dt)
{
    wit_motion a = rest_at(vec3(0, 0, 0)), b = rest_at(q);
    wit_result r;
    assert_int_equal(wit_tracker_step(t, &a, &b, dt, &r), WIT_OK);
    return r;
}

/* The closest point by the certified query. */
static inline wit_closest law_closest(const wit_body* body, wit_vec3 q)
{
    wit_query_def def = wit_query_default_def();
    def.tolerance = 1e-12;
    wit_query* query = wit_query_create(&def, NULL, NULL);
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    wit_closest c;
    assert_non_null(query);
    assert_int_equal(wit_closest_point(query, &a, q, &c), WIT_OK);
    wit_query_destroy(query);
    return c;
}

static inline double largest(const double* x, int n)
{
    double m = 0;
    for (int i = 0; i < n; ++i) m = fmax(m, fabs(x[i]));
    return m;
}

#endif
