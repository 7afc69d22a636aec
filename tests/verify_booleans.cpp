// SPDX-License-Identifier: MIT
/*
 * verify_booleans [--count N] [--first K] [--format step|iges|brep] [--unit MM|M|UM|INCH] [--keep DIR] [--quiet]
 *
 * Writes Booleans of box, sphere, cylinder, cone and torus to files and reads them back as models. What was read must be
 * what was written: volume and area to 1e-6 of Open CASCADE's for the shape before writing, as many faces, and 100 points on
 * the side that the closed forms say. A file is refused (nothing, or not all of it, was read, and that is said), right, or
 * different; a difference of which nothing was said ends this program with exit code 1, as do refusals beyond 1 %.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <unistd.h>

#include "../include/witness/query.h"
#include "cad_boolean.h"
#include "random.h"

using namespace boolean;

namespace
{

enum { POINTS = 100, FORMATS = WIT_CAD_FORMAT_COUNT };
const double CLOSE = 1e-6;  // of volume and area
const double MARGIN = 1e-4; // of the size: points nearer to a surface are not asked

struct Options {
    long count = 20, first = 0;
    int format = -1, unit = -1;
    std::string keep;
    bool quiet = false;
};

struct Tally {
    long read = 0, right = 0, refused = 0, different = 0;
    double volume = 0, area = 0; // worst relative difference of those that are right
};

struct Run {
    Options options;
    std::string directory;
    wit_query* query;
    Tally tally[FORMATS][4];
    std::map<std::string, int> reasons;
};

// A reason without its numbers, by which refusals are listed.
std::string kind_of(const std::string& reason)
{
    std::string r;
    for (char c : reason) {
        bool digit = (c >= '0' && c <= '9') || (c == '.' && !r.empty() && r.back() == 'N');
        if (!digit)
            r += c;
        else if (r.empty() || r.back() != 'N')
            r += 'N';
    }
    return r.substr(0, 160);
}

// What differs between the model and the case, or "".
std::string difference(Run& run, const Case& c, const wit_model* m, const Unit& unit, Tally& tally)
{
    char text[200];
    double volume = 0, area = 0, mm = unit.mm;
    int faces = 0, solids = 0;
    for (int i = 0; i < wit_model_body_count(m); ++i) {
        const wit_body* b = wit_model_body(m, i);
        wit_body_check_result r = wit_body_check(b);
        wit_body_info info = wit_body_describe(b);
        faces += info.face_count;
        solids += info.kind == WIT_BODY_SOLID;
        volume += r.volume * mm * mm * mm;
        area += r.area * mm * mm;
        if (!r.watertight || !r.oriented) return "not watertight, or not oriented";
    }
    if (solids != c.solids) return "solids: " + std::to_string(solids) + ", not " + std::to_string(c.solids);
    if (faces != c.faces) return "faces: " + std::to_string(faces) + ", not " + std::to_string(c.faces);
    double dv = std::fabs(volume / c.volume - 1), da = std::fabs(area / c.area - 1);
    if (!(dv <= CLOSE) || !(da <= CLOSE)) {
        std::snprintf(text, sizeof text, "volume %.9g, not %.9g (%.2g); area %.9g, not %.9g (%.2g)", volume, c.volume,
                      dv, area, c.area, da);
        return text;
    }
    rng r = rng_seed(0x51de5u + static_cast<uint64_t>(c.number));
    for (int k = 0; k < POINTS; ++k) {
        auto coordinate = [&](double lo, double hi) {
            return rng_range(&r, lo - 0.2 * (hi - lo), hi + 0.2 * (hi - lo));
        };
        double x = coordinate(c.lo.X(), c.hi.X()), y = coordinate(c.lo.Y(), c.hi.Y()),
               z = coordinate(c.lo.Z(), c.hi.Z());
        gp_Pnt p(x, y, z);
        if (c.margin(p) < MARGIN * c.size) continue;
        bool inside = false;
        for (int i = 0; i < wit_model_body_count(m); ++i) {
            wit_placed at = wit_placed_at(wit_model_body(m, i), wit_model_body_pose(m, i));
            wit_closest answer;
            if (wit_closest_point(run.query, &at, wit_vec3{x / mm, y / mm, z / mm}, &answer))
                return "the query was refused";
            inside = inside || answer.distance < 0;
        }
        if (inside == c.holds(p)) continue;
        std::snprintf(text, sizeof text, "the point %.17g,%.17g,%.17g mm is %s", x, y, z,
                      inside ? "inside" : "outside");
        return text;
    }
    tally.volume = std::fmax(tally.volume, dv);
    tally.area = std::fmax(tally.area, da);
    return "";
}

// Reads the file; a refusal in words, or the model.
wit_model* read_back(const std::string& path, const Case& c, std::string& refusal)
{
    wit_error e{};
    wit_cad* cad = wit_cad_read_file(path.c_str(), nullptr, &e);
    if (!cad) {
        refusal = e.text;
        return nullptr;
    }
    wit_cad_report r = wit_cad_describe(cad);
    for (int k = 0; k < r.problem_count && refusal.empty(); ++k) {
        wit_cad_problem p = wit_cad_problem_at(cad, k);
        if (p.lost) refusal = std::string(p.entity) + ": " + p.text;
    }
    wit_model* m = refusal.empty() ? wit_cad_model(cad, nullptr, &e) : nullptr;
    if (!m && refusal.empty()) refusal = e.text;
    (void)c;
    wit_cad_destroy(cad);
    return m;
}

void try_file(Run& run, const Case& c, int format, int unit)
{
    static const char* const endings[] = {"", ".step", ".igs", ".brep"};
    Tally& tally = run.tally[format][unit];
    std::string path =
        run.directory + "/boolean-" + std::to_string(c.number) + "-" + UNITS[unit].name + endings[format];
    std::string refusal, wrong;
    tally.read++;
    if (!write(c.shape, static_cast<wit_cad_format>(format), UNITS[unit], path)) {
        std::printf("%s: Open CASCADE does not write it to %s\n", c.text().c_str(), path.c_str());
        return;
    }
    wit_model* m = read_back(path, c, refusal);
    if (m) wrong = difference(run, c, m, UNITS[unit], tally);
    tally.refused += !m;
    tally.different += !wrong.empty();
    tally.right += m && wrong.empty();
    if (!m) run.reasons[kind_of(refusal)]++;
    if (!run.options.quiet && (!m || !wrong.empty()))
        std::printf("%s, %s in %s: %s: %s\n", c.text().c_str(),
                    wit_cad_format_name(static_cast<wit_cad_format>(format)), UNITS[unit].name,
                    m ? "DIFFERENT" : "refused", m ? wrong.c_str() : refusal.c_str());
    std::fflush(stdout);
    bool kept = !run.options.keep.empty() && (!m || !wrong.empty());
    if (!kept) std::remove(path.c_str());
    wit_model_destroy(m);
}

bool parse(int argc, char** argv, Options& o)
{
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
        if (word == "--quiet") {
            o.quiet = true;
            continue;
        }
        if (value.empty()) return false;
        if (word == "--count") o.count = std::atol(value.c_str());
        if (word == "--first") o.first = std::atol(value.c_str());
        if (word == "--keep") o.keep = value;
        for (int f = WIT_CAD_STEP; word == "--format" && f < FORMATS; ++f)
            if (value == wit_cad_format_name(static_cast<wit_cad_format>(f))) o.format = f;
        for (int u = 0; word == "--unit" && u < 4; ++u)
            if (value == UNITS[u].name) o.unit = u;
        ++i;
    }
    return true;
}

int table(const Run& run, long made, long unusable)
{
    long all = 0, refused = 0, different = 0;
    std::printf("%ld Booleans, 100 points each; %ld that Open CASCADE did not make are left out\n", made, unusable);
    std::printf("%-6s %-5s %7s %7s %8s %10s %10s %10s\n", "format", "unit", "files", "right", "refused", "different",
                "volume", "area");
    for (int f = WIT_CAD_STEP; f < FORMATS; ++f)
        for (int u = 0; u < 4; ++u) {
            const Tally& t = run.tally[f][u];
            if (!t.read) continue;
            std::printf("%-6s %-5s %7ld %7ld %8ld %10ld %10.2g %10.2g\n",
                        wit_cad_format_name(static_cast<wit_cad_format>(f)), UNITS[u].name, t.read, t.right, t.refused,
                        t.different, t.volume, t.area);
            all += t.read;
            refused += t.refused;
            different += t.different;
        }
    for (const auto& r : run.reasons) std::printf("refused %d times: %s\n", r.second, r.first.c_str());
    std::printf("%ld files: %ld refused, %ld different without a word\n", all, refused, different);
    return different > 0 || refused * 100 > all;
}

} // namespace

int main(int argc, char** argv)
{
    Run run{};
    if (!parse(argc, argv, run.options)) {
        std::fprintf(stderr,
                     "usage: verify_booleans [--count N] [--first K] [--format F] [--unit U] [--keep DIR] [--quiet]\n");
        return 2;
    }
    char scratch[] = "/tmp/witness-booleans-XXXXXX";
    run.directory = run.options.keep;
    if (run.directory.empty()) run.directory = mkdtemp(scratch) ? scratch : ".";
    run.query = wit_query_create(nullptr, nullptr, nullptr);
    long made = 0, unusable = 0;
    for (long k = run.options.first; made < run.options.count; ++k) {
        Case c(k);
        if (!c.usable()) {
            unusable++;
            continue;
        }
        made++;
        for (int f = WIT_CAD_STEP; f < FORMATS; ++f)
            for (int u = 0; u < 4; ++u)
                if ((run.options.format < 0 || run.options.format == f) &&
                    (run.options.unit < 0 || run.options.unit == u))
                    try_file(run, c, f, u);
    }
    wit_query_destroy(run.query);
    if (run.options.keep.empty()) rmdir(run.directory.c_str());
    return table(run, made, unusable);
}
