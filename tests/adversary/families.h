/* SPDX-License-Identifier: MIT */
#ifndef ADVERSARY_FAMILIES_H
#define ADVERSARY_FAMILIES_H

#include "adversary.h"

/* families_solid.c */
void run_points(batch* b);
void run_corners(batch* b);
void run_pairs(batch* b);
void run_spun(batch* b);
void run_far(batch* b);
void run_off_origin(batch* b);
void run_slivers(batch* b);
void run_nested(batch* b);
void run_tiny(batch* b);
void run_half_space(batch* b);
/* families_touch.c */
void run_parallel(batch* b);
void run_tangent(batch* b);
void run_touch(batch* b);
void run_links(batch* b);
void run_coaxial(batch* b);
void run_twins(batch* b);
/* families_asked.c */
void run_minima(batch* b);
void run_budgets(batch* b);
void run_tolerances(batch* b);
void run_masks(batch* b);
void run_aside(batch* b);
/* families_thin.c */
void run_bowls(batch* b);
void run_dishes(batch* b);
void run_rings(batch* b);
void run_crossed(batch* b);
/* families_sheet.c */
void run_weights(batch* b);
void run_flat_weights(batch* b);
void run_arcs(batch* b);
void run_sheets(batch* b);
void run_crossing(batch* b);
/* families_trim.c */
void run_discs(batch* b);
void run_caps(batch* b);
void run_borders(batch* b);
/* families_planar.c */
void run_planar(batch* b);
void run_polygons(batch* b);
/* families_track.c */
void run_tracks(batch* b);
void run_far_tracks(batch* b);
void run_off_origin_tracks(batch* b);
void run_bowl_tracks(batch* b);
/* families_motion.c */
void run_fronts(batch* b);
void run_point_fronts(batch* b);
void run_depths(batch* b);
/* families_sweep.c */
void run_sweeps(batch* b);
/* families_contact.c */
void run_contacts(batch* b);
void run_all_minima(batch* b);
/* families_parts.c */
void run_parts(batch* b);

#endif
