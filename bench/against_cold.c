/* SPDX-License-Identifier: MIT */
/*
 * Cold queries in default mode, for bench/against-cold, which compiles this file with the headers and the library of two states. So
 * only names that both states have may stand here. Under callgrind: instructions of COUNTED queries of each row.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/witness.h"
#include "../tests/random.h"
#include "counter.h"
#include "surfaces.h"

enum { COUNTED = 64, KINDS = 7, SHEETS = 2, BODIES = KINDS + SHEETS };

static const struct {
    const char* key;
    wit_solid_kind kind;
} solids[KINDS] = {{"box", WIT_SOLID_BOX},           {"sphere", WIT_SOLID_SPHERE}, {"ellipsoid", WIT_SOLID_ELLIPSOID},
                   {"cylinder", WIT_SOLID_CYLINDER}, {"cone", WIT_SOLID_CONE},     {"capsule", WIT_SOLID_CAPSULE},
                   {"torus", WIT_SOLID_TORUS}};

static wit_body* solid(int i)
{
    wit_solid_def d = wit_solid_default_def(solids[i].kind);
    d.size_x = 1;
    d.size_y = 0.75;
    d.size_z = 1.5;
    d.radius = 0.5;
    d.radius2 = 0.2;
    d.height = 1.25;
    return wit_solid_create(&d, NULL, NULL);
}

static wit_body* sheet(int i, const char** key)
{
    static bench_surface s;
    bench_surface_make(i, &s);
    wit_surface* surface = wit_surface_create(&s.def, NULL, NULL);
    if (!surface) return NULL;
    wit_face_def face = {.surface = surface};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    wit_body* b = wit_body_create(&def, NULL, NULL);
    wit_surface_destroy(surface);
    *key = s.key;
    return b;
}

static wit_pose somewhere(rng* r, wit_vec3 middle, double far)
{
    wit_pose p = wit_pose_identity();
    wit_vec3 axis = {rng_range(r, -1, 1), rng_range(r, -1, 1), rng_range(r, 0.1, 1)};
    p.rotation = wit_quat_about(axis, rng_range(r, 0, 3));
    p.position.x = middle.x + rng_range(r, -far, far);
    p.position.y = middle.y + rng_range(r, -far, far);
    p.position.z = middle.z + rng_range(r, -far, far);
    return p;
}

static void count(wit_query* q, const wit_body* a, const char* key, const wit_body* b, const char* other)
{
    char label[96];
    wit_box box = wit_body_describe(a).box;
    wit_vec3 m = {0.5 * (box.lo.x + box.hi.x), 0.5 * (box.lo.y + box.hi.y), 0.5 * (box.lo.z + box.hi.z)};
    double size = box.hi.x - box.lo.x + box.hi.y - box.lo.y;
    rng r = rng_seed(7);
    snprintf(label, sizeof label, "%s-%s %d", key, b ? other : "point", (int)COUNTED);
    callgrind_start();
    for (int k = 0; k < COUNTED; k++) {
        wit_closest c;
        wit_placed x = wit_placed_at(a, wit_pose_identity());
        wit_pose at = somewhere(&r, m, size);
        wit_placed y = wit_placed_at(b, at);
        wit_status status = b ? wit_closest_pair(q, &x, &y, &c) : wit_closest_point(q, &x, at.position, &c);
        if (status) abort();
    }
    callgrind_stop(label);
}

int main(void)
{
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    wit_body* body[BODIES];
    const char* key[BODIES];
    for (int i = 0; i < BODIES; i++) {
        body[i] = i < KINDS ? solid(i) : sheet(i - KINDS, &key[i]);
        if (i < KINDS) key[i] = solids[i].key;
        if (!q || !body[i]) {
            fprintf(stderr, "no body %d\n", i);
            return 1;
        }
    }
    for (int i = 0; i < BODIES; i++) {
        count(q, body[i], key[i], NULL, "");
        count(q, body[i], key[i], body[0], key[0]);
        if (i < KINDS) count(q, body[i], key[i], body[3], key[3]);
    }
    for (int i = 0; i < BODIES; i++) wit_body_destroy(body[i]);
    wit_query_destroy(q);
    return 0;
}
