/* SPDX-License-Identifier: MIT */
#include "face_piece.h"

face_piece wi_face_piece_of_leaf(const wit_body* body, const tree_node* leaf)
{
    const leaf_bounds* b = &body_leaf_bounds(body)[leaf->bounds];
    face_piece t = {leaf->u, leaf->v, 0, leaf->tag == TRIM_MIXED, {b->d1[0], b->d1[1]}, {b->d2[0], b->d2[1], b->d2[2]}};
    return t;
}

void wi_face_piece_bound(const wit_surface* surface, face_piece* t, wit_cone* normals, wit_work* work)
{
    wit_surface_bounds b;
    work_tests(work, 1);
    wit_surface_bound(surface, t->u, t->v, &b);
    if (normals) *normals = b.normals;
    t->d1[0] = b.du;
    t->d1[1] = b.dv;
    t->d2[0] = b.duu;
    t->d2[1] = b.duv;
    t->d2[2] = b.dvv;
}

bool wi_face_piece_trim(const wit_body* body, int32_t face, face_piece* t, wit_work* work, int64_t units)
{
    if (t->mixed && t->depth > 0) {
        const body_face* f = &body_faces(body)[face];
        trim_curves curves = body_trim_curves(body, f);
        curves.work = work;
        curves.units = units;
        work_tests(work, 1);
        trim_tag tag = wi_trim_classify(&f->trim, body_at(body, f->trim_block), &curves, t->u, t->v);
        if (tag == TRIM_OUT) return false;
        t->mixed = tag == TRIM_MIXED;
    }
    return true;
}

face_piece_view wi_face_piece_look(const wit_surface* surface, const face_piece* t, wit_hint* hint, wit_work* work)
{
    face_piece_view r;
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v);
    work_jets(work, 1);
    wit_surface_eval(surface, iv_mid(t->u), iv_mid(t->v), WIT_KNOT_DEFAULT, hint, &r.jet);
    r.linear = norm3(r.jet.du) * hu + norm3(r.jet.dv) * hv;
    r.bend = 0.5 * (t->d2[0] * hu * hu + 2 * t->d2[1] * hu * hv + t->d2[2] * hv * hv);
    r.radius = smaller(r.linear + r.bend, t->d1[0] * hu + t->d1[1] * hv);
    return r;
}

double wi_face_piece_turn(const face_piece* t, const face_piece_view* view)
{
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v), u = norm3(view->jet.du), v = norm3(view->jet.dv);
    double eu = t->d2[0] * hu + t->d2[1] * hv, ev = t->d2[1] * hu + t->d2[2] * hv;
    return eu * v + u * ev + eu * ev + 8 * DBL_EPSILON * u * v;
}

void wi_face_piece_halve(const face_piece* t, const face_piece_view* view, face_piece* lower, face_piece* upper)
{
    /* at a pole one derivative vanishes in the middle while the piece is still wide: its bend counts too */
    double hu = 0.5 * iv_width(t->u), hv = 0.5 * iv_width(t->v);
    double wide_u = smaller(norm3(view->jet.du) + t->d2[0] * hu + t->d2[1] * hv, t->d1[0]) * hu;
    double wide_v = smaller(norm3(view->jet.dv) + t->d2[1] * hu + t->d2[2] * hv, t->d1[1]) * hv;
    *lower = *upper = *t;
    lower->depth = upper->depth = t->depth + 1;
    if (wide_u >= wide_v)
        lower->u.hi = upper->u.lo = iv_mid(t->u);
    else
        lower->v.hi = upper->v.lo = iv_mid(t->v);
}
