/* SPDX-License-Identifier: MIT */
/* Charts and normal of a pair of places. */
#include "contact_pair.h"

#include <string.h>

#include "conormal.h"
#include "kinematics.h"

#define CLOSE 1e-8       /* of the size: two edges no farther apart than this have the normal of their tangents */
#define NOWHERE 1e-14    /* of the size and the coordinates: a gap below has no direction */
#define LEAN 1e-3        /* sine: farther off the normal is no closest pair */
#define LEAN_LENGTH 1e-9 /* of the size: what convergence may leave of it */

/* At a pole the chart is taken a little beside it: back into the tangent plane of the pole itself. */
static void upright(const contact_side* s, tangent_chart* c)
{
    wit_vec3 n;
    if (!c->rough || c->n != 2 || !wi_side_normal(&s->side, s->on.id, s->on.u, s->on.v, &n)) return;
    wit_vec3 m = cross3(c->e[0], c->e[1]);
    if (dot3(m, n) < 0) n = scale3(-1, n);
    for (int i = 0; i < 3; ++i) c->k[i] = scale3(dot3(c->k[i], m), n);
    c->e[0] = unit3(addscaled3(c->e[0], -dot3(c->e[0], n), n));
    c->e[1] = cross3(n, c->e[0]);
}

static void make_side(const wit_moving_place* at, contact_side* out)
{
    memset(out, 0, sizeof *out);
    out->motion = &at->motion;
    out->spans = true;
    if (!at->body) {
        out->side = wi_side_of_point(at->motion.pose.position);
        out->now.p = at->motion.pose.position;
        out->on = place_at(WIT_POINT, -1, 0, 0, out->now.p);
        return;
    }
    wit_placed placed = wit_placed_at(at->body, at->motion.pose);
    out->side = wi_side_of(&placed, NULL, NULL);
    out->now = wi_moving_of(at);
    out->on = place_at(at->feature, at->id, at->u, at->v, out->now.p);
    if (at->feature == WIT_VERTEX) return;
    out->chart = wi_chart_at(&out->side, &out->on, WIT_KNOT_DEFAULT);
    out->spans = out->chart.n == out->now.count;
    upright(out, &out->chart);
}

/* The sum of the outward normals of the faces at an edge of a solid, zero where there are none. */
static wit_vec3 outward_of_edge(const contact_side* s)
{
    const wit_body* b = s->side.body;
    wit_vec3 sum = vec3(0, 0, 0), n;
    if (b->kind != WIT_BODY_SOLID || b->planar) return sum;
    for (int k = 0; k < body_edges(b)[s->on.id].uses; ++k) {
        if (wi_use_outward(&s->side, edge_uses(b, s->on.id)[k], s->on.u, &n)) sum = add3(sum, n);
    }
    return sum;
}

static bool is_edge(const contact_side* s)
{
    return s->on.kind == WIT_EDGE;
}

/* No face: along the gap; of two edges that (nearly) meet, across both. Edges of solids: out of a, into b. */
static wit_vec3 normal_without_face(const contact_pair* p, wit_vec3 w, wit_form form)
{
    const contact_side *a = &p->side[0], *b = &p->side[1];
    bool edges = form == WIT_FORM_CONTACT && is_edge(a) && is_edge(b);
    double gap = norm3(w);
    wit_vec3 n = unit3(w);
    if (edges && gap <= CLOSE * p->size) {
        wit_vec3 across = cross3(a->chart.e[0], b->chart.e[0]);
        if (!(norm3(across) > LEAN)) return vec3(0, 0, 0);
        n = unit3(across);
        if (dot3(n, w) < 0) n = scale3(-1, n);
    } else if (!(gap > NOWHERE * (p->size + norm3(a->now.p) + norm3(b->now.p)))) {
        return vec3(0, 0, 0);
    }
    if (edges && dot3(n, sub3(outward_of_edge(a), outward_of_edge(b))) < 0) n = scale3(-1, n);
    return n;
}

void wi_contact_pair_make(const wit_moving_place* a, const wit_moving_place* b, wit_form form, contact_pair* out)
{
    contact_pair* p = out;
    memset(p, 0, sizeof *p);
    make_side(a, &p->side[0]);
    make_side(b, &p->side[1]);
    double size_a = a->body ? a->body->size : 0, size_b = b->body ? b->body->size : 0;
    p->size = size_a > 0 && size_b > 0 ? fmin(size_a, size_b) : fmax(size_a, size_b);
    if (!(p->size > 0)) p->size = 1;
    wit_vec3 w = sub3(p->side[1].now.p, p->side[0].now.p);
    bool face_a = p->side[0].on.kind == WIT_FACE, face_b = p->side[1].on.kind == WIT_FACE;
    if (form == WIT_FORM_CONTACT && (face_a || face_b)) {
        const contact_side* s = &p->side[face_a ? 0 : 1];
        wit_vec3 n;
        if (wi_side_normal(&s->side, s->on.id, s->on.u, s->on.v, &n)) p->normal = face_a ? n : scale3(-1, n);
    } else {
        p->normal = normal_without_face(p, w, form);
    }
    p->distance = dot3(w, p->normal);
}

bool wi_contact_pair_closest(const contact_pair* p)
{
    wit_vec3 w = sub3(p->side[1].now.p, p->side[0].now.p);
    double gap = norm3(w), near = LEAN_LENGTH * p->size;
    if (!(dot3(p->normal, p->normal) > 0) || !p->side[0].spans || !p->side[1].spans) return false;
    if (!(norm3(addscaled3(w, -p->distance, p->normal)) <= LEAN * gap + near)) return false;
    double lean = LEAN + (gap > 0 ? near / gap : 1); /* of a normal that is known from the gap */
    bool face = false;
    for (int i = 0; i < 2; ++i) face = face || p->side[i].chart.n == 2;
    if (face) lean = LEAN;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < p->side[i].chart.n; ++k)
            if (!(fabs(dot3(p->side[i].chart.e[k], p->normal)) <= lean)) return false;
    return true;
}
