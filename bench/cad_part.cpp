// SPDX-License-Identifier: MIT
#include "cad_part.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <BRepBndLib.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepGProp.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Message_Printer.hxx>
#include <STEPControl_Reader.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <gp_Quaternion.hxx>

namespace
{

wit_vec3 wit(const gp_Vec& v)
{
    return {v.X(), v.Y(), v.Z()};
}

gp_Vec vec(wit_vec3 v)
{
    return gp_Vec(v.x, v.y, v.z);
}

int count_faces(const TopoDS_Shape& shape)
{
    int n = 0;
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) n++;
    return n;
}

TopoDS_Shape compound_of_faces(const TopoDS_Shape& shape)
{
    TopoDS_Compound all;
    BRep_Builder builder;
    builder.MakeCompound(all);
    for (TopExp_Explorer f(shape, TopAbs_FACE); f.More(); f.Next()) builder.Add(all, f.Current());
    return all;
}

void measure(Part& part, const TopoDS_Shape& shape)
{
    part.shape = compound_of_faces(shape);
    part.faces = count_faces(shape);
    part.solids.clear();
    part.volumes.clear();
    for (TopExp_Explorer s(shape, TopAbs_SOLID); s.More(); s.Next()) {
        part.solids.push_back(s.Current());
        GProp_GProps g;
        BRepGProp::VolumeProperties(s.Current(), g, 1e-6);
        part.volumes.push_back(g.Mass());
    }
    Bnd_Box box;
    BRepBndLib::AddOptimal(shape, box, Standard_False, Standard_False);
    part.lo = gp_Vec(box.CornerMin().XYZ());
    part.hi = gp_Vec(box.CornerMax().XYZ());
    part.size = (part.hi - part.lo).Magnitude();
}

std::string feature_words(const wit_witness& w)
{
    return std::string(wit_feature_kind_name(w.feature)) + (w.id >= 0 ? " " + std::to_string(w.id) : "");
}

} // namespace

double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

gp_Trsf transformation(const wit_pose& pose)
{
    gp_Trsf t;
    t.SetRotation(gp_Quaternion(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w));
    t.SetTranslationPart(vec(pose.position));
    return t;
}

std::unique_ptr<Part> load(const std::string& path, std::string& why)
{
    auto part = std::make_unique<Part>();
    part->file = path.substr(path.find_last_of('/') + 1);
    wit_cad_def def = wit_cad_default_def();
    def.unit = WIT_UNIT_MM;
    wit_error error{};
    std::unique_ptr<wit_cad, void (*)(wit_cad*)> cad(wit_cad_read_file(path.c_str(), &def, &error), wit_cad_destroy);
    if (cad) part->model.reset(wit_cad_model(cad.get(), nullptr, &error), wit_model_destroy);
    if (!part->model) {
        why = std::string("Witness: ") + error.text;
        return nullptr;
    }
    part->report = wit_cad_describe(cad.get());
    for (int k = 0; k < part->report.problem_count; ++k) {
        wit_cad_problem problem = wit_cad_problem_at(cad.get(), k);
        if (std::strstr(problem.text, "where Open CASCADE reads the other side"))
            part->other = std::string(problem.entity) + ": " + problem.text;
    }
    wit_cad_text(cad.get(), &part->text_bytes);

    Message::DefaultMessenger()->ChangePrinters().Clear();
    STEPControl_Reader reader;
    Interface_Static::SetCVal("xstep.cascade.unit", "MM");
    if (reader.ReadFile(path.c_str()) != IFSelect_RetDone || !reader.TransferRoots()) {
        why = "Open CASCADE does not read it";
        return nullptr;
    }
    measure(*part, reader.OneShape());
    const wit_cad_report& r = part->report;
    part->tolerance = std::fmax(r.tolerance, 1e-7) + r.conversion_error + r.check_error;
    return part;
}

dense::Body& dense_of(Part& part)
{
    if (!part.dense) part.dense = std::make_shared<dense::Body>(part.shape);
    return *part.dense;
}

std::unique_ptr<Part> main_solid(const Part& whole)
{
    auto part = std::make_unique<Part>(whole);
    int body = -1, faces = 0;
    for (int k = 0; k < wit_model_body_count(whole.model.get()); ++k) {
        wit_body_info info = wit_body_describe(wit_model_body(whole.model.get(), k));
        if (info.kind != WIT_BODY_SOLID || info.face_count <= faces) continue;
        body = k;
        faces = info.face_count;
    }
    for (const TopoDS_Shape& s : whole.solids)
        if (count_faces(s) == faces) {
            TopoDS_Shape solid = s;
            measure(*part, solid);
            part->body = body;
            part->dense.reset();
            return part;
        }
    return nullptr;
}

Census census_of(const Part& part)
{
    Census c;
    for (int k = 0; k < wit_model_body_count(part.model.get()); ++k) {
        const wit_body* b = wit_model_body(part.model.get(), k);
        wit_body_measures m = wit_body_measure(b);
        c.faces += wit_body_describe(b).face_count;
        c.volume += m.volume;
        c.area += m.area;
        c.edges_off = std::max(c.edges_off, wit_body_describe(b).tolerance);
    }
    for (double v : part.volumes) c.theirs += v;
    double most = part.tolerance * c.area + 2e-5 * std::fabs(c.theirs);
    c.differs = c.faces != part.faces || std::fabs(c.volume - c.theirs) > most;
    return c;
}

bool right_by_file(const Part& part)
{
    enum { SAMPLES = 16 };
    Witness us;
    bool right = true;
    double off = 0;
    for (int k = 0; k < wit_model_body_count(part.model.get()); ++k) {
        wit_body_info b = wit_body_describe(wit_model_body(part.model.get(), k));
        right = right && (b.kind != WIT_BODY_SOLID || (b.closed && b.outward));
    }
    for (TopExp_Explorer e(part.shape, TopAbs_EDGE); e.More(); e.Next()) {
        double lo, hi;
        Handle(Geom_Curve) curve = BRep_Tool::Curve(TopoDS::Edge(e.Current()), lo, hi);
        for (int i = 0; !curve.IsNull() && i <= SAMPLES; ++i)
            off = std::fmax(off, us.point(part, gp_Vec(curve->Value(lo + (hi - lo) * i / SAMPLES).XYZ())).distance);
    }
    right = right && off <= part.tolerance;
    std::printf("%s: %s\n    so Open CASCADE's body is not the file's, and is no judge of it. By the file: the "
                "model %s, its edges are "
                "up to %.2g off the model (tolerance %.2g): %s\n",
                part.file.c_str(), part.other.c_str(), right ? "closes, and its outside is proved" : "is in doubt", off,
                part.tolerance, right ? "right" : "WRONG");
    return right;
}

// ---- Witness ---------------------------------------------------------------------------------------------------------

Witness::Witness() : query(wit_query_create(nullptr, nullptr, nullptr))
{
}

Witness::~Witness()
{
    wit_query_destroy(query);
}

Claim Witness::point(const Part& part, const gp_Vec& p)
{
    Claim claim;
    claim.distance = claim.lower = INFINITY;
    claim.certified = true;
    claim.inside = -1;
    claim.b = p;
    for (int k = 0; k < wit_model_body_count(part.model.get()); ++k) {
        if (part.body >= 0 && k != part.body) continue;
        wit_placed body = wit_placed_at(wit_model_body(part.model.get(), k), wit_model_body_pose(part.model.get(), k));
        wit_closest c;
        double start = cpu_seconds();
        wit_status status = wit_closest_point(query, &body, wit(p), &c);
        claim.seconds += cpu_seconds() - start;
        if (status != WIT_OK) return Claim();
        claim.answered = true;
        claim.certified = claim.certified && c.certified;
        claim.budget = claim.budget || c.outcome == WIT_OUTCOME_BUDGET;
        if (c.sign != WIT_SIGN_NONE && c.distance < 0) claim.inside = 1;
        // The bracket of the unsigned distance.
        double lower = c.distance < 0 ? -c.upper_bound : c.lower_bound;
        claim.lower = std::fmin(claim.lower, std::fmax(0.0, lower));
        if (std::fabs(c.distance) >= claim.distance) continue;
        claim.distance = std::fabs(c.distance);
        claim.a = vec(c.a.point);
        claim.words =
            std::string(wit_outcome_name(c.outcome)) + " " + feature_words(c.a) + ", sign by " + wit_sign_name(c.sign);
    }
    return claim;
}

Claim Witness::pair(const Part& a, const Part& b, const wit_pose& pose)
{
    Claim claim;
    wit_pose inner_a = wit_model_body_pose(a.model.get(), a.body), inner_b = wit_model_body_pose(b.model.get(), b.body);
    wit_placed pa = wit_placed_at(wit_model_body(a.model.get(), a.body), inner_a);
    wit_placed pb = wit_placed_at(wit_model_body(b.model.get(), b.body), wit_pose_compose(&pose, &inner_b));
    wit_closest c;
    double start = cpu_seconds();
    wit_status status = wit_closest_pair(query, &pa, &pb, &c);
    claim.seconds = cpu_seconds() - start;
    if (status != WIT_OK) return claim;
    claim.answered = true;
    claim.certified = c.certified;
    claim.budget = c.outcome == WIT_OUTCOME_BUDGET;
    claim.distance = std::max(0.0, c.distance);
    claim.depth = std::max(0.0, -c.distance);
    claim.lower = std::max(0.0, c.lower_bound);
    claim.a = vec(c.a.point);
    claim.b = vec(c.b.point);
    claim.words = std::string(wit_outcome_name(c.outcome)) + " " + feature_words(c.a) + " / " + feature_words(c.b);
    return claim;
}

// ---- Open CASCADE ----------------------------------------------------------------------------------------------------

// What can be kept from call to call is kept: the maps and boxes of the part, the classifiers.
Cascade::Cascade(const Part& part)
{
    shells.LoadS1(part.shape);
    if (part.solids.size() == 1) solid.LoadS1(part.solids.front());
    for (const TopoDS_Shape& s : part.solids) classifiers.push_back(std::make_unique<BRepClass3d_SolidClassifier>(s));
}

namespace
{
Claim take(BRepExtrema_DistShapeShape& tool)
{
    Claim claim;
    double start = cpu_seconds();
    try {
        claim.answered = tool.Perform() && tool.IsDone() && tool.NbSolution() > 0;
    } catch (const Standard_Failure& f) {
        claim.words = f.DynamicType()->Name();
    }
    claim.seconds = cpu_seconds() - start;
    if (!claim.answered) return claim;
    claim.distance = tool.Value();
    claim.a = gp_Vec(tool.PointOnShape1(1).XYZ());
    claim.b = gp_Vec(tool.PointOnShape2(1).XYZ());
    claim.words = tool.InnerSolution() ? "inner" : "";
    return claim;
}
} // namespace

Claim Cascade::point(const gp_Vec& p)
{
    shells.LoadS2(BRepBuilderAPI_MakeVertex(gp_Pnt(p.XYZ())).Vertex());
    return take(shells);
}

double Cascade::fresh_point(const Part& part, const gp_Vec& p)
{
    double start = cpu_seconds();
    BRepExtrema_DistShapeShape tool(part.shape, BRepBuilderAPI_MakeVertex(gp_Pnt(p.XYZ())).Vertex());
    return cpu_seconds() - start;
}

Claim Cascade::pair(const Part& b, const wit_pose& pose)
{
    solid.LoadS2(b.solids.front().Moved(TopLoc_Location(transformation(pose))));
    return take(solid);
}

int Cascade::inside(const gp_Vec& p, double tolerance, double& seconds)
{
    double start = cpu_seconds();
    int result = classifiers.empty() ? 0 : -1;
    for (auto& c : classifiers) {
        c->Perform(gp_Pnt(p.XYZ()), tolerance);
        if (c->State() == TopAbs_IN) result = 1;
    }
    seconds = cpu_seconds() - start;
    return result;
}
