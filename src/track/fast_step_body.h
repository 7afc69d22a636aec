/* SPDX-License-Identifier: MIT */
/*
 * The usual step in one piece: both witnesses inside their faces, three frames of history, nothing held, nothing to switch.
 * Predict, one jet a side, Newton, Taylor's point, Newton's matrix once more, result: the same mathematics as
 * general_step.c and pair_newton.c, in the same order, without what only the unusual steps need. Whatever is out of the ordinary,
 * or does not converge within the tolerance at once, is left to them: then nothing was changed.
 *
 * Written once for all kernel sets: included by swift_portable.c and swift_avx2.c, each of which first defines
 *   SWIFT         attributes of a function that is always inlined
 *   SWIFT_ENTRY   attributes of a function that is called
 *   FUSED(a, b, c)   a b + c
 */
#include <float.h>
#include <string.h>

#include "carried_bound.h"
#include "predict.h"
#include "fast_step.h"

FAST double dot(wit_vec3 a, wit_vec3 b)
{
    return FUSED(a.x, b.x, FUSED(a.y, b.y, a.z * b.z));
}

/* a + s b */
FAST wit_vec3 axpy(wit_vec3 a, double s, wit_vec3 b)
{
    return vec3(FUSED(s, b.x, a.x), FUSED(s, b.y, a.y), FUSED(s, b.z, a.z));
}

FAST wit_vec3 across(wit_vec3 a, wit_vec3 b)
{
    return vec3(FUSED(a.y, b.z, -(a.z * b.y)), FUSED(a.z, b.x, -(a.x * b.z)), FUSED(a.x, b.y, -(a.y * b.x)));
}

/* ---- poses ---------------------------------------------------------------------------------- */

typedef struct turn {
    wit_vec3 x, y, z; /* columns: the body's axes in the world */
} turn;

/* From a quaternion near unit length. */
FAST turn turn_of(wit_quat q, double square)
{
    double s = 2 / square;
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z, xy = s * q.x * q.y, xz = s * q.x * q.z,
           yz = s * q.y * q.z, wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    turn r = {{1 - yy - zz, xy + wz, xz - wy}, {xy - wz, 1 - xx - zz, yz + wx}, {xz + wy, yz - wx, 1 - xx - yy}};
    return r;
}

FAST wit_vec3 forth(const turn* r, wit_vec3 v)
{
    return axpy(axpy(scale3(v.x, r->x), v.y, r->y), v.z, r->z);
}

FAST wit_vec3 back(const turn* r, wit_vec3 v)
{
    return vec3(dot(r->x, v), dot(r->y, v), dot(r->z, v));
}

FAST double quat_square(wit_quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}

FAST bool small3(wit_vec3 p, double most)
{
    return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

/* Surely what check_motion takes: NaN and infinity fail the comparisons. */
FAST bool plain_motion(const wit_motion* m, double square)
{
    return m->twist_known && square > 1 - 1.9e-6 && square < 1 + 1.9e-6 &&
           small3(m->pose.position, WIT_MAX_COORDINATE) && small3(m->twist.velocity, DBL_MAX) &&
           small3(m->twist.angular, DBL_MAX);
}

/* ---- one side ------------------------------------------------------------------------------- */

/* Beside a pole the parameters are no coordinates: the long way from this part of the range on. */
#define POLE_MARGIN 0.03

/* In the range, its ends and poles left out. */
FAST bool inside_range(const body_face* f, const wit_surface* s, const double x[2])
{
    double mu = 0, mv = 0;
    if (f->poles) {
        mu = f->poles & (POLE_U_LO | POLE_U_HI) ? POLE_MARGIN * (s->u.hi - s->u.lo) : 0;
        mv = f->poles & (POLE_V_LO | POLE_V_HI) ? POLE_MARGIN * (s->v.hi - s->v.lo) : 0;
    }
    return x[0] > f->u.lo + mu && x[0] < f->u.hi - mu && x[1] > f->v.lo + mv && x[1] < f->v.hi - mv;
}

/* x lies in the cell that was looked at. */
FAST bool in_cell(const wit_surface* s, const wit_hint* hint, const double x[2])
{
    if (s->kind != WIT_SURFACE_NURBS) return true;
    const double* bu = (const double*)(const void*)((const char*)s + s->spline.u.breaks) + hint->cell[0];
    const double* bv = (const double*)(const void*)((const char*)s + s->spline.v.breaks) + hint->cell[1];
    return x[0] >= bu[0] && x[0] <= bu[1] && x[1] >= bv[0] && x[1] <= bv[1];
}

/* The parameters of all orders for equal steps; those of the order in use go to x. */
FAST void predict_side(const wit_tracker* t, int which, prediction* p, int order, double x[2])
{
    for (int k = 0; k < 2; ++k) {
        double p0 = t->past[0][which][k], p1 = t->past[1][which][k], p2 = t->past[2][which][k], d = p0 - p1;
        p->x[0][which][k] = p0;
        p->x[1][which][k] = p0 + d;
        p->x[2][which][k] = p0 + d + (d - (p1 - p2));
        x[k] = p->x[order][which][k];
    }
}

/* Taylor's point and tangents after a step from a jet. */
FAST void taylor(const wit_surface_jet* j, double u, double v, wit_vec3* p, wit_vec3* du, wit_vec3* dv)
{
    wit_vec3 bu = axpy(scale3(u, j->duu), v, j->duv), bv = axpy(scale3(u, j->duv), v, j->dvv);
    *du = add3(j->du, bu);
    *dv = add3(j->dv, bv);
    *p = axpy(axpy(j->p, u, axpy(j->du, 0.5, bu)), v, axpy(j->dv, 0.5, bv));
}

/* third |d|^2, d bounded in arc length: see step_bounds.h; *length is that bound. */
FAST double third_part(const body_face* f, const wit_surface* s, const double d[2], double* length)
{
    *length = s->speed_u * fabs(d[0]) + s->speed_v * fabs(d[1]);
    return f->third * *length * *length;
}

/* ---- what all usual steps share -------------------------------------------------------------- */

FAST void remember(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, const double* x, int n,
                   const prediction* guess)
{
    double least = INFINITY;
    for (int k = 0; k < n; ++k) t->at[k >> 1].x[k & 1] = x[k];
    for (int o = 0; o < PREDICT_ORDERS; ++o) {
        double off = 0;
        for (int k = 0; k < n; ++k) {
            double e = fabs(guess->x[o][k >> 1][k & 1] - x[k]);
            off = e > off ? e : off;
        }
        if (off <= least) {
            least = off;
            t->order = o;
        }
    }
    for (int k = 0; k < n; ++k) {
        t->past[2][k >> 1][k & 1] = t->past[1][k >> 1][k & 1];
        t->past[1][k >> 1][k & 1] = t->past[0][k >> 1][k & 1];
        t->past[0][k >> 1][k & 1] = x[k];
    }
    t->past_dt[2] = t->past_dt[1];
    t->past_dt[1] = t->past_dt[0];
    t->past_dt[0] = dt;
    t->last[0] = a->pose;
    t->last[1] = b->pose;
    t->last_twist[0] = a->twist;
    t->last_twist[1] = b->twist;
    t->time += dt;
}

/* Flags, bound and counts. */
FAST void finish(const wit_tracker* t, double scale, double lower, double above, int jets, wit_result* out)
{
    unsigned flags = 0;
    if (!(lower > -4 * (t->size + fabs(out->distance)))) lower = -INFINITY;
    flags |= bound_proves(t, out->distance, &lower, above) ? WIT_FLAG_CERTIFIED : WIT_FLAG_LOCAL;
    out->lower_bound = lower;
    if (fabs(out->distance) <= t->def.tolerance * scale) flags |= WIT_FLAG_TOUCHING;
    if (t->body[1] && out->distance < -t->def.tolerance * scale) flags |= WIT_FLAG_OVERLAPPING;
    out->outcome = WIT_OUTCOME_CONVERGED;
    out->flags = flags;
    out->kind = WIT_STATIONARY_MINIMUM;
    out->held = 0;
    out->drift = out->gain = 0;
    out->switches = 0;
    out->iterations = 1;
    out->work.jets = out->work.units = jets;
    out->work.nodes = out->work.tests = 0;
}

FAST wit_witness face_witness(const place* at, const double x[2], wit_vec3 point)
{
    wit_witness w = {WIT_FACE, at->id, x[0], x[1], point};
    return w;
}

/* ---- a point and a face ---------------------------------------------------------------------- */

SWIFT_ENTRY bool swift_point(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    double square = quat_square(a->pose.rotation);
    if (!plain_motion(a, square) || !plain_motion(b, quat_square(b->pose.rotation))) return false;
    turn ra = turn_of(a->pose.rotation, square);
    wit_vec3 apart = sub3(b->pose.position, a->pose.position), q = back(&ra, apart), way = sub3(q, t->last_point);
    double moved = sqrt(dot(way, way));
    if (!(t->free_travel > moved)) return false;
    place* at = &t->at[0];
    const body_face* f = &body_faces(t->body[0])[at->id];
    const wit_surface* s = body_surface(t->body[0], at->id);
    prediction guess;
    guess.orders = PREDICT_ORDERS;
    double x[2];
    predict_side(t, 0, &guess, t->order, x);
    if (!inside_range(f, s, x)) return false;
    wit_surface_jet j;
    wit_hint hint = t->hint[0];
    if (wit_surface_eval(s, x[0], x[1], WIT_KNOT_DEFAULT, &hint, &j)) return false;

    /* H d = -g */
    wit_vec3 r = sub3(j.p, q);
    double g0 = dot(r, j.du), g1 = dot(r, j.dv), E = dot(j.du, j.du), F = dot(j.du, j.dv), G = dot(j.dv, j.dv);
    double h0 = E + dot(r, j.duu), h1 = F + dot(r, j.duv), h2 = G + dot(r, j.dvv), det = h0 * h2 - h1 * h1;
    if (!(h0 > 1e-12 * E && det > 1e-12 * E * G)) return false;
    double inv = 1 / det, d[2] = {(h1 * g1 - h2 * g0) * inv, (h1 * g0 - h0 * g1) * inv};
    wit_vec3 p, du, dv;
    taylor(&j, d[0], d[1], &p, &du, &dv);
    r = sub3(p, q);
    g0 = dot(r, du), g1 = dot(r, dv);
    double e[2] = {(h1 * g1 - h2 * g0) * inv, (h1 * g0 - h0 * g1) * inv};

    /* what is left, as in pursuit_arrive */
    double length = E * d[0] * d[0] + 2 * F * d[0] * d[1] + G * d[1] * d[1];
    double second = E * e[0] * e[0] + 2 * F * e[0] * e[1] + G * e[1] * e[1];
    double gap = sqrt(dot(r, r)), scale = gap > t->size ? gap : t->size, tolerance = t->def.tolerance * scale;
    double reach, cube = third_part(f, s, d, &reach);
    if (!(cube * (reach * (1.0 / 6) + 0.5 * gap) <= tolerance)) return false;
    if (!(second * second <= tolerance * tolerance * length || second <= 1e-4 * tolerance * tolerance)) return false;
    if (!(second <= 0.0625 * length || second <= tolerance * tolerance)) return false;
    x[0] += d[0] + e[0];
    x[1] += d[1] + e[1];
    if (!inside_range(f, s, x) || !in_cell(s, &hint, x)) return false;
    taylor(&j, d[0] + e[0], d[1] + e[1], &p, &du, &dv);

    wit_vec3 n = across(du, dv), w = sub3(q, p);
    double nn = dot(n, n), ww = dot(w, w);
    double turned = f->reversed ? -1 : 1, along = dot(w, n);
    bool two_sided = t->body[0]->kind == WIT_BODY_SHEET2;
    if (two_sided && turned * along < 0) turned = -turned;
    double unit = turned / sqrt(nn);
    n = scale3(unit, n);
    /* far from touch along the gap, near it along the face's normal: as result.c */
    double plane = along * unit + 0.0, length_w = sqrt(ww);
    bool far = length_w > NEAR_TOUCH * t->size;
    double per_w = far ? (plane < 0 ? -1 : 1) / length_w : 0;
    out->distance = !far ? plane : plane < 0 ? -length_w : length_w;
    out->normal = forth(&ra, far ? scale3(per_w, w) : n);
    wit_vec3 seen = sub3(sub3(b->twist.velocity, a->twist.velocity), across(a->twist.angular, apart));
    out->rate = dot(out->normal, seen);
    out->a = face_witness(at, x, add3(a->pose.position, forth(&ra, p)));
    wit_witness point = {WIT_POINT, -1, 0, 0, b->pose.position};
    out->b = point;
    double noise = 64 * DBL_EPSILON * (t->size + gap);
    double per = length_w > noise ? 1 / length_w : 0;
    out->count = out->count_a = 2;
    out->error[0] = -dot(w, du) * per / sqrt(dot(du, du));
    out->error[1] = -dot(w, dv) * per / sqrt(dot(dv, dv));
    out->error[2] = out->error[3] = 0;
    double e0 = fabs(out->error[0]), e1 = fabs(out->error[1]);
    out->residual = e0 > e1 ? e0 : e1;

    bool known = t->bound > -INFINITY || t->above < INFINITY;
    double since = known ? bound_moved(t, NULL, q) : 0, lower = t->bound - since;
    if (t->supported && out->distance > 0) lower = fmax(lower, bound_by_planes(t, plane, 0, gap + t->size));
    finish(t, scale, lower, t->above + since, 1, out);
    t->hint[0] = hint;
    t->free_travel -= moved;
    t->last_point = q;
    t->foot = p;
    t->distance = out->distance;
    t->sign = two_sided ? 0 : out->distance < 0 ? -1 : 1;
    remember(t, a, b, dt, x, 2, &guess);
    return true;
}

/* ---- two faces, contact form ----------------------------------------------------------------- */

/* Both bodies in the frame of a, and their relative twist. */
typedef struct relative {
    turn a, b; /* in the world */
    turn b_in_a;
    wit_vec3 t; /* origin of b in the frame of a */
} relative;

FAST relative relative_of(const wit_pose* a, const wit_pose* b, double square_a, double square_b)
{
    relative r;
    r.a = turn_of(a->rotation, square_a);
    r.b = turn_of(b->rotation, square_b);
    r.b_in_a.x = back(&r.a, r.b.x);
    r.b_in_a.y = back(&r.a, r.b.y);
    r.b_in_a.z = back(&r.a, r.b.z);
    r.t = back(&r.a, sub3(b->position, a->position));
    return r;
}

FAST wit_surface_jet jet_in_a(const relative* r, const wit_surface_jet* j)
{
    wit_surface_jet k = {add3(forth(&r->b_in_a, j->p), r->t), forth(&r->b_in_a, j->du),  forth(&r->b_in_a, j->dv),
                         forth(&r->b_in_a, j->duu),           forth(&r->b_in_a, j->duv), forth(&r->b_in_a, j->dvv)};
    return k;
}

/* M of the contact form in blocks: P (face a), B, C, D, and what solves it. */
typedef struct blocks {
    double p0, p1, p2, ip; /* P symmetric; 1 / det */
    double B[4], C[4];
    double T[4]; /* S^-1 */
} blocks;

FAST void solve_first(const blocks* k, double x, double y, double out[2])
{
    out[0] = (k->p2 * x - k->p1 * y) * k->ip;
    out[1] = (k->p0 * y - k->p1 * x) * k->ip;
}

/* M d = -Psi: (r, s) by the Schur complement, then (u, v). */
FAST void solve_blocks(const blocks* k, const double psi[4], double d[4])
{
    double y[2], c0, c1;
    solve_first(k, psi[0], psi[1], y);
    c0 = psi[2] - k->C[0] * y[0] - k->C[1] * y[1];
    c1 = psi[3] - k->C[2] * y[0] - k->C[3] * y[1];
    d[2] = -(k->T[0] * c0 + k->T[1] * c1);
    d[3] = -(k->T[2] * c0 + k->T[3] * c1);
    solve_first(k, -psi[0] - k->B[0] * d[2] - k->B[1] * d[3], -psi[1] - k->B[2] * d[2] - k->B[3] * d[3], d);
}

/* sense: of the outward normal against du x dv. False unless P and S are safely positive definite. */
FAST bool make_blocks(const wit_surface_jet* f, const wit_surface_jet* h, wit_vec3 r, wit_vec3 n, double sense,
                      blocks* k)
{
    double E = dot(f->du, f->du), G = dot(f->dv, f->dv);
    k->p0 = E + dot(r, f->duu), k->p1 = dot(f->du, f->dv) + dot(r, f->duv), k->p2 = G + dot(r, f->dvv);
    double det = k->p0 * k->p2 - k->p1 * k->p1;
    if (!(k->p0 > 1e-12 * E && det > 1e-12 * E * G)) return false;
    k->ip = 1 / det;
    wit_vec3 nu = add3(across(f->duu, f->dv), across(f->du, f->duv)),
             nv = add3(across(f->duv, f->dv), across(f->du, f->dvv));
    k->B[0] = -dot(f->du, h->du), k->B[1] = -dot(f->du, h->dv);
    k->B[2] = -dot(f->dv, h->du), k->B[3] = -dot(f->dv, h->dv);
    k->C[0] = dot(nu, h->du), k->C[1] = dot(nv, h->du), k->C[2] = dot(nu, h->dv), k->C[3] = dot(nv, h->dv);
    double D0 = dot(n, h->duu), D1 = dot(n, h->duv), D3 = dot(n, h->dvv), x[2], y[2];
    solve_first(k, k->B[0], k->B[2], x); /* P^-1 B, column by column */
    solve_first(k, k->B[1], k->B[3], y);
    double S0 = D0 - k->C[0] * x[0] - k->C[1] * x[1], S1 = D1 - k->C[0] * y[0] - k->C[1] * y[1];
    double S2 = D1 - k->C[2] * x[0] - k->C[3] * x[1], S3 = D3 - k->C[2] * y[0] - k->C[3] * y[1];
    double half = 0.5 * (S1 + S2), ds = S0 * S3 - S1 * S2;
    if (!(sense * S0 > 0 && S0 * S3 - half * half > 1e-12 * S0 * S3 && ds > 0)) return false;
    double is = 1 / ds;
    k->T[0] = S3 * is, k->T[1] = -S1 * is, k->T[2] = -S2 * is, k->T[3] = S0 * is;
    return true;
}

FAST double arc(const wit_surface_jet* j, const double d[2])
{
    wit_vec3 m = axpy(scale3(d[0], j->du), d[1], j->dv);
    return sqrt(dot(m, m));
}

FAST void conditions(wit_vec3 r, wit_vec3 fu, wit_vec3 fv, wit_vec3 n, wit_vec3 hu, wit_vec3 hv, double psi[4])
{
    psi[0] = dot(r, fu), psi[1] = dot(r, fv), psi[2] = dot(n, hu), psi[3] = dot(n, hv);
}

/* Both sides after the step. */
typedef struct pair_place {
    wit_vec3 p, du, dv, q, hu, hv, n, r;
} pair_place;

FAST void pair_taylor(const wit_surface_jet* f, const wit_surface_jet* h, const double d[4], pair_place* out)
{
    taylor(f, d[0], d[1], &out->p, &out->du, &out->dv);
    taylor(h, d[2], d[3], &out->q, &out->hu, &out->hv);
    out->n = across(out->du, out->dv);
    out->r = sub3(out->p, out->q);
}

FAST void write_pair(wit_tracker* t, const wit_motion* a, const wit_motion* b, const relative* rel, const pair_place* w,
                     double sense, const double x[4], wit_result* out)
{
    double unit = sense / sqrt(dot(w->n, w->n)), gap = sqrt(dot(w->r, w->r));
    wit_vec3 n = scale3(unit, w->n);
    double plane = -dot(w->r, n) + 0.0, side_of = plane < 0 ? -1 : 1;
    bool far = gap > NEAR_TOUCH * t->size;
    out->distance = far ? side_of * gap : plane;
    out->normal = forth(&rel->a, far ? scale3(-side_of / gap, w->r) : n);
    out->a = face_witness(&t->at[0], x, add3(a->pose.position, forth(&rel->a, w->p)));
    out->b = face_witness(&t->at[1], x + 2, add3(a->pose.position, forth(&rel->a, w->q)));
    wit_vec3 va = add3(a->twist.velocity, across(a->twist.angular, sub3(out->a.point, a->pose.position)));
    wit_vec3 vb = add3(b->twist.velocity, across(b->twist.angular, sub3(out->b.point, b->pose.position)));
    out->rate = dot(out->normal, sub3(vb, va));
    double noise = 64 * DBL_EPSILON * (t->size + norm3(w->p) + norm3(w->q)), per = gap > noise ? 1 / gap : 0;
    out->count_a = 2;
    out->count = 4;
    out->error[0] = dot(w->r, w->du) * per / sqrt(dot(w->du, w->du));
    out->error[1] = dot(w->r, w->dv) * per / sqrt(dot(w->dv, w->dv));
    out->error[2] = sense * dot(n, w->hu) / sqrt(dot(w->hu, w->hu));
    out->error[3] = sense * dot(n, w->hv) / sqrt(dot(w->hv, w->hv));
    out->residual = 0;
    for (int i = 0; i < 4; ++i) out->residual = fmax(out->residual, fabs(out->error[i]));
}

/* As wi_pair_newton_inside. */
FAST bool both_inside(const wit_tracker* t, const relative* rel, const pair_place* w)
{
    wit_vec3 in_b = back(&rel->b_in_a, sub3(w->p, rel->t));
    bool sheet_a = t->body[0]->kind != WIT_BODY_SOLID, sheet_b = t->body[1]->kind != WIT_BODY_SOLID;
    return (sheet_a || box_square(&t->body[0]->box, w->q) == 0) && (sheet_b || box_square(&t->body[1]->box, in_b) == 0);
}

SWIFT_ENTRY bool swift_pair(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    double square_a = quat_square(a->pose.rotation), square_b = quat_square(b->pose.rotation);
    if (!plain_motion(a, square_a) || !plain_motion(b, square_b)) return false;
    relative rel = relative_of(&a->pose, &b->pose, square_a, square_b);
    const body_face* face[2];
    const wit_surface* s[2];
    wit_hint hint[2];
    wit_surface_jet j[2], moved;
    prediction guess;
    double x[4], d[4], e[4], psi[4], reach, off = 0;
    guess.orders = PREDICT_ORDERS;
    for (int i = 0; i < 2; ++i) {
        face[i] = &body_faces(t->body[i])[t->at[i].id];
        s[i] = body_surface(t->body[i], t->at[i].id);
        hint[i] = t->hint[i];
        predict_side(t, i, &guess, t->order, x + 2 * i);
        if (!inside_range(face[i], s[i], x + 2 * i)) return false;
        if (wit_surface_eval(s[i], x[2 * i], x[2 * i + 1], WIT_KNOT_DEFAULT, &hint[i], &j[i])) return false;
    }
    moved = jet_in_a(&rel, &j[1]);
    const wit_surface_jet *f = &j[0], *h = &moved;
    wit_vec3 n = across(f->du, f->dv), r = sub3(f->p, h->p);
    double sense = face[0]->reversed ? -1 : 1;
    bool two_sided = t->body[0]->kind == WIT_BODY_SHEET2;
    if (two_sided && sense * dot(r, n) > 0) sense = -sense;
    blocks k;
    if (!make_blocks(f, h, r, n, sense, &k)) return false;
    if (!two_sided && t->body[1]->kind != WIT_BODY_SHEET2) {
        double facing = dot(n, across(h->du, h->dv));
        if (!((face[1]->reversed ? -sense : sense) * facing < 0)) return false;
    }
    conditions(r, f->du, f->dv, n, h->du, h->dv, psi);
    solve_blocks(&k, psi, d);
    pair_place w;
    pair_taylor(f, h, d, &w);
    conditions(w.r, w.du, w.dv, w.n, w.hu, w.hv, psi);
    solve_blocks(&k, psi, e);

    /* what is left, as in pursuit_arrive */
    double length = arc(f, d) + arc(h, d + 2), second = arc(f, e) + arc(h, e + 2), gap = sqrt(dot(w.r, w.r));
    double scale = gap > t->size ? gap : t->size, tolerance = t->def.tolerance * scale;
    for (int i = 0; i < 2; ++i) {
        double cube = third_part(face[i], s[i], d + 2 * i, &reach);
        off += cube * (reach * (1.0 / 6) + 0.5 * t->size);
    }
    if (!(off <= tolerance && (second * second <= tolerance * length || second <= 0.01 * tolerance))) return false;
    if (!(second <= 0.25 * length + tolerance)) return false;
    for (int i = 0; i < 4; ++i) {
        d[i] += e[i];
        x[i] += d[i];
    }
    for (int i = 0; i < 2; ++i)
        if (!inside_range(face[i], s[i], x + 2 * i) || !in_cell(s[i], &hint[i], x + 2 * i)) return false;
    pair_taylor(f, h, d, &w);
    if (!two_sided && dot(w.r, w.n) * sense > 0 && !both_inside(t, &rel, &w)) return false;
    write_pair(t, a, b, &rel, &w, sense, x, out);
    const turn* rb = &rel.b_in_a;
    const wit_vec3 rows[3] = {{rb->x.x, rb->y.x, rb->z.x}, {rb->x.y, rb->y.y, rb->z.y}, {rb->x.z, rb->y.z, rb->z.z}};
    double lower = t->bound > -INFINITY ? t->bound - bound_moved(t, rows, rel.t) : -INFINITY;
    if (out->distance > 0 && out->distance - lower > t->watch) return false;
    if (t->supported && out->distance > 0) {
        wit_vec3 m = across(w.hu, w.hv), lean = axpy(scale3(sense / sqrt(dot(w.n, w.n)), w.n),
                                                     (face[1]->reversed ? -1 : 1) / sqrt(dot(m, m)), m);
        double planes = bound_by_planes(t, -sense * dot(w.r, w.n) / sqrt(dot(w.n, w.n)), sqrt(dot(lean, lean)),
                                        2 * (gap + t->size));
        lower = planes > lower ? planes : lower;
    }
    finish(t, scale, lower, INFINITY, 2, out);
    t->hint[0] = hint[0];
    t->hint[1] = hint[1];
    t->foot = w.p;
    t->distance = out->distance;
    remember(t, a, b, dt, x, 4, &guess);
    return true;
}
