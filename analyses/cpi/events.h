/* SPDX-License-Identifier: MIT */
/* analyses/cpi/events.h: the events of a capture that make a ratio. */
#ifndef CP_ANALYSES_CPI_EVENTS_H
#define CP_ANALYSES_CPI_EVENTS_H

#include "analyses/common/ratio.h"

struct cp_cpi_event {
	struct cp_counted what;
	bool used;
	bool read;      /* its samples bring readings */
	bool uncounted; /* its samples have no period */
	bool left_out;  /* the filters keep a pair without it */
};

/* The events of the capture that are used. */
struct cp_cpi_events {
	struct cp_cpi_event *all; /* by index */
	uint32_t n, cap;
};

/* Chooses among the events known so far. */
void cp_cpi_choose(struct cp_run *, struct cp_cpi_events *);
/* True if what is used of either role was counted where the other one was. */
bool cp_cpi_in_same_places(
    const struct cp_cpi_events *, enum cp_role, enum cp_role);
/* Returns the names of the used events of a role, joined by " + ". */
const char *cp_cpi_names(
    struct cp_run *, const struct cp_cpi_events *, enum cp_role);
/* Notes which events were left out, and why. */
void cp_cpi_note_events(
    struct cp_run *, const struct cp_cpi_events *, struct cp_report *);

#endif
