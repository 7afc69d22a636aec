/* SPDX-License-Identifier: MIT */
/* Rows of Psi, M and b; the joint Hessian; the normal. The equations stand in conditions.h and contact_form.h. */
#include "conditions.h"

#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "contact_form.h"

static double* entry(pair_rows* k, int row, int column)
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
static void gap_rows(pair_rows* k, const moving* own, int first, const moving* other, int across, double sign)
{
    wit_vec3 c = sub3(scale3(sign, sub3(own->velocity, other->velocity)), cross3(own->angular, k->gap));
    for (int i = 0; i < own->count; ++i) {
        int row = first + i;
        k->psi[row] = dot3(k->gap, own->d[i]);
        k->b[row] = dot3(c, own->d[i]);
        for (int j = 0; j < own->count; ++j)
            *entry(k, row, first + j) = form_own(sign, k->gap, own->d[i], own->d[j], own->dd[i + j]);
        for (int j = 0; j < other->count; ++j) *entry(k, row, across + j) = form_across(sign, own->d[i], other->d[j]);
    }
}

/* Rows n.h_j of the side that is not the face's. */
static void normal_rows(pair_rows* k, const moving* face, int first, const moving* other, int across)
{
    wit_vec3 n = cross3(face->d[0], face->d[1]), turn[2];
    form_turn(face->d[0], face->d[1], face->dd[0], face->dd[1], face->dd[2], turn);
    wit_vec3 spin = sub3(other->angular, face->angular);
    for (int i = 0; i < other->count; ++i) {
        int row = across + i;
        k->psi[row] = dot3(n, other->d[i]);
        k->b[row] = dot3(n, cross3(spin, other->d[i]));
        for (int j = 0; j < face->count; ++j) *entry(k, row, first + j) = dot3(turn[j], other->d[i]);
        for (int j = 0; j < other->count; ++j) *entry(k, row, across + j) = dot3(n, other->dd[i + j]);
    }
}

static bool uses_contact(const moving* a, const moving* b, wit_form form)
{
    return form == WIT_FORM_CONTACT && pair_face(a, b) >= 0 && a->count && b->count;
}

void wi_condition_rows(const moving* a, const moving* b, wit_form form, pair_rows* out)
{
    pair_rows* k = out;
    k->count_a = a->count;
    k->count = a->count + b->count;
    k->gap = sub3(a->p, b->p);
    k->contact = uses_contact(a, b, form);
    int face = pair_face(a, b);
    if (!k->contact || face == 0) gap_rows(k, a, 0, b, a->count, 1);
    if (!k->contact || face == 1) gap_rows(k, b, a->count, a, 0, -1);
    if (k->contact && face == 0) normal_rows(k, a, 0, b, a->count);
    if (k->contact && face == 1) normal_rows(k, b, a->count, a, 0);
}

void wi_condition_errors(const moving* a, const moving* b, wit_form form, double error[WIT_MAX_PARAMETERS])
{
    bool contact = uses_contact(a, b, form);
    int face = pair_face(a, b);
    wit_vec3 gap = sub3(a->p, b->p), n = {0, 0, 0};
    if (contact) n = face ? cross3(b->d[0], b->d[1]) : cross3(a->d[0], a->d[1]);
    for (int i = 0; i < a->count; ++i) error[i] = cosine(contact && face == 1 ? n : gap, a->d[i]);
    for (int i = 0; i < b->count; ++i) error[a->count + i] = cosine(contact && face == 0 ? n : gap, b->d[i]);
}

int wi_condition_hessian(const moving* a, const moving* b, double* g, double* H)
{
    pair_rows k;
    wi_condition_rows(a, b, WIT_FORM_PAPERS, &k);
    for (int i = 0; i < k.count; ++i) {
        double sign = i < k.count_a ? 1 : -1;
        g[i] = sign * k.psi[i];
        for (int j = 0; j < k.count; ++j) H[i * k.count + j] = sign * k.M[i * k.count + j];
    }
    return k.count;
}

wit_stationary wi_condition_kind(const moving* a, const moving* b, unsigned held)
{
    double g[WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], values[WIT_MAX_PARAMETERS];
    double length[WIT_MAX_PARAMETERS], free_H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    int n = wi_condition_hessian(a, b, g, H), index[WIT_MAX_PARAMETERS], m = 0;
    for (int i = 0; i < n; ++i) {
        double l = norm3(i < a->count ? a->d[i] : b->d[i - a->count]);
        length[i] = l > 0 ? l : 1;
        if (!(held >> i & 1)) index[m++] = i;
    }
    if (m == 0) return WIT_STATIONARY_MINIMUM;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j)
            free_H[i * m + j] = H[index[i] * n + index[j]] / (length[index[i]] * length[index[j]]);
    if (!wi_eigen_symmetric(m, free_H, values, NULL)) return WIT_STATIONARY_FLAT;
    double noise = 4096 * DBL_EPSILON * larger(1, larger(fabs(values[0]), fabs(values[m - 1])));
    bool up = values[m - 1] > noise, down = values[0] < -noise, level = false;
    for (int i = 0; i < m; ++i) level = level || fabs(values[i]) <= noise;
    if (up && down) return WIT_STATIONARY_SADDLE;
    return level ? WIT_STATIONARY_FLAT : up ? WIT_STATIONARY_MINIMUM : WIT_STATIONARY_MAXIMUM;
}

/* The outward normal of a face, turned so that it leads from a to b. */
static wit_vec3 face_normal(const moving* face, bool is_b)
{
    wit_vec3 n = unit3(cross3(face->d[0], face->d[1]));
    return face->reversed != is_b ? scale3(-1, n) : n;
}

wit_vec3 wi_condition_normal(const moving* a, const moving* b, wit_form form, double* distance)
{
    wit_vec3 gap = sub3(a->p, b->p), along = unit3(scale3(-1, gap)), normal = along;
    int face = pair_face(a, b);
    bool level = dot3(along, along) == 0; /* no gap to go by */
    if (face >= 0 && (form == WIT_FORM_CONTACT || level)) {
        wit_vec3 n = face_normal(face ? b : a, face == 1);
        if (dot3(n, n) > 0) normal = n;
    } else if (level && a->count == 1 && b->count == 1) {
        normal = unit3(cross3(a->d[0], b->d[0]));
    }
    *distance = form == WIT_FORM_CONTACT && face >= 0 ? -dot3(gap, normal) : norm3(gap);
    return normal;
}
