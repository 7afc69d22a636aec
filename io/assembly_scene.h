/* SPDX-License-Identifier: MIT */
/* The record behind wit_assembly_scene: bodies in links, links in one another. */
#ifndef IO_ASSEMBLY_SCENE_H
#define IO_ASSEMBLY_SCENE_H

#include "scene.h"

enum { ASSEMBLY_DEEPEST = 64 }; /* links in one another */

/* What moves together: its motion, in the link that holds it. */
typedef struct assembly_link {
    const char* name;
    int parent; /* an earlier one; -1: the world */
    int depth;
    motion_record motion;
} assembly_link;

typedef struct assembly_part {
    const wit_assembly_scene* scene;
    const char *name, *group;
    int link;            /* -1: the world */
    motion_record place; /* still: in its link, the model's own pose counted */
} assembly_part;

/* A file, read once. */
typedef struct assembly_file {
    uint32_t token;
    wit_model* model;
} assembly_file;

typedef struct assembly_rule {
    wit_assembly_requirement said;
    int of[2]; /* a body; -1: the group of that name */
} assembly_rule;

struct wit_assembly_scene {
    wit_scene base; /* its pool, name, note and unit: what the readers of scenes fill */
    assembly_link* links;
    assembly_part* parts;
    wit_assembly_body* bodies;
    assembly_file* files;
    assembly_rule* rules;
    wit_assembly_skip *skips, *approved; /* ascending */
    int link_count, part_count, file_count, rule_count, skip_count, approved_count;
    wit_assembly_def def;
};

/* Where a part is, and bounds of how it moves: wit_path_at and wit_path_bounds of an assembly_part. */
wit_status wi_assembly_part_at(const void* part, double time, wit_motion* out);
wit_status wi_assembly_part_bounds(const void* part, double from, double to, wit_motion_bounds* out);
bool wi_assembly_pair_listed(const wit_assembly_skip* list, int count, int a, int b);

/* Tables of keys, for the test of the schema: the whole, a link, a body, a requirement; null past the last. */
const scene_key* wi_assembly_keys(int table, int* count, const char** name);

#endif
