/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "track.h"

/* Does the law have a gain that is limited by motion and step? */
static bool has_band(const track_task* task)
{
    return wit_law_is_flow(task->law.kind) && task->law.kind != WIT_LAW_OWN && !task->world;
}

void track_csv_head(out* o, const track_task* task)
{
    out_text(o, "t,distance,lower_bound,certified,rate,nx,ny,nz,"
                "a_feature,a_id,a_u,a_v,a_x,a_y,a_z,b_feature,b_id,b_u,b_v,b_x,b_y,b_z,"
                "e_u,e_v,e_r,e_s,mode,outcome,work,switches,reason,model_tolerance");
    if (has_band(task)) out_text(o, ",gain,gain_lower,gain_calm,gain_upper");
    if (task->world) track_world_csv_head(o);
    if (task->between) out_text(o, ",between");
    out_text(o, "\n");
}

static void put(out* o, double x)
{
    out_text(o, "%.17g,", x);
}

/* A field that may not be there. */
static void put_if(out* o, bool there, double x)
{
    if (there)
        put(o, x);
    else
        out_text(o, ",");
}

static void put_witness(out* o, const wit_witness* w, int parameters)
{
    out_text(o, "%s,%d,", wit_feature_kind_name(w->feature), w->id);
    put_if(o, parameters > 0, w->u);
    put_if(o, parameters > 1, w->v);
    put(o, w->point.x);
    put(o, w->point.y);
    put(o, w->point.z);
}

static wit_moving_place place_of(const track_task* task, int side, double time, const wit_witness* w)
{
    wit_moving_place p = {task->body[side], w->feature, w->id, w->u, w->v, {.twist_known = false}};
    if (task->motion(task->context, side, time, &p.motion)) p.motion = wit_motion_at_rest(wit_pose_identity());
    return p;
}

/* The gain that acted; what motion asks for where the witness is now, so that the distance does not rise against the least
 * one; what the step allows without chatter, and at all. Empty where there is none. */
static void put_band(out* o, const track_task* task, double time, const wit_result* r)
{
    wit_moving_place a = place_of(task, 0, time, &r->a), b = place_of(task, 1, time, &r->b);
    wit_track_def def = task->def;
    wit_gain_limit limit = {0};
    def.law = &task->law;
    bool known = !wit_gain_limits(&a, &b, &def, 1 / task->rate, &limit);
    const double value[3] = {limit.lower, limit.calm, limit.upper};
    out_text(o, ",%.17g", r->gain);
    for (int i = 0; i < 3; i++) {
        if (known && value[i] < HUGE_VAL)
            out_text(o, ",%.17g", value[i]);
        else
            out_text(o, ",");
    }
}

void track_csv_row(out* o, const track_task* task, double time, const wit_result* r)
{
    char mode[64], outcome[256];
    int count_b = r->count - r->count_a;
    track_mode(r, mode, sizeof mode);
    track_outcome(r, outcome, sizeof outcome);
    put(o, time);
    put(o, r->distance);
    put(o, r->lower_bound);
    out_text(o, "%d,", r->flags & WIT_FLAG_CERTIFIED ? 1 : 0);
    put(o, r->rate);
    put(o, r->normal.x);
    put(o, r->normal.y);
    put(o, r->normal.z);
    put_witness(o, &r->a, r->count_a);
    put_witness(o, &r->b, count_b);
    for (int i = 0; i < 2; i++) put_if(o, i < r->count_a, r->error[i]);
    for (int i = 0; i < 2; i++) put_if(o, i < count_b, i < count_b ? r->error[r->count_a + i] : 0);
    out_text(o, "%s,%s,%lld,%d,%s,%.17g", mode, outcome, (long long)r->work.units, r->switches,
             wit_reason_name(r->reason), r->model_tolerance);
    if (has_band(task)) put_band(o, task, time, r);
    if (task->world) track_world_csv_row(o, task->world);
    if (task->between) out_text(o, ",%s", track_gap_name(track_between_last(task->between)));
    out_text(o, "\n");
}
