/* SPDX-License-Identifier: MIT */
/* analyses/common/event.h: which events are shown, and their names. */
#ifndef CP_ANALYSES_COMMON_EVENT_H
#define CP_ANALYSES_COMMON_EVENT_H

#include <coldperf/plugin.h>

/* True for events worth showing: all but dummies. */
bool cp_event_counts(const struct cp_run *, uint32_t event);
/*
 * Returns the name of a cp_sample.event; events of the same meaning share it.
 */
const char *cp_event_name(struct cp_run *, uint32_t event);

/*
 * Returns when a sample was taken, or CP_NO_TIME.  perf before 6.16 wrote the
 * samples of --off-cpu last, with a time that is of no clock.
 */
static inline uint64_t
cp_event_moment(const struct cp_sample *s)
{
	return s->time < UINT64_C(0xffffffff00000000) ? s->time : CP_NO_TIME;
}

/* True for cpu-clock and task-clock, whose periods are ns. */
bool cp_event_is_clock(const struct cp_evsel *);
/*
 * Returns the ns that a sample of a clock stands for: its period, or that of
 * the frequency where no periods were recorded.
 */
uint64_t cp_event_ns(const struct cp_evsel *, const struct cp_sample *);
/* Whether samples of the event tell what CPUs spent time on. */
bool cp_event_measures_time(const struct cp_evsel *);
/*
 * Returns the event that tells best what CPUs spent time on, of those that the
 * filters keep; CP_NO_ID: none does.
 */
uint32_t cp_event_of_time(struct cp_run *);
/* Returns the ns that a sample of a thread at work stands for; 0: not known. */
double cp_event_interval(const struct cp_evsel *);
/* True if it counts in user code only (":u"), as users without rights get. */
bool cp_event_user_only(const struct cp_evsel *);
/* Returns the unit of an event's weights: "ns", "cycles", "samples" ... */
const char *cp_event_unit(const struct cp_run *, const struct cp_evsel *);

/* "12 % of cycles, 3 % of instructions": one note for all events. */
struct cp_event_shares {
	char text[800];
};
void cp_event_shares_add(struct cp_event_shares *, struct cp_run *,
    uint32_t event, uint64_t part, uint64_t whole);

/*
 * True if the record of the sample was counted already: a group that its leader
 * samples has a sample of each counter for one record, with the same branches,
 * addresses and latency.  reading: the record counted last, 0 at first.
 */
static inline bool
cp_event_again(uint32_t *reading, const struct cp_sample *s)
{
	bool again = s->reading != 0 && s->reading == *reading;

	*reading = s->reading;
	return again;
}

#endif
