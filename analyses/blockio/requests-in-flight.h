/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/requests-in-flight.h: requests to block devices that were
 * issued and have not completed, by device and first sector.
 */
#ifndef CP_ANALYSES_BLOCKIO_REQUESTS_IN_FLIGHT_H
#define CP_ANALYSES_BLOCKIO_REQUESTS_IN_FLIGHT_H

#include <coldperf/plugin.h>

/* No queue is that deep; a capture without completions is no reason to keep
 * all. */
#define CP_MAX_IN_FLIGHT 65536u

struct cp_request {
	uint64_t sector; /* the first that has not completed */
	uint64_t first;  /* the first that was issued */
	uint64_t time;
	uint64_t alone; /* its device's alone_ns then */
	uint64_t bytes;
	uint32_t device;
	uint32_t sectors; /* that have not completed */
	uint32_t pid;
	cp_string_id comm, operation;
	bool kept;
	uint32_t next; /* in the chain or the free list; + 1 */
};

struct cp_inflight {
	struct cp_run *run;
	struct cp_request *all;
	uint32_t cap, n; /* n: ever in use */
	uint32_t live;
	uint32_t unused; /* + 1 */
	uint32_t *heads; /* + 1 */
};

void cp_inflight_init(struct cp_inflight *, struct cp_run *);
/* False: there are too many. */
bool cp_inflight_add(struct cp_inflight *, const struct cp_request *);
/* Takes it out; false: it is not there. */
bool cp_inflight_take(struct cp_inflight *, uint32_t device, uint64_t sector,
    bool empty, struct cp_request *out);
/* Forgets all. */
void cp_inflight_clear(struct cp_inflight *);

#endif
