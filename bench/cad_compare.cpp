// SPDX-License-Identifier: MIT
//
//   cad_compare [DIRECTORY ...] [--points N] [--placements N] [--seconds S] [--only WORD] [--list N]
//
// The STEP files of the directories (ours in tests/data/step, and those of others in ../shared/data), asked by Witness and by Open CASCADE (BRepExtrema_DistShapeShape,
// BRepClass3d_SolidClassifier): distances and sides of points, distances of pairs of parts, and one part in two encodings.
// Where the two differ by more than the file's tolerance, a dense search decides who is right (cad_dense.hpp); of the
// answers that agree, one in 19 (of pairs one in 3) is put to it as well. The exit code is 1 if it ever speaks against Witness.
//
// WITNESS_CAMPAIGN is a factor on N (1,000 points, 200 placements) and on S (seconds of Open CASCADE per part or pair, 30).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "../tests/random.h"
#include "cad_part.hpp"

namespace
{

enum { CHECK_EVERY = 19, CHECK_PAIRS_EVERY = 3 }; // prime to the cycles of the random draws

struct Options {
    std::vector<std::string> directories;
    std::string only;
    int points = 1000, placements = 200, list = 5;
    double seconds = 30;
};

struct Score {
    int asked = 0, compared = 0, agree = 0;
    int against_us = 0, against_them = 0, against_both = 0; // of those that differ
    int unanswered = 0;                                     // by Open CASCADE
    int checked = 0, checked_wrong = 0;                     // where both agree
    int bracket_wrong = 0, uncertified = 0;
    int fine = 0;     // agree, but by more than 1e-6 of the size
    double worst = 0; // difference where both agree
    int sides = 0, side_us = 0, side_them = 0, side_open = 0;
    int budget = 0; // Witness ended before the bracket was as narrow as asked
    std::vector<double> ours, theirs, class_times, fresh;
};

// Differences that were decided against somebody, as one can ask them again.
struct Log {
    int room;
    void print(const char* who, const std::string& what)
    {
        if (std::strcmp(who, "WITNESS") != 0 && room-- <= 0) return;
        std::printf("    against %-13s %s\n", who, what.c_str());
        std::fflush(stdout);
    }
};

double mean(const std::vector<double>& v)
{
    double s = 0;
    for (double x : v) s += x;
    return v.empty() ? 0 : s / static_cast<double>(v.size());
}

double quantile(std::vector<double> v, double q)
{
    if (v.empty()) return 0;
    std::sort(v.begin(), v.end());
    return v[static_cast<size_t>(q * static_cast<double>(v.size() - 1))];
}

std::string words(const gp_Vec& p)
{
    char text[96];
    std::snprintf(text, sizeof text, "%.17g,%.17g,%.17g", p.X(), p.Y(), p.Z());
    return text;
}

std::string verdict_words(const Claim& w, const Claim& o, double dense)
{
    char text[320];
    std::snprintf(text, sizeof text, "Witness %.12g (%s), Open CASCADE %.12g %s, dense %.12g", w.distance,
                  w.words.c_str(), o.answered ? o.distance : NAN, o.words.c_str(), dense);
    return text;
}

// ---- points ----------------------------------------------------------------------------------------------------------

gp_Vec random_direction(rng* r)
{
    for (;;) {
        double x = rng_range(r, -1, 1), y = rng_range(r, -1, 1), z = rng_range(r, -1, 1);
        double square = x * x + y * y + z * z;
        if (square > 0.01 && square < 1) return gp_Vec(x, y, z) / std::sqrt(square);
    }
}

// Half of them anywhere in the box blown up by 1.5, half at 1e-3 to 1e-1 of the size from a point of the surface.
gp_Vec random_point(rng* r, const Part& part, const std::vector<dense::Spot>& cloud, int k)
{
    if (k % 2) {
        gp_Vec at = cloud[static_cast<size_t>(rng_int(r, static_cast<int>(cloud.size())))].point;
        double far = part.size * std::pow(10, rng_range(r, -3, -1));
        return at + random_direction(r) * far;
    }
    gp_Vec p;
    for (int i = 1; i <= 3; ++i) {
        double middle = 0.5 * (part.lo.Coord(i) + part.hi.Coord(i));
        double half = 0.75 * (part.hi.Coord(i) - part.lo.Coord(i));
        p.SetCoord(i, middle + half * rng_range(r, -1, 1));
    }
    return p;
}

// The smallest distance that somebody showed a point of the part for.
double true_distance(const dense::Body& body, const Part& part, const Claim* claims, int n, double dense, bool* valid)
{
    double truth = dense;
    for (int k = 0; k < n; ++k) {
        const Claim& c = claims[k];
        double slack = part.tolerance + 1e-12 * part.size;
        valid[k] = c.answered && std::fabs((c.a - c.b).Magnitude() - c.distance) <= slack &&
                   body.nearest(c.a, 2 * slack).distance <= slack;
        if (valid[k]) truth = std::min(truth, c.distance);
    }
    return truth;
}

void judge_point(Part& part, const Claim& w, const Claim& o, bool differ, Score& s, Log& log)
{
    Claim claims[2] = {w, o};
    bool valid[2];
    double cutoff = std::max(w.distance, o.answered ? o.distance : 0.0) + part.tolerance;
    dense::Body& body = dense_of(part);
    double found = body.nearest(w.b, cutoff).distance;
    double truth = true_distance(body, part, claims, 2, found, valid);
    bool wrong[2];
    for (int k = 0; k < 2; ++k) wrong[k] = !valid[k] || claims[k].distance > truth + part.tolerance;
    bool excluded = w.lower > truth + part.tolerance;
    s.bracket_wrong += excluded;
    std::string what = words(w.b) + ": " + verdict_words(w, o, found);
    if (!differ) {
        s.checked++;
        s.checked_wrong += wrong[0];
        if (wrong[0] || excluded) log.print("WITNESS", what);
        return;
    }
    s.against_us += wrong[0] && !wrong[1];
    s.against_them += wrong[1] && !wrong[0];
    s.against_both += wrong[0] == wrong[1];
    if (wrong[0] || excluded)
        log.print("WITNESS", what);
    else
        log.print("Open CASCADE", what);
}

void judge_side(Part& part, const gp_Vec& p, const Claim& w, int them, Score& s, Log& log)
{
    if (!w.inside || !them || w.distance <= part.tolerance) return;
    s.sides++;
    if (w.inside == them) return;
    double winding = dense_of(part).winding(p);
    char text[200];
    std::snprintf(text, sizeof text, "%s: side: Witness %s (%s, distance %.6g), Open CASCADE %s, winding %.4f",
                  words(p).c_str(), w.inside > 0 ? "inside" : "outside", w.words.c_str(), w.distance,
                  them > 0 ? "inside" : "outside", winding);
    bool in = std::fabs(winding) > 0.5, clear = std::fabs(std::fabs(winding) - 0.5) > 0.25;
    if (!clear) {
        s.side_open++;
        log.print("nobody", text);
    } else if (in == (w.inside > 0)) {
        s.side_them++;
        log.print("Open CASCADE", text);
    } else {
        s.side_us++;
        log.print("WITNESS", text);
    }
}

// Each in a loop of its own: neither pays for what the other left in the caches.
std::vector<Claim> ask_us(const Part& part, const std::vector<gp_Vec>& points, Score& s)
{
    Witness us;
    std::vector<Claim> claims;
    for (const gp_Vec& p : points) {
        claims.push_back(us.point(part, p));
        s.asked++;
        s.ours.push_back(claims.back().seconds);
        s.uncertified += !claims.back().certified;
        s.budget += claims.back().budget;
    }
    return claims;
}

// As many as the time allows.
std::vector<Claim> ask_them(const Part& part, const std::vector<gp_Vec>& points, double seconds, Score& s)
{
    enum { FRESH = 10 };
    Cascade them(part);
    std::vector<Claim> claims;
    double spent = 0;
    for (const gp_Vec& p : points) {
        if (spent > seconds) break;
        Claim c = them.point(p);
        double class_seconds;
        c.inside = them.inside(p, part.tolerance, class_seconds);
        if (s.compared < FRESH) s.fresh.push_back(Cascade::fresh_point(part, p));
        spent += c.seconds + class_seconds;
        s.compared++;
        s.unanswered += !c.answered;
        s.theirs.push_back(c.seconds);
        s.class_times.push_back(class_seconds);
        claims.push_back(c);
    }
    return claims;
}

Score compare_points(const Options& options, Part& part)
{
    Score s;
    Log log{options.list};
    rng r = rng_seed(20260 + static_cast<uint64_t>(part.faces));
    std::vector<dense::Spot> cloud = dense_of(part).cloud(5000);
    std::vector<gp_Vec> points;
    for (int k = 0; k < options.points; ++k) points.push_back(random_point(&r, part, cloud, k));
    std::vector<Claim> ours = ask_us(part, points, s);
    std::vector<Claim> theirs = ask_them(part, points, options.seconds, s);
    for (size_t k = 0; k < points.size(); ++k) {
        const Claim& w = ours[k];
        if (k >= theirs.size()) {
            if (k % CHECK_EVERY == 0) judge_point(part, w, w, false, s, log);
            continue;
        }
        const Claim& o = theirs[k];
        double difference = std::fabs(w.distance - o.distance);
        bool agree = o.answered && w.answered && difference <= part.tolerance;
        if (agree) {
            s.agree++;
            s.worst = std::max(s.worst, difference);
            s.fine += difference > 1e-6 * part.size;
        }
        if (!agree || k % CHECK_EVERY == 0) judge_point(part, w, o, !agree, s, log);
        judge_side(part, points[k], w, o.inside, s, log);
    }
    return s;
}

// ---- pairs -----------------------------------------------------------------------------------------------------------

wit_pose random_pose(rng* r, const Part& a, const Part& b, double apart)
{
    wit_pose pose = wit_pose_identity();
    gp_Vec axis = random_direction(r);
    pose.rotation = wit_quat_about({axis.X(), axis.Y(), axis.Z()}, rng_range(r, 0, 6.283185307179586));
    gp_Vec way = random_direction(r), middle_a = (a.lo + a.hi) / 2, middle_b = (b.lo + b.hi) / 2;
    wit_vec3 turned = wit_pose_vector(&pose, {middle_b.X(), middle_b.Y(), middle_b.Z()});
    gp_Vec to = middle_a + way * apart - gp_Vec(turned.x, turned.y, turned.z);
    pose.position = {to.X(), to.Y(), to.Z()};
    return pose;
}

// A quarter each: apart, moved to a gap of 1e-2 to 1e-1, of 1e-6 to 1e-2 of the smaller size, and anywhere about each other.
wit_pose random_placement(rng* r, Witness& us, const Part& a, const Part& b, int k)
{
    double size = std::min(a.size, b.size), radius = 0.5 * (a.size + b.size);
    if (k % 4 == 3) return random_pose(r, a, b, radius * rng_range(r, 0, 1));
    wit_pose pose = random_pose(r, a, b, radius * rng_range(r, 1, 1.5));
    if (k % 4 == 0) return pose;
    double gap = size * (k % 4 == 1 ? std::pow(10, rng_range(r, -2, -1)) : std::pow(10, rng_range(r, -6, -2)));
    for (int round = 0; round < 4; ++round) {
        Claim c = us.pair(a, b, pose);
        if (!c.answered || c.distance <= gap) break;
        gp_Vec step = (c.a - c.b) * ((c.distance - gap) / c.distance);
        pose.position = {pose.position.x + step.X(), pose.position.y + step.Y(), pose.position.z + step.Z()};
    }
    return pose;
}

// On the solid, or in it.
bool belongs(const dense::Body& body, const gp_Vec& p, double slack)
{
    return body.nearest(p, 2 * slack).distance <= slack || std::fabs(body.winding(p)) > 0.5;
}

void judge_pair(Part& a, Part& b, const wit_pose& pose, const Claim& w, const Claim& o, bool differ, Score& s, Log& log)
{
    dense::Body &da = dense_of(a), &db = dense_of(b);
    gp_Trsf place = transformation(pose), back = place.Inverted();
    auto into_b = [&](const gp_Vec& p) { return gp_Vec(gp_Pnt(p.XYZ()).Transformed(back).XYZ()); };
    double slack = a.tolerance + b.tolerance, distances[2] = {w.distance, o.distance};
    std::vector<gp_Vec> seeds;
    bool valid[2], wrong[2];
    double truth = INFINITY;
    int n = 0;
    for (const Claim* c : {&w, &o}) {
        valid[n] = c->answered && std::fabs((c->a - c->b).Magnitude() - c->distance - c->depth) <= slack &&
                   belongs(da, c->a, slack) && belongs(db, into_b(c->b), slack);
        if (valid[n]) truth = std::min(truth, c->distance);
        if (c->answered) seeds.push_back(c->b);
        n++;
    }
    dense::PairSpot found = dense::nearest_pair(da, db, place, seeds);
    // One inside the other: no boundary meets, and a point of one is in the other.
    gp_Vec first_b(gp_Pnt(db.features().back().nodes[0].XYZ()).Transformed(place).XYZ());
    if (std::fabs(db.winding(into_b(da.features().back().nodes[0]))) > 0.5 || std::fabs(da.winding(first_b)) > 0.5)
        found.distance = 0;
    truth = std::min(truth, found.distance);
    for (int k = 0; k < 2; ++k) wrong[k] = !valid[k] || distances[k] > truth + slack;
    bool excluded = w.lower > truth + slack;
    s.bracket_wrong += excluded;
    char text[600];
    std::snprintf(text, sizeof text, "--pose-b %.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g: %s%s%s", pose.position.x,
                  pose.position.y, pose.position.z, pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z,
                  verdict_words(w, o, found.distance).c_str(), valid[0] ? "" : "; witnesses of Witness off the parts",
                  o.answered && !valid[1] ? "; points of Open CASCADE off the parts" : "");
    if (!differ) {
        s.checked++;
        s.checked_wrong += wrong[0];
    } else {
        s.against_us += wrong[0] && !wrong[1];
        s.against_them += wrong[1] && !wrong[0];
        s.against_both += wrong[0] == wrong[1];
    }
    if (wrong[0] || excluded)
        log.print("WITNESS", text);
    else if (differ)
        log.print("Open CASCADE", text);
}

Score compare_pair(const Options& options, Part& a, Part& b)
{
    Score s;
    Log log{options.list};
    rng r = rng_seed(20261 + static_cast<uint64_t>(a.faces + b.faces));
    Witness us;
    Cascade them(a);
    double spent = 0;
    for (int k = 0; k < options.placements; ++k) {
        wit_pose pose = random_placement(&r, us, a, b, k);
        Claim w = us.pair(a, b, pose), o;
        s.asked++;
        s.ours.push_back(w.seconds);
        s.uncertified += !w.certified;
        s.budget += w.budget;
        if (spent > options.seconds) {
            if (k % CHECK_PAIRS_EVERY == 0) judge_pair(a, b, pose, w, w, false, s, log);
            continue;
        }
        o = them.pair(b, pose);
        spent += o.seconds;
        s.compared++;
        s.theirs.push_back(o.seconds);
        double difference = std::fabs(w.distance - o.distance);
        bool agree = o.answered && w.answered && difference <= a.tolerance + b.tolerance;
        s.unanswered += !o.answered;
        if (agree) {
            s.agree++;
            s.worst = std::max(s.worst, difference);
            s.fine += difference > 1e-6 * std::min(a.size, b.size);
        }
        if (!agree || k % CHECK_PAIRS_EVERY == 0) judge_pair(a, b, pose, w, o, !agree, s, log);
    }
    return s;
}

// ---- tables ----------------------------------------------------------------------------------------------------------

std::string short_name(const std::string& file)
{
    return file.substr(0, std::min<size_t>(28, file.find_last_of('.')));
}

// W, O, WO: decided against Witness, Open CASCADE, both; none: Open CASCADE gave no answer; dense: agreeing answers put to
// the judge as well, bad: wrong among them, or a bracket that excludes the truth; wide: bracket wider than asked (edges off
// their faces), budget: for want of work; differ: largest difference where both agree.
void print_head(const char* what)
{
    std::printf("%-29s %6s %6s %6s %4s %4s %4s %4s %6s %4s %5s %6s %8s %8s\n", what, "asked", "both", "agree", "W", "O",
                "WO", "none", "dense", "bad", "wide", "budget", "differ", "tol");
}

void print_row(const std::string& name, const Score& s, double tolerance)
{
    std::printf("%-29s %6d %6d %6d %4d %4d %4d %4d %6d %4d %5d %6d %8.2g %8.2g\n", name.c_str(), s.asked, s.compared,
                s.agree, s.against_us, s.against_them, s.against_both, s.unanswered, s.checked,
                s.checked_wrong + s.bracket_wrong, s.uncertified, s.budget, s.worst, tolerance);
    std::fflush(stdout);
}

void print_times(const std::vector<std::pair<std::string, Score>>& scores, bool points)
{
    std::printf("\n== times of the same, processor microseconds: %s\n",
                points ? "Witness gives distance and side; Open CASCADE (part loaded once) distance + side; "
                         "new: its distance when the tool is made for each point"
                       : "one placement");
    std::printf("%-29s %9s %9s %9s %9s %9s %7s %7s", "", "W mean", "W median", "W 99%", "O mean", "O median", "mean x",
                "med. x");
    std::printf(points ? " %9s %9s %7s\n" : "\n", "O side", "O new", "new x");
    for (const auto& [name, s] : scores) {
        double w = mean(s.ours), o = mean(s.theirs), wm = quantile(s.ours, 0.5), om = quantile(s.theirs, 0.5);
        double side = mean(s.class_times), fresh = mean(s.fresh);
        std::printf("%-29s %9.4g %9.4g %9.4g %9.4g %9.4g %7.0f %7.0f", name.c_str(), 1e6 * w, 1e6 * wm,
                    1e6 * quantile(s.ours, 0.99), 1e6 * o, 1e6 * om, (o + side) / w,
                    (om + quantile(s.class_times, 0.5)) / wm);
        if (points) std::printf(" %9.4g %9.4g %7.0f", 1e6 * side, 1e6 * fresh, (fresh + side) / w);
        std::printf("\n");
    }
    std::fflush(stdout);
}

bool speaks_against_us(const Score& s)
{
    return s.against_us || s.against_both || s.checked_wrong || s.bracket_wrong || s.side_us;
}

using Parts = std::map<std::string, std::unique_ptr<Part>>;

int read_parts(const Options& options, Parts& parts)
{
    int files = 0, read = 0, bad = 0, other = 0;
    std::printf(
        "== read: faces by Witness and by Open CASCADE, volumes of the solids by both, lengths in mm\n"
        "   tolerance: what Open CASCADE gives the edges; W edges: how far they are off the faces in the model\n");
    std::printf("%-29s %5s %7s %7s %15s %15s %9s %9s %9s %8s %8s %8s\n", "part", "unit", "W faces", "O faces",
                "W volume", "O volume", "tolerance", "W edges", "size", "read s", "make s", "model kB");
    std::vector<std::filesystem::path> paths;
    for (const std::string& directory : options.directories) {
        if (!std::filesystem::is_directory(directory)) {
            std::printf("SKIPPED: STEP files of %s (it is not here)\n", directory.c_str());
            continue;
        }
        for (const auto& f : std::filesystem::recursive_directory_iterator(directory))
            if (wit_cad_format_of(f.path().c_str()) == WIT_CAD_STEP) paths.push_back(f.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        std::string why, name = short_name(path.filename().string());
        if (name.find(options.only) == std::string::npos) continue;
        files++;
        auto part = load(path.string(), why);
        if (!part) {
            std::printf("%-29s %s\n", name.c_str(), why.c_str());
            continue;
        }
        Census c = census_of(*part);
        read++;
        bad += c.differs && part->other.empty();
        other += c.differs && !part->other.empty();
        const wit_cad_report& r = part->report;
        std::printf("%-29s %5s %7d %7d %15.9g %15.9g %9.2g %9.2g %9.4g %8.2f %8.2f %8zu\n", name.c_str(),
                    wit_unit_name(r.file_unit), c.faces, part->faces, c.volume, c.theirs, part->tolerance, c.edges_off,
                    part->size, r.read_seconds, r.convert_seconds, part->text_bytes / 1024);
        std::fflush(stdout);
        parts[name] = std::move(part);
    }
    std::printf("\n%d files: %d read, %d refused; different from Open CASCADE's reading: %d as the import says, %d in "
                "silence\n",
                files, read, files - read, other, bad);
    return bad;
}

int all_points(const Options& options, Parts& parts)
{
    int bad = 0;
    std::printf("\n== points: distance to all faces of the file\n");
    print_head("part");
    std::vector<std::pair<std::string, Score>> scores;
    for (auto& [name, part] : parts) {
        if (!part->other.empty()) {
            bad += !right_by_file(*part);
            continue;
        }
        scores.emplace_back(name, compare_points(options, *part));
        print_row(name, scores.back().second, part->tolerance);
        bad += speaks_against_us(scores.back().second);
    }
    std::printf("\n== side of the same points, farther from the surface than the tolerance\n");
    std::printf("%-29s %6s %6s %5s %5s %5s %12s\n", "part", "both", "agree", "W", "O", "open", "classifier us");
    for (const auto& [name, s] : scores)
        std::printf("%-29s %6d %6d %5d %5d %5d %12.4g\n", name.c_str(), s.sides,
                    s.sides - s.side_us - s.side_them - s.side_open, s.side_us, s.side_them, s.side_open,
                    1e6 * mean(s.class_times));
    print_times(scores, true);
    return bad;
}

int all_pairs(const Options& options, Parts& parts)
{
    static const char* const pairs[][2] = {
        {"plate", "rounded-box"},
        {"pulley", "slab"},
        {"M6-1x12-countersunk-screw", "transmission_pulley_at3_t10_"},
        {"lower_leg_structure_base", "foot_structure"},
        {"transmission_pulley_at3_t10_", "lower_leg_structure_base"},
        {"tet", "sliced_cylinder"},
        {"revolved_sphere", "boxed_sphere"},
        {"NIST_MBE_PMI_11", "M6-1x12-countersunk-screw"},
        {"nist_ctc_03_asme1_ap242", "nist_ctc_03_asme1_ap203"},
        {"NIST_MBE_PMI_3", "foot_structure"},
        {"NIST_MBE_PMI_2", "nist_ctc_02_asme1_ap203"},
    };
    int bad = 0;
    std::printf("\n== pairs: the solid of most faces of each file\n");
    print_head("pair");
    std::vector<std::pair<std::string, Score>> scores;
    for (const auto& p : pairs) {
        std::string name = std::string(p[0]).substr(0, 14) + " " + std::string(p[1]).substr(0, 14);
        if (!parts.count(p[0]) || !parts.count(p[1])) continue;
        auto a = main_solid(*parts[p[0]]), b = main_solid(*parts[p[1]]);
        if (!a || !b) {
            std::printf("%-29s no solid with as many faces on both sides\n", name.c_str());
            bad++;
            continue;
        }
        scores.emplace_back(name, compare_pair(options, *a, *b));
        print_row(name, scores.back().second, a->tolerance + b->tolerance);
        bad += speaks_against_us(scores.back().second);
    }
    print_times(scores, false);
    return bad;
}

// One part in two encodings. Where the distances differ by more than the tolerances, Open CASCADE is asked for both too: if it
// finds the same difference, the files differ.
int two_encodings(const Options& options, Parts& parts)
{
    const char* names[2] = {"nist_ctc_03_asme1_ap203", "nist_ctc_03_asme1_ap242"};
    if (!parts.count(names[0]) || !parts.count(names[1])) return 0;
    Part &a = *parts[names[0]], &b = *parts[names[1]];
    double tolerance = a.tolerance + b.tolerance;
    Witness us;
    Cascade them_a(a), them_b(b);
    rng r = rng_seed(20262);
    std::vector<dense::Spot> cloud = dense_of(a).cloud(5000);
    int within = 0, shared = 0, sides = 0;
    double worst = 0;
    gp_Vec at;
    for (int k = 0; k < options.points; ++k) {
        gp_Vec p = random_point(&r, a, cloud, k);
        Claim ca = us.point(a, p), cb = us.point(b, p);
        double d = std::fabs(ca.distance - cb.distance);
        sides += ca.inside == cb.inside;
        if (d <= tolerance) {
            within++;
        } else {
            Claim oa = them_a.point(p), ob = them_b.point(p);
            shared += std::fabs(oa.distance - ca.distance) <= a.tolerance &&
                      std::fabs(ob.distance - cb.distance) <= b.tolerance;
        }
        if (d <= worst) continue;
        worst = d;
        at = p;
    }
    std::printf("\n== one part in two encodings, inch AP203 and millimetre AP242: %d points, distances in mm\n"
                "within %.3g: %d; farther: %d, of which Open CASCADE finds the same two distances: %d\n"
                "same side: %d; largest difference %.6g, at %s\n",
                options.points, tolerance, within, options.points - within, shared, sides, worst, words(at).c_str());
    return shared < options.points - within;
}

} // namespace

int main(int argc, char** argv)
{
    Options o;
    double factor = std::getenv("WITNESS_CAMPAIGN") ? std::atof(std::getenv("WITNESS_CAMPAIGN")) : 1;
    o.points = std::max(1, static_cast<int>(1000 * factor));
    o.placements = std::max(1, static_cast<int>(200 * factor));
    o.seconds = 30 * factor;
    for (int i = 1; i < argc; ++i) {
        std::string a = argv[i];
        if (a.rfind("--", 0) != 0) {
            o.directories.push_back(a);
            continue;
        }
        if (i + 1 >= argc) {
            std::fprintf(stderr, "cad_compare: %s needs a value\n", a.c_str());
            return 2;
        }
        const char* value = argv[++i];
        if (a == "--points") o.points = std::atoi(value);
        if (a == "--placements") o.placements = std::atoi(value);
        if (a == "--seconds") o.seconds = std::atof(value);
        if (a == "--only") o.only = value;
        if (a == "--list") o.list = std::atoi(value);
    }
    if (o.directories.empty()) o.directories = {"tests/data/step", "../shared/data"};
    Parts parts;
    int bad = read_parts(o, parts);
    if (parts.empty()) {
        std::fprintf(stderr, "cad_compare: no part was read\n");
        return 1;
    }
    bad += o.points > 0 ? all_points(o, parts) : 0;
    bad += o.placements > 0 ? all_pairs(o, parts) : 0;
    if (o.points > 0) bad += two_encodings(o, parts);
    std::printf("\n%s\n", bad ? "Witness was found wrong: see the lines above" : "nothing speaks against Witness");
    return bad ? 1 : 0;
}
