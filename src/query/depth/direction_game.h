/* SPDX-License-Identifier: MIT */
/* The best plane over a cell of directions. */
#ifndef QUERY_DIRECTION_GAME_H
#define QUERY_DIRECTION_GAME_H

#include "../../base/vec.h"

enum { GAME_POINTS = 16, GAME_CORNERS = 4 };

/*
 * Weights w >= 0 of the points p_i, their sum 1, such that the least of p.n_k over the corners, p = sum w_i p_i, is as large
 * as can be: a matrix game. Returns that least value for the weights as they are: right whatever the rounding in them.
 * *toward (may be null) is the other player's answer: where in the cell the largest of the p_i.n is least.
 */
double wi_direction_game(int points, const wit_vec3* p, int corners, const wit_vec3* n, double* weights,
                         wit_vec3* toward);

#endif
