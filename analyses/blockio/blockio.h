/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/blockio.h: what the files of this room share.
 *
 * This room counts samples for `blockio` (count.c) and shows the counts
 * (tables.c); requests-in-flight.c keeps the requests that have not completed,
 * device-times.c adds up how many were in flight over time.  It may use
 * coldperf/plugin.h, analyses/common and analyses/lost.  Begin in count.c.
 */
#ifndef CP_ANALYSES_BLOCKIO_BLOCKIO_H
#define CP_ANALYSES_BLOCKIO_BLOCKIO_H

#include <coldperf/plugin.h>

#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/waits.h"

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

/*
 * requests-in-flight.c: requests to block devices that were
 * issued and have not completed, by device and first sector.
 */

/*
 * More than any queue of a device holds.  In a capture without completions,
 * requests would pile up without this limit.
 */
#define CP_MAX_IN_FLIGHT 65536u

struct cp_request {
	uint64_t sector; /* first sector that has not completed */
	uint64_t first;  /* first sector as issued */
	uint64_t time;
	uint64_t event; /* number of its device's event */
	uint64_t bytes;
	uint64_t done; /* bytes that completed */
	uint32_t device;
	uint32_t device_row; /* number of the device */
	uint32_t sectors;    /* sectors that have not completed */
	cp_string_id comm, operation;
	bool kept;
	bool task; /* the filters keep the thread that issued it first */
	bool used; /* false: its slot is free */
	bool sent_back;
	/* index + 1 of the next in its chain or in the free list */
	uint32_t next;
};

struct cp_inflight {
	struct cp_run *run;
	struct cp_request *all;
	uint32_t cap, n; /* n: number of slots ever used */
	uint32_t live;
	uint32_t unused; /* first free slot + 1 */
	uint32_t *heads; /* index + 1 of the first of each chain */
};

void cp_inflight_init(struct cp_inflight *, struct cp_run *);
/* Returns false if there are too many. */
bool cp_inflight_add(struct cp_inflight *, const struct cp_request *);
/*
 * Removes the request that has this device, sector and operation, and returns
 * it in *; of several the one of this size, and of these the oldest.  False:
 * none has.
 */
bool cp_inflight_take(struct cp_inflight *, const struct cp_request *like,
    struct cp_request *out);
/* Forgets all requests. */
void cp_inflight_clear(struct cp_inflight *);

/*
 * count.c: requests to block devices, from issue to
 * completion.
 */

#define CP_BLOCKIO_SLOWEST 10u

/* Kinds of rows. */
enum cp_blockio_by {
	CP_BLOCKIO_BY_DEVICE,
	CP_BLOCKIO_BY_OPERATION, /* device << 32 | operation */
	CP_BLOCKIO_BY_COMM,
};

/* Sums over the requests of one device, operation or command. */
struct cp_blockio_requests {
	uint64_t n, bytes, errors;
	struct cp_quantiles took;
};

struct cp_blockio_device {
	uint64_t first, last; /* times of the first and last event */
	uint64_t events;      /* their number */
	struct cp_device_times times;
};

struct cp_blockio_slow {
	struct cp_request request;
	uint64_t ns;
};

/* A request that ended; it is held back until no LOST record can change it. */
struct cp_blockio_held {
	struct cp_request request;
	bool completed; /* and not filtered */
	bool error;
	uint32_t next; /* index + 1 of the next unused */
};

struct cp_blockio {
	struct cp_run *run;
	struct cp_probes probes;
	struct cp_inflight inflight;
	/* in flight when records were lost: their completion may still come */
	struct cp_inflight doubtful;
	struct cp_lost_waits waits;
	struct cp_blockio_held *held;
	uint32_t held_cap, n_held, unused; /* unused: index + 1 */
	struct cp_index devices;           /* (dev, 0) */
	struct cp_blockio_device *device;
	uint32_t device_cap;
	struct cp_index rows; /* (enum cp_blockio_by, key) */
	struct cp_blockio_requests *row;
	uint32_t row_cap;
	struct cp_blockio_slow slow[CP_BLOCKIO_SLOWEST]; /* slowest first */
	uint32_t n_slow;
	uint64_t unstarted, unended, again;
	uint64_t unknown, untracked;
	uint64_t untimed; /* samples */
};

extern const struct cp_probe cp_blockio_probes[];

void cp_blockio_init(struct cp_blockio *, struct cp_run *);
void cp_blockio_sample(struct cp_blockio *, const struct cp_sample *);
void cp_blockio_sideband(struct cp_blockio *, const struct cp_sideband *);
/* Counts the requests held back; call it before the tables are made. */
void cp_blockio_finish(struct cp_blockio *);

/* tables.c: devices, operations, commands, slowest requests.
 */

void cp_blockio_tables(struct cp_blockio *, struct cp_report *);

#endif
