/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../src/base/error.h"
#include "cad_file.h"
#include "out.h"

enum { LONGEST = 24 };

/* Edit distance of two short words. */
static int word_distance(const char* a, const char* b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > LONGEST || m > LONGEST) return LONGEST;
    int row[LONGEST + 1];
    for (size_t j = 0; j <= m; j++) row[j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

const char* command_meant(const char* word, const char* const* list)
{
    const char* best = NULL;
    int least = 3;
    for (; *list; list++) {
        int d = word_distance(word, *list);
        /* A word that begins as meant but is longer or shorter counts as near. */
        if (strlen(word) > 1 && (!strncmp(word, *list, strlen(word)) || !strncmp(word, *list, strlen(*list)))) d = 1;
        if (d < least && d < (int)strlen(*list)) {
            least = d;
            best = *list;
        }
    }
    return best;
}

int command_usage(const char* command, const char* text, const char* word, const char* const* list)
{
    const char* meant = word && list ? command_meant(word, list) : NULL;
    fprintf(stderr, "witness%s%s: %s", command ? " " : "", command ? command : "", text);
    if (word) fprintf(stderr, " '%s'", word);
    if (meant) fprintf(stderr, "; did you mean '%s'?", meant);
    fprintf(stderr, "\nTry 'witness%s%s --help'.\n", command ? " " : "", command ? command : "");
    return EXIT_USAGE;
}

int command_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return EXIT_GOOD;
    fputs("witness: standard output cannot be written\n", stderr);
    return EXIT_BAD_INPUT;
}

static size_t read_standard_input(void* user, char* to, size_t room)
{
    return fread(to, 1, room, user);
}

/* Whether the path ends in `ending`, in capitals or not. */
static bool ends_in(const char* path, const char* ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n < m) return false;
    for (path += n - m; *path; path++, ending++) {
        char c = *path >= 'A' && *path <= 'Z' ? (char)(*path - 'A' + 'a') : *path;
        if (c != *ending) return false;
    }
    return true;
}

/* Answers from what is left of a file would look like answers about the file. */
static bool all_read(const char* path, const cad_file* file, const cad_options* how)
{
    if (how && how->partial) return true;
    int lost = cad_file_lost(file);
    if (lost)
        fprintf(stderr, "%s: %d %s of it could not be read (above); --partial answers from the rest\n", path, lost,
                lost == 1 ? "part" : "parts");
    return lost == 0;
}

/* In the unit, to which lengths are converted; NONE: the file's own. */
static wit_model* read_cad(const char* path, wit_unit unit, const cad_options* how, wit_error* error)
{
    cad_file file;
    cad_reading reading = {.limits = cad_limits_default(), .uncached = how && how->uncached};
    wit_cad_def def = {.struct_size = sizeof def, .unit = unit};
    if (!cad_file_read(path, unit == WIT_UNIT_NONE ? NULL : &def, &reading, &file)) return NULL;
    wit_model* model = NULL;
    if (unit != WIT_UNIT_NONE && file.report.file_unit != file.report.unit)
        fprintf(stderr, "%s: converted from %s to %s\n", path, wit_unit_name(file.report.file_unit),
                wit_unit_name(file.report.unit));
    if (all_read(path, &file, how)) model = wit_model_read_text(file.text, file.bytes, NULL, error);
    cad_file_drop(&file);
    return model;
}

wit_model* command_read_model(const char* path, const cad_options* how)
{
    bool standard = strcmp(path, "-") == 0;
    const char* shown = standard ? "standard input" : path;
    wit_error error = {0};
    bool cad = !standard && cad_module_takes(path);
    wit_model* model = cad                     ? read_cad(path, WIT_UNIT_NONE, how, &error)
                       : standard              ? wit_model_read_stream(read_standard_input, stdin, NULL, &error)
                       : ends_in(path, ".bpt") ? wit_model_read_bpt(path, NULL, &error)
                                               : wit_model_read_file(path, NULL, &error);
    if (standard && ferror(stdin)) {
        wit_model_destroy(model);
        fprintf(stderr, "%s: it cannot be read\n", shown);
        return NULL;
    }
    if (model || (cad && !error.status)) return model;
    if (error.line > 0)
        fprintf(stderr, "%s:%d:%d: %s: %s\n", shown, error.line, error.column, error.item, error.text);
    else
        fprintf(stderr, "%s: %s\n", shown, error.text);
    return NULL;
}

/* ---- scenes ---------------------------------------------------------------------------------------------------- */

static wit_model* load_in_unit(const char* path, wit_unit unit, void* user, wit_error* error)
{
    if (cad_module_takes(path)) {
        wit_model* model = read_cad(path, unit, user, error);
        /* What the CAD library said is printed already. */
        if (!model && !error->status) wi_error_fill(error, WIT_ERROR_FILE, "", "the CAD file cannot be used");
        return model;
    }
    return ends_in(path, ".bpt") ? wit_model_read_bpt(path, NULL, error) : wit_model_read_file(path, NULL, error);
}

static wit_model* load_model(const char* path, void* user, wit_error* error)
{
    return load_in_unit(path, WIT_UNIT_NONE, user, error);
}

/* All of standard input. Null: no memory, or it cannot be read. */
static char* read_all(size_t* bytes)
{
    size_t room = 1 << 16, n = 0;
    char* text = malloc(room);
    while (text) {
        n += fread(text + n, 1, room - n, stdin);
        if (n < room) break;
        room *= 2;
        char* grown = room <= ((size_t)1 << 29) ? realloc(text, room) : NULL;
        if (!grown) free(text);
        text = grown;
    }
    if (text && ferror(stdin)) {
        free(text);
        text = NULL;
    }
    *bytes = n;
    return text;
}

/* Where a scene is wrong: the item of a fault in a file that it names begins with that file. */
static void scene_refused(const char* shown, const wit_error* error)
{
    const char* item = strstr(error->item, ": ");
    if (item && error->line > 0)
        fprintf(stderr, "%.*s:%d:%d: %s: %s (in a file of %s)\n", (int)(item - error->item), error->item, error->line,
                error->column, item + 2, error->text, shown);
    else if (error->line > 0)
        fprintf(stderr, "%s:%d:%d: %s: %s\n", shown, error->line, error->column, error->item, error->text);
    else if (error->item[0])
        fprintf(stderr, "%s: %s: %s\n", shown, error->item, error->text);
    else
        fprintf(stderr, "%s: %s\n", shown, error->text);
}

wit_scene* command_read_scene_text(const char* text, size_t bytes, const char* shown, const cad_options* how)
{
    cad_options options = how ? *how : (cad_options){0};
    wit_error error = {0};
    wit_scene* scene = wit_scene_read_text(text, bytes, NULL, load_model, &options, NULL, &error);
    if (!scene) scene_refused(shown, &error);
    return scene;
}

wit_scene* command_read_scene(const char* path, const cad_options* how)
{
    cad_options options = how ? *how : (cad_options){0};
    wit_error error = {0};
    if (strcmp(path, "-") == 0) {
        size_t bytes = 0;
        char* text = read_all(&bytes);
        wit_scene* scene = text ? command_read_scene_text(text, bytes, "standard input", how) : NULL;
        if (!text) fprintf(stderr, "standard input: it cannot be read\n");
        free(text);
        return scene;
    }
    wit_scene* scene = wit_scene_read_file(path, load_model, &options, NULL, &error);
    if (!scene) scene_refused(path, &error);
    return scene;
}

/* ---- assemblies ------------------------------------------------------------------------------------------------ */

/* A file that says so itself, near its beginning, or no JSON at all. */
static bool is_model(const char* path)
{
    if (!ends_in(path, ".json")) return true;
    char text[4097];
    FILE* f = fopen(path, "rb");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f) fclose(f);
    text[n] = 0;
    return strstr(text, "\"witness-model\"") != NULL;
}

/* All bodies of the model, as they stand in it. */
static wit_assembly_scene* assembly_of_model(const char* path, cad_options* options, wit_error* error)
{
    out o = {0};
    out_open(&o, NULL, '{');
    out_put_string(&o, "format", "witness-assembly");
    out_put_integer(&o, "version", 1);
    out_open(&o, "bodies", '[');
    out_open(&o, NULL, '{');
    out_put_string(&o, "model", path);
    out_text(&o, "}]}");
    wit_assembly_scene* scene = NULL;
    if (o.failed)
        wi_error_fill(error, WIT_ERROR_MEMORY, "", "no memory");
    else
        scene = wit_assembly_scene_read_text(o.text, o.length, NULL, load_in_unit, options, NULL, error);
    out_free(&o);
    return scene;
}

wit_assembly_scene* command_read_assembly(const char* path, const cad_options* how)
{
    cad_options options = how ? *how : (cad_options){0};
    wit_error error = {0};
    wit_assembly_scene* scene = NULL;
    if (strcmp(path, "-") == 0) {
        size_t bytes = 0;
        char* text = read_all(&bytes);
        if (text)
            scene = wit_assembly_scene_read_text(text, bytes, NULL, load_in_unit, &options, NULL, &error);
        else
            wi_error_fill(&error, WIT_ERROR_FILE, "", "it cannot be read");
        free(text);
        if (!scene) scene_refused("standard input", &error);
        return scene;
    }
    scene = is_model(path) ? assembly_of_model(path, &options, &error)
                           : wit_assembly_scene_read_file(path, load_in_unit, &options, NULL, &error);
    if (!scene) scene_refused(path, &error);
    return scene;
}

/* ---- models that come with the command -------------------------------------------------------------------------- */

static bool readable(const char* path)
{
    FILE* f = fopen(path, "rb");
    if (f) fclose(f);
    return f != NULL;
}

/* DIRECTORY/NAME of the first of the directories, each relative to that of the command, where it can be read. */
static bool find_beside(const char* const* beside, const char* name, char* path, size_t room)
{
    char self[512] = "";
#if defined(__linux__)
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = 0;
#endif
    char* slash = strrchr(self, '/');
    if (!slash) return false;
    *slash = 0;
    for (; *beside; beside++) {
        int length = snprintf(path, room, "%s/%s/%s", self, *beside, name);
        if (length > 0 && (size_t)length < room && readable(path)) return true;
    }
    return false;
}

bool command_find_file(const char* folder, const char* name, char* path, size_t room)
{
    static const char* const beside[] = {"..", "../share/witness", NULL};
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    snprintf(path, room, "%s", file);
    return readable(path) || find_beside(beside, file, path, room);
}

bool command_find_model(const char* name, char* path, size_t room)
{
    return command_find_file("models", name, path, room);
}

bool command_find_page(const char* name, char* path, size_t room)
{
    static const char* const beside[] = {".", "../share/witness", NULL};
    return find_beside(beside, name, path, room);
}
