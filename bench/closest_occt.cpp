/* SPDX-License-Identifier: MIT */
/*
 * Open CASCADE: GeomAPI_ProjectPointOnSurf (orthogonal projections only: it knows no borders), and
 * BRepExtrema_DistShapeShape of a vertex and a face, or of two solids. Objects that can be kept from call to call are.
 */
#include "closest.h"
#include "peer_occt.hpp"

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GeomAPI_ProjectPointOnSurf.hxx>
#include <Geom_Parabola.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <TopExp_Explorer.hxx>
#include <TopLoc_Location.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <TopoDS_Vertex.hxx>
#include <gp_Ax1.hxx>
#include <gp_Ax2.hxx>
#include <gp_Quaternion.hxx>
#include <gp_Trsf.hxx>

#include <cmath>

namespace
{

closest_answer nothing()
{
    closest_answer a = {};
    a.upper = INFINITY;
    return a;
}

wit_vec3 from(const gp_Pnt& p)
{
    return {p.X(), p.Y(), p.Z()};
}

/* ---- point to surface ---- */

void* project_create(const wit_surface_def* def)
{
    GeomAPI_ProjectPointOnSurf* p = new GeomAPI_ProjectPointOnSurf;
    Handle(Geom_BSplineSurface) surface = occt_surface(def);
    double u0, u1, v0, v1;
    surface->Bounds(u0, u1, v0, v1);
    p->Init(surface, u0, u1, v0, v1, 1e-9);
    p->SetExtremaFlag(Extrema_ExtFlag_MIN);
    return p;
}

void project_destroy(void* self)
{
    delete static_cast<GeomAPI_ProjectPointOnSurf*>(self);
}

void project_query(void* self, wit_vec3 p, closest_answer* out)
{
    GeomAPI_ProjectPointOnSurf& tool = *static_cast<GeomAPI_ProjectPointOnSurf*>(self);
    *out = nothing();
    tool.Perform(gp_Pnt(p.x, p.y, p.z));
    if (!tool.IsDone() || tool.NbPoints() < 1) return;
    out->found = true;
    out->distance = tool.LowerDistance();
    out->a = from(tool.NearestPoint());
    out->b = p;
}

void* brep_create(const wit_surface_def* def)
{
    return new TopoDS_Face(BRepBuilderAPI_MakeFace(occt_surface(def), 1e-9).Face());
}

void brep_destroy(void* self)
{
    delete static_cast<TopoDS_Face*>(self);
}

void take(const BRepExtrema_DistShapeShape& tool, closest_answer* out)
{
    if (!tool.IsDone() || tool.NbSolution() < 1) return;
    out->found = true;
    out->distance = tool.Value();
    out->a = from(tool.PointOnShape1(1));
    out->b = from(tool.PointOnShape2(1));
    out->crossing = tool.InnerSolution();
}

void brep_query(void* self, wit_vec3 p, closest_answer* out)
{
    *out = nothing();
    TopoDS_Vertex vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(p.x, p.y, p.z)).Vertex();
    BRepExtrema_DistShapeShape tool(*static_cast<TopoDS_Face*>(self), vertex);
    take(tool, out);
}

/* ---- the pen and the bowl ---- */

struct bodies {
    TopoDS_Shape pen, bowl;
};

TopoDS_Shape turned(const BRepBuilderAPI_MakeWire& wire)
{
    TopoDS_Face half = BRepBuilderAPI_MakeFace(BRepBuilderAPI_MakeWire(wire).Wire(), true).Face();
    TopoDS_Shape solid = BRepPrimAPI_MakeRevol(half, gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0, 0, 1))).Shape();
    return TopExp_Explorer(solid, TopAbs_SHELL).Current();
}

TopoDS_Edge line(const gp_Pnt& a, const gp_Pnt& b)
{
    return BRepBuilderAPI_MakeEdge(a, b).Edge();
}

/*
 * Profiles in the x, z plane, turned: tip, cone, barrel, end; paraboloid x^2 = 4 z, sphere of radius 5 about (0, 0, 7). Shells
 * rather than solids, and a surface of revolution rather than a spline: that is what DistShapeShape is fastest with (as
 * solids it also throws for some poses).
 */
void* pair_create(const wit_body*, const wit_body*)
{
    bodies* b = new bodies;
    gp_Pnt tip(0, 0, 0), rim(0.5, 0, 1), shoulder(0.5, 0, 7), end(0, 0, 7);
    BRepBuilderAPI_MakeWire pen(line(tip, rim), line(rim, shoulder), line(shoulder, end), line(end, tip));
    b->pen = turned(pen);

    gp_Pnt bottom(0, 0, 0), edge(4, 0, 4), floor(0, 0, 2);
    /* The axis of the parabola along z, its ordinate along x: focal length 1. */
    Handle(Geom_Parabola) parabola = new Geom_Parabola(gp_Ax2(bottom, gp_Dir(0, 1, 0), gp_Dir(0, 0, 1)), 1);
    Handle(Geom_TrimmedCurve) outside = new Geom_TrimmedCurve(parabola, 0, 4);
    double s = std::sqrt(0.5);
    Handle(Geom_TrimmedCurve) inside = GC_MakeArcOfCircle(edge, gp_Pnt(5 * s, 0, 7 - 5 * s), floor);
    BRepBuilderAPI_MakeWire bowl(BRepBuilderAPI_MakeEdge(outside).Edge(), BRepBuilderAPI_MakeEdge(inside).Edge(),
                                 line(floor, bottom));
    b->bowl = turned(bowl);
    return b;
}

void pair_destroy(void* self)
{
    delete static_cast<bodies*>(self);
}

TopLoc_Location location(const wit_pose* pose)
{
    gp_Trsf t;
    t.SetRotation(gp_Quaternion(pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w));
    t.SetTranslationPart(gp_Vec(pose->position.x, pose->position.y, pose->position.z));
    return TopLoc_Location(t);
}

void pair_query(void* self, const wit_pose* pen, const wit_pose* bowl, closest_answer* out)
{
    const bodies* b = static_cast<bodies*>(self);
    *out = nothing();
    try {
        BRepExtrema_DistShapeShape tool(b->pen.Moved(location(pen)), b->bowl.Moved(location(bowl)));
        take(tool, out);
    } catch (const Standard_Failure&) { /* no answer */
    }
}

} // namespace

extern "C" {
const point_contestant point_project = {"Open CASCADE ProjectPointOnSurf", 5, project_create, project_destroy,
                                        project_query};
const point_contestant point_brep = {"Open CASCADE BRepExtrema", 20, brep_create, brep_destroy, brep_query};
const pair_contestant pair_brep = {"Open CASCADE BRepExtrema", 1, pair_create, pair_destroy, pair_query};
}
