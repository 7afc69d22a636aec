/* SPDX-License-Identifier: MIT */
/* Pictures of 000: the patch, its modes, regions of attraction, gains, regions of a body. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "figure.h"
#include "lab_basin.h"
#include "svg.h"

static const char* const unit = "none";

static wit_vec3 on_patch(const wit_body* body, double u, double v)
{
    wit_surface_jet j;
    wit_surface_eval(wit_body_face(body, 0).surface, u, v, 0, NULL, &j);
    return j.p;
}

/* The frame of the last result: where the law ended. */
static const wit_result* last_of(const figure_run* run)
{
    return &run->r[run->count - 1];
}

static const wit_vec3 beside = {-0.45, 0.65, 0.6}; /* so that Q and the path to P* do not cover each other */
static const wit_vec3 above = {-0.72, -0.3, 0.62}; /* an eye from the left, so that the border u = 0 is in front */

/* ---- Fig. 1 and 5: words --------------------------------------------------------------------------------------------- */

wit_status figure_000_1(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig6.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = beside};
        const wit_body* body = run.task.body[0];
        wit_surface_jet j;
        wit_surface_eval(wit_body_face(body, 0).surface, 0.45, 0.5, 0, NULL, &j);
        wit_vec3 q = run.r[0].b.point, n = unit3(cross3(j.du, j.dv));
        stage_body(&s, body, NULL, false);
        stage_mark(&s, j.p, "P", false);
        stage_mark(&s, q, "Q", false);
        stage_mark(&s, last_of(&run)->a.point, "P*", true);
        wit_vec3 along[3] = {scale3(2.2, unit3(j.du)), scale3(2.2, unit3(j.dv)), scale3(2.2, n)};
        static const char* const names[3] = {"f_u", "f_v", "N"};
        for (int i = 0; i < 3; i++) {
            stage_arrow(&s, j.p, along[i], 0.3);
            stage_name(&s, add3(j.p, along[i]), names[i]);
        }
        stage_line(&s, q, j.p, STROKE_ERROR);
        stage_name(&s, scale3(0.5, add3(q, j.p)), "dR");
        static const char* const borders[4] = {"v = 0", "v = 1", "u = 0", "u = 1"};
        for (int i = 0; i < 4; i++) stage_name(&s, on_patch(body, i < 2 ? 0.5 : i - 2, i < 2 ? i : 0.5), borders[i]);
        status = stage_draw(&s, figure_panel(page), "The patch of Table I", "P, Q and P*; tangents, normal, dR = P - Q",
                            unit);
    }
    figure_run_release(&run);
    return status;
}

wit_status figure_000_5(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig6.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = above};
        wit_surface_jet j;
        wit_surface_eval(wit_body_face(run.task.body[0], 0).surface, 0, 0.6, 0, NULL, &j);
        wit_vec3 n = unit3(cross3(j.du, j.dv)), g = cross3(unit3(j.dv), n);
        const wit_vec3 along[4] = {unit3(j.du), unit3(j.dv), n, g};
        static const char* const names[4] = {"f_u", "f_v", "N", "n_g"};
        stage_body(&s, run.task.body[0], NULL, false);
        for (int i = 0; i < 4; i++) {
            stage_arrow(&s, j.p, scale3(2.4, along[i]), 0.3);
            stage_name(&s, addscaled3(j.p, 2.4, along[i]), names[i]);
        }
        stage_mark(&s, run.r[0].b.point, "Q", false);
        stage_mark(&s, j.p, "u = 0", false);
        status =
            stage_draw(&s, figure_panel(page), "The border u = 0", "tangents, normal and geodesic normal n_g", unit);
    }
    figure_run_release(&run);
    return status;
}

/* ---- Fig. 6: invariance ---------------------------------------------------------------------------------------------- */

static void mark_run(figure_stage* s, const figure_run* run)
{
    stage_mark(s, run->r[0].b.point, "Q", false);
    stage_mark(s, run->r[0].a.point, "P0", false);
    stage_mark(s, last_of(run)->a.point, "P*", true);
}

wit_status figure_000_6(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig6.json", &(figure_change){.duration = 0.12}, &page->error);
    page->columns = 2;
    if (!status) {
        figure_stage s = {.toward = beside};
        stage_body(&s, run.task.body[0], NULL, false);
        stage_trails(&s, &run, 0);
        stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_ERROR);
        stage_line(&s, last_of(&run)->a.point, last_of(&run)->b.point, STROKE_GAP);
        mark_run(&s, &run);
        for (int64_t k = 1; k < run.count; k++) {
            if (!(run.r[k].held != run.r[k - 1].held)) continue;
            char text[32];
            snprintf(text, sizeof text, "t = %.3g s", run.t[k]);
            stage_mark(&s, run.r[k].a.point, text, false);
        }
        status = stage_draw(&s, figure_panel(page), "Path of the witness",
                            "from P0 into the border u = 0, along it, off it to P*", unit);
    }
    if (!status)
        status = figure_chart(figure_panel(page), &run, CHART_PARAMETERS | CHART_SIGNED_ERRORS | CHART_DISTANCE,
                              "Modes, parameters, projection errors, |dR|", "bands: the mode of the law");
    figure_run_release(&run);
    return status;
}

/* ---- Fig. 7: regions of attraction ----------------------------------------------------------------------------------- */

static wit_status path_of(figure_page* page, const lab_patch* p, const basin* b)
{
    figure_stage s = {.toward = {0.25, 0.5, 0.8}};
    enum { FINE = 8 }; /* points of a step: its chord would run below the surface */
    int n = b->path_count > 1 ? FINE * (b->path_count - 1) + 1 : 0;
    wit_vec3* way = n ? stage_way(&s, n, STROKE_FOOT) : NULL;
    for (int k = 0; way && k < n; k++) {
        const double *from = &b->path[2 * (k / FINE)], *to = k + 1 < n ? from + 2 : from;
        double q = (double)(k % FINE) / FINE;
        way[k] = on_patch(p->body, from[0] + q * (to[0] - from[0]), from[1] + q * (to[1] - from[1]));
    }
    stage_body(&s, p->body, NULL, false);
    for (int k = 1; k < b->path_count && k < 12 && !wit_law_is_flow(b->law.kind); k++) {
        char text[16];
        snprintf(text, sizeof text, "%d", k);
        stage_mark(&s, on_patch(p->body, b->path[2 * k], b->path[2 * k + 1]), text, false);
    }
    stage_mark(&s, on_patch(p->body, b->path[0], b->path[1]), "P0", false);
    stage_mark(&s, on_patch(p->body, p->at[0], p->at[1]), "P*", true);
    stage_mark(&s, p->point, "Q", false);
    stage_line(&s, p->point, on_patch(p->body, p->at[0], p->at[1]), STROKE_GAP);
    char head[96];
    snprintf(head, sizeof head, "from P0: %s",
             b->path_reached     ? "it reaches P*"
             : b->path_count < 2 ? "its first step leaves the patch"
                                 : "it does not reach P*");
    return stage_draw(&s, figure_panel(page), b->name, head, unit);
}

wit_status figure_000_7(figure_page* page)
{
    static const wit_law_kind laws[3] = {WIT_LAW_NEWTON, WIT_LAW_NEWTON_SATURATED, WIT_LAW_SWITCHING};
    static const double start[2] = {0.7, 0.5};
    lab_patch p = {.command = "figure", .point = {-1.4, 11.2, 6.5}};
    basin_map map = {0};
    char path[512];
    p.path = command_find_model("table1.json", path, sizeof path) ? path : "models/table1.json";
    page->columns = 2;
    if (lab_patch_load(&p)) return WIT_ERROR_FILE;
    wit_status status = basin_make(&map, &p, 1u << laws[0] | 1u << laws[1] | 1u << laws[2], 31, start);
    for (int i = 0; i < 3 && !status; i++) {
        for (int k = 0; k < map.count && !status; k++) {
            if (map.basins[k].law.kind != laws[i]) continue;
            status = path_of(page, &p, &map.basins[k]);
            if (!status) status = basin_square_svg(figure_panel(page), &map, k, map.basins[k].name);
        }
    }
    basin_release(&map);
    lab_patch_release(&p);
    return status;
}

/* ---- Fig. 8: gains ---------------------------------------------------------------------------------------------------- */

enum { SWEEP = 40 };

/* The largest error of the last quarter of the run against the gain, and both limits: below the lower one motion leaves more
 * than WANTED, above the upper one the step is too long. */
#define WANTED 1e-3
static wit_status sweep(figure_page* page, double calm, double lag)
{
    static double gain[SWEEP], found[SWEEP], predicted[SWEEP];
    for (int i = 0; i < SWEEP; i++) {
        figure_run run;
        gain[i] = 2 * pow(1400.0 / 2, i / (SWEEP - 1.0));
        wit_status status =
            figure_run_scene(&run, "000-fig8-k50.json", &(figure_change){.gain = gain[i]}, &page->error);
        found[i] = 0;
        for (int64_t k = run.count * 3 / 4; k < run.count; k++)
            for (int j = 0; j < 2; j++) found[i] = fmax(found[i], fabs(run.r[k].error[j]));
        predicted[i] = gain[i] <= calm ? fmin(1, lag / gain[i]) : NAN;
        gain[i] = log10(gain[i]);
        figure_run_release(&run);
        if (status) return status;
    }
    plot_series series[2] = {{"largest error, last 0.4 s", found, 0, false, NULL, false},
                             {"lag / K", predicted, 1, false, NULL, false}};
    plot_chart chart = {"normalised error", true, series, 2};
    char text[2][64];
    snprintf(text[0], sizeof text[0], "an error of %g asks for K = %.0f", WANTED, lag / WANTED);
    snprintf(text[1], sizeof text[1], "the step allows K = %.0f", calm);
    plot_mark marks[2] = {{log10(lag / WANTED), text[0]}, {log10(calm), text[1]}};
    plot_page p = {"Error against gain",
                   "left of both lines motion leaves more than is wanted, in proportion to 1/K; right of them: chatter",
                   "log10 of the gain K (1/s)",
                   gain,
                   SWEEP,
                   &chart,
                   1,
                   marks,
                   2,
                   NULL,
                   0};
    return plot_svg(figure_panel(page), &p);
}

/* The least limit of the step over the last quarter, and the largest error there times the gain. */
static double limit_of(const figure_run* run, double* lag)
{
    double least = INFINITY;
    *lag = 0;
    for (int64_t k = run->count * 3 / 4; k < run->count; k++) {
        wit_motion m;
        const wit_result* r = &run->r[k];
        wit_track_def def = run->task.def;
        wit_gain_limit limit;
        def.law = &run->task.law;
        if (run->task.motion(run->task.context, 1, run->t[k], &m)) continue;
        wit_moving_place a = {
            run->task.body[0], r->a.feature, r->a.id, r->a.u, r->a.v, wit_motion_at_rest(wit_pose_identity())};
        wit_moving_place b = {NULL, WIT_POINT, -1, 0, 0, m};
        if (wit_gain_limits(&a, &b, &def, 1 / run->task.rate, &limit)) continue;
        least = fmin(least, limit.upper);
        *lag = fmax(*lag, 50 * fmax(fabs(r->error[0]), fabs(r->error[1])));
    }
    return least;
}

wit_status figure_000_8(figure_page* page)
{
    static const char* const scenes[3] = {"000-fig8-k50.json", "000-fig8-k0.02.json", "000-fig8-k1300.json"};
    static const char* const titles[3] = {"K = 50", "K = 0.02", "K = 1300"};
    wit_status status = WIT_OK;
    double calm = 0, lag = 0;
    page->columns = 0;
    for (int i = 0; i < 3 && !status; i++) {
        figure_run run;
        status = figure_run_scene(&run, scenes[i], NULL, &page->error);
        if (!status && i == 0) {
            figure_stage s = {.toward = above};
            stage_body(&s, run.task.body[0], NULL, false);
            stage_trails(&s, &run, 40);
            stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_ERROR);
            stage_mark(&s, run.r[0].a.point, "P0", false);
            stage_mark(&s, run.r[0].b.point, "Q(t = 0)", false);
            stage_mark(&s, last_of(&run)->b.point, "Q(t = 1.6)", false);
            status = stage_draw(&s, figure_panel(page), "K = 50", "every 0.04 s the witness and Q joined", unit);
            calm = limit_of(&run, &lag);
        }
        if (!status)
            status =
                figure_chart(figure_panel(page), &run, CHART_SIGNED_ERRORS, titles[i], "the scene's path, 1 kHz, RK2");
        figure_run_release(&run);
    }
    return status ? status : sweep(page, calm, lag);
}

/* ---- Fig. 3 and 9: regions of a body ----------------------------------------------------------------------------------- */

/* The normals of both faces along every edge, and lines across their ends: the borders of the regions outside. Those of a
 * set of faces only. */
static void stage_regions(figure_stage* s, const wit_body* body, double reach, unsigned faces)
{
    enum { LINES = 9 };
    int edges = wit_body_describe(body).edge_count;
    for (int e = 0; e < edges; e++) {
        wit_edge_info edge = wit_body_edge(body, e);
        wit_use_info use;
        for (int k = 0; k < 2 && wit_body_edge_use(body, e, k, &use) >= 0; k++) {
            if (!(faces >> use.face & 1u)) continue;
            wit_vec3* rim = stage_way(s, LINES, STROKE_REGION);
            for (int i = 0; rim && i < LINES; i++) {
                double t = edge.range.lo + (edge.range.hi - edge.range.lo) * (i + 1e-6) / (LINES - 1 + 2e-6);
                wit_curve_jet c, uv;
                wit_vec3 n = {0, 0, 0};
                wit_curve_eval(edge.curve, t, 0, NULL, &c);
                wit_curve_eval(use.parameter_curve, use.shift + use.scale * t, 0, NULL, &uv);
                wit_body_face_normal(body, use.face, uv.p.x, uv.p.y, &n);
                rim[i] = addscaled3(c.p, reach, n);
                if (i % 4 == 0) stage_line(s, c.p, rim[i], STROKE_REGION);
            }
        }
    }
}

/* The features that carried the witness: the faces as a set, and the name of each in the middle of its region. */
static unsigned stage_carriers(figure_stage* s, const figure_run* run, double reach)
{
    unsigned faces = 0, edges = 0;
    const wit_body* body = run->task.body[0];
    for (int64_t k = 0; k < run->count; k++) {
        const wit_witness* w = &run->r[k].a;
        unsigned* set = w->feature == WIT_FACE ? &faces : w->feature == WIT_EDGE ? &edges : NULL;
        if (!set || w->id >= 32 || *set >> w->id & 1u) continue;
        *set |= 1u << w->id;
        char name[32];
        wit_vec3 at = w->point, n = {0, 0, 0};
        track_feature(body, w->feature, w->id, name, sizeof name);
        if (w->feature == WIT_FACE) {
            wit_face_info f = wit_body_face(body, w->id);
            double u = (f.u.lo + f.u.hi) / 2, v = (f.v.lo + f.v.hi) / 2;
            wit_surface_jet j;
            wit_surface_eval(f.surface, u, v, 0, NULL, &j);
            wit_body_face_normal(body, w->id, u, v, &n);
            at = j.p;
        } else {
            n = unit3(sub3(run->r[k].b.point, at));
        }
        stage_name(s, addscaled3(at, 0.7 * reach, n), name);
    }
    return faces;
}

wit_status figure_000_3(figure_page* page)
{
    enum { REACH = 3 };
    static const char* const titles[3] = {"The body", "Regions", "Three of the regions"};
    static const char* const heads[3] = {"five planes and a dome",
                                         "each edge with the normals of its two faces, 3 long: between them its region",
                                         "those of the features that carry the witness in Fig. 9"};
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig9.json", &(figure_change){.integrator = "dopri5"}, &page->error);
    page->columns = 2;
    for (int i = 0; i < 3 && !status; i++) {
        figure_stage s = {.named = i == 0, .toward = {-0.6, -0.62, 0.5}};
        stage_body(&s, run.task.body[0], NULL, false);
        if (i) stage_regions(&s, run.task.body[0], REACH, i == 1 ? ~0u : stage_carriers(&s, &run, REACH));
        status = stage_draw(&s, figure_panel(page), titles[i], heads[i], run.task.unit);
    }
    if (!status) status = track_automaton(figure_panel(page), &run.task, &run.sum);
    figure_run_release(&run);
    return status;
}

wit_status figure_000_9(figure_page* page)
{
    figure_run run;
    wit_status status = figure_run_scene(&run, "000-fig9.json", NULL, &page->error);
    if (!status) {
        figure_stage s = {.toward = {-0.5, -0.75, 0.45}};
        stage_body(&s, run.task.body[0], NULL, false);
        stage_trails(&s, &run, 50);
        stage_line(&s, run.r[0].a.point, run.r[0].b.point, STROKE_ERROR);
        stage_mark(&s, run.r[0].a.point, "P0", false);
        stage_mark(&s, run.r[0].b.point, "Q(0)", false);
        for (int64_t i = 0; i < run.sum.transition_count; i++) {
            char text[32];
            snprintf(text, sizeof text, "t = %.3g", run.sum.transitions[i].time);
            stage_mark(&s, run.r[figure_frame(&run, run.sum.transitions[i].time)].b.point, text, false);
        }
        status = stage_draw(&s, figure_panel(page), "Q goes round the body", "every 0.05 s the witness and Q joined",
                            run.task.unit);
    }
    if (!status)
        status = figure_chart(figure_panel(page), &run, CHART_PARAMETERS, "Parameters", "bands: the active feature");
    page->columns = 0;
    figure_run_release(&run);
    return status;
}
