/* SPDX-License-Identifier: MIT */
/* The object "dynamics": bodies that move by forces, by the names of haptic.h. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "scene.h"

typedef enum field_type {
    FIELD_ANY,      /* a number */
    FIELD_LEAST,    /* 0 or positive */
    FIELD_POSITIVE, /* positive */
    FIELD_UNIT,     /* from 0 to 1 */
    FIELD_VECTOR,   /* three numbers */
    FIELD_TWO,      /* two numbers */
    FIELD_POSE,
    FIELD_WHOLE, /* from 0 */
    FIELD_FLAG,
    FIELD_RESPONSE, /* by name */
    FIELD_DAMPING,
    FIELD_FREEDOM,
    FIELD_SPECIAL /* read apart */
} field_type;

typedef struct field {
    scene_key key;
    field_type type;
    size_t offset;
} field;

enum { MOST_FIELDS = 16 };

#define IN(type, name) offsetof(type, name)
#define BODY(name) IN(wit_haptic_body_def, name)
#define RESPONSE(name) IN(wit_response, name)
#define COUPLER(name) IN(wit_coupler, name)
#define HUMAN(name) IN(wit_human, name)
#define ARM(name) IN(wit_two_link_arm, name)
#define DEF(name) IN(wit_haptic_def, name)

/* Kind 0: by forces, 1: a link, 2: the proxy. */
static const field body_fields[] = {
    {{"mass", 1, 0}, FIELD_ANY, BODY(mass)},
    {{"inertia", 0, 1}, FIELD_SPECIAL, 0},
    {{"centre", 0, 1}, FIELD_VECTOR, BODY(centre)},
    {{"weight", 0, 1}, FIELD_ANY, BODY(weight)},
    {{"damping", 0, 1}, FIELD_LEAST, BODY(damping)},
    {{"angular_damping", 0, 1}, FIELD_LEAST, BODY(angular_damping)},
    {{"lever", 0, 1}, FIELD_LEAST, BODY(lever)},
    {{"freedom", 0, 1}, FIELD_FREEDOM, BODY(freedom)},
    {{"axis", 0, 1}, FIELD_VECTOR, BODY(axis)},
    {{"link", 2, 0}, FIELD_WHOLE, BODY(link)},
    {{"proxy", 4, 0}, FIELD_SPECIAL, 0},
};

static const field response_fields[] = {
    {{"kind", 0, 1}, FIELD_RESPONSE, RESPONSE(kind)},
    {{"stiffness", 0, 1}, FIELD_ANY, RESPONSE(stiffness)},
    {{"damping", 0, 1}, FIELD_LEAST, RESPONSE(damping)},
    {{"damping_kind", 0, 1}, FIELD_DAMPING, RESPONSE(damping_kind)},
    {{"friction", 0, 1}, FIELD_LEAST, RESPONSE(friction)},
    {{"slip_speed", 0, 1}, FIELD_POSITIVE, RESPONSE(slip_speed)},
    {{"restitution", 0, 1}, FIELD_UNIT, RESPONSE(restitution)},
    {{"rest_speed", 0, 1}, FIELD_LEAST, RESPONSE(rest_speed)},
    {{"correction", 0, 1}, FIELD_UNIT, RESPONSE(correction)},
};

static const field coupler_fields[] = {
    {{"stiffness", 1, 0}, FIELD_POSITIVE, COUPLER(stiffness)},
    {{"damping", 0, 1}, FIELD_LEAST, COUPLER(damping)},
    {{"angular_stiffness", 0, 1}, FIELD_LEAST, COUPLER(angular_stiffness)},
    {{"angular_damping", 0, 1}, FIELD_LEAST, COUPLER(angular_damping)},
};

static const field device_fields[] = {
    {{"motion", 1, 0}, FIELD_SPECIAL, 0},
    {{"damping", 0, 1}, FIELD_LEAST, DEF(device_damping)},
    {{"angular_damping", 0, 1}, FIELD_LEAST, DEF(device_angular_damping)},
};

static const field human_fields[] = {
    {{"stiffness", 0, 1}, FIELD_LEAST, HUMAN(stiffness)},
    {{"damping", 0, 1}, FIELD_LEAST, HUMAN(damping)},
    {{"angular_stiffness", 0, 1}, FIELD_LEAST, HUMAN(angular_stiffness)},
    {{"angular_damping", 0, 1}, FIELD_LEAST, HUMAN(angular_damping)},
    {{"mass", 0, 1}, FIELD_POSITIVE, HUMAN(mass)},
    {{"inertia", 0, 1}, FIELD_POSITIVE, HUMAN(inertia)},
};

static const field arm_fields[] = {
    {{"base", 0, 1}, FIELD_POSE, ARM(base)},          {{"length", 1, 0}, FIELD_TWO, ARM(length)},
    {{"mass", 1, 0}, FIELD_TWO, ARM(mass)},           {{"centre", 1, 0}, FIELD_TWO, ARM(centre)},
    {{"inertia", 1, 0}, FIELD_TWO, ARM(inertia)},     {{"gravity", 0, 1}, FIELD_ANY, ARM(gravity)},
    {{"friction", 0, 1}, FIELD_TWO, ARM(friction)},   {{"torque", 0, 1}, FIELD_TWO, ARM(torque)},
    {{"stiffness", 0, 1}, FIELD_TWO, ARM(stiffness)}, {{"damping", 0, 1}, FIELD_TWO, ARM(damping)},
    {{"target", 1, 0}, FIELD_TWO, ARM(target)},       {{"target_speed", 0, 1}, FIELD_TWO, ARM(target_speed)},
};

static const field object_fields[] = {{{"side", 1, 0}, FIELD_SPECIAL, 0}, {{"dynamics", 0, 1}, FIELD_SPECIAL, 0}};

enum {
    AT_GRAVITY,
    AT_CONTACT,
    AT_A,
    AT_B,
    AT_OBJECTS,
    AT_PAIRS,
    AT_CONTACTS,
    AT_TOOL,
    AT_COUPLER,
    AT_DEVICE,
    AT_HUMAN,
    AT_ARM,
    AT_PROXY_SPEED,
    AT_INTEGRATOR,
    AT_ITERATIONS,
    AT_UNSTABLE,
    AT_COUNT
};
static const field fields[AT_COUNT] = {
    [AT_GRAVITY] = {{"gravity", 0, 1}, FIELD_VECTOR, DEF(gravity)},
    [AT_CONTACT] = {{"contact", 0, 1}, FIELD_SPECIAL, 0},
    [AT_A] = {{"a", 0, 1}, FIELD_SPECIAL, 0},
    [AT_B] = {{"b", 0, 1}, FIELD_SPECIAL, 0},
    [AT_OBJECTS] = {{"objects", 0, 1}, FIELD_SPECIAL, 0},
    [AT_PAIRS] = {{"pairs", 0, 1}, FIELD_SPECIAL, 0},
    [AT_CONTACTS] = {{"contacts", 0, 1}, FIELD_SPECIAL, 0},
    [AT_TOOL] = {{"tool", 0, 1}, FIELD_SPECIAL, 0},
    [AT_COUPLER] = {{"coupler", 0, 1}, FIELD_SPECIAL, 0},
    [AT_DEVICE] = {{"device", 0, 1}, FIELD_SPECIAL, 0},
    [AT_HUMAN] = {{"human", 0, 1}, FIELD_SPECIAL, 0},
    [AT_ARM] = {{"arm", 0, 1}, FIELD_SPECIAL, 0},
    [AT_PROXY_SPEED] = {{"proxy_speed", 0, 1}, FIELD_POSITIVE, DEF(proxy_speed)},
    [AT_INTEGRATOR] = {{"integrator", 0, 1}, FIELD_SPECIAL, 0},
    [AT_ITERATIONS] = {{"iterations", 0, 1}, FIELD_WHOLE, DEF(iterations)},
    [AT_UNSTABLE] = {{"allow_unstable", 0, 1}, FIELD_FLAG, DEF(allow_unstable)},
};

static const struct {
    const char* name;
    const field* list;
    int count, kinds;
} tables[] = {
#define TABLE(name, list, kinds)                                                                                       \
    {                                                                                                                  \
        name, list, (int)(sizeof list / sizeof list[0]), kinds                                                         \
    }
    TABLE("dynamics", fields, 1),         TABLE("moved_body", body_fields, 3),
    TABLE("contact", response_fields, 1), TABLE("coupler", coupler_fields, 1),
    TABLE("device", device_fields, 1),    TABLE("human", human_fields, 1),
    TABLE("two_link_arm", arm_fields, 1), TABLE("dynamics_object", object_fields, 1)};

bool wi_scene_dynamics_key(int table, int index, const char** name, int* kinds, scene_key* out)
{
    if (table < 0 || table >= (int)(sizeof tables / sizeof tables[0])) return false;
    *name = tables[table].name;
    *kinds = tables[table].kinds;
    if (index < 0 || index >= tables[table].count) return false;
    *out = tables[table].list[index].key;
    return true;
}

/* ---- fields --------------------------------------------------------------------------------- */

static wit_status read_choice(scene_reader* r, size_t token, const field* f, void* to)
{
    const char* names[4];
    const char* what = f->type == FIELD_RESPONSE ? "response" : f->type == FIELD_DAMPING ? "damping" : "freedom";
    int chosen = 0, count = f->type == FIELD_RESPONSE  ? WIT_RESPONSE_COUNT
                            : f->type == FIELD_DAMPING ? WIT_DAMPING_COUNT
                                                       : WIT_FREEDOM_COUNT;
    for (int k = 0; k < count; k++)
        names[k] = f->type == FIELD_RESPONSE  ? wit_response_name((wit_response_kind)k)
                   : f->type == FIELD_DAMPING ? wit_damping_name((wit_damping_kind)k)
                                              : wit_freedom_name((wit_freedom)k);
    wit_status status = wi_scene_choice(r, token, what, names, count, &chosen);
    if (status) return status;
    if (f->type == FIELD_RESPONSE)
        *(wit_response_kind*)to = (wit_response_kind)chosen;
    else if (f->type == FIELD_DAMPING)
        *(wit_damping_kind*)to = (wit_damping_kind)chosen;
    else
        *(wit_freedom*)to = (wit_freedom)chosen;
    return WIT_OK;
}

static wit_status read_field(scene_reader* r, size_t token, const field* f, void* to)
{
    int64_t whole = 0;
    wit_status status = WIT_OK;
    switch (f->type) {
    case FIELD_ANY:
        return wi_scene_number(r, token, -MOTION_MAX_NUMBER, MOTION_MAX_NUMBER, to);
    case FIELD_LEAST:
        return wi_scene_number(r, token, 0, MOTION_MAX_NUMBER, to);
    case FIELD_POSITIVE:
        return wi_scene_positive(r, token, MOTION_MAX_NUMBER, to);
    case FIELD_UNIT:
        return wi_scene_number(r, token, 0, 1, to);
    case FIELD_VECTOR:
        return wi_scene_vector(r, token, to);
    case FIELD_TWO:
        return wi_scene_numbers(r, token, 2, "[of link 0, of link 1]", to);
    case FIELD_POSE:
        return wi_scene_pose(r, token, to);
    case FIELD_FLAG:
        return wi_scene_flag(r, token, to);
    case FIELD_WHOLE:
        status = wi_scene_whole(r, token, 0, 1000, &whole);
        if (!status) *(int*)to = (int)whole;
        return status;
    case FIELD_RESPONSE:
    case FIELD_DAMPING:
    case FIELD_FREEDOM:
        return read_choice(r, token, f, to);
    default:
        return WIT_OK;
    }
}

/* Reads all fields that are not special into the struct at `base`; at[i] as by wi_scene_object. */
static wit_status read_fields(scene_reader* r, size_t token, const char* what, const field* list, int count, int kind,
                              void* base, size_t* at)
{
    scene_key keys[MOST_FIELDS] = {{NULL, 0, 0}};
    for (int i = 0; i < count; i++) keys[i] = list[i].key;
    wit_status status = wi_scene_object(r, token, what, keys, count, kind, at);
    for (int i = 0; !status && i < count; i++)
        if (at[i] && list[i].type != FIELD_SPECIAL)
            status = read_field(r, at[i], &list[i], (char*)base + list[i].offset);
    return status;
}

#define READ(r, token, what, list, kind, base, at)                                                                     \
    read_fields(r, token, what, list, (int)(sizeof list / sizeof list[0]), kind, base, at)

/* ---- bodies --------------------------------------------------------------------------------- */

static wit_status read_inertia(scene_reader* r, size_t token, double out[9])
{
    wit_status status = wi_scene_expect(r, token, JSON_ARRAY);
    if (status) return status;
    if (scene_token(r, token)->size == 9) return wi_scene_numbers(r, token, 9, "nine numbers, row by row", out);
    double moments[3];
    status = wi_scene_numbers(r, token, 3, "[Ixx, Iyy, Izz] or nine numbers, row by row", moments);
    for (int i = 0; i < 9; i++) out[i] = i % 4 ? 0 : moments[i / 4];
    return status;
}

/* `token` 0: it stands still or moves as its motion says. */
static wit_status read_body(scene_reader* r, size_t token, const scene_side* side, wit_haptic_body_def* out)
{
    *out = wit_haptic_default_body();
    out->shape = side->body;
    wi_motion_at(&side->motion, 0, &out->start);
    out->drive = side->motion.kind == MOTION_STILL ? WIT_DRIVE_FIXED : WIT_DRIVE_MOVED;
    if (!token) return WIT_OK;
    wit_status status = wi_scene_expect(r, token, JSON_OBJECT);
    if (status) return status;
    static const char* const what[] = {"a body moved by forces", "a body on a link", "a proxy"};
    int kind = wi_json_member(r->doc, token, "proxy") ? 2 : wi_json_member(r->doc, token, "link") ? 1 : 0;
    static const wit_drive drives[] = {WIT_DRIVE_DYNAMIC, WIT_DRIVE_LINK, WIT_DRIVE_PROXY};
    size_t at[MOST_FIELDS];
    status = READ(r, token, what[kind], body_fields, kind, out, at);
    out->drive = drives[kind];
    size_t inertia = wi_json_member(r->doc, token, "inertia"), proxy = wi_json_member(r->doc, token, "proxy");
    if (!status && inertia) status = read_inertia(r, inertia, out->inertia);
    bool yes = false;
    if (!status && proxy) status = wi_scene_flag(r, proxy, &yes);
    if (!status && proxy && !yes)
        status = wi_json_refuse(r->doc, proxy, NULL, r->error, WIT_ERROR_RANGE, "only true has a meaning");
    if (!status && kind == 0 && side->body && !inertia)
        status = wi_json_refuse(r->doc, token, "inertia", r->error, WIT_ERROR_KEY,
                                "the key \"inertia\" is missing; a body with a shape turns");
    return status;
}

static wit_status read_objects(scene_reader* r, size_t list, scene_dynamics* d)
{
    wit_status status = list ? wi_scene_expect(r, list, JSON_ARRAY) : WIT_OK;
    if (status) return status;
    uint32_t n = list ? scene_token(r, list)->size : 0;
    if (n > WIT_HAPTIC_MAX_BODIES - 2)
        return wi_json_refuse(r->doc, list, NULL, r->error, WIT_ERROR_COUNT, "at most %d objects besides a and b",
                              WIT_HAPTIC_MAX_BODIES - 2);
    d->objects = wi_memory_pool_take(&r->scene->pool, (n + 1) * sizeof *d->objects);
    d->bodies = wi_memory_pool_take(&r->scene->pool, (n + 2) * sizeof *d->bodies);
    if (!d->objects || !d->bodies) return wi_scene_no_memory(r, list);
    memset(d->objects, 0, (n + 1) * sizeof *d->objects);
    size_t t = list + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = scene_token(r, t)->next) {
        size_t at[MOST_FIELDS];
        scene_side* side = &d->objects[i];
        status = READ(r, t, "an object", object_fields, 0, NULL, at);
        d->object_count = (int)i + 1;
        if (!status) status = wi_scene_read_side(r, at[0], side, 2);
        if (!status && side->model && wit_model_unit(side->model) != r->scene->unit)
            status = wi_json_refuse(r->doc, at[0], "model", r->error, WIT_ERROR_RANGE,
                                    "the model is in %s, the scene in %s; models are not scaled",
                                    wit_unit_name(wit_model_unit(side->model)), wit_unit_name(r->scene->unit));
        if (!status) status = read_body(r, at[1], side, &d->bodies[2 + i]);
    }
    return status;
}

/* "a", "b", or the name of an object. */
static wit_status read_name(scene_reader* r, size_t token, const scene_dynamics* d, int* out)
{
    wit_status status = wi_scene_expect(r, token, JSON_STRING);
    if (status) return status;
    if (wi_json_equal(r->doc, token, "a") || wi_json_equal(r->doc, token, "b")) {
        *out = wi_json_equal(r->doc, token, "b");
        return WIT_OK;
    }
    for (int i = 0; i < d->object_count; i++)
        if (wi_json_equal(r->doc, token, d->objects[i].name)) {
            *out = 2 + i;
            return WIT_OK;
        }
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME,
                          "no body of that name; there are a, b and the names of the objects");
}

static wit_status read_pairs(scene_reader* r, size_t list, scene_dynamics* d)
{
    wit_status status = list ? wi_scene_expect(r, list, JSON_ARRAY) : WIT_OK;
    if (status) return status;
    uint32_t n = list ? scene_token(r, list)->size : 1;
    if (n < 1 || n > WIT_HAPTIC_MAX_PAIRS)
        return wi_json_refuse(r->doc, list, NULL, r->error, WIT_ERROR_COUNT, "there must be 1 to %d pairs",
                              WIT_HAPTIC_MAX_PAIRS);
    d->pairs = wi_memory_pool_take(&r->scene->pool, n * sizeof *d->pairs);
    if (!d->pairs) return wi_scene_no_memory(r, list);
    d->pair_count = (int)n;
    d->pairs[0] = (wit_haptic_pair_def){0, 1, NULL};
    size_t t = list + 1;
    for (uint32_t i = 0; list && !status && i < n; i++, t = scene_token(r, t)->next) {
        status = wi_scene_expect(r, t, JSON_ARRAY);
        if (!status && scene_token(r, t)->size != 2)
            status = wi_json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_COUNT, "a pair is two names: [\"a\", \"b\"]");
        d->pairs[i] = (wit_haptic_pair_def){0, 0, NULL};
        if (!status) status = read_name(r, t + 1, d, &d->pairs[i].a);
        if (!status) status = read_name(r, scene_token(r, t + 1)->next, d, &d->pairs[i].b);
    }
    if (!status && (d->pairs[0].a != 0 || d->pairs[0].b != 1))
        status = wi_json_refuse(r->doc, list + 1, NULL, r->error, WIT_ERROR_RANGE,
                                "the first pair must be [\"a\", \"b\"]: it is the one that is shown");
    return status;
}

/* The pair of a and b once for each entry, with the features that it keeps; the other pairs follow. */
static wit_status read_contacts(scene_reader* r, size_t list, scene_dynamics* d)
{
    wit_status status = list ? wi_scene_expect(r, list, JSON_ARRAY) : WIT_OK;
    if (status || !list) return status;
    int n = scene_token(r, list)->size < WIT_HAPTIC_MAX_PAIRS ? (int)scene_token(r, list)->size : WIT_HAPTIC_MAX_PAIRS;
    int most = WIT_HAPTIC_MAX_PAIRS - d->pair_count + 1, total = d->pair_count + n - 1;
    if (n < 1 || n > most)
        return wi_json_refuse(r->doc, list, NULL, r->error, WIT_ERROR_COUNT,
                              "there must be 1 to %d contacts beside %d other pairs", most, d->pair_count - 1);
    wit_haptic_pair_def* pairs = wi_memory_pool_take(&r->scene->pool, (size_t)total * sizeof *pairs);
    wit_witness* places = wi_memory_pool_take(&r->scene->pool, 2 * (size_t)n * sizeof *places);
    d->keeps = wi_memory_pool_take(&r->scene->pool, (size_t)total * sizeof *d->keeps);
    if (!pairs || !places || !d->keeps) return wi_scene_no_memory(r, list);
    size_t t = list + 1;
    for (int i = 0; !status && i < n; i++, t = scene_token(r, t)->next) {
        status = wi_scene_read_places(r, t, "a kept contact", places + 2 * i);
        pairs[i] = d->pairs[0];
        d->keeps[i] = (wit_haptic_keep){&places[2 * i], &places[2 * i + 1]};
    }
    for (int i = n; i < total; i++) {
        pairs[i] = d->pairs[i - n + 1];
        d->keeps[i] = (wit_haptic_keep){NULL, NULL};
    }
    d->pairs = pairs;
    d->pair_count = total;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static wit_status read_integrator(scene_reader* r, size_t token, wit_integrator* out)
{
    static const char* const names[] = {"semi_implicit", "rk2", "rk4"};
    static const wit_integrator methods[] = {WIT_INTEGRATOR_DEFAULT, WIT_INTEGRATOR_RK2, WIT_INTEGRATOR_RK4};
    int chosen = 0;
    wit_status status = wi_scene_choice(r, token, "integrator", names, 3, &chosen);
    if (!status) *out = methods[chosen];
    return status;
}

static wit_status read_arm(scene_reader* r, size_t token, scene_dynamics* d)
{
    size_t at[MOST_FIELDS];
    d->arm = wit_two_link_arm_default();
    wit_status status = READ(r, token, "an arm", arm_fields, 0, &d->arm, at);
    if (status) return status;
    wit_error e = {0};
    if (wit_two_link_system(&d->arm, &d->system, &e))
        return wi_json_refuse(r->doc, token, NULL, r->error, e.status, "%s: %s", e.item, e.text);
    d->def.system = &d->system;
    return WIT_OK;
}

static wit_status read_device(scene_reader* r, const size_t* at, scene_dynamics* d)
{
    size_t in[MOST_FIELDS];
    wit_status status = WIT_OK;
    if (at[AT_COUPLER]) status = READ(r, at[AT_COUPLER], "a coupler", coupler_fields, 0, &d->def.coupler, in);
    if (!status && at[AT_TOOL]) status = read_name(r, at[AT_TOOL], d, &d->def.tool);
    if (!status && at[AT_DEVICE]) {
        status = READ(r, at[AT_DEVICE], "a device", device_fields, 0, &d->def, in);
        if (!status) status = wi_scene_read_motion(r, in[0], &d->device);
        d->has_device = true;
    }
    if (!status && at[AT_TOOL] && !at[AT_DEVICE])
        return wi_json_refuse(r->doc, at[AT_TOOL], NULL, r->error, WIT_ERROR_KEY,
                              "a tool needs a \"device\" that holds it");
    if (!status && at[AT_HUMAN]) {
        d->human = wit_human_default();
        d->has_human = true;
        status = READ(r, at[AT_HUMAN], "a human", human_fields, 0, &d->human, in);
        if (!status && !d->has_device)
            return wi_json_refuse(r->doc, at[AT_HUMAN], NULL, r->error, WIT_ERROR_KEY,
                                  "a human needs a \"device\" to hold");
        /* The friction of the device is the hand's too. */
        d->human.device_damping = d->def.device_damping < 1e300 ? d->def.device_damping : 0;
        d->human.device_angular_damping = d->def.device_angular_damping < 1e300 ? d->def.device_angular_damping : 0;
    }
    return status;
}

/* As a world would refuse it. */
static wit_status check_world(scene_reader* r, size_t token, const scene_dynamics* d)
{
    max_align_t block;
    wit_haptic* none = NULL;
    wit_error e = {0};
    wit_status status = wit_haptic_init(&block, sizeof block, &d->def, &none, &e);
    if (!status || !strcmp(e.item, "bytes")) return WIT_OK; /* too little memory: the def is good */
    return wi_json_refuse(r->doc, token, NULL, r->error, status, "%s: %s", e.item, e.text);
}

wit_status wi_scene_read_dynamics(scene_reader* r, size_t token)
{
    if (!token) return WIT_OK;
    wit_scene* s = r->scene;
    scene_dynamics* d = wi_memory_pool_take(&s->pool, sizeof *d);
    if (!d) return wi_scene_no_memory(r, token);
    memset(d, 0, sizeof *d);
    s->dynamics = d;
    d->def = wit_haptic_default_def();
    d->def.track = s->track;
    d->def.law = s->law;
    d->def.rate = s->rate;
    size_t at[MOST_FIELDS], in[MOST_FIELDS];
    wit_status status = READ(r, token, "dynamics", fields, 0, &d->def, at);
    if (!status && at[AT_CONTACT])
        status = READ(r, at[AT_CONTACT], "a contact", response_fields, 0, &d->def.response, in);
    if (!status && at[AT_ARM]) status = read_arm(r, at[AT_ARM], d);
    if (!status) status = read_objects(r, at[AT_OBJECTS], d);
    for (int i = 0; !status && i < 2; i++) status = read_body(r, at[i ? AT_B : AT_A], &s->sides[i], &d->bodies[i]);
    if (!status) status = read_pairs(r, at[AT_PAIRS], d);
    if (!status) status = read_contacts(r, at[AT_CONTACTS], d);
    if (!status) status = read_device(r, at, d);
    if (!status && at[AT_INTEGRATOR]) status = read_integrator(r, at[AT_INTEGRATOR], &d->def.integrator);
    if (status) return status;
    d->def.bodies = d->bodies;
    d->def.body_count = 2 + d->object_count;
    d->def.pairs = d->pairs;
    d->def.keeps = d->keeps;
    d->def.pair_count = d->pair_count;
    if (d->has_human) wi_motion_at(&d->device, 0, &d->human.at);
    if (d->has_human && d->def.integrator != WIT_INTEGRATOR_DEFAULT) d->def.human = &d->human;
    return check_world(r, token, d);
}

void wi_scene_dynamics_free(scene_dynamics* d)
{
    for (int i = 0; d && i < d->object_count; i++) wit_model_destroy(d->objects[i].model);
}

/* ---- what is asked -------------------------------------------------------------------------- */

bool wit_scene_dynamics(const wit_scene* scene, wit_haptic_def* out)
{
    if (!scene || !scene->dynamics) return false;
    if (out) *out = scene->dynamics->def;
    return true;
}

bool wit_scene_human(const wit_scene* scene, wit_human* out)
{
    const scene_dynamics* d = scene ? scene->dynamics : NULL;
    if (!d || !d->has_human || d->def.human) return false;
    if (out) *out = d->human;
    return true;
}

static const scene_side* scene_side_of(const wit_scene* scene, int body)
{
    if (!scene || body < 0) return NULL;
    if (body < 2) return &scene->sides[body];
    const scene_dynamics* d = scene->dynamics;
    return d && body - 2 < d->object_count ? &d->objects[body - 2] : NULL;
}

const char* wit_scene_body_name(const wit_scene* scene, int body)
{
    const scene_side* s = scene_side_of(scene, body);
    return s && s->name ? s->name : "";
}

wit_status wit_scene_body_motion(const wit_scene* scene, int body, double time, wit_motion* out)
{
    const scene_side* s = scene_side_of(scene, body);
    if (!s || !out) return WIT_ERROR_ARGUMENT;
    if (!(time > -MOTION_MAX_NUMBER && time < MOTION_MAX_NUMBER)) return WIT_ERROR_NUMBER;
    wi_motion_at(&s->motion, time, out);
    return WIT_OK;
}

wit_status wit_scene_device(const wit_scene* scene, double time, wit_motion* out)
{
    if (!scene || !scene->dynamics || !scene->dynamics->has_device || !out) return WIT_ERROR_ARGUMENT;
    if (!(time > -MOTION_MAX_NUMBER && time < MOTION_MAX_NUMBER)) return WIT_ERROR_NUMBER;
    wi_motion_at(&scene->dynamics->device, time, out);
    return WIT_OK;
}
