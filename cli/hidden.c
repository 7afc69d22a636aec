/* SPDX-License-Identifier: MIT */
#include "hidden.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"

#define FINE 2 /* pixels of the raster per pixel of the page, in each direction */

bool hidden_init(hidden_buffer* h, int width, int height)
{
    h->width = FINE * width;
    h->height = FINE * height;
    size_t n = (size_t)h->width * (size_t)h->height;
    h->depth = malloc(n * sizeof *h->depth);
    h->id = malloc(n * sizeof *h->id);
    if (!h->depth || !h->id) {
        hidden_free(h);
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        h->depth[i] = -HUGE_VAL;
        h->id[i] = -1;
    }
    return true;
}

void hidden_free(hidden_buffer* h)
{
    free(h->depth);
    free(h->id);
    h->depth = NULL;
    h->id = NULL;
}

/* A corner of a triangle: place and parameters. */
typedef struct corner {
    spot s;
    double u, v;
} corner;

static int clamp_pixel(double x, int count)
{
    return !(x > 0) ? 0 : x >= count ? count - 1 : (int)x;
}

static void add_triangle(hidden_buffer* h, const patch* p, int id, const corner* a, const corner* b, const corner* c)
{
    double bx = b->s.x - a->s.x, by = b->s.y - a->s.y, cx = c->s.x - a->s.x, cy = c->s.y - a->s.y;
    double area = bx * cy - by * cx;
    if (!(fabs(area) > 1e-9)) return; /* seen edge-on: its neighbours cover it */
    int x0 = clamp_pixel(floor(fmin(a->s.x, fmin(b->s.x, c->s.x))), h->width);
    int x1 = clamp_pixel(fmax(a->s.x, fmax(b->s.x, c->s.x)), h->width);
    int y0 = clamp_pixel(floor(fmin(a->s.y, fmin(b->s.y, c->s.y))), h->height);
    int y1 = clamp_pixel(fmax(a->s.y, fmax(b->s.y, c->s.y)), h->height);
    for (int y = y0; y <= y1; y++) {
        for (int x = x0; x <= x1; x++) {
            double px = x + 0.5 - a->s.x, py = y + 0.5 - a->s.y;
            double kb = (px * cy - py * cx) / area, kc = (bx * py - by * px) / area, ka = 1 - kb - kc;
            if (ka < -1e-9 || kb < -1e-9 || kc < -1e-9) continue;
            double z = ka * a->s.z + kb * b->s.z + kc * c->s.z;
            size_t at = (size_t)y * (size_t)h->width + (size_t)x;
            if (z <= h->depth[at]) continue;
            if (!patch_contains(p, ka * a->u + kb * b->u + kc * c->u, ka * a->v + kb * b->v + kc * c->v)) continue;
            h->depth[at] = z;
            h->id[at] = id;
        }
    }
}

void hidden_add(hidden_buffer* h, const patch* p, int id)
{
    for (int i = 0; i < p->cells_u; i++) {
        for (int j = 0; j < p->cells_v; j++) {
            corner c[4];
            for (int k = 0; k < 4; k++) {
                int a = i + (k & 1), b = j + (k >> 1);
                c[k].s = p->grid[a * (p->cells_v + 1) + b];
                c[k].s.x *= FINE;
                c[k].s.y *= FINE;
                c[k].u = p->u.lo + (p->u.hi - p->u.lo) * a / p->cells_u;
                c[k].v = p->v.lo + (p->v.hi - p->v.lo) * b / p->cells_v;
            }
            add_triangle(h, p, id, &c[0], &c[1], &c[2]);
            add_triangle(h, p, id, &c[3], &c[2], &c[1]);
        }
    }
}

bool hidden_test(const hidden_buffer* h, spot s)
{
    double nearest = -HUGE_VAL, farthest = HUGE_VAL;
    int cx = (int)floor(fmin(fmax(FINE * s.x, -2), h->width + 2));
    int cy = (int)floor(fmin(fmax(FINE * s.y, -2), h->height + 2));
    for (int y = cy - 1; y <= cy + 1; y++) {
        for (int x = cx - 1; x <= cx + 1; x++) {
            if (x < 0 || y < 0 || x >= h->width || y >= h->height) return false;
            double z = h->depth[(size_t)y * (size_t)h->width + (size_t)x];
            nearest = fmax(nearest, z);
            farthest = fmin(farthest, z);
            if (!(z > s.z)) return false;
        }
    }
    /* On a slope, the pixel of the point itself may be nearer by the slope: the spread of the nine pixels tells it.
     * Four pixels of it are enough; more means another face begins here. */
    return farthest > s.z + 0.5 + fmin(4, nearest - farthest);
}

/* Distance to the next place of another id, by two sweeps with steps of 3 and 4 thirds. A place knows the distances of
 * its neighbours to the left and above, going back to the right and below; beyond the raster all is another id. */
static void sweep_row(const hidden_buffer* h, int32_t* d, int y, int back)
{
    int w = h->width, n = h->height, above = y + back;
    bool has_above = above >= 0 && above < n;
    size_t at = (size_t)y * (size_t)w, next = has_above ? (size_t)above * (size_t)w : at;
    int32_t *row = d + at, *other = d + next;
    const int32_t *id = h->id + at, *other_id = h->id + next;
    for (int k = 0; k < w; k++) {
        int x = back < 0 ? k : w - 1 - k, left = x + back, right = x - back;
        bool has_left = left >= 0 && left < w, has_right = right >= 0 && right < w;
        int32_t near[4] = {0, 0, 0, 0};
        if (has_left && id[left] == id[x]) near[0] = row[left];
        if (has_above && other_id[x] == id[x]) near[1] = other[x];
        if (has_above && has_left && other_id[left] == id[x]) near[2] = other[left];
        if (has_above && has_right && other_id[right] == id[x]) near[3] = other[right];
        for (int i = 0; i < 4; i++)
            if (near[i] + 3 + i / 2 < row[x]) row[x] = near[i] + 3 + i / 2;
    }
}

bool hidden_places(const hidden_buffer* h, hidden_place* places, int count)
{
    size_t n = (size_t)h->width * (size_t)h->height;
    int32_t* d = malloc(n * sizeof *d);
    if (!d) return false;
    for (size_t i = 0; i < n; i++) d[i] = 1 << 20;
    for (int y = 0; y < h->height; y++) sweep_row(h, d, y, -1);
    for (int y = h->height - 1; y >= 0; y--) sweep_row(h, d, y, 1);
    for (int i = 0; i < count; i++) places[i] = (hidden_place){0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        int id = h->id[i];
        double distance = d[i] / (3.0 * FINE);
        if (id < 0 || id >= count || distance <= places[id].distance) continue;
        places[id].distance = distance;
        places[id].x = ((double)(i % (size_t)h->width) + 0.5) / FINE;
        places[id].y = ((double)(i / (size_t)h->width) + 0.5) / FINE;
    }
    free(d);
    return true;
}
