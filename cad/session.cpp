// SPDX-License-Identifier: MIT
#include <cctype>
#include <iostream>
#include <vector>

#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Interface_InterfaceModel.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Printer.hxx>
#include <StepData_StepModel.hxx>
#include <StepRepr_RepresentationItem.hxx>
#include <StepSelect_StepType.hxx>
#include <StepShape_FaceSurface.hxx>
#include <StepShape_SolidModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopoDS.hxx>
#include <TopoDS_TShape.hxx>
#include <TransferBRep.hxx>
#include <Transfer_Binder.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>

#include "read.h"

namespace cad
{

// ---- units -----------------------------------------------------------------------------------------------------------

namespace
{
struct UnitName {
    wit_unit unit;
    const char* cascade; // what Open CASCADE calls it
    std::vector<const char*> in_files;
};

const std::vector<UnitName>& unit_names()
{
    static const std::vector<UnitName> names = {
        {WIT_UNIT_M, "M", {"M", "METRE", "METER"}},
        {WIT_UNIT_CM, "CM", {"CM", "CENTIMETRE", "CENTIMETER"}},
        {WIT_UNIT_MM, "MM", {"MM", "MILLIMETRE", "MILLIMETER"}},
        {WIT_UNIT_UM, "UM", {"UM", "MICROMETRE", "MICROMETER", "MICRON"}},
        {WIT_UNIT_IN, "INCH", {"IN", "INCH", "INCHES"}},
        {WIT_UNIT_FT, "FT", {"FT", "FOOT", "FEET"}},
    };
    return names;
}
} // namespace

wit_unit unit_named(std::string name)
{
    for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (const UnitName& u : unit_names())
        for (const char* n : u.in_files)
            if (name == n) return u.unit;
    return WIT_UNIT_NONE;
}

const char* cascade_unit(wit_unit unit)
{
    for (const UnitName& u : unit_names())
        if (u.unit == unit) return u.cascade;
    return "MM";
}

// ---- silence ---------------------------------------------------------------------------------------------------------

namespace
{
class Collector : public Message_Printer
{
  public:
    mutable std::string failure;

  protected:
    void send(const TCollection_AsciiString& text, const Message_Gravity gravity) const override
    {
        if (gravity < Message_Fail || !failure.empty()) return;
        failure = text.ToCString();
        for (char& c : failure)
            if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    }
};
constexpr const char* UNIT = "xstep.cascade.unit";
} // namespace

Quiet::Quiet()
    : printers(Message::DefaultMessenger()->Printers()), collector(new Collector), out(std::cout.rdbuf()),
      err(std::cerr.rdbuf())
{
    std::cout.rdbuf(swallowed.rdbuf());
    std::cerr.rdbuf(swallowed.rdbuf());
    Message::DefaultMessenger()->ChangePrinters().Clear();
    Message::DefaultMessenger()->AddPrinter(collector);
    const char* now = Interface_Static::IsPresent(UNIT) ? Interface_Static::CVal(UNIT) : "";
    unit = now ? now : "";
}

Quiet::~Quiet()
{
    std::cout.rdbuf(out);
    std::cerr.rdbuf(err);
    Message::DefaultMessenger()->ChangePrinters() = printers;
    if (!unit.empty()) Interface_Static::SetCVal(UNIT, unit.c_str());
}

std::string Quiet::first_failure() const
{
    return static_cast<const Collector*>(collector.get())->failure;
}

// ---- entities --------------------------------------------------------------------------------------------------------

std::string entity_name(const Handle(XSControl_WorkSession) & session, const Handle(Standard_Transient) & entity)
{
    Handle(Interface_InterfaceModel) model = session->Model();
    Handle(TCollection_HAsciiString) label = model->StringLabel(entity);
    std::string name = label.IsNull() ? "" : label->ToCString(), type;
    if (!Handle(StepData_StepModel)::DownCast(model).IsNull()) {
        Handle(StepSelect_StepType) types = new StepSelect_StepType;
        types->SetProtocol(session->Protocol());
        type = types->Value(entity, model);
    }
    if (type.empty()) {
        type = entity->DynamicType()->Name();
        size_t at = type.find('_');
        if (at != std::string::npos) type.erase(0, at + 1);
    }
    return name + (name.empty() ? "" : " ") + type;
}

Origins::Origins(const Handle(XSControl_WorkSession) & session) : sense(session)
{
    Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
    for (int i = 1; !process.IsNull() && i <= process->NbMapped(); ++i) {
        Handle(Standard_Transient) entity = process->Mapped(i);
        TopoDS_Shape shape = TransferBRep::ShapeResult(process, entity);
        if (shape.IsNull() || shape.ShapeType() > TopAbs_FACE || session->Model()->Number(entity) == 0) continue;
        Origin origin;
        origin.entity = entity_name(session, entity);
        Handle(StepRepr_RepresentationItem) item = Handle(StepRepr_RepresentationItem)::DownCast(entity);
        if (!item.IsNull() && !item->Name().IsNull()) origin.name = item->Name()->ToCString();
        map.emplace(shape.TShape().get(), origin);
    }
}

const Origins::Origin* Origins::find(const TopoDS_Shape& shape) const
{
    auto found = map.find(shape.TShape().get());
    return found == map.end() ? nullptr : &found->second;
}

FaceStatement Origins::statement(const TopoDS_Shape& face) const
{
    return sense.of(TopoDS::Face(face));
}

std::string note_check(const Handle(XSControl_WorkSession) & session, Problems& problems)
{
    std::string first;
    if (session.IsNull() || session->Model().IsNull()) return first;
    Interface_CheckIterator checks = session->ModelCheckList(Standard_False);
    for (checks.Start(); checks.More(); checks.Next()) {
        const Handle(Interface_Check)& c = checks.Value();
        std::string where = "the file";
        if (checks.Number() > 0 && checks.Number() <= session->NbStartingEntities())
            where = entity_name(session, session->StartingEntity(checks.Number()));
        for (int k = 1; k <= c->NbFails(); ++k) {
            if (first.empty()) first = where + ": " + c->CFail(k);
            problems.add(false, where, c->CFail(k));
        }
    }
    return first;
}

void note_lost(const Handle(XSControl_WorkSession) & session, Problems& problems)
{
    Handle(Transfer_TransientProcess) process = session->TransferReader()->TransientProcess();
    for (int i = 1; i <= session->NbStartingEntities(); ++i) {
        Handle(Standard_Transient) entity = session->StartingEntity(i);
        bool part =
            entity->IsKind(STANDARD_TYPE(StepShape_FaceSurface)) || entity->IsKind(STANDARD_TYPE(StepShape_SolidModel));
        if (part && TransferBRep::ShapeResult(process, entity).IsNull()) {
            Handle(Interface_Check) check = process->Check(entity);
            std::string why = "Open CASCADE made no shape from it";
            if (!check.IsNull() && check->NbFails() > 0)
                why += std::string(": ") + check->CFail(1);
            else
                why += ", and says no more: something that it refers to is missing, or of a kind that is not read";
            problems.add(true, entity_name(session, entity), why);
        }
        std::string name = entity_name(session, entity);
        if (name.find("TESSELLATED_SOLID") != std::string::npos || name.find("TESSELLATED_SHELL") != std::string::npos)
            problems.add(true, name, "facets, and no exact surfaces; not read");
    }
}

} // namespace cad
