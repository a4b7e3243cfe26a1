/* SPDX-License-Identifier: MIT */
/*
 * run/merge/merge.h: several captures as one.
 *
 * Each capture is read and named by a run of its own.  Then its objects,
 * symbols, frames and stacks are looked up by content in the run of the union,
 * whose analyses get its samples, and it is closed.  So memory holds one
 * capture, and what is distinct in all of them.
 *
 * Content is: of an object its build ID, or else its name; of a frame its
 * object, address and names; of an event its name.  Addresses of the kernel
 * count from where the kernel lies, those of code made at run time from their
 * function.  The captures follow each other on the clock of the union.
 */
#ifndef CP_RUN_MERGE_MERGE_H
#define CP_RUN_MERGE_MERGE_H

#include "run/merge/events.h"
#include "run/merge/union.h"

void cp_merge_init(
    struct cp_merger *, const struct cp_run_options *, struct cp_diags *);
/* Has the samples of a capture held that is about to be read. */
int cp_merge_watch(struct cp_merger *, struct cp_run *part) CP_MUST_USE;
/* Adds a capture that was read; then it may be closed. */
int cp_merge_take(struct cp_merger *, struct cp_run *part) CP_MUST_USE;
/* After the last capture: says what they disagree about. */
void cp_merge_over(struct cp_merger *);
/* Adds a table of the captures. */
void cp_merge_show(const struct cp_merger *, struct cp_report *);
void cp_merge_free(struct cp_merger *);

#endif
