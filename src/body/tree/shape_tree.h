/* SPDX-License-Identifier: MIT */
/*
 * Shapes (shape_node.h) of the leaves of a body's bounding tree, of their halves, and so on, made when the body is built: largest
 * first, down to a hundredth of its size, or until they are next to flat. They are SHAPE_MOST less the leaves of the body at
 * most, SHAPE_PLAIN less them where no face is a spline (which needs fewer), SHAPE_LEAST at least, some
 * 290 bytes each; and for the largest that have one a box with one foot, some 150 bytes. Whoever needs smaller pieces halves
 * them by himself. A body of many small faces has none of some leaves.
 */
#ifndef BODY_SHAPE_TREE_H
#define BODY_SHAPE_TREE_H

#include "../body_record.h"
#include "graph_form.h"
#include "leaves.h"
#include "shape_node.h"

enum { SHAPE_MOST = 4096, SHAPE_PLAIN = 512, SHAPE_LEAST = 256 };
enum { SHAPE_NONE = -1 /* not stored */, SHAPE_GONE = -2 /* outside the trims */ };

typedef struct shape_entry {
    shape_node shape;
    wit_interval box[2]; /* parameters */
    int32_t child[2];    /* both halves are stored or gone, or none is */
    int32_t form;        /* its shape_form, or SHAPE_NONE */
    uint8_t tag;         /* as of a leaf: trim_tag */
} shape_entry;

/* Of a face: a box with one foot at most (graph_form.h), three times as wide as a piece that lies in its middle, but for the borders of
 * its face; over the seam of a closed parameter. */
typedef struct shape_form {
    graph_form form;
    wit_interval box[2];
} shape_form;

/* What is being made, from the leaves of a body that has all but its tree. `gape` is that of the body. */
typedef struct shape_list {
    shape_entry* entries;
    shape_form* forms;
    int32_t* roots; /* of each leaf, or SHAPE_NONE */
    int count, form_count, leaves;
    wit_allocator allocator;
} shape_list;

wit_status wi_shape_list_make(const wit_body* body, const leaf_list* leaves, double gape, shape_list* out);
void wi_shape_list_release(shape_list* list);

/* Of the piece of a face or an edge: its shape, seams that gape counted. */
void wi_shape_of_piece(const wit_body* body, double gape, wit_feature_kind kind, int32_t id, const wit_interval box[2],
                       shape_node* out);

static inline const shape_entry* body_shapes(const wit_body* b)
{
    return (const shape_entry*)body_at(b, b->shapes);
}

static inline const shape_form* body_shape_forms(const wit_body* b)
{
    return (const shape_form*)body_at(b, b->shape_forms);
}

/* Of a leaf of the bounding tree; SHAPE_NONE. */
static inline int32_t body_leaf_shape(const wit_body* b, const tree_node* leaf)
{
    return ((const int32_t*)body_at(b, b->shape_roots))[leaf->bounds];
}

#endif
