/* SPDX-License-Identifier: MIT */
/*
 * The record behind wit_body: one block. Arrays, embedded curves and surfaces are found by byte offsets
 * from the record itself, so the block may be copied with memcpy.
 */
#ifndef BODY_BODY_RECORD_H
#define BODY_BODY_RECORD_H

#include "../../include/witness/body.h"
#include "../geom/shape.h"
#include "tree/node_cone.h"
#include "tree/step_bounds.h"
#include "tree/tree.h"
#include "tree/trim_tree.h"

typedef struct body_face {
    size_t surface; /* offset of the wit_surface */
    size_t name;    /* offset of a string */
    bool reversed, unbounded;
    int32_t first_loop, loops;
    wit_interval u, v;
    wit_box box;
    bool trimmed; /* false: all of its surface (or of an unbounded one) */
    trim_region trim;
    size_t trim_block; /* offset of the block that trim refers to */
    double third;      /* see step_bounds.h */
    unsigned poles;    /* set of POLE_... */
} body_face;

typedef struct body_loop {
    int32_t face, first_use, uses;
} body_loop;

/* One passage along an edge: s = shift + scale * t is the parameter of the parameter curve. */
typedef struct body_use {
    int32_t edge, face, loop;
    bool reversed;
    size_t curve; /* offset of the parameter curve */
    double scale, shift;
} body_use;

typedef struct body_edge {
    size_t curve; /* offset of a wit_curve in space: given, or lifted and sharing the surface of its face */
    size_t name;
    bool lifted;
    wit_interval range;
    int32_t start, end; /* vertices; -1, -1 for a ring */
    double tolerance;
    int32_t first_use, uses; /* in the list of uses by edge */
    double third;            /* see step_bounds.h */
} body_edge;

typedef struct body_vertex {
    wit_vec3 point;
    size_t name;
    double tolerance;
    int32_t first_edge, edges; /* in the list of edges by vertex */
    int32_t first_face, faces; /* in the list of faces by vertex */
} body_vertex;

/* A sharp pole of a face: its whole border line (u or v = value) is the vertex. */
typedef struct body_apex {
    int32_t face, vertex;
    wit_direction fixed;
    double value;
} body_apex;

/* Features that hang together, face to edge to vertex, and one point of theirs. The region of a planar body joins
 * nothing: each of its loops is a part. */
typedef struct body_part {
    uint8_t kind; /* wit_feature_kind of the feature that the point is on */
    int32_t feature;
    double u, v;
    wit_vec3 point;
} body_part;

/* Found when the body is built (convexity.c), never in a query. */
typedef struct body_facts {
    /*
     * A length: for every place p inside a face, with the outward normal n, all points x of the body satisfy n.(x - p) <=
     * convex_within (regions in the plane: p on an edge, n in the plane). Proved along whole edges and over whole faces; 0 for
     * exact shapes, infinite where nothing is proved. How: convex/convex.h.
     */
    double convex_within;
    /* What separates the body from another separates their hulls after this much more; infinite: not proved. */
    double hull_within;
    bool looks_convex; /* all that was sampled says so. It certifies nothing */
    /* The shell of a solid is known not to cross itself: convex ones, a ring, half-spaces. (Of regions in the plane it is
     * supposed.) Else a sign needs more than normals: query/sign/ray_count.h. */
    bool embedded;
    bool quadrics; /* no planar body, all faces planes or quadrics, paraboloids too, whether it is convex or not */
} body_facts;

/* Convex pieces of a solid that is not convex: cover/cover.h. */
typedef struct body_cover {
    int32_t pieces, outers; /* 0: none is stored */
    size_t piece_at;        /* offset of size_t[pieces]: the offsets of their blocks, each a wit_body */
    size_t outer_at;        /* offset of int32_t[outers + 1]: where the points of each begin */
    size_t point_at;        /* offset of wit_vec3[] */
    double error;           /* what is stored is no farther from the solid */
} body_cover;

struct wit_body {
    wit_allocator allocator;
    size_t bytes;
    size_t name;
    wit_body_kind kind;
    bool planar, unbounded;
    bool
        closed; /* faces bound something: loops pass every edge as often one way, seen from outside, as the other (planar:
                    once at least) */
    bool bounded; /* a closed solid, and far away is outside of it: proved (parts.c). False: not known */
    bool outward; /* that, in one part: its normals point out of it */
    wit_box box;
    double size;
    double tolerance;       /* largest of the edges */
    double shape_tolerance; /* how far the surfaces may be off those that they stand for */
    double looseness; /* so far off what stands for it may a border be at most: edges for faces, vertices for edges */
    /* The points of vertices are rounded: the ends of edges, and poles, are no farther from them than the tolerance of the vertex
     * and this. */
    double vertex_error;
    /* Two lengths that no tolerance tells, charged to every bracket where they matter (query/closest.c): seams of closed
     * splines gape by so much at most, and poles are as wide; and so much more than their tolerance, no more than the
     * rounding of evaluating them, edges may be off their faces (build/lift_gap.h). */
    double gape, hidden_gap;
    body_facts facts;
    body_cover cover;
    int32_t face_count, loop_count, use_count, edge_count, vertex_count, apex_count;
    int32_t node_count, part_count;
    /* offsets of arrays */
    size_t faces, loops, uses, edges, vertices, apexes;
    size_t edge_uses;    /* int32_t[use_count]: uses, grouped by edge */
    size_t vertex_edges; /* int32_t[]: edges, grouped by vertex */
    size_t vertex_faces; /* int32_t[]: faces, grouped by vertex */
    size_t nodes;        /* tree_node[node_count]: the bounding tree, root first */
    size_t bounds;       /* leaf_bounds[(node_count + 1) / 2] */
    size_t cones;        /* node_cone[node_count] */
    size_t parts;        /* body_part[part_count] */
    size_t shapes;       /* shape_entry[shape_count]: tree/shape_tree.h */
    size_t shape_forms;  /* shape_form[] */
    size_t shape_roots;  /* int32_t[(node_count + 1) / 2]: of each leaf, by its bounds */
    int32_t shape_count;
};

static inline const void* body_at(const wit_body* b, size_t offset)
{
    return (const char*)b + offset;
}

static inline const body_face* body_faces(const wit_body* b)
{
    return (const body_face*)body_at(b, b->faces);
}

static inline const body_loop* body_loops(const wit_body* b)
{
    return (const body_loop*)body_at(b, b->loops);
}

static inline const body_use* body_uses(const wit_body* b)
{
    return (const body_use*)body_at(b, b->uses);
}

static inline const body_edge* body_edges(const wit_body* b)
{
    return (const body_edge*)body_at(b, b->edges);
}

static inline const body_vertex* body_vertices(const wit_body* b)
{
    return (const body_vertex*)body_at(b, b->vertices);
}

static inline const body_apex* body_apexes(const wit_body* b)
{
    return (const body_apex*)body_at(b, b->apexes);
}

static inline const tree_node* body_nodes(const wit_body* b)
{
    return (const tree_node*)body_at(b, b->nodes);
}

static inline const leaf_bounds* body_leaf_bounds(const wit_body* b)
{
    return (const leaf_bounds*)body_at(b, b->bounds);
}

static inline const node_cone* body_node_cones(const wit_body* b)
{
    return (const node_cone*)body_at(b, b->cones);
}

static inline const body_part* body_parts(const wit_body* b)
{
    return (const body_part*)body_at(b, b->parts);
}

static inline const wit_body* body_piece(const wit_body* b, int32_t i)
{
    return (const wit_body*)body_at(b, ((const size_t*)body_at(b, b->cover.piece_at))[i]);
}

/* The corners of an outer set of the cover. */
static inline const wit_vec3* body_outer(const wit_body* b, int32_t i, int32_t* count)
{
    const int32_t* first = (const int32_t*)body_at(b, b->cover.outer_at);
    *count = first[i + 1] - first[i];
    return (const wit_vec3*)body_at(b, b->cover.point_at) + first[i];
}

/* The parameter curves that a face's trim tree asks for: those of its uses, in order; not counted as
 * long as their account is null. */
static inline trim_curves body_trim_curves(const wit_body* b, const body_face* f)
{
    trim_curves c = {(const char*)b, NULL, sizeof(body_use), NULL, 0};
    if (f->loops) c.first = (const char*)&body_uses(b)[body_loops(b)[f->first_loop].first_use].curve;
    return c;
}

static inline const wit_surface* body_surface(const wit_body* b, int32_t face)
{
    return (const wit_surface*)body_at(b, body_faces(b)[face].surface);
}

static inline const wit_curve* body_curve(const wit_body* b, int32_t edge)
{
    return (const wit_curve*)body_at(b, body_edges(b)[edge].curve);
}

static inline const wit_curve* body_parameter_curve(const wit_body* b, int32_t use)
{
    return (const wit_curve*)body_at(b, body_uses(b)[use].curve);
}

/* wit_body_face_contains; evaluations within it are counted in `work`, unless that is null, up to
 * `units` (0: no limit; there it is false). */
bool wi_body_face_contains(const wit_body* body, int face, double u, double v, wit_work* work, int64_t units);

#endif
