/* SPDX-License-Identifier: MIT */
/*
 * What hides what, for pictures only: a raster of depths, one per pixel of the page, filled from triangles between
 * points of the faces, each pixel tested against the trims. A line point is hidden where all pixels around it are
 * nearer to the eye than it is. Wrong by a pixel or two where lines meet: enough for the eye.
 */
#ifndef CLI_HIDDEN_H
#define CLI_HIDDEN_H

#include <stdbool.h>
#include <stdint.h>

/* A point of the page: x to the right and y down from the upper left corner, z toward the eye, all in pixels. */
typedef struct spot {
    double x, y, z;
} spot;

typedef struct hidden_buffer {
    int width, height;
    double* depth; /* nearest z of the pixel; -HUGE_VAL: nothing there */
    int32_t* id;   /* of which face; -1: nothing there */
} hidden_buffer;

struct patch;

/* False: no memory. */
bool hidden_init(hidden_buffer* h, int width, int height);
void hidden_free(hidden_buffer* h);
/* A face that has been sampled. `id` is 0 or more. */
void hidden_add(hidden_buffer* h, const struct patch* p, int id);
bool hidden_test(const hidden_buffer* h, spot s);

/* Per id 0 .. count - 1 the visible pixel that is farthest from all pixels of other ids. */
typedef struct hidden_place {
    double distance; /* pixels; 0: nothing of it is visible */
    double x, y;
} hidden_place;

/* False: no memory. */
bool hidden_places(const hidden_buffer* h, hidden_place* places, int count);

#endif
