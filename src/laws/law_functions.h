/* SPDX-License-Identifier: MIT */
/* The laws that are one function each: those of the list in laws.h that are run as FUNCTION. */
#ifndef LAWS_LAW_FUNCTIONS_H
#define LAWS_LAW_FUNCTIONS_H

#include "law_run.h"

#define LAW_DECLARE_TRACKER(name)
#define LAW_DECLARE_FLOW(name)
#define LAW_DECLARE_NEWTON(name)
#define LAW_DECLARE_FINDMIN(name)
#define LAW_DECLARE_FUNCTION(name) wit_flow_function wi_law_##name;
#define LAW_DECLARE(id, name, run) LAW_DECLARE_##run(name)
WIT_LAW_LIST(LAW_DECLARE)
#undef LAW_DECLARE
#undef LAW_DECLARE_TRACKER
#undef LAW_DECLARE_FLOW
#undef LAW_DECLARE_NEWTON
#undef LAW_DECLARE_FINDMIN
#undef LAW_DECLARE_FUNCTION

#endif
