/* SPDX-License-Identifier: MIT */
/*
 * Beside a pole. There f_u vanishes and (u, v) are no coordinates; the surface is as smooth as elsewhere. So the side is
 * looked at in an orthonormal frame of its tangent plane, S = p + y_0 e_0 + y_1 e_1 + II(y, y) / 2 n, and a step y there is
 * brought back to parameters as in polar coordinates about the pole.
 */
#ifndef PAIR_POLE_H
#define PAIR_POLE_H

#include "pair_motion.h"

/* Is the place on a face with a pole, and so near to it that its parameters are to be left alone? */
bool wi_pole_near(const pair_motion* s, int which, const place* at);

/* Derivatives by the parameters -> by lengths in the tangent plane. False: no tangent plane to be had. */
bool wi_pole_chart(const pair_motion* s, int which, const place* at, moving* m);

/* The parameters of the point that a step y in the tangent plane leads to; u closed or in its range, v in its range. */
void wi_pole_move(const pair_motion* s, int which, const moving* chart, const double y[2], place* at);

#endif
