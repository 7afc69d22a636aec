/* SPDX-License-Identifier: MIT */
#include "demo_pen.h"

#include <math.h>
#include <string.h>

#include "../src/base/vec.h"

static const double rate = 100;
static const double degree = 3.14159265358979323846 / 180;

/* What the parameter of the table grows by in a second: 0.1, or 1 degree, a frame. */
static double speed(const pen_table* table)
{
    return table->turns ? 100 : 10;
}

double demo_time(const pen_table* table, double at)
{
    return at / speed(table);
}

const char* demo_law_name(demo_law law)
{
    static const char* const names[DEMO_LAWS] = {"findmin as published", "findmin", "deadbeat"};
    return names[law];
}

static wit_status motion_at(const void* context, int side, double time, wit_motion* motion)
{
    const pen_table* table = context;
    *motion = wit_motion_at_rest(wit_pose_identity());
    motion->twist_known = true;
    if (side == 1) return WIT_OK;
    double v = speed(table);
    motion->pose = pen_pose(table, v * time);
    motion->twist.velocity = table->turns ? vec3(0, 0, 0) : vec3(0, v, -v);
    motion->twist.angular = table->turns ? vec3(v * degree, 0, 0) : vec3(0, 0, 0);
    return WIT_OK;
}

static bool keep_row(void* user, const track_task* task, double time, const wit_result* result)
{
    demo_run* run = user;
    if (run->record && !record_frame(run->record, task, time, result)) return false;
    double at = speed(run->table) * time;
    for (int i = 0; i < run->table->count; i++) {
        if (fabs(at - run->table->rows[i].at) > 1e-6) continue;
        run->rows[i] = *result;
        run->found[i] = true;
    }
    return true;
}

static void set_law(track_task* t, demo_law law)
{
    t->def = wit_track_default_def();
    t->law = wit_law_default_def(law == DEMO_DEFAULT ? WIT_LAW_DEADBEAT : WIT_LAW_FINDMIN);
    if (law == DEMO_PUBLISHED) {
        /* Minima judged by each feature alone, one restart at the antipode, the first solution from the top taken. */
        t->law.findmin.joint_hessian = false;
        t->law.findmin.negative_restart = false;
        t->law.findmin.compare_lower = false;
        t->def.reacquire = false;
    }
}

void demo_task(const pen_lab* lab, const pen_table* table, demo_law law, track_task* t)
{
    t->name = table->turns ? "The pen turns above the bowl" : "The pen moves through the bowl";
    t->body[0] = lab->pen;
    t->body[1] = lab->bowl;
    t->side[0] = "pen";
    t->side[1] = "bowl";
    t->unit = "";
    t->motion = motion_at;
    t->context = table;
    t->rate = rate;
    t->frames = table->turns ? 360 : 220;
    set_law(t, law);
}

wit_status demo_track(const pen_lab* lab, const pen_table* table, demo_law law, demo_run* run, wit_error* error)
{
    memset(run, 0, sizeof *run);
    run->table = table;
    run->record = record_begin(false);
    demo_task(lab, table, law, &run->task);
    return track_run(&run->task, &run->sum, &run->series, keep_row, run, error);
}

void demo_release(demo_run* run)
{
    record_free(run->record);
    track_sum_release(&run->sum);
    track_series_release(&run->series);
}
