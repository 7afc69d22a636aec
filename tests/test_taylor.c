/* SPDX-License-Identifier: MIT */
/* Taylor models of curves and surfaces hold the evaluated points, for every kind, and are narrow on short pieces. */
#include "../src/geom/taylor_shape.h"
#include "campaign.h"
#include "random_surface.h"

/* A parameter that runs over a piece of the range, bent a little; in closed ranges over the seam, too. */
static taylor bent_parameter(rng* r, wit_interval range, bool closed, double share)
{
    double width = iv_width(range), from = range.lo + rng_range(r, closed ? -0.5 : 0, 1) * width;
    double to = from + rng_range(r, -share, share) * width;
    if (!closed) to = fmin(fmax(to, range.lo), range.hi);
    taylor t = wi_taylor_between(from, to);
    t.c[2] = t.c[1] * rng_range(r, -0.3, 0.3);
    t.c[3] = t.c[1] * rng_range(r, -0.1, 0.1);
    t.n = 3;
    return t;
}

/* Held for one of the choices of cells. */
static double least_miss(const taylor models[4][3], int count, double x, wit_vec3 p)
{
    const double q[3] = {p.x, p.y, p.z};
    double best = INFINITY;
    for (int k = 0; k < count; ++k) {
        double miss = 0;
        for (int i = 0; i < 3; ++i) miss = fmax(miss, fabs(wi_taylor_at(&models[k][i], x) - q[i]) - models[k][i].r);
        best = fmin(best, miss);
    }
    return best;
}

static int all_choices(const wit_surface* s, const taylor* u, const taylor* v, taylor models[4][3])
{
    taylor_path path = {0};
    wi_surface_taylor(s, u, v, models[0], &path);
    unsigned met = path.met;
    int n = 1;
    if (met & (met - 1) & ((met & (met - 1)) - 1)) return 0; /* more than two borders */
    for (unsigned choose = met; choose; choose = (choose - 1) & met) {
        taylor_path other = {.choose = choose};
        wi_surface_taylor(s, u, v, models[n++], &other);
    }
    return n;
}

static void surfaces_of_all_kinds_are_held(void** state)
{
    (void)state;
    rng r = rng_seed(71);
    long narrow = 0, known = 0, all = 0;
    for (long i = 0; i < campaign(20000); ++i) {
        wit_surface_kind kind = (wit_surface_kind)(i % WIT_SURFACE_KIND_COUNT);
        double size = exp2(rng_range(&r, -20, 20));
        wit_surface* s = random_any_surface(&r, kind, size);
        double share = exp2(rng_range(&r, -20, 0));
        taylor u = bent_parameter(&r, s->u, s->closed_u, share), v = bent_parameter(&r, s->v, s->closed_v, share);
        taylor models[4][3];
        int count = all_choices(s, &u, &v, models);
        double scale = norm3(s->frame.o) + s->speed_u * iv_width(s->u) + s->speed_v * iv_width(s->v);
        bool finite = count > 0 && isfinite(models[0][0].r + models[0][1].r + models[0][2].r);
        all += share < 1e-3;
        known += share < 1e-3 && finite;
        narrow += share < 1e-3 && finite && models[0][0].r <= 1e-12 * scale;
        for (int k = 0; k <= 20 && finite; ++k) {
            double x = k / 10.0 - 1;
            wit_surface_jet j;
            wit_surface_eval(s, wi_taylor_at(&u, x), wi_taylor_at(&v, x), 0, NULL, &j);
            double miss = least_miss((const taylor(*)[3])models, count, x, j.p), noise = 1e-13 * (scale + norm3(j.p));
            if (miss > noise) print_error("kind %d case %ld x %g: off by %g of %g\n", kind, i, x, miss, scale);
            assert_true(miss <= noise); /* what the evaluator rounds */
        }
        wit_surface_destroy(s);
    }
    print_message("of %ld short pieces %ld within one cell or two, %ld held to 1e-12 of the size\n", all, known,
                  narrow);
    assert_true((double)known >= 0.95 * (double)all && (double)narrow >= 0.9 * (double)known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces_of_all_kinds_are_held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
