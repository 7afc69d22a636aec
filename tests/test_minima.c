/* SPDX-License-Identifier: MIT */
/* Every local minimum: against closed forms, numbers of the reference, and a dense search that finds them by brute force. */
#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "campaign.h"
#include "random_surface.h"

enum { ROOM = 64 };
#define PI_T 3.14159265358979323846

static wit_query* query_with(double within, int64_t budget, int capacity)
{
    wit_query_def d = wit_query_default_def();
    wit_error e = {0};
    d.within = within;
    if (budget) d.budget = budget;
    if (capacity) d.capacity = capacity;
    wit_query* q = wit_query_create(&d, NULL, &e);
    if (!q) fail_msg("%s: %s", e.item, e.text);
    return q;
}

static wit_model* model_named(const char* name)
{
    char path[128];
    wit_error e = {0};
    snprintf(path, sizeof path, "models/%s.json", name);
    wit_model* m = wit_model_read_file(path, NULL, &e);
    if (!m) fail_msg("%s:%d:%d: %s: %s (tests run from the root of the tree)", path, e.line, e.column, e.item, e.text);
    return m;
}

typedef struct answer {
    wit_minimum m[ROOM];
    wit_minima_summary s;
} answer;

static void ask_point(wit_query* q, const wit_body* body, wit_vec3 p, answer* out)
{
    wit_placed a = wit_placed_at(body, wit_pose_identity());
    assert_int_equal(wit_minima_point(q, &a, p, out->m, ROOM, &out->s), WIT_OK);
}

static void ask_pair(wit_query* q, const wit_body* a, wit_pose pa, const wit_body* b, wit_pose pb, answer* out)
{
    wit_placed x = wit_placed_at(a, pa), y = wit_placed_at(b, pb);
    assert_int_equal(wit_minima_pair(q, &x, &y, out->m, ROOM, &out->s), WIT_OK);
}

static wit_pose pose_about_x(double x, double y, double z, double degrees)
{
    wit_pose p = {vec3(x, y, z), wit_quat_about(vec3(1, 0, 0), degrees * PI_T / 180)};
    return p;
}

static void assert_near(double x, double y, double tolerance)
{
    if (!(fabs(x - y) <= tolerance)) fail_msg("%.17g is not %.17g within %g", x, y, tolerance);
}

/* What every answer must have. */
static void assert_in_order(const answer* r)
{
    for (int i = 0; i < r->s.count && i < ROOM; ++i) {
        const wit_minimum* m = &r->m[i];
        wit_vec3 gap = sub3(m->b.point, m->a.point);
        assert_near(norm3(gap), fabs(m->distance), 1e-13 * (1 + norm3(m->a.point) + norm3(m->b.point)));
        assert_true(fabs(m->distance) >= r->s.lower_bound);
        if (i) assert_true(fabs(m->distance) >= fabs(m[-1].distance) * (1 - 1e-9) - 1e-9 * norm3(m->a.point));
    }
}

/* ---- brute force: points ------------------------------------------------------------------- */

enum { GRID = 49, REFINE = 70 };

/* All of a bare surface as a function of its parameters; closed ones wrap. */
typedef struct sheet {
    const wit_surface* s;
    wit_surface_info info;
} sheet;

static sheet sheet_of(const wit_surface* s)
{
    sheet r = {s, wit_surface_describe(s)};
    return r;
}

static wit_vec3 sheet_at(const sheet* x, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(x->s, u, v, WIT_SIDE_DEFAULT, NULL, &j);
    return j.p;
}

static double held(wit_interval range, bool closed, double x)
{
    return closed ? x : fmin(range.hi, fmax(range.lo, x));
}

/* From x, the best of the neighbours at +- step in every combination of the n parameters, or half the step: a pattern
 * search with nothing in common with Newton's method. */
typedef double objective(const void* data, const double* x);
typedef void holding(const void* data, double* x);

static double pattern_search(objective* f, holding* hold, const void* data, int n, double* x, double* step, int rounds)
{
    double best = f(data, x);
    int around = n == 2 ? 9 : 81;
    for (int round = 0; round < rounds;) {
        double found[4] = {0}, lowest = best;
        for (int k = 0; k < around; ++k) {
            double y[4] = {0};
            for (int i = 0, code = k; i < n; ++i, code /= 3) y[i] = x[i] + (code % 3 - 1) * step[i];
            hold(data, y);
            double d = f(data, y);
            if (d < lowest) {
                lowest = d;
                memcpy(found, y, sizeof found);
            }
        }
        if (lowest < best) {
            best = lowest;
            for (int i = 0; i < n; ++i) x[i] = found[i];
        } else {
            ++round;
            for (int i = 0; i < n; ++i) step[i] *= 0.5;
        }
    }
    return best;
}

typedef struct point_case {
    sheet s;
    wit_vec3 q;
} point_case;

static double point_distance(const void* data, const double* x)
{
    const point_case* c = data;
    return norm3(sub3(sheet_at(&c->s, x[0], x[1]), c->q));
}

static void point_hold(const void* data, double* x)
{
    const point_case* c = data;
    x[0] = held(c->s.info.range_u, c->s.info.closed_u, x[0]);
    x[1] = held(c->s.info.range_v, c->s.info.closed_v, x[1]);
}

typedef struct brute {
    int count;
    double distance[ROOM];
    wit_vec3 a[ROOM], b[ROOM];
} brute;

static void brute_add(brute* out, double d, wit_vec3 a, wit_vec3 b, double near)
{
    for (int i = 0; i < out->count; ++i)
        if (norm3(sub3(out->a[i], a)) < near && norm3(sub3(out->b[i], b)) < near) return;
    if (out->count == ROOM) return;
    out->distance[out->count] = d;
    out->a[out->count] = a;
    out->b[out->count++] = b;
}

static double at_grid(wit_interval r, int i)
{
    return r.lo + (r.hi - r.lo) * i / (GRID - 1);
}

/* Grid points that no neighbour undercuts, each refined; those that end in one place are one. */
static void brute_point(const point_case* c, double size, brute* out)
{
    static double d[GRID][GRID];
    wit_interval u = c->s.info.range_u, v = c->s.info.range_v;
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            double x[2] = {at_grid(u, i), at_grid(v, j)};
            d[i][j] = point_distance(c, x);
        }
    out->count = 0;
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            bool lowest = true;
            for (int k = -1; k <= 1; ++k)
                for (int l = -1; l <= 1; ++l) {
                    int p = i + k, q = j + l;
                    if (p < 0 || p >= GRID) p = c->s.info.closed_u ? (p + GRID - 1) % (GRID - 1) : i;
                    if (q < 0 || q >= GRID) q = c->s.info.closed_v ? (q + GRID - 1) % (GRID - 1) : j;
                    lowest &= d[i][j] <= d[p][q];
                }
            if (!lowest) continue;
            double x[4] = {at_grid(u, i), at_grid(v, j)};
            double step[4] = {0.5 * iv_width(u) / GRID, 0.5 * iv_width(v) / GRID};
            double best = pattern_search(point_distance, point_hold, c, 2, x, step, REFINE);
            brute_add(out, best, sheet_at(&c->s, x[0], x[1]), c->q, 1e-3 * size);
        }
}

/* No point of the surface near the witness is closer. */
static void assert_minimum_of_sheet(const point_case* c, const wit_minimum* m, double size, rng* r)
{
    wit_interval u = c->s.info.range_u, v = c->s.info.range_v;
    double at[2] = {0, 0}, least = INFINITY;
    if (m->a.feature != WIT_FACE) { /* parameters of the face: the nearest of a grid, then a pattern search */
        for (int i = 0; i < GRID; ++i)
            for (int j = 0; j < GRID; ++j) {
                double d = norm3(sub3(sheet_at(&c->s, at_grid(u, i), at_grid(v, j)), m->a.point));
                if (d >= least) continue;
                least = d;
                at[0] = at_grid(u, i);
                at[1] = at_grid(v, j);
            }
        point_case foot = {c->s, m->a.point};
        double step[4] = {iv_width(u) / GRID, iv_width(v) / GRID}, x[4] = {at[0], at[1]};
        least = pattern_search(point_distance, point_hold, &foot, 2, x, step, REFINE);
        if (least > 1e-9 * size) return; /* in another fold: not found, not judged */
        at[0] = x[0];
        at[1] = x[1];
    } else {
        at[0] = m->a.u;
        at[1] = m->a.v;
    }
    for (int k = 0; k < 200; ++k) {
        double scale = pow(10, rng_range(r, -7, -5));
        double x[4] = {at[0] + scale * iv_width(u) * rng_range(r, -1, 1), 0};
        x[1] = at[1] + scale * iv_width(v) * rng_range(r, -1, 1);
        point_hold(c, x);
        double d = point_distance(c, x);
        if (d < m->distance - 1e-13 * (size + m->distance))
            fail_msg("%.17g is closer than the minimum %.17g (%s %d)", d, m->distance,
                     wit_feature_kind_name(m->a.feature), m->a.id);
    }
}

/* Null where creases of a wild surface cannot be made edges. */
static wit_body* bare_body(const wit_surface* s)
{
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    wit_face_def f = {.surface = s};
    wit_error e = {0};
    d.face_count = 1;
    d.faces = &f;
    return wit_body_create(&d, NULL, &e);
}

/* Every minimum of the dense search is in the answer, and every one of the answer is one. */
static void assert_same_minima(const answer* r, const brute* b, double size)
{
    assert_in_order(r);
    for (int i = 0; i < b->count; ++i) {
        bool there = false;
        for (int k = 0; k < r->s.count && !there; ++k)
            there = fabs(fabs(r->m[k].distance) - b->distance[i]) < 1e-8 * size &&
                    norm3(sub3(r->m[k].a.point, b->a[i])) < 1e-2 * size &&
                    norm3(sub3(r->m[k].b.point, b->b[i])) < 1e-2 * size;
        if (!there)
            fail_msg("the minimum at %.17g (%g %g %g) is not among the %d found (complete %d)", b->distance[i],
                     b->a[i].x, b->a[i].y, b->a[i].z, r->s.count, r->s.complete);
    }
}

static int patch_query(wit_query* q, wit_surface* s, wit_body* body, wit_vec3 p, double size, rng* r)
{
    point_case c = {sheet_of(s), p};
    answer out;
    brute b;
    ask_point(q, body, p, &out);
    assert_true(out.s.complete);
    brute_point(&c, size, &b);
    assert_same_minima(&out, &b, size);
    for (int k = 0; k < out.s.count; ++k) assert_minimum_of_sheet(&c, &out.m[k], size, r);
    return out.s.count;
}

static void random_patches_have_the_minima_of_a_dense_search(void** state)
{
    (void)state;
    const double scales[3] = {1, 1e-6, 1e6};
    wit_query* q = query_with(INFINITY, 0, 0);
    long several = 0, refused = 0, n = campaign(600);
    for (long i = 0; i < n; ++i) {
        rng r = rng_seed(7100 + (uint64_t)i);
        double size = scales[i % 3];
        random_surface* spline = test_malloc(sizeof *spline);
        int degree_u = 1 + rng_int(&r, 4);
        int degree_v = 1 + rng_int(&r, 4);
        random_surface_make(&r, degree_u, degree_v, size, spline);
        wit_surface* s = surface_made(&spline->def);
        test_free(spline);
        wit_body* body = bare_body(s);
        wit_vec3 p = random_vector(&r, 0, 4 * size);
        if (body)
            several += patch_query(q, s, body, p, size, &r) > 1;
        else
            ++refused;
        wit_body_destroy(body);
        wit_surface_destroy(s);
    }
    assert_true(several > n / 10 && 10 * refused <= n);
    wit_query_destroy(q);
}

/* ---- brute force: pairs -------------------------------------------------------------------- */

enum { COARSE_GRID = 17 };

typedef struct pair_case {
    sheet a, b;
} pair_case;

static double pair_distance(const void* data, const double* x)
{
    const pair_case* c = data;
    return norm3(sub3(sheet_at(&c->a, x[0], x[1]), sheet_at(&c->b, x[2], x[3])));
}

static void pair_hold(const void* data, double* x)
{
    const pair_case* c = data;
    x[0] = held(c->a.info.range_u, c->a.info.closed_u, x[0]);
    x[1] = held(c->a.info.range_v, c->a.info.closed_v, x[1]);
    x[2] = held(c->b.info.range_u, c->b.info.closed_u, x[2]);
    x[3] = held(c->b.info.range_v, c->b.info.closed_v, x[3]);
}

static int beside(int i, int step, bool closed)
{
    int k = i + step, last = COARSE_GRID - 1;
    if (k < 0 || k > last) return closed ? (k + last) % last : i;
    return k;
}

static bool undercut(double* const* rows, const pair_case* c, const int* at)
{
    const bool closed[4] = {c->a.info.closed_u, c->a.info.closed_v, c->b.info.closed_u, c->b.info.closed_v};
    double here = rows[at[0] * COARSE_GRID + at[1]][at[2] * COARSE_GRID + at[3]];
    for (int k = 0; k < 81; ++k) {
        int n[4];
        for (int i = 0, code = k; i < 4; ++i, code /= 3) n[i] = beside(at[i], code % 3 - 1, closed[i]);
        if (rows[n[0] * COARSE_GRID + n[1]][n[2] * COARSE_GRID + n[3]] < here) return true;
    }
    return false;
}

static void brute_pair(const pair_case* c, double size, brute* out)
{
    enum { N = COARSE_GRID, NN = N * N };
    wit_interval range[4] = {c->a.info.range_u, c->a.info.range_v, c->b.info.range_u, c->b.info.range_v};
    double** rows = test_malloc(NN * sizeof *rows);
    double at[4];
    for (int i = 0; i < NN; ++i) {
        rows[i] = test_malloc(NN * sizeof **rows);
        at[0] = range[0].lo + iv_width(range[0]) * (i / N) / (N - 1);
        at[1] = range[1].lo + iv_width(range[1]) * (i % N) / (N - 1);
        wit_vec3 p = sheet_at(&c->a, at[0], at[1]);
        for (int j = 0; j < NN; ++j) {
            at[2] = range[2].lo + iv_width(range[2]) * (j / N) / (N - 1);
            at[3] = range[3].lo + iv_width(range[3]) * (j % N) / (N - 1);
            rows[i][j] = norm3(sub3(p, sheet_at(&c->b, at[2], at[3])));
        }
    }
    out->count = 0;
    for (int i = 0; i < NN; ++i)
        for (int j = 0; j < NN; ++j) {
            int k[4] = {i / N, i % N, j / N, j % N};
            if (undercut(rows, c, k)) continue;
            double step[4];
            for (int m = 0; m < 4; ++m) {
                at[m] = range[m].lo + iv_width(range[m]) * k[m] / (N - 1);
                step[m] = 0.5 * iv_width(range[m]) / N;
            }
            double best = pattern_search(pair_distance, pair_hold, c, 4, at, step, 40);
            brute_add(out, best, sheet_at(&c->a, at[0], at[1]), sheet_at(&c->b, at[2], at[3]), 1e-2 * size);
        }
    for (int i = 0; i < NN; ++i) test_free(rows[i]);
    test_free(rows);
}

static wit_surface* random_smooth_patch(rng* r, double size, wit_vec3 centre)
{
    double points[3 * 25];
    double knots[8] = {0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 25; ++i) {
        points[3 * i] = centre.x + size * (0.25 * (i / 5) - 0.5 + rng_range(r, -0.1, 0.1));
        points[3 * i + 1] = centre.y + size * (0.25 * (i % 5) - 0.5 + rng_range(r, -0.1, 0.1));
        points[3 * i + 2] = centre.z + size * rng_range(r, -0.4, 0.4);
    }
    for (int i = 0; i < 8; ++i) knots[i] = i < 3 ? 0 : i < 5 ? (i - 2) / 3.0 : 1;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 2;
    d.count_u = d.count_v = 5;
    d.knot_count_u = d.knot_count_v = 8;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

static void random_pairs_of_patches_have_the_minima_of_a_dense_search(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 3000000, 1 << 17);
    long several = 0;
    for (long i = 0, n = campaign(60); i < n; ++i) {
        rng r = rng_seed(7900 + (uint64_t)i);
        const double scales[3] = {1, 1e-6, 1e6};
        double size = scales[i % 3];
        pair_case c;
        wit_vec3 apart = vec3(size * rng_range(&r, -0.3, 0.3), size * rng_range(&r, -0.3, 0.3), 1.5 * size);
        wit_surface* s = random_smooth_patch(&r, size, vec3(0, 0, 0));
        wit_surface* t = random_smooth_patch(&r, size, apart);
        c.a = sheet_of(s);
        c.b = sheet_of(t);
        wit_body *a = bare_body(s), *b = bare_body(t);
        answer out;
        brute by_grid;
        ask_pair(q, a, wit_pose_identity(), b, wit_pose_identity(), &out);
        assert_true(out.s.complete);
        brute_pair(&c, size, &by_grid);
        assert_same_minima(&out, &by_grid, size);
        for (int k = 0; k < out.s.count; ++k) { /* no closer point on the one for the other's witness */
            point_case x = {c.a, out.m[k].b.point}, y = {c.b, out.m[k].a.point};
            wit_minimum turned = out.m[k];
            turned.a = out.m[k].b;
            assert_minimum_of_sheet(&x, &out.m[k], size, &r);
            assert_minimum_of_sheet(&y, &turned, size, &r);
        }
        several += out.s.count > 1;
        wit_body_destroy(a);
        wit_body_destroy(b);
        wit_surface_destroy(s);
        wit_surface_destroy(t);
    }
    assert_true(several > 0);
    wit_query_destroy(q);
}

/* ---- numbers of the reference -------------------------------------------------------------- */

static void table1_patch_has_both_minima(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model* m = model_named("table1");
    wit_surface* s = (wit_surface*)wit_model_surface(m, 0);
    wit_body* body = (wit_body*)wit_model_body(m, 0);
    rng r = rng_seed(14);
    const wit_vec3 named[2] = {{13.6, 4.78, -1.3}, {10.909, 6.797, 2.210}};
    for (int i = 0; i < 2; ++i) assert_int_equal(patch_query(q, s, body, named[i], 15, &r), 2);
    int two = 0;
    for (int i = 0; i < 200; ++i) {
        wit_vec3 p;
        p.x = rng_range(&r, -5, 15);
        p.y = rng_range(&r, -5, 15);
        p.z = rng_range(&r, -5, 12);
        int count = patch_query(q, s, body, p, 15, &r);
        assert_true(count >= 1);
        two += count > 1;
    }
    assert_true(two >= 4 && two <= 60); /* 8 of 200 exterior points of the errata; these lie inside as well */
    wit_model_destroy(m);
    wit_query_destroy(q);
}

typedef struct pen_row {
    double degrees, distance;
    int count;              /* of minima at that distance */
    const char *pen, *bowl; /* edges */
    double x, y, z;         /* the bowl's witness, up to the sign of x or of y */
} pen_row;

static void pen_and_bowl_have_their_tied_pairs(void** state)
{
    (void)state;
    static const pen_row rows[] = {
        {270, 7.566372975210778, 2, NULL, "C1", 0, 4, 4},
        {178, 0.994416664463314, 2, "C3", "C1", 0.405271, 3.97942, 4},
        {225, 4.22366183145959, 2, "C3", "C1", 1.94125, 3.49736, 4},
    };
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    const wit_body *pen = wit_model_body(pens, 0), *bowl = wit_model_body(bowls, 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        answer r;
        ask_pair(q, pen, pose_about_x(0, -4, 12, rows[i].degrees), bowl, wit_pose_identity(), &r);
        assert_in_order(&r);
        assert_true(r.s.complete && !r.s.overlapping);
        assert_int_equal(r.s.count, rows[i].count);
        for (int k = 0; k < r.s.count; ++k) {
            const wit_minimum* m = &r.m[k];
            assert_near(m->distance, rows[i].distance, 1e-12);
            assert_true(m->proved && m->set.dimension == 0);
            assert_int_equal(m->a.feature, WIT_EDGE);
            assert_int_equal(m->b.feature, WIT_EDGE);
            assert_int_equal(m->b.id, wit_body_find(bowl, WIT_EDGE, rows[i].bowl));
            if (rows[i].pen) assert_int_equal(m->a.id, wit_body_find(pen, WIT_EDGE, rows[i].pen));
            assert_near(fabs(m->b.point.x), rows[i].x, 1e-5);
            assert_near(fabs(m->b.point.y), rows[i].y, 1e-5);
            assert_near(m->b.point.z, rows[i].z, 1e-12);
        }
        assert_true(norm3(sub3(r.m[0].b.point, r.m[1].b.point)) > 0.5);
    }
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
    wit_query_destroy(q);
}

/* ---- closed forms -------------------------------------------------------------------------- */

static wit_body* solid(wit_solid_kind kind, double x, double y, double z, double radius, double radius2, double height)
{
    wit_solid_def d = wit_solid_default_def(kind);
    wit_error e = {0};
    d.size_x = x;
    d.size_y = y;
    d.size_z = z;
    d.radius = radius;
    d.radius2 = radius2;
    d.height = height;
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) fail_msg("%s: %s", e.item, e.text);
    return b;
}

/* Within n of the three slabs: inside all six faces; before a face that and the opposite one; else the corner alone. */
static void box_has_as_many_minima_as_the_slabs_say(void** state)
{
    (void)state;
    static const int counts[4] = {1, 1, 2, 6};
    const double scales[3] = {1, 1e-6, 1e6};
    for (int k = 0; k < 3; ++k) {
        double size = scales[k];
        wit_query* q = query_with(INFINITY, 0, 0);
        wit_body* b = solid(WIT_SOLID_BOX, 2 * size, 3 * size, 4 * size, 0, 0, 0);
        rng r = rng_seed(99);
        for (int i = 0; i < 200; ++i) {
            wit_vec3 p;
            p.x = size * rng_range(&r, -2.5, 2.5);
            p.y = size * rng_range(&r, -3, 3);
            p.z = size * rng_range(&r, -4, 4);
            int within = (fabs(p.x) < size) + (fabs(p.y) < 1.5 * size) + (fabs(p.z) < 2 * size);
            answer out;
            ask_point(q, b, p, &out);
            assert_in_order(&out);
            assert_true(out.s.complete);
            assert_int_equal(out.s.count, counts[within]);
            for (int j = 0; j < out.s.count; ++j)
                assert_true(out.m[j].proved && (out.m[j].distance < 0) == (within == 3));
        }
        wit_body_destroy(b);
        wit_query_destroy(q);
    }
}

/* From anywhere but its axis and its circle of centres a torus has one: |distance to the circle - minor radius|. */
static void torus_and_sphere_have_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *torus = solid(WIT_SOLID_TORUS, 0, 0, 0, 3, 1, 0), *sphere = solid(WIT_SOLID_SPHERE, 0, 0, 0, 2, 0, 0);
    wit_model* m = model_named("torus-nurbs"); /* radius 10, tube 3 */
    rng r = rng_seed(5);
    for (int i = 0; i < 100; ++i) {
        wit_vec3 p = random_vector(&r, 0.2, 8);
        double axis = hypot(p.x, p.y);
        answer out;
        if (axis < 0.1 || hypot(axis - 3, p.z) < 0.1) continue;
        ask_point(q, torus, p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(axis - 3, p.z) - 1, 1e-12);
        ask_point(q, sphere, p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, norm3(p) - 2, 1e-12);
        p = scale3(3, p);
        if (hypot(3 * axis - 10, p.z) < 0.3) continue;
        ask_point(q, wit_model_body(m, 0), p, &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(3 * axis - 10, p.z) - 3, 1e-11);
    }
    wit_model_destroy(m);
    wit_body_destroy(torus);
    wit_body_destroy(sphere);
    wit_query_destroy(q);
}

/* The half spheres of a capsule join its barrel smoothly: a witness on the joint is one minimum, not three. */
static void smooth_edge_carries_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* b = solid(WIT_SOLID_CAPSULE, 0, 0, 0, 1, 0, 4);
    const double heights[5] = {0, 1e-12, -1e-12, 1e-9, 4};
    for (int i = 0; i < 5; ++i) {
        answer out;
        ask_point(q, b, vec3(3, 0.5, heights[i]), &out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, hypot(3, 0.5) - 1, 1e-12);
    }
    wit_body_destroy(b);
    wit_query_destroy(q);
}

/* The distance of convex bodies has one minimum; the pairs on far sides are seen through the bodies and are none. */
static void convex_pairs_have_one_minimum(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* bodies[4] = {solid(WIT_SOLID_ELLIPSOID, 3, 1, 2, 0, 0, 0), solid(WIT_SOLID_BOX, 2, 1, 3, 0, 0, 0),
                           solid(WIT_SOLID_CAPSULE, 0, 0, 0, 1, 0, 3), solid(WIT_SOLID_CONE, 0, 0, 0, 1, 0, 3)};
    for (long i = 0, n = campaign(200); i < n; ++i) {
        rng r = rng_seed(300 + (uint64_t)i);
        const wit_body* a = bodies[rng_int(&r, 4)];
        const wit_body* b = bodies[rng_int(&r, 4)];
        wit_pose pa = wit_pose_identity(), pb = pa;
        pa.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
        pb.rotation = wit_quat_about(random_unit(&r), rng_range(&r, 0, 6));
        pb.position = random_vector(&r, 8, 12);
        answer out;
        wit_closest c;
        wit_placed x = wit_placed_at(a, pa), y = wit_placed_at(b, pb);
        ask_pair(q, a, pa, b, pb, &out);
        assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
        assert_in_order(&out);
        assert_true(out.s.complete);
        assert_int_equal(out.s.count, 1);
        assert_near(out.m[0].distance, c.distance, 1e-12);
        assert_int_equal(out.m[0].a.feature, c.a.feature);
        assert_int_equal(out.m[0].b.feature, c.b.feature);
    }
    for (int i = 0; i < 4; ++i) wit_body_destroy(bodies[i]);
    wit_query_destroy(q);
}

/* A ball in the notch of an L: one minimum at each wall, none at the reflex edge between them. */
static void notch_has_a_minimum_at_each_wall(void** state)
{
    (void)state;
    static const double corner[12] = {0, 0, 4, 0, 4, 1, 1, 1, 1, 4, 0, 4};
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    wit_error e = {0};
    d.polygon_count = 6;
    d.polygon = corner;
    d.height = 4;
    wit_body* prism = wit_solid_create(&d, NULL, &e);
    assert_non_null(prism);
    wit_body* ball = solid(WIT_SOLID_SPHERE, 0, 0, 0, 0.5, 0, 0);
    wit_query* q = query_with(INFINITY, 0, 0);
    answer out;
    wit_pose at = wit_pose_identity();
    at.position = vec3(2, 2.25, 2);
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_in_order(&out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 2);
    assert_near(out.m[0].distance, 0.5, 1e-12);
    assert_near(out.m[1].distance, 0.75, 1e-12);
    for (int k = 0; k < 2; ++k) assert_int_equal(out.m[k].b.feature, WIT_FACE);
    wit_query_destroy(q);
    q = query_with(0.6, 0, 0); /* the cut-off leaves one */
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 1);
    wit_query_destroy(q);
    q = query_with(0.4, 0, 0);
    ask_pair(q, ball, at, prism, wit_pose_identity(), &out);
    assert_true(out.s.complete && out.s.count == 0 && out.s.lower_bound >= 0.4);
    wit_query_destroy(q);
    wit_body_destroy(ball);
    wit_body_destroy(prism);
}

/* ---- continua ------------------------------------------------------------------------------ */

static void continuum_is_one_entry(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *sphere = solid(WIT_SOLID_SPHERE, 0, 0, 0, 2, 0, 0), *box = solid(WIT_SOLID_BOX, 2, 2, 2, 0, 0, 0);
    wit_body* cylinder = solid(WIT_SOLID_CYLINDER, 0, 0, 0, 1, 0, 4);
    answer out;
    ask_point(q, sphere, vec3(0, 0, 0), &out);
    assert_int_equal(out.s.count, 1);
    assert_near(out.m[0].distance, -2, 1e-12);
    assert_int_equal(out.m[0].set.dimension, 2);
    assert_true(out.m[0].proved && out.s.complete);
    wit_pose at = wit_pose_identity();
    at.position = vec3(5, 0.25, 0.5); /* parallel faces: an area with its edges and corners */
    ask_pair(q, box, wit_pose_identity(), box, at, &out);
    assert_true(out.s.complete);
    assert_int_equal(out.s.count, 1);
    assert_near(out.m[0].distance, 3, 1e-12);
    assert_int_equal(out.m[0].set.dimension, 2);
    ask_point(q, cylinder, vec3(0, 0, 1), &out); /* on the axis: both discs and a circle of the barrel */
    assert_int_equal(out.s.count, 3);
    assert_near(out.m[0].distance, -1, 1e-12);
    assert_near(out.m[1].distance, -1, 1e-12);
    assert_near(out.m[2].distance, -3, 1e-12);
    assert_int_equal(out.m[0].set.dimension + out.m[1].set.dimension, 1);
    assert_true(out.s.complete);
    wit_body_destroy(sphere);
    wit_body_destroy(box);
    wit_body_destroy(cylinder);
    wit_query_destroy(q);
}

static void tip_above_the_axis_of_the_rim_has_one_circle(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    answer r;
    ask_pair(q, wit_model_body(pens, 0), pose_about_x(0, 0, 8, 0), wit_model_body(bowls, 0), wit_pose_identity(), &r);
    assert_int_equal(r.s.count, 1);
    assert_near(r.m[0].distance, sqrt(32), 1e-12);
    assert_int_equal(r.m[0].a.feature, WIT_VERTEX);
    assert_int_equal(r.m[0].set.dimension, 1);
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
    wit_query_destroy(q);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void small_budget_is_not_called_complete(void** state)
{
    (void)state;
    wit_model *pens = model_named("pen"), *bowls = model_named("bowl");
    for (int budget = 1; budget <= 1000; budget = budget * 10) {
        wit_query* q = query_with(INFINITY, budget, 64);
        answer r;
        ask_pair(q, wit_model_body(pens, 0), pose_about_x(0, -4, 12, 270), wit_model_body(bowls, 0),
                 wit_pose_identity(), &r);
        assert_false(r.s.complete);
        assert_true(r.s.lower_bound <= 7.566372975210778);
        assert_in_order(&r);
        wit_query_destroy(q);
    }
    wit_model_destroy(pens);
    wit_model_destroy(bowls);
}

static void short_list_holds_the_nearest(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body* b = solid(WIT_SOLID_BOX, 2, 4, 6, 0, 0, 0);
    wit_placed a = wit_placed_at(b, wit_pose_identity());
    wit_minimum m[2];
    wit_minima_summary s;
    assert_int_equal(wit_minima_point(q, &a, vec3(0.25, 0.5, 0.5), m, 2, &s), WIT_OK);
    assert_int_equal(s.count, 6);
    assert_false(s.complete);
    assert_near(m[0].distance, -0.75, 1e-14);
    assert_near(m[1].distance, -1.25, 1e-14);
    assert_int_equal(wit_minima_point(q, &a, vec3(0.25, 0.5, 0.5), NULL, 0, &s), WIT_OK);
    assert_int_equal(s.count, 6);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

static void crossing_boundaries_are_told(void** state)
{
    (void)state;
    wit_query* q = query_with(INFINITY, 0, 0);
    wit_body *a = solid(WIT_SOLID_BOX, 2, 3, 4, 0, 0, 0), *b = solid(WIT_SOLID_SPHERE, 0, 0, 0, 1, 0, 0);
    wit_pose at = wit_pose_identity();
    at.position = vec3(1.5, 0.1, 0.2);
    answer out;
    ask_pair(q, a, wit_pose_identity(), b, at, &out);
    assert_true(out.s.overlapping && out.s.complete);
    assert_int_equal(out.s.count, 0);
    wit_body_destroy(a);
    wit_body_destroy(b);
    wit_query_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_patches_have_the_minima_of_a_dense_search),
        cmocka_unit_test(random_pairs_of_patches_have_the_minima_of_a_dense_search),
        cmocka_unit_test(table1_patch_has_both_minima),
        cmocka_unit_test(pen_and_bowl_have_their_tied_pairs),
        cmocka_unit_test(box_has_as_many_minima_as_the_slabs_say),
        cmocka_unit_test(torus_and_sphere_have_one_minimum),
        cmocka_unit_test(smooth_edge_carries_one_minimum),
        cmocka_unit_test(convex_pairs_have_one_minimum),
        cmocka_unit_test(notch_has_a_minimum_at_each_wall),
        cmocka_unit_test(continuum_is_one_entry),
        cmocka_unit_test(tip_above_the_axis_of_the_rim_has_one_circle),
        cmocka_unit_test(small_budget_is_not_called_complete),
        cmocka_unit_test(short_list_holds_the_nearest),
        cmocka_unit_test(crossing_boundaries_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
