/* SPDX-License-Identifier: MIT */
#include "cover_depth.h"

#include "../../body/cover/cover.h"
#include "../search/point_search.h"
#include "direction_game.h"
#include "support.h"

enum { NORMALS = 32, LOOKS = 80, STARTS = 4, ROUND = 64, UPPER_CUTS = 64 };

/* One side: its pieces, or the body itself. */
typedef struct covered {
    const side* s;
    int pieces, outers;
    bool convex; /* the body itself is its only piece and its only outer set */
    bool exact;  /* its supports are not below the truth */
    bool flat;   /* it is spanned by its vertices */
} covered;

typedef struct cover_search {
    const search_task* task;
    wit_work* work;
    covered side[2];
    double tolerance;
    wit_vec3 normal[NORMALS]; /* that were tried for every pair of pieces */
    int normals;
    double most[COVER_PIECES * COVER_PIECES];   /* the least sum of each pair; minus infinity: it is done */
    wit_vec3 from[COVER_PIECES * COVER_PIECES]; /* its direction */
    bool down[COVER_PIECES * COVER_PIECES];     /* it was led downhill */
    double depth;                               /* of the deepest pair so far */
    bool cheap;                                 /* both are spanned by points: a look costs next to nothing */
    bool spent;
} cover_search;

/* ---- sides ------------------------------------------------------------------------------------ */

static bool spanned_by_vertices(const wit_body* b)
{
    for (int32_t i = 0; i < b->face_count; ++i)
        if (body_surface(b, i)->kind != WIT_SURFACE_PLANE) return false;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (body_curve(b, i)->kind != WIT_CURVE_LINE) return false;
    return true;
}

static bool covered_side(const side* s, double tolerance, covered* out)
{
    const wit_body* b = s->body;
    *out = (covered){.s = s, .pieces = 1, .outers = 1, .convex = true, .exact = b->facts.quadrics};
    if (b->unbounded || s->faces || s->edges || s->vertices) return false;
    if (b->cover.pieces) {
        *out = (covered){.s = s, .pieces = b->cover.pieces, .outers = b->cover.outers, .exact = true};
        return true;
    }
    out->flat = spanned_by_vertices(b);
    return b->facts.hull_within <= tolerance;
}

static side piece_side(const covered* c, int i)
{
    side s = *c->s;
    if (!c->convex) s.body = body_piece(c->s->body, i);
    return s;
}

/*
 * The farthest point along n of a piece or an outer set, and how far that is. Both are spanned by their corners. Of a body that is
 * its own piece: from below, as its own outer set from above. Where the work ends before it: infinity.
 */
static double support_along(cover_search* w, int k, bool outer, int i, wit_vec3 n, wit_vec3* at)
{
    const covered* c = &w->side[k];
    if (c->convex && !c->flat) {
        support h = wi_support_of(c->s, n, w->work);
        w->spent = w->spent || h.partial;
        *at = h.at.p;
        bool told = !outer || c->exact;
        return told ? h.value : wi_support_upper(c->s, n, h.value, 0.1 * w->tolerance, UPPER_CUTS, w->work);
    }
    *at = vec3(0, 0, 0);
    w->spent = w->spent || !task_may(w->task, w->work);
    if (w->spent) return INFINITY;
    work_boxes(w->work, 1);
    wit_vec3 local = side_unvector(c->s, n), best = {0, 0, 0};
    double most = -INFINITY;
    const wit_body* piece = c->convex ? c->s->body : outer ? NULL : body_piece(c->s->body, i);
    int32_t count = piece ? piece->vertex_count : 0;
    const wit_vec3* p = piece ? NULL : body_outer(c->s->body, i, &count);
    for (int32_t m = 0; m < count; ++m) {
        wit_vec3 q = p ? p[m] : body_vertices(piece)[m].point;
        double value = dot3(local, q);
        if (value > most) most = value, best = q;
    }
    *at = side_point(c->s, best);
    return dot3(n, *at);
}

static double sum_along(cover_search* w, bool outer, int i, int k, wit_vec3 n, wit_vec3* difference)
{
    wit_vec3 x, y;
    double s = support_along(w, 0, outer, i, n, &x) + support_along(w, 1, outer, k, scale3(-1, n), &y);
    *difference = sub3(x, y);
    return s;
}

/* Downhill from n, where the sum of two sets is *least with p[0] the farthest point of the difference, until it is `enough`. */
static void descend(cover_search* w, bool outer, int i, int k, double enough, wit_vec3* n, wit_vec3* p, double* least)
{
    double reach = 0.3, weight[GAME_POINTS];
    int count = 1, next = 0;
    for (int look = 0; look<LOOKS&& * least> enough && reach > 1e-7 && !w->spent; ++look) {
        wit_vec3 e[2], corner[4], toward;
        complete3(*n, &e[0], &e[1]);
        for (int c = 0; c < 4; ++c)
            corner[c] = unit3(addscaled3(addscaled3(*n, c & 1 ? reach : -reach, e[0]), c & 2 ? reach : -reach, e[1]));
        wi_direction_game(count, p, 4, corner, weight, &toward);
        if (!(dot3(toward, toward) > 0)) return;
        next = count < GAME_POINTS ? count++ : (next + 1) % GAME_POINTS;
        double s = sum_along(w, outer, i, k, toward, &p[next]);
        if (s < *least)
            *least = s, *n = toward;
        else
            reach *= 0.5;
    }
}

/* ---- pieces ----------------------------------------------------------------------------------- */

/* The sums of all pairs along n. */
static void try_normal(cover_search* w, wit_vec3 n)
{
    double h[2][COVER_PIECES];
    wit_vec3 at;
    int nb = w->side[1].pieces;
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < w->side[k].pieces && !w->spent; ++i)
            h[k][i] = support_along(w, k, false, i, k ? scale3(-1, n) : n, &at);
    if (w->spent) return;
    for (int i = 0; i < w->side[0].pieces * nb; ++i) {
        double sum = h[0][i / nb] + h[1][i % nb];
        if (sum < w->most[i]) w->most[i] = sum, w->from[i] = n;
    }
    if (w->normals < NORMALS) w->normal[w->normals++] = n;
}

/* Axes of both, and from middle to middle. */
static void begin(cover_search* w)
{
    const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < w->side[0].pieces * w->side[1].pieces; ++i) w->most[i] = INFINITY, w->down[i] = false;
    for (int k = 0; k < 12 && !w->spent; ++k) {
        wit_vec3 n = scale3(k & 1 ? -1 : 1, axes[k / 2 % 3]);
        try_normal(w, k < 6 ? n : side_vector(w->side[1].s, n));
    }
    wit_box a = wi_side_box(w->side[0].s), b = wi_side_box(w->side[1].s);
    wit_vec3 n = unit3(sub3(add3(b.lo, b.hi), add3(a.lo, a.hi)));
    if (dot3(n, n) > 0.5 && !w->spent) try_normal(w, n);
}

static int deepest_left(const cover_search* w)
{
    int best = 0;
    for (int i = 1; i < w->side[0].pieces * w->side[1].pieces; ++i)
        if (w->most[i] > w->most[best]) best = i;
    return best;
}

/* The best directions of a pair so far, from where to go downhill. */
typedef struct starts {
    int count;
    double sum[STARTS];
    wit_vec3 n[STARTS], p[STARTS];
} starts;

static void try_start(cover_search* w, int i, int k, wit_vec3 n, starts* s)
{
    wit_vec3 p;
    double sum = sum_along(w, false, i, k, n, &p);
    if (s->count == STARTS && !(sum < s->sum[STARTS - 1])) return;
    int at = s->count < STARTS ? s->count++ : STARTS - 1;
    for (; at > 0 && s->sum[at - 1] > sum; --at)
        s->sum[at] = s->sum[at - 1], s->n[at] = s->n[at - 1], s->p[at] = s->p[at - 1];
    s->sum[at] = sum, s->n[at] = n, s->p[at] = p;
}

/* Normals of the plane faces of a piece. */
static void try_faces(cover_search* w, int side_at, int i, int k, starts* s)
{
    const covered* c = &w->side[side_at];
    const wit_body* piece = c->convex ? c->s->body : body_piece(c->s->body, side_at ? k : i);
    if (c->convex && !c->flat) return;
    for (int32_t f = 0; f < piece->face_count && !w->spent; ++f) {
        bool inward = body_faces(piece)[f].reversed != (side_at == 1);
        try_start(w, i, k, side_vector(c->s, scale3(inward ? -1 : 1, body_surface(piece, f)->frame.z)), s);
    }
}

/* All round, where that is cheap. */
static void try_round(cover_search* w, int i, int k, starts* s)
{
    if (!w->cheap) return;
    for (int m = 0; m < ROUND && !w->spent; ++m) {
        double z = 1 - (2.0 * m + 1) / ROUND, r = sqrt(1 - z * z), sine, cosine;
        wit_sincos(2.399963229728653 * m, &sine, &cosine); /* the golden angle */
        try_start(w, i, k, vec3(r * cosine, r * sine, z), s);
    }
}

/* A direction of a lower sum for one pair, which may be one for others too. */
static void go_down(cover_search* w, int pair, int i, int k)
{
    starts s = {.count = 0};
    double enough = larger(w->depth, 0) + w->task->floor, least = w->most[pair];
    wit_vec3 best = w->from[pair];
    w->down[pair] = true;
    try_start(w, i, k, best, &s);
    for (int m = 0; m < 2; ++m) try_faces(w, m, i, k, &s);
    try_round(w, i, k, &s);
    int most = w->cheap ? s.count : 1;
    for (int m = 0; m < most && least > enough && !w->spent; ++m) {
        wit_vec3 p[GAME_POINTS] = {s.p[m]}, n = s.n[m];
        double sum = s.sum[m];
        descend(w, false, i, k, enough, &n, p, &sum);
        if (sum < least) least = sum, best = n;
    }
    if (!w->spent && least < w->most[pair]) try_normal(w, best);
}

/* Pairs of pieces from the one that may be deepest on, until no other may be deeper. */
static void search_pieces(cover_search* w, penetration* out)
{
    int nb = w->side[1].pieces;
    double same = w->task->floor;
    out->depth = -1;
    for (;;) {
        int i = deepest_left(w);
        if (w->spent || !(w->most[i] > larger(w->depth, 0) + same)) return;
        if (!w->down[i]) {
            go_down(w, i, i / nb, i % nb);
            continue;
        }
        search_task t = *w->task;
        penetration d;
        t.a = piece_side(&w->side[0], i / nb);
        t.b = piece_side(&w->side[1], i % nb);
        depth_end end = wi_penetration_above(&t, w->from[i], larger(w->depth, 0), w->tolerance, w->work, &d);
        w->most[i] = -INFINITY;
        if (end == DEPTH_SPENT || (end == DEPTH_FOUND && !d.closed)) {
            w->spent = true;
            return;
        }
        if (end == DEPTH_FOUND && d.depth > w->depth) *out = d, w->depth = d.depth;
        try_normal(w, d.normal);
    }
}

/* ---- outer sets ------------------------------------------------------------------------------- */

/* A direction of a low sum for two outer sets: that of the normals tried, then downhill from there, until it is `enough`. */
static double outer_depth(cover_search* w, int i, int k, double enough)
{
    wit_vec3 p[GAME_POINTS], n = {0, 0, 1}, d;
    double least = INFINITY;
    for (int m = w->normals; m-- > 0 && least > enough && !w->spent;) {
        double s = sum_along(w, true, i, k, w->normal[m], &d);
        if (s < least) least = s, n = w->normal[m], p[0] = d;
    }
    if (w->normals) descend(w, true, i, k, enough, &n, p, &least);
    return least;
}

/* No two convex parts are deeper in each other than this. */
static double upper_depth(cover_search* w)
{
    double upper = w->depth;
    for (int i = 0; i < w->side[0].outers && !w->spent; ++i)
        for (int k = 0; k < w->side[1].outers && !w->spent; ++k) {
            w->spent = !task_may_spend(w->task, w->work, 0);
            if (!w->spent) upper = larger(upper, outer_depth(w, i, k, upper + 0.25 * w->tolerance));
        }
    return w->spent ? INFINITY : upper;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* The feature of the body itself that the point of a piece lies on; inside none. */
static place named(const cover_search* w, const side* s, wit_vec3 p)
{
    search_task t = task_rest(w->task, w->work);
    search_answer f;
    t.a = *s;
    t.b = wi_side_of_point(p);
    t.within = INFINITY;
    wi_point_search(&t, &f);
    work_spend(w->work, &f.work);
    bool on = norm3(sub3(f.a.p, p)) <= 4 * w->task->floor + s->body->tolerance + s->body->cover.error;
    place at = on ? f.a : place_at(WIT_POINT, -1, 0, 0, p);
    at.p = p;
    return at;
}

cover_end wi_cover_depth(const search_task* task, double tolerance, wit_work* work, penetration* out)
{
    cover_search w = {.task = task, .work = work, .tolerance = tolerance, .depth = -INFINITY};
    const wit_body *a = task->a.body, *b = task->b.body;
    if (!a->cover.pieces && !b->cover.pieces) return COVER_NONE;
    if (!covered_side(&task->a, tolerance, &w.side[0]) || !covered_side(&task->b, tolerance, &w.side[1]))
        return COVER_NONE;
    w.cheap = (!w.side[0].convex || w.side[0].flat) && (!w.side[1].convex || w.side[1].flat);
    begin(&w);
    if (!w.spent) search_pieces(&w, out);
    if (w.spent) return COVER_SPENT;
    if (!(out->depth > 0)) return COVER_APART;
    double slack = a->tolerance + b->tolerance + a->cover.error + b->cover.error + task->floor;
    double exceed = (w.side[0].convex ? a->facts.hull_within : 0) + (w.side[1].convex ? b->facts.hull_within : 0);
    double upper = upper_depth(&w) + slack;
    out->lower = larger(0, out->lower - slack - exceed);
    out->upper = larger(out->depth, upper);
    out->closed = out->upper - out->lower <= tolerance;
    if (!w.side[0].convex) out->a = named(&w, &task->a, out->a.p);
    if (!w.side[1].convex) out->b = named(&w, &task->b, out->b.p);
    return COVER_FOUND;
}
