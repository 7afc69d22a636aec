/* SPDX-License-Identifier: MIT */
/*
 * The region of a body in which a point lies, found from any feature, with nothing but `voronoi`: no front, no global
 * search. A face that shows the point its back is not its region, though the foot on it may be nearest of all around.
 */
#include "law_scene.h"

static law_track regions_only(wit_integrator integrator)
{
    law_track d = law_track_default(WIT_LAW_LINEARIZING);
    d.track.form = WIT_FORM_PAPERS;
    d.law.integrator = integrator;
    d.law.switching = WIT_SWITCHING_VORONOI;
    d.track.reacquire = false;
    d.track.front = 0;
    return d;
}

static wit_witness within_face(const wit_body* body, int face, double along)
{
    wit_face_info f = wit_body_face(body, face);
    wit_witness w = {WIT_FACE, face, f.u.lo + along * (f.u.hi - f.u.lo), f.v.hi - along * (f.v.hi - f.v.lo), {0, 0, 0}};
    return w;
}

/* The path of 000-fig9 passes the borders of the regions at 0.89 and 1.26 s, by its construction. */
static void far_faces_do_not_hold_the_witness(void** state)
{
    (void)state;
    static const wit_integrator methods[2] = {WIT_INTEGRATOR_RK2, WIT_INTEGRATOR_DOPRI5};
    const double rate = 1000;
    wit_error e = {0};
    wit_scene* scene = wit_scene_read_file("scenes/000-fig9.json", NULL, NULL, NULL, &e);
    if (!scene) fail_msg("%s: %s", e.item, e.text);
    const wit_body* body = wit_scene_body(scene, 0);
    int edge = wit_body_find(body, WIT_EDGE, "DA"), left = wit_body_find(body, WIT_FACE, "left");
    for (int face = 0; face < wit_body_describe(body).face_count; ++face)
        for (int i = 0; i < 2; ++i) {
            law_track def = regions_only(methods[i]);
            wit_tracker* t = law_tracker(body, NULL, &def);
            wit_witness on = within_face(body, face, 0.42);
            assert_int_equal(wit_tracker_place(t, &on, NULL), WIT_OK);
            for (int k = 0; k <= 1500; ++k) {
                wit_motion a, b;
                wit_result r;
                assert_int_equal(wit_scene_motion(scene, 0, k / rate, &a), WIT_OK);
                assert_int_equal(wit_scene_motion(scene, 1, k / rate, &b), WIT_OK);
                assert_int_equal(wit_tracker_step(t, &a, &b, 1 / rate, &r), WIT_OK);
            }
            wit_transition found[8];
            int64_t n = wit_tracker_transitions(t, found, 8);
            assert_true(n >= 2 && n <= 3); /* in the frame after the start, unless it began there; then two */
            const wit_transition *out = &found[n - 2], *in = &found[n - 1];
            assert_true(out->to == WIT_EDGE && out->to_id == edge);
            assert_true(in->to == WIT_FACE && in->to_id == left);
            /* the first frame ends at time 0; a frame at most from the passage */
            assert_true(fabs(out->time - 1 / rate - 0.89) <= 1 / rate + 1e-9);
            assert_true(fabs(in->time - 1 / rate - 1.26) <= 1 / rate + 1e-9);
            wit_tracker_destroy(t);
        }
    wit_scene_destroy(scene);
}

typedef struct count {
    long outside, inside, hand_overs;
    long wrong;  /* not the feature of the closest point */
    long turned; /* inside, and not on a face behind which it lies */
    int64_t most;
} count;

/* One step from a random face to a random point. Points next to the border of two regions are not asked. */
static void ask(const law_model* m, wit_tracker* t, rng* r, count* n)
{
    wit_body_info info = wit_body_describe(m->body);
    wit_vec3 middle = scale3(0.5, add3(info.box.lo, info.box.hi));
    wit_vec3 q = add3(middle, random_vector(r, 0, info.size));
    wit_closest c = law_closest(m->body, q);
    if (c.outcome != WIT_OUTCOME_CONVERGED || fabs(c.distance) < 1e-6 * info.size) return;
    wit_witness on = within_face(m->body, (int)rng_range(r, 0, info.face_count - 1e-9), rng_range(r, 0.05, 0.95));
    wit_tracker_reset(t);
    if (wit_tracker_place(t, &on, NULL)) return; /* off its loops */
    law_step(t, q, 1e-3);                        /* the start */
    wit_result a = law_step(t, q, 1e-3);
    if (a.work.units > n->most) n->most = a.work.units;
    if (c.distance < 0) {
        n->inside++;
        n->turned += a.a.feature != WIT_FACE;
        return;
    }
    n->outside++;
    n->hand_overs += (a.flags & WIT_FLAG_SWITCHED) != 0;
    n->wrong += a.a.feature != c.a.feature || a.a.id != c.a.id;
}

static void regions_of_convex_bodies_are_found_from_any_face(void** state)
{
    (void)state;
    static const char* const names[] = {"box", "prism-dome", "three-ball", "cylinder", "frustum"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        char path[64];
        snprintf(path, sizeof path, "models/%s.json", names[k]);
        law_model m = law_model_read(path);
        law_track def = regions_only(WIT_INTEGRATOR_RK2);
        wit_tracker* t = law_tracker(m.body, NULL, &def);
        rng r = rng_seed(300 + k);
        count n = {0};
        for (long i = campaign(5000); i > 0; --i) ask(&m, t, &r, &n);
        print_message("  %s: %ld points outside, %ld handed over, %ld wrong; %ld inside, %ld off the faces; at most "
                      "%lld units\n",
                      names[k], n.outside, n.hand_overs, n.wrong, n.inside, n.turned, (long long)n.most);
        assert_true(n.hand_overs > 0 && n.inside > 0);
        assert_int_equal(n.wrong, 0);
        assert_int_equal(n.turned, 0);
        wit_tracker_destroy(t);
        law_model_drop(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_faces_do_not_hold_the_witness),
        cmocka_unit_test(regions_of_convex_bodies_are_found_from_any_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
