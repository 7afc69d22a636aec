/* SPDX-License-Identifier: MIT */
/* What cells and pairs of cells claim, at points drawn from them: corners and inside alike. */
#include <stdio.h>
#include <stdlib.h>

#include "../include/witness/io.h"
#include "../src/query/search/pair_bound.h"
#include "../src/pair/refine.h"
#include "analytic.h"
#include "campaign.h"

enum { CELLS = 400, SAMPLES = 24 };

static const char* const models[] = {"bowl",   "capsule", "cone",        "ellipsoid", "goblet",
                                     "pen",    "plate",   "prism",       "shapes",    "prism-dome",
                                     "table1", "torus",   "torus-nurbs", "three-ball"};
enum { MODELS = sizeof models / sizeof models[0] };

typedef struct pieces {
    wit_model* model[MODELS];
    cell cells[CELLS];
    side side[2];
    cell_pool pool;
} pieces;

static int set_up(void** state)
{
    pieces* p = calloc(1, sizeof *p);
    if (!p) return -1;
    *state = p;
    for (int k = 0; k < MODELS; ++k) {
        char path[128];
        snprintf(path, sizeof path, "models/%s.json", models[k]);
        p->model[k] = wit_model_read_file(path, NULL, NULL);
        if (!p->model[k]) return -1;
    }
    return 0;
}

static int tear_down(void** state)
{
    pieces* p = *state;
    for (int k = 0; k < MODELS; ++k) wit_model_destroy(p->model[k]);
    free(p);
    return 0;
}

static void draw_sides(pieces* p, rng* r, bool rigorous)
{
    for (int k = 0; k < 2; ++k) {
        wit_placed placed = {wit_model_body(p->model[rng_int(r, MODELS)], 0), wit_pose_identity(), NULL};
        wit_pose frame = wit_pose_identity();
        placed.pose.position = random_vector(r, 0, placed.body->size);
        wit_vec3 axis = random_unit(r);
        placed.pose.rotation = wit_quat_about(axis, rng_range(r, 0, 6));
        p->side[k] = wi_side_of(&placed, &frame, NULL);
    }
    wi_cell_pool_start(&p->pool, &p->side[0], &p->side[1], rigorous, p->cells, CELLS);
}

/* A piece of a feature, some levels below its leaf. -1: there was none this way. */
static int draw_cell(pieces* p, rng* r, int which)
{
    int index = wi_cell_root(&p->pool, which);
    for (int below = rng_int(r, 14); index >= 0 && (p->cells[index].inner || below > 0);) {
        if (!p->cells[index].inner) --below;
        if (!wi_cell_split(&p->pool, index)) break;
        const cell* c = &p->cells[index];
        int k = rng_int(r, 2);
        index = c->child[k] >= 0 ? c->child[k] : c->child[1 - k];
    }
    return index;
}

/* Just inside: beyond the end of a piece of a spline another one begins. */
static double draw(rng* r, double h)
{
    h *= 1 - 1e-9;
    int k = rng_int(r, 4);
    return k == 0 ? -h : k == 1 ? h : rng_range(r, -h, h);
}

/* Roundings of a jet and of the two sums that a claim is made of. */
static void holds(const char* claim, double value, double bound, double size)
{
    if (!(value <= bound + 64 * EPS * size)) fail_msg("%s: %.17g > %.17g (sizes %g)", claim, value, bound, size);
}

static wit_vec3 combine(wit_vec3 a, double x, wit_vec3 b, double y)
{
    return addscaled3(scale3(x, a), y, b);
}

static void check_cell(const cell* c, const wit_surface_jet* at, const double d[2])
{
    const wit_surface_jet* j = &c->jet;
    wit_vec3 offset = sub3(at->p, j->p);
    double x = d[0], y = d[1], size = norm3(at->p) + norm3(j->p);
    wit_vec3 linear = combine(j->du, x, j->dv, y);
    wit_vec3 bend = addscaled3(combine(j->duu, 0.5 * x * x, j->duv, x * y), 0.5 * y * y, j->dvv);
    wit_vec3 rest = sub3(offset, linear);
    holds("radius", norm3(offset), c->radius, size);
    holds("lin", norm3(linear), c->lin, size);
    holds("e2", norm3(rest), c->e2, size);
    holds("e3", norm3(sub3(rest, bend)), c->e3, size);
    wit_vec3 off = sub3(at->p, c->centre);
    holds("box", fabs(off.x), c->half.x, size);
    holds("box", fabs(off.y), c->half.y, size);
    holds("box", fabs(off.z), c->half.z, size);
    const wit_vec3 *f = &j->du, *g = &at->du, *ff = &j->duu, *gg = &at->duu;
    for (int i = 0; i < c->count; ++i) {
        wit_vec3 change = sub3(g[i], f[i]);
        double first = norm3(g[i]) + norm3(f[i]);
        holds("d1", norm3(g[i]), c->d1[i], first);
        holds("t", norm3(change), c->t[i], first);
        if (c->count == 1) holds("t2", norm3(sub3(change, scale3(x, ff[0]))), c->t2[i], first);
        if (c->count == 2) holds("t2", norm3(sub3(change, combine(ff[i], x, ff[i + 1], y))), c->t2[i], first);
        for (int k = i; k < c->count; ++k) {
            double second = norm3(gg[i + k]) + norm3(ff[i + k]);
            holds("d2", norm3(gg[i + k]), c->d2[i + k], second);
            holds("s", norm3(sub3(gg[i + k], ff[i + k])), c->s[i + k], second);
        }
    }
}

typedef struct drawn {
    double d[2][2];
    wit_surface_jet jet[2];
} drawn;

static void draw_points(const pieces* p, const cell* const c[2], rng* r, drawn* out)
{
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 2; ++i) out->d[k][i] = i < c[k]->count ? draw(r, c[k]->h[i]) : 0;
        wi_side_jet(&p->side[k],
                    &(place){.kind = (wit_feature_kind)c[k]->kind,
                             .id = c[k]->id,
                             .u = c[k]->mid[0] + out->d[k][0],
                             .v = c[k]->mid[1] + out->d[k][1]},
                    WIT_KNOT_DEFAULT, NULL, &out->jet[k]);
        check_cell(c[k], &out->jet[k], out->d[k]);
    }
}

/* |F_i(x) - g_i - (H d)_i| <= rest_i. */
static void check_rests(const pair_form* form, const drawn* x)
{
    wit_vec3 r = sub3(x->jet[0].p, x->jet[1].p);
    for (int i = 0; i < form->n; ++i) {
        bool of_a = i < form->na;
        wit_vec3 tangent = of_a ? (&x->jet[0].du)[i] : (&x->jet[1].du)[i - form->na];
        double slope = of_a ? dot3(r, tangent) : -dot3(r, tangent), model = form->g[i],
               size = fabs(slope) + fabs(model);
        for (int j = 0; j < form->n; ++j) {
            double d = j < form->na ? x->d[0][j] : x->d[1][j - form->na];
            model += form->H[i * form->n + j] * d;
            size += fabs(form->H[i * form->n + j] * d);
        }
        size += norm3(tangent) * (norm3(x->jet[0].p) + norm3(x->jet[1].p));
        holds("rest", fabs(slope - model), form->g_remainder[i], size);
    }
}

/* H at the drawn points, from the solver. */
static refined there(const pieces* p, const cell* const c[2], const drawn* x)
{
    place q[2];
    for (int k = 0; k < 2; ++k) {
        q[k] = wi_cell_place(c[k]);
        q[k].u += x->d[k][0];
        q[k].v += x->d[k][1];
    }
    refine_bounds bounds = {{{-INFINITY, INFINITY}, {-INFINITY, INFINITY}},
                            {{-INFINITY, INFINITY}, {-INFINITY, INFINITY}}};
    refined r;
    wi_refine_pair(&p->side[0], &q[0], &p->side[1], &q[1], &bounds, (refine_effort){0, 0}, &r);
    return r;
}

static void check_convex(const pieces* p, const cell* const c[2], const pair_form* form, const drawn* x, double least)
{
    refined r = there(p, c, x);
    double values[SOLVE_MAX];
    if (!form->n || r.n != form->n) return;
    assert_true(wi_eigen_symmetric(r.n, r.H, values, NULL));
    assert_true(values[0] >= -1e-9 * fabs(values[r.n - 1]));
    double d[SOLVE_MAX], size = norm3(r.a.p) + norm3(r.b.p);
    for (int i = 0; i < form->n; ++i) d[i] = i < form->na ? x->d[0][i] : x->d[1][i - form->na];
    holds("convex", wi_pair_convex_bound(form, d, r.distance, r.g), least, size);
}

/* The minimum over a pair that is said to hold none must lie on its border. */
static void check_no_minimum(const pieces* p, const cell* const c[2])
{
    refine_bounds bounds;
    for (int i = 0; i < 2; ++i) {
        bounds.a[i] = iv(c[0]->mid[i] - c[0]->h[i], c[0]->mid[i] + c[0]->h[i]);
        bounds.b[i] = iv(c[1]->mid[i] - c[1]->h[i], c[1]->mid[i] + c[1]->h[i]);
    }
    place a = wi_cell_place(c[0]), b = wi_cell_place(c[1]);
    refined r;
    wi_refine_pair(&p->side[0], &a, &p->side[1], &b, &bounds, (refine_effort){60, 0}, &r);
    if (!r.converged || !r.regular || r.held || r.n != c[0]->count + c[1]->count) return;
    fail_msg("a minimum at %.17g inside: kinds %d %d", r.distance, (int)a.kind, (int)b.kind);
}

static void check_pair(const pieces* p, rng* r, int ia, int ib)
{
    const cell* const c[2] = {&p->cells[ia], &p->cells[ib]};
    const side* const sides[2] = {&p->side[0], &p->side[1]};
    pair_form form;
    pair_form_begin(c[0], c[1], &form);
    wi_pair_form_slopes(c[0], c[1], &form);
    wi_pair_form_hessian(c[0], c[1], &form);
    wit_vec3 n = rng_int(r, 2) ? random_unit(r) : unit3(form.r);
    double lower[6] = {wi_pair_box_bound(c[0], c[1]),
                       pair_ball_bound(c[0], c[1], &form),
                       wi_pair_slab_bound(c[0], c[1], &form),
                       wi_pair_plane_bound(c[0], c[1], n),
                       wi_pair_sector_bound(sides, c[0], c[1], n),
                       0};
    bool convex = wi_pair_convex_floor(c[0], c[1], &form, &lower[5]),
         none = wi_pair_has_no_minimum(c[0], c[1], &form, true);
    double least = INFINITY;
    drawn x;
    for (int k = 0; k < SAMPLES; ++k) {
        draw_points(p, c, r, &x);
        wit_vec3 gap = sub3(x.jet[0].p, x.jet[1].p);
        double distance = norm3(gap), size = norm3(x.jet[0].p) + norm3(x.jet[1].p);
        least = smaller(least, distance);
        static const char* const claim[] = {"box", "ball", "slab", "plane", "sector", "floor"};
        for (int i = 0; i < (convex ? 6 : 5); ++i) holds(claim[i], lower[i], distance, size);
        holds("plane", lower[3], dot3(n, gap), size);
        holds("sector", lower[4], dot3(n, gap), size);
        check_rests(&form, &x);
    }
    if (convex)
        for (int k = 0; k < 4; ++k) {
            drawn y;
            draw_points(p, c, r, &y);
            check_convex(p, c, &form, &y, least);
        }
    if (none) check_no_minimum(p, c);
}

static void bounds_hold_at_drawn_points(void** state)
{
    pieces* p = *state;
    rng r = rng_seed(3);
    long drawn_pairs = 0;
    for (long k = campaign(300000); k > 0; --k) {
        draw_sides(p, &r, rng_int(&r, 3) == 0);
        int a = draw_cell(p, &r, 0);
        int b = draw_cell(p, &r, 1);
        if (a < 0 || b < 0) continue;
        check_pair(p, &r, a, b);
        ++drawn_pairs;
    }
    assert_true(drawn_pairs > 0);
}

/* Pairs that lie close together, as a search meets them at its end: each cell of b is moved on to one of a. */
static void bounds_hold_for_cells_that_nearly_touch(void** state)
{
    pieces* p = *state;
    rng r = rng_seed(4);
    for (long k = campaign(300000); k > 0; --k) {
        draw_sides(p, &r, false);
        rng again = r; /* the same ways down once more, at the new place */
        int a = draw_cell(p, &r, 0);
        int b = draw_cell(p, &r, 1);
        if (a < 0 || b < 0) continue;
        double far = p->cells[a].radius + p->cells[b].radius;
        wit_vec3 gap = random_vector(&r, 0.01 * far, 3 * far);
        p->side[1].t = add3(p->side[1].t, add3(sub3(p->cells[a].jet.p, p->cells[b].jet.p), gap));
        wi_cell_pool_start(&p->pool, &p->side[0], &p->side[1], false, p->cells, CELLS);
        a = draw_cell(p, &again, 0);
        b = draw_cell(p, &again, 1);
        if (a >= 0 && b >= 0) check_pair(p, &r, a, b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_at_drawn_points),
        cmocka_unit_test(bounds_hold_for_cells_that_nearly_touch),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
