// SPDX-License-Identifier: MIT
//
// Parametrisations agree: Open CASCADE's planes, cylinders, cones, spheres, tori, surfaces of revolution and extrusion, and
// its conics, have the parameters of ours where their frames are right-handed (ShapeCustom::DirectFaces sees to that). So
// parameter curves are taken over as they are.
#include "shape_text.h"

#include <cmath>

#include <GeomConvert.hxx>
#include <GeomConvert_ApproxCurve.hxx>
#include <GeomConvert_ApproxSurface.hxx>
#include <GeomLib.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_Circle.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_ElementarySurface.hxx>
#include <Geom_Ellipse.hxx>
#include <Geom_Hyperbola.hxx>
#include <Geom_Line.hxx>
#include <Geom_OffsetSurface.hxx>
#include <Geom_Parabola.hxx>
#include <Geom_Plane.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_SurfaceOfLinearExtrusion.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>

#include "text.h"

namespace cad
{
namespace
{

constexpr int DEGREE_MOST = WIT_MAX_DEGREE;
constexpr double APPROXIMATION = 1e-7; // of the size: what a shape that is none of ours is approximated to

// "[...]": every knot as often as it counts, moved by `shift`.
template <class Knot, class Multiplicity>
std::string flat_knots(int n, Knot knot, Multiplicity multiplicity, double shift)
{
    std::string r = "[";
    for (int i = 1; i <= n; ++i)
        for (int m = 0; m < multiplicity(i); ++m) r += (r.size() > 1 ? ", " : "") + number(knot(i) + shift);
    return r + "]";
}

// ---- curves ----------------------------------------------------------------------------------------------------------

double curve_difference(const Handle(Geom_Curve) & a, const Handle(Geom_Curve) & b, double lo, double hi)
{
    double worst = 0;
    for (int i = 0; i <= 64; ++i) {
        double t = lo + (hi - lo) * i / 64;
        worst = std::fmax(worst, a->Value(t).Distance(b->Value(t)));
    }
    return worst;
}

// A part of a periodic spline becomes one that ends there. Segment brings its start into the first period; the knots are
// moved back by whole periods.
CurveText spline_text(Handle(Geom_BSplineCurve) s, double lo, double hi)
{
    CurveText r;
    double shift = 0;
    if (s->IsPeriodic()) {
        double period = s->Period();
        s = Handle(Geom_BSplineCurve)::DownCast(s->Copy());
        s->Segment(lo, hi);
        shift = period * std::nearbyint((lo - s->FirstParameter()) / period);
    }
    r.lo = std::fmax(lo, s->FirstParameter() + shift);
    r.hi = std::fmin(hi, s->LastParameter() + shift);
    std::string points = "[", weights = "[";
    for (int i = 1; i <= s->NbPoles(); ++i) {
        gp_Pnt p = s->Pole(i);
        points += (i > 1 ? ", " : "") + vector_text(p.X(), p.Y(), p.Z());
        weights += (i > 1 ? ", " : "") + number(s->Weight(i));
    }
    r.json = "{\"kind\": \"nurbs\", \"degree\": " + std::to_string(s->Degree()) + ", \"knots\": " +
             flat_knots(
                 s->NbKnots(), [&](int i) { return s->Knot(i); }, [&](int i) { return s->Multiplicity(i); }, shift) +
             ", \"points\": " + points + "]";
    if (s->IsRational()) r.json += ", \"weights\": " + weights + "]";
    r.json += "}";
    return r;
}

CurveText conic_text(const char* kind, wit_curve_kind which, const std::string& sizes, double lo, double hi)
{
    CurveText r;
    r.kind = which;
    r.lo = lo;
    r.hi = hi;
    r.json = std::string("{\"kind\": \"") + kind + "\", " + sizes + ", \"range\": " + range_text(lo, hi) + "}";
    return r;
}

Handle(Geom_Curve) basis_of(Handle(Geom_Curve) c)
{
    while (Handle(Geom_TrimmedCurve) t = Handle(Geom_TrimmedCurve)::DownCast(c)) c = t->BasisCurve();
    return c;
}

std::string two_sizes(const gp_Ax2& frame, double x, double y)
{
    return frame_text(frame) + ", \"semi_x\": " + number(x) + ", \"semi_y\": " + number(y);
}

// Lines and conics; empty for others.
CurveText exact_text(const Handle(Geom_Curve) & c, double lo, double hi)
{
    if (Handle(Geom_Line) l = Handle(Geom_Line)::DownCast(c)) {
        gp_Ax1 a = l->Position();
        gp_Dir z = gp_Ax2(a.Location(), a.Direction()).XDirection(); // any perpendicular
        return conic_text("line", WIT_CURVE_LINE, frame_text(a.Location(), a.Direction(), z), lo, hi);
    }
    if (Handle(Geom_Circle) k = Handle(Geom_Circle)::DownCast(c))
        return conic_text("circle", WIT_CURVE_CIRCLE,
                          frame_text(k->Position()) + ", \"radius\": " + number(k->Radius()), lo, hi);
    if (Handle(Geom_Ellipse) k = Handle(Geom_Ellipse)::DownCast(c))
        return conic_text("ellipse", WIT_CURVE_ELLIPSE, two_sizes(k->Position(), k->MajorRadius(), k->MinorRadius()),
                          lo, hi);
    if (Handle(Geom_Parabola) k = Handle(Geom_Parabola)::DownCast(c))
        return conic_text("parabola", WIT_CURVE_PARABOLA,
                          frame_text(k->Position()) + ", \"focal\": " + number(k->Focal()), lo, hi);
    if (Handle(Geom_Hyperbola) k = Handle(Geom_Hyperbola)::DownCast(c))
        return conic_text("hyperbola", WIT_CURVE_HYPERBOLA,
                          two_sizes(k->Position(), k->MajorRadius(), k->MinorRadius()), lo, hi);
    return CurveText();
}

} // namespace

CurveText curve_text(const Converted& converted, Handle(Geom_Curve) c, double lo, double hi)
{
    c = basis_of(c);
    CurveText exact = exact_text(c, lo, hi);
    if (!exact.json.empty()) return exact;
    Handle(Geom_BSplineCurve) s = Handle(Geom_BSplineCurve)::DownCast(c);
    if (!s) {
        Handle(Geom_TrimmedCurve) part = new Geom_TrimmedCurve(c, lo, hi);
        s = GeomConvert::CurveToBSplineCurve(part, Convert_QuasiAngular);
        if (Handle(Geom_BezierCurve)::DownCast(c).IsNull())
            converted(std::string("a curve of type ") + c->DynamicType()->Name(), curve_difference(part, s, lo, hi));
    }
    if (s->Degree() > DEGREE_MOST) {
        double size = s->Pole(1).Distance(s->Pole(s->NbPoles())) + s->Pole(1).Distance(s->Pole(s->NbPoles() / 2 + 1));
        GeomConvert_ApproxCurve lower(s, APPROXIMATION * size, GeomAbs_C2, 200, DEGREE_MOST);
        if (!lower.HasResult()) return CurveText();
        converted("a curve of degree " + std::to_string(s->Degree()), curve_difference(s, lower.Curve(), lo, hi));
        s = lower.Curve();
    }
    return spline_text(s, lo, hi);
}

CurveText parameter_curve_text(const Handle(Geom2d_Curve) & c, double lo, double hi)
{
    Handle(Geom_Curve) flat = basis_of(GeomLib::To3d(gp_Ax2(), c));
    if (flat.IsNull()) return CurveText();
    CurveText exact = exact_text(flat, lo, hi);
    if (!exact.json.empty()) return exact;
    Handle(Geom_BSplineCurve) s = Handle(Geom_BSplineCurve)::DownCast(flat);
    if (!s && flat->IsKind(STANDARD_TYPE(Geom_BezierCurve))) s = GeomConvert::CurveToBSplineCurve(flat);
    if (!s || s->Degree() > DEGREE_MOST) return CurveText();
    return spline_text(s, lo, hi);
}

// ---- surfaces --------------------------------------------------------------------------------------------------------

namespace
{

// Room beyond the face, so that parameter curves that are off by a tolerance stay within the range.
constexpr double ROOM = 0.01;

void widen(double& lo, double& hi)
{
    double room = ROOM * (hi - lo);
    lo -= room;
    hi += room;
}

// Do both have the same points at the same parameters? For two analytic surfaces of one kind some places tell.
bool same_parameters(const Handle(Geom_Surface) & a, const Handle(Geom_Surface) & b)
{
    for (double u : {0.1, 1.3, 2.9, 4.7})
        for (double v : {-0.4, 0.2, 1.1}) {
            gp_Pnt p = a->Value(u, v), q = b->Value(u, v);
            if (!(p.Distance(q) <= 1e-12 * (1 + p.XYZ().Modulus()))) return false;
        }
    return true;
}

// The offset of a plane, cylinder, cone, sphere or torus is such a surface; null for other offsets.
Handle(Geom_Surface) plain_offset(const Handle(Geom_OffsetSurface) & s)
{
    Handle(Geom_Surface) equal = s->Surface();
    if (equal.IsNull() || !equal->IsKind(STANDARD_TYPE(Geom_ElementarySurface)) || !same_parameters(s, equal))
        return Handle(Geom_Surface)();
    return equal;
}

Handle(Geom_Surface) basis_of(Handle(Geom_Surface) s)
{
    for (;;) {
        Handle(Geom_Surface) next;
        if (Handle(Geom_RectangularTrimmedSurface) t = Handle(Geom_RectangularTrimmedSurface)::DownCast(s))
            next = t->BasisSurface();
        if (Handle(Geom_OffsetSurface) o = Handle(Geom_OffsetSurface)::DownCast(s)) next = plain_offset(o);
        if (next.IsNull()) return s;
        s = next;
    }
}

// One direction of a spline surface.
struct Axis {
    int poles, first; // pole k of the text is pole (first + k) mod poles, from 0
    std::string fields;
};

// A periodic direction has one period of knots, and point k begins at knot k; Open CASCADE's pole 1 begins
// degree + 1 - (multiplicity of the first knot) knots before the first.
template <class Knot, class Multiplicity>
Axis axis_of(const char* name, int degree, bool periodic, int poles, int knots, Knot knot, Multiplicity multiplicity)
{
    Axis a{poles, 0, ""};
    std::string n = name;
    int last = knots;
    if (periodic) {
        a.first = (degree + 1 - multiplicity(1)) % poles;
        a.fields = ", \"periodic_" + n + "\": true";
        last = knots - 1;
    }
    std::string list = flat_knots(last, knot, multiplicity, 0);
    if (periodic) list.replace(list.size() - 1, 1, ", " + number(knot(knots)) + "]");
    a.fields = "\"degree_" + n + "\": " + std::to_string(degree) + a.fields + ", \"knots_" + n + "\": " + list;
    return a;
}

SurfaceText spline_surface_text(const Handle(Geom_BSplineSurface) & s)
{
    Axis u = axis_of(
        "u", s->UDegree(), s->IsUPeriodic(), s->NbUPoles(), s->NbUKnots(), [&](int i) { return s->UKnot(i); },
        [&](int i) { return s->UMultiplicity(i); });
    Axis v = axis_of(
        "v", s->VDegree(), s->IsVPeriodic(), s->NbVPoles(), s->NbVKnots(), [&](int i) { return s->VKnot(i); },
        [&](int i) { return s->VMultiplicity(i); });
    std::string points = "[", weights = "[";
    for (int i = 0; i < u.poles; ++i) {
        points += i ? ", [" : "[";
        weights += i ? ", [" : "[";
        for (int j = 0; j < v.poles; ++j) {
            int a = (u.first + i) % u.poles + 1, b = (v.first + j) % v.poles + 1;
            gp_Pnt p = s->Pole(a, b);
            points += (j ? ", " : "") + vector_text(p.X(), p.Y(), p.Z());
            weights += (j ? ", " : "") + number(s->Weight(a, b));
        }
        points += "]";
        weights += "]";
    }
    SurfaceText r;
    r.json = "{\"kind\": \"nurbs\", " + u.fields + ", " + v.fields + ", \"points\": " + points + "]";
    if (s->IsURational() || s->IsVRational()) r.json += ", \"weights\": " + weights + "]";
    r.json += "}";
    return r;
}

bool is_ours(const Handle(Geom_BSplineSurface) & s)
{
    return s->UDegree() <= DEGREE_MOST && s->VDegree() <= DEGREE_MOST;
}

// None of our kinds, or a degree beyond ours: approximated over the part that the face needs.
SurfaceText approximated(const Converted& converted, const Handle(Geom_Surface) & s, const Bounds& b)
{
    Handle(Geom_Surface) part = new Geom_RectangularTrimmedSurface(s, b.u0, b.u1, b.v0, b.v1);
    double size = part->Value(b.u0, b.v0).Distance(part->Value(b.u1, b.v1)) +
                  part->Value(b.u0, b.v1).Distance(part->Value(b.u1, b.v0)) +
                  part->Value(b.u0, b.v0).Distance(part->Value(0.5 * (b.u0 + b.u1), 0.5 * (b.v0 + b.v1)));
    GeomConvert_ApproxSurface a(part, APPROXIMATION * std::fmax(size, 1e-9), GeomAbs_C1, GeomAbs_C1, DEGREE_MOST,
                                DEGREE_MOST, 100, 1);
    if (!a.HasResult()) return SurfaceText();
    double worst = 0;
    for (int i = 0; i <= 32; ++i)
        for (int j = 0; j <= 32; ++j) {
            double u = b.u0 + (b.u1 - b.u0) * i / 32, v = b.v0 + (b.v1 - b.v0) * j / 32;
            worst = std::fmax(worst, part->Value(u, v).Distance(a.Surface()->Value(u, v)));
        }
    std::string what = std::string("a surface of type ") + s->DynamicType()->Name();
    if (Handle(Geom_BSplineSurface) n = Handle(Geom_BSplineSurface)::DownCast(s))
        what = "a surface of degree " + std::to_string(n->UDegree()) + " x " + std::to_string(n->VDegree());
    converted(what, worst);
    return spline_surface_text(a.Surface());
}

SurfaceText analytic(const char* kind, wit_surface_kind which, const std::string& fields)
{
    SurfaceText r;
    r.kind = which;
    r.json = std::string("{\"kind\": \"") + kind + "\", " + fields + "}";
    return r;
}

// A range of a swept surface's own curve: widened, but not beyond the curve.
void widen_within(const Handle(Geom_Curve) & c, double& lo, double& hi)
{
    double a = lo, b = hi;
    widen(a, b);
    bool endless = c->IsPeriodic();
    if (!endless) {
        lo = std::fmax(a, c->FirstParameter());
        hi = std::fmin(b, c->LastParameter());
    } else if (b - a <= c->Period()) {
        lo = a;
        hi = b;
    } // else the face's own range, at most a period: its seam is an edge at both ends
}

SurfaceText revolution_text(const Converted& converted, const Handle(Geom_SurfaceOfRevolution) & r, Bounds b)
{
    widen_within(r->BasisCurve(), b.v0, b.v1);
    CurveText profile = curve_text(converted, r->BasisCurve(), b.v0, b.v1);
    if (profile.json.empty()) return SurfaceText();
    gp_Ax2 a(r->Axis().Location(), r->Axis().Direction());
    return analytic("revolution", WIT_SURFACE_REVOLUTION,
                    frame_text(a) + ", \"range_v\": " + range_text(profile.lo, profile.hi) +
                        ", \"profile\": " + profile.json);
}

SurfaceText extrusion_text(const Converted& converted, const Handle(Geom_SurfaceOfLinearExtrusion) & e, Bounds b)
{
    widen_within(e->BasisCurve(), b.u0, b.u1);
    widen(b.v0, b.v1);
    CurveText profile = curve_text(converted, e->BasisCurve(), b.u0, b.u1);
    if (profile.json.empty()) return SurfaceText();
    gp_Dir d = e->Direction();
    return analytic("extrusion", WIT_SURFACE_EXTRUSION,
                    "\"range_u\": " + range_text(profile.lo, profile.hi) + ", \"range_v\": " + range_text(b.v0, b.v1) +
                        ", \"direction\": " + vector_text(d.X(), d.Y(), d.Z()) + ", \"profile\": " + profile.json);
}

// The slant of a cone stays on the face's side of the apex, where radius + v sin(angle) = 0.
SurfaceText cone_text(const Handle(Geom_ConicalSurface) & c, const Bounds& b)
{
    double apex = -c->RefRadius() / std::sin(c->SemiAngle()), v0 = b.v0, v1 = b.v1;
    bool above = 0.5 * (b.v0 + b.v1) > apex;
    widen(v0, v1);
    double near = 1e-7 * (b.v1 - b.v0); // a face that reaches the apex up to rounding ends there
    if (above && v0 < apex + near) v0 = apex;
    if (!above && v1 > apex - near) v1 = apex;
    return analytic("cone", WIT_SURFACE_CONE,
                    frame_text(c->Position()) + ", \"radius\": " + number(c->RefRadius()) +
                        ", \"angle\": " + number(c->SemiAngle()) + ", \"range_v\": " + range_text(v0, v1));
}

// Where the tube passes through the axis: radius + minor cos v = 0. Beyond that the torus meets itself.
double axis_angle(const Handle(Geom_ToroidalSurface) & t)
{
    return std::acos(std::fmax(-1.0, -t->MajorRadius() / t->MinorRadius()));
}

bool meets_axis(const Handle(Geom_ToroidalSurface) & t)
{
    return t->MajorRadius() <= t->MinorRadius() * (1 + 1e-12);
}

// It touches its axis in one point, and does not meet itself: all of v, from that point to that point.
bool is_horn(const Handle(Geom_ToroidalSurface) & t)
{
    return std::fabs(t->MajorRadius() - t->MinorRadius()) <= 1e-12 * t->MinorRadius();
}

/*
 * A ring has all of v. A spindle or horn ends at its axis: outside it is a torus over a range of v; inside, a lemon, it is the
 * same arc turned about the axis. Empty for a face that runs through the axis.
 */
SurfaceText torus_text(const Handle(Geom_ToroidalSurface) & t, const Bounds& b)
{
    std::string sizes = frame_text(t->Position()) + ", \"radius\": " + number(t->MajorRadius()) +
                        ", \"minor\": " + number(t->MinorRadius());
    if (!meets_axis(t)) return analytic("torus", WIT_SURFACE_TORUS, sizes);
    const double turn = 2 * 3.14159265358979323846, end = axis_angle(t), room = 1e-6;
    double middle = 0.5 * (b.v0 + b.v1), shift = turn * std::nearbyint(middle / turn);
    bool around = is_horn(t) && b.v1 - b.v0 >= turn - room;
    if (around) return analytic("torus", WIT_SURFACE_TORUS, sizes + ", \"range_v\": " + range_text(-end, end));
    if (b.v0 >= shift - end - room && b.v1 <= shift + end + room)
        return analytic("torus", WIT_SURFACE_TORUS, sizes + ", \"range_v\": " + range_text(shift - end, shift + end));
    shift = turn * std::floor(middle / turn);
    if (b.v0 < shift + end - room || b.v1 > shift + turn - end + room) return SurfaceText();
    gp_Ax3 a = t->Position();
    gp_Pnt centre = a.Location().Translated(gp_Vec(a.XDirection()) * t->MajorRadius());
    CurveText arc = conic_text("circle", WIT_CURVE_CIRCLE,
                               frame_text(centre, a.XDirection(), a.YDirection().Reversed()) +
                                   ", \"radius\": " + number(t->MinorRadius()),
                               shift + end, shift + turn - end);
    return analytic("revolution", WIT_SURFACE_REVOLUTION,
                    frame_text(a) + ", \"range_v\": " + range_text(arc.lo, arc.hi) + ", \"profile\": " + arc.json);
}

} // namespace

SurfaceText surface_text(const Converted& converted, Handle(Geom_Surface) s, const Bounds& b)
{
    s = basis_of(s);
    double u0 = b.u0, u1 = b.u1, v0 = b.v0, v1 = b.v1;
    widen(u0, u1);
    widen(v0, v1);
    if (Handle(Geom_Plane) p = Handle(Geom_Plane)::DownCast(s))
        return analytic("plane", WIT_SURFACE_PLANE,
                        frame_text(p->Position()) + ", \"range_u\": " + range_text(u0, u1) +
                            ", \"range_v\": " + range_text(v0, v1));
    if (Handle(Geom_CylindricalSurface) c = Handle(Geom_CylindricalSurface)::DownCast(s))
        return analytic("cylinder", WIT_SURFACE_CYLINDER,
                        frame_text(c->Position()) + ", \"radius\": " + number(c->Radius()) +
                            ", \"range_v\": " + range_text(v0, v1));
    if (Handle(Geom_ConicalSurface) c = Handle(Geom_ConicalSurface)::DownCast(s)) return cone_text(c, b);
    if (Handle(Geom_SphericalSurface) c = Handle(Geom_SphericalSurface)::DownCast(s))
        return analytic("sphere", WIT_SURFACE_SPHERE,
                        frame_text(c->Position()) + ", \"radius\": " + number(c->Radius()));
    if (Handle(Geom_ToroidalSurface) c = Handle(Geom_ToroidalSurface)::DownCast(s)) return torus_text(c, b);
    if (Handle(Geom_SurfaceOfRevolution) r = Handle(Geom_SurfaceOfRevolution)::DownCast(s))
        return revolution_text(converted, r, b);
    if (Handle(Geom_SurfaceOfLinearExtrusion) e = Handle(Geom_SurfaceOfLinearExtrusion)::DownCast(s))
        return extrusion_text(converted, e, b);
    Handle(Geom_BSplineSurface) n = Handle(Geom_BSplineSurface)::DownCast(s);
    if (!n && s->IsKind(STANDARD_TYPE(Geom_BezierSurface))) n = GeomConvert::SurfaceToBSplineSurface(s);
    return n && is_ours(n) ? spline_surface_text(n) : approximated(converted, s, b);
}

void closed_directions(Handle(Geom_Surface) s, bool& u, bool& v)
{
    s = basis_of(s);
    Handle(Geom_BSplineSurface) n = Handle(Geom_BSplineSurface)::DownCast(s);
    bool torus = s->IsKind(STANDARD_TYPE(Geom_ToroidalSurface));
    Handle(Geom_ToroidalSurface) tube = Handle(Geom_ToroidalSurface)::DownCast(s);
    u = torus || s->IsKind(STANDARD_TYPE(Geom_CylindricalSurface)) || s->IsKind(STANDARD_TYPE(Geom_ConicalSurface)) ||
        s->IsKind(STANDARD_TYPE(Geom_SphericalSurface)) || s->IsKind(STANDARD_TYPE(Geom_SurfaceOfRevolution)) ||
        (n && is_ours(n) && n->IsUPeriodic());
    v = (torus && (!meets_axis(tube) || is_horn(tube))) || (n && is_ours(n) && n->IsVPeriodic());
}

} // namespace cad
