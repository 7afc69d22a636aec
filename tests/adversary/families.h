/* SPDX-License-Identifier: MIT */
#ifndef ADVERSARY_FAMILIES_H
#define ADVERSARY_FAMILIES_H

#include "adversary.h"

/* families_solid.c */
void run_points(batch* b);
void run_corners(batch* b);
void run_pairs(batch* b);
void run_far(batch* b);
void run_off_origin(batch* b);
void run_parallel(batch* b);
void run_tangent(batch* b);
void run_slivers(batch* b);
void run_nested(batch* b);
void run_tiny(batch* b);
void run_half_space(batch* b);
void run_minima(batch* b);
/* families_thin.c */
void run_bowls(batch* b);
void run_rings(batch* b);
void run_budgets(batch* b);
/* families_sheet.c */
void run_weights(batch* b);
void run_flat_weights(batch* b);
void run_sheets(batch* b);
void run_crossing(batch* b);
void run_discs(batch* b);
void run_borders(batch* b);
/* families_track.c */
void run_tracks(batch* b);
void run_far_tracks(batch* b);
void run_off_origin_tracks(batch* b);
void run_bowl_tracks(batch* b);

#endif
