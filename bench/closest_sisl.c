/* SPDX-License-Identifier: MIT */
/*
 * SISL's two closest points on a surface: s1954, which looks for all of them, and s1958, which picks a start by the
 * control points and iterates. Both with a geometry tolerance of 1e-9, their own advice being 1e-6.
 */
#include <math.h>
#include <stdlib.h>

#include "closest.h"
#include "peer_sisl.h"

static const double TOLERANCE = 1e-9;

typedef struct sisl_points {
    SISLSurf* surface;
    wit_surface* own; /* to measure the answers by */
} sisl_points;

static void destroy(void* self)
{
    sisl_points* s = self;
    if (s->surface) freeSurf(s->surface);
    wit_surface_destroy(s->own);
    free(s);
}

static void* create(const wit_surface_def* def)
{
    sisl_points* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->surface = sisl_surface(def);
    s->own = wit_surface_create(def, NULL, NULL);
    if (s->surface && s->own) return s;
    destroy(s);
    return NULL;
}

static void consider(const sisl_points* s, const double* uv, wit_vec3 p, closest_answer* out)
{
    wit_surface_jet jet;
    wit_surface_eval(s->own, uv[0], uv[1], 0, NULL, &jet);
    double x = jet.p.x - p.x, y = jet.p.y - p.y, z = jet.p.z - p.z, d = sqrt(x * x + y * y + z * z);
    if (out->found && d >= out->distance) return;
    out->found = true;
    out->distance = d;
    out->a = jet.p;
    out->b = p;
}

static void query_s1954(void* self, wit_vec3 p, closest_answer* out)
{
    const sisl_points* s = self;
    double at[3] = {p.x, p.y, p.z}, *parameters = NULL;
    int points = 0, curves = 0, status;
    SISLIntcurve** list = NULL;
    *out = (closest_answer){0};
    out->upper = INFINITY;
    s1954(s->surface, at, 3, 0, TOLERANCE, &points, &parameters, &curves, &list, &status);
    for (int i = 0; status >= 0 && i < points; i++) consider(s, parameters + 2 * i, p, out);
    for (int i = 0; status >= 0 && i < curves; i++)
        if (list[i]->ipoint > 0 && list[i]->epar1) consider(s, list[i]->epar1, p, out);
    free(parameters);
    if (list) freeIntcrvlist(list, curves);
}

static void query_s1958(void* self, wit_vec3 p, closest_answer* out)
{
    const sisl_points* s = self;
    double at[3] = {p.x, p.y, p.z}, uv[2], distance;
    int status;
    *out = (closest_answer){0};
    out->upper = INFINITY;
    s1958(s->surface, at, 3, 0, TOLERANCE, uv, &distance, &status);
    if (status >= 0) consider(s, uv, p, out);
}

const point_contestant point_s1954 = {"SISL s1954", 20, create, destroy, query_s1954};
const point_contestant point_s1958 = {"SISL s1958", 1, create, destroy, query_s1958};
