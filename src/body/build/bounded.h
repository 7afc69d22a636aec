/* SPDX-License-Identifier: MIT */
/* Solids that do not reach to infinity. */
#ifndef BODY_BOUNDED_H
#define BODY_BOUNDED_H

#include "../body_record.h"

/* Is the body a closed solid, and is what is far away outside of it? True is proved; false is said too where no direction
 * shows it. The tree is there. */
bool wi_body_bounded(const wit_body* body);

#endif
