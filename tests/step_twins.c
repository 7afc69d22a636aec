/* SPDX-License-Identifier: MIT */
#include "step_twins.h"

#include <stdlib.h>
#include <string.h>

#include "../src/base/solve.h"
#include "../src/pair/conditions.h"
#include "../src/track/predict.h"
#include "../src/track/step.h"
#include "track_paths.h"

static const char* const fields[TWIN_FIELDS] = {"distance", "place", "normal", "rate",   "errors", "bound",
                                                "outcome",  "flags", "kind",   "counts", "work",   "memory"};

/* ---- the switch -------------------------------------------------------------------------------- */

static bool long_way, was_fast;

bool __real_wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);
bool __wrap_wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out);
bool __wrap_wi_fast_step(wit_tracker* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    if (long_way) return false;
    bool fast = __real_wi_fast_step(t, a, b, dt, out);
    was_fast = was_fast || fast;
    return fast;
}

bool twins_were_fast(void)
{
    return was_fast;
}

twins twins_make(const wit_body* a, const wit_body* b, const wit_track_def* def, const char* name, twin_tally* tally)
{
    twins t = {track_start(a, b, def), track_start(a, b, def), name, tally};
    return t;
}

void twins_drop(twins* t)
{
    wit_tracker_destroy(t->one);
    wit_tracker_destroy(t->other);
}

/* All but the memory of the search, which is scratch. */
static void copy_state(const wit_tracker* from, wit_tracker* to)
{
    size_t rest = from->query_at ? from->query_at + from->query_bytes : sizeof *from;
    memcpy((char*)to + TRACKER_STATE, (const char*)from + TRACKER_STATE, sizeof *from - TRACKER_STATE);
    if (from->bytes > rest) memcpy((char*)to + rest, (const char*)from + rest, from->bytes - rest);
}

/* ---- tolerances -------------------------------------------------------------------------------- */

typedef struct tolerances {
    double rest, place, turn, rate, bound;
    bool touch;            /* no nearer to each other than that: the gap has no side */
    wit_vec3 face;         /* unit normal of a's, world */
    double rounding, bend; /* the part of `rest` that is rounding; the largest curvature */
    double gap, size;
    double kind; /* how near the eigenvalue that decides is to its threshold, over the rounding there */
} tolerances;

static double bend_of(const moving* m)
{
    double most = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) most = fmax(most, norm3(m->dd[i + j]) / (norm3(m->d[i]) * norm3(m->d[j])));
    return most;
}

/* The largest row sum of |M^-1|, M of the conditions as lengths over arc lengths. */
static double stretch_of(const moving m[2], double size)
{
    pair_rows k;
    lu f;
    double length[WIT_MAX_PARAMETERS], scaled[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], most = 0, sum[4] = {0};
    wi_condition_rows(&m[0], &m[1], WIT_FORM_CONTACT, &k);
    double normal = norm3(cross3(m[0].d[0], m[0].d[1]));
    for (int i = 0; i < k.count; ++i) length[i] = norm3(i < k.count_a ? m[0].d[i] : m[1].d[i - k.count_a]);
    for (int i = 0; i < k.count; ++i)
        for (int j = 0; j < k.count; ++j)
            scaled[i * k.count + j] =
                k.M[i * k.count + j] / (length[i] * length[j]) * (k.contact && i >= k.count_a ? size / normal : 1);
    if (!wi_lu_factor(&f, k.count, scaled)) return INFINITY;
    for (int j = 0; j < k.count; ++j) {
        double unit[WIT_MAX_PARAMETERS] = {0}, x[WIT_MAX_PARAMETERS];
        unit[j] = 1;
        wi_lu_solve(&f, unit, x);
        for (int i = 0; i < k.count; ++i) sum[i] += fabs(x[i]);
    }
    for (int i = 0; i < k.count; ++i) most = fmax(most, sum[i]);
    return fmax(1, most);
}

/* The least distance of an eigenvalue of the joint Hessian from the thresholds of wi_condition_kind, over the noise. */
static double kind_margin(const moving m[2])
{
    double g[WIT_MAX_PARAMETERS], H[WIT_MAX_PARAMETERS * WIT_MAX_PARAMETERS], values[WIT_MAX_PARAMETERS];
    int n = wi_condition_hessian(&m[0], &m[1], g, H);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            H[i * n + j] /= norm3(i < 2 ? m[0].d[i] : m[1].d[i - 2]) * norm3(j < 2 ? m[0].d[j] : m[1].d[j - 2]);
    if (!wi_eigen_symmetric(n, H, values, NULL)) return 0;
    double noise = 4096 * DBL_EPSILON * fmax(1, fmax(fabs(values[0]), fabs(values[n - 1]))), least = INFINITY;
    for (int i = 0; i < n; ++i) least = fmin(least, fabs(fabs(values[i]) - noise));
    return least / noise;
}

static tolerances tolerances_of(const wit_tracker* t, const wit_motion* a, const wit_motion* b, double distance)
{
    tolerances r = {.gap = fabs(distance), .size = t->size};
    pair_motion now;
    moving m[2];
    wi_pair_motion_make(t->body[0], t->body[1], a, b, &now);
    for (int i = 0; i < 2; ++i) wi_pair_motion_at(&now, i, &t->at[i], NULL, &m[i]);
    double scale = fmax(t->size, r.gap), coordinates = norm3(m[0].p) + norm3(m[1].p) + norm3(now.side[1].t);
    r.rounding = 64 * DBL_EPSILON * (coordinates + scale);
    r.rest = 8 * t->def.tolerance * scale + r.rounding;
    r.place = r.rest * stretch_of(m, t->size);
    r.bend = fmax(bend_of(&m[0]), t->body[1] ? bend_of(&m[1]) : 0);
    r.turn = r.place * (1 / fmax(r.gap, NEAR_TOUCH * t->size) + r.bend) + 8 * DBL_EPSILON;
    r.touch = r.gap <= r.rest;
    r.turn += r.touch ? 2.1 : r.rest / r.gap;
    r.face = wit_pose_vector(&a->pose, unit3(cross3(m[0].d[0], m[0].d[1])));
    wit_vec3 v = m[1].velocity;
    r.rate = r.turn * norm3(v) + r.place * norm3(now.angular) +
             64 * DBL_EPSILON *
                 (norm3(a->twist.velocity) + norm3(b->twist.velocity) + norm3(v) +
                  (norm3(a->twist.angular) + norm3(b->twist.angular)) * (coordinates + scale));
    r.bound = r.rest + r.turn * t->size;
    r.kind = kind_margin(m);
    return r;
}

/* ---- the comparison ---------------------------------------------------------------------------- */

typedef struct seen {
    double by[TWIN_FIELDS]; /* differences in tolerances; 1 and more is wrong */
} seen;

static void note(seen* s, int field, double difference, double tolerance)
{
    double by = difference <= 0 ? 0 : difference / tolerance;
    if (!(by <= s->by[field])) s->by[field] = by;
}

static void note_equal(seen* s, int field, bool equal)
{
    if (!equal) s->by[field] = INFINITY;
}

static double apart3(wit_vec3 a, wit_vec3 b)
{
    return norm3(sub3(a, b));
}

static void compare_witness(seen* s, const wit_tracker* t, int i, const wit_witness* x, const wit_witness* y,
                            const tolerances* r)
{
    note_equal(s, TWIN_PLACE, x->feature == y->feature && x->id == y->id);
    note(s, TWIN_PLACE, apart3(x->point, y->point), r->place);
    if (x->feature != WIT_FACE || y->feature != WIT_FACE) return;
    wit_surface_jet j;
    const wit_surface* surface = wit_body_face(t->body[i], x->id).surface;
    wit_surface_eval(surface, x->u, x->v, WIT_KNOT_DEFAULT, NULL, &j);
    /* along the surface, the angle of the tangents in it */
    wit_vec3 moved = addscaled3(scale3(x->u - y->u, j.du), x->v - y->v, j.dv);
    note(s, TWIN_PLACE, norm3(moved), r->place);
}

static void compare_flags(seen* s, const wit_tracker* t, const wit_result* x, const wit_result* y, const tolerances* r)
{
    unsigned differ = x->flags ^ y->flags;
    double scale = fmax(t->size, fabs(y->distance)), tolerance = t->def.tolerance * scale;
    double slack = t->def.certify * scale;
    bool at_touch = fabs(fabs(y->distance) - tolerance) <= r->rest, touches = fabs(x->distance) <= tolerance;
    note_equal(s, TWIN_FLAGS, ((x->flags & WIT_FLAG_TOUCHING) != 0) == touches); /* as its own distance says */
    bool at_slack = r->touch || fabs(y->distance - y->lower_bound - slack) <= r->bound || t->above < INFINITY;
    if (at_touch) differ &= ~(unsigned)(WIT_FLAG_TOUCHING | WIT_FLAG_OVERLAPPING);
    if (at_slack) differ &= ~(unsigned)(WIT_FLAG_CERTIFIED | WIT_FLAG_LOCAL);
    note_equal(s, TWIN_FLAGS, differ == 0);
}

static void compare_errors(seen* s, const wit_tracker* t, const wit_result* x, const wit_result* y, const tolerances* r)
{
    double noise = 64 * DBL_EPSILON, apart = apart3(x->a.point, y->a.point) + apart3(x->b.point, y->b.point);
    bool alike = x->work.units == y->work.units; /* by the same jets: then as near as the places are */
    for (int i = 0; i < y->count; ++i) {
        double length = i < y->count_a ? r->gap : r->size;
        double rest = alike ? 8 * apart * (1 + length * r->bend) + r->rounding : r->rest;
        note(s, TWIN_ERRORS, fabs(x->error[i] - y->error[i]), rest / length + noise);
        /* surely no direction: none is made up */
        if (i < y->count_a && r->gap < DBL_EPSILON * r->size) note_equal(s, TWIN_ERRORS, x->error[i] == y->error[i]);
    }
    for (int i = y->count; i < WIT_MAX_PARAMETERS; ++i) note_equal(s, TWIN_ERRORS, x->error[i] == y->error[i]);
    note(s, TWIN_ERRORS, fabs(x->residual - y->residual), r->rest / fmin(r->gap, t->size) + noise);
}

/* What the next step will go by. */
static void compare_memory(seen* s, const wit_tracker* t, const wit_tracker* u, const tolerances* r)
{
    note(s, TWIN_MEMORY, fabs(t->distance - u->distance), r->rest);
    note(s, TWIN_MEMORY, apart3(t->foot, u->foot), r->place);
    note(s, TWIN_MEMORY, apart3(t->normal, u->normal), r->turn);
    note_equal(s, TWIN_MEMORY, t->placed == u->placed && t->started == u->started && t->time == u->time);
    note_equal(s, TWIN_MEMORY, t->history == u->history && !memcmp(t->past_dt, u->past_dt, sizeof t->past_dt));
    note_equal(s, TWIN_MEMORY, !memcmp(t->last, u->last, sizeof t->last));
    note_equal(s, TWIN_MEMORY, !memcmp(t->last_twist, u->last_twist, sizeof t->last_twist));
    note_equal(s, TWIN_MEMORY, t->sign == u->sign || r->gap <= r->rest);
    note_equal(s, TWIN_MEMORY, t->transition_count == u->transition_count);
    for (int h = 0; h < TRACK_HISTORY; ++h)
        for (int i = 0; i < 2; ++i)
            for (int k = 0; k < (t->body[i] ? 2 : 0); ++k) {
                wit_surface_jet j;
                wit_surface_eval(wit_body_face(t->body[i], t->at[i].id).surface, t->past[0][i][0], t->past[0][i][1],
                                 WIT_KNOT_DEFAULT, NULL, &j);
                note(s, TWIN_MEMORY, fabs(t->past[h][i][k] - u->past[h][i][k]) * norm3(k ? j.dv : j.du), 2 * r->place);
            }
}

static seen compare(const wit_tracker* t, const wit_tracker* u, const wit_result* x, const wit_result* y,
                    const tolerances* r)
{
    seen s = {{0}};
    note(&s, TWIN_DISTANCE, fabs(x->distance - y->distance), r->rest);
    compare_witness(&s, t, 0, &x->a, &y->a, r);
    compare_witness(&s, t, 1, &x->b, &y->b, r);
    /* at touch itself either side of a two-sided sheet is as good */
    note(&s, TWIN_NORMAL, apart3(x->normal, y->normal), r->turn);
    /* near touch the face tells; that Taylor's tangents turn it is guarded only by the gap they are seen over */
    double askew = fmin(apart3(x->normal, r->face), apart3(x->normal, scale3(-1, r->face)));
    if (r->gap <= 0.5 * NEAR_TOUCH * r->size) note(&s, TWIN_NORMAL, askew, 1e-4 + r->place * r->bend);
    note(&s, TWIN_RATE, fabs(x->rate - y->rate), r->rate);
    compare_errors(&s, t, x, y, r);
    if (x->lower_bound != y->lower_bound && !r->touch)
        note(&s, TWIN_BOUND, fabs(x->lower_bound - y->lower_bound), r->bound);
    note_equal(&s, TWIN_OUTCOME, x->outcome == y->outcome || r->gap <= 100 * r->rest);
    note_equal(&s, TWIN_OUTCOME, x->kind != WIT_STATIONARY_SADDLE || x->residual <= 0.1);
    compare_flags(&s, t, x, y, r);
    note_equal(&s, TWIN_KIND, x->kind == y->kind || r->kind < 0.5);
    note_equal(&s, TWIN_COUNTS,
               x->count == y->count && x->count_a == y->count_a && x->held == y->held && x->drift == y->drift &&
                   x->gain == y->gain && x->switches == y->switches);
    int sides = t->body[1] ? 2 : 1;
    const wit_work* w = &x->work; /* with a front that of it too */
    bool fronted = t->point_front_at || t->pair_front_at;
    bool least = x->iterations == 1 && w->units == w->jets + w->nodes + w->tests + w->boxes && !w->solves &&
                 (fronted ? w->jets >= sides : w->jets == sides && w->units == sides);
    note_equal(&s, TWIN_WORK, least && y->iterations >= 1 && y->work.units >= sides);
    compare_memory(&s, t, u, r);
    return s;
}

static void tell(const twins* t, const seen* s, const wit_result* x, const wit_result* y)
{
    char which[128] = "";
    for (int f = 0; f < TWIN_FIELDS; ++f)
        if (!(s->by[f] <= 1))
            snprintf(which + strlen(which), sizeof which - strlen(which), " %s (%.2g)", fields[f], s->by[f]);
    print_error("%s, step %ld:%s: distance %.17g, %.17g; bound %.17g, %.17g; flags %x, %x; kind %s, %s; units %lld\n",
                t->name, t->tally->steps, which, x->distance, y->distance, x->lower_bound, y->lower_bound, x->flags,
                y->flags, wit_stationary_name(x->kind), wit_stationary_name(y->kind), (long long)y->work.units);
}

/* ---- the order of the prediction ------------------------------------------------------------- */

/* How far an order was off where the tracker is now; *scale: of the parameters. `from`: its newest frame before the step. */
static double order_misses(const wit_tracker* t, const prediction* p, int order, double from[2][2], double* scale)
{
    double most = 0;
    for (int i = 0; i < (t->body[1] ? 2 : 1); ++i)
        for (int k = 0; k < 2; ++k) {
            double turned = t->past[1][i][k] - from[i][k]; /* whole periods by which the history was brought back */
            most = fmax(most, fabs(p->x[order][i][k] - (t->past[0][i][k] - turned)));
            *scale = fmax(*scale, fabs(from[i][k]));
        }
    return most;
}

/*
 * Twins that choose different orders for the next step: each takes the one that was off least at its own place. Both are right
 * only if the orders differ, at either place, by no more than twice what the places do, and rounding.
 */
static bool orders_tie(const twins* t, const prediction* p, double from[2][2])
{
    double apart = 0, scale = 0, miss[2];
    for (int i = 0; i < (t->one->body[1] ? 2 : 1); ++i)
        for (int k = 0; k < 2; ++k) apart = fmax(apart, fabs(t->one->past[0][i][k] - t->other->past[0][i][k]));
    miss[0] = order_misses(t->one, p, t->one->order, from, &scale);
    miss[1] = order_misses(t->one, p, t->other->order, from, &scale);
    return fabs(miss[0] - miss[1]) <= 2 * apart + 32 * DBL_EPSILON * scale;
}

void twins_step(twins* t, const wit_motion* a, const wit_motion* b, double dt, wit_result* out)
{
    wit_result y;
    twin_tally* n = t->tally;
    copy_state(t->one, t->other);
    double from[2][2];
    memcpy(from, t->one->past[0], sizeof from);
    prediction guess = predict_all(t->one, dt);
    was_fast = false;
    memset(out, 0xa5, sizeof *out); /* every field has to be written */
    assert_int_equal(wit_tracker_step(t->one, a, b, dt, out), WIT_OK);
    n->steps++;
    if (!was_fast) return;
    long_way = true;
    assert_int_equal(wit_tracker_step(t->other, a, b, dt, &y), WIT_OK);
    long_way = false;
    n->fast++;
    n->more_work += y.work.units > out->work.units;
    bool other = t->one->order != t->other->order, tie = other && orders_tie(t, &guess, from);
    n->other_order += other;
    n->wrong_order += other && !tie;
    wit_motion now[2] = {{t->one->last[0], t->one->last_twist[0], true},
                         {t->one->last[1], t->one->last_twist[1], true}};
    tolerances r = tolerances_of(t->one, &now[0], &now[1], y.distance);
    seen s = compare(t->one, t->other, out, &y, &r);
    bool wrong = false;
    for (int f = 0; f < TWIN_FIELDS; ++f) {
        bool off = !(s.by[f] <= 1);
        n->wrong[f] += off;
        wrong = wrong || off;
        if (!off) n->worst[f] = fmax(n->worst[f], s.by[f]);
    }
    if (wrong && n->told++ < 10) tell(t, &s, out, &y);
}

void twin_tally_print(const char* name, const twin_tally* t)
{
    char text[512] = "";
    for (int f = 0; f < TWIN_FIELDS; ++f)
        if (t->wrong[f] || t->worst[f] > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "; %s %.2g (%ld)", fields[f], t->worst[f],
                     t->wrong[f]);
    print_message("%s: %ld steps, %ld usual, %ld general ones took more, %ld with another order%s\n", name, t->steps,
                  t->fast, t->more_work, t->other_order, text);
}

void twin_tally_check(const twin_tally* t)
{
    for (int f = 0; f < TWIN_FIELDS; ++f)
        if (t->wrong[f]) fail_msg("%s differs in %ld steps", fields[f], t->wrong[f]);
    if (t->wrong_order) fail_msg("the order of the prediction differs in %ld steps", t->wrong_order);
}
