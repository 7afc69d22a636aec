/* SPDX-License-Identifier: MIT */
/* The floor of a step for two analytic ellipsoids: as track_floor.c, with jets from one sine and cosine per
 * parameter. */
#include <stdlib.h>
#include <string.h>

#include "track.h"
#include "track_newton.h"

typedef struct floor_steps {
    const track_scene* scene;
    floor_past past;
    floor_result last;
} floor_steps;

static void* create(const track_scene* scene)
{
    if (scene->kind != TRACK_ELLIPSOIDS || scene->surface[0]) return NULL;
    floor_steps* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->scene = scene;
    for (int k = 0; k < 3; k++) memcpy(s->past.x[k], scene->start[k], sizeof s->past.x[k]);
    return s;
}

static void destroy(void* self)
{
    free(self);
}

/* (x cos u cos v, y sin u cos v, z sin v) */
static inline void jet_at(wit_vec3 e, const double* x, floor_jet_of* out)
{
    double su, cu, sv, cv;
    wit_sincos(x[0], &su, &cu);
    wit_sincos(x[1], &sv, &cv);
    out->p = vec3(e.x * cu * cv, e.y * su * cv, e.z * sv);
    out->u = vec3(-e.x * su * cv, e.y * cu * cv, 0);
    out->v = vec3(-e.x * cu * sv, -e.y * su * sv, e.z * cv);
    out->uu = vec3(-out->p.x, -out->p.y, 0);
    out->uv = vec3(e.x * su * sv, -e.y * cu * sv, 0);
    out->vv = scale3(-1, out->p);
}

static void run(void* self, long from, long to, double* out)
{
    floor_steps* s = self;
    const track_scene* scene = s->scene;
    for (long k = from; k < to; k++) {
        double x[4];
        floor_jet_of f, h;
        floor_turn ta = turn_of(&scene->a[k].pose), tb = turn_of(&scene->b[k].pose);
        past_predict(&s->past, 4, x);
        jet_at(scene->axes[0], x, &f);
        jet_at(scene->axes[1], x + 2, &h);
        turn_jet(&ta, &f);
        turn_jet(&tb, &h);
        newton_pair(&f, &h, x, &s->last);
        past_push(&s->past, 4, s->last.x);
        out[k] = s->last.distance;
    }
}

static double jets(void* self)
{
    (void)self;
    return 2;
}

const track_contestant track_floor_ellipsoids = {"bare floor", "floor", create, destroy, run, jets};
