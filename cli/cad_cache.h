/* SPDX-License-Identifier: MIT */
/*
 * CAD files that were read before: what became of them is kept in the user's cache folder ($WITNESS_CACHE, else
 * $XDG_CACHE_HOME/witness, else ~/.cache/witness), named by a hash of the file's bytes, of what was asked of the reader, and of
 * the library. A file that changes has another name; what is kept is never wrong, and may be deleted at any time. With
 * WITNESS_CACHE set to nothing there is no cache.
 */
#ifndef CLI_CAD_CACHE_H
#define CLI_CAD_CACHE_H

#include "cad_file.h"

typedef struct cad_key {
    uint64_t hash[2];
    uint64_t bytes; /* of the file */
} cad_key;

/* False: there is no cache, or the file cannot be read. `def` may be null. */
bool cad_cache_key(const char* path, const wit_cad_def* def, cad_key* out);
bool cad_cache_find(const cad_key* key, cad_file* out);
/* Without a word where it cannot be written. */
void cad_cache_keep(const cad_key* key, const cad_file* file);

#endif
