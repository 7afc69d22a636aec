/* SPDX-License-Identifier: MIT */
/* Ready-made solids: features, orientation, edges, volumes, refusals. */
#include <stdlib.h>

#include "solid_cases.h"

static const double SCALES[3] = {1e-6, 1, 1e6};

/* Nodes and weights of Gauss-Legendre on [-1, 1], 8 points: exact to degree 15. */
static const double node[8] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290, -0.1834346424956498,
                               0.1834346424956498,  0.5255324099163290,  0.7966664774136267,  0.9602898564975363};
static const double weight[8] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                 0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
enum { SLICES = 8 }; /* of a turn: the error of an 8-point rule on an eighth of a turn is below 1e-20 */

/* ---- volume -------------------------------------------------------------------------------- */

/* (p - o) . (du x dv) / 3, outwards. */
static double flux(const wit_face_info* f, wit_vec3 o, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(f->surface, u, v, 0, NULL, &j);
    return (f->reversed ? -1 : 1) * dot3(sub3(j.p, o), cross3(j.du, j.dv)) / 3;
}

/* G(u, v) = integral of the flux along v from v0; the test's profiles have no knots inside a face. */
static double flux_below(const wit_face_info* f, wit_vec3 o, double u, double v0, double v)
{
    double sum = 0, h = (v - v0) / SLICES;
    for (int s = 0; s < SLICES; ++s)
        for (int i = 0; i < 8; ++i) sum += 0.5 * h * weight[i] * flux(f, o, u, v0 + h * (s + 0.5 + 0.5 * node[i]));
    return sum;
}

/* The integral of G du along one passage of a loop, and how far u goes. */
static double along_use(const wit_body* b, const wit_face_info* f, const wit_use_info* use, wit_vec3 o, double v0,
                        double* turned)
{
    wit_interval t = wit_body_edge(b, use->edge).range;
    double sum = 0, h = iv_width(t) / SLICES, sign = use->reversed ? -1 : 1;
    for (int s = 0; s < SLICES; ++s)
        for (int i = 0; i < 8; ++i) {
            wit_curve_jet c;
            wit_curve_eval(use->parameter_curve, use->shift + use->scale * (t.lo + h * (s + 0.5 + 0.5 * node[i])), 0,
                           NULL, &c);
            double du = sign * 0.5 * h * weight[i] * use->scale * c.d1.x;
            if (turned) *turned += du;
            if (!turned) sum += flux_below(f, o, c.p.x, v0, c.p.y) * du;
        }
    return sum;
}

/*
 * Green: the integral of G_v over the face is minus the integral of G du around it. Loops that turn once around a
 * closed surface without a partner leave the face reaching to the border of the range; G is measured from there.
 */
static double face_volume(const wit_body* b, int id, wit_vec3 o)
{
    wit_face_info f = wit_body_face(b, id);
    double sum = 0, turned = 0;
    if (f.loop_count == 0) {
        double h = iv_width(f.u) / SLICES;
        for (int s = 0; s < SLICES; ++s)
            for (int i = 0; i < 8; ++i)
                sum += 0.5 * h * weight[i] * flux_below(&f, o, f.u.lo + h * (s + 0.5 + 0.5 * node[i]), f.v.lo, f.v.hi);
        return sum;
    }
    wit_interval v = wit_surface_describe(f.surface).range_v;
    for (int pass = 0; pass < 2; ++pass)
        for (int l = 0; l < f.loop_count; ++l)
            for (int k = 0; k < wit_body_loop_size(b, id, l); ++k) {
                wit_use_info use;
                assert_true(wit_body_loop_use(b, id, l, k, &use) >= 0);
                double v0 = turned > 1 ? v.hi : v.lo;
                sum -= along_use(b, &f, &use, o, v0, pass == 0 ? &turned : NULL);
            }
    return sum;
}

/* Quadrature to rounding: some 500 terms of the size of the volume at most. */
static void volume_is_the_closed_form(void** state)
{
    (void)state;
    rng r = rng_seed(1);
    for (int i = 0; i < SOLID_CASES; ++i)
        for (int s = 0; s < 3; ++s) {
            double scale = SCALES[s], sum = 0;
            wit_frame frame = random_frame(&r, scale);
            wit_body* b = solid_made(&solid_cases[i], &frame, scale);
            for (int f = 0; f < wit_body_describe(b).face_count; ++f) sum += face_volume(b, f, frame.origin);
            near1(sum / (scale * scale * scale), solid_cases[i].volume, 1e-12 * solid_cases[i].volume,
                  solid_cases[i].name);
            wit_body_destroy(b);
        }
}

/* ---- topology ------------------------------------------------------------------------------ */

/*
 * A ring has no vertex and counts 0 (one edge less one vertex); a face with l loops and a apexes is a sphere with l + a
 * holes and counts 2 - l - a (a whole torus: 0). So V - (E - rings) + sum (2 - l - a) - 2 tori = 2 - 2 genus.
 */
static void counts_and_euler_number_are_right(void** state)
{
    (void)state;
    rng r = rng_seed(2);
    for (int i = 0; i < SOLID_CASES; ++i)
        for (int s = 0; s < 3; ++s) {
            const solid_case* c = &solid_cases[i];
            wit_frame frame = random_frame(&r, SCALES[s]);
            wit_body* b = solid_made(c, &frame, SCALES[s]);
            wit_body_info info = wit_body_describe(b);
            int rings = 0, apexes = 0, tori = 0;
            for (int e = 0; e < info.edge_count; ++e) rings += wit_body_edge(b, e).ring;
            for (int v = 0; v < info.vertex_count; ++v)
                if (wit_body_vertex(b, v).edge_count == 0) apexes += wit_body_vertex(b, v).face_count;
            for (int f = 0; f < info.face_count; ++f) {
                wit_surface_info surface = wit_surface_describe(wit_body_face(b, f).surface);
                tori += wit_body_face(b, f).loop_count == 0 && surface.closed_u && surface.closed_v;
            }
            if (info.face_count != c->faces || info.edge_count != c->rings + c->arcs || rings != c->rings ||
                info.vertex_count != c->vertices || info.loop_count != c->loops || apexes != c->apexes)
                print_error("%s at %g: %d faces, %d edges, %d rings, %d vertices, %d loops, %d apexes\n", c->name,
                            SCALES[s], info.face_count, info.edge_count, rings, info.vertex_count, info.loop_count,
                            apexes);
            assert_string_equal(info.name, c->name);
            assert_int_equal(info.kind, WIT_BODY_SOLID);
            assert_int_equal(info.face_count, c->faces);
            assert_int_equal(info.edge_count, c->rings + c->arcs);
            assert_int_equal(rings, c->rings);
            assert_int_equal(info.vertex_count, c->vertices);
            assert_int_equal(info.loop_count, c->loops);
            assert_int_equal(apexes, c->apexes);
            int euler = info.vertex_count - (info.edge_count - rings) + 2 * info.face_count - info.loop_count - apexes -
                        2 * tori;
            assert_int_equal(euler, 2 - 2 * c->genus);
            wit_body_destroy(b);
        }
}

/* The distance between an edge and its lifted parameter curves; both run the same way. */
static void check_edge(const wit_body* b, int id, double size, const char* name)
{
    wit_edge_info e = wit_body_edge(b, id);
    wit_use_info use[2];
    assert_int_equal(e.use_count, 2);
    assert_int_equal(wit_body_edge_use(b, id, 2, &use[0]), -1);
    for (int k = 0; k < 2; ++k) {
        assert_true(wit_body_edge_use(b, id, k, &use[k]) >= 0);
        wit_face_info f = wit_body_face(b, use[k].face);
        for (int n = 0; n <= 16; ++n) {
            double t = n == 16 ? e.range.hi : e.range.lo + iv_width(e.range) * n / 16;
            wit_curve_jet c, p;
            wit_surface_jet s;
            wit_curve_eval(e.curve, t, 0, NULL, &c);
            wit_curve_eval(use[k].parameter_curve, use[k].shift + use[k].scale * t, 0, NULL, &p);
            wit_surface_eval(f.surface, p.p.x, p.p.y, 0, NULL, &s);
            near3(s.p, c.p, e.tolerance + 16 * EPS * size, name);
            wit_vec3 lifted = addscaled3(scale3(p.d1.x, s.du), p.d1.y, s.dv);
            /* Rates agree to rounding, relative to the speed of the edge. */
            near3(scale3(use[k].scale, lifted), c.d1, 1e-13 * norm3(c.d1), name);
        }
        if (e.ring) continue;
        wit_curve_jet c;
        wit_curve_eval(e.curve, k ? e.range.hi : e.range.lo, 0, NULL, &c);
        near3(c.p, wit_body_vertex(b, k ? e.end : e.start).point, 1e-14 * size, name);
    }
    bool opposite = (use[0].reversed != wit_body_face(b, use[0].face).reversed) !=
                    (use[1].reversed != wit_body_face(b, use[1].face).reversed);
    assert_true(opposite);
    if (e.tolerance > 1e-14 * size) print_error("%s edge %d: tolerance %g of size\n", name, id, e.tolerance / size);
    assert_true(e.tolerance <= 1e-14 * size);
}

static void edges_are_exact_and_used_both_ways(void** state)
{
    (void)state;
    rng r = rng_seed(3);
    for (int i = 0; i < SOLID_CASES; ++i)
        for (int s = 0; s < 3; ++s) {
            /* Near the origin: a coordinate's rounding is then that of the size. */
            wit_frame frame = random_frame(&r, SCALES[s]);
            wit_body* b = solid_made(&solid_cases[i], &frame, SCALES[s]);
            wit_body_info info = wit_body_describe(b);
            for (int e = 0; e < info.edge_count; ++e) check_edge(b, e, info.size, solid_cases[i].name);
            wit_body_destroy(b);
        }
}

static void normals_point_outwards(void** state)
{
    (void)state;
    rng r = rng_seed(4);
    for (int i = 0; i < SOLID_CASES; ++i)
        for (int s = 0; s < 3; ++s) {
            const solid_case* c = &solid_cases[i];
            double scale = SCALES[s];
            wit_frame frame = random_frame(&r, scale);
            shape_frame axes = wi_frame_of(&frame);
            wit_body* b = solid_made(c, &frame, scale);
            int seen = 0, faces = wit_body_describe(b).face_count;
            for (int n = 0; n < 200 * faces; ++n) {
                int id = n % faces;
                wit_face_info f = wit_body_face(b, id);
                double u = rng_range(&r, f.u.lo, f.u.hi), v = rng_range(&r, f.v.lo, f.v.hi);
                if (!wit_body_face_contains(b, id, u, v)) continue;
                wit_surface_jet j;
                wit_vec3 normal;
                wit_surface_eval(f.surface, u, v, 0, NULL, &j);
                assert_true(wit_body_face_normal(b, id, u, v, &normal));
                for (int side = -1; side <= 1; side += 2) {
                    wit_vec3 p = scale3(1 / scale, sub3(addscaled3(j.p, side * 1e-7 * scale, normal), axes.o));
                    bool in = c->inside(dot3(p, axes.x), dot3(p, axes.y), dot3(p, axes.z));
                    if (in != (side < 0)) print_error("%s face %s at (%g, %g)\n", c->name, f.name, u, v);
                    assert_true(in == (side < 0));
                }
                ++seen;
            }
            /* The discs fill at least pi / 4, the L 5.5 / 9 of their boxes. */
            assert_true(seen > 100 * faces);
            wit_body_destroy(b);
        }
}

/* At a corner of the profile each face has the normal of its own side, at both ends of its range. */
static void rims_have_the_normal_of_their_face(void** state)
{
    (void)state;
    static const wit_vec3 want[3] = {{0, 0, -1}, {1, 0, 0}, {0, 0, 1}};
    wit_frame frame = wit_solid_default_def(WIT_SOLID_REVOLUTION).frame;
    for (int i = 0; i < SOLID_CASES; ++i) {
        if (strcmp(solid_cases[i].name, "can of revolution")) continue;
        wit_body* b = solid_made(&solid_cases[i], &frame, 1);
        int seen = 0;
        for (int e = 0; e < wit_body_describe(b).edge_count; ++e)
            for (int k = 0; k < 2; ++k) {
                wit_use_info use;
                wit_curve_jet c;
                wit_vec3 n;
                assert_true(wit_body_edge_use(b, e, k, &use) >= 0);
                wit_curve_eval(use.parameter_curve, use.shift, 0, NULL, &c);
                assert_true(wit_body_face_normal(b, use.face, c.p.x, c.p.y, &n));
                near3(n, want[use.face], 8 * EPS, wit_body_face(b, use.face).name);
                ++seen;
            }
        assert_int_equal(seen, 4);
        wit_body_destroy(b);
    }
}

static void names_are_meaningful(void** state)
{
    (void)state;
    static const char* const box[6] = {"x-", "x+", "y-", "y+", "z-", "z+"};
    static const wit_vec3 out[6] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    wit_frame frame = wit_solid_default_def(WIT_SOLID_BOX).frame;
    wit_body* b = solid_made(&solid_cases[0], &frame, 1);
    for (int i = 0; i < 6; ++i) {
        wit_vec3 n;
        int f = wit_body_find(b, WIT_FACE, box[i]);
        assert_true(f >= 0);
        assert_true(wit_body_face_normal(b, f, 0, 0, &n));
        near3(n, out[i], 4 * EPS, box[i]);
    }
    wit_body_destroy(b);
    for (int i = 0; i < SOLID_CASES; ++i) {
        b = solid_made(&solid_cases[i], &frame, 1);
        for (int f = 0; f < wit_body_describe(b).face_count; ++f) {
            const char* name = wit_body_face(b, f).name;
            assert_true(strlen(name) > 1);
            assert_int_equal(wit_body_find(b, WIT_FACE, name), f);
        }
        wit_body_destroy(b);
    }
    for (int k = 0; k < WIT_SOLID_KIND_COUNT; ++k) assert_true(strlen(wit_solid_kind_name((wit_solid_kind)k)) > 2);
    assert_string_equal(wit_solid_kind_name((wit_solid_kind)-1), "?");
}

static void half_space_is_one_unbounded_face(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_HALF_SPACE);
    d.frame.origin = vec3(0, 0, 2);
    wit_error e = {0};
    wit_body* b = wit_solid_create(&d, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    wit_body_info info = wit_body_describe(b);
    wit_vec3 n;
    assert_true(info.unbounded);
    assert_int_equal(info.face_count, 1);
    assert_int_equal(info.edge_count, 0);
    assert_int_equal(info.vertex_count, 0);
    assert_true(wit_body_face(b, 0).unbounded);
    assert_true(wit_body_face_normal(b, 0, 0, 0, &n));
    near3(n, vec3(0, 0, 1), 0, "normal");
    assert_true(wit_body_face_contains(b, 0, 1e9, -1e9));
    wit_body_destroy(b);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void refused(const wit_solid_def* d, wit_status status, const char* item)
{
    wit_error e = {0};
    wit_body* b = wit_solid_create(d, NULL, &e);
    if (b || e.status != status || strcmp(e.item, item))
        print_error("wanted %s at %s, got %s at '%s': %s\n", wit_status_name(status), item, wit_status_name(e.status),
                    e.item, e.text);
    assert_null(b);
    assert_int_equal(e.status, status);
    assert_string_equal(e.item, item);
    assert_true(strlen(e.text) > 10);
}

static void bad_numbers_are_refused_by_field(void** state)
{
    (void)state;
    static const struct {
        double value;
        wit_status status;
    } bad[6] = {{0, WIT_ERROR_RANGE},         {-1, WIT_ERROR_RANGE},    {NAN, WIT_ERROR_NUMBER},
                {INFINITY, WIT_ERROR_NUMBER}, {1e13, WIT_ERROR_NUMBER}, {1e-13, WIT_ERROR_RANGE}};
    static const struct {
        wit_solid_kind kind;
        const char* items[4];
    } fields[8] = {{WIT_SOLID_BOX, {"size_x", "size_y", "size_z"}},
                   {WIT_SOLID_ELLIPSOID, {"size_x", "size_y", "size_z"}},
                   {WIT_SOLID_SPHERE, {"radius"}},
                   {WIT_SOLID_CYLINDER, {"radius", "height"}},
                   {WIT_SOLID_CONE, {"radius", "height"}},
                   {WIT_SOLID_FRUSTUM, {"radius", "radius2", "height"}},
                   {WIT_SOLID_CAPSULE, {"radius", "height"}},
                   {WIT_SOLID_TORUS, {"radius", "radius2"}}};
    for (int f = 0; f < 8; ++f)
        for (int i = 0; fields[f].items[i]; ++i)
            for (int n = 0; n < 6; ++n) {
                wit_solid_def d = wit_solid_default_def(fields[f].kind);
                d.size_x = d.size_y = d.size_z = d.radius = d.height = 1;
                d.radius2 = 0.5;
                const char* item = fields[f].items[i];
                double* x = !strcmp(item, "size_x")    ? &d.size_x
                            : !strcmp(item, "size_y")  ? &d.size_y
                            : !strcmp(item, "size_z")  ? &d.size_z
                            : !strcmp(item, "radius")  ? &d.radius
                            : !strcmp(item, "radius2") ? &d.radius2
                                                       : &d.height;
                *x = bad[n].value;
                refused(&d, bad[n].status, item);
            }
}

static void bad_calls_and_frames_are_refused(void** state)
{
    (void)state;
    wit_error e = {0};
    assert_null(wit_solid_create(NULL, NULL, &e));
    assert_int_equal(e.status, WIT_ERROR_ARGUMENT);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_SPHERE);
    assert_null(wit_solid_create(&d, NULL, NULL)); /* radius 0, and nobody asks why */
    d.radius = 1;
    d.struct_size = 8;
    refused(&d, WIT_ERROR_ARGUMENT, "struct_size");
    d = wit_solid_default_def((wit_solid_kind)99);
    refused(&d, WIT_ERROR_ARGUMENT, "kind");
    d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = 1;
    d.frame.origin.y = NAN;
    refused(&d, WIT_ERROR_NUMBER, "frame.origin");
    d.frame.origin.y = 0;
    d.frame.x = d.frame.z;
    refused(&d, WIT_ERROR_FRAME, "frame.x");
    d = wit_solid_default_def(WIT_SOLID_TORUS);
    d.radius = d.radius2 = 1;
    refused(&d, WIT_ERROR_RANGE, "radius2");
    /* Sizes that drown in the rounding of the origin, or of one another. */
    d = wit_solid_default_def(WIT_SOLID_SPHERE);
    d.radius = 1;
    d.frame.origin.x = 1e10;
    refused(&d, WIT_ERROR_RANGE, "radius");
    d = wit_solid_default_def(WIT_SOLID_CONE);
    d.radius = 1;
    d.height = 1e-10;
    refused(&d, WIT_ERROR_RANGE, "height");
}

static void bad_polygons_are_refused(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    static const double clockwise[8] = {0, 0, 0, 1, 1, 1, 1, 0}, crossed[8] = {0, 0, 1, 1, 1, 0, 0, 1};
    static const double repeated[8] = {0, 0, 1, 0, 1, 0, 0, 1}, back[8] = {0, 0, 2, 0, 1, 0, 0, 1};
    static const double touching[14] = {0, 0, 4, 0, 4, 2, 2, 0, 0, 2, 0, 2, 0, 1};
    double with_nan[8] = {0, 0, 1, 0, 1, 1, 0, NAN};
    d.height = 1;
    d.polygon_count = 4;
    refused(&d, WIT_ERROR_ARGUMENT, "polygon");
    d.polygon = clockwise;
    refused(&d, WIT_ERROR_RANGE, "polygon");
    d.polygon_count = 2;
    refused(&d, WIT_ERROR_COUNT, "polygon");
    d.polygon_count = 1 << 20;
    refused(&d, WIT_ERROR_COUNT, "polygon");
    d.polygon_count = 4;
    d.polygon = crossed;
    refused(&d, WIT_ERROR_RANGE, "polygon[2]");
    d.polygon = repeated;
    refused(&d, WIT_ERROR_RANGE, "polygon[2]");
    d.polygon = back;
    refused(&d, WIT_ERROR_RANGE, "polygon[1]");
    d.polygon = with_nan;
    refused(&d, WIT_ERROR_NUMBER, "polygon[3]");
    d.polygon = touching; /* corner 3 stands on side 0 */
    d.polygon_count = 5;
    refused(&d, WIT_ERROR_RANGE, "polygon[2]");
    d.polygon = solid_polygon;
    d.polygon_count = SOLID_POLYGON;
    d.height = 0;
    refused(&d, WIT_ERROR_RANGE, "height");
}

/* A spline of degree 1 through points (x, y, z). */
static void refuse_profile(int count, const double* points, const char* words)
{
    double knots[12];
    wit_curve_def c = wit_curve_default_def(WIT_CURVE_NURBS);
    c.degree = 1;
    c.count = count;
    c.knot_count = count + 2;
    for (int i = 0; i < count + 2; ++i) knots[i] = fmin(fmax(i - 1, 0), count - 1);
    c.knots = knots;
    c.points = points;
    wit_curve* profile = curve_made(&c);
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    d.profile = profile;
    refused(&d, WIT_ERROR_RANGE, "profile");
    wit_error e = {0};
    wit_solid_create(&d, NULL, &e);
    if (!strstr(e.text, words)) print_error("'%s' lacks '%s'\n", e.text, words);
    assert_non_null(strstr(e.text, words));
    wit_curve_destroy(profile);
}

static void bad_profiles_are_refused(void** state)
{
    (void)state;
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_REVOLUTION);
    refused(&d, WIT_ERROR_ARGUMENT, "profile");
    static const double crossing[9] = {0, 0, 0, 1, 0, 1, -0.5, 0, 2}, off[9] = {0, 0, 0, 1, 0.1, 1, 0, 0, 2};
    static const double down[9] = {0, 0, 2, 1, 0, 1, 0, 0, 0}, flat[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    static const double touching[15] = {0, 0, 0, 1, 0, 1, 0, 0, 2, 1, 0, 3, 0, 0, 4};
    static const double pinched[12] = {0, 0, 0, 1, 0, -1, 1, 0, 1, 0, 0, 0}, axis[6] = {0, 0, 0, 0, 0, 1};
    refuse_profile(3, crossing, "crosses");
    refuse_profile(3, off, "leaves");
    refuse_profile(3, down, "right");
    refuse_profile(3, flat, "volume");
    refuse_profile(5, touching, "touches");
    refuse_profile(4, pinched, "pinch");
    refuse_profile(2, axis, "volume");
}

/* ---- memory -------------------------------------------------------------------------------- */

typedef struct ledger {
    long allowed; /* requests until the allocator runs dry */
    long asked;   /* so far */
    size_t bytes; /* out now */
} ledger;

static void* ledger_alloc(size_t bytes, void* user)
{
    ledger* l = user;
    if (l->asked++ >= l->allowed) return NULL;
    l->bytes += bytes;
    return malloc(bytes);
}

static void ledger_release(void* memory, size_t bytes, void* user)
{
    ledger* l = user;
    if (memory) l->bytes -= bytes;
    free(memory);
}

static void running_out_of_memory_leaks_nothing(void** state)
{
    (void)state;
    static const wit_solid_kind kinds[3] = {WIT_SOLID_BOX, WIT_SOLID_CAPSULE, WIT_SOLID_CONE};
    for (int i = 0; i < 3; ++i) {
        wit_solid_def d = wit_solid_default_def(kinds[i]);
        d.size_x = d.size_y = d.size_z = d.radius = d.height = 1;
        for (long n = 0;; ++n) {
            ledger l = {n, 0, 0};
            wit_allocator a = {ledger_alloc, ledger_release, &l};
            wit_error e = {0};
            wit_body* b = wit_solid_create(&d, &a, &e);
            if (!b) assert_int_equal(e.status, WIT_ERROR_MEMORY);
            if (!b) assert_int_equal(l.bytes, 0);
            if (!b) continue;
            assert_int_equal(l.bytes, wit_body_describe(b).bytes);
            wit_body_destroy(b);
            assert_int_equal(l.bytes, 0);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_euler_number_are_right),
        cmocka_unit_test(edges_are_exact_and_used_both_ways),
        cmocka_unit_test(normals_point_outwards),
        cmocka_unit_test(volume_is_the_closed_form),
        cmocka_unit_test(rims_have_the_normal_of_their_face),
        cmocka_unit_test(names_are_meaningful),
        cmocka_unit_test(half_space_is_one_unbounded_face),
        cmocka_unit_test(bad_numbers_are_refused_by_field),
        cmocka_unit_test(bad_calls_and_frames_are_refused),
        cmocka_unit_test(bad_polygons_are_refused),
        cmocka_unit_test(bad_profiles_are_refused),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
