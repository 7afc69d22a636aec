// SPDX-License-Identifier: MIT
#include "cad_shapes.h"

#include <cmath>

#include <BRepAdaptor_Surface.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepGProp.hxx>
#include <BRepLib.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <GeomAPI_PointsToBSpline.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_OffsetSurface.hxx>
#include <Geom_Plane.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <Standard_Version.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <TDF_Label.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopoDS.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

namespace
{

const double PI = 3.14159265358979323846;

void be_quiet()
{
    Message::DefaultMessenger()->ChangePrinters().Clear();
}

wit_surface_kind kind_of(GeomAbs_SurfaceType t)
{
    switch (t) {
    case GeomAbs_Plane:
        return WIT_SURFACE_PLANE;
    case GeomAbs_Cylinder:
        return WIT_SURFACE_CYLINDER;
    case GeomAbs_Cone:
        return WIT_SURFACE_CONE;
    case GeomAbs_Sphere:
        return WIT_SURFACE_SPHERE;
    case GeomAbs_Torus:
        return WIT_SURFACE_TORUS;
    case GeomAbs_SurfaceOfRevolution:
        return WIT_SURFACE_REVOLUTION;
    case GeomAbs_SurfaceOfExtrusion:
        return WIT_SURFACE_EXTRUSION;
    default:
        return WIT_SURFACE_NURBS;
    }
}

// A vase: a profile that is a B-spline, turned, as a periodic rational B-spline surface, closed by discs of radius 3.
TopoDS_Shape wave()
{
    TColgp_Array1OfPnt points(1, 5);
    const double r[5] = {3, 4, 2, 4, 3};
    for (int i = 0; i < 5; ++i) points.SetValue(i + 1, gp_Pnt(r[i], 0, 3.0 * i));
    Handle(Geom_BSplineCurve) profile = GeomAPI_PointsToBSpline(points, 3, 3).Curve();
    Handle(Geom_Surface) turned = new Geom_SurfaceOfRevolution(profile, gp::OZ());
    Handle(Geom_BSplineSurface) side = GeomConvert::SurfaceToBSplineSurface(turned);
    BRepBuilderAPI_Sewing sewing(1e-6);
    sewing.Add(BRepBuilderAPI_MakeFace(side, 1e-6).Face());
    for (double z : {0.0, 12.0}) {
        gp_Circ c(gp_Ax2(gp_Pnt(0, 0, z), gp::DZ()), 3);
        TopoDS_Edge e = BRepBuilderAPI_MakeEdge(c).Edge();
        BRepBuilderAPI_MakeWire w(e);
        sewing.Add(BRepBuilderAPI_MakeFace(w.Wire()).Face());
    }
    sewing.Perform();
    TopExp_Explorer shell(sewing.SewedShape(), TopAbs_SHELL);
    if (!shell.More()) return TopoDS_Shape();
    TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(shell.Current())).Solid();
    BRepLib::OrientClosedSolid(solid);
    return solid;
}

TopoDS_Shape offset()
{
    TColgp_Array1OfPnt points(1, 4);
    for (int i = 0; i < 4; ++i) points.SetValue(i + 1, gp_Pnt(3 + (i % 2), 0, 2.0 * i));
    Handle(Geom_BSplineCurve) profile = GeomAPI_PointsToBSpline(points, 3, 3).Curve();
    Handle(Geom_Surface) turned = new Geom_SurfaceOfRevolution(profile, gp::OZ());
    Handle(Geom_Surface) outside = new Geom_OffsetSurface(turned, 0.25);
    return BRepBuilderAPI_MakeFace(outside, 0.2, 1.4, profile->FirstParameter(), profile->LastParameter(), 1e-6).Face();
}

TopoDS_Shape plain_offset(cad_shape shape)
{
    gp_Ax3 at(gp_Pnt(1, 2, 3), gp_Dir(1, 2, 2), gp_Dir(2, 1, -2));
    Handle(Geom_Surface) s = new Geom_Plane(at);
    if (shape == CAD_SHAPE_OFFSET_CYLINDER) s = new Geom_CylindricalSurface(at, 3);
    if (shape == CAD_SHAPE_OFFSET_CONE) s = new Geom_ConicalSurface(at, 0.4, 3);
    if (shape == CAD_SHAPE_OFFSET_SPHERE) s = new Geom_SphericalSurface(at, 3);
    if (shape == CAD_SHAPE_OFFSET_TORUS) s = new Geom_ToroidalSurface(at, 3, 1);
    return BRepBuilderAPI_MakeFace(new Geom_OffsetSurface(s, 0.25), 0.2, 1.4, 0.1, 0.9, 1e-6).Face();
}

TopoDS_Shape solid_of(const TopoDS_Face& one, const TopoDS_Face* other)
{
    BRep_Builder builder;
    TopoDS_Shell shell;
    TopoDS_Solid solid;
    builder.MakeShell(shell);
    builder.Add(shell, one);
    if (other) builder.Add(shell, *other);
    shell.Closed(true);
    builder.MakeSolid(solid);
    builder.Add(solid, shell);
    return solid;
}

// The torus o + (2 + 3 cos v) e(u) + 3 sin v z on one side of its axis. Inside, its normal points to the axis.
TopoDS_Shape spindle(bool outside)
{
    const double end = std::acos(-2.0 / 3);
    Handle(Geom_Surface) torus = new Geom_ToroidalSurface(gp_Ax3(gp::XOY()), 2, 3);
    double from = outside ? -end : end, to = outside ? end : 2 * PI - end;
    TopoDS_Face face = BRepBuilderAPI_MakeFace(torus, 0, 2 * PI, from, to, 1e-7).Face();
    if (!outside) face.Reverse();
    return solid_of(face, nullptr);
}

TopoDS_Shape horn()
{
    Handle(Geom_Surface) torus = new Geom_ToroidalSurface(gp_Ax3(gp::XOY()), 3, 3);
    return solid_of(BRepBuilderAPI_MakeFace(torus, 0, 2 * PI, -PI, PI, 1e-7).Face(), nullptr);
}

TopoDS_Shape leaf()
{
    TopoDS_Face face = BRepBuilderAPI_MakeFace(gp_Pln(), 0, 10, 0, 20).Face(), back = TopoDS::Face(face.Reversed());
    return solid_of(face, &back);
}

TopoDS_Shape seventeen()
{
    TColgp_Array2OfPnt points(1, 18, 1, 13);
    for (int i = 0; i < 18; ++i)
        for (int j = 0; j < 13; ++j)
            points.SetValue(i + 1, j + 1, gp_Pnt(i, 2 * j, 3 * std::sin(0.7 * i) * std::cos(0.9 * j)));
    return BRepBuilderAPI_MakeFace(new Geom_BezierSurface(points), 1e-6).Face();
}

TopoDS_Shape make(cad_shape shape)
{
    switch (shape) {
    case CAD_SHAPE_BOX:
        return BRepPrimAPI_MakeBox(10, 20, 30).Shape();
    case CAD_SHAPE_PIPE:
        return BRepAlgoAPI_Cut(BRepPrimAPI_MakeCylinder(5, 10).Shape(), BRepPrimAPI_MakeCylinder(4, 10).Shape())
            .Shape();
    case CAD_SHAPE_CONE:
        return BRepPrimAPI_MakeCone(5, 0, 10).Shape();
    case CAD_SHAPE_HALF_CONE:
        return BRepPrimAPI_MakeCone(5, 0, 10, PI).Shape();
    case CAD_SHAPE_BALL:
        return BRepPrimAPI_MakeSphere(3).Shape();
    case CAD_SHAPE_RING:
        return BRepPrimAPI_MakeTorus(10, 2).Shape();
    case CAD_SHAPE_WAVE:
        return wave();
    case CAD_SHAPE_DRILLED:
        return BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(10, 20, 30).Shape(),
                               BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(5, 10, -1), gp::DZ()), 2, 40).Shape())
            .Shape();
    case CAD_SHAPE_OFFSET:
        return offset();
    case CAD_SHAPE_OFFSET_PLANE:
    case CAD_SHAPE_OFFSET_CYLINDER:
    case CAD_SHAPE_OFFSET_CONE:
    case CAD_SHAPE_OFFSET_SPHERE:
    case CAD_SHAPE_OFFSET_TORUS:
        return plain_offset(shape);
    case CAD_SHAPE_APPLE:
        return spindle(true);
    case CAD_SHAPE_LEMON:
        return spindle(false);
    case CAD_SHAPE_HORN:
        return horn();
    case CAD_SHAPE_LEAF:
        return leaf();
    case CAD_SHAPE_SEVENTEEN:
        return seventeen();
    case CAD_SHAPE_INSIDE_OUT:
        return BRepPrimAPI_MakeBox(10, 20, 30).Solid().Reversed();
    case CAD_SHAPE_LINE:
        return BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(1, 2, 3)).Shape();
    default:
        return TopoDS_Shape();
    }
}

void count_face(const TopoDS_Face& face, cad_census* out)
{
    out->faces++;
    out->kinds[kind_of(BRepAdaptor_Surface(face, Standard_False).GetType())]++;
}

TDF_Label add_named(const Handle(XCAFDoc_ShapeTool) & shapes, const TopoDS_Shape& shape, const char* name)
{
    TDF_Label label = shapes->AddShape(shape, Standard_False);
    TDataStd_Name::Set(label, name);
    return label;
}

} // namespace

bool cad_census_of(const char* path, bool measured, cad_census* out)
{
    be_quiet();
    *out = cad_census{};
    STEPControl_Reader reader;
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    if (reader.ReadFile(path) != IFSelect_RetDone || reader.TransferRoots() < 1) return false;
    TopoDS_Shape all = reader.OneShape();
    out->closed = true;
    for (TopExp_Explorer f(all, TopAbs_FACE); f.More(); f.Next()) count_face(TopoDS::Face(f.Current()), out);
    for (TopExp_Explorer s(all, TopAbs_SOLID); s.More(); s.Next()) {
        out->solids++;
        GProp_GProps volume, area;
        if (measured) BRepGProp::VolumeProperties(s.Current(), volume, 1e-4);
        if (measured) BRepGProp::SurfaceProperties(s.Current(), area, 1e-4);
        out->volume += volume.Mass();
        out->area += area.Mass();
        TopTools_IndexedDataMapOfShapeListOfShape uses;
        TopExp::MapShapesAndAncestors(s.Current(), TopAbs_EDGE, TopAbs_FACE, uses);
        for (int i = 1; i <= uses.Extent(); ++i) {
            TopoDS_Edge e = TopoDS::Edge(uses.FindKey(i));
            if (!BRep_Tool::Degenerated(e) && uses(i).Extent() != 2) out->closed = false;
            out->tolerance = std::fmax(out->tolerance, BRep_Tool::Tolerance(e));
        }
    }
    return true;
}

const char* cad_version(void)
{
    return OCC_VERSION_COMPLETE;
}

// 2 pi times the integral of z dz' of (2 + 3 cos v)^2 / 2 over the arc: pi times that of (2 + 3 cos v)^2 3 cos v dv.
static double spindle_volume(bool lemon)
{
    const double R = 2, r = 3, end = std::acos(-R / r), from = lemon ? end : -end, to = lemon ? 2 * PI - end : end;
    auto primitive = [&](double v) {
        double s = std::sin(v), c = std::cos(v);
        return r * (R * R * s + R * r * (v + s * c) + r * r * (s - s * s * s / 3));
    };
    return std::fabs(PI * (primitive(to) - primitive(from)));
}

double cad_shape_volume(cad_shape shape)
{
    switch (shape) {
    case CAD_SHAPE_BOX:
        return 6000;
    case CAD_SHAPE_PIPE:
        return PI * (25 - 16) * 10;
    case CAD_SHAPE_CONE:
        return PI * 25 * 10 / 3;
    case CAD_SHAPE_HALF_CONE:
        return PI * 25 * 10 / 6;
    case CAD_SHAPE_BALL:
        return 4 * PI * 27 / 3;
    case CAD_SHAPE_RING:
        return 2 * PI * PI * 10 * 4;
    case CAD_SHAPE_DRILLED:
        return 6000 - PI * 4 * 30;
    case CAD_SHAPE_APPLE:
        return spindle_volume(false);
    case CAD_SHAPE_LEMON:
        return spindle_volume(true);
    case CAD_SHAPE_HORN:
        return 2 * PI * PI * 27;
    case CAD_SHAPE_INSIDE_OUT:
        return 6000;
    default:
        return 0;
    }
}

bool cad_write(cad_shape shape, wit_cad_format format, const char* unit, const char* path)
{
    be_quiet();
    TopoDS_Shape s = make(shape);
    if (s.IsNull()) return false;
    if (format == WIT_CAD_BREP) return BRepTools::Write(s, path);
    if (format == WIT_CAD_IGES) {
        IGESControl_Controller::Init();
        Interface_Static::SetCVal("xstep.cascade.unit", "MM");
        IGESControl_Writer writer(unit, 0);
        return writer.AddShape(s) && writer.Write(path);
    }
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    Interface_Static::SetCVal("write.step.unit", unit);
    STEPControl_Writer writer;
    bool good = writer.Transfer(s, STEPControl_AsIs) == IFSelect_RetDone && writer.Write(path) == IFSelect_RetDone;
    Interface_Static::SetCVal("write.step.unit", "MM");
    return good;
}

bool cad_write_assembly(const char* path)
{
    be_quiet();
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    Handle(XCAFDoc_ColorTool) colors = XCAFDoc_DocumentTool::ColorTool(document->Main());
    TDF_Label bolt = add_named(shapes, make(CAD_SHAPE_BOX), "bolt");
    TDF_Label ring = add_named(shapes, make(CAD_SHAPE_RING), "ring");
    colors->SetColor(bolt, Quantity_Color(0.2, 0.4, 0.6, Quantity_TOC_sRGB), XCAFDoc_ColorSurf);
    TopExp_Explorer face(XCAFDoc_ShapeTool::GetShape(bolt), TopAbs_FACE);
    colors->SetColor(shapes->AddSubShape(bolt, face.Current()), Quantity_Color(1, 0, 0, Quantity_TOC_sRGB),
                     XCAFDoc_ColorSurf);
    TDF_Label whole = shapes->NewShape();
    TDataStd_Name::Set(whole, "machine");
    gp_Trsf away, turned;
    away.SetTranslation(gp_Vec(100, 0, 0));
    turned.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp::DX()), PI / 2);
    turned.SetTranslationPart(gp_Vec(0, 7, 50));
    shapes->AddComponent(whole, bolt, TopLoc_Location());
    shapes->AddComponent(whole, bolt, TopLoc_Location(away));
    shapes->AddComponent(whole, ring, TopLoc_Location(turned));
    shapes->UpdateAssemblies();
    STEPCAFControl_Writer writer;
    writer.SetColorMode(Standard_True);
    writer.SetNameMode(Standard_True);
    return writer.Transfer(document) && writer.Write(path) == IFSelect_RetDone;
}
