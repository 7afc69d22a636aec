/* SPDX-License-Identifier: MIT */
/*
 * Any bytes in place of a scene: refused with a position, or read into motions that stay finite with rotations of unit
 * length. Every model is a small box, whatever its file is called. Bytes that begin with 't' are a table of poses.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "../io/motion.h"
#include "fuzz.h"

enum { MEMORY = 64 << 20, SAMPLES = 16 };

/* In memory of the fuzzer's own: the scene gives it back. */
static wit_model* load_box(const char* path, void* user, wit_error* error)
{
    static const char box[] =
        "{\"format\": \"witness-model\", \"version\": 1, \"unit\": \"mm\", \"bodies\": [{\"name\": "
        "\"box\", \"solid\": {\"kind\": \"box\", \"size_x\": 1, \"size_y\": 2, \"size_z\": 3}}]}";
    (void)path;
    (void)user;
    return read_input((const uint8_t*)box, sizeof box - 1, NULL, error);
}

static void check_motion(const wit_motion* m)
{
    CLAIM(m->twist_known && wit_pose_check(&m->pose) == WIT_OK);
    CLAIM(finite3(m->twist.velocity) && finite3(m->twist.angular));
}

static void check_table(const uint8_t* data, size_t size)
{
    size_t left = MEMORY;
    memory_pool pool = {.allocator = {take, give, &left}};
    motion_path path = {0};
    wit_error e = {0};
    int bad = -1;
    wit_status status = wi_motion_table_read(&path, (const char*)data, size, &pool, &e);
    if (status) {
        CLAIM(e.status == status && e.line > 0 && e.column > 0 && e.item[0] && e.text[0]);
    } else {
        path.smooth = size & 1;
        bool prepared = wi_motion_path_prepare(&path, &pool, &bad);
        double from = path.times[0], to = path.times[path.count - 1];
        for (int k = 0; prepared && bad < 0 && k <= SAMPLES; k++) {
            wit_motion m;
            wi_motion_path_at(&path, from + (to - from) * k / SAMPLES, &m);
            check_motion(&m);
        }
    }
    wi_memory_pool_free(&pool);
    CLAIM(left == MEMORY);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    if (size > 0 && data[0] == 't') {
        check_table(data, size);
        return 0;
    }
    size_t left = MEMORY;
    wit_allocator allocator = {take, give, &left};
    wit_error e = {0};
    char* text = malloc(size + 1);
    CLAIM(text);
    memcpy(text, data, size);
    for (size_t i = 0; i + 5 <= size; i++) {
        if (memcmp(text + i, ".json", 5) == 0) memcpy(text + i, ".step", 5); /* those are asked for, and not opened */
    }
    /* A directory that is not there: only the box is ever loaded. */
    wit_scene* s = wit_scene_read_text(text, size, "/nowhere", load_box, NULL, &allocator, &e);
    free(text);
    if (!s) {
        CLAIM(left == MEMORY);
        CLAIM(e.status != WIT_OK && e.status < WIT_STATUS_COUNT);
        CLAIM(e.line > 0 && e.column > 0 && e.item[0] && e.text[0]);
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k <= SAMPLES; k++) {
            wit_motion m;
            CLAIM(wit_scene_motion(s, side, wit_scene_duration(s) * k / SAMPLES, &m) == WIT_OK);
            check_motion(&m);
        }
    }
    wit_witness a, b;
    if (wit_scene_start(s, &a, &b)) CLAIM(finite3(a.point) && finite3(b.point));
    CLAIM(wit_scene_frames(s) >= 1 && wit_scene_body(s, 0) && wit_scene_snapshots(s, NULL, 0) >= 0);
    wit_scene_destroy(s);
    CLAIM(left == MEMORY);
    return 0;
}
