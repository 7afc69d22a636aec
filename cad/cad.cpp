// SPDX-License-Identifier: MIT
//
// CAD files become models. Open CASCADE reads and heals; here its faces, edges and vertices are written down as a model in
// the text format, which the library then reads like any other: one way in, and what `witness import` writes is what a
// direct reading gives.
//
// Parametrisations agree: Open CASCADE's planes, cylinders, cones, spheres, tori, surfaces of revolution and extrusion, and
// its conics, have the parameters of ours (after DirectFaces, which turns left-handed frames). So parameter curves are
// taken over as they are. Seams of closed surfaces and degenerate edges are left out: they are not features of a body.
#include "../include/witness/cad.h"

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include <BRepAdaptor_Surface.hxx>
#include <BRepTools.hxx>
#include <BRepTools_WireExplorer.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Geom2dConvert.hxx>
#include <Geom2d_BSplineCurve.hxx>
#include <Geom2d_Circle.hxx>
#include <Geom2d_Ellipse.hxx>
#include <Geom2d_Line.hxx>
#include <Geom2d_TrimmedCurve.hxx>
#include <GeomConvert.hxx>
#include <GeomConvert_ApproxSurface.hxx>
#include <GeomConvert_ApproxCurve.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_Circle.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_Ellipse.hxx>
#include <Geom_Hyperbola.hxx>
#include <Geom_Line.hxx>
#include <Geom_Parabola.hxx>
#include <Geom_Plane.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_SurfaceOfLinearExtrusion.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPControl_Reader.hxx>
#include <ShapeCustom.hxx>
#include <ShapeFix_Edge.hxx>
#include <Standard_Failure.hxx>
#include <StepData_StepModel.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TDF_Label.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_WorkSession.hxx>
#include <gp_Quaternion.hxx>

struct wit_cad {
    std::string text;
    wit_cad_report report{};
    std::vector<wit_cad_problem> problems;
};

namespace
{

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double>(clock_type::now() - start).count();
}

wit_cad_problem problem_of(bool lost, const std::string& entity, const std::string& text)
{
    wit_cad_problem p{};
    p.lost = lost;
    std::snprintf(p.entity, sizeof p.entity, "%s", entity.c_str());
    std::snprintf(p.text, sizeof p.text, "%s", text.c_str());
    return p;
}

void refuse(wit_error* error, wit_status status, const std::string& item, const std::string& text)
{
    if (!error) return;
    *error = wit_error{};
    error->status = status;
    std::snprintf(error->item, sizeof error->item, "%s", item.c_str());
    std::snprintf(error->text, sizeof error->text, "%s", text.c_str());
}

// ---- writing ---------------------------------------------------------------------------------------------------------

std::string number(double x)
{
    char digits[40];
    for (int n = 15; n <= 17; ++n) {
        std::snprintf(digits, sizeof digits, "%.*g", n, x);
        if (std::strtod(digits, nullptr) == x) break;
    }
    return digits;
}

std::string vector_text(double x, double y, double z)
{
    return "[" + number(x) + ", " + number(y) + ", " + number(z) + "]";
}

std::string range_text(double lo, double hi)
{
    return "[" + number(lo) + ", " + number(hi) + "]";
}

std::string json_string(const std::string& s)
{
    std::string r = "\"";
    for (unsigned char c : s) {
        if (c == '"' || c == '\\') {
            r += '\\';
            r += static_cast<char>(c);
        } else if (c < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", c);
            r += escape;
        } else {
            r += static_cast<char>(c);
        }
    }
    return r + "\"";
}

std::string frame_text(const gp_Pnt& o, const gp_Dir& x, const gp_Dir& z)
{
    return "\"frame\": {\"origin\": " + vector_text(o.X(), o.Y(), o.Z()) +
           ", \"x\": " + vector_text(x.X(), x.Y(), x.Z()) + ", \"z\": " + vector_text(z.X(), z.Y(), z.Z()) + "}";
}

std::string frame_text(const gp_Ax2& a)
{
    return frame_text(a.Location(), a.XDirection(), a.Direction());
}

std::string frame_text(const gp_Ax3& a)
{
    return frame_text(a.Location(), a.XDirection(), a.Direction());
}

// The flat knots of a spline; of a periodic one a single period, count + 1 values.
template <class Spline> std::string flat_knots(const Spline& s, bool periodic, int poles)
{
    std::string r = "[";
    int n = 0;
    for (int i = 1; i <= s.NbKnots(); ++i)
        for (int m = 0; m < s.Multiplicity(i); ++m) {
            if (periodic && n > poles) break;
            if (n++) r += ", ";
            r += number(s.Knot(i));
        }
    return r + "]";
}

// ---- curves ----------------------------------------------------------------------------------------------------------

constexpr int DEGREE_MOST = 9;
constexpr double APPROXIMATION = 1e-7; // of the size: what a shape that is none of ours is approximated to

// What is being made, and where it stands: problems name it.
struct Maker {
    wit_cad* cad = nullptr;
    std::string where;
    void converted(const std::string& what, double error)
    {
        cad->report.converted++;
        cad->report.conversion_error = std::fmax(cad->report.conversion_error, error);
        char text[160];
        std::snprintf(text, sizeof text, "%s became a B-spline, error seen %.3g", what.c_str(), error);
        cad->problems.push_back(problem_of(false, where, text));
    }
};

struct CurveText {
    std::string json; // an object without name; empty: not possible
    wit_curve_kind kind = WIT_CURVE_NURBS;
    double lo = 0, hi = 0; // the part of it that is asked for
};

double curve_difference(const Handle(Geom_Curve) & a, const Handle(Geom_Curve) & b, double lo, double hi)
{
    double worst = 0;
    for (int i = 0; i <= 64; ++i) {
        double t = lo + (hi - lo) * i / 64;
        worst = std::fmax(worst, a->Value(t).Distance(b->Value(t)));
    }
    return worst;
}

CurveText spline_text(Handle(Geom_BSplineCurve) s, double lo, double hi)
{
    CurveText r;
    if (s->IsPeriodic()) {
        s = Handle(Geom_BSplineCurve)::DownCast(s->Copy());
        s->Segment(lo, hi);
    }
    r.lo = std::fmax(lo, s->FirstParameter());
    r.hi = std::fmin(hi, s->LastParameter());
    std::string points = "[", weights = "[";
    for (int i = 1; i <= s->NbPoles(); ++i) {
        gp_Pnt p = s->Pole(i);
        points += (i > 1 ? ", " : "") + vector_text(p.X(), p.Y(), p.Z());
        weights += (i > 1 ? ", " : "") + number(s->Weight(i));
    }
    r.json = "{\"kind\": \"nurbs\", \"degree\": " + std::to_string(s->Degree()) +
             ", \"knots\": " + flat_knots(*s, false, s->NbPoles()) + ", \"points\": " + points + "]";
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

CurveText curve_text(Maker& m, Handle(Geom_Curve) c, double lo, double hi)
{
    while (Handle(Geom_TrimmedCurve) t = Handle(Geom_TrimmedCurve)::DownCast(c)) c = t->BasisCurve();
    if (Handle(Geom_Line) l = Handle(Geom_Line)::DownCast(c)) {
        gp_Ax1 a = l->Position();
        gp_Dir z = gp_Ax2(a.Location(), a.Direction()).XDirection(); // any perpendicular
        return conic_text("line", WIT_CURVE_LINE, frame_text(a.Location(), a.Direction(), z), lo, hi);
    }
    if (Handle(Geom_Circle) k = Handle(Geom_Circle)::DownCast(c))
        return conic_text("circle", WIT_CURVE_CIRCLE,
                          frame_text(k->Position()) + ", \"radius\": " + number(k->Radius()), lo, hi);
    if (Handle(Geom_Ellipse) k = Handle(Geom_Ellipse)::DownCast(c))
        return conic_text("ellipse", WIT_CURVE_ELLIPSE,
                          frame_text(k->Position()) + ", \"semi_x\": " + number(k->MajorRadius()) +
                              ", \"semi_y\": " + number(k->MinorRadius()),
                          lo, hi);
    if (Handle(Geom_Parabola) k = Handle(Geom_Parabola)::DownCast(c))
        return conic_text("parabola", WIT_CURVE_PARABOLA,
                          frame_text(k->Position()) + ", \"focal\": " + number(k->Focal()), lo, hi);
    if (Handle(Geom_Hyperbola) k = Handle(Geom_Hyperbola)::DownCast(c))
        return conic_text("hyperbola", WIT_CURVE_HYPERBOLA,
                          frame_text(k->Position()) + ", \"semi_x\": " + number(k->MajorRadius()) +
                              ", \"semi_y\": " + number(k->MinorRadius()),
                          lo, hi);
    Handle(Geom_BSplineCurve) s = Handle(Geom_BSplineCurve)::DownCast(c);
    if (!s) {
        Handle(Geom_TrimmedCurve) part = new Geom_TrimmedCurve(c, lo, hi);
        s = GeomConvert::CurveToBSplineCurve(part, Convert_QuasiAngular);
        if (Handle(Geom_BezierCurve)::DownCast(c).IsNull())
            m.converted(std::string("a curve of type ") + c->DynamicType()->Name(), curve_difference(part, s, lo, hi));
    }
    if (s->Degree() > DEGREE_MOST) {
        double size = s->Pole(1).Distance(s->Pole(s->NbPoles())) + s->Pole(1).Distance(s->Pole(s->NbPoles() / 2 + 1));
        GeomConvert_ApproxCurve lower(s, APPROXIMATION * size, GeomAbs_C2, 200, DEGREE_MOST);
        if (!lower.HasResult()) return CurveText();
        m.converted("a curve of degree " + std::to_string(s->Degree()), lower.MaxError());
        s = lower.Curve();
    }
    return spline_text(s, lo, hi);
}

// Parameter curves lie in the plane z = 0.
CurveText curve_text_2d(Handle(Geom2d_Curve) c, double lo, double hi)
{
    while (Handle(Geom2d_TrimmedCurve) t = Handle(Geom2d_TrimmedCurve)::DownCast(c)) c = t->BasisCurve();
    auto flat = [](const gp_Pnt2d& o, const gp_Dir2d& x, double up) {
        return frame_text(gp_Pnt(o.X(), o.Y(), 0), gp_Dir(x.X(), x.Y(), 0), gp_Dir(0, 0, up));
    };
    if (Handle(Geom2d_Line) l = Handle(Geom2d_Line)::DownCast(c))
        return conic_text("line", WIT_CURVE_LINE, flat(l->Location(), l->Direction(), 1), lo, hi);
    if (Handle(Geom2d_Circle) k = Handle(Geom2d_Circle)::DownCast(c)) {
        gp_Ax22d a = k->Position();
        return conic_text("circle", WIT_CURVE_CIRCLE,
                          flat(a.Location(), a.XDirection(), a.XDirection().Crossed(a.YDirection()) > 0 ? 1 : -1) +
                              ", \"radius\": " + number(k->Radius()),
                          lo, hi);
    }
    if (Handle(Geom2d_Ellipse) k = Handle(Geom2d_Ellipse)::DownCast(c)) {
        gp_Ax22d a = k->Position();
        return conic_text("ellipse", WIT_CURVE_ELLIPSE,
                          flat(a.Location(), a.XDirection(), a.XDirection().Crossed(a.YDirection()) > 0 ? 1 : -1) +
                              ", \"semi_x\": " + number(k->MajorRadius()) + ", \"semi_y\": " + number(k->MinorRadius()),
                          lo, hi);
    }
    Handle(Geom2d_BSplineCurve) s = Handle(Geom2d_BSplineCurve)::DownCast(c);
    if (!s) s = Geom2dConvert::CurveToBSplineCurve(new Geom2d_TrimmedCurve(c, lo, hi), Convert_QuasiAngular);
    if (s->Degree() > DEGREE_MOST) return CurveText(); // the library makes its own from the edge
    CurveText r;
    if (s->IsPeriodic()) {
        s = Handle(Geom2d_BSplineCurve)::DownCast(s->Copy());
        s->Segment(lo, hi);
    }
    r.lo = std::fmax(lo, s->FirstParameter());
    r.hi = std::fmin(hi, s->LastParameter());
    std::string points = "[", weights = "[";
    for (int i = 1; i <= s->NbPoles(); ++i) {
        gp_Pnt2d p = s->Pole(i);
        points += (i > 1 ? ", " : "") + vector_text(p.X(), p.Y(), 0);
        weights += (i > 1 ? ", " : "") + number(s->Weight(i));
    }
    r.json = "{\"kind\": \"nurbs\", \"degree\": " + std::to_string(s->Degree()) +
             ", \"knots\": " + flat_knots(*s, false, s->NbPoles()) + ", \"points\": " + points + "]";
    if (s->IsRational()) r.json += ", \"weights\": " + weights + "]";
    r.json += "}";
    return r;
}

// ---- surfaces --------------------------------------------------------------------------------------------------------

struct SurfaceText {
    std::string json;
    wit_surface_kind kind = WIT_SURFACE_NURBS;
    bool closed_u = false, closed_v = false; // parameters of ours that wrap: seams there are no edges
};

struct Bounds {
    double u0, u1, v0, v1;
};

// Room beyond the face, so that parameter curves that are off by a tolerance stay within the range.
constexpr double ROOM = 0.01;

void widen(double& lo, double& hi)
{
    double room = ROOM * (hi - lo);
    lo -= room;
    hi += room;
}

// The part [lo, hi] of a periodic direction that covers a face: some room, but no more than a period.
void cover(double& lo, double& hi, double period)
{
    double room = std::fmin(ROOM * (hi - lo), 0.5 * std::fmax(0.0, period - (hi - lo)));
    lo -= room;
    hi += room;
    if (hi > lo + period) hi = lo + period;
}

SurfaceText spline_surface_text(Handle(Geom_BSplineSurface) s, Bounds b)
{
    SurfaceText r;
    if (s->IsUPeriodic() || s->IsVPeriodic()) {
        double u0, u1, v0, v1;
        s->Bounds(u0, u1, v0, v1);
        if (s->IsUPeriodic()) cover(u0 = b.u0, u1 = b.u1, s->UPeriod());
        if (s->IsVPeriodic()) cover(v0 = b.v0, v1 = b.v1, s->VPeriod());
        s = Handle(Geom_BSplineSurface)::DownCast(s->Copy());
        s->Segment(u0, u1, v0, v1);
    }
    std::string points = "[", weights = "[";
    bool rational = s->IsURational() || s->IsVRational();
    for (int i = 1; i <= s->NbUPoles(); ++i) {
        points += i > 1 ? ", [" : "[";
        weights += i > 1 ? ", [" : "[";
        for (int j = 1; j <= s->NbVPoles(); ++j) {
            gp_Pnt p = s->Pole(i, j);
            points += (j > 1 ? ", " : "") + vector_text(p.X(), p.Y(), p.Z());
            weights += (j > 1 ? ", " : "") + number(s->Weight(i, j));
        }
        points += "]";
        weights += "]";
    }
    auto knots = [](int n, auto knot, auto multiplicity) {
        std::string t = "[";
        bool first = true;
        for (int i = 1; i <= n; ++i)
            for (int m = 0; m < multiplicity(i); ++m) {
                t += (first ? "" : ", ") + number(knot(i));
                first = false;
            }
        return t + "]";
    };
    r.json = "{\"kind\": \"nurbs\", \"degree_u\": " + std::to_string(s->UDegree()) +
             ", \"degree_v\": " + std::to_string(s->VDegree()) + ", \"knots_u\": " +
             knots(
                 s->NbUKnots(), [&](int i) { return s->UKnot(i); }, [&](int i) { return s->UMultiplicity(i); }) +
             ", \"knots_v\": " +
             knots(
                 s->NbVKnots(), [&](int i) { return s->VKnot(i); }, [&](int i) { return s->VMultiplicity(i); }) +
             ", \"points\": " + points + "]";
    if (rational) r.json += ", \"weights\": " + weights + "]";
    r.json += "}";
    return r;
}

// None of our kinds, or a degree beyond ours: approximated over the part that the face needs.
SurfaceText approximated(Maker& m, const Handle(Geom_Surface) & s, const Bounds& b)
{
    Handle(Geom_Surface) part = new Geom_RectangularTrimmedSurface(s, b.u0, b.u1, b.v0, b.v1);
    double size = part->Value(b.u0, b.v0).Distance(part->Value(b.u1, b.v1)) +
                  part->Value(b.u0, b.v1).Distance(part->Value(b.u1, b.v0));
    GeomConvert_ApproxSurface a(part, APPROXIMATION * std::fmax(size, 1e-9), GeomAbs_C1, GeomAbs_C1, DEGREE_MOST,
                                DEGREE_MOST, 100, 1);
    if (!a.HasResult()) return SurfaceText();
    double worst = 0;
    for (int i = 0; i <= 32; ++i)
        for (int j = 0; j <= 32; ++j) {
            double u = b.u0 + (b.u1 - b.u0) * i / 32, v = b.v0 + (b.v1 - b.v0) * j / 32;
            worst = std::fmax(worst, part->Value(u, v).Distance(a.Surface()->Value(u, v)));
        }
    m.converted(std::string("a surface of type ") + s->DynamicType()->Name(), worst);
    return spline_surface_text(a.Surface(), b);
}

SurfaceText analytic(const char* kind, wit_surface_kind which, const std::string& fields, bool closed_u, bool closed_v)
{
    SurfaceText r;
    r.kind = which;
    r.closed_u = closed_u;
    r.closed_v = closed_v;
    r.json = std::string("{\"kind\": \"") + kind + "\", " + fields + "}";
    return r;
}

// A range of a swept surface's own curve: widened, but not beyond the curve.
void widen_within(const Handle(Geom_Curve) & c, double& lo, double& hi)
{
    double a = lo, b = hi;
    widen(a, b);
    bool endless = c->IsPeriodic();
    lo = endless ? a : std::fmax(a, c->FirstParameter());
    hi = endless ? b : std::fmin(b, c->LastParameter());
    if (endless && hi - lo > c->Period()) hi = lo + c->Period();
}

SurfaceText swept_text(Maker& m, const Handle(Geom_Surface) & s, Bounds b)
{
    if (Handle(Geom_SurfaceOfRevolution) r = Handle(Geom_SurfaceOfRevolution)::DownCast(s)) {
        widen_within(r->BasisCurve(), b.v0, b.v1);
        CurveText profile = curve_text(m, r->BasisCurve(), b.v0, b.v1);
        if (profile.json.empty()) return SurfaceText();
        gp_Ax2 a(r->Axis().Location(), r->Axis().Direction());
        return analytic("revolution", WIT_SURFACE_REVOLUTION,
                        frame_text(a) + ", \"range_v\": " + range_text(profile.lo, profile.hi) +
                            ", \"profile\": " + profile.json,
                        true, false);
    }
    Handle(Geom_SurfaceOfLinearExtrusion) e = Handle(Geom_SurfaceOfLinearExtrusion)::DownCast(s);
    widen_within(e->BasisCurve(), b.u0, b.u1);
    widen(b.v0, b.v1);
    CurveText profile = curve_text(m, e->BasisCurve(), b.u0, b.u1);
    if (profile.json.empty()) return SurfaceText();
    gp_Dir d = e->Direction();
    return analytic("extrusion", WIT_SURFACE_EXTRUSION,
                    "\"range_u\": " + range_text(profile.lo, profile.hi) + ", \"range_v\": " + range_text(b.v0, b.v1) +
                        ", \"direction\": " + vector_text(d.X(), d.Y(), d.Z()) + ", \"profile\": " + profile.json,
                    false, false);
}

// The slant of a cone stays on the face's side of the apex, where radius + v sin(angle) = 0.
SurfaceText cone_text(const Handle(Geom_ConicalSurface) & c, Bounds b)
{
    double apex = -c->RefRadius() / std::sin(c->SemiAngle()), v0 = b.v0, v1 = b.v1;
    bool above = 0.5 * (b.v0 + b.v1) > apex;
    widen(v0, v1);
    /* a face that reaches the apex up to rounding ends there */
    double near = 1e-7 * (b.v1 - b.v0);
    if (above && v0 < apex + near) v0 = apex;
    if (!above && v1 > apex - near) v1 = apex;
    return analytic("cone", WIT_SURFACE_CONE,
                    frame_text(c->Position()) + ", \"radius\": " + number(c->RefRadius()) +
                        ", \"angle\": " + number(c->SemiAngle()) + ", \"range_v\": " + range_text(v0, v1),
                    true, false);
}

SurfaceText surface_text(Maker& m, Handle(Geom_Surface) s, const Bounds& b)
{
    while (Handle(Geom_RectangularTrimmedSurface) t = Handle(Geom_RectangularTrimmedSurface)::DownCast(s))
        s = t->BasisSurface();
    double u0 = b.u0, u1 = b.u1, v0 = b.v0, v1 = b.v1;
    widen(u0, u1);
    widen(v0, v1);
    if (Handle(Geom_Plane) p = Handle(Geom_Plane)::DownCast(s))
        return analytic("plane", WIT_SURFACE_PLANE,
                        frame_text(p->Position()) + ", \"range_u\": " + range_text(u0, u1) +
                            ", \"range_v\": " + range_text(v0, v1),
                        false, false);
    if (Handle(Geom_CylindricalSurface) c = Handle(Geom_CylindricalSurface)::DownCast(s))
        return analytic("cylinder", WIT_SURFACE_CYLINDER,
                        frame_text(c->Position()) + ", \"radius\": " + number(c->Radius()) +
                            ", \"range_v\": " + range_text(v0, v1),
                        true, false);
    if (Handle(Geom_ConicalSurface) c = Handle(Geom_ConicalSurface)::DownCast(s)) return cone_text(c, b);
    if (Handle(Geom_SphericalSurface) c = Handle(Geom_SphericalSurface)::DownCast(s))
        return analytic("sphere", WIT_SURFACE_SPHERE,
                        frame_text(c->Position()) + ", \"radius\": " + number(c->Radius()), true, false);
    if (Handle(Geom_ToroidalSurface) c = Handle(Geom_ToroidalSurface)::DownCast(s))
        return analytic("torus", WIT_SURFACE_TORUS,
                        frame_text(c->Position()) + ", \"radius\": " + number(c->MajorRadius()) +
                            ", \"minor\": " + number(c->MinorRadius()),
                        true, true);
    if (s->IsKind(STANDARD_TYPE(Geom_SweptSurface))) return swept_text(m, s, b);
    Handle(Geom_BSplineSurface) n = Handle(Geom_BSplineSurface)::DownCast(s);
    if (!n && s->IsKind(STANDARD_TYPE(Geom_BezierSurface))) n = GeomConvert::SurfaceToBSplineSurface(s);
    if (n && n->UDegree() <= DEGREE_MOST && n->VDegree() <= DEGREE_MOST) return spline_surface_text(n, b);
    return approximated(m, s, b);
}

// ---- one body --------------------------------------------------------------------------------------------------------

struct Part {
    TopoDS_Shape shape; // a solid, a shell or a face, in its own frame
    std::string name;
    gp_Trsf place;
    bool has_color = false;
    double color[3] = {0, 0, 0};
};

// A use of an edge in a loop, in the direction of the loop.
struct Use {
    int edge;
    bool reversed;
    int from, to; // vertices, in the direction of the loop
    std::string curve, range;
};

struct BodyText {
    std::string json;
    int faces[WIT_SURFACE_KIND_COUNT] = {0};
    int edges[WIT_CURVE_KIND_COUNT] = {0};
    int parameter_curves = 0;
    double tolerance = 0;
};

class BodyWriter
{
  public:
    BodyWriter(Maker& maker, const Part& part, bool with_parameter_curves)
        : m(maker), part_(part), take_parameter_curves(with_parameter_curves)
    {
    }

    bool write(BodyText& out, std::string& reason);

  private:
    bool write_edges(std::string& text, std::string& reason);
    bool write_face(const TopoDS_Face& face, std::string& text, std::string& reason);
    bool collect_uses(const TopoDS_Wire& wire, const TopoDS_Face& face, const SurfaceText& surface,
                      std::vector<std::vector<Use>>& chains);
    void add_use(const TopoDS_Edge& edge, const TopoDS_Face& face, std::vector<Use>& chain);
    int vertex(const TopoDS_Vertex& v) const
    {
        return v.IsNull() ? -1 : vertices.FindIndex(v) - 1;
    }

    Maker& m;
    const Part& part_;
    bool take_parameter_curves;
    BodyText* to = nullptr;
    TopTools_IndexedMapOfShape edges, vertices;
    std::vector<int> edge_ids;     // of the body, by index in `edges`; -1: not a feature
    std::vector<TopoDS_Edge> kept; // by id
    std::vector<int> vertex_ids;   // likewise
};

bool is_seam(const TopoDS_Edge& edge, const TopoDS_Face& face, const SurfaceText& s)
{
    if (!BRep_Tool::IsClosed(edge, face)) return false;
    return s.closed_u || s.closed_v;
}

void BodyWriter::add_use(const TopoDS_Edge& edge, const TopoDS_Face& face, std::vector<Use>& chain)
{
    Use u;
    u.edge = edges.FindIndex(edge) - 1;
    u.reversed = edge.Orientation() == TopAbs_REVERSED;
    TopoDS_Vertex first, last;
    TopExp::Vertices(edge, first, last, Standard_True); // in the direction of the use
    u.from = vertex(first);
    u.to = vertex(last);
    double lo, hi, f, l;
    Handle(Geom2d_Curve) c = BRep_Tool::CurveOnSurface(edge, face, lo, hi);
    BRep_Tool::Range(edge, f, l);
    if (take_parameter_curves && !c.IsNull()) {
        CurveText t = curve_text_2d(c, lo, hi);
        if (!t.json.empty()) {
            u.curve = t.json;
            u.range = range_text(t.lo, t.hi);
            to->parameter_curves++;
        }
    }
    chain.push_back(u);
}

// The wire without its seams and degenerate edges: a seam cuts it into chains.
bool BodyWriter::collect_uses(const TopoDS_Wire& wire, const TopoDS_Face& face, const SurfaceText& surface,
                              std::vector<std::vector<Use>>& chains)
{
    std::vector<std::vector<Use>> found(1);
    bool cut = false;
    int total = 0, walked = 0;
    for (TopExp_Explorer e(wire, TopAbs_EDGE); e.More(); e.Next()) total++;
    for (BRepTools_WireExplorer e(wire, face); e.More(); e.Next()) {
        walked++;
        TopoDS_Edge edge = e.Current();
        if (BRep_Tool::Degenerated(edge)) continue;
        if (is_seam(edge, face, surface)) {
            cut = true;
            if (!found.back().empty()) found.emplace_back();
            continue;
        }
        add_use(edge, face, found.back());
    }
    if (walked != total) return false;
    if (found.back().empty()) found.pop_back();
    /* what stands before the first seam goes on from what stands after the last one */
    if (cut && found.size() > 1 && found.back().back().to == found.front().front().from &&
        found.back().front().from != found.back().back().to) {
        found.back().insert(found.back().end(), found.front().begin(), found.front().end());
        found.erase(found.begin());
    }
    for (auto& c : found) chains.push_back(c);
    return true;
}

// Chains that do not come back to where they began are joined end to end.
void join_chains(std::vector<std::vector<Use>>& chains)
{
    for (size_t i = 0; i < chains.size(); ++i) {
        while (chains[i].front().from != chains[i].back().to) {
            size_t j = i + 1;
            while (j < chains.size() && chains[j].front().from != chains[i].back().to) ++j;
            if (j >= chains.size()) break;
            chains[i].insert(chains[i].end(), chains[j].begin(), chains[j].end());
            chains.erase(chains.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

bool BodyWriter::write_face(const TopoDS_Face& oriented, std::string& text, std::string& reason)
{
    TopoDS_Face face = TopoDS::Face(oriented.Oriented(TopAbs_FORWARD));
    Bounds b;
    BRepTools::UVBounds(face, b.u0, b.u1, b.v0, b.v1);
    Handle(Geom_Surface) s = BRep_Tool::Surface(face);
    if (s.IsNull()) {
        reason = "it has no surface";
        return false;
    }
    SurfaceText surface = surface_text(m, s, b);
    if (surface.json.empty()) {
        reason = std::string("its surface, a ") + s->DynamicType()->Name() + ", can't be converted";
        return false;
    }
    to->faces[surface.kind]++;
    std::vector<std::vector<Use>> chains;
    for (TopExp_Explorer w(face, TopAbs_WIRE); w.More(); w.Next())
        if (!collect_uses(TopoDS::Wire(w.Current()), face, surface, chains)) {
            reason = "a wire of it does not hang together";
            return false;
        }
    join_chains(chains);
    text += "{\"surface\": " + surface.json;
    if (oriented.Orientation() == TopAbs_REVERSED) text += ", \"reversed\": true";
    if (!chains.empty()) {
        text += ", \"loops\": [";
        for (size_t c = 0; c < chains.size(); ++c) {
            text += c ? ",\n        [" : "\n        [";
            for (size_t k = 0; k < chains[c].size(); ++k) {
                const Use& u = chains[c][k];
                text += (k ? ", " : "") + std::string("{\"edge\": ") + std::to_string(edge_ids[(size_t)u.edge]);
                if (u.reversed) text += ", \"reversed\": true";
                if (!u.curve.empty()) text += ", \"parameter_curve\": " + u.curve + ", \"range\": " + u.range;
                text += "}";
            }
            text += "]";
        }
        text += "\n      ]";
    }
    text += "}";
    return true;
}

// A vertex that only its own closed edge touches is where somebody began to draw, and no feature.
void find_features(const TopoDS_Shape& shape, const TopTools_IndexedMapOfShape& edges,
                   const TopTools_IndexedMapOfShape& vertices, const std::vector<bool>& dropped,
                   std::vector<int>& edge_ids, std::vector<int>& vertex_ids, std::vector<TopoDS_Edge>& kept)
{
    (void)shape;
    std::vector<int> open_ends((size_t)vertices.Extent(), 0), rings((size_t)vertices.Extent(), 0);
    edge_ids.assign((size_t)edges.Extent(), -1);
    for (int i = 1; i <= edges.Extent(); ++i) {
        if (dropped[(size_t)i - 1]) continue;
        TopoDS_Edge e = TopoDS::Edge(edges(i).Oriented(TopAbs_FORWARD));
        edge_ids[(size_t)i - 1] = (int)kept.size();
        kept.push_back(e);
        TopoDS_Vertex a, b;
        TopExp::Vertices(e, a, b);
        if (a.IsNull() || b.IsNull()) continue;
        if (a.IsSame(b))
            rings[(size_t)vertices.FindIndex(a) - 1]++;
        else
            open_ends[(size_t)vertices.FindIndex(a) - 1]++, open_ends[(size_t)vertices.FindIndex(b) - 1]++;
    }
    vertex_ids.assign((size_t)vertices.Extent(), -1);
    int count = 0;
    for (size_t i = 0; i < vertex_ids.size(); ++i)
        if (open_ends[i] || rings[i] > 1) vertex_ids[i] = count++;
}

bool BodyWriter::write_edges(std::string& text, std::string& reason)
{
    for (size_t k = 0; k < kept.size(); ++k) {
        double lo, hi;
        Handle(Geom_Curve) c = BRep_Tool::Curve(kept[k], lo, hi);
        text += k ? ",\n      {" : "\n      {";
        bool comma = false;
        if (!c.IsNull()) {
            CurveText t = curve_text(m, c, lo, hi);
            if (t.json.empty()) {
                reason = "edge " + std::to_string(k) + " can't be converted";
                return false;
            }
            to->edges[t.kind]++;
            text += "\"curve\": " + t.json + ", \"range\": " + range_text(t.lo, t.hi);
            comma = true;
        }
        to->tolerance = std::fmax(to->tolerance, BRep_Tool::Tolerance(kept[k]));
        TopoDS_Vertex a, b;
        TopExp::Vertices(kept[k], a, b);
        int from = vertex(a), until = vertex(b);
        if (from >= 0 && until >= 0 && vertex_ids[(size_t)from] >= 0 && vertex_ids[(size_t)until] >= 0) {
            text += std::string(comma ? ", " : "") + "\"start\": " + std::to_string(vertex_ids[(size_t)from]) +
                    ", \"end\": " + std::to_string(vertex_ids[(size_t)until]);
        }
        text += "}";
    }
    return true;
}

// Sharper than this relative to the body, a tolerance of the file is not needed to close its loops.
constexpr double CLOSE_LEAST = 1e-6;

bool BodyWriter::write(BodyText& out, std::string& reason)
{
    to = &out;
    const TopoDS_Shape& shape = part_.shape;
    TopExp::MapShapes(shape, TopAbs_EDGE, edges);
    TopExp::MapShapes(shape, TopAbs_VERTEX, vertices);
    std::string faces;
    std::vector<bool> dropped((size_t)edges.Extent(), true);
    /* which edges some face uses, seams of closed surfaces left out */
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) {
        TopoDS_Face face = TopoDS::Face(f.Current());
        BRepAdaptor_Surface a(face, Standard_False);
        GeomAbs_SurfaceType t = a.GetType();
        SurfaceText closed;
        closed.closed_u = t == GeomAbs_Cylinder || t == GeomAbs_Cone || t == GeomAbs_Sphere || t == GeomAbs_Torus ||
                          t == GeomAbs_SurfaceOfRevolution;
        for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next()) {
            TopoDS_Edge edge = TopoDS::Edge(e.Current());
            if (BRep_Tool::Degenerated(edge) || is_seam(edge, face, closed)) continue;
            dropped[(size_t)edges.FindIndex(edge) - 1] = false;
        }
    }
    find_features(shape, edges, vertices, dropped, edge_ids, vertex_ids, kept);
    std::string lines;
    if (!write_edges(lines, reason)) return false;
    int face_number = 0;
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next(), ++face_number) {
        std::string why;
        faces += face_number ? ",\n      " : "\n      ";
        if (!write_face(TopoDS::Face(f.Current()), faces, why)) {
            reason = "face " + std::to_string(face_number) + ": " + why;
            return false;
        }
    }
    std::string points;
    bool first = true;
    for (int i = 1; i <= vertices.Extent(); ++i) {
        if (vertex_ids[(size_t)i - 1] < 0) continue;
        TopoDS_Vertex v = TopoDS::Vertex(vertices(i));
        gp_Pnt p = BRep_Tool::Pnt(v);
        out.tolerance = std::fmax(out.tolerance, BRep_Tool::Tolerance(v));
        points +=
            std::string(first ? "\n      " : ",\n      ") + "{\"point\": " + vector_text(p.X(), p.Y(), p.Z()) + "}";
        first = false;
    }
    bool solid = shape.ShapeType() == TopAbs_SOLID;
    out.json = "{\"kind\": " + std::string(solid ? "\"solid\"" : "\"sheet2\"");
    if (out.tolerance > 0) out.json += ", \"close_tolerance\": " + number(2 * out.tolerance);
    if (!first) out.json += ",\n    \"vertices\": [" + points + "\n    ]";
    if (!kept.empty()) out.json += ",\n    \"edges\": [" + lines + "\n    ]";
    out.json += ",\n    \"faces\": [" + faces + "\n    ]}";
    return true;
}

// ---- the file --------------------------------------------------------------------------------------------------------

struct UnitName {
    wit_unit unit;
    const char* cascade; // what Open CASCADE calls it
    std::vector<const char*> in_files;
};

const std::vector<UnitName>& unit_names()
{
    static const std::vector<UnitName> names = {
        {WIT_UNIT_M, "M", {"M", "METRE", "METER"}},
        {WIT_UNIT_CM, "CM", {"CM", "CENTIMETRE", "CENTIMETER"}},
        {WIT_UNIT_MM, "MM", {"MM", "MILLIMETRE", "MILLIMETER"}},
        {WIT_UNIT_UM, "UM", {"UM", "MICROMETRE", "MICROMETER", "MICRON"}},
        {WIT_UNIT_IN, "INCH", {"IN", "INCH", "INCHES"}},
        {WIT_UNIT_FT, "FT", {"FT", "FOOT", "FEET"}},
    };
    return names;
}

wit_unit unit_named(std::string name)
{
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const UnitName& u : unit_names())
        for (const char* n : u.in_files)
            if (name == n) return u.unit;
    return WIT_UNIT_NONE;
}

const char* cascade_unit(wit_unit unit)
{
    for (const UnitName& u : unit_names())
        if (u.unit == unit) return u.cascade;
    return "MM";
}

// Open CASCADE speaks to standard output unless told otherwise.
class Silence
{
  public:
    Silence() : printers(Message::DefaultMessenger()->Printers())
    {
        Message::DefaultMessenger()->ChangePrinters().Clear();
    }
    ~Silence()
    {
        Message::DefaultMessenger()->ChangePrinters() = printers;
    }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

  private:
    Message_SequenceOfPrinters printers;
};

std::string label_name(const TDF_Label& label)
{
    Handle(TDataStd_Name) n;
    if (!label.FindAttribute(TDataStd_Name::GetID(), n)) return "";
    TCollection_AsciiString utf8(n->Get(), '\0');
    if (n->Get().IsAscii()) return utf8.ToCString();
    std::vector<char> bytes(static_cast<size_t>(n->Get().LengthOfCString()) + 1, 0);
    Standard_PCharacter p = bytes.data();
    n->Get().ToUTF8CString(p);
    return bytes.data();
}

class Document
{
  public:
    Document() : doc(new TDocStd_Document("BinXCAF"))
    {
    }
    Handle(TDocStd_Document) doc;
    void collect(std::vector<Part>& out) const
    {
        Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(doc->Main());
        TDF_LabelSequence roots;
        shapes->GetFreeShapes(roots);
        for (int i = 1; i <= roots.Length(); ++i) collect_label(roots.Value(i), gp_Trsf(), "", out, 0);
    }

  private:
    void collect_label(const TDF_Label& label, const gp_Trsf& place, const std::string& name, std::vector<Part>& out,
                       int depth) const
    {
        if (depth > 64) return; // assemblies that contain themselves
        std::string own = label_name(label);
        if (XCAFDoc_ShapeTool::IsAssembly(label)) {
            TDF_LabelSequence parts;
            XCAFDoc_ShapeTool::GetComponents(label, parts);
            for (int i = 1; i <= parts.Length(); ++i) {
                TDF_Label referred;
                gp_Trsf inner = place * XCAFDoc_ShapeTool::GetLocation(parts.Value(i)).Transformation();
                if (XCAFDoc_ShapeTool::GetReferredShape(parts.Value(i), referred))
                    collect_label(referred, inner, label_name(parts.Value(i)), out, depth + 1);
            }
            return;
        }
        Part p;
        p.name = own.empty() ? name : own;
        p.place = place;
        Handle(XCAFDoc_ColorTool) colors = XCAFDoc_DocumentTool::ColorTool(doc->Main());
        Quantity_Color c;
        if (colors->GetColor(label, XCAFDoc_ColorSurf, c) || colors->GetColor(label, XCAFDoc_ColorGen, c)) {
            p.has_color = true;
            p.color[0] = c.Red(), p.color[1] = c.Green(), p.color[2] = c.Blue();
        }
        add_bodies(XCAFDoc_ShapeTool::GetShape(label), p, out);
    }

  public:
    // Solids; shells that belong to none; faces that belong to no shell.
    static void add_bodies(const TopoDS_Shape& shape, const Part& like, std::vector<Part>& out)
    {
        const TopAbs_ShapeEnum kinds[3] = {TopAbs_SOLID, TopAbs_SHELL, TopAbs_FACE};
        const TopAbs_ShapeEnum outside[3] = {TopAbs_SHAPE, TopAbs_SOLID, TopAbs_SHELL};
        if (shape.IsNull()) return;
        for (int k = 0; k < 3; ++k)
            for (TopExp_Explorer e(shape, kinds[k], outside[k]); e.More(); e.Next()) {
                Part p = like;
                p.shape = e.Current();
                out.push_back(p);
            }
    }
};

bool starts_with(const std::string& data, const char* word)
{
    size_t at = data.find_first_not_of(" \t\r\n");
    return at != std::string::npos && data.compare(at, std::strlen(word), word) == 0;
}

wit_cad_format format_of_data(const std::string& data)
{
    if (starts_with(data, "ISO-10303-21")) return WIT_CAD_STEP;
    if (starts_with(data, "DBRep_DrawableShape") || starts_with(data, "CASCADE Topology")) return WIT_CAD_BREP;
    /* column 73 of an IGES line names its section, S for start */
    if (data.size() > 80 && data[72] == 'S') return WIT_CAD_IGES;
    return WIT_CAD_AUTO;
}

std::string first_fail(const Handle(XSControl_WorkSession) & session)
{
    if (session.IsNull() || session->Model().IsNull()) return "";
    Interface_CheckIterator checks = session->ModelCheckList(Standard_False);
    for (checks.Start(); checks.More(); checks.Next()) {
        const Handle(Interface_Check)& c = checks.Value();
        if (!c->HasFailed()) continue;
        std::string where = checks.Number() > 0 ? "#" + std::to_string(checks.Number()) + ": " : "";
        return where + c->CFail(1);
    }
    return "";
}

// An end marker that is missing means that the rest of the file is missing too.
bool step_is_whole(const std::string& data)
{
    return data.find("END-ISO-10303-21") != std::string::npos;
}

class Reader
{
  public:
    Reader(wit_cad* to, const wit_cad_def& def, const std::string& name, wit_error* error)
        : cad(to), def_(def), name_(name), error_(error)
    {
    }

    bool read(const std::string& data, wit_cad_format format, std::vector<Part>& parts)
    {
        cad->report.format = format;
        Silence quiet;
        if (format == WIT_CAD_STEP) return read_step(data, parts);
        if (format == WIT_CAD_IGES) return read_iges(data, parts);
        return read_brep(data, parts);
    }

  private:
    bool fail(const std::string& text)
    {
        refuse(error_, WIT_ERROR_FILE, name_, text);
        return false;
    }

    void settle_unit(wit_unit in_file)
    {
        cad->report.file_unit = in_file;
        cad->report.unit = def_.unit != WIT_UNIT_NONE ? def_.unit : in_file != WIT_UNIT_NONE ? in_file : WIT_UNIT_MM;
        Interface_Static::SetCVal("xstep.cascade.unit", cascade_unit(cad->report.unit));
    }

    bool read_step(const std::string& data, std::vector<Part>& parts)
    {
        if (!step_is_whole(data)) return fail("the STEP file has no END-ISO-10303-21: it is cut short");
        STEPCAFControl_Reader reader;
        reader.SetColorMode(Standard_True);
        reader.SetNameMode(Standard_True);
        std::istringstream in(data);
        IFSelect_ReturnStatus status = reader.ChangeReader().ReadStream(name_.c_str(), in);
        Handle(XSControl_WorkSession) session = reader.ChangeReader().WS();
        if (status != IFSelect_RetDone) {
            std::string why = first_fail(session);
            return fail("it can't be read as STEP" + (why.empty() ? std::string() : ": " + why));
        }
        note_check(session);
        TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
        reader.ChangeReader().FileUnits(lengths, angles, solid_angles);
        settle_unit(lengths.IsEmpty() ? WIT_UNIT_NONE : unit_named(lengths.First().ToCString()));
        for (int i = 2; i <= lengths.Length(); ++i)
            if (unit_named(lengths.Value(i).ToCString()) != cad->report.file_unit)
                cad->problems.push_back(problem_of(false, "units",
                                                   std::string("another length unit in the file: ") +
                                                       lengths.Value(i).ToCString() + "; converted"));
        Handle(StepData_StepModel) model = reader.ChangeReader().StepModel();
        read_schema(data);
        Document document;
        if (!reader.Transfer(document.doc)) return fail("nothing in the file could be made into a shape");
        document.collect(parts);
        return true;
    }

    // Statements that the reader complained of and went past.
    void note_check(const Handle(XSControl_WorkSession) & session)
    {
        Interface_CheckIterator checks = session->ModelCheckList(Standard_False);
        for (checks.Start(); checks.More(); checks.Next()) {
            const Handle(Interface_Check)& c = checks.Value();
            for (int k = 1; k <= c->NbFails(); ++k) {
                Handle(Standard_Transient) entity = session->StartingEntity(checks.Number());
                std::string where = "entity " + std::to_string(checks.Number());
                if (!entity.IsNull())
                    where = std::string(session->Model()->StringLabel(entity)->ToCString()) + " " +
                            entity->DynamicType()->Name();
                cad->problems.push_back(problem_of(true, where, c->CFail(k)));
            }
        }
    }

    void read_schema(const std::string& data)
    {
        size_t at = data.find("FILE_SCHEMA"), from = at == std::string::npos ? at : data.find('\'', at);
        size_t until = from == std::string::npos ? from : data.find('\'', from + 1);
        if (until == std::string::npos) return;
        std::snprintf(cad->report.schema, sizeof cad->report.schema, "%s",
                      data.substr(from + 1, until - from - 1).c_str());
    }

    // Open CASCADE reads IGES from files only.
    bool read_iges(const std::string& data, std::vector<Part>& parts)
    {
        char path[] = "/tmp/witness-iges-XXXXXX";
        int handle = mkstemp(path);
        if (handle < 0) return fail("no temporary file can be made to read IGES from");
        FILE* f = fdopen(handle, "wb");
        bool written = f && std::fwrite(data.data(), 1, data.size(), f) == data.size();
        if (f) written = std::fclose(f) == 0 && written;
        IGESCAFControl_Reader reader;
        IFSelect_ReturnStatus status = written ? reader.ReadFile(path) : IFSelect_RetError;
        std::remove(path);
        if (status != IFSelect_RetDone) {
            std::string why = written ? first_fail(reader.WS()) : "the temporary file can't be written";
            return fail("it can't be read as IGES" + (why.empty() ? std::string() : ": " + why));
        }
        note_check(reader.WS());
        Handle(IGESData_IGESModel) model = Handle(IGESData_IGESModel)::DownCast(reader.WS()->Model());
        wit_unit unit = WIT_UNIT_NONE;
        if (!model.IsNull() && !model->GlobalSection().UnitName().IsNull())
            unit = unit_named(model->GlobalSection().UnitName()->ToCString());
        settle_unit(unit);
        Document document;
        if (!reader.Transfer(document.doc)) return fail("nothing in the file could be made into a shape");
        document.collect(parts);
        return true;
    }

    bool read_brep(const std::string& data, std::vector<Part>& parts)
    {
        BRep_Builder builder;
        TopoDS_Shape shape;
        std::istringstream in(data);
        BRepTools::Read(shape, in, builder);
        if (shape.IsNull()) return fail("it can't be read as BREP");
        cad->report.file_unit = WIT_UNIT_NONE;
        cad->report.unit = def_.unit;
        Document::add_bodies(shape, Part(), parts);
        return true;
    }

    wit_cad* cad;
    const wit_cad_def& def_;
    std::string name_;
    wit_error* error_;
};

// ---- the model -------------------------------------------------------------------------------------------------------

// Names of bodies differ: "bolt", "bolt 2", ...
void make_names_differ(std::vector<Part>& parts)
{
    std::map<std::string, int> seen;
    for (Part& p : parts) {
        if (p.name.empty()) p.name = "body";
        if (p.name.size() > 240) p.name.resize(240);
        std::string base = p.name;
        while (seen[p.name]++) p.name = base + " " + std::to_string(seen[base]++);
    }
}

std::string place_text(const gp_Trsf& t)
{
    gp_XYZ p = t.TranslationPart();
    gp_Quaternion q = t.GetRotation();
    if (p.Modulus() == 0 && q.W() == 1) return "";
    return "\"pose\": {\"position\": " + vector_text(p.X(), p.Y(), p.Z()) + ", \"rotation\": [" + number(q.W()) + ", " +
           number(q.X()) + ", " + number(q.Y()) + ", " + number(q.Z()) + "]}, ";
}

std::string model_text(const wit_cad_report& report, const std::string& bodies)
{
    return "{\n  \"format\": \"witness-model\",\n  \"version\": 1,\n  \"unit\": " + json_string(wit_unit_name(report.unit)) +
           ",\n  \"bodies\": [\n    " + bodies + "\n  ]\n}\n";
}

// Whether the library takes the body, and why not.
bool accepted(const wit_cad_report& report, const std::string& body, std::string& reason)
{
    std::string text = model_text(report, body);
    wit_error e{};
    wit_model* model = wit_model_read_text(text.data(), text.size(), nullptr, &e);
    reason = std::string(e.item) + ": " + e.text;
    wit_model_destroy(model);
    return model != nullptr;
}

// First as it stands, then with parameter curves of our own.
bool make_body(Maker& m, Part& part, BodyText& out, std::string& reason)
{
    std::string first_reason;
    part.shape = ShapeCustom::DirectFaces(part.shape);
    for (int attempt = 0; attempt < 2; ++attempt) {
        BodyText text;
        wit_cad_report before = m.cad->report;
        size_t problems = m.cad->problems.size();
        BodyWriter writer(m, part, attempt == 0);
        bool written = writer.write(text, reason);
        if (written && accepted(m.cad->report, text.json, reason)) {
            if (attempt)
                m.cad->problems.push_back(
                    problem_of(false, m.where, "parameter curves were made anew; those of the file: " + first_reason));
            out = text;
            return true;
        }
        m.cad->report = before;
        m.cad->problems.resize(problems);
        if (attempt == 0) first_reason = reason;
    }
    reason = first_reason;
    return false;
}

void count(wit_cad_report& r, const Part& part, const BodyText& text)
{
    r.bodies++;
    r.solids += part.shape.ShapeType() == TopAbs_SOLID;
    for (int k = 0; k < WIT_SURFACE_KIND_COUNT; ++k) r.faces[k] += text.faces[k];
    for (int k = 0; k < WIT_CURVE_KIND_COUNT; ++k) r.edges[k] += text.edges[k];
    r.parameter_curves += text.parameter_curves;
    r.tolerance = std::fmax(r.tolerance, text.tolerance);
}

bool make_model(wit_cad* cad, std::vector<Part>& parts, const wit_cad_def& def, const std::string& name,
                wit_error* error)
{
    make_names_differ(parts);
    std::string bodies, known;
    for (Part& part : parts) {
        known += (known.empty() ? "'" : ", '") + part.name + "'";
        if (def.part && part.name != def.part) continue;
        Maker m{cad, "body '" + part.name + "'"};
        BodyText text;
        std::string reason;
        if (!make_body(m, part, text, reason)) {
            cad->problems.push_back(problem_of(true, m.where, reason));
            continue;
        }
        count(cad->report, part, text);
        std::string color =
            part.has_color ? "\"color\": " + vector_text(part.color[0], part.color[1], part.color[2]) + ", " : "";
        bodies += (bodies.empty() ? "" : ",\n    ") + std::string("{\"name\": ") + json_string(part.name) + ", " +
                  place_text(part.place) + color + text.json.substr(1);
    }
    cad->report.problem_count = static_cast<int>(cad->problems.size());
    if (bodies.empty()) {
        std::string why = parts.empty() ? "it holds no solid, shell or face (a drawing?)"
                          : def.part && cad->problems.empty()
                              ? std::string("there is no part '") + def.part + "'; it has " + known
                              : "no body could be made of it: " + std::string(cad->problems.back().entity) + ": " +
                                    cad->problems.back().text;
        refuse(error, WIT_ERROR_FILE, name, why);
        return false;
    }
    cad->text = model_text(cad->report, bodies);
    return true;
}

wit_cad* read_data(const std::string& data, const char* name, const wit_cad_def* given, wit_error* error)
{
    wit_cad_def def = given ? *given : wit_cad_default_def();
    if (def.struct_size != sizeof def) {
        refuse(error, WIT_ERROR_ARGUMENT, "struct_size", "start from wit_cad_default_def");
        return nullptr;
    }
    wit_cad_format format = def.format;
    if (data.find_first_not_of(" \t\r\n") == std::string::npos) {
        refuse(error, WIT_ERROR_FILE, name, "it is empty");
        return nullptr;
    }
    if (format == WIT_CAD_AUTO) format = format_of_data(data);
    if (format == WIT_CAD_AUTO) format = wit_cad_format_of(name);
    if (format == WIT_CAD_AUTO) {
        refuse(error, WIT_ERROR_FILE, name, "it is neither STEP, IGES nor BREP by its first line or its name");
        return nullptr;
    }
    wit_cad* cad = new wit_cad;
    try {
        auto start = clock_type::now();
        std::vector<Part> parts;
        Reader reader(cad, def, name, error);
        bool good = reader.read(data, format, parts);
        cad->report.read_seconds = seconds_since(start);
        start = clock_type::now();
        good = good && make_model(cad, parts, def, name, error);
        cad->report.convert_seconds = seconds_since(start);
        if (good) return cad;
    } catch (const Standard_Failure& f) {
        refuse(error, WIT_ERROR_FILE, name, std::string("Open CASCADE gave up: ") + f.GetMessageString());
    } catch (const std::exception& e) {
        refuse(error, WIT_ERROR_MEMORY, name, e.what());
    }
    delete cad;
    return nullptr;
}
} // namespace

// ---- the interface ---------------------------------------------------------------------------------------------------

const char* wit_cad_format_name(wit_cad_format format)
{
    static const char* const names[WIT_CAD_FORMAT_COUNT] = {"auto", "step", "iges", "brep"};
    return static_cast<unsigned>(format) < WIT_CAD_FORMAT_COUNT ? names[format] : "?";
}

wit_cad_format wit_cad_format_of(const char* path)
{
    static const struct {
        const char* ending;
        wit_cad_format format;
    } endings[] = {{".step", WIT_CAD_STEP}, {".stp", WIT_CAD_STEP},  {".iges", WIT_CAD_IGES},
                   {".igs", WIT_CAD_IGES},  {".brep", WIT_CAD_BREP}, {".brp", WIT_CAD_BREP}};
    std::string p = path ? path : "";
    for (char& c : p) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const auto& e : endings) {
        size_t n = std::strlen(e.ending);
        if (p.size() > n && p.compare(p.size() - n, n, e.ending) == 0) return e.format;
    }
    return WIT_CAD_AUTO;
}

wit_cad_def wit_cad_default_def(void)
{
    wit_cad_def d{};
    d.struct_size = sizeof d;
    return d;
}

wit_cad* wit_cad_read_file(const char* path, const wit_cad_def* def, wit_error* error)
{
    if (!path) {
        refuse(error, WIT_ERROR_ARGUMENT, "path", "must not be null");
        return nullptr;
    }
    std::ifstream in(path, std::ios::binary);
    std::ostringstream data;
    if (in) data << in.rdbuf();
    if (!in) {
        refuse(error, WIT_ERROR_FILE, path, std::string("it can't be read: ") + std::strerror(errno));
        return nullptr;
    }
    return read_data(data.str(), path, def, error);
}

wit_cad* wit_cad_read_memory(const void* data, size_t bytes, const char* name, const wit_cad_def* def, wit_error* error)
{
    if (!data) {
        refuse(error, WIT_ERROR_ARGUMENT, "data", "must not be null");
        return nullptr;
    }
    return read_data(std::string(static_cast<const char*>(data), bytes), name ? name : "memory", def, error);
}

void wit_cad_destroy(wit_cad* cad)
{
    delete cad;
}

wit_cad_report wit_cad_describe(const wit_cad* cad)
{
    return cad ? cad->report : wit_cad_report{};
}

wit_cad_problem wit_cad_problem_at(const wit_cad* cad, int k)
{
    if (!cad || k < 0 || k >= static_cast<int>(cad->problems.size())) return wit_cad_problem{};
    return cad->problems[static_cast<size_t>(k)];
}

const char* wit_cad_text(const wit_cad* cad, size_t* bytes)
{
    if (bytes) *bytes = cad ? cad->text.size() : 0;
    return cad ? cad->text.c_str() : "";
}

wit_model* wit_cad_model(const wit_cad* cad, const wit_allocator* allocator, wit_error* error)
{
    if (!cad) {
        refuse(error, WIT_ERROR_ARGUMENT, "cad", "must not be null");
        return nullptr;
    }
    return wit_model_read_text(cad->text.data(), cad->text.size(), allocator, error);
}
