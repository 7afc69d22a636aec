/* SPDX-License-Identifier: MIT */
/*
 * The top-down search over pairs of features.
 *
 * A pair of features is searched by Newton's method, 002 (1), on F = |f - g|^2 / 2, half of 002 (2), over the
 * parameters of both. What it finds counts if it converged, lies inside both features and is a minimum; else the
 * closest points are on the borders, and the pairs with a border feature on either side or both are searched. Every
 * pair is searched once a frame, from the dimension of both surfaces together (4) down to two vertices (0); the
 * lowest of all minima is the answer.
 *
 * As published (joint_hessian false): plain Newton, which also stops at saddles; the minimum test looks at the block
 * of each feature alone, 002 (4) and (5); one place is kept per pair. With the joint Hessian its negative directions
 * are turned round, so that every step goes down, and up to FINDMIN_PLACES minima of a pair are kept up.
 */
#ifndef LAWS_FINDMIN_H
#define LAWS_FINDMIN_H

#include "../base/solve.h"
#include "../track/law_methods.h"
#include "law.h"

enum {
    FINDMIN_PAIRS = 4096, /* pairs of features at most */
    FINDMIN_PLACES = 4,   /* minima that are kept per pair */
    FINDMIN_SAMPLES = 16, /* points of a feature that starts are chosen from */
    FINDMIN_RESERVE = 24  /* units that are left for what follows in the step */
};

typedef struct findmin_feature {
    int32_t id;
    uint8_t kind;
    bool top;        /* borders nothing higher */
    int8_t samples;  /* -1: not taken yet */
    wit_vec3 centre; /* of a ball around it, body frame */
    double radius;
    double spacing; /* of its samples */
    double at[FINDMIN_SAMPLES][2];
    wit_vec3 point[FINDMIN_SAMPLES]; /* body frame */
} findmin_feature;

typedef struct findmin_pair {
    bool wanted, done;
    bool seeded; /* was searched from several starts */
    int8_t places;
    int8_t minima[FINDMIN_SAMPLES]; /* per sample of a: the nearest of b if that is a minimum on the grid, -1 */
    int64_t frame;                  /* of the last search */
    int32_t parent;                 /* the pair above whose runs ended nearest, on its border; -1: none */
    bool at_border;                 /* some run ended at a border: the next four are of the lowest such place */
    double border_x[SOLVE_MAX];     /* its parameters */
    bool border_within;             /* it is within the loops of both faces */
    double border_distance;
    wit_vec3 border_point[2];            /* body frames */
    double until;                        /* distance then + travel then: lower estimate now = until - travel */
    double x[FINDMIN_PLACES][SOLVE_MAX]; /* nearest first */
} findmin_pair;

/* At t->law_state_at; then the features of a, of b, the pairs (row by feature of a). */
typedef struct findmin_table {
    bool ready;
    int32_t count[2];
    int64_t frame;
    int32_t last;          /* the pair of the last frame, -1: none */
    int32_t kept;          /* frames for which it was only followed */
    int32_t turn;          /* the next pair to be searched from several starts */
    double distance;       /* of the last frame */
    wit_findmin_work work; /* of the last step */
    double travel;         /* of any point of b against a, at most, since the table was cleared */
    wit_vec3 row[3], at;   /* where b stood in the last frame */
} findmin_table;

/* A stationary place of a pair, or where the search for it stopped. */
typedef struct findmin_place {
    double x[SOLVE_MAX];
    moving m[2]; /* derivatives by the parameters */
    double distance;
    unsigned held;  /* open parameters that stand at an end of their range */
    bool converged; /* slopes of what is free have vanished */
    bool sharp;     /* at an apex, where a parameter moves nothing */
    bool within;    /* the loops of both faces */
    bool inside;    /* that, and nothing held */
    bool minimum;
    double value;          /* lowest eigenvalue of the Hessian in arc length */
    double way[SOLVE_MAX]; /* its direction, parameters per length */
} findmin_place;

/* A search under way. */
typedef struct findmin {
    step* s;
    findmin_table* table;
    findmin_feature* feature[2];
    findmin_pair* pair;
    const wit_findmin_def* def;
    wit_findmin_work* work;
    bool spent;   /* the budget is */
    int32_t best; /* pair, -1: none yet */
    findmin_place best_at;
    bool anchored;
    wit_vec3 anchor[2]; /* the pair of the last frame where it is now, frame of a */
    double lean;        /* slopes (lengths) below count as none */
} findmin;

/* The features of a pair as places. */
typedef struct findmin_places {
    place at[2];
    wit_hint hint[2];
    int n, na;
    double lo[SOLVE_MAX], hi[SOLVE_MAX], period[SOLVE_MAX]; /* closed ones: no ends, and their period; else 0 */
    wit_interval range[SOLVE_MAX];
} findmin_places;

static inline int64_t findmin_left(const findmin* f)
{
    return step_left(f->s) - FINDMIN_RESERVE;
}

void wi_findmin_step(step* s);
size_t wi_findmin_bytes(const wit_body* a, const wit_body* b, const wit_law_def* law);
void wi_findmin_forget(wit_tracker* t);

/* Too many pairs of features, for wi_law_check: item "law". */
wit_status wi_findmin_check(const wit_body* a, const wit_body* b, wit_error* error);

/* findmin_table.c */
void wi_findmin_open(step* s, findmin* f);
/* Takes the samples of a feature, if they are not taken and the budget allows. */
void wi_findmin_sample(findmin* f, int which, findmin_feature* x);
/* The features that border feature k of a body, one after the other; -1: no more. Indices into the table. */
int wi_findmin_border(const wit_body* body, const findmin_feature* x, int k);
/* Is feature `other` feature `one`, on its border, or on the border of that? */
bool wi_findmin_holds(const wit_body* body, const findmin_feature* list, int one, int other);
/* Have two features, borders counted, something in common? */
bool wi_findmin_touch(const wit_body* body, const findmin_feature* list, int one, int other);

/* wi_findmin_newton.c */
findmin_places wi_findmin_places_of(const findmin* f, int32_t pair);
/* From x. False: the budget does not allow it. */
bool wi_findmin_newton(findmin* f, findmin_places* places, const double* x, findmin_place* out);

/* findmin_pair.c: searches a pair of features, from all starts if it is its turn; what it finds goes into best. */
void wi_findmin_search(findmin* f, int32_t pair, bool turn);
/* The same from where its best minimum was, and no more. */
void wi_findmin_keep(findmin* f, int32_t pair);

#endif
