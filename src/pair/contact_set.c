/* SPDX-License-Identifier: MIT */
/*
 * The closest set about the tracked pair. A pair that stands on a border may belong to a set on the features around it, so
 * all of those to which the normal stands across are tried, each as carrier of the walk; the set of the highest
 * dimension is the answer. Where the pair itself gives no normal (edges and vertices at touch) those of the faces around are tried.
 */
#include "contact_set.h"

#include <string.h>

#include "places_around.h"
#include "walked_set.h"

enum { FAN = 32, ROUNDS = 64 };
#define ACROSS 1e-7       /* sine: how far a normal may lean against a feature */
#define ROUGH_ACROSS 1e-4 /* the same beside a pole */
#define SAME 1e-9         /* of the size: by how much the distance may change along a set */
#define COARSE 1e-4       /* of the size: resolution of a first look, */
#define SHARE 1e-3        /* but not above this part of what it finds */
#define BESIDE 1e-4       /* radians */
#define GOLDEN 0.618033988749894848

/* ---- one pair of features -------------------------------------------------------------------- */

/* Two features that meet at the pair, one of them the carrier, and the normal there. */
typedef struct set_start {
    const contact_pair* pair;
    const place *a, *b;
    int carrier;
    wit_vec3 n;
} set_start;

/* From anywhere in an area, its border too, to the middle of the longest way through it. */
static bool enter_area(walked_set* f)
{
    double size = f->w.size;
    bool closes;
    walked_set best = *f;
    double longest = wi_set_longest_way(f, FAN, COARSE * size, &best.s, &closes);
    if (!closes && !(longest * SHARE >= COARSE * size))
        longest = wi_set_longest_way(f, FAN, WALK_FINE * size, &best.s, &closes);
    if (closes) return true; /* nothing ends that way: here is inside */
    if (!(longest > WALK_SHORTEST * size)) return false;
    wi_set_go(&best, 0, 0.5 * longest);
    f->s = best.s;
    return wi_signed_level(&f->w, &f->s) == 2;
}

/* The middles of the chords along both directions in turn: an inner pair that is not near to any border. */
static bool centre_area(walked_set* f)
{
    for (int round = 0; round < 2; ++round)
        for (int k = 0; k < 2; ++k) {
            if (!wi_set_measure(f, k, WALK_FINE * f->w.size)) return false;
            double way = 0.5 * (f->length[k][1] - f->length[k][0]);
            if (f->closed[k] || !(fabs(way) > SHARE * (f->length[k][0] + f->length[k][1]))) continue;
            wi_set_to_middle(f, k);
            if (wi_signed_level(&f->w, &f->s) != 2) return false;
        }
    return true;
}

/* The dimension of the set that the carrier leads to; 0: none. */
static int try_carrier(const set_start* at, walked_set* f)
{
    const contact_pair* p = at->pair;
    double size = p->size, fine = WALK_FINE * size;
    memset(f, 0, sizeof *f);
    wi_walk_start_signed(&p->side[0].side, at->a, &p->side[1].side, at->b, size, &f->w);
    f->w.carrier = at->carrier;
    f->w.distance = dot3(at->n, sub3(p->side[1].now.p, p->side[0].now.p));
    f->w.tolerance = SAME * size;
    if (!wi_signed_start(&f->w, at->a, at->b, at->n, &f->s)) return 0;
    f->w.directions = wi_signed_level(&f->w, &f->s);
    if (f->w.directions == 1) return wi_set_measure(f, 0, fine);
    bool area = f->w.directions == 2 && enter_area(f) && centre_area(f);
    return area && wi_set_measure(f, 0, fine) && wi_set_measure(f, 1, fine) ? 2 : 0;
}

static double line_length(const walked_set* f)
{
    return f->length[0][0] + f->length[0][1];
}

static bool stands_across(const places_around* s, int k, wit_vec3 n)
{
    const tangent_chart* c = &s->chart[k];
    return c->n == place_count(&s->at[k]) && chart_is_across(c, n, c->rough ? ROUGH_ACROSS : ACROSS);
}

/* The best set whose normal is n. */
static int best_set(const places_around around[2], const contact_pair* p, wit_vec3 n, int than, walked_set* best)
{
    walked_set f;
    bool across[2][AROUND_MOST];
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < around[s].count; ++k) across[s][k] = stands_across(&around[s], k, n);
    for (int i = around[0].count - 1; i >= 0; --i)
        for (int j = around[1].count - 1; j >= 0; --j)
            for (int carrier = 0; carrier < 2 && across[0][i] && across[1][j] && than < 2; ++carrier) {
                set_start start = {p, &around[0].at[i], &around[1].at[j], carrier, n};
                if (place_count(carrier ? start.b : start.a) == 0) continue;
                int d = try_carrier(&start, &f);
                /* of two lines the longer: beyond a focal point only one of the sides can carry it */
                bool longer = d == 1 && than == 1 && line_length(&f) > line_length(best) * (1 + 1e-9);
                if (d <= than && !longer) continue;
                than = d;
                *best = f;
            }
    return than;
}

/* ---- what stands for it ---------------------------------------------------------------------- */

static wit_witness witness_of(const walk* w, const walk_state* s, int i)
{
    place p = wi_walk_place(w, s, i);
    int n = place_count(&p);
    wit_witness out = {p.kind, p.id, n > 0 ? p.u : 0, n > 1 ? p.v : 0, p.p};
    return out;
}

static wit_contact_point point_of(const walk* w, const walk_state* s)
{
    wit_contact_point p = {witness_of(w, s, 0), witness_of(w, s, 1), s->distance};
    return p;
}

static void add_point(const walked_set* f, const walk_state* s, wit_contact_set* out)
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
static void border_at(const walked_set* f, double turn, double y[2], walk_state* last)
{
    double arc, sine, cosine, wide[2];
    for (int k = 0; k < 2; ++k) wide[k] = f->length[k][0] + f->length[k][1];
    wit_sincos(turn, &sine, &cosine);
    double angle = wit_atan2(wide[1] * sine, wide[0] * cosine);
    walk_state from = wi_set_turned(&f->s, angle);
    walk w = f->w;
    wi_walk_along(&w, &from, 0, 1, WALK_FINE * f->w.size, last, &arc);
    wit_sincos(angle, &sine, &cosine);
    y[0] = arc * cosine / wide[0];
    y[1] = arc * sine / wide[1];
}

static double reach_at(const walked_set* f, double turn, const double to[2], walk_state* last)
{
    double y[2];
    border_at(f, turn, y, last);
    return to[0] * y[0] + to[1] * y[1];
}

/*
 * A corner near `turn`: where the lines of the border before and after it meet, if they do so within BESIDE. The farthest place
 * alone is badly known where the border runs nearly across the diagonal.
 */
static double kink_near(const walked_set* f, double turn)
{
    walk_state last;
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
static void find_corner(const walked_set* f, const double to[2], double lo, double hi, walk_state* last)
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
static void find_corners(const walked_set* f, wit_contact_set* out)
{
    walk_state last;
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
static void find_opposite(walked_set* f, int k, wit_contact_set* out)
{
    int other = 1 - k;
    bool area = f->w.directions == 2;
    walked_set half = *f;
    wi_set_go(&half, k, f->length[k][1]);
    bool level = wi_signed_level(&half.w, &half.s) == f->w.directions;
    if (!area || f->closed[other]) {
        add_point(f, &f->s, out);
        add_point(f, &half.s, out);
        return;
    }
    for (int i = 0; i < 2; ++i) add_point(f, &f->end[other][i], out);
    if (!level || !wi_set_measure(&half, other, WALK_FINE * f->w.size)) return;
    for (int i = 0; i < 2; ++i) add_point(&half, &half.end[other][i], out);
}

static void write_set(walked_set* f, int dimension, wit_contact_set* out)
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
        const place* at = &p->side[i].on;
        *w[i] = (wit_witness){at->kind, at->id, at->u, at->v, at->p};
    }
    out->distance = p->distance;
    out->normal = p->normal;
    out->middle = out->point[0] = q;
    out->count = 1;
}

/* Edges and vertices at touch: the normals of the faces around them. */
static int best_set_of_faces(const places_around around[2], const contact_pair* p, int than, walked_set* best)
{
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < around[i].count; ++k) {
            const place* at = &around[i].at[k];
            wit_vec3 n;
            if (at->kind != WIT_FACE || !wi_side_normal(&p->side[i].side, at->id, at->u, at->v, &n)) continue;
            than = best_set(around, p, i ? scale3(-1, n) : n, than, best);
        }
    return than;
}

void wi_contact_set(contact_pair* p, wit_contact_set* out)
{
    places_around around[2];
    walked_set best;
    int dimension = 0;
    memset(out, 0, sizeof *out);
    bool known = wi_contact_pair_closest(p);
    for (int i = 0; i < 2; ++i) wi_side_clip(&p->side[i].side, &p->side[1 - i].side);
    for (int i = 0; i < 2; ++i) {
        const side* s = &p->side[i].side;
        wi_places_around(s, &p->side[i].on, &around[i]);
        for (int k = 0; k < around[i].count; ++k) {
            const place* x = &around[i].at[k];
            around[i].chart[k] = wi_chart_at(s, x, WIT_KNOT_DEFAULT);
        }
    }
    if (known) dimension = best_set(around, p, p->normal, 0, &best);
    double gap = norm3(sub3(p->side[1].now.p, p->side[0].now.p));
    bool face = p->side[0].chart.n == 2 || p->side[1].chart.n == 2;
    if (!face && gap <= SAME * p->size) dimension = best_set_of_faces(around, p, dimension, &best);
    if (dimension > 0)
        write_set(&best, dimension, out);
    else if (known)
        write_pair(p, out);
}
