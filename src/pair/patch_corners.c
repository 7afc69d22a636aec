/* SPDX-License-Identifier: MIT */
#include "patch_corners.h"

enum { NEWTON = 8, NEWTON_JETS = 2 * NEWTON, BISECTIONS = 48 };
#define SAME 1e-6      /* of the size: corners no farther apart are one */
#define ON_BORDER 1e-9 /* of the size: so near to an outline is in it */
#define PARALLEL 1e-9  /* of the size: two lines are as parallel as this over their length */
#define ALONG 1e-4     /* sine: curved edges that cross at a smaller angle do not, */
#define ON_ARC 1e-4    /* of the size: and a place so near to a curved border is in it */
#define LEVEL 1e-9     /* sine: patches that lean less have no way in which they do */

/* ---- the list ------------------------------------------------------------------------------- */

/* Of more than enough those that are farthest out in as many directions. */
static void keep_outermost(patch_corners* l)
{
    bool keep[CORNERS_MOST] = {false};
    for (int d = 0; d < CORNERS_KEPT; ++d) {
        double sine, cosine, most = -INFINITY;
        int best = 0;
        wit_sincos(TWO_PI * d / CORNERS_KEPT, &sine, &cosine);
        for (int k = 0; k < l->count; ++k) {
            double far = cosine * l->c[k].x + sine * l->c[k].y;
            if (far > most) most = far, best = k;
        }
        keep[best] = true;
    }
    int count = 0;
    for (int k = 0; k < l->count; ++k)
        if (keep[k]) l->c[count++] = l->c[k];
    l->count = count;
}

void wi_corner_add(const patch_pair* q, const patch_corner* c, patch_corners* l)
{
    for (int k = 0; k < l->count; ++k) {
        wit_vec3 a = sub3(l->c[k].at[0].p, c->at[0].p), b = sub3(l->c[k].at[1].p, c->at[1].p);
        if (dot3(a, a) + dot3(b, b) <= SAME * SAME * q->size * q->size) return;
    }
    if (l->count == CORNERS_MOST) keep_outermost(l);
    l->c[l->count++] = *c;
}

/* ---- two outlines ----------------------------------------------------------------------------- */

typedef struct corner_hunt {
    const patch_pair* q;
    patch_view view;
    support_patch patch[2];
    patch_outline line[2];
    patch_corners* out;
} corner_hunt;

/* Where (x, y) is on a side: on the edge or ruling of a piece, or in its plane. */
static place place_above(const corner_hunt* h, int i, const outline_piece* p, double part, double x, double y)
{
    const support_patch* patch = &h->patch[i];
    wit_vec3 at = wi_patch_point(patch, &h->view, x, y);
    double t = p ? p->t[0] + part * (p->t[1] - p->t[0]) : 0;
    if (p && p->edge >= 0) return place_at(WIT_EDGE, p->edge, t, 0, at);
    if (p) return place_at(WIT_FACE, patch->face, patch->u, t, at);
    if (patch->kind == PATCH_AREA) return wi_plane_place(h->q->side[i], patch->face, at);
    /* a line that the other side's vertex stands over */
    wit_vec3 d = sub3(patch->end[1], patch->end[0]);
    t = patch->t[0] + dot3(sub3(at, patch->end[0]), d) / dot3(d, d) * (patch->t[1] - patch->t[0]);
    if (patch->edge >= 0) return place_at(WIT_EDGE, patch->edge, t, 0, at);
    return place_at(WIT_FACE, patch->face, patch->u, t, at);
}

static void add_corner(corner_hunt* h, const place at[2], double x, double y)
{
    patch_corner c = {{at[0], at[1]}, h->view.n, x, y};
    wi_corner_add(h->q, &c, h->out);
}

/* A place of outline i that stands over the other patch, if it does. */
static void add_over(corner_hunt* h, int i, const place* own, double x, double y)
{
    const patch_outline* other = &h->line[1 - i];
    if (!wi_outline_holds(other, &h->view, x, y, (other->curved ? ON_ARC : ON_BORDER) * h->q->size)) return;
    place at[2];
    at[i] = *own;
    at[1 - i] = place_above(h, 1 - i, NULL, 0, x, y);
    add_corner(h, at, x, y);
}

static void add_vertices(corner_hunt* h, int i)
{
    const patch_outline* l = &h->line[i];
    const wit_body* b = h->q->side[i]->body;
    if (h->patch[1 - i].kind != PATCH_AREA) return;
    for (int k = 0; k < l->count; ++k) {
        const outline_piece* p = &l->piece[k];
        if (p->vertex < 0) continue;
        place own = place_at(WIT_VERTEX, p->vertex, 0, 0, side_point(h->q->side[i], body_vertices(b)[p->vertex].point));
        add_over(h, i, &own, p->x[0], p->y[0]);
    }
    if (h->patch[i].kind != PATCH_LINE) return;
    const support_patch* line = &h->patch[i];
    for (int k = 0; k < 2; ++k) {
        place own = place_at(WIT_FACE, line->face, line->u, line->t[k], line->end[k]);
        if (line->edge >= 0) {
            const body_edge* e = &body_edges(b)[line->edge];
            own = place_at(WIT_VERTEX, k ? e->end : e->start, 0, 0, line->end[k]);
        }
        add_over(h, i, &own, l->piece[0].x[k], l->piece[0].y[k]);
    }
}

/* ---- where outlines cross ----------------------------------------------------------------------- */

/* A place of a piece at t, in the view, and its derivative: of a chord that of its edge. */
static void look(const corner_hunt* h, int i, const outline_piece* p, double t, wit_surface_jet* j, double at[4])
{
    side_edge_jet(h->q->side[i], p->edge, t, WIT_KNOT_DEFAULT, j);
    at[0] = view_x(&h->view, j->p), at[1] = view_y(&h->view, j->p);
    at[2] = dot3(j->du, h->view.e1), at[3] = dot3(j->du, h->view.e2);
}

static bool in_range(const corner_hunt* h, int i, int32_t edge, double t)
{
    wit_interval r = body_edges(h->q->side[i]->body)[edge].range;
    return t >= r.lo && t <= r.hi;
}

/* Newton on both edges, one of which at least is curved, from where their chords cross. */
static void polish_crossing(corner_hunt* h, const outline_piece* p, const outline_piece* r, double t0, double t1)
{
    const outline_piece* piece[2] = {p, r};
    double t[2] = {t0, t1}, at[2][4], off = INFINITY, det = 0;
    wit_surface_jet j[2];
    place found[2];
    if (p->edge < 0 || r->edge < 0 || side_spent(h->q->side[0], NEWTON_JETS)) return;
    for (int k = 0; k < NEWTON; ++k) {
        for (int i = 0; i < 2; ++i) look(h, i, piece[i], t[i], &j[i], at[i]);
        double dx = at[1][0] - at[0][0], dy = at[1][1] - at[0][1];
        off = sqrt(dx * dx + dy * dy);
        det = at[0][3] * at[1][2] - at[0][2] * at[1][3];
        if (off <= ON_BORDER * 1e-3 * h->q->size || det == 0) break;
        t[0] += (dy * at[1][2] - dx * at[1][3]) / det;
        t[1] += (dy * at[0][2] - dx * at[0][3]) / det;
    }
    /* edges along each other: one arc on another */
    if (!(fabs(det) > ALONG * norm3(j[0].du) * norm3(j[1].du))) return;
    if (!(off <= ON_BORDER * h->q->size) || !in_range(h, 0, p->edge, t[0]) || !in_range(h, 1, r->edge, t[1])) return;
    /* the points stand over each other, each on its plane */
    for (int i = 0; i < 2; ++i) {
        wit_vec3 above = wi_patch_point(&h->patch[i], &h->view, at[0][0], at[0][1]);
        found[i] = place_at(WIT_EDGE, piece[i]->edge, t[i], 0, above);
    }
    add_corner(h, found, at[0][0], at[0][1]);
}

/* A chord's edge and a straight piece of the other side: g(t), how far the edge is to the left of the piece's line. */
typedef struct curve_and_line {
    int i; /* the side of the curve */
    const outline_piece *curve, *line;
    double x, y; /* unit, along the line */
    double length;
} curve_and_line;

static double left_of_line(corner_hunt* h, const curve_and_line* c, double t, wit_surface_jet* j, double* slope)
{
    double at[4];
    look(h, c->i, c->curve, t, j, at);
    *slope = c->x * at[3] - c->y * at[2];
    return c->x * (at[1] - c->line->y[0]) - c->y * (at[0] - c->line->x[0]);
}

/* Where g is zero between lo and hi, at which it has different signs: Newton, kept between them. */
static void add_line_crossing(corner_hunt* h, const curve_and_line* c, double lo, double hi, bool rises)
{
    wit_surface_jet j;
    double t = 0.5 * (lo + hi), slope;
    for (int k = 0; k < BISECTIONS; ++k) {
        double g = left_of_line(h, c, t, &j, &slope);
        if (fabs(g) <= 1e-14 * h->q->size) break;
        if ((g > 0) == rises)
            hi = t;
        else
            lo = t;
        double next = slope != 0 ? t - g / slope : lo;
        t = (next - lo) * (next - hi) < 0 ? next : 0.5 * (lo + hi);
    }
    double x = view_x(&h->view, j.p), y = view_y(&h->view, j.p);
    double w = (c->x * (x - c->line->x[0]) + c->y * (y - c->line->y[0])) / c->length;
    if (!(w >= 0 && w <= 1)) return;
    place at[2];
    at[c->i] = place_at(WIT_EDGE, c->curve->edge, t, 0, j.p);
    at[1 - c->i] = place_above(h, 1 - c->i, c->line, w, x, y);
    add_corner(h, at, x, y);
}

/* The chord's ends on one side of the line: the edge may still cross it twice between them. */
static void cross_bulge(corner_hunt* h, const curve_and_line* c)
{
    wit_surface_jet j;
    double lo = c->curve->t[0], hi = c->curve->t[1], s0, s1, slope, t = 0.5 * (lo + hi);
    double g = left_of_line(h, c, lo, &j, &s0), sign = g > 0 ? 1 : -1, way = hi > lo ? sign : -sign;
    left_of_line(h, c, hi, &j, &s1);
    if (!(way * s0 < 0 && way * s1 > 0)) return;
    double a = lo, b = hi;
    for (int k = 0; k < BISECTIONS && sign * g > 0; ++k) {
        t = 0.5 * (a + b);
        g = left_of_line(h, c, t, &j, &slope);
        if (way * slope < 0)
            a = t;
        else
            b = t;
    }
    if (sign * g > 0) return;
    add_line_crossing(h, c, lo, t, sign < 0);
    add_line_crossing(h, c, t, hi, sign > 0);
}

static void cross_line(corner_hunt* h, int i, const outline_piece* curve, const outline_piece* line)
{
    double dx = line->x[1] - line->x[0], dy = line->y[1] - line->y[0], length = sqrt(dx * dx + dy * dy);
    double cx = curve->x[1] - curve->x[0], cy = curve->y[1] - curve->y[0], bulge = 0.5 * sqrt(cx * cx + cy * cy);
    if (!(length > 0) || side_spent(h->q->side[i], 2 * BISECTIONS + 2)) return;
    curve_and_line c = {i, curve, line, dx / length, dy / length, length};
    double g[2], along[2];
    for (int k = 0; k < 2; ++k) {
        double x = curve->x[k] - line->x[0], y = curve->y[k] - line->y[0];
        g[k] = c.x * y - c.y * x;
        along[k] = c.x * x + c.y * y;
    }
    if (larger(along[0], along[1]) < -bulge || smaller(along[0], along[1]) > length + bulge) return;
    if ((g[0] > 0) != (g[1] > 0))
        add_line_crossing(h, &c, curve->t[0], curve->t[1], g[1] > 0);
    else if (smaller(fabs(g[0]), fabs(g[1])) <= bulge)
        cross_bulge(h, &c);
}

static void cross(corner_hunt* h, const outline_piece* p, const outline_piece* r)
{
    if (p->curved != r->curved) {
        cross_line(h, p->curved ? 0 : 1, p->curved ? p : r, p->curved ? r : p);
        return;
    }
    double px = p->x[1] - p->x[0], py = p->y[1] - p->y[0], rx = r->x[1] - r->x[0], ry = r->y[1] - r->y[0];
    double wx = r->x[0] - p->x[0], wy = r->y[0] - p->y[0], det = px * ry - py * rx;
    double longer = sqrt(larger(px * px + py * py, rx * rx + ry * ry));
    /* along each other, and nowhere off by more than what counts as in the outline: vertices tell */
    if (!(fabs(det) > 2 * ON_BORDER * h->q->size * longer)) return;
    double s = (wx * ry - wy * rx) / det, w = (wx * py - wy * px) / det;
    double slack = p->curved ? 0.1 : 0; /* an arc bulges over its chord */
    if (!(s >= -slack && s <= 1 + slack && w >= -slack && w <= 1 + slack)) return;
    if (slack > 0) {
        polish_crossing(h, p, r, p->t[0] + s * (p->t[1] - p->t[0]), r->t[0] + w * (r->t[1] - r->t[0]));
        return;
    }
    double x = p->x[0] + s * px, y = p->y[0] + s * py;
    place at[2] = {place_above(h, 0, p, s, x, y), place_above(h, 1, r, w, x, y)};
    add_corner(h, at, x, y);
}

static void add_crossings(corner_hunt* h)
{
    const patch_outline *a = &h->line[0], *b = &h->line[1];
    for (int i = 0; i < a->count && !side_spent(h->q->side[0], (b->count + 15) / 16); ++i) {
        for (int k = 0; k < b->count; ++k) cross(h, &a->piece[i], &b->piece[k]);
        side_boxes(h->q->side[0], (b->count + 15) / 16);
    }
}

/* ---- curved edges -------------------------------------------------------------------------------- */

/* The farthest place along (dx, dy) about a chord's end, by Newton; it must be outward of the patch. */
static void add_extreme(corner_hunt* h, int i, const outline_piece* p, double dx, double dy)
{
    wit_surface_jet j;
    double t = p->t[1], at[4], size = h->q->size;
    wit_vec3 d = addscaled3(scale3(dx, h->view.e1), dy, h->view.e2);
    wit_interval r = body_edges(h->q->side[i]->body)[p->edge].range;
    bool ring = body_edges(h->q->side[i]->body)[p->edge].start < 0, settled = false;
    double chord = fabs(p->t[1] - p->t[0]), from = t;
    if (side_spent(h->q->side[i], NEWTON)) return;
    for (int k = 0; k < NEWTON && !settled; ++k) {
        look(h, i, p, t, &j, at);
        double slope = dot3(d, j.du), bend = dot3(d, j.duu);
        settled = fabs(slope) <= 1e-12 * norm3(j.du) || (bend < 0 && fabs(slope / bend) * norm3(j.du) <= 1e-12 * size);
        if (settled || !(bend < 0)) break;
        t -= slope / bend;
        if (!(fabs(t - from) <= 2 * chord)) return;
    }
    if (ring && t < r.lo) t += iv_width(r);
    if (ring && t > r.hi) t -= iv_width(r);
    if (!settled || t < r.lo || t > r.hi) return;
    /* to the left of the loop lies the patch, seen along its own normal */
    double left = (p->forward ? 1 : -1) * (at[2] * dy - at[3] * dx);
    bool turned = dot3(h->patch[i].n, h->view.n) < 0,
         reversed = body_faces(h->q->side[i]->body)[h->patch[i].face].reversed;
    if ((turned != reversed ? -left : left) > 0) return;
    place own = place_at(WIT_EDGE, p->edge, t, 0, j.p);
    add_over(h, i, &own, at[0], at[1]);
}

static double along(const outline_piece* p, int k, double dx, double dy)
{
    return dx * p->x[k] + dy * p->y[k];
}

/* Along the way in which the patches lean against each other and across it; where they do not, along an axis of
 * the patch. */
static void add_extremes(corner_hunt* h, int i)
{
    const patch_outline* l = &h->line[i];
    const support_patch* other = &h->patch[1 - i];
    if (!l->curved || other->kind != PATCH_AREA) return;
    const shape_frame* frame = &body_surface(h->q->side[i]->body, h->patch[i].face)->frame;
    wit_vec3 w = add3(h->patch[i].n, other->n);
    double x = dot3(w, h->view.e1), y = dot3(w, h->view.e2), length = sqrt(x * x + y * y);
    if (!(length > LEVEL)) {
        w = side_vector(h->q->side[i], frame->x);
        x = dot3(w, h->view.e1), y = dot3(w, h->view.e2), length = sqrt(x * x + y * y);
    }
    x /= length, y /= length;
    for (int d = 0; d < 4; ++d) {
        for (int k = 0; k < l->count; ++k) {
            const outline_piece *p = &l->piece[k], *next = NULL;
            if (!p->curved) continue;
            if (k + 1 < l->count && l->piece[k + 1].edge == p->edge)
                next = p + 1;
            else if (body_edges(h->q->side[i]->body)[p->edge].start < 0)
                next = p - (CHORDS - 1); /* a ring goes on with its first chord */
            bool rises = along(p, 1, x, y) >= along(p, 0, x, y);
            if (rises && next && along(next, 1, x, y) < along(next, 0, x, y)) add_extreme(h, i, p, x, y);
        }
        double turn = x;
        x = -y, y = turn;
    }
}

/* ---- two lines ------------------------------------------------------------------------------------ */

/* Parallel, one over the other: from the later of their beginnings to the sooner of their ends. */
static void line_on_line(corner_hunt* h)
{
    patch_view* v = &h->view;
    const support_patch* p = h->patch;
    double size = h->q->size;
    v->o = h->q->at[0]->p;
    v->n = h->q->normal;
    v->e1 = sub3(p[0].end[1], p[0].end[0]);
    v->e1 = unit3(addscaled3(v->e1, -dot3(v->e1, v->n), v->n));
    v->e2 = cross3(v->n, v->e1);
    for (int i = 0; i < 2; ++i) {
        double off = fabs(view_y(v, p[i].end[0]) - view_y(v, p[1 - i].end[0]));
        off = larger(off, fabs(view_y(v, p[i].end[1]) - view_y(v, p[1 - i].end[0])));
        if (!(off <= PARALLEL * size)) return;
    }
    for (int i = 0; i < 2; ++i) {
        double x[2] = {view_x(v, p[1 - i].end[0]), view_x(v, p[1 - i].end[1])};
        for (int k = 0; k < 2; ++k) {
            double at = view_x(v, p[i].end[k]), y = view_y(v, p[i].end[k]);
            if (at < smaller(x[0], x[1]) - ON_BORDER * size || at > larger(x[0], x[1]) + ON_BORDER * size) continue;
            place w[2];
            const body_edge* e = p[i].edge >= 0 ? &body_edges(h->q->side[i]->body)[p[i].edge] : NULL;
            w[i] = e ? place_at(WIT_VERTEX, k ? e->end : e->start, 0, 0, p[i].end[k])
                     : place_at(WIT_FACE, p[i].face, p[i].u, p[i].t[k], p[i].end[k]);
            w[1 - i] = place_above(h, 1 - i, NULL, 0, at, y);
            add_corner(h, w, at, 0);
        }
    }
}

/* ---- the corners ----------------------------------------------------------------------------------- */

static double extent_of(const side* s, const support_patch* p)
{
    const body_face* f = &body_faces(s->body)[p->face];
    wit_vec3 d = sub3(f->box.hi, f->box.lo);
    return f->unbounded ? INFINITY : dot3(d, d);
}

/* Seen along the normal of an area, of two that of the larger: whatever the poses are. */
static void view_of(corner_hunt* h)
{
    const patch_pair* q = h->q;
    int ref = h->patch[0].kind == PATCH_AREA ? 0 : 1;
    if (h->patch[0].kind == PATCH_AREA && h->patch[1].kind == PATCH_AREA)
        ref = extent_of(q->side[1], &h->patch[1]) > extent_of(q->side[0], &h->patch[0]) ? 1 : 0;
    patch_view* v = &h->view;
    v->o = q->at[0]->p;
    v->n = scale3(ref ? -1 : 1, h->patch[ref].n);
    v->e1 = side_vector(q->side[ref], body_surface(q->side[ref]->body, h->patch[ref].face)->frame.x);
    v->e2 = cross3(v->n, v->e1);
    v->size = q->size;
}

void wi_patch_corners(const patch_pair* q, patch_corners* out)
{
    corner_hunt h; /* outlines are large: nothing is cleared */
    h.q = q;
    h.out = out;
    out->count = 0;
    out->loose = 0;
    out->partial = false;
    for (int i = 0; i < 2; ++i) {
        patch_query ask = {q->at[i], scale3(i ? -1 : 1, q->normal), q->sine, q->cosine};
        wi_support_patch(q->side[i], &ask, &h.patch[i]);
        if (h.patch[i].kind == PATCH_POINT) return;
    }
    for (int i = 0; i < 2; ++i) {
        /* the ruling over a plane, by the plane's own normal: that of the contact may be known to fewer digits */
        const support_patch* area = &h.patch[1 - i];
        if (h.patch[i].kind != PATCH_LINE || h.patch[i].face < 0 || area->kind != PATCH_AREA) continue;
        patch_query ask = {q->at[i], scale3(-1, area->n), q->sine, q->cosine};
        wi_support_patch(q->side[i], &ask, &h.patch[i]);
        if (h.patch[i].kind != PATCH_LINE) return;
    }
    if (h.patch[0].kind == PATCH_LINE && h.patch[1].kind == PATCH_LINE) {
        if (!wi_axis_corners(q, h.patch, out)) line_on_line(&h);
        return;
    }
    view_of(&h);
    for (int i = 0; i < 2; ++i) {
        wi_patch_outline(q->side[i], &h.patch[i], &h.view, &h.line[i]);
        out->partial = out->partial || h.line[i].partial;
    }
    if (out->partial) return;
    for (int i = 0; i < 2; ++i) add_vertices(&h, i);
    add_crossings(&h);
    for (int i = 0; i < 2; ++i) add_extremes(&h, i);
    if (out->count > CORNERS_KEPT) keep_outermost(out);
}
