/* SPDX-License-Identifier: MIT */
#include "contact_walk.h"

#include <string.h>

#include "../base/solve.h"
#include "../geom/shape.h"

enum { NEWTON = 24, CORRECTIONS = 8, STEPS = 4096 };
#define LEVEL 1e-8  /* second derivative times size: below it is none */
#define OFF 1e-12   /* of the size: a foot whose gap leans more is held at a border */
#define STRIDE 0.03 /* of the size: the longest step */
#define TURN 0.2    /* sine: the farthest that a step may turn */

contact_feature wi_contact_feature_of(const side* s, wit_feature_kind kind, int32_t id)
{
    contact_feature f = {.side = s, .kind = kind, .id = id};
    if (kind_dimension(kind) > 0) wi_side_range(s, kind, id, f.range, f.closed);
    return f;
}

static int dimension(const contact_walk* w, int i)
{
    return kind_dimension(w->feature[i].kind);
}

static void look(const contact_walk* w, contact_state* s, int i)
{
    const contact_feature* f = &w->feature[i];
    if (f->side->body)
        wi_side_jet(f->side, f->kind, f->id, s->x[i][0], s->x[i][1], WIT_KNOT_DEFAULT, NULL, &s->jet[i]);
    else
        s->jet[i] = (wit_surface_jet){.p = f->side->t};
}

static bool contains(const contact_walk* w, const contact_state* s, int i)
{
    const contact_feature* f = &w->feature[i];
    for (int k = 0; k < dimension(w, i); ++k)
        if (!f->closed[k] && !(s->x[i][k] >= f->range[k].lo && s->x[i][k] <= f->range[k].hi)) return false;
    return f->kind != WIT_FACE || wi_side_contains(f->side, f->kind, f->id, s->x[i][0], s->x[i][1]);
}

/* m . (parameters' change) for a change of place v: first derivatives only. False: they span too little. */
static bool to_parameters(const contact_walk* w, const contact_state* s, int i, wit_vec3 v, double x[2])
{
    const wit_surface_jet* j = &s->jet[i];
    double E = dot3(j->du, j->du), g[2] = {dot3(v, j->du), dot3(v, j->dv)};
    x[0] = x[1] = 0;
    if (dimension(w, i) == 1) x[0] = E > 0 ? g[0] / E : 0;
    return dimension(w, i) == 1 ? E > 0 : solve2_definite(E, dot3(j->du, j->dv), dot3(j->dv, j->dv), g, x);
}

/* The foot of the carrier's point, held in its range. False: it stands askew, past a border. */
static bool find_foot(const contact_walk* w, contact_state* s)
{
    int o = 1 - w->carrier, n = dimension(w, o);
    const contact_feature* f = &w->feature[o];
    wit_vec3 p = s->jet[w->carrier].p;
    look(w, s, o);
    double last = INFINITY;
    for (int round = 0; n > 0 && round < NEWTON; ++round) {
        const wit_surface_jet* j = &s->jet[o];
        wit_vec3 r = sub3(j->p, p), before = j->p;
        double E = dot3(j->du, j->du), F = dot3(j->du, j->dv), G = dot3(j->dv, j->dv);
        double g[2] = {-dot3(r, j->du), -dot3(r, j->dv)}, d[2] = {0, 0};
        double a = E + dot3(r, j->duu), b = F + dot3(r, j->duv), c = G + dot3(r, j->dvv);
        if (n == 1)
            d[0] = a > 0 ? g[0] / a : E > 0 ? g[0] / E : 0;
        else if (!solve2_definite(a, b, c, g, d) && !solve2_definite(E, F, G, g, d))
            return false;
        for (int k = 0; k < n; ++k) {
            s->x[o][k] += d[k];
            if (!f->closed[k]) s->x[o][k] = fmin(f->range[k].hi, fmax(f->range[k].lo, s->x[o][k]));
        }
        look(w, s, o);
        double moved = norm3(sub3(s->jet[o].p, before));
        if (moved <= 1e-15 * w->size || (moved <= 1e-11 * w->size && moved >= last)) break;
        last = moved;
    }
    wit_vec3 r = sub3(s->jet[o].p, p), t[2] = {unit3(s->jet[o].du), unit3(s->jet[o].dv)};
    double off = OFF * w->size + 64 * DBL_EPSILON * norm3(p);
    for (int k = 0; k < n; ++k)
        if (!(fabs(dot3(r, t[k])) <= off)) return false;
    return true;
}

/* n and delta, once both jets are there. */
static bool set_distance(const contact_walk* w, contact_state* s)
{
    int o = 1 - w->carrier;
    const contact_feature* f = &w->feature[o];
    wit_vec3 gap = sub3(s->jet[1].p, s->jet[0].p), n;
    if (f->kind == WIT_FACE) {
        if (!wi_side_normal(f->side, f->id, s->x[o][0], s->x[o][1], &n)) return false;
        s->n = scale3(w->sense, n);
    } else {
        n = unit3(gap);
        if (!(dot3(n, n) > 0)) return false;
        s->n = w->distance < 0 ? scale3(-1, n) : n;
    }
    s->distance = dot3(gap, s->n);
    return true;
}

/* Carrier at s->x: everything else. */
static bool complete(const contact_walk* w, contact_state* s)
{
    look(w, s, w->carrier);
    return contains(w, s, w->carrier) && find_foot(w, s) && contains(w, s, 1 - w->carrier) && set_distance(w, s);
}

bool wi_contact_walk_start(contact_walk* w, const double x[2][2], wit_vec3 n, contact_state* out)
{
    int o = 1 - w->carrier;
    memset(out, 0, sizeof *out);
    memcpy(out->x, x, sizeof out->x);
    look(w, out, w->carrier);
    w->sense = 1;
    if (w->feature[o].kind == WIT_FACE) {
        wit_vec3 m;
        if (!wi_side_normal(w->feature[o].side, w->feature[o].id, x[o][0], x[o][1], &m)) return false;
        w->sense = dot3(m, n) < 0 ? -1 : 1;
    }
    if (!find_foot(w, out) || !set_distance(w, out)) return false;
    return fabs(out->distance - w->distance) <= w->tolerance;
}

/* ---- second derivatives ---------------------------------------------------------------------- */

static tangent_chart chart_of(const contact_walk* w, const contact_state* s, int i)
{
    const contact_feature* f = &w->feature[i];
    tangent_chart none = {0};
    if (dimension(w, i) == 0) return none;
    return wi_chart_at(f->side, f->kind, f->id, s->x[i][0], s->x[i][1], WIT_KNOT_DEFAULT);
}

/* S times size over the chart of the carrier. Returns its order; 0: there is none. */
static int second_form(const contact_walk* w, const contact_state* s, tangent_chart* own, double S[4])
{
    tangent_chart c[2] = {chart_of(w, s, 0), chart_of(w, s, 1)};
    saddle k;
    saddle_factors f;
    wi_saddle_make(&c[0], &c[1], s->n, s->distance, fmax(w->size, fabs(s->distance)), &k);
    int m = c[w->carrier].n, first = w->carrier ? k.na : 0, rest = k.n - m, index[SADDLE_MOST], r = 0;
    double R[SADDLE_MOST * SADDLE_MOST];
    *own = c[w->carrier];
    if (m != dimension(w, w->carrier) || c[1 - w->carrier].n != dimension(w, 1 - w->carrier)) return 0;
    for (int i = 0; i < k.n; ++i)
        if (i < first || i >= first + m) index[r++] = i;
    for (int i = 0; i < rest; ++i)
        for (int j = 0; j < rest; ++j) R[i * rest + j] = k.K[index[i] * k.n + index[j]];
    if (!wi_saddle_factor(&f, rest, R)) return 0;
    for (int j = 0; j < m; ++j) {
        double column[SADDLE_MOST];
        for (int i = 0; i < rest; ++i) column[i] = k.K[index[i] * k.n + first + j];
        wi_saddle_solve(&f, column, column);
        for (int i = 0; i < m; ++i) {
            double sum = k.K[(first + i) * k.n + first + j];
            for (int l = 0; l < rest; ++l) sum -= k.K[(first + i) * k.n + index[l]] * column[l];
            S[i * m + j] = sum * w->size / k.scale;
        }
    }
    return m;
}

/* Eigenvalues of S, the one smaller in size first, and their directions. */
static int principal(const contact_walk* w, const contact_state* s, double value[2], wit_vec3 way[2])
{
    tangent_chart c;
    double S[4], vectors[4];
    int m = second_form(w, s, &c, S);
    if (m == 0) return 0;
    if (m == 1) {
        value[0] = S[0];
        way[0] = c.e[0];
        return 1;
    }
    S[1] = S[2] = 0.5 * (S[1] + S[2]);
    if (!wi_eigen_symmetric(2, S, value, vectors)) return 0;
    for (int k = 0; k < 2; ++k) way[k] = addscaled3(scale3(vectors[2 * k], c.e[0]), vectors[2 * k + 1], c.e[1]);
    if (fabs(value[1]) < fabs(value[0])) {
        double v = value[0];
        wit_vec3 x = way[0];
        value[0] = value[1], way[0] = way[1];
        value[1] = v, way[1] = x;
    }
    if (fabs(value[1]) <= LEVEL) way[0] = c.e[0], way[1] = c.e[1]; /* level all round: the face's own axes */
    return 2;
}

int wi_contact_walk_level(const contact_walk* w, contact_state* s)
{
    double value[2] = {0, 0};
    int m = principal(w, s, value, s->t), level = 0;
    if (m == 1) s->t[1] = vec3(0, 0, 0);
    while (level < m && fabs(value[level]) <= LEVEL) ++level;
    return level;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The part of t in the carrier's tangent space, unit; zero: none. */
static wit_vec3 carried(const contact_walk* w, const contact_state* s, wit_vec3 t)
{
    const wit_surface_jet* j = &s->jet[w->carrier];
    if (dimension(w, w->carrier) == 1) return scale3(dot3(t, j->du) < 0 ? -1 : 1, unit3(j->du));
    wit_vec3 n = unit3(cross3(unit3(j->du), unit3(j->dv)));
    return unit3(addscaled3(t, -dot3(t, n), n));
}

/* A line on a face: back onto it, across; then t along it. */
static bool onto_line(const contact_walk* w, contact_state* s, wit_vec3 t)
{
    int c = w->carrier;
    for (int round = 0; round < CORRECTIONS; ++round) {
        double value[2], d[2];
        wit_vec3 way[2];
        if (principal(w, s, value, way) != 2 || !(fabs(value[1]) > LEVEL)) return false;
        s->t[0] = dot3(way[0], t) < 0 ? scale3(-1, way[0]) : way[0];
        s->t[1] = way[1];
        /* d delta / d y = -n . e for a, n . e for b */
        double slope = dot3(s->n, way[1]) * (c ? 1 : -1), y = -slope / (value[1] / w->size);
        if (fabs(y) <= 1e-14 * w->size) return true;
        if (!(fabs(y) <= STRIDE * w->size) || !to_parameters(w, s, c, scale3(y, way[1]), d)) return false;
        s->x[c][0] += d[0];
        s->x[c][1] += d[1];
        if (!complete(w, s)) return false;
        if (fabs(y) <= 1e-9 * w->size) return true;
    }
    return false;
}

/* One step of length h along t by the midpoint rule; t is carried along. False: no pair there. */
static bool step_along(const contact_walk* w, contact_state* s, wit_vec3* t, double h)
{
    int c = w->carrier, m = dimension(w, c);
    contact_state middle = *s, next = *s;
    double d[2];
    if (!to_parameters(w, s, c, scale3(0.5 * h, *t), d)) return false;
    for (int k = 0; k < m; ++k) middle.x[c][k] += d[k];
    look(w, &middle, c);
    wit_vec3 at_middle = carried(w, &middle, *t);
    if (!to_parameters(w, &middle, c, scale3(h, at_middle), d)) return false;
    for (int k = 0; k < m; ++k) next.x[c][k] += d[k];
    if (!complete(w, &next)) return false;
    wit_vec3 after = carried(w, &next, at_middle);
    if (m == 2 && w->directions == 1) {
        if (!onto_line(w, &next, after)) return false;
        after = next.t[0];
    }
    if (!(norm3(cross3(*t, after)) <= TURN) || !(dot3(*t, after) > 0)) return false;
    *s = next;
    *t = after;
    return true;
}

/* Length of the circular arc over a chord whose tangents at the ends are t and u. */
static double arc_over(double chord, wit_vec3 t, wit_vec3 u)
{
    double half = 0.5 * wit_atan2(norm3(cross3(t, u)), dot3(t, u)), sine, cosine;
    wit_sincos(half, &sine, &cosine);
    return sine > 1e-8 ? chord * half / sine : chord;
}

contact_end wi_contact_walk_go(const contact_walk* w, const contact_state* from, double angle, double most,
                               double resolution, contact_state* last, double* arc)
{
    double sine, cosine, stride = STRIDE * w->size, h = fmin(stride, most);
    contact_end end = CONTACT_BORDER;
    wit_sincos(angle, &sine, &cosine);
    wit_vec3 start = addscaled3(scale3(cosine, from->t[0]), sine, from->t[1]), t = start;
    wit_vec3 origin = from->jet[w->carrier].p;
    *last = *from;
    *arc = 0;
    for (int k = 0; k < STEPS && h > resolution; ++k) {
        contact_state next = *last;
        wit_vec3 way = t;
        bool stands = step_along(w, &next, &way, h);
        if (!stands || !(fabs(next.distance - w->distance) <= w->tolerance)) {
            end = stands ? CONTACT_CHANGE : CONTACT_BORDER;
            h *= 0.5;
            continue;
        }
        wit_vec3 p = last->jet[w->carrier].p, q = next.jet[w->carrier].p, home = sub3(origin, p);
        double piece = arc_over(norm3(sub3(q, p)), t, way), left = norm3(home);
        if (*arc > 2 * stride && left <= h && dot3(home, t) >= 0 &&
            norm3(cross3(home, t)) <= 0.5 * left + 1e-9 * w->size) {
            *arc += arc_over(left, t, start);
            return CONTACT_CLOSED;
        }
        *arc += piece;
        *last = next;
        t = way;
        h = fmin(h, most - *arc);
    }
    last->t[0] = t;
    return end;
}

contact_end wi_contact_walk_along(const contact_walk* w, const contact_state* from, double angle, double resolution,
                                  contact_state* last, double* arc)
{
    return wi_contact_walk_go(w, from, angle, INFINITY, resolution, last, arc);
}
