/* SPDX-License-Identifier: MIT */
/* The bounding tree and its leaves. */
#include <stdlib.h>
#include <time.h>

#include "../src/body/tree/leaves.h"
#include "campaign.h"
#include "random_spline.h"
#include "winding.h"

static bool within(const wit_box* inner, const wit_box* outer)
{
    return inner->lo.x >= outer->lo.x && inner->lo.y >= outer->lo.y && inner->lo.z >= outer->lo.z &&
           inner->hi.x <= outer->hi.x && inner->hi.y <= outer->hi.y && inner->hi.z <= outer->hi.z;
}

static bool holds(const wit_box* b, wit_vec3 p)
{
    wit_box point = {p, p};
    return within(&point, b);
}

static tree_node* random_leaves(rng* r, int count, double size)
{
    tree_node* leaves = calloc((size_t)count, sizeof *leaves);
    for (int k = 0; k < count; k++) {
        wit_vec3 p = random_vector(r, 0, size);
        leaves[k].box.lo = p;
        leaves[k].box.hi = addscaled3(p, rng_range(r, 0, 0.01) * size, vec3(1, 1, 1));
        leaves[k].feature = k;
        leaves[k].kind = (uint8_t)rng_int(r, 3);
    }
    return leaves;
}

/* Every leaf once, children inside parents, kinds united, depth ceil(log2 count). */
static void check_tree(const tree_node* nodes, int node_count, int leaf_count)
{
    int *seen = calloc((size_t)leaf_count, sizeof *seen), *depth = calloc((size_t)node_count, sizeof *depth),
        deepest = 0;
    int* reached = calloc((size_t)node_count, sizeof *reached);
    reached[0] = 1;
    for (int k = 0; k < node_count; k++) {
        const tree_node* n = &nodes[k];
        assert_int_equal(reached[k], 1);
        deepest = depth[k] > deepest ? depth[k] : deepest;
        if (n->child[0] < 0) {
            assert_int_equal(n->child[1], -1);
            assert_int_equal(n->kinds_below, 1u << n->kind);
            seen[n->feature]++;
            continue;
        }
        assert_int_equal(n->feature, -1);
        unsigned kinds = 0;
        for (int c = 0; c < 2; c++) {
            int child = n->child[c];
            assert_true(child > k && child < node_count);
            assert_true(within(&nodes[child].box, &n->box));
            kinds |= nodes[child].kinds_below;
            reached[child]++;
            depth[child] = depth[k] + 1;
        }
        assert_int_equal(n->kinds_below, kinds);
    }
    for (int k = 0; k < leaf_count; k++) assert_int_equal(seen[k], 1);
    int log = 0;
    while ((1 << log) < leaf_count) log++;
    assert_int_equal(deepest, log);
    free(seen);
    free(depth);
    free(reached);
}

static void tree_reaches_every_leaf_once(void** state)
{
    (void)state;
    rng r = rng_seed(311);
    for (int n = 1; n <= 300; n++) {
        tree_node* leaves = random_leaves(&r, n, n % 3 ? 1e6 : 1e-6);
        for (int k = 0; k < n && n % 7 == 0; k++) leaves[k].box = leaves[0].box; /* all the same */
        tree_node* nodes = calloc((size_t)(2 * n - 1), sizeof *nodes);
        assert_int_equal(wi_tree_build(leaves, n, nodes), 2 * n - 1);
        check_tree(nodes, 2 * n - 1, n);
        free(leaves);
        free(nodes);
    }
    assert_int_equal(wi_tree_build(NULL, 0, NULL), 0);
}

/* Unbounded boxes sort somewhere and stay what they are. */
static void unbounded_leaves_are_kept(void** state)
{
    (void)state;
    rng r = rng_seed(312);
    tree_node *leaves = random_leaves(&r, 100, 1), nodes[199];
    for (int k = 0; k < 100; k += 9) {
        leaves[k].box.lo = vec3(-INFINITY, -1, -INFINITY);
        leaves[k].box.hi = vec3(INFINITY, 0, INFINITY);
    }
    wi_tree_build(leaves, 100, nodes);
    check_tree(nodes, 199, 100);
    assert_true(nodes[0].box.hi.x == INFINITY && nodes[0].box.lo.z == -INFINITY);
    free(leaves);
}

/* The arrangement may be sorted, reversed, in a grid or random; the time per leaf grows with log n only. */
static void build_time_grows_as_n_log_n(void** state)
{
    (void)state;
    rng r = rng_seed(313);
    int most = (int)campaign(10000000);
    most = most > 1000000 ? 1000000 : most;
    double first = 0;
    for (int n = 1000; n <= most; n *= 10) {
        for (int shape = 0; shape < 3; shape++) {
            tree_node* leaves = random_leaves(&r, n, 1);
            tree_node* nodes = calloc((size_t)(2 * n - 1), sizeof *nodes);
            for (int k = 0; k < n && shape; k++) {
                double x = shape == 1 ? k : n - k, y = shape == 2 ? k % 100 : 0;
                leaves[k].box.lo = leaves[k].box.hi = vec3(x, y, 0);
            }
            double best = INFINITY;
            for (int round = 0; round < (n < 100000 ? 5 : 1); round++) {
                clock_t start = clock();
                wi_tree_build(leaves, n, nodes);
                best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
            }
            check_tree(nodes, 2 * n - 1, n);
            double unit = 1e9 * best / n / log2(n);
            if (n == 1000 && shape == 0) first = unit;
            print_message("  %7d leaves, %s: %8.2f ms, %.1f ns per leaf and level\n", n,
                          shape == 0   ? "random  "
                          : shape == 1 ? "sorted  "
                                       : "reversed",
                          1e3 * best, unit);
            /* Beyond the caches a level costs more; quadratic growth would be a factor of 1000. */
            if (first > 0) assert_true(unit < 30 * first);
            free(leaves);
            free(nodes);
        }
    }
}

/* ---- leaves ------------------------------------------------------------------------------------- */

/* Some leaf covers (u, v), and the point there lies in its box; leaves of a face tile its box. */
static void check_face_leaves(const wit_surface* s, wit_interval u, wit_interval v, const leaf_list* l, rng* r)
{
    double area = 0;
    for (int k = 0; k < l->count; k++) {
        const tree_node* n = &l->nodes[k];
        assert_int_equal(n->kind, WIT_FACE);
        assert_int_equal(n->feature, 17);
        area += iv_width(n->u) * iv_width(n->v);
        for (int i = 0; i < 3; i++) {
            wit_surface_jet j;
            double x = rng_range(r, n->u.lo, n->u.hi);
            double y = rng_range(r, n->v.lo, n->v.hi);
            wit_surface_eval(s, x, y, 0, NULL, &j);
            assert_true(holds(&n->box, j.p));
        }
    }
    near1(area / (iv_width(u) * iv_width(v)), 1, 1e-9, "the leaves tile the face");
}

/* Whether a border between polynomial cells runs through the inside of x. */
static bool break_inside(const wit_surface* s, wit_direction direction, wit_interval x)
{
    int count;
    const double* breaks = wit_surface_breaks(s, direction, &count);
    double width = breaks[count - 1] - breaks[0], sliver = 1e-8 * width;
    for (int k = 0; k < count; k++)
        for (int turn = 0; turn < 2; turn++) {
            double at = breaks[k] + turn * width;
            if (at > x.lo + sliver && at < x.hi - sliver && (turn == 0 || breaks[k] > breaks[0])) return true;
        }
    return false;
}

static void leaves_of_whole_faces_keep_to_cells_and_bend_little(void** state)
{
    (void)state;
    rng r = rng_seed(314);
    int most = 0;
    long faces = campaign(4000);
    for (long n = 0; n < faces; n++) {
        static random_surface spline;
        double size = (double[]){1e-6, 1, 1e6}[n % 3];
        random_surface_make(&r, 1 + rng_int(&r, 4), 1 + rng_int(&r, 4), size, &spline);
        wit_surface_def d = n % 2 ? spline.def : random_quadric(&r, (wit_surface_kind)(n / 2 % 7), size);
        wit_surface* s = surface_made(&d);
        wit_interval u = s->u, v = s->v;
        double shift = rng_double(&r); /* over the seam */
        if (s->closed_u) u = iv(u.lo + shift * iv_width(s->u), u.hi + shift * iv_width(s->u));
        leaf_list l = wi_leaf_list_empty(NULL);
        assert_int_equal(wi_leaves_of_face(s, u, v, NULL, 17, &l), WIT_OK);
        check_face_leaves(s, u, v, &l, &r);
        wit_surface_bounds all, part;
        wit_surface_bound(s, u, v, &all);
        for (int k = 0; k < l.count && n % 2 == 0; k++) {
            wit_surface_bound(s, l.nodes[k].u, l.nodes[k].v, &part);
            double share = norm3(sub3(part.box.hi, part.box.lo)) / norm3(sub3(all.box.hi, all.box.lo));
            assert_true(part.normals.angle <= PI / 6 || share <= 0.25);
        }
        for (int k = 0; k < l.count && n % 2; k++)
            assert_false(break_inside(s, WIT_U, l.nodes[k].u) || break_inside(s, WIT_V, l.nodes[k].v));
        most = l.count > most && n % 2 == 0 ? l.count : most;
        wi_leaf_list_release(&l);
        wit_surface_destroy(s);
    }
    print_message("  %ld faces, at most %d leaves on a quadric\n", faces, most);
}

/* No part of a trimmed face is lost; tags are true; what is certainly outside is gone. */
static void leaves_of_a_trimmed_face_cover_it(void** state)
{
    (void)state;
    rng r = rng_seed(315);
    static scene s;
    memset(&s, 0, sizeof s);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_CYLINDER);
    d.radius = 2;
    d.range_v = iv(0, 10);
    wit_surface* surface = surface_made(&d);
    s.u = surface->u;
    s.v = surface->v;
    s.closed_u = true;
    scene_rectangle(&s, 4, 1, 8, 9); /* over the seam */
    for (int k = 0; k < 12; k++) scene_round(&s, &r, k % 4, 4.5 + k % 4, 2 + 2.5 * (k / 4), 0.4, 0.9, true);
    trim_input in = {s.u, s.v, true, false, s.loops, s.sizes, s.passage, 1e-6, 1e-6};
    trim_curves curves = {NULL, (const char*)s.curves, sizeof s.curves[0], NULL, 0};
    trim_region region;
    void* block;
    size_t bytes;
    assert_int_equal(wi_trim_build(&in, NULL, &block, &bytes, &region, NULL), WIT_OK);
    leaf_list l = wi_leaf_list_empty(NULL);
    const face_trims trims = {&region, block, &curves};
    assert_int_equal(wi_leaves_of_face(surface, region.u, region.v, &trims, 3, &l), WIT_OK);
    int tags[3] = {0, 0, 0}, inside = 0;
    for (int k = 0; k < l.count; k++) tags[l.nodes[k].tag]++;
    assert_true(tags[TRIM_IN] > 0 && tags[TRIM_MIXED] > 0 && tags[TRIM_OUT] == 0);
    for (int n = 0; n < 20000; n++) {
        double u = rng_range(&r, region.u.lo, region.u.hi);
        double v = rng_range(&r, region.v.lo, region.v.hi);
        bool in_face = wi_trim_contains(&region, block, &curves, u, v);
        int at = -1;
        for (int k = 0; k < l.count; k++) {
            const tree_node* q = &l.nodes[k];
            if (u < q->u.lo || u >= q->u.hi || v < q->v.lo || v >= q->v.hi) continue;
            assert_int_equal(at, -1);
            at = k;
            assert_true(in_face || q->tag == TRIM_MIXED);
        }
        assert_true(!in_face || at >= 0);
        inside += in_face;
    }
    print_message("  %d leaves in, %d mixed; %d of 20000 points inside\n", tags[TRIM_IN], tags[TRIM_MIXED], inside);
    wi_leaf_list_release(&l);
    free(block);
    scene_drop(&s);
    wit_surface_destroy(surface);
}

static void leaves_of_edges_follow_each_other(void** state)
{
    (void)state;
    rng r = rng_seed(316);
    long edges = campaign(20000);
    for (long n = 0; n < edges; n++) {
        static random_curve spline;
        double size = (double[]){1e-6, 1, 1e6}[n % 3];
        random_curve_make(&r, 1 + rng_int(&r, 5), size, &spline);
        wit_curve_def d = n % 2 ? spline.def : random_conic(&r, (wit_curve_kind)(n / 2 % 5), size);
        wit_curve* c = curve_made(&d);
        wit_interval t = c->range;
        double shift = rng_double(&r) * iv_width(t);
        if (c->closed) t = iv(t.lo + shift, t.hi + shift);
        leaf_list l = wi_leaf_list_empty(NULL);
        assert_int_equal(wi_leaves_of_vertex(vec3(1, 2, 3), 4, &l), WIT_OK);
        assert_int_equal(wi_leaves_of_edge(c, t, 5, &l), WIT_OK);
        assert_true(l.count >= 2 && l.nodes[0].kind == WIT_VERTEX && holds(&l.nodes[0].box, vec3(1, 2, 3)));
        assert_true(l.nodes[1].u.lo == t.lo && l.nodes[l.count - 1].u.hi == t.hi);
        for (int k = 1; k < l.count; k++) {
            const tree_node* q = &l.nodes[k];
            assert_true(q->kind == WIT_EDGE && q->feature == 5 && q->u.lo < q->u.hi);
            if (k > 1) assert_true(q->u.lo == l.nodes[k - 1].u.hi);
            wit_curve_jet j;
            wit_curve_eval(c, rng_range(&r, q->u.lo, q->u.hi), 0, NULL, &j);
            assert_true(holds(&q->box, j.p));
        }
        wi_leaf_list_release(&l);
        wit_curve_destroy(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tree_reaches_every_leaf_once),
        cmocka_unit_test(unbounded_leaves_are_kept),
        cmocka_unit_test(build_time_grows_as_n_log_n),
        cmocka_unit_test(leaves_of_whole_faces_keep_to_cells_and_bend_little),
        cmocka_unit_test(leaves_of_a_trimmed_face_cover_it),
        cmocka_unit_test(leaves_of_edges_follow_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
