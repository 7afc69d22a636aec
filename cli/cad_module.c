/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cad_module.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef WITNESS_CAD_MODULE
#include <dlfcn.h>
#endif

bool cad_module_takes(const char* path)
{
    static const char* const endings[] = {".step", ".stp", ".iges", ".igs", ".brep", ".brp"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t m = strlen(endings[i]), k = 0;
        if (n <= m) continue;
        while (k < m) {
            char c = path[n - m + k];
            if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
            if (c != endings[i][k]) break;
            k++;
        }
        if (k == m) return true;
    }
    return false;
}

#ifdef WITNESS_CAD_MODULE

/* Beside the command as built, or where it is installed. */
static void* open_module(void)
{
    static const char* const places[] = {".", WITNESS_CAD_PLACE};
    char self[512] = "", path[1024];
#if defined(__linux__)
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
#endif
    char* slash = strrchr(self, '/');
    if (slash) *slash = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i][0] == '/')
            snprintf(path, sizeof path, "%s/%s", places[i], WITNESS_CAD_MODULE);
        else
            snprintf(path, sizeof path, "%s/%s/%s", self, places[i], WITNESS_CAD_MODULE);
        if (access(path, R_OK) == 0) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return NULL;
}

/* C has no conversion between pointers to functions and to objects; POSIX promises that the bytes are the same. */
static bool find_function(void* module, const char* name, void* to)
{
    void* symbol = dlsym(module, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

const cad_module* cad_module_load(const char* path)
{
    static cad_module loaded;
    if (loaded.read_file) return &loaded;
    cad_module m;
    void* module = open_module();
    if (module && find_function(module, "wit_cad_read_file", &m.read_file) &&
        find_function(module, "wit_cad_destroy", &m.destroy) &&
        find_function(module, "wit_cad_describe", &m.describe) &&
        find_function(module, "wit_cad_problem_at", &m.problem_at) &&
        find_function(module, "wit_cad_body_at", &m.body_at) && find_function(module, "wit_cad_text", &m.text)) {
        loaded = m;
        return &loaded;
    }
    const char* why = module ? NULL : dlerror();
    fprintf(stderr, "%s: it is a CAD file, and %s cannot be loaded: %s\n", path, WITNESS_CAD_MODULE,
            why ? why : "it is not beside this command");
    return NULL;
}

#else

const cad_module* cad_module_load(const char* path)
{
    fprintf(stderr,
            "%s: it is a CAD file, and this witness was built without Open CASCADE: 'tools/setup cad' installs it, "
            "'make' then builds it in\n",
            path);
    return NULL;
}

#endif

wit_cad* cad_module_read(const cad_module* module, const char* path, const wit_cad_def* def)
{
    wit_error error = {0};
    wit_cad* cad = module->read_file(path, def, &error);
    if (!cad) {
        fprintf(stderr, "%s: %s\n", path, error.text);
        return NULL;
    }
    int count = module->describe(cad).problem_count;
    for (int k = 0; k < count; k++) {
        wit_cad_problem p = module->problem_at(cad, k);
        if (p.lost) fprintf(stderr, "%s: lost: %s: %s\n", path, p.entity, p.text);
    }
    return cad;
}
