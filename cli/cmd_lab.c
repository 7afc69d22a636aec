/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "lab.h"

static const struct {
    const char* name;
    command_run* run;
    const char* summary;
} experiments[] = {
    {"accuracy", lab_accuracy, "36 pairs of solids at a known gap of 2 mm: the worst error of each pair"},
    {"basin", lab_basin, "from which starts each law reaches the closest point of a patch; a picture"},
    {"findmin", lab_findmin, "the pen and the bowl by findmin: iterations and time of a frame, beside the paper's"},
    {"gain", lab_gain, "the largest stable gain of laws and integrators: theory, and found by trying"},
    {"pairs", lab_pairs, "from which pairs of starts on two faces a law reaches the closest pair; a picture"},
    {"settle", lab_settle, "how many steps laws take to settle, over gains, laws and starts; a chart"},
    {"table", lab_table, "the pen and the bowl: both tables of the paper beside our numbers, and why they differ"},
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static int help(void)
{
    puts("usage: witness lab EXPERIMENT ...");
    for (int i = 0; i < EXPERIMENTS; i++) printf("  %-10s %s\n", experiments[i].name, experiments[i].summary);
    puts("\n"
         "  witness lab EXPERIMENT --help    how to call it");
    return command_flush();
}

int command_lab(int argc, char** argv)
{
    const char* words[EXPERIMENTS + 2] = {0};
    int n = 0;
    for (; n < EXPERIMENTS; n++) words[n] = experiments[n].name;
    words[n] = "--help";
    if (argc < 2)
        return command_usage("lab", "the experiment is missing: accuracy, basin, findmin, gain, pairs, settle or table",
                             NULL, NULL);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) return help();
    for (int i = 0; i < EXPERIMENTS; i++) {
        if (!strcmp(argv[1], experiments[i].name)) return experiments[i].run(argc - 1, argv + 1);
    }
    return command_usage("lab", argv[1][0] == '-' ? "unknown option" : "unknown experiment", argv[1], words);
}
