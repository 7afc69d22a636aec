// SPDX-License-Identifier: MIT
// One body of Open CASCADE as features in text, from which the body, or one face of it, is put together.
#ifndef CAD_BODY_TEXT_H
#define CAD_BODY_TEXT_H

#include <string>
#include <vector>

#include <Geom_Curve.hxx>
#include <Geom_Surface.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Wire.hxx>

#include "import.h"
#include "shape_text.h"

namespace cad
{

// A use of an edge in a loop, in the direction of the loop.
struct Use {
    int edge = -1; // of the body
    bool reversed = false;
    int from = -1, to = -1; // vertices of the shape, in the direction of the loop
    std::string curve;      // the parameter curve with its range; empty: none
    double off = 0;         // largest distance seen between the lifted parameter curve and the edge
    bool needed = false;    // the edge has no curve of its own
    int said = 0;           // of the file: 1 it is passed so, -1 the other way round, 0 nothing
};

struct EdgeText {
    std::string curve; // with its range; may be empty
    int start = -1, end = -1;
    double tolerance = 0;
    wit_curve_kind kind = WIT_CURVE_NURBS;
    Handle(Geom_Curve) original;
    double lo = 0, hi = 0;
};

// Which parameter curves of a face are taken over. The others are made by the library from the edges.
enum class Take { close, all, none };

struct FaceText {
    std::string surface;
    wit_surface_kind kind = WIT_SURFACE_NURBS;
    bool reversed = false;
    std::vector<std::vector<Use>> loops;
    Color color;
    std::string entity;
    Take take = Take::close;
    FaceStatement said;
    Handle(Geom_Surface) original;
    Bounds bounds{};
};

class BodyText
{
  public:
    // Converts the part; what had to become a B-spline is counted in the report and listed. False: `reason`.
    bool convert(const Part& part, Problems& problems, wit_cad_report& report, std::string& reason);

    // The body without its name: {"kind": ..., ...}. `face` -1: all of it; else that face alone, as a sheet.
    std::string json(int face) const;
    // The parameter curves that json(-1) has.
    int parameter_curves() const;
    bool taken(const FaceText& face, const Use& use) const;
    // The parameter curve that was read lies along its edge.
    bool is_near(const Use& use) const;
    // Faces that lie otherwise than the file says; the first of them in *which, of those that contradict themselves in
    // *contradicts (-1: none). take_statement then makes them as the file says.
    int differing(int* which, int* contradicts) const;
    void take_statement();
    // All faces the other side out.
    void turn_over();
    // A solid without volume is a sheet of two sides.
    void make_sheet()
    {
        solid = false;
    }
    bool is_solid() const
    {
        return solid;
    }
    // How messages call a face.
    std::string face_name(int face) const;

    std::vector<EdgeText> edges;
    std::vector<FaceText> faces;
    std::vector<gp_Pnt> points; // vertices
    double tolerance = 0;       // the largest of edges and vertices
    double size = 0;            // diagonal of the box of all vertices and samples of edges
    double close = 0;           // within which loops must close and edges lie on their faces
    double surface_error = 0;   // the largest that was seen where a surface was approximated

  private:
    void find_features(const TopoDS_Shape& shape);
    bool convert_edges(const Converted& converted, std::string& reason);
    bool convert_face(const TopoDS_Face& face, const Converted& converted, FaceText& out, std::string& reason);
    bool add_wire(const TopoDS_Wire& wire, const TopoDS_Face& face, FaceText& out);
    void mark_uses(const TopoDS_Face& face, FaceText& out) const;
    Use use_of(const TopoDS_Edge& edge, const TopoDS_Face& face, const Handle(Geom_Surface) & s) const;

    bool solid = false;
    TopTools_IndexedMapOfShape shape_edges, shape_vertices;
    std::vector<int> edge_ids, vertex_ids; // of the body, by index in the maps; -1: not a feature
    std::vector<TopoDS_Edge> kept;         // by id
};

} // namespace cad

#endif
