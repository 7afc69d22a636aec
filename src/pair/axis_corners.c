/* SPDX-License-Identifier: MIT */
/*
 * Two cylinders along each other, a peg in its hole or two shafts side by side. At each end of the length that
 * they share the contact is where the section through it is closest: with w from the axis of the other to its own,
 * the convex one is nearest on the far side of w in a hole and on the near side of another shaft. So a peg that
 * leans in its hole has its two contacts on opposite sides. In a hole the places a quarter, a half and three
 * quarters of a turn on hold it too.
 */
#include "patch_corners.h"

#define CENTRED 1e-9 /* of the size: axes no farther apart have no side on which they are */
#define OVER 1e-9    /* of the size: an end so far beyond the other's counts as over it */

typedef struct round_side {
    const side* side;
    const wit_surface* f;
    const body_face* face;
    int32_t id;
    wit_vec3 o, z; /* of the axis */
    double lo, hi; /* along it: v */
} round_side;

static round_side round_of(const side* s, int32_t face)
{
    const wit_surface* f = body_surface(s->body, face);
    const body_face* record = &body_faces(s->body)[face];
    round_side r = {s,           f, record, face, side_point(s, f->frame.o), side_vector(s, f->frame.z), record->v.lo,
                    record->v.hi};
    return r;
}

static double along_axis(const round_side* r, wit_vec3 p)
{
    return dot3(sub3(p, r->o), r->z);
}

/* The place of p, which lies on the cylinder. False: not in the face. */
static bool place_on(const round_side* r, wit_vec3 p, double slack, place* out)
{
    wit_vec3 d = side_unvector(r->side, sub3(p, r->o));
    double v = dot3(d, r->f->frame.z), u = wit_atan2(dot3(d, r->f->frame.y), dot3(d, r->f->frame.x));
    while (u < r->face->u.lo) u += TWO_PI;
    while (u > r->face->u.hi && u - TWO_PI >= r->face->u.lo) u -= TWO_PI;
    if (u > r->face->u.hi || v < r->lo - slack || v > r->hi + slack) return false;
    v = v < r->lo ? r->lo : v > r->hi ? r->hi : v;
    *out = place_at(WIT_FACE, r->id, u, v, p);
    return true;
}

/* The contact of the section of `own`, the convex one, at v, on the side of `toward` (a unit vector across its
 * axis). */
static void add_section(const patch_pair* q, const round_side r[2], int own, double v, wit_vec3 toward,
                        patch_corners* out)
{
    const round_side *x = &r[own], *y = &r[1 - own];
    double slack = OVER * q->size + out->loose, near = smaller(out->loose, 0.25 * (y->hi - y->lo));
    patch_corner c;
    wit_vec3 p = addscaled3(addscaled3(x->o, v, x->z), x->f->a, toward);
    /* an end of the other is not across this axis: to where the foot is at that end */
    double at = along_axis(y, p), in = at < y->lo + near ? y->lo : at > y->hi - near ? y->hi : at;
    double moved = v + (in - at) / dot3(x->z, y->z);
    moved = moved < x->lo ? x->lo : moved > x->hi ? x->hi : moved;
    p = addscaled3(p, moved - v, x->z);
    wit_vec3 foot = addscaled3(y->o, along_axis(y, p), y->z), way = sub3(p, foot);
    double far = norm3(way);
    if (!(far > CENTRED * q->size)) return;
    wit_vec3 e = scale3(1 / far, way), on = addscaled3(foot, y->f->a, e);
    /* out of the convex one: towards the wall of a hole, towards the axis of a shaft */
    wit_vec3 n = y->face->reversed ? e : scale3(-1, e);
    if (!place_on(x, p, slack, &c.at[own]) || !place_on(y, on, slack, &c.at[1 - own])) return;
    c.normal = own == 0 ? n : scale3(-1, n);
    c.x = dot3(p, q->normal);
    c.y = v;
    wi_corner_add(q, &c, out);
}

/* The section at v: its one contact with a shaft, in a hole the four that hold it. */
static void add_sections(const patch_pair* q, const round_side r[2], int own, double v, patch_corners* out)
{
    const round_side *x = &r[own], *y = &r[1 - own];
    bool hole = y->face->reversed;
    wit_vec3 c = addscaled3(x->o, v, x->z), w = sub3(c, addscaled3(y->o, along_axis(y, c), y->z));
    w = addscaled3(w, -dot3(w, x->z), x->z);
    if (!hole) w = scale3(-1, w);
    wit_vec3 e = unit3(w);
    if (!(norm3(w) > CENTRED * q->size)) {
        if (!hole) return;
        e = side_vector(x->side, x->f->frame.x);
    }
    for (int k = 0; k < (hole ? 4 : 1); ++k) {
        add_section(q, r, own, v, e, out);
        e = cross3(x->z, e);
    }
}

bool wi_axis_corners(const patch_pair* q, const support_patch patch[2], patch_corners* out)
{
    round_side r[2];
    for (int i = 0; i < 2; ++i) {
        if (patch[i].face < 0) return false;
        r[i] = round_of(q->side[i], patch[i].face);
        if (r[i].f->kind != WIT_SURFACE_CYLINDER) return false;
    }
    if (r[0].face->reversed && r[1].face->reversed) return false;
    double sine = norm3(cross3(r[0].z, r[1].z));
    if (sine > q->sine) return false;
    out->loose =
        2 * sine * larger(r[0].f->a, r[1].f->a); /* sections are across the one axis, the ends of the other are not */
    int own = r[0].face->reversed ? 1 : 0;
    const round_side *x = &r[own], *y = &r[1 - own];
    /* what they share, along the axis of the convex one */
    double along = dot3(y->z, x->z) < 0 ? -1 : 1, at = along_axis(x, y->o);
    double lo = larger(x->lo, at + (along > 0 ? y->lo : -y->hi)),
           hi = smaller(x->hi, at + (along > 0 ? y->hi : -y->lo));
    if (!(hi >= lo)) return false;
    add_sections(q, r, own, lo, out);
    if (hi > lo) add_sections(q, r, own, hi, out);
    return true;
}
