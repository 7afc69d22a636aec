/* SPDX-License-Identifier: MIT */
/*
 * The curves where the Gaussian curvature vanishes, inside one smooth cell of a surface.
 *
 * The cell is divided into boxes until in each either g has one sign, or one of g_u, g_v has: there the zero set is a graph
 * over the other parameter, its ends lie on the sides of the box, and sorted along that parameter they belong together two
 * by two. Nothing is marched, so no component is missed and nothing runs for ever. Boxes that
 * stay in doubt are singular points (two branches cross), places where K touches zero, or noise: joined into clusters.
 */
#ifndef BODY_LEVEL_CURVE_H
#define BODY_LEVEL_CURVE_H

#include "level_field.h"
#include "../list.h"

typedef struct level_curves {
    wit_allocator memory;
    list curves; /* wit_curve*: degree 3, x is u, y is v, C1; ends on the border of the cell or at a singular point */
    bool flat;   /* K = 0 everywhere in the cell: no curves */
    unsigned zero_borders;   /* as in level_cell: K = 0 along that border */
    int singular;            /* points where branches cross */
    int touching;            /* clusters where K reaches zero and no branch ends */
    int unresolved;          /* places where a branch ends and could not be followed; */
    double doubt_u, doubt_v; /* the first of them */
    int boxes;               /* work done */
    double error;            /* largest distance found between curve and zero set, relative to the cell */
} level_curves;

/* accuracy: of the curves, relative to the width of the cell in each direction; not below 1e-12. */
wit_status wi_level_trace(const wit_surface* surface, wit_interval u, wit_interval v, double accuracy,
                          const wit_allocator* allocator, level_curves* out);
void wi_level_drop(level_curves* curves);

/* One stretch of the zero set inside a box, a graph over one parameter. */
typedef struct level_arc {
    wit_interval u, v;   /* the box */
    wit_direction along; /* the parameter it is a graph over */
    double p[2][2];      /* ends; p[0] has the smaller parameter `along` */
    bool terminal[2];    /* the end lies on the border of the cell */
    bool clustered[2];   /* the end touches boxes that stayed in doubt */
    int next[2];         /* what the end meets: 2 * arc + end, or -1 */
    bool taken;
} level_arc;

/* The other coordinate of an arc at a value of its own parameter. */
double wi_level_solve(const level_cell* cell, const level_arc* arc, double along);

/* How a chain continues beyond an end. */
typedef enum level_end_kind {
    LEVEL_ENDS,   /* not at all */
    LEVEL_CENTRE, /* straight to the singular point p */
    LEVEL_BORDER, /* to the border across = p[0] along which g vanishes too */
    LEVEL_LOST    /* set by wi_level_fit: the border was not reached; p is the last point */
} level_end_kind;

typedef struct level_end {
    level_end_kind kind;
    double p[2];
    wit_direction across;
} level_end;

/* Arcs one after the other: `order` lists 2 * arc + end, the end being where the chain enters the arc. */
typedef struct level_chain {
    const level_arc* arcs;
    const int* order;
    int count;
} level_chain;

/* A chain of arcs, fitted. *error gets the largest distance at samples. Null without memory. */
wit_curve* wi_level_fit(const level_cell* cell, const level_chain* chain, level_end ends[2], double accuracy,
                        const wit_allocator* memory, double* error);

#endif
