/* SPDX-License-Identifier: MIT */
/*
 * witness/batch.h: many questions in one call: n points and a body, n poses of two bodies, a step of n trackers.
 *
 *     wit_batch_def def = wit_batch_default_def();
 *     def.count = n;                                              // the most items of one call
 *     wit_batch* batch = wit_batch_create(&def, NULL, &error);    // memory for all calls; none is taken later
 *     wit_placed a = wit_placed_at(body, wit_pose_identity());
 *     wit_items points = {.data = xyz, .count = n};               // three doubles each
 *     wit_batch_out out = {.fields = 0};
 *     wit_batch_ask(&out, WIT_FIELD_DISTANCE, distance, 0);       // double distance[n]
 *     wit_batch_ask(&out, WIT_FIELD_CERTIFIED, certified, 0);     // uint8_t certified[n]
 *     wit_closest_points(batch, &a, &points, &out, &summary);
 *
 * Every item gets the answer of the one-by-one call (query.h, track.h): the same fields, the same meaning, certified by
 * the same rule. Points are taken in the order of a curve through space, and what is proved of one is carried to the
 * next where that proves it again; where not, the point is asked anew. So a bracket may differ from that of
 * wit_closest_point within its width; both hold the truth. Answers stand in the caller's order.
 *
 * Threads are the caller's: `each` in the def runs pieces of the work, which are cut by the number of items alone. The
 * bits are the same for any number of workers and any order of pieces, and whatever was asked before.
 * One batch serves one call at a time. Nothing is allocated after create.
 */
#ifndef WITNESS_BATCH_H
#define WITNESS_BATCH_H

#include "base.h"
#include "body.h"
#include "query.h"
#include "track.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of batches: settings, and the scratch of every worker. */
typedef struct wit_batch wit_batch;

/* ---- what goes in ---------------------------------------------------------------------------- */

/* Items in memory of the caller's, `stride` bytes from one to the next (0: they lie packed). */
typedef struct wit_items {
    const void* data;
    size_t stride; /* a multiple of 8 */
    int64_t count;
} wit_items;

/* An item of wit_closest_pairs: where both bodies stand. Fourteen doubles: position, then quaternion, w first. */
typedef struct wit_pose_pair {
    wit_pose a, b;
} wit_pose_pair;

/* An item of wit_tracker_step_many. No tracker stands in two items of a call. */
typedef struct wit_step_item {
    wit_tracker* tracker;
    wit_motion a, b;   /* as of wit_tracker_step; b of a point: its position */
    wit_status status; /* out: what wit_tracker_step returned */
    wit_result result; /* out; left as it was where the step was refused or not reached */
} wit_step_item;

/* ---- what comes out -------------------------------------------------------------------------- */

/* The fields of an answer, each with the type of one item. Names as in wit_closest. */
typedef enum wit_field {
    WIT_FIELD_STATUS,          /* int32_t: WIT_OK, or why the item was refused; -1: not reached before the stop */
    WIT_FIELD_DISTANCE,        /* double */
    WIT_FIELD_LOWER_BOUND,     /* double */
    WIT_FIELD_UPPER_BOUND,     /* double */
    WIT_FIELD_MODEL_TOLERANCE, /* double */
    WIT_FIELD_CERTIFIED,       /* uint8_t: 0 or 1 */
    WIT_FIELD_OUTCOME,         /* int32_t: wit_outcome */
    WIT_FIELD_REASON,          /* int32_t: wit_reason */
    WIT_FIELD_SIGN,            /* int32_t: wit_sign */
    WIT_FIELD_NORMAL,          /* double[3] */
    WIT_FIELD_POINT_A,         /* double[3]: witness of a */
    WIT_FIELD_POINT_B,         /* double[3]: witness of b; of a point: itself */
    WIT_FIELD_FEATURE_A,       /* int32_t[2]: wit_feature_kind, id */
    WIT_FIELD_FEATURE_B,       /* int32_t[2] */
    WIT_FIELD_PARAMETERS_A,    /* double[2]: u, v */
    WIT_FIELD_PARAMETERS_B,    /* double[2] */
    WIT_FIELD_UNITS,           /* int64_t: units of work */
    WIT_FIELD_CLOSEST,         /* wit_closest: the whole answer */
    WIT_FIELD_COUNT
} wit_field;

/* "status", "distance", ..., "?" otherwise; and bytes of one item, 0 otherwise. */
WIT_API const char* wit_field_name(wit_field field);
WIT_API size_t wit_field_bytes(wit_field field);

/* Where answers go: item i of a field at data + i * stride. Arrays may overlap in memory (fields of one record), items
 * may not. Of an item that is refused, or not reached, only STATUS is written. */
typedef struct wit_batch_out {
    unsigned fields;                /* set of 1u << wit_field: those that are written; of others nothing is read */
    void* data[WIT_FIELD_COUNT];    /* aligned for the field */
    size_t stride[WIT_FIELD_COUNT]; /* bytes; 0: packed */
} wit_batch_out;

/* Adds one field. An unknown one is refused by the call that gets `out`. */
WIT_API void wit_batch_ask(wit_batch_out* out, wit_field field, void* data, size_t stride);

/* What became of the items, counted. */
typedef struct wit_batch_summary {
    int64_t answered;      /* items with status WIT_OK */
    int64_t refused;       /* items with another one */
    int64_t first_refused; /* the least index of those, -1: none */
    int64_t certified;
    int64_t carried; /* points that were answered by what was proved of the one before */
    bool stopped;    /* `stop` said so: some items were not reached, and have status -1 */
    wit_work work;   /* of all of them; peak: the largest */
} wit_batch_summary;

/* ---- settings -------------------------------------------------------------------------------- */

/* Asked before every piece, by the thread that would run it: true leaves the piece out. */
typedef bool wit_batch_stop(void* context);

/* What a batch is made for: its questions, its memory, whose threads. */
typedef struct wit_batch_def {
    size_t struct_size;  /* set by wit_batch_default_def */
    wit_query_def query; /* of each item; the default of query.h */
    int64_t count;       /* points of one call at most (32 bytes each); pairs and trackers need no memory. Default 0 */
    int workers;         /* 1 to 4096: some 20 MB each with the default capacity. Default 1 */
    int front;           /* pieces of a body that the carried proof of a worker may stand on, some 450 bytes each, at
                            most 1 << 20; 0: every point is asked anew. Default 4096 */
    wit_parallel_for* each; /* runs pieces of the work (base.h); null, the default: in this thread, in turn */
    void* each_context;
    wit_batch_stop* stop; /* null, the default: never */
    void* stop_context;
} wit_batch_def;

/* The defaults told at the fields. */
WIT_API wit_batch_def wit_batch_default_def(void);

/* Bytes that wit_batch_init needs; 0 if the def is refused. */
WIT_API size_t wit_batch_size(const wit_batch_def* def);
/* In memory of the caller's, aligned for any type, which must outlive it. Never to be destroyed. */
WIT_API wit_status wit_batch_init(void* memory, size_t bytes, const wit_batch_def* def, wit_batch** out,
                                  wit_error* error);
/* With one allocation; `allocator` may be null. Null on refusal: error->item names the field. */
WIT_API wit_batch* wit_batch_create(const wit_batch_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API void wit_batch_destroy(wit_batch* batch);

/* ---- calls ----------------------------------------------------------------------------------- */

/*
 * WIT_OK, or a refusal of the call as a whole, before anything is written: null pointers, strides that are not
 * multiples of 8 or too short, fields without data, more points than `count` (WIT_ERROR_COUNT), a body or pose of `a`
 * that the one-by-one call refuses whatever the item is. Items are refused one by one (NaN, say): the others are
 * answered, and the call is WIT_OK. `summary` may be null.
 */
WIT_API wit_status wit_closest_points(wit_batch* batch, const wit_placed* a, const wit_items* points,
                                      const wit_batch_out* out, wit_batch_summary* summary);

/* Items: wit_pose_pair. Poses in `a` and `b` are not read. Each pair is asked anew. */
WIT_API wit_status wit_closest_pairs(wit_batch* batch, const wit_placed* a, const wit_placed* b, const wit_items* poses,
                                     const wit_batch_out* out, wit_batch_summary* summary);

/* A step of dt seconds of each. In the summary `certified` counts results with that flag; an item that was not reached
 * has WIT_STATUS_COUNT for its status. */
WIT_API wit_status wit_tracker_step_many(wit_batch* batch, wit_step_item* items, int64_t count, double dt,
                                         wit_batch_summary* summary);

#ifdef __cplusplus
}
#endif

#endif
