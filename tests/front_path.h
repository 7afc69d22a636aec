/* SPDX-License-Identifier: MIT */
/* Ways of a point around and through a body, and a witness there in the words of a front. */
#ifndef TESTS_FRONT_PATH_H
#define TESTS_FRONT_PATH_H

#include <math.h>

#include "../src/body/body_record.h"
#include "../src/front/point_front.h"
#include "random.h"

/* Sums of sines about a centre: smooth, wandering, `step` per frame at most. */
typedef struct front_path {
    wit_vec3 centre, amplitude[3];
    double phase[3], rate[3];
} front_path;

static inline front_path front_path_about(rng* r, wit_vec3 centre, double reach, double step)
{
    front_path p = {.centre = centre};
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1),
               n = sqrt(x * x + y * y + z * z);
        double a = reach * (k == 0 ? 1 : 0.5) / (n > 0.1 ? n : 0.1);
        p.amplitude[k] = vec3(a * x, a * y, a * z);
        p.phase[k] = rng_range(r, 0, 6.28);
        p.rate[k] = rng_range(r, 0.5, 1.5);
        sum += norm3(p.amplitude[k]) * p.rate[k];
    }
    for (int k = 0; k < 3; ++k) p.rate[k] *= step / sum;
    return p;
}

static inline wit_vec3 front_path_at(const front_path* p, double frame)
{
    wit_vec3 q = p->centre;
    for (int k = 0; k < 3; ++k) q = addscaled3(q, sin(p->phase[k] + p->rate[k] * frame), p->amplitude[k]);
    return q;
}

/* The place as a witness of q, evaluated anew. */
static inline front_witness front_witness_at(const wit_body* b, wit_feature_kind kind, int id, double u, double v,
                                             wit_vec3 q)
{
    front_witness w = {.kind = kind, .id = id, .x = {u, v}};
    wit_vec3 r;
    if (kind == WIT_FACE) {
        wit_surface_jet j;
        wit_surface_eval(body_surface(b, id), u, v, WIT_KNOT_DEFAULT, NULL, &j);
        r = sub3(j.p, q);
        w.g[0] = dot3(r, j.du), w.g[1] = dot3(r, j.dv);
    } else if (kind == WIT_EDGE) {
        wit_curve_jet j;
        wit_curve_eval(body_curve(b, id), u, WIT_KNOT_DEFAULT, NULL, &j);
        r = sub3(j.p, q);
        w.g[0] = dot3(r, j.d1);
    } else {
        r = sub3(body_vertices(b)[id].point, q);
    }
    w.r = r;
    w.distance = norm3(r);
    return w;
}

#endif
