/* SPDX-License-Identifier: MIT */
#include "law.h"

#include <string.h>

#include "../base/interval.h"
#include "../base/solve.h"
#include "law_run.h"

/* A tangent that is shorter than this part of the rest is one of a pole: its parameter says nothing. */
#define LAW_DEAD 1e-9
/* The term of an edge that divides by the projection on it is left out below this cosine. */
#define LAW_LEVEL 1e-9

void wi_law_state_of(const pair_motion* s, const place at[2], const moving m[2], wit_form form, law_state* out)
{
    out->form = form;
    out->count = 0;
    for (int k = 0; k < 2; ++k) {
        wit_interval range[2] = {{0, 0}, {0, 0}};
        bool closed[2] = {false, false};
        pair_motion_range(s, k, &at[k], range, closed);
        out->side[k] = &m[k];
        for (int i = 0; i < m[k].count; ++i, ++out->count) {
            out->x[out->count] = at[k].x[i];
            out->range[out->count] = range[i];
            out->closed[out->count] = closed[i];
        }
        if (k == 0) out->count_a = out->count;
    }
}

law_metric wi_law_metric_of(const law_state* at, int which)
{
    const moving* m = at->side[which];
    int first = which ? at->count_a : 0;
    law_metric I = {0, 0, 0, {false, false}};
    if (m->count == 0) return I;
    I.E = dot3(m->d[0], m->d[0]);
    double reach = norm3(sub3(at->side[0]->p, at->side[1]->p)), long_u = sqrt(I.E) * iv_width(at->range[first]);
    if (m->count == 1) {
        I.dead[0] = !(long_u > LAW_DEAD * reach);
        return I;
    }
    I.F = dot3(m->d[0], m->d[1]);
    I.G = dot3(m->d[1], m->d[1]);
    double long_v = sqrt(I.G) * iv_width(at->range[first + 1]);
    I.dead[0] = !(long_u > LAW_DEAD * larger(reach, long_v));
    I.dead[1] = !(long_v > LAW_DEAD * larger(reach, long_u));
    return I;
}

/* ---- gradient laws ------------------------------------------------------------------------- */

/* One side as the gradient laws see it. */
typedef struct slope {
    const wit_law_def* law;
    const gain_set* gains;
    int which, count, first; /* first: of its parameters in the state */
    law_metric I;
    double square;           /* |dR|^2 */
    double p[2], psi[2];     /* covariant, contravariant */
    double q[2], against[2]; /* q.d_i, and the part b' of it that raises |dR| */
    double gain;             /* that acted last */
} slope;

/* psi of 000 (4). */
static void contravariant(slope* s)
{
    double g[2] = {s->p[0], s->p[1]};
    for (int i = 0; i < 2; ++i)
        if (s->I.dead[i]) g[i] = 0;
    s->psi[0] = s->psi[1] = 0;
    if (s->count == 1) {
        if (!s->I.dead[0]) s->psi[0] = g[0] / s->I.E;
    } else if (s->I.dead[0] || s->I.dead[1]) {
        if (!s->I.dead[0]) s->psi[0] = g[0] / s->I.E;
        if (!s->I.dead[1]) s->psi[1] = g[1] / s->I.G;
    } else if (!solve2_definite(s->I.E, s->I.F, s->I.G, g, s->psi)) { /* tangents in one line: the better one moves */
        bool v = g[1] * g[1] * s->I.E > g[0] * g[0] * s->I.G;
        s->psi[v] = g[v] / (v ? s->I.G : s->I.E);
    }
}

static slope slope_of(const wit_law_def* law, const law_state* at, const gain_set* gains, int which)
{
    const moving *own = at->side[which], *other = at->side[!which];
    wit_vec3 r = sub3(own->p, other->p);
    slope s = {.law = law, .gains = gains, .which = which, .count = own->count, .first = which ? at->count_a : 0};
    s.I = wi_law_metric_of(at, which);
    s.square = dot3(r, r);
    for (int i = 0; i < s.count; ++i) s.p[i] = dot3(r, own->d[i]);
    contravariant(&s);
    if (law->kind != WIT_LAW_MOTION_AWARE || (which == 1 && at->count_a > 0)) return s;
    wit_vec3 q = add3(sub3(other->velocity, own->velocity), cross3(own->angular, r));
    for (int i = 0; i < s.count; ++i) {
        s.q[i] = dot3(q, own->d[i]);
        if (s.psi[i] * s.q[i] < 0 && !s.I.dead[i]) s.against[i] = s.q[i];
    }
    return s;
}

/* 000, Remark 1: |dR|^2 / |psi|^2; below the ball, tangential^2 / |dR|^2 < ball^2, it grows no more; never above the
 * cap. */
static double exponential_gain(const slope* s, double psi_square, double tangential_square)
{
    if (!(psi_square > 0)) return 0;
    double K = s->square / psi_square, ball = s->law->ball * s->law->ball * s->square;
    if (tangential_square < ball) K *= tangential_square / ball;
    return smaller(K, s->gains->cap);
}

/*
 * |psi|^2 with each part measured along its parameter line, over the longer tangent: (E psi_u^2 + G psi_v^2) /
 * max(E, G). The plain psi_u^2 + psi_v^2 is not less, so the promised decay stays; it is the same for tangents of
 * one length. But beside a pole psi_u grows as 1 / |f_u|, and with the plain one the law would all but stop there.
 */
static double arc_square(const slope* s)
{
    double u = s->psi[0] * s->psi[0], v = s->psi[1] * s->psi[1], longest = larger(s->I.E, s->I.G);
    return s->count == 1 || !(longest > 0) ? u : (s->I.E * u + s->I.G * v) / longest;
}

/* 000 (5); with the motion cancelled the third line of 000 (13). */
static void face_speed(slope* s, double w[2])
{
    const double* psi = s->psi;
    double K = s->count == 2 ? s->gains->side[s->which] : s->gains->parameter[2 * s->which];
    if (s->law->kind == WIT_LAW_EXPONENTIAL)
        K = exponential_gain(s, arc_square(s), psi[0] * s->p[0] + psi[1] * s->p[1]);
    s->gain = K;
    for (int i = 0; i < 2; ++i) w[i] = -K * psi[i];
    if (s->against[0] == 0 && s->against[1] == 0) return;
    double feed[2] = {0, 0};
    if (s->count == 1)
        feed[0] = s->against[0] / s->I.E;
    else if (s->I.dead[0] || s->I.dead[1] || !solve2_definite(s->I.E, s->I.F, s->I.G, s->against, feed))
        return;
    for (int i = 0; i < 2; ++i) w[i] += feed[i];
}

/* Along the border on which the other parameter of the face is held: 000 (7), or the first two lines of 000 (13). */
static double edge_speed(slope* s, int i)
{
    if (s->I.dead[i]) return 0;
    double square = i ? s->I.G : s->I.E, along = s->p[i] / square, tangential = along * s->p[i];
    double k = s->gains->parameter[2 * s->which + i];
    if (s->law->kind == WIT_LAW_EXPONENTIAL) k = exponential_gain(s, along * along, tangential);
    s->gain = k;
    double w = -k * along, against = s->psi[0] * s->against[0] + s->psi[1] * s->against[1];
    /* what cancelling does to V on the face, psi.b', is done along the edge */
    if (against != 0 && tangential > LAW_LEVEL * LAW_LEVEL * s->square) w += against / s->p[i];
    return w;
}

/* The mode of one side, 000 (1), and its speeds. */
static unsigned side_free(const law_state* at, slope* s, double w[2])
{
    face_speed(s, w);
    if (s->count == 1) {
        if (!law_leaves(at, s->first, w[0])) return 0;
        w[0] = 0;
        return 1;
    }
    bool out[2] = {law_leaves(at, s->first, w[0]), law_leaves(at, s->first + 1, w[1])};
    if (!out[0] && !out[1]) return 0;
    /* Hold the one that leaves; if the way along that edge leads out as well, the other edge is tried: with I > 0 at
     * most one of the two leads away from a corner. */
    for (int k = 0; k < 2; ++k) {
        int held = out[0] ? k : 1 - k, moves = 1 - held;
        double speed = edge_speed(s, moves);
        bool stays = !law_leaves(at, s->first + moves, speed);
        bool corner = at->x[s->first + held] <= at->range[s->first + held].lo ||
                      at->x[s->first + held] >= at->range[s->first + held].hi;
        if (!stays || !corner || at->closed[s->first + held]) continue;
        w[held] = 0;
        w[moves] = speed;
        return 1u << held;
    }
    w[0] = w[1] = 0;
    return 3;
}

static void side_fixed(slope* s, unsigned held, double w[2])
{
    w[0] = w[1] = 0;
    unsigned all = s->count == 2 ? 3 : 1;
    if ((held & all) == all) return;
    if (s->count == 1 || held == 0)
        face_speed(s, w);
    else
        w[held & 1 ? 1 : 0] = edge_speed(s, held & 1 ? 1 : 0);
}

/* Each side by itself: 000 (14). */
static void gradient_answer(const wit_law_def* law, const law_state* at, const gain_set* gains, int mode,
                            law_answer* out)
{
    memset(out, 0, sizeof *out);
    for (int which = 0; which < 2; ++which) {
        slope s = slope_of(law, at, gains, which);
        if (s.count == 0) continue;
        double w[2];
        unsigned held = mode == LAW_FREE ? side_free(at, &s, w) : (unsigned)mode >> s.first & (s.count == 2 ? 3u : 1u);
        if (mode != LAW_FREE) side_fixed(&s, held, w);
        out->held |= held << s.first;
        for (int i = 0; i < s.count; ++i) out->speed[s.first + i] = w[i];
        out->gain = larger(out->gain, s.gain);
    }
}

/* ---- linearizing --------------------------------------------------------------------------- */

/* Row i of K Psi, 001 (14), over the parameters that are not held. */
static double gained(const gain_set* g, const law_state* at, const double* psi, unsigned held, int i)
{
    if (g->order == at->count) {
        double sum = 0;
        for (int j = 0; j < at->count; ++j)
            if (!(held >> j & 1)) sum += g->matrix[i * at->count + j] * psi[j];
        return sum;
    }
    if (!g->each) return g->scalar * psi[i];
    int which = i >= at->count_a, first = which ? at->count_a : 0;
    bool face = at->side[which]->count == 2 && (held >> first & 3) == 0;
    return (face ? g->side[which] : g->parameter[2 * which + i - first]) * psi[i];
}

void wi_law_outer(const wit_law_def* law, const law_state* at, const gain_set* g, const law_outer* in, double* mu)
{
    for (int i = 0; i < at->count; ++i) mu[i] = -gained(g, at, in->psi, in->held, i);
    if (!law->outer) return;
    wit_outer_view view = {.count = at->count,
                           .count_a = at->count_a,
                           .form = in->form,
                           .x = at->x,
                           .psi = in->psi,
                           .distance = in->distance,
                           .gain = g->scalar,
                           .dt = g->dt,
                           .held = in->held};
    double own[WIT_MAX_PARAMETERS] = {0};
    memcpy(own, mu, sizeof(double) * (size_t)at->count);
    bool good = law->outer(&view, own, law->outer_user);
    for (int i = 0; i < at->count; ++i) good = good && isfinite(own[i]);
    if (good) memcpy(mu, own, sizeof(double) * (size_t)at->count);
}

/* The speeds of the free parameters, 001 (12), with the mu of the outer loop; false: singular. */
static bool reduced_speeds(const law_state* at, const pair_rows* rows, const double* mu, unsigned held, double* speed)
{
    int index[WIT_MAX_PARAMETERS], n = 0;
    double m[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], right[WIT_MAX_PARAMETERS];
    for (int i = 0; i < at->count; ++i) {
        speed[i] = 0;
        if (!(held >> i & 1)) index[n++] = i;
    }
    if (n == 0) return true;
    for (int i = 0; i < n; ++i) {
        right[i] = mu[index[i]] - rows->b[index[i]];
        for (int j = 0; j < n; ++j) m[i * n + j] = rows->M[index[i] * at->count + index[j]];
    }
    lu f;
    if (!wi_lu_factor(&f, n, m)) return false;
    wi_lu_solve(&f, right, right);
    for (int i = 0; i < n; ++i) speed[index[i]] = right[i];
    return true;
}

/* The rows of the form, but the papers' ones where the face of the contact form is held. */
static bool rows_for(const law_state* at, unsigned held, pair_rows* rows)
{
    int face = pair_face(at->side[0], at->side[1]);
    unsigned of_face = face == 1 ? held >> at->count_a : held & ((1u << at->count_a) - 1);
    bool papers = at->form == WIT_FORM_PAPERS || of_face != 0;
    wi_condition_rows(at->side[0], at->side[1], papers ? WIT_FORM_PAPERS : WIT_FORM_CONTACT, rows);
    return at->form == WIT_FORM_CONTACT && papers;
}

/* The first free parameter that stands at a border and would leave through it; -1: none. */
static int first_leaving(const law_state* at, unsigned held, const double* speed)
{
    for (int i = 0; i < at->count; ++i)
        if (!(held >> i & 1) && law_leaves(at, i, speed[i])) return i;
    return -1;
}

static bool linearizing_answer(const wit_law_def* law, const law_state* at, const gain_set* gains, const double* psi,
                               int mode, law_answer* out)
{
    memset(out, 0, sizeof *out);
    out->gain = gains->scalar;
    unsigned held = mode == LAW_FREE ? 0 : (unsigned)mode;
    for (int k = 0; k <= at->count; ++k) {
        pair_rows rows;
        bool turned = rows_for(at, held, &rows); /* integrated values belong to the other form then */
        law_outer in = {psi && !turned ? psi : rows.psi, held, rows.contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS,
                        norm3(rows.gap)};
        double mu[WIT_MAX_PARAMETERS];
        wi_law_outer(law, at, gains, &in, mu);
        if (!reduced_speeds(at, &rows, mu, held, out->speed)) return false;
        out->held = held;
        if (mode != LAW_FREE) return true;
        int leaving = first_leaving(at, held, out->speed);
        if (leaving < 0) return true;
        held |= 1u << leaving;
    }
    return true;
}

/* ---- flows that are one function ----------------------------------------------------------- */

/* The metric of both sides. */
static void metric_of(const law_state* at, double* I)
{
    memset(I, 0, sizeof(double) * WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS);
    for (int which = 0; which < 2; ++which) {
        const moving* m = at->side[which];
        int first = which ? at->count_a : 0;
        for (int i = 0; i < m->count; ++i)
            for (int j = 0; j < m->count; ++j) I[(first + i) * at->count + first + j] = dot3(m->d[i], m->d[j]);
    }
}

/* Its speeds with these parameters held; false: it has none. */
static bool own_speeds(const wit_law_def* law, const law_state* at, const gain_set* gains, unsigned held, double* speed)
{
    pair_rows rows;
    double I[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    if (law->kind == WIT_LAW_OWN)
        rows_for(at, held, &rows);
    else
        wi_condition_rows(at->side[0], at->side[1], WIT_FORM_PAPERS, &rows);
    metric_of(at, I);
    wit_flow_view view = {.count = at->count,
                          .count_a = at->count_a,
                          .form = rows.contact ? WIT_FORM_CONTACT : WIT_FORM_PAPERS,
                          .x = at->x,
                          .psi = rows.psi,
                          .M = rows.M,
                          .b = rows.b,
                          .I = I,
                          .distance = norm3(rows.gap),
                          .gain = gains->scalar,
                          .dt = gains->dt,
                          .held = held};
    for (int i = 0; i < WIT_MAX_PARAMETERS; ++i) speed[i] = 0;
    if (!wi_law_function(law)(&view, speed, law->kind == WIT_LAW_OWN ? law->flow_user : NULL)) return false;
    for (int i = 0; i < WIT_MAX_PARAMETERS; ++i) {
        if (i >= at->count || (held >> i & 1)) speed[i] = 0;
        if (!isfinite(speed[i])) return false;
    }
    return true;
}

/* In a corner of a face: along which of the two borders does it stay? That one is held; both, if none. */
static unsigned corner_of(const wit_law_def* law, const law_state* at, const gain_set* gains, unsigned held, int first)
{
    double speed[WIT_MAX_PARAMETERS];
    for (int k = 0; k < 2; ++k) {
        unsigned one = held & ~(1u << (first + k));
        if (own_speeds(law, at, gains, one, speed) && !law_leaves(at, first + k, speed[first + k])) return one;
    }
    return held;
}

/* Parameters that would leave are held one after the other, and it is asked again. */
static bool own_answer(const wit_law_def* law, const law_state* at, const gain_set* gains, int mode, law_answer* out)
{
    memset(out, 0, sizeof *out);
    out->gain = gains->scalar;
    unsigned held = mode == LAW_FREE ? 0 : (unsigned)mode;
    for (int leaving = 0; leaving >= 0;) {
        if (!own_speeds(law, at, gains, held, out->speed)) return false;
        out->held = held;
        leaving = mode == LAW_FREE ? first_leaving(at, held, out->speed) : -1;
        if (leaving >= 0) held |= 1u << leaving;
    }
    for (int which = 0; which < 2 && mode == LAW_FREE && law->kind != WIT_LAW_OWN; ++which) {
        int first = which ? at->count_a : 0;
        if (at->side[which]->count == 2 && (held >> first & 3) == 3) held = corner_of(law, at, gains, held, first);
    }
    if (held == out->held) return true;
    out->held = held;
    return own_speeds(law, at, gains, held, out->speed);
}

void wi_law_answer_at(const wit_law_def* law, const law_state* at, const gain_set* gains, const double* psi, int mode,
                      law_answer* out)
{
    bool function = wi_law_run(law->kind) == LAW_RUN_FUNCTION, linearizing = law->kind == WIT_LAW_LINEARIZING;
    if (linearizing && linearizing_answer(law, at, gains, psi, mode, out)) return;
    if (function && own_answer(law, at, gains, mode, out)) return;
    gradient_answer(law, at, gains, mode, out);
    out->fell_back = function || linearizing;
}
