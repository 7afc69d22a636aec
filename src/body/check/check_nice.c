/* SPDX-License-Identifier: MIT */
/*
 * Are all normals of a face within an open hemisphere? The smallest cone about unit vectors n_i has its axis along the
 * point x of their convex hull that is nearest to the origin, and cos(angle) = |x|; there is an open hemisphere if and only
 * if x is not the origin. x is found from a few of the n_i at a time: the nearest point of their simplex, then the sample
 * that lies furthest behind it, until none does. Boxes with their normal cones then prove the angle for all of the face.
 */
#include "check.h"

#include "../../geom/bounds.h"

enum { GRID = 32, ROUNDS = 64, CUTS = 16, BUDGET = 20000 };
#define NO_ROOM 1e-9 /* |x| up to this: no open hemisphere */

/* ---- nearest point of a simplex to the origin ------------------------------------------------ */

typedef struct simplex {
    wit_vec3 p[4];
    int count;
} simplex;

/* The point of the plane (line, point) through p[0..n-1] that is nearest to the origin, if it is inside their hull. */
static bool nearest_of(const wit_vec3* p, int n, wit_vec3* out)
{
    if (n == 1) {
        *out = p[0];
        return true;
    }
    wit_vec3 a = sub3(p[1], p[0]);
    if (n == 2) {
        double t = -dot3(a, p[0]) / dot3(a, a);
        *out = addscaled3(p[0], t, a);
        return t >= 0 && t <= 1;
    }
    wit_vec3 b = sub3(p[2], p[0]);
    double aa = dot3(a, a), ab = dot3(a, b), bb = dot3(b, b), ga = -dot3(a, p[0]), gb = -dot3(b, p[0]);
    double det = aa * bb - ab * ab;
    if (!(det > 1e-14 * aa * bb)) return false;
    double s = (ga * bb - gb * ab) / det, t = (gb * aa - ga * ab) / det;
    *out = addscaled3(addscaled3(p[0], s, a), t, b);
    return s >= 0 && t >= 0 && s + t <= 1;
}

/* The origin is inside the tetrahedron: it lies on the inner side of every face. */
static bool holds_origin(const wit_vec3 p[4])
{
    for (int k = 0; k < 4; k++) {
        wit_vec3 a = p[(k + 1) % 4], n = cross3(sub3(p[(k + 2) % 4], a), sub3(p[(k + 3) % 4], a));
        double apex = dot3(n, sub3(p[k], a)), origin = -dot3(n, a);
        if (!(apex * origin > 0) && fabs(origin) > 1e-12 * norm3(n)) return false;
        if (!(fabs(apex) > 1e-12 * norm3(n))) return false;
    }
    return true;
}

/* Keeps those points that carry the nearest one. */
static wit_vec3 reduce(simplex* s)
{
    wit_vec3 best = s->p[0];
    int best_set = 1;
    if (s->count == 4 && holds_origin(s->p)) return vec3(0, 0, 0);
    for (int set = 1; set < 1 << s->count; set++) {
        wit_vec3 p[4], x;
        int n = 0;
        for (int k = 0; k < s->count; k++)
            if (set >> k & 1) p[n++] = s->p[k];
        if (n > 3 || !nearest_of(p, n, &x) || !(dot3(x, x) < dot3(best, best))) continue;
        best = x;
        best_set = set;
    }
    simplex kept = {.count = 0};
    for (int k = 0; k < s->count; k++)
        if (best_set >> k & 1) kept.p[kept.count++] = s->p[k];
    *s = kept;
    return best;
}

/* ---- samples -------------------------------------------------------------------------------- */

typedef struct support {
    wit_vec3 along, least_normal;
    double least;
    int count;
} support;

static void visit(const check_region* r, const check_sample* x, void* user)
{
    support* s = user;
    wit_vec3 n;
    if (!wi_check_normal(r, x, &n)) return;
    double d = dot3(s->along, n);
    if (s->count++ && d >= s->least) return;
    s->least = d;
    s->least_normal = n;
}

/* The nearest point of the hull of all sampled normals. */
static wit_vec3 hull_point(const check_region* r)
{
    simplex s = {.count = 0};
    wit_vec3 x = vec3(0, 0, 1);
    for (int round = 0; round < ROUNDS; round++) {
        support found = {.along = x};
        wi_check_scan(r, GRID, visit, &found);
        if (!found.count) return vec3(0, 0, 0);
        if (round && found.least >= dot3(x, x) - 1e-13) break;
        s.p[s.count++] = found.least_normal;
        wit_vec3 next = reduce(&s);
        bool nearer = dot3(next, next) < dot3(x, x);
        if (round && !nearer) break; /* rounding: no more to gain */
        x = next;
        if (norm3(x) <= NO_ROOM) return vec3(0, 0, 0);
    }
    return x;
}

/* ---- proof ---------------------------------------------------------------------------------- */

typedef struct proof {
    const check_region* region;
    wit_vec3 axis;
    double accept, bound;
    int boxes;
} proof;

static double angle_between(wit_vec3 a, wit_vec3 b)
{
    return wit_atan2(norm3(cross3(a, b)), dot3(a, b));
}

/* The largest angle to the axis, where the kind knows its normals: components along the axis itself do not grow with the
 * box as the sum of two angles does. pi where they may turn away. */
static double angle_directly(const proof* p, wit_interval u, wit_interval v)
{
    const wit_surface* s = p->region->surface;
    wit_vec3 axes[3];
    wit_interval n[3];
    axes[2] = p->region->reversed ? scale3(-1, p->axis) : p->axis;
    complete3(axes[2], &axes[0], &axes[1]);
    if (!s->ops->normals || !s->ops->normals(s, u, v, axes, n) || !(n[2].lo > 0)) return PI;
    double x = iv_mag(n[0]), y = iv_mag(n[1]);
    return wit_atan2(sqrt(x * x + y * y), n[2].lo) * (1 + 8 * DBL_EPSILON);
}

/* How far the normal turns along a line through the middle, in two steps: once around it comes back to where it was. */
static double turning(const wit_surface* s, wit_interval u, wit_interval v)
{
    wit_vec3 a, b, c;
    if (!wit_surface_normal(s, u.lo, v.lo, &a) || !wit_surface_normal(s, iv_mid(u), iv_mid(v), &b) ||
        !wit_surface_normal(s, u.hi, v.hi, &c))
        return 0;
    return norm3(sub3(b, a)) + norm3(sub3(c, b));
}

static bool cut_along_u(const wit_surface* s, wit_interval u, wit_interval v)
{
    double along_u = turning(s, u, iv_point(iv_mid(v))), along_v = turning(s, iv_point(iv_mid(u)), v);
    if (larger(along_u, along_v) < 1e-3) return iv_width(u) * s->speed_u > iv_width(v) * s->speed_v;
    return along_u >= along_v;
}

static void bound_box(proof* p, wit_interval u, wit_interval v, int cuts)
{
    if (p->bound >= PI || wi_check_region_tag(p->region, u, v) == TRIM_OUT) return;
    wit_cone cone;
    double angle = PI;
    if (p->boxes-- > 0 && wi_surface_normal_cone(p->region->surface, u, v, &cone)) {
        wit_vec3 axis = p->region->reversed ? scale3(-1, cone.axis) : cone.axis;
        angle = angle_between(axis, p->axis) + cone.angle + 8 * DBL_EPSILON;
        if (angle > p->accept) angle = smaller(angle, angle_directly(p, u, v));
    }
    if (angle <= p->accept || cuts == 0 || p->boxes <= 0) {
        p->bound = larger(p->bound, smaller(angle, PI));
    } else if (cut_along_u(p->region->surface, u, v)) {
        bound_box(p, iv(u.lo, iv_mid(u)), v, cuts - 1);
        bound_box(p, iv(iv_mid(u), u.hi), v, cuts - 1);
    } else {
        bound_box(p, u, iv(v.lo, iv_mid(v)), cuts - 1);
        bound_box(p, u, iv(iv_mid(v), v.hi), cuts - 1);
    }
}

/* The angle that all normals keep to; boxes are cut until each is within `accept`. */
static double bound_region(const check_region* r, wit_vec3 axis, double accept)
{
    proof p = {.region = r, .axis = axis, .accept = accept, .boxes = BUDGET};
    wit_interval u = iv_point(r->u.lo);
    while (wi_check_next_cell(r, WIT_U, &u)) {
        wit_interval v = iv_point(r->v.lo);
        while (wi_check_next_cell(r, WIT_V, &v)) bound_box(&p, u, v, CUTS);
    }
    return p.bound;
}

void wi_check_nice(const check_region* r, wit_face_check* out)
{
    wit_vec3 x = hull_point(r);
    double length = norm3(x);
    out->normals.axis = vec3(0, 0, 1);
    out->normals.angle = out->normals_bound = PI;
    out->nice_proved = true;
    if (length <= NO_ROOM) return;
    out->normals.axis = unit3(x);
    /* cos = |x|, as the sine of the rest: no loss where all normals agree. */
    support s = {.along = out->normals.axis};
    wi_check_scan(r, GRID, visit, &s);
    out->normals.angle = angle_between(s.least_normal, out->normals.axis);
    out->nice = true;
    out->normals_bound =
        bound_region(r, out->normals.axis, out->normals.angle + smaller(0.02, 0.5 * (0.5 * PI - out->normals.angle)));
    /* Too close to a right angle for that: at least a hemisphere? */
    if (out->normals_bound >= 0.5 * PI)
        out->normals_bound = bound_region(r, out->normals.axis, 0.5 * PI * (1 - DBL_EPSILON));
    out->nice_proved = out->normals_bound < 0.5 * PI;
}
