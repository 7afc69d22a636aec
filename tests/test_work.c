/* SPDX-License-Identifier: MIT */
/*
 * One account of work: what a result says was done is what was done. Evaluations, trim tests and enclosures are counted
 * outside of the library (work_count.h) and compared, over all models and scenes, budgets from 1 to 200,000, points and pairs
 * apart, touching and overlapping, minima, contacts, cold and tracked, every law. No step does more than its budget.
 */
#include "../include/witness/io.h"
#include "../include/witness/laws.h"
#include "campaign.h"
#include "random.h"
#include "track_scenes.h"
#include "work_count.h"

#include <dirent.h>
#include <string.h>

enum { MOST_BODIES = 64 };

typedef struct subject {
    char name[96];
    wit_model* model;
    const wit_body* body;
    wit_vec3 centre;
    double size;
} subject;

static subject subjects[MOST_BODIES];
static int subject_count;

static int by_name(const void* a, const void* b)
{
    return strcmp(((const subject*)a)->name, ((const subject*)b)->name);
}

static int open_all(void** state)
{
    DIR* d = opendir("models");
    if (!d) fail_msg("models cannot be opened (tests run from the root of the tree)");
    for (struct dirent* e; (e = readdir(d));) {
        char path[300];
        size_t n = strlen(e->d_name);
        wit_error error = {0};
        if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
        snprintf(path, sizeof path, "models/%s", e->d_name);
        wit_model* m = wit_model_read_file(path, NULL, &error);
        if (!m) fail_msg("%s: %s", path, error.text);
        for (int k = 0; k < wit_model_body_count(m); k++) {
            assert_true(subject_count < MOST_BODIES);
            subject* s = &subjects[subject_count++];
            snprintf(s->name, sizeof s->name, "%.60s %d", e->d_name, k);
            s->model = k ? NULL : m;
            s->body = wit_model_body(m, k);
            wit_body_info info = wit_body_describe(s->body);
            bool bounded = isfinite(info.size) && info.size > 0 && info.size < 1e6;
            s->size = bounded ? info.size : 10;
            if (bounded) s->centre = scale3(0.5, add3(info.box.lo, info.box.hi));
        }
    }
    closedir(d);
    qsort(subjects, (size_t)subject_count, sizeof subjects[0], by_name);
    return open_shows(state);
}

static int close_all(void** state)
{
    for (int k = 0; k < subject_count; k++) wit_model_destroy(subjects[k].model);
    return close_shows(state);
}

static const int64_t BUDGETS[] = {1, 2, 5, 30, 200, 3000, 200000};
enum { BUDGETS_COUNT = sizeof BUDGETS / sizeof BUDGETS[0] };

typedef struct ledger {
    long asked, wrong;
    int64_t most, jets;
} ledger;

static void enter_work(ledger* l, const wit_work* w, const char* what, const subject* a, const subject* b,
                       int64_t budget)
{
    l->asked++;
    l->jets += w->jets;
    if (w->units > l->most) l->most = w->units;
    if (work_is_as_counted(w)) return;
    if (l->wrong++ < 20)
        print_error("%s, %s, %s, budget %lld: %lld nodes, %lld jets, %lld tests; counted %lld jets, %lld tests\n", what,
                    a->name, b ? b->name : "a point", (long long)budget, (long long)w->nodes, (long long)w->jets,
                    (long long)w->tests, (long long)counted_work.jets, (long long)counted_work.tests);
}

static void tell(const char* what, const ledger* l)
{
    print_message("%s: %ld asked, %lld jets, most %lld units\n", what, l->asked, (long long)l->jets,
                  (long long)l->most);
    assert_int_equal(l->wrong, 0);
}

static wit_query* query_of(int64_t budget, bool rigorous)
{
    wit_query_def def = wit_query_default_def();
    def.budget = budget;
    def.rigorous = rigorous;
    def.capacity = 4096;
    wit_query* q = wit_query_create(&def, NULL, NULL);
    assert_non_null(q);
    return q;
}

/* About the body: on its box, inside, near the middle, far. */
static wit_vec3 some_point(rng* r, const subject* s)
{
    static const double spread[4] = {0.05, 0.5, 1, 5};
    double by = s->size * spread[rng_int(r, 4)];
    double x = rng_range(r, -by, by), y = rng_range(r, -by, by), z = rng_range(r, -by, by);
    return vec3(s->centre.x + x, s->centre.y + y, s->centre.z + z);
}

static wit_quat some_turn(rng* r)
{
    double w = rng_range(r, -1, 1), x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    double n = sqrt(w * w + x * x + y * y + z * z);
    return n > 1e-3 ? (wit_quat){w / n, x / n, y / n, z / n} : (wit_quat){1, 0, 0, 0};
}

/* b's middle in, beside or off a. */
static wit_pose some_pose(rng* r, const subject* a, const subject* b)
{
    static const double apart[5] = {0, 0.2, 0.5, 0.8, 2};
    wit_pose p = {vec3(0, 0, 0), some_turn(r)};
    double far = apart[rng_int(r, 5)] * (a->size + b->size);
    double x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
    wit_vec3 way = unit3(vec3(x, y, z));
    p.position = sub3(addscaled3(a->centre, far, way), wit_pose_vector(&p, b->centre));
    return p;
}

static void points_say_what_they_did(void** state)
{
    (void)state;
    ledger all = {0}, minima = {0};
    rng r = rng_seed(1500);
    for (int b = 0; b < 2 * BUDGETS_COUNT; b++) {
        int64_t budget = BUDGETS[b / 2];
        wit_query* q = query_of(budget, b & 1);
        for (int k = 0; k < subject_count; k++)
            for (long n = 0; n < campaign(100); n++) {
                const subject* s = &subjects[k];
                wit_placed at = wit_placed_at(s->body, wit_pose_identity());
                wit_vec3 p = some_point(&r, s);
                wit_closest c;
                work_count_start();
                if (wit_closest_point(q, &at, p, &c)) continue; /* off the plane of a planar body */
                enter_work(&all, &c.work, "point", s, NULL, budget);
                wit_minimum list[16];
                wit_minima_summary m;
                if (n % 4) continue;
                work_count_start();
                assert_int_equal(wit_minima_point(q, &at, p, list, 16, &m), WIT_OK);
                enter_work(&minima, &m.work, "minima of a point", s, NULL, budget);
            }
        wit_query_destroy(q);
    }
    tell("points", &all);
    tell("minima of points", &minima);
}

static void pairs_say_what_they_did(void** state)
{
    (void)state;
    ledger all = {0}, minima = {0}, contacts = {0};
    rng r = rng_seed(1501);
    for (int b = 0; b < 2 * BUDGETS_COUNT; b++) {
        int64_t budget = BUDGETS[b / 2];
        wit_query* q = query_of(budget, b & 1);
        for (long n = 0; n < campaign(2000); n++) {
            const subject *x = &subjects[rng_int(&r, subject_count)], *y = &subjects[rng_int(&r, subject_count)];
            wit_placed a = wit_placed_at(x->body, wit_pose_identity());
            wit_placed c = wit_placed_at(y->body, some_pose(&r, x, y));
            wit_closest out;
            work_count_start();
            if (wit_closest_pair(q, &a, &c, &out)) continue;
            enter_work(&all, &out.work, "pair", x, y, budget);
            wit_minimum list[16];
            wit_minima_summary m;
            wit_contact found[16];
            wit_contacts_summary s;
            if (n % 8) continue;
            work_count_start();
            if (!wit_minima_pair(q, &a, &c, list, 16, &m)) enter_work(&minima, &m.work, "minima", x, y, budget);
            work_count_start();
            if (!wit_contacts_pair(q, &a, &c, found, 16, &s)) enter_work(&contacts, &s.work, "contacts", x, y, budget);
        }
        wit_query_destroy(q);
    }
    tell("pairs", &all);
    tell("minima", &minima);
    tell("contacts", &contacts);
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
            const subject* x = &subjects[rng_int(&r, subject_count)];
            const subject* y = rng_int(&r, 3) ? &subjects[rng_int(&r, subject_count)] : NULL;
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
