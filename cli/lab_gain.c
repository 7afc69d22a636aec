/* SPDX-License-Identifier: MIT */
/* The largest stable gain: by theory, and by trying. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"
#include "lab_law.h"
#include "lab_patch.h"
#include "out.h"

enum { POINT, RATE, LAW, INTEGRATOR, VELOCITY, ERROR, BODY, FACE, JSON, HELP, OPTIONS };

enum { TRIAL = 900, WINDOW = 100 }; /* steps of a trial; of its two windows */

typedef struct request {
    lab_patch patch;
    double rate;
    unsigned laws, integrators; /* sets */
    bool moves;
    wit_vec3 velocity; /* of the point */
    double error;      /* that motion may leave, in parameters */
    bool json;
} request;

typedef struct gain_row {
    wit_law_kind law;
    wit_integrator integrator;
    double theory, fastest; /* 1/s */
    double calm;            /* above it errors change their sign in every step */
    double lag;             /* what motion leaves: error = lag / K */
    double found;           /* largest gain that was stable; infinity: none of those tried was not */
    char refused[200];
} gain_row;

static int help(void)
{
    puts(
        "usage: witness lab gain MODEL --point X,Y,Z [--velocity X,Y,Z] [--rate HZ] [--law LIST] [--integrator LIST] "
        "...\n"
        "\n"
        "Above which gain does a law with an integrator become unstable, with the point standing still? Theory: the\n"
        "limit of the integrator over the largest eigenvalue at the closest point. Found: by bisection; a gain is "
        "stable\n"
        "if a small error (1e-5 widths of the face) has shrunk after 600 steps. Calm: up to there an error keeps its "
        "sign.\n"
        "With a velocity, the band: the point moves, a law without feed-forward stays behind by lag / K, so that an\n"
        "error no larger than --error asks for the gain `lower`; the step allows no more than `theory`. Where that is\n"
        "less, the band is empty: a smaller step, or a law that feeds the motion forward.\n"
        "\n"
        "  MODEL              a model with a face\n"
        "  --point X,Y,Z      the point\n"
        "  --velocity X,Y,Z   of the point, lengths per second\n"
        "  --error E          that the lag may be, in parameters (0.001)\n"
        "  --rate HZ          steps per second (1000)\n"
        "  --law LIST         laws that are differential equations, separated by commas; all if not told\n"
        "  --integrator LIST  euler, rk2, ..., likewise; all but the adaptive one if not told\n"
        "  --body NAME, --face NAME   where the model has several bodies, the body several faces\n"
        "  --json             one JSON object");
    return command_flush();
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static unsigned all_flows(void)
{
    unsigned set = 0;
    for (int i = 0; i < WIT_LAW_COUNT; i++)
        if (wit_law_is_flow((wit_law_kind)i)) set |= 1u << i;
    return set;
}

static unsigned all_fixed(void)
{
    unsigned all = (1u << WIT_INTEGRATOR_COUNT) - 1;
    return all & ~(1u << WIT_INTEGRATOR_DEFAULT) & ~(1u << WIT_INTEGRATOR_DOPRI5);
}

static bool read_value(request* r, const option_reader* o, int index)
{
    switch (index) {
    case POINT:
        return lab_patch_point(o, &r->patch);
    case RATE:
        return option_number(o, 1e-6, 1e9, &r->rate);
    case LAW:
        if (!law_choices(o, law_name, WIT_LAW_COUNT, &r->laws)) return false;
        if (!strcmp(o->value, "all")) r->laws = all_flows();
        return true;
    case INTEGRATOR:
        if (!law_choices(o, integrator_name, WIT_INTEGRATOR_COUNT, &r->integrators)) return false;
        if (!strcmp(o->value, "all")) r->integrators = all_fixed();
        return true;
    case VELOCITY: {
        double v[3];
        r->moves = option_numbers(o, 3, v);
        r->velocity = (wit_vec3){v[0], v[1], v[2]};
        return r->moves;
    }
    case ERROR:
        return option_number(o, 1e-15, 1e6, &r->error);
    case BODY:
        r->patch.body_name = o->value;
        return true;
    case FACE:
        r->patch.face_name = o->value;
        return true;
    default:
        r->json = true;
        return true;
    }
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [POINT] = {"--point", "a point X,Y,Z"},
        [RATE] = {"--rate", "a number of steps per second"},
        [LAW] = {"--law", "a list of laws"},
        [INTEGRATOR] = {"--integrator", "a list of integrators"},
        [VELOCITY] = {"--velocity", "a velocity X,Y,Z"},
        [ERROR] = {"--error", "a difference of parameters"},
        [BODY] = {"--body", "the name of a body"},
        [FACE] = {"--face", "the name of a face"},
        [JSON] = {"--json", NULL},
        [HELP] = {"--help", NULL},
    };
    option_reader o = option_reader_at("lab gain", options, OPTIONS, argc, argv);
    for (;;) {
        int index = lab_patch_next(&o, &r->patch);
        if (index == OPTION_END) break;
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) {
            *done = true;
            return help();
        }
        if (!read_value(r, &o, index)) return EXIT_USAGE;
    }
    if (!lab_patch_complete(&o, &r->patch, POINT)) return EXIT_USAGE;
    for (int i = 0; i < WIT_LAW_COUNT; i++) {
        if ((r->laws >> i & 1) && !wit_law_is_flow((wit_law_kind)i))
            return command_usage("lab gain", "there is no gain in the law", wit_law_name((wit_law_kind)i), NULL);
    }
    return EXIT_GOOD;
}

/* ---- the experiment ---------------------------------------------------------------------------------------------- */

static wit_track_def def_of(const gain_row* row, double gain, wit_law_def* law)
{
    wit_track_def d = wit_track_default_def();
    *law = wit_law_default_def(row->law);
    law->integrator = row->integrator;
    d.form = WIT_FORM_PAPERS;
    d.reacquire = false;
    law->gain = (wit_gain){.kind = WIT_GAIN_SCALAR, .value = gain};
    /* Near the solution the gain of the exponential law is its cap. */
    if (row->law == WIT_LAW_EXPONENTIAL) {
        law->cap = gain;
        law->ball = 1e-12;
    }
    d.law = law;
    return d;
}

/* The largest errors of steps TRIAL / 2 - WINDOW to TRIAL / 2, and of the last WINDOW. False: it left the neighbourhood. */
static bool two_windows(const lab_patch* p, lab_tracker* t, double start, double largest[2], wit_status* status)
{
    for (int k = 1; k <= TRIAL; k++) {
        wit_result r = {0};
        *status = lab_tracker_step(t, &r);
        if (*status || r.a.feature != WIT_FACE) return false;
        double off = lab_patch_off(p, r.a.u, r.a.v);
        if (off > 100 * start) return false;
        if (k > TRIAL / 2 - WINDOW && k <= TRIAL / 2) largest[0] = fmax(largest[0], off);
        if (k > TRIAL - WINDOW) largest[1] = fmax(largest[1], off);
    }
    return true;
}

/* Does a small error shrink? */
static bool stable(const request* r, const gain_row* row, double gain, wit_status* status, wit_error* error)
{
    const lab_patch* p = &r->patch;
    wit_law_def law;
    wit_track_def def = def_of(row, gain, &law);
    lab_tracker t;
    if (!lab_tracker_make(&t, p, &def, &law, 1 / r->rate, error)) {
        *status = error->status ? error->status : WIT_ERROR_MEMORY;
        return false;
    }
    /* Towards the middle of the face, in both parameters by unlike amounts: no eigenvector is missed. */
    double wide = p->u.hi - p->u.lo, high = p->v.hi - p->v.lo;
    double u = p->at[0] + (p->at[0] < (p->u.lo + p->u.hi) / 2 ? 1e-5 : -1e-5) * wide;
    double v = p->at[1] + (p->at[1] < (p->v.lo + p->v.hi) / 2 ? 0.6e-5 : -0.6e-5) * high;
    double start = lab_patch_off(p, u, v), largest[2] = {0, 0};
    *status = lab_tracker_start(&t, u, v);
    bool near = !*status && two_windows(p, &t, start, largest, status);
    lab_tracker_release(&t);
    /* Settled to rounding counts as stable. */
    return near && (largest[1] < largest[0] || largest[1] < 1e-6 * start);
}

static wit_status find(const request* r, gain_row* row)
{
    wit_moving_place a, b;
    wit_gain_limit limit = {0};
    wit_error error = {0};
    wit_status status = WIT_OK;
    wit_law_def law;
    wit_track_def def = def_of(row, r->rate, &law);
    lab_patch_places(&r->patch, r->patch.at[0], r->patch.at[1], &a, &b);
    if (r->moves) b.motion.twist.velocity = r->velocity;
    status = wit_gain_limits(&a, &b, &def, 1 / r->rate, &limit);
    row->calm = limit.calm;
    row->lag = limit.lag;
    row->theory = limit.upper;
    row->fastest = limit.fastest;
    double lo = 1e-3 * r->rate, hi = 100 * r->rate;
    row->found = INFINITY;
    if (!status && stable(r, row, hi, &status, &error)) return WIT_OK;
    while (!status && hi - lo > 1e-4 * hi) {
        double middle = sqrt(lo * hi);
        if (stable(r, row, middle, &status, &error))
            lo = middle;
        else
            hi = middle;
    }
    row->found = lo;
    if (!status) return WIT_OK;
    snprintf(row->refused, sizeof row->refused, "%.60s%s%.120s", error.item, error.item[0] ? ": " : "",
             error.text[0] ? error.text : wit_status_text(status));
    return status == WIT_ERROR_MEMORY ? status : WIT_OK;
}

/* ---- what is printed --------------------------------------------------------------------------------------------- */

static void put_number(out* o, double x)
{
    if (isfinite(x))
        out_text(o, " %12.1f", x);
    else
        out_text(o, " %12s", "none");
}

static void write_row(out* o, const request* r, const gain_row* row)
{
    out_text(o, "%-13s %-15s", wit_law_name(row->law), wit_integrator_name(row->integrator));
    if (row->refused[0]) {
        out_text(o, " refused: %s\n", row->refused);
        return;
    }
    put_number(o, row->theory);
    put_number(o, row->found);
    if (isfinite(row->found))
        out_text(o, " %10.4f", row->found / r->rate);
    else
        out_text(o, " %10s", "-");
    put_number(o, row->fastest);
    put_number(o, row->calm);
    if (r->moves) {
        double lower = row->lag / r->error;
        out_text(o, " %12.4g %12.1f  %s", row->lag, lower, lower > row->theory ? "empty" : "open");
    }
    out_text(o, "\n");
}

static void json_row(out* o, const request* r, const gain_row* row)
{
    out_open(o, NULL, '{');
    out_put_string(o, "law", wit_law_name(row->law));
    out_put_string(o, "integrator", wit_integrator_name(row->integrator));
    if (row->refused[0]) {
        out_put_string(o, "refused", row->refused);
    } else {
        out_put_number(o, "theory", row->theory); /* null: there is no limit */
        out_put_number(o, "found", row->found);
        out_put_number(o, "fastest", row->fastest);
        out_put_number(o, "calm", row->calm);
        if (r->moves) {
            out_put_number(o, "lag", row->lag);
            out_put_number(o, "lower", row->lag / r->error);
            out_put_bool(o, "empty", row->lag / r->error > row->theory);
        }
    }
    out_close(o, '}');
}

static void begin(out* o, const request* r)
{
    const lab_patch* p = &r->patch;
    if (!r->json) {
        out_text(o, "largest stable gain, 1/s, at %g Hz, distance %.6g%s%s\n", r->rate, p->distance,
                 p->unit[0] ? " " : "", p->unit);
        out_text(o, "%-13s %-15s %12s %12s %10s %12s %12s", "law", "integrator", "theory", "found", "found K h",
                 "fastest", "calm");
        if (r->moves) out_text(o, " %12s %12s  %s", "lag K", "lower", "band");
        out_text(o, "\n");
        return;
    }
    out_open(o, NULL, '{');
    out_put_string(o, "model", p->path);
    out_put_number(o, "rate", r->rate);
    out_put_number(o, "distance", p->distance);
    out_open(o, "gains", '[');
}

static wit_status tabulate(const request* r, out* o)
{
    begin(o, r);
    for (int i = 0; i < WIT_LAW_COUNT; i++) {
        for (int k = 0; k < WIT_INTEGRATOR_COUNT; k++) {
            if (!(r->laws >> i & 1) || !(r->integrators >> k & 1)) continue;
            gain_row row = {.law = (wit_law_kind)i, .integrator = (wit_integrator)k};
            wit_status status = find(r, &row);
            if (status) return status;
            if (r->json)
                json_row(o, r, &row);
            else
                write_row(o, r, &row);
        }
    }
    if (r->json) {
        out_close(o, ']');
        out_close(o, '}');
        out_text(o, "\n");
    }
    return WIT_OK;
}

int lab_gain(int argc, char** argv)
{
    request r = {
        .patch = {.command = "lab gain"}, .rate = 1000, .laws = all_flows(), .integrators = all_fixed(), .error = 1e-3};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    code = lab_patch_load(&r.patch);
    if (!code) {
        out o = {0};
        wit_status status = tabulate(&r, &o);
        if (status) {
            fprintf(stderr, "witness lab gain: %s\n", wit_status_text(status));
            out_free(&o);
            code = EXIT_BAD_INPUT;
        } else {
            code = out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
        }
    }
    lab_patch_release(&r.patch);
    return code;
}
