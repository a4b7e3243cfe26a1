/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/count.h: requests to block devices, from issue to
 * completion.
 *
 * This room counts samples for `blockio` (count.c) and shows the counts
 * (tables.c); requests-in-flight.c keeps the requests that have not completed,
 * device-times.c adds up how many were in flight over time.  It may use
 * coldperf/plugin.h, analyses/common and analyses/lost.  Begin in count.c.
 */
#ifndef CP_ANALYSES_BLOCKIO_COUNT_H
#define CP_ANALYSES_BLOCKIO_COUNT_H

#include "analyses/blockio/device-times.h"
#include "analyses/blockio/requests-in-flight.h"
#include "analyses/common/dense-ids.h"
#include "analyses/common/percentiles.h"
#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/repeats.h"
#include "analyses/lost/waits.h"

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
	struct cp_repeats repeats;
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
	uint64_t unstarted, unfinished, unended, again;
	uint64_t unknown, untracked;
	uint64_t untimed; /* samples */
};

extern const struct cp_probe cp_blockio_probes[];

void cp_blockio_init(struct cp_blockio *, struct cp_run *);
void cp_blockio_sample(struct cp_blockio *, const struct cp_sample *);
void cp_blockio_sideband(struct cp_blockio *, const struct cp_sideband *);
/* Counts the requests held back; call it before the tables are made. */
void cp_blockio_finish(struct cp_blockio *);

#endif
