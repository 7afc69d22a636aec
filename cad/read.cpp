// SPDX-License-Identifier: MIT
// STEP, IGES and BREP by Open CASCADE's readers.
#include "read.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <unistd.h>

#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <BRep_Builder.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPControl_Reader.hxx>
#include <TColStd_SequenceOfAsciiString.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>

#include "step_syntax.h"

namespace cad
{
namespace
{

constexpr const char* BLANK = " \t\r\n";

// Where the file begins: behind blanks, a byte order mark, and comments.
size_t beginning(const std::string& data)
{
    size_t at = data.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
    for (;;) {
        at = data.find_first_not_of(BLANK, at);
        if (at == std::string::npos || data.compare(at, 2, "/*") != 0) return at;
        at = data.find("*/", at + 2);
        if (at == std::string::npos) return at;
        at += 2;
    }
}

bool starts_with(const std::string& data, const char* word)
{
    size_t at = beginning(data);
    return at != std::string::npos && data.compare(at, std::strlen(word), word) == 0;
}

/*
 * Open CASCADE's tolerances are lengths: what 1e-7 means depends on the unit that it reads into. So it always reads into
 * millimetres, or, where the parts are tiny or huge in them, into the unit in which they are not; the model is scaled to the unit that was
 * asked for afterwards, and is the same whatever that is.
 */
constexpr double SMALL_MM = 0.1, LARGE_MM = 1e5;

wit_unit reading_unit(double largest_mm)
{
    if (largest_mm > 0 && largest_mm < SMALL_MM) return WIT_UNIT_UM;
    return largest_mm > LARGE_MM ? WIT_UNIT_M : WIT_UNIT_MM;
}

// The largest diagonal of a part, by its vertices.
double largest_of(const std::vector<Part>& parts)
{
    double largest = 0;
    for (const Part& p : parts) {
        Bnd_Box box;
        for (TopExp_Explorer v(p.shape, TopAbs_VERTEX); v.More(); v.Next())
            box.Add(BRep_Tool::Pnt(TopoDS::Vertex(v.Current())));
        if (!box.IsVoid()) largest = std::fmax(largest, std::sqrt(box.SquareExtent()));
    }
    return largest;
}

// The file's name without directories and ending: what a body is called where nothing else is known.
std::string base_name(const std::string& path)
{
    return std::filesystem::path(path).stem().string();
}

// A file with this data for as long as it lives.
class TemporaryFile
{
  public:
    explicit TemporaryFile(const std::string& data)
    {
        std::error_code none;
        std::filesystem::path directory = std::filesystem::temp_directory_path(none);
        path = (directory / "witness-XXXXXX").string();
        int handle = none ? -1 : mkstemp(path.data());
        if (handle < 0) {
            path.clear();
            return;
        }
        FILE* f = fdopen(handle, "wb");
        written = f && std::fwrite(data.data(), 1, data.size(), f) == data.size();
        if (f) written = std::fclose(f) == 0 && written;
        if (!f) close(handle);
    }
    ~TemporaryFile()
    {
        if (!path.empty()) std::remove(path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    std::string path; // "" where none could be made
    bool written = false;
};

class Reader
{
  public:
    Reader(wit_cad* to, Problems& problems, const wit_cad_def& def, const std::string& name, wit_error* error)
        : cad(to), problems_(problems), def_(def), name_(name), error_(error)
    {
    }

    bool read_step(const std::string& data, std::vector<Part>& parts);
    bool read_iges(const std::string& data, std::vector<Part>& parts);
    bool read_brep(const std::string& data, std::vector<Part>& parts);

  private:
    bool fail(const std::string& text)
    {
        refuse(error_, WIT_ERROR_FILE, name_, text);
        return false;
    }

    bool fail_with(const char* text, const std::string& first, const std::string& second)
    {
        const std::string& why = first.empty() ? second : first;
        return fail(text + (why.empty() ? std::string() : ": " + why));
    }

    void settle_unit(wit_unit in_file, const std::string& called)
    {
        cad->report.file_unit = in_file;
        cad->report.unit = def_.unit != WIT_UNIT_NONE ? def_.unit : in_file != WIT_UNIT_NONE ? in_file : WIT_UNIT_MM;
        if (in_file == WIT_UNIT_NONE)
            problems_.add(false, "units",
                          (called.empty() ? std::string("the file does not say its unit")
                                          : "the file's unit is '" + called + "'") +
                              "; lengths are given in " + wit_unit_name(cad->report.unit));
    }

    // Reads in millimetres first; again, where the parts are too small or too large for that.
    template <class Read> bool read_in_good_unit(std::vector<Part>& parts, Read read)
    {
        Problems before = problems_;
        wit_unit unit = WIT_UNIT_MM;
        for (int attempt = 0;; ++attempt) {
            Interface_Static::SetCVal("xstep.cascade.unit", cascade_unit(unit));
            if (!read(parts)) return false;
            wit_unit better = attempt ? unit : reading_unit(largest_of(parts));
            if (better == unit) break;
            unit = better;
            parts.clear();
            problems_ = before;
        }
        for (Part& p : parts) p.scale = wit_unit_metres(unit) / wit_unit_metres(cad->report.unit);
        return true;
    }

    bool step_parts(const std::string& data, std::vector<Part>& parts);
    bool iges_parts(const char* path, std::vector<Part>& parts);

    void read_schema(const std::string& data)
    {
        size_t at = data.find("FILE_SCHEMA"), from = at == std::string::npos ? at : data.find('\'', at);
        size_t until = from == std::string::npos ? from : data.find('\'', from + 1);
        if (until == std::string::npos) return;
        std::snprintf(cad->report.schema, sizeof cad->report.schema, "%s",
                      data.substr(from + 1, until - from - 1).c_str());
    }

    wit_cad* cad;
    Problems& problems_;
    const wit_cad_def& def_;
    std::string name_;
    wit_error* error_;
    Quiet quiet;
};

// The files that an assembly names in place of parts: DOCUMENT_FILE('name', ...).
std::string external_files(const std::string& data)
{
    enum { LISTED = 5 };
    std::string names;
    int n = 0;
    for (size_t at = data.find("DOCUMENT_FILE"); at != std::string::npos; at = data.find("DOCUMENT_FILE", at + 1)) {
        size_t from = data.find('\'', at), until = from == std::string::npos ? from : data.find('\'', from + 1);
        if (until == std::string::npos || until == from + 1) continue;
        if (n++ < LISTED) names += (names.empty() ? "'" : ", '") + data.substr(from + 1, until - from - 1) + "'";
    }
    if (n > LISTED) names += " and " + std::to_string(n - LISTED) + " more";
    return names;
}

bool Reader::read_step(const std::string& data, std::vector<Part>& parts)
{
    if (!starts_with(data, "ISO-10303-21")) return fail("it does not begin with ISO-10303-21: it is no STEP file");
    // An end marker that is missing means that the rest of the file is missing too.
    if (data.find("END-ISO-10303-21") == std::string::npos)
        return fail("the STEP file has no END-ISO-10303-21: it is cut short");
    std::string broken = step_syntax(data);
    if (!broken.empty()) return fail(broken);
    read_schema(data);
    std::string plain = data.substr(beginning(data)); // Open CASCADE knows no comments there
    bool good = read_in_good_unit(parts, [&](std::vector<Part>& to) { return step_parts(plain, to); });
    std::string others = external_files(data);
    if (!good || others.empty()) return good;
    if (parts.empty())
        return fail("it holds no shape of its own; its parts are other files, to be read one by one: " + others);
    problems_.add(false, "the file", "it refers to other files, which are not read: " + others);
    return true;
}

bool Reader::step_parts(const std::string& data, std::vector<Part>& parts)
{
    STEPCAFControl_Reader reader;
    reader.SetColorMode(Standard_True);
    reader.SetNameMode(Standard_True);
    std::istringstream in(data);
    IFSelect_ReturnStatus status = reader.ChangeReader().ReadStream(name_.c_str(), in);
    Handle(XSControl_WorkSession) session = reader.ChangeReader().WS();
    std::string check = note_check(session, problems_);
    if (status != IFSelect_RetDone) return fail_with("it can't be read as STEP", quiet.first_failure(), check);
    TColStd_SequenceOfAsciiString lengths, angles, solid_angles;
    reader.ChangeReader().FileUnits(lengths, angles, solid_angles);
    std::string called = lengths.IsEmpty() ? "" : lengths.First().ToCString();
    settle_unit(unit_named(called), called);
    for (int i = 2; i <= lengths.Length(); ++i)
        if (called != lengths.Value(i).ToCString())
            problems_.add(false, "units",
                          std::string("another length unit in the file: ") + lengths.Value(i).ToCString() +
                              "; converted");
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    bool transferred = reader.Transfer(document);
    note_lost(session, problems_);
    if (!transferred) return fail_with("nothing in the file could be made into a shape", quiet.first_failure(), check);
    collect_parts(document, Origins(session), base_name(name_), problems_, parts);
    return true;
}

// Open CASCADE reads IGES from files only.
bool Reader::read_iges(const std::string& data, std::vector<Part>& parts)
{
    TemporaryFile file(data);
    if (file.path.empty() || !file.written) return fail("no temporary file can be written to read IGES from");
    return read_in_good_unit(parts, [&](std::vector<Part>& to) { return iges_parts(file.path.c_str(), to); });
}

bool Reader::iges_parts(const char* path, std::vector<Part>& parts)
{
    IGESCAFControl_Reader reader;
    reader.SetColorMode(Standard_True);
    reader.SetNameMode(Standard_True);
    IFSelect_ReturnStatus status = reader.ReadFile(path);
    std::string check = note_check(reader.WS(), problems_);
    if (status != IFSelect_RetDone) return fail_with("it can't be read as IGES", quiet.first_failure(), check);
    Handle(IGESData_IGESModel) model = Handle(IGESData_IGESModel)::DownCast(reader.WS()->Model());
    std::string called;
    if (!model.IsNull() && !model->GlobalSection().UnitName().IsNull())
        called = model->GlobalSection().UnitName()->ToCString();
    settle_unit(unit_named(called), called);
    Handle(TDocStd_Document) document = new TDocStd_Document("BinXCAF");
    if (!reader.Transfer(document))
        return fail_with("nothing in the file could be made into a shape", quiet.first_failure(), check);
    collect_parts(document, Origins(reader.WS()), base_name(name_), problems_, parts);
    return true;
}

bool Reader::read_brep(const std::string& data, std::vector<Part>& parts)
{
    if (data.find("CASCADE Topology V") == std::string::npos)
        return fail("it has no line 'CASCADE Topology V...': it is no BREP file");
    BRep_Builder builder;
    TopoDS_Shape shape;
    std::istringstream in(data);
    BRepTools::Read(shape, in, builder);
    if (shape.IsNull()) return fail_with("it can't be read as BREP", quiet.first_failure(), "");
    cad->report.file_unit = WIT_UNIT_NONE;
    cad->report.unit = def_.unit;
    Part like;
    like.name = base_name(name_);
    collect_shape(shape, like, Origins(), problems_, parts);
    return true;
}

} // namespace

wit_cad_format format_of_data(const std::string& data)
{
    if (starts_with(data, "ISO-10303-21")) return WIT_CAD_STEP;
    if (starts_with(data, "DBRep_DrawableShape") || starts_with(data, "CASCADE Topology")) return WIT_CAD_BREP;
    // Column 73 of an IGES line names its section, S for start.
    if (data.size() > 80 && data[72] == 'S' && data.find_first_of("\r\n") >= 80) return WIT_CAD_IGES;
    return WIT_CAD_AUTO;
}

bool read_parts(wit_cad* cad, Problems& problems, const std::string& data, wit_cad_format format,
                const wit_cad_def& def, const std::string& name, std::vector<Part>& parts, wit_error* error)
{
    cad->report.format = format;
    Reader reader(cad, problems, def, name, error);
    if (format == WIT_CAD_STEP) return reader.read_step(data, parts);
    if (format == WIT_CAD_IGES) return reader.read_iges(data, parts);
    return reader.read_brep(data, parts);
}

} // namespace cad
