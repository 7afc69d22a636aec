/* SPDX-License-Identifier: MIT */
/* The side of a point, and the sign of two bodies, under every law in all scenes, against the cold query; and the first frame,
 * which is the start. */
#include "campaign.h"
#include "law_scene.h"

#include <dirent.h>
#include <string.h>

static wit_query* query;

static int make_query(void** state)
{
    (void)state;
    query = wit_query_create(NULL, NULL, NULL);
    return query ? 0 : -1;
}

static int drop_query(void** state)
{
    (void)state;
    wit_query_destroy(query);
    return 0;
}

static wit_scene* open_scene(const char* name)
{
    char path[320];
    wit_error e = {0};
    snprintf(path, sizeof path, "scenes/%s", name);
    wit_scene* scene = wit_scene_read_file(path, NULL, NULL, NULL, &e);
    if (!scene) fail_msg("%s:%d:%d: %s: %s", path, e.line, e.column, e.item, e.text);
    return scene;
}

/* The scene's settings with another law, as far as that law takes them. */
static law_track settings(const wit_scene* scene, wit_law_kind kind, bool reacquire)
{
    law_track d = {wit_scene_track_def(scene), wit_law_default_def(kind)};
    wit_law_def own = wit_scene_law_def(scene);
    if (wit_law_is_flow(kind)) d.law.gain.value = own.gain.kind == WIT_GAIN_SCALAR ? own.gain.value : 100;
    if (wit_law_is_flow(kind) && !(d.law.gain.value > 0)) d.law.gain.value = 100;
    if (kind != WIT_LAW_LINEARIZING) d.track.form = WIT_FORM_PAPERS;
    d.track.reacquire = reacquire;
    return d;
}

typedef struct tally {
    long frames, inside, wrong, runs;
} tally;

/* One run; every `stride`-th frame is compared. Where sanitizers watch, its first eighth. */
static void run_law(const char* name, const wit_scene* scene, const law_track* d, long stride, tally* sum)
{
    const wit_body* body = wit_scene_body(scene, 0);
    wit_error e = {0};
    wit_tracker* t = law_create(body, NULL, d, &e);
    if (!t) return; /* findmin takes no points */
    wit_witness start[2];
    if (wit_scene_start(scene, &start[0], &start[1])) assert_int_equal(wit_tracker_place(t, &start[0], NULL), WIT_OK);
    double rate = wit_scene_rate(scene), size = wit_body_describe(body).size;
    sum->runs++;
    int64_t last = wit_scene_frames(scene) / campaign_every(1, 8);
    for (int64_t k = 0; k <= last; ++k) {
        wit_motion m[2];
        wit_result r;
        wit_closest c;
        for (int i = 0; i < 2; ++i) assert_int_equal(wit_scene_motion(scene, i, (double)k / rate, &m[i]), WIT_OK);
        assert_int_equal(wit_tracker_step(t, &m[0], &m[1], 1 / rate, &r), WIT_OK);
        if (k % stride) continue;
        wit_placed placed = wit_placed_at(body, m[0].pose);
        assert_int_equal(wit_closest_point(query, &placed, m[1].pose.position, &c), WIT_OK);
        if (fabs(c.distance) <= 1e-9 * size) continue;
        sum->frames++;
        sum->inside += c.distance < 0;
        if ((r.distance < 0) == (c.distance < 0)) continue;
        if (sum->wrong++ < 5)
            print_message("%s, %s, frame %ld: %g, by the query %g\n", name, wit_law_name(d->law.kind), (long)k,
                          r.distance, c.distance);
    }
    wit_tracker_destroy(t);
}

static void the_side_is_right_in_every_frame_of_every_law(void** state)
{
    (void)state;
    tally sum = {0};
    DIR* dir = opendir("scenes");
    assert_non_null(dir);
    for (struct dirent* e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
        wit_scene* scene = open_scene(e->d_name);
        long frames = (long)wit_scene_frames(scene), stride = frames / campaign(20000);
        for (int law = 1; law < WIT_LAW_COUNT && !wit_scene_body(scene, 1); ++law)
            for (int reacquire = 0; reacquire < 2; ++reacquire) {
                law_track d = settings(scene, (wit_law_kind)law, reacquire);
                run_law(e->d_name, scene, &d, stride < 1 ? 1 : stride, &sum);
            }
        wit_scene_destroy(scene);
    }
    closedir(dir);
    print_message("  %ld runs, %ld frames compared, %ld of them inside: %ld sides wrong\n", sum.runs, sum.frames,
                  sum.inside, sum.wrong);
    assert_true(sum.runs > 50 && sum.inside > sum.frames / 100);
    assert_int_equal(sum.wrong, 0);
}

/* ---- two bodies ---------------------------------------------------------------------------- */

typedef struct pair_tally {
    long runs, frames, inside, wrong, unknown, unsaid, over;
} pair_tally;

/* What the cold query says of a frame: 1 apart, -1 in each other, 0: a touch, or it does not know. Sheets have no inside. */
static int pair_truth(const wit_scene* scene, double time, wit_motion m[2])
{
    const wit_body* body[2] = {wit_scene_body(scene, 0), wit_scene_body(scene, 1)};
    wit_closest c;
    for (int i = 0; i < 2; ++i) assert_int_equal(wit_scene_motion(scene, i, time, &m[i]), WIT_OK);
    wit_placed a = wit_placed_at(body[0], m[0].pose), b = wit_placed_at(body[1], m[1].pose);
    assert_int_equal(wit_closest_pair(query, &a, &b, &c), WIT_OK);
    double size = fmin(wit_body_describe(body[0]).size, wit_body_describe(body[1]).size);
    if (c.outcome == WIT_OUTCOME_OVERLAPPING) return c.distance < -1e-9 * size ? -1 : 0;
    return c.lower_bound > 1e-9 * size ? 1 : 0;
}

/* The frames of a scene that are compared, with the truth of each: the same for all laws. */
typedef struct pair_frames {
    long count;
    double dt;
    wit_motion (*motion)[2];
    int* truth;
} pair_frames;

static pair_frames frames_of(const wit_scene* scene, long most)
{
    long all = (long)wit_scene_frames(scene), step = all / most < 1 ? 1 : all / most;
    pair_frames f = {all / step + 1, (double)step / wit_scene_rate(scene), NULL, NULL};
    f.motion = calloc((size_t)f.count, sizeof *f.motion);
    f.truth = calloc((size_t)f.count, sizeof *f.truth);
    assert_true(f.motion && f.truth);
    for (long k = 0; k < f.count; ++k) f.truth[k] = pair_truth(scene, (double)k * f.dt, f.motion[k]);
    return f;
}

static void run_pair(const char* name, const wit_scene* scene, const law_track* d, const pair_frames* f,
                     pair_tally* sum)
{
    wit_error e = {0};
    wit_tracker* t = law_create(wit_scene_body(scene, 0), wit_scene_body(scene, 1), d, &e);
    if (!t) return; /* a law that does not take these bodies */
    wit_witness start[2];
    if (wit_scene_start(scene, &start[0], &start[1]))
        assert_int_equal(wit_tracker_place(t, &start[0], &start[1]), WIT_OK);
    sum->runs++;
    for (long k = 0; k < f->count; ++k) {
        wit_result r;
        assert_int_equal(wit_tracker_step(t, &f->motion[k][0], &f->motion[k][1], f->dt, &r), WIT_OK);
        sum->over += r.work.units > d->track.budget;
        if (!f->truth[k]) continue;
        bool guessed = r.reason == WIT_REASON_SIGN;
        if (guessed && (r.outcome == WIT_OUTCOME_CONVERGED || (r.flags & WIT_FLAG_CERTIFIED))) sum->unsaid++;
        sum->frames++;
        sum->inside += f->truth[k] < 0;
        sum->unknown += guessed;
        if (guessed || (r.distance < 0) == (f->truth[k] < 0)) continue;
        /* at a common point there is no sign to be wrong, as long as the frame says what it is */
        bool common = r.distance == 0 && (r.flags & WIT_FLAG_OVERLAPPING) && r.outcome != WIT_OUTCOME_CONVERGED;
        if (common && f->truth[k] < 0) continue;
        if (sum->wrong++ < 12)
            print_message("%s, %s, frame %ld: %g, by the query %s\n", name, wit_law_name(d->law.kind), k, r.distance,
                          f->truth[k] < 0 ? "in each other" : "apart");
    }
    wit_tracker_destroy(t);
}

/* Every law, with both forms, with and without the global search; where sanitizers watch, with both or with neither. */
static void run_pairs(const char* name, const wit_scene* scene, int64_t budget, long most, pair_tally* sum)
{
    pair_frames f = frames_of(scene, most);
    for (int law = 1; law < WIT_LAW_COUNT; ++law)
        for (int way = 0; way < 4; way += campaign_every(1, 3)) {
            law_track d = settings(scene, (wit_law_kind)law, way & 1);
            d.track.form = way & 2 ? WIT_FORM_PAPERS : WIT_FORM_CONTACT;
            if (budget) d.track.budget = budget;
            run_pair(name, scene, &d, &f, sum);
        }
    free(f.motion);
    free(f.truth);
}

static pair_tally all_pairs(int64_t budget, long most)
{
    pair_tally sum = {0};
    DIR* dir = opendir("scenes");
    assert_non_null(dir);
    for (struct dirent* e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
        wit_scene* scene = open_scene(e->d_name);
        long before = sum.unknown;
        if (wit_scene_body(scene, 1)) run_pairs(e->d_name, scene, budget, most, &sum);
        if (sum.unknown > before && !budget) print_message("  %s: %ld unknown\n", e->d_name, sum.unknown - before);
        wit_scene_destroy(scene);
    }
    closedir(dir);
    print_message(
        "  %ld runs, %ld frames compared, %ld of them in each other: %ld signs wrong, %ld said to be unknown\n",
        sum.runs, sum.frames, sum.inside, sum.wrong, sum.unknown);
    assert_true(sum.runs > 100 && sum.inside > sum.frames / 100);
    assert_int_equal(sum.over, 0);
    assert_int_equal(sum.unsaid, 0);
    assert_int_equal(sum.wrong, 0);
    return sum;
}

static void two_bodies_have_the_sign_of_the_query_in_every_frame_of_every_law(void** state)
{
    (void)state;
    pair_tally sum = all_pairs(0, campaign_from(12, 1000));
    assert_int_equal(sum.unknown, 0);
}

/* With too little work to ask, the frame says that the sign is a guess. */
static void without_the_work_to_know_the_sign_the_frame_says_so(void** state)
{
    (void)state;
    pair_tally sum = all_pairs(600, campaign_from(8, 200));
    assert_true(sum.unknown > 0);
}

/* A witness that stays at the far side of a solid while the point goes in and out: the normals there tell nothing. */
static void a_witness_that_stays_behind_does_not_decide_the_side(void** state)
{
    (void)state;
    static const char* const models[] = {"models/torus.json", "models/prism-dome.json", "models/three-ball.json",
                                         "models/box.json"};
    rng r = rng_seed(190);
    long wrong = 0, inside = 0, n = campaign(4000);
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        law_model m = law_model_read(models[i]);
        wit_body_info info = wit_body_describe(m.body);
        law_track d = law_alone(WIT_LAW_SWITCHING, WIT_INTEGRATOR_EULER, 1e-6);
        wit_tracker* t = law_tracker(m.body, NULL, &d);
        wit_face_info f = wit_body_face(m.body, 0);
        wit_witness start = on_face((f.u.lo + f.u.hi) / 2, (f.v.lo + f.v.hi) / 2);
        assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
        wit_vec3 centre = scale3(0.5, add3(info.box.lo, info.box.hi)), q = centre;
        for (long k = 0; k < n; ++k) {
            /* a walk that turns round at the box */
            q = add3(q, random_vector(&r, 0, 0.02 * info.size));
            if (norm3(sub3(q, centre)) > 0.7 * info.size) q = add3(centre, scale3(0.5, sub3(q, centre)));
            wit_result got = law_step(t, q, 1e-3);
            wit_closest c = law_closest(m.body, q);
            inside += c.distance < 0;
            wrong += fabs(c.distance) > 1e-9 * info.size && (got.distance < 0) != (c.distance < 0);
        }
        wit_tracker_destroy(t);
        law_model_drop(&m);
    }
    print_message("  %ld points, %ld of them inside: %ld sides wrong\n", 4 * n, inside, wrong);
    assert_true(inside > n / 4);
    assert_int_equal(wrong, 0);
}

/* Frame 0 is where it was placed, for flows and for Newton's iteration, at any dt. */
static void the_first_frame_is_the_start(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    for (int law = WIT_LAW_LINEARIZING; law < WIT_LAW_FINDMIN; ++law) {
        law_track d = law_alone((wit_law_kind)law, WIT_INTEGRATOR_DEFAULT, 100);
        d.track.form = WIT_FORM_PAPERS;
        wit_tracker* t = law_tracker(m.body, NULL, &d);
        wit_witness start = on_face(0.3, 0.6);
        for (int again = 0; again < 2; ++again) {
            assert_int_equal(wit_tracker_place(t, &start, NULL), WIT_OK);
            wit_result r = law_step(t, vec3(5, 5, 12), 0.01);
            wit_moving_place a = face_place(m.body, 0.3, 0.6), b = point_place(vec3(5, 5, 12), vec3(0, 0, 0));
            wit_kinematics k;
            assert_int_equal(wit_kinematics_at(&a, &b, WIT_FORM_PAPERS, &k), WIT_OK);
            assert_true(r.a.u == 0.3 && r.a.v == 0.6);
            assert_int_equal(r.iterations, 0);
            assert_int_equal(r.outcome, WIT_OUTCOME_OPEN);
            assert_true(fabs(r.distance - k.distance) <= 1e-12 * k.distance);
            for (int i = 0; i < 2; ++i) assert_true(fabs(r.error[i] - k.error[i]) <= 1e-12);
            r = law_step(t, vec3(5, 5, 12), 0.001);
            assert_true(r.a.u != 0.3 || r.a.v != 0.6);
        }
        wit_tracker_destroy(t);
    }
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_side_is_right_in_every_frame_of_every_law, make_query, drop_query),
        cmocka_unit_test_setup_teardown(two_bodies_have_the_sign_of_the_query_in_every_frame_of_every_law, make_query,
                                        drop_query),
        cmocka_unit_test_setup_teardown(without_the_work_to_know_the_sign_the_frame_says_so, make_query, drop_query),
        cmocka_unit_test(a_witness_that_stays_behind_does_not_decide_the_side),
        cmocka_unit_test(the_first_frame_is_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
