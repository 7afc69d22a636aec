/* SPDX-License-Identifier: MIT */
#include "cold_bodies.h"

#include <stdlib.h>

#include "../io/json.h"
#include "analytic.h"
#include "foreign.h"
#include "text_file.h"

/* ---- what is inside -------------------------------------------------------------------------- */

static bool in_bowl(double x, double y, double z)
{
    return z < 4 && x * x + y * y < 4 * z && x * x + y * y + (z - 7) * (z - 7) > 25;
}

static bool in_box(double x, double y, double z)
{
    return fabs(x) < 20 && fabs(y) < 15 && fabs(z) < 10;
}

static bool in_capsule(double x, double y, double z)
{
    double h = z - fmin(fmax(z, 0), 20);
    return x * x + y * y + h * h < 25;
}

static bool in_cone(double x, double y, double z)
{
    return z > 0 && z < 25 && hypot(x, y) < 10 * (1 - z / 25);
}

static bool in_cylinder(double x, double y, double z)
{
    return z > 0 && z < 30 && x * x + y * y < 100;
}

static bool in_ellipsoid(double x, double y, double z)
{
    return x * x / 9 + y * y / 4 + z * z < 1;
}

static bool in_frustum(double x, double y, double z)
{
    return z > 0 && z < 15 && hypot(x, y) < 10 - 4 * z / 15;
}

/* Basis function i of degree d by its recursion. */
static double basis(const double* knots, int i, int d, double t)
{
    if (d == 0) return t >= knots[i] && t < knots[i + 1];
    double a = knots[i + d] - knots[i], b = knots[i + d + 1] - knots[i + 1], sum = 0;
    if (a > 0) sum += (t - knots[i]) / a * basis(knots, i, d - 1, t);
    if (b > 0) sum += (knots[i + d + 1] - t) / b * basis(knots, i + 1, d - 1, t);
    return sum;
}

/* The height of the profile grows with t, as its points do. */
static bool in_goblet(double x, double y, double z)
{
    static const double knots[10] = {0, 0, 0, 0, 1, 2, 3, 3, 3, 3};
    static const double points[6][2] = {{12, 0}, {10, 4}, {2, 5}, {2, 25}, {14, 28}, {13, 50}};
    if (z <= 0 || z >= 50) return false;
    double lo = 0, hi = 3, radius = 0;
    for (int k = 0; k < 50; k++) {
        double t = 0.5 * (lo + hi), height = 0;
        radius = 0;
        for (int i = 0; i < 6; i++) {
            double n = basis(knots, i, 3, t);
            radius += n * points[i][0];
            height += n * points[i][1];
        }
        if (height < z)
            lo = t;
        else
            hi = t;
    }
    return hypot(x, y) < radius;
}

static bool in_half_space(double x, double y, double z)
{
    (void)x, (void)y;
    return z < 0;
}

static bool in_pen(double x, double y, double z)
{
    return z > 0 && z < 7 && hypot(x, y) < fmin(0.5, 0.5 * z);
}

static bool in_plate(double x, double y, double z)
{
    return x > 0 && x < 60 && y > 0 && y < 40 && z > 0 && z < 5 && hypot(x - 15, y - 20) > 6 &&
           hypot(x - 42, y - 20) > 10;
}

static bool in_prism(double x, double y, double z)
{
    return z > 0 && z < 10 && x > 0 && y > 0 && x < 30 && y < 30 && (x < 10 || y < 10);
}

static bool in_dome(double x, double y, double z)
{
    double u = x / 10, v = y / 10;
    return u > 0 && u < 1 && v > 0 && v < 1 && z > 0 && z < 6 + 4 * u * (1 - u) + 4 * v * (1 - v);
}

static bool in_sphere(double x, double y, double z)
{
    return x * x + y * y + z * z < 100;
}

static bool in_three_arc(double x, double y, double z)
{
    (void)z;
    return hypot(x, y - 0.9) < 2 && hypot(x + 0.7794228634059948, y + 0.45) < 2 &&
           hypot(x - 0.7794228634059948, y + 0.45) < 2;
}

static bool in_three_ball(double x, double y, double z)
{
    double q = z * z, s = 0.6928203230275509;
    return (x - 0.8) * (x - 0.8) + y * y + q < 4 && (x + 0.4) * (x + 0.4) + (y - s) * (y - s) + q < 4 &&
           (x + 0.4) * (x + 0.4) + (y + s) * (y + s) + q < 4;
}

static bool in_torus(double x, double y, double z)
{
    double r = hypot(x, y) - 10;
    return r * r + z * z < 9;
}

static const struct {
    const char* name;
    cold_inside* inside;
} models[COLD_MODELS] = {
    {"bowl", in_bowl},
    {"box", in_box},
    {"capsule", in_capsule},
    {"cone", in_cone},
    {"cylinder", in_cylinder},
    {"ellipsoid", in_ellipsoid},
    {"frustum", in_frustum},
    {"goblet", in_goblet},
    {"half-space", in_half_space},
    {"pen", in_pen},
    {"plate", in_plate},
    {"prism", in_prism},
    {"prism-dome", in_dome},
    {"shapes", NULL},
    {"sphere", in_sphere},
    {"table1", NULL},
    {"three-arc", in_three_arc},
    {"three-ball", in_three_ball},
    {"torus", in_torus},
    {"torus-nurbs", in_torus},
};

/* ---- models at any scale --------------------------------------------------------------------- */

/* The text of a model with every length multiplied. */
typedef struct scaler {
    const json_doc* doc;
    double scale;
    char* to;
    size_t used, room;
} scaler;

static void put(scaler* s, const char* text, size_t bytes)
{
    assert_true(s->used + bytes + 1 < s->room);
    memcpy(s->to + s->used, text, bytes);
    s->used += bytes;
    s->to[s->used] = 0;
}

static bool one_of(const char* word, const char* list)
{
    char framed[64];
    snprintf(framed, sizeof framed, " %s ", word);
    return strstr(list, framed) != NULL;
}

static bool is_length(const char* key, const char* kind)
{
    if (one_of(key, " origin points point polygon radius radius2 minor semi_x semi_y semi_z focal size_x size_y size_z "
                    "height sew_tolerance close_tolerance "))
        return true;
    if (!strcmp(key, "range")) return one_of(kind, " line parabola ");
    if (!strcmp(key, "range_u")) return one_of(kind, " plane ");
    return !strcmp(key, "range_v") && one_of(kind, " plane cylinder cone extrusion ");
}

static void put_scaled(scaler* s, size_t token, bool length)
{
    const json_token* t = &s->doc->tokens[token];
    if (t->type == JSON_NUMBER) {
        double x;
        char number[40];
        assert_true(wi_json_number(s->doc, token, &x));
        if (length)
            put(s, number, (size_t)snprintf(number, sizeof number, "%.17g", x * s->scale));
        else
            put(s, s->doc->text + t->start, t->end - t->start);
    } else if (t->type == JSON_STRING) {
        put(s, s->doc->text + t->start - 1, t->end - t->start + 2);
    } else if (t->type == JSON_ARRAY) {
        put(s, "[", 1);
        for (size_t i = token + 1, k = 0; k < t->size; k++, i = s->doc->tokens[i].next) {
            if (k) put(s, ",", 1);
            put_scaled(s, i, length);
        }
        put(s, "]", 1);
    } else if (t->type == JSON_OBJECT) {
        char kind[32] = "", key[32];
        size_t at = wi_json_member(s->doc, token, "kind");
        if (at) wi_json_string(s->doc, at, kind, sizeof kind);
        put(s, "{", 1);
        for (size_t i = token + 1, k = 0; k < t->size; k++, i = s->doc->tokens[i + 1].next) {
            wi_json_string(s->doc, i, key, sizeof key);
            if (k) put(s, ",", 1);
            put_scaled(s, i, false);
            put(s, ":", 1);
            put_scaled(s, i + 1, is_length(key, kind));
        }
        put(s, "}", 1);
    } else {
        put(s, s->doc->text + t->start, t->end - t->start);
    }
}

static void finish(cold_body* b)
{
    b->info = wit_body_describe(b->body);
    wit_body_check_result check = wit_body_check(b->body);
    b->convex = b->info.kind == WIT_BODY_SOLID && check.convex_within <= 1e-12 * b->scale;
    bool round =
        b->info.face_count == 1 && wit_surface_describe(wit_body_face(b->body, 0).surface).kind == WIT_SURFACE_SPHERE;
    if (b->convex && round && !b->info.edge_count) b->ball = 0.5 * (b->info.box.hi.x - b->info.box.lo.x);
    b->search = dense_create(b->body);
    b->centre = scale3(0.5, add3(b->info.box.lo, b->info.box.hi));
    b->size = b->info.size;
    if (b->info.unbounded) {
        b->centre = vec3(0, 0, 0);
        b->size = 10 * b->scale;
    }
}

cold_body cold_model(const char* name, double scale)
{
    cold_body b = {.scale = scale};
    snprintf(b.name, sizeof b.name, "%s", name);
    for (int k = 0; k < COLD_MODELS; k++)
        if (!strcmp(models[k].name, name)) b.inside = models[k].inside;
    char path[128];
    snprintf(path, sizeof path, "models/%s.json", name);
    size_t bytes = 0;
    char* text = text_file(path, &bytes);
    if (!text) fail_msg("%s cannot be opened (tests run from the root of the tree)", path);
    wit_error e = {0};
    if (scale == 1) {
        b.model = wit_model_read_text(text, bytes, NULL, &e);
    } else {
        json_doc doc;
        assert_int_equal(wi_json_read_text(&doc, text, bytes, NULL, &e), WIT_OK);
        scaler s = {&doc, scale, malloc(4 * bytes + 4096), 0, 4 * bytes + 4096};
        assert_non_null(s.to);
        put_scaled(&s, 0, false);
        b.model = wit_model_read_text(s.to, s.used, NULL, &e);
        free(s.to);
        wi_json_free(&doc);
    }
    if (!b.model) fail_msg("%s at scale %g: %d:%d: %s: %s", path, scale, e.line, e.column, e.item, e.text);
    free(text);
    b.body = wit_model_body(b.model, 0);
    finish(&b);
    return b;
}

/* ---- Bezier patches -------------------------------------------------------------------------- */

static cold_body cold_patches(const char* path, const char* name, double scale)
{
    cold_body b = {.scale = scale};
    snprintf(b.name, sizeof b.name, "%s", name);
    size_t bytes = 0, used = 0;
    char* text = tree_file(path, &bytes);
    char* scaled = malloc(4 * bytes + 64);
    assert_non_null(scaled);
    char* at = text;
    long patches = strtol(at, &at, 10);
    used += (size_t)snprintf(scaled, 32, "%ld\n", patches);
    for (long k = 0; k < patches; k++) {
        long p = strtol(at, &at, 10), q = strtol(at, &at, 10);
        used += (size_t)snprintf(scaled + used, 32, "%ld %ld\n", p, q);
        for (long i = 0; i < 3 * (p + 1) * (q + 1); i++)
            used += (size_t)snprintf(scaled + used, 40, "%.17g ", scale * strtod(at, &at));
    }
    wit_error e = {0};
    b.model = wit_model_read_bpt_text(scaled, used, NULL, &e);
    if (!b.model) fail_msg("%s at scale %g: %s: %s", path, scale, e.item, e.text);
    free(scaled);
    free(text);
    b.body = wit_model_body(b.model, 0);
    finish(&b);
    return b;
}

/* ---- splines --------------------------------------------------------------------------------- */

/* A rational patch of degree 3: x, y about [0, 1]^2, height by a formula of two waves. */
static wit_surface* wavy_patch(int n, double scale, double height, double wave_u, double wave_v)
{
    double *points = calloc((size_t)(3 * n * n), sizeof(double)), *weights = calloc((size_t)(n * n), sizeof(double)),
           *knots = calloc((size_t)(n + 4), sizeof(double));
    assert_true(points && weights && knots);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double x = i / (n - 1.0), y = j / (n - 1.0), *p = points + 3 * (i * n + j);
            p[0] = scale * (x + 0.02 * sin(5 * y));
            p[1] = scale * (y + 0.02 * cos(4 * x));
            p[2] = scale * (height * sin(PI * x) * sin(PI * y) + 0.05 * cos(wave_u * x + wave_v * y));
            weights[i * n + j] = 1.05 + 0.35 * sin(6 * x + 1) * cos(5 * y);
        }
    for (int i = 0; i < n + 4; i++) knots[i] = i <= 3 ? 0 : i >= n ? 1 : (double)(i - 3) / (n - 3);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_NURBS);
    d.degree_u = d.degree_v = 3;
    d.count_u = d.count_v = n;
    d.knot_count_u = d.knot_count_v = n + 4;
    d.knots_u = d.knots_v = knots;
    d.points = points;
    d.weights = weights;
    wit_surface* s = surface_made(&d);
    free(points);
    free(weights);
    free(knots);
    return s;
}

static void body_made(cold_body* b, const wit_body_def* def)
{
    wit_error e = {0};
    b->own = wit_body_create(def, NULL, &e);
    if (!b->own) fail_msg("%s at scale %g: %s: %s", b->name, b->scale, e.item, e.text);
    b->body = b->own;
    finish(b);
}

cold_body cold_bump(double scale)
{
    cold_body b = {.name = "bump 20x20", .scale = scale};
    wit_surface* s = wavy_patch(20, scale, 0.3, 7, 3);
    wit_face_def face = {.surface = s};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    body_made(&b, &def);
    wit_surface_destroy(s);
    return b;
}

/* ---- trimmed faces --------------------------------------------------------------------------- */

enum { TRIM_LOOPS = 5, TRIM_POINTS = 14 };

/*
 * A closed spline around (u, v) through no point: its control points stand at growing angles, between low and 1 times
 * the half sizes away, so it is star-shaped and within the half sizes.
 */
static wit_curve* wavy_loop(rng* r, double u, double v, double ru, double rv, double low)
{
    double points[3 * TRIM_POINTS], knots[TRIM_POINTS + 1];
    int n = 9 + rng_int(r, TRIM_POINTS - 8);
    double phase = rng_range(r, 0, 2 * PI);
    for (int k = 0; k < n; k++) {
        double angle = phase + 2 * PI * k / n;
        double far = rng_range(r, low, 1);
        points[3 * k] = u + ru * far * cos(angle);
        points[3 * k + 1] = v + rv * far * sin(angle);
        points[3 * k + 2] = 0;
    }
    for (int k = 0; k <= n; k++) knots[k] = k;
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_NURBS);
    d.degree = 2 + rng_int(r, 2);
    d.count = n;
    d.knot_count = n + 1;
    d.periodic = true;
    d.knots = knots;
    d.points = points;
    return curve_made(&d);
}

/* A surface, and the middle and half sizes of a region of its parameters that the outer loop fills. */
static wit_surface* trim_surface(rng* r, int kind, double scale, double at[4])
{
    static const wit_surface_kind kinds[5] = {WIT_SURFACE_PLANE, WIT_SURFACE_CYLINDER, WIT_SURFACE_SPHERE,
                                              WIT_SURFACE_TORUS, WIT_SURFACE_PARABOLOID};
    static const double regions[6][4] = {{0, 0, 2, 1.5},   {6, 0, 1.5, 1.5},  {0.1, 0.2, 1.2, 1.1},
                                         {3, 0, 1.6, 1.6}, {2, 0.9, 1, 0.55}, {0.5, 0.5, 0.48, 0.48}};
    memcpy(at, regions[kind], sizeof regions[kind]);
    if (kind == 0) at[2] *= scale;
    if (kind <= 1) at[3] *= scale;
    if (kind == 5) {
        double height = rng_range(r, -0.4, 0.4);
        double wave = rng_range(r, 2, 9);
        return wavy_patch(9, 3 * scale, height, wave, 9 - wave);
    }
    wit_surface_def d = wit_surface_default_def(kinds[kind]);
    d.radius = scale * rng_range(r, 1, 2);
    d.minor = scale * rng_range(r, 0.3, 0.7);
    d.semi_x = scale * rng_range(r, 0.7, 2);
    d.semi_y = scale * rng_range(r, 0.7, 2);
    d.semi_z = scale * rng_range(r, 0.3, 1);
    if (kind == 0) d.range_u = iv(-2.5 * scale, 2.5 * scale);
    if (kind <= 1) d.range_v = iv(-2 * scale, 2 * scale);
    if (kind == 4) d.range_v = iv(0, 1.5);
    return surface_made(&d);
}

cold_body cold_trimmed(rng* r, int kind, double scale)
{
    static const char* const names[6] = {"plane", "cylinder", "sphere", "torus", "paraboloid", "spline"};
    cold_body b = {.scale = scale};
    snprintf(b.name, sizeof b.name, "trimmed %s", names[kind]);
    double at[4];
    wit_surface* s = trim_surface(r, kind, scale, at);
    wit_curve* curves[TRIM_LOOPS];
    wit_use_def uses[TRIM_LOOPS];
    wit_edge_def edges[TRIM_LOOPS];
    wit_loop_def loops[TRIM_LOOPS];
    memset(uses, 0, sizeof uses);
    memset(edges, 0, sizeof edges);
    int count = 2 + rng_int(r, TRIM_LOOPS - 1), hole = rng_int(r, 4);
    for (int k = 0; k < count; k++, hole++) {
        double u = at[0] + (k ? 0.3 * (hole & 1 ? 1 : -1) : 0) * at[2];
        double v = at[1] + (k ? 0.3 * (hole & 2 ? 1 : -1) : 0) * at[3];
        double far = k ? rng_range(r, 0.1, 0.25) : 1;
        curves[k] = wavy_loop(r, u, v, far * at[2], far * at[3], k ? 0.4 : 0.85);
        edges[k].start = edges[k].end = -1;
        uses[k].edge = k;
        uses[k].reversed = k > 0;
        uses[k].parameter_curve = curves[k];
        loops[k].use_count = 1;
        loops[k].uses = &uses[k];
    }
    wit_face_def face = {.surface = s, .loop_count = count, .loops = loops};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET2);
    def.face_count = 1;
    def.faces = &face;
    def.edge_count = count;
    def.edges = edges;
    body_made(&b, &def);
    for (int k = 0; k < count; k++) wit_curve_destroy(curves[k]);
    wit_surface_destroy(s);
    return b;
}

/* ---- all ------------------------------------------------------------------------------------- */

int cold_all(double scale, uint64_t seed, cold_body out[COLD_OWN])
{
    int n = 0;
    rng r = rng_seed(seed);
    for (int k = 0; k < COLD_MODELS; k++) out[n++] = cold_model(models[k].name, scale);
    out[n++] = cold_bump(scale);
    out[n++] = cold_patches("tests/data/cup.bpt", "cup", scale);
    for (int k = 0; k < COLD_TRIMMED; k++) out[n++] = cold_trimmed(&r, k, scale);
    return n;
}

int cold_foreign(double scale, cold_body out[COLD_FOREIGN])
{
    static const char* const names[COLD_FOREIGN] = {"teacup", "teapot", "teaspoon"};
    int n = 0;
    for (int k = 0; k < COLD_FOREIGN; k++) {
        char file[64];
        snprintf(file, sizeof file, "teaset/%s.bpt", names[k]);
        const char* path = foreign_path(file);
        if (path) out[n++] = cold_patches(path, names[k], scale);
    }
    return n;
}

void cold_drop(cold_body* b)
{
    dense_destroy(b->search);
    wit_body_destroy(b->own);
    wit_model_destroy(b->model);
    memset(b, 0, sizeof *b);
}
