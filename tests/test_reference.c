/* SPDX-License-Identifier: MIT */
/*
 * Numbers that were computed elsewhere, in 40 digits: the patch of Table I, pairs of ellipsoids, and every pose of the
 * pen above the bowl, with the features that carry the distance. The judge's own search has to find them too.
 */
#include "reference.h"

#include "analytic.h"
#include "cold_bodies.h"

/* The numbers are of sizes 1 to 30: some ten roundings of the coordinates are far below it. */
#define NEAR 1e-12

static wit_query* asking(double tolerance, bool rigorous)
{
    wit_query_def def = wit_query_default_def();
    def.tolerance = tolerance;
    def.rigorous = rigorous;
    wit_error e = {0};
    wit_query* q = wit_query_create(&def, NULL, &e);
    if (!q) fail_msg("%s: %s", e.item, e.text);
    return q;
}

static void bracket_holds(const wit_closest* c, double truth, const char* what)
{
    if (c->lower_bound > truth + 4e-15 * (1 + truth) || c->upper_bound < truth - 4e-15 * (1 + truth))
        fail_msg("%s: [%.17g, %.17g] excludes %.17g", what, c->lower_bound, c->upper_bound, truth);
}

static const char* feature_name(const wit_body* b, const wit_witness* w)
{
    return w->feature == WIT_FACE   ? wit_body_face(b, w->id).name
           : w->feature == WIT_EDGE ? wit_body_edge(b, w->id).name
                                    : wit_body_vertex(b, w->id).name;
}

static void points_of_table_one_are_found(void** state)
{
    (void)state;
    reference r = reference_read();
    assert_int_equal(r.points, 100);
    cold_body patch = cold_model("table1", 1);
    double worst = 0, worst_judge = 0;
    for (int rigorous = 0; rigorous < 2; rigorous++) {
        wit_query* query = asking(1e-12, rigorous);
        for (int k = 0; k < r.points; k++) {
            const reference_point* x = &r.point[k];
            char what[64];
            snprintf(what, sizeof what, "Table I point %d", k);
            dense_place place;
            worst_judge = fmax(worst_judge, fabs(dense_point(patch.search, NULL, x->q, &place) - x->distance));
            wit_placed a = wit_placed_at(patch.body, wit_pose_identity());
            wit_closest c;
            assert_int_equal(wit_closest_point(query, &a, x->q, &c), WIT_OK);
            worst = fmax(worst, fabs(c.distance - x->distance));
            near1(c.distance, x->distance, NEAR, what);
            bracket_holds(&c, x->distance, what);
            if (c.outcome != WIT_OUTCOME_CONVERGED || !c.certified)
                fail_msg("%s: %s", what, wit_outcome_name(c.outcome));
            if (c.a.feature != x->feature)
                fail_msg("%s: a %s, not a %s", what, wit_feature_kind_name(c.a.feature),
                         wit_feature_kind_name(x->feature));
            near3(c.a.point, x->p, 1e-6, what); /* the distance is flat there: the root of its rounding */
            assert_true(c.b.feature == WIT_POINT && c.b.id == -1);
        }
        wit_query_destroy(query);
    }
    print_message("  Table I: %d points, worst error %.3g, of the judge %.3g\n", r.points, worst, worst_judge);
    assert_true(worst_judge <= NEAR);
    cold_drop(&patch);
    reference_drop(&r);
}

static wit_body* ellipsoid(wit_vec3 axes)
{
    wit_solid_def d = wit_solid_default_def(WIT_SOLID_ELLIPSOID);
    d.size_x = axes.x;
    d.size_y = axes.y;
    d.size_z = axes.z;
    wit_body* b = wit_solid_create(&d, NULL, NULL);
    assert_non_null(b);
    return b;
}

static void pairs_of_ellipsoids_are_found(void** state)
{
    (void)state;
    reference r = reference_read();
    assert_int_equal(r.ellipsoids, 100);
    double worst = 0, worst_judge = 0, nodes = 0;
    for (int rigorous = 0; rigorous < 2; rigorous++) {
        wit_query* query = asking(1e-12, rigorous);
        for (int k = 0; k < r.ellipsoids; k++) {
            const reference_ellipsoids* x = &r.ellipsoid[k];
            char what[64];
            snprintf(what, sizeof what, "ellipsoids %d", k);
            wit_body* body[2] = {ellipsoid(x->axes[0]), ellipsoid(x->axes[1])};
            dense* judge[2] = {dense_create(body[0]), dense_create(body[1])};
            dense_place p, q;
            double seen = dense_pair(judge[0], NULL, &x->poses[0], judge[1], NULL, &x->poses[1], &p, &q);
            worst_judge = fmax(worst_judge, fabs(seen - x->distance));
            wit_placed a = wit_placed_at(body[0], x->poses[0]), b = wit_placed_at(body[1], x->poses[1]);
            wit_closest c;
            assert_int_equal(wit_closest_pair(query, &a, &b, &c), WIT_OK);
            worst = fmax(worst, fabs(c.distance - x->distance));
            nodes += (double)c.work.nodes;
            near1(c.distance, x->distance, NEAR, what);
            bracket_holds(&c, x->distance, what);
            if (c.outcome != WIT_OUTCOME_CONVERGED || !c.certified)
                fail_msg("%s: %s", what, wit_outcome_name(c.outcome));
            assert_true(c.a.feature == WIT_FACE && c.b.feature == WIT_FACE);
            near3(c.a.point, x->points[0], 1e-6, what);
            near3(c.b.point, x->points[1], 1e-6, what);
            for (int i = 0; i < 2; i++) {
                dense_destroy(judge[i]);
                wit_body_destroy(body[i]);
            }
        }
        wit_query_destroy(query);
    }
    print_message("  ellipsoids: %d pairs, worst error %.3g, of the judge %.3g; nodes mean %.0f\n", r.ellipsoids, worst,
                  worst_judge, nodes / (2 * r.ellipsoids));
    assert_true(worst_judge <= NEAR);
    reference_drop(&r);
}

/* One of the listed pairs; on a curve of closest pairs its ends too: the rim around the disc. */
static bool listed(const reference_pose* x, const char* pen, const char* bowl)
{
    for (int k = 0; k < x->pairs; k++) {
        if (strcmp(bowl, x->bowl_feature[k])) continue;
        if (!strcmp(pen, x->pen_feature[k])) return true;
        if (x->continuum && !strcmp(x->pen_feature[k], "S5") && !strcmp(pen, "C3")) return true;
    }
    return false;
}

/* What is wrong with it; null: nothing. */
static const char* pose_fault(const reference_pose* x, const cold_body* pen, const cold_body* bowl,
                              const wit_closest* c)
{
    double dirt = 4e-15 * (1 + x->distance);
    if (!(fabs(c->distance - x->distance) <= NEAR)) return "distance";
    if (c->lower_bound > x->distance + dirt || c->upper_bound < x->distance - dirt) return "bracket";
    const char *p = feature_name(pen->body, &c->a), *b = feature_name(bowl->body, &c->b);
    if (!listed(x, p, b)) return "features";
    wit_outcome want = x->continuum       ? WIT_OUTCOME_NOT_UNIQUE
                       : x->distance == 0 ? WIT_OUTCOME_TOUCHING
                                          : WIT_OUTCOME_CONVERGED;
    if (c->outcome != want) return "outcome";
    if (!x->continuum && !c->certified) return "certified";
    return x->continuum && c->set.dimension != 1 ? "dimension" : NULL;
}

static void poses_of_pen_and_bowl_are_found(void** state)
{
    (void)state;
    reference r = reference_read();
    assert_int_equal(r.poses, 425);
    cold_body pen = cold_model("pen", 1), bowl = cold_model("bowl", 1);
    double worst = 0, worst_judge = 0, nodes = 0, most = 0;
    int failed = 0;
    for (int rigorous = 0; rigorous < 2; rigorous++) {
        wit_query* query = asking(1e-12, rigorous);
        for (int k = 0; k < r.poses; k++) {
            const reference_pose* x = &r.pose[k];
            wit_pose still = wit_pose_identity();
            wit_placed a = wit_placed_at(pen.body, x->pen), b = wit_placed_at(bowl.body, still);
            dense_place p, q;
            double seen = dense_pair(pen.search, NULL, &x->pen, bowl.search, NULL, &still, &p, &q);
            worst_judge = fmax(worst_judge, fabs(seen - x->distance));
            wit_closest c;
            assert_int_equal(wit_closest_pair(query, &a, &b, &c), WIT_OK);
            worst = fmax(worst, fabs(c.distance - x->distance));
            nodes += (double)c.work.nodes;
            most = fmax(most, (double)c.work.nodes);
            const char* fault = pose_fault(x, &pen, &bowl, &c);
            if (!fault) continue;
            failed++;
            print_error("%s, %s %g, %s: %s, %.17g in [%.17g, %.17g], not %.17g; (%s, %s), not (%s, %s); nodes %lld\n",
                        x->list, x->turned ? "degrees" : "Y", x->value, fault, wit_outcome_name(c.outcome), c.distance,
                        c.lower_bound, c.upper_bound, x->distance, feature_name(pen.body, &c.a),
                        feature_name(bowl.body, &c.b), x->pen_feature[0], x->bowl_feature[0], (long long)c.work.nodes);
        }
        wit_query_destroy(query);
    }
    print_message("  pen and bowl: %d poses, worst error %.3g, of the judge %.3g; nodes mean %.0f, most %.0f\n",
                  r.poses, worst, worst_judge, nodes / (2 * r.poses), most);
    assert_true(worst_judge <= NEAR);
    cold_drop(&pen);
    cold_drop(&bowl);
    reference_drop(&r);
}

/* Where the tables in print are wrong: two saddles in the plane of symmetry, and one row of another pose. */
static void rows_in_doubt_are_the_true_minima(void** state)
{
    (void)state;
    static const struct {
        const char* list;
        double value, distance;
        const char *pen, *bowl;
        wit_vec3 bowl_point; /* up to the sign of x */
    } rows[] = {
        {"table2", 178, 0.994416664463314, "C3", "C1", {0.4052712836247493, -3.979416437955338, 4}},
        {"table2", 225, 4.22366183145959, "C3", "C1", {1.9412473625592095, 3.497364533095873, 4}},
        {"table1", 22, 15.2059324685260, "C3", "S1", {0, 3.94055598469662, 3.8819953671320873}},
    };
    reference r = reference_read();
    cold_body pen = cold_model("pen", 1), bowl = cold_model("bowl", 1);
    wit_query* query = asking(1e-12, false);
    for (int i = 0; i < 3; i++) {
        int k = 0;
        while (k < r.poses && (strcmp(r.pose[k].list, rows[i].list) || r.pose[k].value != rows[i].value)) k++;
        assert_true(k < r.poses);
        wit_placed a = wit_placed_at(pen.body, r.pose[k].pen), b = wit_placed_at(bowl.body, wit_pose_identity());
        wit_closest c;
        assert_int_equal(wit_closest_pair(query, &a, &b, &c), WIT_OK);
        char what[32];
        snprintf(what, sizeof what, "row %g", rows[i].value);
        near1(c.distance, rows[i].distance, NEAR, what);
        assert_string_equal(feature_name(pen.body, &c.a), rows[i].pen);
        assert_string_equal(feature_name(bowl.body, &c.b), rows[i].bowl);
        wit_vec3 p = c.b.point;
        near3(vec3(fabs(p.x), p.y, p.z), rows[i].bowl_point, 1e-6, what);
        assert_true(c.certified && c.outcome == WIT_OUTCOME_CONVERGED);
    }
    wit_query_destroy(query);
    cold_drop(&pen);
    cold_drop(&bowl);
    reference_drop(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_table_one_are_found),
        cmocka_unit_test(pairs_of_ellipsoids_are_found),
        cmocka_unit_test(poses_of_pen_and_bowl_are_found),
        cmocka_unit_test(rows_in_doubt_are_the_true_minima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
