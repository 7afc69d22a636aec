/* SPDX-License-Identifier: MIT */
#include "truth.h"

/* ---- one shape, its own frame ----------------------------------------------------------------- */

static range around(LD value, LD error)
{
    return (range){value - error, value + error};
}

/* Distance of (x, y) to the polygon's sides (to `open` ones but the last, from the last corner to the first), and whether
 * it is inside the closed polygon, by crossings. A wrong side at the border is within the error that the caller adds. */
static LD polygon_distance(const shape* s, LD x, LD y, bool open, bool* inside)
{
    LD least = INFINITY;
    bool in = false;
    for (int i = 0; i < s->corners; i++) {
        int j = i + 1 < s->corners ? i + 1 : 0;
        LD ax = s->corner[i][0], ay = s->corner[i][1], dx = s->corner[j][0] - ax, dy = s->corner[j][1] - ay;
        LD px = x - ax, py = y - ay, dd = dx * dx + dy * dy;
        if ((ay > y) != (ay + dy > y) && (dy > 0) == (dx * py - dy * px > 0)) in = !in;
        if (open && j == 0) continue;
        LD t = dd > 0 ? (px * dx + py * dy) / dd : 0;
        t = t < 0 ? 0 : t > 1 ? 1 : t;
        LD gx = px - t * dx, gy = py - t * dy, g = gx * gx + gy * gy;
        if (g < least) least = g;
    }
    *inside = in;
    return sqrtl(least);
}

static LD box_distance(const shape* s, v3 x)
{
    LD q[3] = {fabsl(x.x) - s->size[0] / 2.0L, fabsl(x.y) - s->size[1] / 2.0L, fabsl(x.z) - s->size[2] / 2.0L};
    LD most = larger_of(q[0], larger_of(q[1], q[2])), out = 0;
    for (int i = 0; i < 3; i++) out += q[i] > 0 ? q[i] * q[i] : 0;
    return most > 0 ? sqrtl(out) : most;
}

/* A profile turned about z: discs close it at both ends. */
static LD turned_distance(const shape* s, v3 x)
{
    LD rho = sqrtl(x.x * x.x + x.y * x.y);
    int last = s->corners - 1;
    bool inside;
    LD least = polygon_distance(s, rho, x.z, true, &inside);
    for (int end = 0; end <= last; end += last) { /* discs */
        LD over = rho - s->corner[end][0], up = x.z - s->corner[end][1];
        LD d = over > 0 ? sqrtl(over * over + up * up) : fabsl(up);
        if (s->corner[end][0] > 0) least = smaller_of(least, d);
    }
    /* inside, by the polygon that runs on over the axis: the crossings of a horizontal ray outwards are the same */
    return inside ? -least : least;
}

static LD prism_distance(const shape* s, v3 x)
{
    bool inside;
    LD flat = polygon_distance(s, x.x, x.y, false, &inside);
    LD up = larger_of(-x.z, x.z - s->height);
    if (inside) flat = -flat;
    if (flat <= 0 && up <= 0) return larger_of(flat, up);
    LD a = larger_of(flat, 0), b = larger_of(up, 0);
    return sqrtl(a * a + b * b);
}

/* The foot f solves f_i = e_i^2 x_i / (e_i^2 + t). Whatever t comes out: f is put on the ellipsoid, and x' = f + s n(f) has
 * the signed distance s exactly, as long as t' = s / |f / e^2| >= -e_min^2 (then f is its nearest point). sd is 1-Lipschitz:
 * sd(x) is within |x - x'| of s. */
static range ellipsoid_distance(const shape* s, v3 x)
{
    LD e[3] = {s->size[0], s->size[1], s->size[2]}, p[3] = {x.x, x.y, x.z}, f[3];
    LD least = smaller_of(e[0], smaller_of(e[1], e[2])), most = larger_of(e[0], larger_of(e[1], e[2]));
    LD lo = -least * least, hi = most * (norm(x) + most), t = 0;
    for (int it = 0; it < 200; it++) {
        LD g = -1;
        t = 0.5L * (lo + hi);
        for (int i = 0; i < 3; i++) {
            LD r = e[i] * p[i] / (e[i] * e[i] + t);
            g += r * r;
        }
        if (g > 0)
            lo = t;
        else
            hi = t;
        if (!(hi - lo > ULP * (fabsl(lo) + fabsl(hi)) * 0.25L)) break;
    }
    LD g = 0;
    for (int i = 0; i < 3; i++) {
        f[i] = e[i] * e[i] * p[i] / (e[i] * e[i] + hi);
        g += f[i] / e[i] * (f[i] / e[i]);
    }
    if (!(g > 0)) return (range){-INFINITY, INFINITY};
    v3 foot = vec(f[0] / sqrtl(g), f[1] / sqrtl(g), f[2] / sqrtl(g));
    v3 m = vec(foot.x / (e[0] * e[0]), foot.y / (e[1] * e[1]), foot.z / (e[2] * e[2])), n = unit(m);
    LD along = inner(minus(x, foot), n), off = norm(minus(x, plus(foot, along, n)));
    if (!(along / norm(m) >= -least * least * (1 - 64 * ULP))) return (range){-INFINITY, INFINITY};
    /* the normal is off by a few ULP times the ratio of the axes, which moves x' by as much of |along| */
    LD error = off + 32 * ULP * (norm(x) + most + fabsl(along) * (most / least));
    return around(along, error);
}

range signed_distance(const shape* s, v3 x)
{
    LD error = 24 * ULP * (norm(x) + s->reach) + s->blur, rho = sqrtl(x.x * x.x + x.y * x.y), up;
    switch (s->kind) {
    case BALL:
        return around(norm(x) - s->size[0], error);
    case BOX:
        return around(box_distance(s, x), error);
    case CAPSULE:
        up = x.z < 0 ? x.z : x.z > s->height ? x.z - s->height : 0;
        return around(sqrtl(rho * rho + up * up) - s->size[0], error);
    case TORUS:
        rho -= s->size[0];
        return around(sqrtl(rho * rho + x.z * x.z) - s->size[1], error);
    case TURNED:
        return around(turned_distance(s, x), error);
    case PRISM:
        return around(prism_distance(s, x), error);
    case SHELL:
        return around(larger_of(norm(x) - s->size[0], s->size[1] - norm(x)), error);
    case FORM: {
        LD unit_of = s->unit;
        range d = s->form(vec(x.x / unit_of, x.y / unit_of, x.z / unit_of));
        return (range){d.lo * unit_of - error, d.hi * unit_of + error};
    }
    default: {
        range d = ellipsoid_distance(s, x);
        return (range){d.lo - s->blur, d.hi + s->blur};
    }
    }
}

LD support(const shape* s, v3 n)
{
    LD across = sqrtl(n.x * n.x + n.y * n.y), most = -INFINITY;
    switch (s->kind) {
    case BALL:
    case SHELL:
        return s->size[0];
    case FORM: /* no more than that of its box */
    case BOX:
        return (fabsl(n.x) * s->size[0] + fabsl(n.y) * s->size[1] + fabsl(n.z) * s->size[2]) / 2;
    case CAPSULE:
        return s->size[0] + larger_of(0, n.z * s->height);
    case TORUS:
        return s->size[0] * across + s->size[1];
    case TURNED:
        for (int i = 0; i < s->corners; i++) most = larger_of(most, across * s->corner[i][0] + n.z * s->corner[i][1]);
        return most;
    case PRISM:
        for (int i = 0; i < s->corners; i++) most = larger_of(most, n.x * s->corner[i][0] + n.y * s->corner[i][1]);
        return most + larger_of(0, n.z * s->height);
    default:
        return norm(vec(n.x * s->size[0], n.y * s->size[1], n.z * s->size[2]));
    }
}

v3 support_point(const shape* s, v3 n)
{
    LD across = sqrtl(n.x * n.x + n.y * n.y), most = -INFINITY;
    LD rx = across > 0 ? n.x / across : 1, ry = across > 0 ? n.y / across : 0;
    v3 p = vec(0, 0, 0);
    switch (s->kind) {
    case BALL:
    case SHELL:
        return plus(p, s->size[0], n);
    case BOX:
        return vec(copysignl(s->size[0] / 2.0L, n.x), copysignl(s->size[1] / 2.0L, n.y),
                   copysignl(s->size[2] / 2.0L, n.z));
    case CAPSULE:
        return plus(vec(0, 0, n.z > 0 ? s->height : 0), s->size[0], n);
    case TORUS:
        return plus(vec(rx * s->size[0], ry * s->size[0], 0), s->size[1], n);
    case TURNED:
        for (int i = 0; i < s->corners; i++) {
            LD h = across * s->corner[i][0] + n.z * s->corner[i][1];
            if (h > most) p = vec(rx * s->corner[i][0], ry * s->corner[i][0], s->corner[i][1]);
            most = larger_of(most, h);
        }
        return p;
    case PRISM:
        for (int i = 0; i < s->corners; i++) {
            LD h = n.x * s->corner[i][0] + n.y * s->corner[i][1];
            if (h > most) p = vec(s->corner[i][0], s->corner[i][1], n.z > 0 ? s->height : 0);
            most = larger_of(most, h);
        }
        return p;
    default: {
        v3 e = vec(n.x * s->size[0], n.y * s->size[1], n.z * s->size[2]);
        LD l = norm(e);
        return vec(e.x * s->size[0] / l, e.y * s->size[1] / l, e.z * s->size[2] / l);
    }
    }
}

/* ---- placed ------------------------------------------------------------------------------------- */

static v3 origin_of(const shape* s)
{
    return vec(s->origin[0], s->origin[1], s->origin[2]);
}

/* Off their origin corners and heights are sums, each coordinate rounded to a double. What has a centre alone has none. */
static LD rounded_by(const placed* p)
{
    LD o = norm(origin_of(p->shape));
    shape_kind k = p->shape->kind;
    bool centre = k == BALL || k == SHELL || k == TORUS || k == ELLIPSOID;
    return o > 0 && !centre ? 0.5L * DBL_EPSILON * (o + p->shape->reach) : 0;
}

range placed_distance(const placed* p, v3 x)
{
    v3 o = origin_of(p->shape), from = minus(x, p->offset);
    range d = signed_distance(p->shape, minus(turned_back(&p->at, from), o));
    LD error = 24 * ULP * (norm(x) + norm(p->offset) + norm(from) + norm(o)) + rounded_by(p);
    return (range){d.lo - error, d.hi + error};
}

LD placed_support(const placed* p, v3 n)
{
    v3 m = turned_back(&p->at, n), o = origin_of(p->shape);
    LD error = 24 * ULP * (norm(p->offset) + norm(o) + p->shape->reach) + p->shape->blur + rounded_by(p);
    return support(p->shape, m) + inner(m, o) + inner(n, p->offset) + error;
}

range true_point(const placed* p, v3 x)
{
    return placed_distance(p, x);
}

/* ---- pairs ---------------------------------------------------------------------------------------- */

typedef struct hunt {
    const placed *a, *b;
    range t;
    v3 x, n;
    bool askew; /* two axes are nearly parallel: their product is not accurate enough to be relied on */
} hunt;

static LD middle_of(const placed* p, v3 x)
{
    range d = placed_distance(p, x);
    return 0.5L * (d.lo + d.hi);
}

static void try_point(hunt* h, v3 x)
{
    range a = placed_distance(h->a, x), b = placed_distance(h->b, x);
    LD sum = a.hi + b.hi;
    if (sum < h->t.hi) {
        h->t.hi = sum;
        h->x = x;
    }
}

static void try_direction(hunt* h, v3 n)
{
    n = unit(n);
    LD gap = -(placed_support(h->a, n) + placed_support(h->b, vec(-n.x, -n.y, -n.z)));
    if (gap > h->t.lo) {
        h->t.lo = gap;
        h->n = n;
    }
}

/* Gradient of the signed distance by differences. A guess: nothing is proved by it. */
static v3 slope(const placed* p, v3 x)
{
    LD h = 1e-7L * p->shape->reach;
    v3 g;
    g.x = middle_of(p, plus(x, h, vec(1, 0, 0))) - middle_of(p, plus(x, -h, vec(1, 0, 0)));
    g.y = middle_of(p, plus(x, h, vec(0, 1, 0))) - middle_of(p, plus(x, -h, vec(0, 1, 0)));
    g.z = middle_of(p, plus(x, h, vec(0, 0, 1))) - middle_of(p, plus(x, -h, vec(0, 0, 1)));
    return unit(g);
}

static v3 nearest(const placed* p, v3 x)
{
    for (int i = 0; i < 3; i++) x = plus(x, -middle_of(p, x), slope(p, x));
    return x;
}

static v3 centre_of(const placed* p)
{
    v3 c = vec(0, 0, 0);
    if (p->shape->kind == CAPSULE || p->shape->kind == PRISM) c.z = p->shape->height / 2.0L;
    if (p->shape->kind == TURNED) c.z = 0.5L * (p->shape->corner[0][1] + p->shape->corner[p->shape->corners - 1][1]);
    if (p->shape->kind == PRISM) {
        for (int i = 0; i < p->shape->corners; i++) {
            c.x += p->shape->corner[i][0] / (LD)p->shape->corners;
            c.y += p->shape->corner[i][1] / (LD)p->shape->corners;
        }
    }
    return plus(p->offset, 1, turned(&p->at, plus(c, 1, origin_of(p->shape))));
}

/* Nearest points in turn: between convex bodies they go to the closest pair; the last steps are drawn out along their way. */
static void in_turn(hunt* h, v3 x, int rounds)
{
    v3 last = x;
    for (int i = 0; i < rounds; i++) {
        v3 a = nearest(h->a, x), b = nearest(h->b, a), far = plus(b, i % 3 == 2 ? 8 : 0, minus(b, last));
        try_point(h, a);
        try_point(h, b);
        try_direction(h, minus(b, a));
        try_direction(h, minus(a, b));
        last = b;
        x = b;
        if (i % 3 == 2) x = nearest(h->b, far);
        if (norm(minus(b, a)) <= 1e-15L * (h->a->shape->reach + h->b->shape->reach)) break;
    }
}

/* Pattern search about the best x and the best n. */
static void polish(hunt* h, int rounds)
{
    LD step = 0.3L * smaller_of(h->a->shape->reach, h->b->shape->reach), angle = 0.3L;
    for (int i = 0; i < rounds; i++) {
        range before = h->t;
        v3 x = h->x, n = h->n;
        for (int k = 0; k < 6; k++) {
            v3 d = vec(k == 0 ? 1 : k == 1 ? -1 : 0, k == 2 ? 1 : k == 3 ? -1 : 0, k == 4 ? 1 : k == 5 ? -1 : 0);
            try_point(h, plus(x, step, d));
            try_direction(h, plus(n, angle, d));
        }
        if (!(h->t.hi < before.hi)) step *= 0.4L;
        if (!(h->t.lo > before.lo)) angle *= 0.4L;
    }
}

/* Directions in which boxes, prisms and turned bodies are narrow: their axes and the products of these. */
static void try_axes(hunt* h)
{
    v3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = turned(&h->a->at, e[i]);
        b[i] = turned(&h->b->at, e[i]);
    }
    for (int i = 0; i < 3; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            try_direction(h, plus(vec(0, 0, 0), sign, a[i]));
            try_direction(h, plus(vec(0, 0, 0), sign, b[i]));
            for (int k = 0; k < 3; k++) {
                v3 c = outer(a[i], b[k]);
                if (norm(c) > 64 * ULP) try_direction(h, plus(vec(0, 0, 0), sign, c));
                if (norm(c) < 1e-3L && norm(c) > 64 * ULP) h->askew = true;
            }
        }
    }
}

/* A ball, seen from its centre: t = sd - r where that is positive or the other one is convex; t <= sd - r always. */
static void try_ball(hunt* h, const placed* ball, const placed* other)
{
    v3 c = plus(ball->offset, 1, turned(&ball->at, origin_of(ball->shape)));
    range d = placed_distance(other, c);
    LD r = ball->shape->size[0], error = 24 * ULP * (norm(c) + r) + ball->shape->blur;
    try_point(h, c);
    if (d.lo - r > 0 || other->shape->convex) h->t.lo = larger_of(h->t.lo, d.lo - r - error);
}

/* Two boxes: the overlap is least along one of 15 axes, all of which were tried. */
static void close_boxes(hunt* h)
{
    if (h->a->shape->kind != BOX || h->b->shape->kind != BOX || h->t.lo > 0 || h->askew) return;
    LD error = 1e5L * ULP * (h->a->shape->reach + h->b->shape->reach + norm(h->a->offset) + norm(h->b->offset));
    h->t.hi = smaller_of(h->t.hi, h->t.lo + error);
}

static range hunted(hunt* h, int effort)
{
    const placed *a = h->a, *b = h->b;
    v3 ca = centre_of(a), cb = centre_of(b);
    try_point(h, ca);
    try_point(h, cb);
    try_direction(h, minus(cb, ca));
    try_axes(h);
    if (a->shape->kind == BALL) try_ball(h, a, b);
    if (b->shape->kind == BALL) try_ball(h, b, a);
    close_boxes(h);
    if (h->t.hi - h->t.lo <= 1e-15L * (a->shape->reach + b->shape->reach)) return h->t;
    in_turn(h, cb, effort);
    polish(h, 4 * effort);
    if (h->t.lo > 0) in_turn(h, h->x, effort);
    return h->t;
}

range true_pair(const placed* a, const placed* b, int effort)
{
    hunt h = {a, b, {-INFINITY, INFINITY}, vec(0, 0, 0), vec(0, 0, 1), false};
    return hunted(&h, effort);
}

range true_pair_near(const placed* a, const placed* b, int effort, v3 n, v3 x)
{
    hunt h = {a, b, {-INFINITY, INFINITY}, x, n, false};
    try_point(&h, x);
    try_direction(&h, n);
    return hunted(&h, effort);
}

/* ---- cores ---------------------------------------------------------------------------------------- */

/* The core at s, from 0 to 1; a point of it goes no faster than `speed`. */
static v3 core_at(const placed* p, LD s, LD* speed)
{
    const shape* f = p->shape;
    v3 c = vec(0, 0, 0);
    *speed = 0;
    if (f->kind == CAPSULE) {
        c.z = s * f->height;
        *speed = f->height;
    } else if (f->kind == TORUS) {
        LD turn = 2 * acosl(-1);
        c = vec(f->size[0] * cosl(turn * s), f->size[0] * sinl(turn * s), 0);
        *speed = turn * f->size[0];
    }
    return plus(p->offset, 1, turned(&p->at, plus(c, 1, origin_of(f))));
}

range about_core(const placed* swept, const placed* other)
{
    enum { MOST = 4000, DEEP = 60 };
    const shape* f = swept->shape;
    if (f->kind != BALL && f->kind != CAPSULE && f->kind != TORUS) return (range){-INFINITY, INFINITY};
    LD radius = f->kind == TORUS ? f->size[1] : f->size[0], best = INFINITY, least = INFINITY, speed;
    struct {
        LD lo, hi;
    } open[DEEP] = {{0, 1}};
    int n = 1;
    for (int looked = 0; n > 0; looked++) {
        LD lo = open[n - 1].lo, hi = open[n - 1].hi, half = 0.5L * (hi - lo);
        v3 x = core_at(swept, lo + half, &speed);
        range d = placed_distance(other, x);
        LD below_all = d.lo - speed * half * (1 + 1e-9L) - 24 * ULP * (norm(x) + f->reach);
        n--;
        best = smaller_of(best, d.hi);
        bool done = speed * half <= 1e-9L * f->reach || below_all >= best - 1e-8L * f->reach;
        if (done || looked > MOST || n + 2 > DEEP) {
            least = smaller_of(least, below_all);
        } else {
            open[n].lo = lo;
            open[n++].hi = lo + half;
            open[n].lo = lo + half;
            open[n++].hi = hi;
        }
    }
    LD error = f->blur + 24 * ULP * radius, clear = least - radius - error;
    return (range){clear > 0 ? clear : -INFINITY, best - radius + error};
}
