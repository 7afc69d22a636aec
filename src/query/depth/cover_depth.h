/* SPDX-License-Identifier: MIT */
/*
 * The depth of solids that are not convex but have a cover (body/cover/cover.h), each of them or one of them and a convex one:
 *     max over pairs of pieces X, Y of  min over unit n of  h_X(n) + h_Y(-n),
 * a function of the poses alone, and none of its terms changes by more than the bodies move. Over all convex parts X and Y
 * instead of the stored pieces it is the depth of query.h: the pieces bound it from below, the outer sets from above.
 */
#ifndef QUERY_COVER_DEPTH_H
#define QUERY_COVER_DEPTH_H

#include "penetration.h"

typedef enum cover_end {
    COVER_NONE,  /* no cover is stored, or a body without one is not known to be convex */
    COVER_SPENT, /* the work ended */
    COVER_APART, /* no two pieces share inner points */
    COVER_FOUND
} cover_end;

/*
 * The pair of the deepest two pieces, its places on features of the bodies or inside them (WIT_POINT); out->lower and
 * out->upper bracket the depth of the solids, out->closed: within `tolerance`.
 */
cover_end wi_cover_depth(const search_task* task, double tolerance, wit_work* work, penetration* out);

#endif
