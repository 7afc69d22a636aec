/* SPDX-License-Identifier: MIT */
/*
 * The floor of a step: predict from the last three frames, one jet per side, one Newton step, the points by Taylor.
 * Poses in, distance, normal, points and parameters out. No check, no guard, no border, no wrap, no certificate; the
 * degree is a constant and everything is inlined. For two bodies both jets are turned into the world.
 */
#include <stdlib.h>

#include "floor_jet.h"
#include "track.h"
#include "track_newton.h"

#if defined(__x86_64__)

enum { MOST_BREAKS = 64 };

typedef struct cells {
    int degree, nu, nv;
    double u[MOST_BREAKS], v[MOST_BREAKS]; /* breaks */
    double* record;
    void* block;
    int i, j; /* where the last jet was */
} cells;

typedef struct floor_steps {
    const track_scene* scene;
    cells side[2];
    floor_past past;
    floor_result last;
    bool rational;
} floor_steps;

static bool cells_make(const wit_surface_def* d, cells* c)
{
    int ku[MOST_BREAKS], kv[MOST_BREAKS];
    c->degree = d->degree_u;
    c->nu = floor_spans(d->knots_u, d->degree_u, d->count_u, ku);
    c->nv = floor_spans(d->knots_v, d->degree_v, d->count_v, kv);
    for (int i = 0; i < c->nu; i++) c->u[i] = d->knots_u[ku[i]];
    for (int i = 0; i < c->nv; i++) c->v[i] = d->knots_v[kv[i]];
    c->u[c->nu] = d->knots_u[d->count_u];
    c->v[c->nv] = d->knots_v[d->count_v];
    size_t doubles = (size_t)(c->nu * c->nv * floor_stride(c->degree));
    c->block = calloc(doubles + 4, sizeof(double));
    if (!c->block) return false;
    c->record = (double*)(void*)(((uintptr_t)c->block + 31) & ~(uintptr_t)31);
    for (int i = 0; i < c->nu; i++)
        for (int j = 0; j < c->nv; j++)
            floor_cell(d, ku[i], kv[j], c->record + (i * c->nv + j) * floor_stride(c->degree));
    return true;
}

static void destroy(void* self)
{
    floor_steps* s = self;
    for (int k = 0; k < 2; k++) free(s->side[k].block);
    free(s);
}

static void* create(const track_scene* scene)
{
    const wit_surface_def* d = scene->surface[0];
    if (!d || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return NULL;
    if (d->degree_u != d->degree_v || d->degree_u < 2 || d->degree_u > 3 || (d->degree_u == 3 && !d->weights))
        return NULL;
    floor_steps* s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->scene = scene;
    s->rational = d->weights;
    for (int k = 0; k < 3; k++) memcpy(s->past.x[k], scene->start[k], sizeof s->past.x[k]);
    bool good = cells_make(d, &s->side[0]);
    if (good && scene->surface[1]) good = cells_make(scene->surface[1], &s->side[1]);
    if (good) return s;
    destroy(s);
    return NULL;
}

INLINE void jet_at(int p, bool rational, cells* c, const double* x, floor_jet_of* out)
{
    double jet[6 * 3 + 2];
    while (x[0] < c->u[c->i] && c->i > 0) c->i--;
    while (x[0] >= c->u[c->i + 1] && c->i < c->nu - 1) c->i++;
    while (x[1] < c->v[c->j] && c->j > 0) c->j--;
    while (x[1] >= c->v[c->j + 1] && c->j < c->nv - 1) c->j++;
    floor_jet(p, rational, c->record + (c->i * c->nv + c->j) * floor_stride(p), x[0], x[1], jet);
    memcpy(out, jet, sizeof *out);
}

INLINE void steps(int p, bool rational, bool pair, floor_steps* s, long from, long to, double* distances)
{
    const track_scene* scene = s->scene;
    for (long k = from; k < to; k++) {
        double x[4];
        floor_jet_of f, h;
        past_predict(&s->past, pair ? 4 : 2, x);
        jet_at(p, rational, &s->side[0], x, &f);
        if (pair) {
            floor_turn ta = turn_of(&scene->a[k].pose), tb = turn_of(&scene->b[k].pose);
            jet_at(p, rational, &s->side[1], x + 2, &h);
            turn_jet(&ta, &f);
            turn_jet(&tb, &h);
            newton_pair(&f, &h, x, &s->last);
        } else {
            floor_turn ta = turn_of(&scene->a[k].pose);
            wit_vec3 d = sub3(scene->b[k].pose.position, ta.shift); /* into the frame of a, and back */
            wit_vec3 q = addscaled3(addscaled3(scale3(d.x, ta.row[0]), d.y, ta.row[1]), d.z, ta.row[2]);
            newton_point(&f, q, x, &s->last);
            s->last.normal = turn_vector(&ta, s->last.normal);
            s->last.p = add3(ta.shift, turn_vector(&ta, s->last.p));
        }
        past_push(&s->past, pair ? 4 : 2, s->last.x);
        distances[k] = s->last.distance;
        __asm__ volatile("" ::: "memory");
    }
}

TARGET static void run(void* self, long from, long to, double* out)
{
    floor_steps* s = self;
    bool pair = s->scene->surface[1];
    int degree = s->side[0].degree;
    if (degree == 3 && pair)
        steps(3, true, true, s, from, to, out);
    else if (degree == 3)
        steps(3, true, false, s, from, to, out);
    else if (s->rational && pair)
        steps(2, true, true, s, from, to, out);
    else if (s->rational)
        steps(2, true, false, s, from, to, out);
    else if (pair)
        steps(2, false, true, s, from, to, out);
    else
        steps(2, false, false, s, from, to, out);
}

static double jets(void* self)
{
    const floor_steps* s = self;
    return s->scene->surface[1] ? 2 : 1;
}

#else

static void* create(const track_scene* scene)
{
    (void)scene;
    return NULL;
}

static void destroy(void* self)
{
    (void)self;
}

static void run(void* self, long from, long to, double* out)
{
    (void)self, (void)from, (void)to, (void)out;
}

static double jets(void* self)
{
    (void)self;
    return 0;
}

#endif

const track_contestant track_floor = {"bare floor, AVX2+FMA", "floor", create, destroy, run, jets};
