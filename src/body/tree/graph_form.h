/* SPDX-License-Identifier: MIT */
/*
 * A box of parameters of a face that holds one foot of q at most, whatever its parameters are like.
 *
 * Let n be a unit vector that the normals N of the box lean from by less than a right angle, P the projection along n, J the
 * derivative of P S, 2 x 2, and f the height of the surface over the plane across n. In coordinates of that plane F = |S - q|^2 / 2
 * has the gradient w, where the normal at S meets the plane through q, and the second derivatives
 *
 *   G = 1 + f' f'^T + s f'',   s = (S - q).n,   f'' = J^-T B J^-1,   B_ij = N.S_ij / N.n,
 *
 * and g = J^T w. A foot is where w = 0. Take eta = J0 x for coordinates, J0 a constant matrix: the box stays convex, and
 *
 *   dw/deta = G (1 + E),   |J J0^-1 - 1| <= E.   With l <= G <= m:   d.G (1 + E) d >= l (1 - E sqrt(m / l)) |d|^2 = c |d|^2.
 *
 * With c > 0 no two places of the box have the same w: |eta - eta'| <= |w - w'| / c. So a foot y is within |w| / c of any place x,
 * and along the way between them |F(x) - F(y)| <= |w|^2 (1 + m (1 + E) / c) (1 + E) / c. Nothing is asked of the parameters but that J is about the
 * same all over the box, and across knots w is as continuous as the normals are.
 */
#ifndef BODY_GRAPH_FORM_H
#define BODY_GRAPH_FORM_H

#include "../../geom/shape.h"

typedef struct graph_form {
    wit_vec3 axis;        /* n */
    wit_interval height;  /* S.n */
    double inverse[2][2]; /* J0^-1: rows are parameters */
    double stretch;       /* E */
    double lean;          /* |f'| at most */
    double up, down;      /* f'' <= up, f'' >= -down; not negative */
    double jump;          /* w may jump by so many |s| across knots in the box, its borders included */
} graph_form;

/*
 * In parts: what the derivatives of a piece say along three axes, the last of which is n (d1: S_u, S_v; d2: S_uu, S_uv, S_vv).
 * Chart: J0 and E. Bend: up and down, from the chart and the lean; they bound the curvatures of the piece as well, along n. Jumps: of
 * tangents at knots, that turn by a crease at most; false: more than GRAPH_KNOTS.
 */
enum { GRAPH_KNOTS = 16, GRAPH_KEPT = 64 };
/* Jumps at knots that were asked for, to be asked for again; begin with zeros. */
typedef struct graph_kept {
    struct {
        const wit_surface* surface;
        int knot;
        double jump;
    } at[GRAPH_KEPT];
} graph_kept;
bool wi_graph_chart(const wit_interval (*d1)[3], graph_form* out);
void wi_graph_bend(const wit_interval (*d2)[3], graph_form* out);
/* `kept`: or null. */
bool wi_graph_jumps(const wit_surface* surface, const wit_interval box[2], double crease, graph_form* out, int* knots,
                    graph_kept* kept);

/* What a form took, for the account of work. */
typedef struct graph_work {
    int enclosures, knots;
} graph_work;

/* All of it for a box. False: the normals lean too much, or J changes too much, or there are too many knots. */
bool wi_graph_form(const wit_surface* surface, wit_interval u, wit_interval v, double crease, graph_form* out,
                   graph_work* work);

/* What holds for all points within `way` of q. */
typedef struct graph_grip {
    double least, most; /* l, m */
    double grip;        /* c */
    double factor;      /* |F(x) - F(y)| <= factor |w|^2 */
} graph_grip;

/* False: c is not above 0. */
bool wi_graph_grip(const graph_form* form, wit_vec3 q, double way, graph_grip* out);
/* The way for which that holds, or somewhat less; infinite for planes; 0: not even now. */
double wi_graph_life(const graph_form* form, wit_vec3 q);
/* |w| at most, from g = (S - q).S_i at a place of the box, and how much that changes at most where g does by `off`: by numbers of
 * the form that do not depend on q. */
typedef struct graph_measure {
    double inverse[2][2], row[2]; /* J0^-1 and the lengths of its rows, over 1 - E */
} graph_measure;
graph_measure wi_graph_measure(const graph_form* form);

static inline double graph_slope(const graph_measure* m, const double g[2])
{
    double a = g[0] * m->inverse[0][0] + g[1] * m->inverse[1][0], b = g[0] * m->inverse[0][1] + g[1] * m->inverse[1][1];
    return sqrt(a * a + b * b) * (1 + 1e-13);
}

static inline double graph_slope_error(const graph_measure* m, const double off[2])
{
    return off[0] * m->row[0] + off[1] * m->row[1];
}

#endif
