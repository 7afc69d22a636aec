/* SPDX-License-Identifier: MIT */
/* One body: its state, how impulses change it, how it moves without forces. */
#include <string.h>

#include "../base/solve.h"
#include "haptic_record.h"

static wit_pose turn_of(wit_quat q)
{
    wit_pose p = {vec3(0, 0, 0), q};
    return p;
}

static wit_vec3 rotate(wit_quat q, wit_vec3 v)
{
    wit_pose p = turn_of(q);
    return wit_pose_vector(&p, v);
}

static wit_vec3 unrotate(wit_quat q, wit_vec3 v)
{
    wit_pose p = turn_of(q);
    return wit_pose_unvector(&p, v);
}

wit_quat wi_rigid_turned(wit_quat q, wit_vec3 turn)
{
    wit_pose by = turn_of(wit_quat_about(turn, norm3(turn))), of = turn_of(q);
    return wit_pose_compose(&by, &of).rotation;
}

wit_vec3 wi_rigid_turn_between(wit_quat from, wit_quat to)
{
    wit_pose a = turn_of(from), b = turn_of(to);
    return wit_twist_between(&a, &b, 1).angular;
}

static wit_vec3 times(const double m[9], wit_vec3 v)
{
    return vec3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
                m[6] * v.x + m[7] * v.y + m[8] * v.z);
}

/* ---- freedom --------------------------------------------------------------------------------- */

bool wi_freedom_slides(const wit_haptic_body_def* d)
{
    return d->freedom != WIT_FREEDOM_TURN;
}

bool wi_freedom_turns(const wit_haptic_body_def* d)
{
    return d->shape && d->freedom != WIT_FREEDOM_SLIDE;
}

wit_vec3 wi_freedom_way(const wit_haptic_body_def* d, wit_vec3 v)
{
    wit_vec3 along = scale3(dot3(d->axis, v), d->axis);
    if (d->freedom == WIT_FREEDOM_ALL) return v;
    if (d->freedom == WIT_FREEDOM_PLANE) return sub3(v, along);
    return d->freedom == WIT_FREEDOM_SLIDE ? along : vec3(0, 0, 0);
}

wit_vec3 wi_freedom_turn(const wit_haptic_body_def* d, wit_vec3 v)
{
    if (d->freedom == WIT_FREEDOM_ALL) return v;
    return d->freedom == WIT_FREEDOM_SLIDE ? vec3(0, 0, 0) : scale3(dot3(d->axis, v), d->axis);
}

/* The inverse of the inertia, of what is free alone: e e^T / (e.I e) about the axis. */
static void free_inverse(world_body* b)
{
    if (b->def.freedom == WIT_FREEDOM_ALL) return;
    wit_vec3 e = unrotate(b->q, b->def.axis);
    double moment = dot3(e, times(b->def.inertia, e)), x[3] = {e.x, e.y, e.z};
    for (int i = 0; i < 9; ++i) b->inverse[i] = wi_freedom_turns(&b->def) ? x[i / 3] * x[i % 3] / moment : 0;
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Principal axes and the inverse, once. */
void wi_rigid_prepare(world_body* b)
{
    const wit_haptic_body_def* d = &b->def;
    b->motion = d->start;
    if (!d->start.twist_known || d->drive != WIT_DRIVE_DYNAMIC) b->motion.twist = (wit_twist){{0, 0, 0}, {0, 0, 0}};
    b->motion.twist_known = true;
    b->from = b->next = b->motion;
    if (d->drive != WIT_DRIVE_DYNAMIC) return;
    memset(b->inverse, 0, sizeof b->inverse);
    double vectors[9];
    if (d->shape && wi_eigen_symmetric(3, d->inertia, b->principal, vectors)) {
        for (int k = 0; k < 3; ++k) {
            const double* e = vectors + 3 * k;
            b->axes[k] = vec3(e[0], e[1], e[2]);
            for (int i = 0; i < 9; ++i) b->inverse[i] += e[i / 3] * e[i % 3] / b->principal[k];
        }
    }
    b->q = b->motion.pose.rotation;
    if (d->shape) free_inverse(b);
    wit_vec3 arm = rotate(b->q, d->centre), spin = b->motion.twist.angular;
    b->c = add3(b->motion.pose.position, arm);
    b->v = wi_freedom_way(d, add3(b->motion.twist.velocity, cross3(spin, arm)));
    b->momentum = d->shape ? rotate(b->q, times(d->inertia, unrotate(b->q, spin))) : vec3(0, 0, 0);
    b->momentum = wi_freedom_turn(d, b->momentum);
    wi_rigid_place(b);
}

wit_vec3 wi_rigid_spin(const world_body* b)
{
    return rotate(b->q, times(b->inverse, unrotate(b->q, b->momentum)));
}

void wi_rigid_place(world_body* b)
{
    wit_vec3 arm = rotate(b->q, b->def.centre), spin = wi_rigid_spin(b);
    b->motion.pose = (wit_pose){sub3(b->c, arm), b->q};
    b->motion.twist = (wit_twist){sub3(b->v, cross3(spin, arm)), spin};
    b->motion.twist_known = true;
}

/*
 * Free rotation by splitting: with the energy sum over k of (L.e_k)^2 / (2 I_k), each term alone turns the body about its axis e_k at
 * the constant speed L.e_k / I_k. Half steps about axes 0 and 1 on both sides of a whole one about 2: symplectic, of order
 * 2, L exactly constant. The energy swings with the square of the turn: a step that turns further than TURN is divided.
 */
static const double TURN = 0.1; /* radians */
enum { PARTS_MOST = 64 };

static void turn_freely(world_body* b, double h)
{
    static const int order[5] = {0, 1, 2, 1, 0};
    for (int i = 0; i < 5; ++i) {
        int k = order[i];
        wit_vec3 axis = rotate(b->q, b->axes[k]);
        double speed = dot3(b->momentum, axis) / b->principal[k];
        b->q = wi_rigid_turned(b->q, scale3((k == 2 ? h : h / 2) * speed, axis));
    }
}

void wi_rigid_drift(world_body* b, double h)
{
    b->c = addscaled3(b->c, h, b->v);
    if (!wi_freedom_turns(&b->def)) return;
    if (b->def.freedom != WIT_FREEDOM_ALL) { /* about a fixed axis */
        b->q = wi_rigid_turned(b->q, scale3(h * dot3(b->def.axis, wi_rigid_spin(b)), b->def.axis));
        return;
    }
    double parts = fmin(PARTS_MOST, ceil(fmax(1, h * norm3(wi_rigid_spin(b)) / TURN)));
    for (int i = 0; i < (int)parts; ++i) turn_freely(b, h / parts);
}

static bool is_dynamic(const world_body* b)
{
    return b->def.drive == WIT_DRIVE_DYNAMIC;
}

void wi_body_push(world_body* b, wit_vec3 force, wit_vec3 at)
{
    wit_vec3 centre = is_dynamic(b) ? b->c : b->motion.pose.position;
    b->force = add3(b->force, force);
    b->torque = add3(b->torque, cross3(sub3(at, centre), force));
}

void wi_body_twist(world_body* b, wit_vec3 torque)
{
    b->torque = add3(b->torque, torque);
}

double wi_body_yield(const wit_haptic* w, const world_body* b, wit_vec3 axis, wit_vec3 at)
{
    if (is_dynamic(b)) {
        wit_vec3 arm = unrotate(b->q, cross3(sub3(at, b->c), axis));
        return dot3(axis, wi_freedom_way(&b->def, axis)) / b->def.mass + dot3(arm, times(b->inverse, arm));
    }
    if (b->def.drive != WIT_DRIVE_LINK) return 0;
    double pull[WIT_MAX_FREEDOM], x[WIT_MAX_FREEDOM], sum = 0;
    wi_linkage_pull(w, b, axis, cross3(sub3(at, b->motion.pose.position), axis), pull);
    wi_factor_solve(w->system.def.count, w->system.factor, pull, x);
    for (int i = 0; i < w->system.def.count; ++i) sum += pull[i] * x[i];
    return sum;
}

void wi_body_kick(wit_haptic* w, world_body* b, wit_vec3 impulse, wit_vec3 at)
{
    if (is_dynamic(b)) {
        b->v = addscaled3(b->v, 1 / b->def.mass, wi_freedom_way(&b->def, impulse));
        wit_vec3 turn = cross3(sub3(at, b->c), impulse);
        if (b->def.shape) b->momentum = add3(b->momentum, wi_freedom_turn(&b->def, turn));
        wi_rigid_place(b);
    } else if (b->def.drive == WIT_DRIVE_LINK) {
        double pull[WIT_MAX_FREEDOM], x[WIT_MAX_FREEDOM];
        wi_linkage_pull(w, b, impulse, cross3(sub3(at, b->motion.pose.position), impulse), pull);
        wi_factor_solve(w->system.def.count, w->system.factor, pull, x);
        for (int i = 0; i < w->system.def.count; ++i) w->system.speed[i] += x[i];
        wi_linkage_place(w);
    }
}
