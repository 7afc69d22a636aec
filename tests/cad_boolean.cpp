// SPDX-License-Identifier: MIT
#include "cad_boolean.h"

#include <cmath>
#include <cstdio>

#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepTools.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Writer.hxx>
#include <ShapeAnalysis_ShapeTolerance.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <gp_Quaternion.hxx>

#include "random.h"

namespace boolean
{

const Unit UNITS[4] = {
    {"MM", WIT_UNIT_MM, 1}, {"M", WIT_UNIT_M, 1000}, {"UM", WIT_UNIT_UM, 1e-3}, {"INCH", WIT_UNIT_IN, 25.4}};

// ---- closed forms ----------------------------------------------------------------------------------------------------

TopoDS_Shape Solid::shape() const
{
    TopoDS_Shape s;
    switch (kind) {
    case Primitive::box:
        s = BRepPrimAPI_MakeBox(gp_Pnt(-size[0] / 2, -size[1] / 2, -size[2] / 2), size[0], size[1], size[2]).Shape();
        break;
    case Primitive::sphere:
        s = BRepPrimAPI_MakeSphere(size[0]).Shape();
        break;
    case Primitive::cylinder:
        s = BRepPrimAPI_MakeCylinder(size[0], size[1]).Shape();
        break;
    case Primitive::cone:
        s = BRepPrimAPI_MakeCone(size[0], size[1], size[2]).Shape();
        break;
    case Primitive::torus:
        s = BRepPrimAPI_MakeTorus(size[0], size[1]).Shape();
        break;
    }
    return BRepBuilderAPI_Transform(s, place, Standard_True).Shape();
}

// Largest of the signed distances to the sides, which is exact inside and has the right sign outside.
static double largest(double a, double b)
{
    return a > b ? a : b;
}

double Solid::distance(const gp_Pnt& world) const
{
    gp_Pnt p = world.Transformed(place.Inverted());
    double rho = std::hypot(p.X(), p.Y());
    switch (kind) {
    case Primitive::box:
        return largest(std::fabs(p.X()) - size[0] / 2,
                       largest(std::fabs(p.Y()) - size[1] / 2, std::fabs(p.Z()) - size[2] / 2));
    case Primitive::sphere:
        return std::hypot(rho, p.Z()) - size[0];
    case Primitive::cylinder:
        return largest(rho - size[0], largest(-p.Z(), p.Z() - size[1]));
    case Primitive::cone: {
        double slope = (size[1] - size[0]) / size[2], across = 1 / std::hypot(1, slope);
        return largest((rho - size[0] - slope * p.Z()) * across, largest(-p.Z(), p.Z() - size[2]));
    }
    case Primitive::torus:
        return std::hypot(rho - size[0], p.Z()) - size[1];
    }
    return 0;
}

std::string Solid::text() const
{
    static const char* const names[] = {"box", "sphere", "cylinder", "cone", "torus"};
    char t[160];
    gp_XYZ at = place.TranslationPart();
    std::snprintf(t, sizeof t, "%s %.4g %.4g %.4g at %.3g,%.3g,%.3g", names[static_cast<int>(kind)], size[0], size[1],
                  size[2], at.X(), at.Y(), at.Z());
    return t;
}

// ---- cases -----------------------------------------------------------------------------------------------------------

static Solid random_solid(rng* r, double reach)
{
    Solid s;
    s.kind = static_cast<Primitive>(rng_int(r, 5));
    for (double& x : s.size) x = rng_range(r, 3, 12);
    if (s.kind == Primitive::cone) s.size[1] = rng_int(r, 3) ? s.size[1] : 0; // a third have an apex
    if (s.kind == Primitive::cone && std::fabs(s.size[0] - s.size[1]) < 0.3) s.size[1] = 0.5 * s.size[0];
    if (s.kind == Primitive::torus) s.size[1] = s.size[0] * rng_range(r, 0.15, 0.7);
    gp_Quaternion q(rng_range(r, -1, 1), rng_range(r, -1, 1), rng_range(r, -1, 1), rng_range(r, -1, 1));
    q.Normalize();
    if (rng_int(r, 4) == 0) q = gp_Quaternion(); // along the axes: how people draw
    s.place.SetRotation(q);
    s.place.SetTranslationPart(
        gp_Vec(rng_range(r, -reach, reach), rng_range(r, -reach, reach), rng_range(r, -reach, reach)));
    return s;
}

static TopoDS_Shape combined(Operation o, const TopoDS_Shape& a, const TopoDS_Shape& b)
{
    if (o == Operation::fuse) return BRepAlgoAPI_Fuse(a, b).Shape();
    if (o == Operation::cut) return BRepAlgoAPI_Cut(a, b).Shape();
    return BRepAlgoAPI_Common(a, b).Shape();
}

Case::Case(long k) : number(k)
{
    rng r = rng_seed(0xb001ea0000000000u + static_cast<uint64_t>(k));
    operation = static_cast<Operation>(rng_int(&r, 3));
    a = random_solid(&r, 0);
    b = random_solid(&r, 7);
    try {
        shape = combined(operation, a.shape(), b.shape());
    } catch (const Standard_Failure&) {
        shape.Nullify();
    }
    if (shape.IsNull()) return;
    for (TopExp_Explorer e(shape, TopAbs_SOLID); e.More(); e.Next()) solids++;
    for (TopExp_Explorer e(shape, TopAbs_FACE); e.More(); e.Next()) faces++;
    if (!solids) return;
    GProp_GProps v, s;
    BRepGProp::VolumeProperties(shape, v, 1e-9);
    BRepGProp::SurfaceProperties(shape, s, 1e-9);
    volume = v.Mass();
    area = s.Mass();
    Bnd_Box box;
    BRepBndLib::AddOptimal(shape, box);
    lo = box.CornerMin();
    hi = box.CornerMax();
    size = lo.Distance(hi);
    tolerance = ShapeAnalysis_ShapeTolerance().Tolerance(shape, 1);
}

bool Case::usable() const
{
    return !shape.IsNull() && solids > 0 && volume > 1e-3 * size * size * size && tolerance < 1e-5 * size &&
           BRepCheck_Analyzer(shape).IsValid();
}

bool Case::holds(const gp_Pnt& p) const
{
    bool in_a = a.distance(p) < 0, in_b = b.distance(p) < 0;
    if (operation == Operation::fuse) return in_a || in_b;
    return operation == Operation::cut ? in_a && !in_b : in_a && in_b;
}

double Case::margin(const gp_Pnt& p) const
{
    return std::fmin(std::fabs(a.distance(p)), std::fabs(b.distance(p)));
}

std::string Case::text() const
{
    static const char* const names[] = {"and", "less", "in common with"};
    return "case " + std::to_string(number) + " (" + a.text() + " " + names[static_cast<int>(operation)] + " " +
           b.text() + ")";
}

// ---- files -----------------------------------------------------------------------------------------------------------

bool write(const TopoDS_Shape& shape, wit_cad_format format, const Unit& unit, const std::string& path)
{
    Message::DefaultMessenger()->ChangePrinters().Clear();
    if (format == WIT_CAD_BREP) {
        gp_Trsf scale;
        scale.SetScale(gp_Pnt(0, 0, 0), 1 / unit.mm);
        TopoDS_Shape scaled = unit.mm == 1 ? shape : BRepBuilderAPI_Transform(shape, scale, Standard_True).Shape();
        return BRepTools::Write(scaled, path.c_str());
    }
    if (format == WIT_CAD_IGES) {
        IGESControl_Controller::Init();
        Interface_Static::SetCVal("xstep.cascade.unit", "MM");
        IGESControl_Writer writer(unit.name, 1); // BRep mode
        writer.AddShape(shape);
        writer.ComputeModel();
        return writer.Write(path.c_str());
    }
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    Interface_Static::SetCVal("write.step.unit", unit.name);
    STEPControl_Writer writer;
    bool good =
        writer.Transfer(shape, STEPControl_AsIs) == IFSelect_RetDone && writer.Write(path.c_str()) == IFSelect_RetDone;
    Interface_Static::SetCVal("write.step.unit", "MM");
    return good;
}

} // namespace boolean
