/* SPDX-License-Identifier: MIT */
/*
 * Queries of which the account is held against what was counted (work_count.h) and against the budget: points and pairs of a
 * list of bodies, apart, touching and overlapping, whole and with masks, rigorous and not, budgets from 1 to 200,000.
 */
#ifndef TESTS_WORK_ASKED_H
#define TESTS_WORK_ASKED_H

#include "../include/witness/io.h"
#include "random.h"

typedef struct subject {
    char name[96];
    wit_model* model; /* to be destroyed with it; null: another subject's */
    const wit_body* body;
    wit_vec3 centre;
    double size;
} subject;

typedef struct subject_list {
    subject* items;
    int count, capacity;
} subject_list;

/* All bodies of a model, which the list takes over. */
void subjects_add(subject_list* list, const char* name, wit_model* model);
/* The bodies of all files in models/, by name. */
void subjects_open_models(subject_list* list);
void subjects_close(subject_list* list);

/* About the body: near the middle, inside, on its box, far. */
wit_vec3 some_point(rng* r, const subject* s);
/* b's middle in, beside or off a. */
wit_pose some_pose(rng* r, const subject* a, const subject* b);

/* Fails the test at any account that is not as counted, at any that exceeds its budget, and at answers without a witness. */
void ask_points(const subject_list* list, uint64_t seed, long each);
void ask_pairs(const subject_list* list, uint64_t seed, long pairs);

#endif
