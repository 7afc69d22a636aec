/* SPDX-License-Identifier: MIT */
/*
 * Two-sided sheets have no inside: distances are not signed, and a tool that has come through is apart again. A pair remembers on
 * which side of the sheet's face it came, s = 1 or -1 against the face's normal m, and is inside when it is on the other:
 *     n = s m from the sheet to the other body,   d = n.(gap).
 * The side is taken anew where the witness is on a border of the sheet (it may go round there), and where a body, having overlapped
 * the sheet, is apart from it on the other side as a whole.
 */
#include "../body/body_record.h"
#include "haptic_record.h"

static bool is_sheet2(const world_body* b)
{
    return b->def.shape && !b->def.shape->planar && b->def.shape->kind == WIT_BODY_SHEET2;
}

bool wi_sheet_pair(const wit_haptic_def* def, int pair)
{
    const wit_body *a = def->bodies[def->pairs[pair].a].shape, *b = def->bodies[def->pairs[pair].b].shape;
    return (a && !a->planar && a->kind == WIT_BODY_SHEET2) || (b && !b->planar && b->kind == WIT_BODY_SHEET2);
}

void wi_sheet_side(const wit_haptic* w, world_pair* p, wit_result* r)
{
    const world_body *a = &world_bodies(w)[p->a], *b = &world_bodies(w)[p->b];
    bool first = is_sheet2(a);
    if (!first && !is_sheet2(b)) return;
    const wit_witness* foot = first ? &r->a : &r->b;
    const world_body* sheet = first ? a : b;
    wit_vec3 m;
    if (foot->feature != WIT_FACE || !wit_body_face_normal(sheet->def.shape, foot->id, foot->u, foot->v, &m)) {
        p->side = 0;
        return;
    }
    m = wit_pose_vector(&sheet->motion.pose, m);
    wit_vec3 out = scale3(first ? 1 : -1, sub3(r->b.point, r->a.point)); /* from the sheet to the other */
    double height = dot3(m, out);
    bool solved = r->outcome == WIT_OUTCOME_CONVERGED, point = !b->def.shape;
    bool through = !point && p->overlapped && solved && r->distance > 0;
    if (!p->side || through) p->side = height < 0 ? -1 : 1;
    p->overlapped = !point && !solved;
    wit_vec3 n = scale3(p->side, m);
    r->distance = dot3(n, out);
    r->normal = first ? n : scale3(-1, n);
}
