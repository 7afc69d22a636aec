/* SPDX-License-Identifier: MIT */
#include "half_space.h"

#include <string.h>

#include "depth/penetration_search.h"
#include "query_record.h"
#include "../pair/lowest_place.h"

const shape_frame* wi_half_space(const side* s)
{
    const wit_body* b = s->body;
    bool one = b->unbounded && b->face_count == 1 && !b->edge_count && !b->vertex_count;
    return one && body_surface(b, 0)->kind == WIT_SURFACE_PLANE ? &body_surface(b, 0)->frame : NULL;
}

bool wi_half_space_both(const search_task* t)
{
    return wi_half_space(&t->a) && side_counts(&t->a, WIT_FACE, 0) && wi_half_space(&t->b) &&
           side_counts(&t->b, WIT_FACE, 0);
}

bool wi_half_space_clip(const side* s, const tree_node* leaf, wit_interval range[2])
{
    range[0] = leaf->u;
    range[1] = leaf->v;
    if (leaf->kind != WIT_FACE || !body_faces(s->body)[leaf->feature].unbounded) return false;
    wit_interval part[2];
    bool closed[2];
    wi_side_range(s, WIT_FACE, leaf->feature, part, closed);
    for (int i = 0; i < 2; ++i) range[i] = iv(larger(part[i].lo, range[i].lo), smaller(part[i].hi, range[i].hi));
    return true;
}

static place plane_place(const side* s, const shape_frame* plane, wit_vec3 p)
{
    wit_vec3 r = sub3(side_unpoint(s, p), plane->o);
    return place_at(WIT_FACE, 0, dot3(r, plane->x), dot3(r, plane->y), p);
}

/* Planes that are not parallel meet; parallel ones are one distance apart everywhere. */
void wi_half_space_pair(const search_task* t, search_answer* f)
{
    const shape_frame *a = wi_half_space(&t->a), *b = wi_half_space(&t->b);
    wit_vec3 n, m;
    memset(f, 0, sizeof *f);
    wi_side_normal(&t->a, 0, 0, 0, &n);
    wi_side_normal(&t->b, 0, 0, 0, &m);
    wit_vec3 o = side_point(&t->a, a->o), p = side_point(&t->b, b->o);
    double gap = dot3(sub3(p, o), n);
    bool solids = t->a.body->kind == WIT_BODY_SOLID && t->b.body->kind == WIT_BODY_SOLID;
    bool parallel = norm3(cross3(n, m)) <= 8 * DBL_EPSILON;
    f->end = parallel && (!solids || (dot3(n, m) < 0 && gap > 0)) ? SEARCH_CLOSED : SEARCH_CROSSING;
    f->upper = f->end == SEARCH_CLOSED ? fabs(gap) : 0;
    f->lower = larger(0, f->upper - t->floor);
    wit_vec3 x = o, y = addscaled3(o, gap, n);
    if (!parallel) {
        /* the point of both planes that is nearest to o */
        wit_vec3 down = addscaled3(m, -dot3(m, n), n);
        x = y = addscaled3(o, dot3(m, sub3(p, o)) / dot3(m, down), down);
    }
    f->a = plane_place(&t->a, a, x);
    f->b = plane_place(&t->b, b, y);
    if (!parallel || f->end == SEARCH_CLOSED) return;
    /* one plane lies inside the other half-space */
    bool first = dot3(sub3(o, p), m) <= 0;
    if (first)
        f->b = place_at(WIT_POINT, -1, 0, 0, x);
    else
        f->a = place_at(WIT_POINT, -1, 0, 0, y);
}

void wi_half_space_closest_set(const search_task* t, const wit_pose* frame, wit_closest* r)
{
    const shape_frame* plane = wi_half_space(&t->a);
    r->outcome = WIT_OUTCOME_NOT_UNIQUE;
    r->set.dimension = 2;
    r->set.direction[0] = wit_pose_vector(frame, plane->x);
    r->set.direction[1] = wit_pose_vector(frame, plane->y);
    for (int k = 0; k < 2; ++k) r->set.extent[k] = iv(-INFINITY, INFINITY);
}

void wi_half_space_overlap(const search_task* t, const wit_pose* frame, wit_closest* out)
{
    const shape_frame *a = wi_half_space(&t->a), *b = wi_half_space(&t->b);
    wit_vec3 n, m, o = side_point(&t->a, a->o), p = side_point(&t->b, b->o);
    wi_side_normal(&t->a, 0, 0, 0, &n);
    wi_side_normal(&t->b, 0, 0, 0, &m);
    if (!(dot3(n, m) < 0) || norm3(cross3(n, m)) > 8 * DBL_EPSILON) return;
    double gap = dot3(sub3(p, o), n);
    place x = place_at(WIT_FACE, 0, 0, 0, o), y = plane_place(&t->b, b, addscaled3(o, gap, n));
    out->a = wi_witness_of(&x, frame);
    out->b = wi_witness_of(&y, frame);
    out->normal = wit_pose_vector(frame, n);
    out->distance = smaller(gap, 0);
    out->lower_bound = out->distance - t->floor;
    out->upper_bound = smaller(0, out->distance + t->floor);
    out->certified = out->upper_bound - out->lower_bound <= larger(task_tolerance(t, 0), 2 * t->floor);
}

bool wi_half_space_depth(const search_task* t, bool first, double tolerance, wit_work* work, penetration* out)
{
    const side *plane = first ? &t->a : &t->b, *body = first ? &t->b : &t->a;
    const shape_frame* f = wi_half_space(plane);
    wit_vec3 m;
    if (body->body->unbounded || !f || side_spent(plane, 1) || !wi_side_normal(plane, 0, 0, 0, &m)) return false;
    wit_vec3 down = scale3(-1, m);
    support s = wi_support_of(body, down, work);
    if (!(s.value > -INFINITY)) return false;
    double height = dot3(m, side_point(plane, f->o));
    double value = height + s.value;
    double upper = height + wi_support_upper(body, down, s.value, larger(0.25 * tolerance, t->floor),
                                             t->in_step ? 64 : t->budget, work);
    place on_plane = plane_place(plane, f, addscaled3(s.at.p, value, m));
    place on_body = wi_lowest_place(body, &s.at, t->floor);
    *out = (penetration){.normal = first ? m : down, .depth = value};
    out->a = first ? on_plane : on_body;
    out->b = first ? on_body : on_plane;
    double slack = body->body->tolerance + DEPTH_ROUNDING * t->floor;
    out->lower = larger(0, value - slack);
    out->upper = upper + slack;
    out->closed = out->upper - out->lower <= tolerance;
    return true;
}

void wi_half_space_contact(const search_task* t, wit_work* work, contact_list* list)
{
    penetration d;
    list->count = 0;
    list->full = false;
    if (!wi_penetration_search(t, INFINITY, task_tolerance(t, 0), work, &d) || !(d.depth > t->floor)) return;
    list->c[0] = (local_contact){d.a, d.b, d.normal, d.depth};
    list->count = 1;
}

wit_status wi_half_space_minima(wit_query* query, const wit_placed* a, const wit_placed* b, wit_minimum* out,
                                int capacity, wit_minima_summary* summary)
{
    wit_closest c;
    wit_status status = wit_closest_pair(query, a, b, &c);
    if (status) return status;
    memset(summary, 0, sizeof *summary);
    summary->complete = true;
    summary->overlapping = c.outcome == WIT_OUTCOME_OVERLAPPING;
    summary->lower_bound = c.lower_bound;
    summary->work = c.work;
    if (summary->overlapping || c.distance > query->def.within) return WIT_OK;
    summary->count = 1;
    summary->complete = capacity > 0;
    if (capacity > 0) *out = (wit_minimum){c.distance, c.normal, c.a, c.b, c.set, true};
    return WIT_OK;
}
