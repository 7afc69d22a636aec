/* SPDX-License-Identifier: MIT */
/*
 * What a point q sees of a piece of a body (shape_node.h), and for how long: every bound here holds for all places of the piece.
 *
 * With F = |S - q|^2 / 2, r = p - q, g_i = (S - q).S_i and H its second derivatives,
 *
 *   H_ij = S_i.S_j + (S - p).S_ij + r.S_ij          the first two terms do not depend on q: `form`
 *   |g_i(m + d) - g_i(m)| <= sum h_j |H_ij|         F(m + d) >= F(m) + g.d + d.H d / 2, H at its least
 *
 * A nearest place inside a face, or inside an edge, has g = 0 and, on a face, its normal along the way to q. So a piece has none
 * inside its feature while some a.g keeps its sign, or while no normal of it is along the way: its borders are other pieces',
 * edges' and vertices'. When q moves by w the distance to a place falls by no more than w, g_i changes by no more than w |S_i|, H_ij by no
 * more than w |S_ij|.
 */
#ifndef BODY_SHAPE_LOOK_H
#define BODY_SHAPE_LOOK_H

#include "shape_node.h"

#define SHAPE_LEAN 1e-6 /* of the axis of a cone as floats; the cones have room for it */

/* Derivatives of F at the middle, and H over the piece. */
typedef struct shape_view {
    wit_vec3 r;
    double gap;            /* |r| */
    double along, across;  /* of r, beside the axis: at most */
    double g[2], noise[2]; /* g at the middle is within the noise; what a crease adds is part of it */
    double lo[3], hi[3];   /* of H: uu, uv, vv */
} shape_view;

/* The distance from q to the box, rounded down. */
static inline double shape_box_bound(const shape_node* n, wit_vec3 q)
{
    const double x[3] = {q.x, q.y, q.z};
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        double out = larger(0, larger((double)n->box_lo[k] - x[k], x[k] - (double)n->box_hi[k]));
        square += out * out;
    }
    return sqrt(square) * (1 - SHAPE_ROUNDING);
}

/* |S_ij| at most. */
static inline double shape_second(const shape_node* n, int k)
{
    const float* d = n->d2[k];
    return (fabs((double)d[0]) + fabs((double)d[1]) + fabs((double)d[2]) + n->d2_along[k] + n->d2_across[k]) *
           (1 + SHAPE_ROUNDING);
}

/* In parts: r and what it is beside the axis, g along one parameter, one entry of H. */
static inline void shape_view_middle(const shape_node* n, wit_vec3 q, shape_view* v)
{
    wit_vec3 axis = shape_vector(n->axis);
    v->r = sub3(shape_point(n), q);
    v->gap = norm3(v->r);
    v->along = fabs(dot3(v->r, axis)) + SHAPE_LEAN * v->gap;
    v->across = norm3(cross3(v->r, axis)) + SHAPE_LEAN * v->gap;
}

static inline void shape_view_slope(const shape_node* n, shape_view* v, int i)
{
    double speed = n->speed[i], crease = n->crease;
    v->g[i] = dot3(v->r, shape_vector(n->d1[i]));
    v->noise[i] =
        (v->gap * (n->d1_error[i] + crease * speed) + (n->p_error + crease * n->radius) * speed) * (1 + SHAPE_ROUNDING);
}

static inline void shape_view_second(const shape_node* n, shape_view* v, int k)
{
    double turn = dot3(v->r, shape_vector(n->d2[k])), off = v->along * n->d2_along[k] + v->across * n->d2_across[k];
    v->lo[k] = n->form_lo[k] + turn - off;
    v->hi[k] = n->form_hi[k] + turn + off;
}

/* Not of a piece that is only a box. What the sums here round is part of what is stored: d1_error, d2_along, d2_across, form. */
static inline void shape_view_of(const shape_node* n, wit_vec3 q, shape_view* v)
{
    shape_view_middle(n, q, v);
    for (int i = 0; i < 2; ++i) shape_view_slope(n, v, i);
    for (int k = 0; k < 3; ++k) shape_view_second(n, v, k);
}

/* The least of a t^2 / 2 - b t over 0 <= t <= h, b >= 0. */
static inline double shape_least_along(double a, double b, double h)
{
    return a * h > b ? -0.5 * b * b / a : (0.5 * a * h - b) * h;
}

static inline double shape_ball_bound(const shape_node* n, const shape_view* v)
{
    return v->gap * (1 - SHAPE_ROUNDING) - n->radius;
}

/* No place is nearer than this: by the ball about p, and by Taylor's formula. 2 |H_uv d_u d_v| <= |H_uv| (d_u^2 h_v / h_u + d_v^2
 * h_u / h_v). */
static inline double shape_distance_bound(const shape_node* n, const shape_view* v)
{
    double ball = shape_ball_bound(n, v);
    double hu = n->h[0], hv = n->h[1], mixed = larger(-v->lo[1], v->hi[1]);
    double F = 0.5 * v->gap * v->gap - v->gap * n->p_error, size = v->gap * v->gap;
    if (n->parameters > 0) {
        double a = v->lo[0] - (hv > 0 && hu > 0 ? mixed * hv / hu : 0);
        F += shape_least_along(a, fabs(v->g[0]) + v->noise[0], hu);
        size += (fabs(v->g[0]) + v->noise[0] + fabs(a) * hu) * hu;
    }
    if (n->parameters > 1) {
        double a = v->lo[2] - (hv > 0 && hu > 0 ? mixed * hu / hv : 0);
        F += shape_least_along(a, fabs(v->g[1]) + v->noise[1], hv);
        size += (fabs(v->g[1]) + v->noise[1] + fabs(a) * hv) * hv;
    }
    F -= SHAPE_ROUNDING * size;
    return larger(ball, F > 0 ? sqrt(2 * F) * (1 - SHAPE_ROUNDING) : 0);
}

/* How far q may go, in any way, before a.g could vanish in the piece; not above 0: it may now. */
static inline double shape_slope_along(const shape_node* n, const shape_view* v, double au, double av)
{
    double lo[2], hi[2], mu = fabs(au), mv = fabs(av);
    for (int j = 0; j < 2; ++j) {
        wit_interval a = iv_scale(au, iv(v->lo[j], v->hi[j])), b = iv_scale(av, iv(v->lo[j + 1], v->hi[j + 1]));
        lo[j] = a.lo + b.lo;
        hi[j] = a.hi + b.hi;
    }
    double change = n->h[0] * larger(-lo[0], hi[0]) + n->h[1] * larger(-lo[1], hi[1]);
    double g = fabs(au * v->g[0] + av * v->g[1]), size = mu * fabs(v->g[0]) + mv * fabs(v->g[1]) + change;
    double margin = g - change - mu * v->noise[0] - mv * v->noise[1] - SHAPE_ROUNDING * size;
    double rate = mu * n->speed[0] + mv * n->speed[1];
    return margin > 0 ? margin / rate * (1 - SHAPE_ROUNDING) : 0;
}

/* The same along u or along v. */
static inline double shape_slope_of(const shape_node* n, const shape_view* v, int i)
{
    double change = n->h[0] * larger(-v->lo[i], v->hi[i]) + n->h[1] * larger(-v->lo[i + 1], v->hi[i + 1]);
    double g = fabs(v->g[i]), margin = g - change - v->noise[i] - SHAPE_ROUNDING * (g + change);
    return margin > 0 ? margin / n->speed[i] * (1 - SHAPE_ROUNDING) : 0;
}

static inline double shape_slope_sides(const shape_node* n, const shape_view* v)
{
    double life = n->speed[0] > 0 ? shape_slope_of(n, v, 0) : 0;
    return n->speed[1] > 0 ? larger(life, shape_slope_of(n, v, 1)) : life;
}

/* The same down the slope at the middle. */
static inline double shape_slope_down(const shape_node* n, const shape_view* v)
{
    double su = n->speed[0], sv = n->speed[1];
    if (!(su > 0) || !(sv > 0)) return 0;
    return shape_slope_along(n, v, v->g[0] / (su * su), v->g[1] / (sv * sv));
}

static inline double shape_slope_life(const shape_node* n, const shape_view* v)
{
    return n->parameters > 0 ? larger(shape_slope_sides(n, v), shape_slope_down(n, v)) : 0;
}

/*
 * The same by normals. A place whose normal is along the way x = q - S has |x across the axis| <= tangent |x along it|. When q
 * moves by w the first falls and the second grows by w at most.
 */
static inline double shape_cone_life(const shape_node* n, const shape_view* v)
{
    if (!(n->tangent < INFINITY) || n->parameters < 2) return 0;
    double along = v->along + n->along, t = n->tangent, across = v->across - 2 * SHAPE_LEAN * v->gap - n->across;
    return (across - t * along) / (1 + t) * (1 - SHAPE_ROUNDING);
}

/* H is at least diag(mu) for every point within w of q. Definite with some room: H_uv^2 < 0.9 H_uu H_vv. */
static inline bool shape_definite(const shape_node* n, const shape_view* v, double w, double mu[2])
{
    double d2[3];
    for (int k = 0; k < 3; ++k) d2[k] = w > 0 ? w * shape_second(n, k) : 0;
    double a = v->lo[0] - d2[0], b = larger(-v->lo[1], v->hi[1]) + d2[1], c = v->lo[2] - d2[2];
    mu[1] = 0;
    if (n->parameters == 1) {
        mu[0] = a * (1 - SHAPE_ROUNDING);
        return a > 0;
    }
    if (!(a > 0 && c > 0 && b * b < 0.9 * a * c)) return false;
    double share = (1 - b / sqrt(a * c)) * (1 - SHAPE_ROUNDING);
    mu[0] = share * a;
    mu[1] = share * c;
    return true;
}

/* The largest w for which shape_definite holds, or somewhat less; infinite for flat pieces; 0: not even now. */
static inline double shape_definite_life(const shape_node* n, const shape_view* v)
{
    double mu[2], d2[3];
    if (!shape_definite(n, v, 0, mu)) return 0;
    for (int k = 0; k < 3; ++k) d2[k] = shape_second(n, k);
    double a = v->lo[0], b = larger(-v->lo[1], v->hi[1]), c = v->lo[2];
    if (n->parameters == 1) return d2[0] > 0 ? 0.99 * a / d2[0] : INFINITY;
    /* 0.9 (a - w a') (c - w c') = (b + w b')^2 */
    double c0 = 0.9 * a * c - b * b, c1 = 0.9 * (a * d2[2] + c * d2[0]) + 2 * b * d2[1],
           c2 = 0.9 * d2[0] * d2[2] - d2[1] * d2[1];
    if (!(c1 > 0)) return INFINITY;
    return 0.99 * 2 * c0 / (c1 + sqrt(larger(0, c1 * c1 - 4 * c2 * c0)));
}

/* The same slope once more, of u or v (shape_slope_of), without the rest of a look. */
static inline double shape_slope_again(const shape_node* n, wit_vec3 q, int i)
{
    shape_view v;
    shape_view_middle(n, q, &v);
    shape_view_slope(n, &v, i);
    shape_view_second(n, &v, i);
    shape_view_second(n, &v, i + 1);
    return shape_slope_of(n, &v, i);
}

/* And the same cone. */
static inline double shape_cone_again(const shape_node* n, wit_vec3 q)
{
    shape_view v;
    shape_view_middle(n, q, &v);
    return shape_cone_life(n, &v);
}

#endif
