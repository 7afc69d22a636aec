/* SPDX-License-Identifier: MIT */
#include "graph_form.h"

#include "../../geom/bounds.h"
#include "../../geom/tangent_jump.h"

#define WIDEST 1.2     /* radians: normals lean by less */
#define STRETCH 0.6    /* E at most */
#define ROUNDING 1e-13 /* of all here, and more than that of the axes */
#define LEAST 1e-3     /* l at least */
#define HELD 0.9       /* E sqrt(m / l) at most */

static double frobenius(const double a[2][2])
{
    return sqrt(a[0][0] * a[0][0] + a[0][1] * a[0][1] + a[1][0] * a[1][0] + a[1][1] * a[1][1]);
}

/* J0 from the middles, its inverse, and how far J J0^-1 can be from 1. */
bool wi_graph_chart(const wit_interval (*d)[3], graph_form* out)
{
    double m[2][2], off[2][2], e[2][2], (*inv)[2] = out->inverse;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i) {
            m[k][i] = iv_mid(d[i][k]);
            off[k][i] = 0.5 * iv_width(d[i][k]) + ROUNDING * iv_mag(d[i][k]);
        }
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0], size = frobenius((const double(*)[2])m);
    if (!(fabs(det) > 1e-9 * size * size)) return false;
    inv[0][0] = m[1][1] / det, inv[0][1] = -m[0][1] / det;
    inv[1][0] = -m[1][0] / det, inv[1][1] = m[0][0] / det;
    for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j) e[k][j] = off[k][0] * fabs(inv[0][j]) + off[k][1] * fabs(inv[1][j]);
    /* what rounding makes of the inverse: relative to size^2 / det */
    out->stretch = frobenius((const double(*)[2])e) * (1 + ROUNDING) + ROUNDING * size * size / fabs(det);
    return out->stretch < STRETCH;
}

/* The extreme eigenvalues of f'', from B in the coordinates eta. */
void wi_graph_bend(const wit_interval (*d2)[3], graph_form* out)
{
    static const int pair[2][2] = {{0, 1}, {1, 2}};
    double c[3], r[3], (*a)[2] = out->inverse, C[2][2], R[2][2];
    for (int k = 0; k < 3; ++k) { /* B_ij = n.S_ij - f'.S_ij */
        double x = iv_mag(d2[k][0]), y = iv_mag(d2[k][1]), across = sqrt(x * x + y * y);
        c[k] = iv_mid(d2[k][2]);
        r[k] = 0.5 * iv_width(d2[k][2]) + out->lean * across + ROUNDING * (across + iv_mag(d2[k][2]));
    }
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            C[i][j] = R[i][j] = 0;
            for (int k = 0; k < 2; ++k)
                for (int l = 0; l < 2; ++l) {
                    C[i][j] += a[k][i] * c[pair[k][l]] * a[l][j];
                    R[i][j] += fabs(a[k][i]) * (r[pair[k][l]] + ROUNDING * fabs(c[pair[k][l]])) * fabs(a[l][j]);
                }
        }
    double mean = 0.5 * (C[0][0] + C[1][1]), half = 0.5 * (C[0][0] - C[1][1]), mixed = 0.5 * (C[0][1] + C[1][0]);
    double spread =
        sqrt(half * half + mixed * mixed) * (1 + ROUNDING) + frobenius((const double(*)[2])R) * (1 + ROUNDING);
    /* J = (1 + E) J0: |J0 J^-1| <= 1 / (1 - E) */
    double grow = 1 / ((1 - out->stretch) * (1 - out->stretch));
    out->up = larger(0, mean + spread) * grow * (1 + ROUNDING);
    out->down = larger(0, spread - mean) * grow * (1 + ROUNDING);
}

static double jump_at(const wit_surface* s, int k, int border, graph_kept* kept)
{
    wit_direction along = k == 0 ? WIT_U : WIT_V;
    if (!kept) return wi_surface_tangent_jump(s, along, border);
    int knot = 2 * border + k, at = knot % GRAPH_KEPT;
    if (kept->at[at].surface != s || kept->at[at].knot != knot) {
        kept->at[at].surface = s;
        kept->at[at].knot = knot;
        kept->at[at].jump = wi_surface_tangent_jump(s, along, border);
    }
    return kept->at[at].jump;
}

/*
 * How much w may jump for |s| = 1: by the jump of f', which is that of normals that turn by a crease at most, or follows from J^T f' =
 * (S_u.n, S_v.n) where that of S_u is known. False: there are too many knots.
 */
bool wi_graph_jumps(const wit_surface* s, const wit_interval box[2], double crease, graph_form* f, int* knots,
                    graph_kept* kept)
{
    *knots = 0;
    f->jump = 0;
    for (int k = 0; k < 2 && crease > 0; ++k) {
        int count;
        const double *at = wit_surface_breaks(s, k == 0 ? WIT_U : WIT_V, &count), *row = f->inverse[k];
        double share = sqrt(row[0] * row[0] + row[1] * row[1]) * (1 + f->lean) / (1 - f->stretch);
        bool closed = k == 0 ? s->closed_u : s->closed_v;
        double period = closed ? iv_width(k == 0 ? s->u : s->v) : 0;
        for (int turn = -closed; turn <= closed; ++turn)
            for (int i = closed; i < count; ++i) {
                double x = at[i] + turn * period;
                bool seam = closed || (i > 0 && i < count - 1); /* else it is an edge */
                if (!seam || !(x >= box[k].lo && x <= box[k].hi)) continue;
                if (++*knots > GRAPH_KNOTS) return false;
                double jump = jump_at(s, k, i == count - 1 ? 0 : i, kept);
                f->jump += smaller(crease * (1 + f->lean * f->lean), jump * share);
            }
    }
    f->jump *= 1 + ROUNDING;
    return true;
}

bool wi_graph_form(const wit_surface* s, wit_interval u, wit_interval v, double crease, graph_form* out,
                   graph_work* work)
{
    wit_cone cone;
    wit_vec3 axes[3];
    surface_enclosure e;
    double sine, cosine;
    *work = (graph_work){1, 0};
    if (!wi_surface_normal_cone(s, u, v, &cone) || !(cone.angle < WIDEST)) return false;
    work->enclosures++;
    out->axis = axes[2] = cone.axis;
    complete3(axes[2], &axes[0], &axes[1]);
    wi_surface_enclose_to(s, u, v, axes, D30, &e);
    wit_sincos(cone.angle, &sine, &cosine);
    out->lean = sine / cosine * (1 + ROUNDING);
    out->height = iv_widen(e.d[D00][2], ROUNDING * (iv_mag(e.d[D00][0]) + iv_mag(e.d[D00][1]) + iv_mag(e.d[D00][2])));
    if (!wi_graph_chart((const wit_interval(*)[3]) & e.d[D10], out)) return false;
    wi_graph_bend((const wit_interval(*)[3]) & e.d[D20], out);
    return isfinite(out->up + out->down) &&
           wi_graph_jumps(s, (const wit_interval[2]){u, v}, crease, out, &work->knots, NULL);
}

/* s over the box, for all points within `way` of q. */
static wit_interval heights(const graph_form* f, wit_vec3 q, double way)
{
    double at = dot3(f->axis, q), rounding = ROUNDING * (norm3(q) + iv_mag(f->height));
    return iv(f->height.lo - at - way - rounding, f->height.hi - at + way + rounding);
}

bool wi_graph_grip(const graph_form* f, wit_vec3 q, double way, graph_grip* out)
{
    wit_interval s = heights(f, q, way);
    double above = larger(0, s.hi), below = larger(0, -s.lo), e = f->stretch;
    out->least = 1 - above * f->down - below * f->up - ROUNDING;
    out->most = (1 + f->lean * f->lean + above * f->up + below * f->down) * (1 + ROUNDING);
    if (!(out->least > LEAST) || !(e * e * out->most <= HELD * HELD * out->least)) return false;
    out->grip = out->least * (1 - e * sqrt(out->most / out->least)) * (1 - ROUNDING);
    out->factor = (1 + out->most * (1 + e) / out->grip) * (1 + e) / out->grip * (1 + ROUNDING);
    return true;
}

double wi_graph_life(const graph_form* f, wit_vec3 q)
{
    graph_grip g;
    if (!wi_graph_grip(f, q, 0, &g)) return 0;
    /* l falls, and m grows, by no more than (up + down) w: l - w b > k (m + w b) */
    double b = f->up + f->down, k = f->stretch * f->stretch / (HELD * HELD);
    if (!(b > 0)) return INFINITY;
    double room = smaller(g.least - LEAST, (g.least - k * g.most) / (1 + k));
    return 0.98 * larger(0, room) / b;
}

graph_measure wi_graph_measure(const graph_form* f)
{
    graph_measure m;
    double inverse = 1 / (1 - f->stretch);
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 2; ++k) m.inverse[i][k] = f->inverse[i][k] * inverse;
        m.row[i] = sqrt(m.inverse[i][0] * m.inverse[i][0] + m.inverse[i][1] * m.inverse[i][1]) * (1 + ROUNDING);
    }
    return m;
}
