/* SPDX-License-Identifier: MIT */
/*
 * analyses/locks/count.h: waits for locks, by thread, lock and stack.
 *
 * This room counts samples for `locks` (count.c) and shows the counts
 * (tables.c); lock-events.c decodes the events.  It may use coldperf/plugin.h,
 * analyses/common and analyses/lost.  Begin in count.c.
 */
#ifndef CP_ANALYSES_LOCKS_COUNT_H
#define CP_ANALYSES_LOCKS_COUNT_H

#include "analyses/common/dense-ids.h"
#include "analyses/common/percentiles.h"
#include "analyses/locks/lock-events.h"
#include "analyses/lost/waits.h"

/*
 * Kinds of futexes, beside the flags of a kernel lock's type: one that is a
 * lock, and one that threads wait at for another reason.
 */
#define CP_LOCKS_FUTEX UINT32_MAX
#define CP_LOCKS_PARKED (UINT32_MAX - 1)

static inline bool
cp_locks_is_futex(uint32_t type)
{
	return type >= CP_LOCKS_PARKED;
}

/* Waits for one lock at one stack of one thread. */
struct cp_lock_waits {
	struct cp_quantiles took;
	uint64_t failed; /* ended without the lock */
};

struct cp_lock_open {
	uint64_t time;
	uint64_t address;
	uint32_t row;
	bool active, kept, wake;
};

struct cp_lock_wake {
	uint64_t time;
	cp_string_id comm; /* of who woke; 0: none did */
};

struct cp_locks {
	struct cp_run *run;
	struct cp_lock_decoder decoder;
	struct cp_index threads; /* (pid and tid, comm) */
	struct cp_index locks;   /* (address, type and process) */
	struct cp_index places;  /* (lock, stack) */
	struct cp_index rows;    /* (thread, place) */
	struct cp_lock_waits *row;
	uint32_t row_cap;
	struct cp_index keys; /* of open: (thread, address or CALL) */
	struct cp_lock_open *open;
	uint32_t open_cap;
	struct cp_index futexes;   /* (pid, address) */
	struct cp_lock_wake *wake; /* of a futex, the last one */
	uint32_t wake_cap;
	struct cp_tally *wakers; /* lock, waker's comm: time waited */
	struct cp_lost_waits waits;
	uint64_t unfinished, unknown;
};

void cp_locks_init(struct cp_locks *, struct cp_run *);
void cp_locks_sample(struct cp_locks *, const struct cp_sample *);
void cp_locks_sideband(struct cp_locks *, const struct cp_sideband *);
/* What a row waits for: flags of a kernel lock, or one of the kinds above. */
uint32_t cp_locks_type(const struct cp_locks *, uint32_t row);
/* Counts the waits held back; call it before the tables are made. */
void cp_locks_finish(struct cp_locks *);

#endif
