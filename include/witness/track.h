/* SPDX-License-Identifier: MIT */
/*
 * witness/track.h: the closest pair of two moving bodies, followed step by step.
 *
 * A tracker holds one pair of bodies (or a body and a point). In every frame it is told where both are and how they
 * move, and it answers with the signed distance, the normal, the two witnesses and a lower bound:
 *
 *     wit_track_def def = wit_track_default_def();                  // or NULL below: the same
 *     def.within = 50, def.budget = 2000;                           // say: no farther than this, no more work
 *     wit_tracker* t = wit_tracker_create(a, b, &def, NULL, &error); // b NULL: a point
 *     wit_result r;
 *     while (running) {
 *         wit_motion ma = ..., mb = ...;                            // pose, and twist if it is known
 *         if (wit_tracker_step(t, &ma, &mb, 0.001, &r)) break;      // refused: NaN, dt not positive, ...
 *         use(r.distance, r.rate, r.normal, r.a.point, r.b.point);  // world axes
 *         if (r.flags & WIT_FLAG_CERTIFIED) ...                     // proved: nothing is nearer than r.lower_bound
 *     }
 *     wit_tracker_destroy(t);
 *
 * A step never allocates, locks or calls the system; its work is bounded by the budget of the def. A tracker lives
 * in one block without pointers into itself: memcpy is a snapshot, and the copy goes on with the same bits. One
 * tracker serves one thread at a time; bodies are constant, may be shared, and must outlive it.
 *
 * The control laws of the papers, their integrators and gains, and laws of your own: laws.h.
 */
#ifndef WITNESS_TRACK_H
#define WITNESS_TRACK_H

#include "base.h"
#include "body.h"
#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A tracker, in the caller's memory; position-independent: memcpy is a snapshot. */
typedef struct wit_tracker wit_tracker;
typedef struct wit_track_def wit_track_def; /* settings: below, with wit_track_default_def */
typedef struct wit_result wit_result;       /* the answer: below */

/* With one allocation. `def` and `allocator` may be null. Null on refusal: error->item names the field. */
WIT_API wit_tracker* wit_tracker_create(const wit_body* a, const wit_body* b, const wit_track_def* def,
                                        const wit_allocator* allocator, wit_error* error);
/*
 * One frame: the motions at its end, `dt` seconds after the last one. A twist that is marked unknown is derived from
 * the poses (zero in the first frame). WIT_OK, or a refusal that leaves tracker and *out as they were: null
 * pointers, poses that wit_pose_check refuses, coordinates beyond WIT_MAX_COORDINATE, twists not finite, dt not
 * positive and finite, a pose that takes a planar body out of its plane.
 */
WIT_API wit_status wit_tracker_step(wit_tracker* tracker, const wit_motion* a, const wit_motion* b, double dt,
                                    wit_result* out);
WIT_API void wit_tracker_destroy(wit_tracker* tracker);

/* ---- the answer ---------------------------------------------------------------------------- */

#define WIT_MAX_PARAMETERS 4 /* of two features: two of a face, one of an edge, none of a vertex or a point */

/* What kind of stationary place the pair is at, by the joint Hessian of |dR|^2 / 2 over all parameters. */
typedef enum wit_stationary {
    WIT_STATIONARY_MINIMUM, /* positive definite: a local closest pair if Psi = 0 */
    WIT_STATIONARY_SADDLE,
    WIT_STATIONARY_MAXIMUM, /* negative definite */
    WIT_STATIONARY_FLAT,    /* singular to rounding: touch of two surfaces, a closest set that is no point */
    WIT_STATIONARY_COUNT
} wit_stationary;

/* "minimum", "saddle", "maximum", "flat"; "?" otherwise. */
WIT_API const char* wit_stationary_name(wit_stationary kind);

struct wit_result {
    /*
     * Signed: negative inside a solid or behind a sheet. Of two solids that overlap it is that of the cold query
     * (query.h) where the step has converged, with the same proof: CERTIFIED of convex solids, a half-space or a
     * ball with anything, and of prisms where the bracket of the cold query is as narrow. Of others it is an
     * estimate (reason PREMISE; BUDGET where the search did not come to its end and the last contact goes on), and
     * where it changes by more than the motion JUMPED is said. Solids are said to be apart only where a search has
     * not found the contrary; where it could not decide, a step ends OPEN or BUDGET. If it knows no pair inside, the
     * last one is kept: changed by no more than the motion. With the default law, CONTACT form and `reacquire`; else
     * minus the depth of the local contact. Never -0.
     */
    double distance;
    double lower_bound; /* of the signed distance, over the whole bodies; -infinity where nothing is known */
    /* A length, 0 for exact models: how much of distance - lower_bound may come from edges that are off their faces. */
    double model_tolerance;
    wit_reason reason;   /* why it is not certified; NONE where it is */
    double rate;         /* of the distance, length per second */
    wit_vec3 normal;     /* unit, from a to b, world axes: b.point - a.point = distance * normal */
    wit_witness a, b;    /* b of a point: WIT_POINT, -1 */
    wit_outcome outcome; /* CONVERGED: the conditions hold within the tolerance; else not yet, see residual */
    unsigned flags;      /* set of wit_flag */
    wit_stationary kind;
    double residual;                  /* largest normalised projection error of the parameters that are free; 0 to 1 */
    int count_a, count;               /* parameters of the two features */
    double error[WIT_MAX_PARAMETERS]; /* normalised projection errors, all of them */
    unsigned held;                    /* bit i: parameter i is held at a border */
    double drift;                     /* of integrated feedback (laws.h): how far the integrated Psi is off, relative */
    double gain;                      /* of a law (laws.h): the scalar gain that acted; 0 where none does */
    int switches;                     /* hand-overs in this step */
    int iterations;                   /* of Newton, or of the law's own iteration */
    wit_work work;
};

/* What happened besides. A set. */
typedef enum wit_flag {
    WIT_FLAG_SWITCHED = 1 << 0,    /* another feature carries a witness now */
    WIT_FLAG_SATURATED = 1 << 1,   /* held at a border of its feature */
    WIT_FLAG_FELL_BACK = 1 << 2,   /* the guard refused the law's step; a descent took over */
    WIT_FLAG_REACQUIRED = 1 << 3,  /* found again by the global search */
    WIT_FLAG_TOUCHING = 1 << 4,    /* zero within the tolerance */
    WIT_FLAG_OVERLAPPING = 1 << 5, /* the bodies share inner points. A step of two solids that did not converge says so
                                      only if a search has seen it. PAPERS form: the pair means nothing then */
    WIT_FLAG_NOT_UNIQUE = 1 << 6,  /* the closest set is a curve or an area; the pair is one of it */
    WIT_FLAG_CERTIFIED = 1 << 7, /* the true value is within `certify`, plus model_tolerance: by lower_bound; inside by
                                      a bound above too */
    WIT_FLAG_LOCAL = 1 << 8,     /* not certified: a local pair, as far as is known */
    WIT_FLAG_JUMPED = 1 << 9,    /* the witness jumped: a nearer place, the global search, a fold, or Newton */
    WIT_FLAG_CYCLE = 1 << 10,    /* hand-overs went round in circles and were stopped */
    WIT_FLAG_BEYOND = 1 << 11,   /* farther than the cut-off: the pair is not kept up */
    WIT_FLAG_OUTSIDE = 1 << 12   /* NEWTON left the patch */
} wit_flag;
enum { WIT_FLAG_COUNT = 13 };

/* The name of one flag, "switched", ...; "?" otherwise. */
WIT_API const char* wit_flag_name(unsigned flag);

/* ---- settings ------------------------------------------------------------------------------ */

/* Two forms of the conditions Psi = 0 of a closest pair: see "conditions" below. */
typedef enum wit_form { WIT_FORM_CONTACT, WIT_FORM_PAPERS, WIT_FORM_COUNT } wit_form;

/* Where a step looks first. */
typedef enum wit_prediction {
    WIT_PREDICTION_BEST,      /* the order that would have been best for the last frame */
    WIT_PREDICTION_NONE,      /* where it was */
    WIT_PREDICTION_LINEAR,    /* from the last two frames */
    WIT_PREDICTION_QUADRATIC, /* from the last three */
    WIT_PREDICTION_TWIST,     /* from the twists: the papers' feed-forward -M^-1 b */
    WIT_PREDICTION_COUNT
} wit_prediction;

/* "contact", "papers"; "best", "none", ...; "?" otherwise. Static storage. */
WIT_API const char* wit_form_name(wit_form form);
WIT_API const char* wit_prediction_name(wit_prediction prediction);

typedef struct wit_law_def wit_law_def; /* laws.h */

struct wit_track_def {
    size_t struct_size;
    /* Null, the default: predict, then one guarded Newton step (the papers' linearizing law at the gain 1 / dt).
     * Else how the parameters move: laws.h. Copied by wit_tracker_init. */
    const wit_law_def* law;
    wit_form form;
    wit_prediction prediction; /* of the default law */
    /* Of the distance, relative to max(distance, size of the smaller body): when a step counts as converged. 1e-15 to
     * 1e-3. Default 1e-12. */
    double tolerance;
    double certify; /* distance - lower_bound at most this, relative likewise: certified. Default 1e-9 */
    bool strict;    /* then model_tolerance is not added to it. Default false */
    double within;  /* cut-off, a length: farther apart only the lower bound is kept up. Default infinity */
    /* Units of work per step at most: a jet, a node bound or a trim test is one. Default 100,000, enough for a cold
     * query; 64 or more. Smaller budgets end with an honest residual. */
    int64_t budget;
    bool reacquire; /* search globally at the start and when the local track is lost. Default true */
    int capacity;   /* of the global search, as in wit_query_def; used with reacquire, and to know the side. Default
                       4096; of two solids under a law at least 16,384, so that their sign is known in a tight fit */
    /* How many pieces of the bodies the proof may stand on that goes along with the motion: of a point some 450 bytes
     * each, of two bodies some 1,370, four times as many pairs of them included; in the tracker. It gives lower_bound
     * in every frame, inside only of a point, and sees jumps. A proof that has no room for more is weaker, never
     * wrong: reason MEMORY. 0: none, nor is there one of two bodies under a law, or where one of them is unbounded:
     * then they are followed locally. Default 4096. */
    int front;
    int transitions;    /* hand-overs that are remembered. Default 64 */
    bool keep_features; /* both sides stay on the features they were placed on, held at their borders. Default false */
    /* Of the step: AUTO, or one set for the same bits on every machine; bodies have theirs. AVX2_FMA where the
     * machine lacks it is refused. */
    wit_kernel kernel;
    /* All contacts of the pair with ids: wit_tracker_contacts. Of the default law in its CONTACT form. */
    int contacts; /* so many are kept at most, up to 4096. Default 0: none, and a step costs nothing more */
    double
        contacts_within;  /* a length, 0 or more: farther ones are not listed. Default 0: those that touch or overlap */
    double contacts_lean; /* radians, 0 to 0.5: features that lean no more against the normal of a contact hold it by
                               their corners too. Default 0.1 */
    int contact_events;   /* births, deaths, ... that are remembered, if contacts are kept. Default 64 */
};

/* The defaults told at the fields. */
WIT_API wit_track_def wit_track_default_def(void);

/* ---- memory of the caller's, start, history ------------------------------------------------ */

/* Bytes that wit_tracker_init needs; 0 if it would refuse. `a` is a body, `b` a body or null: a point. */
WIT_API size_t wit_tracker_size(const wit_body* a, const wit_body* b, const wit_track_def* def);
/*
 * In memory of the caller's, aligned for any type. Never to be destroyed. WIT_OK, or a refusal with the field in
 * error->item: a number out of its range, settings that the law does not take, a body of no features.
 */
WIT_API wit_status wit_tracker_init(void* memory, size_t bytes, const wit_body* a, const wit_body* b,
                                    const wit_track_def* def, wit_tracker** out, wit_error* error);

/*
 * Start from these places at the next step, which then has no history. Points are ignored; b may be null for a
 * tracker of a point. Refused: features that the body does not have, NaN. A tracker that was never placed starts
 * with the global search, or, with reacquire false, from the papers' far phase.
 */
WIT_API wit_status wit_tracker_place(wit_tracker* tracker, const wit_witness* a, const wit_witness* b);
/* As it was after init. */
WIT_API void wit_tracker_reset(wit_tracker* tracker);

/* One hand-over. */
typedef struct wit_transition {
    double time;               /* since the last reset, seconds; with DOPRI5 within the frame */
    int side;                  /* 0: a, 1: b */
    wit_feature_kind from, to; /* kinds and ids of the features */
    int from_id, to_id;
    double before, after; /* distance */
    bool jumped;          /* not to a neighbour: shown by the front, or by the global search */
} wit_transition;

/* The last hand-overs, oldest first; returns how many there were since the reset, which may be more than are kept or
 * than `capacity`: then the last ones are written. */
WIT_API int64_t wit_tracker_transitions(const wit_tracker* tracker, wit_transition* out, int capacity);

/* ---- conditions ---------------------------------------------------------------------------- */

/*
 * Closest points as a control problem: the geometric conditions Psi = 0 of a closest pair are differentiated in time,
 *     d Psi / dt = M x' + b,
 * where x are the parameters of both features (u, v of a, then r, s of b; only those they have), M depends on the
 * shapes and b on how the bodies move. A law chooses x' so that Psi goes to zero.
 *
 * f is the point on a, h the point on b, dR = f - h the gap vector from b to a, all in world axes. A twist is that
 * of the body's origin (base.h); nothing here depends on where the origins are.
 *
 *   PAPERS   Psi = (dR.f_u, dR.f_v, dR.h_r, dR.h_s): the gradient of |dR|^2 / 2 but for the sign of the last two. M
 *            is singular where two surfaces touch, and every common point solves it.
 *   CONTACT  with a face on one side: the gap against the tangents of the face, its normal n (not of unit length)
 *            against the tangents of the other: Psi = (dR.f_u, dR.f_v, n.h_r, n.h_s), n = f_u x f_v. Regular through
 *            touch; gives the signed distance (h - f).n / |n|. The normal is taken from the side with the higher
 *            feature, from a on a tie. Pairs without a face, and a face with a point, are as in PAPERS.
 *
 * The functions without a tracker are pure: no state, no allocation, any thread.
 */

/* A place on a moving feature. */
typedef struct wit_moving_place {
    const wit_body* body; /* null: a bare point, at the origin of the motion's pose */
    wit_feature_kind feature;
    int id;
    double u, v;       /* u: also the parameter of an edge */
    wit_motion motion; /* twist_known false: its twist is taken as zero */
} wit_moving_place;

/* The kinematics of a pair at a place. */
typedef struct wit_kinematics {
    int count, count_a; /* parameters in all; of a */
    wit_form form;      /* the form in use: PAPERS where CONTACT does not differ */
    wit_vec3 f, h;      /* world */
    wit_vec3 gap;       /* dR = f - h */
    double distance;    /* CONTACT with a face: signed, along the face's outward normal; else |dR| */
    double rate;     /* of the distance, if x moved so as to stay closest: normal . (velocity of h - velocity of f) */
    wit_vec3 normal; /* unit, from a to b */
    double psi[WIT_MAX_PARAMETERS];
    double M[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS]; /* row-major, count x count */
    double b[WIT_MAX_PARAMETERS];
    double error[WIT_MAX_PARAMETERS]; /* cosine between the two vectors of each condition; 0 where one vanishes */
    wit_stationary kind;
    bool regular;                       /* M can be inverted to rounding; else both speeds are zero */
    double follow[WIT_MAX_PARAMETERS];  /* -M^-1 b: the speeds that keep Psi as it is (feed-forward) */
    double correct[WIT_MAX_PARAMETERS]; /* -M^-1 Psi: the step of Newton; times a gain K the linearizing feedback */
} wit_kinematics;

/*
 * Psi, M and b at a pair of places: x' = follow + K correct makes Psi' = -K Psi. Parameters outside their range are
 * held at its ends. WIT_OK, or a refusal that leaves *out alone: null pointers, an unknown form, a feature that the
 * body does not have, two bare points, poses that wit_pose_check refuses, NaN or infinity anywhere.
 */
WIT_API wit_status wit_kinematics_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form,
                                     wit_kinematics* out);

/* ---- derivatives of the signed distance, contact kinematics ---------------------------------- */

/*
 * How the signed distance of a closest pair answers to motion, the pair staying closest. The displacement of b
 * against a has six components: a small translation t (world axes), then a small rotation vector phi about b's
 * origin (world axes): a point p of b goes to origin + t + exp(phi x)(p - origin). What moves a instead counts as
 * the opposite motion of b. Exact at a closest pair, to the second derivatives of the features (at a knot those of
 * one side; at a pole of a face the Hessian is right to about 1e-4).
 */
typedef struct wit_derivatives {
    /* False, and all the rest zero: no face and no two crossing edges give a normal, the places are no closest pair,
     * the closest set is no point, or the second derivatives do not exist (focal point). */
    bool known;
    double distance; /* signed, as the normal says: (h - f) . normal */
    wit_vec3 normal; /* unit, from a to b */
    double gradient[6];
    double hessian[36]; /* row-major, symmetric */

    /* in time, under the motions given */
    double rate;              /* of the distance */
    double second_rate;       /* if both bodies keep their screws (wit_motion_after) */
    wit_vec3 normal_rate;     /* of the normal in the world */
    wit_vec3 witness_rate[2]; /* of the witness points in the world */
    wit_vec3 path_rate[2];    /* the part of it in which the witness runs over the material of its body */
    double parameter_rate[WIT_MAX_PARAMETERS]; /* a's first; 0 on a face beside its pole, where there is none */

    /* b against a, at the middle of the pair */
    wit_vec3 slip; /* velocity of the material, tangential part: sliding */
    wit_vec3 roll; /* angular velocity, tangential part */
    double spin;   /* its part along the normal */
} wit_derivatives;

/*
 * At a pair of places. CONTACT: signed by the outward normal of the face that the form uses, of two edges by the
 * faces of a solid around them; regular through touch. PAPERS: of |f - h|, unknown at touch. Refused as by
 * wit_kinematics_at.
 */
WIT_API wit_status wit_derivatives_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form,
                                      wit_derivatives* out);
/* At the end of the last step, with its motions and the form of the def. WIT_ERROR_ARGUMENT before the first step. */
WIT_API wit_status wit_tracker_derivatives(const wit_tracker* tracker, wit_derivatives* out);

/* ---- all contacts, each with an id ------------------------------------------------------------- */

/*
 *     def.contacts = 16, def.contacts_within = 0.5;               // of the default law
 *     ...                                                          // after every step:
 *     wit_tracked_contact c[16];
 *     int n = wit_tracker_contacts(t, c, 16);
 *     for (int k = 0; k < n; ++k) push(c[k].id, c[k].a.point, c[k].normal, c[k].distance, c[k].rate);
 *
 * Where bodies are near each other or in each other, for what acts there: forces, gaps. Listed are
 *   - local minima of the distance within `contacts_within`, and of each place where solids overlap the shortest way
 *     out of it (of convex ones: that of wit_result); the pair of wit_result always, where it is that near;
 *   - of each that conforms, or nearly does, the points that hold it in its place: where faces, straight edges or
 *     rulings of both sides lean against the contact's normal by no more than `contacts_lean`, the corners of what they
 *     have in common seen along the normal (a box on a plane: four, a cylinder: the two ends of its line, standing:
 *     four of its rim), each with the distance that it has there. So a box that rocks by 1e-6 has four contacts all the
 *     time and not one that leaps from corner to corner.
 * Points that belong to one minimum have its `group`. The list depends on the poses and on what was found before, as an
 * id must; points, distances and normals do not depend on the frame in which both bodies stand.
 *
 * An id is given once since the reset and lives as long as its contact: over hand-overs to neighbouring features, from
 * apart through touch to inside. It ends when the contact is gone, farther than `contacts_within`, or one with another.
 */
typedef enum wit_contact_flag {
    WIT_CONTACT_NEAREST = 1 << 0, /* the pair of wit_result, or the point of its group that is nearest to it */
    WIT_CONTACT_HOLDING = 1 << 1, /* one of several points that hold a line or an area, or nearly one */
    WIT_CONTACT_NEW = 1 << 2,     /* born in this step */
    WIT_CONTACT_MOVED = 1 << 3    /* not solved in this step, which did not converge: the places of the last one, moved
                                     along with the bodies; the distance has changed by no more than they have */
} wit_contact_flag;
enum { WIT_CONTACT_FLAG_COUNT = 4 };

/* A contact with an id that it keeps from step to step. */
typedef struct wit_tracked_contact {
    int64_t id;      /* from 1 */
    int64_t group;   /* the same for points that hold one line or area; an id of its own kind, from 1 */
    double distance; /* signed: (b.point - a.point) . normal */
    double rate;     /* normal . (velocity of the material of b - of a), length per second; negative: closing */
    wit_vec3 normal; /* unit, from a to b, world axes */
    /* World axes. b.point - a.point = distance * normal, but for 1e-9 of the size and the tolerance of the def. Points
     * up to 1e-9 of the size beyond a straight border of a face, 1e-4 beyond a curved one, count as on it. */
    wit_witness a, b;
    unsigned flags; /* set of wit_contact_flag */
    double born;    /* seconds since the reset */
} wit_tracked_contact;

/*
 * The contacts at the end of the last step, by group, those of the tracked pair first; within a group by id. At most
 * `capacity` are written; returns how many there are (0: null tracker, no step yet, def.contacts 0). The step has found
 * them, within its budget: this copies. No allocation; any thread, while none steps the tracker.
 */
WIT_API int wit_tracker_contacts(const wit_tracker* tracker, wit_tracked_contact* out, int capacity);

/* What is known of the tracked contacts as a whole. */
typedef struct wit_contacts_state {
    int count;
    bool complete;  /* proved: no local minimum within contacts_within, and no local contact, has no contact here */
    bool full;      /* there were more than def.contacts: the last ones are left out */
    bool moved;     /* the step did not converge, or its budget ended before all were solved: see MOVED */
    int64_t events; /* since the reset */
} wit_contacts_state;

/* The state after the last step. */
WIT_API wit_contacts_state wit_tracker_contacts_state(const wit_tracker* tracker);

/* What happened to a contact. */
typedef enum wit_contact_change {
    WIT_CONTACT_BORN,
    WIT_CONTACT_DIED,        /* gone, or farther than contacts_within */
    WIT_CONTACT_MERGED,      /* became one with `other`, which goes on */
    WIT_CONTACT_HANDED_OVER, /* goes on, on other features */
    WIT_CONTACT_CHANGE_COUNT
} wit_contact_change;

/* "born", "died", "merged", "handed_over"; "nearest", ... of one flag; "?" otherwise. Static storage. */
WIT_API const char* wit_contact_change_name(wit_contact_change change);
WIT_API const char* wit_contact_flag_name(unsigned flag);

/* A contact that came, went, or changed. */
typedef struct wit_contact_event {
    double time; /* seconds since the reset: the end of the step in which it was seen */
    wit_contact_change change;
    int64_t id, other;        /* other: of MERGED, else 0 */
    double distance;          /* at that time; of a contact that is gone: when it was seen last */
    wit_feature_kind from[2]; /* features of a and b before; BORN: those it is on */
    int from_id[2];
    wit_feature_kind to[2]; /* and after; DIED: those it was on */
    int to_id[2];
} wit_contact_event;

/* The last ones, oldest first; returns how many there were since the reset, which may be more than are kept or than
 * `capacity`: then the last ones are written. Threads as above. */
WIT_API int64_t wit_tracker_contact_events(const wit_tracker* tracker, wit_contact_event* out, int capacity);

/* ---- conforming contact ---------------------------------------------------------------------- */

enum { WIT_CONTACT_POINTS = 4 };

/* A point of contact. */
typedef struct wit_contact_point {
    wit_witness a, b;
    double distance; /* signed */
} wit_contact_point;

/*
 * The closest set about a pair: a point, a line (a cylinder on a plane), an area (a box on a plane, a shaft in its
 * hole), apart, at touch and inside. Found by walking along it from the present pair, over the features that meet
 * there, until one of them ends or the signed distance changes by more than 1e-9 of the size; a set that runs on
 * over further features is given by its part on these. Extents are measured, not proved.
 */
typedef struct wit_contact_set {
    int dimension;            /* 0, 1 or 2 */
    double distance;          /* signed */
    wit_vec3 normal;          /* unit, from a to b, at `middle` */
    wit_contact_point middle; /* extents are about this: the present pair; of an area a pair inside it */
    wit_vec3 direction[2];    /* unit, world; dimension of them */
    wit_interval extent[2];   /* arc length each way along it, lo <= 0 <= hi */
    bool closed[2];           /* the set comes back to itself that way: half of the way round is its extent */
    /* what stands for it: the pair; the ends of a line; the corners of an area, farthest out along its four
     * diagonals; of sets that close, places opposite each other. 0: there is no normal, or the present pair is no
     * closest pair */
    int count;
    wit_contact_point point[WIT_CONTACT_POINTS];
} wit_contact_set;

/*
 * At the end of the last step. Not to be called in every frame: some 1e5 evaluations for an area, 1e3 for a line, a
 * few for a point. WIT_OK, or WIT_ERROR_ARGUMENT: null pointers, no step yet.
 */
WIT_API wit_status wit_tracker_contact_set(const wit_tracker* tracker, wit_contact_set* out);

#ifdef __cplusplus
}
#endif

#endif
