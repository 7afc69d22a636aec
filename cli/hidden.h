/* SPDX-License-Identifier: MIT */
/*
 * What hides what, for pictures only: a raster of depths, two by two per pixel of the page, filled from triangles
 * between points of the faces, each place tested against the trims. A line point is hidden where all of the raster
 * around it is nearer to the eye than it is. Wrong by a pixel or two where lines meet: enough for the eye.
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
    int width, height; /* of the raster */
    double* depth;     /* nearest z, in pixels of the page; -HUGE_VAL: nothing there */
    int32_t* id;       /* of which face; -1: nothing there */
} hidden_buffer;

struct patch;

/* For a page of that many pixels. False: no memory. */
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
