/* SPDX-License-Identifier: MIT */
/*
 * run/import/import.h: profiles of other tools, read as a run.
 *
 * A parser fills the tables that a snapshot fills (run/tables-rows.h): objects,
 * symbols, frames, stacks, threads, events and samples.  Names are those of the
 * profile; nothing is looked up.  What is equal has one row, found by content.
 *
 * The kind of a profile is recognised by its content.  begin() tells the parts,
 * input.h where bytes come from, build.c makes the rows.
 */
#ifndef CP_RUN_IMPORT_H
#define CP_RUN_IMPORT_H

#include "run/tables-rows.h"

/* Opens the profile that the run's capture is; CP_FAIL after a diagnostic. */
int cp_import_open(struct cp_run *) CP_MUST_USE;

#endif
