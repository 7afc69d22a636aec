// SPDX-License-Identifier: MIT
// Open CASCADE's curves and surfaces as shapes of the model's text, with the same parameters.
#ifndef CAD_SHAPE_TEXT_H
#define CAD_SHAPE_TEXT_H

#include <functional>
#include <string>

#include <Geom2d_Curve.hxx>
#include <Geom_Curve.hxx>
#include <Geom_Surface.hxx>

#include "../include/witness/cad.h"

namespace cad
{

// Called for every shape that had to become a B-spline, with the largest distance seen.
using Converted = std::function<void(const std::string& what, double error)>;

struct CurveText {
    std::string json; // an object without name; empty: not possible
    wit_curve_kind kind = WIT_CURVE_NURBS;
    double lo = 0, hi = 0; // the part of it that is asked for
};

struct SurfaceText {
    std::string json;
    wit_surface_kind kind = WIT_SURFACE_NURBS;
};

struct Bounds {
    double u0, u1, v0, v1;
};

CurveText curve_text(const Converted& converted, Handle(Geom_Curve) c, double lo, double hi);
// A parameter curve, in the plane z = 0; empty where that would need an approximation.
CurveText parameter_curve_text(const Handle(Geom2d_Curve) & c, double lo, double hi);
// The part of a surface that a face with these bounds needs, or more.
SurfaceText surface_text(const Converted& converted, Handle(Geom_Surface) s, const Bounds& b);
// Whether surface_text gives a surface whose parameter wraps: seams there are no edges.
void closed_directions(Handle(Geom_Surface) s, bool& u, bool& v);

} // namespace cad

#endif
