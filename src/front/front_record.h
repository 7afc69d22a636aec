/* SPDX-License-Identifier: MIT */
/* The record of a front, and what its parts share during a step. */
#ifndef FRONT_RECORD_H
#define FRONT_RECORD_H

#include "../body/tree/shape_look.h"
#include "../body/tree/shape_tree.h"
#include "../pair/side.h"
#include "front_heap.h"
#include "point_front.h"

enum { FRONT_NONE = -1, FRONT_BLOCKS = 12 };

typedef enum piece_state {
    PIECE_IDLE,  /* above the cover, or below it: kept, to be joined or halved without being made again */
    PIECE_FAR,   /* in the heap `far` */
    PIECE_SLOPE, /* in the heap `slope` */
    PIECE_OWNED, /* by a block */
    PIECE_ASIDE, /* taken off the heap for the rest of the step */
    PIECE_GONE   /* outside the trims: nothing of it counts */
} piece_state;

/* What proves a slope. */
typedef enum which_slope { SLOPE_U, SLOPE_V, SLOPE_CONE, SLOPE_DOWN } which_slope;

typedef struct front_piece {
    shape_node shape;
    wit_interval box[2]; /* parameters */
    double key;          /* no place is nearer than key - way */
    double end;          /* slope: the way at which it ends */
    double size;         /* diagonal of its box */
    float loose;         /* see border_tolerance */
    int32_t parent, child[2];
    int32_t tree;       /* node of the bounding tree */
    int32_t id;         /* of the feature; -1: inner node */
    int32_t stored;     /* its shape_entry of the body; SHAPE_NONE */
    int32_t next, prev; /* owned: of the same block; in no use: next free one */
    uint8_t kind, tag, state, depth;
    uint8_t proof; /* slope: which_slope */
    int8_t block;
    bool kinked; /* leaf of an edge that begins at a kink: its children are the leaf and the kink */
    bool used;
} front_piece;

/* A box of parameters of one feature that one place bounds. */
typedef struct front_block {
    wit_interval box[2];
    double period[2]; /* 0: the parameter is not closed */
    /* Convex: H >= diag(mu) over the box until the end. Graph: at most one foot in the box, which is near wherever w is small
     * (graph_form.h); w may jump by `jump` across knots. */
    bool graph;
    shape_node shape;
    double mu[2];
    graph_form form;
    graph_grip grip;
    graph_measure measure;
    double jump;
    double foot; /* how far along the surface a foot may be, over |w| */
    double end;  /* in way */
    double key;  /* as of a piece */
    double x[2]; /* the place that was nearest in it */
    int32_t id, first;
    uint8_t kind;
    bool used;
    bool hung; /* it stands in the heap `far`; that of the witness does not */
} front_block;

struct point_front {
    int32_t capacity, count, free; /* pieces; made so far; first free one */
    size_t pieces, far_items, slope_items, places;
    int32_t far_count, slope_count;
    uint32_t used;   /* blocks in use: bit by bit */
    int32_t witness; /* block of the witness, which stands in no heap; FRONT_NONE */
    bool full;
    int32_t cursor; /* where the next pieces to be joined for room are looked for */
    double way;
    wit_vec3 q;
    double size;             /* of the body */
    double reach;            /* of its coordinates */
    double length;           /* half size of the last block */
    int32_t root, root_face; /* shape_entry of the leaf that the last block was found below, and its face */
    double loose;
    /* Until the way is beyond `calm`, and while the witness is in the middle of its block and what is far is so, a step has nothing to
     * do. */
    double calm;
    wit_interval core[2]; /* that middle */
    front_block block[FRONT_BLOCKS];
};

/* A step under way. */
typedef struct front_run {
    point_front* f;
    const wit_body* body;
    side side;       /* of the body, not moved; has the account */
    double limit;    /* what is farther is good: distance - slack, or a little more than the distance */
    double nearer;   /* distance - slack: what is nearer is offered */
    int blocks_left; /* attempts at blocks in this step */
    bool swept;      /* what is idle below the cover was given back in this step */
    bool ended;      /* a nearer place was shown that no block holds: that comes first */
    bool no_room;    /* a piece could not be halved for want of room */
    wit_hint hint;
    front_answer* out;
} front_run;

static inline front_piece* front_pieces(point_front* f)
{
    return (front_piece*)(void*)((char*)f + f->pieces);
}

/* Blocks stand in the heap of what is far as well: as capacity + their number. */
static inline front_heap far_heap(point_front* f)
{
    return (front_heap){(front_item*)(void*)((char*)f + f->far_items), (int32_t*)(void*)((char*)f + f->places),
                        &f->far_count};
}

static inline front_heap slope_heap(point_front* f)
{
    return (front_heap){(front_item*)(void*)((char*)f + f->slope_items), (int32_t*)(void*)((char*)f + f->places),
                        &f->slope_count};
}

static inline bool run_has(const front_run* r, int64_t units)
{
    return !side_spent(&r->side, units);
}

/* ---- cover.c: pieces and where they stand -------------------------------------------------- */

enum { SPLIT_COST = 40 }; /* units that making two pieces may take, trims of usual crowds among them */

/* Puts a piece that stands nowhere into the heap of what is far. */
void wi_front_hang_far(point_front* f, int32_t i, double key);
void wi_front_hang_slope(point_front* f, int32_t i, double key, double end, which_slope proof);
/* Takes it from wherever it stands: idle. */
void wi_front_take(point_front* f, int32_t i);
/* Halves a piece that is idle; its halves are far with its key, or gone. False: it can't be halved, or there is no room. */
bool wi_front_split(front_run* r, int32_t i);
/* Gives back all that hangs below a piece of the cover. */
void wi_front_drop_below(point_front* f, int32_t i);
/* Is there no room for another piece? */
static inline bool front_is_full(const point_front* f)
{
    return f->free < 0 && f->count == f->capacity;
}
/* The root, idle. */
void wi_front_root(front_run* r);

enum { BLOCK_COST = 48 }; /* units that one attempt at a block may take, jumps at a few borders of cells among them */

/* ---- convex_block.c ------------------------------------------------------------------------ */

/* The block of a feature that holds the box of parameters; FRONT_NONE. */
int wi_front_block_about(const point_front* f, const front_piece* p);
bool wi_front_block_has(const front_block* b, wit_feature_kind kind, int32_t id, const double x[2]);
int wi_front_block_at(const point_front* f, wit_feature_kind kind, int32_t id, const double x[2]);
/* What is well inside the block, but for ends of its feature. */
void wi_front_core(const front_run* r, const front_block* b, wit_interval core[2]);
/* A new block about the place x, which is stationary or held at the border of its feature; it must hold the box `hold`, if that
 * is not null. FRONT_NONE: none was found. It stands in no heap yet and has no key. */
int wi_front_block_make(front_run* r, wit_feature_kind kind, int32_t id, const double x[2], const wit_interval* hold);
/* Its pieces are those of other blocks, or far, with what is known of them. */
void wi_front_block_end(point_front* f, int b);
void wi_front_own(point_front* f, int32_t i, int b);
/* Into the heap of what is far, by its key, and out of it, if it stands there. */
void wi_front_hang_block(point_front* f, int b);
void wi_front_unhang_block(point_front* f, int b);
/* What rounding may do to a place of a block. */
static inline double block_rounding(const point_front* f, const wit_body* body, wit_vec3 q)
{
    return SHAPE_ROUNDING * (f->reach + fabs(q.x) + fabs(q.y) + fabs(q.z)) + body->gape;
}
/* |w| at most at a place of a graph with slopes g (graph_form.h). */
static inline double graph_block_slope(const front_block* b, const double g[2], const double off[2], double rounding)
{
    return graph_slope(&b->measure, g) + graph_slope_error(&b->measure, off) + b->jump + rounding * (2 + b->form.lean);
}
/* And what that bounds all of the block by. */
static inline double graph_block_bound(const front_block* b, double distance, double w, double rounding)
{
    double square = distance * distance * (1 - SHAPE_ROUNDING) - 2 * b->grip.factor * w * w * (1 + SHAPE_ROUNDING);
    return square > 0 ? larger(0, sqrt(square) - rounding) : 0;
}
/*
 * How far a foot y of a graph may be from the place x of the witness: |eta(x) - eta(y)| <= |w| / c, along the plane (1 + E) times
 * that, and along the surface, which leans, more. At a foot S - q is along the normal, and that along n: s has the sign
 * that it has at x if |s| there is larger than the way between them.
 */
static inline void graph_block_foot(const front_block* b, const front_witness* w, double slope, double rounding,
                                    front_answer* out)
{
    double s = dot3(b->form.axis, w->r);
    out->foot_off = slope * b->foot + w->off + rounding;
    if (fabs(s) > out->foot_off) out->side = s < 0 ? 1 : -1;
}
/* No place of the block is nearer, by the place x of it (its parameters unwrapped), `distance` away with slopes g, which may be
 * off by `off`. */
double wi_front_block_bound(const point_front* f, const wit_body* body, const front_block* b, wit_vec3 q,
                            const double x[2], double distance, const double g[2], const double off[2]);
/* foot_off and side of the answer, from the witness at x (unwrapped). */
void wi_front_block_foot(const point_front* f, const wit_body* body, const front_block* b, const front_ask* ask,
                         const double x[2], front_answer* out);
/* Looks for the nearest place of the block from where it was. Sets b->x; returns the bound, and the distance of the place. */
double wi_front_block_look(front_run* r, front_block* b, double* distance);
/* The parameter x + k period nearest to the middle of the block. */
void wi_front_unwrap(const front_block* b, const double x[2], double out[2]);
/* Newton's way within lo <= x <= hi from x, a few steps; the distance there. */
double wi_front_descend(front_run* r, wit_feature_kind kind, int32_t id, const wit_interval box[2], double x[2]);

#endif
