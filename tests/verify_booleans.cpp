// SPDX-License-Identifier: MIT
/*
 * verify_booleans [--count N] [--first K] [--format step|iges|brep] [--unit MM|M|UM|INCH] [--keep DIR] [--seconds S] [--quiet]
 *
 * Writes Booleans of box, sphere, cylinder, cone and torus to files and reads them back as models. What was read must be
 * what was written: volume and area to 1e-6 of Open CASCADE's for the shape before writing, as many faces, and 100 points on
 * the side that the closed forms say. A file is refused (nothing, or not all of it, was read, and that is said), right, or
 * different; a difference of which nothing was said ends this program with exit code 1, as do refusals beyond 1 %. Cases are
 * made, and files are written and read, in processes of their own with limits of time and memory, as the command reads them:
 * a file in which Open CASCADE hangs or crashes is refused, with that reason.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include <sys/stat.h>

#include "../include/witness/query.h"
#include "cad_boolean.h"
#include "limited_child.h"
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
    double seconds = 60; // for a file, and for making a case
    bool quiet = false;
};

struct Tally {
    long read = 0, right = 0, refused = 0, different = 0;
    double volume = 0, area = 0; // worst relative difference of those that are right
};

struct Run {
    Options options;
    std::string directory;
    Tally tally[FORMATS][4];
    long unwritten = 0;
    std::map<std::string, int> reasons;
};

// What became of a file. In words: "written" as soon as it is, then one of these with a text, or "right VOLUME AREA".
constexpr const char *WRITTEN = "written\n", *REFUSED = "refused ", *DIFFERENT = "different ", *RIGHT = "right ";

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
std::string difference(wit_query* query, const Case& c, const wit_model* m, const Unit& unit, Tally& tally)
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
            if (wit_closest_point(query, &at, wit_vec3{x / mm, y / mm, z / mm}, &answer))
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
wit_model* read_back(const std::string& path, std::string& refusal)
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
    wit_cad_destroy(cad);
    return m;
}

// In a process of its own.
void write_and_read(const Case& c, wit_cad_format format, const Unit& unit, const std::string& path, FILE* out)
{
    std::string refusal, wrong;
    Tally tally;
    if (!write(c.shape, format, unit, path)) return;
    std::fputs(WRITTEN, out);
    std::fflush(out);
    wit_model* m = read_back(path, refusal);
    wit_query* query = wit_query_create(nullptr, nullptr, nullptr);
    if (m) wrong = difference(query, c, m, unit, tally);
    if (!m)
        std::fprintf(out, "%s%s", REFUSED, refusal.c_str());
    else if (!wrong.empty())
        std::fprintf(out, "%s%s", DIFFERENT, wrong.c_str());
    else
        std::fprintf(out, "%s%.17g %.17g", RIGHT, tally.volume, tally.area);
    wit_query_destroy(query);
    wit_model_destroy(m);
}

bool begins(const std::string& s, const char* word)
{
    return s.compare(0, std::strlen(word), word) == 0;
}

// What was said of the file, taken down.
void count(Run& run, const std::string& text, int format, int unit, const limited::Ended& e)
{
    Tally& tally = run.tally[format][unit];
    const char* name = wit_cad_format_name(static_cast<wit_cad_format>(format));
    bool written = begins(e.said, WRITTEN);
    std::string said = written ? e.said.substr(std::strlen(WRITTEN)) : "";
    if (!written) {
        run.unwritten++;
        std::printf("%s, %s in %s: Open CASCADE does not write it: %s\n", text.c_str(), name, UNITS[unit].name,
                    e.why.c_str());
        return;
    }
    tally.read++;
    if (e.good && begins(said, RIGHT)) {
        double volume = 0, area = 0;
        std::sscanf(said.c_str() + std::strlen(RIGHT), "%lf %lf", &volume, &area);
        tally.right++;
        tally.volume = std::fmax(tally.volume, volume);
        tally.area = std::fmax(tally.area, area);
        return;
    }
    bool different = e.good && begins(said, DIFFERENT);
    std::string reason = !e.good     ? "Open CASCADE: " + e.why
                         : different ? said.substr(std::strlen(DIFFERENT))
                                     : said.substr(std::strlen(REFUSED));
    (different ? tally.different : tally.refused)++;
    if (!different) run.reasons[std::string(name) + ": " + kind_of(reason)]++;
    if (!run.options.quiet)
        std::printf("%s, %s in %s: %s: %s\n", text.c_str(), name, UNITS[unit].name, different ? "DIFFERENT" : "refused",
                    reason.c_str());
    std::fflush(stdout);
}

void try_file(Run& run, const Case& c, int format, int unit)
{
    static const char* const endings[] = {"", ".step", ".igs", ".brep"};
    std::string path =
        run.directory + "/boolean-" + std::to_string(c.number) + "-" + UNITS[unit].name + endings[format];
    limited::Limits limits;
    limits.seconds = run.options.seconds;
    long right = run.tally[format][unit].right;
    limited::Ended e = limited::run(
        limits, [&](FILE* out) { write_and_read(c, static_cast<wit_cad_format>(format), UNITS[unit], path, out); });
    count(run, c.text(), format, unit, e);
    if (run.options.keep.empty() || run.tally[format][unit].right > right) std::remove(path.c_str());
}

// Open CASCADE makes the case in another process first: it may hang or crash in that too.
bool can_be_made(const Run& run, long k)
{
    limited::Limits limits;
    limits.seconds = run.options.seconds;
    limited::Ended e = limited::run(limits, [&](FILE* out) { std::fputs(Case(k).usable() ? "usable" : "no", out); });
    return e.good && e.said == "usable";
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
        if (word == "--seconds") o.seconds = std::atof(value.c_str());
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
    if (run.unwritten) std::printf("%ld files that Open CASCADE did not write are left out\n", run.unwritten);
    std::printf("%ld files: %ld refused, %ld different without a word\n", all, refused, different);
    return different > 0 || refused * 100 > all;
}

} // namespace

int main(int argc, char** argv)
{
    Run run{};
    if (!parse(argc, argv, run.options)) {
        std::fprintf(
            stderr, "usage: verify_booleans [--count N] [--first K] [--format F] [--unit U] [--keep DIR] [--seconds S] "
                    "[--quiet]\n");
        return 2;
    }
    char scratch[] = "/tmp/witness-booleans-XXXXXX";
    run.directory = run.options.keep;
    if (run.directory.empty())
        run.directory = mkdtemp(scratch) ? scratch : ".";
    else
        mkdir(run.directory.c_str(), 0777);
    long made = 0, unusable = 0;
    for (long k = run.options.first; made < run.options.count; ++k) {
        if (!can_be_made(run, k)) {
            unusable++;
            continue;
        }
        Case c(k);
        made++;
        for (int f = WIT_CAD_STEP; f < FORMATS; ++f)
            for (int u = 0; u < 4; ++u)
                if ((run.options.format < 0 || run.options.format == f) &&
                    (run.options.unit < 0 || run.options.unit == u))
                    try_file(run, c, f, u);
    }
    if (run.options.keep.empty()) rmdir(run.directory.c_str());
    return table(run, made, unusable);
}
