/* SPDX-License-Identifier: MIT */
/*
 * steps PORTABLE|AUTO SCENE...: nanoseconds of processor time of a tracker's step, with the default law, along each scene.
 * PORTABLE takes that kernel set for the step and for bodies that a model implies from its surfaces; the analytic ones
 * have no other. tests/page/steps.mjs puts them beside those of the module.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <witness/io.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The body of a side with portable kernels, where it is made of surfaces. */
static const wit_body* portable_body(const wit_scene* scene, int side)
{
    const wit_model* model = wit_scene_model(scene, side);
    const wit_body* body = wit_scene_body(scene, side);
    if (!model || !wit_model_body_implied(model, 0)) return body;
    int n = wit_model_surface_count(model);
    wit_face_def* faces = calloc((size_t)n, sizeof *faces);
    for (int i = 0; faces && i < n; i++) {
        wit_surface_def def = *wit_model_surface_def(model, i);
        def.kernel = WIT_KERNEL_PORTABLE;
        faces[i].surface = wit_surface_create(&def, NULL, NULL);
    }
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = n;
    def.faces = faces;
    return wit_body_create(&def, NULL, NULL);
}

static int measure(const char* path, bool portable)
{
    wit_error error = {0};
    wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, &error);
    if (!scene) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return 1;
    }
    int frames = (int)wit_scene_frames(scene) + 1, rounds = 1 + 40000 / frames;
    wit_motion* motions = malloc(2 * (size_t)frames * sizeof *motions);
    for (int k = 0; motions && k < 2 * frames; k++)
        wit_scene_motion(scene, k % 2, (double)(k / 2) / wit_scene_rate(scene), &motions[k]);
    const wit_body *a = wit_scene_body(scene, 0), *b = wit_scene_body(scene, 1);
    wit_track_def def = wit_track_default_def();
    if (portable) {
        a = portable_body(scene, 0);
        b = portable_body(scene, 1);
        def.kernel = WIT_KERNEL_PORTABLE;
    }
    wit_tracker* tracker = wit_tracker_create(a, b, &def, NULL, &error);
    if (!tracker || !motions) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return 1;
    }
    double best = 1e9, dt = 1 / wit_scene_rate(scene), sum = 0;
    for (int round = 0; round < rounds; round++) {
        double from = seconds();
        wit_tracker_reset(tracker);
        for (int k = 0; k < frames; k++) {
            wit_result r;
            if (wit_tracker_step(tracker, &motions[2 * k], &motions[2 * k + 1], dt, &r)) return 1;
            sum += r.distance;
        }
        double spent = seconds() - from;
        if (spent < best) best = spent;
    }
    printf("%s %.1f %.17g\n", path, 1e9 * best / frames, sum / rounds);
    return 0;
}

int main(int argc, char** argv)
{
    int failed = argc < 3;
    for (int i = 2; i < argc; i++) failed |= measure(argv[i], !strcmp(argv[1], "PORTABLE"));
    return failed;
}
