/* SPDX-License-Identifier: MIT */
/*
 * Pieces of a side, for searches that cut it ever finer. A cell is an inner node of the bounding tree (a box only), or a
 * parameter box of one feature with what bounds need: the jet at its middle and how far the feature can be from it.
 * Faces, edges and vertices are alike: a parameter that a feature lacks has width 0, so one code serves all pairs.
 *
 * Cells stand in a pool and are split when first asked, once for all pairs that meet them. All is in the frame of the
 * search.
 */
#ifndef QUERY_CELL_H
#define QUERY_CELL_H

#include "../../pair/side.h"

enum { CELL_NONE = -1 };

/* Units that wi_cell_split and wi_cell_root take at most, beside what is evaluated to look at trims, which leaves room for two of them: a
 * look, a bound, and for each of two cells two jets at a kink, three jets and enclosures. */
enum { CELL_SPLIT_UNITS = 20 };

typedef struct cell {
    int32_t child[2];      /* in the pool; CELL_NONE: left out (masked, trimmed away) or not yet made */
    int32_t node;          /* of the body's tree */
    int32_t id;            /* of the feature; -1: inner node */
    uint8_t kind;          /* wit_feature_kind */
    uint8_t tag;           /* trim_tag: IN or MIXED; OUT: nothing of it counts */
    uint8_t side;          /* of which side of the pool */
    uint8_t count;         /* parameters with a width: they come first; 2, 1 or 0 (also: a kink of an edge) */
    uint8_t halvings;      /* since the derivatives were bounded */
    bool inner;            /* a box only: nothing below `own` is set but radius and reach */
    bool leaf;             /* a leaf of the tree, uncut */
    bool split;            /* child[] is set */
    int32_t stamp;         /* least belongs to the direction of this number; 0: to none */
    bool unsure;           /* MIXED is only what its parent was: see wi_cell_trim */
    bool whole;            /* cannot be cut further: a vertex, or widths of rounding */
    bool pieces;           /* of a feature that has creases, perhaps: see crease.h */
    wit_vec3 centre, half; /* box of all points */
    wit_vec3 own;          /* inner: half of the box along the body's own axes */
    double radius;         /* of a ball about jet.p (inner: about the centre) that holds all points */
    double size;           /* of its coordinates and radius: what roundings are measured by */
    double reach;          /* about the largest distance between two of its points: who is split first */
    /* x = (u, v) is any point of the parameter box, d = x - mid; |d[i]| <= h[i] */
    double mid[2], h[2];
    wit_surface_jet jet;
    double form[3]; /* S_u.S_u, S_u.S_v, S_v.S_v at the middle */
    double len[2];  /* |S_u|, |S_v| at the middle */
    /* Upper bounds over the box, rounding of the jet counted */
    double d1[2], d2[3], d3[4]; /* of derivatives: see leaf_bounds */
    double lin;                 /* |J d| */
    double e2;                  /* |S(x) - p - J d| */
    double e3;                  /* |S(x) - p - J d - S''(d, d) / 2| */
    double t[2];                /* |S_i(x) - S_i| */
    double t2[2];               /* |S_i(x) - S_i - sum S_ij d_j| */
    double s[3];                /* |S_ij(x) - S_ij| */
    double error;               /* of the computed point p */
    double tolerance; /* an edge stands for borders of faces up to this, a vertex for ends of edges and all that
                                   these stand for; a face: 0; an inner node: for all below */
    node_cone cone;   /* only with cell_pool.facing: of every way out to what is closest */
    double sine;      /* of its half angle */
    double least;     /* along the direction of `stamp` */
} cell;

typedef struct cell_pool {
    const side* side[2];
    cell* cells;
    int count, capacity;
    bool facing[2]; /* the side is a closed solid that holds nothing of the other: set after the start */
    bool rigorous;  /* errors of the jets by enclosures; else from the usual size of roundings */
    wit_hint hint[2];
} cell_pool;

/* An empty pool. `cells` has room for capacity cells. */
void wi_cell_pool_start(cell_pool* pool, const side* a, const side* b, bool rigorous, cell* cells, int capacity);

/* The root of a side (0: a, 1: b; bare points too). CELL_NONE: no feature counts, or no room. */
int wi_cell_root(cell_pool* pool, int which);

/* Makes the children of a cell unless it has them. False: it is whole, or the pool is full. Both children may be
 * CELL_NONE: then nothing of the cell counts. */
bool wi_cell_split(cell_pool* pool, int index);

/* Does anything of the cell lie in its face? Looks at the trims if that is still to be done. Splitting does so too. */
bool wi_cell_trim(cell_pool* pool, int index);

/* Does the tangent of an edge break where this leaf of it begins, and is no vertex there? True where the work ends before. */
bool wi_cell_starts_at_kink(const side* s, const tree_node* n);

/* Bounds the derivatives over the cell itself, where those inherited from its leaf are wider. */
void wi_cell_bound_anew(const side* s, cell* c);

/* The middle of a cell as a place (not of an inner node). */
place wi_cell_place(const cell* c);

#endif
