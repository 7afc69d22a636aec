/* SPDX-License-Identifier: MIT */
#include "assembly_scene.h"

#include <math.h>
#include <string.h>

#include "../src/base/vec.h"

/* ---- motions -------------------------------------------------------------------------------- */

/* From the part outwards, so that nothing is deeper than a loop. */
wit_status wi_assembly_part_at(const void* user, double time, wit_motion* out)
{
    const assembly_part* p = user;
    wi_motion_at(&p->place, time, out);
    for (int k = p->link; k >= 0; k = p->scene->links[k].parent) {
        wit_motion outer, inner = *out;
        wi_motion_at(&p->scene->links[k].motion, time, &outer);
        wi_motion_compose(&outer, &inner, out);
    }
    return WIT_OK;
}

/* How far the origin of the part stands from that of a link, at most: at the middle, and half of the way. */
static double reach_in(const wit_motion* at, const wit_motion_bounds* b, double half)
{
    return norm3(at->pose.position) * (1 + 1e-12) + (half > 0 ? b->velocity * half : 0);
}

wit_status wi_assembly_part_bounds(const void* user, double from, double to, wit_motion_bounds* out)
{
    const assembly_part* p = user;
    double mid = from + 0.5 * (to - from), half = 0.5 * (to - from) * (1 + 1e-12);
    wit_motion at;
    wi_motion_at(&p->place, mid, &at);
    wi_motion_bounds_over(&p->place, from, to, out);
    for (int k = p->link; k >= 0; k = p->scene->links[k].parent) {
        const motion_record* m = &p->scene->links[k].motion;
        wit_motion outer, inner = at;
        wit_motion_bounds held = *out, holds;
        double reach = reach_in(&at, out, half);
        wi_motion_bounds_over(m, from, to, &holds);
        wi_motion_bounds_compose(&holds, &held, reach, out);
        wi_motion_at(m, mid, &outer);
        wi_motion_compose(&outer, &inner, &at);
    }
    return WIT_OK;
}

/* ---- what was read -------------------------------------------------------------------------- */

void wit_assembly_scene_destroy(wit_assembly_scene* s)
{
    if (!s) return;
    for (int i = 0; i < s->file_count; i++) wit_model_destroy(s->files[i].model);
    wit_allocator allocator = s->base.pool.allocator;
    wi_memory_pool_free(&s->base.pool);
    wi_memory_give(&allocator, s, sizeof *s);
}

const char* wit_assembly_scene_name(const wit_assembly_scene* s)
{
    return s && s->base.name ? s->base.name : "";
}

wit_unit wit_assembly_scene_unit(const wit_assembly_scene* s)
{
    return s ? s->base.unit : WIT_UNIT_NONE;
}

wit_assembly_def wit_assembly_scene_def(const wit_assembly_scene* s)
{
    return s ? s->def : wit_assembly_default_def();
}

static const assembly_part* part_of(const wit_assembly_scene* s, int body)
{
    return s && body >= 0 && body < s->part_count ? &s->parts[body] : NULL;
}

const char* wit_assembly_scene_body_name(const wit_assembly_scene* s, int body)
{
    const assembly_part* p = part_of(s, body);
    return p ? p->name : "";
}

const char* wit_assembly_scene_body_group(const wit_assembly_scene* s, int body)
{
    const assembly_part* p = part_of(s, body);
    return p && p->group ? p->group : "";
}

int wit_assembly_scene_find(const wit_assembly_scene* s, const char* name)
{
    for (int i = 0; s && name && i < s->part_count; i++)
        if (!strcmp(s->parts[i].name, name)) return i;
    return -1;
}

bool wi_assembly_pair_listed(const wit_assembly_skip* list, int count, int a, int b)
{
    int x = a < b ? a : b, y = a < b ? b : a;
    for (int i = 0; i < count; i++)
        if (list[i].a == x && list[i].b == y) return true;
    return false;
}

bool wit_assembly_scene_approved(const wit_assembly_scene* s, int a, int b)
{
    return s && wi_assembly_pair_listed(s->approved, s->approved_count, a, b);
}

int wit_assembly_scene_requirement_count(const wit_assembly_scene* s)
{
    return s ? s->rule_count : 0;
}

wit_assembly_requirement wit_assembly_scene_requirement(const wit_assembly_scene* s, int index)
{
    wit_assembly_requirement none = {NULL, NULL, NULL, 0};
    return s && index >= 0 && index < s->rule_count ? s->rules[index].said : none;
}

static bool speaks_of(const wit_assembly_scene* s, const assembly_rule* rule, int side, int body)
{
    if (rule->of[side] >= 0) return rule->of[side] == body;
    const char* group = s->parts[body].group;
    return group && !strcmp(group, side ? rule->said.b : rule->said.a);
}

bool wit_assembly_scene_requires(const wit_assembly_scene* s, int index, int a, int b)
{
    if (!part_of(s, a) || !part_of(s, b) || index < 0 || index >= s->rule_count) return false;
    const assembly_rule* r = &s->rules[index];
    return (speaks_of(s, r, 0, a) && speaks_of(s, r, 1, b)) || (speaks_of(s, r, 0, b) && speaks_of(s, r, 1, a));
}
