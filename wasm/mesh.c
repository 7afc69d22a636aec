/* SPDX-License-Identifier: MIT */
#include "mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/vec.h"
#include "cdt.h"

enum { LINES_MOST = 192, SEGMENTS_MOST = 4096, DEPTH_MOST = 11 };

/* ---- growing lists ----------------------------------------------------------------------------------------------- */

typedef struct list {
    void* at;
    int count, room;
    bool failed;
} list;

static void* list_add(list* l, int n, size_t size)
{
    if (l->count + n > l->room) {
        int more = 2 * l->room + n + 64;
        void* moved = realloc(l->at, (size_t)more * size);
        if (!moved) {
            l->failed = true;
            return NULL;
        }
        l->at = moved;
        l->room = more;
    }
    char* to = (char*)l->at + (size_t)l->count * size;
    l->count += n;
    return to;
}

typedef struct maker {
    const wit_body* body;
    mesh_def def;
    mesh* m;
    wit_vec3 centre;
    list points, normals, parameters, triangles, lines; /* of floats in threes, twos; of int32_t in threes */
    list edge_t;                                        /* double: parameter of each point of `lines` */
    list segments;                                      /* of the face at hand */
    bool failed;
} maker;

static void put3(maker* k, list* l, wit_vec3 p)
{
    float* to = list_add(l, 3, sizeof(float));
    if (!to) {
        k->failed = true;
        return;
    }
    to[0] = (float)p.x;
    to[1] = (float)p.y;
    to[2] = (float)p.z;
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void put_edge_point(maker* k, double t, wit_vec3 p)
{
    put3(k, &k->lines, sub3(p, k->centre));
    double* to = list_add(&k->edge_t, 1, sizeof(double));
    if (to)
        *to = t;
    else
        k->failed = true;
}

static wit_vec3 curve_point(const wit_curve* curve, double t, wit_vec3* tangent)
{
    wit_curve_jet jet;
    wit_curve_eval(curve, t, WIT_KNOT_DEFAULT, NULL, &jet);
    *tangent = jet.d1;
    return jet.p;
}

static double turn(wit_vec3 a, wit_vec3 b)
{
    return atan2(norm3(cross3(a, b)), dot3(a, b));
}

static double off_chord(wit_vec3 a, wit_vec3 b, wit_vec3 p)
{
    wit_vec3 d = sub3(b, a), e = sub3(p, a);
    double n = norm3(d);
    return n > 0 ? norm3(cross3(d, e)) / n : norm3(e);
}

typedef struct bit_of_curve {
    double t0, t1;
    wit_vec3 p0, p1, d0, d1;
    int depth;
} bit_of_curve;

/* Points after t0 up to t1. */
static void refine_edge(maker* k, const wit_curve* curve, const bit_of_curve* b)
{
    double t = 0.5 * (b->t0 + b->t1);
    wit_vec3 d, p = curve_point(curve, t, &d);
    bool coarse =
        off_chord(b->p0, b->p1, p) > k->def.chord || turn(b->d0, b->d1) > k->def.angle || turn(b->d0, d) > k->def.angle;
    if (b->depth < 1 || (coarse && b->depth < DEPTH_MOST && k->lines.count < 3 * (1 << 22))) {
        bit_of_curve left = {b->t0, t, b->p0, p, b->d0, d, b->depth + 1},
                     right = {t, b->t1, p, b->p1, d, b->d1, b->depth + 1};
        refine_edge(k, curve, &left);
        refine_edge(k, curve, &right);
        return;
    }
    put_edge_point(k, b->t1, b->p1);
}

static void make_edge(maker* k, int edge)
{
    wit_edge_info e = wit_body_edge(k->body, edge);
    double lo = fmax(e.range.lo, -1e9), hi = fmin(e.range.hi, 1e9);
    bit_of_curve b = {.t0 = lo};
    b.p0 = curve_point(e.curve, lo, &b.d0);
    put_edge_point(k, lo, b.p0);
    int pieces = e.ring || e.start == e.end ? 4 : 1;
    for (int i = 1; i <= pieces; i++) {
        b.t1 = i == pieces ? hi : lo + (hi - lo) * i / pieces;
        b.p1 = curve_point(e.curve, b.t1, &b.d1);
        refine_edge(k, e.curve, &b);
        b.t0 = b.t1;
        b.p0 = b.p1;
        b.d0 = b.d1;
    }
}

static bool make_edges(maker* k)
{
    mesh* m = k->m;
    for (int i = 0; i < m->edge_count && !k->failed; i++) {
        m->edges[i] = k->lines.count / 3;
        make_edge(k, i);
    }
    m->edges[m->edge_count] = k->lines.count / 3;
    return !k->failed;
}

/* ---- the net of parameter lines of a face ------------------------------------------------------------------------ */

typedef struct net {
    int count;
    double at[LINES_MOST];
} net;

typedef struct face_work {
    int face;
    wit_face_info info;
    wit_surface_info surface;
    wit_interval u, v;
    net nu, nv;
    double scale_u, scale_v; /* from parameters to the lattice */
    cdt c;
    int* where;      /* point of the mesh of each point of the triangulation, -1: none yet */
    wit_vec3* exact; /* of points on edges */
    double (*uv)[2];
    bool* known;
    int room;
    double mean_u, mean_v; /* mean lengths of du and dv */
} face_work;

/* How many pieces a cell of one direction needs, from second derivatives and the turn of tangents along it. */
static int pieces_of(const maker* k, const face_work* f, wit_direction d, double lo, double hi)
{
    enum { ALONG = 5, ACROSS = 5 };
    wit_interval other = d == WIT_U ? f->v : f->u;
    double need = 1;
    for (int j = 0; j < ACROSS; j++) {
        double y = other.lo + (other.hi - other.lo) * j / (ACROSS - 1), worst = 0, turned = 0;
        for (int i = 0; i < ALONG; i++) {
            double x = lo + (hi - lo) * (i + 0.5) / ALONG;
            wit_surface_jet jet;
            wit_surface_eval(f->info.surface, d == WIT_U ? x : y, d == WIT_U ? y : x, WIT_KNOT_DEFAULT, NULL, &jet);
            wit_vec3 d1 = d == WIT_U ? jet.du : jet.dv, d2 = d == WIT_U ? jet.duu : jet.dvv;
            double n1 = norm3(d1);
            wit_vec3 across = n1 > 0 ? sub3(d2, scale3(dot3(d1, d2) / (n1 * n1), d1)) : d2;
            worst = fmax(worst, norm3(across));
            if (n1 > 0) turned += norm3(across) / n1 * (hi - lo) / ALONG;
        }
        need = fmax(need, sqrt(worst / (8 * k->def.chord)) * (hi - lo));
        need = fmax(need, turned / k->def.angle);
    }
    return need < 64 ? (int)ceil(need) : 64;
}

static void make_net(const maker* k, const face_work* f, wit_direction d, net* out)
{
    wit_interval range = d == WIT_U ? f->u : f->v;
    int breaks = 0;
    const double* at = wit_surface_breaks(f->info.surface, d, &breaks);
    out->count = 0;
    out->at[out->count++] = range.lo;
    double from = range.lo;
    for (int i = 0; i <= breaks && from < range.hi; i++) {
        double to = i < breaks ? at[i] : range.hi;
        if (to <= from) continue;
        if (to > range.hi) to = range.hi;
        int n = pieces_of(k, f, d, from, to);
        int left = LINES_MOST - out->count - (breaks - i) - 1;
        if (n > left) n = left > 1 ? left : 1;
        for (int j = 1; j <= n && out->count < LINES_MOST; j++)
            out->at[out->count++] = j == n ? to : from + (to - from) * j / n;
        from = to;
    }
    out->at[out->count - 1] = range.hi;
}

/* ---- points of a face -------------------------------------------------------------------------------------------- */

static bool room_for(face_work* f, int point)
{
    if (point < f->room) return true;
    int more = 2 * f->room + point + 256;
    void* where = realloc(f->where, (size_t)more * sizeof *f->where);
    if (where) f->where = where;
    void* exact = realloc(f->exact, (size_t)more * sizeof *f->exact);
    if (exact) f->exact = exact;
    void* uv = realloc(f->uv, (size_t)more * sizeof *f->uv);
    if (uv) f->uv = uv;
    void* known = realloc(f->known, (size_t)more * sizeof *f->known);
    if (known) f->known = known;
    if (!where || !exact || !uv || !known) return false;
    for (int i = f->room; i < more; i++) f->where[i] = -1;
    memset(f->known + f->room, 0, (size_t)(more - f->room) * sizeof *f->known);
    for (int i = f->room; i < more; i++) f->uv[i][0] = NAN;
    f->room = more;
    return true;
}

static int32_t lattice(double x, double lo, double scale)
{
    double y = (x - lo) * scale;
    return y < 0 ? 0 : y > CDT_LATTICE ? CDT_LATTICE : (int32_t)(y + 0.5);
}

/* A point of the triangulation; `exact` null: where the surface has it. -1: no memory. */
static int add_uv(maker* k, face_work* f, double u, double v, const wit_vec3* exact)
{
    int point = cdt_point(&f->c, lattice(u, f->u.lo, f->scale_u), lattice(v, f->v.lo, f->scale_v));
    if (point < 0 || !room_for(f, point)) {
        k->failed = true;
        return -1;
    }
    if (isnan(f->uv[point][0])) {
        f->uv[point][0] = u;
        f->uv[point][1] = v;
    }
    if (exact && !f->known[point]) {
        f->exact[point] = *exact;
        f->known[point] = true;
    }
    return point;
}

/* A piece of a border: two points of the triangulation. */
typedef struct segment {
    int from, to;
} segment;

static void add_segment(maker* k, int from, int to)
{
    if (from == to || from < 0 || to < 0) return;
    segment* s = list_add(&k->segments, 1, sizeof *s);
    if (s)
        *s = (segment){from, to};
    else
        k->failed = true;
}

/* Brings x into the range by whole periods, where it is closed. */
static double shift_into(double x, wit_interval range, bool closed, double period)
{
    if (!closed || !(period > 0)) return 0;
    double eps = 1e-9 * period, shift = 0;
    while (x + shift < range.lo - eps) shift += period;
    while (x + shift > range.hi + eps) shift -= period;
    return shift;
}

static wit_interval natural(const face_work* f, wit_direction d)
{
    return d == WIT_U ? f->surface.range_u : f->surface.range_v;
}

/*
 * A straight piece of a border in (u, v), cut where it runs over the seam of the box. Ends are exact where they are
 * given.
 */
static void put_piece(maker* k, face_work* f, const double p[2], const double q[2], const wit_vec3* at_p,
                      const wit_vec3* at_q)
{
    const bool closed[2] = {f->surface.closed_u, f->surface.closed_v};
    const wit_interval box[2] = {f->u, f->v};
    double a[2] = {p[0], p[1]}, b[2] = {q[0], q[1]};
    for (int d = 0; d < 2; d++) {
        wit_interval n = natural(f, (wit_direction)d);
        /* the middle decides on which sheet the piece is drawn */
        double s = shift_into(0.5 * (a[d] + b[d]), box[d], closed[d], n.hi - n.lo);
        a[d] += s;
        b[d] += s;
    }
    for (int d = 0; d < 2; d++) {
        if (!closed[d]) continue;
        wit_interval n = natural(f, (wit_direction)d);
        double period = n.hi - n.lo, eps = 1e-9 * period, cut = NAN;
        if (fmin(a[d], b[d]) < box[d].lo - eps) cut = box[d].lo;
        if (fmax(a[d], b[d]) > box[d].hi + eps) cut = box[d].hi;
        if (isnan(cut)) continue;
        double s = (cut - a[d]) / (b[d] - a[d]);
        if (!(s > 0 && s < 1)) continue;
        double m[2] = {a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
        m[d] = cut;
        put_piece(k, f, a, m, at_p, NULL);
        put_piece(k, f, m, b, NULL, at_q);
        return;
    }
    add_segment(k, add_uv(k, f, a[0], a[1], at_p), add_uv(k, f, b[0], b[1], at_q));
}

static void put_use(maker* k, face_work* f, const wit_use_info* use)
{
    double before[2] = {0, 0};
    wit_vec3 last = {0}, here;
    bool pole = use->edge < 0;
    int from = pole ? 0 : k->m->edges[use->edge], to = pole ? 9 : k->m->edges[use->edge + 1];
    const double* t = k->edge_t.at;
    const float* xyz = k->lines.at;
    wit_interval range = wit_curve_describe(use->parameter_curve).range;
    for (int i = from; i < to && !k->failed; i++) {
        double s = pole ? range.lo + (range.hi - range.lo) * i / 8 : use->shift + use->scale * t[i];
        wit_curve_jet jet;
        wit_curve_eval(use->parameter_curve, s, WIT_KNOT_DEFAULT, NULL, &jet);
        double now[2] = {jet.p.x, jet.p.y};
        if (!pole) here = add3(k->centre, vec3(xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]));
        if (i > from) put_piece(k, f, before, now, pole ? NULL : &last, pole ? NULL : &here);
        before[0] = now[0];
        before[1] = now[1];
        if (!pole) last = here;
    }
}

/* The rectangle of the parameter box: seams, and natural borders that no loop follows. */
static void put_box(maker* k, face_work* f)
{
    const double u[2] = {f->u.lo, f->u.hi}, v[2] = {f->v.lo, f->v.hi};
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i + 1 < f->nu.count; i++)
            add_segment(k, add_uv(k, f, f->nu.at[i], v[side], NULL), add_uv(k, f, f->nu.at[i + 1], v[side], NULL));
        for (int i = 0; i + 1 < f->nv.count; i++)
            add_segment(k, add_uv(k, f, u[side], f->nv.at[i], NULL), add_uv(k, f, u[side], f->nv.at[i + 1], NULL));
    }
}

static bool is_clear(const face_work* f, int borders, double u, double v, double within)
{
    for (int i = CDT_CORNERS; i < borders; i++) {
        double du = (f->uv[i][0] - u) * f->mean_u, dv = (f->uv[i][1] - v) * f->mean_v;
        if (du * du + dv * dv < within * within) return false;
    }
    return true;
}

static void put_inside(maker* k, face_work* f)
{
    int borders = f->c.point_count;
    for (int i = 1; i + 1 < f->nu.count && !k->failed; i++) {
        double du = fmin(f->nu.at[i] - f->nu.at[i - 1], f->nu.at[i + 1] - f->nu.at[i]) * f->mean_u;
        for (int j = 1; j + 1 < f->nv.count && !k->failed; j++) {
            double u = f->nu.at[i], v = f->nv.at[j];
            double dv = fmin(v - f->nv.at[j - 1], f->nv.at[j + 1] - v) * f->mean_v;
            if (f->info.loop_count && !wit_body_face_contains(k->body, f->face, u, v)) continue;
            if (!is_clear(f, borders, u, v, 0.35 * fmin(du, dv))) continue;
            add_uv(k, f, u, v, NULL);
        }
    }
}

/* ---- triangles of a face ----------------------------------------------------------------------------------------- */

static int32_t mesh_point(maker* k, face_work* f, int point)
{
    if (f->where[point] >= 0) return f->where[point];
    double u = f->uv[point][0], v = f->uv[point][1];
    wit_surface_jet jet;
    wit_surface_eval(f->info.surface, u, v, WIT_KNOT_DEFAULT, NULL, &jet);
    wit_vec3 n = {0, 0, 0};
    if (!wit_body_face_normal(k->body, f->face, u, v, &n)) {
        /* an apex: the normal of a place beside it */
        double mu = 0.5 * (f->u.lo + f->u.hi), mv = 0.5 * (f->v.lo + f->v.hi);
        wit_body_face_normal(k->body, f->face, u + 1e-3 * (mu - u), v + 1e-3 * (mv - v), &n);
    }
    put3(k, &k->points, sub3(f->known[point] ? f->exact[point] : jet.p, k->centre));
    put3(k, &k->normals, n);
    float* uv = list_add(&k->parameters, 2, sizeof(float));
    if (!uv) {
        k->failed = true;
        return 0;
    }
    uv[0] = (float)u;
    uv[1] = (float)v;
    return f->where[point] = k->points.count / 3 - 1;
}

/* Which parts are in the face: asked at the middle of the largest triangle of each. */
static bool* inside_parts(maker* k, face_work* f, int regions)
{
    bool* in = calloc((size_t)regions, sizeof *in);
    double* best = calloc((size_t)regions, sizeof *best);
    for (int i = 0; in && best && i < f->c.count; i++) {
        const cdt_triangle* t = &f->c.t[i];
        bool corner = false;
        double u = 0, v = 0;
        for (int j = 0; j < 3; j++) {
            corner = corner || t->v[j] < CDT_CORNERS;
            u += f->uv[t->v[j]][0] / 3;
            v += f->uv[t->v[j]][1] / 3;
        }
        const int32_t *a = f->c.p[t->v[0]], *b = f->c.p[t->v[1]], *c = f->c.p[t->v[2]];
        double area = (double)(b[0] - a[0]) * (c[1] - a[1]) - (double)(b[1] - a[1]) * (c[0] - a[0]);
        if (corner || area <= best[t->region]) continue;
        best[t->region] = area;
        in[t->region] = !f->info.loop_count || wit_body_face_contains(k->body, f->face, u, v);
    }
    free(best);
    if (!in) k->failed = true;
    return in;
}

static void put_triangles(maker* k, face_work* f)
{
    int regions = cdt_regions(&f->c);
    bool* in = inside_parts(k, f, regions);
    for (int i = 0; in && i < f->c.count && !k->failed; i++) {
        const cdt_triangle* t = &f->c.t[i];
        bool corner = t->v[0] < CDT_CORNERS || t->v[1] < CDT_CORNERS || t->v[2] < CDT_CORNERS;
        if (corner || !in[t->region]) continue;
        int32_t p[3];
        for (int j = 0; j < 3; j++) p[j] = mesh_point(k, f, t->v[j]);
        int32_t* to = list_add(&k->triangles, 3, sizeof *to);
        if (!to) break;
        to[0] = p[0];
        to[1] = p[f->info.reversed ? 2 : 1];
        to[2] = p[f->info.reversed ? 1 : 2];
    }
    if (k->triangles.failed) k->failed = true;
    free(in);
}

static void measure_lattice(face_work* f)
{
    double du = 0, dv = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            wit_surface_jet jet;
            wit_surface_eval(f->info.surface, f->u.lo + (f->u.hi - f->u.lo) * i / 4,
                             f->v.lo + (f->v.hi - f->v.lo) * j / 4, WIT_KNOT_DEFAULT, NULL, &jet);
            du += norm3(jet.du) / 25;
            dv += norm3(jet.dv) / 25;
        }
    }
    double width = du * (f->u.hi - f->u.lo), height = dv * (f->v.hi - f->v.lo);
    double most = fmax(width, height);
    if (!(most > 0)) most = 1;
    /* shapes in the lattice are about those in space, but for very long faces */
    f->mean_u = du;
    f->mean_v = dv;
    f->scale_u = CDT_LATTICE * fmax(width / most, 1.0 / 64) / (f->u.hi - f->u.lo);
    f->scale_v = CDT_LATTICE * fmax(height / most, 1.0 / 64) / (f->v.hi - f->v.lo);
}

static void clip(wit_interval* range, double extent)
{
    range->lo = fmax(range->lo, -extent);
    range->hi = fmin(range->hi, extent);
}

static void make_face(maker* k, int face)
{
    face_work f = {.face = face, .info = wit_body_face(k->body, face)};
    f.surface = wit_surface_describe(f.info.surface);
    f.u = f.info.u;
    f.v = f.info.v;
    if (f.info.unbounded) {
        clip(&f.u, k->def.extent);
        clip(&f.v, k->def.extent);
    }
    if (!(f.u.lo < f.u.hi && f.v.lo < f.v.hi)) return;
    measure_lattice(&f);
    make_net(k, &f, WIT_U, &f.nu);
    make_net(k, &f, WIT_V, &f.nv);
    k->segments.count = 0;
    if (!cdt_begin(&f.c) || !room_for(&f, 64)) k->failed = true;
    for (int loop = 0; loop < f.info.loop_count; loop++) {
        int uses = wit_body_loop_size(k->body, face, loop);
        for (int i = 0; i < uses && !k->failed; i++) {
            wit_use_info use;
            if (wit_body_loop_use(k->body, face, loop, i, &use) >= 0 && use.parameter_curve) put_use(k, &f, &use);
        }
    }
    bool closed = f.surface.closed_u || f.surface.closed_v;
    if (!k->failed && (!f.info.loop_count || closed)) put_box(k, &f);
    if (!k->failed) put_inside(k, &f);
    const segment* s = k->segments.at;
    for (int i = 0; i < k->segments.count && !k->failed; i++)
        if (!cdt_constrain(&f.c, s[i].from, s[i].to)) k->m->dropped++;
    if (!k->failed) put_triangles(k, &f);
    cdt_end(&f.c);
    free(f.where);
    free(f.exact);
    free(f.uv);
    free(f.known);
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static bool make_corners(maker* k)
{
    mesh* m = k->m;
    for (int i = 0; i < m->corner_count; i++) {
        wit_vec3 p = sub3(wit_body_vertex(k->body, i).point, k->centre);
        m->corners[3 * i] = (float)p.x;
        m->corners[3 * i + 1] = (float)p.y;
        m->corners[3 * i + 2] = (float)p.z;
    }
    return true;
}

static void give(maker* k)
{
    mesh* m = k->m;
    m->positions = k->points.at;
    m->normals = k->normals.at;
    m->parameters = k->parameters.at;
    m->triangles = k->triangles.at;
    m->lines = k->lines.at;
    m->point_count = k->points.count / 3;
    m->triangle_count = k->triangles.count / 3;
    m->line_count = k->lines.count / 3;
    free(k->edge_t.at);
    free(k->segments.at);
}

mesh* mesh_make(const wit_body* body, const mesh_def* def)
{
    wit_body_info info = wit_body_describe(body);
    mesh* m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->face_count = info.planar ? 0 : info.face_count;
    m->edge_count = info.edge_count;
    m->corner_count = info.vertex_count;
    m->faces = calloc((size_t)m->face_count + 1, sizeof *m->faces);
    m->edges = calloc((size_t)m->edge_count + 1, sizeof *m->edges);
    m->corners = calloc(3 * (size_t)m->corner_count + 1, sizeof *m->corners);
    maker k = {.body = body, .def = *def, .m = m};
    bool bounded = info.box.lo.x <= info.box.hi.x && isfinite(info.size);
    if (bounded) k.centre = scale3(0.5, add3(info.box.lo, info.box.hi));
    m->centre[0] = k.centre.x;
    m->centre[1] = k.centre.y;
    m->centre[2] = k.centre.z;
    bool good = m->faces && m->edges && m->corners && make_corners(&k) && make_edges(&k);
    for (int i = 0; i < m->face_count && good && !k.failed; i++) {
        m->faces[i] = k.triangles.count / 3;
        make_face(&k, i);
    }
    if (good) m->faces[m->face_count] = k.triangles.count / 3;
    give(&k);
    if (good && !k.failed) return m;
    mesh_free(m);
    return NULL;
}

void mesh_free(mesh* m)
{
    if (!m) return;
    free(m->positions);
    free(m->normals);
    free(m->parameters);
    free(m->triangles);
    free(m->faces);
    free(m->lines);
    free(m->edges);
    free(m->corners);
    free(m);
}
