/* SPDX-License-Identifier: MIT */
/*
 * Splitting a body in steps: for every face the cuts it needs (split_cuts.c); where cuts and borders meet, which edges
 * are divided by that, and the pieces of each face (split.c); the new body from them (split_write.c).
 */
#ifndef BODY_SPLIT_H
#define BODY_SPLIT_H

#include "arrangement.h"
#include "../body_record.h"

/* Tags of curves: the number of an edge (split_edge), or these. */
enum { SPLIT_CUT = -1, SPLIT_POLE = -2 };

/* Meeting points nearer than this, relative to the window, are one. Curves of K = 0 are good to def->accuracy of a cell. */
#define SPLIT_NEAR 2e-9

typedef struct split_cut {
    const wit_curve* curve;
    double shift[2];
} split_cut;

typedef struct split_face {
    int face;
    const wit_surface* surface;
    wit_interval window[2]; /* a plane piece of (u, v) that holds the face once */
    double period[2];       /* 0: not closed */
    bool wrap[2];           /* closed and used all round: cut at the ends of the window */
    list cuts;              /* split_cut */
    arrangement a;          /* only where there are cuts */
} split_face;

/* An edge of the body, or the line at which a closed face is opened. */
typedef struct split_edge {
    int original; /* -1: opened here */
    wit_interval range;
    bool ring;
    bool divided;     /* something ends on it, be it at its own ends: a ring then needs a vertex */
    int first, count; /* in `knots`: where it is divided, both ends among them */
    int piece;        /* number of its first piece among the new edges */
} split_edge;

typedef struct split_knot {
    int edge;
    double t;
    int vertex;
} split_knot;

typedef struct splitter {
    const wit_body* body;
    const wit_split_def* def;
    bool creases; /* of knot lines only those across which the tangent plane breaks */
    wit_allocator memory;
    wit_error* error;
    wit_split_report report;
    list curves; /* wit_curve*: made here */
    list faces;  /* split_face */
    list edges;  /* split_edge */
    list knots;  /* split_knot, sorted by edge and t once merged */
    list points; /* wit_vec3 by vertex */
    list same;   /* int by vertex: union-find */
} splitter;

LIST_OF(split_face, splitter, faces)
LIST_OF(split_edge, splitter, edges)
LIST_OF(split_knot, splitter, knots)

wit_status wi_split_no_memory(splitter* s);
/* A straight curve u = value or v = value over [lo, hi], kept until the end. */
wit_status wi_split_line(splitter* s, wit_direction fixed, double value, double lo, double hi, const wit_curve** out);
wit_status wi_split_keep(splitter* s, wit_curve* curve);

/* The body with its faces cut along creases alone: the last step of building one whose trimmed faces have some inside. */
wit_body* wi_split_creases(const wit_body* body, const wit_allocator* allocator, wit_error* error);

/* Fills f->cuts; f has its window. */
wit_status wi_split_find_cuts(splitter* s, split_face* f);

int wi_split_vertex_add(splitter* s, wit_vec3 point); /* -1 without memory */
int wi_split_vertex_find(const splitter* s, int vertex);
void wi_split_vertex_join(splitter* s, int a, int b);

/* The finished pieces as a body. */
wit_body* wi_split_write(splitter* s, const wit_allocator* allocator);

#endif
