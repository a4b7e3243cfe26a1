/* SPDX-License-Identifier: MIT */
/*
 * run/origins.h: the captures that a run is about: one, those of a union, or
 * those that a snapshot's tables tell of.
 */
#ifndef CP_RUN_ORIGINS_H
#define CP_RUN_ORIGINS_H

#include "base/buf.h"
#include "run/api.h"

/* Adds one to a run of several: what all have in common is the run's own. */
void cp_run_origin_add(struct cp_run *, const struct cp_report_origin *);
/* Tells of run `from', which was read, to `all', whose clock is `by' later. */
void cp_run_origins_move(struct cp_run *all, struct cp_run *from, uint64_t by);
/* Gives them to the report; its texts live as long as the run. */
void cp_run_origins_keep(struct cp_run *, struct cp_report *);
/* Names their hosts and kernels, where they are several. */
void cp_run_origins_label(const struct cp_run *, struct cp_report *);
size_t cp_run_origins_hosts(const struct cp_run *);
/* Adds a table of several. */
void cp_run_origins_show(const struct cp_run *, struct cp_report *);

/* label.c: what cp_run_label_line() says, about this event. */
void cp_run_label_text(struct cp_run *, const char *event, struct cp_buf *);
/* When the capture began; false: not known. */
bool cp_run_label_date(struct cp_run *, char *text, size_t size);
/* The event that reports are about if their analysis does not say, or "". */
const char *cp_run_label_event(struct cp_run *);

#endif
