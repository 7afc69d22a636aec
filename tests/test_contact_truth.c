/* SPDX-License-Identifier: MIT */
/*
 * Solids that go into each other, through and out again, slowly and fast. The judge of every frame is the cold query:
 *     wrong    converged, and the distance is not the cold one (of convex solids and half-spaces: within 1e-9 of the size;
 *              of others inside its bracket)
 *     silent   converged and apart, while the cold query proves that they overlap
 *     leaps    the distance of two converged frames, one after the other, differs by more than the bodies have moved
 *     open     no answer, and that was said
 *     doubted  what is known without any search for a depth says otherwise (overlap_truth.h): points that both share are deeper
 *              than the answer or its bracket, or a shorter translation parts them
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../include/witness/io.h"
#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "analytic.h"
#include "campaign.h"
#include "overlap_truth.h"

#define DT 0.001
#define TRUE_WITHIN 1e-9 /* of the size */

typedef struct truth_tally {
    long frames, inside, judged, wrong, silent, leaps, open, longest, doubted, proved, cold_proved;
    double worst; /* difference from a certified cold answer, of the size */
    int64_t units;
} truth_tally;

typedef struct body_kind {
    const char* name;
    const wit_body* body;
    wit_body* own;    /* to be destroyed */
    wit_model* model; /* likewise */
} body_kind;

static body_kind solid_of(const char* name, wit_solid_def d)
{
    wit_error e = {0};
    body_kind k = {.name = name};
    k.body = k.own = wit_solid_create(&d, NULL, &e);
    if (!k.body) fail_msg("%s: %s", e.item, e.text);
    return k;
}

static body_kind sized(const char* name, wit_solid_kind kind, double x, double y, double z)
{
    wit_solid_def d = wit_solid_default_def(kind);
    d.size_x = x, d.size_y = y, d.size_z = z;
    d.radius = x, d.radius2 = y, d.height = z;
    return solid_of(name, d);
}

static body_kind prism_of(const char* name, const double* corners, int count)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_PRISM);
    d.polygon = corners;
    d.polygon_count = count;
    d.height = 0.8;
    return solid_of(name, d);
}

static body_kind read_body(const char* path)
{
    wit_error e = {0};
    body_kind k = {.name = path};
    k.model = wit_model_read_file(path, NULL, &e);
    if (!k.model) fail_msg("%s: %s", path, e.text);
    k.body = wit_model_body(k.model, 0);
    return k;
}

static void release(body_kind* k)
{
    if (k->own) wit_body_destroy(k->own);
    if (k->model) wit_model_destroy(k->model);
}

static double body_radius(const wit_body* b, wit_vec3* middle)
{
    wit_body_info info = wit_body_describe(b);
    *middle = scale3(0.5, add3(info.box.lo, info.box.hi));
    return 0.5 * norm3(sub3(info.box.hi, info.box.lo));
}

/* ---- a way through ---------------------------------------------------------------------------- */

typedef struct way {
    wit_vec3 from, by, axis; /* of the middle of b, and how it turns about that */
    double angle, turn;
    wit_quat start;
    wit_vec3 middle; /* of b, in its frame */
    double reach;    /* of b about it */
} way;

static wit_pose pose_on(const way* w, double t)
{
    wit_pose turned = {{0, 0, 0}, wit_quat_about(w->axis, w->angle + w->turn * t)}, start = {{0, 0, 0}, w->start};
    wit_pose p = wit_pose_compose(&turned, &start);
    wit_vec3 m = wit_pose_point(&p, w->middle);
    p.position = sub3(addscaled3(w->from, t, w->by), m);
    return p;
}

/* From one side of a to the other, t from 0 to 1, missing its middle by up to `miss`. */
static way way_through(rng* r, const wit_body* a, const wit_body* b, bool planar, double part)
{
    way w = {.start = {1, 0, 0, 0}};
    wit_vec3 centre;
    bool plane = !planar && wit_body_describe(a).unbounded;
    double ra = plane ? 0 : body_radius(a, &centre);
    if (plane) centre = vec3(0, 0, 0);
    w.reach = body_radius(b, &w.middle);
    wit_vec3 along = random_unit(r), aside = random_unit(r);
    w.axis = random_unit(r);
    if (planar) {
        w.axis = vec3(0, 0, 1);
        along = unit3(vec3(along.x, along.y, 0));
        aside = vec3(aside.x, aside.y, 0);
    }
    if (plane) along = unit3(vec3(along.x, along.y, 2));
    double far = ra + w.reach;
    aside = scale3(0.4 * far, aside);
    w.angle = rng_range(r, 0, 6.28);
    w.turn = rng_range(r, -3, 3);
    if (!planar) w.start = wit_quat_about(random_unit(r), rng_range(r, 0, 6.28));
    w.from = addscaled3(add3(centre, aside), -1.05 * far, along);
    w.by = scale3(2.1 * far, along);
    /* only a part of it, at some place */
    double begin = rng_range(r, 0, 1 - part);
    w.from = addscaled3(w.from, begin, w.by);
    w.angle += begin * w.turn;
    w.by = scale3(part, w.by);
    w.turn *= part;
    return w;
}

/* How far a point of b moves at most in the part dt of the way. */
static double moved(const way* w, double dt)
{
    return (norm3(w->by) + fabs(w->turn) * w->reach) * dt;
}

typedef struct trial {
    const body_kind *a, *b;
    bool convex, planar;
    long frames;
    double part; /* of the way through */
    int every;   /* the cold query judges every so manyth frame */
} trial;

/* The cold answer of an overlap against what is known without it. */
static void doubt(const trial* k, rng* r, wit_query* q, const wit_placed* x, const wit_placed* y, const wit_closest* c,
                  double size, truth_tally* t)
{
    wit_vec3 middle = scale3(0.5, add3(c->a.point, c->b.point));
    double reach = fmax(-c->distance, 0.05 * size), slack = TRUE_WITHIN * size;
    double below = truth_below(r, q, x, y, middle, reach, 12, k->planar);
    bool bad = below > -c->lower_bound + slack || (c->certified && below > -c->distance + slack);
    /* no translation shorter than the upper end of the bracket parts them */
    double above = truth_above(r, q, x, y, c->normal, -c->upper_bound, 3, k->planar);
    bad = bad || above < -c->upper_bound - slack;
    t->doubted += bad;
    if (bad && t->doubted <= 5)
        print_message("%s and %s: cold %.12g [%.12g, %.12g], but shared points are %.12g deep, %.12g parts them\n",
                      k->a->name, k->b->name, c->distance, c->lower_bound, c->upper_bound, below, above);
}

static void judge(const trial* k, rng* rand, wit_query* q, const wit_pose* a, const wit_pose* b, const wit_result* r,
                  double size, truth_tally* t)
{
    wit_closest c;
    wit_placed x = wit_placed_at(k->a->body, *a), y = wit_placed_at(k->b->body, *b);
    assert_int_equal(wit_closest_pair(q, &x, &y, &c), WIT_OK);
    t->judged++;
    if (c.outcome == WIT_OUTCOME_OVERLAPPING) {
        t->cold_proved += c.certified;
        t->proved += c.certified && (r->flags & WIT_FLAG_CERTIFIED);
        doubt(k, rand, q, &x, &y, &c, size, t);
    }
    if (r->outcome != WIT_OUTCOME_CONVERGED) return;
    double slack = TRUE_WITHIN * fmax(size, fabs(c.distance));
    bool overlap = c.outcome == WIT_OUTCOME_OVERLAPPING, silent = overlap && r->distance > slack;
    t->silent += silent;
    bool wrong = r->distance < c.lower_bound - slack || (overlap && r->distance > c.upper_bound + slack);
    /* certified or not it is one number, unless the step says that its budget ended before the search did */
    if (overlap && r->reason != WIT_REASON_BUDGET) wrong = wrong || fabs(r->distance - c.distance) > slack;
    if (c.certified && (k->convex || overlap)) {
        t->worst = fmax(t->worst, fabs(r->distance - c.distance) / size);
        wrong = wrong || fabs(r->distance - c.distance) > slack;
    }
    t->wrong += wrong;
    if ((wrong || silent) && t->wrong + t->silent <= 5)
        print_message("%s and %s: tracked %.12g, cold %.12g [%.12g, %.12g] %s; %s %d against %s %d, flags %x\n",
                      k->a->name, k->b->name, r->distance, c.distance, c.lower_bound, c.upper_bound,
                      wit_outcome_name(c.outcome), wit_feature_kind_name(r->a.feature), r->a.id,
                      wit_feature_kind_name(r->b.feature), r->b.id, r->flags);
}

static void run(const trial* k, rng* r, truth_tally* t)
{
    wit_track_def def = wit_track_default_def();
    wit_tracker* tracker = wit_tracker_create(k->a->body, k->b->body, &def, NULL, NULL);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    assert_true(tracker && q);
    way w = way_through(r, k->a->body, k->b->body, k->planar, k->part);
    wit_body_info a = wit_body_describe(k->a->body), b = wit_body_describe(k->b->body);
    double size = a.unbounded ? b.size : fmin(a.size, b.size);
    double before = NAN, motion = moved(&w, 1 / (double)k->frames);
    long open = 0;
    for (long i = 0; i < k->frames; ++i) {
        wit_pose at = wit_pose_identity(), to = pose_on(&w, (double)i / (double)k->frames);
        wit_motion ma = wit_motion_at_rest(at), mb = wit_motion_at_rest(to);
        wit_result s;
        mb.twist_known = false;
        assert_int_equal(wit_tracker_step(tracker, &ma, &mb, DT, &s), WIT_OK);
        t->frames++;
        t->units += s.work.units;
        bool good = s.outcome == WIT_OUTCOME_CONVERGED;
        open = good ? 0 : open + 1;
        t->open += !good;
        if (!good && t->open <= 12)
            print_message(
                "%s and %s: open at %.12g, was %.12g, motion %.3g, %s %d against %s %d, flags %x, %ld units\n",
                k->a->name, k->b->name, s.distance, before, motion, wit_feature_kind_name(s.a.feature), s.a.id,
                wit_feature_kind_name(s.b.feature), s.b.id, s.flags, (long)s.work.units);
        t->longest = open > t->longest ? open : t->longest;
        t->inside += good && s.distance < 0;
        bool told = !k->convex && (s.flags & WIT_FLAG_JUMPED);
        bool leap = good && !told && fabs(s.distance - before) > motion * (1 + 1e-9) + TRUE_WITHIN * size;
        if (leap && t->leaps < 5)
            print_message("%s and %s: from %.12g to %.12g by a motion of %.3g, %s %d against %s %d, flags %x\n",
                          k->a->name, k->b->name, before, s.distance, motion, wit_feature_kind_name(s.a.feature),
                          s.a.id, wit_feature_kind_name(s.b.feature), s.b.id, s.flags);
        t->leaps += leap;
        before = good ? s.distance : NAN;
        if (i % k->every == 0) judge(k, r, q, &at, &to, &s, size, t);
    }
    wit_query_destroy(q);
    wit_tracker_destroy(tracker);
}

static void show(const char* what, const truth_tally* t)
{
    print_message("%s: %ld frames, %ld inside, %ld judged, %ld wrong, %ld silent, %ld leaps, %ld open (longest %ld), "
                  "%ld doubted, %ld certified of %ld, worst %.2g, %.0f units a frame\n",
                  what, t->frames, t->inside, t->judged, t->wrong, t->silent, t->leaps, t->open, t->longest, t->doubted,
                  t->proved, t->cold_proved, t->worst, (double)t->units / (double)t->frames);
}

static void expect_truth(const char* what, const truth_tally* t)
{
    show(what, t);
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->silent, 0);
    assert_int_equal(t->leaps, 0);
    assert_int_equal(t->doubted, 0);
}

/* Every pair of the two lists, over parts of ways through: slow, usual, fast. */
static void campaign_of(const char* what, const body_kind* a, int count_a, const body_kind* b, int count_b, bool convex,
                        bool planar, long frames, uint64_t seed)
{
    static const double parts[] = {1, 0.1, 0.01};
    truth_tally t = {0};
    rng r = rng_seed(seed);
    long each = campaign(frames) / ((long)count_a * count_b * 3) + 1;
    for (int i = 0; i < count_a * count_b * 3; ++i) {
        trial k = {.a = &a[i / 3 / count_b], .b = &b[i / 3 % count_b], .convex = convex, .planar = planar};
        k.part = parts[i % 3];
        for (long left = each; left > 0; left -= k.frames) {
            k.frames = left < 200 ? left : 200;
            k.every = 31;
            run(&k, &r, &t);
        }
    }
    expect_truth(what, &t);
    if (convex) assert_true(t.open * 1000 <= t.frames && t.longest <= 3);
}

/* ---- claims ----------------------------------------------------------------------------------- */

static const double hexagon[] = {0.9, 0.1, 0.4, 0.8, -0.5, 0.7, -0.8, 0, -0.3, -0.9, 0.6, -0.6};
static const double ell[] = {0, 0, 1.5, 0, 1.5, 0.5, 0.5, 0.5, 0.5, 1.5, 0, 1.5};

enum { CONVEX = 9 };

static void convex_solids(body_kind* k)
{
    k[0] = sized("box", WIT_SOLID_BOX, 1, 1.4, 0.8);
    k[1] = sized("sphere", WIT_SOLID_SPHERE, 0.6, 0, 0);
    k[2] = sized("ellipsoid", WIT_SOLID_ELLIPSOID, 0.5, 0.8, 0.65);
    k[3] = sized("cylinder", WIT_SOLID_CYLINDER, 0.5, 0, 1.2);
    k[4] = sized("cone", WIT_SOLID_CONE, 0.7, 0, 1.1);
    k[5] = sized("frustum", WIT_SOLID_FRUSTUM, 0.7, 0.4, 0.9);
    k[6] = sized("capsule", WIT_SOLID_CAPSULE, 0.4, 0, 0.8);
    k[7] = prism_of("hexagon", hexagon, 6);
    k[8] = read_body("models/prism-dome.json");
}

static void tracked_depth_of_convex_solids_is_the_cold_one(void** state)
{
    (void)state;
    body_kind k[CONVEX];
    convex_solids(k);
    campaign_of("convex solids", k, CONVEX, k, CONVEX, true, false, 600000, 1601);
    for (int i = 0; i < CONVEX; ++i) release(&k[i]);
}

static void tracked_depth_in_a_half_space_is_the_cold_one(void** state)
{
    (void)state;
    body_kind plane = sized("half-space", WIT_SOLID_HALF_SPACE, 1, 1, 1), k[CONVEX + 2];
    convex_solids(k);
    k[CONVEX] = prism_of("ell", ell, 6);
    k[CONVEX + 1] = sized("torus", WIT_SOLID_TORUS, 0.8, 0.3, 0);
    campaign_of("half-space", &plane, 1, k, CONVEX + 2, true, false, 200000, 1602);
    for (int i = 0; i < CONVEX + 2; ++i) release(&k[i]);
    release(&plane);
}

static void tracked_depth_of_planar_bodies_is_the_cold_one(void** state)
{
    (void)state;
    body_kind k = read_body("models/three-arc.json");
    campaign_of("planar", &k, 1, &k, 1, true, true, 100000, 1603);
    release(&k);
}

static const double tee[] = {-0.3, -0.8, 0.3, -0.8, 0.3, 0.3, 0.9, 0.3, 0.9, 0.8, -0.9, 0.8, -0.9, 0.3, -0.3, 0.3};
static const double trough[] = {0, 0, 1.6, 0, 1.6, 1.2, 1.1, 1.2, 1.1, 0.4, 0.5, 0.4, 0.5, 1.2, 0, 1.2};
static const double star[] = {1,    0,    0.4,  0.3,  0.2, 1,    -0.2, 0.4,  -0.9, 0.5,
                              -0.4, -0.1, -0.6, -0.9, 0,   -0.4, 0.7,  -0.8, 0.45, -0.25};

/* Prisms with reflex edges have a cover by convex pieces: one number, cold and tracked, that never leaps, no merge told. */
static void prisms_with_reflex_edges_have_one_depth(void** state)
{
    (void)state;
    enum { PRISMS = 4, OTHERS = 4 };
    body_kind k[PRISMS + OTHERS] = {prism_of("ell", ell, 6), prism_of("tee", tee, 8), prism_of("trough", trough, 8),
                                    prism_of("star", star, 10)};
    k[4] = sized("box", WIT_SOLID_BOX, 1, 1.4, 0.8);
    k[5] = sized("cylinder", WIT_SOLID_CYLINDER, 0.5, 0, 1.2);
    k[6] = sized("ellipsoid", WIT_SOLID_ELLIPSOID, 0.5, 0.8, 0.65);
    k[7] = prism_of("hexagon", hexagon, 6);
    campaign_of("covered", k, PRISMS, k, PRISMS + OTHERS, false, false, 60000, 1606);
    for (int i = 0; i < PRISMS + OTHERS; ++i) release(&k[i]);
}

static void solids_with_hollows_are_never_called_apart_inside(void** state)
{
    (void)state;
    enum { OTHERS = 4 };
    body_kind k[OTHERS] = {sized("torus", WIT_SOLID_TORUS, 0.8, 0.3, 0), read_body("models/goblet.json"),
                           prism_of("ell", ell, 6), sized("box", WIT_SOLID_BOX, 1, 1.4, 0.8)};
    campaign_of("hollow", k, 1, k, OTHERS, false, false, 20000, 1604);
    for (int i = 0; i < OTHERS; ++i) release(&k[i]);
}

static void gears_are_never_called_apart_inside(void** state)
{
    (void)state;
    body_kind k[2] = {read_body("models/gear-b.json"), read_body("models/gear-a.json")};
    campaign_of("gears", k, 2, k, 1, false, true, 4000, 1607);
    for (int i = 0; i < 2; ++i) release(&k[i]);
}

/* The depth of a ball in anything is its radius less the signed distance of its centre: certified, whatever hollows there are. */
static void a_ball_in_a_solid_with_hollows_is_certified(void** state)
{
    (void)state;
    enum { OTHERS = 3 };
    body_kind ball = sized("sphere", WIT_SOLID_SPHERE, 0.4, 0, 0);
    body_kind k[OTHERS] = {prism_of("ell", ell, 6), sized("torus", WIT_SOLID_TORUS, 0.8, 0.3, 0),
                           read_body("models/goblet.json")};
    campaign_of("ball in others", k, OTHERS, &ball, 1, false, false, 70000, 1605);
    for (int i = 0; i < OTHERS; ++i) release(&k[i]);
    release(&ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracked_depth_of_convex_solids_is_the_cold_one),
        cmocka_unit_test(tracked_depth_in_a_half_space_is_the_cold_one),
        cmocka_unit_test(tracked_depth_of_planar_bodies_is_the_cold_one),
        cmocka_unit_test(a_ball_in_a_solid_with_hollows_is_certified),
        cmocka_unit_test(prisms_with_reflex_edges_have_one_depth),
        cmocka_unit_test(solids_with_hollows_are_never_called_apart_inside),
        cmocka_unit_test(gears_are_never_called_apart_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
