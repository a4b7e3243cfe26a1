/* SPDX-License-Identifier: MIT */
/*
 * run/tables.h: a snapshot that has tables and no records, read as a run.
 *
 * Its samples, stacks, frames and names are those of the tables
 * (docs/snapshot-format.md), so nothing is looked up: the run is like that of
 * the union of captures (run/merged.h).  A row that a table refers to and that
 * is not there counts as none.
 */
#ifndef CP_RUN_TABLES_H
#define CP_RUN_TABLES_H

#include "run/api.h"
#include "symbolize/object/snapshot-members.h"

struct cp_tables;

/* Opens the snapshot that the run's capture is; CP_FAIL after a diagnostic. */
int cp_tables_open(struct cp_run *) CP_MUST_USE;
/* The same of members, which it takes. */
int cp_tables_take(struct cp_run *, struct cp_snapshot_members *) CP_MUST_USE;
/* Gives all samples to `pass'. */
int cp_tables_read(struct cp_run *,
    int (*pass)(struct cp_run *, struct cp_sample *)) CP_MUST_USE;
void cp_tables_free(struct cp_tables *);

#endif
