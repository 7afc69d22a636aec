/* SPDX-License-Identifier: MIT */
#include "solid_kit.h"

#include "../../base/arena.h"

static void lay_out(arena* a, solid_kit* k, const kit_room* n)
{
    k->faces = wi_arena_take(a, (size_t)n->faces, sizeof *k->faces);
    k->edges = wi_arena_take(a, (size_t)n->edges, sizeof *k->edges);
    k->vertices = wi_arena_take(a, (size_t)n->vertices, sizeof *k->vertices);
    k->loops = wi_arena_take(a, (size_t)n->loops, sizeof *k->loops);
    k->uses = wi_arena_take(a, (size_t)n->uses, sizeof *k->uses);
    k->curves = wi_arena_take(a, (size_t)n->curves, sizeof *k->curves);
    k->surfaces = wi_arena_take(a, (size_t)n->faces, sizeof *k->surfaces);
    k->names = wi_arena_take(a, (size_t)n->names, KIT_NAME);
}

void wi_kit_refuse(solid_kit* k, wit_status status)
{
    if (!k->status) k->status = status;
}

bool wi_kit_open(solid_kit* k, kit_room room)
{
    arena measure = wi_arena_measure();
    lay_out(&measure, k, &room);
    k->bytes = measure.used;
    k->block = arena_ok(&measure) ? wi_allocator_take(&k->memory, k->bytes) : NULL;
    if (!k->block) {
        wi_kit_refuse(k,
                      wi_error_fill(k->error, WIT_ERROR_MEMORY, "", "no memory for a solid of %d faces", room.faces));
        return false;
    }
    arena a = wi_arena_over(k->block, k->bytes);
    lay_out(&a, k, &room);
    k->room = room;
    return true;
}

/* Room for one more; the counts of each kind are known beforehand, so running out is a mistake in this library. */
static bool take(solid_kit* k, int* used, int room)
{
    if (k->status) return false;
    if (*used >= room) {
        wi_kit_refuse(k, wi_error_fill(k->error, WIT_ERROR_COUNT, "", "a solid has more features than were counted"));
        return false;
    }
    ++*used;
    return true;
}

wit_body* wi_kit_finish(solid_kit* k)
{
    wit_body* body = NULL;
    if (!k->status) {
        wit_body_def d = wit_body_default_def(WIT_BODY_SOLID);
        d.name = k->def->name;
        d.vertex_count = k->used.vertices;
        d.edge_count = k->used.edges;
        d.face_count = k->used.faces;
        d.vertices = k->vertices;
        d.edges = k->edges;
        d.faces = k->faces;
        body = wit_body_create(&d, &k->memory, k->error);
    }
    if (k->block) {
        for (int i = 0; i < k->used.curves; ++i) wit_curve_destroy(k->curves[i]);
        for (int i = 0; i < k->used.faces; ++i) wit_surface_destroy(k->surfaces[i]);
        wi_allocator_release(&k->memory, k->block, k->bytes);
    }
    return body;
}

const char* wi_kit_name(solid_kit* k, const char* stem, int number)
{
    if (!take(k, &k->used.names, k->room.names)) return NULL;
    char* name = k->names + (size_t)(k->used.names - 1) * KIT_NAME;
    wi_text_format(name, KIT_NAME, "%s %d", stem, number);
    return name;
}

wit_vec3 wi_kit_point(const solid_kit* k, double a, double b, double c)
{
    const shape_frame* f = &k->frame;
    return addscaled3(addscaled3(addscaled3(f->o, a, f->x), b, f->y), c, f->z);
}

/* ---- curves and edges ---------------------------------------------------------------------- */

static const wit_curve* keep_curve(solid_kit* k, const wit_curve_def* def)
{
    if (!take(k, &k->used.curves, k->room.curves)) return NULL;
    wit_curve** place = &k->curves[k->used.curves - 1];
    *place = wit_curve_create(def, &k->memory, k->error);
    /* Numbers were checked before: what is left is memory. */
    if (!*place) wi_kit_refuse(k, WIT_ERROR_MEMORY);
    return *place;
}

static const wit_curve* line(solid_kit* k, wit_vec3 from, wit_vec3 to)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_LINE);
    d.frame.origin = from;
    d.frame.x = sub3(to, from);
    wit_vec3 unused;
    complete3(unit3(d.frame.x), &d.frame.z, &unused);
    d.range = iv(0, norm3(d.frame.x));
    return keep_curve(k, &d);
}

static const wit_curve* circle(solid_kit* k, wit_vec3 centre, wit_vec3 x, wit_vec3 z, double radius)
{
    wit_curve_def d = wit_curve_default_def(WIT_CURVE_CIRCLE);
    d.frame.origin = centre;
    d.frame.x = x;
    d.frame.z = z;
    d.radius = radius;
    return keep_curve(k, &d);
}

int wi_kit_vertex(solid_kit* k, wit_vec3 point)
{
    if (!take(k, &k->used.vertices, k->room.vertices)) return -1;
    wit_vertex_def v = {NULL, point};
    k->vertices[k->used.vertices - 1] = v;
    return k->used.vertices - 1;
}

static int edge(solid_kit* k, const char* name, const wit_curve* curve, int start, int end)
{
    if (!curve || !take(k, &k->used.edges, k->room.edges)) return -1;
    wit_edge_def e = {name, curve, iv(0, 0), start, end};
    k->edges[k->used.edges - 1] = e;
    return k->used.edges - 1;
}

int wi_kit_segment(solid_kit* k, int start, int end)
{
    if (k->status) return -1;
    return edge(k, NULL, line(k, k->vertices[start].point, k->vertices[end].point), start, end);
}

int wi_kit_ring(solid_kit* k, const char* name, wit_vec3 centre, wit_vec3 x, wit_vec3 z, double radius)
{
    return edge(k, name, circle(k, centre, x, z, radius), -1, -1);
}

/* ---- faces --------------------------------------------------------------------------------- */

wit_surface_def wi_kit_surface_def(const solid_kit* k, wit_surface_kind kind, wit_vec3 origin)
{
    wit_surface_def d = wit_surface_default_def(kind);
    d.frame.origin = origin;
    d.frame.x = k->frame.x;
    d.frame.z = k->frame.z;
    return d;
}

void wi_kit_face(solid_kit* k, const char* name, const wit_surface_def* surface)
{
    if (!take(k, &k->used.faces, k->room.faces)) return;
    int i = k->used.faces - 1;
    wit_face_def f = {name, NULL, false, false, 0, NULL};
    wit_error error = {0};
    f.surface = k->surfaces[i] = wit_surface_create(surface, &k->memory, &error);
    k->faces[i] = f;
    if (!f.surface) {
        if (k->error) *k->error = error;
        wi_kit_refuse(k, error.status);
    }
}

void wi_kit_loop(solid_kit* k)
{
    if (!take(k, &k->used.loops, k->room.loops)) return;
    wit_loop_def* l = &k->loops[k->used.loops - 1];
    wit_face_def* f = &k->faces[k->used.faces - 1];
    l->use_count = 0;
    l->uses = k->uses + k->used.uses;
    if (f->loop_count++ == 0) f->loops = l;
}

static void use(solid_kit* k, int edge_id, bool reversed, const wit_curve* parameter_curve)
{
    if (!parameter_curve || !take(k, &k->used.uses, k->room.uses)) return;
    wit_use_def u = {edge_id, reversed, parameter_curve, iv(0, 0)};
    k->uses[k->used.uses - 1] = u;
    ++k->loops[k->used.loops - 1].use_count;
}

void wi_kit_use_line(solid_kit* k, int edge_id, bool reversed, double u0, double v0, double u1, double v1)
{
    use(k, edge_id, reversed, line(k, vec3(u0, v0, 0), vec3(u1, v1, 0)));
}

void wi_kit_turn(solid_kit* k, int ring, bool reversed, double v)
{
    wi_kit_loop(k);
    wi_kit_use_line(k, ring, reversed, 0, v, TWO_PI, v);
}

void wi_kit_disc(solid_kit* k, const kit_disc* disc)
{
    double radius = disc->radius;
    bool up = disc->up;
    wit_surface_def d = wit_surface_default_def(WIT_SURFACE_PLANE);
    d.frame.origin = disc->centre;
    d.frame.x = disc->x;
    d.frame.z = up ? disc->z : scale3(-1, disc->z);
    /* Beyond the circle, so that no point of it is held at the border by rounding. */
    d.range_u = d.range_v = iv(-1.125 * radius, 1.125 * radius);
    wi_kit_face(k, disc->name, &d);
    wi_kit_loop(k);
    /* Seen from below, the ring runs clockwise. */
    use(k, disc->ring, !up, circle(k, vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 0, up ? 1 : -1), radius));
}
