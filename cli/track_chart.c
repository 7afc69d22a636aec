/* SPDX-License-Identifier: MIT */
/* A run as charts over time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab_law.h"
#include "plot.h"
#include "track.h"

enum { MARK_TEXT = 72 };

/* "V1 > S3", for two bodies "a V1 > S3". */
static bool make_marks(const track_task* task, const track_sum* sum, plot_mark** marks, char (**texts)[MARK_TEXT])
{
    size_t n = (size_t)sum->transition_count;
    *marks = calloc(n + 1, sizeof **marks);
    *texts = calloc(n + 1, sizeof **texts);
    if (!*marks || !*texts) return false;
    for (size_t i = 0; i < n; i++) {
        const wit_transition* t = &sum->transitions[i];
        char from[28], to[28];
        track_feature(task->body[t->side], t->from, t->from_id, from, sizeof from);
        track_feature(task->body[t->side], t->to, t->to_id, to, sizeof to);
        snprintf((*texts)[i], sizeof(*texts)[i], "%s%s > %s", !task->body[1] ? "" : t->side ? "b " : "a ", from, to);
        (*marks)[i] = (plot_mark){t->time, (*texts)[i]};
    }
    return true;
}

/* Series that have a value somewhere. */
static int keep_present(plot_series* s, int count, int64_t frames)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        bool any = false;
        for (int64_t i = 0; i < frames && !any; i++) any = isfinite(s[k].y[i]);
        if (any) s[kept++] = s[k];
    }
    return kept;
}

wit_status track_chart(out* o, const track_task* task, const track_sum* sum, const track_series* series)
{
    static const char* const of_point[] = {"u", "v", "r", "s"};
    static const char* const of_pair[] = {"u of a", "v of a", "r of b", "s of b"};
    static const char* const errors[] = {"e_u", "e_v", "e_r", "e_s"};
    plot_series distance[2] = {{"distance", series->distance, 0, false, NULL, false},
                               {"lower bound", series->lower, 1, false, NULL, true}};
    plot_series parameter[WIT_MAX_PARAMETERS], error[WIT_MAX_PARAMETERS];
    for (int i = 0; i < WIT_MAX_PARAMETERS; i++) {
        const uint8_t* broken = series->broken[i / 2];
        parameter[i] = (plot_series){task->body[1] ? of_pair[i] : of_point[i], series->x[i], i, false, broken, false};
        error[i] = (plot_series){errors[i], series->e[i], i, false, broken, false};
    }
    char label[64], head[256], law[128];
    snprintf(label, sizeof label, "distance%s%s%s", task->unit[0] ? " (" : "", task->unit, task->unit[0] ? ")" : "");
    law_describe(&task->law, law, sizeof law);
    snprintf(head, sizeof head, "%s and %s; %s; %lld frames at %g Hz", task->side[0], task->side[1], law,
             (long long)series->count, task->rate);
    plot_chart charts[3 + TRACK_WORLD_CHARTS] = {
        {label, false, distance, keep_present(distance, 2, series->count)},
        {"parameters", false, parameter, keep_present(parameter, 4, series->count)},
        {"normalised projection errors", true, error, keep_present(error, 4, series->count)}};
    plot_series of_world[TRACK_WORLD_SERIES];
    int chart_count = task->world ? 3 + track_world_charts(task->world, of_world, charts + 3) : 3;
    plot_mark* marks = NULL;
    char(*texts)[MARK_TEXT] = NULL;
    bool good = make_marks(task, sum, &marks, &texts);
    plot_page page = {task->name, head, "time (s)", series->t, series->count, charts, chart_count, marks, 0, NULL, 0};
    page.mark_count = sum->transition_count > 5000 ? 5000 : (int)sum->transition_count;
    wit_status status = good ? plot_svg(o, &page) : WIT_ERROR_MEMORY;
    free(texts);
    free(marks);
    return status;
}
