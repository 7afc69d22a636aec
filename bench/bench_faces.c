/* SPDX-License-Identifier: MIT */
/*
 * Work and time per frame against the number of faces: balls of plane faces, followed from outside. With coherence
 * only the features around the witness matter, so that ten thousand faces should cost little more than ten.
 *
 *     bench_faces [MOST]     balls of up to MOST faces (default 10000)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../include/witness/query.h"
#include "../include/witness/track.h"
#include "../src/base/vec.h"
#include "counter.h"
#include "race.h"

#define PI 3.1415926535897932384626433832795
enum { FRAMES = 4000 };

/* ---- a ball of planes ------------------------------------------------------------------------- */

/* `rings` bands of `sectors` faces: triangles at the poles, trapezoids between; a trapezoid is flat because its
 * parallel sides are chords of two circles about one axis. */
typedef struct ball {
    int rings, sectors;
    wit_vertex_def* vertices;
    wit_edge_def* edges;
    wit_face_def* faces;
    wit_loop_def* loops;
    wit_use_def* uses;
    int vertex_count, edge_count, face_count, use_count;
} ball;

static int vertex_at(const ball* b, int ring, int sector)
{
    if (ring == 0) return 0;
    if (ring == b->rings) return 1;
    return 2 + (ring - 1) * b->sectors + sector % b->sectors;
}

/* Along a meridian, from ring to ring + 1; along a circle, from sector to sector + 1. */
static int meridian(const ball* b, int ring, int sector)
{
    return ring * b->sectors + sector % b->sectors;
}

static int parallel(const ball* b, int ring, int sector)
{
    return (b->rings + ring - 1) * b->sectors + sector;
}

static void place_vertices(ball* b)
{
    for (int i = 0; i <= b->rings; i++)
        for (int j = 0; j < b->sectors; j++) {
            double t = PI * i / b->rings, p = 2 * PI * j / b->sectors;
            b->vertices[vertex_at(b, i, j)].point = vec3(sin(t) * cos(p), sin(t) * sin(p), cos(t));
        }
}

static const wit_curve* line_between(wit_vec3 from, wit_vec3 to)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    wit_vec3 along = sub3(to, from), e1, e2;
    complete3(unit3(along), &e1, &e2);
    d.frame.origin = from;
    d.frame.x = along;
    d.frame.z = e1;
    d.range.lo = 0;
    d.range.hi = norm3(along);
    return wit_curve_create(&d, NULL, NULL);
}

static void place_edge(ball* b, int id, int from, int to)
{
    b->edges[id].start = from;
    b->edges[id].end = to;
    b->edges[id].curve = line_between(b->vertices[from].point, b->vertices[to].point);
}

static void place_face(ball* b, int id, int ring, int sector)
{
    int corner[4] = {vertex_at(b, ring, sector), vertex_at(b, ring + 1, sector), vertex_at(b, ring + 1, sector + 1),
                     vertex_at(b, ring, sector + 1)};
    wit_use_def* uses = b->uses + b->use_count;
    int n = 0;
    uses[n++] = (wit_use_def){.edge = meridian(b, ring, sector)};
    if (ring + 1 < b->rings) uses[n++] = (wit_use_def){.edge = parallel(b, ring + 1, sector)};
    uses[n++] = (wit_use_def){.edge = meridian(b, ring, sector + 1), .reversed = true};
    if (ring > 0) uses[n++] = (wit_use_def){.edge = parallel(b, ring, sector), .reversed = true};
    b->use_count += n;
    wit_vec3 o = b->vertices[corner[0]].point, down = sub3(b->vertices[corner[1]].point, o);
    wit_vec3 across = sub3(b->vertices[corner[ring ? 3 : 2]].point, o);
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.frame.origin = o;
    d.frame.x = down;
    d.frame.z = cross3(down, across);
    d.range_u.lo = d.range_v.lo = -4;
    d.range_u.hi = d.range_v.hi = 4;
    b->loops[id] = (wit_loop_def){n, uses};
    b->faces[id] =
        (wit_face_def){.surface = wit_surface_create(&d, NULL, NULL), .loop_count = 1, .loops = &b->loops[id]};
}

static wit_body* ball_make(int rings, int sectors)
{
    ball b = {.rings = rings, .sectors = sectors};
    b.vertex_count = 2 + (rings - 1) * sectors;
    b.edge_count = (2 * rings - 1) * sectors;
    b.face_count = rings * sectors;
    b.vertices = race_reserve((size_t)b.vertex_count, sizeof *b.vertices);
    b.edges = race_reserve((size_t)b.edge_count, sizeof *b.edges);
    b.faces = race_reserve((size_t)b.face_count, sizeof *b.faces);
    b.loops = race_reserve((size_t)b.face_count, sizeof *b.loops);
    b.uses = race_reserve(4 * (size_t)b.face_count, sizeof *b.uses);
    place_vertices(&b);
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < sectors; j++) {
            place_edge(&b, meridian(&b, i, j), vertex_at(&b, i, j), vertex_at(&b, i + 1, j));
            if (i > 0) place_edge(&b, parallel(&b, i, j), vertex_at(&b, i, j), vertex_at(&b, i, j + 1));
            place_face(&b, i * sectors + j, i, j);
        }
    wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
    d.vertex_count = b.vertex_count, d.edge_count = b.edge_count, d.face_count = b.face_count;
    d.vertices = b.vertices, d.edges = b.edges, d.faces = b.faces;
    wit_error e = {0};
    wit_body* body = wit_body_create(&d, NULL, &e);
    if (!body) fprintf(stderr, "bench_faces: %s: %s\n", e.item, e.text);
    for (int k = 0; k < b.edge_count; k++) wit_curve_destroy((wit_curve*)(uintptr_t)b.edges[k].curve);
    for (int k = 0; k < b.face_count; k++) wit_surface_destroy((wit_surface*)(uintptr_t)b.faces[k].surface);
    free(b.vertices);
    free(b.edges);
    free(b.faces);
    free(b.loops);
    free(b.uses);
    return body;
}

/* ---- measuring -------------------------------------------------------------------------------- */

typedef struct frame_cost {
    double ns, units, jets, switches, cold;
    double create; /* of the tracker, milliseconds */
    int64_t most;
    long wrong;
    double error;
} frame_cost;

static void motions(long k, bool pair, wit_motion* a, wit_motion* b)
{
    double t = 1e-3 * (double)k;
    *a = *b = wit_motion_at_rest(wit_pose_identity());
    b->pose.position = scale3(pair ? 2.6 : 1.6, unit3(vec3(cos(1.3 * t), sin(1.3 * t), 0.8 * sin(0.7 * t))));
    b->pose.rotation = wit_quat_about(vec3(1, 2, 3), 0.9 * t);
    b->twist_known = a->twist_known = false;
}

/* The same path twice: once for the time, once with the cold query beside it in every 50th frame. */
static frame_cost measure(const wit_body* body, bool pair)
{
    frame_cost c = {0};
    const wit_body* other = pair ? body : NULL;
    double begin = counter_seconds();
    wit_tracker* t = wit_tracker_create(body, other, NULL, NULL, NULL);
    c.create = 1e3 * (counter_seconds() - begin);
    wit_query* q = wit_query_create(NULL, NULL, NULL);
    if (!t || !q) return c;
    wit_motion* m = race_reserve(2 * FRAMES, sizeof *m);
    for (long k = 0; k < FRAMES; k++) motions(k, pair, &m[2 * k], &m[2 * k + 1]);
    wit_result r;
    wit_tracker_step(t, &m[0], &m[1], 1e-3, &r);
    double start = counter_seconds();
    for (long k = 1; k < FRAMES; k++) wit_tracker_step(t, &m[2 * k], &m[2 * k + 1], 1e-3, &r);
    c.ns = 1e9 * (counter_seconds() - start) / (FRAMES - 1);
    wit_tracker_reset(t);
    for (long k = 0; k < FRAMES; k++) {
        wit_tracker_step(t, &m[2 * k], &m[2 * k + 1], 1e-3, &r);
        if (k > 0) {
            c.units += (double)r.work.units / (FRAMES - 1);
            c.jets += (double)r.work.jets / (FRAMES - 1);
            c.switches += (double)r.switches / (FRAMES - 1);
            if (r.work.units > c.most) c.most = r.work.units;
        }
        if (k % 50) continue;
        wit_placed pa = wit_placed_at(body, m[2 * k].pose), pb = wit_placed_at(body, m[2 * k + 1].pose);
        wit_closest cold;
        double from = counter_seconds();
        wit_status status =
            pair ? wit_closest_pair(q, &pa, &pb, &cold) : wit_closest_point(q, &pa, m[2 * k + 1].pose.position, &cold);
        c.cold += 1e6 * (counter_seconds() - from) / (FRAMES / 50);
        double error = status ? INFINITY : fabs(r.distance - cold.distance) / 2;
        c.error = fmax(c.error, error);
        c.wrong += !(error <= 1e-9);
    }
    free(m);
    wit_query_destroy(q);
    wit_tracker_destroy(t);
    return c;
}

int main(int argc, char** argv)
{
    static const int sizes[][2] = {{2, 5}, {4, 8}, {7, 15}, {12, 26}, {22, 46}, {40, 79}, {71, 141}};
    long most = argc > 1 ? atol(argv[1]) : 10100, wrong = 0;
    printf("Balls of plane faces, followed from outside over %d frames: a point, and another ball of the same kind.\n"
           "Per frame: time, units of work, jets, hand-overs, the most units in one frame; error against the cold "
           "query (of the size) and\n"
           "the cold query's time; milliseconds to make body and tracker.\n\n",
           (int)FRAMES);
    printf("%8s %6s %9s %8s %8s %9s %6s %9s %10s %9s %9s %6s\n", "faces", "", "ns/frame", "units", "jets", "switches",
           "most", "error", "cold us", "body ms", "made ms", "wrong");
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int faces = sizes[k][0] * sizes[k][1];
        if (faces > most) break;
        double begin = counter_seconds();
        wit_body* body = ball_make(sizes[k][0], sizes[k][1]);
        double made = 1e3 * (counter_seconds() - begin);
        if (!body) return 1;
        for (int pair = 0; pair < 2; pair++) {
            frame_cost c = measure(body, pair);
            printf("%8d %6s %9.0f %8.2f %8.2f %9.4f %6lld %9.1e %10.1f %9.1f %9.1f %6ld\n", faces,
                   pair ? "ball" : "point", c.ns, c.units, c.jets, c.switches, (long long)c.most, c.error, c.cold, made,
                   c.create, c.wrong);
            wrong += c.wrong;
        }
        wit_body_destroy(body);
    }
    if (wrong) printf("WRONG: %ld frames are off by more than 1e-9 of the size.\n", wrong);
    return wrong ? 1 : 0;
}
