/* SPDX-License-Identifier: MIT */
/* Certified frames: what a tracker proves in motion. */
#include "families.h"
#include "bowl.h"

#include <stdlib.h>

static wit_track_def any_track(dice* d)
{
    static const double certify[4] = {1e-9, 1e-9, 1e-12, 1e-14};
    wit_track_def t = wit_track_default_def();
    t.certify = certify[below(d, 4)];
    t.budget = 20000;
    return t;
}

typedef struct path {
    v3 from, along, axis; /* of b about a; its position after s: from + s along */
    double spin;
    double q[4];
} path;

static void frame_of(const path* p, double s, const place* a, place* out)
{
    place t;
    small_rotation(p->axis, s * p->spin, t.q);
    const double *l = t.q, *r = p->q;
    out->q[0] = l[0] * r[0] - l[1] * r[1] - l[2] * r[2] - l[3] * r[3];
    out->q[1] = l[0] * r[1] + l[1] * r[0] + l[2] * r[3] - l[3] * r[2];
    out->q[2] = l[0] * r[2] - l[1] * r[3] + l[2] * r[0] + l[3] * r[1];
    out->q[3] = l[0] * r[3] + l[1] * r[2] - l[2] * r[1] + l[3] * r[0];
    v3 x = plus(p->from, s, p->along);
    out->p[0] = a->p[0] + (double)x.x;
    out->p[1] = a->p[1] + (double)x.y;
    out->p[2] = a->p[2] + (double)x.z;
}

static path any_path(dice* d, v3 about, double near, double way)
{
    path p;
    v3 n = any_direction(d);
    p.from = plus(about, near, n);
    p.along = any_direction(d);
    p.along = vec(p.along.x * way, p.along.y * way, p.along.z * way);
    p.axis = any_direction(d);
    p.spin = between(d, 0, 1);
    any_rotation(d, p.q);
    return p;
}

static void follow(batch* b, actor* a, actor* c, const path* p, int frames)
{
    wit_track_def def = any_track(&b->d);
    wit_tracker* t = wit_tracker_create(a->body, c ? c->body : NULL, &def, NULL, NULL);
    for (int f = 0; t && f < frames; f++) {
        place other;
        frame_of(p, (double)f / frames, &a->placed.at, &other);
        wit_motion m[2] = {wit_motion_at_rest(pose_of(&a->placed.at)), wit_motion_at_rest(pose_of(&other))};
        m[0].twist_known = m[1].twist_known = false;
        claim k;
        if (c) {
            c->placed.at = other;
            k = claim_of_pair(a, c, 6);
        } else {
            k = claim_of_point(a, other.p);
        }
        judge_step(b, t, &def, m, &k, NULL);
    }
    wit_tracker_destroy(t);
}

static void track_two(batch* b, double scale, double off, bool inside)
{
    actor a, c;
    any_convex(&b->d, &a.shape, scale, 4);
    any_convex(&b->d, &c.shape, scale, 4);
    bool point = below(&b->d, 3) == 0;
    v3 o = vec(0, 0, 0);
    if (inside) {
        for (int i = 0; i < 3; i++) a.shape.origin[i] = between(&b->d, -off, off);
    }
    if (below(&b->d, 2)) { /* balls: the sharpest truth, and the usual step */
        a.shape.kind = c.shape.kind = BALL;
        set_reach(&a.shape);
        set_reach(&c.shape);
    }
    a.body = body_of(&a.shape);
    c.body = body_of(&c.shape);
    if (a.body && c.body) {
        a.placed.at = any_place(&b->d, inside ? 0 : off);
        if (inside) o = turned(&a.placed.at, vec(a.shape.origin[0], a.shape.origin[1], a.shape.origin[2]));
        double near = (double)(a.shape.reach + c.shape.reach) * between(&b->d, 0.6, 1.5);
        path p = any_path(&b->d, o, near, scale * magnitude(&b->d, -2, 0));
        follow(b, &a, point ? NULL : &c, &p, 24);
    }
    wit_body_destroy(a.body);
    wit_body_destroy(c.body);
}

void run_tracks(batch* b)
{
    double scale = magnitude(&b->d, -3, 3);
    track_two(b, scale, scale, false);
}

void run_far_tracks(batch* b)
{
    double scale = magnitude(&b->d, -2, 0), off = fmin(1e6, scale * magnitude(&b->d, 0, 8));
    track_two(b, scale, off, false);
}

void run_off_origin_tracks(batch* b)
{
    double scale = magnitude(&b->d, -1, 1), off = scale * magnitude(&b->d, 1, 6);
    track_two(b, scale, off, true);
}

/* A point rises over a bowl, past its centre of curvature: the rim becomes the nearest. */
void run_bowl_tracks(batch* b)
{
    actor a;
    bowl w;
    double turn = magnitude(&b->d, -8, -6);
    make_bowl(&w, 200 + below(&b->d, 1800), turn, below(&b->d, 4) != 0);
    a.shape = w.shape;
    a.body = body_of(&a.shape);
    wit_track_def def = any_track(&b->d);
    wit_tracker* t = a.body ? wit_tracker_create(a.body, NULL, &def, NULL, NULL) : NULL;
    double most = 4 / (2 * fabs(w.bend)), h = 0.1;
    a.placed.at = (place){{1, 0, 0, 0}, {0, 0, 0}};
    double grow = pow(most / h, 1 / 48.0);
    for (int i = 0; t && i < 48; i++, h *= grow) {
        wit_motion m[2] = {wit_motion_at_rest(wit_pose_identity()), wit_motion_at_rest(wit_pose_identity())};
        m[1].pose.position = (wit_vec3){0.5, h, 0.5};
        m[1].twist.velocity = (wit_vec3){0, (grow - 1) * h / 1e-3, 0};
        double x[3] = {0.5, h, 0.5};
        claim k = claim_of_point(&a, x);
        judge_step(b, t, &def, m, &k, NULL);
    }
    wit_tracker_destroy(t);
    wit_body_destroy(a.body);
}
