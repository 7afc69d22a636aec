/* SPDX-License-Identifier: MIT */
/*
 * The closest set about the tracked pair. A pair that stands on a border may belong to a set on the features around it, so
 * all of those to which the normal stands across are tried, each as carrier of the walk; the set of the highest
 * dimension is the answer. Where the pair itself gives no normal (edges and vertices at touch) those of the faces around are tried.
 */
#include <string.h>

#include "../body/check/check.h"
#include "contact_walk.h"
#include "../track/tracker_record.h"

enum { AROUND = 16, FAN = 32, ROUNDS = 64 };
#define ACROSS 1e-7   /* sine: how far a normal may lean against a feature */
#define SAME 1e-9     /* of the size: by how much the distance may change along a set */
#define SHORTEST 1e-6 /* of the size: below this a set is a point */
#define COARSE 1e-4   /* of the size: resolution of a first look, */
#define SHARE 1e-3    /* but not above this part of what it finds */
#define FINE 1e-13    /* of the size */
#define BESIDE 1e-4   /* radians */
#define GOLDEN 0.618033988749894848

typedef struct surroundings {
    int count;
    contact_feature feature[AROUND];
    double x[AROUND][2];
} surroundings;

/* ---- features around a place ----------------------------------------------------------------- */

static void add_feature(surroundings* s, const side* of, wit_feature_kind kind, int32_t id, double u, double v)
{
    for (int k = 0; k < s->count; ++k)
        if (s->feature[k].kind == kind && s->feature[k].id == id) return;
    if (s->count == AROUND || (kind == WIT_FACE && of->body->planar)) return;
    s->feature[s->count] = wi_contact_feature_of(of, kind, id);
    s->x[s->count][0] = u;
    s->x[s->count++][1] = v;
}

static void add_faces_of_edge(surroundings* s, const side* of, int32_t edge, double t)
{
    const int32_t* uses = check_edge_uses(of->body, edge);
    for (int k = 0; k < body_edges(of->body)[edge].uses; ++k) {
        check_lift l = wi_check_lift_use(of->body, uses[k], t);
        add_feature(s, of, WIT_FACE, body_uses(of->body)[uses[k]].face, l.c.p.x, l.c.p.y);
    }
}

static void find_around(const contact_side* c, surroundings* out)
{
    const side* of = &c->side;
    const wit_moving_place* at = c->at;
    out->count = 0;
    if (!of->body) {
        out->count = 1;
        out->feature[0] = (contact_feature){.side = of, .kind = WIT_POINT, .id = -1};
        out->x[0][0] = out->x[0][1] = 0;
        return;
    }
    add_feature(out, of, at->feature, at->id, at->u, at->v);
    if (at->feature == WIT_EDGE) add_faces_of_edge(out, of, at->id, at->u);
    if (at->feature != WIT_VERTEX) return;
    const wit_body* b = of->body;
    const body_vertex* v = &body_vertices(b)[at->id];
    const int32_t* edges = (const int32_t*)body_at(b, b->vertex_edges) + v->first_edge;
    for (int k = 0; k < v->edges; ++k) {
        const body_edge* e = &body_edges(b)[edges[k]];
        double t = e->start == at->id ? e->range.lo : e->range.hi;
        add_feature(out, of, WIT_EDGE, edges[k], t, 0);
        add_faces_of_edge(out, of, edges[k], t);
    }
}

static bool stands_across(const surroundings* s, int k, wit_vec3 n)
{
    const contact_feature* f = &s->feature[k];
    int m = kind_dimension(f->kind);
    if (m == 0) return true;
    tangent_chart c = wi_chart_at(f->side, f->kind, f->id, s->x[k][0], s->x[k][1], WIT_KNOT_DEFAULT);
    if (c.n != m) return false;
    double lean = c.rough ? 1e-4 : ACROSS;
    for (int i = 0; i < m; ++i)
        if (!(fabs(dot3(c.e[i], n)) <= lean)) return false;
    return true;
}

/* ---- one pair of features -------------------------------------------------------------------- */

typedef struct set_found {
    contact_walk w;
    contact_state s; /* in the middle */
    double length[2][2];
    contact_state end[2][2];
    bool closed[2];
} set_found;

/* Back and on along direction k; false: no way to go. */
static bool measure(set_found* f, int k, double resolution)
{
    double angle = k ? 0.5 * PI : 0;
    f->closed[k] = false;
    for (int i = 0; i < 2; ++i) {
        contact_end end =
            wi_contact_walk_along(&f->w, &f->s, i ? angle : angle + PI, resolution, &f->end[k][i], &f->length[k][i]);
        if (end != CONTACT_CLOSED) continue;
        f->closed[k] = true;
        f->length[k][0] = f->length[k][1] = 0.5 * f->length[k][i];
        break;
    }
    return f->length[k][0] + f->length[k][1] > SHORTEST * f->w.size;
}

/* The longest way through an area from where it is; infinite if one closes. */
static double longest_way(const set_found* f, double resolution, double* angle)
{
    double longest = 0, arc;
    contact_state last;
    for (int i = 0; i < FAN; ++i) {
        double at = TWO_PI * i / FAN;
        if (wi_contact_walk_along(&f->w, &f->s, at, resolution, &last, &arc) == CONTACT_CLOSED) return INFINITY;
        if (arc > longest) longest = arc, *angle = at;
    }
    return longest;
}

/* From anywhere in an area, its border too, to the middle of the longest way through it. */
static bool enter_area(set_found* f)
{
    double size = f->w.size, angle = 0, arc, longest = longest_way(f, COARSE * size, &angle);
    if (!(longest * SHARE >= COARSE * size)) longest = longest_way(f, FINE * size, &angle);
    if (!(longest > SHORTEST * size)) return false;
    if (!(longest < INFINITY)) return true; /* nothing ends that way: here is inside */
    contact_state last;
    wi_contact_walk_go(&f->w, &f->s, angle, 0.5 * longest, FINE * size, &last, &arc);
    f->s = last;
    return wi_contact_walk_level(&f->w, &f->s) == 2;
}

/* The middles of the chords along both directions in turn: an inner pair that is not near to any border. */
static bool centre_area(set_found* f)
{
    for (int round = 0; round < 2; ++round)
        for (int k = 0; k < 2; ++k) {
            if (!measure(f, k, FINE * f->w.size)) return false;
            double way = 0.5 * (f->length[k][1] - f->length[k][0]), arc, angle = k ? 0.5 * PI : 0;
            if (f->closed[k] || !(fabs(way) > SHARE * (f->length[k][0] + f->length[k][1]))) continue;
            contact_state last;
            wi_contact_walk_go(&f->w, &f->s, way < 0 ? angle + PI : angle, fabs(way), FINE * f->w.size, &last, &arc);
            f->s = last;
            if (wi_contact_walk_level(&f->w, &f->s) != 2) return false;
        }
    return true;
}

static int try_carrier(const surroundings* a, int i, const surroundings* b, int j, int carrier, wit_vec3 n,
                       double distance, double size, set_found* f)
{
    memset(f, 0, sizeof *f);
    f->w = (contact_walk){.feature = {a->feature[i], b->feature[j]},
                          .carrier = carrier,
                          .size = size,
                          .distance = distance,
                          .tolerance = SAME * size};
    const double x[2][2] = {{a->x[i][0], a->x[i][1]}, {b->x[j][0], b->x[j][1]}};
    if (kind_dimension(f->w.feature[carrier].kind) == 0 || !wi_contact_walk_start(&f->w, x, n, &f->s)) return 0;
    f->w.directions = wi_contact_walk_level(&f->w, &f->s);
    if (f->w.directions == 2) {
        if (enter_area(f) && centre_area(f) && measure(f, 0, FINE * size) && measure(f, 1, FINE * size)) return 2;
        return 0;
    }
    return f->w.directions == 1 && measure(f, 0, FINE * size) ? 1 : 0;
}

static double line_length(const set_found* f)
{
    return f->length[0][0] + f->length[0][1];
}

/* The best set whose normal is n. */
static int best_set(const surroundings around[2], const contact_pair* p, wit_vec3 n, int than, set_found* best)
{
    double distance = dot3(n, sub3(p->side[1].p, p->side[0].p));
    set_found f;
    bool across[2][AROUND];
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < around[s].count; ++k) across[s][k] = stands_across(&around[s], k, n);
    for (int i = around[0].count - 1; i >= 0; --i)
        for (int j = around[1].count - 1; j >= 0; --j)
            for (int carrier = 0; carrier < 2 && across[0][i] && across[1][j] && than < 2; ++carrier) {
                int d = try_carrier(&around[0], i, &around[1], j, carrier, n, distance, p->size, &f);
                /* of two lines the longer: beyond a focal point only one of the sides can carry it */
                bool longer = d == 1 && than == 1 && line_length(&f) > line_length(best) * (1 + 1e-9);
                if (d <= than && !longer) continue;
                than = d;
                *best = f;
            }
    return than;
}

/* ---- what stands for it ---------------------------------------------------------------------- */

static wit_witness witness_at(const contact_walk* w, const contact_state* s, int i)
{
    const contact_feature* f = &w->feature[i];
    wit_witness out = {f->kind, f->id, 0, 0, s->jet[i].p};
    double x[2] = {0, 0};
    for (int k = 0; k < kind_dimension(f->kind); ++k) {
        double width = f->range[k].hi - f->range[k].lo;
        x[k] = s->x[i][k];
        if (f->closed[k] && width > 0) x[k] -= floor((x[k] - f->range[k].lo) / width) * width;
    }
    out.u = x[0];
    out.v = x[1];
    return out;
}

static wit_contact_point point_of(const contact_walk* w, const contact_state* s)
{
    wit_contact_point p = {witness_at(w, s, 0), witness_at(w, s, 1), s->distance};
    return p;
}

static void add_point(const set_found* f, const contact_state* s, wit_contact_set* out)
{
    wit_contact_point p = point_of(&f->w, s);
    for (int k = 0; k < out->count; ++k) {
        double off = norm3(sub3(out->point[k].a.point, p.a.point)) + norm3(sub3(out->point[k].b.point, p.b.point));
        if (off <= 1e-9 * f->w.size) return;
    }
    if (out->count < WIT_CONTACT_POINTS) out->point[out->count++] = p;
}

/*
 * The border of an area seen from its middle. Both axes are counted in the extents of the set, so that a thin one looks
 * square: `turn` is the angle there, y the place.
 */
static void border_at(const set_found* f, double turn, double y[2], contact_state* last)
{
    double arc, sine, cosine, wide[2];
    for (int k = 0; k < 2; ++k) wide[k] = f->length[k][0] + f->length[k][1];
    wit_sincos(turn, &sine, &cosine);
    double angle = wit_atan2(wide[1] * sine, wide[0] * cosine);
    wi_contact_walk_along(&f->w, &f->s, angle, FINE * f->w.size, last, &arc);
    wit_sincos(angle, &sine, &cosine);
    y[0] = arc * cosine / wide[0];
    y[1] = arc * sine / wide[1];
}

static double reach_at(const set_found* f, double turn, const double to[2], contact_state* last)
{
    double y[2];
    border_at(f, turn, y, last);
    return to[0] * y[0] + to[1] * y[1];
}

/*
 * A corner near `turn`: where the lines of the border before and after it meet, if they do so within BESIDE. The farthest place
 * alone is badly known where the border runs nearly across the diagonal.
 */
static double kink_near(const set_found* f, double turn)
{
    contact_state last;
    double y[4][2], along[2][2];
    for (int k = 0; k < 4; ++k) border_at(f, turn + BESIDE * (k < 2 ? k - 2 : k - 1), y[k], &last);
    for (int k = 0; k < 2; ++k) {
        along[0][k] = y[1][k] - y[0][k];
        along[1][k] = y[3][k] - y[2][k];
    }
    double det = along[0][0] * along[1][1] - along[0][1] * along[1][0];
    double way = ((y[2][0] - y[1][0]) * along[1][1] - (y[2][1] - y[1][1]) * along[1][0]) / det, sine, cosine;
    double x[2] = {y[1][0] + way * along[0][0], y[1][1] + way * along[0][1]};
    wit_sincos(turn, &sine, &cosine);
    double off = wit_atan2(cosine * x[1] - sine * x[0], cosine * x[0] + sine * x[1]);
    return fabs(off) <= BESIDE ? turn + off : turn;
}

/* The farthest place of the border along `to`, by the golden section between two turns. */
static void find_corner(const set_found* f, const double to[2], double lo, double hi, contact_state* last)
{
    double x = hi - GOLDEN * (hi - lo), y = lo + GOLDEN * (hi - lo);
    double fx = reach_at(f, x, to, last), fy = reach_at(f, y, to, last);
    for (int k = 0; k < ROUNDS && hi - lo > 1e-13; ++k) {
        if (fx > fy) {
            hi = y, y = x, fy = fx;
            x = hi - GOLDEN * (hi - lo);
            fx = reach_at(f, x, to, last);
        } else {
            lo = x, x = y, fx = fy;
            y = lo + GOLDEN * (hi - lo);
            fy = reach_at(f, y, to, last);
        }
    }
    reach_at(f, kink_near(f, fx > fy ? x : y), to, last);
}

/* Per diagonal the farthest of a fan, then what is between its neighbours: on a convex border there is one maximum. */
static void find_corners(const set_found* f, wit_contact_set* out)
{
    contact_state last;
    double fan[FAN][2];
    for (int i = 0; i < FAN; ++i) border_at(f, TWO_PI * i / FAN, fan[i], &last);
    for (int corner = 0; corner < 4; ++corner) {
        const double to[2] = {corner == 1 || corner == 2 ? -1 : 1, corner >= 2 ? -1 : 1};
        double most = -INFINITY;
        int at = 0;
        for (int i = 0; i < FAN; ++i) {
            double r = to[0] * fan[i][0] + to[1] * fan[i][1];
            if (r > most) most = r, at = i;
        }
        find_corner(f, to, TWO_PI * (at - 1) / FAN, TWO_PI * (at + 1) / FAN, &last);
        add_point(f, &last, out);
    }
}

/* A set that closes along direction k: both ends across it, here and half a turn on. */
static void find_opposite(set_found* f, int k, wit_contact_set* out)
{
    int other = 1 - k;
    bool area = f->w.directions == 2;
    set_found half = *f;
    double arc;
    wi_contact_walk_go(&f->w, &f->s, k ? 0.5 * PI : 0, f->length[k][1], FINE * f->w.size, &half.s, &arc);
    bool level = wi_contact_walk_level(&half.w, &half.s) == f->w.directions;
    if (!area || f->closed[other]) {
        add_point(f, &f->s, out);
        add_point(f, &half.s, out);
        return;
    }
    for (int i = 0; i < 2; ++i) add_point(f, &f->end[other][i], out);
    if (!level || !measure(&half, other, FINE * f->w.size)) return;
    for (int i = 0; i < 2; ++i) add_point(&half, &half.end[other][i], out);
}

static void write_set(set_found* f, int dimension, wit_contact_set* out)
{
    out->dimension = dimension;
    out->distance = f->s.distance;
    out->normal = f->s.n;
    out->middle = point_of(&f->w, &f->s);
    bool closes = false;
    for (int k = 0; k < dimension; ++k) {
        out->direction[k] = f->s.t[k];
        out->extent[k] = (wit_interval){0 - f->length[k][0], f->length[k][1]};
        out->closed[k] = f->closed[k];
        closes = closes || f->closed[k];
    }
    if (closes)
        for (int k = 0; k < dimension; ++k) {
            if (f->closed[k]) find_opposite(f, k, out);
        }
    else if (dimension == 2)
        find_corners(f, out);
    else
        for (int i = 0; i < 2; ++i) add_point(f, &f->end[0][i], out);
}

static void write_pair(const contact_pair* p, wit_contact_set* out)
{
    wit_contact_point q = {.distance = p->distance};
    wit_witness* w[2] = {&q.a, &q.b};
    for (int i = 0; i < 2; ++i) {
        const wit_moving_place* at = p->side[i].at;
        wit_witness none = {WIT_POINT, -1, 0, 0, p->side[i].p};
        *w[i] = none;
        if (at->body) *w[i] = (wit_witness){at->feature, at->id, at->u, at->v, p->side[i].p};
    }
    out->distance = p->distance;
    out->normal = p->normal;
    out->middle = out->point[0] = q;
    out->count = 1;
}

wit_status wit_tracker_contact_set(const wit_tracker* t, wit_contact_set* out)
{
    if (!t || !out || !t->started) return WIT_ERROR_ARGUMENT;
    wit_moving_place places[2];
    contact_pair p;
    surroundings around[2];
    set_found best;
    int dimension = 0;
    memset(out, 0, sizeof *out);
    bool known = wi_contact_pair_tracked(t, WIT_FORM_CONTACT, places, &p) && p.side[0].spans && p.side[1].spans &&
                 wi_contact_pair_closest(&p);
    /* unbounded faces end where the other side does */
    for (int i = 0; i < 2; ++i)
        if (t->body[i] && t->body[i]->unbounded) wi_side_clip(&p.side[i].side, &p.side[1 - i].side);
    for (int i = 0; i < 2; ++i) find_around(&p.side[i], &around[i]);
    if (known) dimension = best_set(around, &p, p.normal, 0, &best);
    double gap = norm3(sub3(p.side[1].p, p.side[0].p));
    bool face = p.side[0].chart.n == 2 || p.side[1].chart.n == 2;
    for (int i = 0; i < 2 && !face && gap <= SAME * p.size; ++i)
        for (int k = 0; k < around[i].count; ++k) {
            const contact_feature* f = &around[i].feature[k];
            wit_vec3 n;
            if (f->kind != WIT_FACE || !wi_side_normal(f->side, f->id, around[i].x[k][0], around[i].x[k][1], &n))
                continue;
            dimension = best_set(around, &p, i ? scale3(-1, n) : n, dimension, &best);
        }
    if (dimension > 0)
        write_set(&best, dimension, out);
    else if (known)
        write_pair(&p, out);
    return WIT_OK;
}
