/* SPDX-License-Identifier: MIT */
/* The experiments of `witness lab`, one file each. argv[0] is the name of the experiment. */
#ifndef CLI_LAB_H
#define CLI_LAB_H

#include "command.h"

command_run lab_accuracy;
command_run lab_basin;
command_run lab_findmin;
command_run lab_gain;
command_run lab_pairs;
command_run lab_settle;
command_run lab_table;

#endif
