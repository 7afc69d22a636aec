// SPDX-License-Identifier: MIT
// From a document of Open CASCADE, or a bare shape, to parts with names, places and colours.
#include <cmath>

#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepBndLib.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Quantity_Color.hxx>
#include <ShapeAnalysis_ShapeTolerance.hxx>
#include <ShapeFix_Solid.hxx>
#include <TDF_Label.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_TShape.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include "read.h"
#include "text.h"

namespace cad
{
namespace
{

std::string label_name(const TDF_Label& label)
{
    Handle(TDataStd_Name) n;
    if (!label.FindAttribute(TDataStd_Name::GetID(), n)) return "";
    std::vector<char> bytes(static_cast<size_t>(n->Get().LengthOfCString()) + 1, 0);
    Standard_PCharacter p = bytes.data();
    n->Get().ToUTF8CString(p);
    return bytes.data();
}

// Names that programs give when nobody gave one.
bool is_generic(const std::string& name)
{
    for (const char* n : {"", "Document", "SOLID", "SHELL", "COMPOUND", "COMPSOLID", "FACE", "ASSEMBLY", "NONE",
                          "Unnamed", "unnamed", "Part", "PRODUCT"})
        if (name == n) return true;
    return name.rfind("Open CASCADE", 0) == 0 || name.rfind("=>", 0) == 0;
}

Color color_of(const Handle(XCAFDoc_ColorTool) & colors, const TDF_Label& label)
{
    Color r;
    Quantity_Color c;
    if (!colors->GetColor(label, XCAFDoc_ColorSurf, c) && !colors->GetColor(label, XCAFDoc_ColorGen, c)) return r;
    r.given = true;
    c.Values(r.rgb[0], r.rgb[1], r.rgb[2], Quantity_TOC_sRGB);                                 // as in the file
    for (double& x : r.rgb) x = std::fmin(1.0, std::fmax(0.0, std::nearbyint(x * 1e6) / 1e6)); // it was a float
    return r;
}

using ColorMap = std::map<const Standard_Transient*, Color>;

// What the walk through a document carries along.
struct Walk {
    Handle(XCAFDoc_ColorTool) colors;
    const Origins& origins;
    std::string file_name;
    Problems& problems;
    std::vector<Part>& out;
};

void face_details(Part& part, const Origins& origins, const ColorMap& sub_colors)
{
    bool any = false;
    for (TopExp_Explorer f(part.shape, TopAbs_FACE); f.More(); f.Next()) {
        const Origins::Origin* o = origins.find(f.Current());
        part.face_entities.push_back(o ? o->entity : "");
        part.statements.push_back(origins.statement(f.Current()));
        auto c = sub_colors.find(f.Current().TShape().get());
        part.face_colors.push_back(c == sub_colors.end() ? Color() : c->second);
        any = any || part.face_colors.back().given;
    }
    if (!any) part.face_colors.clear();
}

void add_part(const TopoDS_Shape& shape, const Part& like, const Origins& origins, const ColorMap& sub_colors,
              bool several, std::vector<Part>& out)
{
    Part p = like;
    p.shape = shape;
    if (const Origins::Origin* o = origins.find(shape)) {
        p.entity = o->entity;
        if (!is_generic(o->name) && (several || is_generic(p.name))) p.name = o->name;
    }
    auto c = sub_colors.find(shape.TShape().get());
    if (c != sub_colors.end()) p.color = c->second;
    face_details(p, origins, sub_colors);
    out.push_back(p);
}

int faces_in(const TopoDS_Shape& shape)
{
    int n = 0;
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) n++;
    return n;
}

// Loose faces are sewn along borders that coincide within their tolerances. A shell that closes is a solid; what stays
// loose is one body. Colours and entities are those of the faces before.
void add_loose(const std::vector<TopoDS_Shape>& faces, const Part& like, const Origins& origins, const ColorMap& colors,
               Problems& problems, std::vector<Part>& out)
{
    if (faces.empty()) return;
    TopoDS_Compound all;
    BRep_Builder builder;
    builder.MakeCompound(all);
    Bnd_Box box;
    for (const TopoDS_Shape& f : faces) builder.Add(all, f);
    BRepBndLib::Add(all, box);
    double size = box.IsVoid() ? 0 : std::sqrt(box.SquareExtent());
    double tolerance = std::fmax(1e-7 * size, ShapeAnalysis_ShapeTolerance().Tolerance(all, 1));
    BRepBuilderAPI_Sewing sewing(tolerance);
    sewing.Add(all);
    sewing.Perform();
    bool whole = !sewing.SewedShape().IsNull() && faces_in(sewing.SewedShape()) == static_cast<int>(faces.size());
    TopoDS_Shape sewn = whole ? sewing.SewedShape() : all;
    if (faces.size() == 1) { // a face that closes by itself
        TopoDS_Shell shell;
        builder.MakeShell(shell);
        builder.Add(shell, whole && sewn.ShapeType() == TopAbs_FACE ? sewn : faces[0]);
        if (BRep_Tool::IsClosed(shell)) sewn = shell;
    }
    int shells = 0, solids = 0;
    for (TopExp_Explorer e(sewn, TopAbs_SHELL); e.More(); e.Next(), ++shells) {
        TopoDS_Shape body = e.Current();
        if (BRep_Tool::IsClosed(body)) {
            ShapeFix_Solid fix;
            TopoDS_Solid solid = fix.SolidFromShell(TopoDS::Shell(body));
            if (!solid.IsNull()) {
                body = solid;
                solids++;
            }
        }
        add_part(body, like, origins, colors, false, out);
    }
    TopoDS_Compound rest;
    builder.MakeCompound(rest);
    int loose = 0;
    for (TopExp_Explorer e(sewn, TopAbs_FACE, TopAbs_SHELL); e.More(); e.Next(), ++loose)
        builder.Add(rest, e.Current());
    if (loose) add_part(rest, like, origins, colors, false, out);
    if (faces.size() > 1)
        problems.add(false, "body '" + like.name + "'",
                     count_of(static_cast<long>(faces.size()), "loose face") + " sewn: " + count_of(shells, "shell") +
                         ", " + std::to_string(solids) + " of them closed; " + count_of(loose, "face") +
                         " still loose");
}

void add_bodies(const TopoDS_Shape& shape, const Part& like, const Origins& origins, const ColorMap& colors,
                Problems& problems, std::vector<Part>& out)
{
    if (shape.IsNull()) return;
    std::vector<TopoDS_Shape> bodies, loose;
    for (TopExp_Explorer e(shape, TopAbs_SOLID); e.More(); e.Next()) bodies.push_back(e.Current());
    for (TopExp_Explorer e(shape, TopAbs_SHELL, TopAbs_SOLID); e.More(); e.Next()) bodies.push_back(e.Current());
    for (TopExp_Explorer e(shape, TopAbs_FACE, TopAbs_SHELL); e.More(); e.Next()) loose.push_back(e.Current());
    for (const TopoDS_Shape& b : bodies) {
        const Origins::Origin* o = origins.find(b);
        if (faces_in(b))
            add_part(b, like, origins, colors, bodies.size() > 1, out);
        else
            problems.add(true, o ? o->entity : "body '" + like.name + "'", "no face of it has a surface: facets only");
    }
    add_loose(loose, like, origins, colors, problems, out);
}

// A place that is no rigid motion is worked into the shape.
void set_place(const gp_Trsf& place, TopoDS_Shape& shape, Part& p)
{
    if (std::fabs(place.ScaleFactor() - 1) < 1e-12 && !place.IsNegative()) {
        p.place = place;
        return;
    }
    shape = BRepBuilderAPI_Transform(shape, place, Standard_True).Shape();
}

void walk(Walk& w, const TDF_Label& label, const gp_Trsf& place, const std::string& name, Color color, int depth)
{
    if (depth > 64) return; // an assembly that contains itself
    std::string own = label_name(label), best = is_generic(own) ? name : own;
    Color mine = color_of(w.colors, label);
    if (color.given) mine = color;
    if (XCAFDoc_ShapeTool::IsAssembly(label)) {
        TDF_LabelSequence parts;
        XCAFDoc_ShapeTool::GetComponents(label, parts);
        for (int i = 1; i <= parts.Length(); ++i) {
            TDF_Label referred;
            if (!XCAFDoc_ShapeTool::GetReferredShape(parts.Value(i), referred)) continue;
            std::string instance = label_name(parts.Value(i));
            gp_Trsf inner = place * XCAFDoc_ShapeTool::GetLocation(parts.Value(i)).Transformation();
            Color given = color_of(w.colors, parts.Value(i));
            walk(w, referred, inner, is_generic(instance) ? best : instance, given.given ? given : mine, depth + 1);
        }
        return;
    }
    Part p;
    p.name = is_generic(best) ? w.file_name : best;
    p.color = mine;
    TopoDS_Shape shape = XCAFDoc_ShapeTool::GetShape(label);
    if (shape.IsNull()) return;
    ColorMap sub_colors;
    TDF_LabelSequence subs;
    XCAFDoc_ShapeTool::GetSubShapes(label, subs);
    for (int i = 1; i <= subs.Length(); ++i) {
        Color c = color_of(w.colors, subs.Value(i));
        TopoDS_Shape sub = XCAFDoc_ShapeTool::GetShape(subs.Value(i));
        if (c.given && !sub.IsNull()) sub_colors[sub.TShape().get()] = c;
    }
    set_place(place, shape, p);
    size_t before = w.out.size();
    add_bodies(shape, p, w.origins, sub_colors, w.problems, w.out);
    // A name that no file gave: the entity's own, if it has one, was taken before the file's.
    for (size_t i = before; i < w.out.size(); ++i) {
        const Origins::Origin* o = w.origins.find(w.out[i].shape);
        if (is_generic(best) && o && !is_generic(o->name)) w.out[i].name = o->name;
    }
}

} // namespace

void collect_parts(const Handle(TDocStd_Document) & document, const Origins& origins, const std::string& file_name,
                   Problems& problems, std::vector<Part>& out)
{
    TDF_LabelSequence roots;
    XCAFDoc_DocumentTool::ShapeTool(document->Main())->GetFreeShapes(roots);
    Walk w{XCAFDoc_DocumentTool::ColorTool(document->Main()), origins, file_name, problems, out};
    for (int i = 1; i <= roots.Length(); ++i) walk(w, roots.Value(i), gp_Trsf(), "", Color(), 0);
}

void collect_shape(const TopoDS_Shape& shape, const Part& like, const Origins& origins, Problems& problems,
                   std::vector<Part>& out)
{
    add_bodies(shape, like, origins, ColorMap(), problems, out);
}

} // namespace cad
