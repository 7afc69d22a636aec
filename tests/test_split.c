/* SPDX-License-Identifier: MIT */
/* Split bodies: the same point set, pieces C2, of one curvature sign and nice. */
#include "../include/witness/body.h"
#include "../include/witness/io.h"
#include "../src/body/body_record.h"
#include "../src/body/level_field.h"
#include "../src/body/strand.h"
#include "campaign.h"
#include "polynomial_patch.h"

static wit_body* body_made(const wit_body_def* def)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(def, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

static wit_body* patch_body(const wit_surface* s)
{
    wit_face_def f = {.name = "S1", .surface = s};
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
    d.face_count = 1;
    d.faces = &f;
    return body_made(&d);
}

static wit_body* solid_made(wit_solid_kind kind, double scale)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = scale;
    d.size_y = 2 * scale;
    d.size_z = 3 * scale;
    d.radius = kind == WIT_SOLID_TORUS ? 3 * scale : scale;
    d.radius2 = scale;
    d.height = 2 * scale;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_body* split(const wit_body* b, wit_split_report* report)
{
    wit_error e = {0};
    wit_split_def d = wit_split_default_def();
    d.report = report;
    wit_body* s = wit_body_split(b, &d, NULL, &e);
    if (!s) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(s);
    assert_int_equal(report->pieces, wit_body_describe(s).face_count);
    return s;
}

/* ---- what must hold for every split -------------------------------------------------------------- */

/* Integral over u' from u0 to u of |S_u x S_v|, by Gauss between knots: the area is its integral along dv (Green). */
static double strip(const wit_surface* s, double u0, double u, double v)
{
    static const double at[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
    static const double w[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                0.118463442528095};
    int n;
    const double* b = wit_surface_breaks(s, WIT_U, &n);
    double sum = 0, period = iv_width(s->u), sign = u < u0 ? -1 : 1, lo = fmin(u0, u), hi = fmax(u0, u);
    for (int turn = -1; turn <= 1; ++turn)
        for (int i = 0; i + 1 < n; ++i) {
            double x = fmax(lo, b[i] + turn * period), y = fmin(hi, b[i + 1] + turn * period);
            if (!(y > x) || (turn && !s->closed_u)) continue;
            for (int part = 0; part < 3; ++part)
                for (int k = 0; k < 5; ++k) {
                    wit_surface_jet j;
                    wit_surface_eval(s, x + (y - x) * (part + at[k]) / 3, v, 0, NULL, &j);
                    sum += w[k] * (y - x) / 3 * norm3(cross3(j.du, j.dv));
                }
        }
    return sign * sum;
}

/* The part [lo, hi] of one parameter curve, moved by `turn` along u. */
static double use_area(const wit_surface* s, const wit_curve* c, double lo, double hi, double turn)
{
    static const double at[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
    static const double w[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                0.118463442528095};
    int n;
    /* A straight line along v is cut where the surface is: its parameter is v. */
    bool line = c->kind == WIT_CURVE_LINE;
    const double* breaks = line ? wit_surface_breaks(s, WIT_V, &n) : wit_curve_breaks(c, &n);
    double sum = 0;
    for (int i = 0; i + 1 < n; ++i) {
        double x = fmax(lo, breaks[i]), y = fmin(hi, breaks[i + 1]);
        int parts = n > 2 && !line ? 1 : 8;
        for (int part = 0; part < parts && y > x; ++part)
            for (int q = 0; q < 5; ++q) {
                wit_curve_jet j;
                wit_curve_eval(c, x + (y - x) * (part + at[q]) / parts, 0, NULL, &j);
                if (j.d1.y != 0) sum += strip(s, s->u.lo, j.p.x + turn, j.p.y) * j.d1.y * w[q] * (y - x) / parts;
            }
    }
    return sum;
}

/* Area of a face from its loops, a closed u unrolled along each of them. */
static double face_area(const wit_body* b, int face)
{
    const body_face* f = &body_faces(b)[face];
    const wit_surface* s = body_surface(b, face);
    double sum = 0, period = iv_width(s->u);
    for (int l = f->first_loop; l < f->first_loop + f->loops; ++l) {
        double turn = 0, last = 0;
        const body_loop* loop = &body_loops(b)[l];
        for (int k = loop->first_use; k < loop->first_use + loop->uses; ++k) {
            const body_use* u = &body_uses(b)[k];
            const wit_curve* c = body_parameter_curve(b, k);
            wit_interval t = u->edge < 0 ? c->range : body_edges(b)[u->edge].range;
            double lo = u->edge < 0 ? t.lo : u->shift + u->scale * t.lo;
            double hi = u->edge < 0 ? t.hi : u->shift + u->scale * t.hi;
            wit_curve_jet first, end;
            wit_curve_eval(c, u->reversed ? hi : lo, 0, NULL, &first);
            wit_curve_eval(c, u->reversed ? lo : hi, 0, NULL, &end);
            if (s->closed_u && k > loop->first_use) turn = period * round((last - first.p.x) / period);
            last = end.p.x + turn;
            double a = use_area(s, c, lo, hi, turn);
            sum += u->reversed ? -a : a;
        }
    }
    return sum;
}

/* Nearest parameter curve of any loop, relative to the ranges; 1e-3 at most. One surface. */
static double distance_to_cuts(const wit_body* b, double u, double v)
{
    double best = 1e-3;
    for (int k = 0; k < b->use_count; ++k) {
        const wit_surface* s = body_surface(b, body_uses(b)[k].face);
        const wit_curve* c = body_parameter_curve(b, k);
        double width[2] = {iv_width(s->u), iv_width(s->v)}, t;
        for (int turn = 0; turn < 9; ++turn) {
            double p[2] = {u + (turn / 3 - 1) * width[0], v + (turn % 3 - 1) * width[1]}, q[2];
            if ((turn / 3 != 1 && !s->closed_u) || (turn % 3 != 1 && !s->closed_v)) continue;
            strand x = {c, 0, 1, {0, 0}, c->range.lo, c->range.hi};
            if (!strand_project(&x, p, width, best, &t)) continue;
            strand_point(&x, t, q);
            best = hypot((p[0] - q[0]) / width[0], (p[1] - q[1]) / width[1]);
        }
    }
    return best;
}

/* Random points of the surface are in exactly one piece if in the original, else in none. Points within 1e-9 (relative) of
 * a cut are set aside. One-face bodies. */
static void pieces_tile(const wit_body* whole, const wit_body* s, rng* r, long points)
{
    const wit_surface* surface = body_surface(whole, 0);
    long aside = 0;
    for (long i = 0; i < points; ++i) {
        double u = rng_range(r, surface->u.lo, surface->u.hi);
        double v = rng_range(r, surface->v.lo, surface->v.hi);
        int count = 0;
        for (int f = 0; f < s->face_count; ++f) count += wit_body_face_contains(s, f, u, v);
        if (count == (wit_body_face_contains(whole, 0, u, v) ? 1 : 0)) continue;
        double d = distance_to_cuts(s, u, v);
        if (d > 1e-9) print_error("(%.17g, %.17g) is in %d pieces, %g from a cut\n", u, v, count, d);
        assert_true(d <= 1e-9);
        ++aside;
    }
    assert_true(aside <= 1 + points / 100000);
}

/* Samples of a piece: K of one sign (nearer than 1e-8 to K = 0, by |g| / |grad g|, none counts), normals in a hemisphere. */
static void piece_is_good(const wit_body* s, int face, rng* r, long points)
{
    const body_face* f = &body_faces(s)[face];
    const wit_surface* surface = body_surface(s, face);
    level_cell cell;
    level_cell_init(&cell, surface, f->u, f->v);
    double w[2] = {iv_width(surface->u), iv_width(surface->v)};
    wit_vec3 n[400], axis = {0, 0, 0};
    int normals = 0, positive = 0, negative = 0;
    for (long i = 0; i < points; ++i) {
        double u = rng_range(r, f->u.lo, f->u.hi);
        double v = rng_range(r, f->v.lo, f->v.hi);
        if (!wit_body_face_contains(s, face, u, v)) continue;
        wit_surface_jet j;
        wit_surface_eval(surface, u, v, 0, NULL, &j);
        wit_vec3 normal;
        if (normals < 400 && wit_surface_normal(surface, u, v, &normal)) {
            n[normals++] = normal;
            axis = add3(axis, normal);
        }
        double g = level_value(&cell, u, v), d[2];
        if (cell.flat || fabs(g) <= 1e-10 * cell.yard) continue;
        level_gradient(&cell, u, v, d);
        if (fabs(g) <= 1e-8 * hypot(d[0] * w[0], d[1] * w[1])) continue;
        positive += g > 0;
        negative += g < 0;
    }
    if (positive && negative) print_error("piece %d: %d points with K > 0, %d with K < 0\n", face, positive, negative);
    assert_true(!positive || !negative);
    axis = unit3(axis);
    double least = -1;
    for (int step = 1; step <= 400 && normals; ++step) {
        int far = 0;
        for (int i = 1; i < normals; ++i)
            if (dot3(axis, n[i]) < dot3(axis, n[far])) far = i;
        least = fmax(least, dot3(axis, n[far]));
        axis = unit3(addscaled3(axis, 1.0 / (step + 1), sub3(n[far], axis)));
    }
    if (normals) assert_true(least > 0);
    /* No knot line of lower continuity passes inside: pieces end there, so their boxes do. */
    for (int dir = 0; dir < 2; ++dir) {
        int count;
        wit_interval box = dir ? f->v : f->u;
        const double* b = wit_surface_breaks(surface, (wit_direction)dir, &count);
        for (int k = 0; k + 1 < count; ++k) {
            wit_continuity c;
            if (!wit_surface_continuity(surface, (wit_direction)dir, k, &c) || c.order >= 2) continue;
            assert_false(b[k] > box.lo + 1e-9 * w[dir] && b[k] < box.hi - 1e-9 * w[dir]);
        }
    }
}

static void jets_are_the_same(const wit_body* whole, const wit_body* s, rng* r)
{
    const wit_surface* a = body_surface(whole, 0);
    for (int f = 0; f < s->face_count; ++f)
        for (int i = 0; i < 50; ++i) {
            double u = rng_range(r, a->u.lo, a->u.hi);
            double v = rng_range(r, a->v.lo, a->v.hi);
            wit_surface_jet x, y;
            wit_surface_eval(a, u, v, 0, NULL, &x);
            wit_surface_eval(wit_body_face(s, f).surface, u, v, 0, NULL, &y);
            assert_memory_equal(&x, &y, sizeof x);
        }
}

static void all_good(const wit_body* whole, const wit_body* s, rng* r, long points)
{
    for (int f = 0; f < s->face_count; ++f) piece_is_good(s, f, r, points);
    if (whole->face_count > 1) return;
    pieces_tile(whole, s, r, points);
    jets_are_the_same(whole, s, r);
}

/* Every edge twice, but those of an open border once; ends of edges at their vertices. */
static void shell_holds(const wit_body* s, int open_edges)
{
    int open = 0;
    wit_body_check_result c = wit_body_check(s);
    for (int e = 0; e < s->edge_count; ++e) {
        int uses = wit_body_edge(s, e).use_count;
        assert_true(uses == 1 || uses == 2);
        open += uses == 1;
    }
    assert_int_equal(open, open_edges);
    assert_true(c.manifold);
    assert_true(c.oriented);
    assert_true(c.gap <= 1e-8 * s->size);
}

/* ---- bodies ------------------------------------------------------------------------------------- */

static wit_surface* table1(double scale)
{
    wit_error e = {0};
    wit_model* m = wit_model_read_file("models/table1.json", NULL, &e);
    if (!m) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(m);
    wit_surface_def d = *wit_model_surface_def(m, 0);
    double points[75];
    for (int i = 0; i < 75; ++i) points[i] = scale * d.points[i];
    d.points = points;
    wit_surface* s = surface_made(&d);
    wit_model_destroy(m);
    return s;
}

static void table1_splits_into_pieces_of_one_sign_at_every_scale(void** state)
{
    (void)state;
    rng r = rng_seed(31);
    int faces = 0, edges = 0;
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        wit_surface* surface = table1(scale);
        wit_body* b = patch_body(surface);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(report.not_nice, 0);
        assert_true(report.error <= 1e-9);
        if (faces == 0) faces = s->face_count;
        if (edges == 0) edges = s->edge_count;
        assert_int_equal(s->face_count, faces);
        assert_int_equal(s->edge_count, edges);
        assert_true(faces > 9); /* nine C2 cells, some of them cut by K = 0 */
        all_good(b, s, &r, campaign(scale == 1 ? 40000 : 4000));
        double whole = face_area(b, 0), sum = 0;
        for (int f = 0; f < s->face_count; ++f) {
            double a = face_area(s, f);
            assert_true(a > 0);
            sum += a;
        }
        near1(sum / whole, 1, 1e-9, "areas");
        assert_true(wit_body_find(s, WIT_FACE, "S1.1") >= 0);
        assert_int_equal(wit_body_check(s).euler, 1);
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(surface);
    }
    print_message("table1: %d faces, %d edges\n", faces, edges);
}

static void torus_splits_at_its_two_circles_and_is_nice(void** state)
{
    (void)state;
    rng r = rng_seed(32);
    for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
        wit_body* b = solid_made(WIT_SOLID_TORUS, scale);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(s->face_count, 16);
        assert_int_equal(s->edge_count, 32);
        assert_int_equal(s->vertex_count, 16);
        shell_holds(s, 0);
        all_good(b, s, &r, campaign(20000));
        double sum = 0;
        for (int f = 0; f < 16; ++f) sum += face_area(s, f);
        near1(sum / (scale * scale), 4 * PI * PI * 3, 1e-8, "area 4 pi^2 R r");
        wit_body_destroy(s);
        wit_body_destroy(b);
    }
}

static void spline_torus_splits_like_the_exact_one(void** state)
{
    (void)state;
    rng r = rng_seed(33);
    wit_model* m = wit_model_read_file("models/torus-nurbs.json", NULL, NULL);
    assert_non_null(m);
    wit_body* b = patch_body(wit_model_surface(m, 0));
    wit_split_report report;
    wit_body* s = split(b, &report);
    assert_int_equal(report.unresolved, 0);
    assert_int_equal(s->face_count, 16);
    shell_holds(s, 0);
    all_good(b, s, &r, campaign(10000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_model_destroy(m);
}

static void solids_get_only_the_cuts_they_need(void** state)
{
    (void)state;
    static const struct {
        wit_solid_kind kind;
        int faces, edges, vertices;
    } want[] = {
        {WIT_SOLID_BOX, 6, 12, 8},      /* nothing to do */
        {WIT_SOLID_CYLINDER, 6, 12, 8}, /* four quarters */
        {WIT_SOLID_CONE, 2, 1, 1},      /* its normals are within a hemisphere */
        {WIT_SOLID_SPHERE, 8, 12, 6},   {WIT_SOLID_ELLIPSOID, 8, 12, 6}, {WIT_SOLID_CAPSULE, 12, 20, 10},
    };
    rng r = rng_seed(34);
    for (size_t i = 0; i < sizeof want / sizeof want[0]; ++i)
        for (double scale = 1e-6; scale < 1e7; scale *= 1e6) {
            wit_body* b = solid_made(want[i].kind, scale);
            wit_split_report report;
            wit_body* s = split(b, &report);
            assert_int_equal(s->face_count, want[i].faces);
            assert_int_equal(s->edge_count, want[i].edges);
            assert_int_equal(s->vertex_count, want[i].vertices);
            wit_body_check_result c = wit_body_check(s);
            assert_true(c.watertight);
            assert_int_equal(c.euler, 2);
            assert_int_equal(c.faces_not_nice, 0);
            shell_holds(s, 0);
            all_good(b, s, &r, campaign(4000));
            wit_body_destroy(s);
            wit_body_destroy(b);
        }
}

/* ---- wavy patches -------------------------------------------------------------------------------- */

enum { NET = 7 };

static void wavy_points(rng* r, double amplitude, double x0, double* points)
{
    for (int i = 0; i < NET; ++i)
        for (int j = 0; j < NET; ++j) {
            double* p = points + 3 * (NET * i + j);
            p[0] = x0 + i;
            p[1] = j;
            p[2] = rng_range(r, -amplitude, amplitude);
        }
}

static wit_surface* wavy_surface(const double* points, int degree)
{
    double knots[NET + 5];
    int n = NET + degree + 1;
    for (int i = 0; i < n; ++i) {
        int k = i - degree;
        knots[i] = k < 0 ? 0 : k > NET - degree ? NET - degree : k;
    }
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = degree;
    d.count_u = d.count_v = NET;
    d.knot_count_u = d.knot_count_v = n;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    return surface_made(&d);
}

/* Degree 3: C2 everywhere, so the curves run on across knot lines. */
static void wavy_patches_split_into_pieces_of_one_sign(void** state)
{
    (void)state;
    rng r = rng_seed(35);
    long unresolved = 0, pieces = 0;
    long trials = campaign(40);
    for (long trial = 0; trial < trials; ++trial) {
        double points[3 * NET * NET];
        double amplitude = rng_range(&r, 0.1, 2);
        wavy_points(&r, amplitude, 0, points);
        wit_surface* surface = wavy_surface(points, trial % 4 == 3 ? 2 : 3);
        wit_body* b = patch_body(surface);
        wit_split_report report;
        wit_body* s = split(b, &report);
        unresolved += report.unresolved;
        pieces += s->face_count;
        if (report.unresolved == 0) all_good(b, s, &r, campaign(20000));
        double whole = face_area(b, 0), sum = 0;
        for (int f = 0; f < s->face_count; ++f) sum += face_area(s, f);
        near1(sum / whole, 1, 1e-9, "areas");
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(surface);
    }
    print_message("%ld wavy patches: %ld pieces, %ld places not resolved\n", trials, pieces, unresolved);
    assert_true(unresolved == 0);
}

/* Two wavy patches with a common border line, sewn: cut from both sides it stays one line. */
static void shared_edge_cut_from_both_sides_stays_watertight(void** state)
{
    (void)state;
    rng r = rng_seed(36);
    long divided = 0, trials = campaign(20);
    for (long trial = 0; trial < trials; ++trial) {
        double a[3 * NET * NET], c[3 * NET * NET];
        wavy_points(&r, 1, 0, a);
        wavy_points(&r, 1, NET - 1, c);
        memcpy(c, a + 3 * NET * (NET - 1), 3 * NET * sizeof(double));
        wit_surface *left = wavy_surface(a, 3), *right = wavy_surface(c, 3);
        wit_face_def faces[2] = {{.name = "L", .surface = left}, {.name = "R", .surface = right}};
        wit_body_def d = wit_body_default_def(WIT_BODY_SHEET);
        d.face_count = 2;
        d.faces = faces;
        d.sew_tolerance = 1e-6;
        wit_body* b = body_made(&d);
        assert_int_equal(b->edge_count, 7);
        int shared = -1;
        for (int e = 0; e < 7; ++e)
            if (wit_body_edge(b, e).use_count == 2) shared = e;
        assert_true(shared >= 0);
        wit_split_report report;
        wit_body* s = split(b, &report);
        assert_int_equal(report.unresolved, 0);
        assert_int_equal(report.faces_cut, 2);
        /* Length used once is the outer border's, used twice with faces of L and R the shared line's. */
        double border = 0, common = 0;
        int open = 0, across = 0;
        for (int e = 0; e < s->edge_count; ++e) {
            wit_use_info x, y;
            wit_body_edge_use(s, e, 0, &x);
            int uses = wit_body_edge(s, e).use_count;
            double length = 0;
            wit_edge_info info = wit_body_edge(s, e);
            for (int i = 0; i < 200; ++i) {
                wit_curve_jet p;
                wit_curve_eval(info.curve, info.range.lo + iv_width(info.range) * (i + 0.5) / 200, 0, NULL, &p);
                length += norm3(p.d1) * iv_width(info.range) / 200;
            }
            if (uses == 1) {
                border += length;
                ++open;
                continue;
            }
            assert_int_equal(uses, 2);
            wit_body_edge_use(s, e, 1, &y);
            if (wit_body_face(s, x.face).name[0] != wit_body_face(s, y.face).name[0]) {
                common += length;
                ++across;
            }
        }
        double want_border = 0, want_common = 0;
        for (int e = 0; e < 7; ++e) {
            wit_edge_info info = wit_body_edge(b, e);
            double length = 0;
            for (int i = 0; i < 4000; ++i) {
                wit_curve_jet p;
                wit_curve_eval(info.curve, info.range.lo + iv_width(info.range) * (i + 0.5) / 4000, 0, NULL, &p);
                length += norm3(p.d1) * iv_width(info.range) / 4000;
            }
            if (e == shared)
                want_common += length;
            else
                want_border += length;
        }
        /* Midpoint rule, 200 points per piece: h^2 / 24 of smooth integrands, some 1e-4 of the length at worst. */
        near1(border / want_border, 1, 1e-3, "outer border");
        near1(common / want_common, 1, 1e-3, "shared line");
        divided += across > 1;
        shell_holds(s, open);
        all_good(b, s, &r, campaign(2000));
        wit_body_destroy(s);
        wit_body_destroy(b);
        wit_surface_destroy(left);
        wit_surface_destroy(right);
    }
    assert_true(2 * divided > trials); /* most lines were cut */
}

/* A cylinder with a round hole over its seam and one beside it: the holes' edges are divided where the cuts meet them. */
static void trimmed_cylinder_is_cut_through_its_holes(void** state)
{
    (void)state;
    rng r = rng_seed(37);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 1;
    d.range_v = iv(-1, 1);
    wit_surface* surface = surface_made(&d);
    wit_curve* curves[4];
    for (int i = 0; i < 4; ++i) {
        wit_curve_def c = wit_curve_default_def(i < 2 ? WIT_CURVE_LINE : WIT_CURVE_CIRCLE);
        c.frame.origin = i == 0   ? vec3(0, -1, 0)
                         : i == 1 ? vec3(0, 1, 0)
                         : i == 2 ? vec3(TWO_PI, 0, 0)
                                  : vec3(2, 0.1, 0);
        c.radius = i == 2 ? 0.5 : 0.7;
        if (i < 2) c.range = iv(0, TWO_PI);
        curves[i] = curve_made(&c);
    }
    wit_edge_def edges[4];
    wit_use_def uses[4];
    wit_loop_def loops[4];
    for (int i = 0; i < 4; ++i) {
        edges[i] = (wit_edge_def){.start = -1, .end = -1};
        uses[i] = (wit_use_def){.edge = i, .reversed = i > 0, .parameter_curve = curves[i]};
        loops[i] = (wit_loop_def){1, &uses[i]};
    }
    wit_face_def face = {.name = "mantle", .surface = surface, .loop_count = 4, .loops = loops};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.edge_count = 4;
    def.edges = edges;
    def.face_count = 1;
    def.faces = &face;
    wit_body* b = body_made(&def);
    wit_split_report report;
    wit_body* s = split(b, &report);
    assert_int_equal(report.unresolved, 0);
    assert_true(s->face_count >= 4);
    all_good(b, s, &r, campaign(50000));
    double sum = 0;
    for (int f = 0; f < s->face_count; ++f) sum += face_area(s, f);
    near1(sum, 2 * TWO_PI - PI * (0.25 + 0.49), 1e-9, "area"); /* parameters are lengths here */
    wit_body_destroy(s);
    wit_body_destroy(b);
    for (int i = 0; i < 4; ++i) wit_curve_destroy(curves[i]);
    wit_surface_destroy(surface);
}

static void a_revolution_is_cut_at_circles_of_zero_curvature(void** state)
{
    (void)state;
    /* A profile with a waist: r = 2 + cos z over a full wave, as an interpolating spline would be; here of degree 3. */
    static const double points[15] = {3, 0, 0, 3, 0, 1, 1, 0, 3, 3, 0, 5, 3, 0, 6},
                        knots[9] = {0, 0, 0, 0, 1, 2, 2, 2, 2};
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 3;
    c.count = 5;
    c.knot_count = 9;
    c.knots = knots;
    c.points = points;
    wit_curve* profile = curve_made(&c);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_REVOLUTION);
    d.profile = profile;
    wit_surface* surface = surface_made(&d);
    wit_body* b = patch_body(surface);
    wit_split_report report;
    wit_body* s = split(b, &report);
    rng r = rng_seed(38);
    assert_int_equal(report.unresolved, 0);
    assert_true(s->face_count >= 12);
    all_good(b, s, &r, campaign(10000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_surface_destroy(surface);
    wit_curve_destroy(profile);
}

/* Inside a disc K > 0, in a ring K < 0, outside K > 0: rings without cuts to their border. */
static void closed_curves_become_faces_with_holes(void** state)
{
    (void)state;
    double a[5][5] = {{0}};
    a[2][0] = a[0][2] = 0.5;
    a[4][0] = a[0][4] = -0.25;
    a[2][2] = -0.5;
    wit_surface* surface = polynomial_patch(a, -1.2, 1.3, -1.15, 1.25, 1);
    wit_body* b = patch_body(surface);
    wit_split_report report;
    wit_split_def d = wit_split_default_def();
    d.report = &report;
    d.nice = false;
    wit_body* s = wit_body_split(b, &d, NULL, NULL);
    assert_non_null(s);
    rng r = rng_seed(39);
    assert_int_equal(s->face_count, 3);
    assert_int_equal(s->loop_count, 5);
    assert_int_equal(s->edge_count, 6);
    pieces_tile(b, s, &r, campaign(20000));
    wit_body_destroy(s);
    wit_body_destroy(b);
    wit_surface_destroy(surface);
}

static void bad_calls_are_refused(void** state)
{
    (void)state;
    wit_error e = {0};
    wit_body* b = solid_made(WIT_SOLID_BOX, 1);
    assert_null(wit_body_split(NULL, NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    wit_split_def d = wit_split_default_def();
    d.struct_size = 3;
    assert_null(wit_body_split(b, &d, NULL, &e));
    assert_string_equal(e.item, "struct_size");
    d = wit_split_default_def();
    d.accuracy = NAN;
    assert_null(wit_body_split(b, &d, NULL, &e));
    assert_string_equal(e.item, "accuracy");
    wit_body* s = wit_body_split(b, NULL, NULL, NULL);
    assert_non_null(s);
    wit_body_destroy(s);
    wit_body_destroy(b);
}

/* ---- memory -------------------------------------------------------------------------------------- */

typedef struct meter {
    long calls, fail_at, live;
} meter;

static void* take(size_t bytes, void* user)
{
    meter* m = user;
    if (m->calls++ == m->fail_at) return NULL;
    m->live += 1;
    return malloc(bytes);
}

static void give(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    if (memory) ((meter*)user)->live -= 1;
    free(memory);
}

static void no_memory_at_any_step_is_refused_without_a_leak(void** state)
{
    (void)state;
    wit_surface* surface = table1(1);
    wit_body* b = patch_body(surface);
    meter m = {0, -1, 0};
    wit_allocator a = {take, give, &m};
    wit_split_def d = wit_split_default_def();
    d.accuracy = 1e-4;
    wit_body* s = wit_body_split(b, &d, &a, NULL);
    assert_non_null(s);
    wit_body_destroy(s);
    assert_int_equal(m.live, 0);
    long all = m.calls, step = 1 + all / campaign(400);
    for (long i = 0; i < all; i += step) {
        wit_error e = {0};
        m = (meter){0, i, 0};
        s = wit_body_split(b, &d, &a, &e);
        assert_null(s);
        assert_int_equal(m.live, 0);
        assert_int_equal(e.status, WIT_ERROR_MEMORY);
    }
    wit_body_destroy(b);
    wit_surface_destroy(surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table1_splits_into_pieces_of_one_sign_at_every_scale),
        cmocka_unit_test(torus_splits_at_its_two_circles_and_is_nice),
        cmocka_unit_test(spline_torus_splits_like_the_exact_one),
        cmocka_unit_test(solids_get_only_the_cuts_they_need),
        cmocka_unit_test(wavy_patches_split_into_pieces_of_one_sign),
        cmocka_unit_test(shared_edge_cut_from_both_sides_stays_watertight),
        cmocka_unit_test(trimmed_cylinder_is_cut_through_its_holes),
        cmocka_unit_test(a_revolution_is_cut_at_circles_of_zero_curvature),
        cmocka_unit_test(closed_curves_become_faces_with_holes),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(no_memory_at_any_step_is_refused_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
