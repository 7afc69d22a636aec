/* SPDX-License-Identifier: MIT */
/* What the subcommands share. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "../include/witness/io.h"

/* Exit codes. */
enum { EXIT_GOOD = 0, EXIT_BAD_INPUT = 1, EXIT_USAGE = 2 };

/* argv[0] is the name of the subcommand. */
typedef int command_run(int argc, char** argv);

command_run command_closest;
command_run command_demo;
command_run command_import;
command_run command_info;
command_run command_lab;
command_run command_track;

/* The word of the null-terminated list that `word` may have meant, or null. */
const char* command_meant(const char* word, const char* const* list);
/* "witness info: TEXT 'WORD'; did you mean 'OTHER'?" on standard error, and where help is. Returns EXIT_USAGE. */
int command_usage(const char* command, const char* text, const char* word, const char* const* list);

/* Flushes standard output. EXIT_GOOD, or EXIT_BAD_INPUT after a message if it could not be written. */
int command_flush(void);

/* Reads the model at `path`, by its ending: .bpt patches, CAD files, else JSON; "-" is JSON from standard input. Null after a
 * message file:line:column: item: reason. */
wit_model* command_read_model(const char* path);

/* Reads the scene at `path` with its models, of any kind; "-" is standard input, files beside the working directory.
 * Null after a message file:line:column: item: reason. */
wit_scene* command_read_scene(const char* path);

/* The path of a model that comes with the command: models/NAME in this directory, or beside the command as built or
 * installed. False: not found. */
bool command_find_model(const char* name, char* path, size_t room);

#endif
