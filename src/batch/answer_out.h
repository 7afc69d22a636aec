/* SPDX-License-Identifier: MIT */
/* The fields of answers in the caller's arrays. */
#ifndef BATCH_ANSWER_OUT_H
#define BATCH_ANSWER_OUT_H

#include "../../include/witness/batch.h"

/* Is there room for every field that is asked for? */
wit_status wi_answer_out_check(const wit_batch_out* out);

/* The answer to item i. */
void wi_answer_out_write(const wit_batch_out* out, int64_t i, const wit_closest* c);
/* Only its status: refused, or -1. */
void wi_answer_out_status(const wit_batch_out* out, int64_t i, int32_t status);

#endif
