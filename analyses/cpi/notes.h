/* SPDX-License-Identifier: MIT */
/* analyses/cpi/notes.h: how far to trust the counters. */
#ifndef CP_ANALYSES_CPI_NOTES_H
#define CP_ANALYSES_CPI_NOTES_H

#include "analyses/cpi/count.h"

void cp_cpi_notes(struct cpi *, struct cp_report *);
/* Throttles and lost samples of a role's events; 0 where readings tell. */
uint64_t cp_cpi_missing(const struct cpi *, enum cp_role);
void cp_cpi_note_throttled(struct cpi *, struct cp_report *);
/* Notes missing events, and how to record them. */
void cp_cpi_note_missing(const struct cpi *, struct cp_report *);

#endif
