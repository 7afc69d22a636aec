/* SPDX-License-Identifier: MIT */
/*
 * A body while it is being built: growing lists of features that point to geometry owned by others. The steps of
 * wit_body_create work on it one after the other; at the end it is packed into one block.
 *
 *   wi_draft_read      the def, checked
 *   wi_draft_natural   borders of faces that were given without loops; creases cut them into several faces
 *   wi_draft_sew       coinciding edges and vertices become one
 *   wi_draft_complete  missing parameter curves are made, loops closed, distances measured
 *   wi_draft_pack      the block
 */
#ifndef BODY_DRAFT_H
#define BODY_DRAFT_H

#include "../../../include/witness/body.h"
#include "../../base/allocator.h"
#include "../../geom/shape.h"
#include "../list.h"
#include "../tree/trim_tree.h"

typedef struct draft_vertex {
    const char* name;
    wit_vec3 point;
    double tolerance;
} draft_vertex;

typedef struct draft_edge {
    const char* name;
    const wit_curve* curve; /* or null: lifted from its home use */
    wit_interval range;
    int start, end; /* -1, -1: ring */
    int home;       /* first use: carries a lifted edge */
    int given;      /* index in the def, for error messages; -1: a natural border */
    double tolerance;
    bool straight; /* lifted, along u or v = constant of the home face */
    wit_direction fixed;
    double value;
} draft_edge;

typedef struct draft_use {
    int edge, face; /* edge -1: along a pole */
    bool reversed;
    const wit_curve* curve; /* or null until wi_draft_complete */
    double scale, shift;    /* s = shift + scale t */
    wit_interval range;     /* edge -1 only: of t */
} draft_use;

/* Uses of a loop are numbers first .. first + count - 1; loops of a face likewise. */
typedef struct draft_loop {
    int face, first, count;
} draft_loop;

typedef struct draft_face {
    const char* name;
    const wit_surface* surface;
    bool reversed, unbounded;
    bool whole; /* all of its surface: no trims needed */
    wit_interval u, v;
    int first, count; /* loops */
    int given;        /* index in the def, for error messages */
    trim_region trim;
    void* trim_block; /* of trim_bytes, or null for a whole surface */
    size_t trim_bytes;
} draft_face;

typedef struct draft_apex {
    int face, vertex;
    wit_direction fixed;
    double value;
} draft_apex;

typedef struct draft {
    wit_allocator memory;
    const wit_body_def* def;
    list vertices, edges, uses, loops, faces, apexes;
    list curves;             /* wit_curve*: made here, released with the draft */
    double size;             /* diagonal of the box of all bounded faces and vertices */
    double close;            /* length within which things must meet */
    double gape, hidden_gap; /* see body_record.h */
    wit_error* error;
} draft;

void wi_draft_begin(draft* d, const wit_body_def* def, const wit_allocator* allocator, wit_error* error);
void wi_draft_end(draft* d);

wit_status wi_draft_read(draft* d);
wit_status wi_draft_natural(draft* d);
wit_status wi_draft_sew(draft* d);
wit_status wi_draft_complete(draft* d);
wit_body* wi_draft_pack(draft* d);

/* Appends one zeroed item and gives its place; null without memory, which is then reported. The index is to->count - 1. */
void* wi_draft_add(draft* d, list* to, size_t item_size);
/* Keeps a curve that was made for the draft. Releases it at once and refuses when there is no memory. */
wit_status wi_draft_keep(draft* d, wit_curve* curve);

LIST_OF(draft_vertex, draft, vertices)
LIST_OF(draft_edge, draft, edges)
LIST_OF(draft_use, draft, uses)
LIST_OF(draft_loop, draft, loops)
LIST_OF(draft_face, draft, faces)
LIST_OF(draft_apex, draft, apexes)

/* Point of the edge at t, and of a use's lifted parameter curve at the edge's parameter t. */
wit_vec3 wi_draft_edge_point(const draft* d, int edge, double t);
wit_vec3 wi_draft_use_point(const draft* d, int use, double t);
/* (u, v) of a use at the edge's parameter t. */
void wi_draft_use_uv(const draft* d, int use, double t, double uv[2]);

/* The range of t of a use: its edge's, or its own along a pole. */
static inline wit_interval draft_use_range(const draft* d, int use)
{
    const draft_use* u = draft_use_at(d, use);
    return u->edge < 0 ? u->range : draft_edge_at(d, u->edge)->range;
}

/* "faces[2].loops[0].uses[3]" for messages, written into `out`. Falls back to the face for loops made here. */
void wi_draft_use_item(const draft* d, int use, char* out, size_t room);
/* "edges[2]"; of a natural border its face. */
void wi_draft_edge_item(const draft* d, int edge, char* out, size_t room);
wit_status wi_draft_refuse_memory(draft* d);

#endif
