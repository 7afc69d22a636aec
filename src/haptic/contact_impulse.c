/* SPDX-License-Identifier: MIT */
/*
 * Contact by impulses: sequential impulses (Gauss-Seidel) over all contacts that touch, each clamped so that its sum only pushes.
 *   v_n -> -e v_n where it was faster than the rest speed, else 0; a slow contact just before touch may close its gap and no more.
 *   friction: the sum of tangential impulses stays within mu times that of the normal ones: the exact cone.
 * Contacts that rest begin with the impulses of their last step. Depth left over is taken back by moving the bodies apart, without
 * velocity. With e > 0 several contacts at once can leave more energy than came: then all is solved again without bounce, which
 * cannot (each impulse alone goes towards the least energy along its direction).
 */
#include "haptic_record.h"

static const double SOLVED = 1e-9; /* of the speed that gravity gives in a step: no more rounds are needed */

static double yield(const wit_haptic* w, const world_pair* p, const world_contact* c, wit_vec3 axis)
{
    const world_body* bodies = world_bodies(w);
    return wi_body_yield(w, &bodies[p->a], axis, c->point) + wi_body_yield(w, &bodies[p->b], axis, c->point);
}

static void kick(wit_haptic* w, const world_pair* p, const world_contact* c, wit_vec3 impulse)
{
    world_body* bodies = world_bodies(w);
    wi_body_kick(w, &bodies[p->b], impulse, c->point);
    wi_body_kick(w, &bodies[p->a], scale3(-1, impulse), c->point);
}

/* Does it take part, and the normal speed it is to have. */
static bool begin(const wit_haptic* w, const world_pair* p, world_contact* c, double h, bool bounce)
{
    double rest = p->response.rest_speed > 0 ? p->response.rest_speed : 4 * norm3(w->def.gravity) * h;
    double d = c->distance, v = dot3(wi_contact_velocity(w, p, c->point), c->normal);
    c->solved = !(d > 0 && (v < -rest || d + h * v >= 0)); /* fast ones bounce once they are in */
    if (!c->solved) return false;
    /* The speed before this step's forces came here, and its opposite leaves: the same way back, so that a bounce with e = 1
     * adds nothing on the whole. */
    double came = dot3(c->came, c->normal);
    c->aim = bounce && d <= 0 && came < -rest ? -p->response.restitution * came : d > 0 ? -d / h : 0;
    return true;
}

/* Warm: what held it in the last step. */
static void start(wit_haptic* w, const world_pair* p, world_contact* c, bool warm)
{
    wit_vec3 rubbed = addscaled3(c->rubbed, -dot3(c->rubbed, c->normal), c->normal);
    if (!warm || !c->solved || c->aim > 0 || !c->sure) {
        c->impulse = 0;
        rubbed = vec3(0, 0, 0);
    }
    c->rubbed = rubbed;
    if (c->impulse > 0) kick(w, p, c, addscaled3(rubbed, c->impulse, c->normal));
}

/* How much speed it changed at the contact. */
static double solve(wit_haptic* w, const world_pair* p, world_contact* c)
{
    wit_vec3 n = c->normal, v = wi_contact_velocity(w, p, c->point);
    double give = yield(w, p, c, n);
    if (!(give > 0)) return 0;
    double sum = fmax(0, c->impulse + (c->aim - dot3(v, n)) / give);
    double change = fabs(sum - c->impulse) * give;
    kick(w, p, c, scale3(sum - c->impulse, n));
    c->impulse = sum;
    if (!(p->response.friction > 0)) return change;
    v = wi_contact_velocity(w, p, c->point);
    wit_vec3 slide = addscaled3(v, -dot3(v, n), n), rubbed = c->rubbed;
    double speed = norm3(slide);
    if (speed > 0) {
        wit_vec3 axis = scale3(1 / speed, slide);
        double stop = yield(w, p, c, axis);
        if (stop > 0) rubbed = addscaled3(rubbed, -speed / stop, axis);
    }
    double size = norm3(rubbed), most = p->response.friction * c->impulse;
    c->slides = size > most;
    if (c->slides) rubbed = scale3(most / size, rubbed);
    change = fmax(change, norm3(sub3(rubbed, c->rubbed)) * give);
    kick(w, p, c, sub3(rubbed, c->rubbed));
    c->rubbed = rubbed;
    return change;
}

static void push_out(wit_haptic* w, const world_pair* p, const world_contact* c, int pressing)
{
    double depth = -c->distance, give = yield(w, p, c, c->normal);
    if (!(depth > 0) || !(give > 0)) return;
    world_body* side[2] = {&world_bodies(w)[p->a], &world_bodies(w)[p->b]};
    for (int i = 0; i < 2; ++i) {
        world_body* b = side[i];
        if (b->def.drive != WIT_DRIVE_DYNAMIC) continue;
        wit_vec3 move = scale3((i ? 1 : -1) * p->response.correction * depth / (give * pressing), c->normal);
        wit_vec3 before = b->momentum;
        b->momentum = wi_freedom_turn(&b->def, cross3(sub3(c->point, b->c), move));
        wit_vec3 turn = wi_rigid_spin(b);
        b->momentum = before;
        b->c = addscaled3(b->c, 1 / b->def.mass, wi_freedom_way(&b->def, move));
        b->q = wi_rigid_turned(b->q, turn);
        wi_rigid_place(b);
    }
}

static bool by_impulse(const world_pair* p)
{
    return !p->proxy && p->response.kind == WIT_RESPONSE_IMPULSE;
}

/* False: nothing takes part. */
static bool round_off(wit_haptic* w, double h, bool bounce, bool warm)
{
    world_pair* pairs = world_pairs(w);
    int active = 0;
    for (int i = 0; i < w->def.pair_count; ++i)
        for (int k = 0; by_impulse(&pairs[i]) && k < pairs[i].contact_count; ++k)
            active += begin(w, &pairs[i], &pair_contacts(w, &pairs[i])[k], h, bounce);
    for (int i = 0; i < w->def.pair_count; ++i)
        for (int k = 0; by_impulse(&pairs[i]) && k < pairs[i].contact_count; ++k)
            start(w, &pairs[i], &pair_contacts(w, &pairs[i])[k], warm);
    double change = INFINITY, enough = SOLVED * norm3(w->def.gravity) * h;
    for (int round = 0; active && round < w->def.iterations && change > enough; ++round) {
        change = 0;
        for (int i = 0; i < w->def.pair_count; ++i)
            for (int k = 0; by_impulse(&pairs[i]) && k < pairs[i].contact_count; ++k)
                if (pair_contacts(w, &pairs[i])[k].solved)
                    change = fmax(change, solve(w, &pairs[i], &pair_contacts(w, &pairs[i])[k]));
    }
    return active > 0;
}

static void settle(wit_haptic* w, world_pair* p, double h)
{
    world_contact* c = pair_contacts(w, p);
    bool pressing = false;
    wit_vec3 sum = vec3(0, 0, 0);
    p->now.force = 0;
    p->now.touching = false;
    for (int i = 0; i < p->contact_count; ++i) {
        if (!c[i].solved) continue;
        /* Work of an impulse: times the mean of the velocities before and after. */
        wit_vec3 whole = addscaled3(c[i].rubbed, c[i].impulse, c[i].normal);
        w->dissipated -= dot3(whole, add3(c[i].came, wi_contact_velocity(w, p, c[i].point))) / 2;
        sum = add3(sum, whole);
        p->now.force += c[i].impulse / h;
        pressing |= c[i].impulse > 0;
    }
    p->now.touching = pressing;
    p->now.force_on_b = scale3(1 / h, sum);
    for (int i = 0; i < p->contact_count; ++i) {
        c[i].press = c[i].solved ? c[i].impulse / h : 0;
        c[i].rub = c[i].solved ? scale3(1 / h, c[i].rubbed) : vec3(0, 0, 0);
    }
}

static bool moves_apart(const world_contact* c)
{
    return c->solved && c->impulse > 0 && !(c->aim > 0);
}

static void move_apart(wit_haptic* w, const world_pair* p)
{
    const world_contact* c = pair_contacts(w, p);
    int pressing = 0;
    for (int i = 0; i < p->contact_count; ++i) pressing += moves_apart(&c[i]);
    for (int i = 0; i < p->contact_count; ++i)
        if (moves_apart(&c[i])) push_out(w, p, &c[i], pressing);
}

/* What moving bodies apart changes without any force: it is booked as supplied. */
static double stored_by_places(const wit_haptic* w)
{
    return wi_world_kinetic(w) + wi_world_potential(w) + wi_coupling_energy(w);
}

void wi_contact_impulses(wit_haptic* w, double h)
{
    world_pair* pairs = world_pairs(w);
    bool any = false, bounces = false;
    for (int i = 0; i < w->def.pair_count; ++i) {
        any |= by_impulse(&pairs[i]);
        bounces |= by_impulse(&pairs[i]) && pairs[i].response.restitution > 0;
    }
    if (!any) return;
    double before = wi_world_kinetic(w);
    wi_world_keep_speeds(w);
    bool active = round_off(w, h, bounces, true);
    if (active && wi_world_kinetic(w) > before * (1 + 1e-12)) {
        wi_world_put_speeds(w);
        round_off(w, h, false, false);
    }
    for (int i = 0; i < w->def.pair_count; ++i)
        if (by_impulse(&pairs[i])) settle(w, &pairs[i], h);
    double stored = stored_by_places(w);
    for (int i = 0; i < w->def.pair_count; ++i)
        if (by_impulse(&pairs[i])) move_apart(w, &pairs[i]);
    w->supplied += stored_by_places(w) - stored;
}
