/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "closest.h"

/* Rounding noise beside numbers of that size is shown as 0: it is below the digits that are printed. */
static double tidy(double x, double size)
{
    return fabs(x) <= 1e-12 * size ? 0 : x;
}

static void vector(out* o, wit_vec3 p, double size)
{
    size = fmax(size, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    out_text(o, "(%.10g, %.10g, %.10g)", tidy(p.x, size), tidy(p.y, size), tidy(p.z, size));
}

/* " mm", or nothing. */
static void unit(out* o, const closest_task* task)
{
    if (task->unit[0]) out_text(o, " %s", task->unit);
}

static void line(out* o, const char* key)
{
    out_text(o, "%-10s", key);
}

static void witness(out* o, const closest_task* task, int side, const wit_witness* w)
{
    const wit_body* body = task->side[side].body;
    if (w->feature == WIT_POINT || w->id < 0 || !body) {
        if (body)
            out_text(o, "%s: a point inside, ", task->side[side].name);
        else
            out_text(o, "the point ");
    } else {
        const char* name = closest_feature_name(task, side, w);
        bool face = w->feature == WIT_FACE;
        wit_face_info f = wit_body_face(body, face ? w->id : -1);
        wit_interval u = face ? f.u : wit_body_edge(body, w->feature == WIT_EDGE ? w->id : -1).range;
        double at_u = tidy(w->u, u.hi - u.lo), at_v = tidy(w->v, f.v.hi - f.v.lo);
        out_text(o, "%s: %s %d", task->side[side].name, wit_feature_kind_name(w->feature), w->id);
        if (name[0]) out_text(o, " \"%s\"", name);
        if (face) out_text(o, " at u = %.10g, v = %.10g", at_u, at_v);
        if (w->feature == WIT_EDGE) out_text(o, " at u = %.10g", at_u);
        out_text(o, ", point ");
    }
    vector(o, w->point, task->size);
}

static void set_text(out* o, const closest_task* task, const wit_closest_set* set)
{
    for (int i = 0; i < set->dimension; i++) {
        line(o, i ? "" : "set");
        out_text(o, "%s along ", i ? "and" : set->dimension == 1 ? "a curve" : "an area");
        vector(o, set->direction[i], 1);
        if (set->closed[i])
            out_text(o, ", closed, length %.6g", set->extent[i].hi - set->extent[i].lo);
        else if (isinf(set->extent[i].lo) || isinf(set->extent[i].hi))
            out_text(o, ", without end");
        else
            out_text(o, ", from %.6g to %.6g", set->extent[i].lo, set->extent[i].hi + 0.0);
        if (!isinf(set->extent[i].hi - set->extent[i].lo)) unit(o, task);
        out_text(o, "\n");
    }
}

static void work_text(out* o, const wit_work* work)
{
    line(o, "work");
    out_text(o, "%lld nodes, %lld jets, %lld Newton run%s, %lld open at most\n", (long long)work->nodes,
             (long long)work->jets, (long long)work->solves, work->solves == 1 ? "" : "s", (long long)work->peak);
}

static void overlap_text(out* o, const wit_closest* c)
{
    if (c->certified && c->distance < 0)
        out_text(o, "overlapping: b leaves a by the shortest way along the normal");
    else if (c->upper_bound < 0)
        out_text(o, "overlapping: b leaves a along the normal; shorter ways are not excluded, see the bracket");
    else if (c->distance < 0)
        out_text(
            o, "overlapping: the deepest contact that was found; the lower bound is a way that surely separates them");
    else
        out_text(o, "overlapping: the two share the point; %s",
                 c->lower_bound < 0 ? "no single contact of theirs was found" : "crossing sheets have no depth");
}

static void outcome_text(out* o, const closest_task* task, const wit_closest* c)
{
    line(o, "outcome");
    switch (c->outcome) {
    case WIT_OUTCOME_CONVERGED:
        out_text(o, "converged: no other pair is closer");
        break;
    case WIT_OUTCOME_NOT_UNIQUE:
        out_text(o, "not unique: the closest points form %s; this pair is one of them",
                 c->set.dimension == 2 ? "an area" : "a curve");
        break;
    case WIT_OUTCOME_TOUCHING:
        out_text(o, "touching: the distance is zero within the tolerance");
        break;
    case WIT_OUTCOME_OVERLAPPING:
        overlap_text(o, c);
        break;
    case WIT_OUTCOME_BEYOND:
        out_text(o, "beyond: farther than the cut-off %.15g", task->def.within);
        unit(o, task);
        break;
    case WIT_OUTCOME_BUDGET:
        out_text(o, "budget: work or memory ended first; the bracket holds, --budget N narrows it (now %lld)",
                 (long long)task->def.budget);
        break;
    case WIT_OUTCOME_EMPTY:
        out_text(o, "empty: no feature is left to measure");
        break;
    default:
        out_text(o, "?");
    }
    out_text(o, "\n");
}

/* Why an answer is not certified, in words, and what helps. */
static const char* reason_text(wit_reason reason)
{
    static const char* const words[WIT_REASON_COUNT] = {
        [WIT_REASON_BUDGET] = "the work allowed was used up (--budget N)",
        [WIT_REASON_MEMORY] = "the memory for open pieces was used up",
        [WIT_REASON_SPREAD] = "the closest points form a curve or an area, around which bounds close slowly",
        [WIT_REASON_SIGN] = "inside or outside is not proved",
        [WIT_REASON_PREMISE] = "the depth of solids that are not proved convex is that of the contacts found",
        [WIT_REASON_MODEL] = "the model's own tolerance is an estimate, or wider than what --strict asks for",
        [WIT_REASON_ROUNDING] = "rounding of the coordinates is wider than the tolerance",
    };
    return words[reason] ? words[reason] : "?";
}

/* The bracket, and whether it is as narrow as asked. */
static void bracket_text(out* o, const closest_task* task, const wit_closest* c)
{
    line(o, "bracket");
    out_text(o, "%.15g .. %.15g", c->lower_bound + 0.0, c->upper_bound + 0.0); /* no -0 */
    unit(o, task);
    double width = c->upper_bound - c->lower_bound;
    if (isfinite(width)) out_text(o, ", width %.2g", width);
    double scale = fabs(c->distance) > task->size && isfinite(c->distance) ? fabs(c->distance) : task->size;
    const char *of = scale > task->size ? "the distance" : "the size",
               *counted = task->def.rigorous ? ", rounding counted" : "";
    if (c->certified && width > task->def.tolerance * scale && c->model_tolerance > task->def.tolerance * scale) {
        out_text(o, "; certified to %.2g", width);
        unit(o, task);
        out_text(o, ", the model's own tolerance there%s\n", counted);
        return;
    }
    out_text(o, c->certified ? "; certified" : "; NOT certified");
    out_text(o, " to %g of %s%s\n", task->def.tolerance, of, counted);
    if (c->certified || c->reason == WIT_REASON_NONE) return;
    line(o, "because");
    out_text(o, "%s\n", reason_text(c->reason));
}

static void sign_text(out* o, const wit_closest* c)
{
    static const char* const how[] = {
        [WIT_SIGN_NORMAL] = "by the normal of the face",
        [WIT_SIGN_CONE] = "by the normals around the edge or vertex",
        [WIT_SIGN_WINDING] = "by the winding number, since the normals do not decide",
    };
    if (c->sign == WIT_SIGN_NONE || c->sign >= WIT_SIGN_COUNT) return;
    line(o, "sign");
    out_text(o, "the point is %s, %s\n",
             c->distance < 0   ? "inside"
             : c->distance > 0 ? "outside"
                               : "on the surface",
             how[c->sign]);
}

static void minima_text(out* o, const closest_task* task, const closest_worker* worker, const wit_minima_summary* sum)
{
    int kept = sum->count < worker->capacity ? sum->count : worker->capacity;
    out_text(o, "%d local minim%s", sum->count, sum->count == 1 ? "um" : "a");
    if (isfinite(task->def.within)) {
        out_text(o, " within %.15g", task->def.within);
        unit(o, task);
    }
    out_text(o, sum->complete ? "; complete: there is no other\n"
                              : "; NOT complete: work ended before others were excluded (--budget N)\n");
    if (sum->overlapping) out_text(o, "The two overlap; pairs at distance 0 are not listed.\n");
    for (int i = 0; i < kept; i++) {
        const wit_minimum* m = &worker->minima[i];
        out_text(o, "\n%d\n", i + 1);
        line(o, "distance");
        out_text(o, "%.15g", m->distance);
        unit(o, task);
        out_text(o, m->set.dimension == 0 ? "" : m->set.dimension == 1 ? ", a curve of them" : ", an area of them");
        out_text(o, m->proved ? "; proved to be the only one around\n" : "; found, its surroundings not proved\n");
        line(o, "a");
        witness(o, task, 0, &m->a);
        out_text(o, "\n");
        line(o, "b");
        witness(o, task, 1, &m->b);
        out_text(o, "\n");
        line(o, "normal");
        vector(o, m->normal, 1);
        out_text(o, "\n");
        set_text(o, task, &m->set);
    }
    out_text(o, "\n");
    work_text(o, &sum->work);
}

void closest_text(out* o, const closest_task* task, const closest_worker* worker, const closest_answer* answer)
{
    const wit_closest* c = &answer->closest;
    if (task->all) {
        minima_text(o, task, worker, &answer->summary);
        return;
    }
    bool found = closest_found(c);
    line(o, "distance");
    if (found) {
        out_text(o, "%.15g", c->distance);
        unit(o, task);
        out_text(o, "\n");
    } else {
        out_text(o, c->outcome == WIT_OUTCOME_BEYOND ? "not looked for\n" : "none\n");
    }
    bracket_text(o, task, c);
    outcome_text(o, task, c);
    if (found) {
        for (int i = 0; i < 2; i++) {
            line(o, i ? "b" : "a");
            witness(o, task, i, i ? &c->b : &c->a);
            out_text(o, "\n");
        }
        line(o, "normal");
        vector(o, c->normal, 1);
        out_text(o, ", from a to b\n");
        set_text(o, task, &c->set);
        sign_text(o, c);
    }
    work_text(o, &c->work);
}

void closest_contacts_text(out* o, const closest_task* task, const closest_contact_list* list)
{
    out_text(o, "%d contact%s within %.15g", list->count, list->count == 1 ? "" : "s", list->within);
    unit(o, task);
    out_text(o, list->state.complete ? "; complete: no minimum within it is left out\n"
                                     : "; NOT proved to be complete: others may be missing\n");
    if (list->result.outcome != WIT_OUTCOME_CONVERGED)
        out_text(o, "The search ended %s: what is listed, if anything, is not settled.\n",
                 wit_outcome_name(list->result.outcome));
    for (int i = 0; i < list->count; i++) {
        const wit_tracked_contact* c = &list->c[i];
        int points = 0;
        for (int k = 0; k < list->count; k++) points += list->c[k].group == c->group;
        out_text(o, "\n%d\n", i + 1);
        line(o, "distance");
        out_text(o, "%.15g", tidy(c->distance, task->size));
        unit(o, task);
        if (points > 1) out_text(o, "; one of %d points that hold contact %lld", points, (long long)c->group);
        out_text(o, "\n");
        for (int k = 0; k < 2; k++) {
            line(o, k ? "b" : "a");
            witness(o, task, k, k ? &c->b : &c->a);
            out_text(o, "\n");
        }
        line(o, "normal");
        vector(o, c->normal, 1);
        out_text(o, "\n");
    }
    out_text(o, "\n");
    work_text(o, &list->result.work);
}

/* ---- batches ---------------------------------------------------------------------------------------------------- */

void closest_row_head(out* o, const closest_task* task)
{
    out_text(o, "%7s  %22s  %8s  %-11s  %-*s", "line", "distance", task->all ? "of" : "width", "outcome",
             task->width[0], "a");
    if (task->pair) out_text(o, "  %-*s", task->width[1], "b");
    out_text(o, "  %s\n", task->pair ? "point of a; point of b" : "point of a");
}

static void feature_cell(out* o, const closest_task* task, int side, const wit_witness* w, bool found)
{
    char text[320] = "-";
    const char* name = found ? closest_feature_name(task, side, w) : "";
    if (found && name[0]) snprintf(text, sizeof text, "%s %s", wit_feature_kind_name(w->feature), name);
    if (found && !name[0] && w->id < 0) snprintf(text, sizeof text, "a point");
    if (found && !name[0] && w->id >= 0) snprintf(text, sizeof text, "%s %d", wit_feature_kind_name(w->feature), w->id);
    /* The last cell of a line has no blanks behind it. */
    bool last = !found && side == (task->pair ? 1 : 0);
    out_text(o, "  %-*.*s", last ? 0 : task->width[side], task->width[side], text);
}

static void pair_cells(out* o, const closest_task* task, const wit_witness* a, const wit_witness* b, bool found)
{
    feature_cell(o, task, 0, a, found);
    if (task->pair) feature_cell(o, task, 1, b, found);
    if (found) {
        out_text(o, "  ");
        vector(o, a->point, task->size);
        if (task->pair) {
            out_text(o, "; ");
            vector(o, b->point, task->size);
        }
    }
    out_text(o, "\n");
}

void closest_row(out* o, const closest_task* task, const closest_worker* worker, const closest_question* question,
                 const closest_answer* answer)
{
    const wit_closest* c = &answer->closest;
    if (!task->all) {
        char distance[48];
        bool found = closest_found(c);
        snprintf(distance, sizeof distance, "%s%.15g", found ? "" : "> ", found ? c->distance : c->lower_bound);
        out_text(o, "%7ld  %22s  %8.1e  %-11s", question->line, distance, c->upper_bound - c->lower_bound,
                 wit_outcome_name(c->outcome));
        pair_cells(o, task, &c->a, &c->b, closest_found(c));
        return;
    }
    int count = answer->summary.count, kept = count < worker->capacity ? count : worker->capacity;
    const char* whole = answer->summary.complete ? "" : "+"; /* perhaps more */
    char of[32];
    if (kept == 0) out_text(o, "%7ld  %22s  %7d%s  %s\n", question->line, "-", count, whole[0] ? whole : " ", "none");
    for (int i = 0; i < kept; i++) {
        const wit_minimum* m = &worker->minima[i];
        snprintf(of, sizeof of, "%d/%d%s", i + 1, count, whole);
        out_text(o, "%7ld  %22.15g  %8s  %-11s", question->line, m->distance, of,
                 m->set.dimension ? "continuum" : "minimum");
        pair_cells(o, task, &m->a, &m->b, true);
    }
}

void closest_sum_add(closest_sum* sum, const closest_task* task, long line_number, const closest_answer* answer)
{
    const wit_closest* c = &answer->closest;
    const wit_work* work = task->all ? &answer->summary.work : &c->work;
    if (sum->queries++ == 0) sum->least = HUGE_VAL, sum->largest = -HUGE_VAL;
    sum->nodes += work->nodes;
    if (work->nodes > sum->most_nodes) {
        sum->most_nodes = work->nodes;
        sum->most_nodes_line = line_number;
    }
    if (task->all) {
        sum->complete += answer->summary.complete;
        sum->minima += answer->summary.count;
        return;
    }
    sum->outcomes[c->outcome]++;
    sum->certified += c->certified;
    sum->reasons[c->reason]++;
    if (!closest_found(c)) return;
    if (c->distance < sum->least) sum->least = c->distance, sum->least_line = line_number;
    if (c->distance > sum->largest) sum->largest = c->distance, sum->largest_line = line_number;
}

void closest_sum_text(out* o, const closest_task* task, const closest_sum* sum)
{
    out_text(o, "\n%ld quer%s: ", sum->queries, sum->queries == 1 ? "y" : "ies");
    if (task->all) {
        out_text(o, "%ld minima, complete in %ld", sum->minima, sum->complete);
    } else {
        const char* comma = "";
        for (int i = 0; i < WIT_OUTCOME_COUNT; i++) {
            if (!sum->outcomes[i]) continue;
            out_text(o, "%s%ld %s", comma, sum->outcomes[i], wit_outcome_name((wit_outcome)i));
            comma = ", ";
        }
        out_text(o, "%s%ld certified", comma, sum->certified);
        for (int i = WIT_REASON_NONE + 1; i < WIT_REASON_COUNT; i++)
            if (sum->reasons[i])
                out_text(o, "; not certified: %ld (%s)", sum->reasons[i], wit_reason_name((wit_reason)i));
    }
    out_text(o, "\n");
    if (sum->least_line && sum->least <= sum->largest) {
        out_text(o, "least distance %.15g", sum->least);
        unit(o, task);
        out_text(o, " at line %ld, largest %.15g", sum->least_line, sum->largest);
        unit(o, task);
        out_text(o, " at line %ld\n", sum->largest_line);
    }
    if (sum->queries)
        out_text(o, "work: %.0f nodes on average, at most %lld at line %ld\n",
                 (double)sum->nodes / (double)sum->queries, (long long)sum->most_nodes, sum->most_nodes_line);
}
