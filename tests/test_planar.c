/* SPDX-License-Identifier: MIT */
/* Planar bodies: curves and vertices in a plane, no faces. */
#include "analytic.h"
#include "three_ball.h"

#define POINTS 20000

static wit_body* made(bool given, double scale)
{
    wit_error e = {0};
    wit_body* b = three_arc_create(given, scale, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

/* ---- nearest feature, from the body's curves and vertices alone ------------------------------ */

typedef struct nearest {
    wit_feature_kind kind;
    int id;
    double distance;
    bool inside;
} nearest;

/* The foot of q on an arc if there is one between its ends: a minimum found by bisection on (C - q) . C'. */
static bool foot(const wit_edge_info* e, wit_vec3 q, wit_curve_jet* at)
{
    enum { STEPS = 16 };
    double h = iv_width(e->range) / STEPS, best = INFINITY;
    wit_curve_jet a, b;
    wit_curve_eval(e->curve, e->range.lo, 0, NULL, at);
    for (int i = 0; i < STEPS; ++i) {
        double lo = e->range.lo + h * i, hi = lo + h;
        wit_curve_eval(e->curve, lo, 0, NULL, &a);
        wit_curve_eval(e->curve, hi, 0, NULL, &b);
        if (!(dot3(sub3(a.p, q), a.d1) <= 0 && dot3(sub3(b.p, q), b.d1) > 0)) continue;
        for (int n = 0; n < 60; ++n) {
            double mid = 0.5 * (lo + hi);
            wit_curve_eval(e->curve, mid, 0, NULL, &a);
            if (dot3(sub3(a.p, q), a.d1) <= 0)
                lo = mid;
            else
                hi = mid;
        }
        wit_curve_eval(e->curve, lo, 0, NULL, &a);
        if (norm3(sub3(a.p, q)) >= best) continue;
        best = norm3(sub3(a.p, q));
        *at = a;
    }
    return best < INFINITY;
}

/* The region is to the left of its loop: of the edge, or to its right where the loop runs backwards. */
static bool outside_of(const wit_body* b, int edge, const wit_curve_jet* at, wit_vec3 q)
{
    wit_use_info use;
    assert_true(wit_body_edge_use(b, edge, 0, &use) >= 0);
    wit_vec3 left = cross3(vec3(0, 0, 1), at->d1);
    return dot3(sub3(q, at->p), left) * (use.reversed ? -1 : 1) < 0;
}

static nearest nearest_feature(const wit_body* b, wit_vec3 q)
{
    wit_body_info info = wit_body_describe(b);
    nearest r = {WIT_VERTEX, -1, INFINITY, false};
    for (int i = 0; i < info.vertex_count; ++i) {
        double d = norm3(sub3(q, wit_body_vertex(b, i).point));
        if (d < r.distance) r = (nearest){WIT_VERTEX, i, d, false};
    }
    for (int i = 0; i < info.edge_count; ++i) {
        wit_edge_info e = wit_body_edge(b, i);
        wit_curve_jet at;
        if (!foot(&e, q, &at)) continue;
        double d = norm3(sub3(q, at.p));
        /* Next to a vertex a foot wins by the square of its way from there: below rounding it still is the answer. */
        if (d < r.distance * (r.kind == WIT_VERTEX ? 1 + 1e-12 : 1))
            r = (nearest){WIT_EDGE, i, d, !outside_of(b, i, &at, q)};
    }
    return r;
}

/* ---- claims -------------------------------------------------------------------------------- */

static void three_arcs_have_the_reference_vertices(void** state)
{
    (void)state;
    /* Vertex m is where circles m + 1 and m + 2 meet. */
    static const double reference[3][2] = {{2.1692724038775083e-16, 1.391874045639386},
                                           {-1.20539828239193, -0.6959370228196928},
                                           {1.20539828239193, -0.6959370228196932}};
    static const double scales[3] = {1e-6, 1, 1e6};
    for (int given = 0; given < 2; ++given)
        for (int s = 0; s < 3; ++s) {
            wit_body* b = made(given, scales[s]);
            wit_body_info info = wit_body_describe(b);
            assert_true(info.planar);
            assert_int_equal(info.face_count, 0);
            assert_int_equal(info.edge_count, 3);
            assert_int_equal(info.vertex_count, 3);
            for (int k = 0; k < 3; ++k) {
                wit_vec3 want = vec3(scales[s] * reference[k][0], scales[s] * reference[k][1], 0);
                near3(wit_body_vertex(b, k).point, want, 8 * EPS * scales[s], "vertex");
                assert_int_equal(wit_body_vertex(b, k).edge_count, 2);
                wit_edge_info e = wit_body_edge(b, k);
                assert_int_equal(e.use_count, 1);
                assert_int_equal(e.start, (k + 1) % 3);
                assert_int_equal(e.end, (k + 2) % 3);
                /* A given curve is the arc itself; one made on a plane is the same circle again. */
                assert_true(e.tolerance <= 1e-14 * info.size);
            }
            wit_body_destroy(b);
        }
}

static void middle_is_as_deep_as_the_closed_form(void** state)
{
    (void)state;
    wit_body* b = made(true, 1);
    nearest r = nearest_feature(b, vec3(0, 0, 0));
    near1(r.distance, THREE_BALL_RADIUS - THREE_ARC_OFFSET, 16 * EPS, "depth");
    assert_true(r.inside);
    wit_body_destroy(b);
}

/*
 * Outside: the nearest feature is an arc whose foot is between its ends, or a vertex behind both tangents; exactly one. The
 * exact answer: the projection on disc k is nearest if it lies in the other two.
 */
static void exterior_points_have_one_feature(void** state)
{
    (void)state;
    wit_body* b = made(false, 1);
    rng r = rng_seed(7);
    int seen[3] = {0, 0, 0};
    for (int n = 0; n < POINTS;) {
        wit_vec3 q = vec3(0, 0, 0);
        q.x = rng_range(&r, -4, 4);
        q.y = rng_range(&r, -4, 4);
        int want = -1, hits = 0, got = -1;
        bool inside = true;
        for (int k = 0; k < 3; ++k) {
            wit_vec3 c = three_arc_centre(k, 1);
            inside = inside && norm3(sub3(q, c)) <= THREE_BALL_RADIUS;
            wit_vec3 p = addscaled3(c, THREE_BALL_RADIUS, unit3(sub3(q, c)));
            bool held = norm3(sub3(q, c)) > THREE_BALL_RADIUS;
            for (int m = 1; m < 3; ++m)
                held = held && norm3(sub3(p, three_arc_centre((k + m) % 3, 1))) <= THREE_BALL_RADIUS;
            if (held) want = k;
        }
        if (inside) continue;
        ++n;
        wit_feature_kind kind = want >= 0 ? WIT_EDGE : WIT_VERTEX;
        for (int k = 0; k < 3; ++k) {
            wit_edge_info e = wit_body_edge(b, k);
            wit_curve_jet at;
            if (foot(&e, q, &at) && outside_of(b, k, &at, q)) {
                ++hits;
                got = k;
                assert_int_equal(kind, WIT_EDGE);
            }
            wit_vertex_info v = wit_body_vertex(b, k);
            bool behind = true;
            for (int i = 0; i < v.edge_count; ++i) {
                int id = wit_body_vertex_edge(b, k, i);
                wit_edge_info w = wit_body_edge(b, id);
                wit_curve_eval(w.curve, w.start == k ? w.range.lo : w.range.hi, 0, NULL, &at);
                behind = behind && dot3(sub3(q, v.point), at.d1) * (w.start == k ? 1 : -1) <= 0;
            }
            if (!behind) continue;
            ++hits;
            got = k;
            assert_int_equal(kind, WIT_VERTEX);
            /* The vertex is the one whose direction is nearest. */
            want = k;
            for (int m = 0; m < 3; ++m)
                if (dot3(q, wit_body_vertex(b, m).point) > dot3(q, wit_body_vertex(b, want).point)) want = m;
        }
        assert_int_equal(hits, 1);
        assert_int_equal(got, want);
        ++seen[kind];
    }
    print_message("%d arcs, %d vertices\n", seen[WIT_EDGE], seen[WIT_VERTEX]);
    assert_true(seen[WIT_EDGE] > 1000 && seen[WIT_VERTEX] > 1000);
    wit_body_destroy(b);
}

/* P(t) = (0.05 + 0.0165 t)(cos 0.0785 t, sin 0.0785 t): when the nearest feature, or the side of it, changes. */
static void spiral_changes_features_at_the_reference_times(void** state)
{
    (void)state;
    static const double times[12] = {20.01014429038085, 46.69033667755531,  73.37052906472978,  75.62363121380919,
                                     99.12488313854959, 101.05683970320052, 124.94090608940996, 128.61534125441628,
                                     151.0505127757392, 155.8557771508206,  177.32672592449524, 182.92695397575196};
    /* After each: A arc, V vertex (named as the third circle, which does not pass through it). */
    static const char after[12][3] = {"A2", "A0", "A1", "A1", "V0", "A2", "V1", "A0", "V2", "A1", "V0", "A2"};
    wit_body* b = made(true, 1);
    int event = 0;
    nearest last = {WIT_EDGE, 1, 0, true};
    for (int n = 0; n <= 20000; ++n) {
        double t = n * 0.01, lo = t - 0.01, hi = t;
        wit_vec3 q = scale3(0.05 + 0.0165 * t, vec3(cos(0.0785 * t), sin(0.0785 * t), 0));
        nearest now = nearest_feature(b, q);
        if (now.kind == last.kind && now.id == last.id && now.inside == last.inside) continue;
        for (int i = 0; i < 40; ++i) {
            double mid = 0.5 * (lo + hi);
            nearest m = nearest_feature(b, scale3(0.05 + 0.0165 * mid, vec3(cos(0.0785 * mid), sin(0.0785 * mid), 0)));
            if (m.kind == last.kind && m.id == last.id && m.inside == last.inside)
                lo = mid;
            else
                hi = mid;
        }
        assert_true(event < 12);
        near1(hi, times[event], 1e-9, "time");
        assert_int_equal(now.kind, after[event][0] == 'A' ? WIT_EDGE : WIT_VERTEX);
        assert_int_equal(now.id, after[event][1] - '0');
        ++event;
        last = now;
    }
    assert_int_equal(event, 12);
    wit_body_destroy(b);
}

/* A washer: two rings, the inner one backwards. */
static void hole_in_a_planar_body_is_a_ring(void** state)
{
    (void)state;
    wit_curve* circles[2];
    wit_edge_def edges[2] = {{0}};
    wit_use_def uses[2] = {{0}};
    wit_loop_def loops[2];
    for (int k = 0; k < 2; ++k) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
        c.radius = 2 - k;
        circles[k] = curve_made(&c);
        edges[k] = (wit_edge_def){NULL, circles[k], {0, 0}, -1, -1};
        uses[k] = (wit_use_def){k, k == 1, NULL, {0, 0}};
        loops[k] = (wit_loop_def){1, &uses[k]};
    }
    wit_surface_def p = wit_surface_default_def(WIT_SURFACE_PLANE);
    p.range_u = p.range_v = iv(-3, 3);
    wit_surface* plane = surface_made(&p);
    wit_face_def face = {NULL, plane, false, false, 2, loops};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.planar = true;
    d.edge_count = 2;
    d.face_count = 1;
    d.edges = edges;
    d.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    assert_int_equal(wit_body_describe(b).edge_count, 2);
    assert_int_equal(wit_body_describe(b).vertex_count, 0);
    for (int k = 0; k < 2; ++k) assert_true(wit_body_edge(b, k).ring);
    assert_true(nearest_feature(b, vec3(0.3, 1.5, 0)).inside);
    assert_false(nearest_feature(b, vec3(0.3, 0.5, 0)).inside);
    assert_false(nearest_feature(b, vec3(0.3, 2.5, 0)).inside);
    wit_body_destroy(b);
    /* What is no planar body. */
    d.face_count = 0;
    assert_null(wit_body_create(&d, NULL, &e));
    d.face_count = 1;
    face.loop_count = 0;
    assert_null(wit_body_create(&d, NULL, &e));
    assert_string_equal(e.item, "planar");
    wit_surface_destroy(plane);
    for (int k = 0; k < 2; ++k) wit_curve_destroy(circles[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_arcs_have_the_reference_vertices),
        cmocka_unit_test(middle_is_as_deep_as_the_closed_form),
        cmocka_unit_test(exterior_points_have_one_feature),
        cmocka_unit_test(spiral_changes_features_at_the_reference_times),
        cmocka_unit_test(hole_in_a_planar_body_is_a_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
