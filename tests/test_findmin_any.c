/* SPDX-License-Identifier: MIT */
/* The top-down search on any two bodies: distances against the queries, memory, budget, refusal. */
#include "campaign.h"
#include "cold_bodies.h"
#include "counted.h"
#include "findmin_checks.h"

/* ---- any two bodies ------------------------------------------------------------------------- */

typedef struct ride {
    wit_vec3 axis[2], from, to;
    double far;
} ride;

static ride random_ride(rng* r, const cold_body* a, const cold_body* b)
{
    ride x;
    x.axis[0] = random_unit(r);
    x.axis[1] = random_unit(r);
    x.from = random_unit(r);
    x.to = random_unit(r);
    x.far = a->size + (b ? b->size : 0);
    return x;
}

static void ride_at(const ride* x, const cold_body* a, double s, wit_pose out[2])
{
    out[0] = out[1] = wit_pose_identity();
    out[0].rotation = wit_quat_about(x->axis[0], 0.7 * s);
    out[1].rotation = wit_quat_about(x->axis[1], 2 * s);
    wit_vec3 way = unit3(addscaled3(x->from, sin(2 * s), x->to));
    out[1].position = addscaled3(a->centre, x->far * (0.75 + 0.2 * cos(3 * s)), way);
}

typedef struct campaign_count {
    int frames, wrong, convex_wrong, convex_frames;
} campaign_count;

/* 150 frames; overlapping ones are not counted. */
static void follow_ride(wit_query* q, const cold_body* a, const cold_body* b, const law_track* def, const ride* x,
                        campaign_count* n, tally* sum)
{
    wit_tracker* t = tracker_of(a->body, b ? b->body : NULL, def);
    bool convex = wit_body_check(a->body).convex && (!b || wit_body_check(b->body).convex);
    for (int k = 0; k < 150; k++) {
        wit_pose pose[2];
        ride_at(x, a, 0.01 * k, pose);
        wit_result r = stepped(t, &pose[0], &pose[1]);
        wit_placed pa = wit_placed_at(a->body, pose[0]);
        wit_closest c;
        if (b) {
            wit_placed pb = wit_placed_at(b->body, pose[1]);
            assert_int_equal(wit_closest_pair(q, &pa, &pb, &c), WIT_OK);
            if (c.distance <= 1e-6 * x->far) continue;
        } else {
            assert_int_equal(wit_closest_point(q, &pa, pose[1].position, &c), WIT_OK);
        }
        count_step(sum, t, &r);
        bool wrong = fabs(r.distance - c.distance) > 1e-11 * x->far || r.outcome != WIT_OUTCOME_CONVERGED;
        n->frames++;
        n->wrong += wrong;
        n->convex_frames += convex;
        n->convex_wrong += convex && wrong;
        assert_true(r.distance > c.distance - 1e-11 * x->far); /* never below the truth */
    }
    wit_tracker_destroy(t);
}

static void any_two_bodies_are_followed(void** state)
{
    (void)state;
    static const char* const names[] = {"box",    "cylinder",   "cone", "ellipsoid", "torus",     "capsule",
                                        "table1", "prism-dome", "pen",  "bowl",      "three-ball"};
    enum { BODIES = sizeof names / sizeof *names };
    cold_body body[BODIES];
    for (int i = 0; i < BODIES; i++) body[i] = cold_model(names[i], 1);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    law_track def = findmin_def();
    campaign_count n = {0};
    tally sum = {0};
    rng r = rng_seed(20);
    long rides = campaign(600);
    for (long k = 0; k < rides; k++) {
        const cold_body *a = &body[k % BODIES], *b = k % 7 == 6 ? NULL : &body[rng_int(&r, BODIES)];
        ride x = random_ride(&r, a, b);
        follow_ride(q, a, b, &def, &x, &n, &sum);
    }
    print_message("  %ld rides: %d frames, %d wrong; of convex bodies %d, %d wrong\n", rides, n.frames, n.wrong,
                  n.convex_frames, n.convex_wrong);
    print_tally("rides", &sum);
    /* Newton finds what is near its starts, no more: a minimum that comes up elsewhere may be seen some frames late. */
    assert_true(n.wrong <= 1 + n.frames / 2000);
    assert_int_equal(n.convex_wrong, 0);
    wit_query_destroy(q);
    for (int i = 0; i < BODIES; i++) cold_drop(&body[i]);
}

static void neighbours_suffice_for_convex_bodies(void** state)
{
    (void)state;
    cold_body box = cold_model("box", 1), cylinder = cold_model("cylinder", 1);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    tally near = {0}, all = {0};
    for (int only = 0; only < 2; only++) {
        rng r = rng_seed(21);
        law_track def = findmin_def();
        def.law.findmin.neighbours_only = only;
        def.law.findmin.bounded_refresh = false;
        campaign_count n = {0};
        for (int k = 0; k < 4; k++) {
            const cold_body *a = k % 2 ? &box : &cylinder, *b = k / 2 ? &box : &cylinder;
            ride x = random_ride(&r, a, b);
            follow_ride(q, a, b, &def, &x, &n, only ? &near : &all);
        }
        assert_int_equal(n.wrong, 0);
    }
    print_tally("all pairs", &all);
    print_tally("neighbours", &near);
    assert_true(near.pairs < 0.95 * all.pairs);
    wit_query_destroy(q);
    cold_drop(&box);
    cold_drop(&cylinder);
}

/* ---- memory and budget ---------------------------------------------------------------------- */

static void steps_do_not_allocate_and_copies_go_on(void** state)
{
    (void)state;
    cold_body pen = cold_model("pen", 1), bowl = cold_model("bowl", 1);
    law_track def = findmin_def();
    wit_track_def both = track_def(&def);
    size_t bytes = wit_tracker_size(pen.body, bowl.body, &both);
    char *memory = malloc(bytes), *copy = malloc(bytes);
    assert_true(memory && copy && bytes > 0);
    wit_tracker* t;
    assert_int_equal(wit_tracker_init(memory, bytes, pen.body, bowl.body, &both, &t, NULL), WIT_OK);
    wit_pose still = wit_pose_identity();
    long before = taken;
    for (int d = 170; d < 200; d++) {
        wit_pose pose = turned_pen(d);
        stepped(t, &pose, &still);
    }
    assert_int_equal(taken, before);
    memcpy(copy, memory, bytes);
    wit_tracker* other = (wit_tracker*)(void*)(copy + ((char*)t - memory));
    for (int d = 200; d < 240; d++) {
        wit_pose pose = turned_pen(d);
        wit_result r = stepped(t, &pose, &still), s = stepped(other, &pose, &still);
        assert_memory_equal(&r.distance, &s.distance, sizeof r.distance);
        assert_memory_equal(&r.a.u, &s.a.u, sizeof r.a.u);
        assert_memory_equal(&r.b.u, &s.b.u, sizeof r.b.u);
        assert_int_equal(r.work.units, s.work.units);
    }
    print_message("  pen and bowl: %zu bytes\n", bytes);
    free(memory);
    free(copy);
    cold_drop(&pen);
    cold_drop(&bowl);
}

static void budget_is_kept(void** state)
{
    (void)state;
    cold_body pen = cold_model("pen", 1), bowl = cold_model("bowl", 1);
    int cut = 0;
    for (int64_t budget = 64; budget <= 4096; budget *= 2) {
        law_track def = findmin_def();
        def.track.budget = budget;
        wit_tracker* t = tracker_of(pen.body, bowl.body, &def);
        wit_pose still = wit_pose_identity();
        for (int d = 170; d < 240; d += 2) {
            wit_pose pose = turned_pen(d);
            wit_result r = stepped(t, &pose, &still);
            if (r.work.units > budget) fail_msg("%lld of %lld units", (long long)r.work.units, (long long)budget);
            assert_true(isfinite(r.distance));
            cut += r.outcome == WIT_OUTCOME_BUDGET;
        }
        wit_tracker_destroy(t);
    }
    print_message("  %d steps ended by the budget\n", cut);
    assert_true(cut > 0);
    cold_drop(&pen);
    cold_drop(&bowl);
}

/* A prism of 40 sides has 42 faces, 120 edges and 80 vertices. */
static void too_many_pairs_are_refused(void** state)
{
    (void)state;
    double polygon[80];
    for (int i = 0; i < 40; i++) {
        polygon[2 * i] = cos(2 * PI * i / 40);
        polygon[2 * i + 1] = sin(2 * PI * i / 40);
    }
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon_count = 40;
    d.polygon = polygon;
    d.height = 1;
    wit_body* prism = wit_solid_create(&d, NULL, NULL);
    assert_non_null(prism);
    law_track def = findmin_def();
    wit_error e = {0};
    assert_null(law_create(prism, prism, &def, &e));
    assert_string_equal(e.item, "law");
    assert_non_null(strstr(e.text, "58564"));
    wit_track_def both = track_def(&def);
    assert_int_equal(wit_tracker_size(prism, prism, &both), 0);
    wit_tracker* t = tracker_of(prism, NULL, &def); /* 242 pairs with a point */
    wit_tracker_destroy(t);
    wit_body_destroy(prism);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_two_bodies_are_followed),
        cmocka_unit_test(neighbours_suffice_for_convex_bodies),
        cmocka_unit_test(steps_do_not_allocate_and_copies_go_on),
        cmocka_unit_test(budget_is_kept),
        cmocka_unit_test(too_many_pairs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
