/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/device-times.h: how many requests were under way on a device
 * at a time.
 *
 * When a request began is known when it ended only: it may have been sent back
 * before.  So each time between two events of the device is told first, in
 * order, then each request, in the order in which they ended.  Events are
 * numbered; a time has the number of the event that it begins with.
 */
#ifndef CP_ANALYSES_BLOCKIO_DEVICE_TIMES_H
#define CP_ANALYSES_BLOCKIO_DEVICE_TIMES_H

#include <coldperf/plugin.h>

/* A time in which no request was under way, as far as is known. */
struct cp_idle {
	uint64_t event, ns;
};

/* The time unknown until the end of the time that an event begins. */
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
	uint32_t idle_limit; /* the caller forgets if there are more */
	uint64_t depth_ns;   /* depth, summed over time */
	uint64_t busy_ns;    /* with a depth that is not 0 */
	uint64_t max_depth;
};

/* Tells the time that an event begins; known: no record of it was lost. */
void cp_device_times_add(struct cp_device_times *, struct cp_run *,
    uint64_t event, uint64_t ns, bool known);
/* Tells a request: under way since the event, to the end of what was told. */
void cp_device_times_request(
    struct cp_device_times *, uint64_t event, uint64_t ns);
/* Forgets idle times before that event: no request is older. */
void cp_device_times_forget(struct cp_device_times *, uint64_t event);
/* Returns the time in which a record can have been lost. */
uint64_t cp_device_times_unknown(const struct cp_device_times *);

#endif
