/* SPDX-License-Identifier: MIT */
#include "cover.h"

#include <string.h>

#include "../../base/allocator.h"
#include "../../base/arena.h"
#include "../../base/error.h"
#include "../../geom/polar.h"
#include "section.h"

enum { FAN_MOST = 96, LOOKS = 20000 };
#define NEAR                                                                                                           \
    1e-11 /* of size and coordinates: corners that are nearer are one, which takes from a piece; narrower is none */

/* Directions between the normals of neighbouring sides: no more than this angle apart. The last one: normals only. */
static const double steps[] = {PI / 16, PI / 8, PI / 4, PI / 2, 8};
enum { STEPS = sizeof steps / sizeof steps[0] };

/* The directions of a cell, all round. Between two that follow each other one corner is the farthest. */
typedef struct fan {
    int count;
    point2 u[FAN_MOST];
    double most[FAN_MOST]; /* of u.q over the cell */
} fan;

typedef struct cutting {
    section s;
    convex_polygon hull, cell[SECTION_CELLS];
    fan fans[SECTION_CELLS];
    int cells;
    double near, size;
    convex_polygon piece[COVER_PIECES], outer[COVER_OUTERS];
    int pieces, outers;
    int looks;
    bool failed;
} cutting;

/* ---- directions ------------------------------------------------------------------------------ */

static void fan_of(const convex_polygon* q, double step, fan* f)
{
    f->count = 0;
    for (int i = 0; i < q->count; ++i) {
        point2 a = wi_polygon_normal(q, i), b = wi_polygon_normal(q, (i + 1) % q->count);
        double angle = wit_atan2(a.x * b.y - a.y * b.x, dot2(a, b));
        int parts = angle > step ? (int)(angle / step + 0.999) : 1;
        for (int k = 0; k < parts; ++k) {
            double sine, cosine;
            if (f->count == FAN_MOST) {
                f->count = 0;
                return;
            }
            wit_sincos(angle * k / parts, &sine, &cosine);
            point2 u = {cosine * a.x - sine * a.y, sine * a.x + cosine * a.y};
            f->most[f->count] = wi_polygon_most(q, u);
            f->u[f->count++] = u;
        }
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static double area_of(const convex_polygon* c)
{
    double area = 0;
    for (int i = 1; i + 1 < c->count; ++i) area += 0.5 * turn2(c->p[0], c->p[i], c->p[i + 1]);
    return area;
}

static bool enough(const cutting* t, const convex_polygon* c)
{
    return c->count > 2 && area_of(c) > t->near * t->size;
}

/* Into the list, but not where another holds it, and those that it holds go. False: the list is full. */
static bool keep(convex_polygon* list, int* count, int most, const convex_polygon* c, double near)
{
    for (int i = 0; i < *count; ++i)
        if (wi_polygon_holds(&list[i], c, near)) return true;
    for (int i = 0; i < *count;) {
        if (wi_polygon_holds(c, &list[i], near))
            list[i] = list[--*count];
        else
            ++i;
    }
    if (*count == most) return false;
    list[(*count)++] = *c;
    return true;
}

static void cut_pieces(cutting* t, const convex_polygon* c)
{
    int k = 0;
    if (t->failed || ++t->looks > LOOKS) {
        t->failed = true;
        return;
    }
    for (int i = 0; i < t->pieces; ++i)
        if (wi_polygon_holds(&t->piece[i], c, 0)) return;
    while (k < t->cells && !wi_polygons_overlap(c, &t->cell[k], t->s.error)) ++k;
    if (k == t->cells) {
        if (!keep(t->piece, &t->pieces, COVER_PIECES, c, 0)) t->failed = true;
        return;
    }
    const fan* f = &t->fans[k];
    for (int i = 0; i < f->count && !t->failed; ++i) {
        convex_polygon part;
        if (!wi_polygon_cut(c, f->u[i], f->most[i], t->near, &part)) t->failed = true;
        if (enough(t, &part)) cut_pieces(t, &part);
    }
}

/* ---- outer sets ------------------------------------------------------------------------------ */

/* All of c that is in one of both halves, and what that spans. */
static bool either(const convex_polygon* c, const fan* f, int i, convex_polygon* out)
{
    point2 p[2 * POLYGON_MOST];
    int n = 0;
    for (int k = 0; k < 2; ++k) {
        convex_polygon part;
        int m = (i + k) % f->count;
        if (!wi_polygon_cut(c, f->u[m], f->most[m], 0, &part)) return false;
        for (int j = 0; j < part.count; ++j) p[n++] = part.p[j];
    }
    return wi_polygon_hull(p, n, 0, out);
}

static void cut_outers(cutting* t, const convex_polygon* c, int from)
{
    int k = from;
    if (t->failed || ++t->looks > LOOKS) {
        t->failed = true;
        return;
    }
    while (k < t->cells && !wi_polygons_overlap(c, &t->cell[k], 0)) ++k;
    if (k == t->cells) {
        if (!keep(t->outer, &t->outers, COVER_OUTERS, c, 0)) t->failed = true;
        return;
    }
    const fan* f = &t->fans[k];
    for (int i = 0; i < f->count && !t->failed; ++i) {
        convex_polygon part;
        if (!either(c, f, i, &part)) t->failed = true;
        if (part.count > 2) cut_outers(t, &part, k + 1);
    }
}

/* ---- the cover ------------------------------------------------------------------------------- */

/* As many directions as there is room for. */
static bool cut_section(cutting* t)
{
    for (int k = 0; k < STEPS; ++k) {
        t->failed = false;
        t->pieces = t->outers = t->looks = 0;
        for (int i = 0; i < t->cells; ++i) {
            fan_of(&t->cell[i], steps[k], &t->fans[i]);
            if (!t->fans[i].count) t->failed = true;
        }
        cut_pieces(t, &t->hull);
        if (t->failed || !t->pieces) continue;
        t->looks = 0;
        cut_outers(t, &t->hull, 0);
        if (t->failed) { /* the hull itself holds every part */
            t->outer[0] = t->hull;
            t->outers = 1;
        }
        return true;
    }
    return false;
}

static wit_body* piece_body(const section* s, const convex_polygon* c, const wit_allocator* allocator, wit_error* error)
{
    double polygon[2 * POLYGON_MOST];
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    for (int i = 0; i < c->count; ++i) {
        polygon[2 * i] = c->p[i].x;
        polygon[2 * i + 1] = c->p[i].y;
    }
    d.frame = (wit_frame){s->o, s->x, s->z};
    d.polygon = polygon;
    d.polygon_count = c->count;
    d.height = s->height;
    return wit_solid_create(&d, allocator, error);
}

static size_t corners_of(const cutting* t)
{
    size_t n = 0;
    for (int i = 0; i < t->outers; ++i) n += 2 * (size_t)t->outer[i].count;
    return n;
}

static void put_outers(const cutting* t, wit_body* b)
{
    const section* s = &t->s;
    int32_t* first = (int32_t*)(void*)((char*)b + b->cover.outer_at);
    wit_vec3* p = (wit_vec3*)(void*)((char*)b + b->cover.point_at);
    int32_t n = 0;
    for (int i = 0; i < t->outers; ++i) {
        first[i] = n;
        for (int k = 0; k < 2 * t->outer[i].count; ++k) {
            point2 q = t->outer[i].p[k / 2];
            p[n++] = addscaled3(addscaled3(addscaled3(s->o, q.x, s->x), q.y, s->y), k & 1 ? s->height : 0, s->z);
        }
    }
    first[t->outers] = n;
}

/* The block of the body and behind it those of the pieces. */
static wit_body* put_together(const cutting* t, const wit_body* body, wit_body* const* pieces)
{
    arena a = wi_arena_measure();
    body_cover c = {.pieces = t->pieces, .outers = t->outers};
    size_t at[COVER_PIECES];
    wi_arena_reserve(&a, body->bytes, 1);
    c.piece_at = wi_arena_reserve(&a, (size_t)t->pieces, sizeof(size_t));
    c.outer_at = wi_arena_reserve(&a, (size_t)t->outers + 1, sizeof(int32_t));
    c.point_at = wi_arena_reserve(&a, corners_of(t), sizeof(wit_vec3));
    for (int i = 0; i < t->pieces; ++i) at[i] = wi_arena_reserve(&a, pieces[i]->bytes, 1);
    wit_body* out = wi_allocator_take(&body->allocator, a.used);
    if (!out) return NULL;
    memcpy(out, body, body->bytes);
    c.error = 2 * t->s.error;
    out->bytes = a.used;
    out->cover = c;
    memcpy((char*)out + c.piece_at, at, (size_t)t->pieces * sizeof *at);
    for (int i = 0; i < t->pieces; ++i) memcpy((char*)out + at[i], pieces[i], pieces[i]->bytes);
    put_outers(t, out);
    return out;
}

/* False, with *out the body as it was or null: no memory. */
static wit_status add_cover(cutting* t, wit_body** body, const wit_allocator* allocator)
{
    wit_body* pieces[COVER_PIECES] = {NULL};
    wit_error local = {0};
    wit_body* out = NULL;
    int made = 0;
    for (; made < t->pieces; ++made) {
        pieces[made] = piece_body(&t->s, &t->piece[made], allocator, &local);
        if (!pieces[made] || !(pieces[made]->facts.convex_within <= t->s.error)) break;
    }
    if (made == t->pieces) {
        out = put_together(t, *body, pieces);
        if (!out) local.status = WIT_ERROR_MEMORY;
    }
    for (int i = 0; i < t->pieces; ++i) wit_body_destroy(pieces[i]);
    if (!out) return local.status == WIT_ERROR_MEMORY ? WIT_ERROR_MEMORY : WIT_OK; /* a piece too thin: no cover */
    wit_body_destroy(*body);
    *body = out;
    return WIT_OK;
}

wit_body* wi_body_with_cover(wit_body* body, const wit_allocator* allocator, wit_error* error)
{
    section s;
    if (body->facts.looks_convex || !wi_section_of(body, &s)) return body;
    cutting* t = wi_allocator_take(&body->allocator, sizeof *t);
    wit_status status = t ? WIT_OK : WIT_ERROR_MEMORY;
    if (t) {
        wit_allocator memory = body->allocator;
        t->s = s;
        t->size = body->size;
        t->near = NEAR * (body->size + larger(norm3(body->box.lo), norm3(body->box.hi)));
        if (wi_section_outside(&s, t->near, &t->hull, t->cell, &t->cells) && t->cells && cut_section(t))
            status = add_cover(t, &body, allocator);
        wi_allocator_release(&memory, t, sizeof *t);
    }
    if (!status) return body;
    wit_body_destroy(body);
    wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for the convex pieces of the body");
    return NULL;
}
