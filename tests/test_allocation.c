/* SPDX-License-Identifier: MIT */
/*
 * Evaluation never allocates. The linker sends every call of malloc and its kin, from here and from
 * the core (a static library), through the counters below (--wrap). The first tests prove that the
 * counters count; without them the others would prove nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/witness.h"
#include "counted.h"

static volatile long given_back;

void __real_free(void* memory);
void* __wrap_memalign(size_t alignment, size_t bytes);
void* __wrap_valloc(size_t bytes);
int __wrap_posix_memalign(void** out, size_t alignment, size_t bytes);
void* __wrap_mmap(void* address, size_t bytes, int protection, int flags, int file, long offset);
int __wrap_brk(void* end);
void* __wrap_sbrk(intptr_t bytes);
void __wrap_free(void* memory);

void __wrap_free(void* memory)
{
    given_back++;
    __real_free(memory);
}

/* The rest has no business in a C17 library: counted, and refused. */
void* __wrap_memalign(size_t alignment, size_t bytes)
{
    (void)alignment, (void)bytes;
    taken++;
    return NULL;
}

void* __wrap_valloc(size_t bytes)
{
    (void)bytes;
    taken++;
    return NULL;
}

int __wrap_posix_memalign(void** out, size_t alignment, size_t bytes)
{
    (void)out, (void)alignment, (void)bytes;
    taken++;
    return 12;
}

void* __wrap_mmap(void* address, size_t bytes, int protection, int flags, int file, long offset)
{
    (void)address, (void)bytes, (void)protection, (void)flags, (void)file, (void)offset;
    taken++;
    return (void*)-1;
}

int __wrap_brk(void* end)
{
    (void)end;
    taken++;
    return -1;
}

void* __wrap_sbrk(intptr_t bytes)
{
    (void)bytes;
    taken++;
    return (void*)-1;
}

/* ---- one shape of every kind ---------------------------------------------------------------- */

typedef struct shapes {
    wit_curve* curves[WIT_CURVE_KIND_COUNT + 1]; /* the last: a closed spline */
    wit_surface* surfaces[WIT_SURFACE_KIND_COUNT + 1];
} shapes;

enum { CURVES = WIT_CURVE_KIND_COUNT + 1, SURFACES = WIT_SURFACE_KIND_COUNT + 1 };

static const double knots[] = {0, 0, 0, 0.25, 0.5, 0.5, 1, 1, 1}; /* degree 2, 6 points, C0 at 0.5 */
static const double closed_knots[] = {0, 1, 2, 3, 4, 5, 6};

static wit_curve* make_curve(const wit_curve_def* def)
{
    wit_error error = {WIT_OK, 0, 0, "", ""};
    wit_curve* curve = wit_curve_create(def, NULL, &error);
    if (!curve) fail_msg("curve of kind %d: %s: %s", (int)def->kind, error.item, error.text);
    return curve;
}

static wit_surface* make_surface(const wit_surface_def* def)
{
    wit_error error = {WIT_OK, 0, 0, "", ""};
    wit_surface* surface = wit_surface_create(def, NULL, &error);
    if (!surface) fail_msg("surface of kind %d: %s: %s", (int)def->kind, error.item, error.text);
    return surface;
}

static void make_surfaces(shapes* s)
{
    double points[36 * 3], weights[36];
    for (int i = 0; i < 36; i++) {
        points[3 * i] = i / 6;
        points[3 * i + 1] = i % 6;
        points[3 * i + 2] = 0.1 * (double)(i * i % 7);
        weights[i] = 1 + 0.1 * (i % 3);
    }
    for (int k = 0; k < SURFACES; k++) {
        wit_surface_def def =
            wit_surface_default_def(k < WIT_SURFACE_KIND_COUNT ? (wit_surface_kind)k : WIT_SURFACE_NURBS);
        def.frame = (wit_frame){{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
        if (k == WIT_SURFACE_PLANE) def.range_u = (wit_interval){-1, 1};
        if (k == WIT_SURFACE_PLANE || k == WIT_SURFACE_CYLINDER || k == WIT_SURFACE_CONE || k == WIT_SURFACE_EXTRUSION)
            def.range_v = (wit_interval){0, 2};
        def.radius = k == WIT_SURFACE_CONE ? 0 : 3; /* with its apex */
        def.minor = 1;
        def.angle = 0.5;
        def.semi_x = 1, def.semi_y = 2, def.semi_z = 3;
        def.profile = s->curves[WIT_CURVE_HYPERBOLA];
        def.direction = (wit_vec3){1, 1, 1};
        def.degree_u = def.degree_v = 2;
        def.count_u = def.count_v = 6;
        def.periodic_u = k == WIT_SURFACE_KIND_COUNT;
        def.knots_u = def.periodic_u ? closed_knots : knots;
        def.knot_count_u = def.periodic_u ? 7 : 9;
        def.knots_v = knots;
        def.knot_count_v = 9;
        def.points = points;
        def.weights = weights;
        s->surfaces[k] = make_surface(&def);
    }
}

/* Curves on surfaces need a surface, swept surfaces a curve: plain curves, surfaces, other curves. */
static int make_shapes(void** state)
{
    static shapes all;
    static const double points[] = {1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 1, -1, 0, 1, 0, -1, 1};
    memset(&all, 0, sizeof all);
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < CURVES; k++) {
            bool on_surface = k == WIT_CURVE_ISO || k == WIT_CURVE_ON_SURFACE;
            if (on_surface != (pass == 1)) continue;
            wit_curve_def def = wit_curve_default_def(k < WIT_CURVE_KIND_COUNT ? (wit_curve_kind)k : WIT_CURVE_NURBS);
            def.frame = (wit_frame){{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
            if (k == WIT_CURVE_LINE || k == WIT_CURVE_PARABOLA || k == WIT_CURVE_HYPERBOLA)
                def.range = (wit_interval){0, 1};
            def.radius = 2, def.semi_x = 2, def.semi_y = 1, def.focal = 1;
            def.degree = 2;
            def.count = 6;
            def.periodic = k == WIT_CURVE_KIND_COUNT;
            def.knots = def.periodic ? closed_knots : knots;
            def.knot_count = def.periodic ? 7 : 9;
            def.points = points;
            def.surface = all.surfaces[WIT_SURFACE_NURBS];
            def.fixed = WIT_U;
            def.value = 0.3;
            def.parameter_curve = all.curves[WIT_CURVE_LINE];
            all.curves[k] = make_curve(&def);
        }
        if (pass == 0) make_surfaces(&all);
    }
    *state = &all;
    return 0;
}

static int destroy_shapes(void** state)
{
    shapes* s = *state;
    for (int k = 0; k < CURVES; k++) wit_curve_destroy(s->curves[k]);
    for (int k = 0; k < SURFACES; k++) wit_surface_destroy(s->surfaces[k]);
    return 0;
}

/* ---- the counters count --------------------------------------------------------------------- */

static void counter_sees_every_allocator(void** state)
{
    (void)state;
    void* volatile memory; /* volatile: a compiler may leave out a malloc that nobody looks at */
    long before = taken, before_back = given_back;
    memory = malloc(8);
    assert_int_equal(taken - before, 1);
    memory = realloc(memory, 16);
    assert_int_equal(taken - before, 2);
    free(memory);
    assert_int_equal(given_back - before_back, 1);
    memory = calloc(2, 8);
    assert_int_equal(taken - before, 3);
    free(memory);
    memory = aligned_alloc(64, 64);
    assert_int_equal(taken - before, 4);
    free(memory);
    assert_int_equal(given_back - before_back, 3);
}

static void create_allocates_once_and_destroy_gives_it_back(void** state)
{
    (void)state;
    wit_surface_def def = wit_surface_default_def(WIT_SURFACE_SPHERE);
    def.radius = 1;
    long before = taken, before_back = given_back;
    wit_surface* sphere = wit_surface_create(&def, NULL, NULL);
    assert_non_null(sphere);
    assert_int_equal(taken - before, 1);
    assert_int_equal(given_back - before_back, 0);
    wit_surface_destroy(sphere);
    assert_int_equal(taken - before, 1);
    assert_int_equal(given_back - before_back, 1);
}

typedef struct count {
    long taken, released;
} count;

static void* counted_alloc(size_t bytes, void* user)
{
    ((count*)user)->taken++;
    return __real_malloc(bytes);
}

static void counted_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    ((count*)user)->released++;
    __real_free(memory);
}

static void own_allocator_replaces_malloc(void** state)
{
    (void)state;
    count c = {0, 0};
    const wit_allocator allocator = {counted_alloc, counted_release, &c};
    wit_curve_def def = wit_curve_default_def(WIT_CURVE_CIRCLE);
    def.radius = 1;
    long before = taken;
    wit_curve* circle = wit_curve_create(&def, &allocator, NULL);
    assert_non_null(circle);
    wit_curve_destroy(circle);
    assert_int_equal(taken, before);
    assert_int_equal(c.taken, 1);
    assert_int_equal(c.released, 1);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

enum { BULK = 32 };

/* Everything a const curve can be asked; t sweeps the range and both outsides of it. */
static unsigned use_curve(const wit_curve* curve)
{
    static wit_curve_jet jets[BULK];
    double t[BULK];
    uint8_t places[BULK];
    wit_curve_info info = wit_curve_describe(curve);
    double width = info.range.hi - info.range.lo;
    wit_hint hint = {{0}};
    unsigned flags = 0;
    for (int i = 0; i < BULK; i++) {
        t[i] = info.range.lo + width * ((double)i / (BULK - 1) * 1.2 - 0.1);
        flags |= wit_curve_eval(curve, t[i], (unsigned)i & 1u, i % 3 ? &hint : NULL, &jets[0]);
        (void)wit_curve_curvature(&jets[0]);
        wit_curve_bounds bounds;
        wit_interval piece = {t[i] - 0.1 * width, t[i] + 0.1 * width};
        wit_curve_bound(curve, piece, &bounds);
        (void)wit_curve_extent(curve, piece, (wit_vec3){1, 2, 3});
    }
    flags |= wit_curve_eval_many(curve, BULK, t, jets, places);
    int breaks = 0;
    (void)wit_curve_breaks(curve, &breaks);
    wit_continuity continuity;
    for (int k = 0; k < breaks; k++) (void)wit_curve_continuity(curve, k, &continuity);
    (void)wit_curve_kind_name(info.kind);
    return flags;
}

static unsigned use_surface(const wit_surface* surface)
{
    static wit_surface_jet jets[BULK];
    double uv[2 * BULK];
    uint8_t places[BULK];
    wit_surface_info info = wit_surface_describe(surface);
    double width_u = info.range_u.hi - info.range_u.lo, width_v = info.range_v.hi - info.range_v.lo;
    wit_hint hint = {{0}};
    unsigned flags = 0;
    for (int i = 0; i < BULK; i++) {
        double u = info.range_u.lo + width_u * ((double)(i * 7 % BULK) / (BULK - 1) * 1.2 - 0.1);
        double v = info.range_v.lo + width_v * ((double)i / (BULK - 1) * 1.2 - 0.1);
        uv[2 * i] = u;
        uv[2 * i + 1] = v;
        flags |= wit_surface_eval(surface, u, v, (unsigned)i & 3u, i % 3 ? &hint : NULL, &jets[0]);
        (void)wit_surface_forms_of(&jets[0]);
        wit_vec3 normal;
        (void)wit_surface_normal(surface, u, v, &normal);
        wit_surface_bounds bounds;
        wit_interval piece_u = {u - 0.1 * width_u, u + 0.1 * width_u};
        wit_interval piece_v = {v - 0.1 * width_v, v + 0.1 * width_v};
        wit_surface_bound(surface, piece_u, piece_v, &bounds);
        (void)wit_surface_extent(surface, piece_u, piece_v, (wit_vec3){1, 2, 3});
    }
    flags |= wit_surface_eval_many(surface, BULK, uv, jets, places);
    wit_continuity continuity;
    for (int direction = 0; direction < 2; direction++) {
        int breaks = 0;
        (void)wit_surface_breaks(surface, (wit_direction)direction, &breaks);
        for (int k = 0; k < breaks; k++)
            (void)wit_surface_continuity(surface, (wit_direction)direction, k, &continuity);
    }
    (void)wit_surface_kind_name(info.kind);
    return flags;
}

static void evaluation_of_every_curve_does_not_allocate(void** state)
{
    const shapes* s = *state;
    for (int k = 0; k < CURVES; k++) {
        long before = taken, before_back = given_back;
        unsigned flags = use_curve(s->curves[k]);
        if (taken != before || given_back != before_back) fail_msg("curve of kind %d allocates", k);
        assert_int_equal(flags & WIT_EVAL_INVALID, 0);
    }
}

static void evaluation_of_every_surface_does_not_allocate(void** state)
{
    const shapes* s = *state;
    for (int k = 0; k < SURFACES; k++) {
        long before = taken, before_back = given_back;
        unsigned flags = use_surface(s->surfaces[k]);
        if (taken != before || given_back != before_back) fail_msg("surface of kind %d allocates", k);
        assert_int_equal(flags & WIT_EVAL_INVALID, 0);
    }
}

/* A cylinder has trimmed discs, a ring edge on each, and a whole side; a box has vertices. */
static void asking_a_body_does_not_allocate(void** state)
{
    (void)state;
    const wit_solid_kind kinds[2] = {WIT_SOLID_CYLINDER, WIT_SOLID_BOX};
    for (int n = 0; n < 2; n++) {
        wit_solid_def def = wit_solid_default_def(kinds[n]);
        def.radius = def.height = def.size_x = def.size_y = def.size_z = 1;
        wit_body* body = wit_solid_create(&def, NULL, NULL);
        assert_non_null(body);
        long before = taken;
        wit_body_info info = wit_body_describe(body);
        int inside = 0;
        for (int f = 0; f < info.face_count; f++)
            for (int i = 0; i < 400; i++) {
                wit_face_info face = wit_body_face(body, f);
                double u = face.u.lo + (face.u.hi - face.u.lo) * (i % 20) / 19;
                double v = face.v.lo + (face.v.hi - face.v.lo) * (i / 20) / 19;
                wit_vec3 normal;
                inside += wit_body_face_contains(body, f, u, v) && wit_body_face_normal(body, f, u, v, &normal);
            }
        wit_use_info use;
        for (int e = 0; e < info.edge_count; e++)
            for (int k = 0; wit_body_edge_use(body, e, k, &use) >= 0; k++)
                (void)use_curve(wit_body_edge(body, e).curve);
        for (int v = 0; v < info.vertex_count; v++) (void)wit_body_vertex(body, v);
        (void)wit_body_find(body, WIT_FACE, "no such name");
        (void)wit_body_check(body);
        assert_int_equal(taken, before);
        assert_true(inside > 400);
        wit_body_destroy(body);
    }
}

static void poses_and_trigonometry_do_not_allocate(void** state)
{
    (void)state;
    long before = taken, before_back = given_back;
    double s, c;
    wit_sincos(1.0, &s, &c);
    wit_sinhcosh(1.0, &s, &c);
    wit_pose pose = wit_pose_identity();
    pose.rotation = wit_quat_about((wit_vec3){1, 2, 3}, wit_atan2(s, c));
    wit_motion motion = wit_motion_at_rest(pose);
    motion.twist.velocity.x = wit_exp(0.5);
    wit_pose after = wit_motion_after(&motion, 0.1);
    wit_twist twist = wit_twist_between(&pose, &after, 0.1);
    after = wit_pose_compose(&after, &pose);
    after = wit_pose_inverse(&after);
    assert_int_equal(wit_pose_check(&after), WIT_OK);
    assert_true(twist.velocity.x > 0);
    assert_int_equal(taken, before);
    assert_int_equal(given_back, before_back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_sees_every_allocator),
        cmocka_unit_test(create_allocates_once_and_destroy_gives_it_back),
        cmocka_unit_test(own_allocator_replaces_malloc),
        cmocka_unit_test(evaluation_of_every_curve_does_not_allocate),
        cmocka_unit_test(evaluation_of_every_surface_does_not_allocate),
        cmocka_unit_test(asking_a_body_does_not_allocate),
        cmocka_unit_test(poses_and_trigonometry_do_not_allocate),
    };
    return cmocka_run_group_tests(tests, make_shapes, destroy_shapes);
}
