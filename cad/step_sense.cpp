// SPDX-License-Identifier: MIT
#include "step_sense.h"

#include <Interface_InterfaceModel.hxx>
#include <StepShape_BrepWithVoids.hxx>
#include <StepShape_ClosedShell.hxx>
#include <StepShape_EdgeLoop.hxx>
#include <StepShape_FaceBound.hxx>
#include <StepShape_HArray1OfFace.hxx>
#include <StepShape_HArray1OfOrientedClosedShell.hxx>
#include <StepShape_OrientedClosedShell.hxx>
#include <StepShape_OrientedEdge.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>

namespace cad
{

void StepSense::add_void(const Handle(Standard_Transient) & shell)
{
    Handle(StepShape_OrientedClosedShell) oriented = Handle(StepShape_OrientedClosedShell)::DownCast(shell);
    if (oriented.IsNull() || oriented->Orientation() || oriented->ClosedShellElement().IsNull()) return;
    Handle(StepShape_ClosedShell) inner = oriented->ClosedShellElement();
    for (int i = 1; i <= inner->NbCfsFaces(); ++i) turned.insert(inner->CfsFacesValue(i).get());
}

StepSense::StepSense(const Handle(XSControl_WorkSession) & session)
{
    Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
    for (int i = 1; !process.IsNull() && i <= process->NbMapped(); ++i) {
        Handle(Standard_Transient) entity = process->Mapped(i);
        Handle(StepShape_FaceSurface) face = Handle(StepShape_FaceSurface)::DownCast(entity);
        Handle(StepShape_EdgeCurve) edge = Handle(StepShape_EdgeCurve)::DownCast(entity);
        if (face.IsNull() && edge.IsNull()) continue;
        TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
        if (shape.IsNull()) continue;
        if (!face.IsNull()) faces.emplace(shape.TShape().get(), face);
        if (!edge.IsNull()) edges.emplace(shape.TShape().get(), edge);
    }
    for (int i = 1; i <= session->NbStartingEntities(); ++i) {
        Handle(StepShape_BrepWithVoids) solid = Handle(StepShape_BrepWithVoids)::DownCast(session->StartingEntity(i));
        for (int k = 1; !solid.IsNull() && k <= solid->NbVoids(); ++k) add_void(solid->VoidsValue(k));
    }
}

namespace
{

enum { ALONG = 1, AGAINST = 2 };

/*
 * How the face's loops pass each edge, seen along its curve with the surface's own normal upwards. An oriented edge goes
 * along the curve if its flag and the edge's same_sense are equal; a bound of orientation .F. and a face of same_sense .F. turn
 * that round, each once.
 */
std::map<const Standard_Transient*, int> passages_of(const Handle(StepShape_FaceSurface) & face)
{
    std::map<const Standard_Transient*, int> found;
    for (int b = 1; b <= face->NbBounds(); ++b) {
        Handle(StepShape_FaceBound) bound = face->BoundsValue(b);
        Handle(StepShape_EdgeLoop) loop;
        if (!bound.IsNull()) loop = Handle(StepShape_EdgeLoop)::DownCast(bound->Bound());
        for (int k = 1; !loop.IsNull() && k <= loop->NbEdgeList(); ++k) {
            Handle(StepShape_OrientedEdge) use = loop->EdgeListValue(k);
            Handle(StepShape_EdgeCurve) edge;
            if (!use.IsNull()) edge = Handle(StepShape_EdgeCurve)::DownCast(use->EdgeElement());
            if (edge.IsNull()) continue;
            bool along = use->Orientation() == edge->SameSense();
            if (!bound->Orientation()) along = !along;
            if (!face->SameSense()) along = !along;
            found[edge.get()] |= along ? ALONG : AGAINST;
        }
    }
    return found;
}

} // namespace

FaceStatement StepSense::of(const TopoDS_Face& as_read) const
{
    FaceStatement r;
    auto known = faces.find(as_read.TShape().get());
    if (known == faces.end()) return r;
    r.known = true;
    r.reversed = !known->second->SameSense() != (turned.count(known->second.get()) > 0);
    std::map<const Standard_Transient*, int> said = passages_of(known->second);
    for (TopExp_Explorer e(as_read.Oriented(TopAbs_FORWARD), TopAbs_EDGE); e.More(); e.Next()) {
        auto edge = edges.find(e.Current().TShape().get());
        auto use = edge == edges.end() ? said.end() : said.find(edge->second.get());
        bool told = use != said.end() && use->second != (ALONG | AGAINST); // a seam says nothing
        bool along = e.Current().Orientation() == TopAbs_FORWARD;
        r.uses.push_back(static_cast<signed char>(!told ? 0 : along == (use->second == ALONG) ? 1 : -1));
    }
    return r;
}

} // namespace cad
