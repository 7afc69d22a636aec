/* SPDX-License-Identifier: MIT */
/* What was found, as text, JSON and CSV. Nothing of it depends on the machine, the time of day or the threads. */
#include <math.h>
#include <string.h>

#include "clearance.h"
#include "track.h"

static const char* unit_of(const clearance_task* t)
{
    wit_unit unit = wit_assembly_scene_unit(t->scene);
    return unit == WIT_UNIT_NONE ? "" : wit_unit_name(unit);
}

static const char* name_of(const clearance_task* t, int body)
{
    return wit_assembly_scene_body_name(t->scene, body);
}

static bool moves(const clearance_task* t)
{
    return t->def.from < t->def.to;
}

static bool shown(const clearance_task* t, const wit_pair_report* r)
{
    return t->all || r->status != WIT_PAIR_CLEAR;
}

/* Why it is not proved. */
static const char* why(const wit_pair_report* r)
{
    if (r->complete) return "";
    if (r->refused) return wit_status_text(r->refused);
    return r->reason == WIT_REASON_NONE ? "more intervals than are kept" : wit_reason_name(r->reason);
}

static bool placed(const wit_pair_report* r)
{
    return isfinite(r->upper_bound) && r->closest.outcome != WIT_OUTCOME_BEYOND &&
           r->closest.outcome != WIT_OUTCOME_EMPTY;
}

static void feature_of(const clearance_task* t, const wit_pair_report* r, int side, char* to, size_t room)
{
    const wit_witness* w = side ? &r->closest.b : &r->closest.a;
    to[0] = 0;
    if (placed(r)) track_feature(t->def.bodies[side ? r->b : r->a].moving.body, w->feature, w->id, to, room);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_pair(out* o, const clearance_task* t, const wit_pair_report* r, const wit_pair_interval* x)
{
    const char* unit = unit_of(t);
    const char* space = unit[0] ? " " : "";
    char feature[2][64];
    for (int i = 0; i < 2; i++) feature_of(t, r, i, feature[i], sizeof feature[i]);
    out_text(o, "%-11s %s, %s%s\n", wit_pair_status_name(r->status), name_of(t, r->a), name_of(t, r->b),
             clearance_approved(t, r) ? " (approved)" : "");
    if (isfinite(r->upper_bound))
        out_text(o, "            least %.9g .. %.9g%s%s", r->lower_bound + 0.0, r->upper_bound + 0.0, space, unit);
    else
        out_text(o, "            least above %.9g%s%s", r->lower_bound + 0.0, space, unit);
    if (isfinite(r->upper_bound) && moves(t)) out_text(o, " at %.9g s", r->time);
    if (placed(r)) out_text(o, ": %s, %s", feature[0], feature[1]);
    out_text(o, "\n");
    if (r->status == WIT_PAIR_CLASH && r->closest.distance < 0)
        out_text(o, "            depth %.9g%s%s at %.9g s%s\n", -r->closest.distance, space, unit, r->time,
                 r->closest.certified ? "" : ", an estimate");
    if (r->status == WIT_PAIR_CLASH && !(r->closest.distance < 0)) out_text(o, "            depth not known\n");
    if (r->touched && moves(t))
        out_text(o, "            first touch %.9g .. %.9g s\n", r->first_touch.lo, r->first_touch.hi);
    for (int i = 0; moves(t) && i < r->interval_count; i++)
        out_text(o, "            %s from %.9g s%s to %.9g s%s\n", x[i].open ? "not known" : "within", x[i].enters.lo,
                 x[i].from_start ? " (the start)" : "", x[i].leaves.hi, x[i].to_end ? " (the end)" : "");
    if (!r->complete) out_text(o, "            NOT proved between all moments: %s\n", why(r));
}

void clearance_text(out* o, const clearance_task* t, const clearance_found* f)
{
    const char* unit = unit_of(t);
    const char* space = unit[0] ? " " : "";
    const char* name = wit_assembly_scene_name(t->scene);
    out_text(o, "assembly    %s%s%d bodies, %lld pairs", name, name[0] ? ": " : "", t->def.body_count,
             (long long)f->asked);
    if (moves(t)) out_text(o, ", from %.9g s to %.9g s", t->def.from, t->def.to);
    out_text(o, "\nwithin      %.9g%s%s: %lld pairs looked into, the other %lld proved apart by their boxes\n",
             t->def.threshold, space, unit, (long long)f->count, (long long)(f->asked - f->count));
    for (int k = 0; k < WIT_PAIR_STATUS_COUNT; k++)
        out_text(o, "%-11s %lld\n", wit_pair_status_name((wit_pair_status)k), (long long)f->of[k]);
    if (f->approved) out_text(o, "approved    %lld of these\n", (long long)f->approved);
    if (f->incomplete) out_text(o, "not proved  %lld of these between all moments\n", (long long)f->incomplete);
    static const int order[] = {WIT_PAIR_CLASH, WIT_PAIR_CONTACT, WIT_PAIR_CLEARANCE, WIT_PAIR_NOT_CHECKED,
                                WIT_PAIR_CLEAR};
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        for (int64_t i = 0; i < f->count; i++)
            if (f->reports[i].status == (wit_pair_status)order[k] && shown(t, &f->reports[i]))
                put_pair(o, t, &f->reports[i], f->intervals + i * CLEARANCE_INTERVALS);
    for (int k = 0; k < t->rule_count; k++) {
        const clearance_rule* r = &t->rules[k];
        out_text(o, "required    %s: more than %.9g%s%s", r->name, r->clearance, space, unit);
        if (r->a) out_text(o, " between %s and %s", r->a, r->b);
        out_text(o, ": %s", verdict_name(r->verdict));
        if (r->worst >= 0)
            out_text(o, " by %s, %s", name_of(t, f->reports[r->worst].a), name_of(t, f->reports[r->worst].b));
        out_text(o, "\n");
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void json_range(out* o, const char* key, double lo, double hi)
{
    const double x[2] = {lo, hi};
    out_put_numbers(o, key, x, 2);
}

static void json_vector(out* o, const char* key, wit_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z};
    out_put_numbers(o, key, x, 3);
}

static void json_side(out* o, const clearance_task* t, const wit_pair_report* r, int side)
{
    char feature[64];
    int body = side ? r->b : r->a;
    const wit_witness* w = side ? &r->closest.b : &r->closest.a;
    out_open(o, side ? "b" : "a", '{');
    out_put_string(o, "body", name_of(t, body));
    out_put_string(o, "group", wit_assembly_scene_body_group(t->scene, body));
    if (placed(r)) {
        feature_of(t, r, side, feature, sizeof feature);
        out_put_string(o, "feature", wit_feature_kind_name(w->feature));
        out_put_integer(o, "id", w->id);
        out_put_string(o, "name", feature);
        json_vector(o, "point", w->point);
    }
    out_close(o, '}');
}

static void json_pair(out* o, const clearance_task* t, const wit_pair_report* r, const wit_pair_interval* x)
{
    out_text(o, o->comma ? ",\n  " : "\n  ");
    o->comma = false;
    out_open(o, NULL, '{');
    out_put_string(o, "status", wit_pair_status_name(r->status));
    out_put_bool(o, "approved", clearance_approved(t, r));
    out_put_bool(o, "proved", r->complete);
    out_put_string(o, "reason", why(r));
    json_side(o, t, r, 0);
    json_side(o, t, r, 1);
    json_range(o, "least", r->lower_bound, r->upper_bound);
    out_put_number(o, "time", isfinite(r->upper_bound) ? r->time : NAN);
    out_put_number(o, "distance", placed(r) ? r->closest.distance : NAN);
    if (r->touched) json_range(o, "first_touch", r->first_touch.lo, r->first_touch.hi);
    out_open(o, "intervals", '[');
    for (int i = 0; i < r->interval_count; i++) {
        out_open(o, NULL, '{');
        json_range(o, "enters", x[i].enters.lo, x[i].enters.hi);
        json_range(o, "leaves", x[i].leaves.lo, x[i].leaves.hi);
        out_put_bool(o, "from_start", x[i].from_start);
        out_put_bool(o, "to_end", x[i].to_end);
        out_put_bool(o, "open", x[i].open);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_put_integer(o, "queries", r->queries);
    out_put_integer(o, "work", r->work.units);
    out_close(o, '}');
}

void clearance_json(out* o, const clearance_task* t, const clearance_found* f)
{
    out_open(o, NULL, '{');
    out_put_string(o, "format", "witness-clearance");
    out_put_integer(o, "version", 1);
    out_put_string(o, "assembly", wit_assembly_scene_name(t->scene));
    out_put_string(o, "unit", wit_unit_name(wit_assembly_scene_unit(t->scene)));
    json_range(o, "from_to", t->def.from, t->def.to);
    out_put_number(o, "within", t->def.threshold);
    out_put_number(o, "contact", t->def.contact);
    out_put_integer(o, "bodies", t->def.body_count);
    out_put_integer(o, "asked", f->asked);
    out_put_integer(o, "looked_into", f->count);
    out_open(o, "count", '{');
    for (int k = 0; k < WIT_PAIR_STATUS_COUNT; k++)
        out_put_integer(o, wit_pair_status_name((wit_pair_status)k), f->of[k]);
    out_close(o, '}');
    out_open(o, "required", '[');
    for (int k = 0; k < t->rule_count; k++) {
        const clearance_rule* r = &t->rules[k];
        out_open(o, NULL, '{');
        out_put_string(o, "name", r->name);
        out_put_number(o, "clearance", r->clearance);
        out_put_string(o, "verdict", verdict_name(r->verdict));
        if (r->a) out_put_string(o, "a", r->a);
        if (r->b) out_put_string(o, "b", r->b);
        out_close(o, '}');
    }
    out_close(o, ']');
    out_open(o, "pairs", '[');
    for (int64_t i = 0; i < f->count; i++)
        if (shown(t, &f->reports[i])) json_pair(o, t, &f->reports[i], f->intervals + i * CLEARANCE_INTERVALS);
    out_close(o, ']');
    out_close(o, '}');
    out_text(o, "\n");
}

/* ---- CSV ------------------------------------------------------------------------------------ */

/* A cell of text: in quotes, doubled within; a leading = + - @ would be a formula of the spreadsheet. */
static void cell(out* o, const char* text)
{
    out_text(o, ",\"%s", text[0] && strchr("=+-@", text[0]) ? "'" : "");
    for (; *text; text++) out_text(o, *text == '"' ? "\"\"" : "%c", *text);
    out_text(o, "\"");
}

/* Empty where there is no number. */
static void number(out* o, double x)
{
    if (isfinite(x))
        out_text(o, ",%.12g", x + 0.0);
    else
        out_text(o, ",");
}

void clearance_csv(out* o, const clearance_task* t, const clearance_found* f)
{
    out_text(o, "status,approved,proved,a,b,least_lower,least_upper,time,first_touch,enters,leaves,intervals,feature_a,"
                "feature_b,reason\n");
    for (int64_t i = 0; i < f->count; i++) {
        const wit_pair_report* r = &f->reports[i];
        const wit_pair_interval* x = f->intervals + i * CLEARANCE_INTERVALS;
        if (!shown(t, r)) continue;
        out_text(o, "%s,%s,%s", wit_pair_status_name(r->status), clearance_approved(t, r) ? "yes" : "no",
                 r->complete ? "yes" : "no");
        cell(o, name_of(t, r->a));
        cell(o, name_of(t, r->b));
        number(o, r->lower_bound);
        number(o, r->upper_bound);
        number(o, isfinite(r->upper_bound) ? r->time : NAN);
        number(o, r->touched ? r->first_touch.lo : NAN);
        number(o, r->interval_count ? x[0].enters.lo : NAN);
        number(o, r->interval_count ? x[r->interval_count - 1].leaves.hi : NAN);
        out_text(o, ",%d", r->interval_count);
        for (int k = 0; k < 2; k++) {
            char feature[64];
            feature_of(t, r, k, feature, sizeof feature);
            cell(o, feature);
        }
        cell(o, why(r));
        out_text(o, "\n");
    }
}
