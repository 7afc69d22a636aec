/* SPDX-License-Identifier: MIT */
#ifndef BODY_SHAPE_FORMS_H
#define BODY_SHAPE_FORMS_H

#include "shape_tree.h"

/* Adds the forms to a list that has all its entries; leaf[i]: that of entry i. */
void wi_shape_forms_make(const wit_body* body, const leaf_list* leaves, const int32_t* leaf, shape_list* list);

#endif
