/* SPDX-License-Identifier: MIT */
#include "contact.h"

void contact_deepest(const search_task* task, wit_work* work, penetration* d)
{
    (void)task;
    (void)work;
    (void)d;
}
