/* SPDX-License-Identifier: MIT */
/* What must not change: by swapping, by moving both, by asking again; and what masks, cut-offs and budgets do. */
#include "analytic.h"
#include "campaign.h"
#include "counted.h"
#include "judge.h"

/* ---- scenes ---------------------------------------------------------------------------------- */

typedef struct scene {
    int first, count; /* what is asked is one of the bodies from the first on, or a pair of it and any */
    cold_body bodies[COLD_ROOM];
    wit_query* query;
    rng r;
} scene;

/* The second round, over bodies of others. */
static bool foreign;

static scene* opened(uint64_t seed)
{
    static scene s;
    s.first = 0;
    s.count = cold_all(1, seed, s.bodies);
    if (foreign) {
        s.first = s.count;
        s.count += cold_foreign(1, s.bodies + s.first);
    }
    s.query = wit_query_create(NULL, NULL, NULL);
    s.r = rng_seed(foreign ? seed + COLD_FOREIGN_SEED : seed);
    assert_non_null(s.query);
    return &s;
}

static void closed(scene* s)
{
    for (int k = 0; k < s->count; k++) cold_drop(&s->bodies[k]);
    wit_query_destroy(s->query);
}

/* How many questions: of the second round as many more as there are more bodies. */
static long share(long full)
{
    return campaign(foreign ? full * COLD_FOREIGN / COLD_OWN : full);
}

static const cold_body* random_body(scene* s)
{
    return &s->bodies[s->first + rng_int(&s->r, s->count - s->first)];
}

static wit_pose random_pose_of(rng* r, const cold_body* b, double far)
{
    wit_pose p = {.rotation = random_turn(r, b->info.planar)};
    p.position = random_vector(r, 0, far);
    if (b->info.planar) p.position.z = 0;
    return p;
}

/* Two bodies that may meet, at poses about apart by their sizes. */
static void random_pair(scene* s, const cold_body** a, const cold_body** b, wit_placed* at_a, wit_placed* at_b)
{
    do {
        *a = random_body(s);
        *b = &s->bodies[rng_int(&s->r, s->count)];
    } while ((*a)->info.planar != (*b)->info.planar || ((*a)->info.unbounded && (*b)->info.unbounded));
    *at_a = wit_placed_at((*a)->body, random_pose_of(&s->r, *a, (*a)->size));
    *at_b = wit_placed_at((*b)->body, random_pose_of(&s->r, *b, (*a)->size + (*b)->size));
}

static void settings(wit_query* query, double tolerance, double within, int64_t budget, bool rigorous)
{
    wit_query_def def = wit_query_default_def();
    def.tolerance = tolerance;
    def.within = within;
    def.budget = budget;
    def.rigorous = rigorous;
    assert_int_equal(wit_query_set(query, &def, NULL), WIT_OK);
}

static wit_closest point_asked(wit_query* query, const wit_placed* a, wit_vec3 p)
{
    wit_closest c;
    memset(&c, 0, sizeof c);
    assert_int_equal(wit_closest_point(query, a, p, &c), WIT_OK);
    return c;
}

static wit_closest pair_asked(wit_query* query, const wit_placed* a, const wit_placed* b)
{
    wit_closest c;
    memset(&c, 0, sizeof c);
    assert_int_equal(wit_closest_pair(query, a, b, &c), WIT_OK);
    return c;
}

static bool same_vector(wit_vec3 a, wit_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_witness(const wit_witness* a, const wit_witness* b)
{
    return a->feature == b->feature && a->id == b->id && a->u == b->u && a->v == b->v &&
           same_vector(a->point, b->point);
}

static bool same_value(const wit_closest* a, const wit_closest* b)
{
    return a->outcome == b->outcome && a->certified == b->certified && a->distance == b->distance &&
           a->lower_bound == b->lower_bound && a->upper_bound == b->upper_bound && a->sign == b->sign &&
           a->set.dimension == b->set.dimension && a->work.nodes == b->work.nodes && a->work.jets == b->work.jets;
}

static bool same_answer(const wit_closest* a, const wit_closest* b)
{
    return same_value(a, b) && same_vector(a->normal, b->normal) && same_witness(&a->a, &b->a) &&
           same_witness(&a->b, &b->b);
}

static void tell(const char* what, const cold_body* a, const cold_body* b, const wit_placed* at_a,
                 const wit_placed* at_b, const wit_closest* x, const wit_closest* y)
{
    const wit_placed* at[2] = {at_a, at_b};
    print_error("%s: %s%s%s\n", what, a->name, b ? " and " : "", b ? b->name : "");
    for (int k = 0; k < 2 && at[k]; k++) {
        const wit_pose* p = &at[k]->pose;
        print_error("  pose %.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", p->position.x, p->position.y, p->position.z,
                    p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z);
    }
    const wit_closest* c[2] = {x, y};
    for (int k = 0; k < 2 && c[k]; k++)
        print_error("  %s %.17g in [%.17g, %.17g], %s %d (%.17g, %.17g), %s %d (%.17g, %.17g), nodes %lld\n",
                    wit_outcome_name(c[k]->outcome), c[k]->distance, c[k]->lower_bound, c[k]->upper_bound,
                    wit_feature_kind_name(c[k]->a.feature), c[k]->a.id, c[k]->a.u, c[k]->a.v,
                    wit_feature_kind_name(c[k]->b.feature), c[k]->b.id, c[k]->b.u, c[k]->b.v,
                    (long long)c[k]->work.nodes);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static void swapping_the_bodies_changes_no_bit(void** state)
{
    (void)state;
    scene* s = opened(421);
    long count = share(4000), failed = 0;
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        settings(s->query, k % 2 ? 1e-9 : 1e-12, INFINITY, 1000000, k % 3 == 0);
        wit_closest x = pair_asked(s->query, &at_a, &at_b), y = pair_asked(s->query, &at_b, &at_a);
        bool same = same_value(&x, &y) && same_witness(&x.a, &y.b) && same_witness(&x.b, &y.a) &&
                    same_vector(x.normal, scale3(-1, y.normal));
        if (!same && failed++ < 4) tell("swapped", a, b, &at_a, &at_b, &x, &y);
    }
    print_message("  %ld pairs swapped, %ld changed\n", count, failed);
    closed(s);
    assert_int_equal(failed, 0);
}

/* Same features, unless another pair of points is as close. Names next to a border are not judged. */
static bool moved_well(const wit_closest* x, const wit_closest* y, const wit_pose* by, double magnitude, long* ties)
{
    double slack = 1e-13 * magnitude;
    if (x->outcome == WIT_OUTCOME_OVERLAPPING || y->outcome == WIT_OUTCOME_OVERLAPPING) {
        bool same = !x->certified || !y->certified || fabs(x->distance - y->distance) <= slack;
        return x->outcome == y->outcome && x->certified == y->certified && same;
    }
    if (!(fabs(x->distance - y->distance) <= slack)) return false;
    bool named =
        x->a.feature == y->a.feature && x->a.id == y->a.id && x->b.feature == y->b.feature && x->b.id == y->b.id;
    if (named) return true;
    double apart = fmax(norm3(sub3(wit_pose_point(by, x->a.point), y->a.point)),
                        norm3(sub3(wit_pose_point(by, x->b.point), y->b.point)));
    ++*ties;
    return apart > 1e-7 * magnitude;
}

static void moving_both_changes_nothing_but_rounding(void** state)
{
    (void)state;
    scene* s = opened(422);
    long count = share(4000), failed = 0, ties = 0;
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        settings(s->query, 1e-12, INFINITY, 1000000, false);
        wit_pose by = random_pose_of(&s->r, a, 2 * a->size);
        wit_placed to_a = wit_placed_at(a->body, wit_pose_compose(&by, &at_a.pose)),
                   to_b = wit_placed_at(b->body, wit_pose_compose(&by, &at_b.pose));
        double magnitude = norm3(at_a.pose.position) + norm3(at_b.pose.position) + 3 * a->size + 3 * b->size +
                           norm3(a->centre) + norm3(b->centre);
        if (k % 2) {
            wit_closest x = pair_asked(s->query, &at_a, &at_b), y = pair_asked(s->query, &to_a, &to_b);
            if (!moved_well(&x, &y, &by, magnitude, &ties) && failed++ < 4) tell("moved", a, b, &at_a, &at_b, &x, &y);
        } else {
            wit_vec3 p = wit_pose_point(&at_a.pose, random_place_at(&s->r, a));
            if (a->info.planar) p.z = 0;
            wit_closest x = point_asked(s->query, &at_a, p), y = point_asked(s->query, &to_a, wit_pose_point(&by, p));
            if (!moved_well(&x, &y, &by, magnitude + norm3(p), &ties) && failed++ < 4)
                tell("moved", a, NULL, &at_a, NULL, &x, &y);
        }
    }
    print_message("  %ld queries moved, %ld changed, %ld tied\n", count, failed, ties);
    closed(s);
    assert_int_equal(failed, 0);
    assert_true(ties <= 1 + count / 50);
}

static void sign_flips_on_crossing_the_surface(void** state)
{
    (void)state;
    scene* s = opened(423);
    long count = share(20000), failed = 0, tried = 0;
    for (long k = 0; k < count; k++) {
        const cold_body* b = random_body(s);
        if (!b->inside || b->info.planar || b->info.unbounded) continue;
        int face = rng_int(&s->r, b->info.face_count);
        wit_face_info f = wit_body_face(b->body, face);
        double u = rng_range(&s->r, f.u.lo, f.u.hi);
        double v = rng_range(&s->r, f.v.lo, f.v.hi);
        double off = b->size * pow(10, rng_range(&s->r, -8, -2));
        wit_vec3 n;
        if (!wit_body_face_contains(b->body, face, u, v) || !wit_body_face_normal(b->body, face, u, v, &n)) continue;
        wit_surface_jet j;
        wit_surface_eval(f.surface, u, v, 0, NULL, &j);
        wit_placed at = wit_placed_at(b->body, random_pose_of(&s->r, b, b->size));
        settings(s->query, 1e-9, INFINITY, 1000000, false);
        for (int side = -1; side <= 1; side += 2) {
            wit_vec3 p = addscaled3(j.p, side * off, n);
            if (cold_holds(b, p) != (side < 0)) continue; /* out again on the other side of a thin place */
            wit_closest c = point_asked(s->query, &at, wit_pose_point(&at.pose, p));
            tried++;
            bool right = side * c.distance > 0 && fabs(c.distance) <= off + 1e-13 * b->size && c.sign != WIT_SIGN_NONE;
            if (!right && failed++ < 4) tell(side < 0 ? "inside" : "outside", b, NULL, &at, NULL, &c, NULL);
        }
    }
    print_message("  %ld points beside a surface, %ld with the wrong sign\n", tried, failed);
    closed(s);
    assert_int_equal(failed, 0);
    assert_true(tried > count / 4);
}

/* Before a one-sided sheet is positive, behind it negative, as far as its normals say; two-sided has no sign. */
static void sheets_are_signed_by_their_normal(void** state)
{
    (void)state;
    cold_body patch = cold_model("table1", 1);
    wit_face_def face = {.surface = wit_body_face(patch.body, 0).surface};
    wit_body_def def = wit_body_default_def(WIT_BODY_SHEET);
    def.face_count = 1;
    def.faces = &face;
    wit_body* sheet = wit_body_create(&def, NULL, NULL);
    assert_non_null(sheet);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    rng r = rng_seed(424);
    for (int k = 0; k < 500; k++) {
        double u = rng_range(&r, 0.05, 0.95);
        double v = rng_range(&r, 0.05, 0.95);
        wit_vec3 n;
        wit_surface_jet j;
        assert_true(wit_body_face_normal(sheet, 0, u, v, &n));
        wit_surface_eval(face.surface, u, v, 0, NULL, &j);
        wit_placed one = wit_placed_at(sheet, wit_pose_identity()), two = wit_placed_at(patch.body, one.pose);
        for (int side = -1; side <= 1; side += 2) {
            wit_vec3 p = addscaled3(j.p, side * 1e-3, n);
            wit_closest c = point_asked(query, &one, p), d = point_asked(query, &two, p);
            assert_true(side * c.distance > 0 && c.sign == WIT_SIGN_NORMAL);
            assert_true(d.distance > 0 && d.sign == WIT_SIGN_NONE);
            near1(fabs(c.distance), d.distance, 1e-14, "sheet and sheet2");
        }
    }
    wit_query_destroy(query);
    wit_body_destroy(sheet);
    cold_drop(&patch);
}

/* ---- masks, cut-offs, budgets ---------------------------------------------------------------- */

/* A mask at random: by kinds, or a list of faces, of edges, of vertices. */
static wit_mask random_mask(rng* r, const cold_body* b, uint8_t* bytes)
{
    int total = b->info.face_count + b->info.edge_count + b->info.vertex_count, way = rng_int(r, 3);
    wit_mask m = {0};
    for (int k = 0; k < total; k++) bytes[k] = rng_int(r, 3) == 0;
    if (way == 0) {
        m.kinds = (unsigned)rng_int(r, 8);
    } else {
        m.faces = bytes;
        if (way == 2) m.edges = bytes + b->info.face_count;
        if (way == 2) m.vertices = bytes + b->info.face_count + b->info.edge_count;
    }
    return m;
}

static bool any_on(const uint8_t* on, int count)
{
    for (int k = 0; k < count; k++)
        if (on[k]) return true;
    return false;
}

static void masked_features_alone_count(void** state)
{
    (void)state;
    scene* s = opened(425);
    long count = share(20000), failed = 0, empty = 0;
    static uint8_t bytes[2][1024], on[2][1024];
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        wit_mask mask[2] = {random_mask(&s->r, a, bytes[0]), random_mask(&s->r, b, bytes[1])};
        dense_masked(a->search, &mask[0], on[0]);
        dense_masked(b->search, &mask[1], on[1]);
        at_a.mask = &mask[0];
        at_b.mask = &mask[1];
        settings(s->query, 1e-9, INFINITY, 1000000, false);
        bool pair = k % 8 == 0, some = any_on(on[0], dense_pieces(a->search));
        double seen = INFINITY, size = a->size;
        dense_place p, q;
        wit_closest c;
        if (pair) {
            some = some && any_on(on[1], dense_pieces(b->search));
            size = fmin(a->size, b->size);
            c = pair_asked(s->query, &at_a, &at_b);
            if (some) seen = dense_pair(a->search, on[0], &at_a.pose, b->search, on[1], &at_b.pose, &p, &q);
        } else {
            wit_vec3 x = random_place_at(&s->r, a);
            if (a->info.planar) x.z = 0;
            c = point_asked(s->query, &at_a, wit_pose_point(&at_a.pose, x));
            if (some) seen = dense_point(a->search, on[0], x, &p);
        }
        empty += !some;
        bool right;
        if (!some)
            right = c.outcome == WIT_OUTCOME_EMPTY && c.distance == INFINITY;
        else if (c.outcome == WIT_OUTCOME_OVERLAPPING)
            right = pair && seen <= 1e-9 * size;
        else
            right = fabs(fabs(c.distance) - seen) <= 1e-9 * fmax(seen, size) && c.distance >= 0 &&
                    c.lower_bound <= seen * (1 + 1e-14) + 1e-14 * size && c.sign == WIT_SIGN_NONE;
        if (!right && failed++ < 4) {
            tell("masked", a, pair ? b : NULL, &at_a, pair ? &at_b : NULL, &c, NULL);
            print_error("  judge %.17g, kinds %u, faces", seen, mask[0].kinds);
            for (int f = 0; f < a->info.face_count && mask[0].faces; f++)
                if (mask[0].faces[f]) print_error(" %d", f);
            print_error("\n");
        }
    }
    print_message("  %ld masked queries, %ld wrong, %ld with nothing left\n", count, failed, empty);
    closed(s);
    assert_int_equal(failed, 0);
}

static void cut_off_ends_exactly_what_is_farther(void** state)
{
    (void)state;
    scene* s = opened(426);
    long count = share(8000), failed = 0, beyond = 0;
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        bool pair = k % 4 == 0;
        wit_vec3 p = wit_pose_point(&at_a.pose, random_place_at(&s->r, a));
        if (a->info.planar) p.z = 0;
        settings(s->query, 1e-9, INFINITY, 1000000, false);
        wit_closest all = pair ? pair_asked(s->query, &at_a, &at_b) : point_asked(s->query, &at_a, p);
        double far = fabs(all.distance), size = pair ? fmin(a->size, b->size) : a->size;
        if (all.outcome != WIT_OUTCOME_CONVERGED || far < 1e-3 * size) continue;
        /* Farther or nearer by more than the bracket. */
        static const double factor[4] = {0.1, 1 - 1e-6, 1 + 1e-6, 3};
        double step = factor[k % 4], within = far * step;
        if (fabs(within - far) < 4e-9 * fmax(far, size)) continue;
        settings(s->query, 1e-9, within, 1000000, false);
        wit_closest c = pair ? pair_asked(s->query, &at_a, &at_b) : point_asked(s->query, &at_a, p);
        bool right;
        beyond += c.outcome == WIT_OUTCOME_BEYOND;
        /* An inner point is never beyond: its distance is negative. */
        if (step < 1 && all.distance > 0)
            right = c.outcome == WIT_OUTCOME_BEYOND && c.lower_bound >= within * (1 - 1e-12) &&
                    c.lower_bound <= far * (1 + 1e-12);
        else
            right = c.outcome == WIT_OUTCOME_CONVERGED && fabs(c.distance - all.distance) <= 2e-9 * fmax(far, size);
        if (!right && failed++ < 4) {
            tell("cut off", a, pair ? b : NULL, &at_a, pair ? &at_b : NULL, &all, &c);
            print_error("  within %.17g; point %.17g,%.17g,%.17g\n", within, p.x, p.y, p.z);
        }
    }
    print_message("  %ld cut-offs, %ld beyond, %ld wrong\n", count, beyond, failed);
    closed(s);
    assert_int_equal(failed, 0);
}

/* What is begun is ended: query.h states by how much the budget may be exceeded. */
enum { BEYOND_BUDGET = 1000 };

static void any_budget_leaves_a_right_bracket(void** state)
{
    (void)state;
    scene* s = opened(427);
    static const int64_t budgets[4] = {1, 10, 100, 1000};
    long count = share(8000), failed = 0, bare = 0;
    tally spent[4] = {{0}};
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        bool pair = k % 4 == 0;
        int which = (int)(k / 4 % 4);
        wit_vec3 x = random_place_at(&s->r, a);
        if (a->info.planar) x.z = 0;
        settings(s->query, 1e-12, INFINITY, budgets[which], k % 3 == 0);
        dense_place p, q;
        double seen = pair ? dense_pair(a->search, NULL, &at_a.pose, b->search, NULL, &at_b.pose, &p, &q)
                           : dense_point(a->search, NULL, x, &p);
        wit_closest c =
            pair ? pair_asked(s->query, &at_a, &at_b) : point_asked(s->query, &at_a, wit_pose_point(&at_a.pose, x));
        double magnitude = 3 * (a->size + b->size) + norm3(a->centre) + norm3(b->centre), dirt = 16 * EPS * magnitude;
        double lower = c.distance < 0 ? -c.upper_bound : c.lower_bound;
        spent[which].queries++;
        if (c.work.nodes > spent[which].most) spent[which].most = c.work.nodes;
        spent[which].outcomes[c.outcome]++;
        bool right = lower <= seen + dirt && c.lower_bound <= c.distance + dirt && c.upper_bound >= c.distance - dirt;
        bool found = c.distance < INFINITY; /* a pair is there whatever the budget */
        bare += !found;
        if (c.outcome == WIT_OUTCOME_CONVERGED)
            right = right && (c.certified || a->info.tolerance > 0 || (pair && b->info.tolerance > 0));
        if (!found || c.work.units > budgets[which] + BEYOND_BUDGET)
            right = false;
        else if (c.outcome != WIT_OUTCOME_OVERLAPPING)
            right = right && fabs(norm3(sub3(c.b.point, c.a.point)) - fabs(c.distance)) <= dirt;
        else
            right = pair && c.lower_bound <= c.distance && c.distance <= c.upper_bound && c.upper_bound <= 0;
        if (!right && failed++ < 4) {
            tell("budget", a, pair ? b : NULL, &at_a, pair ? &at_b : NULL, &c, NULL);
            print_error("  budget %lld, judge %.17g\n", (long long)budgets[which], seen);
        }
    }
    for (int k = 0; k < 4; k++)
        print_message("  budget %lld: %ld queries, most nodes %lld, out of budget %ld\n", (long long)budgets[k],
                      spent[k].queries, (long long)spent[k].most, spent[k].outcomes[WIT_OUTCOME_BUDGET]);
    print_message("  %ld of %ld without a pair\n", bare, count);
    closed(s);
    assert_int_equal(failed, 0);
}

/* ---- the query object ------------------------------------------------------------------------ */

static void used_query_answers_as_a_fresh_one(void** state)
{
    (void)state;
    scene* s = opened(428);
    wit_query_def def = wit_query_default_def();
    def.capacity = 1 << 12;
    wit_query* used = wit_query_create(&def, NULL, NULL);
    size_t bytes = wit_query_size(&def);
    void* memory = malloc(bytes);
    assert_true(used && memory && bytes > 0);
    long count = share(2000), failed = 0;
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        def.tolerance = k % 2 ? 1e-9 : 1e-12;
        def.rigorous = k % 3 == 0;
        assert_int_equal(wit_query_set(used, &def, NULL), WIT_OK);
        /* Memory full of rubbish, of exactly the size that was asked for. */
        memset(memory, (int)(k & 255), bytes);
        wit_query* fresh = NULL;
        assert_int_equal(wit_query_init(memory, bytes, &def, &fresh, NULL), WIT_OK);
        wit_closest x, y;
        if (k % 2) {
            x = pair_asked(used, &at_a, &at_b);
            y = pair_asked(fresh, &at_a, &at_b);
        } else {
            wit_vec3 p = wit_pose_point(&at_a.pose, random_place_at(&s->r, a));
            if (a->info.planar) p.z = 0;
            x = point_asked(used, &at_a, p);
            y = point_asked(fresh, &at_a, p);
        }
        if (!same_answer(&x, &y) && failed++ < 4) tell("used and fresh", a, k % 2 ? b : NULL, &at_a, &at_b, &x, &y);
    }
    print_message("  %ld queries, %ld differ\n", count, failed);
    wit_query* none = NULL;
    assert_int_equal(wit_query_init(memory, bytes - 1, &def, &none, NULL), WIT_ERROR_ARGUMENT);
    assert_null(none);
    wit_query_destroy(used);
    free(memory);
    closed(s);
    assert_int_equal(failed, 0);
}

static void queries_take_no_memory(void** state)
{
    (void)state;
    long before = taken;
    void* volatile probe = malloc(16);
    free(probe);
    assert_true(taken > before); /* else the counters would prove nothing */
    scene* s = opened(429);
    long count = share(2000), used = 0;
    for (long k = 0; k < count; k++) {
        const cold_body *a, *b;
        wit_placed at_a, at_b;
        random_pair(s, &a, &b, &at_a, &at_b);
        settings(s->query, 1e-9, INFINITY, 1000000, k % 2);
        wit_vec3 p = wit_pose_point(&at_a.pose, random_place_at(&s->r, a));
        if (a->info.planar) p.z = 0;
        before = taken;
        pair_asked(s->query, &at_a, &at_b);
        point_asked(s->query, &at_a, p);
        used += taken - before;
    }
    closed(s);
    assert_int_equal(used, 0);
}

static void bad_questions_are_refused_and_leave_the_answer_alone(void** state)
{
    (void)state;
    cold_body box = cold_model("box", 1), arc = cold_model("three-arc", 1);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    wit_pose still = wit_pose_identity(), broken = still, tilted = still, lifted = still;
    broken.position.x = NAN;
    tilted.rotation = wit_quat_about(vec3(1, 0, 0), 0.1);
    lifted.position.z = 1;
    wit_placed a = wit_placed_at(box.body, still), bad = wit_placed_at(box.body, broken),
               flat = wit_placed_at(arc.body, still), up = wit_placed_at(arc.body, lifted),
               turned = wit_placed_at(arc.body, tilted);
    wit_closest c, kept;
    memset(&kept, 0x5a, sizeof kept);
    c = kept;
    assert_int_equal(wit_closest_point(NULL, &a, vec3(0, 0, 0), &c), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(query, NULL, vec3(0, 0, 0), &c), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_pair(query, &a, NULL, &c), WIT_ERROR_ARGUMENT);
    assert_int_equal(wit_closest_point(query, &bad, vec3(0, 0, 0), &c), WIT_ERROR_NUMBER);
    assert_int_equal(wit_closest_pair(query, &a, &bad, &c), WIT_ERROR_NUMBER);
    assert_int_equal(wit_closest_point(query, &a, vec3(0, NAN, 0), &c), WIT_ERROR_NUMBER);
    assert_int_equal(wit_closest_point(query, &a, vec3(0, 1e13, 0), &c), WIT_ERROR_NUMBER);
    assert_int_equal(wit_closest_point(query, &flat, vec3(0, 0, 1), &c), WIT_ERROR_RANGE);
    assert_int_equal(wit_closest_pair(query, &flat, &up, &c), WIT_ERROR_RANGE);
    assert_int_equal(wit_closest_pair(query, &flat, &turned, &c), WIT_ERROR_RANGE);
    assert_memory_equal(&c, &kept, sizeof c);
    wit_query_destroy(query);
    cold_drop(&box);
    cold_drop(&arc);
}

/* Again over bodies of others, where they are: what needs no formula of what is inside. */
static int foreign_bodies_hold_it_too(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapping_the_bodies_changes_no_bit),
        cmocka_unit_test(moving_both_changes_nothing_but_rounding),
        cmocka_unit_test(masked_features_alone_count),
        cmocka_unit_test(cut_off_ends_exactly_what_is_farther),
        cmocka_unit_test(any_budget_leaves_a_right_bracket),
        cmocka_unit_test(used_query_answers_as_a_fresh_one),
        cmocka_unit_test(queries_take_no_memory),
    };
    cold_body there[COLD_FOREIGN];
    int n = cold_foreign(1, there);
    for (int k = 0; k < n; k++) cold_drop(&there[k]);
    foreign = true;
    return n ? cmocka_run_group_tests_name("bodies of others", tests, NULL, NULL) : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swapping_the_bodies_changes_no_bit),
        cmocka_unit_test(moving_both_changes_nothing_but_rounding),
        cmocka_unit_test(sign_flips_on_crossing_the_surface),
        cmocka_unit_test(sheets_are_signed_by_their_normal),
        cmocka_unit_test(masked_features_alone_count),
        cmocka_unit_test(cut_off_ends_exactly_what_is_farther),
        cmocka_unit_test(any_budget_leaves_a_right_bracket),
        cmocka_unit_test(used_query_answers_as_a_fresh_one),
        cmocka_unit_test(queries_take_no_memory),
        cmocka_unit_test(bad_questions_are_refused_and_leave_the_answer_alone),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + foreign_bodies_hold_it_too();
}
