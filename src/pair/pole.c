/* SPDX-License-Identifier: MIT */
#include "pole.h"

#include "../body/tree/step_bounds.h"
#include "tangent_chart.h"

/* Within this part of the parameter range of the pole a face is looked at in its tangent plane. */
#define NEAR 0.02
#define ASIDE 1e-4

typedef struct pole_place {
    int across;    /* the parameter that leads away from the pole: 0 u, 1 v */
    double value;  /* of it at the pole */
    double inward; /* 1: the face lies above it, -1: below */
} pole_place;

static bool find_pole(const pair_motion* s, int which, const place* at, pole_place* out)
{
    if (at->kind != WIT_FACE) return false;
    const body_face* f = &body_faces(s->side[which].body)[at->id];
    if (!f->poles) return false;
    const wit_surface* surface = body_surface(s->side[which].body, at->id);
    const wit_interval range[2] = {surface->u, surface->v};
    for (int across = 0; across < 2; ++across)
        for (int end = 0; end < 2; ++end) {
            unsigned bit = 1u << (2 * across + end);
            double value = end ? range[across].hi : range[across].lo;
            if (!(f->poles & bit) || fabs(at->x[across] - value) > NEAR * iv_width(range[across])) continue;
            pole_place p = {across, value, end ? -1 : 1};
            *out = p;
            return true;
        }
    return false;
}

bool wi_pole_near(const pair_motion* s, int which, const place* at)
{
    pole_place p;
    return find_pole(s, which, at, &p);
}

/* e_0 away from the pole, e_1 around it. */
bool wi_pole_chart(const pair_motion* s, int which, const place* at, moving* m)
{
    pole_place pole;
    if (!find_pole(s, which, at, &pole)) return false;
    const side* sd = &s->side[which];
    wit_vec3 n = unit3(cross3(m->d[0], m->d[1]));
    const wit_surface* surface = body_surface(sd->body, at->id);
    double around = norm3(m->d[1 - pole.across]), speed = pole.across ? surface->speed_u : surface->speed_v;
    wit_vec3 out = unit3(scale3(pole.inward, m->d[pole.across]));
    tangent_chart c;
    if (around > 1e-6 * speed) {
        wit_surface_jet j = {m->p, m->d[0], m->d[1], m->dd[0], m->dd[1], m->dd[2]};
        c = wi_chart_of_jet(WIT_FACE, &j);
    } else {
        /* at the pole itself the curvature is taken a little off it, right to that much: the iteration mends it */
        double x[2] = {at->x[0], at->x[1]};
        x[pole.across] = pole.value + pole.inward * ASIDE * iv_width(pole.across ? surface->v : surface->u);
        wit_surface_jet j;
        side_face_jet(sd, at->id, x[0], x[1], WIT_KNOT_DEFAULT, &j);
        c = wi_chart_of_jet(WIT_FACE, &j);
        /* d[0] x d[1] is all noise here: the normal is that of the pole, turned by the curvature up to this place */
        x[pole.across] = pole.value;
        if (c.n != 2 || !wi_side_normal(sd, at->id, x[0], x[1], &n)) return false;
        if (m->reversed) n = scale3(-1, n); /* along d[0] x d[1] */
        side_face_jet(sd, at->id, x[0], x[1], WIT_KNOT_DEFAULT, &j);
        wit_vec3 off = sub3(m->p, j.p);
        double y0 = dot3(off, c.e[0]), y1 = dot3(off, c.e[1]);
        double k0 = dot3(n, c.k[0]), k1 = dot3(n, c.k[1]), k2 = dot3(n, c.k[2]);
        n = unit3(addscaled3(addscaled3(n, -(k0 * y0 + k1 * y1), c.e[0]), -(k1 * y0 + k2 * y1), c.e[1]));
    }
    if (c.n != 2 || !(dot3(out, out) > 0)) return false;
    wit_vec3 e[2] = {unit3(addscaled3(out, -dot3(out, n), n)), {0, 0, 0}};
    e[1] = cross3(n, e[0]);
    double k[3] = {dot3(n, c.k[0]), dot3(n, c.k[1]), dot3(n, c.k[2])}, t[2][2];
    for (int i = 0; i < 2; ++i)
        for (int l = 0; l < 2; ++l) t[i][l] = dot3(e[i], c.e[l]);
    for (int i = 0; i < 3; ++i) {
        const double *a = t[i == 2], *b = t[i > 0];
        m->dd[i] = scale3(a[0] * b[0] * k[0] + (a[0] * b[1] + a[1] * b[0]) * k[1] + a[1] * b[1] * k[2], n);
    }
    m->d[0] = e[0];
    m->d[1] = e[1];
    return true;
}

/* How the place turns about the pole when its other parameter grows: radians per parameter. A closed one goes round once. */
static double turning(const pair_motion* s, int which, const place* at, const pole_place* pole, double radius)
{
    const wit_surface* surface = body_surface(s->side[which].body, at->id);
    int around = 1 - pole->across;
    if (around == 0 ? surface->closed_u : surface->closed_v) {
        if (surface->kind != WIT_SURFACE_NURBS) return TWO_PI / iv_width(around == 0 ? surface->u : surface->v);
    }
    wit_surface_jet j;
    side_face_jet(&s->side[which], at->id, at->x[0], at->x[1], WIT_KNOT_DEFAULT, &j);
    double speed = norm3(around == 0 ? j.du : j.dv);
    double rate = radius > 0 ? speed / radius : 0;
    wit_interval range = around == 0 ? surface->u : surface->v;
    return rate > 0 && isfinite(rate) ? rate : TWO_PI / iv_width(range);
}

void wi_pole_move(const pair_motion* s, int which, const moving* chart, const double y[2], place* at)
{
    pole_place pole;
    if (!find_pole(s, which, at, &pole)) return;
    const body_face* f = &body_faces(s->side[which].body)[at->id];
    int across = pole.across, around = 1 - across;
    const wit_interval range[2] = {f->u, f->v};
    wit_surface_jet j;
    side_face_jet(&s->side[which], at->id, across ? at->x[0] : pole.value, across ? pole.value : at->x[1],
                  WIT_KNOT_DEFAULT, &j);
    /* in the plane: the pole at -radius e_0 */
    double radius = norm3(sub3(chart->p, j.p)), away = fabs(at->x[across] - pole.value);
    double speed = norm3(across ? j.dv : j.du);
    double to_x = radius + y[0], to_y = y[1], to = sqrt(to_x * to_x + to_y * to_y);
    double turn = wit_atan2(to_y, to_x);
    /* e_1 = n x e_0; is the other parameter's tangent along it or against it? */
    double sense = (across == 1 ? -1 : 1) * pole.inward;
    double per = turning(s, which, at, &pole, radius);
    double scale = radius > 0 && away > 0 ? away / radius : speed > 0 ? 1 / speed : 0;
    at->x[around] += sense * turn / per;
    at->x[across] = pole.value + pole.inward * to * scale;
    at->x[across] = smaller(range[across].hi, larger(range[across].lo, at->x[across]));
    const wit_surface* surface = body_surface(s->side[which].body, at->id);
    bool wraps = around == 0 ? surface->closed_u : surface->closed_v;
    if (!wraps) at->x[around] = smaller(range[around].hi, larger(range[around].lo, at->x[around]));
}
