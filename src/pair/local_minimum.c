/* SPDX-License-Identifier: MIT */
#include "local_minimum.h"

#include "../base/solve.h"
#include "conormal.h"
#include "places_around.h"
#include "tangent_chart.h"

enum { CHARTS = 24, APEX_SAMPLES = 64 };
#define LEVEL 1e-8       /* sine of the angle between w and a normal below which a direction counts as level */
#define LEVEL_BEND 1e-10 /* of the largest entry: eigenvalues below are zero */
#define FLAT_BEND 1e-9
#define ROUGH_BEND 1e-3 /* the same beside a pole */
#define SLACK 1e-12     /* of the size */

/* ---- one side ------------------------------------------------------------------------------ */

/* Directions d of the tangent plane of a chart that stay in the feature. */
typedef struct level_part {
    tangent_chart chart;
    int edges; /* 0: all; 1: d . from >= 0; 2: turned from `from` anticlockwise about m no farther than `sector` */
    wit_vec3 from, m;
    double sector;
} level_part;

typedef struct surroundings {
    const side* s;
    const place* at;
    wit_vec3 w;   /* to the other place */
    double level; /* |w . t| up to here is level, t a unit vector */
    bool falls;   /* a way was found that comes closer */
    int count;
    level_part parts[CHARTS];
    wit_vec3 outward; /* sum of the normals around, each by its angle */
} surroundings;

static void add_part(surroundings* x, const level_part* p)
{
    if (x->count < CHARTS) x->parts[x->count++] = *p;
}

/* At a knot the curvatures of all pieces that meet. */
static void add_own(surroundings* x)
{
    const place* at = x->at;
    unsigned most = at->kind == WIT_FACE ? 4 : at->kind == WIT_EDGE ? 2 : 1;
    level_part p = {0};
    for (unsigned which = 0; which < most; ++which) {
        tangent_chart c = wi_chart_at(x->s, at, which);
        bool same = which > 0;
        for (int i = 0; same && i < 3; ++i) {
            wit_vec3 d = sub3(c.k[i], p.chart.k[i]);
            same = !(dot3(d, d) > 0);
        }
        if (same) continue;
        p.chart = c;
        add_part(x, &p);
        for (int i = 0; i < c.n; ++i)
            if (!c.rough && fabs(dot3(x->w, c.e[i])) > x->level) x->falls = true;
    }
}

static void around_face(surroundings* x)
{
    wit_vec3 n;
    if (!wi_side_normal(x->s, x->at->id, x->at->u, x->at->v, &n)) return;
    x->outward = n;
    if (norm3(cross3(x->w, n)) > x->level) x->falls = true;
}

/* The face of a use at t of its edge: its rim, and the unit conormal into it. */
typedef struct use_frame {
    face_rim rim;
    wit_vec3 outward, into;
} use_frame;

static bool frame_at(const side* s, int use, double t, use_frame* out)
{
    const body_use* x = &body_uses(s->body)[use];
    const body_edge* e = &body_edges(s->body)[x->edge];
    use_lift l = side_use_lift(s, use, t);
    if (!wi_rim_at(s, x->face, &l, NULL, &out->rim)) return false;
    wit_surface_jet j;
    bool at_end = e->start >= 0 && (t >= e->range.hi || t <= e->range.lo);
    double beside = at_end ? wi_edge_end(s, x->edge, t >= e->range.hi) : t;
    side_edge_jet(s, x->edge, beside, WIT_KNOT_DEFAULT, &j);
    out->into = conormal(s, use, out->rim.m, j.du);
    out->outward = rim_outward(s, x->face, &out->rim);
    return true;
}

static bool face_counts(const side* s, int face)
{
    return !s->body->planar && side_counts(s, WIT_FACE, face);
}

static void around_edge(surroundings* x)
{
    const side* s = x->s;
    const body_edge* e = &body_edges(s->body)[x->at->id];
    const int32_t* uses = edge_uses(s->body, x->at->id);
    for (int k = 0; k < e->uses; ++k) {
        use_frame f;
        if (!frame_at(s, uses[k], x->at->u, &f)) continue;
        x->outward = add3(x->outward, s->body->planar ? scale3(-1, f.into) : f.outward);
        int face = body_uses(s->body)[uses[k]].face;
        if (!face_counts(s, face)) continue;
        double slope = dot3(x->w, f.into);
        if (slope > x->level) x->falls = true;
        if (fabs(slope) > x->level) continue;
        level_part p = {.edges = 1, .from = f.into, .m = f.rim.m};
        p.chart = wi_chart_at(s, &(place){.kind = WIT_FACE, .id = face, .u = f.rim.u, .v = f.rim.v}, f.rim.below);
        add_part(x, &p);
    }
}

/* A sector of a face: the way w leads into it and falls, or is level with it, or leads elsewhere. */
static void add_sector(surroundings* x, int face, const face_rim* rim, level_part* p)
{
    if (!face_counts(x->s, face)) return;
    wit_vec3 along = addscaled3(x->w, -dot3(x->w, p->m), p->m);
    if (norm3(along) > x->level) {
        double turn = turn_about(p->m, p->from, along);
        if (turn > LEVEL && turn < p->sector - LEVEL) x->falls = true;
        return;
    }
    p->chart = wi_chart_at(x->s, &(place){.kind = WIT_FACE, .id = face, .u = rim->u, .v = rim->v}, rim->below);
    add_part(x, p);
}

/* The sector of a face between the use that leaves the vertex and the one that comes in before it. */
static void around_corner(surroundings* x, int leaving)
{
    const side* s = x->s;
    int face = body_uses(s->body)[leaving].face;
    corner c;
    if (!wi_corner_at(s, leaving, &c)) return;
    level_part p = {.edges = 2, .m = c.rim.m};
    p.sector = wi_corner_sector(s, &c, true, &p.from);
    x->outward = addscaled3(x->outward, p.sector, rim_outward(s, face, &c.rim));
    add_sector(x, face, &c.rim, &p);
}

static void along_edge_end(surroundings* x, int edge, bool high)
{
    const side* s = x->s;
    level_part p = {.edges = 1, .from = wi_edge_away(s, edge, high, true)};
    double slope = dot3(x->w, p.from);
    if (!side_counts(s, WIT_EDGE, edge)) return;
    if (slope > x->level) x->falls = true;
    if (fabs(slope) > x->level) return;
    p.chart = wi_chart_at(s, &(place){.kind = WIT_EDGE, .id = edge, .u = wi_edge_end(s, edge, high)}, WIT_KNOT_DEFAULT);
    add_part(x, &p);
}

/* ---- kinks --------------------------------------------------------------------------------- */

/*
 * Where the tangent of an edge breaks and there is no vertex: the break, or the seam of a ring, that lies within `slack` of the
 * place. ways[0] leads on along the edge, ways[1] back.
 */
static bool at_kink(const side* s, const place* at, double slack, wit_vec3 ways[2])
{
    const body_edge* e = &body_edges(s->body)[at->id];
    const wit_curve* curve = body_curve(s->body, at->id);
    int count, lo = 0, hi;
    const double* breaks = wit_curve_breaks(curve, &count);
    for (hi = count - 1; hi - lo > 1;) { /* breaks[lo] <= u <= breaks[hi] */
        int mid = (lo + hi) / 2;
        if (breaks[mid] <= at->u)
            lo = mid;
        else
            hi = mid;
    }
    double near[4] = {breaks[lo], breaks[hi], e->range.lo, e->range.hi};
    for (int k = 0; k < 4; ++k) {
        double t = near[k];
        bool end = t <= e->range.lo || t >= e->range.hi;
        if (t < e->range.lo || t > e->range.hi || (end && (e->start >= 0 || e->end >= 0))) continue;
        wit_surface_jet above, below;
        side_edge_jet(s, at->id, end ? e->range.lo : t, WIT_KNOT_DEFAULT, &above);
        if (norm3(sub3(above.p, at->p)) > slack) continue;
        side_edge_jet(s, at->id, end ? e->range.hi : t, WIT_KNOT_T_BELOW, &below);
        ways[0] = unit3(above.du);
        ways[1] = scale3(-1, unit3(below.du));
        return dot3(ways[0], ways[1]) > 0 || norm3(cross3(ways[0], ways[1])) > LEVEL;
    }
    return false;
}

/* As a vertex between the two parts of the edge, with the sectors of the faces between them. */
static void around_kink(surroundings* x, const wit_vec3 ways[2])
{
    const side* s = x->s;
    const body_edge* e = &body_edges(s->body)[x->at->id];
    const int32_t* uses = edge_uses(s->body, x->at->id);
    for (int k = 0; k < 2; ++k) {
        level_part p = {.edges = 1, .from = ways[k]};
        double slope = dot3(x->w, p.from);
        if (slope > x->level) x->falls = true;
        if (fabs(slope) > x->level) continue;
        p.chart = wi_chart_at(s, &(place){.kind = WIT_EDGE, .id = x->at->id, .u = x->at->u},
                              k ? WIT_KNOT_T_BELOW : WIT_KNOT_DEFAULT);
        add_part(x, &p);
    }
    for (int k = 0; k < e->uses; ++k) {
        const body_use* use = &body_uses(s->body)[uses[k]];
        use_frame f;
        if (!frame_at(s, uses[k], x->at->u, &f)) continue;
        level_part p = {.edges = 2, .m = f.rim.m, .from = ways[use->reversed ? 1 : 0]};
        wit_vec3 to = ways[use->reversed ? 0 : 1];
        p.sector = turn_about(p.m, p.from, to);
        if (s->body->planar) /* each part by its outward normal */
            x->outward = addscaled3(addscaled3(x->outward, -1, cross3(p.m, p.from)), 1, cross3(p.m, to));
        else
            x->outward = addscaled3(x->outward, p.sector, f.outward);
        add_sector(x, use->face, &f.rim, &p);
    }
}

/* The face comes together in the vertex: its directions are those of the other parameter, all along the border. */
static void around_apex(surroundings* x, const body_apex* apex)
{
    const side* s = x->s;
    const wit_surface* surface = body_surface(s->body, apex->face);
    wit_interval round = apex->fixed == WIT_U ? surface->v : surface->u;
    wit_interval out = apex->fixed == WIT_U ? surface->u : surface->v;
    bool u = apex->fixed == WIT_U;
    pole_border pole = {apex->face, apex->fixed, apex->value, apex->value < iv_mid(out) ? 1 : -1};
    double off = beside_pole(out, apex->value);
    for (int k = 0; k < APEX_SAMPLES && !side_spent(s, 3); ++k) {
        double r = round.lo + iv_width(round) * (k + 0.5) / APEX_SAMPLES;
        wit_vec3 t = unit3(wi_pole_ruling(s, &pole, r)), n;
        if (side_counts(s, WIT_FACE, apex->face) &&
            wi_side_contains(s, WIT_FACE, apex->face, u ? off : r, u ? r : off) && dot3(x->w, t) > x->level)
            x->falls = true;
        if (!side_spent(s, 1) && wi_side_normal(s, apex->face, u ? off : r, u ? r : off, &n))
            x->outward = add3(x->outward, n);
    }
}

/* In the plane: the two edges that meet at a corner, each by its outward normal. */
static void around_planar_corner(surroundings* x, int leaving)
{
    const wit_body* b = x->s->body;
    const int uses[2] = {leaving, wi_use_beside(b, leaving, -1)};
    for (int k = 0; k < 2; ++k) {
        use_frame f;
        if (frame_at(x->s, uses[k], use_parameter(b, uses[k], k == 1), &f)) x->outward = sub3(x->outward, f.into);
    }
}

static void around_vertex(surroundings* x)
{
    const wit_body* b = x->s->body;
    int vertex = x->at->id;
    const int32_t* edges = vertex_edges(b, vertex);
    for (int k = 0; k < body_vertices(b)[vertex].edges; ++k) {
        const body_edge* e = &body_edges(b)[edges[k]];
        if (e->start == vertex) along_edge_end(x, edges[k], false);
        if (e->end == vertex) along_edge_end(x, edges[k], true);
        for (int i = 0; i < e->uses; ++i) {
            int use = edge_uses(b, edges[k])[i];
            if (use_vertex(b, use, false) != vertex) continue;
            if (b->planar)
                around_planar_corner(x, use);
            else
                around_corner(x, use);
        }
    }
    int count;
    const body_apex* apexes = wi_vertex_apexes(b, vertex, &count);
    for (int k = 0; k < count; ++k) around_apex(x, &apexes[k]);
}

static void look_around(surroundings* x, const side* s, const place* at, wit_vec3 w, double level, double slack)
{
    x->s = s;
    x->at = at;
    x->w = w;
    x->level = level;
    x->falls = false;
    x->count = 0;
    x->outward = vec3(0, 0, 0);
    wit_vec3 ways[2];
    if (at->kind == WIT_EDGE && at_kink(s, at, slack, ways)) {
        around_kink(x, ways);
        return;
    }
    add_own(x);
    if (at->kind == WIT_FACE)
        around_face(x);
    else if (at->kind == WIT_EDGE)
        around_edge(x);
    else if (at->kind == WIT_VERTEX)
        around_vertex(x);
}

/* ---- both ---------------------------------------------------------------------------------- */

static bool stays(const level_part* p, wit_vec3 d)
{
    if (p->edges == 0 || !(dot3(d, d) > 0)) return true;
    if (p->edges == 1) return dot3(d, p->from) >= 0;
    return turn_about(p->m, p->from, d) <= p->sector;
}

static wit_vec3 direction(const tangent_chart* c, const double* x, double sign)
{
    wit_vec3 d = vec3(0, 0, 0);
    for (int i = 0; i < c->n; ++i) d = addscaled3(d, sign * x[i], c->e[i]);
    return d;
}

/* How the Hessian is along the directions that stay in both features. */
static minimum_kind bend_of(const level_part* a, const level_part* b, wit_vec3 gap)
{
    double h[16], values[4], vectors[16], most = 1;
    int n = wi_joint_hessian(&a->chart, &b->chart, gap, h);
    minimum_kind kind = MINIMUM_STRICT;
    if (n == 0 || !wi_eigen_symmetric(n, h, values, vectors)) return kind;
    for (int i = 0; i < n; ++i) most = larger(most, fabs(values[i]));
    double zero = (a->chart.rough || b->chart.rough ? ROUGH_BEND : LEVEL_BEND) * most;
    double flat = (a->chart.rough || b->chart.rough ? ROUGH_BEND : FLAT_BEND) * most;
    for (int i = 0; i < n && values[i] <= flat; ++i)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double* x = vectors + i * n;
            if (!stays(a, direction(&a->chart, x, sign)) || !stays(b, direction(&b->chart, x + a->chart.n, sign)))
                continue;
            if (values[i] < -zero) return MINIMUM_NONE;
            kind = MINIMUM_FLAT;
        }
    return kind;
}

/* ---- whole pieces -------------------------------------------------------------------------- */

/* Every direction of the cone is within less than a right angle, less `spread`, of `to`. */
static bool all_along(const wit_cone* way, wit_vec3 to, double spread)
{
    double angle = wit_atan2(norm3(cross3(way->axis, to)), dot3(way->axis, to));
    return angle + way->angle + spread < 0.5 * PI - LEVEL;
}

/* The conormal n x t turns by no more than the normal and the tangent do. */
bool wi_edge_leads_closer(const side* s, int edge, wit_interval t, const wit_cone* tangents, const wit_cone* way)
{
    const body_edge* e = &body_edges(s->body)[edge];
    const int32_t* uses = edge_uses(s->body, edge);
    for (int k = 0; k < e->uses; ++k) {
        if (!face_counts(s, body_uses(s->body)[uses[k]].face)) continue;
        side_tests(s, 2);
        wit_cone normals = wi_use_normals(s->body, uses[k], t);
        double spread = normals.angle + tangents->angle;
        wit_vec3 into = conormal(s, uses[k], side_vector(s, normals.axis), tangents->axis);
        /* n and t are perpendicular up to their spreads; so is the axis of the conormals */
        if (spread < 0.25 * PI && all_along(way, into, 2 * spread)) return true;
    }
    return false;
}

bool wi_vertex_leads_closer(const side* s, int vertex, const wit_cone* way)
{
    const body_vertex* v = &body_vertices(s->body)[vertex];
    const int32_t* edges = vertex_edges(s->body, vertex);
    for (int k = 0; k < v->edges; ++k) {
        const body_edge* e = &body_edges(s->body)[edges[k]];
        if (!side_counts(s, WIT_EDGE, edges[k])) continue;
        if (e->start == vertex && all_along(way, wi_edge_away(s, edges[k], false, true), 0)) return true;
        if (e->end == vertex && all_along(way, wi_edge_away(s, edges[k], true, true), 0)) return true;
    }
    return false;
}

double wi_minimum_slack(const placed_pair* pair)
{
    return SLACK * pair->size + 16 * pair->floor;
}

double wi_minimum_level(const placed_pair* pair, double distance)
{
    return LEVEL * smaller(distance, pair->size) + 16 * pair->floor;
}

minimum_kind wi_local_minimum(const placed_pair* pair, const place* a, const place* b, double moved)
{
    wit_vec3 gap = sub3(a->p, b->p);
    double d = norm3(gap);
    if (d <= pair->floor) return MINIMUM_STRICT;
    double slack = wi_side_tolerance(&pair->a, a->kind, a->id);
    if (pair->b.body) slack = larger(slack, wi_side_tolerance(&pair->b, b->kind, b->id));
    double level = wi_minimum_level(pair, d) + 2 * (slack + moved);
    surroundings x, y;
    if (side_spent(&pair->a, wi_places_cost(&pair->a, a) + wi_places_cost(&pair->b, b))) return MINIMUM_NONE;
    look_around(&x, &pair->a, a, scale3(-1, gap), level, wi_minimum_slack(pair));
    if (x.falls) return MINIMUM_NONE;
    look_around(&y, &pair->b, b, gap, level, wi_minimum_slack(pair));
    if (y.falls) return MINIMUM_NONE;
    if (pair->b.body) {
        if (side_has_inside(&pair->a) && dot3(x.outward, gap) > level * norm3(x.outward)) return MINIMUM_NONE;
        if (side_has_inside(&pair->b) && dot3(y.outward, gap) < -level * norm3(y.outward)) return MINIMUM_NONE;
    }
    minimum_kind kind = MINIMUM_STRICT;
    for (int i = 0; i < x.count; ++i)
        for (int j = 0; j < y.count; ++j) {
            minimum_kind k = bend_of(&x.parts[i], &y.parts[j], gap);
            if (k == MINIMUM_NONE) return k;
            if (k == MINIMUM_FLAT) kind = k;
        }
    return kind;
}
