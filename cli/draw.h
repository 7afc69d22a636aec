/* SPDX-License-Identifier: MIT */
/*
 * How a picture is made, shared by the files draw_*.c and hidden.c. Lines come from the exact shapes: they are cut
 * into cubic pieces until they are within 0.1 pixel. Only the decision what hides what is made on a raster of
 * triangles; no triangle is ever drawn.
 */
#ifndef CLI_DRAW_H
#define CLI_DRAW_H

#include "../include/witness/body.h"
#include "../src/base/vec.h"
#include "hidden.h"
#include "svg.h"

enum { PAGE_WIDTH = 900, PAGE_HEIGHT = 700 };

/* ---- projection: parallel, onto the plane of the unit vectors right and up --------------------- */

typedef struct view {
    wit_vec3 right, up, toward; /* toward the eye */
    wit_vec3 centre;            /* stands at (x, y) of the page */
    double x, y;
    double scale; /* pixels per length */
} view;

static inline spot view_vector(const view* v, wit_vec3 d)
{
    spot s = {v->scale * dot3(v->right, d), -v->scale * dot3(v->up, d), v->scale * dot3(v->toward, d)};
    return s;
}

static inline spot view_point(const view* v, wit_vec3 p)
{
    spot s = view_vector(v, sub3(p, v->centre));
    s.x += v->x;
    s.y += v->y;
    return s;
}

/* ---- faces --------------------------------------------------------------------------------------- */

/* A face of a body, or a whole surface (body null). */
typedef struct patch {
    const wit_surface* surface;
    const wit_body* body;
    int face;
    bool flat;         /* a plane: no silhouette */
    wit_interval u, v; /* the box to draw */
    int cells_u, cells_v;
    spot* grid;     /* (cells_u + 1) x (cells_v + 1) points of the page */
    double* facing; /* at the same places: cosine between normal and eye */
    char* label;
    int stand; /* which pose of the scene it stands at */
} patch;

bool patch_contains(const patch* p, double u, double v);
/* Cosine between the normal and the eye; at a pole from nearby. */
double patch_facing(const patch* p, const view* eye, double u, double v);
/* Cells of about 8 pixels, and the grid. False: no memory. */
bool patch_sample(patch* p, const view* eye);
void patch_free(patch* p);

/* ---- lines ----------------------------------------------------------------------------------------- */

#define STROKE_LIST(X)                                                                                                 \
    X(STROKE_CONVEX, "convex", "convex edge")                                                                          \
    X(STROKE_REFLEX, "reflex", "reflex edge")                                                                          \
    X(STROKE_SMOOTH, "smooth", "smooth edge")                                                                          \
    X(STROKE_OPEN, "open", "open border")                                                                              \
    X(STROKE_MULTIPLE, "multiple", "edge of three faces or more")                                                      \
    X(STROKE_EDGE, "edge", "edge")                                                                                     \
    X(STROKE_CURVE, "curve", "curve")                                                                                  \
    X(STROKE_ENDLESS, "endless", "goes on without end")                                                                \
    X(STROKE_SILHOUETTE, "silhouette", "silhouette")                                                                   \
    X(STROKE_ISO, "iso", "parameter line")                                                                             \
    X(STROKE_HATCH, "hatch", "inside")                                                                                 \
    X(STROKE_GAP, "gap", "closest points joined")                                                                      \
    X(STROKE_WAY, "way", "path of the point")                                                                          \
    X(STROKE_FOOT, "foot", "path of the witness")                                                                      \
    X(STROKE_VECTOR, "vector", "vector")                                                                               \
    X(STROKE_ERROR, "error", "dR")                                                                                     \
    X(STROKE_PAIR, "pair", "the closest pair")                                                                         \
    X(STROKE_REGION, "region", "border of a region")                                                                   \
    X(STROKE_HIDDEN, "hidden", "hidden")

typedef enum stroke {
#define STROKE_ENUM(id, name, text) id,
    STROKE_LIST(STROKE_ENUM)
#undef STROKE_ENUM
        STROKE_COUNT
} stroke;

const char* stroke_class(stroke s);
const char* stroke_text(stroke s);

typedef enum layer { LAYER_HIDDEN, LAYER_LIGHT, LAYER_LINES, LAYER_DOTS, LAYER_TEXT, LAYER_COUNT } layer;

typedef enum label_kind { LABEL_MARK, LABEL_VERTEX, LABEL_FACE, LABEL_EDGE, LABEL_KINDS } label_kind;

/* A name to be placed near (x, y). */
typedef struct label {
    const char* text;
    label_kind kind;
    bool hidden;
    double x, y;
    int order; /* as given: ties are broken by it */
} label;

typedef struct picture {
    view view;
    bool planar;
    hidden_buffer* hidden; /* null: nothing hides anything */
    out layers[LAYER_COUNT];
    bool used[STROKE_COUNT];
    bool second;        /* what is drawn now belongs to the second body: a colour of its own */
    unsigned char* ink; /* PAGE_WIDTH x PAGE_HEIGHT: how bad it would be to write here */
    bool failed;        /* no memory */
} picture;

/* A line on the page: place and derivative at t; side as for wit_curve_eval. */
typedef spot trace_function(const void* context, double t, unsigned side, spot* derivative);
/* Is the line there at all? (Clipped to a face.) */
typedef bool trace_inside(const void* context, double t);

typedef struct trace {
    trace_function* at;
    trace_inside* inside; /* null: everywhere */
    const void* context;
    wit_interval range;
    const double* breaks; /* ascending, where the derivative may jump; those outside the range are ignored */
    int break_count;
    bool polyline; /* straight from one break to the next */
} trace;

/* Where the longest visible run has its middle; if there is none, the middle of the longest hidden one. */
typedef struct trace_middle {
    bool found, hidden;
    double x, y;
} trace_middle;

/* Draws the visible parts as `style`, the hidden ones as STROKE_HIDDEN (parameter lines: not at all). */
trace_middle draw_trace(picture* pic, const trace* t, stroke style, const char* title);

/* The ready kinds of lines. */
trace_middle draw_curve(picture* pic, const wit_curve* curve, wit_interval range, stroke style, const char* title);
trace_middle draw_iso(picture* pic, const patch* p, wit_direction fixed, double value, stroke style, const char* title);
/* A few parameter lines in each direction, more on larger faces. */
void draw_iso_lines(picture* pic, const patch* p);
/* Where the normal is perpendicular to the line of sight. Needs patch_sample. */
void draw_silhouette(picture* pic, const patch* p);
/* Slanted lines 14 pixels apart over a planar region. */
void draw_hatch(picture* pic, const patch* p);

/* ---- page ------------------------------------------------------------------------------------------ */

/* Places the labels, faces first, without overlap; those that find no room are left to the titles of their lines.
 * Reorders them. Returns how many were left out. */
int draw_labels(picture* pic, label* labels, int count);

enum { LEGEND_WIDE = 200, LEGEND_LINE = 16, LEGEND_FOOT = 26 }; /* the legend stands in the lower right corner */

/* Head line, axes, scale bar, legend, note; then the layers. Releases the layers. */
void draw_page(out* o, picture* pic, const char* title, const char* head, const char* unit, int left_out);

/* A line through points of the world, in front of or behind what hides it. */
void draw_way(picture* pic, const wit_vec3* p, int count, stroke style, const char* title);

/* ---- scenes: what is to be drawn ------------------------------------------------------------------- */

typedef struct scene_line {
    const wit_curve* curve; /* or null: border of a patch */
    wit_interval range;
    int patch;
    wit_direction fixed;
    double value;
    stroke style;
    bool labelled;
    char* label; /* may be null */
    int stand;
} scene_line;

typedef struct scene_dot {
    wit_vec3 point;
    char* label;
    int stand;
} scene_dot;

typedef struct scene_way {
    const wit_vec3* p; /* world */
    int count;
    stroke style;
    const char* title; /* or null */
} scene_way;

typedef struct scene_mark {
    wit_vec3 point; /* world */
    const char* label;
    bool star; /* not a dot */
    bool bare; /* the name alone */
} scene_mark;

typedef struct scene {
    bool planar; /* seen along the normal of the first patch, which is hatched and not named */
    patch* patches;
    scene_line* lines;
    scene_dot* dots;
    int patch_count, line_count, dot_count;
    const wit_pose* poses; /* where things stand, by their `stand`; null: all at the identity */
    bool nameless;         /* no names but on hovering */
    const scene_way* ways;
    int way_count;
    const scene_mark* marks; /* named in any case */
    int mark_count;
    const int* second; /* by `stand`: belongs to the second body; or null */
    wit_vec3 toward;   /* the eye; zero: from the front, the right and above */
    double zoom;       /* above 1: so many times larger, about `middle` */
    wit_vec3 middle;
    const wit_vec3* room; /* points that have to be on the page too */
    int room_count;
} scene;

/* Zeroed arrays of these lengths. False: no memory (scene_free is still due). */
bool scene_room(scene* s, int patches, int lines, int dots);
void scene_free(scene* s);
/* "prefix.name", or "prefix.F3" where the name is empty; prefix may be "". Null: no memory. */
char* scene_label(const char* prefix, const char* name, char letter, int id);
/* The whole page. WIT_OK or WIT_ERROR_MEMORY. */
wit_status scene_draw(out* o, scene* s, const char* title, const char* head, const char* unit);

#endif
