/* SPDX-License-Identifier: MIT */
/*
 * Bodies with next to nothing to stand on: a drop (one face, one vertex, no edge), a fan (a patch with a border that is one
 * point), spheres with poles, a cone, and, planar, a disc (one closed edge, one vertex). Every law starts on every place that
 * is degenerate: an answer or a flag within the budget, nothing that is not finite; the default law is right.
 */
#include "law_scene.h"

#define DT 0.001
#define TOLERANCE 1e-12

/* ---- the bodies ----------------------------------------------------------------------------- */

static wit_body* body_of(wit_surface* s, wit_body_kind kind)
{
    wit_error e = {0};
    wit_face_def face = {.surface = s};
    wit_body_def d = wit_body_default_def(kind);
    d.face_count = 1;
    d.faces = &face;
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_surface_destroy(s);
    return b;
}

/* A parabola turned about z: smooth at the bottom, pointed at the top. */
static wit_body* drop(void)
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1}, points[9] = {0, 0, -1, 1.5, 0, -1, 0, 0, 2};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 2;
    c.count = 3;
    c.knot_count = 6;
    c.knots = knots;
    c.points = points;
    wit_error e = {0};
    wit_curve* profile = wit_curve_create(&c, NULL, &e);
    if (!profile) fail_msg("%s: %s", e.item, e.text);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    wit_surface* s = wit_surface_create(&d, NULL, &e);
    if (!s) fail_msg("%s: %s", e.item, e.text);
    wit_curve_destroy(profile);
    return body_of(s, WIT_BODY_SOLID);
}

/* A bent patch whose border u = 0 is one point. */
static wit_body* fan(void)
{
    static const double knots[6] = {0, 0, 0, 1, 1, 1};
    static const double points[27] = {0,   0, 0, 0,   0, 0,  0, 0, 0, 1,   -1, 0.2, 1, 0,
                                      0.4, 1, 1, 0.2, 2, -2, 0, 2, 0, 0.3, 2,  2,   0};
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 3;
    d.knot_count_u = d.knot_count_v = 6;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    wit_error e = {0};
    wit_surface* s = wit_surface_create(&d, NULL, &e);
    if (!s) fail_msg("%s: %s", e.item, e.text);
    return body_of(s, WIT_BODY_SHEET2);
}

static wit_body* solid(wit_solid_kind kind)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.radius = 1;
    d.height = 2;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* disc(void)
{
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_CIRCLE);
    c.radius = 1;
    wit_curve* circle = wit_curve_create(&c, NULL, NULL);
    wit_surface_def p = wit_surface_default_def(WIT_SURFACE_PLANE);
    p.range_u.lo = p.range_v.lo = -2;
    p.range_u.hi = p.range_v.hi = 2;
    wit_surface* plane = wit_surface_create(&p, NULL, NULL);
    assert_true(circle && plane);
    wit_vertex_def v = {"start", {1, 0, 0}};
    wit_edge_def edge = {"edge", circle, {0, 0}, 0, 0};
    wit_use_def use = {0, false, NULL, {0, 0}};
    wit_loop_def loop = {1, &use};
    wit_face_def face = {NULL, plane, false, false, 1, &loop};
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.planar = true;
    d.vertex_count = d.edge_count = d.face_count = 1;
    d.vertices = &v;
    d.edges = &edge;
    d.faces = &face;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    wit_curve_destroy(circle);
    wit_surface_destroy(plane);
    return b;
}

typedef struct tiny {
    const char* name;
    wit_body* body;
    bool planar;
    int vertices, edges;
} tiny;

enum { BODIES = 5 };

static void make_all(tiny out[BODIES])
{
    tiny all[BODIES] = {{"drop", drop(), false, 1, 0},
                        {"fan", fan(), false, 3, 3},
                        {"sphere", solid(WIT_SOLID_SPHERE), false, 0, 0},
                        {"cone", solid(WIT_SOLID_CONE), false, 1, 1},
                        {"disc", disc(), true, 1, 1}};
    for (int k = 0; k < BODIES; ++k) {
        wit_body_info i = wit_body_describe(all[k].body);
        if (i.vertex_count != all[k].vertices || i.edge_count != all[k].edges)
            fail_msg("%s: %d edges, %d vertices", all[k].name, i.edge_count, i.vertex_count);
        out[k] = all[k];
    }
}

static void drop_all(tiny all[BODIES])
{
    for (int k = 0; k < BODIES; ++k) wit_body_destroy(all[k].body);
}

/* ---- the runs ------------------------------------------------------------------------------- */

enum { PLACES = 7 };

/* Corners and ends of the face, that is poles and collapsed borders; the edge at its ends; the vertex. False: none. */
static bool place_of(const tiny* b, int k, wit_witness* w)
{
    wit_witness x = {0};
    wit_body_info i = wit_body_describe(b->body);
    *w = x;
    if (k < 4) {
        if (b->planar) return false;
        wit_face_info f = wit_body_face(b->body, 0);
        w->u = k & 1 ? f.u.hi : f.u.lo;
        w->v = k & 2 ? f.v.hi : f.v.lo;
        return true;
    }
    if (k < 6) {
        if (!i.edge_count) return false;
        wit_interval range = wit_body_edge(b->body, 0).range;
        w->feature = WIT_EDGE;
        w->u = k == 4 ? range.lo : range.hi;
        return true;
    }
    w->feature = WIT_VERTEX;
    return i.vertex_count > 0;
}

typedef struct tally {
    long steps, open, local, liars, wrong;
    int64_t most;
} tally;

/* On the axis above the pole, over it, round it, and away; every tenth frame somewhere else altogether. */
static wit_vec3 point_at(const tiny* b, rng* r, int k, int path)
{
    wit_vec3 q = vec3(0, 0, 3);
    if (path == 0) q = vec3(0, 0, 3 - 0.01 * k);
    if (path == 1) q = vec3(0.02 * (k - 30), 0, 2.6);
    if (path == 2) q = vec3(1e-9 * cos(k), 1e-9 * sin(k), 2.5);
    if (path == 3 && k % 10 == 0) {
        double x = rng_range(r, -4, 4), y = rng_range(r, -4, 4);
        q = vec3(x, y, rng_range(r, -4, 4));
    }
    if (b->planar) q = vec3(q.z - 0.5, q.x + 0.1 * q.y, 0);
    return q;
}

static void judge(const tiny* b, wit_query* query, const wit_motion* at, const law_track* def, const wit_result* r,
                  tally* t)
{
    wit_placed body = wit_placed_at(b->body, wit_pose_identity());
    wit_closest cold;
    assert_int_equal(wit_closest_point(query, &body, at->pose.position, &cold), WIT_OK);
    assert_true(isfinite(r->distance) && isfinite(r->residual) && !isnan(r->lower_bound) && finite3(r->normal) &&
                finite3(r->a.point));
    assert_true(r->work.units <= def->track.budget);
    double off = fabs(r->distance - cold.distance);
    bool wrong = off > TOLERANCE * fmax(4, fabs(cold.distance));
    t->steps++;
    t->open += r->outcome != WIT_OUTCOME_CONVERGED;
    t->local += (r->flags & WIT_FLAG_LOCAL) != 0;
    t->wrong += wrong;
    /* a law that is near its foot may be certified, to what that says */
    bool off_by_more = off > def->track.certify * fmax(4, fabs(cold.distance));
    t->liars += off_by_more && (r->flags & WIT_FLAG_CERTIFIED);
    t->liars += off_by_more && r->outcome == WIT_OUTCOME_CONVERGED && !(r->flags & WIT_FLAG_LOCAL);
    if (r->work.units > t->most) t->most = r->work.units;
}

static void run(const tiny* b, wit_law_kind law, bool reacquire, wit_query* query, tally* t)
{
    law_track def = law_track_default(law);
    def.law.gain.value = 100;
    def.track.reacquire = reacquire;
    wit_tracker* tracker = law_tracker(b->body, NULL, &def);
    rng r = rng_seed(41 + (uint64_t)law);
    const wit_motion rest = rest_at(vec3(0, 0, 0));
    for (int place = 0; place < PLACES; ++place)
        for (int path = 0; path < 4; ++path) {
            wit_witness on;
            if (!place_of(b, place, &on)) continue;
            wit_tracker_reset(tracker);
            assert_int_equal(wit_tracker_place(tracker, &on, NULL), WIT_OK);
            for (int k = 0; k < 60; ++k) {
                wit_motion m = rest_at(point_at(b, &r, k, path));
                m.twist_known = false;
                wit_result x;
                assert_int_equal(wit_tracker_step(tracker, &rest, &m, DT, &x), WIT_OK);
                judge(b, query, &m, &def, &x, t);
            }
        }
    wit_tracker_destroy(tracker);
}

static void every_law_starts_on_degenerate_places(void** state)
{
    (void)state;
    tiny all[BODIES];
    make_all(all);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    for (int law = 0; law < WIT_LAW_COUNT; ++law) {
        tally t = {0};
        for (int k = 0; k < BODIES; ++k) run(&all[k], (wit_law_kind)law, law == WIT_LAW_DEADBEAT, query, &t);
        print_message("  %s: %ld steps, wrong %ld, open %ld, local %ld, wrong and silent %ld, most %lld units\n",
                      wit_law_name((wit_law_kind)law), t.steps, t.wrong, t.open, t.local, t.liars, (long long)t.most);
        assert_int_equal(t.liars, 0);
        if (law == WIT_LAW_DEADBEAT || law == WIT_LAW_FINDMIN) assert_int_equal(t.wrong, 0);
    }
    wit_query_destroy(query);
    drop_all(all);
}

/* Two of each, tip against tip, through touch, and one inside the other. */
static void pairs_of_tiny_bodies_are_answered(void** state)
{
    (void)state;
    tiny all[BODIES];
    make_all(all);
    tally t = {0};
    long overlapping = 0, asked = 0;
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    for (int i = 0; i < BODIES; ++i)
        for (int j = 0; j < BODIES; ++j) {
            if (all[i].planar != all[j].planar) continue;
            law_track def = law_track_default(WIT_LAW_DEADBEAT);
            wit_tracker* tracker = law_tracker(all[i].body, all[j].body, &def);
            const wit_motion rest = rest_at(vec3(0, 0, 0));
            for (int k = 0; k < 120; ++k) {
                wit_motion m = rest_at(all[i].planar ? vec3(2.6 - 0.02 * k, 0, 0) : vec3(0, 0, 5 - 0.05 * k));
                if (!all[i].planar) m.pose.rotation = wit_quat_about(vec3(1, 0, 0), k % 2 ? PI : PI - 0.3);
                m.twist_known = false;
                wit_result r;
                assert_int_equal(wit_tracker_step(tracker, &rest, &m, DT, &r), WIT_OK);
                assert_true(isfinite(r.distance) && finite3(r.normal) && r.work.units <= def.track.budget);
                t.steps++;
                t.open += r.outcome != WIT_OUTCOME_CONVERGED;
                overlapping += (r.flags & WIT_FLAG_OVERLAPPING) != 0;
                if (k % 5 == 0 && (r.flags & WIT_FLAG_CERTIFIED)) {
                    wit_placed a = wit_placed_at(all[i].body, rest.pose), b = wit_placed_at(all[j].body, m.pose);
                    wit_closest cold;
                    assert_int_equal(wit_closest_pair(query, &a, &b, &cold), WIT_OK);
                    double scale = fmax(4, fabs(cold.distance));
                    t.wrong += !(r.distance >= cold.lower_bound - TOLERANCE * scale) ||
                               !(r.distance <= cold.distance + def.track.certify * scale);
                    asked++;
                }
                if (r.work.units > t.most) t.most = r.work.units;
            }
            wit_tracker_destroy(tracker);
        }
    print_message(
        "  pairs: %ld steps, open %ld, overlapping %ld, most %lld units; certified and asked %ld, wrong %ld\n", t.steps,
        t.open, overlapping, (long long)t.most, asked, t.wrong);
    assert_true(overlapping > 0 && asked > 0);
    assert_int_equal(t.wrong, 0);
    wit_query_destroy(query);
    drop_all(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_starts_on_degenerate_places),
        cmocka_unit_test(pairs_of_tiny_bodies_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
