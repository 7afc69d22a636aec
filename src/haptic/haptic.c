/* SPDX-License-Identifier: MIT */
/* The world: its memory, its steps and what can be asked of it. */
#include <string.h>

#include "../base/allocator.h"
#include "../base/arena.h"
#include "../base/error.h"
#include "haptic_record.h"

wit_haptic_body_def wit_haptic_default_body(void)
{
    wit_haptic_body_def d = {.mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .weight = 1, .lever = -1};
    d.axis = vec3(0, 0, 1);
    d.start = wit_motion_at_rest(wit_pose_identity());
    return d;
}

wit_response wit_response_default(void)
{
    wit_response r = {.stiffness = 1000, .slip_speed = 1e-3, .correction = 0.2};
    return r;
}

wit_haptic_def wit_haptic_default_def(void)
{
    wit_haptic_def d = {.struct_size = sizeof d,
                        .tool = -1,
                        .device_damping = INFINITY,
                        .device_angular_damping = INFINITY,
                        .proxy_speed = INFINITY,
                        .force_limit = INFINITY,
                        .torque_limit = INFINITY,
                        .speed_limit = INFINITY,
                        .angular_speed_limit = INFINITY,
                        .rate = 1000,
                        .iterations = 64};
    d.response = wit_response_default();
    d.track = wit_track_default_def();
    d.law = wit_law_default_def(WIT_LAW_DEADBEAT);
    return d;
}

const char* wit_drive_name(wit_drive drive)
{
    static const char* const names[] = {"fixed", "moved", "dynamic", "link", "proxy"};
    return (unsigned)drive < WIT_DRIVE_COUNT ? names[drive] : "?";
}

const char* wit_freedom_name(wit_freedom freedom)
{
    static const char* const names[] = {"all", "turn", "slide", "plane"};
    return (unsigned)freedom < WIT_FREEDOM_COUNT ? names[freedom] : "?";
}

const char* wit_response_name(wit_response_kind kind)
{
    static const char* const names[] = {"penalty", "impulse"};
    return (unsigned)kind < WIT_RESPONSE_COUNT ? names[kind] : "?";
}

const char* wit_damping_name(wit_damping_kind kind)
{
    static const char* const names[] = {"linear", "hunt_crossley"};
    return (unsigned)kind < WIT_DAMPING_COUNT ? names[kind] : "?";
}

/* ---- memory -------------------------------------------------------------------------------- */

/* RK2, RK4: the tracker only watches; the parameters are integrated with the rest. */
static wit_track_def watching(const wit_haptic_def* def, int pair)
{
    wit_track_def d = wi_haptic_pair_track(def, pair);
    if (!world_is_joint(def)) return d;
    d.law = NULL;
    d.form = WIT_FORM_CONTACT;
    if (!haptic_keeps(def, pair)) d.keep_features = false;
    return d;
}

static wit_track_def following(const wit_haptic_def* def, int pair)
{
    wit_track_def d = watching(def, pair);
    d.front = 0;
    return d;
}

static int state_count(const wit_haptic_def* def)
{
    int n = 2 + WIT_MAX_PARAMETERS * def->pair_count;
    for (int i = 0; i < def->body_count; ++i)
        if (def->bodies[i].drive == WIT_DRIVE_DYNAMIC) n += BODY_STATE;
    if (def->human) n += BODY_STATE;
    return n + (def->system ? 2 * def->system->count : 0);
}

static bool is_proxy_pair(const wit_haptic_def* def, int i)
{
    return def->bodies[def->pairs[i].b].drive == WIT_DRIVE_PROXY;
}

static wit_haptic* lay_out(arena* m, const wit_haptic_def* def)
{
    size_t head = wi_arena_reserve(m, 1, sizeof(wit_haptic));
    size_t bodies = wi_arena_reserve(m, (size_t)def->body_count, sizeof(world_body));
    size_t pairs = wi_arena_reserve(m, (size_t)def->pair_count, sizeof(world_pair));
    size_t vectors =
        world_is_joint(def) ? wi_arena_reserve(m, RK_VECTORS * (size_t)state_count(def), sizeof(double)) : 0;
    wit_haptic* w = m->base && arena_ok(m) ? (wit_haptic*)(m->base + head) : NULL;
    if (w) {
        memset(w, 0, m->used);
        w->bodies_at = bodies - head;
        w->pairs_at = pairs - head;
        w->vectors_at = vectors - head;
    }
    for (int i = 0; i < def->pair_count; ++i) {
        size_t room = (size_t)wi_contact_capacity(def, i);
        size_t list = wi_arena_reserve(m, 2 * room, sizeof(world_contact));
        if (w && arena_ok(m)) {
            memset(m->base + list, 0, 2 * room * sizeof(world_contact));
            world_pairs(w)[i].contacts_at = list - head;
            world_pairs(w)[i].before_at = list + room * sizeof(world_contact) - head;
            world_pairs(w)[i].contact_capacity = (int)room;
        }
        size_t events = wi_arena_reserve(m, (size_t)def->track.transitions, sizeof(wit_transition));
        if (w && arena_ok(m)) world_pairs(w)[i].events_at = events - head;
        const wit_body *a = def->bodies[def->pairs[i].a].shape, *b = def->bodies[def->pairs[i].b].shape;
        wit_track_def wide = watching(def, i), near = following(def, i);
        size_t at = wi_arena_reserve(m, wit_tracker_size(a, b, &wide), 1);
        size_t local = is_proxy_pair(def, i) ? wi_arena_reserve(m, wit_tracker_size(a, b, &near), 1) : 0;
        size_t copy = world_is_joint(def) ? wi_arena_reserve(m, wit_tracker_size(a, b, &wide), 1) : 0;
        if (!w || !arena_ok(m)) continue;
        world_pairs(w)[i].tracker_at = at - head;
        world_pairs(w)[i].tracker_bytes = wit_tracker_size(a, b, &wide);
        world_pairs(w)[i].copy_at = copy ? copy - head : 0;
        world_pairs(w)[i].local_at = local ? local - head : 0;
    }
    return arena_ok(m) ? w : NULL;
}

static wit_status check_all(const wit_haptic_def* def, wit_error* error)
{
    wit_status status = wi_haptic_check_def(def, error);
    if (status || def->allow_unstable) return status;
    return wi_haptic_check_gains(def, def->rate, error);
}

size_t wit_haptic_size(const wit_haptic_def* def)
{
    if (check_all(def, NULL)) return 0;
    arena m = wi_arena_measure();
    lay_out(&m, def);
    return arena_ok(&m) ? m.used : 0;
}

static wit_status make_pair(wit_haptic* w, const wit_haptic_def* def, int i, wit_error* error)
{
    world_pair* p = &world_pairs(w)[i];
    p->a = def->pairs[i].a;
    p->b = def->pairs[i].b;
    p->response = def->pairs[i].response ? *def->pairs[i].response : def->response;
    p->proxy = is_proxy_pair(def, i);
    p->now.distance = INFINITY;
    const wit_body *a = def->bodies[p->a].shape, *b = def->bodies[p->b].shape;
    wit_track_def wide = watching(def, i), near = following(def, i);
    friction_hold hold = wi_friction_hold(def, i, def->rate);
    p->listed = wide.contacts > 0;
    p->room = fmin(wi_haptic_room(def, p->a, def->rate), wi_haptic_room(def, p->b, def->rate));
    p->hold = p->response.stiffness > 0 ? hold.stiffness / p->response.stiffness : 0;
    p->hold_damping = hold.stiffness > 0 ? hold.damping / hold.stiffness : 0;
    wit_tracker* made = NULL;
    wit_status status = wit_tracker_init(pair_tracker(w, p), wit_tracker_size(a, b, &wide), a, b, &wide, &made, error);
    if (!status && p->proxy)
        status = wit_tracker_init(pair_local(w, p), wit_tracker_size(a, b, &near), a, b, &near, &made, error);
    if (!status && haptic_keeps(def, i))
        status = wit_tracker_place(pair_tracker(w, p), def->keeps[i].a, def->keeps[i].b);
    return status;
}

/* A twist that is not known is none. */
static wit_motion known_motion(const wit_motion* m)
{
    return m->twist_known ? *m : wit_motion_at_rest(m->pose);
}

/* Into how many default steps one of RK2 or RK4 can be divided so that they are stable. */
static int plain_steps(const wit_haptic_def* def)
{
    for (int n = 1; n <= 8; n *= 2) {
        bool stable = true;
        for (int i = 0; i < def->body_count; ++i) stable &= wi_haptic_room(def, i, n * def->rate) > 0;
        if (stable) return n;
    }
    return 0;
}

wit_status wit_haptic_init(void* memory, size_t bytes, const wit_haptic_def* def, wit_haptic** out, wit_error* error)
{
    if (!memory || !out) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "memory and out must not be null");
    wit_status status = check_all(def, error);
    if (status) return status;
    arena m = wi_arena_over(memory, bytes);
    wit_haptic* w = lay_out(&m, def);
    if (!w)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "bytes",
                             "the memory is too small or not aligned; wit_haptic_size tells");
    w->def = *def;
    w->def.bodies = NULL;
    w->def.pairs = NULL;
    w->def.keeps = NULL;
    w->def.system = NULL;
    w->def.human = NULL;
    w->has_human = def->human != NULL;
    if (def->human) {
        w->human = *def->human;
        w->device = known_motion(&def->human->at);
    }
    w->def.track.law = NULL; /* w->def.law is used */
    w->state_count = state_count(def);
    for (int i = 0; i < def->body_count; ++i) {
        world_bodies(w)[i].def = def->bodies[i];
        wi_rigid_prepare(&world_bodies(w)[i]);
    }
    w->has_system = def->system != NULL;
    if (w->has_system) {
        w->system.def = *def->system;
        memcpy(w->system.q, def->system->q, sizeof w->system.q);
        memcpy(w->system.speed, def->system->speed, sizeof w->system.speed);
        if (!wi_linkage_place(w))
            return wi_error_fill(error, WIT_ERROR_RANGE, "system.mass",
                                 "the mass matrix is not positive definite at the start");
    }
    for (int i = 0; i < def->pair_count && !status; ++i) status = make_pair(w, def, i, error);
    w->plain_steps = def->allow_unstable || def->human ? 0 : plain_steps(def); /* the default step has no hand in it */
    if (!status) *out = w;
    return status;
}

wit_haptic* wit_haptic_create(const wit_haptic_def* def, const wit_allocator* allocator, wit_error* error)
{
    if (check_all(def, error)) return NULL;
    wit_allocator from = wi_allocator_or_default(allocator);
    size_t bytes = wit_haptic_size(def);
    void* memory = bytes ? wi_allocator_take(&from, bytes) : NULL;
    if (!memory) {
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for a world of %zu bytes", bytes);
        return NULL;
    }
    wit_haptic* w = NULL;
    if (wit_haptic_init(memory, bytes, def, &w, error)) {
        wi_allocator_release(&from, memory, bytes);
        return NULL;
    }
    w->allocator = from;
    w->bytes = bytes;
    return w;
}

void wit_haptic_destroy(wit_haptic* w)
{
    if (!w || !w->bytes) return;
    wit_allocator from = w->allocator;
    wi_allocator_release(&from, w, w->bytes);
}

/* ---- a step -------------------------------------------------------------------------------- */

static wit_status check_motion(const wit_motion* m, const char* item, wit_error* e)
{
    wit_status status = wit_pose_check(&m->pose);
    if (status) return wi_error_fill(e, status, item, "its pose must be finite, the rotation of length 1");
    if (m->twist_known && (!finite3(m->twist.velocity) || !finite3(m->twist.angular)))
        return wi_error_fill(e, WIT_ERROR_NUMBER, item, "its twist is not finite");
    return WIT_OK;
}

wit_status wit_haptic_move(wit_haptic* w, int body, const wit_motion* motion)
{
    if (!w || !motion || body < 0 || body >= w->def.body_count) return WIT_ERROR_ARGUMENT;
    world_body* b = &world_bodies(w)[body];
    if (b->def.drive != WIT_DRIVE_MOVED) return WIT_ERROR_ARGUMENT;
    wit_status status = check_motion(motion, "motion", NULL);
    if (status) return status;
    b->next = *motion;
    b->given = true;
    return WIT_OK;
}

wit_status wit_haptic_device_start(wit_haptic* w, const wit_motion* device)
{
    if (!w || !device || w->def.tool < 0 || w->started) return WIT_ERROR_ARGUMENT;
    wit_status status = check_motion(device, "device", NULL);
    if (status) return status;
    w->device_next = known_motion(device);
    w->placed = true;
    return WIT_OK;
}

static void know_twist(wit_motion* next, const wit_motion* from, double h)
{
    if (next->twist_known) return;
    next->twist = wit_twist_between(&from->pose, &next->pose, h);
    next->twist_known = true;
}

static void report(wit_haptic* w, wit_haptic_result* out)
{
    memset(out, 0, sizeof *out);
    out->time = w->time;
    out->force = scale3(-1, w->force);
    out->torque = scale3(-1, w->torque);
    if (w->def.tool >= 0) out->tool = world_bodies(w)[w->def.tool].motion;
    out->device = w->device;
    out->energy = wi_world_energy(w);
    out->gap = INFINITY;
    for (int i = 0; i < w->def.pair_count; ++i) {
        const world_pair* p = &world_pairs(w)[i];
        out->gap = fmin(out->gap, p->now.distance);
        for (int k = 0; p->listed && k < p->contact_count; ++k)
            if (pair_contacts(w, p)[k].sure) out->gap = fmin(out->gap, pair_contacts(w, p)[k].distance);
        out->touching += p->now.touching;
        out->unsure += p->now.touching && !p->now.sure;
        out->flags |= p->now.track.flags;
        work_spend(&out->work, &p->now.track.work);
    }
    work_jets(&out->work, w->stage_units);
    out->limited = w->limited;
    out->finite = !w->lost;
}

/* Where everything starts: trackers and forces there. */
static bool start(wit_haptic* w, double h)
{
    *(w->has_human ? &w->want : &w->device) = w->device_from;
    if (!wi_world_look(w, h)) return false;
    if (world_is_joint(&w->def)) wi_joint_begin(w);
    wi_world_forces(w, h);
    wi_energy_begin(w);
    return true;
}

/* A device that runs faster than the limits is followed at them. */
static void limit_speed(wit_haptic* w, double dt)
{
    const wit_pose* from = &w->device_from.pose;
    wit_motion* to = &w->device_next;
    wit_vec3 way = sub3(to->pose.position, from->position);
    double length = norm3(way), most = w->def.speed_limit * dt;
    wit_vec3 turn = wi_rigid_turn_between(from->rotation, to->pose.rotation);
    double angle = norm3(turn), widest = w->def.angular_speed_limit * dt;
    if (length > most) to->pose.position = addscaled3(from->position, most / length, way);
    if (angle > widest) to->pose.rotation = wi_rigid_turned(from->rotation, scale3(widest / angle, turn));
    bool fast = length > most || angle > widest || norm3(to->twist.velocity) > w->def.speed_limit ||
                norm3(to->twist.angular) > w->def.angular_speed_limit;
    if (fast) to->twist = wit_twist_between(from, &to->pose, dt);
    w->limited |= fast;
}

static bool advance(wit_haptic* w, const wit_motion* device, double dt)
{
    world_body* bodies = world_bodies(w);
    w->limited = false;
    if (device) {
        bool from = w->started || w->placed;
        w->device_from = from ? w->device_next : *device;
        w->device_next = *device;
        if (!from && world_is_joint(&w->def)) w->device_from = w->device_next = wit_motion_at_rest(device->pose);
        know_twist(&w->device_from, &w->device_from, dt);
        know_twist(&w->device_next, &w->device_from, dt);
        limit_speed(w, dt);
    }
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_MOVED) continue;
        b->from = b->motion;
        if (!b->given) b->next = wit_motion_at_rest(b->motion.pose);
        know_twist(&b->next, &b->from, dt);
        b->given = false;
    }
    w->stage_units = 0;
    w->last_step = dt;
    w->lost_body = w->lost_pair = -1;
    if (!w->started && !start(w, dt)) return false;
    w->started = true;
    wi_world_save(w);
    bool good = world_is_joint(&w->def) ? wi_world_joint(w, dt) : wi_world_advance(w, dt, 1);
    if (good) {
        wi_energy_hold(w, dt);
    } else {
        w->lost_body = wi_world_lost_body(w);
        wi_world_restore(w);
    }
    return good;
}

wit_status wit_haptic_check_step(const wit_haptic* w, const wit_motion* device, double dt, wit_error* e)
{
    if (!w) return wi_error_fill(e, WIT_ERROR_ARGUMENT, "world", "is null");
    if (w->def.tool >= 0 && !device)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "device", "is null, but body %d is a tool", w->def.tool);
    if (!(dt > 0) || !isfinite(dt))
        return wi_error_fill(e, WIT_ERROR_RANGE, "dt", "is %g; must be positive and finite", dt);
    if (!w->def.allow_unstable && dt * w->def.rate > 1 + 1e-9)
        return wi_error_fill(e, WIT_ERROR_RANGE, "dt", "is %g; at the world's rate of %g it must be at most %g", dt,
                             w->def.rate, 1 / w->def.rate);
    return w->def.tool >= 0 ? check_motion(device, "device", e) : WIT_OK;
}

wit_status wit_haptic_step(wit_haptic* w, const wit_motion* device, double dt, wit_haptic_result* out)
{
    if (!out) return WIT_ERROR_ARGUMENT;
    wit_status status = wit_haptic_check_step(w, device, dt, NULL);
    if (status) return status;
    if (w->def.tool < 0) device = NULL;
    if (!w->lost && !advance(w, device, dt)) w->lost = true;
    report(w, out);
    return WIT_OK;
}

wit_status wit_haptic_serve(wit_haptic* w, const wit_device* device, double dt, wit_haptic_result* out)
{
    if (!w || !device || !device->read) return WIT_ERROR_ARGUMENT;
    wit_motion at = wit_motion_at_rest(wit_pose_identity());
    wit_status status = device->read(device->user, w->time + dt, &at);
    if (!status) status = wit_haptic_step(w, &at, dt, out);
    if (!status && device->write) device->write(device->user, out->time, out->force, out->torque);
    return status;
}

/* ---- what is asked ------------------------------------------------------------------------- */

wit_status wit_haptic_body(const wit_haptic* w, int body, wit_motion* out)
{
    if (!w || !out || body < 0 || body >= w->def.body_count) return WIT_ERROR_ARGUMENT;
    *out = world_bodies(w)[body].motion;
    return WIT_OK;
}

wit_status wit_haptic_contact(const wit_haptic* w, int pair, wit_haptic_pair* out)
{
    if (!w || !out || pair < 0 || pair >= w->def.pair_count) return WIT_ERROR_ARGUMENT;
    *out = world_pairs(w)[pair].now;
    return WIT_OK;
}

int wit_haptic_points(const wit_haptic* w, int pair, wit_haptic_point* out, int capacity)
{
    if (!w || pair < 0 || pair >= w->def.pair_count || world_pairs(w)[pair].proxy) return 0;
    const world_pair* p = &world_pairs(w)[pair];
    for (int i = 0; out && i < p->contact_count && i < capacity; ++i) {
        const world_contact* c = &pair_contacts(w, p)[i];
        wit_vec3 force = addscaled3(c->rub, c->press, c->normal);
        out[i] = (wit_haptic_point){c->id, c->distance, c->normal, c->point, c->press, force, c->sure, c->slides};
    }
    return p->contact_count;
}

wit_status wit_haptic_lost(const wit_haptic* w, wit_error* e)
{
    if (!w) return wi_error_fill(e, WIT_ERROR_ARGUMENT, "world", "is null");
    if (!w->lost) return WIT_OK;
    char item[40];
    wi_text_format(item, sizeof item, w->lost_body >= 0 ? "bodies[%d]" : "pairs[%d]",
                   w->lost_body >= 0 ? w->lost_body : w->lost_pair);
    if (w->lost_body < 0 && w->lost_pair < 0)
        return wi_error_fill(e, WIT_ERROR_NUMBER, "system",
                             "its coordinates are not finite, or its masses not positive");
    return wi_error_fill(e, WIT_ERROR_NUMBER, item,
                         w->lost_body >= 0 ? "has left the numbers that can be computed with, after %g s"
                                           : "its bodies are where no tracker follows, after %g s",
                         w->time);
}

int wit_haptic_system(const wit_haptic* w, double* q, double* speed)
{
    if (!w || !w->has_system) return 0;
    for (int i = 0; i < w->system.def.count; ++i) {
        if (q) q[i] = w->system.q[i];
        if (speed) speed[i] = w->system.speed[i];
    }
    return w->system.def.count;
}

const wit_tracker* wit_haptic_tracker(const wit_haptic* w, int pair)
{
    if (!w || pair < 0 || pair >= w->def.pair_count) return NULL;
    return pair_tracker(w, &world_pairs(w)[pair]);
}
