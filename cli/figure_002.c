/* SPDX-License-Identifier: MIT */
/* Pictures of 002, the pen and the bowl, and of 004, two ellipsoids. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure.h"
#include "svg.h"

static const wit_vec3 aside = {0.98, -0.15, 0.12}; /* onto the plane y, z */

/* ---- 002 --------------------------------------------------------------------------------------------------------------- */

wit_status figure_002_1(figure_page* page)
{
    static const char* const scenes[2] = {"002-fig4.json", "peg-in-hole.json"};
    wit_status status = WIT_OK;
    page->columns = 2;
    for (int i = 0; i < 2 && !status; i++) {
        figure_run run;
        status = figure_run_scene(&run, scenes[i], &(figure_change){.duration = 0.05}, &page->error);
        const wit_body* body = status ? NULL : run.task.body[!i];
        figure_stage s = {0};
        if (!status) {
            stage_body(&s, body, NULL, false);
            status = stage_draw(&s, figure_panel(page), i ? "A plate" : "The bowl",
                                i ? "planes, which are convex; the holes are concave cylinders"
                                  : "the outside is convex, the inside a concave sphere",
                                "none");
        }
        figure_run_release(&run);
    }
    return status;
}

wit_status figure_002_2(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "002-fig4.json", &(figure_change){.law = "deadbeat"}, &page->error);
    if (!status) {
        int64_t k = figure_frame(&run, 22);
        const wit_result* r = &run.r[k];
        figure_stage s = {.toward = {0.8, -0.5, 0.3}};
        for (int i = 0; i < 2; i++) stage_body(&s, run.task.body[i], &run.pose[i][k], i);
        stage_line(&s, r->a.point, r->b.point, STROKE_PAIR);
        stage_mark(&s, r->a.point, "g(w0)", false);
        stage_mark(&s, r->b.point, "f(u0, v0)", false);
        stage_name(&s, scale3(0.5, add3(r->a.point, r->b.point)), "d");
        for (int i = 0; i < 2; i++) {
            wit_moving_place p = {run.task.body[i],      i ? r->b.feature : r->a.feature,
                                  i ? r->b.id : r->a.id, i ? r->b.u : r->a.u,
                                  i ? r->b.v : r->a.v,   wit_motion_at_rest(run.pose[i][k])};
            wit_vec3 at = i ? r->b.point : r->a.point, along[2] = {{0, 0, 0}, {0, 0, 0}};
            static const char* const names[2][2] = {{"g_w", ""}, {"f_u", "f_v"}};
            int n = 0;
            if (p.feature == WIT_EDGE) {
                wit_curve_jet c;
                wit_curve_eval(wit_body_edge(p.body, p.id).curve, p.u, 0, NULL, &c);
                along[n++] = c.d1;
            } else if (p.feature == WIT_FACE) {
                wit_surface_jet j;
                wit_surface_eval(wit_body_face(p.body, p.id).surface, p.u, p.v, 0, NULL, &j);
                along[n++] = j.du;
                along[n++] = j.dv;
            }
            for (int m = 0; m < n; m++) {
                wit_vec3 d = scale3(1.6, unit3(wit_pose_vector(&run.pose[i][k], along[m])));
                stage_arrow(&s, at, d, 0.3);
                stage_name(&s, add3(at, d), names[i][m]);
            }
        }
        status = stage_draw(&s, figure_panel(page), "Y = 22: a circle of the pen and the outside of the bowl",
                            "d is at right angles to all tangents", "none");
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_002_3(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "002-fig4.json", &(figure_change){.duration = 0.2}, &page->error);
    if (!status) {
        figure_stage s = {.named = true, .toward = {0.75, -0.6, 0.3}};
        char text[32];
        for (int i = 0; i < 2; i++) stage_body(&s, run.task.body[i], &run.pose[i][0], i == 0);
        stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_PAIR);
        snprintf(text, sizeof text, "D = %.6g", run.r[0].distance);
        stage_mark(&s, scale3(0.5, add3(run.r[0].a.point, run.r[0].b.point)), text, false);
        status = stage_draw(&s, figure_panel(page), "The pen and the bowl where they start", "names as in the paper",
                            "none");
    }
    figure_run_release(&run);
    return status;
}

/* The distance over Y or degrees, with the pairs that carry it as bands. */
static wit_status distance_chart(figure_page* page, const figure_run* run, double scale, const char* title,
                                 const char* x_label)
{
    plot_band bands[FIGURE_BANDS];
    static char texts[FIGURE_BANDS][24];
    double* x = malloc((size_t)run->count * sizeof *x);
    char last[24] = "";
    int n = 0;
    if (!x) return WIT_ERROR_MEMORY;
    for (int64_t k = 0; k < run->count; k++) {
        char a[12], b[12], now[24];
        x[k] = scale * run->t[k];
        track_feature(run->task.body[0], run->r[k].a.feature, run->r[k].a.id, a, sizeof a);
        track_feature(run->task.body[1], run->r[k].b.feature, run->r[k].b.id, b, sizeof b);
        snprintf(now, sizeof now, "%s-%s", b, a);
        if (n) bands[n - 1].to = x[k];
        if (!strcmp(now, last) || n == FIGURE_BANDS) continue;
        snprintf(last, sizeof last, "%s", now);
        snprintf(texts[n], sizeof texts[n], "%s", now);
        int color = 0;
        while (color < n && strcmp(texts[color], now) != 0) color++;
        bands[n] = (plot_band){x[k], x[k], color, texts[n]};
        n++;
    }
    plot_series series = {"distance", run->series.distance, 0, false, NULL, false};
    plot_chart chart = {"minimum distance", false, &series, 1};
    plot_page p = {
        title, "bands: the features of bowl and pen that carry it", x_label, x, run->count, &chart, 1, NULL, 0, bands,
        n};
    wit_status status = plot_svg(figure_panel(page), &p);
    free(x);
    return status;
}

/* The pen at the times of the snapshots, all in one picture. */
static wit_status pen_frames(figure_page* page, const figure_run* run, const char* title, double scale,
                             const char* what)
{
    double times[16];
    figure_stage s = {.toward = aside};
    int n = wit_scene_snapshots(run->scene, times, 16);
    stage_body(&s, run->task.body[1], &run->pose[1][0], false);
    for (int i = 0; i < n && i < 16; i++) {
        int64_t k = figure_frame(run, times[i]);
        char text[32];
        stage_body(&s, run->task.body[0], &run->pose[0][k], true);
        stage_line(&s, run->r[k].a.point, run->r[k].b.point, STROKE_PAIR);
        snprintf(text, sizeof text, "%s%.4g", what, scale * run->t[k]);
        stage_mark(&s, run->r[k].a.point, text, false);
    }
    return stage_draw(&s, figure_panel(page), title, "seen along x; dashed: the closest pair of each frame", "none");
}

wit_status figure_002_4(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "002-fig4.json", NULL, &page->error);
    page->columns = 2;
    if (!status) status = pen_frames(page, &run, "Nine frames of the line", 1, "Y = ");
    if (!status) status = distance_chart(page, &run, 1, "Distance along the line", "Y");
    figure_run_release(&run);
    return status;
}

wit_status figure_002_5(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "002-fig5.json", NULL, &page->error);
    page->columns = 2;
    if (!status) status = pen_frames(page, &run, "The pen turns about its tip", 60, "");
    if (!status) status = distance_chart(page, &run, 60, "Distance as the pen turns", "degrees");
    figure_run_release(&run);
    return status;
}

/* ---- 004 --------------------------------------------------------------------------------------------------------------- */

wit_status figure_004_6(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "004-fig7.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {0.2, -0.9, 0.35}};
        const wit_result* first = &run.r[0];
        wit_closest c = {0};
        wit_query* query = wit_query_create(NULL, NULL, NULL);
        wit_placed a = wit_placed_at(run.task.body[0], run.pose[0][0]),
                   b = wit_placed_at(run.task.body[1], run.pose[1][0]);
        status = query ? wit_closest_pair(query, &a, &b, &c) : WIT_ERROR_MEMORY;
        wit_query_destroy(query);
        for (int i = 0; i < 2; i++) stage_body(&s, run.task.body[i], &run.pose[i][0], i);
        stage_line(&s, first->a.point, first->b.point, STROKE_ERROR);
        stage_line(&s, c.a.point, c.b.point, STROKE_PAIR);
        stage_mark(&s, first->a.point, "start of a", true);
        stage_mark(&s, first->b.point, "start of b", true);
        stage_mark(&s, c.a.point, "f*", false);
        stage_mark(&s, c.b.point, "h*", false);
        if (!status)
            status = stage_draw(&s, figure_panel(page), "Two ellipsoids at t = 0",
                                "dotted: dR of the start; dashed: the closest pair, by the certified query", "none");
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_004_7(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "004-fig7.json", NULL, &page->error);
    page->columns = 2;
    if (!status)
        status = figure_chart(figure_panel(page), &run, CHART_SIGNED_ERRORS, "Normalised projection errors",
                              "K = 50, RK2 at 1 kHz");
    if (!status)
        status = figure_chart(figure_panel(page), &run, CHART_ERRORS, "The same, their sizes",
                              "they fall with exp(-50 t), to what RK2 leaves");
    figure_run_release(&run);
    return status;
}
