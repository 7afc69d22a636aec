/* SPDX-License-Identifier: MIT */
/* Bad bodies are refused by item, and so is the lack of memory. */
#include "body_checks.h"
#include "failing.h"

/* A unit square on a plane, from four lines; one thing at a time is broken below. */
typedef struct square {
    wit_surface* plane;
    wit_curve* line[4];
    wit_vertex_def vertices[4];
    wit_edge_def edges[4];
    wit_use_def uses[4];
    wit_loop_def loop;
    wit_face_def face;
    wit_body_def def;
} square;

static void square_make(square* q)
{
    static const double x[5] = {0, 1, 1, 0, 0}, y[5] = {0, 0, 1, 1, 0};
    memset(q, 0, sizeof *q);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-1, 2);
    q->plane = surface_made(&d);
    for (int i = 0; i < 4; ++i) {
        wit_curve_def c = wit_curve_default_def(WIT_CURVE_LINE);
        c.frame.origin = vec3(x[i], y[i], 0);
        c.frame.x = vec3(x[i + 1] - x[i], y[i + 1] - y[i], 0);
        c.range = iv(0, 1);
        q->line[i] = curve_made(&c);
        q->vertices[i].point = vec3(x[i], y[i], 0);
        q->edges[i].curve = q->line[i];
        q->edges[i].start = i;
        q->edges[i].end = (i + 1) % 4;
        q->uses[i].edge = i;
    }
    q->loop.use_count = 4;
    q->loop.uses = q->uses;
    q->face.surface = q->plane;
    q->face.loop_count = 1;
    q->face.loops = &q->loop;
    q->def = wit_body_default_def(WIT_BODY_SHEET);
    q->def.vertices = q->vertices;
    q->def.vertex_count = 4;
    q->def.edges = q->edges;
    q->def.edge_count = 4;
    q->def.faces = &q->face;
    q->def.face_count = 1;
}

static void square_drop(square* q)
{
    for (int i = 0; i < 4; ++i) wit_curve_destroy(q->line[i]);
    wit_surface_destroy(q->plane);
}

static void assert_refused(square* q, wit_status status, const char* item)
{
    wit_error e = {0};
    wit_body* b = wit_body_create(&q->def, NULL, &e);
    if (b || e.status != status || strcmp(e.item, item))
        fail_msg("wanted %s at %s, got %s at %s: %s", wit_status_name(status), item, wit_status_name(e.status), e.item,
                 e.text);
    assert_true(strlen(e.text) > 10);
    assert_null(wit_body_create(&q->def, NULL, NULL));
    square_drop(q);
}

static void bad_bodies_are_refused_by_item(void** state)
{
    (void)state;
    square q;
    square_make(&q);
    wit_body* b = wit_body_create(&q.def, NULL, NULL); /* good as it is */
    assert_counts(b, 1, 1, 4, 4);
    assert_true(wit_body_face_contains(b, 0, 0.5, 0.5) && !wit_body_face_contains(b, 0, 1.5, 0.5));
    wit_body_destroy(b);
    square_drop(&q);

    square_make(&q);
    q.vertices[2].point = vec3(1, 1.1, 0);
    assert_refused(&q, WIT_ERROR_RANGE, "edges[1]");
    square_make(&q);
    q.vertices[2].point.y = NAN;
    assert_refused(&q, WIT_ERROR_NUMBER, "vertices[2].point");
    square_make(&q);
    q.loop.use_count = 3;
    assert_refused(&q, WIT_ERROR_NAME, "edges[3]"); /* nobody uses it */
    square_make(&q);
    q.loop.use_count = 3;
    q.def.edge_count = 3;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[0]");
    square_make(&q);
    q.uses[2].reversed = true;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[2]");
    square_make(&q);
    q.uses[1].edge = 7;
    assert_refused(&q, WIT_ERROR_NAME, "faces[0].loops[0].uses[1].edge");
    square_make(&q);
    q.edges[1].end = 9;
    assert_refused(&q, WIT_ERROR_NAME, "edges[1].end");
    square_make(&q);
    q.face.surface = NULL;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "faces[0].surface");
    square_make(&q);
    q.edges[1].curve = NULL;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "faces[0].loops[0].uses[1].parameter_curve");
    square_make(&q);
    q.def.face_count = 0;
    assert_refused(&q, WIT_ERROR_COUNT, "faces");
    square_make(&q);
    q.def.sew_tolerance = NAN;
    assert_refused(&q, WIT_ERROR_NUMBER, "sew_tolerance");
    square_make(&q);
    q.def.struct_size = 3;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "struct_size");
    square_make(&q);
    q.edges[2].range = iv(0.2, 0.1);
    assert_refused(&q, WIT_ERROR_RANGE, "edges[2].range");
    square_make(&q); /* the plane is half a unit above the edges */
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(-1, 2);
    d.frame.origin.z = 0.5;
    wit_surface* above = surface_made(&d);
    q.face.surface = above;
    assert_refused(&q, WIT_ERROR_RANGE, "faces[0].loops[0].uses[0]");
    wit_surface_destroy(above);
}

/* The curve of a lifted edge leans on its body: it cannot be made part of another shape or body. */
static void curves_of_lifted_edges_are_not_copied(void** state)
{
    (void)state;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.range_u = d.range_v = iv(0, 1);
    wit_surface* s = surface_made(&d);
    wit_body* b = lone(s);
    square q;
    square_make(&q);
    q.edges[0].curve = wit_body_edge(b, 0).curve;
    assert_refused(&q, WIT_ERROR_ARGUMENT, "edges[0].curve");
    wit_surface_def e = wit_surface_default_def(WIT_SURFACE_EXTRUSION);
    e.profile = wit_body_edge(b, 0).curve;
    e.direction = vec3(0, 0, 1);
    e.range_v = iv(0, 1);
    surface_refused(&e, WIT_ERROR_ARGUMENT, "profile");
    wit_body_destroy(b);
    wit_surface_destroy(s);
}

/* Any one allocation failing gives a refusal and no leak. */
static void every_failing_allocation_is_a_refusal(void** state)
{
    (void)state;
    failing f = {0, 0};
    wit_allocator a = {failing_alloc, failing_release, &f};
    square q;
    square_make(&q);
    wit_body* b = NULL;
    int n = 0;
    for (; !b; ++n) {
        wit_error e = {0};
        f.left = n;
        b = wit_body_create(&q.def, &a, &e);
        if (!b) assert_int_equal(e.status, WIT_ERROR_MEMORY);
        if (!b) assert_int_equal(f.live, 0);
        assert_true(n < 1000);
    }
    wit_body_destroy(b);
    square_drop(&q);
    assert_true(n > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_bodies_are_refused_by_item),
        cmocka_unit_test(curves_of_lifted_edges_are_not_copied),
        cmocka_unit_test(every_failing_allocation_is_a_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
