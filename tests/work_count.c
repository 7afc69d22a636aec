/* SPDX-License-Identifier: MIT */
#include "work_count.h"

#include "../src/body/body_record.h"
#include "../src/geom/spline_piece.h"

work_count counted_work;

unsigned __real_wit_curve_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out);
unsigned __wrap_wit_curve_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out);
unsigned __wrap_wit_curve_eval(const wit_curve* c, double t, unsigned side, wit_hint* hint, wit_curve_jet* out)
{
    counted_work.jets++;
    return __real_wit_curve_eval(c, t, side, hint, out);
}

unsigned __real_wit_surface_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                                 wit_surface_jet* out);
unsigned __wrap_wit_surface_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                                 wit_surface_jet* out);
unsigned __wrap_wit_surface_eval(const wit_surface* s, double u, double v, unsigned side, wit_hint* hint,
                                 wit_surface_jet* out)
{
    counted_work.jets++;
    return __real_wit_surface_eval(s, u, v, side, hint, out);
}

bool __real_wi_body_face_contains(const wit_body* b, int face, double u, double v, wit_work* work, int64_t units);
bool __wrap_wi_body_face_contains(const wit_body* b, int face, double u, double v, wit_work* work, int64_t units);
bool __wrap_wi_body_face_contains(const wit_body* b, int face, double u, double v, wit_work* work, int64_t units)
{
    counted_work.tests++;
    return __real_wi_body_face_contains(b, face, u, v, work, units);
}

trim_tag __real_wi_trim_classify(const trim_region* region, const void* block, const trim_curves* curves,
                                 wit_interval u, wit_interval v);
trim_tag __wrap_wi_trim_classify(const trim_region* region, const void* block, const trim_curves* curves,
                                 wit_interval u, wit_interval v);
trim_tag __wrap_wi_trim_classify(const trim_region* region, const void* block, const trim_curves* curves,
                                 wit_interval u, wit_interval v)
{
    counted_work.tests++;
    return __real_wi_trim_classify(region, block, curves, u, v);
}

/* Enclosures within enclosures are part of them. */
static int depth;

static void enter(void)
{
    counted_work.tests += !depth++;
}

void __real_wi_curve_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out);
void __wrap_wi_curve_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out);
void __wrap_wi_curve_enclose(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], curve_enclosure* out)
{
    enter();
    __real_wi_curve_enclose(c, t, axes, out);
    --depth;
}

void __real_wi_surface_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                               surface_enclosure* out);
void __wrap_wi_surface_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                               surface_enclosure* out);
void __wrap_wi_surface_enclose(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                               surface_enclosure* out)
{
    enter();
    __real_wi_surface_enclose(s, u, v, axes, out);
    --depth;
}

void __real_wi_curve_enclose_to(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], int derivatives,
                                curve_enclosure* out);
void __wrap_wi_curve_enclose_to(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], int derivatives,
                                curve_enclosure* out);
void __wrap_wi_curve_enclose_to(const wit_curve* c, wit_interval t, const wit_vec3 axes[3], int derivatives,
                                curve_enclosure* out)
{
    enter();
    __real_wi_curve_enclose_to(c, t, axes, derivatives, out);
    --depth;
}

void __real_wi_surface_enclose_to(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                                  int derivatives, surface_enclosure* out);
void __wrap_wi_surface_enclose_to(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                                  int derivatives, surface_enclosure* out);
void __wrap_wi_surface_enclose_to(const wit_surface* s, wit_interval u, wit_interval v, const wit_vec3 axes[3],
                                  int derivatives, surface_enclosure* out)
{
    enter();
    __real_wi_surface_enclose_to(s, u, v, axes, derivatives, out);
    --depth;
}

bool __real_wi_surface_normal_cone(const wit_surface* s, wit_interval u, wit_interval v, wit_cone* out);
bool __wrap_wi_surface_normal_cone(const wit_surface* s, wit_interval u, wit_interval v, wit_cone* out);
bool __wrap_wi_surface_normal_cone(const wit_surface* s, wit_interval u, wit_interval v, wit_cone* out)
{
    enter();
    bool r = __real_wi_surface_normal_cone(s, u, v, out);
    --depth;
    return r;
}

/* A piece that is read off its net: each stands for an enclosure, the last one for a cone of normals as well. */
void __real_wi_spline_piece_middle(const spline_piece* piece, wit_interval (*out)[3]);
void __wrap_wi_spline_piece_middle(const spline_piece* piece, wit_interval (*out)[3]);
void __wrap_wi_spline_piece_middle(const spline_piece* piece, wit_interval (*out)[3])
{
    counted_work.tests++;
    __real_wi_spline_piece_middle(piece, out);
}

void __real_wi_spline_piece_box(const spline_piece* piece, wit_interval out[3]);
void __wrap_wi_spline_piece_box(const spline_piece* piece, wit_interval out[3]);
void __wrap_wi_spline_piece_box(const spline_piece* piece, wit_interval out[3])
{
    counted_work.tests++;
    __real_wi_spline_piece_box(piece, out);
}

void __real_wi_spline_piece_enclose(const spline_piece* piece, const wit_vec3 axes[3], wit_interval (*out)[3]);
void __wrap_wi_spline_piece_enclose(const spline_piece* piece, const wit_vec3 axes[3], wit_interval (*out)[3]);
void __wrap_wi_spline_piece_enclose(const spline_piece* piece, const wit_vec3 axes[3], wit_interval (*out)[3])
{
    counted_work.tests += 2;
    __real_wi_spline_piece_enclose(piece, axes, out);
}

void __real_wit_curve_bound(const wit_curve* c, wit_interval t, wit_curve_bounds* out);
void __wrap_wit_curve_bound(const wit_curve* c, wit_interval t, wit_curve_bounds* out);
void __wrap_wit_curve_bound(const wit_curve* c, wit_interval t, wit_curve_bounds* out)
{
    enter();
    __real_wit_curve_bound(c, t, out);
    --depth;
}

void __real_wit_surface_bound(const wit_surface* s, wit_interval u, wit_interval v, wit_surface_bounds* out);
void __wrap_wit_surface_bound(const wit_surface* s, wit_interval u, wit_interval v, wit_surface_bounds* out);
void __wrap_wit_surface_bound(const wit_surface* s, wit_interval u, wit_interval v, wit_surface_bounds* out)
{
    enter();
    __real_wit_surface_bound(s, u, v, out);
    --depth;
}

wit_interval __real_wit_surface_extent(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 direction);
wit_interval __wrap_wit_surface_extent(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 direction);
wit_interval __wrap_wit_surface_extent(const wit_surface* s, wit_interval u, wit_interval v, wit_vec3 direction)
{
    enter();
    wit_interval r = __real_wit_surface_extent(s, u, v, direction);
    --depth;
    return r;
}
