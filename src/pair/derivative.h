/* SPDX-License-Identifier: MIT */
#ifndef PAIR_DERIVATIVE_H
#define PAIR_DERIVATIVE_H

#include "contact_pair.h"

/* Derivatives of the signed distance of a pair, and its kinematics; out->known false where there are none. */
void wi_derive(const contact_pair* p, wit_derivatives* out);

#endif
