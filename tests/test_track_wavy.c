/* SPDX-License-Identifier: MIT */
/*
 * Contact of a wavy patch and an ellipsoid, carried through touch. Where the relative curvature loses its sign the local
 * contact ends (a fold) and the witness must go elsewhere. It may; but it must say so.
 *
 * A witness jumps when it moves by more than a twentieth of the patch in one frame and by more than five times what its own
 * rate, before and after, explains.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "campaign.h"
#include "track_paths.h"

enum { NET = 7, FRAMES = 1000 };

/* A unit square of bicubic patches with random heights: the larger they are, the more folds. */
static wit_body* wavy_patch(rng* r, double height)
{
    double points[NET * NET * 3], knots[NET + 4];
    for (int i = 0; i < NET; ++i)
        for (int j = 0; j < NET; ++j) {
            double* p = points + 3 * (i * NET + j);
            p[0] = (double)i / (NET - 1);
            p[1] = (double)j / (NET - 1);
            p[2] = rng_range(r, -height, height);
        }
    for (int k = 0; k < NET + 4; ++k) knots[k] = k < 4 ? 0 : k >= NET ? 1 : (k - 3) / (double)(NET - 3);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 3;
    d.count_u = d.count_v = NET;
    d.knot_count_u = d.knot_count_v = NET + 4;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return track_body_of(&d, WIT_BODY_SHEET);
}

typedef struct counts {
    long frames, converged, inside, jumps, told, silent;
    int64_t most;
} counts;

static bool moves_by_itself(const wit_derivatives* d, double way, double dt)
{
    return d->known && way <= 5 * dt * norm3(d->witness_rate[0]);
}

/* One sweep: down to some depth, up again, sideways all the while. */
static void sweep(rng* r, const wit_body* patch, const wit_body* egg, counts* c)
{
    const unsigned says =
        WIT_FLAG_SWITCHED | WIT_FLAG_JUMPED | WIT_FLAG_REACQUIRED | WIT_FLAG_FELL_BACK | WIT_FLAG_CYCLE;
    const double dt = 1e-3;
    wit_vec3 from = {rng_range(r, 0.2, 0.8), rng_range(r, 0.2, 0.8), 0};
    wit_vec3 side = {rng_range(r, -0.3, 0.3), rng_range(r, -0.3, 0.3), 0};
    double low = rng_range(r, 0.12, 0.2), high = low + 0.25;
    wit_motion still = wit_motion_at_rest(wit_pose_identity()), m = still;
    m.pose.rotation = wit_quat_about(random_unit(r), rng_range(r, 0, 3));
    wit_tracker* t = track_start(patch, egg, NULL);
    wit_result last = {0};
    wit_derivatives before = {0}, after = {0};
    for (int i = 0; i < FRAMES; ++i) {
        double s = i / (FRAMES - 1.0), z = high + (low - high) * 4 * s * (1 - s);
        m.pose.position = vec3(from.x + s * side.x, from.y + s * side.y, z);
        m.twist.velocity = vec3(side.x, side.y, (low - high) * (4 - 8 * s));
        wit_result x;
        assert_int_equal(wit_tracker_step(t, &still, &m, dt, &x), WIT_OK);
        assert_int_equal(wit_tracker_derivatives(t, &after), WIT_OK);
        c->frames++;
        c->converged += x.outcome == WIT_OUTCOME_CONVERGED;
        c->inside += x.distance < 0;
        if (x.work.units > c->most) c->most = x.work.units;
        double way = norm3(sub3(x.a.point, last.a.point));
        bool both = i > 0 && x.outcome == WIT_OUTCOME_CONVERGED && last.outcome == WIT_OUTCOME_CONVERGED;
        if (i > 0 && way > 0.05 && !moves_by_itself(&before, way, dt) && !moves_by_itself(&after, way, dt)) {
            bool told = !both || (x.flags & says);
            c->jumps++;
            c->told += told;
            c->silent += !told;
            if (!told && c->silent < 4)
                print_error("silent jump by %g at frame %d: distance %g after %g\n", way, i, x.distance, last.distance);
        }
        last = x;
        before = after;
    }
    wit_tracker_destroy(t);
}

static void jumps_at_folds_are_told(void** state)
{
    (void)state;
    rng r = rng_seed(20);
    const double heights[3] = {0.02, 0.08, 0.2};
    wit_body* egg = track_ellipsoid(vec3(0.18, 0.12, 0.15), false);
    long inside = 0;
    for (int k = 0; k < 3; ++k) {
        counts c = {0};
        for (long n = campaign(100); n > 0; --n) {
            wit_body* patch = wavy_patch(&r, heights[k]);
            sweep(&r, patch, egg, &c);
            wit_body_destroy(patch);
        }
        print_message(
            "heights of %g: %ld frames, %ld behind the patch, converged %.2f %%; %ld jumps, all told but %ld; most "
            "%lld units\n",
            heights[k], c.frames, c.inside, 100.0 * (double)c.converged / (double)c.frames, c.jumps, c.silent,
            (long long)c.most);
        assert_int_equal(c.silent, 0);
        inside += c.inside;
        if (k == 0) assert_true((double)c.converged > 0.99 * (double)c.frames);
    }
    assert_true(inside > 0);
    wit_body_destroy(egg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jumps_at_folds_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
