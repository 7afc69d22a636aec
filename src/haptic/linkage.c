/* SPDX-License-Identifier: MIT */
/* The system of the callbacks: M q'' = F + J^T f - C - N. */
#include "haptic_record.h"

bool wi_factor_definite(int n, const double* m, double* l)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            double s = m[i * n + j];
            for (int k = 0; k < j; ++k) s -= l[i * n + k] * l[j * n + k];
            if (i != j) {
                l[i * n + j] = s / l[j * n + j];
            } else {
                /* What is left after elimination must not be rounding noise of the diagonal. */
                if (!(s > 1e-14 * m[i * n + i]) || !isfinite(s)) return false;
                l[i * n + i] = sqrt(s);
            }
        }
    }
    return true;
}

void wi_factor_solve(int n, const double* l, const double* b, double* x)
{
    for (int i = 0; i < n; ++i) {
        double s = b[i];
        for (int k = 0; k < i; ++k) s -= l[i * n + k] * x[k];
        x[i] = s / l[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        double s = x[i];
        for (int k = i + 1; k < n; ++k) s -= l[k * n + i] * x[k];
        x[i] = s / l[i * n + i];
    }
}

void wi_linkage_body(const wit_system* s, const wit_haptic_body_def* d, const double* q, const double* speed,
                     wit_motion* motion, double* J)
{
    int n = s->count;
    s->link(s->user, d->link, q, speed, motion, J);
    motion->twist_known = true;
    wit_vec3 at = wit_pose_point(&motion->pose, d->start.pose.position), arm = sub3(at, motion->pose.position);
    motion->twist.velocity = wit_motion_velocity(motion, at);
    motion->pose = wit_pose_compose(&motion->pose, &d->start.pose);
    for (int i = 0; i < n; ++i) { /* the velocity of another point: v + w x arm */
        wit_vec3 turn = cross3(vec3(J[3 * n + i], J[4 * n + i], J[5 * n + i]), arm);
        J[i] += turn.x;
        J[n + i] += turn.y;
        J[2 * n + i] += turn.z;
    }
}

bool wi_linkage_place(wit_haptic* w)
{
    world_system* s = &w->system;
    s->def.mass(s->def.user, s->q, s->M);
    if (!wi_factor_definite(s->def.count, s->M, s->factor)) return false;
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_LINK) continue;
        wi_linkage_body(&s->def, &b->def, s->q, s->speed, &b->motion, b->J);
    }
    return true;
}

void wi_linkage_pull(const wit_haptic* w, const world_body* b, wit_vec3 force, wit_vec3 torque, double* q)
{
    int n = w->system.def.count;
    const double f[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < n; ++i) {
        q[i] = 0;
        for (int k = 0; k < 6; ++k) q[i] += b->J[k * n + i] * f[k];
    }
}

void wi_linkage_accelerate(wit_haptic* w, double time)
{
    world_system* s = &w->system;
    const wit_system* d = &s->def;
    int n = d->count;
    double right[WIT_MAX_FREEDOM] = {0}, part[WIT_MAX_FREEDOM] = {0};
    if (d->drive) {
        d->drive(d->user, time, s->q, s->speed, right);
        for (int i = 0; i < n; ++i) w->supply += right[i] * s->speed[i];
    }
    const world_body* bodies = world_bodies(w);
    for (int k = 0; k < w->def.body_count; ++k) {
        if (bodies[k].def.drive != WIT_DRIVE_LINK) continue;
        wi_linkage_pull(w, &bodies[k], bodies[k].force, bodies[k].torque, part);
        for (int i = 0; i < n; ++i) right[i] += part[i];
    }
    if (d->coriolis) {
        d->coriolis(d->user, s->q, s->speed, part);
        for (int i = 0; i < n; ++i) right[i] -= part[i];
    }
    if (d->load) {
        d->load(d->user, s->q, s->speed, part);
        for (int i = 0; i < n; ++i) right[i] -= part[i];
    }
    wi_factor_solve(n, s->factor, right, s->accel);
}
