/* SPDX-License-Identifier: MIT */
/*
 * analyses/timeline/heat.h: samples, and the time of spans, in slots of time.
 *
 * A heat map has a column of so many slots, its rows.  Unless the user says
 * what a column spans, it fits the capture: slots begin small and become
 * larger, without losing a count, as the capture turns out to be longer.
 */
#ifndef CP_ANALYSES_TIMELINE_HEAT_H
#define CP_ANALYSES_TIMELINE_HEAT_H

#include <coldperf/plugin.h>

/*
 * Time by slot: the ns that lie partly within a slot, and the number of spans
 * that cover it whole.
 */
struct cp_heat_slots {
	uint64_t *part;
	int32_t *whole; /* change of their number at a slot */
	uint32_t part_cap, whole_cap;
	uint32_t n;
};

struct cp_heat {
	struct cp_run *run;
	uint64_t slot; /* ns */
	uint64_t n;    /* slots until the last that holds anything */
	uint32_t rows; /* of a column */
	bool fits;     /* the slots fit the capture */
	bool too_long;
	/* Event, slot; the weight is the number of samples. */
	struct cp_tally *samples, *spare;
	struct cp_heat_slots off, waiting;
};

/* Column: ns, a multiple of rows; 0: what fits the capture. */
void cp_heat_init(
    struct cp_heat *, struct cp_run *, uint64_t column, uint32_t rows);
/* Times are ns since the first column. */
void cp_heat_sample(struct cp_heat *, uint32_t event, uint64_t at);
void cp_heat_span(
    struct cp_heat *, struct cp_heat_slots *, uint64_t from, uint64_t to);
/* Gives the slots the length that they are shown with. */
void cp_heat_finish(struct cp_heat *);

/* Origin: when the first column begins. */
void cp_heat_show_samples(
    struct cp_heat *, struct cp_report *, uint32_t event, uint64_t origin);
void cp_heat_show_slots(const struct cp_heat *, struct cp_report *,
    const struct cp_heat_slots *, uint64_t origin, const char *slug,
    const char *title, const char *value);

#endif
