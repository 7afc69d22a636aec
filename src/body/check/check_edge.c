/* SPDX-License-Identifier: MIT */
/*
 * The check of one edge. At a point of it let n1, n2 be the outward normals of its two faces, and g1 = n1 x (direction of
 * the loop, seen from outside) the way into the first face. The outward normal turns by
 *     atan2(-n2 . g1, n1 . n2)
 * from the first face to the second: 90 degrees along the edges of a box, negative where the material is more than half.
 */
#include "../meeting.h"
#include "check.h"

enum { SAMPLES = 64, PER_CELL = 12, STEPS = 4, POLISH = 40 };
#define SMOOTH 1e-6     /* radians */
#define NO_TANGENT 1e-9 /* of the largest speed */
#define NO_BEND 1e-9

/* Samples of the edge: enough for every cell of its curve and of its parameter curves. */
static int sample_count(const wit_body* b, int32_t edge)
{
    int most = 0, count = 0;
    wit_curve_breaks(body_curve(b, edge), &most);
    for (int32_t k = 0; k < body_edges(b)[edge].uses; k++) {
        wit_curve_breaks(body_parameter_curve(b, edge_uses(b, edge)[k]), &count);
        if (count > most) most = count;
    }
    int n = PER_CELL * (most - 1);
    return n > SAMPLES ? n : SAMPLES;
}

static double sample_at(wit_interval t, int i, int n)
{
    return i == n ? t.hi : t.lo + iv_width(t) * i / n;
}

/* ---- gaps ----------------------------------------------------------------------------------- */

/* From p to the curve near t: steps of Gauss and Newton, the best kept. Below the rounding of p nothing is to be gained. */
static double distance_near(const wit_curve* c, wit_interval range, double t, wit_vec3 p)
{
    double best = INFINITY, rounding = DBL_EPSILON * norm3(p);
    for (int i = 0; i <= STEPS; i++) {
        wit_curve_jet j;
        wit_curve_eval(c, t, WIT_KNOT_DEFAULT, NULL, &j);
        wit_vec3 d = sub3(p, j.p);
        best = smaller(best, norm3(d));
        double speed = dot3(j.d1, j.d1);
        if (!(speed > 0) || best <= rounding) break;
        t = smaller(larger(t + dot3(d, j.d1) / speed, range.lo), range.hi);
    }
    return best;
}

static double gap_at(const wit_body* b, int32_t edge, double t)
{
    double gap = 0;
    for (int32_t k = 0; k < body_edges(b)[edge].uses; k++) {
        int32_t use = edge_uses(b, edge)[k];
        use_lift l = wi_use_lift(b, use, t);
        wit_surface_jet j;
        wit_surface_eval(body_surface(b, body_uses(b)[use].face), l.c.p.x, l.c.p.y, l.side, NULL, &j);
        gap = larger(gap, distance_near(body_curve(b, edge), body_edges(b)[edge].range, t, j.p));
    }
    return gap;
}

/* The largest of the samples, then golden sections between its neighbours. */
static void check_gap(const wit_body* b, int32_t edge, int n, wit_edge_check* out)
{
    wit_interval t = body_edges(b)[edge].range;
    for (int i = 0; i <= n; i++) {
        double x = sample_at(t, i, n), gap = gap_at(b, edge, x);
        if (i == 0 || gap > out->gap) {
            out->gap = gap;
            out->gap_at = x;
        }
    }
    /* Points are known to some units in the last place of the coordinates. */
    double rounding = 1e-13 * larger(norm3(b->box.lo), norm3(b->box.hi));
    double step = iv_width(t) / n, lo = larger(t.lo, out->gap_at - step), hi = smaller(t.hi, out->gap_at + step);
    for (int i = 0; i < POLISH && out->gap > rounding; i++) {
        double x = i % 2 ? lo + 0.381966 * (hi - lo) : hi - 0.381966 * (hi - lo), gap = gap_at(b, edge, x);
        if (gap > out->gap) {
            lo = x < out->gap_at ? lo : out->gap_at;
            hi = x < out->gap_at ? out->gap_at : hi;
            out->gap = gap;
            out->gap_at = x;
        } else if (x < out->gap_at) {
            lo = x;
        } else {
            hi = x;
        }
    }
    out->within_tolerance = out->gap <= body_edges(b)[edge].tolerance * (1 + 1e-6) + rounding;
}

/* ---- turning -------------------------------------------------------------------------------- */

/* The outward normal of the use's face at t. */
static bool normal_of_use(const wit_body* b, int32_t use, double t, wit_vec3* out)
{
    use_lift l = wi_use_lift(b, use, t);
    return wi_use_normal(b, use, &l, out);
}

static bool turn_at(const wit_body* b, int32_t edge, double t, bool oriented, double* turn)
{
    const int32_t* use = edge_uses(b, edge);
    wit_vec3 n1, n2;
    wit_curve_jet c;
    if (wit_curve_eval(body_curve(b, edge), t, WIT_KNOT_DEFAULT, NULL, &c) & WIT_EVAL_DEGENERATE) return false;
    if (!normal_of_use(b, use[0], t, &n1) || !normal_of_use(b, use[1], t, &n2)) return false;
    wit_vec3 g1 = left_of(n1, unit3(c.d1), use_forward(b, use[0]));
    if (!oriented) n2 = scale3(-1, n2);
    *turn = wit_atan2(-dot3(n2, g1), dot3(n1, n2));
    return true;
}

/* A corner at a pole has one-sided normals only; the ends of the range are looked at a little inside. */
static void check_turn(const wit_body* b, int32_t edge, int n, wit_edge_check* out)
{
    wit_interval t = body_edges(b)[edge].range;
    double inset = 1e-6 * iv_width(t);
    for (int i = 0; i <= n; i++) {
        double x = i == 0 ? t.lo + inset : i == n ? t.hi - inset : sample_at(t, i, n), turn;
        if (!turn_at(b, edge, x, out->oriented, &turn)) continue;
        if (!out->turn_known || turn < out->turn_min) {
            out->turn_min = turn;
            out->turn_min_at = x;
        }
        if (!out->turn_known || turn > out->turn_max) {
            out->turn_max = turn;
            out->turn_max_at = x;
        }
        out->turn_known = true;
    }
    bool convex = out->turn_max > SMOOTH, reflex = out->turn_min < -SMOOTH;
    out->character = convex && reflex ? WIT_EDGE_MIXED
                     : convex         ? WIT_EDGE_CONVEX
                     : reflex         ? WIT_EDGE_REFLEX
                                      : WIT_EDGE_SMOOTH;
}

/* ---- planar bodies -------------------------------------------------------------------------- */

/* Curvature to the left of the loop is convex; so are left turns at knots without a tangent. */
static void check_planar_bend(const wit_body* b, int32_t edge, int n, wit_edge_check* out)
{
    const body_edge* e = &body_edges(b)[edge];
    if (e->uses != 1) return;
    int32_t use = edge_uses(b, edge)[0];
    double sign = (body_uses(b)[use].reversed ? -1 : 1), size = norm3(sub3(b->box.hi, b->box.lo));
    bool convex = false, concave = false, zero = false;
    wit_vec3 last = vec3(0, 0, 0);
    double last_curvature = 0;
    for (int i = 0; i < n; i++) { /* inside the pieces, so that jumps of the tangent show between samples */
        use_lift l = wi_use_lift(b, use, e->range.lo + iv_width(e->range) * (i + 0.5) / n);
        double speed = norm3(l.c.d1);
        if (!(speed > 0)) continue;
        double k = sign * cross3(l.c.d1, l.c.d2).z / (speed * speed * speed);
        wit_vec3 along = scale3(1 / speed, l.c.d1);
        double turned = sign * cross3(last, along).z, step = speed * iv_width(e->range) / n;
        double bent = larger(fabs(k), fabs(last_curvature)) * step;
        convex |= k * size > NO_BEND || turned > 4 * bent + 1e-6;
        concave |= k * size < -NO_BEND || turned < -4 * bent - 1e-6;
        zero |= fabs(k) * size <= NO_BEND;
        last = along;
        last_curvature = k;
    }
    out->bend = convex && concave ? WIT_BEND_MIXED
                : convex          ? (zero ? WIT_BEND_CONVEX : WIT_BEND_STRICTLY_CONVEX)
                : concave         ? (zero ? WIT_BEND_CONCAVE : WIT_BEND_STRICTLY_CONCAVE)
                                  : WIT_BEND_FLAT;
}

/* ---- all of it ------------------------------------------------------------------------------ */

/* Length by Simpson's rule over the samples; the tangent on the way. */
static void check_tangent(const wit_body* b, int32_t edge, int n, wit_edge_check* out)
{
    wit_interval t = body_edges(b)[edge].range;
    const wit_curve* c = body_curve(b, edge);
    double step = iv_width(t) / n;
    for (int i = 0; i <= 2 * n; i++) {
        wit_curve_jet j;
        double x = sample_at(t, i, 2 * n);
        wit_curve_eval(c, x, i == 2 * n ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT, NULL, &j);
        double speed = norm3(j.d1), weight = i == 0 || i == 2 * n ? 1 : i % 2 ? 4 : 2;
        out->length += weight * speed * step / 6;
        if (speed > NO_TANGENT * c->speed || out->tangent_lost) continue;
        out->tangent_lost = true;
        out->tangent_lost_at = x;
    }
}

wit_edge_check wi_check_closing(const wit_body* body, int edge)
{
    wit_edge_check out = {0};
    const body_edge* e = &body_edges(body)[edge];
    out.use_count = e->uses;
    check_gap(body, edge, sample_count(body, edge), &out);
    out.character = e->uses > 2 ? WIT_EDGE_NONMANIFOLD : e->uses == 2 ? WIT_EDGE_SMOOTH : WIT_EDGE_OPEN;
    if (e->uses != 2) return out;
    const int32_t* use = edge_uses(body, edge);
    out.oriented = use_forward(body, use[0]) != use_forward(body, use[1]);
    return out;
}

wit_edge_check wit_body_check_edge(const wit_body* body, int edge)
{
    wit_edge_check out = {0};
    if (!body || edge < 0 || edge >= body->edge_count) return out;
    int n = sample_count(body, edge);
    out = wi_check_closing(body, edge);
    check_tangent(body, edge, n, &out);
    if (out.use_count == 2) check_turn(body, edge, n, &out);
    if (body->planar) check_planar_bend(body, edge, n, &out);
    return out;
}

const char* wit_edge_character_name(wit_edge_character character)
{
    static const char* const names[WIT_EDGE_CHARACTER_COUNT] = {"open",   "convex", "reflex",
                                                                "smooth", "mixed",  "non-manifold"};
    return (unsigned)character < WIT_EDGE_CHARACTER_COUNT ? names[character] : "?";
}
