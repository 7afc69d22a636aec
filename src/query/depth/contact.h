/* SPDX-License-Identifier: MIT */
/*
 * Local contacts of overlapping solids. A contact is a pair (x, y), x of a and y of b, with x - y = depth n, n outward at x and
 * -n at y, the way between them inside both solids, such that
 *   - b moved out by depth n touches a there, and only touches: near the pair it leaves no way inside;
 *   - n is the shortest way out, compared with those close to it. With K_a, K_b the curvatures at x and y (positive where
 *     convex; infinite across an edge, or all round at a vertex) the difference a - b has there the curvature
 *     K = (K_a^-1 + K_b^-1)^-1 = K_a (K_a + K_b)^-1 K_b, and I - depth K is positive.
 */
#ifndef QUERY_CONTACT_H
#define QUERY_CONTACT_H

#include "contact_solve.h"
#include "penetration.h"

enum { CONTACTS_MOST = 128 };

typedef struct contact_list {
    int count;
    bool full;                      /* more were found than there is room for */
    local_contact c[CONTACTS_MOST]; /* deepest first */
} contact_list;

/* All that is found from pairs of tree leaves no farther apart than `reach`, and from supports against the normals of the
 * leaves; as far as the budget goes. No proof that it is all. */
void wi_contact_search(const search_task* task, double reach, wit_work* work, contact_list* out);

/* contact_test.c: is the pair that wi_contact_solve found a contact? */
bool wi_contact_holds(const search_task* task, const local_contact* c, wit_work* work);

/* The same, of every place where the bodies overlap only the shallowest contact; `upper` is a translation that surely separates
 * them. Places are told apart by points between the contacts: an estimate. Returns their number. */
int wi_contact_regions(const search_task* task, double upper, wit_work* work, contact_list* list);

/* Of every place where the bodies overlap the shallowest contact, and of these the deepest, in place of the pair of *d. False: none
 * was found. */
bool wi_contact_deepest(const search_task* task, wit_work* work, penetration* d);

#endif
