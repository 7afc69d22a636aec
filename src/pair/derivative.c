/* SPDX-License-Identifier: MIT */
/*
 * Derivatives of the signed distance, and the kinematics of the contact.
 *
 * d(xi) is the stationary value of Phi(z, xi) = n . (h(y, xi) - f(x)), z = (x, y, alpha), stationary_matrix.h. So
 *     d' = Phi_xi,        z' = -K^-1 Phi_z,xi,        d'' = Phi_xi,xi - Phi_xi,z K^-1 Phi_z,xi.
 * With r = h - origin of b and h = origin + t + exp(phi x) r:
 *     Phi_xi            = (n, r x n)
 *     Phi_phi,phi       = (n r^T + r n^T) / 2 - (n . r) 1                  (from phi x (phi x r) / 2); the others vanish
 *     Phi_x,xi          = 0
 *     Phi_y,xi          = (0, e_h x n)
 *     Phi_alpha,xi      = (m, r x m)
 * In time, seen from a: xi' is the relative twist at b's origin, and Phi_tt = n . (acceleration of b's point h seen from a); with
 * steady screws, V the material velocities at h,
 *     w_b x V_b - w_a x V_a - 2 w_a x (V_b - V_a).
 */
#include "derivative.h"

#include <string.h>

#include "../base/solve.h"
#include "kinematics.h"
#include "stationary_matrix.h"

enum { SIX = 6 };

static void put3(double* at, wit_vec3 v)
{
    at[0] = v.x;
    at[1] = v.y;
    at[2] = v.z;
}

/* scale times Phi_z,xi: one row of six per unknown. */
static void mixed_rows(const contact_pair* p, const stationary_matrix* k, wit_vec3 r, double* rows)
{
    memset(rows, 0, sizeof(double) * STATIONARY_MOST * SIX);
    for (int j = 0; j < k->nb; ++j)
        put3(rows + (k->na + j) * SIX + 3, scale3(k->scale, cross3(p->side[1].chart.e[j], k->normal)));
    for (int i = 0; i < 2; ++i) {
        double* row = rows + (k->na + k->nb + i) * SIX;
        put3(row, k->m[i]);
        put3(row + 3, cross3(r, k->m[i]));
    }
}

static void set_hessian(const stationary_matrix* k, const stationary_factors* f, const double* rows, wit_vec3 r,
                        wit_derivatives* out)
{
    double answer[SIX][STATIONARY_MOST], n3[3], r3[3], nr = dot3(k->normal, r);
    put3(n3, k->normal);
    put3(r3, r);
    for (int c = 0; c < SIX; ++c) {
        for (int i = 0; i < k->n; ++i) answer[c][i] = rows[i * SIX + c];
        wi_stationary_solve(f, answer[c], answer[c]);
    }
    double H[SIX][SIX];
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j < SIX; ++j) {
            double sum = 0;
            for (int l = 0; l < k->n; ++l) sum += rows[l * SIX + i] * answer[j][l];
            H[i][j] = -sum / k->scale;
        }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H[3 + i][3 + j] += 0.5 * (n3[i] * r3[j] + r3[i] * n3[j]) - (i == j ? nr : 0);
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j < SIX; ++j) out->hessian[i * SIX + j] = 0.5 * (H[i][j] + H[j][i]);
}

/* Velocity of the material of a body at a world point. */
static wit_vec3 material(const contact_side* s, wit_vec3 at)
{
    const wit_motion* m = s->motion;
    if (!m->twist_known) return vec3(0, 0, 0);
    return add3(m->twist.velocity, cross3(s->now.angular, sub3(at, m->pose.position)));
}

/* Speeds of the parameters that move the place with velocity v; zero where the tangents span too little. */
static void parameter_speeds(const contact_side* s, wit_vec3 v, double* out)
{
    int n = s->chart.n;
    double E = dot3(s->now.d[0], s->now.d[0]), F = dot3(s->now.d[0], s->now.d[1]), G = dot3(s->now.d[1], s->now.d[1]);
    if (n == 1) out[0] = E > 0 ? dot3(v, s->now.d[0]) / E : 0;
    if (n != 2 || s->chart.rough) return;
    double g[2] = {dot3(v, s->now.d[0]), dot3(v, s->now.d[1])}, x[2] = {0, 0};
    solve2_definite(E, F, G, g, x);
    out[0] = x[0];
    out[1] = x[1];
}

static void set_rates(const contact_pair* p, const stationary_matrix* k, const stationary_factors* f,
                      const double* rows, wit_derivatives* out)
{
    const contact_side *a = &p->side[0], *b = &p->side[1];
    wit_vec3 n = p->normal, origin = b->motion->pose.position, spin = sub3(b->now.angular, a->now.angular);
    double twist[SIX], right[STATIONARY_MOST], z[STATIONARY_MOST];
    put3(twist, sub3(material(b, origin), material(a, origin)));
    put3(twist + 3, spin);
    for (int i = 0; i < SIX; ++i) out->rate += out->gradient[i] * twist[i];
    for (int i = 0; i < k->n; ++i) {
        right[i] = 0;
        for (int c = 0; c < SIX; ++c) right[i] -= rows[i * SIX + c] * twist[c];
    }
    wi_stationary_solve(f, right, z);
    wit_vec3 vb = material(b, b->now.p), va = material(a, b->now.p);
    wit_vec3 bend = sub3(cross3(b->now.angular, vb), cross3(a->now.angular, va));
    out->second_rate = dot3(n, addscaled3(bend, -2, cross3(a->now.angular, sub3(vb, va))));
    for (int i = 0; i < k->n; ++i) out->second_rate -= right[i] * z[i] / k->scale;

    int turn = k->na + k->nb;
    wit_vec3 turned = addscaled3(scale3(z[turn], k->m[0]), z[turn + 1], k->m[1]);
    out->normal_rate = addscaled3(cross3(a->now.angular, n), 1 / k->scale, turned);
    for (int i = 0; i < 2; ++i) {
        const contact_side* s = &p->side[i];
        int first = i ? k->na : 0;
        for (int j = 0; j < s->chart.n; ++j)
            out->path_rate[i] = addscaled3(out->path_rate[i], z[first + j], s->chart.e[j]);
        out->witness_rate[i] = add3(material(s, s->now.p), out->path_rate[i]);
        parameter_speeds(s, out->path_rate[i], out->parameter_rate + first);
    }
    wit_vec3 middle = scale3(0.5, add3(a->now.p, b->now.p)), v = sub3(material(b, middle), material(a, middle));
    out->slip = addscaled3(v, -dot3(v, n), n);
    out->spin = dot3(spin, n);
    out->roll = addscaled3(spin, -out->spin, n);
}

static bool all_finite(const wit_derivatives* d)
{
    bool fine = isfinite(d->rate) && isfinite(d->second_rate) && isfinite(d->spin) && finite3(d->normal_rate) &&
                finite3(d->slip) && finite3(d->roll);
    for (int i = 0; i < SIX * SIX; ++i) fine = fine && isfinite(d->hessian[i]);
    for (int i = 0; i < WIT_MAX_PARAMETERS; ++i) fine = fine && isfinite(d->parameter_rate[i]);
    return fine && finite3(d->witness_rate[0]) && finite3(d->witness_rate[1]);
}

void wi_derive(const contact_pair* p, wit_derivatives* out)
{
    const contact_side *a = &p->side[0], *b = &p->side[1];
    stationary_matrix k;
    stationary_factors f;
    double rows[STATIONARY_MOST * SIX];
    wit_derivatives d;
    memset(out, 0, sizeof *out);
    memset(&d, 0, sizeof d);
    if (!wi_contact_pair_closest(p)) return;
    wi_stationary_matrix(&a->chart, &b->chart, p->normal, p->distance, fmax(p->size, fabs(p->distance)), &k);
    if (!wi_stationary_factor(&f, k.n, k.K)) return;
    wit_vec3 r = sub3(b->now.p, b->motion->pose.position);
    d.known = true;
    d.distance = p->distance;
    d.normal = p->normal;
    put3(d.gradient, p->normal);
    put3(d.gradient + 3, cross3(r, p->normal));
    mixed_rows(p, &k, r, rows);
    set_hessian(&k, &f, rows, r, &d);
    set_rates(p, &k, &f, rows, &d);
    if (all_finite(&d)) *out = d;
}

wit_status wit_derivatives_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form, wit_derivatives* out)
{
    wit_status status = wi_moving_check(a);
    if (!status) status = wi_moving_check(b);
    if (status) return status;
    if (!out || (unsigned)form >= WIT_FORM_COUNT || (!a->body && !b->body)) return WIT_ERROR_ARGUMENT;
    contact_pair p;
    wi_contact_pair_make(a, b, form, &p);
    wi_derive(&p, out);
    return WIT_OK;
}
