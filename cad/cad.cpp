// SPDX-License-Identifier: MIT
// The interface: nothing of Open CASCADE, and no exception, gets past it.
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include <Standard_Failure.hxx>

#include "import.h"

namespace cad
{

void refuse(wit_error* error, wit_status status, const std::string& item, const std::string& text)
{
    if (!error) return;
    *error = wit_error{};
    error->status = status;
    std::snprintf(error->item, sizeof error->item, "%s", item.c_str());
    std::snprintf(error->text, sizeof error->text, "%s", text.c_str());
}

void Problems::add(bool lost, const std::string& entity, const std::string& text)
{
    auto found = known.find(text);
    if (found != known.end() && list[found->second].lost == lost) {
        list[found->second].count++;
        return;
    }
    known[text] = list.size();
    list.push_back({lost, entity, text, 1});
}

std::string Problems::first_lost() const
{
    for (const Problem& p : list)
        if (p.lost) return p.entity + ": " + p.text;
    return "";
}

void Problems::finish()
{
    for (const Problem& p : list) {
        wit_cad_problem out{};
        out.lost = p.lost;
        std::string text = p.text;
        if (p.count > 1) text += "; " + std::to_string(p.count) + " times";
        std::snprintf(out.entity, sizeof out.entity, "%s", p.entity.c_str());
        std::snprintf(out.text, sizeof out.text, "%s", text.c_str());
        cad->problems.push_back(out);
    }
    cad->report.problem_count = static_cast<int>(cad->problems.size());
}

namespace
{

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start)
{
    return std::chrono::duration<double>(clock_type::now() - start).count();
}

wit_cad* convert(const std::string& data, wit_cad_format format, const std::string& name, const wit_cad_def& def,
                 wit_error* error)
{
    auto cad = std::make_unique<wit_cad>();
    Problems problems(cad.get());
    std::vector<Part> parts;
    auto start = clock_type::now();
    if (!read_parts(cad.get(), problems, data, format, def, name, parts, error)) return nullptr;
    cad->report.read_seconds = seconds_since(start);
    start = clock_type::now();
    if (!make_model(cad.get(), problems, parts, def, name, error)) return nullptr;
    cad->report.convert_seconds = seconds_since(start);
    return cad.release();
}

wit_cad* read_data(const std::string& data, const char* name, const wit_cad_def* given, wit_error* error)
{
    wit_cad_def def = given ? *given : wit_cad_default_def();
    auto refused = [&](wit_status status, const char* item, const char* text) {
        refuse(error, status, item, text);
        return nullptr;
    };
    if (def.struct_size != sizeof def)
        return refused(WIT_ERROR_ARGUMENT, "struct_size", "start from wit_cad_default_def");
    if (static_cast<unsigned>(def.format) >= WIT_CAD_FORMAT_COUNT)
        return refused(WIT_ERROR_ARGUMENT, "format", "there is no such format");
    if (static_cast<unsigned>(def.unit) >= WIT_UNIT_COUNT)
        return refused(WIT_ERROR_ARGUMENT, "unit", "there is no such unit");
    if (data.find_first_not_of(" \t\r\n") == std::string::npos) return refused(WIT_ERROR_FILE, name, "it is empty");
    wit_cad_format format = def.format;
    if (format == WIT_CAD_AUTO) format = format_of_data(data);
    if (format == WIT_CAD_AUTO) format = wit_cad_format_of(name);
    if (format == WIT_CAD_AUTO)
        return refused(WIT_ERROR_FILE, name, "it is neither STEP, IGES nor BREP by its first line or its name");
    try {
        return convert(data, format, name, def, error);
    } catch (const Standard_Failure& f) {
        refuse(error, WIT_ERROR_FILE, name,
               std::string("Open CASCADE gave up: ") + f.DynamicType()->Name() + " " + f.GetMessageString());
    } catch (const std::bad_alloc&) {
        refuse(error, WIT_ERROR_MEMORY, name, "there is not enough memory");
    } catch (const std::exception& e) {
        refuse(error, WIT_ERROR_FILE, name, e.what());
    }
    return nullptr;
}

} // namespace
} // namespace cad

const char* wit_cad_format_name(wit_cad_format format)
{
    static const char* const names[WIT_CAD_FORMAT_COUNT] = {"auto", "step", "iges", "brep"};
    return static_cast<unsigned>(format) < WIT_CAD_FORMAT_COUNT ? names[format] : "?";
}

wit_cad_format wit_cad_format_of(const char* path)
{
    static const struct {
        const char* ending;
        wit_cad_format format;
    } endings[] = {{".step", WIT_CAD_STEP}, {".stp", WIT_CAD_STEP},  {".iges", WIT_CAD_IGES},
                   {".igs", WIT_CAD_IGES},  {".brep", WIT_CAD_BREP}, {".brp", WIT_CAD_BREP}};
    std::string p = path ? path : "";
    for (char& c : p) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const auto& e : endings) {
        size_t n = std::strlen(e.ending);
        if (p.size() > n && p.compare(p.size() - n, n, e.ending) == 0) return e.format;
    }
    return WIT_CAD_AUTO;
}

wit_cad_def wit_cad_default_def(void)
{
    wit_cad_def d{};
    d.struct_size = sizeof d;
    return d;
}

wit_cad* wit_cad_read_file(const char* path, const wit_cad_def* def, wit_error* error)
{
    if (!path) {
        cad::refuse(error, WIT_ERROR_ARGUMENT, "path", "the pointer is null");
        return nullptr;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream data;
    if (in) data << in.rdbuf();
    if (!in || data.fail()) {
        bool empty = in && errno == 0;
        cad::refuse(error, WIT_ERROR_FILE, path,
                    empty ? std::string("it is empty") : std::string("it can't be read: ") + std::strerror(errno));
        return nullptr;
    }
    return cad::read_data(data.str(), path, def, error);
}

wit_cad* wit_cad_read_memory(const void* data, size_t bytes, const char* name, const wit_cad_def* def, wit_error* error)
{
    if (!data) {
        cad::refuse(error, WIT_ERROR_ARGUMENT, "data", "the pointer is null");
        return nullptr;
    }
    return cad::read_data(std::string(static_cast<const char*>(data), bytes), name ? name : "memory", def, error);
}

void wit_cad_destroy(wit_cad* cad)
{
    delete cad;
}

wit_cad_report wit_cad_describe(const wit_cad* cad)
{
    return cad ? cad->report : wit_cad_report{};
}

wit_cad_problem wit_cad_problem_at(const wit_cad* cad, int k)
{
    if (!cad || k < 0 || k >= static_cast<int>(cad->problems.size())) return wit_cad_problem{};
    return cad->problems[static_cast<size_t>(k)];
}

wit_cad_body wit_cad_body_at(const wit_cad* cad, int k)
{
    if (!cad || k < 0 || k >= static_cast<int>(cad->bodies.size())) return wit_cad_body{};
    return cad->bodies[static_cast<size_t>(k)];
}

const char* wit_cad_text(const wit_cad* cad, size_t* bytes)
{
    if (bytes) *bytes = cad ? cad->text.size() : 0;
    return cad ? cad->text.c_str() : "";
}

wit_model* wit_cad_model(const wit_cad* cad, const wit_allocator* allocator, wit_error* error)
{
    if (!cad) {
        cad::refuse(error, WIT_ERROR_ARGUMENT, "cad", "the pointer is null");
        return nullptr;
    }
    return wit_model_read_text(cad->text.data(), cad->text.size(), allocator, error);
}
