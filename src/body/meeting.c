/* SPDX-License-Identifier: MIT */
/* What meets at an edge or a vertex. */
#include "meeting.h"

bool wi_vertex_bounds_face(const wit_body* b, int32_t vertex, int32_t face)
{
    const int32_t* faces = vertex_faces(b, vertex);
    for (int32_t k = 0; k < body_vertices(b)[vertex].faces; ++k)
        if (faces[k] == face) return true;
    return false;
}

const body_apex* wi_vertex_apexes(const wit_body* b, int32_t vertex, int* count)
{
    const body_apex* apexes = body_apexes(b);
    int lo = 0, hi = b->apex_count; /* sorted by vertex */
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (apexes[mid].vertex < vertex)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (*count = 0; lo + *count < b->apex_count && apexes[lo + *count].vertex == vertex;) ++*count;
    return apexes + lo;
}

bool wi_apex_inside(const wit_body* b, const body_apex* apex)
{
    const int32_t* edges = vertex_edges(b, apex->vertex);
    for (int32_t k = 0; k < body_vertices(b)[apex->vertex].edges; ++k)
        if (face_passes_edge(b, apex->face, edges[k])) return false;
    return true;
}

int32_t wi_use_beside(const wit_body* b, int32_t use, int step)
{
    const body_use* x = &body_uses(b)[use];
    const body_loop* loop = &body_loops(b)[body_faces(b)[x->face].first_loop + x->loop];
    int32_t k = use - loop->first_use;
    for (int32_t i = 0; i < loop->uses; ++i) {
        k = (k + step + loop->uses) % loop->uses;
        if (body_uses(b)[loop->first_use + k].edge >= 0) break;
    }
    return loop->first_use + k;
}

use_lift wi_use_lift(const wit_body* b, int32_t use, double t)
{
    const body_use* x = &body_uses(b)[use];
    use_lift l;
    wit_curve_eval(body_parameter_curve(b, use), x->shift + x->scale * t, WIT_KNOT_DEFAULT, NULL, &l.c);
    l.c.d1 = scale3(x->scale, l.c.d1);
    l.c.d2 = scale3(x->scale * x->scale, l.c.d2);
    double sign = x->reversed ? -1 : 1;
    l.into_u = -sign * l.c.d1.y;
    l.into_v = sign * l.c.d1.x;
    double most = larger(fabs(l.into_u), fabs(l.into_v));
    l.side = (l.into_u < -1e-9 * most ? (unsigned)WIT_KNOT_U_BELOW : 0U) |
             (l.into_v < -1e-9 * most ? (unsigned)WIT_KNOT_V_BELOW : 0U);
    return l;
}

bool wi_outward_of_jet(const wit_surface* surface, bool reversed, double u, double v, unsigned flags,
                       const wit_surface_jet* jet, wit_vec3* out)
{
    bool known = true;
    if (flags & WIT_EVAL_DEGENERATE)
        known = wit_surface_normal(surface, u, v, out);
    else
        *out = unit3(cross3(unit3(jet->du), unit3(jet->dv)));
    if (reversed) *out = scale3(-1, *out);
    return known && dot3(*out, *out) > 0.5;
}

bool wi_use_normal(const wit_body* b, int32_t use, const use_lift* at, wit_vec3* out)
{
    int32_t face = body_uses(b)[use].face;
    const wit_surface* surface = body_surface(b, face);
    double u = at->c.p.x, v = at->c.p.y;
    wit_surface_jet j;
    unsigned flags = wit_surface_eval(surface, u, v, at->side, NULL, &j);
    return wi_outward_of_jet(surface, body_faces(b)[face].reversed, u, v, flags, &j, out);
}

wit_cone wi_use_normals(const wit_body* b, int32_t use, wit_interval t)
{
    const body_use* x = &body_uses(b)[use];
    double lo = x->shift + x->scale * t.lo, hi = x->shift + x->scale * t.hi;
    wit_curve_bounds on;
    wit_surface_bounds face;
    wit_curve_bound(body_parameter_curve(b, use), iv(smaller(lo, hi), larger(lo, hi)), &on);
    wit_surface_bound(body_surface(b, x->face), iv(on.box.lo.x, on.box.hi.x), iv(on.box.lo.y, on.box.hi.y), &face);
    return face.normals;
}
