/* SPDX-License-Identifier: MIT */
/* Worlds of forces: those of scenes, and the one of the page, a tool in the user's hand against a body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridge.h"

typedef struct world {
    wit_haptic* haptic;
    const wit_scene* scene; /* or null */
    wit_haptic_def def;
    bool human_there;
    wit_human human;
    wit_haptic_result last;
} world;

EXPORT(wb_world_free) void wb_world_free(world* w)
{
    if (!w) return;
    wit_haptic_destroy(w->haptic);
    free(w);
}

EXPORT(wb_world_of_scene) world* wb_world_of_scene(const wit_scene* scene, const double* settings, double rate)
{
    world* w = calloc(1, sizeof *w);
    wit_error* error = bridge_error();
    if (!w || !wit_scene_dynamics(scene, &w->def)) {
        bridge_fail(w ? WIT_ERROR_ARGUMENT : WIT_ERROR_MEMORY, "dynamics", w ? "the scene has no dynamics" : "");
        free(w);
        return NULL;
    }
    w->scene = scene;
    wit_law_def law = wit_scene_law_def(scene);
    w->def.track = wit_scene_track_def(scene);
    bridge_settings(settings, &w->def.track, &law);
    w->def.law = law;
    w->def.rate = rate;
    w->human_there = wit_scene_human(scene, &w->human);
    w->haptic = wit_haptic_create(&w->def, NULL, error);
    wit_motion start;
    if (w->haptic && w->def.integrator != WIT_INTEGRATOR_DEFAULT && !wit_scene_device(scene, 0, &start))
        wit_haptic_device_start(w->haptic, &start);
    if (w->haptic) return w;
    free(w);
    return NULL;
}

/* The numbers of a world of the page's. */
enum {
    WORLD_RATE,
    WORLD_COUPLER, /* stiffness */
    WORLD_COUPLER_DAMPING,
    WORLD_DEVICE_DAMPING, /* what the hand and the device take off: passivity */
    WORLD_CONTACT,        /* stiffness of the contact, of a tool with a shape */
    WORLD_CONTACT_DAMPING,
    WORLD_FRICTION,
    WORLD_MASS,
    WORLD_INERTIA,
    WORLD_ALLOW_UNSTABLE,
    WORLD_COUNT
};

static void set_tool(wit_haptic_body_def* tool, const wit_body* shape, const double* n)
{
    tool->shape = shape;
    tool->drive = shape ? WIT_DRIVE_DYNAMIC : WIT_DRIVE_PROXY;
    tool->mass = n[WORLD_MASS];
    tool->weight = 0;
    memset(tool->inertia, 0, sizeof tool->inertia);
    for (int i = 0; i < 3; i++) tool->inertia[4 * i] = n[WORLD_INERTIA];
    if (!shape) return;
    wit_body_info info = wit_body_describe(shape);
    tool->centre = (wit_vec3){0.5 * (info.box.lo.x + info.box.hi.x), 0.5 * (info.box.lo.y + info.box.hi.y),
                              0.5 * (info.box.lo.z + info.box.hi.z)};
}

/* Body `a` stands still at the pose; the tool is a point (a proxy) or a body of a mass. */
EXPORT(wb_world_of_tool)
world* wb_world_of_tool(const wit_body* a, const double* pose_a, const wit_body* tool, const double* pose_tool,
                        const double* n)
{
    world* w = calloc(1, sizeof *w);
    if (!w) {
        bridge_fail(WIT_ERROR_MEMORY, "world", "");
        return NULL;
    }
    wit_haptic_body_def bodies[2] = {wit_haptic_default_body(), wit_haptic_default_body()};
    bodies[0].shape = a;
    bodies[0].start = wit_motion_at_rest(bridge_pose(pose_a));
    bodies[1].start = wit_motion_at_rest(bridge_pose(pose_tool));
    set_tool(&bodies[1], tool, n);
    wit_haptic_pair_def pair = {0, 1, NULL};
    w->def = wit_haptic_default_def();
    w->def.bodies = bodies;
    w->def.body_count = 2;
    w->def.pairs = &pair;
    w->def.pair_count = 1;
    w->def.tool = 1;
    w->def.rate = n[WORLD_RATE];
    w->def.coupler.stiffness = n[WORLD_COUPLER];
    w->def.coupler.damping = n[WORLD_COUPLER_DAMPING];
    double arm = tool ? n[WORLD_INERTIA] / n[WORLD_MASS] : 0; /* radius of gyration squared */
    w->def.coupler.angular_stiffness = n[WORLD_COUPLER] * arm;
    w->def.coupler.angular_damping = n[WORLD_COUPLER_DAMPING] * arm;
    w->def.device_damping = n[WORLD_DEVICE_DAMPING];
    w->def.device_angular_damping = isfinite(n[WORLD_DEVICE_DAMPING]) ? n[WORLD_DEVICE_DAMPING] * arm : INFINITY;
    w->def.response.stiffness = n[WORLD_CONTACT];
    w->def.response.damping = n[WORLD_CONTACT_DAMPING];
    w->def.response.friction = n[WORLD_FRICTION];
    w->def.allow_unstable = n[WORLD_ALLOW_UNSTABLE] != 0;
    w->haptic = wit_haptic_create(&w->def, NULL, bridge_error());
    w->def.bodies = NULL;
    w->def.pairs = NULL;
    if (w->haptic) return w;
    free(w);
    return NULL;
}

/* 22 doubles: force, torque on the device, motion of the tool (14), then gap, touching. */
enum { FORCE_SIZE = 30 };

static void put_world(const world* w, double* to)
{
    const wit_haptic_result* r = &w->last;
    to = bridge_put_vec(to, r->force);
    to = bridge_put_vec(to, r->torque);
    bridge_put_motion(to, &r->tool);
    to += MOTION_SIZE;
    const wit_energy* e = &r->energy;
    const double rest[10] = {r->gap,     r->touching, r->finite, r->flags,      e->kinetic,
                             e->coupler, e->contact,  e->stored, e->dissipated, e->supplied};
    memcpy(to, rest, sizeof rest);
}

/* One step. `device` null: the scene's own, with its hand. `result`: pair 0 as a tracker's row, with the world's distance;
 * `to`: the row above. */
EXPORT(wb_world_step)
int wb_world_step(world* w, const double* device, double time, double dt, double* result, double* to)
{
    wit_status status = WIT_OK;
    wit_motion at = wit_motion_at_rest(wit_pose_identity());
    for (int i = 0; w->scene && i < w->def.body_count && !status; i++) {
        wit_motion m;
        if (w->def.bodies[i].drive != WIT_DRIVE_MOVED) continue;
        status = wit_scene_body_motion(w->scene, i, time, &m);
        if (!status) status = wit_haptic_move(w->haptic, i, &m);
    }
    if (device) {
        at = bridge_motion(device);
    } else if (!status && w->def.tool >= 0) {
        status = wit_scene_device(w->scene, time, &at);
        if (!status && w->human_there) {
            status = wit_human_step(&w->human, &at, w->last.force, w->last.torque, dt);
            at = w->human.at;
        }
    }
    if (!status) status = wit_haptic_step(w->haptic, w->def.tool >= 0 ? &at : NULL, dt, &w->last);
    if (status) return (int)bridge_fail(status, "world", "");
    wit_haptic_pair pair;
    wit_haptic_contact(w->haptic, 0, &pair);
    wit_result r = pair.track;
    r.distance = pair.distance;
    r.rate = pair.rate;
    bridge_put_result(result, &r);
    put_world(w, to);
    return 0;
}

EXPORT(wb_world_body) int wb_world_body(const world* w, int body, double* to)
{
    wit_motion m;
    wit_status status = wit_haptic_body(w->haptic, body, &m);
    if (status) return (int)bridge_fail(status, "body", "");
    bridge_put_motion(to, &m);
    return 0;
}
