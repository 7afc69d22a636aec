/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <math.h>

void wit_scene_destroy(wit_scene* scene)
{
    if (!scene) return;
    wi_scene_dynamics_free(scene->dynamics);
    if (scene->sides[1].model != scene->sides[0].model) wit_model_destroy(scene->sides[1].model);
    wit_model_destroy(scene->sides[0].model);
    wit_allocator allocator = scene->pool.allocator;
    wi_memory_pool_free(&scene->pool);
    wi_memory_give(&allocator, scene, sizeof *scene);
}

static const char* text_or_empty(const char* text)
{
    return text ? text : "";
}

static const scene_side* scene_side_of(const wit_scene* scene, int side)
{
    return scene && (side == 0 || side == 1) ? &scene->sides[side] : NULL;
}

const char* wit_scene_name(const wit_scene* scene)
{
    return text_or_empty(scene ? scene->name : NULL);
}

const char* wit_scene_note(const wit_scene* scene)
{
    return text_or_empty(scene ? scene->note : NULL);
}

wit_unit wit_scene_unit(const wit_scene* scene)
{
    return scene ? scene->unit : WIT_UNIT_NONE;
}

const wit_body* wit_scene_body(const wit_scene* scene, int side)
{
    const scene_side* s = scene_side_of(scene, side);
    return s ? s->body : NULL;
}

const wit_model* wit_scene_model(const wit_scene* scene, int side)
{
    const scene_side* s = scene_side_of(scene, side);
    return s ? s->model : NULL;
}

const char* wit_scene_side_name(const wit_scene* scene, int side)
{
    const scene_side* s = scene_side_of(scene, side);
    return text_or_empty(s ? s->name : NULL);
}

double wit_scene_rate(const wit_scene* scene)
{
    return scene ? scene->rate : 0;
}

double wit_scene_duration(const wit_scene* scene)
{
    return scene ? scene->duration : 0;
}

int64_t wit_scene_frames(const wit_scene* scene)
{
    return scene ? scene->frames : 0;
}

wit_track_def wit_scene_track_def(const wit_scene* scene)
{
    wit_track_def def = scene ? scene->track : wit_track_default_def();
    if (scene && scene->law.kind != WIT_LAW_DEADBEAT) def.law = &scene->law;
    return def;
}

wit_law_def wit_scene_law_def(const wit_scene* scene)
{
    return scene ? scene->law : wit_law_default_def(WIT_LAW_DEADBEAT);
}

bool wit_scene_start(const wit_scene* scene, wit_witness* a, wit_witness* b)
{
    if (!scene || !scene->starts) return false;
    if (a) *a = scene->start[0];
    if (b) *b = scene->start[1];
    return true;
}

int wit_scene_snapshots(const wit_scene* scene, double* times, int capacity)
{
    if (!scene) return 0;
    for (int i = 0; times && i < scene->snapshot_count && i < capacity; i++) times[i] = scene->snapshots[i];
    return scene->snapshot_count;
}

wit_status wit_scene_motion(const wit_scene* scene, int side, double time, wit_motion* out)
{
    const scene_side* s = scene_side_of(scene, side);
    if (!s || !out) return WIT_ERROR_ARGUMENT;
    if (!isfinite(time)) return WIT_ERROR_NUMBER;
    wi_motion_at(&s->motion, time, out);
    return WIT_OK;
}

wit_status wit_scene_motion_bounds(const wit_scene* scene, int side, double from, double to, wit_motion_bounds* out)
{
    const scene_side* s = scene_side_of(scene, side);
    if (!s || !out) return WIT_ERROR_ARGUMENT;
    if (!isfinite(from) || !isfinite(to)) return WIT_ERROR_NUMBER;
    if (!(from <= to)) return WIT_ERROR_RANGE;
    wi_motion_bounds_over(&s->motion, from, to, out);
    return WIT_OK;
}
