/* SPDX-License-Identifier: MIT */
#include "section.h"

/* What coordinates that are equal may differ by, of the size and of how far they are from the origin. */
#define EQUAL (64 * DBL_EPSILON)

static bool face_normal(const wit_body* b, int32_t face, wit_vec3* out)
{
    const wit_surface* s = body_surface(b, face);
    if (s->kind != WIT_SURFACE_PLANE || body_faces(b)[face].unbounded) return false;
    *out = body_faces(b)[face].reversed ? scale3(-1, s->frame.z) : s->frame.z;
    return true;
}

static bool plain_solid(const wit_body* b)
{
    if (b->kind != WIT_BODY_SOLID || b->planar || b->unbounded || !b->bounded || !b->outward) return false;
    for (int32_t i = 0; i < b->edge_count; ++i)
        if (body_curve(b, i)->kind != WIT_CURVE_LINE || body_edges(b)[i].start < 0) return false;
    return b->vertex_count >= 6;
}

/* Is everything along or across the axis of this face, with two heights only and one lid? */
static bool is_floor(const wit_body* b, int32_t floor, section* s)
{
    wit_vec3 n;
    int lids = 0, floors = 0;
    if (!face_normal(b, floor, &n)) return false;
    s->z = scale3(-1, n);
    s->o = body_surface(b, floor)->frame.o;
    for (int32_t i = 0; i < b->face_count; ++i) {
        if (!face_normal(b, i, &n)) return false;
        double along = dot3(n, s->z);
        lids += along > 1 - 1e-12;
        floors += along < -1 + 1e-12;
        if (fabs(along) > EQUAL && fabs(along) < 1 - EQUAL) return false;
    }
    s->height = 0;
    for (int32_t i = 0; i < b->vertex_count; ++i)
        s->height = larger(s->height, dot3(sub3(body_vertices(b)[i].point, s->o), s->z));
    for (int32_t i = 0; i < b->vertex_count; ++i) {
        double h = dot3(sub3(body_vertices(b)[i].point, s->o), s->z);
        if (fabs(h) > s->error && fabs(h - s->height) > s->error) return false;
    }
    return lids == 1 && floors == 1 && s->height > 0;
}

static double area_of(const section* s, int loop)
{
    double area = 0;
    for (int i = s->first[loop] + 1; i + 1 < s->first[loop + 1]; ++i)
        area += 0.5 * turn2(s->p[s->first[loop]], s->p[i], s->p[i + 1]);
    return area;
}

static void turn_round(section* s, int loop)
{
    for (int i = s->first[loop], k = s->first[loop + 1] - 1; i < k; ++i, --k) {
        point2 p = s->p[i];
        s->p[i] = s->p[k];
        s->p[k] = p;
    }
}

/* Every corner of the floor has its like in the lid, and there are no others. */
static bool same_lid(const wit_body* b, const section* s)
{
    int corners = s->first[s->loops], found = 0;
    for (int32_t i = 0; i < b->vertex_count; ++i) {
        wit_vec3 v = sub3(body_vertices(b)[i].point, s->o);
        point2 p = {dot3(v, s->x), dot3(v, s->y)};
        for (int k = 0; k < corners; ++k)
            if (fabs(p.x - s->p[k].x) <= s->error && fabs(p.y - s->p[k].y) <= s->error) {
                found++;
                break;
            }
    }
    return found == b->vertex_count && b->vertex_count == 2 * corners;
}

static bool read_loops(const wit_body* b, int32_t floor, section* s)
{
    const body_face* f = &body_faces(b)[floor];
    int n = 0;
    if (f->loops < 1 || f->loops > SECTION_LOOPS) return false;
    for (int32_t l = 0; l < f->loops; ++l) {
        const body_loop* loop = &body_loops(b)[f->first_loop + l];
        s->first[l] = n;
        for (int32_t k = 0; k < loop->uses; ++k) {
            const body_use* u = &body_uses(b)[loop->first_use + k];
            if (n == SECTION_CORNERS || u->edge < 0) return false;
            const body_edge* e = &body_edges(b)[u->edge];
            wit_vec3 v = sub3(body_vertices(b)[u->reversed ? e->end : e->start].point, s->o);
            s->p[n++] = (point2){dot3(v, s->x), dot3(v, s->y)};
        }
    }
    s->loops = f->loops;
    s->first[s->loops] = n;
    return true;
}

bool wi_section_of(const wit_body* b, section* s)
{
    if (!plain_solid(b)) return false;
    double reach = larger(norm3(b->box.lo), norm3(b->box.hi));
    for (int32_t floor = 0; floor < b->face_count; ++floor) {
        s->error = EQUAL * (reach + b->size) + b->tolerance;
        if (!is_floor(b, floor, s)) continue;
        complete3(s->z, &s->x, &s->y);
        if (!read_loops(b, floor, s) || !same_lid(b, s)) continue;
        int outer = 0;
        for (int l = 1; l < s->loops; ++l)
            if (fabs(area_of(s, l)) > fabs(area_of(s, outer))) outer = l;
        if (outer != 0) return false; /* loops begin with the outer one */
        for (int l = 0; l < s->loops; ++l)
            if ((area_of(s, l) > 0) != (l == 0)) turn_round(s, l);
        return true;
    }
    return false;
}
