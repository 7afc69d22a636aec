/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "cad_cache.h"

#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
#include <unistd.h>
#define HAS_FOLDERS 1
#endif

/* Changed with whatever changes what is read from the same bytes. */
static const char EDITION[] = "witness cad 3";

#ifdef HAS_FOLDERS

static void mix(cad_key* k, const void* data, size_t bytes)
{
    const unsigned char* p = data;
    uint64_t a = k->hash[0], b = k->hash[1];
    for (size_t i = 0; i < bytes; i++) {
        a = (a ^ p[i]) * 0x100000001b3u;
        b = (b + p[i] + 1) * 0x9e3779b97f4a7c15u;
        b ^= b >> 29;
    }
    k->hash[0] = a;
    k->hash[1] = b;
}

static void mix_text(cad_key* k, const char* text)
{
    mix(k, text ? text : "", text ? strlen(text) + 1 : 1);
}

/* The folder, made where it is missing; "" where there is none. */
static void folder(char* path, size_t room)
{
    const char *own = getenv("WITNESS_CACHE"), *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    path[0] = 0;
    if (own) {
        snprintf(path, room, "%s", own);
    } else if (cache && cache[0]) {
        snprintf(path, room, "%s/witness", cache);
    } else if (home && home[0]) {
        snprintf(path, room, "%s/.cache", home);
        mkdir(path, 0700);
        snprintf(path, room, "%s/.cache/witness", home);
    }
    if (path[0]) mkdir(path, 0700);
}

static bool place(const cad_key* k, char* path, size_t room)
{
    char in[900];
    folder(in, sizeof in);
    if (!in[0]) return false;
    int n = snprintf(path, room, "%s/%016llx%016llx.cad", in, (unsigned long long)k->hash[0],
                     (unsigned long long)k->hash[1]);
    return n > 0 && (size_t)n < room;
}

bool cad_cache_key(const char* path, const wit_cad_def* def, cad_key* out)
{
    char in[900], block[1 << 14];
    folder(in, sizeof in);
    FILE* f = in[0] ? fopen(path, "rb") : NULL;
    if (!f) return false;
    *out = (cad_key){{0xcbf29ce484222325u, 0x6a09e667f3bcc908u}, 0};
    int wish[2] = {def ? (int)def->format : 0, def ? (int)def->unit : 0};
    size_t sizes[3] = {sizeof(wit_cad_report), sizeof(wit_cad_problem), sizeof(wit_cad_body)};
    mix_text(out, EDITION);
    mix_text(out, wit_version());
    mix_text(out, def ? def->part : NULL);
    mix(out, wish, sizeof wish);
    mix(out, sizes, sizeof sizes);
    const char* slash = strrchr(path, '/'); /* bodies without names are called after the file */
    mix_text(out, slash ? slash + 1 : path);
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0; out->bytes += n) mix(out, block, n);
    bool good = !ferror(f);
    fclose(f);
    return good;
}

bool cad_cache_find(const cad_key* key, cad_file* out)
{
    char path[1024];
    cad_key kept;
    FILE* f = place(key, path, sizeof path) ? fopen(path, "rb") : NULL;
    if (!f) return false;
    bool good = fread(&kept, sizeof kept, 1, f) == 1 && !memcmp(&kept, key, sizeof kept) && cad_file_read_back(f, out);
    fclose(f);
    if (!good) memset(out, 0, sizeof *out);
    return good;
}

/* Written beside and renamed: whoever looks meanwhile finds all of it or nothing. */
void cad_cache_keep(const cad_key* key, const cad_file* file)
{
    char path[1024], beside[1064];
    if (!place(key, path, sizeof path)) return;
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE* f = fopen(beside, "wb");
    if (!f) return;
    bool good = fwrite(key, sizeof *key, 1, f) == 1 && cad_file_write(f, file);
    good = fclose(f) == 0 && good;
    if (!good || rename(beside, path) != 0) remove(beside);
}

#else

bool cad_cache_key(const char* path, const wit_cad_def* def, cad_key* out)
{
    (void)path;
    (void)def;
    (void)out;
    return false;
}

bool cad_cache_find(const cad_key* key, cad_file* out)
{
    (void)key;
    (void)out;
    return false;
}

void cad_cache_keep(const cad_key* key, const cad_file* file)
{
    (void)key;
    (void)file;
}

#endif
