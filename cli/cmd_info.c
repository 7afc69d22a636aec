/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "info.h"

static int help(void)
{
    puts("usage: witness info MODEL [--json]\n"
         "\n"
         "Says what is in a model, shape by shape: kind, degrees, ranges, size, area or length, how smoothly\n"
         "the pieces meet, poles and collapsed borders, the extremes of curvature, and the share of each surface\n"
         "where the Gaussian curvature is negative. Extremes are the best of a grid over each piece (borders\n"
         "included, from inside), improved by a local search; shares come from 400 samples per direction.\n"
         "\n"
         "  MODEL     a JSON model (docs/format.md); - reads standard input\n"
         "  --json    one JSON object instead of text");
    return EXIT_GOOD;
}

int command_info(int argc, char** argv)
{
    static const char* const options[] = {"--json", "--help", NULL};
    const char* path = NULL;
    bool json = false, only_paths = false;
    for (int i = 1; i < argc; i++) {
        const char* a = argv[i];
        if (only_paths || a[0] != '-' || !a[1]) {
            if (path) return command_usage("info", "one model is enough; what is", a, NULL);
            path = a;
        } else if (!strcmp(a, "--")) {
            only_paths = true;
        } else if (!strcmp(a, "--json")) {
            json = true;
        } else if (!strcmp(a, "--help") || !strcmp(a, "-h")) {
            return help();
        } else {
            return command_usage("info", "unknown option", a, options);
        }
    }
    if (!path) return command_usage("info", "the model is missing", NULL, NULL);
    wit_model* model = command_read_model(path);
    if (!model) return EXIT_BAD_INPUT;
    out o = {0};
    (json ? info_json : info_text)(&o, model, path);
    wit_model_destroy(model);
    return out_finish(&o) ? EXIT_BAD_INPUT : EXIT_GOOD;
}
