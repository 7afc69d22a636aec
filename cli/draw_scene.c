/* SPDX-License-Identifier: MIT */
/* From a list of faces, lines and dots to a page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/geom/shape.h"
#include "draw.h"

enum { MARGIN_SIDE = 60, MARGIN_TOP = 84, MARGIN_BOTTOM = 96, MARGIN_WAYS = 168 };

bool scene_room(scene* s, int patches, int lines, int dots)
{
    s->patches = calloc((size_t)patches + 1, sizeof *s->patches);
    s->lines = calloc((size_t)lines + 1, sizeof *s->lines);
    s->dots = calloc((size_t)dots + 1, sizeof *s->dots);
    if (!s->patches || !s->lines || !s->dots) return false;
    s->patch_count = patches;
    s->line_count = lines;
    s->dot_count = dots;
    return true;
}

void scene_free(scene* s)
{
    for (int i = 0; i < s->patch_count; i++) patch_free(&s->patches[i]);
    for (int i = 0; i < s->line_count; i++) free(s->lines[i].label);
    for (int i = 0; i < s->dot_count; i++) free(s->dots[i].label);
    free(s->patches);
    free(s->lines);
    free(s->dots);
    memset(s, 0, sizeof *s);
}

char* scene_label(const char* prefix, const char* name, char letter, int id)
{
    size_t room = strlen(prefix) + (name ? strlen(name) : 0) + 16;
    char* text = malloc(room);
    if (!text) return NULL;
    const char* dot = *prefix ? "." : "";
    if (name && *name)
        snprintf(text, room, "%s%s%s", prefix, dot, name);
    else
        snprintf(text, room, "%s%s%c%d", prefix, dot, letter, id);
    return text;
}

/* ---- where things stand ------------------------------------------------------------------------------- */

static wit_vec3 in_world(const scene* s, int stand, wit_vec3 p)
{
    return s->poses ? wit_pose_point(&s->poses[stand], p) : p;
}

/* The same eye, told in the axes of a body. */
static view seen_from(const scene* s, int stand, view v)
{
    if (!s->poses) return v;
    const wit_pose* pose = &s->poses[stand];
    v.right = wit_pose_unvector(pose, v.right);
    v.up = wit_pose_unvector(pose, v.up);
    v.toward = wit_pose_unvector(pose, v.toward);
    v.centre = wit_pose_unpoint(pose, v.centre);
    return v;
}

/* ---- fitting to the page ------------------------------------------------------------------------------ */

typedef struct extents {
    wit_vec3 lo, hi; /* along right, up, toward */
    bool any;
} extents;

static void extend(extents* e, const view* v, wit_vec3 p)
{
    wit_vec3 q = vec3(dot3(v->right, p), dot3(v->up, p), dot3(v->toward, p));
    if (!e->any) e->lo = e->hi = q;
    e->any = true;
    e->lo = vec3(fmin(e->lo.x, q.x), fmin(e->lo.y, q.y), fmin(e->lo.z, q.z));
    e->hi = vec3(fmax(e->hi.x, q.x), fmax(e->hi.y, q.y), fmax(e->hi.z, q.z));
}

static void extend_patch(extents* e, const view* v, const scene* s, const patch* p, int steps)
{
    for (int i = 0; i <= steps; i++) {
        for (int j = 0; j <= steps; j++) {
            double a = p->u.lo + (p->u.hi - p->u.lo) * i / steps, b = p->v.lo + (p->v.hi - p->v.lo) * j / steps;
            if (!patch_contains(p, a, b)) continue;
            wit_surface_jet jet;
            wit_surface_eval(p->surface, a, b, 0, NULL, &jet);
            extend(e, v, in_world(s, p->stand, jet.p));
        }
    }
}

static extents measure(const scene* s, const view* v)
{
    extents e = {{0, 0, 0}, {0, 0, 0}, false};
    int steps = s->patch_count > 500 ? 6 : 24;
    for (int i = 0; i < s->patch_count; i++) extend_patch(&e, v, s, &s->patches[i], steps);
    for (int i = 0; i < s->line_count; i++) {
        const scene_line* l = &s->lines[i];
        for (int k = 0; l->curve && k <= 64; k++) {
            wit_curve_jet jet;
            wit_curve_eval(l->curve, l->range.lo + (l->range.hi - l->range.lo) * k / 64, 0, NULL, &jet);
            extend(&e, v, in_world(s, l->stand, jet.p));
        }
    }
    for (int i = 0; i < s->dot_count; i++) extend(&e, v, in_world(s, s->dots[i].stand, s->dots[i].point));
    for (int i = 0; i < s->mark_count; i++) extend(&e, v, s->marks[i].point);
    for (int i = 0; i < s->room_count; i++) extend(&e, v, s->room[i]);
    for (int i = 0; i < s->way_count; i++)
        for (int k = 0; k < s->ways[i].count; k++) extend(&e, v, s->ways[i].p[k]);
    return e;
}

static view choose_view(const scene* s)
{
    /* From the front, the right and above: x runs to the right, y into the page, z up. */
    view v = {.toward = unit3(norm3(s->toward) > 0 ? s->toward : vec3(0.5, -0.78, 0.5)), .scale = 1};
    v.right = fabs(v.toward.z) > 1 - 1e-9 ? vec3(1, 0, 0) : unit3(cross3(vec3(0, 0, 1), v.toward));
    if (s->planar && s->patch_count) {
        const patch* p = &s->patches[0];
        wit_surface_jet jet;
        wit_surface_eval(p->surface, p->u.lo, p->v.lo, 0, NULL, &jet);
        v.right = unit3(jet.du);
        v.toward = unit3(cross3(jet.du, jet.dv));
        /* A plane of two axes is seen along the third, however its body has turned. */
        if (s->poses) v.toward = wit_pose_vector(&s->poses[p->stand], v.toward);
        if (s->poses)
            v.right = fabs(v.toward.z) > 1 - 1e-9 ? vec3(1, 0, 0) : wit_pose_vector(&s->poses[p->stand], v.right);
    }
    v.up = cross3(v.toward, v.right);
    extents e = measure(s, &v);
    double wide = e.hi.x - e.lo.x, high = e.hi.y - e.lo.y;
    /* with paths the legend is longer */
    double foot = s->way_count ? MARGIN_WAYS : MARGIN_BOTTOM;
    double room_x = PAGE_WIDTH - 2 * MARGIN_SIDE, room_y = PAGE_HEIGHT - MARGIN_TOP - foot;
    v.centre = add3(scale3((e.lo.x + e.hi.x) / 2, v.right), scale3((e.lo.y + e.hi.y) / 2, v.up));
    v.centre = addscaled3(v.centre, (e.lo.z + e.hi.z) / 2, v.toward);
    v.x = PAGE_WIDTH / 2.0;
    v.y = MARGIN_TOP + room_y / 2;
    /* Points alone have no size: any scale serves. Something thin is not blown up beyond its depth. */
    double least = 1e-3 * (e.hi.z - e.lo.z), fit = fmax(fmax(wide / room_x, high / room_y), least / room_x);
    v.scale = fit > 0 ? 1 / fit : 1;
    if (s->zoom > 1) {
        v.scale *= s->zoom;
        v.centre = s->middle;
    }
    return v;
}

/* ---- drawing ------------------------------------------------------------------------------------------ */

static label line_label(const char* text, trace_middle m)
{
    label l = {text, LABEL_EDGE, m.hidden, m.x, m.y, 0};
    return l;
}

static int draw_lines(picture* pic, const scene* s, label* labels)
{
    int count = 0;
    const view eye = pic->view;
    for (int i = 0; i < s->line_count; i++) {
        const scene_line* l = &s->lines[i];
        pic->view = seen_from(s, l->stand, eye);
        pic->second = s->second && s->second[l->stand];
        trace_middle m = l->curve ? draw_curve(pic, l->curve, l->range, l->style, l->label)
                                  : draw_iso(pic, &s->patches[l->patch], l->fixed, l->value, l->style, l->label);
        if (l->labelled && m.found) labels[count++] = line_label(l->label, m);
    }
    pic->second = false;
    pic->view = eye;
    return count;
}

static int draw_dots(picture* pic, const scene* s, label* labels)
{
    for (int i = 0; i < s->dot_count; i++) {
        spot at = view_point(&pic->view, in_world(s, s->dots[i].stand, s->dots[i].point));
        bool hidden = pic->hidden && hidden_test(pic->hidden, at);
        svg_dot(&pic->layers[LAYER_DOTS], hidden ? "vertex-hidden" : "vertex", at.x, at.y, 2.4, s->dots[i].label);
        labels[i] = (label){s->dots[i].label, LABEL_VERTEX, hidden, at.x, at.y, 0};
    }
    return s->dot_count;
}

/* A star of five points, 6 pixels. */
static void put_star(out* o, spot at)
{
    out d = {0};
    for (int k = 0; k <= 10; k++) {
        double r = k % 2 ? 2.4 : 6, a = 0.6283185307179586 * k, x = at.x + r * sin(a), y = at.y - r * cos(a);
        if (k)
            svg_line(&d, x, y);
        else
            svg_move(&d, x, y);
    }
    svg_path(o, "star", &d, NULL);
    out_free(&d);
}

static int draw_marks(picture* pic, const scene* s, label* labels)
{
    for (int i = 0; i < s->mark_count; i++) {
        spot at = view_point(&pic->view, s->marks[i].point);
        if (s->marks[i].star)
            put_star(&pic->layers[LAYER_DOTS], at);
        else if (!s->marks[i].bare)
            svg_dot(&pic->layers[LAYER_DOTS], "mark-dot", at.x, at.y, 3.2, s->marks[i].label);
        labels[i] = (label){s->marks[i].label, LABEL_MARK, false, at.x, at.y, 0};
    }
    return s->mark_count;
}

/* A point inside a face that is not visible: the nearest to the middle of its parameter box. */
static spot inner_spot(const patch* p, const view* v)
{
    double best = HUGE_VAL, u = (p->u.lo + p->u.hi) / 2, w = (p->v.lo + p->v.hi) / 2;
    for (int i = 0; i < 31; i++) {
        for (int j = 0; j < 31; j++) {
            double a = (i + 0.5) / 31, b = (j + 0.5) / 31, off = (a - 0.5) * (a - 0.5) + (b - 0.5) * (b - 0.5);
            double pu = p->u.lo + a * (p->u.hi - p->u.lo), pv = p->v.lo + b * (p->v.hi - p->v.lo);
            if (off >= best || !patch_contains(p, pu, pv)) continue;
            best = off;
            u = pu;
            w = pv;
        }
    }
    wit_surface_jet jet;
    wit_surface_eval(p->surface, u, w, 0, NULL, &jet);
    return view_point(v, jet.p);
}

static int name_faces(picture* pic, const scene* s, label* labels)
{
    if (!pic->hidden || !s->patch_count) return 0;
    hidden_place* places = malloc((size_t)s->patch_count * sizeof *places);
    if (!places || !hidden_places(pic->hidden, places, s->patch_count)) {
        free(places);
        pic->failed = true;
        return 0;
    }
    for (int i = 0; i < s->patch_count; i++) {
        label l = {s->patches[i].label, LABEL_FACE, places[i].distance < 2, places[i].x, places[i].y, 0};
        if (l.hidden) {
            view eye = seen_from(s, s->patches[i].stand, pic->view);
            spot at = inner_spot(&s->patches[i], &eye);
            l.x = at.x;
            l.y = at.y;
        }
        labels[i] = l;
    }
    free(places);
    return s->patch_count;
}

/* Gaps and borders of regions lie below the edges, paths above them. */
static void draw_ways(picture* pic, const scene* s, bool below)
{
    for (int i = 0; i < s->way_count; i++) {
        const scene_way* w = &s->ways[i];
        if ((w->style == STROKE_GAP || w->style == STROKE_REGION) == below)
            draw_way(pic, w->p, w->count, w->style, w->title);
    }
}

static void draw_all(picture* pic, scene* s, label* labels, int* left_out)
{
    const view eye = pic->view;
    for (int i = 0; i < s->patch_count && !pic->failed; i++) {
        pic->view = seen_from(s, s->patches[i].stand, eye);
        if (!patch_sample(&s->patches[i], &pic->view))
            pic->failed = true;
        else if (pic->hidden)
            hidden_add(pic->hidden, &s->patches[i], i);
    }
    for (int i = 0; i < s->patch_count && !pic->failed; i++) {
        pic->view = seen_from(s, s->patches[i].stand, eye);
        if (s->planar) {
            draw_hatch(pic, &s->patches[i]);
            continue;
        }
        pic->second = s->second && s->second[s->patches[i].stand];
        draw_iso_lines(pic, &s->patches[i]);
        draw_silhouette(pic, &s->patches[i]);
    }
    pic->view = eye;
    if (pic->failed) return;
    pic->second = false;
    draw_ways(pic, s, true);
    int count = draw_lines(pic, s, labels);
    draw_ways(pic, s, false);
    count += draw_dots(pic, s, labels + count);
    count += s->nameless ? 0 : name_faces(pic, s, labels + count);
    if (s->nameless) count = 0;
    count += draw_marks(pic, s, labels + count);
    if (!pic->failed) *left_out = draw_labels(pic, labels, count);
}

wit_status scene_draw(out* o, scene* s, const char* title, const char* head, const char* unit)
{
    picture pic = {.view = choose_view(s), .planar = s->planar};
    hidden_buffer buffer = {0, 0, NULL, NULL};
    size_t names = (size_t)s->line_count + (size_t)s->dot_count + (size_t)s->patch_count + (size_t)s->mark_count + 1;
    label* labels = malloc(names * sizeof *labels);
    pic.ink = calloc((size_t)PAGE_WIDTH * PAGE_HEIGHT, 1);
    bool ready = labels && pic.ink && (s->planar || hidden_init(&buffer, PAGE_WIDTH, PAGE_HEIGHT));
    if (ready && !s->planar) pic.hidden = &buffer;
    int left_out = 0;
    if (ready)
        draw_all(&pic, s, labels, &left_out);
    else
        pic.failed = true;
    if (pic.failed) o->failed = true;
    draw_page(o, &pic, title, head, unit, left_out);
    hidden_free(&buffer);
    free(pic.ink);
    free(labels);
    return o->failed ? WIT_ERROR_MEMORY : WIT_OK;
}
