/* SPDX-License-Identifier: MIT */
/* Ready-made solids with a circular section: whole closed faces, and faces between rings. */
#include "solid_kit.h"

void wi_solid_whole(solid_kit* k)
{
    const wit_solid_def* s = k->def;
    kit_room room = {1, 0, 0, 0, 0, 0, 0};
    if (!wi_kit_open(k, room)) return;
    wit_surface_kind kind = s->kind == WIT_SOLID_SPHERE      ? WIT_SURFACE_SPHERE
                            : s->kind == WIT_SOLID_ELLIPSOID ? WIT_SURFACE_ELLIPSOID
                                                             : WIT_SURFACE_TORUS;
    wit_surface_def d = wi_kit_surface_def(k, kind, k->frame.o);
    d.radius = s->radius;
    d.minor = s->radius2;
    d.semi_x = s->size_x;
    d.semi_y = s->size_y;
    d.semi_z = s->size_z;
    wi_kit_face(k, "surface", &d);
}

/* Rings of the radii at the floor, o, and at the lid, o + height z. */
static void rings(solid_kit* k, double radius, double radius2)
{
    const shape_frame* f = &k->frame;
    wi_kit_ring(k, "bottom", f->o, f->x, f->z, radius);
    wi_kit_ring(k, "top", wi_kit_point(k, 0, 0, k->def->height), f->x, f->z, radius2);
}

/* Floor and lid inside the rings, after the side between them. */
static void discs(solid_kit* k, double radius, double radius2)
{
    const shape_frame* f = &k->frame;
    wi_kit_disc(k, &(kit_disc){"bottom", f->o, f->x, f->z, radius, 0, false});
    wi_kit_disc(k, &(kit_disc){"top", wi_kit_point(k, 0, 0, k->def->height), f->x, f->z, radius2, 1, true});
}

/* The cylinder between ring 0 and ring 1. */
static void wall(solid_kit* k, double radius)
{
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_CYLINDER, k->frame.o);
    d.radius = radius;
    d.range_v = iv(0, k->def->height);
    wi_kit_face(k, "side", &d);
    wi_kit_turn(k, 0, false, 0);
    wi_kit_turn(k, 1, true, k->def->height);
}

void wi_solid_cylinder(solid_kit* k)
{
    kit_room room = {3, 2, 0, 4, 4, 6, 0};
    if (!wi_kit_open(k, room)) return;
    rings(k, k->def->radius, k->def->radius);
    wall(k, k->def->radius);
    discs(k, k->def->radius, k->def->radius);
}

/* Seen from the apex, z down: the radius is 0 there without rounding. v is the way along the slant. */
void wi_solid_cone(solid_kit* k)
{
    const shape_frame* f = &k->frame;
    double r = k->def->radius, h = k->def->height, slant = norm3(vec3(r, h, 0));
    kit_room room = {2, 1, 0, 2, 2, 3, 0};
    if (!wi_kit_open(k, room)) return;
    wit_vec3 down = scale3(-1, f->z);
    wi_kit_ring(k, "bottom", f->o, f->x, down, r);
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_CONE, wi_kit_point(k, 0, 0, h));
    d.frame.z = down;
    d.angle = wit_atan2(r, h);
    d.range_v = iv(0, slant);
    wi_kit_face(k, "side", &d);
    wi_kit_turn(k, 0, true, slant);
    wi_kit_disc(k, &(kit_disc){"bottom", f->o, f->x, down, r, 0, true});
}

void wi_solid_frustum(solid_kit* k)
{
    double r = k->def->radius, r2 = k->def->radius2, h = k->def->height, slant = norm3(vec3(r2 - r, h, 0));
    kit_room room = {3, 2, 0, 4, 4, 6, 0};
    if (!wi_kit_open(k, room)) return;
    rings(k, r, r2);
    /* Radii that differ by less than a cone can show: a cylinder. */
    if (fabs(r2 - r) <= 4e-12 * slant) {
        wall(k, r);
    } else {
        wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_CONE, k->frame.o);
        d.radius = r;
        d.angle = wit_atan2(r2 - r, h);
        d.range_v = iv(0, slant);
        wi_kit_face(k, "side", &d);
        wi_kit_turn(k, 0, false, 0);
        wi_kit_turn(k, 1, true, slant);
    }
    discs(k, r, r2);
}

void wi_solid_capsule(solid_kit* k)
{
    double r = k->def->radius;
    kit_room room = {3, 2, 0, 4, 4, 6, 0};
    if (!wi_kit_open(k, room)) return;
    rings(k, r, r);
    wall(k, r);
    wit_surface_def d = wi_kit_surface_def(k, WIT_SURFACE_SPHERE, k->frame.o);
    d.radius = r;
    d.range_v = iv(-PI / 2, 0);
    wi_kit_face(k, "bottom", &d);
    wi_kit_turn(k, 0, true, 0);
    d.frame.origin = wi_kit_point(k, 0, 0, k->def->height);
    d.range_v = iv(0, PI / 2);
    wi_kit_face(k, "top", &d);
    wi_kit_turn(k, 1, false, 0);
}
