/* SPDX-License-Identifier: MIT */
/*
 * Boxes with one foot at most (graph_form.h), from the pieces that cover them: no enclosure is made.
 *
 * Over the plane across n, from which the normals of a piece lean by the angle a at most, its curvatures k make f'' of k / cos^3 a
 * at most: a tangent is longer than its image by 1 / cos a, and f'' is along n what the curvature is along the normal.
 */
#include "shape_forms.h"

#include "crease.h"
#include "shape_look.h"

enum {
    FORMS = 4,
    OPEN = 128
};                    /* pieces one within the other that have a form; pieces that wait while a box is covered */
#define STEEPEST 0.37 /* cosine: normals lean by less */
#define SLACK 1e-6    /* of cosines: axes are floats */
#define ROUNDING 1e-13
#define COVERED 1e-12 /* of the area of a box, that sums of areas of its parts may miss by rounding */
#define NARROW 1e-2   /* of the box: where knots are nearer to each other a part could be as small */

typedef struct cover {
    const shape_list* list;
    const wit_interval* box;
    wit_vec3 axes[3];
    wit_interval d1[2][3];
    double cosine; /* of the lean, at least */
    double area;
    bool empty;
    graph_form* form;
} cover;

static double clipped(wit_interval a, wit_interval b)
{
    return smaller(a.hi, b.hi) - larger(a.lo, b.lo);
}

static wit_interval joined(bool first, wit_interval a, wit_interval b)
{
    return first ? b : iv_union(a, b);
}

/* S.n over a piece: by its box, and by what it is off along its axis and across it. */
static wit_interval height_of(const shape_node* s, wit_vec3 n, double cosine, double sine)
{
    const double v[3] = {n.x, n.y, n.z};
    double lo = 0, hi = 0, at = dot3(n, shape_point(s)), off = cosine * s->along + sine * s->across + s->p_error,
           size = 0;
    for (int k = 0; k < 3; ++k) {
        lo += v[k] * (double)(v[k] > 0 ? s->box_lo[k] : s->box_hi[k]);
        hi += v[k] * (double)(v[k] > 0 ? s->box_hi[k] : s->box_lo[k]);
        size += fabs((double)s->box_lo[k]) + fabs((double)s->box_hi[k]);
    }
    off += SLACK * (s->along + s->across);
    return iv_widen(iv(larger(lo, at - off), smaller(hi, at + off)), ROUNDING * size);
}

/* |e.S_ij| at most over a piece, k = ij; `along` and `across`: of e, beside its axis. */
static double second_along(const shape_node* s, int k, wit_vec3 e, double along, double across)
{
    return fabs(dot3(e, shape_vector(s->d2[k]))) + along * s->d2_along[k] + across * s->d2_across[k] +
           ROUNDING * shape_second(s, k);
}

/* The components of S_u and S_v along e over a piece. */
static void tangents_along(const shape_node* s, wit_vec3 e, wit_interval out[2])
{
    double along = fabs(dot3(e, shape_vector(s->axis))), across = sqrt(larger(0, 1 - along * along)), second[3];
    for (int k = 0; k < 3; ++k) second[k] = second_along(s, k, e, along + SLACK, across + SLACK);
    for (int i = 0; i < 2; ++i) {
        double off = s->d1_error[i] + s->h[0] * second[i] + s->h[1] * second[i + 1];
        out[i] = iv_widen(iv_point(dot3(e, shape_vector(s->d1[i]))), off * (1 + ROUNDING) + ROUNDING * s->speed[i]);
    }
}

/* False: too steep, or nothing is known of its curvature. */
static bool take(cover* c, const shape_node* s)
{
    double t = s->tangent, cosine = dot3(shape_vector(s->axis), c->axes[2]);
    if (!(t < INFINITY) || !isfinite(s->bend_up + s->bend_down) || !(cosine > 0)) return false;
    double sine = sqrt(larger(0, 1 - cosine * cosine)), narrow = 1 / sqrt(1 + t * t);
    double lean = (cosine - sine * t) * narrow - SLACK;
    if (!(lean > STEEPEST)) return false;
    double grow = (1 + ROUNDING) / (lean * lean * lean);
    graph_form* f = c->form;
    f->up = larger(f->up, s->bend_up * grow);
    f->down = larger(f->down, s->bend_down * grow);
    f->height = joined(c->empty, f->height, height_of(s, c->axes[2], smaller(1, cosine), sine));
    for (int k = 0; k < 2; ++k) { /* in the plane */
        wit_interval d[2];
        tangents_along(s, c->axes[k], d);
        for (int i = 0; i < 2; ++i) c->d1[i][k] = joined(c->empty, c->d1[i][k], d[i]);
    }
    c->cosine = smaller(c->cosine, lean);
    c->empty = false;
    return true;
}

/* All that is stored below a root and lies in the box, moved by the shift. A half that is gone is trimmed away, but part of the box. */
static bool take_below(cover* c, int32_t root, const double shift[2])
{
    int32_t open[OPEN];
    int count = 0;
    open[count++] = root;
    while (count) {
        const shape_entry* e = &c->list->entries[open[--count]];
        double w[2];
        for (int k = 0; k < 2; ++k) w[k] = clipped(iv(e->box[k].lo + shift[k], e->box[k].hi + shift[k]), c->box[k]);
        if (!(w[0] > 0 && w[1] > 0)) continue;
        if (e->child[0] >= 0 && e->child[1] >= 0) {
            if (count + 2 > OPEN) return false;
            open[count++] = e->child[0];
            open[count++] = e->child[1];
            continue;
        }
        c->area += w[0] * w[1];
        if (!take(c, &e->shape)) return false;
    }
    return true;
}

/* No two knots in the box are very near to each other. */
static bool knots_apart(const wit_surface* s, const wit_interval box[2])
{
    for (int k = 0; k < 2; ++k) {
        int count;
        const double* at = wit_surface_breaks(s, k == 0 ? WIT_U : WIT_V, &count);
        for (int i = 1; i < count; ++i)
            if (!(at[i] - at[i - 1] > NARROW * iv_width(box[k]))) return false;
    }
    return true;
}

/* The pieces of the face of leaf `at` that lie in the box. */
static bool cover_box(cover* c, const wit_body* body, const leaf_list* leaves, int at, const double period[2])
{
    int id = leaves->nodes[at].feature, first = at, last = at;
    while (first > 0 && leaves->nodes[first - 1].kind == WIT_FACE && leaves->nodes[first - 1].feature == id) --first;
    while (last + 1 < leaves->count && leaves->nodes[last + 1].kind == WIT_FACE &&
           leaves->nodes[last + 1].feature == id)
        ++last;
    const body_face* f = &body_faces(body)[id];
    int turns[2][2]; /* of the parts of the face that the box reaches over its seams */
    for (int k = 0; k < 2; ++k) {
        wit_interval range = k == 0 ? f->u : f->v;
        turns[k][0] = period[k] > 0 && c->box[k].lo < range.lo ? -1 : 0;
        turns[k][1] = period[k] > 0 && c->box[k].hi > range.hi ? 1 : 0;
    }
    for (int a = turns[0][0]; a <= turns[0][1]; ++a)
        for (int b = turns[1][0]; b <= turns[1][1]; ++b) {
            const double shift[2] = {a * period[0], b * period[1]};
            for (int i = first; i <= last; ++i) {
                const tree_node* n = &leaves->nodes[i];
                if (!(clipped(iv(n->u.lo + shift[0], n->u.hi + shift[0]), c->box[0]) > 0) ||
                    !(clipped(iv(n->v.lo + shift[1], n->v.hi + shift[1]), c->box[1]) > 0))
                    continue;
                if (c->list->roots[i] < 0 || !take_below(c, c->list->roots[i], shift)) return false;
            }
        }
    return c->area >= (1 - COVERED) * iv_width(c->box[0]) * iv_width(c->box[1]);
}

/* The box of three times the width of the entry. */
static bool form_of(const wit_body* b, const leaf_list* leaves, const shape_list* list, int leaf, const shape_entry* e,
                    graph_kept* kept, shape_form* out)
{
    int id = leaves->nodes[leaf].feature, knots;
    const body_face* f = &body_faces(b)[id];
    const wit_surface* s = body_surface(b, id);
    double period[2];
    for (int k = 0; k < 2; ++k) {
        wit_interval range = k == 0 ? f->u : f->v;
        double w = iv_width(e->box[k]), all = iv_width(k == 0 ? s->u : s->v);
        bool closed = (k == 0 ? s->closed_u : s->closed_v) && iv_width(range) >= all;
        out->box[k] = iv(e->box[k].lo - w, e->box[k].hi + w);
        if (!closed) out->box[k] = iv(larger(out->box[k].lo, range.lo), smaller(out->box[k].hi, range.hi));
        if (closed && iv_width(out->box[k]) > 0.95 * all) return false;
        period[k] = closed ? all : 0;
    }
    graph_form* g = &out->form;
    *g = (graph_form){.axis = unit3(shape_vector(e->shape.axis))};
    cover c = {.list = list, .box = out->box, .cosine = 1, .empty = true, .form = g};
    c.axes[2] = g->axis;
    complete3(c.axes[2], &c.axes[0], &c.axes[1]);
    if (!knots_apart(s, out->box) || !cover_box(&c, b, leaves, leaf, period)) return false;
    g->lean = sqrt(larger(0, 1 - c.cosine * c.cosine)) / c.cosine * (1 + ROUNDING);
    if (!wi_graph_chart((const wit_interval(*)[3])c.d1, g)) return false;
    return wi_graph_jumps(s, out->box, made_of_pieces(b, WIT_FACE, id) ? CREASE : 0, g, &knots, kept);
}

void wi_shape_forms_make(const wit_body* body, const leaf_list* leaves, const int32_t* leaf, shape_list* list)
{
    graph_kept kept = {0};
    for (int i = 0; i < list->count; ++i) {
        shape_entry* e = &list->entries[i];
        int above = e->form; /* how many above it have one */
        e->form = SHAPE_NONE;
        if (leaves->nodes[leaf[i]].kind != WIT_FACE) continue;
        if (above < FORMS && !e->shape.boxed &&
            form_of(body, leaves, list, leaf[i], e, &kept, &list->forms[list->form_count])) {
            e->form = list->form_count++;
            ++above;
        }
        for (int k = 0; k < 2; ++k)
            if (e->child[k] >= 0) list->entries[e->child[k]].form = above;
    }
}
