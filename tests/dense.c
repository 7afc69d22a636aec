/* SPDX-License-Identifier: MIT */
#include "dense.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dense_refine.h"

enum {
    RUN = 4,            /* intervals of the grid per block and direction */
    BLOCK_SAMPLES = 25, /* (RUN + 1)^2 */
    ROUND = 24,         /* samples per turn */
    CANDIDATES = 16384,
    SEEN = 32768, /* pairs of pieces, by hash */
    REFINED = 256 /* pairs that are refined at most */
};

/* Of a trimmed face also outside its loops, to start from. */
typedef struct sample {
    wit_vec3 p;
    double x[2];
    bool in, pole; /* poles are not kept: nothing goes down from there in one of its parameters */
} sample;

/* Some neighbouring samples: within r of c, which is one of them; every point of the piece there is within h of one, bent away from its tangent plane by at most `bend`. */
typedef struct block {
    int piece, sample0, samples;
    wit_vec3 c;
    double r, h, bend;
    bool in; /* c is */
} block;

/* Two blocks; a lower bound of their distance, later the distance of their closest samples. */
typedef struct candidate {
    int a, b, at_a, at_b;
    double low;
} candidate;

struct dense {
    const wit_body* body;
    int pieces, blocks, samples, inner_count;
    int* inner; /* samples of the boundary itself */
    int block_room, sample_room;
    piece* piece;
    block* block;
    sample* sample;
    wit_vec3* centre; /* of the blocks, and all samples, in the frame of a pair query */
    wit_vec3* moved;
    candidate* list;
    uint8_t seen[SEEN];
};

static void* grown(void* memory, size_t bytes)
{
    void* m = realloc(memory, bytes);
    if (!m && bytes) {
        fputs("dense: no memory\n", stderr);
        exit(1);
    }
    return m;
}

/* In the face? At a pole, where no edge runs, beside it. */
static bool piece_has(const dense* d, const piece* s, const double* x)
{
    if (s->dim < 2 || s->unbounded || wit_body_face_contains(d->body, s->id, x[0], x[1])) return true;
    wit_surface_jet j;
    if (!(wit_surface_eval(s->surface, x[0], x[1], 0, NULL, &j) & WIT_EVAL_DEGENERATE)) return false;
    double y[2];
    for (int k = 0; k < 2; k++) y[k] = x[k] + 1e-6 * (0.5 * (s->range[k].lo + s->range[k].hi) - x[k]);
    return wit_body_face_contains(d->body, s->id, x[0], y[1]) || wit_body_face_contains(d->body, s->id, y[0], x[1]);
}

/* ---- samples --------------------------------------------------------------------------------- */

static void add_block(dense* d, int piece_id, const sample* list, int count, double spacing, double bend)
{
    block b = {.piece = piece_id, .sample0 = d->samples};
    int middle = -1;
    for (int k = 0; k < count; k++)
        if (list[k].in && (middle < 0 || abs(2 * k - count) < abs(2 * middle - count))) middle = k;
    b.in = middle >= 0;
    b.c = list[b.in ? middle : count / 2].p;
    for (int k = 0; k < count; k++) b.r = fmax(b.r, norm3(sub3(list[k].p, b.c)));
    b.h = 0.75 * spacing;
    b.bend = bend;
    b.r += 0.1 * spacing;
    if (d->samples + count > d->sample_room) {
        d->sample_room = 2 * (d->samples + count);
        d->sample = grown(d->sample, (size_t)d->sample_room * sizeof(sample));
    }
    for (int k = 0; k < count; k++)
        if (!list[k].pole) d->sample[d->samples++] = list[k];
    b.samples = d->samples - b.sample0;
    if (d->blocks == d->block_room) {
        d->block_room = 2 * d->blocks + 64;
        d->block = grown(d->block, (size_t)d->block_room * sizeof(block));
    }
    d->block[d->blocks++] = b;
}

/* Grid lines of one direction: so many per cell, all borders of cells in [range] among them. */
static int grid_lines(const double* breaks, int breaks_count, int per_cell, wit_interval range, double** lines)
{
    double* x = grown(NULL, sizeof(double) * (size_t)(breaks_count * per_cell + per_cell + 2));
    int n = 0;
    x[n++] = range.lo;
    /* A range over the seam leaves the breaks behind: even steps there. */
    double last = breaks_count ? breaks[breaks_count - 1] : range.lo;
    double knot = range.lo;
    for (int k = 0; k < breaks_count + 1; k++) {
        double next = k < breaks_count ? breaks[k] : range.hi;
        if (next <= knot) continue;
        if (next > range.hi || (k == breaks_count - 1 && range.hi <= last)) next = range.hi;
        for (int i = 1; i <= per_cell; i++) x[n++] = i < per_cell ? knot + (next - knot) * i / per_cell : next;
        knot = next;
        if (knot >= range.hi) break;
    }
    *lines = x;
    return n;
}

static int per_cell_of(const wit_surface_info* info, wit_direction w)
{
    int cells = w == WIT_U ? info->cells_u : info->cells_v;
    if (info->kind == WIT_SURFACE_NURBS) {
        int degree = w == WIT_U ? info->degree_u : info->degree_v;
        return cells == 1 ? 4 * degree : cells < 8 ? 2 + 2 * degree : degree > 3 ? degree : 3;
    }
    bool straight = info->kind == WIT_SURFACE_PLANE ||
                    (w == WIT_V && (info->kind == WIT_SURFACE_CYLINDER || info->kind == WIT_SURFACE_CONE ||
                                    info->kind == WIT_SURFACE_EXTRUSION));
    if (straight) return 8;
    return cells == 1 ? ROUND : 8;
}

static double second_difference(const sample* list, int at, int step)
{
    wit_vec3 middle = scale3(0.5, add3(list[at].p, list[at - 2 * step].p));
    return 2 * norm3(sub3(list[at - step].p, middle));
}

/* With the borders of its range, where the face lies next to them. */
static bool closed_contains(const wit_body* body, int face, const wit_face_info* info, const double* x)
{
    if (wit_body_face_contains(body, face, x[0], x[1])) return true;
    bool border = x[0] == info->u.lo || x[0] == info->u.hi || x[1] == info->v.lo || x[1] == info->v.hi;
    double u = x[0] + 1e-9 * (0.5 * (info->u.lo + info->u.hi) - x[0]);
    double v = x[1] + 1e-9 * (0.5 * (info->v.lo + info->v.hi) - x[1]);
    return border && wit_body_face_contains(body, face, u, v);
}

static void add_face(dense* d, int face)
{
    wit_face_info info = wit_body_face(d->body, face);
    wit_surface_info shape = wit_surface_describe(info.surface);
    piece* s = &d->piece[d->pieces];
    s->kind = WIT_FACE;
    s->id = face;
    s->dim = 2;
    s->surface = info.surface;
    s->range[0] = info.u;
    s->range[1] = info.v;
    s->unbounded = info.unbounded;
    s->block0 = d->blocks;
    wit_interval whole[2] = {shape.range_u, shape.range_v};
    bool closed[2] = {shape.closed_u, shape.closed_v};
    double* x[2];
    int n[2];
    if (info.unbounded) return;
    for (int k = 0; k < 2; k++) {
        s->wraps[k] = closed[k] && span(s->range[k]) >= (1 - 1e-12) * span(whole[k]);
        int breaks;
        const double* at = wit_surface_breaks(info.surface, k ? WIT_V : WIT_U, &breaks);
        n[k] = grid_lines(at, breaks, per_cell_of(&shape, k ? WIT_V : WIT_U), s->range[k], &x[k]) - 1;
    }
    for (int i = 0; i < n[0]; i += RUN)
        for (int j = 0; j < n[1]; j += RUN) {
            sample list[BLOCK_SAMPLES];
            int count = 0, rows = n[0] - i < RUN ? n[0] - i : RUN, columns = n[1] - j < RUN ? n[1] - j : RUN;
            double spacing = 0, bend = 0;
            bool some = false;
            for (int p = 0; p <= rows; p++)
                for (int q = 0; q <= columns; q++, count++) {
                    sample* t = &list[count];
                    t->x[0] = x[0][i + p];
                    t->x[1] = x[1][j + q];
                    wit_surface_jet at;
                    unsigned place = wit_surface_eval(info.surface, t->x[0], t->x[1], 0, NULL, &at);
                    t->p = at.p;
                    t->pole = (place & WIT_EVAL_DEGENERATE) != 0;
                    t->in = closed_contains(d->body, face, &info, t->x);
                    some = some || t->in;
                    int row = columns + 1;
                    if (p > 1) bend = fmax(bend, second_difference(list, count, row));
                    if (q > 1) bend = fmax(bend, second_difference(list, count, 1));
                    if (!p || !q) continue;
                    spacing = fmax(spacing, norm3(sub3(t->p, list[count - row - 1].p)));
                    spacing = fmax(spacing, norm3(sub3(list[count - 1].p, list[count - row].p)));
                    double mid[2] = {0.5 * (t->x[0] + list[count - row].x[0]), 0.5 * (t->x[1] + list[count - 1].x[1])};
                    some = some || wit_body_face_contains(d->body, face, mid[0], mid[1]);
                }
            if (some) add_block(d, d->pieces, list, count, spacing, bend);
        }
    free(x[0]);
    free(x[1]);
}

static void add_edge(dense* d, int edge)
{
    wit_edge_info info = wit_body_edge(d->body, edge);
    wit_curve_info shape = wit_curve_describe(info.curve);
    piece* s = &d->piece[d->pieces];
    s->kind = WIT_EDGE;
    s->id = edge;
    s->dim = 1;
    s->curve = info.curve;
    s->range[0] = info.range;
    s->wraps[0] = info.ring && shape.closed;
    s->block0 = d->blocks;
    int breaks;
    const double* at = wit_curve_breaks(info.curve, &breaks);
    double* x;
    int per_cell = shape.kind == WIT_CURVE_LINE ? RUN : shape.cells == 1 ? 2 * ROUND : shape.cells < 8 ? 12 : 6;
    int n = grid_lines(at, breaks, per_cell, info.range, &x) - 1;
    for (int i = 0; i < n; i += RUN) {
        sample list[RUN + 1];
        int count = 0;
        double spacing = 0, bend = 0;
        for (; count <= RUN && i + count <= n; count++) {
            wit_curve_jet here;
            wit_curve_eval(info.curve, x[i + count], 0, NULL, &here);
            list[count].x[0] = x[i + count];
            list[count].x[1] = 0;
            list[count].p = here.p;
            list[count].in = true;
            list[count].pole = false;
            if (count) spacing = fmax(spacing, norm3(sub3(here.p, list[count - 1].p)));
            if (count > 1) bend = fmax(bend, second_difference(list, count, 1));
        }
        add_block(d, d->pieces, list, count, spacing, bend);
    }
    free(x);
}

static void add_vertex(dense* d, int vertex)
{
    piece* s = &d->piece[d->pieces];
    s->kind = WIT_VERTEX;
    s->id = vertex;
    s->point = wit_body_vertex(d->body, vertex).point;
    s->block0 = d->blocks;
    sample one = {s->point, {0, 0}, true, false};
    add_block(d, d->pieces, &one, 1, 0, 0);
}

dense* dense_create(const wit_body* body)
{
    wit_body_info info = wit_body_describe(body);
    dense* d = grown(NULL, sizeof *d);
    memset(d, 0, sizeof *d);
    d->body = body;
    int total = info.face_count + info.edge_count + info.vertex_count;
    d->piece = grown(NULL, (size_t)(total + 1) * sizeof(piece));
    memset(d->piece, 0, (size_t)(total + 1) * sizeof(piece));
    for (; d->pieces < total; d->pieces++) {
        int k = d->pieces;
        if (k < info.face_count)
            add_face(d, k);
        else if (k < info.face_count + info.edge_count)
            add_edge(d, k - info.face_count);
        else
            add_vertex(d, k - info.face_count - info.edge_count);
        piece* s = &d->piece[k];
        s->blocks = d->blocks - s->block0;
        for (int i = 0; i < s->blocks; i++) {
            const block* b = &d->block[s->block0 + i];
            if (i == 0) s->centre = d->block[s->block0 + s->blocks / 2].c;
            s->radius = fmax(s->radius, norm3(sub3(b->c, s->centre)) + b->r);
        }
    }
    d->centre = grown(NULL, (size_t)(d->blocks + 1) * sizeof(wit_vec3));
    d->moved = grown(NULL, (size_t)(d->samples + 1) * sizeof(wit_vec3));
    d->list = grown(NULL, CANDIDATES * sizeof(candidate));
    d->inner = grown(NULL, (size_t)(d->samples + 1) * sizeof(int));
    for (int k = 0; k < d->samples; k++)
        if (d->sample[k].in) d->inner[d->inner_count++] = k;
    return d;
}

void dense_destroy(dense* d)
{
    if (!d) return;
    free(d->piece);
    free(d->block);
    free(d->sample);
    free(d->centre);
    free(d->moved);
    free(d->list);
    free(d->inner);
    free(d);
}

int dense_samples(const dense* d)
{
    return d->inner_count;
}

wit_vec3 dense_sample(const dense* d, int k)
{
    return d->sample[d->inner[k]].p;
}

/* ---- masks ----------------------------------------------------------------------------------- */

int dense_pieces(const dense* d)
{
    return d->pieces;
}

static void edge_on(const dense* d, const wit_body_info* info, int edge, uint8_t* on)
{
    wit_edge_info e = wit_body_edge(d->body, edge);
    uint8_t* vertices = on + info->face_count + info->edge_count;
    on[info->face_count + edge] = 1;
    if (e.start >= 0) vertices[e.start] = 1;
    if (e.end >= 0) vertices[e.end] = 1;
}

void dense_masked(const dense* d, const wit_mask* mask, uint8_t* on)
{
    wit_body_info info = wit_body_describe(d->body);
    memset(on, 0, (size_t)d->pieces);
    uint8_t* vertices = on + info.face_count + info.edge_count;
    for (int v = 0; v < info.vertex_count; v++)
        if (mask->vertices ? mask->vertices[v] != 0 : (mask->kinds >> WIT_VERTEX & 1u)) vertices[v] = 1;
    for (int e = 0; e < info.edge_count; e++)
        if (mask->edges ? mask->edges[e] != 0 : (mask->kinds >> WIT_EDGE & 1u)) edge_on(d, &info, e, on);
    for (int f = 0; f < info.face_count; f++) {
        if (!(mask->faces ? mask->faces[f] != 0 : (mask->kinds >> WIT_FACE & 1u))) continue;
        on[f] = 1;
        int loops = wit_body_face(d->body, f).loop_count;
        for (int l = 0; l < loops; l++)
            for (int k = 0; k < wit_body_loop_size(d->body, f, l); k++) {
                wit_use_info use;
                wit_body_loop_use(d->body, f, l, k, &use);
                if (use.edge >= 0) edge_on(d, &info, use.edge, on);
            }
        for (int v = 0; v < info.vertex_count; v++)
            for (int k = 0, g; (g = wit_body_vertex_face(d->body, v, k)) >= 0; k++)
                if (g == f) vertices[v] = 1;
    }
}

static dense_place place_at(const piece* s, const double* x)
{
    jet j;
    piece_jet(s, NULL, x, &j);
    dense_place p = {s->kind, s->id, s->dim > 0 ? x[0] : 0, s->dim > 1 ? x[1] : 0, j.p};
    return p;
}

static int candidate_order(const void* a, const void* b)
{
    double x = ((const candidate*)a)->low, y = ((const candidate*)b)->low;
    return x < y ? -1 : x > y;
}

/*
 * Can samples that are `far` apart stand for a pair closer than `best`, the points being within h of them? On flat pieces
 * the samples next to it are sqrt(best^2 + h^2) apart at most.
 */
static bool out_of_reach(double far, double h, double bend, double best)
{
    return far - bend >= sqrt(best * best + h * h);
}

/* ---- a point --------------------------------------------------------------------------------- */

double dense_point(dense* d, const uint8_t* on, wit_vec3 q, dense_place* out)
{
    double best = INFINITY, start = INFINITY;
    int n = 0;
    for (int k = 0; k < d->pieces; k++) {
        const piece* s = &d->piece[k];
        if (on && !on[k]) continue;
        if (s->unbounded) {
            double x[4] = {0};
            task t = {s, NULL, NULL, q};
            double far = refine(&t, x);
            if (far < best) *out = place_at(s, x);
            best = fmin(best, far);
            continue;
        }
        double reach = norm3(sub3(q, s->centre)) - s->radius;
        for (int i = s->block0; i < s->block0 + s->blocks && reach <= start; i++) {
            double far = norm3(sub3(q, d->block[i].c));
            if (d->block[i].in) start = fmin(start, far);
            candidate c = {i, 0, 0, 0, far - d->block[i].r};
            if (c.low <= start && n < CANDIDATES) d->list[n++] = c;
        }
    }
    int kept = 0;
    for (int k = 0; k < n; k++)
        if (d->list[k].low <= start) d->list[kept++] = d->list[k];
    qsort(d->list, (size_t)kept, sizeof(candidate), candidate_order);
    for (int k = 0; k < kept && d->list[k].low < best; k++) {
        const block* b = &d->block[d->list[k].a];
        const piece* s = &d->piece[b->piece];
        int nearest = -1;
        double far = INFINITY;
        for (int i = b->sample0; i < b->sample0 + b->samples; i++) {
            double w = norm3(sub3(q, d->sample[i].p));
            if (w < far) far = w, nearest = i;
        }
        if (far < best && d->sample[nearest].in) {
            best = far;
            *out = place_at(s, d->sample[nearest].x);
        }
        if (out_of_reach(far, b->h, b->bend, best)) continue;
        double x[4] = {d->sample[nearest].x[0], d->sample[nearest].x[1], 0, 0};
        task t = {s, NULL, NULL, q};
        far = refine(&t, x);
        if (far < best && piece_has(d, s, x)) {
            best = far;
            *out = place_at(s, x);
        }
    }
    return best;
}

/* ---- two bodies ------------------------------------------------------------------------------ */

typedef struct pair_state {
    dense *a, *b;
    const uint8_t *on_a, *on_b;
    frame f;
    double best;
    dense_place *out_a, *out_b;
} pair_state;

static void pair_refine(pair_state* w, const piece* a, const piece* b, const double* xa, const double* xb)
{
    double x[4] = {xa[0], xa[1], xb[0], xb[1]};
    task t = {a, b, &w->f, vec3(0, 0, 0)};
    double far = refine(&t, x);
    if (far < w->best && piece_has(w->a, a, x) && piece_has(w->b, b, x + 2)) {
        w->best = far;
        *w->out_a = place_at(a, x);
        *w->out_b = place_at(b, x + 2);
    }
}

/* An unbounded plane of a against all of b (mirrored: of b against all of a): by height over it. */
static void pair_plane(pair_state* w, const piece* plane, bool mirrored)
{
    dense* other = mirrored ? w->a : w->b;
    const uint8_t* on = mirrored ? w->on_a : w->on_b;
    double zero[2] = {0, 0};
    jet j;
    piece_jet(plane, mirrored ? &w->f : NULL, zero, &j);
    wit_vec3 n = unit3(cross3(j.d[0], j.d[1]));
    for (int k = 0; k < other->blocks; k++) {
        const block* b = &other->block[k];
        if (on && !on[b->piece]) continue;
        wit_vec3 c = mirrored ? b->c : w->b->centre[k];
        if (fabs(dot3(n, sub3(c, j.p))) - b->r >= w->best) continue;
        int lowest = b->sample0;
        double low = INFINITY;
        for (int i = b->sample0; i < b->sample0 + b->samples; i++) {
            double height = fabs(dot3(n, sub3(mirrored ? other->sample[i].p : other->moved[i], j.p)));
            if (height < low) low = height, lowest = i;
        }
        if (out_of_reach(low, b->h, b->bend, w->best)) continue;
        wit_vec3 r = sub3(mirrored ? other->sample[lowest].p : other->moved[lowest], j.p);
        double foot[2] = {dot3(r, j.d[0]) / dot3(j.d[0], j.d[0]), dot3(r, j.d[1]) / dot3(j.d[1], j.d[1])};
        if (mirrored)
            pair_refine(w, &other->piece[b->piece], plane, other->sample[lowest].x, foot);
        else
            pair_refine(w, plane, &other->piece[b->piece], foot, other->sample[lowest].x);
    }
}

static int pair_candidates(pair_state* w)
{
    dense *a = w->a, *b = w->b;
    double start = INFINITY;
    int n = 0;
    for (int i = 0; i < a->pieces; i++)
        for (int j = 0; j < b->pieces; j++) {
            const piece *p = &a->piece[i], *q = &b->piece[j];
            if ((w->on_a && !w->on_a[i]) || (w->on_b && !w->on_b[j]) || p->unbounded || q->unbounded) continue;
            if (norm3(sub3(p->centre, place_in(&w->f, q->centre))) - p->radius - q->radius > start) continue;
            for (int k = p->block0; k < p->block0 + p->blocks; k++)
                for (int l = q->block0; l < q->block0 + q->blocks; l++) {
                    double far = norm3(sub3(a->block[k].c, b->centre[l]));
                    if (a->block[k].in && b->block[l].in) start = fmin(start, far);
                    candidate c = {k, l, 0, 0, far - a->block[k].r - b->block[l].r};
                    if (c.low > start) continue;
                    if (n == CANDIDATES) { /* those that are out by now make room */
                        int kept = 0;
                        for (int m = 0; m < n; m++)
                            if (a->list[m].low <= start) a->list[kept++] = a->list[m];
                        n = kept;
                    }
                    if (n < CANDIDATES) a->list[n++] = c;
                }
        }
    int kept = 0;
    for (int m = 0; m < n; m++)
        if (a->list[m].low <= start) a->list[kept++] = a->list[m];
    qsort(a->list, (size_t)kept, sizeof(candidate), candidate_order);
    return kept;
}

/* The closest samples of each candidate, as long as its blocks can hold closer ones; ordered by their distance. */
static int pair_nearest(pair_state* w, int n)
{
    dense *a = w->a, *b = w->b;
    int kept = 0;
    for (int k = 0; k < n && a->list[k].low < w->best; k++) {
        candidate c = a->list[k];
        const block *p = &a->block[c.a], *q = &b->block[c.b];
        double far2 = INFINITY;
        for (int i = p->sample0; i < p->sample0 + p->samples; i++)
            for (int j = q->sample0; j < q->sample0 + q->samples; j++) {
                wit_vec3 r = sub3(a->sample[i].p, b->moved[j]);
                double w2 = dot3(r, r);
                if (w2 < far2) far2 = w2, c.at_a = i, c.at_b = j;
            }
        c.low = sqrt(far2);
        a->list[kept++] = c;
        if (c.low >= w->best || !a->sample[c.at_a].in || !b->sample[c.at_b].in) continue;
        w->best = c.low;
        *w->out_a = place_at(&a->piece[p->piece], a->sample[c.at_a].x);
        *w->out_b = place_at(&b->piece[q->piece], b->sample[c.at_b].x);
    }
    qsort(a->list, (size_t)kept, sizeof(candidate), candidate_order);
    return kept;
}

static frame frame_between(const wit_pose* a, const wit_pose* b)
{
    wit_pose back = wit_pose_inverse(a), rel = wit_pose_compose(&back, b);
    frame f;
    wit_vec3 x = wit_pose_vector(&rel, vec3(1, 0, 0)), y = wit_pose_vector(&rel, vec3(0, 1, 0)),
             z = wit_pose_vector(&rel, vec3(0, 0, 1));
    f.x = vec3(x.x, y.x, z.x);
    f.y = vec3(x.y, y.y, z.y);
    f.z = vec3(x.z, y.z, z.z);
    f.t = rel.position;
    return f;
}

double dense_pair(dense* a, const uint8_t* on_a, const wit_pose* pose_a, dense* b, const uint8_t* on_b,
                  const wit_pose* pose_b, dense_place* out_a, dense_place* out_b)
{
    pair_state w = {a, b, on_a, on_b, frame_between(pose_a, pose_b), INFINITY, out_a, out_b};
    for (int k = 0; k < b->blocks; k++) b->centre[k] = place_in(&w.f, b->block[k].c);
    for (int k = 0; k < b->samples; k++) b->moved[k] = place_in(&w.f, b->sample[k].p);
    for (int k = 0; k < a->pieces; k++)
        if (a->piece[k].unbounded && (!on_a || on_a[k])) pair_plane(&w, &a->piece[k], false);
    for (int k = 0; k < b->pieces; k++)
        if (b->piece[k].unbounded && (!on_b || on_b[k])) pair_plane(&w, &b->piece[k], true);
    int n = pair_nearest(&w, pair_candidates(&w));
    /* First two of every pair of pieces, then the rest. */
    memset(a->seen, 0, sizeof a->seen);
    for (int k = 0, refined = 0; k < 2 * n && refined < REFINED; k++) {
        candidate* c = &a->list[k % n];
        const block *p = &a->block[c->a], *q = &b->block[c->b];
        if (c->at_a < 0 || out_of_reach(c->low, p->h + q->h, p->bend + q->bend, w.best)) continue;
        uint8_t* seen = &a->seen[(unsigned)(p->piece * 193 + q->piece) % SEEN];
        if (k < n && *seen >= 2) continue;
        ++*seen;
        pair_refine(&w, &a->piece[p->piece], &b->piece[q->piece], a->sample[c->at_a].x, b->sample[c->at_b].x);
        c->at_a = -1;
        refined++;
    }
    return w.best;
}
