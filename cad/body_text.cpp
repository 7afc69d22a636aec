// SPDX-License-Identifier: MIT
//
// Seams of closed surfaces and degenerate edges are left out: they are not features of a body.
#include "body_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <BRepTools.hxx>
#include <BRepTools_WireExplorer.hxx>
#include <BRep_TEdge.hxx>
#include <BRep_TVertex.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Precision.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_MapOfShape.hxx>
#include <TopoDS.hxx>

#include "text.h"

namespace cad
{
namespace
{

// A parameter curve further from its edge than this, relative to the body, is left to the library: what it makes lies on
// the surface below the edge. Between the two, the edge's own tolerance decides.
constexpr double CLOSE = 1e-8, CLOSE_MOST = 1e-6;
constexpr int SAMPLES = 40;

// As they are stored: Open CASCADE's own functions give no less than 1e-7, whatever the unit.
double tolerance_of(const TopoDS_Edge& edge)
{
    Handle(BRep_TEdge) e = Handle(BRep_TEdge)::DownCast(edge.TShape());
    return e.IsNull() ? 0 : e->Tolerance();
}

double tolerance_of(const TopoDS_Vertex& vertex)
{
    Handle(BRep_TVertex) v = Handle(BRep_TVertex)::DownCast(vertex.TShape());
    return v.IsNull() ? 0 : v->Tolerance();
}

TopoDS_Edge oriented(const TopoDS_Edge& edge, TopAbs_Orientation o)
{
    return TopoDS::Edge(edge.Oriented(o));
}

// The edges that a face passes twice. That Open CASCADE has two parameter curves of an edge on a surface is not enough:
// another face on the same surface may have the other one.
TopTools_MapOfShape passed_twice(const TopoDS_Face& face)
{
    TopTools_MapOfShape once, twice;
    for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next())
        if (!once.Add(e.Current())) twice.Add(e.Current());
    return twice;
}

// An edge that a face passes on both sides, along a line where the surface's parameter wraps.
bool is_seam(const TopoDS_Edge& edge, const TopoDS_Face& face, const Handle(Geom_Surface) & s,
             const TopTools_MapOfShape& twice)
{
    if (!twice.Contains(edge) || !BRep_Tool::IsClosed(edge, face)) return false;
    bool closed_u, closed_v;
    closed_directions(s, closed_u, closed_v);
    double lo, hi;
    Handle(Geom2d_Curve) a = BRep_Tool::CurveOnSurface(oriented(edge, TopAbs_FORWARD), face, lo, hi);
    Handle(Geom2d_Curve) b = BRep_Tool::CurveOnSurface(oriented(edge, TopAbs_REVERSED), face, lo, hi);
    if (a.IsNull() || b.IsNull()) return false;
    gp_Pnt2d p = a->Value(0.5 * (lo + hi)), q = b->Value(0.5 * (lo + hi));
    double du = std::fabs(p.X() - q.X()), dv = std::fabs(p.Y() - q.Y());
    double u0, u1, v0, v1;
    s->Bounds(u0, u1, v0, v1);
    bool along_u = du / (u1 - u0) > dv / (v1 - v0);
    return along_u ? closed_u : closed_v;
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

} // namespace

// Edges that some face uses. A vertex that only its own closed edge touches is where somebody began to draw, and no
// feature.
void BodyText::find_features(const TopoDS_Shape& shape)
{
    TopExp::MapShapes(shape, TopAbs_EDGE, shape_edges);
    TopExp::MapShapes(shape, TopAbs_VERTEX, shape_vertices);
    edge_ids.assign(static_cast<size_t>(shape_edges.Extent()), -1);
    vertex_ids.assign(static_cast<size_t>(shape_vertices.Extent()), -1);
    std::vector<bool> used(edge_ids.size(), false);
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) {
        TopoDS_Face face = TopoDS::Face(f.Current());
        Handle(Geom_Surface) s = BRep_Tool::Surface(face);
        TopTools_MapOfShape twice = passed_twice(face);
        for (TopExp_Explorer e(face, TopAbs_EDGE); e.More(); e.Next()) {
            TopoDS_Edge edge = TopoDS::Edge(e.Current());
            if (s.IsNull() || BRep_Tool::Degenerated(edge) || is_seam(edge, face, s, twice)) continue;
            used[static_cast<size_t>(shape_edges.FindIndex(edge)) - 1] = true;
        }
    }
    std::vector<int> ends(vertex_ids.size(), 0), rings(vertex_ids.size(), 0);
    for (size_t i = 0; i < used.size(); ++i) {
        if (!used[i]) continue;
        edge_ids[i] = static_cast<int>(kept.size());
        kept.push_back(TopoDS::Edge(shape_edges(static_cast<int>(i) + 1).Oriented(TopAbs_FORWARD)));
        TopoDS_Vertex a, b;
        TopExp::Vertices(kept.back(), a, b);
        if (a.IsNull() || b.IsNull()) continue;
        size_t from = static_cast<size_t>(shape_vertices.FindIndex(a)) - 1;
        size_t to = static_cast<size_t>(shape_vertices.FindIndex(b)) - 1;
        if (from == to) {
            rings[from]++;
        } else {
            ends[from]++;
            ends[to]++;
        }
    }
    for (size_t i = 0; i < vertex_ids.size(); ++i) {
        if (!ends[i] && rings[i] < 2) continue;
        TopoDS_Vertex v = TopoDS::Vertex(shape_vertices(static_cast<int>(i) + 1));
        vertex_ids[i] = static_cast<int>(points.size());
        points.push_back(BRep_Tool::Pnt(v));
        tolerance = std::fmax(tolerance, tolerance_of(v));
    }
}

bool BodyText::convert_edges(const Converted& converted, std::string& reason)
{
    Bnd_Box box;
    for (const gp_Pnt& p : points) box.Add(p);
    for (size_t k = 0; k < kept.size(); ++k) {
        EdgeText e;
        e.original = BRep_Tool::Curve(kept[k], e.lo, e.hi);
        if (!e.original.IsNull() && (Precision::IsInfinite(e.lo) || Precision::IsInfinite(e.hi))) {
            reason = "edge " + std::to_string(k) + " has no end";
            return false;
        }
        if (!e.original.IsNull()) {
            CurveText t = curve_text(converted, e.original, e.lo, e.hi);
            if (t.json.empty()) {
                reason = "edge " + std::to_string(k) + " can't be converted";
                return false;
            }
            e.kind = t.kind;
            e.curve = "\"curve\": " + t.json + ", \"range\": " + range_text(t.lo, t.hi);
            for (int i = 0; i <= SAMPLES; ++i) box.Add(e.original->Value(e.lo + (e.hi - e.lo) * i / SAMPLES));
        }
        e.tolerance = tolerance_of(kept[k]);
        tolerance = std::fmax(tolerance, e.tolerance);
        TopoDS_Vertex a, b;
        TopExp::Vertices(kept[k], a, b);
        int from = a.IsNull() ? -1 : vertex_ids[static_cast<size_t>(shape_vertices.FindIndex(a)) - 1];
        int to = b.IsNull() ? -1 : vertex_ids[static_cast<size_t>(shape_vertices.FindIndex(b)) - 1];
        if (from >= 0 && to >= 0) {
            e.start = from;
            e.end = to;
        }
        edges.push_back(e);
    }
    size = box.IsVoid() ? 0 : std::sqrt(box.SquareExtent());
    return true;
}

Use BodyText::use_of(const TopoDS_Edge& edge, const TopoDS_Face& face, const Handle(Geom_Surface) & s) const
{
    Use u;
    u.edge = edge_ids[static_cast<size_t>(shape_edges.FindIndex(edge)) - 1];
    u.reversed = edge.Orientation() == TopAbs_REVERSED;
    TopoDS_Vertex first, last;
    TopExp::Vertices(edge, first, last, Standard_True); // in the direction of the use
    u.from = first.IsNull() ? -1 : shape_vertices.FindIndex(first);
    u.to = last.IsNull() ? -1 : shape_vertices.FindIndex(last);
    const EdgeText& e = edges[static_cast<size_t>(u.edge)];
    u.needed = e.original.IsNull();
    double lo, hi;
    Handle(Geom2d_Curve) c = BRep_Tool::CurveOnSurface(edge, face, lo, hi);
    if (c.IsNull()) return u;
    CurveText t = parameter_curve_text(c, lo, hi);
    if (t.json.empty()) return u;
    u.curve = ", \"parameter_curve\": " + t.json + ", \"range\": " + range_text(t.lo, t.hi);
    for (int i = 0; !u.needed && i <= SAMPLES; ++i) {
        gp_Pnt2d uv = c->Value(lo + (hi - lo) * i / SAMPLES);
        gp_Pnt p = e.original->Value(e.lo + (e.hi - e.lo) * i / SAMPLES);
        u.off = std::fmax(u.off, s->Value(uv.X(), uv.Y()).Distance(p));
    }
    return u;
}

// The wire without its seams and degenerate edges: a seam cuts it into chains.
bool BodyText::add_wire(const TopoDS_Wire& wire, const TopoDS_Face& face, FaceText& out)
{
    std::vector<std::vector<Use>> found(1);
    TopTools_MapOfShape twice = passed_twice(face);
    bool cut = false;
    int total = 0, walked = 0;
    for (TopExp_Explorer e(wire, TopAbs_EDGE); e.More(); e.Next()) total++;
    for (BRepTools_WireExplorer e(wire, face); e.More(); e.Next()) {
        walked++;
        TopoDS_Edge edge = e.Current();
        if (BRep_Tool::Degenerated(edge)) continue;
        if (is_seam(edge, face, out.original, twice)) {
            cut = true;
            if (!found.back().empty()) found.emplace_back();
            continue;
        }
        found.back().push_back(use_of(edge, face, out.original));
    }
    if (walked != total) return false;
    if (found.back().empty()) found.pop_back();
    // What stands before the first seam goes on from what stands after the last one.
    if (cut && found.size() > 1 && found.back().back().to == found.front().front().from &&
        found.back().front().from != found.back().back().to) {
        found.back().insert(found.back().end(), found.front().begin(), found.front().end());
        found.erase(found.begin());
    }
    for (auto& c : found) out.loops.push_back(c);
    return true;
}

bool BodyText::convert_face(const TopoDS_Face& given, const Converted& converted, FaceText& out, std::string& reason)
{
    TopoDS_Face face = TopoDS::Face(given.Oriented(TopAbs_FORWARD));
    out.original = BRep_Tool::Surface(face);
    if (out.original.IsNull()) {
        reason = "it has no surface: facets only";
        return false;
    }
    BRepTools::UVBounds(face, out.bounds.u0, out.bounds.u1, out.bounds.v0, out.bounds.v1);
    for (double x : {out.bounds.u0, out.bounds.u1, out.bounds.v0, out.bounds.v1})
        if (Precision::IsInfinite(x)) {
            reason = "it has no end: no loop bounds it";
            return false;
        }
    SurfaceText surface = surface_text(converted, out.original, out.bounds);
    if (surface.json.empty()) {
        reason =
            out.original->IsKind(STANDARD_TYPE(Geom_ToroidalSurface))
                ? "its torus is wider than its ring, and the face runs through the axis, where the torus meets itself"
                : std::string("its surface, a ") + out.original->DynamicType()->Name() + ", can't be converted";
        return false;
    }
    out.surface = surface.json;
    out.kind = surface.kind;
    out.reversed = given.Orientation() == TopAbs_REVERSED;
    for (TopExp_Explorer w(face, TopAbs_WIRE); w.More(); w.Next())
        if (!add_wire(TopoDS::Wire(w.Current()), face, out)) {
            reason = "a wire of it does not hang together";
            return false;
        }
    join_chains(out.loops);
    mark_uses(face, out);
    return true;
}

// Edges that the face passes twice, once each way, cancel.
void BodyText::mark_uses(const TopoDS_Face& face, FaceText& out) const
{
    std::map<int, int> said;
    size_t k = 0;
    for (TopExp_Explorer e(face, TopAbs_EDGE); e.More() && k < out.said.uses.size(); e.Next(), ++k)
        said[edge_ids[static_cast<size_t>(shape_edges.FindIndex(e.Current())) - 1]] += out.said.uses[k];
    for (auto& loop : out.loops)
        for (Use& u : loop) u.said = said[u.edge];
}

bool BodyText::convert(const Part& part, Problems& problems, wit_cad_report& report, std::string& reason)
{
    solid = part.shape.ShapeType() == TopAbs_SOLID;
    std::string where = "body '" + part.name + "'";
    Converted converted = [&](const std::string& what, double error) {
        report.converted++;
        report.conversion_error = std::fmax(report.conversion_error, error);
        surface_error = std::fmax(surface_error, error);
        char text[160];
        std::snprintf(text, sizeof text, "%s became a B-spline, error seen %.3g", what.c_str(), error);
        problems.add(false, where, text);
    };
    find_features(part.shape);
    if (!convert_edges(converted, reason)) return false;
    for (TopExp_Explorer f(part.shape, TopAbs_FACE); f.More(); f.Next()) {
        FaceText face;
        size_t k = faces.size();
        if (k < part.face_entities.size()) face.entity = part.face_entities[k];
        if (k < part.face_colors.size()) face.color = part.face_colors[k];
        if (k < part.statements.size()) face.said = part.statements[k];
        std::string entity = face.entity.empty() ? "face " + std::to_string(k) : face.entity;
        where = "body '" + part.name + "', " + entity;
        if (!convert_face(TopoDS::Face(f.Current()), converted, face, reason)) {
            reason = entity + ": " + reason;
            return false;
        }
        faces.push_back(face);
    }
    return true;
}

namespace
{

using Loop = std::vector<Use>;

// What the file says of a loop: 1 as it is, -1 the other way round, 0 nothing, 2 both.
int statement_of(const Loop& loop)
{
    bool same = false, turned = false;
    for (const Use& u : loop) {
        same = same || u.said > 0;
        turned = turned || u.said < 0;
    }
    return same && turned ? 2 : same ? 1 : turned ? -1 : 0;
}

void turn(Loop& loop)
{
    std::reverse(loop.begin(), loop.end());
    for (Use& u : loop) {
        u.reversed = !u.reversed;
        u.said = -u.said;
        std::swap(u.from, u.to);
    }
}

} // namespace

int BodyText::differing(int* which, int* contradicts) const
{
    int n = 0;
    *which = *contradicts = -1;
    for (size_t k = 0; k < faces.size(); ++k) {
        const FaceText& f = faces[k];
        bool differs = f.said.known && f.said.reversed != f.reversed;
        for (const Loop& loop : f.loops) {
            int said = statement_of(loop);
            if (said == 2 && *contradicts < 0) *contradicts = static_cast<int>(k);
            differs = differs || said == -1;
        }
        if (differs && !n++) *which = static_cast<int>(k);
    }
    return n;
}

void BodyText::take_statement()
{
    for (FaceText& f : faces) {
        for (Loop& loop : f.loops)
            if (statement_of(loop) == -1) turn(loop);
        if (f.said.known) f.reversed = f.said.reversed;
    }
}

void BodyText::turn_over()
{
    for (FaceText& f : faces) f.reversed = !f.reversed;
}

std::string BodyText::face_name(int face) const
{
    const std::string& entity = faces[static_cast<size_t>(face)].entity;
    return entity.empty() ? "face " + std::to_string(face) : entity;
}

bool BodyText::taken(const FaceText& face, const Use& use) const
{
    if (use.curve.empty()) return false;
    if (use.needed) return true;
    // On a plane the library's is the edge itself, exactly; Open CASCADE's circles become splines when it scales them.
    if (face.take == Take::close && face.kind == WIT_SURFACE_PLANE) return false;
    return face.take == Take::all || (face.take == Take::close && is_near(use));
}

bool BodyText::is_near(const Use& use) const
{
    double edge = edges[static_cast<size_t>(use.edge)].tolerance;
    return use.off <= std::fmax(CLOSE * size, std::fmin(CLOSE_MOST * size, edge));
}

int BodyText::parameter_curves() const
{
    int n = 0;
    for (const FaceText& f : faces)
        for (const auto& loop : f.loops)
            for (const Use& u : loop) n += taken(f, u);
    return n;
}

std::string BodyText::json(int only) const
{
    auto wanted = [&](size_t f) { return only < 0 || static_cast<size_t>(only) == f; };
    std::vector<int> edge_number(edges.size(), only < 0 ? 0 : -1), point_number(points.size(), only < 0 ? 0 : -1);
    for (size_t f = 0; f < faces.size(); ++f)
        for (const auto& loop : faces[f].loops)
            for (const Use& u : loop)
                if (wanted(f)) edge_number[static_cast<size_t>(u.edge)] = 0;
    std::string edge_list, point_list, face_list;
    int count = 0;
    for (size_t k = 0; k < edges.size(); ++k) {
        if (edge_number[k] < 0) continue;
        edge_number[k] = count++;
        if (edges[k].start >= 0) point_number[static_cast<size_t>(edges[k].start)] = 0;
        if (edges[k].end >= 0) point_number[static_cast<size_t>(edges[k].end)] = 0;
    }
    count = 0;
    for (size_t k = 0; k < points.size(); ++k) {
        if (point_number[k] < 0) continue;
        point_number[k] = count++;
        point_list += (point_list.empty() ? "\n      " : ",\n      ") + std::string("{\"point\": ") +
                      vector_text(points[k].X(), points[k].Y(), points[k].Z()) + "}";
    }
    for (size_t k = 0; k < edges.size(); ++k) {
        const EdgeText& e = edges[k];
        if (edge_number[k] < 0) continue;
        edge_list += (edge_list.empty() ? "\n      {" : ",\n      {") + e.curve;
        if (e.start >= 0)
            edge_list += std::string(e.curve.empty() ? "" : ", ") +
                         "\"start\": " + std::to_string(point_number[static_cast<size_t>(e.start)]) +
                         ", \"end\": " + std::to_string(point_number[static_cast<size_t>(e.end)]);
        edge_list += "}";
    }
    for (size_t f = 0; f < faces.size(); ++f) {
        const FaceText& face = faces[f];
        if (!wanted(f)) continue;
        face_list += (face_list.empty() ? "\n      " : ",\n      ") + std::string("{\"surface\": ") + face.surface;
        const double* c = face.color.rgb;
        if (face.color.given) face_list += ", \"color\": " + vector_text(c[0], c[1], c[2]);
        if (face.reversed) face_list += ", \"reversed\": true";
        if (!face.loops.empty()) face_list += ", \"loops\": [";
        for (const auto& loop : face.loops) {
            face_list += &loop == &face.loops.front() ? "\n        [" : ",\n        [";
            for (const Use& u : loop) {
                face_list += (&u == &loop.front() ? "{\"edge\": " : ", {\"edge\": ") +
                             std::to_string(edge_number[static_cast<size_t>(u.edge)]);
                if (u.reversed) face_list += ", \"reversed\": true";
                if (taken(face, u)) face_list += u.curve;
                face_list += "}";
            }
            face_list += "]";
        }
        face_list += face.loops.empty() ? "}" : "\n      ]}";
    }
    std::string r = "{\"kind\": " + std::string(solid && only < 0 ? "\"solid\"" : "\"sheet2\"");
    if (close > 0) r += ", \"close_tolerance\": " + number(close);
    // Seen on a grid: what lies between is taken to be no worse than twice that.
    if (surface_error > 0) r += ", \"shape_tolerance\": " + number(2 * surface_error);
    if (!point_list.empty()) r += ",\n    \"vertices\": [" + point_list + "\n    ]";
    if (!edge_list.empty()) r += ",\n    \"edges\": [" + edge_list + "\n    ]";
    return r + ",\n    \"faces\": [" + face_list + "\n    ]}";
}

} // namespace cad
