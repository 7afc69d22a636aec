/* SPDX-License-Identifier: MIT */
/* One look at a piece of a front: what its shape says of the point, and for how long (body/tree/shape_look.h). */
#ifndef FRONT_PIECE_LOOK_H
#define FRONT_PIECE_LOOK_H

#include "front_record.h"

#define LOOK_ENOUGH 2.0 /* sizes of a piece: how long a certificate may be of use to its parent */
#define LOOK_WELL 0.25  /* and so long that what costs most is not looked at */

typedef struct piece_look {
    double bound; /* no place is nearer */
    double slope; /* the way for which no place is stationary; 0: may be now */
    which_slope proof;
    bool viewed;
    shape_view view;
} piece_look;

static inline void longer(piece_look* l, double slope, which_slope proof)
{
    if (!(slope > l->slope)) return;
    l->slope = slope;
    l->proof = proof;
}

static inline void look_for_slopes(const shape_node* n, piece_look* l)
{
    longer(l, shape_cone_life(n, &l->view), SLOPE_CONE);
    if (n->speed[0] > 0) longer(l, shape_slope_of(n, &l->view, 0), SLOPE_U);
    if (n->speed[1] > 0) longer(l, shape_slope_of(n, &l->view, 1), SLOPE_V);
}

/* No more than is needed to see that it is good for longer than its size. */
static inline void look(front_run* r, const front_piece* p, piece_look* l)
{
    const shape_node* n = &p->shape;
    wit_vec3 q = r->f->q;
    double enough = LOOK_ENOUGH * p->size;
    work_nodes(r->side.work, 1);
    l->bound = shape_box_bound(n, q);
    l->slope = 0;
    l->viewed = false;
    if (n->boxed || l->bound - r->limit > enough) return;
    shape_view_of(n, q, &l->view);
    l->viewed = true;
    l->bound = larger(l->bound, shape_ball_bound(n, &l->view));
    bool slopes = p->loose < INFINITY && n->parameters > 0;
    if (slopes) look_for_slopes(n, l);
    if (l->bound - r->limit > LOOK_WELL * p->size || l->slope > LOOK_WELL * p->size) return;
    l->bound = larger(l->bound, shape_distance_bound(n, &l->view));
    if (slopes) longer(l, shape_slope_down(n, &l->view), SLOPE_DOWN);
}

static inline double life_of(const front_run* r, const piece_look* l)
{
    return larger(l->bound - r->limit, l->slope);
}

#endif
