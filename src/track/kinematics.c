/* SPDX-License-Identifier: MIT */
/*
 * The conditions of a closest pair and their derivative in time, d Psi / dt = M x' + b.
 *
 * With material velocities V_f, V_h of the two points and angular velocities w_A, w_B,
 *     dR'  = f_i x_i' - h_j x_j' + V_f - V_h,      f_u' = f_uu u' + f_uv v' + w_A x f_u,      h_r' likewise with w_B.
 * So, with c_A = V_f - V_h - w_A x dR and c_B = V_f - V_h - w_B x dR,
 *     (dR.f_i)' = (f_i.f_k + dR.f_ik) x_k' - f_i.h_j x_j' + c_A.f_i
 *     (dR.h_j)' = h_j.f_k x_k' + (-h_j.h_l + dR.h_jl) x_l' + c_B.h_j
 * and for the normal n = f_u x f_v against the tangents of the other side
 *     (n.h_j)'  = n_k.h_j x_k' + n.h_jl x_l' + n.((w_B - w_A) x h_j),
 *     n_u = f_uu x f_v + f_u x f_uv,   n_v = f_uv x f_v + f_u x f_vv.
 * This is free of where the origins are.
 */
#include <string.h>

#include "../../include/witness/track.h"
#include "../base/solve.h"
#include "../body/body_record.h"

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

/* One side at its place: derivatives in world axes. */
typedef struct moving {
    int count;
    wit_vec3 p, d[2], dd[3]; /* dd: uu, uv, vv */
    wit_vec3 velocity;       /* of the body's point there */
    wit_vec3 angular;
    bool face, reversed;
} moving;

/* ---- the places ---------------------------------------------------------------------------- */

static wit_status check_place(const wit_moving_place* p)
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

static moving moving_of(const wit_moving_place* p)
{
    moving s;
    wit_surface_jet j;
    memset(&s, 0, sizeof s);
    memset(&j, 0, sizeof j);
    int count = 0;
    if (p->body && p->feature == WIT_FACE) {
        wit_surface_eval(body_surface(p->body, p->id), p->u, p->v, WIT_SIDE_DEFAULT, NULL, &j);
        s.face = true;
        s.reversed = body_faces(p->body)[p->id].reversed;
        count = 2;
    } else if (p->body && p->feature == WIT_EDGE) {
        wit_curve_jet c;
        wit_curve_eval(body_curve(p->body, p->id), p->u, WIT_SIDE_DEFAULT, NULL, &c);
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

/* ---- rows of Psi, M and b ------------------------------------------------------------------ */

static double* entry(wit_kinematics* k, int row, int column)
{
    return &k->M[row * k->count + column];
}

static double cosine(wit_vec3 x, wit_vec3 y)
{
    return dot3(unit3(x), unit3(y));
}

/*
 * Rows dR.f_i of one side, whose parameters begin at `first`; those of the other side at `across`. sign is 1 for the
 * side of f and -1 for that of h: dR = sign (own - other).
 */
static void gap_rows(wit_kinematics* k, const moving* own, int first, const moving* other, int across, double sign)
{
    wit_vec3 c = sub3(scale3(sign, sub3(own->velocity, other->velocity)), cross3(own->angular, k->gap));
    for (int i = 0; i < own->count; ++i) {
        int row = first + i;
        k->psi[row] = dot3(k->gap, own->d[i]);
        k->error[row] = cosine(k->gap, own->d[i]);
        k->b[row] = dot3(c, own->d[i]);
        for (int j = 0; j < own->count; ++j)
            *entry(k, row, first + j) = sign * dot3(own->d[i], own->d[j]) + dot3(k->gap, own->dd[i + j]);
        for (int j = 0; j < other->count; ++j) *entry(k, row, across + j) = -sign * dot3(own->d[i], other->d[j]);
    }
}

/* Rows n.h_j of the side that is not the face's. */
static void normal_rows(wit_kinematics* k, const moving* face, int first, const moving* other, int across)
{
    wit_vec3 n = cross3(face->d[0], face->d[1]);
    const wit_vec3 turn[2] = {add3(cross3(face->dd[0], face->d[1]), cross3(face->d[0], face->dd[1])),
                              add3(cross3(face->dd[1], face->d[1]), cross3(face->d[0], face->dd[2]))};
    wit_vec3 spin = sub3(other->angular, face->angular);
    for (int i = 0; i < other->count; ++i) {
        int row = across + i;
        k->psi[row] = dot3(n, other->d[i]);
        k->error[row] = cosine(n, other->d[i]);
        k->b[row] = dot3(n, cross3(spin, other->d[i]));
        for (int j = 0; j < face->count; ++j) *entry(k, row, first + j) = dot3(turn[j], other->d[i]);
        for (int j = 0; j < other->count; ++j) *entry(k, row, across + j) = dot3(n, other->dd[i + j]);
    }
}

/* ---- what follows from them ---------------------------------------------------------------- */

/* The joint Hessian of |dR|^2 / 2: the papers' M with the rows of b turned round, in arc length. */
static wit_stationary kind_of(const moving* a, const moving* b, wit_vec3 gap)
{
    wit_kinematics k;
    memset(&k, 0, sizeof k);
    k.count = a->count + b->count;
    k.gap = gap;
    gap_rows(&k, a, 0, b, a->count, 1);
    gap_rows(&k, b, a->count, a, 0, -1);
    double values[WIT_MAX_PARAMETERS], length[WIT_MAX_PARAMETERS];
    for (int i = 0; i < k.count; ++i) {
        double l = norm3(i < a->count ? a->d[i] : b->d[i - a->count]);
        length[i] = l > 0 ? (i < a->count ? l : -l) : 1;
    }
    for (int i = 0; i < k.count; ++i)
        for (int j = 0; j < k.count; ++j) *entry(&k, i, j) /= length[i] * fabs(length[j]);
    if (k.count == 0) return WIT_STATIONARY_MINIMUM;
    if (!eigen_symmetric(k.count, k.M, values, NULL)) return WIT_STATIONARY_FLAT;
    double noise = 64 * DBL_EPSILON * larger(1, larger(fabs(values[0]), fabs(values[k.count - 1])));
    bool up = values[k.count - 1] > noise, down = values[0] < -noise, level = false;
    for (int i = 0; i < k.count; ++i) level = level || fabs(values[i]) <= noise;
    if (up && down) return WIT_STATIONARY_SADDLE;
    return level ? WIT_STATIONARY_FLAT : up ? WIT_STATIONARY_MINIMUM : WIT_STATIONARY_MAXIMUM;
}

static void solve_speeds(wit_kinematics* k)
{
    lu factors;
    k->regular = k->count == 0 || lu_factor(&factors, k->count, k->M);
    if (!k->regular || !k->count) return;
    double right[WIT_MAX_PARAMETERS];
    for (int i = 0; i < k->count; ++i) right[i] = -k->b[i];
    lu_solve(&factors, right, k->follow);
    for (int i = 0; i < k->count; ++i) right[i] = -k->psi[i];
    lu_solve(&factors, right, k->correct);
}

/* Unit, from a to b: the outward normal of the face whose form it is, else along the gap. */
static void set_distance(wit_kinematics* k, const moving* a, const moving* b, const moving* face)
{
    k->normal = unit3(scale3(-1, k->gap));
    if (face) {
        wit_vec3 n = unit3(cross3(face->d[0], face->d[1]));
        bool turned = face->reversed != (face == b);
        if (dot3(n, n) > 0) k->normal = turned ? scale3(-1, n) : n;
    }
    k->distance = face ? -dot3(k->gap, k->normal) : norm3(k->gap);
    k->rate = dot3(k->normal, sub3(b->velocity, a->velocity));
}

wit_status wit_kinematics_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form, wit_kinematics* out)
{
    wit_status status = check_place(a);
    if (!status) status = check_place(b);
    if (status) return status;
    if (!out || (unsigned)form >= WIT_FORM_COUNT || (!a->body && !b->body)) return WIT_ERROR_ARGUMENT;
    moving f = moving_of(a), h = moving_of(b);
    wit_kinematics k;
    memset(&k, 0, sizeof k);
    k.count_a = f.count;
    k.count = f.count + h.count;
    k.f = f.p;
    k.h = h.p;
    k.gap = sub3(f.p, h.p);
    k.kind = kind_of(&f, &h, k.gap);
    const moving* face = form == WIT_FORM_CONTACT ? f.face ? &f : h.face ? &h : NULL : NULL;
    bool contact = face && f.count && h.count;
    k.form = contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS;
    if (!contact || face == &f) gap_rows(&k, &f, 0, &h, f.count, 1);
    if (!contact || face == &h) gap_rows(&k, &h, f.count, &f, 0, -1);
    if (contact && face == &f) normal_rows(&k, &f, 0, &h, f.count);
    if (contact && face == &h) normal_rows(&k, &h, f.count, &f, 0);
    set_distance(&k, &f, &h, face);
    solve_speeds(&k);
    *out = k;
    return WIT_OK;
}
