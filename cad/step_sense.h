// SPDX-License-Identifier: MIT
// What a STEP file itself says of the sense of its faces and loops. Open CASCADE's healing may turn a loop round on a closed
// surface: the face is then all that it was not.
#ifndef CAD_STEP_SENSE_H
#define CAD_STEP_SENSE_H

#include <map>
#include <set>

#include <StepShape_EdgeCurve.hxx>
#include <StepShape_FaceSurface.hxx>
#include <TopoDS_Face.hxx>
#include <XSControl_WorkSession.hxx>

#include "import.h"

namespace cad
{

class StepSense
{
  public:
    StepSense() = default;
    explicit StepSense(const Handle(XSControl_WorkSession) & session);
    // By the face as it was read, with its edges.
    FaceStatement of(const TopoDS_Face& face) const;

  private:
    void add_void(const Handle(Standard_Transient) & shell);
    std::map<const Standard_Transient*, Handle(StepShape_FaceSurface)> faces; // by TShape
    std::map<const Standard_Transient*, Handle(StepShape_EdgeCurve)> edges;
    std::set<const Standard_Transient*> turned; // faces of shells that are used in the other sense, as voids are
};

} // namespace cad

#endif
