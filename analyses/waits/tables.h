/* SPDX-License-Identifier: MIT */
/*
 * analyses/waits/tables.h: tables of cp_waits: by state, by class, by thread,
 * by process, by waker.
 *
 * The stacks must have been named.  Tasks that the filters leave out are in no
 * table.
 */
#ifndef CP_ANALYSES_WAITS_TABLES_H
#define CP_ANALYSES_WAITS_TABLES_H

#include "analyses/waits/wait-class.h"
#include "analyses/waits/waits.h"

/* top: rows of a table, 0: all. */
/* Whether it is known of any span what a thread did. */
bool cp_waits_know(const struct cp_waits *);
/* wakes: wake-ups were recorded. */
void cp_waits_show_states(struct cp_waits *, bool wakes, struct cp_report *);
void cp_waits_show_classes(
    struct cp_waits *, struct cp_waitclasses *, struct cp_report *);
void cp_waits_show_threads(struct cp_waits *, struct cp_report *, uint64_t top);
void cp_waits_show_processes(
    struct cp_waits *, struct cp_report *, uint64_t top);
void cp_waits_show_wakers(struct cp_waits *, struct cp_waitclasses *,
    struct cp_report *, uint64_t top);

/* Returns the waker of a link: a command, "(interrupt)" or "(not known)". */
const char *cp_waits_waker(const struct cp_waits *, uint32_t link);

/* longest.c: the longest blocked waits, each by itself. */

/*
 * Shows each wait's begin, duration, waker and stack.  Stacks must have been
 * named.
 */
void cp_waits_show_longest(
    struct cp_waits *, struct cp_waitclasses *, struct cp_report *);

#endif
