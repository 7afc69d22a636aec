/* SPDX-License-Identifier: MIT */
/*
 * The adversary: random bodies whose distances it knows by itself, asked of the library; what is proved wrong is a finding.
 * It includes the public headers only. A family is a function that draws a batch: bodies, and some cases (one answer each) of
 * them. All of a batch follows from the family and one number, which a finding prints.
 */
#ifndef ADVERSARY_H
#define ADVERSARY_H

#include "../../include/witness/witness.h"
#include "patch.h"
#include "truth.h"

typedef enum fault {
    WRONG,        /* certified and wrong, or beyond what it is not */
    BRACKET,      /* excludes the truth */
    SIGN,         /* is not that of the truth */
    WIDE,         /* certified and wider than asked */
    WITNESS,      /* not on its body, or not as far from the other as it says */
    DIFFERS,      /* two answers that can't both be true, or that should have equal bits */
    NOT_A_NUMBER, /* or a lower bound above the upper one */
    OVER_BUDGET,
    SLOW,
    REFUSED,
    FAULTS
} fault;

typedef struct tally {
    int64_t cases, certified, faults[FAULTS];
} tally;

typedef struct batch {
    dice d;
    const char* family;
    uint64_t seed;
    int64_t number; /* of the case within the batch */
    tally* tally;
    wit_query* query; /* capacity as by default */
    wit_query_def asked;
    bool comparable;    /* with answers of version 0.1: not rigorous, and the budget is not small */
    char* letter;       /* --answers: one letter per case, see main.c */
    wit_closest answer; /* the last one of judge_point, judge_pair; outcome EMPTY where it was refused */
} batch;

/* How a case is asked: draws mode, tolerance and budget, and sets the query (set_query: as `asked` says). */
void set_query(batch* b);
void ask_any(batch* b);
/* The same with at most this budget. */
void ask_at_most(batch* b, int64_t budget);
void ask_budget(batch* b, double lo, double hi);
void ask_rigorous(batch* b);
void ask_plain(batch* b);

/* What a case is about, for the judge. */
typedef struct claim {
    range truth;      /* of the signed distance */
    double size;      /* of the smaller body, as the tolerance is measured */
    double widened;   /* what edges are off their faces by, both bodies: allowed in `certified`, not in brackets */
    bool is_unsigned; /* two-sided sheets, and pairs of sheets */
    LD coordinates;   /* the largest in play: rounding sets a floor of some 1e-15 of them to the width of a bracket */
} claim;

void judge_point(batch* b, const wit_placed* a, wit_vec3 x, const claim* c);
void judge_pair(batch* b, const wit_placed* a, const wit_placed* other, const claim* c);
void judge_minima_point(batch* b, const wit_placed* a, wit_vec3 x, const claim* c);
void judge_minima_pair(batch* b, const wit_placed* a, const wit_placed* other, const claim* c);
void judge_contacts(batch* b, const wit_placed* a, const wit_placed* other, const claim* c, bool convex);
/* One frame of a tracker whose settings are given; false where it was refused. `out` may be null. */
bool judge_step(batch* b, wit_tracker* t, const wit_track_def* def, const wit_motion m[2], const claim* c,
                wit_result* out);
/* A fault that a family saw itself. */
void finding(batch* b, fault f, const char* what, double seen, const claim* c);

/* ---- bodies of shapes (bodies.c) ------------------------------------------------------------------ */

wit_body* body_of(const shape* s);
wit_body* sheet_of_patch(const patch* p, wit_body_kind kind);
wit_body* sheet_of_surface(const wit_surface_def* def, wit_body_kind kind);
wit_pose pose_of(const place* p);
double size_of(const wit_body* body);

/* A body turned from a profile of rational splines: straight pieces, or the half circle of a BALL, with weights up to 10^wild. */
wit_body* spun_body(dice* d, shape* s, double wild);

/* A random solid of about the size; aspect: ratios of its lengths up to this. */
void any_shape(dice* d, shape* s, double size, double aspect);
void any_convex(dice* d, shape* s, double size, double aspect);
void set_reach(shape* s);
/* Within `far` of the origin, now and then up to a million times as far; now and then a quaternion that is not quite unit. */
place any_place(dice* d, double far);
/* a turned by t first, as near as doubles come. */
void turn_by(const double t[4], const double a[4], double out[4]);
double any_scale(dice* d);
double any_aspect(dice* d);
/* A point near the placed shape: on it within 1e-9..1 of its size, or about it. Doubles, world. */
void any_point(dice* d, const placed* p, double out[3]);

/* A shape, its body and where it stands. */
typedef struct actor {
    shape shape;
    wit_body* body;
    placed placed;
} actor;

/* Its body is made; false where it is refused (needles and discs may be). */
bool enter(actor* a);
void leave(actor* a);
/* c turned anyhow, at this distance from a's position, anywhere. */
void place_near(dice* d, const actor* a, actor* c, double apart);
/* c's position: the point, seen from a's position in the axes of the world. */
void place_from(const actor* a, actor* c, v3 x);

/*
 * Plays `times` cases of two bodies: both are made, `scene` places and asks, both are dropped. Nothing happens where one of
 * them is refused.
 */
typedef void scene(batch* b, actor* a, actor* c, double scale);
void play(batch* b, actor* a, actor* c, double scale, int times, scene* one);
/* A point near a, asked anyhow. */
void ask_somewhere(batch* b, actor* a);

/* Both actors as the truth and as the library see them; a's position is the origin of the truth. */
void ask_actors(batch* b, actor* a, actor* c, int effort);
void ask_actor_point(batch* b, actor* a, const double x[3]);
/* With a direction from a to c and a point that are good for the truth. */
void ask_actors_near(batch* b, actor* a, actor* c, v3 n, v3 x);
void ask_claimed(batch* b, actor* a, actor* c, const claim* k);
claim claim_of_pair(actor* a, actor* c, int effort);
claim claim_of_point(actor* a, const double x[3]);
/* A witness lies on the boundary of its body, but for `slack` and some hundred units in the last place. */
void judge_witness(batch* b, const placed* p, const wit_witness* w, LD slack, const claim* c);

typedef struct family {
    const char* name;
    void (*run)(batch* b);
    int share; /* of the cases: slow families get fewer */
    const char* what;
} family;

extern const family families[];
extern const int family_count;

#endif
