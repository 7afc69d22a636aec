/* SPDX-License-Identifier: MIT */
/*
 * Witnesses and dynamics in one explicit step: y = (centre, turn, velocity, angular momentum of every dynamic body; the same of the
 * device where a hand holds it; q, q' of the system; parameters of every pair; energy dissipated and supplied), y' = f(t, y).
 *
 * The turn is the rotation vector t of exp(t) R0, R0 the rotation at the start of the piece; with the angular velocity o
 *     t' = o - t x o / 2 + t x (t x o) / 12 + O(t^4),
 * enough for order 4, since t is of the order of h.
 *
 * Over the stages every pair keeps its features and the branch of its force, beyond the ends of both: f is smooth. Where at the end
 * another branch, or of a pair in contact another feature, would act, the step is cut at the moment when that first shows.
 */
#include <string.h>

#include "../laws/integrator.h"
#include "../laws/law.h"
#include "haptic_record.h"

static void put3(double** y, wit_vec3 v)
{
    (*y)[0] = v.x;
    (*y)[1] = v.y;
    (*y)[2] = v.z;
    *y += 3;
}

static wit_vec3 get3(const double** y)
{
    wit_vec3 v = vec3((*y)[0], (*y)[1], (*y)[2]);
    *y += 3;
    return v;
}

enum { PIECES_MOST = 9, HALVINGS = 42 };

/* The step under way: a piece of it from `from` on, shares of h. */
typedef struct piece {
    double start, h, from;
    double *y0, *y, *slope;
} piece;

static void gather(const wit_haptic* w, double* y)
{
    const world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        if (bodies[i].def.drive != WIT_DRIVE_DYNAMIC) continue;
        put3(&y, bodies[i].c);
        put3(&y, vec3(0, 0, 0));
        put3(&y, bodies[i].v);
        put3(&y, bodies[i].momentum);
    }
    if (w->has_human) {
        put3(&y, w->device.pose.position);
        put3(&y, vec3(0, 0, 0));
        put3(&y, w->device.twist.velocity);
        put3(&y, w->device.twist.angular);
    }
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) *y++ = w->system.q[i];
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) *y++ = w->system.speed[i];
    for (int i = 0; i < w->def.pair_count; ++i)
        for (int k = 0; k < WIT_MAX_PARAMETERS; ++k) *y++ = world_pairs(w)[i].x[k];
    *y++ = w->dissipated;
    *y++ = w->supplied;
}

/* The state y; false: it means nothing. */
static bool scatter(wit_haptic* w, const double* y)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        b->c = get3(&y);
        wit_vec3 turn = get3(&y);
        b->q = b->def.shape ? wi_rigid_turned(b->base, turn) : b->base;
        b->v = get3(&y);
        b->momentum = get3(&y);
        wi_rigid_place(b);
    }
    if (w->has_human) {
        w->device.pose.position = get3(&y);
        w->device.pose.rotation = wi_rigid_turned(w->device_base, get3(&y));
        w->device.twist.velocity = get3(&y);
        w->device.twist.angular = get3(&y);
    }
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) w->system.q[i] = *y++;
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) w->system.speed[i] = *y++;
    for (int i = 0; i < w->def.pair_count; ++i)
        for (int k = 0; k < WIT_MAX_PARAMETERS; ++k) world_pairs(w)[i].x[k] = *y++;
    w->dissipated = *y++;
    w->supplied = *y++;
    return wi_world_finite(w) && (!w->has_system || wi_linkage_place(w));
}

static void place_pair(const wit_haptic* w, world_pair* p)
{
    const world_body* bodies = world_bodies(w);
    p->place[0].motion = bodies[p->a].motion;
    p->place[1].motion = bodies[p->b].motion;
    p->place[0].u = p->x[0];
    p->place[0].v = p->count_a > 1 ? p->x[1] : 0;
    p->place[1].u = p->count > p->count_a ? p->x[p->count_a] : 0;
    p->place[1].v = p->count > p->count_a + 1 ? p->x[p->count_a + 1] : 0;
}

/* Without a face: the way between the witnesses, on the side of the normal of the tracker that watches; where that way is
 * rounding, that normal. */
static wit_vec3 normal_without_face(const world_pair* p, const wit_kinematics* k)
{
    wit_vec3 gap = sub3(k->h, k->f), last = p->now.track.normal;
    double length = norm3(gap), along = dot3(gap, last);
    bool told = length > 1e-9 * (norm3(k->h) + norm3(k->f)) && fabs(along) > 0.5 * length;
    return told ? scale3((along < 0 ? -1 : 1) / length, gap) : last;
}

/* Distance, normal and witnesses at the parameters. */
static bool see_pair(wit_haptic* w, world_pair* p)
{
    wit_kinematics k;
    place_pair(w, p);
    if (wit_kinematics_at(&p->place[0], &p->place[1], WIT_FORM_CONTACT, &k)) return false;
    w->stage_units += 2;
    p->point_a = k.f;
    p->point_b = k.h;
    p->now.point = scale3(0.5, add3(k.f, k.h));
    bool face =
        (p->place[0].body && p->place[0].feature == WIT_FACE) || (p->place[1].body && p->place[1].feature == WIT_FACE);
    p->now.normal = face ? k.normal : normal_without_face(p, &k);
    p->now.distance = face ? k.distance : dot3(p->now.normal, sub3(k.h, k.f));
    wi_contact_single(w, p);
    return true;
}

static void put_turning(double** dy, wit_vec3 turn, wit_vec3 spin)
{
    wit_vec3 bent = cross3(turn, spin);
    put3(dy, addscaled3(addscaled3(spin, -0.5, bent), 1.0 / 12, cross3(turn, bent)));
}

/* Speeds of all parameters, by the law. */
static bool put_law(wit_haptic* w, double h, double* dy)
{
    wit_track_def track = w->def.track;
    track.law = &w->def.law;
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        double speed[WIT_MAX_PARAMETERS] = {0};
        if (wi_law_speeds_unheld(&p->place[0], &p->place[1], &track, h, speed)) return false;
        w->stage_units += 2;
        for (int k = 0; k < WIT_MAX_PARAMETERS; ++k) *dy++ = k < p->count ? speed[k] : 0;
    }
    return true;
}

/* y' at y, `share` of the step done. */
static bool slopes(wit_haptic* w, const piece* at, const double* y, double share, double* dy)
{
    if (!scatter(w, y)) return false;
    wi_world_moved(w, share, at->h);
    w->time = at->start + share * at->h;
    for (int i = 0; i < w->def.pair_count; ++i)
        if (!see_pair(w, &world_pairs(w)[i])) return false;
    wi_world_forces(w, 0);
    const world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) {
        const world_body* b = &bodies[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        put3(&dy, b->v);
        put_turning(&dy, vec3(y[3], y[4], y[5]), b->motion.twist.angular);
        put3(&dy, scale3(1 / b->def.mass, b->force));
        put3(&dy, b->def.shape ? b->torque : vec3(0, 0, 0));
        y += BODY_STATE;
    }
    if (w->has_human) {
        put3(&dy, w->device.twist.velocity);
        put_turning(&dy, vec3(y[3], y[4], y[5]), w->device.twist.angular);
        put3(&dy, w->device_accel);
        put3(&dy, w->device_spin);
    }
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) *dy++ = w->system.speed[i];
    for (int i = 0; w->has_system && i < w->system.def.count; ++i) *dy++ = w->system.accel[i];
    if (!put_law(w, at->h, dy)) return false;
    dy += WIT_MAX_PARAMETERS * w->def.pair_count;
    *dy++ = w->dissipation;
    *dy++ = w->supply;
    return true;
}

static int take_place(wit_moving_place* to, const wit_body* body, const wit_witness* from, double* x)
{
    to->body = body;
    to->feature = body ? from->feature : WIT_POINT;
    to->id = body ? from->id : -1;
    int n = !body ? 0 : from->feature == WIT_FACE ? 2 : from->feature == WIT_EDGE ? 1 : 0;
    if (n > 0) x[0] = from->u;
    if (n > 1) x[1] = from->v;
    return n;
}

static void adopt(const wit_haptic* w, world_pair* p)
{
    const wit_result* r = &p->now.track;
    memset(p->x, 0, sizeof p->x);
    p->count_a = take_place(&p->place[0], world_bodies(w)[p->a].def.shape, &r->a, p->x);
    p->count = p->count_a + take_place(&p->place[1], world_bodies(w)[p->b].def.shape, &r->b, p->x + p->count_a);
}

void wi_joint_begin(wit_haptic* w)
{
    for (int i = 0; i < w->def.pair_count; ++i) {
        adopt(w, &world_pairs(w)[i]);
        see_pair(w, &world_pairs(w)[i]);
    }
}

static bool inside_range(const wit_moving_place* at, const double* x)
{
    if (!at->body) return true;
    if (at->feature == WIT_FACE) {
        wit_face_info f = wit_body_face(at->body, at->id);
        return f.unbounded || (x[0] >= f.u.lo && x[0] <= f.u.hi && x[1] >= f.v.lo && x[1] <= f.v.hi);
    }
    if (at->feature == WIT_EDGE) {
        wit_edge_info e = wit_body_edge(at->body, at->id);
        return x[0] >= e.range.lo && x[0] <= e.range.hi;
    }
    return true;
}

/* The same features, and inside them? Over a seam or a border the watching tracker's place is taken. */
static bool still_there(const world_pair* p)
{
    const wit_result* r = &p->now.track;
    if (p->place[0].feature != r->a.feature || p->place[0].id != r->a.id) return false;
    if (p->place[1].body && (p->place[1].feature != r->b.feature || p->place[1].id != r->b.id)) return false;
    return inside_range(&p->place[0], p->x) && inside_range(&p->place[1], p->x + p->count_a);
}

/* ---- pieces of a step ---------------------------------------------------------------------- */

/* The state that a piece starts from, and what is kept over it. */
static void begin_piece(wit_haptic* w, const piece* at)
{
    world_body* bodies = world_bodies(w);
    for (int i = 0; i < w->def.body_count; ++i) bodies[i].base = bodies[i].q;
    w->device_base = w->device.pose.rotation;
    gather(w, at->y0);
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        p->mode = wi_contact_mode(w, p);
        p->before = p->now;
        tracker_keep(pair_tracker(w, p), p->tracker_bytes, pair_copy(w, p), false);
    }
}

/* From the start of the piece over the share `span`; the trackers look there. */
static bool take(wit_haptic* w, const piece* at, double span)
{
    const rk_table* rk = wi_integrator_rk(w->def.integrator);
    int n = w->state_count;
    double *y = at->y, h = span * at->h;
    for (int i = 0; i < w->def.pair_count; ++i) world_pairs(w)[i].now = world_pairs(w)[i].before;
    for (int s = 0; s < rk->stages; ++s) {
        memcpy(y, at->y0, (size_t)n * sizeof *y);
        for (int j = 0; j < s; ++j)
            for (int i = 0; i < n; ++i) y[i] += h * rk->a[s][j] * at->slope[j * n + i];
        if (!slopes(w, at, y, at->from + rk->c[s] * span, at->slope + s * n)) return false;
    }
    memcpy(y, at->y0, (size_t)n * sizeof *y);
    for (int j = 0; j < rk->stages; ++j)
        for (int i = 0; i < n; ++i) y[i] += h * rk->b[j] * at->slope[j * n + i];
    if (!scatter(w, y)) return false;
    wi_world_moved(w, at->from + span, at->h);
    w->time = at->start + (at->from + span) * at->h;
    if (!wi_world_look(w, h)) return false;
    for (int i = 0; i < w->def.pair_count; ++i)
        if (!see_pair(w, &world_pairs(w)[i])) return false;
    wi_world_forces(w, 0);
    return true;
}

/* The same, after another try. */
static bool take_again(wit_haptic* w, const piece* at, double span)
{
    for (int i = 0; i < w->def.pair_count; ++i) {
        const world_pair* p = &world_pairs(w)[i];
        tracker_keep(pair_tracker(w, p), p->tracker_bytes, pair_copy(w, p), true);
    }
    return take(w, at, span);
}

/* Would another f act at the end of the piece? */
static bool turned(const wit_haptic* w)
{
    for (int i = 0; i < w->def.pair_count; ++i) {
        const world_pair* p = &world_pairs(w)[i];
        contact_mode mode = wi_contact_mode(w, p);
        const wit_result* r = &p->now.track;
        if (mode != p->mode) return true;
        if (mode == CONTACT_APART) continue;
        if (p->place[0].feature != r->a.feature || p->place[0].id != r->a.id) return true;
        if (p->place[1].body && (p->place[1].feature != r->b.feature || p->place[1].id != r->b.id)) return true;
    }
    return false;
}

/* A piece that ends in another branch: to just behind the moment when that first shows. */
static bool cut(wit_haptic* w, const piece* at, double* span)
{
    double lo = 0, hi = *span, last = hi;
    for (int k = 0; k < HALVINGS; ++k) {
        last = 0.5 * (lo + hi);
        if (!take_again(w, at, last)) return false;
        *(turned(w) ? &hi : &lo) = last;
    }
    *span = hi;
    return last == hi || take_again(w, at, hi);
}

static bool end_piece(wit_haptic* w)
{
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        p->mode = CONTACT_FREE;
        if (!see_pair(w, p)) return false;
        double was = -p->now.distance;
        if (still_there(p)) continue;
        adopt(w, p);
        if (!see_pair(w, p)) return false;
        wi_account_jump(w, p, was);
    }
    wi_world_forces(w, 0);
    return true;
}

/* ---- steps that gain energy ---------------------------------------------------------------- */

/*
 * Does the piece gain energy? Bodies that turn by a radian in a step are more than the method resolves. Gains are summed up; beyond
 * GAIN of the largest energy that has moved the piece is refused, where the default step, which is taken instead, is stable.
 */
static const double GAIN = 1e-2;

static bool gains(wit_haptic* w, const wit_energy* from, const wit_energy* to)
{
    double before = from->stored + from->dissipated - from->supplied;
    double gain = to->stored + to->dissipated - to->supplied - before;
    w->joint_peak = fmax(w->joint_peak, from->kinetic + from->contact + from->coupler);
    w->joint_peak = fmax(w->joint_peak, to->kinetic + to->contact + to->coupler);
    double sum = fmax(w->joint_gain + gain, -w->joint_peak);
    if (!isfinite(sum) || (sum > GAIN * w->joint_peak && gain > 0)) return true;
    w->joint_gain = sum;
    return false;
}

/* The default step instead over the share `span`, or several in its time, from the start of the piece. */
static bool take_plainly(wit_haptic* w, const piece* at, double span)
{
    for (int i = 0; i < w->def.pair_count; ++i) {
        world_pair* p = &world_pairs(w)[i];
        tracker_keep(pair_tracker(w, p), p->tracker_bytes, pair_copy(w, p), true);
        p->now = p->before;
        p->mode = CONTACT_FREE;
    }
    if (!scatter(w, at->y0)) return false;
    wi_world_moved(w, at->from, at->h);
    w->time = at->start + at->from * at->h;
    for (int i = 0; i < w->def.pair_count; ++i)
        if (!see_pair(w, &world_pairs(w)[i])) return false;
    wi_world_forces(w, 0);
    bool good = true;
    int n = w->plain_steps;
    w->plainly = true;
    for (int k = 1; k <= n && good; ++k) {
        wi_world_save(w);
        good = wi_world_advance(w, span * at->h / n, at->from + span * k / n);
    }
    w->plainly = false;
    if (good) wi_joint_begin(w);
    return good;
}

bool wi_world_joint(wit_haptic* w, double h)
{
    double* y0 = (double*)((char*)w + w->vectors_at);
    piece at = {w->time, h, 0, y0, y0 + w->state_count, y0 + 2 * w->state_count};
    for (int k = 1; at.from < 1; ++k) {
        double span = 1 - at.from;
        wit_energy from = wi_world_energy(w), to;
        begin_piece(w, &at);
        bool good = take(w, &at, span);
        if (good && k < PIECES_MOST && turned(w)) good = cut(w, &at, &span);
        if (good) to = wi_world_energy(w);
        if (!good && !w->plain_steps) return false;
        if (w->plain_steps && (!good || gains(w, &from, &to))) good = take_plainly(w, &at, span);
        if (!good || !end_piece(w)) return false;
        at.from = span < 1 - at.from ? at.from + span : 1;
    }
    return true;
}
