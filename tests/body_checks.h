/* SPDX-License-Identifier: MIT */
/* Building a body from faces in a test, and what must hold of every body. */
#ifndef TESTS_BODY_CHECKS_H
#define TESTS_BODY_CHECKS_H

#include "../include/witness/body.h"
#include "analytic.h"

static inline wit_body* body_of(const wit_face_def* faces, int count, double sew)
{
    wit_body_def d = wit_body_default_def(WIT_BODY_SHEET2);
    d.faces = faces;
    d.face_count = count;
    d.sew_tolerance = sew;
    wit_error e = {0};
    wit_body* b = wit_body_create(&d, NULL, &e);
    if (!b) print_error("%s: %s\n", e.item, e.text);
    assert_non_null(b);
    return b;
}

static inline wit_body* lone(const wit_surface* s)
{
    wit_face_def f = {0};
    f.surface = s;
    return body_of(&f, 1, 0);
}

static inline void assert_counts(const wit_body* b, int faces, int loops, int edges, int vertices)
{
    wit_body_info i = wit_body_describe(b);
    if (i.face_count != faces || i.loop_count != loops || i.edge_count != edges || i.vertex_count != vertices)
        fail_msg("%d faces, %d loops, %d edges, %d vertices", i.face_count, i.loop_count, i.edge_count, i.vertex_count);
}

/* Every use's parameter curve, lifted, runs along its edge; loops join end to end in space. */
static inline void assert_consistent(const wit_body* b)
{
    wit_body_info info = wit_body_describe(b);
    double near = info.tolerance + 1e-9 * info.size;
    for (int e = 0; e < info.edge_count; ++e) {
        wit_edge_info edge = wit_body_edge(b, e);
        wit_use_info use;
        for (int k = 0; wit_body_edge_use(b, e, k, &use) >= 0; ++k) {
            assert_int_equal(use.edge, e);
            const wit_surface* s = wit_body_face(b, use.face).surface;
            for (int i = 0; i <= 8; ++i) {
                double t = edge.range.lo + iv_width(edge.range) * i / 8;
                wit_curve_jet on_edge, uv;
                wit_surface_jet on_face;
                wit_curve_eval(edge.curve, t, 0, NULL, &on_edge);
                wit_curve_eval(use.parameter_curve, use.shift + use.scale * t, 0, NULL, &uv);
                wit_surface_eval(s, uv.p.x, uv.p.y, 0, NULL, &on_face);
                assert_true(norm3(sub3(on_edge.p, on_face.p)) <= near);
            }
        }
        assert_int_equal(edge.use_count > 0, 1);
        for (int end = 0; end < 2 && !edge.ring; ++end) {
            wit_curve_jet at;
            wit_curve_eval(edge.curve, end ? edge.range.hi : edge.range.lo, 0, NULL, &at);
            assert_true(norm3(sub3(at.p, wit_body_vertex(b, end ? edge.end : edge.start).point)) <= near);
        }
    }
    for (int v = 0; v < info.vertex_count; ++v) {
        wit_vertex_info vertex = wit_body_vertex(b, v);
        for (int k = 0; k < vertex.edge_count; ++k) {
            wit_edge_info edge = wit_body_edge(b, wit_body_vertex_edge(b, v, k));
            assert_true(edge.start == v || edge.end == v);
        }
        assert_int_equal(wit_body_vertex_edge(b, v, vertex.edge_count), -1);
        assert_int_equal(wit_body_vertex_face(b, v, vertex.face_count), -1);
    }
}

#endif
