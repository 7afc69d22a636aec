/* SPDX-License-Identifier: MIT */
/*
 * A run, frame by frame, as reports carry it: columns of doubles (bit for bit), of floats (what is only drawn) and of
 * integers, each as differences of its own order, byte by byte, then packed. viewer/src/record.ts reads it.
 */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include "track.h"

typedef struct record record;

/* `keep_world`: the columns of forces too. Null: no memory. */
record* record_begin(bool keep_world);
void record_free(record* r);
/* After every frame. False: no memory. */
bool record_frame(record* r, const track_task* task, double time, const wit_result* result);
/* Once, at the end: where both sides were. */
bool record_poses(record* r, const track_task* task);
int64_t record_count(const record* r);
/* Appends the list of columns as JSON, [{"name", "type", "order"}], and the packed bytes in base64. */
void record_write(const record* r, out* json, out* data);

#endif
