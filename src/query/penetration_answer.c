/* SPDX-License-Identifier: MIT */
/* The signed distance of two bodies that overlap. */
#include "contact.h"
#include "penetration.h"
#include "query_record.h"

/* How narrow the bracket of the hulls' depth is made where it is only the far end of the answer's: of the size. */
#define HULL_TOLERANCE 1e-3

static bool has_inside(const side* s)
{
    return s->body && s->body->kind == WIT_BODY_SOLID && !s->faces && !s->edges && !s->vertices;
}

static void put_pair(wit_closest* out, const wit_pose* frame, const place* a, const place* b, wit_vec3 normal)
{
    out->a = witness_of(a, frame);
    out->b = witness_of(b, frame);
    out->normal = wit_pose_vector(frame, normal);
}

/* Two half-spaces, found with a pair of points along the normal of a: opposite to each other they have a depth. */
static void half_spaces(const search_task* t, const found* f, const wit_pose* frame, wit_closest* out)
{
    const shape_frame *a = &body_surface(t->a.body, 0)->frame, *b = &body_surface(t->b.body, 0)->frame;
    wit_vec3 n, m, o = side_point(&t->a, a->o), p = side_point(&t->b, b->o);
    side_normal(&t->a, 0, 0, 0, &n);
    side_normal(&t->b, 0, 0, 0, &m);
    (void)f;
    if (!(dot3(n, m) < 0) || norm3(cross3(n, m)) > 8 * DBL_EPSILON) return;
    double gap = dot3(sub3(p, o), n);
    wit_vec3 r = sub3(side_unpoint(&t->b, addscaled3(o, gap, n)), b->o);
    place x = {WIT_FACE, 0, 0, 0, o}, y = {WIT_FACE, 0, dot3(r, b->x), dot3(r, b->y), addscaled3(o, gap, n)};
    put_pair(out, frame, &x, &y, n);
    out->distance = smaller(gap, 0);
    out->lower_bound = out->distance - t->floor;
    out->upper_bound = smaller(0, out->distance + t->floor);
    out->certified = 2 * t->floor <= task_tolerance(t, 0) || t->floor <= task_tolerance(t, 0);
}

/* Of convex bodies, or one of them a half-space: the depth of the hulls is the depth. */
static void exact_depth(const search_task* t, bool proved, double tolerance, const penetration* d,
                        const wit_pose* frame, wit_closest* out)
{
    put_pair(out, frame, &d->a, &d->b, d->normal);
    out->distance = -larger(0, d->depth);
    out->lower_bound = -d->upper;
    out->upper_bound = proved ? -d->lower : 0;
    out->certified = proved && d->closed;
    (void)tolerance;
    (void)t;
}

void overlap_answer(const search_task* t, found* f, const wit_pose* frame, wit_closest* out)
{
    out->distance = out->lower_bound = out->upper_bound = 0;
    out->certified = true;
    if (!has_inside(&t->a) || !has_inside(&t->b)) return; /* sheets that cross, features of masks: no depth */
    out->lower_bound = -INFINITY;
    out->certified = false;
    const wit_body *a = t->a.body, *b = t->b.body;
    if (a->unbounded && b->unbounded) {
        half_spaces(t, f, frame, out);
        return;
    }
    if (t->units) return; /* asked in passing: that they overlap is enough */
    bool plane = a->unbounded || b->unbounded;
    convexity ca = plane ? CONVEX_PROVED : convexity_of(a), cb = ca && !plane ? convexity_of(b) : ca;
    bool convex = ca && cb;
    double tolerance = task_tolerance(t, 0);
    penetration d;
    if (!penetration_search(t, convex ? tolerance : larger(tolerance, HULL_TOLERANCE * t->size), &f->work, &d)) return;
    if (convex) {
        exact_depth(t, ca == CONVEX_PROVED && cb == CONVEX_PROVED, tolerance, &d, frame, out);
    } else {
        contact_deepest(t, &f->work, &d);
        put_pair(out, frame, &d.a, &d.b, d.normal);
        out->distance = -larger(0, d.depth);
        out->lower_bound = smaller(-d.upper, out->distance);
    }
    out->work = f->work;
}
