/* SPDX-License-Identifier: MIT */
/*
 * Batches against the one-by-one calls. Of points every answer is judged by the cold query: both brackets hold the truth, so they
 * meet; what the query certifies the batch certifies; and some are judged by the dense search. Of pairs and trackers the bits are
 * those of the one-by-one call. Pieces in another order, over other workers, give the same bits.
 */
#include "../include/witness/batch.h"
#include "../src/batch/carried_point.h"
#include "analytic.h"
#include "campaign.h"
#include "counted.h"
#include "judge.h"

enum { MOST = 4000, JUDGED = 16 };

typedef struct points {
    wit_vec3 at[MOST];
    wit_closest answer[MOST];
    int32_t status[MOST];
    int64_t count;
} points;

static wit_batch* batch_for(int64_t count, int workers)
{
    wit_batch_def def = wit_batch_default_def();
    def.count = count;
    def.workers = workers;
    def.query.capacity = 4096;
    wit_batch* b = wit_batch_create(&def, NULL, NULL);
    assert_non_null(b);
    return b;
}

static wit_batch_summary ask(wit_batch* batch, const wit_placed* a, points* p)
{
    wit_items items = {.data = p->at, .count = p->count};
    wit_batch_out out = {.fields = 0};
    wit_batch_summary sum;
    wit_batch_ask(&out, WIT_FIELD_CLOSEST, p->answer, 0);
    wit_batch_ask(&out, WIT_FIELD_STATUS, p->status, 0);
    assert_int_equal(wit_closest_points(batch, a, &items, &out, &sum), WIT_OK);
    return sum;
}

/* The same points in the order they stand, each carried from the one before whatever it costs: the account is never empty. */
static wit_batch_summary ask_run(wit_query* query, const wit_placed* a, points* p)
{
    enum { PIECES = 4096 };
    wit_batch_summary sum = {.answered = 0};
    point_run_def def = {.query = query, .a = a, .capacity = PIECES, .points = (int64_t)1 << 40};
    if (wi_point_run_carries(query, a)) def.front = malloc(wi_point_front_bytes(PIECES));
    point_run run;
    wi_point_run_start(&run, &def);
    for (int64_t i = 0; i < p->count; ++i) {
        p->status[i] = (int32_t)wi_point_run_ask(&run, p->at[i], &p->answer[i]);
        sum.answered += !p->status[i];
        sum.refused += p->status[i] != WIT_OK;
    }
    sum.carried = run.carried;
    free(def.front);
    return sum;
}

/* ---- points -------------------------------------------------------------------------------- */

typedef struct compared {
    long points, carried, certified, less, more, features, outcomes, signs, wrong;
} compared;

/* A bracket of the batch and of the query hold the same number. */
static void compare(compared* n, const wit_closest* b, const wit_closest* c, double size)
{
    double scale = fabs(c->distance) > size ? fabs(c->distance) : size, slack = 1e-9 * scale + c->model_tolerance;
    bool meet = b->lower_bound <= c->upper_bound && c->lower_bound <= b->upper_bound;
    bool same = !c->certified || fabs(b->distance - c->distance) <= slack;
    n->points += 1;
    n->certified += b->certified;
    n->less += c->certified && !b->certified;
    n->more += b->certified && !c->certified;
    n->features += b->a.feature != c->a.feature || b->a.id != c->a.id;
    n->outcomes += b->outcome != c->outcome;
    n->signs += c->certified && b->certified && fabs(c->distance) > slack && (b->distance < 0) != (c->distance < 0);
    if (meet && same) return;
    if (n->wrong++ < 5)
        print_message("batch %.17g [%.17g %.17g], query %.17g [%.17g %.17g]\n", b->distance, b->lower_bound,
                      b->upper_bound, c->distance, c->lower_bound, c->upper_bound);
}

/* Points anywhere about the body, near one of its places, or on a lattice over a part of it, where many are alike. */
static void scatter(points* p, const cold_body* b, const wit_pose* pose, rng* r, int kind)
{
    wit_vec3 centre = random_place_at(r, b);
    double reach = b->size * rng_range(r, 0.002, 0.1), step = 2 * reach / 16;
    for (int64_t i = 0; i < p->count; ++i) {
        int x = (int)(i % 16), y = (int)(i / 16 % 16), z = (int)(i / 256);
        wit_vec3 at = random_place_at(r, b);
        if (kind == 1)
            at = vec3(centre.x + rng_range(r, -reach, reach), centre.y + rng_range(r, -reach, reach),
                      centre.z + rng_range(r, -reach, reach));
        if (kind == 2) at = vec3(b->centre.x + x * step, b->centre.y + y * step, b->centre.z + z * step);
        if (b->info.planar) at.z = 0;
        p->at[i] = wit_pose_point(pose, at);
    }
}

static void compare_body(compared* n, tally* t, points* p, const cold_body* b, long rounds, rng* r)
{
    wit_query* own = wit_query_create(NULL, NULL, NULL);
    wit_batch* batch = batch_for(MOST, 1);
    wit_query_def def = wit_query_default_def();
    wit_query* query = wit_query_create(&def, NULL, NULL);
    for (long k = 0; k < rounds; ++k) {
        wit_pose pose = k / 2 % 2 ? campaign_pose(r, k, b) : wit_pose_identity();
        if (b->info.planar) pose = wit_pose_identity();
        wit_placed a = wit_placed_at(b->body, pose);
        p->count = 256;
        scatter(p, b, &pose, r, (int)(k / 2 % 3));
        wit_batch_summary sum = k % 2 ? ask(batch, &a, p) : ask_run(own, &a, p);
        n->carried += sum.carried;
        assert_int_equal(sum.answered + sum.refused, p->count);
        for (int64_t i = 0; i < p->count; ++i) {
            wit_closest c;
            assert_int_equal(p->status[i], wit_closest_point(query, &a, p->at[i], &c));
            if (p->status[i]) continue;
            compare(n, &p->answer[i], &c, b->size);
            if (i % JUDGED || !c.certified) continue; /* else it is no narrower here either */
            asked q = {.def = &def, .a = b, .pose_a = pose, .point = p->at[i]};
            judge_point(t, &q, &p->answer[i]);
        }
    }
    wit_query_destroy(query);
    wit_query_destroy(own);
    wit_batch_destroy(batch);
}

static void points_are_answered_as_one_by_one(void** state)
{
    (void)state;
    static cold_body bodies[COLD_ROOM];
    static points p;
    rng r = rng_seed(901);
    int n = cold_all(1, 901, bodies);
    n += cold_foreign(1, bodies + n);
    compared total = {0};
    tally judged = {0};
    long rounds = campaign(300);
    if (rounds < 6) rounds = 6; /* every kind of points, both ways */
    for (int k = 0; k < n; ++k) {
        compare_body(&total, &judged, &p, &bodies[k], rounds, &r);
        cold_drop(&bodies[k]);
    }
    print_message(
        "%ld points, %ld carried: %ld certified, %ld fewer and %ld more than one by one; other features %ld, outcomes "
        "%ld, signs %ld; brackets that do not meet %ld\n",
        total.points, total.carried, total.certified, total.less, total.more, total.features, total.outcomes,
        total.signs, total.wrong);
    tally_print("judged", &judged);
    assert_int_equal(total.wrong, 0);
    assert_int_equal(total.signs, 0);
    assert_int_equal(total.less, 0);
    assert_true(total.carried > total.points / 6);
    assert_true(total.features <= total.points / 100); /* places that are equally near */
    assert_true(total.outcomes <= total.points / 1000);
    assert_all_right(&judged);
}

/* ---- pieces -------------------------------------------------------------------------------- */

typedef struct order {
    int workers;
    bool backward;
} order;

static void in_order(void* context, int64_t pieces, wit_parallel_job* run, void* job)
{
    const order* o = context;
    for (int64_t k = 0; k < pieces; ++k) {
        int64_t piece = o->backward ? pieces - 1 - k : k;
        run(job, piece, (int)(piece % o->workers));
    }
}

enum { MANY = 20000 };

typedef struct record {
    double distance, lower, upper, normal[3], point[3], parameters[2];
    int32_t feature[2], status, outcome, sign;
    int64_t units;
    uint8_t certified;
} record;

static void ask_records(wit_batch* batch, const wit_placed* a, const wit_items* items, record* rows)
{
    wit_batch_out out = {.fields = 0};
    memset(rows, 0, (size_t)items->count * sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_DISTANCE, &rows->distance, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_LOWER_BOUND, &rows->lower, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_UPPER_BOUND, &rows->upper, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_NORMAL, &rows->normal, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_POINT_A, &rows->point, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_PARAMETERS_A, &rows->parameters, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_FEATURE_A, &rows->feature, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_STATUS, &rows->status, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_OUTCOME, &rows->outcome, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_SIGN, &rows->sign, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_UNITS, &rows->units, sizeof *rows);
    wit_batch_ask(&out, WIT_FIELD_CERTIFIED, &rows->certified, sizeof *rows);
    long before = taken;
    assert_int_equal(wit_closest_points(batch, a, items, &out, NULL), WIT_OK);
    assert_int_equal(taken, before); /* no memory is taken in a call */
}

static void workers_and_order_do_not_show(void** state)
{
    (void)state;
    static record first[MANY], other[MANY];
    static wit_vec3 at[MANY];
    cold_body b = cold_model("torus", 1);
    rng r = rng_seed(902);
    for (int i = 0; i < MANY; ++i) at[i] = random_place_at(&r, &b);
    at[77].y = NAN;
    wit_placed a = wit_placed_at(b.body, wit_pose_identity());
    wit_items items = {.data = at, .count = MANY};
    long before = taken;
    wit_batch* plain = batch_for(MANY, 1);
    assert_true(taken > before); /* the count counts */
    ask_records(plain, &a, &items, first);
    assert_int_equal(first[77].status, WIT_ERROR_NUMBER);
    assert_true(first[78].certified);
    for (int workers = 1; workers <= 3; ++workers) {
        order o = {workers, workers > 1};
        wit_batch_def def = wit_batch_default_def();
        def.count = MANY, def.workers = workers, def.query.capacity = 4096;
        def.each = in_order, def.each_context = &o;
        wit_batch* batch = wit_batch_create(&def, NULL, NULL);
        ask_records(batch, &a, &items, other);
        assert_memory_equal(first, other, sizeof first);
        wit_batch_destroy(batch);
    }
    ask_records(plain, &a, &items, other); /* whatever was asked before */
    assert_memory_equal(first, other, sizeof first);
    wit_batch_destroy(plain);
    cold_drop(&b);
}

static bool stop_later(void* context)
{
    int* left = context;
    return (*left)-- <= 0;
}

static void a_stop_leaves_whole_pieces_out(void** state)
{
    (void)state;
    static wit_vec3 at[MANY];
    static int32_t status[MANY];
    cold_body b = cold_model("ellipsoid", 1);
    rng r = rng_seed(903);
    for (int i = 0; i < MANY; ++i) at[i] = random_place_at(&r, &b);
    int left = 1;
    wit_batch_def def = wit_batch_default_def();
    def.count = MANY, def.stop = stop_later, def.stop_context = &left;
    wit_batch* batch = wit_batch_create(&def, NULL, NULL);
    wit_placed a = wit_placed_at(b.body, wit_pose_identity());
    wit_items items = {.data = at, .count = MANY};
    wit_batch_out out = {.fields = 0};
    wit_batch_summary sum;
    wit_batch_ask(&out, WIT_FIELD_STATUS, status, 0);
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, &sum), WIT_OK);
    long answered = 0, waiting = 0;
    for (int i = 0; i < MANY; ++i) answered += status[i] == WIT_OK, waiting += status[i] == -1;
    assert_true(sum.stopped && sum.answered == answered && answered > 0 && waiting > 0 && answered + waiting == MANY);
    wit_batch_destroy(batch);
    cold_drop(&b);
}

/* ---- pairs and trackers -------------------------------------------------------------------- */

static wit_pose pose_number(int i)
{
    double t = 0.03 * i;
    wit_pose p = {{4 - t, 0.3 * t, 0.2}, wit_quat_about(vec3(1, 0.5, -0.25), t)};
    return p;
}

static void pairs_are_those_of_the_query(void** state)
{
    (void)state;
    enum { PAIRS = 150 };
    static wit_pose_pair poses[PAIRS];
    static double distance[PAIRS], lower[PAIRS];
    cold_body x = cold_model("ellipsoid", 1), y = cold_model("torus", 1);
    for (int i = 0; i < PAIRS; ++i) poses[i] = (wit_pose_pair){wit_pose_identity(), pose_number(i)};
    poses[3].b.rotation.w = 7;
    wit_placed a = wit_placed_at(x.body, wit_pose_identity()), b = wit_placed_at(y.body, wit_pose_identity());
    wit_batch* batch = batch_for(0, 1);
    wit_items items = {.data = poses, .count = PAIRS};
    wit_batch_out out = {.fields = 0};
    wit_batch_summary sum;
    wit_batch_ask(&out, WIT_FIELD_DISTANCE, distance, 0);
    wit_batch_ask(&out, WIT_FIELD_LOWER_BOUND, lower, 0);
    assert_int_equal(wit_closest_pairs(batch, &a, &b, &items, &out, &sum), WIT_OK);
    assert_int_equal(sum.refused, 1);
    assert_int_equal(sum.first_refused, 3);
    wit_query_def def = wit_query_default_def();
    def.capacity = 4096;
    wit_query* query = wit_query_create(&def, NULL, NULL);
    for (int i = 0; i < PAIRS; ++i) {
        wit_closest c;
        a.pose = poses[i].a, b.pose = poses[i].b;
        if (wit_closest_pair(query, &a, &b, &c)) continue;
        assert_memory_equal(&c.distance, &distance[i], sizeof c.distance);
        assert_memory_equal(&c.lower_bound, &lower[i], sizeof c.lower_bound);
    }
    wit_query_destroy(query);
    wit_batch_destroy(batch);
    cold_drop(&x);
    cold_drop(&y);
}

static void steps_are_those_of_the_tracker(void** state)
{
    (void)state;
    enum { TRACKERS = 40, FRAMES = 20 };
    static wit_step_item items[TRACKERS];
    cold_body x = cold_model("ellipsoid", 1), y = cold_model("torus", 1);
    wit_tracker* alone[TRACKERS];
    wit_batch* batch = batch_for(0, 1);
    wit_batch_summary sum;
    for (int k = 0; k < TRACKERS; ++k) {
        const wit_body* b = k % 2 ? y.body : NULL;
        items[k].tracker = wit_tracker_create(x.body, b, NULL, NULL, NULL);
        alone[k] = wit_tracker_create(x.body, b, NULL, NULL, NULL);
    }
    for (int frame = 0; frame < FRAMES; ++frame) {
        for (int k = 0; k < TRACKERS; ++k) {
            items[k].a = wit_motion_at_rest(wit_pose_identity());
            items[k].b = (wit_motion){.pose = pose_number(frame + k)};
        }
        assert_int_equal(wit_tracker_step_many(batch, items, TRACKERS, 0.001, &sum), WIT_OK);
        assert_int_equal(sum.answered, TRACKERS);
        for (int k = 0; k < TRACKERS; ++k) {
            wit_result r;
            assert_int_equal(wit_tracker_step(alone[k], &items[k].a, &items[k].b, 0.001, &r), WIT_OK);
            assert_memory_equal(&r.distance, &items[k].result.distance, sizeof r.distance);
            assert_memory_equal(&r.lower_bound, &items[k].result.lower_bound, sizeof r.lower_bound);
            assert_int_equal(r.flags, items[k].result.flags);
        }
    }
    for (int k = 0; k < TRACKERS; ++k) wit_tracker_destroy(items[k].tracker), wit_tracker_destroy(alone[k]);
    items[5].tracker = NULL;
    for (int k = 0; k < TRACKERS; ++k) items[k].tracker = NULL;
    assert_int_equal(wit_tracker_step_many(batch, items, TRACKERS, 0.001, &sum), WIT_OK);
    assert_int_equal(sum.refused, TRACKERS);
    wit_batch_destroy(batch);
    cold_drop(&x);
    cold_drop(&y);
}

/* ---- refusals ------------------------------------------------------------------------------ */

static void wrong_calls_are_refused(void** state)
{
    (void)state;
    double xyz[9] = {9, 0, 0, 0, 9, 0, 0, 0, 9}, distance[3];
    wit_error e;
    wit_batch_def def = wit_batch_default_def();
    def.workers = 0;
    assert_null(wit_batch_create(&def, NULL, &e));
    assert_string_equal(e.item, "workers");
    assert_int_equal(wit_batch_size(&def), 0);
    def = wit_batch_default_def();
    def.query.tolerance = 7;
    assert_null(wit_batch_create(&def, NULL, &e));
    assert_string_equal(e.item, "query");
    cold_body b = cold_model("ellipsoid", 1);
    wit_placed a = wit_placed_at(b.body, wit_pose_identity());
    wit_batch* batch = batch_for(2, 1);
    wit_items items = {.data = xyz, .count = 3};
    wit_batch_out out = {.fields = 0};
    wit_batch_ask(&out, WIT_FIELD_DISTANCE, distance, 0);
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_COUNT);
    items.count = 2;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_OK);
    items.stride = 16;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_ARGUMENT);
    items.stride = 0, items.data = NULL;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_ARGUMENT);
    items.data = xyz, out.stride[WIT_FIELD_DISTANCE] = 12;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_ARGUMENT);
    out.stride[WIT_FIELD_DISTANCE] = 0, out.data[WIT_FIELD_DISTANCE] = NULL;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_ARGUMENT);
    wit_batch_out strange = {.fields = 0};
    wit_batch_ask(&strange, WIT_FIELD_COUNT, distance, 0);
    assert_int_equal(wit_closest_points(batch, &a, &items, &strange, NULL), WIT_ERROR_ARGUMENT);
    a.pose.position.x = NAN;
    out.data[WIT_FIELD_DISTANCE] = distance;
    assert_int_equal(wit_closest_points(batch, &a, &items, &out, NULL), WIT_ERROR_NUMBER);
    assert_string_equal(wit_field_name(WIT_FIELD_NORMAL), "normal");
    assert_int_equal(wit_field_bytes(WIT_FIELD_NORMAL), 24);
    wit_batch_destroy(batch);
    cold_drop(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_answered_as_one_by_one), cmocka_unit_test(workers_and_order_do_not_show),
        cmocka_unit_test(a_stop_leaves_whole_pieces_out),    cmocka_unit_test(pairs_are_those_of_the_query),
        cmocka_unit_test(steps_are_those_of_the_tracker),    cmocka_unit_test(wrong_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
