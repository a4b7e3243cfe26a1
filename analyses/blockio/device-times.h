/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/device-times.h: how many requests were in flight on a
 * device, over time.
 *
 * The begin of a request is known for certain only when it ends: until then it
 * may be sent back.  So the caller adds the interval between two events of the
 * device first, in order, and a request when it ends.  Events are numbered; an
 * interval has the number of the event at its start.
 */
#ifndef CP_ANALYSES_BLOCKIO_DEVICE_TIMES_H
#define CP_ANALYSES_BLOCKIO_DEVICE_TIMES_H

#include <coldperf/plugin.h>

/* An interval in which no known request was in flight. */
struct cp_idle {
	uint64_t event, ns;
};

/*
 * The sum of the intervals in which records were lost, up to and including the
 * interval that starts at this event.
 */
struct cp_unknown_until {
	uint64_t event, ns;
};

/* From this event on there were `more` requests than from the next level on. */
struct cp_depth_level {
	uint64_t event, more;
};

struct cp_device_times {
	struct cp_idle *idle;
	struct cp_unknown_until *unknown;
	struct cp_depth_level *level;
	uint32_t idle_cap, n_idle, unknown_cap, n_unknown, level_cap, n_level;
	uint32_t idle_limit; /* the caller calls _forget() beyond it */
	uint64_t depth_ns;   /* depth, summed over time */
	uint64_t busy_ns;    /* with a depth that is not 0 */
	uint64_t max_depth;
};

/*
 * Adds the interval that starts at an event; known: no record of it was lost.
 */
void cp_device_times_add(struct cp_device_times *, struct cp_run *,
    uint64_t event, uint64_t ns, bool known);
/* Adds a request: in flight from the event to the end of the last interval. */
void cp_device_times_request(
    struct cp_device_times *, uint64_t event, uint64_t ns);
/* Forgets idle intervals before the event: no request in flight is older. */
void cp_device_times_forget(struct cp_device_times *, uint64_t event);
/* Returns the sum of the intervals in which records can have been lost. */
uint64_t cp_device_times_unknown(const struct cp_device_times *);

#endif
