/* SPDX-License-Identifier: MIT */
#include "near_phase.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../src/base/vec.h"

enum { MOST_STEPS = 100, SAMPLES = 16 };

/* Point, first and second derivatives along the free parameters (u, v), in the world. */
typedef struct frame_jet {
    wit_vec3 p, d[2], dd[3]; /* uu, uv, vv */
} frame_jet;

typedef struct free_range {
    int count;
    wit_interval range[2];
    bool closed[2];
} free_range;

near_place near_point(wit_vec3 point)
{
    near_place r = {NULL, WIT_POINT, -1, 0, 0, point};
    return r;
}

near_place near_start(const wit_placed* at, const wit_witness* start)
{
    near_place r = {at, start->feature, start->id, start->u, start->v, start->point};
    return r;
}

static free_range ranges(const near_place* s)
{
    free_range r = {0};
    if (s->at && s->kind == WIT_FACE) {
        wit_face_info f = wit_body_face(s->at->body, s->id);
        wit_surface_info i = wit_surface_describe(f.surface);
        r.count = 2;
        r.range[0] = f.u;
        r.range[1] = f.v;
        r.closed[0] = i.closed_u;
        r.closed[1] = i.closed_v;
    } else if (s->at && s->kind == WIT_EDGE) {
        wit_edge_info e = wit_body_edge(s->at->body, s->id);
        r.count = 1;
        r.range[0] = e.range;
        r.closed[0] = e.ring;
    }
    return r;
}

static frame_jet jet_at(const near_place* s)
{
    frame_jet r;
    memset(&r, 0, sizeof r);
    if (!s->at) {
        r.p = s->p;
        return r;
    }
    wit_surface_jet f;
    memset(&f, 0, sizeof f);
    if (s->kind == WIT_FACE) {
        wit_surface_eval(wit_body_face(s->at->body, s->id).surface, s->u, s->v, 0, NULL, &f);
    } else if (s->kind == WIT_EDGE) {
        wit_curve_jet c;
        wit_curve_eval(wit_body_edge(s->at->body, s->id).curve, s->u, 0, NULL, &c);
        f.p = c.p;
        f.du = c.d1;
        f.duu = c.d2;
    } else {
        f.p = wit_body_vertex(s->at->body, s->id).point;
    }
    const wit_vec3 from[5] = {f.du, f.dv, f.duu, f.duv, f.dvv};
    wit_vec3* to[5] = {&r.d[0], &r.d[1], &r.dd[0], &r.dd[1], &r.dd[2]};
    r.p = wit_pose_point(&s->at->pose, f.p);
    for (int i = 0; i < 5; i++) *to[i] = wit_pose_vector(&s->at->pose, from[i]);
    return r;
}

/* Cholesky; false if not positive definite to 1e-14 of the diagonal. */
static bool solve(int n, double m[4][4], const double g[4], double x[4])
{
    double l[4][4] = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = m[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 1e-14 * fabs(m[i][i]))) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    for (int i = 0; i < n; i++) {
        x[i] = g[i];
        for (int k = 0; k < i; k++) x[i] -= l[i][k] * x[k];
        x[i] /= l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= l[k][i] * x[k];
        x[i] /= l[i][i];
    }
    return true;
}

/* Gradient and Hessian of |a - b|^2 / 2 in all parameters of both; `curved` false: Gauss-Newton, a little lifted. */
static void build(const frame_jet* a, int na, const frame_jet* b, int nb, bool curved, double g[4], double m[4][4])
{
    wit_vec3 r = sub3(a->p, b->p), d[4];
    for (int i = 0; i < na; i++) d[i] = a->d[i];
    for (int i = 0; i < nb; i++) d[na + i] = scale3(-1, b->d[i]);
    for (int i = 0; i < na + nb; i++) {
        g[i] = dot3(r, d[i]);
        for (int j = 0; j < na + nb; j++) m[i][j] = dot3(d[i], d[j]);
        if (!curved) m[i][i] += 1e-6 * m[i][i] + DBL_MIN;
    }
    for (int i = 0; curved && i < na; i++)
        for (int j = 0; j < na; j++) m[i][j] += dot3(r, a->dd[i + j]);
    for (int i = 0; curved && i < nb; i++)
        for (int j = 0; j < nb; j++) m[na + i][na + j] -= dot3(r, b->dd[i + j]);
}

static double held(double x, wit_interval range, bool closed)
{
    double width = range.hi - range.lo;
    if (closed) return x - width * floor((x - range.lo) / width);
    return x < range.lo ? range.lo : x > range.hi ? range.hi : x;
}

typedef struct walk {
    near_place* side[2];
    free_range range[2];
    frame_jet jet[2];
} walk;

static void moved(const walk* w, const double step[4], double s, near_place to[2])
{
    for (int i = 0, k = 0; i < 2; i++) {
        to[i] = *w->side[i];
        const free_range* r = &w->range[i];
        if (r->count > 0) to[i].u = held(to[i].u + s * step[k++], r->range[0], r->closed[0]);
        if (r->count > 1) to[i].v = held(to[i].v + s * step[k++], r->range[1], r->closed[1]);
    }
}

/* The descent step of the parameters that are not held at a border; false if all are at rest. */
static bool step_of(const walk* w, double step[4])
{
    double g[4], m[4][4], x[4];
    int na = w->range[0].count, nb = w->range[1].count, n = na + nb;
    for (int curved = 1; curved >= 0; curved--) {
        build(&w->jet[0], na, &w->jet[1], nb, curved, g, m);
        double h[4], k[4][4];
        int free[4], count = 0;
        for (int i = 0; i < n; i++) {
            const near_place* s = w->side[i >= na];
            const free_range* r = &w->range[i >= na];
            int own = i >= na ? i - na : i;
            double at = own ? s->v : s->u;
            bool low = at <= r->range[own].lo && g[i] > 0, high = at >= r->range[own].hi && g[i] < 0;
            if (r->closed[own] || !(low || high)) free[count++] = i;
        }
        for (int i = 0; i < count; i++) {
            h[i] = -g[free[i]];
            for (int j = 0; j < count; j++) k[i][j] = m[free[i]][free[j]];
        }
        memset(step, 0, 4 * sizeof *step);
        if (!solve(count, k, h, x)) continue;
        bool any = false;
        for (int i = 0; i < count; i++) {
            step[free[i]] = x[i];
            any |= x[i] != 0;
        }
        return any;
    }
    return false;
}

static double descend(near_place* a, near_place* b)
{
    walk w = {{a, b}, {ranges(a), ranges(b)}, {jet_at(a), jet_at(b)}};
    double distance = norm3(sub3(w.jet[0].p, w.jet[1].p)), step[4];
    for (int i = 0; i < MOST_STEPS && step_of(&w, step); i++) {
        double s = 1, reached = distance;
        near_place to[2];
        frame_jet jet[2];
        for (; s > 1e-9; s /= 2) {
            moved(&w, step, s, to);
            jet[0] = jet_at(&to[0]);
            jet[1] = jet_at(&to[1]);
            reached = norm3(sub3(jet[0].p, jet[1].p));
            if (reached < distance) break;
        }
        if (!(reached < distance)) break;
        *a = to[0];
        *b = to[1];
        w.jet[0] = jet[0];
        w.jet[1] = jet[1];
        bool done = distance - reached <= 1e-16 * distance;
        distance = reached;
        if (done) break;
    }
    a->p = w.jet[0].p;
    b->p = w.jet[1].p;
    return distance;
}

/* Outside its loops: over to the nearest place of the face's edges. */
static bool hand_over(near_place* s)
{
    if (!s->at || s->kind != WIT_FACE || wit_body_face_contains(s->at->body, s->id, s->u, s->v)) return false;
    double least = INFINITY;
    near_place best = *s;
    int loops = wit_body_face(s->at->body, s->id).loop_count;
    for (int l = 0; l < loops; l++)
        for (int k = 0; k < wit_body_loop_size(s->at->body, s->id, l); k++) {
            wit_use_info use;
            wit_body_loop_use(s->at->body, s->id, l, k, &use);
            for (int i = 0; use.edge >= 0 && i <= SAMPLES; i++) {
                wit_interval t = wit_body_edge(s->at->body, use.edge).range;
                near_place at = {s->at, WIT_EDGE, use.edge, t.lo + (t.hi - t.lo) * i / SAMPLES, 0, s->p};
                at.p = jet_at(&at).p;
                double d = norm3(sub3(at.p, s->p));
                if (d < least) {
                    least = d;
                    best = at;
                }
            }
        }
    *s = best;
    return true;
}

double near_search(near_place* a, near_place* b)
{
    double d = descend(a, b);
    bool over_a = hand_over(a), over_b = hand_over(b);
    return over_a || over_b ? descend(a, b) : d;
}
