/* SPDX-License-Identifier: MIT */
#include "split.h"

#include "../../base/sort.h"

wit_split_def wit_split_default_def(void)
{
    wit_split_def d;
    memset(&d, 0, sizeof d);
    d.struct_size = sizeof d;
    d.smooth = d.curvature = d.nice = true;
    d.accuracy = 1e-9;
    return d;
}

wit_status wi_split_no_memory(splitter* s)
{
    return wi_error_fill(s->error, WIT_ERROR_MEMORY, "", "no memory while splitting the body");
}

wit_status wi_split_keep(splitter* s, wit_curve* curve)
{
    wit_curve** place = list_add(&s->curves, sizeof *place, &s->memory);
    if (place)
        *place = curve;
    else
        wit_curve_destroy(curve);
    return place ? WIT_OK : wi_split_no_memory(s);
}

wit_status wi_split_line(splitter* s, wit_direction fixed, double value, double lo, double hi, const wit_curve** out)
{
    wit_curve_def def = wit_curve_default_def(WIT_CURVE_LINE);
    def.frame.origin = fixed == WIT_U ? vec3(value, 0, 0) : vec3(0, value, 0);
    def.frame.x = fixed == WIT_U ? vec3(0, 1, 0) : vec3(1, 0, 0);
    def.range = iv(lo, hi);
    wit_curve* c = wit_curve_create(&def, &s->memory, s->error);
    *out = c;
    return c ? wi_split_keep(s, c) : WIT_ERROR_MEMORY;
}

/* ---- vertices ---------------------------------------------------------------------------------- */

int wi_split_vertex_add(splitter* s, wit_vec3 point)
{
    wit_vec3* p = list_add(&s->points, sizeof *p, &s->memory);
    int* same = p ? list_add(&s->same, sizeof *same, &s->memory) : NULL;
    if (!same) return -1;
    *p = point;
    return *same = s->points.count - 1;
}

int wi_split_vertex_find(const splitter* s, int vertex)
{
    while (*LIST_AT(int, s->same, vertex) != vertex) vertex = *LIST_AT(int, s->same, vertex);
    return vertex;
}

/* The lower number stays: an original vertex keeps its point and its name. */
void wi_split_vertex_join(splitter* s, int a, int b)
{
    a = wi_split_vertex_find(s, a);
    b = wi_split_vertex_find(s, b);
    if (a != b) *LIST_AT(int, s->same, a > b ? a : b) = a > b ? b : a;
}

/* ---- curves of a face -------------------------------------------------------------------------- */

static wit_status add_knot(splitter* s, int edge, double t)
{
    split_knot* k = list_add(&s->knots, sizeof *k, &s->memory);
    if (!k) return wi_split_no_memory(s);
    k->edge = edge;
    k->t = t;
    k->vertex = -1;
    return WIT_OK;
}

/* A piece of a loop that lies within one image of the window: its shift into the window. Along an end of the window
 * the side tells: the face is to the left. */
static void shift_into(const split_face* f, uv_curve* x, bool reversed)
{
    double p[2], d[2], t = 0.5 * (x->from + x->to);
    wi_uv_curve_point(x, t, p);
    wi_uv_curve_tangent(x, t, d);
    for (int k = 0; k < 2; ++k) {
        double period = f->period[k];
        if (period == 0) continue;
        double turns = (p[k] - f->window[k].lo) / period, whole = floor(turns), near = round(turns);
        if (f->wrap[k] && fabs(turns - near) < 1e-9) {
            double ahead = reversed ? -d[1 - k] : d[1 - k];
            bool upper_end = k == 0 ? ahead > 0 : ahead < 0;
            whole = upper_end ? near - 1 : near;
        }
        x->shift[k] -= whole * period;
    }
}

enum { MAX_CHOPS = 32 };

/* Parameters at which a passage crosses an image of a window's end. */
static wit_status chops_of(splitter* s, const split_face* f, const uv_curve* x, double chop[MAX_CHOPS], int* count)
{
    *count = 0;
    wit_interval p[2], d[2];
    wi_uv_curve_enclose(x, x->from, x->to, p, d);
    double width[2] = {iv_width(f->window[0]), iv_width(f->window[1])};
    for (int k = 0; k < 2; ++k) {
        if (f->period[k] == 0) continue;
        double first = ceil((p[k].lo - f->window[k].lo) / f->period[k] - 1e-9);
        double last = floor((p[k].hi - f->window[k].lo) / f->period[k] + 1e-9);
        for (double m = first; m <= last && m < first + 8; m += 1) {
            const wit_curve* line;
            double slack = 1e-3 * width[1 - k];
            wit_status status = wi_split_line(s, (wit_direction)k, f->window[k].lo + m * f->period[k],
                                              p[1 - k].lo - slack, p[1 - k].hi + slack, &line);
            if (status) return status;
            uv_curve seam = {line, 0, 1, {0, 0}, line->range.lo, line->range.hi};
            uv_hits hits;
            wi_uv_curve_cross(x, &seam, width, SPLIT_NEAR, &hits);
            for (int i = 0; i < hits.count && *count < MAX_CHOPS; ++i) chop[(*count)++] = hits.at[i].t[0];
        }
    }
    for (int i = 1; i < *count; ++i) {
        double c = chop[i];
        int j = i;
        for (; j > 0 && chop[j - 1] > c; --j) chop[j] = chop[j - 1];
        chop[j] = c;
    }
    return WIT_OK;
}

typedef struct loop_state {
    int name;       /* of the node between this passage and the next */
    int first_name; /* of the loop's first node */
    int last_curve; /* the curve whose exit is open, -1 at the start */
    int first_curve;
    double last_shift[2];
} loop_state;

/* Names the node between consecutive curves of a loop when both are in the same image of the window. */
static void join_curves(arrangement* a, int before, int after, int name)
{
    arrangement_curve *x = arrangement_curve_at(a, before), *y = arrangement_curve_at(a, after);
    double p[2], q[2];
    wi_uv_curve_point(&x->s, x->reversed ? x->s.from : x->s.to, p);
    wi_uv_curve_point(&y->s, y->reversed ? y->s.to : y->s.from, q);
    double gap = larger(fabs(p[0] - q[0]) / a->width[0], fabs(p[1] - q[1]) / a->width[1]);
    if (gap > 1e-3) return;
    x->node[x->reversed ? 0 : 1] = name;
    y->node[y->reversed ? 1 : 0] = name;
}

static wit_status add_use(splitter* s, split_face* f, const body_use* use, const wit_curve* curve, loop_state* state)
{
    bool pole = use->edge < 0;
    wit_interval range = pole ? curve->range : split_edge_at(s, use->edge)->range;
    arrangement_curve x;
    memset(&x, 0, sizeof x);
    x.s.curve = curve;
    x.s.offset = pole ? 0 : use->shift;
    x.s.scale = pole ? 1 : use->scale;
    x.s.from = range.lo;
    x.s.to = range.hi;
    x.border = true;
    x.reversed = use->reversed;
    x.node[0] = x.node[1] = -1;
    x.tag = pole ? SPLIT_POLE : use->edge;
    double chop[MAX_CHOPS + 2];
    int chops;
    wit_status status = chops_of(s, f, &x.s, chop + 1, &chops);
    chop[0] = range.lo;
    chop[chops + 1] = range.hi;
    double near = 1e-8 * iv_width(range);
    double at[MAX_CHOPS + 2];
    int n = 0;
    for (int i = 0; i <= chops + 1; ++i)
        if (i == 0 || i == chops + 1 ||
            (chop[i] - chop[0] > near && chop[chops + 1] - chop[i] > near && chop[i] - at[n - 1] > near))
            at[n++] = chop[i];
    for (int i = 0; i + 1 < n && !status; ++i) {
        int k = use->reversed ? n - 2 - i : i;
        arrangement_curve part = x;
        part.s.from = at[k];
        part.s.to = at[k + 1];
        shift_into(f, &part.s, part.reversed);
        int index = wi_arrangement_add(&f->a, &part);
        if (index < 0) return wi_split_no_memory(s);
        if (!pole && at[k] > range.lo) status = add_knot(s, use->edge, at[k]);
        if (!pole && !status && at[k + 1] < range.hi) status = add_knot(s, use->edge, at[k + 1]);
        if (state->last_curve >= 0)
            join_curves(&f->a, state->last_curve, index, state->name++);
        else
            state->first_curve = index;
        state->last_curve = index;
    }
    return status;
}

static wit_status add_loops(splitter* s, split_face* f)
{
    const body_face* face = &body_faces(s->body)[f->face];
    loop_state state = {0, 0, -1, -1, {0, 0}};
    for (int l = face->first_loop; l < face->first_loop + face->loops; ++l) {
        const body_loop* loop = &body_loops(s->body)[l];
        state.last_curve = state.first_curve = -1;
        for (int k = loop->first_use; k < loop->first_use + loop->uses; ++k) {
            wit_status status = add_use(s, f, &body_uses(s->body)[k], body_parameter_curve(s->body, k), &state);
            if (status) return status;
        }
        join_curves(&f->a, state.last_curve, state.first_curve, state.name++);
    }
    return WIT_OK;
}

static wit_status add_side(splitter* s, split_face* f, wit_direction fixed, double value, bool upper, int tag)
{
    wit_interval along = f->window[1 - fixed];
    arrangement_curve x;
    memset(&x, 0, sizeof x);
    wit_status status = wi_split_line(s, fixed, value, along.lo, along.hi, &x.s.curve);
    if (status) return status;
    x.s.scale = 1;
    x.s.from = along.lo;
    x.s.to = along.hi;
    x.border = x.filtered = true;
    /* The window is to the left going up at its right end, and going back at its top. */
    x.reversed = fixed == WIT_U ? !upper : upper;
    x.node[0] = x.node[1] = -1;
    x.tag = tag;
    return wi_arrangement_add(&f->a, &x) < 0 ? wi_split_no_memory(s) : WIT_OK;
}

/* Does the line collapse to a point? Then it bounds the window, but it is no edge. */
static bool is_pole(const wit_surface* s, wit_direction fixed, double value)
{
    for (int i = 0; i < 5; ++i) {
        wit_interval r = fixed == WIT_U ? s->v : s->u;
        double x = r.lo + iv_width(r) * (i + 0.5) / 5;
        wit_surface_jet j;
        wit_surface_eval(s, fixed == WIT_U ? value : x, fixed == WIT_U ? x : value, 0, NULL, &j);
        double speed = fixed == WIT_U ? s->speed_v : s->speed_u;
        if (norm3(fixed == WIT_U ? j.dv : j.du) > 1e-9 * speed) return false;
    }
    return true;
}

/* Ends of the window where a closed face is opened, and poles across the opened direction. */
static wit_status add_sides(splitter* s, split_face* f)
{
    for (int k = 0; k < 2; ++k) {
        wit_interval w = f->window[k];
        wit_status status = WIT_OK;
        if (f->wrap[k]) {
            split_edge* e = list_add(&s->edges, sizeof *e, &s->memory);
            if (!e) return wi_split_no_memory(s);
            e->original = -1;
            e->range = f->window[1 - k];
            int tag = s->edges.count - 1;
            for (int upper = 0; upper < 2 && !status; ++upper)
                status = add_side(s, f, (wit_direction)k, upper ? w.hi : w.lo, upper, tag);
        } else if (f->wrap[1 - k]) {
            wit_interval whole = k == 0 ? f->surface->u : f->surface->v;
            for (int upper = 0; upper < 2 && !status; ++upper) {
                double value = upper ? whole.hi : whole.lo;
                if (is_pole(f->surface, (wit_direction)k, value))
                    status = add_side(s, f, (wit_direction)k, value, upper, SPLIT_POLE);
            }
        }
        if (status) return status;
    }
    return WIT_OK;
}

static wit_status add_cuts(splitter* s, split_face* f)
{
    for (int i = 0; i < f->cuts.count; ++i) {
        const split_cut* c = LIST_AT(split_cut, f->cuts, i);
        arrangement_curve x;
        memset(&x, 0, sizeof x);
        x.s.curve = c->curve;
        x.s.scale = 1;
        x.s.shift[0] = c->shift[0];
        x.s.shift[1] = c->shift[1];
        x.s.from = c->curve->range.lo;
        x.s.to = c->curve->range.hi;
        x.node[0] = x.node[1] = -1;
        x.tag = SPLIT_CUT;
        if (wi_arrangement_add(&f->a, &x) < 0) return wi_split_no_memory(s);
    }
    return WIT_OK;
}

/* ---- windows ------------------------------------------------------------------------------------ */

static void set_window(split_face* f, const body_face* face)
{
    const wit_surface* s = f->surface;
    for (int k = 0; k < 2; ++k) {
        wit_interval range = k == 0 ? s->u : s->v, box = k == 0 ? face->u : face->v;
        bool closed = k == 0 ? s->closed_u : s->closed_v;
        double period = iv_width(range);
        f->period[k] = closed ? period : 0;
        f->wrap[k] = closed && iv_width(box) >= period * (1 - 1e-9);
        /* Lines across the window overshoot a trimmed face, so that they surely end outside. */
        double over = 1e-3 * iv_width(box);
        if (f->wrap[k])
            f->window[k] = range;
        else if (closed)
            f->window[k] = iv(box.lo - smaller(over, 0.5 * (period - iv_width(box))),
                              box.hi + smaller(over, 0.5 * (period - iv_width(box))));
        else
            f->window[k] = iv(larger(range.lo, box.lo - over), smaller(range.hi, box.hi + over));
    }
}

static wit_status plan_face(splitter* s, int i)
{
    split_face* f = list_add(&s->faces, sizeof *f, &s->memory);
    if (!f) return wi_split_no_memory(s);
    const body_face* face = &body_faces(s->body)[i];
    f->face = i;
    f->surface = body_surface(s->body, i);
    if (face->unbounded || s->body->planar) return WIT_OK;
    set_window(f, face);
    wit_status status = wi_split_find_cuts(s, f);
    if (status || f->cuts.count == 0) return status;
    double width[2] = {iv_width(f->window[0]), iv_width(f->window[1])};
    wi_arrangement_begin(&f->a, width, SPLIT_NEAR, &s->memory);
    status = add_loops(s, f);
    if (!status) status = add_sides(s, f);
    if (!status) status = add_cuts(s, f);
    if (!status && wi_arrangement_cross(&f->a)) status = wi_split_no_memory(s);
    for (int k = 0; k < f->a.splits.count && !status; ++k) {
        const arrangement_split* x = LIST_AT(arrangement_split, f->a.splits, k);
        int tag = arrangement_curve_at(&f->a, x->curve)->tag;
        if (tag >= 0) status = add_knot(s, tag, x->t);
    }
    return status;
}

/* ---- where edges are divided --------------------------------------------------------------------- */

static int by_edge_and_t(const void* x, const void* y)
{
    const split_knot *p = x, *q = y;
    if (p->edge != q->edge) return p->edge < q->edge ? -1 : 1;
    return p->t < q->t ? -1 : p->t > q->t;
}

static wit_vec3 edge_point(const splitter* s, const split_edge* e, int edge, double t)
{
    if (e->original >= 0) {
        wit_curve_jet j;
        wit_curve_eval(body_curve(s->body, e->original), t, WIT_KNOT_DEFAULT, NULL, &j);
        return j.p;
    }
    for (int i = 0; i < s->faces.count; ++i) { /* a window's end: its first curve */
        const split_face* f = split_face_at(s, i);
        for (int k = 0; k < f->a.curves.count; ++k) {
            const arrangement_curve* x = arrangement_curve_at(&f->a, k);
            if (x->tag != edge) continue;
            double p[2];
            wit_surface_jet j;
            wi_uv_curve_point(&x->s, t, p);
            wit_surface_eval(f->surface, p[0], p[1], WIT_KNOT_DEFAULT, NULL, &j);
            return j.p;
        }
    }
    return vec3(0, 0, 0);
}

/* Knots of one edge that lie together become one, those at its ends the ends; every knot gets a vertex. */
static wit_status merge_knots(splitter* s)
{
    for (int e = 0; e < s->edges.count; ++e) {
        const split_edge* edge = split_edge_at(s, e);
        double lo = edge->range.lo, hi = edge->range.hi;
        wit_status status = add_knot(s, e, lo);
        if (!status) status = add_knot(s, e, hi);
        if (status) return status;
    }
    wi_sort_items(s->knots.items, (size_t)s->knots.count, sizeof(split_knot), by_edge_and_t);
    int kept = 0;
    for (int i = 0; i < s->knots.count;) {
        int e = split_knot_at(s, i)->edge, end = i;
        split_edge* edge = split_edge_at(s, e);
        double lo = edge->range.lo, hi = edge->range.hi, near = 1e-8 * (hi - lo);
        edge->first = kept;
        for (; end < s->knots.count && split_knot_at(s, end)->edge == e; ++end) {
            split_knot k = *split_knot_at(s, end);
            bool first = kept == edge->first, ends = k.t <= lo + near || k.t >= hi - near;
            if (!first && (ends || k.t - split_knot_at(s, kept - 1)->t <= near)) continue;
            if (first) k.t = lo;
            *split_knot_at(s, kept++) = k;
        }
        split_knot last = {e, hi, -1};
        *split_knot_at(s, kept++) = last; /* at least two knots per edge were there */
        edge->count = kept - edge->first;
        edge->divided = end - i > 2;
        i = end;
    }
    s->knots.count = kept;
    return WIT_OK;
}

static wit_status knot_vertices(splitter* s)
{
    for (int e = 0; e < s->edges.count; ++e) {
        const split_edge* edge = split_edge_at(s, e);
        const body_edge* original = edge->original >= 0 ? &body_edges(s->body)[edge->original] : NULL;
        if (edge->ring && !edge->divided) continue; /* stays a ring */
        for (int k = 0; k < edge->count; ++k) {
            split_knot* knot = split_knot_at(s, edge->first + k);
            if (original && !edge->ring && k == 0)
                knot->vertex = original->start;
            else if (original && !edge->ring && k == edge->count - 1)
                knot->vertex = original->end;
            else if (edge->ring && k == edge->count - 1)
                knot->vertex = split_knot_at(s, edge->first)->vertex;
            else
                knot->vertex = wi_split_vertex_add(s, edge_point(s, edge, e, knot->t));
            if (knot->vertex < 0) return wi_split_no_memory(s);
        }
    }
    return WIT_OK;
}

/* The curves of edges get the edges' knots in place of what was found on this face alone. */
static wit_status hand_back_knots(splitter* s, split_face* f)
{
    int kept = 0;
    for (int i = 0; i < f->a.splits.count; ++i) {
        arrangement_split x = *LIST_AT(arrangement_split, f->a.splits, i);
        if (arrangement_curve_at(&f->a, x.curve)->tag < 0) *LIST_AT(arrangement_split, f->a.splits, kept++) = x;
    }
    f->a.splits.count = kept;
    for (int i = 0; i < f->a.curves.count; ++i) {
        arrangement_curve* x = arrangement_curve_at(&f->a, i);
        if (x->tag < 0) continue;
        const split_edge* e = split_edge_at(s, x->tag);
        double near = 1e-8 * iv_width(e->range);
        for (int k = 0; k < e->count; ++k) {
            double t = split_knot_at(s, e->first + k)->t;
            if (fabs(t - x->s.from) <= near)
                x->s.from = t;
            else if (fabs(t - x->s.to) <= near)
                x->s.to = t;
            else if (t > x->s.from && t < x->s.to && wi_arrangement_split_at(&f->a, i, t))
                return wi_split_no_memory(s);
        }
    }
    return WIT_OK;
}

/* ---- pieces -------------------------------------------------------------------------------------- */

typedef struct inside_of {
    const splitter* s;
    const split_face* f;
} inside_of;

/* Asked just inside the window: ends of the range and poles are borders. */
static bool inside(const double p[2], void* user)
{
    const inside_of* in = user;
    double q[2];
    for (int k = 0; k < 2; ++k) {
        wit_interval w = in->f->window[k];
        double in_by = 1e-7 * iv_width(w);
        q[k] = in->f->wrap[k] ? p[k] : smaller(larger(p[k], w.lo + in_by), w.hi - in_by);
    }
    return wit_body_face_contains(in->s->body, in->f->face, q[0], q[1]);
}

static wit_status build_face(splitter* s, split_face* f)
{
    if (f->cuts.count == 0) return WIT_OK;
    wit_status status = hand_back_knots(s, f);
    if (status) return status;
    inside_of in = {s, f};
    status = wi_arrangement_build(&f->a, inside, &in);
    if (status == WIT_ERROR_MEMORY) return wi_split_no_memory(s);
    if (status)
        return wi_error_fill_at(s->error, status, "faces", f->face, -1, "the cuts of this face leave no closed loops");
    if (f->a.faces > 1) s->report.faces_cut += 1;
    if (f->a.loose > 0 || f->a.doubtful) s->report.unresolved += f->a.loose + (f->a.doubtful ? 1 : 0);
    return WIT_OK;
}

static wit_status run(splitter* s)
{
    const wit_body* b = s->body;
    wit_status status = WIT_OK;
    for (int i = 0; i < b->vertex_count; ++i)
        if (wi_split_vertex_add(s, body_vertices(b)[i].point) < 0) return wi_split_no_memory(s);
    for (int i = 0; i < b->edge_count; ++i) {
        split_edge* e = list_add(&s->edges, sizeof *e, &s->memory);
        if (!e) return wi_split_no_memory(s);
        e->original = i;
        e->range = body_edges(b)[i].range;
        e->ring = body_edges(b)[i].start < 0;
    }
    for (int i = 0; i < b->face_count && !status; ++i) status = plan_face(s, i);
    if (!status) status = merge_knots(s);
    if (!status) status = knot_vertices(s);
    for (int i = 0; i < s->faces.count && !status; ++i) status = build_face(s, split_face_at(s, i));
    return status;
}

static wit_status check_def(const wit_body* body, const wit_split_def* def, wit_error* error)
{
    if (!body) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "", "no body given");
    wit_status status = wi_error_struct_size(def->struct_size, sizeof *def, "wit_split_default_def", error);
    if (status) return status;
    if (!(def->accuracy >= 1e-12 && def->accuracy <= 1e-3))
        return wi_error_fill(error, WIT_ERROR_RANGE, "accuracy", "is %g; it must lie between 1e-12 and 1e-3",
                             def->accuracy);
    return WIT_OK;
}

static wit_body* split_with(const wit_body* body, const wit_split_def* def, bool creases,
                            const wit_allocator* allocator, wit_error* error)
{
    splitter s;
    memset(&s, 0, sizeof s);
    s.body = body;
    s.def = def;
    s.creases = creases;
    s.memory = wi_allocator_or_default(allocator);
    s.error = error;
    s.report.first_face = -1;
    wit_body* out = run(&s) ? NULL : wi_split_write(&s, allocator);
    if (out) s.report.pieces = out->face_count;
    if (def->report) *def->report = s.report;
    for (int i = 0; i < s.faces.count; ++i) {
        split_face* f = split_face_at(&s, i);
        if (f->cuts.count > 0) wi_arrangement_end(&f->a);
        list_drop(&f->cuts, sizeof(split_cut), &s.memory);
    }
    for (int i = 0; i < s.curves.count; ++i) wit_curve_destroy(*LIST_AT(wit_curve*, s.curves, i));
    list_drop(&s.curves, sizeof(wit_curve*), &s.memory);
    list_drop(&s.faces, sizeof(split_face), &s.memory);
    list_drop(&s.edges, sizeof(split_edge), &s.memory);
    list_drop(&s.knots, sizeof(split_knot), &s.memory);
    list_drop(&s.points, sizeof(wit_vec3), &s.memory);
    list_drop(&s.same, sizeof(int), &s.memory);
    return out;
}

wit_body* wit_body_split(const wit_body* body, const wit_split_def* def, const wit_allocator* allocator,
                         wit_error* error)
{
    wit_split_def usual = wit_split_default_def();
    if (!def) def = &usual;
    return check_def(body, def, error) ? NULL : split_with(body, def, false, allocator, error);
}

wit_body* wi_split_creases(const wit_body* body, const wit_allocator* allocator, wit_error* error)
{
    wit_split_def def = wit_split_default_def();
    def.curvature = def.nice = false;
    return split_with(body, &def, true, allocator, error);
}
