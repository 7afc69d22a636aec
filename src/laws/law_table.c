/* SPDX-License-Identifier: MIT */
/* The laws as a tracker sees them: a table of functions of each kind, and the settings they come with. */
#include "findmin.h"
#include "flow.h"
#include "hybrid.h"
#include "law_check.h"
#include "newton_law.h"

/* The tracker's own step; what is no law at all is refused by the check. */
static const law_methods own_step = {.settings = sizeof(wit_law_def), .check = wi_law_check};

static const law_methods flows = {.settings = sizeof(wit_law_def),
                                  .state = wi_flow_bytes,
                                  .check = wi_law_check,
                                  .forget = wi_flow_forget,
                                  .step = wi_flow_step,
                                  .jump_time = wi_hybrid_jump_time};

static const law_methods newton = {.settings = sizeof(wit_law_def), .check = wi_law_check, .step = wi_newton_law_step};

static const law_methods top_down = {.settings = sizeof(wit_law_def),
                                     .state = wi_findmin_bytes,
                                     .check = wi_law_check,
                                     .forget = wi_findmin_forget,
                                     .step = wi_findmin_step};

static const law_methods* table_of(const wit_law_def* law)
{
    switch (law->kind) {
    case WIT_LAW_LINEARIZING:
    case WIT_LAW_SWITCHING:
    case WIT_LAW_EXPONENTIAL:
    case WIT_LAW_MOTION_AWARE:
    case WIT_LAW_OWN:
        return &flows;
    case WIT_LAW_NEWTON:
    case WIT_LAW_NEWTON_SATURATED:
        return &newton;
    case WIT_LAW_FINDMIN:
        return &top_down;
    default:
        return &own_step;
    }
}

_Static_assert(offsetof(wit_law_def, table) == 0, "a tracker finds the table there (law_methods.h)");

#define SETTINGS(which)                                                                                                \
    {                                                                                                                  \
        .table = table_of, .struct_size = sizeof(wit_law_def), .kind = which, .gain = {WIT_GAIN_SCALAR, .value = 100}, \
        .ball = 1e-3, .findmin = {true, true, true, true, true, true, 0, 12},                                          \
    }

wit_law_def wit_law_default_def(wit_law_kind kind)
{
    wit_law_def d = SETTINGS(kind);
    return d;
}

const wit_law_def* wit_law_preset(wit_law_kind kind)
{
    static const wit_law_def presets[] = {
        SETTINGS(WIT_LAW_DEADBEAT),         SETTINGS(WIT_LAW_LINEARIZING),  SETTINGS(WIT_LAW_SWITCHING),
        SETTINGS(WIT_LAW_EXPONENTIAL),      SETTINGS(WIT_LAW_MOTION_AWARE), SETTINGS(WIT_LAW_NEWTON),
        SETTINGS(WIT_LAW_NEWTON_SATURATED), SETTINGS(WIT_LAW_FINDMIN),      SETTINGS(WIT_LAW_COUNT)};
    if (kind == WIT_LAW_DEADBEAT) return NULL;
    return &presets[(unsigned)kind < WIT_LAW_COUNT ? kind : WIT_LAW_COUNT];
}

wit_findmin_work wit_tracker_findmin_work(const wit_tracker* t)
{
    wit_findmin_work none = {0};
    if (!t || t->law != &top_down) return none;
    const findmin_table* table = (const findmin_table*)(const void*)((const char*)t + t->law_state_at);
    return table->work;
}
