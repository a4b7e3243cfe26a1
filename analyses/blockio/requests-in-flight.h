/* SPDX-License-Identifier: MIT */
/*
 * analyses/blockio/requests-in-flight.h: requests to block devices that were
 * issued and have not completed, by device and first sector.
 */
#ifndef CP_ANALYSES_BLOCKIO_REQUESTS_IN_FLIGHT_H
#define CP_ANALYSES_BLOCKIO_REQUESTS_IN_FLIGHT_H

#include <coldperf/plugin.h>

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
/* Removes a request and returns it in *; false: it is unknown. */
bool cp_inflight_take(struct cp_inflight *, uint32_t device, uint64_t sector,
    bool empty, struct cp_request *out);
/* Forgets all requests. */
void cp_inflight_clear(struct cp_inflight *);

#endif
