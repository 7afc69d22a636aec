/* SPDX-License-Identifier: MIT */
/* witness view: a scene, a model or a report as a page, served on the loopback interface. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "../io/file_reason.h"
#include "command.h"
#include "deflate.h"
#include "options.h"
#include "report.h"
#include "view_server.h"

enum { PORT, NO_OPEN, HELP, OPTIONS };

typedef struct request {
    const char* path;
    int64_t port;
    bool no_open;
} request;

static int help(void)
{
    puts(
        "usage: witness view [SCENE|MODEL|REPORT] [--port N] [--no-open]\n"
        "\n"
        "Shows it in the browser. A scene is tracked first, as by `witness track SCENE --report FILE`; a model can be\n"
        "looked at and measured; a report is one that was written before; without a file the page waits for one to be\n"
        "dropped on it. The page is served on the loopback interface (127.0.0.1) only, nothing else is, and that ends\n"
        "with Ctrl-C.\n"
        "\n"
        "  SCENE|MODEL|REPORT  a JSON scene or model, a CAD file, or an HTML file of --report\n"
        "  --port N            listen there; a free port if it is not told\n"
        "  --no-open           only print the address, start no browser");
    return command_flush();
}

static int parse(int argc, char** argv, request* r, bool* done)
{
    static const option options[OPTIONS] = {
        [PORT] = {"--port", "a number"}, [NO_OPEN] = {"--no-open", NULL}, [HELP] = {"--help", NULL}};
    option_reader o = option_reader_at("view", options, OPTIONS, argc, argv);
    for (;;) {
        switch (option_next(&o)) {
        case OPTION_END:
            return EXIT_GOOD;
        case OPTION_WRONG:
            return EXIT_USAGE;
        case OPTION_WORD:
            if (r->path) return command_usage("view", "one file is enough; left over is", o.word, NULL);
            r->path = o.word;
            break;
        case PORT:
            if (!option_count(&o, 1, 65535, &r->port)) return EXIT_USAGE;
            break;
        case NO_OPEN:
            r->no_open = true;
            break;
        default:
            *done = true;
            return help();
        }
    }
}

/* ---- what is shown ----------------------------------------------------------------------------------------------- */

static bool ends_with(const char* path, const char* end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && !strcmp(path + n - m, end);
}

static bool slurp(const char* path, out* o)
{
    errno = 0;
    FILE* file = fopen(path, "rb");
    char part[1 << 14];
    size_t n;
    while (file && (n = fread(part, 1, sizeof part, file)) > 0) out_bytes(o, part, n);
    bool good = file && !ferror(file) && !o->failed;
    if (!good) fprintf(stderr, "%s: the file cannot be read%s\n", path, file_reason());
    if (file) fclose(file);
    return good;
}

static bool is_scene(const char* path)
{
    FILE* file = fopen(path, "rb");
    char start[4096];
    size_t n = file ? fread(start, 1, sizeof start - 1, file) : 0;
    start[n] = 0;
    if (file) fclose(file);
    return strstr(start, "\"witness-scene\"") != NULL;
}

/* By way of a file of its own, which `track --report` writes. */
static int show_scene(const char* path, out* page)
{
    char file[] = "/tmp/witness-view-XXXXXX";
    int fd = mkstemp(file);
    if (fd < 0) {
        fprintf(stderr, "witness view: no file can be made in /tmp%s\n", file_reason());
        return EXIT_BAD_INPUT;
    }
    close(fd);
    char command[] = "track", report_to[] = "--report";
    char* copy = strdup(path);
    char* argv[] = {command, copy, report_to, file, NULL};
    int code = copy ? command_track(4, argv) : EXIT_BAD_INPUT;
    if (!code && !slurp(file, page)) code = EXIT_BAD_INPUT;
    unlink(file);
    free(copy);
    return code;
}

static int show_model(const char* path, out* page)
{
    wit_model* model = command_read_model(path, NULL);
    if (!model) return EXIT_BAD_INPUT;
    const char* slash = strrchr(path, '/');
    const char* name = wit_model_name(model);
    report* r = report_begin("view", name[0] ? name : slash ? slash + 1 : path);
    if (r) report_model(r, model);
    bool good = r && report_text(r, page);
    report_free(r);
    wit_model_destroy(model);
    return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int show_nothing(out* page)
{
    report* r = report_begin("view", "Witness");
    bool good = r && report_text(r, page);
    report_free(r);
    return good ? EXIT_GOOD : EXIT_BAD_INPUT;
}

static int make_page(const request* r, out* page)
{
    if (!r->path) return show_nothing(page);
    if (ends_with(r->path, ".html") || ends_with(r->path, ".htm"))
        return slurp(r->path, page) ? EXIT_GOOD : EXIT_BAD_INPUT;
    return is_scene(r->path) ? show_scene(r->path, page) : show_model(r->path, page);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static void open_browser(const char* address)
{
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) return;
    pid_t child = fork();
    if (child) return;
    /* the browser's words are not ours */
    if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
        execlp("xdg-open", "xdg-open", address, (char*)NULL);
    _exit(1);
}

int command_view(int argc, char** argv)
{
    request r = {0};
    bool done = false;
    int code = parse(argc, argv, &r, &done);
    if (code || done) return code;
    out page = {0}, step = {0};
    code = make_page(&r, &page);
    int port = (int)r.port, socket = code ? -1 : view_listen(&port);
    if (!code && socket < 0) code = EXIT_BAD_INPUT;
    if (!code) {
        char path[1024], address[64];
        if (command_find_page("step.js", path, sizeof path)) slurp(path, &step);
        const view_file files[] = {{"/", "text/html; charset=utf-8", page.text, page.length},
                                   {"/step.js", "text/javascript", step.text, step.length}};
        snprintf(address, sizeof address, "http://127.0.0.1:%d/", port);
        printf("%s\n", address);
        puts("Ctrl-C ends it.");
        code = command_flush();
        if (!r.no_open) open_browser(address);
        view_serve(socket, port, files, step.length ? 2 : 1);
    }
    out_free(&page);
    out_free(&step);
    return code;
}
