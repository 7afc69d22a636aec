/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "analytic.h"

enum { TOLD = 4, INSIDE_SAMPLES = 64 };
#define WRONG 1e-9      /* relative; or what was asked for */
#define NOT_UNIQUE 1e-6 /* brackets of closest sets that are no points */

/* ---- random questions ------------------------------------------------------------------------ */

wit_quat random_turn(rng* r, bool planar)
{
    double angle = rng_range(r, -PI, PI);
    wit_vec3 axis = random_unit(r);
    return wit_quat_about(planar ? vec3(0, 0, 1) : axis, angle);
}

wit_vec3 random_place_at(rng* r, const cold_body* b)
{
    int way = rng_int(r, 4), n = dense_samples(b->search);
    wit_vec3 off = random_vector(r, 0, 1);
    double exponent = rng_range(r, -6, 0);
    int k = n ? rng_int(r, n) : 0;
    if (b->info.planar) off.z = 0;
    if (way == 0 || (n == 0 && way == 2)) return addscaled3(b->centre, 2 * b->size, off);
    if (way == 1) return addscaled3(b->centre, 0.5 * b->size, off);
    if (way == 2) return addscaled3(dense_sample(b->search, k), pow(10, exponent) * b->size, off);
    return addscaled3(b->centre, b->size, off);
}

/* ---- telling --------------------------------------------------------------------------------- */

static void tell_pose(const char* what, const wit_pose* p)
{
    print_message("      %s %.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", what, p->position.x, p->position.y,
                  p->position.z, p->rotation.w, p->rotation.x, p->rotation.y, p->rotation.z);
}

static void tell(tally* t, const asked* q, const wit_closest* c, double seen, const char* why)
{
    if (t->told++ >= TOLD) return;
    print_message("    %s: %s%s%s at scale %g, tolerance %g%s, %s\n", why, q->a->name, q->b ? " and " : "",
                  q->b ? q->b->name : "", q->a->scale, q->def->tolerance, q->def->rigorous ? ", rigorous" : "",
                  wit_outcome_name(c->outcome));
    tell_pose("pose a", &q->pose_a);
    if (q->b)
        tell_pose("pose b", &q->pose_b);
    else
        print_message("      point %.17g,%.17g,%.17g\n", q->point.x, q->point.y, q->point.z);
    print_message("      distance %.17g in [%.17g, %.17g], judge %.17g, difference %.3g; sign %s\n", c->distance,
                  c->lower_bound, c->upper_bound, seen, fabs(c->distance) - seen, wit_sign_name(c->sign));
    print_message("      a %s %d (%.17g, %.17g) b %s %d (%.17g, %.17g); nodes %lld\n",
                  wit_feature_kind_name(c->a.feature), c->a.id, c->a.u, c->a.v, wit_feature_kind_name(c->b.feature),
                  c->b.id, c->b.u, c->b.v, (long long)c->work.nodes);
}

void tally_add(tally* total, const tally* part)
{
    total->queries += part->queries;
    total->wrong += part->wrong;
    total->excluded += part->excluded;
    total->gaps += part->gaps;
    total->weaker += part->weaker;
    total->loose += part->loose;
    total->unproved += part->unproved;
    for (int k = 0; k < WIT_OUTCOME_COUNT; k++) total->outcomes[k] += part->outcomes[k];
    total->worst = fmax(total->worst, part->worst);
    total->nodes += part->nodes;
    if (part->most > total->most) total->most = part->most;
    total->told += part->told;
}

void tally_print(const char* name, const tally* t)
{
    print_message("  %-22s %7ld queries, wrong %ld, excluded %ld, gaps %ld, worst %.2g; nodes mean %.0f most %lld",
                  name, t->queries, t->wrong, t->excluded, t->gaps, t->worst,
                  t->nodes / (double)(t->queries ? t->queries : 1), (long long)t->most);
    if (t->loose) print_message("; above 1e-9 where less was asked %ld", t->loose);
    if (t->weaker) print_message("; judge weaker %ld", t->weaker);
    if (t->unproved) print_message("; overlap unproved %ld", t->unproved);
    for (int k = 1; k < WIT_OUTCOME_COUNT; k++)
        if (t->outcomes[k]) print_message("; %s %ld", wit_outcome_name((wit_outcome)k), t->outcomes[k]);
    print_message("\n");
}

void assert_all_right(const tally* t)
{
    assert_int_equal(t->wrong, 0);
    assert_int_equal(t->excluded, 0);
    assert_int_equal(t->gaps, 0);
}

/* ---- campaigns ------------------------------------------------------------------------------- */

wit_query_def campaign_def(long k)
{
    static const double tolerances[3] = {1e-6, 1e-9, 1e-12};
    wit_query_def def = wit_query_default_def();
    def.tolerance = tolerances[k % 3];
    def.rigorous = k / 3 % 2;
    return def;
}

wit_pose campaign_pose(rng* r, long k, const cold_body* a)
{
    wit_pose p = wit_pose_identity();
    if (k % 4 == 0) return p;
    p.rotation = random_turn(r, a->info.planar);
    p.position = random_vector(r, 0, a->size);
    if (a->info.planar) p.position.z = 0;
    return p;
}

void campaign_run(double scale, long count, uint64_t seed, campaign_asks* asks, long weaker)
{
    static cold_body bodies[COLD_ROOM];
    cast c = {bodies, 0, cold_all(scale, seed, bodies)};
    rng r = rng_seed(seed), other = rng_seed(seed + COLD_FOREIGN_SEED);
    wit_query* query = wit_query_create(NULL, NULL, NULL);
    assert_non_null(query);
    tally by_body[COLD_ROOM] = {0}, total = {0};
    asks(&c, count, &r, query, by_body);
    c.first = c.n;
    c.n += cold_foreign(scale, bodies + c.first);
    if (c.n > c.first) asks(&c, count * (c.n - c.first) / c.first + 1, &other, query, by_body);
    for (int k = 0; k < c.n; k++) {
        tally_print(bodies[k].name, &by_body[k]);
        tally_add(&total, &by_body[k]);
        cold_drop(&bodies[k]);
    }
    char name[40];
    snprintf(name, sizeof name, "all, scale %g", scale);
    tally_print(name, &total);
    wit_query_destroy(query);
    assert_all_right(&total);
    assert_true(total.weaker <= total.queries / weaker);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* At a border either answer of the trims is right: a place beside it decides. */
static bool in_face(const wit_body* body, int face, double u, double v)
{
    wit_face_info f = wit_body_face(body, face);
    double du = 1e-9 * iv_width(f.u), dv = 1e-9 * iv_width(f.v);
    if (f.unbounded || wit_body_face_contains(body, face, u, v)) return true;
    for (int k = 0; k < 8; k++) {
        static const int way[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
        if (wit_body_face_contains(body, face, u + way[k][0] * du, v + way[k][1] * dv)) return true;
    }
    return false;
}

bool judge_on_feature(const wit_body* body, const wit_pose* pose, const wit_witness* w, double slack)
{
    wit_vec3 p;
    wit_body_info info = wit_body_describe(body);
    if (w->feature == WIT_FACE) {
        if (w->id < 0 || w->id >= info.face_count || !in_face(body, w->id, w->u, w->v)) return false;
        wit_surface_jet j;
        wit_surface_eval(wit_body_face(body, w->id).surface, w->u, w->v, 0, NULL, &j);
        p = j.p;
    } else if (w->feature == WIT_EDGE) {
        if (w->id < 0 || w->id >= info.edge_count) return false;
        wit_edge_info e = wit_body_edge(body, w->id);
        double over = 1e-12 * iv_width(e.range);
        if (!e.ring && (w->u < e.range.lo - over || w->u > e.range.hi + over)) return false;
        wit_curve_jet j;
        wit_curve_eval(e.curve, w->u, 0, NULL, &j);
        p = j.p;
    } else if (w->feature == WIT_VERTEX) {
        if (w->id < 0 || w->id >= info.vertex_count) return false;
        p = wit_body_vertex(body, w->id).point;
    } else {
        return false;
    }
    return norm3(sub3(wit_pose_point(pose, p), w->point)) <= slack;
}

static double reach(const cold_body* b, const wit_pose* pose)
{
    return norm3(pose->position) + norm3(b->centre) + b->size;
}

/* b.point - a.point = distance * normal, and the witnesses are where they say. */
static bool attained(const asked* q, const wit_closest* c, double magnitude)
{
    double slack = 1e-13 * magnitude;
    wit_vec3 gap = sub3(c->b.point, c->a.point);
    if (!judge_on_feature(q->a->body, &q->pose_a, &c->a, slack)) return false;
    if (q->b) {
        if (!judge_on_feature(q->b->body, &q->pose_b, &c->b, slack)) return false;
    } else if (c->b.feature != WIT_POINT || norm3(sub3(c->b.point, q->point)) > slack) {
        return false;
    }
    if (norm3(sub3(gap, scale3(c->distance, c->normal))) > slack) return false;
    return fabs(norm3(c->normal) - 1) <= 1e-12 || (c->distance == 0 && norm3(c->normal) == 0);
}

/* All that holds for points and pairs alike; `side` is +1 outside, -1 inside, 0 not known. */
static void judge(tally* t, const asked* q, const wit_closest* c, double seen, int side, double magnitude)
{
    double size = q->b && q->b->info.size < q->a->info.size ? q->b->info.size : q->a->info.size;
    if (q->b && q->a->info.unbounded) size = q->b->info.size;
    if (q->b && q->b->info.unbounded) size = q->a->info.size;
    double far = fabs(c->distance), relative = fmax(fmax(far, size), 1e-300), dirt = 16 * EPS * magnitude;
    double asked_gap = q->def->tolerance * relative;
    if (c->outcome == WIT_OUTCOME_NOT_UNIQUE) asked_gap = fmax(asked_gap, NOT_UNIQUE * relative);
    asked_gap += 50 * EPS * magnitude + 2 * (q->a->info.tolerance + (q->b ? q->b->info.tolerance : 0));
    t->worst = fmax(t->worst, (far - seen) / relative);
    if (far < seen - WRONG * relative) t->weaker++;
    double allowed = fmax(WRONG, q->def->tolerance) * relative + dirt;
    if (c->outcome == WIT_OUTCOME_NOT_UNIQUE) allowed = fmax(allowed, NOT_UNIQUE * relative);
    if (c->outcome == WIT_OUTCOME_BUDGET) allowed = INFINITY; /* the gap is counted */
    bool wrong = !(far <= seen + allowed) || (side && far > WRONG * relative && side * c->distance < 0);
    if (!wrong && far > seen + WRONG * relative + dirt) t->loose++;
    if (wrong || !attained(q, c, magnitude)) {
        t->wrong++;
        tell(t, q, c, seen, wrong ? "wrong" : "not attained");
    }
    double lower = c->distance < 0 ? -c->upper_bound : c->lower_bound; /* of the unsigned distance */
    bool order = c->lower_bound <= c->distance + dirt && c->distance <= c->upper_bound + dirt;
    if (!(lower <= seen + dirt) || !order) {
        t->excluded++;
        tell(t, q, c, seen, "excluded");
    }
    double width = c->upper_bound - c->lower_bound, plain = q->def->tolerance * relative;
    bool honest = c->certified ? width <= (plain + c->model_tolerance) * (1 + 1e-9) + 50 * EPS * magnitude
                               : width >= plain * (1 - 1e-9);
    honest &= c->certified == (c->reason == WIT_REASON_NONE);
    if (width > asked_gap || !honest || c->outcome == WIT_OUTCOME_BUDGET) {
        t->gaps++;
        tell(t, q, c, seen, "gap");
    }
}

static void count(tally* t, const wit_closest* c)
{
    t->queries++;
    t->outcomes[c->outcome]++;
    t->nodes += (double)c->work.nodes;
    if (c->work.nodes > t->most) t->most = c->work.nodes;
}

void judge_point(tally* t, const asked* q, const wit_closest* c)
{
    wit_vec3 p = wit_pose_unpoint(&q->pose_a, q->point);
    dense_place place;
    double seen = dense_point(q->a->search, NULL, p, &place);
    double magnitude = reach(q->a, &q->pose_a) + norm3(q->point);
    int side = q->a->inside ? (cold_holds(q->a, p) ? -1 : 1) : 0;
    count(t, c);
    judge(t, q, c, seen, side, magnitude);
}

/* Does a hold a point of the boundary of b? Of many samples some are tried, or all. */
static bool holds_samples(const asked* q, bool swapped, bool all)
{
    const cold_body *a = swapped ? q->b : q->a, *b = swapped ? q->a : q->b;
    const wit_pose *pa = swapped ? &q->pose_b : &q->pose_a, *pb = swapped ? &q->pose_a : &q->pose_b;
    int n = dense_samples(b->search), step = all || n < INSIDE_SAMPLES ? 1 : n / INSIDE_SAMPLES;
    if (!a->inside) return false;
    for (int k = 0; k < n; k += step)
        if (cold_holds(a, wit_pose_unpoint(pa, wit_pose_point(pb, dense_sample(b->search, k))))) return true;
    return false;
}

/* b moved by `by` out of a: does either still hold samples of the other? */
static bool held_after(const asked* q, wit_vec3 by)
{
    asked moved = *q;
    moved.pose_b.position = add3(q->pose_b.position, by);
    return holds_samples(&moved, false, false) || holds_samples(&moved, true, false);
}

/*
 * Is the bracket of a depth wrong, as far as can be seen from outside? Of convex solids: moved out by the greatest depth along the
 * normal they are apart (of others that need not be: query.h). Of a ball: its depth is the radius less the signed distance of its
 * centre, of which the dense search knows a bound.
 */
static bool depth_excluded(const asked* q, const wit_closest* c, double magnitude)
{
    double slack = 1e-9 * magnitude;
    if (c->certified && q->a->convex && q->b->convex && held_after(q, scale3(slack - c->lower_bound, c->normal)))
        return true;
    for (int k = 0; k < 2; ++k) {
        const cold_body *ball = k ? q->b : q->a, *other = k ? q->a : q->b;
        const wit_pose *pose = k ? &q->pose_b : &q->pose_a, *to = k ? &q->pose_a : &q->pose_b;
        if (!(ball->ball > 0) || !other->inside) continue;
        wit_vec3 centre = wit_pose_unpoint(to, wit_pose_point(pose, ball->centre));
        double seen = dense_point(other->search, NULL, centre, &(dense_place){0});
        if (cold_holds(other, centre) ? c->upper_bound < -seen - ball->ball - slack
                                      : c->lower_bound > seen - ball->ball + slack)
            return true;
    }
    return false;
}

/* The pair is attained, or it is a common point at distance 0; the bracket holds the depth. `seen`: overlap was seen. */
static void judge_overlap(tally* t, const asked* q, const wit_closest* c, double distance, bool seen, double magnitude)
{
    bool inner = q->a->info.kind == WIT_BODY_SOLID && q->b->info.kind == WIT_BODY_SOLID;
    bool endless = q->a->info.unbounded && q->b->info.unbounded;
    bool met = norm3(sub3(c->a.point, c->b.point)) <= 1e-12 * magnitude;
    if (c->distance < 0) met = attained(q, c, magnitude);
    bool good = met && (seen || c->certified) && c->distance <= 0 && (inner || c->distance == 0);
    if (inner && !endless && c->certified && !(c->upper_bound < 0)) good = false;
    if (!good) {
        t->wrong++;
        tell(t, q, c, distance, seen ? "overlap not attained" : "overlap invented");
    }
    double dirt = 16 * EPS * magnitude;
    bool order = c->lower_bound <= c->distance + dirt && c->distance <= c->upper_bound + dirt && c->upper_bound <= 0;
    if (!order || (inner && depth_excluded(q, c, magnitude))) {
        t->excluded++;
        tell(t, q, c, distance, "excluded");
    }
}

void judge_pair(tally* t, const asked* q, const wit_closest* c)
{
    dense_place a, b;
    double seen = dense_pair(q->a->search, NULL, &q->pose_a, q->b->search, NULL, &q->pose_b, &a, &b);
    double magnitude = reach(q->a, &q->pose_a) + reach(q->b, &q->pose_b);
    double size = fmin(q->a->size, q->b->size);
    bool crossing = seen <= WRONG * size;
    bool over = holds_samples(q, false, false) || holds_samples(q, true, false);
    count(t, c);
    if (c->outcome == WIT_OUTCOME_OVERLAPPING) {
        if (!over && !crossing) over = holds_samples(q, false, true) || holds_samples(q, true, true);
        judge_overlap(t, q, c, seen, over || crossing, magnitude);
        return;
    }
    if (over && !crossing) {
        t->wrong++;
        tell(t, q, c, seen, "overlap missed");
        return;
    }
    if (over) t->unproved++;
    judge(t, q, c, seen, 0, magnitude);
}
