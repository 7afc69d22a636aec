/* SPDX-License-Identifier: MIT */
/* The laws as a tracker sees them: a table of functions of each kind, and the settings they come with. */
#include "findmin.h"
#include "flow.h"
#include "hybrid.h"
#include "law_check.h"
#include "law_functions.h"
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
    switch (wi_law_run(law->kind)) {
    case LAW_RUN_FLOW:
    case LAW_RUN_FUNCTION:
        return &flows;
    case LAW_RUN_NEWTON:
        return &newton;
    case LAW_RUN_FINDMIN:
        return &top_down;
    default:
        return &own_step;
    }
}

wit_flow_function* wi_law_function(const wit_law_def* law)
{
#define LAW_OF_TRACKER(name) NULL
#define LAW_OF_FLOW(name) NULL
#define LAW_OF_NEWTON(name) NULL
#define LAW_OF_FINDMIN(name) NULL
#define LAW_OF_FUNCTION(name) wi_law_##name
#define LAW_OF(id, name, run) LAW_OF_##run(name),
    static wit_flow_function* const functions[WIT_LAW_COUNT] = {WIT_LAW_LIST(LAW_OF)};
    if (law->kind == WIT_LAW_OWN) return law->flow;
    return (unsigned)law->kind < WIT_LAW_COUNT ? functions[law->kind] : NULL;
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
#define LAW_PRESET(id, name, run) SETTINGS(id),
        WIT_LAW_LIST(LAW_PRESET)
#undef LAW_PRESET
            SETTINGS(WIT_LAW_COUNT)};
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
