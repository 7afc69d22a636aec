/* SPDX-License-Identifier: MIT */
/*
 * The laws as functions of a state: what they promise about Psi, about the distance and about borders, in every mode; and what
 * they refuse.
 */
#include "law_scene.h"

/* ---- states -------------------------------------------------------------------------------- */

/* A parameter at its lower end, inside, or at its upper end. */
static double some_parameter(rng* r, int where)
{
    return where == 1 ? 0 : where == 2 ? 1 : rng_range(r, 0.01, 0.99);
}

static wit_motion some_motion(rng* r, double reach)
{
    wit_motion m = wit_motion_at_rest(wit_pose_identity());
    m.pose.position = random_vector(r, 0, reach);
    wit_vec3 axis = random_unit(r);
    m.pose.rotation = wit_quat_about(axis, rng_range(r, -3, 3));
    m.twist.velocity = random_vector(r, 0, 5);
    m.twist.angular = random_vector(r, 0, 2);
    return m;
}

/* Gradient of |dR|^2 / 2, and its change by motion alone. */
static wit_kinematics papers_at(const wit_moving_place* a, const wit_moving_place* b)
{
    wit_kinematics k;
    assert_int_equal(wit_kinematics_at(a, b, WIT_FORM_PAPERS, &k), WIT_OK);
    return k;
}

static double slope_of(const wit_kinematics* k, const double* speed)
{
    double sum = 0;
    for (int i = 0; i < k->count; ++i) sum += (i < k->count_a ? 1 : -1) * k->psi[i] * speed[i];
    return sum;
}

/* ---- linearizing --------------------------------------------------------------------------- */

static void linearizing_makes_psi_decay_in_both_forms(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(81);
    double worst = 0;
    long n = campaign(20000), regular = 0;
    for (long trial = 0; trial < n; ++trial) {
        double u = rng_range(&r, 0.02, 0.98), v = rng_range(&r, 0.02, 0.98);
        wit_moving_place a = face_place(m.body, u, v);
        u = rng_range(&r, 0.02, 0.98), v = rng_range(&r, 0.02, 0.98);
        wit_moving_place b = face_place(m.body, u, v);
        a.motion = some_motion(&r, 3);
        b.motion = some_motion(&r, 20);
        law_track def = law_alone(WIT_LAW_LINEARIZING, WIT_INTEGRATOR_DEFAULT, rng_range(&r, 1, 1000));
        def.track.form = (wit_form)(trial % WIT_FORM_COUNT);
        wit_kinematics k;
        double x[WIT_MAX_PARAMETERS];
        assert_int_equal(wit_kinematics_at(&a, &b, def.track.form, &k), WIT_OK);
        assert_int_equal(law_speeds(&a, &b, &def, 1e-3, x), WIT_OK);
        if (!k.regular) continue;
        ++regular;
        for (int i = 0; i < 4; ++i) {
            double rate = k.b[i], size = fabs(k.b[i]) + fabs(def.law.gain.value * k.psi[i]);
            for (int j = 0; j < 4; ++j) {
                rate += k.M[i * 4 + j] * x[j];
                size += fabs(k.M[i * 4 + j] * x[j]);
            }
            worst = fmax(worst, fabs(rate + def.law.gain.value * k.psi[i]) / size);
        }
    }
    print_message("  %ld states: |Psi' + K Psi| at most %.2g of its terms\n", regular, worst);
    assert_true(regular > n * 9 / 10);
    assert_true(worst < 1e-12);
    law_model_drop(&m);
}

static void linearizing_takes_a_matrix_and_gains_for_each(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    wit_moving_place a = face_place(m.body, 0.4, 0.6), b = point_place(vec3(4, 5, 12), vec3(0.3, -0.2, 0.1));
    wit_kinematics k = papers_at(&a, &b);
    law_track def = law_alone(WIT_LAW_LINEARIZING, WIT_INTEGRATOR_DEFAULT, 0);
    const double full[4] = {50, 10, -20, 80};
    double x[WIT_MAX_PARAMETERS];
    for (int each = 0; each < 2; ++each) {
        def.law.gain.kind = each ? WIT_GAIN_EACH : WIT_GAIN_MATRIX;
        def.law.gain.count = 2;
        memcpy(def.law.gain.matrix, full, sizeof full);
        for (int i = 0; i < 4; ++i) def.law.gain.parameter[i] = 7;
        def.law.gain.side[0] = 30, def.law.gain.side[1] = 60;
        assert_int_equal(law_speeds(&a, &b, &def, 1e-3, x), WIT_OK);
        for (int i = 0; i < 2; ++i) {
            double rate = k.b[i] + k.M[2 * i] * x[0] + k.M[2 * i + 1] * x[1];
            double asked = each ? -30 * k.psi[i] : -full[2 * i] * k.psi[0] - full[2 * i + 1] * k.psi[1];
            assert_true(fabs(rate - asked) < 1e-9 * (1 + fabs(asked)));
        }
    }
    /* the pure velocity formulation */
    def.law.gain.kind = WIT_GAIN_SCALAR;
    def.law.gain.value = 0;
    assert_int_equal(law_speeds(&a, &b, &def, 1e-3, x), WIT_OK);
    for (int i = 0; i < 2; ++i) assert_true(fabs(x[i] - k.follow[i]) <= 1e-12 * (1 + fabs(x[i])));
    law_model_drop(&m);
}

/* ---- modes --------------------------------------------------------------------------------- */

/* 0 face, 1 to 4 borders, 5 to 8 corners of a side; by which components are held. */
static int mode_of(double u, double v, const double* x)
{
    bool at_u = u == 0 || u == 1, at_v = v == 0 || v == 1, held_u = at_u && x[0] == 0, held_v = at_v && x[1] == 0;
    if (held_u && held_v) return 5 + (u == 1) + 2 * (v == 1);
    if (held_u) return 1 + (u == 1);
    if (held_v) return 3 + (v == 1);
    return 0;
}

/* One random state of the 9 x 9 places, its speeds checked. Returns its mode. */
static int try_state(rng* r, const wit_body* patch, int places, wit_law_kind law, long* rises)
{
    double u = some_parameter(r, places % 3), v = some_parameter(r, places / 3 % 3);
    wit_moving_place a = face_place(patch, u, v);
    double p = some_parameter(r, places / 9 % 3), q = some_parameter(r, places / 27);
    wit_moving_place b = face_place(patch, p, q);
    b.motion = some_motion(r, 15);
    a.motion.twist = some_motion(r, 1).twist;
    law_track def = law_alone(law, WIT_INTEGRATOR_DEFAULT, rng_range(r, 1, 100));
    def.track.form = (wit_form)rng_int(r, 2);
    double x[WIT_MAX_PARAMETERS];
    const double at[4] = {u, v, p, q};
    assert_int_equal(law_speeds(&a, &b, &def, 1e-3, x), WIT_OK);
    for (int i = 0; i < 4; ++i) assert_true(!(at[i] == 0 && x[i] < 0) && !(at[i] == 1 && x[i] > 0));
    wit_kinematics k = papers_at(&a, &b);
    double size = 0;
    for (int i = 0; i < 4; ++i) size += fabs(k.psi[i] * x[i]);
    *rises += law != WIT_LAW_MOTION_AWARE && slope_of(&k, x) > 1e-12 * size;
    return mode_of(u, v, x) + 9 * mode_of(p, q, x + 2);
}

static void gradient_laws_descend_in_all_product_modes(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(82);
    for (int law = WIT_LAW_SWITCHING; law <= WIT_LAW_MOTION_AWARE; ++law) {
        long seen[81] = {0}, rises = 0, n = campaign(2000) + 1000, least = 1000000000;
        for (long trial = 0; trial < n; ++trial)
            for (int places = 0; places < 81; ++places)
                seen[try_state(&r, m.body, places, (wit_law_kind)law, &rises)]++;
        int modes = 0;
        for (int k = 0; k < 81; ++k) {
            modes += seen[k] > 0;
            if (seen[k] < least) least = seen[k];
        }
        print_message("  %s: %ld states in %d of 81 modes, at least %ld in each; %ld climb\n",
                      wit_law_name((wit_law_kind)law), 81 * n, modes, least, rises);
        assert_int_equal(modes, 81);
        assert_int_equal(rises, 0);
    }
    law_model_drop(&m);
}

/* At rest exactly where the projections say so: no admissible direction goes down. */
static void switching_rests_only_at_minima_of_first_order(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(83);
    long resting = 0, n = campaign(200000);
    for (long trial = 0; trial < n; ++trial) {
        int wu = 1 + rng_int(&r, 2), wv = rng_int(&r, 3);
        double u = some_parameter(&r, wu), v = some_parameter(&r, wv), x[WIT_MAX_PARAMETERS];
        wit_vec3 q = add3(vec3(5, 5, 4), random_vector(&r, 0, 15));
        wit_moving_place a = face_place(m.body, u, v), b = point_place(q, vec3(0, 0, 0));
        law_track def = law_alone(WIT_LAW_SWITCHING, WIT_INTEGRATOR_DEFAULT, 10);
        assert_int_equal(law_speeds(&a, &b, &def, 1e-3, x), WIT_OK);
        wit_kinematics k = papers_at(&a, &b);
        bool u_rests = u == 0 ? k.psi[0] >= 0 : u == 1 ? k.psi[0] <= 0 : false;
        bool v_rests = v == 0 ? k.psi[1] >= 0 : v == 1 ? k.psi[1] <= 0 : false;
        assert_int_equal(x[0] == 0 && x[1] == 0, u_rests && v_rests);
        resting += u_rests && v_rests;
    }
    print_message("  %ld states on borders, %ld at rest\n", n, resting);
    assert_true(resting > n / 100);
    law_model_drop(&m);
}

/* ---- motion_aware -------------------------------------------------------------------------- */

/* The tangential part of the motion in |dR| |dR|', psi_u q.f_u + psi_v q.f_v, less what the law feeds forward: what the law
 * does at K less what switching does is the feed. */
static void motion_that_is_left_never_raises_the_distance(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(84);
    long n = campaign(100000), count[3] = {0}, rises = 0;
    double worst = 0;
    for (long trial = 0; trial < n; ++trial) {
        int places = rng_int(&r, 9);
        double u = some_parameter(&r, places % 3), v = some_parameter(&r, places / 3);
        wit_vec3 q = add3(vec3(5, 5, 4), random_vector(&r, 0, 15)), speed = random_vector(&r, 0, 10);
        wit_moving_place a = face_place(m.body, u, v), b = point_place(q, speed);
        a.motion.twist.angular = random_vector(&r, 0, 2);
        a.motion.twist.velocity = random_vector(&r, 0, 3);
        law_track aware = law_alone(WIT_LAW_MOTION_AWARE, WIT_INTEGRATOR_DEFAULT, 10);
        double x[WIT_MAX_PARAMETERS];
        assert_int_equal(law_speeds(&a, &b, &aware, 1e-3, x), WIT_OK);
        wit_kinematics k = papers_at(&a, &b);
        wit_surface_jet j;
        wit_surface_eval(wit_body_face(m.body, 0).surface, u, v, 0, NULL, &j);
        double E = dot3(j.du, j.du), F = dot3(j.du, j.dv), G = dot3(j.dv, j.dv), det = E * G - F * F;
        double psi[2] = {(G * k.psi[0] - F * k.psi[1]) / det, (E * k.psi[1] - F * k.psi[0]) / det};
        int held = (x[0] == 0) + (x[1] == 0);
        count[held]++;
        if (held == 2) continue; /* at a corner nothing can be done */
        /* |dR| |dR|' by the law, less the descent -K psi.I psi of its mode; b = -q.f */
        double descent = held == 0   ? psi[0] * k.psi[0] + psi[1] * k.psi[1]
                         : x[0] == 0 ? k.psi[1] * k.psi[1] / G
                                     : k.psi[0] * k.psi[0] / E;
        double fed = k.psi[0] * x[0] + k.psi[1] * x[1] + 10 * descent;
        double motion = psi[0] * k.b[0] + psi[1] * k.b[1];
        double size = fabs(psi[0] * k.b[0]) + fabs(psi[1] * k.b[1]) + 10 * descent + fabs(k.psi[0] * x[0]) +
                      fabs(k.psi[1] * x[1]);
        worst = fmax(worst, (fed + motion) / size);
        rises += fed + motion > 1e-12 * size;
    }
    print_message("  %ld states on the face, %ld on borders, %ld at corners: motion left at most %.2g of its terms\n",
                  count[0], count[1], count[2], worst);
    assert_int_equal(rises, 0);
    assert_true(count[1] > n / 20);
    law_model_drop(&m);
}

/* ---- borders ------------------------------------------------------------------------------- */

static void no_law_leaves_the_patch(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(85);
    static const wit_law_kind laws[] = {WIT_LAW_LINEARIZING, WIT_LAW_SWITCHING, WIT_LAW_EXPONENTIAL,
                                        WIT_LAW_MOTION_AWARE, WIT_LAW_NEWTON_SATURATED};
    long n = campaign(100000), steps = 0;
    enum { PER_TRACKER = 20 };
    for (long done = 0; done < n;) {
        wit_law_kind law = laws[rng_int(&r, 5)];
        bool flow = wit_law_is_flow(law);
        wit_integrator i = flow ? (wit_integrator)rng_int(&r, WIT_INTEGRATOR_DOPRI5) : WIT_INTEGRATOR_DEFAULT;
        law_track def = law_alone(law, i, pow(10, rng_range(&r, 0, 4)));
        def.law.cap = rng_int(&r, 2) ? INFINITY : 0;
        wit_tracker* t = law_tracker(m.body, NULL, &def);
        for (int k = 0; k < PER_TRACKER && done < n; ++k, ++done) {
            wit_vec3 q = add3(vec3(5, 5, 4), random_vector(&r, 0, 25));
            int places = rng_int(&r, 9);
            double u = some_parameter(&r, places % 3), v = some_parameter(&r, places / 3);
            wit_witness start = on_face(u, v);
            wit_tracker_place(t, &start, NULL);
            for (int s = 0; s < 4; ++s, ++steps) {
                wit_result x = law_step(t, q, 1e-3);
                assert_true(x.a.u >= 0 && x.a.u <= 1 && x.a.v >= 0 && x.a.v <= 1);
                q = add3(q, random_vector(&r, 0, 1));
            }
        }
        wit_tracker_destroy(t);
    }
    print_message("  %ld starts, %ld steps, none outside\n", n, steps);
    law_model_drop(&m);
}

/* The least limit of the gain over the patch: at every place where there is one. */
static double least_limit(const wit_body* patch, wit_vec3 q, const law_track* def)
{
    double least = INFINITY;
    for (int i = 0; i <= 10; ++i)
        for (int j = 0; j <= 10; ++j) {
            wit_moving_place a = face_place(patch, i / 10.0, j / 10.0), b = point_place(q, vec3(0, 0, 0));
            wit_gain_limit limit;
            assert_int_equal(law_limits(&a, &b, def, 1e-3, &limit), WIT_OK);
            least = fmin(least, limit.upper);
        }
    return least;
}

static void distance_never_rises_at_half_the_limit(void** state)
{
    (void)state;
    law_model m = law_model_read("models/table1.json");
    rng r = rng_seed(86);
    long n = campaign(2000), steps = 0;
    double worst = 0;
    for (long trial = 0; trial < n; ++trial) {
        wit_vec3 q = add3(vec3(5, 5, 4), random_vector(&r, 3, 20));
        wit_integrator i = trial % 2 ? WIT_INTEGRATOR_RK2 : WIT_INTEGRATOR_EULER;
        law_track def = law_alone(WIT_LAW_SWITCHING, i, 1);
        def.law.gain.value = 0.5 * least_limit(m.body, q, &def);
        wit_tracker* t = law_tracker(m.body, NULL, &def);
        for (int s = 0; s < 5; ++s) {
            int places = rng_int(&r, 9);
            double u = some_parameter(&r, places % 3), v = some_parameter(&r, places / 3);
            wit_witness start = on_face(u, v);
            wit_surface_jet j;
            wit_surface_eval(wit_body_face(m.body, 0).surface, u, v, 0, NULL, &j);
            double last = norm3(sub3(j.p, q));
            wit_tracker_place(t, &start, NULL);
            for (int k = 0; k < 40; ++k, ++steps) {
                wit_result x = law_step(t, q, 1e-3);
                double now = norm3(sub3(x.a.point, q));
                worst = fmax(worst, (now - last) / last);
                last = now;
            }
        }
        wit_tracker_destroy(t);
    }
    print_message("  %ld steps at half of the least limit over the patch: distance rises by %.2g at most\n", steps,
                  worst);
    assert_true(worst <= 1e-14);
    law_model_drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linearizing_makes_psi_decay_in_both_forms),
        cmocka_unit_test(linearizing_takes_a_matrix_and_gains_for_each),
        cmocka_unit_test(gradient_laws_descend_in_all_product_modes),
        cmocka_unit_test(switching_rests_only_at_minima_of_first_order),
        cmocka_unit_test(motion_that_is_left_never_raises_the_distance),
        cmocka_unit_test(no_law_leaves_the_patch),
        cmocka_unit_test(distance_never_rises_at_half_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
