/* SPDX-License-Identifier: MIT */
/*
 * Pictures of bodies and of bare shapes as SVG, 900 x 700 pixels on white: a parallel view from the front, right and above
 * (planar bodies: of their plane), edges, silhouettes, a few parameter lines, hidden lines lighter, names of all
 * features, axes and a scale bar. `unit` is what wit_unit_name says; null or "none": lengths without a unit.
 *
 * All append to *o (see svg_save) and give WIT_OK or WIT_ERROR_MEMORY.
 */
#ifndef CLI_DRAW_BODY_H
#define CLI_DRAW_BODY_H

#include "../include/witness/body.h"
#include "../include/witness/io.h"
#include "out.h"

wit_status draw_body_svg(out* o, const wit_body* body, const char* unit);
/* Several in one picture, as they stand: features are named BODY.FEATURE then. Planar bodies are drawn flat only when
 * alone. `title` may be null. */
wit_status draw_bodies_svg(out* o, const wit_body* const* bodies, int count, const char* title, const char* unit);

/* Bodies that stand somewhere, perhaps one of them several times, with lines and marks in the world about them. */
typedef struct draw_stage {
    const wit_body* const* bodies;
    const wit_pose* poses;
    const int* second; /* is it the second body? Null: none is */
    int count;
    const struct scene_way* ways;
    int way_count;
    const struct scene_mark* marks;
    int mark_count;
    wit_vec3 toward; /* the eye; zero: from the front, the right and above */
    bool named;      /* the features too */
    double zoom;     /* above 1: so many times larger, about `middle`; else all of it is shown */
    wit_vec3 middle;
    const wit_vec3* room; /* points that have to be on the page too */
    int room_count;
    const char *title, *head, *unit;
} draw_stage;
wit_status draw_stage_svg(out* o, const draw_stage* stage);

/* The curves and surfaces of a model: surfaces by their borders, parameter lines and silhouettes. */
wit_status draw_shapes_svg(out* o, const wit_model* model);

#endif
