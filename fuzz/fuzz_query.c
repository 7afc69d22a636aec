/* SPDX-License-Identifier: MIT */
/*
 * Every body that can be read is asked: how far is this point, how far is itself elsewhere, how far is a ready-made solid?
 * Points and poses come from the bytes of the input. Whatever the body is: an answer or a refusal, the bracket in order
 * and around the distance, no NaN, the witnesses where the answer says, no point of the body nearer than the lower bound, no pair of
 * sampled points either, none of them inside a solid from which it is said to be apart, the sign of the solid's closed form,
 * the same bits when asked again, and the same answer the other way round. The budget is small, so that brackets that
 * did not close are met as often as those that did.
 */
#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "fuzz.h"

enum {
    MEMORY = 64 << 20,
    BODIES = 4,
    NODES = 4000,
    SAMPLES = 3,
    POINTS = 256,
    BUDGET = 400,
    CAPACITY = 256,
    MINIMA = 8
};

static double draw(unsigned* state) /* -1 to 1 */
{
    return (double)next_random(state) / 8388608.0 - 1;
}

static wit_vec3 shifted(wit_vec3 a, double s, wit_vec3 b)
{
    return (wit_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double length(wit_vec3 a)
{
    return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static double between_points(wit_vec3 a, wit_vec3 b)
{
    return length(shifted(a, -1, b));
}

static wit_vec3 draw_vector(unsigned* state)
{
    double x = draw(state);
    double y = draw(state);
    double z = draw(state);
    return (wit_vec3){x, y, z};
}

static wit_vec3 middle(const wit_body_info* i)
{
    return (wit_vec3){0.5 * (i->box.lo.x + i->box.hi.x), 0.5 * (i->box.lo.y + i->box.hi.y),
                      0.5 * (i->box.lo.z + i->box.hi.z)};
}

/* The largest coordinate in play: the yardstick of rounding. */
static double reach(const wit_placed* at)
{
    wit_body_info i = wit_body_describe(at->body);
    double farthest = fmax(length(i.box.lo), length(i.box.hi));
    return (isfinite(farthest) ? farthest : 0) + length(at->pose.position);
}

/* ---- what must hold ------------------------------------------------------------------------- */

static void check_witness(const wit_placed* at, const wit_witness* w, bool overlapping, double yard)
{
    CLAIM(finite3(w->point) && isfinite(w->u) && isfinite(w->v));
    if (!at || (overlapping && w->feature == WIT_POINT)) { /* a common point inside a solid is on no feature */
        CLAIM(w->feature == WIT_POINT && w->id == -1);
        return;
    }
    wit_body_info i = wit_body_describe(at->body);
    wit_vec3 p = {0, 0, 0};
    double slack = i.tolerance + 1e-9 * yard;
    if (w->feature == WIT_FACE) {
        CLAIM(w->id >= 0 && w->id < i.face_count);
        wit_surface_jet jet;
        wit_surface_eval(wit_body_face(at->body, w->id).surface, w->u, w->v, 0, NULL, &jet);
        p = jet.p;
    } else if (w->feature == WIT_EDGE) {
        CLAIM(w->id >= 0 && w->id < i.edge_count);
        wit_curve_jet jet;
        wit_curve_eval(wit_body_edge(at->body, w->id).curve, w->u, 0, NULL, &jet);
        p = jet.p;
    } else {
        CLAIM(w->feature == WIT_VERTEX && w->id >= 0 && w->id < i.vertex_count);
        p = wit_body_vertex(at->body, w->id).point;
    }
    CLAIM(between_points(wit_pose_point(&at->pose, p), w->point) <= slack);
}

static void check_answer(const wit_placed* a, const wit_placed* b, const wit_closest* c, double yard)
{
    CLAIM((unsigned)c->outcome < WIT_OUTCOME_COUNT && (unsigned)c->sign < WIT_SIGN_COUNT);
    CLAIM(!isnan(c->lower_bound) && !isnan(c->upper_bound) && !isnan(c->distance));
    CLAIM(c->lower_bound <= c->upper_bound);
    CLAIM(c->work.nodes >= 0 && c->work.jets >= 0 && c->work.peak >= 0);
    if (c->outcome == WIT_OUTCOME_BEYOND || c->outcome == WIT_OUTCOME_EMPTY) return;
    CLAIM(c->distance >= c->lower_bound && isfinite(c->distance));
    CLAIM(finite3(c->normal));
    double n = length(c->normal);
    CLAIM(n == 0 || fabs(n - 1) < 1e-9);
    bool overlapping = c->outcome == WIT_OUTCOME_OVERLAPPING;
    check_witness(a, &c->a, overlapping, yard);
    check_witness(b, &c->b, overlapping, yard);
    wit_vec3 along = shifted(c->a.point, c->distance, c->normal);
    if (!overlapping) CLAIM(between_points(along, c->b.point) <= 1e-9 * yard);
    CLAIM(c->set.dimension >= 0 && c->set.dimension <= 2);
    for (int k = 0; k < c->set.dimension; k++)
        CLAIM(finite3(c->set.direction[k]) && c->set.extent[k].lo <= 0 && c->set.extent[k].hi >= 0);
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_same(const wit_closest* a, const wit_closest* b)
{
    CLAIM(a->outcome == b->outcome && a->certified == b->certified && a->sign == b->sign);
    CLAIM(same_bits(a->distance, b->distance) && same_bits(a->lower_bound, b->lower_bound) &&
          same_bits(a->upper_bound, b->upper_bound));
    CLAIM(a->work.nodes == b->work.nodes && a->work.jets == b->work.jets);
}

/* Points of a body that can be had for nothing, in the world: corners, points of edges, points of faces inside their loops. */
typedef struct cloud {
    int count;
    wit_vec3 point[POINTS];
} cloud;

static void add_point(cloud* c, const wit_placed* at, wit_vec3 p)
{
    if (c->count < POINTS) c->point[c->count++] = wit_pose_point(&at->pose, p);
}

static void sample(const wit_placed* at, cloud* c)
{
    wit_body_info i = wit_body_describe(at->body);
    c->count = 0;
    for (int v = 0; v < i.vertex_count && v < 16; v++) add_point(c, at, wit_body_vertex(at->body, v).point);
    for (int e = 0; e < i.edge_count && e < 16; e++) {
        wit_edge_info edge = wit_body_edge(at->body, e);
        for (int k = 0; k < SAMPLES; k++) {
            wit_curve_jet jet;
            wit_curve_eval(edge.curve, edge.range.lo + (edge.range.hi - edge.range.lo) * (k + 0.5) / SAMPLES, 0, NULL,
                           &jet);
            add_point(c, at, jet.p);
        }
    }
    for (int f = 0; f < i.face_count && f < 16 && !i.planar; f++) {
        wit_face_info face = wit_body_face(at->body, f);
        for (int k = 0; k < SAMPLES * SAMPLES && !face.unbounded; k++) {
            double u = face.u.lo + (face.u.hi - face.u.lo) * (k / SAMPLES + 0.5) / SAMPLES;
            double v = face.v.lo + (face.v.hi - face.v.lo) * (k % SAMPLES + 0.5) / SAMPLES;
            wit_surface_jet jet;
            if (!wit_body_face_contains(at->body, f, u, v)) continue;
            wit_surface_eval(face.surface, u, v, 0, NULL, &jet);
            add_point(c, at, jet.p);
        }
    }
}

static double nearest_of(const cloud* c, wit_vec3 point)
{
    double least = INFINITY;
    for (int k = 0; k < c->count; k++) least = fmin(least, between_points(c->point[k], point));
    return least;
}

/* Below zero inside the ready-made solid, above outside, by its definition; a length near the surface, roughly. */
static double solid_value(const wit_solid_def* d, wit_vec3 p)
{
    double rho = hypot(p.x, p.y), up = fmax(-p.z, p.z - d->height), slant;
    switch (d->kind) {
    case WIT_SOLID_BOX:
        return fmax(fabs(p.x) - 0.5 * d->size_x, fmax(fabs(p.y) - 0.5 * d->size_y, fabs(p.z) - 0.5 * d->size_z));
    case WIT_SOLID_SPHERE:
        return length(p) - d->radius;
    case WIT_SOLID_ELLIPSOID:
        return length(p) - d->size_x; /* draw_solid: all axes the same */
    case WIT_SOLID_CYLINDER:
        return fmax(rho - d->radius, up);
    case WIT_SOLID_CAPSULE:
        return hypot(rho, fmax(0, up)) - d->radius;
    case WIT_SOLID_CONE:
        slant = (rho - d->radius * (1 - p.z / d->height)) * d->height / hypot(d->height, d->radius);
        return fmax(-p.z, slant);
    case WIT_SOLID_TORUS:
        return hypot(rho - d->radius, p.z) - d->radius2;
    default:
        return p.z;
    }
}

/* ---- what is asked -------------------------------------------------------------------------- */

static void ask_minima(wit_query* q, const wit_placed* a, const wit_placed* b, wit_vec3 point, double yard)
{
    wit_minimum list[MINIMA];
    wit_minima_summary s;
    wit_status status =
        b ? wit_minima_pair(q, a, b, list, MINIMA, &s) : wit_minima_point(q, a, point, list, MINIMA, &s);
    if (status) return;
    CLAIM(s.count >= 0 && !isnan(s.lower_bound));
    for (int k = 0; k < s.count && k < MINIMA; k++) {
        CLAIM(isfinite(list[k].distance) && finite3(list[k].normal) && finite3(list[k].a.point));
        /* equal ones, to 1e-10, stand in the order of their features */
        CLAIM(k == 0 || fabs(list[k].distance) >= fabs(list[k - 1].distance) - 1.01e-10 * yard);
    }
}

static void ask_point(wit_query* q, const wit_placed* a, wit_vec3 point, bool minima)
{
    wit_closest one, two;
    wit_status status = wit_closest_point(q, a, point, &one);
    CLAIM(status == WIT_OK || status == WIT_ERROR_RANGE || status == WIT_ERROR_NUMBER);
    wit_witness start;
    wit_status far = wit_far_phase_point(a, point, &start);
    CLAIM(far != WIT_OK || (finite3(start.point) && isfinite(start.u) && isfinite(start.v)));
    if (status) return;
    double yard = reach(a) + length(point) + fabs(one.distance < INFINITY ? one.distance : 0);
    check_answer(a, NULL, &one, yard);
    CLAIM(wit_closest_point(q, a, point, &two) == WIT_OK);
    check_same(&one, &two);
    double least = one.lower_bound > 0 ? one.lower_bound : one.upper_bound < 0 ? -one.upper_bound : 0;
    cloud samples;
    sample(a, &samples);
    CLAIM(nearest_of(&samples, point) >= least - wit_body_describe(a->body).tolerance - 1e-9 * yard);
    if (minima) ask_minima(q, a, NULL, point, yard);
}

/* No two sampled points are nearer than the lower bound; and where the bodies are said to be apart, none of a is inside b,
 * if that is a ready-made solid. */
static void check_samples(const wit_placed* a, const wit_placed* b, const wit_solid_def* solid, const wit_closest* c,
                          double yard)
{
    cloud of_a, of_b;
    double slack = wit_body_describe(a->body).tolerance + wit_body_describe(b->body).tolerance + 1e-9 * yard;
    sample(a, &of_a);
    sample(b, &of_b);
    for (int k = 0; k < of_a.count; k++) {
        CLAIM(nearest_of(&of_b, of_a.point[k]) >= c->lower_bound - slack);
        if (solid && c->lower_bound > 0) CLAIM(solid_value(solid, wit_pose_unpoint(&b->pose, of_a.point[k])) >= -slack);
    }
}

static void ask_pair(wit_query* q, const wit_placed* a, const wit_placed* b, const wit_solid_def* solid, bool minima)
{
    wit_closest one, two;
    wit_status status = wit_closest_pair(q, a, b, &one);
    CLAIM(status == WIT_OK || status == WIT_ERROR_RANGE || status == WIT_ERROR_NUMBER ||
          status == WIT_ERROR_UNSUPPORTED);
    wit_witness start[2];
    wit_status far = wit_far_phase_pair(a, b, &start[0], &start[1]);
    CLAIM(far != WIT_OK || (finite3(start[0].point) && finite3(start[1].point)));
    if (status) return;
    double yard = reach(a) + reach(b) + fabs(one.distance < INFINITY ? one.distance : 0);
    check_answer(a, b, &one, yard);
    check_samples(a, b, solid, &one, yard);
    CLAIM(wit_closest_pair(q, b, a, &two) == WIT_OK);
    CLAIM(one.outcome == two.outcome && same_bits(one.distance, two.distance));
    CLAIM(same_bits(one.lower_bound, two.lower_bound) && one.work.nodes == two.work.nodes);
    if (minima) ask_minima(q, a, b, (wit_vec3){0, 0, 0}, yard);
}

static wit_pose draw_pose(unsigned* state, double size)
{
    static const double shifts[4] = {0, 0.3, 2, 1000};
    wit_vec3 axis = draw_vector(state);
    double angle = next_random(state) & 1 ? 3 * draw(state) : 0;
    wit_pose p = {{0, 0, 0}, wit_quat_about(axis, angle)};
    p.position = shifted(p.position, size * shifts[next_random(state) & 3], draw_vector(state));
    return p;
}

/* The sign of a point against a ready-made solid, by its definition. */
static void ask_sign(wit_query* q, const wit_placed* at, const wit_solid_def* solid, wit_vec3 point)
{
    wit_closest c;
    if (wit_closest_point(q, at, point, &c)) return;
    double value = solid_value(solid, wit_pose_unpoint(&at->pose, point)), slack = 1e-9 * (reach(at) + length(point));
    CLAIM(!(value > slack && c.upper_bound < 0));
    CLAIM(!(value < -slack && c.lower_bound > 0));
    CLAIM(!c.certified || !(fabs(value) > slack) || (value > 0) == (c.distance > 0));
}

static wit_body* draw_solid(unsigned* state, double size, wit_solid_def* out)
{
    static const wit_solid_kind kinds[8] = {WIT_SOLID_BOX,      WIT_SOLID_SPHERE,    WIT_SOLID_ELLIPSOID,
                                            WIT_SOLID_CYLINDER, WIT_SOLID_CAPSULE,   WIT_SOLID_CONE,
                                            WIT_SOLID_TORUS,    WIT_SOLID_HALF_SPACE};
    wit_solid_def d = wit_solid_default_def(kinds[next_random(state) & 7]);
    d.size_x = d.size_y = d.size_z = 0.5 * size;
    d.radius = 0.3 * size;
    d.radius2 = 0.1 * size;
    d.height = 0.6 * size;
    *out = d;
    return wit_solid_create(&d, NULL, NULL);
}

static void ask_body(wit_query* q, const wit_body* body, unsigned* state)
{
    wit_body_info info = wit_body_describe(body);
    if (info.node_count > NODES) return;
    double size = info.size > 0 && isfinite(info.size) ? info.size : 1;
    wit_vec3 centre = finite3(middle(&info)) ? middle(&info) : (wit_vec3){0, 0, 0};
    wit_placed a = wit_placed_at(body, draw_pose(state, size)), still = wit_placed_at(body, wit_pose_identity());
    ask_point(q, &still, centre, true);
    ask_point(q, &a, wit_pose_point(&a.pose, shifted(centre, size, draw_vector(state))), false);
    ask_point(q, &a, shifted(centre, 100 * size, draw_vector(state)), false);
    if (info.vertex_count) ask_point(q, &still, wit_body_vertex(body, 0).point, false);
    if (info.face_count) {
        wit_face_info f = wit_body_face(body, (int)(next_random(state) % (unsigned)info.face_count));
        wit_surface_jet jet;
        wit_surface_eval(f.surface, 0.5 * (f.u.lo + f.u.hi), 0.5 * (f.v.lo + f.v.hi), 0, NULL, &jet);
        ask_point(q, &still, jet.p, false);
    }
    ask_pair(q, &a, &still, NULL, false);
    ask_pair(q, &still, &still, NULL, true);
    wit_solid_def def;
    wit_body* solid = draw_solid(state, size, &def);
    if (solid) {
        wit_placed b = wit_placed_at(solid, draw_pose(state, size));
        ask_pair(q, &a, &b, &def, true);
        ask_sign(q, &b, &def, shifted(b.pose.position, 0.5 * size, draw_vector(state)));
    }
    wit_body_destroy(solid);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    size_t left = MEMORY;
    wit_allocator allocator = {take, give, &left};
    wit_error e = {0};
    wit_model* m = read_input(data, size, &allocator, &e);
    if (!m) return 0;
    unsigned state = 1;
    for (size_t i = 0; i < size; i++) state = state * 31 + data[i];
    wit_query_def d = wit_query_default_def();
    d.budget = BUDGET;
    d.capacity = CAPACITY;
    d.rigorous = state >> 7 & 1;
    wit_query* q = wit_query_create(&d, &allocator, &e);
    for (int i = 0; q && i < wit_model_body_count(m) && i < BODIES; i++) ask_body(q, wit_model_body(m, i), &state);
    wit_query_destroy(q);
    wit_model_destroy(m);
    CLAIM(left == MEMORY);
    return 0;
}
