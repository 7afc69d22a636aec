/* SPDX-License-Identifier: MIT */
/* Asking for the side of a point, and campaigns of points near the features of a body against a truth that is given. */
#ifndef TESTS_SIGN_CHECKS_H
#define TESTS_SIGN_CHECKS_H

#include "../src/query/sign/contain.h"
#include "../src/query/sign/winding.h"
#include "campaign.h"
#include "analytic.h"
#include "../src/query/search/point_search.h"
#include "../src/query/sign/sign.h"

#define NEAREST 1e-9 /* of the size: nearer points are not judged */

/* ---- asking -------------------------------------------------------------------------------- */

typedef struct asked {
    int sign;
    wit_sign how;
    bool proved;
    place at;
    double distance;
    wit_vec3 in_body;
} asked;

static inline search_task task_for(const side* s, wit_vec3 point)
{
    static _Alignas(16) unsigned char memory[1 << 23];
    wit_box box = wi_side_box(s);
    search_task t;
    memset(&t, 0, sizeof t);
    t.a = *s;
    t.b = wi_side_of_point(point);
    t.tolerance = 1e-9;
    t.size = s->body->size;
    t.floor = 32 * EPS * (norm3(box.lo) + norm3(box.hi) + norm3(point));
    t.within = INFINITY;
    t.budget = 200000;
    t.memory.memory = memory;
    t.memory.bytes = sizeof memory;
    return t;
}

static inline asked ask_within(const side* s, wit_vec3 point, double tolerance)
{
    search_task t = task_for(s, point);
    t.tolerance = tolerance;
    search_answer f;
    wi_point_search(&t, &f);
    assert_true(f.end == SEARCH_CLOSED || f.end == SEARCH_BUDGET);
    asked r = {.at = f.a, .distance = f.upper, .in_body = side_unpoint(s, point)};
    wit_work work = {0};
    point_sign sign = wi_point_sign(&t, s, point, &f, &work);
    r.sign = sign.sign;
    r.how = sign.how;
    r.proved = sign.proved;
    return r;
}

static inline asked ask(const side* s, wit_vec3 point)
{
    return ask_within(s, point, 1e-9);
}

static inline side at_pose(const wit_body* b, const wit_pose* pose)
{
    wit_placed placed = {b, *pose, NULL};
    return wi_side_of(&placed, NULL, NULL);
}

static inline side at_rest(const wit_body* b)
{
    static const wit_pose none = {{0, 0, 0}, {1, 0, 0, 0}};
    wit_placed placed = {b, none, NULL};
    side s = wi_side_of(&placed, &placed.pose, NULL);
    return s;
}

static inline wit_pose random_pose(rng* r, double size)
{
    wit_pose p;
    p.position = random_vector(r, 0, 3 * size);
    wit_vec3 axis = random_unit(r);
    p.rotation = wit_quat_about(axis, rng_range(r, 0, 6));
    return p;
}

/* Some point of a feature, any kind equally often. */
static inline wit_vec3 on_boundary(rng* r, const wit_body* b)
{
    int kind = rng_int(r, 3);
    if (kind == WIT_VERTEX && b->vertex_count) return body_vertices(b)[rng_int(r, b->vertex_count)].point;
    if ((kind == WIT_EDGE || b->planar) && b->edge_count) {
        int edge = rng_int(r, b->edge_count);
        wit_interval t = body_edges(b)[edge].range;
        wit_curve_jet j;
        wit_curve_eval(body_curve(b, edge), rng_range(r, t.lo, t.hi), 0, NULL, &j);
        return j.p;
    }
    int face = rng_int(r, b->face_count);
    const body_face* f = &body_faces(b)[face];
    wit_surface_jet j = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int k = 0; k < 100; ++k) {
        double u = rng_range(r, f->u.lo, f->u.hi);
        double v = rng_range(r, f->v.lo, f->v.hi);
        if (f->unbounded) u *= 0, v *= 0;
        wit_surface_eval(body_surface(b, face), u, v, 0, NULL, &j);
        if (wit_body_face_contains(b, face, u, v)) break;
    }
    return j.p;
}

static inline wit_vec3 random_point(rng* r, const wit_body* b)
{
    double size = b->size > 0 ? b->size : 1;
    wit_vec3 p;
    if (rng_int(r, 4) == 0 && !b->unbounded) {
        double x = rng_range(r, -0.2, 1.2);
        double y = rng_range(r, -0.2, 1.2);
        double z = rng_range(r, -0.2, 1.2);
        wit_vec3 w = sub3(b->box.hi, b->box.lo);
        p = add3(b->box.lo, vec3(x * w.x, y * w.y, z * w.z));
    } else {
        wit_vec3 from = on_boundary(r, b);
        double length = size * pow(10, rng_range(r, -8, 0));
        p = addscaled3(from, length, random_unit(r));
    }
    if (b->planar) { /* into the plane */
        const shape_frame* f = &body_surface(b, 0)->frame;
        p = addscaled3(p, -dot3(sub3(p, f->o), f->z), f->z);
    }
    return p;
}

/* ---- campaigns ----------------------------------------------------------------------------- */

/* Truth in the body's frame. */
typedef bool truth(const void* user, wit_vec3 p);

typedef struct tally {
    long judged, inside, unproved, wound, unwound, by[WIT_SIGN_COUNT], kind[3], worst_tiles;
    double worst_number;
} tally;

static inline void expect_side(const char* name, const side* s, wit_vec3 p, bool in, const asked* a)
{
    if (a->sign == (in ? -1 : 1)) return;
    fail_msg("%s: (%.17g, %.17g, %.17g) at %g of the size is %s; said %d by %s at %s %d (%g, %g)", name, p.x, p.y, p.z,
             a->distance / s->body->size, in ? "inside" : "outside", a->sign, wit_sign_name(a->how),
             wit_feature_kind_name(a->at.kind), a->at.id, a->at.u, a->at.v);
}

static inline void expect_winding(const char* name, const side* s, wit_vec3 p, bool in, tally* t)
{
    search_task task = task_for(s, p);
    wit_work work = {0};
    winding w = wi_winding_about(&task, s->body, p, &work);
    double off = !w.outward && w.volume < 0 ? fabs(w.number - (in ? 0 : -1)) : fabs(w.number - (in ? 1 : 0));
    if (!w.known) return;
    if (!(off <= w.error))
        fail_msg("%s: (%.17g, %.17g, %.17g) has the winding number %g within %g, volume %g within %g, in %d", name, p.x,
                 p.y, p.z, w.number, w.error, w.volume, w.volume_error, in);
    if (wi_winding_proved(&w)) assert_int_equal(wi_winding_side(&w), in ? -1 : 1);
    t->wound++;
    t->unwound += !wi_winding_proved(&w);
    t->worst_number = fmax(t->worst_number, off);
    if (work.units > t->worst_tiles) t->worst_tiles = (long)work.units;
}

/* The side must be right whatever width of bracket was asked for; `more`: ask the winding number and at a loose one too. */
static inline void judge(const char* name, const side* s, wit_vec3 p, bool in, bool more, tally* t)
{
    wit_vec3 point = side_point(s, p);
    asked a = ask(s, point);
    if (a.distance < NEAREST * s->body->size) return;
    expect_side(name, s, p, in, &a);
    t->judged++;
    t->inside += in;
    t->by[a.how]++;
    t->unproved += !a.proved;
    t->kind[a.at.kind]++;
    if (!more) return;
    asked loose = ask_within(s, point, t->judged % 2 ? 1e-3 : 1e-6);
    expect_side(name, s, p, in, &loose);
    expect_winding(name, s, p, in, t);
}

static inline void report(const char* name, const tally* t)
{
    print_message(
        "%-28s %7ld points, %6ld inside; face %ld edge %ld vertex %ld; normal %ld cone %ld winding %ld nearby "
        "%ld, not proved %ld; winding number off by %.1e, %ld units, %ld of %ld not proved\n",
        name, t->judged, t->inside, t->kind[0], t->kind[1], t->kind[2], t->by[WIT_SIGN_NORMAL], t->by[WIT_SIGN_CONE],
        t->by[WIT_SIGN_WINDING], t->by[WIT_SIGN_NEARBY], t->unproved, t->worst_number, t->worst_tiles, t->unwound,
        t->wound);
}

/* More is asked at every tenth point. */
static inline void campaign_of(const char* name, const wit_body* b, truth* inside, const void* user, rng* r, long n,
                               tally* t)
{
    double size = b->size > 0 ? b->size : 1;
    wit_pose pose = random_pose(r, size);
    side sides[2] = {at_rest(b), at_pose(b, &pose)};
    for (long i = 0; i < n; ++i) {
        wit_vec3 p = random_point(r, b);
        judge(name, &sides[i % 2], p, inside(user, p), i % 10 == 0, t);
    }
}

#endif
