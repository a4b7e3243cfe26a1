/* SPDX-License-Identifier: MIT */
/* analyses/cpi/events.h: which events of a capture make a ratio. */
#ifndef CP_ANALYSES_CPI_EVENTS_H
#define CP_ANALYSES_CPI_EVENTS_H

#include "analyses/common/ratio.h"

struct cp_cpi_event {
	struct cp_counted what;
	bool used;
	bool uncounted; /* its samples do not say how many events they are */
};

/* Which events of the capture are used. */
struct cp_cpi_events {
	struct cp_cpi_event *all; /* by index */
	uint32_t n, cap;
};

/* Looks at the events that are known by now. */
void cp_cpi_choose(struct cp_run *, struct cp_cpi_events *);
/* The names of the used events of a role, joined by " + ". */
const char *cp_cpi_names(
    struct cp_run *, const struct cp_cpi_events *, enum cp_role);
/* Says what was left out, and why. */
void cp_cpi_note_events(
    struct cp_run *, const struct cp_cpi_events *, struct cp_report *);

#endif
