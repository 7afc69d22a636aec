/* SPDX-License-Identifier: MIT */
/*
 * Pieces that know their shape, attacked: random boxes of parameters of every face and edge of all bodies, every stored bound
 * held against jets at many places, and what a point is told against points and places within what is said, products in
 * long double. Jets are off by some roundings of what is added up for them: JET of the sizes in question is allowed.
 */
#include "../src/body/tree/crease.h"
#include "../src/body/tree/shape_look.h"
#include "../src/body/tree/shape_tree.h"
#include "analytic.h"
#include "campaign.h"
#include "cold_bodies.h"

#define JET 1e-13L

typedef struct lvec {
    long double x[3];
} lvec;

static lvec wide(wit_vec3 a)
{
    return (lvec){{a.x, a.y, a.z}};
}

static lvec floats(const float a[3])
{
    return (lvec){{a[0], a[1], a[2]}};
}

static long double dot(lvec a, lvec b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static lvec minus(lvec a, lvec b)
{
    return (lvec){{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}

static long double length(lvec a)
{
    return sqrtl(dot(a, a));
}

static lvec across(lvec a, lvec b)
{
    return (lvec){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

/* A place of the piece. */
typedef struct seen {
    lvec p, d1[2], d2[3], normal;
    bool has_normal;
} seen;

typedef struct piece {
    const cold_body* of;
    wit_feature_kind kind;
    int id;
    wit_interval box[2];
    shape_node node;
    long double speed, bend, reach; /* sizes: of tangents and second derivatives over the piece, of coordinates */
} piece;

static wit_interval random_part_of(rng* r, wit_interval all)
{
    double width = iv_width(all) * pow(2, -rng_range(r, 0, 12)), lo = rng_range(r, all.lo, all.hi - width);
    int where = rng_int(r, 8); /* ends of the range, poles among them, and all of it */
    if (where == 0) return all;
    if (where == 1) lo = all.lo;
    if (where == 2) return iv(larger(all.lo, all.hi - width), all.hi);
    return iv(lo, smaller(all.hi, lo + width));
}

static seen see(const piece* k, double u, double v)
{
    seen s = {0};
    unsigned below = (u >= k->box[0].hi ? WIT_KNOT_U_BELOW : 0U) | (v >= k->box[1].hi ? WIT_KNOT_V_BELOW : 0U);
    if (k->kind == WIT_FACE) {
        const wit_surface* f = body_surface(k->of->body, k->id);
        wit_surface_jet j;
        wit_vec3 n;
        wit_surface_eval(f, u, v, below, NULL, &j);
        s = (seen){wide(j.p), {wide(j.du), wide(j.dv)}, {wide(j.duu), wide(j.duv), wide(j.dvv)}, {{0}}, false};
        s.has_normal = wit_surface_normal(f, u, v, &n);
        s.normal = wide(n);
        return s;
    }
    wit_curve_jet j;
    wit_curve_eval(body_curve(k->of->body, k->id), u, u >= k->box[0].hi ? WIT_KNOT_T_BELOW : 0U, NULL, &j);
    s.p = wide(j.p), s.d1[0] = wide(j.d1), s.d2[0] = wide(j.d2);
    return s;
}

static double place_in(rng* r, wit_interval x)
{
    int where = rng_int(r, 6);
    return where == 0 ? x.lo : where == 1 ? x.hi : rng_range(r, x.lo, x.hi);
}

#define HOLDS(claim, k)                                                                                                \
    do {                                                                                                               \
        if (!(claim))                                                                                                  \
            fail_msg("%s, %s %d, u %.17g %.17g, v %.17g %.17g: %s", (k)->of->name,                                     \
                     (k)->kind == WIT_FACE ? "face" : "edge", (k)->id, (k)->box[0].lo, (k)->box[0].hi, (k)->box[1].lo, \
                     (k)->box[1].hi, #claim);                                                                          \
    } while (0)

/* Both principal curvatures, towards the axis, by the first and the second fundamental form. */
static void curvatures_hold(const piece* k, const seen* s)
{
    const shape_node* n = &k->node;
    if (k->kind != WIT_FACE || !(n->bend_up < INFINITY)) return;
    long double E = dot(s->d1[0], s->d1[0]), F = dot(s->d1[0], s->d1[1]), G = dot(s->d1[1], s->d1[1]),
                det = E * G - F * F;
    long double sense = dot(s->normal, floats(n->axis)) < 0 ? -1 : 1, II[3];
    if (!(det > 1e-8L * E * G)) return; /* beside a pole */
    for (int ij = 0; ij < 3; ij++) II[ij] = sense * dot(s->normal, s->d2[ij]);
    long double mean = (E * II[2] - 2 * F * II[1] + G * II[0]) / (2 * det),
                gauss = (II[0] * II[2] - II[1] * II[1]) / det;
    long double spread = sqrtl(fmaxl(0, mean * mean - gauss)), least = fminl(E, G) * det / (E * G);
    long double room = 1e-6L * (fabsl(mean) + spread) + 100 * JET * k->bend / least;
    HOLDS(mean + spread <= n->bend_up + room && mean - spread >= -n->bend_down - room, k);
}

static void stored_bounds_hold(const piece* k, const seen* s)
{
    const shape_node* n = &k->node;
    long double point = JET * k->reach, tangent = JET * k->speed, second = JET * k->bend;
    lvec off = minus(s->p, wide(shape_point(n)));
    for (int a = 0; a < 3; a++) HOLDS(s->p.x[a] >= n->box_lo[a] - point && s->p.x[a] <= n->box_hi[a] + point, k);
    HOLDS(length(off) <= n->radius + point, k);
    for (int i = 0; i < n->parameters; i++) HOLDS(length(s->d1[i]) <= n->speed[i] + tangent, k);
    for (int ij = 0; ij < (n->parameters == 2 ? 3 : 1); ij++) {
        lvec off2 = minus(s->d2[ij], floats(n->d2[ij])), axis = floats(n->axis);
        HOLDS(fabsl(dot(off2, axis)) <= n->d2_along[ij] * (1 + 1e-7L) + second, k);
        HOLDS(length(across(off2, axis)) <= n->d2_across[ij] * (1 + 1e-7L) + second, k);
        long double form = dot(s->d1[ij == 2], s->d1[ij != 0]) + dot(off, s->d2[ij]);
        if (ij == 1) form = dot(s->d1[0], s->d1[1]) + dot(off, s->d2[1]);
        long double room = 4 * (tangent * k->speed + point * k->bend + length(off) * second);
        HOLDS(form >= n->form_lo[ij] - room && form <= n->form_hi[ij] + room, k);
    }
    if (!(n->tangent < INFINITY) || !s->has_normal) return;
    lvec axis = floats(n->axis);
    long double size = length(axis), one = dot(s->normal, axis), other = length(across(s->normal, axis));
    HOLDS(other <= n->tangent * fabsl(one) + 1e-13L, k);
    curvatures_hold(k, s);
    HOLDS(fabsl(dot(off, axis)) <= n->along * size + point, k);
    HOLDS(length(across(off, axis)) <= n->across * size + point, k);
}

static void stored_middle_holds(const piece* k)
{
    const shape_node* n = &k->node;
    seen m = see(k, iv_mid(k->box[0]), iv_mid(k->box[1]));
    HOLDS(length(minus(m.p, wide(shape_point(n)))) <= n->p_error + JET * k->reach, k);
    for (int i = 0; i < n->parameters; i++)
        HOLDS(length(minus(m.d1[i], floats(n->d1[i]))) <= n->d1_error[i] + JET * k->speed, k);
    for (int i = 0; i < n->parameters; i++) HOLDS(n->h[i] >= 0.5 * iv_width(k->box[i]) * (1 - 1e-15), k);
}

/* What is said of q for as long as it goes less than `life`. */
typedef struct told {
    double distance, slope[3], direction[3][2], cone, definite, mu[2];
} told;

static told ask(const shape_node* n, wit_vec3 q)
{
    told t = {0};
    shape_view v;
    shape_view_of(n, q, &v);
    t.distance = larger(shape_box_bound(n, q), shape_distance_bound(n, &v));
    const double along[3][2] = {
        {1, 0}, {0, 1}, {v.g[0] / (n->speed[0] * n->speed[0]), v.g[1] / (n->speed[1] * n->speed[1])}};
    memcpy(t.direction, along, sizeof along);
    for (int a = 0; a < (n->parameters == 2 && n->speed[0] > 0 && n->speed[1] > 0 ? 3 : 1); a++)
        t.slope[a] = shape_slope_along(n, &v, along[a][0], along[a][1]);
    t.cone = shape_cone_life(n, &v);
    t.definite = smaller(shape_definite_life(n, &v), 10 * v.gap); /* flat pieces: for ever */
    if (t.definite > 0) assert_true(shape_definite(n, &v, t.definite, t.mu));
    return t;
}

static wit_vec3 gone(rng* r, wit_vec3 q, double way)
{
    wit_vec3 d = random_unit(r);
    return addscaled3(q, way * (rng_int(r, 3) ? 0.999 : rng_double(r)), d);
}

static void what_is_told_holds(const piece* k, const told* t, wit_vec3 q, const seen* s, rng* r, int* told_of)
{
    lvec x = minus(s->p, wide(q));
    long double rounding = JET * (k->reach + length(x));
    HOLDS(t->distance <= length(x) + rounding, k);
    for (int a = 0; a < 3; a++) {
        if (!(t->slope[a] > 0)) continue;
        wit_vec3 to = gone(r, q, t->slope[a]);
        long double au = t->direction[a][0], av = t->direction[a][1];
        lvec here = minus(wide(shape_point(&k->node)), wide(q)), there = minus(s->p, wide(to));
        long double g0 = au * dot(here, floats(k->node.d1[0])) + av * dot(here, floats(k->node.d1[1]));
        long double g = au * dot(there, s->d1[0]) + av * dot(there, s->d1[1]);
        HOLDS(g0 > 0 ? g > 0 : g < 0, k);
        told_of[0]++;
    }
    if (t->cone > 0 && s->has_normal) {
        lvec there = minus(s->p, wide(gone(r, q, t->cone))), axis = floats(k->node.axis);
        HOLDS(length(across(there, s->normal)) > 0, k);
        HOLDS(length(across(there, axis)) > k->node.tangent * fabsl(dot(there, axis)), k);
        told_of[1]++;
    }
    if (t->definite > 0) {
        lvec there = minus(s->p, wide(gone(r, q, t->definite)));
        long double H[3], room = 8 * JET * (k->speed * k->speed + length(there) * k->bend);
        for (int ij = 0; ij < 3; ij++) H[ij] = dot(s->d1[ij == 2], s->d1[ij != 0]) + dot(there, s->d2[ij]);
        long double a = H[0] - t->mu[0] + room, c = H[2] - t->mu[1] + room;
        HOLDS(a >= 0 && (k->node.parameters == 1 || (c >= 0 && a * c >= H[1] * H[1] - room * room)), k);
        told_of[2]++;
    }
}

static void sizes_of(piece* k)
{
    const shape_node* n = &k->node;
    for (int a = 0; a < 3; a++) k->reach = fmaxl(k->reach, fmaxl(fabsl(n->box_lo[a]), fabsl(n->box_hi[a])));
    k->speed = fmaxl(n->speed[0], n->speed[1]);
    for (int ij = 0; ij < 3; ij++) k->bend = fmaxl(k->bend, (long double)shape_second(n, ij));
    /* derivatives of rational and of narrow cells are quotients by widths: their roundings are of what is divided */
    if (k->kind == WIT_FACE) {
        const wit_surface* s = body_surface(k->of->body, k->id);
        int nu, nv;
        const double *u = wit_surface_breaks(s, WIT_U, &nu), *v = wit_surface_breaks(s, WIT_V, &nv);
        double least = INFINITY;
        for (int i = 0; i + 1 < nu; i++) least = smaller(least, u[i + 1] - u[i]);
        for (int i = 0; i + 1 < nv; i++) least = smaller(least, v[i + 1] - v[i]);
        if (isfinite(least) && s->kind == WIT_SURFACE_NURBS) {
            k->speed = fmaxl(k->speed, k->reach / least);
            k->bend = fmaxl(k->bend, k->reach / least / least);
        }
    }
}

static void attack_piece(piece* k, rng* r, int* told_of)
{
    if (k->node.boxed) return;
    sizes_of(k);
    stored_middle_holds(k);
    enum { POINTS = 4, PLACES = 24 };
    wit_vec3 q[POINTS];
    told t[POINTS];
    for (int i = 0; i < POINTS; i++) {
        double far = k->of->size * pow(10, rng_range(r, -4, 0.5));
        q[i] = addscaled3(shape_point(&k->node), far, random_unit(r));
        t[i] = ask(&k->node, q[i]);
    }
    for (int i = 0; i < PLACES; i++) {
        double u = place_in(r, k->box[0]);
        seen s = see(k, u, place_in(r, k->box[1]));
        stored_bounds_hold(k, &s);
        for (int j = 0; j < POINTS; j++) what_is_told_holds(k, &t[j], q[j], &s, r, told_of);
    }
}

static void attack(const cold_body* b, wit_feature_kind kind, int id, rng* r, int* told_of)
{
    piece k = {.of = b, .kind = kind, .id = id};
    if (kind == WIT_FACE) {
        const wit_surface* s = body_surface(b->body, id);
        k.box[0] = random_part_of(r, s->u), k.box[1] = random_part_of(r, s->v);
        wi_shape_node_face(s, k.box[0], k.box[1], CREASE, &k.node);
    } else {
        k.box[0] = random_part_of(r, body_edges(b->body)[id].range);
        wi_shape_node_edge(body_curve(b->body, id), k.box[0], CREASE, &k.node);
    }
    attack_piece(&k, r, told_of);
}

static void attack_all(double scale, uint64_t seed, long rounds)
{
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(seed);
    int n = cold_all(scale, seed, bodies), told_of[3] = {0, 0, 0};
    for (long k = 0; k < rounds; k++)
        for (int i = 0; i < n; i++) {
            const wit_body* b = bodies[i].body;
            if (b->unbounded) continue;
            if (b->face_count) attack(&bodies[i], WIT_FACE, rng_int(&r, b->face_count), &r, told_of);
            if (b->edge_count) attack(&bodies[i], WIT_EDGE, rng_int(&r, b->edge_count), &r, told_of);
        }
    for (int i = 0; i < n; i++) cold_drop(&bodies[i]);
    for (int i = 0; i < 3; i++) assert_true(told_of[i] > 20 * rounds); /* they say something, and often */
}

static void every_bound_of_a_piece_holds(void** state)
{
    (void)state;
    attack_all(1, 811, campaign(4000));
}

static void every_bound_holds_at_a_millionth(void** state)
{
    (void)state;
    attack_all(1e-6, 812, campaign(1000));
}

static void every_bound_holds_at_a_million(void** state)
{
    (void)state;
    attack_all(1e6, 813, campaign(1000));
}

/* ---- what is stored with a body ------------------------------------------------------------ */

/* The entries below a leaf lie in it, halves make up the whole, and what is gone is outside the trims. Returns how many there are. */
static int tree_is_whole(const cold_body* b, int32_t at, const tree_node* leaf, rng* r, int* told_of)
{
    const shape_entry* e = &body_shapes(b->body)[at];
    piece k = {.of = b, .kind = (wit_feature_kind)leaf->kind, .id = leaf->feature, .node = e->shape};
    k.box[0] = e->box[0], k.box[1] = e->box[1];
    if (rng_int(r, 16) == 0) attack_piece(&k, r, told_of);
    if (e->child[0] == SHAPE_NONE && e->child[1] == SHAPE_NONE) return 1;
    int count = 1, parts = 0;
    wit_interval all[2];
    for (int i = 0; i < 2; i++) {
        assert_true(e->child[i] == SHAPE_GONE || (e->child[i] > at && e->child[i] < b->body->shape_count));
        if (e->child[i] < 0) continue;
        const shape_entry* half = &body_shapes(b->body)[e->child[i]];
        for (int d = 0; d < 2; d++) all[d] = parts ? iv_union(all[d], half->box[d]) : half->box[d];
        parts++;
        double share = 1;
        for (int d = 0; d < 2; d++)
            if (iv_width(e->box[d]) > 0) share *= iv_width(half->box[d]) / iv_width(e->box[d]);
        assert_float_equal(share, 0.5, 1e-6);
        count += tree_is_whole(b, e->child[i], leaf, r, told_of);
    }
    for (int d = 0; d < 2 && parts == 2; d++) assert_true(all[d].lo == e->box[d].lo && all[d].hi == e->box[d].hi);
    for (int i = 0; i < 8 && parts == 1 && leaf->kind == WIT_FACE; i++) { /* nothing of the face is in the other half */
        double u = place_in(r, e->box[0]), v = place_in(r, e->box[1]);
        bool in_half = u >= all[0].lo && u <= all[0].hi && v >= all[1].lo && v <= all[1].hi;
        assert_true(in_half || !wit_body_face_contains(b->body, leaf->feature, u, v));
    }
    return count;
}

static void all_that_is_stored_holds(void** state)
{
    (void)state;
    static cold_body bodies[COLD_OWN];
    rng r = rng_seed(814);
    int n = cold_all(1, 814, bodies), told_of[3] = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        const wit_body* b = bodies[i].body;
        int count = 0, leaves = 0, rooted = 0;
        for (int32_t k = 0; k < b->node_count; k++) {
            const tree_node* leaf = &body_nodes(b)[k];
            if (leaf->child[0] >= 0) continue;
            int32_t root = body_leaf_shape(b, leaf);
            leaves++;
            rooted += root >= 0;
            if (root < 0) continue;
            const shape_entry* e = &body_shapes(b)[root];
            assert_true(e->box[0].lo == leaf->u.lo && e->box[0].hi == leaf->u.hi && e->tag == leaf->tag);
            count += tree_is_whole(&bodies[i], root, leaf, &r, told_of);
        }
        assert_int_equal(count, b->shape_count);
        print_message("%-14s %5d leaves, %5d with a shape, %5d shapes, %7.1f kB\n", bodies[i].name, leaves, rooted,
                      count, (double)(b->parts - b->shapes) / 1024);
        assert_true(count <= SHAPE_MOST);
        cold_drop(&bodies[i]);
    }
    for (int i = 0; i < 3; i++) assert_true(told_of[i] > 1000);
}

/* A piece is 200 bytes or so: what a tracker keeps is stated by it. */
static void a_piece_is_small(void** state)
{
    (void)state;
    assert_true(sizeof(shape_node) <= 232 && sizeof(shape_entry) <= 288 && sizeof(shape_form) <= 152);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bound_of_a_piece_holds),
        cmocka_unit_test(every_bound_holds_at_a_millionth),
        cmocka_unit_test(every_bound_holds_at_a_million),
        cmocka_unit_test(all_that_is_stored_holds),
        cmocka_unit_test(a_piece_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
