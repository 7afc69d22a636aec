/* SPDX-License-Identifier: MIT */
/*
 * witness/track.h: how the closest pair of two moving features changes.
 *
 * Closest points as a control problem: the geometric conditions Psi = 0 of a closest pair are differentiated in time,
 *     d Psi / dt = M x' + b,
 * where x are the parameters of both features (u, v of a, then r, s of b; only those they have), M depends on the shapes
 * and b on how the bodies move. A law chooses x' so that Psi goes to zero; the pure function here gives all the parts of it
 * to those who integrate themselves.
 *
 * Conventions: f is the point on a, h the point on b, dR = f - h the gap vector from b to a, all in world axes. A twist is
 * that of the body's origin (base.h); nothing here depends on where the origins are.
 *
 * Two forms of the conditions:
 *   PAPERS   Psi = (dR.f_u, dR.f_v, dR.h_r, dR.h_s): the gradient of |dR|^2 / 2 but for the sign of the last two. M is
 *            singular where two surfaces touch, and every common point solves it.
 *   CONTACT  with a face on one side: the gap against the tangents of the face, its normal n (not of unit length) against the
 *            tangents of the other: Psi = (dR.f_u, dR.f_v, n.h_r, n.h_s), n = f_u x f_v. Regular through touch; gives
 *            the signed distance (h - f).n / |n|. The normal is taken from the side with the higher feature, from a on a
 *            tie. Pairs without a face, and a face with a point, are as in PAPERS.
 *
 * All functions are pure: no state, no allocation, any thread.
 */
#ifndef WITNESS_TRACK_H
#define WITNESS_TRACK_H

#include "base.h"
#include "body.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WIT_MAX_PARAMETERS 4

typedef enum wit_form { WIT_FORM_CONTACT, WIT_FORM_PAPERS, WIT_FORM_COUNT } wit_form;

/* "contact", "papers"; "?" otherwise. Static storage. */
WIT_API const char* wit_form_name(wit_form form);

/* A place on a moving feature. */
typedef struct wit_moving_place {
    const wit_body* body; /* null: a bare point, at the origin of the motion's pose */
    wit_feature_kind feature;
    int id;
    double u, v;       /* u: also the parameter of an edge */
    wit_motion motion; /* twist_known false: its twist is taken as zero */
} wit_moving_place;

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

typedef struct wit_kinematics {
    int count, count_a; /* parameters in all; of a */
    wit_form form;      /* the form in use: PAPERS where CONTACT does not differ */
    wit_vec3 f, h;      /* world */
    wit_vec3 gap;       /* dR = f - h */
    double
        distance; /* CONTACT with a face: signed, (h - f) along the face's outward normal, or from b (f - h); else |dR| */
    double rate;     /* of the distance, if x moved so as to stay closest: normal . (velocity of h - velocity of f) */
    wit_vec3 normal; /* unit, from a to b */
    double psi[WIT_MAX_PARAMETERS];
    double M[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS]; /* row-major, count x count */
    double b[WIT_MAX_PARAMETERS];
    double error
        [WIT_MAX_PARAMETERS]; /* normalised: cosine between the two vectors of each condition; 0 where one vanishes */
    wit_stationary kind;
    bool regular;                      /* M can be inverted to rounding; else both speeds are zero */
    double follow[WIT_MAX_PARAMETERS]; /* -M^-1 b: the speeds that keep Psi as it is (feed-forward) */
    double correct
        [WIT_MAX_PARAMETERS]; /* -M^-1 Psi: the step of Newton; times a gain K: the feedback of the linearising law */
} wit_kinematics;

/*
 * Psi, M and b at a pair of places: x' = follow + K correct makes Psi' = -K Psi. Parameters outside their range are held
 * at its ends. WIT_OK, or a refusal that leaves *out alone: null pointers, an unknown form, a feature that the body does
 * not have, two bare points, poses that wit_pose_check refuses, NaN or infinity anywhere.
 */
WIT_API wit_status wit_kinematics_at(const wit_moving_place* a, const wit_moving_place* b, wit_form form,
                                     wit_kinematics* out);

#ifdef __cplusplus
}
#endif

#endif
