// SPDX-License-Identifier: MIT
//
// Parts become the model's text, which the library then reads like any other: one way in, and what `witness import` writes
// is what a direct reading gives.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <BRepBuilderAPI_Transform.hxx>
#include <BRepGProp.hxx>
#include <GProp_GProps.hxx>
#include <ShapeCustom.hxx>

#include "body_text.h"
#include "text.h"

namespace cad
{
namespace
{

struct ModelDestroy {
    void operator()(wit_model* m) const
    {
        wit_model_destroy(m);
    }
};
using Model = std::unique_ptr<wit_model, ModelDestroy>;

std::string model_text(const wit_cad_report& report, const std::string& head, const std::string& bodies)
{
    return "{\n  \"format\": \"witness-model\",\n  \"version\": 1,\n  " + head +
           "\"unit\": " + wi_json_string(wit_unit_name(report.unit)) + ",\n  \"bodies\": [\n    " + bodies +
           "\n  ]\n}\n";
}

// Where the model comes from and what is doubtful stays with it, as its note.
std::string head_text(const wit_cad* cad, const std::string& file)
{
    enum { LINES = 20 };
    const wit_cad_report& r = cad->report;
    static const char* const formats[WIT_CAD_FORMAT_COUNT] = {"", "STEP", "IGES", "BREP"};
    std::filesystem::path path(file);
    std::string schema = r.schema, note = "Read from " + path.filename().string() + " (" + formats[r.format];
    note += (schema.empty() ? "" : ", " + schema) + "), ";
    note +=
        r.file_unit == WIT_UNIT_NONE ? "without a unit that is known" : std::string("in ") + wit_unit_name(r.file_unit);
    char words[160];
    std::snprintf(words, sizeof words, "; largest tolerance of the file %.3g; %s became B-splines, error %.3g.",
                  r.tolerance, count_of(r.converted, "shape").c_str(), r.conversion_error);
    note += words;
    for (size_t k = 0; k < cad->problems.size() && k < LINES; ++k) {
        const wit_cad_problem& p = cad->problems[k];
        note += std::string("\n") + (p.lost ? "LOST " : "") + p.entity + ": " + p.text;
    }
    if (cad->problems.size() > LINES) note += "\nand " + std::to_string(cad->problems.size() - LINES) + " more";
    std::string name = path.stem().string().substr(0, 200);
    return (name.empty() ? "" : "\"name\": " + wi_json_string(name) + ",\n  ") + "\"note\": " + wi_json_string(note) +
           ",\n  ";
}

// The library's answer to a body.
Model built(const wit_cad_report& report, const std::string& body, wit_error& e)
{
    std::string text = model_text(report, "", body);
    e = wit_error{};
    return Model(wit_model_read_text(text.data(), text.size(), nullptr, &e));
}

// The face that a refusal is about, -1 if it is about none.
int face_of(const wit_error& e)
{
    int face = -1;
    return std::sscanf(e.item, "bodies[0].faces[%d]", &face) == 1 ? face : -1;
}

std::string reason_of(const BodyText& text, const wit_error& e)
{
    int face = face_of(e);
    bool known = face >= 0 && static_cast<size_t>(face) < text.faces.size();
    return (known ? text.face_name(face) : std::string(e.item)) + ": " + e.text;
}

/*
 * Loops close, and edges lie on their faces, within twice what the file says of them (two ends meet at a vertex), and no file is
 * better than CLOSE of its size. Where that is not enough more is tried; how far the edges are off is measured, stored with them,
 * and said (note_loose). Beyond the last of these it is another body that closes, whatever tolerance was written beside the edge:
 * Open CASCADE raises tolerances until its own check is content.
 */
constexpr double CLOSE[] = {1e-6, 1e-5, 1e-4, 1e-3}, CLOSE_MOST = 1e-3;

double own_tolerance(const BodyText& text)
{
    return 2 * text.tolerance;
}

// A face on its own may need all of the file's parameter curves, or none. False: nothing helps.
bool settle_face(const wit_cad_report& report, BodyText& text, int face, wit_error& e)
{
    FaceText& f = text.faces[static_cast<size_t>(face)];
    for (Take take : {Take::close, Take::all, Take::none}) {
        f.take = take;
        if (built(report, text.json(face), e)) return true;
    }
    f.take = Take::close;
    return false;
}

// The body as the library takes it: first all of it; where it is refused, face by face.
Model attempt(const wit_cad_report& report, BodyText& text, std::string& reason)
{
    wit_error e{};
    Model model = built(report, text.json(-1), e);
    if (model) return model;
    reason = reason_of(text, e);
    for (int f = 0; f < static_cast<int>(text.faces.size()); ++f)
        if (!settle_face(report, text, f, e)) {
            reason = text.face_name(f) + ": " + e.text;
            return Model();
        }
    model = built(report, text.json(-1), e);
    if (!model) reason = reason_of(text, e);
    return model;
}

// The reason is that of the first attempt: what the file's own tolerance misses.
Model made(const wit_cad_report& report, BodyText& text, std::string& reason)
{
    std::string later;
    for (double share : CLOSE) {
        double close = std::fmin(std::fmax(own_tolerance(text), share * text.size), CLOSE_MOST * text.size);
        bool first = share == CLOSE[0];
        if (!first && !(close > text.close)) continue;
        text.close = close;
        Model model = attempt(report, text, first ? reason : later);
        if (model) return model;
    }
    return Model();
}

// Its outside is proved to be outside; or it is nothing that has one.
bool is_right(const Model& model, const BodyText& text)
{
    if (!model || !text.is_solid()) return model != nullptr;
    wit_body_info b = wit_body_describe(wit_model_body(model.get(), 0));
    return !b.closed || b.outward;
}

bool is_closed(const Model& model)
{
    return model && wit_body_describe(wit_model_body(model.get(), 0)).closed;
}

// A body with what it encloses.
struct Made {
    Model model;
    wit_body_measures measures{};
};

Made measured(Model model)
{
    Made made{std::move(model)};
    if (made.model) made.measures = wit_body_measure(wit_model_body(made.model.get(), 0));
    return made;
}

// A solid that holds nothing: faces back to back. One with gaps has no volume of ours; then Open CASCADE's tells.
bool is_flat(const Part& part, const BodyText& text, const wit_body_measures& m)
{
    double volume = m.volume, area = m.area;
    if (!m.watertight || !m.oriented) {
        GProp_GProps theirs;
        BRepGProp::VolumeProperties(part.shape, theirs);
        volume = theirs.Mass();
    }
    return std::fabs(volume) <= 1e-9 * area * text.size;
}

// The body, turned over where that is what shows it right.
Model made_outward(const wit_cad_report& report, BodyText& text, bool& turned, std::string& reason)
{
    Model model = made(report, text, reason);
    turned = false;
    if (!model || is_right(model, text)) return model;
    text.turn_over();
    Model other = made(report, text, reason);
    turned = is_right(other, text);
    if (turned) return other;
    text.turn_over();
    return model;
}

/*
 * The body with its faces and loops as the file says. Where Open CASCADE read them otherwise the file wins, if what it says makes
 * a closed body, or Open CASCADE's reading makes none; a body inside out is turned over. Both are said.
 */
Made right_side_out(const wit_cad_report& report, Problems& problems, const Part& part, BodyText& text,
                    std::string& reason)
{
    std::string where = "body '" + part.name + "'", ignored;
    int which, contradicts, differ = text.differing(&which, &contradicts);
    bool turned = false;
    Model model;
    if (differ) {
        BodyText said = text;
        said.take_statement();
        Model by_file = made_outward(report, said, turned, reason);
        bool whole = differ == static_cast<int>(text.faces.size()) && turned;
        if (!is_closed(by_file) || !is_right(by_file, said)) model = made_outward(report, text, turned, ignored);
        if (by_file && (!model || !is_closed(model))) {
            if (!whole)
                problems.add(false, where + ", " + said.face_name(which),
                             count_of(differ, "face") +
                                 " made as the file says, where Open CASCADE reads the other side");
            text = said;
            model = std::move(by_file);
        } else if (model) {
            problems.add(false, where + ", " + text.face_name(which),
                         "the senses that the file gives its faces make no closed body; Open CASCADE's are taken");
        }
    } else {
        model = made_outward(report, text, turned, reason);
    }
    if (model && contradicts >= 0)
        problems.add(false, where + ", " + text.face_name(contradicts),
                     "the file's loops pass some of its edges the other way than Open CASCADE reads");
    if (turned) problems.add(false, where, "its faces have their outside inside; they were turned over");
    bool closed = is_closed(model), right = is_right(model, text);
    Made all = measured(std::move(model));
    if (!all.model || !text.is_solid() || !closed) return all;
    bool flat = is_flat(part, text, all.measures);
    if (!flat && !right) problems.add(false, where, "which side of its faces is the inside could not be shown");
    if (!flat) return all;
    problems.add(false, where,
                 "the solid has no volume: it is taken as a sheet of two sides, and distances to it have no sign");
    text.make_sheet();
    return measured(made(report, text, reason));
}

// Edges that are off their faces by more than the file says, first the worst of all.
void note_loose(Problems& problems, const wit_cad_report& report, const Part& part, const BodyText& text,
                const wit_model* model)
{
    enum { LISTED = 5 };
    const wit_body* body = wit_model_body(model, 0);
    std::vector<std::pair<double, size_t>> loose;
    for (size_t k = 0; k < text.edges.size(); ++k) {
        double off = wit_body_edge(body, static_cast<int>(k)).tolerance;
        if (off > std::fmax(2 * text.edges[k].tolerance, CLOSE[0] * text.size)) loose.emplace_back(off, k);
    }
    std::sort(loose.rbegin(), loose.rend());
    const char* unit = report.unit == WIT_UNIT_NONE ? "" : wit_unit_name(report.unit);
    for (size_t i = 0; i < loose.size() && i < LISTED; ++i) {
        std::string face;
        for (size_t f = 0; f < text.faces.size() && face.empty(); ++f)
            for (const auto& loop : text.faces[f].loops)
                for (const Use& u : loop)
                    if (u.edge == static_cast<int>(loose[i].second)) face = text.face_name(static_cast<int>(f));
        char words[160];
        std::snprintf(words, sizeof words,
                      "edge %zu is %.3g %s off its faces, the file's tolerance there is %.3g: bridged", loose[i].second,
                      loose[i].first, unit, text.edges[loose[i].second].tolerance);
        problems.add(false, "body '" + part.name + "', " + face, words);
    }
    if (loose.size() > LISTED)
        problems.add(false, "body '" + part.name + "'",
                     "and " + count_of(static_cast<long>(loose.size() - LISTED), "edge") +
                         " more, off by more than the file's tolerance: bridged");
}

// The largest distance between the model's shapes and those of Open CASCADE at the same parameters.
double check_error(const wit_model* model, const BodyText& text)
{
    constexpr int N = 8;
    const wit_body_def* def = wit_model_body_def(model, 0);
    double worst = 0;
    for (size_t k = 0; k < text.faces.size(); ++k) {
        const FaceText& f = text.faces[k];
        Bounds b = f.bounds, all;
        f.original->Bounds(all.u0, all.u1, all.v0, all.v1);
        // Parameter curves may leave the surface by a tolerance; there it ends for us.
        if (!f.original->IsUPeriodic()) b.u0 = std::fmax(b.u0, all.u0), b.u1 = std::fmin(b.u1, all.u1);
        if (!f.original->IsVPeriodic()) b.v0 = std::fmax(b.v0, all.v0), b.v1 = std::fmin(b.v1, all.v1);
        for (int i = 0; i <= N; ++i)
            for (int j = 0; j <= N; ++j) {
                double u = b.u0 + (b.u1 - b.u0) * i / N, v = b.v0 + (b.v1 - b.v0) * j / N;
                wit_surface_jet jet;
                wit_surface_eval(def->faces[k].surface, u, v, WIT_KNOT_DEFAULT, nullptr, &jet);
                worst = std::fmax(worst, f.original->Value(u, v).Distance(gp_Pnt(jet.p.x, jet.p.y, jet.p.z)));
            }
    }
    for (size_t k = 0; k < text.edges.size(); ++k) {
        const EdgeText& e = text.edges[k];
        for (int i = 0; !e.original.IsNull() && i <= 4 * N; ++i) {
            double t = e.lo + (e.hi - e.lo) * i / (4 * N);
            wit_curve_jet jet;
            wit_curve_eval(def->edges[k].curve, t, WIT_KNOT_DEFAULT, nullptr, &jet);
            worst = std::fmax(worst, e.original->Value(t).Distance(gp_Pnt(jet.p.x, jet.p.y, jet.p.z)));
        }
    }
    return worst;
}

void count(wit_cad_report& r, const BodyText& text)
{
    r.bodies++;
    r.solids += text.is_solid();
    for (const FaceText& f : text.faces) r.faces[f.kind]++;
    for (const EdgeText& e : text.edges) r.edges[e.kind] += !e.original.IsNull();
    r.parameter_curves += text.parameter_curves();
    r.tolerance = std::fmax(r.tolerance, text.tolerance);
}

// What the reader of the report should know of parameter curves that were not taken over.
void note_parameter_curves(Problems& problems, const Part& part, const BodyText& text)
{
    int made = 0;
    double worst = 0;
    std::string where;
    for (const FaceText& f : text.faces)
        for (const auto& loop : f.loops)
            for (const Use& u : loop) {
                if (u.curve.empty() || text.taken(f, u) || text.is_near(u)) continue;
                made++;
                if (u.off <= worst) continue;
                worst = u.off;
                where = text.face_name(static_cast<int>(&f - text.faces.data()));
            }
    if (!made) return;
    char words[160];
    std::snprintf(words, sizeof words, "%s made anew: read, they lie up to %.3g off their edges (%s)",
                  count_of(made, "parameter curve").c_str(), worst, where.c_str());
    problems.add(false, "body '" + part.name + "'", words);
}

// From the lengths of the shape to those of the model.
void scale_part(Part& part)
{
    if (part.scale == 1) return;
    gp_Trsf by;
    by.SetScale(gp_Pnt(0, 0, 0), part.scale);
    part.shape = BRepBuilderAPI_Transform(part.shape, by, Standard_True).Shape();
    part.place.SetTranslationPart(gp_Vec(part.place.TranslationPart() * part.scale));
    part.scale = 1;
}

// For the report.
wit_cad_body described(const Part& part, const Made& made)
{
    wit_body_info b = wit_body_describe(wit_model_body(made.model.get(), 0));
    wit_cad_body out{};
    std::snprintf(out.name, sizeof out.name, "%s", part.name.c_str());
    out.kind = b.kind;
    out.faces = b.face_count;
    out.edges = b.edge_count;
    out.vertices = b.vertex_count;
    out.box = b.box;
    out.tolerance = b.tolerance;
    out.pose = pose_of(part.place);
    out.measures = made.measures;
    out.bytes = b.bytes;
    return out;
}

// Converts one part and appends it to `bodies`.
bool make_body(wit_cad* cad, Problems& problems, Part& part, std::string& bodies, std::string& reason)
{
    part.shape = ShapeCustom::DirectFaces(part.shape);
    scale_part(part);
    BodyText text;
    if (!text.convert(part, problems, cad->report, reason)) return false;
    Made made = right_side_out(cad->report, problems, part, text, reason);
    if (!made.model) return false;
    cad->report.check_error = std::fmax(cad->report.check_error, check_error(made.model.get(), text));
    note_parameter_curves(problems, part, text);
    note_loose(problems, cad->report, part, text, made.model.get());
    cad->bodies.push_back(described(part, made));
    count(cad->report, text);
    std::string pose = pose_text(part.place), head = "{\"name\": " + wi_json_string(part.name) + ", ";
    if (!pose.empty()) head += "\"pose\": " + pose + ", ";
    if (part.color.given)
        head += "\"color\": " + vector_text(part.color.rgb[0], part.color.rgb[1], part.color.rgb[2]) + ", ";
    bodies += (bodies.empty() ? "" : ",\n    ") + head + text.json(-1).substr(1);
    return true;
}

// Names of bodies differ: "bolt", "bolt 2", ...
void make_names_differ(std::vector<Part>& parts)
{
    std::map<std::string, int> seen;
    for (Part& p : parts) {
        if (p.name.size() > 240) {
            p.name.resize(240);
            while (!p.name.empty() && (static_cast<unsigned char>(p.name.back()) & 0xc0) == 0x80) p.name.pop_back();
        }
        if (p.name.empty()) p.name = "body";
        std::string base = p.name;
        for (int k = 2; seen.count(p.name); ++k) p.name = base + " " + std::to_string(k);
        seen[p.name] = 1;
    }
}

} // namespace

bool make_model(wit_cad* cad, Problems& problems, std::vector<Part>& parts, const wit_cad_def& def,
                const std::string& name, wit_error* error)
{
    make_names_differ(parts);
    std::string bodies, known, reason, first_reason;
    int wanted = 0;
    for (Part& part : parts) {
        known += (known.empty() ? "'" : ", '") + part.name + "'";
        if (def.part && part.name != def.part) continue;
        wanted++;
        if (make_body(cad, problems, part, bodies, reason)) continue;
        std::string where = part.entity.empty() ? "body '" + part.name + "'" : part.entity + " '" + part.name + "'";
        problems.add(true, where, reason);
        if (first_reason.empty()) first_reason = where + ": " + reason;
    }
    problems.finish();
    if (!bodies.empty()) {
        cad->text = model_text(cad->report, head_text(cad, name), bodies);
        return true;
    }
    if (parts.empty())
        reason = problems.first_lost().empty()
                     ? "it holds no solid, shell or face: perhaps only curves, points or a drawing"
                     : "no solid, shell or face was read; " + problems.first_lost();
    else if (!wanted)
        reason = std::string("there is no part '") + def.part + "'; it has " + known;
    else
        reason = "no body could be made of it: " + first_reason;
    refuse(error, WIT_ERROR_FILE, name, reason);
    return false;
}

} // namespace cad
