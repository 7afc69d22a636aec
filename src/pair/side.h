/* SPDX-License-Identifier: MIT */
/*
 * One side of a query as the search sees it: a body (or a bare point) in the frame of the search, with the features that
 * count. Everything below the public functions speaks in that frame: for two bodies it is the frame of the first, so
 * that the second is moved by one rotation and one translation; for a point it is the body's own.
 */
#ifndef PAIR_SIDE_H
#define PAIR_SIDE_H

#include "../base/work.h"
#include "../body/body_record.h"
#include "place.h"

typedef struct side {
    const wit_body* body; /* null: the bare point t */
    bool moved;           /* false: rotation and translation are none */
    wit_vec3 x, y, z;     /* rows of the rotation from the body's frame to the frame of the search */
    wit_vec3 t;
    double
        error; /* no computed point of it is farther from where the poses put it; what is evaluated is not counted here */
    /* one byte per feature, nonzero: it is searched (closed with borders already); null: all of them */
    const uint8_t* faces;
    const uint8_t* edges;
    const uint8_t* vertices;
    /* an unbounded face is searched only over this part of its plane, where all of the other side projects to */
    wit_interval clip_u, clip_v;
    wit_work* work; /* what is evaluated, tested or bounded on it is counted there (base/work.h); null: nowhere */
    int64_t units;  /* that the account may reach; 0: no limit, negative: nothing */
} side;

static inline wit_vec3 side_vector(const side* s, wit_vec3 v)
{
    return s->moved ? vec3(dot3(s->x, v), dot3(s->y, v), dot3(s->z, v)) : v;
}

static inline wit_vec3 side_point(const side* s, wit_vec3 p)
{
    return s->moved ? vec3(dot3(s->x, p) + s->t.x, dot3(s->y, p) + s->t.y, dot3(s->z, p) + s->t.z) : p;
}

/* A vector of the search's frame in the body's. */
static inline wit_vec3 side_unvector(const side* s, wit_vec3 v)
{
    return s->moved ? addscaled3(addscaled3(scale3(v.x, s->x), v.y, s->y), v.z, s->z) : v;
}

static inline wit_vec3 side_unpoint(const side* s, wit_vec3 p)
{
    return s->moved ? side_unvector(s, sub3(p, s->t)) : p;
}

/* Counts evaluations, boxes and tests on the side. */
static inline void side_jets(const side* s, int n)
{
    if (s->work) work_jets(s->work, n);
}

static inline void side_boxes(const side* s, int n)
{
    if (s->work) work_boxes(s->work, n);
}

static inline void side_tests(const side* s, int n)
{
    if (s->work) work_tests(s->work, n);
}

/* Would so many more units be beyond what the account may reach? Loops end there, with what they have. */
static inline bool side_spent(const side* s, int64_t more)
{
    return s->units && s->work && s->work->units + more > s->units;
}

/* Does the feature take part? */
static inline bool side_counts(const side* s, wit_feature_kind kind, int id)
{
    const uint8_t* in = kind == WIT_FACE ? s->faces : kind == WIT_EDGE ? s->edges : s->vertices;
    return !in || in[id];
}

/* The square of the distance from a point to a box, rounded down. */
static inline double box_square(const wit_box* b, wit_vec3 p)
{
    double x = larger(0, larger(b->lo.x - p.x, p.x - b->hi.x));
    double y = larger(0, larger(b->lo.y - p.y, p.y - b->hi.y));
    double z = larger(0, larger(b->lo.z - p.z, p.z - b->hi.z));
    return (x * x + y * y + z * z) * (1 - 8 * DBL_EPSILON);
}

/* The largest distance from the origin to a point of the box, rounded up. */
static inline double box_reach(const wit_box* b)
{
    double x = larger(fabs(b->lo.x), fabs(b->hi.x)), y = larger(fabs(b->lo.y), fabs(b->hi.y)),
           z = larger(fabs(b->lo.z), fabs(b->hi.z));
    return sqrt(x * x + y * y + z * z) * (1 + 4 * DBL_EPSILON);
}

/* Could a point lie inside the body? Outside the box of a bounded solid it does not; of one that is inside out, all the rest
 * is inside. */
static inline bool side_may_hold(const side* s, wit_vec3 p)
{
    const wit_body* b = s->body;
    return b->unbounded || !b->bounded || box_square(&b->box, side_unpoint(s, p)) == 0;
}

/* All that a solid encloses belongs to it, unless it has a mask. */
static inline bool side_has_inside(const side* s)
{
    return s->body && s->body->kind == WIT_BODY_SOLID && !s->faces && !s->edges && !s->vertices;
}

/* Does a mask name the feature itself? */
static inline bool mask_lists(const wit_mask* m, wit_feature_kind kind, int id)
{
    const uint8_t* list = kind == WIT_FACE ? m->faces : kind == WIT_EDGE ? m->edges : m->vertices;
    return list ? list[id] != 0 : (m->kinds >> kind & 1) != 0;
}

/*
 * The jet at a place of any feature, in the frame of the search. A face: all of it; an edge: p, du, duu; a vertex or a point: p;
 * what a feature lacks is zero. `below`: a set of wit_knot_side flags. Returns wit_eval_flag flags. `hint` may be null.
 */
unsigned wi_side_jet(const side* s, const place* at, unsigned below, wit_hint* hint, wit_surface_jet* out);

static inline unsigned side_face_jet(const side* s, int face, double u, double v, unsigned below, wit_surface_jet* out)
{
    place at = {.kind = WIT_FACE, .id = face, .u = u, .v = v};
    return wi_side_jet(s, &at, below, NULL, out);
}

static inline unsigned side_edge_jet(const side* s, int edge, double t, unsigned below, wit_surface_jet* out)
{
    place at = {.kind = WIT_EDGE, .id = edge, .u = t};
    return wi_side_jet(s, &at, below, NULL, out);
}

/* The parameter box of a feature (unbounded faces: clipped), and whether its parameters wrap. */
void wi_side_range(const side* s, wit_feature_kind kind, int id, wit_interval range[2], bool closed[2]);

/* Is (u, v) in the face, trims counted? True for edges and vertices; false where the work ends before it is known. */
bool wi_side_contains(const side* s, wit_feature_kind kind, int id, double u, double v);

/* The stored tolerance of an edge or a vertex; of a face the largest of its edges: so far off may its border be. */
double wi_side_tolerance(const side* s, wit_feature_kind kind, int id);

/* The unit outward normal of a face in the frame of the search, by its limit at poles. False where there is none. */
bool wi_side_normal(const side* s, int face, double u, double v, wit_vec3* out);

/* No feature counts. */
bool wi_side_empty(const side* s);

/* Some place that counts: a stored point where one counts, else one jet. False: none does, or the work ends before. */
bool wi_side_any_place(const side* s, place* out);

/* An upper bound of |p - the exact point| in the frame of the search: evaluation. The error of the side and that of
 * vertices are not counted. */
double wi_side_place_error(const side* s, const place* at);

/* Sides from what was asked: the frame of the search is that of `frame` (null: world). flags has room for
 * face_count + edge_count + vertex_count bytes (see wi_side_flag_bytes); used only with a mask. */
size_t wi_side_flag_bytes(const wit_body* body);
side wi_side_of(const wit_placed* placed, const wit_pose* frame, uint8_t* flags);
side wi_side_of_point(wit_vec3 point); /* already in the frame of the search: no error */

/* Clips the unbounded planes of `s` to where the other side projects: the foot of every point of the other lies in its
 * projection. */
void wi_side_clip(side* s, const side* other);

/* The box of a side in the frame of the search (of a moved body: a box around the moved box); unbounded faces not counted. */
wit_box wi_side_box(const side* s);

#endif
