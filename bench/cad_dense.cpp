// SPDX-License-Identifier: MIT
#include "cad_dense.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <BRepClass_FaceClassifier.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>

namespace dense
{
namespace
{

enum { FACE_NODES = 33, PER_SPAN = 6, MAX_NODES = 161, EDGE_NODES = 65, STEPS = 60 };

gp_Vec vec(const gp_Pnt& p)
{
    return gp_Vec(p.XYZ());
}

// On the face by Open CASCADE's exact classifier; closed parameters are brought into the face's range by it.
bool on_face(const Feature& f, const double* x)
{
    BRepClass_FaceClassifier exact(f.face, gp_Pnt2d(x[0], x[1]), 1e-9 * (f.hi[0] - f.lo[0] + f.hi[1] - f.lo[1]));
    return exact.State() == TopAbs_IN || exact.State() == TopAbs_ON;
}

void sample(Feature& f)
{
    f.nodes.resize(static_cast<size_t>(f.count[0]) * static_cast<size_t>(f.count[1]));
    f.inside.assign(f.nodes.size(), 1);
    f.area.assign(f.n == 2 ? f.nodes.size() : 0, gp_Vec());
    double h[2];
    for (int k = 0; k < 2; ++k) h[k] = f.count[k] > 1 ? (f.hi[k] - f.lo[k]) / (f.count[k] - 1) : 0;
    for (int i = 0; i < f.count[0]; ++i)
        for (int j = 0; j < f.count[1]; ++j) {
            size_t at = static_cast<size_t>(i * f.count[1] + j);
            double x[2] = {f.lo[0] + h[0] * i, f.lo[1] + h[1] * j};
            Jet jet = f.jet(x);
            f.nodes[at] = jet.p;
            for (int k = 1; k <= 3; ++k) {
                double p = jet.p.Coord(k);
                f.box_lo.SetCoord(k, at ? std::min(f.box_lo.Coord(k), p) : p);
                f.box_hi.SetCoord(k, at ? std::max(f.box_hi.Coord(k), p) : p);
            }
            if (i) f.step = std::max(f.step, (jet.p - f.nodes[at - static_cast<size_t>(f.count[1])]).Magnitude());
            if (j) f.step = std::max(f.step, (jet.p - f.nodes[at - 1]).Magnitude());
            if (f.n < 2) continue;
            f.inside[at] = f.inside_test->Perform(gp_Pnt2d(x[0], x[1])) != TopAbs_OUT;
            if (!f.inside[at]) continue;
            double weight = h[0] * h[1] * (i == 0 || i == f.count[0] - 1 ? 0.5 : 1);
            weight *= j == 0 || j == f.count[1] - 1 ? 0.5 : 1;
            f.area[at] = jet.d[0].Crossed(jet.d[1]) * (f.reversed ? -weight : weight);
        }
}

int nodes_for(int spans)
{
    return std::min<int>(MAX_NODES, std::max<int>(FACE_NODES, PER_SPAN * spans + 1));
}

Feature face_feature(const TopoDS_Face& given)
{
    Feature f;
    f.n = 2;
    f.face = TopoDS::Face(given.Oriented(TopAbs_FORWARD));
    f.reversed = given.Orientation() == TopAbs_REVERSED;
    f.surface.Initialize(f.face, Standard_True);
    f.inside_test = std::make_shared<BRepTopAdaptor_FClass2d>(f.face, 1e-9);
    BRepTools::UVBounds(f.face, f.lo[0], f.hi[0], f.lo[1], f.hi[1]);
    if (f.surface.IsUPeriodic()) f.period[0] = f.surface.UPeriod();
    if (f.surface.IsVPeriodic()) f.period[1] = f.surface.VPeriod();
    f.count[0] = nodes_for(f.surface.NbUIntervals(GeomAbs_C2));
    f.count[1] = nodes_for(f.surface.NbVIntervals(GeomAbs_C2));
    sample(f);
    return f;
}

Feature edge_feature(const TopoDS_Edge& edge)
{
    Feature f;
    f.n = 1;
    f.curve.Initialize(edge);
    f.lo[0] = f.curve.FirstParameter();
    f.hi[0] = f.curve.LastParameter();
    f.count[0] = std::max<int>(EDGE_NODES, nodes_for(f.curve.NbIntervals(GeomAbs_C2)));
    sample(f);
    return f;
}

Feature point_feature(const gp_Vec& p)
{
    Feature f;
    f.point = p;
    sample(f);
    return f;
}

// ---- local refinement ------------------------------------------------------------------------------------------------

// Where a feature stands in the world.
struct Placed {
    const Feature* feature;
    const gp_Trsf* place; // null: as it is
};

Jet world_jet(const Placed& s, const double* x)
{
    Jet j = s.feature->jet(x);
    if (!s.place) return j;
    j.p = vec(gp_Pnt(j.p.XYZ()).Transformed(*s.place));
    for (int i = 0; i < j.n; ++i) {
        j.d[i].Transform(*s.place);
        for (int k = 0; k < j.n; ++k) j.dd[i][k].Transform(*s.place);
    }
    return j;
}

// Solves (H + lambda D) s = -g by elimination without pivoting beyond the diagonal; false where it is not positive.
bool solve(int n, double (*h)[4], const double* g, double lambda, double* s)
{
    double l[4][5];
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) l[i][k] = h[i][k];
        l[i][n] = -g[i];
    }
    for (int i = 0; i < n; ++i) {
        double d = l[i][i] + lambda;
        if (!(d > 1e-14)) return false;
        l[i][i] = d;
        for (int k = i + 1; k < n; ++k) {
            double q = l[k][i] / d;
            for (int m = i; m <= n; ++m) l[k][m] -= q * l[i][m];
        }
    }
    for (int i = n - 1; i >= 0; --i) {
        s[i] = l[i][n];
        for (int k = i + 1; k < n; ++k) s[i] -= l[i][k] * s[k];
        s[i] /= l[i][i];
    }
    return true;
}

// Closed parameters wrap, others stop at the border: what lies there is an edge's.
double in_range(const Feature& f, int k, double x)
{
    if (f.period[k] > 0) x -= f.period[k] * std::floor((x - f.lo[k]) / f.period[k]);
    return std::min(f.hi[k], std::max(f.lo[k], x));
}

// Minimises |a(x) - b(y)|^2 / 2 within the ranges, in parameters scaled to unit speed.
double refine(const Placed& a, const Placed& b, double* x, double* y)
{
    int na = a.feature->n, n = na + b.feature->n;
    double lambda = 1e-4, last = (world_jet(a, x).p - world_jet(b, y).p).Magnitude();
    for (int step = 0; step < STEPS && n; ++step) {
        Jet ja = world_jet(a, x), jb = world_jet(b, y);
        gp_Vec r = ja.p - jb.p, t[4];
        double unit[4], g[4], h[4][4], s[4];
        for (int i = 0; i < n; ++i) {
            t[i] = i < na ? ja.d[i] : jb.d[i - na].Reversed();
            unit[i] = std::max(t[i].Magnitude(), 1e-300);
        }
        for (int i = 0; i < n; ++i) {
            g[i] = r.Dot(t[i]) / unit[i];
            for (int k = 0; k < n; ++k) {
                h[i][k] = t[i].Dot(t[k]);
                if (i < na && k < na) h[i][k] += r.Dot(ja.dd[i][k]);
                if (i >= na && k >= na) h[i][k] -= r.Dot(jb.dd[i - na][k - na]);
                h[i][k] /= unit[i] * unit[k];
            }
        }
        double slope = 0;
        for (int i = 0; i < n; ++i) slope = std::max(slope, std::fabs(g[i]));
        if (slope <= 1e-13 * last) break; // the cosine of the angle with the tangents; last may be 0
        bool better = false;
        for (int tries = 0; tries < 12 && !better; ++tries) {
            double nx[4] = {x[0], x[1], y[0], y[1]};
            if (solve(n, h, g, lambda, s)) {
                for (int i = 0; i < n; ++i) {
                    const Feature& f = i < na ? *a.feature : *b.feature;
                    int k = i < na ? i : i - na;
                    double& v = nx[i < na ? i : 2 + i - na];
                    v = in_range(f, k, v + s[i] / unit[i]);
                }
                double now = (world_jet(a, nx).p - world_jet(b, nx + 2).p).Magnitude();
                better = now < last;
                if (better) {
                    double gain = last - now;
                    last = now;
                    std::copy(nx, nx + 2, x);
                    std::copy(nx + 2, nx + 4, y);
                    lambda *= 0.1;
                    if (gain <= 1e-14 * last) return last;
                }
            }
            if (!better) lambda = std::max(lambda * 10, 1e-6);
        }
        if (!better) break;
    }
    return last;
}

void parameters(const Feature& f, size_t node, double* x)
{
    int at[2] = {static_cast<int>(node) / f.count[1], static_cast<int>(node) % f.count[1]};
    for (int k = 0; k < 2; ++k) x[k] = f.lo[k] + (f.count[k] > 1 ? (f.hi[k] - f.lo[k]) * at[k] / (f.count[k] - 1) : 0);
}

void offer(const Feature& f, int id, double distance, const double* x, Spot& best)
{
    if (distance >= best.distance || (f.n == 2 && !on_face(f, x))) return;
    best = {distance, f.jet(x).p, id, {x[0], x[1]}};
}

bool is_least(const Feature& f, const std::vector<double>& d, int i, int j)
{
    double here = d[static_cast<size_t>(i * f.count[1] + j)];
    for (int ni = std::max(0, i - 1); ni <= std::min(f.count[0] - 1, i + 1); ++ni)
        for (int nj = std::max(0, j - 1); nj <= std::min(f.count[1] - 1, j + 1); ++nj)
            if (d[static_cast<size_t>(ni * f.count[1] + nj)] < here) return false;
    return true;
}

// The best node on the feature, then all local minima of the grid that could still win.
void search(const Feature& f, int id, const gp_Vec& p, Spot& best)
{
    Feature target;
    target.point = p;
    std::vector<double> d(f.nodes.size());
    size_t least = d.size();
    for (size_t k = 0; k < d.size(); ++k) {
        d[k] = (f.nodes[k] - p).Magnitude();
        if (f.inside[k] && (least == d.size() || d[k] < d[least])) least = k;
    }
    double x[2], none[2] = {0, 0};
    if (least < d.size()) {
        parameters(f, least, x);
        offer(f, id, d[least], x, best);
    }
    for (int i = 0; i < f.count[0]; ++i)
        for (int j = 0; j < f.count[1]; ++j) {
            size_t at = static_cast<size_t>(i * f.count[1] + j);
            if (d[at] - f.step > best.distance || !is_least(f, d, i, j)) continue;
            parameters(f, at, x);
            // Off the border, where a pole or an apex has no tangents to start along.
            for (int k = 0; k < f.n && f.n == 2; ++k) {
                double quarter = 0.25 * (f.hi[k] - f.lo[k]) / (f.count[k] - 1);
                x[k] = std::min(f.hi[k] - quarter, std::max(f.lo[k] + quarter, x[k]));
            }
            double found = refine({&f, nullptr}, {&target, nullptr}, x, none);
            offer(f, id, found, x, best);
        }
}

} // namespace

Jet Feature::jet(const double* x) const
{
    Jet j;
    j.n = n;
    gp_Pnt p(point.XYZ());
    if (n == 2) {
        surface.D2(x[0], x[1], p, j.d[0], j.d[1], j.dd[0][0], j.dd[1][1], j.dd[0][1]);
        j.dd[1][0] = j.dd[0][1];
    } else if (n == 1) {
        curve.D2(x[0], p, j.d[0], j.dd[0][0]);
    }
    j.p = vec(p);
    return j;
}

double Feature::box_distance(const gp_Vec& p) const
{
    double square = 0;
    for (int k = 1; k <= 3; ++k) {
        double d = std::max({0.0, box_lo.Coord(k) - p.Coord(k), p.Coord(k) - box_hi.Coord(k)});
        square += d * d;
    }
    return std::sqrt(square);
}

Body::Body(const TopoDS_Shape& shape)
{
    TopTools_IndexedMapOfShape faces, edges, vertices;
    TopExp::MapShapes(shape, TopAbs_FACE, faces);
    TopExp::MapShapes(shape, TopAbs_EDGE, edges);
    TopExp::MapShapes(shape, TopAbs_VERTEX, vertices);
    for (int i = 1; i <= faces.Extent(); ++i) list.push_back(face_feature(TopoDS::Face(faces(i))));
    for (int i = 1; i <= edges.Extent(); ++i)
        if (!BRep_Tool::Degenerated(TopoDS::Edge(edges(i)))) list.push_back(edge_feature(TopoDS::Edge(edges(i))));
    for (int i = 1; i <= vertices.Extent(); ++i)
        list.push_back(point_feature(vec(BRep_Tool::Pnt(TopoDS::Vertex(vertices(i))))));
}

Spot Body::nearest(const gp_Vec& p, double cutoff) const
{
    // Nodes bound the box of a feature only up to a step of the grid.
    std::vector<std::pair<double, int>> order;
    for (size_t k = 0; k < list.size(); ++k)
        order.emplace_back(std::max(0.0, list[k].box_distance(p) - list[k].step), static_cast<int>(k));
    std::sort(order.begin(), order.end());
    Spot best;
    best.distance = cutoff;
    for (const auto& [bound, k] : order) {
        if (bound > best.distance) break;
        search(list[static_cast<size_t>(k)], k, p, best);
    }
    return best;
}

// Sum of area . (x - p) / |x - p|^3 over 4 pi.
double Body::winding(const gp_Vec& p) const
{
    double sum = 0;
    for (const Feature& f : list)
        for (size_t k = 0; k < f.area.size(); ++k) {
            if (!f.inside[k]) continue;
            gp_Vec r = f.nodes[k] - p;
            double square = r.SquareMagnitude();
            if (square > 0) sum += f.area[k].Dot(r) / (square * std::sqrt(square));
        }
    return sum / (4 * M_PI);
}

std::vector<Spot> Body::cloud(size_t limit) const
{
    std::vector<Spot> all;
    for (size_t k = 0; k < list.size(); ++k) {
        const Feature& f = list[k];
        for (size_t at = 0; at < f.nodes.size(); ++at)
            if (f.inside[at]) all.push_back({0, f.nodes[at], static_cast<int>(k), {0, 0}});
    }
    // Every feature keeps its share, and at least one point.
    size_t stride = all.size() / limit + 1;
    std::vector<Spot> some;
    int last = -1;
    for (size_t k = 0; k < all.size(); ++k)
        if (k % stride == 0 || all[k].feature != last) {
            some.push_back(all[k]);
            last = all[k].feature;
        }
    return some;
}

namespace
{

// From a point: to and fro between the bodies, then both at once on the features that were reached.
void from_seed(const Body& a, const Body& b, const gp_Trsf& place, const gp_Vec& seed, double far, PairSpot& best)
{
    gp_Trsf back = place.Inverted();
    auto moved = [](const gp_Vec& p, const gp_Trsf& t) { return vec(gp_Pnt(p.XYZ()).Transformed(t)); };
    gp_Vec at = seed;
    for (int round = 0; round < 3; ++round) {
        Spot sa = a.nearest(at, far), sb;
        if (sa.feature < 0) return;
        sb = b.nearest(moved(sa.point, back), far);
        if (sb.feature < 0) return;
        gp_Vec pb = moved(sb.point, place);
        double d = (sa.point - pb).Magnitude();
        if (d < best.distance) best = {d, sa.point, pb};
        const Feature &fa = a.features()[static_cast<size_t>(sa.feature)],
                      &fb = b.features()[static_cast<size_t>(sb.feature)];
        double x[2] = {sa.x[0], sa.x[1]}, y[2] = {sb.x[0], sb.x[1]};
        d = refine({&fa, nullptr}, {&fb, &place}, x, y);
        bool there = (fa.n < 2 || on_face(fa, x)) && (fb.n < 2 || on_face(fb, y));
        if (d < best.distance && there) best = {d, fa.jet(x).p, moved(fb.jet(y).p, place)};
        at = there ? moved(fb.jet(y).p, place) : pb;
    }
}

} // namespace

PairSpot nearest_pair(const Body& a, const Body& b, const gp_Trsf& place, const std::vector<gp_Vec>& seeds)
{
    enum { CLOUD = 3000, STARTS = 16 };
    std::vector<Spot> ca = a.cloud(CLOUD), cb = b.cloud(CLOUD);
    for (Spot& s : cb) s.point = vec(gp_Pnt(s.point.XYZ()).Transformed(place));
    std::map<std::pair<int, int>, std::pair<double, gp_Vec>> close;
    for (const Spot& p : ca) {
        const Spot* nearest = nullptr;
        double least = INFINITY;
        for (const Spot& q : cb) {
            double d = (p.point - q.point).SquareMagnitude();
            if (d >= least) continue;
            least = d;
            nearest = &q;
        }
        if (!nearest) continue;
        auto found = close.try_emplace({p.feature, nearest->feature}, least, nearest->point).first;
        if (least < found->second.first) found->second = {least, nearest->point};
    }
    std::vector<std::pair<double, gp_Vec>> starts;
    for (const auto& c : close) starts.push_back(c.second);
    std::sort(starts.begin(), starts.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    PairSpot best;
    best.distance = starts.empty() ? 0 : std::sqrt(starts.front().first);
    best.distance *= 1 + 1e-9;
    double far = 2 * best.distance + 1e-9;
    for (const gp_Vec& s : seeds) from_seed(a, b, place, s, INFINITY, best);
    for (size_t k = 0; k < starts.size() && k < STARTS; ++k) from_seed(a, b, place, starts[k].second, far, best);
    return best;
}

} // namespace dense
