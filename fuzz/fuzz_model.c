/* SPDX-License-Identifier: MIT */
/*
 * Any bytes in place of a model: refused with a position, or read into shapes that evaluate to finite
 * numbers inside their own bounds, and into bodies that can be checked; all of it comes back with the same bits
 * after writing and reading. Memory is limited, so that running out of it is met as well. Bytes that
 * begin with a digit are patches.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../include/witness/io.h"
#include "fuzz.h"

enum { MEMORY = 64 << 20, SHAPES = 16, FEATURES = 64, SAMPLES = 4 };

static int inside(const wit_box* b, wit_vec3 p)
{
    return b->lo.x <= p.x && p.x <= b->hi.x && b->lo.y <= p.y && p.y <= b->hi.y && b->lo.z <= p.z && p.z <= b->hi.z;
}

static double between(wit_interval r, int k)
{
    return k == SAMPLES ? r.hi : r.lo + (r.hi - r.lo) * k / SAMPLES;
}

static void check_curve(const wit_curve* c, const wit_curve* again)
{
    wit_curve_info info = wit_curve_describe(c);
    wit_curve_bounds b;
    wit_curve_bound(c, info.range, &b);
    CLAIM(finite3(b.box.lo) && finite3(b.box.hi) && !isnan(b.d1) && !isnan(b.d2) && !isnan(b.d3));
    for (int k = 0; k <= SAMPLES; k++) {
        wit_curve_jet one, two;
        double t = between(info.range, k);
        wit_curve_eval(c, t, 0, NULL, &one);
        wit_curve_eval(again, t, 0, NULL, &two);
        CLAIM(finite3(one.p) && finite3(one.d1) && finite3(one.d2));
        CLAIM(memcmp(&one, &two, sizeof one) == 0);
        CLAIM(inside(&b.box, one.p));
        CLAIM(isfinite(wit_curve_curvature(&one)));
    }
}

static void check_surface(const wit_surface* s, const wit_surface* again)
{
    wit_surface_info info = wit_surface_describe(s);
    wit_surface_bounds b;
    wit_surface_bound(s, info.range_u, info.range_v, &b);
    CLAIM(finite3(b.box.lo) && finite3(b.box.hi) && finite3(b.normals.axis) && !isnan(b.normals.angle));
    for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); k++) {
        wit_surface_jet one, two;
        wit_vec3 n;
        double u = between(info.range_u, k / (SAMPLES + 1)), v = between(info.range_v, k % (SAMPLES + 1));
        wit_surface_eval(s, u, v, 0, NULL, &one);
        wit_surface_eval(again, u, v, 0, NULL, &two);
        CLAIM(finite3(one.p) && finite3(one.du) && finite3(one.dv) && finite3(one.duu) && finite3(one.duv) &&
              finite3(one.dvv));
        CLAIM(memcmp(&one, &two, sizeof one) == 0);
        CLAIM(inside(&b.box, one.p));
        wit_surface_normal(s, u, v, &n);
        CLAIM(finite3(n));
        wit_surface_forms f = wit_surface_forms_of(&one);
        CLAIM(!isnan(f.gauss) && !isnan(f.k1) && !isnan(f.k2));
    }
}

static void check_uses(const wit_body* b, int face)
{
    wit_body_info info = wit_body_describe(b);
    wit_face_info f = wit_body_face(b, face);
    for (int l = 0; l < f.loop_count && l < FEATURES; l++) {
        CLAIM(wit_body_loop_size(b, face, l) > 0);
        for (int k = 0; k < wit_body_loop_size(b, face, l) && k < FEATURES; k++) {
            wit_use_info use;
            CLAIM(wit_body_loop_use(b, face, l, k, &use) >= 0);
            CLAIM(use.face == face && use.loop == l && use.edge >= -1 && use.edge < info.edge_count);
            CLAIM(use.parameter_curve && isfinite(use.scale) && isfinite(use.shift));
        }
    }
}

static void check_face(const wit_body* b, int i, const wit_body* again)
{
    wit_face_info f = wit_body_face(b, i);
    CLAIM(f.surface && f.u.lo <= f.u.hi && f.v.lo <= f.v.hi);
    for (int k = 0; k < (SAMPLES + 1) * (SAMPLES + 1); k++) {
        double u = between(f.u, k / (SAMPLES + 1)), v = between(f.v, k % (SAMPLES + 1));
        wit_vec3 n;
        wit_body_face_normal(b, i, u, v, &n);
        CLAIM(finite3(n));
        CLAIM(wit_body_face_contains(b, i, u, v) == wit_body_face_contains(again, i, u, v));
    }
    check_uses(b, i);
}

/* A check costs far more than reading: of a large body one feature of each kind, of one of up to FEATURES all of them. */
static void check_check(const wit_body* b, unsigned pick)
{
    wit_body_info p = wit_body_describe(b);
    wit_face_check f = wit_body_check_face(b, p.face_count ? (int)(pick % (unsigned)p.face_count) : 0);
    CLAIM(!isnan(f.area) && !isnan(f.bend_min) && !isnan(f.bend_max) && finite3(f.normals.axis));
    wit_edge_check e = wit_body_check_edge(b, p.edge_count ? (int)(pick % (unsigned)p.edge_count) : 0);
    CLAIM(!isnan(e.gap) && !isnan(e.length) && !isnan(e.turn_min) && !isnan(e.turn_max));
    CLAIM(!isnan(wit_body_check_vertex(b, p.vertex_count ? (int)(pick % (unsigned)p.vertex_count) : 0).gap));
    if (p.face_count > FEATURES || p.edge_count > FEATURES) return;
    wit_body_check_result c = wit_body_check(b);
    CLAIM(!isnan(c.area) && !isnan(c.volume) && !isnan(c.gap));
}

/* What was built hangs together, and is the same again. */
static void check_body(const wit_body* b, const wit_body* again)
{
    wit_body_info p = wit_body_describe(b), q = wit_body_describe(again);
    CLAIM(p.face_count == q.face_count && p.edge_count == q.edge_count && p.vertex_count == q.vertex_count);
    CLAIM(p.loop_count == q.loop_count && p.bytes == q.bytes && p.node_count == q.node_count);
    CLAIM(finite3(p.box.lo) && finite3(p.box.hi) && isfinite(p.size) && isfinite(p.tolerance));
    for (int i = 0; i < p.face_count && i < FEATURES; i++) check_face(b, i, again);
    for (int i = 0; i < p.edge_count && i < FEATURES; i++) {
        wit_edge_info e = wit_body_edge(b, i);
        CLAIM(e.curve && e.range.lo < e.range.hi && e.start < p.vertex_count && e.end < p.vertex_count);
        for (int k = 0; k <= SAMPLES; k++) {
            wit_curve_jet jet;
            wit_curve_eval(e.curve, between(e.range, k), 0, NULL, &jet);
            CLAIM(finite3(jet.p) && finite3(jet.d1));
        }
    }
}

static char* written(const wit_model* m, size_t* bytes)
{
    *bytes = wit_model_write_text(m, NULL, 0);
    char* text = malloc(*bytes + 1);
    if (text) CLAIM(wit_model_write_text(m, text, *bytes + 1) == *bytes);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    size_t left = MEMORY;
    wit_allocator allocator = {take, give, &left};
    wit_error e = {0};
    wit_model* m = read_input(data, size, &allocator, &e);
    if (!m) {
        CLAIM(left == MEMORY);
        CLAIM(e.status != WIT_OK && e.status != WIT_ERROR_ARGUMENT && e.status < WIT_STATUS_COUNT);
        CLAIM(e.line > 0 && e.column > 0 && e.item[0] && e.text[0]);
        return 0;
    }
    size_t n, n_again;
    char* text = written(m, &n);
    wit_model* again = wit_model_read_text(text, n, NULL, &e);
    if (!again) fprintf(stderr, "%s\n%d:%d: %s: %s\n", text, e.line, e.column, e.item, e.text);
    CLAIM(again);
    CLAIM(wit_model_curve_count(m) == wit_model_curve_count(again));
    CLAIM(wit_model_surface_count(m) == wit_model_surface_count(again));
    for (int i = 0; i < wit_model_curve_count(m) && i < SHAPES; i++)
        check_curve(wit_model_curve(m, i), wit_model_curve(again, i));
    for (int i = 0; i < wit_model_surface_count(m) && i < SHAPES; i++)
        check_surface(wit_model_surface(m, i), wit_model_surface(again, i));
    CLAIM(wit_model_body_count(m) == wit_model_body_count(again));
    unsigned pick = 0;
    for (size_t i = 0; i < size; i++) pick = pick * 31 + data[i];
    for (int i = 0; i < wit_model_body_count(m) && i < SHAPES; i++) {
        check_body(wit_model_body(m, i), wit_model_body(again, i));
        check_check(wit_model_body(m, i), pick >> 4);
    }
    char* text_again = written(again, &n_again);
    CLAIM(n == n_again && memcmp(text, text_again, n) == 0);
    wit_model_destroy(m);
    wit_model_destroy(again);
    free(text);
    free(text_again);
    CLAIM(left == MEMORY);
    return 0;
}
