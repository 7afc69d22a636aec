/* SPDX-License-Identifier: MIT */
/* Pictures of 001 (003 has most of them too): one patch, planar bodies, bodies in space. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "svg.h"
#include "voronoi.h"

static const char* const law_scenes[4] = {"001-fig10-law.json", "001-fig14-law.json", "001-fig16-law.json",
                                          "001-fig19-law.json"};

/* ---- words ------------------------------------------------------------------------------------------------------------ */

static void stage_tangents(figure_stage* s, const wit_body* body, int face, const wit_pose* pose, const double uv[2],
                           const char* const names[3])
{
    wit_surface_jet j;
    wit_face_info f = wit_body_face(body, face);
    wit_surface_eval(f.surface, f.u.lo + uv[0] * (f.u.hi - f.u.lo), f.v.lo + uv[1] * (f.v.hi - f.v.lo), 0, NULL, &j);
    wit_vec3 p = wit_pose_point(pose, j.p),
             along[2] = {wit_pose_vector(pose, unit3(j.du)), wit_pose_vector(pose, unit3(j.dv))};
    double size = 0.25 * wit_body_describe(body).size;
    stage_mark(s, p, names[0], false);
    for (int i = 0; i < 2; i++) {
        stage_arrow(s, p, scale3(size, along[i]), 0.12 * size);
        stage_name(s, addscaled3(p, size, along[i]), names[i + 1]);
    }
}

wit_status figure_001_1(figure_page* page)
{
    static const char* const names[3] = {"f(u,v)", "f_u", "f_v"};
    figure_run run;
    wit_pose rest = wit_pose_identity();
    wit_status status = figure_run_scene(&run, "001-fig6.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {-0.55, -0.7, 0.62}};
        stage_body(&s, run.task.body[0], NULL, false);
        stage_tangents(&s, run.task.body[0], 0, &rest, (const double[2]){0.6, 0.4}, names);
        status = stage_draw(&s, figure_panel(page), "A patch", "parameter lines, and the tangents at a point", "none");
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_001_2(figure_page* page)
{
    static const char* const of_a[3] = {"f(u,v)", "f_u", "f_v"};
    static const char* const of_b[3] = {"h(r,s)", "h_r", "h_s"};
    figure_run run;
    wit_status status = figure_run_scene(&run, "004-fig6.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {0.2, -0.9, 0.35}};
        for (int i = 0; i < 2; i++) {
            stage_body(&s, run.task.body[i], &run.pose[i][0], i);
            stage_tangents(&s, run.task.body[i], 0, &run.pose[i][0],
                           i ? (const double[2]){0.35, 0.55} : (const double[2]){0.9, 0.62}, i ? of_b : of_a);
        }
        stage_line(&s, s.marks[0].point, s.marks[3].point, STROKE_ERROR);
        stage_name(&s, scale3(0.5, add3(s.marks[0].point, s.marks[3].point)), "dR");
        status = stage_draw(&s, figure_panel(page), "Two surfaces",
                            "dR between two points that are not the closest ones", "none");
    }
    figure_run_release(&run);
    return status;
}

/* ---- a patch and a point ---------------------------------------------------------------------------------------------- */

wit_status figure_001_6(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "001-fig6.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {-0.5, -0.65, 0.55}};
        stage_body(&s, run.task.body[0], NULL, false);
        stage_trails(&s, &run, 50);
        stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_ERROR);
        stage_mark(&s, run.r[0].a.point, "P0", false);
        stage_mark(&s, run.r[0].b.point, "Q(0)", false);
        stage_mark(&s, run.r[run.count - 1].b.point, "Q(4 s)", false);
        status = stage_draw(&s, figure_panel(page), "Q moves over the patch", "every 0.05 s the witness and Q joined",
                            "none");
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_001_7(figure_page* page)
{
    static const char* const scenes[2] = {"001-fig7-k100.json", "001-fig7-k1000.json"};
    static const char* const titles[2] = {"K = 100", "K = 1000"};
    wit_status status = WIT_OK;
    page->columns = 2;
    for (int i = 0; i < 2 && !status; i++) {
        figure_run run;
        status = figure_run_scene(&run, scenes[i], &(figure_change){.duration = 0.12}, &page->error);
        if (!status)
            status = figure_chart(figure_panel(page), &run, CHART_SIGNED_ERRORS | CHART_ERRORS, titles[i],
                                  "RK2 at 1 kHz: a step is 1 ms");
        figure_run_release(&run);
    }
    return status;
}

/* ---- planar bodies ----------------------------------------------------------------------------------------------------- */

static wit_status regions(figure_page* page, const char* name, int sides)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, name, &(figure_change){.duration = 0.05}, &page->error);
    page->columns = 2;
    for (int i = 0; i < sides && !status; i++) status = voronoi_svg(figure_panel(page), run.task.body[i], "none");
    figure_run_release(&run);
    return status;
}

wit_status figure_001_8(figure_page* page)
{
    return regions(page, law_scenes[0], 1);
}

wit_status figure_001_12(figure_page* page)
{
    return regions(page, law_scenes[1], 2);
}

static wit_status automaton(figure_page* page, const char* name)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, name, NULL, &page->error);
    if (!status) status = track_automaton(figure_panel(page), &run.task, &run.sum);
    figure_run_release(&run);
    return status;
}

wit_status figure_001_9(figure_page* page)
{
    return automaton(page, law_scenes[0]);
}

wit_status figure_001_17(figure_page* page)
{
    return automaton(page, law_scenes[2]);
}

/* A body and a point that goes round it: the trails, `gaps` gaps, and the times of the hand-overs. */
static wit_status round_body(figure_page* page, const char* name, int gaps, wit_vec3 toward, bool named)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, name, NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = toward, .named = named};
        stage_body(&s, run.task.body[0], NULL, false);
        stage_trails(&s, &run, run.count / gaps);
        stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_ERROR);
        stage_mark(&s, run.r[0].a.point, "P0", false);
        for (int64_t i = 0; i < run.sum.transition_count; i++) {
            char text[32];
            double t = run.sum.transitions[i].time;
            if (t < 0.02 * run.t[run.count - 1]) continue;
            snprintf(text, sizeof text, "t = %.3g", t);
            stage_mark(&s, run.r[figure_frame(&run, t)].b.point, text, false);
        }
        status = stage_draw(&s, figure_panel(page), "The point and its closest point",
                            "dotted: dR of the start, which is wrong; marks: hand-overs", "none");
    }
    figure_run_release(&run);
    return status;
}

static wit_status parameters(figure_page* page, const char* name)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, name, NULL, &page->error);
    if (!status)
        status = figure_chart(figure_panel(page), &run, CHART_PARAMETERS | CHART_DISTANCE, "Parameters",
                              "bands: the feature of a; lines begin anew where the feature changes");
    figure_run_release(&run);
    return status;
}

wit_status figure_001_10(figure_page* page)
{
    return round_body(page, law_scenes[0], 100, (wit_vec3){0, 0, 1}, false);
}

wit_status figure_001_11(figure_page* page)
{
    return parameters(page, law_scenes[0]);
}

wit_status figure_001_15(figure_page* page)
{
    return parameters(page, law_scenes[1]);
}

wit_status figure_001_16(figure_page* page)
{
    return round_body(page, law_scenes[2], 60, (wit_vec3){0.5, -0.78, 0.35}, true);
}

wit_status figure_001_18(figure_page* page)
{
    return parameters(page, law_scenes[2]);
}

wit_status figure_001_20(figure_page* page)
{
    return parameters(page, law_scenes[3]);
}

/* Both bodies at a frame, with the features that carry the pair. */
static wit_status snapshot(figure_page* page, const figure_run* run, int64_t k, const wit_vec3 room[2])
{
    figure_stage s = {.room = room, .room_count = 2};
    char title[32], head[160], name[2][40];
    const wit_result* r = &run->r[k];
    for (int i = 0; i < 2; i++) stage_body(&s, run->task.body[i], &run->pose[i][k], i);
    stage_line(&s, r->a.point, r->b.point, STROKE_PAIR);
    track_feature(run->task.body[0], r->a.feature, r->a.id, name[0], sizeof name[0]);
    track_feature(run->task.body[1], r->b.feature, r->b.id, name[1], sizeof name[1]);
    stage_mark(&s, r->a.point, name[0], false);
    stage_mark(&s, r->b.point, name[1], false);
    snprintf(title, sizeof title, "t = %.4g s", run->t[k]);
    snprintf(head, sizeof head, "%s of A, %s of B, distance %.4g", name[0], name[1], r->distance);
    return stage_draw(&s, figure_panel(page), title, head, "none");
}

wit_status figure_001_14(figure_page* page)
{
    figure_run run;
    double times[FIGURE_PANELS];
    wit_status status = figure_run_scene(&run, law_scenes[1], NULL, &page->error);
    int n = status ? 0 : wit_scene_snapshots(run.scene, times, FIGURE_PANELS);
    page->columns = 3;
    /* all of them in one box, so that the sizes can be compared */
    wit_vec3 room[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < n && i < FIGURE_PANELS; i++) {
        for (int side = 0; side < 2; side++) {
            wit_vec3 at = run.pose[side][figure_frame(&run, times[i])].position;
            double reach = 0.5 * wit_body_describe(run.task.body[side]).size;
            room[0] = vec3(fmin(room[0].x, at.x - reach), fmin(room[0].y, at.y - reach), 0);
            room[1] = vec3(fmax(room[1].x, at.x + reach), fmax(room[1].y, at.y + reach), 0);
        }
    }
    for (int i = 0; i < n && i < FIGURE_PANELS && !status; i++)
        status = snapshot(page, &run, figure_frame(&run, times[i]), room);
    figure_run_release(&run);
    return status;
}

wit_status figure_001_19(figure_page* page)
{
    figure_run run;
    double times[8];
    wit_status status = figure_run_scene(&run, law_scenes[3], NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {0.25, -0.8, 0.55}};
        int n = wit_scene_snapshots(run.scene, times, 8);
        stage_body(&s, run.task.body[0], &run.pose[0][0], false);
        for (int i = 0; i < n && i < 8; i++) {
            int64_t k = figure_frame(&run, times[i]);
            char text[32];
            stage_body(&s, run.task.body[1], &run.pose[1][k], true);
            stage_line(&s, run.r[k].a.point, run.r[k].b.point, i ? STROKE_GAP : STROKE_ERROR);
            snprintf(text, sizeof text, "t = %.3g", run.t[k]);
            stage_mark(&s, run.r[k].b.point, text, false);
        }
        stage_trails(&s, &run, 0);
        status = stage_draw(&s, figure_panel(page), "B goes round A: five frames",
                            "dotted: dR of the start, which is wrong", "none");
    }
    figure_run_release(&run);
    return status;
}
