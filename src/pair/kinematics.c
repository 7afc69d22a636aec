/* SPDX-License-Identifier: MIT */
/*
 * Psi, M and b of a pair of places in the world, as a pure function: 001 (1) to (4) and (9), Psi' = M w + b, w the speeds of the
 * parameters; the terms stand in conditions.h. 001 (12), w = M^-1 (mu - b) with mu = -K Psi (14), is given in its two parts:
 * follow = -M^-1 b keeps Psi as it is, correct = -M^-1 Psi brings it to zero.
 */
#include <string.h>

#include "../../include/witness/track.h"
#include "../base/solve.h"
#include "../body/body_record.h"
#include "kinematics.h"
#include "conditions.h"

const char* wit_form_name(wit_form form)
{
    static const char* const names[WIT_FORM_COUNT] = {"contact", "papers"};
    return (unsigned)form < WIT_FORM_COUNT ? names[form] : "?";
}

const char* wit_stationary_name(wit_stationary kind)
{
    static const char* const names[WIT_STATIONARY_COUNT] = {"minimum", "saddle", "maximum", "flat"};
    return (unsigned)kind < WIT_STATIONARY_COUNT ? names[kind] : "?";
}

/* ---- the places ---------------------------------------------------------------------------- */

wit_status wi_moving_check(const wit_moving_place* p)
{
    if (!p) return WIT_ERROR_ARGUMENT;
    const wit_motion* m = &p->motion;
    wit_status status = wit_pose_check(&m->pose);
    if (status) return status;
    if (m->twist_known && !(finite3(m->twist.velocity) && finite3(m->twist.angular))) return WIT_ERROR_NUMBER;
    if (!p->body) return WIT_OK;
    if (!isfinite(p->u) || !isfinite(p->v)) return WIT_ERROR_NUMBER;
    int faces = p->body->planar ? 0 : p->body->face_count;
    int counts[WIT_FEATURE_KIND_COUNT] = {faces, p->body->edge_count, p->body->vertex_count};
    if ((unsigned)p->feature >= WIT_FEATURE_KIND_COUNT) return WIT_ERROR_ARGUMENT;
    return p->id >= 0 && p->id < counts[p->feature] ? WIT_OK : WIT_ERROR_RANGE;
}

static void set_derivatives(moving* s, const wit_pose* pose, int count, const wit_surface_jet* j)
{
    s->count = count;
    s->p = wit_pose_point(pose, j->p);
    const wit_vec3 first[2] = {j->du, j->dv}, second[3] = {j->duu, j->duv, j->dvv};
    for (int i = 0; i < count; ++i) s->d[i] = wit_pose_vector(pose, first[i]);
    for (int i = 0; i < (count == 2 ? 3 : count); ++i) s->dd[i] = wit_pose_vector(pose, second[i]);
}

moving wi_moving_of(const wit_moving_place* p)
{
    moving s;
    wit_surface_jet j;
    memset(&s, 0, sizeof s);
    memset(&j, 0, sizeof j);
    int count = 0;
    if (p->body && p->feature == WIT_FACE) {
        wit_surface_eval(body_surface(p->body, p->id), p->u, p->v, WIT_KNOT_DEFAULT, NULL, &j);
        s.face = true;
        s.reversed = body_faces(p->body)[p->id].reversed;
        count = 2;
    } else if (p->body && p->feature == WIT_EDGE) {
        wit_curve_jet c;
        wit_curve_eval(body_curve(p->body, p->id), p->u, WIT_KNOT_DEFAULT, NULL, &c);
        j.p = c.p, j.du = c.d1, j.duu = c.d2;
        count = 1;
    } else if (p->body) {
        j.p = body_vertices(p->body)[p->id].point;
    }
    set_derivatives(&s, &p->motion.pose, count, &j);
    if (!p->motion.twist_known) return s;
    s.velocity = wit_motion_velocity(&p->motion, s.p);
    s.angular = p->motion.twist.angular;
    return s;
}

/* ---- what follows from them ---------------------------------------------------------------- */

static void solve_speeds(wit_kinematics* k)
{
    lu factors;
    k->regular = k->count == 0 || wi_lu_factor(&factors, k->count, k->M);
    if (!k->regular || !k->count) return;
    double right[WIT_MAX_PARAMETERS];
    for (int i = 0; i < k->count; ++i) right[i] = -k->b[i];
    wi_lu_solve(&factors, right, k->follow);
    for (int i = 0; i < k->count; ++i) right[i] = -k->psi[i];
    wi_lu_solve(&factors, right, k->correct);
}

wit_status wit_kinematics_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form, wit_kinematics* out)
{
    wit_status status = wi_moving_check(a);
    if (!status) status = wi_moving_check(b);
    if (status) return status;
    if (!out || (unsigned)form >= WIT_FORM_COUNT || (!a->body && !b->body)) return WIT_ERROR_ARGUMENT;
    moving f = wi_moving_of(a), h = wi_moving_of(b);
    pair_rows rows = {0};
    wit_kinematics k;
    memset(&k, 0, sizeof k);
    wi_condition_rows(&f, &h, form, &rows);
    k.count_a = rows.count_a;
    k.count = rows.count;
    k.form = rows.contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS;
    k.f = f.p;
    k.h = h.p;
    k.gap = rows.gap;
    memcpy(k.psi, rows.psi, sizeof k.psi);
    memcpy(k.M, rows.M, sizeof k.M);
    memcpy(k.b, rows.b, sizeof k.b);
    wi_condition_errors(&f, &h, form, k.error);
    k.kind = wi_condition_kind(&f, &h, 0);
    k.normal = wi_condition_normal(&f, &h, form, &k.distance);
    k.rate = dot3(k.normal, sub3(h.velocity, f.velocity));
    solve_speeds(&k);
    *out = k;
    return WIT_OK;
}
