// SPDX-License-Identifier: MIT
//
//   make_step DIRECTORY        writes the STEP files of tests/data/step
//
// Small parts whose volumes, boxes and distances are known by construction (tests/test_cad_own.c). The header says nothing of
// who, where and when, so that the files are the same wherever they are made by one version of Open CASCADE.
#include <cstdio>
#include <string>
#include <vector>

#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <STEPControl_Controller.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TDF_Label.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <gp_Circ.hxx>

namespace
{

// 80 x 40 x 10, a hole of radius 6 through it at (20, 20).
TopoDS_Shape plate()
{
    TopoDS_Shape hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(20, 20, -1), gp::DZ()), 6, 12).Shape();
    return BRepAlgoAPI_Cut(BRepPrimAPI_MakeBox(80, 40, 10).Shape(), hole).Shape();
}

// 40 x 30 x 20, all edges rounded by 5.
TopoDS_Shape rounded()
{
    TopoDS_Shape box = BRepPrimAPI_MakeBox(40, 30, 20).Shape();
    BRepFilletAPI_MakeFillet fillet(box);
    for (TopExp_Explorer e(box, TopAbs_EDGE); e.More(); e.Next()) fillet.Add(5, TopoDS::Edge(e.Current()));
    return fillet.Shape();
}

// A pulley: radius 20, height 10, bore 5, a groove of radius 3 around it at half height: half a torus.
TopoDS_Shape pulley()
{
    TopoDS_Shape disc = BRepPrimAPI_MakeCylinder(20, 10).Shape(), bore = BRepPrimAPI_MakeCylinder(5, 10).Shape();
    TopoDS_Shape ring = BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 5), gp::DZ()), 20, 3).Shape();
    return BRepAlgoAPI_Cut(BRepAlgoAPI_Cut(disc, bore).Shape(), ring).Shape();
}

// The same, turned: its groove is a surface of revolution.
TopoDS_Shape turned_pulley()
{
    const gp_Pnt p[6] = {{5, 0, 0}, {20, 0, 0}, {20, 0, 2}, {20, 0, 8}, {20, 0, 10}, {5, 0, 10}};
    const gp_Circ groove(gp_Ax2(gp_Pnt(20, 0, 5), gp::DY(), gp_Dir(0, 0, -1)), 3);
    BRepBuilderAPI_MakeWire wire;
    for (int i = 0; i < 6; ++i) {
        if (i == 2)
            wire.Add(BRepBuilderAPI_MakeEdge(groove, p[2], p[3]).Edge());
        else
            wire.Add(BRepBuilderAPI_MakeEdge(p[i], p[(i + 1) % 6]).Edge());
    }
    return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), gp::OZ()).Shape();
}

// A cubic B-spline of 2 x 2 spans over [0, 20]^2: x and y stand at the abscissae of its points, so that they are linear, and
// z = 8 N_2(x) N_2(y), which is 2 in the middle. Moved down by 5 it bounds a slab of volume 20 * 20 * 5.
TopoDS_Shape slab()
{
    const double at[5] = {0, 10.0 / 3, 10, 50.0 / 3, 20};
    TColgp_Array2OfPnt points(1, 5, 1, 5);
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j) points.SetValue(i + 1, j + 1, gp_Pnt(at[i], at[j], i == 2 && j == 2 ? 8 : 0));
    TColStd_Array1OfReal knots(1, 3);
    TColStd_Array1OfInteger times(1, 3);
    for (int i = 1; i <= 3; ++i) {
        knots.SetValue(i, 10.0 * (i - 1));
        times.SetValue(i, i == 2 ? 1 : 4);
    }
    Handle(Geom_BSplineSurface) top = new Geom_BSplineSurface(points, knots, knots, times, times, 3, 3);
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(top, 1e-7).Face(), gp_Vec(0, 0, -5)).Shape();
}

// In inches: radius 1 below, 1/2 above, height 2.
TopoDS_Shape frustum()
{
    return BRepPrimAPI_MakeCone(25.4, 12.7, 50.8).Shape();
}

TopoDS_Shape pin()
{
    return BRepPrimAPI_MakeCylinder(5.5, 30).Shape();
}

struct Placed {
    const char* name;
    TopoDS_Shape shape;
    gp_Vec at;
    Quantity_Color color;
};

Handle(TCollection_HAsciiString) word(const char* text)
{
    return new TCollection_HAsciiString(text);
}

void neutral_header(STEPCAFControl_Writer& writer, const char* name)
{
    APIHeaderSection_MakeHeader header(writer.ChangeWriter().Model());
    header.SetName(word(name));
    header.SetTimeStamp(word("2026-01-01T00:00:00"));
    header.SetAuthorValue(1, word("Witness"));
    header.SetOrganizationValue(1, word("Witness"));
    header.SetPreprocessorVersion(word("Open CASCADE Technology"));
    header.SetOriginatingSystem(word("tests/make_step.cpp"));
    header.SetAuthorisation(word(""));
    header.SetDescriptionValue(1, word("a part of the tests of Witness"));
}

bool written(const std::string& directory, const char* name, const char* unit, const std::vector<Placed>& parts)
{
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    Interface_Static::SetCVal("write.step.unit", unit);
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(document->Main());
    Handle(XCAFDoc_ColorTool) colors = XCAFDoc_DocumentTool::ColorTool(document->Main());
    TDF_Label whole;
    if (parts.size() > 1) {
        whole = shapes->NewShape();
        TDataStd_Name::Set(whole, name);
    }
    for (const Placed& p : parts) {
        if (p.shape.IsNull()) return false;
        TDF_Label label = shapes->AddShape(p.shape, Standard_False);
        TDataStd_Name::Set(label, p.name);
        colors->SetColor(label, p.color, XCAFDoc_ColorSurf);
        gp_Trsf move;
        move.SetTranslation(p.at);
        if (!whole.IsNull()) shapes->AddComponent(whole, label, TopLoc_Location(move));
    }
    shapes->UpdateAssemblies();
    STEPCAFControl_Writer writer;
    if (!writer.Transfer(document)) return false;
    neutral_header(writer, name);
    std::string path = directory + "/" + name + ".step";
    return writer.Write(path.c_str()) == IFSelect_RetDone;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2) return std::fprintf(stderr, "usage: make_step DIRECTORY\n"), 2;
    Message::DefaultMessenger()->ChangePrinters().Clear();
    const Quantity_Color grey(0.6, 0.6, 0.6, Quantity_TOC_sRGB), red(1, 0, 0, Quantity_TOC_sRGB);
    const gp_Vec none(0, 0, 0);
    bool good = written(argv[1], "plate", "MM", {{"plate", plate(), none, grey}}) &&
                written(argv[1], "rounded-box", "MM", {{"rounded box", rounded(), none, grey}}) &&
                written(argv[1], "pulley", "MM", {{"pulley", pulley(), none, grey}}) &&
                written(argv[1], "turned-pulley", "MM", {{"turned pulley", turned_pulley(), none, grey}}) &&
                written(argv[1], "slab", "MM", {{"slab", slab(), none, grey}}) &&
                written(argv[1], "frustum-inch", "INCH", {{"frustum", frustum(), none, grey}}) &&
                written(argv[1], "pin-in-plate", "MM",
                        {{"plate", plate(), none, grey}, {"pin", pin(), gp_Vec(20, 20, -12), red}});
    if (!good) std::fprintf(stderr, "make_step: Open CASCADE did not write a file\n");
    return good ? 0 : 1;
}
