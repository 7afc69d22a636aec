/* SPDX-License-Identifier: MIT */
#ifndef PAIR_CONTACT_SET_H
#define PAIR_CONTACT_SET_H

#include "contact_pair.h"

/* The set of pairs at the signed distance of p, in the world. out->count is 0 if p is no closest pair and no set goes through
 * it. Unbounded faces of p's sides are clipped to where the other side projects. */
void wi_contact_set(contact_pair* p, wit_contact_set* out);

#endif
