/* SPDX-License-Identifier: MIT */
#include "patch_outline.h"

#include "../body/meeting.h"

#define ARC_REACH 0.25 /* of a chord: no farther is its arc from it */

static outline_piece* next_piece(patch_outline* l)
{
    if (l->count == OUTLINE_MOST) {
        l->partial = true;
        return NULL;
    }
    return &l->piece[l->count++];
}

static void put_ends(outline_piece* p, const patch_view* view, wit_vec3 from, wit_vec3 to)
{
    p->x[0] = view_x(view, from), p->y[0] = view_y(view, from);
    p->x[1] = view_x(view, to), p->y[1] = view_y(view, to);
}

static void add_straight(patch_outline* l, const patch_view* view, int32_t use)
{
    const wit_body* b = l->side->body;
    const body_use* u = &body_uses(b)[use];
    const body_edge* e = &body_edges(b)[u->edge];
    outline_piece* p = next_piece(l);
    if (!p) return;
    int32_t from = u->reversed ? e->end : e->start, to = u->reversed ? e->start : e->end;
    *p = (outline_piece){.edge = u->edge, .vertex = from, .forward = !u->reversed};
    p->t[0] = u->reversed ? e->range.hi : e->range.lo;
    p->t[1] = u->reversed ? e->range.lo : e->range.hi;
    put_ends(p, view, side_point(l->side, body_vertices(b)[from].point),
             side_point(l->side, body_vertices(b)[to].point));
}

static void add_curved(patch_outline* l, const patch_view* view, int32_t use)
{
    const wit_body* b = l->side->body;
    const body_use* u = &body_uses(b)[use];
    const body_edge* e = &body_edges(b)[u->edge];
    wit_surface_jet j;
    wit_vec3 last = {0, 0, 0};
    if (side_spent(l->side, l->count + 2 * CHORDS + 1)) l->partial = true;
    for (int k = 0; k <= CHORDS && !l->partial; ++k) {
        double part = (double)(u->reversed ? CHORDS - k : k) / CHORDS;
        double t = e->range.lo + part * iv_width(e->range), step = iv_width(e->range) / CHORDS;
        side_edge_jet(l->side, u->edge, t, WIT_KNOT_DEFAULT, &j);
        outline_piece* p = k ? next_piece(l) : NULL;
        if (p) {
            *p = (outline_piece){.edge = u->edge, .vertex = -1, .curved = true, .forward = !u->reversed};
            if (k == 1) p->vertex = u->reversed ? e->end : e->start;
            p->t[0] = u->reversed ? t + step : t - step;
            p->t[1] = t;
            put_ends(p, view, last, j.p);
        }
        last = j.p;
    }
    l->curved = true;
}

static void add_line(patch_outline* l, const patch_view* view)
{
    const support_patch* s = l->patch;
    outline_piece* p = next_piece(l);
    *p = (outline_piece){.edge = s->edge, .vertex = -1, .forward = true, .t = {s->t[0], s->t[1]}};
    if (s->edge >= 0) p->vertex = body_edges(l->side->body)[s->edge].start;
    put_ends(p, view, s->end[0], s->end[1]);
}

void wi_patch_outline(const side* s, const support_patch* patch, const patch_view* view, patch_outline* out)
{
    out->side = s;
    out->patch = patch;
    out->count = 0;
    out->curved = out->partial = false;
    if (patch->kind == PATCH_LINE) add_line(out, view);
    if (patch->kind != PATCH_AREA) return;
    const body_face* f = &body_faces(s->body)[patch->face];
    for (int32_t l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(s->body)[f->first_loop + l];
        if (side_spent(s, out->count + loop->uses)) out->partial = true;
        for (int32_t k = 0; k < loop->uses && !out->partial; ++k) {
            int32_t use = loop->first_use + k, edge = body_uses(s->body)[use].edge;
            if (edge < 0) continue;
            if (wi_edge_straight(s->body, edge))
                add_straight(out, view, use);
            else
                add_curved(out, view, use);
        }
    }
    if (!out->partial) side_boxes(s, out->count);
}

/* The square of the distance from (x, y) to a piece. */
static double square_to(const outline_piece* p, double x, double y)
{
    double dx = p->x[1] - p->x[0], dy = p->y[1] - p->y[0], w = dx * dx + dy * dy;
    double s = w > 0 ? ((x - p->x[0]) * dx + (y - p->y[0]) * dy) / w : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    double ex = x - p->x[0] - s * dx, ey = y - p->y[0] - s * dy;
    return ex * ex + ey * ey;
}

static bool in_trims_at(const patch_outline* l, const patch_view* view, double x, double y)
{
    place at = wi_plane_place(l->side, l->patch->face, wi_patch_point(l->patch, view, x, y));
    return wi_side_contains(l->side, WIT_FACE, at.id, at.u, at.v);
}

/* Chords do not tell beside an arc: the trims do. So near to a chord that its arc may pass by, places around count too. */
static bool in_trims(const patch_outline* l, const patch_view* view, double x, double y, double slack)
{
    if (in_trims_at(l, view, x, y)) return true;
    bool near = false;
    for (int k = 0; k < l->count && !near; ++k) {
        const outline_piece* p = &l->piece[k];
        double dx = p->x[1] - p->x[0], dy = p->y[1] - p->y[0], reach = slack + ARC_REACH * sqrt(dx * dx + dy * dy);
        near = p->curved && square_to(p, x, y) <= reach * reach;
    }
    for (int k = 0; k < 4 && near; ++k)
        if (in_trims_at(l, view,
                        x + (k == 0   ? slack
                             : k == 1 ? -slack
                                      : 0),
                        y + (k == 2   ? slack
                             : k == 3 ? -slack
                                      : 0)))
            return true;
    return false;
}

bool wi_outline_holds(const patch_outline* l, const patch_view* view, double x, double y, double slack)
{
    bool in = false;
    const body_face* f = &body_faces(l->side->body)[l->patch->face];
    if (f->unbounded) return true;
    for (int k = 0; k < l->count; ++k) {
        const outline_piece* p = &l->piece[k];
        if (!p->curved && square_to(p, x, y) <= slack * slack) return true;
        /* a ray to the right: between the heights of its ends, one of them counted */
        if ((p->y[0] > y) == (p->y[1] > y)) continue;
        double at = p->x[0] + (y - p->y[0]) / (p->y[1] - p->y[0]) * (p->x[1] - p->x[0]);
        if (at > x) in = !in;
    }
    return l->curved ? in_trims(l, view, x, y, slack) : in;
}

wit_vec3 wi_patch_point(const support_patch* patch, const patch_view* view, double x, double y)
{
    wit_vec3 q = addscaled3(addscaled3(view->o, x, view->e1), y, view->e2);
    if (patch->kind == PATCH_AREA)
        return addscaled3(q, dot3(patch->n, sub3(patch->o, q)) / dot3(patch->n, view->n), view->n);
    double from[2] = {view_x(view, patch->end[0]), view_y(view, patch->end[0])};
    double dx = view_x(view, patch->end[1]) - from[0], dy = view_y(view, patch->end[1]) - from[1];
    double s = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
    return addscaled3(patch->end[0], s, sub3(patch->end[1], patch->end[0]));
}
