/* SPDX-License-Identifier: MIT */
/*
 * analyses/locks/lock-events.h: samples as begins and ends of waits for locks.
 *
 * Waits for kernel locks come from lock:contention_*.  Waits for futexes come
 * from the system calls that wait and wake, of syscalls:* or raw_syscalls:*.
 */
#ifndef CP_ANALYSES_LOCKS_LOCK_EVENTS_H
#define CP_ANALYSES_LOCKS_LOCK_EVENTS_H

#include "analyses/common/tracepoint-fields.h"
#include "analyses/lost/repeats.h"

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
	struct cp_repeats repeats;
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

#endif
