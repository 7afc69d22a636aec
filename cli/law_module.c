/* SPDX-License-Identifier: MIT */
#include "law_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "lab_law.h"

/* Is this the path of a file and not a name? */
static bool is_file(const char* word)
{
    size_t n = strlen(word);
    return strchr(word, '/') || (n > 3 && !strcmp(word + n - 3, ".so"));
}

/* What all modules begin with. */
typedef struct module_head {
    size_t struct_size;
    const char* name;
    void (*function)(void);
} module_head;

/* Null after a message on standard error. */
static const void* load(const option_reader* o, const char* what, const char* symbol, size_t size)
{
    char beside[512];
    const char* path = o->value;
    if (!strchr(path, '/') && snprintf(beside, sizeof beside, "./%s", path) > 0) path = beside;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const module_head* module = library ? dlsym(library, symbol) : NULL;
    char reason[600] = "";
    if (!library)
        snprintf(reason, sizeof reason, "%s", dlerror());
    else if (!module)
        snprintf(reason, sizeof reason, "it has no object \"%s\" (see docs/own-law.md)", symbol);
    else if (module->struct_size != size)
        snprintf(reason, sizeof reason, "it was compiled for another version of witness/laws.h");
    else if (!module->function)
        snprintf(reason, sizeof reason, "its function is null");
    if (!reason[0]) return module;
    fprintf(stderr, "witness %s: %s: the %s cannot be loaded: %s\n", o->command, path, what, reason);
    return NULL;
}

bool law_module(const option_reader* o, law_plugins* p)
{
    p->law = load(o, "law", "witness_law", sizeof *p->law);
    return p->law != NULL;
}

bool outer_module(const option_reader* o, law_plugins* p)
{
    p->outer = load(o, "outer loop", "witness_outer", sizeof *p->outer);
    return p->outer != NULL;
}

bool law_or_module(const option_reader* o, law_plugins* p, int* law)
{
    if (!is_file(o->value)) return law_choice(o, law_name, WIT_LAW_COUNT, law);
    *law = WIT_LAW_OWN;
    return law_module(o, p);
}

bool integrator_or_module(const option_reader* o, law_plugins* p, int* integrator)
{
    if (!is_file(o->value)) return law_choice(o, integrator_name, WIT_INTEGRATOR_COUNT, integrator);
    *integrator = WIT_INTEGRATOR_OWN;
    p->integrator = load(o, "integrator", "witness_integrator", sizeof *p->integrator);
    return p->integrator != NULL;
}

void law_module_apply(const wit_law_module* module, wit_law_def* law)
{
    law->kind = WIT_LAW_OWN;
    law->flow = module->flow;
    law->flow_user = module->user;
    if (!module->gain) return;
    law->gain.kind = WIT_GAIN_CALLBACK;
    law->gain.choose = module->gain;
    law->gain.user = module->user;
}

void law_plugins_apply(const law_plugins* p, wit_law_def* law)
{
    if (p->outer && law->kind == WIT_LAW_LINEARIZING) {
        law->outer = p->outer->outer;
        law->outer_user = p->outer->user;
    }
    if (p->integrator && wit_law_is_flow(law->kind)) {
        law->integrator = WIT_INTEGRATOR_OWN;
        law->advance = p->integrator->advance;
        law->advance_user = p->integrator->user;
    }
}
