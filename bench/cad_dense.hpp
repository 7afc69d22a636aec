// SPDX-License-Identifier: MIT
//
// The judge of the CAD comparison: a dense search on Open CASCADE's own faces, edges and vertices that shares neither code nor
// method with either contestant. Every feature is sampled on a grid; every local minimum of the grid that can still win is
// refined by damped Newton steps; a point counts only if Open CASCADE's exact classifier puts it on the face. What it returns
// is therefore attained: an upper bound of the truth, and near certainly the truth.
#ifndef BENCH_CAD_DENSE_HPP
#define BENCH_CAD_DENSE_HPP

#include <memory>
#include <vector>

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <gp_Pnt.hxx>
#include <gp_Trsf.hxx>
#include <gp_Vec.hxx>

namespace dense
{

// A point with its derivatives in n parameters (2: face, 1: edge, 0: vertex or free point).
struct Jet {
    gp_Vec p, d[2], dd[2][2];
    int n = 0;
};

struct Feature {
    int n = 0;
    TopoDS_Face face;
    BRepAdaptor_Surface surface;
    std::shared_ptr<BRepTopAdaptor_FClass2d> inside_test;
    bool reversed = false;
    BRepAdaptor_Curve curve;
    gp_Vec point;
    double lo[2] = {0, 0}, hi[2] = {0, 0};
    double period[2] = {0, 0}; // 0: none
    int count[2] = {1, 1};     // of the grid
    std::vector<gp_Vec> nodes; // [i * count[1] + j]
    std::vector<gp_Vec> area;  // the outward area that belongs to a node; zero outside the face
    std::vector<char> inside;  // the node is on the face
    double step = 0;           // largest distance of neighbouring nodes
    gp_Vec box_lo, box_hi;     // of the nodes

    Jet jet(const double* x) const;
    double box_distance(const gp_Vec& p) const;
};

struct Spot {
    double distance = 0;
    gp_Vec point;
    int feature = -1;
    double x[2] = {0, 0};
};

struct PairSpot {
    double distance = 0;
    gp_Vec a, b; // world
};

class Body
{
  public:
    explicit Body(const TopoDS_Shape& shape);

    // The closest point of the features; nothing beyond `cutoff` is looked for (distance is then cutoff, feature -1).
    Spot nearest(const gp_Vec& p, double cutoff) const;
    // How often the faces wind about the point: 1 inside, 0 outside, by quadrature. Good some steps of the grid away.
    double winding(const gp_Vec& p) const;
    // A spread of at most `limit` points of the features.
    std::vector<Spot> cloud(size_t limit) const;
    const std::vector<Feature>& features() const
    {
        return list;
    }

  private:
    std::vector<Feature> list;
};

// The closest pair of two bodies, b moved by `place`; `seeds` are points (world) to start from besides the dense ones.
PairSpot nearest_pair(const Body& a, const Body& b, const gp_Trsf& place, const std::vector<gp_Vec>& seeds);

} // namespace dense

#endif
