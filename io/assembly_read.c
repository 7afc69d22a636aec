/* SPDX-License-Identifier: MIT */
/* JSON to an assembly: links, bodies, what is asked of them. */
#include "assembly_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file_reason.h"

enum {
    AT_FORMAT,
    AT_VERSION,
    AT_NAME,
    AT_NOTE,
    AT_UNIT,
    AT_TIME,
    AT_PIECES,
    AT_BELOW,
    AT_CONTACT,
    AT_SCOPE,
    AT_LINKS,
    AT_BODIES,
    AT_SKIP,
    AT_APPROVED,
    AT_REQUIRE,
    KEYS
};
static const scene_key keys[KEYS] = {{"format", 1, 0},  {"version", 1, 0},  {"name", 0, 1},   {"note", 0, 1},
                                     {"unit", 0, 1},    {"time", 0, 1},     {"pieces", 0, 1}, {"below", 0, 1},
                                     {"contact", 0, 1}, {"scope", 0, 1},    {"links", 0, 1},  {"bodies", 1, 0},
                                     {"skip", 0, 1},    {"approved", 0, 1}, {"require", 0, 1}};

enum { LINK_NAME, LINK_IN, LINK_MOTION, LINK_KEYS };
static const scene_key link_keys[LINK_KEYS] = {{"name", 1, 0}, {"in", 0, 1}, {"motion", 0, 1}};

enum { BODY_NAME, BODY_MODEL, BODY_BODY, BODY_LINK, BODY_POSE, BODY_GROUP, BODY_KEYS };
static const scene_key body_keys[BODY_KEYS] = {{"name", 0, 1}, {"model", 1, 0}, {"body", 0, 1},
                                               {"link", 0, 1}, {"pose", 0, 1},  {"group", 0, 1}};

enum { RULE_NAME, RULE_A, RULE_B, RULE_CLEARANCE, RULE_KEYS };
static const scene_key rule_keys[RULE_KEYS] = {{"name", 1, 0}, {"a", 1, 0}, {"b", 1, 0}, {"clearance", 1, 0}};

const scene_key* wi_assembly_keys(int table, int* count, const char** name)
{
    static const struct {
        const scene_key* keys;
        int count;
        const char* name;
    } all[] = {{keys, KEYS, "assembly"},
               {link_keys, LINK_KEYS, "link"},
               {body_keys, BODY_KEYS, "body"},
               {rule_keys, RULE_KEYS, "requirement"}};
    if (table < 0 || (size_t)table >= sizeof all / sizeof all[0]) return NULL;
    *count = all[table].count;
    *name = all[table].name;
    return all[table].keys;
}

typedef struct assembly_reader {
    scene_reader base; /* its scene is that of the assembly */
    wit_assembly_scene* scene;
} assembly_reader;

/* Items of a list, and memory for what they become: one more than there are, cleared. */
static wit_status list_of(assembly_reader* r, size_t token, size_t size, int* count, void** memory)
{
    *count = 0;
    if (token) {
        wit_status status = wi_scene_expect(&r->base, token, JSON_ARRAY);
        if (status) return status;
        *count = (int)scene_token(&r->base, token)->size;
    }
    *memory = wi_memory_pool_take(&r->scene->base.pool, ((size_t)*count + 1) * size);
    if (!*memory) return wi_scene_no_memory(&r->base, token);
    memset(*memory, 0, ((size_t)*count + 1) * size);
    return WIT_OK;
}

static wit_status refuse_name(assembly_reader* r, size_t token, const char* text)
{
    return wi_json_refuse(r->base.doc, token, NULL, r->base.error, WIT_ERROR_NAME, "%s", text);
}

/* ---- links ---------------------------------------------------------------------------------- */

static int find_link(const wit_assembly_scene* s, int count, const char* name)
{
    for (int i = 0; i < count; i++)
        if (!strcmp(s->links[i].name, name)) return i;
    return -1;
}

/* The link of that name, among the first `count`. */
static wit_status read_link_name(assembly_reader* r, size_t token, int count, int* out)
{
    const char* name = NULL;
    *out = -1;
    if (!token) return WIT_OK;
    wit_status status = wi_scene_string(&r->base, token, SCENE_MAX_NAME, false, &name);
    if (status) return status;
    *out = find_link(r->scene, count, name);
    return *out >= 0 ? WIT_OK : refuse_name(r, token, "no link before this one has that name");
}

static wit_status read_link(assembly_reader* r, size_t token, int index)
{
    wit_assembly_scene* s = r->scene;
    assembly_link* l = &s->links[index];
    size_t at[LINK_KEYS];
    wit_status status = wi_scene_object(&r->base, token, "a link", link_keys, LINK_KEYS, 0, at);
    if (!status) status = wi_scene_string(&r->base, at[LINK_NAME], SCENE_MAX_NAME, false, &l->name);
    if (status) return status;
    if (find_link(s, index, l->name) >= 0) return refuse_name(r, at[LINK_NAME], "two links have that name");
    status = read_link_name(r, at[LINK_IN], index, &l->parent);
    if (!status) status = wi_scene_read_motion(&r->base, at[LINK_MOTION], &l->motion);
    if (status) return status;
    l->depth = l->parent < 0 ? 1 : s->links[l->parent].depth + 1;
    if (l->depth <= ASSEMBLY_DEEPEST) return WIT_OK;
    return wi_json_refuse(r->base.doc, token, NULL, r->base.error, WIT_ERROR_DEPTH, "more than %d links in one another",
                          ASSEMBLY_DEEPEST);
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* The model of a file: read once, however many bodies name it. */
static wit_status model_of(assembly_reader* r, size_t token, const wit_model** out)
{
    wit_assembly_scene* s = r->scene;
    wit_status status = wi_scene_expect(&r->base, token, JSON_STRING);
    if (status) return status;
    for (int i = 0; i < s->file_count; i++)
        if (wi_json_same(r->base.doc, s->files[i].token, token)) {
            *out = s->files[i].model;
            return WIT_OK;
        }
    assembly_file* f = &s->files[s->file_count];
    status = wi_scene_load_model(&r->base, token, &f->model);
    if (status) return status;
    f->token = (uint32_t)token;
    s->file_count++;
    *out = f->model;
    wit_unit unit = wit_model_unit(f->model);
    if (s->file_count == 1 && s->base.unit == WIT_UNIT_COUNT) s->base.unit = r->base.unit = unit;
    if (unit == s->base.unit) return WIT_OK;
    return wi_json_refuse(r->base.doc, token, NULL, r->base.error, WIT_ERROR_RANGE,
                          "the model is in %s, the assembly in %s; only CAD files are converted: write this one in %s",
                          wit_unit_name(unit), wit_unit_name(s->base.unit), wit_unit_name(s->base.unit));
}

/* NAME, or of a model of many bodies NAME/BODY, or NAME/2 of the second. */
static const char* part_name(assembly_reader* r, const char* name, const wit_model* model, int index, bool alone)
{
    const char* own = wit_model_body_name(model, index);
    if (alone && name) return name;
    if (alone && own[0]) return own;
    const char* whole = name ? name : wit_model_name(model);
    size_t room = strlen(whole) + strlen(own) + 16;
    char* text = wi_memory_pool_take(&r->scene->base.pool, room);
    if (!text) return NULL;
    const char* slash = whole[0] ? "/" : "";
    if (own[0])
        snprintf(text, room, "%s%s%s", whole, slash, own);
    else
        snprintf(text, room, "%s%s%d", whole, slash, index + 1);
    return text;
}

static wit_status add_part(assembly_reader* r, size_t token, const assembly_part* like, const wit_model* model,
                           int index, bool alone)
{
    wit_assembly_scene* s = r->scene;
    assembly_part* p = &s->parts[s->part_count];
    wit_assembly_body* b = &s->bodies[s->part_count];
    *p = *like;
    p->scene = s;
    p->name = part_name(r, like->name, model, index, alone);
    if (!p->name) return wi_scene_no_memory(&r->base, token);
    if (wit_assembly_scene_find(s, p->name) >= 0)
        return wi_json_refuse(r->base.doc, token, NULL, r->base.error, WIT_ERROR_NAME,
                              "two bodies are called %.80s; give each a \"name\"", p->name);
    wit_pose own = wit_model_body_pose(model, index);
    wi_motion_place(&p->place, &own);
    wit_motion at;
    wi_motion_at(&p->place, 0, &at);
    b->moving = wit_moving_still(wit_model_body(model, index), at.pose);
    b->moving.at = wi_assembly_part_at;
    b->moving.bounds = wi_assembly_part_bounds;
    b->moving.user = p;
    b->link = p->link;
    /* what stands in a link is of that link, and what nothing moves of the world, which is 0 */
    while (b->link >= 0 && s->links[b->link].motion.kind == MOTION_STILL) b->link = s->links[b->link].parent;
    b->link++;
    s->part_count++;
    return WIT_OK;
}

/* What a body of the list stands for: the body of that name, or all of the model. */
static wit_status bodies_of(assembly_reader* r, size_t token, const wit_model** model, int* first, int* count)
{
    size_t file = wi_json_member(r->base.doc, token, "model"), name = wi_json_member(r->base.doc, token, "body");
    wit_status status = model_of(r, file, model);
    if (status) return status;
    *first = 0;
    *count = wit_model_body_count(*model);
    if (!*count)
        return wi_json_refuse(r->base.doc, file, NULL, r->base.error, WIT_ERROR_COUNT,
                              "there is no body in this model");
    if (!name) return WIT_OK;
    const char* text = NULL;
    status = wi_scene_string(&r->base, name, SCENE_MAX_NAME, false, &text);
    if (status) return status;
    *count = 1;
    *first = wit_model_find_body(*model, text);
    return *first >= 0 ? WIT_OK : refuse_name(r, name, "the model has no body of that name");
}

static wit_status read_body(assembly_reader* r, size_t token)
{
    size_t at[BODY_KEYS];
    assembly_part p = {.link = -1};
    const wit_model* model;
    int first = 0, count = 0;
    wit_status status = wi_scene_object(&r->base, token, "a body", body_keys, BODY_KEYS, 0, at);
    if (!status && at[BODY_NAME]) status = wi_scene_string(&r->base, at[BODY_NAME], SCENE_MAX_NAME, false, &p.name);
    if (!status && at[BODY_GROUP]) status = wi_scene_string(&r->base, at[BODY_GROUP], SCENE_MAX_NAME, false, &p.group);
    if (!status) status = read_link_name(r, at[BODY_LINK], r->scene->link_count, &p.link);
    p.place.pose = wit_pose_identity();
    if (!status && at[BODY_POSE]) status = wi_scene_pose(&r->base, at[BODY_POSE], &p.place.pose);
    if (!status) status = bodies_of(r, token, &model, &first, &count);
    for (int i = first; !status && i < first + count; i++) status = add_part(r, token, &p, model, i, count == 1);
    return status;
}

static wit_status read_bodies(assembly_reader* r, size_t token)
{
    wit_assembly_scene* s = r->scene;
    int listed = 0;
    void* memory = NULL;
    wit_status status = list_of(r, token, sizeof *s->files, &listed, &memory);
    if (status) return status;
    s->files = memory;
    if (!listed)
        return wi_json_refuse(r->base.doc, token, NULL, r->base.error, WIT_ERROR_COUNT, "one body at least is needed");
    /* every body once, to count; models are read now */
    size_t t = token + 1, all = 0;
    for (int i = 0; !status && i < listed; i++, t = scene_token(&r->base, t)->next) {
        size_t at[BODY_KEYS];
        const wit_model* model;
        int first = 0, count = 0;
        status = wi_scene_object(&r->base, t, "a body", body_keys, BODY_KEYS, 0, at);
        if (!status) status = bodies_of(r, t, &model, &first, &count);
        all += (size_t)count;
    }
    if (status) return status;
    s->parts = wi_memory_pool_take(&s->base.pool, all * sizeof *s->parts);
    s->bodies = wi_memory_pool_take(&s->base.pool, all * sizeof *s->bodies);
    if (!s->parts || !s->bodies) return wi_scene_no_memory(&r->base, token);
    memset(s->bodies, 0, all * sizeof *s->bodies);
    t = token + 1;
    for (int i = 0; !status && i < listed; i++, t = scene_token(&r->base, t)->next) status = read_body(r, t);
    return status;
}

/* Groups get numbers in the order of their first bodies; bodies without one are in a group of their own each. */
static void number_groups(wit_assembly_scene* s)
{
    for (int i = 0; i < s->part_count; i++) {
        int k = 0;
        const char* group = s->parts[i].group;
        while (k < i && !(group && s->parts[k].group && !strcmp(s->parts[k].group, group))) k++;
        s->bodies[i].group = k;
    }
}

/* ---- what is asked ---------------------------------------------------------------------------- */

static bool is_group(const wit_assembly_scene* s, const char* name)
{
    for (int i = 0; i < s->part_count; i++)
        if (s->parts[i].group && !strcmp(s->parts[i].group, name)) return true;
    return false;
}

static wit_status read_body_name(assembly_reader* r, size_t token, int* out)
{
    const char* name = NULL;
    wit_status status = wi_scene_string(&r->base, token, 4 * SCENE_MAX_NAME, false, &name);
    if (status) return status;
    *out = wit_assembly_scene_find(r->scene, name);
    return *out >= 0 ? WIT_OK : refuse_name(r, token, "no body has that name");
}

/* A list of [name, name]: ascending, each once. */
static wit_status read_pairs(assembly_reader* r, size_t token, wit_assembly_skip** out, int* count)
{
    void* memory = NULL;
    int listed = 0;
    wit_status status = list_of(r, token, sizeof **out, &listed, &memory);
    *out = memory;
    size_t t = token + 1;
    for (int i = 0; !status && i < listed; i++, t = scene_token(&r->base, t)->next) {
        status = wi_scene_expect(&r->base, t, JSON_ARRAY);
        if (!status && scene_token(&r->base, t)->size != 2)
            status =
                wi_json_refuse(r->base.doc, t, NULL, r->base.error, WIT_ERROR_COUNT, "expected two names of bodies");
        int a = 0, b = 0;
        if (!status) status = read_body_name(r, t + 1, &a);
        if (!status) status = read_body_name(r, scene_token(&r->base, t + 1)->next, &b);
        if (!status && a == b) status = refuse_name(r, t, "a body and itself are no pair");
        if (status) return status;
        wit_assembly_skip x = {a < b ? a : b, a < b ? b : a}, *list = *out;
        int k = *count;
        while (k > 0 && (list[k - 1].a > x.a || (list[k - 1].a == x.a && list[k - 1].b >= x.b))) k--;
        if (k < *count && list[k].a == x.a && list[k].b == x.b) continue;
        memmove(&list[k + 1], &list[k], (size_t)(*count - k) * sizeof *list);
        list[k] = x;
        ++*count;
    }
    return status;
}

static wit_status read_rule(assembly_reader* r, size_t token, int index)
{
    assembly_rule* rule = &r->scene->rules[index];
    size_t at[RULE_KEYS];
    wit_status status = wi_scene_object(&r->base, token, "a requirement", rule_keys, RULE_KEYS, 0, at);
    if (!status) status = wi_scene_string(&r->base, at[RULE_NAME], SCENE_MAX_NAME, false, &rule->said.name);
    if (!status) status = wi_scene_number(&r->base, at[RULE_CLEARANCE], 0, MOTION_MAX_NUMBER, &rule->said.clearance);
    const char** const sides[2] = {&rule->said.a, &rule->said.b};
    for (int i = 0; !status && i < 2; i++) {
        size_t t = at[i ? RULE_B : RULE_A];
        status = wi_scene_string(&r->base, t, 4 * SCENE_MAX_NAME, false, sides[i]);
        if (status) return status;
        rule->of[i] = wit_assembly_scene_find(r->scene, *sides[i]);
        if (rule->of[i] < 0 && !is_group(r->scene, *sides[i]))
            return refuse_name(r, t, "no body and no group has that name");
    }
    return status;
}

static wit_status read_asked(assembly_reader* r, const size_t* at)
{
    static const char* const scopes[] = {"all", "within", "between"};
    wit_assembly_def* d = &r->scene->def;
    int64_t pieces = 16;
    int scope = 0;
    double time[2] = {0, 0};
    wit_status status = WIT_OK;
    if (at[AT_TIME]) status = wi_scene_numbers(&r->base, at[AT_TIME], 2, "[from, to] in seconds", time);
    if (!status && !(fabs(time[0]) <= MOTION_MAX_TIME && time[1] >= time[0] && time[1] <= MOTION_MAX_TIME))
        return wi_json_refuse(r->base.doc, at[AT_TIME], NULL, r->base.error, WIT_ERROR_RANGE,
                              "the times must not decrease, and be within %g s", MOTION_MAX_TIME);
    if (!status && at[AT_PIECES]) status = wi_scene_whole(&r->base, at[AT_PIECES], 1, WIT_ASSEMBLY_PIECES, &pieces);
    if (!status && at[AT_BELOW]) status = wi_scene_number(&r->base, at[AT_BELOW], 0, MOTION_MAX_NUMBER, &d->threshold);
    if (!status && at[AT_CONTACT])
        status = wi_scene_number(&r->base, at[AT_CONTACT], 0, MOTION_MAX_NUMBER, &d->contact);
    if (!status && at[AT_SCOPE]) status = wi_scene_choice(&r->base, at[AT_SCOPE], "scope", scopes, 3, &scope);
    d->from = time[0];
    d->to = time[1];
    d->pieces = time[1] > time[0] ? (int)pieces : 1;
    d->scope = (wit_assembly_scope)scope;
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static wit_status check_format(assembly_reader* r)
{
    const json_doc* doc = r->base.doc;
    wit_status status = wi_scene_expect(&r->base, 0, JSON_OBJECT);
    if (status) return status;
    size_t format = wi_json_member(doc, 0, "format"), version = wi_json_member(doc, 0, "version");
    if (!format || !version)
        return wi_json_refuse(doc, 0, format ? "version" : "format", r->base.error, WIT_ERROR_KEY,
                              "the key is missing; an assembly has \"format\": \"witness-assembly\", \"version\": 1");
    status = wi_scene_expect(&r->base, format, JSON_STRING);
    if (status) return status;
    if (!wi_json_equal(doc, format, "witness-assembly")) return refuse_name(r, format, "expected \"witness-assembly\"");
    int64_t number = 0;
    status = wi_scene_whole(&r->base, version, -1e9, 1e9, &number);
    if (status || number == 1) return status;
    return wi_json_refuse(doc, version, NULL, r->base.error, WIT_ERROR_UNSUPPORTED,
                          "version %d of the format; this library reads version 1", (int)number);
}

static wit_status read_unit(assembly_reader* r, size_t token)
{
    const char* names[WIT_UNIT_COUNT];
    int unit = WIT_UNIT_COUNT;
    for (int k = 0; k < WIT_UNIT_COUNT; k++) names[k] = wit_unit_name((wit_unit)k);
    wit_status status = token ? wi_scene_choice(&r->base, token, "unit", names, WIT_UNIT_COUNT, &unit) : WIT_OK;
    r->scene->base.unit = (wit_unit)unit; /* COUNT: that of the first model */
    r->base.unit = unit == WIT_UNIT_COUNT ? WIT_UNIT_NONE : (wit_unit)unit;
    return status;
}

static wit_status read_assembly(assembly_reader* r)
{
    wit_assembly_scene* s = r->scene;
    size_t at[KEYS], t;
    void* memory = NULL;
    wit_status status = check_format(r);
    if (!status) status = wi_scene_object(&r->base, 0, "an assembly", keys, KEYS, 0, at);
    if (!status && at[AT_NAME]) status = wi_scene_string(&r->base, at[AT_NAME], SCENE_MAX_NAME, false, &s->base.name);
    if (!status && at[AT_NOTE]) status = wi_scene_string(&r->base, at[AT_NOTE], JSON_MAX_BYTES, true, &s->base.note);
    if (!status) status = read_unit(r, at[AT_UNIT]);
    if (!status) status = read_asked(r, at);
    if (!status) status = list_of(r, at[AT_LINKS], sizeof *s->links, &s->link_count, &memory);
    s->links = memory;
    if (status) return status;
    t = at[AT_LINKS] + 1;
    for (int i = 0; !status && i < s->link_count; i++, t = scene_token(&r->base, t)->next) status = read_link(r, t, i);
    if (!status) status = read_bodies(r, at[AT_BODIES]);
    if (status) return status;
    number_groups(s);
    status = read_pairs(r, at[AT_SKIP], &s->skips, &s->skip_count);
    if (!status) status = read_pairs(r, at[AT_APPROVED], &s->approved, &s->approved_count);
    if (!status) status = list_of(r, at[AT_REQUIRE], sizeof *s->rules, &s->rule_count, &memory);
    if (status) return status;
    s->rules = memory;
    t = at[AT_REQUIRE] + 1;
    for (int i = 0; !status && i < s->rule_count; i++, t = scene_token(&r->base, t)->next) status = read_rule(r, t, i);
    s->def.bodies = s->bodies;
    s->def.body_count = s->part_count;
    s->def.skips = s->skips;
    s->def.skip_count = s->skip_count;
    return status;
}

static wit_assembly_scene* assembly_from(json_doc* doc, assembly_reader* r, const wit_allocator* allocator)
{
    wit_allocator a = wi_memory_allocator(allocator);
    wit_assembly_scene* s = wi_memory_take(&a, sizeof *s);
    wit_status status = WIT_ERROR_MEMORY;
    r->base.doc = doc;
    if (s) {
        memset(s, 0, sizeof *s);
        s->base.pool.allocator = a;
        s->def = wit_assembly_default_def();
        r->scene = s;
        r->base.scene = &s->base;
        status = read_assembly(r);
    } else {
        wi_json_refuse(doc, 0, NULL, r->base.error, WIT_ERROR_MEMORY, "no memory for the assembly");
    }
    wi_json_free(doc);
    if (!status) return s;
    wit_assembly_scene_destroy(s);
    return NULL;
}

static assembly_reader reader_of(const char* directory, wit_assembly_load_function* load, void* user, wit_error* error)
{
    assembly_reader r = {.base = {.error = error, .directory = directory ? directory : "", .load_in_unit = load}};
    r.base.user = user;
    return r;
}

wit_assembly_scene* wit_assembly_scene_read_text(const char* text, size_t bytes, const char* directory,
                                                 wit_assembly_load_function* load, void* user,
                                                 const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    assembly_reader r = reader_of(directory, load, user, error);
    if (!text) {
        wi_scene_refuse_call(error, WIT_ERROR_ARGUMENT, "text", "the pointer is null", "");
        return NULL;
    }
    return wi_json_read_text(&doc, text, bytes, allocator, error) ? NULL : assembly_from(&doc, &r, allocator);
}

wit_assembly_scene* wit_assembly_scene_read_file(const char* path, wit_assembly_load_function* load, void* user,
                                                 const wit_allocator* allocator, wit_error* error)
{
    json_doc doc;
    char* directory = NULL;
    if (!wi_scene_open(path, allocator, &doc, &directory, error)) return NULL;
    assembly_reader r = reader_of(directory, load, user, error);
    wit_assembly_scene* s = assembly_from(&doc, &r, allocator);
    wit_allocator a = wi_memory_allocator(allocator);
    wi_memory_give(&a, directory, strlen(path) + 1);
    return s;
}
