/* SPDX-License-Identifier: MIT */
/* What the subcommands share. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "../include/witness/io.h"

/* Exit codes. */
enum { EXIT_GOOD = 0, EXIT_BAD_INPUT = 1, EXIT_USAGE = 2 };

/* argv[0] is the name of the subcommand. */
typedef int command_run(int argc, char** argv);

command_run command_clearance;
command_run command_closest;
command_run command_demo;
command_run command_figure;
command_run command_impact;
command_run command_import;
command_run command_info;
command_run command_lab;
command_run command_pairs;
command_run command_track;
command_run command_view;

/* The word of the null-terminated list that `word` may have meant, or null. */
const char* command_meant(const char* word, const char* const* list);
/* "witness info: TEXT 'WORD'; did you mean 'OTHER'?" on standard error, and where help is. Returns EXIT_USAGE. */
int command_usage(const char* command, const char* text, const char* word, const char* const* list);

/* Flushes standard output. EXIT_GOOD, or EXIT_BAD_INPUT after a message if it could not be written. */
int command_flush(void);

/* How CAD files are taken. */
typedef struct cad_options {
    bool partial;  /* also where a part of the file was lost */
    bool uncached; /* read anew, and not kept */
} cad_options;

/* Reads the model at `path`, by its ending: .bpt patches, CAD files, else JSON; "-" is JSON from standard input. Null after a
 * message file:line:column: item: reason. `how` may be null. */
wit_model* command_read_model(const char* path, const cad_options* how);

/* Reads the scene at `path` with its models, of any kind; "-" is standard input, files beside the working directory.
 * Null after a message file:line:column: item: reason. */
wit_scene* command_read_scene(const char* path, const cad_options* how);
/* The same from a text; `shown` stands for it in messages. */
wit_scene* command_read_scene_text(const char* text, size_t bytes, const char* shown, const cad_options* how);

/* Reads the assembly at `path`, or of a model all bodies as they stand. CAD files are converted to the unit of the
 * assembly, which is said on standard error. Null after a message. */
wit_assembly_scene* command_read_assembly(const char* path, const cad_options* how);

/* The path of a model that comes with the command: models/NAME in this directory, or beside the command as built or
 * installed. False: not found. */
bool command_find_model(const char* name, char* path, size_t room);
/* The same for FOLDER/NAME: models, scenes. */
bool command_find_file(const char* folder, const char* name, char* path, size_t room);
/* The same of a file of the page, which stands beside the command or where it is installed. */
bool command_find_page(const char* name, char* path, size_t room);

#endif
