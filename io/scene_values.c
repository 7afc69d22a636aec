/* SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../src/base/vec.h"
#include "scene.h"

wit_status wi_scene_no_memory(scene_reader* r, size_t token)
{
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_MEMORY, "no memory for this");
}

static wit_status refuse_type(scene_reader* r, size_t token, const char* expected)
{
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_TYPE, "expected %s, found %s", expected,
                          wi_json_type_name((json_type)scene_token(r, token)->type));
}

wit_status wi_scene_expect(scene_reader* r, size_t token, json_type type)
{
    return scene_token(r, token)->type == (uint32_t)type ? WIT_OK : refuse_type(r, token, wi_json_type_name(type));
}

/* ---- keys ----------------------------------------------------------------------------------- */

/* Appends to a text that is cut to its room. */
static void append(char* to, size_t room, const char* separator, const char* text)
{
    size_t n = strlen(to);
    snprintf(to + n, room - n, "%s%s", n ? separator : "", text);
}

static wit_status refuse_key(scene_reader* r, size_t key, const char* what, const scene_key* keys, int count, int kind)
{
    char known[160] = "";
    for (int k = 0; k < count; k++) {
        if ((keys[k].required | keys[k].optional) >> kind & 1u) append(known, sizeof known, ", ", keys[k].key);
    }
    return wi_json_refuse(r->doc, key, NULL, r->error, WIT_ERROR_KEY, "unknown key; %s has %s", what, known);
}

wit_status wi_scene_object(scene_reader* r, size_t token, const char* what, const scene_key* keys, int count, int kind,
                           size_t* at)
{
    for (int k = 0; k < count; k++) at[k] = 0;
    wit_status status = wi_scene_expect(r, token, JSON_OBJECT);
    if (status) return status;
    size_t key = token + 1;
    for (uint32_t i = 0; i < scene_token(r, token)->size; i++, key = scene_token(r, key + 1)->next) {
        int k = 0;
        while (k < count && !wi_json_equal(r->doc, key, keys[k].key)) k++;
        if (k == count || !((keys[k].required | keys[k].optional) >> kind & 1u))
            return refuse_key(r, key, what, keys, count, kind);
        at[k] = key + 1;
    }
    for (int k = 0; k < count; k++) {
        if ((keys[k].required >> kind & 1u) && !at[k])
            return wi_json_refuse(r->doc, token, keys[k].key, r->error, WIT_ERROR_KEY,
                                  "the key is missing; %s must have it", what);
    }
    return WIT_OK;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static wit_status any_number(scene_reader* r, size_t token, double* out)
{
    wit_status status = wi_scene_expect(r, token, JSON_NUMBER);
    if (status) return status;
    if (!wi_json_number(r->doc, token, out))
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NUMBER, "the number is too large for a double");
    return WIT_OK;
}

wit_status wi_scene_number(scene_reader* r, size_t token, double lo, double hi, double* out)
{
    double x;
    wit_status status = any_number(r, token, &x);
    if (status) return status;
    if (!(x >= lo && x <= hi))
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE, "the number must be from %g to %g", lo,
                              hi);
    *out = x;
    return WIT_OK;
}

wit_status wi_scene_positive(scene_reader* r, size_t token, double hi, double* out)
{
    double x;
    wit_status status = any_number(r, token, &x);
    if (status) return status;
    if (!(x > 0 && x <= hi))
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE, "the number must be positive, at most %g",
                              hi);
    *out = x;
    return WIT_OK;
}

wit_status wi_scene_limit(scene_reader* r, size_t token, double lo, double* out)
{
    if (scene_token(r, token)->type == JSON_STRING && wi_json_equal(r->doc, token, "infinity")) {
        *out = INFINITY;
        return WIT_OK;
    }
    if (scene_token(r, token)->type != JSON_NUMBER) return refuse_type(r, token, "a number or \"infinity\"");
    return wi_scene_number(r, token, lo, DBL_MAX, out);
}

wit_status wi_scene_whole(scene_reader* r, size_t token, double lo, double hi, int64_t* out)
{
    double x = 0;
    wit_status status = wi_scene_number(r, token, lo, hi, &x);
    if (status) return status;
    if (x != floor(x)) return refuse_type(r, token, "a whole number");
    *out = (int64_t)x;
    return WIT_OK;
}

wit_status wi_scene_flag(scene_reader* r, size_t token, bool* out)
{
    uint32_t type = scene_token(r, token)->type;
    if (type != JSON_TRUE && type != JSON_FALSE) return refuse_type(r, token, "true or false");
    *out = type == JSON_TRUE;
    return WIT_OK;
}

wit_status wi_scene_numbers(scene_reader* r, size_t token, uint32_t n, const char* what, double* out)
{
    wit_status status = wi_scene_expect(r, token, JSON_ARRAY);
    if (status) return status;
    if (scene_token(r, token)->size != n)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "expected %s, found %lu values", what,
                              (unsigned long)scene_token(r, token)->size);
    size_t t = token + 1;
    for (uint32_t i = 0; i < n && !status; i++, t = scene_token(r, t)->next)
        status = wi_scene_number(r, t, -MOTION_MAX_NUMBER, MOTION_MAX_NUMBER, &out[i]);
    return status;
}

wit_status wi_scene_vector(scene_reader* r, size_t token, wit_vec3* out)
{
    double x[3];
    wit_status status = wi_scene_numbers(r, token, 3, "[x, y, z]", x);
    if (!status) *out = vec3(x[0], x[1], x[2]);
    return status;
}

wit_status wi_scene_axis(scene_reader* r, size_t token, wit_vec3* out)
{
    wit_vec3 v;
    wit_status status = wi_scene_vector(r, token, &v);
    if (status) return status;
    *out = unit3(v);
    if (norm3(*out) > 0.5) return WIT_OK;
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_FRAME, "the direction must not be zero");
}

static wit_status unit_quaternion(scene_reader* r, size_t token, const double* q, wit_quat* out)
{
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(fabs(n - 1) <= 1e-3)) /* as written with three digits; it is made 1 */
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_RANGE,
                              "the quaternion qw, qx, qy, qz must have length 1, to 1e-3; it has %.9g", n);
    *out = (wit_quat){q[0] / n, q[1] / n, q[2] / n, q[3] / n};
    return WIT_OK;
}

wit_status wi_scene_rotation(scene_reader* r, size_t token, wit_quat* out)
{
    double q[4];
    wit_status status = wi_scene_numbers(r, token, 4, "[qw, qx, qy, qz]", q);
    return status ? status : unit_quaternion(r, token, q, out);
}

wit_status wi_scene_pose(scene_reader* r, size_t token, wit_pose* out)
{
    double x[7] = {0, 0, 0, 1, 0, 0, 0};
    bool place = scene_token(r, token)->type == JSON_ARRAY && scene_token(r, token)->size == 3;
    wit_status status = wi_scene_numbers(r, token, place ? 3 : 7, "[x, y, z] or [x, y, z, qw, qx, qy, qz]", x);
    if (status) return status;
    out->position = vec3(x[0], x[1], x[2]);
    return unit_quaternion(r, token, x + 3, &out->rotation);
}

/* ---- text ----------------------------------------------------------------------------------- */

wit_status wi_scene_string(scene_reader* r, size_t token, size_t limit, bool lines, const char** out)
{
    wit_status status = wi_scene_expect(r, token, JSON_STRING);
    if (status) return status;
    size_t n = wi_json_string(r->doc, token, NULL, 0);
    if (n > limit)
        return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_COUNT, "the text is longer than %lu bytes",
                              (unsigned long)limit);
    char* text = wi_memory_pool_take(&r->scene->pool, n + 1);
    if (!text) return wi_scene_no_memory(r, token);
    wi_json_string(r->doc, token, text, n + 1);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && !(lines && (c == '\n' || c == '\t'))) || c == 0x7f)
            return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the text holds a control character");
    }
    if (!n && !lines) return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "the text is empty");
    *out = text;
    return WIT_OK;
}

wit_status wi_scene_choice(scene_reader* r, size_t token, const char* what, const char* const* names, int count,
                           int* out)
{
    wit_status status = wi_scene_expect(r, token, JSON_STRING);
    if (status) return status;
    char known[160] = "";
    for (int k = 0; k < count; k++) {
        if (wi_json_equal(r->doc, token, names[k])) {
            *out = k;
            return WIT_OK;
        }
        append(known, sizeof known, ", ", names[k]);
    }
    return wi_json_refuse(r->doc, token, NULL, r->error, WIT_ERROR_NAME, "unknown %s; there are %s", what, known);
}
