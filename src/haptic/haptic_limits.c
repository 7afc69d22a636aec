/* SPDX-License-Identifier: MIT */
/*
 * Stability and passivity.
 *
 * Springs k_p with gradients g_p: x^T K x = sum k_p (g_a.x_a + g_b.x_b)^2 <= sum k_p (y_a + y_b)(|x_a|^2 + |x_b|^2) in the metric
 * of the masses, y = |g|^2 = 1/m + lever^2 / I. So no mode is stiffer than the largest over all bodies of
 * sum over its springs of k_p (y_a + y_b). The same holds for the dampers.
 */
#include "../base/error.h"
#include "../base/solve.h"
#include "../body/body_record.h"
#include "../laws/integrator.h"
#include "haptic_record.h"

double wi_haptic_yield(const wit_haptic_def* def, int i, bool any)
{
    const wit_haptic_body_def* d = &def->bodies[i];
    double lever = any ? -1 : d->lever;
    wit_vec3 centre = d->drive == WIT_DRIVE_DYNAMIC ? d->centre : vec3(0, 0, 0);
    if (lever < 0) {
        lever = 0;
        if (d->shape) {
            const wit_box* b = &d->shape->box;
            lever = norm3(vec3(fmax(fabs(b->lo.x - centre.x), fabs(b->hi.x - centre.x)),
                               fmax(fabs(b->lo.y - centre.y), fabs(b->hi.y - centre.y)),
                               fmax(fabs(b->lo.z - centre.z), fabs(b->hi.z - centre.z))));
        }
    }
    if (d->drive == WIT_DRIVE_DYNAMIC) {
        double values[3], way = wi_freedom_slides(d) ? 1 / d->mass : 0;
        if (!wi_freedom_turns(d) || !(lever > 0) || !wi_eigen_symmetric(3, d->inertia, values, NULL)) return way;
        return way + lever * lever / values[0];
    }
    if (d->drive != WIT_DRIVE_LINK) return 0;
    /* n^T J M^-1 J^T n: at most (root of the trace for places + lever times that for rotations) squared. */
    const wit_system* s = def->system;
    double M[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM], l[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM], J[6 * WIT_MAX_FREEDOM] = {0};
    double x[WIT_MAX_FREEDOM], trace[2] = {0, 0};
    wit_motion motion;
    s->mass(s->user, s->q, M);
    if (!wi_factor_definite(s->count, M, l)) return 0;
    wi_linkage_body(s, d, s->q, s->speed, &motion, J);
    for (int k = 0; k < 6; ++k) {
        wi_factor_solve(s->count, l, J + k * s->count, x);
        for (int j = 0; j < s->count; ++j) trace[k / 3] += J[k * s->count + j] * x[j];
    }
    double sum = sqrt(fmax(0, trace[0])) + lever * sqrt(fmax(0, trace[1]));
    return sum * sum;
}

typedef struct load {
    double K, C;           /* 1/s^2, 1/s */
    double stiffest, most; /* the stiffest spring: its share of K, its stiffness */
    int pair;              /* whose it is; -1, -2: the coupler's, of place and rotation; -3, -4: the hand's */
    double damped;         /* the largest damper's share of C */
    int damper;
} load;

static void load_add(load* l, double k, double c, double yield, int pair)
{
    l->K += k * yield;
    l->C += c * yield;
    if (k * yield > l->stiffest) {
        l->stiffest = k * yield;
        l->most = k;
        l->pair = pair;
    }
    if (c * yield > l->damped) {
        l->damped = c * yield;
        l->damper = pair;
    }
}

/* But for friction. */
static load load_of(const wit_haptic_def* d, int i)
{
    load l = {.pair = -1, .damper = -1};
    for (int k = 0; k < d->pair_count; ++k) {
        const wit_haptic_pair_def* p = &d->pairs[k];
        if (p->a != i && p->b != i) continue;
        const wit_response* r = p->response ? p->response : &d->response;
        double yield = wi_haptic_yield(d, p->a, false) + wi_haptic_yield(d, p->b, false);
        if (d->bodies[p->b].drive == WIT_DRIVE_PROXY)
            load_add(&l, d->coupler.stiffness, d->coupler.damping, yield, -1);
        else if (r->kind == WIT_RESPONSE_PENALTY)
            load_add(&l, r->stiffness, r->damping_kind == WIT_DAMPING_LINEAR ? r->damping : 0, yield, k);
    }
    const wit_haptic_body_def* b = &d->bodies[i];
    if (b->drive != WIT_DRIVE_DYNAMIC) return l;
    double values[3] = {0}, off = norm3(b->centre);
    bool turns = b->shape && wi_eigen_symmetric(3, b->inertia, values, NULL);
    l.C += fmax(b->damping / b->mass, turns ? b->angular_damping / values[0] : 0);
    if (i != d->tool) return l;
    /* a device that a hand holds yields too */
    double place = d->human ? 1 / d->human->mass : 0, turn = d->human ? 1 / d->human->inertia : 0;
    load_add(&l, d->coupler.stiffness, d->coupler.damping, place + 1 / b->mass + (turns ? off * off / values[0] : 0),
             -1);
    if (turns) load_add(&l, d->coupler.angular_stiffness, d->coupler.angular_damping, turn + 1 / values[0], -2);
    return l;
}

/* Of the device in a hand: the hand's gains, and the coupler's, at whose other end the tool yields. */
static load load_of_hand(const wit_haptic_def* d)
{
    const wit_human* u = d->human;
    const wit_haptic_body_def* b = &d->bodies[d->tool];
    load l = {.pair = -3, .damper = -3};
    double values[3] = {0}, off = norm3(b->centre), place = 1 / u->mass, turn = 1 / u->inertia;
    bool turns = b->shape && wi_eigen_symmetric(3, b->inertia, values, NULL);
    l.C = fmax(u->device_damping * place, u->device_angular_damping * turn);
    load_add(&l, u->stiffness, u->damping, place, -3);
    load_add(&l, u->angular_stiffness, u->angular_damping, turn, -4);
    load_add(&l, d->coupler.stiffness, d->coupler.damping, place + 1 / b->mass + (turns ? off * off / values[0] : 0),
             -1);
    if (turns) load_add(&l, d->coupler.angular_stiffness, d->coupler.angular_damping, turn + 1 / values[0], -2);
    return l;
}

double wi_haptic_room(const wit_haptic_def* d, int body, double rate)
{
    load l = load_of(d, body);
    return fmax(0, 4 - l.K / (rate * rate) - 2 * l.C / rate);
}

/* Largest growth factor of a step of the Runge-Kutta method of order `order` on z^2 + C h z + K h^2 = 0. */
static double growth(double K, double C, double h, int order)
{
    double a = -C * h / 2, s = a * a - K * h * h, most = 0;
    double re[2] = {a, a}, im = 0;
    if (s >= 0) {
        re[0] = a - sqrt(s);
        re[1] = a + sqrt(s);
    } else {
        im = sqrt(-s);
    }
    for (int k = 0; k < 2; ++k) {
        double x = 1, y = 0, term_x = 1, term_y = 0;
        for (int n = 1; n <= order; ++n) { /* z^n / n! */
            double tx = (term_x * re[k] - term_y * im) / n, ty = (term_x * im + term_y * re[k]) / n;
            term_x = tx;
            term_y = ty;
            x += tx;
            y += ty;
        }
        most = fmax(most, sqrt(x * x + y * y));
    }
    return most;
}

/* How far above what the step carries: at most 1 is stable. */
static bool is_stable(const wit_haptic_def* d, double K, double C, double h)
{
    if (!world_is_joint(d)) return h * h * K + 2 * h * C < 4;
    return growth(K, C, h, d->integrator == WIT_INTEGRATOR_RK4 ? 4 : 2) <= 1 + 0.01 * h;
}

/* The largest factor of all gains of `l` that is stable, found by halving. */
static double carried(const wit_haptic_def* d, const load* l, double h)
{
    double lo = 0, hi = 1;
    for (int i = 0; i < 60; ++i) {
        double mid = (lo + hi) / 2;
        *(is_stable(d, mid * l->K, mid * l->C, h) ? &lo : &hi) = mid;
    }
    return lo;
}

static wit_status refuse_load(const wit_haptic_def* d, const load* l, int body, double rate, wit_error* e)
{
    double h = 1 / rate, part = carried(d, l, h);
    bool damper = l->C * h > l->K * h * h;
    int pair = damper ? l->damper : l->pair;
    char item[80];
    const char* what = damper ? "damping" : "stiffness";
    if (pair == -3 || pair == -4)
        wi_text_format(item, sizeof item, "human.%s%s", pair == -4 ? "angular_" : "", what);
    else if (pair == -2)
        wi_text_format(item, sizeof item, "coupler.angular_%s", what);
    else if (pair == -1)
        wi_text_format(item, sizeof item, "coupler.%s", what);
    else if (d->pairs[pair].response)
        wi_text_format(item, sizeof item, "pairs[%d].response.%s", pair, what);
    else
        wi_text_format(item, sizeof item, "response.%s", what);
    char where[120] = "";
    double off = body < 0 ? 0 : norm3(d->bodies[body].centre);
    if (pair == -1 && off > 0 && d->bodies[body].shape)
        wi_text_format(where, sizeof where, " (it acts at the body's origin, %.3g from the centre of mass)", off);
    return wi_error_fill(
        e, WIT_ERROR_RANGE, item,
        "too large for %s %d at %g steps per second%s: h sqrt(k/m) = %.3g, h c/m = %.3g; all its gains times "
        "%.3g would be stable, or a heavier body, or a higher rate",
        body < 0 ? "the device of body" : "body", body < 0 ? d->tool : body, rate, where, h * sqrt(l->K), h * l->C,
        part);
}

static wit_status check_passive(double k, double b, double own, double h, bool angular, wit_error* e)
{
    double need = k * h / 2 + b;
    if (own > need || (k == 0 && b == 0)) return WIT_OK;
    if (own <= b)
        return wi_error_fill(
            e, WIT_ERROR_RANGE, angular ? "coupler.angular_damping" : "coupler.damping",
            "not passive: the device itself takes off %.4g; the coupler's damping, %.4g, must be below that", own, b);
    double most = 2 * (own - b) / h;
    return wi_error_fill(
        e, WIT_ERROR_RANGE, angular ? "coupler.angular_stiffness" : "coupler.stiffness",
        "not passive: the device takes off %.4g, but k h / 2 + b = %.4g: at this rate and damping the stiffness must "
        "be below %.4g",
        own, need, most);
}

wit_status wi_haptic_check_gains(const wit_haptic_def* d, double rate, wit_error* e)
{
    double h = 1 / rate;
    for (int i = 0; i < d->body_count; ++i) {
        if (d->bodies[i].drive != WIT_DRIVE_DYNAMIC && d->bodies[i].drive != WIT_DRIVE_LINK) continue;
        load l = load_of(d, i);
        if ((l.K > 0 || l.C > 0) && !is_stable(d, l.K, l.C, h)) return refuse_load(d, &l, i, rate, e);
    }
    if (world_is_joint(d) && d->law.gain.kind == WIT_GAIN_SCALAR) {
        double most = wi_integrator_limit(d->integrator) * rate;
        if (!(d->law.gain.value < most))
            return wi_error_fill(e, WIT_ERROR_RANGE, "track.gain.value",
                                 "%g / s is too large for %s at %g steps per second: must be below %.4g",
                                 d->law.gain.value, wit_integrator_name(d->integrator), rate, most);
    }
    if (d->human) { /* nothing is sampled between the coupler and the hand */
        load l = load_of_hand(d);
        return is_stable(d, l.K, l.C, h) ? WIT_OK : refuse_load(d, &l, -1, rate, e);
    }
    if (d->tool < 0) return WIT_OK;
    const wit_coupler* c = &d->coupler;
    wit_status status = check_passive(c->stiffness, c->damping, d->device_damping, h, false, e);
    if (status || d->bodies[d->tool].drive == WIT_DRIVE_PROXY || !d->bodies[d->tool].shape) return status;
    return check_passive(c->angular_stiffness, c->angular_damping, d->device_angular_damping, h, true, e);
}

wit_status wit_haptic_check(const wit_haptic_def* def, double rate, wit_error* error)
{
    if (!(rate > 0) || !isfinite(rate))
        return wi_error_fill(error, WIT_ERROR_RANGE, "rate", "is %g; must be a positive number of steps per second",
                             rate);
    wit_status status = wi_haptic_check_def(def, error);
    return status ? status : wi_haptic_check_gains(def, rate, error);
}
