/* SPDX-License-Identifier: MIT */
/* Scenes with dynamics: the world in place of the tracker, its columns, figures and charts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/error.h"
#include "../src/base/vec.h"
#include "track.h"

enum { COLUMN_FORCE, COLUMN_DEVICE, COLUMN_KINETIC, COLUMN_STORED, COLUMN_TOTAL, COLUMN_GAP, COLUMNS };

struct track_world {
    const wit_scene* scene;
    wit_haptic_def def;
    wit_haptic* haptic;
    bool human_there, kept;
    wit_human human;
    wit_haptic_result last;
    wit_motion held; /* by the hand: the device */
    wit_haptic_pair pair;
    int64_t count, room;
    double* column[COLUMNS]; /* one block */
    wit_motion* path[2];     /* one block: of a and b */
    double rate;
    /* figures */
    double force, force_at, device, device_at, deepest, deepest_at, first, last_total, swing;
    int64_t touching;
};

track_world* track_world_make(const wit_scene* scene, const track_task* task, bool keep, wit_error* error)
{
    track_world* w = calloc(1, sizeof *w);
    if (!w) return NULL;
    w->scene = scene;
    wit_scene_dynamics(scene, &w->def);
    w->def.track = task->def;
    w->def.law = task->law;
    w->def.rate = w->rate = task->rate;
    w->human_there = wit_scene_human(scene, &w->human);
    w->haptic = wit_haptic_create(&w->def, NULL, error);
    if (w->haptic && w->def.integrator != WIT_INTEGRATOR_DEFAULT && !wit_scene_device(scene, 0, &w->held))
        wit_haptic_device_start(w->haptic, &w->held);
    size_t n = (size_t)task->frames + 1;
    if (w->haptic && keep) {
        w->column[0] = malloc(n * COLUMNS * sizeof(double));
        w->path[0] = malloc(2 * n * sizeof(wit_motion));
        w->kept = w->column[0] && w->path[0];
        for (size_t k = 1; w->kept && k < COLUMNS; k++) w->column[k] = w->column[0] + k * n;
        if (w->kept) w->path[1] = w->path[0] + n;
        w->room = (int64_t)n;
    }
    if (!w->haptic || (keep && !w->kept)) {
        if (w->haptic)
            wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory for the charts: fewer frames, or no pictures");
        track_world_release(w);
        return NULL;
    }
    return w;
}

void track_world_release(track_world* w)
{
    if (!w) return;
    wit_haptic_destroy(w->haptic);
    free(w->column[0]);
    free(w->path[0]);
    free(w);
}

const wit_tracker* track_world_tracker(const track_world* w)
{
    return wit_haptic_tracker(w->haptic, 0);
}

int64_t track_world_transitions(const track_world* w, wit_transition* list, int capacity)
{
    return wit_haptic_transitions(w->haptic, 0, list, capacity);
}

wit_status track_world_motion(const void* world, int side, double time, wit_motion* motion)
{
    const track_world* w = world;
    if (!w->kept || w->count < 1) return WIT_ERROR_ARGUMENT;
    int64_t k = (int64_t)floor(time * w->rate - 0.5); /* frame 0 is the one after the first step */
    k = k < 0 ? 0 : k >= w->count ? w->count - 1 : k;
    *motion = w->path[side][k];
    return WIT_OK;
}

wit_status track_world_now(const track_world* world, int side, wit_motion* motion)
{
    return wit_haptic_body(world->haptic, side, motion);
}

static void keep_frame(track_world* w, double total, double force, double device)
{
    if (!w->kept || w->count >= w->room) return;
    int64_t k = w->count++;
    const wit_energy* e = &w->last.energy;
    w->column[COLUMN_FORCE][k] = force;
    w->column[COLUMN_DEVICE][k] = w->def.tool >= 0 ? device : NAN;
    w->column[COLUMN_KINETIC][k] = e->kinetic;
    w->column[COLUMN_STORED][k] = e->stored;
    w->column[COLUMN_TOTAL][k] = total;
    w->column[COLUMN_GAP][k] = w->last.gap;
    for (int i = 0; i < 2; i++) wit_haptic_body(w->haptic, i, &w->path[i][k]);
}

static void figures(track_world* w)
{
    const wit_haptic_result* r = &w->last;
    double total = r->energy.stored + r->energy.dissipated - r->energy.supplied, force = 0, device = norm3(r->force);
    for (int i = 0; i < w->def.pair_count; i++) {
        wit_haptic_pair p;
        wit_haptic_contact(w->haptic, i, &p);
        force += p.force;
    }
    if (force > w->force) {
        w->force = force;
        w->force_at = r->time;
    }
    if (device > w->device) {
        w->device = device;
        w->device_at = r->time;
    }
    if (r->gap < w->deepest) {
        w->deepest = r->gap;
        w->deepest_at = r->time;
    }
    if (isnan(w->first)) w->first = total;
    w->last_total = total;
    w->swing = fmax(w->swing, fabs(total - w->first));
    w->touching += r->touching > 0;
    keep_frame(w, total, force, device);
}

static wit_status device_at(track_world* w, double time, double dt, wit_motion* motion)
{
    wit_status status = wit_scene_device(w->scene, time, motion);
    if (status || !w->human_there) return status;
    status = wit_human_step(&w->human, motion, w->last.force, w->last.torque, dt);
    *motion = w->human.at;
    return status;
}

wit_status track_world_step(track_world* w, int64_t frame, double dt, wit_result* result, wit_error* error)
{
    double time = (double)frame * dt;
    if (frame <= 1) w->first = NAN;
    wit_status status = WIT_OK;
    wit_motion device = wit_motion_at_rest(wit_pose_identity());
    for (int i = 0; i < w->def.body_count && !status; i++) {
        wit_motion m;
        if (w->def.bodies[i].drive != WIT_DRIVE_MOVED) continue;
        status = wit_scene_body_motion(w->scene, i, time, &m);
        if (!status) status = wit_haptic_move(w->haptic, i, &m);
    }
    if (!status && w->def.tool >= 0) status = device_at(w, time, dt, &device);
    if (!status) status = wit_haptic_step(w->haptic, w->def.tool >= 0 ? &device : NULL, dt, &w->last);
    if (status) return wi_error_fill(error, status, "", "at %.6g s: %s", time, wit_status_text(status));
    if (!w->last.finite)
        return wi_error_fill(error, WIT_ERROR_NUMBER, "dynamics",
                             "at %.6g s: the motion has left the numbers: unstable", time);
    w->held = w->last.device;
    wit_haptic_contact(w->haptic, 0, &w->pair);
    *result = w->pair.track;
    result->distance = w->pair.distance;
    result->rate = w->pair.rate;
    figures(w);
    return WIT_OK;
}

void track_world_record(const track_world* w, double* to)
{
    const wit_haptic_result* r = &w->last;
    const wit_energy* e = &r->energy;
    wit_vec3 f = r->force, d = w->held.pose.position;
    const double row[11] = {r->gap, w->pair.force, f.x,       f.y,
                            f.z,    e->kinetic,    e->stored, e->stored + e->dissipated - e->supplied,
                            d.x,    d.y,           d.z};
    memcpy(to, row, sizeof row);
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

void track_world_csv_head(out* o)
{
    out_text(
        o,
        ",gap,touching,contact_force,force_x,force_y,force_z,kinetic,gravity,coupler,contact,hand,dissipated,supplied");
}

void track_world_csv_row(out* o, const track_world* w)
{
    const wit_haptic_result* r = &w->last;
    const wit_energy* e = &r->energy;
    out_text(o, ",%.17g,%d,%.17g,%.17g,%.17g,%.17g", r->gap, r->touching, w->pair.force, r->force.x, r->force.y,
             r->force.z);
    out_text(o, ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", e->kinetic, e->gravity, e->coupler, e->contact, e->hand,
             e->dissipated, e->supplied);
}

void track_world_text(out* o, const track_world* w, const track_sum* sum)
{
    const char* method =
        w->def.integrator == WIT_INTEGRATOR_DEFAULT ? "semi-implicit" : wit_integrator_name(w->def.integrator);
    out_text(o, "  dynamics     %s, %d bodies, %d pairs; in contact for %.4g %% of the steps\n", method,
             w->def.body_count, w->def.pair_count, 100 * (double)w->touching / (double)sum->frames);
    out_text(o, "  force        %.6g at most between the bodies (%.6g s)", w->force, w->force_at);
    if (w->def.tool >= 0) out_text(o, ", %.6g on the device (%.6g s)", w->device, w->device_at);
    out_text(o, "\n  depth        %.6g at most (%.6g s)\n", -w->deepest, w->deepest_at);
    out_text(
        o,
        "  energy       %.6g stored at the end, %.6g dissipated, %.6g supplied; the balance moved by %.2g, %.2g at "
        "most\n",
        w->last.energy.stored, w->last.energy.dissipated, w->last.energy.supplied, w->last_total - w->first, w->swing);
}

void track_world_json(out* o, const track_world* w)
{
    out_open(o, "dynamics", '{');
    out_put_integer(o, "bodies", w->def.body_count);
    out_put_integer(o, "pairs", w->def.pair_count);
    out_put_integer(o, "frames_in_contact", w->touching);
    out_put_number(o, "largest_contact_force", w->force);
    if (w->def.tool >= 0) out_put_number(o, "largest_device_force", w->device);
    out_put_number(o, "deepest", -w->deepest);
    out_put_number(o, "stored", w->last.energy.stored);
    out_put_number(o, "dissipated", w->last.energy.dissipated);
    out_put_number(o, "supplied", w->last.energy.supplied);
    out_put_number(o, "balance", w->last_total - w->first);
    out_put_number(o, "balance_swing", w->swing);
    out_close(o, '}');
}

int track_world_charts(const track_world* w, plot_series s[TRACK_WORLD_SERIES], plot_chart c[TRACK_WORLD_CHARTS])
{
    s[0] = (plot_series){"between the bodies", w->column[COLUMN_FORCE], 0, false, NULL, false};
    s[1] = (plot_series){"on the device", w->column[COLUMN_DEVICE], 1, false, NULL, false};
    s[2] = (plot_series){"kinetic", w->column[COLUMN_KINETIC], 0, false, NULL, false};
    s[3] = (plot_series){"stored", w->column[COLUMN_STORED], 1, false, NULL, false};
    s[4] = (plot_series){"balance", w->column[COLUMN_TOTAL], 2, false, NULL, false};
    s[5] = (plot_series){"least gap of all pairs", w->column[COLUMN_GAP], 0, false, NULL, false};
    c[0] = (plot_chart){"force", false, s, w->def.tool >= 0 ? 2 : 1};
    c[1] = (plot_chart){"energy", false, s + 2, 3};
    c[2] = (plot_chart){"gap", false, s + 5, 1};
    return TRACK_WORLD_CHARTS;
}
