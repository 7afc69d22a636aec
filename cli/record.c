/* SPDX-License-Identifier: MIT */
#include "record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "deflate.h"

typedef enum column_type { COLUMN_F64, COLUMN_F32, COLUMN_I32 } column_type;

static const struct {
    const char* name;
    column_type type;
} columns[] = {
    {"t", COLUMN_F64},
    {"distance", COLUMN_F64},
    {"lower_bound", COLUMN_F64},
    {"rate", COLUMN_F64},
    {"nx", COLUMN_F64},
    {"ny", COLUMN_F64},
    {"nz", COLUMN_F64},
    {"a_feature", COLUMN_I32},
    {"a_id", COLUMN_I32},
    {"a_u", COLUMN_F64},
    {"a_v", COLUMN_F64},
    {"a_x", COLUMN_F64},
    {"a_y", COLUMN_F64},
    {"a_z", COLUMN_F64},
    {"b_feature", COLUMN_I32},
    {"b_id", COLUMN_I32},
    {"b_u", COLUMN_F64},
    {"b_v", COLUMN_F64},
    {"e_0", COLUMN_F32},
    {"e_1", COLUMN_F32},
    {"e_2", COLUMN_F32},
    {"e_3", COLUMN_F32},
    {"residual", COLUMN_F32},
    {"count_a", COLUMN_I32},
    {"count", COLUMN_I32},
    {"outcome", COLUMN_I32},
    {"flags", COLUMN_I32},
    {"reason", COLUMN_I32},
    {"held", COLUMN_I32},
    {"switches", COLUMN_I32},
    {"work", COLUMN_I32},
    {"model_tolerance", COLUMN_F64},
    {"gain", COLUMN_F32},
    {"pose_a_0", COLUMN_F64},
    {"pose_a_1", COLUMN_F64},
    {"pose_a_2", COLUMN_F64},
    {"pose_a_3", COLUMN_F64},
    {"pose_a_4", COLUMN_F64},
    {"pose_a_5", COLUMN_F64},
    {"pose_a_6", COLUMN_F64},
    {"pose_b_0", COLUMN_F64},
    {"pose_b_1", COLUMN_F64},
    {"pose_b_2", COLUMN_F64},
    {"pose_b_3", COLUMN_F64},
    {"pose_b_4", COLUMN_F64},
    {"pose_b_5", COLUMN_F64},
    {"pose_b_6", COLUMN_F64},
    {"gap", COLUMN_F64},
    {"contact_force", COLUMN_F64},
    {"force_x", COLUMN_F64},
    {"force_y", COLUMN_F64},
    {"force_z", COLUMN_F64},
    {"kinetic", COLUMN_F32},
    {"stored", COLUMN_F32},
    {"balance", COLUMN_F32},
    {"device_x", COLUMN_F64},
    {"device_y", COLUMN_F64},
    {"device_z", COLUMN_F64},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], POSES = 33, WORLD = 47 };

struct record {
    int64_t count, room;
    bool world;
    double* value[COLUMNS]; /* integers and floats as doubles, too */
};

record* record_begin(bool keep_world)
{
    record* r = calloc(1, sizeof *r);
    if (r) r->world = keep_world;
    return r;
}

void record_free(record* r)
{
    for (int i = 0; r && i < COLUMNS; i++) free(r->value[i]);
    free(r);
}

int64_t record_count(const record* r)
{
    return r->count;
}

static bool make_room(record* r)
{
    if (r->count < r->room) return true;
    int64_t room = r->room ? 2 * r->room : 1024;
    for (int i = 0; i < COLUMNS; i++) {
        double* moved = realloc(r->value[i], (size_t)room * sizeof(double));
        if (!moved) return false;
        r->value[i] = moved;
    }
    r->room = room;
    return true;
}

static double* put3(double* to, wit_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    return to + 3;
}

static double* put_place(double* to, const wit_witness* w, bool point)
{
    *to++ = w->feature;
    *to++ = w->id;
    *to++ = w->u;
    *to++ = w->v;
    return point ? put3(to, w->point) : to;
}

bool record_frame(record* r, const track_task* task, double time, const wit_result* x)
{
    if (!make_room(r)) return false;
    double row[COLUMNS] = {0}, *to = row;
    *to++ = time;
    *to++ = x->distance;
    *to++ = x->lower_bound;
    *to++ = x->rate;
    to = put3(to, x->normal);
    to = put_place(to, &x->a, true);
    to = put_place(to, &x->b, false); /* its point is a + distance * normal */
    for (int i = 0; i < WIT_MAX_PARAMETERS; i++) *to++ = i < x->count ? x->error[i] : 0;
    *to++ = x->residual;
    *to++ = x->count_a;
    *to++ = x->count;
    *to++ = x->outcome;
    *to++ = x->flags;
    *to++ = x->reason;
    *to++ = x->held;
    *to++ = x->switches;
    *to++ = (double)(x->work.units < INT32_MAX ? x->work.units : INT32_MAX);
    *to++ = x->model_tolerance;
    *to++ = x->gain;
    if (r->world && task->world) track_world_record(task->world, row + WORLD);
    for (int i = 0; i < COLUMNS; i++) r->value[i][r->count] = row[i];
    r->count++;
    return true;
}

bool record_poses(record* r, const track_task* task)
{
    for (int64_t k = 0; k < r->count; k++) {
        for (int side = 0; side < 2; side++) {
            wit_motion m;
            if (task->motion(task->context, side, r->value[0][k], &m)) return false;
            const wit_pose* p = &m.pose;
            const double seven[7] = {p->position.x, p->position.y, p->position.z, p->rotation.w,
                                     p->rotation.x, p->rotation.y, p->rotation.z};
            for (int i = 0; i < 7; i++) r->value[POSES + 7 * side + i][k] = seven[i];
        }
    }
    return true;
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

/* Bits such that neighbours in value are neighbours as integers. */
static uint64_t ordered(double x, column_type type)
{
    uint64_t bits = 0;
    if (type == COLUMN_I32) return (uint64_t)(int64_t)x;
    if (type == COLUMN_F32) {
        float f = (float)x;
        uint32_t b;
        memcpy(&b, &f, sizeof b);
        return b & 0x80000000u ? (uint64_t)(int64_t)(int32_t)(0x80000000u - b) : b;
    }
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? (UINT64_C(1) << 63) - bits : bits;
}

static void difference(uint64_t* x, int64_t n)
{
    for (int64_t k = n - 1; k > 0; k--) x[k] -= x[k - 1];
}

static uint64_t zigzag(uint64_t x)
{
    return x << 1 ^ (uint64_t)(-(int64_t)(x >> 63));
}

static int64_t bytes_of(const uint64_t* x, int64_t n)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < n; k++)
        for (uint64_t z = zigzag(x[k]); z; z >>= 8) sum++;
    return sum;
}

/* Appends the column, lowest bytes of all frames first. Returns the order of the differences. */
static int pack_column(const record* r, int i, uint64_t* work, uint64_t* best, out* raw)
{
    enum { ORDERS = 4 };
    int64_t n = r->count, least = INT64_MAX;
    int order = 0, width = columns[i].type == COLUMN_F64 ? 8 : 4;
    for (int64_t k = 0; k < n; k++) work[k] = ordered(r->value[i][k], columns[i].type);
    for (int d = 0; d < ORDERS; d++) {
        if (d) difference(work, n);
        int64_t bytes = bytes_of(work, n);
        if (bytes >= least) continue;
        bool fits = true; /* differences of 32-bit numbers may need more: then another order has to do */
        for (int64_t k = 0; width == 4 && k < n && fits; k++) fits = zigzag(work[k]) <= UINT32_MAX;
        if (!fits) continue;
        least = bytes;
        order = d;
        memcpy(best, work, (size_t)n * sizeof *best);
    }
    for (int b = 0; b < width; b++) {
        for (int64_t k = 0; k < n; k++) {
            uint8_t byte = (uint8_t)(zigzag(best[k]) >> 8 * b);
            out_bytes(raw, &byte, 1);
        }
    }
    return order;
}

void record_write(const record* r, out* json, out* data)
{
    static const char* const types[] = {"f64", "f32", "i32"};
    size_t n = (size_t)r->count + 1;
    uint64_t *work = malloc(n * sizeof *work), *best = malloc(n * sizeof *best);
    out raw = {0}, packed = {0};
    if (!work || !best) json->failed = true;
    out_open(json, "columns", '[');
    for (int i = 0; work && best && i < (r->world ? COLUMNS : WORLD); i++) {
        out_open(json, NULL, '{');
        out_put_string(json, "name", columns[i].name);
        out_put_string(json, "type", types[columns[i].type]);
        out_put_integer(json, "order", pack_column(r, i, work, best, &raw));
        out_close(json, '}');
    }
    out_close(json, ']');
    deflate(&packed, (const uint8_t*)raw.text, raw.length);
    base64(data, (const uint8_t*)packed.text, packed.length);
    if (raw.failed || packed.failed) data->failed = true;
    out_free(&raw);
    out_free(&packed);
    free(work);
    free(best);
}
