/* SPDX-License-Identifier: MIT */
/*
 * CAD files. Open CASCADE brings some seventy shared libraries along, a tenth of a second of every start: so the library
 * witness_cad is in a module beside the command, which is loaded when a CAD file is given.
 */
#ifndef CLI_CAD_MODULE_H
#define CLI_CAD_MODULE_H

#include "../include/witness/cad.h"

/* The functions of witness/cad.h. */
typedef struct cad_module {
    wit_cad* (*read_file)(const char* path, const wit_cad_def* def, wit_error* error);
    void (*destroy)(wit_cad* cad);
    wit_cad_report (*describe)(const wit_cad* cad);
    wit_cad_problem (*problem_at)(const wit_cad* cad, int k);
    wit_cad_body (*body_at)(const wit_cad* cad, int k);
    const char* (*text)(const wit_cad* cad, size_t* bytes);
} cad_module;

/* By its ending: .step, .stp, .iges, .igs, .brep, .brp, in capitals or not. */
bool cad_module_takes(const char* path);
/* Loads the module. Null after a message on how to get it. */
const cad_module* cad_module_load(const char* path);
/* Reads the file. Null after a message. `def` may be null. What could not be read is said on standard error. */
wit_cad* cad_module_read(const cad_module* module, const char* path, const wit_cad_def* def);

#endif
