/* SPDX-License-Identifier: MIT */
/* The top-down search over all pairs of features, once a frame. */
#include "findmin.h"

#include <string.h>

#include "../track/pair_newton.h"

/* ---- which pairs --------------------------------------------------------------------------- */

static int32_t pair_of(const findmin* f, int a, int b)
{
    return a * f->table->count[1] + b;
}

static int dimension_of(const findmin* f, int which, int index)
{
    return kind_dimension((wit_feature_kind)f->feature[which][index].kind);
}

/* A pair that is searched because of the one above it. If that came to rest closer than the best, the search starts
 * there. */
static void want(findmin* f, int32_t pair, int32_t parent)
{
    findmin_pair *p = &f->pair[pair], *above = &f->pair[parent];
    p->wanted = true;
    if (!above->at_border || (f->best >= 0 && above->border_distance >= f->best_at.distance)) return;
    const findmin_pair* chosen = p->parent < 0 ? NULL : &f->pair[p->parent];
    bool better =
        !chosen || (above->border_within == chosen->border_within ? above->border_distance < chosen->border_distance
                                                                  : above->border_within);
    if (better) p->parent = parent;
}

/* Either or both replaced by what borders them. */
static void want_lower(findmin* f, int a, int b)
{
    const wit_body* const* body = f->s->t->body;
    int32_t parent = pair_of(f, a, b);
    int i, k;
    for (int m = 0; (i = wi_findmin_border(body[0], &f->feature[0][a], m)) >= 0; ++m) {
        if (i == a) continue;
        want(f, pair_of(f, i, b), parent);
        for (int n = 0; (k = wi_findmin_border(body[1], &f->feature[1][b], n)) >= 0; ++n)
            if (k != b) want(f, pair_of(f, i, k), parent);
    }
    for (int n = 0; (k = wi_findmin_border(body[1], &f->feature[1][b], n)) >= 0; ++n)
        if (k != b) want(f, pair_of(f, a, k), parent);
}

/* No closer than the balls around both. */
static double ball_bound(const findmin* f, int a, int b)
{
    const findmin_feature *x = &f->feature[0][a], *y = &f->feature[1][b];
    const side* s = f->s->now.side;
    wit_vec3 centre = y->kind == WIT_POINT ? s[1].t : side_point(&s[1], y->centre);
    return norm3(sub3(side_point(&s[0], x->centre), centre)) - x->radius - y->radius;
}

/* Can the pair, borders counted, be closer than the best one? Where it last was found, less what b has moved since,
 * it is an estimate: minima of its own may be unknown. So a pair whose turn it is is only left out by the bound. */
static bool may_be_closer(const findmin* f, int a, int b, bool turn)
{
    if (!f->def->bounded_refresh || f->best < 0) return true;
    double best = f->best_at.distance, room = 1e-9 * step_scale(f->s, best);
    if (ball_bound(f, a, b) > best + room) return false;
    return turn || !(f->pair[pair_of(f, a, b)].until - f->table->travel > best + room);
}

/* The pairs that are searched in this frame even if they seem far, so that minima that come up anew are seen. */
static bool has_turn(const findmin* f, int32_t pair)
{
    int count = f->table->count[0] * f->table->count[1], at = (int)((pair - f->table->turn + count) % count);
    return at < 1 + count / 32;
}

/* All wanted pairs, from surfaces down to vertices. */
static void search_wanted(findmin* f)
{
    for (int level = 4; level >= 0 && !f->spent; --level)
        for (int a = 0; a < f->table->count[0]; ++a)
            for (int b = 0; b < f->table->count[1] && !f->spent; ++b) {
                int32_t pair = pair_of(f, a, b);
                findmin_pair* p = &f->pair[pair];
                if (!p->wanted || dimension_of(f, 0, a) + dimension_of(f, 1, b) != level) continue;
                bool turn = has_turn(f, pair);
                if (!p->done) {
                    if (!may_be_closer(f, a, b, turn)) {
                        p->done = true;
                        f->work->skipped++;
                        continue;
                    }
                    wi_findmin_search(f, pair, turn);
                } else if (p->frame != f->table->frame) {
                    continue; /* left out before */
                }
                if (f->def->compare_lower || p->places == 0) want_lower(f, a, b);
            }
}

static bool takes_part(const findmin* f, int which, int index, int near)
{
    if (!f->feature[which][index].top) return false;
    return near < 0 || wi_findmin_touch(f->s->t->body[which], f->feature[which], index, near);
}

/* Top pairs; near_a, near_b: only those next to these features, -1: all. */
static void want_top(findmin* f, int near_a, int near_b)
{
    for (int a = 0; a < f->table->count[0]; ++a) {
        if (!takes_part(f, 0, a, near_a)) continue;
        for (int b = 0; b < f->table->count[1]; ++b)
            if (takes_part(f, 1, b, near_b)) f->pair[pair_of(f, a, b)].wanted = true;
    }
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Is a witness on the inner side of a face? There the nearest pair is not next to the last one, convex or not. */
static bool is_inside(const findmin* f)
{
    double distance;
    const moving* m = f->best_at.m;
    if (pair_face(&m[0], &m[1]) < 0) return false;
    wi_condition_normal(&m[0], &m[1], WIT_FORM_CONTACT, &distance);
    return distance < 0;
}

static bool only_neighbours(const findmin* f)
{
    const wit_tracker* t = f->s->t;
    bool convex = t->convex[0] && (t->convex[1] || !t->body[1]);
    return f->def->neighbours_only && convex && f->best >= 0 && !is_inside(f);
}

/* Between convex bodies what is closest among neighbours is the closest of all: on from pair to pair. */
static void search_neighbours(findmin* f)
{
    enum { ROUNDS = 64 };
    for (int round = 0; round < ROUNDS && !f->spent; ++round) {
        int32_t from = f->best;
        want_top(f, from / f->table->count[1], from % f->table->count[1]);
        search_wanted(f);
        if (f->best == from) return;
    }
}

/* The pair of the last frame, or where the tracker was placed. */
static void search_last(findmin* f)
{
    findmin_table* table = f->table;
    wit_tracker* t = f->s->t;
    int32_t pair = table->last;
    if (pair < 0 && t->placed) {
        int index[2] = {0, 0};
        for (int which = 0; which < 2; ++which)
            while (index[which] < table->count[which] - 1 &&
                   (f->feature[which][index[which]].kind != (uint8_t)t->at[which].kind ||
                    f->feature[which][index[which]].id != t->at[which].id))
                ++index[which];
        pair = pair_of(f, index[0], index[1]);
        int n = 0;
        for (int which = 0; which < 2; ++which)
            for (int k = 0; k < dimension_of(f, which, index[which]); ++k) f->pair[pair].x[0][n++] = t->at[which].x[k];
        f->pair[pair].places = 1;
    }
    if (pair < 0) return;
    wi_findmin_search(f, pair, has_turn(f, pair));
    /* lost there: where it left the features */
    const findmin_pair* p = &f->pair[pair];
    f->anchored = f->best >= 0 || p->at_border;
    for (int which = 0; which < 2; ++which)
        f->anchor[which] =
            f->best >= 0 ? f->best_at.m[which].p : side_point(&f->s->now.side[which], p->border_point[which]);
}

/* ---- the step ------------------------------------------------------------------------------ */

/* Common points solve the conditions too. Does one feature go through the other there? */
static bool is_crossing(const findmin* f)
{
    const moving* m = f->best_at.m;
    int face = pair_face(&m[0], &m[1]);
    if (face < 0 || f->best_at.distance > 1e-9 * f->s->t->size) return false;
    const moving* other = &m[1 - face];
    wit_vec3 n = unit3(cross3(m[face].d[0], m[face].d[1]));
    double lean = 0;
    for (int i = 0; i < other->count; ++i) lean = fmax(lean, fabs(dot3(n, unit3(other->d[i]))));
    return lean > 1e-6;
}

static void hand_over(findmin* f)
{
    step* s = f->s;
    wit_tracker* t = s->t;
    findmin_table* table = f->table;
    const int index[2] = {f->best / table->count[1], f->best % table->count[1]};
    const int last[2] = {table->last / table->count[1], table->last % table->count[1]};
    const double* x = f->best_at.x;
    for (int which = 0; which < 2; ++which) {
        const findmin_feature* feature = &f->feature[which][index[which]];
        place from = t->at[which], *at = &t->at[which];
        bool changed = from.kind != (wit_feature_kind)feature->kind || from.id != feature->id;
        if (changed) memset(&t->hint[which], 0, sizeof t->hint[which]);
        at->kind = (wit_feature_kind)feature->kind;
        at->id = feature->id;
        for (int k = 0; k < 2; ++k) at->x[k] = k < place_count(at) ? *x++ : 0;
        if (!changed || table->last < 0) continue;
        bool jumped = !wi_findmin_touch(t->body[which], f->feature[which], index[which], last[which]);
        wi_step_switched(s, which, &from, table->distance, f->best_at.distance, jumped, t->time + s->dt);
    }
}

void wi_findmin_step(step* s)
{
    findmin f;
    wi_findmin_open(s, &f);
    wit_tracker* t = s->t;
    findmin_table* table = f.table;
    f.lean = t->def.tolerance * t->size;
    if (table->last >= 0 && table->kept < f.def->keep) wi_findmin_keep(&f, table->last);
    bool follow = f.best >= 0;
    table->kept = follow ? table->kept + 1 : 0;
    if (!follow) search_last(&f);
    if (!follow && only_neighbours(&f)) {
        search_neighbours(&f);
    } else if (!follow) {
        want_top(&f, -1, -1);
        search_wanted(&f);
    }
    int count = table->count[0] * table->count[1];
    table->turn = (int32_t)((table->turn + 1 + count / 32) % count);
    s->iterations = f.work->iterations;
    s->held = 0;
    if (f.best < 0) {
        s->outcome = f.spent ? WIT_OUTCOME_BUDGET : WIT_OUTCOME_OPEN;
        wi_step_look(s);
        return;
    }
    hand_over(&f);
    t->placed = true;
    table->last = f.best;
    table->distance = f.best_at.distance;
    s->at[0] = f.best_at.m[0];
    s->at[1] = f.best_at.m[1];
    s->fresh = true;
    wi_pair_newton_face(s, t->def.form);
    s->outcome = f.spent ? WIT_OUTCOME_BUDGET : WIT_OUTCOME_CONVERGED;
    if (t->body[1] && is_crossing(&f)) {
        s->flags |= WIT_FLAG_OVERLAPPING; /* how deep is not known */
        if (!f.spent) s->outcome = WIT_OUTCOME_OPEN;
    }
}
