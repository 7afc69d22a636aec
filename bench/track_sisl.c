/* SPDX-License-Identifier: MIT */
/* SISL's s1775: the closest point of a surface, iterated from a guess: the answer of the last frame. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peer_sisl.h"
#include "track.h"

static const double TOLERANCE = 1e-12;

typedef struct follower {
    const track_scene* scene;
    SISLSurf* surface;
    double corner[4]; /* lower and upper parameters */
    double at[2];
} follower;

static void destroy(void* self)
{
    follower* f = self;
    if (f->surface) freeSurf(f->surface);
    free(f);
}

static void* create(const track_scene* scene)
{
    const wit_surface_def* d = scene->surface[0];
    if (scene->kind != TRACK_POINT) return NULL;
    follower* f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->scene = scene;
    f->surface = sisl_surface(d);
    f->corner[0] = d->knots_u[d->degree_u];
    f->corner[1] = d->knots_v[d->degree_v];
    f->corner[2] = d->knots_u[d->count_u];
    f->corner[3] = d->knots_v[d->count_v];
    memcpy(f->at, scene->start[0], sizeof f->at);
    if (f->surface) return f;
    destroy(f);
    return NULL;
}

/* The body stands still in all scenes with a point: the pose is left out. */
static void run(void* self, long from, long to, double* out)
{
    follower* f = self;
    for (long k = from; k < to; k++) {
        wit_vec3 p = f->scene->b[k].pose.position;
        double q[3] = {p.x, p.y, p.z}, next[2], at[3], normal[3];
        int status, left_u = 0, left_v = 0;
        s1775(f->surface, q, 3, TOLERANCE, f->corner, f->corner + 2, f->at, next, &status);
        if (status >= 0) memcpy(f->at, next, sizeof next);
        s1421(f->surface, 0, f->at, &left_u, &left_v, at, normal, &status);
        double x = at[0] - q[0], y = at[1] - q[1], z = at[2] - q[2];
        out[k] = sqrt(x * x + y * y + z * z);
    }
}

const track_contestant track_s1775 = {"SISL s1775", "s1775", create, destroy, run, NULL};
