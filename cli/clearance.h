/* SPDX-License-Identifier: MIT */
/* What `witness clearance` and `witness pairs` share: what is asked, what was found, how it is written. */
#ifndef CLI_CLEARANCE_H
#define CLI_CLEARANCE_H

#include "../include/witness/io.h"
#include "out.h"

enum { CLEARANCE_INTERVALS = 32, EXIT_VIOLATED = 3, EXIT_NOT_PROVED = 4 };

/* How a requirement stands. */
typedef enum verdict {
    VERDICT_HOLDS,    /* proved of every pair */
    VERDICT_VIOLATED, /* proved of one pair at least */
    VERDICT_OPEN      /* neither */
} verdict;

/* "Holds", "Violated", "Not proved" */
const char* verdict_name(verdict v);

typedef struct clearance_rule {
    const char *name, *a, *b; /* a, b null: all pairs */
    double clearance;
    int index; /* in the scene, -1: of the command line */
    verdict verdict;
    int64_t worst; /* the pair that decides it, -1: none */
} clearance_rule;

typedef struct clearance_task {
    const wit_assembly_scene* scene;
    wit_assembly_def def;
    clearance_rule* rules;
    int rule_count;
    bool all; /* pairs that are clear are written too */
} clearance_task;

typedef struct clearance_found {
    wit_assembly_pair* pairs;
    wit_pair_report* reports;
    wit_pair_interval* intervals; /* CLEARANCE_INTERVALS of each */
    int64_t count, asked;         /* pairs that the boxes do not part; all that were asked for */
    int64_t of[WIT_PAIR_STATUS_COUNT], approved, incomplete;
} clearance_found;

/* Finds and checks the pairs on so many threads. 0, or the exit code after a message. */
int clearance_run(const clearance_task* task, int threads, const char* command, clearance_found* out);
void clearance_drop(clearance_found* found);

/* Is what the pair does known and approved? Contacts and clearances are, clashes never. */
bool clearance_approved(const clearance_task* task, const wit_pair_report* r);
/* Fills the verdicts; the exit code: violated, not proved, or good. */
int clearance_judge(clearance_task* task, const clearance_found* found);

void clearance_text(out* o, const clearance_task* task, const clearance_found* found);
void clearance_json(out* o, const clearance_task* task, const clearance_found* found);
void clearance_csv(out* o, const clearance_task* task, const clearance_found* found);

#endif
