/* SPDX-License-Identifier: MIT */
/* The object "motion" of a side. */
#include <stdio.h>
#include <string.h>

#include "../src/base/vec.h"
#include "file_reason.h"
#include "scene.h"

#define OF(kind) (1u << MOTION_##kind)
#define ROUND (OF(HELIX) | OF(SPIRAL))
#define JOINTS (OF(REVOLUTE) | OF(PRISMATIC) | OF(SCREW))

enum {
    KEY_KIND,
    KEY_POSE,
    KEY_TIMES,
    KEY_POSES,
    KEY_FILE,
    KEY_INTERPOLATION,
    KEY_VELOCITY,
    KEY_ANGULAR,
    KEY_FRAME,
    KEY_RADIUS,
    KEY_GROWTH,
    KEY_RISE,
    KEY_RATE,
    KEY_PHASE,
    KEY_WAVES,
    KEY_POINT,
    KEY_ROTATION,
    KEY_AXIS,
    KEY_ANGLE,
    KEY_SPIN,
    KEY_TURNS,
    KEY_ANGLES,
    KEY_VALUE,
    KEY_VALUES,
    KEY_PITCH,
    KEYS
};

static const scene_key keys[KEYS] = {
    [KEY_KIND] = {"kind", (1u << MOTION_KIND_COUNT) - 1, 0},
    [KEY_POSE] = {"pose", OF(HARMONIC) | OF(ROTATE), OF(STILL) | OF(TWIST) | JOINTS},
    [KEY_TIMES] = {"times", OF(KEYFRAMES), JOINTS},
    [KEY_POSES] = {"poses", OF(KEYFRAMES), 0},
    [KEY_FILE] = {"file", OF(POSES), 0},
    [KEY_INTERPOLATION] = {"interpolation", 0, OF(KEYFRAMES) | OF(POSES) | JOINTS},
    [KEY_VELOCITY] = {"velocity", 0, OF(TWIST)},
    [KEY_ANGULAR] = {"angular", 0, OF(TWIST)},
    [KEY_FRAME] = {"frame", 0, ROUND},
    [KEY_RADIUS] = {"radius", ROUND, 0},
    [KEY_GROWTH] = {"growth", OF(SPIRAL), OF(HELIX)},
    [KEY_RISE] = {"rise", OF(HELIX), OF(SPIRAL)},
    [KEY_RATE] = {"rate", ROUND | OF(ROTATE), JOINTS},
    [KEY_PHASE] = {"phase", 0, ROUND},
    [KEY_WAVES] = {"waves", 0, OF(HARMONIC)},
    [KEY_POINT] = {"point", 0, OF(ROTATE) | JOINTS},
    [KEY_ROTATION] = {"rotation", 0, ROUND},
    [KEY_AXIS] = {"axis", OF(ROTATE) | JOINTS, ROUND | OF(HARMONIC)},
    [KEY_ANGLE] = {"angle", 0, ROUND | OF(HARMONIC) | OF(ROTATE)},
    [KEY_SPIN] = {"spin", 0, ROUND | OF(HARMONIC)},
    [KEY_TURNS] = {"turns", 0, OF(HARMONIC) | JOINTS},
    [KEY_ANGLES] = {"angles", OF(REVOLUTE) | OF(SCREW), ROUND | OF(HARMONIC) | OF(ROTATE) | OF(TWIST) | OF(PRISMATIC)},
    [KEY_VALUE] = {"value", 0, JOINTS},
    [KEY_VALUES] = {"values", 0, JOINTS},
    [KEY_PITCH] = {"pitch", OF(SCREW), 0},
};

const scene_key* wi_scene_motion_keys(int* count)
{
    *count = KEYS;
    return keys;
}

enum { WAVE_AMPLITUDE, WAVE_RATE, WAVE_PHASE, WAVE_KEYS };
static const scene_key wave_keys[WAVE_KEYS] = {{"amplitude", 1, 0}, {"rate", 1, 0}, {"phase", 0, 1}};

const scene_key* wi_scene_wave_keys(int* count)
{
    *count = WAVE_KEYS;
    return wave_keys;
}

/* A number where the key is given. */
static wit_status maybe_number(scene_reader* r, size_t token, double* out)
{
    return token ? wi_scene_number(r, token, -MOTION_MAX_NUMBER, MOTION_MAX_NUMBER, out) : WIT_OK;
}

/* ---- formulas ------------------------------------------------------------------------------- */

static wit_status read_frame(scene_reader* r, size_t token, motion_record* m)
{
    enum { ORIGIN, X, Z, FRAME_KEYS };
    static const scene_key frame_keys[FRAME_KEYS] = {{"origin", 0, 1}, {"x", 0, 1}, {"z", 0, 1}};
    size_t at[FRAME_KEYS];
    m->x = vec3(1, 0, 0);
    m->y = vec3(0, 1, 0);
    m->z = vec3(0, 0, 1);
    if (!token) return WIT_OK;
    wit_status status = wi_scene_object(r, token, "a frame", frame_keys, FRAME_KEYS, 0, at);
    if (!status && at[ORIGIN]) status = wi_scene_vector(r, at[ORIGIN], &m->origin);
    if (!status && at[X]) status = wi_scene_axis(r, at[X], &m->x);
    if (!status && at[Z]) status = wi_scene_axis(r, at[Z], &m->z);
    if (status) return status;
    wit_vec3 y = cross3(m->z, m->x);
    if (!(norm3(y) > 1e-6))
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_FRAME, "x and z are parallel; y is z cross x");
    m->y = unit3(y);
    m->x = cross3(m->y, m->z);
    return WIT_OK;
}

/* A list of waves; of an angle their amplitude is a number. */
static wit_status read_waves(scene_reader* r, size_t token, bool angles, motion_wave** out, int* count)
{
    if (!token) return WIT_OK;
    wit_status status = wi_scene_expect(r, token, JSON_ARRAY);
    if (status) return status;
    uint32_t n = scene_token(r, token)->size;
    motion_wave* list = wi_memory_pool_take(&r->scene->pool, (n + 1) * sizeof *list);
    if (!list) return wi_scene_no_memory(r, token);
    size_t t = token + 1;
    for (uint32_t i = 0; !status && i < n; i++, t = scene_token(r, t)->next) {
        size_t at[WAVE_KEYS];
        memset(&list[i], 0, sizeof list[i]);
        status = wi_scene_object(r, t, "a wave", wave_keys, WAVE_KEYS, 0, at);
        if (!status)
            status = angles ? maybe_number(r, at[WAVE_AMPLITUDE], &list[i].amplitude.x)
                            : wi_scene_vector(r, at[WAVE_AMPLITUDE], &list[i].amplitude);
        if (!status) status = maybe_number(r, at[WAVE_RATE], &list[i].rate);
        if (!status) status = maybe_number(r, at[WAVE_PHASE], &list[i].phase);
    }
    *out = list;
    *count = (int)n;
    return status;
}

/* ---- joints, and angles in degrees ------------------------------------------------------------ */

#define PI 3.14159265358979323846

static void scale_waves(motion_wave* list, int count, double amplitude, double angle)
{
    for (int i = 0; i < count; i++) {
        list[i].amplitude = scale3(amplitude, list[i].amplitude);
        list[i].rate *= angle;
        list[i].phase *= angle;
    }
}

/* In which unit the angles of this motion are written, those of its waves too: all of them, rates and phases. */
static wit_status read_angles(scene_reader* r, size_t token, motion_record* m)
{
    static const char* const names[] = {"rad", "deg"};
    int found = 0;
    wit_status status = wi_scene_choice(r, token, "unit of angles", names, 2, &found);
    if (status || !found) return status;
    const double degree = PI / 180, value = m->kind == MOTION_PRISMATIC ? 1 : degree;
    m->angle *= value;
    m->spin *= value;
    m->rate *= degree;
    m->phase *= degree;
    m->twist.angular = scale3(degree, m->twist.angular);
    scale_waves(m->waves, m->wave_count, 1, degree);
    scale_waves(m->turns, m->turn_count, value, degree);
    for (int i = 0; i < m->table.count; i++) m->table.values[i] *= value;
    for (int i = 0; m->table.bend && i < m->table.count; i++) m->table.bend[i] *= value;
    return WIT_OK;
}

static wit_status read_joint_table(scene_reader* r, const size_t* at, motion_record* m)
{
    static const char* const ways[] = {"linear", "smooth"};
    static const int others[] = {KEY_VALUE, KEY_RATE, KEY_TURNS};
    joint_table* table = &m->table;
    int way = 0;
    if (!at[KEY_TIMES] && !at[KEY_VALUES]) {
        if (!at[KEY_INTERPOLATION]) return WIT_OK;
        return wi_json_refuse(r->doc, at[KEY_INTERPOLATION], NULL, r->error, WIT_ERROR_KEY,
                              "there are no \"times\" and \"values\" to go between");
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (at[others[k]])
            return wi_json_refuse(r->doc, at[others[k]], NULL, r->error, WIT_ERROR_KEY,
                                  "a joint has either \"times\" and \"values\" or value, rate and turns");
    size_t t = at[KEY_TIMES], v = at[KEY_VALUES];
    wit_status status = wi_scene_expect(r, t ? t : v, JSON_ARRAY);
    if (!status && v) status = wi_scene_expect(r, v, JSON_ARRAY);
    if (!status && at[KEY_INTERPOLATION])
        status = wi_scene_choice(r, at[KEY_INTERPOLATION], "interpolation", ways, 2, &way);
    if (status) return status;
    uint32_t n = t ? scene_token(r, t)->size : 0;
    if (n < 1 || !v || n != scene_token(r, v)->size)
        return wi_json_refuse(r->doc, t ? t : v, NULL, r->error, WIT_ERROR_COUNT,
                              "as many \"values\" as \"times\" are needed, and at least one");
    table->times = wi_memory_pool_take(&r->scene->pool, n * sizeof *table->times);
    table->values = wi_memory_pool_take(&r->scene->pool, n * sizeof *table->values);
    if (!table->times || !table->values) return wi_scene_no_memory(r, t);
    size_t time = t + 1, value = v + 1;
    for (uint32_t i = 0; i < n; i++, time = scene_token(r, time)->next, value = scene_token(r, value)->next) {
        status = wi_scene_number(r, time, -MOTION_MAX_TIME, MOTION_MAX_TIME, &table->times[i]);
        if (!status) status = maybe_number(r, value, &table->values[i]);
        if (status) return status;
        if (i && !(table->times[i] - table->times[i - 1] >= MOTION_MIN_STEP))
            return wi_json_refuse(r->doc, time, NULL, r->error, WIT_ERROR_RANGE,
                                  "time %g comes after %g; times must increase, by 1e-9 s at least", table->times[i],
                                  table->times[i - 1]);
    }
    table->count = (int)n;
    return way && !wi_joint_smooth(table, &r->scene->pool) ? wi_scene_no_memory(r, t) : WIT_OK;
}

static wit_status read_formula(scene_reader* r, const size_t* at, motion_record* m)
{
    wit_status status = at[KEY_POSE] ? wi_scene_pose(r, at[KEY_POSE], &m->pose) : WIT_OK;
    if (!status && at[KEY_ROTATION]) status = wi_scene_rotation(r, at[KEY_ROTATION], &m->pose.rotation);
    if (!status && at[KEY_VELOCITY]) status = wi_scene_vector(r, at[KEY_VELOCITY], &m->twist.velocity);
    if (!status && at[KEY_ANGULAR]) status = wi_scene_vector(r, at[KEY_ANGULAR], &m->twist.angular);
    if (!status && (OF(HELIX) | OF(SPIRAL)) >> m->kind & 1u) status = read_frame(r, at[KEY_FRAME], m);
    if (!status && at[KEY_POINT]) status = wi_scene_vector(r, at[KEY_POINT], &m->origin);
    if (!status && at[KEY_AXIS]) status = wi_scene_axis(r, at[KEY_AXIS], &m->axis);
    double* const numbers[] = {&m->radius, &m->growth, &m->rise,  &m->phase, &m->angle,
                               &m->spin,   &m->rate,   &m->angle, &m->slide};
    static const int from[] = {KEY_RADIUS, KEY_GROWTH, KEY_RISE,  KEY_PHASE, KEY_ANGLE,
                               KEY_SPIN,   KEY_RATE,   KEY_VALUE, KEY_PITCH};
    for (size_t k = 0; !status && k < sizeof from / sizeof from[0]; k++)
        status = maybe_number(r, at[from[k]], numbers[k]);
    if (!status) status = read_waves(r, at[KEY_WAVES], false, &m->waves, &m->wave_count);
    if (!status) status = read_waves(r, at[KEY_TURNS], true, &m->turns, &m->turn_count);
    if (m->kind == MOTION_ROTATE || (JOINTS >> m->kind & 1u)) m->spin = m->rate;
    if (!status && (JOINTS >> m->kind & 1u)) status = read_joint_table(r, at, m);
    if (!status && at[KEY_ANGLES]) status = read_angles(r, at[KEY_ANGLES], m);
    if (m->kind == MOTION_PRISMATIC) m->slide = 1;
    if (m->kind == MOTION_SCREW) m->slide /= 2 * PI;
    if (m->kind == MOTION_TWIST) {
        m->spin = norm3(m->twist.angular);
        m->axis = unit3(m->twist.angular);
    }
    return status;
}

/* ---- poses ---------------------------------------------------------------------------------- */

static wit_status read_keyframes(scene_reader* r, const size_t* at, motion_path* path)
{
    wit_status status = wi_scene_expect(r, at[KEY_TIMES], JSON_ARRAY);
    if (!status) status = wi_scene_expect(r, at[KEY_POSES], JSON_ARRAY);
    if (status) return status;
    uint32_t n = scene_token(r, at[KEY_TIMES])->size;
    if (n < 1 || n != scene_token(r, at[KEY_POSES])->size)
        return wi_json_refuse(r->doc, at[KEY_POSES], NULL, r->error, WIT_ERROR_COUNT,
                              "there are %lu poses and %lu times; as many of both are needed, and at least one",
                              (unsigned long)scene_token(r, at[KEY_POSES])->size, (unsigned long)n);
    path->times = wi_memory_pool_take(&r->scene->pool, n * sizeof *path->times);
    path->poses = wi_memory_pool_take(&r->scene->pool, n * sizeof *path->poses);
    if (!path->times || !path->poses) return wi_scene_no_memory(r, at[KEY_TIMES]);
    path->count = (int)n;
    size_t t = at[KEY_TIMES] + 1, p = at[KEY_POSES] + 1;
    for (uint32_t i = 0; i < n; i++, t = scene_token(r, t)->next, p = scene_token(r, p)->next) {
        status = wi_scene_number(r, t, -MOTION_MAX_TIME, MOTION_MAX_TIME, &path->times[i]);
        if (status) return status;
        if (i && !(path->times[i] - path->times[i - 1] >= MOTION_MIN_STEP))
            return wi_json_refuse(r->doc, t, NULL, r->error, WIT_ERROR_RANGE,
                                  "time %g comes after %g; times must increase, by 1e-9 s at least", path->times[i],
                                  path->times[i - 1]);
        status = wi_scene_pose(r, p, &path->poses[i]);
        if (status) return status;
    }
    return WIT_OK;
}

enum { FILE_ROOM = 1 << 16, FILE_MOST = 1 << 28 };

/* The whole file; room is what was taken. */
static wit_status read_whole(scene_reader* r, size_t token, FILE* file, char** text, size_t* bytes, size_t* room)
{
    const wit_allocator* a = &r->scene->pool.allocator;
    for (;;) {
        if (*bytes == *room) {
            size_t more = *room ? 2 * *room : FILE_ROOM;
            if (*room >= FILE_MOST)
                return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_DEPTH, "the file is larger than 256 MB");
            char* grown = wi_memory_take(a, more);
            if (!grown) return wi_scene_no_memory(r, token);
            if (*bytes) memcpy(grown, *text, *bytes);
            wi_memory_give(a, *text, *room);
            *text = grown;
            *room = more;
        }
        size_t got = fread(*text + *bytes, 1, *room - *bytes, file);
        *bytes += got;
        if (got) continue;
        if (!ferror(file)) return WIT_OK;
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_FILE, "the file cannot be read");
    }
}

static wit_status read_table(scene_reader* r, size_t token, motion_path* path)
{
    const char* name = NULL;
    wit_status status = wi_scene_file(r, token, &name);
    if (status) return status;
    errno = 0;
    FILE* file = fopen(name, "rb");
    if (!file)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_FILE, "the file %.90s cannot be opened%s", name,
                              file_reason());
    char* text = NULL;
    size_t bytes = 0, room = 0;
    status = read_whole(r, token, file, &text, &bytes, &room);
    fclose(file);
    if (!status) {
        status = wi_motion_table_read(path, text, bytes, &r->scene->pool, r->error);
        if (status) wi_scene_refuse_file(r, token, name);
    }
    wi_memory_give(&r->scene->pool.allocator, text, room);
    return status;
}

static wit_status read_path(scene_reader* r, size_t token, const size_t* at, motion_record* m)
{
    static const char* const ways[] = {"linear", "smooth"};
    int way = 0, bad;
    wit_status status =
        m->kind == MOTION_POSES ? read_table(r, at[KEY_FILE], &m->path) : read_keyframes(r, at, &m->path);
    if (!status && at[KEY_INTERPOLATION])
        status = wi_scene_choice(r, at[KEY_INTERPOLATION], "interpolation", ways, 2, &way);
    if (status) return status;
    m->path.smooth = way == 1;
    if (!wi_motion_path_prepare(&m->path, &r->scene->pool, &bad)) return wi_scene_no_memory(r, token);
    if (bad >= 0)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE,
                              "between poses %d and %d the rotation turns too far for a smooth path; put more poses in",
                              bad, bad + 1);
    return WIT_OK;
}

wit_status wi_scene_read_motion(scene_reader* r, size_t token, motion_record* m)
{
    const char* names[MOTION_KIND_COUNT];
    for (int k = 0; k < MOTION_KIND_COUNT; k++) names[k] = wi_motion_kind_name((motion_kind)k);
    memset(m, 0, sizeof *m);
    m->pose = wit_pose_identity();
    m->axis = vec3(0, 0, 1);
    if (!token) return WIT_OK; /* still, at the origin */
    wit_status status = wi_scene_expect(r, token, JSON_OBJECT);
    if (status) return status;
    size_t kind = wi_json_member(r->doc, token, "kind"), at[KEYS];
    if (!kind) return wi_json_refuse(r->doc, token, "kind", r->error, WIT_ERROR_KEY, "the key \"kind\" is missing");
    int found = 0;
    status = wi_scene_choice(r, kind, "kind of motion", names, MOTION_KIND_COUNT, &found);
    if (status) return status;
    m->kind = (motion_kind)found;
    char what[48];
    snprintf(what, sizeof what, "a motion of kind %s", names[found]);
    status = wi_scene_object(r, token, what, keys, KEYS, found, at);
    if (status) return status;
    if (m->kind == MOTION_KEYFRAMES || m->kind == MOTION_POSES) return read_path(r, token, at, m);
    return read_formula(r, at, m);
}
