/* SPDX-License-Identifier: MIT */
/* Before or behind a one-sided sheet, proved. */
#ifndef QUERY_SHEET_SIDE_H
#define QUERY_SHEET_SIDE_H

#include "../search_task.h"

/*
 * A sheet has no inside: the sign of a point q is that of A . (q - x) at the closest place x, A the sum of the normals
 * there (sign.c), and it jumps where closest places tie that look at q from both sides. A search knows the closest place up
 * to the width of its bracket only. True: every place of the sheet that may be the closest one, being no farther than `upper`
 * and the errors of poses, edges and vertices, has the sign `sign`. False also where the work ended before that was seen.
 */
bool wi_sheet_side_proved(const search_task* task, const side* s, wit_vec3 point, double upper, int sign,
                          wit_work* work);

#endif
