// SPDX-License-Identifier: MIT
//
// A CAD file twice: as a Witness model, and as Open CASCADE reads it by itself.
#ifndef BENCH_CAD_PART_HPP
#define BENCH_CAD_PART_HPP

#include <memory>
#include <string>
#include <vector>

#include <BRepClass3d_SolidClassifier.hxx>
#include <BRepExtrema_DistShapeShape.hxx>
#include <TopoDS_Shape.hxx>

#include "../include/witness/cad.h"
#include "../include/witness/query.h"
#include "cad_dense.hpp"

struct Part {
    std::string file; // without directories
    wit_cad_report report{};
    size_t text_bytes = 0;
    int body = -1; // the only one that counts; -1: all
    std::shared_ptr<wit_model> model;
    TopoDS_Shape shape;               // all faces of the file, as a compound
    std::vector<TopoDS_Shape> solids; // of it
    int faces = 0;                    // of it
    double size = 0;                  // diagonal of the box
    gp_Vec lo, hi;
    double tolerance = 0;               // within which two readings of the file may differ
    std::shared_ptr<dense::Body> dense; // made by the first that asks
    std::vector<double> volumes;        // of the solids, by Open CASCADE
    std::string other; // where Open CASCADE reads faces on the other side than the file says; "": nowhere
};

// Lengths in millimetres. Null, and the reason in `why`, if either refuses.
std::unique_ptr<Part> load(const std::string& path, std::string& why);
dense::Body& dense_of(Part& part);
// The part with one solid, that of most faces; null if the two readings have no such solid in common.
std::unique_ptr<Part> main_solid(const Part& part);

// Of a part that Open CASCADE reads as another body it is no judge. By the file: the model closes, its outside is proved, and it has all
// of the file's edges. False if it is not so. Prints what was found.
bool right_by_file(const Part& part);

// All bodies of the model beside all of Open CASCADE's solids.
struct Census {
    int faces = 0;
    double area = 0, volume = 0, theirs = 0, edges_off = 0;
    // Another number of faces; or volumes that differ by more than the tolerance over the area, and 2e-5, which is what Open CASCADE's
    // integration is good for.
    bool differs = false;
};
Census census_of(const Part& part);

struct Claim {
    bool answered = false;
    double distance = 0; // unsigned for a point
    double depth = 0;    // of a pair that overlaps: its distance is 0, its witnesses are so far apart
    double lower = 0;    // proved bound; 0: none
    bool certified = false, budget = false;
    int inside = 0; // of a point: 1 inside, -1 outside, 0 not said
    gp_Vec a, b;    // witnesses
    double seconds = 0;
    std::string words; // outcome, features
};

class Witness
{
  public:
    Witness();
    ~Witness();
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;
    Claim point(const Part& part, const gp_Vec& p);
    Claim pair(const Part& a, const Part& b, const wit_pose& pose);

  private:
    wit_query* query;
};

class Cascade
{
  public:
    explicit Cascade(const Part& part);
    Claim point(const gp_Vec& p);
    Claim pair(const Part& b, const wit_pose& pose);
    int inside(const gp_Vec& p, double tolerance, double& seconds);
    // Seconds for a point when nothing is kept.
    static double fresh_point(const Part& part, const gp_Vec& p);

  private:
    BRepExtrema_DistShapeShape shells, solid;
    std::vector<std::unique_ptr<BRepClass3d_SolidClassifier>> classifiers;
};

gp_Trsf transformation(const wit_pose& pose);
double cpu_seconds();

#endif
