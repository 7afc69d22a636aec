/* SPDX-License-Identifier: MIT */
/* Trims: which part of the parameter plane a face is. */
#include <stdlib.h>
#include <time.h>

#include "../src/body/tree/trim_record.h"
#include "campaign.h"
#include "winding.h"

/* ---- scenes ------------------------------------------------------------------------------------ */

static void plane_with_holes(scene* s, rng* r, double size)
{
    s->name = "plane, 50 holes";
    s->u = iv(-size, 11 * size);
    s->v = iv(-size, 11 * size);
    s->in_value = 1;
    scene_rectangle(s, 0, 0, 10 * size, 10 * size);
    for (int k = 0; k < 64 && s->loops < 51; k++) {
        if (64 - k > 51 - s->loops && rng_int(r, 5) == 0) continue;
        double u = size * (1.25 * (k % 8) + 0.625), v = size * (1.25 * (k / 8) + 0.625);
        scene_round(s, r, k % 4, u, v, 0.6 * size, 0.6 * size, true);
    }
}

static void cylinder(scene* s, rng* r, double size)
{
    s->name = "cylinder, two holes across the seam";
    s->u = iv(0, TWO_PI);
    s->v = iv(0, 2 * size);
    s->closed_u = true;
    s->map = MAP_ANNULUS_U;
    s->in_value = -1;
    scene_loop(s);
    scene_line(s, 0, 0, TWO_PI, 0);
    scene_loop(s);
    scene_line(s, TWO_PI, 2 * size, 0, 2 * size);
    scene_round(s, r, 1, 0, 0.5 * size, 1, 0.4 * size, true);
    scene_round(s, r, 2, TWO_PI - 0.2, 1.4 * size, 1, 0.4 * size, true);
}

static void sphere_cap(scene* s, rng* r, double size)
{
    (void)size;
    s->name = "sphere cap";
    s->u = iv(0, TWO_PI);
    s->v = iv(-PI / 2, PI / 2);
    s->closed_u = true;
    s->map = MAP_ANNULUS_U;
    s->in_value = 0;
    scene_ring(s, r, 1, 0.7, 0.5, false, false);
}

static void holed_sphere(scene* s, rng* r, double size)
{
    sphere_cap(s, r, size);
    scene_drop(s);
    s->name = "sphere, hole over the pole and one over the seam";
    s->loops = s->passages = 0;
    s->in_value = -1;
    scene_ring(s, r, 0, 0.7, 0.5, false, true);
    scene_round(s, r, 0, TWO_PI, -0.5, 0.5, 0.5, true);
}

static void torus_band(scene* s, rng* r, double size)
{
    (void)size;
    s->name = "torus band around u";
    s->u = s->v = iv(0, TWO_PI);
    s->closed_u = s->closed_v = true;
    s->map = MAP_ANNULUS_U;
    s->in_value = -1;
    scene_ring(s, r, 0, 5, 0.5, false, false);
    scene_ring(s, r, 2, 7.5, 0.5, false, true);
}

static void torus_band_across(scene* s, rng* r, double size)
{
    (void)size;
    s->name = "torus band around v";
    s->u = s->v = iv(0, TWO_PI);
    s->closed_u = s->closed_v = true;
    s->map = MAP_ANNULUS_V;
    s->in_value = 1;
    scene_ring(s, r, -1, 1, 0.5, true, true);
    scene_ring(s, r, 3, 0, 0.5, true, false);
}

static void holed_torus(scene* s, rng* r, double size)
{
    (void)size;
    s->name = "torus, one hole over both seams";
    s->u = s->v = iv(0, TWO_PI);
    s->closed_u = s->closed_v = true;
    s->in_value = 0;
    scene_round(s, r, 2, 0.1, 6.2, 1.5, 1.5, true);
}

typedef void make_scene(scene*, rng*, double size);
static make_scene* const SCENES[] = {plane_with_holes, cylinder,          sphere_cap, holed_sphere,
                                     torus_band,       torus_band_across, holed_torus};
enum { SCENE_COUNT = sizeof SCENES / sizeof SCENES[0] };
static const double SIZES[3] = {1e-6, 1, 1e6};

/* ---- a built region ----------------------------------------------------------------------------- */

typedef struct built {
    trim_region region;
    void* block;
    size_t bytes;
    trim_curves curves;
} built;

static wit_status build_scene(const scene* s, double gap, built* b, wit_error* error)
{
    trim_input in = {s->u,     s->v,       s->closed_u,          s->closed_v,         s->loops,
                     s->sizes, s->passage, gap * iv_width(s->u), gap * iv_width(s->v)};
    trim_curves curves = {NULL, (const char*)s->curves, sizeof s->curves[0], NULL, 0};
    b->curves = curves;
    return wi_trim_build(&in, NULL, &b->block, &b->bytes, &b->region, error);
}

static built made(const scene* s)
{
    built b;
    wit_error e = {0};
    wit_status status = build_scene(s, 1e-6, &b, &e);
    if (status) print_error("%s: %s: %s\n", s->name, e.item, e.text);
    assert_int_equal(status, WIT_OK);
    return b;
}

static void refused(const scene* s, double gap, const char* item)
{
    built b;
    wit_error e = {0};
    assert_int_equal(build_scene(s, gap, &b, &e), WIT_ERROR_RANGE);
    assert_string_equal(e.item, item);
    assert_true(strlen(e.text) > 10);
    assert_null(b.block);
}

static bool contains(const built* b, double u, double v)
{
    return wi_trim_contains(&b->region, b->block, &b->curves, u, v);
}

/* ---- claims ------------------------------------------------------------------------------------- */

static void print_costs(const scene* s, const built* b, const double* uv, int n)
{
    static double mixed[2 * 20000];
    int m = 0, tags[3] = {0, 0, 0};
    for (int k = 0; k < n && m < 20000; k++)
        if (wi_trim_crowd(&b->region, b->block, iv_point(uv[2 * k]), iv_point(uv[2 * k + 1]), 1)) {
            mixed[2 * m] = uv[2 * k];
            mixed[2 * m++ + 1] = uv[2 * k + 1];
        }
    const trim_node* nodes = (const trim_node*)(const void*)((const char*)b->block + b->region.nodes);
    for (int k = 0; k < b->region.node_count; k++)
        if (node_kind(&nodes[k]) == NODE_LEAF)
            ++tags[node_references(&nodes[k]) ? TRIM_MIXED : nodes[k].info & 1 ? TRIM_IN : TRIM_OUT];
    double cost[2];
    int sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        const double* x = pass ? mixed : uv;
        int count = pass ? m : n, rounds = 1 + (int)(300000 / (count + 1));
        clock_t start = clock();
        for (int k = 0; k < rounds; k++)
            for (int i = 0; i < count; i++) sum += contains(b, x[2 * i], x[2 * i + 1]);
        cost[pass] = 1e9 * (double)(clock() - start) / CLOCKS_PER_SEC / rounds / (count ? count : 1);
    }
    print_message("  %-50s %5d segments, leaves in %d out %d mixed %d, %zu bytes; %.1f ns, mixed leaves %.1f ns%s\n",
                  s->name, (int)b->region.segment_count, tags[TRIM_IN], tags[TRIM_OUT], tags[TRIM_MIXED], b->bytes,
                  cost[0], cost[1], sum < 0 ? "!" : "");
}

/* Points over the range and beyond it: closed parameters wrap, others end at the loops. */
static void random_place(rng* r, const scene* s, double* u, double* v)
{
    *u = s->u.lo + iv_width(s->u) * rng_range(r, s->closed_u ? -0.5 : 0, s->closed_u ? 1.5 : 1);
    *v = s->v.lo + iv_width(s->v) * rng_range(r, s->closed_v ? -0.5 : 0, s->closed_v ? 1.5 : 1);
}

/* Points 1e-10 to 1e-2 of the range beside a curve. */
static void place_beside_curve(rng* r, const scene* s, double* u, double* v)
{
    const trim_passage* p = &s->passage[rng_int(r, s->passages)];
    wit_curve_jet j;
    wit_curve_eval(p->curve, rng_range(r, p->from, p->to), 0, NULL, &j);
    double far = pow(10, rng_range(r, -10, -2)), angle = rng_range(r, 0, TWO_PI);
    *u = j.p.x + far * cos(angle) * iv_width(s->u);
    *v = j.p.y + far * sin(angle) * iv_width(s->v);
}

static void contains_equals_the_winding_number(void** state)
{
    (void)state;
    rng r = rng_seed(301);
    long per_scene = campaign(1000000) / (SCENE_COUNT * 3), aside = 0, all = 0, inside = 0;
    double* uv = calloc((size_t)(2 * per_scene), sizeof(double));
    for (int n = 0; n < SCENE_COUNT * 3; n++) {
        static scene s;
        memset(&s, 0, sizeof s);
        SCENES[n % SCENE_COUNT](&s, &r, SIZES[n / SCENE_COUNT]);
        built b = made(&s);
        reference f = reference_of(&s);
        for (long k = 0; k < per_scene; k++) {
            bool near = false;
            double u, v;
            if (k % 2)
                place_beside_curve(&r, &s, &u, &v);
            else
                random_place(&r, &s, &u, &v);
            double wrapped_u = s.closed_u ? u - iv_width(s.u) * floor((u - s.u.lo) / iv_width(s.u)) : u;
            double wrapped_v = s.closed_v ? v - iv_width(s.v) * floor((v - s.v.lo) / iv_width(s.v)) : v;
            bool want = reference_contains(&f, wrapped_u, wrapped_v, &near), got = contains(&b, u, v);
            random_place(&r, &s, &uv[2 * k], &uv[2 * k + 1]);
            all++;
            aside += near;
            inside += got;
            if (!near && want != got)
                print_error("%s, size %g: (%.17g, %.17g)\n", s.name, SIZES[n / SCENE_COUNT], u, v);
            assert_true(near || want == got);
        }
        if (SIZES[n / SCENE_COUNT] == 1) print_costs(&s, &b, uv, (int)per_scene);
        free(f.arcs);
        free(b.block);
        scene_drop(&s);
    }
    free(uv);
    print_message("  %ld points, %ld inside, %ld within 1e-9 of a curve set aside\n", all, inside, aside);
    assert_true(aside < all / 5); /* half are beside curves, of these an eighth within 1e-9 */
}

/* IN and OUT hold at all sampled points; the box may run over seams. */
static void classified_boxes_are_what_they_say(void** state)
{
    (void)state;
    rng r = rng_seed(302);
    long boxes = campaign(300000) / SCENE_COUNT, tags[3] = {0, 0, 0}, timid = 0;
    for (int n = 0; n < SCENE_COUNT; n++) {
        static scene s;
        memset(&s, 0, sizeof s);
        SCENES[n](&s, &r, SIZES[n % 3]);
        built b = made(&s);
        for (long k = 0; k < boxes; k++) {
            double u, v, size = pow(10, rng_range(&r, -4, -0.1));
            random_place(&r, &s, &u, &v);
            wit_interval bu = iv(u, u + size * iv_width(s.u)),
                         bv = iv(v, v + size * iv_width(s.v) * rng_range(&r, 0.1, 1));
            trim_tag tag = wi_trim_classify(&b.region, b.block, &b.curves, bu, bv);
            tags[tag]++;
            int in = 0;
            enum { SAMPLES = 25 };
            for (int i = 0; i < SAMPLES; i++) {
                double x = bu.lo + iv_width(bu) * (i % 5) / 4, y = bv.lo + iv_width(bv) * (i / 5) / 4;
                in += contains(&b, x, y);
            }
            if (tag == TRIM_IN) assert_int_equal(in, SAMPLES);
            if (tag == TRIM_OUT) assert_int_equal(in, 0);
            timid += tag == TRIM_MIXED && (in == 0 || in == SAMPLES);
        }
        free(b.block);
        scene_drop(&s);
    }
    print_message("  boxes in %ld, out %ld, mixed %ld (of these %ld with all samples alike)\n", tags[0], tags[1],
                  tags[2], timid);
    assert_true(tags[TRIM_IN] > 0 && tags[TRIM_OUT] > 0 && timid < tags[TRIM_MIXED] / 2);
}

/* Staircases with integer corners, asked at u and v of the corners: ways run through joints and along edges. */
static void ways_through_corners_count_once(void** state)
{
    (void)state;
    rng r = rng_seed(303);
    long asked = 0, shapes = campaign(2000);
    for (long n = 0; n < shapes; n++) {
        static scene s;
        memset(&s, 0, sizeof s);
        s.name = "skyline";
        s.u = s.v = iv(0, 16);
        s.in_value = 1;
        int top[16], bottom[16];
        for (int k = 0; k < 16; k++) {
            top[k] = 8 + rng_int(&r, 8);
            bottom[k] = 1 + rng_int(&r, 6);
        }
        scene_loop(&s);
        for (int k = 0; k < 16; k++) {
            scene_line(&s, k, bottom[k], k + 1, bottom[k]);
            int next = k < 15 ? bottom[k + 1] : top[15];
            if (next != bottom[k]) scene_line(&s, k + 1, bottom[k], k + 1, next);
        }
        for (int k = 15; k >= 0; k--) {
            scene_line(&s, k + 1, top[k], k, top[k]);
            int next = k ? top[k - 1] : bottom[0];
            if (next != top[k]) scene_line(&s, k, top[k], k, next);
        }
        built b = made(&s);
        for (int i = 0; i < 33 * 33; i++) {
            double u = 0.5 * (i % 33), v = 0.5 * (i / 33);
            int k = (int)fmin(15, floor(u));
            bool odd = i % 33 % 2;
            /* on the line between two columns: inside if in both, outside if in neither */
            bool here = v > bottom[k] && v < top[k], there = odd || k == 0 ? here : v > bottom[k - 1] && v < top[k - 1];
            bool edge = v == bottom[k] || v == top[k] || (k && !odd && (v == bottom[k - 1] || v == top[k - 1]));
            if (here != there || edge || u <= 0 || u >= 16) continue;
            if (contains(&b, u, v) != here) print_error("shape %ld (%g, %g)\n", n, u, v);
            assert_int_equal(contains(&b, u, v), here);
            asked++;
        }
        free(b.block);
        scene_drop(&s);
    }
    print_message("  %ld shapes, %ld points on lines of the lattice\n", shapes, asked);
}

static void region_box_is_tight_and_may_cross_the_seam(void** state)
{
    (void)state;
    static scene s;
    rng r = rng_seed(304);
    memset(&s, 0, sizeof s);
    cylinder(&s, &r, 1);
    scene_drop(&s);
    s.loops = s.passages = 0;
    scene_rectangle(&s, 6, 0.5, 7, 1.5);
    built b = made(&s);
    near1(b.region.u.lo, 6, 1e-14, "u");
    near1(b.region.u.hi, 7, 1e-14, "u");
    near1(b.region.v.lo, 0.5, 1e-14, "v");
    near1(b.region.v.hi, 1.5, 1e-14, "v");
    assert_true(contains(&b, 0.5, 1) && contains(&b, 6.1, 1) && !contains(&b, 3, 1) && !contains(&b, 6.5, 1.6));
    assert_false(contains(&b, NAN, 1));
    assert_false(contains(&b, 6.5, INFINITY));
    free(b.block);
    scene_drop(&s);
    memset(&s, 0, sizeof s);
    sphere_cap(&s, &r, 1);
    b = made(&s);
    near1(b.region.v.hi, PI / 2, 0, "to the pole");
    assert_true(b.region.v.lo > 0.2 && b.region.v.lo <= 0.7);
    near1(iv_width(b.region.u), TWO_PI, 0, "all around");
    free(b.block);
    scene_drop(&s);
}

static void bad_loops_are_refused(void** state)
{
    (void)state;
    static scene s;
    rng r = rng_seed(305);
    memset(&s, 0, sizeof s);
    s.u = s.v = iv(0, 10);
    s.in_value = 1;
    scene_rectangle(&s, 0, 0, 10, 10);
    scene_round(&s, &r, 3, 5, 5, 1, 1, true);
    built b = made(&s);
    free(b.block);
    int last = s.passages - 1;
    double to = s.passage[last].to;
    s.passage[last].to = 0.9; /* a hole that is not closed */
    refused(&s, 1e-6, "loops[1].uses[0]");
    wit_error e = {0};
    assert_int_equal(build_scene(&s, 0.5, &b, &e), WIT_OK); /* a wide gap that is allowed is closed straight */
    assert_false(contains(&b, 5, 5));
    assert_true(contains(&b, 2, 2));
    free(b.block);
    s.passage[last].to = to;
    s.passage[2].from = 0.1;
    refused(&s, 1e-6, "loops[0].uses[2]");
    s.passage[2].from = s.passage[2].to;
    refused(&s, 1e-6, "loops[0].uses[2]");
    s.passage[2].from = 0;
    scene_round(&s, &r, 1, 2, 2, 1, 1, false); /* an island inside the face */
    refused(&s, 1e-6, "loops[2]");
    scene_drop(&s);
    memset(&s, 0, sizeof s);
    torus_band(&s, &r, 1);
    s.loops = 1; /* one ring does not bound a part of a torus */
    refused(&s, 1e-6, "loops[0]");
    scene_drop(&s);
}

/* A seam that a loop runs along twice, there and back, changes nothing. */
static void slit_changes_nothing(void** state)
{
    (void)state;
    static scene s;
    memset(&s, 0, sizeof s);
    s.u = iv(0, TWO_PI);
    s.v = iv(0, 1);
    s.closed_u = true;
    scene_loop(&s);
    scene_line(&s, 0, 0.25, TWO_PI, 0.25);
    scene_line(&s, TWO_PI, 0.25, TWO_PI, 0.75);
    scene_line(&s, TWO_PI, 0.75, 0, 0.75);
    scene_line(&s, 0, 0.75, 0, 0.25);
    built b = made(&s);
    rng r = rng_seed(306);
    for (int k = 0; k < 10000; k++) {
        double u = rng_range(&r, -10, 10);
        double v = rng_double(&r);
        assert_int_equal(contains(&b, k % 10 ? u : 0, v), v > 0.25 && v < 0.75);
    }
    free(b.block);
    scene_drop(&s);
}

/* The block, moved with the curves into another one, answers the same. */
static void block_is_position_independent(void** state)
{
    (void)state;
    static scene s;
    memset(&s, 0, sizeof s);
    rng r = rng_seed(307);
    plane_with_holes(&s, &r, 1);
    built b = made(&s);
    size_t bytes = embedded_bytes(b.bytes), *offsets = calloc((size_t)s.passages, sizeof(size_t));
    for (int k = 0; k < s.passages; k++) {
        offsets[k] = bytes;
        bytes += embedded_bytes(s.curves[k]->bytes);
    }
    bool answers[1000];
    double uv[2000];
    for (int k = 0; k < 1000; k++) {
        random_place(&r, &s, &uv[2 * k], &uv[2 * k + 1]);
        answers[k] = contains(&b, uv[2 * k], uv[2 * k + 1]);
    }
    char* all = malloc(bytes);
    memcpy(all, b.block, b.bytes);
    for (int k = 0; k < s.passages; k++) wi_curve_embed(all + offsets[k], s.curves[k]);
    free(b.block);
    scene_drop(&s);
    trim_curves curves = {all, (const char*)offsets, sizeof(size_t), NULL, 0};
    for (int k = 0; k < 1000; k++)
        assert_int_equal(answers[k], wi_trim_contains(&b.region, all, &curves, uv[2 * k], uv[2 * k + 1]));
    free(all);
    free(offsets);
}

/* Memory refused at every single call: no leak, no crash, and the status says so. */
typedef struct meter {
    int left, open;
} meter;

static void* metered_take(size_t bytes, void* user)
{
    meter* m = user;
    if (m->left-- <= 0) return NULL;
    m->open++;
    return malloc(bytes);
}

static void metered_release(void* memory, size_t bytes, void* user)
{
    (void)bytes;
    if (memory) ((meter*)user)->open--;
    free(memory);
}

static void lack_of_memory_is_survived(void** state)
{
    (void)state;
    static scene s;
    memset(&s, 0, sizeof s);
    rng r = rng_seed(308);
    plane_with_holes(&s, &r, 1);
    trim_input in = {s.u, s.v, false, false, s.loops, s.sizes, s.passage, 1e-5, 1e-5};
    for (int calls = 0;; calls++) {
        meter m = {calls, 0};
        wit_allocator memory = {metered_take, metered_release, &m};
        built b;
        wit_error e = {0};
        wit_status status = wi_trim_build(&in, &memory, &b.block, &b.bytes, &b.region, &e);
        assert_true(status == WIT_OK || status == WIT_ERROR_MEMORY);
        assert_int_equal(m.open, status ? 0 : 1);
        if (status) continue;
        metered_release(b.block, b.bytes, &m);
        break;
    }
    scene_drop(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contains_equals_the_winding_number),
        cmocka_unit_test(classified_boxes_are_what_they_say),
        cmocka_unit_test(ways_through_corners_count_once),
        cmocka_unit_test(region_box_is_tight_and_may_cross_the_seam),
        cmocka_unit_test(bad_loops_are_refused),
        cmocka_unit_test(slit_changes_nothing),
        cmocka_unit_test(block_is_position_independent),
        cmocka_unit_test(lack_of_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
