/* SPDX-License-Identifier: MIT */
/*
 * witness/query.h: the closest pair with its proof, from nothing but the poses.
 *
 *     wit_query* query = wit_query_create(NULL, NULL, NULL);       // settings and scratch memory; one per thread
 *     wit_placed a = wit_placed_at(body_a, pose_a), b = wit_placed_at(body_b, pose_b);
 *     wit_closest c;
 *     wit_closest_point(query, &a, point, &c);                     // or wit_closest_pair(query, &a, &b, &c)
 *     use(c.distance, c.normal, c.a.point, c.b.point);             // lower_bound <= true distance <= upper_bound
 *
 * Every answer holds a bracket [lower_bound, upper_bound] of the true signed distance over all features, and the pair
 * that attains the distance. The search is anytime: `certified` says that the bracket is as narrow as was asked for,
 * `reason` why it is not.
 * Most readers need no more than this, wit_query_def for the tolerance, and wit_closest for what is answered.
 *
 * A wit_query takes its memory once; queries allocate nothing. One query object serves one thread at a time; bodies are
 * constant and may be shared. The same call gives the same bits, whatever was asked before.
 *
 * Signs and directions. Lengths are in the unit of the bodies, points and directions in world axes. Distances are
 * positive apart, zero at touch, negative inside a solid or behind a one-sided sheet, and where two solids overlap. The
 * normal is a unit vector from a to b, and b.point - a.point = distance * normal also inside. In a point query a is the
 * body and b the point. Swapping the bodies swaps the witnesses, turns the normal round and changes no other bit.
 *
 * What the distance is measured to: the union of the faces, edges and vertices (of a planar body: edges and vertices),
 * and for a solid all that they enclose. Where an edge does not lie exactly on its faces the bracket is widened by its
 * stored tolerance.
 */
#ifndef WITNESS_QUERY_H
#define WITNESS_QUERY_H

#include "base.h"
#include "body.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The memory of a search, to be used again; one thread at a time. */
typedef struct wit_query wit_query;

/* ---- what is asked ------------------------------------------------------------------------- */

/*
 * Which features of a body count, each closed with its border: a face counts with its edges and their vertices, an edge
 * with its ends. The witness is named by the lowest feature it lies on, in the mask or not.
 */
typedef struct wit_mask {
    unsigned kinds;       /* set of 1u << wit_feature_kind; 0: none of a kind but those listed below */
    const uint8_t* faces; /* one byte per face of the body, nonzero: counts; null: as `kinds` says */
    const uint8_t* edges;
    const uint8_t* vertices;
} wit_mask;

/* A body where it stands. */
typedef struct wit_placed {
    const wit_body* body;
    wit_pose pose;
    const wit_mask* mask; /* null: all features; of solids then the inside too */
} wit_placed;

/* All features of a body, at the pose. */
WIT_API wit_placed wit_placed_at(const wit_body* body, wit_pose pose);

/* What any query may take: some place of each body, and how exact it is. */
#define WIT_BUDGET_LEAST 8

/* What is asked, and how much work may go into it. */
typedef struct wit_query_def {
    size_t struct_size; /* set by wit_query_default_def */
    double tolerance;   /* width of the bracket that is asked for, relative to max(distance, size of the smaller body;
                           of the body in a point query); 1e-15 to 1. Default 1e-9. Rounding sets a floor of some 1e-14
                           of the coordinates, below which nothing is certified */
    double within;      /* cut-off, a length: farther pairs are not looked for, the outcome is then BEYOND and only
                           lower_bound is kept up. A point inside a solid is never beyond. Default infinity */
    bool strict;        /* `certified` only if the bracket is within the tolerance alone, the model's own not added:
                           see wit_closest.model_tolerance. Default false */
    bool rigorous;      /* count every rounding in the bounds: the bracket is then a theorem in IEEE doubles. Slower */
    int64_t budget;     /* work allowed, in units (wit_work): a bounded node, an evaluation, a test one each; default
                           1,000,000. work.units never exceeds it; less than WIT_BUDGET_LEAST counts as that. Whatever
                           ends a query, its bracket holds the truth and its witnesses are points of both bodies */
    int capacity;       /* open nodes and pieces of bodies that are kept at most; default 1 << 15. Full memory weakens
                           the lower bound, never the truth */
} wit_query_def;

/* The defaults told at the fields. */
WIT_API wit_query_def wit_query_default_def(void);

/* Bytes that wit_query_init needs; 0 if the def is refused. */
WIT_API size_t wit_query_size(const wit_query_def* def);
/* In memory of the caller's, aligned for any type, which must outlive it. Never to be destroyed. */
WIT_API wit_status wit_query_init(void* memory, size_t bytes, const wit_query_def* def, wit_query** out,
                                  wit_error* error);
/* With one allocation. `def` may be null (defaults), `allocator` too. Null on refusal. */
WIT_API wit_query* wit_query_create(const wit_query_def* def, const wit_allocator* allocator, wit_error* error);
WIT_API void wit_query_destroy(wit_query* query);
/* Changes the settings; refused if the capacity differs from the one it was made with. */
WIT_API wit_status wit_query_set(wit_query* query, const wit_query_def* def, wit_error* error);

/* ---- what is answered ---------------------------------------------------------------------- */

/* How a query, or a step of a tracker (track.h: CONVERGED, OPEN or BUDGET, with flags beside it), ended. */
typedef enum wit_outcome {
    WIT_OUTCOME_CONVERGED,   /* the bracket is as narrow as asked, or as the model's own tolerance allows, at one pair
                                (or several separate ones) */
    WIT_OUTCOME_NOT_UNIQUE,  /* the closest set is a curve or an area: see set; the bracket may be wider than asked */
    WIT_OUTCOME_TOUCHING,    /* zero within the tolerance (and that of the edges), and not proved to overlap */
    WIT_OUTCOME_OVERLAPPING, /* the bodies share inner points, one contains the other, or sheets cross; see below */
    WIT_OUTCOME_BEYOND,      /* farther than the cut-off: witnesses are not set */
    WIT_OUTCOME_BUDGET,      /* work or memory used up; the bracket is what was reached */
    WIT_OUTCOME_EMPTY,       /* a mask leaves no feature; distance is infinite */
    WIT_OUTCOME_OPEN,        /* only of a step (track.h): the conditions do not hold yet, as of a flow on its way */
    WIT_OUTCOME_COUNT
} wit_outcome;

/* "converged", "not_unique", ...; "?" otherwise. Static storage. */
WIT_API const char* wit_outcome_name(wit_outcome outcome);

/* Why an answer is not certified. */
typedef enum wit_reason {
    WIT_REASON_NONE,     /* it is certified; or nothing was to be (BEYOND, EMPTY) */
    WIT_REASON_BUDGET,   /* the work that was allowed is used up */
    WIT_REASON_MEMORY,   /* `capacity` is: pieces were given up without being looked into */
    WIT_REASON_SPREAD,   /* the closest set is a curve or an area: a bracket around all of it closes too slowly */
    WIT_REASON_SIGN,     /* inside or outside is not proved: the bracket spans both */
    WIT_REASON_PREMISE,  /* the depth of solids of which no convexity is proved: local contacts, with a bracket */
    WIT_REASON_MODEL,    /* the model's own tolerance: an estimate (shape_tolerance), or wider than `strict` allows */
    WIT_REASON_ROUNDING, /* the coordinates are too large for the tolerance that was asked for */
    WIT_REASON_OPEN,     /* only of a step (track.h): the conditions do not hold yet */
    WIT_REASON_MOTION,   /* only of a step: what the last search has proved is used up by the way gone since */
    WIT_REASON_COUNT
} wit_reason;

/* "none", "budget", "memory", ...; "?" otherwise. Static storage. */
WIT_API const char* wit_reason_name(wit_reason reason);

/*
 * Where on a body: a feature, its parameters, and the point there. WIT_POINT with id -1 is on no feature: the point of
 * a point query, or a point inside a solid where bodies overlap.
 */
typedef struct wit_witness {
    wit_feature_kind feature;
    int id;
    double u, v;    /* of the face; u the parameter of an edge; else 0 */
    wit_vec3 point; /* world axes */
} wit_witness;

/* How the sign of a point was found. Where it is not proved (a budget ended before, a winding number within its error
 * of 1/2; a sheet of which some place within the bracket looks at the point the other way) the bracket spans both
 * signs, [-upper, upper], and certified is false. */
typedef enum wit_sign {
    WIT_SIGN_NONE,    /* unsigned: two-sided sheet, masked body, two bodies */
    WIT_SIGN_NORMAL,  /* by the normal of the face at the witness */
    WIT_SIGN_CONE,    /* by the normals around an edge or a vertex */
    WIT_SIGN_WINDING, /* of an open shell: inside is where its winding number exceeds 1/2 */
    WIT_SIGN_NEARBY,  /* normals at the witness do not decide (a cusp, a wall within the bracket): by those at the
                         closest place of another point that no boundary parts from this one */
    WIT_SIGN_COUNT
} wit_sign;

/* "outside" and so on. Static storage. */
WIT_API const char* wit_sign_name(wit_sign sign);

/*
 * The closest set, when it is not a point. A set that runs over several faces is given by its piece on one of them.
 * Closed forms aside, extents are measured by walking along the set: estimates.
 */
typedef struct wit_closest_set {
    int dimension;          /* 0: an isolated pair; 1: a curve; 2: an area */
    wit_vec3 direction[2];  /* unit, world axes, tangent to the set at the witness of one of the two, the same when the
                               bodies are swapped; dimension of them */
    wit_interval extent[2]; /* arc length each way along it, lo <= 0 <= hi; infinite for two half-spaces */
    bool closed[2];         /* the set comes back to itself along this direction */
} wit_closest_set;

/* Work done, by a query or a step: all of it, searches within searches too, counted where it was done. */
typedef struct wit_work {
    int64_t units;  /* nodes, jets, tests and boxes together: at most the budget */
    int64_t nodes;  /* nodes and pairs of nodes that were bounded */
    int64_t jets;   /* evaluations of curves and surfaces, of parameter curves too: a call of wit_curve_eval or
                       wit_surface_eval each */
    int64_t tests;  /* is a place in its face, or a box; bounds of a curve or surface over a box */
    int64_t boxes;  /* boxes of trees and pieces of meshes that were looked at besides */
    int64_t solves; /* of a query: Newton runs */
    int64_t peak;   /* of a query: most open nodes at any time */
} wit_work;

/* The answer: a pair, its distance, and what is proved of it. */
typedef struct wit_closest {
    wit_outcome outcome;
    bool certified;    /* upper_bound - lower_bound is within the tolerance asked for plus model_tolerance */
    wit_reason reason; /* why not; NONE where it is */
    /* A length, 0 for exact models: by how much the bracket had to be widened because edges near the closest place are
     * off their faces, or vertices off their edges (the file's own tolerance). */
    double model_tolerance;
    double distance;    /* signed; that of the two witness points. BEYOND: the lower bound */
    double lower_bound; /* lower_bound <= true signed distance <= upper_bound */
    double upper_bound;
    wit_vec3 normal;  /* unit, from a to b; at distance 0 from the surfaces; zero only where neither has one */
    wit_witness a, b; /* that attain the distance */
    wit_sign sign;    /* how the sign of a point was found */
    wit_closest_set set;
    wit_work work;
} wit_closest;

/*
 * The global closest pair. WIT_OK, or a refusal that leaves *out untouched: null pointers, a pose that wit_pose_check
 * refuses, NaN or coordinates beyond WIT_MAX_COORDINATE, a pose that takes a planar body out of its plane (point query:
 * the point; pair: either one against the other) (WIT_ERROR_RANGE); masks on more features than the query's memory has
 * flags for, 4 per capacity (WIT_ERROR_MEMORY); two unbounded bodies that are not half-spaces (WIT_ERROR_UNSUPPORTED).
 *
 * A pair of solids of which overlap is not excluded yet (the budget ended, or they touch): lower_bound is minus a
 * translation that surely separates them, minus infinity where none is known; upper_bound is that of the gap. Such a
 * pair is never BEYOND, and OVERLAPPING is said only where that is proved.
 *
 * Pairs that overlap. The signed distance of two solids is minus their depth: over all convex parts X of a and Y of b
 * the largest of the shortest translations that take Y out of X,
 *     depth = max over X, Y of  min over unit n of  [ max over x in X of n.x  -  min over y in Y of n.y ].
 * Of convex solids it is the shortest translation after which they share no inner point; of others no longer than that.
 * It depends on the poses alone and changes by no more than the bodies move, also where parts of what they share become
 * one (the shortest translation of whole solids jumps there). Moving b out by it may leave another part of b in a.
 *   Convex solids, and a half-space with anything: distance is minus that depth, along the normal b leaves a by the
 *   shortest way, and the bracket is as narrow as was asked (`certified`). Where the bend of a spline face could not be
 *   proved convex, upper_bound stays 0 and certified false.
 *   A ball with anything: its radius less the signed distance of its centre, certified likewise.
 *   Solids that have one cross-section all along (prisms with reflex edges, plates with notches and holes of
 *   straight sides), with one another and with convex ones: such a body stores convex pieces of itself, some of
 *   those that touch each reflex edge, and the distance is that of the deepest two pieces: upper_bound; lower_bound
 *   is one for all convex parts. Where the two meet it is certified; else the reason is PREMISE. A witness on no
 *   feature is a WIT_POINT.
 *   Others: an estimate, minus the depth of the deepest local contact that was found (wit_contacts_pair), where
 *   several are ways out of one connected part of what they share the shortest of them, so that it jumps where parts
 *   become one; if none was found, 0, with a common point for witnesses. lower_bound is minus a translation that
 *   surely separates them, upper_bound 0; never certified.
 *   Sheets that cross, bodies with masks: distance 0, bracket 0, the witnesses a common point.
 *   Two half-spaces that no translation separates: distance 0, lower_bound minus infinity.
 */
WIT_API wit_status wit_closest_point(wit_query* query, const wit_placed* a, wit_vec3 point, wit_closest* out);
WIT_API wit_status wit_closest_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_closest* out);

/* ---- every local minimum ------------------------------------------------------------------- */

/* A local minimum. */
typedef struct wit_minimum {
    double distance; /* signed for a point if the body is */
    wit_vec3 normal; /* unit, from a to b, world axes */
    wit_witness a, b;
    wit_closest_set set; /* dimension 0: a minimum; else a continuum, given by one of its points */
    bool proved;         /* the pair is the only one around, by a convexity certificate or a closed form */
} wit_minimum;

/* What is known of the list of minima as a whole. */
typedef struct wit_minima_summary {
    int count;          /* minima found; the first `capacity` of them, by distance, were written */
    bool complete;      /* every local minimum within the cut-off is among them */
    bool overlapping;   /* pairs only: boundaries cross (minima at distance 0 are not listed), or one solid holds the
                           other (none are) */
    double lower_bound; /* of the unsigned distance, over everything */
    wit_work work;
} wit_minima_summary;

/*
 * Every local minimum of the distance at most `within` of the query's def, ascending; those that are equal within 1e-10
 * of the smaller body's size stand in the order of their features. A local minimum is a pair of points such that no
 * pair near it is closer; pairs on both sides of a seam or a smooth edge are one. `complete` is false when the budget
 * ended before the rest was excluded, or `capacity` was too small. Where no bound decides (the distance is level to
 * second order, a pole) pieces are cut down to 1e-6 of the smaller body's size; what is stationary in such a one is
 * listed if it is a minimum, with `proved` false, and minima nearer together are one; if nothing is found in it the
 * list is not complete.
 *
 * Of a point: minima over the features, those seen through the material too; for a point inside they are the ways out.
 * Of two bodies: a solid (without a mask) is all that it encloses, so a pair whose segment leaves a witness into its
 * own solid is none; what is listed are the gaps of the space outside. Minima nearer to each other than 1e-6 of the
 * smaller body's size, at one distance, are one; so is all of a continuum, and so are two areas of one pair of features
 * at one distance.
 */
WIT_API wit_status wit_minima_point(wit_query* query, const wit_placed* a, wit_vec3 point, wit_minimum* out,
                                    int capacity, wit_minima_summary* summary);
WIT_API wit_status wit_minima_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_minimum* out,
                                   int capacity, wit_minima_summary* summary);

/* ---- every local contact --------------------------------------------------------------------- */

/* Where two overlapping solids are in each other: b leaves a there, seen locally, by going depth along the normal. */
typedef struct wit_contact {
    double depth;     /* a length, > 0 */
    wit_vec3 normal;  /* unit, from a to b: outward of a at its witness, inward of b */
    wit_witness a, b; /* a.point - b.point = depth * normal; the way between them is inside both */
} wit_contact;

/* What is known of the list of contacts as a whole. */
typedef struct wit_contacts_summary {
    int count;     /* contacts found, at most 128; the first `capacity` of them, by depth, were written */
    bool complete; /* none is missing: said only where the bodies are proved apart, and there are none */
    wit_work work;
} wit_contacts_summary;

/*
 * The local contacts of two solids, deepest first: common normals of faces, edges and vertices such that b, moved out
 * by the depth, touches a there, and that no direction close to the normal is a shorter way out. They are sought from
 * pairs of pieces near each other and from faces against what is farthest the opposite way: what is found is a contact,
 * but none of the seeds proves that all were found. Contacts nearer to each other than 1e-6 of the smaller body's size
 * are one; so are those of one depth and normal on the same features. WIT_ERROR_UNSUPPORTED for sheets, masks and two
 * half-spaces.
 */
WIT_API wit_status wit_contacts_pair(wit_query* query, const wit_placed* a, const wit_placed* b, wit_contact* out,
                                     int capacity, wit_contacts_summary* summary);

/* ---- the papers' far phase ----------------------------------------------------------------- */

/*
 * Where the papers start their local method when bodies are far apart: per face the centre of the other body's box is
 * projected on the face's control mesh (analytic faces: on a mesh of their own points), parameters are interpolated,
 * and the nearest pair of faces is taken. A guess, not an answer; kept to compare with.
 */
WIT_API wit_status wit_far_phase_point(const wit_placed* a, wit_vec3 point, wit_witness* out);
WIT_API wit_status wit_far_phase_pair(const wit_placed* a, const wit_placed* b, wit_witness* out_a, wit_witness* out_b);

#ifdef __cplusplus
}
#endif

#endif
