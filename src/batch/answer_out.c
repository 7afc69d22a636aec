/* SPDX-License-Identifier: MIT */
#include "answer_out.h"

#include <string.h>

static const struct {
    const char* name;
    size_t bytes, alignment;
} fields[WIT_FIELD_COUNT] = {
    [WIT_FIELD_STATUS] = {"status", sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_DISTANCE] = {"distance", sizeof(double), sizeof(double)},
    [WIT_FIELD_LOWER_BOUND] = {"lower_bound", sizeof(double), sizeof(double)},
    [WIT_FIELD_UPPER_BOUND] = {"upper_bound", sizeof(double), sizeof(double)},
    [WIT_FIELD_MODEL_TOLERANCE] = {"model_tolerance", sizeof(double), sizeof(double)},
    [WIT_FIELD_CERTIFIED] = {"certified", sizeof(uint8_t), sizeof(uint8_t)},
    [WIT_FIELD_OUTCOME] = {"outcome", sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_REASON] = {"reason", sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_SIGN] = {"sign", sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_NORMAL] = {"normal", 3 * sizeof(double), sizeof(double)},
    [WIT_FIELD_POINT_A] = {"point_a", 3 * sizeof(double), sizeof(double)},
    [WIT_FIELD_POINT_B] = {"point_b", 3 * sizeof(double), sizeof(double)},
    [WIT_FIELD_FEATURE_A] = {"feature_a", 2 * sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_FEATURE_B] = {"feature_b", 2 * sizeof(int32_t), sizeof(int32_t)},
    [WIT_FIELD_PARAMETERS_A] = {"parameters_a", 2 * sizeof(double), sizeof(double)},
    [WIT_FIELD_PARAMETERS_B] = {"parameters_b", 2 * sizeof(double), sizeof(double)},
    [WIT_FIELD_UNITS] = {"units", sizeof(int64_t), sizeof(int64_t)},
    [WIT_FIELD_CLOSEST] = {"closest", sizeof(wit_closest), sizeof(double)},
};

const char* wit_field_name(wit_field field)
{
    return (unsigned)field < WIT_FIELD_COUNT ? fields[field].name : "?";
}

size_t wit_field_bytes(wit_field field)
{
    return (unsigned)field < WIT_FIELD_COUNT ? fields[field].bytes : 0;
}

void wit_batch_ask(wit_batch_out* out, wit_field field, void* data, size_t stride)
{
    if (!out) return;
    if ((unsigned)field >= WIT_FIELD_COUNT) {
        out->fields |= 1U << WIT_FIELD_COUNT;
        return;
    }
    out->fields |= 1U << field;
    out->data[field] = data;
    out->stride[field] = stride;
}

wit_status wi_answer_out_check(const wit_batch_out* out)
{
    if (!out || out->fields >> WIT_FIELD_COUNT) return WIT_ERROR_ARGUMENT;
    for (int f = 0; f < WIT_FIELD_COUNT; ++f) {
        if (!(out->fields >> f & 1)) continue;
        size_t stride = out->stride[f], at = (size_t)(uintptr_t)out->data[f];
        if (!out->data[f] || at % fields[f].alignment) return WIT_ERROR_ARGUMENT;
        if (stride && (stride < fields[f].bytes || stride % fields[f].alignment)) return WIT_ERROR_ARGUMENT;
    }
    return WIT_OK;
}

static void* slot(const wit_batch_out* out, wit_field f, int64_t i)
{
    if (!(out->fields >> f & 1)) return NULL;
    size_t stride = out->stride[f] ? out->stride[f] : fields[f].bytes;
    return (char*)out->data[f] + (size_t)i * stride;
}

static void put(const wit_batch_out* out, wit_field f, int64_t i, const void* value)
{
    void* at = slot(out, f, i);
    if (at) memcpy(at, value, fields[f].bytes);
}

static void put_number(const wit_batch_out* out, wit_field f, int64_t i, int value)
{
    int32_t number = value;
    put(out, f, i, &number);
}

static void put_witness(const wit_batch_out* out, int64_t i, int side, const wit_witness* w)
{
    const int32_t feature[2] = {(int32_t)w->feature, w->id};
    const double parameters[2] = {w->u, w->v};
    put(out, side ? WIT_FIELD_POINT_B : WIT_FIELD_POINT_A, i, &w->point);
    put(out, side ? WIT_FIELD_FEATURE_B : WIT_FIELD_FEATURE_A, i, feature);
    put(out, side ? WIT_FIELD_PARAMETERS_B : WIT_FIELD_PARAMETERS_A, i, parameters);
}

void wi_answer_out_write(const wit_batch_out* out, int64_t i, const wit_closest* c)
{
    const uint8_t certified = c->certified;
    put_number(out, WIT_FIELD_STATUS, i, WIT_OK);
    put(out, WIT_FIELD_DISTANCE, i, &c->distance);
    put(out, WIT_FIELD_LOWER_BOUND, i, &c->lower_bound);
    put(out, WIT_FIELD_UPPER_BOUND, i, &c->upper_bound);
    put(out, WIT_FIELD_MODEL_TOLERANCE, i, &c->model_tolerance);
    put(out, WIT_FIELD_CERTIFIED, i, &certified);
    put_number(out, WIT_FIELD_OUTCOME, i, (int)c->outcome);
    put_number(out, WIT_FIELD_REASON, i, (int)c->reason);
    put_number(out, WIT_FIELD_SIGN, i, (int)c->sign);
    put(out, WIT_FIELD_NORMAL, i, &c->normal);
    put_witness(out, i, 0, &c->a);
    put_witness(out, i, 1, &c->b);
    put(out, WIT_FIELD_UNITS, i, &c->work.units);
    put(out, WIT_FIELD_CLOSEST, i, c);
}

void wi_answer_out_status(const wit_batch_out* out, int64_t i, int32_t status)
{
    put_number(out, WIT_FIELD_STATUS, i, status);
}
