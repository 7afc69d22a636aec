/* SPDX-License-Identifier: MIT */
/* The record of a front of two bodies, and what its parts share during a step. */
#ifndef FRONT_PAIR_RECORD_H
#define FRONT_PAIR_RECORD_H

#include "../query/search/pair_bound.h"
#include "front_heap.h"
#include "pair_front.h"

enum { PAIR_NONE = -1, PAIRS_OF_PIECE = 4 };

typedef enum pair_state {
    PAIR_FREE,
    PAIR_IDLE,    /* above the cover */
    PAIR_FAR,     /* in the heap `far` */
    PAIR_SLOPE,   /* in the heap `slope` */
    PAIR_WATCHED, /* in the list of those that are asked in every step */
    PAIR_ASIDE,   /* taken off the heap for the rest of the step */
    PAIR_GONE     /* outside the trims: nothing of it counts */
} pair_state;

/*
 * What the last look said holds for the body b, not only for the way: it is `bound` and `life` less how far the ball about the cell of
 * b has gone since (pair_date.c).
 */
typedef struct front_pair {
    double key;           /* no pair of places is nearer than key - way */
    double end;           /* slope, convex: the way at which that ends, at the soonest */
    double x[SOLVE_MAX];  /* convex: the places that were nearest in it */
    wit_vec3 at;          /* where the middle of b's ball was at the last look */
    double turned;        /* the angle of b then */
    double bound, life;   /* what that look said: no pair of places is nearer; none is closest for this drift */
    float own[3], radius; /* that ball, in the frame of b: all points of its cell */
    float along[3],
        lever;    /* `bound` is by planes across it, none: zero; `life` is for turns of no more than way / lever */
    int32_t a, b; /* cells */
    int32_t parent, child, next;
    float size;
    uint8_t state, steps; /* steps: for which it was watched since the last look */
    bool convex;
} front_pair;

struct pair_front {
    int32_t capacity, pair_capacity;
    int32_t cell_count, pair_count, free;
    size_t cells, pairs, far_items, slope_items, places, marks, watched;
    int32_t far_count, slope_count, watched_count;
    int32_t cursor; /* where the next pairs to be joined for room are looked for */
    bool full, begun, apart;
    double way, angle;   /* that b has gone and turned since the start: at most */
    double radius;       /* no point of b is farther from `middle` */
    wit_vec3 row[3], t;  /* of b at the last step */
    wit_vec3 middle;     /* of b's box */
    double size;         /* of the smaller body */
    double loose, error; /* of both bodies: model, and what is not a tolerance but counts */
    double corner[2];    /* ends of edges are off their vertices by so much more */
    double reach;
    wit_hint hint[2];
};

/* Of pairs that may stand for something as near as the witness: by how much tolerances let it be nearer than they are, at most; the largest
 * tolerances + errors of vertices - bound. */
typedef struct pair_near {
    double loose, under;
} pair_near;

/* A step under way. */
typedef struct pair_run {
    pair_front* f;
    const pair_ask* ask;
    pair_answer* out;
    const wit_body* body[2];
    side own[2]; /* of both bodies, not moved: what the cells are made on */
    cell_pool pool;
    wit_vec3 along; /* unit, from b to a at the witness */
    double limit;   /* what is farther is good */
    double nearer;  /* what is nearer is offered */
    double noise;   /* of places: rounding of where they are, and were */
    double step;    /* that b has gone in this step */
    double least;   /* of what is watched: no pair of places is nearer */
    pair_near near; /* of those as near as the witness */
    bool corners;   /* errors of vertices are looked into one by one */
    int dates;      /* asked, of which DATES_OF_UNIT are a unit */
    bool ended, no_room, swept;
} pair_run;

static inline front_pair* front_pairs(pair_front* f)
{
    return (front_pair*)(void*)((char*)f + f->pairs);
}

static inline cell* front_cells(pair_front* f)
{
    return (cell*)(void*)((char*)f + f->cells);
}

static inline front_heap pair_far_heap(pair_front* f)
{
    return (front_heap){(front_item*)(void*)((char*)f + f->far_items), (int32_t*)(void*)((char*)f + f->places),
                        &f->far_count};
}

static inline front_heap pair_slope_heap(pair_front* f)
{
    return (front_heap){(front_item*)(void*)((char*)f + f->slope_items), (int32_t*)(void*)((char*)f + f->places),
                        &f->slope_count};
}

static inline int32_t* pair_watched(pair_front* f)
{
    return (int32_t*)(void*)((char*)f + f->watched);
}

/* How near pairs must be at most to count in pair_near. */
static inline double pair_near_bar(const pair_run* r)
{
    return r->ask->witness.distance + r->f->loose + r->f->corner[0] + r->f->corner[1];
}

/* How far off vertices of these cells ends of edges may be, tolerances not counted. */
static inline double pair_corner(const pair_run* r, const cell* a, const cell* b)
{
    return (a->inner || a->kind == WIT_VERTEX ? r->f->corner[0] : 0) +
           (b->inner || b->kind == WIT_VERTEX ? r->f->corner[1] : 0);
}

/* A pair with this bound: what it stands for is no nearer than bound - tolerances - corners. */
static inline void pair_near_add(const pair_run* r, const front_pair* p, double bound, pair_near* near)
{
    const cell *a = &r->pool.cells[p->a], *b = &r->pool.cells[p->b];
    double corner = pair_corner(r, a, b);
    double loose = a->tolerance + b->tolerance;
    if (!(bound < r->ask->witness.distance + loose + corner)) return;
    near->loose = larger(near->loose, loose);
    near->under = larger(near->under, loose + corner - bound);
}

static inline bool pair_run_has(const pair_run* r, int64_t units)
{
    return !side_spent(r->ask->side[0], units);
}

/* ---- pair_cover.c: pairs and where they stand ------------------------------------------------ */

/* Units that cutting a pair may take: two cells, trims of usual crowds among them. */
enum { PAIR_SPLIT_COST = 2 * CELL_SPLIT_UNITS + 24 };

void wi_pair_hang_far(pair_front* f, int32_t i, double key);
void wi_pair_hang_slope(pair_front* f, int32_t i, double key, double end);
void wi_pair_watch(pair_front* f, int32_t i, double key);
void wi_pair_take(pair_front* f, int32_t i);
/* Cuts a pair that stands nowhere; its parts are far with its key, and it is idle. False: it can't be cut, or there is no room. */
bool wi_pair_split(pair_run* r, int32_t i);
/* Do all parts of the pair stand in the cover? */
bool wi_pair_parts_stand(pair_front* f, int32_t i);
/* Takes all parts of the pair away. */
void wi_pair_drop_parts(pair_front* f, int32_t i);
/* The pair of the roots. False: no room, no work, or nothing of a body counts. */
bool wi_pair_begin(pair_run* r);

/* ---- pair_look.c: what is known of one pair -------------------------------------------------- */

typedef struct pair_look {
    double bound;    /* no pair of places is nearer */
    wit_vec3 across; /* unit, from b to a: planes across it show that; 0: it is shown in another way */
    double lever;    /* turns by way / lever at most are counted in `slope` and in convexity */
    double slope;    /* the way for which none is closest; 0: one may be now */
    bool inner;      /* a box only on one side */
    bool kink;       /* one of the cells is a kink of an edge */
    bool formed;     /* `form` with its Hessian is known */
    cell b;          /* the second one, moved */
    pair_form form;
} pair_look;

/* One node of work. */
void wi_pair_look(pair_run* r, const front_pair* p, pair_look* out);
/* Is F convex over the pair for a while: for which way. After a look. */
bool wi_pair_convex_life(const front_pair* p, const cell* a, const pair_look* l, double* life);

enum { PAIR_DESCEND_COST = 50 };

/* The least of a convex pair: from the witness if that lies in it, else from where it was nearest. A bound, and the distance of the
 * places (infinite: the bound is by the witness). Sets p->x. */
double wi_pair_convex_least(pair_run* r, front_pair* p, double* distance);

/* ---- pair_date.c: what a look said, for where b has gone since ------------------------------- */

/* The ball of a new pair: nothing is said of it yet. */
void wi_pair_date_begin(front_pair* p, const cell* b);
/* After a look: what it said, and where b was. */
void wi_pair_date(const pair_run* r, front_pair* p, const pair_look* l, double life);
/* A pair whose certificate has ended by the way: does what was said then hold still? It is hung anew, true. */
bool wi_pair_renew(pair_run* r, int32_t i);
/* All that are watched: what has ended hangs as far, by its key. Sets r->least, r->loose. */
void wi_pair_watch_all(pair_run* r);
/* Does the convexity that was found last last still? */
bool wi_pair_still_convex(const pair_run* r, front_pair* p);

#endif
