/* SPDX-License-Identifier: MIT */
#include "tangent_chart.h"

static tangent_chart edge_chart(const wit_surface_jet* j)
{
    tangent_chart c = {0};
    double speed = dot3(j->du, j->du);
    c.e[0] = unit3(j->du);
    if (!(speed > 0) || !(dot3(c.e[0], c.e[0]) > 0)) return c;
    c.n = 1;
    wit_vec3 bend = scale3(1 / speed, j->duu);
    c.k[0] = addscaled3(bend, -dot3(bend, c.e[0]), c.e[0]);
    return c;
}

/* With du = E e0, dv = f e0 + g e1: d/ds0 = d/du / E, d/ds1 = (d/dv - (f / E) d/du) / g. */
static tangent_chart face_chart(const wit_surface_jet* j)
{
    tangent_chart c = {0};
    wit_vec3 n = unit3(cross3(unit3(j->du), unit3(j->dv)));
    c.e[0] = unit3(j->du);
    c.e[1] = cross3(n, c.e[0]);
    double E = norm3(j->du), f = dot3(j->dv, c.e[0]), g = dot3(j->dv, c.e[1]);
    if (!(E > 0 && g > 0)) return c;
    c.n = 2;
    double L = dot3(n, j->duu), M = dot3(n, j->duv), N = dot3(n, j->dvv), q = f / E;
    c.k[0] = scale3(L / (E * E), n);
    c.k[1] = scale3((M - q * L) / (E * g), n);
    c.k[2] = scale3((N - 2 * q * M + q * q * L) / (g * g), n);
    return c;
}

tangent_chart wi_chart_of_jet(wit_feature_kind kind, const wit_surface_jet* j)
{
    return kind == WIT_EDGE ? edge_chart(j) : face_chart(j);
}

tangent_chart wi_chart_at(const side* s, const place* at, unsigned below)
{
    tangent_chart none = {0};
    wit_surface_jet j;
    if (place_count(at) == 0) return none;
    unsigned flags = wi_side_jet(s, at, below, NULL, &j);
    if (at->kind == WIT_EDGE || !(flags & WIT_EVAL_DEGENERATE)) return wi_chart_of_jet(at->kind, &j);
    const wit_surface* surface = body_surface(s->body, at->id);
    side_face_jet(s, at->id, beside_pole(surface->u, at->u), beside_pole(surface->v, at->v), below, &j);
    tangent_chart c = wi_chart_of_jet(at->kind, &j);
    c.rough = true;
    return c;
}

int wi_joint_hessian(const tangent_chart* a, const tangent_chart* b, wit_vec3 gap, double* h)
{
    int n = a->n + b->n;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            bool ia = i < a->n, ja = j < a->n;
            int p = ia ? i : i - a->n, q = ja ? j : j - a->n;
            double x = p == q ? 1 : 0;
            if (ia && ja)
                x += dot3(gap, a->k[p + q]);
            else if (!ia && !ja)
                x -= dot3(gap, b->k[p + q]);
            else
                x = -dot3(ia ? a->e[p] : b->e[p], ja ? a->e[q] : b->e[q]);
            h[i * n + j] = x;
        }
    return n;
}
