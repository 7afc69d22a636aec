/* SPDX-License-Identifier: MIT */
/*
 * The check of one vertex. A corner is where a loop comes in along one use and leaves along the next; it is named by
 * the use that comes in. Across each end of an edge two corners meet; going from corner to corner that way runs through a
 * fan of faces, all round or from border to border. Uses along a pole (no edge) are passed over.
 */
#include "../meeting.h"
#include "check.h"

/* The other use of the edge, -1 if there is none. */
static int32_t mate(const wit_body* b, int32_t use)
{
    int32_t edge = body_uses(b)[use].edge;
    if (body_edges(b)[edge].uses != 2) return -1;
    const int32_t* list = edge_uses(b, edge);
    return list[0] == use ? list[1] : list[0];
}

typedef struct corner {
    int32_t name; /* the use that comes in */
    bool leaving; /* go on across the use that leaves; else across the one that comes in */
} corner;

/* The corner on the other side of the edge's end. False at a border. */
static bool step_over(const wit_body* b, corner* c)
{
    int32_t use = c->leaving ? wi_use_beside(b, c->name, 1) : c->name, other = mate(b, use);
    if (other < 0) return false;
    bool comes_in = use_at_high_end(b, other, true) == use_at_high_end(b, use, !c->leaving);
    c->name = comes_in ? other : wi_use_beside(b, other, -1);
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
    int count, n = 0;
    const body_apex* apexes = wi_vertex_apexes(b, vertex, &count);
    for (int k = 0; k < count; k++) n += wi_apex_inside(b, &apexes[k]);
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
    int32_t leaving = wi_use_beside(b, in, 1);
    use_lift a = wi_use_lift(b, in, use_parameter(b, in, true));
    use_lift c = wi_use_lift(b, leaving, use_parameter(b, leaving, false));
    wit_vec3 from = scale3(body_uses(b)[in].reversed ? -1 : 1, a.c.d1);
    wit_vec3 to = scale3(body_uses(b)[leaving].reversed ? -1 : 1, c.c.d1);
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
    const int32_t* edges = vertex_edges(b, vertex);
    bool countable = true;
    for (int32_t i = 0; i < v->edges; i++) {
        check_ends(b, vertex, edges[i], &out);
        countable &= body_edges(b)[edges[i]].uses <= 2;
    }
    int fans = count_apexes(b, vertex);
    for (int32_t i = 0; i < v->edges && countable; i++) {
        for (int32_t k = 0; k < body_edges(b)[edges[i]].uses; k++) {
            int32_t use = edge_uses(b, edges[i])[k];
            if (use_vertex(b, use, true) != vertex) continue;
            fans += leads(b, use, &out.open);
            if (b->planar) check_corner(b, use, &out);
        }
    }
    out.fans = countable ? fans : 0;
    out.manifold = countable && fans == 1;
    return out;
}
