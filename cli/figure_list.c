/* SPDX-License-Identifier: MIT */
/* A row for every caption of the five papers. */
#include "figure.h"

#define LOOP "The blocks, and what goes over the wire in a run of ours. "
#define WORLD "The blocks, and forces, energies and gaps of a run in which all of them are one system."

const figure_row figure_rows[] = {
    {"000-fig1", "a patch, Q, P, P*, tangents, normal and dR", figure_000_1,
     "Drawn on the patch of Table I; dR is P - Q, as the law needs it, not from P to Q."},
    {"000-fig2", "the feedback loop as a block diagram", figure_000_2, LOOP "Words in place of the paper's symbols."},
    {"000-fig3", "a body, its Voronoi regions, a part of them, and the automaton", figure_000_3,
     "The body is ours. Regions are drawn by the normals of both faces along every edge; the automaton is that of the "
     "run of "
     "Fig. 9, with its times."},
    {"000-fig4", "the automaton of a patch, its switching rules, the controller", figure_000_4,
     "(A) and (B) as one picture: the rules stand at the arrows. Corners, which the paper leaves out, are added; (C) "
     "is a block "
     "diagram."},
    {"000-fig5", "the border u = 0 with its geodesic normal", figure_000_5, "On the patch of Table I."},
    {"000-fig6", "invariance: path, modes, projection errors, distance", figure_000_6,
     "Point and start are ours; the paper prints no numbers. Modes are bands; frame 0 is P0."},
    {"000-fig7", "paths and regions of attraction of three laws", figure_000_7,
     "Our point was looked for: one where Newton does badly. Numbers at the path: Newton's steps. 31 x 31 starts."},
    {"000-fig8", "gains under motion: K = 50, 0.02, 1300", figure_000_8,
     "The path is ours. At K = 50 the errors go to a lag, not to zero; text and caption of the paper disagree on (C) "
     "and (D). (E) is "
     "ours: error against gain with both limits."},
    {"000-fig9", "Voronoi switching on a body of tiled patches", figure_000_9,
     "Body and path are ours; the path passes the two boundaries at the printed times by construction."},
    {"001-fig1", "a patch with its tangents", figure_001_1, "The patch of Table I."},
    {"001-fig2", "two patches with dR", figure_001_2, "Two ellipsoids (those of 004) in place of two patches."},
    {"001-fig3", "inner and outer loop as a block diagram", figure_001_3, LOOP "With integrated feedback."},
    {"001-fig4", "the alternative implementation", figure_001_4, LOOP "With direct feedback."},
    {"001-fig5", "tracking combined with dynamics", figure_001_5,
     WORLD " Contact forces, which the paper counts among the loads, are a wire of their own."},
    {"001-fig6", "first convergence and tracking over a patch", figure_001_6, "Path, start and gain are ours."},
    {"001-fig7", "projection errors at K = 100 and 1000", figure_001_7,
     "The inset is a panel of its own. 84 and 12 steps to 1e-3."},
    {"001-fig8", "a planar body and its regions", figure_001_8, "Three arcs; the paper gives no shape."},
    {"001-fig9", "the automaton of that body with times", figure_001_9,
     "Rows in place of a circle; times of our run of Fig. 10."},
    {"001-fig10", "a point on a spiral from inside to outside", figure_001_10,
     "The spiral was fitted to the printed times; law, switching and a wrong start as in the paper."},
    {"001-fig11", "the parameters over time", figure_001_11, "Of the range of their curve; bands: the active feature."},
    {"001-fig12", "two planar bodies and their regions", figure_001_12, "Both are the three-arc body."},
    {"001-fig13", "the automaton of pairs", figure_001_13, "With the number of hand-overs of our run of Fig. 14."},
    {"001-fig14", "two planar bodies in twelve snapshots", figure_001_14,
     "An inward spiral, as the text says; the caption says circle. All of one size; t = 0 is the start."},
    {"001-fig15", "their parameters over time", figure_001_15, "Bands: the feature of A."},
    {"001-fig16", "a body in space and a point on a helix", figure_001_16,
     "Three spherical faces; body and helix are ours."},
    {"001-fig17", "its automaton with times", figure_001_17, "Both vertices are shown; the paper leaves one out."},
    {"001-fig18", "its parameters over time", figure_001_18, "Of the range of their face or edge."},
    {"001-fig19", "two bodies in space, five snapshots", figure_001_19,
     "All five in one picture; bodies and motion are ours."},
    {"001-fig20", "their parameters over time", figure_001_20,
     "In ours A is on an edge from 3.09 to 3.61 s, in the paper from 2.67 to 3.66 s."},
    {"002-fig1", "non-convex objects of convex features", figure_002_1,
     "Two bodies of ours: the bowl, and a plate with two holes. Their concave faces are of the kinds that the text "
     "allows."},
    {"002-fig2", "the vector d at right angles to all gradients", figure_002_2, "At Y = 22 of Table 1, computed."},
    {"002-fig3", "the pen and the bowl with their features", figure_002_3,
     "From the corrected equations; D = 8 as printed."},
    {"002-fig4", "closest pairs and distance along the line", figure_002_4, "Row Y = 22 is wrong in print: 15.2059."},
    {"002-fig5", "closest pairs and distance as the pen turns", figure_002_5,
     "Degrees on the axis; rows 178 and 225 of Table 2 are saddles."},
    {"003-fig1", "haptic rendering as a scheme", figure_003_1,
     WORLD " Boxes in place of sketches of hand and device; two objects."},
    {"003-fig2", "haptic rendering as a block diagram", figure_003_2, WORLD},
    {"003-fig3", "a parametric surface", figure_001_1, "As 001 Fig. 1."},
    {"003-fig4", "two surfaces with dR", figure_001_2, "As 001 Fig. 2."},
    {"003-fig5", "inner and outer loop as a block diagram", figure_001_3, "As 001 Fig. 3."},
    {"003-fig6", "the alternative implementation", figure_001_4, "As 001 Fig. 4."},
    {"003-fig7", "tracking combined with dynamics", figure_001_5, "As 001 Fig. 5."},
    {"003-fig8", "a planar body and its regions", figure_001_8, "As 001 Fig. 8."},
    {"003-fig9", "the automaton of that body", figure_001_9, "As 001 Fig. 9."},
    {"003-fig10", "a point on a spiral", figure_001_10, "As 001 Fig. 10."},
    {"003-fig11", "the parameters over time", figure_001_11, "As 001 Fig. 11."},
    {"003-fig12", "two planar bodies in twelve snapshots", figure_001_14, "As 001 Fig. 14."},
    {"003-fig13", "their parameters over time", figure_001_15, "As 001 Fig. 15."},
    {"003-fig14", "a body in space and a point on a helix", figure_001_16, "As 001 Fig. 16."},
    {"003-fig15", "its parameters over time", figure_001_18, "As 001 Fig. 18."},
    {"004-fig1", "a parametric surface", figure_001_1, "As 001 Fig. 1."},
    {"004-fig2", "two surfaces with dR", figure_001_2, "As 001 Fig. 2."},
    {"004-fig3", "inner and outer loop as a block diagram", figure_001_3, "As 001 Fig. 3."},
    {"004-fig4", "the alternative implementation", figure_001_4, "As 001 Fig. 4."},
    {"004-fig5", "tracking combined with dynamics", figure_001_5, "As 001 Fig. 5."},
    {"004-fig6", "two ellipsoids with start and extremal pair", figure_004_6, "Shapes, poses and twists are ours."},
    {"004-fig7", "projection errors over time", figure_004_7,
     "The gain is ours; what is left at the end is the error of RK2."},
};

const int figure_count = sizeof figure_rows / sizeof figure_rows[0];
