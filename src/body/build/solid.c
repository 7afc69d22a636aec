/* SPDX-License-Identifier: MIT */
/* Ready-made solids: the checks of the def, and the kinds with flat faces. */
#include <string.h>

#include "solid_kit.h"

#define MAX_POLYGON 16384 /* the test for crossings compares every pair of sides */

/* Sizes of one solid, and its distance from the origin, may differ by this much: the rounding of a coordinate, 1e-16 of
 * the largest, then stays below 1e-7 of the smallest. */
#define LEAST_SHARE 1e-9

/* Two sides of a polygon nearer than this share of its size touch. */
#define TOUCH 1e-12

const char* wit_solid_kind_name(wit_solid_kind kind)
{
    static const char* const names[WIT_SOLID_KIND_COUNT] = {"box",   "sphere",     "ellipsoid", "cylinder",
                                                            "cone",  "frustum",    "capsule",   "torus",
                                                            "prism", "revolution", "half-space"};
    return (unsigned)kind < WIT_SOLID_KIND_COUNT ? names[kind] : "?";
}

wit_solid_def wit_solid_default_def(wit_solid_kind kind)
{
    return (wit_solid_def){.struct_size = sizeof(wit_solid_def), .kind = kind, .frame = wi_frame_default()};
}

/* ---- checks -------------------------------------------------------------------------------- */

enum { SIZES = 1, RADIUS = 2, RADIUS2 = 4, HEIGHT = 8 };

static unsigned fields_of(wit_solid_kind kind)
{
    switch (kind) {
    case WIT_SOLID_BOX:
    case WIT_SOLID_ELLIPSOID:
        return SIZES;
    case WIT_SOLID_SPHERE:
        return RADIUS;
    case WIT_SOLID_CYLINDER:
    case WIT_SOLID_CONE:
    case WIT_SOLID_CAPSULE:
        return RADIUS | HEIGHT;
    case WIT_SOLID_FRUSTUM:
        return RADIUS | RADIUS2 | HEIGHT;
    case WIT_SOLID_TORUS:
        return RADIUS | RADIUS2;
    case WIT_SOLID_PRISM:
        return HEIGHT;
    default:
        return 0;
    }
}

typedef struct extent {
    double least, most; /* of the lengths checked so far; 0, 0: none */
} extent;

static wit_status check_size(double x, const char* item, double origin, extent* e, wit_error* error)
{
    wit_status status = wi_check_length(x, item, error);
    if (status) return status;
    if (e->most == 0) e->least = e->most = x;
    e->least = fmin(e->least, x);
    e->most = fmax(e->most, x);
    double reach = e->most + origin;
    if (reach > WIT_MAX_COORDINATE)
        return wi_error_fill(error, WIT_ERROR_RANGE, item,
                             "takes the solid to a coordinate of %g; at most %g is allowed", reach, WIT_MAX_COORDINATE);
    if (e->least < LEAST_SHARE * reach)
        return wi_error_fill(
            error, WIT_ERROR_RANGE, item,
            "is %g, but sizes run from %g to %g, counting the distance of frame.origin; they may differ "
            "by a factor of %g",
            x, e->least, reach, 1 / LEAST_SHARE);
    return WIT_OK;
}

static wit_status check_sizes(const wit_solid_def* d, wit_error* error)
{
    unsigned fields = fields_of(d->kind);
    double origin = norm3(d->frame.origin);
    const struct {
        unsigned bit;
        double value;
        const char* item;
    } all[6] = {{SIZES, d->size_x, "size_x"},  {SIZES, d->size_y, "size_y"},     {SIZES, d->size_z, "size_z"},
                {RADIUS, d->radius, "radius"}, {RADIUS2, d->radius2, "radius2"}, {HEIGHT, d->height, "height"}};
    extent e = {0, 0};
    for (int i = 0; i < 6; ++i) {
        if (!(fields & all[i].bit)) continue;
        wit_status status = check_size(all[i].value, all[i].item, origin, &e, error);
        if (status) return status;
    }
    if (d->kind == WIT_SOLID_TORUS && !(d->radius2 < d->radius))
        return wi_error_fill(error, WIT_ERROR_RANGE, "radius2",
                             "is %g; it must be smaller than radius, %g, or the torus meets itself", d->radius2,
                             d->radius);
    return WIT_OK;
}

/* ---- polygons ------------------------------------------------------------------------------ */

typedef struct point2 {
    double x, y;
} point2;

static point2 corner(const double* polygon, int count, int i)
{
    if (i >= count) i -= count;
    point2 p = {polygon[2 * i], polygon[2 * i + 1]};
    return p;
}

static double cross2(point2 o, point2 a, point2 b)
{
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/* Distance of p from the side a b. */
static double gap(point2 p, point2 a, point2 b)
{
    double dx = b.x - a.x, dy = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
    double s = fmin(fmax((px * dx + py * dy) / (dx * dx + dy * dy), 0), 1);
    return norm3(vec3(px - s * dx, py - s * dy, 0));
}

static bool sides_meet(point2 a, point2 b, point2 c, point2 d, double touch)
{
    if (larger(a.x, b.x) + touch < smaller(c.x, d.x) || larger(c.x, d.x) + touch < smaller(a.x, b.x)) return false;
    if (larger(a.y, b.y) + touch < smaller(c.y, d.y) || larger(c.y, d.y) + touch < smaller(a.y, b.y)) return false;
    if ((cross2(a, b, c) > 0) != (cross2(a, b, d) > 0) && (cross2(c, d, a) > 0) != (cross2(c, d, b) > 0)) return true;
    return fmin(fmin(gap(a, c, d), gap(b, c, d)), fmin(gap(c, a, b), gap(d, a, b))) <= touch;
}

/* Neighbours share a corner; they meet elsewhere only if one turns back along the other. */
static bool turns_back(point2 a, point2 b, point2 c, double touch)
{
    return gap(c, a, b) <= touch || gap(a, b, c) <= touch;
}

static wit_status check_simple(const double* polygon, int n, double touch, wit_error* error)
{
    for (int i = 0; i < n; ++i) {
        point2 a = corner(polygon, n, i), b = corner(polygon, n, i + 1);
        if (fmax(fabs(b.x - a.x), fabs(b.y - a.y)) <= touch)
            return wi_error_fill_at(error, WIT_ERROR_RANGE, "polygon", (i + 1) % n, -1,
                                    "repeats the point before it; a side needs a length");
    }
    for (int i = 0; i < n; ++i) {
        point2 a = corner(polygon, n, i), b = corner(polygon, n, i + 1), c = corner(polygon, n, i + 2);
        if (turns_back(a, b, c, touch))
            return wi_error_fill_at(error, WIT_ERROR_RANGE, "polygon", (i + 1) % n, -1,
                                    "turns back along the side before it; the polygon must be simple");
        for (int j = i + 2; j < n; ++j) {
            if (i == 0 && j == n - 1) continue;
            if (sides_meet(a, b, corner(polygon, n, j), corner(polygon, n, j + 1), touch))
                return wi_error_fill_at(error, WIT_ERROR_RANGE, "polygon", j, -1,
                                        "begins a side that meets the side from point %d; the polygon must be simple",
                                        i);
        }
    }
    return WIT_OK;
}

static wit_status check_polygon(const wit_solid_def* d, wit_error* error)
{
    const double* p = d->polygon;
    int n = d->polygon_count;
    if (n < 3 || n > MAX_POLYGON)
        return wi_error_fill(error, WIT_ERROR_COUNT, "polygon", "has %d points; a prism needs 3 to %d", n, MAX_POLYGON);
    if (!p) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "polygon", "is null; %d points are needed", n);
    for (int i = 0; i < 2 * n; ++i) {
        wit_status status = wi_check_number(p[i], "", NULL);
        if (status)
            return wi_error_fill_at(error, status, "polygon", i / 2, -1,
                                    "has the coordinate %g; a finite number of at most %g is needed", p[i],
                                    WIT_MAX_COORDINATE);
    }
    double size = 0, far = 0, area = 0;
    for (int i = 0; i < n; ++i) {
        point2 o = corner(p, n, 0), a = corner(p, n, i), b = corner(p, n, i + 1);
        size = fmax(size, fmax(fabs(a.x - o.x), fabs(a.y - o.y)));
        far = fmax(far, fmax(fabs(a.x), fabs(a.y)));
        area += 0.5 * cross2(o, a, b);
    }
    double origin = norm3(d->frame.origin) + far;
    extent e = {0, 0};
    wit_status status = check_size(size, "polygon", origin, &e, error);
    if (!status) status = check_size(d->height, "height", origin, &e, error);
    if (!status) status = check_simple(p, n, fmax(TOUCH * size, LEAST_SHARE * 1e-3 * (origin + e.most)), error);
    if (status) return status;
    if (area < 0)
        return wi_error_fill(error, WIT_ERROR_RANGE, "polygon",
                             "runs clockwise (its area is %g); it must run anticlockwise", area);
    return WIT_OK;
}

static wit_status check_def(const wit_solid_def* d, wit_error* error)
{
    if (!d) return wi_error_fill(error, WIT_ERROR_ARGUMENT, "def", "is null; start from wit_solid_default_def");
    wit_status status = wi_error_struct_size(d->struct_size, sizeof *d, "wit_solid_default_def", error);
    if (status) return status;
    if ((unsigned)d->kind >= WIT_SOLID_KIND_COUNT)
        return wi_error_fill(error, WIT_ERROR_ARGUMENT, "kind", "is %d; that is no kind of solid", (int)d->kind);
    status = wi_check_frame(&d->frame, error);
    if (!status) status = check_sizes(d, error);
    if (!status && d->kind == WIT_SOLID_PRISM) status = check_polygon(d, error);
    if (!status && d->kind == WIT_SOLID_REVOLUTION && !d->profile)
        status = wi_error_fill(error, WIT_ERROR_ARGUMENT, "profile", "is null; a revolution needs a curve");
    return status;
}

/* ---- flat kinds ---------------------------------------------------------------------------- */

/* The lid at height z of the polygon, looking up or down; its v is -y when it looks down. Corner i of the prism is vertex
 * first + i and its side i is edge first + i. */
static void lid(solid_kit* k, const char* name, int n, const double* polygon, double z, bool up, int first)
{
    double flip = up ? 1 : -1;
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_PLANE, wi_kit_point(k, 0, 0, z));
    d.frame.z = scale3(flip, d.frame.z);
    d.range_u = iv_point(polygon[0]);
    d.range_v = iv_point(flip * polygon[1]);
    for (int i = 1; i < n; ++i) {
        d.range_u = iv_union(d.range_u, iv_point(polygon[2 * i]));
        d.range_v = iv_union(d.range_v, iv_point(flip * polygon[2 * i + 1]));
    }
    wi_kit_face(k, name, &d);
    wi_kit_loop(k);
    for (int i = 0; i < n; ++i) {
        int s = up ? i : n - 1 - i;
        point2 a = corner(polygon, n, s), b = corner(polygon, n, s + 1);
        wi_kit_use_line(k, first + s, !up, a.x, flip * a.y, b.x, flip * b.y);
    }
}

/*
 * Corners of the floor are vertices 0 .. n - 1, of the lid n .. 2 n - 1; sides of the floor are edges 0 .. n - 1, of the
 * lid n .. 2 n - 1, uprights 2 n .. 3 n - 1. `names`, or null: floor, lid, then the walls.
 */
void wi_solid_prism(solid_kit* k, int n, const double* polygon, double base, double height, const char* const* names)
{
    kit_room room = {n + 2, 3 * n, 2 * n, n + 2, 6 * n, 9 * n, n};
    if (!wi_kit_open(k, room)) return;
    for (int i = 0; i < 2 * n; ++i)
        wi_kit_vertex(k, wi_kit_point(k, polygon[2 * (i % n)], polygon[2 * (i % n) + 1], i < n ? base : base + height));
    for (int i = 0; i < n; ++i) wi_kit_segment(k, i, (i + 1) % n);
    for (int i = 0; i < n; ++i) wi_kit_segment(k, n + i, n + (i + 1) % n);
    for (int i = 0; i < n; ++i) wi_kit_segment(k, i, n + i);
    lid(k, names ? names[0] : "bottom", n, polygon, base, false, 0);
    lid(k, names ? names[1] : "top", n, polygon, base + height, true, n);
    for (int i = 0; i < n && !k->status; ++i) {
        int j = (i + 1) % n;
        wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_PLANE, k->vertices[i].point);
        d.frame.x = sub3(k->vertices[j].point, k->vertices[i].point);
        /* Anticlockwise: outside is to the right of the side, along x cross z; y is then up. */
        double length = norm3(d.frame.x);
        d.frame.z = cross3(unit3(d.frame.x), k->frame.z);
        d.range_u = iv(0, length);
        d.range_v = iv(0, height);
        wi_kit_face(k, names ? names[2 + i] : wi_kit_name(k, "side", i), &d);
        wi_kit_loop(k);
        wi_kit_use_line(k, i, false, 0, 0, length, 0);
        wi_kit_use_line(k, 2 * n + j, false, length, 0, length, height);
        wi_kit_use_line(k, n + i, true, 0, height, length, height);
        wi_kit_use_line(k, 2 * n + i, true, 0, 0, 0, height);
    }
}

static void box(solid_kit* k)
{
    static const char* const names[6] = {"z-", "z+", "y-", "x+", "y+", "x-"};
    double x = 0.5 * k->def->size_x, y = 0.5 * k->def->size_y, z = k->def->size_z;
    const double polygon[8] = {-x, -y, x, -y, x, y, -x, y};
    wi_solid_prism(k, 4, polygon, -0.5 * z, z, names);
}

void wi_solid_half_space(solid_kit* k)
{
    kit_room room = {1, 0, 0, 0, 0, 0, 0};
    if (!wi_kit_open(k, room)) return;
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_PLANE, k->frame.o);
    d.range_u = d.range_v = iv(-WIT_MAX_COORDINATE, WIT_MAX_COORDINATE);
    wi_kit_face(k, "plane", &d);
    k->faces[0].unbounded = true;
}

/* ---- all kinds ----------------------------------------------------------------------------- */

wit_body* wit_solid_create(const wit_solid_def* def, const wit_allocator* allocator, wit_error* error)
{
    if (check_def(def, error)) return NULL;
    solid_kit k;
    memset(&k, 0, sizeof k);
    k.def = def;
    k.frame = wi_frame_of(&def->frame);
    k.memory = wi_allocator_or_default(allocator);
    k.error = error;
    switch (def->kind) {
    case WIT_SOLID_BOX:
        box(&k);
        break;
    case WIT_SOLID_CYLINDER:
        wi_solid_cylinder(&k);
        break;
    case WIT_SOLID_CONE:
        wi_solid_cone(&k);
        break;
    case WIT_SOLID_FRUSTUM:
        wi_solid_frustum(&k);
        break;
    case WIT_SOLID_CAPSULE:
        wi_solid_capsule(&k);
        break;
    case WIT_SOLID_PRISM:
        wi_solid_prism(&k, def->polygon_count, def->polygon, 0, def->height, NULL);
        break;
    case WIT_SOLID_REVOLUTION:
        wi_solid_revolution(&k);
        break;
    case WIT_SOLID_HALF_SPACE:
        wi_solid_half_space(&k);
        break;
    default:
        wi_solid_whole(&k);
        break;
    }
    return wi_kit_finish(&k);
}
