/* SPDX-License-Identifier: MIT */
/*
 * The conditions of a closest pair, 001 (1) to (4): Psi = (dR.f_u, dR.f_v, dR.h_r, dR.h_s) = 0 with dR = f - h, and their
 * derivative in time, 001 (9): d Psi / dt = M x' + b. The contact form (contact_form.h) has n.h_r, n.h_s in place of the last two.
 *
 * With material velocities V_f, V_h of the two points and angular velocities w_A, w_B,
 *     dR'  = f_i x_i' - h_j x_j' + V_f - V_h,      f_u' = f_uu u' + f_uv v' + w_A x f_u,      h_r' likewise with w_B.
 * So, with c_A = V_f - V_h - w_A x dR and c_B = V_f - V_h - w_B x dR,
 *     (dR.f_i)' = (f_i.f_k + dR.f_ik) x_k' - f_i.h_j x_j' + c_A.f_i
 *     (dR.h_j)' = h_j.f_k x_k' + (-h_j.h_l + dR.h_jl) x_l' + c_B.h_j
 * which are 001 (5) to (8), and for the normal n = f_u x f_v against the tangents of the other side
 *     (n.h_j)'  = n_k.h_j x_k' + n.h_jl x_l' + n.((w_B - w_A) x h_j),
 *     n_u = f_uu x f_v + f_u x f_uv,   n_v = f_uv x f_v + f_u x f_vv.
 * This is free of where the origins are.
 */
#ifndef PAIR_CONDITIONS_H
#define PAIR_CONDITIONS_H

#include "../../include/witness/track.h"
#include "moving.h"

typedef struct pair_rows {
    int count, count_a;
    bool contact; /* the contact form is in use: a face on one side and parameters on both */
    wit_vec3 gap; /* dR = f - h */
    double psi[WIT_MAX_PARAMETERS];
    double M[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS]; /* row-major, count x count */
    double b[WIT_MAX_PARAMETERS];
    double error[WIT_MAX_PARAMETERS]; /* cosine between the two vectors of each condition; 0 where one vanishes */
} pair_rows;

/* The side whose normal the contact form uses: 0 a, 1 b, -1 none of them is a face. */
static inline int pair_face(const moving* a, const moving* b)
{
    return a->face ? 0 : b->face ? 1 : -1;
}

/* Psi, M and b of a form. */
void wi_condition_rows(const moving* a, const moving* b, wit_form form, pair_rows* out);
/* The normalised errors alone. */
void wi_condition_errors(const moving* a, const moving* b, wit_form form, double error[WIT_MAX_PARAMETERS]);

/* Gradient g and Hessian H of |dR|^2 / 2 over all parameters: Psi and M of the papers' form with the rows of b turned
 * round (S M). Returns the number of parameters. */
int wi_condition_hessian(const moving* a, const moving* b, double* g, double* H);
/* By H in arc length, over the parameters whose bit in `held` is not set. */
wit_stationary wi_condition_kind(const moving* a, const moving* b, unsigned held);

/*
 * Unit, from a to b: the outward normal of the face of pair_face in CONTACT form, else along the gap; where the gap
 * vanishes the normal of a face, the common perpendicular of two edges, or zero. `distance`: (h - f) along it.
 */
wit_vec3 wi_condition_normal(const moving* a, const moving* b, wit_form form, double* distance);

#endif
