/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/blockio.h: what the files of this room share.
 *
 * This room counts samples for `blockio` (count.c) and shows the counts
 * (tables.c); device-times.c adds up how many were in flight over time.  It may
 * use coldperf/plugin.h, analyses/common and analyses/pairs.
 * Begin in count.c.
 */
#ifndef CP_ANALYSES_BLOCKIO_BLOCKIO_H
#define CP_ANALYSES_BLOCKIO_BLOCKIO_H

#include <coldperf/plugin.h>

#include "analyses/common/label.h"
#include "analyses/common/tracepoint-fields.h"
#include "analyses/pairs/begun.h"

/*
 * device-times.c: how many requests were in flight on a
 * device, over time.
 *
 * The begin of a request is known for certain only when it ends: until then it
 * may be sent back.  So the caller adds the interval between two events of the
 * device first, in order, and a request when it ends.  Events are numbered; an
 * interval has the number of the event at its start.
 */

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

/* count.c: requests to block devices, from issue to completion. */

/*
 * More than any queue of a device holds.  In a capture without completions,
 * requests would pile up without this limit.
 */
#define CP_MAX_IN_FLIGHT 65536u

enum cp_request_state {
	CP_REQUEST_NONE,
	CP_REQUEST_IN_FLIGHT,
	/* in flight when records were lost: its completion may still come */
	CP_REQUEST_DOUBTFUL,
	/* it ended, and is held back until no LOST record can change it */
	CP_REQUEST_HELD,
	CP_REQUEST_STATES
};

struct cp_request {
	/* device, first sector that has not completed */
	struct cp_begun begun;
	enum cp_request_state state;
	uint64_t first; /* first sector as issued */
	uint64_t time;
	uint64_t event; /* number of its device's event */
	uint64_t bytes;
	uint64_t done;       /* bytes that completed */
	uint32_t device_row; /* number of the device */
	uint32_t sectors;    /* sectors that have not completed */
	cp_string_id comm, operation;
	bool kept;
	bool task; /* the filters keep the thread that issued it first */
	bool sent_back;
	bool sequential;
	bool completed; /* and not filtered */
	bool error;
};

/* The first number of rows. */
enum cp_blockio_by {
	CP_BLOCKIO_BY_DEVICE,
	CP_BLOCKIO_BY_OPERATION, /* device << 32 | operation */
	CP_BLOCKIO_BY_COMM,
	CP_BLOCKIO_BY_SIZE, /* the power of two that it has at least */
};

struct cp_blockio_device {
	uint64_t first, last; /* times of the first and last event */
	uint64_t events;      /* their number */
	uint64_t next;        /* the sector after the last request issued */
	/* requests with sectors, and those that went on at the next one */
	uint64_t placed, sequential;
	struct cp_device_times times;
};

struct cp_blockio {
	struct cp_run *run;
	struct cp_probes probes;
	struct cp_begun_set requests;
	uint32_t live[CP_REQUEST_STATES];
	struct cp_lost_waits waits;
	struct cp_index devices; /* (dev, 0) */
	struct cp_blockio_device *device;
	uint32_t device_cap;
	struct cp_pair_rows rows; /* (enum cp_blockio_by, key) */
	struct cp_slowest slowest;
	struct cp_request slow[CP_SLOWEST]; /* by slot */
	uint64_t unstarted, unended, again;
	uint64_t unknown, untracked;
	uint64_t untimed; /* samples */
};

extern const struct cp_probe cp_blockio_probes[];

static inline uint32_t
cp_request_device(const struct cp_request *r)
{
	return (uint32_t)r->begun.key[0];
}

/* Of an analysis; its finish() counts the requests held back. */
int cp_blockio_begin(struct cp_run *, void *state);
int cp_blockio_sample(struct cp_run *, void *state, const struct cp_sample *);
int cp_blockio_event(struct cp_run *, void *state, const struct cp_sideband *);
void cp_blockio_finish(struct cp_blockio *);

/* tables.c: devices, operations, commands, slowest requests. */

void cp_blockio_tables(struct cp_blockio *, struct cp_report *);
/* "8:0" */
const char *cp_blockio_device_text(struct cp_word *, uint32_t device);

#endif
