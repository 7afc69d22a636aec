/* SPDX-License-Identifier: MIT */
/*
 * The workbench of the ready-made solids: lists for a wit_body_def and the curves and surfaces it points to. Room is
 * asked for once, at the start. The first refusal sticks: later calls do nothing, and wi_kit_finish returns null.
 */
#ifndef BODY_SOLID_KIT_H
#define BODY_SOLID_KIT_H

#include "../../../include/witness/body.h"
#include "../../base/allocator.h"
#include "../../geom/shape.h"

#define KIT_NAME 24 /* bytes of a made-up name */

typedef struct kit_room {
    int faces, edges, vertices, loops, uses, curves, names;
} kit_room;

typedef struct solid_kit {
    const wit_solid_def* def;
    shape_frame frame;
    wit_allocator memory;
    wit_error* error;
    wit_status status;
    void* block;
    size_t bytes;
    kit_room room, used;
    wit_face_def* faces;
    wit_edge_def* edges;
    wit_vertex_def* vertices;
    wit_loop_def* loops;
    wit_use_def* uses;
    wit_curve** curves;
    wit_surface** surfaces; /* one per face */
    char* names;
} solid_kit;

/* The kinds. Each opens the kit, fills it and leaves the rest to the caller; numbers have been checked. */
void wi_solid_prism(solid_kit* k, int n, const double* polygon, double base, double height, const char* const* names);
void wi_solid_half_space(solid_kit* k);
void wi_solid_whole(solid_kit* k); /* sphere, ellipsoid, torus: one closed face */
void wi_solid_cylinder(solid_kit* k);
void wi_solid_cone(solid_kit* k);
void wi_solid_frustum(solid_kit* k);
void wi_solid_capsule(solid_kit* k);
void wi_solid_revolution(solid_kit* k);

/* False, and the status set, without memory. */
bool wi_kit_open(solid_kit* k, kit_room room);
wit_body* wi_kit_finish(solid_kit* k); /* releases everything but the body */
void wi_kit_refuse(solid_kit* k, wit_status status);
/* "side 3" in memory of the kit. */
const char* wi_kit_name(solid_kit* k, const char* stem, int number);

/* o + a x + b y + c z */
wit_vec3 wi_kit_point(const solid_kit* k, double a, double b, double c);
int wi_kit_vertex(solid_kit* k, wit_vec3 point);
/* A straight edge between two vertices. */
int wi_kit_segment(solid_kit* k, int start, int end);
/* A circle without a vertex: t = 0 along x, turning about the unit vector z. */
int wi_kit_ring(solid_kit* k, const char* name, wit_vec3 centre, wit_vec3 x, wit_vec3 z, double radius);

wit_surface_def wi_kit_surface_def(const solid_kit* k, wit_surface_kind kind, wit_vec3 origin);
void wi_kit_face(solid_kit* k, const char* name, const wit_surface_def* surface);
/* The next uses belong to a new loop of the last face. */
void wi_kit_loop(solid_kit* k);
/* The edge runs straight from (u0, v0) to (u1, v1). */
void wi_kit_use_line(solid_kit* k, int edge, bool reversed, double u0, double v0, double u1, double v1);
/* A loop of one ring that runs a full turn along u at a constant v. The face lies above it, or below when reversed. */
void wi_kit_turn(solid_kit* k, int ring, bool reversed, double v);
/* A flat disc inside a ring of wi_kit_ring with the same centre, x, z and radius; its normal is z, or -z if not `up`. */
typedef struct kit_disc {
    const char* name;
    wit_vec3 centre, x, z;
    double radius;
    int ring;
    bool up;
} kit_disc;

void wi_kit_disc(solid_kit* k, const kit_disc* disc);

#endif
