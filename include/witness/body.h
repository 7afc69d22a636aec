/* SPDX-License-Identifier: MIT */
/*
 * witness/body.h: bodies made of exact faces, edges and vertices.
 *
 *     wit_solid_def def = wit_solid_default_def(WIT_SOLID_CYLINDER);   // box, sphere, torus, prism, half-space, ...
 *     def.radius = 1;
 *     def.height = 3;
 *     wit_body* body = wit_solid_create(&def, NULL, &error);           // null: error.item and error.text say why
 *     wit_body_check_result check = wit_body_check(body);              // watertight, oriented, convex, volume, ...
 *     wit_body_destroy(body);
 *
 * Bodies of your own faces come from wit_body_create, those of files from io.h and cad.h. Most readers need
 * wit_solid_def or wit_body_def, and wit_body_describe for what was built. Lengths are in one unit of the caller's,
 * points in the axes of the body.
 *
 * A body is built once from a def (or by a builder of solids) and is constant afterwards: one block
 * of memory that any number of threads may use at the same time. All that the def points to is copied. Features are
 * named by kind and a number from 0; names are optional. Nothing here allocates but create and split.
 *
 * What is true. A face is the part of its surface inside its loops, and it ends at its parameter curves. An edge is its
 * 3-D curve, or, where it has none, its first parameter curve lifted onto its face. The tolerance of an edge bounds the
 * distance between that and the lifted parameter curves of all faces that meet there, over its whole length (gaps that
 * are surely within rounding, 3e-14 of coordinates and size, are stored as they were met; queries count the rest where
 * it matters). Seams of closed surfaces and smooth poles are not features: a border is one only if bounds, not samples,
 * say that its sides meet (to 1e-12 of the coordinates) or that it is one point (to 1e-9 of the size), and queries
 * count what is left. Creases (knot lines where the tangent plane breaks) become edges; the apex of a cone is a vertex.
 *
 * What is supposed. The faces of a solid meet each other in their edges and vertices only. A shell that crosses itself
 * is taken, as all points that it goes round; the side of a point is certified of it only where the shell goes round
 * the point once, or not at all, which is counted for every shell that is not known to be simple. Walls inside it are
 * not left out of distances between bodies and of minima. That no part is inside out, and that the loops of a region in
 * the plane do not cross, is not checked.
 */
#ifndef WITNESS_BODY_H
#define WITNESS_BODY_H

#include "base.h"
#include "geom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A body: features and how they adjoin. Const once it is made; threads may share it. */
typedef struct wit_body wit_body;

/* What a body bounds, which decides the sign of distances to it. */
typedef enum wit_body_kind {
    WIT_BODY_SOLID,  /* has an inside; face normals point out of it */
    WIT_BODY_SHEET,  /* one-sided: signed by its normals */
    WIT_BODY_SHEET2, /* two-sided: distances are unsigned */
    WIT_BODY_KIND_COUNT
} wit_body_kind;

/* What carries a witness. */
typedef enum wit_feature_kind {
    WIT_FACE,
    WIT_EDGE,
    WIT_VERTEX,
    WIT_FEATURE_KIND_COUNT,
    WIT_POINT = WIT_FEATURE_KIND_COUNT /* of no body: the point of a point query */
} wit_feature_kind;

/* "solid", "sheet", "sheet2"; "face", "edge", "vertex", "point"; "?" otherwise. Static storage. */
WIT_API const char* wit_body_kind_name(wit_body_kind kind);
WIT_API const char* wit_feature_kind_name(wit_feature_kind kind);

/* ---- definitions --------------------------------------------------------------------------- */

/* A vertex to be. */
typedef struct wit_vertex_def {
    const char* name; /* or null */
    wit_vec3 point;
} wit_vertex_def;

/* An edge to be. */
typedef struct wit_edge_def {
    const char* name;
    const wit_curve* curve; /* 3-D; null: lifted from the first use, which then must have a parameter curve */
    wit_interval range;     /* part of the curve; lo = hi = 0: all of it. Without a curve: ignored; the edge then has
                               the parameter of its first use's parameter curve */
    int start, end;         /* vertices at range.lo and range.hi; -1 and -1: a ring without a vertex */
} wit_edge_def;

/* One passage of a loop along an edge. */
typedef struct wit_use_def {
    int edge; /* -1: along a pole or an apex of the surface, where there is no edge but a parameter curve. Refused where
                      the surface is not one point along it, within close_tolerance */
    bool reversed;                    /* the loop runs along it from end to start */
    const wit_curve* parameter_curve; /* on the face's surface: x is u, y is v; runs from start to end of the edge.
                                         Null: made from the edge's curve */
    wit_interval range; /* part of the parameter curve that belongs to the edge, matched linearly to the edge's range;
                           lo = hi = 0: all of it */
} wit_use_def;

/* A closed chain of uses. Seen in the (u, v) plane the face lies to its left. */
typedef struct wit_loop_def {
    int use_count;
    const wit_use_def* uses;
} wit_loop_def;

/* A face to be. */
typedef struct wit_face_def {
    const char* name;
    const wit_surface* surface;
    bool reversed;  /* the face's normal is -(du x dv) */
    bool unbounded; /* without loops: the borders of the range are no edges (a half-space) */
    int loop_count; /* 0: the natural borders of the surface become edges and vertices */
    const wit_loop_def* loops;
} wit_face_def;

/*
 * Start from wit_body_default_def. Natural borders make edges and vertices of their own; with sew_tolerance > 0 edges
 * and vertices of different faces that coincide within it become one (both whole edges; kept per edge is the distance
 * that was found). Loops whose ends do not meet within close_tolerance, and given edges off their faces by more, are
 * refused.
 *
 * Planar bodies: `planar` true, one face on a PLANE whose loops bound the region. It is no feature: such a body
 * has only edges and vertices.
 */
typedef struct wit_body_def {
    size_t struct_size; /* set by wit_body_default_def */
    const char* name;   /* or null */
    wit_body_kind kind;
    bool planar;
    int vertex_count, edge_count, face_count;
    const wit_vertex_def* vertices;
    const wit_edge_def* edges;
    const wit_face_def* faces;
    double sew_tolerance;   /* length; 0: no sewing */
    double close_tolerance; /* length; 0: 1e-6 of the body's size */
    /* Length; how far its surfaces may be from those that they stand for, as where a CAD surface was approximated: an
     * estimate, which nothing here proves. wit_closest brackets are wider by it on both sides; minima, contacts and
     * tracked distances are of the surfaces as they are given. No answer about such a body is certified or complete.
     * Default 0. */
    double shape_tolerance;
} wit_body_def;

/* A definition with no features and the defaults told above. */
WIT_API wit_body_def wit_body_default_def(wit_body_kind kind);

/* Null on refusal; error->item is a path: "faces[2].loops[0].uses[3].parameter_curve". `allocator` may be null. */
WIT_API wit_body* wit_body_create(const wit_body_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API void wit_body_destroy(wit_body* body);

/*
 * Ready-made solids, in the frame (o, x, y, z):
 *   BOX         size_x by size_y by size_z, centred at o
 *   SPHERE      radius, centred at o
 *   ELLIPSOID   semi-axes size_x, size_y, size_z, centred at o
 *   CYLINDER    radius, from o to o + height z
 *   CONE        apex at o + height z, base of the radius at o
 *   FRUSTUM     radius at o, radius2 at o + height z
 *   CAPSULE     half spheres of the radius about o and o + height z, and the cylinder between
 *   TORUS       radius (to the middle of the tube) and radius2 (of the tube), centred at o, about z
 *   PRISM       polygon (polygon_count times x, y in the frame's plane, anticlockwise, simple) from o up by height
 *   REVOLUTION  `profile` (in the x, z plane of the frame, x >= 0, from bottom to top; both ends on the axis or closed
 *               by flat discs) turned a full round about z
 *   HALF_SPACE  all points below the plane through o with outward normal z
 */
typedef enum wit_solid_kind {
    WIT_SOLID_BOX,
    WIT_SOLID_SPHERE,
    WIT_SOLID_ELLIPSOID,
    WIT_SOLID_CYLINDER,
    WIT_SOLID_CONE,
    WIT_SOLID_FRUSTUM,
    WIT_SOLID_CAPSULE,
    WIT_SOLID_TORUS,
    WIT_SOLID_PRISM,
    WIT_SOLID_REVOLUTION,
    WIT_SOLID_HALF_SPACE,
    WIT_SOLID_KIND_COUNT
} wit_solid_kind;

/* A ready-made solid to be; which fields count is told above. */
typedef struct wit_solid_def {
    size_t struct_size; /* set by wit_solid_default_def */
    wit_solid_kind kind;
    const char* name;               /* or null */
    wit_frame frame;                /* body axes; the identity unless told */
    double size_x, size_y, size_z;  /* lengths */
    double radius, radius2, height; /* lengths */
    int polygon_count;              /* corners of a PRISM */
    const double* polygon;          /* twice as many numbers: lengths */
    const wit_curve* profile;       /* of a REVOLUTION */
} wit_solid_def;

/* A definition of unit sizes in the world's frame. wit_solid_create makes the body of a definition; null on refusal. */
WIT_API wit_solid_def wit_solid_default_def(wit_solid_kind kind);
WIT_API wit_body* wit_solid_create(const wit_solid_def* def, const wit_allocator* allocator, wit_error* error);
/* "box", "half-space", ... as in the JSON format. */
WIT_API const char* wit_solid_kind_name(wit_solid_kind kind);

/* ---- what was built ------------------------------------------------------------------------ */

/* What a body is. */
typedef struct wit_body_info {
    const char* name; /* "" where there is none */
    wit_body_kind kind;
    bool planar;
    bool unbounded; /* has an unbounded face */
    int face_count, loop_count, edge_count, vertex_count;
    int node_count;   /* of the bounding tree */
    wit_box box;      /* of all bounded features, body axes */
    double size;      /* diagonal of the box, a length */
    double tolerance; /* largest of its edges, a length */
    bool closed;      /* every edge is passed as often one way as the other (planar: at least once) */
    bool outward;     /* a closed solid, and far away is proved to be outside; false where no proof was found */
    size_t bytes;     /* of memory, all told */
} wit_body_info;

/* What a face is. */
typedef struct wit_face_info {
    const char* name;
    const wit_surface* surface;
    bool reversed, unbounded;
    int loop_count;
    wit_interval u, v; /* parameter box of the face; a closed parameter may run over its seam */
    wit_box box;       /* body axes */
} wit_face_info;

/* What an edge is. */
typedef struct wit_edge_info {
    const char* name;
    const wit_curve* curve; /* always there: the 3-D curve, or the lifted one (ISO or ON_SURFACE; do not copy it) */
    bool lifted;
    wit_interval range;
    bool ring;        /* closed, without a vertex */
    int start, end;   /* vertices, -1 for a ring */
    double tolerance; /* length */
    int use_count;    /* how many times loops pass along it: 2 in a closed shell, 1 at an open border */
} wit_edge_info;

/* What a vertex is. */
typedef struct wit_vertex_info {
    const char* name;
    wit_vec3 point;   /* body axes */
    double tolerance; /* length */
    int edge_count;   /* edges that begin or end here (a closed edge counts once) */
    int face_count;   /* faces around it, those that have it as apex among them */
} wit_vertex_info;

/* One use: where an edge runs on a face; edge -1: along a pole. Parameter s of the parameter curve = shift + scale * t
 * of the edge. */
typedef struct wit_use_info {
    int edge, face, loop;
    bool reversed;
    const wit_curve* parameter_curve;
    double scale, shift;
} wit_use_info;

/* Ids outside the body give zeroed structs with null pointers (names are "" then). */
WIT_API wit_body_info wit_body_describe(const wit_body* body);
WIT_API wit_face_info wit_body_face(const wit_body* body, int face);
WIT_API wit_edge_info wit_body_edge(const wit_body* body, int edge);
WIT_API wit_vertex_info wit_body_vertex(const wit_body* body, int vertex);
/* Use k of loop l of a face (k counts along the loop), and use k of an edge. Returns its id, -1 if there is none. */
WIT_API int wit_body_loop_use(const wit_body* body, int face, int loop, int k, wit_use_info* out);
WIT_API int wit_body_edge_use(const wit_body* body, int edge, int k, wit_use_info* out);
/* Number of uses in a loop; 0 for ids outside. */
WIT_API int wit_body_loop_size(const wit_body* body, int face, int loop);
/* Edge k, or face k, around a vertex; -1 past the last. */
WIT_API int wit_body_vertex_edge(const wit_body* body, int vertex, int k);
WIT_API int wit_body_vertex_face(const wit_body* body, int vertex, int k);
/* Id of the first feature of that kind and name, -1 if there is none. */
WIT_API int wit_body_find(const wit_body* body, wit_feature_kind kind, const char* name);

/* The unit normal of a face, pointing out of a solid (-(du x dv) for a reversed face). False where there is none. */
WIT_API bool wit_body_face_normal(const wit_body* body, int face, double u, double v, wit_vec3* out);

/* Is (u, v) inside the loops of the face? Closed parameters wrap. On the border either answer may come. */
WIT_API bool wit_body_face_contains(const wit_body* body, int face, double u, double v);

/* ---- check --------------------------------------------------------------------------------- */

/*
 * What a body is like, feature by feature. Nothing here allocates or refuses: ids outside the body give zeroed structs.
 * What is marked as proved follows from bounds over whole parameter boxes (or from a closed form); the rest is seen at
 * samples, many per cell, and says so. Angles are in radians. Zero stands for at most 1e-9 relative to the feature's
 * size unless another figure is given.
 */

/* How a face curves, seen along its outward normal; of planar bodies, how an edge curves seen from the region. */
typedef enum wit_bend {
    WIT_BEND_FLAT,
    WIT_BEND_STRICTLY_CONVEX,  /* as a ball: both principal curvatures away from the normal */
    WIT_BEND_CONVEX,           /* the same, but somewhere zero, as on a cylinder */
    WIT_BEND_STRICTLY_CONCAVE, /* as the inside of a bowl */
    WIT_BEND_CONCAVE,
    WIT_BEND_SADDLE, /* Gaussian curvature negative everywhere */
    WIT_BEND_MIXED,
    WIT_BEND_COUNT
} wit_bend;

/* "flat", "strictly convex", ...; "?" otherwise. Static storage. */
WIT_API const char* wit_bend_name(wit_bend bend);

/* What the check says of a face. */
typedef struct wit_face_check {
    /* How smoothly the cells inside the face meet: the lowest of all knot lines (and seams) that run through it, each
     * judged along its whole length. 2 where there are none. */
    int continuity;
    bool tangent; /* the tangent plane is continuous everywhere inside, whatever the parametrisation */
    wit_direction continuity_direction; /* where it is lowest: u or v = continuity_value */
    double continuity_value;

    wit_bend bend;
    bool bend_proved;
    /* Principal curvatures seen, 1 / length, positive where the face falls away from its outward normal. */
    double bend_min, bend_max;
    double negative_share; /* of the parameter region: where the Gaussian curvature is negative */

    bool nice;            /* all normals within an open hemisphere */
    bool nice_proved;     /* not nice: normals were found that no open hemisphere holds */
    wit_cone normals;     /* the smallest cone about the normals that were seen; pi/2 or more is given as pi */
    double normals_bound; /* every normal is within this angle of normals.axis; pi: not proved */

    int poles;    /* borders of the surface inside or around the face that are drawn together into a point */
    int apexes;   /* the same, without a normal there */
    int singular; /* other places seen where du and dv span no plane */
    bool regular; /* proved to have no degenerate place */
    double area;  /* length squared; to rounding, or to some 1e-8 of it where a trimmed face has many edges */
    double size;  /* diagonal of the box, a length */
} wit_face_check;

/* How the faces meet along an edge, seen from outside. */
typedef enum wit_edge_character {
    WIT_EDGE_OPEN,        /* fewer than two faces: a border */
    WIT_EDGE_CONVEX,      /* the body turns away: less than 180 degrees of material (somewhere perhaps smooth) */
    WIT_EDGE_REFLEX,      /* more than 180 degrees */
    WIT_EDGE_SMOOTH,      /* the normals of both faces agree within 1e-6 */
    WIT_EDGE_MIXED,       /* convex here, reflex there */
    WIT_EDGE_NONMANIFOLD, /* more than two uses */
    WIT_EDGE_CHARACTER_COUNT
} wit_edge_character;

/* "convex" and so on. Static storage. */
WIT_API const char* wit_edge_character_name(wit_edge_character character);

/* What the check says of an edge. */
typedef struct wit_edge_check {
    int use_count;
    wit_edge_character character;
    bool oriented;         /* two uses, in opposite directions as seen from outside */
    double gap;            /* a length: largest distance from a lifted parameter curve to the curve, seen */
    double gap_at;         /* t of the edge */
    bool within_tolerance; /* the gap is within the edge's stored tolerance */
    /* By how much the outward normal turns from face to face: positive convex, negative reflex; -pi to pi. Not
     * oriented: as if the second face were turned over. */
    double turn_min, turn_max;
    double turn_min_at, turn_max_at;
    bool turn_known;   /* there are two uses, and normals somewhere along */
    bool tangent_lost; /* the tangent vanishes at tangent_lost_at */
    double tangent_lost_at;
    double length;
    wit_bend bend; /* planar bodies only, else FLAT: strictly convex, convex, ... seen from the region */
} wit_edge_check;

/* What the check says of a vertex. */
typedef struct wit_vertex_check {
    int edge_count, face_count;
    int fans;      /* groups of faces that hang together across edges; an apex is one. 0: not counted (too many uses) */
    bool manifold; /* one fan, and no edge with more than two uses */
    bool open;     /* a border runs through it */
    double gap;    /* a length: largest distance from the end of an edge to the point */
    bool within_tolerance; /* the gap is within the tolerance of the vertex or the edge */
    bool turn_known;       /* planar bodies: the turn from edge to edge, positive at a convex corner */
    double turn;           /* radians */
} wit_vertex_check;

/*
 * All of it together. Ids of the first offender are -1 where there is none.
 *
 * euler counts what the features cover, each ring edge as a circle (0) and each face as a sphere with holes:
 *   V - (E - rings) + sum over faces of (2 - loops - apexes - 2 handles),
 * which is the usual V - E + F - (loops - faces) where every edge has vertices. A handle is a torus that no loop cuts
 * open. 2 for a solid without holes through it, 0 for a ring, 1 for a lone patch. Unbounded faces count as closed at
 * infinity.
 */
typedef struct wit_body_check_result {
    bool watertight; /* every edge used twice (planar: once), gaps within the tolerances, no vertex loose */
    bool manifold;   /* no edge used more than twice; around every vertex one fan */
    bool oriented;   /* across every edge with two uses */
    int euler;
    int shells;  /* groups of faces that hang together across edges; -1: not counted (more than 4096 faces) */
    double area; /* of all bounded faces, length squared */
    /* Enclosed, length cubed; negative: the normals point inwards. 0 unless watertight, oriented and bounded. */
    double volume;

    /* All faces convex or flat, all edges convex or smooth, one closed shell. For a connected closed shell that does
     * not cross itself this is necessary and sufficient. */
    bool convex;
    bool strictly_convex; /* and all faces strictly convex */
    /*
     * Convexity as a length, found when the body is built: for every place p of a face, with the outward normal n,
     * all points x of the body satisfy n.(x - p) <= convex_within (planar: p on an edge). Proved by bounds along whole
     * edges and over whole faces: 0 for exact shapes, rounding where faces join smoothly, the sum of all turns for a
     * body that is bent in a little at many edges. INFINITY: not proved; `convex` and `strictly_convex` above go by
     * samples and thresholds. What is certified in motion and about depths uses this length.
     */
    double convex_within;
    bool convex_proved; /* convex_within is finite */

    int edges[WIT_EDGE_CHARACTER_COUNT]; /* how many of each character */
    int unoriented_edges, loose_edges;   /* loose: gap beyond the tolerance */
    int bad_vertices;                    /* not manifold */
    double gap;                          /* the largest, and its edge */
    int gap_edge;

    int faces_not_c2, faces_not_nice, faces_not_convex, faces_mixed; /* mixed: MIXED or SADDLE */
    int first_not_c2, first_not_nice, first_not_convex, first_mixed;
    int first_open, first_reflex, first_unoriented, first_nonmanifold; /* edges; reflex or mixed */
    int first_bad_vertex;
    int degenerate; /* poles, apexes and singular places of all faces */

    /*
     * The premises of the convergence theorem for patches: at least C2, convex, nice. They do not suffice: a strictly
     * convex, nice patch exists on which the law sticks away from the closest point. It needs, besides, that the point
     * lies in front of the tangent planes of the whole patch, and that the patch is cut from a convex surface by planes
     * with m . normal <= 0 along the cut. In front: sure for every outside point only where all faces are flat.
     */
    bool premise_c2, premise_convex, premise_nice, premise_front;
} wit_body_check_result;

/* The check of one feature, or of the whole body. They take time and no memory that outlives them; any thread. */
WIT_API wit_face_check wit_body_check_face(const wit_body* body, int face);
WIT_API wit_edge_check wit_body_check_edge(const wit_body* body, int edge);
WIT_API wit_vertex_check wit_body_check_vertex(const wit_body* body, int vertex);
WIT_API wit_body_check_result wit_body_check(const wit_body* body);

/* Whether it closes and what it encloses, with the values that wit_body_check has for them, for less than half of its
 * work. */
typedef struct wit_body_measures {
    bool watertight, manifold, oriented;
    double gap, area, volume;
} wit_body_measures;

/* Takes time and no memory that outlives it; any thread. */
WIT_API wit_body_measures wit_body_measure(const wit_body* body);

/* ---- mass ---------------------------------------------------------------------------------- */

/* Of a solid of one density. Body axes. */
typedef struct wit_mass {
    double volume;     /* length cubed */
    double mass;       /* density times volume */
    wit_vec3 centre;   /* of mass */
    double inertia[9]; /* about the centre, row-major, symmetric: mass times length squared */
    /*
     * How far all of them may be off, relative to volume, size and mass times size squared: the difference of two
     * rules of which the finer one is given, plus rounding, plus what the tolerances of edges and shape leave open,
     * taken over the whole area. An estimate, but for flat faces with straight borders, which are integrated exactly.
     * Below 1e-8 for the ready-made solids, which are in fact within 1e-13 of their closed forms.
     */
    double error;
} wit_mass;

/*
 * By the theorem of divergence, over the faces. `density`: mass per length cubed, positive. WIT_OK, or a refusal with
 * its reason that leaves *out alone: sheets and planar bodies, unbounded ones, solids that are not closed, or whose
 * normals point inwards. `error` may be null. Allocates nothing; any thread.
 */
WIT_API wit_status wit_body_mass(const wit_body* body, double density, wit_mass* out, wit_error* error);

/* ---- splitting ----------------------------------------------------------------------------- */

/* How a split went. */
typedef struct wit_split_report {
    int faces_cut;  /* faces that became several pieces */
    int pieces;     /* faces of the result */
    int touching;   /* places where K reaches zero and no curve of K = 0 passes: not cut */
    int not_nice;   /* boxes whose normals could not be shown to lie in an open hemisphere: too small to cut further, or
                       the work allowed per face was used up */
    int unresolved; /* curves of K = 0 that could not be followed to their ends; the first of them: */
    int first_face;
    double first_u, first_v;
    double error; /* largest distance seen between a curve of K = 0 and the zero set, relative to its knot cell */
} wit_split_report;

/* How a body is to be split. */
typedef struct wit_split_def {
    size_t struct_size;       /* set by wit_split_default_def */
    bool smooth;              /* cut along knot lines that are not C2 */
    bool curvature;           /* cut along curves where the Gaussian curvature K vanishes */
    bool nice;                /* cut until the normals of every piece lie in an open hemisphere */
    double accuracy;          /* of the curves K = 0, relative to the widths of a knot cell; 1e-12 to 1e-3 */
    wit_split_report* report; /* or null */
} wit_split_def;

/* Everything is cut; accuracy 1e-9. */
WIT_API wit_split_def wit_split_default_def(void);

/*
 * The same point set with faces cut until each is C2 inside, of one sign of K (it may touch K = 0 at its border; K = 0
 * everywhere counts as one sign) and nice. Surfaces are the original ones, so jets have equal bits; only loops, edges
 * and vertices are new. Pieces of "S1" are named "S1.1", "S1.2"; what is not cut keeps its name. Edges are divided
 * where cuts end on them, for the faces on both sides. A closed face that is cut at all is also cut at its seam. Planar
 * bodies and unbounded faces are not cut. `def` may be null. Null on refusal, as for wit_body_create.
 */
WIT_API wit_body* wit_body_split(const wit_body* body, const wit_split_def* def, const wit_allocator* allocator,
                                 wit_error* error);

#ifdef __cplusplus
}
#endif

#endif
