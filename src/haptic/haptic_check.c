/* SPDX-License-Identifier: MIT */
/* Does a world mean anything, and does its rate carry its gains? Each refusal names the field and what would be right. */
#include "../base/error.h"
#include "../base/solve.h"
#include "../body/body_record.h"
#include "../laws/law_check.h"
#include "haptic_record.h"

static wit_status refuse(wit_error* e, wit_status status, const char* list, int i, const char* field, const char* text)
{
    char item[80];
    wi_text_format(item, sizeof item, "%s[%d]%s%s", list, i, field[0] ? "." : "", field);
    return wi_error_fill(e, status, item, "%s", text);
}

/* ---- what things mean ---------------------------------------------------------------------- */

static wit_status check_mass(const wit_haptic_body_def* d, int i, wit_error* e)
{
    char text[160];
    if (!(d->mass > 0) || !isfinite(d->mass)) {
        wi_text_format(text, sizeof text, "is %g; a mass is positive and finite", d->mass);
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "mass", text);
    }
    if (!finite3(d->centre)) return refuse(e, WIT_ERROR_NUMBER, "bodies", i, "centre", "is not finite");
    if (!isfinite(d->weight)) return refuse(e, WIT_ERROR_NUMBER, "bodies", i, "weight", "is not finite");
    if (!(d->damping >= 0 && isfinite(d->damping)))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "damping", "must be 0 or positive");
    if (!(d->angular_damping >= 0 && isfinite(d->angular_damping)))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "angular_damping", "must be 0 or positive");
    if (isnan(d->lever) || d->lever == INFINITY)
        return refuse(e, WIT_ERROR_NUMBER, "bodies", i, "lever", "must be a length, or negative: from the shape");
    if (!d->shape) return WIT_OK;
    double largest = 0, values[3];
    for (int k = 0; k < 9; ++k) {
        if (!isfinite(d->inertia[k])) return refuse(e, WIT_ERROR_NUMBER, "bodies", i, "inertia", "is not finite");
        largest = fmax(largest, fabs(d->inertia[k]));
    }
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < r; ++c)
            if (fabs(d->inertia[3 * r + c] - d->inertia[3 * c + r]) > 1e-9 * largest)
                return refuse(e, WIT_ERROR_RANGE, "bodies", i, "inertia", "must be symmetric");
    if (!wi_eigen_symmetric(3, d->inertia, values, NULL) || !(values[0] > 1e-12 * largest))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "inertia",
                      "is not positive definite: all three principal moments must be positive");
    if (values[2] > (values[0] + values[1]) * (1 + 1e-9))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "inertia",
                      "belongs to no body: one principal moment is larger than the sum of the other two");
    return WIT_OK;
}

/* An axis to turn about is a principal one of the inertia; planar bodies stay in their plane. */
static wit_status check_freedom(const wit_haptic_body_def* d, int i, wit_error* e)
{
    if ((unsigned)d->freedom >= WIT_FREEDOM_COUNT)
        return refuse(e, WIT_ERROR_ARGUMENT, "bodies", i, "freedom", "is none: all, turn, slide or plane");
    bool planar = d->shape && d->shape->planar;
    if (d->freedom == WIT_FREEDOM_ALL)
        return planar ? refuse(e, WIT_ERROR_UNSUPPORTED, "bodies", i, "freedom",
                               "a planar body is moved by forces in its plane alone: plane, turn or slide")
                      : WIT_OK;
    if (!finite3(d->axis) || !(fabs(norm3(d->axis) - 1) < 1e-9))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "axis", "must be of length 1");
    wit_vec3 z = vec3(0, 0, 1), out = d->freedom == WIT_FREEDOM_SLIDE ? vec3(0, 0, d->axis.z) : cross3(d->axis, z);
    if (planar && norm3(out) > 0)
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "axis",
                      "would take a planar body out of its plane: z to turn about, across z to slide along");
    if (!wi_freedom_turns(d)) return WIT_OK;
    wit_vec3 a = wit_pose_unvector(&d->start.pose, d->axis);
    const double* m = d->inertia;
    wit_vec3 l = vec3(m[0] * a.x + m[1] * a.y + m[2] * a.z, m[3] * a.x + m[4] * a.y + m[5] * a.z,
                      m[6] * a.x + m[7] * a.y + m[8] * a.z);
    if (norm3(cross3(a, l)) > 1e-6 * norm3(l))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "axis",
                      "must be a principal axis of the inertia, or the body would shake its bearings");
    return WIT_OK;
}

static wit_status check_body(const wit_haptic_def* def, int i, wit_error* e)
{
    const wit_haptic_body_def* d = &def->bodies[i];
    if ((unsigned)d->drive >= WIT_DRIVE_COUNT)
        return refuse(e, WIT_ERROR_ARGUMENT, "bodies", i, "drive", "is none: fixed, moved, dynamic, link or proxy");
    if (wit_pose_check(&d->start.pose))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "start.pose", "must be finite, its rotation of length 1");
    if (d->start.twist_known && (!finite3(d->start.twist.velocity) || !finite3(d->start.twist.angular)))
        return refuse(e, WIT_ERROR_NUMBER, "bodies", i, "start.twist", "is not finite");
    if (d->drive == WIT_DRIVE_DYNAMIC && d->shape && d->shape->unbounded)
        return refuse(e, WIT_ERROR_UNSUPPORTED, "bodies", i, "shape",
                      "an unbounded body is not moved by forces; make it fixed or moved");
    if (d->drive == WIT_DRIVE_DYNAMIC) {
        wit_status status = check_mass(d, i, e);
        return status ? status : check_freedom(d, i, e);
    }
    if (d->drive == WIT_DRIVE_LINK && !def->system)
        return refuse(e, WIT_ERROR_ARGUMENT, "bodies", i, "drive", "is link, but there is no system");
    if (d->drive == WIT_DRIVE_LINK && (d->link < 0 || d->link >= def->system->link_count))
        return refuse(e, WIT_ERROR_RANGE, "bodies", i, "link", "is not a link of the system");
    if (d->drive == WIT_DRIVE_PROXY && d->shape)
        return refuse(e, WIT_ERROR_ARGUMENT, "bodies", i, "shape",
                      "a proxy is a point; a body with a shape is dynamic and held by the coupler");
    if (d->drive == WIT_DRIVE_PROXY && def->tool != i)
        return refuse(e, WIT_ERROR_ARGUMENT, "bodies", i, "drive", "a proxy must be the tool");
    return WIT_OK;
}

static wit_status check_response(const wit_response* r, const char* name, bool joint, wit_error* e)
{
    const struct {
        const char* field;
        double value, lo, hi;
        const char* text;
    } list[] = {{"stiffness", r->stiffness, r->kind == WIT_RESPONSE_PENALTY ? 0x1p-1022 : 0, 1e300, "must be positive"},
                {"damping", r->damping, 0, 1e300, "must be 0 or positive"},
                {"friction", r->friction, 0, 1e6, "must be 0 or positive"},
                {"slip_speed", r->slip_speed, 0x1p-1022, 1e300, "must be a positive speed"},
                {"restitution", r->restitution, 0, 1, "must be from 0 to 1"},
                {"rest_speed", r->rest_speed, 0, 1e300, "must be a speed, or 0: four steps of the gravity"},
                {"correction", r->correction, 0, 1, "must be from 0 to 1"}};
    char item[80];
    wi_text_format(item, sizeof item, "%s.kind", name);
    if ((unsigned)r->kind >= WIT_RESPONSE_COUNT || (unsigned)r->damping_kind >= WIT_DAMPING_COUNT)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, item, "is none: penalty or impulse, linear or hunt_crossley");
    if (joint && r->kind == WIT_RESPONSE_IMPULSE)
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, item,
                             "impulses are no right-hand side of an equation; use the default integrator");
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        if (list[i].value >= list[i].lo && list[i].value <= list[i].hi) continue;
        wi_text_format(item, sizeof item, "%s.%s", name, list[i].field);
        return wi_error_fill(e, WIT_ERROR_RANGE, item, "is %g; %s", list[i].value, list[i].text);
    }
    return WIT_OK;
}

static bool yields(wit_drive drive)
{
    return drive == WIT_DRIVE_DYNAMIC || drive == WIT_DRIVE_LINK;
}

wit_track_def wi_haptic_pair_track(const wit_haptic_def* def, int pair)
{
    wit_track_def d = def->track;
    d.law = &def->law;
    const wit_haptic_pair_def* p = &def->pairs[pair];
    const wit_body *a = def->bodies[p->a].shape, *b = def->bodies[p->b].shape;
    if (b) d.front = 0; /* contacts act on two bodies, not the proof that nothing else is nearer */
    int room = wi_contact_capacity(def, pair);
    bool all = room > 1 && b && def->law.kind == WIT_LAW_DEADBEAT && d.form == WIT_FORM_CONTACT && !d.keep_features;
    d.contacts = all ? room : 0;
    if (all) d.law = NULL; /* the same law, as the tracker's own */
    /* Points that hold a body are seen before they touch, as far as its corners rise when it rocks. */
    double size =
        all ? fmin(a->size > 0 && !a->unbounded ? a->size : INFINITY, b->size > 0 && !b->unbounded ? b->size : INFINITY)
            : 0;
    if (all && d.contacts_within <= 0 && isfinite(size)) d.contacts_within = 0.1 * size;
    if (!haptic_keeps(def, pair)) return d;
    d.keep_features = true;
    d.reacquire = false;
    d.front = 0;
    return d;
}

/* As wit_tracker_place would refuse it. `shape` null: a point, which has nothing to keep. */
static wit_status check_kept(const wit_body* shape, const wit_witness* w, int i, const char* side, wit_error* e)
{
    if (!shape) return WIT_OK;
    char text[160];
    int counts[WIT_FEATURE_KIND_COUNT] = {shape->planar ? 0 : shape->face_count, shape->edge_count,
                                          shape->vertex_count};
    if ((unsigned)w->feature >= WIT_FEATURE_KIND_COUNT)
        return refuse(e, WIT_ERROR_ARGUMENT, "keeps", i, side, "must be a face, an edge or a vertex of the body");
    if (w->id < 0 || w->id >= counts[w->feature]) {
        wi_text_format(text, sizeof text, "there is no %s %d; the body has %d of them, counted from 0",
                       wit_feature_kind_name(w->feature), w->id, counts[w->feature]);
        return refuse(e, WIT_ERROR_RANGE, "keeps", i, side, text);
    }
    if (!isfinite(w->u) || !isfinite(w->v))
        return refuse(e, WIT_ERROR_NUMBER, "keeps", i, side, "its parameters must be finite");
    return WIT_OK;
}

static wit_status check_keep(const wit_haptic_def* def, int i, wit_error* e)
{
    if (!def->keeps || (!def->keeps[i].a && !def->keeps[i].b)) return WIT_OK;
    const wit_haptic_keep* k = &def->keeps[i];
    if (!k->a || !k->b)
        return refuse(e, WIT_ERROR_ARGUMENT, "keeps", i, k->a ? "b" : "a",
                      "is null; a pair keeps features of both bodies, or of none");
    const wit_haptic_body_def *a = &def->bodies[def->pairs[i].a], *b = &def->bodies[def->pairs[i].b];
    if (b->drive == WIT_DRIVE_PROXY)
        return refuse(e, WIT_ERROR_UNSUPPORTED, "keeps", i, "", "a proxy runs over features; its pairs keep none");
    wit_status status = check_kept(a->shape, k->a, i, "a", e);
    return status ? status : check_kept(b->shape, k->b, i, "b", e);
}

/* Gradient laws come to the closest pair only in time: the distance that they are at is not that of the bodies, and its springs
 * would give back other energies than they were given. A proxy, which stores none, may lag. */
static bool lags(wit_law_kind law)
{
    return law == WIT_LAW_SWITCHING || law == WIT_LAW_EXPONENTIAL || law == WIT_LAW_MOTION_AWARE;
}

static wit_status check_pair(const wit_haptic_def* def, int i, wit_error* e)
{
    const wit_haptic_pair_def* p = &def->pairs[i];
    if (p->a < 0 || p->a >= def->body_count || p->b < 0 || p->b >= def->body_count || p->a == p->b)
        return refuse(e, WIT_ERROR_RANGE, "pairs", i, "", "must name two different bodies of the list");
    const wit_haptic_body_def *a = &def->bodies[p->a], *b = &def->bodies[p->b];
    if (!a->shape) return refuse(e, WIT_ERROR_ARGUMENT, "pairs", i, "a", "is a point; put the point in b");
    if (!yields(a->drive) && !yields(b->drive) && b->drive != WIT_DRIVE_PROXY)
        return refuse(e, WIT_ERROR_ARGUMENT, "pairs", i, "", "no force moves any of the two: nothing would come of it");
    if (lags(def->law.kind) && b->drive != WIT_DRIVE_PROXY && !def->allow_unstable)
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "track.law",
                             "%s follows the closest pair at a distance: forces by it do not keep the energy; use "
                             "deadbeat, or linearizing with rk2 and rk4",
                             wit_law_name(def->law.kind));
    char name[40];
    wi_text_format(name, sizeof name, "pairs[%d].response", i);
    wit_status status = p->response ? check_response(p->response, name, world_is_joint(def), e) : WIT_OK;
    if (!status) status = check_keep(def, i, e);
    if (status) return status;
    wit_track_def track = wi_haptic_pair_track(def, i);
    if (!track.law) { /* the tracker's own law: the def's settings are still to be such that it takes them */
        wit_track_def as_asked = track;
        as_asked.law = &def->law;
        status = wi_law_check(a->shape, b->shape, &as_asked, e);
        if (status && e) wi_error_prefix(e, "track");
        if (status) return status;
    }
    if (wit_tracker_size(a->shape, b->shape, &track)) return WIT_OK;
    /* Let the tracker say why. */
    char block[16];
    wit_tracker* none = NULL;
    status = wit_tracker_init(block, sizeof block, a->shape, b->shape, &track, &none, e);
    if (e) wi_error_prefix(e, "track");
    return status ? status : WIT_ERROR_ARGUMENT;
}

static wit_status check_system(const wit_system* s, wit_error* e)
{
    if (!s) return WIT_OK;
    if (s->count < 1 || s->count > WIT_MAX_FREEDOM)
        return wi_error_fill(e, WIT_ERROR_COUNT, "system.count", "is %d; must be from 1 to %d", s->count,
                             WIT_MAX_FREEDOM);
    if (!s->mass || !s->link)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "system", "the callbacks mass and link must not be null");
    for (int i = 0; i < s->count; ++i)
        if (!isfinite(s->q[i]) || !isfinite(s->speed[i]))
            return wi_error_fill_at(e, WIT_ERROR_NUMBER, "system.q", i, -1, "or its speed is not finite");
    double M[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM], l[WIT_MAX_FREEDOM * WIT_MAX_FREEDOM];
    s->mass(s->user, s->q, M);
    if (!wi_factor_definite(s->count, M, l))
        return wi_error_fill(e, WIT_ERROR_RANGE, "system.mass",
                             "the mass matrix is not positive definite at the start");
    return WIT_OK;
}

static wit_status check_tool(const wit_haptic_def* d, wit_error* e)
{
    if (d->tool < -1 || d->tool >= d->body_count)
        return wi_error_fill(e, WIT_ERROR_RANGE, "tool", "is %d; must be a body of the list, or -1: none", d->tool);
    if (d->tool < 0) return WIT_OK;
    wit_drive drive = d->bodies[d->tool].drive;
    if (drive != WIT_DRIVE_DYNAMIC && drive != WIT_DRIVE_PROXY)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "tool", "is a %s body; must be dynamic, or a proxy",
                             wit_drive_name(drive));
    if (drive == WIT_DRIVE_PROXY && world_is_joint(d))
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "integrator",
                             "a proxy has no equation of motion; use the default integrator");
    const struct {
        const char* item;
        double value;
    } list[] = {{"coupler.stiffness", d->coupler.stiffness},
                {"coupler.damping", d->coupler.damping},
                {"coupler.angular_stiffness", d->coupler.angular_stiffness},
                {"coupler.angular_damping", d->coupler.angular_damping}};
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i)
        if (!(list[i].value >= 0) || !isfinite(list[i].value))
            return wi_error_fill(e, WIT_ERROR_RANGE, list[i].item, "is %g; must be 0 or positive", list[i].value);
    if (!(d->coupler.stiffness > 0))
        return wi_error_fill(e, WIT_ERROR_RANGE, "coupler.stiffness", "must be positive: nothing would hold the tool");
    if (!(d->proxy_speed > 0))
        return wi_error_fill(e, WIT_ERROR_RANGE, "proxy_speed", "is %g; must be a positive speed, or infinity",
                             d->proxy_speed);
    if (!(d->device_damping >= 0) || !(d->device_angular_damping >= 0))
        return wi_error_fill(e, WIT_ERROR_RANGE, "device_damping", "must be 0 or positive, or infinity");
    return WIT_OK;
}

wit_status wi_haptic_check_def(const wit_haptic_def* d, wit_error* e)
{
    if (!d) return wi_error_fill(e, WIT_ERROR_ARGUMENT, "", "the def must not be null");
    if (d->struct_size != sizeof *d)
        return wi_error_fill(e, WIT_ERROR_ARGUMENT, "struct_size", "start from wit_haptic_default_def");
    if (!(d->rate > 0) || !isfinite(d->rate))
        return wi_error_fill(e, WIT_ERROR_RANGE, "rate", "is %g; must be a positive number of steps per second",
                             d->rate);
    if (d->body_count < 1 || d->body_count > WIT_HAPTIC_MAX_BODIES || !d->bodies)
        return wi_error_fill(e, WIT_ERROR_COUNT, "bodies", "there must be 1 to %d", WIT_HAPTIC_MAX_BODIES);
    if (d->pair_count < 0 || d->pair_count > WIT_HAPTIC_MAX_PAIRS || (d->pair_count && !d->pairs))
        return wi_error_fill(e, WIT_ERROR_COUNT, "pairs", "there must be 0 to %d", WIT_HAPTIC_MAX_PAIRS);
    if (!finite3(d->gravity)) return wi_error_fill(e, WIT_ERROR_NUMBER, "gravity", "is not finite");
    if (d->iterations < 1 || d->iterations > 1000)
        return wi_error_fill(e, WIT_ERROR_RANGE, "iterations", "is %d; must be from 1 to 1000", d->iterations);
    bool joint = world_is_joint(d);
    if (joint && d->integrator != WIT_INTEGRATOR_RK2 && d->integrator != WIT_INTEGRATOR_RK4)
        return wi_error_fill(e, WIT_ERROR_UNSUPPORTED, "integrator", "must be default (semi-implicit), rk2 or rk4");
    if (joint && !wit_law_is_flow(d->law.kind))
        return wi_error_fill(
            e, WIT_ERROR_ARGUMENT, "track.law",
            "%s is no differential equation; to be integrated with the dynamics it must be one, linearizing say",
            wit_law_name(d->law.kind));
    wit_status status = check_system(d->system, e);
    if (!status) status = check_response(&d->response, "response", joint, e);
    for (int i = 0; i < d->body_count && !status; ++i) status = check_body(d, i, e);
    if (!status) status = check_tool(d, e);
    if (!status) status = wi_hand_check(d, e);
    for (int i = 0; i < d->pair_count && !status; ++i) status = check_pair(d, i, e);
    return status;
}
