/* SPDX-License-Identifier: MIT */
#include "lab_pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/base/vec.h"

/* Of a printed distance: five decimals, of which zeros at the end were dropped. */
static const double distance_error = 5e-6;
static const double degree = 3.14159265358979323846 / 180;

wit_pose pen_pose(const pen_table* table, double at)
{
    wit_pose pose = wit_pose_identity();
    pose.position = table->turns ? vec3(0, -4, 12) : vec3(0, -4 + at, 12 - at);
    if (table->turns) pose.rotation = wit_quat_about(vec3(1, 0, 0), at * degree);
    return pose;
}

const char* pen_feature(const wit_body* body, const wit_witness* w)
{
    const char* name = w->feature == WIT_FACE     ? wit_body_face(body, w->id).name
                       : w->feature == WIT_EDGE   ? wit_body_edge(body, w->id).name
                       : w->feature == WIT_VERTEX ? wit_body_vertex(body, w->id).name
                                                  : "";
    return name[0] ? name : wit_feature_kind_name(w->feature);
}

/* ---- what was printed ------------------------------------------------------------------------------------------ */

/* By how much a printed coordinate may differ from the true one: half a unit of its last digit; coordinates with fewer
 * than two decimals are taken as exact to 0.005. */
static double print_error(const char* text)
{
    const char* point = strchr(text, '.');
    size_t decimals = point ? strlen(point + 1) : 0;
    double error = 0.5;
    if (decimals < 2) decimals = 2;
    while (decimals-- > 0) error /= 10;
    return error;
}

static wit_vec3 printed(const char* const* p)
{
    return vec3(strtod(p[0], NULL), strtod(p[1], NULL), strtod(p[2], NULL));
}

/* 0: not the same; 1: to all printed digits; 2: only if the paper cut digits off. */
static int same_coordinate(const char* text, double x)
{
    double p = strtod(text, NULL), e = print_error(text);
    if (fabs(x - p) <= 1.0001 * e) return 1;
    return fabs(x) > fabs(p) && fabs(x - p) < 2 * e ? 2 : 0;
}

/* Of all three; false for what is not a point. */
static int same_point(const char* const* text, wit_vec3 x)
{
    if (!text[0]) return 0;
    int c[3] = {same_coordinate(text[0], x.x), same_coordinate(text[1], x.y), same_coordinate(text[2], x.z)};
    return c[0] && c[1] && c[2] ? (c[0] == 2 || c[1] == 2 || c[2] == 2 ? 2 : 1) : 0;
}

/* ---- our answer ------------------------------------------------------------------------------------------------ */

static wit_status closest_at(pen_lab* lab, const pen_table* table, double at, wit_closest* out)
{
    wit_placed pen = wit_placed_at(lab->pen, pen_pose(table, at));
    wit_placed bowl = wit_placed_at(lab->bowl, wit_pose_identity());
    return wit_closest_pair(lab->query, &pen, &bowl, out);
}

/* Distance to the paper's points, to choose among tied pairs. */
static double off_paper(const pen_row* row, wit_vec3 pen, wit_vec3 bowl)
{
    double d = norm3(sub3(pen, printed(row->pen)));
    return row->bowl[0] ? fmax(d, norm3(sub3(bowl, printed(row->bowl)))) : d;
}

wit_status pen_solve(pen_lab* lab, const pen_table* table, const pen_row* row, pen_answer* out)
{
    memset(out, 0, sizeof *out);
    wit_pose pose = pen_pose(table, row->at);
    wit_placed pen = wit_placed_at(lab->pen, pose), bowl = wit_placed_at(lab->bowl, wit_pose_identity());
    wit_minima_summary summary = {0};
    wit_status status = wit_closest_pair(lab->query, &pen, &bowl, &out->closest);
    if (!status) status = wit_minima_pair(lab->query, &pen, &bowl, out->minima, PEN_MINIMA, &summary);
    if (status) return status;
    out->minima_count = summary.count < PEN_MINIMA ? summary.count : PEN_MINIMA;
    out->pen = wit_pose_unpoint(&pose, out->closest.a.point);
    out->bowl = out->closest.b.point;
    double best = off_paper(row, out->pen, out->bowl);
    for (int i = 0; i < out->minima_count; i++) {
        const wit_minimum* m = &out->minima[i];
        if (m->distance > out->closest.distance + 1e-9) continue;
        out->tied++;
        wit_vec3 p = wit_pose_unpoint(&pose, m->a.point);
        double d = off_paper(row, p, m->b.point);
        /* Mirrored pairs are as near: the one with x > 0, whichever was found first. */
        if (!(d < best - 1e-9 || (d < best + 1e-9 && m->b.point.x > out->bowl.x + 1e-9))) continue;
        best = d;
        out->pen = p;
        out->bowl = m->b.point;
        out->closest.a = m->a;
        out->closest.b = m->b;
        out->closest.normal = m->normal;
    }
    return WIT_OK;
}

/* ---- the verdict ----------------------------------------------------------------------------------------------- */

/* The pair as printed: how far apart its points are at this pose, and whether each is the point of its body nearest to
 * the other. Such a pair that is no minimum is a saddle. */
static wit_status judge_printed_pair(pen_lab* lab, const pen_table* table, const pen_row* row, double* apart,
                                     bool* mutual)
{
    wit_pose pose = pen_pose(table, row->at);
    wit_placed pen = wit_placed_at(lab->pen, pose), bowl = wit_placed_at(lab->bowl, wit_pose_identity());
    wit_vec3 p = wit_pose_point(&pose, printed(row->pen)), b = printed(row->bowl);
    wit_closest from_p, from_b;
    wit_status status = wit_closest_point(lab->query, &bowl, p, &from_p);
    if (!status) status = wit_closest_point(lab->query, &pen, b, &from_b);
    if (status) return status;
    *apart = norm3(sub3(p, b));
    /* Points are printed to 0.005 and better. */
    *mutual = norm3(sub3(from_p.a.point, b)) < 0.005 && norm3(sub3(from_b.a.point, p)) < 0.005;
    return WIT_OK;
}

/* Is there a local minimum at the printed pair? */
static bool is_minimum(const pen_table* table, const pen_row* row, const pen_answer* x)
{
    wit_pose pose = pen_pose(table, row->at);
    for (int i = 0; i < x->minima_count; i++) {
        wit_vec3 p = wit_pose_unpoint(&pose, x->minima[i].a.point);
        if (off_paper(row, p, x->minima[i].b.point) < 0.005) return true;
    }
    return false;
}

/*
 * A value that belongs to another place of the path: the first `at` of those within 0.25 on both sides, in steps of
 * 0.01, where the distance and both points are the printed ones. False: none.
 */
static bool elsewhere(pen_lab* lab, const pen_table* table, const pen_row* row, double* at, bool* cut)
{
    for (int k = 1; k <= 50; k++) {
        double t = row->at + (k % 2 ? 1 : -1) * 0.01 * ((k + 1) / 2);
        wit_closest c;
        if (closest_at(lab, table, t, &c) || fabs(c.distance - row->distance) > distance_error) continue;
        wit_pose pose = pen_pose(table, t);
        int pen = same_point(row->pen, wit_pose_unpoint(&pose, c.a.point)), bowl = same_point(row->bowl, c.b.point);
        if (!pen || !bowl) continue;
        *at = t;
        *cut = pen == 2 || bowl == 2;
        return true;
    }
    return false;
}

static wit_status judge_distance(pen_lab* lab, const pen_table* table, const pen_row* row, pen_answer* x)
{
    double at = 0, apart = 0;
    bool cut = false, mutual = false;
    snprintf(x->reason, sizeof x->reason, "WRONG");
    if (row->circle) return WIT_OK;
    if (elsewhere(lab, table, row, &at, &cut)) {
        snprintf(x->reason, sizeof x->reason, "WRONG: the value of %s = %g%s", table->parameter, at,
                 cut ? ", a digit cut off in the point" : "");
        return WIT_OK;
    }
    wit_status status = judge_printed_pair(lab, table, row, &apart, &mutual);
    if (status) return status;
    if (mutual && fabs(apart - row->distance) < 0.005 && !is_minimum(table, row, x))
        snprintf(x->reason, sizeof x->reason, "WRONG: a saddle%s%s",
                 fabs(x->bowl.x) > 1e-6 ? "; the minimum is off the plane x = 0" : "",
                 x->tied == 2 ? ", on both sides" : "");
    return WIT_OK;
}

/* What the printed point is instead: half of ours, or the point of another row. */
static void judge_points(const pen_table* table, pen_answer* answers, int index, bool pen_right, bool bowl_right)
{
    const pen_row* row = &table->rows[index];
    pen_answer* x = &answers[index];
    char text[96] = "";
    if (!pen_right && same_point(row->pen, scale3(0.5, x->pen)) == 1) {
        snprintf(text, sizeof text, "pen point halved");
    } else if (!pen_right) {
        snprintf(text, sizeof text, "pen point wrong");
    }
    if (row->circle && !bowl_right) {
        snprintf(text, sizeof text, "the circle was not found");
        bowl_right = true;
    }
    for (int k = index - 1; !bowl_right && k <= index + 1; k += 2) { /* a neighbour's, as found or as printed */
        if (k < 0 || k >= table->count || !table->rows[k].bowl[0]) continue;
        bool found = same_point(row->bowl, answers[k].bowl) == 1;
        bool copied = !strcmp(row->bowl[1], table->rows[k].bowl[1]) && !strcmp(row->bowl[2], table->rows[k].bowl[2]);
        if (!found && !copied) continue;
        snprintf(text, sizeof text, "bowl point shifted: that of row %g", table->rows[k].at);
        bowl_right = true;
    }
    if (!bowl_right) snprintf(text, sizeof text, "bowl point wrong");
    snprintf(x->reason, sizeof x->reason, "distance right, %s", text);
}

wit_status pen_judge(pen_lab* lab, const pen_table* table, pen_answer* answers, int index)
{
    const pen_row* row = &table->rows[index];
    pen_answer* x = &answers[index];
    double difference = row->distance - x->closest.distance;
    x->distance_right = fabs(difference) <= 1.0001 * distance_error;
    bool circle =
        x->closest.outcome == WIT_OUTCOME_NOT_UNIQUE && x->closest.set.dimension == 1 && x->closest.set.closed[0];
    bool pen_right = same_point(row->pen, x->pen) != 0;
    bool bowl_right = row->bowl[0] ? same_point(row->bowl, x->bowl) != 0 : circle;
    x->points_differ = !pen_right || !bowl_right;
    if (!x->distance_right) return judge_distance(lab, table, row, x);
    if (x->points_differ)
        judge_points(table, answers, index, pen_right, bowl_right);
    else if (row->circle)
        snprintf(x->reason, sizeof x->reason, "right: all of a circle");
    else if (x->tied > 1)
        snprintf(x->reason, sizeof x->reason, "right; one of %d pairs that tie", x->tied);
    else
        snprintf(x->reason, sizeof x->reason,
                 x->closest.outcome == WIT_OUTCOME_TOUCHING ? "right: they touch" : "right");
    return WIT_OK;
}
