/* SPDX-License-Identifier: MIT */
/* Two ellipsoids swept through touch: the contact form goes straight on, the papers' form says that it cannot. */
#include <stdlib.h>

#include "campaign.h"
#include "reference.h"
#include "track_ellipsoids.h"
#include "track_paths.h"

enum { DIRECTIONS = 100, STEPS = 200 };
static const double REACH = 0.025; /* of the size, either way */

typedef struct sweep {
    slab truth;
    wit_body* body[2];
    double size;
    wit_vec3 along;
    double touch; /* centres at touch, along that direction */
} sweep;

/* The width of the slab falls as the centres approach: the touching distance by bisection. */
static void find_touch(sweep* s)
{
    double lo = 0, hi = 2 * s->size;
    for (int k = 0; k < 100; k++) {
        double x = 0.5 * (lo + hi);
        slab t = s->truth;
        t.pose[1].position = addscaled3(t.pose[0].position, x, s->along);
        t.normal = s->along;
        if (!slab_solve(&t) || t.distance < 0)
            lo = x;
        else
            hi = x;
    }
    s->touch = 0.5 * (lo + hi);
}

static sweep sweep_make(const reference_ellipsoids* e, bool nurbs, rng* r)
{
    sweep s = {0};
    for (int k = 0; k < 2; k++) {
        s.body[k] = track_ellipsoid(e->axes[k], nurbs);
        s.truth.axes[k] = e->axes[k];
        s.truth.pose[k] = e->poses[k];
    }
    s.size = track_size(s.body[0], s.body[1]);
    s.along = random_unit(r);
    find_touch(&s);
    return s;
}

static void sweep_drop(sweep* s)
{
    wit_body_destroy(s->body[0]);
    wit_body_destroy(s->body[1]);
}

/* Where b is when `share` of the size is missing to touch, and the truth there. */
static wit_motion sweep_at(sweep* s, double share, double dt)
{
    wit_motion m = wit_motion_at_rest(s->truth.pose[1]);
    m.pose.position = addscaled3(s->truth.pose[0].position, s->touch + share * s->size, s->along);
    m.twist.velocity = scale3(-2 * REACH * s->size / (STEPS * dt), s->along);
    s->truth.pose[1] = m.pose;
    assert_true(slab_solve(&s->truth));
    return m;
}

typedef struct passage {
    long steps, wrong, jumps, open, mute, unfit, fell_back;
    double worst, leap, turn, rate;
    int64_t jets;
} passage;

/* The witness and the normal follow the truth within what a distance error of 1e-12 leaves open, which is 1e-6. */
static void look(passage* p, const sweep* s, const wit_result* r)
{
    double d = s->truth.distance, error = fabs(r->distance - d) / s->size;
    double leap = fmax(norm3(sub3(r->a.point, s->truth.point[0])), norm3(sub3(r->b.point, s->truth.point[1])));
    double turn = norm3(sub3(r->normal, s->truth.normal));
    p->steps++;
    p->worst = fmax(p->worst, error);
    p->leap = fmax(p->leap, leap / s->size);
    p->turn = fmax(p->turn, turn);
    p->wrong += !(error <= 1e-11);
    p->jumps += !(leap <= 1e-5 * s->size && turn <= 1e-5);
    p->open += r->outcome != WIT_OUTCOME_CONVERGED;
    bool overlapping = r->flags & WIT_FLAG_OVERLAPPING, touching = r->flags & WIT_FLAG_TOUCHING;
    if (d < -1e-9 * s->size) p->mute += !overlapping;
    if (d > 1e-9 * s->size) p->mute += overlapping || touching;
    p->fell_back += (r->flags & WIT_FLAG_FELL_BACK) != 0;
    p->unfit += !track_result_fits(r, 1e-12 * s->size);
    p->jets += r->work.jets;
}

static void sweep_through(const reference_ellipsoids* e, bool nurbs, bool back, rng* r, passage* p)
{
    sweep s = sweep_make(e, nurbs, r);
    wit_motion a = wit_motion_at_rest(s.truth.pose[0]);
    wit_tracker* t = track_start(s.body[0], s.body[1], NULL);
    double dt = 1e-3;
    s.truth.normal = s.along;
    int steps = back ? 2 * STEPS : STEPS;
    for (int i = 0; i <= steps; i++) {
        int k = i <= STEPS ? i : 2 * STEPS - i;
        wit_motion b = sweep_at(&s, REACH * (1 - 2.0 * k / STEPS), dt);
        if (i > STEPS) b.twist.velocity = scale3(-1, b.twist.velocity);
        wit_result o;
        assert_int_equal(wit_tracker_step(t, &a, &b, dt, &o), WIT_OK);
        look(p, &s, &o);
        /* a stands still and b does not turn: d' = n . velocity */
        double rate = dot3(o.normal, b.twist.velocity);
        p->rate = fmax(p->rate, fabs(o.rate - rate) / norm3(b.twist.velocity));
    }
    wit_tracker_destroy(t);
    sweep_drop(&s);
}

static void pass_all(bool nurbs, long directions, const char* name)
{
    reference ref = reference_read();
    rng r = rng_seed(681);
    passage p = {0};
    for (long k = 0; k < directions; k++) sweep_through(&ref.ellipsoid[k % ref.ellipsoids], nurbs, k % 2, &r, &p);
    print_message(
        "%s: %ld directions, %ld steps; distance off by %.2g of the size, witnesses by %.2g, normal by %.2g, rate by "
        "%.2g; "
        "wrong %ld, elsewhere %ld, not converged %ld, touch or overlap missed %ld, unfit %ld, fell back %ld; %.2f "
        "jets per step\n",
        name, directions, p.steps, p.worst, p.leap, p.turn, p.rate, p.wrong, p.jumps, p.open, p.mute, p.unfit,
        p.fell_back, (double)p.jets / (double)p.steps);
    assert_int_equal(p.wrong, 0);
    assert_int_equal(p.jumps, 0);
    assert_int_equal(p.open, 0);
    assert_int_equal(p.mute, 0);
    assert_int_equal(p.unfit, 0);
    assert_true(p.rate <= 1e-9);
    reference_drop(&ref);
}

static void contact_form_passes_through_touch(void** state)
{
    (void)state;
    pass_all(false, DIRECTIONS, "ellipsoids");
}

static void contact_form_passes_through_touch_of_nurbs(void** state)
{
    (void)state;
    pass_all(true, 10 + campaign(90), "NURBS ellipsoids");
}

/* Every common point solves the papers' conditions: there the step must not say that it found the pair. */
static void papers_form_says_overlapping_and_never_converges_at_no_gap(void** state)
{
    (void)state;
    reference ref = reference_read();
    rng r = rng_seed(682);
    long overlapping = 0, deep = 0, steps = 0, wrong = 0, false_end = 0;
    for (int k = 0; k < DIRECTIONS; k += campaign_every(4, 10)) {
        sweep s = sweep_make(&ref.ellipsoid[k % ref.ellipsoids], false, &r);
        wit_motion a = wit_motion_at_rest(s.truth.pose[0]);
        wit_track_def def = wit_track_default_def();
        def.form = WIT_FORM_PAPERS;
        wit_tracker* t = track_start(s.body[0], s.body[1], &def);
        s.truth.normal = s.along;
        for (int i = 0; i <= STEPS; i++) {
            wit_motion b = sweep_at(&s, REACH * (1 - 2.0 * i / STEPS), 1e-3);
            wit_result o;
            assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &o), WIT_OK);
            steps++;
            double d = s.truth.distance / s.size;
            if (d < -1e-6) {
                deep++;
                overlapping += (o.flags & WIT_FLAG_OVERLAPPING) != 0;
            }
            /* apart and well away from the singular place: as good as the contact form */
            if (d > 1e-3) wrong += !(fabs(o.distance - s.truth.distance) <= 1e-11 * s.size);
            double gap = norm3(sub3(o.a.point, o.b.point));
            if (d < -1e-6 && gap <= 1e-9 * s.size) false_end += o.outcome == WIT_OUTCOME_CONVERGED;
            assert_true(isfinite(o.distance) && finite3(o.normal));
        }
        wit_tracker_destroy(t);
        sweep_drop(&s);
    }
    print_message("papers' form: %ld steps, %ld inside, overlapping said at %ld of them; wrong apart %ld, converged "
                  "without a gap %ld\n",
                  steps, deep, overlapping, wrong, false_end);
    assert_int_equal(overlapping, deep);
    assert_int_equal(wrong, 0);
    assert_int_equal(false_end, 0);
    reference_drop(&ref);
}

/* Started inside each other: some contact, said to be one. */
static void a_start_inside_says_overlapping(void** state)
{
    (void)state;
    reference ref = reference_read();
    rng r = rng_seed(683);
    for (int form = 0; form < WIT_FORM_COUNT; form++)
        for (int k = 0; k < 20; k++) {
            sweep s = sweep_make(&ref.ellipsoid[k % ref.ellipsoids], false, &r);
            wit_track_def def = wit_track_default_def();
            def.form = (wit_form)form;
            wit_tracker* t = track_start(s.body[0], s.body[1], &def);
            s.truth.normal = s.along;
            wit_motion a = wit_motion_at_rest(s.truth.pose[0]), b = sweep_at(&s, -0.02, 1e-3);
            wit_result o;
            assert_int_equal(wit_tracker_step(t, &a, &b, 1e-3, &o), WIT_OK);
            assert_true(o.flags & WIT_FLAG_OVERLAPPING);
            if (form == WIT_FORM_CONTACT) assert_true(o.distance < 0);
            wit_tracker_destroy(t);
            sweep_drop(&s);
        }
    reference_drop(&ref);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_form_passes_through_touch),
        cmocka_unit_test(contact_form_passes_through_touch_of_nurbs),
        cmocka_unit_test(papers_form_says_overlapping_and_never_converges_at_no_gap),
        cmocka_unit_test(a_start_inside_says_overlapping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
