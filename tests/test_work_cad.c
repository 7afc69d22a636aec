/* SPDX-License-Identifier: MIT */
/*
 * The account of work (test_work.c) and failing memory (test_memory.c) for parts from CAD: STEP files of our own, and those of others
 * where they are there. What Open CASCADE takes while it reads a file is its own; the model made of it is ours.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "../include/witness/cad.h"
#include "campaign.h"
#include "failing_model.h"
#include "foreign.h"
#include "work_asked.h"

static const char* const own[] = {"frustum-inch", "pin-in-plate", "plate",        "pulley",
                                  "rounded-box",  "slab",         "turned-pulley"};
/* the first ones are quick to read; the rest in `make verify` */
static const char* const others[] = {"axom/revolved_sphere.step",
                                     "axom/sliced_cylinder.step",
                                     "axom/tet.step",
                                     "nist/NIST_MBE_PMI_11.stp",
                                     "axom/boxed_sphere.step",
                                     "build123d/M6-1x12-countersunk-screw.step",
                                     "nist/NIST_MBE_PMI_2.stp",
                                     "nist/NIST_MBE_PMI_3.stp",
                                     "nist/nist_ctc_02_asme1_ap203.stp",
                                     "nist/nist_ctc_03_asme1_ap203.stp",
                                     "nist/nist_ctc_03_asme1_ap242.stp",
                                     "odri/foot_structure.STEP",
                                     "odri/lower_leg_structure_base.STEP",
                                     "odri/transmission_pulley_at3_t10_motor.STEP"};
enum { OWN = sizeof own / sizeof own[0], QUICK = 4, OTHERS = sizeof others / sizeof others[0] };

static wit_cad* cads[OWN];
static subject_list subjects;

static void add_part(const char* path, wit_cad* cad)
{
    wit_error e = {0};
    wit_model* m = cad ? wit_cad_model(cad, NULL, &e) : NULL;
    if (!m) fail_msg("%s: %s", path, e.text);
    subjects_add(&subjects, path, m);
}

static int open_parts(void** state)
{
    (void)state;
    for (int k = 0; k < OWN; k++) {
        char path[128];
        wit_error e = {0};
        snprintf(path, sizeof path, "tests/data/step/%s.step", own[k]);
        cads[k] = wit_cad_read_file(path, NULL, &e);
        if (!cads[k]) print_error("%s: %s\n", path, e.text);
        add_part(path, cads[k]);
    }
    for (int k = 0; k < (campaign(100) < 100 ? QUICK : OTHERS); k++) {
        const char* path = foreign_path(others[k]);
        wit_cad* cad = path ? wit_cad_read_file(path, NULL, NULL) : NULL;
        if (path) add_part(path, cad);
        wit_cad_destroy(cad);
    }
    return 0;
}

static int close_parts(void** state)
{
    (void)state;
    subjects_close(&subjects);
    for (int k = 0; k < OWN; k++) wit_cad_destroy(cads[k]);
    return 0;
}

static void points_of_parts_say_what_they_did(void** state)
{
    (void)state;
    ask_points(&subjects, 1510, campaign(1000));
}

static void pairs_of_parts_say_what_they_did(void** state)
{
    (void)state;
    ask_pairs(&subjects, 1511, campaign(6000));
}

static wit_model* model_of(const void* cad, const wit_allocator* a, wit_error* e)
{
    return wit_cad_model(cad, a, e);
}

static void every_failed_allocation_is_a_refusal(void** state)
{
    (void)state;
    failing_tally t = {0, 0, 0};
    for (int k = 0; k < OWN; k++) fail_each(own[k], model_of, cads[k], &t);
    print_message("%ld parts, %ld models with a failed allocation, %ld that did not need it\n", t.models, t.reads,
                  t.unneeded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_parts_say_what_they_did),
        cmocka_unit_test(pairs_of_parts_say_what_they_did),
        cmocka_unit_test(every_failed_allocation_is_a_refusal),
    };
    return cmocka_run_group_tests(tests, open_parts, close_parts);
}
