/* SPDX-License-Identifier: MIT */
/* lab settle over laws and starts. */
#include <math.h>
#include <stdio.h>

#include "command.h"
#include "lab_basin.h"
#include "lab_law.h"
#include "lab_settle.h"
#include "progress.h"
#include "svg.h"

/* Steps to one bound, over the starts that stay below it. */
typedef struct tally {
    int64_t count, sum, most;
} tally;

typedef struct row {
    const char* law;
    wit_law_kind kind;
    double gain;
    tally to[2];     /* 1e-3, 1e-6 */
    int64_t closest; /* starts that end at the closest point */
    double from[2];  /* where the slowest to 1e-6 starts */
} row;

static const double bounds[2] = {1e-3, 1e-6};

static int64_t starts_of(const settle_request* r)
{
    return r->grid ? r->grid * r->grid : 1;
}

/* One start. `after[k]`: the first step from which on the error stays below bounds[k]; -1: there is none. */
static wit_status follow(const settle_request* r, lab_tracker* t, const double at[2], int64_t after[2], bool* closest)
{
    wit_result x = {.a = {.u = at[0], .v = at[1], .feature = WIT_FACE}};
    double error = settle_error(r, at[0], at[1]);
    wit_status status = lab_tracker_start(t, at[0], at[1]);
    for (int k = 0; k < 2; k++) after[k] = error < bounds[k] ? 0 : -1;
    for (int64_t n = 1; n <= r->steps && !status; n++) {
        status = lab_tracker_step(t, &x);
        if (x.flags & WIT_FLAG_OUTSIDE) x.residual = INFINITY;
        for (int k = 0; k < 2; k++) {
            if (!(x.residual < bounds[k]))
                after[k] = -1;
            else if (after[k] < 0)
                after[k] = n;
        }
    }
    *closest = x.a.feature == WIT_FACE && lab_patch_off(&r->patch, x.a.u, x.a.v) < 1e-6;
    return status;
}

static void csv_line(out* csv, const settle_request* r, const row* w, const double at[2], const int64_t after[2],
                     bool closest)
{
    out_text(csv, "%s,", w->law);
    if (wit_law_is_flow(w->kind)) out_text(csv, "%.17g,%.17g", w->gain, w->gain / r->rate);
    if (!wit_law_is_flow(w->kind)) out_text(csv, ",");
    out_text(csv, ",%.17g,%.17g", at[0], at[1]);
    for (int k = 0; k < 2; k++) {
        out_text(csv, ",");
        if (after[k] >= 0) out_text(csv, "%lld", (long long)after[k]);
    }
    out_text(csv, ",%d\n", closest);
}

static wit_status fill(const settle_request* r, row* w, const wit_track_def* def, const wit_law_def* law, out* csv,
                       wit_error* error)
{
    lab_tracker t;
    if (!lab_tracker_make(&t, &r->patch, def, law, 1 / r->rate, error)) return error->status;
    wit_status status = WIT_OK;
    int n = (int)r->grid;
    for (int64_t i = 0; i < starts_of(r) && !status; i++) {
        double at[2] = {r->start[0], r->start[1]};
        int64_t after[2];
        bool closest;
        if (n)
            at[0] = basin_parameter(r->patch.u, (int)(i % n), n), at[1] = basin_parameter(r->patch.v, (int)(i / n), n);
        status = follow(r, &t, at, after, &closest);
        w->closest += closest;
        for (int k = 0; k < 2; k++) {
            if (after[k] < 0) continue;
            w->to[k].count++;
            w->to[k].sum += after[k];
            if (after[k] <= w->to[k].most) continue;
            w->to[k].most = after[k];
            if (k == 1) w->from[0] = at[0], w->from[1] = at[1];
        }
        csv_line(csv, r, w, at, after, closest);
    }
    lab_tracker_release(&t);
    return status;
}

static void put_tally(out* o, const tally* t)
{
    if (t->count)
        out_text(o, " %8lld %8.1f %7lld", (long long)t->count, (double)t->sum / (double)t->count, (long long)t->most);
    else
        out_text(o, " %8d %8s %7s", 0, "-", "-");
}

static void write_row(out* o, const settle_request* r, const row* w)
{
    out_text(o, "%-18s", w->law);
    if (wit_law_is_flow(w->kind))
        out_text(o, " %9g %8.4g", w->gain, w->gain / r->rate);
    else
        out_text(o, " %9s %8s", "-", "-");
    for (int k = 0; k < 2; k++) put_tally(o, &w->to[k]);
    out_text(o, " %8lld", (long long)w->closest);
    if (w->to[1].count) out_text(o, "  (%.4g, %.4g)", w->from[0], w->from[1]);
    out_text(o, "\n");
}

static void json_row(out* o, const row* w)
{
    static const char* const names[2] = {"to_1e_3", "to_1e_6"};
    out_open(o, NULL, '{');
    out_put_string(o, "law", w->law);
    if (wit_law_is_flow(w->kind)) out_put_number(o, "gain", w->gain);
    for (int k = 0; k < 2; k++) {
        out_open(o, names[k], '{');
        out_put_integer(o, "starts", w->to[k].count);
        out_put_number(o, "mean", w->to[k].count ? (double)w->to[k].sum / (double)w->to[k].count : NAN);
        out_put_number(o, "most", w->to[k].count ? (double)w->to[k].most : NAN);
        out_close(o, '}');
    }
    out_put_integer(o, "closest", w->closest);
    out_close(o, '}');
}

static void head(out* o, const settle_request* r)
{
    if (r->json) {
        out_open(o, NULL, '{');
        out_put_string(o, "model", r->patch.path);
        out_put_string(o, "integrator", wit_integrator_name((wit_integrator)r->integrator));
        out_put_number(o, "rate", r->rate);
        out_put_integer(o, "steps", r->steps);
        out_put_integer(o, "starts", starts_of(r));
        out_open(o, "runs", '[');
        return;
    }
    out_text(o, "%lld start%s at %g Hz, flows by %s, to (%.6g, %.6g); %lld steps\n", (long long)starts_of(r),
             r->grid ? "s" : "", r->rate, wit_integrator_name((wit_integrator)r->integrator), r->patch.at[0],
             r->patch.at[1], (long long)r->steps);
    out_text(o, "%-18s %9s %8s %8s %8s %7s %8s %8s %7s %8s  %s\n", "law", "gain, 1/s", "K h", "to 1e-3", "mean", "most",
             "to 1e-6", "mean", "most", "closest", "slowest from");
}

static int refuse(const row* w, wit_status status, const wit_error* error)
{
    fprintf(stderr, "witness lab settle: %s: %s%s%s\n", w->law, error->item, error->item[0] ? ": " : "",
            error->text[0] ? error->text : wit_status_text(status));
    return EXIT_BAD_INPUT;
}

int settle_table(const settle_request* r)
{
    out o = {0}, csv = {0};
    int code = EXIT_GOOD;
    unsigned laws = r->laws ? r->laws : r->law < WIT_LAW_COUNT ? 1u << r->law : 0;
    progress bar = progress_begin();
    head(&o, r);
    out_text(&csv, "law,gain,gain_step,u,v,steps_1e_3,steps_1e_6,closest\n");
    for (int i = 0; i <= WIT_LAW_COUNT && !code; i++) { /* the last: one of the user's */
        bool own = i == WIT_LAW_COUNT;
        if (own ? !r->own.law : !(laws >> i & 1)) continue;
        wit_law_kind kind = own ? WIT_LAW_OWN : (wit_law_kind)i;
        for (int k = 0; k < (wit_law_is_flow(kind) ? r->gain_count : 1) && !code; k++) {
            row w = {.law = own ? r->own.law->name : wit_law_name(kind), .kind = kind, .gain = r->gain[k]};
            wit_law_def law;
            wit_error error = {0};
            wit_track_def def = settle_def(r, (int)kind, r->gain[k], &law);
            progress_step(&bar, i, "laws", (double)i / (WIT_LAW_COUNT + 1));
            wit_status status = fill(r, &w, &def, &law, &csv, &error);
            if (status) code = refuse(&w, status, &error);
            if (!code) r->json ? json_row(&o, &w) : write_row(&o, r, &w);
        }
    }
    progress_end(&bar);
    if (r->json) {
        out_close(&o, ']');
        out_close(&o, '}');
        out_text(&o, "\n");
    }
    wit_error error = {0};
    if (!code && r->csv && svg_save(&csv, r->csv, &error)) {
        fprintf(stderr, "%s: %s\n", r->csv, error.text);
        code = EXIT_BAD_INPUT;
    }
    if (!code && out_finish(&o)) code = EXIT_BAD_INPUT;
    out_free(&csv);
    if (code) out_free(&o);
    return code;
}
