/* SPDX-License-Identifier: MIT */
/* Prints hashes of what must have the same bits everywhere: compiled for other machines and compared (tests/install/cross.sh). */
#include "../include/witness/witness.h"
#include "jet_hash.h"

static uint64_t hash_of_functions(void)
{
    rng r = rng_seed(71);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 200000; ++i) {
        double out[6];
        double x = rng_range(&r, -20, 20);
        double y = rng_range(&r, -20, 20);
        wit_sincos(x * y * y, &out[0], &out[1]);
        out[2] = wit_atan2(y, x);
        out[3] = wit_exp(x);
        wit_sinhcosh(y, &out[4], &out[5]);
        hash = fnv(hash, out, sizeof out);
    }
    return hash;
}

/* Bounds of a solid's faces and edges, and points in faces: the bodies' layer. */
static uint64_t hash_of_bodies(void)
{
    uint64_t hash = 0xcbf29ce484222325u;
    const wit_solid_kind kinds[4] = {WIT_SOLID_CONE, WIT_SOLID_CAPSULE, WIT_SOLID_TORUS, WIT_SOLID_BOX};
    for (int k = 0; k < 4; ++k) {
        wit_solid_def def = wit_solid_default_def(kinds[k]);
        def.radius = def.size_x = def.size_y = def.size_z = 2;
        def.height = 3;
        def.radius2 = 0.5;
        wit_body* body = wit_solid_create(&def, NULL, NULL);
        jet_hash_needs(body != NULL);
        wit_body_info info = wit_body_describe(body);
        hash = fnv(hash, &info.box, sizeof info.box);
        for (int f = 0; f < info.face_count; ++f) {
            wit_face_info face = wit_body_face(body, f);
            wit_surface_bounds b;
            wit_surface_bound(face.surface, face.u, face.v, &b);
            hash = fnv(hash, &b, sizeof b);
            for (int i = 0; i < 100; ++i) {
                unsigned char in = wit_body_face_contains(body, f, face.u.lo + 0.01 * i * (face.u.hi - face.u.lo),
                                                          face.v.lo + 0.37 * (face.v.hi - face.v.lo));
                hash = fnv(hash, &in, 1);
            }
        }
        wit_body_destroy(body);
    }
    return hash;
}

int main(void)
{
    printf("functions %016llx\n", (unsigned long long)hash_of_functions());
    printf("jets      %016llx\n", (unsigned long long)hash_of_jets(WIT_KERNEL_PORTABLE));
    printf("bodies    %016llx\n", (unsigned long long)hash_of_bodies());
    return 0;
}
