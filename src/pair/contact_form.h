/* SPDX-License-Identifier: MIT */
/*
 * The contact form of a pair, entry by entry. With f on the side of a face, h on the other side, dR = sign (f - h), sign 1 if
 * the face is that of a and -1 if it is that of b, and n = f_u x f_v,
 *     Psi = ( dR.f_i, n.h_j )
 * and its derivative by the parameters, in blocks (own ones first):
 *     M = [P B; C D],   P_ik = sign f_i.f_k + dR.f_ik,   B_ij = -sign f_i.h_j,   C_jk = n_k.h_j,   D_jl = n.h_jl
 *     n_u = f_uu x f_v + f_u x f_uv,   n_v = f_uv x f_v + f_u x f_vv.
 * Rows dR.f_i are 001 (1) and (2); those of n stand in place of 001 (3) and (4): in substance the alternate set of equations that
 * 001 names after (4). The Schur complement S = D - C P^-1 B is, along the outward normal, the second derivative of the signed distance
 * over the other side.
 *
 * Who includes this may have its own sums of products (fused ones, say), which are then part of its bits: FORM_DOT(x, y) and
 * FORM_CROSS(x, y) are dot3 and cross3 unless defined before, FORM_INLINE the attributes of these functions.
 */
#ifndef PAIR_CONTACT_FORM_H
#define PAIR_CONTACT_FORM_H

#include "../base/vec.h"

#ifndef FORM_DOT
#define FORM_DOT dot3
#define FORM_CROSS cross3
#define FORM_INLINE static inline
#endif

/* P_ik, of a gap r = dR */
FORM_INLINE double form_own(double sign, wit_vec3 r, wit_vec3 fi, wit_vec3 fk, wit_vec3 fik)
{
    return sign * FORM_DOT(fi, fk) + FORM_DOT(r, fik);
}

/* B_ij */
FORM_INLINE double form_across(double sign, wit_vec3 fi, wit_vec3 hj)
{
    return -sign * FORM_DOT(fi, hj);
}

/* n_u and n_v */
FORM_INLINE void form_turn(wit_vec3 fu, wit_vec3 fv, wit_vec3 fuu, wit_vec3 fuv, wit_vec3 fvv, wit_vec3 turn[2])
{
    turn[0] = add3(FORM_CROSS(fuu, fv), FORM_CROSS(fu, fuv));
    turn[1] = add3(FORM_CROSS(fuv, fv), FORM_CROSS(fu, fvv));
}

/* An entry of S = D - C P^-1 B: of D, of a row of C and a column of P^-1 B (or a row of C P^-1 and a column of B). */
FORM_INLINE double form_schur(double D, double row0, double row1, double column0, double column1)
{
    return D - row0 * column0 - row1 * column1;
}

#endif
