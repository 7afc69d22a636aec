/* SPDX-License-Identifier: MIT */
/*
 * Contacts of a pair over time: an id lives as long as its contact; births, deaths, merges and hand-overs are told; bodies that are
 * not convex have all of their local minima, as the cold list has them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "conforming_scene.h"

#define DT 0.001
enum { MOST = 64, EVENTS = 4096 };

typedef struct run {
    wit_tracker* t;
    wit_result r;
    wit_contacts_state state;
    wit_tracked_contact c[MOST];
    int count;
    int64_t told; /* events when it was looked at last */
} run;

static run begin(const wit_body* a, const wit_body* b, double within)
{
    run x = {.told = 0};
    wit_track_def d = wit_track_default_def();
    d.contacts = MOST;
    d.contacts_within = within;
    d.contact_events = EVENTS;
    wit_error e = {0};
    x.t = wit_tracker_create(a, b, &d, NULL, &e);
    if (!x.t) fail_msg("%s: %s", e.item, e.text);
    return x;
}

static void frame(run* x, const wit_pose* a, const wit_pose* b)
{
    wit_motion ma = {.pose = *a}, mb = {.pose = *b};
    assert_int_equal(wit_tracker_step(x->t, &ma, &mb, DT, &x->r), WIT_OK);
    x->count = wit_tracker_contacts(x->t, x->c, MOST);
    x->state = wit_tracker_contacts_state(x->t);
    assert_true(x->r.work.units <= wit_track_default_def().budget);
}

static void print_run(const run* x)
{
    print_message("  result %.9g %s, %d contacts%s\n", x->r.distance, wit_outcome_name(x->r.outcome), x->count,
                  x->state.complete ? ", complete" : "");
    for (int k = 0; k < x->count; ++k)
        print_message("    id %lld group %lld %s %d / %s %d  d %.9g at (%.6f %.6f %.6f)\n", (long long)x->c[k].id,
                      (long long)x->c[k].group, wit_feature_kind_name(x->c[k].a.feature), x->c[k].a.id,
                      wit_feature_kind_name(x->c[k].b.feature), x->c[k].b.id, x->c[k].distance, x->c[k].b.point.x,
                      x->c[k].b.point.y, x->c[k].b.point.z);
}

/* Events since the last look, of one kind; -1: of all kinds. */
static int told(run* x, int change)
{
    static wit_contact_event e[EVENTS];
    int64_t all = wit_tracker_contact_events(x->t, e, EVENTS), kept = all < EVENTS ? all : EVENTS;
    int count = 0;
    for (int64_t k = 0; k < kept; ++k)
        if (all - kept + k >= x->told && (change < 0 || (int)e[k].change == change)) ++count;
    return count;
}

static bool has_ids(const run* x, const int64_t* ids, int n)
{
    for (int i = 0; i < n; ++i) {
        bool found = false;
        for (int k = 0; k < x->count; ++k) found = found || x->c[k].id == ids[i];
        if (!found) return false;
    }
    return true;
}

/* The ids of a contact and of what it is called by are one: from its birth on, told at its birth, never again after its death. */
static void events_tell_the_list(const run* x)
{
    static wit_contact_event e[EVENTS];
    int64_t all = wit_tracker_contact_events(x->t, e, EVENTS);
    static bool alive[EVENTS];
    memset(alive, 0, sizeof alive);
    assert_true(all < EVENTS);
    for (int64_t k = 0; k < all; ++k) {
        assert_true(e[k].id > 0 && e[k].id < EVENTS);
        if (e[k].change == WIT_CONTACT_BORN) {
            assert_false(alive[e[k].id]);
            alive[e[k].id] = true;
        } else {
            assert_true(alive[e[k].id]);
            if (e[k].change != WIT_CONTACT_HANDED_OVER) alive[e[k].id] = false;
            if (e[k].change == WIT_CONTACT_MERGED) assert_true(e[k].other > 0 && alive[e[k].other]);
        }
        if (k) assert_true(e[k].time >= e[k - 1].time);
    }
    int living = 0;
    for (int i = 0; i < EVENTS; ++i) living += alive[i];
    assert_int_equal(living, x->count);
    for (int k = 0; k < x->count; ++k) assert_true(alive[x->c[k].id]);
}

/* ---- a box ---------------------------------------------------------------------------------------- */

static void box_slides_tips_and_is_lifted(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *plane = wit_solid_create(&d, NULL, NULL), *wide = box(20, 20, 2), *b = box(2, 1.2, 0.8);
    for (int which = 0; which < 2; ++which) {
        run x = begin(which ? wide : plane, b, 0.05);
        wit_pose own = at(0, 0, which ? -1 : 0);
        wit_pose p = at(0, 0, 0.4);
        int64_t ids[4];
        frame(&x, &own, &p);
        assert_int_equal(x.count, 4);
        for (int k = 0; k < 4; ++k) ids[k] = x.c[k].id;
        /* slides and turns, a little in, a little out, rocking by 1e-6 */
        for (int k = 1; k <= 500; ++k) {
            p = turned(0.004 * k, 0.002 * k, 0.4 + 1e-3 * sin(0.1 * k), vec3(0, 0, 1), 0.003 * k);
            wit_pose rock = turned(0, 0, 0, vec3(sin(0.3 * k), cos(0.2 * k), 0), 1e-6 * sin(0.7 * k));
            wit_pose q = wit_pose_compose(&p, &rock);
            q.position = p.position;
            frame(&x, &own, &q);
            if (x.count != 4 || !has_ids(&x, ids, 4)) print_run(&x);
            assert_int_equal(x.count, 4);
            assert_true(has_ids(&x, ids, 4));
        }
        assert_int_equal(told(&x, WIT_CONTACT_BORN), 4);
        assert_int_equal(told(&x, -1), 4);
        /* tips about one of its lower edges until two corners are farther than 0.05: those die, the others stay */
        wit_vec3 edge = wit_pose_point(&p, vec3(0, -0.6, -0.4)), along = wit_pose_vector(&p, vec3(1, 0, 0));
        wit_pose down = p;
        down.position.z = 0.4, edge.z = 0;
        int last = 4;
        for (int k = 1; k <= 200; ++k) {
            wit_pose tip = turned(0, 0, 0, along, 0.001 * k), q = wit_pose_compose(&tip, &down);
            q.position = add3(edge, wit_pose_vector(&tip, sub3(down.position, edge)));
            frame(&x, &own, &q);
            bool far = 1.2 * sin(0.001 * k) > 0.05;
            if (x.count != (far ? 2 : 4)) print_message("tip %g\n", 0.001 * k), print_run(&x);
            assert_int_equal(x.count, far ? 2 : 4);
            assert_true(x.count <= last);
            last = x.count;
            p = q;
        }
        assert_int_equal(told(&x, WIT_CONTACT_DIED), 2);
        assert_int_equal(told(&x, -1), 6);
        /* lifted: the last ones die */
        for (int k = 1; k <= 100; ++k) {
            p.position.z += 0.001;
            frame(&x, &own, &p);
        }
        assert_int_equal(x.count, 0);
        assert_int_equal(told(&x, WIT_CONTACT_DIED), 4);
        /* and down again: new ones */
        for (int k = 1; k <= 100; ++k) {
            p.position.z -= 0.001;
            frame(&x, &own, &p);
        }
        assert_true(x.count == 2 && x.c[0].id == 5 && x.c[1].id == 6);
        events_tell_the_list(&x);
        wit_tracker_destroy(x.t);
    }
    wit_body_destroy(plane), wit_body_destroy(wide), wit_body_destroy(b);
}

static void box_slides_over_the_edge_of_another(void** state)
{
    (void)state;
    wit_body *low = box(4, 4, 2), *b = box(2, 1.2, 0.8);
    run x = begin(low, b, 0.05);
    wit_pose own = at(0, 0, -1);
    for (int k = 0; k <= 1200; ++k) {
        wit_pose p = turned(0.002 * k, 0, 0.4 + 0.01, vec3(0, 0, 1), 0.3);
        frame(&x, &own, &p);
        assert_true(x.count >= 3 && x.count <= 6);
        for (int i = 0; i < x.count; ++i) assert_true(fabs(x.c[i].distance - 0.01) < 1e-9);
    }
    /* corners that leave are handed over to where the edges cross; what is left over is born or becomes one */
    print_message("  born %d, died %d, merged %d, handed over %d\n", told(&x, WIT_CONTACT_BORN),
                  told(&x, WIT_CONTACT_DIED), told(&x, WIT_CONTACT_MERGED), told(&x, WIT_CONTACT_HANDED_OVER));
    assert_true(told(&x, WIT_CONTACT_HANDED_OVER) > 0);
    assert_true(told(&x, WIT_CONTACT_BORN) <= 8);
    events_tell_the_list(&x);
    /* a copy goes on with the same bits */
    wit_tracker_destroy(x.t);
    wit_body_destroy(low), wit_body_destroy(b);
}

/* ---- bodies that are not convex ------------------------------------------------------------------------ */

/* A bridge: two feet at y = 0, 0.6 wide and 0.8 deep (z of the prism), 1.8 apart from outside to outside. */
static wit_body* bridge(void)
{
    static const double corners[] = {-0.9, 0, -0.3, 0, -0.3, 0.5, 0.3, 0.5, 0.3, 0, 0.9, 0, 0.9, 1, -0.9, 1};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = corners;
    d.polygon_count = 8;
    d.height = 0.8;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_pose upright(double x, double y, double z, double yaw, wit_vec3 axis, double lean)
{
    wit_pose stand = turned(0, 0, 0, vec3(1, 0, 0), 1.5707963267948966), about = turned(0, 0, 0, vec3(0, 0, 1), yaw);
    wit_pose p = wit_pose_compose(&about, &stand), tip = turned(0, 0, 0, axis, lean);
    p = wit_pose_compose(&tip, &p);
    p.position = vec3(x, y, z);
    return p;
}

static void bridge_stands_on_both_feet(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *plane = wit_solid_create(&d, NULL, NULL), *wide = box(20, 20, 2), *b = bridge();
    rng r = rng_seed(7101);
    for (int which = 0; which < 2; ++which) {
        run x = begin(which ? wide : plane, b, 0.05);
        wit_pose own = at(0, 0, which ? -1 : 0);
        long judged = 0, missed = 0;
        int64_t ids[8] = {0};
        for (int k = 0; k < 300; ++k) {
            double height = which ? 0.01 + 0.005 * sin(0.05 * k) : 0.01 * sin(0.05 * k);
            double lean = 4e-3 * sin(0.02 * k);
            wit_pose p = upright(0.01 * k, 0, height, 0.01 * k, vec3(cos(0.3), sin(0.3), 0), lean);
            frame(&x, &own, &p);
            if (x.r.outcome != WIT_OUTCOME_CONVERGED) continue;
            ++judged;
            int found = 0;
            for (int i = 0; i < 8; ++i) {
                static const double at_x[4] = {-0.9, -0.3, 0.3, 0.9};
                wit_vec3 v = wit_pose_point(&p, vec3(at_x[i / 2], 0, i % 2 ? 0.8 : 0));
                for (int m = 0; m < x.count; ++m)
                    if (norm3(sub3(x.c[m].b.point, v)) < 1e-6 && fabs(x.c[m].distance - v.z) < 1e-9) {
                        ++found;
                        if (ids[i]) assert_int_equal(ids[i], x.c[m].id);
                        ids[i] = x.c[m].id;
                    }
            }
            if (found != 8) ++missed;
            if (found != 8 && missed < 3) print_message("frame %d height %g lean %g\n", k, height, lean), print_run(&x);
        }
        print_message("  %s: %ld frames judged, %ld without all eight, %d events\n", which ? "box" : "half-space",
                      judged, missed, told(&x, -1));
        assert_int_equal(missed, 0);
        assert_true(judged > 250);
        events_tell_the_list(&x);
        wit_tracker_destroy(x.t);
    }
    (void)r;
    wit_body_destroy(plane), wit_body_destroy(wide), wit_body_destroy(b);
}

/* ---- the cold list -------------------------------------------------------------------------------------- */

typedef struct cold_tally {
    long frames, judged, missing, extra, complete, wrong, lost;
} cold_tally;

static double pair_off(const wit_tracked_contact* c, const wit_minimum* m)
{
    return fmax(norm3(sub3(c->a.point, m->a.point)), norm3(sub3(c->b.point, m->b.point)));
}

/* Every minimum of the cold list is a contact, and the other way round, but for those at the cut-off. */
static void judge_cold(run* x, wit_query* q, const wit_placed* a, const wit_placed* b, double within, cold_tally* sum)
{
    wit_minimum m[MOST];
    wit_minima_summary s;
    assert_int_equal(wit_minima_pair(q, a, b, m, MOST, &s), WIT_OK);
    if (!s.complete || s.overlapping || s.count > MOST) return;
    ++sum->judged;
    bool missing = false;
    for (int i = 0; i < s.count; ++i) {
        bool found = m[i].distance > within * (1 - 1e-6);
        for (int k = 0; k < x->count && !found; ++k) found = pair_off(&x->c[k], &m[i]) <= 1e-5;
        if (!found) {
            ++sum->missing;
            missing = true;
        }
    }
    for (int k = 0; k < x->count; ++k) {
        bool found = (x->c[k].flags & (WIT_CONTACT_HOLDING | WIT_CONTACT_MOVED)) != 0;
        for (int i = 0; i < s.count && !found; ++i) found = pair_off(&x->c[k], &m[i]) <= 1e-5;
        if (!found) ++sum->extra;
    }
    if (missing && x->state.complete) ++sum->wrong;
}

static void gears_have_the_contacts_of_the_cold_list(void** state)
{
    (void)state;
    wit_error e = {0};
    wit_model *ma = wit_model_read_file("models/gear-a.json", NULL, &e),
              *mb = wit_model_read_file("models/gear-b.json", NULL, &e);
    if (!ma || !mb) fail_msg("%s", e.text);
    const wit_body *a = wit_model_body(ma, 0), *b = wit_model_body(mb, 0);
    const double within = 0.6;
    run x = begin(a, b, within);
    wit_query_def d = wit_query_default_def();
    d.within = within;
    wit_query* q = wit_query_create(&d, NULL, NULL);
    cold_tally sum = {0};
    wit_pose own = at(0, 0, 0);
    long frames = campaign(20000), every = frames / 200 + 1;
    for (long k = 0; k < frames; ++k) {
        double t = 0.001 * (double)k;
        wit_pose p = turned(7.6 * cos(0.5 * t), 7.6 * sin(0.5 * t), 0, vec3(0, 0, 1), -0.25 * t);
        frame(&x, &own, &p);
        ++sum.frames;
        sum.complete += x.state.complete;
        wit_placed pa = wit_placed_at(a, own), pb = wit_placed_at(b, p);
        if (k % every == 0) judge_cold(&x, q, &pa, &pb, within, &sum);
    }
    print_message("  %ld frames, %ld judged, %ld minima missing, %ld too many, complete in %ld, wrongly in %ld; born "
                  "%d, died %d, "
                  "merged %d, handed over %d\n",
                  sum.frames, sum.judged, sum.missing, sum.extra, sum.complete, sum.wrong, told(&x, WIT_CONTACT_BORN),
                  told(&x, WIT_CONTACT_DIED), told(&x, WIT_CONTACT_MERGED), told(&x, WIT_CONTACT_HANDED_OVER));
    assert_int_equal(sum.wrong, 0);
    assert_int_equal(sum.extra, 0);
    assert_true(sum.judged > 10);
    assert_true(100 * sum.missing <= sum.judged);
    events_tell_the_list(&x);
    wit_query_destroy(q);
    wit_tracker_destroy(x.t);
    wit_model_destroy(ma), wit_model_destroy(mb);
}

static wit_body* prism(const double* corners, int count, double height)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = corners, d.polygon_count = count, d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

/* Is the point in the solid, or within `slack` of it? */
static bool holds(wit_query* q, const wit_body* b, const wit_pose* pose, wit_vec3 p, double slack)
{
    wit_placed at_pose = wit_placed_at(b, *pose);
    wit_closest c;
    assert_int_equal(wit_closest_point(q, &at_pose, p, &c), WIT_OK);
    return c.distance <= slack;
}

/* Inside: a contact that no corner stands for is a way out, and its middle is in both. */
static long false_contacts(const run* x, wit_query* q, const wit_body* a, const wit_pose* pa, const wit_body* b,
                           const wit_pose* pb)
{
    long count = 0;
    for (int k = 0; k < x->count; ++k) {
        const wit_tracked_contact* c = &x->c[k];
        if (c->distance >= 0 || (c->flags & (WIT_CONTACT_HOLDING | WIT_CONTACT_MOVED))) continue;
        wit_vec3 p = scale3(0.5, add3(c->a.point, c->b.point));
        bool edges =
            c->a.feature != WIT_FACE && c->b.feature != WIT_FACE; /* the way may leave a wedge before its edge */
        if (!edges && (!holds(q, a, pa, p, 1e-9) || !holds(q, b, pb, p, 1e-9))) ++count;
    }
    return count;
}

static void random_ways_of_bodies_with_notches(void** state)
{
    (void)state;
    static const double ell[] = {0, 0, 1.4, 0, 1.4, 0.5, 0.5, 0.5, 0.5, 1.2, 0, 1.2};
    static const double comb[] = {0,   0, 2,   0, 2,   1,   1.7, 1,   1.7, 0.4, 1.3, 0.4,
                                  1.3, 1, 0.9, 1, 0.9, 0.4, 0.5, 0.4, 0.5, 1,   0,   1};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = 0.8, d.radius2 = 0.25;
    wit_body* bodies[5] = {prism(ell, 6, 0.6), prism(comb, 12, 0.5), bridge(), box(1, 0.8, 0.6),
                           wit_solid_create(&d, NULL, NULL)};
    rng r = rng_seed(7102);
    const double within = 0.3;
    wit_query_def def = wit_query_default_def();
    def.within = within;
    wit_query *q = wit_query_create(&def, NULL, NULL), *inside = wit_query_create(NULL, NULL, NULL);
    cold_tally sum = {0};
    long not_real = 0, deep = 0;
    for (long n = 0; n < campaign(400); ++n) {
        const wit_body *a = bodies[rng_int(&r, 5)], *b = bodies[rng_int(&r, 5)];
        run x = begin(a, b, within);
        wit_pose own = {random_vector(&r, 0, 2), wit_quat_about(random_unit(&r), rng_range(&r, 0, 6.28))};
        wit_vec3 axis = random_unit(&r), from = add3(own.position, random_vector(&r, 0.5, 2.2)),
                 by = random_vector(&r, 0.2, 1.5);
        double angle = rng_range(&r, 0, 6.28), turn = rng_range(&r, -1, 1);
        for (int k = 0; k < 60; ++k) {
            double t = k / 60.0;
            wit_pose p = {addscaled3(from, t, by), wit_quat_about(axis, angle + turn * t)};
            frame(&x, &own, &p);
            ++sum.frames;
            if (x.r.outcome != WIT_OUTCOME_CONVERGED) {
                ++sum.lost;
                continue;
            }
            sum.complete += x.state.complete;
            wit_placed pa = wit_placed_at(a, own), pb = wit_placed_at(b, p);
            if (k % 10 == 0) judge_cold(&x, q, &pa, &pb, within, &sum);
            if (k % 10 == 5) deep += x.r.distance < 0, not_real += false_contacts(&x, inside, a, &own, b, &p);
        }
        events_tell_the_list(&x);
        wit_tracker_destroy(x.t);
    }
    print_message("  %ld frames, %ld open, %ld judged, %ld minima missing, %ld too many, complete in %ld, wrongly in "
                  "%ld; %ld inside, "
                  "%ld contacts that are none\n",
                  sum.frames, sum.lost, sum.judged, sum.missing, sum.extra, sum.complete, sum.wrong, deep, not_real);
    assert_int_equal(sum.wrong, 0);
    assert_int_equal(sum.extra, 0);
    assert_int_equal(not_real, 0);
    wit_query_destroy(q), wit_query_destroy(inside);
    for (int i = 0; i < 5; ++i) wit_body_destroy(bodies[i]);
}

/* ---- what bad settings get --------------------------------------------------------------------------------- */

static void settings_out_of_range_are_refused(void** state)
{
    (void)state;
    wit_body* b = box(1, 1, 1);
    wit_error e = {0};
    wit_track_def d = wit_track_default_def();
    d.contacts = -1;
    assert_null(wit_tracker_create(b, b, &d, NULL, &e));
    assert_string_equal(e.item, "contacts");
    d.contacts = 8, d.contacts_within = NAN;
    assert_null(wit_tracker_create(b, b, &d, NULL, &e));
    assert_string_equal(e.item, "contacts_within");
    d.contacts_within = 0, d.contacts_lean = 1;
    assert_null(wit_tracker_create(b, b, &d, NULL, &e));
    assert_string_equal(e.item, "contacts_lean");
    d.contacts_lean = 0.1, d.contact_events = -1;
    assert_null(wit_tracker_create(b, b, &d, NULL, &e));
    assert_string_equal(e.item, "contact_events");
    d.contact_events = 0;
    assert_null(wit_tracker_create(b, NULL, &d, NULL, &e));
    assert_string_equal(e.item, "contacts");
    d.form = WIT_FORM_PAPERS;
    assert_null(wit_tracker_create(b, b, &d, NULL, &e));
    assert_string_equal(e.item, "contacts");
    assert_int_equal(wit_tracker_contacts(NULL, NULL, 0), 0);
    assert_int_equal(wit_tracker_contact_events(NULL, NULL, 0), 0);
    assert_int_equal(wit_tracker_contacts_state(NULL).count, 0);
    wit_body_destroy(b);
}

static void no_step_does_more_than_its_budget(void** state)
{
    (void)state;
    static const int64_t budgets[] = {64, 100, 200, 500, 1500, 4000, 20000};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_CYLINDER);
    d.radius = 0.7, d.height = 1;
    wit_solid_def h = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    wit_body *b = bridge(),
             *others[4] = {box(4, 4, 2), wit_solid_create(&d, NULL, NULL), wit_solid_create(&h, NULL, NULL), bridge()};
    for (int n = 0; n < 28; ++n) {
        wit_track_def def = wit_track_default_def();
        def.contacts = MOST, def.contacts_within = 0.3, def.budget = budgets[n % 7];
        wit_tracker* t = wit_tracker_create(others[n / 7], b, &def, NULL, NULL);
        assert_non_null(t);
        for (int k = 0; k < 60; ++k) {
            wit_motion ma = {.pose = at(0, 0, n / 7 == 2 ? 0 : -1)};
            wit_motion mb = {.pose =
                                 upright(0.02 * k - 0.6, 0.2, 0.15 - 0.004 * k, 0.02 * k, vec3(1, 0, 0), 0.002 * k)};
            wit_result r;
            assert_int_equal(wit_tracker_step(t, &ma, &mb, DT, &r), WIT_OK);
            if (r.work.units > def.budget)
                print_message("body %d budget %lld: %lld units\n", n / 7, (long long)def.budget,
                              (long long)r.work.units);
            assert_true(r.work.units <= def.budget);
        }
        wit_tracker_destroy(t);
    }
    for (int i = 0; i < 4; ++i) wit_body_destroy(others[i]);
    wit_body_destroy(b);
}

/* A tracker that keeps no contacts answers with the same bits as one that does; a copy of one that does goes on likewise. */
static void contacts_change_no_bit_of_the_result(void** state)
{
    (void)state;
    wit_body *low = box(4, 4, 2), *b = bridge();
    wit_track_def d = wit_track_default_def();
    wit_tracker* plain = wit_tracker_create(low, b, &d, NULL, NULL);
    run x = begin(low, b, 0.3), y = begin(low, b, 0.3);
    wit_pose own = at(0, 0, -1);
    for (int k = 0; k < 200; ++k) {
        wit_pose p = upright(0.01 * k - 1, 0.2, 0.1 - 0.001 * k, 0.01 * k, vec3(1, 0, 0), 0.01);
        wit_motion ma = {.pose = own}, mb = {.pose = p};
        wit_result r;
        frame(&x, &own, &p);
        assert_int_equal(wit_tracker_step(plain, &ma, &mb, DT, &r), WIT_OK);
        /* a usual step takes another way to the same distance */
        if (r.outcome == x.r.outcome) assert_true(fabs(r.distance - x.r.distance) <= 1e-9);
        frame(&y, &own, &p);
        assert_memory_equal(x.c, y.c, (size_t)x.count * sizeof x.c[0]);
        assert_memory_equal(&x.r.distance, &y.r.distance, sizeof x.r.distance);
        if (k == 100) {
            wit_track_def with = wit_track_default_def();
            with.contacts = MOST, with.contacts_within = 0.3, with.contact_events = EVENTS;
            memcpy(y.t, x.t, wit_tracker_size(low, b, &with));
        }
    }
    events_tell_the_list(&x);
    wit_tracker_destroy(plain), wit_tracker_destroy(x.t), wit_tracker_destroy(y.t);
    wit_body_destroy(low), wit_body_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_slides_tips_and_is_lifted),
        cmocka_unit_test(box_slides_over_the_edge_of_another),
        cmocka_unit_test(bridge_stands_on_both_feet),
        cmocka_unit_test(gears_have_the_contacts_of_the_cold_list),
        cmocka_unit_test(random_ways_of_bodies_with_notches),
        cmocka_unit_test(settings_out_of_range_are_refused),
        cmocka_unit_test(no_step_does_more_than_its_budget),
        cmocka_unit_test(contacts_change_no_bit_of_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
