/* SPDX-License-Identifier: MIT */
/*
 * analyses/locks/locks.h: what the files of this room share.
 *
 * This room counts samples for `locks` (count.c) and shows the counts
 * (tables.c); lock-events.c decodes the events.  It may use coldperf/plugin.h,
 * analyses/common and analyses/pairs.  Begin in count.c.
 */
#ifndef CP_ANALYSES_LOCKS_LOCKS_H
#define CP_ANALYSES_LOCKS_LOCKS_H

#include "analyses/common/tracepoint-fields.h"
#include "analyses/pairs/begun.h"

/*
 * lock-events.c: samples as begins and ends of waits for locks.
 *
 * Waits for kernel locks come from lock:contention_*.  Waits for futexes come
 * from the system calls that wait and wake, of syscalls:* or raw_syscalls:*.
 */

enum cp_lock_kind {
	CP_LOCK_NONE,
	CP_LOCK_BEGIN, /* with address and type */
	CP_LOCK_END,
	CP_FUTEX_BEGIN, /* of a wait; with address and is_lock */
	CP_FUTEX_WAKE,  /* address is told */
	CP_FUTEX_END,   /* of a wait or a wake-up; with result */
	CP_FUTEX_NONE,  /* begin or end of a call that is none of these */
};

struct cp_lock_event {
	enum cp_lock_kind kind;
	uint64_t address;
	uint64_t type; /* flags of contention_begin */
	int64_t result;
	bool is_lock; /* the futex is a mutex or the like that is taken */
};

/* Numbers of system calls; UINT64_MAX: not known. */
struct cp_futex_calls {
	uint64_t futex, futex_time64, wait, wake;
};

struct cp_lock_decoder {
	struct cp_probes probes;
	bool raw; /* calls are those of raw_syscalls:*, or of syscalls:* */
	uint64_t left_out; /* samples of the other events */
	bool looked;       /* raw and the numbers of the calls are known */
	struct cp_futex_calls calls, narrow; /* of 32-bit programs */
};

extern const struct cp_probe cp_lock_probes[];
void cp_lock_decoder_init(struct cp_lock_decoder *, struct cp_run *);
struct cp_lock_event cp_lock_decode(
    struct cp_lock_decoder *, const struct cp_sample *);

/* "mutex", "rwsem:R" ... as perf lock says it. */
const char *cp_lock_type(uint64_t flags);

/* count.c: waits for locks, by thread, lock and stack. */

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

struct cp_lock_open {
	struct cp_begun begun; /* (thread or CPU, address or CALL) */
	uint64_t time;
	uint64_t address;
	uint32_t row;
	bool kept, wake;
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
	/* (thread, place): waits, and errors of those without the lock */
	struct cp_pair_rows rows;
	struct cp_begun_set open;
	struct cp_index futexes;   /* (pid, address) */
	struct cp_lock_wake *wake; /* of a futex, the last one */
	uint32_t wake_cap;
	struct cp_tally *wakers; /* lock, waker's comm: time waited */
	struct cp_lost_waits waits;
	uint64_t unfinished, unknown;
	uint64_t going_on; /* at the end */
};

/* Of an analysis; its finish() counts the waits held back. */
int cp_locks_begin(struct cp_run *, void *state);
int cp_locks_sample(struct cp_run *, void *state, const struct cp_sample *);
int cp_locks_event(struct cp_run *, void *state, const struct cp_sideband *);
void cp_locks_finish(struct cp_locks *);
/* What a row waits for: flags of a kernel lock, or one of the kinds above. */
uint32_t cp_locks_type(const struct cp_locks *, uint32_t row);

/* tables.c: callers, locks, futexes, threads, stacks. */

void cp_locks_tables(struct cp_locks *, struct cp_report *);

#endif
