/* SPDX-License-Identifier: MIT */
#include "law_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool law_module_named(const char* word)
{
    size_t n = strlen(word);
    return strchr(word, '/') || (n > 3 && !strcmp(word + n - 3, ".so"));
}

const wit_law_module* law_module_load(const char* command, const char* path)
{
    char beside[512];
    if (!strchr(path, '/') && snprintf(beside, sizeof beside, "./%s", path) > 0) path = beside;
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char* reason = library ? NULL : dlerror();
    const wit_law_module* module = library ? dlsym(library, "witness_law") : NULL;
    if (library && !module) reason = "it has no object \"witness_law\" (see docs/own-law.md)";
    if (module && module->struct_size != sizeof *module)
        reason = "it was compiled for another version of witness/laws.h";
    if (module && !reason && !module->flow) reason = "its flow is null";
    if (!reason) return module;
    fprintf(stderr, "witness %s: %s: the law cannot be loaded: %s\n", command, path, reason);
    return NULL;
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
