/* SPDX-License-Identifier: MIT */
/*
 * The record behind wit_model, and the tables of keys that reader, writer and schema test share.
 *
 * The keys of a record are the field names of its def in C. So the item that a create function names in its
 * refusal ("knots_u[3]", "faces[2].loops[0].uses[3].edge") is a path in the JSON object, and one mechanism gives
 * every refusal of the core its line and column.
 */
#ifndef IO_MODEL_H
#define IO_MODEL_H

#include "../include/witness/body.h"
#include "../include/witness/io.h"
#include "json.h"
#include "memory.h"

#define MODEL_MAX_NAME 255                   /* bytes of a name */
#define MODEL_MAX_LENGTH 1e12                /* of a position; geom has the same limit */
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
    FIELD_PAIRS,       /* list of [x, y]; count: its length */
    FIELD_POINTS,      /* list of [x, y, z]; count: its length */
    FIELD_WEIGHTS,     /* list as long as the points */
    FIELD_POINT_ROWS,  /* list of rows of [x, y, z]; count, count_inner: rows, length of each */
    FIELD_WEIGHT_ROWS, /* rows as those of the points */
    FIELD_PARAMETER,   /* "u" or "v" */
    FIELD_CURVE,       /* name of a curve, or an object that defines one */
    FIELD_SURFACE,     /* name of a surface */
    FIELD_PATCH,       /* name of a surface, or an object that defines one */
    FIELD_NAME,
    FIELD_NOTE,
    FIELD_POSE,      /* {"position", "rotation"} */
    FIELD_COLOR,     /* [r, g, b] of 0 .. 1, kept beside the def */
    FIELD_BODY_KIND, /* "solid", "sheet", "sheet2" */
    FIELD_LINK,      /* index or name of another feature; count: which link */
    FIELD_LIST       /* list of records; count: which link */
} field_type;

/* What has a table of keys. */
typedef enum model_sort {
    SORT_CURVE,
    SORT_SURFACE,
    SORT_SOLID,
    SORT_BODY, /* kind 0: by its features; kind 1: a ready-made solid */
    SORT_VERTEX,
    SORT_EDGE,
    SORT_FACE,
    SORT_USE,
    SORT_COUNT
} model_sort;

/* Kinds are bits: 1 << kind. */
typedef struct model_field {
    const char* key;
    field_type type;
    unsigned required, optional; /* kinds that must, and that may, have it */
    size_t offset;               /* in the def */
    size_t count, count_inner;   /* offsets of the ints that hold the lengths */
} model_field;

const model_field* wi_model_fields(model_sort sort, int* count);
/* Of SORT_CURVE, SORT_SURFACE, SORT_SOLID; of the others what they are called. */
const char* wi_model_kind_name(model_sort sort, int kind);
int wi_model_kind_count(model_sort sort);

enum { REF_CURVE, REF_SURFACE, REF_COUNT };
enum { LINK_START = 0, LINK_END = 1, LINK_EDGE = 0, LINK_VERTICES = 0, LINK_EDGES, LINK_FACES, LINK_SOLID, LINKS };
enum { LINK_LOOPS = 0 };

typedef struct model_ref {
    int item;       /* -1: none */
    bool inside;    /* defined in place, not by name */
    uint32_t token; /* while reading: the value, 0 if none */
} model_ref;

/* A curve, a surface or a ready-made solid. */
typedef struct model_item {
    model_sort sort;
    const char* name; /* null: none */
    const char* note;
    union {
        wit_curve_def curve;
        wit_surface_def surface;
        wit_solid_def solid;
    } def;
    model_ref ref[REF_COUNT];
    wit_curve* curve; /* one of the three, once built */
    wit_surface* surface;
    wit_body* solid;
    uint32_t token; /* while reading: the object */
    int weights[2]; /* while reading: shape of the weights */
    int state;      /* while building */
    int nesting;    /* 1 + that of what it refers to */
} model_item;

typedef struct model_name {
    const char* name;
    int item;
} model_name;

/* Names and what they stand for, sorted. */
typedef struct model_names {
    model_name* list;
    int count;
} model_names;

/* Red, green, blue. */
typedef struct model_color {
    bool given;
    wit_vec3 value;
} model_color;

/* A body. One that is made of its features has the arrays of its def here, in the pool, with what they refer to. */
typedef struct model_body {
    const char* name;
    const char* note;
    int solid;    /* item of a ready-made solid, or -1 */
    bool implied; /* not in the file: all surfaces as one sheet */
    wit_pose pose;
    model_color color;
    wit_body_def def;
    wit_vertex_def* vertices;
    wit_edge_def* edges;
    wit_face_def* faces;
    model_color* face_colors; /* null: none has one */
    wit_loop_def* loops;
    wit_use_def* uses;
    int loop_count, use_count;
    model_ref* edge_curves;
    model_ref* face_surfaces;
    model_ref* use_curves;
    uint32_t (*edge_ends)[2]; /* while reading: the tokens of start and end, 0 if none */
    uint32_t* use_edges;      /* while reading: the token of the edge */
    uint32_t token;           /* while reading: the object */
    wit_body* body;
} model_body;

struct wit_model {
    memory_pool pool; /* strings and numbers */
    const char* name;
    const char* note;
    wit_unit unit;
    int curves, surfaces; /* items: the curves, the surfaces, then shapes defined in place */
    int count;
    int room;
    model_item* items;
    model_names names; /* of the items */
    int body_count;
    model_body* bodies; /* in the pool */
    model_names body_names;
};

/* The item's def as bytes, for the offsets of the table; and its kind. */
static inline char* item_def(model_item* item)
{
    return (char*)&item->def;
}

static inline int item_kind(const model_item* item)
{
    switch (item->sort) {
    case SORT_CURVE:
        return (int)item->def.curve.kind;
    case SORT_SURFACE:
        return (int)item->def.surface.kind;
    default:
        return (int)item->def.solid.kind;
    }
}

/* Item of a name, -1 if there is none. */
int wi_model_find(const model_names* names, const char* name);
/* Room for `count` names; sorts them. Returns k where names k - 1 and k are the same, 0 if none are. */
bool wi_model_names_room(model_names* names, memory_pool* pool, int count);
int wi_model_names_sort(model_names* names);

/* Resolves names, finds cycles, creates the shapes in the order that references ask for, then the bodies. */
wit_status wi_model_build(wit_model* model, const json_doc* doc, wit_error* error);
wit_status wi_model_build_bodies(wit_model* model, const json_doc* doc, uint64_t* total, wit_error* error);
/* The item that a name in the text means. */
wit_status wi_model_resolve(const wit_model* model, const json_doc* doc, model_ref* ref, bool surface,
                            wit_error* error);
/* Adds the body made of all surfaces to a model that has surfaces and no bodies. False: no memory. */
bool wi_model_imply_body(wit_model* model);
/* The path in the file of a path in a def: ".uses" falls away, counts become the lists they count. */
void wi_model_json_path(const char* item, char* to, size_t room);
size_t wi_model_item_bytes(const model_item* item);

#endif
