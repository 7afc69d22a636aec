/* SPDX-License-Identifier: MIT */
#include "tracker_record.h"
#define WEAK __attribute__((weak))
