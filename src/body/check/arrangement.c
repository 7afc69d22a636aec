/* SPDX-License-Identifier: MIT */
#include "arrangement.h"

#include "../../base/sort.h"

/* Nodes are one within this many tolerances: a meeting point computed on two curves, and fitted curves. */
#define NODE_REACH 20

void wi_arrangement_begin(arrangement* a, const double width[2], double tolerance, const wit_allocator* memory)
{
    memset(a, 0, sizeof *a);
    a->memory = wi_allocator_or_default(memory);
    a->width[0] = width[0];
    a->width[1] = width[1];
    a->tolerance = tolerance;
}

void wi_arrangement_end(arrangement* a)
{
    list_drop(&a->curves, sizeof(arrangement_curve), &a->memory);
    list_drop(&a->splits, sizeof(arrangement_split), &a->memory);
    list_drop(&a->arcs, sizeof(arrangement_arc), &a->memory);
    list_drop(&a->nodes, sizeof(arrangement_node), &a->memory);
    list_drop(&a->around, sizeof(int), &a->memory);
    list_drop(&a->passages, sizeof(int), &a->memory);
    list_drop(&a->loops, sizeof(arrangement_loop), &a->memory);
}

static void* add(arrangement* a, list* l, size_t bytes)
{
    void* p = list_add(l, bytes, &a->memory);
    if (!p) a->failed = true;
    return p;
}

static wit_status ended(const arrangement* a)
{
    return a->failed ? WIT_ERROR_MEMORY : WIT_OK;
}

int wi_arrangement_add(arrangement* a, const arrangement_curve* s)
{
    arrangement_curve* place = add(a, &a->curves, sizeof *place);
    if (!place) return -1;
    *place = *s;
    return a->curves.count - 1;
}

wit_status wi_arrangement_split_at(arrangement* a, int curve_, double t)
{
    arrangement_split* s = add(a, &a->splits, sizeof *s);
    if (!s) return WIT_ERROR_MEMORY;
    s->curve = curve_;
    s->t = t;
    return WIT_OK;
}

wit_status wi_arrangement_cross(arrangement* a)
{
    for (int i = 0; i < a->curves.count; ++i)
        for (int j = i + 1; j < a->curves.count && !a->failed; ++j) {
            const arrangement_curve *p = arrangement_curve_at(a, i), *q = arrangement_curve_at(a, j);
            if (p->border && q->border && !(p->filtered && !q->filtered) && !(q->filtered && !p->filtered)) continue;
            uv_hits hits;
            wi_uv_curve_cross(&p->s, &q->s, a->width, a->tolerance, &hits);
            a->doubtful |= hits.overflow;
            for (int k = 0; k < hits.count; ++k) {
                wi_arrangement_split_at(a, i, hits.at[k].t[0]);
                wi_arrangement_split_at(a, j, hits.at[k].t[1]);
            }
        }
    return ended(a);
}

/* ---- nodes and arcs -------------------------------------------------------------------------- */

static double distance(const arrangement* a, const double p[2], const double q[2])
{
    double x = (p[0] - q[0]) / a->width[0], y = (p[1] - q[1]) / a->width[1];
    return sqrt(x * x + y * y);
}

static int node_by_name(arrangement* a, int name, const double p[2])
{
    for (int i = 0; i < a->nodes.count; ++i)
        if (arrangement_node_at(a, i)->name == name) return i;
    arrangement_node* n = add(a, &a->nodes, sizeof *n);
    if (!n) return 0;
    memcpy(n->p, p, sizeof n->p);
    n->name = name;
    return a->nodes.count - 1;
}

static int node_at(arrangement* a, const double p[2])
{
    int best = -1;
    double least = NODE_REACH * a->tolerance;
    for (int i = 0; i < a->nodes.count; ++i) {
        double d = distance(a, p, arrangement_node_at(a, i)->p);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    if (best >= 0) return best;
    arrangement_node* n = add(a, &a->nodes, sizeof *n);
    if (!n) return 0;
    memcpy(n->p, p, sizeof n->p);
    n->name = -1;
    return a->nodes.count - 1;
}

static int by_curve_and_t(const void* x, const void* y)
{
    const arrangement_split *p = x, *q = y;
    if (p->curve != q->curve) return p->curve < q->curve ? -1 : 1;
    return p->t < q->t ? -1 : p->t > q->t;
}

static int node_of_end(arrangement* a, const arrangement_curve* s, int end)
{
    double p[2];
    wi_uv_curve_point(&s->s, end ? s->s.to : s->s.from, p);
    return s->node[end] >= 0 ? node_by_name(a, s->node[end], p) : node_at(a, p);
}

static void add_arc(arrangement* a, int curve_, double from, double to, int start, int end)
{
    const arrangement_curve* s = arrangement_curve_at(a, curve_);
    double p[2], q[2], r = 0;
    wi_uv_curve_point(&s->s, from, p);
    for (int i = 1; i <= 8; ++i) {
        wi_uv_curve_point(&s->s, from + (to - from) * i / 8, q);
        r = larger(r, distance(a, p, q));
    }
    if (start == end && r < NODE_REACH * a->tolerance) return; /* nothing but its node */
    arrangement_arc* arc = add(a, &a->arcs, sizeof *arc);
    if (!arc) return;
    arc->curve = curve_;
    arc->from = from;
    arc->to = to;
    arc->node[0] = start;
    arc->node[1] = end;
    arc->used = true;
    arc->r = r;
    arc->face[0] = arc->face[1] = -1;
}

static void arcs_of_curve(arrangement* a, int i, const arrangement_split* split, int count)
{
    const arrangement_curve* s = arrangement_curve_at(a, i);
    int start = node_of_end(a, s, 0), last = node_of_end(a, s, 1);
    double from = s->s.from;
    for (int k = 0; k < count && !a->failed; ++k) {
        double t = split[k].t, p[2];
        if (!(t > from && t < s->s.to)) continue;
        wi_uv_curve_point(&s->s, t, p);
        int n = node_at(a, p);
        double q[2];
        wi_uv_curve_point(&s->s, 0.5 * (from + t), q);
        if (n == start && distance(a, p, q) < NODE_REACH * a->tolerance) continue; /* the same meeting point again */
        if (n == last) {
            wi_uv_curve_point(&s->s, 0.5 * (s->s.to + t), q);
            if (distance(a, p, q) < NODE_REACH * a->tolerance) continue;
        }
        add_arc(a, i, from, t, start, n);
        start = n;
        from = t;
    }
    add_arc(a, i, from, s->s.to, start, last);
}

static void make_arcs(arrangement* a)
{
    wi_sort_items(a->splits.items, (size_t)a->splits.count, sizeof(arrangement_split), by_curve_and_t);
    /* Borders first: their nodes are where others end. */
    for (int pass = 0; pass < 3; ++pass)
        for (int i = 0, k = 0; i < a->curves.count && !a->failed; ++i) {
            int first = k;
            while (k < a->splits.count && LIST_AT(arrangement_split, a->splits, k)->curve == i) ++k;
            const arrangement_curve* s = arrangement_curve_at(a, i);
            int rank = !s->border ? 2 : s->filtered ? 1 : 0;
            const arrangement_split* own = k > first ? LIST_AT(arrangement_split, a->splits, first) : NULL;
            if (rank == pass) arcs_of_curve(a, i, own, k - first);
        }
}

/* ---- which arcs count ------------------------------------------------------------------------ */

static void midpoint(const arrangement* a, const arrangement_arc* arc, double p[2])
{
    wi_uv_curve_point(&arrangement_curve_at(a, arc->curve)->s, 0.5 * (arc->from + arc->to), p);
}

static bool same_ends(const arrangement_arc* p, const arrangement_arc* q)
{
    return (p->node[0] == q->node[0] && p->node[1] == q->node[1]) ||
           (p->node[0] == q->node[1] && p->node[1] == q->node[0]);
}

/* A cut that runs along another arc adds nothing. */
static bool doubled(const arrangement* a, int i)
{
    const arrangement_arc* arc = arrangement_arc_at(a, i);
    double p[2];
    midpoint(a, arc, p);
    for (int j = 0; j < i; ++j) {
        const arrangement_arc* other = arrangement_arc_at(a, j);
        if (!other->used || !same_ends(arc, other)) continue;
        uv_curve s = arrangement_curve_at(a, other->curve)->s;
        s.from = other->from;
        s.to = other->to;
        double t;
        if (wi_uv_curve_project(&s, p, a->width, NODE_REACH * a->tolerance, &t)) return true;
    }
    return false;
}

static int degree(const arrangement* a, int node)
{
    int n = 0;
    for (int i = 0; i < a->arcs.count; ++i) {
        const arrangement_arc* arc = arrangement_arc_at(a, i);
        if (arc->used) n += (arc->node[0] == node) + (arc->node[1] == node);
    }
    return n;
}

static void choose_arcs(arrangement* a, arrangement_inside* inside, void* user)
{
    for (int i = 0; i < a->arcs.count; ++i) {
        arrangement_arc* arc = arrangement_arc_at(a, i);
        const arrangement_curve* s = arrangement_curve_at(a, arc->curve);
        double p[2];
        if (s->border && !s->filtered) continue;
        midpoint(a, arc, p);
        if (doubled(a, i) || !inside(p, user)) arc->used = false;
    }
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < a->arcs.count; ++i) {
            arrangement_arc* arc = arrangement_arc_at(a, i);
            if (!arc->used || arrangement_curve_at(a, arc->curve)->border) continue;
            if (degree(a, arc->node[0]) > 1 && degree(a, arc->node[1]) > 1) continue;
            arc->used = false;
            a->loose += 1;
            again = true;
        }
    }
}

/* ---- around the nodes ------------------------------------------------------------------------ */

static bool has_side(const arrangement* a, int half)
{
    const arrangement_arc* arc = arrangement_arc_at(a, half / 2);
    const arrangement_curve* s = arrangement_curve_at(a, arc->curve);
    return arc->used && (!s->border || s->reversed == (half % 2 == 1));
}

/* Direction in which the half arc leaves its node: to where it crosses the circle of radius r. Arcs that touch at the node
 * are in the right order there. */
static double leaving_angle(const arrangement* a, int half, double r)
{
    const arrangement_arc* arc = arrangement_arc_at(a, half / 2);
    const uv_curve* s = &arrangement_curve_at(a, arc->curve)->s;
    double start = half % 2 ? arc->to : arc->from, end = half % 2 ? arc->from : arc->to, o[2], p[2];
    wi_uv_curve_point(s, start, o);
    double inside = 0, outside = 1;
    for (int i = 1; i <= 64; ++i) { /* the first sample outside */
        outside = i / 64.0;
        wi_uv_curve_point(s, start + (end - start) * outside, p);
        if (distance(a, o, p) >= r) break;
        inside = outside;
    }
    for (int i = 0; i < 50; ++i) {
        double m = 0.5 * (inside + outside);
        wi_uv_curve_point(s, start + (end - start) * m, p);
        if (distance(a, o, p) >= r)
            outside = m;
        else
            inside = m;
    }
    wi_uv_curve_point(s, start + (end - start) * outside, p);
    return wit_atan2((p[1] - o[1]) / a->width[1], (p[0] - o[0]) / a->width[0]);
}

/* Half arcs by the node they leave; those without a side too: one may arrive along them. */
static void sort_around(arrangement* a, double* angle)
{
    for (int n = 0; n < a->nodes.count && !a->failed; ++n) {
        arrangement_node* node = arrangement_node_at(a, n);
        node->first = a->around.count;
        double r = 1e-2;
        for (int h = 0; h < 2 * a->arcs.count; ++h) {
            const arrangement_arc* arc = arrangement_arc_at(a, h / 2);
            if (!arc->used || arc->node[h % 2] != n) continue;
            r = smaller(r, 0.25 * arc->r);
            int* place = add(a, &a->around, sizeof *place);
            if (!place) return;
            *place = h;
        }
        node = arrangement_node_at(a, n);
        node->count = a->around.count - node->first;
        if (node->count == 0) continue;
        int* half = LIST_AT(int, a->around, node->first);
        for (int i = 0; i < node->count; ++i) angle[half[i]] = leaving_angle(a, half[i], r);
        for (int i = 1; i < node->count; ++i) {
            int x = half[i], j = i;
            for (; j > 0 && angle[half[j - 1]] > angle[x]; --j) half[j] = half[j - 1];
            half[j] = x;
        }
    }
}

/* After arriving along `half`: clockwise from the way back to the first arc that has a side. -1: none. */
static int next_half(const arrangement* a, int half)
{
    const arrangement_arc* arc = arrangement_arc_at(a, half / 2);
    const arrangement_node* n = arrangement_node_at(a, arc->node[1 - half % 2]);
    const int* around = LIST_AT(int, a->around, n->first);
    int back = half ^ 1, at = 0;
    while (at < n->count && around[at] != back) ++at;
    for (int i = 1; i <= n->count; ++i) {
        int h = around[(at - i + 2 * n->count) % n->count];
        if (has_side(a, h)) return h;
    }
    return -1;
}

/* ---- loops and faces ------------------------------------------------------------------------- */

static double loop_area(const arrangement* a, const arrangement_loop* l)
{
    double origin[2] = {0, 0}, sum = 0;
    for (int i = 0; i < l->count; ++i) {
        int h = arrangement_passage(a, l->first + i);
        const arrangement_arc* arc = arrangement_arc_at(a, h / 2);
        const uv_curve* s = &arrangement_curve_at(a, arc->curve)->s;
        if (i == 0) wi_uv_curve_point(s, arc->from, origin);
        double area = wi_uv_curve_area(s, arc->from, arc->to, origin);
        sum += h % 2 ? -area : area;
    }
    return sum / (a->width[0] * a->width[1]);
}

static int winding(const arrangement* a, const arrangement_loop* l, const double p[2])
{
    double angle = 0;
    for (int i = 0; i < l->count; ++i) {
        int h = arrangement_passage(a, l->first + i);
        const arrangement_arc* arc = arrangement_arc_at(a, h / 2);
        double turn = wi_uv_curve_turn(&arrangement_curve_at(a, arc->curve)->s, arc->from, arc->to, p);
        angle += h % 2 ? -turn : turn;
    }
    return (int)floor(angle / TWO_PI + 0.5);
}

static wit_status trace_loops(arrangement* a, bool* done)
{
    for (int h = 0; h < 2 * a->arcs.count; ++h) {
        if (done[h] || !has_side(a, h)) continue;
        arrangement_loop* l = add(a, &a->loops, sizeof *l);
        if (!l) return WIT_ERROR_MEMORY;
        l->first = a->passages.count;
        l->face = -1;
        for (int at = h; !done[at];) {
            int* p = add(a, &a->passages, sizeof *p);
            if (!p) return WIT_ERROR_MEMORY;
            *p = at;
            done[at] = true;
            l->count += 1;
            at = next_half(a, at);
            if (at < 0 || (done[at] && at != h)) return WIT_ERROR_RANGE;
        }
        l->area = loop_area(a, l);
    }
    return WIT_OK;
}

static void group_nodes(arrangement* a)
{
    for (int n = 0; n < a->nodes.count; ++n) arrangement_node_at(a, n)->group = n;
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < a->arcs.count; ++i) {
            const arrangement_arc* arc = arrangement_arc_at(a, i);
            arrangement_node *p = arrangement_node_at(a, arc->node[0]), *q = arrangement_node_at(a, arc->node[1]);
            if (!arc->used || p->group == q->group) continue;
            p->group = q->group = p->group < q->group ? p->group : q->group;
            again = true;
        }
    }
}

static int loop_group(const arrangement* a, const arrangement_loop* l)
{
    const arrangement_arc* arc = arrangement_arc_at(a, arrangement_passage(a, l->first) / 2);
    return arrangement_node_at(a, arc->node[0])->group;
}

/* Each hole belongs to the smallest outer loop around it; never to one it hangs together with, which it can only be the
 * outside of. */
static wit_status assign_holes(arrangement* a)
{
    group_nodes(a);
    for (int i = 0; i < a->loops.count; ++i) {
        arrangement_loop* l = arrangement_loop_at(a, i);
        if (l->area > 0) l->face = a->faces++;
    }
    for (int i = 0; i < a->loops.count; ++i) {
        arrangement_loop* l = arrangement_loop_at(a, i);
        if (l->area > 0) continue;
        double p[2], least = INFINITY;
        midpoint(a, arrangement_arc_at(a, arrangement_passage(a, l->first) / 2), p);
        for (int j = 0; j < a->loops.count; ++j) {
            const arrangement_loop* outer = arrangement_loop_at(a, j);
            if (outer->area <= 0 || outer->area >= least || loop_group(a, outer) == loop_group(a, l)) continue;
            if (winding(a, outer, p) != 1) continue;
            least = outer->area;
            l->face = outer->face;
        }
        if (l->face < 0) return WIT_ERROR_RANGE;
    }
    for (int i = 0; i < a->loops.count; ++i) {
        const arrangement_loop* l = arrangement_loop_at(a, i);
        for (int k = 0; k < l->count; ++k) {
            int h = arrangement_passage(a, l->first + k);
            arrangement_arc_at(a, h / 2)->face[h % 2] = l->face;
        }
    }
    return WIT_OK;
}

wit_status wi_arrangement_build(arrangement* a, arrangement_inside* inside, void* user)
{
    make_arcs(a);
    if (a->failed) return WIT_ERROR_MEMORY;
    choose_arcs(a, inside, user);
    size_t halves = 2 * (size_t)a->arcs.count, bytes = halves * (sizeof(double) + sizeof(bool));
    double* angle = wi_allocator_take(&a->memory, bytes);
    if (!angle) return WIT_ERROR_MEMORY;
    memset(angle, 0, bytes);
    sort_around(a, angle);
    wit_status status = ended(a);
    if (!status) status = trace_loops(a, (bool*)(void*)(angle + halves));
    if (!status) status = assign_holes(a);
    wi_allocator_release(&a->memory, angle, bytes);
    return status;
}
