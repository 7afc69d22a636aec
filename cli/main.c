/* SPDX-License-Identifier: MIT */
/* The command `witness`. */
#include <stdio.h>
#include <string.h>

#include "command.h"

static const struct {
    const char* name;
    command_run* run;
    const char* summary;
} commands[] = {
    {"demo", command_demo, "the pen and the bowl of the papers, tracked: both tables, charts and pictures"},
    {"info", command_info, "what is in a model: bodies and their check, shapes, sizes, curvature; a picture"},
    {"closest", command_closest, "how far a body is from a point or another body, which features, and the proof"},
    {"track", command_track, "the closest points of two bodies over a motion: CSV, JSON, charts, snapshots"},
    {"impact", command_impact,
     "when two bodies first touch over a motion, where, and the proof; or their least distance"},
    {"clearance", command_clearance, "which bodies of an assembly come near each other over its motion, and the proof"},
    {"pairs", command_pairs, "which bodies of an assembly are within a distance of each other, as they stand"},
    {"import", command_import, "CAD to a model: STEP, IGES or BREP in, what it holds and what is doubtful out"},
    {"figure", command_figure, "the pictures of the papers, from our own computation"},
    {"view", command_view, "a scene, a model or a report as a page in the browser, served on this machine only"},
    {"lab", command_lab, "experiments as numbers and pictures: basins, settling, gains, tables, accuracy"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(void)
{
    puts("witness: exact, certified closest points of moving curved bodies\n"
         "\n"
         "usage: witness COMMAND ...");
    for (int i = 0; i < COMMANDS; i++) printf("  %-10s %s\n", commands[i].name, commands[i].summary);
    puts("\n"
         "  witness COMMAND --help    how to call it\n"
         "  witness --version\n"
         "\n"
         "A model is a JSON file (docs/format.md), Bezier patches (.bpt), or a CAD file (.step, .stp, .iges, .igs, "
         ".brep,\n"
         ".brp) where Open CASCADE is built in; - reads JSON from standard input.\n"
         "Exit code 0: good; 1: bad input, with file, line, column and reason, or output that cannot be written;\n"
         "2: wrong usage.");
    return command_flush();
}

int main(int argc, char** argv)
{
    const char* words[COMMANDS + 3];
    int n = 0;
    for (; n < COMMANDS; n++) words[n] = commands[n].name;
    words[n++] = "--help";
    words[n++] = "--version";
    words[n] = NULL;

    if (argc < 2) return command_usage(NULL, "a command is missing", NULL, NULL);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) return help();
    if (!strcmp(argv[1], "--version")) {
        printf("witness %s\n", wit_version());
        return command_flush();
    }
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
    }
    return command_usage(NULL, argv[1][0] == '-' ? "unknown option" : "unknown command", argv[1], words);
}
