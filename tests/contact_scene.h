/* SPDX-License-Identifier: MIT */
/* Closest pairs of any two features at any signed distance, made by placing b; and the distance about them by Newton. */
#ifndef TESTS_CONTACT_SCENE_H
#define TESTS_CONTACT_SCENE_H

#include "../include/witness/track.h"
#include "random_surface.h"

enum { CONTACT_KINDS = 4 }; /* face, edge, vertex, bare point */

static inline wit_body* contact_sheet(rng* r)
{
    for (;;) {
        wit_surface_kind kind = (wit_surface_kind)rng_int(r, WIT_SURFACE_KIND_COUNT);
        wit_surface* s = random_any_surface(r, kind, 1);
        wit_face_def face = {.surface = s};
        wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
        def.face_count = 1;
        def.faces = &face;
        wit_body* b = wit_body_create(&def, NULL, NULL);
        wit_surface_destroy(s);
        if (!b) continue;
        wit_body_info info = wit_body_describe(b);
        if (info.edge_count && info.vertex_count) return b;
        wit_body_destroy(b);
    }
}

static inline double contact_inside(rng* r, const double* breaks, int count)
{
    int k = rng_int(r, count - 1);
    return breaks[k] + rng_range(r, 0.3, 0.7) * (breaks[k + 1] - breaks[k]);
}

/* A place well inside a cell of a feature, the body somewhere. */
static inline wit_moving_place contact_place(rng* r, const wit_body* body, int kind)
{
    wit_moving_place p = {.body = kind == WIT_POINT ? NULL : body, .feature = (wit_feature_kind)kind};
    int count;
    if (kind == WIT_FACE) {
        const wit_surface* s = wit_body_face(body, 0).surface;
        const double* u = wit_surface_breaks(s, WIT_U, &count);
        p.u = contact_inside(r, u, count);
        const double* v = wit_surface_breaks(s, WIT_V, &count);
        p.v = contact_inside(r, v, count);
    } else if (kind == WIT_EDGE) {
        p.id = rng_int(r, wit_body_describe(body).edge_count);
        const double* t = wit_curve_breaks(wit_body_edge(body, p.id).curve, &count);
        p.u = contact_inside(r, t, count);
    } else if (kind == WIT_VERTEX) {
        p.id = rng_int(r, wit_body_describe(body).vertex_count);
    }
    wit_vec3 axis = random_unit(r);
    p.motion = wit_motion_at_rest(wit_pose_identity());
    p.motion.pose.position = random_vector(r, 0, 2);
    p.motion.pose.rotation = wit_quat_about(axis, rng_range(r, -3, 3));
    return p;
}

/* The point of a place and a unit vector that may be the normal there, both in the body's frame. False: no tangent. */
static inline bool contact_at(rng* r, const wit_moving_place* p, wit_vec3* point, wit_vec3* normal)
{
    *point = vec3(0, 0, 0);
    *normal = random_unit(r);
    if (!p->body) return true;
    if (p->feature == WIT_FACE) {
        wit_surface_jet j;
        wit_surface_eval(wit_body_face(p->body, p->id).surface, p->u, p->v, WIT_KNOT_DEFAULT, NULL, &j);
        *point = j.p;
        return wit_body_face_normal(p->body, p->id, p->u, p->v, normal);
    }
    if (p->feature == WIT_EDGE) {
        wit_curve_jet j;
        wit_curve_eval(wit_body_edge(p->body, p->id).curve, p->u, WIT_KNOT_DEFAULT, NULL, &j);
        wit_vec3 t = unit3(j.d1);
        *point = j.p;
        *normal = unit3(cross3(t, *normal));
        return norm3(j.d1) > 1e-3;
    }
    *point = wit_body_vertex(p->body, p->id).point;
    return true;
}

/* Moves b so that the two places are `distance` apart along a normal of both. */
static inline bool contact_join(rng* r, const wit_moving_place* a, wit_moving_place* b, double distance)
{
    wit_vec3 f, h, n, m;
    if (!contact_at(r, a, &f, &n) || !contact_at(r, b, &h, &m)) return false;
    f = wit_pose_point(&a->motion.pose, f);
    n = wit_pose_vector(&a->motion.pose, n);
    wit_vec3 to = scale3(-1, n), from = m;
    wit_pose turn = wit_pose_identity(), about = wit_pose_identity();
    wit_vec3 axis = cross3(from, to);
    turn.rotation = wit_quat_about(axis, wit_atan2(norm3(axis), dot3(from, to)));
    about.rotation = wit_quat_about(n, rng_range(r, 0, 6));
    b->motion.pose = wit_pose_compose(&about, &turn);
    b->motion.pose.position = sub3(addscaled3(f, distance, n), wit_pose_vector(&b->motion.pose, h));
    return true;
}

/* b displaced as wit_derivatives counts it. */
static inline wit_pose contact_displaced(const wit_pose* pose, const double xi[6])
{
    wit_vec3 phi = vec3(xi[3], xi[4], xi[5]);
    wit_pose turn = wit_pose_identity(), here = *pose;
    turn.rotation = wit_quat_about(phi, norm3(phi));
    here.position = vec3(0, 0, 0);
    wit_pose q = wit_pose_compose(&turn, &here);
    q.position = add3(pose->position, vec3(xi[0], xi[1], xi[2]));
    return q;
}

typedef struct contact_solved {
    bool converged;
    double distance; /* signed along `normal` of before */
    wit_kinematics k;
    wit_moving_place at[2];
} contact_solved;

/* Newton on the contact form from where the places are. */
static inline contact_solved contact_solve(const wit_moving_place* a, const wit_moving_place* b, wit_vec3 normal)
{
    contact_solved s = {.at = {*a, *b}};
    for (int i = 0; i < 10 && !s.converged; ++i) {
        if (wit_kinematics_at(&s.at[0], &s.at[1], WIT_FORM_CONTACT, &s.k) || !s.k.regular) return s;
        double moved = 0;
        int na = s.k.count_a;
        for (int j = 0; j < s.k.count; ++j) {
            double* x = j < na ? (j ? &s.at[0].v : &s.at[0].u) : (j - na ? &s.at[1].v : &s.at[1].u);
            *x += s.k.correct[j];
            moved = fmax(moved, fabs(s.k.correct[j]));
        }
        s.converged = moved < 1e-8; /* the distance is stationary: off by the square of it */
    }
    bool face = (a->body && a->feature == WIT_FACE) || (b->body && b->feature == WIT_FACE);
    double along = dot3(sub3(s.k.h, s.k.f), normal), length = norm3(s.k.gap);
    s.distance = face ? s.k.distance : along < 0 ? -length : length;
    return s;
}

#endif
