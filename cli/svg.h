/* SPDX-License-Identifier: MIT */
/*
 * A small writer of SVG 1.1. Everything that was given as text is escaped, bytes that are no UTF-8 and characters
 * that XML forbids become '?': the result is well-formed whatever the names of a model are. Coordinates are pixels,
 * written with at most two decimals, in every locale with a point.
 */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include "../include/witness/base.h"
#include "out.h"

/* The opening tag with a white background, <title>, and the style sheet `css` (trusted text). */
void svg_begin(out* o, int width, int height, const char* title, const char* css);
void svg_end(out* o);

/* <g id="..."> ... </g>; `id` is trusted text. */
void svg_group(out* o, const char* id);
void svg_close(out* o);

/* Escaped character data. */
void svg_escape(out* o, const char* text);
/* How many characters `text` will show. */
int svg_characters(const char* text);
/* x rounded to 0.01; 0 where it is not finite. */
void svg_number(out* o, double x);

/* The data of a path, to be gathered in an `out` of its own. */
void svg_move(out* d, double x, double y);
void svg_line(out* d, double x, double y);
void svg_cubic(out* d, const double to[6]); /* two control points, then the end */

/* <path>, <circle> and <text> of a class; `title` (escaped, null for none) is what a browser shows on hovering. */
void svg_path(out* o, const char* class_name, const out* d, const char* title);
void svg_dot(out* o, const char* class_name, double x, double y, double radius, const char* title);
void svg_text(out* o, const char* class_name, double x, double y, const char* text);

/* Writes all of `o` to a file. WIT_ERROR_MEMORY if gathering had failed, WIT_ERROR_FILE with a reason in *error. */
wit_status svg_save(const out* o, const char* path, wit_error* error);
/* The end of a picture: where `status` is WIT_OK, `o` is written to a file; then it is freed. EXIT_GOOD, or EXIT_BAD_INPUT after a
 * message. */
int svg_finish(out* o, wit_status status, const char* path);

#endif
