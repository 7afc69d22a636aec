/* SPDX-License-Identifier: MIT */
/*
 * One account of work: what a result says was done is what was done. Evaluations, trim tests and enclosures are counted
 * outside of the library (work_count.h) and compared, over all models and scenes, budgets from 1 to 200,000, points and pairs
 * apart, touching and overlapping, masks, minima, contacts, cold and tracked, every law. No query and no step does more than
 * its budget, and every answer has a witness. Parts from CAD: test_work_cad.c.
 */
#include "../include/witness/io.h"
#include "../include/witness/laws.h"
#include "campaign.h"
#include "random.h"
#include "track_scenes.h"
#include "work_asked.h"
#include "work_count.h"

static subject_list subjects;

static int open_all(void** state)
{
    subjects_open_models(&subjects);
    return open_shows(state);
}

static int close_all(void** state)
{
    subjects_close(&subjects);
    return close_shows(state);
}

static void points_say_what_they_did(void** state)
{
    (void)state;
    ask_points(&subjects, 1500, campaign(700));
}

static void pairs_say_what_they_did(void** state)
{
    (void)state;
    ask_pairs(&subjects, 1501, campaign(14000));
}

/* ---- steps ------------------------------------------------------------------------------------ */

typedef struct steps_ledger {
    long steps, wrong, over;
    int64_t most;
} steps_ledger;

static void enter_step(steps_ledger* l, const wit_result* r, const wit_track_def* def, const char* name, int frame)
{
    const char* law = def->law ? wit_law_name(def->law->kind) : "default";
    l->steps++;
    if (r->work.units > l->most) l->most = r->work.units;
    if (!work_is_as_counted(&r->work) && l->wrong++ < 20)
        print_error("%s, %s, budget %lld, frame %d: %lld nodes, %lld jets, %lld tests; counted %lld jets, %lld tests\n",
                    name, law, (long long)def->budget, frame, (long long)r->work.nodes, (long long)r->work.jets,
                    (long long)r->work.tests, (long long)counted_work.jets, (long long)counted_work.tests);
    if (r->work.units > def->budget && l->over++ < 20)
        print_error("%s, %s, frame %d: %lld units with a budget of %lld\n", name, law, frame, (long long)r->work.units,
                    (long long)def->budget);
}

static const int64_t STEP_BUDGETS[] = {64, 80, 130, 300, 648, 1000, 3000, 20000, 100000};
enum { STEP_BUDGETS_COUNT = sizeof STEP_BUDGETS / sizeof STEP_BUDGETS[0] };

static void run_show(const show* s, const wit_track_def* def, steps_ledger* l)
{
    void* memory;
    size_t bytes;
    wit_tracker* t = show_start(s, def, &memory, &bytes);
    long frames = campaign(s->frames);
    for (int k = 0; k < frames; k++) {
        /* all along the scene in strides of a few frames, so that steps are large too */
        int at = (int)((long)k * s->frames / frames);
        wit_result r;
        work_count_start();
        assert_int_equal(show_step(s, t, at, &r), WIT_OK);
        enter_step(l, &r, def, s->name, at);
    }
    free(memory);
}

static void scenes_say_what_they_did(void** state)
{
    (void)state;
    steps_ledger all = {0};
    for (int n = 0; n < show_count; n++)
        for (int b = 0; b < STEP_BUDGETS_COUNT; b++) {
            const show* s = &shows[n];
            wit_track_def def = s->def;
            def.budget = STEP_BUDGETS[b];
            run_show(s, &def, &all);
            for (int law = 0; law < WIT_LAW_COUNT; law++) {
                def = wit_track_default_def();
                def.law = wit_law_preset((wit_law_kind)law);
                def.budget = STEP_BUDGETS[b];
                if (!wit_tracker_size(wit_scene_body(s->scene, 0), wit_scene_body(s->scene, 1), &def)) continue;
                run_show(s, &def, &all);
            }
        }
    print_message("%ld steps of scenes, most %lld units\n", all.steps, (long long)all.most);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(all.over, 0);
}

/* A body on a wandering path through another: apart, touching, overlapping; with a jump now and then. */
static void wander(rng* r, const subject* x, const subject* y, const wit_track_def* def, steps_ledger* l)
{
    wit_error e = {0};
    wit_tracker* t = wit_tracker_create(x->body, y ? y->body : NULL, def, NULL, &e);
    if (!t) return; /* a law that does not take these bodies */
    subject point = {.size = 0};
    const subject* b = y ? y : &point;
    wit_motion ma = wit_motion_at_rest(wit_pose_identity()), mb = wit_motion_at_rest(some_pose(r, x, b));
    for (int k = 0; k < 12; k++) {
        wit_result out;
        if (k == 6) mb.pose = some_pose(r, x, b);
        double step = 0.01 * x->size, dx = rng_range(r, -step, step), dy = rng_range(r, -step, step);
        mb.pose.position = add3(mb.pose.position, vec3(dx, dy, rng_range(r, -step, step)));
        work_count_start();
        if (wit_tracker_step(t, &ma, &mb, 1e-3, &out)) break; /* off the plane of planar bodies */
        enter_step(l, &out, def, x->name, k);
    }
    wit_tracker_destroy(t);
}

static void any_two_bodies_say_what_they_did(void** state)
{
    (void)state;
    steps_ledger all = {0};
    rng r = rng_seed(1502);
    for (int b = 0; b < STEP_BUDGETS_COUNT; b++)
        for (long n = 0; n < campaign(4000); n++) {
            wit_track_def def = wit_track_default_def();
            def.budget = STEP_BUDGETS[b];
            int law = rng_int(&r, 3 * WIT_LAW_COUNT);
            if (law < WIT_LAW_COUNT) def.law = wit_law_preset((wit_law_kind)law);
            def.reacquire = rng_int(&r, 4) > 0;
            const subject* x = &subjects.items[rng_int(&r, subjects.count)];
            const subject* y = rng_int(&r, 3) ? &subjects.items[rng_int(&r, subjects.count)] : NULL;
            wander(&r, x, y, &def, &all);
        }
    print_message("%ld steps of wandering bodies, most %lld units\n", all.steps, (long long)all.most);
    assert_int_equal(all.wrong, 0);
    assert_int_equal(all.over, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_say_what_they_did),
        cmocka_unit_test(pairs_say_what_they_did),
        cmocka_unit_test(scenes_say_what_they_did),
        cmocka_unit_test(any_two_bodies_say_what_they_did),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
