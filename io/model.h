/* SPDX-License-Identifier: MIT */
/*
 * The record behind wit_model, and the table of keys that reader, writer and schema test share.
 *
 * The keys of a shape are the field names of wit_curve_def and wit_surface_def. So the item that a create
 * function names in its refusal ("knots_u[3]") is a path in the JSON object, and one mechanism gives
 * every refusal of geometry its line and column.
 */
#ifndef IO_MODEL_H
#define IO_MODEL_H

#include "../include/witness/io.h"
#include "json.h"
#include "memory.h"

#define MODEL_MAX_NAME 255                   /* bytes of a name */
#define MODEL_MAX_NESTING 8                  /* shapes within shapes: each level may double the memory */
#define MODEL_MAX_MEMORY (UINT64_C(4) << 30) /* bytes of all shapes together */

typedef enum field_type {
    FIELD_NUMBER,
    FIELD_INTEGER,
    FIELD_FLAG,
    FIELD_VECTOR,      /* [x, y, z] */
    FIELD_RANGE,       /* [lo, hi] */
    FIELD_FRAME,       /* {"origin", "x", "z"} */
    FIELD_NUMBERS,     /* list; count: its length */
    FIELD_POINTS,      /* list of [x, y, z]; count: its length */
    FIELD_WEIGHTS,     /* list as long as the points */
    FIELD_POINT_ROWS,  /* list of rows of [x, y, z]; count, count_inner: rows, length of each */
    FIELD_WEIGHT_ROWS, /* rows as those of the points */
    FIELD_PARAMETER,   /* "u" or "v" */
    FIELD_CURVE,       /* name of a curve, or an object that defines one */
    FIELD_SURFACE      /* name of a surface */
} field_type;

/* Kinds are bits: 1 << kind. */
typedef struct model_field {
    const char* key;
    field_type type;
    unsigned required, optional; /* kinds that must, and that may, have it */
    size_t offset;               /* in the def */
    size_t count, count_inner;   /* offsets of the ints that hold the lengths */
} model_field;

/* The table of curves, or of surfaces. */
const model_field* model_fields(bool surface, int* count);
const char* model_kind_name(bool surface, int kind);
int model_kind_count(bool surface);

enum { REF_CURVE, REF_SURFACE, REF_COUNT };

typedef struct model_ref {
    int item;       /* -1: none */
    bool inside;    /* defined in place, not by name */
    uint32_t token; /* while reading: the value, 0 if none */
} model_ref;

typedef struct model_item {
    bool is_surface;
    const char* name; /* null: none */
    const char* note;
    union {
        wit_curve_def curve;
        wit_surface_def surface;
    } def;
    model_ref ref[REF_COUNT];
    wit_curve* curve; /* one of the two, once built */
    wit_surface* surface;
    uint32_t token; /* while reading: the object */
    int weights[2]; /* while reading: shape of the weights */
    int state;      /* while building */
    int nesting;    /* 1 + that of what it refers to */
} model_item;

typedef struct model_name {
    const char* name;
    int item;
} model_name;

struct wit_model {
    memory_pool pool; /* strings and numbers */
    const char* name;
    const char* note;
    wit_unit unit;
    int curves, surfaces; /* items: the curves, the surfaces, then shapes defined in place */
    int count;
    int room;
    model_item* items;
    model_name* by_name; /* items with a name, sorted by it */
    int names;
};

/* The item's def as bytes, for the offsets of the table; and its kind. */
static inline char* item_def(model_item* item)
{
    return item->is_surface ? (char*)&item->def.surface : (char*)&item->def.curve;
}

static inline int item_kind(const model_item* item)
{
    return item->is_surface ? (int)item->def.surface.kind : (int)item->def.curve.kind;
}

/* Item index of a name, -1 if there is none. */
int model_find(const wit_model* model, const char* name);
/* Resolves names, finds cycles, creates the shapes in the order that references ask for. */
wit_status model_build(wit_model* model, const json_doc* doc, wit_error* error);

#endif
