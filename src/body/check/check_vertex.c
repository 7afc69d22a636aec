/* SPDX-License-Identifier: MIT */
/*
 * The check of one vertex. A corner is where a loop comes in along one use and leaves along the next; it is named by
 * the use that comes in. Across each end of an edge two corners meet; going from corner to corner that way runs through a
 * fan of faces, all round or from border to border. Uses along a pole (no edge) are passed over.
 */
#include "check.h"

/* The use after (step 1) or before (step -1) this one in its loop, poles passed over. */
static int32_t neighbour(const wit_body* b, int32_t use, int step)
{
    const body_use* x = &body_uses(b)[use];
    const body_loop* loop = &body_loops(b)[body_faces(b)[x->face].first_loop + x->loop];
    int32_t k = use - loop->first_use;
    for (int32_t i = 0; i < loop->uses; i++) {
        k = (k + step + loop->uses) % loop->uses;
        if (body_uses(b)[loop->first_use + k].edge >= 0) break;
    }
    return loop->first_use + k;
}

/* Which end of its edge a use comes in at (1: the high one). It leaves from the other. */
static int end_in(const wit_body* b, int32_t use)
{
    return body_uses(b)[use].reversed ? 0 : 1;
}

static int32_t vertex_in(const wit_body* b, int32_t use)
{
    const body_edge* e = &body_edges(b)[body_uses(b)[use].edge];
    return end_in(b, use) ? e->end : e->start;
}

/* The other use of the edge, -1 if there is none. */
static int32_t mate(const wit_body* b, int32_t use)
{
    int32_t edge = body_uses(b)[use].edge;
    if (body_edges(b)[edge].uses != 2) return -1;
    const int32_t* list = check_edge_uses(b, edge);
    return list[0] == use ? list[1] : list[0];
}

typedef struct corner {
    int32_t name; /* the use that comes in */
    bool leaving; /* go on across the use that leaves; else across the one that comes in */
} corner;

/* The corner on the other side of the edge's end. False at a border. */
static bool step_over(const wit_body* b, corner* c)
{
    int32_t use = c->leaving ? neighbour(b, c->name, 1) : c->name, other = mate(b, use);
    int end = c->leaving ? 1 - end_in(b, use) : end_in(b, use);
    if (other < 0) return false;
    bool comes_in = end_in(b, other) == end;
    c->name = comes_in ? other : neighbour(b, other, -1);
    c->leaving = comes_in;
    return true;
}

/* Is this the corner with the smallest name of its fan? Walks until it is back or at a border, both ways then. */
static bool leads(const wit_body* b, int32_t name, bool* open)
{
    for (int way = 0; way < 2; way++) {
        corner c = {name, way == 0};
        bool border = false;
        for (int32_t i = 0; i <= b->use_count; i++) {
            border = !step_over(b, &c);
            if (border || (c.name == name && c.leaving == (way == 0))) break;
            if (c.name < name) return false;
        }
        if (!border) return true;
        *open = true;
    }
    return true;
}

/* Apexes inside their faces: each is a fan of its own. At the border of its face an apex is a corner like others. */
static int count_apexes(const wit_body* b, int32_t vertex)
{
    int lo = 0, hi = b->apex_count, n = 0; /* sorted by vertex */
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (body_apexes(b)[mid].vertex < vertex)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < b->apex_count && body_apexes(b)[lo].vertex == vertex; lo++)
        n += wi_check_apex_inside(b, &body_apexes(b)[lo]);
    return n;
}

static void check_ends(const wit_body* b, int32_t vertex, int32_t edge, wit_vertex_check* out)
{
    const body_vertex* v = &body_vertices(b)[vertex];
    const body_edge* e = &body_edges(b)[edge];
    double reach = larger(norm3(b->box.lo), norm3(b->box.hi));
    for (int end = 0; end < 2; end++) {
        if ((end ? e->end : e->start) != vertex) continue;
        wit_curve_jet j;
        wit_curve_eval(body_curve(b, edge), end ? e->range.hi : e->range.lo, end ? WIT_KNOT_T_BELOW : 0, NULL, &j);
        double gap = norm3(sub3(j.p, v->point));
        out->gap = larger(out->gap, gap);
        out->within_tolerance &= gap <= larger(v->tolerance, e->tolerance) * (1 + 1e-6) + 1e-13 * reach;
    }
}

/* Planar bodies: from the edge that comes in to the one that leaves; the face is to the left. */
static void check_corner(const wit_body* b, int32_t in, wit_vertex_check* out)
{
    int32_t leaving = neighbour(b, in, 1);
    const body_use *x = &body_uses(b)[in], *y = &body_uses(b)[leaving];
    wit_interval tx = body_edges(b)[x->edge].range, ty = body_edges(b)[y->edge].range;
    check_lift a = wi_check_lift_use(b, in, x->reversed ? tx.lo : tx.hi);
    check_lift c = wi_check_lift_use(b, leaving, y->reversed ? ty.hi : ty.lo);
    wit_vec3 from = scale3(x->reversed ? -1 : 1, a.c.d1), to = scale3(y->reversed ? -1 : 1, c.c.d1);
    from = unit3(from);
    to = unit3(to);
    out->turn = wit_atan2(cross3(from, to).z, dot3(from, to));
    out->turn_known = dot3(from, from) > 0.5 && dot3(to, to) > 0.5;
}

wit_vertex_check wit_body_check_vertex(const wit_body* b, int vertex)
{
    wit_vertex_check out = {0};
    if (!b || vertex < 0 || vertex >= b->vertex_count) return out;
    const body_vertex* v = &body_vertices(b)[vertex];
    out.edge_count = v->edges;
    out.face_count = v->faces;
    out.within_tolerance = true;
    const int32_t* edges = (const int32_t*)body_at(b, b->vertex_edges) + v->first_edge;
    bool countable = true;
    for (int32_t i = 0; i < v->edges; i++) {
        check_ends(b, vertex, edges[i], &out);
        countable &= body_edges(b)[edges[i]].uses <= 2;
    }
    int fans = count_apexes(b, vertex);
    for (int32_t i = 0; i < v->edges && countable; i++) {
        for (int32_t k = 0; k < body_edges(b)[edges[i]].uses; k++) {
            int32_t use = check_edge_uses(b, edges[i])[k];
            if (vertex_in(b, use) != vertex) continue;
            fans += leads(b, use, &out.open);
            if (b->planar) check_corner(b, use, &out);
        }
    }
    out.fans = countable ? fans : 0;
    out.manifold = countable && fans == 1;
    return out;
}
