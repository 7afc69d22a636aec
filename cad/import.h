// SPDX-License-Identifier: MIT
// What is behind wit_cad, and what its parts hand to each other: files become parts, parts become bodies in text.
#ifndef CAD_IMPORT_H
#define CAD_IMPORT_H

#include <map>
#include <string>
#include <vector>

#include <TopoDS_Shape.hxx>
#include <gp_Trsf.hxx>

#include "../include/witness/cad.h"

struct wit_cad {
    std::string text;
    wit_cad_report report{};
    std::vector<wit_cad_problem> problems;
    std::vector<wit_cad_body> bodies;
};

namespace cad
{

struct Color {
    bool given = false;
    double rgb[3] = {0, 0, 0};
};

// What the file itself says of a face, beside what was read.
struct FaceStatement {
    bool known = false;
    bool reversed = false; // its outward normal is against that of its surface
    std::vector<signed char>
        uses; // by the order of its edges: 1 passed as it was read, -1 the other way round, 0 not known
};

// One body to be.
struct Part {
    TopoDS_Shape shape; // a solid, a shell, or a compound of loose faces, in its own frame
    std::string name;
    std::string entity; // in the file, "" where it is not known
    gp_Trsf place;      // rigid, in the lengths of the shape
    double scale = 1;   // lengths of the model in one of the shape
    Color color;
    std::vector<Color> face_colors;         // by the order of its faces; may be empty
    std::vector<std::string> face_entities; // likewise
    std::vector<FaceStatement> statements;  // likewise
};

// The problems of a file; what is said of many entities is said once, with their number.
class Problems
{
  public:
    explicit Problems(wit_cad* to) : cad(to)
    {
    }
    void add(bool lost, const std::string& entity, const std::string& text);
    void finish();                  // puts them into the report
    std::string first_lost() const; // "#123 ADVANCED_FACE: why", or ""

  private:
    struct Problem {
        bool lost;
        std::string entity, text;
        int count;
    };
    wit_cad* cad;
    std::vector<Problem> list;
    std::map<std::string, size_t> known;
};

void refuse(wit_error* error, wit_status status, const std::string& item, const std::string& text);

// Reads the data into parts: format, units and problems go to the report. False after refusing.
bool read_parts(wit_cad* cad, Problems& problems, const std::string& data, wit_cad_format format,
                const wit_cad_def& def, const std::string& name, std::vector<Part>& parts, wit_error* error);
// The format by the first bytes; AUTO: none that is known.
wit_cad_format format_of_data(const std::string& data);

// Makes the model's text from the parts. False after refusing.
bool make_model(wit_cad* cad, Problems& problems, std::vector<Part>& parts, const wit_cad_def& def,
                const std::string& name, wit_error* error);

} // namespace cad

#endif
