// SPDX-License-Identifier: MIT
// Helpers of the reader: units, silence, and where in the file a shape comes from.
#ifndef CAD_READ_H
#define CAD_READ_H

#include <map>
#include <sstream>
#include <string>

#include <Message_Messenger.hxx>
#include <Message_SequenceOfPrinters.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Shape.hxx>
#include <XSControl_WorkSession.hxx>

#include "import.h"
#include "step_sense.h"

namespace cad
{

wit_unit unit_named(std::string name); // as files call it: "INCH", "MILLIMETRE"
const char* cascade_unit(wit_unit unit);

// While it lives, Open CASCADE prints nothing; what it would have printed of failures is kept. It also restores the unit
// that Open CASCADE converts to.
class Quiet
{
  public:
    Quiet();
    ~Quiet();
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;
    std::string first_failure() const; // "" if there was none

  private:
    Message_SequenceOfPrinters printers;
    Handle(Message_Printer) collector;
    std::ostringstream swallowed; // parts of Open CASCADE write to the streams of C++
    std::streambuf *out, *err;
    std::string unit;
};

// Where in the file a shape comes from.
class Origins
{
  public:
    Origins() = default;
    explicit Origins(const Handle(XSControl_WorkSession) & session);
    struct Origin {
        std::string entity; // "#123 ADVANCED_FACE"
        std::string name;   // that the entity carries
    };
    // Null where it is not known.
    const Origin* find(const TopoDS_Shape& shape) const;
    FaceStatement statement(const TopoDS_Shape& face) const;

  private:
    std::map<const Standard_Transient*, Origin> map;
    StepSense sense;
};

// "#123 ADVANCED_FACE"
std::string entity_name(const Handle(XSControl_WorkSession) & session, const Handle(Standard_Transient) & entity);
// What the reader said of the file's statements, as notes; returns the first failure.
std::string note_check(const Handle(XSControl_WorkSession) & session, Problems& problems);
// Faces and solids of the file from which no shape was made, and facets, which are not read.
void note_lost(const Handle(XSControl_WorkSession) & session, Problems& problems);

// The solids of a document; shells that belong to none; loose faces, sewn where they meet.
void collect_parts(const Handle(TDocStd_Document) & document, const Origins& origins, const std::string& file_name,
                   Problems& problems, std::vector<Part>& out);
void collect_shape(const TopoDS_Shape& shape, const Part& like, const Origins& origins, Problems& problems,
                   std::vector<Part>& out);

} // namespace cad

#endif
