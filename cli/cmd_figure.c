/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "figure.h"
#include "options.h"
#include "svg.h"

enum { ALL, LIST, OUT, HELP, OPTIONS };

static int help(void)
{
    puts("usage: witness figure NAME ... [--out DIR]\n"
         "       witness figure --all [--out DIR]\n"
         "       witness figure --list\n"
         "\n"
         "Makes the pictures of the papers from our own computation: files DIR/NAME.svg.\n"
         "\n"
         "  NAME       as in the list: 000-fig7, 001-fig10, ...\n"
         "  --all      every picture that is drawn\n"
         "  --list     a line for every caption of the five papers: what is drawn, or why not\n"
         "  --out DIR  where they go; the present directory if not told. It has to be there");
    return command_flush();
}

static int list(void)
{
    for (int i = 0; i < figure_count; i++) {
        const figure_row* f = &figure_rows[i];
        printf("%-10s %-6s %s; %s\n", f->name, f->draw ? "drawn" : "-", f->caption, f->note);
    }
    return command_flush();
}

static int draw(const figure_row* f, const char* directory)
{
    figure_page page = {.columns = 1};
    out o = {0};
    char path[600], title[160];
    wit_error error = {0};
    wit_status status = f->draw(&page);
    snprintf(title, sizeof title, "%.3s, Fig. %s: %s", f->name, f->name + 7, f->caption);
    if (!status) {
        figure_compose(&o, &page, title, f->note);
        snprintf(path, sizeof path, "%s/%s.svg", directory, f->name);
        status = svg_save(&o, path, &error);
    }
    if (status)
        fprintf(stderr, "witness figure %s: %s\n", f->name,
                page.error.text[0] ? page.error.text
                : error.text[0]    ? error.text
                                   : wit_status_text(status));
    else
        printf("%s\n", path);
    figure_release(&page);
    out_free(&o);
    return status ? EXIT_BAD_INPUT : EXIT_GOOD;
}

static const figure_row* find(const char* name)
{
    for (int i = 0; i < figure_count; i++)
        if (!strcmp(name, figure_rows[i].name)) return &figure_rows[i];
    return NULL;
}

int command_figure(int argc, char** argv)
{
    static const option options[OPTIONS] = {[ALL] = {"--all", NULL},
                                            [LIST] = {"--list", NULL},
                                            [OUT] = {"--out", "a directory"},
                                            [HELP] = {"--help", NULL}};
    enum { NAMES = 80 };
    const figure_row* chosen[NAMES];
    const char* directory = ".";
    int count = 0;
    bool all = false, listed = false;
    option_reader o = option_reader_at("figure", options, OPTIONS, argc, argv);
    for (int index; (index = option_next(&o)) != OPTION_END;) {
        if (index == OPTION_WRONG) return EXIT_USAGE;
        if (index == HELP) return help();
        if (index == ALL) all = true;
        if (index == LIST) listed = true;
        if (index == OUT) directory = o.value;
        if (index != OPTION_WORD) continue;
        const char* names[NAMES] = {0};
        for (int i = 0; i < figure_count && i < NAMES - 1; i++) names[i] = figure_rows[i].name;
        const figure_row* f = find(o.word);
        if (!f) return command_usage("figure", "there is no figure", o.word, names);
        if (!f->draw) {
            fprintf(stderr, "witness figure: %s is not drawn: %s\n", f->name, f->note);
            return EXIT_BAD_INPUT;
        }
        if (count < NAMES) chosen[count++] = f;
    }
    if (listed) return list();
    for (int i = 0; all && i < figure_count; i++)
        if (figure_rows[i].draw && count < NAMES) chosen[count++] = &figure_rows[i];
    if (!count) return command_usage("figure", "the name of a figure is missing, or --all, or --list", NULL, NULL);
    int code = EXIT_GOOD;
    for (int i = 0; i < count && !code; i++) code = draw(chosen[i], directory);
    return code ? code : command_flush();
}
