/* SPDX-License-Identifier: MIT */
/* Basins as text, as tables and as JSON. */
#include <math.h>
#include <stdio.h>

#include "lab_basin.h"

static double share(const basin_map* map, const basin* b)
{
    return (double)b->count / ((double)map->grid * map->grid);
}

/* The gain that is not chosen anew in every step; NaN: there is none. */
static double fixed_gain(const basin* b)
{
    if (!wit_law_is_flow(b->law.kind)) return NAN;
    if (b->law.kind == WIT_LAW_EXPONENTIAL) return b->law.cap > 0 ? b->law.cap : NAN;
    return b->law.gain.kind == WIT_GAIN_SCALAR ? b->law.gain.value : NAN;
}

/* "rk2, K h 0.1"; "" for a law that is no flow. */
static void describe(const basin* b, char* to, size_t room)
{
    double gain = fixed_gain(b);
    to[0] = 0;
    if (!wit_law_is_flow(b->law.kind)) return;
    if (isfinite(gain))
        snprintf(to, room, "%s, K h %.4g", wit_integrator_name(b->law.integrator), gain * b->dt);
    else
        snprintf(to, room, "%s, %s", wit_integrator_name(b->law.integrator), wit_gain_kind_name(b->law.gain.kind));
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void put_law(out* o, const basin* b)
{
    bool flow = wit_law_is_flow(b->law.kind);
    double gain = fixed_gain(b);
    out_text(o, "%s,%s,", b->name, flow ? wit_integrator_name(b->law.integrator) : "");
    if (isfinite(gain))
        out_text(o, "%.17g,%.17g,", gain, gain * b->dt);
    else
        out_text(o, ",,");
}

void basin_csv(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    int n = map->grid;
    out_text(o, "law,integrator,gain,gain_step,u,v,reached,steps\n");
    for (int i = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        for (int k = 0; k < n * n && !b->refused[0]; k++) {
            put_law(o, b);
            out_text(o, "%.17g,%.17g,%d,", basin_parameter(p->u, k % n, n), basin_parameter(p->v, k / n, n),
                     b->reached[k]);
            if (b->reached[k]) out_text(o, "%d", (int)b->taken[k]);
            out_text(o, "\n");
        }
    }
}

void basin_paths_csv(out* o, const basin_map* map)
{
    out_text(o, "law,integrator,gain,gain_step,step,u,v\n");
    for (int i = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        for (int k = 0; k < b->path_count && !b->refused[0]; k++) {
            put_law(o, b);
            out_text(o, "%d,%.17g,%.17g\n", k, b->path[2 * k], b->path[2 * k + 1]);
        }
    }
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_path(out* o, const basin* b)
{
    out_put_bool(o, "start_reached", b->path_reached);
    out_open(o, "path", '[');
    for (int k = 0; k < b->path_count; k++) out_put_numbers(o, NULL, &b->path[2 * k], 2);
    out_close(o, ']');
}

/* Rows of v, in each the steps that every start took; null: it does not get there. */
static void json_starts(out* o, const basin* b, int n)
{
    out_open(o, "steps", '[');
    for (int j = 0; j < n; j++) {
        out_open(o, NULL, '[');
        for (int i = 0; i < n; i++) {
            if (b->reached[j * n + i])
                out_put_integer(o, NULL, b->taken[j * n + i]);
            else
                out_put_number(o, NULL, NAN);
        }
        out_close(o, ']');
    }
    out_close(o, ']');
}

static void json_basin(out* o, const basin_map* map, const basin* b)
{
    out_open(o, NULL, '{');
    out_put_string(o, "law", b->name);
    if (b->refused[0]) {
        out_put_string(o, "refused", b->refused);
    } else {
        out_put_string(o, "form", wit_form_name(b->def.form));
        if (wit_law_is_flow(b->law.kind)) {
            out_put_string(o, "integrator", wit_integrator_name(b->law.integrator));
            out_put_number(o, "gain", fixed_gain(b)); /* null: chosen in every step */
            out_put_number(o, "gain_step", fixed_gain(b) * b->dt);
        }
        out_put_integer(o, "most_steps", b->steps);
        out_put_number(o, "share", share(map, b));
        out_put_integer(o, "reached", b->count);
        out_put_number(o, "mean_steps", b->mean);
        if (map->from) json_path(o, b);
        json_starts(o, b, map->grid);
    }
    out_close(o, '}');
}

void basin_json(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    out_open(o, NULL, '{');
    out_put_string(o, "model", p->path);
    double point[3] = {p->point.x, p->point.y, p->point.z};
    out_put_numbers(o, "point", point, 3);
    out_put_integer(o, "grid", map->grid);
    out_put_numbers(o, "closest", p->at, 2);
    out_put_number(o, "distance", p->distance);
    out_put_number(o, "definite", map->definite);
    out_open(o, "basins", '[');
    for (int i = 0; i < map->count; i++) json_basin(o, map, &map->basins[i]);
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}

/* ---- text -------------------------------------------------------------------------------------------------------- */

void basin_text(out* o, const basin_map* map)
{
    const lab_patch* p = map->patch;
    char how[64];
    out_text(o, "closest point (%.9g, %.9g) of the face, distance %.10g%s%s%s; %d x %d starts\n", p->at[0], p->at[1],
             p->distance, p->unit[0] ? " " : "", p->unit, p->inside ? "" : ", on its border", map->grid, map->grid);
    out_text(o, "%-17s %9s %8s %11s  %s\n", "law", "reach it", "share", "mean steps", "integrated by");
    for (int i = 0; i < map->count; i++) {
        const basin* b = &map->basins[i];
        describe(b, how, sizeof how);
        if (b->refused[0])
            out_text(o, "%-17s refused: %s\n", b->name, b->refused);
        else
            out_text(o, "%-17s %9lld %6.1f %% %11.1f%s%s\n", b->name, (long long)b->count, 100 * share(map, b), b->mean,
                     how[0] ? "  " : "", how);
    }
    out_text(o, "Hessian positive definite at %.1f %% of the starts\n", 100 * map->definite);
}
