/* SPDX-License-Identifier: MIT */
/* A body for `witness info`: its features, its check, and the premises of the papers. */
#ifndef CLI_INFO_BODY_H
#define CLI_INFO_BODY_H

#include "../include/witness/body.h"
#include "out.h"

/* `unit` of lengths, "" for none. */
void info_body_text(out* o, const wit_body* body, const char* unit);
/* One JSON object, without a line end; the value of `key` inside an object, null inside an array. */
void info_body_json(out* o, const char* key, const wit_body* body, const char* unit);

#endif
