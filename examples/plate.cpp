// SPDX-License-Identifier: MIT
// Writes a STEP file: a plate of 80 x 40 x 10 mm with a hole of 12 mm.
#include <cstdio>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Writer.hxx>

int main(int argc, char** argv)
{
    if (argc != 2) return std::fprintf(stderr, "usage: plate FILE.step\n"), 2;
    Message::DefaultMessenger()->ChangePrinters().Clear();
    TopoDS_Shape box = BRepPrimAPI_MakeBox(80, 40, 10).Shape();
    TopoDS_Shape hole = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(20, 20, -1), gp::DZ()), 6, 12).Shape();
    STEPControl_Writer writer;
    bool good = writer.Transfer(BRepAlgoAPI_Cut(box, hole).Shape(), STEPControl_AsIs) == IFSelect_RetDone &&
                writer.Write(argv[1]) == IFSelect_RetDone;
    return good ? 0 : 1;
}
