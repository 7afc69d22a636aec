/* SPDX-License-Identifier: MIT */
/*
 * witness/laws.h: other ways for a tracker to follow a pair: the papers' control laws with their integrators, gains
 * and switching, their comparators, and flows of your own.
 *
 *     wit_law_def law = wit_law_default_def(WIT_LAW_SWITCHING);
 *     law.integrator = WIT_INTEGRATOR_RK4;
 *     law.gain.value = 200;
 *     wit_track_def def = wit_track_default_def();
 *     def.law = &law;                                   // or wit_law_preset(WIT_LAW_SWITCHING): as it comes
 *     def.form = WIT_FORM_PAPERS;
 *     wit_tracker* t = wit_tracker_create(a, b, &def, NULL, &error);
 *
 * In its first frame after init, reset or place a tracker with a law shows where it starts: a flow, or Newton's
 * iteration, has not moved yet, whatever dt is. The step from one frame to the next begins with the second.
 *
 * The side of a point, the sign of its distance, comes from the body (the certified query, asked again when the point
 * has gone as far as it was from the boundary), wherever the law's witness is.
 *
 * The tracker copies the law: it need not outlive the call. Everything else of a tracker (steps, results, hand-overs,
 * certificates) is as in track.h, which also says what Psi, M and b are. Who only wants to follow a pair needs none
 * of this.
 */
#ifndef WITNESS_LAWS_H
#define WITNESS_LAWS_H

#include "track.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How Psi becomes a change of the parameters. One line for each law that has a name in files: constant, name, and how
 * it is run: by the tracker's own step, as one of the flows of law.c, by Newton's step, by the search findmin, or,
 * FUNCTION, as a flow that is one function, wi_law_NAME, in a file of its own (src/laws/feed_forward.c is one).
 *
 *   deadbeat          the tracker's own, as without a law: predict, then one guarded Newton step
 *   linearizing       x' = M^-1 (-K Psi - b)
 *   switching         x' = -K I^-1 Psi per side, saturated at borders: descends from everywhere
 *   exponential       switching with the gains |dR|^2 / |Psi|^2, capped
 *   motion_aware      switching, and the part of the motion that raises the distance cancelled, by I^-1: as published
 *   newton            one plain Newton step per frame; leaves the patch if it wants to: then it has failed
 *   newton_saturated  the same, outward components zeroed at borders
 *   findmin           top-down search over pairs of features
 *   feed_forward      switching, and all of the motion fed forward, by M^-1: what motion_aware is after
 */
#define WIT_LAW_LIST(X)                                                                                                \
    X(WIT_LAW_DEADBEAT, deadbeat, TRACKER)                                                                             \
    X(WIT_LAW_LINEARIZING, linearizing, FLOW)                                                                          \
    X(WIT_LAW_SWITCHING, switching, FLOW)                                                                              \
    X(WIT_LAW_EXPONENTIAL, exponential, FLOW)                                                                          \
    X(WIT_LAW_MOTION_AWARE, motion_aware, FLOW)                                                                        \
    X(WIT_LAW_NEWTON, newton, NEWTON)                                                                                  \
    X(WIT_LAW_NEWTON_SATURATED, newton_saturated, NEWTON)                                                              \
    X(WIT_LAW_FINDMIN, findmin, FINDMIN)                                                                               \
    X(WIT_LAW_FEED_FORWARD, feed_forward, FUNCTION)

/* The laws: the list above. */
typedef enum wit_law_kind {
#define WIT_LAW_ENUM(id, name, run) id,
    WIT_LAW_LIST(WIT_LAW_ENUM)
#undef WIT_LAW_ENUM
        WIT_LAW_COUNT, /* of those that have a name in files */
    WIT_LAW_OWN = 64   /* x' by a function of yours: wit_law_def.flow */
} wit_law_kind;

/* "deadbeat", "linearizing", ...; "own"; "?" otherwise. Static storage. */
WIT_API const char* wit_law_name(wit_law_kind law);
/* Is the law a differential equation, so that it takes an integrator and a gain? Those of the kinds FLOW and FUNCTION,
 * and OWN. */
WIT_API bool wit_law_is_flow(wit_law_kind law);

/* How speeds become a step. Only for laws that are differential equations. */
typedef enum wit_integrator {
    WIT_INTEGRATOR_DEFAULT, /* rk2 for a differential equation, none for the others */
    WIT_INTEGRATOR_EULER,
    WIT_INTEGRATOR_RK2, /* midpoint */
    WIT_INTEGRATOR_RK3,
    WIT_INTEGRATOR_RK4,
    WIT_INTEGRATOR_AB2, /* Adams-Bashforth; they start, and start again after a switch, with rk4 */
    WIT_INTEGRATOR_AB3,
    WIT_INTEGRATOR_AB4,
    WIT_INTEGRATOR_BACKWARD_EULER,
    WIT_INTEGRATOR_TRAPEZOID,
    WIT_INTEGRATOR_DOPRI5,  /* adaptive, 5(4), with event location: borders and hand-overs are hit in time */
    WIT_INTEGRATOR_COUNT,   /* of those that have a name in files */
    WIT_INTEGRATOR_OWN = 64 /* by a function of yours: wit_law_def.advance */
} wit_integrator;

/* "default", "euler", ...; "own"; "?" otherwise. */
WIT_API const char* wit_integrator_name(wit_integrator integrator);

/* ---- gains --------------------------------------------------------------------------------- */

/* At one moment: what an outer loop of the user's sees when it chooses the gain. */
typedef struct wit_gain_view {
    int count, count_a; /* parameters in all; of a */
    const double* x;    /* parameters */
    const double* psi;  /* covariant: the gap against the tangents */
    double distance;    /* |dR| */
    double dt;
} wit_gain_view;
/* Returns the scalar gain K > 0, 1/s. Anything else than a positive finite number counts as the scalar `value`. */
typedef double wit_gain_function(const wit_gain_view* view, void* user);

/* How a gain is given. */
typedef enum wit_gain_kind {
    WIT_GAIN_SCALAR, /* K = value. 0: the pure velocity formulation (linearizing only) */
    WIT_GAIN_EACH,   /* on faces K_f, K_h; on borders and edges k_u, k_v, k_r, k_s */
    WIT_GAIN_MATRIX, /* -K Psi with a full matrix (linearizing only) */
    WIT_GAIN_AUTO,   /* each step the fastest stable gain from step, curvature and distance */
    WIT_GAIN_CALLBACK,
    /* each step the gain that leaves the least error at its end, from step, curvature, distance and motion: of those
     * that do not chatter. Far off that is the fastest decay, under way the least lag */
    WIT_GAIN_ADAPTIVE,
    WIT_GAIN_KIND_COUNT
} wit_gain_kind;

/* "scalar", "each", "matrix", "auto", "callback", "adaptive". */
WIT_API const char* wit_gain_kind_name(wit_gain_kind kind);

/* A gain, constant or found at each step. */
typedef struct wit_gain {
    wit_gain_kind kind;
    double value;        /* 1/s; SCALAR */
    double side[2];      /* EACH: K_f, K_h */
    double parameter[4]; /* EACH: k_u, k_v, k_r, k_s */
    int count;           /* MATRIX: its order; must be the number of parameters of the pair at hand */
    /* MATRIX: row-major, count x count; symmetric part positive definite */
    double matrix[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS];
    wit_gain_function* choose; /* CALLBACK */
    void* user;                /* CALLBACK: handed to `choose` */
} wit_gain;

/* ---- a flow of your own -------------------------------------------------------------------- */

/* The conditions at one state, as in wit_kinematics: Psi' = M x' + b. */
typedef struct wit_flow_view {
    int count, count_a; /* parameters in all; of a */
    wit_form form;      /* of Psi, M and b: the tracker's, or PAPERS while the face of the contact form is held */
    const double* x;    /* parameters */
    const double* psi;
    const double* M; /* row-major, count x count */
    const double* b;
    const double*
        I; /* the metric, row-major, count x count: f_u.f_u, f_u.f_v, ..., h_r.h_r, ...; zero between the sides */
    double distance; /* |dR| */
    double gain;     /* scalar gain of this step, 1/s */
    double dt;       /* of the step */
    unsigned held;   /* bit i: parameter i is held at a border: its row and column fall out, its speed is not used */
} wit_flow_view;
/*
 * Writes x', `count` numbers, which come in as zeros. It is called several times a step and must depend on nothing
 * but the view and `user`. False, or a number that is not finite: it has no answer here, and the switching law takes
 * over (flag FELL_BACK). Borders are seen to: where a speed would lead out of a range the parameter is held, and it
 * is asked again.
 */
typedef bool wit_flow_function(const wit_flow_view* view, double speeds[WIT_MAX_PARAMETERS], void* user);

/* ---- an outer loop of your own ------------------------------------------------------------- */

/* The inner loop, linearizing, is x' = M^-1 (mu - b), so that Psi' = mu: mu is the outer loop's affair. */
typedef struct wit_outer_view {
    int count, count_a; /* parameters in all; of a */
    wit_form form;      /* of Psi */
    const double* x;    /* parameters */
    const double* psi;  /* computed from x, or, with integrated feedback, the state */
    double distance;    /* |dR| */
    double gain;        /* scalar gain of this step, 1/s */
    double dt;          /* of the step */
    unsigned held;      /* bit i: parameter i is held at a border: its mu is not used */
} wit_outer_view;
/*
 * Writes mu, `count` numbers, which come in as -K Psi, the papers' outer loop. It must depend on nothing but the view
 * and `user`. False, or a number that is not finite: -K Psi stays.
 */
typedef bool wit_outer_function(const wit_outer_view* view, double mu[WIT_MAX_PARAMETERS], void* user);

/* ---- an integrator of your own ------------------------------------------------------------- */

typedef struct wit_step_view wit_step_view;
/* y' at a share c, 0 to 1, of the way and at y: `count` numbers. Borders of parameters need not be seen to. False: the
 * budget is used up; then the step is to return false too. */
typedef bool wit_slope_function(const wit_step_view* view, double c, const double* y, double* slope);
struct wit_step_view {
    int count; /* of y: the parameters, and after them Psi where that is integrated (WIT_FEEDBACK_INTEGRATED) */
    double dt; /* of the way: the frame, or the piece of it up to a border or after one */
    wit_slope_function* slope;
    void* system; /* internal */
};
/*
 * Takes y over the way: in at its beginning, out at its end. One-step methods only: it must depend on nothing but the
 * view, y and `user`, as it is called again with shorter ways where a border is met. False, or a number that is not
 * finite: this way is taken by rk2 (flag FELL_BACK).
 */
typedef bool wit_step_function(const wit_step_view* view, double* y, void* user);

/* ---- shared objects ------------------------------------------------------------------------ */

/*
 * What a shared object exports to be a law, an outer loop or an integrator of the command, one or several of
 *     const wit_law_module witness_law;                 witness track SCENE --law ./mine.so
 *     const wit_outer_module witness_outer;             --outer ./mine.so
 *     const wit_integrator_module witness_integrator;   --integrator ./mine.so
 * (docs/own-law.md). The library itself loads nothing: a program sets the functions in wit_law_def.
 */
typedef struct wit_law_module {
    size_t struct_size;
    const char* name;
    wit_flow_function* flow;
    wit_gain_function* gain; /* chooses the gain; or null: as the user says */
    void* user;              /* handed to both */
} wit_law_module;
typedef struct wit_outer_module {
    size_t struct_size;
    const char* name;
    wit_outer_function* outer;
    void* user;
} wit_outer_module;
typedef struct wit_integrator_module {
    size_t struct_size;
    const char* name;
    wit_step_function* advance;
    void* user;
} wit_integrator_module;

/* ---- settings ------------------------------------------------------------------------------ */

/* Where the flows take Psi from. */
typedef enum wit_feedback {
    WIT_FEEDBACK_DIRECT, /* computed from x */
    /* Psi and x integrated together, the papers' first block diagram; linearizing only. The drift between the two is
     * in the result. */
    WIT_FEEDBACK_INTEGRATED,
    WIT_FEEDBACK_COUNT
} wit_feedback;

/* How a flow chooses the feature of a side (unless the tracker keeps its features). */
typedef enum wit_switching {
    WIT_SWITCHING_LOCAL,   /* on the fly, from conormals, tangents and normal cones at the witness */
    WIT_SWITCHING_VORONOI, /* the papers': by the region in which the opposing witness lies */
    WIT_SWITCHING_COUNT
} wit_switching;

/* "direct", "integrated"; "local", "voronoi"; "?" otherwise. */
WIT_API const char* wit_feedback_name(wit_feedback feedback);
WIT_API const char* wit_switching_name(wit_switching switching);

/* What FINDMIN may leave out. All true by default. */
typedef struct wit_findmin_def {
    bool joint_hessian;    /* minimum test by the joint Hessian; false: by the blocks of each feature, as published */
    bool negative_restart; /* restart along the direction of negative curvature */
    bool antipode;         /* restart at the antipode of a circular feature */
    bool compare_lower;    /* compare the pairs on the border also where an inner minimum was found */
    bool bounded_refresh;  /* pairs that can't have come closer are not searched again */
    bool neighbours_only;  /* of two convex bodies: only pairs next to the last one */
    int keep;              /* frames for which the pair found is only followed; 0, the default: search in every frame */
    int iterations;        /* of Newton at most; 12, the default, as published */
} wit_findmin_def;

/* The functions by which a tracker runs a law: internal. */
typedef const struct wit_law_methods* wit_law_table(const wit_law_def* law);

struct wit_law_def {
    wit_law_table* table; /* set by wit_law_default_def, not to be changed */
    size_t struct_size;
    wit_law_kind kind;
    wit_integrator integrator;
    wit_gain gain; /* default: scalar, 100 / s */
    wit_feedback feedback;
    wit_switching switching;
    double ball; /* EXPONENTIAL: normalised error below which its gains stop growing. Default 1e-3 */
    double cap;  /* EXPONENTIAL: largest gain, 1/s; 0: what the integrator takes at this step; infinity: none */
    wit_findmin_def findmin;
    wit_flow_function* flow;   /* kind OWN */
    void* flow_user;           /* handed to `flow` */
    wit_outer_function* outer; /* LINEARIZING, gains SCALAR and CALLBACK; null, the default: -K Psi */
    void* outer_user;          /* handed to `outer` */
    /* Integrator OWN. Its stability is not known: gains AUTO, ADAPTIVE, and EXPONENTIAL without a cap are refused. */
    wit_step_function* advance;
    void* advance_user; /* handed to `advance` */
};

/* A law with its defaults. */
WIT_API wit_law_def wit_law_default_def(wit_law_kind kind);
/* The same in static storage. Null for DEADBEAT, the tracker's own. What is no law is refused by the tracker. */
WIT_API const wit_law_def* wit_law_preset(wit_law_kind kind);

/* ---- what a law does ----------------------------------------------------------------------- */

/*
 * Parameter speeds of a law at a state, borders counted: a component that would leave its range is held as the law
 * says. The def gives law and form. Refused as by wit_kinematics_at and wit_tracker_init; laws that are no
 * differential equations are refused, and a def without a law.
 */
WIT_API wit_status wit_law_speeds(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def,
                                  double dt, double speeds[WIT_MAX_PARAMETERS]);

/* What a law and an integrator allow at a state. */
typedef struct wit_gain_limit {
    double upper; /* gain above which the iteration is unstable at this step, 1/s; infinity: none */
    double calm;  /* at most that: above it errors change their sign from step to step, chatter */
    double lower; /* gain that motion asks for so that the distance never rises; infinity at the solution itself */
    double lag;   /* largest parameter error that motion leaves, times the gain: error = lag / K. 0 with feed-forward */
    double fastest; /* the gain of the fastest decay */
} wit_gain_limit;

/* Refused as wit_law_speeds; so are a law, an outer loop and an integrator of your own, whose decay is not known. */
WIT_API wit_status wit_gain_limits(const wit_moving_place* a, const wit_moving_place* b, const wit_track_def* def,
                                   double dt, wit_gain_limit* out);

/* What FINDMIN did in the last step. */
typedef struct wit_findmin_work {
    int pairs;      /* pairs of features searched */
    int iterations; /* of Newton, in all */
    int most;       /* of one pair */
    int saddles;    /* pairs whose search ended at a saddle */
    int restarts, skipped;
} wit_findmin_work;
/* All zero for a tracker with another law. */
WIT_API wit_findmin_work wit_tracker_findmin_work(const wit_tracker* tracker);

#ifdef __cplusplus
}
#endif

#endif
