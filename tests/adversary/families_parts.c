/* SPDX-License-Identifier: MIT */
/*
 * Parts read from STEP files. Those of the project (tests/data/step) are made by construction, so that the signed distance of
 * every point is a closed form; parts of others, where they are, are asked twice: at q, and at points between q and its
 * closest point p, whose distance then is |x - p| by the first answer: planted along the normal.
 *
 * Reading needs Open CASCADE (ADVERSARY_CAD). Without it the family is left out, and says so.
 */
#include "families.h"

#include <stdio.h>

#ifndef ADVERSARY_CAD

void run_parts(batch* b)
{
    static bool said;
    (void)b;
    if (!said) printf("SKIPPED: STEP parts of the adversary (Open CASCADE is not here)\n");
    said = true;
}

#else

#include "../../include/witness/cad.h"

/* ---- closed forms: about the middle of the part's box, in the unit of its file ---------------------------------- */

static LD past(LD a, LD b)
{
    if (a <= 0 && b <= 0) return larger_of(a, b);
    a = larger_of(a, 0);
    b = larger_of(b, 0);
    return sqrtl(a * a + b * b);
}

static range exactly(LD d)
{
    return (range){d, d};
}

/* 80 x 40 x 10 with a hole of radius 6, 20 off its middle: a prism over a rectangle less a disc inside it. */
static range plate_form(v3 x)
{
    LD flat = past(fabsl(x.x) - 40, fabsl(x.y) - 20), hole = 6 - sqrtl((x.x + 20) * (x.x + 20) + x.y * x.y);
    return exactly(past(larger_of(flat, hole), fabsl(x.z) - 5));
}

/* 40 x 30 x 20, rounded by 5: all points within 5 of a box. */
static range rounded_form(v3 x)
{
    LD q[3] = {fabsl(x.x) - 15, fabsl(x.y) - 10, fabsl(x.z) - 5};
    return exactly(past(past(q[0], q[1]), q[2]) - 5);
}

static LD to_segment(LD x, LD y, const LD s[4])
{
    LD dx = s[2] - s[0], dy = s[3] - s[1], t = ((x - s[0]) * dx + (y - s[1]) * dy) / (dx * dx + dy * dy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return sqrtl((x - s[0] - t * dx) * (x - s[0] - t * dx) + (y - s[1] - t * dy) * (y - s[1] - t * dy));
}

/* A disc (20, 10 high) with a bore of 5 and a groove of radius 3 about its rim: by its section, the upper half of it. */
static range pulley_form(v3 x)
{
    static const LD sides[3][4] = {{5, 0, 5, 5}, {5, 5, 20, 5}, {20, 5, 20, 3}};
    LD rho = sqrtl(x.x * x.x + x.y * x.y), z = fabsl(x.z), least = INFINITY;
    LD groove = sqrtl((rho - 20) * (rho - 20) + z * z) - 3;
    for (int i = 0; i < 3; i++) least = smaller_of(least, to_segment(rho, z, sides[i]));
    if (rho <= 20) least = smaller_of(least, fabsl(groove));
    return exactly(rho >= 5 && rho <= 20 && z <= 5 && groove >= 0 ? -least : least);
}

/* How high the top of the slab is: 2 S(s) S(t), S = 3 s^2 - 2 s^3, s = 1 at the middle and 0 at the border. */
static LD slab_top(LD x, LD y)
{
    LD s = larger_of(0, 1 - fabsl(x) / 10), t = larger_of(0, 1 - fabsl(y) / 10);
    return 2 * s * s * (3 - 2 * s) * t * t * (3 - 2 * t);
}

/*
 * Between the graph of the top and the same 5 lower, |x|, |y| <= 10; z = 0 of the file is 1.5 above the middle. The slope is
 * at most L = 0.15 * 2 * sqrt(2): what is e above a graph of that slope is at least e / sqrt(1 + L^2) from all below it.
 */
static range slab_form(v3 x)
{
    const LD lean = sqrtl(1 + 0.18L);
    LD z = x.z - 1.5L, cx = x.x < -10 ? -10 : x.x > 10 ? 10 : x.x, cy = x.y < -10 ? -10 : x.y > 10 ? 10 : x.y;
    LD top = slab_top(cx, cy), over = z - slab_top(x.x, x.y), under = slab_top(x.x, x.y) - 5 - z;
    LD across = larger_of(fabsl(x.x), fabsl(x.y)) - 10, up = larger_of(over, under);
    if (across <= 0 && up <= 0) return (range){larger_of(up, across), larger_of(up / lean, across)};
    LD cz = z > top ? top : z < top - 5 ? top - 5 : z;
    range r = {larger_of(up / lean, across), norm(vec(x.x - cx, x.y - cy, z - cz))};
    return (range){larger_of(0, r.lo), r.hi};
}

/* ---- parts ------------------------------------------------------------------------------------------ */

typedef struct own_part {
    const char *file, *name;
    range (*form)(v3 x); /* null: turned, by its corners */
    double size[3], middle[3];
    int corners;
    double corner[4][2];
} own_part;

enum { OWN = 8, FOREIGN = 5, UNITS = 2 };
#define OWN_FOLDER "tests/data/step/"
#define FOREIGN_FOLDER "../shared/data/"
/* Files have 13 digits; those of angles and ranges of parameters are rounded too. */
#define FILE_DIGITS 1e-11

static const own_part own_parts[OWN] = {
    {"plate", "plate", plate_form, {80, 40, 10}, {40, 20, 5}, 0, {{0}}},
    {"rounded-box", "rounded box", rounded_form, {40, 30, 20}, {20, 15, 10}, 0, {{0}}},
    {"pulley", "pulley", pulley_form, {40, 40, 10}, {0, 0, 5}, 0, {{0}}},
    {"turned-pulley", "turned pulley", pulley_form, {40, 40, 10}, {0, 0, 5}, 0, {{0}}},
    {"slab", "slab", slab_form, {20, 20, 7}, {10, 10, -1.5}, 0, {{0}}},
    {"frustum-inch", "frustum", NULL, {0}, {0}, 4, {{0, 0}, {1, 0}, {0.5, 2}, {0, 2}}},
    {"pin-in-plate", "plate", plate_form, {80, 40, 10}, {40, 20, 5}, 0, {{0}}},
    {"pin-in-plate", "pin", NULL, {0}, {0}, 4, {{0, 0}, {5.5, 0}, {5.5, 30}, {0, 30}}},
};
static const char* const foreign_parts[FOREIGN] = {"axom/tet.step", "axom/sliced_cylinder.step",
                                                   "axom/boxed_sphere.step", "build123d/M6-1x12-countersunk-screw.step",
                                                   "odri/foot_structure.STEP"};

/* Read once, kept to the end: own parts in the unit of the file and in one that is not. */
static wit_model* read_part(const char* path, bool metres, bool needed)
{
    wit_cad_def def = wit_cad_default_def();
    wit_error error = {0};
    FILE* there = fopen(path, "rb");
    if (!there && !needed) printf("SKIPPED: %s (not in %s)\n", path, FOREIGN_FOLDER);
    if (there) fclose(there);
    if (!there && !needed) return NULL;
    if (metres) def.unit = WIT_UNIT_M;
    wit_cad* cad = wit_cad_read_file(path, &def, &error);
    wit_model* model = cad ? wit_cad_model(cad, NULL, &error) : NULL;
    if (!model) printf("adversary: %s was not read: %s\n", path, error.text);
    wit_cad_destroy(cad);
    return model;
}

static wit_model* own_model(int k, int unit)
{
    static wit_model* models[OWN][UNITS];
    static bool tried[OWN][UNITS];
    char path[128];
    snprintf(path, sizeof path, OWN_FOLDER "%s.step", own_parts[k].file);
    if (!tried[k][unit]) models[k][unit] = read_part(path, unit, true);
    tried[k][unit] = true;
    return models[k][unit];
}

static wit_model* foreign_model(int k)
{
    static wit_model* models[FOREIGN];
    static bool tried[FOREIGN];
    char path[128];
    snprintf(path, sizeof path, FOREIGN_FOLDER "%s", foreign_parts[k]);
    if (!tried[k]) models[k] = read_part(path, false, false);
    tried[k] = true;
    return models[k];
}

static wit_body* body_named(wit_model* model, const char* name)
{
    int at = model ? wit_model_find_body(model, name) : -1;
    if (at < 0) return NULL;
    return (wit_body*)(uintptr_t)wit_model_body(model, at); /* an actor may destroy its body; these are never let go */
}

/* As the shapes of truth.h: `unit` is how many of the body's are one of the file's. */
static bool enter_part(actor* a, int k, int metres)
{
    const own_part* p = &own_parts[k];
    double unit = !metres ? 1 : k == 5 ? 0.0254 : 0.001;
    shape* s = &a->shape;
    s->kind = p->form ? FORM : TURNED;
    s->form = p->form;
    s->unit = unit;
    s->convex = !p->form || p->form == rounded_form;
    s->corners = p->corners;
    for (int i = 0; i < 3; i++) {
        s->size[i] = p->size[i] * unit;
        s->origin[i] = p->middle[i] * unit;
    }
    for (int i = 0; i < p->corners; i++) {
        s->corner[i][0] = p->corner[i][0] * unit;
        s->corner[i][1] = p->corner[i][1] * unit;
    }
    set_reach(s);
    s->blur = FILE_DIGITS * s->reach;
    a->placed.shape = s;
    a->placed.offset = vec(0, 0, 0);
    a->body = body_named(own_model(k, metres), p->name);
    return a->body != NULL;
}

static void own_scene(batch* b, actor* a, actor* c)
{
    double far = (double)a->shape.reach;
    a->placed.at = any_place(&b->d, below(&b->d, 2) ? far : 0);
    for (int i = 0; i < 4; i++) ask_somewhere(b, a);
    place_near(&b->d, a, c, between(&b->d, 0, 2.5) * far);
    ask_at_most(b, 8000);
    claim k = claim_of_pair(a, c, 6);
    k.widened = wit_body_describe(a->body).tolerance;
    k.truth = both_hold(k.truth, about_core(&c->placed, &a->placed));
    ask_claimed(b, a, c, &k);
}

/* The pin in the hole of its plate, turned about its axis and put aside by e: the gap is 0.5 - e while it is positive. */
static void pin_scene(batch* b, actor* plate, actor* pin, double unit)
{
    double aside = below(&b->d, 3) ? between(&b->d, 0, 0.55) : 0, angle = between(&b->d, 0, 6.28), t[4];
    v3 hole = vec((20 + aside * cosl(angle)) * unit, (20 + aside * sinl(angle)) * unit, between(&b->d, -18, -2) * unit);
    plate->placed.at = any_place(&b->d, below(&b->d, 2) ? unit : 0);
    small_rotation(vec(0, 0, 1), below(&b->d, 2) ? between(&b->d, 0, 6) : 0, t);
    turn_by(plate->placed.at.q, t, pin->placed.at.q);
    place_from(plate, pin, turned(&plate->placed.at, hole));
    ask_at_most(b, 8000);
    claim k = claim_of_pair(plate, pin, 4);
    k.widened = wit_body_describe(plate->body).tolerance + wit_body_describe(pin->body).tolerance;
    /* where the pin stands by its rounded pose; its axis leans by the rounding of two quaternions, over 30 units */
    v3 at = turned_back(&plate->placed.at, pin->placed.offset);
    LD off = sqrtl((at.x - 20 * (LD)unit) * (at.x - 20 * (LD)unit) + (at.y - 20 * (LD)unit) * (at.y - 20 * (LD)unit));
    LD error = 64 * (LD)DBL_EPSILON * 30 * unit + plate->shape.blur + pin->shape.blur;
    LD gap = (LD)0.5 * unit - off;
    if (gap > error) k.truth = (range){gap - error, gap + error};
    ask_claimed(b, plate, pin, &k);
}

/* Between q and its closest point p, and beyond q: |sd(x) - sd(q)| <= |x - q|, and |sd(x)| <= |x - p|. */
static void foreign_scene(batch* b, const wit_body* body)
{
    wit_body_info info = wit_body_describe(body);
    double size = info.size, q[3];
    const double lo[3] = {info.box.lo.x, info.box.lo.y, info.box.lo.z},
                 hi[3] = {info.box.hi.x, info.box.hi.y, info.box.hi.z};
    for (int i = 0; i < 3; i++) q[i] = between(&b->d, lo[i] - 0.2 * size, hi[i] + 0.2 * size);
    wit_placed at = wit_placed_at(body, wit_pose_identity());
    claim k = {{-INFINITY, INFINITY}, size, info.tolerance, info.kind != WIT_BODY_SOLID, 3 * size};
    k.coordinates += norm(vec(q[0], q[1], q[2]));
    ask_any(b);
    judge_point(b, &at, (wit_vec3){q[0], q[1], q[2]}, &k);
    const wit_closest first = b->answer;
    if (info.kind != WIT_BODY_SOLID || !(first.upper_bound < INFINITY) || first.outcome == WIT_OUTCOME_BEYOND ||
        first.outcome == WIT_OUTCOME_EMPTY)
        return;
    LD slack = b->asked.rigorous ? 0 : (LD)b->asked.tolerance * larger_of(size, fabs(first.distance));
    for (int i = 0; i < 3; i++) {
        double t = i == 2 ? between(&b->d, -0.5, 0) : 1 - magnitude(&b->d, -9, 0);
        wit_vec3 p = first.a.point, x = {q[0] + t * (p.x - q[0]), q[1] + t * (p.y - q[1]), q[2] + t * (p.z - q[2])};
        LD way = norm(vec((LD)x.x - q[0], (LD)x.y - q[1], (LD)x.z - q[2])) * (1 + 8 * ULP);
        LD most = norm(vec((LD)x.x - p.x, (LD)x.y - p.y, (LD)x.z - p.z)) + 1e-13L * k.coordinates + info.tolerance;
        claim c = k;
        c.truth = (range){larger_of(first.lower_bound - way, -most) - slack,
                          smaller_of(first.upper_bound + way, most) + slack};
        ask_any(b);
        judge_point(b, &at, x, &c);
    }
}

void run_parts(batch* b)
{
    static actor a, c;
    int what = below(&b->d, 4), k = below(&b->d, OWN), metres = below(&b->d, 2);
    if (what == 0) {
        wit_model* model = foreign_model(below(&b->d, FOREIGN));
        int bodies = model ? wit_model_body_count(model) : 0;
        if (bodies) {
            foreign_scene(b, wit_model_body(model, below(&b->d, bodies)));
            return;
        }
    }
    if (what == 1 && enter_part(&a, 6, metres) && enter_part(&c, 7, metres)) {
        for (int i = 0; i < 2; i++) pin_scene(b, &a, &c, metres ? 0.001 : 1);
        return;
    }
    if (!enter_part(&a, k, metres)) return;
    do any_convex(&b->d, &c.shape, (double)a.shape.reach * magnitude(&b->d, -1, 0), 3);
    while (c.shape.kind != BALL && c.shape.kind != CAPSULE && c.shape.kind != BOX);
    if (enter(&c)) own_scene(b, &a, &c);
    leave(&c);
}

#endif
