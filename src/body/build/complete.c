/* SPDX-License-Identifier: MIT */
/*
 * What a def may leave out, and what it must get right: missing parameter curves are made, passages along poles put in,
 * distances between edges and faces measured, loops seen to close, trims built, apexes found.
 */
#include <string.h>

#include "../../geom/bounds.h"
#include "draft.h"
#include "lift_gap.h"
#include "parameter_curve.h"

/* Parameter curves that are made keep within this share of the body's size. */
#define MADE_ACCURACY 1e-10
/* Gaps below this share of coordinates and size are rounding of evaluating both curves, and are stored as they were met. */
#define ROUNDING (128 * DBL_EPSILON)
/* Where ends meet, the straight bridge between their parameters may leave them by this many tolerances. */
#define BRIDGE_MOST 8

/* ---- parameter curves and distances ------------------------------------------------------------ */

/* The edge as a curve in space that can be handed on; a lifted one is made for the occasion. */
static wit_status edge_curve(draft* d, int edge, const wit_curve** out, wit_curve** made)
{
    const draft_edge* e = draft_edge_at(d, edge);
    *made = NULL;
    *out = e->curve;
    if (e->curve) return WIT_OK;
    const draft_use* home = draft_use_at(d, e->home);
    wit_curve_def def = wit_curve_default_def(e->straight ? WIT_CURVE_ISO : WIT_CURVE_ON_SURFACE);
    def.surface = draft_face_at(d, home->face)->surface;
    def.parameter_curve = home->curve;
    def.fixed = e->fixed;
    def.value = e->value;
    def.range = e->range;
    *made = wit_curve_create(&def, &d->memory, d->error);
    *out = *made;
    if (*made) return WIT_OK;
    char item[96];
    wi_draft_use_item(d, e->home, item, sizeof item);
    wi_error_prefix(d->error, item);
    return d->error ? d->error->status : WIT_ERROR_RANGE;
}

static double rounding_near(const draft* d, wit_vec3 p)
{
    return ROUNDING * (fabs(p.x) + fabs(p.y) + fabs(p.z) + d->size);
}

static double rounding_at(const draft* d, const wit_curve* curve)
{
    wit_curve_jet j;
    wit_curve_eval(curve, curve->range.lo, WIT_KNOT_DEFAULT, NULL, &j);
    return rounding_near(d, j.p);
}

static wit_status make_curve(draft* d, int use, const wit_curve* curve, double* gap)
{
    draft_use* u = draft_use_at(d, use);
    char item[96];
    wi_draft_use_item(d, use, item, sizeof item);
    wit_curve* made = NULL;
    const parameter_request request = {curve,
                                       draft_edge_at(d, u->edge)->range,
                                       draft_face_at(d, u->face)->surface,
                                       MADE_ACCURACY * d->size,
                                       rounding_at(d, curve),
                                       &d->hidden_gap};
    wit_status status = wi_parameter_curve_make(&request, &d->memory, &made, gap, d->error);
    if (status) {
        wi_error_prefix(d->error, item);
        return status;
    }
    status = wi_draft_keep(d, made);
    u->curve = made;
    u->scale = 1;
    u->shift = 0;
    return status;
}

static double end_distance(const draft* d, int edge, int vertex, double t)
{
    return norm3(sub3(wi_draft_edge_point(d, edge, t), draft_vertex_at(d, vertex)->point));
}

/* Ends of the edge against its vertices. */
static wit_status check_ends(draft* d, int edge, double within)
{
    const draft_edge* e = draft_edge_at(d, edge);
    char item[96];
    wi_draft_edge_item(d, edge, item, sizeof item);
    if (e->start < 0) {
        double gap = norm3(sub3(wi_draft_edge_point(d, edge, e->range.lo), wi_draft_edge_point(d, edge, e->range.hi)));
        if (gap <= within) return WIT_OK;
        return wi_error_fill(d->error, WIT_ERROR_RANGE, item,
                             "an edge without vertices must close; its ends are %g apart", gap);
    }
    for (int end = 0; end < 2; ++end) {
        int vertex = end ? e->end : e->start;
        double gap = end_distance(d, edge, vertex, end ? e->range.hi : e->range.lo);
        if (gap > within)
            return wi_error_fill(d->error, WIT_ERROR_RANGE, item,
                                 "its %s is %g away from the vertex, more than the tolerance %g", end ? "end" : "start",
                                 gap, within);
        draft_vertex* v = draft_vertex_at(d, vertex);
        v->tolerance = larger(v->tolerance, gap);
    }
    return WIT_OK;
}

/*
 * The gap between an edge and one of its uses, bounded. It is refused when a gap beyond the tolerance was met; where only the
 * bound is beyond it, the edge's tolerance says so.
 */
static wit_status complete_use(draft* d, int use, const wit_curve* curve, double within, double* bound)
{
    const draft_edge* e = draft_edge_at(d, draft_use_at(d, use)->edge);
    bool itself = !e->curve && use == e->home, given = draft_use_at(d, use)->curve;
    lift_gap met = {0, 0, 0};
    wit_status status = given ? WIT_OK : make_curve(d, use, curve, bound);
    if (itself) *bound = 0;
    if (status || itself) return status;
    const draft_use* u = draft_use_at(d, use);
    const lift_pair pair = {curve, e->range, draft_face_at(d, u->face)->surface, u->curve, u->scale, u->shift};
    if (given || *bound > within) met = wi_lift_measure(&pair);
    if (given) *bound = wi_lift_bound(&pair, rounding_at(d, curve), &met);
    d->hidden_gap = larger(d->hidden_gap, met.hidden);
    if (met.all <= within) return WIT_OK;
    char item[96];
    wi_draft_use_item(d, use, item, sizeof item);
    return wi_error_fill(d->error, WIT_ERROR_RANGE, item,
                         "the edge is up to %g away from the face, more than the tolerance %g", met.all, within);
}

/* Uses grouped by edge, as a list of indices: order[first[e]] .. order[first[e + 1] - 1]. */
static wit_status complete_edge(draft* d, int edge, const int* uses, int count, double within)
{
    const wit_curve* curve;
    wit_curve* made;
    wit_status status = check_ends(d, edge, within);
    if (!status) status = edge_curve(d, edge, &curve, &made);
    if (status) return status;
    double tolerance = 0;
    for (int k = 0; k < count && !status; ++k) {
        double bound = 0;
        status = complete_use(d, uses[k], curve, within, &bound);
        tolerance = larger(tolerance, bound);
    }
    draft_edge_at(d, edge)->tolerance = tolerance;
    wit_curve_destroy(made);
    return status;
}

static wit_status complete_edges(draft* d)
{
    int n = d->edges.count, m = d->uses.count;
    double within = larger(d->close, 1.01 * d->def->sew_tolerance);
    size_t bytes = (size_t)(n + 1 + m + 1) * sizeof(int);
    int* first = wi_allocator_take(&d->memory, bytes);
    if (!first) return wi_draft_refuse_memory(d);
    int* order = first + n + 1;
    memset(first, 0, bytes);
    for (int i = 0; i < m; ++i)
        if (draft_use_at(d, i)->edge >= 0) first[draft_use_at(d, i)->edge + 1] += 1;
    for (int e = 0; e < n; ++e) first[e + 1] += first[e];
    for (int i = 0; i < m; ++i)
        if (draft_use_at(d, i)->edge >= 0) order[first[draft_use_at(d, i)->edge]++] = i;
    wit_status status = WIT_OK; /* first[e] is now the end of edge e's group */
    for (int e = 0; e < n && !status; ++e) {
        int begin = e ? first[e - 1] : 0;
        status = complete_edge(d, e, order + begin, first[e] - begin, within);
    }
    wi_allocator_release(&d->memory, first, bytes);
    return status;
}

/* ---- loops ------------------------------------------------------------------------------------- */

static void end_of_use(const draft* d, int use, bool last, double uv[2])
{
    wit_interval r = draft_use_range(d, use);
    wi_draft_use_uv(d, use, last != draft_use_at(d, use)->reversed ? r.hi : r.lo, uv);
}

static int vertex_of_use(const draft* d, int use, bool last)
{
    const draft_use* u = draft_use_at(d, use);
    const draft_edge* e = draft_edge_at(d, u->edge);
    return last != u->reversed ? e->end : e->start;
}

/* Distance of two parameters, up to whole periods. */
static double apart(double a, double b, wit_interval range, bool closed)
{
    double gap = fabs(a - b), period = iv_width(range);
    return closed ? fabs(gap - period * round(gap / period)) : gap;
}

typedef enum junction { MEETS, MEETS_AT_POLE_U, MEETS_AT_POLE_V, APART } junction; /* POLE_U: u is constant there */

/* How use a goes over into use b. */
static junction meet(const draft* d, int a, int b, double* gap)
{
    const draft_face* f = draft_face_at(d, draft_use_at(d, a)->face);
    const wit_surface* s = f->surface;
    double x[2], y[2];
    wit_surface_jet jx, jy;
    end_of_use(d, a, true, x);
    end_of_use(d, b, false, y);
    wit_surface_eval(s, x[0], x[1], WIT_KNOT_DEFAULT, NULL, &jx);
    wit_surface_eval(s, y[0], y[1], WIT_KNOT_DEFAULT, NULL, &jy);
    *gap = norm3(sub3(jx.p, jy.p));
    if (*gap > larger(d->close, 1.01 * d->def->sew_tolerance)) return APART;
    double du = apart(x[0], y[0], s->u, s->closed_u) / iv_width(s->u);
    double dv = apart(x[1], y[1], s->v, s->closed_v) / iv_width(s->v);
    bool pole_v = dv <= 1e-6 && norm3(jx.du) <= 1e-6 * s->speed_u && norm3(jy.du) <= 1e-6 * s->speed_u;
    bool pole_u = du <= 1e-6 && norm3(jx.dv) <= 1e-6 * s->speed_v && norm3(jy.dv) <= 1e-6 * s->speed_v;
    /* Two edges on one meridian of a closed surface are a seam or a slit: the loop goes all the way round the pole. */
    bool edges = draft_use_at(d, a)->edge >= 0 && draft_use_at(d, b)->edge >= 0;
    if (pole_v && (du > 1e-6 || (edges && s->closed_u))) return MEETS_AT_POLE_V;
    if (pole_u && (dv > 1e-6 || (edges && s->closed_v))) return MEETS_AT_POLE_U;
    return MEETS;
}

/* Bound of |S - p| over a box of parameters. */
static double farthest(const wit_surface* s, const wit_interval box[2], wit_vec3 p)
{
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double q[3] = {p.x, p.y, p.z};
    surface_enclosure e;
    double sum = 0;
    wi_surface_enclose(s, box[0], box[1], axes, &e);
    for (int i = 0; i < 3; ++i) sum += iv_mag(iv_square(iv_sub(e.d[D00][i], iv_point(q[i]))));
    return sqrt(sum) * (1 + 8 * DBL_EPSILON);
}

/*
 * Where two uses do not meet to the bit, the trims close the gap by a straight piece in (u, v). Its points must be
 * covered, too: by the tolerance of the vertex, or of the ring that ends there.
 */
static double cover_gap(draft* d, int a, int b)
{
    const draft_use* u = draft_use_at(d, a);
    const wit_surface* s = draft_face_at(d, u->face)->surface;
    const wit_interval range[2] = {s->u, s->v};
    const bool closed[2] = {s->closed_u, s->closed_v};
    double x[2], y[2];
    wit_interval box[2];
    wit_surface_jet j;
    end_of_use(d, a, true, x);
    end_of_use(d, b, false, y);
    for (int k = 0; k < 2; ++k) {
        double period = iv_width(range[k]);
        if (closed[k]) y[k] -= period * round((y[k] - x[k]) / period);
        box[k] = iv(smaller(x[k], y[k]), larger(x[k], y[k]));
    }
    if (x[0] == y[0] && x[1] == y[1]) return 0;
    wit_surface_eval(s, x[0], x[1], WIT_KNOT_DEFAULT, NULL, &j);
    double length = iv_width(box[0]) * s->speed_u + iv_width(box[1]) * s->speed_v;
    double reach = smaller(farthest(s, box, j.p), length * (1 + 8 * DBL_EPSILON));
    if (reach <= rounding_near(d, j.p)) {
        d->hidden_gap = larger(d->hidden_gap, reach);
        return 0;
    }
    int vertex = vertex_of_use(d, a, true);
    if (vertex >= 0) {
        draft_vertex* v = draft_vertex_at(d, vertex);
        v->tolerance = larger(v->tolerance, farthest(s, box, v->point));
    } else {
        draft_edge_at(d, u->edge)->tolerance += reach; /* the edge is within its tolerance of where a ends */
    }
    return reach;
}

static wit_status check_junction(draft* d, int a, int b, junction* out)
{
    double gap;
    char item[96];
    wi_draft_use_item(d, b, item, sizeof item);
    *out = meet(d, a, b, &gap);
    if (*out == APART)
        return wi_error_fill(
            d->error, WIT_ERROR_RANGE, item,
            "the loop does not close: this edge begins %g away from the end of the one before it, more "
            "than the tolerance %g",
            gap, larger(d->close, 1.01 * d->def->sew_tolerance));
    if (draft_use_at(d, a)->edge < 0 || draft_use_at(d, b)->edge < 0) return WIT_OK;
    int end = vertex_of_use(d, a, true), start = vertex_of_use(d, b, false);
    if (end == start && *out == MEETS) {
        double reach = cover_gap(d, a, b), most = BRIDGE_MOST * larger(d->close, 1.01 * d->def->sew_tolerance);
        if (reach > most)
            return wi_error_fill(
                d->error, WIT_ERROR_RANGE, item,
                "the loop does not close: its bridge from the edge before it to this one runs up to %g away, "
                "more than %g",
                reach, most);
    }
    if (end == start) return WIT_OK;
    return wi_error_fill(d->error, WIT_ERROR_RANGE, item,
                         "the loop does not close: the edge before it ends at vertex %d, this one begins at vertex %d",
                         end, start);
}

/* Bound of how far the points of a passage along a pole, a use without an edge, are from its beginning. */
static double passage_reach(const draft* d, int use)
{
    enum { PIECES = 16 };
    static const wit_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const draft_use* u = draft_use_at(d, use);
    const wit_surface* s = draft_face_at(d, u->face)->surface;
    wit_vec3 first = wi_draft_use_point(d, use, u->range.lo);
    wit_interval all[2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    double reach = 0;
    for (int k = 0; k < PIECES; ++k) {
        double h = iv_width(u->range) / PIECES;
        wit_interval t = iv(u->range.lo + k * h, k == PIECES - 1 ? u->range.hi : u->range.lo + (k + 1) * h);
        curve_enclosure c;
        wi_curve_enclose(u->curve, t, axes, &c);
        for (int i = 0; i < 2; ++i) all[i] = iv_union(all[i], c.d[0][i]);
        reach = larger(reach, farthest(s, c.d[0], first));
    }
    /* along a border of a spline its points tell more */
    for (int i = 0; i < 2 && s->kind == WIT_SURFACE_NURBS; ++i) {
        wit_interval range = i == 0 ? s->u : s->v;
        double end = iv_mid(all[i]) < iv_mid(range) ? range.lo : range.hi;
        double off = iv_mag(iv_sub(all[i], iv_point(end)));
        off = off <= 16 * DBL_EPSILON * iv_mag(range) ? 0 : off * (i == 0 ? s->speed_u : s->speed_v);
        double line = wi_surface_line_reach(s, i == 0 ? WIT_U : WIT_V, end, all[1 - i]);
        reach = smaller(reach, 2 * (off + line));
    }
    return reach;
}

/* A passage along a pole is one point; nothing stands for what is not. */
static wit_status check_passage(draft* d, int use)
{
    double reach = passage_reach(d, use), within = larger(d->close, 1.01 * d->def->sew_tolerance);
    bool exact = draft_face_at(d, draft_use_at(d, use)->face)->surface->kind < WIT_SURFACE_REVOLUTION;
    if (!exact) d->gape = larger(d->gape, reach);
    if (reach <= within) return WIT_OK;
    char item[96];
    wi_draft_use_item(d, use, item, sizeof item);
    return wi_error_fill(d->error, WIT_ERROR_RANGE, item,
                         "a passage without an edge runs along a pole; this one reaches up to %g, more than the "
                         "tolerance %g",
                         reach, within);
}

/*
 * A straight passage along the pole, from where one use ends to where the next begins. Where that parameter is closed
 * there are two ways round; the right one has the range of the surface, and so the face, to its left.
 */
static wit_status add_pole(draft* d, list* uses, int a, int b, bool fixed_u)
{
    const wit_surface* s = draft_face_at(d, draft_use_at(d, a)->face)->surface;
    int k = fixed_u ? 1 : 0; /* the parameter that runs */
    double x[2], y[2];
    end_of_use(d, a, true, x);
    end_of_use(d, b, false, y);
    if (fixed_u ? s->closed_v : s->closed_u) {
        bool upper = fixed_u ? x[0] > iv_mid(s->u) : x[1] > iv_mid(s->v);
        double way = upper == fixed_u ? 1 : -1, period = iv_width(fixed_u ? s->v : s->u);
        double run = fmod(way * (y[k] - x[k]), period);
        if (run < 1e-6 * period) run += period;
        y[k] = x[k] + way * run;
    }
    wit_curve* made = NULL;
    wit_status status = wi_parameter_curve_line(x, y, iv(0, 1), &d->memory, &made, d->error);
    if (!status) status = wi_draft_keep(d, made);
    draft_use* u = status ? NULL : wi_draft_add(d, uses, sizeof *u);
    if (!u) return status ? status : WIT_ERROR_MEMORY;
    u->edge = -1;
    u->face = draft_use_at(d, a)->face;
    u->curve = made;
    u->scale = 1;
    u->range = iv(0, 1);
    return WIT_OK;
}

/* Sees that all loops close, and writes the uses anew with the passages along poles that were left out. */
static wit_status complete_loops(draft* d)
{
    list uses = {0};
    wit_status status = WIT_OK;
    for (int l = 0; l < d->loops.count && !status; ++l) {
        draft_loop* loop = draft_loop_at(d, l);
        int first = uses.count;
        for (int k = 0; k < loop->count && !status; ++k) {
            int a = loop->first + k, b = loop->first + (k + 1) % loop->count;
            draft_use* u = wi_draft_add(d, &uses, sizeof *u);
            if (!u) {
                status = WIT_ERROR_MEMORY;
                break;
            }
            *u = *draft_use_at(d, a);
            if (u->edge >= 0 && draft_edge_at(d, u->edge)->home == a)
                draft_edge_at(d, u->edge)->home = -2 - (uses.count - 1);
            junction j = MEETS;
            status = check_junction(d, a, b, &j);
            if (!status && (j == MEETS_AT_POLE_U || j == MEETS_AT_POLE_V))
                status = add_pole(d, &uses, a, b, j == MEETS_AT_POLE_U);
        }
        loop->first = first;
        loop->count = uses.count - first;
    }
    list old = d->uses;
    d->uses = uses;
    list_drop(&old, sizeof(draft_use), &d->memory);
    for (int i = 0; i < d->uses.count && !status; ++i)
        if (draft_use_at(d, i)->edge < 0) status = check_passage(d, i);
    for (int e = 0; e < d->edges.count; ++e) /* numbers below -1 were those of the new list */
        if (draft_edge_at(d, e)->home < -1) draft_edge_at(d, e)->home = -2 - draft_edge_at(d, e)->home;
    return status;
}

/* ---- faces ------------------------------------------------------------------------------------- */

static trim_curves curves_of(const draft* d, const draft_face* f)
{
    trim_curves c = {NULL, NULL, sizeof(draft_use), NULL, 0};
    if (f->count) c.first = (const char*)&draft_use_at(d, draft_loop_at(d, f->first)->first)->curve;
    return c;
}

static wit_status trim_face(draft* d, int face)
{
    draft_face* f = draft_face_at(d, face);
    const wit_surface* s = f->surface;
    int total = 0;
    for (int l = 0; l < f->count; ++l) total += draft_loop_at(d, f->first + l)->count;
    size_t bytes = (size_t)total * sizeof(trim_passage) + (size_t)f->count * sizeof(int);
    char* block = wi_allocator_take(&d->memory, bytes);
    if (!block) return wi_draft_refuse_memory(d);
    trim_passage* passage = (trim_passage*)(void*)block;
    int* sizes = (int*)(void*)(passage + total);
    int use = draft_loop_at(d, f->first)->first;
    for (int l = 0; l < f->count; ++l) sizes[l] = draft_loop_at(d, f->first + l)->count;
    for (int k = 0; k < total; ++k) {
        const draft_use* u = draft_use_at(d, use + k);
        wit_interval r = draft_use_range(d, use + k);
        passage[k].curve = u->curve;
        passage[k].from = u->shift + u->scale * (u->reversed ? r.hi : r.lo);
        passage[k].to = u->shift + u->scale * (u->reversed ? r.lo : r.hi);
    }
    /* That ends meet was seen in space, and that their bridge stays near; in parameters a slow place of the surface may
     * show a wide gap. */
    const double gap = 0.3;
    trim_input in = {s->u,  s->v,    s->closed_u,          s->closed_v,         f->count,
                     sizes, passage, gap * iv_width(s->u), gap * iv_width(s->v)};
    wit_status status = wi_trim_build(&in, &d->memory, &f->trim_block, &f->trim_bytes, &f->trim, d->error);
    wi_allocator_release(&d->memory, block, bytes);
    if (status) {
        char item[32];
        wi_text_format(item, sizeof item, "faces[%d]", f->given);
        wi_error_prefix(d->error, item);
        return status;
    }
    f->u = f->trim.u;
    f->v = f->trim.v;
    return WIT_OK;
}

/* Does the normal stand out from rounding, some 1e-16 of size / length of the range in either tangent? */
static bool normal_seen(const draft_face* f, const wit_surface_jet* jet, double size)
{
    double along_u = norm3(jet->du) * iv_width(f->u), along_v = norm3(jet->dv) * iv_width(f->v);
    double sine = norm3(cross3(unit3(jet->du), unit3(jet->dv)));
    return sine * along_u * along_v > 1e-12 * size * (along_u + along_v);
}

/* Is there a normal on a grid of the face's box? None for a surface that is a line or a point. |S_u x S_v| is measured
 * by the fastest part of the surface; where weights are unlike, the face may be slow as a whole. */
static bool has_area(const draft_face* f)
{
    const wit_surface* s = f->surface;
    if (!(iv_width(f->u) > 1e-12 * iv_width(s->u)) || !(iv_width(f->v) > 1e-12 * iv_width(s->v))) return false;
    double size = 0;
    for (int pass = 0; pass < 2; ++pass) /* the size is looked for where the first measure fails */
        for (int i = 0; i < 64; ++i) {
            wit_surface_jet jet;
            wit_surface_eval(s, f->u.lo + iv_width(f->u) * (i % 8 + 0.5) / 8,
                             f->v.lo + iv_width(f->v) * (i / 8 + 0.5) / 8, 0, NULL, &jet);
            if (norm3(cross3(jet.du, jet.dv)) > 1e-12 * s->speed_u * s->speed_v) return true;
            if (pass == 1 && normal_seen(f, &jet, size)) return true;
            size = larger(size, norm3(jet.p));
        }
    return false;
}

/* Is the border line of the range part of the trimmed face? Asked just inside it. */
static bool touches(const draft* d, const draft_face* f, wit_direction fixed, bool upper)
{
    const wit_surface* s = f->surface;
    trim_curves curves = curves_of(d, f);
    wit_interval r = fixed == WIT_U ? s->u : s->v, other = fixed == WIT_U ? s->v : s->u;
    double inside = upper ? r.hi - 1e-7 * iv_width(r) : r.lo + 1e-7 * iv_width(r);
    for (int k = 0; k < 8; ++k) {
        double x = other.lo + iv_width(other) * (k + 0.5) / 8;
        if (wi_trim_contains(&f->trim, f->trim_block, &curves, fixed == WIT_U ? inside : x,
                             fixed == WIT_U ? x : inside))
            return true;
    }
    return false;
}

/* Is the border line drawn together in a point? A place without a normal may only be slow for the surface, where its weights
 * are unlike. */
static bool is_drawn_together(const draft* d, const wit_surface* s, wit_direction fixed, double value, wit_vec3 point)
{
    wit_interval along = fixed == WIT_U ? s->v : s->u;
    for (int k = 0; k <= 8; ++k) {
        double x = along.lo + iv_width(along) * k / 8;
        wit_surface_jet jet;
        wit_surface_eval(s, fixed == WIT_U ? value : x, fixed == WIT_U ? x : value, WIT_KNOT_DEFAULT, NULL, &jet);
        if (!(norm3(sub3(jet.p, point)) <= d->close)) return false;
    }
    return true;
}

/* A sharp pole of the surface that lies on a trimmed face becomes a vertex; one that is there already is taken. */
static wit_status add_apex(draft* d, int face, wit_direction fixed, bool upper)
{
    const draft_face* f = draft_face_at(d, face);
    const wit_surface* s = f->surface;
    wit_interval r = fixed == WIT_U ? s->u : s->v;
    double value = upper ? r.hi : r.lo;
    wit_surface_jet jet;
    wit_vec3 n;
    double u = fixed == WIT_U ? value : iv_mid(s->u), v = fixed == WIT_U ? iv_mid(s->v) : value;
    unsigned place = wit_surface_eval(s, u, v, upper ? (fixed == WIT_U ? 1U : 2U) : 0U, NULL, &jet);
    if (!(place & WIT_EVAL_DEGENERATE) || wit_surface_normal(s, u, v, &n) || !touches(d, f, fixed, upper) ||
        !is_drawn_together(d, s, fixed, value, jet.p))
        return WIT_OK;
    int vertex = -1;
    for (int i = 0; i < d->vertices.count && vertex < 0; ++i)
        if (norm3(sub3(draft_vertex_at(d, i)->point, jet.p)) <= d->close) vertex = i;
    if (vertex < 0) {
        draft_vertex* made = wi_draft_add(d, &d->vertices, sizeof *made);
        if (!made) return WIT_ERROR_MEMORY;
        made->point = jet.p;
        vertex = d->vertices.count - 1;
    }
    draft_apex* a = wi_draft_add(d, &d->apexes, sizeof *a);
    if (!a) return WIT_ERROR_MEMORY;
    draft_vertex* at = draft_vertex_at(d, vertex);
    at->tolerance = larger(at->tolerance, norm3(sub3(at->point, jet.p)));
    a->face = face;
    a->vertex = vertex;
    a->fixed = fixed;
    a->value = value;
    return WIT_OK;
}

static wit_status complete_faces(draft* d)
{
    wit_status status = WIT_OK;
    for (int i = 0; i < d->faces.count && !status; ++i) {
        draft_face* f = draft_face_at(d, i);
        if (!f->whole) status = trim_face(d, i);
        if (!status && !has_area(draft_face_at(d, i))) {
            char item[32];
            wi_text_format(item, sizeof item, "faces[%d]", f->given);
            status = wi_error_fill(d->error, WIT_ERROR_RANGE, item, "the face has no area");
        }
        bool given = d->def->faces[f->given].loop_count > 0;
        if (status || !given || d->def->planar || !f->surface->degenerate) continue;
        for (int k = 0; k < 4 && !status; ++k)
            if (!(k < 2 ? f->surface->closed_u : f->surface->closed_v))
                status = add_apex(d, i, k < 2 ? WIT_U : WIT_V, k % 2 == 1);
    }
    return status;
}

wit_status wi_draft_complete(draft* d)
{
    wit_status status = complete_edges(d);
    if (!status) status = complete_loops(d);
    if (!status) status = complete_faces(d);
    return status;
}
